"""What the measured sets of components say about any other set: straight lines and, near a measured set, its deviation
from them.

This is kriging, or Gaussian process regression: a score is a constant, a straight line for each number and a rest that
neighbours share. A measurement is off by chance, and measurements on the same chance have part of that in common
(Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, sections 2.2 and 2.7; Ankenman, Nelson and
Staum, "Stochastic Kriging for Simulation Metamodeling", Operations Research 58, 2010).
"""

from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

AGAIN = 1.2  # once there are so many times the measurements, what is tried is tried anew
CENTRE = 1.0  # of win index: how far from fair the game may be as it is
REACH = 0.5  # in shares of ranges: how far away what is left beside the lines counts about a third
# What is tried: how much win index follows a number through its whole range, what is left beside the lines, what chance
# has in common.
SLOPES, RESTS, SHARED = (0.1, 0.3, 1.0), (0.01, 0.03, 0.1), (0.0, 0.3, 0.6, 0.9)

Features = Mapping[Hashable, float]


class Measurement(NamedTuple):
    """One measurement: the changes, the chance, the results (scores,), and their standard errors."""

    features: Features
    chance: int
    scores: np.ndarray
    error: float


class Surface:
    """Scores as a function of what is changed."""

    def __init__(self, seen: Sequence[Measurement], like: "Surface | None" = None):
        """Fit the surface: of what is tried, take what makes the measurements most likely.

        Args:
            seen: at least one measurement. Their features: name → share of the range; none for the game as it is.
            like: a surface through most of these measurements, to take its choice over and save time.
        """
        self.names = list(dict.fromkeys(name for one in seen for name in one.features))
        self._x, y = self._matrix([one.features for one in seen]), np.stack([one.scores for one in seen])
        chance, variance = np.array([one.chance for one in seen]), np.array([one.error for one in seen]) ** 2
        # Of two measurements on the same chance the longer one holds the games of the shorter one.
        shared = np.minimum.outer(variance, variance) * (chance[:, None] == chance[None, :])
        own, lines, near = np.diag(variance), self._x @ self._x.T, self._near(self._x)
        best, self.choice = -np.inf, (SLOPES[0], RESTS[0], SHARED[0])
        self.fitted: int = like.fitted if like and len(seen) < AGAIN * like.fitted else len(seen)
        for choice in product(SLOPES, RESTS, SHARED) if like is None or self.fitted > like.fitted else [like.choice]:
            slope, rest, part = choice
            covariance = CENTRE**2 + slope**2 * lines + rest**2 * near + part * shared + (1 - part) * own
            precision, (_, size) = np.linalg.inv(covariance), np.linalg.slogdet(covariance)
            likely = -0.5 * (y * (precision @ y)).sum() - 0.5 * y.shape[1] * size
            if likely > best:
                best, self.choice, self._precision = likely, choice, precision
        self._pull = self._precision @ y

    def _matrix(self, rows: Sequence[Features]) -> np.ndarray:
        return np.array([[row.get(name, 0.0) for name in self.names] for row in rows]).reshape(
            len(rows), len(self.names)
        )

    def _near(self, x: np.ndarray) -> np.ndarray:
        """Return how much points have in common with those measured, float64 (points, measurements)."""
        from scipy.spatial.distance import cdist

        return (
            np.asarray(np.exp(-cdist(x, self._x, "cityblock") / REACH))
            if self.names
            else np.ones((len(x), len(self._x)))
        )

    def __call__(self, rows: Sequence[Features]) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores of points, float64 (points, scores), and how sure they are, as standard deviations (points,
        1).

        Scores are infinite where a feature was never measured.
        """
        known, x, (slope, rest, _) = set(self.names), self._matrix(rows), self.choice
        common = CENTRE**2 + slope**2 * x @ self._x.T + rest**2 * self._near(x)
        found = common @ self._pull
        prior = CENTRE**2 + slope**2 * (x**2).sum(axis=1) + rest**2
        unsure = np.sqrt(np.maximum(prior - (common @ self._precision * common).sum(axis=1), 0))
        found[[not known.issuperset(row) for row in rows]] = np.inf
        return found, unsure[:, None]
