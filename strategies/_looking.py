"""What the thinkers share: the options that the policy likes best are played on in the same imagined worlds, and the
worse half is dropped again and again.

From: sequential halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013), with
    paired worlds.
"""

import numpy as np
from numba import njit

from sim.chance import bits
from sim.compiled import microseconds
from sim.contract import WHOLE
from sim.play import DECISIONS_LIMIT

CLEAR = 20.0  # points: a lead that is nearly as good as any
LEAD = 0.6  # how much the lead counts beside the win: in a few games it says more
SURE = 1.0  # standard errors by which another option must beat the policy's own choice
LEVEL = 0.25  # standard errors within which two options are level, so that more games are played
FIRST = 0.4  # part of the budget that is played in any case
FEWEST, EACH = 3, 7  # options that take part, at least; games for each of them, if there are more
WORLD = 1 << 42  # addresses of the noise: imagined worlds


@njit(forceinline=True)
def world_key(state, world):
    """Return the key of an imagined world of the present decision; it says nothing of the real one."""
    return bits(state.noise, WORLD + (state.decision << 24) + world)


@njit
def play_on(entries, policy, components, world, buffer, weights):
    """Play a world on to its end, everybody by the policy; return whether it came to an end by choices that are
    allowed."""
    made, n = 0, entries.advance(components, world, buffer)
    while n > 0:
        chosen = policy(components, world, buffer, n, weights)
        if np.uint64(chosen) >= np.uint64(n) or made >= DECISIONS_LIMIT:
            return False
        entries.apply(components, world, buffer[chosen])
        made += 1
        n = entries.advance(components, world, buffer)
    return True


@njit
def lead_of(outcome, players, seat):
    """Return by how many points a seat leads the best of the others."""
    best = -1 << 30
    for other in range(players):
        if other != seat and outcome.score[other] > best:
            best = outcome.score[other]
    return outcome.score[seat] - best


@njit
def value_of(outcome, players, seat, clear, part):
    """Return what an outcome is worth to a seat, 0 to 1: the win, and a part for the lead over the best of the others.

    Args:
        clear: points of a lead that is nearly as good as any. part: what the lead counts, 0 to 1.
    """
    lead = np.tanh(lead_of(outcome, players, seat) / clear)
    return (1.0 - part) * outcome.share[seat] / WHOLE + part * (0.5 + 0.5 * lead)


@njit
def value(outcome, players, seat):
    """Return what an outcome is worth to a seat when a thinker plays on to it."""
    return value_of(outcome, players, seat, CLEAR, LEAD)


@njit
def advantage(node):
    """Return by how much an option was better than the policy's own choice, on average."""
    return node.total / max(1, node.visits)


@njit
def best_first(nodes, left):
    """Sort the options that are left but for the first, the policy's own: the best of them first."""
    for i in range(2, left):
        option, at = nodes[i].left, i
        while at > 1 and advantage(nodes[nodes[at - 1].left]) < advantage(nodes[option]):
            nodes[at].left = nodes[at - 1].left
            at -= 1
        nodes[at].left = option


@njit
def error(node):
    """Return the standard error of `advantage`; the node has been visited."""
    visits, mean = node.visits, advantage(node)
    return np.sqrt(max(0.0, node.square / visits - mean**2 + 0.1 / visits) / visits)


@njit
def is_better(node):
    """Return whether an option is better than the policy's own choice by more than chance."""
    return node.visits > 0 and advantage(node) > SURE * error(node)


@njit
def is_level(node):
    """Return whether an option is about as good as the policy's own choice."""
    return node.visits > 0 and abs(advantage(node)) < LEVEL * error(node)


@njit
def line_up(policy, components, state, options, n, weights, desk, own, most):
    """List the options that take part, at most `most`: the policy's own choice, what it would choose without that, and
    so on; return their number.

    A blank node is written for each option; desk.buffer is overwritten. If the policy has no answer to some of the
    options alone, the first of them comes next.
    """
    nodes, buffer, chosen, rest, left = desk.nodes, desk.buffer, own, n, 0
    for i in range(n):
        node = nodes[i]
        node.visits, node.total, node.square, node.child, node.path = 0, 0.0, 0.0, -1, i
        buffer[i] = options[i]
    while True:
        nodes[left].left = nodes[chosen].path
        left, rest = left + 1, rest - 1
        if left == most or rest == 0:
            return left
        buffer[chosen], nodes[chosen].path = buffer[rest], nodes[rest].path
        chosen = policy(components, state, buffer, rest, weights) if rest > 1 else 0
        if np.uint64(chosen) >= np.uint64(rest):
            chosen = 0


@njit
def rounds_of(left):
    """Return after how many rounds one option is left beside the policy's own, and that one compared with it."""
    rounds, others = 1, left - 1
    while others > 1:
        rounds, others = rounds + 1, (others + 1) // 2
    return rounds


def halving(play_out):
    """Return a function for thinkers, compiled with the way in which they play a world on after an option (see
    `rollout` and `search`)."""

    @njit
    def halve(entries, policy, components, state, options, n, weights, desk, budget):
        """Return the best option; the policy's own choice stays until another is better by more than chance, world by
        world.

        Args:
            entries, …, budget: see `sim.contract`. nodes[i]: of option i, `total` and `square` of its values less those
                of the policy's own choice in the same worlds; nodes[k].left: the k-th option that is left, the policy's
                own first.
        """
        own, worlds, nodes = policy(components, state, options, n, weights), desk.worlds, desk.nodes
        if np.uint64(own) >= np.uint64(n):
            return own
        most = min(budget, max(FEWEST, budget // EACH)) if budget > 0 else n
        left = line_up(policy, components, state, options, n, weights, desk, own, most)
        seat, used, spent, world, first = state.player, n, 0, 0, int(FIRST * budget)
        rounds, start = rounds_of(left), microseconds()
        for r in range(rounds if left > 1 else 0):
            goal = spent + max(left, (first - spent) // (rounds - r) // left * left)  # games after this round
            stop = start - budget * (r + 1) // rounds  # time after it
            while used + 2 * left <= len(nodes) and (
                (budget < 0 and microseconds() < stop)
                or (spent + left <= budget and (spent + left <= goal or (left == 2 and is_level(nodes[nodes[1].left]))))
            ):
                base = 0.0
                for k in range(left):
                    option = nodes[k].left
                    worlds[1] = state
                    entries.imagine(components, worlds[1], seat, world_key(state, world))
                    entries.apply(components, worlds[1], options[option])
                    chance = world_key(state, (1 << 23) + world)
                    worth, used = play_out(entries, policy, components, weights, desk, option, used, seat, chance)
                    if used < 0:
                        return -1
                    base = worth if k == 0 else base
                    node = nodes[option]
                    node.visits += 1
                    node.total += worth - base
                    node.square += (worth - base) ** 2
                spent, world = spent + left, world + 1
            best_first(nodes, left)
            if r < rounds - 1:
                left = 1 + left // 2
        return nodes[1].left if left > 1 and is_better(nodes[nodes[1].left]) else own

    return halve
