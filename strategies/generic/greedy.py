"""Look one option ahead, in a few imagined worlds, and take the option that leaves you the greatest lead."""

from collections.abc import Callable
from types import FunctionType

import numpy as np

from sim.chance import draw
from sim.contract import WHOLE, Game
from strategies._looking import world_key

WORLDS = 8  # in which it carries each option out
CERTAIN = 1e6  # points that a win, or a loss, is worth
# They stand for the functions and records of a game, see `choose_of`.
advance = apply = imagine = tally = None
STATES = OPTIONS = OUTCOMES = None
most_options = 0


def choose(components, state, options, n, weights):
    """Return the option with the greatest lead in all worlds together."""
    # arrays of its own: a policy may write on nothing that it is handed
    worlds, buffer = np.zeros(1, STATES), np.zeros(most_options, OPTIONS)
    outcomes, worth = np.zeros(1, OUTCOMES), np.zeros(n)
    seat, world, outcome = state.player, worlds[0], outcomes[0]
    for i in range(n):
        for w in range(WORLDS):
            worlds[0] = state
            imagine(components, world, seat, world_key(state, w))
            apply(components, world, options[i])
            if advance(components, world, buffer) == 0:
                tally(components, world, outcome)
                worth[i] += CERTAIN * (outcome.share[seat] * state.players / WHOLE - 1.0)
            best = -CERTAIN if state.players > 1 else 0.0
            for other in range(state.players):
                if other != seat:
                    best = max(best, float(world.score[other]))
            worth[i] += world.score[seat] - best
    most = worth.max()
    place = draw(state.noise, state.decision, (worth == most).sum())
    for i in range(n):
        if worth[i] == most:
            if place == 0:
                return i
            place -= 1
    return 0


def choose_of(game: Game) -> Callable:
    """Return `choose`, in plain Python, with a game's functions as globals (see `sim.play.loop_of`)."""
    _, state, option, outcome = game.dtypes
    names = {name: getattr(game, name) for name in ("advance", "apply", "imagine", "tally", "most_options")}
    # their fields are attributes with the JIT off, too
    dtypes = {"STATES": state, "OPTIONS": option, "OUTCOMES": outcome}
    records = {name: np.dtype((np.record, dtype)) for name, dtype in dtypes.items()}
    return FunctionType(choose.__code__, {**globals(), **names, **records})
