"""X: Mark Steere's three-player fight for corners (August 2009, marksteeregames.com).

x.1  The board is a rhombus of ``size`` by ``size`` hexes, a wide diamond.
x.2  In turn, each seat puts one stone of its colour on any empty cell.
x.3  A corner belongs to the seat with the outermost path between the corner's two sides: of the
     groups that touch both sides, the one that reaches farthest from the corner.
x.4  A corner is settled when only one seat could still own it; a seat could own it if it would
     own it with every empty cell filled by that seat. The game ends when all four are settled.
x.5  The winner has the maximum unique number of corners: 4-0-0, 3-1-0 and 2-1-1 the leader,
     2-2-0 the seat with none.
x.6  There are no draws.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.board import Board, groups, joining_lines, rhombus
from skerry.core import bits, rules
from skerry.core.bits import NONE, ONE, WORD, WORD_BITS, Word
from skerry.core.game import Game, Happening, Level, Setup, State
from skerry.core.kernels import implements, kernel, tables
from skerry.core.options import Option
from skerry.core.random import advance, below, choose
from skerry.core.rules import Actions, Codes, Marks, Raw, Returns, Tables
from skerry.core.scene import COUNTS, Flag, Line, Mark, Overlay, Piece

NAME = "x"
SEATS = 3
CORNERS = 4
CORNER_NAMES = ("left corner", "top corner", "right corner", "bottom corner")
OPEN = -1  # a corner that is not settled
EVERYWHERE = (1 << CORNERS) - 1  # corners as bits

# Random games mostly end 2-1-1, those of players seldom: whoever is ahead has two seats against it.
# So engines believe only so many of them, and not all that end 3-1-0 until enough of the board is
# filled. To believe still fewer foretells winners better, but engines that do are too sure that
# somebody else will stop the leader (docs/strength.md).
TWO_CORNERS = 0.4
THREE_CORNERS_EARLY = 0.75
THREE_CORNERS_FROM, THREE_CORNERS_UNTIL = 0.27, 0.6  # of the board
MOST_TRIES = 8  # to end in another way; where no other is left, this has to do
CHANCES = 1 << 16

# Scratch sets: one to flood in, and per base and seat what is connected to that base.
MASK = 0
BY_STONES = 1
BY_FILLING = BY_STONES + 2 * SEATS
WORK = BY_FILLING + 2 * SEATS


def build_tables(board: Board, size: int, words: int) -> NDArray[np.void]:
    """Geometry of one board (x.1), padded to the capacity of its words.

    Each letter is a run of bits with one bit always clear behind it, so that all six neighbours
    of a whole set of cells are plain shifts. The *base* of a corner is its side along the first
    or the last letter; how far a group reaches is measured along the other side.
    """
    stride = size + 1
    places = [letter * stride + number for letter, number in board.points]
    place = np.zeros(words * WORD, np.int16)
    cell_at = np.zeros(words * WORD, np.int16)
    place[: len(places)] = places
    cell_at[places] = range(len(places))

    next_to = np.zeros((words * WORD, words), np.uint64)
    for cell in range(len(board)):
        next_to[places[cell]] = bits.mask([places[c] for c in board.adjacent(cell)], words)

    def side(axis: int, line: int) -> NDArray[np.uint64]:
        """The cells of one letter (axis 0) or of one number (axis 1)."""
        cells = [place for place, p in zip(places, board.points, strict=True) if p[axis] == line]
        return bits.mask(cells, words)

    first, last = side(1, 0), side(1, size - 1)
    return tables(
        NAME,
        place=place,  # [cells] bit of a cell
        cell_at=cell_at,  # [bits] cell of a bit
        next_to=next_to,  # [bits, words] the cells around a cell
        board=bits.mask(places, words),
        base=np.array([side(0, 0), side(0, size - 1)]),  # [2, words]
        along=np.array([first, first, last, last]),  # [corners, words] the side to measure on
        stride=np.uint64(stride),
        cells=np.int16(len(board)),
    )


def state_dtype(words: int) -> np.dtype[np.void]:
    """The record of an X position."""
    return np.dtype(
        [
            ("stones", np.uint64, (SEATS, words)),
            ("empty", np.uint64, (words,)),
            ("owner", np.int8, (CORNERS,)),  # seats that own the settled corners
            ("settled", np.uint8),  # how many corners, in order, are known to be settled
            ("paths", np.uint8),  # bit per corner around which there is a path of anybody's
            ("turn", np.uint8),
            ("over", np.uint8),
            ("work", np.uint64, (WORK, words)),  # scratch space for floods
        ],
        align=True,
    )


@implements(rules.reset, NAME)
def reset(t: Tables, s: Raw, rng: Word) -> Word:
    for w in range(s.empty.shape[0]):
        s.empty[w] = t.board[w]
    return rng


@implements(rules.legal, NAME)
def legal(t: Tables, s: Raw, out: Actions) -> int:
    n = 0
    for w in range(s.empty.shape[0]):
        cells = s.empty[w]  # x.2
        while cells != NONE:
            out[n] = t.cell_at[w * WORD + bits.lowest(cells)]
            cells &= cells - ONE
            n += 1
    return n


@implements(rules.mark, NAME)
def mark(t: Tables, s: Raw, marks: Marks, scratch: Actions) -> None:
    """Letter by letter, without the clear bit behind each."""
    stride = bits.signed(t.stride)
    size = stride - 1
    for letter in range(size):
        at = letter * stride
        w, shift = at >> 6, at & 63
        cells = s.empty[w] >> np.uint64(shift)
        if shift + size > WORD:
            cells |= s.empty[w + 1] << np.uint64(WORD - shift)
        cells &= (ONE << np.uint64(size)) - ONE
        bits.put_marks(marks, letter * size, cells)


@implements(rules.sample, NAME)
def sample(t: Tables, s: Raw, rng: Word) -> tuple[int, Word]:
    rng = advance(rng)
    place = bits.nth_of_all(s.empty, below(rng, bits.count_all(s.empty)))
    return bits.signed(t.cell_at[place]), rng


@implements(rules.identify, NAME)
def identify(t: Tables, s: Raw, cells: Codes) -> int:
    for seat in range(SEATS):
        for w in range(s.empty.shape[0]):
            stones = s.stones[seat, w]
            while stones != NONE:
                cell = t.cell_at[bits.unsigned(w * WORD + bits.lowest(stones))]
                cells[bits.unsigned(cell)] = 1 + seat
                stones &= stones - ONE
    return bits.signed(s.turn)


@kernel
def around(t: Tables, lower: Word, x: Word, upper: Word) -> Word:
    """A word of a set with all neighbours of the set, given the words below and above it.

    A row away there are two neighbours side by side, so that one step along the row serves both.
    """
    back, near = WORD_BITS - ONE, t.stride - ONE
    up = x | x << ONE | lower >> back
    down = x | x >> ONE | upper << back
    up_lower, down_upper = lower | lower << ONE, upper | upper >> ONE
    return (up | up << near | up_lower >> (WORD_BITS - near)) | (
        down | down >> near | down_upper << (WORD_BITS - near)
    )


@kernel
def flood(t: Tables, s: Raw, row: int) -> None:
    """Grow the scratch set ``row`` through neighbours within the scratch set MASK."""
    words = s.work.shape[1]
    if words == 2:  # in registers
        low, high = s.work[row, 0], s.work[row, 1]
        low_mask, high_mask = s.work[MASK, 0], s.work[MASK, 1]
        growing = True
        while growing:
            low_grown = around(t, NONE, low, high) & low_mask
            high_grown = around(t, low, high, NONE) & high_mask
            growing = low_grown != low or high_grown != high
            low, high = low_grown, high_grown
        s.work[row, 0], s.work[row, 1] = low, high
        return
    growing = True
    while growing:
        growing = False
        for w in range(words):
            lower = s.work[row, w - 1] if w > 0 else NONE
            upper = s.work[row, w + 1] if w + 1 < words else NONE
            grown = around(t, lower, s.work[row, w], upper) & s.work[MASK, w]
            if grown != s.work[row, w]:
                s.work[row, w] = grown
                growing = True


@kernel
def flood_stones(t: Tables, s: Raw, base: int, seat: int) -> None:
    """What the seat's stones connect to a base."""
    row = BY_STONES + base * SEATS + seat
    for w in range(s.work.shape[1]):
        s.work[MASK, w] = s.stones[seat, w]
        s.work[row, w] = s.stones[seat, w] & t.base[base, w]
    flood(t, s, row)


@kernel
def mask_filling(t: Tables, s: Raw, seat: int) -> None:
    """MASK becomes the seat's stones and all empty cells."""
    for w in range(s.work.shape[1]):
        s.work[MASK, w] = s.stones[seat, w] | s.empty[w]


@kernel
def flood_filling(t: Tables, s: Raw, base: int, seat: int) -> None:
    """What the seat would connect to a base with every empty cell its own."""
    row = BY_FILLING + base * SEATS + seat
    mask_filling(t, s, seat)
    for w in range(s.work.shape[1]):
        s.work[row, w] = s.work[MASK, w] & t.base[base, w]
    flood(t, s, row)


@kernel
def base_of(corner: int) -> int:
    """Left and bottom stand on the first letter, top and right on the last one."""
    return 0 if corner in (0, 3) else 1


@kernel
def reach(t: Tables, s: Raw, corner: int, row: int) -> int:
    """How far from the corner a flooded set touches the side it is measured on; 0 if nowhere."""
    words = s.work.shape[1]
    if base_of(corner) == 0:
        for i in range(words):
            w = words - 1 - i
            touching = s.work[row, w] & t.along[corner, w]
            if touching != NONE:
                return (w + 1) * WORD - bits.leading(touching)
    else:
        for w in range(words):
            touching = s.work[row, w] & t.along[corner, w]
            if touching != NONE:
                return (words - w) * WORD - bits.lowest(touching)
    return 0


@kernel
def rival_reach(t: Tables, s: Raw, corner: int, seat: int) -> int:
    """How far the farthest path of the other two seats' stones reaches (x.3)."""
    row = BY_STONES + base_of(corner) * SEATS
    return max(
        reach(t, s, corner, row + (seat + 1) % SEATS), reach(t, s, corner, row + (seat + 2) % SEATS)
    )


@kernel
def could_own(t: Tables, s: Raw, corner: int, seat: int) -> bool:
    """Whether the seat would own the corner with every empty cell its own (x.4).

    The floods by stones and by filling have to be up to date.
    """
    row = BY_FILLING + base_of(corner) * SEATS + seat
    return reach(t, s, corner, row) > rival_reach(t, s, corner, seat)


@kernel
def settled_owner(t: Tables, s: Raw, corner: int) -> int:
    """The only seat that could still own the corner, or OPEN (x.4)."""
    base = base_of(corner)
    paths = 0
    for seat in range(SEATS):
        flood_stones(t, s, base, seat)
        paths += reach(t, s, corner, BY_STONES + base * SEATS + seat)
    if paths == 0:
        # Nobody has a path yet: whoever fills the board has one, so all could own the corner.
        return OPEN
    owner = OPEN
    for seat in range(SEATS):
        flood_filling(t, s, base, seat)
        if could_own(t, s, corner, seat):
            if owner != OPEN:
                return OPEN
            owner = seat
    return owner


@kernel
def find_paths(t: Tables, s: Raw, seat: int, place: int) -> None:
    """Note the corners around which the group of a stone leads from side to side."""
    row = BY_STONES
    for w in range(s.work.shape[1]):
        s.work[MASK, w] = s.stones[seat, w]
        s.work[row, w] = NONE
    bits.add(s.work[row], place)
    flood(t, s, row)
    for corner in range(CORNERS):
        on_base = on_side = NONE
        for w in range(s.work.shape[1]):
            on_base |= s.work[row, w] & t.base[base_of(corner), w]
            on_side |= s.work[row, w] & t.along[corner, w]
        s.paths |= np.uint8(NONE not in (on_base, on_side)) << corner


@kernel
def see_if_over(t: Tables, s: Raw) -> None:
    """Settle corners in order: settled ones stay so, and one open corner is enough to go on."""
    if s.paths != EVERYWHERE:  # a corner without any path is open
        return
    while s.settled < CORNERS:
        owner = settled_owner(t, s, bits.signed(s.settled))
        if owner == OPEN:
            return
        s.owner[s.settled] = owner
        s.settled += 1
    s.over = 1


@kernel
def put(s: Raw, seat: int, place: int) -> None:
    """Put a stone on an empty cell (x.2)."""
    bits.add(s.stones[seat], place)
    bits.remove(s.empty, place)


@implements(rules.play, NAME)
def play(t: Tables, s: Raw, action: int) -> None:
    seat, place = bits.signed(s.turn), bits.signed(t.place[action])
    put(s, seat, place)
    s.turn = (seat + 1) % SEATS
    if s.paths != EVERYWHERE:
        find_paths(t, s, seat, place)
    see_if_over(t, s)


@implements(rules.restore, NAME)
def restore(t: Tables, s: Raw) -> bool:
    for w in range(s.empty.shape[0]):
        s.empty[w] = t.board[w] & ~(s.stones[0, w] | s.stones[1, w] | s.stones[2, w])
    for cell in range(t.cells):
        for seat in range(SEATS):
            if bits.has(s.stones[seat], bits.signed(t.place[cell])):
                find_paths(t, s, seat, bits.signed(t.place[cell]))
    see_if_over(t, s)
    return True


@implements(rules.returns, NAME)
def returns(t: Tables, s: Raw, out: Returns) -> None:
    winner = winning_seat(s)
    for seat in range(SEATS):
        out[seat] = 1.0 if seat == winner else -0.5


@kernel
def corners_of(s: Raw, seat: int) -> int:
    """How many corners the seat owns."""
    n = 0
    for corner in range(CORNERS):
        n += s.owner[corner] == seat
    return n


@kernel
def winning_seat(s: Raw) -> int:
    """The seat with the maximum unique number of corners (x.5); there always is one (x.6)."""
    winner = 0
    most = -1
    for seat in range(SEATS):
        n = corners_of(s, seat)
        shared = n == corners_of(s, (seat + 1) % SEATS) or n == corners_of(s, (seat + 2) % SEATS)
        if n > most and not shared:
            winner = seat
            most = n
    return winner


@implements(rules.playout, NAME)
def playout(t: Tables, s: Raw, rng: Word, scratch: Actions) -> tuple[int, Word]:
    """Fill the board at random, then take stones back to where the game was over.

    A settled corner never changes its owner, so the full board tells the outcome, and being over
    is a matter of one moment in the order of play. Taking stones back only ever grows what a seat
    connects by filling, so those floods are carried along instead of being done again.
    """
    plies, turn, rng = fill_at_random(s, rng, scratch)
    settle_full_board(t, s)
    for i in range(2 * SEATS):  # filling adds nothing to the stones yet
        for w in range(s.work.shape[1]):
            s.work[BY_FILLING + i, w] = s.work[BY_STONES + i, w]
    while plies > 0:
        place = bits.signed(scratch[plies - 1])
        previous = SEATS - 1 if turn == 0 else turn - 1
        take_back(t, s, previous, place)
        if any_open(t, s):
            put(s, previous, place)
            break
        turn = previous
        plies -= 1
    s.turn = turn
    return plies, rng


@implements(rules.finish, NAME)
def finish(t: Tables, s: Raw, rng: Word, scratch: Actions) -> Word:
    rng = deal_at_random(s, rng)
    settle_full_board(t, s)
    return rng


@implements(rules.imagine, NAME)
def imagine(t: Tables, s: Raw, rng: Word, scratch: Actions) -> Word:
    """Random games; many of those that end as few games of players do are played again."""
    before = s.work[BY_FILLING]  # what was empty; nobody floods by filling here
    for w in range(s.empty.shape[0]):
        before[w] = s.empty[w]
    filled = 1.0 - bits.count_all(before) / t.cells
    for _ in range(MOST_TRIES):
        for w in range(s.empty.shape[0]):
            s.empty[w] = before[w]
            for seat in range(SEATS):
                s.stones[seat, w] &= ~before[w]
        rng = advance(finish(t, s, rng, scratch))
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


@kernel
def deal_at_random(s: Raw, rng: Word) -> Word:
    """Fill the board as turns at random would, without the order that they come in."""
    left = bits.count_all(s.empty)
    for step in range(SEATS):
        seat = (s.turn + step) % SEATS
        share = -(-left // (SEATS - step))  # whoever is earlier has the odd turn
        rng = choose(s.empty, share, s.work[MASK], rng)
        for w in range(s.empty.shape[0]):
            s.stones[seat, w] |= s.work[MASK, w]
            s.empty[w] ^= s.work[MASK, w]
        left -= share
    return rng


@kernel
def fill_at_random(s: Raw, rng: Word, order: Actions) -> tuple[int, int, Word]:
    """Play on every empty cell; returns the plies, the seat after the last, and the generator."""
    n = 0
    for w in range(s.empty.shape[0]):
        cells = s.empty[w]
        while cells != NONE:
            order[n] = w * WORD + bits.lowest(cells)
            cells &= cells - ONE
            n += 1
        s.empty[w] = NONE
    turn = bits.signed(s.turn)
    for i in range(n):
        rng = advance(rng)
        j = i + below(rng, n - i)
        place = order[j]
        order[j] = order[i]
        order[i] = place
        bits.add(s.stones[turn], bits.signed(place))
        turn = 0 if turn == SEATS - 1 else turn + 1
    return n, turn, rng


@kernel
def settle_full_board(t: Tables, s: Raw) -> None:
    """Find the owners of a full board: whose path reaches farthest (x.3)."""
    for base in range(2):
        for seat in range(SEATS):
            flood_stones(t, s, base, seat)
    for corner in range(CORNERS):
        farthest = 0
        for seat in range(SEATS):
            far = reach(t, s, corner, BY_STONES + base_of(corner) * SEATS + seat)
            if far > farthest:
                farthest = far
                s.owner[corner] = seat
    s.settled = CORNERS
    s.over = 1


@kernel
def take_back(t: Tables, s: Raw, seat: int, place: int) -> None:
    """Remove a stone and bring the floods up to date."""
    bits.remove(s.stones[seat], place)
    bits.add(s.empty, place)
    for base in range(2):
        row = BY_STONES + base * SEATS + seat
        if owns_on(s, base, seat) and bits.has(s.work[row], place):
            flood_stones(t, s, base, seat)
    for step in range(1, SEATS):
        other = (seat + step) % SEATS
        mask_filling(t, s, other)
        for base in range(2):
            row = BY_FILLING + base * SEATS + other
            if touches(t, s, base, row, place):
                bits.add(s.work[row], place)
                flood(t, s, row)


@kernel
def owns_on(s: Raw, base: int, seat: int) -> bool:
    """Whether the seat owns a corner on the base."""
    if base == 0:
        return s.owner[0] == seat or s.owner[3] == seat
    return s.owner[1] == seat or s.owner[2] == seat


@kernel
def touches(t: Tables, s: Raw, base: int, row: int, place: int) -> bool:
    """Whether a cell lies on the base or next to a flooded set."""
    if bits.has(t.base[base], place):
        return True
    for w in range(s.work.shape[1]):
        if s.work[row, w] & t.next_to[place, w] != NONE:
            return True
    return False


@kernel
def any_open(t: Tables, s: Raw) -> bool:
    """Whether a corner could still go to somebody else than its owner on the full board.

    That is so if another seat reaches farther by filling than the owner does by stones. The third
    seat's stones do not matter: where they reach farther than the owner's, the corner is open.
    """
    for corner in range(CORNERS):
        row = base_of(corner) * SEATS
        owned = reach(t, s, corner, BY_STONES + row + s.owner[corner])
        for step in range(1, SEATS):
            other = (s.owner[corner] + step) % SEATS
            if reach(t, s, corner, BY_FILLING + row + other) > owned:
                return True
    return False


@implements(rules.made, NAME)
def made(t: Tables, s: Raw, seat: int, out: Actions) -> int:
    n = bits.list_all(s.stones[seat], out)
    for i in range(n):
        out[i] = t.cell_at[out[i]]
    return n


@kernel
def see_corners(tables: Any, states: Any, owners: NDArray[np.int8]) -> None:
    """The owner of every settled corner of ``states[0]``, or OPEN."""
    for corner in range(CORNERS):
        owners[corner] = settled_owner(tables[0], states[0], corner)


class X(Game):
    """X with its size settled."""

    name = NAME
    title = "X"
    credit = "Designed by Mark Steere, August 2009; marksteeregames.com."
    summary = "Three seats fight for four corners: own the maximum unique number of them."
    seats = ("Red", "Yellow", "Green")
    seat_letters = "ryg"
    letters = "ryg"
    clauses = tuple(f"x.{n}" for n in range(1, 7))
    counting = "the paths that own corners"
    happening_table = (
        Happening("early end", "x.4", "all corners are settled while cells are empty"),
        Happening("4-0-0", "x.5", "one seat owns all corners"),
        Happening("3-1-0", "x.5", "the winner owns three corners"),
        Happening("2-1-1", "x.5", "the winner owns two corners, each other seat one"),
        Happening("2-2-0", "x.5", "two seats own two corners each, and the third wins"),
    )
    option_specs = (Option("size", 10, 2, 19, "hexes on each side of the rhombus"),)
    sizes = tuple({"size": n} for n in range(2, 20))

    # Whoever sees little ahead should not imagine that somebody else stops the leader.
    levels = (
        Level(5, 1.0, judges=False),
        Level(28, 0.8, judges=False),
        Level(55, 0.6, judges=False),
        Level(110, 0.45, judges=False),
        Level(220, 0.3, judges=False),
        Level(500, judges=False),
        Level(10_000),
    )

    @classmethod
    def set_up(cls, options: dict[str, int]) -> Setup:
        size = options["size"]
        board = rhombus(size)
        words = bits.words_for(size * (size + 1))
        return Setup(
            board=board,
            tables=build_tables(board, size, words),
            dtype=state_dtype(words),
            num_actions=len(board),
        )

    def write_action(self, s: Any, action: int) -> str:
        return self.board.names[action]

    def read_action(self, s: Any, text: str) -> int:
        return self.board.cell(text)

    def why_illegal(self, s: Any, action: int) -> str:
        seat = self.seat_letters.index(self.write_cells(s)[action])
        return f"{self.board.names[action]} already holds a {self.seats[seat].lower()} stone"

    def write_cells(self, s: Any) -> list[str]:
        cells = ["."] * len(self.board)
        for seat, letter in enumerate(self.letters):
            for place in bits.members(s["stones"][seat]):
                cells[self.tables["cell_at"][0][place]] = letter
        return cells

    def read_cells(self, cells: Sequence[str], extra: Sequence[str], s: Any) -> None:
        for seat, letter in enumerate(self.letters):
            places = [self.tables["place"][0][c] for c, at in enumerate(cells) if at == letter]
            s["stones"][seat] = bits.mask(map(int, places), s["stones"].shape[1])

    def piece(self, letter: str) -> Piece:
        return Piece(self.letters.index(letter), "stone", letter)

    def score(self, s: Any) -> tuple[int, ...]:
        return tuple(s["owner"].tolist().count(seat) for seat in range(SEATS))

    def standing(self, state: State) -> Overlay:
        """Who owns each corner as it stands, by which path, and whether that is settled."""
        settled = np.empty(CORNERS, np.int8)
        see_corners(self.tables, np.array([state.raw]), settled)
        chains = [
            (seat, group)
            for seat in range(SEATS)
            for group in groups(
                self.board, [c for c, piece in state.scene().pieces.items() if piece.seat == seat]
            )
        ]
        total, words = Overlay(), []
        tally = [0] * SEATS
        for corner, name in enumerate(CORNER_NAMES):
            seat, line = self._outermost_path(chains, corner)
            if seat == OPEN:
                continue
            final = int(settled[corner]) != OPEN
            tally[seat] += 1
            total += Overlay(
                marks=tuple(Mark(cell, COUNTS, seat) for cell in line),
                lines=(Line(line, seat),),
                flags=(Flag(self._corner_cell(corner), seat, final),),
            )
            words.append(f"{self.seats[seat]} {'owns' if final else 'is ahead in'} the {name}")
        return total + Overlay(tally=tuple(tally), words=tuple(words))

    def happenings(self, before: State, action: int, after: State) -> tuple[str, ...]:
        if not after.is_over:
            return ()
        score = "-".join(map(str, sorted(self.score(after.raw), reverse=True)))
        return ("early end", score) if after.raw["empty"].any() else (score,)

    def _corner_cell(self, corner: int) -> int:
        last = self.options["size"] - 1
        return self.board.cell_at[((0, 0), (last, 0), (last, last), (0, last))[corner]]

    def _outermost_path(
        self, chains: Sequence[tuple[int, set[int]]], corner: int
    ) -> tuple[int, tuple[int, ...]]:
        """Whose path around a corner is the outermost, and its cells; OPEN where there is none."""
        points = self.board.points
        letter, number = points[self._corner_cell(corner)]
        best: tuple[int, int, tuple[int, ...]] = (0, OPEN, ())
        for seat, group in chains:
            # How far from the corner the group touches each of its sides.
            along = {c: abs(points[c][1] - number) for c in group if points[c][0] == letter}
            across = {c: abs(points[c][0] - letter) for c in group if points[c][1] == number}
            if not along or not across:
                continue
            ends = [[max(along, key=along.__getitem__)], [max(across, key=across.__getitem__)]]
            farthest = max(across.values()) + 1
            if farthest > best[0]:
                best = farthest, seat, joining_lines(self.board, group, ends)[0]
        return best[1], best[2]

    def explain(self, s: Any, returns: tuple[float, ...]) -> str:
        winner = returns.index(max(returns))
        score = self.score(s)
        own = score[winner]
        others = sorted((n for seat, n in enumerate(score) if seat != winner), reverse=True)
        return f"{self.seats[winner]} wins {own}-{others[0]}-{others[1]}"
