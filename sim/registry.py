"""Name → game, loaded on demand: a game is a folder of `sim` with a file `turns.py`."""

import gc
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import TYPE_CHECKING

from sim.legible import say

if TYPE_CHECKING:
    from sim.contract import Game

HERE = Path(__file__).parent


def package(name: str) -> str:
    """Return the name under which to import a game's package: a wheel has it elsewhere than a checkout."""
    return f"{__package__}.{name}"


def names() -> list[str]:
    """Return the names of all games, sorted."""
    return sorted(path.parent.name for path in HERE.glob("*/turns.py"))


def card(name: str) -> tuple[str, tuple[int, ...], str]:
    """Return title, numbers of players and a sentence about a game, without loading its rules."""
    game = import_module(package(name))
    return game.TITLE, game.PLAYERS, (game.__doc__ or "").strip()


def contests(name: str) -> tuple[int, ...]:
    """Return the numbers of players in which players compete with one another, so without the solo game."""
    return tuple(number for number in card(name)[1] if number > 1)


def usual_players(name: str) -> int:
    """Return a game's usual number of players."""
    game = import_module(package(name))
    return int(getattr(game, "DEFAULT_PLAYERS", max(game.PLAYERS)))


def describer(name: str) -> ModuleType:
    """Return the module that puts a game into plain data: its own, or that of all games if it has none."""
    return _words(name, "describe")


def teller(name: str) -> ModuleType:
    """Return the module that tells a game in words: its own, or that of all games if it has none."""
    return _words(name, "telling")


def board(name: str) -> ModuleType:
    """Return the module that lays out a game's table in words: its own, or that of all games if it has none."""
    return _words(name, "board")


def _words(name: str, stem: str) -> ModuleType:
    own = (HERE / name / "words" / f"{stem}.py").exists()
    return import_module(f"{package(name) if own else __package__}.words.{stem}")


@cache
def load(name: str) -> "Game":
    """Return a game; if we compile its rules for the first time, standard error says so.

    Raises:
        KeyError: there is no such game.
    """
    if name not in names():
        raise KeyError(name)
    from sim.compiled import is_cached

    cold = not is_cached(HERE / name)
    if cold:
        say(f"Compiling {card(name)[0]} (once; under a minute) …")
    start = perf_counter()
    game: Game = import_module(f"{package(name)}.turns").GAME
    if cold:
        say(f"Compiled in {perf_counter() - start:.0f} s.")
    if not gc.isenabled():  # as the command line has it until here
        # Freeze everything loaded so far: garbage collection starts here and skips it, which saves a tenth of a warm
        # start.
        gc.freeze()
        gc.enable()
    return game
