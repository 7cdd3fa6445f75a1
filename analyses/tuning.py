"""Weights → better weights, evolved by self-play against a hall of fame, with CMA-ES from the library `cma`.

From: Hansen, "The CMA evolution strategy: a tutorial", 2016, arXiv 1604.00772.

All candidates of a generation meet the same chance and the same opponents. Both come from the seed and the number of
the generation, and so do the random numbers of the evolution. So to continue a run, we tell the evolution again what it
was told before.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from analyses.blocks import ByNumber
from analyses.line import analyse
from analyses.played import Found, Played
from sim import registry
from sim.contract import WHOLE
from sim.printed.components import Components
from sim.runner import StrategyError, Study, gather, play, prepare
from strategies._weights_file import Packed, Weight, by_round
from strategies.catalog import Seated

TABLES = 4  # opponents of a generation, for each number of players
HALL = 12  # of those that joined, only the latest are asked
LEAD = 0.5  # what a lead as large as the mean score counts beside a win
CHANCE, OPPONENTS, SAMPLES = range(3)  # what is drawn, from the seed and the generation


@dataclass(frozen=True)
class TuningPlan:
    """Everything that decides the result of a tuning, except the components.

    Attributes:
        game: name. players: numbers of players, all of which count alike. start: the strategy whose weights are tuned.
        against: the first opponents. games: of a candidate in a generation, rounded up. population: candidates of a
            generation.
        numbers: how many numbers tell how a weight changes over the rounds: 1 shifts all alike, 2 are for the first and
            the last round and those between lie on a line, and so on up to one for each round.
        step: first standard deviation, as a part of each weight's size. joins: after how many generations the mean
            joins the hall.
        seed: integer from 0 to 2⁶⁴ − 1.
    """

    game: str
    players: tuple[int, ...]
    start: Seated
    against: tuple[Seated, ...]
    games: int
    population: int
    numbers: int = 2
    step: float = 0.2
    joins: int = 10
    seed: int = 1


class WeightSpace:
    """The weights of a strategy as a vector: 0 is where it starts, 1 as much as a weight is large."""

    def __init__(self, start: Seated, numbers: int):
        """Take the weights of a strategy, told apart by at most so many numbers each.

        Raises:
            StrategyError: it has none.
        """
        own, self.rounds = start.weights()
        if not own:
            raise StrategyError(f"strategy {start.name}: it has no weights by name")
        plain = {name: weight for name, weight in own.items() if not isinstance(weight, Packed)}
        if len(plain) < len(own):
            raise StrategyError(f"strategy {start.name}: it plays by a network, which only --teacher makes")
        self.start, self.names = start, list(plain)
        self.base = np.array([by_round(weight, self.rounds) for weight in plain.values()])
        size = np.abs(self.base).max(axis=1)
        self.size = np.where(size > 0, size, 1.0)
        knots = np.linspace(0, self.rounds - 1, min(numbers, self.rounds))
        hats = np.eye(len(knots))
        # of one knot: np.interp is constant
        self.lines = np.array([np.interp(np.arange(self.rounds), knots, hat) for hat in hats])

    @property
    def length(self) -> int:
        """Return how long a vector is."""
        return len(self.names) * len(self.lines)

    def weights(self, x: np.ndarray) -> dict[str, Weight]:
        """Return the weights at a point, rounded to what is worth writing down."""
        found = self.base + self.size[:, None] * (x.reshape(len(self.names), -1) @ self.lines)
        rows = [[float(f"{value:.4g}") for value in row] for row in found]
        return {name: row[0] if len(set(row)) == 1 else tuple(row) for name, row in zip(self.names, rows)}

    def entrant(self, x: np.ndarray, name: str) -> Seated:
        """Return the strategy at a point."""
        return replace(self.start, name=name, changes=tuple(self.weights(x).items()))


@dataclass(frozen=True)
class Generation:
    """What a generation found.

    Attributes:
        number: from 1. worth: of each candidate, see `worth_of`. mean: the evolution's new mean, which is the result.
    """

    number: int
    worth: tuple[float, ...]
    mean: tuple[float, ...]


@dataclass(frozen=True)
class Match:
    """How the weights fare against copies of one opponent: share of wins with its interval, with the chance of a
    seed."""

    players: int
    against: str
    games: int
    seed: int
    share: float
    low: float
    high: float

    def sentence(self) -> str:
        """Return it in words."""
        others = f"{self.players - 1} × {self.against}" if self.players > 2 else self.against
        wins = f"{self.share:.1%} ({self.low:.1%} – {self.high:.1%})"
        return (
            f"{self.players} players, against {others}: wins {wins} of {self.games:,} games; an equal would win "
            f"{1 / self.players:.0%}"
        )


def matches(
    entrant: Seated, pairs: Iterable[tuple[int, Seated]], components: Components, seed: int, games: int, jobs: int,
    watch: Callable[[int], None],
) -> list[Match]:  # fmt: skip
    """Play an entrant against copies of others, match by match, up to the one in which it is stopped by hand.

    Args:
        pairs: number of players and opponent of each match. seed: of all matches. games: of each, rounded up to whole
            blocks. jobs: threads, −1 for all cores. watch: called with the number of games just played.
    """
    game, found = registry.load(entrant.game), []
    for players, other in pairs:
        entrants = [entrant, *(replace(other, name=f"{other.name} {i}") for i in range(1, players))]
        line, _ = analyse(game, players, entrants, components, seed, games=games, jobs=jobs, watch=watch)
        row = line.tables["strategies"].iloc[0]
        share = (float(row[name]) for name in ("win_share", "low", "high"))
        found.append(Match(players, other.name, line.games, seed, *share))
        if line.interrupted:
            break
    return found


@dataclass(frozen=True)
class NewStrategy(Found, ABC):
    """A strategy that was made stronger, and its tests.

    Attributes:
        matches: its tests. target: the file of weights that it goes to.
        ended: what ended it early, to be raised once all has been told; None if nothing did.
    """

    matches: list[Match]
    target: Path
    ended: Exception | None

    @property
    @abstractmethod
    def entrant(self) -> Seated:
        """The strategy: a policy that comes with the game, and its weights."""

    @abstractmethod
    def made(self, command: str) -> list[str]:
        """Return in paragraphs what it is and how it was made; command: that makes it again."""

    @abstractmethod
    def told(self) -> dict[str, Any]:
        """Return for machines how it was made."""

    def sentences(self) -> list[str]:
        """Return for people what came of it, before the tests."""
        return []


@dataclass(frozen=True)
class Tuned(NewStrategy):
    """A tuning that has ended; what was played is what each candidate plays in a generation.

    Attributes:
        tuning: the evolution.
    """

    tuning: "Tuning"

    @property
    def entrant(self) -> Seated:
        return self.tuning.entrant

    def made(self, command: str) -> list[str]:
        plan = self.tuning.plan
        how = f"{len(self.tuning.found)} generations of {plan.population} candidates, {plan.games} games each."
        return [f"Weights of {plan.start.name}, tuned by self-play.", f"From: {how}", f"  {command}"]

    def told(self) -> dict[str, Any]:
        return {"generations": len(self.tuning.found), "found": self.tuning.weights()}


class DifferentError(Exception):
    """A continued run does not find again what it had found before."""


def chance(seed: int, generation: int, purpose: int) -> np.random.Generator:
    """Return the random numbers of a generation for a purpose."""
    return np.random.default_rng([seed, generation, purpose])


def worth_of(outcomes: Any, players: int) -> float:
    """Return what games are worth to strategy 0: its share of wins, and a part for its lead over the best of the
    others."""
    mine = outcomes["strategy"][:, :players] == 0
    score = outcomes["score"][:, :players]
    share = outcomes["share"][:, :players][mine].mean() / WHOLE
    others = np.where(mine, np.iinfo(np.int64).min, score).max(axis=1)
    lead = (score[mine] - others).mean() / max(1.0, np.abs(score).mean())
    return float(share + LEAD * lead)


class Tuning:
    """An evolution under way."""

    def __init__(self, plan: TuningPlan, components: Components):
        """Prepare the evolution; nothing is played yet.

        Raises:
            ImportError: the library is missing. StrategyError: a strategy can't be used.
        """
        import cma

        self.plan, self.components = plan, components
        self.space = WeightSpace(plan.start, plan.numbers)
        prepare(registry.load(plan.game), {plan.start, *plan.against}, components.record)
        self.found: list[Generation] = []
        self._joined: list[Seated] = []
        options = {"popsize": plan.population, "randn": self._draw, "seed": np.nan, "verbose": -9, "verb_log": 0}
        self._evolution = cma.CMAEvolutionStrategy(np.zeros(self.space.length), plan.step, options)

    def _draw(self, *shape: int) -> np.ndarray:
        return self._samples.standard_normal(shape)

    @property
    def mean(self) -> np.ndarray:
        """The point that the evolution has reached."""
        return np.array(self.found[-1].mean) if self.found else np.zeros(self.space.length)

    @property
    def hall(self) -> tuple[Seated, ...]:
        """The opponents of the next generation are drawn from these."""
        return *self.plan.against, *self._joined[-HALL:]

    def settings(self) -> dict[str, Any]:
        """Return everything that decides the result, as plain values."""
        plan, version = self.plan, registry.load(self.plan.game).version
        names = "games", "population", "numbers", "step", "joins", "seed"
        plain = {"game": registry.shown(plan.game)} | {name: getattr(plan, name) for name in names}
        entrants = {"start": _digest(plan.start), "against": [_digest(entrant) for entrant in plan.against]}
        versions = {"components": self.components.digest, "rules": version}
        return {**plain, "players": list(plan.players), **entrants, **versions}

    def weights(self) -> dict[str, Weight]:
        """Return the weights that the evolution has reached."""
        return self.space.weights(self.mean)

    @property
    def entrant(self) -> Seated:
        """The strategy that the evolution has reached."""
        return self.space.entrant(self.mean, "tuned")

    def test(self, games: int, jobs: int = -1, watch: Callable[[int], None] = lambda games: None) -> list[Match]:
        """Play these weights against each of the first opponents, on chance that no generation meets.

        Args:
            games: of each match, rounded up to whole blocks. jobs, watch: see `step`.
        """
        seed = int(chance(self.plan.seed, 0, CHANCE).integers(2**63))
        pairs = product(self.plan.players, self.plan.against)
        return matches(self.entrant, pairs, self.components, seed, games, jobs, watch)

    @property
    def played(self) -> Played:
        """What each candidate plays in a generation."""
        tables = list(self._tables(1))
        games, blocks = sum(games for *_, games in tables), sum(games // players for players, _, games in tables)
        return Played(
            self.components, self.plan.players[0], (self.plan.start.name,), self.plan.seed, None, games, blocks
        )

    @property
    def games(self) -> int:
        """How many games a generation plays."""
        return self.plan.population * self.played.games

    def _tables(self, generation: int) -> Iterator[tuple[int, Seated, int]]:
        """Yield number of players, opponent and number of games of each table of a generation."""
        draws = chance(self.plan.seed, generation, OPPONENTS)
        for players in self.plan.players:
            tables = min(TABLES, len(self.plan.against) + 1)
            picked = draws.choice(len(self.hall), tables, replace=len(self.hall) < tables)
            games = -(-self.plan.games // (len(self.plan.players) * tables * players)) * players
            for i in picked:
                yield players, self.hall[int(i)], games

    def again(self, generation: Generation) -> None:
        """Tell the evolution what an earlier run found.

        Raises:
            DifferentError: it would now go another way.
        """
        points = self._ask(generation.number)
        if len(generation.worth) != len(points) or self._tell(points, generation.worth).mean != generation.mean:
            raise DifferentError(f"generation {generation.number} comes out otherwise than it did")

    def step(self, jobs: int = -1, watch: Callable[[int], None] = lambda games: None) -> Generation:
        """Play one more generation; nothing is changed if it is stopped.

        Args:
            jobs: threads, −1 for all cores. watch: called with the number of games just played.
        """
        number = len(self.found) + 1
        points = self._ask(number)
        seed = int(chance(self.plan.seed, number, CHANCE).integers(2**63))
        studies, counts = [], []
        tables = list(self._tables(number))
        for i, x in enumerate(points):
            entrant = self.space.entrant(x, f"candidate {i + 1}")
            for players, other, games in tables:
                studies.append(
                    Study(self.plan.game, players, (entrant, *[other] * (players - 1)), self.components.record, seed)
                )
                counts.append(games)

        def task(first: int, count: int) -> ByNumber:
            those = range(first, first + count)
            return ByNumber({at: worth_of(play(studies[at], 0, counts[at])[0], studies[at].players) for at in those})

        def tell(first: int, count: int, part: ByNumber) -> None:
            watch(sum(counts[first : first + count]))

        found, stopped = gather(task, ByNumber(), len(studies), size=1, jobs=jobs, keep=tell)
        if stopped:
            raise KeyboardInterrupt
        means = np.array([found[at] for at in sorted(found)]).reshape(len(points), len(tables)).mean(axis=1)
        return self._tell(points, tuple(map(float, means)))

    def _ask(self, number: int) -> list[np.ndarray]:
        self._samples = chance(self.plan.seed, number, SAMPLES)
        return [np.array(x) for x in self._evolution.ask()]

    def _tell(self, points: Sequence[np.ndarray], worth: tuple[float, ...]) -> Generation:
        self._evolution.tell(points, [-value for value in worth])
        generation = Generation(len(self.found) + 1, worth, tuple(map(float, self._evolution.mean)))
        self.found.append(generation)
        if generation.number % self.plan.joins == 0:
            self._joined.append(self.space.entrant(self.mean, f"generation {generation.number}"))
        return generation


def _digest(entrant: Seated) -> str:
    return f"{entrant.name} {hashlib.sha256(repr(entrant).encode()).hexdigest()[:12]}"
