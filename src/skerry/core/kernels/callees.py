"""Kernels that kernels call: lowered once, and made into machine code where they are called from.

Numba compiles whatever a kernel calls as if Python would call it, too: it is optimised and
assembled by itself, and again in all of its callers, which are optimised and assembled in theirs. A
*callee* is only lowered to what LLVM reads. Then a kernel that Python calls is compiled at once
with all it needs, in half the time and to the same results.
"""

from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class _Nowhere:
    """What keeps the environments of callees, which have no address to be written to."""

    def set_env(self, name: str, env: Any) -> None:
        """Environments are for Python objects, of which kernels have none."""


class _Lowered(JITCodeLibrary):
    """Code that is linked into that of callers, and not run by itself."""

    codegen = _Nowhere()

    def _optimize_final_module(self) -> None:
        """Callers do, once they have it."""

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0  # as with everything that Python cannot call


class _CalleeCompiler(Compiler):
    """A compiler that stops before there is machine code."""

    def __init__(self, typing: Any, target: Any, library: Any, *others: Any) -> None:
        super().__init__(typing, target, library, *others)  # type: ignore[no-untyped-call]
        lowered: Any = _Lowered
        self.state.library = lowered(self.state.targetctx.codegen(), "callee")


CALLEE_OPTIONS: dict[str, Any] = {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": _CalleeCompiler,
}


def give_callee(compiled: Any, options: dict[str, Any]) -> None:
    """Let kernels that call this one call a callee of the same source instead."""
    callee: Any = numba.njit(**options, **CALLEE_OPTIONS)(compiled.py_func)
    compiled.get_call_template = callee.get_call_template
    compiled.get_overload = callee.get_overload
