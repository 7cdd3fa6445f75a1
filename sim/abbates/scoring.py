"""The end of the game: the score of each player, the winner; and what is counted."""

from numba import njit

from sim.abbates import solo
from sim.abbates.garden import kind_of
from sim.abbates.state import (
    AREAS,
    BEANS,
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
from sim.contract import WHOLE


@njit
def same_kind(portrait, squares):
    """Return whether all squares of a bit set hold cards of one kind."""
    kind = NONE
    for square in range(SQUARES):
        if squares >> square & 1:
            card = int(portrait[square])
            if card == NONE or (kind != NONE and kind_of(card) != kind):
                return False
            kind = kind_of(card)
    return True


@njit
def complete(mission, portrait):
    """Return whether all areas of a mission (record) are filled, each with one kind."""
    done = True
    for area in range(AREAS):
        done &= same_kind(portrait, mission.areas[area])
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
def score_portrait(components, state, seat):
    """Score what lies on a portrait, and move the abbot for empty squares."""
    portrait = state.portrait[seat]
    for square in range(SQUARES):
        card = int(portrait[square])
        if card == NONE:
            state.empty[seat] += 1
        else:
            state.points[seat, FROM_GARDEN] += state.vp_of[kind_of(card)]
    state.abbot[seat] += state.empty[seat] * components.track.empty_square
    halved = False
    if not components.rules.points_card:
        for line in range(2 * SIDE):
            state.points[seat, FROM_LINES] += line_points(components, portrait, line)
        halved = state.starting_card[seat] != NONE and has_most(state, seat)
    if state.mission[seat] != NONE:
        mission = components.missions[int(state.mission[seat])]
        if same_kind(portrait, mission.areas[0]):
            state.points[seat, FROM_MISSION] = mission.vp
        halved = halved or (mission.halves == 1 and complete(mission, portrait))
    state.halved[seat] = halved
    state.distance[seat] = abs(state.abbot[seat] - state.general)
    state.points[seat, FROM_DISTANCE] = -(state.distance[seat] // 2 if halved else state.distance[seat])


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
