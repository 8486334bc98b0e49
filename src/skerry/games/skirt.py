"""Skirt: Kanare Kato's connection game, played from the rim inwards.

skirt.1  The board is a regular hexagon, ``side`` per side. Its outermost ring is the outer area, in
         six sides with each corner on two; the rest is the inner area.
skirt.2  White's first turn is one piece on any outer hex.
skirt.3  Every later turn: place on an empty outer hex and then on an inner hex reachable from that
         piece; or place only on an inner hex reachable from an own outer piece on the board.
skirt.4  Reachable are the empty inner hexes on a straight line from the outer piece up to the first
         piece. If the very first hex is taken, the unbroken run of pieces that starts there is
         jumped, once.
skirt.5  Where nothing is reachable from the outer piece just placed, the turn ends with it.
skirt.6  Nobody may pass while a placement is possible; a seat without one passes, and two passes in
         a row end the game as a draw.
skirt.7  Whoever connects two opposite sides or three alternate sides wins at once, also with the
         first of two placements.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.board import (
    OFF_BOARD,
    Board,
    Symmetry,
    groups,
    hexagon,
    hexagon_sides,
    joining_lines,
)
from skerry.core import bits, rules
from skerry.core.bits import NONE, ONE, WORD, Word
from skerry.core.errors import PositionError, shorten
from skerry.core.game import PASS, Game, Happening, Level, Setup, State
from skerry.core.kernels import implements, kernel, tables
from skerry.core.options import Option
from skerry.core.random import advance, below
from skerry.core.rules import Actions, Codes, Marks, Raw, Returns, Tables
from skerry.core.scene import (
    COUNTS,
    PASSED,
    SELECTED,
    TARGET,
    Line,
    Mark,
    Overlay,
    Piece,
    Side,
)

NAME = "skirt"
AXES = 3  # lines run along e, ne and nw; their low end is where that direction starts
LOW, HIGH = 0, 1  # ends of a line
SIDES = 6
ALL_SIDES = (1 << SIDES) - 1
# In the order of ``hexagon_sides``: against the clock from the bottom.
SIDE_NAMES = ("bottom", "lower right", "upper right", "top", "upper left", "lower left")
GOALS = ((0, 3), (1, 4), (2, 5), (0, 2, 4), (1, 3, 5))  # sides that win, if one chain joins them
NOBODY = -1
NO_CELL = -1
HALF = np.uint64(0xFFFFFFFF)  # of a word
PENDING_CODE = 3  # in place of the piece's own, which is of the seat to move
# A random cell is tried so often before the legal ones are counted.
TRIES = 16


def line_capacity(words: int) -> int:
    """The number of lines along one axis on the largest board of this many words."""
    side = 2
    while 3 * side * (side + 1) + 1 <= words * WORD:
        side += 1
    return 2 * side - 1


def deciding_sides(sides: Sequence[int]) -> tuple[int, ...]:
    """Of the sides that a chain joins those that win: two opposite or three alternate (skirt.7)."""
    return next((goal for goal in GOALS if set(goal) <= set(sides)), ())


def sides_in(touched: int) -> list[int]:
    """The sides of a set that is kept as bits."""
    return [side for side in range(SIDES) if touched >> side & 1]


def build_tables(board: Board, words: int) -> NDArray[np.void]:
    """Geometry of one board (skirt.1), padded to the capacity of its words.

    Only the inner cells of a line are numbered: position 0 is next to the low end.
    """
    capacity, lines = words * WORD, line_capacity(words)
    next_to = np.zeros((capacity, words), np.uint64)
    touching = np.zeros(capacity, np.uint8)
    for cell in range(len(board)):
        next_to[cell] = bits.mask(board.adjacent(cell), words)
    for number, side in enumerate(hexagon_sides(board)):
        touching[list(side)] |= 1 << number

    line_of = np.zeros((capacity, AXES), np.uint8)
    position = np.zeros((capacity, AXES), np.uint8)
    length = np.zeros(AXES * lines, np.uint8)
    end = np.full((AXES * lines, 2), NO_CELL, np.int16)
    cell_at = np.zeros((AXES * lines, lines), np.int16)
    before = np.zeros((AXES * lines, lines + 1, words), np.uint64)
    inward = np.full((capacity, 2), NO_CELL, np.int16)
    for axis in range(AXES):
        backwards = board.neighbours[:, axis + AXES]
        firsts = np.flatnonzero(backwards == OFF_BOARD).tolist()
        for line, first in enumerate(firsts, start=axis * lines):
            cells = [first, *board.ray(first, axis)]
            line_of[cells, axis] = line
            inner = [cell for cell in cells if not touching[cell]]
            length[line] = len(inner)
            for place, cell in enumerate(inner):
                position[cell, axis] = place
                cell_at[line, place] = cell
                before[line, place + 1] = bits.mask(inner[: place + 1], words)
            if inner:
                end[line] = cells[0], cells[-1]
                for which, outer in ((LOW, cells[0]), (HIGH, cells[-1])):
                    slot = 0 if inward[outer, 0] == NO_CELL else 1
                    inward[outer, slot] = line * 2 + which
    return tables(
        NAME,
        next_to=next_to,  # [cells, words] the cells around a cell
        touching=touching,  # [cells] bit per side that the cell lies on
        outer=bits.mask(np.flatnonzero(touching).tolist(), words),
        board=bits.mask(range(len(board)), words),
        line_of=line_of,  # [cells, axes]
        position=position,  # [cells, axes] of inner cells
        length=length,  # [lines] number of inner cells
        end=end,  # [lines, 2] outer cells at both ends
        cell_at=cell_at,  # [lines, positions]
        before=before,  # [lines, positions + 1, words] the cells before a position
        inward=inward,  # [cells, 2] ways from an outer cell: line * 2 + end, or NO_CELL
        wins=np.array([bool(deciding_sides(sides_in(n))) for n in range(ALL_SIDES + 1)], np.uint8),
        root=np.uint16(1 << (8 * link_type(words).itemsize - 1)),
        cells=np.int16(len(board)),
    )


def link_type(words: int) -> np.dtype[Any]:
    """The smallest number for a cell and one bit more. Small records make large batches fast."""
    return np.dtype(np.uint8 if words * WORD <= 128 else np.uint16)


def state_dtype(words: int) -> np.dtype[np.void]:
    """The record of a Skirt position; ``link`` is the groups' union-find.

    Of a group one piece is the root. A root's link is ``Tables.root`` plus the sides that the group
    touches, and all other links lead towards it.
    """
    lines = line_capacity(words)
    return np.dtype(
        [
            ("stones", np.uint64, (2, words)),
            ("empty", np.uint64, (words,)),
            ("line", np.uint16 if lines <= 16 else np.uint32, (AXES * lines,)),  # of inner cells
            ("link", link_type(words), (words * WORD,)),
            ("placed", np.int16),
            ("pending", np.int16),  # outer piece whose inner placement is due, or NO_CELL
            ("passes", np.uint8),
            ("winner", np.int8),
            ("turn", np.uint8),
            ("over", np.uint8),
            ("work", np.uint64, (words,)),  # scratch space
        ],
        align=True,
    )


@implements(rules.reset, NAME)
def reset(t: Tables, s: Raw, rng: Word) -> Word:
    s.pending = NO_CELL
    s.winner = NOBODY
    for w in range(s.empty.shape[0]):
        s.empty[w] = t.board[w]
    return rng


@kernel
def find_root(t: Tables, s: Raw, cell: int) -> int:
    """The representative of a cell's group; halves the path on the way."""
    link = s.link[cell]
    while link < t.root:
        parent = bits.signed(link)
        link = s.link[parent]
        if link >= t.root:
            return parent
        s.link[cell] = link
        cell = bits.signed(link)
        link = s.link[cell]
    return cell


@kernel
def put(t: Tables, s: Raw, seat: int, cell: int) -> None:
    """Put a piece on a cell, as a group of its own."""
    bits.add(s.stones[seat], cell)
    bits.remove(s.empty, cell)
    if t.touching[cell] == 0:
        for axis in range(AXES):
            s.line[t.line_of[cell, axis]] |= 1 << t.position[cell, axis]
    s.link[cell] = t.root | t.touching[cell]
    s.placed += 1


@kernel
def join(t: Tables, s: Raw, seat: int, cell: int) -> None:
    """Join a piece to the groups around it and end the game if that wins (skirt.7)."""
    root = find_root(t, s, cell)
    link = s.link[root]
    for w in range(s.stones.shape[1]):
        friends = s.stones[seat, w] & t.next_to[cell, w]
        while friends != NONE:
            other = find_root(t, s, w * WORD + bits.lowest(friends))
            friends &= friends - ONE
            if other != root:
                s.link[root] = other
                link |= s.link[other]
                root = other
    s.link[root] = link
    if t.wins[link & ALL_SIDES] != 0:
        s.over = 1
        s.winner = seat


@kernel
def free_on(t: Tables, s: Raw, way: int) -> tuple[int, int]:
    """The positions reachable from one end of a line, as (first, number) (skirt.4).

    Counted from that end, the run of pieces that starts at once is jumped (it may be empty), and
    then every empty cell up to the next piece is free.
    """
    line = way >> 1
    length = bits.signed(t.length[line])
    pieces = bits.unsigned(s.line[line])
    if way & 1 == LOW:
        jumped = bits.lowest(~pieces)
        beyond = bits.lowest(pieces >> bits.unsigned(jumped))
    else:
        pieces <<= bits.unsigned(WORD - length)
        jumped = bits.leading(~pieces)
        beyond = bits.leading(pieces << bits.unsigned(jumped))
    number = min(beyond, length - jumped)
    return (jumped if way & 1 == LOW else length - jumped - number), number


@kernel
def count_free(t: Tables, s: Raw, outer: int) -> int:
    """How many inner cells are reachable from an outer cell."""
    total = 0
    for slot in range(2):
        way = bits.signed(t.inward[outer, slot])
        if way != NO_CELL:
            total += free_on(t, s, way)[1]
    return total


@kernel
def nth_free(t: Tables, s: Raw, outer: int, n: int) -> int:
    """One of the inner cells reachable from an outer cell; NO_CELL beyond the last."""
    for slot in range(2):
        way = bits.signed(t.inward[outer, slot])
        if way != NO_CELL:
            first, number = free_on(t, s, way)
            if n < number:
                return bits.signed(t.cell_at[way >> 1, first + n])
            n -= number
    return NO_CELL


@kernel
def reachable(t: Tables, s: Raw, seat: int, cell: int) -> bool:
    """Whether a line from an own outer piece reaches an empty inner cell (skirt.3, skirt.4).

    Seen from the end of the line, what lies before the cell must be pieces and then empty cells:
    as a number, all ones below all zeros.
    """
    for axis in range(AXES):
        line = bits.signed(t.line_of[cell, axis])
        position = bits.unsigned(t.position[cell, axis])
        pieces = bits.unsigned(s.line[line])
        if bits.has(s.stones[seat], bits.signed(t.end[line, LOW])):
            before = pieces & ((ONE << position) - ONE)
            if before & (before + ONE) == NONE:
                return True
        if bits.has(s.stones[seat], bits.signed(t.end[line, HIGH])):
            whole = (ONE << bits.unsigned(t.length[line])) - ONE
            gaps = (~pieces & whole) >> (position + ONE)
            if gaps & (gaps + ONE) == NONE:
                return True
    return False


@kernel
def may_place(t: Tables, s: Raw, seat: int, cell: int) -> bool:
    """Whether a seat whose turn begins may place on an empty cell (skirt.2, skirt.3)."""
    return t.touching[cell] != 0 or reachable(t, s, seat, cell)


@kernel
def count_places(t: Tables, s: Raw, seat: int) -> int:
    """On how many empty cells a seat whose turn begins may place."""
    total = 0
    for n in range(bits.count_all(s.empty)):
        total += may_place(t, s, seat, bits.nth_of_all(s.empty, n))
    return total


@kernel
def add_free(t: Tables, s: Raw, outer: int) -> None:
    """Add the inner cells reachable from an outer cell to the record's scratch space."""
    for slot in range(2):
        way = bits.signed(t.inward[outer, slot])
        if way != NO_CELL:
            first, number = free_on(t, s, way)
            for w in range(s.work.shape[0]):
                s.work[w] |= t.before[way >> 1, first, w] ^ t.before[way >> 1, first + number, w]


@kernel
def find_places(t: Tables, s: Raw) -> None:
    """Collect where the seat to move may place in the record's scratch space."""
    for w in range(s.work.shape[0]):
        s.work[w] = NONE
    if s.pending != NO_CELL:
        add_free(t, s, bits.signed(s.pending))
        return
    for w in range(s.work.shape[0]):
        pieces = s.stones[s.turn, w] & t.outer[w]
        while pieces != NONE:
            add_free(t, s, w * WORD + bits.lowest(pieces))
            pieces &= pieces - ONE
    for w in range(s.work.shape[0]):
        s.work[w] |= s.empty[w] & t.outer[w]  # skirt.2, skirt.3


@implements(rules.legal, NAME)
def legal(t: Tables, s: Raw, out: Actions) -> int:
    find_places(t, s)
    n = bits.list_all(s.work, out)
    if n == 0:  # skirt.6
        out[0] = t.cells
        n = 1
    return n


@implements(rules.mark, NAME)
def mark(t: Tables, s: Raw, marks: Marks, scratch: Actions) -> None:
    find_places(t, s)
    stuck = True
    for w in range(s.work.shape[0]):
        for half in range(2):
            part = (s.work[w] >> np.uint64(32 * half)) & HALF
            if part != NONE:
                bits.put_marks(marks, w * WORD + 32 * half, part)
                stuck = False
    if stuck:  # skirt.6
        bits.put_marks(marks, bits.signed(t.cells), ONE)


@implements(rules.play, NAME)
def play(t: Tables, s: Raw, action: int) -> None:
    seat = bits.signed(s.turn)
    if action == t.cells:
        s.passes += 1
        if s.passes == 2:  # skirt.6
            s.over = 1
    else:
        opening = s.placed == 0
        put(t, s, seat, action)
        join(t, s, seat, action)
        s.passes = 0
        # skirt.5: the turn goes on only if it began on the rim and something is reachable.
        rim = t.touching[action] != 0 and not opening
        if rim and s.over == 0 and count_free(t, s, action) > 0:
            s.pending = action
            return
    s.pending = NO_CELL
    s.turn = 1 - seat


@implements(rules.restore, NAME)
def restore(t: Tables, s: Raw) -> bool:
    s.winner = NOBODY
    for w in range(s.empty.shape[0]):
        s.empty[w] = t.board[w]
    for cell in range(t.cells):
        for seat in range(2):
            if bits.has(s.stones[seat], cell):
                put(t, s, seat, cell)
    winners = 0
    for seat in range(2):
        s.over = 0
        for cell in range(t.cells):
            if bits.has(s.stones[seat], cell):
                join(t, s, seat, cell)
        winners += s.over
    s.over = winners > 0 or s.passes == 2
    # skirt.6: the last to pass could not place.
    if s.passes == 2 and count_places(t, s, 1 - bits.signed(s.turn)) > 0:
        return False
    if s.pending == NO_CELL:
        return winners < 2
    # skirt.5: a second placement is due only where there is one.
    due = s.over == 0 and s.passes == 0
    return due and count_free(t, s, bits.signed(s.pending)) > 0


@implements(rules.returns, NAME)
def returns(t: Tables, s: Raw, out: Returns) -> None:
    rules.share_win(s.winner, out)


@implements(rules.identify, NAME)
def identify(t: Tables, s: Raw, cells: Codes) -> int:
    for seat in range(2):
        bits.write_code(s.stones[seat], 1 + seat, cells)
    if s.pending != NO_CELL:
        cells[s.pending] = PENDING_CODE
    return bits.signed(s.passes) * 2 + bits.signed(s.turn)


@implements(rules.sample, NAME)
def sample(t: Tables, s: Raw, rng: Word) -> tuple[int, Word]:
    rng = advance(rng)
    if s.pending != NO_CELL:
        outer = bits.signed(s.pending)
        return nth_free(t, s, outer, below(rng, count_free(t, s, outer))), rng
    seat = bits.signed(s.turn)
    # An empty cell drawn at random and drawn again if illegal is uniform over the legal ones.
    empties = bits.signed(t.cells - s.placed)
    for _ in range(TRIES):
        if empties == 0:
            break
        cell = bits.nth_of_all(s.empty, below(rng, empties))
        if may_place(t, s, seat, cell):
            return cell, rng
        rng = advance(rng)
    # Few or none are legal: count them, then take one.
    total = count_places(t, s, seat)
    if total == 0:
        return bits.signed(t.cells), rng
    left = below(rng, total)
    for n in range(empties):
        cell = bits.nth_of_all(s.empty, n)
        if may_place(t, s, seat, cell):
            if left == 0:
                return cell, rng
            left -= 1
    return bits.signed(t.cells), rng


@implements(rules.made, NAME)
def made(t: Tables, s: Raw, seat: int, out: Actions) -> int:
    return bits.list_all(s.stones[seat], out)


@kernel
def list_reach(tables: Any, states: Any, outer: int, out: Actions) -> int:
    """The inner cells that are reachable from an outer cell in ``states[0]``."""
    s = states[0]
    for w in range(s.work.shape[0]):
        s.work[w] = NONE
    add_free(tables[0], s, outer)
    return bits.list_all(s.work, out)


class Skirt(Game):
    """Skirt with its size settled."""

    name = NAME
    title = "Skirt"
    credit = "Designed by Kanare Kato."
    summary = "Start on the rim, shoot inwards, and connect opposite or three alternate sides."
    seats = ("White", "Black")
    seat_letters = "wb"
    letters = "wb"
    clauses = tuple(f"skirt.{n}" for n in range(1, 8))
    counting = "the winning chain"
    happening_table = (
        Happening("rim and inner", "skirt.3", "a turn of two pieces, on the rim and inside"),
        Happening("inner only", "skirt.3", "a turn that skips the rim"),
        Happening("jump", "skirt.4", "an inner hex that is reached only by jumping pieces"),
        Happening("rim only", "skirt.5", "nothing can be reached, so the turn ends on the rim"),
        Happening("pass", "skirt.6", "a seat cannot place and passes"),
        Happening("draw", "skirt.6", "neither seat can place"),
        Happening("opposite sides", "skirt.7", "two opposite sides are connected and win"),
        Happening("alternate sides", "skirt.7", "three alternate sides are connected and win"),
        Happening("win on the rim", "skirt.7", "the first of two placements wins at once"),
    )
    option_specs = (Option("side", 6, 2, 12, "hexes on each side of the hexagon"),)
    sizes = tuple({"side": n} for n in range(2, 13))
    impossible = "both seats have won, or a pass or a second placement does not fit the board"
    num_codes = PENDING_CODE + 1
    turns_of_several_actions = True

    levels = (
        Level(4, 1.0),
        Level(26, 0.9),
        Level(57, 0.67),
        Level(112, 0.53),
        Level(220, 0.37),
        Level(470, 0.22),
        Level(1_500),
    )

    @classmethod
    def set_up(cls, options: dict[str, int]) -> Setup:
        board = hexagon(options["side"])
        words = bits.words_for(len(board))
        return Setup(
            board=board,
            tables=build_tables(board, words),
            dtype=state_dtype(words),
            num_actions=len(board) + 1,
        )

    def write_action(self, s: Any, action: int) -> str:
        return PASS if action == len(self.board) else self.board.names[action]

    def read_action(self, s: Any, text: str) -> int:
        return len(self.board) if text == PASS else self.board.cell(text)

    def why_illegal(self, s: Any, action: int) -> str:
        if action == len(self.board):
            return "you cannot pass while you can place a piece"
        name = self.board.names[action]
        cells = self.write_cells(s)
        if cells[action] != ".":
            owner = self.seats[self.letters.index(cells[action])]
            return f"{name} already holds a {owner.lower()} piece"
        pending = int(s["pending"])
        if pending == NO_CELL and s["placed"] == 0:
            return f"the first piece goes on an outer hex, and {name} is an inner one"
        if pending == NO_CELL:
            return f"no line from your outer pieces reaches {name}"
        if self.tables["touching"][0][action]:
            return f"your second piece goes on an inner hex, and {name} is an outer one"
        return f"no line from {self.board.names[pending]}, just placed, reaches {name}"

    def write_cells(self, s: Any) -> list[str]:
        cells = ["."] * len(self.board)
        for seat, letter in enumerate(self.letters):
            for cell in bits.members(s["stones"][seat]):
                cells[cell] = letter
        return cells

    def write_extra(self, s: Any) -> list[str]:
        pending = int(s["pending"])
        return ["-" if pending == NO_CELL else self.board.names[pending], str(s["passes"])]

    def read_cells(self, cells: Sequence[str], extra: Sequence[str], s: Any) -> None:
        for seat, letter in enumerate(self.letters):
            pieces = [cell for cell, found in enumerate(cells) if found == letter]
            s["stones"][seat] = bits.mask(pieces, s["stones"].shape[1])
        turn = self.letters[s["turn"]]
        if not any(cell != "." for cell in cells) and turn != self.letters[0]:
            raise PositionError("on an empty board it is White's turn")
        s["pending"] = self._read_pending(extra[0], cells, turn)
        if extra[1] not in ("0", "1", "2"):
            raise PositionError(f"{shorten(extra[1])} is no number of passes: use 0, 1 or 2")
        s["passes"] = int(extra[1])

    def _read_pending(self, text: str, cells: Sequence[str], turn: str) -> int:
        if text == "-":
            return NO_CELL
        cell = self.board.index.get(text, NO_CELL)
        if cell == NO_CELL or not self.tables["touching"][0][cell] or cells[cell] != turn:
            raise PositionError(f"{shorten(text)} is no outer piece of the seat to move")
        return cell

    def map_extra(self, extra: Sequence[str], symmetry: Symmetry) -> list[str]:
        pending, passes = extra
        if pending != "-":
            pending = self.board.names[symmetry.cells[self.board.cell(pending)]]
        return [pending, passes]

    def piece(self, letter: str) -> Piece:
        return Piece(self.letters.index(letter), "stone", letter)

    @property
    def zones(self) -> dict[int, str]:
        return {int(cell): "outer" for cell in np.flatnonzero(self.tables["touching"][0])}

    def standing(self, state: State) -> Overlay:
        """Of each seat the chain that joins most sides; of the winner the sides that it joins."""
        sides = hexagon_sides(self.board)
        total = Overlay()
        for seat, name in enumerate(self.seats):
            if state.outcome is not None and state.outcome.winner not in (seat, None):
                continue
            chain, joined = self._widest_chain(state, seat)
            if state.outcome is not None:
                joined = list(deciding_sides(joined))
            # Sides that meet in a corner are no step towards a win.
            if not any(2 <= b - a <= SIDES - 2 for a in joined for b in joined):
                continue
            lines = joining_lines(self.board, chain, [sides[side] for side in joined])
            ways = ", ".join(SIDE_NAMES[side] for side in joined)
            total += Overlay(
                marks=tuple(Mark(cell, COUNTS, seat) for cell in sorted(set().union(*lines))),
                lines=tuple(Line(line, seat) for line in lines),
                sides=tuple(Side(sides[side][0], sides[side][-1], seat) for side in joined),
                words=(f"{name} joins {ways}",),
            )
        return total

    def happenings(self, before: State, action: int, after: State) -> tuple[str, ...]:
        if action == len(self.board):
            return ("pass",) if after.outcome is None else ("pass", "draw")
        found = []
        outer, pending = self.zones, int(before.raw["pending"])
        if action not in outer:
            found.append("inner only" if pending == NO_CELL else "rim and inner")
            if self._is_jump(before, action):
                found.append("jump")
        elif after.outcome is None and before.to_move != after.to_move and before.scene().pieces:
            found.append("rim only")
        if after.outcome is not None:
            _, joined = self._widest_chain(after, int(after.raw["winner"]))
            two = len(deciding_sides(joined)) == 2
            found.append("opposite sides" if two else "alternate sides")
            if action in outer:
                found.append("win on the rim")
        return tuple(found)

    def _is_jump(self, before: State, action: int) -> bool:
        """Whether no clear line leads to an inner hex from where the seat may start."""
        cells, pending = self.write_cells(before.raw), int(before.raw["pending"])
        own, outer = self.letters[before.raw["turn"]], self.zones
        for direction in range(SIDES):
            line = list(self.board.ray(action, direction))
            start, between = line[-1], line[:-1]
            starts = cells[start] == own and start in outer and pending in (NO_CELL, start)
            if starts and all(cells[cell] == "." for cell in between):
                return False
        return True

    def _widest_chain(self, state: State, seat: int) -> tuple[set[int], list[int]]:
        """The chain of a seat that touches most sides, and those sides."""
        sides = hexagon_sides(self.board)
        chains = [
            (chain, [number for number, side in enumerate(sides) if chain.intersection(side)])
            for chain in groups(self.board, bits.members(state.raw["stones"][seat]))
        ]
        won = [found for found in chains if deciding_sides(found[1])]
        return max(won or chains, key=lambda found: len(found[1]), default=(set(), []))

    def focus(self, state: State, cell: int) -> Overlay:
        """From an outer hex the inner ones in reach, and what is jumped on the way (skirt.4)."""
        if not self.tables["touching"][0][cell]:
            return super().focus(state, cell)
        out = np.empty(self.num_actions, np.int32)
        count = list_reach(self.tables, np.array([state.raw]), cell, out)
        reach = set(out[:count].tolist())
        occupied = state.scene().pieces
        jumped = set()
        for direction in range(SIDES):
            line = list(self.board.ray(cell, direction))
            ends = [place for place, found in enumerate(line) if found in reach]
            jumped |= {found for found in line[: max(ends, default=0)] if found in occupied}
        marks = [Mark(cell, SELECTED), *(Mark(c, TARGET) for c in sorted(reach))]
        marks += [Mark(c, PASSED) for c in sorted(jumped)]
        word = f"{self.board.names[cell]} reaches {count} inner hex{'' if count == 1 else 'es'}"
        return Overlay(marks=tuple(marks), words=(word,))

    def explain(self, s: Any, returns: tuple[float, ...]) -> str:
        winner = int(s["winner"])
        if winner == NOBODY:
            return "draw: neither seat can place"
        links = s["link"][sorted(bits.members(s["stones"][winner]))]
        roots = links[links >= self.tables["root"][0]] & ALL_SIDES
        opposite = any(len(deciding_sides(sides_in(sides))) == 2 for sides in roots.tolist())
        what = "two opposite sides" if opposite else "three alternate sides"
        return f"{self.seats[winner]} connects {what} and wins"
