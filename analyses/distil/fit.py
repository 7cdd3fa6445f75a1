"""Fitting a network to what games brought, one row after the other in batches, each row once.

From: Adam (Kingma and Ba, "Adam: A method for stochastic optimization", 2015). All sums run in the order of the rows
and no step is left to a library, so the same rows give the same network.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit, types

from sim.compiled import compiled
from strategies._code import BY_NETWORK
from strategies._network import HIDDEN, NUMBER, add_units, network_dtype, value_of_units

HERE = Path(__file__)
BATCH = 512  # rows between two steps
FIRST, SECOND, TINY = 0.9, 0.999, 1e-8  # of Adam
MOST_ROWS = 64  # of one decision
SPREAD = 1.5  # of the first weights of the hidden layer, for inputs of size 1
SMALL = 0.02  # of the first weights of the value


@njit
def step(numbers, slopes, means, squares, at, rate, steps, rows):
    """Make a step of Adam with some parameters, and set their slopes to 0 again; return where the next ones begin.

    Args:
        numbers: the parameters, changed. slopes: sums over rows. means, squares: of all parameters; at: where these
            begin. rate: how far. steps: how many there were, this one counted. rows: how many the sums are over.
    """
    far, wide = rate / (1.0 - FIRST**steps), 1.0 / (1.0 - SECOND**steps)
    for i in range(len(numbers)):
        slope = slopes[i] * 2.0 / rows
        means[at + i] += (1.0 - FIRST) * (slope - means[at + i])
        squares[at + i] += (1.0 - SECOND) * (slope * slope - squares[at + i])
        numbers[i] -= far * means[at + i] / (np.sqrt(squares[at + i] * wide) + TINY)
        slopes[i] = 0.0
    return at + len(numbers)


def fit_rows(inputs, kinds, values, groups, roles, compare, scale, parts, slopes, means, squares, steps, rate, sums):
    """Fit a network to rows, each once.

    Args:
        inputs: float32 (rows, inputs). kinds, values: int64 and float64 (rows,). groups: int64 (rows,), alike for the
            options of a decision, which are neighbours. roles: int64 (rows,), bit 0 for the plan's choice.
        compare: whether only the differences between options of a decision count, or else the values themselves.
        scale: float64 (inputs,), by which the inputs are multiplied.
        parts: the network, changed: first (inputs · HIDDEN,), shift (HIDDEN,), last (kinds · HIDDEN,), own (kinds,),
            base (kinds,), the value of a decision of that kind. slopes: as `parts`, all 0. means, squares: of Adam.
        steps: made so far. rate: how far a step goes. sums: float64 (2,), added to: squares of what is to be explained,
            and of what is not, of each batch before it is learnt from.

    Returns:
        The number of steps made so far.
    """
    first, shift, last, own, base = parts
    of_first, of_shift, of_last, of_own, of_base = slopes
    hidden, error, at, n = np.zeros((MOST_ROWS, HIDDEN)), np.zeros(MOST_ROWS), 0, len(kinds)
    told, which = np.zeros((MOST_ROWS, len(scale))), np.zeros((MOST_ROWS, len(scale)), np.int64)
    used = np.zeros(MOST_ROWS, np.int64)
    while at < n:
        rows = 0
        while at < n and rows < BATCH:
            count, mean, mean_value = 0, 0.0, 0.0
            while at + count < n and (count == 0 or (compare and groups[at + count] == groups[at])):
                row, kind, units, there = at + count, kinds[at + count], hidden[count], 0
                units[:] = shift
                for i in range(len(scale)):
                    if inputs[row, i] != 0.0:
                        told[count, there], which[count, there] = inputs[row, i] * scale[i], i
                        there += 1
                used[count] = there
                for k in range(there):
                    add_units(units, 0, first, which[count, k] * HIDDEN, told[count, k])
                value = value_of_units(units, last, kind * HIDDEN)
                value += own[kind] * (roles[row] & 1) if compare else base[kind]
                error[count] = value - values[row]
                mean, mean_value, count = mean + error[count], mean_value + values[row], count + 1
            mean, mean_value = (mean / count, mean_value / count) if compare else (0.0, 0.5)
            for c in range(count):
                row, kind, units = at + c, kinds[at + c], hidden[c]
                wrong = error[c] - mean
                sums[0] += (values[row] - mean_value) ** 2
                sums[1] += wrong * wrong
                if compare:
                    of_own[kind] += wrong * (roles[row] & 1)
                else:
                    of_base[kind] += wrong
                for j in range(HIDDEN):
                    weight = last[kind * HIDDEN + j]
                    of_last[kind * HIDDEN + j] += wrong * max(0.0, units[j])
                    units[j] = wrong * weight if units[j] > 0.0 else 0.0
                    of_shift[j] += units[j]
                for k in range(used[c]):
                    add_units(of_first, which[c, k] * HIDDEN, units, 0, told[c, k])
            at, rows = at + count, rows + count
        steps += 1
        begins = 0
        for p in range(len(parts)):
            begins = step(parts[p], slopes[p], means, squares, begins, rate, steps, rows)
    return steps


def _signature() -> Any:
    def array(dtype: Any, dimensions: int) -> Any:
        return types.Array(dtype, dimensions, "C")

    floats, integers = array(types.float64, 1), array(types.int64, 1)
    parts = types.UniTuple(floats, 5)
    return types.int64(
        array(types.float32, 2), integers, floats, integers, integers, types.boolean, floats, parts, parts, floats,
        floats, types.int64, types.float64, floats,
    )  # fmt: skip


class Samples(NamedTuple):
    """What games brought: a row for each position after a choice, the options of a decision one after the other.

    Attributes:
        inputs: float32 (rows, inputs), the position as the chooser sees it. kinds: int64, of the decision.
        values: float64. groups: int64, number of the decision. roles: int64, bit 0 for the plan's choice, bit 1 for the
            student's.
    """

    inputs: np.ndarray
    kinds: np.ndarray
    values: np.ndarray
    groups: np.ndarray
    roles: np.ndarray


class Fit:
    """A network that is being fitted.

    Attributes:
        sums: what was to be explained, and what was not, since `begin`; see `fit_rows`.
    """

    def __init__(self, inputs: int, kinds: int, seed: int):
        """Begin with small numbers drawn at random."""
        self._fit = compiled(_signature(), HERE, *BY_NETWORK, long_loops=True)(fit_rows)
        draws, self._kinds = np.random.default_rng(seed), kinds
        first = draws.standard_normal(inputs * HIDDEN) * SPREAD / np.sqrt(inputs)
        last = draws.standard_normal(kinds * HIDDEN) * SMALL
        self._parts = first, np.zeros(HIDDEN), last, np.zeros(kinds), np.full(kinds, 0.5)
        self._slopes = tuple(np.zeros_like(part) for part in self._parts)
        self._scale = np.zeros(inputs)
        self.begin()

    def begin(self) -> None:
        """Forget the steps made so far, but not the network."""
        length = sum(part.size for part in self._parts)
        self._means, self._squares, self._steps, self.sums = np.zeros(length), np.zeros(length), 0, np.zeros(2)

    def take(self, rows: Samples, rate: float, compare: bool) -> None:
        """Learn from rows; see `fit_rows`. The first ones also say how large the inputs are where they are not 0."""
        if not self._scale.any():
            squares, there = (rows.inputs.astype(np.float64) ** 2).sum(axis=0), (rows.inputs != 0).sum(axis=0)
            self._scale = np.sqrt(np.divide(there, squares, out=np.zeros(len(there)), where=squares > 0))
        self._steps = self._fit(
            *rows, compare, self._scale, self._parts, self._slopes, self._means, self._squares, self._steps, rate,
            self.sums,
        )  # fmt: skip

    def numbers(self, decides: np.ndarray, caution: float) -> np.ndarray:
        """Return the network as policies take it, float64.

        Args:
            decides: kinds of decisions that it decides, 1 or 0. caution: by how much another option must look better
                than the plan's.
        """
        first, shift, last, own, _ = self._parts
        network = np.zeros(1, network_dtype(len(self._scale), self._kinds))
        network["first"], network["shift"], network["last"] = first * np.repeat(self._scale, HIDDEN), shift, last
        network["own"], network["decides"] = own + caution, decides
        return network.view(NUMBER)
