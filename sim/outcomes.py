"""Outcomes of games → exact sums by block, and tidy tables.

Games of a block are not independent, blocks are: so every estimate of an analysis is a ratio of two block totals, and
needs the sums over blocks of x, y, x², y² and xy. These are integers, so that their order doesn't matter: any number of
jobs, any batch, the same bytes.

    group     0 = everybody, 1 … seats = by seat, then by strategy
    column    share (sixtieths), score, margin (own score − best other), place, then the game's numbers
    cell      a label of a category: how often it was had (held), and share and score when it was; after the categories
              come the kinds of things (Kings, …), each over all its categories: those of one block depend on each
              other, so their moments can't be added
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.contract import Game
from sim.moments import added

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("share", "score", "margin", "place")
SHARE, SCORE, MARGIN, PLACE = range(4)
COURSE_EVERY = "course.every"  # column of the rounds or decisions from one moment of the course to the next
# Moments of a column y against the entries n (one entry: one seat of one game), of a cell x with its share y and its
# score z.
Y, YY, NY = range(3)
X, XX, NX, XSHARE, SHARE2, X_SHARE, XSCORE, SCORE2, X_SCORE = range(9)


def add_up(outcomes, players, seats, strategies, pools, entries, columns, cells, ties, used):
    """Add the sums of whole blocks to four arrays.

    Args:
        outcomes: records, a multiple of `players` of them, in the order of their numbers.
        players: seats in use. seats: seats that the record has. strategies: number of strategies.
        pools: int64 (categories,): which kind of thing each category counts, −1 for none.
        entries: int64 (groups, 2), modified in place: Σ n, Σ n².
        columns: int64 (groups, columns, 3), modified in place: Σ y, Σ y², Σ n·y.
        cells: int64 (groups, categories + kinds of things, labels, 9), modified in place, moments in the order of the
            constants above.
        ties: int64 (2, 2**seats), modified in place: games by the set of seats with the highest score, and by the set
            that shares the win.
        used: int64 (numbers,), modified in place: games in which a number was not 0 for everybody.
    """
    groups, width, _ = columns.shape
    rows, labels, categories = cells.shape[1], cells.shape[2], len(pools)
    counted = width - 4
    n = np.zeros(groups, np.int64)
    y = np.zeros((groups, width), np.int64)
    held = np.zeros((groups, rows, labels, 3), np.int64)
    somebody = np.zeros(counted, np.int64)
    mine = np.zeros(2, np.int64)
    for first in range(0, len(outcomes), players):
        n[:] = 0
        y[:] = 0
        held[:] = 0
        for g in range(first, first + players):
            o = outcomes[g]
            best, tied, won = o.score[0], 0, 0
            for seat in range(players):
                best = max(best, o.score[seat])
            for seat in range(players):
                tied |= (1 if o.score[seat] == best else 0) << seat
                won |= (1 if o.share[seat] > 0 else 0) << seat
            ties[0, tied] += 1
            ties[1, won] += 1
            somebody[:] = 0
            for seat in range(players):
                score, share = o.score[seat], o.share[seat]
                other, place = o.automaton, 1 if o.automaton <= score else 2
                for s in range(players):
                    if s != seat:
                        other = max(other, o.score[s])
                        place += 1 if o.score[s] > score else 0
                for i in range(counted):
                    somebody[i] |= np.int64(o.numbers[seat, i])
                mine[0], mine[1] = 1 + seat, 1 + seats + o.strategy[seat]
                for k in range(2):
                    group = mine[k]
                    n[group] += 1
                    y[group, 0] += share
                    y[group, 1] += score
                    y[group, 2] += score - other
                    y[group, 3] += place
                    for i in range(counted):
                        y[group, 4 + i] += o.numbers[seat, i]
                    for c in range(categories):
                        label = np.int64(o.categories[seat, c])
                        if label >= 0:
                            held[group, c, label, 0] += 1
                            held[group, c, label, 1] += share
                            held[group, c, label, 2] += score
                            if pools[c] >= 0:
                                held[group, categories + pools[c], label, 0] += 1
                                held[group, categories + pools[c], label, 1] += share
                                held[group, categories + pools[c], label, 2] += score
            for i in range(counted):
                used[i] += 1 if somebody[i] else 0
        for group in range(1, 1 + players):  # everybody: all seats
            n[0] += n[group]
            y[0] += y[group]
            held[0] += held[group]
        for group in range(groups):
            m = n[group]
            if m == 0:
                continue
            entries[group, 0] += m
            entries[group, 1] += m * m
            for i in range(width):
                v = y[group, i]
                columns[group, i, 0] += v
                columns[group, i, 1] += v * v
                columns[group, i, 2] += m * v
            for c in range(rows):
                for label in range(labels):
                    x, share, score = held[group, c, label, 0], held[group, c, label, 1], held[group, c, label, 2]
                    if x:
                        cell = cells[group, c, label]
                        cell[0] += x
                        cell[1] += x * x
                        cell[2] += m * x
                        cell[3] += share
                        cell[4] += share * share
                        cell[5] += x * share
                        cell[6] += score
                        cell[7] += score * score
                        cell[8] += x * score


def course_columns(moments: int) -> list[str]:
    """Return the names of the columns that hold the course of a game with at most so many moments."""
    return [COURSE_EVERY, *(f"course.{i + 1}" for i in range(moments))] if moments else []


@dataclass(frozen=True)
class Sums:
    """What a number of blocks add up to; `a + b` joins two runs of different blocks.

    Attributes:
        blocks, decisions: counts. The arrays: see `add_up`.
    """

    blocks: int
    decisions: int
    entries: np.ndarray
    columns: np.ndarray
    cells: np.ndarray
    ties: np.ndarray
    used: np.ndarray

    @classmethod
    def blank(cls, game: Game, strategies: int) -> "Sums":
        """Return the sums of no block."""
        groups = 1 + game.seats + strategies
        width = len(COLUMNS) + game.dtypes[3]["numbers"].shape[1]
        kinds = game.dtypes[3]["categories"].shape[1] + len(game.things)
        labels = max((len(labels) for labels in game.categories.values()), default=1)
        shapes = (
            (groups, 2),
            (groups, width, 3),
            (groups, kinds, labels, 9),
            (2, 2**game.seats),
            (width - len(COLUMNS),),
        )
        return cls(0, 0, *(np.zeros(shape, np.int64) for shape in shapes))

    @classmethod
    def of(cls, game: Game, outcomes: Any, players: int, strategies: int, decisions: int) -> "Sums":
        """Return the sums of a batch of whole blocks."""
        sums = cls.blank(game, strategies)
        arrays = sums.entries, sums.columns, sums.cells, sums.ties, sums.used
        game.add_up(outcomes, players, game.seats, strategies, game.pools, *arrays)
        return cls(len(outcomes) // players, decisions, *arrays)

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(
            self.blocks + other.blocks,
            self.decisions + other.decisions,
            added(self.entries, other.entries),
            added(self.columns, other.columns),
            added(self.cells, other.cells),
            added(self.ties, other.ties),
            added(self.used, other.used),
        )


def rows(game: Game, outcomes: Any, players: int, first: int, strategies: tuple[str, ...]) -> "pd.DataFrame":
    """Return a tidy table with one row a game and seat.

    Args:
        game: the game. outcomes: records of games first, first + 1, …; players: seats in use. strategies: names.

    Returns:
        Columns `game`, `block`, `rotation`, `seat` (from 1), `person` (from 1), `strategy`, one for each category (its
        label), `score`, `win_share`, `place`, then the game's numbers and its course: `course.every`, and the score at
        each moment.
    """
    import pandas as pd

    games = len(outcomes)
    numbers = np.repeat(np.arange(first, first + games), players)
    score = outcomes["score"][:, :players]
    table = {
        "game": numbers,
        "block": numbers // players,
        "rotation": numbers % players,
        "seat": np.tile(np.arange(1, players + 1), games),
        "person": outcomes["person"][:, :players].ravel() + 1,
        "strategy": pd.Categorical.from_codes(
            outcomes["strategy"][:, :players].ravel(), dtype=pd.CategoricalDtype(list(strategies))
        ),
    }
    for i, (name, labels) in enumerate(game.categories.items()):
        codes = outcomes["categories"][:, :players, i].ravel()
        table[name] = pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(list(labels)))
    table["score"] = score.ravel()
    table["win_share"] = outcomes["share"][:, :players].ravel() / 60
    table["place"] = (
        1 + ((score[:, None, :] > score[:, :, None]).sum(2) + (outcomes["automaton"][:, None] > score)).ravel()
    )
    for i, name in enumerate(game.numbers):
        table[name] = outcomes["numbers"][:, :players, i].ravel()
    every, *moments = course_columns(game.course.moments)
    table[every] = np.repeat(outcomes["every"], players)
    told = np.repeat(outcomes["moments"], players)
    for i, name in enumerate(moments):
        scores = outcomes["course"][:, i, :players].ravel().astype(np.int64)
        table[name] = pd.arrays.IntegerArray(scores, told <= i)  # the same type in any part of a run
    return pd.DataFrame(table)
