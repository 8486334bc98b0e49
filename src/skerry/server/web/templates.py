"""Templates, and static files under names that change with their content."""

import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from skerry.core.texts import N_
from skerry.lab.report.page import STATIC
from skerry.render.themes import PIECES, list_boards
from skerry.server.languages.catalogues import list_languages, open_catalogue
from skerry.server.languages.choice import current_language, gettext, ngettext, pgettext
from skerry.server.languages.figures import (
    call,
    counted,
    figure,
    listed,
    say_option,
    tenths,
    titled,
    write_clock,
)
from skerry.server.languages.scripted import write_catalogue
from skerry.server.languages.sentences import translate
from skerry.server.web.address import (
    absolute,
    asked_address,
    asked_path,
    given_site,
    shown_announcement,
)

HERE = Path(__file__).parent.parent
FOLDERS = (HERE / "static", STATIC)  # ours, and what reports bring with them
FOREVER = "public, max-age=31536000, immutable"
BRIEFLY = "no-cache"
UNSERVED = ".d.ts"  # for the type checker alone
IMPORT = re.compile(r'^import\b[^;]*?"(\.[^"]+)";', re.MULTILINE)

# What templates say of names that mean something to programs.
SPOKEN = (
    N_("Pieces"), N_("Paper"), N_("Wood"), N_("Contrast"), N_("Shaded"), N_("Flat"), N_("Pass"),
    N_("moderator"), N_("admin"), N_("3 days"), N_("takeback"), N_("Side {n}"), N_("Size {n}"),
)  # fmt: skip

environment = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    extensions=["jinja2.ext.i18n"],
)
environment.policies["ext.i18n.trimmed"] = True
environment.install_gettext_callables(  # type: ignore[attr-defined]
    gettext, ngettext, newstyle=True, pgettext=pgettext
)


@cache
def static_files() -> dict[str, Path]:
    """The files that are served, by their names; nothing else can be asked for."""
    found = {
        path.relative_to(folder).as_posix(): path
        for folder in FOLDERS
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(UNSERVED)
    }
    return dict(sorted(found.items()))


@cache
def fingerprint() -> str:
    """A hash of all static files, and of what scripts say: modules import each other below it."""
    digest = hashlib.sha256()
    for name, path in static_files().items():
        digest.update(name.encode())
        digest.update(path.read_bytes())
    for language in list_languages():
        digest.update(write_catalogue(language).encode())
    return digest.hexdigest()[:12]


def static_address(name: str) -> str:
    """Where a static file is found, for as long as no file changes."""
    return f"/static/{fingerprint()}/{name}"


def list_names() -> dict[str, str]:
    """What the languages of the site call themselves."""
    return {language: open_catalogue(language).name for language in list_languages()}


@cache
def list_imports(name: str) -> tuple[str, ...]:
    """The modules that a script imports itself."""
    content = static_files()[name].read_text(encoding="utf-8")
    return tuple(normpath(join(dirname(name), found)) for found in IMPORT.findall(content))


@cache
def list_modules(name: str) -> tuple[str, ...]:
    """All modules that a script needs, each once."""
    found: dict[str, None] = {}
    waiting = list(list_imports(name))
    while waiting:
        module = waiting.pop(0)
        if module not in found:
            found[module] = None
            waiting += list_imports(module)
    return tuple(found)


@cache
def script(name: str) -> Markup:
    """A script with all its modules named, so that a browser asks for them at once.

    Without that it would find out about each only after it has read the one that imports it.
    """
    link = Markup('<link rel="modulepreload" href="{}">\n')
    links = [link.format(static_address(module)) for module in list_modules(name)]
    page = Markup('<script type="module" src="{}"></script>').format(static_address(name))
    return Markup("").join([*links, page])


def picture(svg: str) -> Markup:
    """A board that we drew, which is markup and stays so."""
    return Markup(svg)  # noqa: S704 - drawn by us, with all texts escaped


def draw_both(draw: Callable[[str], str]) -> dict[str, Markup]:
    """A picture by day and by night, of which a style sheet shows one."""
    return {theme: picture(draw(theme)) for theme in ("light", "dark")}


def render(template: str, **context: Any) -> str:
    return environment.get_template(template).render(**context)


def mark_code(text: str) -> Markup:
    """Text in which backquotes stand around code."""
    parts = text.split("`")
    marked = [
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part)
        for number, part in enumerate(parts)
    ]
    return Markup("").join(marked)


def _say(words: object) -> str:
    """What others have said in English, for the reader."""
    return translate(str(words))


def _in_the_readers_language(write: Callable[..., str]) -> Callable[..., str]:
    """A filter that Jinja does not work out once and for all where it is given a constant."""

    @pass_context
    def written(_context: Context, *values: Any) -> str:
        return write(*values)

    return written


# Filters that depend on who reads.
WRITERS: dict[str, Callable[..., str]] = {
    "called": call,
    "clock": write_clock,
    "counted": counted,
    "figure": figure,
    "listed": listed,
    "tenths": tenths,
    "option": say_option,
    "said": _say,
}
environment.globals["absolute"] = absolute
environment.globals["announcement"] = shown_announcement
environment.globals["asked_address"] = asked_address
environment.globals["asked_path"] = asked_path
environment.globals["given_site"] = given_site
environment.globals["language"] = current_language
environment.globals["languages"] = list_names
environment.globals["script"] = script
environment.globals["styles"] = {"board": list_boards("light"), "pieces": list(PIECES)}

environment.globals["static"] = static_address
environment.filters |= {"code": mark_code, "picture": picture, "titled": titled}
environment.filters |= {name: _in_the_readers_language(write) for name, write in WRITERS.items()}
