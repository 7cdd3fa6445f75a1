"""Take what brings most points now; play the cheapest card that is likely to win a phase worth winning.

From: the usual first opponent of a game designer; written for this project, its prices found by play against the plans.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from sim.abbates import ask
from sim.abbates.abbots import meets, own_in_room
from sim.abbates.garden import beans_of, kind_of
from sim.abbates.scoring import LANE
from sim.abbates.state import AREAS, GARDEN_PHASES, MOST_OPTIONS, NONE, OPTION, PHASES, ROUNDS, SIDE
from sim.compiled import count_ones, record_view
from strategies._best import best_of
from strategies.abbates._cards import later_hands
from strategies.abbates._portrait import LAST, empty_squares, mean_beans, mean_white, phases_left, squares_of

WEIGHTS = {
    "win": 2.0,  # points that the first choice of a garden card counts for
    "value": 0.2,  # what a card of the hand is kept for, for each unit of its value
    "met": 0.6,  # a condition met, for each phase of the round so far
    # a card in an area of the mission, for each other card of its kind there; as much less for each one of another kind
    "fit": 0.6,
    "step": 0.6,  # a step between abbot and general, as the game is likely to end
    "white": 1.3,  # white beans on the card that wins a phase, as a multiple of their mean
}
PRICES = np.dtype((np.record, np.dtype([(name, np.float64) for name in WEIGHTS])))
prices = record_view(PRICES)
offered = record_view(np.dtype((np.record, np.dtype([("option", OPTION, (MOST_OPTIONS,))]))))


@njit(forceinline=True)
def lead_of(components, state, seat, empty, weights):
    """Return by how much the abbot is likely to end before the general, if all empty squares are filled."""
    general = state.general + phases_left(state) * weights.white * mean_white(components)
    return state.abbot[seat] + empty * mean_beans(components) - general


@njit(forceinline=True)
def worth_at(components, state, seat, sets, weights, card, square):
    """Return the points of a card on a square, and how it fits with the other cards of the area there."""
    kind, worth = kind_of(card), state.vp_of[kind_of(card)] + 0.0
    if not components.rules.points_card:
        worth += line_worth(components, sets, kind, square)
    if state.mission[seat] != NONE:
        mission = components.missions[int(state.mission[seat])]
        for area in range(AREAS):
            if mission.areas[area] >> square & 1:
                others = mission.areas[area] & ~(1 << square)
                same = count_ones(sets >> LANE * kind & others)
                worth += weights.fit * (2 * same - count_ones(sets >> LAST & others))
    return worth


@njit(forceinline=True)
def line_worth(components, sets, kind, square):
    """Return the points by which a card is better than none in its row and its column, half of what a third card may
    bring."""
    row, column = 7 << square // SIDE * SIDE, 73 << square % SIDE
    own = sets >> LANE * kind & ~(1 << square)
    pair, triple = components.lines[1], components.lines[0]
    worth = 0.0
    for line in (row, column):
        same = count_ones(own & line)
        worth += triple - pair if same == 2 else pair if same == 1 else 0.5 * components.lines[2]
    return worth


@njit(forceinline=True)
def square_worth(components, state, weights, view, option):
    """Return the worth of a card on a square: its points, less those of the card beneath, and the steps to the
    general."""
    sets, lead, fill = view
    seat, card, square = state.player, int(option.thing), int(option.square)
    covered = int(state.portrait[seat, square])
    worth, at = worth_at(components, state, seat, sets, weights, card, square), lead + beans_of(card)
    if covered != NONE:
        worth -= worth_at(components, state, seat, sets, weights, covered, square)
        at -= beans_of(covered)
    else:
        at -= fill
    return worth - weights.step * abs(at)


@njit(forceinline=True)
def best_square(components, state, offers, n, weights):
    """Return which card to take and where to put it."""
    sets = squares_of(state, state.player)
    lead = lead_of(components, state, state.player, empty_squares(sets), weights)
    return best_of(square_worth, components, state, weights, (sets, lead, mean_beans(components)), offers.option, n)


class Chances(NamedTuple):
    """What decides about the worth of an abbot card.

    Attributes:
        highest: card played in this phase. prize: what it is worth to win. price: what each unit of a value is kept
            for.
        first, second, third: hands of those who play later, bit sets; no_first, no_second, no_third: whether they are
            empty.
        met: what it is worth to meet the condition.
    """

    highest: Any
    first: Any
    second: Any
    third: Any
    no_first: Any
    no_second: Any
    no_third: Any
    prize: Any
    price: Any
    met: Any


@njit(forceinline=True)
def card_worth(components, state, weights, view, option):
    """Return the worth of a card of the hand: its chance to win what the phase is worth, less what it is kept for."""
    value = int(option.thing)
    worth = -view.price * value
    if meets(components, state, value):
        worth += view.met
    if value > view.highest:
        below = (1 << value) - 1
        beaten = max(count_ones(view.first & below), view.no_first) * max(
            count_ones(view.second & below), view.no_second
        )
        worth += view.prize * beaten * max(count_ones(view.third & below), view.no_third)
    return worth


@njit(forceinline=True)
def best_card(components, state, offers, n, weights):
    """Return the card of the hand with the best chance to win what the phase is worth, less what it is kept for."""
    seat, highest = state.player, 0
    for other in range(state.sitting):
        highest = max(highest, state.played[other] if state.played[other] != NONE else 0)
    # The share of cards of those who play later that are below one's own is taken as the chance to beat them.
    first, second, third = later_hands(state, seat)
    one, two, three = count_ones(first), count_ones(second), count_ones(third)
    prize = weights.win
    if state.this_phase == GARDEN_PHASES:
        corner = components.corners[state.this_round]
        prize = corner.vp + corner.per_card * components.benedicts.vp * (1.0 + own_in_room(state, seat))
    prize /= max(1, one) * max(1, two) * max(1, three)
    last = state.this_round == ROUNDS - 1 and state.this_phase == PHASES - 1
    price = 0.0 if last else weights.value
    met = weights.met * (state.this_phase + 1) if state.met[seat] >= 0 else 0.0
    view = Chances(highest, first, second, third, one == 0, two == 0, three == 0, prize, price, met)
    return best_of(card_worth, components, state, weights, view, offers.option, n)


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
    worth = worth_at(components, state, seat, sets, weights, one, other) + worth_at(
        components, state, seat, sets, weights, two, square
    )
    worth -= worth_at(components, state, seat, sets, weights, one, square)
    return worth - worth_at(components, state, seat, sets, weights, two, other)


@njit
def option_worth(components, state, weights, view, option):
    """Return the worth of an option of the rarer kinds of decisions; to pass is worth nothing."""
    sets, lead = view
    seat, asks, thing = state.player, state.asks, int(option.thing)
    square, other = int(option.square), int(option.other)
    if asks == ask.MISSION:
        mission, squares = components.missions[thing], 0
        for area in range(AREAS):
            squares += count_ones(mission.areas[area])
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
        return weights.step * (abs(lead) - abs(lead + components.abbots.white[thing - 1])) + (
            0.1 if other != seat else -0.1
        )
    return 0


@njit
def best_other(components, state, offers, n, weights):
    """Return the best option of the rarer kinds of decisions, of equals the first."""
    sets = squares_of(state, state.player)
    view = sets, lead_of(components, state, state.player, empty_squares(sets), weights)
    return best_of(option_worth, components, state, weights, view, offers.option, n)


def choose(components, state, options, n, weights):
    """Return the index of the option that is worth most; of equals the first."""
    offers, weights, asks = offered(options), prices(weights), state.asks
    if asks == ask.ABBOT:
        return best_card(components, state, offers, n, weights)
    if asks in (ask.TAKE, ask.BLIND):
        return best_square(components, state, offers, n, weights)
    return best_other(components, state, offers, n, weights)
