"""One writer at a time: putting a file in another's place without losing either."""

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl


@contextmanager
def locked(folder: Path) -> Iterator[bool]:
    """Keep other processes from saving in a folder meanwhile; False where nothing can.

    The folder itself is locked, so no lock file is left behind, not even by a crash.
    """
    if sys.platform == "win32":
        yield False
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        yield _lock(descriptor)
    finally:
        os.close(descriptor)  # which gives the lock back


@contextmanager
def claimed(folder: Path) -> Iterator[bool]:
    """Whether nobody else has claimed a folder: then it is ours meanwhile. Where folders cannot be
    locked, everybody's claim is good."""
    if sys.platform == "win32":
        yield True
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        except OSError:
            pass
        yield True
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError:  # some network drives lock no folders
        return False
    return True


def fingerprint(path: str | os.PathLike[str]) -> str | None:
    """What tells the content of a file from any other; None if there is no such file."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def replace(path: Path, content: bytes, *, alone: bool) -> None:
    """Put a file in another's place in one step, so that a crash leaves the old one or the new.

    A process that is ``alone`` in the folder uses a name that depends on the target only: what a
    crash left behind goes with the next save. Others add their number to stay out of each other's
    way.
    """
    whose = path.name if alone else f"{path.name}/{os.getpid()}"
    mark = hashlib.sha256(os.fsencode(whose)).hexdigest()[:16]
    temporary = path.parent / f".skerry-{mark}.tmp"
    try:
        temporary.unlink(missing_ok=True)
        with open(temporary, "xb") as file:  # never through a link that somebody put there
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o777)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """Make a new name last through a power cut, on systems where a folder can be synced."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
