"""Mining: the same seed finds the same puzzles, and what it finds is proven."""

from collections import Counter

import pytest

import skerry
from skerry.core.errors import OptionsError
from skerry.study.mining import mine
from support.forced_wins import find_winning_turns, forces

SKAANE = {"width": 4, "height": 6, "gods": 2, "kings": 3, "serfs": 2, "suns": 1}


@pytest.mark.soak
def test_the_same_seed_finds_the_same_puzzles() -> None:
    game = skerry.make("skaane", **SKAANE)
    told: list[tuple[int, int]] = []
    puzzles = mine(game, 3, 3, lambda found, games: told.append((found, games)))
    assert mine(game, 3, 3) == puzzles
    assert mine(game, 4, 3) != puzzles
    assert Counter(puzzle.difficulty for puzzle in puzzles) == {1: 1, 2: 1, 3: 1}
    assert told[-1] == (3, max(puzzle.origin[0] for puzzle in puzzles))
    for puzzle in puzzles:
        assert find_winning_turns(puzzle.state, puzzle.turns) == [puzzle.line[0]]
        assert puzzle.turns == 1 or not forces(puzzle.state, puzzle.seat, puzzle.turns - 1)


def test_mining_ends_where_there_is_nothing_to_find() -> None:
    with pytest.raises(OptionsError, match=r"300 games gave 0 puzzles of 3, .*; ask for fewer"):
        mine(skerry.make("skew", side=2, pegs=1), 0, 3)
    with pytest.raises(OptionsError, match="count"):
        mine(skerry.make("x"), 0, 2)
