"""Some rows of a batch: which are chosen, and what is kept of their games."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError, PositionError, SkerryError, shorten
from skerry.core.game import Game
from skerry.core.state import State

NO_GAME = -1  # in place of the number of one that a row gets

Numbers = NDArray[np.int64]  # [n] of rows


class Kept(NamedTuple):
    """Games in main memory, with all that follows for them from earlier steps."""

    records: NDArray[np.void]  # [n]
    rngs: NDArray[np.uint64]  # [n]
    choosers: NDArray[np.uint64]  # [n]
    rewards: NDArray[np.float32]  # [n, seats]
    done: NDArray[np.bool_]  # [n]
    illegal: NDArray[np.bool_]  # [n]

    def copy_some(self, rows: Numbers) -> "Kept":
        """Copies of some of the games."""
        return Kept(
            self.records[rows],
            self.rngs[rows],
            self.choosers[rows],
            self.rewards[rows],
            self.done[rows],
            self.illegal[rows],
        )


def make_room(game: Game, count: int) -> Kept:
    """Room for so many games."""
    return Kept(
        np.zeros(count, game.dtype),
        np.zeros(count, np.uint64),
        np.zeros(count, np.uint64),
        np.zeros((count, game.num_seats), np.float32),
        np.zeros(count, np.bool_),
        np.zeros(count, np.bool_),
    )


class Snapshot:
    """Games of a batch as they were when ``BatchEnv.save`` took it.

    Any batch of the same game can go on from there, on whichever device. A snapshot of a batch on a
    GPU stays there until it is wanted elsewhere; it can be pickled.
    """

    def __init__(self, game: Game, seeds: NDArray[np.int64], kept: Any) -> None:
        self.game, self.seeds = game, seeds
        self.kept = kept  # ``Kept``, or what a device has instead

    def on_host(self) -> Kept:
        """The games in main memory."""
        return self.kept if isinstance(self.kept, Kept) else self.kept.fetch()

    def state(self, k: int) -> State:
        """One of the games, to look at or to play on by itself."""
        (number,) = number_rows(k, len(self))
        return State(self.game, self.on_host().records[number : number + 1].copy())

    def __len__(self) -> int:
        return len(self.seeds)

    def __getitem__(self, rows: Any) -> "Snapshot":
        """Some of the games: a row, row numbers, or a mask."""
        chosen = number_rows(rows, len(self))
        return Snapshot(self.game, self.seeds[chosen], self.on_host().copy_some(chosen))

    def __reduce__(self) -> tuple[Any, ...]:
        return Snapshot, (self.game, self.seeds, self.on_host())

    def __repr__(self) -> str:
        return f"<Snapshot of {len(self)} games of {self.game!r}>"


def bring(array: Any) -> NDArray[Any]:
    """An array in main memory, wherever it was."""
    if hasattr(array, "copy_to_host"):
        array = array.copy_to_host()
    elif hasattr(array, "__cuda_array_interface__"):
        from numba import cuda  # noqa: PLC0415  # whoever has such an array has a GPU

        api: Any = cuda
        array = api.as_cuda_array(array).copy_to_host()
    return np.asarray(array)


def is_mask(rows: Any) -> bool:
    """Whether rows are chosen by a mask, and not by their numbers."""
    return "bool" in str(getattr(rows, "dtype", None) or np.asarray(rows).dtype)


def number_rows(rows: Any, batch: int) -> Numbers:
    """The numbers of rows that are chosen by a mask [B], by numbers [n] or by one."""
    chosen = np.atleast_1d(bring(rows))
    if is_mask(chosen):
        if chosen.shape != (batch,):
            raise OptionsError(f"a mask of rows has shape {(batch,)}, not {chosen.shape}")
        return np.flatnonzero(chosen)
    if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
        raise OptionsError(
            f"rows must be whole numbers or a mask of shape {(batch,)}, "
            f"not an array of shape {chosen.shape} and type {chosen.dtype}"
        )
    for row in chosen[(chosen < 0) | (chosen >= batch)]:
        raise OptionsError(f"there is no row {row}: they are numbered from 0 to {batch - 1}")
    return chosen.astype(np.int64)


class Rows:
    """Rows of a batch that something is done to, each of them once; None chooses all."""

    def __init__(self, rows: Any, batch: int) -> None:
        self.batch = batch
        self.is_mask = rows is None or is_mask(rows)
        self.numbers: Numbers = np.arange(batch) if rows is None else number_rows(rows, batch)
        counts = np.bincount(self.numbers, minlength=batch)
        if counts.max() > 1:
            raise OptionsError(f"row {counts.argmax()} is chosen more than once")

    def __len__(self) -> int:
        return len(self.numbers)

    def pick(self, what: str, values: Any) -> Any:
        """Values [n], one for each chosen row; where a mask chooses, they may be those of all."""
        if len(values) == len(self):
            return values
        if self.is_mask and len(values) == self.batch:
            return values[self.numbers]
        raise OptionsError(
            f"there must be {len(self)} {what}, one for each chosen row, not {len(values)}"
        )

    def read_starts(self, starts: Any, game: Game) -> NDArray[np.void]:
        """The records [n] of positions to begin at: one for all chosen rows, or one for each."""
        if isinstance(starts, State | str):
            return np.repeat(read_start(starts, game), len(self))
        if not hasattr(starts, "__len__"):
            raise OptionsError(f"starts are states or position texts, not {shorten(starts)}")
        several = np.empty(len(starts), object)
        several[:] = list(starts)
        records = np.zeros(len(self), game.dtype)
        for n, start in enumerate(self.pick("starts", several)):
            try:
                records[n] = read_start(start, game)[0]
            except SkerryError as error:
                raise PositionError(f"the start of row {self.numbers[n]}: {error}") from None
        return records


def read_start(start: Any, game: Game) -> NDArray[np.void]:
    """The record [1] of a state or of a position text."""
    state = start if isinstance(start, State) else game.position(start)
    if state.game != game:
        raise PositionError(f"the state belongs to {state.game!r}, not to {game!r}")
    return state.array
