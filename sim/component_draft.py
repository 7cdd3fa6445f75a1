"""A draft of components: values, and for each its place and its origin, until all that changes them has been read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sim.component_files import GIVEN, Origin, origin, parse_csv, parse_toml, read_text, row_origin, scalar
from sim.component_model import ComponentsError, Keys, Table, children, error, find, leaves, limits, paths, refusal, shown, unknown


def _blank(model: type[Table], keys: Keys) -> Any:
    """Return what stands at a path before it is filled: no value, which the model refuses, in tables and lists that are there."""
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


@dataclass
class Draft:
    """Values that are being replaced. All methods but `numbers` and `place` raise a ComponentsError for what can't be used.

    Attributes:
        model: what the values must fit in the end.
        home: what the game's own file is called in messages.
        tree: the values, as tables and lists.
        places: for each path that was written since the game's own file, where; what was written last stands at the end.
        origins: where the numbers come from, by path.
    """

    model: type[Table]
    home: str
    tree: dict[str, Any] = field(default_factory=dict)
    places: dict[Keys, str] = field(default_factory=dict)
    origins: dict[Keys, Origin] = field(default_factory=dict)

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
        read = {".toml": self.read_toml, ".csv": self.read_csv}.get(file.suffix.lower())
        if read is None:
            raise error(file, "file", f"the suffix {shown(file.suffix)}", ".toml or .csv")
        read(read_text(file), str(file))

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

    def read_csv(self, text: str, place: str) -> None:
        """Read the text of a CSV file over the values: lengths of lists first, so that there is room for their entries."""
        rows = parse_csv(text, place)
        lengths = {keys: row for keys, row in rows.items() if row["source"] == "length"}
        for keys, row in lengths.items():
            self._resize(keys, scalar(row["value"]), place)
        for keys, row in rows.items():
            if keys in lengths:
                continue
            self._assign(keys, scalar(row["value"]), place)
            if keys[0] != "rules":
                self.origins[keys] = row_origin(row, place, keys)
            elif row["source"] not in ("", "ruling"):
                raise error(place, keys, f"source {shown(row['source'])}", "ruling")
        self.check()

    def change(self, changes: Sequence[str]) -> None:
        """Make single replacements `path=value`."""
        place, seen = "--set", set()
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

    # --- what is checked ---

    def check(self) -> None:
        """Check each value; what does not go together may still be put right by what is read later."""
        try:
            self.model.model_validate(self.tree)
        except ValidationError as invalid:
            faults = [fault for fault in invalid.errors(include_url=False) if fault["type"] != "together"]
            if faults:
                raise self._first(faults) from None

    def complete(self) -> Table:
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
        """Lay a table over a node of the tree: tables key by key, lists as a whole or, by a table of numbers, entry by entry."""
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
            raise error(place, keys, f"one value for a {'table' if isinstance(node, dict) else 'list'}", f"one of its entries: {options}")
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
                raise error(place, (*at, "paths"), f"{shown(pattern)}, which matches no number", "paths of numbers, with * for any key")
            if any(map(source.lacks_range, matched.values())):
                missing = "low" if source.low is None else "high"
                raise error(place, (*at, missing), "nothing", "a whole number: an assumed number needs low and high")
            self.origins.update(dict.fromkeys(matched, source))
