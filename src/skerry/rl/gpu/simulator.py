"""Numba's simulator of GPUs, mended: threads of a block that share an array get the same one.

Numba looks an array up and then makes it, between which another thread may make one of its own; a
block whose threads do not meet in one array computes nonsense now and then.
"""

import sys
import threading
from typing import Any

import numpy as np
from numba import types
from numba.np import numpy_support

_one_at_a_time = threading.Lock()


def share(self: Any, shape: Any, dtype: Any) -> Any:
    """In the place of ``cuda.shared.array``: an array for every line of a kernel that asks."""
    caller = sys._getframe(1)
    line = caller.f_code.co_filename, caller.f_lineno
    if isinstance(dtype, types.Type):
        dtype = numpy_support.as_dtype(dtype)
    with _one_at_a_time:
        if line not in self._allocations:
            self._allocations[line] = np.empty(shape, dtype)
        return self._allocations[line]


def mend() -> None:
    """Make the simulator share arrays safely; it must be the one that is in use."""
    from numba.cuda.simulator.kernelapi import FakeCUDAShared  # noqa: PLC0415  # the simulator's

    FakeCUDAShared.array = share  # type: ignore[method-assign]
