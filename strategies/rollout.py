"""Play each option on to the end of the game, everybody by the policy, in imagined worlds that are the same for all
options."""

from numba import njit

from strategies._looking import halving, play_on, value

BUDGET = 400  # games played on for a decision


@njit
def play_out(
    advance,
    apply,
    imagine,
    tally,
    policy,
    components,
    worlds,
    buffer,
    weights,
    outcomes,
    nodes,
    option,
    used,
    seat,
    chance,
):
    """Play worlds[1] on to its end; return its worth to a seat and the number of nodes used, −1 after a choice that is
    not allowed."""
    world = worlds[1]
    if not play_on(advance, apply, policy, components, world, buffer, weights):
        return 0.0, -1
    tally(components, world, outcomes[0])
    return value(outcomes[0], world.players, seat), used


halve = halving(play_out)


def think(
    advance,
    apply,
    imagine,
    tally,
    policy,
    components,
    state,
    options,
    n,
    weights,
    worlds,
    buffer,
    outcomes,
    nodes,
    budget,
):
    """Return the option that does best; arguments: see `sim.contract`."""
    return halve(
        advance,
        apply,
        imagine,
        tally,
        policy,
        components,
        state,
        options,
        n,
        weights,
        worlds,
        buffer,
        outcomes,
        nodes,
        budget,
    )
