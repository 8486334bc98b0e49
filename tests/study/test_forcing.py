"""Forced wins as the compiled search finds them, and as the plainest one does."""

from random import Random

import pytest

import skerry
from skerry.core.errors import SolveLimit
from skerry.lab.grading import sample_positions
from skerry.study.forcing import Prover
from skerry.study.turns import list_replies, list_turns
from support.forced_wins import find_winning_turns, forces
from support.repeating import some_of

SMALL = {
    "skew": {"side": 3, "pegs": 4},
    "skirt": {"side": 3},
    "x": {"size": 3},
    "skaane": {"width": 3, "height": 5, "gods": 2, "kings": 1, "serfs": 2, "suns": 1},
}
# How far from the start positions are, so that the plain search gets to the end of them.
PLIES = {"skew": 6, "skirt": 5, "x": 3, "skaane": 0}
POSITIONS = 20


@pytest.mark.parametrize("name", some_of(sorted(SMALL), ["x", "skaane"]))
def test_both_searches_agree(name: str) -> None:
    game = skerry.make(name, **SMALL[name])
    prover = Prover(game)
    found = set()
    for state in sample_positions(game, POSITIONS, seed=7, plies=PLIES[name]):
        for turns in (1, 2):
            for seat in range(game.num_seats):
                begins = turns - (state.to_move == seat)
                answer = prover.forces(state, seat, begins)
                # A prover counts the turns that are still to begin, the plain search all of them.
                assert answer == forces(state, seat, turns), (state.position, seat, turns)
                found.add(answer)
            ways = list(prover.winning_turns(state, turns))
            assert sorted(ways) == sorted(find_winning_turns(state, turns))
    assert found == {True, False}


@pytest.mark.parametrize("name", sorted(SMALL))
def test_turns_and_replies_are_all_there(name: str) -> None:
    """Counted by playing single moves instead."""
    game = skerry.make(name, **SMALL[name])
    for state in sample_positions(game, 10, seed=3, plies=PLIES[name]):
        seat = state.to_move
        assert seat is not None
        waiting, ends = [state], 0
        while waiting:
            now = waiting.pop()
            after = [now.play(move) for move in now.legal_moves()]
            waiting += [child for child in after if child.to_move == seat]
            ends += sum(child.to_move != seat for child in after)
        turns = dict(list_turns(state))
        assert len(turns) == ends
        assert all(state.play(turn) == end for turn, end in turns.items())
        end = Random(1).choice(list(turns.values()))
        for replies, last in list_replies(end, seat):
            assert last.is_over or last.to_move == seat
            played = end
            for reply in replies:
                played = played.play(reply)
            assert played == last


def test_the_best_reply_holds_out_longest() -> None:
    game = skerry.make("skaane", **SMALL["skaane"])
    prover, checked = Prover(game), 0
    for state in sample_positions(game, 200, seed=5):
        seat = 1 - (state.to_move or 0)
        if prover.forces(state, seat, 2):
            _, end = prover.best_reply(state, seat, 2)
            others = [end for _, end in list_replies(state, seat)]
            assert forces(end, seat, 1) == all(forces(other, seat, 1) for other in others)
            checked += 1
    assert checked > 3


def test_a_prover_gives_up_when_it_is_told_to() -> None:
    game = skerry.make("skirt", side=5)
    prover = Prover(game, nodes=100)
    with pytest.raises(SolveLimit, match="allow more"):
        prover.forces(game.initial(), 0, 2)
    assert not prover.forces(game.initial(), 0, -1)
