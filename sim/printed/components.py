"""Components: the printed numbers of a game, some of them replaced, all of them checked, each with its source.

    sim/<game>/components.toml ─► files (TOML, tables), in order ─► changes `path=value` ─► the game's model ─► one
    record

A path names a value: keys joined by dots, entries of a list by their number from 1 (`village.tiles.7.pips`). Every
error is one line, `PLACE: KEY: found X; allowed Y`, in a ComponentsError.
"""

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from sim import registry
from sim.printed.component_files import COLUMNS, GIVEN
from sim.printed.draft import Draft
from sim.printed.formulas import marked
from sim.printed.model import (
    ComponentsError,
    TomlRow,
    TomlTable,
    error,
    find,
    limits,
    lists,
    paths,
    refusal,
    refuse,
    shown,
)
from sim.printed.record import packed

__all__ = [
    "Components",
    "ComponentsError",
    "Counts",
    "Number",
    "TomlRow",
    "TomlTable",
    "changed",
    "from_values",
    "read",
    "refuse",
    "rows",
    "to_csv",
]


FILE = "components.toml"


@dataclass(frozen=True)
class Number:
    """One printed value and where it comes from; `low` and `high` are its plausible range if it is an assumed
    number."""

    value: int | str
    source: str
    low: int | None = None
    high: int | None = None
    note: str = ""


class Counts(NamedTuple):
    """How many of a game's numbers are assumed, given by somebody, and there in all."""

    assumed: int
    given: int
    numbers: int

    def __str__(self) -> str:
        """Say it in words: an assumed number is a placeholder, a given one is yours."""
        placeholders = "is a placeholder" if self.assumed < 2 else "are placeholders"
        if not self.given:
            return f"{self.assumed or 'none'} of {self.numbers} numbers {placeholders}"
        yours = "1 number is yours" if self.given == 1 else f"{self.given} numbers are yours"
        return f"{yours}, {self.assumed or 'none'} {placeholders}"

    @property
    def notice(self) -> str:
        """What must stand above every result: the placeholders, and what somebody has given; "" if there is neither."""
        return f"stand-in game: {self}" if self.assumed else str(self) if self.given else ""


@dataclass(frozen=True, eq=False)
class Components:
    """The components of a game as they are played: checked, with sources, a digest and the record for the engine."""

    game: str
    model: TomlTable
    numbers: dict[str, Number]  # by path, in the order of the file
    rules: dict[str, Any]
    digest: str
    record: np.recarray
    settled: frozenset[str] = frozenset()  # paths of rules, and of lists for their length, that somebody has given
    remarks: tuple[str, ...] = ()  # on the files that were read, a line each

    @property
    def title(self) -> str:
        """The game's name for people."""
        return registry.card(self.game)[0]

    @property
    def rules_version(self) -> str:
        """Version of the game's rules."""
        return registry.load(self.game).version

    @property
    def meanings(self) -> dict[str, str]:
        """What the numbers, lists and rules are, in words, by path."""
        from sim.printed.meanings import meanings

        return meanings(self)

    @property
    def counts(self) -> Counts:
        """How many of the numbers are placeholders, and how many somebody has given."""
        sources = [number.source for number in self.numbers.values()]
        return Counts(sources.count("assumed"), sources.count("given"), len(sources))


def read(game: str, files: Sequence[Path] = (), changes: Sequence[str] = ()) -> Components:
    """Read the components of a game.

    Args:
        game: name of the game's folder in `sim`.
        files: TOML files or tables that replace numbers, the later over the earlier.
        changes: single replacements `path=value`, after all files.

    Returns:
        The components, everything checked.

    Raises:
        ComponentsError: one line with place, key, what was found and what is allowed.
    """
    draft = _printed(game).begun()
    for file in files:
        draft.read_file(file)
    draft.change(changes)
    made = _packed(game, draft.complete(), _numbers(draft))
    return replace(made, settled=frozenset(".".join(keys) for keys in draft.settled), remarks=tuple(draft.remarks))


def from_values(game: str, values: dict[str, Any], place: str) -> Components:
    """Return components from all their values, as in the record of a game; their sources are unknown.

    Args:
        game: name of the game's folder in `sim`. values: by table and key. place: what they are called in messages.

    Raises:
        ComponentsError: one line with place, key, what was found and what is allowed.
    """
    model = registry.model(game)
    try:
        return _packed(game, model.model_validate(values), {})
    except ValidationError as invalid:
        fault = invalid.errors(include_url=False)[0]
        raise refusal(fault, model, place, paths(fault)[0]) from None


def changed(components: Components, changes: Mapping[str, Any]) -> Components:
    """Return components with other values at some paths, checked anew; those numbers are then given.

    Args:
        components: stay as they are. changes: path → value.

    Raises:
        ComponentsError: one line with key, what was found and what is allowed.
    """
    values: Any = components.model.model_dump()
    for path, value in changes.items():
        *above, last = path.split(".")
        node: Any = values
        for key in above:
            node = node[int(key) - 1] if isinstance(node, list) else node[key]
        if isinstance(node, list):
            node[int(last) - 1] = value
        else:
            node[last] = value
    made = from_values(components.game, values, "a change")
    given = {path: Number(value, GIVEN.source) for path, value in changes.items() if path in components.numbers}
    return replace(made, numbers=components.numbers | given, settled=components.settled, remarks=components.remarks)


def revised(components: Components, changes: Sequence[str], place: str) -> Components:
    """Return components with single replacements `path=value`, as `read` takes them, on top of them.

    Args:
        components: stay as they are. changes: the later over the earlier. place: what they are called in messages.

    Raises:
        ComponentsError: one line with place, key, what was found and what is allowed.
    """
    draft = _printed(components.game).begun()
    draft.tree = components.model.model_dump()
    draft.change(changes, place)
    made = _packed(components.game, draft.complete(), {})
    given = {path: number for path, number in _numbers(draft).items() if number.source == GIVEN.source}
    settled = components.settled | {".".join(keys) for keys in draft.settled}
    return replace(made, numbers=components.numbers | given, settled=settled, remarks=components.remarks)


def _packed(game: str, model: TomlTable, numbers: dict[str, Number]) -> Components:
    """Return the components that a checked model makes."""
    values = model.model_dump()
    digest = hashlib.sha256(json.dumps(values, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:16]
    return Components(game, model, numbers, values.get("rules", {}), digest, packed(model))


def to_csv(components: Components) -> str:
    """Write components as CSV: assumed numbers first, then the others, the lengths of lists that may vary, the rules.

    Args:
        components: what to write.

    Returns:
        Text that `read` takes as a file and that gives the same components again. Lengths and rules are no numbers.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows(components):
        writer.writerow({name: marked(cell) for name, cell in row.items()})
    return text.getvalue()


def rows(components: Components) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table of components; see `to_csv`."""
    shipped, words = _printed(components.game).tree, components.meanings

    def row(path: str, value: object, given: bool, **rest: object) -> dict[str, Any]:
        usual = find(shipped, tuple(path.split(".")))
        usual = len(usual) if isinstance(usual, list) else usual
        mine = "" if given == (value != usual) else "x" if given else "no"  # what the table does not show by itself
        usual = value if mine == "no" else usual
        cells = {
            "path": path,
            "meaning": words.get(path, ""),
            "value": cell(value),
            "shipped": cell(usual),
            "mine": mine,
            "note": "",
        }
        return cells | rest

    for path, n in sorted(components.numbers.items(), key=lambda item: item[1].source != "assumed"):
        yield row(
            path, n.value, n.source == GIVEN.source, source=n.source, low=cell(n.low), high=cell(n.high), note=n.note
        )
    for keys, entries in lists(components.model.model_dump()):
        allowed, path = limits(type(components.model), keys), ".".join(keys)
        if allowed.get("minItems") != allowed.get("maxItems"):
            yield row(
                path, len(entries), path in components.settled, source="length", note="a length, no number of the game"
            )
    for rule, value in components.rules.items():
        path = f"rules.{rule}"
        yield row(path, value, path in components.settled, source="ruling", note="a rule, no number of the game")


def cell(value: object) -> str:
    """Return a value as it is written."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


@cache
def _printed(game: str) -> Draft:
    """Return the draft that a game's own file makes; to be copied, not changed."""
    if not registry.known(game):
        raise error("game", shown(game), "an unknown game", "the name of a folder in sim")
    draft = Draft(registry.model(game), registry.place(game, FILE))
    draft.read_toml(registry.text(game, FILE) or "", draft.home)
    draft.places.clear()
    # a printed number needs a source
    draft.origins = {keys: origin for keys, origin in draft.origins.items() if origin is not GIVEN}
    return draft


def _numbers(draft: Draft) -> dict[str, Number]:
    """Return all numbers of a draft by path, each with its origin."""
    numbers = {}
    for keys, value in draft.numbers().items():
        origin = draft.origins.get(keys)
        if origin is None:
            raise error(draft.place(keys), keys, "no source", "a number that a [[source]] entry covers")
        if not origin.admits(value):
            allowed = f"{origin.low} to {origin.high}, its assumed range, or another source"
            raise error(draft.place(keys), keys, shown(value), allowed)
        numbers[".".join(keys)] = Number(value, origin.source, origin.low, origin.high, origin.note)
    return numbers
