"""The kernel that asks a strategy in every position of a game, until an answer is not as it should be."""

import numba
import numpy as np
from numba import types

from sim.chance import mix
from sim.lent import Lent
from sim.play import DECISIONS_LIMIT

# What the box holds: number of the decision, decisions so far, hash of all choices, seat; table, number of the game;
# whether it has begun.
DECISION, DECISIONS, HASH, SEAT, TABLE, NUMBER, PLAYING = range(7)
BOX = 7


def play_on(
    advance, apply, imagine, mine, other, sets, states, options, others, weights, other_weights, laid,
    shown_components, shown, laid_options, shown_options, shown_weights, keys, box, n,
):  # fmt: skip
    """Play on from a decision, and ask a strategy at each: twice as it is, then with what its player can't know
    redrawn.

    Args:
        advance, apply, imagine: of the game. mine: the policy that is asked. other: the one that sits in the seats of
            `others` (bool).
        sets, states: (1,) records of components and state; the state is played on. options: buffer. weights,
            other_weights: of `mine` and `other`.
        laid, laid_options: memory that is overwritten with what is shown; shown, …: the same memory, as `mine` sees it.
        keys: uint64, with which the unknown is redrawn. n: options of the present decision.
        box: (BOX,) int64, overwritten but for the last three; decisions are counted on, and the hash goes on from what
            it is.

    Returns:
        0 at the end of the game; the number of options of a decision at which an answer differs from the first or is
        none of them, or which is one too many: the game never ends.
    """
    components, state = sets[0], states[0]
    while n > 0:
        box[DECISION], box[DECISIONS], box[SEAT] = state.decision, box[DECISIONS] + 1, state.player
        for i in range(n):
            laid_options[i] = options[i]
        laid[0] = state
        lent = shown_options[:n]
        chosen = mine(shown_components[0], shown[0], lent, n, shown_weights)
        laid[0] = state
        alike = (
            np.uint64(chosen) < np.uint64(n) and mine(shown_components[0], shown[0], lent, n, shown_weights) == chosen
        )
        for key in keys:
            laid[0] = state
            imagine(components, laid[0], state.player, key)
            laid[0].noise = state.noise
            alike = alike and mine(shown_components[0], shown[0], lent, n, shown_weights) == chosen
        if not alike or state.decision >= DECISIONS_LIMIT:
            return n
        box[HASH] = np.int64(mix(np.uint64(box[HASH]) ^ np.uint64(chosen)))
        if others[state.player]:
            chosen = other(components, state, options, n, other_weights)
        apply(components, state, options[chosen])
        n = advance(components, state, options)
    return 0


def signature(game):
    """Return the signature of `play_on` for a game."""
    component, state, option = (numba.from_dtype(dtype) for dtype in game.dtypes[:3])
    function, made, integers = types.FunctionType, game.signatures, types.Array(types.int64, 1, "C")
    c, s, o, w = types.Array(component, 1, "C"), types.Array(state, 1, "C"), Lent(option), Lent(types.float64)
    return types.int64(
        function(made.advance), function(made.apply), function(made.imagine), function(made.policy),
        function(made.policy), c, s, o, types.Array(types.boolean, 1, "C"), w, w, s, c, s, o, o, w,
        types.Array(types.uint64, 1, "C"), integers, types.int64,
    )  # fmt: skip
