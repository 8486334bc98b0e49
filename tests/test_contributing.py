"""CONTRIBUTING.md is true: its fifth game is added to a copy of the project, where it works."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
STEPS = re.findall(r"^\*\*`(\S+)`\*\*\n\n```(\w+)\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
NEW_SOURCES = [path for path, kind, _ in STEPS if kind == "python"]
SAMPLES = re.findall(r"(?<!`\*\*\n)\n```python\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
CONSOLES = re.findall(r"^```console\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
EXAMPLES = [
    example.partition("\n")[::2] for block in CONSOLES for example in block.split("$ skerry ")[1:]
]
FOLDERS = ("src", "tests", "docs", "tools")
# Left behind: what is made anew, and this test.
LEFT_BEHIND = shutil.ignore_patterns("__pycache__", "*.egg-info", Path(__file__).name)

# The pictures and property tests of the new game only: the others have theirs in the original.
ONLY_NOUGHTS = {
    "tools/pictures.py": 'PAGES = [page for page in PAGES if page.stem == "noughts"]\n',
    "tests/support/strategies.py": 'GAMES = [game for game in GAMES if game.name == "noughts"]\n',
}
PROPERTIES = (
    "test_position_text_is_lossless",
    "test_notation_round_trips",
    "test_rules_commute_with_symmetries",
    "test_sampling_is_uniform",
    "test_playouts_match_play_move_by_move[skerry.make('noughts', side=3, line=3)]",
)
END = "\f\n"
# All commands in one process, since each would load the rules anew.
RUN = f"""
import shlex, sys
from skerry.cli import main

for command in sys.argv[1:]:
    sys.argv = ["skerry", *shlex.split(command)]
    try:
        main()
    except SystemExit as end:
        code = end.code or 0
    print("ends with", code, end={END!r}, flush=True)
"""
FIRST = ("tests/test_completeness.py", "tests/games/test_noughts_clauses.py")
TESTS = (
    *FIRST,
    "tests/test_docs.py",
    "tests/games/test_reference.py",
    "tests/render",
    *(f"tests/games/test_properties.py::{name}" for name in PROPERTIES),
)


def patch(text: str, diff: str) -> str:
    """The text with the hunks of a diff applied; each has to fit exactly one place."""
    for hunk in re.split(r"^@@\n", diff, flags=re.MULTILINE):
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] != "+")
        after = "".join(line[1:] for line in lines if line[0] != "-")
        assert text.count(before) == 1, f"CONTRIBUTING.md changes lines that are not there: {hunk}"
        text = text.replace(before, after)
    return text


class Copy:
    """The project with the steps of the guide carried out."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in FOLDERS:
            shutil.copytree(ROOT / folder, root / folder, ignore=LEFT_BEHIND)
        for path in ROOT.iterdir():
            if path.is_file():
                shutil.copy(path, root)
        for path, kind, content in STEPS:
            target = root / path
            assert target.exists() == (kind == "diff"), path
            old = target.read_text(encoding="utf-8") if kind == "diff" else ""
            target.write_text(patch(old, content) if kind == "diff" else content, encoding="utf-8")
        for path, line in ONLY_NOUGHTS.items():
            with (root / path).open("a", encoding="utf-8") as file:
                file.write(f"\n{line}")

    def run(self, *arguments: str, code: int = 0) -> str:
        """What a Python command prints there. Its kernels are its own, since its sources are."""
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
        }
        environment |= {
            "PYTHONPATH": os.pathsep.join(str(self.root / name) for name in ("src", "tools")),
            "PYTHONIOENCODING": "utf-8",
        }
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=environment,
            encoding="utf-8",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.returncode == code, done.stdout
        return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("fifth"))


def test_the_new_sources_are_in_house_style(copy: Copy) -> None:
    copy.run("-m", "ruff", "check", "--no-cache", *NEW_SOURCES)
    copy.run("-m", "ruff", "format", "--no-cache", "--check", "--diff", *NEW_SOURCES)


def count_passed(copy: Copy, *tests: str) -> int:
    shown = copy.run("-m", "pytest", "-k", "noughts or properties", *tests)
    passed = re.search(r"(\d+) passed", shown)
    assert passed is not None, shown
    return int(passed[1])


def test_nothing_of_the_game_is_missing(copy: Copy) -> None:
    """Completeness and clauses."""
    assert count_passed(copy, *FIRST) >= 15


@pytest.mark.soak
def test_the_tests_take_the_game_in(copy: Copy) -> None:
    """Reference, perft, playouts, properties and pictures, too."""
    copy.run("-c", "import pictures; pictures.main()")
    assert count_passed(copy, *TESTS) >= 40


def test_samples_run(copy: Copy) -> None:
    """The library plays, draws and records the game."""
    assert SAMPLES
    for sample in SAMPLES:
        copy.run("-c", sample)


def test_commands_print_what_the_guide_says(copy: Copy) -> None:
    assert EXAMPLES
    commands = [command for command, _ in EXAMPLES]
    everything = re.sub(
        r"^compiling the rules .*\n", "", copy.run("-c", RUN, *commands), flags=re.M
    )
    for (_, printed), shown in zip(EXAMPLES, everything.split(END)[:-1], strict=True):
        code = 2 if printed.startswith("skerry: ") else 0
        pattern = ".*".join(map(re.escape, printed.strip("\n").split("...")))
        assert re.fullmatch(rf"{pattern}\n+ends with {code}", shown.strip("\n"), re.DOTALL), shown


def test_set_up_names_what_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:`|^)make ([a-z]+)", GUIDE, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    new = {path for path, kind, _ in STEPS if kind != "diff"}
    for path in re.findall(r"\b(?:src|tests|docs)/[\w/]+(?:\.\w+)?", GUIDE):
        assert path in new or (ROOT / path).exists(), path
    for target in re.findall(r"\]\(([\w/]+\.md)\)", GUIDE):
        assert target == "noughts.md" or (ROOT / target).exists(), target
