"""Vector instructions, written out: what the parts of a net that take longest are built of.

A loop that the compiler turns into such instructions by itself keeps little in registers, and where
it cannot tell arrays apart it does not do so at all.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

LANES = 8  # numbers of a vector
LONG, FLOAT = ir.IntType(64), ir.FloatType()
VECTOR = ir.VectorType(FLOAT, LANES)
NOTHING = ir.Constant(VECTOR, [0.0] * LANES)
BYTES = 4  # of a number
TOGETHER = ("contract",)  # a product and its sum are rounded at once


def long(number: int) -> Any:
    return ir.Constant(LONG, number)


def fill(number: float) -> Any:
    """A vector of one known number."""
    return ir.Constant(VECTOR, [number] * LANES)


def broadcast(builder: Any, value: Any) -> Any:
    """A vector of one value."""
    unknown = ir.Constant(VECTOR, ir.Undefined)
    first = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    with_value = builder.insert_element(unknown, value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(with_value, unknown, first)


def vector_at(builder: Any, data: Any, place: Any) -> Any:
    """The address of the vector that begins at a place."""
    return builder.bitcast(builder.gep(data, [place]), VECTOR.as_pointer())


def add_product(builder: Any, factor: Any, vector: Any, so_far: Any) -> Any:
    return builder.fadd(builder.fmul(factor, vector, flags=TOGETHER), so_far, TOGETHER)


def combine(builder: Any, row: Sequence[float], vectors: Sequence[Any]) -> Any:
    """The sum of vectors, each times the number for it."""
    total = None
    for factor, vector in sorted(zip(row, vectors, strict=True), key=lambda pair: pair[0] != 1):
        if factor == 0:
            continue
        if total is None:
            total = vector if factor == 1 else builder.fmul(fill(factor), vector)
        elif factor in (1, -1):
            total = (builder.fadd if factor == 1 else builder.fsub)(total, vector)
        else:
            total = add_product(builder, fill(factor), vector, total)
    return NOTHING if total is None else total


def transformer(*matrices: NDArray[np.float64], cuts: bool = False) -> Any:
    """What multiplies lines of numbers by matrices, one after the other.

    Called as ``(source, start, apart, out, first, between, length)``: line k of the source begins
    at ``start + k * apart``, line k of the result at ``first + k * between``; the result may be
    where the source is. What ``cuts`` takes numbers below 0 for 0.
    """

    def typed(
        _: Any, source: Any, start: Any, apart: Any, out: Any, first: Any, between: Any, length: Any
    ) -> tuple[Any, Callable[..., Any]]:
        signature = types.void(source, start, apart, out, first, between, length)

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kinds = signature.args
            source = context.make_array(kinds[0])(context, builder, arguments[0]).data
            out = context.make_array(kinds[3])(context, builder, arguments[3]).data
            start, apart, first, between, length = (arguments[n] for n in (1, 2, 4, 5, 6))
            before = builder.block
            loop, after = (builder.append_basic_block(name) for name in ("lines", "done"))
            builder.branch(loop)
            builder.position_at_end(loop)
            at = builder.phi(LONG)
            lines = []
            for k in range(matrices[0].shape[1]):
                place = builder.add(builder.add(start, builder.mul(apart, long(k))), at)
                line = builder.load(vector_at(builder, source, place), align=BYTES)
                if cuts:
                    is_more = builder.fcmp_ordered(">", line, NOTHING)
                    line = builder.select(is_more, line, NOTHING)
                lines.append(line)
            for matrix in matrices:
                lines = [combine(builder, row, lines) for row in matrix.tolist()]
            for k, line in enumerate(lines):
                place = builder.add(builder.add(first, builder.mul(between, long(k))), at)
                builder.store(line, vector_at(builder, out, place), align=BYTES)
            following = builder.add(at, long(LANES))
            at.add_incoming(long(0), before)
            at.add_incoming(following, loop)
            builder.cbranch(builder.icmp_signed("<", following, length), loop, after)
            builder.position_at_end(after)
            return context.get_dummy_value()

        return signature, build

    return intrinsic(typed)
