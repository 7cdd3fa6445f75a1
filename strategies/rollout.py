"""Play each option on to the end of the game in imagined worlds, the same for all options, and drop the worse half again and again.

From: sequential halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013), with paired worlds.
"""

import numpy as np
from numba import njit

from strategies._looking import play_on, value, world_key

BUDGET = 400  # games played on for a decision
SURE = 1.0  # standard errors by which another option must beat the policy's own choice


@njit
def gain(node):
    """Return by how much an option was better than the policy's own choice, on average."""
    return node.total / max(1, node.visits)


@njit
def best_first(nodes, left):
    """Sort the options that are left but for the first, the policy's own: the best of them first."""
    for i in range(2, left):
        option, at = nodes[i].path, i
        while at > 1 and gain(nodes[nodes[at - 1].path]) < gain(nodes[option]):
            nodes[at].path = nodes[at - 1].path
            at -= 1
        nodes[at].path = option


@njit
def is_better(node):
    """Return whether an option is better than the policy's own choice by more than chance."""
    visits, mean = node.visits, gain(node)
    return visits > 0 and mean > SURE * np.sqrt(max(0.0, node.square / visits - mean**2 + 0.1 / visits) / visits)


def think(advance, apply, imagine, tally, policy, components, state, options, n, weights, worlds, buffer, outcomes, nodes, budget):
    """Return the best option; the policy's own choice stays until another is better by more than chance, world by world.

    Args:
        advance, apply, …, budget: see `sim.contract`. nodes[i]: of option i, `total` and `square` of its values less those of the policy's
            own choice in the same worlds; nodes[k].path: the k-th option that is left, the policy's own first.
    """
    own = policy(components, state, options, n, weights)
    if np.uint64(own) >= np.uint64(n):
        return own
    nodes[0].path, left = own, 1
    for i in range(n):
        nodes[i].visits, nodes[i].total, nodes[i].square = 0, 0.0, 0.0
        if i != own and left < budget:
            nodes[left].path = i
            left += 1
    rounds, others = 1, left - 1
    while others > 1:
        rounds, others = rounds + 1, (others + 1) // 2
    seat, spent, world = state.player, 0, 0
    while rounds > 0 and left > 1:
        for _ in range(max(1, (budget - spent) // (rounds * left))):
            if spent + left > budget:
                break
            worlds[0] = state
            imagine(components, worlds[0], seat, world_key(state, world))
            base = 0.0
            for at in range(left):
                option = nodes[at].path
                worlds[1] = worlds[0]
                apply(components, worlds[1], options[option])
                if not play_on(advance, apply, policy, components, worlds[1], buffer, weights):
                    return -1
                tally(components, worlds[1], outcomes[0])
                worth = value(outcomes[0], state.players, seat)
                base = worth if at == 0 else base
                node = nodes[option]
                node.visits += 1
                node.total += worth - base
                node.square += (worth - base) ** 2
            spent, world = spent + left, world + 1
        best_first(nodes, left)
        rounds -= 1
        if rounds > 0:
            left = 1 + left // 2
    return nodes[1].path if left > 1 and is_better(nodes[nodes[1].path]) else own
