"""The pages on learning: samples run, the table of planes is true, and the agent learns."""

import re
from pathlib import Path

import pytest

import skerry
from skerry.rl.ids import id_of
from skerry.rl.planes import lay_out

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "rl.md").read_text("utf-8")


def samples(page: str) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))


def test_samples_run(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    exec(compile(samples(PAGE), "rl.md", "exec"), {"__name__": "__main__"})  # noqa: S102  # ours
    printed = capsys.readouterr().out
    assert "(1024, 100) (1024,) (1024, 3) (1024,)" in printed
    assert "\nb2\n" in printed
    assert "Elo" in printed


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


def test_the_agent_learns() -> None:
    page = (DOCS / "training.md").read_text("utf-8")
    code = samples(page).replace("ITERATIONS = 150", "ITERATIONS = 50")
    assert "ITERATIONS = 50" in code
    names: dict[str, object] = {}
    exec(compile(code, "training.md", "exec"), names)  # noqa: S102  # ours
    before, after = names["history"]  # type: ignore[misc]
    assert before < 0.55
    assert after > 0.8
