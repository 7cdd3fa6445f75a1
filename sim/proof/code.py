"""What the compiled code of a strategy does, wherever `choose` leads to; and what of it breaks the contract.

numba has found out what every name stands for: a function by another name, a view of a field, a helper in another file.
So its typed code is read, not the text.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import ir
from numba.core.dispatcher import Dispatcher, LiftedCode
from numba.core.errors import NumbaError
from numba.core.typing import fold_arguments
from numba.core.typing.npydecl import Numpy_method_redirection
from numba.core.utils import pysignature

from sim.proof import Objection, SourceLine

ARGUMENTS = ("components", "state", "options", "weights")  # what a strategy is lent
CHANCE = ("random", "numpy.random", "secrets")
OURS = __package__.rpartition(".")[0]  # the package of `sim`
OUTLIVES = "="  # before the path of what is none of the arguments
OWN_COPY = "a strategy changes arrays of its own, such as state.score.copy()"
DRAW = "chance comes from draw(state.noise, state.decision, n)"
LOOKED_INTO = "it calls functions under @njit, and those of Python, math and NumPy"

# What shares its memory with what it is made of, and what writes to its arguments (number of the argument).
VIEWS = {
    "asarray", "ascontiguousarray", "asfortranarray", "atleast_1d", "atleast_2d", "atleast_3d", "array_split",
    "as_strided", "broadcast_to", "diag", "diagonal", "expand_dims", "flip", "fliplr", "flipud", "hsplit", "dsplit",
    "vsplit", "moveaxis", "ravel", "real", "imag", "reshape", "rollaxis", "rot90", "sliding_window_view", "split",
    "squeeze", "swapaxes", "transpose", "view", "nditer", "ndindex", "enumerate", "zip", "iter", "next", "reversed",
    "list", "tuple", "literal_unroll", "setdefault", "get", "pop", "popitem", "values", "items", "flat", "ndenumerate",
    "min", "max",
}  # fmt: skip
WRITERS = {
    "fill_diagonal": 0,
    "put": 0,
    "place": 0,
    "putmask": 0,
    "copyto": 0,
    "shuffle": 0,
    "nan_to_num": 0,
    "round_": 2,
    "take": 3,
}
METHODS_THAT_WRITE = {"fill", "sort", "itemset", "put", "partition", "resize"}
METHODS_THAT_KEEP = {"append", "insert", "extend", "add", "setdefault", "appendleft"}
NOT_LOOKED_INTO = {"carray", "farray"}  # any memory at all
PLAIN = (
    types.Number, types.Boolean, types.NoneType, types.Omitted, types.Literal, types.UnicodeType, types.Function,
    types.Dispatcher, types.Module, types.NumberClass, types.DType, types.SliceType, types.EllipsisType,
    types.Undefined,
)  # fmt: skip


@dataclass(frozen=True)
class Deed:
    """Something that code does: "calls", "writes", "reads" or "returns" what, and at which line.

    `what` is the path of a field (state.score) or, where something is called, words that say what is wrong with it; ""
    if nothing is.
    """

    kind: str
    what: str
    place: SourceLine


def is_memory(kind: Any) -> bool:
    """Return whether something of this numba type may share its memory with what it is made of."""
    return not isinstance(kind, PLAIN)


def deeds(policy: Any) -> list[Deed]:
    """Return what a compiled policy does, that and all that it calls, each deed once.

    Args:
        policy: compiled in this process, not loaded from disk: the typed code is not kept there.

    Raises:
        ValueError: it was loaded from disk.
    """
    (result,) = policy.overloads.values()
    if not hasattr(result.type_annotation, "blocks"):
        raise ValueError("a policy that was loaded from disk has no typed code")
    walk = _Walk()
    origins = [name if name in ARGUMENTS else "" for name in ("components", "state", "options", "n", "weights")]
    walk.function(policy.py_func, result, tuple(origins), top=True)
    return list(dict.fromkeys(walk.deeds))


def chance(seen: list[Deed]) -> Iterator[Objection]:
    """Yield what takes chance, the time or anything else from outside the game, or does what can't be looked into."""
    for deed in seen:
        if deed.kind == "calls" and deed.what:
            yield Objection(deed.what, DRAW if "chance" in deed.what else LOOKED_INTO, deed.place)


def writing(seen: list[Deed]) -> Iterator[Objection]:
    """Yield what writes on anything that the strategy was lent, or that outlives the call."""
    for deed in seen:
        if deed.kind == "writes":
            yield Objection(f"writes to {deed.what}", OWN_COPY, deed.place)


def peeking(seen: list[Deed]) -> Iterator[Objection]:
    """Yield what looks at the game's own chance."""
    for deed in seen:
        if deed.kind == "reads" and deed.what == "state.key":
            yield Objection("reads state.key, from which the game draws what is still to come", DRAW, deed.place)


def returning(seen: list[Deed]) -> Iterator[Objection]:
    """Yield where something else than a whole number is returned."""
    for deed in seen:
        if deed.kind == "returns" and deed.what:
            yield Objection(
                f"returns a {deed.what}",
                "choose returns the number of an option, a whole one from 0 to n - 1",
                deed.place,
            )


CHECKS = (chance, writing, peeking, returning)


def findings(policy: Any) -> Iterator[Objection]:
    """Yield what the code of a compiled policy (see `deeds`) breaks, check by check."""
    seen = deeds(policy)
    for check in CHECKS:
        yield from check(seen)


class _Walk:
    """Goes through typed code, function by function, and follows what shares the memory of the arguments."""

    def __init__(self) -> None:
        self.deeds: list[Deed] = []
        self._known: dict[Any, str] = {}  # function and where its arguments come from → where its result comes from

    def function(self, function: Any, result: Any, origins: tuple[str, ...], top: bool = False) -> str:
        """Go through a function; return what its result shares its memory with, "" for nothing.

        Args:
            function: in Python. result: of its compilation. origins: path of what each argument shares its memory with,
                "" for nothing.
        """
        key = (result.type_annotation, origins)
        if key not in self._known:
            self._known[key] = ""  # until it is known, for a function that calls itself
            self._known[key] = _Function(self, function, result.type_annotation, origins, top).run()
        return self._known[key]

    def dispatcher(
        self, dispatcher: Any, signature: Any, origins: list[str], names: dict[str, str], place: SourceLine
    ) -> str:
        """Go through a function under @njit that is called with arguments of known types and origins."""
        if isinstance(dispatcher, LiftedCode):
            self.deeds.append(Deed("calls", "leaves compiled code (objmode)", place))
            return ""
        if dispatcher.targetoptions.get("parallel"):
            self.deeds.append(Deed("calls", f"runs {dispatcher.py_func.__name__} in parallel", place))
        try:
            result = dispatcher.get_compile_result(signature)
        except (KeyError, NumbaError, AssertionError):
            return ""
        if not hasattr(result.type_annotation, "blocks"):
            return ""  # an entry point of a game
        parameters = pysignature(dispatcher.py_func)
        folded = fold_arguments(
            parameters, origins, names, lambda i, p, origin: origin, lambda i, p, default: "", lambda i, p,
            rest: max(rest, default=""),
        )  # fmt: skip
        return self.function(dispatcher.py_func, result, tuple(folded))


class _Function:
    """The typed code of one function, called with arguments of known origins."""

    def __init__(self, walk: _Walk, function: Any, annotation: Any, origins: tuple[str, ...], top: bool):
        self._walk, self._file, self._top = walk, function.__code__.co_filename, top
        self._blocks, self._types, self._calls = annotation.blocks, annotation.typemap, annotation.calltypes
        self._arguments, self._from, self._bound = origins, dict[str, str](), dict[str, str]()
        self._result = ""
        self._final = False

    def run(self) -> str:
        """Follow what shares memory until nothing is added, then note the deeds; return what the result shares."""
        before = None
        while before != (self._from, self._result):
            before = (dict(self._from), self._result)
            self._pass()
        self._final = True
        self._pass()
        return self._result

    def _pass(self) -> None:
        for label in sorted(self._blocks):
            for step in self._blocks[label].body:
                self._step(step)

    def _note(self, kind: str, what: str, step: Any) -> None:
        if self._final:
            self._walk.deeds.append(Deed(kind, what, self._place(step)))

    def _place(self, step: Any) -> SourceLine:
        return SourceLine(step.loc.filename or self._file, step.loc.line)

    def _origin(self, variable: Any) -> str:
        return self._from.get(variable.name, "") if isinstance(variable, ir.Var) else ""

    def _share(self, name: str, origin: str) -> None:
        if origin and not self._from.get(name):
            self._from[name] = origin

    def _step(self, step: Any) -> None:
        if isinstance(step, ir.Assign):
            origin = self._value(step, step.value)
            if is_memory(self._types.get(step.target.name)):
                self._share(step.target.name, origin)
        elif isinstance(step, ir.SetItem | ir.StaticSetItem | ir.DelItem):
            field = getattr(step, "index", None)
            self._write(self._origin(step.target), f".{field}" if isinstance(field, str) else "", step)
        elif isinstance(step, ir.SetAttr):
            self._write(self._origin(step.target), f".{step.attr}", step)
        elif isinstance(step, ir.Print):
            self._note("calls", "prints", step)
        elif isinstance(step, ir.Return):
            self._result = self._result or self._origin(step.value)

    def _write(self, origin: str, field: str, step: Any) -> None:
        if origin.startswith(OUTLIVES):
            self._note("writes", f"{origin[1:]}{field}, which outlives the call", step)
        elif origin:
            self._note("writes", origin + field, step)

    def _value(self, step: Any, value: Any) -> str:
        """Return what a value shares its memory with."""
        if isinstance(value, ir.Arg):
            return self._arguments[value.index]
        if isinstance(value, ir.Var):
            return self._origin(value)
        if isinstance(value, ir.Global | ir.FreeVar | ir.Const):
            self._check_kind(self._types.get(step.target.name), step)
            kind = self._types.get(step.target.name)
            array = isinstance(kind, types.Array | types.Record)
            return f"{OUTLIVES}{value.name}" if array and not isinstance(value, ir.Const) else ""
        return self._expression(step, value) if isinstance(value, ir.Expr) else ""

    def _expression(self, step: Any, value: Any) -> str:
        kind = self._types.get(step.target.name)
        if value.op == "call":
            return self._call(step, value)
        if value.op == "getattr":
            return self._attribute(step, value, kind)
        if value.op in ("getitem", "static_getitem", "typed_getitem"):
            origin, index = self._origin(value.value), getattr(value, "index", None)
            if isinstance(index, str):
                self._read(f"{origin}.{index}", step)
                return f"{origin}.{index}" if origin else ""
            chosen = isinstance(index, ir.Var) and isinstance(self._types.get(index.name), types.Array | types.List)
            return "" if chosen else origin  # a choice of items is a copy
        if value.op == "inplace_binop":
            origin = self._origin(value.lhs)
            if isinstance(self._types.get(value.lhs.name), types.Array):
                self._write(origin, "", step)
            return origin
        if value.op == "cast":
            given = self._types.get(value.value.name)
            if self._top and isinstance(given, types.Float | types.Complex):
                self._note("returns", str(given), step)
            return self._origin(value.value)
        if value.op == "phi":
            return next(filter(None, map(self._origin, value.incoming_values)), "")
        if value.op in ("binop", "unary", "arrayexpr"):
            return ""
        return next(filter(None, map(self._origin, value.list_vars())), "")

    def _attribute(self, step: Any, value: Any, kind: Any) -> str:
        origin, attribute, base = self._origin(value.value), value.attr, self._types.get(value.value.name)
        self._check_kind(kind, step)
        if isinstance(kind, types.BoundFunction):
            self._bound[step.target.name] = value.value.name
        if attribute == "ctypes":
            self._note("calls", "takes the address of an array, which is chance from outside the game", step)
        if origin and isinstance(base, types.Record):
            origin = f"{origin}.{attribute}"
            self._read(origin, step)
        return origin

    def _read(self, path: str, step: Any) -> None:
        self._note("reads", path.removeprefix(OUTLIVES), step)

    def _check_kind(self, kind: Any, step: Any) -> None:
        """Note what a name stands for, if that is nothing for a strategy."""
        if isinstance(kind, types.Function):
            self._note("calls", _wrong(kind), step)
        elif isinstance(kind, types.ExternalFunctionPointer | types.ExternalFunction | types.FunctionType):
            self._note("calls", "calls a function that is not under @njit", step)
        elif isinstance(kind, types.ClassType | types.ClassInstanceType):
            self._note("calls", "uses a class under @jitclass", step)
        elif "RandomGenerator" in type(kind).__name__ or "BitGenerator" in type(kind).__name__:
            self._note("calls", "takes chance from a generator of NumPy", step)

    def _call(self, step: Any, call: Any) -> str:
        kind, result = self._types.get(call.func.name), self._types.get(step.target.name)
        origins = [self._origin(argument) for argument in call.args]
        names = {name: self._origin(argument) for name, argument in call.kws}
        if isinstance(kind, types.Dispatcher | types.ObjModeDispatcher):
            return self._walk.dispatcher(kind.dispatcher, self._calls[call], origins, names, self._place(step))
        first = next(filter(None, (*origins, *names.values())), "")
        if isinstance(kind, types.BoundFunction):
            key = kind.template.key
            method = str(key[-1] if isinstance(key, tuple) else key).rpartition(".")[2]
            return self._method(step, method, self._bound.get(call.func.name, ""), first)
        if isinstance(kind, types.NumberClass | types.DType):
            return ""
        function = getattr(kind, "typing_key", None)
        name = getattr(function, "__name__", "")
        if isinstance(function, np.ufunc):
            for origin in (*origins[function.nin :], *names.values()):
                self._write(origin, "", step)
            return ""
        if name == "hash" and isinstance(
            self._types.get(call.args[0].name), types.UnicodeType | types.Bytes | types.StringLiteral
        ):
            self._note("calls", "takes the hash of a text, which is chance from outside the game", step)
        if name in WRITERS and len(origins) > WRITERS[name]:
            self._write(origins[WRITERS[name]], "", step)
        self._write(names.get("out", ""), "", step)
        shares = name in VIEWS or hasattr(function, "_defn")  # an intrinsic of ours
        return first if shares and is_memory(result) else ""

    def _method(self, step: Any, method: str, owner: str, first: str) -> str:
        origin = self._from.get(owner, "")
        if method in METHODS_THAT_WRITE and isinstance(self._types.get(owner), types.Array):
            self._write(origin, "", step)
        if method in METHODS_THAT_KEEP:
            self._share(owner, first)
        return origin if method in VIEWS else ""


def _wrong(kind: types.Function) -> str:
    """Return what is wrong with a function that is called, in words; "" if nothing is."""
    function = kind.typing_key
    owner, module = getattr(function, "__self__", None), getattr(function, "__module__", None) or ""
    name = getattr(function, "__name__", None) or str(function)
    if isinstance(owner, random.Random | np.random.RandomState) or module.startswith(CHANCE):
        return (
            "takes chance from "
            f"{'random' if isinstance(owner, random.Random) or module == 'random' else 'numpy.random'}.{name}"
        )
    if getattr(function, "_defn", None) is not None:  # an intrinsic
        where, name = function._defn.__module__, function._defn.__name__.strip("_")
        if where == f"{OURS}.compiled" and name == "microseconds":
            return "looks at the clock, which is chance from outside the game"
        return "" if where.startswith((f"{OURS}.", "numba.")) else f"calls {name}, an intrinsic"
    if module.startswith("numba") and name in NOT_LOOKED_INTO:
        return f"calls numba.{name}"
    if isinstance(function, numba.np.ufunc.dufunc.DUFunc):
        return f"calls {name}, which is under @vectorize"
    if not all(map(_comes_with_numba, kind.templates)):
        return f"calls {name}, which is under @overload"
    return ""


def _comes_with_numba(template: Any) -> bool:
    """Return whether what numba puts in place of a function is of numba or ours, and not of a user's @overload."""
    if issubclass(template, Numpy_method_redirection):  # made by `type`, so its module is that of `type`'s caller
        return template.key in (np.argsort, np.nonzero, np.ravel) and template.__bases__ == (Numpy_method_redirection,)
    made_of = getattr(template, "_overload_func", None) or getattr(template, "_definition_func", None) or template
    # numba makes the overload of `abs` and `len` from a text
    module = made_of.__module__ or made_of.__globals__.get("__name__", "")
    return module.startswith(("numba.", f"{OURS}."))


def compiled_for(function: Any, signature: Any) -> Dispatcher:
    """Return a policy compiled in this process, as `deeds` wants it; nothing is kept on disk."""
    return numba.njit(signature, nogil=True)(getattr(function, "py_func", function))
