"""Component files: read the printed numbers of a game, replace some, check them all, know where each comes from.

    sim/<game>/components.toml ─► files (TOML, CSV), in order ─► changes `path=value` ─► the game's model ─► one record

A path names a value: keys joined by dots, entries of a list by their number from 1 (`village.tiles.7.pips`). Whatever is wrong ends as one
line, `PLACE: KEY: found X; allowed Y`, in a ComponentsError.
"""

import copy
import csv
import hashlib
import importlib
import importlib.resources
import io
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, get_args, get_origin

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import PydanticCustomError

COLUMNS = ("path", "value", "source", "low", "high", "note")
Source = Literal["rulebook", "published", "assumed", "given"]
Keys = tuple[str, ...]


class ComponentsError(ValueError):
    """Something in a component file or a change can't be used; its text is one line for the person who wrote it."""


class Table(BaseModel):
    """The base of every game's model: no unknown key, no converted type, no change afterwards."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


@dataclass(frozen=True)
class Number:
    """One printed value and where it comes from; `low` and `high` are its plausible range if it is an assumed number."""

    value: int | str
    source: str
    low: int | None = None
    high: int | None = None
    note: str = ""


@dataclass(frozen=True, eq=False)
class Components:
    """The components of a game as they are played: checked, with sources, a digest and the record for the engine."""

    game: str
    model: Table
    numbers: dict[str, Number]  # by path, in the order of the file
    rules: dict[str, Any]
    digest: str
    record: np.recarray

    @property
    def assumed(self) -> int:
        """How many of the numbers are assumed."""
        return sum(number.source == "assumed" for number in self.numbers.values())

    @property
    def total(self) -> int:
        """How many numbers there are."""
        return len(self.numbers)


def read(game: str, files: Sequence[Path] = (), changes: Sequence[str] = ()) -> Components:
    """Read the components of a game.

    Arguments:
        game (str): name of the game's folder in `sim`.
        files (sequence of Path): TOML or CSV files that replace numbers, the later over the earlier.
        changes (sequence of str): single replacements `path=value`, after all files.
    Returns:
        Components: everything checked.
    Raises:
        ComponentsError: one line with place, key, what was found and what is allowed.
    """
    module, draft = _base(game)
    draft = draft.copy()
    for file in map(Path, files):
        draft.read_file(file)
    draft.change(changes)
    return draft.finish(game, module)


def to_csv(components: Components) -> str:
    """Write components as CSV: assumed numbers first, then the others, the lengths of lists that may vary, the rules.

    Arguments:
        components (Components): what to write.
    Returns:
        str: text that `read` takes as a file and that gives the same components again.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for path, n in sorted(components.numbers.items(), key=lambda item: item[1].source != "assumed"):
        writer.writerow((path, n.value, n.source, n.low, n.high, n.note))
    for keys, entries in _lists(components.model.model_dump()):
        limits = _kind(type(components.model), keys)[1]
        if _limit(limits, "min_length") != _limit(limits, "max_length"):
            writer.writerow((".".join(keys), len(entries), "length", "", "", "how many entries the list has"))
    for rule, value in components.rules.items():
        writer.writerow((f"rules.{rule}", str(value).lower() if isinstance(value, bool) else value, "ruling", "", "", ""))
    return text.getvalue()


def refuse(keys: Sequence[str], allowed: str, found: object = None) -> NoReturn:
    """Report from a model's validator that values do not go together.

    Arguments:
        keys (sequence of str): paths within the model that take part; the message names the one that was replaced last.
        allowed (str): what would be right.
        found (object): what is there instead; the value at the named key if None.
    Raises:
        PydanticCustomError: always.
    """
    raise PydanticCustomError("together", "refused", {"keys": list(keys), "allowed": allowed, "found": found})


# --- words for messages ---------------------------------------------------------------------------------------------------------------


def _error(place: object, key: str | Keys, found: str, allowed: str) -> ComponentsError:
    if not isinstance(key, str):
        key = ".".join(part if re.fullmatch(r"[\w*?\[\]-]+", part, re.ASCII) else _shown(part) for part in key)
    line = f"{place}: {key}: found {found}; allowed {allowed}"
    return ComponentsError("".join(c if c.isprintable() else repr(c)[1:-1] for c in line))


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return f"a {'table' if isinstance(value, dict) else 'list'} with {len(value)} entries"
    try:
        text = str(value).lower() if isinstance(value, bool) else repr(value)
    except ValueError:  # Python refuses to write out an integer of thousands of digits
        return "a huge number"
    return text if len(text) <= 60 else text[:57] + "…"


def _unknown(place: object, keys: Keys, options: Sequence[str]) -> ComponentsError:
    close = get_close_matches(keys[-1][:100], options, 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return _error(place, keys, "an unknown key", (", ".join(options) or "no keys here") + hint)


def _kind(model: Any, keys: Keys) -> tuple[Any, list[Any]]:
    """Return the type that the model has at a path, and its limits; (None, []) where it has nothing."""
    annotation, limits = model, []
    for key in keys:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            field = annotation.model_fields.get(key)
            annotation, limits = (field.annotation, list(field.metadata)) if field else (None, [])
        else:
            annotation, limits = (get_args(annotation) or (None,))[0], []
        if get_origin(annotation) is Annotated:
            annotation, *extra = get_args(annotation)
            limits = [limit for info in extra for limit in getattr(info, "metadata", [])]
    return annotation, limits


def _limit(limits: Sequence[Any], name: str) -> Any:
    return next((getattr(limit, name) for limit in limits if hasattr(limit, name)), None)


def _allowed(model: Any, keys: Keys) -> str:
    annotation, limits = _kind(model, keys)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return "a table with the keys " + ", ".join(annotation.model_fields)
    if get_origin(annotation) is Literal:
        return " or ".join(str(word) for word in get_args(annotation))
    if get_origin(annotation) is list:
        low, high = _limit(limits, "min_length"), _limit(limits, "max_length")
        return f"a list of {low} entries" if low == high else f"a list of {low} to {high} entries"
    if annotation is bool:
        return "true or false"
    if annotation is str:
        return "text"
    low, high = _limit(limits, "ge"), _limit(limits, "le")
    return "a whole number" if low is None else f"a whole number from {low} to {high}"


# --- trees of values ------------------------------------------------------------------------------------------------------------------


def _pairs(node: Any) -> Iterator[tuple[str, Any]]:
    return iter(node.items()) if isinstance(node, Mapping) else ((str(i), entry) for i, entry in enumerate(node, 1))


def _leaves(node: Any, keys: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    if not isinstance(node, dict | list):
        yield keys, node
        return
    for key, child in _pairs(node):
        yield from _leaves(child, (*keys, key))


def _lists(node: Any, keys: Keys = ()) -> Iterator[tuple[Keys, list[Any]]]:
    if isinstance(node, list):
        yield keys, node
    if isinstance(node, dict | list):
        for key, child in _pairs(node):
            yield from _lists(child, (*keys, key))


def _get(node: Any, keys: Keys) -> Any:
    for key in keys:
        node = node[int(key) - 1] if isinstance(node, list) else node[key]
    return node


def _blank(model: Any, keys: Keys) -> Any:
    """Return what stands at a path before it is filled: no value, which the model refuses, in tables and lists that are there."""
    annotation = _kind(model, keys)[0]
    if get_origin(annotation) is list:
        return []
    return dict.fromkeys(annotation.model_fields) if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None


def _scalar(text: str) -> int | bool | str:
    if re.fullmatch(r"[+-]?[0-9]{1,30}", text):
        return int(text)
    return {"true": True, "false": False}.get(text, text)


def _matches(pattern: Keys, keys: Keys) -> bool:
    return len(pattern) == len(keys) and all(key == part or fnmatchcase(key, part) for part, key in zip(pattern, keys))


# --- a draft: values, and for each its place and its source, until all has been read ---------------------------------------------


class _Entry(Table):
    """A [[source]] entry, or the right half of a CSV row."""

    paths: list[str]
    source: Source
    low: int | None = None
    high: int | None = None
    note: str = ""

    @model_validator(mode="after")
    def _complete(self) -> "_Entry":
        if self.source == "published" and not self.note.strip():
            refuse(["note"], "the name of the publication", "no note")
        if self.low is not None and self.high is not None and self.low > self.high:
            refuse(["low"], f"a whole number up to high = {_shown(self.high)}")
        return self


GIVEN = _Entry(paths=[], source="given")


@dataclass
class _Draft:
    model: type[Table]
    home: str  # what the game's own file is called in messages
    tree: dict[str, Any]
    places: dict[Keys, str]
    origins: dict[Keys, _Entry]

    def copy(self) -> "_Draft":
        return _Draft(self.model, self.home, copy.deepcopy(self.tree), dict(self.places), dict(self.origins))

    def place(self, keys: Keys) -> str:
        """Return where the value at this path was written last."""
        return next((self.places[keys[:n]] for n in range(len(keys), 0, -1) if keys[:n] in self.places), self.home)

    def put(self, parent: Any, keys: Keys, value: object, place: str) -> None:
        if isinstance(parent, list):
            parent[int(keys[-1]) - 1] = value
        else:
            parent[keys[-1]] = value
        if isinstance(value, dict | list):
            self.places = {path: where for path, where in self.places.items() if path[: len(keys)] != keys}
        self.places.pop(keys, None)
        self.places[keys] = place  # at the end: the order tells which was written last

    def merge(self, node: Any, data: dict[str, Any], place: str, keys: Keys = ()) -> None:
        """Lay a table over a node of the tree: tables key by key, lists as a whole or, by a table of numbers, entry by entry."""
        children = dict(_pairs(node))
        for key, value in data.items():
            path = (*keys, key)
            if isinstance(node, list) and key not in children:
                raise _error(place, path, "an unknown entry", f"entry numbers from 1 to {len(node)}")
            child = children.get(key)
            if isinstance(value, dict) and isinstance(child, dict | list):
                self.merge(child, value, place, path)
            else:
                self.put(node, path, value, place)

    def assign(self, keys: Keys, value: object, place: str) -> None:
        """Replace one value by its path."""
        node: Any = self.tree
        for n, key in enumerate(keys, 1):
            parent, children = node, dict(_pairs(node)) if isinstance(node, dict | list) else {}
            if key not in children:
                if isinstance(node, list):
                    raise _error(place, keys[:n], "an unknown entry", f"entry numbers from 1 to {len(node)}")
                raise _unknown(place, keys[:n], list(children))
            node = children[key]
        if isinstance(node, dict | list):
            options = ", ".join(node) if isinstance(node, dict) else f"1 to {len(node)}"
            raise _error(place, keys, f"one value for a {'table' if isinstance(node, dict) else 'list'}", f"one of its entries: {options}")
        self.put(parent, keys, value, place)

    def resize(self, keys: Keys, length: object, place: str) -> None:
        """Give a list another length; new entries must be filled before the next check."""
        try:
            entries = _get(self.tree, keys)
        except (KeyError, ValueError, IndexError, TypeError):
            entries = None
        if not isinstance(entries, list) or not isinstance(length, int) or not 0 <= length <= 99:
            raise _error(place, keys, f"the length {_shown(length)}", "a list and its length")
        if length != len(entries):
            entries[length:] = [_blank(self.model, (*keys, "1")) for _ in range(length - len(entries))]
            self.places[keys] = place

    def check(self, complete: bool = True) -> Table | None:
        """Validate all; with `complete` false, what does not go together may still be put right by what is read later."""
        try:
            return self.model.model_validate(self.tree)
        except ValidationError as error:
            found = [e for e in error.errors(include_url=False) if complete or e["type"] != "together"]
        if not found:
            return None
        raise min((self.explain(e) for e in found), key=lambda e: str(e).startswith(f"{self.home}: "))

    def explain(self, error: Any) -> ComponentsError:
        keys = tuple(str(part + 1) if isinstance(part, int) else part for part in error["loc"])
        if error["type"] == "together":
            options = [(*keys, *key.split(".")) for key in error["ctx"]["keys"]]
            order = {path: n for n, path in enumerate(self.places)}
            keys = max(options, key=lambda path: max(order.get(path[:n], -1) for n in range(1, len(path) + 1)))
            found = error["ctx"]["found"]
            return _error(self.place(keys), keys, found or _shown(_get(self.tree, keys)), error["ctx"]["allowed"])
        return _plain(error, self.model, self.place(keys), (), keys)

    # --- what is read ---

    def read_file(self, file: Path) -> None:
        text = _text(file)
        if file.suffix.lower() == ".toml":
            self.read_toml(text, str(file))
        else:
            self.read_csv(text, str(file))

    def read_toml(self, text: str, place: str) -> None:
        data = _toml(text, place)
        sources = data.pop("source", [])
        self.merge(self.tree, data, place)
        self.check(complete=False)
        self.origins.update((keys, GIVEN) for keys, _ in _leaves(data))
        if not isinstance(sources, list):
            raise _error(place, "source", _shown(sources), "entries [[source]]")
        for number, raw in enumerate(sources, 1):
            self.attribute(_entry(raw, place, ("source", str(number))), place, number)

    def attribute(self, entry: _Entry, place: str, number: int) -> None:
        """Note a source for all values that an entry's patterns match."""
        values = dict(_leaves({key: value for key, value in self.tree.items() if key != "rules"}))
        for pattern in entry.paths:
            parts = tuple(pattern.split("."))
            matched = [keys for keys in values if _matches(parts, keys)]
            if not matched:
                key = ("source", str(number), "paths")
                raise _error(place, key, f"{_shown(pattern)}, which matches no number", "paths of numbers, with * for any key")
            if entry.source == "assumed" and None in (entry.low, entry.high) and any(isinstance(values[keys], int) for keys in matched):
                missing = "low" if entry.low is None else "high"
                raise _error(place, ("source", str(number), missing), "nothing", "a whole number: an assumed number needs low and high")
            self.origins.update((keys, entry) for keys in matched)

    def read_csv(self, text: str, place: str) -> None:
        rows = _rows(text, place)
        for keys, row in rows.items():
            if row["source"] == "length":
                self.resize(keys, _scalar(row["value"]), place)
        for keys, row in rows.items():
            if row["source"] == "length":
                continue
            self.assign(keys, _scalar(row["value"]), place)
            if keys[0] == "rules":
                if row["source"] not in ("", "ruling"):
                    raise _error(place, keys, f"source {_shown(row['source'])}", "ruling")
                continue
            raw: dict[str, Any] = {"paths": [], "source": row["source"] or "given", "note": row["note"]}
            raw |= {end: _scalar(row[end]) for end in ("low", "high") if row[end]}
            entry = _entry(raw, place, keys)
            if entry.source == "assumed" and None in (entry.low, entry.high) and isinstance(_scalar(row["value"]), int):
                raise _error(place, keys, "no range", "low and high for an assumed number")
            self.origins[keys] = entry
        self.check(complete=False)

    def change(self, changes: Sequence[str]) -> None:
        place, seen = "--set", set()
        for change in changes:
            path, equals, text = change.partition("=")
            keys = tuple(path.strip().split("."))
            if not equals or not path.strip() or not text.strip():
                raise _error(place, keys, _shown(change), "path=value, as in --set kings.afonso_v.vp=2")
            if keys in seen:  # what is about to be replaced must have been right too
                self.check(complete=False)
            seen.add(keys)
            self.assign(keys, _scalar(text.strip()), place)
            self.origins[keys] = GIVEN

    def finish(self, game: str, module: Any) -> Components:
        """Check all that must go together and make the record."""
        model = self.check()
        assert model is not None
        values = model.model_dump()
        rules = values.get("rules", {})
        numbers = {}
        for keys, value in _leaves({key: self.tree[key] for key in self.tree if key != "rules"}):
            entry = self.origins.get(keys)
            if entry is None:
                raise _error(self.place(keys), keys, "no source", "a number that a [[source]] entry covers")
            if entry.source == "assumed" and isinstance(value, int) and not entry.low <= value <= entry.high:  # type: ignore[operator]
                raise _error(self.place(keys), keys, _shown(value), f"{entry.low} to {entry.high}, its assumed range, or another source")
            numbers[".".join(keys)] = Number(value, entry.source, entry.low, entry.high, entry.note)
        digest = hashlib.sha256(json.dumps(values, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:16]
        record = np.zeros(1, importlib.import_module(f"sim.{game}.state").COMPONENTS).view(np.recarray)
        module.pack(model, record[0])
        return Components(game, model, numbers, rules, digest, record)


# --- files ----------------------------------------------------------------------------------------------------------------------------


@lru_cache
def _base(game: str) -> tuple[Any, _Draft]:
    """Return a game's module of components and the draft that its own file makes."""
    if not re.fullmatch(r"[a-z_]+", game):
        raise _error("game", _shown(game), "an unknown game", "the name of a folder in sim")
    try:
        module = importlib.import_module(f"sim.{game}.components")
    except ModuleNotFoundError:
        raise _error("game", _shown(game), "an unknown game", "the name of a folder in sim") from None
    text = importlib.resources.files(f"sim.{game}").joinpath("components.toml").read_text("utf-8")
    draft = _Draft(module.Model, f"sim/{game}/components.toml", {}, {}, {})
    draft.read_toml(text, draft.home)
    draft.places.clear()
    draft.origins = {keys: entry for keys, entry in draft.origins.items() if entry is not GIVEN}
    return module, draft


def _text(file: Path) -> str:
    if file.suffix.lower() not in (".toml", ".csv"):
        raise _error(file, "file", f"the suffix {_shown(file.suffix)}", ".toml or .csv")
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _error(file, f"byte {error.start}", "what is not UTF-8", "a file saved as UTF-8") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or "not a file name"
        raise _error(file, "file", reason.lower(), "a file that can be read") from None


def _toml(text: str, place: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise _error(place, "file", "tables or lists nested too deeply", "TOML") from None
    except (ValueError, OverflowError) as error:
        where = re.search(r" \(at (?:line (\d+)|end)[^()]*\)$", str(error))
        line = where[1] if where and where[1] else str(text.count("\n") + 1) if where else "?"
        reason = str(error)[: where.start()] if where else str(error)
        raise _error(place, f"line {line}", f"what is not TOML ({reason[:90]})", "TOML") from None


def _rows(text: str, place: str) -> dict[Keys, dict[str, str]]:
    """Return the rows of a CSV file by path."""
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in first and "," not in first else ",", strict=True)
    rows: dict[Keys, dict[str, str]] = {}
    try:
        header = [cell.strip().lower() for cell in next(reader, [])]
        if not {"path", "value"} <= set(header) or not set(header) <= set(COLUMNS) or len(set(header)) < len(header):
            raise _error(place, "line 1", f"the columns {_shown(', '.join(header))}", ", ".join(COLUMNS) + " (path and value at least)")
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) > len(header) and any(cells[len(header) :]):
                raise _error(place, f"line {reader.line_num}", f"{len(cells)} cells", f"{len(header)}, as in the header")
            row = dict.fromkeys(COLUMNS, "") | dict(zip(header, cells))
            row |= {column: row[column].strip() for column in COLUMNS if column != "note"}
            keys = tuple(row["path"].split("."))
            if not row["path"]:
                raise _error(place, f"line {reader.line_num}", "no path", "a path in every row")
            if not row["value"]:
                raise _error(place, keys, "no value", "a value in every row")
            if keys in rows:
                raise _error(place, keys, f"a second row, line {reader.line_num}", "one row for a path")
            rows[keys] = row
    except csv.Error as error:
        raise _error(place, f"line {reader.line_num}", f"what is not CSV ({error})", "CSV") from None
    return rows


def _entry(raw: object, place: str, keys: Keys) -> _Entry:
    try:
        return _Entry.model_validate(raw)
    except ValidationError as invalid:
        error: Any = invalid.errors(include_url=False)[0]
    if error["type"] == "together":
        key = error["ctx"]["keys"][0]
        raise _error(place, (*keys, key), error["ctx"]["found"] or _shown(error["input"].get(key)), error["ctx"]["allowed"])
    found = tuple(str(part + 1) if isinstance(part, int) else part for part in error["loc"])
    raise _plain(error, _Entry, place, keys, found)


def _plain(error: Any, model: Any, place: str, prefix: Keys, keys: Keys) -> ComponentsError:
    """Say in our words what pydantic found at one place."""
    if error["type"] == "extra_forbidden":
        return _unknown(place, (*prefix, *keys), list(_kind(model, keys[:-1])[0].model_fields))
    found = "nothing" if error["type"] == "missing" or error["input"] is None else _shown(error["input"])
    return _error(place, (*prefix, *keys), found, _allowed(model, keys))
