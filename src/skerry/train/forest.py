"""A batch of games with a tree each, on CPU threads or on a GPU.

What a net is asked and what it answers are torch tensors, which share their memory with the arrays
that kernels work on.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from skerry.core.game import Game
from skerry.core.state import State
from skerry.rl.device import load_gpu
from skerry.rl.threads import cut, do_all
from skerry.train import drivers, guests, gumbel, tree

WIDTH = 16  # actions that a node keeps
SLICE = 64  # games that are worth a thread
RANDOM_SHARE = 2  # the longest random opening is the number of cells divided by this


class Round(NamedTuple):
    """One action in every game of a batch: where it was played, what the searches came to, and
    which games it ended."""

    codes: torch.Tensor  # [games, cells] before it
    seats: torch.Tensor  # [games]
    counters: torch.Tensor  # [games]
    strangers: torch.Tensor  # [games] a bit for every seat known to be a guest's
    targets: torch.Tensor  # [games, actions] the policy to learn, -1 for what is no part of it
    foretold: torch.Tensor  # [games] how a random game ended; UNTOLD where nobody asked
    outcomes: torch.Tensor  # [games] winner, number of seats for a draw, UNTOLD if it goes on
    finals: torch.Tensor  # [games, cells] the last positions of games that ended


class Forest:
    """Games and their trees. In a share of the games some seats are guests' (``train.guests``), and
    in a share of these the guests are ``rivals``; seats of a pact play together in all games. A
    ``believer`` is told how a random game ends from every position.

    One simulation takes a call of the net and one of ``simulate``:

        forest.plant()
        for number in range(simulations + 1):
            logits, outlooks = ask the net about cells, seats, counters, strangers
            forest.simulate(number, logits, outlooks)
        forest.conclude(logits of the first call)
        forest.play()
        forest.tell()
    """

    def __init__(
        self,
        game: Game,
        batch: int,
        simulations: int,
        device: str = "cpu",
        seed: int = 0,
        threads: int | None = None,
        guests: float = 0.0,
        rivals: float = 0.0,
        believer: bool = False,
        pact: tree.Pact = tree.NO_PACT,
    ) -> None:
        self.pact = pact
        self.game, self.batch, self.device, self.threads = game, batch, device, threads
        self.invited = guests, rivals  # of games, and of those with guests
        self.is_believer = believer
        self.longest = len(game.board) // RANDOM_SHARE
        self.node_dtype = tree.node_dtype(WIDTH, game.num_seats)
        self.search_dtype = tree.search_dtype(WIDTH)
        self.simulations = simulations
        shapes: list[tuple[str, tuple[int, ...], Any]] = [
            ("cells", (len(game.board), batch), torch.uint8),
            ("seats", (batch,), torch.int8),
            ("counters", (batch,), torch.int32),
            ("strangers", (batch,), torch.int8),
            ("rivals", (batch,), torch.int8),
            ("foretold", (batch,), torch.int8),
            ("targets", (batch, game.num_actions), torch.float32),
            ("actions", (batch,), torch.int32),
            ("worths", (batch,), torch.float32),
            ("outcomes", (batch,), torch.int8),
            ("finals", (len(game.board), batch), torch.uint8),
        ]
        # A GPU that Numba simulates has no memory of its own.
        place = "cpu" if device == "cuda" and load_gpu().SIMULATED else device
        for name, shape, dtype in shapes:
            setattr(self, name, torch.zeros(shape, dtype=dtype, device=place))
        self.foretold.fill_(tree.UNTOLD)
        self.plan = gumbel.plan_visits(WIDTH, simulations)
        self._does: Any = _OnCPU(self) if device == "cpu" else _open_gpu(self)
        self.begin(seed)

    cells: torch.Tensor  # [cells, games] what the net is asked about
    seats: torch.Tensor  # [games] who moves there
    counters: torch.Tensor  # [games]
    strangers: torch.Tensor  # [games] a bit for every seat that the net is told is a guest's
    rivals: torch.Tensor  # [games] a bit for every seat that a rival has
    foretold: torch.Tensor  # [games] how a random game from here ended, if anybody wants to know
    # [games, actions] the policy to learn: -1 for what is illegal, and for all where a guest moves
    # that nobody was told of
    targets: torch.Tensor
    actions: torch.Tensor  # [games] what the search, or the guest, has come to
    worths: torch.Tensor  # [games] and what it is worth to the mover, from 0 to 1
    outcomes: torch.Tensor  # [games] winner or number of seats where a game has just ended, else -1
    finals: torch.Tensor  # [cells, games] the last positions of those games

    def begin(self, seed: int) -> None:
        """Start all games anew."""
        searches = np.zeros(self.batch, self.search_dtype)
        searches["rng"] = np.random.default_rng(seed).integers(2**63, size=self.batch)
        searches["pact"], searches["witting"] = self.pact
        self._does.begin(searches)
        if self.has_guests:
            # With a generator of their own they change nothing where the net sits alone.
            seated = np.zeros(self.batch, guests.guest_dtype(self.game.num_seats))
            seated["rng"] = np.random.default_rng([seed, 1]).integers(2**63, size=self.batch)
            strangers, rivals = np.zeros((2, self.batch), np.int8)
            guests.seat_all(seated, *self.invited, strangers, rivals)
            self.strangers.copy_(torch.from_numpy(strangers))
            self.rivals.copy_(torch.from_numpy(rivals))
            self._does.welcome(seated)

    @property
    def has_guests(self) -> bool:
        return self.invited[0] > 0

    @property
    def has_rivals(self) -> bool:
        return self.has_guests and self.invited[1] > 0

    def put(self, records: NDArray[np.void], places: NDArray[np.int64]) -> None:
        """Go on from these positions instead in the games of these numbers."""
        self._does.put(records, places)

    def take(self, places: NDArray[np.int64]) -> NDArray[np.void]:
        """A copy of the positions of these games."""
        return self._does.take(places)  # type: ignore[no-any-return]

    def plant(self) -> None:
        """Begin a tree at every game's position."""
        self._does.plant()
        self.root_cells = self.cells.clone()
        self.root_seats, self.root_counters = self.seats.clone(), self.counters.clone()
        self.root_strangers = self.strangers.clone()
        self.is_rival = self._has_bit(self.rivals)
        if self.has_rivals:
            self.strangers[self.is_rival] = 0  # to a rival nobody is one

    def _has_bit(self, seats: torch.Tensor) -> torch.Tensor:
        """[games] whether the seat that moves at the root is one of these."""
        return (seats >> self.root_seats & 1).bool()

    def simulate(self, number: int, logits: torch.Tensor, outlooks: torch.Tensor) -> None:
        """Take in what the net says of the leaves, and go to the next ones."""
        self._does.simulate(number, logits, outlooks)

    def conclude(self, logits: torch.Tensor) -> None:
        """What the searches, and guests, have come to; ``logits`` are what the net said of the
        roots."""
        self._does.conclude(logits)
        if self.is_believer:
            self._does.foretell()
        if self.has_rivals:
            self.strangers.copy_(self.root_strangers)
            # Of rivals that it is told of the net learns what they would try.
            self.targets[self.is_rival & ~self._has_bit(self.strangers)] = guests.UNTAUGHT
        if self.has_guests:
            self._does.move_guests()

    def play(self, restart: bool = True) -> None:
        """Play ``actions``."""
        self._does.play(restart)
        if self.has_guests:
            self._does.seat_guests()

    def tell(self) -> Round:
        """What has just been played; it holds until the next tree is begun."""
        return Round(
            self.root_cells.T,
            self.root_seats,
            self.root_counters,
            self.root_strangers,
            self.targets,
            self.foretold,
            self.outcomes,
            self.finals.T,
        )

    def seating(self) -> list[list[int]]:
        """How many random games the guest of every seat plays, by games; none where the net sits,
        and no games without guests."""
        return self._does.effort().tolist() if self.has_guests else []  # type: ignore[no-any-return]

    def state(self, k: int) -> State:
        """One game of the batch, to look at or to play on by itself."""
        return State(self.game, self._does.record(k))


def _open_gpu(forest: Forest) -> Any:
    load_gpu()
    from skerry.train.gpu_forest import OnGPU  # noqa: PLC0415  # needs a GPU

    return OnGPU(forest)


class _OnCPU:
    """Trees in main memory; threads take slices of the games."""

    def __init__(self, forest: Forest) -> None:
        self.forest, game = forest, forest.game
        self.states = np.zeros(forest.batch, game.dtype)
        self.blank = np.zeros(1, game.dtype)
        self.nodes = np.zeros((forest.batch, forest.simulations + 1), forest.node_dtype)
        self.records = np.zeros(self.nodes.shape, game.dtype)
        self.visits = forest.plan
        self.spans = cut(forest.batch, SLICE, forest.threads)

    def record(self, k: int) -> Any:
        return self.states[k : k + 1].copy()

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(len(self.spans), "skerry-forest")

    def _on_all(self, work: Callable[[slice, Any, Any], None]) -> None:
        game = self.forest.game

        def do(span: slice) -> None:
            work(span, np.zeros(game.num_actions, np.int32), np.zeros(game.num_seats))

        do_all(self._pool, self.spans, do)

    def begin(self, searches: Any) -> None:
        self.searches = searches
        tables, longest = self.forest.game.tables, self.forest.longest
        self._on_all(
            lambda span, scratch, returns: drivers.begin_all(
                tables, self.states[span], self.blank, searches[span], longest, scratch
            )
        )

    def put(self, records: Any, places: Any) -> None:
        self.states[places] = records

    def take(self, places: Any) -> Any:
        return self.states[places]

    def _asked(self, span: slice) -> tuple[Any, Any, Any]:
        forest = self.forest
        return (
            forest.cells.numpy()[:, span],
            forest.seats.numpy()[span],
            forest.counters.numpy()[span],
        )

    def plant(self) -> None:
        self._on_all(
            lambda span, scratch, returns: drivers.plant_all(
                self.forest.game.tables,
                self.states[span],
                self.nodes[span],
                self.records[span],
                self.searches[span],
                *self._asked(span),
                returns,
            )
        )

    def simulate(self, number: int, logits: torch.Tensor, outlooks: torch.Tensor) -> None:
        said, hoped = logits.numpy(), outlooks.numpy()
        self._on_all(
            lambda span, scratch, returns: drivers.simulate_all(
                self.forest.game.tables,
                self.nodes[span],
                self.records[span],
                self.searches[span],
                said[span],
                hoped[span],
                self.visits,
                number,
                self.forest.strangers.numpy()[span],
                *self._asked(span),
                scratch,
                returns,
            )
        )

    def conclude(self, logits: torch.Tensor) -> None:
        forest, said = self.forest, logits.numpy()
        self._on_all(
            lambda span, scratch, returns: drivers.conclude_all(
                forest.game.tables,
                self.states[span],
                self.nodes[span],
                self.searches[span],
                said[span],
                forest.targets.numpy()[span],
                forest.actions.numpy()[span],
                forest.worths.numpy()[span],
                scratch,
            )
        )

    def foretell(self) -> None:
        forest = self.forest
        self._on_all(
            lambda span, scratch, returns: drivers.foretell_all(
                forest.game.tables,
                self.states[span],
                self.searches[span],
                forest.foretold.numpy()[span],
                np.zeros(1, forest.game.dtype),
                scratch,
                returns,
            )
        )

    def play(self, restart: bool) -> None:
        forest = self.forest
        self._on_all(
            lambda span, scratch, returns: drivers.play_all(
                forest.game.tables,
                self.states[span],
                self.blank,
                self.searches[span],
                forest.actions.numpy()[span],
                forest.longest,
                restart,
                forest.outcomes.numpy()[span],
                forest.finals.numpy()[:, span],
                scratch,
                returns,
            )
        )

    def welcome(self, seated: Any) -> None:
        self.guests = seated

    def effort(self) -> Any:
        return self.guests["effort"]

    def move_guests(self) -> None:
        forest, game = self.forest, self.forest.game
        self._on_all(
            lambda span, scratch, returns: guests.move_all(
                game.tables,
                self.states[span],
                self.guests[span],
                forest.strangers.numpy()[span],
                forest.targets.numpy()[span],
                forest.actions.numpy()[span],
                np.zeros(1, game.dtype),
                np.zeros(game.num_actions, np.int32),
                np.zeros(game.num_actions + 1, np.float32),
                np.zeros(game.num_actions, np.int32),
                returns,
                scratch,
            )
        )

    def seat_guests(self) -> None:
        forest = self.forest
        told = (each.numpy() for each in (forest.outcomes, forest.strangers, forest.rivals))
        guests.seat_anew(self.guests, *forest.invited, *told)
