"""Search the decisions to come as a tree, in imagined worlds, everybody for their own good; beyond the tree all play by the policy.

From: Monte Carlo tree search with worlds imagined at the root (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
2012), options tried little by little (Coulom, "Computing Elo ratings of move patterns", 2007: progressive widening), the same worlds for all
options of the root.
"""

import numpy as np
from numba import njit

from sim.chance import draw, mix
from strategies._looking import hash_of, microseconds, play_on, value, world_key

BUDGET = 1_000  # games played on for a decision
DEEPEST = 60  # decisions in the tree
EXPLORE = 0.35  # weight of what was seldom tried, on a scale from loss (0) to win (1)
WIDEN = 1.5  # options tried after v visits: 1 + WIDEN · √v
EVERY = 8  # games between two looks at the clock


@njit
def new_node(nodes, at, key):
    """Write a blank node."""
    node = nodes[at]
    node.key, node.visits, node.total, node.child, node.next = key, 0, 0.0, -1, -1


@njit
def child_of(nodes, parent, key):
    """Return the node of the option with this hash among those looked at, or −1."""
    at = nodes[parent].child
    while at >= 0 and nodes[at].key != key:
        at = nodes[at].next
    return at


@njit
def follow(nodes, parent, options, n, own, chance):
    """Return the option to follow and its node, −1 if it has none yet.

    One more option is tried each time that the visits allow it: the policy's own choice first, then any other. Else the one with the best
    upper bound is followed.

    Args:
        nodes, parent: the tree and the decision's node. options, n: what can be chosen. own: the policy's own choice.
        chance: key of what is drawn at random here.
    """
    visits, known, unknown, found, found_node, most = nodes[parent].visits, 0, 0, own, -1, -1.0
    fresh = own
    for i in range(n):
        at = child_of(nodes, parent, hash_of(options, i))
        if at < 0:
            unknown += 1
            if draw(chance, i, unknown) == 0:
                fresh = i
        else:
            known += 1
            node = nodes[at]
            bound = node.total / node.visits + EXPLORE * np.sqrt(np.log(visits + 1.0) / node.visits)
            if bound > most:
                found, found_node, most = i, at, bound
    if known == 0:
        return own, -1
    if unknown > 0 and known < 1 + WIDEN * np.sqrt(visits):
        return fresh, -1
    return found, found_node


@njit
def most_visited(nodes, options, n, own):
    """Return the option of the root that was followed most often; of equals the better one."""
    best, most, total = own, 0, -1.0
    for i in range(n):
        at = child_of(nodes, 0, hash_of(options, i))
        if at >= 0 and (nodes[at].visits > most or (nodes[at].visits == most and nodes[at].total > total)):
            best, most, total = i, nodes[at].visits, nodes[at].total
    return best


def think(advance, apply, imagine, tally, policy, components, state, options, n, weights, worlds, buffer, outcomes, nodes, budget):
    """Return the option that was followed most often.

    Args:
        advance, apply, …, budget: see `sim.contract`. nodes[0] is the decision itself; nodes[d].path: the d-th node on the way down, nodes[d].who:
            the seat that chose it.
    """
    own = policy(components, state, options, n, weights)
    if np.uint64(own) >= np.uint64(n):
        return own
    new_node(nodes, 0, np.uint64(0))
    seat, used, played = state.player, 1, 0
    stop = microseconds() - budget
    while used < len(nodes) and (played < budget or (budget < 0 and (played % EVERY > 0 or microseconds() < stop))):
        chance = world_key(state, (1 << 23) + played)
        parent, depth, world, count, mine = 0, 0, worlds[0], n, own
        chosen, at = follow(nodes, 0, options, n, own, chance)
        worlds[0] = state
        imagine(components, world, seat, world_key(state, nodes[at].visits if at >= 0 else 0))
        nodes[0].visits += 1
        who, key = seat, hash_of(options, chosen)
        apply(components, world, options[chosen])
        while True:
            new = at < 0
            if new:
                at, used = used, used + 1
                new_node(nodes, at, key)
                nodes[at].next, nodes[parent].child = nodes[parent].child, at
            nodes[depth].path, nodes[depth].who = at, who
            nodes[at].visits += 1
            depth += 1
            if new or depth == DEEPEST:
                break
            count = advance(components, world, buffer)
            if count == 0:
                break
            mine = policy(components, world, buffer, count, weights)
            if np.uint64(mine) >= np.uint64(count):
                return -1
            parent = at
            chosen, at = follow(nodes, parent, buffer, count, mine, mix(chance + np.uint64(depth)))
            who, key = world.player, hash_of(buffer, chosen)
            apply(components, world, buffer[chosen])
        if not play_on(advance, apply, policy, components, world, buffer, weights):
            return -1
        tally(components, world, outcomes[0])
        for d in range(depth):
            nodes[nodes[d].path].total += value(outcomes[0], state.players, nodes[d].who)
        played += 1
    return most_visited(nodes, options, n, own)
