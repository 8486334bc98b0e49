"""Ways to run the command line: in this process, or as a process of its own."""

import logging
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import typer.testing
from typer.main import get_command
from typer.testing import CliRunner, Result

from skerry.cli import app

COMMAND = [sys.executable, "-m", "skerry.cli"]
typer.testing._get_command = cache(get_command)  # type: ignore[attr-defined]  # once, for all runs
PLAIN_TERMINAL = {**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}


def run(*arguments: str, typed: Sequence[str] = ()) -> Result:
    """Run a command within this process; ``typed`` are lines of input.

    A server may have sent all logs to the command's stderr, which is closed by now: those of
    others go where they went before.
    """
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        return CliRunner().invoke(app, arguments, input="".join(f"{line}\n" for line in typed))
    finally:
        if root.handlers != handlers:
            root.handlers[:] = handlers
            root.setLevel(level)


def run_aside(*arguments: str) -> Result:
    """Run a command within this process while an event loop runs, as a browser's does."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(run, *arguments).result()


def run_simulated(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script with a GPU that Numba simulates."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", str(script), *arguments],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def start(*arguments: str, **settings: Any) -> subprocess.Popen[str]:
    """Start a command as a process of its own, with pipes."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(
        [*COMMAND, *arguments], text=True, **{"env": PLAIN_TERMINAL, **pipes, **settings}
    )


def watch(*arguments: str) -> tuple[str, str]:
    """Run a command whose stderr is a terminal; what it printed, and what the terminal showed."""
    _, printed, shown = _run_on_terminal(arguments, None)
    return printed, shown


def interrupt(*arguments: str, once: str) -> tuple[int, str, str]:
    """Press Ctrl-C once the terminal shows something; exit code, what was printed and shown."""
    return _run_on_terminal(arguments, once.encode())


def _run_on_terminal(arguments: Sequence[str], once: bytes | None) -> tuple[int, str, str]:
    near, far = pty.openpty()
    process = start(*arguments, stderr=far, env={**os.environ, "TERM": "xterm", "COLUMNS": "100"})
    os.close(far)
    shown = b""
    while piece := _read(near):
        shown += piece
        if once is not None and once in shown:
            process.send_signal(signal.SIGINT)
            once = None
    os.close(near)
    printed, _ = process.communicate()
    return process.returncode, printed, shown.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # how Linux says that the other side has gone
        return b""


def complaints(stderr: str) -> list[str]:
    """The lines of stderr but for the notice that something is compiled, on a machine new to it."""
    return [line for line in stderr.splitlines() if not line.startswith("compiling the rules")]
