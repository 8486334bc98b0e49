"""The public face: games and states as a user meets them."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import skerry
from skerry.core.game import Playouts


def test_the_contract_in_one_go() -> None:
    game = skerry.make("skew", side=5, pegs=24)
    assert game.num_seats == 2
    assert game.options == {"side": 5, "pegs": 24}
    assert game.num_actions == 61 * 6 + 1
    state = game.initial(seed=7)
    assert state.to_move == 0
    assert not state.is_over
    assert state.outcome is None
    moves, actions = state.legal_moves(), state.legal_actions()
    assert [int(move) for move in moves] == actions.tolist()
    assert str(moves[0]) == "d4-e"
    after = state.play("d4-ne")
    assert after.to_move == 1
    assert after == state.play(state.parse("d4-ne")) == state.play(int(state.parse("d4-ne")))
    assert game.position(after.position) == after
    assert game.perft(0) == 1
    assert game.perft(1) == len(moves)
    assert game.perft(1, after) == len(after.legal_moves())


def test_games_compare_by_value_and_rebuild() -> None:
    game = skerry.make("skirt", side=4)
    assert game == skerry.make("skirt", side=4)
    assert game != skerry.make("skirt", side=5)
    assert game != "skirt"
    assert hash(game) == hash(skerry.make("skirt", side=4))
    assert eval(repr(game), {"skerry": skerry}) == game  # noqa: S307  # our own repr
    assert pickle.loads(pickle.dumps(game)) == game  # noqa: S301  # our own pickle
    assert copy.deepcopy(game) == game


def test_games_and_states_are_immutable() -> None:
    game = skerry.make("x", size=3)
    state = game.initial()
    with pytest.raises(AttributeError, match="immutable"):
        game.options = {}  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        state.game = game  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        state.legal_actions()[0] = 5
    with pytest.raises(ValueError, match="read-only"):
        state.raw["turn"] = 1


def test_options_of_a_game_cannot_be_changed_from_outside() -> None:
    game = skerry.make("x", size=3)
    game.options["size"] = 9
    assert game.options == {"size": 3}


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("chess", {}, "there is no game 'chess'; the games are skew, skirt, x, skaane"),
        ("skew", {"side": 1}, "side must be a whole number from 2 to 9, not 1"),
        ("skew", {"side": 10}, "from 2 to 9"),
        ("skirt", {"side": 13}, "from 2 to 12"),
        ("x", {"size": 20}, "from 2 to 19"),
        ("x", {"size": 1}, "from 2 to 19"),
        ("x", {"size": "10"}, "not '10'"),
        ("x", {"size": True}, "not True"),
        ("x", {"size": 10**5000}, "from 2 to 19, not a value of type int that is too long"),
        ("x", {"size": 10.0}, "not 10.0"),
        ("x", {"side": 5}, "x has no option 'side'; there is size"),
        ("x", {"self": 5}, "x has no option 'self'"),
        ("x", {"name": 5}, "x has no option 'name'"),
        ("skaane", {"width": 13}, "from 2 to 12"),
        ("skaane", {"height": 3}, "from 4 to 16"),
        ("skaane", {"width": 7}, "must be 2 \\* width = 14, not 5 \\+ 5 \\+ 5 \\+ 1 = 16"),
    ],
)
def test_wrong_options_say_what_is_allowed(
    name: str, options: dict[str, object], complaint: str
) -> None:
    with pytest.raises(skerry.OptionsError, match=complaint):
        skerry.make(name, **options)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "7", True])
def test_wrong_seeds_are_refused(seed: object) -> None:
    game = skerry.make("skaane")
    with pytest.raises(skerry.OptionsError, match="seed must be a whole number"):
        game.initial(seed)  # type: ignore[arg-type]
    with pytest.raises(skerry.OptionsError, match="seed must be a whole number"):
        game.playouts(1, seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("move", [None, 1.5, True, ["d4"], b"d4"])
def test_things_that_are_no_moves(move: object) -> None:
    with pytest.raises(skerry.InvalidMove, match="a move is text, a Move or an action, not"):
        skerry.make("x").initial().play(move)  # type: ignore[arg-type]


def test_numpy_integers_are_actions() -> None:
    state = skerry.make("x").initial()
    assert state.play(np.int32(5)) == state.play(5)


def test_moves_are_read_generously() -> None:
    state = skerry.make("skew").initial()
    assert state.play("  D4-NE ") == state.play("d4-ne")


def test_nothing_is_played_after_the_end() -> None:
    game = skerry.make("x", size=2)
    state = game.initial()
    for move in ("a1", "a2", "b1", "b2"):
        state = state.play(move)
    assert state.is_over
    assert state.to_move is None
    assert state.legal_moves() == ()
    with pytest.raises(skerry.IllegalMove, match="the game is over"):
        state.play("a1")
    with pytest.raises(skerry.IllegalMove, match="the game is over"):
        state.play(0)
    assert game.perft(1, state) == 0
    assert game.perft(0, state) == 1
    assert game.playouts(5, start=state) == Playouts(5, 0, (5.0, -2.5, -2.5), 0)


def test_long_texts_are_cut_in_messages() -> None:
    state = skerry.make("x").initial()
    for text in ("a" * 10_000, "é" * 10_000):
        with pytest.raises(skerry.InvalidMove) as caught:
            state.play(text)
        assert len(str(caught.value)) < 200
    with pytest.raises(skerry.PositionError) as raised:
        state.game.position("r" * 10_000)
    assert len(str(raised.value)) < 200


def test_a_state_of_another_game_is_refused() -> None:
    other = skerry.make("x", size=4).initial()
    with pytest.raises(skerry.PositionError, match="the state belongs to skerry"):
        skerry.make("x", size=5).perft(1, other)


@pytest.mark.parametrize("call", ["perft", "playouts"])
def test_counts_cannot_be_negative(call: str) -> None:
    for count in (-1, 2.5, "2", True, 2**70):
        with pytest.raises(skerry.OptionsError, match=r"must be a whole number .*, not "):
            getattr(skerry.make("x"), call)(count)


def test_numpy_integers_are_options_seeds_and_counts() -> None:
    game = skerry.make("skew", side=np.int64(3), pegs=np.uint8(4))
    assert game == skerry.make("skew", side=3, pegs=4)
    assert game.playouts(np.int32(5), seed=np.int64(2)) == game.playouts(5, seed=2)
    assert game.perft(np.int8(1)) == 36


def test_boards_and_states_cannot_be_changed_by_force() -> None:
    game = skerry.make("skew", side=3)
    state = game.initial()
    for array in (game.board.neighbours, game.board.symmetries[1].cells, state.legal_actions()):
        with pytest.raises(ValueError, match="cannot set WRITEABLE flag"):
            array.setflags(write=True)
    with pytest.raises(TypeError):
        game.board.index["a1"] = 3  # type: ignore[index]
    with pytest.raises(AttributeError, match="immutable"):
        del state.game


def test_wrong_kinds_of_arguments_are_named() -> None:
    game = skerry.make("skew", side=3)
    state = game.initial()
    with pytest.raises(skerry.InvalidMove, match="written as text, not None"):
        state.parse(None)  # type: ignore[arg-type]
    with pytest.raises(skerry.InvalidMove, match="an action is a whole number, not 'b2-e'"):
        state.move("b2-e")  # type: ignore[arg-type]
    with pytest.raises(skerry.PositionError, match="a State is needed, not 'foo'"):
        game.perft(1, "foo")  # type: ignore[arg-type]
    with pytest.raises(skerry.PositionError, match="belongs to"):
        game.transform(skerry.make("x").initial(), 0)
    for call in (skerry.analyse, skerry.solve):
        with pytest.raises(skerry.PositionError, match=r"needed, not skerry.make.*game.initial"):
            call(game)  # type: ignore[operator]
    with pytest.raises(skerry.OptionsError, match=r"'int' is no player: it has no choose"):
        skerry.player(3)  # type: ignore[arg-type]
    with pytest.raises(skerry.RecordError, match=r"a Record is needed, not skerry\.make"):
        skerry.review(state)  # type: ignore[arg-type]
    for index in (-1, 12):
        with pytest.raises(skerry.OptionsError, match="index must be a whole number from 0 to 11"):
            game.transform(state, index)
    with pytest.raises(skerry.OptionsError, match="action must be a whole number"):
        game.transform_action(-5, 1)


def test_a_turn_of_two_actions_is_played_whole_or_not_at_all() -> None:
    state = skerry.make("skirt", side=3).initial().play("a1")
    assert state.play("a3-b3") == state.play("a3").play("b3")
    assert [str(move) for move in state.parse_turn("a3-b3")] == ["a3", "b3"]
    with pytest.raises(skerry.IllegalMove, match="just placed, reaches"):
        state.play("a3-b2")
    with pytest.raises(skerry.IllegalMove, match="more than one turn"):
        state.play("a3-b3-c3")


def test_threads_may_share_games_and_states() -> None:
    game = skerry.make("skew")
    state = game.initial()
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda seed: game.playouts(50, seed, state), [1, 2, 1, 2]))
    assert done[0] == done[2]
    assert done[1] == done[3]


def test_the_same_seed_gives_the_same_games_everywhere() -> None:
    """Frozen: a change here changes every published deal and every seeded result."""
    assert (
        skerry.make("skaane").initial(seed=7).position
        == "skssgkgg/ugksgskk/8/8/8/8/SGSKGGSK/SKKKGGUS w 0"
    )
    assert skerry.make("skew").playouts(100, seed=1).returns == (24.0, -24.0)
