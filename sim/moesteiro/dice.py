"""A row of dice in one int64: the dice of an area from left to right, or the dice in a player's hand.

    byte       0          1          …    6
               leftmost   next                        free spaces hold FREE
    die        key << 3 | owner
    key        2 · value + (1 for a worker, 0 for a master), 2 to 13
    owner      seat, or NEUTRAL

Sorted by key, a row stands in the order of the placing rule: lower values first, a master before workers of his value,
later dice after their equals. Seven dice fit. Only this file knows the bits.

    >>> row = insert(EMPTY, 0, worker(2), 3)
    >>> hex(row)
    '0x7f7f7f7f7f7f2b'
    >>> pips(key_at(row, 0)), is_worker(key_at(row, 0)), owner_at(row, 0)
    (2, 1, 3)
"""

from numba import njit

from sim.compiled import count_ones

NEUTRAL = 4
FREE = 0x7F
EMPTY = 0x7F7F7F7F7F7F7F
HIGH = 0x80808080808080
ONES = 0x01010101010101
WHOLE = 0xFFFFFFFFFFFFFF
LONGEST = 7


@njit(forceinline=True)
def worker(value):
    """Return the key of a worker that shows `value` pips."""
    return 2 * value + 1


@njit(forceinline=True)
def master(value):
    """Return the key of a master that shows `value` pips."""
    return 2 * value


@njit(forceinline=True)
def pips(key):
    """Return the pips that a die of this key shows."""
    return key >> 1


@njit(forceinline=True)
def is_worker(key):
    """Return 1 for a worker, 0 for a master."""
    return key & 1


@njit(forceinline=True)
def key_at(row, place):
    """Return the key of the die at `place`, counted from 0 at the left."""
    return ((row >> 8 * place) & 0x7F) >> 3


@njit(forceinline=True)
def owner_at(row, place):
    """Return the owner of the die at `place`."""
    return (row >> 8 * place) & 7


@njit(forceinline=True)
def place_for(row, key):
    """Return the place where a die of this key enters: after every die whose key is not higher.

    >>> row = insert(EMPTY, 0, worker(2), 3)
    >>> place_for(row, master(2)), place_for(row, worker(2)), place_for(row, worker(3))
    (0, 1, 1)
    """
    return count_ones(HIGH & ~((row | HIGH) - ((key + 1) << 3) * ONES))


@njit(forceinline=True)
def owned(row, owner):
    """Return 1 in each byte whose die belongs to a player."""
    return ((HIGH - ((row ^ owner * ONES) & 7 * ONES)) & HIGH) >> 7


@njit(forceinline=True)
def dice_of(row, owner):
    """Return how many dice of a row belong to a player."""
    return count_ones(owned(row, owner))


@njit(forceinline=True)
def pips_of(row, owner):
    """Return the sum of the pips of a player's dice in a row.

    >>> pips_of(insert(insert(EMPTY, 0, worker(2), 3), 1, master(6), 3), 3)
    8
    """
    sums = (row >> 4) & (owned(row, owner) * 7)
    sums += sums >> 8
    sums += sums >> 16
    sums += sums >> 32
    return sums & 0xFF


@njit(forceinline=True)
def insert(row, place, key, owner):
    """Return the row with a die put in at `place`; the dice from there on move one space to the right.

    >>> row = insert(insert(EMPTY, 0, worker(5), 0), 0, master(1), 2)
    >>> [(pips(key_at(row, place)), owner_at(row, place)) for place in range(2)]
    [(1, 2), (5, 0)]
    >>> remove(row, 0) == insert(EMPTY, 0, worker(5), 0)
    True
    """
    left = (1 << 8 * place) - 1
    return (row & left) | ((key << 3 | owner) << 8 * place) | (((row & ~left) << 8) & WHOLE)


@njit(forceinline=True)
def remove(row, place):
    """Return the row without the die at `place`; the dice to its right close the gap."""
    left = (1 << 8 * place) - 1
    return (row & left) | ((row >> 8) & ~left) | (FREE << 48)
