"""Reference Skirt: hexes are (across, up), half a hex per unit across, the centre at (0, 0)."""

import copy
from string import ascii_lowercase

Hex = tuple[int, int]

CENTRE: Hex = (0, 0)
# e, ne, nw, w, sw, se: in turning order, so that three further on is the opposite direction.
DIRECTIONS: list[Hex] = [(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)]
COLOURS = "wb"


def walk(start: Hex, direction: Hex, steps: int = 1) -> Hex:
    return start[0] + steps * direction[0], start[1] + steps * direction[1]


def name_hexes(side: int) -> dict[str, Hex]:
    """Every hex by name: row `a` is the lowest, and each row counts from the left."""
    names: dict[str, Hex] = {}
    for letter, up in zip(ascii_lowercase, range(-side + 1, side), strict=False):
        length = 2 * side - 1 - abs(up)
        for number in range(1, length + 1):
            names[f"{letter}{number}"] = (2 * number - 1 - length, up)
    return names


def trace_sides(side: int) -> list[set[Hex]]:
    """The six sides in turning order, each walked from one corner to the next (skirt.1)."""
    sides: list[set[Hex]] = []
    for index, direction in enumerate(DIRECTIONS):
        corner = walk(CENTRE, direction, side - 1)
        towards_next = DIRECTIONS[(index + 2) % 6]
        sides.append({walk(corner, towards_next, steps) for steps in range(side)})
    return sides


class Skirt:
    def __init__(self, *, side: int = 6, jumps: int = 1, alternate: int = 1) -> None:
        assert 2 <= side <= 13, "rows are named by one letter"
        self.side = side
        self.jumps = jumps
        self.alternate = alternate
        self._hexes = name_hexes(side)
        self._names = {place: name for name, place in self._hexes.items()}
        self._sides = trace_sides(side)
        self._outer = set().union(*self._sides)
        self._inner = set(self._names) - self._outer
        self._stones: dict[Hex, int] = {}
        self._seat = 0
        self._pending: Hex | None = None
        self._passes = 0

    def copy(self) -> "Skirt":
        twin = copy.copy(self)
        twin._stones = dict(self._stones)
        return twin

    @property
    def to_move(self) -> int | None:
        return None if self._over() else self._seat

    @property
    def pending(self) -> str | None:
        """The outer piece just placed whose inner placement is due."""
        return None if self._pending is None else self._names[self._pending]

    def legal(self) -> set[str]:
        if self._over():
            return set()
        return {self._names[place] for place in self._placements()} or {"pass"}  # skirt.6

    def play(self, text: str) -> None:
        assert text in self.legal(), text
        if text == "pass":
            self._passes += 1
            self._seat = 1 - self._seat
        else:
            self._passes = 0
            self._place(self._hexes[text])

    def cells(self) -> dict[str, str]:
        return {self._names[place]: COLOURS[seat] for place, seat in self._stones.items()}

    def reachable_from(self, outer_name: str) -> set[str]:
        """Names of the inner hexes open to a piece on this outer hex, whether or not it stands."""
        return {self._names[place] for place in self._reachable(self._hexes[outer_name])}

    def connected(self, seat: int) -> bool:
        """Whether one group of the seat joins the sides that win (skirt.7)."""
        return any(self._joins(group) for group in self._groups(seat))

    def score(self) -> tuple[int, ...] | None:
        return None

    def winner(self) -> int | None:
        for seat in (0, 1):
            if self.connected(seat):
                return seat
        return None

    def returns(self) -> tuple[float, ...] | None:
        if not self._over():
            return None
        winner = self.winner()
        if winner is None:
            return 0.0, 0.0
        return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    def _over(self) -> bool:
        return self._passes == 2 or self.winner() is not None  # skirt.6, skirt.7

    def _placements(self) -> set[Hex]:
        if self._pending is not None:
            return self._reachable(self._pending)  # skirt.3a
        placements = self._outer - set(self._stones)  # skirt.2, skirt.3a
        for place, seat in self._stones.items():
            if seat == self._seat and place in self._outer:
                placements |= self._reachable(place)  # skirt.3b
        return placements

    def _place(self, place: Hex) -> None:
        opening = not self._stones
        self._stones[place] = self._seat
        self._pending = None
        if self._over():
            return
        # skirt.2: the opening is a whole turn; skirt.5: so is an outer piece that reaches nothing.
        if place in self._outer and not opening and self._reachable(place):
            self._pending = place
        else:
            self._seat = 1 - self._seat

    def _reachable(self, outer: Hex) -> set[Hex]:
        """Walk each line from the outer hex through the inner area (skirt.4)."""
        reached: set[Hex] = set()
        for direction in DIRECTIONS:
            place = walk(outer, direction)
            # The one jump: only a run that begins right beside the outer hex is passed over.
            while self.jumps and place in self._inner and place in self._stones:
                place = walk(place, direction)
            while place in self._inner and place not in self._stones:
                reached.add(place)
                place = walk(place, direction)
        return reached

    def _groups(self, seat: int) -> list[set[Hex]]:
        unvisited = {place for place, owner in self._stones.items() if owner == seat}
        groups: list[set[Hex]] = []
        while unvisited:
            frontier = [unvisited.pop()]
            group: set[Hex] = set()
            while frontier:
                place = frontier.pop()
                group.add(place)
                near = {walk(place, direction) for direction in DIRECTIONS} & unvisited
                unvisited -= near
                frontier.extend(near)
            groups.append(group)
        return groups

    def _joins(self, group: set[Hex]) -> bool:
        touched = [bool(group & side) for side in self._sides]
        opposite = any(touched[index] and touched[index + 3] for index in range(3))
        alternate = all(touched[0::2]) or all(touched[1::2])
        return opposite or bool(self.alternate and alternate)
