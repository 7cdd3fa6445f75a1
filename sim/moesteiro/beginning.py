"""The beginning of a round: the round's event, the dice, the Kings, the displays and the quarry."""

import numpy as np
from numba import njit

from sim.chance import draw
from sim.moesteiro.dice import EMPTY, NEUTRAL, insert, is_worker, key_at, master, pips, place_for, worker
from sim.moesteiro.offers import offer
from sim.moesteiro.purse import COLUMN, LINTEL, piece
from sim.moesteiro.state import (
    AREAS,
    CONSTRUCTION,
    CONSTRUCTION_TILES,
    FOOD,
    FROM_KINGS,
    KINGS,
    LABOUR,
    NONE,
    SEATS,
)
from sim.moesteiro.tracks import (
    CRANE_DRAW,
    DICE,
    NEUTRALS,
    SITE_DRAW,
    SITE_SET,
    VILLAGE_DRAW,
    WINDOW_DRAW,
    address,
    construction_up,
    draw_glass,
    draw_stonework,
    food_down,
    gain,
    labour_right,
)


@njit
def sort_order(state):
    """Put the seats into state.order, the lowest of state.keys first, of equals the first seat."""
    for seat in range(SEATS):  # all of them, so that no loop is left; nobody on a seat comes last
        key, place = state.keys[seat] * SEATS + seat, 0
        for other in range(SEATS):  # counted, not sorted: no branch to guess wrong
            place += state.keys[other] * SEATS + other < key
        state.order[place] = seat


@njit
def order_by_labour(state):
    """Order the seats from the left end of the labour track to the right, on one space from the top of the stack
    down."""
    for seat in range(state.players):
        state.keys[seat] = state.labour[seat] * (1 << 20) - state.height[seat]
    sort_order(state)


@njit
def begin_round(components, state):
    """Give each player the goods of the round."""
    for seat in range(state.players):
        state.purse[seat] += components.rounds.events[state.this_round].goods
    order_by_labour(state)
    if components.rules.round2_order:  # by seat
        for seat in range(state.players):
            state.order[seat] = seat


@njit(forceinline=True)
def offer_tracks(components, state, words):
    """Offer the sets of tracks on which the round lets a player move one step each; 0 in a round without."""
    wanted, n = components.rounds.events[state.this_round].tracks, 0
    if wanted > 0:
        for tracks in range(8):
            if (tracks & 1) + (tracks >> 1 & 1) + (tracks >> 2) == wanted:
                n = offer(words, n, thing=tracks, act=1)
    return n


@njit(forceinline=True)
def move_on_tracks(components, state, seat, tracks):
    """Move one step on each track of a set."""
    if tracks >> FOOD & 1:
        food_down(components, state, seat, 1)
    if tracks >> LABOUR & 1:
        labour_right(components, state, seat, 1)
    if tracks >> CONSTRUCTION & 1:
        construction_up(components, state, seat, 1)


@njit
def roll(components, state):
    """Roll everybody's dice and place the neutral workers."""
    r = state.this_round
    event = components.rounds.events[r]
    for seat in range(state.players):
        hand, slot = EMPTY, 16 * state.person[seat]
        for i in range(event.workers):
            key = worker(components.dice.worker[draw(state.key, address(DICE, r, slot + i), 6)])
            hand = insert(hand, place_for(hand, key), key, seat)
        for i in range(event.masters):
            key = master(components.dice.master[draw(state.key, address(DICE, r, slot + 8 + i), 6)])
            hand = insert(hand, place_for(hand, key), key, seat)
        state.hand[seat] = hand
        state.in_hand[seat] = event.workers + event.masters
    for area in range(len(AREAS)):
        for i in range(components.areas.neutral[state.players - 2, area]):
            key = worker(components.dice.worker[draw(state.key, address(NEUTRALS, r, 8 * area + i), 6)])
            state.row[area] = insert(state.row[area], place_for(state.row[area], key), key, NEUTRAL)
            state.dice[area] += 1


@njit(forceinline=True)
def offer_kings(state, words):
    """Offer the Kings that nobody has taken yet."""
    n = 0
    for king in range(len(KINGS)):
        if not state.taken >> king & 1:
            n = offer(words, n, thing=king, act=1)
    return n


@njit(forceinline=True)
def take_king(components, state, seat, king):
    """Take a King and what he gives at once; the pieces of his gift are asked for next (state.owed[0])."""
    power = components.kings[king]
    state.taken |= 1 << king
    state.king[seat] = king
    state.kings[seat, state.this_round] = king
    if power.labour > 0:
        labour_right(components, state, seat, power.labour)
    gain(state, seat, FROM_KINGS, power.vp)
    state.purse[seat] += piece(1, power.stone)
    construction_up(components, state, seat, power.construction)
    state.owed[0] = power.gift


@njit(forceinline=True)
def offer_gift(words):
    """Offer a lintel or a column, from the supply."""
    n = offer(words, 0, thing=LINTEL, act=1, goods=piece(LINTEL, 1))
    return offer(words, n, thing=COLUMN, act=1, goods=piece(COLUMN, 1))


@njit
def order_by_kings(components, state):
    """Set the turn order of the round: the lowest King first."""
    for i in range(state.players):
        state.chose_at[state.order[i], state.this_round] = i
    for seat in range(state.players):
        state.keys[seat] = components.kings[state.king[seat]].number
    sort_order(state)
    for i in range(state.players):
        state.turn_at[state.order[i], state.this_round] = i


@njit
def close_gaps(display, n):
    """Move what is left on a display towards its first space, in place."""
    kept = 0
    for i in range(n):
        thing = display[i]
        display[i] = NONE
        if thing != NONE:
            display[kept] = thing
            kept += 1


@njit
def load_quarry(components, state):
    """Put lintels and columns into the quarry, by the pips of the masters that have been rolled: all of them, or each
    player's highest."""
    total = 0
    for seat in range(state.players):
        most, pips_of_all = 0, 0
        for i in range(state.in_hand[seat]):
            key = key_at(state.hand[seat], i)
            if not is_worker(key):
                most, pips_of_all = pips(key), pips_of_all + pips(key)  # the highest comes last
        total += most if state.this_round >= components.quarry.highest_from_round - 1 else pips_of_all
    state.lintels = total // components.quarry.lintel_divisor
    state.columns = total // components.quarry.column_divisor


@njit
def fill_displays(components, state):
    """Turn up the tiles of the round (village, stonework, construction, glass), each drawn from what is left, and load
    the quarry."""
    r = state.this_round
    for i in range(min(components.village.on_show, state.village_left)):
        j = draw(state.key, address(VILLAGE_DRAW, r, i), state.village_left)
        state.village_left -= 1
        state.village[i] = state.village_pile[j]
        state.village_pile[j] = state.village_pile[state.village_left]

    slots = components.crane.n_steps
    if not components.rules.crane_slide:  # close all gaps
        close_gaps(state.crane, slots)
    else:  # a tile moves one slot to the left, if the slot beside it is empty by then
        for i in range(1, slots):
            if state.crane[i - 1] == NONE:
                state.crane[i - 1] = state.crane[i]
                state.crane[i] = NONE
    for i in range(slots):
        if state.crane[i] == NONE:
            state.crane[i] = draw_stonework(components, state, address(CRANE_DRAW, r, i))

    for i in range(min(components.construction.on_show, state.site_left[0] + state.site_left[1])):
        level = 0 if state.site_left[0] > 0 else 1
        base = components.construction.level_one * level
        j = base + draw(state.key, address(SITE_DRAW, r, i), state.site_left[level])
        state.site_left[level] -= 1
        last = base + state.site_left[level]
        number = np.int64(state.site_pile[j])
        state.site_pile[j] = state.site_pile[last]
        chosen = components.rules.construction_set
        if chosen == 2:
            chosen = draw(state.key, address(SITE_SET, 0, number), 2)
        state.site[i] = CONSTRUCTION_TILES * chosen + number

    load_quarry(components, state)
    close_gaps(state.window, components.window.n_pips)
    for i in range(components.window.n_pips):
        if state.window[i] == NONE:
            state.window[i] = draw_glass(components, state, address(WINDOW_DRAW, r, i))
