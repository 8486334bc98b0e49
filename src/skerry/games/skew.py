"""Skew: pegs lean, and the lean spreads.

skew.1  The board is a regular hexagon of holes, ``side`` per side, with a black peg in the centre.
skew.2  Each seat has ``pegs`` pegs; seat 0 starts and the seats alternate.
skew.3  Place a peg in an empty hole next to the black peg or next to an opponent's peg.
skew.4  Lean it in any of the six directions, wherever that points.
skew.5  The lean spreads down the line: every peg beyond takes it on, through the black peg, up to
        an empty hole, the edge, or a peg that leans this way already.
skew.6  The game ends when all pegs are placed. A seat that cannot place passes; when neither can,
        the game ends.
skew.7  A peg next to the black peg that leans straight at it scores, and so does every peg that
        leans straight at a scoring peg. Each seat counts its own; more wins.
skew.8  On a tie the pegs next to the black peg that do not score are leaned at it, and all is
        counted again. Still equal is a draw.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.board import OFF_BOARD, Board, Symmetry, hexagon
from skerry.core import bits, rules
from skerry.core.bits import ALL, NONE, ONE, WORD, Word
from skerry.core.errors import InvalidMove, PositionError, shorten
from skerry.core.game import PASS, Game, Happening, Setup, State
from skerry.core.kernels import implements, kernel, tables
from skerry.core.options import Option
from skerry.core.random import advance, below
from skerry.core.rules import Actions, Codes, Marks, Raw, Returns, Tables
from skerry.core.scene import COUNTS, PASSED, SELECTED, Line, Mark, Overlay, Piece

NAME = "skew"
DIRECTIONS = 6
SIX = np.uint64(DIRECTIONS)
UPWARDS = 3  # directions below this one lead to higher cell numbers
PLANES = 3  # bits of a direction
OPEN, SCORING, RELEASED, FRONTIER = range(4)  # sets in the scratch space
NOBODY = -1
ALL_LEANS = np.uint64((1 << DIRECTIONS) - 1)

# Lean letters lie around S on a keyboard as the directions e ne nw w sw se lie around a hole.
LEAN_LETTERS = ("DEWAZX", "dewazx")
BLACK_PEG = "*"


def build_tables(board: Board, words: int, pegs: int) -> NDArray[np.void]:
    """Geometry and options of one Skew board (skew.1), padded to the capacity of its words."""
    capacity = words * WORD
    centre = len(board) // 2
    next_to = np.zeros((capacity, words), np.uint64)
    behind = np.zeros((capacity, DIRECTIONS, words), np.uint64)
    ray = np.zeros((capacity, DIRECTIONS, words), np.uint64)
    for hole in range(len(board)):
        next_to[hole] = bits.mask(board.adjacent(hole), words)
        for direction in range(DIRECTIONS):
            ray[hole, direction] = bits.mask(board.ray(hole, direction), words)
            ahead = board.neighbours[hole, direction]
            if ahead != OFF_BOARD:
                behind[ahead, direction] = bits.mask([hole], words)
    return tables(
        NAME,
        next_to=next_to,  # the holes around a hole
        behind=behind,  # the hole from which a peg leans at a hole, by direction
        ray=ray,  # the holes beyond a hole in a direction
        holes=bits.mask((hole for hole in range(len(board)) if hole != centre), words),
        centre=np.int16(centre),
        pass_action=np.int32(len(board) * DIRECTIONS),
        pegs=np.int16(pegs),
    )


def state_dtype(words: int) -> np.dtype[np.void]:
    """The record of a Skew position; ``lean`` holds the bits of each peg's direction."""
    return np.dtype(
        [
            ("pegs", np.uint64, (2, words)),  # the holes of each seat's pegs
            ("lean", np.uint64, (PLANES, words)),
            ("near", np.uint64, (2, words)),  # holes next to the black peg or a peg of the seat
            ("left", np.int16, (2,)),  # pegs not yet placed
            ("turn", np.uint8),
            ("over", np.uint8),
            ("work", np.uint64, (4, words)),  # scratch space
        ],
        align=True,
    )


@implements(rules.reset, NAME)
def reset(t: Tables, s: Raw, rng: Word) -> Word:
    for seat in range(2):
        s.left[seat] = t.pegs  # skew.2
        for w in range(s.near.shape[1]):
            s.near[seat, w] = t.next_to[t.centre, w]
    return rng


@kernel
def open_holes(t: Tables, s: Raw, seat: int, w: int) -> Word:
    """Word ``w`` of the holes where the seat may place (skew.3)."""
    return t.holes[w] & ~(s.pegs[0, w] | s.pegs[1, w]) & s.near[seat ^ ONE, w]


@implements(rules.legal, NAME)
def legal(t: Tables, s: Raw, out: Actions) -> int:
    n = 0
    if s.left[s.turn] > 0:
        for w in range(s.near.shape[1]):
            holes = open_holes(t, s, bits.unsigned(s.turn), w)
            while holes != NONE:
                hole = w * WORD + bits.lowest(holes)
                holes &= holes - ONE
                for direction in range(DIRECTIONS):  # skew.4
                    out[n] = hole * DIRECTIONS + direction
                    n += 1
    if n == 0:  # skew.6
        out[0] = t.pass_action
        n = 1
    return n


@implements(rules.mark, NAME)
def mark(t: Tables, s: Raw, marks: Marks, scratch: Actions) -> None:
    stuck = True
    if s.left[s.turn] > 0:
        for w in range(s.near.shape[1]):
            holes = open_holes(t, s, bits.unsigned(s.turn), w)
            while holes != NONE:
                hole = w * WORD + bits.lowest(holes)
                holes &= holes - ONE
                bits.put_marks(marks, hole * DIRECTIONS, ALL_LEANS)  # skew.4
                stuck = False
    if stuck:  # skew.6
        bits.put_marks(marks, bits.signed(t.pass_action), ONE)


@kernel
def leaning(s: Raw, direction: int, w: int) -> Word:
    """Word ``w`` of the pegs that lean in a direction."""
    same = s.pegs[0, w] | s.pegs[1, w]
    for plane in range(PLANES):
        wanted = NONE - bits.unsigned((direction >> plane) & 1)
        same &= ~(s.lean[plane, w] ^ wanted)
    return same


@kernel
def set_lean(s: Raw, direction: int, w: int, pegs: Word) -> None:
    """Lean these pegs of word ``w``."""
    for plane in range(PLANES):
        wanted = NONE - bits.unsigned((direction >> plane) & 1)
        s.lean[plane, w] = (s.lean[plane, w] & ~pegs) | (pegs & wanted)


@kernel
def spread(t: Tables, s: Raw, hole: int, direction: int) -> None:
    """Carry a lean down the line (skew.5).

    What ends the walk is an empty hole or a peg that leans this way already; the first such hole
    on the ray is its lowest or its highest bit, depending on where the direction leads.
    """
    words = len(t.holes)
    for i in range(s.lean.shape[1]):
        w = i if direction < UPWARDS else words - 1 - i
        ray = t.ray[hole, direction, w]
        pegs = s.pegs[0, w] | s.pegs[1, w]
        # The black peg is the one hole of the ray that is neither a peg nor an end.
        ends = ray & ((t.holes[w] & ~pegs) | leaning(s, direction, w))
        if direction < UPWARDS:
            reached = (ends & (~ends + ONE)) - ONE
        else:
            reached = ~(ALL >> bits.unsigned(bits.leading(ends)))
        if ends == NONE:
            reached = ALL
        set_lean(s, direction, w, ray & reached & pegs)
        if ends != NONE:
            break


@kernel
def can_place(t: Tables, s: Raw, seat: int) -> bool:
    """Whether the seat has a peg left and a hole for it."""
    if s.left[seat] == 0:
        return False
    for w in range(s.near.shape[1]):
        if open_holes(t, s, seat, w) != NONE:
            return True
    return False


@kernel
def see_if_over(t: Tables, s: Raw) -> None:
    """End the game once neither seat can place (skew.6)."""
    seat = bits.unsigned(s.turn)
    if not can_place(t, s, seat) and not can_place(t, s, seat ^ ONE):
        s.over = 1


@implements(rules.play, NAME)
def play(t: Tables, s: Raw, action: int) -> None:
    seat = bits.unsigned(s.turn)
    if action != t.pass_action:
        hole = bits.unsigned(action) // SIX
        direction = bits.unsigned(action) % SIX
        spread(t, s, hole, direction)
        bits.add(s.pegs[seat], hole)
        set_lean(s, direction, hole >> 6, bits.bit(hole))
        for w in range(s.near.shape[1]):
            s.near[seat, w] |= t.next_to[hole, w]
        s.left[seat] -= 1
    s.turn = seat ^ ONE
    see_if_over(t, s)


@implements(rules.restore, NAME)
def restore(t: Tables, s: Raw) -> bool:
    for w in range(s.near.shape[1]):
        for seat in range(2):
            s.near[seat, w] = t.next_to[t.centre, w]
    for hole in range(t.next_to.shape[0]):
        for seat in range(2):
            if bits.has(s.pegs[seat], hole):
                for w in range(s.near.shape[1]):
                    s.near[seat, w] |= t.next_to[hole, w]
    see_if_over(t, s)
    return True


@implements(rules.identify, NAME)
def identify(t: Tables, s: Raw, cells: Codes) -> int:
    # Pegs in hand need no place here: they are those that are not on the board.
    for direction in range(DIRECTIONS):
        for w in range(s.near.shape[1]):
            pegs = leaning(s, direction, w)
            while pegs != NONE:
                hole = w * WORD + bits.lowest(pegs)
                pegs &= pegs - ONE
                seat = 0 if bits.has(s.pegs[0], hole) else 1
                cells[hole] = 1 + seat * DIRECTIONS + direction
    return bits.signed(s.turn)


@implements(rules.sample, NAME)
def sample(t: Tables, s: Raw, rng: Word) -> tuple[int, Word]:
    rng = advance(rng)
    for w in range(s.work.shape[1]):
        s.work[OPEN, w] = open_holes(t, s, bits.unsigned(s.turn), w)
    total = bits.count_all(s.work[OPEN])
    if total == 0 or s.left[s.turn] == 0:
        return bits.signed(t.pass_action), rng
    chosen = below(rng, total * DIRECTIONS)
    hole = bits.nth_of_all(s.work[OPEN], chosen // DIRECTIONS)
    return hole * DIRECTIONS + chosen % DIRECTIONS, rng


@kernel
def leaning_at(t: Tables, s: Raw, hole: int, w: int) -> Word:
    """Word ``w`` of the pegs that lean straight at a hole.

    Pegs that a tie has released (skew.8) lean at the centre and nowhere else.
    """
    released = s.work[RELEASED, w]
    pegs = NONE
    for direction in range(DIRECTIONS):
        pegs |= leaning(s, direction, w) & t.behind[hole, direction, w]
    return pegs | released if hole == t.centre else pegs & ~released


@kernel
def find_scoring(t: Tables, s: Raw) -> None:
    """Collect the scoring pegs (skew.7) in the record's scratch space, outwards from the centre.

    A peg leans at one hole only, so none is found twice.
    """
    for w in range(s.work.shape[1]):
        s.work[SCORING, w] = s.work[FRONTIER, w] = leaning_at(t, s, bits.signed(t.centre), w)
    w = 0
    while w < s.work.shape[1]:
        if s.work[FRONTIER, w] == NONE:
            w += 1
            continue
        hole = w * WORD + bits.lowest(s.work[FRONTIER, w])
        bits.remove(s.work[FRONTIER], hole)
        for v in range(s.work.shape[1]):
            found = leaning_at(t, s, hole, v)
            s.work[SCORING, v] |= found
            s.work[FRONTIER, v] |= found
            if found != NONE and v < w:
                w = v


@kernel
def count_scoring(s: Raw, seat: int) -> int:
    """How many pegs of a seat are among the scoring pegs found last."""
    n = 0
    for w in range(s.work.shape[1]):
        n += bits.count(s.work[SCORING, w] & s.pegs[seat, w])
    return n


@kernel
def count_all(t: Tables, s: Raw, tied: bool) -> None:
    """Find the scoring pegs, first as they stand and then, on a tie, with more leaned (skew.8)."""
    for w in range(s.work.shape[1]):
        s.work[RELEASED, w] = NONE
    find_scoring(t, s)
    if tied:
        for w in range(s.work.shape[1]):
            pegs = s.pegs[0, w] | s.pegs[1, w]
            s.work[RELEASED, w] = t.next_to[t.centre, w] & pegs & ~s.work[SCORING, w]
        find_scoring(t, s)


@implements(rules.returns, NAME)
def returns(t: Tables, s: Raw, out: Returns) -> None:
    count_all(t, s, False)
    lead = count_scoring(s, 0) - count_scoring(s, 1)
    if lead == 0:
        count_all(t, s, True)
        lead = count_scoring(s, 0) - count_scoring(s, 1)
    rules.share_win(NOBODY if lead == 0 else (0 if lead > 0 else 1), out)


@implements(rules.made, NAME)
def made(t: Tables, s: Raw, seat: int, out: Actions) -> int:
    # A peg's final lean is what it counts for, whoever gave it that.
    n = 0
    for w in range(s.pegs.shape[1]):
        pegs = s.pegs[seat, w]
        while pegs != NONE:
            k = bits.unsigned(bits.lowest(pegs))
            pegs &= pegs - ONE
            lean = 0
            for plane in range(PLANES):
                lean |= bits.signed((s.lean[plane, w] >> k) & ONE) << plane
            out[n] = (w * WORD + bits.signed(k)) * DIRECTIONS + lean
            n += 1
    return n


@kernel
def mark_scoring(tables: Any, states: Any, tied: bool) -> None:
    """Find the scoring pegs of ``states[0]``, before or after the tie-break."""
    count_all(tables[0], states[0], tied)


class Skew(Game):
    """Skew with its options settled."""

    name = NAME
    title = "Skew"
    credit = "The rule sheet names no designer."
    surface = "holes"
    summary = "Pegs lean, and the lean spreads: build the bigger share of the leaning chain."
    seats = ("First", "Second")
    seat_letters = "01"
    letters = LEAN_LETTERS[0] + LEAN_LETTERS[1] + BLACK_PEG
    clauses = tuple(f"skew.{n}" for n in range(1, 9))
    counting = "scoring pegs"
    happening_table = (
        Happening("turns a peg", "skew.5", "the new peg's lean spreads to at least one other peg"),
        Happening("turns a rival", "skew.5", "the lean spreads to a peg of the other seat"),
        Happening("goes through", "skew.5", "the lean spreads through the black peg"),
        Happening("pass", "skew.6", "a seat cannot place and passes"),
        Happening("pegs left over", "skew.6", "the game ends although not all pegs are placed"),
        Happening("tie-break", "skew.8", "a tie is decided by leaning pegs at the black peg"),
        Happening("draw", "skew.8", "still a tie after that"),
    )
    option_specs = (
        Option("side", 5, 2, 9, "holes on each side of the hexagon"),
        Option("pegs", 24, 1, 216, "pegs of each seat"),
    )
    # As crowded as the default: 24 pegs of each seat for 60 holes.
    sizes = tuple({"side": n, "pegs": 3 * n * (n - 1) * 2 // 5} for n in range(2, 10))

    @classmethod
    def set_up(cls, options: dict[str, int]) -> Setup:
        board = hexagon(options["side"])
        words = bits.words_for(len(board))
        return Setup(
            board=board,
            tables=build_tables(board, words, options["pegs"]),
            dtype=state_dtype(words),
            num_actions=len(board) * DIRECTIONS + 1,
        )

    def write_action(self, s: Any, action: int) -> str:
        if action == self.num_actions - 1:
            return PASS
        hole, direction = divmod(action, DIRECTIONS)
        return f"{self.board.names[hole]}-{self.board.direction_names[direction]}"

    def read_action(self, s: Any, text: str) -> int:
        if text == PASS:
            return self.num_actions - 1
        hole, _, direction = text.partition("-")
        if not hole or direction not in self.board.direction_names:
            raise InvalidMove(
                f"{shorten(text)} is no Skew move: write a hole and where the peg leans, one of "
                f"{', '.join(self.board.direction_names)}; for example d4-ne"
            )
        cell = self.board.cell(hole)
        return cell * DIRECTIONS + self.board.direction_names.index(direction)

    def why_illegal(self, s: Any, action: int) -> str:
        if action == self.num_actions - 1:
            return "you cannot pass while you have a peg and a hole for it"
        if s["left"][s["turn"]] == 0:
            return "you have no peg left and must pass"
        hole = action // DIRECTIONS
        name = self.board.names[hole]
        if self.write_cells(s)[hole] == BLACK_PEG:
            return f"the black peg stands on {name}"
        if self.write_cells(s)[hole] != ".":
            return f"{name} already holds a peg"
        return f"{name} is not next to the black peg or an opponent's peg"

    def write_cells(self, s: Any) -> list[str]:
        cells = ["."] * len(self.board)
        cells[len(self.board) // 2] = BLACK_PEG
        planes = [bits.members(plane) for plane in s["lean"]]
        for seat in range(2):
            for hole in bits.members(s["pegs"][seat]):
                lean = sum((hole in plane) << i for i, plane in enumerate(planes))
                cells[hole] = LEAN_LETTERS[seat][lean]
        return cells

    def read_cells(self, cells: Sequence[str], extra: Sequence[str], s: Any) -> None:
        board, words = self.board, s["near"].shape[1]
        centre = len(board) // 2
        if cells[centre] != BLACK_PEG or cells.count(BLACK_PEG) != 1:
            raise PositionError(f"the black peg {BLACK_PEG!r} stands on {board.names[centre]} only")
        for seat in range(2):
            pegs = [hole for hole, letter in enumerate(cells) if letter in LEAN_LETTERS[seat]]
            if len(pegs) > self.options["pegs"]:
                raise PositionError(
                    f"{self.seats[seat]} has {len(pegs)} pegs on the board, "
                    f"but only {self.options['pegs']} in all"
                )
            s["pegs"][seat] = bits.mask(pegs, words)
            s["left"][seat] = self.options["pegs"] - len(pegs)
            for hole in pegs:
                lean = LEAN_LETTERS[seat].index(cells[hole])
                for plane in range(PLANES):
                    if lean >> plane & 1:
                        s["lean"][plane] |= bits.mask([hole], words)

    def map_letter(self, letter: str, symmetry: Symmetry) -> str:
        for seat in LEAN_LETTERS:
            if letter in seat:
                return seat[int(symmetry.directions[seat.index(letter)])]
        return letter

    def map_action(self, action: int, symmetry: Symmetry) -> int:
        if action == self.num_actions - 1:
            return action
        hole, direction = divmod(action, DIRECTIONS)
        return int(symmetry.cells[hole]) * DIRECTIONS + int(symmetry.directions[direction])

    def piece(self, letter: str) -> Piece:
        if letter == BLACK_PEG:
            return Piece(None, "peg", letter)
        seat = 0 if letter in LEAN_LETTERS[0] else 1
        lean = LEAN_LETTERS[seat].index(letter)
        return Piece(seat, "peg", letter, self.board.direction_names[lean])

    def path(self, s: Any, action: int) -> tuple[str, ...]:
        return tuple(self.write_action(s, action).split("-"))

    def standing(self, state: State) -> Overlay:
        s = state.raw
        tally = self._count(s, tied=False)
        tied = state.is_over and tally[0] == tally[1]
        if tied:
            tally = self._count(s, tied)
        centre, standing = len(self.board) // 2, self._scoring(s, tied=False)
        marks, lines = [], []
        for hole in sorted(self._scoring(s, tied)):
            seat, goal = self._owner_and_goal(state, hole)
            if hole not in standing and centre in self.board.adjacent(hole):
                goal = centre  # skew.8
            marks.append(Mark(hole, COUNTS, seat))
            lines.append(Line((hole, goal), seat, leads=True))
        score = ", ".join(f"{name} {n}" for name, n in zip(self.seats, tally, strict=True))
        words = f"Scoring pegs{' after the tie-break' if tied else ''}: {score}"
        return Overlay(marks=tuple(marks), lines=tuple(lines), tally=tally, words=(words,))

    def happenings(self, before: State, action: int, after: State) -> tuple[str, ...]:
        found = []
        if action == self.num_actions - 1:
            found.append("pass")
        else:
            found += self._turned(before, action, after)
        if after.outcome is not None:
            if any(after.raw["left"]):
                found.append("pegs left over")
            if after.outcome.winner is None:
                found.append("draw")
            elif len(set(self.score(after.raw))) == 1:
                found.append("tie-break")
        return tuple(found)

    def _turned(self, before: State, action: int, after: State) -> list[str]:
        """What the lean of a new peg did to others."""
        old, new = self.write_cells(before.raw), self.write_cells(after.raw)
        line = list(self.board.ray(*divmod(action, DIRECTIONS)))
        turned = [place for place, hole in enumerate(line) if old[hole] != new[hole]]
        rivals = LEAN_LETTERS[1 - int(before.raw["turn"])]
        centre = len(self.board) // 2
        beyond = line.index(centre) if centre in line else len(line)
        signs = (
            ("turns a peg", bool(turned)),
            ("turns a rival", any(new[line[place]] in rivals for place in turned)),
            ("goes through", any(place > beyond for place in turned)),
        )
        return [name for name, holds in signs if holds]

    def _owner_and_goal(self, state: State, hole: int) -> tuple[int | None, int]:
        """Whose peg stands in a hole, and the hole it leans at, or OFF_BOARD."""
        piece = state.scene().pieces[hole]
        lean = self.board.direction_names.index(piece.facing or "")
        return piece.seat, int(self.board.neighbours[hole, lean])

    def focus(self, state: State, cell: int) -> Overlay:
        """For a hole, which pegs would lean over; for a peg, what it leans at in the end."""
        pieces = state.scene().pieces
        piece = pieces.get(cell)
        if piece is not None:
            return super().focus(state, cell) if piece.facing is None else self._chain(state, cell)
        found = super().focus(state, cell)
        moved = set()
        for move in state.legal_moves():
            if state.path(move)[0] == self.board.names[cell]:
                after = state.play(move).scene().pieces
                moved |= {hole for hole in pieces if after[hole] != pieces[hole]}
        return found + Overlay(marks=tuple(Mark(hole, PASSED) for hole in sorted(moved)))

    def _chain(self, state: State, hole: int) -> Overlay:
        pieces, line = state.scene().pieces, [hole]
        seat = pieces[hole].seat
        while line[-1] in pieces and pieces[line[-1]].facing is not None:
            _, goal = self._owner_and_goal(state, line[-1])
            if goal == OFF_BOARD or goal in line:
                break
            line.append(goal)
        scores = hole in self._scoring(state.raw, tied=False)
        name = self.board.names[hole]
        word = f"{name} {'scores' if scores else 'does not score'}"
        lines = (Line(tuple(line), seat, leads=True),) if len(line) > 1 else ()
        return Overlay(marks=(Mark(hole, SELECTED),), lines=lines, words=(word,))

    def score(self, s: Any) -> tuple[int, ...]:
        return self._count(s, tied=False)

    def _count(self, s: Any, tied: bool) -> tuple[int, ...]:
        scoring = self._scoring(s, tied)
        return tuple(len(scoring & bits.members(pegs)) for pegs in s["pegs"])

    def _scoring(self, s: Any, tied: bool) -> set[int]:
        states = np.array([s])
        mark_scoring(self.tables, states, tied)
        return bits.members(states[0]["work"][SCORING])

    def explain(self, s: Any, returns: tuple[float, ...]) -> str:
        first, second = self.score(s)
        if first != second:
            return f"{self.seats[first < second]} wins {max(first, second)}-{min(first, second)}"
        again = self._count(s, tied=True)
        tie = f"{first}-{second} is a tie; with the pegs around the black peg leaned at it,"
        if again[0] == again[1]:
            return f"{tie} still {again[0]}-{again[1]}: stalemate"
        return f"{tie} {self.seats[again[0] < again[1]]} wins {max(again)}-{min(again)}"
