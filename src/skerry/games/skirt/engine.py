"""What engines know about Skirt: which actions a finished game shows to have been made."""

from skerry.core import bits, rules
from skerry.core.kernels import implements
from skerry.core.levels import Level
from skerry.core.rules import Actions, Raw, Tables
from skerry.games.skirt.rules import NAME

LEVELS = (
    Level(4, 1.0),
    Level(26, 0.9),
    Level(57, 0.67),
    Level(112, 0.53),
    Level(220, 0.37),
    Level(470, 0.22),
    Level(1_500),
)


@implements(rules.made, NAME)
def made(t: Tables, s: Raw, seat: int, out: Actions) -> int:
    return bits.list_all(s.stones[seat], out)
