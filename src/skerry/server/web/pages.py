"""Pages for people: the frame that all share, and the files that they load."""

from mimetypes import guess_type
from typing import Any

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, Response

from skerry.server.web.errors import NotFound
from skerry.server.web.guard import FRAMED, POLICY
from skerry.server.web.kinds import describe_kinds
from skerry.server.web.templates import BRIEFLY, FOREVER, fingerprint, render, static_files

router = APIRouter(include_in_schema=False)


def show_page(template: str, context: dict[str, Any], code: int = 200) -> HTMLResponse:
    """A page in the frame that all pages share."""
    content = render(template, kinds=describe_kinds(), **context)
    return HTMLResponse(content, code, headers={"cache-control": "no-cache"})


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
