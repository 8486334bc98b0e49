"""What the API answers about accounts."""

from typing import Literal

from pydantic import Field

from skerry.server.web.answers import Answer

ROLES = Literal["member", "moderator", "admin"]


class AccountShown(Answer):
    """Somebody who is signed in."""

    id: str
    name: str
    role: ROLES


class WhoShown(Answer):
    person: AccountShown | None = Field(description="null for guests, who need no account to play")


class SessionShown(Answer):
    """A browser, or a program, in which you are signed in."""

    id: str
    created: int
    seen: int = Field(description="to the hour")
    agent: str = Field(description="what it calls itself")
    current: bool = Field(description="whether it is the one that asks")
