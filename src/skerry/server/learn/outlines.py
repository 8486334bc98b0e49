"""Courses as their pages show them, without a rule being asked: kernels may still be compiling."""

from typing import Any

from skerry.games import kind, make
from skerry.render.svg import measure
from skerry.server.languages.choice import gettext
from skerry.server.languages.sentences import translate
from skerry.server.web.kinds import list_clauses
from skerry.study.courses import find_course
from skerry.study.goals import Refused
from skerry.study.lessons import CourseStep

UNIT = 40  # pixels between cells


def count_steps(name: str) -> int:
    """How many steps the course of a game has; 0 where there is none."""
    course = find_course(name)
    return len(course.steps) if course else 0


def outline(name: str) -> dict[str, Any] | None:
    """A course for its page; None where there is none."""
    course = find_course(name)
    if course is None:
        return None
    told: set[str] = set()
    steps = []
    for step in course.steps:
        game = make(name, **step.options)
        clauses = list_clauses(game)
        width, height = measure(game.board)
        steps.append(
            {
                "id": step.id,
                "title": translate(step.title),
                "text": translate(step.text),
                "task": translate(step.task),
                "clauses": {id: None if id in told else clauses[id] for id in step.clauses},
                "words": words_for(step),
                "pieces": say_pieces(name, step),
                "options": dict(step.options),
                "size": (round(UNIT * width), round(UNIT * height)),
            }
        )
        told.update(step.clauses)
    seats = ["level:1"] * len(kind(name).seats)
    seats[course.seat] = "person"
    return {
        "welcome": translate(course.welcome),
        "farewell": translate(course.farewell),
        "steps": steps,
        "first_game": {"game": name, "options": dict(course.friendly), "seats": seats},
    }


def words_for(step: CourseStep) -> list[str]:
    """What is to be tried in vain and cannot be pointed at, such as a pass."""
    goal = step.goals[-1]
    return [word for word in goal.attempts if word.isalpha()] if isinstance(goal, Refused) else []


def say_pieces(name: str, step: CourseStep) -> str:
    """What stands where, for those who do not see the picture."""
    game = make(name, **step.options)
    letters = game.board.read_rows(step.position.split()[0], game.letters)
    said = [
        f"{game.board.names[cell]} {translate(game.piece(letter).in_words(game.seats))}"
        for cell, letter in enumerate(letters)
        if letter != "."
    ]
    return ", ".join(said) or gettext("an empty board")
