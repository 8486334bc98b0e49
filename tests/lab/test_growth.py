"""Strength against minutes of training: the table and the plot are those of what was measured."""

from dataclasses import replace

import pytest

import skerry
from skerry.games import GAMES
from skerry.lab.depth import Depth, Rung
from skerry.nets.shipped import shipped_net
from support.scripts import load_script

tool = load_script("growth")
EARLY = "net:file=any/folder/minute-0.6.net,simulations=16"
RUNGS = (
    Rung("random", 0.0, 0.0),
    Rung(EARLY, 300.0, 60.0),
    Rung("level:5", 700.0, 90.0),
    Rung("net:file=former/minute-37.8.net,simulations=16", 800.0, 110.0),
    Rung("net:simulations=16", 900.0, 120.0),
)
LADDER = Depth("x", skerry.make("x").options, RUNGS, 90, "a command")


def test_nets_of_a_ladder_stand_at_their_minutes() -> None:
    early, former, best = tool.list_stages(LADDER)
    assert (early.elo, early.margin, former.elo, best.elo) == (300, 60, 800, 900)
    for stage, name in ((early, "minute-0.6"), (best, "best")):
        card = shipped_net(skerry.make("x"), name).card
        assert stage.minutes == card["headway"]["minutes"]
    table = tool.write("<!-- table: growth -->\n", [LADDER])
    assert "| X | 0.60 | 4 blocks of 32 | +300 ± 60 | 90 |\n" in table
    assert "| X | 37.8 | 6 blocks of 64 | +800 ± 110 | 90 |\n" in table
    assert f"| X | {best.minutes:.1f} | 6 blocks of 64 | +900 ± 120 | 90 |\n" in table


def test_a_ladder_takes_the_place_of_the_former_one() -> None:
    kept = tool.read_kept(tool.KEPT.read_text("utf-8"))
    assert [each.game for each in kept] == list(GAMES)
    more = tool.take(kept, replace(LADDER, games=7))
    assert [each.game for each in more] == list(GAMES)
    assert [each.games for each in more if each.game == "x"] == [7]
    assert tool.read_kept(tool.write_all(more)) == more


def test_the_page_shows_what_was_measured() -> None:
    kept = tool.read_kept(tool.KEPT.read_text("utf-8"))
    page = tool.PAGE.read_text("utf-8")
    assert tool.write(page, kept) == page, "run: python tools/growth.py"
    for ladder in kept:
        assert len(tool.list_stages(ladder)) >= 2
        assert ladder.rungs[0] == Rung("random", 0, 0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_plot_is_that_of_what_was_measured(theme: str) -> None:
    kept = tool.read_kept(tool.KEPT.read_text("utf-8"))
    drawn = tool.place_picture(theme).read_text("utf-8")
    assert drawn == tool.draw(kept, theme) + "\n", "run: python tools/growth.py"
    assert f"images/{tool.place_picture(theme).name}" in tool.PAGE.read_text("utf-8")
    for name in GAMES:
        assert f">{skerry.make(name).title}</text>" in drawn
