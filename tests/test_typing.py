"""Whoever uses skerry with a type checker is told of a name that is misspelt."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# Lines that end with a mark are wrong; a checker must say so, and nothing of the others.
CLIENT = """\
import skerry
from skerry.rl import BatchEnv
from skerry.rl import BatchEnf  # wrong

game: skerry.Game = skerry.make(skerry.GAMES[0], side=3)
state: skerry.State = game.initial()
move: skerry.Move = skerry.player("random").choose(state)
found: skerry.Analysis = skerry.analyse(state.play(move), simulations=10)
env: BatchEnv = skerry.rl.BatchEnv(game, 4)
position: str = env.state(0).position

skerry.analize(state)  # wrong
skerry.rl.BatchEnw(game, 4)  # wrong
skerry.gymnasium  # wrong
game.inital()  # wrong
env.rest(1)  # wrong
found.bst  # wrong
seat: str = state.to_move  # wrong
"""
WRONG = {n for n, line in enumerate(CLIENT.splitlines(), 1) if line.endswith("# wrong")}


@pytest.fixture
def client(tmp_path: Path) -> Path:
    path = tmp_path / "client.py"
    path.write_text(CLIENT, encoding="utf-8")
    return path


def check(*arguments: str, cwd: Path) -> str:
    """What a type checker says that finds wrong lines."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=cwd,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def test_mypy_finds_misspelt_names(client: Path) -> None:
    cache = ROOT / ".mypy_cache" / "client"  # a folder of its own, which the next run finds
    said = check(
        "mypy", "--strict", "--config-file=", f"--cache-dir={cache}", client.name, cwd=client.parent
    )
    assert {int(n) for n in re.findall(r"^client\.py:(\d+): error", said, re.MULTILINE)} == WRONG


@pytest.mark.soak
def test_pyright_finds_misspelt_names(client: Path) -> None:
    settings = {"extraPaths": [str(ROOT / "src")], "typeCheckingMode": "standard"}
    (client.parent / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    said = check("basedpyright", "--outputjson", client.name, cwd=client.parent)
    errors = [
        each for each in json.loads(said)["generalDiagnostics"] if each["severity"] == "error"
    ]
    assert {each["range"]["start"]["line"] + 1 for each in errors} == WRONG


def test_no_module_answers_to_any_name() -> None:
    """A function ``__getattr__`` that checkers see makes every name of a module an Any."""
    found = [
        path.relative_to(ROOT)
        for path in sorted((ROOT / "src").rglob("*.py"))
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name == "__getattr__"
    ]
    assert found == []
