"""Contests played to their end by players whose strength is known."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from skerry.lab.contest.pairing.contest import Bout, Contest
from skerry.lab.contest.pairing.systems import is_over, pair_next

Judge = Callable[[Bout], tuple[int, ...]]


def names(count: int) -> tuple[str, ...]:
    return tuple(f"p{n:02}" for n in range(count))


def by_chance(lots: Random, draws: float = 0.2) -> Judge:
    """Anybody wins, and now and then everybody draws."""

    def judge(bout: Bout) -> tuple[int, ...]:
        seats = range(len(bout.players))
        return tuple(seats) if lots.random() < draws else (lots.choice(seats),)

    return judge


def by_order(order: Sequence[str]) -> Judge:
    """Whoever is named first wins."""
    return lambda bout: (min(range(len(bout.players)), key=lambda n: order.index(bout.players[n])),)


def decide_all(contest: Contest, judge: Judge) -> Contest:
    """The contest with everything decided that was paired."""
    for number, one in enumerate(contest.rounds):
        for place, bout in enumerate(one.bouts):
            if not bout.is_over:
                contest = contest.decide(number, place, replace(bout, winners=judge(bout)))
    return contest


def play_out(
    contest: Contest, judge: Judge, look: Callable[[Contest, Contest], None] = lambda *_: None
) -> Contest:
    """The contest at its end; ``look`` is shown every pairing, as it was before and after."""
    while not is_over(contest):
        paired = pair_next(contest)
        assert paired != contest, "it is not over, and nothing was paired"
        look(contest, paired)
        contest = decide_all(paired, judge)
    return contest
