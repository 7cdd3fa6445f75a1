"""Play each option on to the end of the game, everybody by the policy, in imagined worlds that are the same for all
options."""

from numba import njit

from strategies._looking import halving, play_on, value

BUDGET = 400  # games played on for a decision


@njit
def play_out(entries, policy, components, weights, desk, option, used, seat, chance):
    """Play worlds[1] on to its end; return its worth to a seat and the number of nodes used, −1 after a choice that is
    not allowed."""
    world = desk.worlds[1]
    if not play_on(entries, policy, components, world, desk.buffer, weights):
        return 0.0, -1
    entries.tally(components, world, desk.outcomes[0])
    return value(desk.outcomes[0], world.players, seat), used


halve = halving(play_out)


def think(entries, policy, components, state, options, n, weights, desk, budget):
    """Return the option that does best; arguments: see `sim.contract`."""
    return halve(entries, policy, components, state, options, n, weights, desk, budget)
