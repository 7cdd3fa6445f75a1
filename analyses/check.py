"""Balance as a test: does a seat, or the holder of a thing, win more than a limit allows? Plays until that is
decided."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from analyses import frames as pd
from analyses.baseline import NOT_WORSE, WORSE, Baseline, beside
from analyses.baseline import SEATS as SEATS
from analyses.evidence import Estimate, Evidence
from analyses.played import Found, Played
from analyses.request import Request
from analyses.worth.worth import SHARE, Dealt, deal_out, study
from sim import registry
from sim.contract import Entrant, Game
from sim.dealing import Deal
from sim.outcomes import Sums
from sim.printed.components import Components
from sim.runner import Study, run

INSIDE, OUTSIDE, UNDECIDED = "inside", "outside", "undecided"
AS_LIMIT = {NOT_WORSE: INSIDE, WORSE: OUTSIDE}  # what a comparison with a baseline is among limits


@dataclass(frozen=True)
class Limit:
    """A limit on the win indices of the seats, or of the things of a kind, with a number of players.

    Attributes:
        what: "seats" or a kind of `Game.things`. players: their number. index: the greatest win index allowed.
    """

    what: str
    players: int
    index: float


@dataclass(frozen=True)
class LimitAnswer(Found):
    """Whether a limit holds.

    Attributes:
        limit: what was asked.
        rows: table with name (number of the seat, or label), index, low, high; the intervals hold for all rows at once.
        word: "inside" if every interval lies at or below the limit, "outside" if one lies above it, else "undecided".
    """

    limit: Limit
    rows: "pd.DataFrame" = field(repr=False)
    word: str

    @property
    def further(self) -> int | None:
        """How many more games would probably decide it, if the estimates stay where they are; None if decided or
        unknown."""
        index, low, high = (self.rows[name].to_numpy(float) for name in ("index", "low", "high"))
        gap, half = index - self.limit.index, np.maximum(high - index, index - low)
        if (
            self.word != UNDECIDED
            or not np.all(np.isfinite(half))
            or np.any(gap == 0)
            or np.all(high - low >= self.limit.players)
        ):
            return None
        needed = (half / gap) ** 2
        factor = float(needed[gap > 0].min() if np.any(gap > 0) else needed.max())
        return max(1, round(self.games * (factor - 1)))

    @property
    def furthest(self) -> dict[str, Any]:
        """The row that speaks for the question: the highest index, or the one that is outside most surely."""
        column = self.rows["low" if self.word == OUTSIDE else "index"].to_numpy(float)  # NaN where nothing is known yet
        return {str(name): value for name, value in self.rows.iloc[int(np.fmax(column, -1).argmax())].items()}


@dataclass(frozen=True)
class Check(Found):
    """All answers, in the order of the limits, then the comparisons with a baseline; fewer than were asked if somebody
    stopped the run.

    Attributes:
        played: of the first answer or comparison, and whether the run was stopped by hand. answers: to limits. asked:
            number of limits.
        baselines: comparisons; there is at least one answer or comparison. compared: number of comparisons that were
            asked for.
    """

    answers: tuple[LimitAnswer, ...]
    asked: int
    baselines: tuple[Baseline, ...] = ()
    compared: int = 0

    @property
    def word(self) -> str:
        """Outside if one answer is or one comparison is worse, inside if all are inside or not worse, else
        undecided."""
        words = [
            *(answer.word for answer in self.answers),
            *(AS_LIMIT.get(one.word, one.word) for one in self.baselines),
        ]
        if OUTSIDE in words:
            return OUTSIDE
        return INSIDE if len(words) == self.asked + self.compared and set(words) == {INSIDE} else UNDECIDED


def judge(found: Estimate, limit: float) -> str:
    """Return on which side of a limit all win indices lie, as far as their intervals tell."""
    if np.any(found.low > limit):
        return OUTSIDE
    return INSIDE if np.all(found.high <= limit) else UNDECIDED


def limits(players: Sequence[int], most: Mapping[str, float]) -> list[Limit]:
    """Return what is asked: with every number of players the greatest win index of each, `most`: "seats" or kind of
    things → index."""
    return [Limit(what, number, index) for number in players for what, index in most.items()]


def check(
    request: Request,
    asked: Sequence[Limit],
    entrants: Mapping[int, Sequence[Entrant]],
    watch: Callable[[int], None],
    finished: Callable[[int], None] = lambda number: None,
    before: Components | None = None,
    pairs: Sequence[tuple[str, int]] = (),
) -> Check | None:
    """Answer for all limits and comparisons, each by games of its own; Ctrl-C ends it early and keeps what was played.

    Args:
        request: what is asked for; its margin is that of the comparisons. asked: the limits. entrants: number of
            players → the strategies.
        watch: called with the number of games just played. finished: told how many limits and comparisons are answered.
        before, pairs: the baseline, and what is compared with it: "seats" or kind of things, and number of players.

    Returns:
        What was found; None if it was stopped before anything was played.

    Raises:
        StrategyError: see `sim.runner.play`.
    """
    answers: list[LimitAnswer] = []
    for limit in asked:
        find = _seats if limit.what == SEATS else _things
        answer = find(request, limit, entrants[limit.players], watch)
        if answer.blocks:
            answers.append(answer)
            finished(len(answers))
        if answer.interrupted:
            break
    baselines: list[Baseline] = []
    for what, players in pairs if len(answers) == len(asked) else ():
        one = beside(before or request.components, request, what, players, entrants[players], watch)
        baselines += [one] if one else []
        if not one or one.interrupted:
            break
        finished(len(answers) + len(baselines))
    parts = [*answers, *baselines]
    if not parts:
        return None
    stopped = len(parts) < len(asked) + len(pairs) or parts[-1].interrupted
    played = replace(parts[0].played, interrupted=stopped, margin=request.margin if pairs else None)
    return Check(played, tuple(answers), len(asked), tuple(baselines), len(pairs))


def block_games(what: str, players: int, game: Game) -> int:
    """Return how many games a block has that is played for seats or a kind of things."""
    return players if what == SEATS else len(Deal(what, powers=False).plan(game, players))


def _seats(request: Request, limit: Limit, entrants: Sequence[Entrant], watch: Callable[[int], None]) -> LimitAnswer:
    game, names = registry.load(request.game), tuple(entrant.name for entrant in entrants)
    study = Study(game.name, limit.players, tuple(entrants), request.components.record, request.seed)

    def found(sums: Sums, sequential: bool) -> Estimate:
        evidence = Evidence(game, limit.players, names, sums, sequential)
        return Estimate(*(part * limit.players for part in evidence.shares(evidence.seats)))

    played = run(
        study, games=request.games, max_games=request.max_games,
        decided=lambda sums: judge(found(sums, True), limit.index) != UNDECIDED, jobs=request.jobs, watch=watch,
    )  # fmt: skip
    facts = request.played(
        limit.players, entrants, games=played.games, blocks=played.sums.blocks, decisions=played.sums.decisions,
        sequential=request.games is None or played.interrupted, interrupted=played.interrupted,
    )  # fmt: skip
    return _answer(facts, limit, [str(seat + 1) for seat in range(limit.players)], found(played.sums, facts.sequential))


def _things(request: Request, limit: Limit, entrants: Sequence[Entrant], watch: Callable[[int], None]) -> LimitAnswer:
    deal = Deal(limit.what, powers=False)
    asked = study(request.components, deal, limit.players, entrants, request.seed)

    def index(found: Dealt) -> Estimate:
        return Estimate(*(1 + part for part in found.estimate("worth", SHARE)))

    found, interrupted = deal_out(
        asked, lambda found: judge(index(found), limit.index) != UNDECIDED, games=request.games,
        max_games=request.max_games, jobs=request.jobs, watch=watch,
    )  # fmt: skip
    blocks = found.moments.blocks
    facts = request.played(
        limit.players, entrants, games=blocks * len(asked.plan), blocks=blocks, decisions=found.decisions,
        sequential=found.sequential, interrupted=interrupted,
    )  # fmt: skip
    return _answer(facts, limit, deal.things(found.game, limit.players), index(found))


def _answer(facts: Played, limit: Limit, labels: Sequence[str], found: Estimate) -> LimitAnswer:
    rows = pd.DataFrame({"name": list(labels), "index": found.value, "low": found.low, "high": found.high})
    return LimitAnswer(replace(facts, margin=None), limit, rows, judge(found, limit.index))


def table(found: Check) -> "pd.DataFrame":
    """Return a row for each limit and seat or thing."""
    heads = ({"what": one.limit.what, "players": one.players, "limit": one.limit.index} for one in found.answers)
    return _table(found.answers, heads)


def baseline_table(found: Check) -> "pd.DataFrame":
    """Return a row for each comparison with a baseline and seat or thing."""
    heads = ({"what": one.what, "players": one.players, "margin": one.margin} for one in found.baselines)
    return _table(found.baselines, heads)


def _table(found: "Sequence[LimitAnswer | Baseline]", heads: Iterable[dict[str, Any]]) -> "pd.DataFrame":
    parts = []
    for one, head in zip(found, heads, strict=True):
        head |= {"word": one.word, "games": one.games}
        parts.append(one.rows.assign(**head)[[*head, *one.rows.columns]])
    return pd.concat(parts, ignore_index=True)
