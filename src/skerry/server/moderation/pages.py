"""The pages of moderators: what people have reported, and what is decided about them, by forms that
need no scripts."""

from enum import StrEnum

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from skerry.server.languages.figures import write_date
from skerry.server.moderation.office import LONGEST_REASON, Office
from skerry.server.moderation.routes import Called, name_actor
from skerry.server.people.complaints import Complaints
from skerry.server.people.pages import link_person
from skerry.server.people.people_routes import Moderator
from skerry.server.web.access import Id
from skerry.server.web.errors import Refusal
from skerry.server.web.limits import spend
from skerry.server.web.pages import show_private
from skerry.server.web.parts import Part
from skerry.server.web.requests import Form

router = APIRouter(prefix="/moderation", include_in_schema=False)

HERE = "/moderation"


class Deed(StrEnum):
    """What a moderator decides about somebody."""

    MUTE = "mute"
    UNMUTE = "unmute"
    CLOSE = "close"
    REOPEN = "reopen"


@router.get("", dependencies=[spend("reads")])
async def show_moderation(complaints: Part[Complaints], moderator: Moderator) -> HTMLResponse:
    """What people have reported, and what came of it lately."""
    waiting = await complaints.list(moderator, is_open=True)
    settled = await complaints.list(moderator, is_open=False)
    context = {
        "waiting": [{**one, "date": write_date(one["at"])} for one in waiting],
        "settled": [
            {**one, "date": write_date(one["at"]), "ended": write_date(one["closed"])}
            for one in settled
        ],
        "linked": link_person,
    }
    return show_private("moderation.html", context)


@router.post("/reports/{id}", dependencies=[spend("chats")])
async def settle_report(
    complaints: Part[Complaints], moderator: Moderator, id: Id, form: Form
) -> Response:
    """Note what came of a report."""
    await complaints.close(moderator, id, form.get("verdict", ""))
    return RedirectResponse(HERE, 303)


@router.post("/people/{name}/{deed}", dependencies=[spend("chats")])
async def decide(
    office: Part[Office], moderator: Moderator, name: Called, deed: Deed, form: Form
) -> Response:
    """Mute somebody or close their account, or neither any more; with a reason."""
    reason = form.get("reason", "")[:LONGEST_REASON]
    if not reason.strip():
        raise Refusal("say why, for those who look at it later")
    actor = name_actor(moderator)
    if deed is Deed.CLOSE:
        if not form.get("sure"):
            raise Refusal("tick the box if you are sure")
        await office.close(actor, name, reason)
    elif deed is Deed.REOPEN:
        await office.reopen(actor, name, reason)
    else:
        days = _read_days(form.get("days", "")) if deed is Deed.MUTE else 0
        await office.mute(actor, name, days, reason)
    return RedirectResponse(f"{link_person(name)}#moderation", 303)


def _read_days(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 6 and int(text)):
        raise Refusal("say for how many days, as a whole number from 1 on")
    return int(text)
