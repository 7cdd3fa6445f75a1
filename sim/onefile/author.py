"""What the author of a game in one file imports, by `from chapterhouse import …` (docs/game.md)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

from pydantic import Field

from sim.chance import bits, draw, mix, noise_key, shuffle
from sim.contract import WHOLE, Things, counted
from sim.printed.model import TomlTable, refuse
from sim.printed.record import derived

__all__ = [
    "WHOLE", "Numbers", "Things", "assumed", "bits", "by_seat", "counted", "derived", "draw", "mix", "noise_key", "one",
    "published", "refuse", "shuffle", "strategy", "switch",
]  # fmt: skip


@dataclass(frozen=True)
class HowMany:
    """How many values a field of STATE or OPTION holds, where that is no number."""

    name: str


one = HowMany("one")
by_seat = HowMany("by_seat")


@dataclass(frozen=True)
class Printed:
    """A number as the author of a game gives it: its value, its words, what is allowed, and where it is from."""

    value: Any
    words: str
    allowed: tuple[int, int] | None
    source: str
    note: str = ""
    low: int | None = None
    high: int | None = None

    def __post_init__(self) -> None:
        for text in (self.words, self.note):
            if not isinstance(text, str):
                raise TypeError(f"found {text!r}; allowed a text as words, source or note")
        for ends in (self.allowed, (self.low, self.high)):
            if ends not in (None, (None, None)) and not is_range(ends):
                raise TypeError(f"found {ends!r}; allowed two whole numbers as ends, the lower one first")

    def annotation(self, hint: Any) -> Any:
        """Return the type of the field with what is allowed there.

        Raises:
            TypeError: the type does not fit the value.
        """
        if self.allowed is None:
            return hint
        low, high = self.allowed
        number = Annotated[int, Field(ge=low, le=high)]
        if hint is int and type(self.value) is int:
            return number
        if get_origin(hint) is list and get_args(hint) == (int,) and isinstance(self.value, list):
            n = len(self.value)
            return Annotated[list[number], Field(min_length=n, max_length=n)]
        raise TypeError(
            f"found {self.value!r}; allowed a whole number with `: int`, or a list of them with `: list[int]`"
        )


def is_range(ends: Any) -> bool:
    """Return whether this is a pair of whole numbers, the lower one first."""
    return isinstance(ends, tuple) and [*map(type, ends)] == [int, int] and ends[0] <= ends[1]


def published(value: Any, words: str, *, allowed: tuple[int, int], source: str = "") -> Any:
    """Return a number that is printed somewhere, or a list of numbers; for a class of `Numbers`.

    Args:
        value: int, or list of int. words: what it is, as a player would say it. allowed: the lowest and the highest
            value that the rules could be played with. source: where it was published; "" for the game's rulebook.
    """
    return Printed(value, words, allowed, "published" if source else "rulebook", source)


def assumed(
    value: Any, words: str, *, low: int, high: int, allowed: tuple[int, int] | None = None, note: str = ""
) -> Any:
    """Return a number that nobody has settled yet, or a list of such numbers, with its plausible range.

    Args:
        value, words: as of `published`. low, high: the range, ends included; a lever of `balance` unless the file has
            LEVERS of its own. allowed: as of `published`; the range if left out. note: why this value.
    """
    return Printed(value, words, allowed or (low, high), "assumed", note, low, high)


def switch(value: bool | str, words: str) -> Any:
    """Return one reading of a rule: `: bool`, or `: Literal["one", "other"]`; for the class of the field `rules`.

    Args:
        value: what is played unless somebody changes it. words: the question that it answers.
    """
    return Printed(value, words, None, "")


class Numbers(TomlTable):
    """The base of a game's components: each field is a number (`published`, `assumed`), a switch or another class of
    `Numbers`."""

    __printed__: ClassVar[dict[str, Printed]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__printed__ = {name: value for name, value in vars(cls).items() if isinstance(value, Printed)}
        hints = get_type_hints(cls)
        for name, printed in cls.__printed__.items():
            if name not in hints:
                raise TypeError(f"{name}: found no type; allowed as in `{name}: int = …`")
            try:
                cls.__annotations__[name] = printed.annotation(hints[name])
            except TypeError as error:
                raise TypeError(f"{name}: {error}") from None
            delattr(cls, name)  # what a model shows must not depend on whether a file left a number out
        for name in vars(cls).get("__annotations__", {}).keys() - cls.__printed__.keys():
            if name in vars(cls) or hints[name] in (int, list[int], bool, float, str):  # no table, which has numbers
                found = repr(vars(cls)[name]) if name in vars(cls) else "nothing"
                allowed = "published(…), assumed(…) or switch(…), which say what it is and where it is from"
                raise TypeError(f"{name}: found {found}; allowed {allowed}")


def strategy(function: Callable | None = None, /, **weights: float) -> Any:
    """Mark a function of a game's file as a strategy: `@strategy`, or `@strategy(hold=20)` with weights by name.

    It is choose(components, state, options, n, weights) → index of an option, 0 to n − 1 (`sim.contract`).
    """

    def mark(function: Any) -> Any:
        function.weights = {name: float(weight) for name, weight in weights.items()}
        return function

    return mark if function is None else mark(function)
