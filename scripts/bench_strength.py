"""The strength of players: everyone against everyone, and look-ahead by the time that it takes."""

from collections.abc import Iterator
from dataclasses import replace
from time import thread_time
from typing import NamedTuple

import numpy as np

from sim.contract import WHOLE
from sim.printed.components import read
from sim.runner import Study, play
from strategies import catalog

SEED = 17
MEASURE = "expert_1"  # who stays the same
BUDGETS = (5, 10, 20, 40, 80)
PLAYERS = ("greedy", MEASURE, "expert", f"rollout:{MEASURE}@20")
GAMES = 1_200  # of each pair


class Strength(NamedTuple):
    """What one player wins against others of one kind: share 0 to 1, its standard error, processor seconds a game."""

    share: float
    error: float
    seconds: float


def strength(game: str, players: int, one: str, others: str, games: int = GAMES) -> Strength:
    """Return how strong a player is at a table with several of another; seats rotate."""
    entrants = [
        replace(catalog.entrant(game, name, players), name=f"{number}: {name}")
        for number, name in enumerate([one] + [others] * (players - 1))
    ]
    study = Study(game, players, tuple(entrants), read(game).record, SEED)
    play(study, 0, players)  # compiles
    start = thread_time()
    outcomes, _ = play(study, 0, games // players * players)
    seconds = thread_time() - start
    won = np.where(outcomes["strategy"] == 0, outcomes["share"], 0)[:, :players].sum(axis=1) / WHOLE
    blocks = won.reshape(-1, players).mean(axis=1)
    return Strength(won.mean(), blocks.std(ddof=1) / len(blocks) ** 0.5, seconds / len(won))


def everyone(game: str, players: int) -> Iterator[tuple[str, str, Strength]]:
    """Yield the strength of each player against each other one."""
    for one in PLAYERS:
        for others in PLAYERS:
            if one != others:
                yield one, others, strength(game, players, one, others)


def curve(game: str, players: int) -> Iterator[tuple[str, Strength]]:
    """Yield the strength against MEASURE, of the expert and of look-ahead with growing budgets."""
    for one in ("expert", *(f"rollout:{MEASURE}@{budget}" for budget in BUDGETS)):
        yield one, strength(game, players, one, MEASURE)
