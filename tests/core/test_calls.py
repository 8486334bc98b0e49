"""Calls from Python are quick, and for all that as careful as before."""

import copy
import gc
import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest

import skerry
from skerry.core.errors import shorten
from skerry.core.game import Game
from skerry.core.notation import Notation
from skerry.core.state import Move, State
from skerry.games.skaane.notation import SkaaneNotation

GAMES = {name: skerry.make(name) for name in skerry.GAMES}
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def random_line(game: Game, seed: int) -> list[State]:
    """The states of a random game."""
    chooser, states = Random(seed), [game.initial(seed)]
    while not states[-1].is_over:
        states.append(states[-1].play(chooser.choice(states[-1].legal_moves())))
    return states


@every_game
def test_a_state_says_what_its_record_says(game: Game) -> None:
    for state in random_line(game, 1):
        assert (state.turn, state.is_over) == (state.raw["turn"], state.raw["over"])
        assert type(state.turn) is int
        assert type(state.is_over) is bool


@every_game
def test_nothing_that_is_asked_changes_a_state(game: Game) -> None:
    chooser = Random(2)
    for state in random_line(game, 2):
        before = state.array.tobytes()
        for action in chooser.sample(range(game.num_actions), 10):
            try:
                state.play(action)
            except skerry.IllegalMove:
                assert action not in state.legal_actions()
            else:
                assert action in state.legal_actions()
        assert (state.position, state.outcome is None) == (state.position, not state.is_over)
        assert state.array.tobytes() == before


@every_game
def test_a_state_cannot_be_changed_by_force(game: Game) -> None:
    state = game.initial()
    for array in (state.array, state.legal_actions()):
        with pytest.raises(ValueError, match="cannot set WRITEABLE flag"):
            array.setflags(write=True)
    with pytest.raises(AttributeError, match="State is immutable: cannot set 'is_over'"):
        state.is_over = True


@every_game
def test_threads_play_from_one_state(game: Game) -> None:
    state = game.playable_start()
    actions = state.legal_actions().tolist()
    expected = [state.play(action).position for action in actions]
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda action: state.play(action).position, actions * 20))
    assert done == expected * 20


@every_game
@pytest.mark.parametrize(
    "action", [-1, -(2**70), 2**31, 2**63, 2**70, pytest.param(10**5000, id="long")]
)
def test_actions_that_no_game_has(game: Game, action: int) -> None:
    complaint = f"action {shorten(action)} is not from 0 to {game.num_actions - 1}"
    for ask in (game.initial().play, game.initial().move):
        with pytest.raises(skerry.InvalidMove) as caught:
            ask(action)
        assert str(caught.value) == complaint


def test_a_state_is_made_of_one_record_of_its_game() -> None:
    game, other = GAMES["x"], GAMES["skew"]
    for states in (other.initial().array, np.zeros(2, game.dtype), np.zeros((), game.dtype)):
        with pytest.raises(TypeError, match="is one record of its dtype"):
            State(game, states)
    states = game.initial().play("b2").array.copy()
    state = State(game, states)
    states["turn"] = 2
    assert state == game.initial().play("b2")


def refuse(self: Notation, state: State, action: int) -> str:
    raise AssertionError(f"somebody wrote action {action}")


@every_game
def test_moves_are_written_when_somebody_asks(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = type(game)(**game.options)
    with monkeypatch.context() as patched:
        patched.setattr(Notation, "write_action", refuse)
        patched.setattr(SkaaneNotation, "write_action", refuse)
        state = fresh.playable_start()
        moves = state.legal_moves()
        assert state.play(moves[0]).turn == state.play(int(moves[0])).turn
        with pytest.raises(AssertionError, match="somebody wrote"):
            str(moves[0])
    assert [state.parse(str(move)) for move in moves] == list(moves)


def test_a_move_is_a_value() -> None:
    state = GAMES["skaane"].initial(7)
    for move in (state.legal_moves()[0], GAMES["x"].initial().parse("b2")):
        assert move == Move(int(move), str(move))
        assert hash(move) == hash(Move(int(move), str(move)))
        assert repr(move) == f"Move(action={int(move)}, text={str(move)!r})"
        assert eval(repr(move), {"Move": Move}) == move  # noqa: S307  # our own repr
        assert pickle.loads(pickle.dumps(move)) == copy.deepcopy(move) == move  # noqa: S301
        assert move != Move(int(move), "elsewhere")
        assert move != int(move)
        with pytest.raises(AttributeError, match="Move is immutable: cannot set 'action'"):
            move.action = 3
        with pytest.raises(AttributeError, match="Move is immutable: cannot delete 'action'"):
            del move.action
    match Move(3, "c1"):
        case Move(action, text):
            assert (action, text) == (3, "c1")
    assert Move(np.int32(3), "c1").action == 3  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Move(1.5, "c1")  # type: ignore[arg-type]


def test_a_move_that_has_been_written_keeps_no_state() -> None:
    state = GAMES["skaane"].initial(7)
    move = state.legal_moves()[0]
    gone = weakref.ref(state)
    del state
    gc.collect()
    assert gone() is not None
    text = str(move)
    gc.collect()
    assert gone() is None
    assert str(move) == text
