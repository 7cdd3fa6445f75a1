"""A draft of components: values, each with its place and its origin, until we have read everything that changes
them."""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sim.printed.component_files import (
    BINARY,
    GIVEN,
    TABLES,
    Entry,
    Origin,
    origin,
    parse_table,
    parse_toml,
    read_bytes,
    read_text,
    row_origin,
    scalar,
    typed,
)
from sim.printed.model import (
    ComponentsError,
    Keys,
    TomlTable,
    children,
    error,
    find,
    leaves,
    limits,
    lists,
    paths,
    refusal,
    shown,
    unknown,
)
from sim.printed.sheets import few


def _blank(model: type[TomlTable], keys: Keys) -> Any:
    """Return what stands at a path before it is filled: no value, which the model refuses, in tables and lists that are
    there."""
    at = limits(model, keys)
    if at.get("type") == "array":
        return []
    return dict.fromkeys(at["properties"]) if "properties" in at else None


def _matching(node: object, parts: Sequence[str], keys: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Go through the single values below a node whose path matches the parts of a pattern, each with its path."""
    below = children(node)
    if not parts:
        if not isinstance(node, dict | list):
            yield keys, node
    elif any(mark in parts[0] for mark in "*?["):
        for key in (key for key in below if fnmatchcase(key, parts[0])):
            yield from _matching(below[key], parts[1:], (*keys, key))
    elif parts[0] in below:
        yield from _matching(below[parts[0]], parts[1:], (*keys, parts[0]))


class _Entered:
    """Tells which values of a table somebody has entered.

    Those that are marked, and those that are not what the game ships and shipped: in doubt a value was entered. If the
    file is from another release it may only be what that one shipped, so a remark says so.
    """

    def __init__(self, draft: "Draft"):
        self.draft = draft
        self.unmarked: list[str] = []  # paths whose source says otherwise, in a file that does not say what was shipped
        self.earlier: list[str] = []  # paths of what another release shipped

    def judge(self, keys: Keys, row: Entry, length: bool) -> bool:
        """Return whether somebody has entered the value of a row, and take down what may be doubted."""
        path, now = ".".join(keys), find(self.draft.shipped, keys)
        if row.shipped is None:
            self.unmarked += [path] * (row.source not in ("", "given", "length", "ruling"))
            return True
        allowed = {"type": "integer"} if length else limits(self.draft.model, keys)
        value, then = typed(row.value, allowed), typed(row.shipped, allowed)
        if row.mine or row.source == "given":
            return True
        earlier = row.mine is None and then != (len(now) if isinstance(now, list) else now)
        self.earlier += [path] * (
            earlier and (value == then or type(value) is not type(then))
        )  # a date, nothing: no value that was shipped
        return value != then or earlier

    def remarks(self) -> list[str]:
        """Return a line for each doubt."""
        n = len(self.unmarked)
        without = (
            f"it has no column shipped, so all its numbers count as yours, though the source of {n} says otherwise"
        )
        other = (
            f"what the game ships is not what its column shipped says for {few(self.earlier)}; the file's values "
            "count as yours"
        )
        return [without] * bool(n) + [other] * bool(self.earlier)


@dataclass
class Draft:
    """Values under replacement. All methods but `numbers` and `place` raise a ComponentsError for wrong input.

    Attributes:
        model: what the values must fit in the end.
        home: what the game's own file is called in messages.
        tree: the values, as tables and lists.
        places: for each path that was written since the game's own file, where; what was written last stands at the
            end.
        origins: where the numbers come from, by path.
        settled: paths of rules, and of lists for their length, that somebody has given.
        shipped, own: the values of the game's own file, and where they are from; not to be changed.
        remarks: on what was read, a line each.
    """

    model: type[TomlTable]
    home: str
    tree: dict[str, Any] = field(default_factory=dict)
    places: dict[Keys, str] = field(default_factory=dict)
    origins: dict[Keys, Origin] = field(default_factory=dict)
    settled: set[Keys] = field(default_factory=set)
    shipped: dict[str, Any] = field(default_factory=dict)
    own: dict[Keys, Origin] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def begun(self) -> "Draft":
        """Return a draft that has what this one has, and ships it."""
        tree, origins = copy.deepcopy(self.tree), dict(self.origins)
        return Draft(self.model, self.home, tree, dict(self.places), origins, shipped=self.tree, own=self.origins)

    def numbers(self) -> dict[Keys, Any]:
        """Return the values by path, those of the rules left out."""
        return dict(leaves(self._tables()))

    def _tables(self) -> dict[str, Any]:
        return {key: value for key, value in self.tree.items() if key != "rules"}

    def place(self, keys: Keys) -> str:
        """Return where the value at this path was written last."""
        return next((self.places[keys[:n]] for n in range(len(keys), 0, -1) if keys[:n] in self.places), self.home)

    # --- what is read ---

    def read_file(self, file: Path) -> None:
        """Read a file over the values."""
        suffix = file.suffix.lower()
        if suffix in TABLES:
            self.read_table(read_bytes(file), str(file))
        elif suffix == ".toml":
            self.read_toml(read_text(file), str(file))
        else:
            found = "a spreadsheet" if suffix in BINARY else f"the suffix {shown(file.suffix)}"
            raise error(file, "file", found, f"{', '.join(TABLES)} or .toml{' (save it as CSV)' * (suffix in BINARY)}")

    def read_toml(self, text: str, place: str) -> None:
        """Read the text of a TOML file over the values, then its [[source]] entries."""
        data = parse_toml(text, place)
        sources = data.pop("source", [])
        self._merge(self.tree, data, place)
        self.check()
        self.origins.update((keys, GIVEN) for keys, _ in leaves(data))
        if not isinstance(sources, list):
            raise error(place, "source", shown(sources), "entries [[source]]")
        numbers = self._tables()
        for number, raw in enumerate(sources, 1):
            keys = ("source", str(number))
            self._attribute(origin(raw, place, keys), numbers, place, keys)
        self._keep(data)

    def _keep(self, data: dict[str, Any]) -> None:
        """Take down what a TOML file gives, its [[source]] entries read.

        A copy of the game's own file has all its rules and [[source]] entries. They say nothing of a value that was
        changed in it.
        """
        written = dict(leaves(data))
        for keys, value in written.items():
            if value != find(self.shipped, keys) and self.origins[keys] in self.own.values():
                self.origins[keys] = GIVEN
        if not written.keys() >= dict(leaves(self.tree)).keys():
            self.settled |= {keys for keys in written if keys[0] == "rules"}
        self.settled |= {
            keys for keys, entries in lists(data) if any(self._given(found) for found, _ in leaves(entries, keys))
        }

    def _given(self, keys: Keys) -> bool:
        return keys in self.origins and self.origins[keys].source == GIVEN.source

    def read_table(self, data: bytes, place: str) -> None:
        """Read a table over the values: lengths of lists first, so that there is room for their entries."""
        entries, remarks = parse_table(
            data, place, lambda path: not isinstance(find(self.tree, self._keys(path)), dict | None)
        )
        rows = {self._keys(entry.path): entry for entry in entries}
        lists_ = {
            keys for keys, row in rows.items() if row.shipped is not None and isinstance(find(self.tree, keys), list)
        }
        lengths = lists_ | {keys for keys, row in rows.items() if row.source == "length"}
        for keys in sorted(lengths, key=len):  # outer lists before inner ones
            self._resize(keys, typed(rows[keys].value, {"type": "integer"}), place)
        entered = _Entered(self)
        for keys, row in rows.items():
            given = entered.judge(keys, row, keys in lengths)
            value = typed(row.value, limits(self.model, keys))
            if keys not in lengths:
                self._assign(keys, value, place)
            if keys in lengths or keys[0] == "rules":
                self.settled |= {keys} if given else set()
            elif given:
                self.origins[keys] = Origin(paths=[], source="given", note=row.note or "")
            else:
                self.origins[keys] = row_origin(row, value, self.origins.get(keys, GIVEN), place, keys)
        self.remarks += (f"{place}: {remark}" for remark in (*remarks, *entered.remarks()))
        self.check()

    def _keys(self, path: str) -> Keys:
        """Return the keys of a path; a capital letter that a spreadsheet has made of its first is none."""
        keys, small = tuple(path.split(".")), tuple(path.casefold().split("."))
        return small if find(self.tree, keys) is None and find(self.tree, small) is not None else keys

    def change(self, changes: Sequence[str], place: str = "--set") -> None:
        """Make single replacements `path=value`; place: what they are called in messages."""
        seen = set()
        for change in changes:
            path, equals, text = change.partition("=")
            keys = tuple(path.strip().split("."))
            if not equals or not path.strip() or not text.strip():
                raise error(place, keys, shown(change), "path=value, as in --set kings.afonso_v.vp=2")
            if keys in seen:  # what is about to be replaced must have been right too
                self.check()
            seen.add(keys)
            self._assign(keys, scalar(text.strip()), place)
            self.origins[keys] = GIVEN
            self.settled |= {keys} if keys[0] == "rules" else set()

    # --- what is checked ---

    def check(self) -> None:
        """Check each value; what does not go together may still be put right by what is read later."""
        try:
            self.model.model_validate(self.tree)
        except ValidationError as invalid:
            faults = [fault for fault in invalid.errors(include_url=False) if fault["type"] != "together"]
            if faults:
                raise self._first(faults) from None

    def complete(self) -> TomlTable:
        """Check that all values go together; return the model."""
        try:
            return self.model.model_validate(self.tree)
        except ValidationError as invalid:
            raise self._first(invalid.errors(include_url=False)) from None

    def _first(self, faults: Sequence[Any]) -> ComponentsError:
        """Return what to say: of the first fault outside the game's own file, if there is one."""
        order = {path: n for n, path in enumerate(self.places)}

        def written(keys: Keys) -> int:
            return max(order.get(keys[:n], -1) for n in range(len(keys) + 1))

        keys = [max(paths(fault), key=written) for fault in faults]
        n = next((n for n, path in enumerate(keys) if self.place(path) != self.home), 0)
        return refusal(faults[n], self.model, self.place(keys[n]), keys[n])

    # --- how it is written down ---

    def _put(self, parent: Any, keys: Keys, value: object, place: str) -> None:
        if isinstance(parent, list):
            parent[int(keys[-1]) - 1] = value
        else:
            parent[keys[-1]] = value
        if isinstance(value, dict | list):
            self.places = {path: where for path, where in self.places.items() if path[: len(keys)] != keys}
        self.places.pop(keys, None)
        self.places[keys] = place  # at the end: the order tells which was written last

    def _merge(self, node: Any, data: dict[str, Any], place: str, keys: Keys = ()) -> None:
        """Lay a table over a node of the tree: tables key by key, lists as a whole or, by a table of numbers, entry by
        entry."""
        below = children(node)
        for key, value in data.items():
            path, child = (*keys, key), below.get(key)
            if isinstance(node, list) and key not in below:
                raise unknown(place, path, node)
            if isinstance(value, dict) and isinstance(child, dict | list):
                self._merge(child, value, place, path)
            else:
                self._put(node, path, value, place)

    def _assign(self, keys: Keys, value: object, place: str) -> None:
        """Replace one value by its path."""
        parent: Any
        node: Any = self.tree
        for n, key in enumerate(keys, 1):
            parent, below = node, children(node)
            if key not in below:
                raise unknown(place, keys[:n], node)
            node = below[key]
        if isinstance(node, dict | list):
            options = ", ".join(node) if isinstance(node, dict) else f"1 to {len(node)}"
            raise error(
                place,
                keys,
                f"one value for a {'table' if isinstance(node, dict) else 'list'}",
                f"one of its entries: {options}",
            )
        self._put(parent, keys, value, place)

    def _resize(self, keys: Keys, length: object, place: str) -> None:
        """Give a list another length; new entries must be filled before the next check."""
        entries = find(self.tree, keys)
        if not isinstance(entries, list) or not isinstance(length, int) or not 0 <= length <= 99:
            raise error(place, keys, f"the length {shown(length)}", "a list and its length")
        if length != len(entries):
            entries[length:] = [_blank(self.model, (*keys, "1")) for _ in range(length - len(entries))]
            self.places[keys] = place

    def _attribute(self, source: Origin, numbers: dict[str, Any], place: str, at: Keys) -> None:
        """Note an origin for all values that its patterns match, of those in some tables."""
        for pattern in source.paths:
            matched = dict(_matching(numbers, pattern.split(".")))
            if not matched:
                raise error(
                    place,
                    (*at, "paths"),
                    f"{shown(pattern)}, which matches no number",
                    "paths of numbers, with * for any key",
                )
            if any(map(source.lacks_range, matched.values())):
                missing = "low" if source.low is None else "high"
                raise error(place, (*at, missing), "nothing", "a whole number: an assumed number needs low and high")
            self.origins.update(dict.fromkeys(matched, source))
