"""The record that kernels read a game's components from: its fields, and how it is filled, follow from the model.

| in the model | in the record |
|---|---|
| whole number | int64 |
| false or true; one of several words (`Literal`) | int64: 0 or 1; the place of the word, from 0 |
| table (`TomlTable`) | a record with the same names |
| table whose entries are all of one sort (`TomlRow`) | an array of them, in the model's order |
| list of at most N entries | an array of N, zeros behind the last entry |
| length of a list, if it may vary | `n_` and the name of the list; lengths of the lists in it: `n_in_` and its name |
| free text | nothing |

What a game works out from its numbers stands beside them: a method of the model marked `@derived`, whose result is
annotated as a field is.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, NoReturn, get_args, get_origin, get_type_hints

import annotated_types
import numpy as np
from pydantic import Field
from pydantic.fields import FieldInfo

from sim.printed.model import Keys, TomlRow, TomlTable, error, shown

ALLOWED = "a whole number, bool, Literal of words, text, table (TomlTable, TomlRow) or list of these"


class derived(property):  # noqa: N801 (it is used as a decorator)
    """A method of a model whose result kernels find in the record, under its name and beside the model's own fields.

    The result is annotated as a field is: `int`, or `Annotated[list[int], exactly(4)]`.
    """


def exactly(entries: int) -> Any:
    """Return the limits of a list that always has so many entries."""
    return Field(min_length=entries, max_length=entries)


class Packing(NamedTuple):
    """How a value of the model lies in the record.

    Attributes:
        dtype, shape: of the field. plain: makes of the value what NumPy takes: a number, a list, a tuple. blank: the
            same for a value that isn't there. lengths: prefix of the name → the field that says how long lists are.
    """

    dtype: np.dtype
    shape: tuple[int, ...]
    plain: Callable[[Any], Any]
    blank: Any
    lengths: Mapping[str, "Packing"] = MappingProxyType({})


def record_of(model: type[TomlTable]) -> np.dtype:
    """Return the dtype of the record that a model's values fill.

    Raises:
        ComponentsError: one line about a field that no record can hold.
    """
    return _table(model).dtype


def packed(components: TomlTable) -> np.recarray:
    """Return the record that holds a model's values, shape (1,).

    Raises:
        ComponentsError: one line about a value that has no place in it.
    """
    packing = _table(type(components))
    return np.array([packing.plain(components)], packing.dtype).view(np.recarray)


@cache
def _table(model: type[TomlTable]) -> Packing:
    """Return the packing of a table: a record, whose fields have names with the JIT off too."""
    packings: dict[str, tuple[str, Packing]] = {}  # name in the record → name in the model, packing
    for name, packing in _packings(model):
        for prefix, each in {"": packing, **packing.lengths}.items():
            if prefix + name in packings:
                _refuse(model, (prefix + name,), "two fields", "another name: one says how long a list is")
            if hasattr(np.record, prefix + name):
                _refuse(model, (name,), "a name that NumPy's records have themselves", "another name")
            packings[prefix + name] = name, each

    def plain(table: Any) -> tuple[Any, ...]:
        return tuple(packing.plain(getattr(table, name)) for name, packing in packings.values())

    fields = [(name, packing.dtype, packing.shape) for name, (_, packing) in packings.items()]
    # a game may do without numbers, but NumPy not with records of no bytes
    bare = np.dtype(fields, align=True) if fields else np.dtype({"names": [], "formats": [], "itemsize": 8})
    dtype = np.dtype((np.record, bare))
    return Packing(dtype, (), plain, tuple(packing.blank for _, packing in packings.values()))


def _row(model: type[TomlRow]) -> Packing | None:
    """Return the packing of a table whose entries are all of one sort: an array of them; None if they are free text."""
    packings = dict(_packings(model))
    if not packings:
        return None
    first = next(iter(packings.values()))
    for name, packing in packings.items():
        if (packing.dtype, packing.shape, packing.lengths.keys()) != (first.dtype, first.shape, first.lengths.keys()):
            _refuse(model, (name,), "another sort of value than before it", "entries of one sort, or a TomlTable")
    return _of(lambda table: [getattr(table, name) for name in packings], _array([*packings.values()]))


def _of(values: Callable[[Any], Any], packing: Packing) -> Packing:
    """Return a packing, and those of its lengths, whose value has first to be made into another one."""
    lengths = {prefix: _of(values, each) for prefix, each in packing.lengths.items()}
    return packing._replace(plain=lambda value: packing.plain(values(value)), lengths=lengths)


def _packings(model: type[TomlTable]) -> Iterator[tuple[str, Packing]]:
    """Yield the fields of a model that are no free text, then what is derived from them."""
    for name, field in (*model.model_fields.items(), *_derived(model)):
        packing = _packing(field, model, (name,))
        if packing is not None:
            yield name, packing


def _derived(model: type[TomlTable]) -> Iterator[tuple[str, FieldInfo]]:
    """Yield name and annotation of what is derived, those of base classes first."""
    methods = {name: method for base in reversed(model.__mro__) for name, method in vars(base).items()}
    for name, method in methods.items():
        if isinstance(method, derived):
            hints = get_type_hints(method.fget, include_extras=True)
            if "return" not in hints:
                _refuse(model, (name,), "no annotation of the result", ALLOWED)
            yield name, FieldInfo.from_annotation(hints["return"])


def _packing(field: FieldInfo, model: type[TomlTable], keys: Keys) -> Packing | None:
    """Return the packing of a field; None for free text."""
    sort: Any = field.annotation
    words = get_args(sort) if get_origin(sort) is Literal else ()
    if words and all(isinstance(word, str) for word in words):
        return Packing(np.dtype(np.int64), (), words.index, 0)
    if sort in (int, bool):
        return Packing(np.dtype(np.int64), (), _whole(model, keys), 0)
    if sort is str:
        return None
    if isinstance(sort, type) and issubclass(sort, TomlRow):
        return _row(sort)
    if isinstance(sort, type) and issubclass(sort, TomlTable):
        return _table(sort) if _table(sort).dtype.names else None
    if get_origin(sort) is list:
        entry = _packing(FieldInfo.from_annotation(get_args(sort)[0]), model, (*keys, "1"))
        return entry and _list(field, entry, model, keys)
    _refuse(model, keys, sort.__name__ if isinstance(sort, type) else str(sort), ALLOWED)


def _whole(model: type[TomlTable], keys: Keys) -> Callable[[Any], int]:
    def plain(value: Any) -> int:
        if not -(2**63) <= value < 2**63:
            _refuse(model, keys, shown(value), "a whole number of 64 bits")
        return int(value)

    return plain


def _list(field: FieldInfo, entry: Packing, model: type[TomlTable], keys: Keys) -> Packing:
    """Return the packing of a list: an array with room for its most entries, and their number if it may vary."""
    least = next((limit.min_length for limit in field.metadata if isinstance(limit, annotated_types.MinLen)), 0)
    most = next((limit.max_length for limit in field.metadata if isinstance(limit, annotated_types.MaxLen)), None)
    if most is None:
        _refuse(model, keys, "a list of any length", "a list with max_length, the most entries that it may have")

    def entries(values: Sequence[Any]) -> Sequence[Any]:
        if not least <= len(values) <= most:
            _refuse(model, keys, f"{len(values)} entries", f"{least} to {most} entries, as annotated")
        return values

    packing = _of(entries, _array([entry] * most))
    own = {} if least == most else {"n_": Packing(np.dtype(np.int64), (), len, 0)}
    return packing._replace(lengths={**own, **packing.lengths})


def _array(packings: Sequence[Packing]) -> Packing:
    """Return the packing of a sequence of values, at most as many as there are packings, all of one sort."""

    def plain(values: Sequence[Any]) -> list[Any]:
        there = [packing.plain(value) for packing, value in zip(packings, values)]
        return there + [packing.blank for packing in packings[len(there) :]]

    inner = {prefix: _array([packing.lengths[prefix] for packing in packings]) for prefix in packings[0].lengths}
    lengths = {prefix.replace("n_", "n_in_", 1): each for prefix, each in inner.items()}
    return Packing(
        packings[0].dtype, (len(packings), *packings[0].shape), plain, [packing.blank for packing in packings], lengths
    )


def _refuse(model: type[TomlTable], keys: Keys, found: str, allowed: str) -> NoReturn:
    """Report a field or a value that has no place in a record; the line names the file of its model."""
    file = getattr(sys.modules.get(model.__module__), "__file__", None)
    place = "/".join(Path(file).parts[-2:]) if file else model.__module__
    raise error(place, (model.__name__, *keys), found, allowed)
