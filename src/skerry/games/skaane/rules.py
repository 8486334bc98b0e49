"""The rules of Skaane, a race of gods, kings, serfs and suns."""

import numpy as np

from skerry.core import bits, rules
from skerry.core.bits import ALL, NONE, ONE, WORD, Word
from skerry.core.kernels import implements, kernel
from skerry.core.random import advance, below
from skerry.core.rules import Actions, Codes, Raw, States, Tables, TablesArray
from skerry.games.skaane.variants import NOBODY, see_who_is_ahead

NAME = "skaane"
CLAUSES = {
    "skaane.1": "The board has {width} by {height} squares. Each player has {gods:god|gods}, "
    "{kings:king|kings}, {serfs:serf|serfs} and {suns:sun|suns}, two rows of pawns in all.",
    "skaane.2": "The pawns are dealt at random over the two rows nearest to their player and are "
    "open to see. Light sits at the bottom and moves first.",
    "skaane.3": "Positioning: move a pawn one space up, down, left or right onto an empty square. "
    "Own pawns in that line are passed through and do not count as spaces; enemies block, and "
    "there is no turning.",
    "skaane.4": "Attacking: move a pawn one space diagonally onto an enemy pawn that it beats, "
    "which is removed. A god beats a king, a king a serf, and a serf a god; a sun beats all, and "
    "all beat a sun.",
    "skaane.5": "A player wins the moment one of their pawns stands on the row farthest from them.",
    "skaane.6": "A player who is to move and has no legal move loses.",
    "skaane.7": "{quiet_limit:move|moves in a row} without an attack make a draw.",
}

RUNES = ("god", "king", "serf", "sun")
GOD, KING, SERF, SUN = range(len(RUNES))
BEATS = ((KING, SUN), (SERF, SUN), (GOD, SUN), (GOD, KING, SERF, SUN))  # by rune (skaane.4)
# By rune and by who may beat it, all squares or none: the compiler makes constants of these.
BEATEN_BY = tuple(ALL if rune in row else NONE for rune in range(len(RUNES)) for row in BEATS)
DIRECTIONS = 8  # four for positioning, then the diagonals for attacking; odd ones lead down
POSITIONING = 4
STEPS = 3  # through own pawns at a time
EIGHT = np.uint64(DIRECTIONS)
OFF_BOARD = -1


def state_dtype(words: int) -> np.dtype[np.void]:
    """A position; ``moves`` has the pawns that may move in a direction."""
    return np.dtype(
        [
            ("pawns", np.uint64, (2, words)),
            ("rune", np.uint64, (len(RUNES), words)),  # of either seat
            ("moves", np.uint64, (DIRECTIONS, words)),  # of the seat to move
            ("quiet", np.int32),  # actions in a row without an attack
            ("winner", np.int8),
            ("turn", np.uint8),
            ("over", np.uint8),
        ],
        align=True,
    )


@kernel
def looking(t: Tables, ahead: Word, here: Word, behind: Word, direction: int) -> Word:
    """The word of a set moved so that every square sees the next one in a direction."""
    return bits.shift_by(t.shift[direction], direction & 1 == 0, ahead, here, behind)


@kernel
def empty(t: Tables, s: Raw, w: int) -> Word:
    """Word ``w`` of the empty squares; beyond the board there are none."""
    return t.board[w] & ~(s.pawns[0, w] | s.pawns[1, w]) if 0 <= w < s.pawns.shape[1] else NONE


@kernel
def look_at_empty(t: Tables, s: Raw, w: int, direction: int) -> Word:
    """Word ``w`` of the squares that have an empty one next to them in a direction."""
    return looking(t, empty(t, s, w + 1), empty(t, s, w), empty(t, s, w - 1), direction)


@kernel
def pass_through(t: Tables, s: Raw, turn: Word) -> Word:
    """Add the pawns behind own pawns that may move; what may still bring more (skaane.3).

    Some steps at a time: longer files of own pawns are rare, so one call is mostly enough.
    """
    words = s.moves.shape[1]
    growth = NONE
    for direction in range(POSITIONING):
        for w in range(words):
            own = s.pawns[turn, w] & t.inside[direction, w]
            ahead = s.moves[direction, w + 1] if w + 1 < words else NONE
            behind = s.moves[direction, w - 1] if w > 0 else NONE
            before = after = s.moves[direction, w]
            for _ in range(STEPS):
                before = after if words == 1 else before  # with more, others may look at this one
                after |= own & looking(t, ahead, after, behind, direction)
            s.moves[direction, w] = after
            growth |= after ^ before
    return growth


@kernel
def hunters(s: Raw, rune: int, w: int) -> Word:
    """Word ``w`` of the pawns that beat a rune, of either seat (skaane.4)."""
    found = NONE
    for hunter in range(len(RUNES)):
        found |= s.rune[hunter, w] & BEATEN_BY[rune * len(RUNES) + hunter]
    return found


@kernel
def prey(s: Raw, turn: Word, rune: int, w: int) -> Word:
    """Word ``w`` of the enemy pawns of a rune; beyond the board there are none."""
    return s.pawns[turn ^ ONE, w] & s.rune[rune, w] if 0 <= w < s.pawns.shape[1] else NONE


@kernel
def find_attacks(t: Tables, s: Raw, turn: Word) -> None:
    """The pawns that may attack, in every direction (skaane.4)."""
    for direction in range(POSITIONING, DIRECTIONS):
        for w in range(s.moves.shape[1]):
            attackers = NONE
            for rune in range(len(RUNES)):
                here, behind = prey(s, turn, rune, w), prey(s, turn, rune, w - 1)
                seen = looking(t, prey(s, turn, rune, w + 1), here, behind, direction)
                attackers |= hunters(s, rune, w) & seen
            s.moves[direction, w] = attackers & s.pawns[turn, w] & t.inside[direction, w]


@kernel
def find_moves(t: Tables, s: Raw) -> bool:
    """Find the moves of the seat to move; whether there are any."""
    turn = bits.unsigned(s.turn)
    for direction in range(POSITIONING):
        for w in range(s.moves.shape[1]):  # skaane.3: an empty square straight ahead
            own = s.pawns[turn, w] & t.inside[direction, w]
            s.moves[direction, w] = own & look_at_empty(t, s, w, direction)
    while pass_through(t, s, turn) != NONE:
        pass
    find_attacks(t, s, turn)
    return bits.any_of_all(s.moves)


@kernel
def finish(s: Raw, winner: int) -> None:
    """End the game; without a winner it is a draw."""
    s.winner, s.over = winner, 1


@kernel
def see_if_over(t: Tables, s: Raw) -> None:
    """End a game in which nobody can or may go on; find the moves otherwise."""
    if s.quiet >= t.quiet_limit:  # skaane.7
        finish(s, see_who_is_ahead(t, s))
    elif not find_moves(t, s):  # skaane.6
        finish(s, 1 - s.turn)


@kernel
def put(s: Raw, seat: int, rune: int, square: int) -> None:
    """Put a pawn on an empty square."""
    bits.add(s.pawns[seat], square)
    bits.add(s.rune[rune], square)


@implements(rules.reset, NAME)
def reset(t: Tables, s: Raw, rng: Word) -> Word:
    for seat in range(2):
        for i in range(t.pawns):
            # skaane.2: each square takes one of the pawns that are left, all equally likely.
            rng = advance(rng)
            chosen, rune = below(rng, t.pawns - i), -1
            while chosen >= 0:
                rune += 1
                chosen -= t.runes[rune] - bits.count_common(s.pawns[seat], s.rune[rune])
            put(s, seat, rune, t.home[seat] + i)
    s.winner = NOBODY
    see_if_over(t, s)
    return rng


@implements(rules.legal, NAME)
def legal(t: Tables, s: Raw, out: Actions) -> int:
    n = 0
    for w in range(s.moves.shape[1]):
        pawns = s.pawns[s.turn, w]
        while pawns != NONE:
            origin = w * WORD + bits.lowest(pawns)
            pawns &= pawns - ONE
            for direction in range(DIRECTIONS):
                if bits.has(s.moves[direction], origin):
                    out[n] = origin * DIRECTIONS + direction
                    n += 1
    return n


@kernel
def target(t: Tables, s: Raw, origin: int, direction: int) -> int:
    """Where a pawn of the seat to move would come to stand, or OFF_BOARD (skaane.3)."""
    square = origin
    while bits.has(t.inside[direction], square):
        square += t.step[direction]
        if direction >= POSITIONING or not bits.has(s.pawns[s.turn], square):
            return bits.signed(square)
    return OFF_BOARD


@implements(rules.play, NAME)
def play(t: Tables, s: Raw, action: int) -> None:
    seat = bits.unsigned(s.turn)
    origin, direction = bits.unsigned(action) // EIGHT, bits.unsigned(action) % EIGHT
    goal = target(t, s, origin, direction)
    s.quiet += 1
    if direction >= POSITIONING:
        bits.remove(s.pawns[seat ^ ONE], goal)
        s.quiet = 0
    bits.carry(s.pawns[seat], origin, goal)
    for rune in range(len(RUNES)):
        bits.carry(s.rune[rune], origin, goal)
    s.turn = seat ^ ONE
    if bits.has(t.far[seat], goal):  # skaane.5
        finish(s, seat)
    else:
        see_if_over(t, s)


@implements(rules.identify, NAME)
def identify(t: Tables, s: Raw, cells: Codes) -> int:
    for rune in range(len(RUNES)):
        bits.write_code(s.rune[rune], 1 + rune, cells)
    for square in range(len(cells)):
        cells[square] += len(RUNES) * bits.has(s.pawns[1], square)
    return bits.signed(s.quiet) * 2 + bits.signed(s.turn)


@implements(rules.restore, NAME)
def restore(t: Tables, s: Raw, cells: Codes, rest: int) -> bool:
    s.turn, s.quiet, s.winner = rest % 2, rest // 2, NOBODY
    winners = 0
    for seat in range(2):
        for square in range(len(cells)):
            if cells[square] != 0 and (cells[square] - 1) // len(RUNES) == seat:
                put(s, seat, (cells[square] - 1) % len(RUNES), square)
        if bits.count_common(s.pawns[seat], t.far[seat]) > 0:
            finish(s, seat)
            winners += 1
    if winners == 0:
        see_if_over(t, s)
    return winners < 2


@kernel
def find_goal(tables: TablesArray, states: States, origin: int, direction: int) -> int:
    """Where a pawn of ``states[0]`` would come to stand, or OFF_BOARD."""
    return target(tables[0], states[0], bits.unsigned(origin), bits.unsigned(direction))
