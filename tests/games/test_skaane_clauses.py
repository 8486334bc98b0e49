"""The rules of Skaane, clause by clause, worked out by hand on drawn boards.

Drawings have row 1, the home of Light, at the bottom and column ``a`` at the left, as in chess.
G god, K king, S serf, U sun; upper case is Light and moves up, lower case is Dark and moves down.
"""

from collections import Counter

import pytest

import skerry
from support.diagrams import drawing, position, tidy
from support.refusals import illegal, invalid

# Five by five is large enough to see everything; ten pawns each.
FIVE = {"width": 5, "height": 5, "gods": 3, "kings": 3, "serfs": 3, "suns": 1}
# Kings only: nobody can attack anybody.
KINGS = {"width": 3, "height": 5, "gods": 0, "kings": 6, "serfs": 0, "suns": 0}

RUNES = {"G": "god", "K": "king", "S": "serf", "U": "sun"}
# The sheet's table: god, king, serf, god in a ring, and suns with everybody.
BEATS = {"G": "KU", "K": "SU", "S": "GU", "U": "GKSU"}
SAMPLE = "gkssukgk/kgsgskgs/8/8/8/8/SGKSGKSG/KSGKUSKG w 0"


def board(rows: str, to_move: str = "w", quiet: int = 0, **options: int) -> skerry.State:
    """The position of a drawing, on the five by five board unless told otherwise."""
    return position(skerry.make("skaane", **FIVE | options), rows, to_move, quiet)


def play_all(state: skerry.State, moves: str) -> skerry.State:
    for move in moves.split():
        state = state.play(move)
    return state


def moves_from(state: skerry.State, square: str) -> set[str]:
    return {str(move) for move in state.legal_moves() if str(move).startswith(square)}


def attacks(state: skerry.State) -> set[str]:
    return {str(move) for move in state.legal_moves() if "x" in str(move)}


def quiet_count(state: skerry.State) -> int:
    """How many actions in a row were without an attack."""
    return int(state.position.split()[-1])


def towards(state: skerry.State, square: str, direction: str) -> int:
    """The action of moving from a square in a direction: n s e w to position, else to attack."""
    names = state.game.board.direction_names
    return state.game.board.cell(square) * len(names) + names.index(direction)


def ended(state: skerry.State) -> skerry.Outcome:
    assert state.is_over
    assert state.to_move is None
    assert state.legal_moves() == ()
    assert state.outcome is not None
    return state.outcome


def bad_position(text: str) -> str:
    """What the game says about a damaged position text of the default board."""
    with pytest.raises(skerry.PositionError) as caught:
        skerry.make("skaane").position(text)
    return str(caught.value)


def bad_options(**options: object) -> str:
    with pytest.raises(skerry.OptionsError) as caught:
        skerry.make("skaane", **options)
    return str(caught.value)


# skaane.1: board and pawns.


@pytest.mark.clause("skaane.1")
def test_board_is_eight_by_eight_with_sixteen_pawns_each_unless_told_otherwise() -> None:
    game = skerry.make("skaane")
    assert game.options == {
        "width": 8,
        "height": 8,
        "gods": 5,
        "kings": 5,
        "serfs": 5,
        "suns": 1,
        "quiet_limit": 100,
    }
    assert len(game.board) == 64
    assert game.seats == ("Light", "Dark")


@pytest.mark.clause("skaane.1")
def test_squares_have_chess_names() -> None:
    state = board("""
        . . . . .
        . . k . .
        . . . . .
        . S . . .
        G . . . U
    """)
    names, cells = state.game.board.names, state.cells
    found = {name: cell for name, cell in zip(names, cells, strict=True) if cell != "."}
    assert found == {"a1": "G", "e1": "U", "b2": "S", "c4": "k"}


@pytest.mark.clause("skaane.1")
@pytest.mark.parametrize(
    ("options", "sum_allowed", "sum_given"),
    [
        ({"suns": 2}, "2 * width = 16", "5 + 5 + 5 + 2 = 17"),
        ({"gods": 4}, "2 * width = 16", "4 + 5 + 5 + 1 = 15"),
        ({"width": 9}, "2 * width = 18", "5 + 5 + 5 + 1 = 16"),
        ({"width": 2}, "2 * width = 4", "5 + 5 + 5 + 1 = 16"),
    ],
)
def test_pawns_have_to_fill_two_rows(
    options: dict[str, int], sum_allowed: str, sum_given: str
) -> None:
    complaint = f"skaane: gods + kings + serfs + suns must be {sum_allowed}, not {sum_given}"
    assert bad_options(**options) == complaint


@pytest.mark.clause("skaane.1")
@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("width", 1, "2 to 12"),
        ("width", 13, "2 to 12"),
        ("height", 3, "4 to 16"),
        ("height", 17, "4 to 16"),
        ("gods", -1, "0 to 24"),
        ("kings", 25, "0 to 24"),
        ("serfs", 5.0, "0 to 24"),
        ("suns", True, "0 to 24"),
        ("quiet_limit", 0, "1 to 100000"),
        ("quiet_limit", 100_001, "1 to 100000"),
        ("quiet_limit", "50", "1 to 100000"),
    ],
)
def test_option_outside_its_bounds_is_refused(option: str, value: object, allowed: str) -> None:
    complaint = f"skaane: {option} must be a whole number from {allowed}, not {value!r}"
    assert bad_options(**{option: value}) == complaint


@pytest.mark.clause("skaane.1")
def test_unknown_option_is_answered_with_the_known_ones() -> None:
    assert bad_options(size=8) == (
        "skaane has no option 'size'; there is width, height, gods, kings, serfs, suns, "
        "quiet_limit, quiet_end"
    )


# skaane.2: the deal.


@pytest.mark.clause("skaane.1", "skaane.2")
@pytest.mark.parametrize("seed", [0, 1, 2, 2**63 - 1])
def test_deal_puts_all_pawns_on_the_two_nearest_rows(seed: int) -> None:
    state = skerry.make("skaane").initial(seed)
    rows = drawing(state).replace(" ", "").splitlines()
    assert rows[2:6] == ["........"] * 4
    assert Counter(rows[0] + rows[1]) == {"g": 5, "k": 5, "s": 5, "u": 1}
    assert Counter(rows[6] + rows[7]) == {"G": 5, "K": 5, "S": 5, "U": 1}


@pytest.mark.clause("skaane.1", "skaane.2")
def test_deal_follows_the_options() -> None:
    game = skerry.make("skaane", width=3, height=5, gods=2, kings=1, serfs=0, suns=3)
    rows = drawing(game.initial(seed=4)).replace(" ", "").splitlines()
    assert rows[2] == "..."
    assert Counter(rows[0] + rows[1]) == {"g": 2, "k": 1, "u": 3}
    assert Counter(rows[3] + rows[4]) == {"G": 2, "K": 1, "U": 3}


@pytest.mark.clause("skaane.2")
def test_homes_may_touch_on_the_lowest_board() -> None:
    game = skerry.make("skaane", width=2, height=4, gods=0, kings=0, serfs=0, suns=4)
    assert drawing(game.initial()) == tidy("""
        u u
        u u
        U U
        U U
    """)


@pytest.mark.clause("skaane.2")
def test_same_seed_gives_the_same_deal() -> None:
    assert skerry.make("skaane").initial(7).position == skerry.make("skaane").initial(7).position


@pytest.mark.clause("skaane.2")
def test_different_seeds_give_different_deals() -> None:
    game = skerry.make("skaane")
    assert len({game.initial(seed).position for seed in range(20)}) == 20


@pytest.mark.clause("skaane.2")
def test_deal_can_put_the_sun_on_every_home_square() -> None:
    game = skerry.make("skaane")
    deals = [game.initial(seed).cells for seed in range(300)]
    assert {cells.index("U") for cells in deals} == set(range(16))
    assert {cells.index("u") for cells in deals} == set(range(48, 64))


@pytest.mark.clause("skaane.2")
def test_light_moves_first_and_seats_alternate() -> None:
    state = skerry.make("skaane").initial(3)
    assert (state.to_move, quiet_count(state)) == (0, 0)
    state = state.play("a2-a3")
    assert state.to_move == 1
    state = state.play("h7-h6")
    assert state.to_move == 0


@pytest.mark.clause("skaane.2")
@pytest.mark.parametrize("seed", [-1, 2**63])
def test_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(skerry.OptionsError) as caught:
        skerry.make("skaane").initial(seed)
    assert str(caught.value) == f"seed must be a whole number from 0 to 2**63 - 1, not {seed}"


# skaane.3: positioning.

LONE_PAWNS = """
    . . . . .
    . . . . s
    . . G . .
    . . . . .
    . . . . .
"""


@pytest.mark.clause("skaane.3")
def test_pawn_moves_one_space_in_four_directions() -> None:
    state = board(LONE_PAWNS)
    assert {str(m) for m in state.legal_moves()} == {"c3-c4", "c3-c2", "c3-b3", "c3-d3"}
    state = board(LONE_PAWNS, "b")
    assert {str(m) for m in state.legal_moves()} == {"e4-e5", "e4-e3", "e4-d4"}


@pytest.mark.clause("skaane.3")
@pytest.mark.parametrize("rune", "GKSU")
def test_every_rune_moves_alike(rune: str) -> None:
    state = board(LONE_PAWNS.replace("G", rune))
    assert moves_from(state, "c3") == {"c3-c4", "c3-c2", "c3-b3", "c3-d3"}


@pytest.mark.clause("skaane.3")
def test_positioning_moves_the_pawn_and_nothing_else() -> None:
    assert drawing(board(LONE_PAWNS).play("c3-d3")) == tidy("""
        . . . . .
        . . . . s
        . . . G .
        . . . . .
        . . . . .
    """)


@pytest.mark.clause("skaane.3")
def test_action_and_text_do_the_same() -> None:
    state = board(LONE_PAWNS)
    for direction, move in [("n", "c3-c4"), ("s", "c3-c2"), ("e", "c3-d3"), ("w", "c3-b3")]:
        assert state.play(towards(state, "c3", direction)) == state.play(move)
    assert state.play(" C3-C4 ") == state.play("c3-c4")


@pytest.mark.clause("skaane.3")
@pytest.mark.parametrize(("goal", "stop"), [("c5", "c4"), ("c1", "c2"), ("a3", "b3"), ("e3", "d3")])
def test_no_move_of_two_spaces(goal: str, stop: str) -> None:
    complaint = f"a pawn moves one space: from c3 that way it comes to {stop}"
    assert illegal(board(LONE_PAWNS), f"c3-{goal}") == complaint


@pytest.mark.clause("skaane.3")
@pytest.mark.parametrize("goal", ["b5", "d5", "a2", "e1"])
def test_no_positioning_off_the_straight_lines(goal: str) -> None:
    complaint = f"{goal} is not straight above, below, left or right of c3"
    assert illegal(board(LONE_PAWNS), f"c3-{goal}") == complaint


DIAGONAL = "{1} is diagonal to {0}: pawns move straight and attack diagonally, written {0}x{1}"


@pytest.mark.clause("skaane.3")
@pytest.mark.parametrize("goal", ["b4", "d4", "b2", "d2"])
def test_no_positioning_diagonally(goal: str) -> None:
    assert illegal(board(LONE_PAWNS), f"c3-{goal}") == DIAGONAL.format("c3", goal)


@pytest.mark.clause("skaane.3", "skaane.4")
@pytest.mark.parametrize("joint", ["-", "x"])
def test_standing_still_is_no_move(joint: str) -> None:
    complaint = "a pawn on c3 that goes to c3 has not moved"
    assert illegal(board(LONE_PAWNS), f"c3{joint}c3") == complaint


SURROUNDED_BY_OWN = """
    . . . . .
    . . S . .
    . K G S .
    . . K . .
    . . g . .
"""


@pytest.mark.clause("skaane.3")
def test_pawn_passes_through_an_own_pawn() -> None:
    state = board(SURROUNDED_BY_OWN.replace("g", "."))
    assert moves_from(state, "c3") == {"c3-c5", "c3-c1", "c3-a3", "c3-e3"}
    assert drawing(state.play("c3-e3")) == tidy("""
        . . . . .
        . . S . .
        . K . S G
        . . K . .
        . . . . .
    """)


@pytest.mark.clause("skaane.3")
def test_own_pawns_are_no_obstacle_to_dark_either() -> None:
    state = board(SURROUNDED_BY_OWN.replace("g", ".").swapcase(), "b")
    assert moves_from(state, "c3") == {"c3-c5", "c3-c1", "c3-a3", "c3-e3"}


@pytest.mark.clause("skaane.3")
@pytest.mark.parametrize("goal", ["c4", "c2", "b3", "d3"])
def test_no_landing_on_an_own_pawn(goal: str) -> None:
    complaint = f"your own pawn stands on {goal}"
    assert illegal(board(SURROUNDED_BY_OWN.replace("g", ".")), f"c3-{goal}") == complaint


OWN_FILE = """
    . . . . .
    . . . . .
    . . K . .
    S . G . g
    S . K . .
"""


@pytest.mark.clause("skaane.3")
def test_pawn_passes_through_several_own_pawns() -> None:
    state = board(OWN_FILE)
    assert moves_from(state, "c1") == {"c1-c4", "c1-b1", "c1-d1"}
    assert moves_from(state, "c2") == {"c2-c4", "c2-b2", "c2-d2"}
    assert moves_from(state, "c3") == {"c3-c4", "c3-b3", "c3-d3"}
    assert drawing(state.play("c1-c4")) == tidy("""
        . . . . .
        . . K . .
        . . K . .
        S . G . g
        S . . . .
    """)


@pytest.mark.clause("skaane.3")
def test_long_rows_are_passed_through_to_the_other_end() -> None:
    state = board(
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . k . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        G K S G K S G .
        """,
        width=8,
        height=8,
        gods=5,
        kings=5,
        serfs=5,
    )
    assert moves_from(state, "a1") == {"a1-a2", "a1-h1"}
    assert moves_from(state, "f1") == {"f1-f2", "f1-h1"}


@pytest.mark.clause("skaane.3")
def test_passing_through_own_pawns_ends_on_the_first_empty_square() -> None:
    complaint = "a pawn moves one space: from c1 that way it comes to c4"
    assert illegal(board(OWN_FILE), "c1-c5") == complaint


@pytest.mark.clause("skaane.3")
@pytest.mark.parametrize("goal", ["b3", "d3", "b4", "d4"])
def test_no_turning_while_passing_through(goal: str) -> None:
    # From c2 through c3 and then sideways.
    aslant = f"{goal} is not straight above, below, left or right of c2"
    complaint = DIAGONAL.format("c2", goal) if goal.endswith("3") else aslant
    assert illegal(board(OWN_FILE), f"c2-{goal}") == complaint


ENEMIES_AHEAD = """
    . . . . .
    . . k . .
    k S K . .
    . S K k .
    . . . . .
"""


@pytest.mark.clause("skaane.3")
def test_enemy_pawn_blocks_the_way() -> None:
    state = board(ENEMIES_AHEAD)
    assert moves_from(state, "b3") == {"b3-b4", "b3-b1", "b3-d3"}
    assert moves_from(state, "c3") == {"c3-c1", "c3-d3"}
    assert moves_from(state, "b2") == {"b2-b4", "b2-b1", "b2-a2"}
    assert moves_from(state, "c2") == {"c2-c1", "c2-a2"}


@pytest.mark.clause("skaane.3")
@pytest.mark.parametrize(
    ("origin", "direction", "enemy"),
    [
        ("b3", "w", "a3"),
        ("c3", "n", "c4"),
        ("c2", "e", "d2"),
        # and behind an own pawn
        ("c3", "w", "a3"),
        ("c2", "n", "c4"),
        ("b2", "e", "d2"),
    ],
)
def test_no_positioning_onto_an_enemy_pawn(origin: str, direction: str, enemy: str) -> None:
    state = board(ENEMIES_AHEAD)
    complaint = f"the enemy pawn on {enemy} blocks the way, and attacks go diagonally"
    assert illegal(state, f"{origin}-{enemy}") == complaint
    assert illegal(state, towards(state, origin, direction)) == complaint


@pytest.mark.clause("skaane.3")
@pytest.mark.parametrize(
    ("move", "enemy"), [("c3-c5", "c4"), ("c2-c5", "c4"), ("c2-e2", "d2"), ("b2-e2", "d2")]
)
def test_no_passing_through_an_enemy_pawn(move: str, enemy: str) -> None:
    assert illegal(board(ENEMIES_AHEAD), move) == f"the enemy pawn on {enemy} is in the way"


@pytest.mark.clause("skaane.3")
@pytest.mark.parametrize(
    ("origin", "direction"),
    [("a1", "w"), ("a1", "s"), ("b1", "w"), ("a2", "s"), ("a2", "w"), ("e1", "e"), ("e1", "s")],
)
def test_no_move_off_the_board(origin: str, direction: str) -> None:
    # From b1 and a2 the way leads through a1.
    state = board("""
        . . . . .
        . . k . .
        . . . . .
        G . . . .
        G K . . S
    """)
    complaint = f"from {origin} that way leads off the board"
    assert illegal(state, towards(state, origin, direction)) == complaint


@pytest.mark.clause("skaane.3")
def test_rows_do_not_run_on_into_the_next_one() -> None:
    state = board("""
        . . . . .
        k . . . .
        . . . . G
        S . . . .
        . . . . .
    """)
    assert moves_from(state, "e3") == {"e3-e4", "e3-e2", "e3-d3"}
    assert moves_from(state, "a2") == {"a2-a3", "a2-a1", "a2-b2"}


@pytest.mark.clause("skaane.3", "skaane.4")
def test_only_own_pawns_move() -> None:
    state = board(LONE_PAWNS)
    assert illegal(state, "e4-e3") == "the pawn on e4 is not yours"
    assert illegal(state, "e4-e2") == "the pawn on e4 is not yours"
    assert illegal(state, "e4xd3") == "the pawn on e4 is not yours"
    assert illegal(state, towards(state, "e4", "s")) == "the pawn on e4 is not yours"
    assert illegal(board(LONE_PAWNS, "b"), "c3-c2") == "the pawn on c3 is not yours"


@pytest.mark.clause("skaane.3", "skaane.4")
def test_empty_squares_do_not_move() -> None:
    state = board(LONE_PAWNS)
    assert illegal(state, "a1-a2") == "there is no pawn on a1"
    assert illegal(state, "a1-a4") == "there is no pawn on a1"
    assert illegal(state, "a1xb2") == "there is no pawn on a1"
    assert illegal(state, towards(state, "a1", "n")) == "there is no pawn on a1"
    assert illegal(state, towards(state, "a1", "ne")) == "there is no pawn on a1"


# skaane.4: attacking.


@pytest.mark.clause("skaane.4")
@pytest.mark.parametrize("victim", "GKSU")
@pytest.mark.parametrize("attacker", "GKSU")
@pytest.mark.parametrize("seat", ["w", "b"])
def test_who_beats_whom(seat: str, attacker: str, victim: str) -> None:
    rows = f"""
        . . . . .
        . . . {victim.lower()} .
        . . {attacker} . .
        . . . . .
        . . . . .
    """
    state = board(rows if seat == "w" else rows.swapcase(), seat)
    if victim in BEATS[attacker]:
        assert attacks(state) == {"c3xd4"}
        taken = rows.replace(attacker, ".").replace(victim.lower(), attacker)
        assert drawing(state.play("c3xd4")) == tidy(taken if seat == "w" else taken.swapcase())
    else:
        assert attacks(state) == set()
        complaint = f"a {RUNES[attacker]} does not beat a {RUNES[victim]}"
        assert illegal(state, "c3xd4") == complaint
        assert illegal(state, towards(state, "c3", "ne")) == complaint


PREY_AROUND = """
    . . . . .
    . k . k .
    . . G . .
    . k . u .
    . . . . .
"""


@pytest.mark.clause("skaane.4")
def test_attacks_go_in_all_four_diagonals() -> None:
    state = board(PREY_AROUND)
    assert attacks(state) == {"c3xb4", "c3xd4", "c3xb2", "c3xd2"}
    for direction, move in [("nw", "c3xb4"), ("ne", "c3xd4"), ("sw", "c3xb2"), ("se", "c3xd2")]:
        assert state.play(towards(state, "c3", direction)) == state.play(move)
    assert attacks(board(PREY_AROUND.swapcase(), "b")) == {"c3xb4", "c3xd4", "c3xb2", "c3xd2"}


@pytest.mark.clause("skaane.4")
def test_attacker_takes_the_square_and_the_victim_is_removed() -> None:
    state = board(PREY_AROUND).play("c3xd2")
    assert drawing(state) == tidy("""
        . . . . .
        . k . k .
        . . . . .
        . k . G .
        . . . . .
    """)
    assert state.to_move == 1


@pytest.mark.clause("skaane.4")
def test_dark_attacks_too() -> None:
    state = board(
        """
        . . . . .
        . u . . .
        . . S . .
        . . . . .
        . . G . .
        """,
        "b",
    )
    assert drawing(state.play("b4xc3")) == tidy("""
        . . . . .
        . . . . .
        . . u . .
        . . . . .
        . . G . .
    """)


@pytest.mark.clause("skaane.4")
def test_nobody_has_to_attack() -> None:
    assert moves_from(board(PREY_AROUND), "c3") - attacks(board(PREY_AROUND)) == {
        "c3-c4",
        "c3-c2",
        "c3-b3",
        "c3-d3",
    }


PREY_OUT_OF_REACH = """
    k . . . .
    . . k . k
    . . G S .
    . G . K .
    . . . . .
"""


@pytest.mark.clause("skaane.4")
@pytest.mark.parametrize("goal", ["c4", "b3", "e4"])
def test_no_attack_off_the_diagonals(goal: str) -> None:
    complaint = f"{goal} is not diagonally next to c3, and attacks go diagonally"
    assert illegal(board(PREY_OUT_OF_REACH), f"c3x{goal}") == complaint


@pytest.mark.clause("skaane.4")
@pytest.mark.parametrize("goal", ["a5", "e5", "a1", "e1"])
def test_no_attack_beyond_the_next_square(goal: str) -> None:
    complaint = f"{goal} is not next to c3: an attack goes one space"
    assert illegal(board(PREY_OUT_OF_REACH), f"c3x{goal}") == complaint


@pytest.mark.clause("skaane.4")
def test_no_attack_through_an_own_pawn() -> None:
    state = board("""
        . . . . .
        . . . k .
        . . S . .
        . G . . .
        . . . . .
    """)
    assert attacks(state) == set()
    assert illegal(state, "b2xd4") == "d4 is not next to b2: an attack goes one space"
    assert illegal(state, towards(state, "b2", "ne")) == "your own pawn stands on c3"


@pytest.mark.clause("skaane.4")
def test_no_attack_on_an_own_pawn() -> None:
    # A god would beat a king.
    state = board(PREY_OUT_OF_REACH)
    assert attacks(state) == set()
    assert illegal(state, "c3xd2") == "your own pawn stands on d2"
    assert illegal(state, towards(state, "c3", "se")) == "your own pawn stands on d2"


@pytest.mark.clause("skaane.4")
def test_no_attack_on_an_empty_square() -> None:
    state = board(PREY_OUT_OF_REACH)
    assert illegal(state, "c3xb4") == "there is nothing to attack on b4"
    assert illegal(state, towards(state, "c3", "nw")) == "there is nothing to attack on b4"


@pytest.mark.clause("skaane.4")
def test_no_positioning_onto_prey() -> None:
    assert illegal(board(PREY_AROUND), "c3-d4") == DIAGONAL.format("c3", "d4")


@pytest.mark.clause("skaane.4")
def test_no_attack_around_the_edge_of_the_board() -> None:
    # In rows that ran on into each other, e2 would be next to a3 and a4.
    state = board("""
        . . . . .
        k . . . .
        k . . . .
        . . . . G
        . . . . .
    """)
    assert attacks(state) == set()
    assert illegal(state, towards(state, "e2", "ne")) == "from e2 that way leads off the board"
    assert illegal(state, towards(state, "e2", "se")) == "from e2 that way leads off the board"


# skaane.5: the far row.

LIGHT_WINS = (1.0, -1.0)
DARK_WINS = (-1.0, 1.0)

NEARLY_THERE = """
    k . . k .
    . . G . .
    . . S . .
    . . . . .
    . . . . .
"""


@pytest.mark.clause("skaane.5")
@pytest.mark.parametrize(
    "move",
    [
        pytest.param("c4-c5", id="by positioning"),
        pytest.param("c4xd5", id="by an attack"),
        pytest.param("c3-c5", id="by passing through an own pawn"),
    ],
)
def test_pawn_on_the_far_row_wins(move: str) -> None:
    state = board(NEARLY_THERE)
    assert not state.is_over
    outcome = ended(state.play(move))
    assert (outcome.returns, outcome.winner) == (LIGHT_WINS, 0)
    assert outcome.score is None
    assert outcome.reason == "Light reaches the far row and wins"


@pytest.mark.clause("skaane.5")
@pytest.mark.parametrize("move", ["c2-c1", "c2xd1", "c3-c1"])
def test_dark_wins_on_the_first_row(move: str) -> None:
    rows = "\n".join(reversed(NEARLY_THERE.strip().splitlines())).swapcase()
    assert tidy(rows) == tidy("""
        . . . . .
        . . . . .
        . . s . .
        . . g . .
        K . . K .
    """)
    outcome = ended(board(rows, "b").play(move))
    assert (outcome.returns, outcome.winner) == (DARK_WINS, 1)
    assert outcome.reason == "Dark reaches the far row and wins"


@pytest.mark.clause("skaane.5")
@pytest.mark.parametrize("move", ["c4-b4", "c3-c2", "c3-d3"])
def test_pawn_elsewhere_does_not_win(move: str) -> None:
    state = board(NEARLY_THERE).play(move)
    assert not state.is_over
    assert state.outcome is None


@pytest.mark.clause("skaane.5")
def test_own_home_row_does_not_win() -> None:
    state = board("""
        . . . . .
        . . . . k
        . . . . .
        G . . . .
        . . . . .
    """)
    state = play_all(state, "a2-a1 e4-e5 a1-b1 e5-d5")
    assert not state.is_over


@pytest.mark.clause("skaane.5")
def test_first_to_arrive_wins_even_if_the_other_is_one_step_away() -> None:
    rows = """
        . . . . .
        . . G . .
        . . . . .
        . . g . .
        . . . . .
    """
    assert ended(board(rows, "w").play("c4-c5")).winner == 0
    assert ended(board(rows, "b").play("c2-c1")).winner == 1


@pytest.mark.clause("skaane.5")
def test_far_row_depends_on_the_height() -> None:
    state = board(
        """
        . k .
        . . .
        . . .
        . . .
        G . .
        . . .
        """,
        width=3,
        height=6,
        gods=2,
        kings=2,
        serfs=1,
    )
    state = play_all(state, "a2-a3 b6-c6 a3-a4 c6-b6 a4-a5 b6-c6")
    assert not state.is_over
    assert ended(state.play("a5-a6")).winner == 0


@pytest.mark.clause("skaane.5")
@pytest.mark.parametrize("to_move", ["w", "b"])
def test_position_text_with_a_pawn_on_the_far_row_is_over(to_move: str) -> None:
    state = board(
        """
        . . G . .
        . . . . k
        . . . . .
        . . . . .
        . . . . .
        """,
        to_move,
    )
    assert ended(state).winner == 0


@pytest.mark.clause("skaane.5")
def test_position_text_with_two_winners_is_refused() -> None:
    with pytest.raises(skerry.PositionError) as caught:
        board("""
            . . G . .
            . . . . .
            . . . . .
            . . . . .
            . . g . .
        """)
    assert str(caught.value) == "no game can come to this: more than one seat has won"


@pytest.mark.clause("skaane.5")
def test_nothing_can_be_played_after_the_end() -> None:
    state = board(NEARLY_THERE).play("c4-c5")
    assert illegal(state, "a5-a4") == "'a5-a4' cannot be played: the game is over"
    assert illegal(state, towards(state, "a5", "s")) == "the game is over"


# skaane.6: no legal move.

# After c3-c4 Dark stands between Light and the edge of the board, and no king beats a king.
ONE_STEP_FROM_A_BLOCKADE = """
    k k k
    K K .
    . . K
    . . .
    . . .
"""


@pytest.mark.clause("skaane.6")
def test_dark_without_a_legal_move_loses() -> None:
    state = board(ONE_STEP_FROM_A_BLOCKADE, **KINGS)
    assert not state.is_over
    outcome = ended(state.play("c3-c4"))
    assert (outcome.returns, outcome.winner) == (LIGHT_WINS, 0)
    assert outcome.reason == "Dark has no legal move, so Light wins"


@pytest.mark.clause("skaane.6")
def test_light_without_a_legal_move_loses() -> None:
    state = board(
        """
        . . .
        . . .
        . . k
        k k .
        K K K
        """,
        "b",
        **KINGS,
    )
    assert not state.is_over
    outcome = ended(state.play("c3-c2"))
    assert (outcome.returns, outcome.winner) == (DARK_WINS, 1)
    assert outcome.reason == "Light has no legal move, so Dark wins"


@pytest.mark.clause("skaane.6")
def test_blocked_seat_loses_only_when_it_is_to_move() -> None:
    rows = """
        k k k
        K K K
        . . .
        . . .
        . . .
    """
    assert not board(rows, "w", **KINGS).is_over
    assert ended(board(rows, "b", **KINGS)).winner == 0


@pytest.mark.clause("skaane.6")
def test_one_attack_is_enough_to_go_on() -> None:
    # The god on c5 beats the king on b4.
    state = board(
        """
        k k g
        K K .
        . . K
        . . .
        . . .
        """,
        **KINGS | {"gods": 1, "kings": 5},
    )
    state = state.play("c3-c4")
    assert [str(move) for move in state.legal_moves()] == ["c5xb4"]


@pytest.mark.clause("skaane.6")
def test_seat_without_pawns_has_no_legal_move() -> None:
    state = board("""
        . . . . .
        . . . . .
        . . . s .
        . . K . .
        . . . . .
    """)
    outcome = ended(state.play("c2xd3"))
    assert (outcome.returns, outcome.winner) == (LIGHT_WINS, 0)
    assert outcome.reason == "Dark has no legal move, so Light wins"


# skaane.7: the quiet count.

SHUFFLE = """
    . . . . .
    . . s . .
    . . . . .
    . K . . .
    . . . . .
"""


@pytest.mark.clause("skaane.7")
def test_positioning_counts_as_quiet() -> None:
    state = board(SHUFFLE, quiet_limit=10)
    counts = []
    for move in ["b2-b1", "c4-c5", "b1-b2"]:
        state = state.play(move)
        counts.append(quiet_count(state))
    assert counts == [1, 2, 3]


@pytest.mark.clause("skaane.7")
def test_attack_starts_the_count_again() -> None:
    state = board(
        """
        . . . . .
        . . . . s
        . . s . .
        . K . . .
        . . . . .
        """,
        quiet=57,
    )
    assert quiet_count(state) == 57
    state = state.play("b2xc3")
    assert quiet_count(state) == 0
    assert quiet_count(state.play("e4-e3")) == 1


@pytest.mark.clause("skaane.7")
def test_quiet_limit_is_a_draw_and_not_one_action_earlier() -> None:
    state = play_all(board(SHUFFLE, quiet_limit=4), "b2-b1 c4-c5 b1-b2")
    assert not state.is_over
    outcome = ended(state.play("c5-c4"))
    assert (outcome.returns, outcome.winner) == ((0.0, 0.0), None)
    assert outcome.reason == "draw: 4 moves in a row without an attack"


@pytest.mark.clause("skaane.7")
def test_quiet_limit_is_one_hundred_unless_told_otherwise() -> None:
    assert not board(SHUFFLE, quiet=98).play("b2-b1").is_over
    assert ended(board(SHUFFLE, quiet=99).play("b2-b1")).returns == (0.0, 0.0)


@pytest.mark.clause("skaane.7")
def test_position_text_at_the_quiet_limit_is_a_draw() -> None:
    assert ended(board(SHUFFLE, quiet=100)).returns == (0.0, 0.0)


@pytest.mark.clause("skaane.7")
def test_attack_just_before_the_limit_goes_on() -> None:
    state = board(
        """
        . . . . .
        . . . . s
        . . s . .
        . K . . .
        . . . . .
        """,
        quiet=99,
    )
    state = state.play("b2xc3")
    assert not state.is_over
    assert quiet_count(state) == 0


@pytest.mark.clause("skaane.5", "skaane.7")
def test_far_row_on_the_action_that_reaches_the_limit_is_a_win() -> None:
    assert ended(board(NEARLY_THERE, quiet=99).play("c4-c5")).returns == LIGHT_WINS
    assert ended(board(NEARLY_THERE, quiet=99).play("c4-b4")).returns == (0.0, 0.0)


@pytest.mark.clause("skaane.6", "skaane.7")
def test_draw_at_the_limit_comes_before_the_loss_without_a_move() -> None:
    state = board(ONE_STEP_FROM_A_BLOCKADE, "w", 98, **KINGS)
    assert ended(state.play("c3-c4")).returns == LIGHT_WINS
    state = board(ONE_STEP_FROM_A_BLOCKADE, "w", 99, **KINGS)
    assert ended(state.play("c3-c4")).returns == (0.0, 0.0)


# Position text.


@pytest.mark.clause("skaane.1", "skaane.2")
def test_sample_position_can_be_read_and_written() -> None:
    state = skerry.make("skaane").position(SAMPLE)
    assert state.position == SAMPLE
    assert state.to_move == 0
    assert drawing(state) == tidy("""
        g k s s u k g k
        k g s g s k g s
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        S G K S G K S G
        K S G K U S K G
    """)
    # Every pawn comes to row 3, those of row 1 through an own pawn.
    assert len(state.legal_moves()) == 16
    assert moves_from(state, "e1") == {"e1-e3"}


@pytest.mark.clause("skaane.7")
def test_position_text_carries_seat_and_quiet_count() -> None:
    state = skerry.make("skaane").position(SAMPLE)
    state = play_all(state, "e1-e3 d7-d6")
    assert state.position == "gkssukgk/kgs1skgs/3g4/8/8/4U3/SGKSGKSG/KSGK1SKG w 2"
    state = state.play("a2-a3")
    assert state.position == "gkssukgk/kgs1skgs/3g4/8/8/S3U3/1GKSGKSG/KSGK1SKG b 3"
    assert state.game.position(state.position) == state


@pytest.mark.clause("skaane.1")
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("8/8/8/8/8/8/8/8", "3 fields (rows, seat to move, counters), not 1: '8/8/8/8/8/8/8/8'"),
        ("8/8/8/8/8/8/8/8 w", "3 fields (rows, seat to move, counters), not 2: "),
        ("8/8/8/8/8/8/8/8 w 0 0", "3 fields (rows, seat to move, counters), not 4: "),
        ("", "3 fields (rows, seat to move, counters), not 0: ''"),
        ("8/8/8/8/8/8/8 w 0", "8 rows are needed, 7 are given"),
        ("8/8/8/8/8/8/8/8/8 w 0", "8 rows are needed, 9 are given"),
        ("8/8/7/8/8/8/8/8 w 0", "row 3 from the top has 7 cells, not 8: '7'"),
        ("8/8/8/8/8/8/8/G7K w 0", "row 8 from the top has 9 cells, not 8: 'G7K'"),
        ("9/8/8/8/8/8/8/8 w 0", "a run of 9 empty cells does not fit in '9'"),
        ("8/8/8/8/8/8/8/q7 w 0", "'q' means nothing here: use one of 'GKSUgksu'"),
    ],
)
def test_damaged_rows_are_refused(text: str, complaint: str) -> None:
    assert complaint in bad_position(text)


@pytest.mark.clause("skaane.2")
@pytest.mark.parametrize("seat", ["x", "W", "wb", "0", "light"])
def test_unknown_seat_is_refused(seat: str) -> None:
    complaint = f"{seat!r} is no seat: use one of w, b"
    assert bad_position(f"8/8/8/8/8/8/8/G7 {seat} 0") == complaint


@pytest.mark.clause("skaane.1")
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("8/8/8/8/8/8/8/U6U w 0", "Light has 2 suns, but starts with 1"),
        ("8/8/8/8/8/8/8/GGGGGG2 w 0", "Light has 6 gods, but starts with 5"),
        ("kkkk4/kkk5/8/8/8/8/8/G7 w 0", "Dark has 7 kings, but starts with 5"),
        ("ssssssss/8/8/8/8/8/8/G7 w 0", "Dark has 8 serfs, but starts with 5"),
    ],
)
def test_more_pawns_than_were_dealt_are_refused(text: str, complaint: str) -> None:
    assert bad_position(text) == complaint


@pytest.mark.clause("skaane.7")
@pytest.mark.parametrize("count", ["-1", "101", "1.5", "many", "+5", "٣", "9" * 30])
def test_quiet_count_out_of_range_is_refused(count: str) -> None:
    complaint = f"the quiet count is a whole number from 0 to 100, not {count!r}"
    assert bad_position(f"7k/8/8/8/8/8/8/G7 w {count}") == complaint


@pytest.mark.clause("skaane.7")
def test_quiet_count_is_bounded_by_the_option() -> None:
    with pytest.raises(skerry.PositionError) as caught:
        board(SHUFFLE, quiet=11, quiet_limit=10)
    assert str(caught.value) == "the quiet count is a whole number from 0 to 10, not '11'"


# Moves that cannot be read.


@pytest.mark.clause("skaane.3", "skaane.4")
@pytest.mark.parametrize("text", ["b2b3", "b2", "pass", "b2 b3", "b2>b3", ""])
def test_text_that_is_no_move_is_answered_with_the_notation(text: str) -> None:
    complaint = f"{text!r} is no Skaane move: write b2-b3 to move or b2xc3 to attack"
    assert invalid(skerry.make("skaane").initial(), text) == complaint


@pytest.mark.clause("skaane.3", "skaane.4")
@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("i1-i2", "i1"),
        ("a9-a8", "a9"),
        ("a2-a0", "a0"),
        ("b2xi3", "i3"),
        ("b2-b3-b4", "b3-b4"),
        ("b2-b3xc4", "b2-b3"),
    ],
)
def test_text_with_a_square_off_the_board_is_refused(text: str, part: str) -> None:
    complaint = f"{part!r} is no cell of this board: cells run from a1 to h8"
    assert invalid(skerry.make("skaane").initial(), text) == complaint


@pytest.mark.clause("skaane.3", "skaane.4")
def test_action_out_of_range_is_refused() -> None:
    # Eight directions from each of the 64 squares.
    state = skerry.make("skaane").initial()
    assert invalid(state, 512) == "action 512 is not from 0 to 511"
    assert invalid(state, -1) == "action -1 is not from 0 to 511"
    assert invalid(state, None) == "a move is text, a Move or an action, not NoneType"
