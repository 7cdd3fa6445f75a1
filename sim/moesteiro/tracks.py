"""What a player gains and pays: points, steps on the three tracks, tiles."""

import numpy as np
from numba import njit

from sim.chance import draw
from sim.contract import ChanceSource
from sim.moesteiro.purse import piece
from sim.moesteiro.state import (
    BONUS_CONSTRUCTION,
    BONUS_FOOD,
    BONUS_GLASS,
    BONUS_LABOUR,
    BONUS_STONEWORK,
    FROM_FOOD,
    FROM_LABOUR,
    GLASS_KINDS,
    NONE,
    STONEWORK_KINDS,
)

# Kinds of random events (sim.chance): an address is kind, round and slot.
DICE, NEUTRALS, VILLAGE_DRAW, SITE_DRAW, SITE_SET, CRANE_DRAW, WINDOW_DRAW, BONUS_DRAW, PURCHASE_DRAW = range(1, 10)


@njit(forceinline=True)
def address(kind, of_round, slot):
    """Return the address of a random event; slot is 0 to 255."""
    return kind << 16 | of_round << 8 | slot


def _drawn(name, words, *kinds):
    return ChanceSource(name, words, tuple((kind << 16, (kind + 1) << 16) for kind in kinds))


CHANCE = (
    _drawn("dice", "the players' dice", DICE),
    _drawn("neutral_dice", "the dice of the neutral workers", NEUTRALS),
    _drawn("village", "the village tiles on show", VILLAGE_DRAW),
    _drawn("construction", "the construction tiles on show", SITE_DRAW, SITE_SET),
    _drawn("stonework", "the stonework tiles at the construction site", CRANE_DRAW),
    _drawn("glass", "the tiles at the stained glass window", WINDOW_DRAW),
    _drawn("unseen", "the tiles that players draw unseen", BONUS_DRAW, PURCHASE_DRAW),
)


@njit(forceinline=True)
def gain(state, seat, source, vp):
    """Score points from one source."""
    state.score[seat] += vp
    state.points[seat, source] += vp


@njit(forceinline=True)
def arrive(components, state, seat):
    """Put a marker that has just moved on top of the stack of its labour space (or under it: a switch)."""
    state.arrivals += 1
    state.height[seat] = -state.arrivals if components.rules.labour_arrival else state.arrivals


@njit(forceinline=True)
def labour_right(components, state, seat, steps):
    """Move right on the labour track; steps beyond its end are points."""
    last = components.tracks.labour.last
    made = min(steps, last - state.labour[seat])
    if made > 0:
        state.labour[seat] += made
        arrive(components, state, seat)
    if steps > made:
        gain(state, seat, FROM_LABOUR, (steps - made) * components.tracks.labour.overflow_vp)


@njit(forceinline=True)
def labour_left(components, state, seat, steps):
    """Move left on the labour track, as a payment that has been checked."""
    if steps > 0:
        state.labour[seat] -= steps
        arrive(components, state, seat)


@njit(forceinline=True)
def food_down(components, state, seat, steps):
    """Move down the food track; steps beyond its end are points."""
    made = min(steps, components.tracks.food.last - state.food[seat])
    state.food[seat] += made
    if steps > made:
        gain(state, seat, FROM_FOOD, (steps - made) * components.tracks.food.overflow_vp)


@njit(forceinline=True)
def construction_up(components, state, seat, steps):
    """Move up the construction track; steps beyond its end are lost."""
    state.construction[seat] = min(state.construction[seat] + steps, components.tracks.construction.last)


@njit(forceinline=True)
def tiles_left(components, state, first, kinds):
    """Return how many stonework (first = 0) or stained glass tiles can still be drawn."""
    left, discarded = 0, 0
    for kind in range(first, first + kinds):
        left += state.pile[kind]
        discarded += state.discarded[kind]
    return left if left > 0 or not components.rules.reshuffle else discarded


@njit
def draw_tile(components, state, first, kinds, where):
    """Draw a stonework (first = 0) or stained glass tile from what is left of its pile, by the random event at `where`.

    Returns:
        Its kind, or NONE from an empty pile. What was discarded makes a new pile if the switch says so.
    """
    left, on_pile = tiles_left(components, state, first, kinds), 0
    if left == 0:
        return NONE
    for kind in range(first, first + kinds):
        on_pile += state.pile[kind]
    if on_pile == 0:
        for kind in range(first, first + kinds):
            state.pile[kind] = state.discarded[kind]
            state.discarded[kind] = 0
    at = draw(state.key, where, left)
    kind, below = first, state.pile[first]
    for further in range(first + 1, first + kinds):  # counted: no branch to guess wrong
        kind += at >= below
        below += state.pile[further]
    state.pile[kind] -= 1
    return kind


@njit
def draw_stonework(components, state, where):
    """Draw a stonework tile, see `draw_tile`."""
    return draw_tile(components, state, 0, STONEWORK_KINDS, where)


@njit
def draw_glass(components, state, where):
    """Draw a stained glass tile, see `draw_tile`."""
    return draw_tile(components, state, STONEWORK_KINDS, GLASS_KINDS, where)


@njit
def take_bonus(components, state, seat, bonus, where):
    """Give a player the bonus of a village space (index into BONUSES); a tile comes from the pile, unseen."""
    if bonus >= BONUS_STONEWORK:
        kind = np.int64(NONE)
        if bonus == BONUS_STONEWORK:
            kind = draw_stonework(components, state, where)
        elif bonus == BONUS_GLASS:
            kind = draw_glass(components, state, where)
        if kind != NONE:
            state.tiles[seat, kind] += 1
    elif bonus == BONUS_FOOD:
        food_down(components, state, seat, 1)
    elif bonus == BONUS_LABOUR:
        labour_right(components, state, seat, 1)
    elif bonus == BONUS_CONSTRUCTION:
        construction_up(components, state, seat, 1)
    elif bonus > 0:
        state.purse[seat] += piece(bonus - 1, 1)
