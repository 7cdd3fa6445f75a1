"""Studies with the same chance, compared block by block: exact sums of the differences between the first and each other
one.

Studies with the same players, strategies and seed have the same keys, seats and line-ups in every block, so only their
components can make a difference. So the difference d of two block totals is one number for each block, and to estimate
a change we need the sums over blocks of d, d² and n·d. These are integers, so their order doesn't matter: any number of
jobs, any batch, the same bytes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sim import registry
from sim.contract import Game
from sim.moments import added
from sim.outcomes import COLUMNS, Sums
from sim.runner import Study, gather, play, prepare

BATCH = 1_000  # games of each study: one task plays them all
LEAD = "lead"


@dataclass(frozen=True)
class Paired:
    """The result of some studies that share their chance.

    Attributes:
        studies: what was played; the first is what the others are compared with. names: the columns compared, see
            `block_totals`.
        sums: of each study, over the same blocks.
        totals: int64 (studies, groups, names, 3): Σ y, Σ y², Σ n·y of each study's own block totals y; groups and
            moments as in `sim.outcomes`, so that `entries` of any of the sums has the Σ n and Σ n² that go with them.
        changes: the same for d, a study's block total minus the first one's.
        altered: int64 (studies,): games that ended with other scores or win shares than in the first study.
        interrupted: whether somebody stopped it; even then all studies have the same blocks.
    """

    studies: tuple[Study, ...]
    names: tuple[str, ...]
    sums: tuple[Sums, ...]
    totals: np.ndarray
    changes: np.ndarray
    altered: np.ndarray
    interrupted: bool = False

    @property
    def blocks(self) -> int:
        """Number of blocks that each study has played."""
        return self.sums[0].blocks

    @property
    def games(self) -> int:
        """Number of games that each study has played."""
        return self.blocks * self.studies[0].players

    def __add__(self, other: "Paired") -> "Paired":
        sums = tuple(a + b for a, b in zip(self.sums, other.sums))
        totals, changes = added(self.totals, other.totals), added(self.changes, other.changes)
        return replace(self, sums=sums, totals=totals, changes=changes, altered=added(self.altered, other.altered))


def block_totals(
    game: Game, outcomes: Any, players: int, strategies: int, names: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the totals of each block, from which the sums of `sim.outcomes` could be made.

    Args:
        game: the game. outcomes: records of whole blocks. players: seats in use. strategies: number of strategies.
        names: columns: share (sixtieths), score, margin, place, lead (of the best over the second best, the same for
            all seats of a game), or any of the game's numbers.

    Returns:
        Entries, int64 (blocks, groups), and totals, int64 (blocks, groups, names).
    """
    blocks = len(outcomes) // players
    each = np.stack([_column(game, outcomes, players, name) for name in names], axis=2).reshape(
        blocks, players, players, len(names)
    )
    entries = np.zeros((blocks, 1 + game.seats + strategies), np.int64)
    totals = np.zeros((*entries.shape, len(names)), np.int64)
    entries[:, 1 : 1 + players], entries[:, 0] = players, players * players
    totals[:, 1 : 1 + players] = each.sum(axis=1)
    totals[:, 0] = totals[:, 1 : 1 + players].sum(axis=1)
    played = outcomes["strategy"][:, :players].reshape(blocks, players, players)
    for strategy in range(strategies):
        mine = played == strategy
        entries[:, 1 + game.seats + strategy] = mine.sum(axis=(1, 2))
        totals[:, 1 + game.seats + strategy] = (each * mine[..., None]).sum(axis=(1, 2))
    return entries, totals


def _column(game: Game, outcomes: Any, players: int, name: str) -> np.ndarray:
    """Return a column of each game and seat, int64 (games, players)."""
    if name not in (*COLUMNS, LEAD):
        return outcomes["numbers"][:, :players, game.numbers.index(name)].astype(np.int64)
    score = outcomes["score"][:, :players]
    if name == LEAD:
        best = np.sort(score, axis=1)[:, -2:]
        return np.broadcast_to((best[:, -1] - best[:, 0]).astype(np.int64)[:, None], score.shape)
    if name == "place":
        return 1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)
    if name == "margin":
        own = np.eye(players, dtype=bool)
        return score - np.where(own, np.iinfo(np.int64).min, score[:, None, :]).max(axis=2)
    return outcomes[name][:, :players]


def moments(entries: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Return Σ d, Σ d², Σ n·d over blocks, int64 (groups, names, 3).

    Args:
        entries: int64 (blocks, groups), n. totals: int64 (blocks, groups, names), d.
    """
    return np.stack(
        [totals.sum(axis=0), (totals * totals).sum(axis=0), (entries[..., None] * totals).sum(axis=0)], axis=2
    )


def _batch(studies: Sequence[Study], names: Sequence[str], first: int, games: int) -> Paired:
    """Play the same games of all studies."""
    game = registry.load(studies[0].game)
    sums, own, changes, altered = [], [], [], []
    for study in studies:
        outcomes, decisions = play(study, first, games)
        strategies = len(study.entrants)
        sums.append(Sums.of(game, outcomes, study.players, strategies, decisions))
        entries, totals = block_totals(game, outcomes, study.players, strategies, names)
        ends = np.stack([outcomes[field] for field in ("score", "share")])
        if study is studies[0]:
            base, base_ends = totals, ends
        own.append(moments(entries, totals))
        changes.append(moments(entries, totals - base))
        altered.append(int((ends != base_ends).any(axis=(0, 2)).sum()))
    return Paired(
        tuple(studies), tuple(names), tuple(sums), np.stack(own), np.stack(changes), np.array(altered, np.int64)
    )


def play_pairs(
    studies: Sequence[Study],
    names: Sequence[str],
    games: int,
    *,
    jobs: int = -1,
    batch: int = BATCH,
    recast: bool = False,
    decided: Callable[[Paired], bool] | None = None,
    watch: Callable[[int], None] = lambda games: None,
) -> Paired:
    """Play the same games of some studies that differ in their components alone.

    Args:
        studies: at least one; the others are compared with the first. names: columns to compare, see `block_totals`.
        games: of each study, rounded up to whole blocks.
        jobs: threads, −1 for all cores. batch: games of each study in a batch.
        recast: they may differ in their strategies too; they still have as many, and each sits where the first study
            has its own.
        decided: asked after fixed numbers of blocks whether that is enough; None: all games are played.
        watch: called with the number of games just played, over all studies.

    Returns:
        The result; Ctrl-C ends it early and keeps the blocks that all studies have played.

    Raises:
        StrategyError: see `sim.runner.play`. ValueError: the studies do not meet the same chance.
    """
    lead = studies[0]
    if any(
        (s.game, s.players, s.seed) != (lead.game, lead.players, lead.seed) or not _cast_alike(s, lead, recast)
        for s in studies
    ):
        raise ValueError("only studies of the same game, players, strategies and seed can be paired")
    players, game = lead.players, registry.load(lead.game)
    blocks, size = -(-games // players), max(1, batch // players)
    for study in studies:
        prepare(game, study.entrants, study.components)
    blank = Sums.blank(game, len(lead.entrants))
    none = np.zeros((len(studies), len(blank.entries), len(names), 3), np.int64)
    found = Paired(tuple(studies), tuple(names), (blank,) * len(studies), none, none, np.zeros(len(studies), np.int64))
    found, interrupted = gather(
        lambda first, count: _batch(studies, names, first * players, count * players), found, blocks, size=size,
        jobs=jobs, fixed=decided is None, decided=decided or (lambda found: False),
        watch=lambda count: watch(count * players * len(studies)),
    )  # fmt: skip
    return replace(found, interrupted=interrupted)


def _cast_alike(study: Study, lead: Study, recast: bool) -> bool:
    return len(study.entrants) == len(lead.entrants) if recast else study.entrants == lead.entrants
