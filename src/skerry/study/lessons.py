"""Courses: the rules of a game, a step at a time, each with a board to try it on.

A step shows a position and asks for a turn; the rules say whether it was one, and what it did.
Nothing here knows a game: the courses do, one module each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from skerry.core.errors import IllegalMove, InvalidMove
from skerry.core.notation import TURN_JOINT
from skerry.core.state import State
from skerry.core.texts import N_
from skerry.study.goals import Goal, Refused, Turn

UNFINISHED = N_("Go on: your turn is not over yet.")
ANSWERED = N_("Right. Now look at the answer, and go on.")
SOMETHING_ELSE = N_("Something else was to be tried.")


@dataclass(frozen=True)
class CourseStep:
    """One thing to learn: what is told, what is asked for, and what is said to an answer.

    A step of several turns has a goal for each, and what the others reply in between.
    """

    id: str
    title: str
    text: str
    task: str
    position: str
    goals: tuple[Goal, ...]
    right: str  # said when all is done
    hint: str = ""  # said to any other turn
    hints: Mapping[str, str] = field(default_factory=dict)  # said to certain turns instead
    replies: tuple[str, ...] = ()  # turns of the others after each goal but the last
    clauses: tuple[str, ...] = ()
    options: Mapping[str, int] = field(default_factory=dict)
    overlay: str = ""  # what explains the position; see State.overlay


@dataclass(frozen=True)
class Course:
    """All steps of a game, in the order in which a newcomer needs them."""

    game: str
    welcome: str
    steps: tuple[CourseStep, ...]
    farewell: str  # leads to the first game
    friendly: Mapping[str, int]  # options of a small board for it
    seat: int = 0  # where the reader sits in it

    def step(self, id: str) -> CourseStep | None:
        return next((step for step in self.steps if step.id == id), None)


@dataclass(frozen=True)
class StepResult:
    """What came of an attempt: the moves of everybody, and what there is to say."""

    moves: tuple[str, ...]
    done: bool = False
    wrong: bool = False  # the turn was allowed, but is not what was asked for
    feedback: str = ""


def judge(
    start: State, step: CourseStep, moves: Sequence[str], attempt: Sequence[str] = ()
) -> StepResult:
    """What the reader's moves come to; the others reply as the step says.

    ``attempt`` is what the reader then pointed at in vain, if anything: the rules say why.
    """
    state, waiting, played = start, list(moves), list[str]()
    feedback = ""
    for goal, reply in zip(step.goals, (*step.replies, None), strict=True):
        turn, texts = _take_turn(state, waiting)
        state = turn.after
        played += texts
        if turn.after.to_move == turn.seat:
            feedback = UNFINISHED if texts else feedback
            break
        if not goal.met(turn):
            _refuse_more(waiting)
            return StepResult(tuple(played), wrong=True, feedback=_hint(step, turn))
        if reply is None:
            _refuse_more(waiting)
            return StepResult(tuple(played), done=True, feedback=step.right)
        feedback = ANSWERED
        for answer in reply.split():
            played += map(str, state.parse_turn(answer))
            state = state.play(answer)
    done = False
    if attempt:
        done, feedback = _try(state, step, attempt)
    return StepResult(tuple(played), done=done, feedback=feedback)


def _take_turn(state: State, waiting: list[str]) -> tuple[Turn, list[str]]:
    """The turn that the next moves make, as far as there are any; they are used up."""
    after, path, texts = state, list[str](), list[str]()
    while waiting and after.to_move == state.to_move:
        move = after.parse(waiting.pop(0))
        path += after.path(move)
        texts.append(str(move))
        after = after.play(move)
    return Turn(state, TURN_JOINT.join(texts), tuple(path), after), texts


def _refuse_more(waiting: list[str]) -> None:
    if waiting:
        raise IllegalMove("this step is over: begin it again to try something else")


def _hint(step: CourseStep, turn: Turn) -> str:
    hint = step.hints.get(turn.text) or step.hints.get(turn.path[0]) or step.hint
    outcome = turn.after.outcome
    return f"{outcome.reason}. {hint}" if outcome else hint


def _try(state: State, step: CourseStep, attempt: Sequence[str]) -> tuple[bool, str]:
    """Whether this was to be tried in vain, and why the rules forbid it."""
    reason = refuse(state, attempt)
    goal = step.goals[-1]
    if not isinstance(goal, Refused):
        return False, reason
    if any(list(attempt) == asked.split() for asked in goal.attempts):
        return True, f"{reason} {step.right}"
    return False, f"{reason} {SOMETHING_ELSE}"


def refuse(state: State, path: Sequence[str]) -> str:
    """What to say to somebody who points at these in vain."""
    return N_(f"Not allowed: {why_not(state, path)}.")


def why_not(state: State, path: Sequence[str]) -> str:
    """Why nothing can be played by pointing at these, in the game's own terms."""
    game, wanted = state.game, tuple(path)
    for action in range(game.num_actions):
        if game.view.path(state, action)[: len(wanted)] == wanted:
            return _reason(state, game.notation.write_action(state, action))
    return _reason(state, TURN_JOINT.join(wanted))


def _reason(state: State, text: str) -> str:
    try:
        state.parse(text)
    except (IllegalMove, InvalidMove) as error:
        return str(error)
    raise InvalidMove(f"{text} may be played here")
