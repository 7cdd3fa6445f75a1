"""The module that a game in one file makes → what it holds, checked: anything wrong is one line that names file, name,
what was found and what is allowed."""

import ast
import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any, NoReturn

import numpy as np

from sim.contract import ADDRESSES, OPTION_FIELD, STATE_FIELDS, Things
from sim.faults import GameError
from sim.game_checks import MOST_PLAYERS, MOST_TITLE
from sim.onefile.author import HowMany, Numbers, by_seat, is_range, one
from sim.onefile.rules import ARGUMENTS, UNTOLD
from sim.printed.model import printable, shown

STRATEGY = ("components", "state", "options", "n", "weights")
OPTIONAL = ("imagine",)
# Names that a file may do without, and what stands there then; those that are worked out are set in `File`.
USUAL: Mapping[str, Any] = {
    "NUMBERS": (), "CATEGORIES": {}, "DECISIONS": ("turn",), "THINGS": {}, "LEVERS": None, "HEADINGS": {}, "TITLES": {},
    "PLACES": {}, "PHASES": {}, "HIDDEN": (), "CHANCE": {}, "ROUNDS": "",
}  # fmt: skip


@dataclass(frozen=True)
class File:
    """A game in one file, read and checked; see docs/game.md for the names.

    Attributes:
        place: what the file is called in messages.
        rules, strategies: functions by name, as they were written; strategies in the order of the file.
        fields: name → shape of the fields of STATE. options: name → labels of the fields of OPTION, none for a plain
            number.
    """

    place: str
    title: str
    about: str
    version: str
    players: tuple[int, ...]
    usual_players: int
    model: type[Numbers]
    fields: Mapping[str, tuple[int, ...]]
    by_seat: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]
    most_options: int
    rules: Mapping[str, Callable]
    strategies: Mapping[str, Callable]
    given: Mapping[str, Any]

    @property
    def seats(self) -> int:
        """The most players."""
        return max(self.players)


def read(module: ModuleType, text: str, place: str, title: str) -> File:
    """Return what a game's file holds.

    Args:
        module: what running the file has made. text: of the file. place: what it is called in messages. title: of the
            game, where the file says none.

    Raises:
        GameError: something in it is missing or wrong.
    """
    return _Reader(module, place).file(title, _version(text))


def _version(text: str) -> str:
    """Return a version that changes with the rules: a digest of the file without comments, docstrings and
    strategies."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [part for part in body if not _says_nothing(part)]  # type: ignore[attr-defined]
    return hashlib.sha256(repr(_plain(tree)).encode()).hexdigest()[:8]


def _plain(node: Any) -> Any:
    """Return a syntax tree as tuples that are the same in all versions of Python, which `ast.dump` is not."""
    if isinstance(node, list):
        return tuple(map(_plain, node))
    if not isinstance(node, ast.AST):
        return node
    fields = tuple((name, _plain(value)) for name, value in ast.iter_fields(node) if value not in (None, []))
    return type(node).__name__, fields


def _says_nothing(node: ast.AST) -> bool:
    """Return whether a statement is a docstring or a strategy."""
    if isinstance(node, ast.FunctionDef):
        names = [part.id for mark in node.decorator_list for part in ast.walk(mark) if isinstance(part, ast.Name)]
        return "strategy" in names
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


class _Reader:
    """Takes the names of a file one by one."""

    def __init__(self, module: ModuleType, place: str):
        self.module, self.place = module, place

    def file(self, title: str, version: str) -> File:
        """Return all of it."""
        about = " ".join((self.module.__doc__ or "").strip().split("\n\n")[0].split())
        players = self.players()
        fields = self.fields(max(players))
        options = self.options()
        return File(
            self.place, self.text("TITLE", _title(about) or title), about, self.text("VERSION", version),
            players, self.usual(players), self.model(), fields, self.seated(), options, self.most(options),
            self.rules(), self.strategies(), self.given(),
        )  # fmt: skip

    def refuse(self, name: str, found: str, allowed: str) -> NoReturn:
        raise GameError(printable(f"{self.place}: {name}: found {found}; allowed {allowed}"))

    def need(self, name: str, allowed: str) -> Any:
        """Return what stands under a name."""
        if not hasattr(self.module, name):
            self.refuse(name, "nothing", allowed)
        return getattr(self.module, name)

    def text(self, name: str, otherwise: str) -> str:
        value = getattr(self.module, name, otherwise)
        if not isinstance(value, str) or not value.strip() or len(value) > MOST_TITLE or not value.isprintable():
            self.refuse(name, shown(value), f"a text of at most {MOST_TITLE} characters")
        return value

    def players(self) -> tuple[int, ...]:
        allowed = f"the numbers of players, as (2, 3, 4), each from 1 to {MOST_PLAYERS} and once"
        value = self.need("PLAYERS", allowed)
        if not isinstance(value, tuple | list) or not value:
            self.refuse("PLAYERS", shown(value), allowed)
        if any(type(n) is not int or not 1 <= n <= MOST_PLAYERS for n in value) or len(set(value)) < len(value):
            self.refuse("PLAYERS", repr(value)[:60], allowed)
        return tuple(sorted(value))

    def usual(self, players: Sequence[int]) -> int:
        value = getattr(self.module, "DEFAULT_PLAYERS", max(players))
        if value not in players:
            self.refuse("DEFAULT_PLAYERS", shown(value), f"one of PLAYERS: {', '.join(map(str, players))}")
        return int(value)

    def model(self) -> type[Numbers]:
        allowed = "a class with the game's numbers: class Components(Numbers)"
        value = self.need("Components", allowed)
        if not isinstance(value, type) or not issubclass(value, Numbers):
            self.refuse("Components", shown(value), allowed)
        return value

    def table(self, name: str, allowed: str) -> dict[str, Any]:
        """Return a table of names that can be fields of a record."""
        value = self.need(name, allowed)
        if not isinstance(value, dict) or not value:
            self.refuse(name, shown(value), allowed)
        for field in value:
            if not isinstance(field, str) or not field.isidentifier() or field.startswith("_"):
                self.refuse(name, f"the name {shown(field)}", "a name of letters, digits and _")
            if hasattr(np.record, field):  # with the JIT off it could not be read
                self.refuse(name, f"the name '{field}', which NumPy's records have themselves", f"another, as {field}_")
            if field in (*STATE_FIELDS, UNTOLD, OPTION_FIELD):
                self.refuse(name, f"the name '{field}', which every game has already", "another name")
        return value

    def fields(self, seats: int) -> dict[str, tuple[int, ...]]:
        allowed = "a table of name → shape: one, by_seat, a number of values, or several as (by_seat, 5)"
        found = {}
        for name, shape in self.table("STATE", allowed).items():
            parts = shape if isinstance(shape, tuple) else () if shape is one else (shape,)
            sizes = tuple(seats if part is by_seat else part for part in parts)
            if not all(type(size) is int and 1 <= size <= 10_000 for size in sizes):
                self.refuse(f"STATE: {name}", _shape(shape), allowed.partition(": ")[2])
            found[name] = sizes
        return found

    def seated(self) -> tuple[str, ...]:
        """Return the fields of STATE that hold something of each player, in order."""
        shapes = {name: shape if isinstance(shape, tuple) else (shape,) for name, shape in self.module.STATE.items()}
        return tuple(name for name, shape in shapes.items() if shape[:1] == (by_seat,))

    def options(self) -> dict[str, tuple[str, ...]]:
        allowed = 'a table of name → labels of its values, as ("hold", "roll"), or `one` for a plain number'
        found = {}
        for name, labels in self.table("OPTION", allowed).items():
            texts = () if labels is one else labels
            if not isinstance(texts, tuple | list) or not all(isinstance(label, str) and label for label in texts):
                self.refuse(f"OPTION: {name}", _shape(labels), allowed.partition(" → ")[2])
            if labels is not one and not texts:
                self.refuse(f"OPTION: {name}", "no labels", allowed.partition(" → ")[2])
            found[name] = tuple(texts)
        return found

    def most(self, options: Mapping[str, tuple[str, ...]]) -> int:
        numbers = [name for name, labels in options.items() if not labels]
        allowed = "the largest number of options that a decision can have"
        if numbers and not hasattr(self.module, "MOST_OPTIONS"):
            self.refuse("MOST_OPTIONS", "nothing", f"{allowed}, as {numbers[0]} has no labels")
        value = getattr(self.module, "MOST_OPTIONS", int(np.prod([len(labels) for labels in options.values()])))
        if type(value) is not int or not 1 <= value <= 100_000:
            self.refuse("MOST_OPTIONS", shown(value), allowed)
        return value

    def rules(self) -> dict[str, Callable]:
        found = {}
        for name, arguments in ARGUMENTS.items():
            if name in OPTIONAL and not hasattr(self.module, name):
                continue
            found[name] = self.function(name, self.need(name, f"a function {_call(name, arguments)}"), arguments)
        return found

    def function(self, name: str, value: Any, arguments: tuple[str, ...]) -> Callable:
        """Return a function that takes what it is handed."""
        if not isinstance(value, FunctionType):
            self.refuse(name, shown(value), f"a function {_call(name, arguments)}")
        theirs = tuple(inspect.signature(value).parameters)
        if len(theirs) != len(arguments):
            line = value.__code__.co_firstlineno
            self.refuse(f"line {line}", _call(name, theirs), _call(name, arguments))
        return value

    def strategies(self) -> dict[str, Callable]:
        return {
            name: self.function(name, value, STRATEGY)
            for name, value in vars(self.module).items()
            if hasattr(value, "weights")
            and isinstance(value, FunctionType)
            and value.__module__ == self.module.__name__
        }

    def given(self) -> dict[str, Any]:
        """Return the names that the file may do without."""
        found = {name: getattr(self.module, name, usual) for name, usual in USUAL.items()}
        for name in ("NUMBERS", "DECISIONS", "HIDDEN"):
            if not isinstance(found[name], tuple) or not all(isinstance(part, str) for part in found[name]):
                self.refuse(name, shown(found[name]), "names" + " (from `counted`)" * (name == "NUMBERS"))
        unknown = [name for name in found["HIDDEN"] if name not in self.module.STATE]
        if unknown:
            self.refuse("HIDDEN", shown(unknown[0]), "names of STATE")
        if found["ROUNDS"] != "" and self.module.STATE.get(found["ROUNDS"]) is not one:
            self.refuse("ROUNDS", shown(found["ROUNDS"]), "the name of a field of STATE that is `one`")
        if not found["DECISIONS"]:
            self.refuse("DECISIONS", "no names", "the kinds of decisions, at least one")
        for name in ("CATEGORIES", "THINGS", "HEADINGS", "TITLES", "PLACES", "PHASES", "CHANCE"):
            if not isinstance(found[name], dict) or not all(isinstance(part, str) for part in found[name]):
                self.refuse(name, shown(found[name]), "a table by name")
        if not all(isinstance(things, Things) for things in found["THINGS"].values()):
            self.refuse("THINGS", "something else than Things", "name → Things(…)")
        self.chance(found["CHANCE"])
        levers = found["LEVERS"]
        if levers is not None and not (
            isinstance(levers, dict) and all(isinstance(path, str) and is_range(levers[path]) for path in levers)
        ):
            self.refuse("LEVERS", shown(levers), 'the numbers that may change, as {"goal": (80, 120)}')
        return found

    def chance(self, sources: Mapping[str, Any]) -> None:
        """Check the addresses of chance: [low, high) of each source, and none in two."""
        allowed = 'words → first address and the one after the last, as {"the die": (0, 4 << 32)}'
        until = 0
        for words, ends in sources.items():
            if not is_range(ends) or not 0 <= ends[0] < ends[1] <= ADDRESSES:
                self.refuse("CHANCE", f"{words}: {shown(ends)}", allowed)
        for words, (low, high) in sorted(sources.items(), key=lambda source: source[1]):
            if low < until:
                self.refuse("CHANCE", f"{words}: {low}, which another source has too", "each address in one source")
            until = high


def _title(about: str) -> str:
    """Return the name with which a docstring begins, as in "Pig: race to 100"; "" if it begins otherwise."""
    name = about.partition(":")[0].strip()
    return name if ":" in about and len(name) <= MOST_TITLE else ""


def _shape(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_shape, value))})"
    return value.name if isinstance(value, HowMany) else shown(value)


def _call(name: str, arguments: Sequence[str]) -> str:
    return f"{name}({', '.join(arguments)})"
