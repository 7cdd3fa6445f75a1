"""Sets of different tiles: which one a further tile joins."""

from numba import njit

from sim.moesteiro.scoring import LARGEST_SET
from sim.moesteiro.state import KINDS

MOST = 14  # tiles of one kind that are told apart


@njit(forceinline=True)
def sets_held(state, seat, coming=0):
    """Return how many kinds of tiles a player holds once or more, twice or more, …: four bits for each, in one number.

    Args:
        coming: tiles that count as held, four bits for each kind.
    """
    sizes = 0
    for kind in range(KINDS):
        sizes += 0x111111111111111 & ((1 << 4 * min(MOST, state.tiles[seat, kind] + (coming >> 4 * kind & 15))) - 1)
    return sizes


@njit(forceinline=True)
def set_joined(state, seat, sizes, kind, coming=0):
    """Return the size of the set that one more tile of a kind makes larger by one; sizes, coming: see `sets_held`."""
    return min(LARGEST_SET - 1, sizes >> 4 * min(MOST, state.tiles[seat, kind] + (coming >> 4 * int(kind) & 15)) & 15)
