"""One way to play for all plans: weigh every option by what it brings and what it costs, take the best. The plans differ in their weights."""

from numba import njit

from sim.compiled import borrowed
from sim.moesteiro.actions import window_cost, wood_pips
from sim.moesteiro.building import can_complete
from sim.moesteiro.purse import COLUMN, LINTEL, MATERIALS, STONE, WOOD, amount, pieces
from sim.moesteiro.state import (
    ASK_BUILD,
    ASK_CRANE,
    ASK_DISCARD,
    ASK_FOREST,
    ASK_GIFT,
    ASK_KING,
    ASK_MATERIALS,
    ASK_PLACE,
    ASK_PURCHASE,
    ASK_QUARRY,
    ASK_SPACE,
    ASK_TRACKS,
    ASK_UNUSED,
    ASK_VILLAGE,
    ASK_WINDOW,
    BONUS_GLASS,
    BONUS_STONEWORK,
    CONSTRUCTION,
    CRANE,
    FOOD,
    GLASS_KINDS,
    LABOUR,
    STONEWORK_KINDS,
)
from strategies.moesteiro._placing import best_place
from strategies.moesteiro._weights import BUILDER, BUILDING, ICON, NUMBER, VILLAGE
from strategies.moesteiro._worth import (
    NEVER,
    best_space,
    bonus_worth,
    cost_of,
    gained,
    icons,
    labour_left,
    labour_right,
    sets_held,
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
    power = components.king[king]
    gift = max(gained(components, want, LINTEL, 1), gained(components, want, COLUMN, 1))
    worth = power.vp + labour_right(components, state, state.player, weights, power.labour) + gained(components, want, STONE, power.stone)
    worth += power.gift * gift + steps_up(want, power.construction)
    return worth + power.builds_first * weights[BUILDER] + power.number * weights[NUMBER]


@njit
def space_worth(components, state, want, weights, space):
    """Return the worth of a village space: its points and its bonus."""
    seat, printed = state.player, components.space[space]
    tile = 0.0
    if printed.bonus == BONUS_STONEWORK:
        tile = unseen_tile(components, state, seat, weights, 0, STONEWORK_KINDS)
    elif printed.bonus == BONUS_GLASS:
        tile = unseen_tile(components, state, seat, weights, STONEWORK_KINDS, GLASS_KINDS)
    return weights[VILLAGE] * printed.vp + bonus_worth(components, want, printed.bonus, tile)


@njit
def purchase_worth(components, state, want, weights, thing, steps):
    """Return the worth of the item that the end of the construction track sells for labour steps."""
    cost = labour_left(components, state, state.player, weights, steps)
    if thing < len(MATERIALS):
        return gained(components, want, thing, 1) - cost
    if thing == len(MATERIALS):
        return unseen_tile(components, state, state.player, weights, 0, STONEWORK_KINDS) - cost
    return unseen_tile(components, state, state.player, weights, STONEWORK_KINDS, GLASS_KINDS) - cost


@njit(forceinline=True)
def goods_worth(components, want, goods):
    """Return the worth of stones, lintels and columns that a player takes."""
    worth = gained(components, want, STONE, amount(goods, STONE)) + gained(components, want, LINTEL, amount(goods, LINTEL))
    return worth + gained(components, want, COLUMN, amount(goods, COLUMN))


@njit(forceinline=True)
def quarry_cost(components, goods):
    """Return the pips that stones, lintels and columns cost."""
    pips = components.quarry_pips
    return amount(goods, STONE) * pips[STONE] + amount(goods, LINTEL) * pips[LINTEL] + amount(goods, COLUMN) * pips[COLUMN]


@njit(forceinline=True)
def action(components, state, want, weights, sizes, option):
    """Return the worth of an action in the areas I, II, III or V but for the village's space, and the pips that it costs."""
    asks, thing, at = state.asks, int(option.thing), int(option.space)
    if asks == ASK_QUARRY:
        return goods_worth(components, want, option.goods), quarry_cost(components, option.goods)
    if asks == ASK_FOREST:
        wood, food = amount(option.goods, WOOD), int(option.food)
        cost = wood * wood_pips(components, state.turn) + food * components.forest_food_pips
        return gained(components, want, WOOD, wood) + food * want.food, cost
    if asks == ASK_VILLAGE:
        return -cost_of(components, want, option.goods), components.village_tile[thing].pips
    top = components.window_top_food * want.food if at == components.window_spaces - 1 else 0.0
    return tile_worth(components, state, state.player, weights, sizes, thing) + top, window_cost(components, state, at)


@njit
def best_action(components, state, options, n, weights):
    """Return the best way to act with a die in the areas I, II, III and V, or to pass with it."""
    seat, asks = state.player, state.asks
    want = wanted(components, state, seat, weights, 0, 1)
    sizes = sets_held(state, seat) if asks == ASK_WINDOW else 0
    space = best_space(components, state, seat, weights) if asks == ASK_VILLAGE else 0.0
    step = max(0.0, want.labour)
    best, most = 0, NEVER
    for i in range(n):
        option = options[i]
        if option.act:
            worth, cost = action(components, state, want, weights, sizes, option)
            worth += space
            if option.bought > 0:
                worth -= labour_left(components, state, seat, weights, int(option.bought))
            elif cost < state.value:
                worth += step
        else:
            worth = labour_right(components, state, seat, weights, int(option.steps))
        if worth > most:
            best, most = i, worth
    return best


@njit
def best_slot(components, state, options, n, weights):
    """Return whether the tile and the steps on the crane are better than passing, and how to pass."""
    seat, slot = state.player, state.turn
    want = wanted(components, state, seat, weights, 0, 1)
    worth = tile_worth(components, state, seat, weights, sets_held(state, seat), state.crane[slot])
    worth += steps_up(want, components.crane_steps[slot])
    if slot == components.spaces[state.players, CRANE] - 1:
        worth += gained(components, want, WOOD, components.crane_last_wood)
    best, most = 0, NEVER
    for i in range(n):
        value = worth if options[i].act else labour_right(components, state, seat, weights, int(options[i].steps))
        if value > most:
            best, most = i, value
    return best


@njit
def best_unused(components, state, options, n, weights):
    """Return how many labour steps to take for unused pips."""
    best, most = 0, NEVER
    for i in range(n):
        worth = labour_right(components, state, state.player, weights, int(options[i].steps))
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
            tile = components.construction_tile[int(option.thing)]
            if option.goods == tile.price and can_complete(state, seat, tile):
                worth = weights[BUILDING] * tile.vp - icons(tile, want.labour, want.food, weights[ICON])
            else:
                worth = components.unfinished_vp * pieces(option.goods) + 0.0
            worth -= cost_of(components, want, option.goods) + min(tile.steps, state.construction[seat]) * want.later
            if worth > most:
                best, most = i, worth
    return best


@njit
def best_materials(components, state, options, n, weights):
    """Return what to put on the construction tile; the last option is everything, and often no other can be better."""
    want = wanted(components, state, state.player, weights, 0, 0)
    best, most = 0, NEVER
    for i in range(n - 1, -1, -1):
        option = options[i]
        goods = option.goods
        unfinished = components.unfinished_vp * pieces(goods)
        vp = components.construction_tile[state.chosen].vp if option.act else unfinished
        worth = vp - cost_of(components, want, goods)
        if worth > most:
            best, most = i, worth
        if i == n - 1 and most >= unfinished:
            break
    return best


@njit
def option_worth(components, state, want, weights, option):
    """Return the worth of an option of the rarer kinds of decisions."""
    asks, thing = state.asks, int(option.thing)
    if asks == ASK_KING:
        return king_worth(components, state, want, weights, thing)
    if asks == ASK_SPACE:
        return space_worth(components, state, want, weights, int(option.space))
    if asks == ASK_TRACKS:
        return tracks_worth(want, thing)
    if asks == ASK_GIFT:
        return goods_worth(components, want, option.goods)
    if asks == ASK_PURCHASE:
        return purchase_worth(components, state, want, weights, thing, -int(option.steps)) if option.act else 0.0
    worth = tile_worth(components, state, state.player, weights, sets_held(state, state.player), thing)
    return worth - 2.0 * worth if asks == ASK_DISCARD else worth


@njit
def best_other(components, state, options, n, weights):
    """Return the best option of the rarer kinds of decisions."""
    early = state.asks == ASK_KING or state.asks == ASK_TRACKS or state.asks == ASK_GIFT
    want = wanted(components, state, state.player, weights, 0, 0 if early and not components.displays_before_kings else 1)
    best, most = 0, NEVER
    for i in range(n):
        worth = option_worth(components, state, want, weights, options[i])
        if worth > most:
            best, most = i, worth
    return best


def choose(components, state, options, n, weights):
    """Return the index of the option that is worth most; of equals the first."""
    options, weights, asks = borrowed(options), borrowed(weights), state.asks
    if asks == ASK_PLACE:
        return best_place(components, state, options, n, weights)
    if asks == ASK_UNUSED:
        return best_unused(components, state, options, n, weights)
    if asks == ASK_CRANE:
        return best_slot(components, state, options, n, weights)
    if asks == ASK_FOREST or asks == ASK_VILLAGE or asks == ASK_QUARRY or asks == ASK_WINDOW:
        return best_action(components, state, options, n, weights)
    if asks == ASK_BUILD:
        return best_building(components, state, options, n, weights)
    if asks == ASK_MATERIALS:
        return best_materials(components, state, options, n, weights)
    return best_other(components, state, options, n, weights)
