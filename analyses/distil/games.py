"""The games that a network learns from: self-play, and games in which a teacher plays options on to the end.

They are kernels, made for a game by `kernels_of`. Everybody plays the student's policy; now and then a choice is taken
at random, so that positions are met which good players avoid.
"""

from functools import cache
from pathlib import Path
from types import FunctionType, SimpleNamespace

import numba
import numpy as np
from numba import njit, types

from sim import registry
from sim.chance import bits, block_key, draw, mix
from sim.compiled import compiled
from sim.lent import Lent
from sim.play import DECISIONS_LIMIT
from strategies import catalog
from strategies._code import LOOKING, sources
from strategies._looking import lead_of, value_of
from strategies._named import NETWORK

HERE = Path(__file__)
# Addresses in the noise of a game: which choices are taken at random and what is chosen, which decisions are kept,
# which options are tried, and the worlds that the teacher imagines.
AT_RANDOM, CHOSEN, KEPT, TRIED, WORLD = 1 << 43, 1 << 44, 1 << 45, 1 << 46, 1 << 47
OPTIONS = 4  # tried in one decision, at most
LEAD = 0.5  # what the lead counts beside the win
# They stand for what a game has, see `kernels_of`.
set_up = advance = apply = imagine = tally = tell_position = tell_option = None
INPUTS, CHOICES = 1, 1


@njit
def happens(noise, address, chance):
    """Return whether something with a chance happens."""
    return (bits(noise, address) >> np.uint64(11)) * 2.0**-53 < chance


@njit
def begin(components, states, players, seed, game):
    """Set the table for a game; every seat is a person of its own. Return its key."""
    key, state = block_key(seed, game), states[0]
    states[0] = states[1]
    for seat in range(players):
        state.person[seat] = seat
    return key


def self_play(
    components, student, weights, states, options, outcomes, players, first, games, seed, clear, noise, part, tells,
    inputs, kinds, values, leads,
):  # fmt: skip
    """Play games and keep some choices, with what the game brought whoever made them.

    Args:
        components: record. student, weights: everybody's policy. states: (2,) records, [1] blank. options: buffer.
        outcomes: (1,) record. players, first, games, seed: which games. clear: see `value_of`.
        noise: chance that a choice is taken at random. part: chance that a choice is kept. tells: int64 (kinds,), 1 for
            the kinds of decisions that are told.
        inputs: float32 (rows, inputs), overwritten: the position as the chooser sees it, and the option chosen.
        kinds: int64 (rows,), overwritten: of the decision. values: float64 (rows,), overwritten: see `value_of`.
        leads: float64 (games,), overwritten: of the first seat.

    Returns:
        The number of rows in use, −1 after a choice that is not allowed.
    """
    rows, chooser, state = 0, np.zeros(len(kinds), np.int64), states[0]
    told, choice = np.zeros(INPUTS), np.zeros(CHOICES)
    for g in range(games):
        key = begin(components, states, players, seed, first + g)
        set_up(components, state, players, key)
        begun, n = rows, advance(components, state, options)
        while n > 0:
            made = state.decision
            chosen = student(components, state, options, n, weights)
            if np.uint64(chosen) >= np.uint64(n) or made >= DECISIONS_LIMIT:
                return -1
            if happens(state.noise, AT_RANDOM + made, noise):
                chosen = draw(state.noise, CHOSEN + made, n)
            kept = n > 1 and tells[state.asks] and rows < len(kinds) and happens(state.noise, KEPT + made, part)
            if kept:
                tell_position(components, state, told)
                tell_option(components, state, told, options[chosen], choice)
                inputs[rows, :INPUTS], inputs[rows, INPUTS:] = told, choice
                kinds[rows], chooser[rows] = state.asks, state.player
                rows += 1
            apply(components, state, options[chosen])
            n = advance(components, state, options)
        tally(components, state, outcomes[0])
        leads[g] = lead_of(outcomes[0], players, 0)
        for row in range(begun, rows):
            values[row] = value_of(outcomes[0], players, chooser[row], clear, LEAD)
    return rows


@njit
def pick(noise, made, n, chosen, own, tried):
    """Write which options are tried: the student's choice, the plan's, and others drawn at random; return how many.

    Args:
        noise, made: where the draws come from. n: options. chosen, own: the two choices. tried: int64, overwritten.
    """
    count, fixed = min(n, OPTIONS), 1
    for i in range(n):
        tried[i] = i
    tried[0], tried[chosen] = chosen, 0
    if own != chosen:
        for i in range(1, n):
            if tried[i] == own:
                tried[i], tried[1] = tried[1], own
                break
        fixed = 2
    for i in range(fixed, count):
        j = i + draw(noise, TRIED + made * OPTIONS + i, n - i)
        tried[i], tried[j] = tried[j], tried[i]
    return count


def asked(
    components, student, plan, weights, plan_weights, states, options, buffer, outcomes, players, first, games, seed,
    clear, noise, part, tells, budget, inputs, kinds, values, groups, roles, counts,
):  # fmt: skip
    """Play games and ask the teacher now and then: it plays some options on to the end, all in the same imagined
    worlds.

    Args:
        student, weights: everybody's policy. plan, plan_weights: the teacher's, with which it plays on.
        states: (4,) records, [1] blank. buffer: options of the imagined worlds. part: chance that a decision is asked.
        budget: games that the teacher plays on for a decision.
        inputs, kinds, values: as in `self_play`, a row for each option that is tried, its value the mean over worlds.
        groups: int64 (rows,), overwritten: number of the decision. roles: int64 (rows,), overwritten: bit 0 for the
            plan's choice, bit 1 for the student's.
        counts: int64 (1,), overwritten: games that the teacher played on.
        All others: see `self_play`.

    Returns:
        As in `self_play`.
    """
    rows, group, tried = 0, 0, np.zeros(len(options), np.int64)
    told, choice = np.zeros(INPUTS), np.zeros(CHOICES)
    state, world, start = states[0], states[2], states[3]
    counts[0] = 0
    for g in range(games):
        key = begin(components, states, players, seed, first + g)
        set_up(components, state, players, key)
        n = advance(components, state, options)
        while n > 0:
            made, seat = state.decision, state.player
            chosen = student(components, state, options, n, weights)
            if np.uint64(chosen) >= np.uint64(n) or made >= DECISIONS_LIMIT:
                return -1
            told_of = n > 1 and tells[state.asks] and rows + OPTIONS <= len(kinds)
            if told_of and happens(state.noise, KEPT + made, part):
                tell_position(components, state, told)
                own = plan(components, state, options, n, plan_weights)
                count = pick(state.noise, made, n, chosen, own, tried)
                worlds = max(1, budget // count)
                for i in range(count):
                    kinds[rows + i], groups[rows + i], values[rows + i] = state.asks, group, 0.0
                    roles[rows + i] = (tried[i] == own) + 2 * (i == 0)
                    tell_option(components, state, told, options[tried[i]], choice)
                    inputs[rows + i, :INPUTS], inputs[rows + i, INPUTS:] = told, choice
                for w in range(worlds):
                    states[3] = state
                    imagine(components, start, seat, mix(bits(state.noise, WORLD + made) + np.uint64(w)))
                    for i in range(count):
                        states[2] = states[3]
                        apply(components, world, options[tried[i]])
                        more = advance(components, world, buffer)
                        while more > 0:
                            next_one = plan(components, world, buffer, more, plan_weights)
                            if np.uint64(next_one) >= np.uint64(more) or world.decision >= DECISIONS_LIMIT:
                                return -1
                            apply(components, world, buffer[next_one])
                            more = advance(components, world, buffer)
                        tally(components, world, outcomes[0])
                        values[rows + i] += value_of(outcomes[0], players, seat, clear, LEAD) / worlds
                rows, group, counts[0] = rows + count, group + 1, counts[0] + worlds * count
            if happens(state.noise, AT_RANDOM + made, noise):
                chosen = draw(state.noise, CHOSEN + made, n)
            apply(components, state, options[chosen])
            n = advance(components, state, options)
    return rows


@cache
def kernels_of(name: str) -> SimpleNamespace:
    """Return `self_play` and `asked` for a game, compiled."""
    game, features = registry.load(name), catalog.module(name, NETWORK).FEATURES
    record, state, option, outcome = (numba.from_dtype(dtype) for dtype in game.dtypes)
    policy, weights = types.FunctionType(game.signatures.policy), Lent(types.float64)
    states, options, outcomes = types.Array(state, 1, "C"), Lent(option), types.Array(outcome, 1, "C")
    whole_number, key, number = types.int64, types.uint64, types.float64
    integers, floats = types.Array(whole_number, 1, "C"), types.Array(number, 1, "C")
    rows = (types.Array(types.float32, 2, "C"), integers, floats)
    which = (whole_number, whole_number, whole_number, key, number, number, number, integers)
    of_self_play = whole_number(record, policy, weights, states, options, outcomes, *which, *rows, floats)
    of_asked = whole_number(
        record, policy, policy, weights, weights, states, options, options, outcomes, *which,
        whole_number, *rows, integers, integers, integers,
    )  # fmt: skip
    names = {entry: getattr(game, entry) for entry in ("set_up", "advance", "apply", "imagine", "tally")}
    there = {**globals(), **names, "tell_position": features.position, "tell_option": features.option}
    there |= {"INPUTS": features.inputs, "CHOICES": features.choices}
    paths = HERE, LOOKING, *sources(name, NETWORK, game.folder)
    made = {
        kernel: compiled(signature, *paths)(FunctionType(function.__code__, there))
        for kernel, function, signature in (("self_play", self_play, of_self_play), ("asked", asked, of_asked))
    }
    return SimpleNamespace(**made)
