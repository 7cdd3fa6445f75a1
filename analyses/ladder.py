"""How much skill there is: strategies from the weakest to the strongest, each against the one below at one table.

Each strategy of a step has half of the seats, in turn. They play every set of dice and draws twice and change places
the second time. So they meet the same dice in the same seats, with any number of players, and two equal strategies win
half of the games each. These two games (for quick strategies: those of all rotations) are one block, and blocks are
independent.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import thread_time
from typing import Any

import numpy as np

from analyses import frames as pd
from analyses.blocks import BATCH, Watch, between, play_blocks, quick, spread, weight, whole
from analyses.findings import Survey
from analyses.phases import Cost, costs_of, kinds
from analyses.played import Found, Played
from analyses.request import InReport, Request
from analyses.survey import PlannedLine, able_to_play
from sim import registry
from sim.contract import WHOLE
from sim.printed.components import Components
from sim.runner import StrategyError, Study, prepare
from strategies import catalog
from strategies.catalog import Seated

BUDGETS = (25, 50, 100, 200, 400)  # games played on for a decision
# People wait for a report: two cores play this in about ten seconds.
REPORT_BUDGETS = (20, 40)
REPORT_QUICK, REPORT_PHASE, REPORT_EFFORT, REPORT_LEAST = 4_000, 1_200, 24_000, 40
SHALLOW, DEEP = "rollout", "search"  # thinkers: the first climbs the lower budgets, the second the upper ones
STRONGER, WEAKER, UNDECIDED = "stronger", "weaker", "undecided"


@dataclass(frozen=True)
class Extent:
    """How many games to play: the kind of strategy decides, never a clock.

    Attributes:
        quick: of a step between strategies that do not look ahead. phase: of each phase of such a strategy.
        effort: of a step of those that do: games, times both budgets, times the square of the players. least: but no
            fewer games.
        games: of everything, whatever it is; None: the numbers above.
    """

    quick: int = 40_000
    phase: int = 12_000
    effort: int = 320_000
    least: int = 60
    games: int | None = None

    def step(self, players: int, budget: int) -> int:
        """Return the games of a step; budget: of both strategies together."""
        return self.games or (max(self.least, self.effort // (budget * players * players)) if budget else self.quick)

    def level(self, players: int, budget: int) -> int:
        """Return the games of each phase of a strategy with this budget."""
        return self.games or (
            max(self.least, self.effort // (8 * budget * players * players)) if budget else self.phase
        )


USUAL = Extent()


@dataclass(frozen=True)
class Step:
    """A strategy against the one below.

    Attributes:
        strategy, below: names. games, blocks: played.
        win_share, low, high: of the games, how many the strategy wins (half of the seats are its own: par is a half).
        score, score_below: mean points of a seat. better_wins: of all pairs of seats, one of each, how often the
            strategy's has more points (the same counts half). decisions: in a game. seconds_a_game: of one core; a
            measurement, so never the same twice.
    """

    strategy: str
    below: str
    games: int
    blocks: int
    win_share: float
    low: float
    high: float
    score: float
    score_below: float
    better_wins: float
    decisions: float
    seconds_a_game: float

    @property
    def word(self) -> str:
        """Whether the strategy is "stronger" or "weaker" than the one below by more than chance, or "undecided"."""
        return STRONGER if self.low > 0.5 else WEAKER if self.high < 0.5 else UNDECIDED


@dataclass(frozen=True)
class Ladder(Found):
    """All steps and costs that were found; Ctrl-C leaves out what was not finished. Games, blocks and decisions are
    those of all steps.

    Attributes:
        rungs: names of all strategies, from the bottom. budgets: of those that look ahead. steps, costs: what was
            found.
    """

    rungs: tuple[str, ...]
    budgets: tuple[int, ...]
    steps: tuple[Step, ...]
    costs: tuple[Cost, ...]

    @property
    def all_games(self) -> int:
        """Number of games played for what was found; those without anything at random once for each level."""
        bases = {cost.level: cost.games for cost in self.costs}
        return sum(step.games for step in self.steps) + sum(cost.games for cost in self.costs) + sum(bases.values())


@dataclass(frozen=True)
class LadderPlan:
    """What is to be played: entrants from the bottom, and those of them for which phases are taken at random."""

    game: str
    players: int
    rungs: tuple[Seated, ...]
    levels: tuple[Seated, ...]
    budgets: tuple[int, ...]
    extent: Extent

    def step(self, at: int) -> int:
        """Return the games of the step to a rung."""
        block = 2 * (self.players if quick(self.rungs[at - 1 : at + 1]) else 1)
        return whole(self.extent.step(self.players, self._budget(at)), block)

    def level(self, entrant: Seated) -> int:
        """Return the games of each phase of a level."""
        rotations = self.players if quick([entrant]) else 1
        return whole(self.extent.level(self.players, entrant.budget), rotations)

    def work(self) -> float:
        """Return how long all of it takes, in games of quick strategies."""
        phases = 1 + len(kinds(registry.load(self.game)))
        steps = sum(self.step(at) * weight(self.players, self._budget(at)) for at in range(1, len(self.rungs)))
        return steps + phases * sum(
            self.level(entrant) * weight(self.players, 2 * entrant.budget) for entrant in self.levels
        )

    def _budget(self, at: int) -> int:
        return self.rungs[at - 1].budget + self.rungs[at].budget


def plan(
    game: str, players: int, budgets: Sequence[int] = BUDGETS, extent: Extent = USUAL, *, brief: bool = False
) -> LadderPlan:
    """Return the rungs of a game, and the levels at which phases are taken at random: all but the lowest, and the first
    that looks ahead.

    Args:
        game: name. players: their number. budgets: of those that look ahead, rising; the lower half by rollout, the
            upper half by search, the one in the middle by both. extent: how much to play.
        brief: all budgets by rollout, and no level that looks ahead.

    Raises:
        StrategyError: fewer than two strategies can play with so many.
    """
    able = list(able_to_play(game, catalog.ladder(game), players).values())
    if players < 2 or len(able) < 2:
        raise StrategyError(
            f"--players {players}: a ladder needs two players and two strategies that can play with so many"
        )
    texts = [
        f"{SHALLOW}:{able[-1].name}@{budget}" for budget in (budgets if brief else budgets[: len(budgets) // 2 + 1])
    ]
    texts += [f"{DEEP}:{able[-1].name}@{budget}" for budget in (() if brief else budgets[len(budgets) // 2 :])]
    looking = [catalog.entrant(game, text, players) for text in texts]
    return LadderPlan(
        game, players, (*able, *looking), (*able[1:], *looking[: 0 if brief else 1]), tuple(budgets), extent
    )


def climb(
    request: Request,
    asked: LadderPlan,
    watch: Watch = lambda games, weight: None,
    begins: Callable[[str], None] = lambda words: None,
) -> Ladder:
    """Play all steps, then all phases at random; Ctrl-C ends it early and keeps the steps and levels that were
    finished.

    Args:
        request: what is asked for. asked: see `plan`. watch: called with further games, and with how many quick ones
            each is worth.
        begins: called with words for what comes next.

    Raises:
        StrategyError: see `sim.runner.play`.
    """
    components, seed, jobs = request.components, request.seed, request.jobs
    steps: list[Step] = []
    costs: list[Cost] = []
    interrupted = False
    prepare(registry.load(asked.game), (*asked.rungs, *asked.levels), components.record)
    try:
        for at in range(1, len(asked.rungs)):
            begins(f"{asked.rungs[at].name} against {asked.rungs[at - 1].name}")
            steps.append(_step(components, asked, at, seed, jobs, watch))
        for entrant in asked.levels:
            begins(f"{entrant.name}, a phase at random")
            costs += costs_of(components, asked.players, entrant, asked.level(entrant), seed, jobs, watch)
    except KeyboardInterrupt:
        interrupted = True
    names = tuple(entrant.name for entrant in asked.rungs)
    played = Played(
        components, asked.players, names, seed, None, sum(step.games for step in steps),
        sum(step.blocks for step in steps), sum(round(step.decisions * step.games) for step in steps),
        interrupted=interrupted,
    )  # fmt: skip
    return Ladder(played, names, asked.budgets, tuple(steps), tuple(costs))


# --- steps ------------------------------------------------------------------------------------------------------------


def _step(components: Components, asked: LadderPlan, at: int, seed: int, jobs: int, watch: Watch) -> Step:
    below, above = asked.rungs[at - 1 : at + 1]
    players, rotations = asked.players, asked.players if quick((below, above)) else 1
    casts = [tuple((above, below)[(i + swap) % 2] for i in range(players)) for swap in range(2)]
    studies = [Study(asked.game, players, cast, components.record, seed) for cast in casts]
    games = asked.step(at)
    blocks, in_block = games // (2 * rotations), 2 * rotations

    def task(first: int, number: int) -> tuple[np.ndarray, int, float]:
        start, totals, made = thread_time(), np.zeros((number, 4), np.int64), 0
        for swap, study in enumerate(studies):
            outcomes, decisions = play_blocks(study, first, number, rotations)
            totals += block_totals(outcomes, players, rotations, outcomes["strategy"][:, :players] % 2 == swap)
            made += decisions
        return totals, made, thread_time() - start

    size = max(1, BATCH // in_block) if rotations == players and quick((below, above)) else 1
    each = weight(players, below.budget + above.budget)
    found = spread(task, blocks, size, jobs, lambda number: watch(number * in_block, each))
    totals = np.concatenate([part[0] for part in found])
    low, high = between(totals[:, 0] / (WHOLE * in_block), 0.0, 1.0, len(asked.rungs) - 1)
    pairs, seats = 2 * games * (players // 2) * (players - players // 2), games * players / 2
    share, score, other, ahead = (int(total) for total in totals.sum(axis=0))
    decisions, seconds = (sum(part[at] for part in found) / games for at in (1, 2))
    return Step(
        above.name, below.name, games, blocks, share / (WHOLE * games), low, high, score / seats, other / seats,
        ahead / pairs, decisions, seconds,
    )  # fmt: skip


def block_totals(outcomes: Any, players: int, rotations: int, mine: np.ndarray) -> np.ndarray:
    """Return the totals of each block, int64 (blocks, 4): share of my seats (sixtieths), score of mine, score of the
    others, and twice the pairs of seats (one of mine, one of the others) in which mine has more points, the same
    counted half.

    Args:
        outcomes: records of `rotations` games of each block. players: seats in use. mine: bool (games, players), which
            seats are mine.
    """
    score, share = outcomes["score"][:, :players], outcomes["share"][:, :players]
    ahead = 2 * (score[:, :, None] > score[:, None, :]) + (score[:, :, None] == score[:, None, :])
    pairs = (ahead * (mine[:, :, None] & ~mine[:, None, :])).sum((1, 2))
    columns = ((share * mine).sum(1), (score * mine).sum(1), (score * ~mine).sum(1), pairs)
    return np.stack(columns, axis=1).reshape(-1, rotations, 4).sum(axis=1)


# --- tables -----------------------------------------------------------------------------------------------------------


def steps_table(ladder: Ladder, seconds: bool = True) -> "pd.DataFrame":
    """Return a row for each step; `seconds`: include the times."""
    rows = [{**vars(step), "word": step.word} for step in ladder.steps]
    names = [*Step.__dataclass_fields__, "word"]
    return pd.DataFrame(rows, columns=[name for name in names if seconds or name != "seconds_a_game"])


# --- in a report ------------------------------------------------------------------------------------------------------


def _of_report(request: Request) -> LadderPlan | None:
    """Return what a report plays, at the game's usual number of players if that is one of its own; None if there is no
    ladder."""
    usual, most = registry.usual_players(request.game), request.up_to(REPORT_QUICK)
    effort, least = REPORT_EFFORT * most // REPORT_QUICK, max(2, REPORT_LEAST * most // REPORT_QUICK)
    extent = Extent(most, min(most, REPORT_PHASE), effort, least)
    try:
        return plan(
            request.game,
            usual if usual in request.players else max(request.players),
            REPORT_BUDGETS,
            extent,
            brief=True,
        )
    except StrategyError:  # one player alone, or nobody to compare with
        return None


def _total(request: Request, lines: Sequence[PlannedLine]) -> int:
    asked = _of_report(request)
    return round(asked.work()) if asked else 0


def _add(survey: Survey, request: Request, lines: Sequence[PlannedLine], watch: Watch) -> Survey:
    asked = _of_report(request)
    if asked is None:
        return survey
    found = climb(request, asked, watch)
    return survey.with_findings([asked], [found], [], ladder=found)


IN_REPORT = InReport(_total, _add)
