"""What the API answers about studies."""

from typing import Any

from pydantic import Field

from skerry.server.play.answers import SeatTitle
from skerry.server.web.answers import Answer


class StudyMade(Answer):
    """Keep the secret: whoever has it may change the study."""

    id: str
    url: str = Field(examples=["/study/3kTf0aQvbxZe"])
    secret: str


class StudyShown(Answer):
    """A study: a record in two parts, how it starts and what was played and said."""

    id: str
    version: int = Field(description="what a change has to name")
    title: str
    yours: bool
    origin: dict[str, Any] = Field(description="what a copy is made from")
    game: str
    options: dict[str, int]
    start: str
    seats: list[SeatTitle]
    inks: dict[str, list[list[str]]] = Field(description="body and rim of each seat, by theme")
    frame: dict[str, Any] = Field(description="a record without its line")
    line: dict[str, Any] = Field(description="comments and moves, with seat and turn of each")
    review: dict[str, Any] | None


class FilmProgress(Answer):
    """How far a film has come; the last line has its address, or why there is none."""

    done: int = Field(description="pictures drawn")
    of: int
    url: str | None
    error: str | None


class StudyConflict(Answer):
    """Somebody was faster; the study as it is now, where there is one."""

    error: str
    study: StudyShown | None = None
