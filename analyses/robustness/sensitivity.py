"""Which number matters most: each input's own share of the variance of a win index between sets of numbers (first-order
index), without the luck of the games.

RBD-FAST on the sets that were played: sorted by an input, there and back, what goes with it becomes a slow wave
(Plischke, "An effective algorithm for computing global sensitivity indices", Reliability Engineering and System Safety
95, 2010; bias corrected as by Tissot and Prieur, the same journal 107, 2012). It takes fewer harmonics than a step
needs, so a switch gets some 90 % of its due.
"""

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from analyses import frames as pd
from analyses.statistics import ALPHA, Floats

if TYPE_CHECKING:
    from analyses.robustness.robustness import Robustness

HARMONICS = 3  # more see finer steps, but also more of chance
LEAST = 25  # printings: below, chance alone makes half of the variance
RESAMPLES = 100  # for the intervals
COLUMNS = ("what", "kind", "name", "players", "input", "key", "index", "low", "high", "noise")


@dataclass(frozen=True)
class First:
    """What to look up first: the input with the largest index for all seats together.

    Attributes:
        input: its name. key: its path. index, low, high: share of the variance, with an interval that holds for all
            inputs at once.
        players: their number. clear: its interval leaves out 0, and no other input's index reaches it.
        second: the name of the next one, "" if there is one input only. noise: this share of the observed variance is
            the luck of the games, and taken out.
    """

    input: str
    key: str
    index: float
    low: float
    high: float
    players: int
    clear: bool
    second: str
    noise: float


def indices(codes: Floats, values: Floats, seed: int, alpha: float = ALPHA) -> tuple[Floats, Floats, Floats]:
    """Return the first-order index of each input, with intervals that hold for all of them at once.

    Args:
        codes: where each input lies, float64 (printings, inputs). values: what varies, float64 (printings,). seed: of
            the resampling.
        alpha: error of the family.

    Returns:
        Index, low and high, float64 (inputs,), from 0 to 1; NaN where nothing varies or there are too few printings to
        tell.
    """
    count, width = codes.shape
    if count < LEAST or np.ptp(values) == 0:
        unknown = np.full(width, np.nan)
        return unknown, unknown, unknown
    # Ranks without ties, since which of two equal codes a sort puts first depends on the machine.
    ranks = np.argsort(np.argsort(codes, axis=0, kind="stable"), axis=0, kind="stable")
    chosen = np.random.default_rng(seed).integers(0, count, (RESAMPLES, count))
    normal = NormalDist().inv_cdf(1 - alpha / width / 2)
    index = np.array([_first_order(of, values) for of in ranks.T])
    half = np.array([normal * _first_order(of[chosen], values[chosen]).std(ddof=1) for of in ranks.T])
    moved = np.ptp(codes, axis=0) > 0
    estimate, low, high = (np.where(moved, np.clip(part, 0, 1), 0) for part in (index, index - half, index + half))
    return estimate, low, high


def _first_order(order: np.ndarray, values: Floats) -> Floats:
    """Return the share of the variance that goes with an input, float64 (…,).

    Args:
        order: ranks of the input, integers (…, sets). values: what varies, float64 (…, sets).
    """
    count = values.shape[-1]
    up = np.argsort(order, axis=-1, kind="stable")
    there_and_back = np.concatenate([up[..., ::2], up[..., 1::2][..., ::-1]], axis=-1)
    power = np.abs(np.fft.rfft(np.take_along_axis(values, there_and_back, axis=-1), axis=-1)[..., 1:]) ** 2
    if count % 2 == 0:
        power[..., -1] /= 2  # the highest frequency has no twin
    share = power[..., :HARMONICS].sum(axis=-1) / power.sum(axis=-1)
    bias = 2 * HARMONICS / count
    return share - bias / (1 - bias) * (1 - share)


def ranked(found: "Robustness", noise: Floats) -> "pd.DataFrame":
    """Return a row for each input and each seat and thing of the first number of players, and all seats or things
    together.

    Together: the mean over them, each counting as much as it varies. What is half luck has no rows.
    The intervals of all seats hold at once, and so do those of a kind of thing.

    Args:
        found: with findings, values and codes. noise: mean squared error of each finding's win index in a set.

    Returns:
        Table with COLUMNS, the largest index of each finding first.
    """
    rows: list[dict[str, Any]] = []
    mine = [at for at, finding in enumerate(found.findings) if finding.players == found.players]
    seen = found.values.var(axis=0, ddof=1) if len(found.values) > 1 else np.zeros(len(found.findings))
    between = np.maximum(seen - noise, 0)
    made = {}
    for at in mine:
        if found.findings[at].name:  # a family: all inputs of all seats, or of all things of a kind
            family = sum(found.findings[other].kind == found.findings[at].kind for other in mine) - 1
            made[at] = np.stack(indices(found.codes, found.values[:, at], found.seed, ALPHA / family))
    for at in mine:
        finding = found.findings[at]
        parts = [at] if finding.name else [other for other in made if found.findings[other].kind == finding.kind]
        known = [part for part in parts if np.isfinite(made[part]).all() and between[part] > noise[part]]
        if not known:
            continue
        total = float(between[known].sum())
        index, low, high = np.minimum(sum(seen[part] * made[part] for part in known) / total, 1)
        share = float(noise[known].sum() / seen[known].sum())
        head = {"what": finding.what, "kind": finding.kind, "name": finding.name, "players": finding.players}
        for one in np.argsort(-index, kind="stable"):
            it = found.inputs[int(one)]
            ends = {"index": float(index[one]), "low": float(low[one]), "high": float(high[one])}
            rows.append(head | {"input": it.name, "key": it.key} | ends | {"noise": share})
    return pd.DataFrame(rows, columns=list(COLUMNS))


def top(ranking: "pd.DataFrame", kind: str, name: str = "") -> First | None:
    """Return what matters most to the seats (kind "") or things of a kind, or to one of them by name; None if we can't
    tell."""
    rows = ranking[(ranking["kind"] == kind) & (ranking["name"] == name)].to_dict("records")
    if not rows:
        return None
    best, rest = rows[0], rows[1:]
    clear = best["low"] > 0 and all(row["index"] < best["low"] for row in rest)
    names = best["input"], best["key"], best["index"], best["low"], best["high"], best["players"]
    return First(*names, bool(clear), rest[0]["input"] if rest else "", best["noise"])
