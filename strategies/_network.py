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
from numba import njit

from sim.compiled import borrowed, on_stack, record_view
from sim.contract import Game
from sim.rows import add_scaled, rectified_product
from strategies._code import policy
from strategies._weights_file import POLICY, Packed, Weight

HIDDEN = 32  # units of the hidden layer
add_units, value_of_units = add_scaled(HIDDEN), rectified_product(HIDDEN)
hidden_units = on_stack(np.dtype(np.float64), HIDDEN)
# They stand for what a game has, see `choose_of`.
tell_position = tell_option = plan = inputs_of = choice_of = network_at = None
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
            ("first", np.float64, (inputs * HIDDEN,)),  # weights of the hidden layer, input by input
            ("shift", np.float64, (HIDDEN,)),
            ("last", np.float64, (kinds * HIDDEN,)),  # weights of the value, by kind of decision
            ("own", np.float64, (kinds,)),  # what the plan's choice is worth beyond that
            ("decides", np.float64, (kinds,)),  # 1 where the network decides, 0 where the plan does
        ]
    )


@njit(forceinline=True)
def add_told(network, first, told, hidden):
    """Add what the hidden units are told.

    Args:
        network: record, see `network_dtype`. first: number of the first input that is told. told: float64, most of it
            0. hidden: float64 (HIDDEN,), added to.
    """
    for i in range(len(told)):
        if told[i] != 0.0:
            add_units(hidden, 0, network.first, (first + i) * HIDDEN, told[i])


@njit(forceinline=True)
def expected(network, hidden, kind):
    """Return the value of an option from what has reached the hidden units; kind: of decision."""
    return value_of_units(hidden, network.last, kind * HIDDEN)


def choose(components, state, options, n, weights):
    """Return the option of which the network expects most; the plan's choice, where the network doesn't decide.

    Args:
        components, state, options, n: see `sim.contract`. weights: the plan's, then a network for each number of
            players.
    """
    own = plan(components, state, options, n, borrowed(weights)[:PLAN])
    if n == 1 or np.uint64(own) >= np.uint64(n):
        return own
    network = network_at(borrowed(weights)[PLAN + (state.players - 1) * SIZE :])
    kind = state.asks
    if network.decides[kind] == 0.0:
        return own
    inputs, told, base, hidden = inputs_of(), choice_of(), hidden_units(), hidden_units()
    tell_position(components, state, inputs)
    for j in range(HIDDEN):
        base[j] = network.shift[j]
    add_told(network, 0, inputs, base)
    best, most = own, -np.inf
    for i in range(n):
        tell_option(components, state, inputs, options[i], told)
        for j in range(HIDDEN):
            hidden[j] = base[j]
        add_told(network, INPUTS, told, hidden)
        value = expected(network, hidden, kind) + (network.own[kind] if i == own else 0.0)
        if value > most:
            best, most = i, value
    return best


def weights_of(plan_weights: Mapping[str, float], features: Features, kinds: int, seats: int) -> dict[str, Weight]:
    """Return the weights of a policy: those of its plan, and a blank network for each number of players."""
    size = network_dtype(features.inputs + features.choices, kinds).itemsize // 8
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
        "network_at": record_view(np.dtype((np.record, network))),
    }  # fmt: skip
    return FunctionType(choose.__code__, {**globals(), **names})
