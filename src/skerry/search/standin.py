"""Stand-ins: what levels play by while the kernels of their search are being compiled.

A level is a net and a number of looks. ``PlainSearch`` takes as many, in Python and NumPy alone; it
needs no more compiled than whoever plays the game. A level that takes one look says the same as
ever. Others look at one leaf at a time instead of several, and stop when their time is up.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from skerry.core.game import Game
from skerry.core.random import STEP, below
from skerry.core.state import State
from skerry.nets.file import Net
from skerry.nets.images import Images, list_images
from skerry.nets.plain import PlainNet
from skerry.search import tree
from skerry.search.analysis import Analysis, Search
from skerry.search.guided.company import NOBODY
from skerry.search.guided.descent import GROWTH, JUDGED, UNTRIED
from skerry.search.players import LevelPlayer, NetPlayer, Player
from skerry.search.tree import GUIDED_APPEAL, ROOT, WIN, Style, Tree
from skerry.search.tree.proofs import NEVER

SECONDS = 1.0  # of thought for a move
MOST_LOOKS = 400  # of those who think by the clock
WORD = 1 << 64


@lru_cache(maxsize=4)
def _open_eyes(game: Game, net: Net) -> tuple[PlainNet, Images]:
    return PlainNet(game, net), list_images(game)


class PlainSearch(Search):
    """A tree that a net guides, as ``search.guided`` grows it, without kernels of its own."""

    slow = True
    appeal = GUIDED_APPEAL

    def __init__(self, state: State, net: Net, seed: int, nodes: int, style: Style) -> None:
        self.net, self.images = _open_eyes(state.game, net)
        self.states: dict[int, State] = {}  # by node
        super().__init__(state, seed, 1, nodes, style)

    def _load(self) -> None:
        """There is nothing to load."""

    def _plant(self, number: int) -> Tree:
        """A tree in which is proven what the next two actions decide."""
        state = self.state
        grown = tree.grow(state.game, state.raw, self.room, self.seed, self.style, self.appeal)
        self.states[ROOT] = state
        for child in self._expand(grown, ROOT):
            after = self._go(grown, ROOT, child)
            if after.outcome:
                _prove(grown, child, after.outcome.returns)
                continue
            for action in after.legal_actions().tolist():
                end = after.play(action)
                if end.outcome and end.outcome.returns[after.turn] >= WIN:
                    _prove(grown, child, end.outcome.returns)
                    break
        _conclude(grown)
        return grown

    def _grow(self, grown: Tree, simulations: int, in_a_hurry: bool) -> int:
        for done in range(simulations):
            if grown.nodes[ROOT]["proven"]:
                return done
            self._simulate(grown)
        return simulations

    def _simulate(self, grown: Tree) -> None:
        """Down to a leaf, a look at it, and back up."""
        nodes, path = grown.nodes, [ROOT]
        while nodes[path[-1]]["judged"] == JUDGED and not nodes[path[-1]]["proven"]:
            child = self._select(grown, path[-1])
            self._go(grown, path[-1], child)
            path.append(child)
        leaf, state = path[-1], self.states[path[-1]]
        if state.outcome:
            _prove(grown, leaf, state.outcome.returns)
        returns = nodes[leaf]["outlook"] if nodes[leaf]["proven"] else self._look(grown, leaf)
        for parent, node in zip([None, *path], path, strict=False):
            nodes[node]["visits"] += 1
            nodes[node]["total"] += returns
            if parent is not None and not nodes[node]["proven"]:
                total = nodes[node]["total"][nodes[parent]["seat"]]
                grown.pool.appeal[node]["merit"] = total / nodes[node]["visits"]
                grown.pool.appeal[node]["visits"] = nodes[node]["visits"]

    def _select(self, grown: Tree, node: int) -> int:
        """The child to try next, as ``select_guided`` chooses it."""
        first, children = tree.children_of(grown, node)
        parent, look = grown.nodes[node], grown.pool.appeal[first : first + len(children)]
        visits, tried = int(parent["visits"]), look["prior"][look["visits"] > 0].sum()
        hope = parent["total"][parent["seat"]] / max(visits, 1) - UNTRIED * np.sqrt(tried)
        growth = self.style.exploration + np.log((visits + GROWTH + 1) / GROWTH)
        expected = np.where(look["visits"] > 0, look["merit"], hope)
        bounds = expected + growth * np.sqrt(visits) * look["prior"] / (1 + look["visits"])
        proven = children["proven"] == 1
        bounds[proven] = children["outlook"][proven, parent["seat"]]
        return first + int(np.argmax(bounds))

    def _look(self, grown: Tree, leaf: int) -> Any:
        """What the net expects for every seat; it tells how likely it would go where."""
        state, nodes = self.states[leaf], grown.nodes
        if not nodes[leaf]["children"]:
            self._expand(grown, leaf)
        image = below(self._advance(grown, 1), len(self.images.cells))
        codes = self.images.codes[image][state.codes[self.images.cells[image]]]
        logits, outlook = self.net.look(codes, state.turn, state.counter)
        first, children = tree.children_of(grown, leaf)
        chances = logits[self.images.actions[image][children["action"]]]
        chances = np.exp(chances - chances.max())
        grown.pool.appeal["prior"][first : first + len(children)] = chances / chances.sum()
        nodes[leaf]["judged"] = JUDGED
        seats = len(outlook) - 1
        shares = outlook[:seats] + outlook[seats] / seats
        return np.roll((seats * shares - 1) / (seats - 1), state.turn)

    def _expand(self, grown: Tree, node: int) -> range:
        """Give a node its children."""
        nodes, actions = grown.nodes, self.states[node].legal_actions()
        first = grown.used
        span = range(first, first + len(actions))
        nodes[first : span.stop]["action"] = actions
        nodes[node]["first"], nodes[node]["children"] = first, len(actions)
        nodes[node]["seat"] = self.states[node].turn
        grown.work[0]["nodes_used"] = span.stop
        self._advance(grown, len(actions))
        return span

    def _advance(self, grown: Tree, steps: int) -> np.uint64:
        """The generator's state after so many steps; kernels take one for every new child."""
        work = grown.work[0]
        work["rng"] = (int(work["rng"]) + steps * int(STEP)) % WORD
        return np.uint64(work["rng"])

    def _go(self, grown: Tree, node: int, child: int) -> State:
        """The state of a child."""
        if child not in self.states:
            self.states[child] = self.states[node].play(int(grown.nodes[child]["action"]))
        return self.states[child]


def _prove(grown: Tree, node: int, returns: Any) -> None:
    """Believe these returns of a node for good."""
    grown.nodes[node]["proven"], grown.nodes[node]["outlook"] = 1, returns
    grown.pool.appeal[node]["merit"] = NEVER


def _conclude(grown: Tree) -> None:
    """Prove the root where one of its children wins, or all are proven alike."""
    _, children = tree.children_of(grown, ROOT)
    proven = children["proven"] == 1
    hopes = np.where(proven, children["outlook"][:, grown.nodes[ROOT]["seat"]], -np.inf)
    best = children[int(np.argmax(hopes))]["outlook"]
    alike = proven.all() and (children["outlook"][hopes == hopes.max()] == best).all()
    if hopes.max() >= WIN or alike:
        _prove(grown, ROOT, best)


@dataclass
class StandIn(NetPlayer):
    """A level before its kernels are there."""

    def _plant(self, state: State, seed: int) -> Search:
        room = self._room(state.game)
        return PlainSearch(state, self.net_for(state.game), seed, room, self.style)

    def _think(self, search: Search) -> Analysis:
        return search.run(self.simulations, SECONDS, lines=0)


def stand_in(player: Player, game: Game) -> Player | None:
    """Who can play for a level that has to be compiled; None if it is none, or asks no net."""
    if not isinstance(player, LevelPlayer):
        return None
    level = game.levels[player.level - 1]
    if level.net is None:
        return None
    return StandIn(
        player.name,
        simulations=level.simulations or MOST_LOOKS,
        temperature=level.temperature,
        remembers=False,
        shipped=level.net,
        strangers=NOBODY,
    )
