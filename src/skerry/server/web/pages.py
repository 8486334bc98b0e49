"""Pages for people: the frame that all share, and the files that they load."""

from collections.abc import Callable
from dataclasses import dataclass
from mimetypes import guess_type
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi.responses import FileResponse, HTMLResponse, Response

from skerry.server.web.address import absolute, asked_path, shown_announcement
from skerry.server.web.errors import NotFound
from skerry.server.web.guard import FRAMED, POLICY
from skerry.server.web.kinds import describe_kinds
from skerry.server.web.limits import Pay, spender
from skerry.server.web.lru import Recent
from skerry.server.web.parts import Part
from skerry.server.web.templates import BRIEFLY, FOREVER, fingerprint, render, static_files

router = APIRouter(include_in_schema=False)

KEPT = 8_000_000  # letters of pages that are the same for everybody
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
        place = (template, absolute(asked_path()), announced.id if announced else "", *about)
        found = self.pages.kept.get(place)
        self.pay(1 if found else WRITTEN)
        if found is None:
            found = self.pages.kept[place] = _write(template, make())
        return HTMLResponse(found, headers={"cache-control": "no-cache"})


Keeping = Annotated[_Keeping, Depends()]


def _write(template: str, context: dict[str, Any]) -> str:
    return render(template, kinds=describe_kinds(), **context)


def show_page(template: str, context: dict[str, Any], code: int = 200) -> HTMLResponse:
    """A page in the frame that all pages share."""
    return HTMLResponse(_write(template, context), code, headers={"cache-control": "no-cache"})


def show_framed(template: str, context: dict[str, Any]) -> HTMLResponse:
    """A page that others may show within theirs: there must be nothing to do on it but look."""
    headers = {"cache-control": "no-cache", POLICY: FRAMED}
    return HTMLResponse(render(template, **context), headers=headers)


@router.get("/static/{print}/{name:path}")
async def show_static(print: str, name: str) -> Response:
    """A static file: kept for ever under the name of its content, asked for again otherwise."""
    file = static_files().get(name)
    if file is None:
        raise NotFound("there is no such file")
    kept = FOREVER if print == fingerprint() else BRIEFLY
    return FileResponse(
        file,
        media_type=guess_type(file.name)[0] or "application/octet-stream",
        headers={"cache-control": kept},
    )
