"""What makes an app of the site: a manifest, icons, a worker, and a page without network."""

import asyncio
import hashlib
import json
import re
from functools import cache
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from skerry.games import GAMES, make
from skerry.server.install.icons import ICONS, PAPER, SHORTCUT, draw_icon, list_icons
from skerry.server.languages.choice import current_language, gettext
from skerry.server.languages.sentences import translate
from skerry.server.web.address import absolute
from skerry.server.web.errors import NotFound
from skerry.server.web.kinds import describe_kinds, list_clauses
from skerry.server.web.limits import spend
from skerry.server.web.pages import list_headers, show_page
from skerry.server.web.responses import Pixels
from skerry.server.web.templates import fingerprint, render, static_files

router = APIRouter(include_in_schema=False, dependencies=[spend("reads")])

WORKER = "pages/worker.js"
# A line of the worker.
UNFILLED = 'const SHELL = { name: "", page: "", files: [], said: { title: "", body: "" } };'
OFFLINE = "/offline"
STATIC = re.compile(r'"(/static/[^"]+)"')  # what a page loads
A_DAY = "public, max-age=86400"


class Manifest(Response):
    media_type = "application/manifest+json"


class Script(Response):
    media_type = "text/javascript"


@router.get("/manifest.webmanifest")
async def show_manifest() -> Response:
    """How the site looks among the apps of a device."""
    return Manifest(json.dumps(describe_app()), headers=list_headers())


def describe_app() -> dict[str, Any]:
    """The web app manifest."""
    sizes = {name: f"{size}x{size}" for name, (size, _) in ICONS.items()}
    return {
        "id": "/",
        "name": gettext("skerry: abstract board games"),
        "short_name": "skerry",
        "description": gettext("Board games in your browser, against friends and engines."),
        "lang": current_language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "categories": ["games"],
        "icons": [
            _name_icon("192", sizes["192"]),
            _name_icon("512", sizes["512"]),
            {**_name_icon("maskable", sizes["maskable"]), "purpose": "maskable"},
        ],
        "shortcuts": [
            {
                "name": kind["title"],
                "description": kind["summary"],
                "url": f"/games/{kind['name']}",
                "icons": [_name_icon(kind["name"], f"{SHORTCUT}x{SHORTCUT}")],
            }
            for kind in describe_kinds()
        ],
    }


def _name_icon(name: str, sizes: str) -> dict[str, str]:
    return {"src": f"/icons/{name}.png", "sizes": sizes, "type": "image/png"}


@router.get("/icons/{name}.png")
async def show_icon(name: str) -> Response:
    """An icon for the devices on which the site is installed."""
    if name not in list_icons():
        raise NotFound("there is no such icon")
    drawn = await asyncio.to_thread(draw_icon, name)
    return Pixels(drawn, headers={"cache-control": A_DAY})


@router.get(OFFLINE)
async def show_offline() -> HTMLResponse:
    """What is shown in the place of any page that cannot be fetched."""
    return show_page("offline.html", _list_rules(current_language()))


@cache
def _list_rules(language: str) -> dict[str, Any]:
    """The rules of all games in the current language, which can be read without a network."""
    games = [make(name) for name in GAMES]
    rules = [
        {"title": game.title, "goal": translate(game.view.goal), "clauses": list_clauses(game)}
        for game in games
    ]
    return {"rules": rules}


@router.get("/sw.js")
async def show_worker() -> Response:
    """The service worker, which browsers compare with the one they have."""
    return Script(write_worker(current_language()), headers=list_headers())


@cache
def write_worker(language: str) -> str:
    """The worker, told what to keep under a name that changes whenever any of it does.

    It speaks the current language, as the page does that it keeps: another has another worker.
    """
    page = render("offline.html", kinds=describe_kinds(), **_list_rules(language))
    plain = page.replace(absolute(""), "")  # the same for all, by whatever name they know us
    name = hashlib.sha256((plain + fingerprint()).encode()).hexdigest()[:12]
    files = sorted(set(STATIC.findall(page)))
    said = {"title": gettext("Your turn"), "body": gettext("A game of yours goes on")}
    shell = {"name": f"skerry-{name}", "page": OFFLINE, "files": files, "said": said}
    source = static_files()[WORKER].read_text(encoding="utf-8")
    return source.replace(UNFILLED, f"const SHELL = {json.dumps(shell)};")
