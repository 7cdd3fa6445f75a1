"""What a strategy is made of beside its own text: the code and the values that its functions lead to, in whatever files
they stand."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
from functools import cache
from pathlib import Path
from sysconfig import get_paths
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

NOTED = (bool, int, float, complex, str, bytes, type(None), np.generic, np.ndarray, np.dtype)
MOST_DEPTH = 8


def values(parts: Mapping[str, Any]) -> dict[str, str]:
    """Return a digest for everything that functions lead to: its module and name → digest of the code or of the value.

    Two processes that read the same files find the same, unless something in there is another each time.

    Args:
        parts: name → function of Python, compiled or not, or plain value.
    """
    found: dict[str, str] = {}
    todo = [("", name, value) for name, value in parts.items()]
    while todo:
        module, name, value = todo.pop()
        inside = getattr(value, "py_func", value)
        if isinstance(inside, FunctionType):
            file = inside.__globals__.get("__file__")
            place = f"{inside.__module__}.{inside.__qualname__}"
            if place not in found and not _is_library(file):
                found[place] = _digest(_code(inside.__code__))
                found |= _file(file)
                todo += [(inside.__module__ or "", key, item) for key, item in _named(inside)]
        elif isinstance(value, (*NOTED, tuple, list, dict, set, frozenset)):
            found[f"{module}.{name}".strip(".")] = _digest(_plain(value))
            todo += [(module, name, item) for item in _items(value) if hasattr(item, "py_func")]
    return found


def _file(name: str | None) -> dict[str, str]:
    """Return a digest of a file that functions stand in, if it is there."""
    with suppress(OSError, ValueError):
        return {f"the file {Path(name or '').name}": _digest(Path(name or "").read_bytes())}
    return {}


def _named(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the names that a function may look up, and what they stand for, those in modules too."""
    names = set(_names(function.__code__))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        with suppress(ValueError):  # nothing is in it yet
            yield name, cell.cell_contents
    yield from (("defaults", value) for value in function.__defaults__ or ())
    yield from _among(names, function.__globals__, set())


def _among(names: Set[str], known: Mapping[str, Any], seen: set[int]) -> Iterator[tuple[str, Any]]:
    for name in sorted(names & known.keys()):
        value = known[name]
        if not isinstance(value, ModuleType):
            yield name, value
        elif id(value) not in seen and not _is_library(getattr(value, "__file__", "")):
            seen.add(id(value))
            yield from _among(names, vars(value), seen)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _code(code: CodeType) -> bytes:
    """Return what a function does as bytes, without the file and lines where it stands."""
    inner = (
        _code(constant) if isinstance(constant, CodeType) else repr(constant).encode() for constant in code.co_consts
    )
    return b"\0".join([code.co_code, repr((code.co_names, code.co_varnames, code.co_freevars)).encode(), *inner])


def _items(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple | list) else ()


def _plain(value: Any, depth: int = 0) -> bytes:
    """Return a value as bytes; of what is no plain value, or in lists within lists without end, the name of its
    type."""
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return repr((value.dtype, value.shape)).encode() + value.tobytes()
    if depth < MOST_DEPTH and isinstance(value, Mapping):
        return b"".join(_plain(key, depth + 1) + b"=" + _plain(item, depth + 1) + b"," for key, item in value.items())
    if depth < MOST_DEPTH and isinstance(value, tuple | list):
        return b",".join(_plain(item, depth + 1) for item in value)
    if depth < MOST_DEPTH and isinstance(value, set | frozenset):
        return b",".join(sorted(_plain(item, depth + 1) for item in value))
    return (
        repr(value).encode()
        if isinstance(value, NOTED) and not isinstance(value, np.ndarray)
        else type(value).__name__.encode()
    )


def _digest(what: bytes) -> str:
    return hashlib.sha256(what).hexdigest()[:16]


@cache
def _is_library(file: str | None) -> bool:
    """Return whether a file came with Python or with an installed package, which counts by its version; "" for what is
    built in."""
    paths = get_paths()
    return file == "" or any(
        Path(file or "").is_relative_to(paths[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib")
    )
