"""Record files: reading what anybody may have written, and writing so that nothing gets lost."""

import os
import re
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

from skerry.core.errors import RecordError
from skerry.records.jsonform import read_json, write_json
from skerry.records.textreader import read_text
from skerry.records.textwriter import write_text
from skerry.records.tree import Record

MIB = 2**20
LARGEST = 16 * MIB  # bytes that ``load`` reads unless told otherwise
BYTE_ORDER_MARK = "\ufeff"
# Text begins with a header such as [Game "skew"]; a list of objects or nothing is JSON.
LOOKS_LIKE_JSON = re.compile(r"[ \t\r\n]*+(\{|\[[ \t\r\n]*+[{\]])")
JSON_SUFFIX = ".json"


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


def load(path: str | os.PathLike[str], largest: int = LARGEST) -> list[Record]:
    """All records of a file, text or JSON by its content; RecordError if anything is wrong."""
    name = _name(path)
    try:
        # Not Path.read_bytes: a huge file or an endless device is read no further than needed.
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            content = b"" if size > largest else file.read(largest + 1)
    except OSError as error:
        raise _error(name, f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a path that no file can have
        raise _error(name, f"cannot be read: {error}") from None
    if max(size, len(content)) > largest:
        raise _error(
            name,
            f"larger than the limit of {largest / MIB:g} MiB: split it, or raise the limit",
        )
    return read_all(_decode(content, name), name)


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
    path: str | os.PathLike[str], records: Record | Iterable[Record], form: str | None = None
) -> None:
    """Write records to a file, all or nothing.

    ``form`` is "text" or "json"; by default the suffix decides, .json or any other.
    """
    name = _name(path)
    chosen = [records] if isinstance(records, Record) else list(records)
    if not chosen:
        raise _error(name, "no record to save: give at least one")
    if form not in (None, "text", "json"):
        raise _error(name, f"{form!r} is no form of a record: use text or json")
    if form is None:
        form = "json" if Path(path).suffix.lower() == JSON_SUFFIX else "text"
    if os.path.exists(path) and not os.path.isfile(path):
        raise _error(name, "cannot be written: it is not a regular file")
    content = (write_json if form == "json" else write_text)(chosen).encode()
    try:
        # Through links, which are to stay links.
        _replace(Path(os.path.realpath(path)), content)
    except OSError as error:
        raise _error(name, f"cannot be written: {error.strerror or error}") from None
    except ValueError as error:
        raise _error(name, f"cannot be written: {error}") from None


def _replace(path: Path, content: bytes) -> None:
    """Put a file in another's place in one step, so that a crash leaves the old one or the new."""
    temporary = path.parent / f".skerry-{secrets.token_hex(8)}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o777)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make a new name last through a power cut, on systems where a folder can be synced."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _name(path: str | os.PathLike[str]) -> str:
    """A path as messages show it, on one line whatever it is."""
    name = os.fspath(path)
    return name if name.isprintable() else repr(name)


def _error(name: str | None, message: str) -> RecordError:
    return RecordError(f"{name}: {message}" if name else message)
