"""One small tree per game, of which a net judges the leaves; the same functions on CPU and GPU.

What to try is chosen as Gumbel AlphaZero does (``train.gumbel``). Only the ``width`` likeliest
actions of a node are kept: with few simulations no other would ever be tried, and one thread can
look them over.

Values are *shares* of a win for every seat: 1 for the winner, equal parts of 1 in a draw. They add
up to 1 in games of any number of seats, and turns of several actions need no care.

A net is asked once per simulation for the leaves of all games, so that a simulation has two halves:
``expand`` takes in what the net said about the last leaf, ``descend`` goes to the next.

Seats may have a *pact*: whoever knows of it searches as if any of them won what one of them wins.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.bits import signed
from skerry.core.kernels import kernel
from skerry.core.random import advance, below, scramble, seeded
from skerry.core.rules import Actions, Codes, Raw, States, Tables
from skerry.rl.stepping import wander
from skerry.train.gumbel import (
    choose_at_root,
    choose_inside,
    complete,
    count_tries,
    draw_noise,
    mix_value,
    weigh,
)

NO_NODE = 0  # the root is nobody's child
OVER = -1  # in place of a seat that moves
UNTOLD = -1  # in place of an outcome
RANDOM_OPENINGS = 3  # one game in so many begins with random actions

Nodes = NDArray[np.void]  # [games, nodes]
Searches = NDArray[np.void]  # [games]
Logits = NDArray[np.float32]  # [games, actions]
Outlooks = NDArray[np.float32]  # [games, seats + 1] chances of the mover, the next ..., of a draw


class Pact(NamedTuple):
    """Seats that play together, and those that know of it; a bit for each."""

    seats: int = 0
    witting: int = 0


NO_PACT = Pact()


def node_dtype(width: int, seats: int) -> np.dtype[np.void]:
    """A node, with what is known of its actions; ``worth`` adds up shares of whoever moves here."""
    return np.dtype(
        [
            ("prior", np.float32, (width,)),
            ("worth", np.float32, (width,)),
            ("share", np.float32, (seats,)),  # what the net, or the end of the game, said
            ("move", np.int16, (width,)),
            ("child", np.int16, (width,)),
            ("tries", np.int16, (width,)),
            ("parent", np.int16),
            ("slot", np.int8),  # of the parent's actions
            ("seat", np.int8),  # to move, or OVER
            ("width", np.int8),  # actions kept
        ],
        align=True,
    )


def search_dtype(width: int) -> np.dtype[np.void]:
    """What belongs to a whole tree."""
    return np.dtype(
        [
            ("noise", np.float32, (width,)),  # of the root's actions
            ("rng", np.uint64),
            ("leaf", np.int16),  # that the net is asked about
            ("grown", np.int16),  # nodes so far
            ("pact", np.int8),  # a bit for every seat that plays together with others
            ("witting", np.int8),  # and for every one that knows of it
            ("allies", np.int8),  # the pact, if whoever searches knows of it
        ],
        align=True,
    )


@kernel
def open_node(node: Raw, parent: int, slot: int) -> None:
    """Begin a node that nobody has looked at."""
    node.parent = parent
    node.slot = slot
    node.width = 0
    for i in range(len(node.move)):
        node.child[i] = NO_NODE
        node.tries[i] = 0
        node.worth[i] = 0.0


@kernel
def settle(t: Tables, s: Raw, node: Raw, returns: Any) -> None:
    """Note who is to move, or who has won."""
    if s.over == 0:
        node.seat = signed(s.turn)
        return
    node.seat = OVER
    rules.returns(t, s, returns)
    share_out(returns, node.share)


@kernel
def share_out(returns: Any, shares: Any) -> None:
    """The shares of a win that returns come to: whoever has the most has won."""
    most = returns[0]
    for seat in range(1, len(shares)):
        most = max(most, returns[seat])
    winners = 0
    for seat in range(len(shares)):
        winners += returns[seat] == most
    for seat in range(len(shares)):
        shares[seat] = 1.0 / winners if returns[seat] == most else 0.0


@kernel
def recall_pact(search: Raw, seat: int) -> None:
    """Begin a search of whoever moves at the root."""
    search.allies = search.pact if signed(search.witting) >> max(seat, 0) & 1 != 0 else 0


@kernel
def unite(shares: Any, allies: int) -> None:
    """Give each ally what all of them have: they do not mind who of them wins."""
    if allies == 0:
        return
    others = 0.0
    for seat in range(len(shares)):
        if allies >> seat & 1 == 0:
            others += shares[seat]
    for seat in range(len(shares)):
        if allies >> seat & 1 != 0:
            shares[seat] = 1.0 - others


@kernel
def keep_best(node: Raw, search: Raw, is_root: bool, action: int, logit: float) -> None:
    """Keep an action if it is among the best so far; the root's are drawn, others are as likely as
    the net says."""
    noise = 0.0
    if is_root:
        search.rng = advance(search.rng)
        noise = draw_noise(search.rng)
    most, at = len(node.move), signed(node.width)
    if at == most:
        last = node.prior[most - 1] + (search.noise[most - 1] if is_root else 0.0)
        if logit + noise <= last:
            return
        at -= 1
    else:
        node.width += 1
    while at > 0:
        before = node.prior[at - 1] + (search.noise[at - 1] if is_root else 0.0)
        if before >= logit + noise:
            break
        node.prior[at], node.move[at] = node.prior[at - 1], node.move[at - 1]
        if is_root:
            search.noise[at] = search.noise[at - 1]
        at -= 1
    node.prior[at], node.move[at] = logit, action
    if is_root:
        search.noise[at] = noise


@kernel
def expand(
    t: Tables, s: Raw, node: Raw, search: Raw, logits: Any, outlook: Any, scratch: Actions
) -> None:
    """Take in what the net said about a leaf."""
    is_root = search.leaf == 0
    for n in range(rules.legal(t, s, scratch)):
        action = signed(scratch[n])
        keep_best(node, search, is_root, action, np.float64(logits[action]))
    seats = len(node.share)
    for place in range(seats):
        node.share[(node.seat + place) % seats] = outlook[place] + outlook[seats] / seats
    unite(node.share, signed(search.allies))


@kernel
def back_up(nodes: Any, leaf: int) -> None:
    """Tell all nodes above a leaf what it is worth."""
    at = leaf
    while at != 0:
        slot, parent = signed(nodes[at].slot), signed(nodes[at].parent)
        nodes[parent].tries[slot] += 1
        nodes[parent].worth[slot] += nodes[leaf].share[nodes[parent].seat]
        at = parent


@kernel
def descend(nodes: Any, search: Raw, visits: int, strangers: int) -> tuple[int, int, bool]:
    """Go from the root to where nobody has been: a node, an action of it, and whether that is so.

    Where the game is over there is nothing new: the node is then the end. ``strangers`` has a bit
    for every seat that is known to be a stranger's.
    """
    node, slot = 0, choose_at_root(nodes[0], search, visits)
    while True:
        child = signed(nodes[node].child[slot])
        if child == NO_NODE:
            return node, slot, True
        if nodes[child].seat == OVER:
            return child, slot, False
        node = child
        slot = choose_inside(nodes[node], strangers >> nodes[node].seat & 1 != 0)


@kernel
def tell(t: Tables, s: Raw, seats: int, cells: Codes) -> int:
    """Write a position into ``cells``; returns its counter."""
    for cell in range(len(cells)):
        cells[cell] = 0
    return rules.identify(t, s, cells) // seats


@kernel
def improve_policy(
    t: Tables, s: Raw, root: Raw, logits: Any, scratch: Actions, target: Any
) -> None:
    """The policy that the root's values suggest, over all legal actions; -1 for all others."""
    total, most = count_tries(root)
    legal = rules.legal(t, s, scratch)
    # The mean of the values found takes each action as likely as the whole policy says: all but a
    # constant factor of these chances is in the priors.
    mixed = weigh(mix_value(root, total), most)
    for action in range(len(target)):
        target[action] = -1.0
    highest = -np.inf
    for n in range(legal):
        merit: float = logits[scratch[n]] + mixed
        target[scratch[n]] = merit
        highest = max(highest, merit)
    for slot in range(root.width):
        if root.tries[slot] > 0:
            merit = complete(root, slot, most, 0.0)
            target[root.move[slot]] = merit
            highest = max(highest, merit)
    mass = 0.0
    for n in range(legal):
        mass += math.exp(target[scratch[n]] - highest)
    for n in range(legal):
        target[scratch[n]] = math.exp(target[scratch[n]] - highest) / mass


@kernel
def begin_game(
    t: Tables, states: States, k: int, blank: States, rng: Any, longest: int, scratch: Actions
) -> Any:
    """Start game ``k``, sometimes by random actions; returns the generator's next state.

    Self-play alone never sees most positions. Whoever has been in some of them knows what to do
    when an opponent leads there.
    """
    states[k] = blank[0]
    rng = advance(rules.reset(t, states[k], advance(rng)))
    most = longest if below(rng, RANDOM_OPENINGS) == 0 else 0
    return wander(t, states, k, blank, 0, most, rng, scratch)


@kernel
def step(t: Tables, s: Raw, nodes: Any, search: Raw, parent: int, slot: int, returns: Any) -> None:
    """Open the node that an action leads to; ``s``, its parent's position, becomes its own."""
    at = signed(search.grown)
    search.grown += 1
    search.leaf = at
    rules.play(t, s, signed(nodes[parent].move[slot]))
    open_node(nodes[at], parent, slot)
    nodes[parent].child[slot] = at
    settle(t, s, nodes[at], returns)
    if nodes[at].seat == OVER:
        unite(nodes[at].share, signed(search.allies))


@kernel
def find_winner(t: Tables, s: Raw, returns: Any) -> int:
    """Who has won a game that is over, or the number of seats in a draw."""
    rules.returns(t, s, returns)
    winner, winners = 0, 0
    for seat in range(len(returns)):
        if returns[seat] > returns[winner]:
            winner = seat
    for seat in range(len(returns)):
        winners += returns[seat] == returns[winner]
    return winner if winners == 1 else len(returns)


@kernel
def foretell(t: Tables, s: Raw, search: Raw, scratch: Actions, returns: Any) -> int:
    """How a random game from ``s`` ends, which becomes its last position."""
    search.rng = advance(search.rng)
    rules.imagine(t, s, seeded(signed(scramble(search.rng))), scratch)
    return find_winner(t, s, returns)


@kernel
def play_on(
    t: Tables,
    states: States,
    k: int,
    blank: States,
    search: Raw,
    action: int,
    longest: int,
    restart: bool,
    cells: Codes,
    scratch: Actions,
    returns: Any,
) -> int:
    """Play an action in game ``k``; if that ends it, say how, show its last position in ``cells``
    and start anew if wished. UNTOLD if it goes on, or was over before."""
    if states[k].over != 0:
        return UNTOLD
    rules.play(t, states[k], action)
    if states[k].over == 0:
        return UNTOLD
    outcome = find_winner(t, states[k], returns)
    tell(t, states[k], len(returns), cells)
    if restart:
        search.rng = begin_game(t, states, k, blank, search.rng, longest, scratch)
    return outcome
