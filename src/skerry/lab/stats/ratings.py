"""Elo ratings from game results, for any number of seats, with intervals that respect blocks.

The model is Luce's: a player of rating R has strength 10 ** (R / 400), and each seat wins with the
share that its player's strength has among all strengths at the table. With two seats that is Elo's
own formula. Seats that draw share the point.

Ratings maximise the likelihood of what was played, plus one *virtual draw*: every two players who
met have also drawn one game with each other, which no table counts. It keeps ratings finite when
somebody won everything, and it is what best undoes the bias of log odds in small samples (adding
half a win and half a loss is Jeffreys' prior and Firth's correction).

Games of a block share an opening, so they are not independent. Intervals come from what leaving
out one block would change, summed over the blocks (the jackknife form of the sandwich estimator):
they hold however the games of a block depend on each other. Of the virtual draw, the half win and
the half loss count as a block each, which keeps intervals honestly wide for players who won or lost
everything, and where all blocks went the same way.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.lab.stats.results import SURE, Block, Pair

ELO = 400 / log(10)  # what one unit of log odds is in Elo
ROUNDS = 100  # Newton needs about ten
CLOSE = 1e-10
LONGEST_STEP = 2.0

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """A player's Elo, and half the width of its 95 % interval."""

    player: str
    elo: float
    margin: float


@dataclass(frozen=True, eq=False)
class Ratings:
    """Elo of all players on one scale, of which only differences mean anything.

    ``seats`` is what each seat is worth in Elo, 0 on average, or all 0 where it was not asked for.
    """

    players: tuple[str, ...]
    elo: Array  # [players], 0 on average
    covariance: Array  # [players, players], of elo
    seats: tuple[float, ...]

    def table(self, anchor: str | None = None, at: float = 0.0) -> list[Rating]:
        """All ratings, the best first, on a scale where ``anchor`` has exactly ``at`` Elo.

        Without an anchor the mean of all players is ``at``. Margins are relative to the same.
        """
        everybody = np.eye(len(self.players))
        origin = everybody.mean(axis=0) if anchor is None else everybody[self._number(anchor)]
        rows = [
            Rating(name, at + self._value(row - origin), self._margin(row - origin))
            for name, row in zip(self.players, everybody, strict=True)
        ]
        return sorted(rows, key=lambda rating: -rating.elo)

    def difference(self, player: str, other: str) -> tuple[float, float]:
        """By how much Elo a player is above another, and half the width of the 95 % interval."""
        everybody = np.eye(len(self.players))
        contrast = everybody[self._number(player)] - everybody[self._number(other)]
        return self._value(contrast), self._margin(contrast)

    def above_others(self, player: str) -> tuple[float, float]:
        """A player's Elo above the mean of all others, and half the width of the interval."""
        contrast = np.full(len(self.players), -1 / (len(self.players) - 1))
        contrast[self._number(player)] = 1
        return self._value(contrast), self._margin(contrast)

    def _number(self, player: str) -> int:
        if player not in self.players:
            raise OptionsError(f"{player} is not among the players: {', '.join(self.players)}")
        return self.players.index(player)

    def _value(self, contrast: Array) -> float:
        return float(contrast @ self.elo)

    def _margin(self, contrast: Array) -> float:
        return SURE * sqrt(max(0.0, float(contrast @ self.covariance @ contrast)))


@dataclass(frozen=True)
class _Games:
    """Distinct games, real and virtual: what is at stake on each seat, and how it went."""

    design: Array  # [games, seats, parameters]: which strengths a seat has
    there: NDArray[np.bool_]  # [games, seats]: virtual games have two seats only
    shares: Array  # [games, seats]
    weight: Array  # [games]: 1, or a half for halves of a virtual draw
    block: NDArray[np.int64]  # [games]: which distinct block a game belongs to
    count: Array  # [blocks]: how often the block was played

    def chances(self, strengths: Array) -> Array:
        """How likely each seat is to win: [games, seats]."""
        logits = np.where(self.there, self.design @ strengths, -inf)
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))

    def likelihood(self, strengths: Array) -> float:
        """The logarithm of the likelihood."""
        logs = np.log(np.maximum(self.chances(strengths), 1e-300))
        weights = self.weight * self.count[self.block]
        return float(weights @ (self.shares * logs).sum(axis=1))

    def pulls(self, strengths: Array) -> tuple[Array, Array]:
        """Gradient [blocks, parameters] and information [blocks, parameters squared] of blocks."""
        chances = self.chances(strengths)
        gradient = np.einsum("gs,gsp->gp", self.shares - chances, self.design)
        mean = np.einsum("gs,gsp->gp", chances, self.design)
        information = np.einsum("gs,gsp,gsq->gpq", chances, self.design, self.design)
        information -= np.einsum("gp,gq->gpq", mean, mean)
        blocks, size = len(self.count), self.design.shape[2]
        gradients, informations = np.zeros((blocks, size)), np.zeros((blocks, size, size))
        np.add.at(gradients, self.block, gradient * self.weight[:, None])
        np.add.at(informations, self.block, information * self.weight[:, None, None])
        return gradients, informations


def rate(
    blocks: Iterable[Block], players: Sequence[str] | None = None, seat_advantage: bool = False
) -> Ratings:
    """Ratings from the blocks that were played; OptionsError where players never met.

    ``seat_advantage`` also fits what each seat is worth. Without it, a difference in Elo stands for
    the points expected over all seatings, which is what is played and counted here, so it is off
    unless asked for; with it, differences grow where seats matter more than players.
    """
    # Equal blocks weigh the same, so thousands of games come down to the ways a block can go.
    counted = Counter(tuple(block) for block in blocks if block)
    met: set[Pair] = {pair for block in counted for game in block for pair in game.pairs()}
    names = tuple(players or sorted({name for pair in met for name in pair}))
    _check_connected(names, met)
    seats = max(len(game.players) for block in counted for game in block)
    games = _collect(counted, met, names, seats, seat_advantage)
    strengths, inverse = _maximise(games, len(names))
    covariance = _jackknife(games, strengths, inverse)
    known = len(names)
    centred = np.eye(known) - 1 / known
    worth = strengths[known:] if seat_advantage else np.zeros(seats)
    return Ratings(
        names,
        ELO * (centred @ strengths[:known]),
        ELO**2 * (centred @ covariance[:known, :known] @ centred.T),
        tuple(ELO * float(value) for value in worth - worth.mean()),
    )


def _check_connected(names: Sequence[str], met: set[Pair]) -> None:
    """Players can be compared through others, but not if there is no way at all between them."""
    reached, growing = {names[0]} if names else set(), True
    while growing:
        wider = reached | {name for pair in met if reached & set(pair) for name in pair}
        growing, reached = wider != reached, wider
    missing = [name for name in names if name not in reached]
    if missing or len(names) < 2:
        raise OptionsError(
            f"{' and '.join([*names[:1], *missing[:1]]) or 'nobody'} cannot be rated: "
            "no chain of games connects them"
        )


def _collect(
    counted: Counter[Block],
    met: set[Pair],
    names: Sequence[str],
    seats: int,
    seat_advantage: bool,
) -> _Games:
    """The games as arrays; the last parameters are the seats, if they are to be fitted."""
    number = {name: index for index, name in enumerate(names)}
    size = len(names) + seats * seat_advantage
    tables: list[list[set[int]]] = []  # game -> seat -> parameters that add up to its strength
    shares: list[tuple[float, ...]] = []
    blocks: list[int] = []
    for index, block in enumerate(counted):
        for game in block:
            chairs = [{number[name]} for name in game.players]
            if seat_advantage:
                chairs = [chair | {len(names) + seat} for seat, chair in enumerate(chairs)]
            tables.append(chairs)
            shares.append(game.shares)
            blocks.append(index)
    real = len(tables)
    virtual = [(number[a], number[b]) for a, b in sorted(met)]
    if seat_advantage:
        virtual += combinations(range(len(names), size), 2)
    for a, b in virtual:
        tables += [[{a}, {b}], [{b}, {a}]]
        shares += [(1.0, 0.0), (1.0, 0.0)]
        blocks += [blocks[-1] + 1, blocks[-1] + 2]

    design = np.zeros((len(tables), seats, size))
    there = np.zeros((len(tables), seats), bool)
    share = np.zeros((len(tables), seats))
    for row, (chairs, parts) in enumerate(zip(tables, shares, strict=True)):
        there[row, : len(chairs)] = True
        share[row, : len(chairs)] = parts
        for seat, parameters in enumerate(chairs):
            design[row, seat, list(parameters)] = 1
    weight = np.ones(len(tables))
    weight[real:] = 0.5
    count = np.ones(blocks[-1] + 1)
    count[: len(counted)] = list(counted.values())
    return _Games(design, there, share, weight, np.array(blocks), count)


def _maximise(games: _Games, players: int) -> tuple[Array, Array]:
    """The strengths that make the results likeliest, and the inverse of the information there."""
    size = games.design.shape[2]
    # Only differences matter, among players and among seats: holding both sums at 0 fixes the rest.
    sums = np.zeros((size, size))
    sums[:players, :players] = 1
    sums[players:, players:] = 1
    strengths: Array = np.zeros(size)
    best = games.likelihood(strengths)
    for _ in range(ROUNDS):
        gradients, informations = games.pulls(strengths)
        whole = np.tensordot(games.count, informations, 1) + sums
        inverse = np.linalg.inv(whole).astype(np.float64)
        step = inverse @ (games.count @ gradients)
        step *= min(1.0, LONGEST_STEP / max(float(np.abs(step).max()), CLOSE))
        # The likelihood has a single summit, so going back half the way is all that can be needed.
        while (reached := games.likelihood(strengths + step)) < best - CLOSE * abs(best):
            step /= 2
        strengths, best = strengths + step, max(best, reached)
        if float(np.abs(step).max()) < CLOSE:
            break
    return strengths, inverse


def _jackknife(games: _Games, strengths: Array, inverse: Array) -> Array:
    """The covariance of the strengths: the sum over blocks of what each changes, squared."""
    gradients, informations = games.pulls(strengths)
    without = np.eye(len(strengths)) - informations @ inverse  # [blocks, parameters squared]
    changes = np.linalg.solve(without, gradients[:, :, None])[:, :, 0] @ inverse
    return np.asarray((changes * games.count[:, None]).T @ changes)
