"""A file that is there when it is whole, and not before."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

OPEN_FILES = "/proc/self/fd"
PRIVATE = 0o600  # a backup has all that the database has


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write that takes its place, and that of a former one, once all is written.

    Where the system can, it has no name until then: a process that is killed leaves nothing behind.
    """
    temporary = path.parent / f".skerry-{path.name}.tmp"
    temporary.unlink(missing_ok=True)
    try:
        nameless = os.open(path.parent, os.O_RDWR | os.O_TMPFILE, PRIVATE)
    except (AttributeError, OSError):  # another system, or a file system without such files
        nameless = None
    target = (
        os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE)
        if nameless is None
        else nameless
    )
    try:
        with os.fdopen(target, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if nameless is not None:
                _name(nameless, temporary)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def _name(descriptor: int, path: Path) -> None:
    """Give a file without a name one."""
    folder = os.open(OPEN_FILES, os.O_RDONLY)
    try:
        os.link(str(descriptor), path, src_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


def sync_folder(folder: Path) -> None:
    """Make a new name last through a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
