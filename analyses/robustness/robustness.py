"""Do the findings hold for other plausible numbers? We draw the assumed ones anew, play again on the same chance, and
compare.

    draws 0, 1, 2, … of a seed ─► rejected if no designer would print them ─► the first so many others ─► each finding
                                                                              the same or the opposite in each

A finding is the headline's verdict on the seats, on one seat, on all things of a kind (Kings, …) or on one of them. A
set of numbers says the same if its win index, without the luck of its games (`between`), lies on the same side of the
margin; else the opposite.

All sets play a quarter of their games. Where luck still blurs how far the sets are apart, all of them play on, to a
half and to the whole.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from analyses import frames as pd
from analyses.blocks import ByNumber
from analyses.played import Found, Played
from analyses.request import Request
from analyses.robustness.asks import SEAT, THING, Ask, Headline, Heads, asks, furthest
from analyses.robustness.between import Share, between_sets, of_all, plain, sides
from analyses.robustness.plausible import objection, search
from analyses.robustness.sensitivity import First, ranked, top
from analyses.statistics import Floats, within
from sim import registry
from sim.contract import Entrant
from sim.printed.components import Components
from sim.printed.printings import Input, Plausible, Scheme
from sim.runner import BATCH, gather, prepare

STEPS = (4, 2, 1)  # sets play their games divided by these, and stop where that is enough
UNDECIDED = "undecided"
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
        index, low, high: win index of the headline with its interval (for things 1 + worth); of all, of the one that
            is furthest from 1.
        counts: in how many sets which verdict. shares: verdict → share of all sets that could be drawn, with an
            interval. games: of each set.
        least, most: the win index in the sets, without the luck of their games; of all, of the one furthest from 1.
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
    shares: Mapping[str, Share]
    games: int
    least: float
    most: float

    @property
    def printings(self) -> int:
        """Number of sets of numbers."""
        return sum(self.counts.values())

    @property
    def same(self) -> int | None:
        """How many sets say the same; None if the present numbers don't decide it."""
        return None if self.verdict == UNDECIDED else self.counts.get(self.verdict, 0)

    @property
    def opposite(self) -> int | None:
        """How many sets say something else; None if the present numbers don't decide it."""
        return None if self.same is None else self.printings - self.same


@dataclass(frozen=True)
class Robustness(Found):
    """What becomes of the findings over plausible printings; things are dealt, and inputs ranked, for the first number
    of players.

    Attributes:
        played: with the first number of players, and the most games of each set for the seats, and as many for the
            things.
        line_ups: for each number of players the names of the strategies. all_games: those for limits left out.
        asked: printings asked for. accepted: numbers of the draws that were played. rejected: reason → how many draws.
        inputs: what was drawn. codes: float64 (accepted, inputs), see `sim.printed.printings.Printing`.
        plausible: the limits. objection: which of them the numbers as they are break, "" for none.
        words: the codes as one would write them. findings: in order. verdicts: (accepted, findings) words.
        values: float64 of that shape, win index as it was played; shrunk: without luck, see `between`.
        ranking: table with what, kind, name (of the finding's number), input, key, index, low, high, noise, see
            `analyses.robustness.sensitivity`.
        first: what to look up first; None if that can't be told, or if no set says anything else of the seats.
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
    shrunk: Floats = field(default_factory=lambda: np.zeros((0, 0)), repr=False)
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

    @property
    def settled(self) -> bool:
        """Whether all sets say of the seats what the present numbers say, so nothing needs to be looked up for that."""
        return self.printings > 0 and self.findings[0].same == self.printings

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
        values = self.shrunk[:, seats] - 1
        largest = np.abs(values).round(12).argmax(axis=1) == seats.index(far)
        side = np.sign(self.shrunk[:, far] - 1) == np.sign(self.findings[far].index - 1)
        return self.findings[far], int((largest & side).sum())


# --- what is played ---------------------------------------------------------------------------------------------------


def total(components: Components, entrants: Mapping[int, Sequence[Entrant]], games: int, printings: int) -> int:
    """Return how many games the sets play at most, those of the search for plausible ones left out."""
    return printings * sum(ask.blocks * ask.size for ask in asks(components, entrants, 0, games))


def _play_all(
    questions: Sequence[Ask], versions: Sequence[Components], margin: float, jobs: int, watch: Callable[[int], None]
) -> tuple[list[list[Any]], list[int], bool]:
    """Play all questions of all sets until no luck blurs them, or to the end.

    Returns:
        Sums by set and question, none for sets that are not finished; how many blocks of each question; and whether
        Ctrl-C came.
    """
    studies = [[ask.study(made) for ask in questions] for made in versions]
    sums, done = [[None] * len(questions) for _ in versions], [0] * len(questions)
    for step in STEPS:
        goals = [-(-ask.blocks // (step * ask.strata)) * ask.strata for ask in questions]
        open_ = [at for at, ask in enumerate(questions) if goals[at] > done[at] and _blurred(ask, sums, at, margin)]
        pieces = [
            (version, at, first, min(size, goals[at] - first))
            for version in range(len(versions)) for at in open_
            for size in [max(1, BATCH // questions[at].size)] for first in range(done[at], goals[at], size)
        ]  # fmt: skip

        if not pieces:
            continue

        def task(first: int, count: int, pieces: list[tuple[int, int, int, int]] = pieces) -> ByNumber:
            found = ByNumber()
            for version, at, block, blocks in pieces[first : first + count]:
                found += ByNumber({(version, at): questions[at].play(studies[version][at], block, blocks)})
                found += ByNumber({(version, -1): 1})
            return found

        def tell(first: int, count: int, part: ByNumber, pieces: list[tuple[int, int, int, int]] = pieces) -> None:
            watch(sum(blocks * questions[at].size for _, at, _, blocks in pieces[first : first + count]))

        found, interrupted = gather(task, ByNumber(), len(pieces), size=1, jobs=jobs, keep=tell)
        wanted = np.bincount([version for version, *_ in pieces], minlength=len(versions))
        ready = [version for version in range(len(versions)) if found.get((version, -1), 0) == wanted[version]]
        if interrupted and any(done):  # all sets have as many games
            return sums, done, True
        for version, at in ((version, at) for version in ready for at in open_):
            before = sums[version][at]
            sums[version][at] = found[version, at] if before is None else before + found[version, at]
        for at in open_:
            done[at] = goals[at]
        if interrupted:
            return [row if at in ready else [] for at, row in enumerate(sums)], done, True
    return sums, done, False


def _blurred(ask: Ask, sums: Sequence[Sequence[Any]], at: int, margin: float) -> bool:
    """Return whether luck still blurs how far the sets are apart in a question."""
    if not sums or sums[0][at] is None:
        return True
    values, errors = (np.array(part) for part in zip(*(ask.answer(row[at]) for row in sums), strict=True))
    return not all(plain(values[:, one], errors[:, one], margin) for one in range(values.shape[1]))


# --- what is found ----------------------------------------------------------------------------------------------------


def word(what: str, low: float, high: float, margin: float) -> str:
    """Return the verdict on one seat or thing whose win index lies from `low` to `high`."""
    said = within(low - 1, high - 1, margin)
    return {"balanced": FAIR, "undecided": UNDECIDED}.get(said) or (ABOVE if low > 1 else BELOW)[what]


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
    heads: Callable[[Sequence[Ask]], Heads],
    *,
    printings: int,
    games: int,
    watch: Callable[[int], None] = lambda games: None,
) -> Robustness:
    """Draw plausible sets of numbers, play each on the same chance, and compare the findings.

    Args:
        request: what is asked for; its seed is that of draws and games. scheme: how the numbers are drawn.
        entrants: for each number of players the strategies; the first number speaks for the game.
        heads: questions → what the present numbers say of them; questions of which they say nothing are left out.
        printings: how many plausible ones. games: of each set for each question at most, rounded up to whole blocks.
        watch: called with the number of games just played.

    Returns:
        What was found; no findings if it was stopped before the headline had been played. Ctrl-C keeps the finished
        sets.

    Raises:
        StrategyError: see `sim.runner.play`. ValueError: nothing can be drawn.
    """
    components, seed = request.components, request.seed
    game, inputs, first = registry.load(components.game), scheme.inputs(components), next(iter(entrants))
    if not inputs:
        raise ValueError("no number can be drawn")
    sought = search(components, scheme, inputs, printings, first, seed, request.jobs)
    questions = asks(components, entrants, seed, games)
    for cast in entrants.values():
        prepare(game, cast, components.record)
    base = {} if sought.interrupted else heads(questions)
    known = [ask for ask in questions if (ask.players, ask.kind) in base]
    sums: list[list[Any]] = []
    blocks, stopped = [0] * len(known), True
    if known:
        sums, blocks, stopped = _play_all(
            known, [made for _, made in sought.accepted], request.margin, request.jobs, watch
        )
    kept = [at for at, row in enumerate(sums) if row]
    drawn = [sought.accepted[at][0] for at in kept]
    played, line_ups = facts(request, entrants, games if known else 0)
    found = Robustness(
        replace(played, interrupted=stopped or len(known) < len(questions)),
        line_ups,
        all_games=sum(count * ask.size for ask, count in zip(known, blocks, strict=True)) * len(kept),
        asked=printings,
        accepted=tuple(printing.number for printing in drawn),
        rejected=sought.rejected,
        inputs=inputs,
        plausible=scheme.plausible,
        objection=objection(game, components, scheme.plausible, first, seed),
        codes=np.array([printing.codes for printing in drawn]).reshape(len(drawn), len(inputs)),
        words=tuple(printing.words for printing in drawn),
    )
    if not known:
        return found
    parts = [
        _part(ask, base[ask.players, ask.kind], [sums[row][at] for row in kept], blocks[at], request.margin)
        for at, ask in enumerate(known)
    ]
    return _concluded(found, parts)


@dataclass(frozen=True)
class _Part:
    """The findings of one question: of all, then of each; verdicts, values and shrunk with a column for each, and the
    luck in it."""

    findings: list[Stability]
    verdicts: np.ndarray
    values: Floats
    shrunk: Floats
    luck: list[float]


def _part(ask: Ask, base: Headline, sums: Sequence[Any], blocks: int, margin: float) -> _Part:
    """Return the findings of one question; sums: of each set."""
    names, what, sets = ask.names(), ask.about("one"), len(sums)
    answers = [ask.answer(part) for part in sums]
    values, errors = (np.array([answer[i] for answer in answers]).reshape(sets, len(names)) for i in (0, 1))
    each = [between_sets(values[:, at], errors[:, at], margin) for at in range(len(names))]
    shrunk = np.stack([one.shrunk for one in each], axis=1)
    below, inside, above = sides(shrunk, margin)
    verdicts = np.select([below, above], [BELOW[what], ABOVE[what]], FAIR).astype(object)
    fair = np.asarray(inside.all(axis=1))
    all_ = np.where(fair, "balanced", "unbalanced").astype(object)
    far = furthest(base.index)
    words, played, whole = np.column_stack([all_, verdicts]), _with_furthest(values), _with_furthest(shrunk)
    together = dict(zip(("balanced", "unbalanced"), of_all(each, fair)))
    shares = [together, *(dict(zip((BELOW[what], FAIR, ABOVE[what]), one.shares)) for one in each)]
    now = [base.verdict, *(word(what, low, high, margin) for low, high in zip(base.low, base.high))]
    findings = [
        Stability(
            ask.about(name), ask.kind, name, ask.players, now[at], float(base.index[one]), float(base.low[one]),
            float(base.high[one]), dict(Counter(map(str, words[:, at]))), shares[at], blocks * ask.size,
            float(whole[:, at].min(initial=np.inf)), float(whole[:, at].max(initial=-np.inf)),
        )
        for at, (name, one) in enumerate(zip(("", *names), (far, *range(len(names))), strict=True))
    ]  # fmt: skip
    return _Part(findings, words, played, whole, [0.0, *(one.luck for one in each)])


def _with_furthest(index: Floats) -> Floats:
    """Return win indices (sets, names) with the one of each set that is furthest from 1 in front."""
    rows = np.arange(len(index))
    return np.column_stack([index[rows, np.abs(index - 1).round(12).argmax(axis=1)], index])


def _concluded(found: Robustness, parts: Sequence[_Part]) -> Robustness:
    """Return what was found, with findings and ranking."""
    whole = replace(
        found,
        findings=tuple(finding for part in parts for finding in part.findings),
        verdicts=np.hstack([part.verdicts for part in parts]),
        values=np.hstack([part.values for part in parts]),
        shrunk=np.hstack([part.shrunk for part in parts]),
    )
    ranking = ranked(whole, np.array([luck for part in parts for luck in part.luck]))
    return replace(whole, ranking=ranking, first=None if whole.settled else top(ranking, ""))
