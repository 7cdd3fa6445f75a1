"""Plausible printings: a game's assumed numbers drawn anew, in groups that make sense together.

    sim/<game>/printings.toml ─► Scheme ─► its inputs for some components ─► printing number i of a seed

Only assumed numbers are drawn: what the rulebook says, what was published and what the user gave stays. Every input has
its own chance in every printing, so that printing i is the same however many are asked for, and whichever other inputs
there are. Draws:

    permutation  the present values in any order; each of the numbers is an input
    range        a whole number between the ends of its range; several numbers lie at the same place of theirs
    shift        all numbers plus one of the amounts `by`, as far as each one's range goes
    scale        all numbers times one of the percents `by`, rounded, as far as each one's range goes
    choice       one of the rows of `by`, number for number, or word for word
    length       lists cut or, by their last entry, lengthened to one of the lengths `by`; a number is set to the length
    readings     every switch under [rules] that is a reading of the rulebook; each is an input

A game without the file has one input for each of its lists or tables of assumed numbers, drawn over their range.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, Literal

import numpy as np
from pydantic import Field, ValidationError, model_validator

from sim import registry
from sim.chance import bits, block_key, noise_key
from sim.printed.component_files import GIVEN, parse_toml
from sim.printed.components import Components, changed
from sim.printed.components import read as read_components
from sim.printed.model import ComponentsError, TomlTable, error, find, limits, lists, paths, refusal, refuse, shown
from sim.printed.rulings import read as read_rulings
from sim.printed.rulings import word

__all__ = ["ComponentsError", "Draw", "Input", "Plausible", "Printing", "Scheme", "fallback", "parse", "read"]

FILE = "printings.toml"
ROOM = 1_000  # addresses of chance of one entry
MOST_INPUTS = 20  # of a game that declares none
Kind = Literal["permutation", "range", "shift", "scale", "choice", "length", "readings"]
BARE = ("permutation", "range", "readings")  # kinds of draw that need no amounts


class Draw(TomlTable):
    """An entry of the file: what is drawn, and how."""

    name: str
    draw: Kind
    paths: list[str] = Field(default=[])
    by: list[int | list[int] | list[str]] = Field(default=[])

    @model_validator(mode="after")
    def _complete(self) -> "Draw":
        rows = self.draw == "choice"
        if self.draw in BARE and self.by:
            refuse(["by"], f"nothing: a {self.draw} needs no amounts")
        if self.draw not in BARE and (len(self.by) < 2 or any(isinstance(amount, list) != rows for amount in self.by)):
            refuse(
                ["by"], f"at least two {'rows of numbers' if rows else 'whole numbers'}", "" if self.by else "nothing"
            )
        if (self.draw == "readings") == bool(self.paths):
            allowed = "nothing: the switches are known" if self.paths else "at least one path, with * for any key"
            refuse(["paths"], allowed, "" if self.paths else "nothing")
        if not self.name.strip():
            refuse(["name"], "words for people", "no name")
        return self


class Plausible(TomlTable):
    """What a designer would print: what some games of a strategy in every seat must come to.

    Attributes:
        strategy, games: who plays, and how many. score: from, to, mean points of a player; none: any.
        used: heading of the game's numbers; each of them has at least `least` percent of their sum.
    """

    strategy: str
    games: int = Field(ge=1, le=100_000)
    score: list[int] = Field(default=[], max_length=2)
    used: str = ""
    least: int = Field(ge=0, le=100, default=0)

    @model_validator(mode="after")
    def _complete(self) -> "Plausible":
        if len(self.score) == 1 or not (self.score or self.used):
            refuse(["score"], "two numbers, from and to; or else `used`, a heading", "" if self.score else "nothing")
        return self


class _File(TomlTable):
    plausible: list[Plausible] = Field(default=[])
    input: list[Draw] = Field(min_length=1)


@dataclass(frozen=True)
class Input:
    """One thing that is drawn.

    Attributes:
        name: for people. key: a path, pattern or switch. at: address of its chance. draw: see the module.
        paths: of the numbers, or lists, that move. values: what it can be, from low to high; none for a place in
            several ranges.
        of: for a permutation, all inputs that exchange their values.
    """

    name: str
    key: str
    at: int
    draw: Kind
    paths: tuple[str, ...]
    values: tuple[Any, ...] = ()
    of: tuple[int, ...] = ()


@dataclass(frozen=True)
class Printing:
    """One printing.

    Attributes:
        number: from 0. changes: path → value. codes: for each input where it lies, from 0 to 1. words: the same as one
            would write it.
    """

    number: int
    changes: Mapping[str, Any]
    codes: tuple[float, ...]
    words: tuple[str, ...]

    def of(self, components: Components) -> Components:
        """Return the components so printed.

        Raises:
            ComponentsError: the numbers do not go together.
        """
        return changed(components, self.changes)


@dataclass(frozen=True)
class Scheme:
    """How the printings of a game are drawn."""

    game: str
    draws: tuple[Draw, ...]
    plausible: tuple[Plausible, ...] = ()

    def inputs(self, components: Components) -> tuple[Input, ...]:
        """Return what can be drawn with these components: where nothing is assumed, nothing is."""
        found: list[Input] = []
        for number, draw in enumerate(self.draws):
            found += _resolved(draw, number * ROOM, components)
        return tuple(found)

    def draw(self, components: Components, inputs: tuple[Input, ...], seed: int, number: int) -> Printing:
        """Return printing `number` of a seed.

        Args:
            components: what is printed. inputs: of these components. seed: from 0 to 2⁶⁴ − 1. number: from 0.
        """
        key = _key(seed, number)
        tree: Any = components.model.model_dump()
        changes: dict[str, Any] = {}
        drawn: list[tuple[float, str]] = []
        for it in inputs:
            made, code, text = _moved(it, components, key, tree)
            for path, value in made.items():
                _put(tree, path, value)
                changes.pop(path, None)
                changes[path] = value
            drawn.append((code, text))
        return Printing(number, changes, tuple(code for code, _ in drawn), tuple(text for _, text in drawn))


# --- the file ---------------------------------------------------------------------------------------------------------


@cache
def read(game: str) -> Scheme | None:
    """Return how the printings of a game are drawn; None if all its numbers are known.

    Raises:
        ComponentsError: there is no such game, or its file can't be used; one line.
    """
    components = read_components(game)
    text = registry.text(game, FILE)
    return fallback(components) if text is None else parse(text, registry.place(game, FILE), components)


def parse(text: str, place: str, components: Components) -> Scheme:
    """Read the text of a file of printings.

    Args:
        text: TOML. place: what the file is called in messages. components: of the game, as they come.

    Raises:
        ComponentsError: one line with place, key, what was found and what is allowed.
    """
    try:
        made = _File.model_validate(parse_toml(text, place))
    except ValidationError as invalid:
        fault = invalid.errors(include_url=False)[0]
        raise refusal(fault, _File, place, paths(fault)[0]) from None
    scheme = Scheme(components.game, tuple(made.input), tuple(made.plausible))
    for number, draw in enumerate(made.input, 1):
        for pattern in draw.paths:
            if not any(_fits(path, pattern) for path in (*components.numbers, *_lists(components))):
                raise error(
                    place,
                    ("input", str(number), "paths"),
                    shown(pattern),
                    "paths of numbers, or lists, with * for any key",
                )
        _check_rows(draw, components, place, number)
        if not list(_resolved(draw, 0, components)):
            raise error(
                place, ("input", str(number), "paths"), "no assumed number with a range", "paths of assumed numbers"
            )
    return scheme


def _check_rows(draw: Draw, components: Components, place: str, number: int) -> None:
    """Refuse rows that do not fit the numbers that they are for."""
    for row in draw.by if draw.draw == "choice" else ():
        assert isinstance(row, list)
        moving = _matched(draw, components)
        wrong = [path for path, value in zip(moving, row) if not _allowed(components, path, value)]
        if len(row) != len(moving) or wrong:
            allowed = f"{len(moving)} numbers, each in the range of its own"
            raise error(place, ("input", str(number), "by"), f"{row}" + (f" ({wrong[0]})" if wrong else ""), allowed)


def _allowed(components: Components, path: str, value: Any) -> bool:
    """Return whether a number lies in its range, or a word is one of those that may stand there."""
    if isinstance(components.numbers[path].value, str) or isinstance(value, str):
        return value in limits(type(components.model), tuple(path.split("."))).get("enum", ())
    low, high = _range(components, path)
    return bool(low <= value <= high)


def fallback(components: Components) -> Scheme | None:
    """Return a scheme for a game that declares none: each list or table of assumed numbers over its range; None if
    nothing is assumed."""
    moving = [path for path, number in components.numbers.items() if _movable(components, path)]
    groups: dict[str, list[str]] = {}
    for path in moving:
        groups.setdefault(re.sub(r"\.\d+(?=\.|$)", ".*", path), []).append(path)
    if len(groups) > MOST_INPUTS:
        groups = {}
        for path in moving:
            groups.setdefault(path.split(".")[0], []).append(path)
    draws = [Draw(name=re.sub(r"[._*]+", " ", key).strip(), draw="range", paths=found) for key, found in groups.items()]
    return Scheme(components.game, tuple(draws)) if draws else None


# --- inputs -----------------------------------------------------------------------------------------------------------


def _fits(path: str, pattern: str) -> bool:
    keys, parts = path.split("."), pattern.split(".")
    return len(keys) == len(parts) and all(map(fnmatchcase, keys, parts))


def _lists(components: Components) -> dict[str, list[Any]]:
    return {".".join(keys): entries for keys, entries in lists(components.model.model_dump())}


def _movable(components: Components, path: str) -> bool:
    number = components.numbers.get(path)
    return number is not None and number.source == "assumed" and None not in (number.low, number.high)


def _matched(draw: Draw, components: Components) -> tuple[str, ...]:
    """Return the paths of the assumed numbers that a draw moves (with `choice` also words), in the order of the
    components."""
    words = {
        p for p, number in components.numbers.items() if number.source == "assumed" and isinstance(number.value, str)
    }
    able = (p for p in components.numbers if _movable(components, p) or (draw.draw == "choice" and p in words))
    return tuple(p for p in able if any(_fits(p, pattern) for pattern in draw.paths))


def _resolved(draw: Draw, at: int, components: Components) -> Iterator[Input] | list[Input]:
    """Return the inputs that a draw is, with these components."""
    if draw.draw == "readings":
        return _readings(draw, at, components)
    if draw.draw == "length":
        return _lengths(draw, at, components)
    moving, key = _matched(draw, components), draw.paths[0]
    if draw.draw == "permutation":
        values = tuple(sorted(components.numbers[path].value for path in moving))
        places = [path for path in components.numbers if any(_fits(path, pattern) for pattern in draw.paths)]
        every = tuple(at + places.index(path) for path in moving)  # the same whichever of them are given
        names = [_of(draw.name, path, components.game) for path in moving]
        inputs = [
            Input(name, path, own, draw.draw, (path,), values, every) for name, path, own in zip(names, moving, every)
        ]
        return inputs if len(set(values)) > 1 else []
    if not moving:
        return []
    if draw.draw == "range":
        low, high = _range(components, moving[0])
        values = tuple(range(low, high + 1)) if len(moving) == 1 else ()
        return [Input(draw.name, key, at, draw.draw, moving, values)]
    if draw.draw == "choice" and any(isinstance(row, list) and len(row) != len(moving) for row in draw.by):
        return []  # some of the numbers are given now, and rows are for all of them
    return [Input(draw.name, key, at, draw.draw, moving, tuple(draw.by))]


def _of(name: str, path: str, game: str) -> str:
    """Return the name of one of several inputs: {thing} stands for the key before the last, as people call it."""
    key = path.split(".")[-2] if "." in path else path
    return (
        name.replace("{thing}", registry.load(game).titles.get(key, key.replace("_", " ")))
        if "{thing}" in name
        else name
    )


def _readings(draw: Draw, at: int, components: Components) -> Iterator[Input]:
    """Return an input for each switch that is as it comes: what the user has switched is given."""
    usual = read_components(components.game).rules
    for number, ruling in enumerate(read_rulings(components.game)):
        path = f"rules.{ruling.switch}"
        if (
            ruling.switch
            and not ruling.setup
            and path not in components.settled
            and components.rules[ruling.switch] == usual[ruling.switch]
        ):
            words = (ruling.default, *ruling.alternatives)
            values = tuple(
                usual[ruling.switch] if value == word(usual[ruling.switch]) else _value(value) for value in words
            )
            yield Input(draw.name.replace("{topic}", ruling.topic), path, at + number, draw.draw, (path,), values)


def _value(text: str) -> object:
    return {"true": True, "false": False}.get(text, text)


def _lengths(draw: Draw, at: int, components: Components) -> list[Input]:
    """Return the input of a length, or none if one of its lists or numbers is given."""
    known = _lists(components)
    moving = tuple(p for p in (*known, *components.numbers) if any(_fits(p, pattern) for pattern in draw.paths))
    if components.settled.intersection(moving):
        return []
    for path in moving:
        below = (
            {n.source for p, n in components.numbers.items() if p.startswith(f"{path}.")} if path in known else set()
        )
        if (
            GIVEN.source in below
            or (path in known and "assumed" not in below)
            or (path not in known and not _movable(components, path))
        ):
            return []
    return [Input(draw.name, draw.paths[0], at, draw.draw, moving, tuple(draw.by))] if moving else []


# --- one draw ---------------------------------------------------------------------------------------------------------


def _key(seed: int, number: int) -> np.uint64:
    """Return the key of a printing: not that of game `number`, nor that of its strategies."""
    with np.errstate(over="ignore"):
        return np.uint64(noise_key(np.uint64(noise_key(np.uint64(block_key(np.uint64(seed), number))))))


def _share(key: np.uint64, address: int) -> float:
    """Return the value of an event, uniform from 0 to below 1."""
    with np.errstate(over="ignore"):
        return float((int(bits(key, address)) >> 11) / 2**53)


def _moved(it: Input, components: Components, key: np.uint64, tree: Any) -> tuple[dict[str, Any], float, str]:
    """Return the changes that an input makes, where it lies from 0 to 1, and what it is then in words."""
    if it.draw == "permutation":
        order = sorted(it.of, key=lambda at: (_share(key, at), at))
        value = it.values[order.index(it.at)]
        return {it.paths[0]: value}, it.values.index(value) / (len(it.values) - 1), str(value)
    share = _share(key, it.at)
    if it.draw == "range" and not it.values:
        return {path: _within(components, path, share) for path in it.paths}, share, f"{100 * share:.0f} %"
    index = int(share * len(it.values))
    value, code = it.values[index], index / max(len(it.values) - 1, 1)
    if it.draw == "choice":
        return dict(zip(it.paths, value)), code, f"row {index + 1}"
    if it.draw == "length":
        return {path: _long(find(tree, tuple(path.split("."))), value) for path in it.paths}, code, str(value)
    if it.draw in ("range", "readings"):
        return {it.paths[0]: value}, code, word(value)
    text = f"{value:+d}" if it.draw == "shift" else f"{value} %"
    return {path: _scaled(components, path, it.draw, value) for path in it.paths}, code, text


def _range(components: Components, path: str) -> tuple[int, int]:
    number = components.numbers[path]
    if number.low is None or number.high is None:
        raise ValueError(f"{path} has no range")
    return number.low, number.high


def _within(components: Components, path: str, share: float) -> int:
    low, high = _range(components, path)
    return low + int(share * (high - low + 1))


def _scaled(components: Components, path: str, draw: str, amount: int) -> int:
    low, high = _range(components, path)
    present = int(components.numbers[path].value)
    value = present + amount if draw == "shift" else (present * amount + 50) // 100
    return min(max(value, low), high)


def _long(node: Any, length: int) -> Any:
    """Return a list of another length, its last entry repeated as often as needed; for a number the length itself."""
    return [*node[:length], *([node[-1]] * (length - len(node)))] if isinstance(node, list) else length


def _put(tree: Any, path: str, value: Any) -> None:
    *above, last = path.split(".")
    node = find(tree, tuple(above))
    if isinstance(node, list):
        node[int(last) - 1] = value
    else:
        node[last] = value
