"""How an option is written: as one word, so that nothing of an older one remains. Only this file knows the bytes of
state.OPTION.

`words` is the buffer of options seen as int64, one word an option, the first field in the lowest byte.
"""

import numpy as np
from numba import njit

from sim.abbates.state import MOST_OPTIONS, OPTION
from sim.compiled import record_view

words_of = record_view(np.dtype((np.record, np.dtype([("word", np.int64, (MOST_OPTIONS,))]))))
first_of = record_view(np.dtype((np.record, OPTION)))


@njit(forceinline=True)
def offer(words, n, thing=0, act=0, square=0, source=0, other=0):
    """Write option n (fields: state.OPTION); return n + 1."""
    # unsigned: no check for an index from the end
    words.word[np.uint64(n)] = thing | act << 8 | square << 16 | source << 24 | other << 32
    return n + 1
