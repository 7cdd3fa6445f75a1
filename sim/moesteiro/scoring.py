"""The end of the game: sets of different tiles, the labour track, the winner; and what is counted."""

import numpy as np
from numba import njit

from sim.compiled import borrowed
from sim.contract import WHOLE
from sim.moesteiro.state import (
    AREAS,
    CONSTRUCTION_TILES,
    FROM_SETS,
    FROM_TRACK,
    MOST_SPACES,
    NONE,
    PURCHASES,
    ROUNDS,
    SOURCES,
    counts,
)

LARGEST_SET = 5


@njit
def set_points(tiles, set_vp):
    """Return the most points that these tiles make in sets of different kinds.

    Args:
        tiles: int64 (kinds,), how many of each kind. set_vp: int64 (6,), points of a set by the number of different
            tiles, [0] = 0.

    Sets of sizes k₁ ≥ k₂ ≥ … can be made if for every j the j largest need no more than Σ min(count, j) tiles (Gale and
    Ryser). Where each further tile of a set brings at least as much as the one before, the largest sets first are best;
    else all sizes are tried.
    """
    total, rising = 0, True
    for count in tiles:
        total += count
    for size in range(2, LARGEST_SET + 1):
        rising &= set_vp[size] - set_vp[size - 1] >= set_vp[size - 1] - set_vp[size - 2]
    if not rising:
        return _best_sets(tiles, set_vp)
    points, used, sets = 0, 0, 0
    while used < total:
        sets += 1
        room = -used
        for count in tiles:
            room += min(count, sets)
        size = min(LARGEST_SET, room)
        used += size
        points += set_vp[size]
    return points


@njit
def _best_sets(tiles, set_vp):
    """Return the same for any points, by trying every largest size, then every next one: best[size, used] after each
    set."""
    total = tiles.sum()
    best = np.full((LARGEST_SET + 1, total + 1), -1)
    best[LARGEST_SET, 0] = 0
    points = 0
    for sets in range(1, total + 1):
        room = 0
        for count in tiles:
            room += min(count, sets)
        after = np.full((LARGEST_SET + 1, total + 1), -1)
        for last in range(1, LARGEST_SET + 1):
            for used in range(total + 1):
                if best[last, used] >= 0:
                    for size in range(1, min(last, room - used) + 1):
                        value = best[last, used] + set_vp[size]
                        after[size, used + size] = max(after[size, used + size], value)
                        points = max(points, value)
        best = after
    return points


@njit
def score_end(components, state):
    """Score the sets and the labour track."""
    for seat in range(state.players):
        sets, track = (
            set_points(borrowed(state.tiles[seat]), borrowed(components.sets.of_size)),
            components.tracks.labour.vp[state.labour[seat]],
        )
        state.points[seat, FROM_SETS] += sets
        state.points[seat, FROM_TRACK] += track
        state.score[seat] += sets + track


@njit
def winner(state):
    """Return the seat with the most points; ties go to the left on the labour track, then to the higher in the
    stack."""
    best = 0
    for seat in range(1, state.players):
        lead, left = state.score[seat] - state.score[best], state.labour[best] - state.labour[seat]
        if lead > 0 or (lead == 0 and (left > 0 or (left == 0 and state.height[seat] > state.height[best]))):
            best = seat
    return best


@njit
def count(components, state, outcome):
    """Fill the outcome: scores, win shares, and what was done (state.counts, and state.CATEGORIES in their order)."""
    won = winner(state)
    outcome.numbers[:, :] = 0
    for seat in range(state.players):
        outcome.score[seat] = state.score[seat]
        outcome.share[seat] = WHOLE if seat == won else 0
        done, labels = counts(outcome.numbers[seat]), outcome.categories[seat]
        for i in range(len(SOURCES)):
            done.points[i] = state.points[seat, i]
        for i in range(ROUNDS):
            done.after[i] = state.after[seat, i]
            labels[i] = state.kings[seat, i]
            labels[ROUNDS + i] = state.chose_at[seat, i]
            labels[2 * ROUNDS + i] = state.turn_at[seat, i]
        for i in range(len(AREAS)):
            done.dice[i] = state.placed[seat, i]
            done.passes[i] = state.passed[seat, i]
        done.pips_bought = state.pips_bought[seat]
        for i in range(len(PURCHASES)):
            done.purchase[i] = state.purchased[seat, i]
    i = 0
    for row in range(components.village.rows):
        for space in range(components.village.row_spaces):
            seat = int(state.space_owner[i])
            if seat != NONE:
                done = counts(outcome.numbers[seat])
                done.village_space[row * MOST_SPACES + space] = 1
                done.village_tile[int(state.space_tile[i])] = 1
            i += 1
    for i in range(2 * CONSTRUCTION_TILES):
        builder = int(state.builder[i])
        if builder != NONE:
            done = counts(outcome.numbers[builder & 3])
            if builder < 4:
                done.completed[i] = 1
            else:
                done.unfinished[i] = 1
