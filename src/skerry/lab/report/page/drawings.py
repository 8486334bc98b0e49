"""The plots of a report: what is drawn, how to read it, and the same in words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from skerry.lab.report.page.axes import Axis
from skerry.lab.report.page.plots import Plotter
from skerry.lab.report.page.series import SERIES, Series, SeriesStyle, seat_style
from skerry.lab.report.page.texts import say_mean, say_player, say_share, say_tick
from skerry.lab.report.result.findings import Report, Strength
from skerry.lab.stats.figures import Figure

BINS = 28  # of a distribution, about
LEAST_GAMES = 10  # below which a distribution or a course is none
LEAST_SHARE = 0.02  # of the games that must have come to a ply for its mean to be shown

LEAST_REACH = 0.06  # around a level, where nothing differs from it
SHARES = (-0.02, 1.02)  # what shares need, with room for markers


@dataclass(frozen=True)
class Drawing:
    """A plot for the page."""

    title: str
    reading: str  # how to read it, in a sentence
    svg: str
    words: str  # what it shows, for those who do not see it


class Drawings:
    """Draws the plots of one report."""

    def __init__(self, report: Report, plotter: Plotter) -> None:
        self.report, self.plotter = report, plotter
        self.players = [strength.player for strength in report.strengths]
        self.even = 1 / len(report.seats)
        lengths = {plies for strength in report.strengths for plies, _ in strength.lengths}
        self.only_length = lengths.pop() if len(lengths) == 1 else None  # of all games there are

    def draw_all(self) -> dict[str, Drawing | None]:
        """All plots by name; None for those that there is nothing to show in."""
        if not self.players:
            return {}
        return {
            "seats": self.draw_seats(),
            "draws": self.draw_draws(),
            "lengths": self.draw_lengths(),
            "mean_lengths": self.draw_mean_lengths(),
            "branching": self.draw_branching(),
            "skill": self.draw_skill(),
            "drama": self.draw_drama(),
        }

    def draw_seats(self) -> Drawing:
        """Who is favoured, by strength. Of two seats one tells all."""
        report, seats = self.report, self.report.seats
        shown = range(len(seats)) if len(seats) > 2 else range(1)
        series = [
            self._by_strength(
                seats[seat], seat_style(seat, seats), [s.won[seat] for s in report.strengths]
            )
            for seat in shown
        ]
        whose = "each seat" if len(seats) > 2 else seats[0]
        svg = self.plotter.draw_intervals(
            series,
            self._strengths_axis(),
            Axis(f"won by {whose}", percent=True, limits=limit_around(self.even, series, SHARES)),
            even=self.even,
            poles=tuple(f"{seat} favoured" for seat in seats) if len(seats) == 2 else (),
        )
        reading = (
            f"The share of points that {whose} wins when players of one strength play each other. "
            f"Where a whisker does not touch the dotted line, "
            f"{'a seat' if len(seats) > 2 else 'one seat'} is favoured."
        )
        words = "; ".join(
            f"{seats[seat]}: {_list(self.players, (s.won[seat] for s in report.strengths))}"
            for seat in shown
        )
        return Drawing("Seats by strength", reading, svg, words)

    def draw_draws(self) -> Drawing | None:
        """How often nobody wins; None if that never happened."""
        draws = [strength.draws for strength in self.report.strengths]
        if not any(figure.value for figure in draws):
            return None
        series = self._by_strength("draws", SERIES[0], draws)
        top = max(figure.high for figure in draws)
        svg = self.plotter.draw_intervals(
            [series],
            self._strengths_axis(),
            Axis("drawn games", percent=True, limits=(-0.02 * top, min(1.02, 1.05 * top))),
        )
        reading = "The share of games that end in a draw, by the strength of both players."
        return Drawing("Draws by strength", reading, svg, _list(self.players, draws))

    def draw_lengths(self) -> Drawing | None:
        """How long games are, for the weakest, the middle and the strongest players."""
        chosen = [s for s in choose_three(self.report) if s.games >= LEAST_GAMES]
        if not chosen or self.only_length:
            return None
        plies = [ply for strength in chosen for ply, _ in strength.lengths]
        width = max(1, round((max(plies) - min(plies)) / BINS))
        first = min(plies) // width * width
        bins = range(first, max(plies) + 1, width)
        series = []
        for strength, style in zip(chosen, SERIES, strict=False):
            counted = dict.fromkeys(bins, 0)
            for ply, games in strength.lengths:
                counted[first + (ply - first) // width * width] += games
            values = [games / strength.games for games in counted.values()]
            middles = [start + (width - 1) / 2 for start in bins]
            series.append(Series(say_player(strength.player), style, middles, values))
        svg = self.plotter.draw_steps(series, Axis("plies"), Axis(percent=True), width)
        reading = f"Each outline shows which share of games was how long, in steps of {width}."
        if width == 1:
            reading = "Each outline shows which share of games took how many plies."
        words = "; ".join(
            f"{say_player(s.player)}: {s.lengths[0][0]} to {s.lengths[-1][0]} plies, "
            f"{say_mean(s.length.value)} on average"
            for s in chosen
        )
        return Drawing("Length of games", reading, svg, words)

    def draw_mean_lengths(self) -> Drawing | None:
        if self.only_length:
            return None
        lengths = [strength.length for strength in self.report.strengths]
        series = self._by_strength("length", SERIES[0], lengths)
        svg = self.plotter.draw_intervals([series], self._strengths_axis(), Axis("plies a game"))
        reading = "The mean number of plies in a game, by the strength of the players."
        words = _list(self.players, lengths, percent=False)
        return Drawing("Length by strength", reading, svg, words)

    def draw_branching(self) -> Drawing | None:
        """How many choices there are, ply by ply; None if nobody counted."""
        series, words = [], []
        counted = [s for s in self.report.strengths if s.branching]
        for strength, style in zip(counted, SERIES, strict=False):
            least = max(LEAST_GAMES, LEAST_SHARE * strength.branching[0].n)
            figures = [figure for figure in strength.branching if figure.n >= least]
            if not figures:
                continue
            series.append(
                make_series(say_player(strength.player), style, range(1, 1 + len(figures)), figures)
            )
            some = figures[:: max(1, len(figures) // 6)]
            words.append(
                f"{say_player(strength.player)}: "
                + ", ".join(say_mean(figure.value) for figure in some)
            )
        if not series:
            return None
        top = max(max(one.values) for one in series)
        svg = self.plotter.draw_bands(
            series, Axis("ply"), Axis("legal actions", limits=(0, 1.15 * top))
        )
        reading = "The mean number of legal actions at each ply, with its 95 % interval as a band."
        return Drawing("Choices by ply", reading, svg, "; ".join(words))

    def draw_skill(self) -> Drawing | None:
        """How often the better player wins; None if nobody was asked."""
        if not self.report.skill:
            return None
        figures = [skill.won for skill in self.report.skill]
        names = [f"{say_tick(s.better)} v {say_tick(s.worse)}" for s in self.report.skill]
        places = list(range(len(names)))
        series = make_series("won by the better", SERIES[0], places, figures)
        svg = self.plotter.draw_intervals(
            [series],
            Axis("levels", ticks=list(zip(places, _stagger(names), strict=True))),
            Axis("won by the better", percent=True, limits=(min(0.45, *series.low) - 0.02, 1.02)),
            even=0.5,
        )
        reading = (
            "What a player wins against the next weaker one, all seats taken in turn. "
            "The higher above the dotted line, the more skill there is left to show."
        )
        return Drawing("Skill trace", reading, svg, _list(names, figures))

    def draw_drama(self) -> Drawing | None:
        """How the chances of the later winner grow."""
        drama = self.report.drama
        if drama is None:
            return None
        last = len(drama.curve) - 1
        places = [number / last for number in range(last + 1)]
        series = make_series("winner", SERIES[0], places, drama.curve)
        svg = self.plotter.draw_bands(
            [series],
            Axis("share of the game played", percent=True, limits=(0, 1)),
            Axis("chance of the winner", percent=True, limits=(0, 1.02)),
        )
        reading = (
            "What an engine gave whoever won in the end, over the course of the game. "
            "A line that rises late means games that stay open."
        )
        return Drawing(
            "When the winner is known", reading, svg,
            _list([f"{100 * place:.0f} % played" for place in places], drama.curve),
        )  # fmt: skip

    # What the plots have in common.

    def _by_strength(self, name: str, style: SeriesStyle, figures: Sequence[Figure]) -> Series:
        return make_series(name, style, range(len(figures)), figures)

    def _strengths_axis(self) -> Axis:
        ticks = [(float(at), say_tick(player)) for at, player in enumerate(self.players)]
        return Axis("level of both players" if self.even == 0.5 else "level of all players", ticks)


def choose_three(report: Report) -> list[Strength]:
    """The weakest, the middle and the strongest players, as far as they differ."""
    strengths = report.strengths
    middle = [s for s in strengths if s.player == report.middle]
    chosen = {s.player: s for s in (*strengths[:1], *middle, *strengths[-1:])}
    return list(chosen.values())


def make_series(
    name: str, style: SeriesStyle, at: Iterable[float], figures: Sequence[Figure]
) -> Series:
    return Series(
        name, style, list(at),
        [f.value for f in figures], [f.low for f in figures], [f.high for f in figures],
    )  # fmt: skip


def limit_around(
    level: float, series: Sequence[Series], bounds: tuple[float, float] = (-inf, inf)
) -> tuple[float, float]:
    """Limits that show all intervals, as much below a level as above it, within bounds."""
    ends = [end for one in series for end in (*one.low, *one.high)]
    reach = 1.08 * max(LEAST_REACH, *(abs(end - level) for end in ends))
    return max(bounds[0], level - reach), min(bounds[1], level + reach)


def _stagger(names: Sequence[str]) -> list[str]:
    """Names that would touch each other are written in two rows."""
    if len(names) <= 5:
        return list(names)
    return [name if number % 2 == 0 else f"\n{name}" for number, name in enumerate(names)]


def _list(names: Iterable[str], figures: Iterable[Figure], percent: bool = True) -> str:
    say = say_share if percent else say_mean
    pairs = zip(names, figures, strict=True)
    return ", ".join(f"{say_player(name)} {say(figure.value)}" for name, figure in pairs)
