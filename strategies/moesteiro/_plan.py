"""One way to play for all plans: weigh every option by what it brings and what it costs, take the best. The plans differ in their weights."""

import numpy as np
from numba import njit

from sim.compiled import borrowed
from sim.moesteiro.actions import wood_pips
from sim.moesteiro.building import can_complete
from sim.moesteiro.purse import COLUMN, LINTEL, STONE, WOOD, amount, pieces
from sim.moesteiro.state import (
    ASK_BUILD,
    ASK_CRANE,
    ASK_DISCARD,
    ASK_FOREST,
    ASK_GIFT,
    ASK_KING,
    ASK_MATERIALS,
    ASK_PICK,
    ASK_PLACE,
    ASK_PURCHASE,
    ASK_QUARRY,
    ASK_SPACE,
    ASK_TRACKS,
    ASK_UNUSED,
    ASK_VILLAGE,
    ASK_WINDOW,
    BONUS_GLASS,
    CONSTRUCTION,
    CRANE,
    FOOD,
    GLASS_KINDS,
    LABOUR,
    NONE,
    STONEWORK_KINDS,
)
from sim.moesteiro.purse import MATERIALS
from strategies.moesteiro._placing import best_place
from strategies.moesteiro._weights import BUILDER, BUILDING, NUMBER, SETS
from strategies.moesteiro._worth import (
    NEVER,
    best_space,
    gained,
    given,
    icons,
    labour_left,
    labour_right,
    space_worth,
    steps_up,
    tile_worth,
    unseen_tile,
    wanted,
)


@njit
def tracks_worth(want, tracks):
    """Return the worth of one step on each track of a set."""
    worth = want.food if tracks >> FOOD & 1 else 0.0
    worth += want.labour if tracks >> LABOUR & 1 else 0.0
    return worth + (steps_up(want, 1) if tracks >> CONSTRUCTION & 1 else 0.0)


@njit
def king_worth(components, state, want, weights, king):
    """Return the worth of a King: what he gives, his place in the turn order, whether he builds first."""
    power, seat = components.king[king], state.player
    gift = max(gained(components, want, LINTEL, 1), gained(components, want, COLUMN, 1))
    return (
        power.vp
        + labour_right(components, state, seat, weights, power.labour)
        + gained(components, want, STONE, power.stone)
        + power.gift * gift
        + steps_up(want, power.construction)
        + power.builds_first * weights[BUILDER]
        + power.number * weights[NUMBER]
    )


@njit
def goods_worth(components, want, goods):
    """Return the worth of stones, lintels and columns that a player takes."""
    worth = gained(components, want, STONE, amount(goods, STONE)) + gained(components, want, LINTEL, amount(goods, LINTEL))
    return worth + gained(components, want, COLUMN, amount(goods, COLUMN)) + gained(components, want, WOOD, amount(goods, WOOD))


@njit
def cost_of(components, want, goods):
    """Return the worth of pieces that a player gives away."""
    worth = given(components, want, WOOD, amount(goods, WOOD)) + given(components, want, STONE, amount(goods, STONE))
    return worth + given(components, want, LINTEL, amount(goods, LINTEL)) + given(components, want, COLUMN, amount(goods, COLUMN))


@njit
def action_worth(components, state, want, weights, option, space):
    """Return the worth of an action in areas I, II, III and V, without bought and unused pips; and the pips that it costs."""
    seat, asks, thing = state.player, state.asks, np.int64(option.thing)
    if asks == ASK_FOREST:
        food = np.int64(option.food)
        cost = option.goods * wood_pips(components, state.turn) + food * components.forest_food_pips
        return gained(components, want, WOOD, option.goods) + food * want.food, cost
    if asks == ASK_QUARRY:
        price = components.quarry_pips
        stones, lintels, columns = amount(option.goods, STONE), amount(option.goods, LINTEL), amount(option.goods, COLUMN)
        return goods_worth(components, want, option.goods), stones * price[STONE] + lintels * price[LINTEL] + columns * price[COLUMN]
    if asks == ASK_VILLAGE:
        return space - cost_of(components, want, option.goods), components.village_tile[thing].pips
    at = np.int64(option.space)
    top = components.window_top_food * want.food if at == components.window_spaces - 1 else 0.0
    return tile_worth(components, state, seat, weights, thing) + top, components.window_pips[at]


@njit
def best_action(components, state, options, n, weights):
    """Return the best way to act with a die in the areas I, II, III and V, or to pass with it."""
    seat = state.player
    want = wanted(components, state, seat, weights, 0, 1)
    space = 0.0
    if state.asks == ASK_VILLAGE:
        stonework = unseen_tile(components, state, seat, weights, 0, STONEWORK_KINDS)
        glass = unseen_tile(components, state, seat, weights, STONEWORK_KINDS, GLASS_KINDS)
        space = best_space(components, state, want, weights, seat, stonework, glass)
    step = max(0.0, labour_right(components, state, seat, weights, 1))
    best, most = 0, NEVER
    for i in range(n):
        option = options[i]
        bought = np.int64(option.bought)
        if option.act:
            worth, cost = action_worth(components, state, want, weights, option, space)
            if bought > 0:
                worth -= labour_left(components, state, seat, weights, bought)
            elif cost < state.value:
                worth += step
        else:
            worth = labour_right(components, state, seat, weights, np.int64(option.steps))
        if worth > most:
            best, most = i, worth
    return best


@njit
def best_building(components, state, options, n, weights):
    """Return the construction tile that brings most beyond the materials and steps that it takes, or to build nothing."""
    seat = state.player
    want = wanted(components, state, seat, weights, 0, 0)
    best, most = 0, 0.0
    for i in range(n):
        option = options[i]
        if option.act:
            tile = components.construction_tile[np.int64(option.thing)]
            if option.goods == tile.price and can_complete(state, seat, tile):
                worth = weights[BUILDING] * tile.vp - icons(components, state, seat, tile, want.labour, want.food, weights[SETS] * 2.0)
            else:
                worth = components.unfinished_vp * pieces(option.goods) + 0.0
            worth -= cost_of(components, want, option.goods) + min(tile.steps, state.construction[seat]) * want.later
            if worth > most:
                best, most = i, worth
    return best


@njit
def option_worth(components, state, want, weights, option):
    """Return the worth of an option where no action of a die and no construction tile is chosen."""
    seat, asks, thing = state.player, state.asks, np.int64(option.thing)
    if asks == ASK_TRACKS:
        return tracks_worth(want, thing)
    if asks == ASK_KING:
        return king_worth(components, state, want, weights, thing)
    if asks == ASK_GIFT:
        return goods_worth(components, want, option.goods)
    if asks == ASK_SPACE:
        stonework = unseen_tile(components, state, seat, weights, 0, STONEWORK_KINDS)
        glass = unseen_tile(components, state, seat, weights, STONEWORK_KINDS, GLASS_KINDS)
        return space_worth(components, state, want, weights, seat, np.int64(option.space), stonework, glass)
    if asks == ASK_UNUSED:
        return labour_right(components, state, seat, weights, np.int64(option.steps))
    if asks == ASK_CRANE:
        if not option.act:
            return labour_right(components, state, seat, weights, np.int64(option.steps))
        at = np.int64(option.space)
        wood = components.crane_last_wood if at == components.spaces[state.players, CRANE] - 1 else 0
        worth = tile_worth(components, state, seat, weights, thing) + steps_up(want, components.crane_steps[at])
        return worth + gained(components, want, WOOD, wood)
    if asks == ASK_PURCHASE:
        if not option.act:
            return 0.0
        worth = -labour_left(components, state, seat, weights, -np.int64(option.steps))
        if thing < len(MATERIALS):
            return worth + gained(components, want, thing, 1)
        first = 0 if thing == len(MATERIALS) else STONEWORK_KINDS
        return worth + unseen_tile(components, state, seat, weights, first, GLASS_KINDS if first else STONEWORK_KINDS)
    if asks == ASK_MATERIALS:
        vp = components.construction_tile[state.chosen].vp if option.act else components.unfinished_vp * pieces(option.goods)
        return vp - cost_of(components, want, option.goods)
    if asks == ASK_DISCARD:
        return -state.tiles[seat, thing] * 0.0 - tile_worth(components, state, seat, weights, thing)
    return tile_worth(components, state, seat, weights, thing)


def choose(components, state, options, n, weights):
    """Return the index of the option that is worth most; of equals the first."""
    options, weights, asks = borrowed(options), borrowed(weights), state.asks
    if asks == ASK_PLACE:
        return best_place(components, state, options, n, weights)
    if asks == ASK_FOREST or asks == ASK_VILLAGE or asks == ASK_QUARRY or asks == ASK_WINDOW:
        return best_action(components, state, options, n, weights)
    if asks == ASK_BUILD:
        return best_building(components, state, options, n, weights)
    early = asks == ASK_KING or asks == ASK_TRACKS or asks == ASK_GIFT
    shown = 0 if asks == ASK_MATERIALS or (early and not components.displays_before_kings) else 1
    want = wanted(components, state, state.player, weights, 0, shown)
    best, most = 0, NEVER
    for i in range(n):
        worth = option_worth(components, state, want, weights, options[i])
        if worth > most:
            best, most = i, worth
    return best
