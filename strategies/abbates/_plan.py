"""One way to play for all plans: weigh every option by what it brings and costs, take the best. They differ in their
weights."""

from numba import njit

from sim.abbates import ask
from sim.abbates.abbots import own_in_room
from sim.abbates.garden import beans_of, kind_of, line_of
from sim.abbates.state import NONE, ROUNDS, SIDE
from sim.compiled import borrowed
from strategies._best import NEVER, best_of, first_weight
from strategies.abbates._cards import best_card, shared
from strategies.abbates._portrait import phases_left
from strategies.abbates._weights import COUNT, named
from strategies.abbates._worth import (
    card_worth,
    end_worth,
    lines_gain,
    mission_with,
    mission_worth,
    placed,
    squares_in,
    track_cost,
    view_of,
    with_card,
)


@njit(forceinline=True)
def square_worth(components, state, weights, view, option):
    """Return the worth of a card on a square of the portrait."""
    card = int(option.thing)
    return placed(
        components, state, state.player, weights, view, kind_of(card), beans_of(card) + 0.0, int(option.square)
    )


@njit
def best_square(components, state, options, n, weights):
    """Return which card to take and where to put it."""
    view = view_of(components, state, state.player, weights, phases_left(state))
    return best_of(square_worth, components, state, weights, view, options, n)


@njit
def best_of_line(components, state, weights, view, squares, line, instead, card):
    """Return what the best card of a row or column is worth in the general's line, with another card on one of its
    squares.

    Args:
        squares: of the general's line, see `squares_in`. line: index into components.line.
        instead: square of the garden, or NONE. card: that lies there instead.
    """
    best = NEVER
    for i in range(SIDE):
        square = components.line[line, i]
        lies = card if square == instead else int(state.garden[square])
        best = max(best, card_worth(weights, view, squares, lies))
    return best


@njit
def moved_worth(components, state, seat, weights, view, square, other):
    """Return what it is worth to let two cards of the portrait change places."""
    one, two = kind_of(state.portrait[seat, square]), kind_of(state.portrait[seat, other])
    half = with_card(view.sets, two, square)
    after = with_card(half, one, other)
    mission, whole = mission_with(weights, view, after)
    worth = end_worth(weights, mission, whole, view.lead, view.left) - view.now
    if not components.rules.points_card:
        worth += weights.garden * (
            lines_gain(components, view.sets, half, square) + lines_gain(components, half, after, other)
        )
    return worth


@njit
def removal_worth(components, state, seat, weights, view, value, other):
    """Return what it is worth that a card leaves the Chapter Room: the general goes back, and a corner to come counts
    one card less."""
    worth, counted = track_cost(weights, view.lead, view.left), 0
    worth -= track_cost(weights, view.lead + components.abbots.white[value - 1], view.left)
    for later in range(state.this_round, ROUNDS):
        counted += components.corners[later].per_card * components.benedicts.vp
    part = shared(state, weights) - 1.0 if other != seat else -1.0
    return worth + part * weights.room * counted * max(1, own_in_room(state, other)) / (ROUNDS + 1)


@njit
def dealt_worth(components, state, weights, thing):
    """Return what a mission is worth before the first card."""
    mission = components.missions[thing]
    view = view_of(components, state, state.player, weights, phases_left(state) + 1)
    worth, whole = mission_worth(
        weights, view.sets, mission.areas[0], mission.areas[1], mission.areas[2], mission.vp, mission.halves, view.left
    )
    return end_worth(weights, worth, whole, view.lead, view.left)


@njit
def option_worth(components, state, weights, view, option):
    """Return the worth of an option of the rarer kinds of decisions; to pass is worth nothing."""
    seat, asks, thing = state.player, state.asks, int(option.thing)
    square, other = int(option.square), int(option.other)
    if asks == ask.MISSION:
        return dealt_worth(components, state, weights, thing)
    if asks == ask.ORDER:  # the others draw first
        return -state.vp_of[kind_of(thing)] + 0.1 * beans_of(thing)
    if not option.act:
        return 0.0
    if asks == ask.LOOK:
        return 1.0
    if asks == ask.SWAP:
        return placed(components, state, seat, weights, view, kind_of(thing), beans_of(thing) + 0.0, square)
    if asks == ask.MOVE:
        return moved_worth(components, state, seat, weights, view, square, other)
    if asks == ask.REMOVE:
        return removal_worth(components, state, seat, weights, view, thing, other)
    here = line_of(state)
    squares = squares_in(components, state, seat, weights, view, here)
    before = best_of_line(components, state, weights, view, squares, here, NONE, NONE)
    if asks == ask.EXCHANGE:
        return best_of_line(components, state, weights, view, squares, here, square, thing) - before
    if asks == ask.LINE:
        return best_of_line(components, state, weights, view, squares, other, NONE, NONE) - before
    return 0.0


@njit
def best_other(components, state, options, n, weights):
    """Return the best option of the rarer kinds of decisions, of equals the first."""
    view = view_of(components, state, state.player, weights, phases_left(state))
    return best_of(option_worth, components, state, weights, view, options, n)


def choose(components, state, options, n, weights):
    """Return the index of the option that is worth most, of equals the first; −1, which is refused, if weights are
    missing.

    Args:
        components, state, options, n: see `sim.contract`. weights: those of `_weights`, the same in all rounds or round
            by round.
    """
    first = first_weight(state, weights, COUNT, ROUNDS)
    if first < 0:  # what is not there must not be read
        return -1
    options, weights, asks = borrowed(options), named(borrowed(weights)[first:]), state.asks
    if asks == ask.ABBOT:
        return best_card(components, state, options, n, weights)
    if asks in (ask.TAKE, ask.BLIND):
        return best_square(components, state, options, n, weights)
    return best_other(components, state, options, n, weights)
