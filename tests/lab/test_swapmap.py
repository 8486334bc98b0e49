"""Swap maps: every first move in its band, on the board and in a table."""

import json
import re
from pathlib import Path

import pytest

import skerry
from skerry.lab.beginnings import (
    CLOSE,
    KEEP,
    SWAP,
    Beginnings,
    FirstMoveWorth,
    write_beginnings,
)
from skerry.lab.openings.books import Books
from skerry.lab.openings.swapmap import (
    LETTERS,
    count_bands,
    describe_first_moves,
    draw_swap_map,
    list_best,
    rate_choice,
)
from support.books import SKEW, SKIRT, judge, skew_book, skirt_book
from support.running import run

BOOK = skew_book()
X = skerry.make("x", size=4)
BOARD = ["-o", "side=3", "-o", "pegs=4"]


def three_book() -> Beginnings:
    """What is made up of two first moves in a game of three."""
    moves = (
        FirstMoveWorth("b2", ("b2", "c3"), (5, 10), (judge(0.36, 0.33, 0.31),)),
        FirstMoveWorth("a1", ("a1", "d4"), (0, 15), (judge(0.30, 0.35, 0.35),)),
    )
    return Beginnings("x", X.options, moves, (), {})


def values(svg: str) -> list[str]:
    """What stands upon cells."""
    group = re.search(r'<g class="values".*?</g>', svg, re.DOTALL)
    assert group is not None
    return re.findall(r'href="#glyph-[0-9]+-(.)"', group.group())


def test_the_chooser_takes_the_better_seat() -> None:
    found = {move.move: rate_choice(move) for move in BOOK.first_moves}
    bands = {move.move: move.band() for move in BOOK.first_moves}
    assert set(bands.values()) == {KEEP, CLOSE, SWAP}
    for move, elo in found.items():
        assert elo.value >= 0
        assert (elo.low <= 0) == (bands[move] == CLOSE)
    # A third of the points and two thirds are the same to whoever chooses.
    ends = [found[move] for move, band in bands.items() if band != CLOSE]
    assert ends[0].value == pytest.approx(ends[-1].value)
    assert ends[0].value == pytest.approx(120.4, abs=0.1)


def test_a_table_has_the_fairest_first_and_all_evidence() -> None:
    found = describe_first_moves(BOOK)
    assert [column["simulations"] for column in found["columns"]] == [8, 32, 128]
    first, *_, last = found["moves"]
    assert first["band"] == CLOSE
    assert last["band"] != CLOSE
    assert all(len(move["shares"]) == 3 for move in found["moves"])
    counted = sum(1 + len(move["images"]) for move in found["moves"])
    assert counted == len(SKEW.initial().legal_moves()) == sum(count_bands(BOOK).values())
    three = describe_first_moves(three_book())["moves"]
    assert [move["move"] for move in three] == ["b2", "a1"]
    assert three[0]["elo"] is three[0]["band"] is None


def test_a_map_shows_bands_by_letters_and_rings() -> None:
    book = skirt_book()
    best = list_best(book)
    svg = draw_swap_map(SKIRT, book, "light")
    assert sorted(values(svg)) == sorted(LETTERS[move.band()] for move in best.values())
    close = sum(move.band() == CLOSE for move in best.values())
    assert svg.count('class="mark counts"') == close > 0
    assert sorted(values(draw_swap_map(X, three_book(), "dark"))) == list("00333366")


def test_the_best_move_of_a_cell_counts() -> None:
    poor = FirstMoveWorth("b2-e", ("b2-e",), (4,), (judge(0.2, 0.8),))
    good = FirstMoveWorth("b2-ne", ("b2-ne",), (4,), (judge(0.7, 0.3),))
    for order in ((poor, good), (good, poor)):
        assert list_best(Beginnings("skew", SKEW.options, order, (), {})) == {4: good}


def test_the_command_line_lists_them(tmp_path: Path) -> None:
    write_beginnings(tmp_path / "beginnings.json", BOOK)
    asked = ["openings", "skew", *BOARD, "--first-moves", "--data", str(tmp_path)]
    printed = run(*asked).stdout.splitlines()
    assert printed[0].startswith("What First has of 100 points")
    assert re.search(r"^\S+ \(\+\d+\) +(keep|swap) +120 \(\d+ to \d+\)", printed[-1])
    told = json.loads(run(*asked, "--json").stdout)
    read = Books(str(tmp_path)).find(SKEW)
    assert read is not None
    assert told["moves"] == describe_first_moves(read)["moves"]
    refused = run("openings", "skirt", "-o", "side=4", "--first-moves", "--data", str(tmp_path))
    assert refused.exit_code != 0
    assert "first moves of Skirt are not known on this board" in refused.output
