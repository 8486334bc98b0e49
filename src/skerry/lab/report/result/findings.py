"""What a report knows: plain data, and its JSON.

Everything that is estimated is a ``Figure`` with a 95 % interval; everything else is a fact or a
count. Seats are numbers, cells are numbers of the board, strengths are players by name.
"""

import json
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from skerry.core.errors import RecordError, shorten
from skerry.core.view import Happening
from skerry.lab.stats.figures import Figure
from skerry.records import folders

FORMAT = "skerry-report-1"
DIGITS = 6  # significant ones that are written
Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Usage:
    """How often a happening comes up at one strength."""

    name: str  # one of ``Report.happenings``
    games: Figure  # the share of games that have it
    times: Figure  # how often in a game


@dataclass(frozen=True)
class Strength:
    """Games that a player played with itself, from the start of the game."""

    player: str
    games: int
    won: tuple[Figure, ...]  # by seat: the share of the points, a draw being shared out
    draws: Figure
    length: Figure  # plies
    lengths: tuple[tuple[int, int], ...]  # plies, and how many games were that long
    usage: tuple[Usage, ...]
    branching: tuple[Figure, ...]  # legal actions by ply, for random and the middle strength


@dataclass(frozen=True)
class Skill:
    """How often the better of two players wins, over all seats; equal players have 0.5."""

    better: str
    worse: str
    games: int
    won: Figure


@dataclass(frozen=True)
class Drama:
    """What an engine thought of the games of the middle strength, position by position."""

    player: str
    simulations: int  # of the engine that looked at every position
    games: int  # with a winner; the others are left out
    known: Figure  # the share of the game after which the winner led for good
    lead_changes: Figure  # how often another seat took the lead
    comebacks: Figure  # the share of games whose winner was once ``behind``
    behind: float  # a chance of winning below this is being behind
    curve: tuple[Figure, ...]  # the winner's chance after 0 %, 10 % ... 100 % of the game


@dataclass(frozen=True)
class Opening:
    """A first move, with all that are symmetric to it."""

    move: str
    cells: tuple[int, ...]  # where it and its images are made
    images: tuple[str, ...]  # the moves that count as the same, itself included
    won: tuple[Figure, ...]  # by seat, as in Strength


@dataclass(frozen=True)
class Openings:
    """The opening map; ``reason`` says why there is none."""

    player: str
    reason: str
    moves: tuple[Opening, ...]  # the best for the first seat come first
    fairest: tuple[str, ...]  # moves, the most even ones first


@dataclass(frozen=True)
class Swap:
    """Games with a swap rule: after the first turn the other player may take over its seat."""

    player: str
    games: int
    taken: Figure  # the share of games in which it did
    won: tuple[Figure, ...]  # by who opened, and who could swap


@dataclass(frozen=True)
class BoardUse:
    """How often cells are used in games of the middle strength: a mean for each cell by seat."""

    player: str
    games: int
    moves: tuple[tuple[float, ...], ...]  # [seats, cells] moves to the cell in a game
    counts: tuple[tuple[float, ...], ...]  # [seats, cells] games in which it counted at the end
    counts_mean: str  # what counting at the end means


@dataclass(frozen=True)
class Complexity:
    """Sizes as powers of ten, from games of the weakest player, which is random by default."""

    player: str
    tree: Figure  # the mean logarithm of the product of choices in a random game
    tree_size: float  # the logarithm of the mean product: Knuth's estimate of all games
    states: float  # at most so many positions
    states_count: str  # what these are


@dataclass(frozen=True)
class Fact:
    """What the solver found about a board, for certain; ``returns`` is None if it gave up."""

    options: dict[str, int]
    deal: int | None  # the seed, where there is chance
    returns: tuple[float, ...] | None
    optimal: int  # how many first moves keep that
    moves: int  # of how many
    nodes: int
    this_board: bool
    text: str


@dataclass(frozen=True)
class Sample:
    """A game to be replayed, and why it was chosen."""

    title: str
    player: str
    record: str  # as docs/library/records.md describes
    chances: tuple[tuple[float, ...], ...]  # [positions, seats] where an engine looked at it


@dataclass(frozen=True)
class ForfeitCount:
    """How many games a player forfeited for a reason; they count as lost."""

    player: str
    reason: str
    games: int


@dataclass(frozen=True)
class Report:
    """All that was measured about a game with certain options."""

    format: str
    version: str  # of skerry
    game: str
    title: str
    options: dict[str, int]
    seats: tuple[str, ...]
    cells: int
    seed: int
    budget: str
    games: int  # played in all
    units: dict[str, int]  # by stage
    middle: str  # the strength that boards and drama are measured at
    summary: tuple[str, ...]
    strengths: tuple[Strength, ...]  # from the weakest to the strongest
    skill: tuple[Skill, ...]
    drama: Drama | None
    openings: Openings
    swap: Swap | None  # None for more than two seats
    board_use: BoardUse
    happenings: tuple[Happening, ...]
    complexity: Complexity
    facts: tuple[Fact, ...]
    samples: tuple[Sample, ...]
    forfeits: tuple[ForfeitCount, ...] = ()


@dataclass(frozen=True)
class Difference:
    """A figure of two reports: the second minus the first."""

    name: str
    unit: str  # of the difference; points are percentage points, for figures that are shares
    first: Figure
    second: Figure
    difference: Figure
    clear: bool  # whether its interval leaves out 0
    sentence: str


@dataclass(frozen=True)
class Comparison:
    """Two reports of a game, side by side."""

    format: str
    game: str
    title: str
    first: dict[str, int]  # options
    second: dict[str, int]
    differences: tuple[Difference, ...]
    summary: tuple[str, ...]


def write_json(content: Report | Comparison, path: Path) -> None:
    """Write a report, all or nothing; the same report is the same text."""
    folders.replace(path, (to_json(content) + "\n").encode(), alone=True)


def to_json(content: Report | Comparison) -> str:
    return json.dumps(_rounded(asdict(content)), ensure_ascii=False, indent=1)


def read_report(path: Path) -> Report:
    """The report of a file; RecordError if there is none."""
    try:
        content = json.loads(path.read_text("utf-8"))
        if content["format"] != FORMAT:
            raise ValueError(f"it is {shorten(content['format'])}")
        report: Report = _build(Report, content)
        return report
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{shorten(str(path))} is not a readable report: {error}") from None


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(part) for part in value]
    return value


def _build(kind: Any, value: Any) -> Any:
    """The value of a type from what JSON made of it."""
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        parts = {
            field.name: _build(hints[field.name], value[field.name])
            for field in fields(kind)
            if field.name in value or field.default is MISSING  # older reports say less
        }
        return kind(**parts)  # type: ignore[operator]
    if get_origin(kind) is UnionType:
        return None if value is None else _build(get_args(kind)[0], value)
    if get_origin(kind) is tuple:
        kinds = get_args(kind)
        if kinds[-1] is Ellipsis:
            return tuple(_build(kinds[0], part) for part in value)
        return tuple(_build(one, part) for one, part in zip(kinds, value, strict=True))
    return value
