"""What engines know about Skew: which actions a finished game shows to have been made."""

from skerry.core import bitplanes, bits, rules
from skerry.core.kernels import implements
from skerry.core.levels import BEST, Level
from skerry.core.rules import Actions, Raw, Tables
from skerry.games.skew.rules import DIRECTIONS, NAME

LEVELS = (
    Level(1, 0.5, "minute-0.125"),
    Level(1, 0.5, "minute-0.6"),
    Level(8, net="minute-0.6"),
    Level(24, net="minute-0.6"),
    Level(1, 2.0, BEST),
    Level(1, 1.4, BEST),
    Level(1, 0.4, BEST),
    Level(48, net=BEST),
    Level(400, net=BEST),
    Level(None, net=BEST),
)


@implements(rules.made, NAME)
def made(t: Tables, s: Raw, seat: int, out: Actions) -> int:
    # A peg's final lean is what it counts for, whoever gave it that.
    n = bits.list_all(s.pegs[seat], out)
    for i in range(n):
        out[i] = out[i] * DIRECTIONS + bitplanes.value_at(s.lean, out[i])
    return n
