"""Sets of different tiles against every division of the tiles, and against trying each subset as one set where they are
too many."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.moesteiro import scoring
from sim.moesteiro.state import KINDS
from tests.exact.plain import LARGEST_SET, divisions, set_points, sizes

PRINTED = (0, 1, 4, 9, 16, 25)
POINTS = {
    "printed": PRINTED,
    "linear": (0, 2, 4, 6, 8, 10),
    "falling": (0, 5, 9, 12, 14, 15),
    "pairs best": (0, 1, 10, 11, 12, 13),
    "fours best": (0, 0, 1, 2, 30, 31),
    "threes, then fives": (0, 1, 2, 9, 10, 16),
    "a set of five is worth nothing": (0, 1, 4, 9, 16, 0),
    "a pair is worth less than one": (0, 3, 1, 8, 2, 20),
    "all the same": (0, 3, 3, 3, 3, 3),
    "nothing": (0, 0, 0, 0, 0, 0),
}
brief = settings(deadline=None, max_examples=60)


def engine(counts: tuple[int, ...], points: tuple[int, ...]) -> int:
    """Return what the engine counts."""
    return int(
        scoring.set_points(np.array([*counts, *[0] * (KINDS - len(counts))], np.int64), np.array(points, np.int64))
    )


@cache
def best(counts: tuple[int, ...], points: tuple[int, ...]) -> int:
    """Return the most points, by trying each subset of the kinds as one set and then the rest in the same way."""
    kinds = [kind for kind, n in enumerate(counts) if n]
    most = 0
    for chosen in range(1, 1 << len(kinds)):
        one = [kind for i, kind in enumerate(kinds) if chosen >> i & 1]
        if len(one) <= LARGEST_SET:
            rest = tuple(sorted(n - (kind in one) for kind, n in enumerate(counts)))
            most = max(most, points[len(one)] + best(rest, points))
    return most


def counts_of(total: int, kinds: int = KINDS, least: int = 0) -> list[tuple[int, ...]]:
    """Return the ways to have `total` tiles of so many kinds, none fewer than `least` and each as many as the one
    before or more."""
    if kinds == 1:
        return [(total,)] if total >= least else []
    return [
        (first, *rest)
        for first in range(least, total // kinds + 1)
        for rest in counts_of(total - first, kinds - 1, first)
    ]


SORTED = [counts for total in range(9) for counts in counts_of(total)]
HALVES = [counts for counts in product(range(8), repeat=KINDS // 2) if sum(counts) <= 7]
EVERY = [(*a, *b) for a, b in product(HALVES, repeat=2) if sum(a) + sum(b) <= 7]


def test_divisions_by_hand():
    assert list(divisions([])) == [[]]
    assert sorted(map(sorted, divisions([0, 0]))) == [[[0], [0]]]
    assert sorted(map(sorted, divisions([0, 1]))) == [[[0], [1]], [[0, 1]]]
    assert len(list(divisions(range(5)))) == 52  # Bell
    assert len(list(divisions(range(6)))) == 203 - 1  # but for the one set of six
    assert sizes((1, 2)) == {(1, 1, 1), (1, 2)}
    assert len(SORTED) == 67  # partitions of 0 to 8


@pytest.mark.slow
@pytest.mark.parametrize("points", POINTS.values(), ids=POINTS)
def test_every_hand_of_up_to_eight_tiles(points):
    for counts in SORTED:
        assert engine(counts, points) == set_points(counts, points) == best(counts, points)


@pytest.mark.slow
@pytest.mark.parametrize("points", POINTS.values(), ids=POINTS)
def test_which_kind_is_which_makes_no_difference(points):
    assert len(EVERY) == 6_435
    for counts in EVERY:
        assert engine(counts, points) == set_points(counts, points)


def test_all_small_points():
    for points in product(range(4), repeat=5):
        for counts in (
            (1, 1, 1, 1, 1, 1),
            (1, 1, 1, 1, 1, 2),
            (1, 1, 2, 2),
            (1, 2, 3),
            (1, 1, 1, 3),
            (1, 1, 1, 1, 1, 1, 1),
        ):
            assert engine(counts, (0, *points)) == set_points(counts, (0, *points))


@pytest.mark.parametrize("points", POINTS.values(), ids=POINTS)
def test_hands_of_up_to_ten_tiles_of_five_kinds(points):
    for counts in product(range(3), repeat=5):
        assert engine(counts, points) == best(tuple(sorted(counts)), points)


@brief
@given(st.tuples(*[st.integers(0, 7)] * 5))
def test_larger_hands(counts):
    if sum(counts) <= 14:
        assert engine(counts, PRINTED) == best(tuple(sorted(counts)), PRINTED)


@brief
@given(st.tuples(*[st.integers(0, 2)] * 6), st.tuples(*[st.integers(0, 30)] * 5))
def test_larger_hands_with_any_points(counts, points):
    assert engine(counts, (0, *points)) == best(tuple(sorted(counts)), (0, *points))


def test_worked_sets():
    assert engine((1, 1, 1, 1, 1), PRINTED) == 25
    assert engine((2, 2, 1, 1, 1), PRINTED) == 25 + 4
    assert engine((7, 7, 7, 7, 7), PRINTED) == 7 * 25
    assert engine((7, 0, 0, 0, 0), PRINTED) == 7
