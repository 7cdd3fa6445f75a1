"""Formulas: ratios over blocks, intervals, verdicts. Pure functions of arrays; no game, no table.

A block is one set of chance, played in every rotation. Blocks are independent and identically distributed but games in
a block are not, so every standard deviation here is one of blocks.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

ALPHA = 0.05
FIRST_LOOK = 200  # blocks; a confidence sequence built on a limit theorem says nothing before
TIGHT = 5_000  # blocks near which the confidence sequence is narrowest
POWER = 0.80  # of the test by which a table would notice
Floats = NDArray[np.float64]


def ratio(
    y: ArrayLike, x: ArrayLike, yy: ArrayLike, xy: ArrayLike, xx: ArrayLike, blocks: int
) -> tuple[Floats, Floats]:
    """Return the estimate Σy / Σx and the standard deviation of a block's contribution to it.

    Linearised: s = sqrt(Σ(y − m·x)² / (B − 1)) / mean x (Cochran, "Sampling Techniques", 3rd edition, 1977, section
        6.3).

    Args:
        y, x: sums over blocks of the block totals y and x, any shape. yy, xy, xx: sums of y², x·y and x².
        blocks: number of blocks B, those without any x included.

    Returns:
        m and s, float64 of that shape, in units of y / x; NaN where Σx = 0, and for s where B < 2.

    A seat won 1, 0, 1 and 1 of the two games of four blocks:

    >>> m, s = ratio(3, 8, 3, 6, 16, blocks=4)
    >>> float(m), float(s)
    (0.375, 0.25)
    """
    y, x, yy, xy, xx = (np.asarray(v, np.float64) for v in (y, x, yy, xy, xx))
    with np.errstate(invalid="ignore", divide="ignore"):
        m = y / np.where(x == 0, np.nan, x)
        squares = yy - 2 * m * xy + m * m * xx
        # What is left of a variance of zero after rounding must not pass for a variance.
        squares = np.where(squares <= 1e-12 * (yy + m * m * xx), 0 * squares, squares)
        s = np.sqrt(squares / (blocks - 1 if blocks > 1 else np.nan)) / (x / blocks if blocks else np.nan)
    return m, s


def fixed_half_width(s: ArrayLike, blocks: int, intervals: int, alpha: float = ALPHA) -> Floats:
    """Return half the width of the simultaneous normal intervals for a number of blocks fixed in advance (Bonferroni).

    Args:
        s: standard deviation of block contributions, any shape. blocks: their number. intervals: size of the family.
            alpha: its error.

    Returns:
        float64 of the shape and in the unit of `s`; infinite below two blocks.

    >>> [round(float(fixed_half_width(0.5, 10_000, family)), 5) for family in (1, 4)]
    [0.0098, 0.01249]
    """
    s = np.asarray(s, np.float64)
    if blocks < 2:
        return np.full(s.shape, np.inf)
    return np.asarray(NormalDist().inv_cdf(1 - alpha / (2 * max(intervals, 1))) * s / math.sqrt(blocks))


def sequence_half_width(s: ArrayLike, blocks: int, intervals: int, alpha: float = ALPHA, tight: int = TIGHT) -> Floats:
    """Return half the width of an asymptotic confidence sequence: intervals that hold at every number of blocks at
    once.

    Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
    sequences", The Annals of Statistics 52 (2024), theorem 2.2 with the mixture parameter of its section on tuning;
    Bonferroni inside.

    Args:
        s: standard deviation of block contributions, any shape. blocks: their number n. intervals: size of the family.
            alpha: its error.
        tight: number of blocks near which the sequence is narrowest.

    Returns:
        float64 of the shape and in the unit of `s`; infinite before 200 blocks.

    >>> round(float(sequence_half_width(0.5, 10_000, 1)), 5)
    0.01531
    """
    s = np.asarray(s, np.float64)
    if blocks < FIRST_LOOK:
        return np.full(s.shape, np.inf)
    alpha = alpha / max(intervals, 1)
    rho2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / tight
    spread = blocks * rho2 + 1
    return np.asarray(s * math.sqrt(2 * spread / (blocks * blocks * rho2) * math.log(math.sqrt(spread) / alpha)))


def wilson(share: float, of: float, alpha: float = ALPHA) -> tuple[float, float]:
    """Return the ends of an interval for a share of independent cases (Wilson, "Probable inference, the law of
    succession, and statistical inference", Journal of the American Statistical Association 22, 1927).

    >>> [round(end, 3) for end in wilson(0.54, of=100)]
    [0.443, 0.634]
    """
    z = NormalDist().inv_cdf(1 - alpha / 2)
    centre, half = share + z * z / (2 * of), z * math.sqrt(share * (1 - share) / of + (z / (2 * of)) ** 2)
    whole = 1 + z * z / of
    return max((centre - half) / whole, 0.0), min((centre + half) / whole, 1.0)


def interval(
    m: ArrayLike,
    s: ArrayLike,
    blocks: int,
    intervals: int,
    *,
    sequential: bool,
    least: ArrayLike = -math.inf,
    most: ArrayLike = math.inf,
) -> tuple[Floats, Floats]:
    """Return both ends of simultaneous intervals.

    A standard deviation of zero proves nothing, so we add one pseudo-block at each end of the range; if the range has
    no end, one unit away.

    Args:
        m, s: see `ratio`, any shape. blocks: number of blocks. intervals: size of the family.
        sequential: for a run that stops when it is decided; else for a number of blocks fixed in advance.
        least, most: range of what is measured; the intervals are cut off there.

    Returns:
        low and high, float64 of the shape of `m`; NaN where `m` is, and the whole range where nothing can be said yet.

    A seat that has won none of 100 blocks may still win some:

    >>> low, high = interval(0.0, 0.0, 100, 1, sequential=False, least=0, most=1)
    >>> float(low), round(float(high), 3)
    (0.0, 0.029)
    """
    m, s = np.asarray(m, np.float64), np.asarray(s, np.float64)
    half_width = sequence_half_width if sequential else fixed_half_width
    a, b = np.where(np.isinf(least), m - 1, least), np.where(np.isinf(most), m + 1, most)
    centre = (blocks * m + a + b) / (blocks + 2)
    spread = np.sqrt(((a - centre) ** 2 + (b - centre) ** 2 + blocks * (m - centre) ** 2) / (blocks + 1))
    flat = s == 0
    middle = np.where(flat, centre, m)
    half = half_width(np.where(flat, spread, s), blocks, intervals)
    return np.fmax(middle - half, np.where(np.isnan(m), np.nan, least)), np.fmin(
        middle + half, np.where(np.isnan(m), np.nan, most)
    )


def within(low: float, high: float, margin: float) -> str:
    """Return the three-way verdict on one distance from what is fair, whose interval runs from `low` to `high`.

    Returns:
        "balanced" if the interval lies in [−margin, margin], "unbalanced" if it lies outside, else "undecided".

    >>> within(-0.03, 0.06, 0.1), within(0.12, 0.2, 0.1), within(0.05, 0.12, 0.1)
    ('balanced', 'unbalanced', 'undecided')
    """
    return (
        "balanced"
        if -margin <= low and high <= margin
        else "unbalanced"
        if low > margin or high < -margin
        else "undecided"
    )


def together(words: Sequence[str]) -> str:
    """Return the verdict on several: unbalanced if one is, balanced if all are, else undecided."""
    return "unbalanced" if "unbalanced" in words else "undecided" if "undecided" in words else "balanced"


def compared(before: str, after: str) -> str:
    """Return whether a verdict changes: "same", "changes", or "undecided" if one of the two is."""
    return "undecided" if "undecided" in (before, after) else "same" if before == after else "changes"


@dataclass(frozen=True)
class Verdict:
    """A three-way verdict on the seats of one line, and its size.

    Attributes:
        word: "balanced", "unbalanced" or "undecided".
        seat: whose win index is farthest from 1, counted from 1; index, low, high: its win index and interval.
        holds: the smallest margin that would hold: every interval of index − 1 lies within it.
        further: blocks still expected to decide, 0 if decided, None if no number would be enough to say.
        notice: number of plays after which a table would notice, None if the seats can't be told apart here.
        notice_least: it would not notice before so many.
    """

    word: str
    seat: int
    index: float
    low: float
    high: float
    holds: float
    further: int | None
    notice: int | None
    notice_least: int | None

    @property
    def holding(self) -> float:
        """The smallest margin in hundredths that would hold: what can be said and typed; NaN or infinite if none is
        known."""
        return math.ceil(round(self.holds * 100, 9)) / 100 if math.isfinite(self.holds) else self.holds


def verdict(index: ArrayLike, low: ArrayLike, high: ArrayLike, margin: float, blocks: int) -> Verdict:
    """Return the verdict on win indices with simultaneous intervals.

    Balanced if every interval of index − 1 lies in [−margin, margin], unbalanced if one lies outside it, else
    undecided.

    Args:
        index, low, high: float64 (players,), win share × players. margin: in the same unit. blocks: number played.
    """
    d, a, b = (np.asarray(v, np.float64) - 1 for v in (index, low, high))
    players = len(d)
    reach = float(np.max(np.maximum(-a, b)))
    least = (notice(1 + end, players) for end in (float(np.min(a)), float(np.max(b))))
    word = together([within(float(start), float(end), margin) for start, end in zip(a, b)])
    far = int(np.argmax(np.abs(d).round(12)))  # of seats equally far, the first
    telling = np.flatnonzero((a > 0) | (b < 0))
    noticed = telling[np.argmax(np.abs(d[telling]))] if len(telling) else None
    return Verdict(
        word, far + 1, float(d[far] + 1), float(a[far] + 1), float(b[far] + 1), reach,
        0 if word != "undecided" else _further(d, np.maximum(d - a, b - d), margin, blocks),
        None if noticed is None else notice(float(d[noticed] + 1), players),
        min((plays for plays in least if plays is not None), default=None),
    )  # fmt: skip


def _further(d: Floats, half: Floats, margin: float, blocks: int) -> int | None:
    """Return how many more blocks are expected to decide, if the estimates stay where they are and widths shrink as 1 /
    sqrt(blocks)."""
    if not np.all(np.isfinite(half)) or margin in np.abs(d):
        return None
    with np.errstate(over="ignore"):  # a margin next to nothing takes more than any number
        needed = (half / np.abs(np.abs(d) - margin)) ** 2
    outside = np.abs(d) > margin
    total = blocks * (needed[outside].min() if outside.any() else needed.max())
    return max(1, math.ceil(total - blocks)) if total < 1e15 else None


def notice(index: float, players: float, alpha: float = ALPHA, power: float = POWER) -> int | None:
    """Return after how many plays a table that counts a seat's wins would notice that the seat is off.

    Sample size of the two-sided binomial test of a share against 1 / players (Fleiss, Levin and Paik, "Statistical
    Methods for Rates and Proportions", 3rd edition, 2003, section 2.6), for plays that are independent of each other.

    Args:
        index: win share × players. players: their number; 1 / p to compare with a share p. alpha, power: of the test.

    Four players notice a seat that wins a tenth more than its share after

    >>> notice(1.1, 4)
    2399
    """
    par = 1 / players
    share = min(max(index * par, 0.0), 1.0)
    if share == par or math.isnan(share):  # nothing is known yet
        return None
    z, normal = NormalDist().inv_cdf(1 - alpha / 2), NormalDist().inv_cdf(power)
    return math.ceil(((z * math.sqrt(par * (1 - par)) + normal * math.sqrt(share * (1 - share))) / (share - par)) ** 2)
