"""The spread of a win index over sets of numbers, with truths that we plant: luck alone, a known spread, the shares
beside the margin."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from analyses.robustness.between import between_sets, of_all, plain
from analyses.statistics import wilson

SETS, MARGIN = 100, 0.1


def played(truth, error, rng):
    """Measured win indices and standard errors of sets with these true indices."""
    shape = np.shape(truth)
    return truth + error * rng.standard_normal(shape), error * np.sqrt(rng.chisquare(150, shape) / 150)


def test_a_spread_that_is_only_luck_is_none():
    rng = np.random.default_rng(1)
    found = [between_sets(*played(np.full(SETS, 0.97), 0.08, rng), MARGIN) for _ in range(200)]
    assert np.mean([one.between for one in found]) < 0.1 * 0.08**2
    assert np.median([one.between for one in found]) < 0.02 * 0.08**2
    raw = np.mean([np.mean(np.abs(played(np.full(SETS, 0.97), 0.08, rng)[0] - 1) > MARGIN) for _ in range(200)])
    assert raw > 0.2  # so many sets would seem to be out
    assert np.mean([1 - one.shares[1][0] for one in found]) < 0.02


@pytest.mark.parametrize("error", [0.03, 0.06, 0.09])
def test_a_known_spread_is_found_whatever_the_luck(error):
    rng = np.random.default_rng(2)
    truth = 0.94 + 0.12 * rng.standard_normal((400, SETS))
    found = [between_sets(*played(row, error, rng), MARGIN) for row in truth]
    assert math.sqrt(np.mean([one.between for one in found])) == pytest.approx(0.12, rel=0.03)
    assert np.mean([one.luck for one in found]) == pytest.approx(error**2, rel=0.02)
    for one in found[:20]:
        assert one.shrunk.std(ddof=1) ** 2 == pytest.approx(one.between)
    below = NormalDist(0.94, 0.12).cdf(0.9)
    assert np.mean([one.shares[0][0] for one in found]) == pytest.approx(below, abs=0.01)


@pytest.mark.parametrize(("mean", "width"), [(0.86, 0.14), (1.0, 0.14), (0.94, 0.047), (1.0, 0.0), (0.905, 0.02)])
@pytest.mark.parametrize("error", [0.05, 0.1])
def test_the_shares_have_the_certainty_that_is_said(mean, width, error):
    """At least 94 % of 300 studies, for shares below and inside the margin."""
    rng, studies = np.random.default_rng(3), 300
    curve = NormalDist(mean, width) if width else None
    below = curve.cdf(0.9) if curve else float(mean < 0.9)
    inside = curve.cdf(1.1) - below if curve else float(0.9 <= mean <= 1.1)
    covered = np.zeros(2)
    for row in mean + width * rng.standard_normal((studies, SETS)):
        found = between_sets(*played(row, error, rng), MARGIN)
        covered += [low - 1e-9 <= truth <= high + 1e-9 for truth, (_, low, high) in zip((below, inside), found.shares)]
    assert (covered >= 0.94 * studies).all(), covered / studies


def test_two_humps_that_luck_does_not_blur_are_counted():
    """One switch decides: half of the sets are too weak, half too strong, and none is fair."""
    rng = np.random.default_rng(4)
    truth = np.where(np.arange(SETS) % 2, 0.7, 1.3)
    found = between_sets(*played(truth, 0.04, rng), MARGIN)
    assert [share for share, _, _ in found.shares] == [0.5, 0.0, 0.5]
    assert found.shares[0][1] < 0.5 < found.shares[0][2]


def test_when_more_games_would_show_little_more():
    values = np.linspace(0.8, 1.2, SETS)
    assert plain(values, np.full(SETS, 0.04), MARGIN)
    assert not plain(values, np.full(SETS, 0.08), MARGIN)
    same = np.ones(SETS)
    assert plain(same, np.full(SETS, 0.02), MARGIN)
    assert not plain(same, np.full(SETS, 0.04), MARGIN)


def test_one_set_says_nothing_of_others():
    found = between_sets(np.array([0.7]), np.array([0.05]), MARGIN)
    assert found.shares[0] == (1.0, 0.0, 1.0)
    assert between_sets(np.zeros(0), np.zeros(0), MARGIN).shrunk.size == 0


def test_the_interval_of_a_counted_share():
    """Wilson's own properties: it holds the share, never leaves 0 to 1, and its ends are solutions of his equation."""
    z = NormalDist().inv_cdf(0.975)
    for count, of in ((0, 100), (54, 100), (99, 100), (1, 3)):
        low, high = wilson(count / of, of)
        assert 0 <= low <= count / of <= high <= 1
        for end in (low, high):
            if 0 < end < 1:
                assert (count / of - end) ** 2 == pytest.approx(z * z * end * (1 - end) / of)


@pytest.mark.parametrize(("mean", "width", "error"), [(1.0, 0.06, 0.03), (0.95, 0.1, 0.05), (1.0, 0.03, 0.05)])
def test_the_share_of_sets_that_are_fair_to_all(mean, width, error):
    """Four seats whose indices add up to four; at least 94 % of 300 studies."""
    rng, studies, covered = np.random.default_rng(5), 300, 0
    centre = np.array([mean, 1.0, 1.0, 2 - mean])

    def seats(*shape):
        parts = rng.standard_normal((*shape, 4))
        return (parts - parts.mean(axis=-1, keepdims=True)) * math.sqrt(4 / 3)

    truth = (np.abs(centre + width * seats(200_000) - 1) <= MARGIN).all(axis=1).mean()
    for _ in range(studies):
        values = centre + width * seats(SETS) + error * seats(SETS)
        each = [between_sets(values[:, at], np.full(SETS, error), MARGIN) for at in range(4)]
        inside = (np.abs(np.stack([one.shrunk for one in each], axis=1) - 1) <= MARGIN).all(axis=1)
        (_, low, high), (_, out_low, out_high) = of_all(each, inside)
        assert (out_low, out_high) == pytest.approx((1 - high, 1 - low))
        covered += low <= truth <= high
    assert covered >= 0.94 * studies
