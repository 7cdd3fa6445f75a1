"""What the engine rolls and draws under many keys, compiled; and how far that is from exact chances."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import icepool
import numpy as np
from numba import from_dtype, types

from sim.chance import block_key, draw
from sim.compiled import compiled
from sim.contract import records
from sim.moesteiro import ask, tracks
from sim.moesteiro.dice import EMPTY
from sim.moesteiro.state import AREAS, KINDS, NONE, ROUNDS, SEATS
from sim.moesteiro.turns import BEGIN, GAME
from tests.helpers import printed

KEYS = 60_000
SEED = np.uint64(20_260)
FEWEST = 10  # expected cases in a class; rarer outcomes make one class together
# standard deviations of chi square: a right rule stays below the first, a wrong one goes beyond the second
CLOSE, FAR = 8.0, 100.0

DISPLAYS = ("village", "crane", "window", "site")
WHERE = tracks.address(tracks.BONUS_DRAW, 0, 3)  # any event


def begin_many(set_up, advance, apply, sets, states, options, hands, rows, quarries, shown, players, seed):
    """Play the beginning of all rounds, up to the first die that is placed, under len(hands) keys; the first option is
    always chosen.

    Args:
        set_up, advance, apply: the game. sets: (1,) record of the components. states: (2,) records; [0] is
            overwritten, [1] stays blank. options: buffer.
        hands: int64 (keys, rounds, seats), overwritten: packed dice. rows: (keys, rounds, areas): packed dice that lie
            there already.
        quarries: (keys, rounds, 2): lintels and columns. shown: (keys, rounds, 4, 8): see DISPLAYS; each is emptied
            before the round.
        players, seed: numbers.
    """
    components, state = sets[0], states[0]
    for g in range(len(hands)):
        states[0] = states[1]
        for seat in range(players):
            state.person[seat] = (seat + g) % players
        set_up(components, state, players, block_key(seed, g))
        for r in range(ROUNDS):
            state.this_round, state.phase = r, BEGIN
            state.taken = 0
            for area in range(len(AREAS)):
                state.row[area], state.dice[area] = EMPTY, 0
            for i in range(8):
                state.village[i] = state.crane[i] = state.window[i] = state.site[i] = NONE
            n = advance(components, state, options)
            while n > 0 and state.asks != ask.PLACE:
                apply(components, state, options[0])
                n = advance(components, state, options)
            for seat in range(players):
                hands[g, r, seat] = state.hand[seat]
            for area in range(len(AREAS)):
                rows[g, r, area] = state.row[area]
            quarries[g, r, 0], quarries[g, r, 1] = state.lintels, state.columns
            for i in range(8):
                shown[g, r, 0, i], shown[g, r, 1, i] = state.village[i], state.crane[i]
                shown[g, r, 2, i], shown[g, r, 3, i] = state.window[i], state.site[i]


def draw_many(sets, states, drawn, glass, seed):
    """Draw a tile from the same piles under len(drawn) keys.

    Args:
        sets: (1,) record of the components. states: (2,) records; [0] is overwritten, [1] holds the piles.
        drawn: int64 (keys, 2 + 2 · kinds), overwritten: value of the random event, kind that was drawn, what piles and
            discards hold then.
        glass: 1 for stained glass, 0 for stonework. seed: uint64.
    """
    components, state = sets[0], states[0]
    for g in range(len(drawn)):
        states[0] = states[1]
        state.key = block_key(seed, g)
        half = KINDS // 2
        left = tracks.tiles_left(components, state, half * glass, half)
        drawn[g, 0] = draw(state.key, WHERE, left)
        drawn[g, 1] = (
            tracks.draw_glass(components, state, WHERE) if glass else tracks.draw_stonework(components, state, WHERE)
        )
        for kind in range(KINDS):
            drawn[g, 2 + kind] = state.pile[kind]
            drawn[g, 2 + KINDS + kind] = state.discarded[kind]


def _entry(kernel: Any, *before: Any) -> Any:
    """Compile a kernel whose last arguments are a number and a seed."""
    return compiled(types.void(*before, types.int64, types.uint64), Path(__file__), GAME.folder)(kernel)


def _array(of: Any, dimensions: int) -> types.Array:
    return types.Array(of, dimensions, "C")


_ENTRIES = [
    types.FunctionType(signature)
    for signature in (GAME.signatures.set_up, GAME.signatures.advance, GAME.signatures.apply)
]
_COMPONENTS, _STATES, _OPTIONS = (_array(from_dtype(dtype), 1) for dtype in GAME.dtypes[:3])
_BY_ROUND = [*[_array(types.int64, 3)] * 3, _array(types.int8, 4)]
_begin_many = _entry(begin_many, *_ENTRIES, _COMPONENTS, _STATES, _OPTIONS, *_BY_ROUND)
_draw_many = _entry(draw_many, _COMPONENTS, _STATES, _array(types.int64, 2))


class Begun(NamedTuple):
    """Rounds that have begun, by key and round: packed hands by seat, packed rows by area, lintels and columns, and
    what is on show."""

    hands: np.ndarray
    rows: np.ndarray
    quarries: np.ndarray
    shown: dict[str, np.ndarray]


@lru_cache(maxsize=4)
def begun(players: int, changes: tuple[str, ...] = ()) -> Begun:
    """Return the beginnings of all rounds under KEYS keys."""
    hands, rows, quarries = (np.zeros((KEYS, ROUNDS, n), np.int64) for n in (SEATS, len(AREAS), 2))
    shown = np.zeros((KEYS, ROUNDS, len(DISPLAYS), 8), np.int8)
    buffers = printed("moesteiro", changes), records(GAME.dtypes[1], 2), records(GAME.dtypes[2], GAME.most_options)
    _begin_many(GAME.set_up, GAME.advance, GAME.apply, *buffers, hands, rows, quarries, shown, players, SEED)
    return Begun(hands, rows, quarries, {name: shown[:, :, i] for i, name in enumerate(DISPLAYS)})


def draws(
    pile: Sequence[int], discarded: Sequence[int], glass: bool, changes: tuple[str, ...] = (), keys: int = 300
) -> np.ndarray:
    """Draw from these piles (one of all kinds each), once under each key.

    Returns:
        int64 (keys, 2 + 2 · kinds): value of the random event, kind, piles and discards afterwards.
    """
    states, drawn = records(GAME.dtypes[1], 2), np.zeros((keys, 2 + 2 * KINDS), np.int64)
    states[1].pile[:], states[1].discarded[:] = pile, discarded
    _draw_many(printed("moesteiro", changes), states, drawn, int(glass), SEED)
    return drawn


def counted(rows: np.ndarray) -> Counter:
    """Return how often each row of numbers came up, as tuples; of a 1-d array how often each number."""
    values, times = np.unique(rows, axis=0, return_counts=True)
    return Counter(dict(zip(map(_plain, values), times.tolist())))


def _plain(value: np.ndarray) -> Any:
    return tuple(value.tolist()) if value.ndim else int(value)


def misfit(seen: Counter, exact: icepool.Die) -> float:
    """Return how far the counts are from exact chances: chi square less its mean, in its standard deviations; inf if it
    can't be so."""
    if set(seen) - set(exact.outcomes()):
        return float("inf")
    total = sum(seen.values())
    pairs = [(seen[outcome], total * float(exact.probability(outcome))) for outcome in exact.outcomes()]
    classes = [pair for pair in pairs if pair[1] >= FEWEST]
    rare = [pair for pair in pairs if pair[1] < FEWEST]
    if sum(expected for _, expected in rare) >= FEWEST:
        classes.append(_sum(rare))
    elif rare:  # not enough for a class of their own
        classes[-1] = _sum([classes[-1], *rare])
    freedom = len(classes) - 1
    if freedom == 0:
        return 0.0 if classes[0][0] == total else float("inf")
    chi_square = sum((n - expected) ** 2 / expected for n, expected in classes)
    return (chi_square - freedom) / (2 * freedom) ** 0.5


def _sum(pairs: Iterable[tuple[int, float]]) -> tuple[int, float]:
    counts, expected = zip(*pairs)
    return sum(counts), sum(expected)
