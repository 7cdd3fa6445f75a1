"""The difference between two runs with the same chance: changes with intervals, from sums of differences by block."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analyses.evidence import Estimate, Evidence
from analyses.statistics import Floats, interval, ratio
from sim.contract import WHOLE, Game
from sim.outcomes import NY, YY, Y
from sim.paired import Paired


@dataclass(frozen=True)
class Difference:
    """One of several runs compared with the first of them; groups are those of `sim.outcomes`.

    Attributes:
        game: the game. players: number of players. strategies: their names. paired: the runs. at: which of them is
            compared with the first.
        sequential: whether intervals must hold whenever the run stops.
    """

    game: Game
    players: int
    strategies: tuple[str, ...]
    paired: Paired
    at: int
    sequential: bool = False

    @property
    def before(self) -> Evidence:
        """What the first run shows by itself."""
        return self._evidence(0)

    @property
    def after(self) -> Evidence:
        """What the other run shows by itself."""
        return self._evidence(self.at)

    def change(self, groups: Sequence[int], name: str, family: int | None = None) -> Estimate:
        """Return the change of a mean by group, with simultaneous intervals over the groups.

        Args:
            groups: see `sim.outcomes`. name: one of the columns that were compared; "share" is the win share.
            family: number of intervals that hold together; if not given, those of the groups that were seen.
        """
        end = 1.0 if name == "share" else np.inf
        return self._estimate(self._moments(self.paired.changes[self.at], groups, name), name, family, -end, end)

    def side(self, after: bool, groups: Sequence[int], name: str, family: int | None = None) -> Estimate:
        """Return a mean by group of the first run or of the other one; arguments as for `change`."""
        least, most = (0.0, 1.0) if name == "share" else (-np.inf, np.inf)
        return self._estimate(
            self._moments(self.paired.totals[self.at if after else 0], groups, name), name, family, least, most
        )

    def saved(self, groups: Sequence[int], name: str) -> Floats:
        """Return how many times as many games runs with separate chance would need for the same intervals; NaN if
        nothing differs."""
        before, after, together = self._spreads(groups, name)
        return (before**2 + after**2) / np.where(together > 0, together, np.nan) ** 2

    def correlation(self, groups: Sequence[int], name: str) -> Floats:
        """Return how strongly the values of a block in both runs go together, from −1 to 1; NaN where one of them never
        varies."""
        before, after, together = self._spreads(groups, name)
        product = 2 * before * after
        return np.clip((before**2 + after**2 - together**2) / np.where(product > 0, product, np.nan), -1, 1)

    def _spreads(self, groups: Sequence[int], name: str) -> tuple[Floats, Floats, Floats]:
        """Return the standard deviations of a block's contribution: to the mean before, to that after, to their
        difference."""
        sums = self.paired.totals[0], self.paired.totals[self.at], self.paired.changes[self.at]
        before, after, together = (self._moments(part, groups, name)[1] for part in sums)
        return before, after, together

    def _estimate(
        self, moments: tuple[Floats, Floats], name: str, family: int | None, least: float, most: float
    ) -> Estimate:
        m, s = (part / WHOLE if name == "share" else part for part in moments)
        family = int(np.isfinite(m).sum()) if family is None else family
        return Estimate(
            m, *interval(m, s, self.paired.blocks, family, sequential=self.sequential, least=least, most=most)
        )

    def _evidence(self, at: int) -> Evidence:
        return Evidence(self.game, self.players, self.strategies, self.paired.sums[at], self.sequential)

    def _moments(self, sums: np.ndarray, groups: Sequence[int], name: str) -> tuple[Floats, Floats]:
        """Return the mean of a column, from the sums of block totals, and the standard deviation of a block's
        contribution to it."""
        d = sums[list(groups), self.paired.names.index(name)]
        n = self.paired.sums[0].entries[list(groups)]
        return ratio(d[:, Y], n[:, 0], d[:, YY], d[:, NY], n[:, 1], self.paired.blocks)
