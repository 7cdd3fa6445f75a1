"""One number through a range of values, all on the same chance: how a measure follows it, and where the measure reaches
a goal.

A block's values stand in one vector, so the curve, its band and the changes from the printed value share one matrix of
errors. The band holds at all values at once, and so do the changes, each as its own family.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from analyses import frames as pd
from analyses.measures import Measure, fresh
from analyses.played import Found
from analyses.request import Request
from analyses.statistics import interval
from sim import registry
from sim.contract import Entrant
from sim.dealing import powerless
from sim.moments import Moments
from sim.printed.components import Components
from sim.printed.levers import numeric, orders
from sim.runner import Study, gather, play, prepare

GAMES = 20_000  # of each value
BATCH = 1_000  # games of each value: one task plays them all
HOLDS, FAILS, OPEN = "holds", "does not hold", "undecided"
AGAIN = 1  # number of the fresh chance on which a finding is checked


@dataclass(frozen=True)
class Crossing:
    """A stretch of values where the band contains the goal, and where the curve reaches it.

    Attributes:
        value: where straight lines between the estimates reach the goal; NaN if only the band does.
        low, high: ends of the stretch. open_low, open_high: whether it goes on beyond the values that were played.
        below, above: the values played on both sides of `value`; nearest: the one of them nearer to it.
    """

    value: float
    low: float
    high: float
    open_low: bool
    open_high: bool
    below: Any
    above: Any
    nearest: Any


@dataclass(frozen=True)
class Recheck:
    """A crossing measured again in fresh games, at the values next to it.

    Attributes:
        word: "holds" if the estimates lie on both sides of the goal again, or on it; "undecided" if they don't, but one
            of the intervals holds the goal; else "does not hold". curve: as in `Sweep`. seed, games: of the check.
    """

    word: str
    seed: int
    games: int
    curve: "pd.DataFrame" = field(repr=False)


@dataclass(frozen=True)
class Goal:
    """Where the measure reaches a goal.

    Attributes:
        target: the goal. crossings: all stretches, from the lowest; empty if it is not reached within the values.
        nearest: the value whose estimate is nearest to the goal. checks: one for each crossing with a value, fewer if
            stopped.
    """

    target: float
    crossings: tuple[Crossing, ...]
    nearest: Any
    checks: tuple[Recheck, ...] = ()

    @property
    def reached(self) -> tuple[Crossing, ...]:
        """The crossings of the curve itself, not only of its band."""
        return tuple(crossing for crossing in self.crossings if crossing.value == crossing.value)


@dataclass(frozen=True)
class Sweep(Found):
    """How a measure follows one number, for one number of players and one way to play.

    Attributes:
        path: the number. printed: its value in the components.
        about: what the number is, for people; "" if the game does not say. measure: see `analyses.measures`.
        curve: table with value, estimate, low, high, change, change_low, change_high (against the printed value) and
            verdict ("" for a measure of which no value is fair). found: where a goal is reached, None if none was
            given.
    """

    path: str
    about: str
    printed: Any
    measure: Measure
    curve: "pd.DataFrame" = field(repr=False)
    found: Goal | None = None

    @property
    def order(self) -> bool:
        """Whether the number is a place in an order: then another thing gets the place that becomes free."""
        return any(self.path in group for group in orders(registry.load(self.game)))

    @property
    def moved(self) -> bool:
        """Whether any value differs from the printed one by more than chance."""
        return bool(((self.curve["change_low"] > 0) | (self.curve["change_high"] < 0)).any())

    @property
    def numeric(self) -> bool:
        """Whether the values are numbers."""
        return numeric(list(self.curve["value"]))

    @property
    def all_games(self) -> int:
        """Number of games of all values together, those of the checks included."""
        checks = self.found.checks if self.found else ()
        return self.games * len(self.curve) + sum(check.games * len(check.curve) for check in checks)

    @property
    def straight(self) -> int:
        """1 if the curve only rises, −1 if it only falls, 0 if it does neither; of the estimates."""
        steps = np.diff(self.curve["estimate"].to_numpy())
        return 1 if (steps > 0).all() else -1 if (steps < 0).all() else 0


def play_values(
    variants: Sequence[tuple[Any, "Components"]],
    asked: Measure,
    players: int,
    entrants: Sequence[Entrant],
    seed: int,
    games: int,
    *,
    jobs: int = -1,
    watch: Callable[[int], None] = lambda games: None,
) -> tuple[Moments, int, bool]:
    """Play all values on the same chance.

    Args:
        variants: value and the components with it. asked: what is measured. players, entrants, seed: see
            `sim.runner.Study`.
        games: of each value, rounded up to whole blocks. jobs: threads.
        watch: called with the number of games just played, over all values.

    Returns:
        Sums over blocks of the vector of all values; games of a block; whether it was stopped by hand.
    """
    game, deal = registry.load(variants[0][1].game), asked.deal
    studies = []
    for _, components in variants:
        record = powerless(components, deal.kind, game) if deal is not None and deal.powers else components.record
        studies.append(Study(game.name, players, tuple(entrants), record, seed, deal))
    for study in studies:
        prepare(game, entrants, study.components)
    size, strata = len(studies[0].plan), deal.strata(game) if deal is not None else 1
    blocks = -(-games // (size * strata)) * strata

    def task(first: int, count: int) -> Moments:
        columns = [
            asked.of_blocks(game, play(study, first * size, count * size)[0], players, first) for study in studies
        ]
        return Moments.of(np.stack(columns, axis=1), first, strata)

    blank = Moments.blank(len(studies), strata)
    total, interrupted = gather(
        task,
        blank,
        blocks,
        size=max(1, BATCH // size),
        jobs=jobs,
        watch=lambda count: watch(count * size * len(studies)),
    )
    return total, size, interrupted


def curve_of(
    values: Sequence[Any], asked: Measure, total: Moments, printed: Any, margin: float, sequential: bool
) -> "pd.DataFrame":
    """Return the curve as a table; see `Sweep`."""
    count, at = len(values), values.index(printed) if printed in values else -1
    # Whole weights: what is the same in every block differs by exactly 0.
    value, s = (asked.factor * part for part in total.weighted(np.eye(count)))
    low, high = interval(value, s, total.blocks, count, sequential=sequential, least=asked.least, most=asked.most)
    table: dict[str, Any] = {"value": values, "estimate": value, "low": low, "high": high}
    if at >= 0:
        against = np.eye(count) - np.eye(count)[at]
        change, s = (asked.factor * part for part in total.weighted(against))
        ends = interval(change, s, total.blocks, max(count - 1, 1), sequential=sequential)
        # If every block is the same, nothing has happened: that is known, not estimated.
        same = (change == 0) & (s == 0) if total.blocks > 1 else np.arange(count) == at
        table |= {"change": change} | {
            name: np.where(same, 0.0, end) for name, end in zip(("change_low", "change_high"), ends, strict=True)
        }
    else:
        table |= dict.fromkeys(("change", "change_low", "change_high"), np.full(count, np.nan))
    table["verdict"] = [asked.verdict(a, b, margin) for a, b in zip(low, high, strict=True)]
    return pd.DataFrame(table)


def sweep(
    request: Request,
    variants: Sequence[tuple[Any, Components]],
    path: str,
    printed: Any,
    asked: Measure,
    entrants: Sequence[Entrant],
    *,
    target: float | None = None,
    about: str = "",
    watch: Callable[[int], None] = lambda games: None,
    checking: Callable[[int], None] = lambda games: None,
) -> Sweep:
    """Play every value of a number on the same chance, look for a goal, and check it in fresh games.

    Args:
        request: what is played, with games of each value, and of each value of a check.
        variants: value and the components with it, rising where the values are numbers. path: of the number.
        printed: its value in the game as it is. asked: what is measured. entrants: the strategies.
        target: the goal, in the unit of the measure; None: none. about: see `Sweep`.
        watch: called with the number of games just played. checking: called with the number of games that the checks
            will have.

    Returns:
        What was found; Ctrl-C ends it early and keeps the blocks that all values have.

    Raises:
        StrategyError: see `sim.runner.play`.
    """
    (players,), games = request.players, request.games or GAMES

    def measured(
        pairs: Sequence[tuple[Any, Components]], printed: Any, seed: int
    ) -> "tuple[pd.DataFrame, int, int, bool]":
        """Return a curve, its games and blocks, and whether Ctrl-C ended it early."""
        total, size, stopped = play_values(pairs, asked, players, entrants, seed, games, jobs=request.jobs, watch=watch)
        curve = curve_of([value for value, _ in pairs], asked, total, printed, request.margin, stopped)
        return curve, total.blocks * size, total.blocks, stopped

    curve, played, blocks, stopped = measured(variants, printed, request.seed)
    found = find(curve, target) if target is not None and blocks else None
    if found is not None and not stopped:
        beside = [
            [pair for pair in variants if pair[0] in (crossing.below, crossing.above)] for crossing in found.reached
        ]
        checking(games * sum(map(len, beside)))
        for number, pairs in enumerate(beside):
            seed = fresh(request.seed, AGAIN + number)
            again, more, _, stopped = measured(pairs, None, seed)
            if more:
                found = replace(found, checks=(*found.checks, Recheck(checked(again, found.target), seed, more, again)))
            if stopped:
                break
    facts = request.played(players, entrants, games=played, blocks=blocks, sequential=stopped, interrupted=stopped)
    return Sweep(facts, path, about, printed, asked, curve, found)


def checked(curve: "pd.DataFrame", target: float) -> str:
    """Return whether a goal is reached again between the values of a check; see `Recheck`."""
    off = curve["estimate"].to_numpy() - target
    if off.min() <= 0 <= off.max():
        return HOLDS
    return OPEN if ((curve["low"] <= target) & (target <= curve["high"])).any() else FAILS


def find(curve: "pd.DataFrame", target: float) -> Goal:
    """Return where a curve reaches a goal: straight lines between the values, and wherever its band holds the goal.

    Args:
        curve: with value (numbers, rising), estimate, low, high. target: the goal.
    """
    x = curve["value"].to_numpy(float)
    off, low, high = (curve[name].to_numpy(float) - target for name in ("estimate", "low", "high"))
    nearest = list(curve["value"])[int(np.argmin(np.abs(off).round(12)))]
    hits = _zeros(x, off)
    crossings: list[Crossing] = []
    for a, b in _stretches(x, low, high):
        inside = [hit for hit in hits if a <= hit <= b]
        for hit in inside or [float("nan")]:
            below, above, near = _beside(list(curve["value"]), hit) if inside else (None, None, nearest)
            crossings.append(Crossing(hit, a, b, a == float(x[0]), b == float(x[-1]), below, above, near))
    return Goal(target, tuple(crossings), nearest)


def _zeros(x: np.ndarray, y: np.ndarray) -> list[float]:
    """Return where straight lines through points are zero; of points in a row that are, the first and the last."""
    found = []
    for at in range(len(x)):
        runs_on = 0 < at < len(x) - 1 and y[at - 1] == 0 and y[at + 1] == 0
        if y[at] == 0 and not runs_on:
            found.append(float(x[at]))
        if at + 1 < len(x) and y[at] * y[at + 1] < 0:
            found.append(float(x[at] + (x[at + 1] - x[at]) * y[at] / (y[at] - y[at + 1])))
    return found


def _stretches(x: np.ndarray, low: np.ndarray, high: np.ndarray) -> list[tuple[float, float]]:
    """Return where a band with straight edges holds zero, as ends of stretches."""
    edges = sorted({*map(float, x), *_zeros(x, low), *_zeros(x, high)})

    def holds(at: float) -> bool:
        return bool(np.interp(at, x, low) <= 1e-12 and np.interp(at, x, high) >= -1e-12)

    found: list[tuple[float, float]] = []
    begun = None
    for i, at in enumerate(edges):
        if holds(at) and begun is None:
            begun = at
        ends = i + 1 == len(edges) or not holds((at + edges[i + 1]) / 2)
        if begun is not None and ends:
            found.append((begun, at))
            begun = None
    return found


def _beside(values: list[Any], hit: float) -> tuple[Any, Any, Any]:
    """Return the values on both sides of a crossing, and the nearer one; a value that is hit is on both."""
    below = max(value for value in values if value <= hit + 1e-12)
    above = min(value for value in values if value >= hit - 1e-12)
    return below, above, below if hit - below <= above - hit else above
