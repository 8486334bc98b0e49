"""Reports that are measured on this server: what admins have asked for, and how far it is.

Forms need no scripts; where there are some, progress is shown as it is made.
"""

import asyncio
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import JSONResponse, RedirectResponse, Response

from skerry.core.options import write_options
from skerry.games import kind
from skerry.server.keeping.audit import SERVER, Audit
from skerry.server.keeping.routes import ADMIN, Admin
from skerry.server.languages.figures import write_date
from skerry.server.play.clocks import read_time
from skerry.server.reports.commissions import NAME, Commission, Commissions
from skerry.server.reports.drawing import FOLDER
from skerry.server.web.access import Person
from skerry.server.web.entrants import PERSON, Entrant
from skerry.server.web.errors import Refusal
from skerry.server.web.limits import spend
from skerry.server.web.pages import show_private
from skerry.server.web.parts import Part
from skerry.server.web.requests import LARGEST_SEED, Form, read_options
from skerry.server.web.responses import FRESH
from skerry.server.web.secrets import Signed

router = APIRouter(prefix=f"{FOLDER}/own", include_in_schema=False)

HERE = f"{FOLDER}/own"
Called = Annotated[str, Path(pattern=f"^{NAME}$")]


class Handling(StrEnum):
    """What an admin decides about a report."""

    STOP = "stop"
    RESUME = "resume"
    DELETE = "delete"


@router.get("", dependencies=[spend("reads")])
async def show_own(commissions: Part[Commissions], person: Person) -> Response:
    """What was asked for, the newest first; for admins with forms."""
    shown = await asyncio.to_thread(_list, commissions, _describe)
    is_admin = person is not None and person.role == ADMIN
    return show_private("own_reports.html", {"reports": shown, "is_admin": is_admin})


@router.get(".json", dependencies=[spend("reads")])
async def show_progress(commissions: Part[Commissions]) -> Response:
    """How far everything is."""
    return JSONResponse(await asyncio.to_thread(_list, commissions, _measure), headers=FRESH)


@router.post("", dependencies=[spend("creates")])
async def ask(
    commissions: Part[Commissions], audit: Part[Audit], admin: Admin, form: Form
) -> Response:
    """Have a report measured."""
    options, seed = read_options(form.get("options", "")), _read_seed(form.get("seed", ""))
    asked = await asyncio.to_thread(
        commissions.add,
        form.get("game", ""),
        options,
        form.get("budget", ""),
        seed,
        admin.name,
        read_time(),
    )
    await _note(audit, admin, "ask", asked)
    return RedirectResponse(HERE, 303)


@router.post("/{name}/{handling}", dependencies=[spend("chats")])
async def decide(
    commissions: Part[Commissions],
    audit: Part[Audit],
    admin: Admin,
    name: Called,
    handling: Handling,
) -> Response:
    """Stop measuring a report, go on with it, or delete it."""
    one = await asyncio.to_thread(commissions.find, name)
    await asyncio.to_thread(getattr(commissions, handling), name)
    await _note(audit, admin, handling, one)
    return RedirectResponse(HERE, 303)


async def _note(audit: Audit, admin: Signed, deed: str, one: Commission) -> None:
    actor = str(Entrant(PERSON, admin.id))
    told = {"name": one.name, "game": one.game, "budget": one.budget}
    await audit.note(actor, f"report-{deed}", SERVER, **told)


def _list(
    commissions: Commissions, tell: Callable[[Commissions, Commission], dict[str, Any]]
) -> list[dict[str, Any]]:
    return [tell(commissions, one) for one in commissions.list()]


def _measure(commissions: Commissions, one: Commission) -> dict[str, Any]:
    spent = commissions.read_spent(one.name)
    state = commissions.show_state(one)
    return {"name": one.name, "state": state, "part": spent.part, "games": spent.games}


def _describe(commissions: Commissions, one: Commission) -> dict[str, Any]:
    return {
        **_measure(commissions, one),
        "title": kind(one.game).title,
        "options": write_options(one.options),
        "budget": one.budget,
        "seed": one.seed,
        "by": one.by,
        "date": write_date(one.at),
        "why": one.why,
        "url": f"{FOLDER}/{one.name}",
    }


def _read_seed(text: str) -> int:
    tidy = text.strip() or "0"
    if not (tidy.isascii() and tidy.isdigit() and len(tidy) < 20 and int(tidy) <= LARGEST_SEED):
        raise Refusal("a seed is a whole number from 0 on")
    return int(tidy)
