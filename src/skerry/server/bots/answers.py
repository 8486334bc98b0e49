"""What the API answers about bots."""

from typing import Any, Literal

from pydantic import Field, RootModel

from skerry.server.play.answers import OutcomeShown, Sitting
from skerry.server.web.answers import Answer


class BotMade(Answer):
    """The token is told this once."""

    name: str
    token: str


class BotShown(Answer):
    name: str
    created: int
    playing: list[str] = Field(description="the ids of games that go on")


class OpenGame(Answer):
    id: str
    game: str
    options: dict[str, int]
    clock: dict[str, Any] | None
    rated: bool
    seats: list[Sitting]
    open: list[int]


class BotJoined(Answer):
    id: str
    url: str
    seat: int
    rated: bool


class BotGameMade(BotJoined):
    secrets: list[str | None] = Field(description="of the seats that are persons'")


class BotEvent(Answer):
    """A line of a bot's stream. Lines may also be empty."""

    type: Literal["start", "turn", "end", "rematch"]
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
    outcome: OutcomeShown | None = Field(None, description="in an end")


class BotChallenged(Answer):
    """A line of a bot's stream: somebody challenges it. POST /api/lobby/ID/join answers."""

    type: Literal["challenge"]
    id: str
    game: str
    options: dict[str, int]
    clock: dict[str, Any] | None
    rated: bool
    swap: bool
    even: bool = Field(description="whether it begins with an even start")
    by: str = Field(description="who wants to play")


class BotLine(RootModel[BotEvent | BotChallenged]):
    """A line of a bot's stream."""
