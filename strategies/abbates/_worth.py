"""What a garden card on a square of the portrait is worth to a plan."""

from typing import Any, NamedTuple

from numba import njit

from sim.abbates.garden import beans_of, kind_of
from sim.abbates.scoring import LANE
from sim.abbates.state import KINDS, NONE, SIDE
from sim.compiled import count_ones
from strategies._best import NEVER
from strategies.abbates._portrait import (
    LAST,
    empty_squares,
    mean_beans,
    mean_white,
    squares_of,
    wins_left,
)

TINY = 1e-9


class View(NamedTuple):
    """What a player sees of the own portrait: squares by kind, areas of the mission, where abbot and general are likely
    to end."""

    sets: Any
    purple: Any
    first: Any  # the other areas
    second: Any
    vp: Any  # of the purple area
    halves: Any
    lead: Any  # of the abbot before the general
    fill: Any  # beans reckoned with for each empty square
    left: Any  # garden cards to come after this one
    now: Any  # worth of the mission and the lead as they are


@njit(forceinline=True)
def best_count(sets, area):
    """Return how many squares of an area hold the kind that most of them hold."""
    books, windows, artefacts = sets & area, sets >> LANE & area, sets >> 2 * LANE & area
    return max(count_ones(books), count_ones(windows), count_ones(artefacts))


@njit(forceinline=True)
def chance(weights, missing, left):
    """Return the chance to fill squares that are missing with as many cards to come."""
    return max(0.0, 1.0 - weights.hard * missing / (left + 1.0))


@njit(forceinline=True)
def track_cost(weights, lead, left):
    """Return what a lead costs at the end: a small one can be made up for by the cards to come."""
    return weights.step * lead * lead / (abs(lead) + weights.spread * left + TINY)


@njit(forceinline=True)
def end_worth(weights, sets, purple, first, second, vp, halves, lead, left):
    """Return the worth of the mission as far as it is filled, less the cost of a lead."""
    cost = track_cost(weights, lead, left)
    if purple == 0:
        return -cost
    missing = count_ones(purple) - best_count(sets, purple)
    worth = weights.purple * vp * chance(weights, missing, left)
    if halves:
        missing += count_ones(first) - best_count(sets, first) + count_ones(second) - best_count(sets, second)
        whole = chance(weights, missing, left)
        worth += weights.halving * whole
        cost -= 0.5 * whole * cost
    return worth - cost


@njit(forceinline=True)
def view_of(components, state, seat, weights, left):
    """Return what a player sees of the own portrait with so many garden cards to come."""
    sets, fill, purple, first, second, vp, halves = squares_of(state, seat), mean_beans(components), 0, 0, 0, 0, 0
    if state.mission[seat] != NONE:
        mission = components.missions[int(state.mission[seat])]
        purple, first, second, vp, halves = (
            mission.areas[0],
            mission.areas[1],
            mission.areas[2],
            mission.vp,
            mission.halves,
        )
    general = state.general + wins_left(state) * weights.white * mean_white(components)
    lead = state.abbot[seat] + empty_squares(sets) * fill - general
    now = end_worth(weights, sets, purple, first, second, vp, halves, lead, left)
    return View(sets, purple, first, second, vp, halves, lead, fill, left, now)


@njit(forceinline=True)
def end_of(weights, view, sets, lead):
    """Return the worth of another portrait's mission and lead, less that of the present ones."""
    return (
        end_worth(weights, sets, view.purple, view.first, view.second, view.vp, view.halves, lead, view.left) - view.now
    )


@njit
def line_points(components, sets, line):
    """Return the points of a row or column (bit set of its squares) where there is no points card; as in
    `sim.abbates.scoring`."""
    most = best_count(sets, line)
    if most >= 2:
        return components.lines[SIDE - most]
    return components.lines[2] if count_ones(sets >> LAST & line) == SIDE else 0


@njit
def lines_gain(components, before, after, square):
    """Return the points that the row and the column of a square gain, and half of what a line that is begun may
    become."""
    row, column = 7 << square // SIDE * SIDE, 73 << square % SIDE
    gain = line_points(components, after, row) - line_points(components, before, row)
    gain += line_points(components, after, column) - line_points(components, before, column)
    return gain + 0.0


@njit(forceinline=True)
def with_card(sets, kind, square):
    """Return the squares by kind with a card of a kind on top of one."""
    kinds = 1 | 1 << LANE | 1 << 2 * LANE
    return sets & ~(kinds << square) | (1 << LANE * kind | 1 << LAST) << square


@njit(forceinline=True)
def placed(components, state, seat, weights, view, kind, beans, square):
    """Return what a card on a square is worth, less what lies there now.

    Args:
        kind, beans: of the card; beans may be a mean. square: of the portrait.
    """
    covered = int(state.portrait[seat, square])
    worth, lead = state.vp_of[kind] + 0.0, view.lead + beans
    after = with_card(view.sets, kind, square)
    if covered == NONE:
        lead -= view.fill
    else:
        worth -= state.vp_of[kind_of(covered)]
        lead -= beans_of(covered)
    if not components.rules.points_card:
        worth += lines_gain(components, view.sets, after, square)
    worth *= weights.garden
    if covered == NONE:
        worth += weights.empty
    if state.starting_card[seat] != NONE:
        own = kind_of(state.starting_card[seat])
        worth += weights.own * ((kind == own) - (covered != NONE and kind_of(covered) == own))
    return worth + end_of(weights, view, after, lead)


@njit(forceinline=True)
def best_place(components, state, seat, weights, view, kind, beans, line):
    """Return what a card is worth on the best square of a line."""
    squares = components.line[line]
    worth = placed(components, state, seat, weights, view, kind, beans, squares[0])
    worth = max(worth, placed(components, state, seat, weights, view, kind, beans, squares[1]))
    return max(worth, placed(components, state, seat, weights, view, kind, beans, squares[2]))


@njit
def card_worth(components, state, seat, weights, view, card, line):
    """Return what a card (index, or NONE) is worth on the best square of a line."""
    return (
        NEVER
        if card == NONE
        else best_place(components, state, seat, weights, view, kind_of(card), beans_of(card) + 0.0, line)
    )


@njit
def blind_worth(components, state, seat, weights, view, line):
    """Return what a card from the pile is worth on the best square of a line, on average."""
    worth = 0.0
    for kind in range(len(KINDS)):
        worth += best_place(components, state, seat, weights, view, kind, view.fill, line)
    return worth / len(KINDS)
