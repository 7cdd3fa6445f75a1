"""Where to place which die: what each area would bring with it.

The options come die by die in rising order, and for each die the same areas. So the worth of an area is prepared once,
and what a die reaches in the window a stronger one reaches too.
"""

from numba import njit

from sim.moesteiro.dice import dice_of, owned, pips, pips_of
from sim.moesteiro.purse import COLUMN, LINTEL, STONE, WOOD, amount, can_pay, piece, worth_at
from sim.moesteiro.state import CRANE, FOREST, KINDS, MOST_CRANE, NONE, QUARRY, VILLAGE
from strategies._best import NEVER
from strategies.moesteiro._sets import LANE, tiles_held
from strategies.moesteiro._worth import (
    best_space,
    given,
    labour_right,
    rates_of,
    steps_up,
    tile_worth,
    wanted,
)


@njit(forceinline=True)
def piled(short, kept, rate, spare, quantity):
    """Return the worth of a quantity of which `short` brings the rate, then `kept` what spare ones bring, the rest
    nothing."""
    first = min(short, quantity)
    return rate * first + spare * min(kept, quantity - first)


@njit(forceinline=True)
def to_keep(want, material):
    """Return how many further pieces of a material are worth keeping."""
    return max(0.0, want.store - amount(want.extra, material))


@njit(forceinline=True)
def pushed(shift, shove, die):
    """Return how far a die is expected to be pushed to the right: `shift` spaces, and `shove` for each pip above
    one."""
    return int(shift + shove * (die - 1)) if shove != 0.0 else int(shift)


@njit(forceinline=True)
def net(worth, passing, die, weights):
    """Return what a die brings, at least what it brings by passing, beyond what its pips would bring later."""
    return max(worth, passing) - die * weights.die


@njit(forceinline=True)
def best_die(worth_of, components, state, weights, view, options, first, n, areas, passing):
    """Return the best option for an area and its worth, one option for each die.

    Args:
        worth_of: kernel worth_of(components, state, weights, view, die, space) -> float64: what a die of so many pips
            brings there.
        view: what it needs of the position. first, areas: the options for the area are first, first + areas, … passing:
            worth of passing.
    """
    i, best, most = first, first, NEVER
    while i < n:
        die = pips(int(options[i].die))
        worth = net(worth_of(components, state, weights, view, die, options[i].space), passing, die, weights)
        if worth > most:
            best, most = i, worth
        i += areas
    return best, most


@njit(forceinline=True)
def in_forest(components, state, weights, view, die, space):
    """Return what a die brings in the forest."""
    short, kept, rate, spare, near, far, food, shove = view
    is_near = space + pushed(0, shove, die) < components.forest.near_spaces
    wood, cost = (near, components.forest.near_pips) if is_near else (far, components.forest.far_pips)
    missing = min(short, die * wood)
    rest = die - missing * cost
    return rate * missing + max(spare * min(kept, rest * wood), food * rest)


@njit(forceinline=True)
def best_in_forest(components, state, want, weights, options, first, n, areas, passing, shove):
    """Return the best option for the forest and its worth: wood, food steps, or wood that is short and food steps for
    the rest."""
    short, kept = amount(want.short, WOOD), to_keep(want, WOOD)
    rate, spare = want.pip * components.forest.near_pips, want.spare * components.forest.near_pips
    near, far, food = (
        1.0 / components.forest.near_pips,
        1.0 / components.forest.far_pips,
        want.food / components.forest.food_pips,
    )
    view = short, kept, rate, spare, near, far, food, shove
    return best_die(in_forest, components, state, weights, view, options, first, n, areas, passing)


@njit(forceinline=True)
def village_cost(components, state, want, weights, purse, times):
    """Return what the materials of the best village tile are worth, and its pips; −NEVER if none can be paid as many
    times over."""
    least, tile_pips = -NEVER, 0
    for i in range(components.village.on_show):
        number = state.village[i]
        if number != NONE:
            tile = components.village.tiles[number]
            if can_pay(purse, times * tile.goods):
                cost = given(components, want, WOOD, amount(tile.goods, WOOD)) + given(
                    components, want, STONE, amount(tile.goods, STONE)
                )
                if cost + tile.pips * weights.die < least:
                    least, tile_pips = cost + tile.pips * weights.die, tile.pips
    return least - tile_pips * weights.die, tile_pips


@njit(forceinline=True)
def in_village(components, state, weights, view, die, space):
    """Return what a die brings in the village."""
    settled, tile_pips, labour = view
    return settled - max(0, tile_pips - die) * labour - space * weights.ahead


@njit(forceinline=True)
def best_in_village(components, state, want, weights, options, first, n, areas, passing, purse):
    """Return the best option for the village and its worth: the best space for the best tile that the purse can pay."""
    seat = state.player
    dice = dice_of(state.row[VILLAGE], seat)
    cost, tile_pips = village_cost(components, state, want, weights, purse, dice + 1)
    view = best_space(components, state, seat, weights) - cost - dice * weights.again, tile_pips, want.labour
    return best_die(in_village, components, state, weights, view, options, first, n, areas, passing)


@njit(forceinline=True)
def in_quarry(components, state, weights, view, die, space):
    """Return what a die brings in the quarry."""
    short, kept, pip, spare = view
    return piled(short, kept, pip, spare, die) - space * weights.ahead


@njit(forceinline=True)
def best_in_quarry(components, state, want, weights, options, first, n, areas, passing):
    """Return the best option for the quarry and its worth: pieces that are short, less what dice there will bring, and
    pieces to keep."""
    quarry = components.quarry.pips
    there = pips_of(state.row[QUARRY], state.player)
    missing = worth_at(want.short - amount(want.short, WOOD), rates_of(components))
    if weights.reach != 0.0:
        missing -= max(0, amount(want.short, LINTEL) - state.lintels) * quarry[LINTEL]
        missing -= max(0, amount(want.short, COLUMN) - state.columns) * quarry[COLUMN]
    lintels, columns = min(to_keep(want, LINTEL), state.lintels), min(to_keep(want, COLUMN), state.columns)
    kept = to_keep(want, STONE) * quarry[STONE] + lintels * quarry[LINTEL] + columns * quarry[COLUMN]
    short, kept = max(0, missing - there), max(0.0, kept - max(0, there - missing))
    return best_die(
        in_quarry, components, state, weights, (short, kept, want.pip, want.spare), options, first, n, areas, passing
    )


@njit(forceinline=True)
def in_crane(components, state, weights, view, die, space):
    """Return what a die brings in the crane: it will be pushed to a slot further on."""
    want, held, shift, shove, double = view
    last_slot = components.crane.n_steps - 1
    to = min(last_slot, space + pushed(shift, shove, die))
    worth = tile_worth(components, state, weights, held, state.crane[to]) + steps_up(want, components.crane.steps[to])
    worth += components.crane.last_wood * want.spare if to == last_slot else 0.0
    return worth - double


@njit(forceinline=True)
def best_in_crane(components, state, want, weights, options, first, n, areas, passing, held, shove):
    """Return the best option for the crane and its worth: the tile and the steps of the slot that the die will be
    pushed to."""
    shift = (components.crane.n_steps - 1 - state.dice[CRANE]) * weights.shift
    view = want, held, shift, shove, weights.double * dice_of(state.row[CRANE], state.player)
    return best_die(in_crane, components, state, weights, view, options, first, n, areas, passing)


@njit(forceinline=True)
def best_in_window(components, state, want, weights, options, first, n, areas, passing, held):
    """Return the best option for the window and its worth: the best tile that the die reaches."""
    reached, glass, last = 0, 0.0, components.window.n_pips - 1
    i, best, most = first, first, NEVER
    while i < n:
        die = pips(int(options[i].die))
        while reached <= last and components.window.pips[reached] <= die:
            tile = tile_worth(components, state, weights, held, state.window[reached])
            glass = max(glass, tile + (components.window.top_food * want.food if reached == last else 0.0))
            reached += 1
        worth = net(glass - options[i].space * weights.ahead, passing, die, weights)
        if worth > most:
            best, most = i, worth
        i += areas
    return best, most


@njit(forceinline=True)
def tiles_to_come(state, seat):
    """Return the stonework tiles above a player's dice in the crane, as `tiles_held` does."""
    coming = 0
    mine = owned(state.row[CRANE], seat)
    for place in range(MOST_CRANE):  # all of them, without a branch
        kind = int(state.crane[place])
        coming += (mine >> 8 * place & (kind != NONE)) << LANE * (kind % KINDS)
    return coming


@njit
def best_place(components, state, options, n, weights):
    """Return the option for a die and an area that brings most beyond what the die's pips would bring later."""
    if not options[0].act:
        return n - 1
    if weights.coming == 0.0 and weights.shove == 0.0:  # who does without them plays faster: a kernel of its own
        return best_of_areas(components, state, options, n, weights, 0, 0.0)
    others = -state.in_hand[state.player]
    for other in range(state.players):
        others += state.in_hand[other]
    coming = tiles_to_come(state, state.player) if weights.coming > 0.5 else 0
    return best_of_areas(components, state, options, n, weights, coming, 0.1 * weights.shove * others)


@njit(forceinline=True)
def best_of_areas(components, state, options, n, weights, coming, shove):
    """Return the best option of all areas; coming: see `tiles_to_come`; shove: see `pushed`."""
    seat = state.player
    wood = piece(WOOD, int(pips_of(state.row[FOREST], seat) / components.forest.far_pips))
    want = wanted(components, state, seat, weights, wood, True)
    passing = labour_right(components, state, seat, weights, components.tracks.labour.pass_steps)
    held, areas = tiles_held(state, seat) + coming, 1
    while areas < n and options[areas].die == options[0].die:
        areas += 1
    best, most = 0, NEVER
    for first in range(areas):
        area = options[first].thing
        if area == FOREST:
            i, worth = best_in_forest(components, state, want, weights, options, first, n, areas, passing, shove)
        elif area == VILLAGE:
            i, worth = best_in_village(
                components, state, want, weights, options, first, n, areas, passing, state.purse[seat] + wood
            )
        elif area == QUARRY:
            i, worth = best_in_quarry(components, state, want, weights, options, first, n, areas, passing)
        elif area == CRANE:
            i, worth = best_in_crane(components, state, want, weights, options, first, n, areas, passing, held, shove)
        else:
            i, worth = best_in_window(components, state, want, weights, options, first, n, areas, passing, held)
        if worth > most:
            best, most = i, worth
    return best
