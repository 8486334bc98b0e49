"""Jobs for the process pool: what tests have done in other processes, which import this file."""

import os
import signal
import time
from collections.abc import Generator
from pathlib import Path

from skerry.core.errors import OptionsError


def double(number: int) -> int:
    return 2 * number


def tell_process() -> int:
    return os.getpid()


def tell_niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)


def refuse(what: str) -> None:
    raise OptionsError(f"{what} is not to my liking")


def fail() -> None:
    raise ZeroDivisionError("nobody thought of this")


def wait_for(gate: str) -> str:
    """Wait until somebody writes to a pipe that has a name; what they wrote."""
    return Path(gate).read_text()


def note(file: str, word: str) -> None:
    with Path(file).open("a") as out:
        out.write(f"{word}\n")


def die_once(memory: str) -> str:
    """Die if nobody has died here before."""
    if Path(memory).exists():
        return "alive"
    note(memory, "died")
    os.kill(os.getpid(), signal.SIGKILL)
    return "never"


def die_always(memory: str) -> None:
    note(memory, "died")
    os.kill(os.getpid(), signal.SIGKILL)


def count_up(top: int) -> Generator[int | None, None, str]:
    """Tell all numbers, with pauses in which others may go on."""
    for number in range(1, top + 1):
        yield number
        yield None
    return "done"


def go_on_for_ever(memory: str) -> Generator[int | None, None, None]:
    """Tell numbers until nobody wants to hear them, and note that."""
    try:
        number = 0
        while True:
            number += 1
            yield number
            time.sleep(0.001)
    finally:
        note(memory, "stopped")
