"""The notebooks of examples/ run, in the shortened form that their cells carry for this."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "examples"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SLOW = ("train",)  # starts torch in a process of its own


def run_cell(source: str, names: dict[str, Any], place: str) -> object:
    """Run a cell as a notebook does; what its last line comes to."""
    tree = ast.parse(source, place)
    last = tree.body[-1]
    shown = tree.body.pop() if isinstance(last, ast.Expr) else None
    exec(compile(tree, place, "exec"), names)  # noqa: S102  # our own notebooks
    if not isinstance(shown, ast.Expr):
        return None
    return eval(compile(ast.Expression(shown.value), place, "eval"), names)  # noqa: S307


def show(value: object) -> None:
    """Ask for what a notebook would show of a value."""
    repr(value)
    if hasattr(value, "_repr_svg_"):
        assert value._repr_svg_().startswith("<svg")


def read(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return cells


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.soak] * (path.stem in SLOW))
        for path in NOTEBOOKS
    ],
)
def test_a_notebook_runs(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(read(path)):
        if cell["cell_type"] == "code":
            source = cell["metadata"].get("short") or "".join(cell["source"])
            show(run_cell(source, names, f"{path.name}[{number}]"))
    assert capsys.readouterr().out


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_tidy(path: Path) -> None:
    """No outputs of somebody's machine, and short forms that set the names of the long ones."""
    cells = read(path)
    assert cells[0]["cell_type"] == "markdown"
    for cell in (cell for cell in cells if cell["cell_type"] == "code"):
        assert (cell["outputs"], cell["execution_count"]) == ([], None)
        short = cell["metadata"].get("short")
        if short is not None:
            forms = ("".join(cell["source"]), short)
            long_names, short_names = (
                [target.id for node in ast.parse(form).body for target in node.targets]
                for form in forms
            )
            assert long_names == short_names
