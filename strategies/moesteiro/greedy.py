"""Take what brings most points now; what brings none yet counts at a fixed price.

From: the usual first opponent of a game designer; written for this project, its prices found by play against the plans.
"""

import numpy as np
from numba import njit

from sim.compiled import record_view
from sim.moesteiro import ask
from sim.moesteiro.building import can_complete
from sim.moesteiro.dice import dice_of, pips, pips_of
from sim.moesteiro.purse import COLUMN, LINTEL, MATERIALS, STONE, WOOD, amount, can_pay, pieces
from sim.moesteiro.state import (
    CONSTRUCTION,
    CRANE,
    FOOD,
    FOREST,
    LABOUR,
    MOST_OPTIONS,
    NONE,
    OPTION,
    QUARRY,
    VILLAGE,
    WINDOW,
)
from strategies._best import NEVER, best_of
from strategies.moesteiro._sets import gain_of, tiles_held

WEIGHTS = {
    "pip": 1.7,  # points that a piece of material counts for, for each pip of its price
    "store": 4.6,  # pieces of one material that are worth having
    "step": 0.4,  # a step up the construction track
    "room": 3.0,  # position up to which such steps are worth having
    "food": 0.6,  # a step down the food track
    "labour": 0.45,  # a step on the labour track, beyond its points at the end
    "tile": 3.0,  # a stonework or stained glass tile, beyond the points by which its set grows now
    "builder": 0.5,  # a King who builds first
    "number": -0.35,  # each order number of a King
    "ahead": 1.0,  # each die to the left of one's own in the quarry and the window
    "die": 0.37,  # a pip kept in hand for a later die
}
PRICES = np.dtype((np.record, np.dtype([(name, np.float64) for name in WEIGHTS])))
prices = record_view(PRICES)
offered = record_view(np.dtype((np.record, np.dtype([("option", OPTION, (MOST_OPTIONS,))]))))
UNPAID = 1_000_000  # pips of what can't be paid


@njit(forceinline=True)
def room(state, seat, weights, material):
    """Return how many further pieces of a material are worth having."""
    return max(0.0, weights.store - amount(state.purse[seat], material))


@njit(forceinline=True)
def labour_right(components, state, seat, weights, steps):
    """Return the worth of steps to the right on the labour track, points beyond its end included."""
    at = state.labour[seat]
    to = min(at + steps, components.tracks.labour.last)
    points = (
        components.tracks.labour.vp[to]
        - components.tracks.labour.vp[at]
        + (at + steps - to) * components.tracks.labour.overflow_vp
    )
    return points + (to - at) * weights.labour


@njit(forceinline=True)
def labour_left(components, state, seat, weights, steps):
    """Return what steps to the left on the labour track cost."""
    at = state.labour[seat]
    return components.tracks.labour.vp[at] - components.tracks.labour.vp[max(0, at - steps)] + steps * weights.labour


@njit(forceinline=True)
def steps_up(state, seat, weights, steps):
    """Return the worth of steps up the construction track."""
    return weights.step * max(0.0, min(weights.room - state.construction[seat], steps + 0.0))


@njit(forceinline=True)
def tile_worth(components, weights, held, kind):
    """Return the worth of a stonework or stained glass tile: the set that it joins grows; held: see `tiles_held`."""
    if kind == NONE:
        return 0.0
    return gain_of(components, held, kind) + weights.tile


@njit(forceinline=True)
def cost(components, weights, purse):
    """Return what the pieces of a purse count for."""
    price = components.quarry.pips
    of_quarry = (
        amount(purse, STONE) * price[STONE]
        + amount(purse, LINTEL) * price[LINTEL]
        + amount(purse, COLUMN) * price[COLUMN]
    )
    return weights.pip * (amount(purse, WOOD) * components.forest.near_pips + of_quarry)


@njit(forceinline=True)
def open_row(components, state, seat):
    """Return the row of the village beside the player's food marker."""
    row, at = 0, components.tracks.food.per_row
    while at <= state.food[seat] and row < components.village.rows - 1:
        row, at = row + 1, at + components.tracks.food.per_row
    return row


@njit(forceinline=True)
def space_points(components, state, seat):
    """Return the points of a free village space as far down as the player's food marker opens, or −1: those of a row
    are much alike."""
    first = open_row(components, state, seat) * components.village.row_spaces
    while first >= 0:
        for space in range(first, first + components.village.row_spaces):
            if state.space_owner[space] == NONE:
                return components.village.space[space].vp
        first -= components.village.row_spaces
    return -1


@njit(forceinline=True)
def cheapest(components, state, seat):
    """Return the pips that the wood and stone of the cheapest village tile that the player can pay are worth, or
    UNPAID."""
    wood, stone, least = components.forest.near_pips, components.quarry.pips[STONE], UNPAID
    for i in range(components.village.on_show):
        if state.village[i] != NONE:
            price = components.village.tiles[state.village[i]].goods
            worth = amount(price, WOOD) * wood + amount(price, STONE) * stone
            least = min(least, worth if can_pay(state.purse[seat], price) else UNPAID)
    return least


@njit(forceinline=True)
def open_areas(offers, n):
    """Return which areas are open, a bit for each, and how many: the same for every die, in rising order."""
    areas, number, die = 0, 0, offers.option[0].die
    while number < n and offers.option[number].die == die:
        areas |= 1 << int(offers.option[number].thing)
        number += 1
    return areas, number


@njit(forceinline=True)
def useful_pips(components, state, seat, weights):
    """Return the pips that are of use in the forest and in the quarry, besides those of dice that lie there already."""
    price = components.quarry.pips
    wood, stone = room(state, seat, weights, WOOD), room(state, seat, weights, STONE)
    lintels, columns = (
        min(room(state, seat, weights, LINTEL), state.lintels),
        min(room(state, seat, weights, COLUMN), state.columns),
    )
    in_forest = max(0.0, wood * components.forest.near_pips - pips_of(state.row[FOREST], seat))
    in_quarry = (
        stone * price[STONE] + lintels * price[LINTEL] + columns * price[COLUMN] - pips_of(state.row[QUARRY], seat)
    )
    return in_forest, in_quarry


@njit(forceinline=True)
def village_visit(components, state, seat, weights, passing):
    """Return what a die in the village is worth, without what lies to its left; NEVER if passing is worth more."""
    village, pip = space_points(components, state, seat), weights.pip
    if village - pip > passing and dice_of(state.row[VILLAGE], seat) == 0:  # a tile takes one piece or more
        return village - pip * cheapest(components, state, seat)
    return NEVER


@njit(forceinline=True)
def better(i, worth, passing, later, best, most):
    """Return the better of option i and the best so far, and its worth; later: what the die's pips would bring
    later."""
    worth = max(worth, passing) - later
    return (i, worth) if worth > most else (best, most)


@njit(forceinline=True)
def best_place(components, state, offers, n, weights):
    """Return the die and the area that bring most: each area is looked at once, its worth for a die is then a few
    sums."""
    seat, pip, ahead = state.player, weights.pip, weights.ahead
    if not offers.option[0].act:
        return n - 1
    areas, number = open_areas(offers, n)
    in_forest, in_quarry = useful_pips(components, state, seat, weights)
    near, far = pip, pip * (components.forest.near_pips / components.forest.far_pips)
    by_food = weights.food / components.forest.food_pips
    passing = labour_right(components, state, seat, weights, components.tracks.labour.pass_steps)
    village = village_visit(components, state, seat, weights, passing)
    held, reached, glass, last = tiles_held(state, seat), 0, 0.0, components.window.n_pips - 1
    best, most, first = 0, NEVER, 0
    while first < n:
        i, die = first, pips(int(offers.option[first].die))
        first, later = first + number, die * weights.die
        if areas >> FOREST & 1:
            useful, rate = min(die, in_forest), near if offers.option[i].space < components.forest.near_spaces else far
            best, most = better(i, max(rate, by_food) * useful + by_food * (die - useful), passing, later, best, most)
            i += 1
        if areas >> VILLAGE & 1:
            best, most = better(i, village - int(offers.option[i].space) * ahead, passing, later, best, most)
            i += 1
        if areas >> QUARRY & 1:
            best, most = better(
                i, pip * min(die, in_quarry) - int(offers.option[i].space) * ahead, passing, later, best, most
            )
            i += 1
        if areas >> CRANE & 1:
            at = int(offers.option[i].space)
            worth = tile_worth(components, weights, held, int(state.crane[at]))
            best, most = better(
                i, worth + steps_up(state, seat, weights, components.crane.steps[at]), passing, later, best, most
            )
            i += 1
        if areas >> WINDOW & 1:
            while reached <= last and components.window.pips[reached] <= die:
                food = components.window.top_food * weights.food if reached == last else 0.0
                glass = max(glass, tile_worth(components, weights, held, int(state.window[reached])) + food)
                reached += 1
            best, most = better(i, glass - int(offers.option[i].space) * ahead, passing, later, best, most)
    return best


@njit(forceinline=True)
def forest_worth(components, state, weights, view, option):
    """Return the worth of the wood and the food steps to take with a die, or of passing with it."""
    of_wood, kept, bought, left = view
    if not option.act:
        return labour_right(components, state, state.player, weights, int(option.steps))
    worth = of_wood * min(amount(option.goods, WOOD), kept) + weights.food * option.food - bought * option.bought
    return worth + (left if option.left else 0.0)


@njit(forceinline=True)
def best_forest(components, state, offers, n, weights):
    """Return the wood and the food steps to take with a die, or to pass with it."""
    seat = state.player
    of_wood, kept = weights.pip * components.forest.near_pips, room(state, seat, weights, WOOD)
    bought, left = (
        labour_left(components, state, seat, weights, 1),
        max(0.0, labour_right(components, state, seat, weights, 1)),
    )
    return best_of(forest_worth, components, state, weights, (of_wood, kept, bought, left), offers.option, n)


@njit(forceinline=True)
def quarry_worth(components, state, weights, view, option):
    """Return the worth of the stones, lintels and columns to take with a die, or of passing with it."""
    stones, lintels, columns, of_stone, of_lintel, of_column, bought, left = view
    if not option.act:
        return labour_right(components, state, state.player, weights, int(option.steps))
    goods = option.goods
    worth = of_stone * min(amount(goods, STONE), stones) + of_lintel * min(amount(goods, LINTEL), lintels)
    return worth + (
        of_column * min(amount(goods, COLUMN), columns) - bought * option.bought + (left if option.left else 0.0)
    )


@njit(forceinline=True)
def best_quarry(components, state, offers, n, weights):
    """Return the stones, lintels and columns to take with a die, or to pass with it."""
    seat, price = state.player, components.quarry.pips
    stones, lintels = room(state, seat, weights, STONE), room(state, seat, weights, LINTEL)
    columns = room(state, seat, weights, COLUMN)
    of_stone, of_lintel, of_column = (
        weights.pip * price[STONE],
        weights.pip * price[LINTEL],
        weights.pip * price[COLUMN],
    )
    bought, left = (
        labour_left(components, state, seat, weights, 1),
        max(0.0, labour_right(components, state, seat, weights, 1)),
    )
    view = stones, lintels, columns, of_stone, of_lintel, of_column, bought, left
    return best_of(quarry_worth, components, state, weights, view, offers.option, n)


@njit(forceinline=True)
def taken_worth(components, state, weights, view, option):
    """Return the worth of a tile from the village, the crane or the window, or of passing with the die."""
    held, bought, left = view
    seat, asks, at = state.player, state.asks, int(option.space)
    if not option.act:
        worth = labour_right(components, state, seat, weights, int(option.steps))
    elif asks == ask.VILLAGE:
        worth = space_points(components, state, seat) - cost(components, weights, option.goods)
    elif asks == ask.CRANE:
        worth = tile_worth(components, weights, held, int(option.thing))
        worth += steps_up(state, seat, weights, components.crane.steps[at])
        if at == components.crane.n_steps - 1:
            worth += components.crane.last_wood * weights.pip * min(1.0, room(state, seat, weights, WOOD))
    else:
        food = components.window.top_food * weights.food if at == components.window.n_pips - 1 else 0.0
        worth = tile_worth(components, weights, held, int(option.thing)) + food
    return worth + ((left if option.left else 0.0) - option.bought * bought)


@njit(forceinline=True)
def best_tile(components, state, offers, n, weights):
    """Return the tile to take with a die from the village, the crane or the window, or to pass with it."""
    seat, held = state.player, tiles_held(state, state.player)
    bought, left = (
        labour_left(components, state, seat, weights, 1),
        max(0.0, labour_right(components, state, seat, weights, 1)),
    )
    return best_of(taken_worth, components, state, weights, (held, bought, left), offers.option, n)


@njit(forceinline=True)
def best_building(components, state, offers, n, weights):
    """Return the construction tile whose points are worth more than its materials, icons and steps, or to build
    nothing."""
    seat = state.player
    best, most = 0, 0.0
    for i in range(n):
        option = offers.option[i]
        if option.act:
            tile = components.construction.tiles[int(option.thing)]
            worth = weights.step * -min(tile.steps, state.construction[seat]) - cost(components, weights, option.goods)
            if option.goods == tile.goods and can_complete(state, seat, tile):
                worth += tile.vp - (tile.food * weights.food + tile.labour * weights.labour)
                worth -= (tile.stonework + tile.glass) * weights.tile
            else:
                worth += components.construction.unfinished_vp * pieces(option.goods)
            if worth > most:
                best, most = i, worth
    return best


@njit(forceinline=True)
def king_worth(components, state, weights, view, option):
    """Return the worth of a King: what he gives, his place in the turn order, whether he builds first."""
    stone, gift = view
    seat, power = state.player, components.kings[int(option.thing)]
    worth = (
        power.vp
        + power.number * weights.number
        + power.stone * stone
        + power.gift * gift
        + power.builds_first * weights.builder
    )
    return worth + (
        labour_right(components, state, seat, weights, power.labour)
        + steps_up(state, seat, weights, power.construction)
    )


@njit(forceinline=True)
def best_king(components, state, offers, n, weights):
    """Return the King who brings most."""
    pip, price = weights.pip, components.quarry.pips
    view = pip * price[STONE], pip * max(price[LINTEL], price[COLUMN])
    return best_of(king_worth, components, state, weights, view, offers.option, n)


@njit(forceinline=True)
def materials_worth(components, state, weights, view, option):
    """Return the worth of materials put on the construction tile."""
    vp = (
        components.construction.tiles[state.chosen].vp
        if option.act
        else components.construction.unfinished_vp * pieces(option.goods)
    )
    return vp - cost(components, weights, option.goods)


@njit(forceinline=True)
def unused_worth(components, state, weights, view, option):
    """Return the worth of labour steps for unused pips."""
    return labour_right(components, state, state.player, weights, int(option.steps))


@njit(forceinline=True)
def option_worth(components, state, weights, view, option):
    """Return the worth of an option of the rarer kinds of decisions."""
    seat, asks, thing = state.player, state.asks, int(option.thing)
    if asks == ask.TRACKS:
        worth = weights.food * (thing >> FOOD & 1) + labour_right(components, state, seat, weights, thing >> LABOUR & 1)
        return worth + steps_up(state, seat, weights, thing >> CONSTRUCTION & 1)
    if asks == ask.GIFT:
        return cost(components, weights, option.goods)
    if asks == ask.SPACE:
        printed = components.village.space[int(option.space)]
        return printed.vp + (weights.pip if printed.bonus else 0.0)
    if asks == ask.PURCHASE:
        if not option.act:
            return 0.0
        worth = cost(components, weights, option.goods) if thing < len(MATERIALS) else weights.tile
        return worth - labour_left(components, state, seat, weights, -int(option.steps))
    worth = tile_worth(components, weights, tiles_held(state, seat), thing)
    return -worth if asks == ask.DISCARD else worth


def choose(components, state, options, n, weights):
    """Return the index of the option that is worth most; of equals the first."""
    offers, weights, asks = offered(options), prices(weights), state.asks
    if asks == ask.PLACE:
        return best_place(components, state, offers, n, weights)
    if asks in (ask.CRANE, ask.WINDOW, ask.VILLAGE):
        return best_tile(components, state, offers, n, weights)
    if asks == ask.UNUSED:
        return best_of(unused_worth, components, state, weights, 0, offers.option, n)
    if asks == ask.QUARRY:
        return best_quarry(components, state, offers, n, weights)
    if asks == ask.FOREST:
        return best_forest(components, state, offers, n, weights)
    if asks == ask.KING:
        return best_king(components, state, offers, n, weights)
    if asks == ask.BUILD:
        return best_building(components, state, offers, n, weights)
    if asks == ask.MATERIALS:
        return best_of(materials_worth, components, state, weights, 0, offers.option, n)
    return best_of(option_worth, components, state, weights, 0, offers.option, n)
