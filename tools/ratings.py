"""Rate simulated players of known strength, and show what comes of it in docs/lab/ratings.md:

python tools/ratings.py

Clubs of players who never change play each other and anchored levels, by the model of the ratings
but for what real games have besides: seats that are worth something, and draws.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from plots import COLOURS, frame, say, stroke

from skerry.lab.report.page.axes import Axis, Scale
from skerry.lab.stats.glicko import START, Glicko, rate_game
from skerry.lab.stats.ratings import ELO
from skerry.lab.stats.results import SURE
from skerry.render.markup import element

PAGE = Path(__file__).resolve().parent.parent / "docs" / "lab" / "ratings.md"
SEED = 1
CLUBS = 10  # what the table is the mean of
PLOTTED = 50  # games that each player has played in the picture
LEVELS = np.arange(1000.0, 2200.0, 150.0)
LEVEL_ERROR = 60.0  # by how much levels are other than they are said to be, one standard error
NEAR = 150.0  # how well opponents are matched
PACE = 0.2  # periods between two games of a player: a game a day
MARKS = {"light": "#a23b08", "dark": "#f5a06a"}
PANEL, GAP, LEFT, TOP, BOTTOM = 300.0, 24.0, 44.0, 26.0, 40.0
HEAD = "club | games each | order | off by | told | within 95 % | too high by"
Array = NDArray[np.float64]


@dataclass
class Club:
    """Players of known strength, and what is said of them.

    With ``levels``, a third of all opponents are levels, off by ``error``; ``edge`` is what the
    first seat is worth in Elo; ``drawn`` is how many of the games are drawn that could be, taken
    from the chances of all seats alike, so that the points that seats expect are the same.
    """

    seats: int
    seed: int = SEED
    size: int = 60
    levels: bool = True
    error: float = LEVEL_ERROR
    edge: float = 0.0
    drawn: float = 0.0
    spread: float = 300.0
    time: float = 0.0  # in periods
    chooser: np.random.Generator = field(init=False)
    truth: Array = field(init=False)  # [players and levels]
    said: list[Glicko] = field(init=False)
    since: Array = field(init=False)
    games: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self.chooser = np.random.default_rng(self.seed)
        persons = self.chooser.normal(START, self.spread, self.size)
        errors = self.chooser.normal(0, self.error, len(LEVELS))
        self.truth = np.concatenate([persons, LEVELS + errors])
        self.said = [Glicko()] * self.size + [Glicko(level, self.error) for level in LEVELS]
        self.since = np.zeros(len(self.truth))
        self.games = np.zeros(len(self.truth), np.int64)

    def play(self, each: int) -> None:
        """Play until everybody has played so many games on average."""
        persons = range(self.size)
        while self.games[: self.size].mean() < each:
            table = self._seat_players()
            shares = self._draw_result(table)
            passed = [self.time - self.since[n] if n in persons else 0.0 for n in table]
            after = rate_game([self.said[n] for n in table], shares, passed)
            for n, now in zip(table, after, strict=True):
                self.games[n] += 1
                if n in persons:  # levels stay where they are
                    self.said[n], self.since[n] = now, self.time
            self.time += PACE * self.seats / self.size

    def _seat_players(self) -> list[int]:
        """Somebody and opponents of about the same rating, in seats by lot."""
        ratings = np.array([one.rating for one in self.said])
        table = [int(self.chooser.integers(self.size))]
        wanted = ratings[table[0]]
        while len(table) < self.seats:
            distance = np.abs(ratings - wanted - self.chooser.normal(0, NEAR))
            distance[table] = np.inf
            is_level = self.levels and self.chooser.random() < 1 / 3
            distance[: self.size if is_level else 0] = np.inf
            distance[len(self.truth) if is_level else self.size :] = np.inf
            table.append(int(np.argmin(distance)))
        return [table[seat] for seat in self.chooser.permutation(self.seats)]

    def _draw_result(self, table: list[int]) -> list[float]:
        strength = self.truth[table] / ELO
        strength[0] += self.edge / ELO
        chances = np.exp(strength - strength.max())
        chances /= chances.sum()
        draw = self.drawn * chances.min()
        won = self.chooser.choice(self.seats + 1, p=[*(chances - draw), self.seats * draw])
        if won == self.seats:
            return [1 / self.seats] * self.seats
        return [float(seat == won) for seat in range(self.seats)]

    # What came of it.

    @property
    def ratings(self) -> Array:
        return np.array([one.rating for one in self.said[: self.size]])

    @property
    def deviations(self) -> Array:
        passed = self.time - self.since[: self.size]
        rested = [one.rest(t) for one, t in zip(self.said[: self.size], passed, strict=True)]
        return np.array([one.deviation for one in rested])

    @property
    def errors(self) -> Array:
        return self.ratings - self.truth[: self.size]

    @property
    def order(self) -> float:
        """Spearman's rank correlation of what is said with what is true."""
        ranks = [values.argsort().argsort() for values in (self.ratings, self.truth[: self.size])]
        return float(np.corrcoef(*ranks)[0, 1])

    @property
    def coverage(self) -> float:
        """The share of players whose true strength is in their 95 % interval."""
        return float((np.abs(self.errors) <= SURE * self.deviations).mean())


SORTS = {
    "2 seats": {"seats": 2},
    "3 seats": {"seats": 3},
    "2 seats, half drawn, the first worth 50 Elo": {"seats": 2, "edge": 50.0, "drawn": 0.5},
    "3 seats, half drawn, the first worth 50 Elo": {"seats": 3, "edge": 50.0, "drawn": 0.5},
}
STAGES = (10, 30, 100, 300)


def list_rows() -> Iterator[str]:
    """The table: all sorts of clubs, after so many games."""
    for name, sort in SORTS.items():
        clubs = [Club(**sort, seed=seed) for seed in range(CLUBS)]
        for stage in STAGES:
            for club in clubs:
                club.play(stage)
            errors = np.concatenate([club.errors for club in clubs])
            cells = (
                name,
                f"{stage}",
                f"{np.mean([club.order for club in clubs]):.3f}",
                f"{np.sqrt((errors**2).mean()):.0f}",
                f"{np.sqrt(np.mean([club.deviations**2 for club in clubs])):.0f}",
                f"{100 * np.mean([club.coverage for club in clubs]):.0f} %",
                f"{errors.mean():+.0f}".replace("-", "\N{MINUS SIGN}"),
            )
            yield f"| {' | '.join(cells)} |"


def write_table() -> str:
    titles = HEAD.split(" | ")
    return "\n".join([f"| {HEAD} |", f"|{'---|' * len(titles)}", *list_rows()]) + "\n"


def draw(theme: str) -> str:
    """What is said of players beside what is true, for two seats and for three."""
    shapes = [shape for n, seats in enumerate((2, 3)) for shape in _draw_panel(n, seats, theme)]
    return frame(shapes, LEFT + 2 * PANEL + GAP, TOP + PANEL + BOTTOM)


def _draw_panel(number: int, seats: int, theme: str) -> Iterator[str]:
    colours = COLOURS[theme]
    club = Club(seats)
    club.play(PLOTTED)
    left = LEFT + number * (PANEL + GAP)
    span = (600.0, 2400.0)
    x, y = Scale(span, (left, left + PANEL)), Scale(span, (TOP + PANEL, TOP))

    for at, text in Axis().list_ticks(span):
        yield stroke([(left, y.place(at)), (left + PANEL, y.place(at))], colours["rule"])
        yield say(text, x.place(at), TOP + PANEL + 16, colours["soft"])
        if not number:
            yield say(text, left - 6, y.place(at) + 4, colours["soft"], "end")
    yield stroke([(left, TOP + PANEL), (left + PANEL, TOP)], colours["soft"])
    said = zip(club.truth[: club.size], club.ratings, SURE * club.deviations, strict=True)
    for truth, rating, margin in said:
        place = x.place(truth)
        ends = [(place, y.place(rating + side * margin)) for side in (-1, 1)]
        yield stroke(ends, MARKS[theme])
        yield element(
            "circle", cx=f"{place:.1f}", cy=f"{y.place(rating):.1f}", r="2.6", fill=colours["ink"]
        )
    covered = f"{100 * club.coverage:.0f} % of intervals hold the truth"
    title = f"{seats} seats, {PLOTTED} games each: {covered}"
    yield say(title, left, TOP - 10, colours["ink"], "start")
    yield say("true strength", left + PANEL / 2, TOP + PANEL + 34, colours["soft"])


def place_picture(theme: str) -> Path:
    return PAGE.with_name("images") / f"ratings-{theme}.svg"


if __name__ == "__main__":
    for theme in COLOURS:
        place_picture(theme).parent.mkdir(exist_ok=True)
        place_picture(theme).write_text(draw(theme) + "\n", encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    found = re.compile(rf"\| {re.escape(HEAD)} \|\n(\|.*\n)+")
    PAGE.write_text(found.sub(lambda _: write_table(), text), encoding="utf-8")
