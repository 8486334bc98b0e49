"""The rules of X, clause by clause, worked out by hand on drawn boards.

How to read a drawing. Letter rows run from the last letter at the top down to ``a``, numbers from
left to right, and every row is indented by one more than the row below it, so that a cell touches
exactly the cells that are drawn around it: left, right, two above and two below. Size 3::

        c1 c2 c3               top . right
      b1 b2 b3        that is     . . .
    a1 a2 a3                   left . bottom

The sides of the left corner are the row ``a`` and the number 1, those of the top the number 1 and
the last letter, and so on around. Corners are always listed as left, top, right, bottom.
"""

from itertools import product

import pytest

import skerry
from support.diagrams import drawing, position, tidy
from support.refusals import illegal, invalid


def board(rows: str, to_move: str = "r") -> skerry.State:
    """The position of a drawing, at the size it is drawn in."""
    size = len(tidy(rows).splitlines())
    return position(skerry.make("x", size=size), rows, to_move)


def play_all(state: skerry.State, moves: str) -> skerry.State:
    for move in moves.split():
        state = state.play(move)
    return state


def owners(state: skerry.State) -> str:
    """The seat letters of the owners of left, top, right and bottom, once the game is over."""
    assert state.is_over
    return "".join("ryg"[seat] for seat in state.raw["owner"])


def ended(state: skerry.State) -> skerry.Outcome:
    assert state.outcome is not None
    return state.outcome


# x.1: the board.


@pytest.mark.clause("x.1")
def test_board_is_ten_by_ten_unless_told_otherwise() -> None:
    game = skerry.make("x")
    assert game.options == {"size": 10}
    assert len(game.board) == game.num_actions == 100


@pytest.mark.clause("x.1")
@pytest.mark.parametrize(
    ("size", "names"),
    [
        (2, "a1 a2 b1 b2"),
        (3, "a1 a2 a3 b1 b2 b3 c1 c2 c3"),
        (10, " ".join(f"{letter}{number}" for letter in "abcdefghij" for number in range(1, 11))),
    ],
)
def test_cells_are_named_by_letter_and_number(size: int, names: str) -> None:
    assert " ".join(skerry.make("x", size=size).board.names) == names


@pytest.mark.clause("x.1")
@pytest.mark.parametrize(
    ("size", "cell", "neighbours"),
    [
        # left, top, right and bottom corner: 2, 3, 2 and 3 neighbours
        (2, "a1", "a2 b1"),
        (2, "b1", "a1 a2 b2"),
        (2, "b2", "a2 b1"),
        (2, "a2", "a1 b1 b2"),
        (3, "a1", "a2 b1"),
        (3, "c1", "b1 b2 c2"),
        (3, "c3", "b3 c2"),
        (3, "a3", "a2 b2 b3"),
        (10, "a1", "a2 b1"),
        (10, "j1", "i1 i2 j2"),
        (10, "j10", "i10 j9"),
        (10, "a10", "a9 b10 b9"),
        # a cell on each side: 4 neighbours
        (3, "a2", "a1 a3 b1 b2"),
        (3, "b1", "a1 a2 b2 c1"),
        (3, "c2", "b2 b3 c1 c3"),
        (3, "b3", "a3 b2 c2 c3"),
        (10, "a5", "a4 a6 b4 b5"),
        (10, "e1", "d1 d2 e2 f1"),
        (10, "j5", "i5 i6 j4 j6"),
        (10, "e10", "d10 e9 f10 f9"),
        # a cell inside: 6 neighbours
        (3, "b2", "a2 a3 b1 b3 c1 c2"),
        (10, "e5", "d5 d6 e4 e6 f4 f5"),
    ],
)
def test_neighbours(size: int, cell: str, neighbours: str) -> None:
    rhombus = skerry.make("x", size=size).board
    touching = [rhombus.names[other] for other in rhombus.adjacent(rhombus.cell(cell))]
    assert sorted(touching) == neighbours.split()


@pytest.mark.clause("x.1")
def test_drawing_shows_left_top_right_and_bottom_where_the_names_say() -> None:
    state = play_all(skerry.make("x", size=4).initial(), "a1 d1 d4 a4 b1 d2")
    assert drawing(state) == tidy("""
           y g . g
          . . . .
         y . . .
        r . . r
    """)
    assert state.position == "yg1g/4/y3/r2r r"


@pytest.mark.clause("x.1")
@pytest.mark.parametrize("size", [1, 20, 0, -3, 4.0, "10", True, None])
def test_size_outside_its_bounds_is_refused(size: object) -> None:
    with pytest.raises(skerry.OptionsError) as caught:
        skerry.make("x", size=size)
    assert str(caught.value) == f"x: size must be a whole number from 2 to 19, not {size!r}"


@pytest.mark.clause("x.1")
def test_unknown_option_is_answered_with_the_known_ones() -> None:
    with pytest.raises(skerry.OptionsError) as caught:
        skerry.make("x", side=5)
    assert str(caught.value) == "x has no option 'side'; there is size"


@pytest.mark.clause("x.1")
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("3/3/3", "position of X has 2 fields (rows, seat to move), not 1: '3/3/3'"),
        ("3/3/3 r 0", "position of X has 2 fields (rows, seat to move), not 3: '3/3/3 r 0'"),
        ("3/3/3 b", "'b' is no seat: use one of r, y, g"),
        ("3/3/3 ry", "'ry' is no seat: use one of r, y, g"),
        ("3/3 r", "3 rows are needed, 2 are given"),
        ("3/r1/3 r", "row 2 from the top has 2 cells, not 3: 'r1'"),
        ("3/3/ryg1 r", "row 3 from the top has 4 cells, not 3: 'ryg1'"),
        ("4/3/3 r", "a run of 4 empty cells does not fit in '4'"),
        ("3/1b1/3 r", "'b' means nothing here: use one of 'ryg'"),
        ("3/1R1/3 r", "'R' means nothing here: use one of 'ryg'"),
    ],
)
def test_damaged_position_text_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(skerry.PositionError) as caught:
        skerry.make("x", size=3).position(text)
    assert str(caught.value).endswith(complaint)


# x.2: placement.


@pytest.mark.clause("x.2")
def test_game_starts_empty_with_red() -> None:
    state = skerry.make("x", size=3).initial()
    assert drawing(state) == tidy("""
          . . .
         . . .
        . . .
    """)
    assert state.game.seats == ("Red", "Yellow", "Green")
    assert state.to_move == 0


@pytest.mark.clause("x.2")
def test_red_yellow_and_green_take_turns_with_one_stone_each() -> None:
    state = skerry.make("x", size=4).initial()
    seats = []
    for move in ["b2", "b3", "c2", "c3"]:
        seats.append(state.to_move)
        state = state.play(move)
    assert seats == [0, 1, 2, 0]
    assert state.to_move == 1
    assert drawing(state) == tidy("""
           . . . .
          . g r .
         . r y .
        . . . .
    """)


@pytest.mark.clause("x.2")
def test_every_empty_cell_is_legal_and_no_other() -> None:
    start = skerry.make("x").initial()
    assert [str(move) for move in start.legal_moves()] == list(start.game.board.names)
    state = board(
        """
          . . g
         . y .
        r . .
        """
    )
    assert [str(move) for move in state.legal_moves()] == ["a2", "a3", "b1", "b3", "c1", "c2"]


@pytest.mark.clause("x.2")
@pytest.mark.parametrize(
    ("cell", "complaint"),
    [
        ("a1", "a1 already holds a red stone"),
        ("b2", "b2 already holds a yellow stone"),
        ("c3", "c3 already holds a green stone"),
    ],
)
@pytest.mark.parametrize("to_move", ["r", "y", "g"])
def test_occupied_cell_is_refused(cell: str, complaint: str, to_move: str) -> None:
    state = board(
        """
          . . g
         . y .
        r . .
        """,
        to_move,
    )
    assert illegal(state, cell) == complaint
    assert illegal(state, state.game.board.cell(cell)) == complaint


@pytest.mark.clause("x.2")
@pytest.mark.parametrize("text", ["k1", "a11", "a0", "a", "pass", "a1-b1", ""])
def test_text_that_names_no_cell_is_refused(text: str) -> None:
    complaint = f"{text!r} is no cell of this board: cells run from a1 to j10"
    assert invalid(skerry.make("x").initial(), text) == complaint


@pytest.mark.clause("x.2")
def test_text_that_is_far_from_a_move_is_refused() -> None:
    state = skerry.make("x").initial()
    assert invalid(state, "ä1") == "'ä1' is no move of X"
    complaint = invalid(state, "a1" * 50)
    assert complaint.startswith("'a1a1a1a1")
    assert complaint.endswith("...' is no move of X")
    assert len(complaint) < 70


@pytest.mark.clause("x.2")
def test_action_outside_the_board_is_refused() -> None:
    state = skerry.make("x").initial()
    assert invalid(state, 100) == "action 100 is not from 0 to 99"
    assert invalid(state, -1) == "action -1 is not from 0 to 99"


@pytest.mark.clause("x.2")
@pytest.mark.parametrize(
    ("move", "kind"), [(None, "NoneType"), (1.0, "float"), (True, "bool"), (["a1"], "list")]
)
def test_move_of_another_type_is_refused(move: object, kind: str) -> None:
    complaint = f"a move is text, a Move or an action, not {kind}"
    assert invalid(skerry.make("x").initial(), move) == complaint


@pytest.mark.clause("x.2")
def test_text_move_and_action_do_the_same() -> None:
    state = skerry.make("x").initial()
    expected = state.play("d4")
    assert state.play(state.parse("d4")) == expected
    assert state.play(33) == expected  # three rows of ten, then the fourth cell
    assert state.play(" D4 ") == expected


# x.3: who owns a corner. The boards are full, so that nothing is left to settle.


@pytest.mark.clause("x.3")
def test_single_stone_on_the_corner_cell_is_a_path() -> None:
    # Green touches no cell of row a and red none of number 1: only yellow connects the left sides.
    state = board(
        """
          g g g
         g g r
        y r r
        """
    )
    assert owners(state) == "yggr"


@pytest.mark.clause("x.3")
def test_single_stones_own_opposite_corners() -> None:
    state = board(
        """
          r r y
         r y g
        y g g
        """
    )
    assert owners(state) == "yryg"


@pytest.mark.clause("x.3")
def test_two_stones_around_the_left_corner_cell_touch_and_take_it() -> None:
    state = board(
        """
          y y g
         r y g
        y r g
        """
    )
    assert owners(state) == "rygg"


@pytest.mark.clause("x.3")
def test_two_stones_beside_the_top_corner_cell_do_not_touch() -> None:
    # Red's stones lie on both sides of the top, but yellow runs out between them.
    state = board(
        """
          y r g
         r y g
        y g g
        """
    )
    assert owners(state) == "yygg"


@pytest.mark.clause("x.3")
def test_three_stones_around_the_top_corner_cell_take_it() -> None:
    state = board(
        """
          y r g
         r r g
        y g g
        """
    )
    assert owners(state) == "yrgg"


# In each of these boards one corner cell is green, two yellow stones and more surround it, and a
# red path surrounds them all: red owns that corner.
NESTED = {
    "left": (
        """
           y y y y
          r y g g
         y r g g
        g y r g
        """,
        "ryyg",
    ),
    "top": (
        """
           g y r y
          y y r y
         r r r y
        g g g y
        """,
        "gryy",
    ),
    "right": (
        """
           g r y g
          g g r y
         g g y r
        y y y y
        """,
        "ygry",
    ),
    "bottom": (
        """
           y g g g
          y r r r
         y r y y
        y r y g
        """,
        "yygr",
    ),
}


@pytest.mark.clause("x.3")
@pytest.mark.parametrize("corner", NESTED)
def test_outermost_of_three_nested_paths_owns_the_corner(corner: str) -> None:
    rows, expected = NESTED[corner]
    assert owners(board(rows)) == expected


@pytest.mark.clause("x.3")
def test_inner_path_owns_the_corner_when_the_outer_one_has_a_gap() -> None:
    # The left board from above with b2 green: red's stones no longer connect anything.
    state = board(
        """
           y y y y
          r y g g
         y g g g
        g y r g
        """
    )
    assert owners(state) == "yyyg"


@pytest.mark.clause("x.3")
def test_what_lies_inside_a_path_does_not_matter() -> None:
    rows = """
           y y y y
          r y g g
         {} r g g
        {} {} r g
    """
    for inside in product("ryg", repeat=3):
        assert owners(board(rows.format(*inside))) == "ryyg"


@pytest.mark.clause("x.3")
def test_lopsided_path_is_outermost_by_its_reach_along_either_side() -> None:
    # At the left corner red reaches b1 and a4, yellow only a1 and a3.
    state = board(
        """
           g g g g
          g g g g
         r r r g
        y y y r
        """
    )
    assert owners(state) == "rggr"


@pytest.mark.clause("x.3")
def test_path_may_run_along_the_side_itself() -> None:
    # All of row a is yellow: nobody else touches that side of the left and the bottom corner.
    state = board(
        """
           g g g g
          g g r r
         g r r r
        y y y y
        """
    )
    assert owners(state) == "yggy"


@pytest.mark.clause("x.3")
def test_path_around_a_corner_may_go_all_the_way_along_the_far_sides() -> None:
    # From a1 through the bottom corner to c3 green surrounds the top.
    state = board(
        """
          y r g
         r y g
        g g g
        """
    )
    assert owners(state) == "gggg"


@pytest.mark.clause("x.3")
def test_rival_stones_between_the_ends_of_a_group_do_not_matter() -> None:
    # Red touches the sides of the left corner at b1 and a2 and, outermost, at d1 and a4; the green
    # stones between on c1 and a3 connect nothing.
    state = board(
        """
            y y y y y
           r y y y g
          g r y y g
         r r r y g
        y r g r g
        """
    )
    assert owners(state) == "ryyg"


# x.4: settled corners, and the end of the game.


@pytest.mark.clause("x.4")
def test_nothing_is_settled_at_the_start() -> None:
    state = skerry.make("x", size=2).initial()
    assert not state.is_over
    assert state.outcome is None


@pytest.mark.clause("x.4")
def test_game_may_last_until_the_board_is_full() -> None:
    # Whoever gets b2 owns the right corner: red's b1 and yellow's a2 touch one of its sides each.
    state = play_all(skerry.make("x", size=2).initial(), "b1 a2 a1")
    assert drawing(state) == tidy("""
         r .
        g y
    """)
    assert not state.is_over
    state = state.play("b2")
    assert state.to_move is None
    assert owners(state) == "grry"


# Row d is green, so nobody else connects the sides of top and right. The left corner is open, and
# the bottom as well: at a1 green could come to row a and so surround it.
LEFT_CORNER_CELL_EMPTY = """
       g g g g
      g . . r
     g . . r
    . r r r
"""


@pytest.mark.clause("x.4")
@pytest.mark.parametrize(("seat", "expected"), [("r", "rggr"), ("y", "yggr"), ("g", "gggg")])
def test_corner_without_a_path_is_open_and_one_stone_can_settle_it(
    seat: str, expected: str
) -> None:
    state = board(LEFT_CORNER_CELL_EMPTY, seat)
    assert not state.is_over
    state = state.play("a1")
    assert owners(state) == expected
    assert drawing(state).count(".") == 4


# Yellow has a path at the left corner, a1, but red can still surround it at b1. Top and right are
# green's for good, the bottom is red's.
LEFT_CORNER_CAN_BE_SURROUNDED = """
       g g g g
      g . . r
     . . . r
    y r r r
"""


@pytest.mark.clause("x.4")
@pytest.mark.parametrize(("seat", "expected"), [("r", "rggr"), ("y", "yggr"), ("g", "yggr")])
def test_path_that_others_can_surround_is_open_until_the_gap_is_closed(
    seat: str, expected: str
) -> None:
    state = board(LEFT_CORNER_CAN_BE_SURROUNDED, seat)
    assert not state.is_over
    state = state.play("b1")
    assert owners(state) == expected
    assert drawing(state).count(".") == 4


@pytest.mark.clause("x.4")
@pytest.mark.parametrize("cell", ["b2", "b3", "c2", "c3"])
@pytest.mark.parametrize("seat", ["r", "y", "g"])
def test_stones_that_do_not_close_the_gap_do_not_end_the_game(seat: str, cell: str) -> None:
    assert not board(LEFT_CORNER_CAN_BE_SURROUNDED, seat).play(cell).is_over


@pytest.mark.clause("x.4")
def test_corner_stone_that_nobody_can_surround_is_settled() -> None:
    # As in figure 5 of the sheet: yellow cannot come to row d, nor green to number 1.
    state = board(
        """
           r g g g
          y y . g
         y . . r
        y y r r
        """
    )
    assert owners(state) == "yrgr"
    assert drawing(state).count(".") == 3


@pytest.mark.clause("x.4")
def test_corner_stone_that_somebody_can_surround_is_open() -> None:
    # The same board with d2 empty: there yellow could surround the top.
    rows = """
           r . g g
          y y . g
         y . . r
        y y r r
    """
    assert not board(rows).is_over
    assert owners(board(rows, "g").play("d2")) == "yrgr"
    assert owners(board(rows, "y").play("d2")) == "yygr"


@pytest.mark.clause("x.4", "x.5")
def test_cross_settles_all_corners_on_an_almost_empty_board() -> None:
    # As in figure 2 of the sheet. Before the last stone others can still pass at c3.
    state = board(
        """
            . . r . .
           . . r . .
          r r . r r
         . . r . .
        . . r . .
        """
    )
    assert not state.is_over
    assert not state.play("a1").is_over
    state = state.play("c3")
    assert owners(state) == "rrrr"
    assert ended(state).score == (4, 0, 0)


@pytest.mark.clause("x.4")
def test_cross_with_a_rival_stone_in_its_middle_leaves_corners_open() -> None:
    state = board(
        """
            . . r . .
           . . r . .
          r r y r r
         . . r . .
        . . r . .
        """
    )
    assert not state.is_over


@pytest.mark.clause("x.4", "x.5")
def test_line_from_top_to_bottom_ends_the_game_on_the_large_board() -> None:
    state = board(
        """
                 r . . . . . . . . .
                . r . . . . . . . .
               . . r . . . . . . .
              . . . r . . . . . .
             . . . . r . . . . .
            . . . . . . . . . .
           . . . . . . r . . .
          . . . . . . . r . .
         . . . . . . . . r .
        . . . . . . . . . r
        """
    )
    assert not state.is_over
    assert not state.play("e5").is_over
    assert not state.play("f6").is_over
    assert owners(state.play("e6")) == "rrrr"


@pytest.mark.clause("x.4", "x.5")
def test_line_from_left_to_right_needs_stones_that_touch() -> None:
    # The cells a1, b2, c3 and d4 do not touch each other.
    state = board(
        """
           . . . r
          . . r .
         . r . .
        r . . .
        """
    )
    assert not state.is_over
    state = board(
        """
           . . . r
          . . r r
         . r r .
        r . . .
        """
    )
    assert not state.is_over
    assert not state.play("b4").is_over
    assert owners(state.play("a2")) == "rrrr"
    assert owners(state.play("b1")) == "rrrr"


@pytest.mark.clause("x.4")
def test_settling_one_corner_can_leave_another_open() -> None:
    # The board from above with red on d2: the top is red's, but from d2 through c3 to b4 red could
    # now surround the right corner.
    state = board(
        """
           r r g g
          y y . g
         y . . r
        y y r r
        """,
        "y",
    )
    assert not state.is_over
    assert not state.play("b2").is_over
    assert not state.play("b3").is_over
    assert owners(state.play("c3")) == "yrgr"


@pytest.mark.clause("x.4")
def test_game_over_is_seen_in_position_text_too() -> None:
    state = play_all(skerry.make("x", size=3).initial(), "c1 a1 c3 b2 b1 b3 a3")
    assert state.position == "r1g/yrg/y1r y"
    again = state.game.position(state.position)
    assert again.is_over
    assert again.outcome == state.outcome


@pytest.mark.clause("x.4")
def test_nothing_can_be_played_after_the_end_although_cells_are_empty() -> None:
    state = play_all(skerry.make("x", size=3).initial(), "c1 a1 c3 b2 b1 b3 a3")
    assert state.is_over
    assert state.to_move is None
    assert state.legal_moves() == ()
    assert illegal(state, "c2") == "'c2' cannot be played: the game is over"
    assert illegal(state, state.game.board.cell("c2")) == "the game is over"


# x.5: the winner.


@pytest.mark.clause("x.4", "x.5")
def test_short_game_from_the_first_stone_to_the_last() -> None:
    state = play_all(skerry.make("x", size=3).initial(), "c1 a1 c3 b2 b1 b3")
    assert drawing(state) == tidy("""
          r . g
         y r g
        y . .
    """)
    assert not state.is_over
    state = state.play("a3")
    assert drawing(state) == tidy("""
          r . g
         y r g
        y . r
    """)
    assert state.outcome == skerry.Outcome((1.0, -0.5, -0.5), 0, (4, 0, 0), "Red wins 4-0-0")


# Full boards: the drawing, the owners, and the outcome.
FULL_BOARDS = {
    "4-0-0, red": (
        """
          r y g
         g r y
        y g r
        """,
        "rrrr",
        (4, 0, 0),
        0,
        "Red wins 4-0-0",
    ),
    "4-0-0, yellow": (
        """
          r r y
         g y y
        y y r
        """,
        "yyyy",
        (0, 4, 0),
        1,
        "Yellow wins 4-0-0",
    ),
    "4-0-0, green": (
        """
          y r g
         r y g
        g g g
        """,
        "gggg",
        (0, 0, 4),
        2,
        "Green wins 4-0-0",
    ),
    "3-1-0, red": (
        """
          r r r
         y r g
        r g g
        """,
        "rrrg",
        (3, 0, 1),
        0,
        "Red wins 3-1-0",
    ),
    "3-1-0, yellow": (
        """
           y y y y
          r y g g
         y g g g
        g y r g
        """,
        "yyyg",
        (0, 3, 1),
        1,
        "Yellow wins 3-1-0",
    ),
    "3-1-0, green": (
        """
          y y g
         y g r
        g g g
        """,
        "gygg",
        (0, 1, 3),
        2,
        "Green wins 3-1-0",
    ),
    "2-1-1, red with adjacent corners": (
        """
          r r r
         y r r
        y y g
        """,
        "yrrg",
        (2, 1, 1),
        0,
        "Red wins 2-1-1",
    ),
    "2-1-1, yellow with adjacent corners": (
        """
          y g g
         y y g
        y r r
        """,
        "yygr",
        (1, 2, 1),
        1,
        "Yellow wins 2-1-1",
    ),
    "2-1-1, green with adjacent corners": (
        """
          g g g
         g g r
        y r r
        """,
        "yggr",
        (1, 1, 2),
        2,
        "Green wins 2-1-1",
    ),
    "2-1-1, red with opposite corners": (
        """
          r g g
         y y g
        y r r
        """,
        "yrgr",
        (2, 1, 1),
        0,
        "Red wins 2-1-1",
    ),
    "2-1-1, yellow with opposite corners": (
        """
          r r y
         r y g
        y g g
        """,
        "yryg",
        (1, 2, 1),
        1,
        "Yellow wins 2-1-1",
    ),
    "2-1-1, green with opposite corners": (
        """
          g y y
         r r y
        r g g
        """,
        "rgyg",
        (1, 1, 2),
        2,
        "Green wins 2-1-1",
    ),
    "0-2-2, red against adjacent corners": (
        """
          y r g
         r y g
        y g g
        """,
        "yygg",
        (0, 2, 2),
        0,
        "Red wins 0-2-2",
    ),
    "0-2-2, yellow against adjacent corners": (
        """
          g g g
         g g r
        r r r
        """,
        "rggr",
        (2, 0, 2),
        1,
        "Yellow wins 0-2-2",
    ),
    "0-2-2, green against adjacent corners": (
        """
          r r y
         r g y
        r y y
        """,
        "rryy",
        (2, 2, 0),
        2,
        "Green wins 0-2-2",
    ),
    "0-2-2, red against opposite corners": (
        """
          g y y
         y r g
        y g g
        """,
        "ygyg",
        (0, 2, 2),
        0,
        "Red wins 0-2-2",
    ),
    "0-2-2, yellow against opposite corners": (
        """
           r r g g
          r y y g
         g y y r
        g g r r
        """,
        "grgr",
        (2, 0, 2),
        1,
        "Yellow wins 0-2-2",
    ),
    "0-2-2, green against opposite corners": (
        """
          r y y
         y g r
        y r r
        """,
        "yryr",
        (2, 2, 0),
        2,
        "Green wins 0-2-2",
    ),
}


@pytest.mark.clause("x.3", "x.5")
@pytest.mark.parametrize("case", FULL_BOARDS)
def test_full_board_is_won_by_the_maximum_unique_number_of_corners(case: str) -> None:
    rows, expected, score, winner, reason = FULL_BOARDS[case]
    state = board(rows)
    assert owners(state) == expected
    outcome = ended(state)
    assert outcome.score == score
    assert outcome.winner == winner
    assert outcome.reason == reason


@pytest.mark.clause("x.5", "x.6")
@pytest.mark.parametrize("case", FULL_BOARDS)
def test_winner_takes_one_and_the_others_lose_half_each(case: str) -> None:
    rows, _, _, winner, _ = FULL_BOARDS[case]
    expected = [-0.5, -0.5, -0.5]
    expected[winner] = 1.0
    assert ended(board(rows)).returns == tuple(expected)


@pytest.mark.clause("x.5")
@pytest.mark.parametrize("to_move", ["r", "y", "g"])
def test_winner_does_not_depend_on_whose_turn_it_would_be(to_move: str) -> None:
    rows, _, score, winner, _ = FULL_BOARDS["0-2-2, red against adjacent corners"]
    outcome = ended(board(rows, to_move))
    assert (outcome.score, outcome.winner) == (score, winner)


# x.6: no draws.


@pytest.mark.clause("x.3", "x.5", "x.6")
@pytest.mark.parametrize("stones", ["".join(stones) for stones in product("ryg", repeat=4)])
def test_every_full_board_of_size_two_has_one_winner(stones: str) -> None:
    outcome = ended(board(f"{stones[:2]}\n{stones[2:]}"))
    assert outcome.score is not None
    assert sorted(outcome.score) in ([0, 0, 4], [0, 1, 3], [1, 1, 2], [0, 2, 2])
    unique = [n for n in outcome.score if outcome.score.count(n) == 1]
    assert outcome.winner == outcome.score.index(max(unique))
    assert sorted(outcome.returns) == [-0.5, -0.5, 1.0]
