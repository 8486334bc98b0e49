"""A disk and a clock that lie: a small library, loaded before all others, obeys a control file.

It needs neither root nor mounts, and concerns one folder of the processes that are told to load it.
"""

import errno
import mmap
import shutil
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")
LAYOUT = struct.Struct("=iiiiq")  # as struct control of shim.c
WRITES, SYNCS, READS = 1, 2, 4
DAY = 86_400
NO_COMPILER = "no C compiler here, by which they are injected: apt-get install gcc libc6-dev"


class Shim:
    """The library, and what it is to do."""

    def __init__(self, place: Path, folder: Path) -> None:
        """Compile it to ``place``, for the files below ``folder``."""
        compiler = shutil.which("cc") or shutil.which("gcc")
        assert compiler is not None
        self._library, self._control = place / "shim.so", place / "control"
        self._folder = folder.resolve()
        command = [compiler, "-O1", "-shared", "-fPIC", "-o", self._library, SOURCE, "-ldl"]
        subprocess.run(command, check=True)
        self._control.write_bytes(LAYOUT.pack(0, 0, 0, 0, 0))
        for file in (self._library, self._control):
            file.chmod(0o755)  # PostgreSQL runs as a user of its own
        self._ahead = 0

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to be lied to."""
        return {
            "LD_PRELOAD": str(self._library),
            "FAULTS_CONTROL": str(self._control),
            "FAULTS_FOLDER": str(self._folder),
        }

    def _set(self, error: int = 0, calls: int = 0, share: int = 1000, delay: float = 0) -> None:
        content = LAYOUT.pack(error, calls, share, int(1e6 * delay), self._ahead)
        with self._control.open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
            memory[:] = content

    def fill(self, share: int = 1000) -> None:
        """Let the disk be full, for so many of a thousand writes."""
        self._set(errno.ENOSPC, WRITES, share)

    def fail(self, calls: int, share: int) -> None:
        """Let some calls fail as those to a broken disk do."""
        self._set(errno.EIO, calls, share)

    def slow_down(self, seconds: float) -> None:
        """Let everything that is written take longer."""
        self._set(delay=seconds)

    def set_clock(self, ahead: int) -> None:
        """Set the clock of the machine so many seconds ahead of the time."""
        self._ahead = ahead
        self._set()

    def heal(self) -> None:
        """Let the disk be well; a clock stays as it was set."""
        self._set()


def find_compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc")
