"""A batch on a GPU.

Arrays stay on the GPU. They carry ``__cuda_array_interface__``, so that torch, JAX and CuPy take
them without a copy, and arrays of those are taken as actions. Whatever is done a second time with
the same arrays is started from a record.
"""

from collections.abc import Callable, Hashable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.kernels import open_gpu
from skerry.nets.layout import Layout
from skerry.rl.graphs import Launches, open_launches
from skerry.rl.seeing import pack_board
from skerry.rl.stepping import NOBODY

WORD = 8  # bytes that are written at a time

Arguments = Callable[[], tuple[Any, ...]]


def load_gpu() -> Any:
    """The module ``skerry.rl.gpu``, ready for use; OptionsError says what is missing."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda asks for what NumPy 2.5 has dropped
    try:
        gpu: Any = import_module("skerry.rl.gpu")  # slow to import, and not possible everywhere
        if not gpu.SIMULATED:
            open_gpu()
    except ImportError as error:
        raise OptionsError(
            f"device 'cuda' needs the package numba-cuda ({error}): pip install 'skerry[cuda]'"
        ) from None
    if not gpu.cuda.is_available():
        raise OptionsError("device 'cuda' needs an NVIDIA GPU and its driver: none was found")
    return gpu


class Device:
    """The arrays of a batch on the GPU and what may be done to them."""

    def __init__(self, game: Game, batch: int, layout: Layout, restart: bool) -> None:
        self.game, self.layout, self.restart, self.batch = game, layout, restart, batch
        self.gpu = load_gpu()
        self.cuda = self.gpu.cuda
        from skerry.rl.gpu_seeing import Sizes, build_seeing  # noqa: PLC0415  # needs a GPU

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
        # What is told of every game.
        self.told = (self.marks, self.masks, self.to_move, self.rewards, self.done, self.illegal)
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
            (name, key),
            lambda stream: kernel[grid, kernels.block, stream](*arguments()),
        )

    @property
    def legal(self) -> Any:
        marked = self.masks.view(np.bool_)[: self.batch * self.game.num_actions]
        return marked.reshape((self.batch, self.game.num_actions))

    def reset(self, seeds: NDArray[np.int64]) -> None:
        self.seeds.copy_to_device(seeds)
        self._start(
            None,
            self.kernels,
            "reset",
            lambda: (
                self.tables,
                self.games,
                self.blank,
                self.seeds,
                self.restart,
                self.rngs,
                self.choosers,
                *self.told,
            ),
        )

    def step(self, actions: Any, seen: Any = None) -> None:
        actions, place = self._locate_actions(actions)

        def played() -> tuple[Any, ...]:
            chosen = self.gpu.take(actions)
            return (
                self.tables,
                self.games,
                self.blank,
                chosen,
                self.restart,
                self.rngs,
                *self.told,
            )

        if seen is None:
            self._start(place, self.kernels, "step", played)
            return
        planes, viewers = locate_planes(self.gpu.describe(seen)), self._upload(NOBODY)
        self._start(
            (place, planes),
            self.seeing,
            "step_seen",
            lambda: (*played(), viewers, *self.laid_out, self._flatten(seen, planes)),
        )

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
        self._start(
            None,
            self.kernels,
            "play_out",
            lambda: (
                self.tables,
                self.games,
                self.blank,
                self.restart,
                self.rngs,
                self.choosers,
                *self.told,
                self.plies,
            ),
        )
        return self.plies

    def observe(self, viewers: int | NDArray[np.int8], out: Any = None) -> Any:
        if out is None:
            out = self.cuda.device_array((self.batch, *self.layout.shape), np.uint8)
        planes, there = locate_planes(self.gpu.describe(out)), self._upload(viewers)
        self._start(
            (viewers if isinstance(viewers, int) else None, planes),
            self.seeing,
            "show",
            lambda: (self.tables, self.games, there, *self.laid_out, self._flatten(out, planes)),
        )
        return out

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
