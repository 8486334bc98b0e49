"""The figures at the top of a page: what a designer asks first."""

from collections.abc import Sequence
from dataclasses import dataclass

from skerry.lab.report.page.texts import (
    say_mean,
    say_mean_range,
    say_player,
    say_share,
    say_share_range,
    say_tick,
)
from skerry.lab.report.result.findings import Report, Strength
from skerry.lab.report.result.words import find_favoured
from skerry.lab.stats.figures import Figure

NARROW = 0.08  # a margin within which something is known about a seat


@dataclass(frozen=True)
class Tile:
    """One figure, what it is, and how sure."""

    name: str
    value: str
    note: str


def choose_tiles(report: Report) -> list[Tile]:
    """The figures of the players that tell most."""
    tiles = []
    if report.strengths:
        told = find_telling(report.strengths)
        at = f"at {say_player(told.player)}; "
        best = max(range(len(report.seats)), key=lambda seat: told.won[seat].value)
        tiles += [
            _tell_share(f"{report.seats[best]} wins", told.won[best], at),
            _tell_share("Drawn", told.draws, at),
            Tile("Plies a game", say_mean(told.length.value), at + say_mean_range(told.length)),
        ]
    if report.skill:
        pair = min(report.skill, key=lambda pair: (pair.won.margin > NARROW, pair.won.value))
        who = f"{say_player(pair.better)} v {say_tick(pair.worse)}; "
        tiles.append(_tell_share("The better player wins", pair.won, who))
    if report.drama:
        tiles.append(_tell_share("Decided after", report.drama.known, "of the game; "))
        comebacks = report.drama.comebacks
        tiles.append(_tell_share("Comebacks", comebacks, "of the games; "))
    return tiles


def find_telling(strengths: Sequence[Strength]) -> Strength:
    """The strongest players who clearly favour a seat; if nobody does, those of whom enough is
    known, or else most."""
    clear = [s for s in strengths if find_favoured(s) is not None]
    known = [s for s in strengths if max(figure.margin for figure in s.won) <= NARROW]
    told = clear or known
    return told[-1] if told else min(strengths, key=lambda s: s.won[0].margin)


def _tell_share(name: str, figure: Figure, note: str) -> Tile:
    return Tile(name, say_share(figure.value), note + say_share_range(figure))
