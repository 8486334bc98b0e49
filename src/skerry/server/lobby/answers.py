"""What the API answers about the lobby."""

from typing import Any, Literal

from pydantic import Field

from skerry.server.web.answers import Answer


class JoinedShown(Answer):
    name: str
    bot: bool
    entrant: str | None = Field(description="none of a guest", examples=["bot:deep thought"])
    rating: int | None
    fill: int | None = Field(description="the level that they would have in free seats")
    yours: bool


class ChallengeShown(Answer):
    """Who wants to play what. The first to join made it."""

    id: str
    game: str
    title: str
    options: dict[str, int]
    setup: str = Field(description="what is not as usual about the board", examples=["side 4"])
    clock: dict[str, Any] | None
    rated: bool
    seats: int
    seat: int | None = Field(description="where whoever made it sits; null is by chance")
    swap: bool
    even: bool = Field(description="whether it begins with an even start")
    audience: Literal["everybody", "members"]
    bots: bool = Field(description="whether bots may answer")
    low: int | None = Field(description="the least rating of whoever may answer")
    high: int | None
    quick: bool
    to: str | None = Field(description="who alone may answer")
    joined: list[JoinedShown]
    yours: bool = Field(description="whether you have joined")
    for_you: bool = Field(description="whether it is you who is challenged")
    state: Literal["open", "begun", "declined"]
    url: str | None = Field(description="once begun: the game", examples=["/g/3kTf0aQvbxZe"])
    created: int


class ChallengeMade(Answer):
    """Keep the secret: it opens your seat in the game that comes of this."""

    challenge: ChallengeShown
    secret: str | None = Field(description="null for bots, whose token opens all their seats")


class QuickShown(Answer):
    """How many wait to be paired."""

    game: str
    clock: str = Field(examples=["increment=3,kind=total,seconds=300"])
    rated: bool
    waiting: int


class SeekersShown(Answer):
    people: int = Field(description="how many look for a game")
    words: str


class LobbyShown(Answer):
    people: int = Field(description="how many look for a game")
    open: list[ChallengeShown]
    quick: list[QuickShown]
    mine: list[ChallengeShown] = Field(description="what you have joined, or were sent")
