"""Garden cards: the pile, the discard pile, the garden and its replenishment row, portraits."""

from numba import njit

from sim.abbates.state import (
    BEANS,
    CARDS,
    LOOKED_AT,
    NONE,
    REFILL,
    SEATS,
    SIDE,
    SQUARES,
)
from sim.chance import draw
from sim.contract import ChanceSource

# Addresses in a game's chance; a drawn card: DECK + how many were drawn before.
DECK, MISSIONS, ARCADE, HENRICUS, STARTING = 0, 1 << 10, 1 << 11, 1 << 12, 1 << 13
CHANCE = (
    ChanceSource("garden", "the order of the garden cards", ((DECK, MISSIONS), (STARTING, STARTING + SEATS))),
    ChanceSource("missions", "the missions dealt", ((MISSIONS, ARCADE),)),
    ChanceSource("arcade", "the order of the arcade cards", ((ARCADE, HENRICUS),)),
    ChanceSource("henricus", "the cards of Henricus", ((HENRICUS, STARTING),)),
)


@njit(forceinline=True)
def beans_of(card):
    """Return the black beans of a garden card."""
    return int(card) % BEANS


@njit(forceinline=True)
def kind_of(card):
    """Return the kind of a garden card."""
    return int(card) // BEANS


@njit
def pick(cards, left, key, address):
    """Return one of `left` cards counted by `cards`, each as likely; `cards` is modified in place."""
    nth = draw(key, address, left)
    card = 0
    while nth >= cards[card]:
        nth -= cards[card]
        card += 1
    cards[card] -= 1
    return card


@njit
def turn_up(state):
    """Take a card from the unseen part of the pile; return it, or NONE."""
    if state.pile_left == 0:
        return NONE
    card = pick(state.pile, state.pile_left, state.key, DECK + state.drawn)
    state.pile_left -= 1
    state.drawn += 1
    return card


@njit
def top_card(state):
    """Take the top card of the pile, one that somebody has looked at before the others; return it, or NONE."""
    if state.known_left == 0:
        return turn_up(state)
    card = int(state.known[0])
    state.known_left -= 1
    for i in range(state.known_left):
        state.known[i] = state.known[i + 1]
    state.known[state.known_left] = NONE
    return card


@njit
def look(state):
    """Let the asked player look at the cards on top of the pile."""
    while state.known_left < LOOKED_AT and state.pile_left > 0:
        state.known[state.known_left] = turn_up(state)
        state.known_left += 1
    state.looker = state.player


@njit
def put_next(state, card):
    """Put a card among those looked at in the next place: those that lay before it move back by one."""
    at = state.turn
    while int(state.known[at]) != card:
        at += 1
    while at > state.turn:
        state.known[at] = state.known[at - 1]
        at -= 1
    state.known[at] = card


@njit(forceinline=True)
def throw_away(state, card):
    """Put a card on the discard pile."""
    state.discard[state.discarded] = card
    state.discarded += 1


@njit
def take_discarded(state, at):
    """Take a card out of the discard pile."""
    state.discarded -= 1
    for i in range(at, state.discarded):
        state.discard[i] = state.discard[i + 1]


@njit(forceinline=True)
def line_of(state):
    """Return the line where the general stands, index into components.line (in the last phase of a round the one
    before)."""
    return state.this_round * SIDE + min(state.this_phase, SIDE - 1)


@njit(forceinline=True)
def cover(state, seat, square, card):
    """Place a card on a square of the portrait, and move the abbot by the difference of the beans."""
    covered = int(state.portrait[seat, square])
    state.abbot[seat] += beans_of(card)
    if covered != NONE:
        state.abbot[seat] -= beans_of(covered)
    state.portrait[seat, square] = card


@njit
def from_row_or_pile(state):
    """Take the leftmost card of the replenishment row, or else the top card of the pile; return it, or NONE."""
    for space in range(REFILL):
        card = int(state.refill[space])
        if card != NONE:
            state.refill[space] = NONE
            return card
    return top_card(state)


@njit
def fill(components, state):
    """Discard what is left of the line where cards were taken; fill the garden and then the replenishment row."""
    squares = components.line[state.taking]
    for i in range(SIDE):
        card = int(state.garden[squares[i]])
        if card != NONE:
            throw_away(state, card)
            state.garden[squares[i]] = NONE
    for i in range(SIDE):
        state.garden[squares[i]] = from_row_or_pile(state)
    for square in range(SQUARES):  # Henricus may have left a gap in another line
        if state.garden[square] == NONE:
            state.garden[square] = from_row_or_pile(state)
    for space in range(REFILL):
        if state.refill[space] == NONE:
            state.refill[space] = top_card(state)


@njit
def lay_out(components, state):
    """Set up deck, points card or starting cards, garden and replenishment row."""
    for card in range(CARDS):
        state.pile[card] = components.garden.cards[card]
        state.pile_left += components.garden.cards[card]
    state.portrait[:, :] = NONE
    state.starting_card[:] = NONE
    state.points_card[:] = NONE
    state.known[:] = NONE
    if components.rules.points_card:
        _fill_points_card(components, state)
    else:
        for seat in range(state.players):
            state.starting_card[seat] = turn_up(state)
    for square in range(SQUARES):
        state.garden[square] = turn_up(state)
    for space in range(REFILL):
        state.refill[space] = turn_up(state)


@njit
def _fill_points_card(components, state):
    """Draw until three kinds have their places, then one card more."""
    kinds, seen = 0, 0
    while kinds < len(state.vp_of) and state.pile_left > 0:
        card = turn_up(state)
        kind = kind_of(card)
        if seen >> kind & 1:
            throw_away(state, card)
        else:
            seen |= 1 << kind
            state.points_card[kinds] = card
            state.vp_of[kind] = components.points[kinds]
            state.general += beans_of(card)
            kinds += 1
    card = turn_up(state)
    if card != NONE:
        state.points_card[3] = card
        state.general += beans_of(card)
