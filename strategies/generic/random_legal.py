"""Choose any option, each as likely as the next."""

from sim.chance import draw


def choose(components, state, options, n, weights):
    """Draw from the strategies' own chance."""
    return draw(state.noise, state.decision, n)
