"""The courses there are, one module each; a game without one has its clauses to read.

A game of another distribution has its own beside it: ``COURSE`` in the module ``course``.
"""

from functools import cache

from skerry.core.errors import warn
from skerry.core.game import enter_room
from skerry.games import home_of
from skerry.study.courses import skaane, skew, skirt, x
from skerry.study.lessons import Course

ALL = (skew.COURSE, skirt.COURSE, x.COURSE, skaane.COURSE)
COURSES: dict[str, Course] = {course.game: course for course in ALL}


def find_course(name: str) -> Course | None:
    """The course of a game; None where there is none."""
    return COURSES.get(name) or _find_foreign(name)


@cache
def _find_foreign(name: str) -> Course | None:
    home = home_of(name)
    try:
        course = getattr(enter_room(home, "course"), "COURSE", None) if home else None
    except Exception as error:  # whatever the code of others may raise
        warn(f"the course of {name} is left out: {home}.course: {error!r}")
        return None
    return course if isinstance(course, Course) and course.game == name else None
