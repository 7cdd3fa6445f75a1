"""One way to play for all plans: weigh every option by what it brings and costs, take the best. They differ in their
weights."""

from typing import NamedTuple

from numba import njit

from sim.compiled import borrowed
from sim.moesteiro import ask
from sim.moesteiro.building import can_complete
from sim.moesteiro.purse import COLUMN, LINTEL, MATERIALS, STONE, WOOD, amount, pieces
from sim.moesteiro.state import (
    BONUS_GLASS,
    BONUS_STONEWORK,
    CONSTRUCTION,
    FOOD,
    GLASS_KINDS,
    LABOUR,
    ROUNDS,
    STONEWORK_KINDS,
)
from strategies._best import NEVER, best_of, first_weight
from strategies.moesteiro._placing import best_place
from strategies.moesteiro._sets import tiles_held
from strategies.moesteiro._weights import COUNT, named
from strategies.moesteiro._worth import (
    Want,
    best_space,
    bonus_worth,
    cost_of,
    food_step,
    gained,
    icons,
    labour_left,
    labour_right,
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
def space_worth(components, state, want, weights, space):
    """Return the worth of a village space: its points and its bonus."""
    seat, printed = state.player, components.village.space[space]
    tile = 0.0
    if printed.bonus == BONUS_STONEWORK:
        tile = unseen_tile(components, state, seat, weights, 0, STONEWORK_KINDS)
    elif printed.bonus == BONUS_GLASS:
        tile = unseen_tile(components, state, seat, weights, STONEWORK_KINDS, GLASS_KINDS)
    return weights.village * printed.vp + bonus_worth(components, want, printed.bonus, tile)


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
    worth = gained(components, want, STONE, amount(goods, STONE)) + gained(
        components, want, LINTEL, amount(goods, LINTEL)
    )
    return worth + gained(components, want, COLUMN, amount(goods, COLUMN))


@njit(forceinline=True)
def passing(components, state, weights, option):
    """Return the worth of passing with a die, as an option says."""
    return labour_right(components, state, state.player, weights, int(option.steps))


class Die(NamedTuple):
    """What a die can bring, whatever option is chosen.

    Attributes:
        want: of its owner. bought: what a pip bought with a labour step costs. rest: points of the labour step for pips
            that are left.
    """

    want: Want
    bought: float
    rest: float


@njit(forceinline=True)
def die_of(components, state, weights):
    """Return what the die that acts can bring."""
    want = wanted(components, state, state.player, weights, 0, True)
    return Die(want, labour_left(components, state, state.player, weights, 1), max(0.0, want.labour))


@njit(forceinline=True)
def quarry_worth(components, state, weights, die, option):
    """Return the worth of the stones, lintels and columns to take with a die, or of passing with it."""
    if not option.act:
        return passing(components, state, weights, option)
    goods = option.goods
    worth = gained(components, die.want, STONE, amount(goods, STONE)) + gained(
        components, die.want, LINTEL, amount(goods, LINTEL)
    )
    worth += gained(components, die.want, COLUMN, amount(goods, COLUMN)) - option.bought * die.bought
    return worth + (die.rest if option.left else 0.0)


@njit(forceinline=True)
def forest_worth(components, state, weights, die, option):
    """Return the worth of the wood and the food steps to take with a die, or of passing with it."""
    if not option.act:
        return passing(components, state, weights, option)
    wood, food = amount(option.goods, WOOD), int(option.food)
    worth = gained(components, die.want, WOOD, wood) + food * die.want.food - option.bought * die.bought
    return worth + (die.rest if option.left else 0.0)


@njit(forceinline=True)
def village_worth(components, state, weights, view, option):
    """Return the worth of the village tile to buy with a die, or of passing with it; view: the die, and the worth of
    the best space."""
    if not option.act:
        return passing(components, state, weights, option)
    die, space = view
    worth = space - cost_of(components, die.want, option.goods) - option.bought * die.bought
    return worth + (die.rest if option.left else 0.0)


@njit(forceinline=True)
def window_worth(components, state, weights, view, option):
    """Return the worth of the stained glass tile to take with a die, or of passing with it."""
    if not option.act:
        return passing(components, state, weights, option)
    held, food, bought, rest = view
    worth = tile_worth(components, state, weights, held, int(option.thing)) - option.bought * bought
    worth += components.window.top_food * food if int(option.space) == components.window.n_pips - 1 else 0.0
    return worth + (rest if option.left else 0.0)


@njit(forceinline=True)
def unused_worth(components, state, weights, view, option):
    """Return the worth of the labour steps to take for unused pips."""
    return passing(components, state, weights, option)


@njit
def best_quarry(components, state, options, n, weights):
    """Return the stones, lintels and columns to take with a die, or to pass with it."""
    return best_of(quarry_worth, components, state, weights, die_of(components, state, weights), options, n)


@njit
def best_forest(components, state, options, n, weights):
    """Return the wood and the food steps to take with a die, or to pass with it."""
    return best_of(forest_worth, components, state, weights, die_of(components, state, weights), options, n)


@njit
def best_village(components, state, options, n, weights):
    """Return the village tile to buy with a die, or to pass with it."""
    view = die_of(components, state, weights), best_space(components, state, state.player, weights)
    return best_of(village_worth, components, state, weights, view, options, n)


@njit
def best_window(components, state, options, n, weights):
    """Return the stained glass tile to take with a die, or to pass with it."""
    seat = state.player
    held, food = tiles_held(state, seat), food_step(components, state, seat, weights)
    bought, rest = (
        labour_left(components, state, seat, weights, 1),
        max(0.0, labour_right(components, state, seat, weights, 1)),
    )
    return best_of(window_worth, components, state, weights, (held, food, bought, rest), options, n)


@njit
def best_slot(components, state, options, n, weights):
    """Return whether the tile and the steps on the crane are better than passing, and how to pass."""
    seat, slot = state.player, state.turn
    best = best_of(unused_worth, components, state, weights, 0, options, n - 1)  # to act comes last
    most = passing(components, state, weights, options[best])
    worth = tile_worth(components, state, weights, tiles_held(state, seat), state.crane[slot])
    if worth < most:  # the tile alone is not worth it
        want = wanted(components, state, seat, weights, 0, True)
        worth += steps_up(want, components.crane.steps[slot])
        if slot == components.crane.n_steps - 1:
            worth += gained(components, want, WOOD, components.crane.last_wood)
    return n - 1 if worth > most else best


@njit
def best_unused(components, state, options, n, weights):
    """Return how many labour steps to take for unused pips."""
    return best_of(unused_worth, components, state, weights, 0, options, n)


@njit
def denied(state, tile):
    """Return the points of a construction tile, as often as there are players who build later and could complete it."""
    points = 0
    for turn in range(state.turn + 1, state.players):
        if can_complete(state, state.order[turn], tile):
            points += tile.vp
    return points


@njit
def best_building(components, state, options, n, weights):
    """Return the construction tile that brings most beyond the materials and steps that it takes, or to build
    nothing."""
    seat = state.player
    want = wanted(components, state, seat, weights, 0, False)
    best, most = 0, 0.0
    for i in range(n):
        option = options[i]
        if option.act:
            tile = components.construction.tiles[int(option.thing)]
            if option.goods == tile.goods and can_complete(state, seat, tile):
                worth = weights.building * tile.vp - icons(tile, want.labour, want.food, weights.icon)
            else:
                worth = components.construction.unfinished_vp * pieces(option.goods) + 0.0
            worth -= cost_of(components, want, option.goods) + min(tile.steps, state.construction[seat]) * want.later
            if weights.deny != 0.0:
                worth += weights.deny * denied(state, tile)
            if worth > most:
                best, most = i, worth
    return best


@njit
def best_materials(components, state, options, n, weights):
    """Return what to put on the construction tile; the last option is everything, and often no other can be better."""
    want = wanted(components, state, state.player, weights, 0, False)
    best, most = 0, NEVER
    for i in range(n - 1, -1, -1):
        option = options[i]
        goods = option.goods
        unfinished = components.construction.unfinished_vp * pieces(goods)
        vp = components.construction.tiles[state.chosen].vp if option.act else unfinished
        worth = vp - cost_of(components, want, goods)
        if worth > most:
            best, most = i, worth
        if i == n - 1 and most >= unfinished:
            break
    return best


@njit(forceinline=True)
def are_shown(components):
    """Return whether the displays of the round lie open before its dice are placed, while Kings are chosen."""
    return components.rules.displays != 0


@njit(forceinline=True)
def king_worth(components, state, weights, view, option):
    """Return the worth of a King: what he gives, his place in the turn order, whether he builds first."""
    want, stone, gift = view
    power = components.kings[int(option.thing)]
    worth = power.vp + power.number * weights.number + power.builds_first * weights.builder
    return worth + (
        power.labour * want.labour + power.stone * stone + power.gift * gift + steps_up(want, power.construction)
    )


@njit
def best_king(components, state, options, n, weights):
    """Return the King who brings most."""
    want = wanted(components, state, state.player, weights, 0, are_shown(components))
    stone = gained(components, want, STONE, 1)
    gift = max(gained(components, want, LINTEL, 1), gained(components, want, COLUMN, 1))
    return best_of(king_worth, components, state, weights, (want, stone, gift), options, n)


@njit
def option_worth(components, state, weights, want, option):
    """Return the worth of an option of the rarer kinds of decisions."""
    asks, thing = state.asks, int(option.thing)
    if asks == ask.SPACE:
        return space_worth(components, state, want, weights, int(option.space))
    if asks == ask.TRACKS:
        return tracks_worth(want, thing)
    if asks == ask.GIFT:
        return goods_worth(components, want, option.goods)
    if asks == ask.PURCHASE:
        return purchase_worth(components, state, want, weights, thing, -int(option.steps)) if option.act else 0.0
    worth = tile_worth(components, state, weights, tiles_held(state, state.player), thing)
    return -worth if asks == ask.DISCARD else worth


@njit
def best_other(components, state, options, n, weights):
    """Return the best option of the rarer kinds of decisions."""
    asks = state.asks
    shown = asks not in (ask.DISCARD, ask.PICK)  # which look at tiles only
    if asks in (ask.TRACKS, ask.GIFT):
        shown = are_shown(components)
    want = wanted(components, state, state.player, weights, 0, shown)
    return best_of(option_worth, components, state, weights, want, options, n)


def choose(components, state, options, n, weights):
    """Return the index of the option that is worth most, of equals the first; −1, which is refused, if weights are
    missing.

    Args:
        components, state, options, n: see `sim.contract`. weights: those of `_weights`, the same in all rounds or round
            by round.
    """
    first = first_weight(state, weights, COUNT, ROUNDS)
    if first < 0:  # what is not there must not be read
        return -1
    options, weights, asks = borrowed(options), named(borrowed(weights)[first:]), state.asks
    if asks == ask.PLACE:
        return best_place(components, state, options, n, weights)
    if asks == ask.UNUSED:
        return best_unused(components, state, options, n, weights)
    if asks == ask.CRANE:
        return best_slot(components, state, options, n, weights)
    if asks == ask.QUARRY:
        return best_quarry(components, state, options, n, weights)
    if asks == ask.WINDOW:
        return best_window(components, state, options, n, weights)
    if asks == ask.FOREST:
        return best_forest(components, state, options, n, weights)
    if asks == ask.VILLAGE:
        return best_village(components, state, options, n, weights)
    if asks == ask.KING:
        return best_king(components, state, options, n, weights)
    if asks == ask.BUILD:
        return best_building(components, state, options, n, weights)
    if asks == ask.MATERIALS:
        return best_materials(components, state, options, n, weights)
    return best_other(components, state, options, n, weights)
