"""Action 1 of a phase: abbot cards, conditions of Ora et Labora, the winner and the general; and what becomes of the
cards afterwards."""

from numba import njit

from sim.abbates.offers import offer
from sim.abbates.state import BENEDICT, HIGH, LOW, NONE, ODD, PHASES, REMOVED
from sim.compiled import count_ones


@njit(forceinline=True)
def lowest(values):
    """Return the lowest value of a bit set that is not empty."""
    value = 0
    while not values >> value & 1:
        value += 1
    return value


@njit(forceinline=True)
def highest(values):
    """Return the highest value of a bit set that is not empty."""
    value = BENEDICT
    while not values >> value & 1:
        value -= 1
    return value


@njit(forceinline=True)
def in_hand(state, seat):
    """Return the values in a hand, Benedict cards included, as a bit set."""
    return state.hand[seat] | (state.benedicts[seat] > 0) << BENEDICT


@njit
def offer_cards(components, state, words):
    """Offer the values that nobody has played in this phase; all, or none, if there are no others. Returns their
    number."""
    seat, barred = state.player, 0
    for other in range(state.sitting):
        barred |= 1 << state.played[other] if state.played[other] != NONE else 0
    values = in_hand(state, seat)
    if values & ~barred:
        values &= ~barred
    elif components.rules.forced_duplicate:
        return 0
    n = 0
    for value in range(1, BENEDICT + 1):
        if values >> value & 1:
            n = offer(words, n, thing=value)
    return n


@njit(forceinline=True)
def meets(components, state, value):
    """Return whether a value meets the condition of this phase."""
    condition = components.ora.faces[state.this_round, state.this_phase]
    if condition == LOW:
        return value <= components.ora.low_last
    if condition == HIGH:
        return value > components.ora.low_last
    return value & 1 == (1 if condition == ODD else 0)


@njit
def play_card(components, state, value):
    """Play a card of the asked player's hand, and move the pawn on Ora et Labora."""
    seat, again = state.player, False
    for other in range(state.sitting):
        again |= state.played[other] == value
    state.repeated[seat] += again
    state.played[seat] = value
    if value == BENEDICT:
        state.benedicts[seat] -= 1
        state.benedicts_played[seat] += 1
    else:
        state.hand[seat] &= ~(1 << value)
    if state.met[seat] != REMOVED:
        state.met[seat] = state.met[seat] + 1 if meets(components, state, value) else REMOVED


@njit
def play_none(state, seat):
    """Let a phase pass without a card."""
    state.without_card[seat] += 1
    state.met[seat] = REMOVED


@njit
def rank(state):
    """Put those who played in descending order, the earlier first if equal; then the others, in the order of
    playing."""
    state.ranked = 0
    for turn in range(state.sitting):
        seat = (state.starting + turn) % state.sitting
        value = state.played[seat]
        if value != NONE:
            at = state.ranked
            while at > 0 and state.played[state.ranking[at - 1]] < value:
                state.ranking[at] = state.ranking[at - 1]
                at -= 1
            state.ranking[at] = seat
            state.ranked += 1
    at = state.ranked
    for turn in range(state.sitting):
        seat = (state.starting + turn) % state.sitting
        if state.played[seat] == NONE:
            state.ranking[at] = seat
            at += 1


@njit
def win(components, state):
    """Give the winner the phase: the card goes to the Chapter Room, the general moves by its white beans. Notes all
    places."""
    at = state.this_round * PHASES + state.this_phase
    for place in range(state.sitting):
        if state.ranking[place] < state.players:
            state.place_at[state.ranking[place], at] = place
    if state.ranked == 0:
        return
    winner = state.ranking[0]
    value = state.played[winner]
    state.won[winner] += 1
    if value == NONE:  # a study has dealt the place
        return
    state.general += components.abbots.white[value - 1]
    if value == BENEDICT:
        state.room_benedicts[winner] += 1
    else:
        state.room[winner] |= 1 << value


@njit
def clear(state):
    """Put the other cards on the own discard piles; who played the lowest starts next."""
    low, start = BENEDICT + 1, state.starting
    for turn in range(state.sitting):
        seat = (state.starting + turn) % state.sitting
        value = state.played[seat]
        if value == NONE:
            continue
        if value <= low:
            low, start = value, seat
        state.played[seat] = NONE
        if seat != state.ranking[0]:
            if value == BENEDICT:
                state.lost_benedicts[seat] += 1
            else:
                state.lost[seat] |= 1 << value
    if state.players > 1:
        state.starting = start


@njit
def take_back(state, seat, from_top):
    """Return the highest or lowest card of a discard pile to the hand; of Henricus: to its pile.

    Returns:
        Its value, or NONE if there is no card.
    """
    values = state.lost[seat] | (state.lost_benedicts[seat] > 0) << BENEDICT
    if values == 0:
        return NONE
    value = highest(values) if from_top else lowest(values)
    if value == BENEDICT:
        state.benedicts[seat] += 1
    else:
        state.hand[seat] |= 1 << value
    return value


@njit
def throw_out(state, seat):
    """Remove what is left of a discard pile from the game."""
    state.lost[seat] = state.lost_benedicts[seat] = 0


@njit
def own_in_room(state, seat):
    """Return how many cards of a player lie in the Chapter Room."""
    return state.room_benedicts[seat] + count_ones(state.room[seat])


@njit
def offer_removal(state, words):
    """Offer the cards in the Chapter Room, or none of them. Returns their number."""
    n = offer(words, 0)
    for seat in range(state.sitting):
        for value in range(1, BENEDICT + 1):
            if state.room[seat] >> value & 1 or (value == BENEDICT and state.room_benedicts[seat] > 0):
                n = offer(words, n, thing=value, act=1, other=seat)
    return n


@njit
def remove(components, state, seat, value):
    """Remove a card from the Chapter Room; the general goes back by its white beans."""
    state.general -= components.abbots.white[value - 1]
    if value == BENEDICT:
        state.room_benedicts[seat] -= 1
    else:
        state.room[seat] &= ~(1 << value)
