"""The pages on learning: samples run, the table of planes is true, and the agent learns."""

import re
import warnings
from pathlib import Path
from typing import Any

import pytest

import skerry
from skerry.nets.layout import lay_out
from skerry.rl.ids import id_of
from support.repeating import some_of

DOCS = Path(__file__).resolve().parents[2] / "docs" / "library"
PAGE = (DOCS / "rl.md").read_text("utf-8")


def samples(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


# What each sample of the page needs, what it is known by, and what it prints.
SAMPLES = [
    ("numpy", "BatchEnv(skerry.make", "(1024, 100) (1024,) (1024, 3) (1024,)"),
    ("numpy", "env.save()", "/"),
    ("pettingzoo", "env as turns", ""),
    ("gymnasium", 'opponent="level:1"', ""),
    ("gymnasium", "make_vec", "(16, 5, 5, 5) (16,) (16, 20)"),
    ("sb3_contrib", "MaskablePPO", "legal: True"),
    ("tianshou", "DQN", "legal: True"),
    ("pyspiel", "pyspiel.load_game", "-"),
    ("numpy", "functional.make", "(8, 2)"),
    ("numpy", "def ask", "b2\n"),
]
QUICK = [row for row in SAMPLES if row[0] not in ("sb3_contrib", "tianshou")]


@pytest.mark.parametrize(("package", "mark", "printed"), some_of(SAMPLES, QUICK))
def test_samples_run_as_they_are_written(
    package: str, mark: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (sample,) = [sample for sample in samples(PAGE) if mark in sample]
    pytest.importorskip(package)
    with warnings.catch_warnings():
        if package == "tianshou":
            warnings.simplefilter("ignore")  # it warns of itself
        exec(compile(sample, "rl.md", "exec"), {"__name__": "__main__"})  # noqa: S102  # ours
    assert printed in capsys.readouterr().out


def test_no_sample_is_left_out() -> None:
    assert len(samples(PAGE)) == len(SAMPLES)


@pytest.mark.parametrize("name", skerry.GAMES)
def test_the_table_of_planes_is_true(name: str) -> None:
    layout = lay_out(skerry.make(name))
    groups: dict[str, list[str]] = {}
    for plane in layout.names:
        owner, joint, kind = plane.partition(": ")
        kinds = groups.setdefault(owner + joint, [])
        # What is said once need not be said again: peg e, ne, nw.
        words = kind.split()
        kinds.append(words[-1] if kinds else kind)
    shown = "; ".join(owner + ", ".join(kinds) for owner, kinds in groups.items())
    shape = " x ".join(map(str, layout.shape))
    assert f"| `{id_of(name)}` | {shape} | {shown} |" in PAGE


def train(iterations: int) -> list[float]:
    """What the agent of the page wins at first, and after every fifty rounds of training."""
    code = "\n".join(samples((DOCS / "training.md").read_text("utf-8")))
    assert "ITERATIONS = 150" in code
    code = code.replace("ITERATIONS = 150", f"ITERATIONS = {iterations}")
    names: dict[str, Any] = {}
    exec(compile(code, "training.md", "exec"), names)  # noqa: S102  # ours
    history: list[float] = names["history"]
    return history


def test_the_training_runs() -> None:
    (before,) = train(2)
    assert before < 0.55


@pytest.mark.soak
def test_the_agent_learns() -> None:
    before, after = train(50)
    assert before < 0.55
    assert after > 0.8
