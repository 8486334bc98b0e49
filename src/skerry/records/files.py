"""Record files: reading what anybody may have written, and writing so that nothing gets lost."""

import os
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from skerry.core.errors import RecordError
from skerry.records import folders
from skerry.records.jsonform import read_json, write_json
from skerry.records.textreader import read_text
from skerry.records.textwriter import write_text
from skerry.records.tree import Record, list_records

AnyPath = str | bytes | os.PathLike[str] | os.PathLike[bytes]

MIB = 2**20
LARGEST_FILE = 16 * MIB  # bytes that ``load`` reads unless told otherwise
BYTE_ORDER_MARK = "\ufeff"
# Text begins with a header such as [Game "skew"]; a list of objects or nothing is JSON.
LOOKS_LIKE_JSON = re.compile(r"[ \t\r\n]*+(\{|\[[ \t\r\n]*+[{\]])")
JSON_SUFFIX = ".json"
ANYTHING = "anything"  # no fingerprint reads so


def iterate(text: str, name: str | None = None) -> Iterator[Record]:
    """The records of a text or JSON, one by one; ``name`` is the file that errors speak of."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    found = False
    for record in (read_json if LOOKS_LIKE_JSON.match(text) else read_text)(text, name):
        found = True
        yield record
    if not found:
        raise _error(name, 'no record in it: a record begins with a line such as [Game "skew"]')


def read_all(text: str, name: str | None = None) -> list[Record]:
    """All records of a text or JSON."""
    return list(iterate(text, name))


def read(text: str, name: str | None = None) -> Record:
    """The only record of a text or JSON."""
    records = read_all(text, name)
    if len(records) > 1:
        raise _error(name, f"{len(records)} records where one is wanted: use read_all")
    return records[0]


def load(path: AnyPath, largest: int = LARGEST_FILE) -> list[Record]:
    """All records of a file, text or JSON by its content; RecordError if anything is wrong."""
    path, name = _tidy(path)
    try:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size > largest:
                raise _too_large(name, largest)
            return load_from(file, name, largest)
    except OSError as error:
        raise _error(name, f"cannot be read: {error.strerror or error}") from None
    except RecordError:
        raise
    except ValueError as error:  # a path that no file can have
        raise _error(name, f"cannot be read: {error}") from None


def load_from(file: BinaryIO, name: str, largest: int = LARGEST_FILE) -> list[Record]:
    """All records of an open file, which errors call by ``name``."""
    content = file.read(largest + 1)  # an endless device is read no further than needed
    if len(content) > largest:
        raise _too_large(name, largest)
    return read_all(_decode(content, name), name)


def _too_large(name: str, largest: int) -> RecordError:
    return _error(
        name,
        f"larger than the limit of {largest / MIB:g} MiB: split it, "
        "or read it from Python with a larger load(path, largest=...)",
    )


def _decode(content: bytes, name: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RecordError(
            f"{name}:{line}: not UTF-8 text (byte 0x{content[error.start]:02x}): "
            "save the file as UTF-8"
        ) from None


def save(
    path: AnyPath,
    records: Record | Iterable[Record],
    form: str | None = None,
    *,
    replacing: str | None = ANYTHING,
) -> str:
    """Write records to a file, all or nothing; returns the ``fingerprint`` of what was written.

    ``form`` is "text" or "json"; by default the suffix decides, .json or any other. ``replacing``
    is the fingerprint that the file must still have, None if there must be no file: RecordError
    if somebody else has written it since.
    """
    path, name = _tidy(path)
    chosen = list_records(records)
    if not chosen:
        raise _error(name, "no record to save: give at least one")
    if form not in (None, "text", "json"):
        raise _error(name, f"{form!r} is no form of a record: use text or json")
    if form is None:
        form = "json" if Path(path).suffix.lower() == JSON_SUFFIX else "text"
    content = (write_json if form == "json" else write_text)(chosen).encode()
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise _error(name, "cannot be written: it is not a regular file")
        target = Path(os.path.realpath(path))  # links are to stay links
        with folders.locked(target.parent) as alone:
            if replacing not in (ANYTHING, folders.fingerprint(target)):
                raise _error(
                    name, "somebody else has changed it, so it is left alone: save elsewhere"
                )
            folders.replace(target, content, alone=alone)
    except OSError as error:
        raise _error(name, f"cannot be written: {error.strerror or error}") from None
    except RecordError:
        raise
    except ValueError as error:
        raise _error(name, f"cannot be written: {error}") from None
    return sha256(content).hexdigest()


def fingerprint(path: AnyPath) -> str | None:
    """What ``save`` takes as ``replacing``; None if there is no such file."""
    path, name = _tidy(path)
    try:
        return folders.fingerprint(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _error(name, f"cannot be read: {reason}") from None


def _tidy(path: AnyPath) -> tuple[str, str]:
    """A path as text, and as messages show it: on one line whatever it is."""
    try:
        text = os.fsdecode(path)
    except TypeError:
        raise RecordError(f"a path is text or a Path, not {type(path).__name__}") from None
    return text, text if text.isprintable() else repr(text)


def _error(name: str | None, message: str) -> RecordError:
    return RecordError(f"{name}: {message}" if name else message)
