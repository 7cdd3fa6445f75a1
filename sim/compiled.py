"""The one place that knows numba's disk cache: machine code goes to a folder named by everything that it depends on.

numba looks at a function's own file only, so an edited helper would leave stale code; it forgets CACHE_DIR when a
NUMBA_ variable changes; flags such as BOUNDSCHECK are not part of its key; a folder that can't be written is silently
replaced by one beside the source, though all may be there to be read. Hence: one folder for each set of sources and
flags, files of our own (`sim.code_files`), and nobody else writes `cache=True`.
"""

import hashlib
import os
import shutil
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import caching, cgutils
from numba.extending import intrinsic
from numba.np import arrayobj, linalg

from sim.code_files import CodeFile, CodePlace, base
from sim.given import files_below

CORE = tuple(
    Path(__file__).with_name(f"{name}.py")
    for name in ("compiled", "chance", "contract", "course", "lent", "play", "outcomes", "phases")
)
HERE = Path(__file__).parent
WITHOUT_KERNELS = {"components.py"}  # files of our games; those of others may hold anything
ASIDE = {"words", "strategies", "recount.py"}  # parts of a game that hold none of its kernels
UNUSED_DAYS = 14

# first-class functions: they carry the contract
warnings.filterwarnings("ignore", category=numba.NumbaExperimentalFeatureWarning)

_lock = threading.RLock()


def _as_it_is(context, builder, kind, index, size):
    """Have numba take an index as it is, where it would count a negative one from the end: no kernel has any, and each
    look takes time.

    They were 8 % of a game's instructions. Where bounds are checked, a negative index is then refused like one that is
    too large.
    """
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def _blas_when_needed() -> None:
    """Keep numba from importing SciPy, for its BLAS, as soon as anything is compiled or loaded: a quarter of a warm
    start.

    A kernel that multiplies matrices asks for it once more.
    """
    asked = linalg.ensure_blas
    if find_spec("scipy") is not None:
        linalg.ensure_blas = lambda: None
    try:
        import numba.np.arraymath  # noqa: F401 (which asks when it is imported)
    finally:
        linalg.ensure_blas = asked


_blas_when_needed()


def kernel_files(source: Path) -> list[Path]:
    """Return the files that count for a source: itself, or the Python files of a folder that hold kernels."""
    if not source.is_dir():
        return [source]
    others = ASIDE | WITHOUT_KERNELS if source.parent == HERE else ASIDE
    found = (path for name, path in files_below(source) if name.partition("/")[0] not in others)
    return sorted(path for path in found if path.suffix == ".py")


@cache
def cache_folder(*sources: Path) -> Path:
    """Return the folder for machine code made from `sources` under the present flags; it need not exist yet.

    Args:
        sources: files or folders, see `kernel_files`. The first one gives the folder its name. The core of `sim` always
            counts.
    """
    flags = (
        numba.__version__,
        np.__version__,
        sys.version_info[:2],
        numba.config.BOUNDSCHECK,
        numba.config.OPT,
        numba.config.CPU_NAME,
    )
    digest = hashlib.sha256(repr(flags).encode())
    for source in (*CORE, *sources):
        for path in kernel_files(source):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return base() / f"{sources[0].parent.name}-{sources[0].stem}-{digest.hexdigest()[:16]}"


def is_cached(*sources: Path) -> bool:
    """Return whether machine code of these sources is there, so that a caller can announce a compilation before it
    starts."""
    return bool(numba.config.DISABLE_JIT) or os.access(cache_folder(*sources), os.R_OK)


@cache
def _begun(folder: Path) -> Path:
    """Return `folder`, made if need be and marked as used; where it is new, old folders of its name are removed."""
    with suppress(OSError):  # who can't write there may still read, and whoever has to save something says so
        new = not folder.is_dir()
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        for other in folder.parent.glob(folder.name.rsplit("-", 1)[0] + "-*") if new else ():
            if time.time() - other.stat().st_mtime > UNUSED_DAYS * 86_400:
                shutil.rmtree(other, ignore_errors=True)
    return folder


@contextmanager
def _kernels(folder: Path | None, long_loops: bool) -> Iterator[None]:
    """Have numba compile as kernels want it, and only them: loops as vectors only if they are long.

    With a folder, machine code is kept there and each index taken as it is.
    """
    wanted: list[tuple[Any, str, Any]] = [
        # Loops over a handful of options are slower as vectors: 12 % of a game.
        (numba.config, "LOOP_VECTORIZE", int(long_loops)),
        (numba.config, "SLP_VECTORIZE", 0),
    ]
    if folder is not None:
        wanted += [
            (numba.config, "CACHE_DIR", str(folder)),
            (numba.config, "CACHE_LOCATOR_CLASSES", f"{CodePlace.__module__}.{CodePlace.__name__}"),
            (caching, "IndexDataCacheFile", CodeFile),
            (arrayobj, "fix_integer_index", _as_it_is),
        ]
    before = [getattr(where, name) for where, name, _ in wanted]
    for where, name, value in wanted:
        setattr(where, name, value)
    try:
        yield
    finally:
        for (where, name, _), value in zip(wanted, before):
            setattr(where, name, value)


def compiled(signature: Any, *sources: Path, long_loops: bool = False, **options: Any) -> Any:
    """Return a decorator that compiles an entry point for one signature, without the GIL, and keeps the machine code.

    Args:
        signature: numba signature of the entry point.
        sources: what the machine code depends on beside the core, see `cache_folder`; none: not kept on disk.
        long_loops: whether its loops are worth being made vectors of. options: passed on to `numba.njit`.

    Returns:
        A decorator. With the JIT off it returns the function as it is.
    """

    def decorate(function: Any) -> Any:
        if numba.config.DISABLE_JIT:
            return function
        with _lock, _kernels(_begun(cache_folder(*sources)) if sources else None, long_loops):
            return _known(njit(signature, cache=bool(sources), nogil=True, **options)(function))

    return decorate


def _known(function: Any) -> Any:
    """Have the addresses of a compiled function looked up once, and return it.

    numba looks them up anew whenever a first-class function is handed to a kernel: a tenth of a millisecond each, with
    the GIL.
    """
    (result,) = function.overloads.values()
    result.library.get_pointer_to_function = cache(result.library.get_pointer_to_function)
    function.get_compile_result = lambda signature: result
    return function


def entry_of(function: Any) -> Any:
    """Return the machine code of a compiled function, to be called with arguments of just its types.

    The function itself would find out the type of every argument first: more than a millisecond where functions are
    among them.
    """
    return function if numba.config.DISABLE_JIT else next(iter(function.overloads.values())).entry_point


def in_python(function: Any) -> Any:
    """Return the Python function of a compiled one, where it is called a few times and need not be compiled."""
    return getattr(function, "py_func", function)


def _borrow(typingctx, array):
    """Return the same memory as an array that nobody owns, for use in a kernel while the caller holds it.

    numba counts references to an owned array at every call that it is passed to, and its pruning does not see through
    inlined helpers: two thirds of the time of a game went there.
    """

    def codegen(context, builder, signature, args):
        owned = context.make_array(array)(context, builder, args[0])
        free = context.make_array(array)(context, builder)
        shape, strides = (cgutils.unpack_tuple(builder, part, array.ndim) for part in (owned.shape, owned.strides))
        arrayobj.populate_array(
            free, data=owned.data, shape=shape, strides=strides, itemsize=owned.itemsize, meminfo=None
        )
        return free._getvalue()

    assert isinstance(array, types.Array)
    return array(array), codegen


borrowed = (lambda array: array) if numba.config.DISABLE_JIT else intrinsic(_borrow)


def record_view(dtype: np.dtype) -> Any:
    """Return a function for kernels that sees the memory of an array as one record: a pointer, cheap to hand on, with
    names for readers.

    Args:
        dtype: of the record; the array must be at least as long, which is not checked.
    """
    if numba.config.DISABLE_JIT:
        return lambda array: array.view(dtype)[0]
    record = numba.from_dtype(dtype)

    def point(typingctx, array):
        def codegen(context, builder, signature, args):
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            return builder.bitcast(data, context.get_value_type(record))

        return record(array), codegen

    return intrinsic(point)


def on_stack(dtype: np.dtype, n: int) -> Any:
    """Return a function for kernels that gives an array to write on while the kernel runs; nothing is allocated.

    Args:
        dtype: of its entries, a number or a record. n: how many, whole words together; what they hold at first is
            undefined.
    """
    if numba.config.DISABLE_JIT:
        return lambda: np.zeros(n, dtype).view(np.ndarray if dtype.names is None else np.recarray)
    entry = numba.from_dtype(dtype)

    def make(typingctx):
        array = types.Array(entry, 1, "C")

        def codegen(context, builder, signature, args):
            made, words = context.make_array(array)(context, builder), n * dtype.itemsize // 8
            memory = cgutils.alloca_once(builder, ir.IntType(64), size=words)  # of words: so it is aligned
            data = builder.bitcast(memory, made.data.type)
            length, size = (ir.Constant(ir.IntType(64), number) for number in (n, dtype.itemsize))
            arrayobj.populate_array(made, data=data, shape=[length], strides=[size], itemsize=size, meminfo=None)
            return made._getvalue()

        return array(), codegen

    return intrinsic(make)


def _words(typingctx, array):
    """Return the memory of an array of records as uint64, unowned."""

    def codegen(context, builder, signature, args):
        records, words = (
            context.make_array(array)(context, builder, args[0]),
            context.make_array(signature.return_type)(context, builder),
        )
        size = context.get_constant(types.intp, array.dtype.size // 8)
        length = builder.mul(builder.extract_value(records.shape, 0), size)
        eight = context.get_constant(types.intp, 8)
        data = builder.bitcast(records.data, words.data.type)
        arrayobj.populate_array(words, data=data, shape=[length], strides=[eight], itemsize=eight, meminfo=None)
        return words._getvalue()

    return types.Array(types.uint64, 1, "C")(array), codegen


words_of = (lambda array: array.view(np.ndarray).view(np.uint64)) if numba.config.DISABLE_JIT else intrinsic(_words)


def _microseconds(typingctx):
    """Return a time that only moves forward, in microseconds."""

    def codegen(context, builder, signature, args):
        integer = context.get_value_type(types.int64)
        if os.name == "nt":  # there clock_gettime is unknown
            ticks = cgutils.get_or_insert_function(builder.module, ir.FunctionType(integer, []), "GetTickCount64")
            return builder.mul(builder.call(ticks, []), ir.Constant(integer, 1_000))
        now = cgutils.alloca_once(builder, integer, size=2)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.IntType(32), [ir.IntType(32), integer.as_pointer()]), "clock_gettime"
        )
        builder.call(function, [ir.Constant(ir.IntType(32), time.CLOCK_MONOTONIC), now])
        seconds, nanoseconds = builder.load(now), builder.load(builder.gep(now, [ir.Constant(ir.IntType(32), 1)]))
        million, thousand = ir.Constant(integer, 1_000_000), ir.Constant(integer, 1_000)
        return builder.add(builder.mul(seconds, million), builder.sdiv(nanoseconds, thousand))

    return types.int64(), codegen


microseconds = (lambda: time.perf_counter_ns() // 1_000) if numba.config.DISABLE_JIT else intrinsic(_microseconds)


def _count_ones(typingctx, word):
    """Return how many bits of an int64 are set: one instruction, where arithmetic takes ten."""

    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


count_ones = (lambda word: int(word).bit_count()) if numba.config.DISABLE_JIT else intrinsic(_count_ones)
