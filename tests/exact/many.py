"""The engine's own rolls and draws under many keys, compiled; and how far what came up is from exact chances."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import icepool
import numpy as np
from numba import types

from sim.chance import block_key, draw
from sim.compiled import compiled
from sim.contract import records
from sim.moesteiro import beginning, tracks
from sim.moesteiro.state import KINDS, NONE, ROUNDS, SEATS
from sim.moesteiro.turns import GAME
from tests.helpers import printed

KEYS = 60_000
SEED = np.uint64(20_260)
FEWEST = 10  # expected cases in a class; rarer outcomes make one class together
CLOSE, FAR = 8.0, 100.0  # standard deviations of chi square: a right rule stays below the first, a wrong one goes beyond the second

DISPLAYS = ("village", "crane", "window", "site")
WHERE = tracks.address(tracks.BONUS_DRAW, 0, 3)  # any event


def roll_many(components, states, hands, rows, quarries, players, seed):
    """Roll the dice of all rounds under len(hands) keys.

    Args:
        components: (1,) record. states: (2,) records; [0] is overwritten, [1] stays blank.
        hands: int64 (keys, rounds, seats), overwritten: packed dice. rows: (keys, rounds, areas): packed neutral dice.
        quarries: (keys, rounds, 2): lintels and columns. players, seed: numbers.
    """
    rules, state = components[0], states[0]
    for g in range(len(hands)):
        states[0] = states[1]
        state.key, state.players = block_key(seed, g), players
        for seat in range(players):
            state.person[seat] = (seat + g) % players
        for r in range(ROUNDS):
            state.this_round = r
            beginning.begin_round(rules, state)
            beginning.roll(rules, state)
            beginning.load_quarry(rules, state)
            for seat in range(players):
                hands[g, r, seat] = state.hand[seat]
            for area in range(rows.shape[2]):
                rows[g, r, area] = state.row[area]
            quarries[g, r, 0], quarries[g, r, 1] = state.lintels, state.columns


def turn_up_many(deal, components, states, shown, players, seed):
    """Fill the displays of all rounds, each emptied before, under len(shown) keys.

    Args:
        deal: of the game. components, states, players, seed: as above. shown: int8 (keys, rounds, 4, 8), overwritten: see DISPLAYS.
    """
    rules, state = components[0], states[0]
    for g in range(len(shown)):
        states[0] = states[1]
        deal(rules, state, players, block_key(seed, g))
        for r in range(ROUNDS):
            state.this_round = r
            state.village[:], state.crane[:], state.window[:], state.site[:] = NONE, NONE, NONE, NONE
            beginning.fill_displays(rules, state)
            for i in range(8):
                shown[g, r, 0, i], shown[g, r, 1, i] = state.village[i], state.crane[i]
                shown[g, r, 2, i], shown[g, r, 3, i] = state.window[i], state.site[i]


def draw_many(components, states, drawn, glass, seed):
    """Draw a tile from the same piles under len(drawn) keys.

    Args:
        components: (1,) record. states: (2,) records; [0] is overwritten, [1] holds the piles.
        drawn: int64 (keys, 2 + kinds), overwritten: value of the random event, kind that was drawn, what the piles hold afterwards.
        glass: 1 for stained glass, 0 for stonework. seed: uint64.
    """
    rules, state = components[0], states[0]
    for g in range(len(drawn)):
        states[0] = states[1]
        state.key = block_key(seed, g)
        half = KINDS // 2
        left = tracks.tiles_left(rules, state, half * glass, half)
        drawn[g, 0] = draw(state.key, WHERE, left)
        drawn[g, 1] = tracks.draw_glass(rules, state, WHERE) if glass else tracks.draw_stonework(rules, state, WHERE)
        for kind in range(KINDS):
            drawn[g, 2 + kind] = state.pile[kind]


def _entry(kernel: Any, *first: Any, arrays: Sequence[int], of: Any = types.int64) -> Any:
    """Compile a kernel: (…, components, states, arrays of so many dimensions, a number, seed)."""
    components, states = GAME.signatures.loop.args[8:10]
    wanted = components, states, *(types.Array(of, d, "C") for d in arrays), types.int64, types.uint64
    return compiled(types.void(*first, *wanted), Path(__file__), GAME.folder)(kernel)


_roll_many = _entry(roll_many, arrays=(3, 3, 3))
_turn_up_many = _entry(turn_up_many, types.FunctionType(GAME.signatures.deal), arrays=(4,), of=types.int8)
_draw_many = _entry(draw_many, arrays=(2,))


def _states() -> Any:
    return records(GAME.dtypes[1], 2)


@lru_cache(maxsize=4)
def rolls(players: int, changes: tuple[str, ...] = ()) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return packed hands (keys, rounds, seats), packed rows (keys, rounds, areas), lintels and columns (keys, rounds, 2)."""
    hands, rows, quarries = (np.zeros((KEYS, ROUNDS, n), np.int64) for n in (SEATS, 5, 2))
    _roll_many(printed("moesteiro", changes), _states(), hands, rows, quarries, players, SEED)
    return hands, rows, quarries


@lru_cache(maxsize=4)
def displays(changes: tuple[str, ...] = (), players: int = 4) -> dict[str, np.ndarray]:
    """Return what came to lie on each display, by name: int8 (keys, rounds, 8)."""
    shown = np.zeros((KEYS, ROUNDS, len(DISPLAYS), 8), np.int8)
    _turn_up_many(GAME.deal, printed("moesteiro", changes), _states(), shown, players, SEED)
    return {name: shown[:, :, i] for i, name in enumerate(DISPLAYS)}


def draws(pile: Sequence[int], discarded: Sequence[int], glass: bool, changes: tuple[str, ...] = (), keys: int = 300) -> np.ndarray:
    """Draw from these piles (one of all kinds each), once under each key.

    Returns:
        int64 (keys, 2 + kinds): value of the random event, kind, piles afterwards.
    """
    states, drawn = _states(), np.zeros((keys, 2 + KINDS), np.int64)
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
    """Return how far the counts are from exact chances: chi square less its mean, in its standard deviations; inf if it can't be so."""
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
