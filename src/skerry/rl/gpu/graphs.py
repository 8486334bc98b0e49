"""Launches on a GPU that are recorded when they come again, and from then on start in one go.

Numba takes some 200 microseconds to start a kernel with a dozen arrays, as long as the GPU needs to
step a few hundred thousand games. A CUDA graph of the same launch starts in ten.
"""

import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from importlib import import_module
from typing import Any

DEFAULT_STREAM = 0  # where all work is done, in its order, as that of torch is
# Launches that are remembered. Whoever goes round more arrays than that finds none of them again,
# which costs nothing but what recording would have saved.
MOST_KEPT = 256

Launch = Callable[[Any], None]  # starts work on the stream that it is given
Record = Callable[[Launch], Callable[[], None]]  # returns what starts the same work once more


class Launches:
    """Starts work plainly when it first comes, which also compiles it, and then from a record."""

    def __init__(self, record: Record | None, failure: str = "") -> None:
        self.record = record  # nothing is recorded without
        self.failure = failure  # why nothing is recorded, if that was wanted
        self.kept: OrderedDict[Hashable, Callable[[], None] | None] = OrderedDict()

    def start(self, key: Hashable, launch: Launch) -> None:
        """Start work, of which an equal key says that it is the same as before."""
        if self.record is None:
            launch(DEFAULT_STREAM)
        elif key not in self.kept:
            self.kept[key] = None
            if len(self.kept) > MOST_KEPT:
                self.kept.popitem(last=False)
            launch(DEFAULT_STREAM)
        else:
            self.kept.move_to_end(key)
            again = self.kept[key]
            if again is None:
                self._start_recorded(key, launch, self.record)
            else:
                again()

    def _start_recorded(self, key: Hashable, launch: Launch, record: Record) -> None:
        try:
            again = record(launch)
            again()
        except Exception as error:  # what cannot be recorded can still be done
            self.failure = f"{type(error).__name__}: {error}"
            self.record = None
            self.kept.clear()
            warnings.warn(
                f"steps start more slowly than they could: no CUDA graph ({self.failure})",
                RuntimeWarning,
                stacklevel=2,
            )
            launch(DEFAULT_STREAM)
        else:
            self.kept[key] = again


class GraphError(RuntimeError):
    """What the CUDA driver refused to do."""


def check(result: Any) -> Any:
    """What a call of the driver returned; GraphError if it failed."""
    error, *values = result
    if int(error) != 0:
        raise GraphError(str(getattr(error, "name", error)))
    return values[0] if values else None


class Recorder:
    """Records launches as CUDA graphs, on a stream that nothing is ever done on."""

    def __init__(self, cuda: Any) -> None:
        driver: Any = import_module("cuda.bindings.driver")  # comes with numba-cuda
        self.cuda, self.driver = cuda, driver
        cuda.current_context()
        # One that blocks would stop all work of others on the default stream meanwhile.
        flags = int(driver.CUstream_flags.CU_STREAM_NON_BLOCKING)
        self.handle = check(driver.cuStreamCreate(flags))
        self.stream = cuda.external_stream(int(self.handle))
        self.default = driver.CUstream(DEFAULT_STREAM)
        weakref.finalize(self, driver.cuStreamDestroy, self.handle).atexit = False

    def __call__(self, launch: Launch) -> Callable[[], None]:
        driver = self.driver
        mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
        check(driver.cuStreamBeginCapture(self.handle, mode))
        try:
            launch(self.stream)
        finally:
            ended = driver.cuStreamEndCapture(self.handle)
        graph = check(ended)
        try:
            return Graph(self, check(driver.cuGraphInstantiate(graph, 0)))
        finally:
            driver.cuGraphDestroy(graph)


class Graph:
    """A recorded launch."""

    def __init__(self, recorder: Recorder, handle: Any) -> None:
        self.attach = recorder.cuda.current_context  # this thread may never have used the GPU
        self.launch, self.handle = recorder.driver.cuGraphLaunch, handle
        self.stream = recorder.default
        # One that still runs is freed when it has ended.
        weakref.finalize(self, recorder.driver.cuGraphExecDestroy, handle).atexit = False

    def __call__(self) -> None:
        self.attach()
        check(self.launch(self.handle, self.stream))


def open_launches(cuda: Any) -> Launches:
    """Launches that are recorded if the driver can be reached."""
    try:
        return Launches(Recorder(cuda))
    except Exception as error:  # an old numba-cuda, or whatever the driver says
        return Launches(None, f"{type(error).__name__}: {error}")
