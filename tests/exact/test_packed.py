"""Rows of dice and purses against the obvious versions with lists: every small one, and random larger ones."""

from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.moesteiro import dice, purse
from tests.exact.plain import enters

Die = tuple[int, int]  # key, owner
KEYS = [dice.master(v) for v in range(1, 7)] + [dice.worker(v) for v in range(1, 7)]
OWNERS = range(dice.NEUTRAL + 1)
DICE = sorted(product(KEYS, OWNERS))
keys, owners = st.sampled_from(KEYS), st.sampled_from(OWNERS)
patient = settings(deadline=None)  # the first call compiles

# --- rows of dice -----------------------------------------------------------------------------------------------------


def pack(row: list[Die]) -> int:
    """Return a row of (key, owner) as one integer, die by die from the left."""
    word = dice.EMPTY
    for place, (key, owner) in enumerate(row):
        word = dice.insert(word, place, key, owner)
    return word


def unpack(word: int, length: int) -> list[Die]:
    """Return the dice of a row; beyond them nothing may lie."""
    nothing = dice.FREE >> 3, dice.FREE & 7
    assert all(
        (dice.key_at(word, place), dice.owner_at(word, place)) == nothing for place in range(length, dice.LONGEST)
    )
    assert 0 <= word < 1 << 8 * dice.LONGEST
    return [(dice.key_at(word, place), dice.owner_at(word, place)) for place in range(length)]


def test_keys_say_value_and_size():
    for value in range(1, 7):
        assert (dice.pips(dice.worker(value)), dice.is_worker(dice.worker(value))) == (value, 1)
        assert (dice.pips(dice.master(value)), dice.is_worker(dice.master(value))) == (value, 0)
    assert len(set(KEYS)) == 12


def test_an_empty_row():
    assert unpack(dice.EMPTY, 0) == []
    assert all(dice.place_for(dice.EMPTY, key) == 0 for key in KEYS)


def check_row(row: list[Die], word: int) -> None:
    """Compare what is read from a row, and the row without each of its dice, with the same on the list."""
    assert unpack(word, len(row)) == row
    for owner in range(dice.NEUTRAL + 1):
        mine = [(place, key) for place, (key, whose) in enumerate(row) if whose == owner]
        assert dice.owned(word, owner) == sum(1 << 8 * place for place, _ in mine)
        assert dice.dice_of(word, owner) == len(mine)
        assert dice.pips_of(word, owner) == sum(key // 2 for _, key in mine)
    for place in range(len(row)):
        assert dice.remove(word, place) == pack(row[:place] + row[place + 1 :])


def check_new_dice(row: list[Die], word: int, newcomers: list[Die]) -> None:
    """Compare where each new die enters a sorted row, and the row with it, with the same on the list."""
    for key, owner in newcomers:
        place = enters(row, key)
        assert dice.place_for(word, key) == place
        assert dice.insert(word, place, key, owner) == pack([*row[:place], (key, owner), *row[place:]])


def test_every_row_of_up_to_two_dice_in_any_order():
    for length in range(3):
        for row in map(list, product(DICE, repeat=length)):
            check_row(row, pack(row))


def test_every_die_enters_every_row_of_up_to_two_dice():
    for length in range(3):
        for row in map(list, product(DICE, repeat=length)):
            if [key for key, _ in row] == sorted(key for key, _ in row):
                check_new_dice(row, pack(row), DICE)


@pytest.mark.slow
def test_every_row_of_three_dice():
    for chosen in combinations_with_replacement(sorted(KEYS), 3):
        for owned_by in product(OWNERS, repeat=3):
            row = list(zip(chosen, owned_by))
            check_row(row, pack(row))


@pytest.mark.slow
def test_every_size_and_value_enters_every_row_of_up_to_four_dice():
    for length in range(5):
        for chosen in combinations_with_replacement(sorted(KEYS), length):
            for shift in OWNERS:  # every owner in every place, in turn
                row = [(key, (place + shift) % len(OWNERS)) for place, key in enumerate(chosen)]
                check_new_dice(row, pack(row), [(key, shift) for key in KEYS])


@patient
@given(st.lists(st.tuples(keys, owners), max_size=dice.LONGEST - 1), keys, owners)
def test_a_die_enters_a_row(row, key, owner):
    row.sort(key=lambda die: die[0])
    word, place = pack(row), enters(row, key)
    assert unpack(word, len(row)) == row
    assert dice.place_for(word, key) == place
    assert unpack(dice.insert(word, place, key, owner), len(row) + 1) == [*row[:place], (key, owner), *row[place:]]


@patient
@given(st.lists(st.tuples(keys, owners), max_size=dice.LONGEST))
def test_a_longer_row(row):
    check_row(row, pack(row))


@pytest.mark.slow
@patient
@given(st.lists(st.tuples(keys, owners, st.booleans()), max_size=40), st.data())
def test_dice_come_and_go(changes, data):
    word, listed = dice.EMPTY, []
    for key, owner, comes in changes:
        if comes and len(listed) < dice.LONGEST:
            word = dice.insert(word, dice.place_for(word, key), key, owner)
            listed.insert(enters(listed, key), (key, owner))
        elif listed:
            place = data.draw(st.integers(0, len(listed) - 1))
            word = dice.remove(word, place)
            del listed[place]
        assert unpack(word, len(listed)) == listed


@patient
@given(st.lists(st.tuples(keys, owners), max_size=dice.LONGEST))
def test_a_row_is_sorted_however_it_came_about(row):
    word, listed = dice.EMPTY, []
    for n, (key, owner) in enumerate(row):
        word = dice.insert(word, dice.place_for(word, key), key, owner)
        listed.insert(enters(listed, key), (key, owner))
        assert unpack(word, n + 1) == listed
    assert [key for key, _ in listed] == sorted(key for key, _ in row)


# --- purses -----------------------------------------------------------------------------------------------------------

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


@pytest.mark.slow
def test_all_pairs_of_small_purses():
    for a, b in product(product(range(3), repeat=4), repeat=2):
        check_two_purses(a, b)


def test_all_pairs_of_purses_that_are_empty_or_full():
    for a, b in product(product((0, LARGEST - 1, LARGEST), repeat=4), repeat=2):
        check_two_purses(a, b)


def test_every_amount_of_one_material():
    for material, n in product(range(4), range(LARGEST + 1)):
        assert held(purse.piece(material, n)) == tuple(n * (i == material) for i in range(4))


@patient
@given(amounts, amounts)
def test_any_two_purses(a, b):
    check_two_purses(a, b)


def mixes(most: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return every mix, counted up from the empty one until it comes round."""
    found, mix = [], 0
    while not found or mix:
        found.append(held(mix))
        mix = purse.mix_after(mix, purse.goods(*most))
    return found


def test_every_mix_comes_once_wood_first():
    for most in [*product(range(3), repeat=4), (4, 0, 1, 0), (0, 0, 0, LARGEST), (LARGEST, 0, 0, 1)]:
        assert mixes(most) == [mix[::-1] for mix in product(*(range(n + 1) for n in most[::-1]))]


@patient
@given(amounts, st.integers(0, 3))
def test_purses_that_differ_by_one_piece(a, material):
    b = tuple(min(n + (i == material), LARGEST) for i, n in enumerate(a))
    check_two_purses(a, b)
    check_two_purses(b, a)


def check_worth(pieces: tuple[int, ...], pips: tuple[int, ...]) -> None:
    """Compare what pieces are worth at so many pips each with the sum, material by material."""
    rates = purse.goods(*pips[::-1])
    assert purse.worth_at(purse.goods(*pieces), rates) == sum(n * each for n, each in zip(pieces, pips, strict=True))


def test_what_the_fewest_and_the_most_pieces_are_worth():
    for pieces, pips in product(product((0, 1, 20), repeat=4), product((0, 1, 9), repeat=4)):
        check_worth(pieces, pips)


@patient
@given(st.tuples(*[st.integers(0, 20)] * 4), st.tuples(*[st.integers(0, 9)] * 4))
def test_what_any_pieces_are_worth(pieces, pips):
    check_worth(pieces, pips)
