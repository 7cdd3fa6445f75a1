"""Several sets of components on the same chance: who wins with each, how every two of them differ, and which one is the
fairest.

A block is one set of chance, played in all rotations with every set, so whatever two sets differ by comes from one
vector of the block. The set that looks fairest is checked in fresh games, on chance that had no part in choosing it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from analyses import frames as pd
from analyses.compare.things import game_counts
from analyses.compare.whole import FAIRER, fairness
from analyses.evidence import Estimate
from analyses.measures import fresh
from analyses.played import Counted, Found
from analyses.request import Request
from analyses.stated import stated
from analyses.statistics import Floats, interval, together, within
from analyses.worth.worth import SHARE, totals
from sim import registry
from sim.contract import WHOLE
from sim.dealing import VALUES, Deal
from sim.moments import Moments
from sim.printed.components import Components
from sim.runner import Study, gather, play, prepare
from strategies.catalog import Seated

BATCH = 1_000  # games of each set in one task
SEATS = "seats"
AGAIN = 1  # number of the fresh chance on which the fairest set is checked
MOST_SETS = 12

Task = Callable[[int, int], Moments]


class NamedSet(NamedTuple):
    """A set of components by the name that its column has."""

    name: str
    components: Components


@dataclass(frozen=True)
class Contest:
    """Several sets and who plays them.

    Attributes:
        request: its components are those of the first set; its games are those of each set in each part, rounded up to
            whole blocks. sets: the base first. entrants: the strategies.
    """

    request: Request
    sets: tuple[NamedSet, ...]
    entrants: tuple[Seated, ...]

    @property
    def players(self) -> int:
        """Number of players."""
        return self.request.players[0]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of things that are dealt: those of whose single things something may be said with every set."""
        return tuple(stated(*(each.components for each in self.sets)))

    def studies(self, deal: Deal | None = None) -> list[Study]:
        """Return a study for each set."""
        name, seed = self.request.game, self.request.seed
        return [Study(name, self.players, self.entrants, each.components.record, seed, deal) for each in self.sets]


@dataclass(frozen=True)
class SetsCompared:
    """The seats, or the things of one kind, with every set.

    Attributes:
        kind: of `Game.things`, or "seats". games, blocks: of each set. interrupted: stopped by hand.
        family, pairs_family: how many intervals of a table hold at once.
        words: the verdict on each set.
        table: with set, name (seat or thing), distance (from fair, in win index), low, high, verdict.
        pairs: with one, other (names of sets), name, change (of the other less the one, in win index), low, high.
    """

    kind: str
    games: int
    blocks: int
    interrupted: bool
    words: tuple[str, ...]
    table: "pd.DataFrame" = field(repr=False)
    pairs: "pd.DataFrame" = field(repr=False)

    @property
    def family(self) -> int:
        """How many intervals of the table hold at once."""
        return len(self.table)

    @property
    def pairs_family(self) -> int:
        """How many intervals of the pairs hold at once."""
        return len(self.pairs)


@dataclass(frozen=True)
class FairestSet:
    """The set that is nearest to fair, and what fresh games say of it.

    Attributes:
        name: of the set. furthest: kind and name of the seat or thing that is furthest from fair with it in the fresh
            games; distance, most: how far that is, and how far anything is at most, in win index.
        unlike: names of the sets that are less fair than it in the fresh games too; like: those of which they don't
            tell. seed, games: of the check.
    """

    name: str
    furthest: tuple[str, str]
    distance: float
    most: float
    unlike: tuple[str, ...]
    like: tuple[str, ...]
    seed: int
    games: int


@dataclass(frozen=True)
class Several(Found):
    """What several sets of components do; its games are those of each set, for the seats.

    Attributes:
        contest: what was compared. seats: the seats. things: by kind, as far as they were dealt. fairest: None if it
            was stopped before it was checked. all_games: games in all.
    """

    contest: Contest
    seats: SetsCompared
    things: tuple[SetsCompared, ...] = ()
    fairest: FairestSet | None = None
    all_games: int = 0

    @property
    def parts(self) -> tuple[SetsCompared, ...]:
        """The seats, then the things."""
        return self.seats, *self.things

    def reach(self, name: str) -> float:
        """Return how far the furthest seat or thing is from fair with a set, in win index."""
        rows = (part.table[part.table["set"] == name]["distance"].abs() for part in self.parts)
        return max(float(each.max()) for each in rows)


@dataclass(frozen=True)
class _Sums:
    """Sums over blocks of what each seat, or the holder of each thing, won with every set.

    Attributes:
        kind: of `Game.things`, or "seats". names: of seats or things. sets, players: their numbers.
        moments: of vectors with an entry for each set and name: wins in a block, in sixtieths. A seat has one game for
            each rotation, a thing one in each seat, so over `WHOLE` they are win index.
        games: of each set. interrupted: stopped by hand.
    """

    kind: str
    names: tuple[str, ...]
    sets: int
    players: int
    moments: Moments
    games: int
    interrupted: bool

    def own(self, at: int) -> Floats:
        """Return what the entries count in the distances from fair with a set: float64 (names, width); of seats
        without the fair share itself."""
        made = np.zeros((len(self.names), self.sets, len(self.names)))
        made[:, at] = np.eye(len(self.names)) - (0 if self.kind == SEATS else 1 / len(self.names))
        return made.reshape(len(self.names), -1) / WHOLE

    def distances(self, sets: Sequence[int], family: int) -> Estimate:
        """Return the distances from fair with some sets, one set after the other; the intervals of a family hold at
        once."""
        m, s = self.moments.weighted(np.vstack([self.own(at) for at in sets]))
        return self._estimate(m - (self.kind == SEATS), s, family, -1.0, self.players - 1.0)

    def changes(self, pairs: Sequence[tuple[int, int]], family: int) -> Estimate:
        """Return by how much the second of two sets differs from the first, one pair after the other."""
        m, s = self.moments.weighted(np.vstack([self.own(other) - self.own(one) for one, other in pairs]))
        return self._estimate(m, s, family, -float(self.players), float(self.players))

    def _estimate(self, m: Floats, s: Floats, family: int, least: float, most: float) -> Estimate:
        blocks, stopped = self.moments.blocks, self.interrupted
        return Estimate(m, *interval(m, s, blocks, family, sequential=stopped, least=least, most=most))


def total(contest: Contest) -> int:
    """Return how many games are played in all."""
    n, sets, request = contest.players, len(contest.sets), contest.request
    dealt = sum(game_counts(request.game, kind, n, request.most)[1] for kind in contest.kinds)
    return 2 * sets * (-(-request.most // n) * n + dealt)


def compare(
    contest: Contest,
    watch: Callable[[int], None] = lambda games: None,
    begins: Callable[[str], None] = lambda part: None,
) -> Several:
    """Play all sets on the same chance, then again in fresh games to check which is the fairest.

    Args:
        contest: what to play. watch: called with the number of games just played.
        begins: called with the name of each part as it begins.

    Returns:
        What was found; Ctrl-C ends it early and keeps what was played.

    Raises:
        StrategyError: see `sim.runner.play`.
    """
    count = Counted(watch)
    sums, stopped = _play(contest, count, begins)
    whole = sums[0]
    played = contest.request.played(
        contest.players, contest.entrants, games=whole.games, blocks=whole.moments.blocks, sequential=whole.interrupted,
        interrupted=stopped,
    )  # fmt: skip
    seats, *things = (_compared(part, contest) for part in sums)
    found = Several(played, contest, seats, tuple(things))
    if not stopped:
        again = replace(contest, request=replace(contest.request, seed=fresh(contest.request.seed, AGAIN)))
        checks, stopped = _play(again, count, lambda part: begins(f"{part}, in fresh games"))
        if stopped:
            found = replace(found, played=replace(played, interrupted=True))
        else:
            found = replace(found, fairest=_fairest(found, checks, again.request.seed))
    return replace(found, all_games=count.games)


def _play(contest: Contest, watch: Callable[[int], None], begins: Callable[[str], None]) -> tuple[list[_Sums], bool]:
    """Play whole games, then deal all kinds of things, with every set; return the sums and whether Ctrl-C came."""
    game, n = registry.load(contest.request.game), contest.players
    studies = contest.studies()
    for study in studies:
        prepare(game, study.entrants, study.components)

    def whole(first: int, blocks: int) -> Moments:
        won = [play(study, first * n, blocks * n)[0]["share"][:, :n].reshape(blocks, n, n) for study in studies]
        return Moments.of(np.hstack([each.sum(axis=1, dtype=np.int64) for each in won]), first)

    def gathered(kind: str, names: tuple[str, ...], task: Task, blocks: int, size: int, strata: int = 1) -> _Sums:
        begins(f"{kind}, dealt" if kind != SEATS else "whole games")
        moments, stopped = gather(
            task, Moments.blank(len(studies) * len(names), strata), blocks, size=max(1, BATCH // size),
            jobs=contest.request.jobs, watch=lambda blocks: watch(blocks * size * len(studies)),
        )  # fmt: skip
        return _Sums(kind, names, len(studies), n, moments, moments.blocks * size, stopped)

    seats = tuple(str(seat) for seat in range(1, n + 1))
    found = [gathered(SEATS, seats, whole, -(-contest.request.most // n), n)]
    for kind in contest.kinds:
        if found[-1].interrupted:
            break
        deal, (size, games) = Deal(kind, powers=False), game_counts(game.name, kind, n, contest.request.most)
        task = _dealt(contest.studies(deal), deal.strata(game))
        found.append(gathered(kind, deal.things(game, n), task, games // size, size, deal.strata(game)))
    return [part for part in found if part.moments.blocks or part.kind == SEATS], found[-1].interrupted


def _dealt(studies: Sequence[Study], strata: int) -> Task:
    def task(first: int, blocks: int) -> Moments:
        won = [totals(study, first, blocks)[0].reshape(blocks, len(VALUES), -1, study.players) for study in studies]
        return Moments.of(np.hstack([each[:, SHARE].sum(axis=2) for each in won]), first, strata)

    return task


def _compared(sums: _Sums, contest: Contest) -> SetsCompared:
    names, count = [each.name for each in contest.sets], len(sums.names)
    own = sums.distances(range(len(names)), len(names) * count)
    verdicts = [within(float(low), float(high), contest.request.margin) for low, high in zip(own.low, own.high)]
    words = tuple(together(verdicts[at : at + count]) for at in range(0, len(verdicts), count))
    table: dict[str, Any] = {"set": np.repeat(names, count), "name": sums.names * len(names)}
    pairs = list(combinations(range(len(names)), 2))
    between: dict[str, Any] = {
        "one": np.repeat([names[one] for one, _ in pairs], count),
        "other": np.repeat([names[other] for _, other in pairs], count),
        "name": sums.names * len(pairs),
    }
    return SetsCompared(
        sums.kind, sums.games, sums.moments.blocks, sums.interrupted, words,
        pd.DataFrame(table | own.columns("distance", "low", "high") | {"verdict": verdicts}),
        pd.DataFrame(between | sums.changes(pairs, len(pairs) * count).columns("change", "low", "high")),
    )  # fmt: skip


def _fairest(found: Several, checks: Sequence[_Sums], seed: int) -> FairestSet:
    """Return the set whose furthest seat or thing is nearest to fair, and of which other sets fresh games say that they
    are less fair. All that they say holds at once: a family of the distances with every set and of all changes."""
    names = [each.name for each in found.contest.sets]
    best = min(range(len(names)), key=lambda at: found.reach(names[at]))
    others = [at for at in range(len(names)) if at != best]
    family = (len(names) + len(others)) * sum(len(part.names) for part in checks)

    def joined(estimates: Iterable[Estimate]) -> Estimate:
        return Estimate(*(np.concatenate(parts) for parts in zip(*estimates)))

    def distances(at: int) -> Estimate:
        return joined(part.distances([at], family) for part in checks)

    words = [
        fairness(distances(at), distances(best), joined(part.changes([(at, best)], family) for part in checks)).word
        for at in others
    ]
    unlike = tuple(names[at] for at, word in zip(others, words) if word == FAIRER)
    like = tuple(names[at] for at, word in zip(others, words) if word != FAIRER)
    ends = distances(best)
    furthest = [(part.kind, name) for part in checks for name in part.names][int(np.argmax(np.abs(ends.value)))]
    reach = float(np.abs(ends.value).max()), float(np.maximum(-ends.low, ends.high).max())
    return FairestSet(names[best], furthest, *reach, unlike, like, seed, checks[0].games)
