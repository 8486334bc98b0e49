"""Reference Skaane: squares are (file, rank), both from 1, with `a1` at (1, 1)."""

import copy
from string import ascii_lowercase

Square = tuple[int, int]

STRAIGHT: list[Square] = [(0, 1), (0, -1), (-1, 0), (1, 0)]
DIAGONAL: list[Square] = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
BEATS: dict[str, set[str]] = {  # skaane.4
    "G": {"K", "U"},
    "K": {"S", "U"},
    "S": {"G", "U"},
    "U": {"G", "K", "S", "U"},
}


def step(square: Square, direction: Square) -> Square:
    return square[0] + direction[0], square[1] + direction[1]


def owner_of(letter: str) -> int:
    return 0 if letter.isupper() else 1


def name(square: Square) -> str:
    return f"{ascii_lowercase[square[0] - 1]}{square[1]}"


class Skaane:
    def __init__(
        self,
        *,
        rows: list[str],
        width: int = 8,
        height: int = 8,
        quiet_limit: int = 100,
        quiet_end: int = 0,
        to_move: int = 0,
        quiet: int = 0,
    ) -> None:
        """Start from `rows`, the top one first, with `.` for an empty square."""
        assert len(rows) == height, "one string for each rank"
        assert all(len(row) == width for row in rows), "one character for each file"
        self.width = width
        self.height = height
        self.quiet_limit = quiet_limit
        self.quiet_end = quiet_end
        self._attacker = 1  # who attacked last; Dark, if nobody has
        self._pawns: dict[Square, str] = {
            (file, rank): letter
            for rank, row in enumerate(reversed(rows), start=1)
            for file, letter in enumerate(row, start=1)
            if letter != "."
        }
        assert all(letter.upper() in BEATS for letter in self._pawns.values()), "G, K, S, U only"
        self._seat = to_move
        self._quiet = quiet

    def copy(self) -> "Skaane":
        twin = copy.copy(self)
        twin._pawns = dict(self._pawns)
        return twin

    @property
    def to_move(self) -> int | None:
        return None if self._over() else self._seat

    @property
    def quiet(self) -> int:
        """Actions in a row without an attack."""
        return self._quiet

    def legal(self) -> set[str]:
        return set() if self._over() else set(self._actions())

    def play(self, text: str) -> None:
        assert text in self.legal(), text
        start, end = self._actions()[text]
        attack = end in self._pawns
        if attack:
            self._attacker = self._seat
        self._pawns[end] = self._pawns.pop(start)
        self._quiet = 0 if attack else self._quiet + 1
        self._seat = 1 - self._seat

    def cells(self) -> dict[str, str]:
        return {name(square): letter for square, letter in self._pawns.items()}

    def score(self) -> tuple[int, ...] | None:
        return None

    def winner(self) -> int | None:
        for seat in (0, 1):
            if self._across(seat):
                return seat
        # The draw arises with the last quiet action, before the next seat looks for a move.
        if self._drawn():
            return self._ahead()
        if not self._actions():
            return 1 - self._seat  # skaane.6
        return None

    def _ahead(self) -> int | None:
        """Who wins when the quiet actions have run out (skaane.7, in variants)."""
        if self.quiet_end == 1:
            return self._attacker
        light, dark = self._squares(0), self._squares(1)
        if self.quiet_end == 2:
            scores = (len(light), len(dark))
        elif self.quiet_end == 3:
            nearest_of_dark = min((rank for _, rank in dark), default=self.height + 1)
            scores = (
                max((rank for _, rank in light), default=0),
                self.height + 1 - nearest_of_dark,
            )
        else:
            return None
        return None if scores[0] == scores[1] else scores.index(max(scores))

    def returns(self) -> tuple[float, ...] | None:
        if not self._over():
            return None
        winner = self.winner()
        if winner is None:
            return 0.0, 0.0
        return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    def _over(self) -> bool:
        return self._drawn() or self.winner() is not None

    def _across(self, seat: int) -> bool:
        """Whether a pawn of the seat stands on the row farthest from its side (skaane.5)."""
        far_rank = self.height if seat == 0 else 1
        return any(square[1] == far_rank for square in self._squares(seat))

    def _drawn(self) -> bool:
        """Whether the quiet actions have run out (skaane.7), unless the last of them won."""
        return self._quiet >= self.quiet_limit and not self._across(0) and not self._across(1)

    def _squares(self, seat: int) -> list[Square]:
        return [square for square, letter in self._pawns.items() if owner_of(letter) == seat]

    def _holds(self, square: Square, seat: int) -> bool:
        """Whether a pawn of the seat stands there."""
        return square in self._pawns and owner_of(self._pawns[square]) == seat

    def _actions(self) -> dict[str, tuple[Square, Square]]:
        """Start and end of every action of the seat to move, by its text."""
        actions: dict[str, tuple[Square, Square]] = {}
        for start in self._squares(self._seat):
            for end in self._positionings(start):
                actions[f"{name(start)}-{name(end)}"] = (start, end)
            for end in self._attacks(start):
                actions[f"{name(start)}x{name(end)}"] = (start, end)
        return actions

    def _positionings(self, start: Square) -> list[Square]:
        """The first square beyond own pawns in each straight line, where empty (skaane.3)."""
        ends: list[Square] = []
        for direction in STRAIGHT:
            end = step(start, direction)
            while self._holds(end, self._seat):
                end = step(end, direction)
            if self._on_board(end) and end not in self._pawns:
                ends.append(end)
        return ends

    def _attacks(self, start: Square) -> list[Square]:
        """The diagonal neighbours that hold an enemy this pawn beats (skaane.4)."""
        favoured = BEATS[self._pawns[start].upper()]
        near = [step(start, direction) for direction in DIAGONAL]
        enemies = [end for end in near if self._holds(end, 1 - self._seat)]
        return [end for end in enemies if self._pawns[end].upper() in favoured]

    def _on_board(self, square: Square) -> bool:
        return 1 <= square[0] <= self.width and 1 <= square[1] <= self.height
