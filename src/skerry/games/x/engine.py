"""What engines know about X: which random games are like those of players, and how strong to be."""

from skerry.core import bits, rules
from skerry.core.bits import Word
from skerry.core.kernels import implements, kernel
from skerry.core.levels import BEST, Level
from skerry.core.random import advance, below
from skerry.core.rules import Actions, Raw, Tables
from skerry.games.x.rules import BY_FILLING, NAME, SEATS, corners_of, winning_seat

# Random games mostly end 2-1-1, those of players seldom: whoever is ahead has two seats against it.
# So engines believe only so many of them, and not all that end 3-1-0 until enough of the board is
# filled. To believe still fewer foretells winners better, but engines that do are too sure that
# somebody else will stop the leader (docs/lab/strength.md).
TWO_CORNERS = 0.4
THREE_CORNERS_EARLY = 0.75
THREE_CORNERS_FROM, THREE_CORNERS_UNTIL = 0.27, 0.6  # of the board
MOST_TRIES = 8  # to end in another way; where no other is left, this has to do
CHANCES = 1 << 16

LEVELS = (
    Level(1, 0.5, "minute-0.6"),
    Level(4, net="minute-0.6"),
    Level(1, 3.0, BEST),
    Level(1, 2.0, BEST),
    Level(1, 1.3, BEST),
    Level(16, net=BEST),
    Level(40, net=BEST),
    Level(160, net=BEST),
    Level(600, net=BEST),
    Level(None, net=BEST),
)


@implements(rules.made, NAME)
def made(t: Tables, s: Raw, seat: int, out: Actions) -> int:
    n = bits.list_all(s.stones[seat], out)
    for i in range(n):
        out[i] = t.cell_at[out[i]]
    return n


@implements(rules.imagine, NAME)
def imagine(t: Tables, s: Raw, rng: Word, scratch: Actions) -> Word:
    """Random games; many of those that end as few games of players do are rejected."""
    before = s.work[BY_FILLING]  # what was empty; nobody floods by filling here
    for w in range(s.empty.shape[0]):
        before[w] = s.empty[w]
    filled = 1.0 - bits.count_all(before) / t.cells
    turn, paths, settled = s.turn, s.paths, s.settled
    for _ in range(MOST_TRIES):
        s.turn, s.paths, s.settled, s.over = turn, paths, settled, 0
        for w in range(s.empty.shape[0]):
            s.empty[w] = before[w]
            for seat in range(SEATS):
                s.stones[seat, w] &= ~before[w]
        rng = advance(rules.finish(t, s, rng, scratch))
        if below(rng, CHANCES) < CHANCES * credibility(s, filled):
            break
    return rng


@kernel
def credibility(s: Raw, filled: float) -> float:
    """How far to believe a random game from a board so full, by the corners of its winner."""
    corners = corners_of(s, winning_seat(s))
    if corners == 2:
        return TWO_CORNERS
    if corners == 3:
        late = (filled - THREE_CORNERS_FROM) / (THREE_CORNERS_UNTIL - THREE_CORNERS_FROM)
        return min(max(late, THREE_CORNERS_EARLY), 1.0)
    return 1.0
