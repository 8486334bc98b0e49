"""How tests have work done, and by whom."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from skerry.lab.work.executor import Crew, Oneself


class InThisProcess(Oneself):
    """A site, and its crew, where this process does the work: starting others takes a second."""

    def count(self, resource: str) -> int:
        return int(resource == "CPU")

    def employ(self, make: Callable[..., Any], warn: object = None) -> "AidesInThisProcess":
        return AidesInThisProcess(make)


class AidesInThisProcess:
    """What a cluster's processes keep from task to task, kept and asked here."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make
        self._aides: dict[Any, Any] = {}
        self._done: list[tuple[Any, Any]] = []

    def __exit__(self, *_: object) -> None:
        self._aides.clear()

    def __contains__(self, key: object) -> bool:
        return key in self._aides

    def hire(self, key: Any, gpus: int, *arguments: object) -> None:
        self._aides[key] = self._make(*arguments, len(self._aides))

    def start(self, key: Any, *arguments: object) -> None:
        self._done.append((key, self._aides[key](*arguments)))

    def wait(self, seconds: float) -> tuple[Any, Any]:
        return self._done.pop(0)


def drain(workers: Crew[int, int], arguments: list[tuple[object, ...]]) -> dict[int, int]:
    """The answers to all tasks, which are numbered."""
    answers = {}
    waiting = list(enumerate(arguments))
    while waiting or workers.busy:
        while waiting and workers.has_room:
            key, given = waiting.pop(0)
            workers.start(key, *given)
        key, answer = workers.wait()
        assert key not in answers
        answers[key] = answer
    return answers


def check_room_for_two(workers: Crew[int, int]) -> None:
    """There is room for two tasks, and for another once one of them is done."""
    workers.start(0, 1)
    assert workers.has_room
    workers.start(1, 2)
    assert not workers.has_room
    workers.wait()
    assert workers.has_room


def look_at(process: int) -> list[str]:
    """What Linux tells of a process: its state, and many numbers."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def seconds_worked(process: int) -> float:
    """How long a process has kept cores busy."""
    return sum(map(int, look_at(process)[11:13])) / os.sysconf("SC_CLK_TCK")


def is_waiting(process: int) -> bool:
    """Whether a process sleeps until something happens."""
    return look_at(process)[0] == "S"


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
        # Where nobody asks for the end of orphans, they stay in the list.
        return not Path("/proc/self/stat").exists() or look_at(process)[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
