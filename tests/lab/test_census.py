"""What a corpus says, checked game by game."""

from pathlib import Path

import pytest

import skerry
from skerry.lab.census import take_census
from skerry.lab.corpus import write_corpus
from support.corpora import random_corpus
from support.running import run


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_census_counts_what_games_show(name: str) -> None:
    corpus = random_corpus(skerry.make(name, **skerry.make(name).sizes[1]), 40)
    census = take_census(corpus)
    lasts = [list(corpus.replay(k))[-1] for k in range(len(corpus))]
    outcomes = [last.outcome for last in lasts]
    for seat, points in enumerate(census.points):
        won = sum(outcome.winner == seat for outcome in outcomes if outcome)
        drawn = sum(outcome.winner is None for outcome in outcomes if outcome)
        assert points.value == pytest.approx((won + drawn / corpus.game.num_seats) / 40)
    endings = [tuple(sorted(o.score, reverse=True)) for o in outcomes if o and o.score is not None]
    assert sum(ending.games.value for ending in census.endings) <= 1
    for ending in census.endings:
        assert ending.games.value == pytest.approx(endings.count(ending.scores) / 40)
        assert sum(ending.won) == pytest.approx(1)
    assert bool(census.endings) == bool(endings)
    game = corpus.game
    for place, cell in enumerate(census.cells):
        letters = [last.cells[place] for last in lasts]
        for seat, held in enumerate(cell.held):
            owned = sum(
                letter in game.letters and game.piece(letter).seat == seat for letter in letters
            )
            assert held == pytest.approx(owned / 40)


def test_it_is_told_in_lines_or_as_json(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    write_corpus(path, random_corpus(skerry.make("x", size=3), 30))
    told = run("corpus", str(path)).stdout
    assert told.startswith("30 games of X (size=3)\n")
    assert "Red" in told
    assert "of the points" in told
    assert '"endings"' in run("corpus", str(path), "--json").stdout
    path.write_bytes(b"nothing")
    assert "no corpus" in run("corpus", str(path)).stderr
