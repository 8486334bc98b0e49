"""What the API answers about the archive."""

from pydantic import Field

from skerry.server.play.answers import Sitting
from skerry.server.web.answers import Answer


class ArchivedGame(Answer):
    id: str
    game: str
    title: str
    options: dict[str, int]
    seats: list[Sitting]
    result: str = Field(description="the number of the seat that won, draw, or none")
    words: str
    plies: int
    finished: int = Field(description="milliseconds since 1970")
    rated: bool
    url: str


class ArchivePage(Answer):
    games: list[ArchivedGame]
    after: str | None = Field(description="the cursor of the next page")
    count: int
