"""How an option is written: as two words, so that nothing of an older one remains. Only this file knows the bytes of
state.OPTION.

`words` is the buffer of options seen as int64: two words an option, `goods` and then the small fields, the first one in
the lowest byte.
"""

import numpy as np
from numba import njit

from sim.compiled import record_view
from sim.moesteiro.state import MOST_OPTIONS, OPTION

words_of = record_view(np.dtype((np.record, np.dtype([("word", np.int64, (2 * MOST_OPTIONS,))]))))
first_of = record_view(np.dtype((np.record, OPTION)))


@njit(forceinline=True)
def write(words, n, word, goods):
    """Write option n, in place; return n + 1."""
    words.word[2 * n] = goods
    words.word[2 * n + 1] = word
    return n + 1


@njit(forceinline=True)
def offer(words, n, thing=0, act=0, die=0, space=0, steps=0, goods=0):
    """Write an option that has nothing to do with pips (fields: state.OPTION); return n + 1."""
    return write(words, n, thing | act << 8 | die << 16 | space << 24 | (steps & 0xFF) << 48, goods)


@njit(forceinline=True)
def offer_action(words, n, thing, space, value, cost, food, goods):
    """Write the option to act with a die of `value` pips at a cost in pips: some are bought, or some are left; return n
    + 1."""
    bought, left = max(0, cost - value), max(0, value - cost)
    return write(words, n, thing | 1 << 8 | space << 24 | bought << 32 | food << 40 | left << 56, goods)


@njit(forceinline=True)
def offer_pass(components, words, die):
    """Offer to pass with a die: for the labour steps, for none, or, by a switch, for some."""
    n = offer(words, 0, die=die)
    if components.rules.pass_steps:
        for steps in range(1, components.tracks.labour.pass_steps):
            n = offer(words, n, die=die, steps=steps)
    if components.tracks.labour.pass_steps > 0:
        n = offer(words, n, die=die, steps=components.tracks.labour.pass_steps)
    return n
