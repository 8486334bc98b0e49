"""Many games at once, played step by step by arrays of actions."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError, shorten
from skerry.core.game import Game
from skerry.core.options import LARGEST_INTEGER, whole_number
from skerry.core.state import State
from skerry.nets.layout import Layout, lay_out
from skerry.rl.rows import Rows, Snapshot, bring, make_room, number_rows
from skerry.rl.stepping import NOBODY, start_all
from skerry.rl.threads import Threads
from skerry.search.limits import MOST_THREADS

MOST_GAMES = 2**31 - 1
DEVICES = ("cpu", "cuda")


class BatchEnv:
    """A batch of games of one kind, on CPU threads or on a GPU.

    All arrays have a row per game. They are read-only views of what the environment works on, so a
    step changes them: copy what you want to keep.

    With ``auto_reset`` a game that ends starts anew in the same step: ``done`` and ``rewards`` tell
    of the game that ended, all else of the new one. Without, a finished game stays as it is,
    has nobody to move and no legal action, and ignores actions.

    An illegal action ends the game it was meant for, and no other: who tried it gets -1, the others
    share +1 equally, and ``illegal`` says so.

    Games begin with ``random_plies`` actions drawn at random: as many, or a number drawn anew for
    every game between two bounds. None begins with its end.

    Where ``rows`` can be chosen, they are a mask [B] or numbers of rows [n]; None stands for all.
    All that belongs to the others stays as it is. What is given for chosen rows, such as actions,
    is given in their order; with a mask it may also be given for all rows.
    """

    def __init__(
        self,
        game: Game,
        batch: int,
        device: str = "cpu",
        auto_reset: bool = True,
        threads: int | None = None,
        random_plies: int | tuple[int, int] = 0,
    ) -> None:
        if not isinstance(game, Game):
            raise OptionsError(f"a game is needed, such as skerry.make('x'), not {shorten(game)}")
        if device not in DEVICES:
            raise OptionsError(f"there is no device {shorten(device)}; use {' or '.join(DEVICES)}")
        self.game = game
        self.batch = whole_number("batch", batch, MOST_GAMES, least=1)
        self.device = device
        self.auto_reset = bool(auto_reset)
        if threads is not None:
            threads = whole_number("threads", threads, MOST_THREADS, least=1)
        self.random_plies = read_bounds("random_plies", random_plies, game.most_actions)
        self._does: Any
        if device == "cpu":
            self._does = Threads(
                game, self.batch, self.layout, self.auto_reset, threads, self.random_plies
            )
        else:
            from skerry.rl.device import Device  # noqa: PLC0415  # needs a GPU and its compiler

            self._does = Device(game, self.batch, self.layout, self.auto_reset, self.random_plies)
        self.seeds: NDArray[np.int64] = np.zeros(self.batch, np.int64)
        self.reset(0)

    @cached_property
    def layout(self) -> Layout:
        """What the planes of an observation show."""
        return lay_out(self.game)

    def reset(
        self, seed: "int | NDArray[Any] | None" = None, starts: Any = None, rows: Any = None
    ) -> None:
        """Start games anew: all, or chosen rows.

        A number gives every game a seed of its own, an array is taken as their seeds; without,
        seeds follow from the last number. Game ``k`` starts as ``game.initial(env.seeds[k])`` does,
        and all it draws follows from that.

        ``starts`` are the positions to begin at instead, without random plies: a state or a
        position text for all, or a list with one for each. After their ends games begin as usual.
        """
        chosen = Rows(rows, self.batch)
        if seed is None or np.ndim(seed) == 0:
            if seed is not None:
                self._seeder = np.random.default_rng(whole_number("seed", seed))
            seeds = self._seeder.integers(LARGEST_INTEGER, size=self.batch)[chosen.numbers]
        else:
            seeds = bring(seed)
            if seeds.ndim != 1 or seeds.dtype.kind not in "iu":
                raise OptionsError("seeds must be whole numbers, one for each game")
            seeds = chosen.pick("seeds", seeds)
            for row in chosen.numbers[(seeds < 0) | (seeds > LARGEST_INTEGER)]:
                raise OptionsError(f"the seed of row {row} must be a number from 0 to 2**63 - 1")
        seeds = np.ascontiguousarray(seeds, np.int64)
        if starts is None:
            self._does.reset(seeds, None if rows is None else chosen.numbers)
        else:
            kept = make_room(self.game, len(chosen))
            kept.records[:] = chosen.read_starts(starts, self.game)
            start_all(
                self.game.tables,
                kept.records,
                seeds,
                self.auto_reset,
                kept.rngs,
                kept.choosers,
                kept.rewards,
                kept.done,
                kept.illegal,
            )
            self._does.put(kept, chosen.numbers, True)
        self.seeds[chosen.numbers] = seeds

    def step(self, actions: Any, seen: Any = None, rows: Any = None) -> None:
        """Play ``actions`` [B], one in every game, or in chosen rows; any whole numbers will do.

        ``seen``, an array of an earlier ``observe``, gets what those to move see then: in one go,
        for which less work is worth a thread.
        """
        shape, kind = getattr(actions, "shape", None), getattr(actions, "dtype", None)
        if shape is None:
            actions = np.asarray(actions)
            shape, kind = actions.shape, actions.dtype
        if seen is not None:
            self._check_planes(seen)
        if rows is not None:
            self._step_rows(actions, seen, rows)
        elif tuple(shape) != (self.batch,) or "int" not in str(kind):
            raise OptionsError(
                f"actions must be {self.batch} whole numbers, one for each game, "
                f"not an array of shape {tuple(shape)} and type {kind}"
            )
        elif seen is None:
            self._does.step(actions)
        else:
            self._does.step(actions, seen)

    def _step_rows(self, actions: Any, seen: Any, rows: Any) -> None:
        if actions.ndim != 1 or "int" not in str(actions.dtype):
            raise OptionsError(
                "actions must be whole numbers, one for each chosen row, "
                f"not an array of shape {tuple(actions.shape)} and type {actions.dtype}"
            )
        if self._does.is_there(rows) and len(actions) == self.batch:
            self._does.step(actions, seen, rows)
        else:
            chosen = Rows(rows, self.batch)
            self._does.step(chosen.pick("actions", bring(actions)), seen, chosen.numbers)

    def save(self, rows: Any = None) -> Snapshot:
        """All games as they are, or those of chosen rows, to ``restore`` them later."""
        chosen = Rows(rows, self.batch)
        return Snapshot(self.game, self.seeds[chosen.numbers], self._does.take(chosen.numbers))

    def restore(self, snapshot: Snapshot, rows: Any = None) -> None:
        """Go on from games that ``save`` has kept, here or in another batch of the same game.

        Whatever is drawn is drawn as it would have been then.
        """
        if not isinstance(snapshot, Snapshot):
            raise OptionsError(f"what save has returned is needed, not {shorten(snapshot)}")
        if snapshot.game != self.game:
            raise OptionsError(f"the games are of {snapshot.game!r}, not of {self.game!r}")
        chosen = Rows(rows, self.batch)
        snapshot = chosen.pick("games of a snapshot", snapshot)
        kept = snapshot.kept if self.device != "cpu" else snapshot.on_host()
        self._does.put(kept, chosen.numbers, True)
        self.seeds[chosen.numbers] = snapshot.seeds

    def copy(self, source: Any, target: Any) -> None:
        """Put the games of some rows into others as well: one into all of them, or one each.

        What is drawn there later is drawn by the row's own generators, so that copies of a game are
        played on in different ways.
        """
        chosen = Rows(target, self.batch)
        origins = number_rows(source, self.batch)
        if np.ndim(source) == 0:
            origins = np.repeat(origins, len(chosen))
        if len(origins) != len(chosen):
            raise OptionsError(
                f"there are {len(origins)} rows to copy from, and {len(chosen)} to copy to"
            )
        self._does.put(self._does.take(origins), chosen.numbers, False)

    def sample(self) -> Any:
        """A uniformly random legal action for every game [B]; the same after the same seeds.

        On a GPU the array is used again by the next call.
        """
        return self._does.sample()

    def playout(self) -> Any:
        """Play all games to their ends by random actions; returns how many there were [B].

        ``rewards`` are then the returns, and with auto-reset all games are new ones.
        """
        return self._does.playout()

    def observe(self, seat: "int | NDArray[np.int8] | None" = None, out: Any = None) -> Any:
        """What is to be seen [B, planes, height, width], as ``layout.names`` says.

        The viewer is whoever is to move, or else a seat for all games, or an array of seats [B].
        ``out`` is an array of an earlier call to be used again, which saves half of the time.
        """
        viewers = NOBODY if seat is None else self._check_seats(seat)
        if out is not None:
            self._check_planes(out)
        return self._does.observe(viewers, out)

    def _check_planes(self, planes: Any) -> None:
        """OptionsError if an array cannot hold observations."""
        shape = (self.batch, *self.layout.shape)
        if tuple(planes.shape) != shape or planes.dtype != np.uint8:
            raise OptionsError(f"observations have shape {shape} and type uint8")

    def _check_seats(self, seat: "int | NDArray[np.int8]") -> "int | NDArray[np.int8]":
        """A seat for all games, or an array of seats [B], as viewers."""
        viewers = np.asarray(seat)
        if viewers.shape not in ((), (self.batch,)) or not np.all(
            (viewers >= NOBODY) & (viewers < self.game.num_seats)
        ):
            raise OptionsError(
                f"seats must be from 0 to {self.game.num_seats - 1}, one for each game"
            )
        return np.ascontiguousarray(viewers, np.int8) if viewers.ndim else int(viewers)

    @property
    def legal(self) -> Any:
        """[B, actions] which actions are legal."""
        return _read_only(self._does.legal)

    @property
    def to_move(self) -> Any:
        """[B] the seat to move, -1 where the game is over."""
        return _read_only(self._does.to_move)

    @property
    def rewards(self) -> Any:
        """[B, seats] what the last step brought: the returns of games that it ended, else 0."""
        return _read_only(self._does.rewards)

    @property
    def done(self) -> Any:
        """[B] whether the last step ended the game, or without auto-reset, whether it is over."""
        return _read_only(self._does.done)

    @property
    def illegal(self) -> Any:
        """[B] whether the last action was illegal, and so ended the game."""
        return _read_only(self._does.illegal)

    def state(self, k: int) -> State:
        """One game of the batch, to look at or to play on by itself."""
        return State(self.game, self._does.record(whole_number("game", k, self.batch - 1)))

    def __repr__(self) -> str:
        return f"BatchEnv({self.game!r}, {self.batch}, device={self.device!r})"


def read_bounds(name: str, bounds: "int | tuple[int, int]", most: int) -> tuple[int, int]:
    """Two whole numbers, the second at least the first; one number stands for both."""
    low, high = bounds if isinstance(bounds, tuple | list) and len(bounds) == 2 else (bounds,) * 2
    low = whole_number(name, low, most)
    return low, whole_number(name, high, most, least=low)


def _read_only(array: Any) -> Any:
    """A view that cannot be written to; arrays on a GPU know no such thing."""
    if isinstance(array, np.ndarray):
        array = array.view()
        array.flags.writeable = False
    return array
