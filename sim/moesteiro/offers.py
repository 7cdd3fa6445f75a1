"""How an option is written: as two words, so that nothing of an older one remains. Only this file knows the bytes of state.OPTION.

`words` is the buffer of options seen as int64: two words an option, `goods` and then the small fields, the first one in the lowest byte.
"""

import numpy as np
from numba import njit

from sim.compiled import borrowed


@njit(forceinline=True)
def words_of(options):
    """Return the same memory as int64 words."""
    return borrowed(options).view(np.int64)


@njit(forceinline=True)
def offer(words, n, thing, act, die, space, bought, food, steps, goods):
    """Write option n, in place (fields: state.OPTION); return n + 1."""
    words[2 * n] = goods
    words[2 * n + 1] = thing | act << 8 | die << 16 | space << 24 | bought << 32 | food << 40 | (steps & 0xFF) << 48
    return n + 1


@njit(forceinline=True)
def offer_pass(components, words, die):
    """Offer to pass with a die: for the labour steps, for none, or, by a switch, for some."""
    n = offer(words, 0, 0, 0, die, 0, 0, 0, 0, 0)
    if components.pass_up_to_two:
        for steps in range(1, components.pass_steps):
            n = offer(words, n, 0, 0, die, 0, 0, 0, steps, 0)
    if components.pass_steps > 0:
        n = offer(words, n, 0, 0, die, 0, 0, 0, components.pass_steps, 0)
    return n
