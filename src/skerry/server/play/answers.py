"""What the API answers about games and boards."""

from typing import Any, Literal

from pydantic import Field

from skerry.server.web.answers import Answer


class SeatTitle(Answer):
    seat: int
    title: str = Field(examples=["First"])


class PersonNamed(Answer):
    """Somebody who has an account."""

    id: str
    name: str


class Sitting(SeatTitle):
    kind: str = Field(
        description="person, bot, open, random, level:1 to level:10, or another engine"
    )
    name: str
    left: str | None = Field(description="who left this seat to the engine that plays on")
    person: PersonNamed | None = Field(description="whose account has the seat")
    rating: int | None = Field(description="in a rated game, before it")
    rating_after: int | None = Field(description="once a rated game is over")
    provisional: bool = Field(description="whether the rating is known but roughly")


class SeatShown(Sitting):
    claimed: bool
    online: bool
    who: str = Field(description="the name, where there is somebody and it tells seats apart")
    holding: str = Field(description="what counts", examples=["3 scoring, 21 left"])
    away: int | None = Field(description="until when they are on vacation, if they are")


class PlayerListed(Answer):
    kind: str
    name: str


class GameListed(Answer):
    id: str
    game: str
    title: str
    state: Literal["playing", "finished"]
    seats: list[PlayerListed]
    ply: int
    updated: int


class GameHeld(Answer):
    """An unfinished game, for somebody who sits there."""

    id: str
    game: str
    title: str
    seats: list[Sitting]
    ply: int
    to_move: int
    yours: list[int]
    left: int | None = Field(description="of the seat to move, in milliseconds")
    running: bool = Field(description="whether that time runs")


class GameMade(Answer):
    """Keep the secrets: whoever has one plays that seat."""

    id: str
    url: str = Field(examples=["/g/3kTf0aQvbxZe"])
    secrets: list[str | None]
    seat: int | None = Field(description="your own")


class OutcomeShown(Answer):
    winner: int | None
    returns: list[float]
    score: list[int] | None
    reason: str


class PlyShown(Answer):
    ply: int
    seat: int
    text: str = Field(examples=["d4-ne"])
    path: list[str] = Field(examples=[["d4", "ne"]])


class LegalMove(Answer):
    move: str
    path: list[str]


class ClockShown(Answer):
    settings: dict[str, Any]
    remaining: list[int | None] = Field(description="milliseconds")
    running: int | None
    grace: int = Field(description="milliseconds until the time of the running seat counts")
    now: int


class DeclinedShown(Answer):
    what: Literal["draw", "takeback"]
    seat: int = Field(description="who asked")
    by: int


class OffersShown(Answer):
    draw: int | None
    takeback: int | None
    rematch: list[int] = Field(description="the seats that want one; it begins when all do")
    declined: list[DeclinedShown] = Field(description="since the last move")


class AbsenceShown(Answer):
    """Somebody who is to move is not there."""

    seat: int
    wait: int = Field(description="milliseconds until the others can claim")


class RemarkShown(Answer):
    n: int
    name: str
    text: str
    at: int


class WatchingShown(Answer):
    """Those who watch without a seat."""

    count: int
    names: list[str] = Field(description="of some who have an account")


class BoardShown(Answer):
    """Where some moves lead, and what could be done next."""

    game: str
    title: str
    options: dict[str, int]
    position: str
    to_move: int | None
    moves: list[PlyShown]
    legal: list[LegalMove]
    directions: dict[str, list[float]]
    svg: str
    turned: bool = Field(description="whether the picture shows the board from the top")
    outcome: OutcomeShown | None
    words: str
    holdings: list[str] = Field(description="what counts, by seats", examples=[["3 scoring"]])


class EvenStartShown(Answer):
    """What strong play made of the start of this game, from which each seat has its part."""

    games: int = Field(description="of strong players, from this start")
    shares: list[float] = Field(description="of the points, by seat")
    margin: float = Field(description="half the width of their 95 % intervals")
    moves: list[str] = Field(description="by which the start came about; none if it is a deal")


class GameShown(BoardShown):
    """A game as it stands, for whoever asks."""

    id: str
    version: int = Field(description="what a move or an action has to name")
    revision: int
    ply: int
    prompts: list[str] = Field(
        description="what to point at, for each part of a move", examples=[["choose a pawn"]]
    )
    seats: list[SeatShown]
    clock: ClockShown | None
    offers: OffersShown
    rated: bool = Field(description="whether it counts on the ladder")
    result: str | None = Field(
        description="once over: the seat that won, draw, none (nobody won), or void (called off)"
    )
    event: str | None = Field(description="the tournament of which it is a part")
    rematch: str | None
    chat: list[RemarkShown] = Field(description="for players, and for everybody once it is over")
    gallery: list[RemarkShown] = Field(
        description="what those who watch say: for them, and for everybody once it is over"
    )
    watching: WatchingShown
    yours: list[int]
    swap: Literal["may", "done"] | None = Field(description="how it stands with the swap rule")
    even: EvenStartShown | None = Field(description="if the game began with an even start")
    absent: AbsenceShown | None
    stand_in: str = Field(description="the engine that plays on for whoever leaves a game of three")
    can: list[str] = Field(description="the actions that you could take now")
    thinking: bool
    engine: Literal["ready", "warming"] | None
    readiness: int | None = Field(
        description="how much of what the engine needs is compiled, in per cent"
    )


class GameClaimed(GameShown):
    """A game at which you sit down."""

    secrets: dict[int, str] = Field(
        description="by seats, those that open them from now on in the place of their links"
    )


class GameConflict(Answer):
    """Somebody was faster; the game as it is now, where there is one."""

    error: str
    game: GameShown | None = None


class SecretMade(Answer):
    secret: str


class ConditionsShown(Answer):
    """What you have planned to answer; nobody else is told."""

    seat: int
    ply: int = Field(description="after which the lines begin")
    lines: list[list[PlyShown]]


class PreviewShown(Answer):
    svg: str
    words: str
    complete: bool
    next: list[list[str]]


class ReasonShown(Answer):
    reason: str = Field(examples=["Not allowed: a1 already holds a peg."])
