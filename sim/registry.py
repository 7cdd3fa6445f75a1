"""Name → game, loaded on demand: a game is a folder of `sim` with a file `turns.py`.

Games from elsewhere (`sim.guests`) have names too, once `find` or `adopt` has taken them in. Nobody else makes a path
or a module's name from the name of a game.
"""

import gc
import os
from collections.abc import Callable, Collection, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import TYPE_CHECKING

from sim import game_checks
from sim.faults import GameError
from sim.given import files_below
from sim.guests import MAIN, ONE, guests
from sim.guests import adopt as take_in
from sim.guests import digest as digest_of
from sim.legible import say

if TYPE_CHECKING:
    from sim.contract import Game
    from sim.printed.model import TomlTable
    from sim.recounting import Recount
    from sim.trusted import FromFile

HERE = Path(__file__).parent


def package(name: str) -> str:
    """Return the name under which to import a game's package: a wheel has it elsewhere than a checkout."""
    return f"{__package__}.{name}"


def module(name: str, stem: str = "") -> ModuleType:
    """Return a game's package, or a module of it."""
    return imported(name, f"{package(name)}.{stem}" if stem else package(name), f"{stem or '__init__'}.py")


def imported(name: str, wanted: str, file: str) -> ModuleType:
    """Return a module of a game or its strategies.

    Args:
        name: of the game. wanted: name of the module. file: with it, as messages say.

    Raises:
        GameError: the game is from elsewhere and has no such file, or it can't be imported.
    """
    try:
        return import_module(wanted)
    except ModuleNotFoundError as error:
        if name not in guests or error.name != wanted:
            raise
        raise GameError(f"{place(name, file)}: found no such file; every game needs it") from None


def model(name: str) -> "type[TomlTable]":
    """Return the pydantic model of a game's components."""
    made = module(name, "components")
    if name in guests:
        game_checks.model(guests[name], made)
    found: type[TomlTable] = made.Model
    return found


def home(name: str) -> Path:
    """Return the folder of a game."""
    return guests[name].folder if name in guests else HERE / name


def strategies_home(name: str) -> Path:
    """Return the folder with the strategies of a game."""
    return guests[name].folder / "strategies" if name in guests else HERE.parent / "strategies" / name


def text(name: str, file: str) -> str | None:
    """Return the text of one of a game's files; None if the game does without it."""
    if name in guests:
        return guests[name].text(file)
    path = home(name) / file
    return path.read_text("utf-8") if path.is_file() else None


def place(name: str, file: str) -> str:
    """Return what one of a game's files is called in messages."""
    return guests[name].place(file) if name in guests else f"sim/{name}/{file}"


def shown(name: str) -> str:
    """Return what people call a game, in a word."""
    return guests[name].shown if name in guests else name


def typed(name: str) -> str:
    """Return what people type for a game."""
    return guests[name].typed if name in guests else name


def origin(name: str) -> str:
    """Return what leads to a game from any folder: its name, or its path."""
    return str(guests[name].given) if name in guests else name


def files(name: str) -> list[Path]:
    """Return all files that make a game and its strategies, sorted."""
    if name in guests:
        return sorted(guests[name].folder / file for file in guests[name].files)
    return sorted(path for folder in (home(name), strategies_home(name)) for _, path in files_below(folder))


def digest(name: str) -> str:
    """Return a digest of the names and texts of all files that make a game and its strategies."""
    if name in guests:
        return digest_of(guests[name].files)
    found = {file: path.read_bytes() for file, path in files_below(home(name))}
    return digest_of(
        found | {f"strategies/{file}": path.read_bytes() for file, path in files_below(strategies_home(name))}
    )


def adopt(path: str | os.PathLike[str], typed: str = "") -> str:
    """Take in a game from elsewhere and return its name; nothing of it is run yet.

    Args:
        path: the folder of a game. typed: what people type for it, if that is not the path.

    Raises:
        GameError: there is no game.
    """
    return take_in(Path(path), typed or os.fspath(path))


def find(text: str) -> str:
    """Return the name of the game that people mean: one of ours, one of `offered`, or what lies at a path.

    A path holds a separator or ends in .py; a name is never looked for in the working directory.

    Raises:
        KeyError: there is no game of that name. GameError: there is none at that path.
    """
    if is_path(text):
        return adopt(text)
    return text if text in names() else adopt(offered()[text], text)


def is_path(text: str) -> bool:
    """Return whether this is the path of a game, and not its name."""
    return "/" in text or os.sep in text or text.endswith(".py")


def offered() -> dict[str, Path]:
    """Return the games in the folders that CHAPTERHOUSE_GAMES lists, by their folders' names; the first of a name
    counts, and ours before all."""
    found: dict[str, Path] = {}
    for folder in filter(None, os.environ.get("CHAPTERHOUSE_GAMES", "").split(os.pathsep)):
        for path in sorted(path for file in (MAIN, ONE) for path in Path(folder).glob(f"*/{file}")):
            found.setdefault(path.parent.name, path.parent)
    return {name: path for name, path in sorted(found.items()) if name not in names()}


def names() -> list[str]:
    """Return the names of our games, sorted."""
    return sorted(path.parent.name for path in HERE.glob(f"*/{MAIN}"))


def in_file(name: str) -> Mapping[str, Callable]:
    """Return the strategies that stand in the file of a game of one file, by name, in its order."""
    if name not in guests or not guests[name].in_one_file:
        return {}
    from sim.onefile.modules import file_of

    return file_of(guests[name]).strategies


def is_guest(name: str) -> bool:
    """Return whether a game is from elsewhere."""
    return name in guests


def fault(name: str, error: BaseException, file: str) -> GameError:
    """Return what to raise for an error in a file of a game from elsewhere."""
    return GameError(guests[name].raised(error, file))


def programs(name: str) -> "list[FromFile]":
    """Return the game if it is from elsewhere, else nothing: what a user must trust (`sim.trusted`)."""
    return [guests[name]] if name in guests else []


def known(name: str) -> bool:
    """Return whether there is a game of this name, or one that we have taken in has it."""
    return name in guests or name in names()


def card(name: str) -> tuple[str, tuple[int, ...], str]:
    """Return title, numbers of players and a sentence about a game, without loading its rules."""
    game = _card(name)
    return game.TITLE, game.PLAYERS, (game.__doc__ or "").strip()


@cache
def _card(name: str) -> ModuleType:
    made = module(name)
    if name in guests:
        game_checks.card(guests[name], made)
    return made


def contests(name: str) -> tuple[int, ...]:
    """Return the numbers of players in which players compete with one another, so without the solo game."""
    return tuple(number for number in card(name)[1] if number > 1)


def usual_players(name: str) -> int:
    """Return a game's usual number of players."""
    game = _card(name)
    return int(getattr(game, "DEFAULT_PLAYERS", max(game.PLAYERS)))


def speaking(name: str, numbers: Collection[int]) -> int:
    """Return which of some numbers of players speaks for a game: the usual one, or else the largest."""
    usual = usual_players(name) if known(name) else 0
    return usual if usual in numbers else max(numbers)


def describer(name: str) -> ModuleType:
    """Return the module that puts a game into plain data: its own, or that of all games if it has none."""
    return _words(name, "describe")


def teller(name: str) -> ModuleType:
    """Return the module that tells a game in words: its own, or that of all games if it has none."""
    return _words(name, "telling")


def board(name: str) -> ModuleType:
    """Return the module that lays out a game's table in words: its own, or that of all games if it has none."""
    return _words(name, "board")


def recount(name: str) -> "Recount | None":
    """Return the function that counts again, from a record, what a game counts (`sim.recounting`); None if there is
    none."""
    found: Recount | None = getattr(module(name, "recount"), "recount", None) if text(name, "recount.py") else None
    return found


def _words(name: str, stem: str) -> ModuleType:
    own = (home(name) / "words" / f"{stem}.py").exists() or (
        stem == "describe" and name in guests and guests[name].in_one_file
    )
    return module(name, f"words.{stem}") if own else import_module(f"{__package__}.words.{stem}")


@cache
def load(name: str) -> "Game":
    """Return a game; if we compile its rules for the first time, standard error says so.

    Raises:
        KeyError: there is no such game.
    """
    if not known(name):
        raise KeyError(name)
    from sim.compiled import is_cached

    cold = not is_cached(home(name))
    if cold:
        say(f"Compiling {card(name)[0]} (once; under a minute) …")
    start = perf_counter()
    card(name)  # before all of it is compiled
    turns = module(name, "turns")
    if name in guests:
        game_checks.game(guests[name], turns)
    game: Game = turns.GAME
    if cold:
        say(f"Compiled in {perf_counter() - start:.0f} s.")
    if not gc.isenabled():  # as the command line has it until here
        # Freeze everything loaded so far: garbage collection starts here and skips it, which saves a tenth of a warm
        # start.
        gc.freeze()
        gc.enable()
    return game
