"""CONTRIBUTING.md is true: its fifth game is built, installed beside skerry, and works."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.fifth import GUIDE, PACKAGE, PROJECT, ROOT, STEPS, write_package

SUPPORT = ROOT / "tests" / "support"
SAMPLES = re.findall(r"(?<!`\*\*\n)\n```python\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
CONSOLES = re.findall(r"^```console\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
EXAMPLES = [
    example.partition("\n")[::2] for block in CONSOLES for example in block.split("$ skerry ")[1:]
]
LONGEST_GAME = 200  # lines
END = "\f\n"
BUDGET = "--strengths random,level:1 --budget 30games --jobs 1"
SMALL = "-o side=3 -o line=3"


class Installation:
    """The package of the guide in a folder of its own, found by PYTHONPATH."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.place = root / "site"
        write_package(root)
        # What pip builds is a wheel, with what is on this machine.
        pip = ("-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-compile")
        here = ("--no-build-isolation", "--no-deps", "--no-index", "--target", str(self.place))
        self.run(*pip, *here, f"./{PROJECT}")

    def run(self, *arguments: str, **more: str) -> str:
        """What a Python command prints where the package is installed."""
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
        }
        paths = (self.place, ROOT / "src", ROOT / "tests")
        environment |= {
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "PYTHONIOENCODING": "utf-8",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=environment | more,
            encoding="utf-8",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def try_out(self, *calls: tuple[str, ...]) -> list[str]:
        """What each of these functions of ``support/citizen.py`` prints."""
        shown = self.run(str(SUPPORT / "citizen.py"), json.dumps(calls))
        return re.sub(r"^compiling the rules .*\n", "", shown, flags=re.M).split(END)[:-1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(tmp_path_factory.mktemp("fifth"))


def test_the_game_is_short_and_in_house_style(installed: Installation) -> None:
    assert len(STEPS[f"{PROJECT}/{PACKAGE}/__init__.py"].splitlines()) < LONGEST_GAME
    config = f"--config={ROOT / 'pyproject.toml'}"
    # Loops for the compiler, and assertions in tests, as pyproject.toml has it for ours.
    ignored = ("--extend-ignore", "SIM110,S101")
    installed.run("-m", "ruff", "check", "--no-cache", config, *ignored, PROJECT)
    installed.run("-m", "ruff", "format", "--no-cache", "--check", "--diff", config, PROJECT)


def test_the_game_works_as_the_guide_says(installed: Installation) -> None:
    """Commands, samples of the library, and the tests of the package."""
    assert EXAMPLES
    assert SAMPLES
    calls: list[tuple[str, ...]] = [("command", line) for line, _ in EXAMPLES]
    calls += [("sample", code) for code in SAMPLES]
    *shown, tested = installed.try_out(*calls, ("test", f"{PROJECT}/tests"))
    for (_, printed), said in zip(EXAMPLES, shown, strict=False):
        code = 2 if printed.startswith("skerry: ") else 0
        pattern = ".*".join(map(re.escape, printed.strip("\n").split("...")))
        assert re.fullmatch(rf"{pattern}\n+ends with {code}", said.strip("\n"), re.DOTALL), said
    assert re.search(r"\b1\d passed", tested), tested


@pytest.mark.soak
def test_engines_reports_and_batches_take_the_game_in(installed: Installation) -> None:
    """Search, levels, matches, reports, puzzles, batches on CPU and GPU, and clusters."""
    analysed, played, reported, proven, served, batched = installed.try_out(
        ("command", f"analyse noughts {SMALL} --simulations 2000 --position 'xx1/o1o/3 o'"),
        ("command", f"match noughts random level:2 {SMALL} --games 4 --json --out match"),
        ("command", f"report noughts {SMALL} {BUDGET} --out report"),
        ("command", "puzzles check noughts"),
        ("serve",),
        ("batch",),
    )
    assert re.search(r"^b2 .*\+1\.00", analysed, re.MULTILINE), analysed
    assert json.loads(played.partition("ends with")[0])
    assert "ends with 0" in reported
    assert (installed.root / "report" / "report.html").is_file(), reported
    assert "noughts: 1 puzzles proven" in proven
    assert "Solved. Noughts wins." in served
    assert served.count("No.") == 1
    assert batched == "[1, 1, 1, 1]\nskerry skerry_noughts\n"
    on_gpu = (str(SUPPORT / "on_gpu.py"), "0", "3", "5", "noughts")
    assert installed.run("-W", "ignore", *on_gpu, NUMBA_ENABLE_CUDASIM="1") == "noughts agrees\n"


def test_set_up_names_what_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:`|^)make ([a-z]+)", GUIDE, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for path in re.findall(r"\b(?:src|tests|docs)/[\w/]+(?:\.\w+)?", GUIDE):
        new = any(step.endswith(path) for step in STEPS)
        assert new or path == "src/skerry/games/noughts.py" or (ROOT / path).exists(), path
    for target in re.findall(r"\]\(([\w/]+\.md)\)", GUIDE):
        assert (ROOT / target).exists(), target
