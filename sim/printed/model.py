"""Models of components: their base, the value and the allowed values at a path, and one line for anything that doesn't
fit.

A path names a value: keys joined by dots, entries of a list by their number from 1 (`village.tiles.7.pips`). Here it is
a tuple of keys.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, NoReturn

from pydantic import BaseModel, ConfigDict
from pydantic_core import PydanticCustomError

Keys = tuple[str, ...]


class ComponentsError(ValueError):
    """A component file or a change has a mistake; its text is one line for the person who wrote it."""


class TomlTable(BaseModel):
    """The base of every game's model: no unknown key, no converted type, no change afterwards."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class TomlRow(TomlTable):
    """A table whose entries are all of one sort: kernels see it as an array, in the order of the model."""


def refuse(keys: Sequence[str], allowed: str, found: str = "") -> NoReturn:
    """Report from a model's validator that values do not go together.

    Args:
        keys: paths within the model that take part, keys joined by dots; the message names the one that was replaced
            last.
        allowed: what would be right.
        found: what is there instead; by default the value at the named path.

    Raises:
        PydanticCustomError: always.
    """
    raise PydanticCustomError("together", "refused", {"keys": list(keys), "allowed": allowed, "found": found})


# --- paths ------------------------------------------------------------------------------------------------------------


def children(node: object) -> dict[str, Any]:
    """Return what stands one key below a table or a list; nothing below a value."""
    if isinstance(node, list):
        return {str(number): entry for number, entry in enumerate(node, 1)}
    return node if isinstance(node, dict) else {}


def leaves(node: object, keys: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Go through the single values below a node, each with its path."""
    if not isinstance(node, dict | list):
        yield keys, node
    for key, child in children(node).items():
        yield from leaves(child, (*keys, key))


def lists(node: object, keys: Keys = ()) -> Iterator[tuple[Keys, list[Any]]]:
    """Go through the lists below a node, each with its path, the outer before the inner."""
    if isinstance(node, list):
        yield keys, node
    for key, child in children(node).items():
        yield from lists(child, (*keys, key))


def find(node: object, keys: Keys) -> Any:
    """Return what stands at a path below a node; None where nothing does."""
    for key in keys:
        node = children(node).get(key)
    return node


@cache
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()


def limits(model: type[BaseModel], keys: Keys) -> dict[str, Any]:
    """Return what the model allows at a path, as a JSON schema; an empty one where it has nothing."""
    at = whole = _schema(model)
    for key in keys:
        at = at.get("properties", {}).get(key) or at.get("items", {})
        at = whole["$defs"][at["$ref"].rpartition("/")[2]] if "$ref" in at else at
    return at


# --- messages ---------------------------------------------------------------------------------------------------------


def error(place: object, key: str | Keys, found: str, allowed: str) -> ComponentsError:
    """Return an error whose text is `PLACE: KEY: found X; allowed Y`, one printable line whatever comes in."""
    if not isinstance(key, str):
        key = ".".join(part if re.fullmatch(r"[\w*?\[\]-]+", part, re.ASCII) else shown(part) for part in key)
    return ComponentsError(printable(f"{place}: {key}: found {found}; allowed {allowed}"))


def printable(text: str) -> str:
    """Return a text without anything that moves a cursor or hides."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shown(value: object) -> str:
    """Return a value as a message shows it."""
    if isinstance(value, dict | list):
        return f"a {'table' if isinstance(value, dict) else 'list'} with {len(value)} entries"
    try:
        text = str(value).lower() if isinstance(value, bool) else repr(value)
    except ValueError:  # Python refuses to write out an integer of thousands of digits
        return "a huge number"
    return text if len(text) <= 60 else text[:57] + "…"


def unknown(place: object, keys: Keys, node: object) -> ComponentsError:
    """Return the error for a path whose last key is not among those of the table, list or value that it leads to."""
    if isinstance(node, list):
        return error(place, keys, "an unknown entry", f"entry numbers from 1 to {len(node)}")
    options = list(children(node))
    close = get_close_matches(keys[-1][:100], options, 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return error(place, keys, "an unknown key", (", ".join(options) or "no keys here") + hint)


def _allowed(model: type[BaseModel], keys: Keys) -> str:
    at = limits(model, keys)
    if "properties" in at:
        return "a table with the keys " + ", ".join(at["properties"])
    if "enum" in at:
        return " or ".join(at["enum"])
    if at.get("type") == "array":
        low, high = at.get("minItems"), at.get("maxItems")
        return (
            "a list"
            if low is None
            else f"a list of {low} entries"
            if low == high
            else f"a list of {low} to {high} entries"
        )
    if at.get("type") in ("boolean", "string"):
        return "true or false" if at["type"] == "boolean" else "text"
    return f"a whole number from {at['minimum']} to {at['maximum']}" if "minimum" in at else "a whole number"


def paths(fault: Any) -> list[Keys]:
    """Return the paths that one of pydantic's errors is about: all that do not go together, or the only one."""
    keys = tuple(str(part + 1) if isinstance(part, int) else part for part in fault["loc"])
    return [(*keys, *path.split(".")) for path in fault["ctx"]["keys"]] if fault["type"] == "together" else [keys]


def refusal(fault: Any, model: type[BaseModel], place: object, keys: Keys, prefix: Keys = ()) -> ComponentsError:
    """Say in our words what pydantic refuses.

    Args:
        fault: one of pydantic's errors.
        model: what refused.
        place: file, or whatever else was read.
        keys: one of the fault's `paths`.
        prefix: what leads to the model at that place.

    Returns:
        The error to raise.
    """
    path, value = (*prefix, *keys), fault["input"]
    if fault["type"] == "extra_forbidden":
        return unknown(place, path, limits(model, keys[:-1])["properties"])
    if fault["type"] == "together":
        found = fault["ctx"]["found"] or shown(find(value, keys[len(fault["loc"]) :]))
        return error(place, path, found, fault["ctx"]["allowed"])
    found = "nothing" if fault["type"] == "missing" or value is None else shown(value)
    return error(place, path, found, _allowed(model, keys))
