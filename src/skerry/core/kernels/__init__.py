"""Compiled kernels: one decorator, one cache folder, and generics that dispatch on the tables.

Rules are written in plain Python and compiled by Numba; ``core.kernels.storage`` keeps the machine
code, and never runs any of a source that has changed.

A *generic* is declared once (``core.rules``) and implemented by each game. Its first argument is
the game's tables: a record whose first field is named after the game, which is what the compiler
dispatches on. Code written against generics, such as playouts or search, is compiled per game.
Records carry no reference counts, so tables cost nothing to hand from kernel to kernel.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any, TypeVar, cast
from typing import overload as overload_of_python

import numba
import numpy as np
from numba.core import event
from numba.extending import overload
from numpy.typing import NDArray

from skerry.core.kernels.callees import CALLEE_OPTIONS, give_callee
from skerry.core.kernels.storage import (
    CACHE,
    FOREIGN_GAMES,
    PACKAGE,
    open_kernel_cache,
    package_of,
)

F = TypeVar("F", bound=Callable[..., Any])

# Kernels release the interpreter lock; division checks are off since no kernel divides by zero.
JIT_OPTIONS: Any = {"nogil": True, "error_model": "numpy", "forceinline": True}


@overload_of_python
def kernel(function: F) -> F: ...
@overload_of_python
def kernel(*, contracts: bool = ..., brief: bool = ...) -> Callable[[F], F]: ...
def kernel(function: F | None = None, *, contracts: bool = False, brief: bool = False) -> Any:
    """Compile a function for native use, cached on disk by the hash of the sources.

    One that ``contracts`` may round a product and its sum at once, which is twice as fast; it is
    long, and called rather than copied into whoever needs it. A ``brief`` one keeps the interpreter
    lock: to ask for it again could take longer than its work.
    """

    def build(function: F) -> F:
        options = JIT_OPTIONS
        if contracts:
            options = options | {"fastmath": {"contract"}, "forceinline": False}
        if brief:
            options = options | {"nogil": False}
        compiled: Any = numba.njit(**options)(function)
        compiled._cache = open_kernel_cache(function, CACHE, package_of(function))
        give_callee(compiled, options)
        return cast(F, compiled)

    return build if function is None else build(function)


# generic -> name of the game -> implementation
IMPLEMENTATIONS: dict[Callable[..., Any], dict[str, Callable[..., Any]]] = {}
# function that is compiled from something else -> what tells from what on a GPU, by argument types
ON_GPU: dict[Callable[..., Any], Callable[..., Any]] = {}


def tables(game: str, **fields: Any) -> NDArray[np.void]:
    """The tables of a game as an array of one record; their types decide what is compiled.

    Boards whose fields have equal shapes share their compiled code, so pad arrays where you can.
    """
    arrays = {name: np.asarray(value) for name, value in fields.items()}
    layout = [(game, np.uint8), *((n, a.dtype, a.shape) for n, a in arrays.items())]
    result = np.zeros(1, np.dtype(layout, align=True))
    for name, array in arrays.items():
        result[name][0] = array
    result.flags.writeable = False
    return result


def generic(default: bool = False) -> Callable[[F], F]:
    """Declare a function that each game implements; a ``default`` serves those that do not."""

    def declare(function: F) -> F:
        implementations = IMPLEMENTATIONS[function] = {}

        def select(*types: Any) -> Callable[..., Any] | None:
            game = next(iter(types[0].fields))
            return implementations.get(game, function if default else None)

        overload(function, jit_options=JIT_OPTIONS | CALLEE_OPTIONS, strict=False)(select)
        ON_GPU[function] = select
        return function

    return declare


def vary(function: F, host: Callable[..., Any], gpu: Callable[..., Any]) -> F:
    """Compile a function from one body for CPUs and from another for GPUs."""
    overload(function, jit_options=JIT_OPTIONS | CALLEE_OPTIONS, strict=False)(lambda *types: host)
    ON_GPU[function] = lambda *types: gpu
    return function


@cache
def open_gpu() -> None:
    """Let GPU kernels call what CPU kernels call; needs the package ``numba-cuda``."""
    extending = import_module("numba.cuda.extending")  # slow to import, and not always there
    if not hasattr(extending, "overload"):
        raise ImportError("Numba's own CUDA target is too old")
    for function, select in ON_GPU.items():
        extending.overload(function, strict=False)(select)


def implements(declared: Callable[..., Any], game: str) -> Callable[[F], F]:
    """Register the decorated function as what ``declared`` does in this game."""

    def register(function: F) -> F:
        _own(game, package_of(function))
        IMPLEMENTATIONS[declared][game] = function
        return kernel(function)

    return register


def _own(game: str, package: str) -> None:
    """See that a game is of one package, or of this one."""
    if not package:
        if FOREIGN_GAMES.pop(game, None):  # a stranger has taken the name of a game of ours
            for found in IMPLEMENTATIONS.values():
                found.pop(game, None)
    elif any(game in found for found in IMPLEMENTATIONS.values()):
        owner = FOREIGN_GAMES.get(game, PACKAGE.name)
        if owner != package:
            raise ValueError(f"{game} is a game of {owner}: choose another name")
    else:
        FOREIGN_GAMES[game] = package


class _CompileListener(event.Listener):
    """Calls back when Numba really compiles; loading from the cache stays silent."""

    def __init__(self, started: Callable[[], None]) -> None:
        self.started = started

    def on_start(self, event: Any) -> None:
        self.started()

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def on_compile(started: Callable[[], None]) -> Iterator[None]:
    """Within this block, call ``started`` whenever a kernel has to be compiled."""
    with event.install_listener("numba:compile", _CompileListener(started)):
        yield
