"""Placing dice: in turn order, one die at a time, until all are placed."""

from numba import njit

from sim.moesteiro.dice import insert, key_at, owner_at, place_for, remove
from sim.moesteiro.offers import offer, offer_pass
from sim.moesteiro.state import AREAS
from sim.moesteiro.tracks import labour_right


@njit(forceinline=True)
def offer_placements(components, state, words):
    """Offer each different die of the player's hand for each area with a free space; if none has one, only to pass with
    a die."""
    seat, n, i = state.player, 0, 0
    hand, in_hand = state.hand[seat], state.in_hand[seat]
    # Read before the first option is written: the compiler can't know that options and state don't overlap.
    row, dice, spaces = state.row, state.dice, components.areas.open[state.players - 2]
    rows = (row[0], row[1], row[2], row[3], row[4])
    free = (dice[0] < spaces[0], dice[1] < spaces[1], dice[2] < spaces[2], dice[3] < spaces[3], dice[4] < spaces[4])
    while i < in_hand:
        key = key_at(hand, i)
        i = place_for(hand, key)  # the next die that is different
        for area in range(len(AREAS)):  # written first and counted after: no branch to guess wrong
            offer(words, n, thing=area, act=1, die=key, space=place_for(rows[area], key))
            n += free[area]
    if n == 0:
        n = offer_pass(components, words, key_at(hand, 0))
    return n


@njit(forceinline=True)
def place(components, state, option):
    """Move a die from the hand to its place in an area; dice to its right move on by one space."""
    seat, key, area = state.player, int(option.die), int(option.thing)
    hand = state.hand[seat]
    state.hand[seat] = remove(hand, place_for(hand, key) - 1)
    state.in_hand[seat] -= 1
    if option.act:
        row = state.row[area]
        state.row[area] = insert(row, place_for(row, key), key, owner_at(hand, 0))
        state.dice[area] += 1
        state.placed[seat, area] += 1
    else:
        labour_right(components, state, seat, int(option.steps))
    state.turn += 1
    if state.turn == state.players:
        state.turn = 0
