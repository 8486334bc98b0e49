"""What games say to people who play them: what to point at, what counts, what it is about."""

import pytest

import skerry
from skerry.core.state import State
from skerry.core.view import View
from skerry.games import GAMES


def walk(name: str) -> list[State]:
    """All positions of a game in which a different move is made each time."""
    state = skerry.make(name).initial(2)
    found = [state]
    while not state.is_over:
        moves = state.legal_moves()
        state = state.play(moves[len(found) * 7 % len(moves)])
        found.append(state)
    return found


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("own", [True, False], ids=["own", "plain"])
def test_every_part_of_every_move_is_asked_for(name: str, own: bool) -> None:
    for state in walk(name)[:-1]:
        view = state.game.view if own else View(state.game)
        parts = max(len(state.path(move)) for move in state.legal_moves())
        prompts = view.prompts(state)
        assert len(prompts) == parts
        assert all(prompts)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("own", [True, False], ids=["own", "plain"])
def test_every_seat_is_told_what_it_has(name: str, own: bool) -> None:
    for state in walk(name):
        view = state.game.view if own else View(state.game)
        holdings = view.holdings(state)
        assert len(holdings) == state.game.num_seats
        assert all(holdings) == own


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("own", [True, False], ids=["own", "plain"])
def test_newcomers_are_told_what_to_play_for(name: str, own: bool) -> None:
    game = skerry.make(name)
    view = game.view if own else View(game)
    assert view.goal.endswith(".")
    legend = view.legend()
    assert len({words for _, words in legend}) == len(legend) >= 2
    assert all(piece in game.pieces for piece, _ in legend)


def test_holdings_say_how_it_stands() -> None:
    skew = skerry.make("skew", side=2, pegs=3).initial().play("a1-ne")
    assert skew.game.view.holdings(skew) == ("1 scoring, 2 left", "0 scoring, 3 left")
    x = skerry.make("x", size=3).initial().play("a1")
    assert x.game.view.holdings(x) == ("1 corner", "0 corners", "0 corners")
    skirt = skerry.make("skirt", side=3).initial().play("a1")
    assert skirt.game.view.holdings(skirt) == ("touches 2 sides", "touches 0 sides")
    game = skerry.make("skaane", width=2, height=4, gods=1, kings=1, serfs=1, suns=1)
    assert game.view.holdings(game.position("2/1k/G1/2 w 0")) == (
        "1 pawn, 2 rows to go",
        "1 pawn, 2 rows to go",
    )
