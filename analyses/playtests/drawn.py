"""Scores and things of real games, against logs that are drawn from simulated games.

Whole games are drawn, as many as in the log and with the same cells noted, so that the counts of a game may depend on
each other and scores may be skewed. How far the largest deviation of such a log goes by chance is the yardstick for all
rows of a table at once.

Counts are few, so many drawn logs deviate exactly as far as the real one. The test is that of Barnard (Journal of the
Royal Statistical Society B 25, 1963, page 294): p = (1 + drawn logs that deviate at least as far) / (1 + drawn logs).
So a tie speaks against a difference, and a log from the simulation differs no more often than the risk says. One
function measures real and drawn logs, so that equal counts are equal to the last bit. The simulated games have errors
of their own, which widen what is allowed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from analyses import frames as pd
from analyses.playtests.log import Log, further, ratio
from analyses.statistics import POWER, Floats
from sim.contract import WHOLE

DRAWS, LEAST_DRAWS, DRAWN = 10_000, 2_000, 3_000_000  # logs drawn; fewer where they would take more than so many games
WAYS, LEAST_POOL = 20, 500  # more ways of noting games than these share the simulated games among them, down to so many
EVERYBODY = "all"


@dataclass(frozen=True)
class JudgedValues:
    """Values against expected ones, of which `reach` standard errors `error` are allowed; `differs` says which go
    beyond."""

    value: Floats
    expected: Floats
    error: Floats
    reach: Floats
    differs: np.ndarray

    @property
    def low(self) -> Floats:
        """Lower ends; a value that ties with its limit has the expected one inside."""
        low = self.value - self.reach * self.error
        return np.where(self.differs, low, np.minimum(low, self.expected))

    @property
    def high(self) -> Floats:
        """Upper ends."""
        high = self.value + self.reach * self.error
        return np.where(self.differs, high, np.maximum(high, self.expected))

    def more(self, games: int) -> list[int | None]:
        """Return how many more games would show each difference if it is real: errors shrink with the root of their
        number."""
        z = self.reach + NormalDist().inv_cdf(POWER)
        rows = zip(self.value - self.expected, z * self.error, self.differs)
        return [None if math.isnan(d) else further(0 if out else games * ratio(e, d) ** 2, games) for d, e, out in rows]


def reach(deviations: Floats, risk: float) -> float:
    """Return how far logs may go: by chance one goes further with no more than this risk, however many of them tie.

    Args:
        deviations: of drawn logs in standard errors, float64 (draws, values). risk: of saying that any value differs.
    """
    beyond = math.floor(risk * (len(deviations) + 1))
    return float(np.sort(np.abs(deviations).max(axis=1))[-beyond]) if beyond else math.inf


def slack(parts: np.ndarray, players: int, games: int) -> Floats:
    """Return by what factor the error of the simulated games widens that of so many real ones, float64 (width,).

    Args:
        parts: what simulated games hold, (games, width), whole blocks. players: games in a block. games: real ones.
    """
    blocks = parts.reshape(-1, players, parts.shape[1]).mean(axis=1)
    one = parts.var(axis=0)
    return np.asarray(np.sqrt(1 + games / len(blocks) * blocks.var(axis=0) / np.where(one > 0, one, np.inf)))


def logs_drawn(games: int, draws: int = DRAWS) -> int:
    """Return how many logs of so many games are drawn, at most `draws`."""
    return max(min(draws, DRAWN // games), min(draws, LEAST_DRAWS))


def drawn(pool: np.ndarray, games: int, rng: np.random.Generator, draws: int) -> np.ndarray:
    """Return the totals of so many games for each drawn log.

    Args:
        pool: what games hold, int (games, width). games: of a log. rng: draws. draws: number of logs.

    Returns:
        int64 (draws, width).
    """
    total = np.empty((draws, pool.shape[1]), np.int64)
    step = max(1, 100_000 // games)
    for at in range(0, draws, step):
        picks = rng.integers(len(pool), size=(min(step, draws - at), games))
        total[at : at + step] = pool[picks].sum(axis=1, dtype=np.int64)
    return total


# --- scores -----------------------------------------------------------------------------------------------------------


class ScoresYardstick:
    """Yardstick for mean scores; the spread is the real games' own, so it takes two of them.

    Args:
        simulated: whole blocks. games: real ones. risk: of the question. rng: draws the logs. draws: how many, at most.
    """

    def __init__(self, simulated: Log, games: int, risk: float, rng: np.random.Generator, draws: int = DRAWS):
        played = _summed(simulated.score)
        self.games = games
        self.unit = np.array([simulated.players] + [1] * simulated.players)  # the first is a sum over the players
        self.expected, self.spread = played.mean(axis=0), played.std(axis=0)
        self.slack = slack(played, simulated.players, games)
        totals = drawn(_squared(played), games, rng, logs_drawn(games, draws))
        self.reach = reach(self._deviations(totals), risk) if games > 1 else math.inf

    def _errors(self, totals: np.ndarray) -> tuple[Floats, Floats]:
        """Return means and their standard errors from sums and sums of squares, (…, 2 · width); where nothing varies,
        by `spread`."""
        width = len(self.unit)
        mean = totals[..., :width] / self.games
        if self.games < 2:
            return mean, np.full(mean.shape, np.inf)
        variance = (totals[..., width:] - totals[..., :width] * mean) / (self.games - 1)
        return mean, np.sqrt(np.where(variance > 1e-9, variance, self.spread**2 + 1e-9) / self.games)

    def _deviations(self, totals: np.ndarray) -> Floats:
        mean, error = self._errors(totals)
        return np.asarray((mean - self.expected) / error)

    def table(self, score: np.ndarray) -> "pd.DataFrame":
        """Return the table of mean scores of real games, (games, players); see
        `analyses.playtests.playtests.Compared`."""
        totals = _squared(_summed(score)).sum(axis=0)
        mean, error = self._errors(totals)
        differs = np.abs(self._deviations(totals)) > self.reach * self.slack
        judged = JudgedValues(
            mean / self.unit, self.expected / self.unit, error / self.unit, self.reach * self.slack, differs
        )
        table = {"seat": [EVERYBODY, *map(str, range(1, len(self.unit)))], "mean": judged.value}
        table |= {"low": judged.low, "high": judged.high, "simulated": judged.expected, "differs": judged.differs}
        more = judged.more(self.games) if self.games > 1 else [None] * len(self.unit)
        return pd.DataFrame(table | {"more_games": pd.array(more, "Int64")})


def _summed(score: np.ndarray) -> np.ndarray:
    """Return by game the sum of the scores, then those of the seats, int64 (games, 1 + players)."""
    return np.column_stack([score.sum(axis=1, dtype=np.int64), score])


def _squared(scores: np.ndarray) -> np.ndarray:
    """Return scores, then their squares."""
    return np.concatenate([scores, scores * scores], axis=1)


# --- things -----------------------------------------------------------------------------------------------------------


def counts(share: np.ndarray, held: np.ndarray, noted: np.ndarray | bool, labels: int) -> np.ndarray:
    """Return by game how often each label stands in the noted cells, then the sixtieths of a win of its holders, int32
    (games, 2 · labels).

    Args:
        share: int (games, seats). held: int (games, seats, occasions). noted: bool, of that shape, of one game or of
            all. labels: number.
    """
    had = np.zeros((len(held), 2 * labels), np.int32)
    noted = np.broadcast_to(noted, held.shape) & (held >= 0)
    for seat, occasion in np.ndindex(held.shape[1:]):
        game = np.flatnonzero(noted[:, seat, occasion])
        label = held[game, seat, occasion].astype(np.intp)
        had[game, label] += 1
        had[game, labels + label] += share[game, seat].astype(np.int32)
    return had


class ThingsYardstick:
    """Yardstick for how often the things of a kind are taken, and how their holders fare.

    Args:
        simulated: whole blocks. kind: of things. noted: which cells of the real games are, bool (games, players,
            occasions). labels: number of things. risk: of each of the two questions.
        rng: draws the logs. draws: how many, at most.
    """

    def __init__(
        self,
        simulated: Log,
        kind: str,
        noted: np.ndarray,
        labels: int,
        risk: float,
        rng: np.random.Generator,
        draws: int = DRAWS,
    ):
        noted = noted[noted.any(axis=(1, 2))]  # the other games say nothing
        self.kind, self.labels, self.games = kind, labels, len(noted)
        self.unit = simulated.players / int(noted.sum())  # a count, as a share of rounds
        every = counts(simulated.share, simulated.held[kind], True, labels)
        totals = self._draw(simulated, noted, rng, logs_drawn(self.games, draws))
        self.taken_slack = slack(every[:, :labels], simulated.players, self.games)
        self.taken_reach = reach(self._taken(totals), risk)
        self.fair = _share(every.sum(axis=0, dtype=np.int64))  # of the holders
        self.one = np.ones(labels)
        one = self._wins(totals).std(axis=0)
        self.one = np.where(one > 0, one, 1)  # nobody held it, or its holder always fared the same
        beyond = every[:, labels:] / WHOLE - every[:, :labels] * np.nan_to_num(self.fair)
        self.wins_slack = slack(beyond, simulated.players, self.games)
        self.wins_reach = reach(self._wins(totals), risk)

    def _draw(self, simulated: Log, noted: np.ndarray, rng: np.random.Generator, draws: int) -> np.ndarray:
        """Return the counts of drawn logs, and keep what is expected; each way of noting has its part of the games."""
        ways, games = np.unique(noted.reshape(len(noted), -1), axis=0, return_counts=True)
        every = max(1, min(len(ways) // WAYS, simulated.games // LEAST_POOL))
        totals = np.zeros((draws, 2 * self.labels), np.int64)
        self.expected, variance = np.zeros(self.labels), np.zeros(self.labels)
        played = simulated.share, simulated.held[self.kind]
        blocks = [part.reshape(-1, simulated.players, *part.shape[1:]) for part in played]  # whole ones: all rotations
        for at, (way, number) in enumerate(zip(ways, games.tolist())):
            share, held = (part[at % every :: every].reshape(-1, *part.shape[2:]) for part in blocks)
            pool = counts(share, held, way.reshape(noted.shape[1:]), self.labels)
            totals += drawn(pool, number, rng, draws)
            self.expected += number * pool[:, : self.labels].mean(axis=0)
            variance += number * pool[:, : self.labels].var(axis=0)
        # As if one more game had it, so that what was never seen is not taken for impossible.
        self.error = np.sqrt(variance + self.games / (simulated.games + 2))
        return totals

    def _taken(self, counted: np.ndarray) -> Floats:
        return np.asarray((counted[..., : self.labels] - self.expected) / self.error)

    def _wins(self, counted: np.ndarray) -> Floats:
        """Return how the holders' wins deviate; those of a thing that was held more often are known better."""
        held, won = counted[..., : self.labels], counted[..., self.labels :] / WHOLE
        far = (won - held * np.nan_to_num(self.fair)) / np.sqrt(np.maximum(held, 1)) / self.one
        return np.where(np.isnan(self.fair), 0, far)

    def table(self, log: Log, names: Sequence[str]) -> "pd.DataFrame":
        """Return the table of real games, see `analyses.playtests.playtests.Compared`; `names` are the labels of the
        things."""
        real = counts(log.share, log.held[self.kind], True, self.labels).sum(axis=0, dtype=np.int64)
        had, allowed = real[: self.labels], self.taken_reach * self.taken_slack
        taken = JudgedValues(
            had.astype(np.float64), self.expected, self.error, allowed, np.abs(self._taken(real)) > allowed
        )
        allowed = self.wins_reach * self.wins_slack
        error = self.one / np.sqrt(np.where(had > 0, had, np.nan))
        wins = JudgedValues(_share(real), self.fair, error, allowed, np.abs(self._wins(real)) > allowed)
        table = {"thing": list(names), "noted": had, "taken": taken.value * self.unit}
        table |= {
            "taken_low": np.maximum(taken.low * self.unit, 0),
            "taken_high": np.minimum(taken.high * self.unit, np.maximum(taken.value * self.unit, 1)),
        }
        table |= {"taken_simulated": taken.expected * self.unit, "taken_differs": taken.differs}
        table |= {"taken_more_games": pd.array(taken.more(log.games), "Int64")}
        table |= {"wins": wins.value, "wins_low": wins.low.clip(0), "wins_high": wins.high.clip(None, 1)}
        table |= {"wins_simulated": wins.expected, "wins_differs": wins.differs}
        return pd.DataFrame(table | {"wins_more_games": pd.array(wins.more(log.games), "Int64")})


def _share(counted: np.ndarray) -> Floats:
    """Return the holders' shares of wins from counts, then sixtieths of wins, (2 · labels,); NaN for what nobody
    held."""
    had, won = np.split(counted, 2)
    return np.asarray(won / WHOLE / np.where(had > 0, had, np.nan))
