"""The documentation as a site, at ``/docs``: the folder that ``make site`` has built."""

import base64
import hashlib
import re
from functools import cached_property
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from skerry.server.settings import Settings
from skerry.server.web.errors import NotFound
from skerry.server.web.guard import ALONE, POLICY
from skerry.server.web.limits import spend
from skerry.server.web.parts import Part
from skerry.server.web.responses import send_file
from skerry.server.web.templates import BRIEFLY

router = APIRouter(include_in_schema=False, dependencies=[spend("reads")])

START = "index.html"
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class Manual:
    """The files of the site, by their addresses; none if the operator has named no folder."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.docs
        self._policies: dict[Path, str] = {}

    @cached_property
    def files(self) -> dict[str, Path]:
        if not self._folder:
            return {}
        folder = Path(self._folder)
        return {
            path.relative_to(folder).as_posix(): path
            for path in folder.rglob("*")
            if path.is_file()
        }

    def policy_of(self, page: Path) -> str:
        """What a page may do: run the scripts that stand in it, and those of the site."""
        if page not in self._policies:
            scripts = INLINE.findall(page.read_text(encoding="utf-8"))
            hashes = (hashlib.sha256(script.encode()).digest() for script in scripts)
            allowed = " ".join(f"'sha256-{base64.b64encode(each).decode()}'" for each in hashes)
            self._policies[page] = ALONE.replace(
                "script-src 'self'", f"script-src 'self' {allowed}; worker-src 'self'"
            ).replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
        return self._policies[page]


@router.get("/docs")
@router.get("/docs/")
async def show_start() -> Response:
    """The first page, at an address from which its relative links lead on."""
    return RedirectResponse(f"/docs/{START}")


@router.get("/docs/{name:path}")
async def show_file(name: str, manual: Part[Manual]) -> Response:
    """A page or a file of the site."""
    file = manual.files.get(name)
    if file is None:
        raise NotFound(
            "there is no such page of the documentation"
            if manual.files
            else "this server has no documentation: make site, then skerry serve --docs build/site"
        )
    headers = {"cache-control": BRIEFLY}
    if file.suffix == ".html":
        headers |= {"cache-control": "no-cache", POLICY: manual.policy_of(file)}
    return send_file(file, headers)
