"""The rules of Skirt, clause by clause, on boards worked out by hand.

``w`` is White, ``b`` Black. The hexes of a board of side 3, whose inner area is b2 b3 c2 c3 c4 d2
d3, and the six sides with their middle hexes::

        e1 e2 e3             top e2
      d1 d2 d3 d4       upper left d1, upper right d4
    c1 c2 c3 c4 c5
      b1 b2 b3 b4       lower left b1, lower right b4
        a1 a2 a3            bottom a2
"""

from itertools import combinations

import pytest

import skerry
from support.diagrams import drawing, marked, position, tidy
from support.refusals import illegal

TINY = skerry.make("skirt", side=2)
SMALL = skerry.make("skirt", side=3)
MIDDLE = skerry.make("skirt", side=4)
BIG = skerry.make("skirt")


def legal(state: skerry.State) -> set[str]:
    return {str(move) for move in state.legal_moves()}


def reached(state: skerry.State) -> set[str]:
    """The inner hexes where the seat to move may place; the outer ones are those of the opening."""
    return legal(state) - legal(state.game.initial())


def middle_row(row: str) -> str:
    """A drawing of side 4 with nothing but this middle row, d1 to d7."""
    empty = [". " * length for length in (4, 5, 6)]
    return "\n".join([*empty, row, *reversed(empty)])


def swapped(board: str) -> str:
    """The drawing with White's and Black's pieces exchanged."""
    return board.translate(str.maketrans("wb", "bw"))


# skirt.1: the board


@pytest.mark.clause("skirt.1", "skirt.2")
def test_the_outer_area_at_side_2_is_all_but_the_centre() -> None:
    assert marked(TINY.initial()) == tidy("""
           o o
          o . o
           o o
    """)


@pytest.mark.clause("skirt.1", "skirt.2")
def test_the_outer_area_at_side_3() -> None:
    assert marked(SMALL.initial()) == tidy("""
            o o o
           o . . o
          o . . . o
           o . . o
            o o o
    """)


@pytest.mark.clause("skirt.1", "skirt.2")
def test_the_outer_area_at_side_6() -> None:
    assert marked(BIG.initial()) == tidy("""
             o o o o o o
            o . . . . . o
           o . . . . . . o
          o . . . . . . . o
         o . . . . . . . . o
        o . . . . . . . . . o
         o . . . . . . . . o
          o . . . . . . . o
           o . . . . . . o
            o . . . . . o
             o o o o o o
    """)


@pytest.mark.clause("skirt.1")
@pytest.mark.parametrize(
    ("side", "outer", "inner"),
    [(2, 6, 1), (3, 12, 7), (4, 18, 19), (6, 30, 61), (12, 66, 331)],
)
def test_the_outer_area_is_one_hex_wide_at_every_size(side: int, outer: int, inner: int) -> None:
    game = skerry.make("skirt", side=side)
    assert len(legal(game.initial())) == outer
    assert len(game.board) == outer + inner


@pytest.mark.clause("skirt.1")
def test_what_there_is_to_see_tells_the_outer_area_apart() -> None:
    outer = {SMALL.board.names[cell] for cell in SMALL.initial().scene().zones}
    assert outer == legal(SMALL.initial())


# skirt.2: the opening


@pytest.mark.clause("skirt.2")
@pytest.mark.parametrize("hex_name", ["a1", "a2", "b4", "c5", "e2", "d1"])
def test_whites_first_turn_is_one_outer_piece(hex_name: str) -> None:
    state = SMALL.initial()
    assert state.to_move == 0
    state = state.play(hex_name)
    assert state.to_move == 1
    assert drawing(state).count("w") == 1
    assert state.position.endswith(" b - 0")


@pytest.mark.clause("skirt.2")
@pytest.mark.parametrize("hex_name", ["b2", "b3", "c2", "c3", "c4", "d2", "d3"])
def test_the_first_piece_may_not_go_on_an_inner_hex(hex_name: str) -> None:
    reason = f"the first piece goes on an outer hex, and {hex_name} is an inner one"
    assert illegal(SMALL.initial(), hex_name) == reason


@pytest.mark.clause("skirt.2")
def test_whites_first_turn_has_no_second_placement() -> None:
    reason = "'a1-b2' is more than one turn: a1 ends it"
    assert illegal(SMALL.initial(), "a1-b2") == reason


@pytest.mark.clause("skirt.2", "skirt.3")
def test_black_places_two_pieces_already_in_its_first_turn() -> None:
    state = SMALL.initial().play("a1").play("e2")
    assert state.to_move == 1
    assert state.play("d2").to_move == 0


@pytest.mark.clause("skirt.2", "skirt.6")
def test_white_may_not_pass_the_first_turn() -> None:
    assert illegal(SMALL.initial(), "pass") == "you cannot pass while you can place a piece"


# skirt.3: the two ways to take a turn

AFTER_TWO_TURNS = """
        . b .
       . b . .
      . . . . .
       . . . .
        w . .
"""


@pytest.mark.clause("skirt.3")
def test_a_turn_begins_on_the_rim_or_inwards_from_an_own_outer_piece() -> None:
    # From a1 the only line inwards is b2, c3, d3.
    assert marked(position(SMALL, AFTER_TWO_TURNS, "w", "-", 0)) == tidy("""
            o b o
           o b o o
          o . o . o
           o o . o
            w o o
    """)


@pytest.mark.clause("skirt.3")
def test_after_an_outer_piece_the_same_seat_places_on_a_line_from_it() -> None:
    state = position(SMALL, AFTER_TWO_TURNS, "w", "-", 0).play("b4")
    assert state.to_move == 0
    assert marked(state) == tidy("""
            . b .
           . b o .
          . . . o .
           . o o w
            w . .
    """)
    state = state.play("c4")
    assert state.to_move == 1
    assert drawing(state) == tidy("""
            . b .
           . b . .
          . . . w .
           . . . w
            w . .
    """)


@pytest.mark.clause("skirt.3")
def test_the_second_piece_goes_on_a_line_from_the_piece_just_placed_only() -> None:
    # c3 is on the line from a1, but the piece just placed is b4.
    state = position(SMALL, AFTER_TWO_TURNS, "w", "-", 0).play("b4")
    assert illegal(state, "c3") == "no line from b4, just placed, reaches c3"


@pytest.mark.clause("skirt.3")
@pytest.mark.parametrize("hex_name", ["c1", "a3", "c5"])
def test_the_second_piece_may_not_be_an_outer_one(hex_name: str) -> None:
    state = position(SMALL, AFTER_TWO_TURNS, "w", "-", 0).play("b4")
    reason = f"your second piece goes on an inner hex, and {hex_name} is an outer one"
    assert illegal(state, hex_name) == reason


@pytest.mark.clause("skirt.3", "skirt.6")
def test_the_second_piece_may_not_be_left_out() -> None:
    state = position(SMALL, AFTER_TWO_TURNS, "w", "-", 0).play("b4")
    assert illegal(state, "pass") == "you cannot pass while you can place a piece"


@pytest.mark.clause("skirt.3")
def test_skipping_the_outer_piece_makes_a_turn_of_one_piece() -> None:
    state = position(SMALL, AFTER_TWO_TURNS, "w", "-", 0).play("c3")
    assert state.to_move == 1
    assert drawing(state) == tidy("""
            . b .
           . b . .
          . . w . .
           . . . .
            w . .
    """)


@pytest.mark.clause("skirt.3")
def test_skipping_is_open_from_every_own_outer_piece() -> None:
    # a2 reaches b2, c2 and b3, c4; d1 reaches d2, d3 and c2, b2.
    board = """
            . . .
           w . . .
          . . . . .
           . . . .
            . w .
    """
    state = position(SMALL, board, "w", "-", 0)
    assert reached(state) == {"b2", "c2", "b3", "c4", "d2", "d3"}
    assert illegal(state, "c3") == "no line from your outer pieces reaches c3"


@pytest.mark.clause("skirt.3")
def test_inner_pieces_and_the_opponents_pieces_reach_nothing() -> None:
    # White's only outer piece is a2: b2, c2 and b3, c4. White's c3 and Black's d1 are next to d2.
    board = """
            . . .
           b . . .
          . . w . .
           . . . .
            . w .
    """
    state = position(SMALL, board, "w", "-", 0)
    assert reached(state) == {"b2", "c2", "b3", "c4"}
    assert illegal(state, "d2") == "no line from your outer pieces reaches d2"


@pytest.mark.clause("skirt.3")
def test_without_an_outer_piece_there_is_nothing_to_skip_to() -> None:
    state = SMALL.initial().play("a1")
    assert reached(state) == set()
    assert illegal(state, "b2") == "no line from your outer pieces reaches b2"


@pytest.mark.clause("skirt.3")
@pytest.mark.parametrize(
    ("hex_name", "colour"), [("a1", "white"), ("e2", "black"), ("d2", "black")]
)
def test_a_hex_with_a_piece_is_refused(hex_name: str, colour: str) -> None:
    state = position(SMALL, AFTER_TWO_TURNS, "w", "-", 0)
    assert illegal(state, hex_name) == f"{hex_name} already holds a {colour} piece"


@pytest.mark.clause("skirt.3")
def test_a_hex_with_a_piece_is_refused_for_the_second_piece_too() -> None:
    state = position(SMALL, AFTER_TWO_TURNS, "w", "-", 0).play("d1")
    assert illegal(state, "d2") == "d2 already holds a black piece"


@pytest.mark.clause("skirt.3")
def test_a_whole_turn_may_be_written_at_once() -> None:
    state = SMALL.initial().play("a1")
    assert state.play("e2-d2") == state.play("e2").play("d2")
    assert state.play("E2 - D2") == state.play("e2-d2")


@pytest.mark.clause("skirt.3")
def test_a_whole_turn_is_played_from_the_position_in_which_it_begins() -> None:
    state = SMALL.initial().play("a1").play("e2-d2").play("b4-c4").play("d3")
    assert state.to_move == 0
    assert drawing(state) == tidy("""
            . b .
           . b b .
          . . . w .
           . . . w
            w . .
    """)


@pytest.mark.clause("skirt.3")
@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        ("b4-c3", "no line from b4, just placed, reaches c3"),
        ("b4-c5", "your second piece goes on an inner hex, and c5 is an outer one"),
        ("c2-b4", "no line from your outer pieces reaches c2"),
        ("e2-d3", "e2 already holds a black piece"),
    ],
)
def test_a_whole_turn_with_an_illegal_part_is_refused_for_that_part(turn: str, reason: str) -> None:
    assert illegal(position(SMALL, AFTER_TWO_TURNS, "w", "-", 0), turn) == reason


@pytest.mark.clause("skirt.3")
@pytest.mark.parametrize(
    ("turn", "end"),
    [("b4-b3-b2", "b4-b3"), ("b4-b3-e1", "b4-b3"), ("c3-b4", "c3"), ("c3-b2", "c3")],
)
def test_more_than_a_turn_may_not_be_written_at_once(turn: str, end: str) -> None:
    state = position(SMALL, AFTER_TWO_TURNS, "w", "-", 0)
    assert illegal(state, turn) == f"{turn!r} is more than one turn: {end} ends it"


@pytest.mark.parametrize(
    ("text", "part"), [("e4", "e4"), ("b4-z9", "z9"), ("", ""), ("a1b2", "a1b2")]
)
def test_a_hex_that_is_not_on_the_board_cannot_be_read(text: str, part: str) -> None:
    with pytest.raises(skerry.InvalidMove) as caught:
        position(SMALL, AFTER_TWO_TURNS, "w", "-", 0).play(text)
    assert str(caught.value) == f"{part!r} is no cell of this board: cells run from a1 to e3"


# skirt.4: what is reachable

REACHES = [
    pytest.param("w . . . . . .", "w o o o o o .", id="all of an empty line, not the far rim"),
    pytest.param("w . . b . . .", "w o o b . . .", id="up to an opponent's piece"),
    pytest.param("w . . w . . .", "w o o w . . .", id="up to an own piece"),
    pytest.param("w . . . . b b", "w o o o o b b", id="up to the last piece"),
    pytest.param("w . b . . . .", "w o b . . . .", id="no jump after a gap"),
    pytest.param("w . b w b . .", "w o b w b . .", id="no jump over a run after a gap"),
    pytest.param("w b . . . . .", "w b o o o o .", id="jump over an opponent's piece"),
    pytest.param("w w . . . . .", "w w o o o o .", id="jump over an own piece"),
    pytest.param("w b w b . . .", "w b w b o o .", id="jump over a run of both colours"),
    pytest.param("w b w b w . .", "w b w b w o .", id="jump over a long run"),
    pytest.param("w b . b . . .", "w b o b . . .", id="no second jump"),
    pytest.param("w b . . w b .", "w b o o w b .", id="no second jump over a run"),
    pytest.param("w w b . w . b", "w w b o w . b", id="one jump, then up to the next piece"),
]


@pytest.mark.clause("skirt.4")
@pytest.mark.parametrize(("row", "marks"), REACHES)
def test_reach_from_the_piece_just_placed(row: str, marks: str) -> None:
    assert marked(position(MIDDLE, middle_row(row), "w", "d1", 0)) == tidy(middle_row(marks))


@pytest.mark.clause("skirt.4")
@pytest.mark.parametrize(("row", "marks"), REACHES)
def test_reach_from_the_other_end_of_the_line(row: str, marks: str) -> None:
    state = position(MIDDLE, middle_row(row[::-1]), "w", "d7", 0)
    assert marked(state) == tidy(middle_row(marks[::-1]))


@pytest.mark.clause("skirt.4", "skirt.3")
@pytest.mark.parametrize("end", ["d1", "d7"])
@pytest.mark.parametrize(("row", "marks"), REACHES)
def test_reach_from_an_outer_piece_placed_before(row: str, marks: str, end: str) -> None:
    if end == "d7":
        row, marks = row[::-1], marks[::-1]
    names = ("d1", "d2", "d3", "d4", "d5", "d6", "d7")
    expected = {name for name, mark in zip(names, marks.split(), strict=True) if mark == "o"}
    assert reached(position(MIDDLE, middle_row(row), "w", "-", 0)) == expected


@pytest.mark.clause("skirt.4")
@pytest.mark.parametrize(("row", "marks"), REACHES)
def test_black_reaches_what_white_would(row: str, marks: str) -> None:
    state = position(MIDDLE, middle_row(swapped(row)), "b", "d1", 0)
    assert marked(state) == tidy(middle_row(swapped(marks)))


@pytest.mark.clause("skirt.4", "skirt.1")
@pytest.mark.parametrize(
    ("corner", "line"),
    [
        ("a1", {"b2", "c3", "d4", "e4", "f4"}),
        ("a4", {"b4", "c4", "d4", "e3", "f2"}),
        ("d1", {"d2", "d3", "d4", "d5", "d6"}),
        ("d7", {"d2", "d3", "d4", "d5", "d6"}),
        ("g1", {"b4", "c4", "d4", "e3", "f2"}),
        ("g4", {"b2", "c3", "d4", "e4", "f4"}),
    ],
)
def test_a_corner_has_exactly_one_line_inwards(corner: str, line: set[str]) -> None:
    opening = "d1" if corner != "d1" else "d7"
    assert legal(MIDDLE.initial().play(opening).play(corner)) == line


@pytest.mark.clause("skirt.4")
def test_an_outer_hex_between_corners_has_two_lines_inwards_and_none_along_the_rim() -> None:
    board = """
               . . . .
              . . . . .
             . . . . . .
            . . . . . . .
             . . . . . .
              . . . . .
               . w . .
    """
    assert marked(position(MIDDLE, board, "w", "a2", 0)) == tidy("""
               . . . .
              . . . . .
             . . . . o .
            . o . . o . .
             . o . o . .
              . o o . .
               . w . .
    """)


@pytest.mark.clause("skirt.4")
def test_lines_may_run_beside_the_rim_but_end_before_it() -> None:
    board = """
               . . . .
              . . . . .
             . . . . . .
            . . . . . . .
             . . . . . .
              w . . . .
               . . . .
    """
    assert marked(position(MIDDLE, board, "w", "b1", 0)) == tidy("""
               . . . .
              . . o . .
             . . o . . .
            . . o . . . .
             . o . . . .
              w o o o .
               . . . .
    """)


@pytest.mark.clause("skirt.4")
def test_each_line_has_a_jump_of_its_own() -> None:
    board = """
               . . . .
              . . . . .
             . . . . . .
            . . . . w . .
             . b . . . .
              . w b . .
               . w . .
    """
    assert marked(position(MIDDLE, board, "w", "a2", 0)) == tidy("""
               . . . .
              . . . . .
             . . . . . .
            . o . . w . .
             . b . o . .
              . w b . .
               . w . .
    """)


@pytest.mark.clause("skirt.4", "skirt.1")
def test_at_side_2_every_outer_hex_reaches_the_centre_and_nothing_else() -> None:
    outer = ("a1", "a2", "b1", "b3", "c1", "c2")
    for first, second in zip(outer, outer[::-1], strict=True):
        assert legal(TINY.initial().play(first).play(second)) == {"b2"}


@pytest.mark.clause("skirt.4")
def test_the_longest_line_there_is() -> None:
    game = skerry.make("skirt", side=12)
    assert legal(game.initial().play("a1").play("l1")) == {f"l{n}" for n in range(2, 23)}


@pytest.mark.clause("skirt.4")
def test_the_longest_jump_there_is() -> None:
    rows = [*range(12, 23), "bwwbwbbwbwwbwbbwbwwbw2", *range(22, 11, -1)]
    state = skerry.make("skirt", side=12).position(f"{'/'.join(map(str, rows))} b l1 0")
    assert legal(state) == {"l22"}


# skirt.5: a turn that ends with its outer piece


@pytest.mark.clause("skirt.5")
def test_the_turn_ends_if_the_piece_just_placed_reaches_nothing_at_side_2() -> None:
    board = """
           . .
          . b .
           w b
    """
    state = position(TINY, board, "w", "-", 0).play("b1")
    assert (state.is_over, state.to_move) == (False, 1)
    assert state.position == "2/wb1/wb b - 0"


FULL_LINE = """
           . . . .
          . . . . .
         . . . . . .
        . b w b w b .
         . . . . . .
          . . . . .
           w . . .
"""


@pytest.mark.clause("skirt.5", "skirt.4")
def test_the_turn_ends_if_the_jump_leads_to_the_rim() -> None:
    # From a1 the hexes b2 and c3 would still be open.
    state = position(MIDDLE, FULL_LINE, "w", "-", 0)
    assert {"b2", "c3"} <= legal(state)
    state = state.play("d1")
    assert state.to_move == 1
    assert state.position.endswith(" b - 0")


@pytest.mark.clause("skirt.5")
def test_the_turn_goes_on_if_one_hex_is_left_on_the_line() -> None:
    board = FULL_LINE.replace("b w b w b", "b w b w .")
    state = position(MIDDLE, board, "w", "-", 0).play("d1")
    assert state.to_move == 0
    assert legal(state) == {"d6"}


@pytest.mark.clause("skirt.5", "skirt.3")
def test_nothing_may_be_added_to_a_turn_that_has_ended_with_its_outer_piece() -> None:
    state = position(MIDDLE, FULL_LINE, "w", "-", 0)
    assert illegal(state, "d1-b2") == "'d1-b2' is more than one turn: d1 ends it"


# skirt.6: passing and the draw

# Only c3 is empty; its lines end at the corners, which are all Black's.
WHITE_IS_STUCK = """
        b w b
       w w b w
      b b . w b
       w w b w
        b w b
"""


@pytest.mark.clause("skirt.6")
def test_a_seat_without_a_placement_passes() -> None:
    state = position(SMALL, WHITE_IS_STUCK, "w", "-", 0)
    assert legal(state) == {"pass"}
    assert illegal(state, "c3") == "no line from your outer pieces reaches c3"
    state = state.play("pass")
    assert (state.is_over, state.to_move) == (False, 1)
    assert drawing(state) == tidy(WHITE_IS_STUCK)
    assert state.position.endswith(" b - 1")


@pytest.mark.clause("skirt.6")
def test_black_passes_like_white() -> None:
    state = position(SMALL, swapped(WHITE_IS_STUCK), "b", "-", 0)
    assert legal(state) == {"pass"}
    assert state.play("pass").position.endswith(" w - 1")


@pytest.mark.clause("skirt.6")
def test_nobody_passes_while_one_placement_is_possible() -> None:
    state = position(SMALL, WHITE_IS_STUCK, "b", "-", 0)
    assert legal(state) == {"c3"}
    assert illegal(state, "pass") == "you cannot pass while you can place a piece"


@pytest.mark.clause("skirt.6")
def test_nobody_passes_because_the_other_did() -> None:
    state = position(SMALL, WHITE_IS_STUCK, "w", "-", 0).play("pass")
    assert illegal(state, "pass") == "you cannot pass while you can place a piece"


@pytest.mark.clause("skirt.6")
def test_a_placement_after_a_pass_begins_the_count_anew() -> None:
    state = position(SMALL, AFTER_TWO_TURNS, "w", "-", 1)
    assert state.play("c3").position.endswith(" b - 0")
    assert state.play("b4").position.endswith(" w b4 0")


@pytest.mark.clause("skirt.6")
def test_two_passes_in_a_row_are_a_draw() -> None:
    # The count of passes is set by hand: on a full rim, the first empty hex of any line is open to
    # whoever owns the end of that line, so that before a board is full somebody can place.
    state = position(SMALL, WHITE_IS_STUCK, "w", "-", 1).play("pass")
    assert (state.is_over, state.to_move, legal(state)) == (True, None, set())
    assert state.outcome == skerry.Outcome((0.0, 0.0), None, None, "draw: neither seat can place")
    assert illegal(state, "c3") == "'c3' cannot be played: the game is over"


# skirt.7: the win

TOP_TO_BOTTOM = """
        . w .
       . w . .
      . . w . .
       . w . .
        . w .
"""
UPPER_LEFT_TO_LOWER_RIGHT = """
        . . .
       w w . .
      . . w . .
       . . w w
        . . .
"""
LOWER_LEFT_TO_UPPER_RIGHT = """
        . . .
       . . w w
      . . w . .
       w w . .
        . . .
"""
BOTTOM_AND_BOTH_UPPER_SIDES = """
        . . .
       w w w w
      . . w . .
       . w . .
        . w .
"""
TOP_AND_BOTH_LOWER_SIDES = """
        . w .
       . w . .
      . . w . .
       w w w w
        . . .
"""
OPPOSITE_WINS = [
    pytest.param(TOP_TO_BOTTOM, "e2", id="bottom to top"),
    pytest.param(TOP_TO_BOTTOM, "a2", id="top to bottom"),
    pytest.param(UPPER_LEFT_TO_LOWER_RIGHT, "d1", id="lower right to upper left"),
    pytest.param(UPPER_LEFT_TO_LOWER_RIGHT, "b4", id="upper left to lower right"),
    pytest.param(LOWER_LEFT_TO_UPPER_RIGHT, "d4", id="lower left to upper right"),
    pytest.param(LOWER_LEFT_TO_UPPER_RIGHT, "b1", id="upper right to lower left"),
]
ALTERNATE_WINS = [
    pytest.param(BOTTOM_AND_BOTH_UPPER_SIDES, "a2", id="bottom joins both upper sides"),
    pytest.param(BOTTOM_AND_BOTH_UPPER_SIDES, "d1", id="upper left joins its alternates"),
    pytest.param(BOTTOM_AND_BOTH_UPPER_SIDES, "d4", id="upper right joins its alternates"),
    pytest.param(TOP_AND_BOTH_LOWER_SIDES, "e2", id="top joins both lower sides"),
    pytest.param(TOP_AND_BOTH_LOWER_SIDES, "b1", id="lower left joins its alternates"),
    pytest.param(TOP_AND_BOTH_LOWER_SIDES, "b4", id="lower right joins its alternates"),
]


def without(board: str, name: str) -> str:
    """A drawing of side 3 with one hex emptied."""
    rows = [line.split() for line in board.strip().splitlines()]
    rows["edcba".index(name[0])][int(name[1]) - 1] = "."
    return "\n".join(" ".join(row) for row in rows)


@pytest.mark.clause("skirt.7")
@pytest.mark.parametrize(("board", "last"), OPPOSITE_WINS)
def test_two_opposite_sides_win_with_the_first_of_two_placements(board: str, last: str) -> None:
    state = position(SMALL, without(board, last), "w", "-", 0)
    assert not state.is_over
    state = state.play(last)
    assert drawing(state) == tidy(board)
    assert (state.is_over, state.to_move, legal(state)) == (True, None, set())
    reason = "White connects two opposite sides and wins"
    assert state.outcome == skerry.Outcome((1.0, -1.0), 0, None, reason)


@pytest.mark.clause("skirt.7")
@pytest.mark.parametrize(("board", "last"), ALTERNATE_WINS)
def test_three_alternate_sides_win_with_the_first_of_two_placements(board: str, last: str) -> None:
    state = position(SMALL, without(board, last), "w", "-", 0)
    assert not state.is_over
    state = state.play(last)
    assert drawing(state) == tidy(board)
    assert (state.is_over, state.to_move, legal(state)) == (True, None, set())
    reason = "White connects three alternate sides and wins"
    assert state.outcome == skerry.Outcome((1.0, -1.0), 0, None, reason)


@pytest.mark.clause("skirt.7")
@pytest.mark.parametrize(("board", "last"), OPPOSITE_WINS + ALTERNATE_WINS)
def test_black_wins_as_white_does(board: str, last: str) -> None:
    state = position(SMALL, swapped(without(board, last)), "b", "-", 0)
    assert not state.is_over
    outcome = state.play(last).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.returns) == (1, (-1.0, 1.0))
    assert outcome.reason.startswith("Black connects ")


@pytest.mark.clause("skirt.7")
def test_nothing_is_placed_after_the_win() -> None:
    state = position(SMALL, without(TOP_TO_BOTTOM, "e2"), "w", "-", 0)
    assert illegal(state.play("e2"), "d3") == "'d3' cannot be played: the game is over"
    assert state.play("e2").position.endswith(" - 0")  # and no second placement is due
    assert illegal(state, "e2-d3") == "'e2-d3' is more than one turn: e2 ends it"


@pytest.mark.clause("skirt.7", "skirt.3")
def test_a_win_with_the_second_of_two_placements() -> None:
    state = position(SMALL, without(without(TOP_TO_BOTTOM, "e2"), "d2"), "w", "-", 0)
    assert not state.play("e2").is_over
    state = state.play("e2-d2")
    assert drawing(state) == tidy(TOP_TO_BOTTOM)
    assert state.is_over


@pytest.mark.clause("skirt.7", "skirt.3")
def test_a_win_with_an_inner_piece_alone() -> None:
    state = position(SMALL, without(TOP_TO_BOTTOM, "d2"), "w", "-", 0)
    assert not state.is_over
    assert state.play("d2").is_over


@pytest.mark.clause("skirt.7")
@pytest.mark.parametrize(
    "board",
    [
        TOP_TO_BOTTOM,
        UPPER_LEFT_TO_LOWER_RIGHT,
        LOWER_LEFT_TO_UPPER_RIGHT,
        BOTTOM_AND_BOTH_UPPER_SIDES,
        TOP_AND_BOTH_LOWER_SIDES,
    ],
)
@pytest.mark.parametrize("gap", [".", "b"])
def test_pieces_that_are_not_connected_do_not_win(board: str, gap: str) -> None:
    rows = tidy(board).splitlines()
    rows[2] = f". . {gap} . ."
    assert not position(SMALL, "\n".join(rows), "b", "-", 0).is_over


@pytest.mark.clause("skirt.7", "skirt.1")
def test_a_corner_counts_for_both_of_its_sides() -> None:
    # a1 is on the bottom, opposite the top.
    to_the_top = """
            . w .
           . w . .
          . . w . .
           . w . .
            w . .
    """
    # a1 is also on the lower left, opposite the upper right.
    to_the_upper_right = """
            . . .
           . . w w
          . . w . .
           . w . .
            w . .
    """
    assert position(SMALL, to_the_top, "b", "-", 0).is_over
    assert position(SMALL, to_the_upper_right, "b", "-", 0).is_over


@pytest.mark.clause("skirt.7", "skirt.1")
def test_an_outer_hex_beside_a_corner_counts_for_one_side() -> None:
    # Bottom and upper right are neither opposite nor three.
    board = """
            . . .
           . . w w
          . . w . .
           . w . .
            . w .
    """
    assert not position(SMALL, board, "b", "-", 0).is_over


@pytest.mark.clause("skirt.7", "skirt.1")
def test_from_corner_to_corner_wins() -> None:
    board = """
            . . .
           . . . .
          w w w w w
           . . . .
            . . .
    """
    assert not position(SMALL, without(board, "c5"), "w", "-", 0).is_over
    assert position(SMALL, board, "b", "-", 0).is_over


@pytest.mark.clause("skirt.7", "skirt.1")
def test_two_corners_at_side_2_with_the_centre_between_them() -> None:
    # a1 is on the bottom and the lower left; b1 on both left sides; c1 on the top.
    neighbours = """
           . .
          w w .
           w .
    """
    assert not position(TINY, neighbours, "b", "-", 0).is_over
    assert position(TINY, neighbours, "w", "-", 0).play("c1").is_over


@pytest.mark.clause("skirt.7")
def test_two_adjacent_sides_do_not_win() -> None:
    board = """
            . . .
           . . . .
          . . . . .
           . . w w
            . w .
    """
    assert not position(SMALL, board, "b", "-", 0).is_over


@pytest.mark.clause("skirt.7", "skirt.1")
def test_a_whole_side_with_its_corners_touches_three_sides_in_a_row_and_does_not_win() -> None:
    board = """
            . . .
           . . . w
          . . . . w
           . . . w
            . w w
    """
    state = position(SMALL, board, "w", "-", 0)
    assert not state.is_over
    # Around the next corner, the rim itself connects the bottom with the top.
    assert state.play("e3").is_over


OPPOSITE = [{"a2", "e2"}, {"b4", "d1"}, {"d4", "b1"}]
ALTERNATE = [{"a2", "d4", "d1"}, {"b4", "e2", "b1"}]
SIDE_SETS = [
    set(sides)
    for number in range(7)
    for sides in combinations(("a2", "b4", "d4", "e2", "d1", "b1"), number)
]


@pytest.mark.clause("skirt.7", "skirt.1")
@pytest.mark.parametrize("sides", SIDE_SETS, ids=lambda sides: "-".join(sorted(sides)) or "none")
def test_every_set_of_sides(sides: set[str]) -> None:
    """A group that fills the inner area and touches these sides with their middle hexes."""
    board = """
            . w .
           w w w w
          . w w w .
           w w w w
            . w .
    """
    for side in SIDE_SETS[-1] - sides:
        board = without(board, side)
    won = any(needed <= sides for needed in OPPOSITE + ALTERNATE)
    assert position(SMALL, board, "b", "-", 0).is_over == won
    assert position(SMALL, swapped(board), "w", "-", 0).is_over == won


@pytest.mark.clause("skirt.7")
def test_of_the_64_sets_of_sides_39_win() -> None:
    # No opposite pair leaves 3 * 3 * 3 sets; of these, two are the alternate triples.
    won = [s for s in SIDE_SETS if any(needed <= s for needed in OPPOSITE + ALTERNATE)]
    assert (len(SIDE_SETS), len(won)) == (64, 64 - 27 + 2)


@pytest.mark.clause("skirt.7")
def test_no_position_has_two_winners() -> None:
    board = """
            w . b
           w . . b
          w . . . b
           w . . b
            w . b
    """
    with pytest.raises(skerry.PositionError) as caught:
        position(SMALL, board, "w", "-", 0)
    assert str(caught.value).startswith("no game can come to this: both seats have won, or")


# Position text


@pytest.mark.parametrize(
    ("text", "to_move", "moves"),
    [
        pytest.param("3/4/5/4/3 w - 0", 0, 12, id="start"),
        pytest.param("3/4/5/4/w2 b - 0", 1, 11, id="after the opening"),
        pytest.param("1b1/4/5/4/w2 b e2 0", 1, 4, id="second placement due"),
        pytest.param("1b1/1b2/5/4/w2 w - 0", 0, 13, id="after a turn"),
        pytest.param("bwb/wwbw/bb1wb/wwbw/bwb w - 0", 0, 1, id="must pass"),
        pytest.param("bwb/wwbw/bb1wb/wwbw/bwb b - 1", 1, 1, id="after a pass"),
        pytest.param("bwb/wwbw/bb1wb/wwbw/bwb b - 2", None, 0, id="draw"),
        pytest.param("bwb/wwbw/bbbwb/wwbw/bwb w - 0", None, 0, id="won by Black"),
        pytest.param("1w1/1w2/2w2/1w2/1w1 b - 0", None, 0, id="won by White"),
    ],
)
@pytest.mark.clause("skirt.3", "skirt.6", "skirt.7")
def test_position_text_comes_back(text: str, to_move: int | None, moves: int) -> None:
    state = SMALL.position(text)
    assert state.position == text
    assert SMALL.position(state.position) == state
    assert (state.to_move, len(state.legal_moves())) == (to_move, moves)


@pytest.mark.clause("skirt.3", "skirt.6", "skirt.7")
def test_played_states_come_back_from_their_text() -> None:
    stuck = position(SMALL, WHITE_IS_STUCK, "w", "-", 0)
    first_of_two = SMALL.initial().play("a1").play("e2")
    for state in (
        first_of_two,
        first_of_two.play("d2"),
        stuck.play("pass"),
        stuck.play("pass").play("c3"),
        position(SMALL, WHITE_IS_STUCK, "w", "-", 1).play("pass"),
        position(SMALL, without(TOP_TO_BOTTOM, "e2"), "w", "-", 0).play("e2"),
    ):
        again = SMALL.position(state.position)
        assert again == state
        assert again.outcome == state.outcome
        assert legal(again) == legal(state)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3/4/5/4/3 b - 0", "on an empty board it is White's turn"),
        ("1b1/4/5/4/w2 b c3 0", "'c3' is no outer piece of the seat to move"),
        ("1b1/4/2b2/4/w2 b c3 0", "'c3' is no outer piece of the seat to move"),
        ("1b1/4/5/4/w2 b e1 0", "'e1' is no outer piece of the seat to move"),
        ("1b1/4/5/4/w2 b a1 0", "'a1' is no outer piece of the seat to move"),
        ("1b1/4/5/4/w2 b z9 0", "'z9' is no outer piece of the seat to move"),
        ("3/4/5/4/w2 b - 3", "'3' is no number of passes: use 0, 1 or 2"),
        ("3/4/5/4/w2 b - x", "'x' is no number of passes: use 0, 1 or 2"),
        ("3/4/5/4/w2 0 - 0", "'0' is no seat: use one of w, b"),
        (
            "3/4/5/4/w2 b",
            "a position of Skirt has 4 fields (rows, seat to move, counters), not 2: "
            "'3/4/5/4/w2 b'",
        ),
        ("3/4/5/4 w - 0", "5 rows are needed, 4 are given"),
        ("3/4/5/4/w3 b - 0", "row 5 from the top has 4 cells, not 3: 'w3'"),
        ("3/4/5/4/W2 b - 0", "'W' means nothing here: use one of 'wb'"),
    ],
)
def test_damaged_and_impossible_positions_are_refused(text: str, reason: str) -> None:
    with pytest.raises(skerry.PositionError) as caught:
        SMALL.position(text)
    assert str(caught.value) == reason


@pytest.mark.clause("skirt.5")
def test_no_second_placement_is_due_from_a_piece_that_reaches_nothing() -> None:
    board = """
           . .
          . b .
           w b
    """
    with pytest.raises(skerry.PositionError):
        position(TINY, board, "w", "a1", 0)


# Options


@pytest.mark.clause("skirt.1")
def test_without_options_the_board_has_side_6() -> None:
    assert BIG.options == {"side": 6}


@pytest.mark.clause("skirt.1")
@pytest.mark.parametrize("side", range(2, 13))
def test_sides_from_2_to_12_are_allowed(side: int) -> None:
    assert skerry.make("skirt", side=side).options == {"side": side}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"side": 1}, "skirt: side must be a whole number from 2 to 12, not 1"),
        ({"side": 13}, "skirt: side must be a whole number from 2 to 12, not 13"),
        ({"side": 6.0}, "skirt: side must be a whole number from 2 to 12, not 6.0"),
        ({"side": "6"}, "skirt: side must be a whole number from 2 to 12, not '6'"),
        ({"side": True}, "skirt: side must be a whole number from 2 to 12, not True"),
        ({"pegs": 24}, "skirt has no option 'pegs'; there is side, jumps, alternate"),
    ],
)
def test_other_options_are_refused_with_what_is_allowed(
    options: dict[str, object], reason: str
) -> None:
    with pytest.raises(skerry.OptionsError) as caught:
        skerry.make("skirt", **options)
    assert str(caught.value) == reason
