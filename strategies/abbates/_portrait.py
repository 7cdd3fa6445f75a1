"""A portrait as a few words: which squares hold which kind, and where abbot and general are likely to end."""

from numba import njit

from sim.abbates import ask
from sim.abbates.scoring import ALL, LANE, bit_sets
from sim.abbates.state import BENEDICT, GARDEN_PHASES, KINDS, PHASES, ROUNDS, SQUARES
from sim.compiled import count_ones

LAST = len(KINDS) * LANE  # all squares that hold a card come last


@njit(forceinline=True)
def squares_of(state, seat):
    """Return the bit sets of the squares of a portrait that hold each kind, LANE bits apart, and of all that hold a
    card."""
    return bit_sets(state, seat) ^ ALL << LAST  # which has the empty ones last


@njit(forceinline=True)
def empty_squares(sets):
    """Return how many squares hold no card."""
    return SQUARES - count_ones(sets >> LAST)


@njit(forceinline=True)
def mean_beans(components):
    """Return the mean of the black beans in the deck."""
    return components.garden.beans_in_all / components.garden.cards_in_all


@njit(forceinline=True)
def mean_white(components):
    """Return the mean of the white beans on the abbot cards of a hand."""
    return components.abbots.white_in_hand / (BENEDICT - 1)


@njit(forceinline=True)
def phases_left(state):
    """Return how many phases are to come in which garden cards are taken, this one not counted."""
    return (ROUNDS - 1 - state.this_round) * GARDEN_PHASES + max(0, GARDEN_PHASES - 1 - state.this_phase)


@njit(forceinline=True)
def wins_left(state):
    """Return how many phases are to come in which a card moves the general, this one counted until its cards are
    played."""
    done = state.this_round * PHASES + state.this_phase
    return ROUNDS * PHASES - done - (state.asks != ask.ABBOT)
