"""A contest: who takes part, what was paired, and how it ended.

Everything is immutable and made of plain values, so that a contest can be written as JSON and read
again. What to pair next is a function of it (``systems``), and so is how it stands (``ranking``).
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

from skerry.core.errors import OptionsError, shorten

ROUND_ROBIN, SWISS, KNOCKOUT, ARENA = "round-robin", "swiss", "knockout", "arena"
SYSTEMS = (ROUND_ROBIN, SWISS, KNOCKOUT, ARENA)
TWO, THREE = 2, 3  # seats of the games that can be paired


@dataclass(frozen=True)
class Bout:
    """One game of a contest: who sits on each seat and, once it is over, who won it.

    ``winners`` are seats. They share the point: one of them wins, several draw, and if there is
    none, nobody has anything. ``absent`` are seats of those who did not come: such a bout is
    decided, but was not played.
    """

    players: tuple[str, ...]
    winners: tuple[int, ...] | None = None
    absent: tuple[int, ...] = ()

    @property
    def is_over(self) -> bool:
        return self.winners is not None

    @property
    def is_played(self) -> bool:
        return self.is_over and not self.absent

    @property
    def is_drawn(self) -> bool:
        return self.is_played and len(self.winners or ()) != 1

    def share(self, player: str) -> Fraction:
        """What a player has of the point."""
        winners = self.winners or ()
        seat = self.players.index(player)
        return Fraction(1, len(winners)) if seat in winners else Fraction(0)

    def others(self, player: str) -> tuple[str, ...]:
        return tuple(name for name in self.players if name != player)

    def without(self, gone: Collection[str]) -> "Bout":
        """The bout if some are not there: the others share the point without playing."""
        absent = tuple(seat for seat, name in enumerate(self.players) if name in gone)
        here = tuple(seat for seat in range(len(self.players)) if seat not in absent)
        return replace(self, winners=here, absent=absent) if absent else self


@dataclass(frozen=True)
class ContestRound:
    """What was paired at once, and who had to pause."""

    bouts: tuple[Bout, ...] = ()
    byes: tuple[str, ...] = ()

    @property
    def is_over(self) -> bool:
        return all(bout.is_over for bout in self.bouts)


@dataclass(frozen=True)
class Contest:
    """Who takes part, the best seed first, and what has been paired so far.

    ``length`` is the number of rounds; None leaves it to the system. ``gone`` are those who are no
    longer paired. All lots are drawn by ``seed``.
    """

    system: str
    entrants: tuple[str, ...]
    seats: int = TWO
    length: int | None = None
    seed: int = 0
    gone: frozenset[str] = frozenset()
    rounds: tuple[ContestRound, ...] = field(default=())

    def __post_init__(self) -> None:
        if self.system not in SYSTEMS:
            raise OptionsError(
                f"a tournament is played as {', '.join(SYSTEMS[:-1])} or {SYSTEMS[-1]}, "
                f"not {shorten(self.system)}"
            )
        if self.seats not in (TWO, THREE):
            raise OptionsError(f"games of {TWO} or {THREE} seats can be paired, not {self.seats}")
        if self.seats == THREE and self.system in (KNOCKOUT, ARENA):
            raise OptionsError(
                f"{self.system} is for games of two: choose {ROUND_ROBIN} or {SWISS} for three"
            )
        if len(set(self.entrants)) != len(self.entrants):
            raise OptionsError("everybody takes part only once")
        if self.length is not None and self.length < 1:
            raise OptionsError("a tournament has at least 1 round")

    @cached_property
    def active(self) -> tuple[str, ...]:
        """Those who are still paired."""
        return tuple(name for name in self.entrants if name not in self.gone)

    @cached_property
    def ranks(self) -> dict[str, int]:
        """The number of everybody in the order of seeds."""
        return {name: rank for rank, name in enumerate(self.entrants)}

    @property
    def bouts(self) -> Iterator[Bout]:
        """All bouts, from the first on."""
        return (bout for one in self.rounds for bout in one.bouts)

    @property
    def is_settled(self) -> bool:
        """Whether everything that was paired is over."""
        return all(bout.is_over for bout in self.bouts)

    def bouts_of(self, player: str) -> tuple[Bout, ...]:
        return self._by_player.get(player, ())

    @cached_property
    def _by_player(self) -> dict[str, tuple[Bout, ...]]:
        found: dict[str, list[Bout]] = {name: [] for name in self.entrants}
        for bout in self.bouts:
            for name in bout.players:
                found[name].append(bout)
        return {name: tuple(bouts) for name, bouts in found.items()}

    @cached_property
    def met(self) -> dict[frozenset[str], int]:
        """How often every two have been paired."""
        counts: dict[frozenset[str], int] = {}
        for bout in self.bouts:
            for pair in map(frozenset, combinations(bout.players, 2)):
                counts[pair] = counts.get(pair, 0) + 1
        return counts

    @cached_property
    def seated(self) -> dict[str, tuple[int, ...]]:
        """The seats that everybody has had, from the first on."""
        found: dict[str, list[int]] = {name: [] for name in self.entrants}
        for bout in self.bouts:
            for seat, name in enumerate(bout.players):
                if not bout.absent:
                    found[name].append(seat)
        return {name: tuple(seats) for name, seats in found.items()}

    @cached_property
    def paused(self) -> dict[str, int]:
        """How often everybody has had a bye."""
        counts = dict.fromkeys(self.entrants, 0)
        for one in self.rounds:
            for name in one.byes:
                counts[name] += 1
        return counts

    @property
    def bye(self) -> Fraction:
        """What a bye is worth.

        In a Swiss of two it is a win, as everywhere. At a table of three an even share is a third;
        a whole point would be worth three tables. Where all pause equally often it is nothing.
        """
        if self.system != SWISS:
            return Fraction(0)
        return Fraction(1) if self.seats == TWO else Fraction(1, THREE)

    @cached_property
    def points(self) -> dict[str, Fraction]:
        """What everybody has made so far."""
        sums = {name: self.bye * self.paused[name] for name in self.entrants}
        for bout in self.bouts:
            for name in bout.players:
                sums[name] += bout.share(name)
        return sums

    def begin_round(self, bouts: tuple[Bout, ...], byes: tuple[str, ...] = ()) -> "Contest":
        """The contest with another round."""
        return replace(self, rounds=(*self.rounds, ContestRound(bouts, byes)))

    def add_bouts(self, bouts: tuple[Bout, ...]) -> "Contest":
        """The contest with more bouts in the round that goes on."""
        *before, last = self.rounds or (ContestRound(),)
        return replace(self, rounds=(*before, replace(last, bouts=(*last.bouts, *bouts))))

    def decide(self, round: int, number: int, bout: Bout) -> "Contest":
        """The contest with a bout as it has ended."""
        chosen = self.rounds[round]
        bouts = (*chosen.bouts[:number], bout, *chosen.bouts[number + 1 :])
        rounds = (*self.rounds[:round], replace(chosen, bouts=bouts), *self.rounds[round + 1 :])
        return replace(self, rounds=rounds)

    def without(self, player: str) -> "Contest":
        """The contest after somebody has left."""
        return replace(self, gone=self.gone | {player})

    def write(self) -> dict[str, Any]:
        """Everything as JSON has it."""
        return {**asdict(self), "gone": sorted(self.gone)}

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> "Contest":
        """What ``write`` has written, also after a detour through JSON text."""
        return cls(
            content["system"],
            tuple(content["entrants"]),
            content["seats"],
            content["length"],
            content["seed"],
            frozenset(content["gone"]),
            tuple(_read_round(one) for one in content["rounds"]),
        )


def _read_round(content: Mapping[str, Any]) -> ContestRound:
    return ContestRound(
        tuple(
            Bout(
                tuple(bout["players"]),
                None if bout["winners"] is None else tuple(bout["winners"]),
                tuple(bout["absent"]),
            )
            for bout in content["bouts"]
        ),
        tuple(content["byes"]),
    )
