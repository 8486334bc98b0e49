"""Mail addresses: given, confirmed and removed; passwords that were forgotten; mails stopped."""

from typing import Annotated, Any

from fastapi import APIRouter, BackgroundTasks, Path
from fastapi.responses import HTMLResponse
from pydantic import Field, StrictBool

from skerry.server.keeping.mail import Mail
from skerry.server.languages.choice import gettext, pgettext
from skerry.server.people.addresses import Addresses
from skerry.server.people.answers import MailShown
from skerry.server.people.guessing import Guesses
from skerry.server.people.own_routes import Owner, Password
from skerry.server.people.routes import OWN_PAGE
from skerry.server.web.access import Member, Visitor
from skerry.server.web.limits import spend
from skerry.server.web.pages import show_page
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import Body
from skerry.server.web.responses import FRESH, SILENT

router = APIRouter(responses=REFUSALS, tags=["people"])

Code = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{32}$")]


class NewAddress(Password):
    address: str = Field(max_length=400, examples=["ann@example.org"])


class Telling(Body):
    turns: StrictBool = Field(description="whether turns that wait are told by mail")


class Forgetful(Body):
    name: str = Field(max_length=400, description="of the account, or its mail address")


@router.get("/api/account/mail", response_model=MailShown, dependencies=[spend("reads")])
async def show_mail(addresses: Part[Addresses], person: Member) -> dict[str, Any]:
    """Your mail address, and what is told there."""
    return await addresses.show(person)


@router.put("/api/account/mail", response_model=MailShown, dependencies=[spend("chats")])
async def give_address(
    addresses: Part[Addresses], owner: Owner, body: NewAddress
) -> dict[str, Any]:
    """Give a mail address: it counts once you have followed the link that is sent there."""
    person = await owner.check(body.password)
    await addresses.ask(person, body.address)
    return await addresses.show(person)


@router.patch("/api/account/mail", response_model=MailShown, dependencies=[spend("chats")])
async def change_telling(
    addresses: Part[Addresses], person: Member, body: Telling
) -> dict[str, Any]:
    """Be told by mail of turns that wait in games with days for a move, or not any more."""
    await addresses.tell_turns(person, body.turns)
    return await addresses.show(person)


@router.delete("/api/account/mail", **SILENT, dependencies=[spend("chats")])
async def remove_address(addresses: Part[Addresses], person: Member) -> None:
    """Remove your mail address; nothing is sent there any more."""
    await addresses.remove(person)


@router.post("/api/sessions/recovery/mail", **SILENT, dependencies=[OWN_PAGE, spend("chats")])
async def mail_recovery(
    addresses: Part[Addresses],
    mail: Part[Mail],
    guesses: Part[Guesses],
    visitor: Visitor,
    later: BackgroundTasks,
    body: Forgetful,
) -> None:
    """Have a link sent that opens an account once, within an hour, if it has a mail address.

    The answer is the same, and as quick, whether it has one or not.
    """
    mail.check()
    guesses.check(body.name, visitor)
    later.add_task(addresses.send_recovery, body.name)


# Pages that mails lead to. Mail programs look at links before people do, so looking does nothing.


def _show(code: int = 200, **words: str) -> HTMLResponse:
    page = show_page("mail.html", {"done": "", "ask": "", "button": "", **words}, code)
    page.headers.update({**FRESH, "referrer-policy": "no-referrer"})
    return page


@router.get("/mail/confirm/{code}", include_in_schema=False, dependencies=[spend("reads")])
async def ask_to_confirm(code: Code) -> HTMLResponse:
    """Where somebody confirms an address."""
    return _show(ask=gettext("Is this your mail address?"), button=gettext("Yes, confirm it"))


@router.post("/mail/confirm/{code}", include_in_schema=False, dependencies=[spend("chats")])
async def confirm(addresses: Part[Addresses], code: Code) -> HTMLResponse:
    """Confirm an address by the link that was sent there."""
    address = await addresses.confirm(code)
    return _show(done=pgettext("an address", "{address} is confirmed.").format(address=address))


@router.get("/mail/stop/{code}", include_in_schema=False, dependencies=[spend("reads")])
async def ask_to_stop(code: Code) -> HTMLResponse:
    """Where somebody stops mails, without signing in."""
    return _show(ask=gettext("No more mails about your turns?"), button=gettext("Stop them"))


@router.post("/mail/stop/{code}", include_in_schema=False, dependencies=[spend("chats")])
async def stop(addresses: Part[Addresses], code: Code) -> HTMLResponse:
    """Stop mails about turns; mail programs ask for it by themselves (RFC 8058)."""
    await addresses.stop(code)
    return _show(
        done=gettext("No more mails about your turns. Your account page turns them on again.")
    )
