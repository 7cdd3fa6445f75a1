"""Run when somebody is at least so many spaces ahead of you, unless a walk takes you home."""

WEIGHTS = {"behind": 1.0}


def choose(components, state, options, n, weights):
    """Return the number of an option, 0 to n − 1."""
    mine = state.score[state.player]
    if mine + components.steps >= components.home:
        return 0
    for seat in range(state.players):
        if state.score[seat] - mine >= weights[0]:
            return 1
    return 0
