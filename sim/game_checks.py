"""Whether a game from elsewhere has what a game needs: else one line says what is missing, and what is allowed."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, NoReturn

from sim.faults import GameError
from sim.guests import MAIN, Guest
from sim.legible import one_line

CARD, STATE, COMPONENTS = "__init__.py", "state.py", "components.py"
MOST_PLAYERS = 6  # by so many at most a win can be shared without a remainder
MOST_TITLE = 60  # letters
RECORDS = ("COMPONENTS", "STATE", "OPTION", "OUTCOME")


class _Module:
    """What stands in one of the files of a game."""

    def __init__(self, guest: Guest, file: str, module: ModuleType):
        self.guest, self.file, self.module = guest, file, module

    def refuse(self, name: str, found: str, allowed: str) -> NoReturn:
        raise GameError(f"{self.guest.place(self.file)}: {name}: found {found}; allowed {allowed}")

    def take(self, name: str, allowed: str, *kinds: type) -> Any:
        """Return what a name stands for, which must be of one of some kinds."""
        if not hasattr(self.module, name):
            self.refuse(name, "nothing", allowed)
        value = getattr(self.module, name)
        if not isinstance(value, kinds):
            self.refuse(name, one_line(repr(value)[:100]), allowed)
        return value


def card(guest: Guest, package: ModuleType) -> None:
    """Check the title and the numbers of players of a game.

    Raises:
        GameError: something is missing or wrong.
    """
    at = _Module(guest, CARD, package)
    allowed = f"a name of at most {MOST_TITLE} letters, on one line"
    title = at.take("TITLE", allowed, str)
    if not 0 < len(title.strip()) <= MOST_TITLE or not title.isprintable():
        at.refuse("TITLE", one_line(repr(title[:100])), allowed)
    allowed = f"the numbers of players, from 1 to {MOST_PLAYERS}, as (2, 3, 4)"
    players = at.take("PLAYERS", allowed, tuple)
    if not players or any(type(n) is not int or not 1 <= n <= MOST_PLAYERS for n in players):
        at.refuse("PLAYERS", one_line(repr(players)[:100]), allowed)
    if list(players) != sorted(set(players)):
        at.refuse("PLAYERS", repr(players), "them in rising order, each once")
    usual = getattr(package, "DEFAULT_PLAYERS", players[-1])
    if type(usual) is not int or usual not in players:
        at.refuse(
            "DEFAULT_PLAYERS", one_line(repr(usual)[:100]), f"one of {', '.join(map(str, players))}, as in PLAYERS"
        )


def model(guest: Guest, components: ModuleType) -> None:
    """Check that there is a model of the game's components; see `card`."""
    from sim.printed.model import TomlTable

    at = _Module(guest, COMPONENTS, components)
    allowed = "a pydantic model, a class of sim.printed.components.TomlTable"
    found = at.take("Model", allowed, type)
    if not issubclass(found, TomlTable):
        at.refuse("Model", found.__name__, allowed)


def game(guest: Guest, turns: ModuleType) -> None:
    """Check the game itself, once its rules are compiled; see `card`."""
    from sim.contract import OPTION_FIELD, STATE_FIELDS, Game

    at, allowed = _Module(guest, MAIN, turns), "the game, as Game.of(…) makes it"
    found = at.take("GAME", allowed, Game)
    if found.name != guest.name:
        at.refuse("GAME", f"that of {found.folder}", "its own: `from . import state`, not `from sim.… import state`")
    state = _Module(guest, STATE, ModuleType(STATE))
    if type(found.seats) is not int or found.seats < max(found.players):
        state.refuse("SEATS", one_line(repr(found.seats)), f"at least {max(found.players)}, the most PLAYERS")
    if type(found.most_options) is not int or found.most_options < 1:
        state.refuse("MOST_OPTIONS", one_line(repr(found.most_options)), "the most options of a decision")
    for name, dtype in zip(RECORDS, found.dtypes, strict=True):
        if getattr(dtype, "names", None) is None:
            state.refuse(name, one_line(repr(dtype)[:100]), "a NumPy dtype with fields")
    _, fields, option, _ = found.dtypes
    if (fields.names or ())[: len(STATE_FIELDS)] != STATE_FIELDS:
        state.refuse("STATE", "a record without the fields of every game", "what sim.contract.state_dtype makes")
    if OPTION_FIELD not in (option.names or ()):
        state.refuse("OPTION", f"no field {OPTION_FIELD!r}", "one: 0 where nothing is taken")
    if not _names(found.numbers):
        state.refuse("NUMBERS", one_line(repr(found.numbers)[:100]), "names")
    if not isinstance(found.categories, Mapping) or not all(map(_names, found.categories.values())):
        state.refuse("CATEGORIES", one_line(repr(found.categories)[:100]), "name → labels")
    if not found.asks or not _names(found.asks):
        at.refuse("asks", one_line(repr(found.asks)[:100]), "the names of the kinds of decisions, at least one")


def _names(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(name, str) for name in value)
