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
def mission_worth(weights, sets, purple, first, second, vp, halves, left):
    """Return the worth of the mission as far as it is filled, and the chance that it halves the cost of a lead."""
    if purple == 0:
        return 0.0, 0.0
    missing = count_ones(purple) - best_count(sets, purple)
    worth, whole = weights.purple * vp * chance(weights, missing, left), 0.0
    if halves:
        missing += count_ones(first) - best_count(sets, first) + count_ones(second) - best_count(sets, second)
        whole = chance(weights, missing, left)
        worth += weights.halving * whole
    return worth, whole


@njit(forceinline=True)
def end_worth(weights, mission, whole, lead, left):
    """Return the worth of the mission less the cost of a lead; mission, whole: see `mission_worth`."""
    cost = track_cost(weights, lead, left)
    return mission - (cost - 0.5 * whole * cost)


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
    now, whole = mission_worth(weights, sets, purple, first, second, vp, halves, left)
    now = end_worth(weights, now, whole, lead, left)
    return View(sets, purple, first, second, vp, halves, lead, fill, left, now)


@njit(forceinline=True)
def mission_with(weights, view, sets):
    """Return `mission_worth` of another portrait."""
    return mission_worth(weights, sets, view.purple, view.first, view.second, view.vp, view.halves, view.left)


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


class Laid(NamedTuple):
    """What a card of a kind on a square of the portrait is worth, its beans left out.

    Attributes:
        points: less those of what lies there now. mission, whole: see `mission_worth`.
    """

    points: Any
    mission: Any
    whole: Any


class Square(NamedTuple):
    """What a square of the portrait gives to a card of each kind, and the beans that count there now."""

    book: Any
    window: Any
    artefact: Any
    beans: Any


@njit(forceinline=True)
def laid_on(components, state, seat, weights, view, kind, square):
    """Return what a card of a kind on a square of the portrait is worth, its beans left out."""
    covered = int(state.portrait[seat, square])
    points, after = state.vp_of[kind] + 0.0, with_card(view.sets, kind, square)
    if covered != NONE:
        points -= state.vp_of[kind_of(covered)]
    if not components.rules.points_card:
        points += lines_gain(components, view.sets, after, square)
    points *= weights.garden
    if covered == NONE:
        points += weights.empty
    if state.starting_card[seat] != NONE:
        own = kind_of(state.starting_card[seat])
        points += weights.own * ((kind == own) - (covered != NONE and kind_of(covered) == own))
    mission, whole = mission_with(weights, view, after)
    return Laid(points, mission, whole)


@njit(forceinline=True)
def beans_on(state, seat, view, square):
    """Return the beans that count on a square of the portrait now: those reckoned with if it is empty."""
    covered = int(state.portrait[seat, square])
    return view.fill if covered == NONE else beans_of(covered) + 0.0


@njit(forceinline=True)
def with_beans(weights, view, laid, beans, instead):
    """Return what a card with so many beans is worth, `instead` of those that count on its square now."""
    return laid.points + (
        end_worth(weights, laid.mission, laid.whole, view.lead + beans - instead, view.left) - view.now
    )


@njit(forceinline=True)
def placed(components, state, seat, weights, view, kind, beans, square):
    """Return what a card on a square is worth, less what lies there now.

    Args:
        kind, beans: of the card. square: of the portrait.
    """
    laid = laid_on(components, state, seat, weights, view, kind, square)
    return with_beans(weights, view, laid, beans, beans_on(state, seat, view, square))


@njit(forceinline=True)
def square_of(components, state, seat, weights, view, square):
    """Return what a square of the portrait gives to a card."""
    return Square(
        laid_on(components, state, seat, weights, view, 0, square),
        laid_on(components, state, seat, weights, view, 1, square),
        laid_on(components, state, seat, weights, view, 2, square),
        beans_on(state, seat, view, square),
    )


@njit(forceinline=True)
def squares_in(components, state, seat, weights, view, line):
    """Return what the squares of a line give to a card: once for all cards, of which there are up to six, and those of
    the pile."""
    squares = components.line[line]
    return (
        square_of(components, state, seat, weights, view, squares[0]),
        square_of(components, state, seat, weights, view, squares[1]),
        square_of(components, state, seat, weights, view, squares[2]),
    )


@njit(forceinline=True)
def on_square(weights, view, square, kind, beans):
    """Return what a card is worth on a square; beans may be a mean."""
    laid = square.book if kind == 0 else square.window if kind == 1 else square.artefact
    return with_beans(weights, view, laid, beans, square.beans)


@njit(forceinline=True)
def best_place(weights, view, squares, kind, beans):
    """Return what a card is worth on the best of three squares."""
    worth = on_square(weights, view, squares[0], kind, beans)
    worth = max(worth, on_square(weights, view, squares[1], kind, beans))
    return max(worth, on_square(weights, view, squares[2], kind, beans))


@njit(forceinline=True)
def card_worth(weights, view, squares, card):
    """Return what a card (index, or NONE) is worth on the best of three squares."""
    return NEVER if card == NONE else best_place(weights, view, squares, kind_of(card), beans_of(card) + 0.0)


@njit(forceinline=True)
def blind_worth(weights, view, squares):
    """Return what a card from the pile is worth on the best of three squares, on average."""
    worth = 0.0
    for kind in range(len(KINDS)):
        worth += best_place(weights, view, squares, kind, view.fill)
    return worth / len(KINDS)
