"""A game of another distribution on a real cluster: played there, and only if all have the same."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.distributions import install
from support.fifth import PACKAGE, PROJECT, write_package
from support.nodes import Nodes, start_nodes
from support.running import complaints

POINTS = f"[skerry.games]\nnoughts = {PACKAGE}:Noughts\n"
MATCH = ["match", "noughts", "random", "mcts:simulations=50", "-o", "side=3", "-o", "line=3"]

pytestmark = pytest.mark.soak


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where the game is installed."""
    found = write_package(tmp_path)
    install(found, PROJECT, POINTS, {})
    return found


@pytest.fixture
def foreign_nodes(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Nodes]:
    """A cluster that has it too; a node finds what we find when it is started."""
    monkeypatch.syspath_prepend(place)
    with start_nodes() as nodes:
        yield nodes


def command(place: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """A command of skerry where the game is installed in a place."""
    paths = [str(place), *(path for path in sys.path if path and PROJECT not in path)]
    return subprocess.run(
        [sys.executable, "-m", "skerry.cli", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_foreign_game_is_played_on_a_cluster(
    place: Path, foreign_nodes: Nodes, tmp_path: Path
) -> None:
    arguments = [*MATCH, "--games", "6", "--json", "--out"]
    here = command(place, *arguments, str(tmp_path / "here"), "--jobs", "1")
    assert here.returncode == 0, here.stderr
    cluster = ["--ray", foreign_nodes.address]
    there = command(place, *arguments, str(tmp_path / "there"), *cluster)
    assert there.returncode == 0, there.stderr
    assert there.stdout == here.stdout
    games = [
        {file.name: file.read_text("utf-8") for file in (tmp_path / folder).glob("*.skr")}
        for folder in ("here", "there")
    ]
    assert games[0] == games[1]
    assert games[0]

    # Whoever has other rules under the same name is told, and nothing is played.
    other = tmp_path / "other" / PROJECT
    shutil.copytree(place, other)
    source = other / PACKAGE / "__init__.py"
    source.write_text(source.read_text("utf-8") + "\n# another version\n", encoding="utf-8")
    refused = command(other, *arguments, str(tmp_path / "refused"), *cluster)
    assert refused.returncode == 2, refused.stdout
    (line,) = complaints(refused.stderr)
    assert f"another version of {PACKAGE}" in line
    assert not list(tmp_path.glob("refused/*.skr"))
