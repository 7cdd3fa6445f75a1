"""Roll until the turn has brought a set number of points, or enough to win."""

WEIGHTS = {"hold": 20.0}


def choose(components, state, options, n, weights):
    """Hold from weights[0] points on."""
    return 0 if state.score[state.player] + state.turn >= components.goal or state.turn >= weights[0] else 1
