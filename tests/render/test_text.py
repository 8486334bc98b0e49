"""Boards as text: diagrams a person can check, and properties of every board."""

from itertools import pairwise
from random import Random
from textwrap import dedent, indent

import pytest

import skerry
from skerry.board import Board, hexagon, rhombus, square
from skerry.core.scene import LAST, Mark, Overlay, Scene
from skerry.render.boardreader import read
from skerry.render.marks import last_turn
from skerry.render.text import FANCY, PLAIN, _spot, draw
from support.positions import after, middle_of
from support.repeating import some_of
from support.sizes import games, usual_capacities


def expect(drawn: str, diagram: str) -> None:
    assert drawn.strip("\n").splitlines() == dedent(diagram).strip("\n").splitlines()


def test_skew() -> None:
    before = after("skew", "c4-w b3-nw", side=3, pegs=5)
    state = before.play("d3-se")
    scene = state.scene().under(last_turn(before, "d3-se"))
    expect(
        draw(scene.under(state.overlay("targets"))),
        """
                  1   2
            e   ·   +   +   3
          d   ·   + [ ○↘] +   4
        c   ·   +   ★ ( ○↘) +   5
          b   ·   +  ↖●   +   4
            a   ·   ·   ·   3
                  1   2

        ○ First   ● Second   [ ] last move   ( ) changed by it   + free to place
        """,
    )
    expect(
        draw(scene, ascii=True, legend=False),
        """
                  1   2
            e   .   .   .   3
          d   .   . [ o,] .   4
        c   .   .   * ( o,) .   5
          b   .   .  '#   .   4
            a   .   .   .   3
                  1   2
        """,
    )


def test_skirt() -> None:
    expect(
        after("skirt", "a1 a2-b3", side=3).text(),
        """
                  1   2
            e   :   :   :   3
          d   :   ·   ·   :   4
        c   :   ·   ·   ·   :   5
          b   :   ·   ●   :   4
            a   ○   ●   :   3
                  1   2

        ○ White   ● Black
        """,
    )


def test_x() -> None:
    expect(
        after("x", "a1 b2 c1", size=3).text(),
        """
              c     1
           b     ▲     2
        a     ·     ·     3
           ○     ●     ·
        1     ·     ·     c
           2     ·     b
              3     a

        ○ Red   ● Yellow   ▲ Green
        """,
    )


def test_skaane() -> None:
    game = skerry.make("skaane", width=3, height=4, gods=2, kings=1, serfs=2, suns=1)
    before = game.position("gs1/kg1/1K1/SGS w 0")
    expect(
        draw(before.play("b2-a2").scene().under(last_turn(before, "b2-a2"))),
        """
          ┌───┬───┬───┐
        4 │●G │●S │   │
          ├───┼───┼───┤
        3 │●K │●G │   │
          ├───┼───┼───┤
        2 [○K |   ]   │
          ├───┼───┼───┤
        1 │○S │○G │○S │
          └───┴───┴───┘
            a   b   c

        ○ Light   ● Dark   G god   K king   S serf   [ ] last move
        """,
    )


@pytest.mark.parametrize("name", skerry.GAMES)
@pytest.mark.parametrize("ascii", [False, True])
def test_every_piece_shows(name: str, ascii: bool) -> None:
    scene = middle_of(name).scene()
    drawn = draw(scene, ascii=ascii, legend=False)
    glyphs = PLAIN if ascii else FANCY
    for seat in range(len(scene.seats)):
        owned = sum(piece.seat == seat for piece in scene.pieces.values())
        assert owned > 0
        assert drawn.count(glyphs.seats[seat]) == owned
    assert drawn.isascii() == ascii
    assert all(line == line.rstrip() for line in drawn.splitlines())


@pytest.mark.parametrize("name", skerry.GAMES)
def test_paint_adds_nothing_but_colour(name: str) -> None:
    scene = middle_of(name).scene()
    painted = draw(scene, paint=lambda text, role: f"\0{text}\0")
    unpainted = [line.rstrip() for line in painted.replace("\0", "").splitlines()]
    assert unpainted == draw(scene).splitlines()


@pytest.mark.parametrize("board", [hexagon(12), rhombus(19), square(12, 16), square(1, 4)])
def test_cells_never_overlap(board: Board) -> None:
    scene = Scene(board, ("One", "Two"), {})
    spots = sorted(_spot(scene, place) for place in board.drawn_at)
    assert all(
        line != next_line or next_column - column >= 4
        for (line, column), (next_line, next_column) in pairwise(spots)
    )
    marked = scene.under(Overlay(marks=(Mark(0, LAST),)))
    assert draw(marked).count("[") == 2  # one more in the legend


def test_overlays_show_as_brackets() -> None:
    expect(
        after("skirt", "a1 a2-b3", side=3).text(overlay="focus:a3"),
        """
                  1   2
            e   :   :   :   3
          d   :   +   ·   :   4
        c   :   ·   +   ·   :   5
          b   :   · ( ● ) :   4
            a   ○   ● < : > 3
                  1   2

        ○ White   ● Black   < > chosen   ( ) passed over   + free to place
        """,
    )


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("game", some_of(games(), usual_capacities()), ids=repr)
def test_boards_are_read_back(game: skerry.Game, ascii: bool) -> None:
    chooser = Random(2)
    state = game.initial(5)
    for ply in range(31):
        if ply % 6 == 0 or state.is_over:
            tail = state.position.partition(" ")[2]
            for overlay in (Overlay(), state.overlay("targets+standing")):
                drawn = draw(state.scene().under(overlay), ascii=ascii, legend=overlay == Overlay())
                assert read(game, indent(drawn, "    "), tail) == state
        if state.is_over:
            break
        state = state.play(chooser.choice(state.legal_moves()))


def test_a_board_without_a_tail_is_a_new_game_on_the_move() -> None:
    game = skerry.make("skirt", side=2)
    assert read(game, game.initial().text()) == game.initial()


@pytest.mark.parametrize(("drawing", "why"), [("", "too few"), ("?", "too few")])
def test_what_is_no_board_is_refused(drawing: str, why: str) -> None:
    with pytest.raises(skerry.PositionError, match=why):
        read(skerry.make("skew", side=2), drawing)


def test_a_strange_sign_is_named_with_its_cell() -> None:
    game = skerry.make("x", size=2)
    drawn = draw(game.initial().scene(), ascii=True).replace(".", "?", 1)
    with pytest.raises(skerry.PositionError, match="is not a piece of this game"):
        read(game, drawn)
