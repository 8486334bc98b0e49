"""Trees that a net guides, grown on several threads."""

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import numpy as np

from skerry.core.game import Game
from skerry.core.state import State
from skerry.nets import forward
from skerry.nets.file import Net
from skerry.nets.images import list_images
from skerry.search import tree
from skerry.search.analysis import DEFAULT_NODES, Search
from skerry.search.guided.descent import Flights, absorb, collect
from skerry.search.tree import GUIDED_APPEAL, MAX_DEPTH, ROOT, Style, Tree

GUIDED = Style(exploration=0.6, amaf=0.0, judgement=0.0)
# Of the visits there are no more leaves in flight at a time than this part, since every one of them
# was chosen without knowing what the others come to.
PART = 8


class Evaluator:
    """A net that looks at the positions of one game."""

    def __init__(self, game: Game, net: Net) -> None:
        self.ground = forward.survey(game)
        self.weights = forward.unpack(net, self.ground.size)
        self.images = list_images(game)

    def set_up(self) -> forward.Desk:
        return forward.set_up(self.weights, self.ground)


@lru_cache(maxsize=16)
def evaluator_for(game: Game, net: Net) -> Evaluator:
    """Its weights take some megabytes and some milliseconds to get ready."""
    return Evaluator(game, net)


class GuidedSearch(Search):
    """A tree for a position that a net guides; all threads look at leaves of the same tree."""

    per_thread = forward.AT_ONCE  # leaves in flight
    slow = True  # and the last flight of a batch may be smaller than others
    appeal = GUIDED_APPEAL

    def __init__(
        self,
        state: State,
        net: Net,
        seed: int = 0,
        threads: int = 1,
        nodes: int = DEFAULT_NODES,
        style: Style = GUIDED,
    ) -> None:
        game = state.game
        self.evaluator = evaluator_for(game, net)
        self.strangers = 0  # a bit for every seat that is known to be none of the net's kind
        super().__init__(state, seed, threads, nodes, style)
        leaves = self.threads * self.per_thread
        self.flights = Flights(
            codes=np.zeros((leaves, len(game.board)), np.uint8),
            seats=np.zeros(leaves, np.int64),
            counters=np.zeros(leaves, np.int64),
            strangers=np.zeros(leaves, np.int64),
            images=np.zeros(leaves, np.int64),
            scratch=np.zeros(len(game.board), np.uint8),
            paths=np.zeros((leaves, MAX_DEPTH), np.int32),
            depths=np.zeros(leaves, np.int64),
            logits=np.zeros((leaves, game.num_actions), np.float32),
            outlooks=np.zeros((leaves, game.num_seats + 1), np.float32),
        )
        self.desks = [self.evaluator.set_up() for _ in range(self.threads)]
        self.helpers = ThreadPoolExecutor(self.threads, "skerry-net") if self.threads > 1 else None

    def meet(self, strangers: int) -> None:
        """Take these seats, a bit for each, to be strangers'. What was thought of others is
        forgotten."""
        if strangers != self.strangers:
            self.strangers = strangers
            for number, grown in enumerate(self.trees):
                tree.start_over(grown, self.state.raw, self.seed + number)
                tree.look_ahead(self.state.game, grown)

    def _count_trees(self) -> int:
        return 1

    def _grow(self, grown: Tree, simulations: int, in_a_hurry: bool) -> int:
        game = self.state.game
        grows = not in_a_hurry and grown.is_roomy
        flights, images = self.flights, self.evaluator.images
        done = 0
        while done < simulations and not grown.nodes[ROOT]["proven"]:
            most = 1 + int(grown.nodes[ROOT]["visits"]) // PART
            leaves, certain = collect(
                game.tables,
                self.style,
                grown.pool,
                grown.states,
                grown.work,
                flights,
                images,
                min(most, len(flights.seats)),
                simulations - done,
                grows,
                self.strangers,
            )
            if leaves:
                try:
                    self._ask(leaves)
                except BaseException:  # nobody would wait for what is in flight any more
                    tree.start_over(grown, self.state.raw, self.seed)
                    raise
                absorb(self.style, grown.pool, flights, images, leaves)
            elif not certain:
                tree.thin_out(grown)
            done += leaves + certain
        return done

    def _ask(self, leaves: int) -> None:
        """Let the net look at the leaves in flight, a part of them on each thread."""
        parts = min(self.threads, leaves)
        cuts = [leaves * part // parts for part in range(parts + 1)]
        spans = [slice(*cuts[part : part + 2]) for part in range(parts)]
        if self.helpers is None or parts == 1:
            self._look(0, spans[0])
        else:
            jobs = [self.helpers.submit(self._look, n, spans[n]) for n in range(1, parts)]
            self._look(0, spans[0])
            for job in jobs:
                job.result()

    def _look(self, number: int, span: slice) -> None:
        flights, evaluator = self.flights, self.evaluator
        asked: tuple[Any, ...] = flights[:4]
        said: tuple[Any, ...] = (flights.logits, flights.outlooks)
        forward.evaluate(
            evaluator.weights,
            evaluator.ground,
            self.desks[number],
            *(part[span] for part in (*asked, *said)),
        )
