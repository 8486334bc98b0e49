"""What is known of a node without trying it again: proofs, and the judgement of a game.

Nodes whose returns are known for certain are *proven*: the end of a game is, and so is a node where
the seat to move has a proven win or only proven actions. Proven nodes are believed and cost no more
simulations.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.game import Game
from skerry.core.kernels import kernel
from skerry.search.tree.pool import NO_NODE, ROOT, NodePool, Tree, expand, open_book
from skerry.search.tree.style import Style

WIN = 1.0
NEVER = np.finfo(np.float32).min  # infinity would be no number when multiplied by zero


def look_ahead(game: Game, tree: Tree) -> None:
    """Make sure of what the next actions decide, before anything is left to chance."""
    foresee(game.tables, tree.style, tree.pool, tree.states, tree.work)


@kernel
def foresee(tables: Any, style: Style, pool: NodePool, states: Any, works: Any) -> None:
    """Prove the root's children that end the game, and those whose reply wins it at once."""
    t, work = tables[0], works[0]
    nodes, appeal, books = pool
    after, end, returns = states[1], states[2], work.returns
    if nodes[ROOT].children == 0:
        expand(t, states[0], style, nodes, appeal, work, ROOT)
        if style.judgement > 0 and rules.judge(t, states[0], returns):
            judge_children(t, states, 0, style, nodes, appeal, ROOT, returns)
        elif style.amaf > 0:
            open_book(nodes, books, work, ROOT)
    if style.foresight < 1 or style.proofs <= 0:
        return
    for child in range(nodes[ROOT].first, nodes[ROOT].first + nodes[ROOT].children):
        if nodes[child].proven != 0:
            continue
        states[1] = states[0]
        rules.play(t, after, nodes[child].action)
        if after.over != 0:
            rules.returns(t, after, returns)
            prove(nodes, appeal, child, returns)
            continue
        for i in range(rules.legal(t, after, work.replies) if style.foresight > 1 else 0):
            states[2] = states[1]
            rules.play(t, end, work.replies[i])
            if end.over != 0:
                rules.returns(t, end, returns)
                if returns[after.turn] >= WIN:
                    prove(nodes, appeal, child, returns)
                    break
    conclude(nodes, appeal, ROOT)


@kernel
def prove(nodes: Any, appeal: Any, node: int, returns: Any) -> None:
    """Believe these returns of a node for good, and try it no more."""
    nodes[node].proven = 1
    appeal[node].merit = NEVER
    appeal[node].amaf_total = appeal[node].amaf_visits = 0
    for seat in range(len(returns)):
        nodes[node].outlook[seat] = returns[seat]


@kernel
def conclude(nodes: Any, appeal: Any, node: int) -> None:
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
        elif best == NO_NODE or child.outlook[seat] > nodes[best].outlook[seat]:
            best = parent.first + i
            doubtful = False
        elif child.outlook[seat] == nodes[best].outlook[seat]:
            for other in range(len(child.outlook)):
                doubtful = doubtful or child.outlook[other] != nodes[best].outlook[other]
    if best == NO_NODE:
        return
    nodes[node].known = best
    won = nodes[best].outlook[seat] >= WIN
    if won or (unknown == 0 and not doubtful):
        prove(nodes, appeal, node, nodes[best].outlook)


@kernel
def conclude_path(nodes: Any, appeal: Any, path: NDArray[np.int32], depth: int) -> None:
    """Prove, from the end of a path, the nodes above it as far as that proves them."""
    for i in range(1, depth + 1):
        if nodes[path[depth - i + 1]].proven == 0:
            break
        conclude(nodes, appeal, path[depth - i])


@kernel
def guess(nodes: Any, node: int, returns: Any) -> None:
    """Keep what a node was judged to come to."""
    nodes[node].judged = 1
    for seat in range(len(returns)):
        nodes[node].outlook[seat] = returns[seat]


@kernel
def judge_children(
    t: Any,
    states: Any,
    here: int,
    style: Style,
    nodes: Any,
    appeal: Any,
    node: int,
    returns: Any,
) -> None:
    """Judge the children of a node just expanded, whose state is ``states[here]``."""
    seat = nodes[node].seat
    after = states[2]
    for child in range(nodes[node].first, nodes[node].first + nodes[node].children):
        states[2] = states[here]
        rules.play(t, after, nodes[child].action)
        if after.over == 0:
            rules.judge(t, after, returns)
        else:
            rules.returns(t, after, returns)
            if style.proofs > 0:
                prove(nodes, appeal, child, returns)
                continue
        guess(nodes, child, returns)
        appeal[child].merit = returns[seat]
    conclude(nodes, appeal, node)


@kernel
def lift(nodes: Any, path: NDArray[np.int32], depth: int) -> None:
    """Minimax backup: from the end of a path, every node expects what its best child does."""
    for i in range(depth + 1):
        node = path[depth - i]
        seat, first, count = nodes[node].seat, nodes[node].first, nodes[node].children
        best = first
        for child in range(first, first + count):
            if nodes[child].outlook[seat] > nodes[best].outlook[seat]:
                best = child
        if count > 0:
            for other in range(len(nodes[node].outlook)):
                nodes[node].outlook[other] = nodes[best].outlook[other]
