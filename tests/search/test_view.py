"""What a search found, drawn: the heat is where the visits are, and the line is the best line."""

import pytest

import skerry
from skerry.core.scene import HEAT, STEP
from skerry.search.overlay import chance, view


@pytest.mark.parametrize("name", skerry.GAMES)
def test_heat_is_where_the_visits_are(name: str) -> None:
    state = skerry.make(name).initial(2)
    found = skerry.analyse(state, simulations=400, seed=1)
    overlay = view(state, found)
    cells = state.game.board.index
    heat = {mark.cell: mark for mark in overlay.marks if mark.kind == HEAT}
    best = cells[state.path(found.best)[0]]
    assert heat[best].weight == max(mark.weight for mark in heat.values())
    tried = {cells[state.path(m.move)[0]] for m in found.moves if m.visits > 0}
    assert set(heat) <= tried
    assert str(found.best) in overlay.words[0]
    assert state.svg(overlay=overlay).count('class="mark heat"') == len(heat)


def test_the_line_is_numbered_or_drawn_as_arrows() -> None:
    x = skerry.make("x", size=4).initial()
    found = skerry.analyse(x, simulations=2000, seed=1)
    steps = [mark for mark in view(x, found).marks if mark.kind == STEP]
    assert [mark.text for mark in steps] == ["1", "2", "3"]
    assert [x.game.board.names[mark.cell] for mark in steps] == list(
        map(str, found.moves[0].pv[:3])
    )
    skew = skerry.make("skew", side=3, pegs=4).initial()
    arrows = view(skew, skerry.analyse(skew, simulations=2000, seed=1)).arrows
    assert len(arrows) == 3
    assert arrows[0].weight > arrows[1].weight > arrows[2].weight


def test_a_pass_has_no_place_on_the_board() -> None:
    ring = "3/1DD1/1D*D1/1DD1/3 0"  # around the black peg, all of the seat to move
    state = skerry.make("skew", side=3, pegs=9).position(ring)
    assert [str(move) for move in state.legal_moves()] == ["pass"]
    overlay = view(state, skerry.analyse(state, simulations=10))
    assert not [mark for mark in overlay.marks if mark.kind == HEAT]


@pytest.mark.parametrize(
    ("value", "seats", "share"),
    [(1, 2, 1), (-1, 2, 0), (0, 2, 0.5), (1, 3, 1), (-0.5, 3, 0), (0, 3, 1 / 3)],
)
def test_chances(value: float, seats: int, share: float) -> None:
    assert chance(value, seats) == pytest.approx(share)
