"""The rules of Skew, clause by clause, on boards worked out by hand.

Letters lie around S on a keyboard as the leans lie around a hole: W E / A D / Z X. Upper case is
seat 0, lower case seat 1, ``*`` the black peg. The holes of a board of side 3::

        e1 e2 e3
      d1 d2 d3 d4
    c1 c2 c3 c4 c5
      b1 b2 b3 b4
        a1 a2 a3
"""

import pytest

import skerry
from support.diagrams import drawing, marked, position, tidy
from support.refusals import illegal

SMALL = skerry.make("skew", side=3, pegs=9)
BIG = skerry.make("skew")
LEANS = ("e", "ne", "nw", "w", "sw", "se")


def after(before: str, seat: int, *moves: str, game: skerry.Game = SMALL) -> str:
    """The drawing after some moves, the first of them by ``seat``."""
    state = position(game, before, seat)
    for move in moves:
        state = state.play(move)
    return drawing(state)


def legal(state: skerry.State) -> list[str]:
    return [str(move) for move in state.legal_moves()]


def middle_row(row: str) -> str:
    """A drawing of side 5 with nothing but this middle row, e1 to e9."""
    empty = [". " * length for length in (5, 6, 7, 8)]
    return "\n".join([*empty, row, *reversed(empty)])


def ending(board: str) -> skerry.Outcome:
    """How a game of side 3 ends that has all its pegs on the board, standing like this."""
    pegs = sum(letter.isupper() for letter in board)
    outcome = position(skerry.make("skew", side=3, pegs=pegs), board, 0).outcome
    assert outcome is not None
    return outcome


# skew.1: the board


@pytest.mark.clause("skew.1")
def test_the_board_is_a_hexagon_with_the_black_peg_in_its_centre() -> None:
    assert drawing(BIG.initial()) == tidy("""
            . . . . .
           . . . . . .
          . . . . . . .
         . . . . . . . .
        . . . . * . . . .
         . . . . . . . .
          . . . . . . .
           . . . . . .
            . . . . .
    """)


@pytest.mark.clause("skew.1")
@pytest.mark.parametrize(
    ("side", "holes", "centre"),
    [(2, 7, "b2"), (3, 19, "c3"), (4, 37, "d4"), (5, 61, "e5"), (6, 91, "f6"), (9, 217, "i9")],
)
def test_the_side_decides_how_many_holes_there_are(side: int, holes: int, centre: str) -> None:
    state = skerry.make("skew", side=side).initial()
    assert len(state.game.board) == holes
    assert illegal(state, f"{centre}-e") == f"the black peg stands on {centre}"


@pytest.mark.clause("skew.1")
def test_rows_are_named_from_the_bottom_and_holes_from_the_left() -> None:
    assert drawing(SMALL.initial().play("d3-e").play("b2-e")) == tidy("""
            . . .
           . . D .
          . . * . .
           . d . .
            . . .
    """)


@pytest.mark.clause("skew.1", "skew.5")
def test_the_black_peg_stays_where_it_is_and_upright() -> None:
    board = """
            . . .
           . . . .
          . . * E .
           . . . .
            . . .
    """
    assert after(board, 0, "c2-e", "c5-w") == tidy("""
            . . .
           . . . .
          . A * A a
           . . . .
            . . .
    """)


# skew.2: pegs and turns


@pytest.mark.clause("skew.2")
def test_seat_0_starts_and_the_seats_alternate() -> None:
    state = BIG.initial()
    seats = []
    for move in ("e6-e", "e4-w", "d4-sw", "f5-ne"):
        seats.append(state.to_move)
        state = state.play(move)
    assert seats == [0, 1, 0, 1]


@pytest.mark.clause("skew.2", "skew.6")
@pytest.mark.parametrize("pegs", [1, 2, 3])
def test_each_seat_places_as_many_pegs_as_the_option_says(pegs: int) -> None:
    state = skerry.make("skew", side=2, pegs=pegs).initial()
    for hole in ("a1", "a2", "b1", "b3", "c1", "c2")[: 2 * pegs]:
        assert not state.is_over
        state = state.play(f"{hole}-e")
    assert state.is_over


@pytest.mark.clause("skew.2")
@pytest.mark.parametrize(("letter", "seat"), [("D", "First"), ("d", "Second")])
def test_no_position_shows_more_pegs_than_a_seat_has(letter: str, seat: str) -> None:
    game = skerry.make("skew", side=3, pegs=2)
    board = "3/4/2*2/4/LLL 0".replace("L", letter)
    with pytest.raises(skerry.PositionError) as caught:
        game.position(board)
    assert str(caught.value) == f"{seat} has 3 pegs on the board, but only 2 in all"


# skew.3: where to place


@pytest.mark.clause("skew.3")
def test_the_first_peg_goes_next_to_the_black_peg() -> None:
    assert marked(SMALL.initial()) == tidy("""
            . . .
           . o o .
          . o * o .
           . o o .
            . . .
    """)


@pytest.mark.clause("skew.3")
def test_the_first_peg_on_the_full_board() -> None:
    holes = {move.partition("-")[0] for move in legal(BIG.initial())}
    assert holes == {"d4", "d5", "e4", "e6", "f4", "f5"}


BOTH_SIDES = """
        . . .
       . . . .
      . a * D .
       . . . .
        . . .
"""


@pytest.mark.clause("skew.3")
def test_seat_0_places_next_to_black_or_seat_1_but_not_next_to_its_own_peg_only() -> None:
    assert marked(position(SMALL, BOTH_SIDES, 0)) == tidy("""
            . . .
           o o o .
          o a * D .
           o o o .
            . . .
    """)


@pytest.mark.clause("skew.3")
def test_seat_1_places_next_to_black_or_seat_0_but_not_next_to_its_own_peg_only() -> None:
    assert marked(position(SMALL, BOTH_SIDES, 1)) == tidy("""
            . . .
           . o o o
          . a * D o
           . o o o
            . . .
    """)


@pytest.mark.clause("skew.3")
def test_a_hole_next_to_pegs_of_both_seats_is_open_to_both() -> None:
    board = """
            . D .
           . a . .
          . . * . .
           . . . .
            . . .
    """
    # e1 and d1 touch seat 1's peg on d2; e1 and e3 touch seat 0's on e2.
    assert marked(position(SMALL, board, 0)) == tidy("""
            o D .
           o a o .
          . o * o .
           . o o .
            . . .
    """)
    assert marked(position(SMALL, board, 1)) == tidy("""
            o D o
           . a o .
          . o * o .
           . o o .
            . . .
    """)


@pytest.mark.clause("skew.3")
@pytest.mark.parametrize("hole", ["d4", "c5", "b4", "e1"])
def test_a_hole_next_to_nothing_or_to_own_pegs_is_refused(hole: str) -> None:
    state = position(SMALL, BOTH_SIDES, 0)
    reason = f"{hole} is not next to the black peg or an opponent's peg"
    assert illegal(state, f"{hole}-e") == reason


@pytest.mark.clause("skew.3")
@pytest.mark.parametrize("hole", ["c2", "c4"])
def test_a_hole_with_a_peg_is_refused(hole: str) -> None:
    assert illegal(position(SMALL, BOTH_SIDES, 0), f"{hole}-e") == f"{hole} already holds a peg"


@pytest.mark.clause("skew.3")
def test_the_hole_of_the_black_peg_is_refused() -> None:
    assert illegal(position(SMALL, BOTH_SIDES, 0), "c3-e") == "the black peg stands on c3"


# skew.4: how to lean


@pytest.mark.clause("skew.4")
def test_every_open_hole_takes_all_six_leans() -> None:
    holes = ("b2", "b3", "c2", "c4", "d2", "d3")
    every = {f"{hole}-{lean}" for hole in holes for lean in LEANS}
    assert set(legal(SMALL.initial())) == every
    assert len(legal(SMALL.initial())) == 36


@pytest.mark.clause("skew.4")
@pytest.mark.parametrize(
    ("lean", "first", "second"),
    [
        ("e", "D", "d"),  # off the board
        ("ne", "E", "e"),  # off the board
        ("nw", "W", "w"),  # at the empty hole c2
        ("w", "A", "a"),  # at the black peg
        ("sw", "Z", "z"),  # at the empty hole a2
        ("se", "X", "x"),  # off the board
    ],
)
def test_a_peg_leans_any_way_wherever_that_points(lean: str, first: str, second: str) -> None:
    game = skerry.make("skew", side=2)
    board = """
           . .
          . * .
           . .
    """
    leaned = """
           . .
          . * L
           . .
    """
    assert after(board, 0, f"b3-{lean}", game=game) == tidy(leaned.replace("L", first))
    assert after(board, 1, f"b3-{lean}", game=game) == tidy(leaned.replace("L", second))


@pytest.mark.clause("skew.4")
@pytest.mark.parametrize("text", ["d2", "d2-", "d2-n", "d2 e", "d2-e-e", "", "e", "passing"])
def test_a_move_without_one_of_the_six_leans_cannot_be_read(text: str) -> None:
    with pytest.raises(skerry.InvalidMove) as caught:
        SMALL.initial().play(text)
    assert str(caught.value) == (
        f"{text!r} is no Skew move: write a hole and where the peg leans, one of "
        "e, ne, nw, w, sw, se; for example d4-ne"
    )


@pytest.mark.parametrize("hole", ["d5", "f1", "c0", "c"])
def test_a_hole_that_is_not_on_the_board_cannot_be_read(hole: str) -> None:
    with pytest.raises(skerry.InvalidMove) as caught:
        SMALL.initial().play(f"{hole}-e")
    assert str(caught.value) == f"{hole!r} is no cell of this board: cells run from a1 to e3"


def test_moves_may_be_written_in_capitals_and_with_spaces_around_them() -> None:
    assert SMALL.initial().play(" D2-NE ") == SMALL.initial().play("d2-ne")


# skew.5: how the lean spreads


@pytest.mark.clause("skew.5")
@pytest.mark.parametrize(
    ("before", "move", "result"),
    [
        pytest.param(
            ". . . . * . x E w",
            "e6-e",
            ". . . . * D d D d",
            id="over pegs of both colours up to the edge",
        ),
        pytest.param(
            ". . . . * . x E .",
            "e6-e",
            ". . . . * D d D .",
            id="over pegs of both colours up to an empty hole",
        ),
        pytest.param(
            ". . . . * . x . w",
            "e6-e",
            ". . . . * D d . w",
            id="not beyond an empty hole",
        ),
        pytest.param(
            ". . . . * . . E w",
            "e6-e",
            ". . . . * D . E w",
            id="not at all if the next hole is empty",
        ),
        pytest.param(
            ". . . . * . x D w",
            "e6-e",
            ". . . . * D d D w",
            id="not beyond an own peg that leans this way",
        ),
        pytest.param(
            ". . . . * . X d w",
            "e6-e",
            ". . . . * D D d w",
            id="not beyond an opponent's peg that leans this way",
        ),
        pytest.param(
            ". . . . * . d E w",
            "e6-e",
            ". . . . * D d E w",
            id="not at all if the next peg leans this way",
        ),
        pytest.param(
            ". . . . * . a A a",
            "e6-e",
            ". . . . * D d D d",
            id="over pegs that lean the opposite way",
        ),
        pytest.param(
            ". . . . * x . z W",
            "e7-e",
            ". . . . * x D d D",
            id="not to the peg behind the placed one",
        ),
        pytest.param(
            ". . . . * x E . .",
            "e4-e",
            ". . . D * d D . .",
            id="through the black peg next door",
        ),
        pytest.param(
            ". . z W * x E . w",
            "e2-e",
            ". D d D * d D . w",
            id="through pegs, the black peg and pegs",
        ),
        pytest.param(
            ". . . . * . w . .",
            "e4-e",
            ". . . D * . w . .",
            id="not beyond an empty hole behind the black peg",
        ),
        pytest.param(
            ". . . . * d w . .",
            "e4-e",
            ". . . D * d w . .",
            id="not beyond an equal lean behind the black peg",
        ),
        pytest.param(
            ". . z D * x . . .",
            "e2-e",
            ". D d D * x . . .",
            id="not to the black peg past an equal lean",
        ),
        pytest.param(
            ". . z . * x . . .",
            "e2-e",
            ". D d . * x . . .",
            id="not to the black peg past an empty hole",
        ),
        pytest.param(
            "w E x . * . . . .",
            "e4-w",
            "a A a A * . . . .",
            id="westwards up to the edge",
        ),
        pytest.param(
            "w A x . * . . . .",
            "e4-w",
            "w A a A * . . . .",
            id="westwards up to an equal lean",
        ),
        pytest.param(
            "d . X z * . . . .",
            "e6-w",
            "d . A a * A . . .",
            id="westwards through the black peg up to an empty hole",
        ),
        pytest.param(
            "w E x Z * e X z .",
            "e9-w",
            "a A a A * a A a A",
            id="from edge to edge",
        ),
    ],
)
def test_the_lean_spreads(before: str, move: str, result: str) -> None:
    assert after(middle_row(before), 0, move, game=BIG) == tidy(middle_row(result))


@pytest.mark.clause("skew.5")
def test_the_second_seat_leans_pegs_of_both_colours_too() -> None:
    before = middle_row(". . . E * x W . .")
    assert after(before, 1, "e3-e", game=BIG) == tidy(middle_row(". . d D * d D . ."))


ARMS = """
           . . a .
          . . . D z
         . . X e . x
        . . . * W a .
         . . . d . E
          . . . . .
           . . . .
"""


@pytest.mark.clause("skew.5")
@pytest.mark.parametrize(
    ("move", "changed"),
    [
        ("e5-e", {"e5": "D", "e6": "d"}),
        ("e5-ne", {"e5": "E", "f5": "e"}),
        ("e5-nw", {"e5": "W", "f4": "W", "g3": "w"}),
        ("e5-w", {"e5": "A", "e4": "a", "e3": "A"}),
        ("e5-sw", {"e5": "Z", "d5": "Z", "c4": "z"}),
        ("e5-se", {"e5": "X", "d6": "x", "c6": "X"}),
    ],
)
def test_only_the_line_that_the_placed_peg_leans_along_changes(
    move: str, changed: dict[str, str]
) -> None:
    state = position(skerry.make("skew", side=4), ARMS, 0)
    played = state.play(move)
    before, now = (each.cells for each in (state, played))
    names = state.game.board.names
    assert changed == {
        name: now[hole] for hole, name in enumerate(names) if now[hole] != before[hole]
    }


@pytest.mark.clause("skew.5")
def test_the_lean_spreads_through_the_black_peg_on_a_slope() -> None:
    # The last peg, g4, leans this way already.
    board = """
               . . . e
              . . . X .
             . . . w . .
            . . . * . . .
             . . a . . .
              . . . . .
               . . . .
    """
    assert after(board, 0, "b2-ne", game=skerry.make("skew", side=4)) == tidy("""
               . . . e
              . . . E .
             . . . e . .
            . . . * . . .
             . . e . . .
              . E . . .
               . . . .
    """)


@pytest.mark.clause("skew.5")
@pytest.mark.parametrize(
    ("near", "lean", "beyond", "opposite", "letter"),
    [
        ("c2", "e", "c4", "w", "D"),
        ("b2", "ne", "d3", "sw", "E"),
        ("b3", "nw", "d2", "se", "W"),
        ("c4", "w", "c2", "e", "A"),
        ("d3", "sw", "b2", "ne", "Z"),
        ("d2", "se", "b3", "nw", "X"),
    ],
)
def test_the_lean_passes_the_black_peg_in_all_six_directions(
    near: str, lean: str, beyond: str, opposite: str, letter: str
) -> None:
    state = SMALL.initial().play(f"{beyond}-{opposite}").play(f"{near}-{lean}")
    cells = state.cells
    assert cells[state.game.board.cell(beyond)] == letter


# From the lower left corner through the black peg on i9 to the upper right one.
LONGEST_LINE = ("a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", *(f"{row}9" for row in "ijklmnopq"))


def longest_line(line: str, pegs: int) -> skerry.State:
    """A position of side 9 with nothing but this line, seat 0 to move."""
    game = skerry.make("skew", side=9, pegs=pegs)
    letters = dict(zip(LONGEST_LINE, line, strict=True))
    cells = [letters.get(name, ".") for name in game.board.names]
    return game.position(f"{game.board.write_rows(cells)} 0")


@pytest.mark.clause("skew.5")
@pytest.mark.parametrize(
    ("before", "move", "result"),
    [
        (".xxxxxxx*xxxxxxxx", "a1-ne", "Eeeeeeee*eeeeeeee"),
        (".xxexxxx*xxxxxxxx", "a1-ne", "Eeeexxxx*xxxxxxxx"),
        (".xxxxxxx*xxxxxexx", "a1-ne", "Eeeeeeee*eeeeeexx"),
        ("xxxxxxxx*xxxxxxx.", "q9-sw", "zzzzzzzz*zzzzzzzZ"),
        ("xxxxxxxx*xxxxzxx.", "q9-sw", "xxxxxxxx*xxxxzzzZ"),
        ("xx.xxxxx*xxxxxxx.", "q9-sw", "xx.zzzzz*zzzzzzzZ"),
    ],
)
def test_the_lean_spreads_along_the_longest_line_there_is(
    before: str, move: str, result: str
) -> None:
    state = longest_line(before, pegs=24).play(move)
    cells = state.cells
    assert "".join(cells[state.game.board.cell(name)] for name in LONGEST_LINE) == result


# skew.6: passing and the end

RINGED = """
        . . .
       . D D .
      . D * D .
       . D D .
        . . .
"""


@pytest.mark.clause("skew.6", "skew.3")
def test_a_seat_without_a_hole_passes() -> None:
    stuck = position(SMALL, RINGED, 0)
    assert legal(stuck) == ["pass"]
    passed = stuck.play("pass")
    assert drawing(passed) == drawing(stuck)
    assert passed.to_move == 1
    assert marked(passed) == tidy("""
            o o o
           o D D o
          o D * D o
           o D D o
            o o o
    """)


@pytest.mark.clause("skew.6", "skew.3")
def test_a_seat_that_passed_places_again_once_there_is_a_hole() -> None:
    state = position(SMALL, RINGED, 0).play("pass").play("e1-w")
    assert state.to_move == 0
    assert marked(state) == tidy("""
            a o .
           o D D .
          . D * D .
           . D D .
            . . .
    """)


@pytest.mark.clause("skew.6")
def test_a_seat_without_a_hole_may_not_place() -> None:
    reason = "e1 is not next to the black peg or an opponent's peg"
    assert illegal(position(SMALL, RINGED, 0), "e1-e") == reason


ALL_OF_FIRST = """
        . . .
       . . . .
      . D * z .
       . D . .
        . . .
"""


@pytest.mark.clause("skew.6", "skew.2")
def test_a_seat_without_a_peg_passes_until_the_other_has_placed_its_last() -> None:
    state = position(skerry.make("skew", side=3, pegs=2), ALL_OF_FIRST, 0)
    assert legal(state) == ["pass"]
    assert illegal(state, "d2-e") == "you have no peg left and must pass"
    state = state.play("pass")
    assert state.to_move == 1
    assert not state.is_over
    assert state.play("d2-e").is_over


@pytest.mark.clause("skew.6")
def test_a_seat_passes_as_often_as_it_has_to() -> None:
    state = position(skerry.make("skew", side=3, pegs=3), ALL_OF_FIRST.replace("z", "Z"), 0)
    for move in ("pass", "d2-e", "pass", "d3-e", "pass"):
        assert not state.is_over
        state = state.play(move)
    assert state.to_move == 1
    assert state.play("b3-e").is_over


@pytest.mark.clause("skew.6")
@pytest.mark.parametrize("board", [BOTH_SIDES, RINGED.replace("D", "d")])
def test_nobody_passes_who_can_place(board: str) -> None:
    state = position(SMALL, board, 0)
    assert "pass" not in legal(state)
    assert illegal(state, "pass") == "you cannot pass while you have a peg and a hole for it"


@pytest.mark.clause("skew.6")
def test_the_game_ends_when_all_pegs_are_placed() -> None:
    state = skerry.make("skew", side=3, pegs=1).initial().play("c2-e")
    assert (state.is_over, state.to_move, state.outcome) == (False, 1, None)
    state = state.play("c4-e")
    assert (state.is_over, state.to_move, legal(state)) == (True, None, [])
    assert state.outcome is not None


@pytest.mark.clause("skew.6")
def test_the_game_ends_on_a_full_board_with_pegs_left() -> None:
    state = skerry.make("skew", side=2, pegs=24).initial()
    for hole in ("a1", "c2", "b1", "b3", "c1"):
        state = state.play(f"{hole}-e")
        assert not state.is_over
    assert state.play("a2-e").is_over


@pytest.mark.clause("skew.6")
def test_the_game_ends_when_one_seat_has_no_hole_and_the_other_no_peg() -> None:
    # Of nine pegs each, eight are placed; only seat 1 can use the holes e1 and a3.
    board = """
            . D d
           D D d d
          d D * d d
           d D D D
            d D .
    """
    assert legal(position(SMALL, board, 0)) == ["pass"]
    state = position(SMALL, board, 1)
    assert marked(state) == tidy(board.replace(".", "o"))
    state = state.play("a3-e")
    assert state.is_over
    assert legal(state) == []


@pytest.mark.clause("skew.6")
def test_nothing_is_played_after_the_end() -> None:
    state = skerry.make("skew", side=3, pegs=1).initial().play("c2-e").play("c4-e")
    assert illegal(state, "d2-e") == "'d2-e' cannot be played: the game is over"
    assert illegal(state, "pass") == "'pass' cannot be played: the game is over"


# skew.7: the score


@pytest.mark.clause("skew.7")
def test_pegs_that_lean_straight_at_the_black_peg_score_from_all_six_sides() -> None:
    state = position(
        skerry.make("skew", side=2, pegs=5),
        """
           x Z
          D * A
           E W
        """,
        0,
    )
    assert state.outcome == skerry.Outcome((1.0, -1.0), 0, (5, 1), "First wins 5-1")


@pytest.mark.clause("skew.7")
def test_chains_are_colour_blind_and_each_seat_counts_its_own() -> None:
    # c1 and b1 lean at c2, which leans at the black peg; d1, b4 and a3 lean at nothing that scores.
    outcome = ending("""
            . . .
           E . . .
          D d * . .
           E . . z
            . . w
    """)
    assert outcome.score == (2, 1)
    assert outcome.reason == "First wins 2-1"


@pytest.mark.clause("skew.7")
def test_a_chain_may_wind_about_and_be_long() -> None:
    # a1 > a2 > b2 > b1 > c2 > black
    outcome = ending("""
            . . e
           . . . .
          . D * . .
           e A . .
            D w .
    """)
    assert outcome.score == (3, 2)


@pytest.mark.clause("skew.7")
@pytest.mark.parametrize(
    ("line", "score"),
    [
        ("EEEEEEEE*zzzzzzze", (8, 7)),
        ("ZEEEEEEE*zzzzzzzz", (7, 8)),
        ("EEEEZEEE*zzzzezzz", (3, 4)),
    ],
)
def test_chains_as_long_as_a_line_can_be(line: str, score: tuple[int, int]) -> None:
    outcome = longest_line(line, pegs=8).outcome
    assert outcome is not None
    assert outcome.score == score


@pytest.mark.clause("skew.7")
def test_a_peg_beside_the_chain_that_leans_elsewhere_does_not_score() -> None:
    # d4 and b4 lean off the board; c1 leans at the empty hole before the black peg.
    outcome = ending("""
            . . .
           . x . e
          D . * A A
           . . . d
            . . .
    """)
    assert outcome.score == (2, 1)


@pytest.mark.clause("skew.7")
def test_a_cycle_does_not_score_nor_does_what_leans_at_it() -> None:
    # d3 > d4 > c4 > d3, and e3 > d3
    outcome = ending("""
            W . z
           . . D z
          . d * W .
           . . . .
            . . .
    """)
    assert outcome.score == (0, 1)
    assert outcome.reason == "Second wins 1-0"


@pytest.mark.clause("skew.7")
def test_two_pegs_that_lean_at_each_other_do_not_score() -> None:
    outcome = ending("""
            . . .
           . . . .
          . d * D a
           . . . .
            . . A
    """)
    assert outcome.score == (0, 1)


@pytest.mark.clause("skew.7")
def test_a_chain_that_leads_away_from_the_black_peg_does_not_score() -> None:
    outcome = ending("""
            . . .
           . . . .
          a a * D D
           . . w .
            A . .
    """)
    assert outcome.score == (0, 1)


@pytest.mark.clause("skew.7")
@pytest.mark.parametrize(
    ("board", "winner", "returns", "reason"),
    [
        ("3/4/1D*1a/4/3 0", 0, (1.0, -1.0), "First wins 1-0"),
        ("3/4/1d*1A/4/3 0", 1, (-1.0, 1.0), "Second wins 1-0"),
    ],
)
def test_more_scoring_pegs_win(
    board: str, winner: int, returns: tuple[float, float], reason: str
) -> None:
    outcome = skerry.make("skew", side=3, pegs=1).position(board).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.returns, outcome.reason) == (winner, returns, reason)


@pytest.mark.clause("skew.7", "skew.5")
def test_the_last_lean_spreads_before_the_score_is_counted() -> None:
    state = skerry.make("skew", side=3, pegs=1).initial().play("c2-e").play("c4-w")
    assert drawing(state) == tidy("""
            . . .
           . . . .
          . A * a .
           . . . .
            . . .
    """)
    assert state.outcome == skerry.Outcome((-1.0, 1.0), 1, (0, 1), "Second wins 1-0")


# skew.8: the tie


def tie(before: str, after: str) -> str:
    return f"{before} is a tie; with the pegs around the black peg leaned at it, {after}"


LOOSE_PEG = """
        . . .
       . X . .
      . . * a .
       . Z . .
        . . e
"""


@pytest.mark.clause("skew.8")
def test_a_loose_peg_next_to_the_black_peg_breaks_the_tie_for_the_first_seat() -> None:
    outcome = ending(LOOSE_PEG)
    assert (outcome.winner, outcome.returns) == (0, (1.0, -1.0))
    assert outcome.reason == tie("1-1", "First wins 2-1")


@pytest.mark.clause("skew.8")
def test_a_loose_peg_next_to_the_black_peg_breaks_the_tie_for_the_second_seat() -> None:
    outcome = ending(LOOSE_PEG.swapcase())
    assert (outcome.winner, outcome.returns) == (1, (-1.0, 1.0))
    assert outcome.reason == tie("1-1", "Second wins 2-1")


@pytest.mark.clause("skew.8")
def test_the_score_and_the_board_stay_as_they_were_before_the_tie_was_broken() -> None:
    state = position(skerry.make("skew", side=3, pegs=2), LOOSE_PEG, 0)
    assert state.outcome is not None
    assert state.outcome.score == (1, 1)
    assert drawing(state) == tidy(LOOSE_PEG)


@pytest.mark.clause("skew.8")
def test_still_equal_is_a_stalemate() -> None:
    outcome = ending("""
            . . .
           . X . .
          . . * a .
           . Z z .
            . . .
    """)
    assert (outcome.winner, outcome.returns) == (None, (0.0, 0.0))
    assert outcome.reason == tie("1-1", "still 2-2: stalemate")


@pytest.mark.clause("skew.8")
def test_a_tie_with_no_loose_peg_next_to_the_black_peg_is_a_stalemate() -> None:
    outcome = ending("""
            . . D
           . X . .
          . . * a .
           . . . .
            . . e
    """)
    assert outcome.reason == tie("1-1", "still 1-1: stalemate")


@pytest.mark.clause("skew.8")
def test_without_a_tie_loose_pegs_stay_loose() -> None:
    # Leaned at the black peg, c4 and b3 would score two for the second seat.
    outcome = ending("""
            W . .
           . X . .
          . . * d .
           . . z .
            . . .
    """)
    assert outcome.reason == "First wins 1-0"


@pytest.mark.clause("skew.8", "skew.5")
def test_breaking_a_tie_does_not_spread() -> None:
    # If the lean of c4 spread through the black peg, c2 and c1 would no longer score.
    outcome = ending("""
            x . .
           . x . .
          D D * Z .
           . . . .
            . . d
    """)
    assert outcome.reason == tie("2-2", "First wins 3-2")


@pytest.mark.clause("skew.8")
def test_a_peg_next_to_the_black_peg_that_scores_through_another_is_left_alone() -> None:
    # c2 leans at d2, which scores, and c1 and b1 lean at c2; only b3 is loose.
    outcome = ending("""
            . . .
           . x . .
          D E * . .
           e . Z .
            . . d
    """)
    assert outcome.score == (2, 2)
    assert outcome.reason == tie("2-2", "First wins 3-2")


@pytest.mark.clause("skew.8", "skew.7")
def test_a_released_peg_takes_its_chain_along() -> None:
    # c4 is released, and both d4 and c5 lean at it.
    outcome = ending("""
            W . .
           . . . z
          d . * D a
           . . . .
            Z . .
    """)
    assert outcome.score == (0, 0)
    assert outcome.reason == tie("0-0", "Second wins 2-1")


@pytest.mark.clause("skew.8", "skew.7")
def test_a_cycle_next_to_the_black_peg_scores_once_it_is_released() -> None:
    # d3 > d4 > c4 > d3: d3 and c4 are released, and d4 still leans at c4.
    outcome = ending("""
            w . Z
           . . D z
          . . * W .
           . . . .
            a . .
    """)
    assert outcome.score == (0, 0)
    assert outcome.reason == tie("0-0", "First wins 3-1")


@pytest.mark.clause("skew.8", "skew.7")
def test_a_cycle_all_around_the_black_peg_is_released_peg_by_peg() -> None:
    state = position(
        skerry.make("skew", side=2, pegs=4),
        """
           D X
          e * Z
           w A
        """,
        0,
    )
    assert state.outcome is not None
    assert state.outcome.score == (0, 0)
    assert state.outcome.reason == tie("0-0", "First wins 4-2")


# Position text


@pytest.mark.clause("skew.2", "skew.6")
@pytest.mark.parametrize(
    ("text", "to_move", "moves"),
    [
        pytest.param("3/4/2*2/4/3 0", 0, 36, id="start"),
        pytest.param("3/4/1a*D1/4/3 0", 0, 42, id="seat 0 to move"),
        pytest.param("3/4/1a*D1/4/3 1", 1, 42, id="seat 1 to move"),
        pytest.param("3/1DD1/1D*D1/1DD1/3 0", 0, 1, id="no hole, must pass"),
        pytest.param("3/1DDD/1D*DD/1DD1/D2 0", 0, 1, id="no peg, must pass"),
        pytest.param("1Dd/DDdd/dD*dd/dDDD/dDd 0", None, 0, id="over with a hole left"),
        pytest.param("DDd/DDdd/dD*dd/dDDD/dDd 1", None, 0, id="over on a full board"),
    ],
)
def test_position_text_comes_back(text: str, to_move: int | None, moves: int) -> None:
    state = SMALL.position(text)
    assert state.position == text
    assert SMALL.position(state.position) == state
    assert (state.to_move, len(state.legal_moves())) == (to_move, moves)


def test_every_lean_of_both_seats_has_its_letter_in_position_text() -> None:
    state = SMALL.position("DEW/A2Z/X1*1d/e2w/azx 0")
    assert drawing(state) == tidy("""
            D E W
           A . . Z
          X . * . d
           e . . w
            a z x
    """)
    assert state.position == "DEW/A2Z/X1*1d/e2w/azx 0"


@pytest.mark.clause("skew.1")
@pytest.mark.parametrize("rows", ["3/4/5/4/3", "3/4/2D2/4/3", "3/4/1*3/4/3", "*2/4/2*2/4/3"])
def test_a_position_has_the_black_peg_in_the_centre_and_nowhere_else(rows: str) -> None:
    with pytest.raises(skerry.PositionError) as caught:
        SMALL.position(f"{rows} 0")
    assert str(caught.value) == "the black peg '*' stands on c3 only"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "3/4/2*2/4/3",
            "a position of Skew has 2 fields (rows, seat to move), not 1: '3/4/2*2/4/3'",
        ),
        (
            "3/4/2*2/4/3 0 0",
            "a position of Skew has 2 fields (rows, seat to move), not 3: '3/4/2*2/4/3 0 0'",
        ),
        ("3/4/2*2/4/3 2", "'2' is no seat: use one of 0, 1"),
        ("3/4/2*2/4/3 w", "'w' is no seat: use one of 0, 1"),
        ("3/4/2*2/4 0", "5 rows are needed, 4 are given"),
        ("3/4/2*3/4/3 0", "row 3 from the top has 6 cells, not 5: '2*3'"),
        ("3/4/2*2/4/4 0", "a run of 4 empty cells does not fit in '4'"),
        ("3/4/2*2/4/S2 0", "'S' means nothing here: use one of 'DEWAZXdewazx*'"),
    ],
)
def test_damaged_position_text_is_refused(text: str, reason: str) -> None:
    with pytest.raises(skerry.PositionError) as caught:
        SMALL.position(text)
    assert str(caught.value) == reason


# Options


@pytest.mark.clause("skew.1", "skew.2")
def test_without_options_the_board_has_side_5_and_each_seat_24_pegs() -> None:
    assert BIG.options == {"side": 5, "pegs": 24}


@pytest.mark.parametrize("side", [2, 9])
@pytest.mark.parametrize("pegs", [1, 216])
def test_options_at_their_bounds_are_allowed(side: int, pegs: int) -> None:
    game = skerry.make("skew", side=side, pegs=pegs)
    assert game.options == {"side": side, "pegs": pegs}
    assert len(game.initial().legal_moves()) == 36


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"side": 1}, "skew: side must be a whole number from 2 to 9, not 1"),
        ({"side": 10}, "skew: side must be a whole number from 2 to 9, not 10"),
        ({"side": 5.0}, "skew: side must be a whole number from 2 to 9, not 5.0"),
        ({"side": "5"}, "skew: side must be a whole number from 2 to 9, not '5'"),
        ({"side": True}, "skew: side must be a whole number from 2 to 9, not True"),
        ({"pegs": 0}, "skew: pegs must be a whole number from 1 to 216, not 0"),
        ({"pegs": 217}, "skew: pegs must be a whole number from 1 to 216, not 217"),
        ({"pegs": None}, "skew: pegs must be a whole number from 1 to 216, not None"),
        ({"size": 5}, "skew has no option 'size'; there is side, pegs, bonus, extra"),
    ],
)
def test_other_options_are_refused_with_what_is_allowed(
    options: dict[str, object], reason: str
) -> None:
    with pytest.raises(skerry.OptionsError) as caught:
        skerry.make("skew", **options)
    assert str(caught.value) == reason
