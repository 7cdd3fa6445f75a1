"""Performing actions: the dice of each area from left to right, areas I to V."""

from numba import njit

from sim.moesteiro.offers import offer, offer_action, offer_pass
from sim.moesteiro.purse import COLUMN, LINTEL, STONE, amount, can_pay, goods, piece
from sim.moesteiro.state import (
    BONUS_GLASS,
    BONUS_STONEWORK,
    CRANE,
    FOREST,
    FROM_VILLAGE,
    NONE,
    QUARRY,
    VILLAGE,
)
from sim.moesteiro.tracks import (
    BONUS_DRAW,
    address,
    construction_up,
    food_down,
    gain,
    labour_left,
    labour_right,
    take_bonus,
)

MOST_PIPS = 6  # of a die with bought pips


@njit(forceinline=True)
def reach(state, seat):
    """Return the pips that the acting die can have with those that the player's labour can buy."""
    return min(MOST_PIPS, state.value + state.labour[seat])


@njit(forceinline=True)
def wood_pips(components, place):
    """Return the pips for one wood at a place of the forest."""
    return components.forest.near_pips if place < components.forest.near_spaces else components.forest.far_pips


@njit(forceinline=True)
def offer_forest(components, state, words, n):
    """Offer each mix of wood and food steps that the die, with bought pips, can pay."""
    price, food_price = wood_pips(components, state.turn), components.forest.food_pips
    pips = reach(state, state.player)
    value, wood, for_wood = state.value, 0, 0
    while for_wood <= pips:
        food, cost = 0, for_wood
        if cost == 0:  # to take nothing is no action
            food, cost = 1, food_price
        while cost <= pips:
            n = offer_action(words, n, FOREST, 0, value, cost, food, wood)
            food, cost = food + 1, cost + food_price
        wood, for_wood = wood + 1, for_wood + price
    return n


@njit(forceinline=True)
def free_rows(components, state, seat):
    """Return how many village spaces, counted from the top row, the player's food marker opens."""
    rows = min(state.food[seat] // components.tracks.food.per_row, components.village.rows - 1) + 1
    return rows * components.village.row_spaces


@njit(forceinline=True)
def offer_village(components, state, words, n):
    """Offer the village tiles that the player can pay for, if there is a space for one."""
    seat = state.player
    room = False
    for space in range(free_rows(components, state, seat)):
        room |= state.space_owner[space] == NONE
    if room:
        pips = reach(state, seat)
        for i in range(components.village.on_show):
            if state.village[i] != NONE:
                tile = components.village.tiles[state.village[i]]
                if tile.pips <= pips and can_pay(state.purse[seat], tile.goods):
                    n = offer_action(words, n, int(state.village[i]), i, state.value, tile.pips, 0, tile.goods)
    return n


@njit(forceinline=True)
def offer_spaces(components, state, words):
    """Offer the free village spaces in the row beside the food marker and above it."""
    n = 0
    for space in range(free_rows(components, state, state.player)):
        if state.space_owner[space] == NONE:
            n = offer(words, n, thing=VILLAGE, act=1, space=space)
    return n


@njit(forceinline=True)
def offer_quarry(components, state, words, n):
    """Offer each mix of stones, lintels and columns that the die, with bought pips, can pay and the quarry holds."""
    pips, value = reach(state, state.player), state.value
    price = components.quarry.pips
    columns, for_columns = 0, 0
    while columns <= state.columns and for_columns <= pips:
        lintels, for_lintels = 0, for_columns
        while lintels <= state.lintels and for_lintels <= pips:
            taken, cost = goods(0, 0, lintels, columns), for_lintels
            if cost == 0:  # to take nothing is no action
                taken, cost = taken + piece(STONE, 1), price[STONE]
            while cost <= pips:
                n = offer_action(words, n, QUARRY, 0, value, cost, 0, taken)
                taken, cost = taken + piece(STONE, 1), cost + price[STONE]
            lintels, for_lintels = lintels + 1, for_lintels + price[LINTEL]
        columns, for_columns = columns + 1, for_columns + price[COLUMN]
    return n


@njit(forceinline=True)
def offer_crane(components, state, words, n):
    """Offer the stonework tile above the die, if it is still there, and the steps under it, unless there is nothing to
    get."""
    slot, tile = state.turn, int(state.crane[state.turn])
    steps = components.crane.steps[slot] > 0 and state.construction[state.player] < components.tracks.construction.last
    wood = slot == components.crane.n_steps - 1 and components.crane.last_wood > 0
    if tile != NONE or steps or wood:
        n = offer(words, n, thing=tile, act=1, space=slot)
    return n


@njit(forceinline=True)
def offer_window(components, state, words, n):
    """Offer the stained glass tiles that the die, with bought pips, reaches."""
    pips, uncovered = reach(state, state.player), components.window.pips[0]
    for i in range(components.window.n_pips):
        cost = components.window.pips[i]
        if components.rules.window_cost:  # only pips that lie open
            if i > 0 and state.window[i - 1] == NONE:
                uncovered += cost - components.window.pips[i - 1]
            cost = uncovered
        if state.window[i] != NONE and cost <= pips:
            n = offer_action(words, n, int(state.window[i]), i, state.value, cost, 0, 0)
    return n


@njit(forceinline=True)
def offer_actions(components, state, words, area, key):
    """Offer to pass with the die whose turn it is, and each way to act with it; return how many options there are."""
    n = offer_pass(components, words, key)
    if area == FOREST:
        n = offer_forest(components, state, words, n)
    elif area == VILLAGE:
        n = offer_village(components, state, words, n)
    elif area == QUARRY:
        n = offer_quarry(components, state, words, n)
    elif area == CRANE:
        n = offer_crane(components, state, words, n)
    else:
        n = offer_window(components, state, words, n)
    return n


@njit(forceinline=True)
def act(components, state, option):
    """Carry out the action of the acting die, or pass with it; a village tile still wants its space."""
    seat, area, thing, space = state.player, state.area, int(option.thing), int(option.space)
    labour_left(components, state, seat, int(option.bought))
    state.pips_bought[seat] += int(option.bought)
    state.unused = int(option.left)
    if not option.act:
        labour_right(components, state, seat, int(option.steps))
        state.passed[seat, area] += 1
    elif area == FOREST:
        state.purse[seat] += option.goods
        food_down(components, state, seat, int(option.food))
    elif area == VILLAGE:
        state.purse[seat] -= option.goods
        state.village[space] = NONE
        state.chosen = thing
    elif area == QUARRY:
        state.purse[seat] += option.goods
        state.lintels -= amount(option.goods, LINTEL)
        state.columns -= amount(option.goods, COLUMN)
    elif area == CRANE:
        if thing != NONE:
            state.tiles[seat, thing] += 1
            state.crane[space] = NONE
        if space == components.crane.n_steps - 1:
            state.purse[seat] += piece(0, components.crane.last_wood)
        construction_up(components, state, seat, components.crane.steps[space])
    else:
        state.tiles[seat, thing] += 1
        state.window[space] = NONE
        if space == components.window.n_pips - 1:
            food_down(components, state, seat, components.window.top_food)


@njit
def settle(components, state, space):
    """Put the bought village tile on a space; take its points and its bonus.

    Returns:
        True if the bonus is a tile that the player picks from the display (a switch) and there is one to pick.
    """
    seat, printed = state.player, components.village.space[space]
    state.space_owner[space] = seat
    state.space_tile[space] = state.chosen
    gain(state, seat, FROM_VILLAGE, printed.vp)
    if components.rules.village_tile_bonus and printed.bonus >= BONUS_STONEWORK:
        state.chosen = printed.bonus
        return True
    take_bonus(components, state, seat, printed.bonus, address(BONUS_DRAW, 0, space))
    return False


@njit(forceinline=True)
def offer_picks(components, state, words):
    """Offer the tiles on the display that a village bonus lets a player pick from."""
    n = 0
    glass = state.chosen == BONUS_GLASS
    for i in range(components.window.n_pips if glass else components.crane.n_steps):
        kind = int(state.window[i]) if glass else int(state.crane[i])
        if kind != NONE:
            n = offer(words, n, thing=kind, act=1, space=i)
    return n


@njit(forceinline=True)
def pick(state, option):
    """Take a tile from the display."""
    state.tiles[state.player, int(option.thing)] += 1
    if state.chosen == BONUS_GLASS:
        state.window[int(option.space)] = NONE
    else:
        state.crane[int(option.space)] = NONE


@njit(forceinline=True)
def offer_unused(components, state, words):
    """Offer the labour step for unused pips, or none."""
    most = state.unused if components.rules.unused_pips else min(state.unused, 1)
    n = 0
    for steps in range(most + 1):
        n = offer(words, n, act=1 if steps > 0 else 0, steps=steps)
    return n
