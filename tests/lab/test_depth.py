"""Depth: the steps of skill from random play to the best, measured and told."""

import json
import re
from dataclasses import replace
from math import hypot
from pathlib import Path

import pytest

import skerry
from skerry.core.errors import OptionsError
from skerry.games import GAMES, kind
from skerry.lab.depth import (
    STEP,
    Depth,
    Rung,
    measure_depth,
    plan_ladder,
    read_depth,
    shipped_depths,
)
from skerry.lab.stats.results import Played
from support.running import run
from support.scripts import load_script

SMALL = skerry.make("skew", side=2, pegs=2)
STRENGTH = Path(__file__).parents[2] / "docs" / "lab" / "strength.md"
tool = load_script("depth")


def results(share: float, pairs: list[tuple[str, str]], games: int = 100) -> list[list[object]]:
    """Blocks in which the first of every pair wins this share, on both seats."""
    found: list[list[object]] = []
    for player, other in pairs:
        won = round(share * games)
        blocks = []
        for number in range(games):
            winner = (1.0, -1.0) if number < won else (-1.0, 1.0)
            first = Played((player, other), winner)
            second = Played((other, player), winner[::-1])
            blocks.append((first, second))
        found.append(list(blocks))
    return found


def test_a_step_is_what_wins_sixty_of_a_hundred() -> None:
    assert pytest.approx(70.437, abs=0.001) == STEP
    assert pytest.approx(0.6) == 1 / (1 + 10 ** (-STEP / 400))
    players = ("random", "level:1", "level:2")
    ladder = plan_ladder(SMALL, players, 100)
    assert [match.players for match in ladder.pairings] == [
        ("level:1", "random"), ("level:2", "random"), ("level:1", "level:2"),
    ]  # fmt: skip
    won = results(0.6, [("level:1", "random"), ("level:2", "level:1")])
    depth = measure_depth(ladder, won, "a command")  # type: ignore[arg-type]  # of one pair less
    assert [rung.player for rung in depth.rungs] == list(players)
    assert depth.steps.value == pytest.approx(2, abs=0.05)
    assert depth.steps.low < 2 < depth.steps.high
    assert depth.rungs[0].margin == 0
    assert depth.games == 400
    with pytest.raises(OptionsError, match="at least 2 players"):
        plan_ladder(SMALL, ["random"])


@pytest.mark.usefixtures("in_this_process")
def test_the_command_measures_a_board_and_resumes(tmp_path: Path) -> None:
    asked = ["depth", "skew", "-o", "side=2", "-o", "pegs=2", "--jobs", "1", "--games", "4"]
    asked += ["--players", "random", "--players", "mcts:simulations=30", "--out", str(tmp_path)]
    printed = run(*asked)
    assert printed.exit_code == 0, printed.output
    assert re.search(r"[\d.-]+ ± [\d.]+ steps of 60 % from .* by 4 games", printed.stdout)
    told = json.loads(run(*asked, "--json").stdout)
    kept = json.loads((tmp_path / "depth.json").read_text("utf-8"))
    assert told == kept
    depth = read_depth(kept, "it")
    assert depth.options == SMALL.options
    assert depth.command.startswith("skerry depth skew -o side=2 -o pegs=2 --players random")
    for wrong in ({}, {"format": "other"}, {**kept, "rungs": [{}]}):
        with pytest.raises(OptionsError, match="tells nothing of how deep a game is"):
            read_depth(wrong, "it")


def test_usual_boards_are_as_deep_as_the_ladder_of_levels_says() -> None:
    text = STRENGTH.read_text("utf-8")
    rows = {
        row: re.findall(r"([+-]\d+) ± (\d+)", re.search(rf"^\| {row} \|.*±.*$", text, re.M)[0])  # type: ignore[index]
        for row in ("9", "random")
    }
    usual = {
        each.game: each for each in shipped_depths() if each.options == kind(each.game)().options
    }
    for number, name in enumerate(GAMES):
        (best, above), (worst, below) = (
            tuple(map(int, rows[row][number])) for row in ("9", "random")
        )
        if usual[name].command.startswith("skerry tournament"):
            assert usual[name].elo.value == best - worst
            assert usual[name].elo.margin == pytest.approx(hypot(above, below), abs=1)


def test_the_table_is_that_of_the_package() -> None:
    kept = tool.read_kept(tool.KEPT.read_text("utf-8"))
    page = tool.PAGE.read_text("utf-8")
    assert tool.write(page, kept) == page, "run: python tools/depth.py"
    assert tool.write_all(kept) == tool.KEPT.read_text("utf-8")
    small = Depth("skirt", {"side": 2}, (Rung("random", 0, 0), Rung("level:9", 704, 70)), 9, "it")
    more = tool.take(kept, small)
    assert [each.game for each in more].count("skirt") == 1 + [e.game for e in kept].count("skirt")
    assert tool.take(more, replace(small, games=10)) != more
    assert len(tool.take(more, replace(small, games=10))) == len(more)
    assert "| Skirt, side 2 | 10.0 ± 1.0 | 704 ± 70 | level 9 | 9 |" in tool.write(page, more)
