"""Pages for people: the frame that all share, and the files that they load."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from skerry.server.languages.catalogues import list_languages
from skerry.server.languages.choice import LANGUAGE, current_language
from skerry.server.languages.scripted import NAMES, write_catalogue
from skerry.server.web.access import Identities, Person
from skerry.server.web.address import absolute, asked_address, shown_announcement, stay_here
from skerry.server.web.errors import NotFound
from skerry.server.web.guard import FRAMED, POLICY
from skerry.server.web.kinds import describe_kinds
from skerry.server.web.limits import Pay, spend, spender
from skerry.server.web.lru import Recent
from skerry.server.web.parts import Part
from skerry.server.web.responses import FRESH, send_file
from skerry.server.web.templates import BRIEFLY, FOREVER, fingerprint, render, static_files

router = APIRouter(include_in_schema=False)

KEPT = 8_000_000  # letters of pages that are the same for everybody
REMEMBERED = 400 * 86_400  # seconds for which a browser knows the language that was chosen
WRITTEN = 5  # tokens for a page that has to be written first


class KeptPages:
    """Pages that were written lately, by the address that they were asked for."""

    def __init__(self) -> None:
        self.kept: Recent[tuple[str, ...], str] = Recent(KEPT, weigh=len)


@dataclass
class _Keeping:
    """For pages that depend on nothing but their address: they are written once."""

    pages: Part[KeptPages]
    pay: Annotated[Pay, spender("reads")]

    def show(self, template: str, make: Callable[[], dict[str, Any]], *about: str) -> HTMLResponse:
        """A page about something; ``make`` says what its template is told."""
        announced = shown_announcement()
        where = absolute(asked_address())
        place = (
            template, where, current_language(), announced.id if announced else "", *about
        )  # fmt: skip
        found = self.pages.kept.get(place)
        self.pay(1 if found else WRITTEN)
        if found is None:
            found = self.pages.kept[place] = _write(template, make())
        return HTMLResponse(found, headers=list_headers())


Keeping = Annotated[_Keeping, Depends()]


def list_headers() -> dict[str, str]:
    """The headers of what is written in the language of whoever asks."""
    return {
        "cache-control": "no-cache",
        "content-language": current_language(),
        "vary": "accept-language, cookie",
    }


def _write(template: str, context: dict[str, Any]) -> str:
    return render(template, kinds=describe_kinds(), **context)


def show_page(template: str, context: dict[str, Any], code: int = 200) -> HTMLResponse:
    """A page in the frame that all pages share."""
    return HTMLResponse(_write(template, context), code, headers=list_headers())


def show_private(template: str, context: dict[str, Any]) -> HTMLResponse:
    """A page that is for one person, and is not kept on the way."""
    page = show_page(template, context)
    page.headers.update(FRESH)
    return page


def show_framed(template: str, context: dict[str, Any]) -> HTMLResponse:
    """A page that others may show within theirs: there must be nothing to do on it but look."""
    return HTMLResponse(render(template, **context), headers=list_headers() | {POLICY: FRAMED})


@router.get("/static/{print}/{name:path}")
async def show_static(print: str, name: str) -> Response:
    """A static file: kept for ever under the name of its content, asked for again otherwise."""
    headers = {"cache-control": FOREVER if print == fingerprint() else BRIEFLY}
    said = NAMES.fullmatch(name)
    if said and said[1] in list_languages():
        return Response(write_catalogue(said[1]), media_type="text/javascript", headers=headers)
    file = static_files().get(name)
    if file is None:
        raise NotFound("there is no such file")
    return send_file(file, headers)


@router.post("/language/{language}", dependencies=[spend("chats")])
async def speak(
    identities: Part[Identities],
    person: Person,
    language: str,
    back: Annotated[str, Query(max_length=2000)] = "/",
) -> Response:
    """Read the site in a language from now on, in this browser; no script is needed for that.

    Whoever is signed in is written to in that language, too.
    """
    if language not in list_languages():
        raise NotFound(f"the site is not in that language; it is in {', '.join(list_languages())}")
    if person is not None:
        await identities.choose_language(person, language)
    answer = RedirectResponse(stay_here(back), 303)
    answer.set_cookie(LANGUAGE, language, max_age=REMEMBERED, httponly=True, samesite="lax")
    return answer
