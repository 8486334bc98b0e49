"""Monte Carlo tree search for any number of seats, compiled per game.

The tree is a pool of nodes. A node holds, for the action that leads to it, how often it was tried
and the sum of the returns of every seat; whoever is to move looks at its own. Beside that it holds
how games ended in which its action was made at *any* later time (all moves as first, AMAF): that is
known of every action after a few simulations, and leads the way until the node's own results do.

A leaf is estimated by a random game to the end, and a likely one if the game can tell. In games
that can judge a position at a look, its children are judged instead, and besides the mean of the
results a node knows what best play among the positions judged comes to.

Nodes whose returns are known for certain are *proven*: the end of a game is, and so is a node where
the seat to move has a proven win or only proven actions. Proven nodes are believed and cost no more
simulations.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.game import Game
from skerry.core.kernels import kernel
from skerry.core.random import advance, below

NO_NODE = -1
ROOT = 0
WIN = 1.0
MAX_DEPTH = 4096
# Paper for one in so many nodes to be expanded, each of which has more children than that mostly.
NODES_PER_BOOK = 4
# A tree that is full is thinned out to one in so many of its nodes; that takes some time for each.
KEPT = 8
THINNING_SECONDS = 5e-8
# Of a node that was visited so often the AMAF results change little: one game in so many will do.
WELL_KNOWN = 1000
SELDOM = 8
# Up to here a float counts one by one; by then AMAF has said all it can.
MOST_COUNTED = 1 << 24
# Whims are for nodes that were visited more often than this, and so much more curious.
FAMILIAR = 4000
WHIMSICAL = np.float32(8.0)
# Equal actions are tried in random order: a little luck is added to what is expected of them.
LUCK = 1e-3
LUCKY_NUMBERS = 1 << 12
ONE = np.float32(1.0)
NEVER = np.finfo(np.float32).min  # infinity would be no number when multiplied by zero
SIGN, NUMBER = 31, 0x7FFFFFFF  # of the bits of a float, where the sign is and what the rest is
LOWEST_RANK = np.int32(-(2**31))


class Style(NamedTuple):
    """How a search weighs what it knows.

    ``exploration`` is its curiosity. ``amaf`` says how soon a node's own results outweigh those of
    all moves as first: the smaller the later, and 0 leaves them out. ``judgement`` is the weight of
    best play among judged positions against the mean of results; with 0 a search does without what
    games know, and plays uniformly random games. An action not tried yet is expected to be as good
    as its parent, plus ``novelty``. A leaf that ends in random games is given children when it has
    been tried ``patience`` times: most leaves never are again. Before it starts, a search makes
    sure of what the next ``foresight`` actions decide: 0, 1 or 2. Where it has been very often, one
    visit in ``whim`` goes to what it would not look at again otherwise; less than 1 means never.
    Without ``proofs`` the end of a game is a result like others, and there is no foresight.
    """

    exploration: float = 0.2
    amaf: float = 0.005
    judgement: float = 0.5
    novelty: float = 0.0
    patience: float = 5.0
    foresight: float = 2.0
    whim: float = 16.0
    proofs: float = 1.0


DEFAULT = Style()
# Plain UCT: every action is tried once, then upper confidence bounds decide.
PLAIN = Style(
    exploration=0.7,
    amaf=0.0,
    judgement=0.0,
    novelty=10.0,
    patience=2.0,
    foresight=0.0,
    whim=0.0,
    proofs=0.0,
)
# AMAF leads to what is promising, so less is left to curiosity.
CALM = np.float32(0.25)


def node_dtype(seats: int) -> np.dtype[np.void]:
    """One node of the tree; a fresh one is all zeros."""
    return np.dtype(
        [
            ("total", np.float64, (seats,)),  # returns summed over the visits
            ("visits", np.int64),  # a search of a day is more than 32 bits
            ("first", np.int32),  # first child; children are neighbours in the pool
            ("children", np.int32),  # how many; 0 until the node is expanded
            ("known", np.int32),  # the best proven child, or 0
            ("book", np.int32),  # row of the tree's books, or 0
            ("action", np.int32),
            ("seat", np.int8),  # whose turn it is at the node
            ("judged", np.uint8),
            ("proven", np.uint8),
            ("outlook", np.float32, (seats,)),  # of best play: certain if proven, a guess if judged
        ],
        align=True,
    )


# What selecting a child reads of it, apart from the rest: that is quick for all of them at once.
APPEAL = np.dtype(
    [
        ("merit", np.float32),  # to the seat that may go there, by its own results or its parent's
        ("visits", np.float32),
        ("amaf_total", np.float32),  # of games in which its action was made at any later time
        ("amaf_visits", np.float32),
    ]
)


@dataclass
class Tree:
    """A pool of nodes and the room that simulations need."""

    style: Style
    nodes: NDArray[np.void]  # [capacity]
    appeal: NDArray[np.void]  # [capacity]
    books: NDArray[np.int16]  # [rows, num_actions] 1 + the place of an action among the children
    used: NDArray[np.int64]  # [2] nodes and books
    states: NDArray[np.void]  # [3]: the root's state, and scratch
    path: NDArray[np.int32]  # [longest]
    actions: NDArray[np.int32]  # [num_actions]
    bounds: NDArray[np.int32]  # [num_actions] of children, as ranks
    returns: NDArray[np.float64]  # [seats]
    rng: NDArray[np.uint64]  # [1]

    @property
    def parts(self) -> tuple[Style, Any, Any, Any, NDArray[np.int16], NDArray[np.int64]]:
        """What every kernel that grows a tree begins with, in its order."""
        return self.style, self.states, self.nodes, self.appeal, self.books, self.used


def grow(game: Game, record: Any, capacity: int, seed: int, style: Style = DEFAULT) -> Tree:
    """A tree of one node, with room for ``capacity``."""
    tree = Tree(
        style=style,
        nodes=np.zeros(capacity, node_dtype(game.num_seats)),
        appeal=np.zeros(capacity, APPEAL),
        books=np.zeros((capacity // NODES_PER_BOOK + 1, game.num_actions), np.int16),
        used=np.ones(2, np.int64),
        states=np.zeros(3, game.dtype),
        path=np.zeros(MAX_DEPTH, np.int32),
        actions=np.zeros(game.num_actions, np.int32),
        bounds=np.zeros(game.num_actions, np.int32),
        returns=np.zeros(game.num_seats),
        rng=np.zeros(1, np.uint64),
    )
    start_over(tree, record, seed)
    return tree


def start_over(tree: Tree, record: Any, seed: int) -> None:
    """Forget all, and begin with another state, in memory that is quicker than new one."""
    tree.used[:] = 1
    tree.nodes[ROOT] = np.zeros((), tree.nodes.dtype)
    tree.nodes[ROOT]["seat"] = record["turn"]
    tree.states[0] = record
    tree.rng[0] = seed


def run(game: Game, tree: Tree, simulations: int, in_a_hurry: bool = False) -> int:
    """Run simulations in a tree; returns how many, fewer only if the root is proven.

    A tree that is full is thinned out and grows on. One that is too small for that, or in a hurry,
    goes on without new nodes.
    """
    capacity = len(tree.nodes)
    grows = not in_a_hurry and capacity // KEPT + 2 * game.num_actions < capacity
    done = 0
    while True:
        done += int(
            simulate(
                game.tables,
                *tree.parts,
                tree.path,
                tree.actions,
                tree.bounds,
                tree.returns,
                tree.rng,
                simulations - done,
                grows,
            )
        )
        if done == simulations or tree.nodes[ROOT]["proven"]:
            return done
        thin_out(tree)


def look_ahead(game: Game, tree: Tree) -> None:
    """Make sure of what the next actions decide, before anything is left to chance."""
    replies = np.zeros_like(tree.actions)
    foresee(game.tables, *tree.parts, tree.actions, replies, tree.returns, tree.rng)


def children_of(tree: Tree, node: int) -> tuple[int, Any]:
    """Where the children of a node begin, and they themselves, in ascending order of actions."""
    first, count = (int(tree.nodes[node][name]) for name in ("first", "children"))
    return first, tree.nodes[first : first + count]


def find_child(tree: Tree, node: int, action: int) -> int:
    """The child that an action leads to, or NO_NODE."""
    first, children = children_of(tree, node)
    actions = children["action"]
    place = int(np.searchsorted(actions, action))
    return first + place if place < len(actions) and actions[place] == action else NO_NODE


def follow(tree: Tree, record: Any, action: int) -> bool:
    """Make the child that an action leads to the root, and forget all others.

    ``record`` is the state there. False if nothing is known of it yet: then start over.
    """
    child = find_child(tree, ROOT, action)
    if child == NO_NODE or tree.nodes[child]["children"] == 0:
        return False
    _keep(tree, child, 0)
    tree.states[0] = record
    return True


def thin_out(tree: Tree) -> None:
    """Forget what is below nodes that were visited less than others, to make room."""
    parents = tree.nodes[: tree.used[0]]
    parents = parents[parents["children"] > 0]
    parents = parents[np.argsort(-parents["visits"])]
    fitting = int(np.searchsorted(parents["children"].cumsum(), len(tree.nodes) // KEPT))
    _keep(tree, ROOT, int(parents["visits"][fitting]) + 1 if fitting < len(parents) else 0)


def _keep(tree: Tree, root: int, fewest: int) -> None:
    """Forget all but what is below a node, and the children of nodes with too few visits."""
    nodes, books = (int(number) for number in tree.used)
    below = (np.empty_like(tree.nodes[:nodes]), np.empty_like(tree.appeal[:nodes]))
    pages = np.empty_like(tree.books[:books])
    transplant(tree.nodes, tree.appeal, tree.books, root, fewest, *below, pages, tree.used)
    kept, written = (int(number) for number in tree.used)
    tree.nodes[:kept], tree.appeal[:kept] = (pool[:kept] for pool in below)
    tree.books[1:written] = pages[1:written]


@kernel
def transplant(
    nodes: Any,
    appeal: Any,
    books: NDArray[np.int16],
    root: int,
    fewest: int,
    new_nodes: Any,
    new_appeal: Any,
    new_books: NDArray[np.int16],
    used: NDArray[np.int64],
) -> None:
    """Copy what is below a node, level by level; no children of those with too few visits."""
    new_nodes[0] = nodes[root]
    used[:] = 1
    node = 0
    while node < used[0]:
        if node > 0 and new_nodes[node].visits < fewest:
            new_nodes[node].children = new_nodes[node].known = new_nodes[node].book = 0
        first, count, book = new_nodes[node].first, new_nodes[node].children, new_nodes[node].book
        for i in range(count):
            new_nodes[used[0] + i] = nodes[first + i]
            new_appeal[used[0] + i] = appeal[first + i]
        if count > 0:
            new_nodes[node].first = used[0]
            if new_nodes[node].known != 0:
                new_nodes[node].known += used[0] - first
            used[0] += count
        if book != 0:
            new_books[used[1]] = books[book]
            new_nodes[node].book = used[1]
            used[1] += 1
        node += 1


@kernel
def simulate(
    tables: Any,
    style: Style,
    states: Any,
    nodes: Any,
    appeal: Any,
    books: NDArray[np.int16],
    used: NDArray[np.int64],
    path: NDArray[np.int32],
    actions: NDArray[np.int32],
    bounds: NDArray[np.int32],
    out: NDArray[np.float64],
    rng_state: NDArray[np.uint64],
    simulations: int,
    grows: bool,
) -> int:
    """Run simulations until there are enough or the root is proven; returns how many ran.

    A tree that ``grows`` has to have room for that: without it, there are no more either.
    """
    t = tables[0]
    s = states[1]
    rng = rng_state[0]
    done = 0
    while done < simulations and nodes[ROOT].proven == 0:
        if grows and used[0] + len(actions) > len(nodes):
            break
        states[1] = states[0]
        depth = descend(t, s, style, nodes, appeal, path, bounds)
        leaf = path[depth]
        known = nodes[leaf].proven != 0
        if not known:
            rng = open_leaf(
                t, states, style, nodes, appeal, books, used, path, depth, actions, out, rng
            )
        if nodes[leaf].proven != 0 or nodes[leaf].judged != 0:
            for seat in range(len(out)):
                out[seat] = nodes[leaf].outlook[seat]
        if style.amaf > 0 and s.over != 0:
            for seat in range(len(out)):
                credit(t, s, nodes, appeal, books, path, depth, seat, actions, out)
        back_up(style, nodes, appeal, path, depth, out)
        if not known:
            for i in range(1, depth + 1):
                if nodes[path[depth - i + 1]].proven == 0:
                    break
                conclude(nodes, appeal, path[depth - i])
        done += 1
    rng_state[0] = rng
    return done


@kernel
def descend(
    t: Any,
    s: Any,
    style: Style,
    nodes: Any,
    appeal: Any,
    path: NDArray[np.int32],
    bounds: NDArray[np.int32],
) -> int:
    """Go down the tree along the most promising actions; returns how deep the path is."""
    node = ROOT
    depth = 0
    path[0] = ROOT
    while nodes[node].children > 0 and nodes[node].proven == 0 and depth + 1 < len(path):
        node = select(style, nodes, appeal, node, bounds)
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
    used: NDArray[np.int64],
    path: NDArray[np.int32],
    depth: int,
    actions: NDArray[np.int32],
    out: NDArray[np.float64],
    rng: Any,
) -> Any:
    """Find out what the end of a path comes to; returns the generator's next state.

    What is proven or judged is written to the node, the returns of a random game to ``out``.
    """
    s = states[1]
    leaf = path[depth]
    if s.over != 0:
        rules.returns(t, s, out)
        if style.proofs > 0:
            prove(nodes, appeal, leaf, out)
    elif style.judgement > 0 and rules.judge(t, s, out):
        guess(nodes, leaf, out)
        rng = expand(t, s, style, nodes, appeal, used, leaf, actions, rng)
        judge_children(t, states, 1, style, nodes, appeal, leaf, out)
        lift(nodes, path, depth)
    else:
        if nodes[leaf].visits + 1 >= style.patience:
            rng = expand(t, s, style, nodes, appeal, used, leaf, actions, rng)
            if style.amaf > 0:
                open_book(nodes, books, used, leaf)
        if style.judgement > 0:
            rng = rules.imagine(t, s, rng, actions)
        else:
            rng = rules.finish(t, s, rng, actions)
        rules.returns(t, s, out)
    return rng


@kernel
def guess(nodes: Any, node: int, out: NDArray[np.float64]) -> None:
    """Keep what a node was judged to come to."""
    nodes[node].judged = 1
    for seat in range(len(out)):
        nodes[node].outlook[seat] = out[seat]


@kernel
def judge_children(
    t: Any,
    states: Any,
    here: int,
    style: Style,
    nodes: Any,
    appeal: Any,
    node: int,
    out: NDArray[np.float64],
) -> None:
    """Judge the children of a node just expanded, whose state is ``states[here]``."""
    seat = nodes[node].seat
    after = states[2]
    for child in range(nodes[node].first, nodes[node].first + nodes[node].children):
        states[2] = states[here]
        rules.play(t, after, nodes[child].action)
        if after.over == 0:
            rules.judge(t, after, out)
        else:
            rules.returns(t, after, out)
            if style.proofs > 0:
                prove(nodes, appeal, child, out)
                continue
        guess(nodes, child, out)
        appeal[child].merit = out[seat]
    conclude(nodes, appeal, node)


@kernel
def lift(nodes: Any, path: NDArray[np.int32], depth: int) -> None:
    """Let every node of a path, from its end, expect what its best child is judged to come to."""
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


@kernel
def back_up(
    style: Style,
    nodes: Any,
    appeal: Any,
    path: NDArray[np.int32],
    depth: int,
    out: NDArray[np.float64],
) -> None:
    """Count a visit of every node on the path, and expect from them what that says."""
    for i in range(depth + 1):
        node = path[i]
        nodes[node].visits += 1
        for seat in range(len(out)):
            nodes[node].total[seat] += out[seat]
        if i > 0:
            expect(style, nodes, appeal, node, nodes[path[i - 1]].seat)


@kernel
def foresee(
    tables: Any,
    style: Style,
    states: Any,
    nodes: Any,
    appeal: Any,
    books: NDArray[np.int16],
    used: NDArray[np.int64],
    actions: NDArray[np.int32],
    replies: NDArray[np.int32],
    out: NDArray[np.float64],
    rng: NDArray[np.uint64],
) -> None:
    """Prove the root's children that end the game, and those whose reply wins it at once."""
    t = tables[0]
    after, end = states[1], states[2]
    if nodes[ROOT].children == 0:
        rng[0] = expand(t, states[0], style, nodes, appeal, used, ROOT, actions, rng[0])
        if style.judgement > 0 and rules.judge(t, states[0], out):
            judge_children(t, states, 0, style, nodes, appeal, ROOT, out)
        elif style.amaf > 0:
            open_book(nodes, books, used, ROOT)
    if style.foresight < 1 or style.proofs <= 0:
        return
    for child in range(nodes[ROOT].first, nodes[ROOT].first + nodes[ROOT].children):
        if nodes[child].proven != 0:
            continue
        states[1] = states[0]
        rules.play(t, after, nodes[child].action)
        if after.over != 0:
            rules.returns(t, after, out)
            prove(nodes, appeal, child, out)
            continue
        for i in range(rules.legal(t, after, replies) if style.foresight > 1 else 0):
            states[2] = states[1]
            rules.play(t, end, replies[i])
            if end.over != 0:
                rules.returns(t, end, out)
                if out[after.turn] >= WIN:
                    prove(nodes, appeal, child, out)
                    break
    conclude(nodes, appeal, ROOT)


@kernel
def expand(
    t: Any,
    s: Any,
    style: Style,
    nodes: Any,
    appeal: Any,
    used: NDArray[np.int64],
    node: int,
    actions: NDArray[np.int32],
    rng: Any,
) -> Any:
    """Give a node its children if there is room for them; returns the generator's next state."""
    count = rules.legal(t, s, actions)
    first = used[0]
    seat = s.turn
    nodes[node].seat = seat
    if first + count > len(nodes):
        return rng
    expected = nodes[node].total[seat] / max(nodes[node].visits, 1) + style.novelty
    for child in range(first, first + count):
        rng = advance(rng)
        clear(nodes[child])
        nodes[child].action = actions[child - first]
        appeal[child].merit = expected + LUCK / LUCKY_NUMBERS * below(rng, LUCKY_NUMBERS)
        appeal[child].visits = appeal[child].amaf_total = appeal[child].amaf_visits = 0
    nodes[node].first = first
    nodes[node].children = count
    used[0] = first + count
    return rng


@kernel
def clear(node: Any) -> None:
    """Make a node fresh, whatever its place in the pool was used for before."""
    for seat in range(len(node.total)):
        node.total[seat] = node.outlook[seat] = 0
    node.visits = 0
    node.first = node.children = node.known = node.book = node.seat = 0
    node.judged = node.proven = 0


@kernel
def open_book(nodes: Any, books: NDArray[np.int16], used: NDArray[np.int64], node: int) -> None:
    """Write down where the children of a node are, if it got any and while there is paper."""
    if nodes[node].children == 0 or used[1] == len(books):
        return
    nodes[node].book = used[1]
    books[used[1]] = 0
    for i in range(nodes[node].children):
        books[used[1], nodes[nodes[node].first + i].action] = i + 1
    used[1] += 1


@kernel
def credit(
    t: Any,
    s: Any,
    nodes: Any,
    appeal: Any,
    books: NDArray[np.int16],
    path: NDArray[np.int32],
    depth: int,
    seat: int,
    actions: NDArray[np.int32],
    out: NDArray[np.float64],
) -> None:
    """Count how the game ended for the actions a seat made in it, wherever it might have made them.

    ``s`` is the finished game that the path led to.
    """
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
                    child.amaf_total += np.float32(out[seat])


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
