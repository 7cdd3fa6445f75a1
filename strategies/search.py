"""Look at the decisions to come as a tree, in imagined worlds, everybody for their own good; beyond the tree all play
by the policy.

From: Monte Carlo tree search (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006) in worlds imagined at
the root, with a node for what the thinker can tell apart (Cowling, Powley and Whitehouse, "Information Set Monte Carlo
Tree Search", 2012), options tried little by little (progressive widening: Coulom, "Computing Elo ratings of move
patterns in the game of Go", 2007); at the root as in `rollout`.
"""

import numpy as np
from numba import njit

from sim.chance import draw, mix
from sim.compiled import words_of
from strategies._looking import halving, play_on, value

BUDGET = 1_000  # games played on for one decision
DEEPEST = 60  # decisions in the tree
EXPLORE = 0.7  # weight of what was seldom tried, on a scale from loss (0) to win (1)
WIDEN = 12  # visits after which a second option is tried; then their number grows with the square root of the visits
KEYS = 2  # words at the beginning of a state: the keys of its chance
ALIKE = np.uint64(0)  # key by which positions are imagined to tell them apart


@njit
def hash_of(records, i, first):
    """Return a hash of record i, from all its words but the `first` ones."""
    words, length, key = words_of(records), records.itemsize // 8, np.uint64(0)
    for k in range(i * length + first, (i + 1) * length):
        key = mix(key ^ words[k])
    return key


@njit
def add_node(nodes, at, parent, key):
    """Write a blank node below another; return its number."""
    node = nodes[at]
    node.key, node.visits, node.total, node.child, node.next = key, 0, 0.0, -1, nodes[parent].child
    nodes[parent].child = at
    return at


@njit
def child_of(nodes, parent, key):
    """Return the node with this hash below another, or −1."""
    at = nodes[parent].child
    while at >= 0 and nodes[at].key != key:
        at = nodes[at].next
    return at


@njit
def follow(nodes, here, options, n, own, chance):
    """Return the option to follow and its node, −1 if it has none yet.

    The policy's own choice comes first; one more option, any other, is tried each time that the visits allow it; else
    the one with the best upper bound is followed.

    Args:
        nodes, here: the tree and the decision's node. options, n: what can be chosen. own: the policy's own choice.
        chance: key of what is drawn at random here.
    """
    visits, known, unknown, best, best_node, most, fresh = nodes[here].visits, 0, 0, own, -1, -1.0, own
    if visits == 0:
        return own, -1
    for i in range(n):
        at = child_of(nodes, here, hash_of(options, i, 0))
        if at < 0:
            unknown += 1
            if draw(chance, i, unknown) == 0:
                fresh = i
        else:
            known += 1
            node = nodes[at]
            bound = node.total / node.visits + EXPLORE * np.sqrt(np.log(visits + 1.0) / node.visits)
            if bound > most:
                best, best_node, most = i, at, bound
    if known == 0:
        return own, -1
    if unknown > 0 and known < np.floor(1.0 + np.sqrt(visits / WIDEN)):
        return fresh, -1
    return best, best_node


@njit
def place_of(entries, components, worlds, seat):
    """Return a hash of worlds[1] as a seat sees it, which is the same in all worlds that it can't tell apart; worlds[0]
    is overwritten.

    What the seat can't see is imagined anew, always in the same way.
    """
    worlds[0] = worlds[1]
    entries.imagine(components, worlds[0], seat, ALIKE)
    return hash_of(worlds, 0, KEYS)


@njit
def play_out(entries, policy, components, weights, desk, option, used, seat, chance):
    """Play worlds[1] on, at first down the tree below an option; return its worth to a seat and the nodes used, −1 as
    in `rollout`.

    worlds[0] is overwritten. nodes[d].path: the option's node that was followed at depth d, nodes[d].who: who chose it.
    """
    at, depth, worlds, buffer, nodes = option, 0, desk.worlds, desk.buffer, desk.nodes
    world = worlds[1]
    while depth < DEEPEST:
        n = entries.advance(components, world, buffer)
        if n == 0:
            break
        own = policy(components, world, buffer, n, weights)
        if np.uint64(own) >= np.uint64(n):
            return 0.0, -1
        place = place_of(entries, components, worlds, seat)
        here = child_of(nodes, at, place)
        if here < 0:
            here, used = add_node(nodes, used, at, place), used + 1
        chosen, at = follow(nodes, here, buffer, n, own, mix(chance + np.uint64(depth)))
        nodes[here].visits += 1
        new = at < 0
        if new:
            at, used = add_node(nodes, used, here, hash_of(buffer, chosen, 0)), used + 1
        nodes[at].visits += 1
        nodes[depth].path, nodes[depth].who = at, world.player
        depth += 1
        entries.apply(components, world, buffer[chosen])
        if new:
            break
    if not play_on(entries, policy, components, world, buffer, weights):
        return 0.0, -1
    entries.tally(components, world, desk.outcomes[0])
    for d in range(depth):
        nodes[nodes[d].path].total += value(desk.outcomes[0], world.players, nodes[d].who)
    return value(desk.outcomes[0], world.players, seat), used


halve = halving(play_out)


def think(entries, policy, components, state, options, n, weights, desk, budget):
    """Return the option that does best; arguments: see `sim.contract`."""
    return halve(entries, policy, components, state, options, n, weights, desk, budget)
