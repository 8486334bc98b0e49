"""Clocks: how long a seat may take. Times are whole milliseconds."""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skerry.core.errors import OptionsError, shorten
from skerry.core.options import whole_number
from skerry.server.db.durations import DAY, SECOND

MOVE, TOTAL, DAYS = "move", "total", "days"
GRACE = 30 * SECOND  # before the first move of a seat costs it time
ARRIVAL = 180 * SECOND  # for the first move of a seat in a tournament, at most
A_DAY = DAY // SECOND  # in seconds, as clocks are set
# What each kind is set by, with the least and the most of it.
SETTINGS: dict[str, dict[str, tuple[int, int]]] = {
    MOVE: {"seconds": (1, A_DAY)},
    TOTAL: {"seconds": (1, A_DAY), "increment": (0, 3600)},
    DAYS: {"days": (1, 60)},
}
FORMS = (
    '{"kind": "move", "seconds": 30}, {"kind": "total", "seconds": 300, "increment": 3} '
    'or {"kind": "days", "days": 3}'
)


OFFSET = "SKERRY_CLOCK_OFFSET"  # the variable by which all workers of a server have one time
_offset = int(os.environ.get(OFFSET) or time.time_ns() - time.monotonic_ns())


def read_time() -> int:
    """Milliseconds since 1970, as they were when the server started and have passed since.

    The clock of the machine may be set at any moment, and nobody is to lose by that.
    """
    return (time.monotonic_ns() + _offset) // 1_000_000


def share_time() -> None:
    """Let the processes that we start have the same time."""
    os.environ[OFFSET] = str(_offset)


@dataclass(frozen=True)
class Clock:
    """So many ``seconds`` for every turn, or for all turns with an ``increment`` after each."""

    kind: str
    seconds: int
    increment: int = 0

    @classmethod
    def read(cls, settings: object) -> "Clock":
        """The clock of its settings; OptionsError says which there are."""
        kind = settings.get("kind") if isinstance(settings, Mapping) else None
        if not isinstance(settings, Mapping) or not isinstance(kind, str) or kind not in SETTINGS:
            raise OptionsError(f"{shorten(settings)} is not a clock; use {FORMS}")
        bounds = SETTINGS[kind]
        unknown = [name for name in settings if name != "kind" and name not in bounds]
        if unknown:
            raise OptionsError(f"a clock has no {shorten(unknown[0])}; use {FORMS}")
        values = {
            # What may be 0 may be left out.
            name: whole_number(f"clock: {name}", settings.get(name, None if low else 0), high, low)
            for name, (low, high) in bounds.items()
        }
        if kind == DAYS:
            return cls(DAYS, values["days"] * A_DAY)
        return cls(kind, values["seconds"], values.get("increment", 0))

    def settings(self) -> dict[str, Any]:
        """What ``read`` makes this clock from."""
        if self.kind == DAYS:
            return {"kind": DAYS, "days": self.seconds // A_DAY}
        if self.kind == MOVE:
            return {"kind": MOVE, "seconds": self.seconds}
        return {"kind": TOTAL, "seconds": self.seconds, "increment": self.increment}

    def left(self, turns: Sequence[int], current: int, lost: int = 0) -> int:
        """What is left to a seat that took so long over its finished turns and the current one.

        ``lost`` is what it spent on turns that were taken back.
        """
        if self.kind == TOTAL:
            granted = SECOND * (self.seconds + self.increment * len(turns))
            return granted - sum(turns) - current - lost
        return SECOND * self.seconds - current

    def left_after(self, turns: Sequence[int], goes_on: bool) -> int:
        """What a clock shows when a move has been made in the last of some turns.

        A turn that is over has earned its increment; time for every turn is shown as it was left.
        """
        is_over = self.kind == TOTAL and not goes_on
        return self.left(turns, 0) if is_over else self.left(turns[:-1], turns[-1])

    @property
    def text(self) -> str:
        """What chess players write: 300+3 seconds for all turns, or 1/30 for every one."""
        if self.kind != TOTAL:
            return f"1/{self.seconds}"
        return f"{self.seconds}+{self.increment}" if self.increment else str(self.seconds)
