"""How games should begin: what each first move is worth, and starts that are even.

Both are made by ``skerry survey`` from very many games of strong players, and kept as JSON.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log10
from pathlib import Path
from typing import Any

from skerry.core.errors import OptionsError
from skerry.lab.stats.figures import Figure
from skerry.records.folders import replace

FORMAT = "skerry-beginnings-1"
LEAST = 1e-3  # share of the points that Elo is told for; beyond, it would be anybody's guess
KEEP, CLOSE, SWAP = "keep", "close", "swap"
EVEN = {2: (0.45, 0.55), 3: (0.28, 0.39)}  # by seats: within what an even start holds every seat


@dataclass(frozen=True)
class Evidence:
    """What a player made of a start: who it was, and the share of the points of every seat."""

    minutes: float  # of training
    simulations: int
    won: tuple[Figure, ...]  # by seat


@dataclass(frozen=True)
class FirstMoveWorth:
    """A first move up to symmetry, and what players of different strength made of it."""

    move: str
    images: tuple[str, ...]
    cells: tuple[int, ...]
    evidence: tuple[Evidence, ...]  # from the weakest to the strongest

    def band(self, seat: int = 0) -> str:
        """Whether whoever may swap should, by the last evidence: the three bands."""
        won = self.evidence[-1].won[seat]
        if won.low > 0.5:
            return SWAP
        return KEEP if won.high < 0.5 else CLOSE


@dataclass(frozen=True)
class EvenStart:
    """A start that strong play holds even: a deal, or moves after which a game is played."""

    moves: tuple[str, ...]
    deal: int | None  # the seed, in dealt games
    position: str
    evidence: Evidence


@dataclass(frozen=True)
class Beginnings:
    """What is known of how a game begins; ``card`` tells how it was measured."""

    game: str
    options: Mapping[str, int]
    first_moves: tuple[FirstMoveWorth, ...]
    even_starts: tuple[EvenStart, ...]
    card: Mapping[str, Any]


def to_elo(won: Figure) -> Figure:
    """A share of the points of two as a difference in Elo."""
    value, low, high = (_elo(share) for share in (won.value, won.low, won.high))
    return Figure(value, low, high, won.n)


def _elo(share: float) -> float:
    bounded = min(max(share, LEAST), 1 - LEAST)
    return 400 * log10(bounded / (1 - bounded))


def tell_evidence(seats: Sequence[str], evidence: Evidence) -> str:
    """What a start gave to every seat: ``First 51.2 %, Second 48.8 %, ± 2.4, in 1,536 games``."""
    points = ", ".join(
        f"{seat} {100 * won.value:.1f} %" for seat, won in zip(seats, evidence.won, strict=True)
    )
    margin = max(100 * won.margin for won in evidence.won)
    return f"{points}, ± {margin:.1f}, in {evidence.won[0].n:,} games"


def is_even(won: Sequence[Figure]) -> bool:
    """Whether the whole interval of every seat is within what counts as even."""
    least, most = EVEN[len(won)]
    return all(least <= figure.low and figure.high <= most for figure in won)


def write_beginnings(path: Path, found: Beginnings) -> None:
    """Write a file as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"format": FORMAT, **_shorten(asdict(found))}
    replace(path, (json.dumps(content, separators=(",", ":")) + "\n").encode(), alone=True)


def read_beginnings(content: str, name: str) -> Beginnings:
    """What a file says; OptionsError in one line, by ``name``, if it is none of ours."""
    try:
        read = json.loads(content)
        if read.pop("format") != FORMAT:
            raise ValueError("another format")
        return Beginnings(
            game=read["game"],
            options=read["options"],
            first_moves=tuple(
                FirstMoveWorth(
                    move=each["move"],
                    images=tuple(each["images"]),
                    cells=tuple(each["cells"]),
                    evidence=tuple(map(_read_evidence, each["evidence"])),
                )
                for each in read["first_moves"]
            ),
            even_starts=tuple(
                EvenStart(
                    moves=tuple(each["moves"]),
                    deal=each["deal"],
                    position=each["position"],
                    evidence=_read_evidence(each["evidence"]),
                )
                for each in read["even_starts"]
            ),
            card=read["card"],
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise OptionsError(f"{name} tells nothing of how a game begins: {error}") from None


def _read_evidence(read: Mapping[str, Any]) -> Evidence:
    won = tuple(Figure(**figure) for figure in read["won"])
    return Evidence(read["minutes"], read["simulations"], won)


def _shorten(value: Any) -> Any:
    """With no more digits than were measured."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _shorten(each) for key, each in value.items()}
    return [_shorten(each) for each in value] if isinstance(value, list | tuple) else value
