"""Lines of play: what is found out about them once, for everybody."""

from itertools import pairwise
from random import Random

import pytest

import skerry
from skerry.core.playthrough import Playthrough
from skerry.render.marks import mark_turn

SKIRT = skerry.make("skirt", side=3)


def test_a_line_knows_its_states_moves_and_movers() -> None:
    line = Playthrough(SKIRT.initial()).follow(["a1", "c5-c2", "a2-b2"])
    assert [str(move) for move in line.moves] == ["a1", "c5", "c2", "a2", "b2"]
    assert line.movers == (0, 1, 1, 0, 0)
    assert line.plies == 5
    assert line.start == SKIRT.initial()
    states = [SKIRT.initial()]
    for move in line.moves:
        states.append(states[-1].play(move))
    assert line.states == tuple(states)


def test_actions_of_one_seat_in_a_row_are_a_turn() -> None:
    line = Playthrough(SKIRT.initial()).follow(["a1", "c5-c2", "a2"])
    assert [(turn.number, turn.seat, turn.text) for turn in line.turns] == [
        (1, 0, "a1"),
        (2, 1, "c5-c2"),
        (3, 0, "a2"),
    ]
    assert line.begun
    assert line.number == 3
    last = line.last_turn
    assert last is not None
    assert (last.begins.plies, last.ends) == (3, line)
    whole = line.after(line.state.parse("b2"))
    assert whole.turns[-1].text == "a2-b2"
    assert not whole.begun
    assert whole.number == 4


def test_lines_share_what_they_have_in_common() -> None:
    trunk = Playthrough(SKIRT.initial()).follow(["a1"])
    one, other = trunk.follow(["c5"]), trunk.follow(["a3"])
    assert one.before is other.before is trunk
    assert one.states[:2] == other.states[:2]
    assert one.state != other.state


def test_a_line_without_moves_has_no_turn() -> None:
    line = Playthrough(SKIRT.initial())
    assert line.last_turn is line.move is None
    assert line.turns == line.moves == line.movers == ()
    assert line.states == (SKIRT.initial(),)


def test_what_cannot_be_played_leaves_the_line_as_it_was() -> None:
    line = Playthrough(SKIRT.initial()).follow(["a1"])
    with pytest.raises(skerry.IllegalMove, match="already holds"):
        line.follow(["a1"])
    with pytest.raises(skerry.InvalidMove):
        line.after(10_000)
    assert line.plies == 1


@pytest.mark.parametrize("name", skerry.GAMES)
def test_turns_play_what_the_moves_played(name: str) -> None:
    game, chooser = skerry.make(name), Random(3)
    line = Playthrough(game.playable_start())
    while line.plies < 40 and not line.state.is_over:
        line = line.after(chooser.choice(line.state.legal_moves()))
    turns = [turn.text for turn in line.turns]
    again = Playthrough(line.start).follow(turns)
    assert again.state == line.state
    assert [turn.number for turn in line.turns] == list(range(1, len(turns) + 1))
    seats = [turn.seat for turn in line.turns]
    assert all(one != other for one, other in pairwise(seats))


def test_looking_back_at_a_line_takes_no_memory_at_every_point() -> None:
    line = Playthrough(SKIRT.initial())
    while not line.state.is_over:
        line = line.after(line.state.legal_moves()[0])
        assert line.points[-1] is line
        assert len(line.movers) == line.plies
        assert line.moved == set(line.movers)
    kept = [value for point in line.points for value in vars(point).values()]
    assert not any(isinstance(value, tuple) and len(value) > 3 for value in kept)


def test_what_happened_since_a_ply_is_found_without_what_was_before() -> None:
    line = Playthrough(SKIRT.initial()).follow(["a1", "c5-c2", "a2-b2"])
    middle = line.points[3]
    object.__setattr__(middle, "before", "nothing that can be followed")
    assert [str(point.move) for point in line.since(3)] == ["a2", "b2"]
    turn = line.last_turn
    assert turn is not None
    assert {mark.cell for mark in mark_turn(turn).marks} >= {
        SKIRT.board.index["a2"],
        SKIRT.board.index["b2"],
    }
