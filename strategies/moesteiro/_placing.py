"""Where to place which die: what each area would bring with it."""

import numpy as np
from numba import njit

from sim.moesteiro.dice import key_at, owner_at, pips
from sim.moesteiro.purse import COLUMN, LINTEL, STONE, WOOD, amount, can_pay, piece
from sim.moesteiro.state import CRANE, FOREST, NONE, QUARRY, VILLAGE, WINDOW, GLASS_KINDS, STONEWORK_KINDS
from strategies.moesteiro._weights import AGAIN, AHEAD, DIE, SHIFT
from strategies.moesteiro._worth import (
    NEVER,
    best_space,
    given,
    labour_right,
    pips_in,
    price,
    steps_up,
    tile_worth,
    unseen_tile,
    wanted,
)


@njit(forceinline=True)
def own_pips(state, seat, area):
    """Return the pips of the dice that a player has in an area."""
    total = 0
    for i in range(state.dice[area]):
        die = state.row[area]
        total += pips(key_at(die, i)) if owner_at(die, i) == seat else 0
    return total


@njit(forceinline=True)
def own_dice(state, seat, area):
    """Return how many dice a player has in an area."""
    total = 0
    for i in range(state.dice[area]):
        total += 1 if owner_at(state.row[area], i) == seat else 0
    return total


@njit(forceinline=True)
def piled(needed, kept, rate, spare, amount):
    """Return the worth of an amount of which the first `needed` bring the rate, the next `kept` what spare ones bring, the rest nothing."""
    first = min(needed, amount)
    return rate * first + spare * min(kept, amount - first)


@njit
def best_place(components, state, options, n, weights):
    """Return the option for a die and an area that brings most beyond what the die's pips would bring later."""
    seat, quarry = state.player, components.quarry_pips
    in_forest, in_quarry = own_pips(state, seat, FOREST), own_pips(state, seat, QUARRY)
    want = wanted(components, state, seat, weights, piece(WOOD, in_forest // components.forest_far_pips), 1)
    passing = labour_right(components, state, seat, weights, components.pass_steps)

    # Forest: wood that is missing or can be kept.
    wood_needed = amount(want.short, WOOD) + 0.0
    wood_kept = max(0.0, want.store - amount(want.extra, WOOD))
    wood, spare_wood = want.pip * components.forest_near_pips, want.spare * components.forest_near_pips
    # Quarry: pips of pieces that are missing, less those that dice there will bring already.
    missing = pips_in(components, want.short) - amount(want.short, WOOD) * components.forest_near_pips
    stones_kept = max(0.0, want.store - amount(want.extra, STONE)) * quarry[STONE]
    lintels_kept = min(max(0.0, want.store - amount(want.extra, LINTEL)), state.lintels + 0.0) * quarry[LINTEL]
    columns_kept = min(max(0.0, want.store - amount(want.extra, COLUMN)), state.columns + 0.0) * quarry[COLUMN]
    quarry_kept = stones_kept + lintels_kept + columns_kept
    quarry_needed = max(0.0, missing - in_quarry + 0.0)
    quarry_kept = max(0.0, quarry_kept - max(0, in_quarry - missing))
    # Village: the best space, the cheapest tile.
    stonework = unseen_tile(components, state, seat, weights, 0, STONEWORK_KINDS)
    glass = unseen_tile(components, state, seat, weights, STONEWORK_KINDS, GLASS_KINDS)
    space = best_space(components, state, want, weights, seat, stonework, glass)
    again_village = own_dice(state, seat, VILLAGE) * weights[AGAIN]
    again_window = own_dice(state, seat, WINDOW) * weights[AGAIN]
    again_crane = own_dice(state, seat, CRANE) * weights[AGAIN]
    purse = state.purse[seat] + piece(WOOD, in_forest // components.forest_far_pips)
    last_slot = components.spaces[state.players, CRANE] - 1

    best, most = 0, NEVER
    for i in range(n):
        option = options[i]
        if not option.act:
            return n - 1
        area, at, die = np.int64(option.thing), np.int64(option.space), pips(np.int64(option.die))
        if area == FOREST:
            cost = components.forest_near_pips if at < components.forest_near else components.forest_far_pips
            wooden = piled(wood_needed, wood_kept, wood, spare_wood, die // cost + 0.0)
            eaten = (die // components.forest_food_pips) * want.food
            mixed = 0.0
            if die > cost:
                mixed = piled(wood_needed, wood_kept, wood, spare_wood, 1.0) + (die - cost) // components.forest_food_pips * want.food
            worth = max(max(wooden, eaten), mixed)
        elif area == VILLAGE:
            cheapest = NEVER
            for j in range(components.village_on_show):
                if state.village[j] != NONE:
                    tile = components.village_tile[state.village[j]]
                    if tile.pips <= die and can_pay(purse, tile.price):
                        cost = given(components, want, WOOD, amount(tile.price, WOOD)) + given(components, want, STONE, amount(tile.price, STONE))
                        cheapest = max(cheapest, -cost)
            worth = space + cheapest - again_village - at * weights[AHEAD]
        elif area == QUARRY:
            worth = piled(quarry_needed, quarry_kept, want.pip, want.spare, die + 0.0) - at * weights[AHEAD]
        elif area == CRANE:
            to = min(last_slot, at + int((last_slot - state.dice[CRANE]) * weights[SHIFT]))
            worth = steps_up(want, components.crane_steps[to]) + tile_worth(components, state, seat, weights, state.crane[to]) - again_crane
            if to == last_slot:
                worth += components.crane_last_wood * (wood if wood_needed > 0 else spare_wood)
        else:
            worth = 0.0
            for j in range(components.window_spaces):
                if state.window[j] != NONE and components.window_pips[j] <= die:
                    top = components.window_top_food * want.food if j == components.window_spaces - 1 else 0.0
                    worth = max(worth, tile_worth(components, state, seat, weights, state.window[j]) + top)
            worth -= again_window + at * weights[AHEAD]
        worth = max(worth, passing) - die * weights[DIE]
        if worth > most:
            best, most = i, worth
    return best
