"""The five functions of a game in one file → its entry points (`sim.contract`).

What every game owes to the loop is done here, so an author needn't: the keys of chance, the count of decisions, pauses
after each of them where somebody wants to be told, and options without an alternative, which nobody is asked about.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType

from numba import njit

from sim.chance import mix, noise_key
from sim.compiled import compiled
from sim.contract import Signatures

# A field of the state: whether something has happened of which nobody was told.
UNTOLD = "untold"
# So many options without an alternative are carried out in a row; then somebody is asked, so that the loop sees a game
# that never ends.
FORCED = 1_000
# They stand for the functions of a game, see `entries`.
their_set_up = their_advance = their_apply = their_imagine = their_tally = None
categories = 0


def set_up(components, state, players, key):
    """Set the table, see `sim.contract`."""
    state.key, state.noise, state.players = key, noise_key(key), players
    their_set_up(components, state, players, key)


def advance(components, state, options):
    """Run on to the next decision with at least two options, see `sim.contract`."""
    if state.untold:
        state.untold = 0
        return -1
    n = their_advance(components, state, options)
    forced = 0
    while n == 1 and forced < FORCED:
        if state.stepping:
            state.decision -= 1  # a choice without an alternative is told, but not counted
            return n
        their_apply(components, state, options[0])
        n = their_advance(components, state, options)
        forced += 1
    return n


def apply(components, state, option):
    """Carry out the chosen option."""
    made = state.decision
    their_apply(components, state, option)
    state.decision, state.untold = made + 1, state.stepping


def imagine(components, state, player, key):
    """Redraw all that this player can't know: the chance to come, and what the game hides."""
    state.key, state.noise = mix(key), noise_key(key)
    their_imagine(components, state, player, key)


def tally(components, state, outcome):
    """Fill the outcome."""
    outcome.numbers[:, :] = 0
    outcome.categories[:, :categories] = -1
    their_tally(components, state, outcome)


def nothing_hidden(components, state, player, key):
    """Redraw nothing: a game that hides only the chance to come."""


ENTRIES = {function.__name__: function for function in (set_up, advance, apply, imagine, tally)}
ARGUMENTS = {name: function.__code__.co_varnames[: function.__code__.co_argcount] for name, function in ENTRIES.items()}


def entries(
    rules: Mapping[str, Callable], signatures: Signatures, source: Path, categories: int
) -> tuple[Callable, Callable, Callable, Callable, Callable]:
    """Return set_up, advance, apply, imagine and tally, compiled for a game.

    Args:
        rules: the author's functions by those names; `imagine` may be missing. source: the folder with their file.
        categories: how many the game has.
    """
    # As globals, as the loop has a game's functions (`sim.play.loop_of`): so LLVM inlines them, and the disk cache
    # finds them.
    theirs = {f"their_{name}": njit(forceinline=True)(rules.get(name, nothing_hidden)) for name in ENTRIES}
    names = {**globals(), **theirs, "categories": categories}
    made = [
        compiled(getattr(signatures, name), source)(FunctionType(function.__code__, names, name))
        for name, function in ENTRIES.items()
    ]
    return made[0], made[1], made[2], made[3], made[4]
