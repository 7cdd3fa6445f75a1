"""The two ways in which strategies look for the set that one more tile joins, against each other and the plain
count."""

import numpy as np
import pytest
from numba import njit

from sim.contract import records
from sim.moesteiro.scoring import LARGEST_SET
from sim.moesteiro.state import KINDS, STATE
from strategies.moesteiro._sets import MOST, set_joined, set_of_one_more, sets_held, tiles_held


@njit
def joined(state, kind):
    """Return what both say of a kind for seat 1."""
    return set_joined(state, 0, sets_held(state, 0), kind), set_of_one_more(tiles_held(state, 0), kind)


@pytest.mark.slow
def test_one_more_tile_joins_the_largest_set_without_its_kind():
    chance, states = np.random.default_rng(1), records(STATE, 1)
    for most in (1, 2, 4, 8, MOST - 1):
        for _ in range(50):
            counts = chance.integers(0, most + 1, KINDS)
            states[0].tiles[0] = counts
            for kind in range(KINDS):
                wanted = min(LARGEST_SET - 1, int((counts > counts[kind]).sum()))
                assert joined(states[0], kind) == (wanted, wanted)
