"""Look-ahead → a network: a quick policy learns from the results of games, and from a teacher that plays options on.

From: Hinton, Vinyals and Dean, "Distilling the knowledge in a neural network", 2015, arXiv 1503.02531.

First a network learns what positions are worth from games that the teacher's plan plays against itself. Then the
network plays itself; now and then the teacher plays some options of a decision on in the same worlds, and the network
learns by how much they differ. It predicts each batch before it learns from it: so the fit is judged on games that it
has not seen.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from analyses.blocks import spread
from analyses.distil.fit import Fit, Samples
from analyses.distil.games import OPTIONS, kernels_of
from analyses.played import Played
from analyses.tuning import Match, NewStrategy, matches
from sim import registry
from sim.compiled import entry_of
from sim.contract import records
from sim.printed.components import Components
from sim.runner import StrategyError, Study, play
from strategies import catalog
from strategies._named import NETWORK, thinking
from strategies._network import network_name
from strategies._weights_file import POLICY, Packed, Weight
from strategies.catalog import Seated

ROUND = 4_000  # games of a batch in which positions are kept
ASKED_ROUND = 200  # … in which the teacher is asked
SPAN, ASKED_SPAN = 250, 25  # games of one task
NOISE = 0.1  # chance that a choice is taken at random
KEPT, ASKED = 0.25, 0.2  # chances that a choice is kept, that a decision is asked
ROWS, ASKED_ROWS = 60, 200  # for each game, at most
SELF_PLAY_RATE, ASKED_RATE = 2e-3, 1e-3  # how far a step of the fit goes at first
LAST_RATE = 0.02  # … and at last, as a part of that
PART = 10  # one game in so many is one of self-play
OFTEN = 0.02  # part of the decisions of a kind in which the network must differ from the plan to be asked at all, …
WORTH = 0.001  # … and how much more a choice of its must bring, or it isn't worth the time
CAUTION = 0.01  # by how much another option must look better than the plan's, while the network learns
CAUTIONS = (0.0, 0.005, 0.01, 0.015, 0.02)  # … from which the best is chosen in the end, …
TRIAL = 8_000  # … by so many games of each against the plan
SELF_PLAY, TEACHING, TRYING, TESTING = range(4)  # what chance is for


@dataclass(frozen=True)
class DistilPlan:
    """Everything that decides the result, except the components.

    Attributes:
        game: name. players: numbers of players, each with a network of its own. teacher: the look-ahead that is asked.
        games: for each number of players; one in PART is self-play, the teacher plays the others. The trials of the
            CAUTIONS come on top.
        seed: integer from 0 to 2⁶⁴ − 1.
    """

    game: str
    players: tuple[int, ...]
    teacher: Seated
    games: int
    seed: int = 1


@dataclass(frozen=True)
class Trained:
    """The network for a number of players, and how it was trained.

    Attributes:
        players: number of players. network: half precision. self_play: games of the teacher's plan against itself.
        asked: decisions in which the teacher was asked. played_on: games that it played on for them.
        explained: R² of the differences between the options of a decision, in the last half of them.
        gains: kind of decision → how much more the network's choice brought than the plan's, on average over the
            decisions asked, and its standard error; in the last half of them.
        caution: by how much another option must look better than the plan's.
    """

    players: int
    network: Packed
    self_play: int
    asked: int
    played_on: int
    explained: float
    gains: dict[str, tuple[float, float]] = field(repr=False)
    caution: float

    def sentence(self) -> str:
        """Return it in words."""
        decides = ", ".join(f"{name} ({gain:+.4f})" for name, (gain, _) in self.gains.items()) or "none"
        return (
            f"{self.players} players: it learnt from {self.self_play:,} games of the plan against itself, and from "
            f"{self.asked:,} decisions, for which the teacher played on {self.played_on:,} games. In decisions that "
            f"were new to it, it explained {self.explained:.1%} of the variance between options. It decides these "
            "kinds of decisions (in brackets: how much better its choices were than the plan's, where a sure win is "
            f"1): {decides}."
        )


class Distilling:
    """A policy that learns from a teacher, number of players by number of players."""

    def __init__(self, plan: DistilPlan, components: Components):
        """Prepare; nothing is played yet.

        Raises:
            StrategyError: the game has no policy that plays by a network, or the teacher none that it starts from.
        """
        self.plan, self.components = plan, components
        if NETWORK not in catalog.policies(plan.game):
            raise StrategyError(f"{registry.shown(plan.game)} has no policy '{NETWORK}' that could learn")
        if plan.teacher.where != POLICY or not plan.teacher.thinker or plan.teacher.budget < OPTIONS:
            raise StrategyError(
                f"--teacher: found '{plan.teacher.name}'; allowed is rollout with a file of weights of the game and at "
                f"least {OPTIONS} games, as in rollout:expert_1@{OPTIONS}"
            )
        self._game = registry.load(plan.game)
        features = catalog.module(plan.game, NETWORK).FEATURES
        self._inputs, self._tells = features.inputs + features.choices, np.zeros(len(self._game.asks), np.int64)
        self._tells[list(features.kinds)] = 1
        self._plan_weights = plan.teacher.weights()[0]
        self._student = replace(
            plan.teacher, name="student", where=NETWORK, thinker="", budget=0, changes=tuple(self._plan_weights.items())
        )
        self.networks: list[Trained] = []

    @property
    def weights(self) -> dict[str, Weight]:
        """The weights of the policy: the plan's, and the networks found so far."""
        return self._plan_weights | {network_name(trained.players): trained.network for trained in self.networks}

    def entrant(self, name: str) -> Seated:
        """Return the policy as it is now."""
        return replace(self._student, name=name, changes=tuple(self.weights.items()))

    def played(self, interrupted: bool) -> Played:
        """Return what was played for one number of players."""
        return Played(
            self.components, self.plan.players[0], (self.plan.teacher.name,), self.plan.seed, None, self.plan.games,
            None, interrupted=interrupted,
        )  # fmt: skip

    def learn(self, players: int, jobs: int = -1, watch: Callable[[int], None] = lambda games: None) -> None:
        """Find the network for a number of players; nothing is changed if it is stopped.

        Args:
            jobs: threads, −1 for all cores. watch: called with the number of games just played.
        """
        fit = Fit(self._inputs, len(self._game.asks), self.plan.seed)
        table = _Table(self, players, jobs)
        self_play = self.plan.games // PART
        goal = self.plan.games - self_play
        table.clear = table.usual_lead()
        played = 0
        while played < self_play:
            rate = SELF_PLAY_RATE * max(LAST_RATE, 1.0 - played / self_play)
            for rows in table.self_play(played, min(ROUND, self_play - played)):
                fit.take(rows, rate, False)
            watch(min(ROUND, self_play - played))
            played += ROUND
        fit.begin()
        all_kinds = self._tells.astype(np.float64)
        games = asked = played_on = 0
        gains, late = np.zeros((len(self._game.asks), 4)), False
        while played_on < goal:
            rate = ASKED_RATE * max(LAST_RATE, 1.0 - played_on / goal)
            student = self._with(players, Packed.of(fit.numbers(all_kinds, CAUTION)))
            table.student_weights = catalog.array(*student.weights())
            if played_on >= goal // 2 and not late:
                late = True
                fit.sums[:], gains[:] = 0.0, 0.0
            before = played_on
            for rows, count in table.asked(games, ASKED_ROUND):
                gains += gains_of(rows, len(gains))
                fit.take(rows, rate, True)
                asked, played_on = asked + int(rows.groups.max(initial=-1)) + 1, played_on + count
            games += ASKED_ROUND
            watch(min(goal, played_on) - min(goal, before))
        self.networks.append(self._trained(players, fit, (self_play, asked, played_on), gains, jobs))

    def _trained(self, players: int, fit: Fit, played: tuple[int, int, int], gains: np.ndarray, jobs: int) -> Trained:
        """Return what came of it: the network decides where it often differs from the plan and does clearly better,
        with the caution that does best."""
        total, square, count, differ = gains.T
        mean = np.divide(total, count, out=np.zeros(len(count)), where=count > 0)
        error = np.sqrt(np.maximum(0.0, square - count * mean**2)) / np.maximum(1.0, count)
        decides = ((differ > OFTEN * count) & (mean >= WORTH)) * 1.0
        explained = 1.0 - fit.sums[1] / fit.sums[0] if fit.sums[0] > 0 else 0.0
        told = {name: (float(mean[i]), float(error[i])) for i, name in enumerate(self._game.asks) if decides[i]}
        networks = [Packed.of(fit.numbers(decides, caution)) for caution in CAUTIONS]
        won = [self._won(players, network, jobs) for network in networks]
        best = int(np.argmax(won))
        return Trained(players, networks[best], *played, float(explained), told, CAUTIONS[best])

    def _won(self, players: int, network: Packed, jobs: int) -> int:
        """Return how many sixtieths of wins a network gets against the plan, in games that are the same for all."""
        entrants = self._with(players, network), *[self._plan] * (players - 1)
        seed = chance(self.plan.seed, players, TRYING)
        study = Study(self.plan.game, players, entrants, self.components.record, seed)

        def task(first: int, blocks: int) -> int:
            outcomes, _ = play(study, first * players, blocks * players)
            return int(np.where(outcomes["strategy"] == 0, outcomes["share"], 0)[:, :players].sum())

        return sum(spread(task, TRIAL // players, SPAN, jobs, lambda blocks: None))

    @property
    def _plan(self) -> Seated:
        """What the teacher plays on with, as an opponent."""
        return replace(self.plan.teacher, name=thinking(self.plan.teacher.name)[1], thinker="", budget=0)

    def _with(self, players: int, network: Packed) -> Seated:
        """Return the policy with a network for a number of players."""
        return replace(self._student, changes=tuple((self.weights | {network_name(players): network}).items()))

    def test(self, games: int, jobs: int = -1, watch: Callable[[int], None] = lambda games: None) -> list[Match]:
        """Play the policy against the teacher's plan, on chance that it has not met.

        Args:
            games: of each match, rounded up to whole blocks. jobs, watch: see `learn`.
        """
        pairs = [(trained.players, self._plan) for trained in self.networks]
        seed = chance(self.plan.seed, 0, TESTING)
        return matches(self.entrant("student"), pairs, self.components, seed, games, jobs, watch)


@dataclass(frozen=True)
class Distilled(NewStrategy):
    """A strategy that has learnt; what was played is what it learnt from, for one number of players.

    Attributes:
        distilling: how.
    """

    distilling: Distilling

    @property
    def entrant(self) -> Seated:
        return self.distilling.entrant("student")

    def made(self, command: str) -> list[str]:
        teacher = self.distilling.plan.teacher.name
        what = f"Take the option after which a small network expects most; it learnt from {teacher}."
        return [what, "How it was made:", f"  {command}", *self.sentences()]

    def sentences(self) -> list[str]:
        return [trained.sentence() for trained in self.distilling.networks]

    def told(self) -> dict[str, Any]:
        names = "players", "self_play", "asked", "played_on", "explained", "gains", "caution"
        networks = [{name: getattr(trained, name) for name in names} for trained in self.distilling.networks]
        return {"teacher": self.distilling.plan.teacher.name, "networks": networks}


class _Table:
    """Where the games are played: with one number of players, in threads, in the order of the games.

    Attributes:
        clear: see `strategies._looking.value_of`. student_weights: of the policy that everybody plays.
    """

    def __init__(self, of: Distilling, players: int, jobs: int):
        self.game, self.components, self.players, self.jobs = of._game, of.components.record, players, jobs
        self.seed, self.inputs, self.tells = of.plan.seed, of._inputs, of._tells
        record = self.components[0]
        self.student = of._student.load(self.game, record)
        self.plan = of._plan.load(self.game, record)
        self.budget, self.clear, self.student_weights = of.plan.teacher.budget, 1.0, self.student.weights
        self.kernels = kernels_of(of.plan.game)

    def usual_lead(self) -> float:
        """Return the standard deviation of the lead, in the first games."""
        leads = np.concatenate([leads for _, leads in self._spread(self._self_play, SELF_PLAY, 0, ROUND)])
        return float(leads.std()) or 1.0

    def self_play(self, first: int, games: int) -> list[Samples]:
        """Return the rows of self-play, see `analyses.distil.games.self_play`."""
        return [rows for rows, _ in self._spread(self._self_play, SELF_PLAY, first, games)]

    def asked(self, first: int, games: int) -> list[tuple[Samples, int]]:
        """Return the rows of games in which the teacher is asked, and how many it played on."""
        return self._spread(self._asked, TEACHING, first, games)

    def _spread(self, task: Callable[..., Any], purpose: int, first: int, games: int) -> list[Any]:
        span = SPAN if purpose == SELF_PLAY else ASKED_SPAN
        seed = np.uint64(chance(self.seed, self.players, purpose))
        return spread(
            lambda at, count: task(seed, first + at * span, min(span, games - at * span)),
            -(-games // span), 1, self.jobs, lambda blocks: None,
        )  # fmt: skip

    def _self_play(self, seed: Any, first: int, games: int) -> tuple[Samples, np.ndarray]:
        inputs, kinds, values = self._rows(ROWS * games)
        leads = np.zeros(games)
        rows = self._checked(
            entry_of(self.kernels.self_play)(
                self.components[0], self.plan.policy, self.plan.weights, *self._things(2), self.players, first, games,
                seed, self.clear, NOISE, KEPT, self.tells, inputs, kinds, values, leads,
            )
        )  # fmt: skip
        none = np.zeros(rows, np.int64)
        return Samples(inputs[:rows], kinds[:rows], values[:rows], none, none), leads

    def _asked(self, seed: Any, first: int, games: int) -> tuple[Samples, int]:
        inputs, kinds, values = self._rows(ASKED_ROWS * games)
        groups, roles, counts = np.zeros(len(kinds), np.int64), np.zeros(len(kinds), np.int64), np.zeros(1, np.int64)
        states, options, outcomes = self._things(4)
        rows = self._checked(
            entry_of(self.kernels.asked)(
                self.components[0], self.student.policy, self.plan.policy, self.student_weights, self.plan.weights,
                states, options, self._things(1)[1], outcomes, self.players, first, games, seed, self.clear, NOISE,
                ASKED, self.tells, self.budget, inputs, kinds, values, groups, roles, counts,
            )
        )  # fmt: skip
        return Samples(inputs[:rows], kinds[:rows], values[:rows], groups[:rows], roles[:rows]), int(counts[0])

    def _rows(self, most: int) -> tuple[Any, Any, Any]:
        return np.zeros((most, self.inputs), np.float32), np.zeros(most, np.int64), np.zeros(most)

    def _things(self, states: int) -> tuple[Any, Any, Any]:
        _, state, option, outcome = self.game.dtypes
        return records(state, states), records(option, self.game.most_options), records(outcome, 1)

    @staticmethod
    def _checked(rows: int) -> int:
        if rows < 0:
            raise StrategyError("a strategy chose outside its options while it was learning")
        return rows


def chance(seed: int, players: int, purpose: int) -> int:
    """Return the seed of the games for a number of players and a purpose."""
    return int(np.random.default_rng([seed, players, purpose]).integers(2**63))


def gains_of(rows: Samples, all_kinds: int) -> np.ndarray:
    """Return how much more the student's choices brought than the plan's: for each kind of decision Σ d, Σ d², how many
    were asked, and in how many the two differed; float64 (kinds, 4)."""
    mine, plans = rows.roles & 2 > 0, rows.roles & 1 > 0
    d, kind, differ = rows.values[mine] - rows.values[plans], rows.kinds[mine], 1.0 - plans[mine]
    return np.stack([np.bincount(kind, x, all_kinds) for x in (d, d * d, np.ones(len(d)), differ)], axis=1)
