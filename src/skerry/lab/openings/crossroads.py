"""A position and the ways on from it, as an atlas knows them: how often, and with what success.

Where there is an atlas of an early net, too, its habits stand beside those of the best.
"""

from dataclasses import dataclass
from typing import Any

from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.core.scene import HEAT, Arrow, Mark, Overlay
from skerry.core.state import Move, State
from skerry.lab.openings.atlas import Atlas, Known, Results, name_position
from skerry.lab.openings.names import name_line, name_of
from skerry.lab.openings.shipped import Era, find_atlas
from skerry.lab.stats.figures import Figure, share_of

FEW = 100  # games of which little follows: an interval is wider than ten points each way
SHOWN = 12  # ways that are marked on a board
POINTED_AT = 4  # of them that have arrows
FAINTEST = 0.02  # of the games of the way most taken, in which one is that is marked
HABIT = 0.05  # of the games in which a move is that somebody loves
CHANGE = 3  # times as often is another habit
WHIM = 0.01  # of the games: what only an early net did, and more rarely, is not told

DROPPED, FOUND = "dropped", "found"  # what became of a habit of early nets


@dataclass(frozen=True)
class Way:
    """A move from a position, with all moves that symmetries make of it."""

    moves: tuple[Move, ...]
    games: int
    played: float  # the share of the games in this position
    shares: tuple[Figure, ...]  # of the points, by seat; none without games
    before: float | None  # the share in games of an early net, where these are known
    drift: str | None
    name: str | None

    @property
    def is_rare(self) -> bool:
        """Whether there are too few games to rely on."""
        return self.games < FEW


@dataclass(frozen=True)
class Crossroads:
    """A position: how many games came there, how they ended, and the ways that they took."""

    state: State
    games: int
    shares: tuple[Figure, ...]
    ways: tuple[Way, ...]
    early_games: int | None  # where games of an early net are known
    name: str | None  # of the line, if it has one


@dataclass(frozen=True)
class Atlases:
    """What is known of a game: games of the best net, and maybe of an early one."""

    best: Atlas | None
    early: Atlas | None

    @classmethod
    def find(cls, game: Game, folder: str = "") -> "Atlases":
        """Those that there are for a game with its options."""
        return cls(*(find_atlas(game, era, folder) for era in (Era.BEST, Era.EARLY)))

    def list(self) -> dict[str, Atlas]:
        """Those that there are, by whose games they have."""
        found = {Era.BEST: self.best, Era.EARLY: self.early}
        return {str(era): atlas for era, atlas in found.items() if atlas is not None}

    def look(self, line: Playthrough) -> Crossroads:
        """Where a line has come to."""
        state = line.state
        known = _ask(self.best, state)
        before = None if self.early is None else _ask(self.early, state)
        return Crossroads(
            state,
            known.results.games,
            figure_out(known.results),
            _list_ways(state, known, before),
            None if before is None else before.results.games,
            name_line(line),
        )


def _ask(atlas: Atlas | None, state: State) -> Known:
    nothing = Known(Results(0, (0,) * state.game.num_seats), {})
    return (atlas.find(state) or nothing) if atlas is not None else nothing


def figure_out(results: Results) -> tuple[Figure, ...]:
    """The share of the points of each seat: one for a win, equal parts for draws."""
    if not results.games:
        return ()
    seats, draws = len(results.wins), results.games - sum(results.wins)
    return tuple(
        share_of(results.games, wins + draws / seats, wins + draws / seats**2)
        for wins in results.wins
    )


def _list_ways(state: State, known: Known, before: Known | None) -> tuple[Way, ...]:
    """All ways that strong players took, or early ones more than on a whim; those most taken
    first."""
    labels = name_position(state)[1]
    whim = WHIM * before.results.games if before else 0.0
    images: dict[int, list[int]] = {}
    for action, name in labels.items():
        images.setdefault(name, []).append(action)
    ways = []
    for actions in images.values():
        results = known.actions.get(actions[0], Results(0, ()))
        earlier = before.actions.get(actions[0], Results(0, ())) if before else Results(0, ())
        if results.games or earlier.games > whim:
            ways.append(_describe_way(state, actions, results, known, earlier, before))
    return tuple(sorted(ways, key=lambda way: (-way.games, -(way.before or 0), int(way.moves[0]))))


def _describe_way(
    state: State,
    actions: list[int],
    results: Results,
    known: Known,
    earlier: Results,
    before: Known | None,
) -> Way:
    played = results.games / max(1, known.results.games)
    habit = None if before is None else earlier.games / max(1, before.results.games)
    is_told = before is not None and min(before.results.games, known.results.games) >= FEW
    return Way(
        moves=tuple(state.move(action) for action in actions),
        games=results.games,
        played=played,
        shares=figure_out(results),
        before=habit,
        drift=find_drift(habit, played) if habit is not None and is_told else None,
        name=name_of(state.play(actions[0])),
    )


def find_drift(before: float, now: float) -> str | None:
    """Whether a habit was dropped, or found."""
    if before >= HABIT and now * CHANGE <= before:
        return DROPPED
    return FOUND if now >= HABIT and before * CHANGE <= now else None


# As others are told


def describe(found: Crossroads) -> dict[str, Any]:
    """A position and the ways on for programs."""
    return {
        "name": found.name,
        "games": found.games,
        "shares": [_describe_figure(share) for share in found.shares],
        "early_games": found.early_games,
        "ways": [
            {
                "move": str(way.moves[0]),
                "images": [str(move) for move in way.moves[1:]],
                "name": way.name,
                "games": way.games,
                "played": round(way.played, 5),
                "few": way.is_rare,
                "shares": [_describe_figure(share) for share in way.shares],
                "before": None if way.before is None else round(way.before, 5),
                "drift": way.drift,
            }
            for way in found.ways
        ],
    }


def _describe_figure(figure: Figure) -> dict[str, float]:
    return {
        "value": round(figure.value, 4),
        "low": round(figure.low, 4),
        "high": round(figure.high, 4),
    }


def mark_ways(found: Crossroads) -> Overlay:
    """The ways most taken on the board, each with what it brought to whoever took it."""
    state = found.state
    cells, seat = state.game.board.index, state.turn
    ways = [way for way in found.ways if way.games][:SHOWN]
    marks: dict[int, Mark] = {}
    arrows = []
    for place, way in enumerate(ways):
        weight = way.games / ways[0].games
        if weight < FAINTEST:
            break
        text = str(round(100 * way.shares[seat].value))
        for start, *rest in map(state.path, way.moves):
            cell = cells.get(start, -1)
            if cell < 0 or cell in marks:
                continue
            marks[cell] = Mark(cell, HEAT, seat, weight, text)
            if rest and place < POINTED_AT:
                arrows.append(Arrow(cell, cells.get(rest[0], rest[0]), seat, weight))
    return Overlay(marks=tuple(marks.values()), arrows=tuple(arrows))
