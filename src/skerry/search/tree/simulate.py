"""One simulation: down the tree to a leaf, a look at what it comes to, and back up."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.game import Game
from skerry.core.kernels import kernel
from skerry.search.tree.pool import ROOT, NodePool, Tree, expand, open_book, thin_out
from skerry.search.tree.proofs import NEVER, conclude_path, guess, judge_children, lift, prove
from skerry.search.tree.select import ONE, select
from skerry.search.tree.style import Style

# Of a node that was visited so often the AMAF results change little: one game in so many will do.
WELL_KNOWN = 1000
SELDOM = 8
# Up to here a float counts one by one; by then AMAF has said all it can.
MOST_COUNTED = 1 << 24


def run(game: Game, tree: Tree, simulations: int, in_a_hurry: bool = False) -> int:
    """Run simulations in a tree; returns how many, fewer only if the root is proven.

    A tree that is full is thinned out and grows on. One that is too small for that, or in a hurry,
    goes on without new nodes.
    """
    grows = not in_a_hurry and tree.is_roomy
    parts = game.tables, tree.style, tree.pool, tree.states, tree.work
    done = 0
    while True:
        done += int(simulate(*parts, simulations - done, grows))
        if done == simulations or tree.nodes[ROOT]["proven"]:
            return done
        thin_out(tree)


@kernel
def simulate(
    tables: Any,
    style: Style,
    pool: NodePool,
    states: Any,
    works: Any,
    simulations: int,
    grows: bool,
) -> int:
    """Run simulations until there are enough or the root is proven; returns how many ran.

    A tree that ``grows`` has to have room for that: without it, there are no more either.
    """
    t, work = tables[0], works[0]
    nodes, appeal, books = pool
    s, path, returns = states[1], work.path, work.returns
    num_actions = books.shape[1]
    done = 0
    while done < simulations and nodes[ROOT].proven == 0:
        if grows and work.nodes_used + num_actions > len(nodes):
            break
        states[1] = states[0]
        depth = descend(t, s, style, nodes, appeal, work)
        leaf = path[depth]
        known = nodes[leaf].proven != 0
        if not known:
            open_leaf(t, states, style, nodes, appeal, books, work, depth)
        if nodes[leaf].proven != 0 or nodes[leaf].judged != 0:
            for seat in range(len(returns)):
                returns[seat] = nodes[leaf].outlook[seat]
        if style.amaf > 0 and s.over != 0:
            for seat in range(len(returns)):
                credit(t, s, nodes, appeal, books, work, depth, seat)
        back_up(style, nodes, appeal, work, depth)
        if not known:
            conclude_path(nodes, appeal, path, depth)
        done += 1
    return done


@kernel
def descend(t: Any, s: Any, style: Style, nodes: Any, appeal: Any, work: Any) -> int:
    """Go down the tree along the most promising actions; returns how deep the path is."""
    path = work.path
    node = ROOT
    depth = 0
    path[0] = ROOT
    while nodes[node].children > 0 and nodes[node].proven == 0 and depth + 1 < len(path):
        node = select(style, nodes, appeal, node, work.bounds)
        rules.play(t, s, nodes[node].action)
        depth += 1
        path[depth] = node
    return depth


@kernel
def open_leaf(
    t: Any,
    states: Any,
    style: Style,
    nodes: Any,
    appeal: Any,
    books: NDArray[np.int16],
    work: Any,
    depth: int,
) -> None:
    """Find out what the end of a path comes to.

    What is proven or judged is written to the node, how a random game ended to ``work.returns``.
    """
    s, returns = states[1], work.returns
    leaf = work.path[depth]
    if s.over != 0:
        rules.returns(t, s, returns)
        if style.proofs > 0:
            prove(nodes, appeal, leaf, returns)
    elif style.judgement > 0 and rules.judge(t, s, returns):
        guess(nodes, leaf, returns)
        expand(t, s, style, nodes, appeal, work, leaf)
        judge_children(t, states, 1, style, nodes, appeal, leaf, returns)
        lift(nodes, work.path, depth)
    else:
        if nodes[leaf].visits + 1 >= style.patience:
            expand(t, s, style, nodes, appeal, work, leaf)
            if style.amaf > 0:
                open_book(nodes, books, work, leaf)
        if style.judgement > 0:
            work.rng = rules.imagine(t, s, work.rng, work.actions)
        else:
            work.rng = rules.finish(t, s, work.rng, work.actions)
        rules.returns(t, s, returns)


@kernel
def back_up(style: Style, nodes: Any, appeal: Any, work: Any, depth: int) -> None:
    """Count a visit of every node on the path, and expect from them what that says."""
    path, returns = work.path, work.returns
    for i in range(depth + 1):
        node = path[i]
        nodes[node].visits += 1
        for seat in range(len(returns)):
            nodes[node].total[seat] += returns[seat]
        if i > 0:
            expect(style, nodes, appeal, node, nodes[path[i - 1]].seat)


@kernel
def expect(style: Style, nodes: Any, appeal: Any, node: int, seat: int) -> None:
    """Write down what the results of a node say to a seat that may go there."""
    if nodes[node].proven != 0:
        return
    n = nodes[node].visits
    value = nodes[node].total[seat] / n
    if nodes[node].judged != 0:
        value += style.judgement * (nodes[node].outlook[seat] - value)
    appeal[node].merit = value
    appeal[node].visits = n


@kernel
def credit(
    t: Any,
    s: Any,
    nodes: Any,
    appeal: Any,
    books: NDArray[np.int16],
    work: Any,
    depth: int,
    seat: int,
) -> None:
    """Count how the game ended for the actions a seat made in it, wherever it might have made them.

    ``s`` is the finished game that the path led to.
    """
    path, actions = work.path, work.actions
    won = np.float32(work.returns[seat])
    count = rules.made(t, s, seat, actions)
    for i in range(depth + 1):
        parent = nodes[path[i]]
        if parent.seat != seat or parent.book == 0:
            continue
        if parent.visits > WELL_KNOWN and (
            parent.visits % SELDOM != 0 or parent.visits > MOST_COUNTED
        ):
            continue
        for k in range(count):
            place = books[parent.book, actions[k]]
            if place > 0:
                child = appeal[parent.first + place - 1]
                if child.merit != NEVER:
                    child.amaf_visits += ONE
                    child.amaf_total += won
