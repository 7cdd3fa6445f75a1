"""Sets of different tiles: which one a further tile joins."""

from numba import njit

from sim.compiled import count_ones
from sim.moesteiro.scoring import LARGEST_SET
from sim.moesteiro.state import KINDS

MOST = 14  # tiles of one kind that are told apart
# bits for the tiles of one kind, the highest of them free: up to 63, more than anybody can take in five rounds
LANE = 7
ONES = sum(1 << LANE * kind for kind in range(KINDS))
GUARD = ONES << LANE - 1


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


@njit(forceinline=True)
def tiles_held(state, seat):
    """Return how many tiles of each kind a player holds: a lane for each, in one number."""
    held = 0
    for kind in range(KINDS):
        held |= state.tiles[seat, kind] << LANE * kind
    return held


@njit(forceinline=True)
def set_of_one_more(held, kind):
    """Return the size of the set that one more tile of a kind makes larger by one: how many kinds there are more of
    (`tiles_held`)."""
    # its guard stays where a kind has more tiles
    more = (held | GUARD) - ((held >> LANE * kind & (1 << LANE) - 1) + 1) * ONES
    return min(LARGEST_SET - 1, count_ones(more & GUARD))
