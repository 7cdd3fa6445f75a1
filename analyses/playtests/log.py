"""Games of a log, real or simulated, as arrays; and how many more of them it takes to tell."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

MOST = 10**6  # games; nobody plays more


@dataclass(frozen=True)
class Log:
    """Games with one number of players, real or simulated.

    Attributes:
        players: their number. share: int (games, players), sixtieths of a win.
        score: int (games, players), of those games only of which all scores were written down.
        held: kind of thing → int (games, players, occasions), index of the label, −1 for none or not written down.
    """

    players: int
    share: np.ndarray
    score: np.ndarray
    held: Mapping[str, np.ndarray]

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.share)

    @property
    def kinds(self) -> list[str]:
        """The kinds of things of which something was written down."""
        return [kind for kind, held in self.held.items() if (held >= 0).any()]

    @property
    def questions(self) -> int:
        """Number of questions that these games can be asked."""
        return 1 + bool(len(self.score)) + 2 * len(self.kinds)


def noted(held: np.ndarray, simulated: np.ndarray) -> np.ndarray:
    """Return which cells of real games say what was held.

    Where simulated games leave cells empty, an empty one means that nothing was held, if its game and its column have
    others that are filled; elsewhere it was not written down.

    Args:
        held: of real games, int (games, players, occasions). simulated: of simulated ones, the same.

    Returns:
        bool, of the shape of `held`.
    """
    filled = held >= 0
    if (simulated >= 0).all():
        return filled
    some = filled.any(axis=(1, 2), keepdims=True) & filled.any(axis=(0, 1), keepdims=True)
    return np.broadcast_to(some, held.shape)


def further(total: float | None, games: int) -> int | None:
    """Return how many more games make a total: 0 if none was needed, at least one else; None if there is no saying."""
    if total is None or not total <= MOST:
        return None
    return 0 if total == 0 else max(1, math.ceil(total - games))


def ratio(a: float, b: float) -> float:
    """Return a / |b|, infinite where b is 0."""
    return a / abs(b) if b else math.inf
