"""Where to place which die: what each area would bring with it."""

from numba import njit

from sim.moesteiro.dice import key_at, owner_at, pips
from sim.moesteiro.purse import COLUMN, LINTEL, STONE, WOOD, amount, can_pay, piece
from sim.moesteiro.state import CRANE, FOREST, NONE, QUARRY, VILLAGE, WINDOW
from strategies.moesteiro._weights import AGAIN, AHEAD, DIE, SHIFT
from strategies.moesteiro._worth import (
    NEVER,
    best_space,
    given,
    labour_right,
    pips_in,
    sets_held,
    steps_up,
    tile_worth,
    wanted,
)


@njit(forceinline=True)
def own_pips(state, seat, area):
    """Return the pips of the dice that a player has in an area."""
    row, total = state.row[area], 0
    for i in range(state.dice[area]):
        total += pips(key_at(row, i)) if owner_at(row, i) == seat else 0
    return total


@njit(forceinline=True)
def own_dice(state, seat, area):
    """Return how many dice a player has in an area."""
    row, total = state.row[area], 0
    for i in range(state.dice[area]):
        total += 1 if owner_at(row, i) == seat else 0
    return total


@njit(forceinline=True)
def piled(needed, kept, rate, spare, quantity):
    """Return the worth of a quantity of which the first `needed` bring the rate, the next `kept` what spare ones bring, the rest nothing."""
    first = min(needed, quantity)
    return rate * first + spare * min(kept, quantity - first)


@njit(forceinline=True)
def to_keep(want, material):
    """Return how many further pieces of a material are worth keeping."""
    return max(0.0, want.store - amount(want.extra, material))


@njit(forceinline=True)
def village_cost(components, state, want, weights, purse, times):
    """Return what the materials of the best village tile are worth, and its pips; −NEVER if none can be paid as many times over."""
    least, tile_pips = -NEVER, 0
    for i in range(components.village_on_show):
        number = state.village[i]
        if number != NONE:
            tile = components.village_tile[number]
            if can_pay(purse, times * tile.price):
                cost = given(components, want, WOOD, amount(tile.price, WOOD)) + given(components, want, STONE, amount(tile.price, STONE))
                if cost + tile.pips * weights[DIE] < least:
                    least, tile_pips = cost + tile.pips * weights[DIE], tile.pips
    return least - tile_pips * weights[DIE], tile_pips


@njit
def best_place(components, state, options, n, weights):
    """Return the option for a die and an area that brings most beyond what the die's pips would bring later.

    The options come with the dice in rising order: what a die reaches in the window, a stronger one reaches too.
    """
    seat, quarry = state.player, components.quarry_pips
    near, far, food_share = 1.0 / components.forest_near_pips, 1.0 / components.forest_far_pips, 1.0 / components.forest_food_pips
    in_quarry = own_pips(state, seat, QUARRY)
    wood_to_come = piece(WOOD, int(own_pips(state, seat, FOREST) * far))
    want = wanted(components, state, seat, weights, wood_to_come, 1)
    passing = labour_right(components, state, seat, weights, components.pass_steps)

    # What is missing and what can be kept, in pieces of wood and in pips of the quarry, less what dice that lie there will bring.
    wood_short, wood_kept = amount(want.short, WOOD), to_keep(want, WOOD)
    wood, spare_wood = want.pip * components.forest_near_pips, want.spare * components.forest_near_pips
    missing = pips_in(components, want.short) - wood_short * components.forest_near_pips
    lintels, columns = min(to_keep(want, LINTEL), state.lintels), min(to_keep(want, COLUMN), state.columns)
    kept = to_keep(want, STONE) * quarry[STONE] + lintels * quarry[LINTEL] + columns * quarry[COLUMN]
    quarry_short, quarry_kept = max(0, missing - in_quarry), max(0.0, kept - max(0, in_quarry - missing))

    village = NEVER
    village_pips = 0
    if state.dice[VILLAGE] < components.spaces[state.players, VILLAGE]:
        dice = own_dice(state, seat, VILLAGE)
        cost, village_pips = village_cost(components, state, want, weights, state.purse[seat] + wood_to_come, dice + 1)
        village = best_space(components, state, seat, weights) - cost - dice * weights[AGAIN]
    sizes, last_slot = sets_held(state, seat), components.spaces[state.players, CRANE] - 1
    shift = int((last_slot - state.dice[CRANE]) * weights[SHIFT])
    reached, glass = 0, 0.0

    best, most = 0, NEVER
    for i in range(n):
        option = options[i]
        if not option.act:
            return n - 1
        area, at, die = int(option.thing), int(option.space), pips(int(option.die))
        if area == FOREST:
            share = near if at < components.forest_near else far
            worth = piled(wood_short, wood_kept, wood, spare_wood, die * share)
            rest = (die - wood_short) * food_share
            worth = max(worth, max(die * food_share, 0.0) * want.food, wood_short * wood * share + rest * want.food)
        elif area == VILLAGE:
            worth = village - max(0, village_pips - die) * want.labour - at * weights[AHEAD]
        elif area == QUARRY:
            worth = piled(quarry_short, quarry_kept, want.pip, want.spare, die) - at * weights[AHEAD]
        elif area == CRANE:
            to = min(last_slot, at + shift)
            worth = steps_up(want, components.crane_steps[to]) + tile_worth(components, state, seat, weights, sizes, state.crane[to])
            if to == last_slot:
                worth += components.crane_last_wood * (wood if wood_short > 0 else spare_wood)
        else:
            while reached < components.window_spaces and components.window_pips[reached] <= die:
                top = components.window_top_food * want.food if reached == components.window_spaces - 1 else 0.0
                glass = max(glass, tile_worth(components, state, seat, weights, sizes, state.window[reached]) + top)
                reached += 1
            worth = glass - at * weights[AHEAD]
        worth = max(worth, passing) - die * weights[DIE]
        if worth > most:
            best, most = i, worth
    return best
