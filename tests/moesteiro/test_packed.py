"""Rows of dice, purses and set points against the obvious versions with lists: all small cases, and random larger ones."""

from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.moesteiro import dice, purse
from sim.moesteiro.scoring import set_points

KEYS = [dice.master(v) for v in range(1, 7)] + [dice.worker(v) for v in range(1, 7)]
keys = st.sampled_from(KEYS)
owners = st.integers(0, dice.NEUTRAL)
patient = settings(deadline=None)  # the first call compiles
brief = settings(deadline=None, max_examples=60)

# --- rows of dice ---------------------------------------------------------------------------------------------------------------------


def pack(row: list[tuple[int, int]]) -> int:
    """Return a row of (key, owner) as one integer, die by die from the left."""
    word = dice.EMPTY
    for place, (key, owner) in enumerate(row):
        word = dice.insert(word, place, key, owner)
    return word


def unpack(word: int, length: int) -> list[tuple[int, int]]:
    """Return the dice of a row; beyond them nothing may lie."""
    assert all(dice.key_at(word, place) == dice.FREE >> 3 for place in range(length, dice.LONGEST))
    return [(dice.key_at(word, place), dice.owner_at(word, place)) for place in range(length)]


def enters(row: list[tuple[int, int]], key: int) -> int:
    """Return where a die enters, in the words of the rule: before each die of a higher value, a master also before workers of his own."""
    value, worker = key // 2, key % 2
    for place, (other, _) in enumerate(row):
        if other // 2 > value or (other // 2 == value and other % 2 and not worker):
            return place
    return len(row)


def test_keys_say_value_and_size():
    for value in range(1, 7):
        assert (dice.pips(dice.worker(value)), dice.is_worker(dice.worker(value))) == (value, 1)
        assert (dice.pips(dice.master(value)), dice.is_worker(dice.master(value))) == (value, 0)
    assert len(set(KEYS)) == 12


def test_an_empty_row():
    assert unpack(dice.EMPTY, 0) == []
    assert all(dice.place_for(dice.EMPTY, key) == 0 for key in KEYS)


def test_place_for_every_row_of_up_to_three_dice():
    for length in range(4):
        for row in combinations_with_replacement(sorted(KEYS), length):
            word = pack([(key, 2) for key in row])
            for key in KEYS:
                assert dice.place_for(word, key) == enters([(k, 2) for k in row], key)


@patient
@given(st.lists(st.tuples(keys, owners), max_size=dice.LONGEST - 1), keys, owners)
def test_a_die_enters_a_row(row, key, owner):
    row.sort(key=lambda die: die[0])
    word, place = pack(row), enters(row, key)
    assert unpack(word, len(row)) == row
    assert dice.place_for(word, key) == place
    assert unpack(dice.insert(word, place, key, owner), len(row) + 1) == [*row[:place], (key, owner), *row[place:]]


@patient
@given(st.lists(st.tuples(keys, owners), min_size=1, max_size=dice.LONGEST), st.data())
def test_a_die_leaves_a_row(row, data):
    place = data.draw(st.integers(0, len(row) - 1))
    assert unpack(dice.remove(pack(row), place), len(row) - 1) == row[:place] + row[place + 1 :]


@patient
@given(st.lists(st.tuples(keys, owners), max_size=dice.LONGEST))
def test_a_row_is_sorted_however_it_came_about(row):
    word, listed = dice.EMPTY, []
    for n, (key, owner) in enumerate(row):
        word = dice.insert(word, dice.place_for(word, key), key, owner)
        listed.insert(enters(listed, key), (key, owner))
        assert unpack(word, n + 1) == listed
    assert [key for key, _ in listed] == sorted(key for key, _ in row)


# --- purses ---------------------------------------------------------------------------------------------------------------------------

LARGEST = 2_047
amounts = st.tuples(*[st.integers(0, LARGEST)] * 4)


def held(word: int) -> tuple[int, ...]:
    """Return the four amounts in a purse."""
    return tuple(purse.amount(word, material) for material in range(4))


def check_two_purses(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    """Compare every operation on two purses with the same on tuples."""
    x, y = purse.goods(*a), purse.goods(*b)
    assert (held(x), held(y)) == (a, b)
    enough = all(i >= j for i, j in zip(a, b))
    assert bool(purse.can_pay(x, y)) == enough
    if enough:
        assert held(x - y) == tuple(i - j for i, j in zip(a, b))
    if all(i + j <= LARGEST for i, j in zip(a, b)):
        assert held(x + y) == tuple(i + j for i, j in zip(a, b))
    assert held(purse.common(x, y)) == tuple(min(i, j) for i, j in zip(a, b))
    assert purse.pieces(x) == sum(a)


def test_all_pairs_of_small_purses():
    for a, b in product(product(range(3), repeat=4), repeat=2):
        check_two_purses(a, b)


@patient
@given(amounts, amounts)
def test_any_two_purses(a, b):
    check_two_purses(a, b)


@patient
@given(amounts, st.integers(0, 3))
def test_purses_that_differ_by_one_piece(a, material):
    b = tuple(min(n + (i == material), LARGEST) for i, n in enumerate(a))
    check_two_purses(a, b)
    check_two_purses(b, a)


@patient
@given(st.integers(0, LARGEST), st.integers(0, 3))
def test_pieces_of_one_material(n, material):
    assert held(purse.piece(material, n)) == tuple(n * (i == material) for i in range(4))


# --- sets of different tiles ----------------------------------------------------------------------------------------------------------


@cache
def best(tiles: tuple[int, ...], points: tuple[int, ...]) -> int:
    """Return the most points of any division into sets of different kinds, by trying each subset as one set."""
    kinds = [kind for kind, n in enumerate(tiles) if n]
    most = 0
    for chosen in range(1, 1 << len(kinds)):
        one = [kind for i, kind in enumerate(kinds) if chosen >> i & 1]
        if len(one) <= 5:
            rest = tuple(sorted(n - (kind in one) for kind, n in enumerate(tiles)))
            most = max(most, points[len(one)] + best(rest, points))
    return most


def engine(tiles: tuple[int, ...], points: tuple[int, ...]) -> int:
    """Return what the engine counts."""
    return int(set_points(np.array([*tiles, *[0] * (8 - len(tiles))], np.int64), np.array(points, np.int64)))


PRINTED = (0, 1, 4, 9, 16, 25)
POINTS = {
    "printed": PRINTED,
    "linear": (0, 2, 4, 6, 8, 10),
    "falling": (0, 5, 9, 12, 14, 15),
    "pairs best": (0, 1, 10, 11, 12, 13),
    "fours best": (0, 0, 1, 2, 30, 31),
    "a set of five is worth nothing": (0, 1, 4, 9, 16, 0),
    "all the same": (0, 3, 3, 3, 3, 3),
    "nothing": (0, 0, 0, 0, 0, 0),
}


@pytest.mark.parametrize("points", POINTS.values(), ids=POINTS)
def test_set_points_of_all_small_hands(points):
    for tiles in product(range(3), repeat=5):
        assert engine(tiles, points) == best(tuple(sorted(tiles)), points)
    for tiles in combinations_with_replacement(range(2), 8):
        assert engine(tiles, points) == best(tuple(sorted(tiles)), points)


@brief
@given(st.tuples(*[st.integers(0, 7)] * 5))
def test_set_points_of_any_hand(tiles):
    if sum(tiles) <= 14:
        assert engine(tiles, PRINTED) == best(tuple(sorted(tiles)), PRINTED)


@brief
@given(st.tuples(*[st.integers(0, 2)] * 6), st.tuples(*[st.integers(0, 30)] * 5))
def test_set_points_with_any_points(tiles, points):
    assert engine(tiles, (0, *points)) == best(tuple(sorted(tiles)), (0, *points))


def test_worked_sets():
    assert engine((1, 1, 1, 1, 1), PRINTED) == 25
    assert engine((2, 2, 1, 1, 1), PRINTED) == 25 + 4
    assert engine((7, 7, 7, 7, 7), PRINTED) == 7 * 25
    assert engine((7, 0, 0, 0, 0), PRINTED) == 7
