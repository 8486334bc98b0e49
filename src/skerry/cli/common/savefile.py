"""The file that a terminal game is saved in, with the games that were in it before."""

import os
from collections.abc import Iterable

from skerry.core.errors import OptionsError
from skerry.records import Record, fingerprint, load, save


class SaveFile:
    """A record file whose last game is the one being played; the games before it stay.

    It is written only as long as nobody else writes it, so that two players cannot lose each
    other's games.
    """

    def __init__(self, path: str, seen: str | None, records: Iterable[Record] = ()) -> None:
        self.path = path
        self.seen = seen  # fingerprint of what was last read or written, None for no file
        self.others = list(records)
        self.last = self.others.pop() if self.others else None

    @classmethod
    def open(cls, path: str) -> "SaveFile":
        """A file with its games, or one that is still to be written."""
        check_place(path)
        seen = fingerprint(path)  # before reading: what is written in between counts as news
        empty = seen is None or os.path.getsize(path) == 0
        return cls(path, seen, () if empty else load(path))

    def write(self, record: Record) -> None:
        """Write the game being played; RecordError if it cannot be, or if somebody else wrote."""
        self.seen = save(self.path, [*self.others, record], replacing=self.seen)
        self.last = record

    def begin_next(self) -> None:
        """Another game begins: it goes after those that are in the file."""
        if self.last is not None:
            self.others.append(self.last)
            self.last = None

    def is_at(self, path: str) -> bool:
        return "\0" not in path and os.path.realpath(path) == os.path.realpath(self.path)


def check_new_place(path: str, force: bool | None = None) -> None:
    """See that a file can be written there that is no file yet, unless that was forced.

    Where there is no ``--force`` to offer, ``force`` is None.
    """
    check_place(path)
    if os.path.exists(path) and not force:
        offer = "" if force is None else ", or overwrite it with --force"
        raise OptionsError(f"{path} already exists; choose another name{offer}")


def check_place(path: str) -> None:
    """See that a file can be written there, before there is anything to write."""
    if "\0" in path:
        raise OptionsError("a file name cannot contain a null character; choose another name")
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise OptionsError(f"{path} is a folder; name a file in it")
    if os.path.exists(path) and not os.path.isfile(path):
        raise OptionsError(f"{path} is not an ordinary file; choose another name")
    if not os.path.isdir(folder):
        raise OptionsError(f"{path} cannot be written: there is no folder {folder}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OptionsError(f"{path} cannot be written: you have no permission to write in {folder}")
