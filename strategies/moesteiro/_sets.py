"""Sets of different tiles: which one a further tile joins."""

from numba import njit

from sim.compiled import count_ones
from sim.moesteiro.scoring import LARGEST_SET
from sim.moesteiro.state import KINDS

# bits for the tiles of one kind, the highest of them free: up to 63, more than anybody can take in five rounds
LANE = 7
ONES = sum(1 << LANE * kind for kind in range(KINDS))
GUARD = ONES << LANE - 1


@njit(forceinline=True)
def tiles_held(state, seat):
    """Return how many tiles of each kind a player holds: a lane for each, in one number."""
    held = 0
    for kind in range(KINDS):
        held |= state.tiles[seat, kind] << LANE * kind
    return held


@njit(forceinline=True)
def kinds_with_more(held, tiles):
    """Return how many kinds of tiles a player holds more of than a number of tiles; held: see `tiles_held`."""
    return count_ones((held | GUARD) - (tiles + 1) * ONES & GUARD)  # its guard stays where a kind has more tiles


@njit(forceinline=True)
def set_of_one_more(held, kind):
    """Return the size of the set that one more tile of a kind makes larger by one: how many kinds there are more of
    (`tiles_held`)."""
    return min(LARGEST_SET - 1, kinds_with_more(held, held >> LANE * kind & (1 << LANE) - 1))


@njit(forceinline=True)
def gain_of(components, held, kind):
    """Return the points that a set gains by one more tile of a kind; held: see `tiles_held`."""
    size = set_of_one_more(held, kind)
    return components.sets.of_size[size + 1] - components.sets.of_size[size]
