"""What the contract's tests share: every game and strategy that is there, and a game played step by step as the loop
plays it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np

from sim import registry
from sim.contract import MOST_STRATEGIES, records
from sim.printed.components import read
from sim.replay import Session
from sim.runner import StrategyError, Study
from strategies import catalog
from tests.helpers import printed

ROOT = Path(__file__).parents[2]
SEED = 11
GAMES = registry.names()
CASES = [(game, name) for game in GAMES for name in catalog.names(game)]
POLICIES = [(game, path.stem) for game in GAMES for path in sorted(catalog.home(game).glob("[!_]*.py"))]
CASES += [(game, f"{thinker}:{catalog.default(game)}@12") for game in GAMES for thinker in catalog.thinkers()]


def players_of(game: str, name: str) -> tuple[int, ...]:
    """Return the numbers of players with which a strategy plays a game."""

    def able(players: int) -> bool:
        try:
            return bool(catalog.entrant(game, name, players))
        except StrategyError:
            return False

    return tuple(players for players in registry.card(game)[1] if able(players))


def tables(game: str) -> list[tuple[int, tuple[str, ...]]]:
    """Return each number of players with the strategies that play so, as many as one study holds."""
    return [
        (n, tuple(name for name in catalog.names(game) if n in players_of(game, name))[:MOST_STRATEGIES])
        for n in registry.card(game)[1]
    ]


def study_of(game: str, players: int, *names: str) -> Study:
    """Return a study with these strategies."""
    return Study(game, players, tuple(catalog.entrant(game, name, players) for name in names), printed(game), SEED)


def rules_of(game: str) -> Iterator[str]:
    """Yield a change for each reading of each rule that a game's components know."""
    rules = getattr(read(game).model, "rules", None)
    for name, field in type(rules).model_fields.items() if rules else ():
        values = ("false", "true") if field.annotation is bool else get_args(field.annotation)
        yield from (f"rules.{name}={value}" for value in values)


def twin(array: Any) -> Any:
    """Return a copy of an array of records, with the bytes between its fields, which `copy` leaves out."""
    other = records(array.dtype, len(array))
    other.view(np.uint8)[:] = array.view(np.uint8)
    return other


class Replay(Session):
    """One game of a study, played to its end.

    Attributes:
        decisions, events: how many.
    """

    def __init__(self, study: Study, number: int, *, stepping: bool = False, dirty: bool = False, watch: Any = None):
        """Play game `number`.

        Args:
            stepping: pause after events. dirty: spoil the list of options before each decision.
            watch: called as watch(replay, strategy, n) at each decision; its result, if not None, is the choice.
        """
        super().__init__(study, number, stepping=stepping)
        self.decisions = self.events = 0
        while True:
            if dirty:
                self.options.view(np.uint8)[:] = 0x55
            if self.advance() == 0:
                break
            if self.n < 0:
                self.events += 1
                continue
            if self.n == 1:
                assert stepping
                self.choose(0)
                assert self.state.decision == self.decisions
                continue
            chosen = watch(self, self.cast[self.player], self.n) if watch else None
            self.choose(self.ask() if chosen is None else chosen)
            self.decisions += 1
            assert self.state.decision == self.decisions


def process(program: str, **environment: str) -> str:
    """Run a Python program in a process of its own, from the root of the project; return what it prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment = {**kept, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3_000:]
    return done.stdout


def without_jit(program: str) -> str:
    """Run a Python program with the JIT off, where integers that wrap are an error but for those of keyed chance;
    return what it prints."""
    head = """
import warnings
warnings.simplefilter("error", RuntimeWarning)
warnings.filterwarnings("ignore", module=r"sim\\.chance")
"""
    return process(head + program, NUMBA_DISABLE_JIT="1")
