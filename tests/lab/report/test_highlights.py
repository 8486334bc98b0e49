"""What is told first: who is favoured, how long a game takes, how much skill counts."""

from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from skerry.lab.report.page.highlights import (
    Headline,
    answer_first,
    average_skill,
    choose_tiles,
    describe_players,
)
from skerry.lab.report.page.paints import Paints
from skerry.lab.report.page.texts import say_board, say_players
from skerry.lab.report.result.findings import Report, Skill
from skerry.lab.stats.figures import Figure
from support.measured import measure_small

SPREAD = ((28, 10), (46, 70), (76, 20))


def around(value: float, margin: float = 0.04, n: int = 100) -> Figure:
    return Figure(value, value - margin, value + margin, n)


def make_report(
    won: Sequence[float] = (0.46, 0.54),
    lengths: tuple[tuple[int, int], ...] = SPREAD,
    skill: Sequence[float] = (0.95, 0.75, 0.83),
    games: int = 100,
) -> Report:
    """A report of random and three levels, of which the upper two are strong."""
    small = measure_small("skirt" if len(won) == 2 else "x")
    mean = sum(ply * count for ply, count in lengths) / sum(count for _, count in lengths)
    told = replace(
        small.strengths[0],
        games=games,
        won=tuple(map(around, won)),
        length=around(mean, 1.0),
        lengths=lengths,
    )
    players = ("random", "level:1", "level:2", "level:3")
    return replace(
        small,
        middle="level:2",
        strengths=tuple(replace(told, player=player) for player in players),
        skill=tuple(
            Skill(better, worse, 100, around(value))
            for worse, better, value in zip(players, players[1:], skill, strict=False)
        ),
    )


def tell(report: Report) -> list[Headline]:
    return answer_first(report, Paints())


@pytest.mark.parametrize(
    ("won", "answer"),
    [
        ((0.25, 0.75), "Black, strongly"),
        ((0.58, 0.42), "White, clearly"),
        ((0.46, 0.54), "Black, slightly"),
        ((0.48, 0.52), "Nobody clearly"),
        ((0.44, 0.25, 0.31), "Red, clearly"),
        ((0.34, 0.34, 0.32), "Nobody clearly"),
    ],
)
def test_who_is_favoured(won: tuple[float, ...], answer: str) -> None:
    assert tell(make_report(won))[0].answer == answer


def test_answers_say_how_sure_they_are() -> None:
    favoured, length, skill = tell(make_report())
    assert favoured.note == "White 46 % and Black 54 % of the points, each ± 3"
    assert (length.answer, length.note) == ("50 moves", "from 28 to 76, all sides together")
    assert skill.answer == "The better wins 79 %"
    assert skill.note == "of the points, against the next weaker level, ± 3; 75 to 83 by level"


def test_a_length_that_is_always_the_same_has_no_picture() -> None:
    length = tell(make_report(lengths=((48, 100),)))[1]
    assert (length.answer, length.svg) == ("48 moves", "")


def test_small_pictures_show_the_shares() -> None:
    favoured, length, skill = (
        ElementTree.fromstring(headline.svg)  # noqa: S314  our own drawing
        for headline in tell(make_report())
    )
    white, black = (float(bar.get("width", 0)) for bar in favoured.iter("rect"))
    assert white / (white + black) == pytest.approx(0.46, abs=0.002)
    track, part = (float(bar.get("width", 0)) for bar in skill.iter("rect"))
    assert part / track == pytest.approx(0.79, abs=0.002)
    few, many, some = (float(bar.get("height", 0)) for bar in length.iter("rect"))
    assert many == pytest.approx(7 * few, abs=0.5)
    assert some == pytest.approx(2 * few, abs=0.3)


def test_few_games_favour_nobody() -> None:
    assert tell(make_report((0.25, 0.75), games=5))[0].answer == "Nobody clearly"


def test_nothing_is_told_of_nothing() -> None:
    empty = replace(make_report(), strengths=(), skill=(), drama=None)
    assert tell(empty) == []
    assert choose_tiles(empty) == []


def test_random_players_do_not_count_as_a_level() -> None:
    assert tell(make_report(skill=(0.95, 0.6)))[2].answer == "The better wins 60 %"
    assert tell(make_report(skill=(0.95,)))[2].answer == "The better wins 95 %"
    assert len(tell(make_report(skill=()))) == 2


def test_levels_count_alike_however_often_they_played() -> None:
    often, seldom = around(0.6, 0.1, 900), around(0.8, 0.1, 1)
    found = average_skill([Skill("b", "a", 900, often), Skill("c", "b", 1, seldom)])
    assert found.value == pytest.approx(0.7)
    assert found.margin == pytest.approx(0.1 / 2**0.5)


def test_players_are_named() -> None:
    assert describe_players(make_report()) == (
        "Players: random and levels 1 to 3; these answers are about levels 2 and 3."
    )
    assert describe_players(replace(make_report(), middle="random")) == (
        "Players: random and levels 1 to 3."
    )
    assert say_players(["level:3"]) == "level 3"
    assert say_players(["random", "level:1", "level:4"]) == "random and levels 1 and 4"
    assert say_players(["random", "net"]) == "random and net"


def test_boards_are_named_by_their_size() -> None:
    assert say_board({"side": 5, "pegs": 24}) == "side 5"
    assert say_board({"width": 8, "height": 10, "gods": 5}) == "8x10"
