"""Setting the table, what begins and what ends a round, corner cards, and what only studies deal."""

import numpy as np
from numba import njit

from sim.abbates import abbots, ask, garden, solo
from sim.abbates.offers import offer
from sim.abbates.state import (
    GARDEN_PHASES,
    HENRICUS,
    HIGH_PILE,
    HIGHEST,
    LOW_PILE,
    MISSION_NAMES,
    NO_EFFECT,
    NONE,
    ORDINARY,
    PALMS,
    PHASES,
    REMOVED,
    ROUNDS,
)
from sim.chance import draw, shuffle
from sim.play import EVERY

MISSIONS = len(MISSION_NAMES)


@njit
def set_up(components, state, players, key):
    """Set the table; `state` is blank but for what `sim.contract` names."""
    state.players = players
    state.sitting = players + (players == 1)
    state.starting = HENRICUS if players == 1 else 0
    state.hand[:] = (1 << abbots.BENEDICT) - 2
    if players == 1:
        level = components.solo.levels[components.rules.solo_level]
        state.low_benedicts = level.low_benedicts
        state.benedicts[HENRICUS] = level.high_benedicts
        solo.turn_up(state, LOW_PILE)
        solo.turn_up(state, HIGH_PILE)
    for values in (state.mission, state.corner_owner, state.dealt_corner):
        values[:] = NONE
    state.played[:] = NONE
    state.card = NONE
    garden.lay_out(components, state)
    _lay_out_arcade(components, state)
    _deal_missions(components, state)


@njit
def _lay_out_arcade(components, state):
    """Lay out the arcade cards: the ordinary ones of each round and, if they are in the game, the palm cards,
    shuffled."""
    state.arcade[:] = NO_EFFECT
    if components.rules.arcade_actions:
        for r in range(ROUNDS):
            _lay_out_round(components, state, r)


@njit
def _lay_out_round(components, state, r):
    """Lay out the arcade cards of a round."""
    chosen = 0  # bit set of cards that lie out: 0–2 ordinary, 3–4 palms
    count = ORDINARY + (PALMS if components.rules.palms else 0)
    for line in range(GARDEN_PHASES):
        nth = draw(state.key, garden.ARCADE + r * GARDEN_PHASES + line, count - line)
        card = 0
        while chosen >> card & 1 or nth > 0:
            nth -= 1 - (chosen >> card & 1)
            card += 1
        chosen |= 1 << card
        effect = components.arcade.rounds[r, card] if card < ORDINARY else components.arcade.palms[card - ORDINARY]
        state.arcade[r * GARDEN_PHASES + line] = effect


@njit(forceinline=True)
def is_dealt(state, asks):
    """Return whether a study deals, on this occasion, what a kind of decision asks for."""
    now = state.this_round * PHASES + state.this_phase if asks == ask.PLACE else 0
    return state.dealing == 1 + asks and (state.occasion == EVERY or state.occasion == now)


@njit
def _deal_missions(components, state):
    """Shuffle the missions, in a game of one those of its level, and deal them."""
    count, palms = 0, components.solo.levels[components.rules.solo_level].palms
    for mission in range(MISSIONS):
        if state.players > 1 or components.missions[mission].palms == palms:
            state.mission_order[count] = mission
            count += 1
    if count == 0:  # none of this level
        for mission in range(MISSIONS):
            state.mission_order[mission] = mission
        count = MISSIONS
    shuffle(state.key, garden.MISSIONS, state.mission_order, count)
    state.choice = min(count, components.rules.missions_choice + 1)
    if components.rules.missions and state.choice == 1 and not is_dealt(state, ask.MISSION):
        for seat in range(state.players):
            state.mission[seat] = state.mission_order[seat]


@njit
def offer_free(state, words, asks, things, taken):
    """Offer the things of a study's deal (as many as `things`) that are not in the bit set `taken`. Returns their
    number."""
    state.player, state.asks = state.turn, asks
    n = 0
    for thing in range(things):
        if not taken >> thing & 1:
            n = offer(words, n, thing=thing)
    return n


@njit
def held(things, seats):
    """Return the bit set of what the first seats hold."""
    taken = 0
    for seat in range(seats):
        taken |= 1 << int(things[seat])
    return taken


@njit
def offer_missions(state, words):
    """Offer the missions that the next player may choose from. Returns their number."""
    if is_dealt(state, ask.MISSION):
        return offer_free(state, words, ask.MISSION, MISSIONS, held(state.mission, state.turn))
    state.player, state.asks = state.turn, ask.MISSION
    n = 0
    for i in range(state.choice):
        n = offer(words, n, thing=int(state.mission_order[state.turn * state.choice + i]))
    return n


@njit
def offer_corners(state, words):
    """Offer the corner cards that nobody has been allotted. Returns their number."""
    return offer_free(state, words, ask.CORNER, ROUNDS, held(state.dealt_corner, state.turn))


@njit
def offer_places(state, words):
    """Offer the places in the order of taking that are free. Returns their number."""
    return offer_free(state, words, ask.PLACE, state.players, state.slots)


@njit
def take_place(state, seat, place):
    """Give a player a place in the order of taking, as a study deals it; with the last one the order stands."""
    state.place_at[seat, state.this_round * PHASES + state.this_phase] = place
    state.slots |= 1 << place
    state.turn += 1
    if state.turn == state.players:
        for other in range(state.players):
            state.ranking[int(state.place_at[other, state.this_round * PHASES + state.this_phase])] = other
        state.ranked = state.players


@njit
def begin_round(components, state):
    """Begin a round: pawns on Ora et Labora; who plays in which place."""
    state.met[:] = 0 if components.rules.ora_et_labora else REMOVED
    for turn in range(state.sitting):
        seat = (state.starting + turn) % state.sitting
        if seat < state.players:
            state.first_at[seat, state.this_round] = turn


@njit
def take_corner(components, state):
    """Give the corner card of the round to the winner, or to whom a study has allotted it."""
    owner = state.ranking[0] if state.ranked > 0 else NONE
    if is_dealt(state, ask.CORNER):
        owner = NONE
        for seat in range(state.players):
            if state.dealt_corner[seat] == state.this_round:
                owner = seat
    if owner != NONE:
        corner = components.corners[state.this_round]
        state.corner_owner[state.this_round] = owner
        benedicts = corner.per_card * abbots.own_in_room(state, owner)
        state.corner_vp[owner] += corner.vp + benedicts * components.benedicts.vp


@njit
def end_round(components, state):
    """Give everybody a card back, after the last round only if so agreed, and Benedict cards to those who have met all
    conditions."""
    for seat in range(state.sitting):
        automaton = seat == HENRICUS and state.players == 1
        if state.this_round < ROUNDS - 1 or components.rules.last_card_back:
            value = abbots.take_back(state, seat, automaton or components.corners[state.this_round].returns == HIGHEST)
            if automaton and value != NONE:
                solo.turn_up(state, solo.pile_of(value))  # the pile has been shuffled
        abbots.throw_out(state, seat)
        if state.met[seat] == PHASES and not automaton:
            state.benedicts[seat] += 1
            state.earned[seat] += 1


@njit
def imagine(components, state, player, key):
    """Redraw what a player can't know: what is still to come, cards on the piles, missions and starting cards of the
    others."""
    if state.looker != player:
        for i in range(state.known_left):
            state.pile[int(state.known[i])] += 1
            state.pile_left += 1
            state.known[i] = NONE
        state.known_left = 0
    if components.rules.henricus_piles and state.players == 1:  # face down
        solo.lay_top(state, LOW_PILE)
        solo.lay_top(state, HIGH_PILE)
    if not components.rules.points_card:
        for seat in range(state.players):
            if seat != player and state.starting_card[seat] != NONE:
                state.pile[int(state.starting_card[seat])] += 1
        for seat in range(state.players):
            if seat != player and state.starting_card[seat] != NONE:
                state.starting_card[seat] = _redraw(state, key, seat)
    if components.rules.missions and components.rules.missions_secret and state.players > 1:
        _redeal_missions(state, player, key)


@njit
def _redraw(state, key, seat):
    """Return a card from the unseen part of the pile for one that was put back."""
    left = 0
    for count in state.pile:
        left += count
    return garden.pick(state.pile, left, key, garden.STARTING + seat)


@njit
def _redeal_missions(state, player, key):
    """Redraw the missions of the others, and what they may choose from."""
    choice, others, count = state.choice, np.zeros(MISSIONS, np.int64), 0
    own = 1 << int(state.mission[player]) if state.mission[player] != NONE else 0
    for i in range(choice):
        own |= 1 << int(state.mission_order[player * choice + i])
    for mission in range(MISSIONS):
        if not own >> mission & 1:
            others[count] = mission
            count += 1
    shuffle(key, garden.MISSIONS, others, count)
    count = 0
    for seat in range(state.players):
        if seat != player:
            for i in range(choice):
                state.mission_order[seat * choice + i] = others[count]
                count += 1
            if state.mission[seat] != NONE:
                state.mission[seat] = state.mission_order[seat * choice]
