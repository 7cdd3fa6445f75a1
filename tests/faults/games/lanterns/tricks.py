"""One trick: who is asked for a card, who takes it, and what for."""

from numba import njit

from .dealing import draw_card
from .state import CARD, PRIZE


@njit
def offer_cards(state, options):
    """Offer the cards of the player whose turn it is."""
    state.asks = CARD
    n = 0
    for place in range(state.hand.shape[1]):
        card = state.hand[state.player, place]
        if card:
            options[n].card, options[n].place, options[n].gold, options[n].thing = card, place, 0, 0
            n += 1
    return n


@njit
def offer_prizes(state, options):
    """Offer a lantern or gold to the one who has taken the trick."""
    state.asks = PRIZE
    for gold in range(2):
        options[gold].card, options[gold].place, options[gold].gold, options[gold].thing = 0, 0, gold, 0
    return 2


@njit
def lay(state, option):
    """Lay a card on the table; after the last player's card, the taker is asked."""
    seat = state.player
    if state.laid == 0:
        state.leads[seat] += 1
    state.highest[seat] = max(state.highest[seat], int(option.card))
    state.table[seat] = option.card
    state.hand[seat, option.place] = 0
    state.laid += 1
    state.player = (seat + 1) % state.players


@njit
def taker(components, state):
    """Return the seat that takes the trick."""
    best = 0
    for seat in range(1, state.players):
        higher = state.table[seat] > state.table[best]
        if higher != (components.rules.low == 1):
            best = seat
    return best


@njit
def take_prize(components, state, option):
    """Take gold or a lantern, and clear the table; everybody draws a card, and the taker leads."""
    seat = state.player
    state.tricks[seat] += 1
    if option.gold:
        state.gold[seat] += 1
        state.score[seat] += components.points.gold
    else:
        state.lanterns[seat] += 1
        state.score[seat] += components.points.lantern * state.lanterns[seat]
    state.taken += 1
    state.laid = 0
    if state.taken == components.tricks:
        state.last[seat] = 1
        state.score[seat] += components.points.last
    for i in range(state.players):
        other = (seat + i) % state.players
        state.table[other] = 0
        if state.left > 0:
            refill(state, other)


@njit
def refill(state, seat):
    """Draw a card into the place that is empty."""
    for place in range(state.hand.shape[1]):
        if state.hand[seat, place] == 0:
            draw_card(state, seat, place)
            return
