"""Knock-out: who loses is out, and the first two seeds meet in the final at the earliest.

A draw is played again with seats exchanged; after three draws in a row the better seed goes on. If
neither comes, neither goes on.
"""

from collections.abc import Sequence
from math import ceil, log2
from random import Random

from skerry.lab.contest.pairing.contest import Bout, Contest
from skerry.lab.contest.pairing.seating import seat_next

MOST_DRAWS = 3  # of two with each other in one round

Slots = list[str | None]  # who is in which place of a round; nobody, where nobody is left


def count_rounds(entrants: int) -> int:
    return max(1, ceil(log2(max(entrants, 1))))


def list_slots(contest: Contest) -> list[Slots]:
    """The places of every round that has been paired, and of the next one; two by two they meet."""
    size = 2 ** count_rounds(len(contest.entrants))
    order = [0]
    while len(order) < size:
        order = [n for seed in order for n in (seed, 2 * len(order) - 1 - seed)]
    slots: Slots = [
        contest.entrants[seed] if seed < len(contest.entrants) else None for seed in order
    ]
    found = [slots]
    for one in contest.rounds:
        slots = [
            find_winner(contest, one.bouts, pair)
            for pair in zip(slots[::2], slots[1::2], strict=True)
        ]
        found.append(slots)
    return found


def find_winner(
    contest: Contest, bouts: Sequence[Bout], pair: tuple[str | None, str | None]
) -> str | None:
    """Who goes on: None if nobody does, or if that is not known yet."""
    here = [name for name in pair if name is not None]
    played = [bout for bout in bouts if set(bout.players) == set(here)]
    if not played:
        return here[0] if len(here) == 1 else None
    last = played[-1]
    if last.winners is not None and len(last.winners) == 1:
        return last.players[last.winners[0]]
    if last.is_drawn and len(played) >= MOST_DRAWS:
        return min(here, key=contest.ranks.__getitem__)
    return None


def pair_knockout(contest: Contest) -> Contest:
    """The contest with what was drawn paired again or, if nothing was, with its next round."""
    again = tuple(_replays(contest))
    if again:
        return contest.add_bouts(again)
    slots = list_slots(contest)[-1]
    lots = Random(f"{contest.seed} {len(contest.rounds)}")
    bouts, byes = [], []
    for pair in zip(slots[::2], slots[1::2], strict=True):
        here = [name for name in pair if name is not None]
        if len(here) == 1:
            byes += here
        elif here:
            players = seat_next(here, contest.seated, lots)
            bouts.append(Bout(players).without(contest.gone))
    return contest.begin_round(tuple(bouts), tuple(byes))


def has_winner(contest: Contest) -> bool:
    """Whether one is left, or none, once everything that was paired is over."""
    left = sum(name is not None for name in list_slots(contest)[-1])
    return left <= 1 and not _replays(contest)


def _replays(contest: Contest) -> list[Bout]:
    """The games that are played again, in the round that goes on."""
    bouts = contest.rounds[-1].bouts if contest.rounds else ()
    found = []
    for pair in dict.fromkeys(frozenset(bout.players) for bout in bouts):
        played = [bout for bout in bouts if set(bout.players) == pair]
        if played[-1].is_drawn and len(played) < MOST_DRAWS:
            found.append(Bout(played[-1].players[::-1]).without(contest.gone))
    return found
