"""What a network is told of a position: each number as a player sees it, the player's own first, then the means of all
others, then what lies on the table. Of the options see `_choices`.

All that a component file can change stands here as what it does (points, pips, steps), not as which card it is: so a
changed number reaches the network.
"""

import numpy as np
from numba import njit

from sim.compiled import on_stack, record_view
from sim.moesteiro import ask, turns
from sim.moesteiro.building import glass_of, stonework_of
from sim.moesteiro.dice import LONGEST, NEUTRAL, is_worker, key_at, owner_at, pips, pips_of
from sim.moesteiro.purse import COLUMN, LINTEL, MATERIALS, WOOD, amount, can_pay, piece
from sim.moesteiro.state import (
    AREAS,
    CRANE,
    FOREST,
    KINGS,
    MOST_CRANE,
    MOST_WINDOW,
    NONE,
    QUARRY,
    ROUNDS,
    SEATS,
    STONEWORK_KINDS,
    VILLAGE,
    WINDOW,
)
from strategies.moesteiro._sets import gain_of, kinds_with_more, tiles_held
from strategies.moesteiro._worth import missing_pips, rates_of, row_of

NUMBER = np.float64
SHOWN = 5  # spaces of an area whose dice are told one by one
FACES = 7
FAR = -30.0  # worth of a construction tile that there is not

# A player. Where it says `lie`: of the dice that lie in the areas and have not acted.
SIDE = np.dtype(
    [
        ("score", NUMBER),
        ("labour", NUMBER),
        ("track", NUMBER),  # points of the space on the labour track
        ("food", NUMBER),
        ("row", NUMBER),  # of the village, beside the food marker
        ("construction", NUMBER),
        ("pieces", NUMBER, (len(MATERIALS),)),
        ("has", NUMBER, (len(MATERIALS),)),  # 1 or 0
        ("sets", NUMBER, (STONEWORK_KINDS,)),  # kinds of tiles held once or more, twice or more, …
        ("set_points", NUMBER),
        ("stonework", NUMBER),
        ("glass", NUMBER),
        ("hand", NUMBER),  # dice
        ("hand_pips", NUMBER),
        ("lie", NUMBER, (len(AREAS),)),
        ("lie_pips", NUMBER, (len(AREAS),)),
        ("ahead", NUMBER, (len(AREAS),)),  # dice to the left of the first that lies
        ("wood", NUMBER),  # that those in the forest can bring
        ("slot_steps", NUMBER),  # under those on the crane
        ("slot_tiles", NUMBER),
        ("slot_points", NUMBER),  # of the tiles above them, in the sets held
        ("slot_last", NUMBER),  # 1 with a die on the last slot
        ("glass_reached", NUMBER),  # tiles that those at the window are likely to take
        ("glass_missed", NUMBER),  # dice that are likely to find none
        ("glass_points", NUMBER),
        ("houses", NUMBER),  # village tiles that those in the village can buy
        ("house_pips", NUMBER),  # pips to be bought for them
        ("king", NUMBER),  # 1 with a King of this round
        ("number", NUMBER),
        ("builds_first", NUMBER),
        ("builds", NUMBER),  # 1 if this round's building is still to come
        ("before", NUMBER),  # how many build earlier
        ("ready", NUMBER),  # construction tiles that could be completed now
        ("ready_vp", NUMBER),  # of the best of them
        ("hope", NUMBER),  # worth of the best construction tile, less what the dice to come will hardly bring: the goal
        ("second", NUMBER),  # … of the second
        ("goal_vp", NUMBER),
        ("goal_pips", NUMBER),  # missing for it
        ("goal_short", NUMBER, (len(MATERIALS),)),  # pieces missing for it
        ("goal_icons", NUMBER),
        ("goal_steps", NUMBER),
        ("goal_tracks", NUMBER),
        ("goal_lacking", NUMBER),  # lintels and columns beyond what the quarry has
        ("goal_rivals", NUMBER),  # who build earlier; those who lack pips count for less
        ("reach", NUMBER),  # pips of the dice in hand and in the quarry
        ("spaces", NUMBER),  # free ones of the village that the food marker opens
        ("space_vp", NUMBER),  # of the best of them
        ("payable", NUMBER),  # village tiles
        ("payable_pips", NUMBER),  # below six, of the cheapest of them
    ],
    align=True,
)

TABLE = np.dtype(
    [
        ("lead", NUMBER),  # own score less the best of the others
        ("this_round", NUMBER, (ROUNDS,)),
        ("asks", NUMBER, (len(ask.ASKS),)),
        ("dice", NUMBER, (len(AREAS),)),
        ("hands", NUMBER),  # dice in all hands
        ("slot_points", NUMBER, (MOST_CRANE,)),  # of the tile above each slot, in the sets held
        ("glass_points", NUMBER, (MOST_WINDOW,)),  # of each tile at the window
        ("lintels", NUMBER),
        ("columns", NUMBER),
        ("tiles", NUMBER, (3,)),  # on show: stonework, glass, village
        ("kings", NUMBER, (len(KINGS),)),  # 1 for each that is gone
        ("own", NUMBER, (len(AREAS), SHOWN)),  # pips of an own die on a space, from the left
        ("mine", NUMBER, (len(AREAS), SHOWN)),  # 1 for an own die, …
        ("theirs", NUMBER, (len(AREAS), SHOWN)),  # … for another's
        ("workers", NUMBER, (FACES,)),  # own dice in hand by their pips
        ("masters", NUMBER, (FACES,)),
    ],
    align=True,
)

SIDES = SIDE.itemsize // 8
INPUTS = 2 * SIDES + TABLE.itemsize // 8
side_at, table_at = record_view(np.dtype((np.record, SIDE))), record_view(np.dtype((np.record, TABLE)))
one_for_each = on_stack(np.dtype(np.float64), SEATS)


@njit(forceinline=True)
def first_to_act(state, area):
    """Return the first place of an area's row whose die has not acted yet; the one that acts has not."""
    if state.phase == turns.PLACE or (turns.ACT <= state.phase <= turns.UNUSED and area > state.area):
        return 0
    if turns.ACT <= state.phase <= turns.UNUSED and area == state.area:
        return state.turn + (state.phase != turns.ACT)
    return LONGEST


@njit
def tell_stores(components, state, seat, side):
    """Tell what a player has."""
    purse, held, points = state.purse[seat], tiles_held(state, seat), 0
    side.score += state.score[seat]
    side.labour += state.labour[seat]
    side.track += components.tracks.labour.vp[state.labour[seat]]
    side.food += state.food[seat]
    side.row += row_of(components, state, seat)
    side.construction += state.construction[seat]
    for material in range(len(MATERIALS)):
        side.pieces[material] += amount(purse, material)
        side.has[material] += amount(purse, material) > 0
    for nth in range(STONEWORK_KINDS):
        size = kinds_with_more(held, nth)
        side.sets[nth] += size
        points += components.sets.of_size[min(len(components.sets.of_size) - 1, size)]
    side.set_points += points
    side.stonework += stonework_of(state, seat)
    side.glass += glass_of(state, seat)
    side.hand += state.in_hand[seat]
    side.hand_pips += pips_of(state.hand[seat], seat)
    if state.king[seat] != NONE:
        power = components.kings[state.king[seat]]
        side.king += 1
        side.number += power.number
        side.builds_first += power.builds_first


@njit
def tell_dice(components, state, mine, others, table):
    """Tell which dice lie where and have not acted, and what those in forest and crane bring whom."""
    seat, forest = state.player, components.forest
    for area in range(len(AREAS)):
        first, row, met = first_to_act(state, area), state.row[area], 0
        for place in range(first, state.dice[area]):
            owner, die = owner_at(row, place), pips(key_at(row, place))
            if place < SHOWN:
                if owner == seat:
                    table.mine[area, place], table.own[area, place] = 1, die
                else:
                    table.theirs[area, place] = 1
            if owner != NEUTRAL:
                side = mine if owner == seat else others
                side.ahead[area] += 0 if met >> owner & 1 else place - first
                side.lie[area] += 1
                side.lie_pips[area] += die
                met |= 1 << owner
                if area == FOREST:
                    side.wood += die / (forest.near_pips if place < forest.near_spaces else forest.far_pips)
                elif area == CRANE:
                    side.slot_steps += components.crane.steps[place]
                    if state.crane[place] != NONE:
                        side.slot_tiles += 1
                        side.slot_points += gain_of(components, tiles_held(state, owner), int(state.crane[place]))
                    side.slot_last += place == components.crane.n_steps - 1


@njit
def tell_window(components, state, seat, side):
    """Tell what the dice at the window are likely to take: each, from the left, the tile that it likes best."""
    held, gone = tiles_held(state, seat), 0
    for place in range(first_to_act(state, WINDOW), state.dice[WINDOW]):
        mine, best, most = owner_at(state.row[WINDOW], place) == seat, -1, -1
        for i in range(components.window.n_pips):
            reached = components.window.pips[i] <= pips(key_at(state.row[WINDOW], place))
            if reached and state.window[i] != NONE and not gone >> i & 1:
                gain = gain_of(components, held, int(state.window[i])) if mine else 0
                if gain >= most:
                    best, most = i, gain
        if best >= 0:
            gone |= 1 << best
            side.glass_reached += mine
            side.glass_points += most if mine else 0
        elif mine:
            side.glass_missed += 1


@njit
def tell_village(components, state, seat, side):
    """Tell which spaces of the village are open to a player, and which tiles."""
    purse, dear, used = state.purse[seat] + piece(WOOD, int(side.wood)), 6, 0
    for space in range((int(side.row) + 1) * components.village.row_spaces):
        if state.space_owner[space] == NONE:
            side.spaces += 1
            side.space_vp = max(side.space_vp, components.village.space[space].vp)
    for i in range(components.village.on_show):
        if state.village[i] != NONE and can_pay(state.purse[seat], components.village.tiles[state.village[i]].goods):
            side.payable += 1
            side.payable_pips = max(side.payable_pips, dear - components.village.tiles[state.village[i]].pips)
    for place in range(first_to_act(state, VILLAGE), state.dice[VILLAGE]):
        if owner_at(state.row[VILLAGE], place) == seat:
            die = pips(key_at(state.row[VILLAGE], place))
            for i in range(components.village.on_show):
                if state.village[i] != NONE and not used >> i & 1:
                    tile = components.village.tiles[state.village[i]]
                    if tile.pips <= die + state.labour[seat] and can_pay(purse, tile.goods):
                        used |= 1 << i
                        side.houses += 1
                        side.house_pips += max(0, tile.pips - die)
                        break


@njit(forceinline=True)
def building_key(components, state, seat):
    """Return what a player's place in the building order goes by, the lowest first."""
    king = state.king[seat]
    first = king != NONE and components.kings[king].builds_first != 0
    return state.construction[seat] * 8 + state.turn_at[seat, state.this_round] - (1 << 20 if first else 0)


@njit
def tell_order(components, state, mine, others):
    """Tell who is still to build in this round, and how many build before."""
    if state.phase <= turns.BUILDERS:
        keys = one_for_each()
        for seat in range(state.players):
            keys[seat] = building_key(components, state, seat)
        for seat in range(state.players):
            side = mine if seat == state.player else others
            side.builds += 1
            for other in range(state.players):
                side.before += keys[other] < keys[seat]
    elif state.phase <= turns.DISCARD:
        for turn in range(state.players):
            seat, waits = state.order[turn], turn >= state.turn
            if seat != state.player:
                others.builds += waits
                others.before += (turn if waits else state.players) - state.turn
            elif state.phase <= turns.BUILD:  # who pays for a tile builds no more
                mine.builds = waits
                mine.before = (turn if waits else state.players) - state.turn


@njit(forceinline=True)
def lacking_icons(state, seat, tile):
    """Return how many stonework and stained glass tiles a player lacks for the icons of a construction tile."""
    return max(0, tile.stonework - stonework_of(state, seat)) + max(0, tile.glass - glass_of(state, seat))


@njit(forceinline=True)
def lacking_steps(state, seat, tile):
    """Return how many steps of food and labour a player lacks for the icons of a construction tile."""
    return max(0, tile.food - state.food[seat]) + max(0, tile.labour - state.labour[seat])


@njit
def tell_building(components, state, seat, side):
    """Tell which construction tiles a player can complete, and what is missing for the one that suits best."""
    purse, goal = state.purse[seat] + piece(WOOD, int(side.wood)), -1
    side.hope = side.second = FAR
    side.reach = side.hand_pips + side.lie_pips[QUARRY]
    for i in range(components.construction.on_show):
        if state.site[i] != NONE:
            tile = components.construction.tiles[state.site[i]]
            short = missing_pips(purse, tile.goods, rates_of(components))
            steps = max(0.0, tile.steps - state.construction[seat] - side.slot_steps)
            icons, tracks = lacking_icons(state, seat, tile), lacking_steps(state, seat, tile)
            if short + icons + tracks == 0 and tile.steps <= state.construction[seat]:
                side.ready += 1
                side.ready_vp = max(side.ready_vp, tile.vp)
            worth = tile.vp - tracks - (tile.stonework + tile.glass) - 0.3 * tile.labour - 0.1 * tile.food
            worth -= 0.5 * short + max(0.0, short - side.reach) + 0.5 * steps + icons
            if worth > side.hope:
                side.second, side.hope, goal = side.hope, worth, i
            else:
                side.second = max(side.second, worth)
    if goal >= 0:
        tell_goal(components, state, seat, components.construction.tiles[state.site[goal]], side)


@njit
def tell_goal(components, state, seat, tile, side):
    """Tell what is missing for the construction tile that suits best."""
    purse, own = state.purse[seat], building_key(components, state, seat)
    side.goal_vp, side.goal_pips = tile.vp, missing_pips(purse, tile.goods, rates_of(components))
    side.goal_icons, side.goal_tracks = lacking_icons(state, seat, tile), lacking_steps(state, seat, tile)
    side.goal_steps = max(0, tile.steps - state.construction[seat])
    for material in range(len(MATERIALS)):
        side.goal_short[material] = max(0, amount(tile.goods, material) - amount(purse, material))
    side.goal_lacking = max(0.0, side.goal_short[LINTEL] - state.lintels)
    side.goal_lacking += max(0.0, side.goal_short[COLUMN] - state.columns)
    for other in range(state.players):
        if other != seat and building_key(components, state, other) < own:
            side.goal_rivals += 1.0 / (1.0 + missing_pips(state.purse[other], tile.goods, rates_of(components)))


@njit
def tell_hand(state, seat, table):
    """Tell which dice a player has in hand."""
    for i in range(state.in_hand[seat]):
        key = key_at(state.hand[seat], i)
        if is_worker(key):
            table.workers[pips(key)] += 1
        else:
            table.masters[pips(key)] += 1


@njit
def tell_display(components, state, seat, table):
    """Tell what is on show and what is gone."""
    held = tiles_held(state, seat)
    for area in range(len(AREAS)):
        table.dice[area] = state.dice[area]
    for i in range(components.crane.n_steps):
        if state.crane[i] != NONE:
            table.tiles[0] += 1
            table.slot_points[i] = gain_of(components, held, int(state.crane[i]))
    for i in range(components.window.n_pips):
        if state.window[i] != NONE:
            table.tiles[1] += 1
            table.glass_points[i] = gain_of(components, held, int(state.window[i]))
    for i in range(components.village.on_show):
        table.tiles[2] += state.village[i] != NONE
    for king in range(len(KINGS)):
        table.kings[king] = state.taken >> king & 1
    table.lintels, table.columns = state.lintels, state.columns


@njit
def tell_position(components, state, inputs):
    """Tell a position as the player sees it who is asked; arguments: see `strategies._network.Features`."""
    inputs[:] = 0.0
    seat, best = state.player, -1 << 30
    mine, others = side_at(inputs[:SIDES]), side_at(inputs[SIDES : 2 * SIDES])
    table = table_at(inputs[2 * SIDES :])
    tell_order(components, state, mine, others)
    for other in range(state.players):
        tell_stores(components, state, other, mine if other == seat else others)
        table.hands += state.in_hand[other]
        if other != seat:
            best = max(best, state.score[other])
    table.lead = state.score[seat] - best if state.players > 1 else state.score[seat]
    table.this_round[state.this_round], table.asks[state.asks] = 1, 1
    tell_display(components, state, seat, table)
    if turns.PLACE <= state.phase <= turns.UNUSED:
        tell_dice(components, state, mine, others, table)
        tell_hand(state, seat, table)
        tell_window(components, state, seat, mine)
    tell_village(components, state, seat, mine)
    tell_building(components, state, seat, mine)
    if state.players > 2:
        part = 1.0 / (state.players - 1)
        for i in range(SIDES, 2 * SIDES):
            inputs[i] *= part
