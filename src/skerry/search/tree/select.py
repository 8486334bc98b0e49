"""Which child to try next: the way down a tree."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.kernels import kernel
from skerry.search.tree.pool import NO_NODE
from skerry.search.tree.proofs import NEVER
from skerry.search.tree.style import Style

# AMAF leads to what is promising, so less is left to curiosity.
CALM = np.float32(0.25)
# Whims are for nodes that were visited more often than this, and so much more curious.
FAMILIAR = 4000
WHIMSICAL = np.float32(8.0)
ONE = np.float32(1.0)
SIGN, NUMBER = 31, 0x7FFFFFFF  # of the bits of a float, where the sign is and what the rest is
LOWEST_RANK = np.int32(-(2**31))


@kernel
def select(style: Style, nodes: Any, appeal: Any, node: int, bounds: NDArray[np.int32]) -> int:
    """The child to try next: upper confidence bounds, from the view of the seat to move."""
    parent = nodes[node]
    curiosity = np.float32(np.sqrt(np.log(parent.visits + 1.0)))
    if style.whim >= 1 and parent.visits > FAMILIAR and parent.visits % int(style.whim) == 0:
        curiosity *= WHIMSICAL
    best_bound, best = find_highest_bound(
        appeal,
        bounds,
        parent.first,
        parent.children,
        curiosity * np.float32(style.exploration),
        np.float32(style.amaf),
    )
    if parent.known == 0:
        return best
    # What is certain need not be tried; but where nothing hopes for more, it is what the seat has,
    # and every other visit says so to the nodes above.
    settled = nodes[parent.known].outlook[parent.seat] >= best_bound
    if best == NO_NODE or (settled and parent.visits % 2 == 0):
        return choose_certain(nodes, node)
    return best


@kernel
def choose_certain(nodes: Any, node: int) -> int:
    """One of the best children that are proven, each in turn.

    With more than two seats they may differ for the others, and nobody can say which one the seat
    would choose.
    """
    parent = nodes[node]
    if len(parent.outlook) == 2:
        return parent.known
    best = nodes[parent.known].outlook[parent.seat]
    alike = 0
    for child in range(parent.first, parent.first + parent.children):
        if nodes[child].proven != 0 and nodes[child].outlook[parent.seat] == best:
            alike += 1
    turn = parent.visits // 2 % alike  # visits may come here by twos
    for child in range(parent.first, parent.first + parent.children):
        if nodes[child].proven != 0 and nodes[child].outlook[parent.seat] == best:
            if turn == 0:
                return child
            turn -= 1
    return parent.known


@kernel
def find_highest_bound(
    appeal: Any,
    bounds: NDArray[np.int32],
    first: int,
    count: int,
    curiosity: np.float32,
    bias: np.float32,
) -> tuple[np.float32, int]:
    """The highest upper confidence bound of so many nodes, and the first node that has it.

    Written without branches, so that the compiler does it for many nodes at a time. It compares
    only whole numbers so: bounds are turned into *ranks* by their bits, of which the negative have
    to be turned around, as they grow away from zero. The share of AMAF is the one that has the
    least error if its ``bias`` is as large as the style says.
    """
    start = np.uint64(first)
    highest = LOWEST_RANK
    for i in range(np.uint64(count)):
        child = appeal[start + i]
        n, m = child.visits, child.amaf_visits
        more = child.amaf_total - m * child.merit
        expected = child.merit + more / max(n + m + bias * n * m, ONE)
        doubt = curiosity * (CALM if m > 0 else ONE) / np.sqrt(max(n, ONE))
        bits = np.float32(expected + doubt).view(np.int32)
        rank = np.int32(bits ^ ((bits >> SIGN) & NUMBER))
        bounds[i] = rank
        highest = np.int32(max(highest, rank))
    best_bound = np.int32(highest ^ ((highest >> SIGN) & NUMBER)).view(np.float32)
    place = 0
    while bounds[place] != highest:
        place += 1
    return best_bound, (first + place if best_bound > NEVER else NO_NODE)
