"""How a game that is played in phases gets from one decision to the next: the same for all of them."""

from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from sim.compiled import compiled
from sim.contract import Signatures

# They stand for the functions of a game, see `entries`.
words_of = first_of = is_over = next_options = carry_out = carry_out_only = move_on = None


def advance(components, state, options):
    """Run on to the next decision with at least two options, see `sim.contract`."""
    words, only = words_of(options), first_of(options)  # as views: numba would count references to the array itself
    while not is_over(state):
        n = next_options(components, state, words)
        if n > 1:
            return n
        if n == 1 and state.stepping:
            state.decision -= 1  # a choice without an alternative is told, but not counted
            return n
        if n == 1:
            carry_out_only(components, state, only)
        elif n == 0:
            event = move_on(components, state)
            if event >= 0 and state.stepping:
                state.event = event
                return -1
    return 0


def apply(components, state, option):
    """Carry out the chosen option."""
    state.decision += 1
    carry_out(components, state, option)


def entries(
    signatures: Signatures,
    folder: Path,
    offers: ModuleType,
    is_over: Any,
    next_options: Any,
    move_on: Any,
    carry_out: Any,
    only: Any,
) -> tuple[Callable, Callable]:
    """Return `advance` and `apply`, compiled for a game.

    Args:
        folder: of the game. offers: its module that sees a buffer of options as words (words_of) and its first option
            (first_of).
        is_over: kernel is_over(state). next_options: kernel (components, state, words) that fills the options of the
            present phase and returns their number: 0 if it has come to its end, below 0 if another one has begun.
        move_on: kernel (components, state) that sets up the next phase and returns the event worth telling that has
            just ended, or −1.
        carry_out: kernel (components, state, option); only: the same for an option without an alternative.
    """
    steps = {"words_of": offers.words_of, "first_of": offers.first_of, "is_over": is_over, "next_options": next_options}
    steps |= {"move_on": move_on, "carry_out": carry_out, "carry_out_only": only}
    # As globals, as the loop has a game's functions (`sim.play.loop_of`): so LLVM inlines them, and the disk cache
    # finds them.
    made = [FunctionType(function.__code__, {**globals(), **steps}) for function in (advance, apply)]
    return compiled(signatures.advance, folder)(made[0]), compiled(signatures.apply, folder)(made[1])
