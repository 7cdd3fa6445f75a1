"""What the sets of components that were measured say about one that was not: straight lines, and near a measured set what it was off by.

The second part is kriging: what is left of a measurement beside the lines counts for its neighbours, the less the further away they are
(Sacks, Welch, Mitchell and Wynn, "Design and Analysis of Computer Experiments", Statistical Science 4, 1989).
"""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

RIDGE = 0.05
REACH = 3.0  # steps after which what is left counts about a third
LEAST_SPREAD = 0.02  # of what is left beside the lines, in win index

Features = Mapping[Hashable, float]


class Surface:
    """Scores as a function of features, from measurements."""

    def __init__(self, rows: Sequence[Features], scores: Sequence[np.ndarray], errors: Sequence[float]):
        """Fit the surface.

        Args:
            rows: features of each measurement, name → amount; none for the game as it is. scores: of each, less those of the game as it is.
            errors: standard deviation of each measurement, about.
        """
        self.names = list(dict.fromkeys(name for row in rows for name in row))
        self.x, y, noise = self._matrix(rows), np.stack(scores), np.array(errors)
        weights = (noise.min() / noise)[:, None]
        x = self.x * weights
        self.slopes = np.linalg.solve(x.T @ x + RIDGE * np.eye(len(self.names)), x.T @ (weights * y))
        rest = y - self.x @ self.slopes
        self.spread = max(LEAST_SPREAD, float(np.sqrt((rest**2).mean())))
        covariance = self._near(self.x) + np.diag(noise**2)
        self.pull = np.linalg.solve(covariance, rest)

    def _matrix(self, rows: Sequence[Features]) -> np.ndarray:
        return np.array([[row.get(name, 0.0) for name in self.names] for row in rows]).reshape(len(rows), len(self.names))

    def _near(self, x: np.ndarray) -> np.ndarray:
        """Return how much points have in common with those measured, float64 (points, measurements)."""
        from scipy.spatial.distance import cdist

        if not self.names:  # only the game as it is
            return np.full((len(x), len(self.x)), self.spread**2)
        return np.asarray(self.spread**2 * np.exp(-cdist(x, self.x, "cityblock") / REACH))

    def __call__(self, rows: Sequence[Features]) -> np.ndarray:
        """Return the scores of points, less those of the game as it is, (points, scores); infinite where a feature was never measured."""
        known = set(self.names)
        x = self._matrix(rows)
        found = x @ self.slopes + self._near(x) @ self.pull
        found[[not known.issuperset(row) for row in rows]] = np.inf
        return found
