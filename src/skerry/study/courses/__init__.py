"""The courses there are, one module each; a game without one has its clauses to read."""

from skerry.study.courses import skaane, skew, skirt, x

COURSES = {module.COURSE.game: module.COURSE for module in (skew, skirt, x, skaane)}
