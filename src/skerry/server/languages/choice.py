"""The language of whoever is answered: the one that they chose, or one that their browser asks for.

It is known for as long as a request is answered or a live connection lasts, as far as tasks go that
were begun by it. What nobody asked for is in English.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from skerry.server.languages.catalogues import ENGLISH, Catalogue, list_languages, open_catalogue

LANGUAGE = "skerry-language"  # the cookie
MOST_READ = 1000  # characters of what a browser asks for

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def note_language(headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Remember the language of a request until it is answered."""
    found = {name: value.decode("latin-1") for name, value in headers}
    _language.set(choose(found.get(b"cookie", ""), found.get(b"accept-language", "")))


def choose(cookies: str, accepted: str) -> str:
    """The language for somebody with these headers."""
    for part in cookies.split(";"):
        name, _, value = part.strip().partition("=")
        if name == LANGUAGE and value in list_languages():
            return value
    return next(filter(None, map(_match, _rank(accepted[:MOST_READ]))), ENGLISH)


def _rank(accepted: str) -> list[str]:
    """``de-AT,ja;q=0.8`` as a list, the best first."""
    ranked = []
    for entry in accepted.split(","):
        tag, _, weight = entry.partition(";")
        try:
            rank = float(weight.partition("=")[2] or 1)
        except ValueError:
            continue
        if rank > 0:
            ranked.append((-rank, tag.strip().lower()))
    return [tag for _, tag in sorted(ranked, key=lambda pair: pair[0])]


def _match(tag: str) -> str | None:
    """The language that comes nearest to ``de-at``."""
    known = {language.lower(): language for language in list_languages()}
    return known.get(tag) or known.get(tag.partition("-")[0])


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say what is said meanwhile in this language, whoever has asked."""
    before = _language.set(language)
    try:
        yield
    finally:
        _language.reset(before)


async def speak_english() -> None:
    """What a route depends on whose answers are kept for everybody."""
    _language.set(ENGLISH)


def current_language() -> str:
    return _language.get()


def current_catalogue() -> Catalogue:
    return open_catalogue(_language.get())


def gettext(message: str) -> str:
    """A message in the language of whoever is answered."""
    return current_catalogue().gettext(message)


def pgettext(context: str, message: str) -> str:
    return current_catalogue().pgettext(context, message)


def ngettext(one: str, many: str, number: int) -> str:
    return current_catalogue().ngettext(one, many, number)
