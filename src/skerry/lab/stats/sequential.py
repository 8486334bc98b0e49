"""Looking at a result again and again without fooling oneself.

Who looks at a 95 % interval after every game and stops when it leaves out 0 will call equal
players different far more often than one time in twenty. Here the evidence is the wealth of a
gambler who bets, block by block, that one player is better, at odds that are fair if neither is.
By Ville's inequality such a gambler ever gets 20 times richer with probability of at most 1/20, no
matter when or how often one looks, nor how results are distributed.
"""

from collections.abc import Iterable
from math import exp, log1p

# How much of the wealth is staked on every block: small stakes find small differences in the end,
# large ones find large differences soon. The gambler splits the wealth among them, and on both
# sides, and the mean of fair bets is a fair bet.
STAKES = tuple(side * 0.8 / 2**k for k in range(6) for side in (1, -1))
ERROR = 0.05


def decide(differences: Iterable[float], error: float = ERROR) -> int:
    """1 or -1 once the mean of the differences, each from -1 to 1, is above or below 0, else 0.

    Once decided, later values change nothing. If the mean is 0, the chance that this is ever
    anything but 0 is at most ``error``.
    """
    logs = [0.0] * len(STAKES)
    for difference in differences:
        logs = [log + log1p(stake * difference) for log, stake in zip(logs, STAKES, strict=True)]
        wealth = [exp(min(log, 700.0)) for log in logs]
        if sum(wealth) / len(wealth) >= 1 / error:
            return 1 if max(wealth[::2]) > max(wealth[1::2]) else -1
    return 0
