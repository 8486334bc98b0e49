"""How a server is set up: by flags of ``skerry serve``, or by environment variables SKERRY_*."""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from skerry.core.errors import OptionsError, shorten

PREFIX = "SKERRY_"
SQLITE, POSTGRES = "sqlite+aiosqlite", "postgresql+asyncpg"
DRIVERS = {
    **dict.fromkeys(("sqlite", SQLITE), SQLITE),
    **dict.fromkeys(("postgres", "postgresql", POSTGRES), POSTGRES),
}


@dataclass(frozen=True)
class Settings:
    """All that can be chosen. Limits are per visitor; those per minute are off when they are 0."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = ""  # a file or an address; the user's data folder if empty
    workers: int = 1
    engines: int = 1  # processes in which engines think
    engine_queue: int = 64  # games in which an engine may be due to move at the same time
    analyses: int = 1  # processes in which positions are analysed
    analysis_queue: int = 16  # positions that may be analysed at the same time
    top_level: int = 8  # the strongest engine that may be asked for
    pace: int = 400  # milliseconds from a move to an engine's answer, at least
    origins: str = ""  # other addresses that pages may come from, parted by commas
    proxies: str = "127.0.0.1"  # whom to believe about where visitors come from
    creates: int = 60  # new games a minute
    moves: int = 600
    chats: int = 30
    previews: int = 1200
    reads: int = 3000
    downloads: int = 10  # files with many games
    games: int = 500  # games made in a day
    sockets: int = 64  # live connections
    thinking: int = 8  # games in which an engine may be thinking
    analysing: int = 1  # positions analysed at a time; a new one takes the place of the oldest
    studies: int = 200  # studies made in a day
    log_level: str = "info"

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """The settings of environment variables."""
        chosen: dict[str, int | str] = {}
        for field in fields(cls):
            value = environment.get(PREFIX + field.name.upper())
            if value is None:
                continue
            if field.type in (int, "int"):
                if not value.strip().isdecimal():
                    raise OptionsError(
                        f"{PREFIX}{field.name.upper()} is a whole number from 0, "
                        f"not {shorten(value)}"
                    )
                chosen[field.name] = int(value)
            else:
                chosen[field.name] = value
        return cls(**chosen)  # type: ignore[arg-type]

    def environment(self) -> dict[str, str]:
        """The variables from which ``read`` makes these settings, for processes started by us."""
        return {
            PREFIX + field.name.upper(): str(getattr(self, field.name)) for field in fields(self)
        }

    @property
    def database_url(self) -> URL:
        """The address of the database for SQLAlchemy."""
        chosen = self.database or str(data_folder() / "skerry.db")
        kind, sign, _ = chosen.partition("://")
        if not sign:
            return URL.create(SQLITE, database=str(Path(chosen).expanduser().resolve()))
        driver = DRIVERS.get(kind)
        try:
            if driver is not None:
                return make_url(chosen).set(drivername=driver)
        except ArgumentError:
            pass  # it may hold a password, so nobody is shown what it was
        raise OptionsError(
            f"--database {shorten(kind)}://... cannot be read: give a file for SQLite, or "
            "postgresql://user:password@host/name"
        )

    @property
    def is_sqlite(self) -> bool:
        return self.database_url.drivername == SQLITE

    @property
    def allowed_origins(self) -> frozenset[str]:
        return frozenset(origin.strip() for origin in self.origins.split(",") if origin.strip())

    def check(self) -> None:
        """See that the settings fit together."""
        for name in ("workers", "engines", "engine_queue", "analyses", "analysis_queue"):
            if getattr(self, name) < 1:
                flag = name.replace("_", "-")
                raise OptionsError(f"--{flag} is a whole number from 1")
        if self.workers > 1 and self.is_sqlite:
            raise OptionsError(
                "--workers above 1 needs PostgreSQL, since SQLite tells no worker what another "
                "does: give --database postgresql://user:password@host/name, or one worker"
            )

    def make_file(self) -> None:
        """See that a SQLite file can be used, and make its folder."""
        file = self.database_url.database
        if not self.is_sqlite or not file:
            return
        try:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(file)) as database:
                database.execute("PRAGMA schema_version")
        except (OSError, sqlite3.Error) as error:
            raise OptionsError(
                f"the database {file} cannot be used: {error}; choose another by --database"
            ) from None


def data_folder() -> Path:
    """The user's folder for what is to be kept."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "skerry"
