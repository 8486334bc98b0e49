"""Skaane: a race of gods, kings, serfs and suns.

skaane.1  The board has ``width`` by ``height`` squares. Each seat owns 2 * width pawns.
skaane.2  Each seat's pawns are dealt at random over its two nearest rows and are open to see.
          Light sits on rows 1 and 2 and moves first.
skaane.3  Positioning: one space up, down, left or right onto an empty square. Own pawns in that
          line are passed through and do not count as spaces; enemies block, and nobody turns.
skaane.4  Attacking: one space diagonally onto an enemy pawn that the mover beats, which is removed.
          God beats king, king beats serf, serf beats god; a sun beats all and all beat a sun.
skaane.5  A seat wins the moment one of its pawns stands on the row farthest from its own side.
skaane.6  A seat that is to move and has no legal move loses.
skaane.7  ``quiet_limit`` actions in a row without an attack are a draw.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.board import OFF_BOARD, Board, Symmetry, square
from skerry.core import bits, rules
from skerry.core.bits import NONE, ONE, WORD, WORD_BITS, Word, Words
from skerry.core.errors import IllegalMove, InvalidMove, OptionsError, PositionError, shorten
from skerry.core.game import Game, Happening, Level, Setup, State
from skerry.core.kernels import implements, kernel, tables
from skerry.core.options import Option
from skerry.core.random import advance, below
from skerry.core.rules import Actions, Codes, Marks, Raw, Returns, Tables
from skerry.core.scene import COUNTS, DANGER, PASSED, Arrow, Mark, Overlay, Piece

NAME = "skaane"
RUNES = ("god", "king", "serf", "sun")
RUNE_OPTIONS = ("gods", "kings", "serfs", "suns")
GOD, KING, SERF, SUN = range(4)
BEATS = (("god", ("king",)), ("king", ("serf",)), ("serf", ("god",)), ("sun", RUNES))
RUNE_LETTERS = ("GKSU", "gksu")  # by seat
DIRECTIONS = 8  # four for positioning, then the diagonals for attacking; odd ones lead down
POSITIONING = 4
NOBODY = -1
MOST_ROWS = 16
EIGHT = np.uint64(DIRECTIONS)
# What an engine thinks of a position, in pawns.
ATTACKING = 0.3  # having an attack to make
RUNNING = 1.5  # an enemy about to reach the far row
CERTAINTY = 4.0  # the lead that makes a win likely


def build_tables(board: Board, words: int, options: dict[str, int]) -> NDArray[np.void]:
    """Geometry and options of one board (skaane.1), padded to the capacity of its words."""
    inside = np.zeros((DIRECTIONS, words), np.uint64)
    for direction in range(DIRECTIONS):
        stays = np.flatnonzero(board.neighbours[:, direction] != OFF_BOARD)
        inside[direction] = bits.mask(stays.tolist(), words)
    width = options["width"]
    away = np.zeros((2, MOST_ROWS, words), np.uint64)
    for row, cells in enumerate(board.rows):
        away[0, len(board.rows) - 1 - row] = away[1, row] = bits.mask(cells, words)
    steps = np.array([dx + width * dy for dx, dy in board.steps], np.int64)
    return tables(
        NAME,
        board=bits.mask(range(len(board)), words),
        inside=inside,  # [directions, words] squares that have a next one in a direction
        step=steps.astype(np.uint64),  # [directions] from a square's number to the next one's
        shift=np.abs(steps).astype(np.uint64),
        far=np.array([bits.mask(board.rows[-1], words), bits.mask(board.rows[0], words)]),
        home=np.array([0, len(board) - 2 * width], np.int64),  # first square of the two rows
        away=away,  # [seats, distance from the far row, words]
        rows=np.int64(len(board.rows)),
        runes=np.array([options[name] for name in RUNE_OPTIONS], np.int64),
        quiet_limit=np.int32(options["quiet_limit"]),
    )


def state_dtype(words: int) -> np.dtype[np.void]:
    """The record of a Skaane position; ``moves`` has the pawns that may move in a direction."""
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
    shift = t.shift[direction]
    if direction & 1 == 0:
        return here >> shift | ahead << (WORD_BITS - shift)
    return here << shift | behind >> (WORD_BITS - shift)


@kernel
def empty(t: Tables, s: Raw, w: int) -> Word:
    """Word ``w`` of the empty squares."""
    return t.board[w] & ~(s.pawns[0, w] | s.pawns[1, w])


@kernel
def look_at_empty(t: Tables, s: Raw, w: int, direction: int) -> Word:
    ahead = empty(t, s, w + 1) if w + 1 < s.moves.shape[1] else NONE
    behind = empty(t, s, w - 1) if w > 0 else NONE
    return looking(t, ahead, empty(t, s, w), behind, direction)


@kernel
def start_positioning(t: Tables, s: Raw, turn: Word) -> None:
    """The pawns with an empty square straight ahead, in every direction (skaane.3)."""
    for direction in range(POSITIONING):
        for w in range(s.moves.shape[1]):
            own = s.pawns[turn, w] & t.inside[direction, w]
            s.moves[direction, w] = own & look_at_empty(t, s, w, direction)


@kernel
def pass_through(t: Tables, s: Raw, turn: Word) -> Word:
    """Add the pawns behind own pawns that may move; what may still bring more (skaane.3).

    Three steps at a time: longer files of own pawns are rare, so one call is mostly enough.
    """
    words = s.moves.shape[1]
    growth = NONE
    for direction in range(POSITIONING):
        for w in range(words):
            own = s.pawns[turn, w] & t.inside[direction, w]
            ahead = s.moves[direction, w + 1] if w + 1 < words else NONE
            behind = s.moves[direction, w - 1] if w > 0 else NONE
            before = s.moves[direction, w]
            second = before | (own & looking(t, ahead, before, behind, direction))
            third = second | (own & looking(t, ahead, second, behind, direction))
            after = third | (own & looking(t, ahead, third, behind, direction))
            s.moves[direction, w] = after
            # With one word only the last step matters; with more, others may look at this one.
            growth |= after ^ (third if words == 1 else before)
    return growth


@kernel
def prey(s: Raw, turn: Word, rune: int, w: int) -> Word:
    """Word ``w`` of the enemy pawns that a rune beats (skaane.4)."""
    enemies = s.pawns[turn ^ ONE, w]
    if rune == SUN:
        return enemies
    beaten = KING if rune == GOD else (SERF if rune == KING else GOD)
    return enemies & (s.rune[beaten, w] | s.rune[SUN, w])


@kernel
def look_at_prey(t: Tables, s: Raw, turn: Word, rune: int, w: int, direction: int) -> Word:
    ahead = prey(s, turn, rune, w + 1) if w + 1 < s.moves.shape[1] else NONE
    behind = prey(s, turn, rune, w - 1) if w > 0 else NONE
    return looking(t, ahead, prey(s, turn, rune, w), behind, direction)


@kernel
def find_attacks(t: Tables, s: Raw, turn: Word) -> None:
    """The pawns that may attack, in every direction (skaane.4)."""
    for direction in range(POSITIONING, DIRECTIONS):
        for w in range(s.moves.shape[1]):
            attackers = NONE
            for rune in range(len(RUNES)):
                attackers |= s.rune[rune, w] & look_at_prey(t, s, turn, rune, w, direction)
            s.moves[direction, w] = attackers & s.pawns[turn, w] & t.inside[direction, w]


@kernel
def find_moves(t: Tables, s: Raw) -> bool:
    """Find the moves of the seat to move; whether there are any."""
    turn = bits.unsigned(s.turn)
    start_positioning(t, s, turn)
    while pass_through(t, s, turn) != NONE:
        pass
    find_attacks(t, s, turn)
    found = NONE
    for direction in range(DIRECTIONS):
        for w in range(s.moves.shape[1]):
            found |= s.moves[direction, w]
    return found != NONE


@kernel
def finish(s: Raw, winner: int) -> None:
    """End the game; without a winner it is a draw."""
    s.winner = winner
    s.over = 1


@kernel
def see_if_over(t: Tables, s: Raw) -> None:
    """End a game in which nobody can or may go on; find the moves otherwise."""
    if s.quiet >= t.quiet_limit:  # skaane.7
        finish(s, NOBODY)
    elif not find_moves(t, s):  # skaane.6
        finish(s, 1 - s.turn)


@implements(rules.reset, NAME)
def reset(t: Tables, s: Raw, rng: Word) -> Word:
    for seat in range(2):
        # skaane.2: each square takes one of the pawns that are left, all equally likely.
        left = t.runes[GOD], t.runes[KING], t.runes[SERF], t.runes[SUN]
        total = left[GOD] + left[KING] + left[SERF] + left[SUN]
        for i in range(total):
            rng = advance(rng)
            chosen = below(rng, total - i)
            gods, kings, serfs, suns = left
            if chosen < gods:
                rune, left = GOD, (gods - 1, kings, serfs, suns)
            elif chosen < gods + kings:
                rune, left = KING, (gods, kings - 1, serfs, suns)
            elif chosen < gods + kings + serfs:
                rune, left = SERF, (gods, kings, serfs - 1, suns)
            else:
                rune, left = SUN, (gods, kings, serfs, suns - 1)
            bits.add(s.pawns[seat], t.home[seat] + i)
            bits.add(s.rune[rune], t.home[seat] + i)
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


@implements(rules.mark, NAME)
def mark(t: Tables, s: Raw, marks: Marks, scratch: Actions) -> None:
    for w in range(s.moves.shape[1]):
        pawns = s.pawns[s.turn, w]
        while pawns != NONE:
            here = bits.lowest(pawns)
            pawns &= pawns - ONE
            ways = NONE
            for direction in range(DIRECTIONS):
                free = (s.moves[direction, w] >> np.uint64(here)) & ONE
                ways |= free << np.uint64(direction)
            bits.put_marks(marks, (w * WORD + here) * DIRECTIONS, ways)


@kernel
def target(t: Tables, s: Raw, origin: int, direction: int) -> int:
    """Where a pawn of the seat to move comes to stand: beyond own pawns when positioning."""
    square = origin + t.step[direction]
    if direction < POSITIONING:
        while bits.has(s.pawns[s.turn], square):
            square += t.step[direction]
    return square


@kernel
def carry(words: Words, origin: int, goal: int) -> None:
    """Let the goal be in the set if the origin was, and the origin no longer."""
    moved = (words[origin >> 6] >> bits.unsigned(origin & 63)) & ONE
    bits.remove(words, origin)
    bits.remove(words, goal)
    words[goal >> 6] |= moved << bits.unsigned(goal & 63)


@implements(rules.play, NAME)
def play(t: Tables, s: Raw, action: int) -> None:
    seat = bits.unsigned(s.turn)
    origin, direction = bits.unsigned(action) // EIGHT, bits.unsigned(action) % EIGHT
    goal = target(t, s, origin, direction)
    s.quiet += 1
    if direction >= POSITIONING:
        bits.remove(s.pawns[seat ^ ONE], goal)
        s.quiet = 0
    carry(s.pawns[seat], origin, goal)
    for rune in range(len(RUNES)):
        carry(s.rune[rune], origin, goal)
    s.turn = seat ^ ONE
    if bits.has(t.far[seat], goal):  # skaane.5
        finish(s, seat)
    else:
        see_if_over(t, s)


@implements(rules.restore, NAME)
def restore(t: Tables, s: Raw) -> bool:
    s.winner = NOBODY
    winners = 0
    for seat in range(2):
        arrived = NONE
        for w in range(s.pawns.shape[1]):
            arrived |= s.pawns[seat, w] & t.far[seat, w]
        if arrived != NONE:
            finish(s, seat)
            winners += 1
    if winners == 0:
        see_if_over(t, s)
    return winners < 2


@implements(rules.returns, NAME)
def returns(t: Tables, s: Raw, out: Returns) -> None:
    rules.share_win(s.winner, out)


@implements(rules.identify, NAME)
def identify(t: Tables, s: Raw, cells: Codes) -> int:
    for rune in range(len(RUNES)):
        bits.write_code(s.rune[rune], 1 + rune, cells)
    for w in range(s.pawns.shape[1]):
        dark = s.pawns[1, w]
        while dark != NONE:
            cells[w * WORD + bits.lowest(dark)] += len(RUNES)
            dark &= dark - ONE
    return bits.signed(s.quiet) * 2 + bits.signed(s.turn)


@implements(rules.sample, NAME)
def sample(t: Tables, s: Raw, rng: Word) -> tuple[int, Word]:
    rng = advance(rng)
    total = 0
    for direction in range(DIRECTIONS):
        for w in range(s.moves.shape[1]):
            total += bits.count(s.moves[direction, w])
    n = below(rng, total)
    # Without branches: the set to take from is the number of sets that end at or before n.
    row = 0
    passed = 0
    end = 0
    words = s.moves.shape[1]
    for i in range(DIRECTIONS * words):
        end += bits.count(s.moves[i // words, i % words])
        row += n >= end
        passed = end if n >= end else passed
    direction, w = row // words, row % words
    origin = w * WORD + bits.nth(s.moves[direction, w], n - passed)
    return origin * DIRECTIONS + direction, rng


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


class Skaane(Game):
    """Skaane with its options settled."""

    name = NAME
    title = "Skaane"
    credit = "The rule sheet names no designer."
    summary = "Race a pawn across the board; gods, kings, serfs and suns decide who falls."
    seats = ("Light", "Dark")
    seat_letters = "wb"
    letters = RUNE_LETTERS[0] + RUNE_LETTERS[1]
    clauses = tuple(f"skaane.{n}" for n in range(1, 8))
    counting = "where the winner arrived"
    happening_table = (
        Happening("passes own pawns", "skaane.3", "a pawn moves through pawns of its own side"),
        *(
            Happening(f"{rune} takes {victim}", "skaane.4", f"a {rune} attacks a {victim}")
            for rune, beaten in BEATS
            for victim in dict.fromkeys((*beaten, "sun"))
        ),
        Happening("far row", "skaane.5", "a pawn reaches the far row and wins"),
        Happening("no move", "skaane.6", "a seat without a legal move loses"),
        Happening("quiet draw", "skaane.7", "too many actions without an attack"),
    )
    option_specs = (
        Option("width", 8, 2, 12, "squares in a row"),
        Option("height", 8, 4, MOST_ROWS, "rows"),
        Option("gods", 5, 0, 24, "gods of each seat"),
        Option("kings", 5, 0, 24, "kings of each seat"),
        Option("serfs", 5, 0, 24, "serfs of each seat"),
        Option("suns", 1, 0, 24, "suns of each seat"),
        Option("quiet_limit", 100, 1, 100_000, "actions without an attack that make a draw"),
    )
    # Square, with one sun or two and as many gods as kings and serfs.
    sizes = tuple(
        {"width": n, "height": max(n, 4), "gods": third, "kings": third, "serfs": third}
        | {"suns": 2 * n - 3 * third}
        for n in range(2, 13)
        for third in [(2 * n - 1) // 3]
    )
    has_chance = True

    # Whoever judges positions, or sees a step to the far row coming, hardly ever loses to chance.
    levels = (
        Level(68, 0.87, judges=False, foresight=0),
        Level(58, 0.83, judges=False),
        Level(310, 0.54, judges=False),
        Level(64, 0.68),
        Level(118, 0.52),
        Level(195, 0.4),
        Level(560, 0.2),
    )

    @classmethod
    def set_up(cls, options: dict[str, int]) -> Setup:
        counts = [options[name] for name in RUNE_OPTIONS]
        if sum(counts) != 2 * options["width"]:
            raise OptionsError(
                f"skaane: {' + '.join(RUNE_OPTIONS)} must be 2 * width = {2 * options['width']}, "
                f"not {' + '.join(map(str, counts))} = {sum(counts)}"
            )
        board = square(options["width"], options["height"])
        words = bits.words_for(len(board))
        return Setup(
            board=board,
            tables=build_tables(board, words, options),
            dtype=state_dtype(words),
            num_actions=len(board) * DIRECTIONS,
        )

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        # Up and down differ: the seats race in opposite directions.
        return self.board.symmetries[:2]

    @property
    def most_actions(self) -> int:
        pawns = 4 * self.options["width"]
        return (pawns + 1) * self.options["quiet_limit"]  # skaane.7

    def map_action(self, action: int, symmetry: Symmetry) -> int:
        origin, direction = divmod(action, DIRECTIONS)
        return int(symmetry.cells[origin]) * DIRECTIONS + int(symmetry.directions[direction])

    def write_action(self, s: Any, action: int) -> str:
        origin, direction = divmod(action, DIRECTIONS)
        joint = "-" if direction < POSITIONING else "x"
        return f"{self.board.names[origin]}{joint}{self.board.names[self._goal(s, action)]}"

    def _goal(self, s: Any, action: int) -> int:
        """Where an action leads: the next square that is not the mover's own, or OFF_BOARD."""
        origin, direction = divmod(action, DIRECTIONS)
        own = bits.members(s["pawns"][s["turn"]])
        for cell in self.board.ray(origin, direction):
            if direction >= POSITIONING or cell not in own:
                return cell
        return OFF_BOARD

    def read_action(self, s: Any, text: str) -> int:
        joint = "x" if "x" in text else "-"
        first, found, second = text.partition(joint)
        if not (first and found and second):
            raise InvalidMove(
                f"{shorten(text)} is no Skaane move: write b2-b3 to move or b2xc3 to attack"
            )
        origin, goal = self.board.cell(first), self.board.cell(second)
        if origin == goal:
            raise IllegalMove(f"a pawn on {first} that goes to {second} has not moved")
        kinds = range(POSITIONING) if joint == "-" else range(POSITIONING, DIRECTIONS)
        for direction in kinds:
            if goal in self.board.ray(origin, direction):
                action = origin * DIRECTIONS + direction
                if self._goal(s, action) == goal:
                    return action
                raise IllegalMove(self._why_not_there(s, action, goal))
        if joint == "x":
            raise IllegalMove(
                f"{second} is not diagonally next to {first}, and attacks go diagonally"
            )
        if goal in self.board.adjacent(origin):
            raise IllegalMove(
                f"{second} is diagonal to {first}: pawns move straight and attack diagonally, "
                f"written {first}x{second}"
            )
        raise IllegalMove(f"{second} is not straight above, below, left or right of {first}")

    def _why_not_there(self, s: Any, action: int, goal: int) -> str:
        """Why an action does not lead to a square on its line."""
        cells, names = self.write_cells(s), self.board.names
        origin, direction = divmod(action, DIRECTIONS)
        if cells[origin] not in RUNE_LETTERS[s["turn"]]:
            return self.why_illegal(s, action)
        if direction >= POSITIONING:
            return f"{names[goal]} is not next to {names[origin]}: an attack goes one space"
        if cells[goal] in RUNE_LETTERS[s["turn"]]:
            return f"your own pawn stands on {names[goal]}"
        stop = self._goal(s, action)
        if cells[stop] != ".":
            return f"the enemy pawn on {names[stop]} is in the way"
        return f"a pawn moves one space: from {names[origin]} that way it comes to {names[stop]}"

    def why_illegal(self, s: Any, action: int) -> str:
        cells, names = self.write_cells(s), self.board.names
        origin, direction = divmod(action, DIRECTIONS)
        if cells[origin] == ".":
            return f"there is no pawn on {names[origin]}"
        if cells[origin] not in RUNE_LETTERS[s["turn"]]:
            return f"the pawn on {names[origin]} is not yours"
        goal = self._goal(s, action)
        if goal == OFF_BOARD:
            return f"from {names[origin]} that way leads off the board"
        if direction < POSITIONING:
            return f"the enemy pawn on {names[goal]} blocks the way, and attacks go diagonally"
        if cells[goal] == ".":
            return f"there is nothing to attack on {names[goal]}"
        if cells[goal] in RUNE_LETTERS[s["turn"]]:
            return f"your own pawn stands on {names[goal]}"
        return f"a {self._rune(cells[origin])} does not beat a {self._rune(cells[goal])}"

    def _rune(self, letter: str) -> str:
        return RUNES[RUNE_LETTERS[0].index(letter.upper())]

    def write_cells(self, s: Any) -> list[str]:
        cells = ["."] * len(self.board)
        for seat, letters in enumerate(RUNE_LETTERS):
            own = bits.members(s["pawns"][seat])
            for rune, letter in enumerate(letters):
                for cell in bits.members(s["rune"][rune]) & own:
                    cells[cell] = letter
        return cells

    def write_extra(self, s: Any) -> list[str]:
        return [str(s["quiet"])]

    def read_cells(self, cells: Sequence[str], extra: Sequence[str], s: Any) -> None:
        words = s["pawns"].shape[1]
        for seat, letters in enumerate(RUNE_LETTERS):
            for rune, letter in enumerate(letters):
                found = [cell for cell, here in enumerate(cells) if here == letter]
                most = self.options[RUNE_OPTIONS[rune]]
                if len(found) > most:
                    raise PositionError(
                        f"{self.seats[seat]} has {len(found)} {RUNE_OPTIONS[rune]}, "
                        f"but starts with {most}"
                    )
                s["pawns"][seat] |= bits.mask(found, words)
                s["rune"][rune] |= bits.mask(found, words)
        quiet, limit = extra[0], self.options["quiet_limit"]
        if not (quiet.isascii() and quiet.isdigit() and len(quiet) < 9 and int(quiet) <= limit):
            raise PositionError(
                f"the quiet count is a whole number from 0 to {limit}, not {shorten(quiet)}"
            )
        s["quiet"] = int(quiet)

    def piece(self, letter: str) -> Piece:
        return Piece(0 if letter in RUNE_LETTERS[0] else 1, self._rune(letter), letter)

    def path(self, s: Any, action: int) -> tuple[str, ...]:
        origin = self.board.names[action // DIRECTIONS]
        return origin, self.board.names[self._goal(s, action)]

    def standing(self, state: State) -> Overlay:
        """Which pawns of either seat can be taken at once; at the end, the pawn that made it."""
        s = state.raw
        if state.is_over:
            winner = int(s["winner"])
            if winner == NOBODY:
                return Overlay()
            arrived = bits.members(s["pawns"][winner] & self.tables["far"][0][winner])
            return Overlay(marks=tuple(Mark(cell, COUNTS, winner) for cell in sorted(arrived)))
        attacks = self._attacks(state)
        marks = tuple(Mark(goal, DANGER) for goal in sorted({goal for _, goal in attacks}))
        names = ", ".join(self.board.names[mark.cell] for mark in marks)
        return Overlay(marks=marks, words=(f"In danger: {names or 'nobody'}",))

    def happenings(self, before: State, action: int, after: State) -> tuple[str, ...]:
        found = []
        origin, direction = divmod(action, DIRECTIONS)
        goal = self._goal(before.raw, action)
        if direction >= POSITIONING:
            pieces = before.scene().pieces
            found.append(f"{pieces[origin].kind} takes {pieces[goal].kind}")
        elif goal not in self.board.adjacent(origin):
            found.append("passes own pawns")
        if after.outcome is not None:
            winner = after.outcome.winner
            if winner is None:
                found.append("quiet draw")
            else:
                arrived = after.raw["pawns"][winner] & self.tables["far"][0][winner]
                found.append("far row" if arrived.any() else "no move")
        return tuple(found)

    def focus(self, state: State, cell: int) -> Overlay:
        """For a pawn its steps and attacks, own pawns it passes on the way, and who attacks it."""
        attackers = sorted(origin for origin, goal in self._attacks(state) if goal == cell)
        danger = Overlay(
            marks=tuple(Mark(origin, DANGER) for origin in attackers),
            arrows=tuple(
                Arrow(origin, cell, state.scene().pieces[origin].seat) for origin in attackers
            ),
        )
        passed = set()
        for move in state.legal_moves():
            origin, direction = divmod(move.action, DIRECTIONS)
            if origin == cell and direction < POSITIONING:
                line = list(self.board.ray(cell, direction))
                passed |= set(line[: line.index(self._goal(state.raw, move.action))])
        friends = Overlay(marks=tuple(Mark(square, PASSED) for square in sorted(passed)))
        return super().focus(state, cell) + friends + danger

    def _attacks(self, state: State) -> list[tuple[int, int]]:
        """What either seat could attack if it were its turn: origins and goals."""
        rows, turn, *extra = state.position.split()
        other = self.seat_letters[1 - self.seat_letters.index(turn)]
        found = []
        for at_turn in (state, self.position(" ".join([rows, other, *extra]))):
            for move in at_turn.legal_moves():
                if move.action % DIRECTIONS >= POSITIONING:
                    origin, goal = at_turn.path(move)
                    found.append((self.board.index[origin], self.board.index[goal]))
        return found

    def guide(self) -> Overlay:
        return Overlay(beats=BEATS)

    def explain(self, s: Any, returns: tuple[float, ...]) -> str:
        winner = int(s["winner"])
        if winner == NOBODY:
            limit = self.options["quiet_limit"]
            return f"draw: {limit} {'move' if limit == 1 else 'moves in a row'} without an attack"
        if any(s["pawns"][winner] & self.tables["far"][0][winner]):
            return f"{self.seats[winner]} reaches the far row and wins"
        return f"{self.seats[1 - winner]} has no legal move, so {self.seats[winner]} wins"
