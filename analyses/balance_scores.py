"""How far the seats and the things of a set of components are from being balanced: what the search for a balanced game compares."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from analyses import worth
from analyses.evidence import Evidence
from sim import registry
from sim.contract import Chair
from sim.dealing import IN_TURN, Deal
from sim.moments import Moments
from sim.runner import Study, gather, prepare, run

if TYPE_CHECKING:
    from sim.components import Components

SEATS = "seats"
BATCH = 1_000  # games


class HaltError(Exception):
    """Ctrl-C was pressed while something was measured."""


@dataclass(frozen=True)
class Candidate:
    """A set of components that was measured.

    Attributes:
        components: the set. changes: path → value before, value after. size: of all changes, weighted steps.
        scores: how far each seat's win index is from 1 and each thing's worth from 0, in the order of `Search.names`.
    """

    components: "Components"
    changes: dict[str, tuple[Any, Any]]
    size: float
    scores: np.ndarray = field(repr=False)

    def outside(self, margin: float) -> float:
        """Return by how much win indices lie outside a margin, all together."""
        return outside(self.scores, margin)


def outside(scores: np.ndarray, margin: float) -> float:
    """Return by how much deviations lie outside a margin, all together."""
    return float(np.maximum(np.abs(scores) - margin, 0).sum())


def deviations(
    components: "Components",
    targets: Sequence[str],
    players: int,
    chairs: Sequence[Chair],
    seed: int,
    games: int,
    jobs: int,
    watch: Callable[[int], None],
) -> np.ndarray:
    """Return how far each seat's win index is from 1 and each thing's worth from 0; see `Search` for the arguments.

    Raises:
        HaltError: by hand.
    """
    game, found = registry.load(components.game), []
    for target in targets:
        if target == SEATS:
            played = run(Study(game.name, players, tuple(chairs), components.record, seed), games=games, jobs=jobs, watch=watch)
            if played.interrupted:
                raise HaltError
            evidence = Evidence(game, players, tuple(chair.name for chair in chairs), played.sums, False)
            found.append(evidence.shares(evidence.seats).value * players - 1)
        else:
            found.append(_worths(components, target, players, chairs, seed, games, jobs, watch))
    return np.concatenate(found)


def _worths(
    components: "Components",
    kind: str,
    players: int,
    chairs: Sequence[Chair],
    seed: int,
    games: int,
    jobs: int,
    watch: Callable[[int], None],
) -> np.ndarray:
    game, deal = registry.load(components.game), Deal(kind, IN_TURN, powers=False)
    asked, strata = worth.study(components, deal, players, chairs, seed), deal.strata(game)
    size = len(asked.plan)

    def task(first: int, blocks: int) -> Moments:
        return Moments.of(worth.totals(asked, first, blocks)[0], first, strata)

    prepare(game, chairs, asked.components)
    width = math.prod(worth.Dealt(game, players, deal, Moments.blank(0), 0, False).shape)
    most = -(-games // (size * strata)) * strata
    total, stopped = gather(
        task, Moments.blank(width, strata), most, size=max(1, BATCH // size), jobs=jobs, watch=lambda blocks: watch(blocks * size)
    )
    if stopped:
        raise HaltError
    return worth.Dealt(game, players, deal, total, 0, False).estimate("worth", worth.SHARE).value
