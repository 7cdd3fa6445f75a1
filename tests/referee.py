"""What the referees of the games share: a compiled loop of one game's laws, run over random games."""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from numba import from_dtype, njit, types

from sim.chance import block_key, draw
from sim.compiled import compiled
from sim.contract import Game, records

SHARED_LAWS = ("", "two options or more, and not too many", "options are distinct", "the game ends")
FINE, NUMBER, TWICE, ENDS = range(len(SHARED_LAWS))
NOTES = 100
# They stand for the laws of a game, see `compile_referee`.
illegal = same = note = broken_by_position = broken_by_change = broken_at_the_end = most_decisions = None


@njit
def broken_by_options(illegal, same, c, s, options, n):
    """Return the law that the options break, or FINE; illegal, same: see `compile_referee`."""
    if n < 2 or n > len(options):
        return NUMBER
    for i in range(n):
        law = illegal(c, s, options[i])
        if law != FINE:
            return law
        for j in range(i):
            if same(options[i], options[j]):
                return TWICE
    return FINE


def referee(set_up, advance, apply, components, states, options, fault, notes, players, first, games, seed):
    """Play games first, first + 1, … at random and check each decision, with the laws of a game as globals.

    Args:
        set_up, advance, apply: the game. components: (1,). states: (3,), [2] blank. options: buffer. notes: (NOTES,)
            int64, overwritten.
        fault: (4,) int64: game, decision, kind of decision; [3] the most options met.

    Returns:
        The law that was broken, or 0.
    """
    c, s, before = components[0], states[0], states[1]
    for g in range(first, first + games):
        states[0] = states[2]
        notes[:] = 0
        for seat in range(players):
            s.person[seat] = (seat + g) % players
        set_up(c, s, players, block_key(seed, g))
        states[1] = states[0]
        n, made = advance(c, s, options), 0
        while n != 0:
            fault[0], fault[1], fault[2], fault[3] = g, made, s.asks, max(fault[3], n)
            law = broken_by_options(illegal, same, c, s, options, n)
            if law == FINE:
                law = broken_by_position(c, s, before, notes)
            if law == FINE and (s.decision != made or made > most_decisions):
                law = ENDS
            if law != FINE:
                return law
            states[1] = states[0]
            option = options[draw(s.noise, s.decision, n)]
            note(s, option, notes)
            apply(c, s, option)
            law = broken_by_change(c, s, before, option)
            if law != FINE:
                return law
            made += 1
            n = advance(c, s, options)
        fault[0], fault[1] = g, made
        law = broken_at_the_end(c, s, before, notes)
        if law != FINE:
            return law
    return FINE


def compile_referee(game: Game, file: str, **laws: Any) -> Callable:
    """Return `referee` compiled for a game, kept with the machine code of the game.

    Args:
        file: where the laws stand. laws: by name, kernels that return the number of the law that is broken, or FINE:
            illegal(c, s, option), broken_by_position(c, s, before, notes), broken_by_change(c, s, before, option),
            broken_at_the_end(c, s, before, notes); and same(option, other): whether two options are one choice;
            note(s, option, notes): writes down what a law needs later; most_decisions: in a game.
    """
    s, function, integer = game.signatures, types.FunctionType, types.int64
    buffers = (types.Array(from_dtype(dtype), 1, "C") for dtype in game.dtypes[:3])  # components, states, options
    entries = (function(signature) for signature in (s.set_up, s.advance, s.apply))
    counts = types.Array(integer, 1, "C")
    signature = integer(*entries, *buffers, counts, counts, integer, integer, integer, types.uint64)
    # As globals, as the game's loop has its functions (`sim.play.loop_of`): the disk cache would not find a closure.
    whole = FunctionType(referee.__code__, {**globals(), **laws})
    return compiled(signature, Path(file), Path(__file__), game.folder)(whole)


def watch(
    game: Game,
    referee: Callable,
    laws: Sequence[str],
    components: Any,
    players: int,
    games: int,
    seed: int,
    first: int = 0,
) -> str:
    """Play random games under a compiled referee; return "" or what was broken, where.

    Args:
        laws: by number. components: (1,) record.
    """
    fault = np.zeros(4, np.int64)  # game, decision, kind of decision, most options met
    buffers = (
        components.copy(),
        records(game.dtypes[1], 3),
        records(game.dtypes[2], game.most_options),
        fault,
        np.zeros(NOTES, np.int64),
    )
    law = referee(game.set_up, game.advance, game.apply, *buffers, players, first, games, np.uint64(seed))
    return f"{laws[law]}: game {fault[0]}, decision {fault[1]}, {game.asks[fault[2]]}" if law else ""
