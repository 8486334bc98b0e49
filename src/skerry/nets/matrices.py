"""The product of two matrices, in blocks that stay in registers.

A loop that the compiler turns into vector instructions by itself writes its sums to memory after
every few products, and is less than half as fast; so the vectors are written out here.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from skerry.core.kernels import kernel

# A block of the product: 12 vectors of sums, which leaves AVX2 four registers for the rest.
ROWS = 6
LANES, VECTORS = 8, 2
COLUMNS = LANES * VECTORS

LONG, FLOAT = ir.IntType(64), ir.FloatType()
VECTOR = ir.VectorType(FLOAT, LANES)
BYTES = 4
TOGETHER = ("contract",)  # a product and its sum are rounded at once

Floats = NDArray[np.float32]


def build_block(
    _: Any, a: Any, w: Any, out: Any, row: Any, column: Any
) -> tuple[Any, Callable[..., Any]]:
    """``out[row : row + ROWS, column : column + COLUMNS]`` of the product of ``a`` and ``w``."""
    signature = types.void(a, w, out, row, column)

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        arrays = [
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args[:3], arguments[:3], strict=True)
        ]
        row, column = arguments[3:]
        inner = builder.extract_value(arrays[0].shape, 1)

        def at(number: int, row: Any, column: Any) -> Any:
            """The address of an element."""
            stride = builder.udiv(builder.extract_value(arrays[number].strides, 0), _long(BYTES))
            place = builder.add(builder.mul(row, stride), column)
            return builder.gep(arrays[number].data, [place])

        def vector_at(address: Any, number: int) -> Any:
            place = builder.gep(address, [_long(number * LANES)])
            return builder.bitcast(place, VECTOR.as_pointer())

        rows = [builder.add(row, _long(r)) for r in range(ROWS)]
        starts = [at(0, each, _long(0)) for each in rows]
        before = builder.block
        loop = builder.append_basic_block("products")
        after = builder.append_basic_block("sums")
        builder.branch(loop)

        builder.position_at_end(loop)
        k = builder.phi(LONG)
        sums = [[builder.phi(VECTOR) for _ in range(VECTORS)] for _ in range(ROWS)]
        weights = []
        for number in range(VECTORS):
            weights.append(builder.load(vector_at(at(1, k, column), number), align=BYTES))
        further = []
        for start, row_sums in zip(starts, sums, strict=True):
            factor = _broadcast(builder, builder.load(builder.gep(start, [k])))
            further.append(
                [
                    builder.fadd(builder.fmul(factor, weight, flags=TOGETHER), so_far, TOGETHER)
                    for weight, so_far in zip(weights, row_sums, strict=True)
                ]
            )
        following = builder.add(k, _long(1))
        k.add_incoming(_long(0), before)
        k.add_incoming(following, loop)
        for row_sums, row_further in zip(sums, further, strict=True):
            for so_far, more in zip(row_sums, row_further, strict=True):
                so_far.add_incoming(ir.Constant(VECTOR, [0.0] * LANES), before)
                so_far.add_incoming(more, loop)
        builder.cbranch(builder.icmp_signed("<", following, inner), loop, after)

        builder.position_at_end(after)
        for each, row_further in zip(rows, further, strict=True):
            address = at(2, each, column)
            for number, total in enumerate(row_further):
                builder.store(total, vector_at(address, number), align=BYTES)
        return context.get_dummy_value()

    return signature, build


def _long(number: int) -> Any:
    return ir.Constant(LONG, number)


def _broadcast(builder: Any, value: Any) -> Any:
    """A vector of one value."""
    unknown = ir.Constant(VECTOR, ir.Undefined)
    first = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    with_value = builder.insert_element(unknown, value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(with_value, unknown, first)


multiply_block: Any = intrinsic(build_block)


@kernel(contracts=True)
def multiply(a: Floats, w: Floats, out: Floats, rows: int) -> None:
    """Multiply ``a`` [rows, inputs] by ``w`` [inputs, outputs], whose outputs come in COLUMNS.

    There has to be room for whole blocks of rows.
    """
    for column in range(0, out.shape[1], COLUMNS):
        for row in range(0, rows, ROWS):
            multiply_block(a, w, out, row, column)
