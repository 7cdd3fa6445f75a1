"""The deck and the hands."""

from numba import njit

from sim.chance import shuffle

DECK = 0  # first address of the deck's order


@njit
def shuffle_deck(components, state):
    """Make the deck."""
    for i in range(components.cards):
        state.deck[i] = i + 1
    shuffle(state.key, DECK, state.deck, components.cards)
    state.left = components.cards


@njit
def draw_card(state, seat, place):
    """Give a player the top card of the deck."""
    state.left -= 1
    state.hand[seat, place] = state.deck[state.left]
    state.deck[state.left] = 0


@njit
def deal(components, state):
    """Deal the hands, card by card."""
    for place in range(components.hand):
        for seat in range(state.players):
            draw_card(state, seat, place)


@njit
def redraw(state, player, key):
    """Shuffle what a player doesn't see, the deck and the others' hands, wherever it lies, and put it back."""
    n = state.left
    unseen = state.deck.copy()
    for seat in range(state.players):
        if seat != player:
            for place in range(state.hand.shape[1]):
                if state.hand[seat, place]:
                    unseen[n] = state.hand[seat, place]
                    n += 1
    unseen[:n].sort()
    shuffle(key, DECK, unseen, n)
    for i in range(state.left):
        state.deck[i] = unseen[i]
    n = state.left
    for seat in range(state.players):
        if seat != player:
            for place in range(state.hand.shape[1]):
                if state.hand[seat, place]:
                    state.hand[seat, place] = unseen[n]
                    n += 1
