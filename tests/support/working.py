"""How tests have work done, and by whom."""

import os
from pathlib import Path

from skerry.lab.work.executor import Crew


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


def seconds_worked(process: int) -> float:
    """How long a process has kept cores busy, as Linux tells."""
    numbers = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, numbers[11:13])) / os.sysconf("SC_CLK_TCK")


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # Where nobody asks for the end of orphans, they stay in the list.
    listed = Path(f"/proc/{process}/stat")
    return not (listed.exists() and listed.read_text().rpartition(")")[2].split()[0] == "Z")
