"""What a network is told: about a position, each number as a player sees it, the player's own first, then the means of
all others, then what lies on the table; and about each option, what it brings.

All that a component file can change stands here as what it does (points, beans, squares), not as which card it is: so a
changed number reaches the network.
"""

import numpy as np
from numba import njit

from sim.abbates import ask, turns
from sim.abbates.abbots import highest, in_hand, lowest, meets, own_in_room
from sim.abbates.garden import beans_of, kind_of, line_of
from sim.abbates.scoring import LANE, line_points
from sim.abbates.state import (
    BENEDICT,
    EFFECTS,
    GARDEN_PHASES,
    HIGHEST,
    KINDS,
    NO_EFFECT,
    NONE,
    PHASES,
    REFILL,
    REMOVED,
    ROUNDS,
    SIDE,
    VALUES,
)
from sim.compiled import count_ones, on_stack, record_view
from strategies.abbates._portrait import (
    empty_squares,
    mean_beans,
    mean_white,
    phases_left,
    squares_of,
    wins_left,
)
from strategies.abbates._worth import best_count, lines_gain, with_card

NUMBER = np.float64

# A player.
PLAYER = np.dtype(
    [
        ("garden", NUMBER),  # points of the garden cards on the portrait
        ("lines", NUMBER),  # points of its rows and columns, where they count
        ("kinds", NUMBER, (len(KINDS),)),  # cards of each kind, the dearest first
        ("empty", NUMBER),  # squares
        ("lead", NUMBER),  # of the abbot before the general
        ("ends", NUMBER),  # the same as it is likely to be at the end
        ("off", NUMBER),  # how far that is from 0
        ("corners", NUMBER),  # points
        ("benedicts", NUMBER),
        ("hand", NUMBER),  # cards
        ("holds", NUMBER, (VALUES,)),  # 1 for each value in hand
        ("lost", NUMBER),  # cards on the own discard pile
        ("back", NUMBER),  # value of the one that would come back
        ("room", NUMBER),  # own cards in the Chapter Room
        ("pawn", NUMBER),  # conditions met in this round
        ("gone", NUMBER),  # 1 if one was not met
        ("played", NUMBER),  # value of the card of this phase
        ("starts", NUMBER),  # 1 for who starts
        ("takes", NUMBER),  # 1 for who is still to take a garden card
        ("turn", NUMBER),  # how many take before
    ],
    align=True,
)

# What only the player knows, and what lies on the table.
TABLE = np.dtype(
    [
        ("lead", NUMBER),  # own points less the most of the others, of what all can see
        ("this_round", NUMBER, (ROUNDS,)),
        ("phase", NUMBER, (PHASES,)),
        ("asks", NUMBER, (len(ask.ASKS),)),
        ("later", NUMBER),  # players who play a card of this phase later
        ("highest", NUMBER),  # value on the table
        ("effect", NUMBER, (len(EFFECTS),)),  # of the arcade card of the phase
        ("left", NUMBER),  # garden cards to come for each
        ("wins", NUMBER),  # phases to come in which the general moves
        ("corner", NUMBER, (2,)),  # points of the corner card of the round, and for each own card
        ("mission", NUMBER),  # points of the purple area
        ("halves", NUMBER),
        ("missing", NUMBER, (3,)),  # squares that each area of the mission lacks
        ("purple", NUMBER),  # squares of the purple area
        ("wrong", NUMBER, (3,)),  # squares of each area that hold another kind than most of them
        ("done", NUMBER),  # the points, if the area is filled
        ("halved", NUMBER),  # minus points spared so, as it is likely to end
        ("own", NUMBER),  # cards of the kind of the starting card
        ("line", NUMBER, (SIDE, 2)),  # points and beans of each card in the line of the phase
        ("lies", NUMBER, (SIDE,)),  # 1 for each that lies there
        ("best", NUMBER),  # most points of them
        ("kinds", NUMBER, (len(KINDS),)),  # cards of each kind there, the dearest first
        ("wanted", NUMBER),  # cards there of the kind that the purple area holds most of
        ("refill", NUMBER, (REFILL, 2)),  # points and beans of the replenishment row
        ("beans", NUMBER),  # mean of those in the line
    ],
    align=True,
)

# An option.
CHOICE = np.dtype(
    [
        # An abbot card.
        ("value", NUMBER),
        ("is_value", NUMBER, (VALUES,)),
        ("higher", NUMBER),  # cards on the table that beat it
        ("lower", NUMBER),
        ("stays", NUMBER),  # chance that nobody who plays later beats it, all their cards alike likely
        ("first", NUMBER),  # the same, if no card on the table beats it
        ("meets", NUMBER),  # 1 if it meets a condition that still counts
        ("white", NUMBER),
        ("above", NUMBER),  # own cards in hand that are higher
        # A garden card on a square of the portrait, or a card of it that moves.
        ("acts", NUMBER),
        ("points", NUMBER),
        ("covered", NUMBER),  # points of the card that is covered
        ("fills", NUMBER),  # 1 for an empty square
        ("beans", NUMBER),  # more than before
        ("off", NUMBER),  # by how much abbot and general are likely to end further apart
        ("lines", NUMBER),  # points of row and column more
        ("areas", NUMBER, (3,)),  # squares that each area of the mission lacks less
        ("done", NUMBER),  # points of the purple area, if it is filled so
        ("own", NUMBER),  # 1 more card of the kind of the starting card
        # A card removed from the Chapter Room.
        ("back", NUMBER),  # white beans
        ("mine", NUMBER),
    ],
    align=True,
)
# Kinds of decisions.
TELLS = ask.ABBOT, ask.SWAP, ask.MOVE, ask.REMOVE, ask.TAKE, ask.BLIND

PLAYERS = PLAYER.itemsize // 8
INPUTS, CHOICES = 2 * PLAYERS + TABLE.itemsize // 8, CHOICE.itemsize // 8
choice_at = record_view(np.dtype((np.record, CHOICE)))
player_at, table_at = record_view(np.dtype((np.record, PLAYER))), record_view(np.dtype((np.record, TABLE)))
one_player = on_stack(np.dtype(np.float64), PLAYERS)


@njit(forceinline=True)
def dearer(state, kind):
    """Return how many kinds bring more points than a kind; of equals the first is the dearer."""
    place = 0
    for other in range(len(KINDS)):
        more = state.vp_of[other] > state.vp_of[kind] or (state.vp_of[other] == state.vp_of[kind] and other < kind)
        place += other != kind and more
    return place


@njit
def tell_portrait(components, state, seat, sets, player):
    """Tell what lies on a portrait, and where abbot and general are likely to end."""
    for kind in range(len(KINDS)):
        cards = count_ones(sets >> LANE * kind & (1 << LANE) - 1)
        player.garden += state.vp_of[kind] * cards
        player.kinds[dearer(state, kind)] = cards
    if not components.rules.points_card:
        for line in range(2 * SIDE):
            player.lines += line_points(components, state.portrait[seat], line)
    player.empty, player.lead = empty_squares(sets), state.abbot[seat] - state.general
    fill = player.empty * mean_beans(components) if phases_left(state) > 0 else player.empty
    player.ends = player.lead + fill - wins_left(state) * mean_white(components)
    player.off = abs(player.ends)


@njit
def tell_cards(components, state, seat, player):
    """Tell of a player's abbot cards: in hand, lost, in the Chapter Room, and played in this phase."""
    hand, lost = in_hand(state, seat), state.lost[seat] | (state.lost_benedicts[seat] > 0) << BENEDICT
    player.corners, player.benedicts = state.corner_vp[seat], state.benedicts[seat]
    player.hand, player.lost, player.room = count_ones(hand), count_ones(lost), own_in_room(state, seat)
    for value in range(1, VALUES):
        player.holds[value] = hand >> value & 1
    if lost:
        from_top = components.corners[state.this_round].returns == HIGHEST
        player.back = highest(lost) if from_top else lowest(lost)
    player.gone, player.pawn = state.met[seat] == REMOVED, max(0, state.met[seat])
    player.starts = state.starting == seat
    if state.played[seat] != NONE:
        player.played = state.played[seat]


@njit
def tell_turn(state, seat, player):
    """Tell whether a player still takes a garden card in this phase, and after how many others."""
    if turns.PLACES <= state.stage <= turns.TAKE and state.this_phase < GARDEN_PHASES:
        first = state.turn if state.stage == turns.TAKE else 0
        for turn in range(first, state.sitting):
            if state.ranking[turn] == seat:
                player.takes, player.turn = 1, turn - first


@njit
def tell_player(components, state, seat, numbers):
    """Tell all that everybody sees of a player; numbers: those of a PLAYER, overwritten. Return its visible points."""
    numbers[:] = 0.0
    player = player_at(numbers)
    tell_portrait(components, state, seat, squares_of(state, seat), player)
    tell_cards(components, state, seat, player)
    tell_turn(state, seat, player)
    vp = components.benedicts.vp
    return player.garden + player.lines + player.corners + vp * player.benedicts - player.off


@njit
def tell_mission(components, state, seat, sets, off, table):
    """Tell how far the player's own mission is filled."""
    if state.starting_card[seat] != NONE:
        own = kind_of(int(state.starting_card[seat]))
        table.own = count_ones(sets >> LANE * own & (1 << LANE) - 1)
    if state.mission[seat] == NONE:
        return
    mission, lacking = components.missions[int(state.mission[seat])], 0
    laid = sets | sets >> LANE | sets >> 2 * LANE
    for area in range(len(table.missing)):
        squares = mission.areas[area]
        most, size, filled = best_count(sets, squares), count_ones(squares), count_ones(laid & squares)
        table.missing[area], table.wrong[area] = size - most, filled - most
        lacking += size - most
    table.mission, table.halves = mission.vp, mission.halves
    table.purple = count_ones(mission.areas[0])
    table.done = mission.vp if table.missing[0] == 0 else 0
    table.halved = 0.5 * off if mission.halves and lacking == 0 else 0.0


@njit
def tell_garden(components, state, seat, sets, table):
    """Tell which garden cards can be taken."""
    if state.this_phase < GARDEN_PHASES:
        line, lie, wanted = components.line[line_of(state)], 0, 0
        if state.mission[seat] != NONE:
            purple = components.missions[int(state.mission[seat])].areas[0]
            for kind in range(1, len(KINDS)):
                more = count_ones(sets >> LANE * kind & purple) > count_ones(sets >> LANE * wanted & purple)
                wanted = kind if more else wanted
        for i in range(SIDE):
            card = int(state.garden[line[i]])
            if card != NONE:
                kind = kind_of(card)
                table.lies[i], table.line[i, 0], table.line[i, 1] = 1, state.vp_of[kind], beans_of(card)
                table.best = max(table.best, state.vp_of[kind])
                table.kinds[dearer(state, kind)] += 1
                table.wanted += kind == wanted
                table.beans, lie = table.beans + beans_of(card), lie + 1
        table.beans /= max(1, lie)
    for i in range(REFILL):
        card = int(state.refill[i])
        if card != NONE:
            table.refill[i, 0], table.refill[i, 1] = state.vp_of[kind_of(card)], beans_of(card)


@njit
def tell_phase(components, state, table):
    """Tell where the game stands."""
    table.this_round[state.this_round], table.phase[state.this_phase], table.asks[state.asks] = 1, 1, 1
    garden = state.this_phase < GARDEN_PHASES
    table.effect[int(state.arcade[line_of(state)]) if garden else NO_EFFECT] = 1
    table.left, table.wins = phases_left(state), wins_left(state)
    corner = components.corners[state.this_round]
    table.corner[0], table.corner[1] = corner.vp, corner.per_card
    if state.asks == ask.ABBOT:
        table.later = state.sitting - 1 - state.turn
        for other in range(state.sitting):
            table.highest = max(table.highest, state.played[other] if state.played[other] != NONE else 0)


@njit
def tell_position(components, state, inputs):
    """Tell a position as the player sees it who is asked; arguments: see `strategies._network.Features`."""
    seat, numbers, others, best = state.player, one_player(), inputs[PLAYERS : 2 * PLAYERS], -np.inf
    inputs[PLAYERS:] = 0.0
    mine = tell_player(components, state, seat, inputs[:PLAYERS])
    for other in range(state.players):
        if other != seat:
            best = max(best, tell_player(components, state, other, numbers))
            for i in range(PLAYERS):
                others[i] += numbers[i]
    if state.players > 2:
        part = 1.0 / (state.players - 1)
        for i in range(PLAYERS):
            others[i] *= part
    table, sets = table_at(inputs[2 * PLAYERS :]), squares_of(state, seat)
    table.lead = mine - best if state.players > 1 else mine
    tell_phase(components, state, table)
    tell_mission(components, state, seat, sets, player_at(inputs[:PLAYERS]).off, table)
    tell_garden(components, state, seat, sets, table)


@njit
def tell_abbot(components, state, value, choice):
    """Tell what an abbot card can do."""
    seat, choice.value, choice.is_value[value] = state.player, value, 1
    choice.stays = 1.0
    for other in range(state.sitting):
        if other != seat and state.played[other] != NONE:
            choice.higher += state.played[other] >= value
            choice.lower += state.played[other] < value
        elif other != seat:
            cards = in_hand(state, other)
            choice.stays *= 1.0 - count_ones(cards >> value + 1) / max(1, count_ones(cards))
    choice.first = choice.stays if choice.higher == 0 else 0.0
    choice.meets = state.met[seat] != REMOVED and meets(components, state, value)
    choice.white, choice.above = components.abbots.white[value - 1], count_ones(in_hand(state, seat) >> value + 1)


@njit(forceinline=True)
def lacking(mission, sets, area):
    """Return how many squares an area of a mission lacks."""
    return count_ones(mission.areas[area]) - best_count(sets, mission.areas[area])


@njit
def tell_laid(components, state, inputs, kind, beans, square, choice):
    """Tell what a garden card on a square of the portrait changes."""
    seat = state.player
    covered, sets, ends = int(state.portrait[seat, square]), squares_of(state, seat), player_at(inputs[:PLAYERS]).ends
    after = with_card(sets, kind, square)
    choice.acts, choice.points, choice.beans = 1, state.vp_of[kind], beans
    end = ends + beans
    if covered == NONE:
        choice.fills, end = 1, end - mean_beans(components)
    else:
        choice.covered = state.vp_of[kind_of(covered)]
        choice.beans -= beans_of(covered)
        end -= beans_of(covered)
    choice.off = abs(end) - abs(ends)
    if not components.rules.points_card:
        choice.lines = lines_gain(components, sets, after, square)
    if state.starting_card[seat] != NONE:
        own = kind_of(int(state.starting_card[seat]))
        choice.own = 1.0 * (kind == own) - (covered != NONE and kind_of(covered) == own)
    tell_areas(components, state, sets, after, choice)


@njit
def tell_areas(components, state, before, after, choice):
    """Tell what another portrait means for the mission."""
    if state.mission[state.player] != NONE:
        mission = components.missions[int(state.mission[state.player])]
        for area in range(len(choice.areas)):
            choice.areas[area] = lacking(mission, before, area) - lacking(mission, after, area)
        choice.done = mission.vp if lacking(mission, after, 0) == 0 else 0


@njit
def tell_option(components, state, inputs, option, numbers):
    """Tell what an option brings; arguments: see `strategies._network.Features`."""
    numbers[:] = 0.0
    choice, asks, thing, square = choice_at(numbers), state.asks, int(option.thing), int(option.square)
    if asks == ask.ABBOT:
        tell_abbot(components, state, thing, choice)
    elif asks == ask.TAKE or asks == ask.BLIND or (asks == ask.SWAP and option.act):
        tell_laid(components, state, inputs, kind_of(thing), beans_of(thing), square, choice)
    elif asks == ask.MOVE and option.act:
        seat, other = state.player, int(option.other)
        sets, choice.acts = squares_of(state, state.player), 1
        half = with_card(sets, kind_of(int(state.portrait[seat, other])), square)
        after = with_card(half, kind_of(int(state.portrait[seat, square])), other)
        tell_areas(components, state, sets, after, choice)
        if not components.rules.points_card:
            choice.lines = lines_gain(components, sets, half, square) + lines_gain(components, half, after, other)
    elif asks == ask.REMOVE and option.act:
        choice.acts, choice.back = 1, components.abbots.white[thing - 1]
        choice.mine = int(option.other) == state.player
