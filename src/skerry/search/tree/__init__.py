"""Monte Carlo tree search for any number of seats, compiled per game.

The tree is a pool of nodes (``pool``). A node holds, for the action that leads to it, how often it
was tried and the sum of the returns of every seat; whoever is to move looks at its own. Beside that
it holds how games ended in which its action was made at *any* later time (all moves as first,
AMAF): that is known of every action after a few simulations, and leads the way until the node's own
results do (``select``).

A leaf is estimated by a random game to the end, and a likely one if the game can tell
(``simulate``). In games that can judge a position at a look, its children are judged instead, and
besides the mean of the results a node knows what best play among the positions judged comes to. The
ends of games are proven, and so is what follows from them (``proofs``). How much each of these
counts is a matter of ``style``.
"""

from skerry.search.tree.pool import (
    APPEAL,
    GUIDED_APPEAL,
    MAX_DEPTH,
    NO_NODE,
    ROOT,
    THINNING_SECONDS,
    Tree,
    children_of,
    find_child,
    follow,
    grow,
    start_over,
    thin_out,
)
from skerry.search.tree.proofs import WIN, look_ahead
from skerry.search.tree.simulate import run
from skerry.search.tree.style import DEFAULT, PLAIN, Style

__all__ = [
    "APPEAL",
    "DEFAULT",
    "GUIDED_APPEAL",
    "MAX_DEPTH",
    "NO_NODE",
    "PLAIN",
    "ROOT",
    "THINNING_SECONDS",
    "WIN",
    "Style",
    "Tree",
    "children_of",
    "find_child",
    "follow",
    "grow",
    "look_ahead",
    "run",
    "start_over",
    "thin_out",
]
