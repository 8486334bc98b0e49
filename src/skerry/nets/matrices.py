"""The product of two matrices, in blocks that stay in registers."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from skerry.core.kernels import kernel
from skerry.nets.vectors import (
    BYTES,
    LANES,
    LONG,
    NOTHING,
    VECTOR,
    add_product,
    broadcast,
    long,
    vector_at,
)

# A block of the product: 12 vectors of sums, which leaves AVX2 four registers for the rest. The
# last few rows go through a smaller one.
ROWS, FEW, VECTORS = 6, 4, 2
COLUMNS = LANES * VECTORS

Floats = NDArray[np.float32]


def multiplier(height: int) -> Any:
    """What writes ``out[row : row + height, column : column + COLUMNS]`` of the product of ``a``
    and ``w``."""

    def typed(
        _: Any, a: Any, w: Any, out: Any, row: Any, column: Any
    ) -> tuple[Any, Callable[..., Any]]:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            arrays = [
                context.make_array(kind)(context, builder, value)
                for kind, value in zip(signature.args[:3], arguments[:3], strict=True)
            ]
            a, w, out = (array.data for array in arrays)
            row, column = arguments[3:]
            inner, width = (builder.extract_value(arrays[n].shape, 1) for n in (0, 2))
            rows = [builder.add(row, long(r)) for r in range(height)]
            starts = [builder.mul(each, inner) for each in rows]
            own = builder.mul(column, inner)  # where the weights of the column begin
            before = builder.block
            loop, after = (builder.append_basic_block(name) for name in ("products", "sums"))
            builder.branch(loop)

            builder.position_at_end(loop)
            k = builder.phi(LONG)
            sums = [[builder.phi(VECTOR) for _ in range(VECTORS)] for _ in rows]
            weights = []
            for number in range(VECTORS):
                place = builder.mul(k, long(COLUMNS))
                place = builder.add(builder.add(own, place), long(number * LANES))
                weights.append(builder.load(vector_at(builder, w, place), align=BYTES))
            further = []
            for start, row_sums in zip(starts, sums, strict=True):
                factor = builder.load(builder.gep(a, [builder.add(start, k)]))
                factor = broadcast(builder, factor)
                further.append(
                    [
                        add_product(builder, factor, weight, so_far)
                        for weight, so_far in zip(weights, row_sums, strict=True)
                    ]
                )
            following = builder.add(k, long(1))
            k.add_incoming(long(0), before)
            k.add_incoming(following, loop)
            for row_sums, row_further in zip(sums, further, strict=True):
                for so_far, more in zip(row_sums, row_further, strict=True):
                    so_far.add_incoming(NOTHING, before)
                    so_far.add_incoming(more, loop)
            builder.cbranch(builder.icmp_signed("<", following, inner), loop, after)

            builder.position_at_end(after)
            for each, row_further in zip(rows, further, strict=True):
                start = builder.add(builder.mul(each, width), column)
                for number, total in enumerate(row_further):
                    place = builder.add(start, long(number * LANES))
                    builder.store(total, vector_at(builder, out, place), align=BYTES)
            return context.get_dummy_value()

        return types.void(a, w, out, row, column), build

    return intrinsic(typed)


multiply_many, multiply_few = multiplier(ROWS), multiplier(FEW)


def pack(w: Floats) -> Floats:
    """Weights [inputs, outputs], whose outputs come in COLUMNS, in the order in which products take
    them: [outputs / COLUMNS, inputs, COLUMNS]."""
    return np.ascontiguousarray(w.reshape(len(w), -1, COLUMNS).transpose(1, 0, 2))


@kernel(contracts=True)
def multiply(a: Floats, w: Floats, out: Floats, rows: int) -> None:
    """Multiply ``a`` [rows, inputs] by packed weights.

    There has to be room for whole blocks of rows.
    """
    for column in range(0, out.shape[1], COLUMNS):
        for row in range(0, rows, ROWS):
            if row + FEW < rows:
                multiply_many(a, w, out, row, column)
            else:
                multiply_few(a, w, out, row, column)
