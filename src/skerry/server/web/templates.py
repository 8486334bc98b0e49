"""Templates, and static files under names that change with their content."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

HERE = Path(__file__).parent.parent
FOREVER = "public, max-age=31536000, immutable"
BRIEFLY = "no-cache"

environment = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined
)


@cache
def static_files() -> dict[str, Path]:
    """The files that are served, by their names; nothing else can be asked for."""
    folder = HERE / "static"
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path for path in files}


@cache
def fingerprint() -> str:
    """A hash of all static files: modules import each other by names below it."""
    digest = hashlib.sha256()
    for name, path in static_files().items():
        digest.update(name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def static_address(name: str) -> str:
    """Where a static file is found, for as long as no file changes."""
    return f"/static/{fingerprint()}/{name}"


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


environment.globals["static"] = static_address
environment.filters["picture"] = picture
environment.filters["code"] = mark_code
