"""The file of an SQLite database: it belongs to one server, which sees that it stays there."""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from skerry.core.errors import OptionsError

if sys.platform != "win32":
    import fcntl


Identity = tuple[int, int]  # of a file, whatever it is called


class FileLost(ConnectionError):
    """What is written to the file now would be gone with the process."""


class DatabaseFile:
    """A file, and whether what its name leads to is still what we write to.

    A file that was deleted or replaced can be written to by whoever has it open, and nothing says
    that nobody will ever find it again. The same holds for the log beside it (``-wal``), which has
    what was written last.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._descriptor: int | None = None
        self.has_log = False
        self._connections = 0  # of ours that are open
        self._log: Identity | None = None  # of the log that they write to, once it was seen

    def make(self) -> None:
        """See that it can be used, and make its folder."""
        try:
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path)) as database:
                database.execute("PRAGMA schema_version")
        except (OSError, sqlite3.Error) as error:
            raise OptionsError(
                f"the database {self.path} cannot be used: {error}; choose another with --database"
            ) from None

    @contextmanager
    def own(self) -> Iterator[None]:
        """Keep other servers from using it meanwhile; OptionsError if one does.

        The file itself is locked, so nothing is left behind by a crash. This lock is none of
        SQLite's own: those who look at the database, or make a copy of it, are not kept from it.
        No connection of ours may be open before or afterwards, as SQLite's locks would be lost.
        """
        self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            self._lock(self._descriptor)
            yield
        finally:
            descriptor, self._descriptor = self._descriptor, None
            os.close(descriptor)  # which gives the lock back

    def _lock(self, descriptor: int) -> None:
        if sys.platform == "win32":
            return
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OptionsError(
                f"another server uses the database {self.path}: stop that one, or choose another "
                "file with --database"
            ) from None
        except OSError:
            return  # some network drives know no such locks

    def join(self) -> None:
        """A connection of ours was opened."""
        self._connections += 1

    def leave(self) -> None:
        """A connection of ours is closed; the last one takes the log along."""
        self._connections -= 1
        if not self._connections:
            self._log = None

    def check(self) -> None:
        """FileLost if what we own is not what others find under its name."""
        if self._descriptor is None:
            return
        self._compare(self.path, _identify(os.fstat(self._descriptor)))
        if self.has_log:  # another log of that name was begun by somebody when ours was gone
            self._log = self._compare(f"{self.path}-wal", self._log)

    def _compare(self, path: str, ours: Identity | None) -> Identity:
        try:
            found = _identify(os.stat(path))
        except OSError:
            raise FileLost(f"{path} was deleted; put it back") from None
        if ours is not None and found != ours:
            raise FileLost(f"{path} was replaced; put it back, or start the server again")
        return found


def _identify(status: os.stat_result) -> Identity:
    return status.st_dev, status.st_ino
