"""Nets on the command line: those that come along, one's own, and none."""

import json
from pathlib import Path

import pytest

import skerry
from skerry.nets.file import write_net
from skerry.nets.shipped import shipped_net
from skerry.search.engine import best_net, choose_net
from support.nets import random_net
from support.running import run

SMALL = ["x", "-o", "size=3"]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "mine.net"
    write_net(path, random_net(skerry.make("x", size=3)))
    return path


def analyse(*arguments: str) -> dict[str, object]:
    result = run("analyse", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, object] = json.loads(result.stdout)
    return found


def test_a_net_of_ones_own_analyses(file: Path) -> None:
    mine = analyse(*SMALL, "--net", str(file), "--simulations", "60")
    again = analyse(*SMALL, "--net", str(file), "--simulations", "60")
    without = analyse(*SMALL, "--net", "none", "--simulations", "60")
    for found in (mine, again, without):
        assert found["simulations"] == 60
        del found["seconds"]
    assert mine == again != without


def test_a_net_of_ones_own_plays_and_reviews(file: Path, tmp_path: Path) -> None:
    saved = tmp_path / "game.skr"
    seats = [f"--seat1=net:file={file},looks=1", "--seat2=random", "--seat3=random"]
    assert run("play", *SMALL, "--seed", "1", *seats, "--save", str(saved)).exit_code == 0
    told = run("analyse", "--record", str(saved), "--net", str(file), "--simulations", "30")
    assert told.exit_code == 0
    matched = run(
        "match", *SMALL, f"net:file={file},looks=1", "random", "--games", "6", "--jobs", "1",
        "--out", str(tmp_path / "games"),
    )  # fmt: skip
    assert matched.exit_code == 0, matched.stderr
    assert "6 games" in matched.stdout


@pytest.mark.parametrize("command", [["analyse", *SMALL], ["play", *SMALL]])
def test_what_is_no_net_is_refused_in_one_line(command: list[str], tmp_path: Path) -> None:
    broken = tmp_path / "broken.net"
    broken.write_bytes(b"skerry-net-2\n and then nothing")
    name = ["--net", str(broken)] if command[0] == "analyse" else [f"--seat1=net:file={broken}"]
    result = run(*command, *name)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == f"skerry: {broken} is damaged"


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_net_guides_where_it_has_shown_that_it_is_stronger(name: str) -> None:
    game = skerry.make(name)
    shown = shipped_net(game).card["strength"]
    assert shown["games"] >= 10
    assert (choose_net(None, game) is not None) == (shown["elo_low"] > 0)
    assert choose_net("none", game) is None
    assert best_net(skerry.make(name, **game.sizes[2])) is best_net(game)
