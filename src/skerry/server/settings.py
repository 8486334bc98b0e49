"""How a server is set up. Every setting is declared here once.

From the declaration come the flags of ``skerry serve`` with their help, and the environment
variables ``SKERRY_*``. This module imports nothing of the server, so that ``--help`` is quick.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any
from urllib.parse import unquote

from skerry.core.errors import OptionsError, shorten

PREFIX = "SKERRY_"
ORIGIN = re.compile(r"https?://([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?", re.ASCII)
MAIL_SERVER = re.compile(
    r"smtps?://([^\s:@/]+:[^\s@/]+@)?([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?/?", re.ASCII
)
SENDER = re.compile(r"[^\s@<>]+@[\w.-]+", re.ASCII)
ENGINE_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}")
TAKEN_NAMES = ("person", "bot", "open", "random", "level", "human")  # what seats may be besides
LOG_LEVELS = ("debug", "info", "warning", "error")
LARGEST_NUMBER = 2**31 - 1
MOST_PROCESSES = 1024


def _number(default: int, help: str, low: int = 0, high: int = LARGEST_NUMBER) -> Any:
    about = {"help": help, "metavar": "N", "low": low, "high": high}
    return field(default=default, metadata=about)


def _text(default: str, help: str, metavar: str) -> Any:
    return field(default=default, metadata={"help": help, "metavar": metavar})


@dataclass(frozen=True)
class Settings:
    """All that can be chosen. Limits are per visitor, and 0 lifts them."""

    host: str = _text("127.0.0.1", "The address to listen on.", "ADDRESS")
    port: int = _number(8000, "The port to listen on; 0 picks a free one.", high=65535)
    database: str = _text(
        "",
        "An SQLite file, or postgresql://user:password@host/name. Defaults to skerry.db in the "
        "user's data folder.",
        "FILE|URL",
    )
    workers: int = _number(
        1, "Server processes; more than one needs PostgreSQL.", 1, MOST_PROCESSES
    )
    engines: int = _number(1, "Processes in which engines choose their moves.", 1, MOST_PROCESSES)
    engine_queue: int = _number(64, "Games in which an engine may be due to move at once.", 1)
    analyses: int = _number(1, "Processes in which positions are analysed.", 1, MOST_PROCESSES)
    analysis_queue: int = _number(16, "Positions that may be analysed at once.", 1)
    boards: int = _number(
        1, "Processes in which lines are replayed and boards drawn.", 1, MOST_PROCESSES
    )
    top_level: int = _number(10, "The strongest engine level that can be chosen, 1 to 10.", 1)
    engine: str = _text(
        "",
        "Players of others that visitors may choose, by names of yours: "
        "mybot=cmd:/opt/mybot --fast, separated by semicolons.",
        "NAME=PLAYER",
    )
    stand_in: int = _number(
        3, "The engine level that plays on for whoever leaves a game of three.", 1
    )
    away: int = _number(120, "Seconds after which a game with a clock goes on without the absent.")
    warm: int = _number(
        4, "Games for which engines are made ready at the start; others are when first played."
    )
    unbegun: int = _number(
        30, "Days after which a game in which nobody has moved is deleted; 0 keeps them."
    )
    pace: int = _number(400, "The least time that an engine takes for a move, in milliseconds.")
    public_address: str = _text(
        "",
        "Where people find the site, such as https://games.example: for links, QR codes and cards. "
        "Defaults to the address that each request was sent to.",
        "URL",
    )
    origins: str = _text(
        "",
        "Additional origins whose pages may open WebSockets, separated by commas.",
        "URLS",
    )
    proxies: str = _text(
        "127.0.0.1",
        "Trusted proxies, separated by commas: addresses or networks whose X-Forwarded-For header "
        "is believed.",
        "ADDRESSES",
    )
    docs: str = _text(
        "", "A folder with the documentation that make site has built: it is at /docs.", "FOLDER"
    )
    openings: str = _text(
        "",
        "A folder with atlases of openings, as skerry openings build writes them, and surveys, as "
        "skerry survey does, beside what comes with skerry.",
        "FOLDER",
    )
    reports: str = _text(
        "",
        "A folder for the reports that admins ask for on the site. Defaults to reports beside the "
        "SQLite file, or in the user's data folder.",
        "FOLDER",
    )
    contact: str = _text(
        "",
        "Where operators of push services find you: mailto:you@example.org or an https address. "
        "Defaults to the address of the site.",
        "ADDRESS",
    )
    push_services: str = _text(
        "",
        "Additional push services, separated by commas: origins that may be private or without "
        "TLS. All others have to be on the public internet.",
        "URLS",
    )
    mail_server: str = _text(
        "",
        "The server that takes mail for people: smtps://user:password@mail.example, or smtp:// "
        "with STARTTLS. Needs --public-address. Without one no mail is sent.",
        "URL",
    )
    mail_from: str = _text("", "The sender of mail, such as club@games.example.", "ADDRESS")
    vacation: int = _number(
        21, "Days of vacation in any 12 months, on which somebody's clocks by days stand still."
    )
    creates: int = _number(60, "New games, bots and studies per minute.")
    moves: int = _number(600, "Moves per minute.")
    chats: int = _number(30, "Chat messages per minute.")
    previews: int = _number(1200, "Board pictures per minute.")
    reads: int = _number(3000, "Other requests per minute.")
    told: int = _number(1200, "Games told over live connections per minute; long ones count more.")
    downloads: int = _number(10, "Downloads of many games per minute.")
    games: int = _number(500, "New games and bots per day.")
    accounts: int = _number(50, "New accounts per day.")
    guesses: int = _number(10, "Attempts to sign in per minute.")
    connections: int = _number(
        128, "Open connections of all other kinds; a new one replaces one that waits."
    )
    at_once: int = _number(8, "Requests worked on at once; more wait for their turn.")
    sockets: int = _number(64, "Open connections for live updates.")
    challenges: int = _number(8, "Open challenges at once.")
    thinking: int = _number(8, "Games in which an engine may be thinking at once.")
    analysing: int = _number(1, "Positions analysed at once; a new one replaces the oldest.")
    studies: int = _number(200, "New studies per day.")
    tournaments: int = _number(5, "Tournaments of one person or bot that are not over yet.")
    subscriptions: int = _number(20, "New browsers per day that are told about turns.")
    log_level: str = _text("info", f"{', '.join(LOG_LEVELS[:-1])} or {LOG_LEVELS[-1]}.", "LEVEL")

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """The settings of environment variables."""
        chosen: dict[str, int | str] = {}
        for setting in fields(cls):
            name = variable_of(setting.name)
            value = environment.get(name)
            if value is None:
                continue
            if setting.type is int:
                if not value.strip().isdecimal():
                    raise OptionsError(f"{name} is a whole number from 0, not {shorten(value)}")
                chosen[setting.name] = int(value)
            else:
                chosen[setting.name] = value
        return cls(**chosen)  # type: ignore[arg-type]

    def environment(self) -> dict[str, str]:
        """The variables from which ``read`` makes these settings, for processes started by us."""
        return {variable_of(one.name): str(getattr(self, one.name)) for one in fields(self)}

    @property
    def site(self) -> str:
        """The public address without a slash at its end; empty if none was given."""
        return self.public_address.strip().removesuffix("/")

    @property
    def allowed_origins(self) -> frozenset[str]:
        return _split(self.origins) | _split(self.site)

    @property
    def allowed_services(self) -> frozenset[str]:
        return _split(self.push_services)

    @property
    def named_engines(self) -> dict[str, str]:
        """The players of others by the names that visitors know them by, which tell no more."""
        found: dict[str, str] = {}
        for entry in filter(None, (part.strip() for part in self.engine.split(";"))):
            name, _, spec = (part.strip() for part in entry.partition("="))
            name = name.lower()
            if not ENGINE_NAME.fullmatch(name) or name in TAKEN_NAMES or name in found or not spec:
                raise OptionsError(
                    f"{flag_of('engine')} {shorten(entry)} is not NAME=PLAYER, such as "
                    "mybot=cmd:/opt/mybot --fast: a name has up to 32 letters, digits, _ and -, "
                    "and nobody else has it"
                )
            found[name] = spec
        return found

    def check(self) -> None:
        """See that every setting is one that a server can run with."""
        for setting in fields(self):
            if setting.type is not int:
                continue
            low, high = setting.metadata["low"], setting.metadata["high"]
            if not low <= getattr(self, setting.name) <= high:
                limits = f"from {low}" if high == LARGEST_NUMBER else f"from {low} to {high}"
                raise OptionsError(f"{flag_of(setting.name)} is a whole number {limits}")
        _ = self.named_engines
        if self.docs and not os.path.isfile(os.path.join(self.docs, "index.html")):
            raise OptionsError(
                f"{flag_of('docs')} {shorten(self.docs)} has no index.html: build it with make site"
            )
        if self.openings and not os.path.isdir(self.openings):
            raise OptionsError(f"{flag_of('openings')} {shorten(self.openings)} is no folder")
        if self.log_level not in LOG_LEVELS:
            raise OptionsError(f"{flag_of('log_level')} is {', '.join(LOG_LEVELS)}")
        is_plain = unquote(self.mail_server).isascii()  # as SMTP wants names and passwords
        if self.mail_server and not (is_plain and MAIL_SERVER.fullmatch(self.mail_server)):
            raise OptionsError(  # it may hold a password, so nobody is shown what it was
                f"{flag_of('mail_server')} is an address such as "
                "smtps://user:password@mail.example:465, with signs in a password as %40"
            )
        if self.mail_server and not SENDER.fullmatch(self.mail_from):
            raise OptionsError(
                f"{flag_of('mail_from')} is the sender of mail, such as club@games.example, not "
                f"{shorten(self.mail_from)}"
            )
        if self.mail_server and not self.site:
            raise OptionsError(  # whoever asks could otherwise say where links in mails lead
                f"{flag_of('mail_server')} needs {flag_of('public_address')}, such as "
                "https://games.example: links in mails lead there"
            )
        if self.site and not ORIGIN.fullmatch(self.site):
            raise OptionsError(
                f"{flag_of('public_address')} is an address without a path such as "
                f"https://games.example, not {shorten(self.public_address)}"
            )


def _split(text: str) -> frozenset[str]:
    return frozenset(part.strip() for part in text.split(",") if part.strip())


def flag_of(name: str) -> str:
    """The flag of a setting."""
    return f"--{name.replace('_', '-')}"


def variable_of(name: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + name.upper()
