"""The file of a backup: a line that says what it is, then compressed lines of JSON.

    skerry backup 1
    {"skerry": "0.1.0", "revision": "0011_wanting", "made": 1763406000000}
    {"table": "games", "columns": ["id", "game", ...]}
    ["Qm3x0a", "skew", ...]
    ...
    {"rows": {"games": 1, ...}, "sha256": "..."}

All that follows the first line is one zlib stream. The last line counts the rows of every table and
has the hash of all lines before it, the first included, as they were before they were compressed.
Files are written and read piece by piece, so that a large database needs no more
memory than a small one.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, NoReturn

from skerry import __version__
from skerry.core.errors import SkerryError

MAGIC = b"skerry backup "
VERSION = 1
PIECE = 1 << 16  # bytes that are read at once
LONGEST_LINE = 1 << 28  # bytes; the largest study has a hundredth of it
BATCH = 500  # rows that are handed on at once
Cells = list[Any]


class BackupError(SkerryError):
    """A backup that cannot be made or restored; the message says what to do."""


@dataclass(frozen=True)
class Header:
    """Which skerry made a backup, when, and how far its database was migrated."""

    skerry: str
    revision: str
    made: int


@dataclass(frozen=True)
class Batch:
    """Some rows of a table. A table without rows is one batch that is empty."""

    table: str
    columns: Sequence[str]
    rows: Sequence[Cells]


class BackupWriter:
    """Writes a backup table by table."""

    def __init__(self, file: BinaryIO, revision: str, made: int) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self._packer = zlib.compressobj()
        self.rows: dict[str, int] = {}
        first = MAGIC + b"%d\n" % VERSION
        self._file.write(first)
        self._hash.update(first)
        self._add({"skerry": __version__, "revision": revision, "made": made})

    def begin(self, table: str, columns: Sequence[str]) -> None:
        self._table = table
        self.rows[table] = 0
        self._add({"table": table, "columns": list(columns)})

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Add rows of the table that was begun last."""
        for row in rows:
            self._add(list(row))
            self.rows[self._table] += 1

    def finish(self) -> None:
        self._add({"rows": self.rows, "sha256": self._hash.hexdigest()})
        self._file.write(self._packer.flush())

    def _add(self, content: object) -> None:
        line = json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
        self._hash.update(line)
        self._file.write(self._packer.compress(line))


class BackupReader:
    """Reads a backup. It counts as whole only when all batches have been read."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        self._name = name
        self._hash = hashlib.sha256()
        self._check_kind()
        self._lines = self._unpack()
        try:
            content = json.loads(next(self._lines))
            self.header = Header(content["skerry"], content["revision"], content["made"])
        except (KeyError, TypeError, ValueError, StopIteration):
            self._refuse()

    def _check_kind(self) -> None:
        first = self._file.readline(len(MAGIC) + 10)
        number = first[len(MAGIC) : -1]
        if not first.startswith(MAGIC) or not first.endswith(b"\n") or not number.isdigit():
            raise BackupError(f"{self._name} is not a backup made by skerry backup")
        if int(number) > VERSION:
            raise BackupError(f"{self._name} was made by a newer skerry: install that one first")
        if int(number) != VERSION:
            raise BackupError(f"{self._name} is a backup of an unknown kind")
        self._hash.update(first)

    def _refuse(self) -> NoReturn:
        raise BackupError(f"{self._name} is damaged: use another copy of this backup") from None

    def _unpack(self) -> Iterator[bytes]:
        """The lines after the first; each is hashed when the next one is asked for."""
        unpacker = zlib.decompressobj()
        rest = b""
        try:
            while not unpacker.eof:
                piece = unpacker.unconsumed_tail or self._file.read(PIECE)
                if not piece:
                    self._refuse()
                *lines, rest = (rest + unpacker.decompress(piece, PIECE)).split(b"\n")
                for line in lines:
                    yield line
                    self._hash.update(line + b"\n")
                if len(rest) > LONGEST_LINE:
                    self._refuse()
        except zlib.error:
            self._refuse()
        if rest or unpacker.unused_data or self._file.read(1):
            self._refuse()

    def batches(self) -> Iterator[Batch]:
        """All tables, some rows at a time; BackupError if they are not what was written."""
        counted: dict[str, int] = {}
        table, columns, rows = "", [], []  # type: str, list[str], list[Cells]
        ended = False
        for line in self._lines:
            content = self._read(line)
            if isinstance(content, list) and table and not ended:
                if len(content) != len(columns):
                    self._refuse()
                rows.append(content)
                if len(rows) == BATCH:
                    yield Batch(table, columns, rows)
                    counted[table] += len(rows)
                    rows = []
                continue
            if ended or not isinstance(content, dict):
                self._refuse()
            if table and (rows or not counted[table]):
                yield Batch(table, columns, rows)
                counted[table] += len(rows)
                rows = []
            if content.get("rows") == counted and content.get("sha256") == self._hash.hexdigest():
                ended = True
            elif isinstance(content.get("table"), str) and content["table"] not in counted:
                table, columns = content["table"], content["columns"]
                counted[table] = 0
            else:
                self._refuse()
        if not ended:
            self._refuse()
        self.rows = counted

    def _read(self, line: bytes) -> Any:
        try:
            return json.loads(line)
        except ValueError:
            self._refuse()
