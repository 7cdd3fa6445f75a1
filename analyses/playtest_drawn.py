"""Scores and things of real games, against logs that are drawn from simulated games.

Whole games are drawn, as many as in the log and with the same cells noted, so that the counts of a game may depend on each other and scores
may be skewed. How far the largest deviation of such a log goes by chance is the yardstick for all rows of a table at once.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from analyses.playtest_log import Log, further, ratio
from analyses.statistics import POWER, Floats
from sim.contract import WHOLE

if TYPE_CHECKING:
    import pandas as pd

DRAWS, LEAST_DRAWS, DRAWN = 10_000, 2_000, 3_000_000  # logs drawn; fewer where they would take more than so many games
WAYS, LEAST_POOL = 20, 2_000  # more ways of noting games than these share the simulated games among them, down to so many
EVERYBODY = "all"


@dataclass(frozen=True)
class Judged:
    """Values against expected ones, by how far the largest deviation of a drawn log goes: `reach` times the standard error `error`."""

    value: Floats
    expected: Floats
    error: Floats
    reach: float

    @classmethod
    def of(cls, value: Floats, expected: Floats, error: Floats, deviations: Floats, risk: float) -> "Judged":
        """Return the judgement with a risk, from the deviations of drawn logs in standard errors, (draws, values)."""
        reach = float(np.quantile(np.abs(deviations).max(axis=1), 1 - risk, method="higher"))
        return cls(value, expected, error, reach)

    @property
    def low(self) -> Floats:
        """Lower ends."""
        return self.value - self.reach * self.error

    @property
    def high(self) -> Floats:
        """Upper ends."""
        return self.value + self.reach * self.error

    @property
    def differs(self) -> np.ndarray:
        """Whether the expected value lies outside; bool."""
        return np.abs(self.value - self.expected) > self.reach * self.error

    def more(self, games: int) -> list[int | None]:
        """Return how many more games would show each difference if it is real: errors shrink with the root of their number."""
        z = self.reach + NormalDist().inv_cdf(POWER)
        rows = zip(self.value - self.expected, self.error, self.differs)
        return [None if math.isnan(d) else further(0 if out else games * ratio(z * e, d) ** 2, games) for d, e, out in rows]


def drawn(pools: Sequence[tuple[int, np.ndarray]], rng: np.random.Generator, draws: int) -> np.ndarray:
    """Return the totals of drawn logs.

    Args:
        pools: for each sort of game how many a log has, and what such games hold, int (games, width). rng: draws. draws: at most so many.

    Returns:
        int64 (draws, width).
    """
    draws = max(min(draws, DRAWN // sum(number for number, _ in pools)), min(draws, LEAST_DRAWS))
    total = np.zeros((draws, pools[0][1].shape[1]), np.int64)
    for number, pool in pools:
        step = max(1, 100_000 // number)
        for at in range(0, draws, step):
            picks = rng.integers(len(pool), size=(min(step, draws - at), number))
            total[at : at + step] += pool[picks].sum(axis=1)
    return total


# --- scores -------------------------------------------------------------------------------------------------------------------------------


def scores_table(log: Log, simulated: Log, risk: float, rng: np.random.Generator, draws: int) -> "pd.DataFrame":
    """Return the table of mean scores, see `analyses.playtests.Compared`; the spread is the real games' own, so it takes two of them.

    Args:
        log: real games. simulated: with the same number of players. risk: of the question. rng: draws the logs. draws: how many, at most.
    """
    import pandas as pd

    games, unit = log.games, np.array([log.players] + [1] * log.players)  # the first column is a sum over the players
    real, played = (np.column_stack([part.score.sum(axis=1, dtype=np.int64), part.score]) for part in (log, simulated))
    spread = played.std(axis=0)
    totals = drawn([(games, np.column_stack([played, played * played]))], rng, draws)
    middle, error = _errors(totals, games, spread)
    value, expected = real.mean(axis=0), played.mean(axis=0)
    with np.errstate(invalid="ignore"):
        deviations = np.where(np.isfinite(error), (middle - expected) / error, 0)
    _, mine = _errors(np.concatenate([real.sum(axis=0), (real * real).sum(axis=0)])[None], games, spread)
    judged = Judged.of(value / unit, expected / unit, mine[0] / unit, deviations, risk)
    table = {"seat": [EVERYBODY, *map(str, range(1, log.players + 1))], "mean": judged.value}
    if games < 2:
        nothing = np.full(len(unit), np.inf)
        table |= {"low": -nothing, "high": nothing, "simulated": judged.expected, "differs": nothing < 0, "more_games": [None] * len(unit)}
    else:
        table |= {"low": judged.low, "high": judged.high, "simulated": judged.expected, "differs": judged.differs}
        table |= {"more_games": judged.more(games)}
    return pd.DataFrame(table).astype({"more_games": "Int64"})


def _errors(totals: np.ndarray, games: int, spread: Floats) -> tuple[Floats, Floats]:
    """Return means and their standard errors from sums and sums of squares, (…, 2 · width); where nothing varies, by `spread`."""
    width = totals.shape[1] // 2
    mean = totals[:, :width] / games
    if games < 2:
        return mean, np.full(mean.shape, np.inf)
    variance = (totals[:, width:] - totals[:, :width] * mean) / (games - 1)
    return mean, np.sqrt(np.where(variance > 1e-9, variance, spread**2 + 1e-9) / games)


# --- things -------------------------------------------------------------------------------------------------------------------------------


def counts(share: np.ndarray, held: np.ndarray, noted: np.ndarray | bool, labels: int) -> np.ndarray:
    """Return by game how often each label stands in the noted cells, then the sixtieths of a win of its holders, int64 (games, 2 · labels).

    Args:
        share: int (games, seats). held: int (games, seats, occasions). noted: bool, of that shape, of one game or of all. labels: number.
    """
    game, seat, occasion = np.nonzero((held >= 0) & noted)
    cells, size = game * labels + held[game, seat, occasion], len(held) * labels
    had = np.bincount(cells, minlength=size), np.bincount(cells, share[game, seat], size)
    return np.concatenate([part.reshape(len(held), labels).astype(np.int64) for part in had], axis=1)


def things_table(
    log: Log, simulated: Log, kind: str, labels: Sequence[str], risk: float, rng: np.random.Generator, draws: int
) -> "pd.DataFrame":
    """Return the table of a kind of things, see `analyses.playtests.Compared`.

    Args:
        log: real games, something noted. simulated: with the same number of players. kind: of things. labels: of these.
        risk: of each of the two questions. rng: draws the logs. draws: how many, at most.
    """
    import pandas as pd

    n, k, noted = log.players, len(labels), log.held[kind] >= 0
    unit = n / int(noted.sum())  # a count, as a share of rounds
    real = counts(log.share, log.held[kind], noted, k).sum(axis=0)
    pools = _pools(simulated, kind, noted, k)
    totals = drawn(pools, rng, draws)
    taken = _taken(real[:k], pools, totals[:, :k], risk)
    wins = _wins(real, totals, counts(simulated.share, simulated.held[kind], True, k).sum(axis=0), risk)
    table = {"thing": list(labels), "noted": real[:k]}
    table |= {
        "taken": taken.value * unit,
        "taken_low": np.maximum(taken.low * unit, 0),
        "taken_high": np.minimum(taken.high * unit, np.maximum(taken.value * unit, 1)),
    }
    table |= {"taken_simulated": taken.expected * unit, "taken_differs": taken.differs, "taken_more_games": taken.more(log.games)}
    table |= {"wins": wins.value, "wins_low": wins.low.clip(0), "wins_high": wins.high.clip(None, 1)}
    table |= {"wins_simulated": wins.expected, "wins_differs": wins.differs, "wins_more_games": wins.more(log.games)}
    return pd.DataFrame(table).astype({"taken_more_games": "Int64", "wins_more_games": "Int64"})


def _pools(simulated: Log, kind: str, noted: np.ndarray, labels: int) -> list[tuple[int, np.ndarray]]:
    """Return for each way in which a game is noted how many real games have it, and the counts of simulated games noted so."""
    ways, games = np.unique(noted.reshape(len(noted), -1), axis=0, return_counts=True)
    every = max(1, min(len(ways) // WAYS, simulated.games // LEAST_POOL))
    pools = []
    for at, (way, number) in enumerate(zip(ways, games)):
        share, held = (part[at % every :: every] for part in (simulated.share, simulated.held[kind]))
        pools.append((int(number), counts(share, held, way.reshape(noted.shape[1:]), labels)))
    return pools


def _taken(real: np.ndarray, pools: list[tuple[int, np.ndarray]], totals: np.ndarray, risk: float) -> Judged:
    """Return the judgement of how often things were taken."""
    k = len(real)
    expected = np.sum([number * pool[:, :k].mean(axis=0) for number, pool in pools], axis=0)
    # As if one more game had it, so that what was never seen is not taken for impossible.
    error = np.sqrt(np.sum([number * (pool[:, :k].var(axis=0) + 1 / (len(pool) + 2)) for number, pool in pools], axis=0))
    return Judged.of(real.astype(np.float64), expected, error, (totals - expected) / error, risk)


def _wins(real: np.ndarray, totals: np.ndarray, played: np.ndarray, risk: float) -> Judged:
    """Return the judgement of the holders' shares of wins; that of a thing that was held more often is known better."""
    k = len(real) // 2

    def share(sums: np.ndarray) -> Floats:
        return np.asarray(sums[k:] / WHOLE / np.where(sums[:k] > 0, sums[:k], np.nan))

    expected = share(played)
    deviations = (totals[:, k:] / WHOLE - totals[:, :k] * np.nan_to_num(expected)) / np.sqrt(np.maximum(totals[:, :k], 1))
    one = deviations.std(axis=0)
    one = np.where(one > 0, one, 1)  # nobody held it, or its holder always fared the same
    error = one / np.sqrt(np.where(real[:k] > 0, real[:k], np.nan))
    return Judged.of(share(real), expected, error, deviations / one, risk)
