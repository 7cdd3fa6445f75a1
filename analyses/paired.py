"""What differs between two runs that met the same chance: changes with intervals, from the sums of differences by block."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analyses.evidence import Estimate, Evidence
from analyses.statistics import Floats, interval, ratio
from sim.contract import WHOLE, Game
from sim.outcomes import COLUMNS, NY, YY, Y
from sim.paired import Paired


@dataclass(frozen=True)
class Difference:
    """One of several runs beside the first of them, ready to be asked; groups are those of `sim.outcomes`.

    Attributes:
        game: the game. players: number of players. strategies: their names. paired: the runs. at: which of them is compared with the first.
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

    def change(self, groups: Sequence[int], name: str) -> Estimate:
        """Return the change of a mean by group, with simultaneous intervals over the groups.

        Args:
            groups: see `sim.outcomes`. name: one of the columns that were compared; "share" is the win share.
        """
        unit, end = (1 / WHOLE, 1.0) if name == "share" else (1.0, np.inf)
        m, s = self._moments(groups, name)
        m, s = m * unit, s * unit
        family = int(np.isfinite(m).sum())
        return Estimate(m, *interval(m, s, self.paired.blocks, family, sequential=self.sequential, least=-end, most=end))

    def saved(self, groups: Sequence[int], name: str) -> Floats:
        """Return how many times as many games runs with different chance would need for the same intervals; NaN where all is the same."""
        column = COLUMNS.index(name) if name in COLUMNS else len(COLUMNS) + self.game.numbers.index(name)
        _, together = self._moments(groups, name)
        apart = np.zeros(len(together))
        for at in (0, self.at):
            sums = self.paired.sums[at]
            y, n = sums.columns[list(groups), column], sums.entries[list(groups)]
            apart += ratio(y[:, Y], n[:, 0], y[:, YY], y[:, NY], n[:, 1], sums.blocks)[1] ** 2
        return apart / np.where(together > 0, together, np.nan) ** 2

    def _evidence(self, at: int) -> Evidence:
        return Evidence(self.game, self.players, self.strategies, self.paired.sums[at], self.sequential)

    def _moments(self, groups: Sequence[int], name: str) -> tuple[Floats, Floats]:
        """Return the mean change of a column and the standard deviation of a block's contribution to it."""
        d = self.paired.changes[self.at, list(groups), self.paired.names.index(name)]
        n = self.paired.sums[0].entries[list(groups)]
        return ratio(d[:, Y], n[:, 0], d[:, YY], d[:, NY], n[:, 1], self.paired.blocks)
