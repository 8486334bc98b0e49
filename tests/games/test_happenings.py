"""What rules bring about, name by name, on boards drawn by hand; and counted in random games."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

import skerry
from skerry.games import kind
from support.diagrams import position

Names = tuple[str, ...]


def happenings(state: skerry.State, move: str) -> Names:
    """What comes up with a move."""
    after = state.play(move)
    return state.game.view.happenings(state, int(state.parse(move)), after)


SKEW = skerry.make("skew", side=3, pegs=9)
TWO_PEGS = skerry.make("skew", side=3, pegs=2)


def skew_row(row: str) -> str:
    return f". . . / . . . . / {row} / . . . . / . . .".replace("/", "\n")


SKEW_CASES = [
    pytest.param(SKEW, skew_row(". . * . ."), 0, "c4-e", (), id="nothing"),
    pytest.param(SKEW, skew_row(". . * . D"), 0, "c4-e", (), id="leans that way already"),
    pytest.param(SKEW, skew_row(". . * . E"), 0, "c4-e", ("turns a peg",), id="own peg"),
    pytest.param(
        SKEW, skew_row(". . * . e"), 0, "c4-e", ("turns a peg", "turns a rival"), id="rival"
    ),
    pytest.param(
        SKEW, skew_row(". . * . E"), 1, "c4-e", ("turns a peg", "turns a rival"), id="rival of 1"
    ),
    pytest.param(
        SKEW,
        skew_row(". E * . ."),
        0,
        "c4-w",
        ("turns a peg", "goes through"),
        id="through the black peg",
    ),
    pytest.param(
        TWO_PEGS,
        """
            . . .
           . X . .
          . . * a .
           . Z . .
            . . .
        """,
        0,
        "pass",
        ("pass",),
        id="pass",
    ),
    pytest.param(
        TWO_PEGS,
        """
            . . .
           . X . .
          . . * a .
           . . . .
            . . e
        """,
        0,
        "b2-sw",
        ("tie-break",),
        id="tie-break",
    ),
    pytest.param(
        TWO_PEGS,
        """
            . . .
           . X . .
          . . * a .
           . Z . .
            . . .
        """,
        1,
        "b3-sw",
        ("draw",),
        id="draw",
    ),
    pytest.param(
        skerry.make("skew", side=2, pegs=4),
        """
            W W
           W * .
            x x
        """,
        0,
        "b3-e",
        ("pegs left over", "tie-break"),
        id="pegs left over",
    ),
]


@pytest.mark.clause("skew.5", "skew.6", "skew.8")
@pytest.mark.parametrize(("game", "board", "seat", "move", "names"), SKEW_CASES)
def test_skew(game: skerry.Game, board: str, seat: int, move: str, names: Names) -> None:
    assert happenings(position(game, board, seat), move) == names


def skirt_row(row: str) -> str:
    """A drawing of side 4 with nothing but this middle row, d1 to d7."""
    empty = [". " * length for length in (4, 5, 6)]
    return "\n".join([*empty, row, *reversed(empty)])


STUCK = """
        b w b
       w w b w
      b b . w b
       w w b w
        b w b
"""
EMPTY = "\n".join(". " * length for length in (3, 4, 5, 4, 3))
SKIRT_CASES = [
    pytest.param(3, EMPTY, "w - 0", "a1", (), id="the first piece"),
    pytest.param(4, skirt_row("w . . . . . ."), "w d1 0", "d4", ("rim and inner",), id="two"),
    pytest.param(4, skirt_row("w . . . . . ."), "w - 0", "d4", ("inner only",), id="skips the rim"),
    pytest.param(
        4, skirt_row("w b w . . . ."), "w d1 0", "d5", ("rim and inner", "jump"), id="jump"
    ),
    pytest.param(
        4, skirt_row("w b . . . . ."), "w - 0", "d3", ("inner only", "jump"), id="jump of one piece"
    ),
    pytest.param(
        4, skirt_row("w b . . . . w"), "w - 0", "d3", ("inner only",), id="a clear way from d7"
    ),
    pytest.param(
        4, skirt_row("w b . . . . w"), "w d1 0", "d3", ("rim and inner", "jump"), id="d7 is no way"
    ),
    pytest.param(
        4, skirt_row("w b . . . . b"), "w - 0", "d3", ("inner only", "jump"), id="d7 is not White's"
    ),
    pytest.param(4, skirt_row(". b w b w b ."), "w - 0", "d1", ("rim only",), id="rim only"),
    pytest.param(3, STUCK, "w - 0", "pass", ("pass",), id="pass"),
    pytest.param(3, STUCK, "w - 1", "pass", ("pass", "draw"), id="draw"),
    pytest.param(
        3,
        """
            . . .
           . w . .
          . . w . .
           . w . .
            . w .
        """,
        "w - 0",
        "e2",
        ("opposite sides", "win on the rim"),
        id="opposite sides",
    ),
    pytest.param(
        3,
        """
            . w .
           . w . .
          . . w . .
           . . . .
            . w .
        """,
        "w a2 0",
        "b2",
        ("rim and inner", "opposite sides"),
        id="opposite sides with the second piece",
    ),
    pytest.param(
        3,
        """
            . . .
           . w w w
          . . w . .
           . w . .
            . w .
        """,
        "w - 0",
        "d1",
        ("alternate sides", "win on the rim"),
        id="alternate sides",
    ),
]


@pytest.mark.clause("skirt.3", "skirt.4", "skirt.5", "skirt.6", "skirt.7")
@pytest.mark.parametrize(("side", "board", "rest", "move", "names"), SKIRT_CASES)
def test_skirt(side: int, board: str, rest: str, move: str, names: Names) -> None:
    assert happenings(position(skerry.make("skirt", side=side), board, rest), move) == names


X_CASES = [
    pytest.param("r y g / g r y / y g .", "r", "a3", ("4-0-0",), id="4-0-0"),
    pytest.param("r r r / y r g / . g g", "r", "a1", ("3-1-0",), id="3-1-0"),
    pytest.param("r r r / y r r / y . g", "y", "a2", ("2-1-1",), id="2-1-1"),
    pytest.param("y r g / r y g / . g g", "y", "a1", ("2-2-0",), id="2-2-0"),
    pytest.param(
        ". . r . . / . . r . . / r r . r r / . . r . . / . . r . .",
        "r",
        "c3",
        ("early end", "4-0-0"),
        id="early end",
    ),
    pytest.param("r y g / g . y / y g .", "r", "a3", (), id="goes on"),
]


@pytest.mark.clause("x.4", "x.5")
@pytest.mark.parametrize(("rows", "seat", "move", "names"), X_CASES)
def test_x(rows: str, seat: str, move: str, names: Names) -> None:
    board = rows.replace("/", "\n")
    game = skerry.make("x", size=1 + rows.count("/"))
    assert happenings(position(game, board, seat), move) == names


FIVE = skerry.make("skaane", width=5, height=5, gods=3, kings=3, serfs=3, suns=1)
KINGS = skerry.make("skaane", width=3, height=5, gods=0, kings=6, serfs=0, suns=0)
NEARLY_THERE = """
    k . . k .
    . . G . .
    . . S . .
    . . . . .
    . . . . .
"""
BLOCKADE = """
    k k k
    K K .
    . . K
    . . .
    . . .
"""
SKAANE_CASES = [
    pytest.param(FIVE, NEARLY_THERE, 0, "c4-b4", (), id="a step"),
    pytest.param(FIVE, NEARLY_THERE, 0, "c4-c5", ("far row",), id="far row"),
    pytest.param(FIVE, NEARLY_THERE, 0, "c3-c5", ("passes own pawns", "far row"), id="passes"),
    pytest.param(FIVE, NEARLY_THERE, 0, "c4xd5", ("god takes king", "far row"), id="attack"),
    pytest.param(FIVE, NEARLY_THERE, 99, "c3-b3", ("quiet draw",), id="quiet draw"),
    pytest.param(FIVE, NEARLY_THERE, 99, "c4-c5", ("far row",), id="a win is no quiet draw"),
    pytest.param(KINGS, BLOCKADE, 0, "c3-c4", ("no move",), id="no move"),
]


@pytest.mark.clause("skaane.3", "skaane.5", "skaane.6", "skaane.7")
@pytest.mark.parametrize(("game", "board", "quiet", "move", "names"), SKAANE_CASES)
def test_skaane(game: skerry.Game, board: str, quiet: int, move: str, names: Names) -> None:
    assert happenings(position(game, board, "w", quiet), move) == names


RUNES = {"G": "god", "K": "king", "S": "serf", "U": "sun"}
BEATS = {"G": "KU", "K": "SU", "S": "GU", "U": "GKSU"}


@pytest.mark.clause("skaane.4")
@pytest.mark.parametrize(("rune", "victim"), [(a, b) for a in BEATS for b in BEATS[a]])
def test_skaane_attacks(rune: str, victim: str) -> None:
    board = f". . . . k / . . . . . / . . {victim.lower()} . . / . {rune} . . . / . . . . ."
    state = position(FIVE, board.replace("/", "\n"), "w", 5)
    assert happenings(state, "b2xc3") == (f"{RUNES[rune]} takes {RUNES[victim]}",)


def test_every_name_has_a_case() -> None:
    attacks = {f"{RUNES[rune]} takes {RUNES[victim]}" for rune in BEATS for victim in BEATS[rune]}
    cases = {"skew": SKEW_CASES, "skirt": SKIRT_CASES, "x": X_CASES, "skaane": SKAANE_CASES}
    for name, its_cases in cases.items():
        shown = {found for case in its_cases for found in case.values[-1]}  # type: ignore[union-attr]
        listed = {happening.name for happening in skerry.make(name).view.happening_table}
        assert listed == shown | (attacks if name == "skaane" else set())


@pytest.mark.parametrize("name", skerry.GAMES)
def test_the_table_names_each_once_with_a_clause_of_the_game(name: str) -> None:
    table = skerry.make(name).view.happening_table
    assert len({happening.name for happening in table}) == len(table)
    assert {happening.clause for happening in table} <= set(kind(name).clauses)
    assert all(happening.text for happening in table)


def play_at_random(
    game: skerry.Game, seed: int
) -> tuple[list[skerry.State], list[str], Counter[str]]:
    """The states and moves of a random game, and what came up in it."""
    dice = Random(seed)
    states, moves = [game.initial(seed)], []
    found: Counter[str] = Counter()
    while not states[-1].is_over:
        moves.append(str(dice.choice(states[-1].legal_moves())))
        found.update(happenings(states[-1], moves[-1]))
        states.append(states[-1].play(moves[-1]))
    return states, moves, found


@pytest.mark.parametrize("seed", range(8))
def test_names_add_up_in_random_games(seed: int) -> None:
    """Each game has counts that can be made in another way, from the moves alone."""
    _, moves, found = play_at_random(skerry.make("skew", side=2, pegs=4), seed)
    assert found["pass"] == moves.count("pass")
    assert found["pegs left over"] == 1  # six holes for eight pegs

    states, moves, found = play_at_random(skerry.make("skirt", side=4), seed)
    turns = 1 + sum(a.to_move != b.to_move for a, b in pairwise(states[:-1]))
    kinds = ("rim and inner", "inner only", "rim only", "pass", "win on the rim")
    assert 1 + sum(found[kind] for kind in kinds) == turns
    assert found["opposite sides"] + found["alternate sides"] + found["draw"] == 1

    states, moves, found = play_at_random(skerry.make("x", size=4), seed)
    assert sum(found[score] for score in ("4-0-0", "3-1-0", "2-1-1", "2-2-0")) == 1
    assert found["early end"] == (len(moves) < 16)

    states, moves, found = play_at_random(skerry.make("skaane"), seed)
    attacks = sum(count for name, count in found.items() if " takes " in name)
    assert attacks == sum("x" in move for move in moves) == 32 - len(states[-1].scene().pieces)
    assert found["far row"] + found["no move"] + found["quiet draw"] == 1
