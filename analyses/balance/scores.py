"""How far the seats and things of a set of components are from balance: what the search for a balanced game
compares."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from analyses.evidence import Estimate, Evidence
from analyses.statistics import FIRST_LOOK, fixed_half_width, sequence_half_width
from analyses.worth.worth import SHARE, deal_out
from sim import registry
from sim.dealing import Deal
from sim.printed.components import Components
from sim.runner import Study, run

SEATS = "seats"
BATCH = 1_000  # games
UNKNOWN = 1.0  # spread of win index among blocks where too few were played to tell


class HaltError(Exception):
    """Somebody pressed Ctrl-C during a measurement."""


@dataclass(frozen=True)
class Scores:
    """How far each seat's win index is from 1 and each thing's worth from 0, as measured.

    Attributes:
        value: float64 (scores,). error: standard error of each. half: half the width that the interval of a verdict
            would have, about.
    """

    value: np.ndarray
    error: np.ndarray
    half: np.ndarray

    @classmethod
    def of(cls, found: Estimate, blocks: int, sequential: bool, most: int) -> "Scores":
        """Return the scores of a family of estimates.

        Args:
            found: how far they are off, with intervals that hold together. blocks: that they rest on. sequential: see
                `interval`.
            most: blocks that a verdict rests on.
        """
        family, width = len(found.value), sequence_half_width if sequential else fixed_half_width
        unit = float(width(1.0, blocks, family))
        spread = (found.high - found.low) / 2 / unit if math.isfinite(unit) else np.full(family, UNKNOWN)
        spread = np.where(spread > 0, spread, UNKNOWN)  # nobody has won yet, or nothing is known of it
        return cls(
            found.value, spread / math.sqrt(max(blocks, 1)), sequence_half_width(spread, max(most, FIRST_LOOK), family)
        )

    @classmethod
    def joined(cls, parts: "Sequence[Scores]") -> "Scores":
        """Return the scores of several families in one."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("value", "error", "half")))

    def __and__(self, other: "Scores") -> "Scores":
        """Return what two measurements on different chance say together: each counts by its precision."""
        ours, theirs = 1 / self.error**2, 1 / other.error**2
        value = (ours * self.value + theirs * other.value) / (ours + theirs)
        return Scores(value, 1 / np.sqrt(ours + theirs), self.half)


@dataclass(frozen=True)
class Candidate:
    """A set of components that was measured.

    Attributes:
        components: the set. changes: path → value before, value after. size: of all changes, in shares of their ranges.
        scores: all that was measured of it together, in the order of the seats, then the things of each kind.
    """

    components: Components
    changes: dict[str, tuple[Any, Any]]
    size: float
    scores: Scores = field(repr=False)

    def outside(self, margin: float) -> float:
        """Return by how much win indices lie outside a margin, all together."""
        return float(outside(self.scores.value, margin))


def outside(scores: np.ndarray, margin: "float | np.ndarray") -> np.ndarray:
    """Return by how much deviations (…, scores) lie outside a margin, all together; float64 (…)."""
    return np.asarray(np.maximum(np.abs(scores) - margin, 0).sum(axis=-1))


def measure(
    study: Study, targets: Sequence[str], games: int, most: int, jobs: int, watch: Callable[[int], None]
) -> Scores:
    """Return how far each seat's win index is from 1 and each thing's worth from 0.

    Args:
        study: what is played, without a deal. targets: SEATS and kinds of things. games: of each of them.
        most: games of a verdict. jobs: threads, −1 for all cores. watch: called with the number of games just played.

    Raises:
        HaltError: by hand.
    """
    found = []
    for target in targets:
        if target == SEATS:
            played = run(study, games=games, jobs=jobs, watch=watch)
            evidence = Evidence(registry.load(study.game), study.players, (), played.sums, False)
            off = Estimate(*(part * study.players - 1 for part in evidence.shares(evidence.seats)))
            blocks, size, stopped = played.sums.blocks, study.players, played.interrupted
        else:
            dealt = replace(study, deal=Deal(target, powers=False))
            sums, stopped = deal_out(
                dealt, lambda sums: True, games=games, max_games=games, jobs=jobs, batch=BATCH, watch=watch
            )
            off, blocks, size = sums.estimate("worth", SHARE), sums.moments.blocks, len(dealt.plan)
        if stopped:
            raise HaltError
        found.append(Scores.of(off, blocks, False, most // size))
    return Scores.joined(found)
