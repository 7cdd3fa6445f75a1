"""Take what brings most points now; play the cheapest card that is likely to win a phase worth winning.

From: the usual first opponent of a game designer; written for this project, its prices found by play against the plans.
"""

import numpy as np
from numba import njit

from sim.abbates import ask
from sim.abbates.abbots import in_hand, meets, own_in_room
from sim.abbates.garden import beans_of, kind_of
from sim.abbates.state import AREAS, GARDEN_PHASES, MOST_OPTIONS, NONE, OPTION, PHASES, ROUNDS, SIDE
from sim.compiled import count_ones, record_view
from strategies.abbates._portrait import LAST, WIDTH, empty_squares, mean_beans, mean_white, phases_left, squares_of

WEIGHTS = {
    "win": 2.0,  # points that the first choice of a garden card counts for
    "value": 0.2,  # what a card of the hand is kept for, for each unit of its value
    "met": 0.6,  # a condition met, for each phase of the round so far
    "fit": 0.6,  # a card in an area of the mission, for each other card of its kind there; as much less for each one of another kind
    "step": 0.6,  # a step between abbot and general, as the game is likely to end
    "white": 1.3,  # white beans on the card that wins a phase, as a multiple of their mean
}
PRICES = np.dtype((np.record, np.dtype([(name, np.float64) for name in WEIGHTS])))
prices = record_view(PRICES)
offered = record_view(np.dtype((np.record, np.dtype([("option", OPTION, (MOST_OPTIONS,))]))))
NEVER = -1e9  # worth of what can't be had


@njit(forceinline=True)
def lead_of(components, state, seat, empty, weights):
    """Return by how much the abbot is likely to end before the general, if all empty squares are filled."""
    general = state.general + phases_left(state) * weights.white * mean_white(components)
    return state.abbot[seat] + empty * mean_beans(components) - general


@njit(forceinline=True)
def worth_at(components, state, seat, sets, weights, card, square):
    """Return the points of a card on a square, and how it fits with the other cards of the area there."""
    kind, worth = kind_of(card), state.vp_of[kind_of(card)] + 0.0
    if not components.points_card:
        worth += line_worth(components, sets, kind, square)
    if state.mission[seat] != NONE:
        mission = components.mission[int(state.mission[seat])]
        for area in range(AREAS):
            if mission.area[area] >> square & 1:
                others = mission.area[area] & ~(1 << square)
                same = count_ones(sets >> WIDTH * kind & others)
                worth += weights.fit * (2 * same - count_ones(sets >> LAST & others))
    return worth


@njit(forceinline=True)
def line_worth(components, sets, kind, square):
    """Return the points by which a card is better than none in its row and its column, half of what a third card may bring."""
    row, column = 7 << square // SIDE * SIDE, 73 << square % SIDE
    own = sets >> WIDTH * kind & ~(1 << square)
    pair, triple = components.line_vp[1], components.line_vp[0]
    worth = 0.0
    for line in (row, column):
        same = count_ones(own & line)
        worth += triple - pair if same == 2 else pair if same == 1 else 0.5 * components.line_vp[2]
    return worth


@njit(forceinline=True)
def best_square(components, state, offers, n, weights):
    """Return which card to take and where to put it: its points, less those of the card beneath, and the steps to the general."""
    seat, sets = state.player, squares_of(state, state.player)
    empty = empty_squares(sets)
    lead, fill = lead_of(components, state, seat, empty, weights), mean_beans(components)
    best, most = 0, NEVER
    for i in range(n):
        option = offers.option[i]
        card, square = int(option.thing), int(option.square)
        covered = int(state.portrait[seat, square])
        worth, at = worth_at(components, state, seat, sets, weights, card, square), lead + beans_of(card)
        if covered != NONE:
            worth -= worth_at(components, state, seat, sets, weights, covered, square)
            at -= beans_of(covered)
        else:
            at -= fill
        worth -= weights.step * abs(at)
        if worth > most:
            best, most = i, worth
    return best


@njit(forceinline=True)
def best_card(components, state, offers, n, weights):
    """Return the card of the hand with the best chance to win what the phase is worth, less what it is kept for."""
    seat, highest, me = state.player, 0, state.turn
    for other in range(state.sitting):
        highest = max(highest, state.played[other] if state.played[other] != NONE else 0)
    # Hands of the up to three who play later: the share of their cards below one's own is taken as the chance to beat them.
    first, second, third = 0, 0, 0
    if me + 1 < state.sitting:
        first = in_hand(state, (seat + 1) % state.sitting)
    if me + 2 < state.sitting:
        second = in_hand(state, (seat + 2) % state.sitting)
    if me + 3 < state.sitting:
        third = in_hand(state, (seat + 3) % state.sitting)
    one, two, three = count_ones(first), count_ones(second), count_ones(third)
    prize = weights.win
    if state.this_phase == GARDEN_PHASES:
        corner = components.corner[state.this_round]
        prize = corner.vp + corner.per_card * components.benedict_vp * (1.0 + own_in_room(state, seat))
    prize /= max(1, one) * max(1, two) * max(1, three)
    last = state.this_round == ROUNDS - 1 and state.this_phase == PHASES - 1
    price = 0.0 if last else weights.value
    met = weights.met * (state.this_phase + 1) if state.met[seat] >= 0 else 0.0
    best, most = 0, NEVER
    for i in range(n):
        value = int(offers.option[i].thing)
        worth = -price * value
        if meets(components, state, value):
            worth += met
        if value > highest:
            below = (1 << value) - 1
            beaten = max(count_ones(first & below), one == 0) * max(count_ones(second & below), two == 0)
            worth += prize * beaten * max(count_ones(third & below), three == 0)
        if worth > most:
            best, most = i, worth
    return best


@njit
def best_of_line(state, line):
    """Return the most points of a card in a row or column of the garden."""
    most = 0
    for i in range(SIDE):
        card = int(state.garden[line[i]])
        most = max(most, state.vp_of[kind_of(card)] if card != NONE else 0)
    return most


@njit
def moved_worth(components, state, seat, sets, weights, square, other):
    """Return the worth of two cards of the portrait in each other's place, less that of both where they are."""
    one, two = int(state.portrait[seat, square]), int(state.portrait[seat, other])
    worth = worth_at(components, state, seat, sets, weights, one, other) + worth_at(components, state, seat, sets, weights, two, square)
    worth -= worth_at(components, state, seat, sets, weights, one, square)
    return worth - worth_at(components, state, seat, sets, weights, two, other)


@njit
def option_worth(components, state, sets, lead, weights, option):
    """Return the worth of an option of the rarer kinds of decisions; to pass is worth nothing."""
    seat, asks, thing, square, other = state.player, state.asks, int(option.thing), int(option.square), int(option.other)
    if asks == ask.MISSION:
        mission, squares = components.mission[thing], 0
        for area in range(AREAS):
            squares += count_ones(mission.area[area])
        return mission.vp + mission.halves - squares
    if not option.act:
        return 0
    if asks == ask.SWAP:
        covered = int(state.portrait[seat, square])
        worth = worth_at(components, state, seat, sets, weights, thing, square)
        worth -= worth_at(components, state, seat, sets, weights, covered, square)
        return worth + weights.step * (abs(lead) - abs(lead + beans_of(thing) - beans_of(covered)))
    if asks == ask.EXCHANGE:
        return state.vp_of[kind_of(thing)] - state.vp_of[kind_of(state.garden[square])]
    if asks == ask.MOVE:
        return moved_worth(components, state, seat, sets, weights, square, other)
    if asks == ask.LINE:
        here = state.this_round * SIDE + min(state.this_phase, SIDE - 1)
        return best_of_line(state, components.line[other]) - best_of_line(state, components.line[here])
    if asks == ask.REMOVE:
        return weights.step * (abs(lead) - abs(lead + components.white[thing])) + (0.1 if other != seat else -0.1)
    return 0


@njit
def best_other(components, state, offers, n, weights):
    """Return the best option of the rarer kinds of decisions, of equals the first."""
    seat, sets = state.player, squares_of(state, state.player)
    lead = lead_of(components, state, seat, empty_squares(sets), weights)
    best, most = 0, NEVER
    for i in range(n):
        worth = option_worth(components, state, sets, lead, weights, offers.option[i])
        if worth > most:
            best, most = i, worth
    return best


def choose(components, state, options, n, weights):
    """Return the index of the option that is worth most; of equals the first."""
    offers, weights, asks = offered(options), prices(weights), state.asks
    if asks == ask.ABBOT:
        return best_card(components, state, offers, n, weights)
    if asks in (ask.TAKE, ask.BLIND):
        return best_square(components, state, offers, n, weights)
    return best_other(components, state, offers, n, weights)
