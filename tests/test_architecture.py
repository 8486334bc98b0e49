"""The docs say how the code is arranged, and the code is arranged so."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from skerry.core import rules
from skerry.core.game import ROOMS
from skerry.core.kernels import IMPLEMENTATIONS

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src" / "skerry"
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
DESIGN = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LONGEST_MODULE, LONGEST_SCRIPT, FULLEST_FOLDER = 400, 300, 20


def layers() -> list[set[str]]:
    """What the import contract says, from the top down."""
    (contract,) = (
        contract
        for contract in PROJECT["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers" and "skerry.core" in contract["layers"]
    )
    return [set(re.findall(r"skerry\.(\w+)", layer)) for layer in contract["layers"]]


def test_contributing_lists_all_layers_in_their_order() -> None:
    rows = re.findall(r"^\| (`src/skerry/.*?) \|", CONTRIBUTING, re.MULTILINE)
    assert [set(re.findall(r"src/skerry/(\w+)", row)) for row in rows] == layers()


def test_design_lists_all_layers_in_their_order() -> None:
    drawn = re.search(r"## Layers.*?```\n(.*?)```", DESIGN, re.DOTALL)
    assert drawn is not None
    rows = [set(re.findall(r"\b(\w+)/ ", line)) for line in drawn[1].splitlines()]
    assert [row for row in rows if row] == layers()


def test_every_package_is_in_a_layer() -> None:
    packages = {path.parent.name for path in SOURCES.glob("*/__init__.py")}
    assert packages == set().union(*layers())


def test_contributing_lists_all_generics_and_rooms() -> None:
    table = re.search(r"\| generic \|.*?\n\n", CONTRIBUTING, re.DOTALL)
    assert table is not None
    listed = re.findall(r"^\| `(\w+)` \|", table[0], re.MULTILINE)
    declared = {
        generic.__name__ for generic in IMPLEMENTATIONS if generic.__module__ == rules.__name__
    }
    assert sorted(listed) == sorted(declared)
    rooms = re.findall(r"^\| `(\w+)\.py` \|", CONTRIBUTING, re.MULTILINE)
    assert sorted(rooms) == sorted(ROOMS)


def test_design_names_files_and_functions_that_exist() -> None:
    """The walks through the code: ``file.py: function``."""
    named = re.findall(r"`([\w/]+\.py)`: `([\w.]+)`", DESIGN)
    assert len(named) > 20
    for file, name in named:
        source = (SOURCES / file).read_text(encoding="utf-8")
        for part in name.split("."):
            assert re.search(rf"(def|class) {part}\b", source), f"{file} has no {part}"


@pytest.mark.parametrize(
    ("code", "path"),
    [
        ("import map; print(map.write(), end='')", "docs/map.md"),
        (
            "import styles; print(styles.write_sheet(), end='')",
            "src/skerry/server/static/styles/boards.css",
        ),
    ],
)
def test_what_is_made_by_tools_is_up_to_date(code: str, path: str) -> None:
    written = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT / "tools",
        encoding="utf-8",
        capture_output=True,
        check=True,
    ).stdout
    tool = code.removeprefix("import ").partition(";")[0]
    assert (ROOT / path).read_text(encoding="utf-8") == written, f"run tools/{tool}.py"


def test_nothing_is_too_large() -> None:
    """Where a file or a folder outgrows these, it holds more than one idea."""
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in SOURCES.rglob("*.py")}
    assert {path for path, length in lengths.items() if length > LONGEST_MODULE} == set()
    scripts = {path: len(path.read_text("utf-8").splitlines()) for path in SOURCES.rglob("*.js")}
    assert {path for path, length in scripts.items() if length > LONGEST_SCRIPT} == set()
    for folder in {path.parent for path in lengths}:
        modules = [path for path in folder.glob("*.py") if path.stem != "__init__"]
        assert len(modules) <= FULLEST_FOLDER, folder


def test_a_class_name_is_used_once() -> None:
    """One idea per word; those that stay have a reason."""
    found: dict[str, list[str]] = {}
    for path in sorted(SOURCES.rglob("*.py")):
        for name in re.findall(r"^class _*(\w+)", path.read_text("utf-8"), re.MULTILINE):
            found.setdefault(name, []).append(path.relative_to(SOURCES).as_posix())
    twice = {name: places for name, places in found.items() if len(places) > 1}
    assert twice.keys() == NAMED_TWICE.keys(), twice


NAMED_TWICE = {
    "Ply": "an action in a record, with what is said about it; and on a table, with its time",
}
