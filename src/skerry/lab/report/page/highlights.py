"""The figures at the top of a page: what a newcomer asks first, and then a designer."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from skerry.lab.report.page.paints import Paints
from skerry.lab.report.page.series import seat_style
from skerry.lab.report.page.sparks import draw_share, draw_shares, draw_spread
from skerry.lab.report.page.texts import (
    say_list,
    say_mean,
    say_players,
    say_share,
    say_share_range,
)
from skerry.lab.report.result.findings import Report, Skill, Strength
from skerry.lab.report.result.words import (
    ENOUGH,
    find_ahead,
    find_favoured,
    list_strong,
    pool_seats,
)
from skerry.lab.stats.figures import Figure, pool

NARROW = 0.08  # a margin within which something is known about a seat
SLIGHT, GREAT = 0.05, 0.12  # above an equal part
RANDOM = "random"


@dataclass(frozen=True)
class Headline:
    """A question, its answer in a few words, a small picture of it, and how sure it is."""

    question: str
    answer: str
    svg: str
    note: str


@dataclass(frozen=True)
class Tile:
    """One figure, what it is, and how sure."""

    name: str
    value: str
    note: str


def answer_first(report: Report, paints: Paints) -> list[Headline]:
    """Who is favoured, how long a game takes, how much skill counts: among strong players."""
    if not report.strengths:
        return []
    strong = list_strong(report)
    found = [_tell_favoured(report, strong, paints), _tell_length(strong, paints)]
    return [*found, _tell_skill(report.skill, paints)] if report.skill else found


def _tell_favoured(report: Report, strong: Sequence[Strength], paints: Paints) -> Headline:
    won, seats = pool_seats(strong), report.seats
    even = 1 / len(seats)
    ahead = find_ahead(won) if sum(told.games for told in strong) >= ENOUGH else None
    answer = "Nobody clearly"
    if ahead is not None:
        more = won[ahead].value - even
        how = "slightly" if more < SLIGHT else "strongly" if more >= GREAT else "clearly"
        answer = f"{seats[ahead]}, {how}"
    shares = (f"{seat} {100 * figure.value:.0f} %" for seat, figure in zip(seats, won, strict=True))
    margin = 100 * max(figure.margin for figure in won)
    styles = [seat_style(seat, seats) for seat in range(len(seats))]
    return Headline(
        "Who is favoured?",
        answer,
        draw_shares(
            [figure.value for figure in won],
            styles,
            [even * number for number in range(1, len(seats))],
            paints,
        ),
        f"{say_list(shares)} of the points, each ± {margin:.0f}",
    )


def _tell_length(strong: Sequence[Strength], paints: Paints) -> Headline:
    length = pool([told.length for told in strong])
    counts = [pair for told in strong for pair in told.lengths]
    plies = [ply for ply, _ in counts]
    total: dict[int, int] = {}
    for ply, games in counts:
        total[ply] = total.get(ply, 0) + games
    low, high = min(plies), max(plies)
    answer = f"{say_mean(length.value) if length.value < 10 else round(length.value)} moves"
    note = f"from {low} to {high}, all sides together"
    if low == high:
        return Headline("How long is a game?", f"{low} moves", "", "always, all sides together")
    return Headline("How long is a game?", answer, draw_spread(total.items(), paints), note)


def _tell_skill(pairs: Sequence[Skill], paints: Paints) -> Headline:
    """How a level does against the one below it, on average."""
    levels = [pair for pair in pairs if pair.worse != RANDOM] or list(pairs)
    won = average_skill(levels)
    values = [pair.won.value for pair in levels]
    note = f"of the points, against the next weaker level, ± {100 * won.margin:.0f}"
    if len(values) > 1:
        note += f"; {100 * min(values):.0f} to {100 * max(values):.0f} by level"
    return Headline(
        "How much does skill count?",
        f"The better wins {100 * won.value:.0f} %",
        draw_share(won.value, paints),
        note,
    )


def average_skill(pairs: Sequence[Skill]) -> Figure:
    """The mean over pairs of levels, each of which counts as much as any other."""
    count = len(pairs)
    value = sum(pair.won.value for pair in pairs) / count
    half = hypot(*(pair.won.margin for pair in pairs)) / count
    return Figure(value, value - half, value + half, sum(pair.won.n for pair in pairs))


def choose_tiles(report: Report) -> list[Tile]:
    """What a designer asks next."""
    tiles = []
    if report.strengths:
        draws = pool([told.draws for told in list_strong(report)])
        tiles.append(Tile("Drawn games", say_share(draws.value), say_share_range(draws)))
    if report.drama:
        drama = report.drama
        tiles += [
            _tell_share("The winner is known after", drama.known, "of the game; "),
            Tile("The lead changes", f"{say_mean(drama.lead_changes.value)} times", "in a game"),
            _tell_share("Comebacks", drama.comebacks, "of the games; "),
        ]
    return tiles


def describe_players(report: Report) -> str:
    """Who took part, and who the first answers are about."""
    everybody, strong = (
        say_players([told.player for told in strengths])
        for strengths in (report.strengths, list_strong(report))
    )
    if everybody == strong:
        return f"Players: {everybody}."
    return f"Players: {everybody}; these answers are about {strong}."


def find_telling(strengths: Sequence[Strength]) -> Strength:
    """The strongest players who clearly favour a seat; if nobody does, those of whom enough is
    known, or else most."""
    clear = [s for s in strengths if find_favoured(s) is not None]
    known = [s for s in strengths if max(figure.margin for figure in s.won) <= NARROW]
    told = clear or known
    return told[-1] if told else min(strengths, key=lambda s: s.won[0].margin)


def _tell_share(name: str, figure: Figure, note: str) -> Tile:
    return Tile(name, say_share(figure.value), note + say_share_range(figure))
