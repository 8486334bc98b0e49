"""What the API answers about tournaments."""

from typing import Any, Literal

from pydantic import Field

from skerry.server.web.answers import Answer

Systems = Literal["round-robin", "swiss", "knockout", "arena"]
States = Literal["gathering", "playing", "over", "off"]


class EventListed(Answer):
    id: str
    url: str = Field(examples=["/tournaments/3kTf0aQvbxZe"])
    title: str
    game: str
    game_title: str
    options: dict[str, int]
    setup: str = Field(description="the options, where they are not the usual ones")
    clock: dict[str, Any]
    system: Systems
    rounds: int | None = Field(description="null for as many as it takes")
    minutes: int | None = Field(description="how long an arena lasts")
    rated: bool
    state: States
    entrants: int
    starts: int | None
    quorum: int | None = Field(description="it begins when so many take part")
    made_by: str
    created: int
    began: int | None
    ends: int | None
    finished: int | None


class EntrantNamed(Answer):
    entrant: str = Field(examples=["person:3kTf0aQvbxZe", "bot:deep thought", "level:3"])
    name: str


class StandingShown(EntrantNamed):
    place: int = Field(description="shared by those whom nothing decides between")
    points: float
    tie_breaks: list[float] = Field(description="in the order of `tie_breaks` of the tournament")
    won: int
    drawn: int
    lost: int
    byes: int
    rating: int | None = Field(description="when it began")
    left: bool = Field(description="whether they are not paired any more")


class BoutShown(Answer):
    round: int = Field(description="from 1 on")
    number: int
    players: list[EntrantNamed] = Field(description="by seats; one alone has a bye")
    url: str | None = Field(description="the game")
    winners: list[int] | None = Field(description="the seats that share the point; null before")
    absent: list[int] = Field(description="the seats of those who did not come")


class EventShown(EventListed):
    """A tournament as it stands."""

    version: int
    round: int = Field(description="how many rounds have been paired")
    tie_breaks: list[str] = Field(examples=[["buchholz", "sonneborn", "direct", "wins"]])
    standings: list[StandingShown]
    bouts: list[BoutShown] = Field(
        description="all of them; of an arena those that go on, and the latest"
    )
    you: str | None = Field(description="who you are, as an entrant")
    your_game: str | None = Field(description="the game that waits for you")
    can: list[str] = Field(description="what you could do: join, leave, start, call-off")
