"""The courses there are, one module each; a game without one has its clauses to read."""

from skerry.study.courses import skaane, skew, skirt, x
from skerry.study.lessons import Course

ALL = (skew.COURSE, skirt.COURSE, x.COURSE, skaane.COURSE)
COURSES: dict[str, Course] = {course.game: course for course in ALL}
