"""What holds for every game in every position, tried on random ones."""

import pickle
import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from support.repeating import some_of
from support.sampling import sample_counts
from support.sizes import capacities, small_games
from support.strategies import states

SMALL = small_games()
COMPILED = [game for game in capacities() if game in SMALL]


@given(states())
def test_position_text_is_lossless(state: skerry.State) -> None:
    again = state.game.position(state.position)
    assert again == state
    assert hash(again) == hash(state)
    assert again.to_move == state.to_move
    assert again.outcome == state.outcome
    assert again.legal_moves() == state.legal_moves()


@given(states())
def test_a_restored_state_plays_on_alike(state: skerry.State) -> None:
    again = state.game.position(state.position)
    for move in state.legal_moves()[:20]:
        assert again.play(move) == state.play(move)


@given(states())
def test_repr_and_pickle_rebuild(state: skerry.State) -> None:
    assert eval(repr(state), {"skerry": skerry}) == state  # noqa: S307  # our own repr
    assert pickle.loads(pickle.dumps(state)) == state  # noqa: S301  # our own pickle


@given(states())
def test_notation_round_trips(state: skerry.State) -> None:
    for move in state.legal_moves():
        assert state.parse(str(move)) == move
        assert state.play(str(move)) == state.play(int(move)) == state.play(move)


@given(states())
def test_play_mutates_nothing(state: skerry.State) -> None:
    record, position = state.raw.tobytes(), state.position
    for move in state.legal_moves()[:20]:
        state.play(move)
    assert state.raw.tobytes() == record
    assert state.position == position


@given(states(), st.data())
def test_rules_commute_with_symmetries(state: skerry.State, data: st.DataObject) -> None:
    game = state.game
    index = data.draw(st.integers(0, len(game.symmetries) - 1))
    image = game.transform(state, index)
    assert image.is_over == state.is_over
    assert image.to_move == state.to_move
    if state.outcome is not None and image.outcome is not None:
        assert image.outcome.returns == state.outcome.returns
        assert image.outcome.score == state.outcome.score
    actions = [game.transform_action(action, index) for action in state.legal_actions().tolist()]
    assert sorted(actions) == image.legal_actions().tolist()
    for before, after in list(zip(state.legal_actions().tolist(), actions, strict=True))[:10]:
        assert game.transform(state.play(before), index) == image.play(after)


@given(states(), st.text(string.printable, max_size=50))
def test_any_text_is_a_move_or_a_clear_error(state: skerry.State, text: str) -> None:
    try:
        assert isinstance(state.play(text), skerry.State)
    except (skerry.InvalidMove, skerry.IllegalMove) as error:
        assert str(error)
        assert "\n" not in str(error)


@given(states(), st.data())
def test_any_near_miss_is_a_move_or_a_clear_error(state: skerry.State, data: st.DataObject) -> None:
    """Cells and directions put together anyhow are what people really mistype."""
    words = [*state.game.board.names, *state.game.board.direction_names, "pass", "-", "x", "--"]
    text = "".join(data.draw(st.lists(st.sampled_from(words), max_size=4)))
    try:
        assert isinstance(state.play(text), skerry.State)
    except (skerry.InvalidMove, skerry.IllegalMove) as error:
        assert str(error)


@given(states(), st.integers(-3, 5000))
def test_every_illegal_action_has_a_reason(state: skerry.State, action: int) -> None:
    if action in state.legal_actions():
        return
    with pytest.raises((skerry.InvalidMove, skerry.IllegalMove)) as caught:
        state.play(action)
    assert str(caught.value)


@given(st.sampled_from(SMALL), st.text(max_size=60))
def test_any_text_is_a_position_or_a_clear_error(game: skerry.Game, text: str) -> None:
    try:
        assert isinstance(game.position(text), skerry.State)
    except skerry.PositionError as error:
        assert str(error)


@given(states(), st.data())
def test_a_damaged_position_is_a_position_or_a_clear_error(
    state: skerry.State, data: st.DataObject
) -> None:
    text = state.position
    at = data.draw(st.integers(0, len(text) - 1))
    letters = state.game.letters + "0123456789/.- wbryg"
    damaged = text[:at] + data.draw(st.text(letters, max_size=3)) + text[at + 1 :]
    try:
        other = state.game.position(damaged)
    except skerry.PositionError as error:
        assert str(error)
    else:
        assert state.game.position(other.position) == other
        for move in other.legal_moves()[:5]:
            other.play(move)
        state.game.playouts(2, start=other)


@given(states())
@settings(max_examples=30)
def test_playouts_are_reproducible_and_complete(state: skerry.State) -> None:
    game = state.game
    first = game.playouts(20, seed=3, start=state)
    assert first == game.playouts(20, seed=3, start=game.position(state.position))
    assert abs(sum(first.returns)) < 1e-9
    assert (first.plies == 0) == state.is_over


@pytest.mark.parametrize("game", some_of(SMALL, COMPILED), ids=repr)
def test_playouts_match_play_move_by_move(game: skerry.Game) -> None:
    """Same mean length, draws and returns as random play through the public face."""
    chooser = np.random.default_rng(1)
    lengths, returns, draws = [], [], 0
    for seed in range(300):
        state, plies = game.initial(seed), 0
        while not state.is_over:
            state = state.play(chooser.choice(state.legal_actions()))
            plies += 1
        outcome = state.outcome
        assert outcome is not None
        lengths.append(plies)
        returns.append(outcome.returns)
        draws += outcome.winner is None
    many = game.playouts(20_000, seed=1)
    # Five standard errors: wide enough for every seed, narrow enough for any real difference.
    for seen, expected in [
        (lengths, many.plies / many.games),
        *(
            (list(values), total / many.games)
            for values, total in zip(zip(*returns, strict=True), many.returns, strict=True)
        ),
    ]:
        error = np.std(seen) / len(seen) ** 0.5
        assert abs(np.mean(seen) - expected) <= 5 * error + 1e-9
    share = many.draws / many.games
    assert abs(draws / 300 - share) <= 5 * (share * (1 - share) / 300) ** 0.5 + 1e-9


@given(states(longest=30))
@settings(max_examples=25)
def test_sampling_is_uniform(state: skerry.State) -> None:
    """Playouts of one ply from a position near the end would be biased if sampling were."""
    if state.is_over:
        return
    legal = state.legal_actions()
    counts = sample_counts(state, 200 * len(legal))
    assert counts.sum() == 200 * len(legal)
    assert np.flatnonzero(counts).tolist() == legal.tolist()
    # Chi-square against equal shares, at six standard deviations of its own distribution.
    surprise = ((counts[legal] - 200) ** 2 / 200).sum()
    freedom = len(legal) - 1
    assert surprise <= freedom + 6 * (2 * freedom) ** 0.5 + 1e-9
