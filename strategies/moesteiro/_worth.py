"""What things are worth to a player, in points: estimates that all plans share, made from the components, the table and the weights."""

from typing import NamedTuple

from numba import njit

from sim.moesteiro.purse import COLUMN, LINTEL, STONE, WOOD, amount, common
from sim.moesteiro.scoring import LARGEST_SET
from sim.moesteiro.state import (
    BONUS_CONSTRUCTION,
    BONUS_FOOD,
    BONUS_GLASS,
    BONUS_LABOUR,
    BONUS_STONEWORK,
    BONUS_WOOD,
    KINDS,
    NONE,
    ROUNDS,
)
from strategies.moesteiro._weights import BANK, BUILDING, FINISH, FOOD, HOPE, LABOUR, PIP, ROOM, SETS, SPARE, STEP, STORE, TRACK, VILLAGE

NEVER = -1e9  # worth of what can't be had


class Want(NamedTuple):
    """What a player wants, and how much.

    Attributes:
        short: purse, what is missing for the construction tile that suits best. extra: purse, what it does not need.
        pip: points for a pip's worth of a missing piece. spare: the same for a piece to keep. store: how many to keep.
        steps: construction steps that are missing. step: points for one of them. later: points for another one; room: how many of those.
        labour: points for one labour step. food: points for one food step.
    """

    short: int
    extra: int
    pip: float
    spare: float
    store: float
    steps: int
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
    return components.forest_near_pips if material == WOOD else components.quarry_pips[material]


@njit(forceinline=True)
def pips_in(components, purse):
    """Return the pips that the pieces of a purse cost."""
    quarry = components.quarry_pips
    return (
        amount(purse, WOOD) * components.forest_near_pips
        + amount(purse, STONE) * quarry[STONE]
        + amount(purse, LINTEL) * quarry[LINTEL]
        + amount(purse, COLUMN) * quarry[COLUMN]
    )


@njit(forceinline=True)
def gained(components, want, material, pieces):
    """Return the worth of further pieces of a material: first those that are missing, then those to keep, then nothing."""
    missing = min(pieces, amount(want.short, material))
    kept = max(0.0, min(pieces - missing, want.store - amount(want.extra, material)))
    return price(components, material) * (want.pip * missing + want.spare * kept)


@njit(forceinline=True)
def given(components, want, material, pieces):
    """Return the worth of pieces that a player has and gives away: first those that are not needed."""
    extra = min(pieces, amount(want.extra, material))
    return price(components, material) * (want.spare * min(extra, want.store) + want.pip * (pieces - extra))


@njit(forceinline=True)
def steps_up(want, steps):
    """Return the worth of steps up the construction track."""
    missing = min(steps, want.steps)
    return want.step * missing + want.later * max(0.0, min(steps - missing, want.room))


@njit(forceinline=True)
def labour_step(components, state, seat, weights):
    """Return the worth of one step to the right on the labour track: its points at the end, and what it can buy before."""
    at = state.labour[seat]
    if at >= components.labour_last:
        return components.labour_overflow_vp + 0.0
    keep = weights[BANK] if to_come(state) > 0 else 0.0
    return weights[TRACK] * (components.labour_vp[at + 1] - components.labour_vp[at]) + keep + weights[LABOUR]


@njit(forceinline=True)
def labour_right(components, state, seat, weights, steps):
    """Return the worth of steps to the right on the labour track, points beyond its end included."""
    at, last = state.labour[seat], components.labour_last
    to = min(at + steps, last)
    keep = weights[BANK] if to_come(state) > 0 else 0.0
    return (
        weights[TRACK] * (components.labour_vp[to] - components.labour_vp[at])
        + (to - at) * (keep + weights[LABOUR])
        + (at + steps - to) * components.labour_overflow_vp
    )


@njit(forceinline=True)
def labour_left(components, state, seat, weights, steps):
    """Return the worth of steps to the left on the labour track: what bought pips cost."""
    at = state.labour[seat]
    keep = weights[BANK] if to_come(state) > 0 else 0.0
    return weights[TRACK] * (components.labour_vp[at] - components.labour_vp[at - steps]) + steps * (keep + weights[LABOUR])


@njit(forceinline=True)
def food_step(components, state, seat, weights):
    """Return the worth of one step down the food track: what the next row of the village has more than this one, or points beyond the end."""
    at = state.food[seat]
    if at >= components.food_last:
        return components.food_overflow_vp + 0.0
    row = at // components.food_per_row
    if row + 1 >= components.village_rows:
        return components.food_overflow_vp * 0.5
    more = 0
    for space in range(row * components.row_spaces, (row + 1) * components.row_spaces):
        more += components.space[space + components.row_spaces].vp - components.space[space].vp
    share = weights[FOOD] * (to_come(state) + 1) / (components.row_spaces * components.food_per_row)
    return weights[VILLAGE] * max(0, more) * share * (1 + at % components.food_per_row)


@njit(forceinline=True)
def tile_worth(components, state, seat, weights, kind):
    """Return the worth of one more stonework or stained glass tile of a kind: the set that it joins grows, and may grow on."""
    if kind == NONE:
        return 0.0
    held, others = state.tiles[seat, kind], 0
    for other in range(KINDS):
        others += 1 if other != kind and state.tiles[seat, other] > held else 0
    others = min(others, LARGEST_SET - 1)
    now = components.set_vp[others + 1] - components.set_vp[others]
    full = components.set_vp[LARGEST_SET] / LARGEST_SET
    return weights[SETS] * (now + weights[HOPE] * max(0.0, full - now) * to_come(state) / ROUNDS)


@njit
def unseen_tile(components, state, seat, weights, first, kinds):
    """Return the mean worth of a tile from a pile, every kind of it as likely as the next."""
    total, count = 0.0, 0
    for kind in range(first, first + kinds):
        if components.tiles[kind] > 0:
            total += tile_worth(components, state, seat, weights, kind)
            count += 1
    return total / max(1, count)


@njit(forceinline=True)
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
def icons(components, state, seat, tile, labour, food, glass):
    """Return what the icons of a construction tile cost; an icon that can't be paid yet costs twice."""
    lacking = max(0, tile.food - state.food[seat]) * food + max(0, tile.labour - state.labour[seat]) * labour
    return tile.food * food + tile.labour * labour + (tile.stonework + tile.glass) * glass + lacking


@njit
def wanted(components, state, seat, weights, brought, shown):
    """Return what a player wants: chooses the construction tile that brings most beyond what is missing for it.

    Args:
        components, state, weights: see `sim.contract`. seat: whose wants.
        brought: purse, what dice that lie already are expected to bring. shown: 0 while no construction tile lies open.
    """
    later = to_come(state)
    labour = labour_step(components, state, seat, weights)
    food = food_step(components, state, seat, weights)
    purse, at = state.purse[seat] + brought, state.construction[seat]
    most, rate, step, short, used, steps = NEVER, 0.0, 0.0, 0, 0, 0
    for i in range(components.construction_on_show * shown):
        if state.site[i] == NONE:
            continue
        tile = components.construction_tile[state.site[i]]
        have = common(purse, tile.price)
        all_pips = pips_in(components, tile.price)
        missing = pips_in(components, tile.price - have)
        below = max(0, tile.steps - at)
        points = weights[BUILDING] * tile.vp - icons(components, state, seat, tile, labour, food, weights[SETS] * 2.0)
        worth = points - missing * weights[PIP] - below * weights[STEP]
        if worth > most:
            most, short, used, steps = worth, tile.price - have, have, below
            rate = max(0.0, points) / max(1.0, missing + below + weights[FINISH] * (all_pips - missing))
    spare = weights[SPARE] if later > 0 else 0.0
    next_step = weights[STEP] if later > 0 else 0.0
    room = max(0.0, weights[ROOM] - at)
    return Want(short, purse - used, rate, spare, weights[STORE], steps, rate, next_step, room, labour, food)


@njit
def space_worth(components, state, want, weights, seat, space, stonework, glass):
    """Return the worth of a village space: its points and its bonus."""
    printed = components.space[space]
    tile = glass if printed.bonus == BONUS_GLASS else stonework
    return weights[VILLAGE] * printed.vp + bonus_worth(components, want, printed.bonus, tile)


@njit
def best_space(components, state, want, weights, seat, stonework, glass):
    """Return the worth of the best village space that is free and that the food marker opens, or NEVER."""
    rows = min(state.food[seat] // components.food_per_row, components.village_rows - 1) + 1
    best = NEVER
    for space in range(rows * components.row_spaces):
        if state.space_owner[space] == NONE:
            best = max(best, space_worth(components, state, want, weights, seat, space, stonework, glass))
    return best
