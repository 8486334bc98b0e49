"""What the API answers about openings."""

from typing import Any, Literal

from pydantic import Field

from skerry.server.play.answers import SeatTitle
from skerry.server.positions.answers import PositionShown
from skerry.server.web.answers import Answer


class ShareShown(Answer):
    """A share of the points, and its 95 % interval."""

    value: float
    low: float
    high: float


class WayShown(Answer):
    """A move that was played, with all that the symmetries of the board make of it."""

    move: str
    images: list[str] = Field(description="the same move elsewhere on the board")
    name: str | None = Field(description="of the position that it leads to")
    games: int
    played: float = Field(description="the share of the games in this position")
    few: bool = Field(description="whether there are too few games to rely on")
    shares: list[ShareShown] = Field(description="by seat; empty without games")
    before: float | None = Field(description="how often an early net played it, where known")
    drift: Literal["dropped", "found"] | None


class CrossroadsShown(Answer):
    """A position: the games that came there, and the ways on."""

    name: str | None = Field(description="of the line")
    games: int
    shares: list[ShareShown]
    early_games: int | None
    ways: list[WayShown]


class SourcePlayer(Answer):
    net: str
    minutes: float | None = Field(description="for which it had learnt")
    simulations: int | None = Field(description="for every move")


class SourceShown(Answer):
    """Whose games were looked at."""

    era: Literal["best", "early"]
    games: int
    players: list[SourcePlayer]


class OpeningsShown(PositionShown):
    """Where some moves lead, and what strong players played there."""

    openings: CrossroadsShown | None = Field(description="nothing where no games are known")
    sources: list[SourceShown]
    commands: list[str] = Field(description="how to build an atlas, where there is none")


class ColumnShown(Answer):
    """A player that went on after every first move."""

    minutes: float = Field(description="for which its net had learnt")
    simulations: int = Field(description="for every move")


class CountedShare(ShareShown):
    games: int


class FirstMoveShown(Answer):
    """A first move up to symmetry, and what it is worth."""

    move: str
    images: list[str] = Field(description="the same move elsewhere on the board")
    band: Literal["keep", "close", "swap"] | None = Field(
        description="what whoever may swap should do; nothing in games of three"
    )
    elo: CountedShare | None = Field(description="what the better seat is ahead, in Elo")
    shares: list[list[CountedShare]] = Field(description="by column and seat")


class FirstMovesShown(Answer):
    """What every first move of a board is worth."""

    game: str
    title: str
    options: dict[str, int]
    seats: list[SeatTitle]
    columns: list[ColumnShown] = Field(description="from the weakest player to the strongest")
    moves: list[FirstMoveShown] = Field(description="the fairest first; none if nothing is known")
    card: dict[str, Any] | None = Field(description="how it was measured")


class CardsShown(Answer):
    """The data cards of the atlases of a game."""

    best: dict[str, Any] | None
    early: dict[str, Any] | None
