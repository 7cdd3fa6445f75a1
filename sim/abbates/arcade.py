"""Action 2 of a phase, first part: what the winner may do with the arcade card."""

from numba import njit

from sim.abbates import ask
from sim.abbates.abbots import offer_removal, remove
from sim.abbates.garden import cover, line_of, look
from sim.abbates.offers import offer
from sim.abbates.state import (
    CARDS,
    DRAW,
    EXCHANGE,
    LOOK,
    MOVE,
    NONE,
    NOTHING,
    OTHER_LINE,
    REFILL,
    REMOVE,
    SIDE,
    SQUARES,
    SWAP,
)


@njit
def begin_action(state):
    """Look which arcade card lies where the general stands; palm cards act by themselves."""
    state.taking, state.slots = line_of(state), 0
    state.effect = state.arcade[state.taking]
    winner = state.ranking[0]
    if state.effect in (DRAW, NOTHING) and state.ranked > 0 and winner < state.players:
        state.used[winner, state.effect] += 1


@njit
def offer_swap(state, words):
    """Offer to swap a card of the portrait with one of the replenishment row. Returns the number of options."""
    n = offer(words, 0)
    for square in range(SQUARES):
        if state.portrait[state.player, square] != NONE:
            for space in range(REFILL):
                if state.refill[space] != NONE:
                    n = offer(words, n, thing=int(state.refill[space]), act=1, square=square, other=space)
    return n


@njit
def offer_exchange(components, state, words):
    """Offer to exchange the card of the next square of the line. Returns the number of options, 0 after the last
    square."""
    squares = components.line[line_of(state)]
    while state.turn < SIDE:
        square = squares[state.turn]
        if state.garden[square] != NONE:
            n = offer(words, 0, square=square)
            for space in range(REFILL):
                if state.refill[space] != NONE and not state.slots >> space & 1:
                    n = offer(words, n, thing=int(state.refill[space]), act=1, square=square, other=space)
            return n
        state.turn += 1
    return 0


@njit
def offer_move(state, words):
    """Offer to let two cards of the portrait change places. Returns the number of options."""
    n = offer(words, 0)
    for square in range(SQUARES):
        if state.portrait[state.player, square] != NONE:
            for other in range(square + 1, SQUARES):
                if state.portrait[state.player, other] != NONE:
                    n = offer(words, n, act=1, square=square, other=other)
    return n


@njit
def offer_lines(components, state, words):
    """Offer the rows and columns that are not the general's. Returns the number of options."""
    n = offer(words, 0)
    here = 0
    for i in range(SIDE):
        here |= 1 << components.line[line_of(state), i]
    for line in range(2 * SIDE):  # rows and columns of the first two rounds
        there = 0
        for i in range(SIDE):
            there |= 1 << components.line[line, i]
        if there != here:
            n = offer(words, n, act=1, other=line)
    return n


@njit
def offer_order(state, words):
    """Offer the different cards that have been looked at and have no place yet. Returns their number, 0 if one or none
    is left."""
    if state.turn + 1 >= state.known_left:
        return 0
    state.asks = ask.ORDER
    seen, n = 0, 0
    for i in range(state.turn, state.known_left):
        seen |= 1 << int(state.known[i])
    for card in range(CARDS):
        if seen >> card & 1:
            n = offer(words, n, thing=card)
    return n


@njit
def offer_action(components, state, words):
    """Offer what the arcade card allows before a card is taken.

    Returns:
        The number of options; 0 if there is no such action, or it has come to its end.
    """
    effect = state.effect
    if effect == EXCHANGE:
        state.asks = ask.EXCHANGE
        return offer_exchange(components, state, words)
    if state.turn > 0:
        return 0
    if effect == LOOK and state.known_left + state.pile_left > 0:
        state.asks = ask.LOOK
        offer(words, 0)
        return offer(words, 1, act=1)
    if effect == SWAP:
        state.asks = ask.SWAP
        return offer_swap(state, words)
    if effect == MOVE:
        state.asks = ask.MOVE
        return offer_move(state, words)
    if effect == OTHER_LINE:
        state.asks = ask.LINE
        return offer_lines(components, state, words)
    if effect == REMOVE:
        state.asks = ask.REMOVE
        return offer_removal(state, words)
    return 0


@njit
def act(components, state, option):
    """Carry out an arcade action."""
    seat, effect, square, other = state.player, state.effect, int(option.square), int(option.other)
    if state.slots == 0:  # it is one action, however many cards are exchanged
        state.used[seat, effect] += 1
    if effect == LOOK:
        look(state)
    elif effect == SWAP:
        card = int(state.portrait[seat, square])
        cover(state, seat, square, state.refill[other])
        state.refill[other] = card
    elif effect == EXCHANGE:
        card = int(state.garden[square])
        state.garden[square] = state.refill[other]
        state.refill[other] = card
        state.slots |= 1 << other
    elif effect == MOVE:
        card = int(state.portrait[seat, square])
        state.portrait[seat, square] = state.portrait[seat, other]
        state.portrait[seat, other] = card
    elif effect == OTHER_LINE:
        state.taking = other
    elif effect == REMOVE:
        remove(components, state, other, int(option.thing))
