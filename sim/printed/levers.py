"""Levers: single numbers that may change to balance a game, each with the values that it may take.

    sim/<game>/levers.toml ─► one Lever for each path, for a number of players

A path of the file may hold {seat}, which stands for each seat in use, and {thing}, which stands for each thing of the
kind under `things`. A game without the file proposes its assumed numbers, each through its range.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim import registry
from sim.printed.component_files import parse_toml, scalar
from sim.printed.model import ComponentsError, TomlTable, error, find, paths, refusal, shown

if TYPE_CHECKING:
    from sim.contract import Game
    from sim.printed.components import Components

FILE = "levers.toml"
MOST_VALUES = 200
RANGE = "low..high or low..high:step, as 0..6 or 0..20:5, or values with commas between"


@dataclass(frozen=True)
class Lever:
    """One number, or one reading of the rules, that may be changed.

    Attributes:
        path: of the components. values: that it may take, rising where they are numbers. words: what it is, for people;
            "" if it has none.
    """

    path: str
    values: tuple[Any, ...]
    words: str = ""

    def size(self, before: Any, after: Any) -> float:
        """Return how large a change is: the share of the range that it moves through, 1 from end to end; of words, each
        change is 1.

        Args:
            before: the value as it is; the range runs over it and `values`. after: another value, or the same.
        """
        if before == after:
            return 0.0
        ends = {before, after, *self.values}
        return abs(after - before) / (max(ends) - min(ends)) if numeric(ends) else 1.0


def numeric(values: Iterable[Any]) -> bool:
    """Return whether values are numbers, so that there is something between them."""
    return all(isinstance(value, int) and not isinstance(value, bool) for value in values)


class _Entry(TomlTable):
    """What stands in a [[lever]] entry."""

    path: str
    low: int
    high: int
    words: str = ""
    things: str = ""


def read(game: "Game", players: int) -> tuple[Lever, ...]:
    """Return the levers that a game proposes for a number of players.

    Raises:
        ComponentsError: its file is wrong; one line says where.
    """
    text = registry.text(game.name, FILE)
    return _assumed(game.name) if text is None else parse(text, registry.place(game.name, FILE), game, players)


def _assumed(game: str) -> tuple[Lever, ...]:
    """Return a lever for each assumed number of a game, with at most MOST_VALUES values of its range."""
    from sim.printed.components import read as read_components

    components, found = read_components(game), []
    words = components.meanings
    for path, number in components.numbers.items():
        if number.source == "assumed" and number.low is not None and number.high is not None:
            step = 1 + (number.high - number.low) // MOST_VALUES
            found.append(Lever(path, tuple(range(number.low, number.high + 1, step)), words.get(path, "")))
    return tuple(found)


def parse(text: str, place: str, game: "Game", players: int) -> tuple[Lever, ...]:
    """Return the levers of a text; see `read`."""
    from pydantic import ValidationError

    found: list[Lever] = []
    for number, raw in enumerate(parse_toml(text, place).get("lever", []), 1):
        keys = ("lever", str(number))
        try:
            entry = _Entry.model_validate(raw)
        except ValidationError as invalid:
            fault = invalid.errors(include_url=False)[0]
            raise refusal(fault, _Entry, place, paths(fault)[0], keys) from None
        if entry.low > entry.high:
            raise error(place, (*keys, "low"), shown(entry.low), f"a whole number up to high = {entry.high}")
        found += [_lever(entry, names) for names in _names(entry, game, players, place, keys)]
    return tuple(found)


def _lever(entry: _Entry, names: Mapping[str, tuple[str, str]]) -> Lever:
    path = entry.path.format(**{key: name for key, (name, _) in names.items()})
    words = entry.words.format(**{key: title for key, (_, title) in names.items()})
    return Lever(path, tuple(range(entry.low, entry.high + 1)), words)


def _names(
    entry: _Entry, game: "Game", players: int, place: str, keys: tuple[str, ...]
) -> list[dict[str, tuple[str, str]]]:
    """Return what stands in the braces of an entry, name and title: one entry for each lever that it makes."""
    if "{seat}" in entry.path:
        return [{"seat": (str(seat), str(seat))} for seat in range(1, players + 1)]
    if "{thing}" in entry.path:
        if entry.things not in game.things:
            raise error(
                place, (*keys, "things"), shown(entry.things), ", ".join(game.things) or "no kind of thing in this game"
            )
        labels = game.categories[game.things[entry.things].categories[0]]
        return [{"thing": (label, game.titles.get(label, label))} for label in labels]
    return [{}]


def values_of(text: str) -> tuple[Any, ...]:
    """Return the values that a text gives: `0..6`, `0..20:5`, `after_kings,before_kings`.

    Raises:
        ValueError: it gives none, too many, or one twice.
    """
    span = re.fullmatch(r"\s*([+-]?\d{1,9})\s*\.\.\s*([+-]?\d{1,9})\s*(?::\s*(\d{1,9})\s*)?", text, re.ASCII)
    if span:
        low, high, step = int(span[1]), int(span[2]), int(span[3] or 1)
        values: tuple[Any, ...] = tuple(range(low, high + 1, step)[: MOST_VALUES + 1]) if step else ()
    else:
        values = tuple(scalar(part.strip()) for part in text.split(",") if ".." not in part and part.strip())
        if len(values) != text.count(",") + 1:
            raise ValueError(RANGE)
        if all(type(value) is int for value in values):
            values = tuple(sorted(values))
    if not values or len(values) > MOST_VALUES or len(set(values)) < len(values):
        raise ValueError(f"{RANGE}; at most {MOST_VALUES}, each once")
    return values


def value_at(components: "Components", path: str) -> Any:
    """Return what stands at a path.

    Raises:
        ComponentsError: no single value does.
    """
    keys = tuple(path.split("."))
    value = find(components.model.model_dump(), keys)
    if value is None or isinstance(value, dict | list):
        # Whoever reads changes knows best what is wrong with this one.
        from sim.printed.components import read as read_components

        try:
            read_components(components.game, changes=[f"{path}=0"])
        except ComponentsError as fault:
            raise ComponentsError(str(fault).removeprefix("--set: ")) from None
        raise error(path, "path", "no single value", "the path of one")
    return value


def orders(game: "Game") -> list[tuple[str, ...]]:
    """Return the paths of each order of things: numbers that no two of them share."""
    return [
        tuple(held.number.format(thing=label) for label in game.categories[held.categories[0]])
        for held in game.things.values()
        if held.number
    ]


class Board:
    """The present values at some paths, and everything that changes with them: no two can have the same place in an
    order."""

    def __init__(self, components: "Components", game: "Game", paths: Iterable[str]):
        """Read the values; raises ComponentsError where no single value stands."""
        self.groups = {path: group for group in orders(game) for path in group}
        self.printed = {path: value_at(components, path) for path in dict.fromkeys((*self.groups, *paths))}

    def changes(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the changes that put values at paths, one after the other.

        Of a place in an order: who has it gets the one that becomes free. A value that stands there already moves
        nothing.

        Args:
            values: path → what is to stand there; paths that were read.

        Returns:
            Path → value, of all that differs then.
        """
        now: dict[str, Any] = {}
        for path, value in values.items():
            if value == self.printed[path]:
                continue
            for other in self.groups.get(path, ()):
                if now.get(other, self.printed[other]) == value:
                    now[other] = now.get(path, self.printed[path])
            now[path] = value
        return {path: value for path, value in now.items() if value != self.printed[path]}
