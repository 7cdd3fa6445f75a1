"""Strategy → code: its module, the files that it is made of, and machine code."""

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from sim import registry
from sim.compiled import compiled, in_python, is_cached
from sim.contract import Game
from sim.given_code import code, silent
from sim.legible import say
from sim.runner import StrategyError
from strategies._named import NETWORK, generic, home

HERE = Path(__file__).parent
GENERIC = HERE / "generic"
# What is shared over all games: by those who look ahead, by policies, and by those that play by a network.
LOOKING = HERE / "_looking.py"
BEST, BY_NETWORK = HERE / "_best.py", (HERE / "_network.py", Path(registry.__file__).with_name("rows.py"))


def package(game: str) -> str:
    """Return the name of the package with a game's strategies, to be imported."""
    return f"{registry.package(game)}.strategies" if registry.is_guest(game) else f"{__package__}.{game}"


def module(game: str, stem: str = "") -> ModuleType:
    """Return the package with a game's strategies, or a module of it: a generic one, where the game has none."""
    if stem and stem in generic(game):
        return import_module(f".{GENERIC.name}.{stem}", __package__)
    wanted = f"{package(game)}.{stem}" if stem else package(game)
    return registry.imported(game, wanted, f"strategies/{stem or '__init__'}.py")


def files(game: str, stem: str) -> list[Path]:
    """Return the files that make a policy that comes with a game, its own first; none for one in the game's file."""
    if stem in generic(game):
        return [GENERIC / f"{stem}.py", LOOKING]
    own = home(game) / f"{stem}.py"
    return [own, *sorted(home(game).glob("_*.py")), *_shared(stem)] if own.is_file() else []


def _shared(stem: str) -> tuple[Path, ...]:
    return BEST, *(BY_NETWORK if stem == NETWORK else ())


def sources(game: str, stem: str, folder: Path) -> tuple[Path, ...]:
    """Return what the machine code of a policy that comes with a game depends on; folder: of the game."""
    if stem in generic(game):
        return (*files(game, stem), folder)
    return (home(game), *_shared(stem), folder) if files(game, stem) else (folder,)


@cache
def read(where: str, source: str) -> ModuleType:
    """Return what a user's file makes, read once in a process; where, source: of an entrant."""
    module = ModuleType(Path(where).stem)
    module.__file__ = where
    with silent():
        exec(code(source, where), module.__dict__)
    return module


def policy(game: Game, where: str, source: str = "") -> Any:
    """Return a policy, compiled once for a game whatever its weights and the components are.

    Args:
        where, source: of an entrant; source: "" for one that comes with the game.

    Raises:
        StrategyError: it does not compile.
    """
    return _policy(where, source, game.name, game.title, game.folder, game.signatures.policy)


@cache
def _policy(where: str, source: str, name: str, title: str, folder: Path, signature: Any) -> Any:
    paths = () if source else sources(name, where, folder)
    if paths and not is_cached(*paths):
        what = f"{where} for" if where in generic(name) else "the strategies of"
        say(f"Compiling {what} {title} (once; under a minute) …")
    made = read(where, source) if source else module(name, where)
    try:
        choose = made.choose_of(registry.load(name)) if hasattr(made, "choose_of") else in_python(made.choose)
        made = compiled(signature, *paths, long_loops=where == NETWORK)(choose)
    except Exception as error:
        if source or not registry.is_guest(name):
            raise _uncompiled(where, error) from None
        raise registry.fault(name, error, f"strategies/{where}.py") from None
    compiled_signatures = getattr(made, "nopython_signatures", ())
    if compiled_signatures and compiled_signatures[0].return_type != signature.return_type:
        raise StrategyError(f"strategy {where}: choose never returns the number of an option")
    return made


def _uncompiled(where: str, error: Exception) -> StrategyError:
    """Return what to raise where a strategy does not compile."""
    why = f"there is no field {error}" if isinstance(error, KeyError) else one_line(error)
    return StrategyError(f"strategy {where}: choose does not compile: {why}")


def think(game: Game, thinker: str) -> Any:
    """Return a thinker, compiled once for a game."""
    return _think(thinker, game.title, game.folder, game.signatures.thinker)


@cache
def _think(thinker: str, title: str, folder: Path, signature: Any) -> Any:
    paths = (HERE / f"{thinker}.py", LOOKING, folder)
    if not is_cached(*paths):
        say(f"Compiling {thinker} for {title} (once) …")
    return compiled(signature, *paths)(import_module(f".{thinker}", __package__).think)


def one_line(error: BaseException) -> str:
    """Return the telling part of an error, in one line without colours: of numba's, the line of the file, and no
    listing of the file."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    at = re.findall(r'File "(?![^"\n]*numba)[^"\n]*\.py", line (\d+)', text)
    where = f"line {at[0]}: " if at else ""
    if "setitem(readonly array(" in text:
        return f"{where}writes to an array that outlives the call; a strategy changes arrays of its own"
    if "No conversion from none to int64 for '$" in text and "return_value" in text:
        return "it may end without returning anything; choose returns the number of an option, whatever the position"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During:", "- ", "^"))]
    told = re.split(r'\s(?:There are \d+ candidate|File "|<source elided>)', " ".join(telling))[0]
    return f"{where}{told}"[:300]
