"""Balance as a test: does a seat, or a thing that is held, win more than a limit allows? Plays until that is decided."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from analyses.evidence import Estimate, Evidence
from analyses.line import MAX_GAMES
from analyses.worth.worth import SHARE, Dealt, deal_out, study
from sim import registry
from sim.contract import Chair, Game
from sim.dealing import Deal
from sim.outcomes import Sums
from sim.runner import Study, run

if TYPE_CHECKING:
    import pandas as pd

    from sim.printed.components import Components

INSIDE, OUTSIDE, UNDECIDED = "inside", "outside", "undecided"
SEATS = "seats"


@dataclass(frozen=True)
class Effort:
    """How much is played for each question.

    Attributes:
        seed: of every question. games: play exactly these; None: until it is decided. max_games: without `games`, no more than these.
        jobs: threads, −1 for all cores. watch: told of further games.
    """

    seed: int
    games: int | None = None
    max_games: int = MAX_GAMES
    jobs: int = -1
    watch: Callable[[int], None] = lambda games: None


@dataclass(frozen=True)
class Question:
    """A limit on win indices: of the seats, or of the things of a kind, with a number of players.

    Attributes:
        what: "seats" or a kind of `Game.things`. players: their number. limit: the greatest win index allowed.
    """

    what: str
    players: int
    limit: float


@dataclass(frozen=True)
class Answer:
    """What came of a question.

    Attributes:
        question: what was asked. strategies: who played.
        rows: table with name (number of the seat, or label), index, low, high; the intervals hold for all rows at once.
        word: "inside" if every interval lies at or below the limit, "outside" if one lies above it, else "undecided".
        games, blocks: played. sequential: whether the intervals hold whenever the run stops. interrupted: stopped by hand.
    """

    question: Question
    strategies: tuple[str, ...]
    rows: "pd.DataFrame" = field(repr=False)
    word: str
    games: int
    blocks: int
    sequential: bool
    interrupted: bool

    @property
    def further(self) -> int | None:
        """How many more games would probably decide, if the estimates stay where they are; None if decided or unknown."""
        index, low, high = (self.rows[name].to_numpy(float) for name in ("index", "low", "high"))
        gap, half = index - self.question.limit, np.maximum(high - index, index - low)
        if self.word != UNDECIDED or not np.all(np.isfinite(half)) or np.any(gap == 0) or np.all(high - low >= self.question.players):
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
class Check:
    """All answers, in the order of the questions; fewer than were asked if the run was stopped by hand."""

    components: "Components"
    seed: int
    answers: tuple[Answer, ...]
    asked: int

    @property
    def interrupted(self) -> bool:
        """Whether the run was stopped by hand."""
        return len(self.answers) < self.asked or any(answer.interrupted for answer in self.answers)

    @property
    def word(self) -> str:
        """Outside if one answer is, inside if all are, else undecided."""
        words = [answer.word for answer in self.answers]
        if OUTSIDE in words:
            return OUTSIDE
        return INSIDE if len(words) == self.asked and set(words) == {INSIDE} else UNDECIDED


def judge(found: Estimate, limit: float) -> str:
    """Return on which side of a limit all win indices lie, as far as their intervals tell."""
    if np.any(found.low > limit):
        return OUTSIDE
    return INSIDE if np.all(found.high <= limit) else UNDECIDED


def questions(players: Sequence[int], limits: dict[str, float]) -> list[Question]:
    """Return what is asked: every limit with every number of players."""
    return [Question(what, number, limit) for number in players for what, limit in limits.items()]


def check(
    components: "Components",
    asked: Sequence[Question],
    chairs: Callable[[int], Sequence[Chair]],
    effort: Effort,
    finished: Callable[[int], None] = lambda number: None,
) -> Check:
    """Answer all questions, each by games of its own; Ctrl-C ends it early and keeps what was played.

    Args:
        components: what is printed. asked: the questions. chairs: number of players → the strategies. effort: how much is played.
        finished: told how many questions are answered.

    Raises:
        StrategyError: see `sim.runner.play`.
    """
    answers: list[Answer] = []
    for question in asked:
        find = _seats if question.what == SEATS else _things
        answer = find(components, question, chairs(question.players), effort)
        if answer is not None:
            answers.append(answer)
            finished(len(answers))
        if answer is None or answer.interrupted:
            break
    return Check(components, effort.seed, tuple(answers), len(asked))


def block_games(question: Question, game: Game) -> int:
    """Return how many games a block of a question has."""
    return question.players if question.what == SEATS else len(_deal(question).plan(game, question.players))


def _deal(question: Question) -> Deal:
    return Deal(question.what, powers=False)


def _seats(components: "Components", question: Question, chairs: Sequence[Chair], effort: Effort) -> Answer | None:
    game, names = registry.load(components.game), tuple(chair.name for chair in chairs)
    study = Study(game.name, question.players, tuple(chairs), components.record, effort.seed)

    def found(sums: Sums, sequential: bool) -> Estimate:
        evidence = Evidence(game, question.players, names, sums, sequential)
        return Estimate(*(part * question.players for part in evidence.shares(evidence.seats)))

    played = run(
        study, games=effort.games, max_games=effort.max_games, decided=lambda sums: judge(found(sums, True), question.limit) != UNDECIDED,
        jobs=effort.jobs, watch=effort.watch,
    )  # fmt: skip
    if not played.sums.blocks:
        return None
    sequential = effort.games is None or played.interrupted
    labels = [str(seat + 1) for seat in range(question.players)]
    return _answer(
        question, names, labels, found(played.sums, sequential), played.games, played.sums.blocks, sequential, played.interrupted
    )


def _things(components: "Components", question: Question, chairs: Sequence[Chair], effort: Effort) -> Answer | None:
    deal = _deal(question)
    asked = study(components, deal, question.players, chairs, effort.seed)

    def index(found: Dealt) -> Estimate:
        return Estimate(*(1 + part for part in found.estimate("worth", SHARE)))

    found, interrupted = deal_out(
        asked, lambda found: judge(index(found), question.limit) != UNDECIDED, games=effort.games, max_games=effort.max_games,
        jobs=effort.jobs, watch=effort.watch,
    )  # fmt: skip
    blocks = found.moments.blocks
    if not blocks:
        return None
    names, labels = tuple(chair.name for chair in chairs), deal.things(found.game, question.players)
    return _answer(question, names, labels, index(found), blocks * len(asked.plan), blocks, found.sequential, interrupted)


def _answer(
    question: Question,
    strategies: tuple[str, ...],
    labels: Sequence[str],
    found: Estimate,
    games: int,
    blocks: int,
    sequential: bool,
    interrupted: bool,
) -> Answer:
    import pandas as pd

    rows = pd.DataFrame({"name": list(labels), "index": found.value, "low": found.low, "high": found.high})
    return Answer(question, strategies, rows, judge(found, question.limit), games, blocks, sequential, interrupted)


def table(found: Check) -> "pd.DataFrame":
    """Return a row for each question and seat or thing."""
    import pandas as pd

    parts = []
    for answer in found.answers:
        q = answer.question
        head: dict[str, Any] = {"what": q.what, "players": q.players, "limit": q.limit, "word": answer.word, "games": answer.games}
        parts.append(answer.rows.assign(**head)[[*head, *answer.rows.columns]])
    return pd.concat(parts, ignore_index=True)
