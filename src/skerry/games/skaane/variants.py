"""Variants of Skaane, which are ours and not the rule sheet's.

Careful players wait for each other until the quiet limit makes a draw. Here it may decide.
"""

from skerry.core import bits
from skerry.core.kernels import kernel
from skerry.core.options import Option
from skerry.core.rules import Raw, Tables

OPTIONS = (
    Option(
        "quiet_end",
        0,
        0,
        3,
        "ways to end at that limit: 0 a draw, 1 whoever attacked last wins, 2 more pawns win, "
        "3 the foremost pawn wins (our variant, not the rule sheet's)",
        ours=True,
    ),
)
VARIANTS: tuple[dict[str, int], ...] = (
    {"quiet_end": 1},
    {"quiet_end": 2},
    {"quiet_end": 3},
    {"quiet_limit": 40},
    {"quiet_limit": 40, "quiet_end": 1},
)
VARIED_CLAUSES = {
    "skaane.7 quiet_end=1": "After {quiet_limit:move|moves in a row} without an attack whoever "
    "attacked last wins, and Dark if nobody has. That is our variant and not the rule sheet's.",
    "skaane.7 quiet_end=2": "After {quiet_limit:move|moves in a row} without an attack whoever "
    "has more pawns wins; with as many it is a draw. That is our variant and not the rule sheet's.",
    "skaane.7 quiet_end=3": "After {quiet_limit:move|moves in a row} without an attack whoever "
    "has a pawn nearer to its far row wins; if neither is nearer, it is a draw. That is our "
    "variant and not the rule sheet's.",
}
DRAWN, LAST_ATTACK, MORE_PAWNS, FOREMOST_PAWN = range(4)  # values of quiet_end
NOBODY = -1


@kernel
def see_who_is_ahead(t: Tables, s: Raw) -> int:
    """Who wins at the quiet limit (skaane.7); nobody but in variants."""
    lead = 0
    if t.quiet_end == LAST_ATTACK:
        # Whoever has just moved attacked an even number of moves ago, or an odd one. Of a game
        # without an attack the same is said as if Dark had attacked before it began.
        return (1 - bits.signed(s.turn)) ^ (bits.signed(s.quiet) & 1)
    if t.quiet_end == MORE_PAWNS:
        lead = bits.count_all(s.pawns[0]) - bits.count_all(s.pawns[1])
    if t.quiet_end == FOREMOST_PAWN:
        row = 0
        light = dark = False
        while not light and not dark and row < t.rows:
            light = bits.count_common(s.pawns[0], t.away[0, row]) > 0
            dark = bits.count_common(s.pawns[1], t.away[1, row]) > 0
            row += 1
        lead = bits.signed(light) - bits.signed(dark)
    return NOBODY if lead == 0 else bits.signed(lead < 0)
