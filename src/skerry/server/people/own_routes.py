"""One's own account, for programs: looked at, secured, filled with games, taken along, deleted."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import Field

from skerry.server.db.readings import finish_each
from skerry.server.people.accounts import Accounts
from skerry.server.people.answers import (
    AccountWhole,
    CodesShown,
    EverythingShown,
    GamesMoved,
    PasskeyOptions,
    PasskeyShown,
)
from skerry.server.people.guessing import Guesses
from skerry.server.people.leaving import Leaving
from skerry.server.people.passkeys import Passkeys, RelyingParty
from skerry.server.people.recovery import Recovery
from skerry.server.people.routes import OWN_PAGE, SIGNING, Arriving, describe
from skerry.server.play.routes import HeldGames
from skerry.server.play.service import Service
from skerry.server.play.store import Store
from skerry.server.settings import Settings
from skerry.server.web.access import COOKIE, Member, Visitor
from skerry.server.web.answers import answered
from skerry.server.web.errors import NotFound, Stale
from skerry.server.web.limits import Pay, hold, spend, spender
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import Body
from skerry.server.web.responses import FRESH, SILENT, attachment
from skerry.server.web.secrets import Credentials, Signed

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["people"])

HASH = r"^[0-9a-f]{64}$"
LARGEST = 10_000  # letters of what a device has signed


class Password(Body):
    """The password of the account, to show that it is not somebody who found a browser open."""

    password: str = Field(max_length=400)


class NewPassword(Password):
    new: str = Field(max_length=400)


class UsedCode(Body):
    """A recovery code in the place of a password, and the password to have from now on."""

    name: str = Field(max_length=100)
    code: str = Field(max_length=100, examples=["abcd-efgh-jkmn-pqrs"])
    password: str = Field(max_length=400)


class NewPasskey(Body):
    name: str = Field("", max_length=100, description="what you call it")
    credential: dict[str, Any] = Field(description="as WebAuthn has it, in JSON")


class ShownPasskey(Body):
    credential: dict[str, Any] = Field(description="as WebAuthn has it, in JSON")


@dataclass
class _AccountOwner:
    """Whoever is signed in, for what is done only by those who know the password, too."""

    person: Member
    accounts: Part[Accounts]
    guesses: Part[Guesses]
    visitor: Visitor

    async def check(self, password: str) -> Signed:
        self.guesses.check(self.person.name, self.visitor)
        await self.accounts.check_owner(self.person, password)
        return self.person


Owner = Annotated[_AccountOwner, Depends()]


def find_party(request: Request, settings: Settings) -> RelyingParty:
    """The site as browsers know it."""
    return RelyingParty(settings.site or f"{request.url.scheme}://{request.url.netloc}")


@router.get("/account", response_model=AccountWhole, dependencies=[spend("reads")])
async def show_account(
    accounts: Part[Accounts], recovery: Part[Recovery], passkeys: Part[Passkeys], person: Member
) -> dict[str, Any]:
    """Your account, as only you see it."""
    return {
        **describe(person),
        "created": await accounts.find_created(person),
        "codes": await recovery.count(person),
        "sessions": await accounts.list_sessions(person),
        "passkeys": await passkeys.list(person),
    }


@router.delete("/account", **SILENT, dependencies=[spend("creates")])
async def delete_account(leaving: Part[Leaving], owner: Owner, body: Password) -> Response:
    """Delete your account and all that is known of you.

    Games that go on are resigned. All games stay, as those of a deleted player.
    """
    person = await owner.check(body.password)
    await leaving.delete(person)
    gone = Response(status_code=204)
    gone.delete_cookie(COOKIE)
    return gone


@router.put("/account/password", **SILENT, dependencies=[spend("chats")])
async def change_password(
    accounts: Part[Accounts], store: Part[Store], owner: Owner, body: NewPassword
) -> None:
    """Change your password; you are signed out everywhere else, where no link opens your seats."""
    person = await owner.check(body.password)
    await accounts.change_password(person, body.new)
    await store.close_links(person.id)


@router.post("/account/codes", response_model=CodesShown, dependencies=[spend("chats")])
async def renew_codes(recovery: Part[Recovery], owner: Owner, body: Password) -> dict[str, Any]:
    """New recovery codes, told this once; those from before mean nothing any more."""
    person = await owner.check(body.password)
    return {"codes": await recovery.renew(person)}


@router.post("/account/games", response_model=GamesMoved)
async def move_games(
    service: Part[Service],
    pay: Annotated[Pay, spender("reads")],
    person: Member,
    body: HeldGames,
) -> dict[str, Any]:
    """Give your account the seats that you took as a guest, by showing their secrets."""
    pay(1 + 2 * len(body.games))
    moved = 0
    for game in body.games:
        with suppress(NotFound, Stale):  # it is gone, or somebody does the same
            moved += await service.adopt(game.id, Credentials(tuple(game.secrets), person))
    return {"moved": moved}


@router.get(
    "/account/download",
    response_class=JSONResponse,
    responses=answered(EverythingShown),
    dependencies=[spend("downloads"), hold("taken")],
)
async def download_account(leaving: Part[Leaving], person: Member) -> StreamingResponse:
    """Everything about you as one JSON object, games with all moves included."""
    parts = finish_each(leaving.write(person))
    headers = {**FRESH, **attachment("skerry-account.json")}
    return StreamingResponse(parts, media_type="application/json", headers=headers)


@router.post(
    "/account/passkeys/options", response_model=PasskeyOptions, dependencies=[spend("chats")]
)
async def offer_passkey(
    request: Request, passkeys: Part[Passkeys], settings: Part[Settings], person: Member
) -> dict[str, Any]:
    """What a browser needs to make a passkey: hand it to `navigator.credentials.create`."""
    return {"options": await passkeys.offer(person, find_party(request, settings))}


@router.post(
    "/account/passkeys",
    status_code=201,
    response_model=list[PasskeyShown],
    dependencies=[spend("chats")],
)
async def add_passkey(
    request: Request,
    passkeys: Part[Passkeys],
    settings: Part[Settings],
    person: Member,
    body: NewPasskey,
) -> list[dict[str, Any]]:
    """Keep a passkey that a browser has made; the answer lists all of yours."""
    await passkeys.add(person, find_party(request, settings), body.credential, body.name)
    return await passkeys.list(person)


@router.delete("/account/passkeys/{key}", **SILENT, dependencies=[spend("chats")])
async def remove_passkey(
    passkeys: Part[Passkeys], person: Member, key: Annotated[str, Path(pattern=HASH)]
) -> None:
    """Forget a passkey: it opens nothing any more."""
    await passkeys.remove(person, key)


@router.post(
    "/sessions/passkey/options",
    response_model=PasskeyOptions,
    dependencies=[OWN_PAGE, spend("chats")],
)
async def ask_for_passkey(
    request: Request, passkeys: Part[Passkeys], settings: Part[Settings]
) -> dict[str, Any]:
    """What a browser needs to sign in by a passkey: hand it to `navigator.credentials.get`."""
    return {"options": await passkeys.ask(find_party(request, settings))}


@router.post("/sessions/passkey", **SIGNING, dependencies=[OWN_PAGE, spend("chats")])
async def sign_in_by_passkey(
    passkeys: Part[Passkeys], arrival: Arriving, body: ShownPasskey
) -> JSONResponse:
    """Sign in by a passkey: the answer sets the cookie of a new session."""
    party = find_party(arrival.request, arrival.settings)
    person, token = await passkeys.sign_in(party, body.credential, arrival.agent)
    return arrival.welcome(person, token)


@router.post("/sessions/recovery", **SIGNING, dependencies=[OWN_PAGE, spend("chats")])
async def sign_in_by_code(
    recovery: Part[Recovery],
    guesses: Part[Guesses],
    visitor: Visitor,
    arrival: Arriving,
    store: Part[Store],
    body: UsedCode,
) -> JSONResponse:
    """Use a recovery code up: the account has a new password, and you are signed in here alone."""
    guesses.check(body.name, visitor)
    person, token = await recovery.recover(body.name, body.code, body.password, arrival.agent)
    await store.close_links(person.id)
    guesses.welcome(body.name, visitor)
    return arrival.welcome(person, token)
