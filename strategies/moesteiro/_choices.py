"""What a network is told of an option of Moesteiro: what it brings, in the position that `_features` tells."""

import numpy as np
from numba import njit

from sim.compiled import record_view
from sim.moesteiro import ask
from sim.moesteiro.building import can_complete
from sim.moesteiro.dice import LONGEST, is_worker, owner_at, pips
from sim.moesteiro.purse import COLUMN, LINTEL, MATERIALS, STONE, WOOD, amount, can_pay, common, piece, pieces, worth_at
from sim.moesteiro.state import AREAS, BONUSES, CRANE, FOREST, NONE, QUARRY, WINDOW
from strategies.moesteiro._features import FACES, NUMBER, SIDES, side_at, table_at
from strategies.moesteiro._worth import rates_of

# An option. Where it says "short": as far as the goal lacks it.
CHOICE = np.dtype(
    [
        # A die placed in an area, or each of these 0.
        ("area", NUMBER, (len(AREAS),)),
        ("pips", NUMBER, (len(AREAS),)),
        ("shows", NUMBER, (len(AREAS), FACES)),  # 1 for its pips …
        ("lies", NUMBER, (len(AREAS), LONGEST)),  # … and its place
        ("worker", NUMBER),
        ("ahead", NUMBER, (len(AREAS),)),  # dice to its left
        ("pushes_own", NUMBER, (len(AREAS),)),  # dice to its right
        ("pushes", NUMBER, (len(AREAS),)),
        ("wood", NUMBER),
        ("wood_short", NUMBER),
        ("slot_steps", NUMBER),  # on the crane, where it lies now
        ("slot_short", NUMBER),
        ("slot_tile", NUMBER),
        ("slot_points", NUMBER),
        ("slot_last", NUMBER),
        ("glass_reached", NUMBER),
        ("glass_points", NUMBER),  # of the best
        ("houses", NUMBER),  # village tiles that it reaches and the player can pay
        ("quarry_short", NUMBER),  # pips
        # A King.
        ("number", NUMBER),
        ("builds_first", NUMBER),
        ("labour", NUMBER),
        ("vp", NUMBER),
        ("stone", NUMBER),
        ("gift", NUMBER),
        ("construction", NUMBER),
        ("king_short", NUMBER),  # pieces
        ("steps_short", NUMBER),
        # An action in the quarry.
        ("acts", NUMBER),
        ("taken", NUMBER, (len(MATERIALS),)),
        ("taken_short", NUMBER),  # pips
        ("bought", NUMBER),
        ("left", NUMBER),
        # A construction tile.
        ("builds", NUMBER),
        ("done", NUMBER),
        ("done_vp", NUMBER),
        ("unfinished", NUMBER),  # pieces on a tile that stays incomplete
        ("paid", NUMBER),  # pips that the pieces cost
        ("steps", NUMBER),
        ("icons", NUMBER, (3,)),  # tiles, labour, food
        ("denied", NUMBER),  # players who build later and could complete it
        # A space of the village.
        ("space_vp", NUMBER),
        ("bonus", NUMBER, (len(BONUSES),)),
    ],
    align=True,
)
TELLS = ask.KING, ask.PLACE, ask.SPACE, ask.QUARRY, ask.BUILD  # kinds of decisions

CHOICES = CHOICE.itemsize // 8
choice_at = record_view(np.dtype((np.record, CHOICE)))


@njit
def tell_placing(components, state, option, side, table, choice):
    """Tell what a die would find in an area."""
    area, space, seat = int(option.thing), int(option.space), state.player
    if not option.act:
        return
    die = pips(int(option.die))
    choice.area[area], choice.pips[area], choice.worker = 1, die, is_worker(int(option.die))
    choice.shows[area, die] = choice.lies[area, space] = 1
    choice.ahead[area] = space
    for place in range(space, state.dice[area]):
        if owner_at(state.row[area], place) == seat:
            choice.pushes_own[area] += 1
        else:
            choice.pushes[area] += 1
    if area == FOREST:
        near = space < components.forest.near_spaces
        choice.wood = die / (components.forest.near_pips if near else components.forest.far_pips)
        choice.wood_short = min(choice.wood, max(0.0, side.goal_short[WOOD] - side.wood))
    elif area == QUARRY:
        choice.quarry_short = min(die, max(0.0, side.goal_pips - side.goal_short[WOOD] - side.lie_pips[QUARRY]))
    elif area == CRANE:
        choice.slot_steps = components.crane.steps[space]
        choice.slot_short = min(choice.slot_steps, max(0.0, side.goal_steps - side.slot_steps))
        choice.slot_last = space == components.crane.n_steps - 1
        choice.slot_tile, choice.slot_points = state.crane[space] != NONE, table.slot_points[space]
    elif area == WINDOW:
        for i in range(components.window.n_pips):
            if state.window[i] != NONE and components.window.pips[i] <= die:
                choice.glass_reached += 1
                choice.glass_points = max(choice.glass_points, table.glass_points[i])
    else:
        purse = state.purse[seat] + piece(WOOD, int(side.wood))
        for i in range(components.village.on_show):
            if state.village[i] != NONE:
                tile = components.village.tiles[state.village[i]]
                choice.houses += tile.pips <= die and can_pay(purse, tile.goods)


@njit
def tell_king(components, option, side, choice):
    """Tell what a King gives."""
    power = components.kings[int(option.thing)]
    choice.number, choice.builds_first = power.number, power.builds_first
    choice.labour, choice.vp = power.labour, power.vp
    choice.stone, choice.gift, choice.construction = power.stone, power.gift, power.construction
    choice.king_short = min(power.stone, side.goal_short[STONE])
    choice.king_short += min(power.gift, side.goal_short[LINTEL] + side.goal_short[COLUMN])
    choice.steps_short = min(power.construction, side.goal_steps)


@njit
def tell_quarry(components, option, side, choice):
    """Tell what a die takes in the quarry and what that costs."""
    choice.acts, choice.bought, choice.left = option.act, int(option.bought), int(option.left)
    for material in range(STONE, len(MATERIALS)):
        taken = amount(option.goods, material)
        choice.taken[material] = taken
        choice.taken_short += components.quarry.pips[material] * min(taken, side.goal_short[material])


@njit
def tell_built(components, state, option, choice):
    """Tell what building on a construction tile brings and takes."""
    if not option.act:
        return
    tile, seat = components.construction.tiles[int(option.thing)], state.player
    choice.builds, choice.paid, choice.steps = 1, worth_at(option.goods, rates_of(components)), tile.steps
    if option.goods == tile.goods and can_complete(state, seat, tile):
        choice.done, choice.done_vp = 1, tile.vp
        choice.icons[0], choice.icons[1], choice.icons[2] = tile.stonework + tile.glass, tile.labour, tile.food
    else:
        choice.unfinished = pieces(option.goods)
    for turn in range(state.turn + 1, state.players):
        other = state.order[turn]
        paid = common(state.purse[other], tile.goods) == tile.goods
        choice.denied += paid and can_complete(state, other, tile)


@njit
def tell_option(components, state, inputs, option, numbers):
    """Tell what an option brings; arguments: see `strategies._network.Features`."""
    numbers[:] = 0.0
    choice, side, asks = choice_at(numbers), side_at(inputs[:SIDES]), state.asks
    if asks == ask.PLACE:
        tell_placing(components, state, option, side, table_at(inputs[2 * SIDES :]), choice)
    elif asks == ask.KING:
        tell_king(components, option, side, choice)
    elif asks == ask.BUILD:
        tell_built(components, state, option, choice)
    elif asks == ask.SPACE:
        printed = components.village.space[int(option.space)]
        choice.space_vp, choice.bonus[printed.bonus] = printed.vp, 1
    else:
        tell_quarry(components, option, side, choice)
