"""Monte Carlo tree search for any number of seats, compiled per game.

The tree is a pool of nodes. A node holds, for the action that leads to it, how often it was tried
and the sum of the returns of every seat; whoever is to move looks at its own. Nodes whose returns
are known for certain are *proven*: the end of a game is, and so is a node where the seat to move
has a proven win or only proven actions. Proven nodes are believed and cost no more simulations.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.game import Game
from skerry.core.kernels import kernel
from skerry.core.random import advance, below

UNEXPANDED = -1
NO_NODE = -1
ROOT = 0
EXPLORATION = 0.7
# A leaf is given children when it has been tried this often: most leaves never are again.
EXPAND_AT = 2
WIN = 1.0
MAX_DEPTH = 4096


def node_dtype(seats: int) -> np.dtype[np.void]:
    """One node of the tree."""
    return np.dtype(
        [
            ("total", np.float64, (seats,)),  # returns summed over the visits
            ("visits", np.int64),
            ("first", np.int32),  # first child; children are neighbours in the pool
            ("children", np.int32),  # how many, or UNEXPANDED
            ("action", np.int32),
            ("seat", np.int8),  # whose turn it is at the node
            ("proven", np.uint8),
            ("certain", np.float32, (seats,)),  # the returns of a proven node
        ],
        align=True,
    )


@dataclass
class Tree:
    """A pool of nodes and the room that simulations need."""

    nodes: NDArray[np.void]  # [capacity]
    used: NDArray[np.int64]  # [1]
    states: NDArray[np.void]  # [2]: the root's state, and scratch
    path: NDArray[np.int32]  # [longest]
    actions: NDArray[np.int32]  # [num_actions]
    returns: NDArray[np.float64]  # [seats]
    rng: NDArray[np.uint64]  # [1]
    exploration: float


def grow(
    game: Game, record: Any, capacity: int, seed: int, exploration: float = EXPLORATION
) -> Tree:
    """A tree of one node, with room for ``capacity``."""
    states = np.zeros(2, game.dtype)
    states[0] = record
    nodes = np.zeros(capacity, node_dtype(game.num_seats))
    nodes[ROOT]["children"] = UNEXPANDED
    nodes[ROOT]["seat"] = record["turn"]
    return Tree(
        nodes=nodes,
        used=np.ones(1, np.int64),
        states=states,
        path=np.zeros(MAX_DEPTH, np.int32),
        actions=np.zeros(game.num_actions, np.int32),
        returns=np.zeros(game.num_seats),
        rng=np.array([seed], np.uint64),
        exploration=exploration,
    )


def run(game: Game, tree: Tree, simulations: int) -> int:
    """Run simulations in a tree; returns how many, fewer only if the root is proven."""
    return int(
        simulate(
            game.tables,
            tree.states,
            tree.nodes,
            tree.used,
            tree.path,
            tree.actions,
            tree.returns,
            tree.rng,
            tree.exploration,
            simulations,
        )
    )


@kernel
def simulate(
    tables: Any,
    states: Any,
    nodes: Any,
    used: NDArray[np.int64],
    path: NDArray[np.int32],
    actions: NDArray[np.int32],
    out: NDArray[np.float64],
    rng_state: NDArray[np.uint64],
    exploration: float,
    simulations: int,
) -> int:
    """Run simulations until there are enough or the root is proven; returns how many ran."""
    t = tables[0]
    s = states[1]
    rng = rng_state[0]
    done = 0
    while done < simulations and nodes[ROOT].proven == 0:
        states[1] = states[0]
        node = ROOT
        depth = 0
        path[0] = ROOT
        # Down the tree, along the most promising actions.
        while nodes[node].children > 0 and nodes[node].proven == 0 and depth + 1 < len(path):
            node = select(nodes, node, exploration, rng)
            rng = advance(rng)
            rules.play(t, s, nodes[node].action)
            depth += 1
            path[depth] = node
        if nodes[node].proven != 0:
            for seat in range(len(out)):
                out[seat] = nodes[node].certain[seat]
        elif s.over != 0:
            rules.returns(t, s, out)
            prove(nodes, node, out)
        else:
            if nodes[node].visits + 1 >= EXPAND_AT or node == ROOT:
                expand(t, s, nodes, used, node, actions)
            _, rng = rules.playout(t, s, rng, actions)
            rules.returns(t, s, out)
        # Back up: count the visit, and believe what has become certain.
        for i in range(depth + 1):
            back = path[depth - i]
            nodes[back].visits += 1
            for seat in range(len(out)):
                nodes[back].total[seat] += out[seat]
        for i in range(1, depth + 1):
            if nodes[path[depth - i + 1]].proven == 0:
                break
            conclude(nodes, path[depth - i])
        done += 1
    rng_state[0] = rng
    return done


@kernel
def expand(
    t: Any, s: Any, nodes: Any, used: NDArray[np.int64], node: int, actions: NDArray[np.int32]
) -> None:
    """Give a node its children, if there is room for them all."""
    count = rules.legal(t, s, actions)
    first = used[0]
    nodes[node].seat = s.turn
    if first + count > len(nodes):
        return
    for i in range(count):
        child = first + i
        nodes[child].action = actions[i]
        nodes[child].children = UNEXPANDED
        nodes[child].visits = 0
        nodes[child].proven = 0
        for seat in range(nodes[child].total.shape[0]):
            nodes[child].total[seat] = 0.0
    nodes[node].first = first
    nodes[node].children = count
    used[0] = first + count


@kernel
def select(nodes: Any, node: int, exploration: float, rng: Any) -> int:
    """The child to try next: upper confidence bounds, from the view of the seat to move."""
    parent = nodes[node]
    seat = parent.seat
    first = parent.first
    # Untried children first, one at random: no order of actions is favoured.
    untried = 0
    for i in range(parent.children):
        untried += nodes[first + i].visits == 0
    if untried > 0:
        n = below(rng, untried)
        for i in range(parent.children):
            if nodes[first + i].visits == 0:
                if n == 0:
                    return first + i
                n -= 1
    log = np.log(parent.visits + 1.0)
    best = NO_NODE
    best_bound = -np.inf
    certain = NO_NODE
    for i in range(parent.children):
        child = nodes[first + i]
        if child.proven != 0:
            if certain == NO_NODE or child.certain[seat] > nodes[certain].certain[seat]:
                certain = first + i
            continue
        bound = child.total[seat] / child.visits + exploration * np.sqrt(log / child.visits)
        if bound > best_bound:
            best_bound = bound
            best = first + i
    if certain == NO_NODE:
        return best
    # What is certain need not be tried; but where nothing hopes for more, it is what the seat has,
    # and every other visit says so to the nodes above.
    settled = nodes[certain].certain[seat] >= best_bound
    return certain if best == NO_NODE or (settled and parent.visits % 2 == 0) else best


@kernel
def prove(nodes: Any, node: int, returns: Any) -> None:
    """Believe these returns of a node for good."""
    nodes[node].proven = 1
    for seat in range(len(returns)):
        nodes[node].certain[seat] = returns[seat]


@kernel
def conclude(nodes: Any, node: int) -> None:
    """Prove a node from its children: a win is taken, and with all known the best is.

    With more than two seats the best may be several that differ for the others; then the node
    stays open, since nobody can say which one the seat would choose.
    """
    parent = nodes[node]
    seat = parent.seat
    best = NO_NODE
    unknown = 0
    doubtful = False
    for i in range(parent.children):
        child = nodes[parent.first + i]
        if child.proven == 0:
            unknown += 1
        elif best == NO_NODE or child.certain[seat] > nodes[best].certain[seat]:
            best = parent.first + i
            doubtful = False
        elif child.certain[seat] == nodes[best].certain[seat]:
            for other in range(len(child.certain)):
                doubtful = doubtful or child.certain[other] != nodes[best].certain[other]
    if best == NO_NODE:
        return
    won = nodes[best].certain[seat] >= WIN
    if won or (unknown == 0 and not doubtful):
        prove(nodes, node, nodes[best].certain)
