"""A batch on a GPU.

Arrays stay on the GPU. They carry ``__cuda_array_interface__``, so that torch, JAX and CuPy take
them without a copy, and arrays of those are taken as actions. Whatever is done a second time with
the same arrays is started from a record.
"""

from collections.abc import Callable, Hashable
from functools import cached_property
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.kernels import open_gpu
from skerry.nets.layout import Layout
from skerry.rl.gpu.graphs import Launches, open_launches
from skerry.rl.rows import NO_GAME, Kept, Numbers, is_mask, make_room
from skerry.rl.seeing import pack_board
from skerry.rl.stepping import NOBODY

WORD = 8  # bytes that are written at a time

Arguments = Callable[[], tuple[Any, ...]]


def load_gpu() -> Any:
    """The module ``skerry.rl.gpu.kernels``, ready for use; OptionsError says what is missing."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda asks for what NumPy 2.5 has dropped
    try:
        gpu: Any = import_module(
            "skerry.rl.gpu.kernels"
        )  # slow to import, and not possible everywhere
        if not gpu.SIMULATED:
            open_gpu()
    except ImportError as error:
        raise OptionsError(
            f"device 'cuda' needs the package numba-cuda ({error}): pip install 'skerry[cuda]'"
        ) from None
    if not gpu.cuda.is_available():
        raise OptionsError("device 'cuda' needs an NVIDIA GPU and its driver: none was found")
    return gpu


class Laid(NamedTuple):
    """``Kept`` games as kernels take them."""

    games: Any  # [words, n]
    rngs: Any
    choosers: Any
    rewards: Any
    done: Any
    illegal: Any


class Remote(NamedTuple):
    """``Kept`` games on a GPU."""

    dtype: np.dtype[np.void]  # of a record
    laid: Laid

    def fetch(self) -> Kept:
        """The games in main memory."""
        words = self.laid.games.copy_to_host()
        records = np.zeros(words.shape[1], self.dtype)
        records.view(words.dtype).reshape(words.shape[1], -1)[:, : words.shape[0]] = words.T
        return Kept(records, *(array.copy_to_host() for array in self.laid[1:]))


class Device:
    """The arrays of a batch on the GPU and what may be done to them."""

    def __init__(
        self,
        game: Game,
        batch: int,
        layout: Layout,
        restart: bool,
        random_plies: tuple[int, int] = (0, 0),
    ) -> None:
        self.game, self.layout, self.restart, self.batch = game, layout, restart, batch
        self.random_plies = random_plies  # at least, and at most
        self.gpu = load_gpu()
        self.cuda = self.gpu.cuda
        from skerry.rl.gpu.seeing import Sizes, build_seeing  # noqa: PLC0415  # needs a GPU

        self.kernels = self.gpu.build_kernels(game.dtype, game.num_actions)
        sizes = (game.num_actions, len(game.board), int(np.prod(layout.shape)), layout.counter)
        self.seeing = build_seeing(game.dtype, Sizes(*sizes))
        self.launches = Launches(None) if self.gpu.SIMULATED else open_launches(self.cuda)
        self.tables = self.cuda.to_device(game.tables)
        self.blank = self.cuda.to_device(np.zeros(1, game.dtype))
        shape = (self.gpu.kept_of(game.dtype), batch)
        self.games = self.cuda.device_array(shape, self.gpu.unit_of(game.dtype))  # word by word
        self.seeds = self.cuda.device_array(batch, np.int64)
        self.rngs = self.cuda.device_array(batch, np.uint64)
        self.choosers = self.cuda.device_array(batch, np.uint64)
        # Masks are written in words, the last of which may reach beyond them.
        words = -(-batch * game.num_actions // WORD)
        self.masks = self.cuda.device_array(words, np.uint64)
        self.marks = self.cuda.device_array(
            (self.gpu.mark_words(game.num_actions), batch), np.uint32
        )
        self.to_move = self.cuda.device_array(batch, np.int8)
        self.rewards = self.cuda.device_array((batch, game.num_seats), np.float32)
        self.done = self.cuda.device_array(batch, np.bool_)
        self.illegal = self.cuda.device_array(batch, np.bool_)
        self.all = self.gpu.AllGames(
            self.tables,
            self.games,
            self.blank,
            restart,
            self.rngs,
            self.choosers,
            self.marks,
            self.masks,
            self.to_move,
            self.rewards,
            self.done,
            self.illegal,
        )
        self.actions = self.cuda.device_array(batch, np.int32)
        self.plies = self.cuda.device_array(batch, np.int32)
        # What observations need besides the viewers.
        self.laid_out = (
            game.num_seats,
            self.cuda.to_device(layout.start_of),
            self.cuda.to_device(layout.place_of),
            self.cuda.to_device(pack_board(layout.board)),
        )
        self.given: dict[np.dtype[Any], Any] = {}  # room for actions out of main memory
        self.same: dict[int, Any] = {}  # viewers by the seat that all of them have
        self.viewers: tuple[NDArray[np.int8], Any] | None = None  # here and there

    def _start(self, key: Hashable, kernels: Any, name: str, arguments: Arguments) -> None:
        """Start a kernel; what it is called with is asked for only if it is not on record."""
        grid = -(-self.batch // kernels.block)
        kernel = getattr(kernels, name)
        self.launches.start(
            (type(kernels), name, key),
            lambda stream: kernel[grid, kernels.block, stream](*arguments()),
        )

    @cached_property
    def _row_kernels(self) -> Any:
        """Compiled only where rows are chosen, or games begin at random."""
        from skerry.rl.gpu.rows import build_rows  # noqa: PLC0415  # needs a GPU

        return build_rows(self.game.dtype, self.game.num_actions)

    @cached_property
    def _everybody(self) -> Any:
        """A mask of all rows."""
        return self.cuda.to_device(np.ones(self.batch, np.bool_))

    @cached_property
    def _chosen(self) -> Any:
        """Room for a mask of chosen rows."""
        return self.cuda.device_array(self.batch, np.bool_)

    def _choose(self, rows: Any) -> Any:
        """A mask of chosen rows for kernels: of all, of numbers, or another mask on the GPU."""
        if rows is None:
            return self._everybody
        if isinstance(rows, np.ndarray):
            mask = np.zeros(self.batch, np.bool_)
            mask[rows] = True
            self._chosen.copy_to_device(mask)
        else:
            self._chosen.copy_to_device(self.gpu.take(rows))
        return self._chosen

    @property
    def legal(self) -> Any:
        marked = self.masks.view(np.bool_)[: self.batch * self.game.num_actions]
        return marked.reshape((self.batch, self.game.num_actions))

    def reset(self, seeds: NDArray[np.int64], rows: Numbers | None = None) -> None:
        every = seeds
        if rows is not None:
            every = np.zeros(self.batch, np.int64)
            every[rows] = seeds
        self.seeds.copy_to_device(every)
        chosen = self._choose(rows)
        if rows is None:
            self._start(None, self.kernels, "reset", lambda: (self.all, self.seeds))
        else:
            self._start(None, self._row_kernels, "reset", lambda: (self.all, (self.seeds, chosen)))
        self._wander(chosen, anew=True)

    def _wander(self, chosen: Any, anew: bool) -> None:
        """Play random actions in chosen games that begin: all, or those that have just ended."""
        if self.random_plies[1] > 0 and (anew or self.restart):
            self._start(
                (chosen is self._everybody, anew),
                self._row_kernels,
                "wander",
                lambda: (self.all, ((*self.random_plies, anew), chosen)),
            )

    def step(self, actions: Any, seen: Any = None, rows: Any = None) -> None:
        """Play actions [B]; or [n] in chosen rows, unless a mask on the GPU chooses them."""
        chosen = self._choose(rows)
        if isinstance(rows, np.ndarray):
            every = np.zeros(self.batch, actions.dtype)
            every[rows] = actions
            actions = every
        actions, place = self._locate_actions(actions)

        def taken() -> Any:
            return self.gpu.take(actions)

        if rows is not None:
            self._start(place, self._row_kernels, "step", lambda: (self.all, (taken(), chosen)))
        elif seen is None or self.random_plies[1] > 0:
            self._start(place, self.kernels, "step", lambda: (self.all, taken()))
        else:
            planes, viewers = locate_planes(self.gpu.describe(seen)), self._upload(NOBODY)
            self._start(
                (place, planes),
                self.seeing,
                "step_seen",
                lambda: (self.all, taken(), self._look(viewers, seen, planes)),
            )
            return
        self._wander(chosen, anew=False)
        if seen is not None:
            self.observe(NOBODY, seen)

    def is_there(self, mask: Any) -> bool:
        """Whether a mask of rows is an array on the GPU."""
        there = self.gpu.describe(mask) is not None
        return there and is_mask(mask) and tuple(mask.shape) == (self.batch,)

    def _locate_actions(self, actions: Any) -> tuple[Any, Hashable]:
        """Actions as an array on the GPU, and what tells it from others."""
        where = self.gpu.describe(actions)
        if where is None:
            host = np.ascontiguousarray(actions)
            if host.dtype not in self.given:
                self.given[host.dtype] = self.cuda.device_array(self.batch, host.dtype)
            actions = self.given[host.dtype]
            actions.copy_to_device(host)
            where = self.gpu.describe(actions)
        elif where.get("stream") is not None:
            self.gpu.take(actions)  # waits for whoever is still writing them
        return actions, (where["data"][0], where["typestr"], where.get("strides"))

    def _flatten(self, planes: Any, place: int) -> Any:
        """Planes as words, if they can be divided and lie so, or else as bytes."""
        flat = planes.reshape(planes.size)
        return flat if flat.size % WORD or place % WORD else flat.view(np.uint64)

    def _look(self, viewers: Any, out: Any, place: int) -> Any:
        """What kernels that see are given."""
        from skerry.rl.gpu.seeing import Viewing  # noqa: PLC0415  # needs a GPU

        return Viewing(viewers, *self.laid_out, self._flatten(out, place))

    def _upload(self, viewers: int | NDArray[np.int8]) -> Any:
        """Viewers on the GPU, where they stay as long as they are the same."""
        if isinstance(viewers, int):
            if viewers not in self.same:
                self.same[viewers] = self.cuda.to_device(np.full(self.batch, viewers, np.int8))
            return self.same[viewers]
        if self.viewers is None:
            self.viewers = viewers.copy(), self.cuda.to_device(viewers)
        elif not np.array_equal(self.viewers[0], viewers):
            self.viewers[0][:] = viewers
            self.viewers[1].copy_to_device(viewers)
        return self.viewers[1]

    def sample(self) -> Any:
        arguments = (self.marks, self.choosers, self.actions)
        self._start(None, self.kernels, "choose", lambda: arguments)
        return self.actions

    def playout(self) -> Any:
        self._start(None, self.kernels, "play_out", lambda: (self.all, self.plies))
        self._wander(self._everybody, anew=False)
        return self.plies

    def observe(self, viewers: int | NDArray[np.int8], out: Any = None) -> Any:
        if out is None:
            out = self.cuda.device_array((self.batch, *self.layout.shape), np.uint8)
        planes, there = locate_planes(self.gpu.describe(out)), self._upload(viewers)
        self._start(
            (viewers if isinstance(viewers, int) else None, planes),
            self.seeing,
            "show",
            lambda: (self.all, self._look(there, out, planes)),
        )
        return out

    def take(self, rows: Numbers) -> "Remote | Kept":
        """Copies of chosen games, which stay on the GPU."""
        if not len(rows):
            return make_room(self.game, 0)
        room = make_room(self.game, len(rows))
        games = self.cuda.device_array((self.games.shape[0], len(rows)), self.games.dtype)
        laid = Laid(games, *(self.cuda.device_array(one.shape, one.dtype) for one in room[1:]))
        block = self._row_kernels.block
        self._row_kernels.take[-(-len(rows) // block), block](
            self.all, self.cuda.to_device(rows), laid
        )
        return Remote(self.game.dtype, laid)

    def put(self, kept: "Remote | Kept", rows: Numbers, whole: bool) -> None:
        """Put games in the place of others; if not whole, without their generators."""
        if not len(rows):
            return
        if isinstance(kept, Kept):
            words = kept.records.view(self.games.dtype).reshape(len(rows), -1).T
            arrays = (words[: self.games.shape[0]], *kept[1:])
            laid = Laid(*(self.cuda.to_device(np.ascontiguousarray(array)) for array in arrays))
        else:
            laid = kept.laid
        origins = np.full(self.batch, NO_GAME)
        origins[rows] = np.arange(len(rows))
        block = self._row_kernels.block
        self._row_kernels.put[-(-self.batch // block), block](
            self.all, (laid, self.cuda.to_device(origins), whole)
        )

    def record(self, k: int) -> NDArray[np.void]:
        """A copy of one game's record, [1]."""
        return read_record(self.games, k, self.game.dtype)


def locate_planes(where: Any) -> int:
    """The address of observations; OptionsError if they cannot be written there."""
    if where is None:
        raise OptionsError("observations on a GPU stay there: pass an array from an earlier call")
    if where.get("strides") is not None:
        raise OptionsError("observations on a GPU are written in one piece: pass an array that is")
    return int(where["data"][0])


def read_record(games: Any, k: int, dtype: np.dtype[np.void]) -> NDArray[np.void]:
    """A copy of one record, [1], of those that lie word by word on a GPU."""
    record = np.zeros(1, dtype)
    words = record.view(games.dtype)
    for i in range(games.shape[0]):
        words[i] = games[i, k]
    return record
