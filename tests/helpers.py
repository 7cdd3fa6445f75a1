"""Small tools for tests of rules: a table that is set up by hand and played choice by choice, and plain views of what
lies on it."""

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from copy import copy
from functools import cache
from math import sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed

from sim import registry
from sim.contract import records
from sim.printed.components import Counts, read
from sim.runner import Study, play
from strategies import catalog

if TYPE_CHECKING:
    from analyses.request import Request

WORDS = ["seats", "pig", "--players", "3", "--jobs", "1"]
FIXED = [*WORDS, "--games", "45000"]  # five files


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a run, by name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def guest_pig(folder: Path, name: str = "race", absolute: bool = False) -> Path:
    """Copy Pig with its strategies into a folder, as somebody else would have written it, and return its place;
    absolute: its files still import ours."""
    place, left_out = folder / name, shutil.ignore_patterns("__pycache__")
    shutil.copytree(registry.home("pig"), place, ignore=left_out)
    shutil.copytree(registry.strategies_home("pig"), place / "strategies", ignore=left_out)
    for path in () if absolute else place.rglob("*.py"):
        text = path.read_text("utf-8").replace("from sim.pig import", "from . import")
        path.write_text(text.replace("from sim.pig.", "from ."), "utf-8")
    return place


@cache
def printed(game: str, changes: tuple[str, ...] = ()) -> Any:
    """Return the (1,) record of the components with these changes; it is shared, so not to be written to."""
    return read(game, changes=changes).record


class Table:
    """A game in progress: dealt, then advanced and answered by hand.

    Attributes:
        game, components, state: as in the contract; `states` is the (1,) array that holds the state.
        n: options of the present decision; 0 when the game is over, −1 after an event of a stepping game.
    """

    def __init__(self, game: str = "moesteiro", players: int = 4, changes: Sequence[str] = (), key: int = 1):
        self.game = registry.load(game)
        self._lay(printed(game, tuple(changes)), records(self.game.dtypes[1], 1))
        self.state.person[:players] = range(players)
        self.options = records(self.game.dtypes[2], self.game.most_options)
        self.n = 0
        self.game.set_up(self.components, self.state, players, np.uint64(key))

    def _lay(self, sets: Any, states: Any) -> None:
        """Take copies of the (1,) records of components and state."""
        self._sets, self.states = sets.copy(), states.copy()
        self.components, self.state = self._sets[0], self.states[0]

    def copy(self) -> "Table":
        """Return a table where everything lies as on this one."""
        other = copy(self)
        other._lay(self._sets, self.states)
        other.options = self.options.copy()
        return other

    @property
    def asks(self) -> str:
        """What is asked."""
        return self.game.asks[self.state.asks] if self.n > 0 else ""

    @property
    def offers(self) -> list[SimpleNamespace]:
        """The options, as plain values."""
        return [
            SimpleNamespace(**{name: int(option[name]) for name in option.dtype.names})
            for option in self.options[: max(self.n, 0)]
        ]

    def advance(self) -> int:
        """Run on to the next decision or event."""
        self.n = int(self.game.advance(self.components, self.state, self.options))
        return self.n

    def choose(self, index: int) -> int:
        """Choose an option by its index and run on."""
        self.game.apply(self.components, self.state, self.options[index])
        return self.advance()

    def fitting(self, **fields: int) -> list[int]:
        """Return the indices of the options that have these values."""
        return [
            i
            for i, option in enumerate(self.offers)
            if all(getattr(option, name) == value for name, value in fields.items())
        ]

    def take(self, **fields: int) -> int:
        """Choose the one option that has these values and run on."""
        found = self.fitting(**fields)
        assert len(found) == 1, f"{self.asks}: {len(found)} options with {fields} among {self.offers}"
        return self.choose(found[0])

    def until(self, done: Callable[["Table"], bool], pick: Callable[["Table"], int] = lambda table: 0) -> "Table":
        """Play on, by `pick`, until `done` says so."""
        while not done(self):
            assert self.n != 0, "the game is over"
            self.choose(pick(self)) if self.n > 0 else self.advance()
        return self

    def until_asked(self, *asks: str, pick: Callable[["Table"], int] = lambda table: 0) -> "Table":
        """Play on to a decision of one of these kinds."""
        if self.n == 0:
            self.advance()
        return self.until(lambda table: table.asks in asks, pick)

    def finish(self, pick: Callable[["Table"], int] = lambda table: 0) -> Any:
        """Play to the end; return the outcome."""
        if self.n == 0:
            self.advance()
        while self.n != 0:
            self.choose(pick(self)) if self.n > 0 else self.advance()
        outcome = records(self.game.dtypes[3], 1)
        self.game.tally(self.components, self.state, outcome[0])
        return outcome[0]


def compare_many(compare: Callable[[int, int], list[str]], usual: int, chunk: int = 40) -> list[str]:
    """Return what `compare(first, games)` says of `usual` games, or of as many as CHAPTERHOUSE_COMPARED asks for, on
    all cores."""
    games = int(os.environ.get("CHAPTERHOUSE_COMPARED", usual))
    parts = Parallel(n_jobs=-1)(delayed(compare)(first, chunk) for first in range(1_000, 1_000 + games, chunk))
    return [line for part in parts for line in part]


def at_random(seed: int) -> Callable[[Table], int]:
    """Return a way to pick any option."""
    chance = np.random.default_rng(seed)
    return lambda table: int(chance.integers(table.n))


def outcomes(
    game: str, *names: str | Path, players: int = 4, games: int = 2000, changes: Sequence[str] = (), seed: int = 1
) -> Any:
    """Return outcome records of a study, and who plays what: (games, players) numbers of strategies."""
    entrants = tuple(catalog.entrant(game, str(name), players) for name in names)
    made, _ = play(Study(game, players, entrants, printed(game, tuple(changes)), seed), 0, games)
    return made, made["strategy"][:, :players]


def mean(game: str, made: Any, who: Any, strategy: int, *numbers: str) -> float:
    """Return the mean over the seats of a strategy of the sum of some of what a game counts; made, who: see
    `outcomes`."""
    at = [registry.load(game).numbers.index(name) for name in numbers]
    return made["numbers"][:, : who.shape[1], at].sum(axis=2)[who == strategy].mean()


def surely(share: float, games: int) -> float:
    """Return the share of games that is above another one by four standard errors."""
    return share + 4 * sqrt(share * (1 - share) / games)


def unprivileged() -> None:
    """Have permissions hold for root too, in a process that is about to become another program (Linux)."""
    drop_from_bounding_set, override_permissions = 24, 1
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(drop_from_bounding_set, override_permissions, 0, 0, 0)


def request(game: str, *, numbers: str = "one", **given: Any) -> "Request":
    """Return what somebody asks to have played; `given`: options as they are typed, `numbers`: see
    `scripts.question.Question.players`."""
    from scripts import options

    return options.request({"game": game, **given}, numbers)


def elsewhere(assumed: int = 2, total: int = 3, **more: Any) -> Any:
    """Return components of a game that there is not; `more`: their other attributes."""
    known = {"game": "elsewhere", "title": "A game from <elsewhere>", "rules_version": "1", "digest": "abc123"}
    return SimpleNamespace(
        **known | {"numbers": {}, "rules": {}, "meanings": {}, "counts": Counts(assumed, 0, total)} | more
    )
