"""What the API answers, for its description. Tests hold the answers to it."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Option(_Answer):
    name: str
    default: int
    low: int
    high: int
    help: str


class Kind(_Answer):
    """A game that can be played."""

    name: str = Field(examples=["skew"])
    title: str = Field(examples=["Skew"])
    seats: list[str] = Field(examples=[["First", "Second"]])
    options: list[Option]
    credit: str
    summary: str


class SeatTitle(_Answer):
    seat: int
    title: str = Field(examples=["First"])


class Sitting(SeatTitle):
    kind: str = Field(description="person, bot, open, random, or level:1 to level:8")
    name: str


class Place(Sitting):
    claimed: bool
    online: bool


class Player(_Answer):
    kind: str
    name: str


class ListedGame(_Answer):
    id: str
    game: str
    state: Literal["playing", "finished"]
    seats: list[Player]
    ply: int
    updated: int


class NewGameMade(_Answer):
    """Keep the secrets: whoever has one plays that seat."""

    id: str
    url: str = Field(examples=["/g/3kTf0aQvbxZe"])
    secrets: list[str | None]


class Outcome(_Answer):
    winner: int | None
    returns: list[float]
    score: list[int] | None
    reason: str


class Ply(_Answer):
    ply: int
    seat: int
    text: str = Field(examples=["d4-ne"])
    path: list[str] = Field(examples=[["d4", "ne"]])


class LegalMove(_Answer):
    move: str
    path: list[str]


class Clock(_Answer):
    settings: dict[str, Any]
    remaining: list[int | None] = Field(description="milliseconds")
    running: int | None
    now: int


class Offers(_Answer):
    draw: int | None
    takeback: int | None


class Remark(_Answer):
    n: int
    name: str
    text: str
    at: int


class Standing(_Answer):
    """Where a course of moves stands."""

    game: str
    title: str
    options: dict[str, int]
    position: str
    to_move: int | None
    moves: list[Ply]
    legal: list[LegalMove]
    directions: dict[str, list[float]]
    svg: str
    outcome: Outcome | None
    words: str


class PositionShown(Standing):
    """Where some moves lead."""

    start: str
    seats: list[SeatTitle]


class Attempted(PositionShown):
    """What moves come to in a step of a course."""

    done: bool
    wrong: bool
    feedback: str


class PuzzleShown(_Answer):
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
    solution: list[str]
    board: Standing


class PuzzleTurn(_Answer):
    seat: int
    turn: str
    board: Standing


class PuzzleJudged(_Answer):
    """What became of an answer, and how the game goes on from there."""

    right: bool
    solved: bool
    words: str
    line: list[PuzzleTurn]


class GameShown(Standing):
    """A game as it stands, for whoever asks."""

    id: str
    version: int = Field(description="what a move or an action has to name")
    revision: int
    ply: int
    seats: list[Place]
    clock: Clock | None
    offers: Offers
    rematch: str | None
    chat: list[Remark]
    yours: list[int]
    thinking: bool
    engine: Literal["ready", "warming"] | None


class Conflict(_Answer):
    """Somebody was faster; the game as it is now, where there is one."""

    error: str
    game: GameShown | None = None


class Secret(_Answer):
    secret: str


class Preview(_Answer):
    svg: str
    words: str
    complete: bool
    next: list[list[str]]


class ArchivedGame(_Answer):
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


class ArchivePage(_Answer):
    games: list[ArchivedGame]
    after: str | None
    count: int


class BotMade(_Answer):
    """The token is told this once."""

    name: str
    token: str


class BotShown(_Answer):
    name: str
    created: int
    playing: list[str] = Field(description="the ids of games that go on")


class OpenGame(_Answer):
    id: str
    game: str
    options: dict[str, int]
    clock: dict[str, Any] | None
    rated: bool
    seats: list[Sitting]
    open: list[int]


class BotGameMade(_Answer):
    id: str
    url: str
    seat: int
    rated: bool
    secrets: list[str | None] = Field(description="of the seats that are persons'")


class BotJoined(_Answer):
    id: str
    url: str
    seat: int
    rated: bool


class Event(_Answer):
    """A line of a bot's stream. Lines may also be empty."""

    type: Literal["start", "turn", "end"]
    id: str
    game: str
    options: dict[str, int]
    rated: bool
    seat: int = Field(description="your seat")
    seats: list[Sitting]
    version: int
    position: str
    moves: list[str]
    to_move: int | None
    words: str
    legal: list[str] | None = Field(None, description="in a turn: all moves there are")
    outcome: Outcome | None = Field(None, description="in an end")


class Rated(_Answer):
    name: str
    kind: Literal["level", "bot"]
    games: int
    points: float
    elo: float | None = Field(description="null while no games lead to level 1")
    margin: float | None = Field(description="half the width of the 95 % interval")


class LadderShown(_Answer):
    """Elo where level 1 has 0, the best first."""

    game: str
    title: str
    games: int
    players: list[Rated]


class StudyMade(_Answer):
    """Keep the secret: whoever has it may change the study."""

    id: str
    url: str = Field(examples=["/study/3kTf0aQvbxZe"])
    secret: str


class StudyShown(_Answer):
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


class StudyConflict(_Answer):
    """Somebody was faster; the study as it is now, where there is one."""

    error: str
    study: StudyShown | None = None


class Piece(_Answer):
    letter: str
    words: str
    colour: str | None


class SeatLetter(_Answer):
    letter: str
    title: str


class SetupShown(_Answer):
    """A position that is being set up."""

    position: str
    empty: str = Field(description="the same with nothing on the board")
    error: str | None = Field(description="what is wrong with it")
    svg: str
    palette: list[Piece]
    seats: list[SeatLetter]
