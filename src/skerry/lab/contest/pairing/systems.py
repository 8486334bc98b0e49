"""All systems by their names: what to pair next, and when it is over."""

from collections.abc import Callable, Sequence
from functools import partial

from skerry.core.errors import OptionsError
from skerry.lab.contest.pairing import knockout, robin, swiss, trios
from skerry.lab.contest.pairing.arena import pair_arena
from skerry.lab.contest.pairing.contest import ARENA, KNOCKOUT, ROUND_ROBIN, SWISS, Contest

PAIRS = {
    (ROUND_ROBIN, 2): robin.pair_robin,
    (ROUND_ROBIN, 3): robin.pair_robin,
    (SWISS, 2): swiss.pair_swiss,
    (SWISS, 3): trios.pair_trios,
    (KNOCKOUT, 2): knockout.pair_knockout,
}
ROUNDS: dict[tuple[str, int], Callable[[int], int]] = {
    (ROUND_ROBIN, 2): partial(robin.count_rounds, seats=2),
    (ROUND_ROBIN, 3): partial(robin.count_rounds, seats=3),
    (SWISS, 2): swiss.count_rounds,
    (SWISS, 3): trios.count_rounds,
    (KNOCKOUT, 2): knockout.count_rounds,
    (ARENA, 2): lambda entrants: 1,
}


def count_rounds(contest: Contest) -> int:
    """How many rounds there are; a knock-out has as many as it needs, an arena has one."""
    usual = ROUNDS[contest.system, contest.seats](len(contest.entrants))
    return usual if contest.length is None or contest.system == KNOCKOUT else contest.length


def is_over(contest: Contest) -> bool:
    """Whether all is paired and decided, or too few are left; arenas end by the clock."""
    if not contest.is_settled or contest.system == ARENA:
        return False
    if len(contest.active) < contest.seats:
        return True
    if contest.system == KNOCKOUT:
        return knockout.has_winner(contest)
    return len(contest.rounds) >= count_rounds(contest)


def pair_next(contest: Contest, free: Sequence[str] = ()) -> Contest:
    """The contest with what is to be played next; the same if that has to wait, or if it is over.

    In an arena those who are ``free`` are paired, everywhere else a round once all is decided.
    """
    if contest.system == ARENA:
        return pair_arena(contest, free)
    if not contest.is_settled or is_over(contest):
        return contest
    return PAIRS[contest.system, contest.seats](contest)


def check_size(contest: Contest) -> None:
    """OptionsError if there are too few to play."""
    if len(contest.entrants) < contest.seats:
        raise OptionsError(
            f"{len(contest.entrants)} cannot play games of {contest.seats}: "
            f"at least {contest.seats} have to take part"
        )
