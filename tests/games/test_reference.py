"""The compiled rules against slow second implementations that share no code with them."""

import random
from typing import Any

import pytest

import skerry
from support.sizes import SIZES, Options, reference_for, split

BASE, SOAK = (
    [
        pytest.param(name, options, seeds, id=f"{name}-{'-'.join(map(str, options.values()))}")
        for name, sizes in SIZES.items()
        for options, count in sizes
        if (seeds := split(count)[part])
    ]
    for part in range(2)
)
LEAN_NAMES = dict(zip("dewazx", ("e", "ne", "nw", "w", "sw", "se"), strict=True))


def contents(state: skerry.State) -> dict[str, str]:
    """What stands where, in the words of the reference."""
    found = {}
    for name, letter in zip(state.game.board.names, state.cells, strict=True):
        if state.game.name == "skew" and letter not in ".*":
            found[name] = ("0" if letter.isupper() else "1") + LEAN_NAMES[letter.lower()]
        elif letter != ".":
            found[name] = letter
    return found


def assert_same(state: skerry.State, reference: Any) -> None:
    assert state.to_move == reference.to_move
    moves = [str(move) for move in state.legal_moves()]
    assert len(set(moves)) == len(moves)
    assert set(moves) == reference.legal()
    assert contents(state) == reference.cells()


def play_beside_reference(name: str, options: Options, seeds: range) -> None:
    game = skerry.make(name, **options)
    for seed in seeds:
        choose = random.Random(f"{name}{options}{seed}")
        state = game.initial(seed)
        reference = reference_for(state)
        while not state.is_over:
            assert_same(state, reference)
            move = choose.choice(state.legal_moves())
            state = state.play(move)
            reference.play(str(move))
        assert_same(state, reference)
        outcome = state.outcome
        assert outcome is not None
        assert outcome.returns == reference.returns()
        assert outcome.winner == reference.winner()
        assert outcome.score == reference.score()


@pytest.mark.parametrize(("name", "options", "seeds"), BASE)
def test_random_games_agree(name: str, options: Options, seeds: range) -> None:
    play_beside_reference(name, options, seeds)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "options", "seeds"), SOAK)
def test_many_more_random_games_agree(name: str, options: Options, seeds: range) -> None:
    play_beside_reference(name, options, seeds)


def count_sequences(reference: Any, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in reference.legal():
        child = reference.copy()
        child.play(move)
        total += count_sequences(child, depth - 1)
    return total


def deep(name: str, options: Options, depth: int) -> Any:
    """A count of many thousands, which the reference takes ten seconds for."""
    return pytest.param(name, options, depth, marks=pytest.mark.soak)


@pytest.mark.parametrize(
    ("name", "options", "depth"),
    [
        ("skew", {"side": 2, "pegs": 2}, 3),
        deep("skew", {"side": 2, "pegs": 2}, 4),
        ("skew", {"side": 5, "pegs": 24}, 2),
        ("skirt", {"side": 2}, 7),
        ("skirt", {"side": 3}, 4),
        ("skirt", {"side": 6}, 3),
        ("x", {"size": 2}, 4),
        ("x", {"size": 3}, 4),
        deep("x", {"size": 3}, 5),
        ("x", {"size": 5}, 2),
        deep("x", {"size": 10}, 2),
        ("skaane", {"width": 2, "height": 4, "gods": 1, "kings": 1, "serfs": 1, "suns": 1}, 6),
        deep("skaane", {}, 3),
        ("skaane", {}, 2),
    ],
)
def test_perft_agrees(name: str, options: Options, depth: int) -> None:
    game = skerry.make(name, **options)
    for seed in range(3 if game.has_chance else 1):
        start = game.initial(seed)
        assert game.perft(depth, start) == count_sequences(reference_for(start), depth)
