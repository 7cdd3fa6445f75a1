"""Lay the highest card that you have; take lanterns while so many tricks are left, and gold at the end."""

WEIGHTS = {"lanterns": 1.0}


def choose(components, state, options, n, weights):
    """Return the number of an option."""
    if state.asks == 1:
        return 0 if components.tricks - state.taken > weights[0] or state.lanterns[state.player] > 1 else 1
    best = 0
    for i in range(1, n):
        if options[i].card > options[best].card:
            best = i
    return best
