"""What the API answers about positions that nobody keeps."""

from pydantic import Field

from skerry.server.play.answers import BoardShown, SeatTitle
from skerry.server.web.answers import Answer


class PositionShown(BoardShown):
    """Where some moves lead."""

    start: str
    seats: list[SeatTitle]


class PieceShown(Answer):
    letter: str
    words: str
    colour: str | None
    svg: str | None = Field(description="the piece as it looks; nothing for an empty cell")


class SeatLetter(Answer):
    letter: str
    title: str
    svg: str = Field(description="a piece that stands for the seat")
    holding: str = Field(description="what the seat has, once the position can be played")


class EditedShown(Answer):
    """A position that is being set up."""

    position: str
    empty: str = Field(description="the same with nothing on the board")
    error: str | None = Field(description="what is wrong with it")
    svg: str
    palette: list[PieceShown]
    seats: list[SeatLetter]
