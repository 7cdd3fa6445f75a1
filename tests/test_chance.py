"""Keyed chance: the published test vectors, and that no two events share an address by accident."""

import numpy as np
import pytest

from sim.chance import bits, block_key, draw, mix, noise_key, shuffle

# SplitMix64, seed 1234567: the first five outputs, as published with the reference implementation and on Rosetta Code.
VECTORS = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821)


@pytest.mark.parametrize(("number", "expected"), list(enumerate(VECTORS, 1)))
def test_published_vectors(number, expected):
    assert int(bits(np.uint64(1234567), number)) == expected


def test_keys_of_blocks_differ_within_a_seed_and_between_seeds():
    keys = {int(block_key(np.uint64(seed), block)) for seed in (0, 1, 2, 2**64 - 1) for block in range(20_000)}
    assert len(keys) == 80_000


def test_strategies_never_meet_the_chance_of_the_game():
    key = np.uint64(block_key(np.uint64(1), 0))
    noise = np.uint64(noise_key(key))
    assert noise != key
    assert not {int(bits(key, n)) for n in range(5000)} & {int(bits(noise, n)) for n in range(5000)}


def test_a_draw_is_even_over_its_sides():
    n, sides = 60_000, 6
    counts = np.bincount([draw(np.uint64(3), n, sides) for n in range(n)], minlength=sides)
    assert len(counts) == sides
    # Chi square with 5 degrees of freedom: 20.5 is passed once in a thousand times, and the key is fixed.
    assert ((counts - n / sides) ** 2 / (n / sides)).sum() < 20.5


def test_every_order_is_equally_likely():
    n, counts = 24_000, {}
    for block in range(n):
        items = np.arange(4)
        shuffle(np.uint64(block_key(np.uint64(5), block)), 1 << 40, items, 4)
        assert sorted(items) == [0, 1, 2, 3]
        counts[tuple(items)] = counts.get(tuple(items), 0) + 1
    assert len(counts) == 24
    # 23 degrees of freedom, once in a thousand
    assert sum((count - n / 24) ** 2 / (n / 24) for count in counts.values()) < 49.7


def test_mixing_is_a_bijection_on_a_sample():
    assert len({int(mix(np.uint64(n))) for n in range(50_000)}) == 50_000
