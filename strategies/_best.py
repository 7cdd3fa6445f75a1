"""The best option by what each is worth, for any strategy that can say so."""

from numba import njit

NEVER = -1e9  # worth of what can't be had


@njit(forceinline=True)
def best_of(worth_of, components, state, weights, view, options, n):
    """Return the index of the option that is worth most, of equals the first.

    Args:
        worth_of: kernel worth_of(components, state, weights, view, option) -> float64. components, state, options, n:
            see `sim.contract`.
        view: what it needs of the position and would otherwise find out for each option anew.
    """
    best, most = 0, NEVER
    for i in range(n):
        worth = worth_of(components, state, weights, view, options[i])
        if worth > most:
            best, most = i, worth
    return best


@njit(forceinline=True)
def first_weight(state, weights, count, rounds):
    """Return where the weights of this round begin: of `count` for all rounds or for each; −1 if some are missing, as
    in a user's file."""
    if len(weights) == rounds * count:
        return state.this_round * count
    return 0 if len(weights) == count else -1
