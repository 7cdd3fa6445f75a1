"""Do the findings hold for other plausible numbers? We draw the assumed ones anew, play again on the same chance, and
compare.

    draws 0, 1, 2, … of a seed ─► rejected if no designer would print them ─► the first so many others ─► each finding
                                                                                the same, the opposite or undecided in
                                                                                each

A finding is the verdict on the seats, on one seat, on all things of a kind (Kings, …) or on one of them. The same: a
set of numbers decides it as the present numbers do. The opposite: it decides it another way. For one set, the intervals
of all seats with a number of players hold at once, and so do those of all things of a kind.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from analyses import frames as pd
from analyses.blocks import ByNumber
from analyses.evidence import Evidence
from analyses.line import judge
from analyses.played import Found, Played
from analyses.request import Request
from analyses.robustness.plausible import objection, search
from analyses.robustness.sensitivity import First, ranked, top
from analyses.stated import stated
from analyses.statistics import Floats, fixed_half_width
from analyses.worth.worth import SHARE, Dealt, totals
from analyses.worth.worth import judge as judge_things
from analyses.worth.worth import study as deal_study
from sim import registry
from sim.contract import Entrant, Game
from sim.dealing import Deal
from sim.moments import Moments
from sim.outcomes import Sums
from sim.printed.components import Components
from sim.printed.printings import Input, Plausible, Scheme
from sim.runner import BATCH, Study, gather, play, prepare

AS_PRINTED = 5  # times as many games of the numbers as they are: a finding must be decided before it can be the same
SAME, OPPOSITE, UNDECIDED = "same", "opposite", "undecided"
SEATS, SEAT, THINGS, THING = "seats", "seat", "things", "thing"
ABOVE = {SEAT: "wins too much", THING: "too strong"}
BELOW = {SEAT: "wins too little", THING: "too weak"}
FAIR = "fair"


@dataclass(frozen=True)
class Stability:
    """A finding with the present numbers, and how many other sets of numbers agree.

    Attributes:
        what: SEATS, SEAT, THINGS or THING. kind: of things, "" for seats. name: number of the seat, or label of the
            thing; "" for all.
        players: number of players. verdict: "balanced", "unbalanced", or one of ABOVE, BELOW, FAIR; or "undecided".
        index, low, high: win index with its interval (for things 1 + worth); of all, of the one that is furthest from
            1.
        counts: in how many printings which verdict. least, most: the win index in the printings; of all, of the one
            furthest from 1.
    """

    what: str
    kind: str
    name: str
    players: int
    verdict: str
    index: float
    low: float
    high: float
    counts: Mapping[str, int]
    least: float
    most: float

    @property
    def printings(self) -> int:
        """Number of sets of numbers."""
        return sum(self.counts.values())

    @property
    def same(self) -> int | None:
        """How many sets decide it the same way; None if the present numbers don't decide it."""
        return None if self.verdict == UNDECIDED else self.counts.get(self.verdict, 0)

    @property
    def opposite(self) -> int | None:
        """How many sets decide it another way; None if the present numbers don't decide it."""
        return None if self.same is None else self.printings - self.same - self.undecided

    @property
    def undecided(self) -> int:
        """How many sets don't decide it."""
        return self.counts.get(UNDECIDED, 0)


@dataclass(frozen=True)
class Robustness(Found):
    """What becomes of the findings over plausible printings; things are dealt, and inputs ranked, for the first number
    of players.

    Attributes:
        played: with the first number of players, and the games of each printing for the seats, and as many for the
            things.
        line_ups: for each number of players the names of the strategies. all_games: those for limits left out.
        asked: printings asked for. accepted: numbers of the draws that were played. rejected: reason → how many draws.
        inputs: what was drawn. codes: float64 (accepted, inputs), see `sim.printed.printings.Printing`.
        plausible: the limits. objection: which of them the numbers as they are break, "" for none.
        words: the codes as one would write them. findings: in order. verdicts: (accepted, findings) words. values:
            float64 of that shape.
        ranking: table with what, kind, name (of the finding's number), input, key, index, low, high, noise, see
            `analyses.robustness.sensitivity`.
        first: what to look up first, None if that can't be told.
    """

    line_ups: Mapping[int, tuple[str, ...]]
    all_games: int = 0
    asked: int = 0
    accepted: tuple[int, ...] = ()
    rejected: Mapping[str, int] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()
    plausible: tuple[Plausible, ...] = ()
    objection: str = ""
    codes: Floats = field(default_factory=lambda: np.zeros((0, 0)), repr=False)
    words: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    findings: tuple[Stability, ...] = ()
    verdicts: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), object), repr=False)
    values: Floats = field(default_factory=lambda: np.zeros((0, 0)), repr=False)
    ranking: "pd.DataFrame | None" = field(default=None, repr=False)
    first: First | None = None

    @property
    def printings(self) -> int:
        """Number of sets that were played."""
        return len(self.accepted)

    @property
    def draws(self) -> int:
        """Number of sets that were drawn."""
        return len(self.accepted) + sum(self.rejected.values())

    def find(self, what: str, players: int, name: str = "") -> Stability | None:
        """Return a finding."""
        return next((f for f in self.findings if (f.what, f.players, f.name) == (what, players, name)), None)

    def furthest(self, players: int, name: str = "") -> tuple[Stability, int]:
        """Return the seat furthest from its share with the present numbers, and in how many sets it is furthest on the
        same side.

        Args:
            players: number of players. name: of that seat, if another run has found it.
        """
        seats = [at for at, f in enumerate(self.findings) if (f.what, f.players) == (SEAT, players)]
        far = max(seats, key=lambda at: (self.findings[at].name == name, round(abs(self.findings[at].index - 1), 12)))
        values = self.values[:, seats] - 1
        largest = np.abs(values).round(12).argmax(axis=1) == seats.index(far)
        side = np.sign(self.values[:, far] - 1) == np.sign(self.findings[far].index - 1)
        return self.findings[far], int((largest & side).sum())


# --- what is played ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Ask:
    """One question of each printing: the seats of a number of players, or the things of a kind dealt to them; blocks of
    one printing."""

    game: Game
    players: int
    entrants: tuple[Entrant, ...]
    kind: str
    seed: int
    blocks: int

    @property
    def deal(self) -> Deal:
        """How things are dealt."""
        return Deal(self.kind, powers=False)

    @property
    def size(self) -> int:
        """Number of games of a block."""
        return len(self.deal.plan(self.game, self.players)) if self.kind else self.players

    def study(self, made: Components) -> Study:
        """Return what is played of a printing."""
        if self.kind:
            return deal_study(made, self.deal, self.players, self.entrants, self.seed)
        return Study(self.game.name, self.players, self.entrants, made.record, self.seed)

    def play(self, study: Study, first: int, blocks: int) -> Any:
        """Return sums over blocks."""
        if not self.kind:
            outcomes, decisions = play(study, first * self.players, blocks * self.players)
            return Sums.of(self.game, outcomes, self.players, len(self.entrants), decisions)
        found, decisions = totals(study, first, blocks)
        return Dealt(
            self.game, self.players, self.deal, Moments.of(found, first, self.deal.strata(self.game)), decisions, False
        )

    def about(self, name: str) -> str:
        """Return what a finding is about: all, or one of them by name."""
        return (THING if name else THINGS) if self.kind else SEAT if name else SEATS

    def names(self) -> tuple[str, ...]:
        """Return what the answer is about, one by one."""
        return (
            self.deal.things(self.game, self.players)
            if self.kind
            else tuple(str(seat + 1) for seat in range(self.players))
        )

    def answer(self, sums: Any, margin: float) -> tuple[str, tuple[Floats, Floats, Floats]]:
        """Return the verdict on all, and the win index of each with its interval."""
        if self.kind:
            worth = sums.estimate("worth", SHARE)
            return judge_things(worth, margin)[0], (1 + worth.value, 1 + worth.low, 1 + worth.high)
        evidence = Evidence(self.game, self.players, tuple(entrant.name for entrant in self.entrants), sums, False)
        share, low, high = (part * self.players for part in evidence.shares(evidence.seats))
        return judge(evidence, margin).word, (share, low, high)


def asks(components: Components, entrants: Mapping[int, Sequence[Entrant]], seed: int, games: int) -> list[_Ask]:
    """Return the questions of a printing: seats for each number of players, then the things that can be dealt, for the
    first one.

    Things of which nothing is said one by one (`analyses.stated`) are left out.
    """
    game = registry.load(components.game)
    first = next(iter(entrants))
    found = [_Ask(game, n, tuple(cast), "", seed, -(-games // n)) for n, cast in entrants.items()]
    for kind in stated(components):
        deal = Deal(kind, powers=False)
        strata = deal.strata(game)
        blocks = -(-games // (len(deal.things(game, first)) * strata)) * strata
        found.append(_Ask(game, first, tuple(entrants[first]), kind, seed, blocks))
    return found


def total(components: Components, entrants: Mapping[int, Sequence[Entrant]], games: int, printings: int) -> int:
    """Return how many games a run plays, those of the search for plausible printings left out."""
    each = sum(ask.blocks * ask.size for ask in asks(components, entrants, 0, games))
    return each * (printings + AS_PRINTED)


def _play_all(
    questions: "Sequence[_Ask]", versions: Sequence[Components], jobs: int, watch: Callable[[int], None]
) -> tuple[list[list[Any]], bool]:
    """Play all questions of all versions, the first of them longest; return sums by version and question.

    A version that is not finished has none.
    """
    pieces: list[tuple[int, int, int, int]] = []
    for version in range(len(versions)):
        for at, ask in enumerate(questions):
            most = ask.blocks * (1 if version else AS_PRINTED)
            size = max(1, BATCH // ask.size)
            pieces += [(version, at, first, min(size, most - first)) for first in range(0, most, size)]
    studies = [[ask.study(made) for ask in questions] for made in versions]

    def task(first: int, count: int) -> ByNumber:
        found = ByNumber()
        for version, at, block, blocks in pieces[first : first + count]:
            found += ByNumber(
                {(version, at): questions[at].play(studies[version][at], block, blocks), (version, -1): 1}
            )
        return found

    def tell(first: int, count: int, part: ByNumber) -> None:
        watch(sum(blocks * questions[at].size for _, at, _, blocks in pieces[first : first + count]))

    found, interrupted = gather(task, ByNumber(), len(pieces), size=1, jobs=jobs, keep=tell)
    wanted = np.bincount([version for version, *_ in pieces], minlength=len(versions))
    done = [version for version in range(len(versions)) if found.get((version, -1)) == wanted[version]]
    return [
        [found[version, at] for at in range(len(questions))] if version in done else []
        for version in range(len(versions))
    ], interrupted


# --- what is found ----------------------------------------------------------------------------------------------------


def word(what: str, low: float, high: float, margin: float) -> str:
    """Return the verdict on one seat or thing whose win index lies from `low` to `high`."""
    if low - 1 > margin:
        return ABOVE[what]
    if high - 1 < -margin:
        return BELOW[what]
    return FAIR if low - 1 >= -margin and high - 1 <= margin else UNDECIDED


def _answers(questions: "Sequence[_Ask]", sums: Sequence[Any], margin: float) -> list[tuple[str, float, float, float]]:
    """Return verdict, win index and interval of each finding of one printing."""
    found = []
    for ask, total in zip(questions, sums):
        verdict, (index, low, high) = ask.answer(total, margin)
        far = int(np.argmax(np.abs(index - 1).round(12)))
        rows = [(verdict, float(index[far]), float(low[far]), float(high[far]))]
        rows += [
            (word(THING if ask.kind else SEAT, a, b, margin), float(i), float(a), float(b))
            for i, a, b in zip(index, low, high)
        ]
        found += rows
    return found


def facts(
    request: Request, entrants: Mapping[int, Sequence[Entrant]], games: int
) -> tuple[Played, dict[int, tuple[str, ...]]]:
    """Return the record of what is going to be played, and who sits down for each number of players."""
    played = request.played(*next(iter(entrants.items())))
    return replace(played, games=games, blocks=None), {
        n: tuple(entrant.name for entrant in cast) for n, cast in entrants.items()
    }


def measure(
    request: Request,
    scheme: Scheme,
    entrants: Mapping[int, Sequence[Entrant]],
    *,
    printings: int,
    games: int,
    watch: Callable[[int], None] = lambda games: None,
) -> Robustness:
    """Draw plausible sets of numbers, play each on the same chance, and compare the findings.

    Args:
        request: what is asked for; its seed is that of draws and games. scheme: how the numbers are drawn.
        entrants: for each number of players the strategies; the first number speaks for the game. printings: how many
            plausible ones.
        games: of each printing for each question, rounded up to whole blocks.
        watch: called with the number of games just played.

    Returns:
        What was found; no findings if it was stopped before the numbers as they are had been played. Ctrl-C keeps the
        finished printings.

    Raises:
        StrategyError: see `sim.runner.play`. ValueError: nothing can be drawn.
    """
    components, seed, margin = request.components, request.seed, request.margin
    game, inputs, first = registry.load(components.game), scheme.inputs(components), next(iter(entrants))
    if not inputs:
        raise ValueError("no number can be drawn")
    sought = search(components, scheme, inputs, printings, first, seed, request.jobs)
    questions = asks(components, entrants, seed, games)
    for cast in entrants.values():
        prepare(game, cast, components.record)
    versions = [components, *(made for _, made in sought.accepted)]
    sums, stopped = ([[]], True) if sought.interrupted else _play_all(questions, versions, request.jobs, watch)
    kept = [at for at in range(1, len(sums)) if sums[at]] if sums[0] else []
    drawn = [sought.accepted[at - 1][0] for at in kept]
    answers = [_answers(questions, sums[at], margin) for at in (0, *kept)] if sums[0] else []
    played, line_ups = facts(request, entrants, games if answers else 0)
    found = Robustness(
        replace(played, interrupted=stopped),
        line_ups,
        all_games=sum(ask.blocks * ask.size for ask in questions) * (len(kept) + AS_PRINTED) if answers else 0,
        asked=printings,
        accepted=tuple(printing.number for printing in drawn),
        rejected=sought.rejected,
        inputs=inputs,
        plausible=scheme.plausible,
        objection=objection(game, components, scheme.plausible, first, seed),
        codes=np.array([printing.codes for printing in drawn]).reshape(len(drawn), len(inputs)),
        words=tuple(printing.words for printing in drawn),
    )
    return _concluded(found, questions, answers) if answers else found


def _concluded(
    found: Robustness, questions: "Sequence[_Ask]", answers: Sequence[Sequence[tuple[str, float, float, float]]]
) -> Robustness:
    """Return what was found, with findings and ranking."""
    heads = [(name, ask) for ask in questions for name in ("", *ask.names())]
    base, *others = answers
    verdicts = np.array([[row[0] for row in rows] for rows in others], object).reshape(len(others), len(heads))
    values = np.array([[row[1] for row in rows] for rows in others]).reshape(len(others), len(heads))
    errors = [[_error(row, ask) ** 2 for row, (_, ask) in zip(rows, heads)] for rows in others]
    findings = tuple(
        Stability(
            ask.about(name), ask.kind, name, ask.players, *base[at], dict(Counter(map(str, verdicts[:, at]))),
            float(values[:, at].min(initial=np.inf)), float(values[:, at].max(initial=-np.inf)),
        )
        for at, (name, ask) in enumerate(heads)
    )  # fmt: skip
    whole = replace(found, findings=findings, verdicts=verdicts, values=values)
    ranking = ranked(whole, np.mean(errors, axis=0) if errors else np.zeros(len(heads)))
    return replace(whole, ranking=ranking, first=top(ranking, ""))


def _error(row: tuple[str, float, float, float], ask: _Ask) -> float:
    """Return the standard error of a win index, from the interval that was made with it."""
    _, _, low, high = row
    return (high - low) / 2 / (float(fixed_half_width(1.0, ask.blocks, len(ask.names()))) * ask.blocks**0.5)
