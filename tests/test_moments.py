"""Sums over blocks are exact, or the run ends with a line: whatever a task returns, and whoever has played it."""

from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from analyses.blocks import ByNumber
from analyses.variants import variants
from analyses.worth.worth import Dealt
from scripts import cli
from sim import cluster, paired, runner
from sim.dealing import Deal
from sim.moments import EXACT, Moments
from sim.outcomes import Sums
from sim.paired import Paired
from sim.runner import BlockResult, StrategyError, gather

LARGE = 2**62
BLANK = Moments.blank(3, 2)


@pytest.fixture(params=["runs", "pairs", "deals", "variants", "by number"])
def blank(request, pig):
    """What each sort of task returns, of no block."""
    sums, none = Sums.blank(pig, 1), np.zeros((2, 4, 3, 3), np.int64)
    return {
        "runs": BlockResult(sums),
        "pairs": Paired((), ("share",), (sums, sums), none, none, np.zeros(2, np.int64)),
        "deals": Dealt(pig, 2, Deal("kings"), BLANK, 0, False),
        "variants": variants._Played(BLANK, np.zeros(2, np.int64), 0),
        "by number": ByNumber({(1, 2): sums}),
    }[request.param]


def planted(part, value):
    """Yield a part once for each array in it, with one number of that array as it should be."""
    if isinstance(part, np.ndarray):
        made = part.copy()
        made.flat[-1] = value
        yield made
    elif isinstance(part, ByNumber):
        yield from (ByNumber({**part, key: inner}) for key in part for inner in planted(part[key], value))
    elif isinstance(part, tuple):
        yield from (
            (*part[:at], inner, *part[at + 1 :]) for at in range(len(part)) for inner in planted(part[at], value)
        )
    elif is_dataclass(part) and type(part).__name__ not in ("Game", "Deal"):
        for field in fields(part):
            yield from (replace(part, **{field.name: inner}) for inner in planted(getattr(part, field.name), value))


def arrays(part):
    """The arrays of a part."""
    if isinstance(part, np.ndarray):
        return [part]
    inner = part.values() if isinstance(part, ByNumber) else part if isinstance(part, tuple) else []
    inner = [getattr(part, field.name) for field in fields(part)] if is_dataclass(part) else inner
    return [array for one in inner if type(one).__name__ not in ("Game", "Deal") for array in arrays(one)]


def test_sums_fit_or_are_refused(blank):
    count = len(arrays(blank))
    assert count > 2
    for value, rest, fits in (
        (LARGE, LARGE - 1, True),
        (LARGE, LARGE, False),
        (-LARGE, -LARGE, True),
        (-LARGE, -LARGE - 1, False),
    ):
        pairs = list(zip(planted(blank, value), planted(blank, rest), strict=True))
        assert len(pairs) == count
        for a, b in pairs:
            if fits:
                assert value + rest in (array.flat[-1] for array in arrays(a + b) if array.size)
                continue
            with pytest.raises(OverflowError, match="do not fit 64 bits"):
                a + b


def test_a_total_that_does_not_fit_ends_the_run(blank):
    for part in planted(blank, LARGE):
        with pytest.raises(StrategyError, match="do not fit 64 bits: allowed are fewer games"):
            gather(lambda first, blocks, part=part: part, blank, 2, size=1, jobs=1)


@pytest.mark.slow
def test_nor_does_it_elsewhere():
    def task(first, blocks):
        return Moments(np.full(1, LARGE), np.zeros((1, 1), np.int64), np.zeros((1, 1, 1), np.int64))

    # Twice 16 tasks for each of two processes, so that they add up batches themselves.
    with pytest.raises(StrategyError, match="do not fit 64 bits"), cluster.playing("loky"):
        gather(task, Moments.blank(1), 64 * 32, size=1, jobs=2)


@pytest.mark.parametrize(("module", "words"), [(runner, ["seats"]), (paired, ["compare", "--set", "goal=50"])])
def test_the_command_says_so(command, monkeypatch, module, words):
    of = Sums.of

    def large(*given):
        made = of(*given)
        made.columns[0, 1, 1] = LARGE
        return made

    monkeypatch.setattr(module.Sums, "of", staticmethod(large))
    status, out, err = command(words[0], "pig", *words[1:], "--games", 10_000)
    assert (status, out) == (2, "")
    assert err.splitlines()[-1] == (
        "chapterhouse: sums over blocks of games do not fit 64 bits: allowed are fewer games, or smaller numbers"
    )
    assert cli.run(["games"]) == 0


@pytest.mark.parametrize("largest", [50, 10**6, 2**26, 10**8])
def test_products_are_exact_in_any_order(largest):
    """Beyond 2⁵³ float64 leaves digits out, and which ones depends on the order."""
    rng = np.random.default_rng(1)
    vectors = rng.integers(-largest, largest, (200, 3))
    whole = Moments.of(vectors)
    assert (whole.products.max() > EXACT) == (largest > 10**7)
    exact = [[sum(int(row[i]) * int(row[j]) for row in vectors) for j in range(3)] for i in range(3)]
    assert whole.products[0].tolist() == exact
    for cut in (1, 77, 199):
        parts = Moments.of(vectors[:cut]), Moments.of(vectors[cut:])
        for made in (parts[0] + parts[1], parts[1] + parts[0]):
            assert all(np.array_equal(a, b) for a, b in zip(arrays(made), arrays(whole), strict=True))


def test_a_batch_that_does_not_fit_is_refused():
    with pytest.raises(OverflowError, match="do not fit 64 bits"):
        Moments.of(np.full((3, 2), 2**31))
