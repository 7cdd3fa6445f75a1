"""What a phase is worth: one player makes its decisions at random, and otherwise everybody plays as always.

We play the same games without random decisions too, with the same dice and seats. Points lost are the difference, block
by block. Wins lost are what is missing to a fair share, which we know because everybody plays the same strategy. The
games without random decisions only tell how lucky the player was, and we subtract as much of that luck as fits best (a
control variate: Owen, "Monte Carlo theory, methods and examples", 2013, section 8.9).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from analyses import frames as pd
from analyses.blocks import BATCH, Watch, between, play_blocks, quick, spread, weight
from analyses.statistics import Floats, interval
from sim import registry
from sim.contract import WHOLE, Game
from sim.printed.components import Components
from sim.runner import Study
from strategies.catalog import Seated

LEAST = 20  # blocks from which a slope can be told


@dataclass(frozen=True)
class Cost:
    """What it costs one player to play a phase at random.

    Attributes:
        level: name of the strategy that all play. phase: what is taken at random. games: played with it, and as many
            without.
        cost, low, high: win share lost of a fair one, with an interval for all phases of the level at once.
        points, points_low, points_high: points lost, likewise.
    """

    level: str
    phase: str
    games: int
    cost: float
    low: float
    high: float
    points: float
    points_low: float
    points_high: float

    @property
    def sure(self) -> bool:
        """Whether it costs wins by more than chance."""
        return self.low > 0


def kinds(game: Game) -> dict[str, int]:
    """Return the phases of a game: heading → set of kinds of decisions, as for `Seated.at_random`, without those that
    only a study asks."""
    phases = {heading: list(asks) for heading, asks in game.phases.items()}
    known = {ask for asks in phases.values() for ask in asks} | {
        held.asks for held in game.things.values() if held.by_study
    }
    phases |= {ask: [ask] for ask in game.asks if ask not in known}
    return {heading: sum(1 << game.asks.index(ask) for ask in asks) for heading, asks in phases.items()}


def costs_of(
    components: Components, players: int, entrant: Seated, games: int, seed: int, jobs: int, watch: Watch
) -> list[Cost]:
    """Play each phase at random, on the same chance as the games without random decisions.

    Args:
        components: what is printed. players: their number. entrant: who plays in every seat. games: of each phase,
            whole blocks.
        seed, jobs, watch: see `analyses.ladder.climb`.
    """
    phases = kinds(registry.load(components.game))
    rotations = players if quick([entrant]) else 1
    casts = [(replace(entrant, at_random=kind), *[entrant] * (players - 1)) for kind in (0, *phases.values())]
    studies = [Study(components.game, players, cast, components.record, seed) for cast in casts]

    def task(first: int, number: int) -> np.ndarray:
        return np.stack(
            [_mine(*play_blocks(study, first, number, rotations)[:1], players, rotations) for study in studies]
        )

    size = max(1, BATCH // (rotations * len(studies))) if quick([entrant]) else 1
    each = weight(players, 2 * entrant.budget)
    found = spread(task, games // rotations, size, jobs, lambda number: watch(number * rotations * len(studies), each))
    usual, *others = np.concatenate(found, axis=1)
    # the others never came up
    asked = {phase: mine for phase, mine in zip(phases, others, strict=True) if (mine != usual).any()}
    return [
        _cost(entrant.name, phase, games, usual, mine, rotations, players, len(asked)) for phase, mine in asked.items()
    ]


def _mine(outcomes: Any, players: int, rotations: int) -> np.ndarray:
    """Return share (sixtieths) and score of the player with the first strategy, totals by block, int64 (blocks, 2)."""
    mine = outcomes["strategy"][:, :players] == 0
    columns = [(outcomes[field][:, :players] * mine).sum(1) for field in ("share", "score")]
    return np.stack(columns, axis=1).reshape(-1, rotations, 2).sum(axis=1)


def _cost(level: str, phase: str, games: int, usual: Any, mine: Any, rotations: int, players: int, family: int) -> Cost:
    before, after = (totals[:, 0] / (WHOLE * rotations) for totals in (usual, mine))
    par = 1 / players
    shares = par - without_luck(after, before, par)
    low, high = between(shares, par - 1, par, family)
    points = (usual[:, 1] - mine[:, 1]) / rotations
    ends = interval(
        points.mean(), points.std(ddof=1) if len(points) > 1 else np.nan, len(points), family, sequential=False
    )
    cost = min(float(shares.mean()), par)
    return Cost(level, phase, games, cost, low, high, float(points.mean()), float(ends[0]), float(ends[1]))


def without_luck(values: Floats, control: Floats, mean: float) -> Floats:
    """Return values without the luck that a control shows whose mean is known, float64 (blocks,); few blocks are left
    as they are.

    Args:
        values, control: by block. mean: of the control.
    """
    spread = float(control.var())
    if len(values) < LEAST or spread == 0:
        return values
    slope = float(np.mean((values - values.mean()) * (control - control.mean()))) / spread
    return values - slope * (control - mean)


def costs_table(costs: Sequence[Cost]) -> "pd.DataFrame":
    """Return a row for each level and phase."""
    return pd.DataFrame([vars(cost) for cost in costs], columns=list(Cost.__dataclass_fields__))


def by_level(costs: Sequence[Cost]) -> Mapping[str, list[Cost]]:
    """Return the costs of each level, in the order of the levels."""
    return {
        level: [cost for cost in costs if cost.level == level] for level in dict.fromkeys(cost.level for cost in costs)
    }
