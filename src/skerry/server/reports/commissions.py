"""Reports that admins have asked for: each is a folder with what was asked, and what was found.

All that is known of them is in files, so that whatever ends in the middle, a measurement or the
server, goes on where it was. Several workers of one machine see the same folder.
"""

import json
import secrets
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import skerry
from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.lab.report.making import FILE, list_strengths
from skerry.lab.report.measure.units import Experiment
from skerry.lab.report.measure.walk import Budget
from skerry.records import folders
from skerry.server.db.engine import Database, data_folder
from skerry.server.settings import Settings
from skerry.server.web.errors import NotFound, Refusal

OPEN, STOPPED, FAILED = "open", "stopped", "failed"
RUNNING, DONE = "running", "done"  # what else a page shows
ASKED, SPENT, CURRENT = "commission.json", "spent.json", "current"
NAME = r"own-[0-9a-f]{8}"
MOST = 100  # that are kept at a time
MOST_SECONDS, MOST_GAMES = 86_400, 100_000  # of a budget


@dataclass(frozen=True)
class Commission:
    """What was asked for, and whether it is still wanted."""

    name: str
    game: str
    options: dict[str, int]
    budget: str
    seed: int
    by: str  # the name of an admin
    at: int
    state: str = OPEN
    why: str = ""  # it has failed

    @cached_property
    def experiment(self) -> Experiment:
        return Experiment(self.made, list_strengths(Budget.read(self.budget)), self.seed)

    @cached_property
    def made(self) -> Game:
        return skerry.make(self.game, **self.options)


@dataclass(frozen=True)
class Spent:
    """What is used of a budget, of how much, and how many games were played."""

    used: float = 0.0
    most: float = 0.0
    games: int = 0

    def write(self, folder: Path) -> None:
        folders.replace(folder / SPENT, json.dumps(asdict(self)).encode(), alone=True)

    @property
    def part(self) -> float:
        """Of the whole, from 0 to 1."""
        return min(1.0, self.used / self.most) if self.most > 0 else 0.0


class Commissions:
    """All that were asked for."""

    def __init__(self, settings: Settings, database: Database) -> None:
        beside = Path(database.file.path).parent if database.file is not None else data_folder()
        self.folder = Path(settings.reports) if settings.reports else beside / "reports"

    def add(
        self, game: str, options: dict[str, int], budget: str, seed: int, by: str, at: int
    ) -> Commission:
        """Ask for a report; OptionsError or a Refusal says why there can be none."""
        allowed = Budget.read(budget)
        if (allowed.seconds or 0) > MOST_SECONDS or (allowed.games or 0) > MOST_GAMES:
            raise Refusal(f"a budget is at most {MOST_SECONDS // 3600}h or {MOST_GAMES} games")
        made = skerry.make(game, **options)
        if len(self.list()) >= MOST:
            raise Refusal(f"{MOST} reports are kept here; delete one first")
        name = f"own-{secrets.token_hex(4)}"
        asked = Commission(name, made.name, made.options, allowed.text, seed, by, at)
        try:
            self.path(name).mkdir(parents=True)
            self._write(asked)
        except OSError as error:
            reason = error.strerror or error
            raise Refusal(f"{self.folder} cannot be used: {reason}") from None
        return asked

    def path(self, name: str) -> Path:
        return self.folder / name

    def list(self) -> list[Commission]:
        """All of them, the newest first; what cannot be read is left out."""
        found = [self._read(path) for path in self._list_asked()]
        return sorted(filter(None, found), key=lambda each: (-each.at, each.name))

    def find(self, name: str) -> Commission:
        """NotFound if nobody has asked for it."""
        found = self._read(self.path(name) / ASKED)
        if found is None:
            raise NotFound("there is no such report; all reports are listed at /reports")
        return found

    def find_report(self, name: str) -> Path:
        """Where it is once it is done; NotFound before."""
        self.find(name)
        if not self.is_done(name):
            raise NotFound("this report is not done yet; /reports/own tells how far it is")
        return self.path(name) / FILE

    def find_next(self) -> Commission | None:
        """What is to be measured now: what was asked for first. Reports that are done, which most
        are, are not even read, since this is asked every second."""
        undone = (path for path in self._list_asked() if not self.is_done(path.parent.name))
        found = (one for one in map(self._read, undone) if one is not None and one.state == OPEN)
        return min(found, key=lambda each: (each.at, each.name), default=None)

    def is_done(self, name: str) -> bool:
        return (self.path(name) / FILE).is_file()

    def is_wanted(self, name: str) -> bool:
        """Whether nobody has stopped or deleted it."""
        found = self._read(self.path(name) / ASKED)
        return found is not None and found.state == OPEN

    def stop(self, name: str) -> None:
        self._change(name, STOPPED)

    def resume(self, name: str) -> None:
        """Go on with what was stopped or has failed; what was measured is still there."""
        self._change(name, OPEN)

    def fail(self, name: str, why: str) -> None:
        with suppress(NotFound):  # it was deleted meanwhile
            self._change(name, FAILED, why)

    def delete(self, name: str) -> None:
        """Remove all of it; first what others look for, so that nobody sees a part."""
        self.find(name)
        (self.path(name) / ASKED).unlink(missing_ok=True)
        shutil.rmtree(self.path(name), ignore_errors=True)

    def note_current(self, name: str) -> None:
        """Say which is being measured; none if the name is empty."""
        folders.replace(self.folder / CURRENT, name.encode(), alone=True)

    def show_state(self, one: Commission) -> str:
        if self.is_done(one.name):
            return DONE
        try:
            is_current = (self.folder / CURRENT).read_text("utf-8") == one.name
        except (OSError, UnicodeDecodeError):
            is_current = False
        return RUNNING if is_current and one.state == OPEN else one.state

    def read_spent(self, name: str) -> Spent:
        try:
            return Spent(**json.loads((self.path(name) / SPENT).read_bytes()))
        except (OSError, ValueError, TypeError):
            return Spent()

    def _list_asked(self) -> Iterator[Path]:
        return self.folder.glob(f"own-*/{ASKED}")

    def _change(self, name: str, state: str, why: str = "") -> None:
        self._write(replace(self.find(name), state=state, why=why))

    def _write(self, one: Commission) -> None:
        content = json.dumps(asdict(one), indent=1).encode()
        folders.replace(self.path(one.name) / ASKED, content, alone=False)

    def _read(self, path: Path) -> Commission | None:
        try:
            content: Any = json.loads(path.read_bytes())
            found = Commission(**content)
            _ = found.made
        except (OSError, ValueError, TypeError, OptionsError):
            return None
        return found if found.name == path.parent.name else None
