"""The end of the game: the score of each player, the winner; and what is counted."""

import numpy as np
from numba import njit

from sim.abbates import solo
from sim.abbates.garden import kind_of
from sim.abbates.state import (
    AREAS,
    BEANS,
    CARDS,
    EFFECTS,
    FROM_BENEDICTS,
    FROM_CORNERS,
    FROM_DISTANCE,
    FROM_GARDEN,
    FROM_LINES,
    FROM_MISSION,
    HENRICUS,
    KINDS,
    NONE,
    PHASES,
    ROUNDS,
    SIDE,
    SOURCES,
    SQUARES,
    counts,
)
from sim.compiled import count_ones, in_python
from sim.contract import WHOLE

# A portrait as bit sets of its squares, one for each kind of card that lies on top and the last one for the empty
# squares: LANE bits each. So nothing is looked for square by square, and no branch can be guessed wrong.
LANE, ALL = 16, (1 << SQUARES) - 1
FIRST_SQUARE = np.zeros(NONE + 1, np.int64)  # of the bit set that a card belongs to, NONE too
FIRST_SQUARE[:CARDS] = [1 << LANE * in_python(kind_of)(card) for card in range(CARDS)]
FIRST_SQUARE[NONE] = 1 << LANE * len(KINDS)


@njit(forceinline=True)
def bit_sets(state, seat):
    """Return a portrait as bit sets of its squares."""
    laid = 0
    for square in range(SQUARES):
        laid |= FIRST_SQUARE[int(state.portrait[seat, square])] << square
    return laid


@njit(forceinline=True)
def same_kind(laid, squares):
    """Return whether all squares of a bit set hold cards of one kind."""
    same = False
    for kind in range(len(KINDS)):
        same |= squares & ~(laid >> LANE * kind) == 0
    return same


@njit
def complete(mission, laid):
    """Return whether all areas of a mission (record) are filled, each with one kind."""
    done = True
    for area in range(AREAS):
        done &= same_kind(laid, mission.areas[area])
    return done


@njit
def line_points(components, portrait, line):
    """Return the points of a row or column by its kinds, where no points card is used."""
    of_kind, most, kinds = 0, 0, 0
    for i in range(SIDE):
        card = int(portrait[components.line[line, i]])
        if card != NONE:
            of_kind += 1 << 2 * kind_of(card)
    for kind in range(len(KINDS)):
        count = of_kind >> 2 * kind & 3
        most = max(most, count)
        kinds += count > 0
    if most >= 2:
        return components.lines[SIDE - most]
    return components.lines[2] if kinds == SIDE else 0


@njit
def cards_of_kind(state, seat, kind):
    """Return how many cards of a kind a player has: on top of the portrait; Henricus: in his pile."""
    count = 0
    if seat == HENRICUS and state.players == 1:
        for beans in range(BEANS):
            count += state.henricus[kind * BEANS + beans]
        return count
    for square in range(SQUARES):
        card = int(state.portrait[seat, square])
        count += card != NONE and kind_of(card) == kind
    return count


@njit
def has_most(state, seat):
    """Return whether nobody has more cards than this player of the kind of the starting card, and there is one."""
    kind = kind_of(state.starting_card[seat])
    own = cards_of_kind(state, seat, kind)
    for other in range(state.sitting):
        if cards_of_kind(state, other, kind) > own:
            return False
    return own > 0


@njit
def count_portrait(components, state, seat):
    """Return what lies on a portrait: points of garden cards, of rows and columns, of the mission; empty squares;
    whether the minus points are halved."""
    laid = bit_sets(state, seat)
    garden, lines, bonus, halved = 0, 0, 0, False
    for kind in range(len(KINDS)):
        garden += state.vp_of[kind] * count_ones(laid >> LANE * kind & ALL)
    empty = count_ones(laid >> LANE * len(KINDS))
    if not components.rules.points_card:
        for line in range(2 * SIDE):
            lines += line_points(components, state.portrait[seat], line)
        halved = state.starting_card[seat] != NONE and has_most(state, seat)
    if state.mission[seat] != NONE:
        mission = components.missions[int(state.mission[seat])]
        bonus = mission.vp if same_kind(laid, mission.areas[0]) else 0
        halved = halved or (mission.halves == 1 and complete(mission, laid))
    return garden, lines, bonus, empty, halved


@njit
def minus_points(distance, halved):
    """Return the minus points for a distance to the general."""
    return distance // 2 if halved else distance


@njit
def standing(components, state, seat):
    """Return the score that a seat would have if the game were over; of the second seat in a game of one: Henricus'."""
    if seat == HENRICUS and state.players == 1:
        return solo.score(components, state)
    garden, lines, bonus, empty, halved = count_portrait(components, state, seat)
    distance = abs(state.abbot[seat] + empty * components.track.empty_square - state.general)
    benedicts = components.benedicts.vp * state.benedicts[seat]
    return garden + lines + bonus + state.corner_vp[seat] + benedicts - minus_points(distance, halved)


@njit
def score_portrait(components, state, seat):
    """Score what lies on a portrait, and move the abbot for empty squares."""
    garden, lines, bonus, state.empty[seat], halved = count_portrait(components, state, seat)
    state.points[seat, FROM_GARDEN] = garden
    state.points[seat, FROM_LINES] = lines
    state.points[seat, FROM_MISSION] = bonus
    state.abbot[seat] += state.empty[seat] * components.track.empty_square
    state.halved[seat] = halved
    state.distance[seat] = abs(state.abbot[seat] - state.general)
    state.points[seat, FROM_DISTANCE] = -minus_points(state.distance[seat], halved)


@njit
def score_end(components, state):
    """Score all players."""
    for seat in range(state.players):
        score_portrait(components, state, seat)
        state.points[seat, FROM_CORNERS] = state.corner_vp[seat]
        state.points[seat, FROM_BENEDICTS] = state.benedicts[seat] * components.benedicts.vp
        state.score[seat] = state.points[seat].sum()
    if state.players == 1:
        state.score[HENRICUS] = solo.score(components, state)
        state.distance[HENRICUS] = abs(state.abbot[HENRICUS] - state.general)


@njit
def share_win(state, outcome):
    """Share the win among those with most points, then with most cards of the kind on aequalis; in a game of one a tie
    is won."""
    if state.players == 1:
        outcome.automaton = state.score[HENRICUS]
        outcome.share[0] = WHOLE if state.score[0] >= state.score[HENRICUS] else 0
        return
    best, winners = -(1 << 40), 0
    for seat in range(state.players):
        merit = state.score[seat] * (SQUARES + 1)
        if state.points_card[3] != NONE:
            merit += cards_of_kind(state, seat, kind_of(state.points_card[3]))
        if merit > best:
            best, winners = merit, 0
        if merit == best:
            winners |= 1 << seat
    count = 0
    for seat in range(state.players):
        count += winners >> seat & 1
    for seat in range(state.players):
        outcome.share[seat] = WHOLE // count if winners >> seat & 1 else 0


@njit
def count(components, state, outcome):
    """Fill the outcome: scores, win shares, and what was done (state.counts, and state.CATEGORIES in their order)."""
    share_win(state, outcome)
    outcome.numbers[:, :] = 0
    outcome.categories[:, :] = -1
    for seat in range(state.players):
        outcome.score[seat] = state.score[seat]
        done, labels = counts(outcome.numbers[seat]), outcome.categories[seat]
        for i in range(len(SOURCES)):
            done.points[i] = state.points[seat, i]
        done.phases_won = state.won[seat]
        done.distance = state.distance[seat]
        done.halved = state.halved[seat]
        done.empty = state.empty[seat]
        done.overbuilt = state.overbuilt[seat]
        done.blind = state.blind[seat]
        done.benedicts_earned = state.earned[seat]
        done.benedicts_played = state.benedicts_played[seat]
        done.forced_duplicate = state.repeated[seat]
        done.without_card = state.without_card[seat]
        for place in range(len(KINDS)):
            card = int(state.points_card[place])
            done.kind[place] = cards_of_kind(state, seat, kind_of(card)) if card != NONE else 0
        for effect in range(1, len(EFFECTS)):
            done.action[effect - 1] = state.used[seat, effect]
        if state.mission[seat] != NONE:
            labels[0] = state.mission[seat]
        for r in range(ROUNDS):
            owned = state.corner_owner[r] == seat
            done.corner[r] = owned
            if owned:
                labels[1 + r] = r
        if state.dealt_corner[seat] != NONE:
            labels[1 + ROUNDS] = state.dealt_corner[seat]
        for i in range(ROUNDS * PHASES):
            labels[2 + ROUNDS + i] = state.place_at[seat, i]
        for r in range(ROUNDS):
            labels[2 + ROUNDS + ROUNDS * PHASES + r] = state.first_at[seat, r]
