"""Take the option of which a small network expects most, from what it is told about the position and each option.

A game's policy `network` is made here from what the game has: a plan, which makes a choice of its own first, and
kernels that tell a position and an option in numbers. `chapterhouse tune --teacher` fits the network to what look-ahead
finds. What it is told about the position goes through the hidden layer once for all options; so it costs no more than a
plan.

From: Tesauro, "Temporal difference learning and TD-Gammon", 1995; the options side by side as in a conditional logit
    (McFadden, 1974).
"""

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from sim.compiled import borrowed, on_stack, record_view
from sim.contract import Game
from sim.rows import add_scaled, rectified_product, weighted_rows
from strategies._code import policy
from strategies._weights_file import POLICY, Packed, Weight

HIDDEN = 32  # units of the hidden layer
add_units, value_of_units = add_scaled(HIDDEN), rectified_product(HIDDEN)
NUMBER = np.dtype(np.float32)  # half as wide as what is told, so the processor holds all of a network close by
hidden_units = on_stack(NUMBER, HIDDEN)
# They stand for what a game has, see `choose_of`.
tell_position = tell_option = plan = inputs_of = choice_of = values_of = network_at = None
add_inputs = add_choice = None
INPUTS = PLAN = SIZE = 0


class Features(NamedTuple):
    """What a game tells a network.

    Attributes:
        position: kernel position(components, state, inputs) that tells a position as the player sees it who is asked;
            inputs: float64 (inputs,), overwritten.
        option: kernel option(components, state, inputs, option, numbers) that tells what an option (record) brings;
            inputs: as `position` wrote them; numbers: float64 (choices,), overwritten.
        inputs, choices: how many numbers they write. kinds: of decisions whose options are told.
    """

    position: Any
    option: Any
    inputs: int
    choices: int
    kinds: tuple[int, ...]


def network_dtype(inputs: int, kinds: int) -> np.dtype:
    """Return the record of a network; inputs: of a position and an option together; kinds: of decisions."""
    return np.dtype(
        [
            ("first", NUMBER, (inputs * HIDDEN,)),  # weights of the hidden layer, input by input
            ("shift", NUMBER, (HIDDEN,)),
            ("last", NUMBER, (kinds * HIDDEN,)),  # weights of the value, by kind of decision
            ("own", NUMBER, (kinds,)),  # what the plan's choice is worth beyond that
            ("decides", NUMBER, (kinds,)),  # 1 where the network decides, 0 where the plan does
        ]
    )


def choose(components, state, options, n, weights):
    """Return the option of which the network expects most; the plan's choice, where the network doesn't decide.

    The plan is asked only where its choice can make a difference.

    Args:
        components, state, options, n: see `sim.contract`. weights: the plan's, then a network for each number of
            players, in words that hold two of its numbers (`Packed.words`).
    """
    plan_weights, at = borrowed(weights)[:PLAN], PLAN + (state.players - 1) * SIZE
    if len(weights) < at + SIZE:  # what is not there must not be read
        return -1
    network, kind = network_at(borrowed(weights)[at:]), state.asks
    if network.decides[kind] == 0.0 or n == 1:
        return plan(components, state, options, n, plan_weights)
    inputs, told, later, base, hidden = inputs_of(), choice_of(), choice_of(), hidden_units(), hidden_units()
    values = values_of()
    tell_position(components, state, inputs)
    # The next option is always told first: what a processor has just written in many pieces, it reads slowly in one.
    tell_option(components, state, inputs, options[0], told)
    add_inputs(base, network.shift, network.first, 0, inputs)
    best, most, second = 0, -np.inf, -np.inf
    for i in range(n):
        if i + 1 < n:
            tell_option(components, state, inputs, options[i + 1], later)
        add_choice(hidden, base, network.first, INPUTS * HIDDEN, told)
        values[i] = value_of_units(hidden, network.last, kind * HIDDEN)
        told, later = later, told
        second = max(second, min(most, values[i]))
        best, most = (i, values[i]) if values[i] > most else (best, most)
    bonus = network.own[kind]
    if second + bonus < most and most + bonus > second:
        return best
    own = plan(components, state, options, n, plan_weights)
    if np.uint64(own) >= np.uint64(n):
        return own
    values[own], best = values[own] + bonus, 0
    for i in range(1, n):
        best = i if values[i] > values[best] else best
    return best


def weights_of(plan_weights: Mapping[str, float], features: Features, kinds: int, seats: int) -> dict[str, Weight]:
    """Return the weights of a policy: those of its plan, and a blank network for each number of players."""
    size = network_dtype(features.inputs + features.choices, kinds).itemsize // NUMBER.itemsize
    return {**plan_weights, **{network_name(players): Packed(size) for players in range(1, seats + 1)}}


def network_name(players: int) -> str:
    """Return under which name a file of weights holds the network for a number of players."""
    return f"network_{players}"


def choose_of(game: Game, features: Features, plan_weights: int) -> Callable[..., Any]:
    """Return `choose`, in plain Python, with what a game has as globals (see `sim.play.loop_of`); its plan is the
    policy `weighted`.

    Args:
        plan_weights: how many weights the plan has, in all rounds.
    """
    inputs, choices = features.inputs, features.choices
    number, network = np.dtype(np.float64), network_dtype(inputs + choices, len(game.asks))
    names = {
        "tell_position": features.position, "tell_option": features.option, "plan": policy(game, POLICY),
        "INPUTS": inputs, "PLAN": plan_weights, "SIZE": network.itemsize // 8,
        "inputs_of": on_stack(number, inputs), "choice_of": on_stack(number, choices),
        "values_of": on_stack(number, game.most_options),
        "add_inputs": weighted_rows(HIDDEN, inputs), "add_choice": weighted_rows(HIDDEN, choices),
        "network_at": record_view(np.dtype((np.record, network))),
    }  # fmt: skip
    return FunctionType(choose.__code__, {**globals(), **names})
