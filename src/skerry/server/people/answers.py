"""What the API answers about accounts."""

from typing import Any, Literal

from pydantic import Field

from skerry.server.play.answers import Sitting
from skerry.server.web.answers import Answer

ROLES = Literal["member", "moderator", "admin"]


class AccountShown(Answer):
    """Somebody who is signed in."""

    id: str
    name: str
    role: ROLES


class SessionShown(Answer):
    """A browser, or a program, in which you are signed in."""

    id: str
    created: int
    seen: int = Field(description="to the hour")
    agent: str = Field(description="what it calls itself")
    current: bool = Field(description="whether it is the one that asks")


class CodesShown(Answer):
    codes: list[str] = Field(description="told this once; each opens the account once")


class PasskeyShown(Answer):
    id: str
    name: str
    created: int
    used: int | None


class PasskeyOptions(Answer):
    options: dict[str, Any] = Field(description="as WebAuthn has them, in JSON")


class GamesMoved(Answer):
    moved: int = Field(description="games whose seats are the account's now")


class AccountWhole(AccountShown):
    """Your account, as only you see it."""

    created: int
    codes: int = Field(description="recovery codes that are left")
    sessions: list[SessionShown]
    passkeys: list[PasskeyShown]


class MailShown(Answer):
    """Your mail address, and what is told there."""

    possible: bool = Field(description="whether this server sends mail at all")
    address: str | None = Field(description="once it is confirmed")
    waiting: str | None = Field(description="an address whose link was not followed yet")
    turns: bool = Field(description="whether turns that wait are told there")


class EverythingShown(Answer):
    """All that is known of you, as it is kept."""

    account: list[dict[str, Any]]
    sessions: list[dict[str, Any]]
    passkeys: list[dict[str, Any]]
    ties: list[dict[str, Any]] = Field(description="whom you follow, and whom you have blocked")
    complaints: list[dict[str, Any]] = Field(description="what you have reported")
    mailing: list[dict[str, Any]] = Field(description="what is told by mail")
    chat: list[dict[str, Any]]
    games: list[dict[str, Any]] = Field(description="with all moves")


class GamesPlayed(Answer):
    game: str
    title: str
    games: int


class RatingOfPerson(GamesPlayed):
    """What is known of their strength; `games` are those that were rated."""

    rating: float
    margin: float = Field(description="half the width of the 95 % interval")
    provisional: bool


class OpeningShown(Answer):
    """A first turn that somebody plays often."""

    game: str
    title: str
    seat: int
    seat_title: str
    turn: str
    games: int


class GameOfPerson(Answer):
    id: str
    url: str
    game: str
    title: str
    seat: int = Field(description="theirs")
    seats: list[Sitting]
    result: str
    won: bool
    plies: int
    finished: int
    rated: bool


class TieShown(Answer):
    followed: bool
    blocked: bool


class ProfileShown(AccountShown):
    """What everybody may know of somebody."""

    created: int
    seen: int = Field(description="when they were here last, to the hour")
    played: list[GamesPlayed] = Field(description="public games that are over")
    ratings: list[RatingOfPerson]
    recent: list[GameOfPerson]
    openings: list[OpeningShown] = Field(description="on the usual board, from the newest games")
    tie: TieShown | None = Field(description="what they are to you, if you are signed in")


class ComplaintShown(Answer):
    id: str
    at: int
    author: str
    about: str
    game: str | None
    words: str
    closed: int | None
    verdict: str | None


class WhoShown(Answer):
    person: AccountShown | None = Field(description="null for guests, who need no account to play")
