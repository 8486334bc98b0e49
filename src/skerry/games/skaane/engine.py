"""What engines know about Skaane: what a position is worth at a look, and how strong to be."""

import numpy as np

from skerry.core import bits, rules
from skerry.core.bits import ONE, Word
from skerry.core.kernels import implements, kernel
from skerry.core.levels import BEST, Level
from skerry.core.rules import Raw, Returns, Tables
from skerry.games.skaane.rules import DIRECTIONS, NAME, POSITIONING, look_at_empty
from skerry.games.skaane.variants import DRAWN

# What an engine thinks of a position, in pawns.
ATTACKING = 0.3  # having an attack to make
RUNNING = 1.5  # an enemy about to reach the far row
CERTAINTY = 4.0  # the lead that makes a win likely

LEVELS = (
    Level(1, 0.8, "minute-0.6"),
    Level(12, net="minute-0.6"),
    Level(64, net="minute-0.6"),
    Level(1, 1.7, BEST),
    Level(1, 1.2, BEST),
    Level(1, 0.6, BEST),
    Level(12, net=BEST),
    Level(80, net=BEST),
    Level(300, net=BEST),
    Level(None, net=BEST),
)


@kernel
def count_worth(t: Tables, s: Raw, seat: Word) -> float:
    """What a seat's pawns are worth: each counts, and more the nearer it has come."""
    worth = 0.0
    for distance in range(1, t.rows):
        here = 0
        for w in range(s.pawns.shape[1]):
            here += bits.count(s.pawns[seat, w] & t.away[seat, distance, w])
        worth += here * (1.0 + 1.0 / distance**2)
    return worth


@kernel
def count_runners(t: Tables, s: Raw, seat: Word) -> int:
    """How many pawns of a seat stand before an empty square of the far row."""
    runners = 0
    for w in range(s.pawns.shape[1]):
        before = s.pawns[seat, w] & t.away[seat, 1, w]
        runners += bits.count(before & look_at_empty(t, s, w, bits.signed(seat)))
    return runners


@kernel
def count_attacks(s: Raw) -> int:
    """How many attacks the seat to move may make."""
    attacks = 0
    for direction in range(POSITIONING, DIRECTIONS):
        for w in range(s.moves.shape[1]):
            attacks += bits.count(s.moves[direction, w])
    return attacks


@implements(rules.judge, NAME)
def judge(t: Tables, s: Raw, out: Returns) -> bool:
    # Random games are long and say little; pawns and how far they have come say more.
    seat = bits.unsigned(s.turn)
    lead = count_worth(t, s, seat) - count_worth(t, s, seat ^ ONE)
    lead += ATTACKING * min(count_attacks(s), 2)
    lead -= RUNNING * count_runners(t, s, seat ^ ONE)
    value = 1.0 if count_runners(t, s, seat) > 0 else np.tanh(lead / CERTAINTY)
    out[seat] = value
    out[seat ^ ONE] = -value
    return True


@implements(rules.countdown, NAME)
def countdown(t: Tables, s: Raw) -> int:
    # Where the quiet limit may decide (skaane.7), to wait for it may win.
    return bits.signed(t.quiet_limit - s.quiet) if t.quiet_end == DRAWN else 0
