"""Sums by block → estimates with intervals. Only this file knows where `sim.outcomes` keeps which moment."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analyses.statistics import Floats, interval, ratio
from sim.contract import WHOLE, Game
from sim.outcomes import COLUMNS, NX, NY, SCORE2, SHARE2, X_SCORE, X_SHARE, XSCORE, XSHARE, XX, YY, Sums, X, Y

EVERYBODY = 0


class Estimate(NamedTuple):
    """An estimate and the ends of its interval, float64 of one shape."""

    value: Floats
    low: Floats
    high: Floats

    def columns(self, *names: str) -> dict[str, Floats]:
        """Return the three as columns of a table."""
        return {name: part.ravel() for name, part in zip(names, self, strict=True)}


@dataclass(frozen=True)
class Evidence:
    """The results of one run, as estimates with intervals.

    Attributes:
        game: the game. players: number of players. strategies: their names. sums: over all blocks.
        sequential: whether intervals must hold whenever the run stops. absent: numbers that the components leave out,
            see `Game`.
    """

    game: Game
    players: int
    strategies: tuple[str, ...]
    sums: Sums
    sequential: bool
    absent: Collection[str] = ()

    @property
    def seats(self) -> range:
        """The groups of `sim.outcomes` that are the seats."""
        return range(1, 1 + self.players)

    @property
    def line_up(self) -> range:
        """The groups that are the strategies."""
        return range(1 + self.game.seats, 1 + self.game.seats + len(self.strategies))

    @property
    def tables(self) -> dict[str, int]:
        """The strategies by name, with "all" in front if there are several, and their groups."""
        mixed = {"all": EVERYBODY} if len(self.strategies) > 1 else {}
        return mixed | dict(zip(self.strategies, self.line_up))

    def shares(self, groups: Sequence[int]) -> Estimate:
        """Return win shares by group."""
        return self._column(groups, [COLUMNS.index("share")], 1 / WHOLE, 0, 1, flat=True)

    def column(self, groups: Sequence[int], name: str) -> Estimate:
        """Return the mean score, margin or place (see `sim.outcomes`) by group."""
        return self._column(groups, [COLUMNS.index(name)], flat=True)

    def numbers(self, groups: Sequence[int], names: Sequence[str], least: float = -np.inf) -> Estimate:
        """Return the means of some of the game's numbers, (groups, names); `least` is their smallest possible value."""
        first = len(COLUMNS)
        return self._column(groups, [first + self.game.numbers.index(name) for name in names], 1, least)

    def _column(
        self,
        groups: Sequence[int],
        columns: Sequence[int],
        unit: float = 1,
        least: float = -np.inf,
        most: float = np.inf,
        flat: bool = False,
    ) -> Estimate:
        y = self.sums.columns[np.ix_(list(groups), list(columns))]
        n = self.sums.entries[list(groups)][:, None]
        estimate = self._estimate(
            y[..., Y] * unit, n[..., 0], y[..., YY] * unit**2, y[..., NY] * unit, n[..., 1], least, most
        )
        return Estimate(*(part[:, 0] for part in estimate)) if flat else estimate

    def had(self, groups: Sequence[int], row: int, labels: int, times: int = 1) -> Estimate:
        """Return how often players had each label, (groups, labels): by seat, or by the `times` occasions of a seat in
        a game.

        Args:
            groups: see `sim.outcomes`. row: number of a category, or of a kind of thing behind them. labels: how many.
        """
        cells = self._cells(groups, row, labels)
        n = self.sums.entries[list(groups)][:, None] * [times, times * times]
        return self._estimate(cells[..., X], n[..., 0], cells[..., XX], cells[..., NX] * times, n[..., 1], 0, 1)

    def shares_with(self, groups: Sequence[int], row: int, labels: int) -> Estimate:
        """Return win shares of the seats that had each label, (groups, labels)."""
        c = self._cells(groups, row, labels)
        return self._estimate(
            c[..., XSHARE] / WHOLE, c[..., X], c[..., SHARE2] / WHOLE**2, c[..., X_SHARE] / WHOLE, c[..., XX], 0, 1
        )

    def scores_with(self, groups: Sequence[int], row: int, labels: int) -> Estimate:
        """Return mean scores of the seats that had each label, (groups, labels)."""
        c = self._cells(groups, row, labels)
        return self._estimate(c[..., XSCORE], c[..., X], c[..., SCORE2], c[..., X_SCORE], c[..., XX])

    def category(self, name: str) -> tuple[int, Sequence[str]]:
        """Return the row and the labels of a category."""
        return list(self.game.categories).index(name), self.game.categories[name]

    def kind(self, name: str) -> tuple[int, Sequence[str]]:
        """Return the row and the labels of a kind of thing, over all its categories."""
        return len(self.game.pools) + list(self.game.things).index(name), self.game.categories[
            self.game.things[name].categories[0]
        ]

    def _cells(self, groups: Sequence[int], row: int, labels: int) -> np.ndarray:
        return self.sums.cells[list(groups), row, :labels]

    def _estimate(
        self,
        y: np.ndarray,
        x: np.ndarray,
        yy: np.ndarray,
        xy: np.ndarray,
        xx: np.ndarray,
        least: float = -np.inf,
        most: float = np.inf,
    ) -> Estimate:
        m, s = ratio(y, x, yy, xy, xx, self.sums.blocks)
        family = int(np.isfinite(m).sum())
        return Estimate(
            m, *interval(m, s, self.sums.blocks, family, sequential=self.sequential, least=least, most=most)
        )
