"""Overlays say what the rules say: each is checked against moves, outcomes or the reference."""

from random import Random

import pytest

import skerry
from skerry.core.scene import CAPTURE, COUNTS, DANGER, PASSED, SELECTED, TARGET, Overlay
from skerry.render.marks import last_turn
from support.diagrams import position


def cells(state: skerry.State, overlay: Overlay, kind: str) -> set[str]:
    """The names of the cells that an overlay marks in a way."""
    return {state.game.board.names[mark.cell] for mark in overlay.marks if mark.kind == kind}


def wander(game: skerry.Game, games: int, seed: int = 0) -> list[skerry.State]:
    """All states of some random games."""
    chooser, states = Random(seed), []
    for number in range(games):
        state = game.initial(number)
        states.append(state)
        while not state.is_over:
            state = state.play(chooser.choice(state.legal_moves()))
            states.append(state)
    return states


@pytest.mark.parametrize("name", skerry.GAMES)
def test_paths_lead_to_their_moves(name: str) -> None:
    """A move is made by pointing at things, and no two moves by the same."""
    for state in wander(skerry.make(name), 1)[::7]:
        paths = {state.path(move): move for move in state.legal_moves()}
        assert len(paths) == len(state.legal_moves())
        board = state.game.board
        for path in paths:
            assert all(
                part in board.index or part in board.direction_names or part == "pass"
                for part in path
            )


def test_paths() -> None:
    assert skerry.make("skew").initial().path(skerry.make("skew").initial().parse("d4-ne")) == (
        "d4",
        "ne",
    )
    skaane = skerry.make("skaane").initial(3)
    move = skaane.legal_moves()[0]
    assert "-".join(skaane.path(move)) == str(move)


@pytest.mark.parametrize("name", skerry.GAMES)
def test_targets_are_where_moves_start(name: str) -> None:
    for state in wander(skerry.make(name), 1)[::5]:
        found = cells(state, state.overlay("targets"), TARGET)
        starts = {state.path(move)[0] for move in state.legal_moves()} - {"pass"}
        empty = {n for c, n in enumerate(state.game.board.names) if c not in state.scene().pieces}
        assert found == (set() if starts == empty else starts)


def test_skew_counts_what_scores() -> None:
    for state in wander(skerry.make("skew", side=3, pegs=6), 60):
        overlay = state.overlay("standing")
        pieces = state.scene().pieces
        marked = [mark.cell for mark in overlay.marks if mark.kind == COUNTS]
        tally = tuple(sum(pieces[cell].seat == seat for cell in marked) for seat in range(2))
        assert overlay.tally == tally
        if state.outcome is not None and state.outcome.score[0] != state.outcome.score[1]:
            assert tally == state.outcome.score
        # Every line leads from a scoring peg to another one or to the black peg.
        ends = {*marked, len(state.game.board) // 2}
        assert all(line.cells[0] in marked and line.cells[-1] in ends for line in overlay.chains)
        assert len(overlay.chains) == len(marked)


def test_skew_shows_the_tie_break() -> None:
    ties = 0
    for state in wander(skerry.make("skew", side=2, pegs=3), 300):
        if state.outcome is None or state.outcome.score[0] != state.outcome.score[1]:
            continue
        ties += 1
        first, second = state.overlay("standing").tally
        sign = (first > second) - (first < second)
        assert state.outcome.returns[0] == sign
    assert ties > 10


def test_skew_focus_on_a_hole_shows_what_would_lean() -> None:
    state = skerry.make("skew").initial().play("d4-ne").play("c3-e")
    overlay = state.overlay("focus:d5")
    assert cells(state, overlay, SELECTED) == {"d5"}
    assert cells(state, overlay, PASSED) == {"d4"}  # leaning west; e5 stays as it is
    assert {arrow.to for arrow in overlay.arrows} == set(state.game.board.direction_names)


def test_skew_focus_on_a_peg_shows_its_chain() -> None:
    state = skerry.make("skew").initial().play("d4-ne").play("c3-ne")
    (line,) = state.overlay("focus:c3").chains
    assert [state.game.board.names[cell] for cell in line.cells] == ["c3", "d4", "e5"]
    assert state.overlay("focus:c3").words == ("c3 scores",)
    assert state.play("c4-w").overlay("focus:c4").words == ("c4 does not score",)


def test_skirt_focus_is_what_a_placement_would_reach() -> None:
    checked = 0
    for state in wander(skerry.make("skirt", side=4), 12):
        if state.is_over or state.position.split()[2] != "-":
            continue
        seat = state.to_move
        for move in state.legal_moves():
            after = state.play(move)
            if after.to_move != seat or after.is_over:
                continue
            overlay = state.overlay(f"focus:{move}")
            assert cells(state, overlay, TARGET) == {str(m) for m in after.legal_moves()}
            checked += 1
    assert checked > 100


def test_skirt_focus_shows_the_jump() -> None:
    state = position(
        skerry.make("skirt", side=4),
        """
           . . . .
          . . . . .
         . . . . . .
        . b w . . w .
         . . . . . .
          . . . . .
           . . w .
        """,
        "b", "-", 0,
    )  # fmt: skip
    overlay = state.overlay("focus:d1")
    assert cells(state, overlay, PASSED) == {"d2", "d3"}
    assert cells(state, overlay, TARGET) >= {"d4", "d5"}
    assert "d6" not in cells(state, overlay, TARGET)


def test_skirt_joins_the_sides_that_won() -> None:
    alternate = position(
        skerry.make("skirt", side=4),
        """
           . . b .
          . . b . .
         . . . b . .
        . . . b b . .
         . b b . b .
          b . . . b
           . . . .
        """,
        "w", "-", 0,
    )  # fmt: skip
    kinds = set()
    for state in [alternate, *wander(skerry.make("skirt", side=3), 60)]:
        if state.outcome is None or state.outcome.winner is None:
            continue
        overlay = state.overlay("standing")
        sides = {(side.first, side.last) for side in overlay.sides}
        assert len(sides) == (2 if "opposite" in state.outcome.reason else 3)
        kinds.add(len(sides))
        pieces, board = state.scene().pieces, state.game.board
        joined = {cell for line in overlay.chains for cell in line.cells}
        assert {pieces[cell].seat for cell in joined} == {state.outcome.winner}
        for line in overlay.chains:
            assert all(
                b in board.adjacent(a) for a, b in zip(line.cells, line.cells[1:], strict=False)
            )
    assert kinds == {2, 3}


def test_x_flags_agree_with_the_score() -> None:
    for state in wander(skerry.make("x", size=5), 60):
        overlay = state.overlay("standing")
        if state.outcome is not None:
            assert overlay.tally == state.outcome.score
            assert all(flag.final for flag in overlay.flags)
        # What is final stays as it is.
        if not state.is_over:
            final = {flag.cell: flag.seat for flag in overlay.flags if flag.final}
            later = state.play(state.legal_moves()[0]).overlay("standing")
            now = {flag.cell: flag.seat for flag in later.flags}
            assert all(now[cell] == seat for cell, seat in final.items())


def test_x_shows_the_outermost_path() -> None:
    state = position(
        skerry.make("x", size=4),
        """
        r g . .
        . g y .
        r y . .
        . y . .
        """,
        "r",
    )
    overlay = state.overlay("standing")
    names = state.game.board.names
    flags = {names[flag.cell]: flag.seat for flag in overlay.flags}
    assert flags["d1"] == 0  # a stone on the corner is a path


def test_skaane_dangers_are_attacks_of_the_other_seat() -> None:
    game = skerry.make("skaane", width=4, height=6, gods=2, kings=3, serfs=2, suns=1)
    seen = 0
    for state in wander(game, 10):
        if state.is_over:
            continue
        expected = set()
        rows, _, quiet = state.position.split()
        for seat in "wb":
            turned = game.position(f"{rows} {seat} {quiet}")
            expected |= {str(m).split("x")[1] for m in turned.legal_moves() if "x" in str(m)}
        assert cells(state, state.overlay("standing"), DANGER) == expected
        seen += bool(expected)
    assert seen > 20


def test_skaane_focus_is_what_a_pawn_can_do() -> None:
    game = skerry.make("skaane", width=4, height=6, gods=2, kings=3, serfs=2, suns=1)
    for state in wander(game, 6)[::5]:
        for move in state.legal_moves():
            origin, goal = state.path(move)
            overlay = state.overlay(f"focus:{origin}")
            assert goal in cells(state, overlay, CAPTURE if "x" in str(move) else TARGET)
            assert cells(state, overlay, SELECTED) == {origin}


def test_skaane_focus_shows_own_pawns_on_the_way() -> None:
    game = skerry.make("skaane", width=4, height=6, gods=2, kings=3, serfs=2, suns=1)
    state = game.position("4/4/4/4/G3/K1SK w 0")
    overlay = state.overlay("focus:a1")
    assert cells(state, overlay, PASSED) == {"a2"}
    assert cells(state, overlay, TARGET) == {"a3", "b1"}


def test_skaane_guide() -> None:
    beats = dict(skerry.make("skaane").view.guide().beats)
    assert beats == {
        "god": ("king",),
        "king": ("serf",),
        "serf": ("god",),
        "sun": ("god", "king", "serf", "sun"),
    }


def test_the_pawn_that_made_it() -> None:
    game = skerry.make("skaane", width=2, height=4, gods=1, kings=1, serfs=1, suns=1)
    state = game.position("2/G1/1k/2 w 0").play("a3-a4")
    assert cells(state, state.overlay("standing"), COUNTS) == {"a4"}


@pytest.mark.parametrize("name", ["", "standing:e5", "focus", "focus:z9", "wonder", 3, None])
def test_overlays_that_do_not_exist(name: str) -> None:
    with pytest.raises(skerry.OptionsError, match="overlay"):
        skerry.make("skew").initial().overlay(name)


def test_overlays_add_up() -> None:
    before = skerry.make("skew").initial()
    state = before.play("d4-ne")
    both = state.overlay("standing+targets")
    assert both == state.overlay("standing") + state.overlay("targets")
    drawn = state.svg(overlay=both + last_turn(before, "d4-ne"))
    assert all(f'class="mark {kind}"' in drawn for kind in ("counts", "target", "last"))
