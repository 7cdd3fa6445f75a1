"""Keyed chance: every random event has an address, and its value is a hash of key and address.

So it depends on nothing that was drawn before: not on the strategies, the batch, the workers or the machine. The
generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), read by random
access: `bits(key, n)` is the n-th output of the stream seeded with `key`.

    >>> hex(bits(np.uint64(0), 1))
    '0xe220a8397b1dcdaf'
    >>> key = block_key(np.uint64(1), 0)
    >>> [int(draw(key, address, 6)) + 1 for address in range(8)]
    [1, 3, 3, 4, 5, 2, 1, 5]
"""

import numpy as np
from numba import njit

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_A, _B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@njit(forceinline=True)
def mix(z):
    """Return the finalizer of SplitMix64: a bijection of 64 bits."""
    z = (z ^ (z >> _30)) * _A
    z = (z ^ (z >> _27)) * _B
    return z ^ (z >> _31)


@njit(forceinline=True)
def bits(key, address):
    """Return the 64 random bits (uint64) of the event at `address` (int64, 0 or more)."""
    return mix(key + np.uint64(address) * GAMMA)


@njit(forceinline=True)
def draw(key, address, sides):
    """Return the value 0 to sides − 1 (int64) of the event at `address`; each is equally likely to within sides /
    2³²."""
    return np.int64(((bits(key, address) >> _32) * np.uint64(sides)) >> _32)


@njit(forceinline=True)
def noise_key(key):
    """Return the key of the strategies' own chance, so that their draws never meet the game's."""
    return mix(key ^ GAMMA)


@njit(forceinline=True)
def block_key(seed, block):
    """Return the key of one block of games: distinct blocks of a seed have distinct keys, since `mix` is a
    bijection."""
    return bits(mix(seed + GAMMA), block)


@njit(forceinline=True)
def shuffle(key, address, items, n):
    """Put items[:n] in random order, in place, from the events at `address` to address + n − 2 (Fisher and Yates).

    >>> cards = np.arange(5)
    >>> shuffle(block_key(np.uint64(1), 0), 0, cards, 5)
    >>> cards.tolist()
    [0, 2, 3, 4, 1]
    """
    for i in range(n - 1):
        j = i + draw(key, address + i, n - i)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
