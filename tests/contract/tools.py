"""What the contract's tests share: every game and strategy that is there, and a game played step by step as the loop plays it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import numpy as np

from sim import registry
from sim.chance import block_key, shuffle
from sim.components import read
from sim.contract import MOST_STRATEGIES, Strategy, records
from sim.play import CASTING, SEATING
from sim.runner import Study, strategies
from strategies import catalog
from tests.helpers import printed

ROOT = Path(__file__).parents[2]
SEED = 11
GAMES = registry.names()
CASES = [(game, name) for game in GAMES for name in catalog.names(game)]


def players_of(game: str, name: str) -> tuple[int, ...]:
    """Return the numbers of players with which a strategy plays a game."""
    return tuple(getattr(import_module(f"strategies.{game}.{name}"), "PLAYERS", registry.card(game)[1]))


def tables(game: str) -> list[tuple[int, tuple[str, ...]]]:
    """Return each number of players with the strategies that play so, as many as one study holds."""
    return [
        (n, tuple(name for name in catalog.names(game) if n in players_of(game, name))[:MOST_STRATEGIES]) for n in registry.card(game)[1]
    ]


def study_of(game: str, players: int, *names: str) -> Study:
    """Return a study with these strategies."""
    return Study(game, players, tuple(catalog.chair(game, name, players) for name in names), printed(game), SEED)


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


class Replay:
    """One game of a study, played step by step through the entry points.

    Attributes:
        outcome: (1,) record. decisions, events: how many.
    """

    def __init__(self, study: Study, number: int, *, stepping: bool = False, dirty: bool = False, watch: Any = None):
        """Play game `number`.

        Args:
            stepping: pause after events. dirty: spoil the list of options before each decision.
            watch: called as watch(replay, strategy, n) at each decision; its result, if not None, is the choice.
        """
        self.game, self.components = registry.load(study.game), study.components.copy()
        self.states, self.outcome = records(self.game.dtypes[1], 1), records(self.game.dtypes[3], 1)
        self.options = records(self.game.dtypes[2], self.game.most_options)
        self.decisions = self.events = 0
        with np.errstate(over="ignore"):
            self._play(study, number, stepping, dirty, watch)

    def _play(self, study: Study, number: int, stepping: bool, dirty: bool, watch: Any) -> None:
        game, players, cast = self.game, study.players, strategies(study)
        rules, state, outcome = self.components[0], self.states[0], self.outcome[0]
        key, rotation = np.uint64(block_key(np.uint64(study.seed), number // players)), number % players
        seating, casting = np.arange(players), np.arange(len(cast))
        shuffle(key, SEATING, seating, players)
        shuffle(key, CASTING, casting, len(cast))
        for seat in range(players):
            person = seating[(seat + rotation) % players]
            state.person[seat] = outcome.person[seat] = person
            outcome.strategy[seat] = casting[person % len(cast)]
        game.deal(rules, state, players, key)
        state.stepping = int(stepping)
        while (n := self._advance(dirty)) != 0:
            if n < 0:
                self.events += 1
                continue
            strategy = cast[outcome.strategy[state.player]]
            chosen = watch(self, strategy, n) if watch else None
            if chosen is None:
                chosen = self.ask(strategy, n)
            game.apply(rules, state, self.options[chosen])
            self.decisions += 1
            assert state.decision == self.decisions
        game.tally(rules, state, outcome)

    def _advance(self, dirty: bool) -> int:
        if dirty:
            self.options.view(np.uint8)[:] = 0x55
        return int(self.game.advance(self.components[0], self.states[0], self.options))

    def ask(self, strategy: Strategy, n: int, states: Any = None) -> int:
        """Return a strategy's choice in a position, the present one if no other is given."""
        states = self.states if states is None else states
        return int(strategy.policy(self.components[0], states[0], self.options, n, strategy.weights))


def process(program: str, **environment: str) -> str:
    """Run a Python program in a process of its own, from the root of the project; return what it prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment = {**kept, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3_000:]
    return done.stdout
