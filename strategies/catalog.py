"""Name or file → strategy: finds, reads and compiles."""

import ast
import inspect
import re
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from sim.compiled import compiled, in_python, is_cached
from sim.contract import Game, Strategy
from sim.runner import StrategyError

HERE = Path(__file__).parent


def names(game: str) -> list[str]:
    """Return the names of the strategies that come with a game, sorted."""
    return sorted(path.stem for path in (HERE / game).glob("[!_]*.py"))


def default(game: str) -> str:
    """Return the name of the strategy that sits in every seat unless another is asked for."""
    return str(import_module(f"strategies.{game}").DEFAULT)


def describe(game: str, name: str) -> str:
    """Return the first sentence of a strategy's docstring, without loading it."""
    text = ast.get_docstring(ast.parse((HERE / game / f"{name}.py").read_text(encoding="utf-8"))) or ""
    return text.split("\n\n")[0].replace("\n", " ")


def chair(game: str, text: str, players: int) -> "Seated":
    """Return the strategy that a user names: `greedy`, `hold_at,hold=25`, `path/to/mine.py`, or a thinker with one of these.

    `rollout:greedy`, `search:greedy@1000` (games that it may play on for a decision), `search:greedy@20ms`.

    Raises:
        StrategyError: there is none of that name, the file can't be read, or it has no such weight.
    """
    name, *settings = text.split(",")
    thinker, name, budget = _thinker(name)
    source, where = "", name
    if name.endswith(".py"):
        try:
            source = Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise StrategyError(f"--strategy: {name}: {getattr(error, 'strerror', None) or 'not a text file'}") from None
    elif name not in names(game):
        raise StrategyError(f"--strategy: {name}: not a strategy of {game}; there are {', '.join(names(game))}, or a file that ends in .py")
    weights = []
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", value):
            raise StrategyError(f"--strategy: {text}: found '{setting}'; a weight is given as name=number")
        weights.append((key, float(value)))
    seated = Seated(text, game, where, source, tuple(weights), thinker, budget)
    seated.check(players)
    return seated


def thinkers() -> list[str]:
    """Return the names of the thinkers."""
    return sorted(path.stem for path in HERE.glob("[!_]*.py") if path.stem != "catalog")


def _thinker(text: str) -> tuple[str, str, int]:
    """Return thinker, policy and budget that `thinker:policy@budget` names; no thinker and 0 for a plain policy."""
    thinker, colon, name = text.rpartition(":")
    if not colon or thinker not in thinkers():
        if colon and not text.endswith(".py"):
            raise StrategyError(f"--strategy: {text}: found '{thinker}'; a thinker is {' or '.join(thinkers())}")
        if "@" in text and not text.endswith(".py"):
            raise StrategyError(f"--strategy: {text}: only a thinker has a budget, as in search:{text}")
        return "", text, 0
    name, at, budget = name.rpartition("@") if "@" in name else (name, "", "")
    if not at:
        return thinker, name, int(import_module(f"strategies.{thinker}").BUDGET)
    found = re.fullmatch(r"([1-9]\d{0,5})(ms)?", budget)
    if not found:
        raise StrategyError(f"--strategy: {text}: found budget '{budget}'; allowed are 1 to 999999 games, or milliseconds as in 20ms")
    return thinker, name, int(found[1]) if not found[2] else -1_000 * int(found[1])


@dataclass(frozen=True)
class Seated:
    """A strategy as a study names it: by name, or by the text of a user's file; with the weights that differ from its own."""

    name: str
    game: str
    where: str
    source: str
    changes: tuple[tuple[str, float], ...] = ()
    thinker: str = ""
    budget: int = 0
    at_random: int = 0

    def _module(self) -> Any:
        if not self.source:
            return import_module(f"strategies.{self.game}.{self.where}")
        module = ModuleType(Path(self.where).stem)
        module.__file__ = self.where
        try:
            exec(compile(self.source, self.where, "exec"), module.__dict__)
        except SyntaxError as error:
            raise StrategyError(f"strategy {self.name}: line {error.lineno}: {error.msg}") from None
        except Exception as error:
            raise StrategyError(f"strategy {self.name}: {type(error).__name__}: {_one_line(error)}") from None
        return module

    def check(self, players: int) -> None:
        """Raise StrategyError unless the file has what a strategy needs, for this number of players."""
        module = self._module()
        function = getattr(module, "choose", None)
        if not callable(function):
            raise StrategyError(f"strategy {self.name}: no function choose(components, state, options, n, weights)")
        arguments = list(inspect.signature(in_python(function)).parameters)
        if len(arguments) != 5:
            raise StrategyError(f"strategy {self.name}: choose({', '.join(arguments)}); it takes (components, state, options, n, weights)")
        if players not in getattr(module, "PLAYERS", (players,)):
            raise StrategyError(f"strategy {self.name}: plays with {module.PLAYERS} players, not with {players}")
        known = getattr(module, "WEIGHTS", {})
        for key, _ in self.changes:
            if key not in known:
                raise StrategyError(f"strategy {self.name}: no weight '{key}'; there are {', '.join(known) or 'none'}")

    def load(self, game: Game, components: Any) -> Strategy:
        """Return the policy, compiled for the game, and its weights for these components (the record).

        Raises:
            StrategyError: the function does not compile.
        """
        module = self._module()
        try:
            if hasattr(module, "weigh"):
                weights = np.ascontiguousarray(module.weigh(components), np.float64).ravel()
            else:
                weights = np.array([float(v) for v in {**getattr(module, "WEIGHTS", {}), **dict(self.changes)}.values()], np.float64)
        except Exception as error:
            raise StrategyError(f"strategy {self.name}: its weights can't be read: {type(error).__name__}: {_one_line(error)}") from None
        policy = _policy(self, game.title, game.folder, game.signatures.policy)
        thinker = _think(self.thinker, game.title, game.folder, game.signatures.thinker) if self.thinker else None
        return Strategy(self.name, policy, weights if len(weights) else np.zeros(1), thinker, self.budget, self.at_random)


@cache
def _policy(seated: Seated, title: str, folder: Path, signature: Any) -> Any:
    """Return the policy of a strategy, compiled once for a game (its title, folder and signature): components change only weights."""
    sources = () if seated.source else (HERE / seated.game, folder)
    if sources and not is_cached(*sources):
        print(f"Compiling the strategies of {title} (once; under a minute) …", file=sys.stderr, flush=True)
    try:
        policy = compiled(signature, *sources)(in_python(seated._module().choose))
    except KeyError as error:
        raise StrategyError(f"strategy {seated.name}: choose does not compile: there is no field {error}") from None
    except Exception as error:
        raise StrategyError(f"strategy {seated.name}: choose does not compile: {_one_line(error)}") from None
    compiled_signatures = getattr(policy, "nopython_signatures", ())
    if compiled_signatures and compiled_signatures[0].return_type != signature.return_type:
        raise StrategyError(f"strategy {seated.name}: choose never returns the number of an option")
    return policy


@cache
def _think(thinker: str, title: str, folder: Path, signature: Any) -> Any:
    """Return a thinker, compiled for a game (its title, folder and signature)."""
    sources = (HERE / f"{thinker}.py", HERE / "_looking.py", folder)
    if not is_cached(*sources):
        print(f"Compiling {thinker} for {title} (once) …", file=sys.stderr, flush=True)
    return compiled(signature, *sources)(import_module(f"strategies.{thinker}").think)


def _one_line(error: Exception) -> str:
    """Return the telling part of an error, in one line without colours."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During:", "- ", "^"))]
    return " ".join(telling)[:300]
