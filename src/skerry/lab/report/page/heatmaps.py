"""Boards with numbers on their cells, and how warm each is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skerry.core.game import Game
from skerry.core.scene import COUNTS, HEAT, Mark, Overlay, Scene
from skerry.lab.report.page.paints import Pair
from skerry.lab.report.result.findings import Opening, Report
from skerry.render.explain import LEAST_HEAT, MORE_HEAT
from skerry.render.svg import draw
from skerry.render.themes import DARK, LIGHT, mix

FAIREST = 8  # openings that stand out, at most
NAMED = 3  # cells that are named in words, at either end
SHADES = 6  # of the scale


@dataclass(frozen=True)
class HeatMap:
    """Values upon cells, and how to read them; the scale begins with what is ``least``.

    Cells without a value stay as they are, and ``ringed`` ones stand out.
    """

    title: str
    reading: str
    values: Mapping[int, float]
    least: float = 0.0
    ringed: tuple[int, ...] = ()

    @property
    def most(self) -> float:
        return max(self.values.values())

    @property
    def ends(self) -> tuple[str, str]:
        """What is written at the ends of the scale."""
        return _write(self.least), _write(self.most)

    def describe(self, game: Game) -> str:
        """What it shows, for those who do not see it."""
        order = sorted(self.values, key=lambda cell: -self.values[cell])
        if len(order) <= 2 * NAMED:
            return f"{self.title}: {self._list(game, order)}"
        most, least = self._list(game, order[:NAMED]), self._list(game, order[-NAMED:])
        return f"{self.title}: most at {most}; least at {least}"

    def _list(self, game: Game, cells: Sequence[int]) -> str:
        return ", ".join(f"{game.board.names[cell]} {_write(self.values[cell])}" for cell in cells)


@dataclass(frozen=True)
class OpeningMap:
    """The value of first moves upon their cells, and the fairest of them."""

    heat: HeatMap
    fairest: list[Opening]


def draw_heat(game: Game, heat: HeatMap, theme: str, prefix: str = "") -> str:
    """The board with its numbers, in hundredths."""
    span = (heat.most - heat.least) or 1.0
    marks = [
        Mark(cell, HEAT, weight=(value - heat.least) / span, text=_write(value))
        for cell, value in heat.values.items()
    ]
    overlay = Overlay(marks=(*marks, *(Mark(cell, COUNTS) for cell in heat.ringed)))
    scene = Scene(game.board, game.seats, {}, game.view.zones, game.view.surface, overlay)
    return draw(scene, theme=theme, title=heat.title, prefix=prefix)


def list_shades() -> list[Pair]:
    """The colours of cells from hardly to very warm."""
    shares = (LEAST_HEAT + MORE_HEAT * number / (SHADES - 1) for number in range(SHADES))
    return [
        Pair(*(mix(theme.cell, theme.heat, share) for theme in (LIGHT, DARK))) for share in shares
    ]


def map_openings(report: Report) -> OpeningMap | None:
    """The first seat's share upon every cell, the best move there counting; None without moves."""
    moves = {opening.move: opening for opening in report.openings.moves}
    if not moves:
        return None
    first = report.seats[0]
    fair = min(FAIREST, max(1, len(moves) // 3))  # if all stood out, none would
    fairest = [moves[move] for move in report.openings.fairest[:fair]]
    values: dict[int, float] = {}
    for opening in moves.values():
        for cell in opening.cells:
            values[cell] = max(values.get(cell, 0.0), opening.won[0].value)
    reading = (
        f"How many of a hundred points {first} wins after a first move there. The bluer, the "
        f"better for {first}; the fairest are ringed."
    )
    if len(values) < sum(len(opening.images) for opening in moves.values()):
        reading += " Where several moves begin, the best one counts."
    ringed = tuple(sorted({cell for opening in fairest for cell in opening.cells}))
    least = min(values.values())
    return OpeningMap(HeatMap("The opening map", reading, values, least, ringed), fairest)


def map_use(report: Report) -> list[HeatMap]:
    """Where all seats and each of them move, and what counts in the end."""
    use, maps = report.board_use, []
    kinds = (
        ("Moves", "How many moves go to each cell", use.moves),
        ("At the end", f"How often each cell is part of {use.counts_mean}", use.counts),
    )
    for title, reading, table in kinds:
        total = tuple(sum(column) for column in zip(*table, strict=True))
        for whose, values in (("all seats", total), *zip(report.seats, table, strict=True)):
            used = {cell: value for cell, value in enumerate(values) if value > 0}
            if used:
                name, told = f"{title}: {whose}", f"{reading}, in a hundred games."
                maps.append(HeatMap(name, told, used))
    return maps


def _write(value: float) -> str:
    return f"{100 * value:.0f}"
