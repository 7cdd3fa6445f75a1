"""Rows of a few numbers, worked on at once: what a loop over them does, in a few instructions.

Nothing is contracted or reordered, so the numbers are the same, bit for bit, with the JIT off and on any machine.
"""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

DOUBLE = ir.DoubleType()


def _row(context: Any, builder: Any, kind: Any, array: Any, at: Any, length: int) -> Any:
    """Return a pointer to the row of an array that begins at an index."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), ir.VectorType(DOUBLE, length).as_pointer())


def _load(builder: Any, pointer: Any) -> Any:
    return builder.load(pointer, align=8)


def add_scaled(length: int) -> Any:
    """Return a function for kernels add(target, at, source, start, factor) that adds a row, times a factor, to another.

    Args:
        length: of a row. Of the function: target, source: float64, 1-d. at, start: where the rows begin; that they lie
            within the arrays is not checked. factor: float64.
    """
    if numba.config.DISABLE_JIT:

        def add(target: Any, at: int, source: Any, start: int, factor: float) -> None:
            target[at : at + length] += source[start : start + length] * factor

        return add

    def make(typingctx: Any, target: Any, at: Any, source: Any, start: Any, factor: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            to = _row(context, builder, signature.args[0], args[0], args[1], length)
            row = _load(builder, _row(context, builder, signature.args[2], args[2], args[3], length))
            one = builder.insert_element(ir.Constant(row.type, ir.Undefined), args[4], ir.Constant(ir.IntType(32), 0))
            all_alike = ir.Constant(ir.VectorType(ir.IntType(32), length), [0] * length)
            scaled = builder.fmul(row, builder.shuffle_vector(one, one, all_alike))
            builder.store(builder.fadd(_load(builder, to), scaled), to, align=8)
            return context.get_dummy_value()

        return types.void(target, types.int64, source, types.int64, types.float64), codegen

    return intrinsic(make)


def rectified_product(length: int) -> Any:
    """Return a function for kernels product(units, weights, start) that adds up max(0, unit) · weight over a row.

    The halves are added to one another until one number is left.

    Args:
        length: of a row, a power of two. Of the function: units: float64 (length,). weights: float64, 1-d. start: where
            its row begins; that it lies within the array is not checked.
    """
    if numba.config.DISABLE_JIT:

        def product(units: Any, weights: Any, start: int) -> float:
            row = np.where(units[:length] > 0.0, units[:length], 0.0) * weights[start : start + length]
            while len(row) > 1:
                row = row[: len(row) // 2] + row[len(row) // 2 :]
            return float(row[0])

        return product

    def make(typingctx: Any, units: Any, weights: Any, start: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zero = ir.Constant(ir.IntType(64), 0)
            row = _load(builder, _row(context, builder, signature.args[0], args[0], zero, length))
            none = ir.Constant(row.type, [0.0] * length)
            kept = builder.select(builder.fcmp_ordered(">", row, none), row, none)
            row = builder.fmul(
                kept, _load(builder, _row(context, builder, signature.args[1], args[1], args[2], length))
            )
            size = length
            while size > 1:
                size //= 2
                halves = (
                    ir.Constant(ir.VectorType(ir.IntType(32), size), list(range(first, first + size)))
                    for first in (0, size)
                )
                low, high = (builder.shuffle_vector(row, row, half) for half in halves)
                row = builder.fadd(low, high)
            return builder.extract_element(row, ir.Constant(ir.IntType(32), 0))

        return types.float64(units, weights, types.int64), codegen

    return intrinsic(make)
