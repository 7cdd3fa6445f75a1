"""Action 2 of a phase, second part: cards are taken or drawn, and placed."""

from numba import njit

from sim.abbates import ask, solo
from sim.abbates.garden import cover, line_of, take_discarded, top_card
from sim.abbates.offers import offer
from sim.abbates.state import (
    DRAW,
    FROM_DISCARD,
    FROM_REFILL,
    HENRICUS,
    NONE,
    NOTHING,
    REFILL,
    SIDE,
    SOURCE_DISCARD,
    SOURCE_LINE,
    SOURCE_REFILL,
)


@njit
def draws_blind(state, turn):
    """Return whether who is next to take draws from the pile by the rules; the winner never does."""
    return (turn > 0 and (state.effect == DRAW or turn >= state.ranked - 1)) or state.ranked == 0


@njit(forceinline=True)
def _offer_squares(components, state, words, n, card, source, other):
    """Offer to place a card on each square of the general's line; return the new number of options."""
    line = line_of(state)
    for i in range(SIDE):
        n = offer(words, n, thing=card, act=1, square=components.line[line, i], source=source, other=other)
    return n


@njit
def offer_cards(components, state, words):
    """Offer the cards of the line, and for the winner what the arcade card adds. Returns the number of options."""
    n = 0
    for i in range(SIDE):
        square = components.line[state.taking, i]
        card = int(state.garden[square])
        if card != NONE:
            n = _offer_squares(components, state, words, n, card, SOURCE_LINE, square)
    if state.turn == 0 and state.effect == FROM_REFILL:
        for space in range(REFILL):
            card = int(state.refill[space])
            if card != NONE:
                n = _offer_squares(components, state, words, n, card, SOURCE_REFILL, space)
    if state.turn == 0 and state.effect == FROM_DISCARD:
        seen = 0
        for back in range(state.discarded):
            at = state.discarded - 1 - back
            card = int(state.discard[at])
            if not seen >> card & 1:
                seen |= 1 << card
                n = _offer_squares(components, state, words, n, card, SOURCE_DISCARD, at)
            if components.rules.discard_pick:  # the top one only
                break
    return n


@njit
def offer_next(components, state, words):
    """Offer what the next player may take, or where the drawn card may go. Henricus takes without being asked.

    Returns:
        The number of options, or 0 if all have taken.
    """
    while state.turn < state.sitting:
        seat, turn = state.ranking[state.turn], state.turn
        if turn > 0 and state.ranked > 0 and state.effect == NOTHING:
            return 0
        state.player = seat
        if state.card == NONE:
            if not draws_blind(state, turn):
                if seat == HENRICUS and state.players == 1:
                    if solo.take(components, state):
                        state.turn += 1
                        continue
                else:
                    state.asks = ask.TAKE
                    n = offer_cards(components, state, words)
                    if n > 0:
                        return n
            state.card = top_card(state)
            if state.card == NONE:
                state.turn += 1
                continue
            state.blind[seat] += 1
            if seat == HENRICUS and state.players == 1:
                solo.receive(state, state.card)
                state.card = NONE
                state.turn += 1
                continue
        state.asks = ask.BLIND
        return _offer_squares(components, state, words, 0, state.card, 0, 0)
    return 0


@njit
def place(state, option):
    """Take the chosen card, or the one drawn, and place it."""
    seat, square, other = state.player, int(option.square), int(option.other)
    if state.card != NONE:
        state.card = NONE
    elif option.source == SOURCE_LINE:
        state.garden[other] = NONE
    elif option.source == SOURCE_REFILL:
        state.refill[other] = NONE
        state.used[seat, FROM_REFILL] += 1
    elif option.source == SOURCE_DISCARD:
        take_discarded(state, other)
        state.used[seat, FROM_DISCARD] += 1
    state.overbuilt[seat] += state.portrait[seat, square] != NONE
    cover(state, seat, square, option.thing)
    state.turn += 1
