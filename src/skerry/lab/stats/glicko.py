"""Ratings that follow players from game to game: Glicko-2, for any number of seats.

With two seats this is Glicko-2 as Glickman wrote it down (*Example of the Glicko-2 system*, 2013),
on Elo's scale: a rating, its deviation (a standard error) and the player's volatility.

With more, the model is that of ``lab/stats/ratings.py``, Luce's: each seat wins with the share that
its player's strength has among all strengths at the table. It has a property that makes Glicko's
step exact for three as well: if somebody else has won, who that was says nothing about me, since
the odds among others do not depend on my strength. So a game is one observation for each player,
*won or not*, against odds that are the sum of those of all opponents, each drawn towards even by
Glicko's factor g as far as the opponent is unknown. To count it as two games, one against each
opponent, would be to see more than there was, and intervals would be too narrow.

Seats that draw share the point, so a game that nobody wins is a third of a win for each of three.
Seats themselves are worth nothing: a rating stands for the points over all seatings, as in matches.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log, pi, sqrt

from skerry.lab.stats.ratings import ELO
from skerry.lab.stats.results import SURE

START, WIDEST = 1500.0, 350.0  # what nothing is known of; nobody is known less well
VOLATILITY = 0.06  # how much strength changes in a period, on the scale of log odds
TAU = 0.5  # how much the volatility itself may change
LEAST = 1e-9  # what games have to tell to count; at a difference of 3,600 points they do not
FAR = 500.0  # log odds that are as good as endless
CLOSE = 1e-6  # how exactly the volatility is found, as in the paper


@dataclass(frozen=True)
class Glicko:
    """How strong a player is, how well that is known, and how much it changes."""

    rating: float = START
    deviation: float = WIDEST
    volatility: float = VOLATILITY

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval."""
        return SURE * self.deviation

    def rest(self, periods: float) -> "Glicko":
        """The same after so many periods, or a part of one, of which nothing is known."""
        grown = sqrt(self.deviation**2 + periods * (ELO * self.volatility) ** 2)
        return replace(self, deviation=min(grown, WIDEST))


@dataclass(frozen=True)
class Encounter:
    """A game as one of its players saw it: who else was there, and the share of it that was won."""

    opponents: tuple[Glicko, ...]
    share: float

    def expect(self, rating: float) -> tuple[float, float]:
        """The share that a player of this rating wins on average, and how sharply it tells."""
        odds, sharpness = 0.0, 0.0
        for opponent in self.opponents:
            factor = _g(opponent.deviation / ELO)
            above = factor * (opponent.rating - rating) / ELO
            against = exp(max(-FAR, min(above, FAR)))
            odds += against
            sharpness += factor * against
        return 1 / (1 + odds), sharpness / odds


def rate_game(
    players: Sequence[Glicko], shares: Sequence[float], periods: Sequence[float]
) -> list[Glicko]:
    """All players after a game, from what they were before it and the share that each has won.

    ``periods`` is for each how long it is since they were what they are said to be.
    """
    now = [player.rest(passed) for player, passed in zip(players, periods, strict=True)]
    return [
        update(player, [Encounter((*now[:seat], *now[seat + 1 :]), shares[seat])], periods[seat])
        for seat, player in enumerate(players)
    ]


def update(
    player: Glicko, encounters: Sequence[Encounter], periods: float = 1.0, tau: float = TAU
) -> Glicko:
    """A player after the games of a period (steps 3 to 8 of the paper), or of a part of one."""
    information, surprise = 0.0, 0.0
    for encounter in encounters:
        expected, sharpness = encounter.expect(player.rating)
        information += sharpness**2 * expected * (1 - expected)
        surprise += sharpness * (encounter.share - expected)
    if information < LEAST:  # no games, or only such whose results were certain beforehand
        return player.rest(periods)
    volatility = _find_volatility(
        player.volatility,
        player.deviation / ELO,
        1 / information,
        surprise / information,
        tau,
    )
    before = replace(player, volatility=volatility).rest(periods)
    known = 1 / ((ELO / before.deviation) ** 2 + information)
    return Glicko(player.rating + ELO * known * surprise, ELO * sqrt(known), volatility)


def _g(deviation: float) -> float:
    """How much is left of a difference in strength if the opponent's is not known exactly."""
    return 1 / sqrt(1 + 3 * deviation**2 / pi**2)


def _find_volatility(
    volatility: float, deviation: float, variance: float, difference: float, tau: float
) -> float:
    """The volatility that best fits how surprising the games were (step 5 of the paper)."""
    before = log(volatility**2)

    def slope(x: float) -> float:
        raised = exp(x)
        total = deviation**2 + variance + raised
        return raised * (difference**2 - total) / (2 * total**2) - (x - before) / tau**2

    low = before
    if difference**2 > deviation**2 + variance:
        high = log(difference**2 - deviation**2 - variance)
    else:
        high = before - tau
        while slope(high) < 0:
            high -= tau
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > CLOSE:  # regula falsi in the form called Illinois
        between = low + (low - high) * at_low / (at_high - at_low)
        there = slope(between)
        if there * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, there
    return exp(low / 2)
