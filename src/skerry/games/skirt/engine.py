"""What engines know about Skirt: which actions a finished game shows to have been made."""

from skerry.core import bits, rules
from skerry.core.kernels import implements
from skerry.core.levels import BEST, Level
from skerry.core.rules import Actions, Raw, Tables
from skerry.games.skirt.rules import NAME

LEVELS = (
    Level(1, 0.5, "minute-0.125"),
    Level(1, 1.0, "minute-0.6"),
    Level(12, net="minute-0.6"),
    Level(1, 2.2, BEST),
    Level(1, 1.5, BEST),
    Level(1, 0.8, BEST),
    Level(12, net=BEST),
    Level(64, net=BEST),
    Level(300, net=BEST),
    Level(None, net=BEST),
)


@implements(rules.made, NAME)
def made(t: Tables, s: Raw, seat: int, out: Actions) -> int:
    return bits.list_all(s.stones[seat], out)
