"""Reference Skew: holes are cube coordinates (x, y, z) with x + y + z = 0, centre (0, 0, 0)."""

import copy
from string import ascii_lowercase
from typing import NamedTuple

Hole = tuple[int, int, int]

CENTRE: Hole = (0, 0, 0)
DIRECTIONS: dict[str, Hole] = {
    "e": (1, -1, 0),
    "ne": (1, 0, -1),
    "nw": (0, 1, -1),
    "w": (-1, 1, 0),
    "sw": (-1, 0, 1),
    "se": (0, -1, 1),
}


class Peg(NamedTuple):
    seat: int
    lean: str


def step(hole: Hole, direction: str) -> Hole:
    x, y, z = hole
    dx, dy, dz = DIRECTIONS[direction]
    return x + dx, y + dy, z + dz


def name_holes(side: int) -> dict[str, Hole]:
    """Every hole by name: row `a` is the lowest, and each row counts from the left."""
    reach = range(-side + 1, side)
    names: dict[str, Hole] = {}
    for letter, z in zip(ascii_lowercase, reversed(reach), strict=False):
        row = [(x, -x - z, z) for x in reach if -x - z in reach]
        names.update({f"{letter}{number}": hole for number, hole in enumerate(row, start=1)})
    return names


def find_scoring(pegs: dict[Hole, Peg]) -> set[Hole]:
    """Holes of the pegs whose chain of leans ends at the black peg (skew.7)."""
    scoring: set[Hole] = set()
    while True:
        targets = scoring | {CENTRE}
        found = {hole for hole, peg in pegs.items() if step(hole, peg.lean) in targets}
        if found == scoring:
            return scoring
        scoring = found


def count_seats(pegs: dict[Hole, Peg]) -> tuple[int, int]:
    """Scoring pegs of each seat (skew.7)."""
    seats = [pegs[hole].seat for hole in find_scoring(pegs)]
    return seats.count(0), seats.count(1)


class Skew:
    def __init__(self, *, side: int = 5, pegs: int = 24, bonus: int = 0, extra: int = 0) -> None:
        assert 2 <= side <= 13, "rows are named by one letter"
        self.side = side
        self.pegs = (pegs + extra, pegs)  # of each seat
        self.bonus = bonus
        self._holes = name_holes(side)
        self._names = {hole: name for name, hole in self._holes.items()}
        self._standing: dict[Hole, Peg] = {}
        self._seat = 0  # skew.2

    def copy(self) -> "Skew":
        twin = copy.copy(self)
        twin._standing = dict(self._standing)
        return twin

    @property
    def to_move(self) -> int | None:
        return None if self._over() else self._seat

    def legal(self) -> set[str]:
        if self._over():
            return set()
        # skew.4: every direction is open to every placed peg.
        actions = {
            f"{self._names[hole]}-{direction}"
            for hole in self._open_holes(self._seat)
            for direction in DIRECTIONS
        }
        return actions or {"pass"}  # skew.6

    def play(self, text: str) -> None:
        assert text in self.legal(), text
        if text != "pass":
            name, direction = text.split("-")
            self._standing[self._holes[name]] = Peg(self._seat, direction)
            self._propagate(self._holes[name], direction)
        self._seat = 1 - self._seat

    def cells(self) -> dict[str, str]:
        contents = {
            self._names[hole]: f"{peg.seat}{peg.lean}" for hole, peg in self._standing.items()
        }
        contents[self._names[CENTRE]] = "*"  # skew.1
        return contents

    def scoring(self) -> set[str]:
        """Names of the holes whose pegs score as the board stands, also during the game."""
        return {self._names[hole] for hole in find_scoring(self._standing)}

    def score(self) -> tuple[int, ...] | None:
        return count_seats(self._standing) if self._over() else None

    def winner(self) -> int | None:
        if not self._over():
            return None
        for pegs in (self._standing, self._lean_at_centre()):  # skew.8
            first, second = count_seats(pegs)
            if first + self.bonus / 2 != second:
                return 0 if first + self.bonus / 2 > second else 1
        return None

    def returns(self) -> tuple[float, ...] | None:
        if not self._over():
            return None
        winner = self.winner()
        if winner is None:
            return 0.0, 0.0
        return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    def _over(self) -> bool:
        return not self._open_holes(0) and not self._open_holes(1)  # skew.6

    def _open_holes(self, seat: int) -> set[Hole]:
        placed = sum(peg.seat == seat for peg in self._standing.values())
        if placed == self.pegs[seat]:  # skew.2
            return set()
        empty = set(self._names) - set(self._standing) - {CENTRE}
        return {hole for hole in empty if self._invites(hole, seat)}

    def _invites(self, hole: Hole, seat: int) -> bool:
        """Whether the hole is next to the black peg or to an opponent's peg (skew.3)."""
        neighbours = {step(hole, direction) for direction in DIRECTIONS}
        opponents = {other for other, peg in self._standing.items() if peg.seat != seat}
        return CENTRE in neighbours or bool(neighbours & opponents)

    def _propagate(self, placed: Hole, direction: str) -> None:
        """Lean the pegs in front of the placed one (skew.5)."""
        hole = step(placed, direction)
        while hole == CENTRE or hole in self._standing:
            if hole != CENTRE:
                peg = self._standing[hole]
                if peg.lean == direction:
                    return
                self._standing[hole] = Peg(peg.seat, direction)
            hole = step(hole, direction)

    def _lean_at_centre(self) -> dict[Hole, Peg]:
        """The pegs with every neighbour of the black peg leaned at it, nothing passed on."""
        leaned = dict(self._standing)
        for hole, peg in self._standing.items():
            for direction in DIRECTIONS:
                if step(hole, direction) == CENTRE:
                    leaned[hole] = Peg(peg.seat, direction)
        return leaned
