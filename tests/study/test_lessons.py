"""Courses keep their word: every answer they ask for is legal and does what the text says."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import skerry
from reference.skew import Peg, count_seats, name_holes
from reference.x import X
from skerry.core.errors import IllegalMove
from skerry.games import kind
from skerry.study.courses import COURSES
from skerry.study.goals import Goal, Play, Safe, Turn, Win
from skerry.study.lessons import ANSWERED, SOMETHING_ELSE, UNFINISHED, CourseStep, judge, why_not
from support.solving import forbidden_path, start_of

LEANS = dict(zip("dewazx", ("e", "ne", "nw", "w", "sw", "se"), strict=True))


def select(wanted: Callable[[CourseStep], bool]) -> list[Any]:
    return [
        pytest.param(course.game, step, id=f"{course.game}-{step.id}")
        for course in COURSES.values()
        for step in course.steps
        if wanted(step)
    ]


STEPS = select(lambda step: True)
FORBIDDEN = select(lambda step: bool(forbidden_path(step)))
ALLOWED = select(lambda step: not forbidden_path(step))
AHEAD = select(lambda step: len(step.goals) == 2)


def step_of(name: str, id: str) -> CourseStep:
    step = COURSES[name].step(id)
    assert step is not None
    return step


def turns(start: skerry.State) -> Iterator[Turn]:
    """Every whole turn of a position."""

    def go_on(state: skerry.State, moves: list[str], path: list[str]) -> Iterator[Turn]:
        for move in state.legal_moves():
            after = state.play(move)
            said, shown = [*moves, str(move)], [*path, *state.path(move)]
            if after.to_move == start.to_move:
                yield from go_on(after, said, shown)
            else:
                yield Turn(start, "-".join(said), tuple(shown), after)

    return go_on(start, [], [])


def actions(turn: Turn) -> list[str]:
    return [str(move) for move in turn.before.parse_turn(turn.text)]


def answers(start: skerry.State, goal: Goal) -> list[Turn]:
    return [turn for turn in turns(start) if goal.met(turn)]


def test_no_course_is_missing() -> None:
    """A game that joins later may do without one."""
    assert {"skew", "skirt", "x", "skaane"} <= set(COURSES) <= set(skerry.GAMES)


@pytest.mark.parametrize("name", COURSES)
class TestCourse:
    def test_teaches_every_clause(self, name: str) -> None:
        taught = {clause for step in COURSES[name].steps for clause in step.clauses}
        assert taught == set(kind(name).clauses)

    def test_has_goals_after_the_rules(self, name: str) -> None:
        rules = [bool(step.clauses) for step in COURSES[name].steps]
        assert rules == sorted(rules, reverse=True)
        assert rules.count(False) >= 4

    def test_says_everything_once(self, name: str) -> None:
        steps = COURSES[name].steps
        for values in ([step.id for step in steps], [step.title for step in steps]):
            assert len(set(values)) == len(values)

    def test_leads_to_a_game_that_can_be_played(self, name: str) -> None:
        course = COURSES[name]
        game = skerry.make(name, **course.friendly)
        assert not game.initial().is_over
        assert course.seat in range(game.num_seats)
        assert len(game.board) < len(skerry.make(name).board)


@pytest.mark.parametrize(("name", "step"), ALLOWED)
def test_a_step_can_be_done_in_every_way_it_accepts(name: str, step: CourseStep) -> None:
    """All answers lead to the end, whatever was answered before."""
    start = start_of(name, step)

    def follow(state: skerry.State, before: list[str], number: int) -> int:
        done = 0
        for turn in answers(state, step.goals[number]):
            moves = before + actions(turn)
            verdict = judge(start, step, moves)
            assert not verdict.wrong
            assert verdict.done == (number == len(step.goals) - 1)
            assert verdict.feedback == (step.right if verdict.done else ANSWERED)
            after = start
            for move in verdict.moves:
                after = after.play(move)
            done += verdict.done or follow(after, moves, number + 1)
        return done

    assert follow(start, [], 0) > 0


@pytest.mark.parametrize(("name", "step"), FORBIDDEN)
def test_what_is_forbidden_is_refused_with_the_reason_of_the_rules(
    name: str, step: CourseStep
) -> None:
    start, path = start_of(name, step), forbidden_path(step)
    assert not any(list(start.path(move))[: len(path)] == path for move in start.legal_moves())
    verdict = judge(start, step, [], path)
    assert verdict.done
    assert verdict.moves == ()
    assert verdict.feedback == f"Not allowed: {why_not(start, path)}. {step.right}"


@pytest.mark.parametrize(("name", "step"), STEPS)
class TestStep:
    def test_helps_after_every_other_turn(self, name: str, step: CourseStep) -> None:
        """A step that could go wrong has a hint, and one that could not needs none."""
        start, goal = start_of(name, step), step.goals[0]
        others = [turn for turn in turns(start) if not goal.met(turn)]
        assert bool(others) == bool(step.hint)
        for turn in others:
            verdict = judge(start, step, actions(turn))
            assert verdict.wrong
            assert not verdict.done
            assert len(verdict.feedback) > 20

    def test_knows_the_turns_that_it_has_hints_for(self, name: str, step: CourseStep) -> None:
        start, goal = start_of(name, step), step.goals[0]
        wrong = [turn for turn in turns(start) if not goal.met(turn)]
        for said in step.hints:
            assert any(said in (turn.text, turn.path[0]) for turn in wrong)

    def test_starts_where_somebody_has_a_turn(self, name: str, step: CourseStep) -> None:
        start = start_of(name, step)
        assert not start.is_over
        start.svg(overlay=step.overlay or None)
        assert len(step.replies) == len(step.goals) - 1
        assert set(step.clauses) <= set(kind(name).clauses)


@pytest.mark.parametrize(("name", "step"), AHEAD)
def test_a_goal_of_two_turns_is_forced_by_its_answer_alone(name: str, step: CourseStep) -> None:
    """Whatever the others do, the reader wins; after anything else they can prevent it."""
    start = start_of(name, step)
    assert start.to_move is not None
    asked = step.goals[0]
    assert isinstance(asked, Play)
    assert [turn.text for turn in turns(start) if always_wins(turn.after, start.to_move)] == list(
        asked.turns
    )


def always_wins(state: skerry.State, seat: int) -> bool:
    """Whether a seat wins with its next turn, whatever the others do before."""
    if state.outcome is not None:
        return state.outcome.winner == seat
    if state.to_move == seat:
        return any(Win().met(turn) for turn in turns(state))
    return all(always_wins(turn.after, seat) for turn in turns(state))


@pytest.mark.parametrize(("id", "least"), [("gap", 2), ("three", 3)])
def test_pegs_really_score_at_once(id: str, least: int) -> None:
    step = step_of("skew", id)
    start = start_of("skew", step)
    for turn in answers(start, step.goals[0]):
        gained = scored(turn.after)[0] - scored(start)[0]
        assert gained >= least


def scored(state: skerry.State) -> tuple[int, int]:
    """Scoring pegs as the second implementation counts them."""
    holes = name_holes(state.game.options["side"])
    letters = zip(state.game.board.names, state.cells, strict=True)
    pegs = {
        holes[name]: Peg(0 if letter.isupper() else 1, LEANS[letter.lower()])
        for name, letter in letters
        if letter not in ".*"
    }
    return count_seats(pegs)


def test_two_corners_are_really_taken_at_once() -> None:
    """Red has them even if a rival fills all the rest; without the stone Red has none."""
    step = step_of("x", "two-corners")
    start = start_of("x", step)
    for turn in answers(start, step.goals[0]):
        for rival in "yg":
            assert owners(turn.after, rival).count(0) == 2
            assert owners(start, rival).count(0) == 0


def owners(state: skerry.State, rival: str) -> list[int]:
    """Who owns each corner if a rival fills the board, as the second implementation finds it."""
    board = X(size=state.game.options["size"])
    letters = zip(state.game.board.names, state.cells, strict=True)
    cells = {name: rival if letter == "." else letter for name, letter in letters}
    return [board.owner(cells, corner) for corner in board.corners]


def test_the_connecting_jump_is_one() -> None:
    """On the only line that reaches the winning hex, pieces stand in between."""
    step = step_of("skirt", "leap")
    start = start_of("skirt", step)
    (turn,) = answers(start, step.goals[0])
    board, pieces = start.game.board, start.scene().pieces
    goal = board.index[turn.text]
    lines = [
        list(board.ray(outer, direction))
        for outer, piece in pieces.items()
        if piece.seat == 0 and outer in start.game.view.zones
        for direction in range(6)
    ]
    reaching = [line[: line.index(goal)] for line in lines if goal in line]
    assert reaching
    assert all(line and set(line) <= set(pieces) for line in reaching)


def test_the_path_of_the_sun_is_safe_and_the_only_one() -> None:
    step = step_of("skaane", "sunrise")
    start = start_of("skaane", step)
    assert set(step.goals[:-1]) == {Safe()}
    found = []

    def climb(moves: list[str]) -> None:
        verdict = judge(start, step, moves)
        if verdict.done:
            found.append(moves)
        if verdict.done or verdict.wrong:
            return
        state = start
        for move in verdict.moves:
            state = state.play(move)
        for move in state.legal_moves():
            climb([*moves, str(move)])

    climb([])
    assert found == [["b2-c2", "c2-c3", "c3-c4", "c4-c5", "c5-c6"]]
    state = start
    for ply, move in enumerate(judge(start, step, found[0]).moves):
        state = state.play(move)
        if ply % 2 == 0 and not state.is_over:
            assert not attackers_of_the_sun(state)


def attackers_of_the_sun(state: skerry.State) -> list[str]:
    """Dark pawns diagonally next to it: any of them would beat it."""
    place = state.scene().pieces
    points = state.game.board.points
    (sun,) = (cell for cell, piece in place.items() if piece.seat == 0)
    x, y = points[sun]
    return [
        state.game.board.names[cell]
        for cell, piece in place.items()
        if piece.seat == 1 and abs(points[cell][0] - x) == 1 == abs(points[cell][1] - y)
    ]


def test_a_turn_of_two_pieces_is_judged_when_it_is_whole() -> None:
    step = step_of("skirt", "turn")
    start = start_of("skirt", step)
    verdict = judge(start, step, ["a3"])
    assert (verdict.done, verdict.wrong, verdict.feedback) == (False, False, UNFINISHED)
    assert judge(start, step, ["a3", "b3"]).done


def test_nothing_follows_the_end_of_a_step() -> None:
    step = step_of("skew", "board")
    start = start_of("skew", step)
    with pytest.raises(IllegalMove, match="begin it again"):
        judge(start, step, ["b2-ne", "b3-e"])


def test_any_attempt_in_vain_is_explained() -> None:
    step = step_of("skaane", "attack")
    start = start_of("skaane", step)
    for path, reason in [
        (["a5"], "the pawn on a5 is not yours"),
        (["c1"], "there is no pawn on c1"),
        (["b2", "b4"], "a pawn moves one space: from b2 that way it comes to b3"),
        (["b2", "d5"], "d5 is not straight above, below, left or right of b2"),
    ]:
        verdict = judge(start, step, [], path)
        assert not verdict.done
        assert verdict.feedback == f"Not allowed: {reason}."
    other = step_of("skew", "alone")
    verdict = judge(start_of("skew", other), other, [], ["e1"])
    assert not verdict.done
    assert verdict.feedback.endswith(SOMETHING_ELSE)
