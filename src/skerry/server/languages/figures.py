"""Numbers, lists and clocks as the language of whoever reads them writes them."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from skerry.core.texts import N_
from skerry.server.languages.choice import current_catalogue, gettext, ngettext, pgettext
from skerry.server.languages.sentences import translate

NUMBERS = (
    N_("no"), N_("one"), N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven"),
    N_("eight"), N_("nine"), N_("ten"),
)  # fmt: skip
MONTHS = (
    N_("January"), N_("February"), N_("March"), N_("April"), N_("May"), N_("June"), N_("July"),
    N_("August"), N_("September"), N_("October"), N_("November"), N_("December"),
)  # fmt: skip
MINUTE = 60  # seconds
ENGINE = re.compile(r"[Ll]evel \d+")


def counted(number: int) -> str:
    """A number as in a sentence: small ones are words."""
    return gettext(NUMBERS[number]) if number < len(NUMBERS) else str(number)


def figure(number: int) -> str:
    """A number that may be large."""
    return f"{number:,}".replace(",", pgettext("between thousands", ","))


def tenths(share: float) -> str:
    """A share in percent, such as 54.3."""
    return f"{100 * share:.1f}".replace(".", pgettext("the decimal point", "."))


def listed(words: Iterable[str]) -> str:
    """Several words as in a sentence: ``one, two and three``."""
    return current_catalogue().enumerate(words)


def titled(words: str) -> str:
    """Words as a heading has them."""
    return words[:1].upper() + words[1:]


def call(name: str) -> str:
    """What somebody is called; engines and those who are gone have names in every language."""
    return translate(name) if ENGINE.fullmatch(name) or name == "Deleted player" else name


def say_option(name: str) -> str:
    """What an option of a game is called."""
    return translate(name.replace("_", " ").capitalize())


def mention_option(name: str, value: int) -> str:
    """An option and its value within a sentence, where English has no capitals and German has."""
    words = name.replace("_", " ")
    said = say_option(name)
    return f"{words if said == words.capitalize() else said} {value}"


def write_date(milliseconds: int) -> str:
    """A day, such as 3 December 2026."""
    date = datetime.fromtimestamp(milliseconds / 1000, UTC)
    month = gettext(MONTHS[date.month - 1])
    written = pgettext("a date", "{day} {month} {year}")
    return written.format(day=date.day, month=month, year=date.year)


def write_clock(clock: Mapping[str, Any]) -> str:
    """A clock as people write it."""
    if clock["kind"] == "days":
        days = clock["days"]
        return ngettext("{n} day a move", "{n} days a move", days).format(n=days)
    minutes, seconds = divmod(clock["seconds"], MINUTE)
    parts = [pgettext("a clock", "{n} min").format(n=minutes)] if minutes else []
    parts += [pgettext("a clock", "{n} s").format(n=seconds)] if seconds else []
    time = " ".join(parts)
    if clock["kind"] == "move":
        return pgettext("a clock", "{time} a move").format(time=time)
    if not clock.get("increment"):
        return time
    return pgettext("a clock", "{time} + {seconds} s").format(time=time, seconds=clock["increment"])
