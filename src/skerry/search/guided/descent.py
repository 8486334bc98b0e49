"""Ways down a guided tree, and what the net says carried back up.

Leaves that the net is asked about are *in flight*. Until its answer is there, each counts as lost
for whoever went there (virtual loss), so that the next way down leads elsewhere.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.kernels import kernel
from skerry.core.random import advance, below
from skerry.nets.images import Images
from skerry.search.tree.pool import NO_NODE, ROOT, NodePool, expand
from skerry.search.tree.proofs import NEVER, conclude, conclude_path, prove
from skerry.search.tree.select import choose_certain
from skerry.search.tree.simulate import back_up, expect
from skerry.search.tree.style import Style

IN_FLIGHT, JUDGED = 2, 1  # what ``judged`` says of a node
VIRTUAL_LOSS = 1.0
# How much the net's policy counts: more as visits grow, as in AlphaZero.
GROWTH = 19652.0
# What was not tried is worth less than its parent, the more so the more of the policy was tried.
UNTRIED = 0.3


class Flights(NamedTuple):
    """The leaves that a net is asked about."""

    codes: NDArray[np.uint8]  # [leaves, cells]
    seats: NDArray[np.int64]
    counters: NDArray[np.int64]
    strangers: NDArray[np.int64]  # a bit for every seat of which the net is told
    images: NDArray[np.int64]  # the symmetry by which the net sees each
    scratch: NDArray[np.uint8]  # [cells]
    paths: NDArray[np.int32]  # [leaves, MAX_DEPTH]
    depths: NDArray[np.int64]
    logits: NDArray[np.float32]  # [leaves, actions]
    outlooks: NDArray[np.float32]  # [leaves, seats + 1]


@kernel
def select_guided(style: Style, nodes: Any, appeal: Any, node: int) -> int:
    """The child to try next: what is expected of it, and curiosity where the policy is high."""
    parent = nodes[node]
    visits = parent.visits
    tried = np.float32(0.0)
    for child in range(parent.first, parent.first + parent.children):
        if appeal[child].visits > 0:
            tried += appeal[child].prior
    hope = np.float32(parent.total[parent.seat] / max(visits, 1) - UNTRIED * np.sqrt(tried))
    growth = style.exploration + np.log((visits + GROWTH + 1) / GROWTH)
    curiosity = np.float32(growth * np.sqrt(max(visits, 1)))
    best, best_bound = NO_NODE, np.float32(NEVER)
    for child in range(parent.first, parent.first + parent.children):
        look = appeal[child]
        if look.merit != NEVER:
            expected = look.merit if look.visits > 0 else hope
            bound = expected + curiosity * look.prior / (1 + look.visits)
            if best == NO_NODE or bound > best_bound:
                best, best_bound = child, bound
    if parent.known == 0:
        return best
    settled = nodes[parent.known].outlook[parent.seat] >= best_bound
    if best == NO_NODE or (settled and visits % 2 == 0):
        return choose_certain(nodes, node)
    return best


@kernel
def select_foretold(nodes: Any, appeal: Any, node: int) -> int:
    """The child of a stranger's to try next: the one whose share of the visits lags most behind
    what the net foretells. What it is worth to anybody does not count, but nobody is taken to lose
    for certain while there is something else."""
    parent = nodes[node]
    best, most = NO_NODE, np.float32(NEVER)
    for child in range(parent.first, parent.first + parent.children):
        proven = nodes[child].proven != 0
        if not proven or nodes[child].outlook[parent.seat] >= 0:
            lag = np.float32(appeal[child].prior - nodes[child].visits / (1.0 + parent.visits))
            if best == NO_NODE or lag > most:
                best, most = child, lag
    return choose_certain(nodes, node) if best == NO_NODE else best


@kernel
def descend_guided(
    t: Any, s: Any, style: Style, nodes: Any, appeal: Any, work: Any, strangers: int
) -> int:
    """Go down to a node that the net has not judged, or that is proven; returns how deep it is."""
    path = work.path
    node, depth = ROOT, 0
    path[0] = ROOT
    while nodes[node].judged == JUDGED and nodes[node].proven == 0 and depth + 1 < len(path):
        if nodes[node].children == 0:
            break
        if strangers >> nodes[node].seat & 1 != 0:
            node = select_foretold(nodes, appeal, node)
        else:
            node = select_guided(style, nodes, appeal, node)
        rules.play(t, s, nodes[node].action)
        depth += 1
        path[depth] = node
    return depth


@kernel
def open_leaf(
    t: Any, states: Any, style: Style, nodes: Any, appeal: Any, work: Any, leaf: int
) -> None:
    """Find out what is certain of a leaf, whose state is ``states[1]``: whether the game is over,
    and which of its children end it."""
    s, after, returns = states[1], states[2], work.returns
    if s.over != 0:
        rules.returns(t, s, returns)
        prove(nodes, appeal, leaf, returns)
        return
    if nodes[leaf].children > 0:
        return  # foreseen
    expand(t, s, style, nodes, appeal, work, leaf)
    for child in range(nodes[leaf].first, nodes[leaf].first + nodes[leaf].children):
        states[2] = states[1]
        rules.play(t, after, nodes[child].action)
        if after.over != 0:
            rules.returns(t, after, returns)
            prove(nodes, appeal, child, returns)
    conclude(nodes, appeal, leaf)


@kernel
def collect(
    tables: Any,
    style: Style,
    pool: NodePool,
    states: Any,
    works: Any,
    flights: Flights,
    images: Images,
    most: int,
    simulations: int,
    grows: bool,
    strangers: int,
) -> tuple[int, int]:
    """Send up to so many leaves off to the net; returns how many, and how many simulations were
    done without it, since they led to what is certain.

    A tree that ``grows`` has to have room for that: without it, there are no more either.
    """
    t, work = tables[0], works[0]
    nodes, appeal, _ = pool
    s, path, returns = states[1], work.path, work.returns
    leaves = done = 0
    while leaves < most and leaves + done < simulations and nodes[ROOT].proven == 0:
        if grows and work.nodes_used + flights.logits.shape[1] > len(nodes):
            break
        states[1] = states[0]
        depth = descend_guided(t, s, style, nodes, appeal, work, strangers)
        leaf = path[depth]
        if nodes[leaf].judged == IN_FLIGHT:
            break  # there is nothing better to do than to wait for it
        known = nodes[leaf].proven != 0
        if not known:
            open_leaf(t, states, style, nodes, appeal, work, leaf)
        if nodes[leaf].proven != 0:
            for seat in range(len(returns)):
                returns[seat] = nodes[leaf].outlook[seat]
            back_up(style, nodes, appeal, work, depth)
            if not known:
                conclude_path(nodes, appeal, path, depth)
            done += 1
        else:
            flights.strangers[leaves] = strangers
            take_off(t, s, style, nodes, appeal, work, flights, images, leaves, depth)
            leaves += 1
    return leaves, done


@kernel
def take_off(
    t: Any,
    s: Any,
    style: Style,
    nodes: Any,
    appeal: Any,
    work: Any,
    flights: Flights,
    images: Images,
    k: int,
    depth: int,
) -> None:
    """Send a leaf off to the net, seen by a random symmetry."""
    path, seats = work.path, len(work.returns)
    nodes[path[depth]].judged = IN_FLIGHT
    work.rng = advance(work.rng)
    image = below(work.rng, len(images.cells))
    cells = flights.scratch
    cells[:] = 0
    rest = rules.identify(t, s, cells)
    for cell in range(len(cells)):
        flights.codes[k, cell] = images.codes[image, cells[images.cells[image, cell]]]
    flights.seats[k], flights.counters[k] = rest % seats, rest // seats
    flights.images[k], flights.depths[k] = image, depth
    for i in range(depth + 1):
        node = path[i]
        flights.paths[k, i] = node
        nodes[node].visits += 1
        if i > 0:
            seat = nodes[path[i - 1]].seat
            nodes[node].total[seat] -= VIRTUAL_LOSS
            expect(style, nodes, appeal, node, seat)


@kernel
def absorb(style: Style, pool: NodePool, flights: Flights, images: Images, leaves: int) -> None:
    """Take in what the net said of so many leaves."""
    nodes, appeal, _ = pool
    for k in range(leaves):
        path, depth = flights.paths[k], flights.depths[k]
        leaf = path[depth]
        nodes[leaf].judged = JUDGED
        share_out_policy(nodes, appeal, leaf, flights.logits[k], images.actions[flights.images[k]])
        outlook, mover = flights.outlooks[k], flights.seats[k]
        seats = len(outlook) - 1
        for i in range(depth + 1):
            node = path[i]
            for place in range(seats):
                share = outlook[place] + outlook[seats] / seats
                # A win is 1, and all returns add up to 0.
                value = (seats * share - 1) / (seats - 1)
                nodes[node].total[(mover + place) % seats] += value
            if i > 0:
                seat = nodes[path[i - 1]].seat
                nodes[node].total[seat] += VIRTUAL_LOSS
                expect(style, nodes, appeal, node, seat)


@kernel
def share_out_policy(nodes: Any, appeal: Any, node: int, logits: Any, image: Any) -> None:
    """Tell the children of a node how likely the net would go there."""
    first, count = nodes[node].first, nodes[node].children
    highest = np.float32(-np.inf)
    for child in range(first, first + count):
        highest = max(highest, logits[image[nodes[child].action]])
    total = np.float32(0.0)
    for child in range(first, first + count):
        chance = np.exp(logits[image[nodes[child].action]] - highest)
        appeal[child].prior = chance
        total += chance
    for child in range(first, first + count):
        appeal[child].prior /= total
