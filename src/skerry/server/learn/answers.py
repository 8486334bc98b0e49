"""What the API answers about lessons and puzzles."""

from pydantic import Field

from skerry.server.play.answers import BoardShown, SeatTitle
from skerry.server.positions.answers import PositionShown
from skerry.server.web.answers import Answer


class AttemptJudged(PositionShown):
    """What moves come to in a step of a course."""

    done: bool
    wrong: bool
    feedback: str


class PuzzleShown(Answer):
    """A position in which exactly one turn reaches the goal."""

    game: str
    title: str
    number: int
    count: int
    goal: str = Field(examples=["First to move and win in two turns"])
    seat: int
    seats: list[SeatTitle]
    turns: int
    difficulty: str
    options: dict[str, int]
    start: str
    themes: list[str] = Field(description="what it is about", examples=[["win in two turns"]])
    solution: list[str]
    board: BoardShown


class PuzzleTurn(Answer):
    seat: int
    turn: str
    board: BoardShown


class PuzzleJudged(Answer):
    """What became of an answer, and how the game goes on from there."""

    right: bool
    solved: bool
    words: str
    line: list[PuzzleTurn]
