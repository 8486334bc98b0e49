"""Reference X: cells are (letter, number), both from 1, with the left corner at (1, 1)."""

import copy
from collections import Counter
from string import ascii_lowercase

Cell = tuple[int, int]

NEIGHBOURS: list[Cell] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
COLOURS = "ryg"
SEATS = range(3)


def grow_group(stones: dict[Cell, int], start: Cell) -> set[Cell]:
    """All cells joined to the start by stones of its colour."""
    group = {start}
    frontier = [start]
    while frontier:
        letter, number = frontier.pop()
        for up, along in NEIGHBOURS:
            near = (letter + up, number + along)
            if near not in group and stones.get(near) == stones[start]:
                group.add(near)
                frontier.append(near)
    return group


def find_owner(stones: dict[Cell, int], corner: Cell) -> int:
    """The seat that owns a corner of a full board (x.3)."""
    # The corner's two sides: the cells that share its letter, and those that share its number.
    letter_side = [cell for cell in stones if cell[0] == corner[0]]
    owners: list[int] = []
    reaches: list[tuple[int, int]] = []
    visited: set[Cell] = set()
    for start in letter_side:
        if start in visited:
            continue
        group = grow_group(stones, start)
        visited |= group
        along_letter = [abs(number - corner[1]) for letter, number in group if letter == corner[0]]
        along_number = [abs(letter - corner[0]) for letter, number in group if number == corner[1]]
        if along_number:
            owners.append(stones[start])
            reaches.append((max(along_letter), max(along_number)))
    farthest = max(reaches)
    # Paths cannot cross, so the group that is outermost on one side is so on the other.
    assert farthest[1] == max(reach[1] for reach in reaches), (corner, reaches)
    return owners[reaches.index(farthest)]


class X:
    def __init__(self, *, size: int = 10) -> None:
        assert 2 <= size <= 19, "sizes from 2 to 19"
        self.size = size
        span = range(1, size + 1)
        self._names = {
            (letter, number): f"{ascii_lowercase[letter - 1]}{number}"
            for letter in span
            for number in span
        }
        self._cells = {name: cell for cell, name in self._names.items()}
        self._stones: dict[Cell, int] = {}
        self._owners: dict[str, int] = {}

    def copy(self) -> "X":
        twin = copy.copy(self)
        twin._stones = dict(self._stones)
        return twin

    @property
    def corners(self) -> list[str]:
        """Names of the left, top, right and bottom corner."""
        ends = [(1, 1), (self.size, 1), (self.size, self.size), (1, self.size)]
        return [self._names[end] for end in ends]

    @property
    def to_move(self) -> int | None:
        return None if self._over() else len(self._stones) % len(SEATS)  # x.2

    def legal(self) -> set[str]:
        if self._over():
            return set()
        return {name for cell, name in self._names.items() if cell not in self._stones}  # x.2

    def play(self, text: str) -> None:
        assert text in self.legal(), text
        seat = self.to_move
        assert seat is not None
        self._stones[self._cells[text]] = seat
        self._owners = self.settled()

    def cells(self) -> dict[str, str]:
        return {self._names[cell]: COLOURS[seat] for cell, seat in self._stones.items()}

    def neighbours(self, name: str) -> set[str]:
        letter, number = self._cells[name]
        near = {(letter + up, number + along) for up, along in NEIGHBOURS}
        return {self._names[cell] for cell in near if cell in self._names}

    def owner(self, cells: dict[str, str], corner: str) -> int:
        """Who owns the corner on a full board of this size, given as `cells()` gives it."""
        assert set(cells) == set(self._cells), "a corner has an owner on a full board only"
        stones = {self._cells[name]: COLOURS.index(colour) for name, colour in cells.items()}
        return find_owner(stones, self._cells[corner])

    def could_own(self, seat: int, corner: str) -> bool:
        """Whether the seat owns the corner once every empty cell is its own (x.4)."""
        filled = {cell: self._stones.get(cell, seat) for cell in self._names}
        return find_owner(filled, self._cells[corner]) == seat

    def settled(self) -> dict[str, int]:
        """The owner of every corner that only one seat could still own (x.4)."""
        owners: dict[str, int] = {}
        for corner in self.corners:
            able = [seat for seat in SEATS if self.could_own(seat, corner)]
            assert able, corner
            if len(able) == 1:
                owners[corner] = able[0]
        return owners

    def score(self) -> tuple[int, ...] | None:
        if not self._over():
            return None
        return tuple(list(self._owners.values()).count(seat) for seat in SEATS)

    def winner(self) -> int | None:
        score = self.score()
        if score is None:
            return None
        times = Counter(score)
        # x.5; x.6: four corners over three seats always leave a number that occurs once.
        return score.index(max(number for number in score if times[number] == 1))

    def returns(self) -> tuple[float, ...] | None:
        winner = self.winner()
        if winner is None:
            return None
        return tuple(1.0 if seat == winner else -0.5 for seat in SEATS)

    def _over(self) -> bool:
        return len(self._owners) == len(self.corners)  # x.4
