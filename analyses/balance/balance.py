"""The smallest change of some numbers that brings every seat and every thing (King, …) inside the margin.

The search plays sets of components on the same chance, so only the changes differ. It begins with the game as it is and
each number through its range. Then it takes turns: the set that looks best from all results so far
(`analyses.balance.surface`), and sets around it that an optimiser (optuna) tries. It plays the best again with more
games on other chance. Then it judges them, the smallest change first, in fresh games that played no part in the choice,
until one is balanced everywhere; each verdict counts for the next choice. If none is balanced, that is the result.

Sizes are shares of ranges: a number that moves from one end of its range to the other counts 1, and several changes add
up.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from analyses import frames as pd
from analyses.balance.scores import SEATS, Candidate, HaltError, Scores, outside
from analyses.balance.search import CLOSER, BalanceSearch
from analyses.evidence import Estimate
from analyses.findings import Line
from analyses.line import analyse
from analyses.measures import fresh
from analyses.played import Counted, Found
from analyses.request import Request
from analyses.statistics import together, within
from analyses.worth import worth
from sim.printed.components import Components
from sim.printed.levers import Lever, value_at
from strategies.catalog import Seated

CLOSELY, FINAL = 2, 5  # half as many sets as trials are measured again, with so many times the games
VERIFIED = 4  # candidates that are judged
SHOWN = 8  # of the candidates
BEFORE = 40_000  # games of the unchanged game, for comparison
AGAIN, JUDGED = 1, 2  # numbers of fresh chance
BALANCED = "balanced"


@dataclass(frozen=True)
class Side:
    """A set of components with its verdicts: on the seats, and on each kind of thing; None if nobody asked.

    Attributes:
        components: as they were played. word: "balanced" if all is, "unbalanced" if something is not, else "undecided".
    """

    components: Components
    seats: Line | None
    worths: tuple[worth.Worth, ...]

    @property
    def word(self) -> str:
        """The verdict on everything."""
        return together([*([self.seats.verdict.word] if self.seats else []), *(one.verdict for one in self.worths)])

    @property
    def games(self) -> int:
        """Number of games that it was judged by."""
        return (self.seats.games if self.seats else 0) + sum(one.games for one in self.worths)

    def scores(self) -> Scores:
        """Return how far everything is from fair, in the order of the search."""
        parts = []
        if self.seats is not None:
            t, line = self.seats.tables["seats"], self.seats
            index = Estimate(*(t[name].to_numpy() - 1 for name in ("index", "index_low", "index_high")))
            parts.append(Scores.of(index, line.blocks, line.sequential, line.blocks))
        for one in self.worths:
            worths = Estimate(*(one.things[name].to_numpy() for name in ("worth", "low", "high")))
            parts.append(Scores.of(worths, one.blocks, one.sequential, one.blocks))
        return Scores.joined(parts)

    def rows(self, margin: float) -> "pd.DataFrame":
        """Return a row for each seat and thing: kind, name, index, low, high (win index, for things 1 + worth) and
        verdict."""
        parts: list[pd.DataFrame] = []
        if self.seats is not None:
            t = self.seats.tables["seats"]
            ends = t[["index", "index_low", "index_high"]].set_axis(["index", "low", "high"], axis=1)
            parts.append(ends.assign(kind=SEATS, name=t["seat"].astype(str)))
        for one in self.worths:
            ends = (1 + one.things[["worth", "low", "high"]]).set_axis(["index", "low", "high"], axis=1)
            parts.append(ends.assign(kind=one.kind, name=one.things["thing"]))
        found = pd.concat(parts, ignore_index=True)
        words = [within(low - 1, high - 1, margin) for low, high in zip(found["low"], found["high"], strict=True)]
        return found.assign(verdict=words)[["kind", "name", "index", "low", "high", "verdict"]]


@dataclass(frozen=True)
class Judged:
    """A candidate with its verdict from fresh games."""

    candidate: Candidate
    side: Side
    seed: int


@dataclass(frozen=True)
class Balance(Found):
    """The result of a search for a balanced game, for one number of players and one way to play; its games are those of
    each trial.

    Attributes:
        files: of components, as they were named. targets: what must lie inside the margin: "seats" and kinds of things.
        levers: the numbers that might be changed. trials: sets of components that were measured. all_games: games in
            all.
        before: the game as it is. judged: the candidates that were judged on fresh chance, in order; the last one is
            balanced if any is.
        best: the candidate that the search thought best; None if it was stopped before. tried: the best candidates of
            the search.
        inside: how many of the trials lie inside the margin as measured, those judged included.
    """

    files: tuple[str, ...]
    targets: tuple[str, ...]
    levers: tuple[Lever, ...]
    trials: int
    all_games: int
    before: Side | None
    judged: tuple[Judged, ...]
    best: Candidate | None
    tried: tuple[Candidate, ...] = field(repr=False)
    inside: int

    @property
    def found(self) -> bool:
        """Whether a set of components is balanced everywhere in fresh games."""
        return bool(self.judged) and self.judged[-1].side.word == BALANCED

    @property
    def ways(self) -> int:
        """Number of ways to set the numbers that may change, including the present one."""
        return math.prod(len({*lever.values, value_at(self.components, lever.path)}) for lever in self.levers)

    @property
    def proposal(self) -> Candidate | None:
        """The proposal: the balanced set, or else the least unbalanced one that was judged, or else the best of the
        search."""
        if self.found:
            return self.judged[-1].candidate
        return self.nearest.candidate if self.nearest else self.best

    @property
    def nearest(self) -> Judged | None:
        """The proposal with its verdict, if it was judged."""
        if not self.judged or self.found:
            return self.judged[-1] if self.judged else None
        return min(self.judged, key=lambda one: float(outside(one.side.scores().value, self.margin)))


def work(request: Request, targets: int, trials: int) -> list[int]:
    """Return after how many games, at most, each part of a search begins, and the last one ends: trials, closer,
    before, each verdict."""
    games, most = request.most, request.max_games
    parts = [games * (trials + CLOSER), FINAL * games * _closely(trials), min(BEFORE, most), *[most] * VERIFIED]
    return [targets * sum(parts[:at]) for at in range(len(parts) + 1)]


def _closely(trials: int) -> int:
    return max(3, trials // CLOSELY)


def balance(
    request: Request,
    entrants: tuple[Seated, ...],
    levers: tuple[Lever, ...],
    targets: tuple[str, ...],
    trials: int,
    *,
    watch: Callable[[int], None] = lambda games: None,
    trial: Callable[[int, float], None] = lambda number, outside: None,
    stage: Callable[[int, str], None] = lambda games, words: None,
) -> Balance:
    """Look for the smallest change that brings everything inside the margin.

    Args:
        request: what is played; its games are those of each trial, of the seats and of each kind, max_games those of
            each verdict.
        entrants: the strategies. levers: what may be changed. targets: "seats", and kinds of things that can be dealt.
        trials: sets of components to measure. watch: called with the number of games just played.
        trial: called after each trial with how far outside the best is.
        stage: told what is played now, and after how many games, at most, it begins.

    Returns:
        The result; Ctrl-C ends it early and keeps the best so far.

    Raises:
        ImportError: the library is missing. StrategyError: see `sim.runner.play`.
    """
    base, seed, margin, count = request.components, request.seed, request.margin, Counted(watch)
    search, begins = BalanceSearch(request, entrants, levers, targets, count), work(request, len(targets), trials)
    before, judged, interrupted = None, list[Judged](), False
    try:
        stage(0, "the game as it is")
        search.begin(trials)
        while len(search.tried) < trials and search.step():
            trial(len(search.tried), search.order()[0].outside(margin))
        stage(begins[1], "the best ones again")
        for _ in search.refine(fresh(seed, AGAIN), FINAL * search.games, _closely(trials)):
            trial(len(search.tried), search.finalists()[0].outside(margin))
        stage(begins[2], "the game as it is, in fresh games")
        before = _judge(search, base, fresh(seed, JUDGED), min(BEFORE, request.max_games))
        while len(judged) < VERIFIED and (candidate := search.next([one.candidate for one in judged])):
            stage(begins[3 + len(judged)], f"judged in fresh games: {len(judged) + 1}")
            other = fresh(seed, JUDGED + len(judged))
            side = _judge(search, candidate.components, other, None)
            judged.append(Judged(candidate, side, other))
            if side.word == BALANCED:
                break
            search.learn(candidate, other, side.scores())
    except (KeyboardInterrupt, HaltError):
        interrupted = True
    # The verdicts, which count, may come after any number of games; and a trial has blocks of several sizes.
    played = request.played(
        request.players[0], entrants, games=search.games, blocks=None, sequential=True, interrupted=interrupted
    )
    return Balance(
        played, request.files, targets, levers, len(search.tried), count.games, before, tuple(judged),
        best=search.finalists()[0] if search.close else search.best,
        tried=tuple((search.finalists() or search.order())[:SHOWN]),
        inside=len(search.inside()),
    )  # fmt: skip


def _judge(search: BalanceSearch, components: Components, seed: int, games: int | None) -> Side:
    """Return a set of components judged on the chance of a seed, by a number of games fixed in advance or until
    decided.

    Raises:
        HaltError: by hand, before it was done.
    """
    request, line, worths, watch = search.request, None, [], search.watch
    how: dict[str, Any] = {
        "games": games,
        "max_games": request.max_games,
        "margin": request.margin,
        "jobs": request.jobs,
    }
    who = search.study.players, search.entrants
    if SEATS in search.targets:
        line, _ = analyse(search.game, *who, components, seed, **how, watch=watch)
        if line.interrupted:
            raise HaltError
    for kind in (target for target in search.targets if target != SEATS):
        one = worth.measure(components, kind, *who, seed, powers=False, free=False, **how, watch=watch)
        if one.interrupted:
            raise HaltError
        worths.append(one)
    return Side(components, line, tuple(worths))


__all__ = ["SEATS", "Balance", "Candidate", "Judged", "Side", "balance", "work"]
