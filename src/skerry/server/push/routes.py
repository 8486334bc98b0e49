"""A browser asks to be told about its seats, or not any more."""

from contextlib import nullcontext
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from skerry.server.languages.choice import current_language
from skerry.server.play.routes import MOST_HELD, HeldGame
from skerry.server.push.address import LONGEST_ENDPOINT, read_endpoint
from skerry.server.push.encryption import Addressee
from skerry.server.push.subscriptions import Subscription, Subscriptions
from skerry.server.settings import Settings
from skerry.server.web.access import Person, Visitor
from skerry.server.web.address import absolute
from skerry.server.web.answers import Answer
from skerry.server.web.errors import Refusal
from skerry.server.web.limits import Limits, spend
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import Body
from skerry.server.web.responses import SILENT

router = APIRouter(prefix="/api/push", responses=REFUSALS, tags=["notifications"])

LONGEST_ORIGIN = 255
Address = Annotated[str, Field(max_length=LONGEST_ENDPOINT, description="as the browser has it")]


class BrowserKeys(Body):
    """What messages for a browser are encrypted with."""

    p256dh: str = Field(max_length=128)
    auth: str = Field(max_length=32)


class BrowserSubscription(Body):
    """A subscription as a browser makes it."""

    endpoint: Address
    keys: BrowserKeys

    def read(self, origin: str) -> Subscription:
        language = current_language()
        return Subscription(self.endpoint, self.keys.p256dh, self.keys.auth, origin, language)


class NewSubscription(BrowserSubscription):
    """A subscription, and the games with seats that the browser is told about."""

    games: list[HeldGame] = Field(max_length=MOST_HELD)
    replaces: BrowserSubscription | None = Field(
        None, description="the one that it had before, whose seats it is told about from now on"
    )


class OldSubscription(Body):
    endpoint: Address


class SignerShown(Answer):
    key: str = Field(description="what to subscribe for: the public key of this server")


class SubscriptionShown(Answer):
    seats: int = Field(description="how many of the secrets open a seat")


@router.get("", response_model=SignerShown, dependencies=[spend("reads")])
async def show_signer(subscriptions: Part[Subscriptions]) -> dict[str, str]:
    """The key with which this server signs what it sends to browsers."""
    return {"key": subscriptions.signer.public}


@router.put("", response_model=SubscriptionShown, dependencies=[spend("chats")])
async def subscribe(
    subscriptions: Part[Subscriptions],
    settings: Part[Settings],
    limits: Part[Limits],
    visitor: Visitor,
    person: Person,
    body: NewSubscription,
) -> dict[str, int]:
    """Tell a browser when it is the turn of these seats, and of those it has named before.

    Whoever is signed in is told about seats that only their account opens, too, until they are not.
    A browser whose push service gave it another subscription hears of all seats that it heard of.
    It is told in the language of this request.
    """
    read_endpoint(body.endpoint, settings.allowed_services)
    try:
        Addressee.read(body.keys.p256dh, body.keys.auth)
    except ValueError:
        raise Refusal("the keys are not those of a browser's subscription") from None
    origin = absolute("")[:LONGEST_ORIGIN]
    found = body.read(origin)
    former = None if body.replaces is None else body.replaces.read(origin)
    held = {(game.id, secret) for game in body.games for secret in game.secrets}
    is_known = await subscriptions.is_known(found) or (
        former is not None and await subscriptions.is_shown(former)
    )
    with nullcontext() if is_known else limits.quotas["subscriptions"].reserve(visitor):
        session = "" if person is None else person.session
        return {"seats": await subscriptions.keep(found, held, former, session)}


@router.post("/forget", **SILENT, dependencies=[spend("chats")])
async def unsubscribe(subscriptions: Part[Subscriptions], body: OldSubscription) -> None:
    """Tell a browser nothing any more."""
    await subscriptions.forget(body.endpoint)
