"""The nodes of a tree: a pool of fixed size in which it grows, moves up and is thinned out."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.game import Game
from skerry.core.kernels import kernel
from skerry.core.random import advance, below
from skerry.search.tree.style import DEFAULT, Style

NO_NODE = -1
ROOT = 0
MAX_DEPTH = 4096
# A book for one in so many nodes: those that are expanded mostly have more children than that.
NODES_PER_BOOK = 4
# A tree that is full is thinned out to one in so many of its nodes; that takes some time for each.
KEPT = 8
THINNING_SECONDS = 5e-8
# Equal actions are tried in random order: a little luck is added to what is expected of them.
LUCK = 1e-3
LUCKY_NUMBERS = 1 << 12
# Room for actions is padded to these steps, so that most boards share their compiled code.
LEAST_ROOM, ROOM_STEP = 512, 8


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
# What selecting a child takes where a net has told how likely its action is.
GUIDED_APPEAL = np.dtype([*APPEAL.descr, ("prior", np.float32)])


class NodePool(NamedTuple):
    """The nodes, and what belongs to them.

    A *book* is an AMAF index: where among the children of a node an action is to be found. Kernels
    that are called from Python take a pool; they hand on its arrays one by one, since a tuple of
    arrays costs reference counts wherever it goes.
    """

    nodes: Any  # [capacity] of ``node_dtype``
    appeal: Any  # [capacity] of APPEAL
    books: NDArray[np.int16]  # [rows, num_actions] 1 + the place of an action among the children


def work_dtype(actions: int, seats: int) -> np.dtype[np.void]:
    """What simulations need beside the nodes, as a record, which costs no reference counts."""
    room = LEAST_ROOM
    while room < actions:
        room *= ROOM_STEP
    return np.dtype(
        [
            ("rng", np.uint64),
            ("nodes_used", np.int64),
            ("books_used", np.int64),
            ("returns", np.float64, (seats,)),  # of the simulation that is under way
            ("actions", np.int32, (room,)),  # scratch
            ("replies", np.int32, (room,)),  # scratch
            ("bounds", np.int32, (room,)),  # of children, as ranks
            ("path", np.int32, (MAX_DEPTH,)),  # the nodes from the root to the leaf
        ],
        align=True,
    )


@dataclass
class Tree:
    """A pool of nodes, the room that simulations need, and how they weigh what they find."""

    style: Style
    pool: NodePool
    states: NDArray[np.void]  # [3]: the root's state, and scratch
    work: NDArray[np.void]  # [1] of ``work_dtype``

    @property
    def nodes(self) -> NDArray[np.void]:
        return self.pool.nodes

    @property
    def is_guided(self) -> bool:
        """Whether a net tells how likely actions are."""
        return self.pool.appeal.dtype == GUIDED_APPEAL

    @property
    def is_roomy(self) -> bool:
        """Whether it can grow on after it was thinned out."""
        capacity = len(self.nodes)
        return capacity // KEPT + 2 * self.pool.books.shape[1] < capacity

    @property
    def used(self) -> int:
        """How many nodes there are."""
        return int(self.work[0]["nodes_used"])


def grow(
    game: Game,
    raw: Any,
    capacity: int,
    seed: int,
    style: Style = DEFAULT,
    appeal: np.dtype[np.void] = APPEAL,
) -> Tree:
    """A tree of one node, with room for ``capacity``."""
    books = capacity // NODES_PER_BOOK + 1 if style.amaf > 0 else 1
    pool = NodePool(
        nodes=np.zeros(capacity, node_dtype(game.num_seats)),
        appeal=np.zeros(capacity, appeal),
        books=np.zeros((books, game.num_actions), np.int16),
    )
    work = np.zeros(1, work_dtype(game.num_actions, game.num_seats))
    tree = Tree(style, pool, np.zeros(3, game.dtype), work)
    start_over(tree, raw, seed)
    return tree


def start_over(tree: Tree, raw: Any, seed: int) -> None:
    """Forget all, and begin with another state, in memory that is quicker than new one."""
    tree.nodes[ROOT] = np.zeros((), tree.nodes.dtype)
    tree.nodes[ROOT]["seat"] = raw["turn"]
    tree.states[0] = raw
    work = tree.work[0]
    work["nodes_used"] = work["books_used"] = 1
    work["rng"] = seed


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


def follow(tree: Tree, raw: Any, action: int) -> bool:
    """Make the child that an action leads to the root, and forget all others.

    ``raw`` is the state there. False if nothing is known of it yet: then start over.
    """
    child = find_child(tree, ROOT, action)
    if child == NO_NODE or tree.nodes[child]["children"] == 0:
        return False
    _keep(tree, child, 0)
    tree.states[0] = raw
    return True


def thin_out(tree: Tree) -> None:
    """Forget what is below nodes that were visited less than others, to make room."""
    parents = tree.nodes[: tree.used]
    parents = parents[parents["children"] > 0]
    parents = parents[np.argsort(-parents["visits"])]
    fitting = int(np.searchsorted(parents["children"].cumsum(), len(tree.nodes) // KEPT))
    _keep(tree, ROOT, int(parents["visits"][fitting]) + 1 if fitting < len(parents) else 0)


def _keep(tree: Tree, root: int, fewest: int) -> None:
    """Forget all but what is below a node, and the children of nodes with too few visits."""
    work = tree.work[0]
    nodes, books = int(work["nodes_used"]), int(work["books_used"])
    sizes = zip(tree.pool, (nodes, nodes, books), strict=True)
    below = NodePool(*(np.empty_like(part[:size]) for part, size in sizes))
    transplant(tree.pool, root, fewest, below, tree.work)
    nodes, books = int(work["nodes_used"]), int(work["books_used"])
    for part, kept, size in zip(tree.pool, below, (nodes, nodes, books), strict=True):
        part[:size] = kept[:size]


@kernel
def transplant(pool: NodePool, root: int, fewest: int, to: NodePool, works: Any) -> None:
    """Copy what is below a node, level by level; no children of those with too few visits."""
    nodes, work = to.nodes, works[0]
    nodes[0] = pool.nodes[root]
    to.books[0] = 0
    used = books_used = 1
    node = 0
    while node < used:
        if node > 0 and nodes[node].visits < fewest:
            nodes[node].children = nodes[node].known = nodes[node].book = 0
        first, count, book = nodes[node].first, nodes[node].children, nodes[node].book
        for i in range(count):
            nodes[used + i] = pool.nodes[first + i]
            to.appeal[used + i] = pool.appeal[first + i]
        if count > 0:
            nodes[node].first = used
            if nodes[node].known != 0:
                nodes[node].known += used - first
            used += count
        if book != 0:
            to.books[books_used] = pool.books[book]
            nodes[node].book = books_used
            books_used += 1
        node += 1
    work.nodes_used, work.books_used = used, books_used


@kernel
def expand(t: Any, s: Any, style: Style, nodes: Any, appeal: Any, work: Any, node: int) -> None:
    """Give a node its children, if there is room for them."""
    count = rules.legal(t, s, work.actions)
    first = work.nodes_used
    seat = s.turn
    nodes[node].seat = seat
    if first + count > len(nodes):
        return
    rng = work.rng
    expected = nodes[node].total[seat] / max(nodes[node].visits, 1) + style.novelty
    for child in range(first, first + count):
        rng = advance(rng)
        clear(nodes[child])
        nodes[child].action = work.actions[child - first]
        appeal[child].merit = expected + LUCK / LUCKY_NUMBERS * below(rng, LUCKY_NUMBERS)
        appeal[child].visits = appeal[child].amaf_total = appeal[child].amaf_visits = 0
    nodes[node].first = first
    nodes[node].children = count
    work.nodes_used = first + count
    work.rng = rng


@kernel
def clear(node: Any) -> None:
    """Make a node fresh, whatever its place in the pool was used for before."""
    for seat in range(len(node.total)):
        node.total[seat] = node.outlook[seat] = 0
    node.visits = 0
    node.first = node.children = node.known = node.book = node.seat = 0
    node.judged = node.proven = 0


@kernel
def open_book(nodes: Any, books: NDArray[np.int16], work: Any, node: int) -> None:
    """Write down where the children of a node are, if it got any and while there is paper."""
    book = work.books_used
    if nodes[node].children == 0 or book == len(books):
        return
    nodes[node].book = book
    books[book] = 0
    for i in range(nodes[node].children):
        books[book, nodes[nodes[node].first + i].action] = i + 1
    work.books_used = book + 1
