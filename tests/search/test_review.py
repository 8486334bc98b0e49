"""Games reviewed: losses that can be trusted, and annotated records that stay records."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.records import Line, Ply, Record, read, write_text
from skerry.search.review import choose_mark
from support.minimax import solve
from support.random_records import SMALL, records

TINY = skerry.make("skew", side=2, pegs=2)
ENOUGH = 50_000  # simulations that prove every position of the tiny board


def play_out(start: skerry.State, choices: list[int]) -> Record:
    """A game in which each move is the one of the next number."""
    state, moves = start, []
    for choice in choices:
        if state.is_over:
            break
        legal = state.legal_actions()
        moves.append(int(legal[choice % len(legal)]))
        state = state.play(moves[-1])
    return Record.from_moves(start.game, start, moves)


def check_losses(start: skerry.State, choices: list[int]) -> None:
    record = play_out(start, choices)
    found = skerry.review(record, simulations=ENOUGH)
    for state, judged in zip(record.states(), found.moves, strict=False):
        ((before,), (after,)) = (
            {returns[judged.seat] for returns in solve(position)}
            for position in (state, state.play(judged.move))
        )
        assert judged.proven
        assert judged.loss == before - after
        assert judged.values[judged.seat] == after
        assert judged.best_values[judged.seat] == before
        assert judged.mark == ("??" if before > after else "")


@given(st.lists(st.integers(0, 30), min_size=4, max_size=4))
@settings(max_examples=3)
def test_with_everything_proven_losses_are_those_of_minimax(choices: list[int]) -> None:
    """After a first move, which leaves minimax a fraction of the work."""
    start = TINY.initial()
    check_losses(start.play(start.legal_moves()[choices[0]]), choices[1:])


@pytest.mark.soak
@given(st.lists(st.integers(0, 30), min_size=4, max_size=4))
def test_losses_of_whole_games_are_those_of_minimax(choices: list[int]) -> None:
    check_losses(TINY.initial(), choices)


@pytest.mark.parametrize("name", skerry.GAMES)
@given(data=st.data())
@settings(max_examples=10)
def test_what_a_review_promises(name: str, data: st.DataObject) -> None:
    record = data.draw(records(name).filter(lambda record: record.line.plies))
    steps: list[tuple[int, int]] = []
    found = skerry.review(record, simulations=60, tell=lambda *step: steps.append(step))
    again = skerry.review(record, simulations=60)
    assert found == again
    assert steps == [(i + 1, len(steps)) for i in range(len(steps))]
    assert [judged.move for judged in found.moves] == list(record.moves())
    for state, judged in zip(record.states(), found.moves, strict=False):
        assert judged.seat == state.to_move
        assert judged.loss >= 0
        assert judged.loss == max(0.0, judged.best_values[judged.seat] - judged.values[judged.seat])
        assert (judged.best == judged.move) == (judged.loss == 0)
        assert judged.line[0] == judged.best
        after = state
        for move in judged.line:
            after = after.play(move)
    assert list(found.mistakes) == sorted(found.mistakes, key=lambda move: -move.loss)
    last = record.states()[-1]
    if last.outcome is not None:
        assert found.moves[-1].values == last.outcome.returns


@pytest.mark.parametrize("name", skerry.GAMES)
@given(data=st.data())
@settings(max_examples=10)
def test_annotated_records_round_trip_and_lose_nothing(name: str, data: st.DataObject) -> None:
    record = data.draw(records(name).filter(lambda record: record.line.plies))
    found = skerry.review(record, simulations=20)
    annotated = found.annotated()
    assert read(write_text(annotated)) == annotated
    assert annotated.moves() == record.moves()
    assert replace(annotated, line=record.line) == record
    for before, after, judged in zip(
        record.line.plies, annotated.line.plies, found.moves, strict=True
    ):
        assert after.comments[: len(before.comments)] == before.comments
        assert after.variations[: len(before.variations)] == before.variations
        assert len(after.variations) - len(before.variations) == bool(judged.mark)
        assert judged.mark in after.comments[-1]
    # A second look replaces the first.
    assert skerry.review(annotated, simulations=20).annotated() == annotated


def test_a_win_that_was_missed_is_marked_and_the_better_line_wins() -> None:
    """The last peg of a game, chosen as badly as can be."""
    game = skerry.make("skew", side=2, pegs=1)
    start = game.initial().play("b1-e")
    returns = {
        str(move): outcome.returns[1]
        for move in start.legal_moves()
        if (outcome := start.play(move).outcome)
    }
    worst = min(returns, key=lambda move: returns[move])
    found = skerry.review(Record.from_moves(game, moves=["b1-e", worst]), simulations=1000)
    judged = found.moves[1]
    assert judged.loss == max(returns.values()) - returns[worst] > 0
    assert returns[str(judged.best)] == max(returns.values())
    assert judged.mark == "??"


def test_a_later_proof_counts_for_earlier_positions() -> None:
    """With so few simulations a won position is seen as such only when the game is over."""
    game = skerry.make("x", size=3)
    for seed in range(20):
        record = play_out(game.initial(), [seed, 3, 1, 7, 2, 5, 4, 6, 0])
        states = record.states()
        found = skerry.review(record, simulations=2, seed=seed)
        for i in range(1, len(found.moves)):
            mover = states[i].to_move
            after, before = found.moves[i], found.moves[i - 1]
            if mover is not None and after.proven and after.values[mover] == 1:
                assert before.proven
                assert before.values == after.values
        assert found.moves[-1].proven


def test_estimates_are_not_blamed_for_being_unsure() -> None:
    assert [choose_mark(loss, certain=True) for loss in (0.09, 0.1, 0.2, 0.3, 2.0)] == [
        "",
        "?!",
        "?",
        "??",
        "??",
    ]
    assert [choose_mark(loss, certain=False) for loss in (0.09, 0.1, 0.3, 0.5, 0.51)] == [
        "",
        "?!",
        "?!",
        "?!",
        "??",
    ]


def test_nobody_is_blamed_for_what_searches_are_in_doubt_of() -> None:
    """With few simulations the best move often looks better from the position after it."""
    game = skerry.make("x", size=4)
    chooser, spared = Random(3), 0
    for _ in range(4):
        record = play_out(game.initial(), [chooser.randrange(99) for _ in range(16)])
        found = skerry.review(record, simulations=30)
        for state, move in zip(record.states(), found.moves, strict=False):
            certain = move.best_proven == move.proven
            if move.best_proven:
                assert move.mark == choose_mark(move.loss, certain)
                continue
            before = skerry.analyse(state, simulations=30).values[move.seat]
            expected = before - move.values[move.seat]
            assert move.mark == choose_mark(min(move.loss, expected), certain)
            spared += move.mark != choose_mark(move.loss, certain)
    assert spared > 3


@pytest.mark.soak
def test_sound_play_is_hardly_blamed() -> None:
    """The opening of a game among level 6, with as much thought as reviews on pages have."""
    moves = (
        "j1 j6 g4 a10 e6 h8 a2 h6 i6 b1 h2 f6 i2 d7 c6 i3 e8 b4 i10 f9 "
        "j9 b6 g5 d5 d8 f4 h3 a9 i5 c7 a8 f2 b5 j10 c5 b8 i9 f8 b10 a3"
    )
    record = Record.from_moves(skerry.make("x"), moves=moves.split())
    found = skerry.review(record, simulations=8_000)
    assert len(found.mistakes) <= 5
    assert {move.mark for move in found.mistakes} <= {"?!"}


def test_a_record_without_moves_is_refused() -> None:
    with pytest.raises(skerry.OptionsError, match="nothing to review"):
        skerry.review(Record(skerry.make("x", **SMALL["x"]).initial()))


def test_comments_of_others_that_look_like_ours_are_the_only_ones_replaced() -> None:
    game = skerry.make("x", size=3)
    first = int(game.initial().parse("a1"))
    ours = Line((Ply(int(game.initial().parse("b2"))),), ("engine: Red +0.10",))
    theirs = replace(ours, comments=("I like engine: b2",))
    line = Line((Ply(first, ("well", "engine: Red -1"), (ours, theirs)),))
    annotated = skerry.review(Record(game.initial(), line), simulations=50).annotated()
    (ply,) = annotated.line.plies
    assert ply.comments[0] == "well"
    assert len(ply.comments) == 2
    assert theirs in ply.variations
    assert ours not in ply.variations
