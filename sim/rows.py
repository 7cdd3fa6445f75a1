"""Rows of a few numbers, worked on at once: what a loop over them does, in a few instructions. They may be float64 or
float32, all of them alike.

Nothing is contracted or reordered, so the numbers are the same, bit for bit, with the JIT off and on any machine.
"""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

INDEX = ir.IntType(64)
WORD = 64  # bits
ALIGN = 4  # bytes: of float32, which float64 has too


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """Return a pointer to the first number of an array."""
    return context.make_array(kind)(context, builder, array).data


def _row(context: Any, builder: Any, kind: Any, array: Any, at: Any, length: int) -> Any:
    """Return a pointer to the row of an array that begins at an index."""
    data = _data(context, builder, kind, array)
    return builder.bitcast(builder.gep(data, [at]), ir.VectorType(data.type.pointee, length).as_pointer())


def _all_alike(builder: Any, number: Any, length: int) -> Any:
    """Return a row that holds the same number again and again."""
    blank = ir.Constant(ir.VectorType(number.type, length), ir.Undefined)
    one = builder.insert_element(blank, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), length), [0] * length))


def _load(builder: Any, pointer: Any) -> Any:
    return builder.load(pointer, align=ALIGN)


def _store(builder: Any, row: Any, pointer: Any) -> None:
    builder.store(row, pointer, align=ALIGN)


def add_scaled(length: int) -> Any:
    """Return a function for kernels add(target, at, source, start, factor) that adds a row, times a factor, to another.

    Args:
        length: of a row. Of the function: target, source: 1-d. at, start: where the rows begin; that they lie
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
            scaled = builder.fmul(row, _all_alike(builder, args[4], length))
            _store(builder, builder.fadd(_load(builder, to), scaled), to)
            return context.get_dummy_value()

        return types.void(target, types.int64, source, types.int64, types.float64), codegen

    return intrinsic(make)


def weighted_rows(length: int, count: int) -> Any:
    """Return a function for kernels weigh(target, begin, source, start, factors) that writes a row plus the rows of a
    table, each times its factor. It looks for factors that are not 0, and the sum never leaves the registers.

    Args:
        length: of a row. count: of factors.
            Of the function: target: (length,), overwritten. begin: (length,), what is added to. source: 1-d; start:
            where its first row begins; that all rows lie within it is not checked. factors: float64 (count,), rounded
            as the rows are.
    """
    if numba.config.DISABLE_JIT:

        def weigh(target: Any, begin: Any, source: Any, start: int, factors: Any) -> None:
            target[:length] = begin[:length]
            for i in np.flatnonzero(factors[:count]):
                row = source[start + i * length : start + (i + 1) * length]
                target[:length] += row * row.dtype.type(factors[i])

        return weigh

    def make(typingctx: Any, target: Any, begin: Any, source: Any, start: Any, factors: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zero = INDEX(0)
            kinds = signature.args
            row = _load(builder, _row(context, builder, kinds[1], args[1], zero, length))
            for first in range(0, count, WORD):
                there = _not_zero(context, builder, kinds[4], args[4], first, min(WORD, count - first))
                before = builder.basic_block
                test, add, after = (builder.append_basic_block(name) for name in ("test", "add", "after"))
                builder.branch(test)
                builder.position_at_end(test)
                left, total = builder.phi(INDEX), builder.phi(row.type)
                builder.cbranch(builder.icmp_unsigned("!=", left, zero), add, after)
                builder.position_at_end(add)
                at = builder.add(builder.cttz(left, ir.Constant(ir.IntType(1), 1)), INDEX(first))
                factor = builder.load(builder.gep(_data(context, builder, kinds[4], args[4]), [at]))
                if factor.type != row.type.element:
                    factor = builder.fptrunc(factor, row.type.element)
                place = builder.add(args[3], builder.mul(at, INDEX(length)))
                other = _load(builder, _row(context, builder, kinds[2], args[2], place, length))
                more = builder.fadd(total, builder.fmul(other, _all_alike(builder, factor, length)))
                fewer = builder.and_(left, builder.sub(left, INDEX(1)))
                builder.branch(test)
                for phi, start_value, next_value in ((left, there, fewer), (total, row, more)):
                    phi.add_incoming(start_value, before)
                    phi.add_incoming(next_value, add)
                builder.position_at_end(after)
                row = total
            _store(builder, row, _row(context, builder, kinds[0], args[0], zero, length))
            return context.get_dummy_value()

        return types.void(target, begin, source, types.int64, factors), codegen

    return intrinsic(make)


def _not_zero(context: Any, builder: Any, kind: Any, array: Any, first: int, size: int) -> Any:
    """Return a word with a bit for each number that is not 0, of up to WORD numbers from an index on."""
    word, done = INDEX(0), 0
    while done < size:
        part = 1 << (size - done).bit_length() - 1  # a power of two: whole registers
        row = _load(builder, _row(context, builder, kind, array, INDEX(first + done), part))
        told = builder.fcmp_unordered("!=", row, ir.Constant(row.type, [0.0] * part))
        bits = builder.bitcast(told, ir.IntType(part))
        bits = builder.zext(bits, INDEX) if part < WORD else bits
        word = builder.or_(word, builder.shl(bits, INDEX(done)))
        done += part
    return word


def rectified_product(length: int) -> Any:
    """Return a function for kernels product(units, weights, start) that adds up max(0, unit) · weight over a row.

    The halves are added to one another until one number is left.

    Args:
        length: of a row, a power of two. Of the function: units: (length,). weights: 1-d. start: where its row begins;
            that it lies within the array is not checked. It returns float64.
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
            zero = INDEX(0)
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
            total = builder.extract_element(row, ir.Constant(ir.IntType(32), 0))
            return total if total.type == ir.DoubleType() else builder.fpext(total, ir.DoubleType())

        return types.float64(units, weights, types.int64), codegen

    return intrinsic(make)
