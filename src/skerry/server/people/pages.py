"""Pages about people: signing in and up, one's own account, profiles."""

from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from skerry.server.keeping.mail import Mail
from skerry.server.languages.choice import gettext, pgettext
from skerry.server.languages.figures import write_date
from skerry.server.people.accounts import MEMBER, Accounts
from skerry.server.people.addresses import Addresses
from skerry.server.people.cases import Cases
from skerry.server.people.hashing import SHORTEST
from skerry.server.people.passkeys import Passkeys
from skerry.server.people.people_routes import LOOKED_UP
from skerry.server.people.profile import Profiles
from skerry.server.people.recovery import Recovery
from skerry.server.people.ties import FOLLOW, Ties
from skerry.server.web.access import Person
from skerry.server.web.entrants import PERSON, Entrant, EntrantRatings
from skerry.server.web.limits import spend
from skerry.server.web.pages import Keeping, show_private
from skerry.server.web.parts import Part
from skerry.server.web.text import fold, read_name

router = APIRouter(include_in_schema=False)

BROWSERS = ("Firefox", "Edg", "OPR", "Chrome", "Safari")  # the first that is named is meant
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux")
CALLED = {"Edg": "Edge", "OPR": "Opera", "Mac OS": "macOS"}


@router.get("/sign-in")
async def show_sign_in(keeping: Keeping, mail: Part[Mail]) -> HTMLResponse:
    """Where people sign in, which needs scripts."""
    return keeping.show("signin.html", lambda: {"mails": mail.is_configured})


@router.get("/sign-up")
async def show_sign_up(keeping: Keeping, accounts: Part[Accounts]) -> HTMLResponse:
    """Where people make an account; where nobody does without an invitation, they are asked."""
    invited = await accounts.need_invitations()
    shown = {"shortest": SHORTEST, "invited": invited}
    return keeping.show("signup.html", lambda: shown, str(invited))


@router.get("/account", dependencies=[spend("reads")])
async def show_own(
    accounts: Part[Accounts],
    passkeys: Part[Passkeys],
    recovery: Part[Recovery],
    ties: Part[Ties],
    addresses: Part[Addresses],
    person: Person,
) -> Response:
    """One's own account, or the way to it."""
    if person is None:
        return RedirectResponse("/sign-in", 303)
    sessions = await accounts.list_sessions(person)
    keys = await passkeys.list(person)
    return show_private(
        "account.html",
        {
            "person": person,
            "codes": await recovery.count(person),
            "sessions": [
                {**one, "agent": name_agent(one["agent"]), "seen": write_date(one["seen"])}
                for one in sessions
            ],
            "passkeys": [{**one, "created": write_date(one["created"])} for one in keys],
            "follows": await ties.list(person, FOLLOW),
            "mail": await addresses.show(person),
            "link": link_person(person.name),
            "shortest": SHORTEST,
        },
    )


@router.get("/people/{name}", dependencies=[spend("reads", LOOKED_UP)])
async def show_person(
    accounts: Part[Accounts],
    profiles: Part[Profiles],
    ties: Part[Ties],
    ratings: Part[EntrantRatings],
    cases: Part[Cases],
    person: Person,
    name: Annotated[str, Path(max_length=100)],
) -> Response:
    """Somebody, as everybody sees them; moderators see closed accounts as well."""
    looks_after = person is not None and person.role != MEMBER
    named = await accounts.find_named(name, even_closed=looks_after)
    if fold(named.name) != fold(read_name(name)):  # that of an account which was merged
        return RedirectResponse(link_person(named.name), 303)
    shown = await profiles.show(named)
    entrant = Entrant(PERSON, named.id)
    is_other = person is not None and person.id != named.id and not named.is_closed
    tie = await ties.find(person, named.id) if person is not None and is_other else None
    return show_private(
        "person.html",
        {
            "person": shown,
            "tie": tie,
            "case": await cases.show(person, named),
            "entrant": entrant,
            "ratings": await ratings.list_ratings(entrant),
            "since": write_date(shown["created"]),
            "recent": [{**game, "date": write_date(game["finished"])} for game in shown["recent"]],
            "link": link_person(named.name),
        },
    )


def link_person(name: str) -> str:
    return Entrant(PERSON, "").link(name)


def name_agent(agent: str) -> str:
    """A browser in words, from what it calls itself."""
    found: list[Any] = [
        next((CALLED.get(word, word) for word in words if word in agent), None)
        for words in (BROWSERS, SYSTEMS)
    ]
    browser, system = found
    if browser is None:
        return agent.partition("/")[0][:40] or gettext("A program")
    if system is None:
        return str(browser)
    where = pgettext("where somebody is", "{browser} on {system}")
    return where.format(browser=browser, system=system)
