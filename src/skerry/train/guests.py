"""Guests: seats of some games that others than the net play for; the same on CPU and GPU.

A net that has only met itself relies on what others would never do, such as stopping whoever leads
in a game of three. Some guests are *rivals*, who search with another net (``train.selfplay``). All
others try every action by random games and count, for each, how the games ended in which they made
that action at any time (*all moves as first*). Games in which nobody can tell that count for the
action that they began with.

Returns are multiples of a half, so that sums are exact in whatever order threads add them up.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.bits import signed
from skerry.core.kernels import kernel
from skerry.core.random import advance, below, scramble, seeded
from skerry.core.rules import Actions, Raw, States, Tables, TablesArray
from skerry.nets.shape import PAIR
from skerry.train.gumbel import FRACTION, TO_FRACTION
from skerry.train.tree import UNTOLD

WEAKEST = 128  # random games before a move; the strongest guests play 16 times as many
STRENGTHS = 5
SURE = 4096.0  # what a win at once earns: more than all random games of a guest together
UNTAUGHT = -1.0  # in place of every chance where there is no policy to learn
# One game in so many with guests does not tell who they are, as where a net meets people it knows
# nothing of.
UNTOLD_GAMES = 4

Guests = NDArray[np.void]  # [games]
Sums = NDArray[np.float32]  # [actions + 1] what was won with every action, and in all
Counts = NDArray[np.int32]  # [actions] in how many random games


def guest_dtype(seats: int) -> np.dtype[np.void]:
    """Who sits where in a game: the random games of each guest, none where the net sits."""
    return np.dtype([("rng", np.uint64), ("effort", np.int16, (seats,))], align=True)


@kernel
def seat_guests(guest: Raw, share: float, rivals: float) -> tuple[int, int]:
    """Draw who sits where in a new game: in such a share of games some seats, never all of them,
    are guests', and in such a share of these all guests are rivals.

    Returns a bit for every guest of whom the net is told, between two of none, and for every rival.
    """
    seats = len(guest.effort)
    guest.rng = advance(guest.rng)
    fraction = np.float64(scramble(guest.rng) >> TO_FRACTION) * FRACTION
    guest.rng = advance(guest.rng)
    drawn = 1 + below(guest.rng, (1 << seats) - 2) if fraction < share else 0
    for seat in range(seats):
        guest.rng = advance(guest.rng)
        strength = WEAKEST << below(guest.rng, STRENGTHS)
        guest.effort[seat] = strength if drawn >> seat & 1 else 0
    guest.rng = advance(guest.rng)
    told = 0 if seats <= PAIR or below(guest.rng, UNTOLD_GAMES) == 0 else drawn
    guest.rng = advance(guest.rng)
    fraction = np.float64(scramble(guest.rng) >> TO_FRACTION) * FRACTION
    if fraction >= rivals:
        return told, 0
    for seat in range(seats):
        guest.effort[seat] = 0
    return told, drawn


@kernel
def find_effort(s: Raw, guest: Raw) -> int:
    """How many random games whoever moves here plays; none if it is a net, or nobody."""
    return signed(guest.effort[s.turn]) if s.over == 0 else 0


@kernel
def begin_move(t: Tables, s: Raw, guest: Raw, legal: Actions) -> int:
    """List the legal actions of a guest that will try them; returns how many there are."""
    guest.rng = advance(guest.rng)
    return rules.legal(t, s, legal)


@kernel
def pick_first(guest: Raw, n: int, effort: int, legal: Actions, count: int) -> int:
    """The action that a random game begins with: all are tried equally often, as far as there are
    games enough."""
    return signed(legal[(below(guest.rng, count) + n * count // effort) % count])


@kernel
def try_out(
    t: Tables, s: Raw, guest: Raw, n: int, first: int, returns: Any, scratch: Actions
) -> tuple[int, float, bool]:
    """Play random game ``n`` from ``s``; ``scratch`` gets the actions that it counts for.

    Returns how many these are, what the game came to, and whether the first action won at once.
    """
    seat = signed(s.turn)
    rules.play(t, s, first)
    is_over = s.over != 0
    if not is_over:
        rules.imagine(t, s, seeded(signed(scramble(guest.rng)) + n), scratch)
    rules.returns(t, s, returns)
    gain: float = returns[seat]
    count = rules.made(t, s, seat, scratch)
    if count == 0:
        scratch[0] = first
        count = 1
    return count, gain, is_over and gain > 0


@kernel
def pick_best(
    guest: Raw, effort: int, legal: Actions, count: int, sums: Sums, counts: Counts
) -> int:
    """The action with the best mean; one more game of a middling end is added to each, which is
    all that is known of an action that no game showed."""
    middling = sums[-1] / effort
    start = below(guest.rng, count)  # of equals none is preferred in the long run
    best, found = 0, -np.inf
    for n in range(count):
        action = signed(legal[(start + n) % count])
        mean = (sums[action] + middling) / (counts[action] + 1)
        if mean > found:
            best, found = action, mean
    return best


@kernel
def teach(s: Raw, strangers: Any, chances: Any, action: int) -> None:
    """Make the policy to learn of what a guest does, where the net is told who it is; where it
    takes the guest for one of its own kind, there is none."""
    known = signed(strangers) >> s.turn & 1 != 0
    for each in range(len(chances)):
        if not known:
            chances[each] = UNTAUGHT
        elif chances[each] >= 0:
            chances[each] = 1.0 if each == action else 0.0


@kernel
def seat_all(guests: Guests, share: float, rivals: float, strangers: Any, seats: Any) -> None:
    """Draw who sits where in all games, note of whom the net is told, and the rivals' ``seats``."""
    for k in range(len(guests)):
        strangers[k], seats[k] = seat_guests(guests[k], share, rivals)


@kernel
def seat_anew(
    guests: Guests, share: float, rivals: float, outcomes: Any, strangers: Any, seats: Any
) -> None:
    """Draw who sits where in games that have begun since others ended."""
    for k in range(len(guests)):
        if outcomes[k] != UNTOLD:
            strangers[k], seats[k] = seat_guests(guests[k], share, rivals)


@kernel
def move_all(
    tables: TablesArray,
    states: States,
    guests: Guests,
    strangers: Any,
    targets: Any,
    actions: Any,
    room: States,
    legal: Actions,
    sums: Sums,
    counts: Counts,
    returns: Any,
    scratch: Actions,
) -> None:
    """Let guests choose where it is their turn. ``room`` [1] and all after it are scratch space."""
    t = tables[0]
    for k in range(len(guests)):
        effort = find_effort(states[k], guests[k])
        if effort == 0:
            continue
        sums[:] = 0.0
        counts[:] = 0
        room[0] = states[k]
        number = begin_move(t, room[0], guests[k], legal)
        for n in range(effort):
            room[0] = states[k]
            first = pick_first(guests[k], n, effort, legal, number)
            made, gain, is_sure = try_out(t, room[0], guests[k], n, first, returns, scratch)
            for i in range(made):
                sums[scratch[i]] += gain
                counts[scratch[i]] += 1
            sums[-1] += gain
            if is_sure:
                sums[first] += SURE
        actions[k] = pick_best(guests[k], effort, legal, number, sums, counts)
        teach(states[k], strangers[k], targets[k], actions[k])
