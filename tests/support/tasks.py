"""What worker processes are asked to do in tests; they import it by name."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from time import sleep

import skerry
from skerry.agents.apart import is_apart


def double(number: int) -> int:
    return 2 * number


def think(memory: str) -> None:
    """Search for an hour, having said who does."""
    state = skerry.make("skew").initial()
    skerry.analyse(state, simulations=1)  # what is compiled is no search yet
    Path(memory).write_text(f"{os.getpid()}\n", encoding="ascii")
    skerry.analyse(state, seconds=3600)


def refuse(number: int) -> int:
    raise ValueError(f"{number} is not to my liking")


def add_up(total: int, number: int) -> Callable[[int], int]:
    """What adds to a sum; it begins higher in later processes."""

    def add(more: int) -> int:
        nonlocal total
        total += more
        return total

    total += number
    return add


def die_at_once(number: int) -> Callable[[], int]:
    os.kill(os.getpid(), signal.SIGKILL)
    return lambda: number


def die_over_three(number: int, memory: str, times: int) -> int:
    """Killed as often as told over the number 3; what is left of the file remembers."""
    with Path(memory).open("a", encoding="ascii") as file:
        file.write(f"{number}{'-apart' * is_apart()} ")
    if number == 3 and Path(memory).read_text(encoding="ascii").count("3") <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def name_machine() -> str:
    """Which machine of a cluster this is."""
    import ray  # noqa: PLC0415  # slow to import, and only clusters need it

    return str(ray.get_runtime_context().get_node_id())


def append_machine(memory: str) -> None:
    """Say which machine this is."""
    with Path(memory).open("a", encoding="ascii") as file:
        file.write(f"{name_machine()}\n")


def report_machine(number: int, memory: str, gate: str) -> int:
    """Say which machine this is and what it does, and wait until a gate is open."""
    with Path(memory).open("a", encoding="ascii") as file:
        file.write(f"{number}@{name_machine()}\n")
    while not Path(gate).exists():
        sleep(0.01)
    return number
