"""What things are worth to a player, in points: estimates that all plans share, made from the components, the table and
the weights.

They are asked for some two hundred times a game, so they divide rarely and look at each thing on the table once.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from sim.moesteiro import ask
from sim.moesteiro.building import glass_of, stonework_of
from sim.moesteiro.dice import LONGEST, owned, pips_of
from sim.moesteiro.purse import COLUMN, LINTEL, STONE, WOOD, amount, common, goods, worth_at
from sim.moesteiro.scoring import LARGEST_SET
from sim.moesteiro.state import (
    BONUS_CONSTRUCTION,
    BONUS_FOOD,
    BONUS_LABOUR,
    BONUS_STONEWORK,
    BONUS_WOOD,
    CRANE,
    FOREST,
    MOST_CRANE,
    NONE,
    QUARRY,
    ROUNDS,
    SEATS,
)
from strategies._best import NEVER
from strategies.moesteiro._sets import gain_of, tiles_held

# How much a player counts who lacks a number of pips, up to 20 pieces of each material at 9 pips: division takes time.
SHARE = 1.0 / (1.0 + np.arange(4 * 20 * 9 + 1))


class Want(NamedTuple):
    """What a player wants, and how much.

    Attributes:
        short: purse, what is missing for the construction tile that suits best. extra: purse, what it does not need.
        pip: points for a pip's worth of a missing piece. spare: the same for a piece to keep. store: how many to keep.
        steps: construction steps that are missing. step: points for one of them. later: points for another one; room:
            how many of those.
        labour: points for one labour step. food: points for one food step.
    """

    short: int
    extra: int
    pip: float
    spare: float
    store: float
    steps: float
    step: float
    later: float
    room: float
    labour: float
    food: float


@njit(forceinline=True)
def to_come(state):
    """Return how many rounds come after this one."""
    return ROUNDS - 1 - state.this_round


@njit(forceinline=True)
def price(components, material):
    """Return the pips for one piece of a material where it is cheapest."""
    return components.forest.near_pips if material == WOOD else components.quarry.pips[material]


@njit(forceinline=True)
def rates_of(components):
    """Return the pips for one piece of each material where it is cheapest, as `worth_at` takes them."""
    quarry = components.quarry.pips
    return goods(quarry[COLUMN], quarry[LINTEL], quarry[STONE], components.forest.near_pips)


@njit(forceinline=True)
def gained(components, want, material, pieces):
    """Return the worth of further pieces of a material: first those that are missing, then those to keep, then
    nothing."""
    missing = min(pieces, amount(want.short, material))
    kept = max(0.0, min(pieces - missing, want.store - amount(want.extra, material)))
    return price(components, material) * (want.pip * missing + want.spare * kept)


@njit(forceinline=True)
def given(components, want, material, pieces):
    """Return the worth of pieces that a player has and gives away: first those that are too many, then those kept, then
    those needed."""
    extra = amount(want.extra, material)
    given = min(pieces, extra)
    kept = min(want.store, extra) - min(want.store, extra - given)
    return price(components, material) * (want.spare * kept + want.pip * (pieces - given))


@njit(forceinline=True)
def cost_of(components, want, goods):
    """Return the worth of all pieces of a purse that a player gives away."""
    worth = given(components, want, WOOD, amount(goods, WOOD)) + given(components, want, STONE, amount(goods, STONE))
    return (
        worth
        + given(components, want, LINTEL, amount(goods, LINTEL))
        + given(components, want, COLUMN, amount(goods, COLUMN))
    )


@njit(forceinline=True)
def steps_up(want, steps):
    """Return the worth of steps up the construction track."""
    missing = min(steps, want.steps)
    return want.step * missing + want.later * max(0.0, min(steps - missing, want.room))


@njit(forceinline=True)
def kept_step(state, weights):
    """Return the worth of a labour step beyond its points at the end: it can buy a pip in a later round."""
    return weights.labour + (weights.bank if to_come(state) > 0 else 0.0)


@njit(forceinline=True)
def labour_right(components, state, seat, weights, steps):
    """Return the worth of steps to the right on the labour track, points beyond its end included."""
    at = state.labour[seat]
    to = min(at + steps, components.tracks.labour.last)
    made = to - at
    points = weights.track * (components.tracks.labour.vp[to] - components.tracks.labour.vp[at])
    return points + made * kept_step(state, weights) + (steps - made) * components.tracks.labour.overflow_vp


@njit(forceinline=True)
def labour_left(components, state, seat, weights, steps):
    """Return the worth of steps to the left on the labour track: what bought pips cost."""
    at = state.labour[seat]
    return weights.track * (
        components.tracks.labour.vp[at] - components.tracks.labour.vp[max(0, at - steps)]
    ) + steps * kept_step(state, weights)


@njit(forceinline=True)
def row_of(components, state, seat):
    """Return the row of the village beside a player's food marker, counted from 0."""
    return min(int(state.food[seat] / components.tracks.food.per_row), components.village.rows - 1)


@njit(forceinline=True)
def food_step(components, state, seat, weights):
    """Return the worth of a step down the food track: what the next row of the village has more than this one, or
    points beyond the end."""
    row, left = row_of(components, state, seat), to_come(state) + 1
    if row < components.village.rows - 1:
        first = row * components.village.row_spaces
        more = components.village.space[first + components.village.row_spaces].vp - components.village.space[first].vp
        return weights.village * weights.food * left * max(0, more)
    return components.tracks.food.overflow_vp * (1.0 if state.food[seat] == components.tracks.food.last else 0.5)


@njit(forceinline=True)
def tile_worth(components, state, weights, held, kind):
    """Return the worth of one more stonework or stained glass tile of a kind: the set that it joins grows, and may grow
    on.

    Args:
        components, state, weights: see `sim.contract`. held: see `tiles_held`. kind: or NONE.
    """
    if kind == NONE:
        return 0.0
    now = gain_of(components, held, int(kind))
    full = components.sets.of_size[LARGEST_SET] * (1.0 / LARGEST_SET)
    return weights.sets * (now + weights.hope * max(0.0, full - now) * to_come(state))


@njit
def unseen_tile(components, state, seat, weights, first, kinds):
    """Return the mean worth of a tile from a pile, every kind of it as likely as the next."""
    held, total, count = tiles_held(state, seat), 0.0, 0
    for kind in range(first, first + kinds):
        if components.tiles[kind] > 0:
            total += tile_worth(components, state, weights, held, kind)
            count += 1
    return total / max(1, count)


@njit
def bonus_worth(components, want, bonus, tile):
    """Return the worth of the bonus of a village space; tile: worth of an unseen stonework or stained glass tile."""
    if bonus >= BONUS_STONEWORK:
        return tile
    if bonus == BONUS_FOOD:
        return want.food
    if bonus == BONUS_LABOUR:
        return want.labour
    if bonus == BONUS_CONSTRUCTION:
        return steps_up(want, 1)
    if bonus >= BONUS_WOOD:
        return gained(components, want, bonus - BONUS_WOOD, 1)
    return 0.0


@njit(forceinline=True)
def best_space(components, state, seat, weights):
    """Return the worth of the best village space that is free and that the food marker opens, any bonus taken alike; or
    NEVER."""
    best = NEVER
    for space in range((row_of(components, state, seat) + 1) * components.village.row_spaces):
        printed = components.village.space[space]
        worth = weights.village * printed.vp + (weights.bonus if printed.bonus else 0.0)
        best = max(best, worth if state.space_owner[space] == NONE else NEVER)
    return best


@njit(forceinline=True)
def icons(tile, labour, food, glass):
    """Return what the icons of a construction tile cost."""
    return tile.food * food + tile.labour * labour + (tile.stonework + tile.glass) * glass


@njit(forceinline=True)
def missing_pips(purse, price, rates):
    """Return the pips that those pieces of a price cost that are not in the purse; rates: see `rates_of`."""
    return worth_at(price - common(purse, price), rates)


@njit(forceinline=True)
def not_acted(state, area):
    """Return the first place of an area's row whose die has not acted yet; the die that acts has not."""
    if state.asks == ask.PLACE or area > state.area:
        return 0
    return state.turn if area == state.area else LONGEST


@njit(forceinline=True)
def pips_to_come(state, seat):
    """Return the pips of a player's dice that can still bring materials: in hand, in the forest and in the quarry."""
    forest, quarry = (
        state.row[FOREST] >> 8 * not_acted(state, FOREST),
        state.row[QUARRY] >> 8 * not_acted(state, QUARRY),
    )
    return pips_of(state.hand[seat], seat) + pips_of(forest, seat) + pips_of(quarry, seat)


@njit(forceinline=True)
def steps_to_come(components, state, seat):
    """Return the construction steps under a player's dice that wait in the crane, the one that acts left out."""
    steps, first = 0, not_acted(state, CRANE)
    first += 1 if first > 0 or state.asks == ask.CRANE else 0
    mine = owned(state.row[CRANE], seat)
    for place in range(MOST_CRANE):  # all of them, without a branch
        steps += components.crane.steps[place] * (mine >> 8 * place & (place >= first))
    return steps


@njit(forceinline=True)
def out_of_reach(components, state, seat, tile, purse, pips, steps, stonework, glass):
    """Return what a player can hardly get for a construction tile, in pips and steps.

    Args:
        purse: what counts as there. pips, steps: how many of them are missing beyond what is to come. stonework, glass:
            tiles that the player holds.
    """
    lintels = max(0, amount(tile.goods, LINTEL) - amount(purse, LINTEL) - state.lintels)
    columns = max(0, amount(tile.goods, COLUMN) - amount(purse, COLUMN) - state.columns)
    lacking = lintels * components.quarry.pips[LINTEL] + columns * components.quarry.pips[COLUMN] + max(0, pips)
    lacking += max(0, steps - 2 * state.in_hand[seat])
    return lacking + max(0, tile.stonework - stonework) + max(0, tile.glass - glass)


@njit(forceinline=True)
def builders_before(components, state, seat):
    """Return who builds before a player, a bit for each seat."""
    before = 0
    for other in range(state.players):
        king = state.king[other]
        first = king != NONE and components.kings[king].builds_first != 0
        before |= (first or state.construction[other] <= state.construction[seat]) << other
    return before & ~(1 << seat)


@njit(forceinline=True)
def rivals(state, before, tile, rates):
    """Return how many of the players `before` lack nothing for a construction tile; those who lack pips count for
    less."""
    count = 0.0
    for other in range(SEATS):  # all of them, without a branch: who builds later adds 0
        count += (before >> other & 1) * SHARE[missing_pips(state.purse[other], tile.goods, rates)]
    return count


@njit(forceinline=True)
def target(components, state, seat, weights, purse, labour, food, at):
    """Return the place of the construction tile that brings most beyond what is missing for it, or NONE."""
    best, most, rates = NONE, NEVER, rates_of(components)
    eaten, worked = state.food[seat], state.labour[seat]
    looks_round = weights.reach != 0.0 or weights.rival != 0.0
    reach, before, stonework, glass = 0, 0, 0, 0
    if looks_round:
        reach, before = pips_to_come(state, seat), builders_before(components, state, seat)
        stonework, glass = stonework_of(state, seat), glass_of(state, seat)
    for i in range(components.construction.on_show):
        number = state.site[i]
        if number != NONE:
            tile = components.construction.tiles[number]
            missing = missing_pips(purse, tile.goods, rates) + max(0, tile.food - eaten) + max(0, tile.labour - worked)
            worth = weights.building * tile.vp - icons(tile, labour, food, weights.icon)
            worth -= missing * weights.pip + max(0, tile.steps - at) * weights.step
            if looks_round:
                worth -= weights.reach * out_of_reach(
                    components, state, seat, tile, purse, missing - reach, tile.steps - at, stonework, glass
                )
                worth -= weights.rival * rivals(state, before, tile, rates)
            best, most = (i, worth) if worth > most else (best, most)  # without a branch
    return best


@njit(forceinline=True)
def wanted(components, state, seat, weights, brought, shown):
    """Return what a player wants, first of all for the construction tile that suits best.

    Args:
        components, state, weights: see `sim.contract`. seat: whose wants.
        brought: purse, what dice that lie already are expected to bring. shown: whether construction tiles lie open.
    """
    more = 1.0 if to_come(state) > 0 else 0.0
    labour = labour_right(components, state, seat, weights, 1)
    food = food_step(components, state, seat, weights)
    purse, at = state.purse[seat] + brought, 1.0 * state.construction[seat]
    if weights.coming != 0.0:
        at += weights.coming * steps_to_come(components, state, seat)
    short, extra, steps, rate = 0, purse, 0.0, 0.0
    best = target(components, state, seat, weights, purse, labour, food, at) if shown else NONE
    if best != NONE:
        tile = components.construction.tiles[state.site[best]]
        have = common(purse, tile.goods)
        short, extra, steps = tile.goods - have, purse - have, max(0.0, tile.steps - at)
        points = weights.building * tile.vp - icons(tile, labour, food, weights.icon)
        rates = rates_of(components)
        rate = max(0.0, points) / max(1.0, worth_at(short, rates) + steps + weights.finish * worth_at(have, rates))
    room = max(0.0, weights.room - at)
    return Want(
        short, extra, rate, weights.spare * more, weights.store, steps, rate, weights.step * more, room, labour, food
    )
