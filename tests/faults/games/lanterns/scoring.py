"""The end: points, who wins, and what is counted."""

from numba import njit

from sim.contract import WHOLE

from .state import counts


@njit
def rank(components, state, seat):
    """Return a number that is larger for who stands better."""
    if components.rules.level == 1:
        return state.score[seat] * 100 + state.lanterns[seat]
    return state.score[seat]


@njit
def share_win(components, state, outcome):
    """Share the win among those who stand best."""
    best = -1
    winners = 0
    for seat in range(state.players):
        mine = rank(components, state, seat)
        if mine > best:
            best, winners = mine, 0
        winners += mine == best
    for seat in range(state.players):
        outcome.share[seat] = WHOLE // winners if rank(components, state, seat) == best else 0


@njit
def count(components, state, outcome):
    """Write down what each player did."""
    for seat in range(state.players):
        lanterns = state.lanterns[seat]
        done = counts(outcome.numbers[seat])
        done.points[0] = state.gold[seat] * components.points.gold
        done.points[1] = components.points.lantern * (lanterns * (lanterns + 1) // 2)
        done.points[2] = state.last[seat] * components.points.last
        done.tricks = state.tricks[seat]
        done.leads = state.leads[seat]
        done.highest = state.highest[seat]
        outcome.score[seat] = state.score[seat]
        if state.gold[seat] > lanterns:
            outcome.categories[seat, 0] = 0
        elif lanterns > state.gold[seat]:
            outcome.categories[seat, 0] = 1
        else:
            outcome.categories[seat, 0] = 2
