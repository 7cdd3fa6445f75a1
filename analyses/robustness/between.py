"""How a win index is spread over sets of numbers, when the luck of the games is taken out.

The index of a set is measured in few games, so the sets seem further apart than they are:

    variance between sets = observed variance − mean squared standard error, never below 0

We draw each index towards the mean until the sets vary just as much as that, and count those below, inside and above
the margin (Louis, "Estimating a population of parameter values using Bayes and empirical Bayes methods", Journal of the
American Statistical Association 79, 1984). So no set is undecided, though one near the margin may lie on its other
side.

The counts say something of all sets that could have been drawn. The interval of such a share joins two others: Wilson's
for counts, which knows nothing of luck, and what a bell curve over the sets allows, with its mean and variance as
uncertain as sets and games leave them. Where one switch decides alone there are two humps, and no bell; there the
second says little, and the luck must be small beside the spread.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from analyses.statistics import ALPHA, Floats, wilson

LUCK = 0.2  # of the observed variance: less than this blurs nothing that a hundred sets could show
FINE = 0.25  # of the margin: a standard error that is enough in any case
SIDES = ("below", "inside", "above")
Share = tuple[float, float, float]


@dataclass(frozen=True)
class BetweenSets:
    """The spread of one win index over sets of numbers.

    Attributes:
        shrunk: float64 (sets,), the indices drawn towards their mean. mean: of all. between: variance between sets.
        luck: mean squared standard error. shares: of the sets below, inside and above the margin, with 95 % intervals.
    """

    shrunk: Floats
    mean: float
    between: float
    luck: float
    shares: tuple[Share, Share, Share]


def between_sets(values: Floats, errors: Floats, margin: float) -> BetweenSets:
    """Return how a win index is spread over sets of numbers.

    Args:
        values, errors: float64 (sets,), win index of each set and its standard error. margin: what counts as balanced.
    """
    sets, luck = len(values), float((errors**2).mean()) if len(errors) else 0.0
    seen = float(values.var(ddof=1)) if sets > 1 else 0.0
    between, mean = max(seen - luck, 0.0), float(values.mean()) if sets else math.nan
    shrunk = mean + math.sqrt(between / seen) * (values - mean) if seen else values
    counts = [int(side.sum()) for side in sides(shrunk, margin)]
    if sets < 2:
        return BetweenSets(shrunk, mean, between, luck, tuple((float(n), 0.0, 1.0) for n in counts))  # type: ignore[arg-type]
    bell = _bell(mean, seen, luck, sets, margin)
    shares = []
    for count, ends in zip(counts, bell, strict=True):
        low, high = wilson(count / sets, sets)
        shares.append((count / sets, min(low, ends[0]), max(high, ends[1])))
    return BetweenSets(shrunk, mean, between, luck, (shares[0], shares[1], shares[2]))


def of_all(each: Sequence[BetweenSets], inside: np.ndarray) -> tuple[Share, Share]:
    """Return the shares of sets in which all win indices lie inside the margin, or one does not, with intervals.

    Luck blurs what is counted, so sets count for less in Wilson's interval. But one is out at least as often as each
    of them is, and at most as often as all of them together.

    Args:
        each: how each win index is spread. inside: bool (sets,), whether all of a set are.
    """
    sets, out = len(inside), float((~inside).mean()) if len(inside) else 0.0
    if sets < 2:
        return (1 - out, 0.0, 1.0), (out, 0.0, 1.0)
    clear = min(one.between / (one.between + one.luck) if one.between else 0.0 for one in each)
    low, high = wilson(out, max(sets * clear**2, 1.0))
    low = max(low, *(1 - one.shares[1][2] for one in each))
    high = min(high, sum(1 - one.shares[1][1] for one in each))
    low, high = min(low, out), max(high, out)
    return (1 - out, 1 - high, 1 - low), (out, low, high)


def sides(index: Floats, margin: float) -> list[np.ndarray]:
    """Return which win indices lie below, inside and above the margin, bool of their shape each."""
    below, above = index < 1 - margin, index > 1 + margin
    return [below, ~below & ~above, above]


def plain(values: Floats, errors: Floats, margin: float) -> bool:
    """Return whether more games would show little more: luck is little beside the spread, or beside the margin."""
    luck = float((errors**2).mean())
    return luck <= (FINE * margin) ** 2 or luck <= LUCK * float(values.var(ddof=1) if len(values) > 1 else 0)


def _bell(mean: float, seen: float, luck: float, sets: int, margin: float) -> list[tuple[float, float]]:
    """Return least and most share below, inside and above the margin over all bell curves that agree with the sets.

    Mean and variance have an interval each, and both hold at once. For the quantiles of chi-squared: Wilson and
    Hilferty, "The distribution of chi-square", Proceedings of the National Academy of Sciences 17 (1931).
    """
    z, free = NormalDist().inv_cdf(1 - ALPHA / 4), sets - 1
    quantiles = [(max(1 - 2 / (9 * free) + at * math.sqrt(2 / (9 * free)), 0.01)) ** 3 for at in (z, 0, -z)]
    widths = [math.sqrt(max(seen / quantile - luck, 0.0)) for quantile in quantiles]
    centres = mean + z * math.sqrt(seen / sets) * np.linspace(-1, 1, 9)
    found = np.array([_shares(float(centre), width, margin) for centre in centres for width in widths])
    return [(float(low), float(high)) for low, high in zip(found.min(axis=0), found.max(axis=0))]


def _shares(mean: float, width: float, margin: float) -> Share:
    """Return the shares of a bell curve below, inside and above the margin."""
    if width == 0:
        below, above = float(mean < 1 - margin), float(mean > 1 + margin)
    else:
        curve = NormalDist(mean, width)
        below, above = curve.cdf(1 - margin), 1 - curve.cdf(1 + margin)
    return below, 1 - below - above, above
