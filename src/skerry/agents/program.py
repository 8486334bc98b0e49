"""A program of others: started, written to and read from line by line, and ended for certain."""

import asyncio
import ctypes
import os
import shlex
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress

from skerry.core.errors import EngineError, OptionsError, shorten

LONGEST_LINE = 2**20  # bytes that a program may write at once
LAST_WORDS = 2000  # bytes of its errors that are kept
PATIENCE = 2.0  # seconds for a program to leave when it is told to
SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux


def read_command(text: str) -> tuple[str, ...]:
    """The words of a command; OptionsError if there is no such program. No shell is asked."""
    try:
        words = tuple(shlex.split(text, posix=os.name == "posix"))
    except ValueError as error:
        raise OptionsError(f"{shorten(text)} is no command: {str(error).lower()}") from None
    if not words:
        raise OptionsError("name a program, such as cmd:./mybot --fast")
    if shutil.which(words[0]) is None:
        raise OptionsError(
            f"there is no program {shorten(words[0])} that can be run: "
            "see that the path is right and the file executable"
        )
    return words


class Program:
    """A running program. EngineError says how it failed; ``last_words`` what it complained of."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._errors = bytearray()
        self._listener = asyncio.create_task(self._hear_errors())

    @classmethod
    async def start(cls, command: Sequence[str]) -> "Program":
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                limit=LONGEST_LINE,
                start_new_session=True,  # Ctrl-C is not for it, and its children end with it
                preexec_fn=_find_leash(),
                env={name: os.environ[name] for name in os.environ if not _is_ours(name)},
            )
        except OSError as error:
            reason = error.strerror or error
            raise EngineError(f"{shorten(command[0])} cannot be started: {reason}") from None
        return cls(process)

    async def send(self, *lines: str) -> None:
        """Write lines; whoever does not read them lets us wait. Its end is told by ``receive``."""
        assert self._process.stdin is not None  # noqa: S101  # it has a pipe
        with suppress(ConnectionError):
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            await self._process.stdin.drain()

    async def receive(self) -> str:
        """The next line that it writes."""
        assert self._process.stdout is not None  # noqa: S101  # it has a pipe
        try:
            line = await self._process.stdout.readline()
        except ValueError:
            raise EngineError(f"it wrote a line of more than {LONGEST_LINE:,} bytes") from None
        if not line:
            raise EngineError(f"it {await self._tell_end()}")
        return line.decode(errors="replace").rstrip("\r\n")

    async def _tell_end(self) -> str:
        """How it ended, once it writes no more."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                code = await self._process.wait()
                await asyncio.wait({self._listener})
                return _say_end(code)
        return "closed its output"

    @property
    def last_words(self) -> str:
        """The end of what it wrote to its errors."""
        return self._errors.decode(errors="replace").strip()

    async def _hear_errors(self) -> None:
        assert self._process.stderr is not None  # noqa: S101  # it has a pipe
        while chunk := await self._process.stderr.read(LAST_WORDS):
            self._errors += chunk
            del self._errors[:-LAST_WORDS]

    async def quit(self, *farewell: str, patience: float = PATIENCE) -> None:
        """Let it leave, and end it if it does not."""
        with suppress(TimeoutError, EngineError):
            async with asyncio.timeout(patience):
                await self.send(*farewell)
                assert self._process.stdin is not None  # noqa: S101  # it has a pipe
                self._process.stdin.close()
                await self._process.wait()
        await self.kill()

    async def kill(self) -> None:
        """End it at once, with all that it has started."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        elif self._process.returncode is None:
            self._process.kill()
        self._listener.cancel()
        await asyncio.gather(self._listener, return_exceptions=True)
        # Somebody who has inherited the pipes may keep them open, and some versions of Python would
        # wait for that; we let go of them.
        self._process._transport.close()  # type: ignore[attr-defined]
        await self._process.wait()


def _is_ours(name: str) -> bool:
    """Whether a variable tells how our server is set up, which is nobody else's business."""
    return name.startswith("SKERRY_") and name != "SKERRY_CACHE"


def _say_end(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


def _find_leash() -> Callable[[], None] | None:
    """What a program does first, where that can be: ask to be ended when this process is."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)

    def leash() -> None:
        library.prctl(SET_DEATH_SIGNAL, signal.SIGKILL)

    return leash
