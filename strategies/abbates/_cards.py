"""Which abbot card a plan plays: what each place in the order of taking is worth, the chance to get it, what a card is
kept for."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from sim.abbates.abbots import highest, in_hand, lowest, own_in_room
from sim.abbates.garden import line_of
from sim.abbates.state import (
    BENEDICT,
    DRAW,
    EVEN,
    FROM_REFILL,
    GARDEN_PHASES,
    HIGH,
    HIGHEST,
    LOW,
    NO_EFFECT,
    NONE,
    NOTHING,
    PHASES,
    REFILL,
    REMOVED,
    ROUNDS,
)
from sim.compiled import count_ones
from strategies._best import NEVER
from strategies.abbates._portrait import mean_white, phases_left
from strategies.abbates._worth import blind_worth, card_worth, squares_in, track_cost, view_of

ALL = (1 << BENEDICT + 1) - 2  # bit set of all values
# PART[cards, some]: the part that some cards are of others, none of none; looked up, because division takes time.
PART = np.arange(BENEDICT + 1) / np.maximum(1, np.arange(BENEDICT + 1)[:, None])


class Places(NamedTuple):
    """What the places in the order of taking are worth: those who choose, and who draws blind; and what depends on the
    winner's card."""

    first: Any
    second: Any
    third: Any
    last: Any
    lead: Any  # of the abbot before the general, with the mean of white beans in this phase
    left: Any  # garden cards to come after this phase


class Others(NamedTuple):
    """Hands of up to three who play later, how many cards are in each, and the values played."""

    one: Any
    two: Any
    three: Any
    of_one: Any
    of_two: Any
    of_three: Any
    played: Any


class Hands(NamedTuple):
    """The hands of the others."""

    one: Any
    two: Any
    three: Any


@njit
def garden_places(components, state, seat, weights):
    """Return what the places of a phase for garden cards are worth, from the cards that lie in the line now."""
    line, effect = line_of(state), state.arcade[line_of(state)]
    view = view_of(components, state, seat, weights, phases_left(state))
    squares, lying = squares_in(components, state, seat, weights, view, line), components.line[line]
    a = card_worth(weights, view, squares, int(state.garden[lying[0]]))
    b = card_worth(weights, view, squares, int(state.garden[lying[1]]))
    c = card_worth(weights, view, squares, int(state.garden[lying[2]]))
    best, low = max(a, b, c), min(a, b, c)
    middle = max(min(a, b), min(max(a, b), c))
    blind, first = blind_worth(weights, view, squares), best
    if effect == FROM_REFILL:
        for space in range(REFILL):
            first = max(first, card_worth(weights, view, squares, int(state.refill[space])))
    first = max(first, blind) if first == NEVER else first
    prize = (first - blind) * weights.choice + (
        weights.action if effect not in (NO_EFFECT, DRAW, NOTHING, FROM_REFILL) else 0.0
    )
    second, third = (max(middle, blind) - blind) * weights.choice, (max(low, blind) - blind) * weights.choice
    if effect == DRAW:
        second = third = 0.0
    elif effect == NOTHING:
        second = third = blind = 0.0
        prize = first
    rest = 0  # what a card in the Chapter Room will count
    for later in range(state.this_round, ROUNDS):
        rest += components.corners[later].per_card * components.benedicts.vp
    prize += weights.room * rest
    return Places(blind + prize * shared(state, weights), blind + second, blind + third, blind, view.lead, view.left)


@njit
def corner_places(components, state, seat, weights):
    """Return what the places of a phase for a corner card are worth."""
    corner = components.corners[state.this_round]
    benedicts = corner.per_card * (1 + own_in_room(state, seat))
    prize = weights.corner * (corner.vp + benedicts * components.benedicts.vp)
    view = view_of(components, state, seat, weights, phases_left(state))
    return Places(prize * shared(state, weights), 0.0, 0.0, 0.0, view.lead, view.left)


@njit(forceinline=True)
def shared(state, weights):
    """Return how much a prize counts, because the others then miss it."""
    return 1.0 + weights.rival / max(1, state.sitting - 1)


@njit(forceinline=True)
def hand_after(state, seat, places):
    """Return the hand of the player who sits some places after another: bit set, empty if there are not so many."""
    after = seat + places
    return in_hand(state, after - state.sitting if after >= state.sitting else after) if places < state.sitting else 0


@njit(forceinline=True)
def hands_of(state, seat):
    """Return the hands of all others, in the order of seats."""
    return Hands(hand_after(state, seat, 1), hand_after(state, seat, 2), hand_after(state, seat, 3))


@njit(forceinline=True)
def later_hands(state, seat):
    """Return the hands of the up to three who play later than a player, bit sets."""
    hands, later = hands_of(state, seat), state.sitting - 1 - state.turn
    return hands.one if later > 0 else 0, hands.two if later > 1 else 0, hands.three if later > 2 else 0


@njit(forceinline=True)
def others_of(state, seat):
    """Return the hands of those who play later, and what has been played."""
    played = 0
    for other in range(state.sitting):
        played |= 1 << state.played[other] if state.played[other] != NONE else 0
    one, two, three = later_hands(state, seat)
    return Others(one, two, three, count_ones(one), count_ones(two), count_ones(three), played)


@njit(forceinline=True)
def above(weights, hand, cards, value):
    """Return how likely somebody plays a higher card than a value."""
    part = PART[cards, count_ones(hand >> value + 1)]
    return min(1.0, part * (weights.bold + (1.0 - weights.bold) * part))


@njit(forceinline=True)
def meeting(components, state, phase):
    """Return the values that meet the condition of a phase of this round, a bit set."""
    condition = components.ora.faces[state.this_round, phase]
    low, odd = (2 << components.ora.low_last) - 2, 0b10101010101010
    return low if condition == LOW else ALL & ~low if condition == HIGH else ALL & ~odd if condition == EVEN else odd


@njit(forceinline=True)
def ora_worth(components, state, seat, weights):
    """Return what it is worth to meet the condition of this phase: 0 if the pawn is gone or a later one can't be
    met."""
    if state.met[seat] == REMOVED:
        return 0.0
    hand, chances = in_hand(state, seat), 1.0
    for phase in range(state.this_phase + 1, PHASES):
        chances = max(0.0, chances - weights.doubt) if hand & meeting(components, state, phase) else 0.0
    later = 0.0 if state.this_round == ROUNDS - 1 else weights.ora
    return (later + components.benedicts.vp) * chances


@njit(forceinline=True)
def kept_worth(components, state, seat, weights, value, rest, cards):
    """Return what a card is kept for: by its value, and by how many of the others' cards (`rest`: their hands) it
    beats."""
    hands, low = rest, (1 << value) - 1
    beaten = count_ones(hands.one & low) + count_ones(hands.two & low) + count_ones(hands.three & low)
    part = beaten / cards
    worth = weights.price * value / (BENEDICT - 1) + weights.top * part * part
    return worth + (components.benedicts.vp if value == BENEDICT else 0.0)


@njit(forceinline=True)
def coming_back(components, state, seat):
    """Return the lowest and the highest value of a card that would come back if it lost and the round ended."""
    lost = state.lost[seat] | (state.lost_benedicts[seat] > 0) << BENEDICT
    if lost == 0:
        return 0, BENEDICT
    from_top = components.corners[state.this_round].returns == HIGHEST
    return (highest(lost), BENEDICT) if from_top else (0, lowest(lost))


@njit
def best_card(components, state, options, n, weights):
    """Return the card that brings most: the place it is likely to get, the condition, less what it is kept for."""
    seat = state.player
    in_corner = state.this_phase == GARDEN_PHASES
    places = (
        corner_places(components, state, seat, weights)
        if in_corner
        else garden_places(components, state, seat, weights)
    )
    others, hands, ora = others_of(state, seat), hands_of(state, seat), ora_worth(components, state, seat, weights)
    cards = max(1, count_ones(hands.one) + count_ones(hands.two) + count_ones(hands.three))
    mean, as_it_is = weights.white * mean_white(components), track_cost(weights, places.lead, places.left)
    meets, back = meeting(components, state, state.this_phase), coming_back(components, state, seat)
    ends = state.this_round == ROUNDS - 1 and state.this_phase == PHASES - 1
    players, best, most = state.sitting, 0, NEVER
    for i in range(n):
        value = int(options[i].thing)
        higher = count_ones(others.played >> value)  # of equal cards the earlier is higher
        a = above(weights, others.one, others.of_one, value)
        b = above(weights, others.two, others.of_two, value)
        c = above(weights, others.three, others.of_three, value)
        none, all_three = (1 - a) * (1 - b) * (1 - c), a * b * c
        one = a * (1 - b) * (1 - c) + (1 - a) * b * (1 - c) + (1 - a) * (1 - b) * c
        two = 1.0 - none - one - all_three
        worth = none * place_worth(places, higher, players) + one * place_worth(places, higher + 1, players)
        worth += two * place_worth(places, higher + 2, players) + all_three * place_worth(places, higher + 3, players)
        wins = none if higher == 0 else 0.0
        if higher == 0:
            worth -= wins * (
                track_cost(weights, places.lead + mean - components.abbots.white[value - 1], places.left) - as_it_is
            )
        worth += ora if meets >> value & 1 else 0.0
        if not ends:
            kept = kept_worth(components, state, seat, weights, value, hands, cards)
            worth -= kept * (1.0 - weights.back * (1.0 - wins) if back[0] <= value <= back[1] else 1.0)
        else:
            worth -= components.benedicts.vp if value == BENEDICT else 0
        worth += weights.start * last_of(higher, none, one, two, all_three, players)
        if worth > most:
            best, most = i, worth
    return best


@njit(forceinline=True)
def place_worth(places, place, players):
    """Return what a place is worth: the winner's first, then the others who choose, then the last, who draws."""
    if place == 0:
        return places.first
    if place >= players - 1:
        return places.last
    return places.second if place == 1 else places.third


@njit(forceinline=True)
def last_of(higher, none, one, two, all_three, players):
    """Return how likely a card with so many higher ones on the table is the lowest in the end."""
    more = players - 1 - higher
    return none if more == 0 else one if more == 1 else two if more == 2 else all_three
