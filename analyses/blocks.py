"""Blocks that we keep one by one, for questions about few of them, and intervals for their means."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from analyses.statistics import Floats, fixed_half_width
from sim.runner import Study, gather, play
from strategies.catalog import Seated

BATCH = 2_000  # games of quick strategies in one task
# about how many games of quick strategies, times players, a game costs for each game that is played on for a decision
LOOKING = 12
Watch = Callable[[int, float], None]  # further games, and how many quick ones each of them is worth


class ByNumber(dict[Any, Any]):
    """The results of tasks, by number; results with the same number add up."""

    def __add__(self, other: "ByNumber") -> "ByNumber":
        return ByNumber({**self, **other, **{key: self[key] + other[key] for key in self.keys() & other.keys()}})


def weight(players: int, budget: int) -> float:
    """Return about how many games of quick strategies one game costs; budget: of two players together."""
    return 1.0 + LOOKING * players * budget


def quick(entrants: Sequence[Seated]) -> bool:
    """Return whether no strategy among these looks ahead."""
    return not any(entrant.budget for entrant in entrants)


def whole(games: int, block: int) -> int:
    """Return games rounded up to whole blocks."""
    return -(-games // block) * block


def spread(
    task: Callable[[int, int], Any], blocks: int, size: int, jobs: int, watch: Callable[[int], None]
) -> list[Any]:
    """Return a task's results for all blocks, in the order of the blocks, whoever played them in whatever order.

    Args:
        task: called with the first block and the number of blocks. blocks: all. size: most of one task. jobs: threads.
        watch: called with the number of blocks just played.

    Raises:
        KeyboardInterrupt: Ctrl-C.
    """
    found, stopped = gather(
        lambda first, number: ByNumber({first: task(first, number)}),
        ByNumber(),
        blocks,
        size=size,
        jobs=jobs,
        watch=watch,
    )
    if stopped:
        raise KeyboardInterrupt
    return [found[first] for first in sorted(found)]


def play_blocks(study: Study, first: int, blocks: int, rotations: int) -> tuple[Any, int]:
    """Return the outcomes and decisions of some blocks: all rotations, or only the first ones."""
    players = study.players
    if rotations == players:
        return play(study, first * players, blocks * players)
    parts = [play(study, block * players, rotations) for block in range(first, first + blocks)]
    return np.concatenate([outcomes for outcomes, _ in parts]), sum(decisions for _, decisions in parts)


def between(values: Floats, least: float, most: float, family: int) -> tuple[float, float]:
    """Return the ends of a simultaneous interval for a mean of few blocks: one pseudo-block is added at each end of the
    range.

    Without them, a handful of nearly identical blocks would look like knowledge.

    Args:
        values: of blocks. least, most: their range. family: number of intervals that must hold at once.
    """
    v = np.array([*values, least, most])
    half = float(fixed_half_width(v.std(ddof=1), len(v), family))
    return max(least, float(v.mean()) - half), min(most, float(v.mean()) + half)
