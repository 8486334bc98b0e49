"""What puzzles are about: said of the solutions, by the words of each game."""

import pytest

from skerry.study.motifs import explain_motifs, list_motifs
from skerry.study.puzzles import count_turns, list_games, load


@pytest.mark.parametrize("name", list_games())
class TestMotifs:
    def test_every_puzzle_says_how_long_it_takes(self, name: str) -> None:
        for puzzle, motifs in zip(load(name), list_motifs(name), strict=True):
            assert motifs[0] == f"win in {count_turns(puzzle.turns)}"
            assert len(set(motifs)) == len(motifs)

    def test_what_all_puzzles_share_is_no_motif(self, name: str) -> None:
        found = list_motifs(name)
        for motif in explain_motifs(name):
            assert 0 < sum(motif in motifs for motifs in found) < len(found)

    def test_all_are_explained(self, name: str) -> None:
        told = explain_motifs(name)
        assert {motif for motifs in list_motifs(name) for motif in motifs} == set(told)
        assert all(told.values())


def test_a_capture_is_one_of_whoever_wins() -> None:
    """Skaane 25: the solution is played by hand, and its captures compared."""
    for puzzle, motifs in zip(load("skaane"), list_motifs("skaane"), strict=True):
        state, taken = puzzle.state, False
        for turn in puzzle.line:
            taken = taken or (state.to_move == puzzle.seat and "x" in turn)
            state = state.play(turn)
        assert taken == any(" takes " in motif for motif in motifs)
