"""Name or file → strategy: finds, reads, has it proved and compiled."""

import ast
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim import registry
from sim import trusted as begun
from sim.compiled import in_python
from sim.contract import Game, Strategy
from sim.faults import GameError
from sim.given import given_text
from sim.legible import one_line, say
from sim.runner import StrategyError
from strategies import _code, _weights_file
from strategies._code import files as files
from strategies._code import module as module
from strategies._code import package as package
from strategies._named import PYTHON, UNPROVED, WEIGHTS, settings, suffix, thinking, tidy
from strategies._named import has_players as has_players
from strategies._named import home as home
from strategies._named import names as names
from strategies._named import thinkers as thinkers
from strategies._weights_file import Packed, Weight, WeightsError, by_round

if TYPE_CHECKING:
    from strategies._unwritten import Ranking


def default(game: str) -> str:
    """Return the name of the strategy that sits in every seat unless another is asked for."""
    if not has_players(game):
        return _unwritten(game).default
    made = module(game)
    if registry.is_guest(game) and not isinstance(getattr(made, "DEFAULT", None), str):
        place, found = registry.place(game, "strategies/__init__.py"), repr(getattr(made, "DEFAULT", None))
        raise GameError(f"{place}: DEFAULT: found {one_line(found)}; allowed one of {', '.join(names(game))}")
    return str(made.DEFAULT)


def levels(game: str) -> tuple[str, ...]:
    """Return the strategies that stand for levels of play, weakest first, as `entrant` takes them; none if the game
    names none."""
    return tuple(getattr(module(game), "LEVELS", ())) if has_players(game) else _unwritten(game).levels


def ladder(game: str) -> tuple[str, ...]:
    """Return some strategies of a game from the weakest to the strongest: those that it names, else chance and the
    usual one."""
    if not has_players(game):
        return _unwritten(game).ladder
    return tuple(getattr(module(game), "LADDER", ("random_legal", default(game))))


def _unwritten(game: str) -> "Ranking":
    """Return who plays a game for which nobody wrote a player."""
    from strategies._unwritten import ranking

    return ranking(game)


def describe(game: str, name: str) -> str:
    """Return the first sentence of a strategy's docstring or comment, without loading it."""
    if (weights := home(game) / f"{name}.toml").exists():
        return _weights_file.first_words(weights.read_text(encoding="utf-8"))
    file = next(iter(files(game, name)), None)
    text = (
        ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) if file else module(game, name).__doc__
    ) or ""
    return text.split("\n\n")[0].replace("\n", " ")


def tests(game: str, name: str) -> dict[int, tuple[str, float]]:
    """Return how a strategy that comes with a game did when it was made, as its file says (`_weights_file.tests`)."""
    file = home(game) / f"{name}.toml"
    return _weights_file.tests(file.read_text(encoding="utf-8")) if file.is_file() else {}


def entrant(game: str, text: str, players: int) -> "Seated":
    """Return the strategy that a user names: `greedy`, `hold_at,hold=25`, a file (`mine.py`, `mine.toml`), or a thinker
    with one.

    `rollout:greedy`, `search:greedy@1000` (games that it may play on for a decision), `search:greedy@20ms`.

    Raises:
        StrategyError: there is none of that name, the file can't be read, or it has no such weight.
    """
    text = tidy(text)
    head, given = settings(text)
    thinker, name, budget = _thinker(head)
    source, where, proved = "", name, False
    changes: dict[str, Weight] = {}
    if suffix(name) == PYTHON:
        source = _text(Path(name)) or "\n"  # an empty file is a user's too
        proved = UNPROVED not in given
        given = [setting for setting in given if setting != UNPROVED]
    elif suffix(name) == WEIGHTS:
        where, changes = _weights(game, name, _text(Path(name)))
    elif name not in names(game):
        files = "or a file that ends in .py or .toml"
        raise StrategyError(
            f"--strategy: {name}: not a strategy of {registry.shown(game)}; there are {', '.join(names(game))}, {files}"
        )
    elif (shipped := home(game) / f"{name}.toml").exists():
        where, changes = _weights(game, name, shipped.read_text(encoding="utf-8"))
    for setting in given:
        key, equals, value = setting.partition("=")
        if not equals or not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", value) or not isfinite(float(value)):
            raise StrategyError(f"--strategy: {text}: found '{setting}'; a weight is given as name=number")
        changes[key] = float(value)
    seated = Seated(text, game, where, source, tuple(changes.items()), thinker, budget, to_prove=proved)
    seated.check(players)
    return seated


def _text(path: Path) -> str:
    """Return the text of a user's file."""
    try:
        return given_text(path)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name, or what is not UTF-8
        raise StrategyError(f"--strategy: {path}: {getattr(error, 'strerror', None) or 'not a text file'}") from None


def _weights(game: str, name: str, text: str) -> tuple[str, dict[str, Weight]]:
    """Return the policy that a file of weights is for, and its weights."""
    try:
        policy, found = _weights_file.parse(text)
        if policy not in _stems(game) or not _has_weights(game, policy):  # the others are not imported for this
            having = ", ".join(policies(game)) or "none with weights"
            raise WeightsError(f"policy: found '{policy}'; {registry.shown(game)} has {having}")
        made = module(game, policy)
        return policy, _weights_file.check(found, made.WEIGHTS, getattr(made, "ROUNDS", 1))
    except WeightsError as error:
        raise StrategyError(f"--strategy: {name}: {error}") from None


def policies(game: str) -> list[str]:
    """Return the names of the policies of a game that have weights by name, as a file of weights names them."""
    return [stem for stem in _stems(game) if _has_weights(game, stem)]


def _stems(game: str) -> list[str]:
    return sorted({*(path.stem for path in home(game).glob("[!_]*.py")), *registry.in_file(game)})


def _has_weights(game: str, stem: str) -> bool:
    return hasattr(module(game, stem), "WEIGHTS")


def _thinker(text: str) -> tuple[str, str, int]:
    """Return thinker, policy and budget that `thinker:policy@budget` names; no thinker and 0 for a plain policy."""
    thinker, name, budget = thinking(text)
    if not thinker:
        head, colon, _ = text.rpartition(":")
        if colon and not suffix(text):  # a path may have a colon in it
            raise StrategyError(f"--strategy: {text}: found '{head}'; a thinker is {' or '.join(thinkers())}")
        if "@" in text and not suffix(text):
            raise StrategyError(f"--strategy: {text}: only a thinker has a budget, as in search:{text}")
        return "", text, 0
    if budget is None:
        return thinker, name, int(import_module(f".{thinker}", __package__).BUDGET)
    found = re.fullmatch(r"([1-9]\d{0,5})(ms)?", budget)
    if not found:
        raise StrategyError(
            f"--strategy: {text}: found budget '{budget}'; allowed are 1 to 999999 games, or milliseconds as in 20ms"
        )
    return thinker, name, int(found[1]) if not found[2] else -1_000 * int(found[1])


@dataclass(frozen=True)
class Seated:
    """A strategy as a study names it: the name of its policy, or the text of a user's file; with the weights that
    differ from its own.

    Attributes:
        to_prove: whether it is proved when it is first loaded (`sim.proof`); who is sent one need not do that again.
    """

    name: str
    game: str
    where: str
    source: str
    changes: tuple[tuple[str, Weight], ...] = ()
    thinker: str = ""
    budget: int = 0
    at_random: int = 0
    to_prove: bool = field(default=False, compare=False)

    def __reduce__(self) -> Any:
        return Seated, (
            self.name, self.game, self.where, self.source, self.changes, self.thinker, self.budget, self.at_random,
        )  # fmt: skip

    def _module(self) -> Any:
        if not self.source:
            return module(self.game, self.where)
        begun.check(f"strategy {self.name}", self)
        try:
            return _code.read(self.where, self.source)
        except SyntaxError as error:
            raise StrategyError(f"strategy {self.name}: line {error.lineno}: {error.msg}") from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # sys.exit() too
            raise StrategyError(f"strategy {self.name}: {type(error).__name__}: {_code.one_line(error)}") from None

    def check(self, players: int) -> None:
        """Raise StrategyError unless the file has what a strategy needs, for this number of players."""
        module = self._module()
        function = getattr(module, "choose", None)
        if not callable(function):
            raise StrategyError(f"strategy {self.name}: no function choose(components, state, options, n, weights)")
        try:
            arguments = list(inspect.signature(in_python(function)).parameters)
        except (TypeError, ValueError):
            raise StrategyError(f"strategy {self.name}: choose is not a function written in Python") from None
        if len(arguments) != 5:
            raise StrategyError(
                f"strategy {self.name}: choose({', '.join(arguments)}); it takes (components, state, options, n, "
                "weights)"
            )
        able, known = getattr(module, "PLAYERS", (players,)), getattr(module, "WEIGHTS", {})
        if not isinstance(able, Sequence | Set):
            raise StrategyError(f"strategy {self.name}: PLAYERS is no list of numbers")
        if players not in able:
            raise StrategyError(f"strategy {self.name}: plays with {able} players, not with {players}")
        if not isinstance(known, Mapping) or not all(isinstance(name, str) for name in known):
            raise StrategyError(f"strategy {self.name}: WEIGHTS is no table of names and numbers")
        for key, value in self.changes:
            if key not in known:
                raise StrategyError(f"strategy {self.name}: no weight '{key}'; there are {', '.join(known) or 'none'}")
            block = known[key]
            if isinstance(block, Packed) and not isinstance(value, Packed):
                raise StrategyError(f"strategy {self.name}: {key}={value}: only a file of weights can hold a network")
            if isinstance(value, Packed) and (not isinstance(block, Packed) or value.size != block.size):
                allowed = f"a network of {block.size:,}" if isinstance(block, Packed) else "a number"
                raise StrategyError(
                    f"strategy {self.name}: {key}: found a network of {value.size:,}; allowed {allowed}"
                )

    def weights(self) -> tuple[dict[str, Weight], int]:
        """Return the weights by name, none for a strategy that has none, and how many rounds they tell apart."""
        module = self._module()
        return {**getattr(module, "WEIGHTS", {}), **dict(self.changes)}, getattr(module, "ROUNDS", 1)

    @property
    def weighs(self) -> bool:
        """Whether its weights are worked out from the components, which may take long with the JIT off."""
        return hasattr(self._module(), "weigh")

    def values(self) -> dict[str, str]:
        """Return what a user's file comes to when it is read: a digest of each function and value that plays a part."""
        from sim.proof.reach import values

        module = self._module()
        parts = {
            name: getattr(module, name) for name in ("choose", "weigh", "WEIGHTS", "ROUNDS") if hasattr(module, name)
        }
        return values(parts) | {"settings": repr(self.changes)}

    @contextmanager
    def _proving(self, game: Game) -> Iterator[None]:
        """Have a user's file proved meanwhile, once in a process.

        Raises:
            StrategyError: it breaks its contract; the line says how.
        """
        known = (self.game, self.where, self.source, self.changes)
        if not self.to_prove or known in _proved:
            yield
            return
        from sim.proof.apart import Job, prove

        homes = [home(self.game)] if home(self.game).is_dir() else []
        pending = prove(
            Job(self.game, replace(self, thinker="", budget=0, at_random=0), _tables(self, game), self.values()),
            *homes, announce=lambda: say(f"Proving {self.name} (once; a few seconds) …"),
        )  # fmt: skip
        try:
            yield
            answer = pending.answer()
        finally:
            pending.end()
        if answer.error:
            raise StrategyError(
                answer.error if answer.error.startswith("strategy ") else f"strategy {self.name}: {answer.error}"
            )
        if answer.findings:
            raise StrategyError(f"strategy {self.name}: {answer.findings[0].words(self.where)}")
        if not answer.complete:
            asked = f"{answer.decisions:,} decisions, not in all of its games, as it takes long over each"
            say(f"{self.name}: proved in {asked}")
        _proved.add(known)

    def load(self, game: Game, components: Any) -> Strategy:
        """Return the policy, compiled for the game, and its weights for these components (the record).

        Raises:
            StrategyError: the function does not compile, or it is a user's and breaks its contract.
        """
        with self._proving(game):
            return self._loaded(game, components)

    def _loaded(self, game: Game, components: Any) -> Strategy:
        module = self._module()
        try:
            if hasattr(module, "weigh"):
                weights = np.ascontiguousarray(module.weigh(components), np.float64).ravel()
            else:
                weights = array(*self.weights())
        except (Exception, SystemExit) as error:
            raise StrategyError(
                f"strategy {self.name}: its weights can't be read: {type(error).__name__}: {_code.one_line(error)}"
            ) from None
        policy = _code.policy(game, self.where, self.source)
        thinker = _code.think(game, self.thinker) if self.thinker else None
        return Strategy(
            self.name, policy, weights if len(weights) else np.zeros(1), thinker, self.budget, self.at_random
        )


_proved: set[tuple[Any, ...]] = set()  # of this process


def _tables(mine: Seated, game: Game) -> tuple[tuple[int, tuple[Seated, ...]], ...]:
    """Return where a user's strategy is proved: with all numbers of players that it plays, by itself and with
    others."""
    found: list[tuple[int, tuple[Seated, ...]]] = []
    for players in game.players:
        with suppress(StrategyError):
            mine.check(players)
            me = replace(mine, thinker="", budget=0, at_random=0)
            found.append((players, (me,)))
            for other in dict.fromkeys(("random_legal", default(game.name))) if players > 1 else ():
                with suppress(StrategyError):
                    found.append((players, (me, entrant(game.name, other, players))))
    return tuple(found)


def array(weights: Mapping[str, Weight], rounds: int) -> np.ndarray:
    """Return weights as policies take them: round by round, in each all names, then the blocks (`Packed.words`);
    float64, flat."""
    numbers = [by_round(weight, rounds) for weight in weights.values() if not isinstance(weight, Packed)]
    blocks = [weight.words() for weight in weights.values() if isinstance(weight, Packed)]
    return np.concatenate([np.array(numbers, np.float64).T.ravel(), *blocks])
