"""Name → game, loaded on demand: a game is a folder of `sim` with a file `turns.py`.

Nobody else makes a path or a module's name from the name of a game.
"""

import gc
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import TYPE_CHECKING

from sim.legible import say

if TYPE_CHECKING:
    from sim.contract import Game
    from sim.printed.model import TomlTable

HERE = Path(__file__).parent


def package(name: str) -> str:
    """Return the name under which to import a game's package: a wheel has it elsewhere than a checkout."""
    return f"{__package__}.{name}"


def module(name: str, stem: str = "") -> ModuleType:
    """Return a game's package, or a module of it."""
    return import_module(f"{package(name)}.{stem}" if stem else package(name))


def model(name: str) -> "type[TomlTable]":
    """Return the pydantic model of a game's components."""
    found: type[TomlTable] = module(name, "components").Model
    return found


def home(name: str) -> Path:
    """Return the folder of a game."""
    return HERE / name


def strategies_home(name: str) -> Path:
    """Return the folder with the strategies of a game."""
    return HERE.parent / "strategies" / name


def text(name: str, file: str) -> str | None:
    """Return the text of one of a game's files; None if the game does without it."""
    path = home(name) / file
    return path.read_text("utf-8") if path.is_file() else None


def place(name: str, file: str) -> str:
    """Return what one of a game's files is called in messages."""
    return f"sim/{name}/{file}"


def files(name: str) -> list[Path]:
    """Return all files that make a game and its strategies, sorted."""
    return sorted(source for folder in (home(name), strategies_home(name)) for source in sources(folder))


def sources(folder: Path) -> Iterable[Path]:
    """Yield the files below a folder that make numbers, or words for people."""
    return (path for path in folder.rglob("*") if path.suffix in (".py", ".toml"))


def digest(name: str) -> str:
    """Return a digest of the names and texts of all files that make a game and its strategies."""
    made = hashlib.sha256()
    for folder in (home(name), strategies_home(name)):
        for path in sorted(sources(folder)):
            made.update(path.relative_to(folder).as_posix().encode() + b"\0")
            made.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return made.hexdigest()[:16]


def names() -> list[str]:
    """Return the names of all games, sorted."""
    return sorted(path.parent.name for path in HERE.glob("*/turns.py"))


def known(name: str) -> bool:
    """Return whether there is a game of this name."""
    return name in names()


def card(name: str) -> tuple[str, tuple[int, ...], str]:
    """Return title, numbers of players and a sentence about a game, without loading its rules."""
    game = module(name)
    return game.TITLE, game.PLAYERS, (game.__doc__ or "").strip()


def contests(name: str) -> tuple[int, ...]:
    """Return the numbers of players in which players compete with one another, so without the solo game."""
    return tuple(number for number in card(name)[1] if number > 1)


def usual_players(name: str) -> int:
    """Return a game's usual number of players."""
    game = module(name)
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
    own = (home(name) / "words" / f"{stem}.py").exists()
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
    game: Game = module(name, "turns").GAME
    if cold:
        say(f"Compiled in {perf_counter() - start:.0f} s.")
    if not gc.isenabled():  # as the command line has it until here
        # Freeze everything loaded so far: garbage collection starts here and skips it, which saves a tenth of a warm
        # start.
        gc.freeze()
        gc.enable()
    return game
