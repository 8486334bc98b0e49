"""Boards with numbers on their cells, and how warm each is."""

from collections.abc import Mapping
from dataclasses import dataclass

from skerry.core.game import Game
from skerry.core.scene import COUNTS, HEAT, Mark, Overlay, Scene
from skerry.lab.report.page.paints import BOTH, Paints, Pair
from skerry.lab.report.result.findings import Opening, Report
from skerry.render.explain import LEAST_HEAT, MORE_HEAT
from skerry.render.svg import draw
from skerry.render.themes import DARK, LIGHT, mix

FAIREST = 8  # openings that stand out, at most


@dataclass(frozen=True)
class HeatMap:
    """A board for the page, how to read it, and the ends of its scale."""

    title: str
    reading: str
    svg: str
    colours: tuple[str, str]
    ends: tuple[str, str]


@dataclass(frozen=True)
class OpeningMap:
    """The value of first moves upon their cells, and the fairest of them."""

    heat: HeatMap
    fairest: list[Opening]


class Boards:
    """Draws the empty board of a game, again and again."""

    def __init__(self, game: Game, paints: Paints) -> None:
        self.game, self.paints = game, paints
        self.count = 0

    def draw_heat(
        self,
        title: str,
        reading: str,
        values: Mapping[int, float],
        least: float = 0.0,
        ringed: tuple[int, ...] = (),
    ) -> HeatMap:
        """Values upon cells, in hundredths; the scale begins with what is ``least``.

        Cells without a value stay as they are, and ``ringed`` ones stand out.
        """
        game, most = self.game, max(values.values())
        span = (most - least) or 1.0
        marks = [
            Mark(cell, HEAT, weight=(value - least) / span, text=f"{100 * value:.0f}")
            for cell, value in values.items()
        ]
        overlay = Overlay(marks=(*marks, *(Mark(cell, COUNTS) for cell in ringed)))
        scene = Scene(game.board, game.seats, {}, game.view.zones, game.view.surface, overlay)
        self.count += 1
        prefix = f"map{self.count}-"
        drawn = (draw(scene, theme=theme, title=title, prefix=prefix) for theme in BOTH)
        low, high = (f"{100 * end:.0f}" for end in (least, most))
        return HeatMap(title, reading, self.paints.blend(*drawn), self._scale(), (low, high))

    def _scale(self) -> tuple[str, str]:
        """The colours of a cell that is hardly and of one that is very warm."""
        cold, hot = (
            Pair(*(mix(theme.cell, theme.heat, share) for theme in (LIGHT, DARK)))
            for share in (LEAST_HEAT, LEAST_HEAT + MORE_HEAT)
        )
        return self.paints.variable(cold), self.paints.variable(hot)


def map_openings(report: Report, boards: Boards) -> OpeningMap | None:
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
        f"How many of a hundred points {first} wins after a first move there. Darker is better "
        f"for {first}; the fairest are ringed."
    )
    if len(values) < sum(len(opening.images) for opening in moves.values()):
        reading += " Where several moves begin, the best one counts."
    ringed = tuple(sorted({cell for opening in fairest for cell in opening.cells}))
    least = min(values.values())
    return OpeningMap(boards.draw_heat("The opening map", reading, values, least, ringed), fairest)


def map_use(report: Report, boards: Boards) -> list[HeatMap]:
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
                maps.append(boards.draw_heat(name, told, used))
    return maps
