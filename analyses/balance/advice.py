"""What a report says to change: a small search for balance, and what its change does with other numbers of players and
to things that the search left alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from analyses.balance.balance import Balance, balance, work
from analyses.balance.scores import SEATS
from analyses.balance.usual import able_targets, missing, usual_levers, usual_targets
from analyses.findings import Line, Survey
from analyses.line import analyse
from analyses.measures import fresh
from analyses.request import InReport, Request, flags
from analyses.survey import PlannedLine
from analyses.worth.worth import Worth, measure
from sim import registry
from sim.printed.components import Components

TRIALS, TRIAL_GAMES, MAX_GAMES = 40, 1_000, 24_000  # of the search, and of each verdict: people wait for a report
OTHERS = 20  # number of fresh chance
FAIR, UNDECIDED, SEARCHED = "fair", "undecided", "searched"
SLOW, NO_LEVERS, NO_LIBRARY = "slow", "no levers", "no library"


@dataclass(frozen=True)
class Advice:
    """What a report says to change.

    Attributes:
        why: SEARCHED; or why nobody searched: FAIR (nothing is out), UNDECIDED (nothing is out for certain), SLOW (the
            players look ahead), NO_LEVERS (no number may change) or NO_LIBRARY.
        balance: the search; None if there was none.
        others: with the proposal, the seats for the other numbers of players. worths: and the things that the search
            left alone, for its number of players. Both on chance that it has not met; empty without a proposal.
        command: what to type to search longer.
    """

    why: str
    balance: Balance | None = None
    others: tuple[Line, ...] = ()
    worths: tuple[Worth, ...] = ()
    command: str = ""


def out(survey: Survey, players: int, kinds: Sequence[str]) -> tuple[list[str], bool]:
    """Return what lies outside the margin with a number of players (SEATS, and some kinds of things), and whether all
    of it is decided."""
    words = {SEATS: survey.headline(players).verdict.word}
    words |= {kind: worth.verdict for kind in kinds if (worth := survey.worth(kind, players))}
    return [what for what, word in words.items() if word == "unbalanced"], "undecided" not in words.values()


def case(survey: Survey, kinds: Sequence[str]) -> tuple[int, tuple[str, ...]] | str:
    """Return for how many players to search and what to balance; or why there is nothing to search for.

    Seats come before things, and the usual number of players before others. A search for seats leaves things alone: to
    find a change that mends both takes longer than people wait for a report.
    """
    numbers = dict.fromkeys(line.players for line in survey.lines)
    order = sorted(numbers, key=lambda n: (n != survey.speaks, -n))
    found = {n: out(survey, n, kinds) for n in order}
    for n, (what, _) in found.items():
        if SEATS in what:
            return n, (SEATS,)
    for n, (what, _) in found.items():
        if what:
            return n, (SEATS, *what)
    return FAIR if all(decided for _, decided in found.values()) else UNDECIDED


def _unable(request: Request, lines: Sequence[PlannedLine]) -> str:
    """Return why there can be no search; "" if there can."""
    if any(line.headline and line.looks_ahead for line in lines):
        return SLOW
    if not any(usual_levers(request.components, line.players) for line in lines if line.headline):
        return NO_LEVERS
    return NO_LIBRARY if missing() else ""


def _small(request: Request, players: int) -> Request:
    games, most = request.up_to(TRIAL_GAMES), request.up_to(MAX_GAMES)
    return replace(request, players=(players,), games=games, max_games=most)


def _total(request: Request, lines: Sequence[PlannedLine]) -> int:
    if _unable(request, lines):
        return 0
    small = _small(request, 0)
    return work(small, 1, TRIALS)[-1] + small.max_games * sum(line.headline for line in lines)


def _add(survey: Survey, request: Request, lines: Sequence[PlannedLine], watch: Callable[..., None]) -> Survey:
    kinds = [kind for kind in usual_targets(able_targets(request.components), request.game) if kind != SEATS]
    asked = case(survey, kinds)
    if isinstance(asked, str):
        return replace(survey, advice=Advice(asked))
    players, targets = asked
    words = ["--players", str(players), *flags("--strategy", request.strategies)]
    longer = request.command("balance", *words)
    why = _unable(request, lines)
    levers = () if why else usual_levers(request.components, players)
    if why or not levers:
        return replace(survey, advice=Advice(why or NO_LEVERS, command=longer))
    heads = {line.players: line.entrants for line in lines if line.headline}
    small = _small(request, players)
    found = balance(small, heads[players], levers, targets, TRIALS, watch=watch)
    advice = Advice(SEARCHED, found, command=longer)
    if found.found and not found.interrupted and found.proposal is not None and found.proposal.changes:
        advice = _checked(advice, small, found.proposal.components, heads, kinds, watch)
    counts = ["--trials", str(TRIALS), "--games", str(small.most), "--max-games", str(small.max_games)]
    again = request.command("balance", *words, *flags("--only", targets), *counts)
    return survey.with_findings([found], [found], [again], advice=advice)


def _checked(
    advice: Advice,
    request: Request,
    proposed: Components,
    heads: "dict[int, tuple]",
    kinds: Sequence[str],
    watch: Callable[..., None],
) -> Advice:
    """Return the advice with what its change does elsewhere; without it if somebody stops that by hand."""
    assert advice.balance is not None
    game, players, seed = registry.load(request.game), request.players[0], fresh(request.seed, OTHERS)
    others = []
    for n, entrants in heads.items():
        if n != players:
            line, _ = analyse(
                game, n, entrants, proposed, seed, max_games=request.max_games, margin=request.margin,
                jobs=request.jobs, watch=watch,
            )  # fmt: skip
            others.append(line)
    worths = tuple(
        measure(
            proposed, kind, players, heads[players], seed, powers=False, free=False, games=request.max_games,
            max_games=request.max_games, margin=request.margin, jobs=request.jobs, watch=watch,
        )
        for kind in kinds if kind not in advice.balance.targets
    )  # fmt: skip
    stopped = any(found.interrupted for found in (*others, *worths))
    return advice if stopped else replace(advice, others=tuple(others), worths=worths)


IN_REPORT = InReport(_total, _add)
