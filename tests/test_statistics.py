"""Formulas against values worked out by hand, and against studies whose truth is known."""

import math

import numpy as np
import pytest

from analyses.statistics import Verdict, fixed_half_width, interval, notice, ratio, sequence_half_width, verdict


def sums(y, x):
    y, x = np.asarray(y), np.asarray(x)
    return ratio(y.sum(0), x.sum(0), (y * y).sum(0), (x * y).sum(0), (x * x).sum(0), len(y))


def test_a_ratio_by_hand():
    # m = 12 / 6 = 2; residuals −1, 0, −1, 2; their squares add up to 6; mean x 1.5.
    m, s = sums([1, 2, 3, 6], [1, 1, 2, 2])
    assert m == 2
    assert s == pytest.approx(math.sqrt(6 / 3) / 1.5)


def test_with_equal_entries_a_ratio_is_the_mean_and_its_deviation():
    y = np.random.default_rng(1).normal(10, 3, 500)
    m, s = sums(y, np.ones(500))
    assert m == pytest.approx(y.mean())
    assert s == pytest.approx(y.std(ddof=1))


def test_the_deviation_of_a_ratio_is_the_one_of_repeated_studies():
    rng = np.random.default_rng(2)
    x = rng.integers(0, 4, (4000, 300))
    y = rng.binomial(x, 0.3) + (x > 2)
    estimates = y.sum(1) / x.sum(1)
    predicted = np.array([sums(y[i], x[i])[1] for i in range(200)]) / math.sqrt(300)
    assert predicted.mean() == pytest.approx(estimates.std(), rel=0.05)


def test_what_was_never_seen_is_no_number():
    m, s = ratio([0, 3], [0, 6], [0, 3], [0, 3], [0, 6], 6)
    assert math.isnan(m[0])
    assert math.isnan(s[0])
    assert m[1] == 0.5
    low, high = interval(m, s, 6, 1, sequential=False, least=0, most=1)
    assert math.isnan(low[0])
    assert math.isnan(high[0])


def test_rounding_does_not_pass_for_variance():
    share = 1 / 3
    _, s = ratio(3 * 10**6 * share, 3 * 10**6, 3 * 10**6 * share * share, 3 * 10**6 * share, 3 * 10**6, 3 * 10**6)
    assert s == 0


def test_fixed_half_widths_by_hand():
    assert fixed_half_width(2.0, 400, 1) == pytest.approx(1.959964 * 2 / 20)
    assert fixed_half_width(2.0, 400, 4) == pytest.approx(2.497705 * 2 / 20)  # normal quantile at 1 − 0.05 / 8
    assert fixed_half_width([1.0, 2.0], 1, 2).tolist() == [math.inf, math.inf]


def test_sequence_half_width_by_hand():
    # alpha = 0.05, n = n* = 5000: ρ² = (5.991465 + log(6.991465)) / 5000 = 0.001587229; n ρ² + 1 = 8.936145;
    # log(sqrt(8.936145) / 0.05) = 4.090794; 2 · 8.936145 / (25e6 · 0.001587229) · 4.090794 = 0.00184249; square root
    # 0.0429242.
    assert sequence_half_width(1.0, 5000, 1) == pytest.approx(0.0429242, rel=1e-5)


@pytest.mark.parametrize(("blocks", "points"), [(10_000, 1.5), (100_000, 0.5), (1_000_000, 0.18)])
def test_sequence_half_widths_for_one_of_four_seats(blocks, points):
    assert 100 * sequence_half_width(math.sqrt(3) / 4, blocks, 4) == pytest.approx(points, rel=0.1)


def test_no_look_before_200_blocks():
    assert sequence_half_width(1.0, 199, 1) == math.inf
    assert sequence_half_width(1.0, 200, 1) < math.inf
    low, high = interval(0.5, 0.1, 199, 1, sequential=True, least=0, most=1)
    assert (low, high) == (0, 1)


def test_never_and_always_have_an_interval_too():
    low, high = interval([0.0, 1.0], [0.0, 0.0], 1000, 1, sequential=False, least=0, most=1)
    assert low[0] == 0
    assert high[1] == 1
    assert 0.002 < high[0] < 0.005  # the rule of three says 0.003
    assert high[0] == pytest.approx(1 - low[1])
    low, high = interval(7.0, 0.0, 1000, 1, sequential=False)
    assert 6.99 < low < 7 < high < 7.01


def four_equal_seats(studies, looks, seed):
    """Win counts of four seats at exactly a quarter each, (studies, looks, seats)."""
    steps = np.diff([0, *looks])
    rng = np.random.default_rng(seed)
    return np.stack([rng.multinomial(step, [0.25] * 4, studies) for step in steps], 1).cumsum(1)


@pytest.mark.slow
def test_the_sequence_covers_at_the_moment_of_stopping_and_always():
    looks = np.arange(200, 60_001, 200)
    wins = four_equal_seats(400, looks, 1)
    fixed, sequence = np.ones(400, bool), np.ones(400, bool)
    stopped, width = np.full(400, -1), np.full(400, np.nan)
    for i, n in enumerate(looks):
        m, s = ratio(wins[:, i], n, wins[:, i], wins[:, i], n, int(n))
        assert s == pytest.approx(np.sqrt(m * (1 - m) * n / (n - 1)))
        half = sequence_half_width(s, int(n), 4)
        sequence &= (np.abs(m - 0.25) <= half).all(1)
        fixed &= (np.abs(m - 0.25) <= fixed_half_width(s, int(n), 4)).all(1)
        decided = (np.abs(m - 0.25) + half <= 0.025).all(1) | (np.abs(m - 0.25) - half > 0.025).any(1)
        now = decided & (stopped < 0)
        stopped[now], width[now] = n, half[now].mean(1)
    assert sequence.mean() >= 0.94
    assert fixed.mean() < 0.7  # why ordinary intervals won't do for a run that looks at itself
    assert (stopped > 0).all()
    assert np.median(width) < 0.022, f"half-width at the moment of stopping {np.median(width):.4f}"


def test_verdicts():
    def word(*ends):
        low, high = np.array(ends).T
        return verdict((low + high) / 2, low, high, 0.10, 1000).word

    assert word((0.95, 1.05), (0.92, 1.08)) == "balanced"
    assert word((0.95, 1.05), (1.11, 1.20)) == "unbalanced"
    assert word((0.95, 1.05), (0.80, 0.89)) == "unbalanced"
    assert word((0.95, 1.05), (1.05, 1.15)) == "undecided"
    assert word((0.85, 1.15), (1.11, 1.20)) == "unbalanced"


def test_a_verdict_names_its_size():
    found = verdict([1.2, 0.85, 0.95], [1.15, 0.8, 0.9], [1.25, 0.9, 1.0], 0.10, 1000)
    assert found == Verdict("unbalanced", 1, 1.2, 1.15, 1.25, pytest.approx(0.25), 0, notice(1.2, 3), notice(1.25, 3))


def test_how_many_blocks_are_still_expected():
    # Seat 1 is 0.02 from the margin with a half-width of 0.04: four times the blocks.
    assert verdict([1.08, 0.92], [1.04, 0.88], [1.12, 0.96], 0.10, 1000).further == pytest.approx(3000, abs=1)
    assert verdict([1.14, 0.86], [1.06, 0.78], [1.22, 0.94], 0.10, 1000).further == pytest.approx(3000, abs=1)
    assert verdict([1.0, 1.0], [0.0, 0.0], [2.0, 2.0], 0.10, 10).further == 990
    assert verdict([1.0, 1.0], [-math.inf] * 2, [math.inf] * 2, 0.10, 10).further is None


def test_when_a_table_would_notice():
    # 55 % against 50 %: (1.959964 · 0.5 + 0.841621 · 0.497494)² / 0.05² = 782.
    assert notice(1.1, 2) == 783
    assert notice(1.0, 2) is None
    assert verdict([1.01, 0.99], [0.95, 0.93], [1.07, 1.05], 0.10, 1000).notice is None
    # The test has the power that it claims.
    rng = np.random.default_rng(3)
    n = notice(1.2, 4)
    z = np.abs(rng.binomial(n, 0.30, 20_000) / n - 0.25) / math.sqrt(0.25 * 0.75 / n)
    assert (z > 1.959964).mean() == pytest.approx(0.80, abs=0.02)
