"""Blocks as vectors of integers → exact sums from which any weighted sum of their means gets its estimate and its
error.

Totals and products are int64, so their order doesn't matter.
"""

from dataclasses import dataclass

import numpy as np

ROUNDING = 1e-13
# float64 holds every whole number up to the first; int64 all sums of a batch up to the second
EXACT, MOST = 2.0**53, 2.0**62
TOO_LARGE = "sums over blocks of games do not fit 64 bits"


def added(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the sum of two arrays of sums over blocks, int64 of any shape.

    Raises:
        OverflowError: one of them does not fit 64 bits; NumPy would say nothing and go on with another number.
    """
    total = a + b
    if (((a ^ total) & (b ^ total)) < 0).any():  # both of one sign, their sum of the other
        raise OverflowError(TOO_LARGE)
    return total


def _products(v: np.ndarray) -> np.ndarray:
    """Return Σ v vᵀ of integers (blocks, width), int64 (width, width)."""
    floats = v.astype(np.float64)
    products = floats.T @ floats  # many times as quick as of integers
    largest = products.max(initial=0)  # a square; nothing that is added up on the way is larger (Cauchy and Schwarz)
    if largest > MOST:
        raise OverflowError(TOO_LARGE)
    return products.astype(np.int64) if largest <= EXACT else v.T @ v


@dataclass(frozen=True)
class Moments:
    """Sums over blocks, by stratum; `a + b` joins different blocks.

    Attributes:
        counts: int64 (strata,), blocks. totals: int64 (strata, width), Σ v. products: int64 (strata, width, width), Σ v
            vᵀ.
    """

    counts: np.ndarray
    totals: np.ndarray
    products: np.ndarray

    @classmethod
    def blank(cls, width: int, strata: int = 1) -> "Moments":
        """Return the sums of no block."""
        return cls(*(np.zeros(shape, np.int64) for shape in ((strata,), (strata, width), (strata, width, width))))

    @classmethod
    def of(cls, vectors: np.ndarray, first: int = 0, strata: int = 1) -> "Moments":
        """Return the sums of some blocks.

        Args:
            vectors: integers (blocks, width). first: number of the first block. strata: block b belongs to stratum b %
                strata.

        Raises:
            OverflowError: see `added`.

        >>> sums = Moments.of(np.array([[1, 0], [2, 1], [0, 1]]))
        >>> sums.blocks, sums.totals.tolist(), sums.products.tolist()
        (3, [[3, 2]], [[[5, 2], [2, 2]]])
        """
        v = np.asarray(vectors).astype(np.int64, copy=False)
        parts = [v[(at - first) % strata :: strata] for at in range(strata)]
        counts = np.array([len(part) for part in parts], np.int64)
        return cls(
            counts, np.stack([part.sum(axis=0) for part in parts]), np.stack([_products(part) for part in parts])
        )

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(
            added(self.counts, other.counts), added(self.totals, other.totals), added(self.products, other.products)
        )

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return int(self.counts.sum())

    def stratum(self, at: int) -> "Moments":
        """Return the sums of one stratum."""
        return Moments(*(part[at : at + 1] for part in (self.counts, self.totals, self.products)))

    def weighted(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return weighted sums of the means, and the standard deviation of a block's contribution to each.

        Each stratum counts the same, however many blocks it has.

        Args:
            weights: float64 (sums, width).

        Returns:
            Value and standard deviation s, float64 (sums,): the error of the value is s / sqrt(blocks). NaN where a
            stratum has no block, and for s where one has fewer than two.
        """
        strata, n = len(self.counts), self.counts.astype(np.float64)[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            totals, products = self.totals.astype(np.float64), self.products.astype(np.float64)
            means = (totals @ weights.T) / n
            squares = np.einsum("ki,sij,kj->sk", weights, products, weights, optimize=True)
            spread = squares - n * means**2
            # What is left after rounding of a sum or variance of zero must not pass for one.
            size = np.sqrt(np.einsum("sii->si", products)) @ np.abs(weights).T
            spread = np.where(spread <= ROUNDING * size**2, 0 * spread, spread)
            means = np.where(np.abs(means) <= ROUNDING * size, 0 * means, means)
            variance = (spread / np.where(n > 1, n - 1, np.nan) / n).sum(axis=0) / strata**2
        return means.mean(axis=0), np.sqrt(variance * self.blocks)

    def alone(self, weights: np.ndarray) -> np.ndarray:
        """Return the standard deviations that `weighted` would have if all entries of a block were independent."""
        strata, n = len(self.counts), self.counts.astype(np.float64)[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            spread = np.einsum("sii->si", self.products) - self.totals.astype(np.float64) ** 2 / n
            variance = ((spread / np.where(n > 1, n - 1, np.nan)) @ (weights**2).T / n).sum(axis=0) / strata**2
        return np.sqrt(variance * self.blocks)
