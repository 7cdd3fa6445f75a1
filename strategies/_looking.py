"""What the thinkers share: a game played on to its end in an imagined world, and what its end is worth."""

import numpy as np
from numba import njit

from sim.chance import bits, mix
from sim.compiled import microseconds, words_of
from sim.contract import WHOLE
from sim.play import DECISIONS_LIMIT

CLEAR = 40.0  # points: a lead that is as good as won
LEAD = 0.1  # how much the lead counts beside the win
WORLD = 1 << 42  # addresses of the noise: imagined worlds


@njit(forceinline=True)
def world_key(state, world):
    """Return the key of an imagined world of the present decision; it says nothing of the real one."""
    return bits(state.noise, WORLD + (state.decision << 24) + world)


@njit
def hash_of(records, i, first):
    """Return a hash of record i, from all its words but the `first` ones."""
    words, length, key = words_of(records), records.itemsize // 8, np.uint64(0)
    for k in range(i * length + first, (i + 1) * length):
        key = mix(key ^ words[k])
    return key


@njit
def play_on(advance, apply, policy, components, world, buffer, weights):
    """Play a world on to its end, everybody by the policy; return whether it came to an end by choices that are allowed."""
    made, n = 0, advance(components, world, buffer)
    while n > 0:
        chosen = policy(components, world, buffer, n, weights)
        if np.uint64(chosen) >= np.uint64(n) or made >= DECISIONS_LIMIT:
            return False
        apply(components, world, buffer[chosen])
        made += 1
        n = advance(components, world, buffer)
    return True


@njit
def value(outcome, players, seat):
    """Return what an outcome is worth to a seat, 0 to 1: the win, and a part for the lead over the best of the others."""
    best = -1 << 30
    for other in range(players):
        if other != seat and outcome.score[other] > best:
            best = outcome.score[other]
    lead = (outcome.score[seat] - best) / CLEAR
    return (1.0 - LEAD) * outcome.share[seat] / WHOLE + LEAD * (0.5 + 0.5 * np.tanh(lead))


__all__ = ["hash_of", "microseconds", "play_on", "value", "world_key"]
