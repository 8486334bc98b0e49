"""Readers of courses who always find an answer."""

import skerry
from skerry.study.goals import Refused
from skerry.study.lessons import CourseStep, judge

MOST_MOVES = 5


def start_of(name: str, step: CourseStep) -> skerry.State:
    return skerry.make(name, **step.options).position(step.position)


def forbidden_path(step: CourseStep) -> list[str]:
    """What a step asks to be tried in vain; nothing where it asks for something else."""
    goal = step.goals[-1]
    return goal.attempts[0].split() if isinstance(goal, Refused) else []


def find_moves(start: skerry.State, step: CourseStep, moves: tuple[str, ...] = ()) -> list[str]:
    """The reader's moves that do what a step asks for; none if they cannot begin so."""
    verdict = judge(start, step, moves)
    if verdict.done:
        return list(moves)
    if verdict.wrong or len(moves) == MOST_MOVES:
        return []
    state = start
    for move in verdict.moves:
        state = state.play(move)
    for move in state.legal_moves():
        found = find_moves(start, step, (*moves, str(move)))
        if found:
            return found
    return []
