"""What pages say about levels is what the documents say that matches have shown."""

import re
from pathlib import Path

import pytest

from skerry.games import GAMES, kind
from skerry.search.players import LEVELS
from skerry.search.strengths import NAMES, MeasuredElo, summarise_levels

PAGE = Path(__file__).parents[2] / "docs" / "lab" / "strength.md"
HEAD = re.compile(r"^\| level \| (.*) \|$", re.MULTILINE)
ROW = re.compile(r"^\| (10|[1-9]) \| (.*) \|$", re.MULTILINE)
MEASURED = re.compile(r"(above )?\+?(\d+)(?: ± (\d+))?")


def read_table() -> dict[str, dict[int, MeasuredElo]]:
    """The table of the page, by the titles of games and by level."""
    text = PAGE.read_text(encoding="utf-8")
    head = HEAD.search(text)
    assert head is not None
    titles = head[1].split(" | ")
    table: dict[str, dict[int, MeasuredElo]] = {title: {} for title in titles}
    for level, cells in ROW.findall(text):
        for title, cell in zip(titles, cells.split(" | "), strict=True):
            found = MEASURED.fullmatch(cell)
            assert found is not None, cell
            margin = None if found[1] else int(found[3] or 0)
            table[title][int(level)] = MeasuredElo(int(found[2]), margin)
    return table


@pytest.mark.parametrize("name", GAMES)
def test_levels_are_as_strong_as_the_documents_say(name: str) -> None:
    shown = {summary.level: summary.strength for summary in summarise_levels(name)}
    assert shown == read_table()[kind(name).title]


def test_every_level_has_a_name_of_its_own() -> None:
    assert len(set(NAMES)) == len(LEVELS)
    assert [summary.name for summary in summarise_levels("skew", 3)] == list(NAMES[:3])


def test_a_strength_is_said_in_words() -> None:
    said = [str(summary.strength) for summary in summarise_levels("skirt")]
    assert (said[0], said[1], said[-1]) == ("0 Elo", "+382 Elo", "above +1995 Elo")


def test_only_the_last_level_takes_its_time() -> None:
    thinking = [summary.thinking for summary in summarise_levels("x")]
    assert thinking == ["Moves at once"] * 9 + ["Thinks for 2 s a move"]


def test_a_game_that_was_never_measured_has_levels_all_the_same() -> None:
    assert [summary.strength for summary in summarise_levels("noughts")] == [None] * 10
