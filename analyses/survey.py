"""What a report plays: every number of players, each with the usual strategy, with every other one, and with all of
them at one table.

Levels of play that look ahead come last: they are slow, and if you stop the run early you miss only them.
"""

import platform
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from analyses import games
from analyses.evidence import Evidence
from analyses.findings import Line, Survey
from analyses.line import MAX_GAMES, analyse
from analyses.request import EARLY, Request, flags
from analyses.statistics import together, within
from sim import registry
from sim.contract import MOST_STRATEGIES
from sim.runner import BATCH, StrategyError
from strategies import catalog
from strategies.catalog import Seated

RANDOM = "random_legal"
# A game of a level that looks ahead takes up to a thousand times as long as one of its policy alone. So many blocks
# tell a seat from a fair one whose share of wins is 40 % off, with about the same interval of the win index for each
# number of players. Fixed: a slow machine plays no fewer than a fast one.
SLOW_BLOCKS = 30
SLOW_WEIGHT = 1_000  # usual games in the time of one
SLOW_BATCH = 20  # games; few, so that all threads have some, and Ctrl-C does not wait long
PACKAGES = ("chapterhouse", "numba", "numpy", "pandas")


@dataclass(frozen=True)
class ReportPlan:
    """How much a survey plays.

    Attributes:
        games: for every line exactly these; None: until its verdict is decided, within the other numbers.
        max_games, min_games: of a headline. max_other, min_other: of any other line; min_other also of a headline
            whose players look ahead.
            A line that is decided early plays on to its least number, because its tables need games too.
        slow_blocks: of a level that looks ahead, fixed in advance.

    See `enough` for when a line ends.
    """

    games: int | None = None
    max_games: int = MAX_GAMES
    min_games: int = 10_000
    max_other: int = 20_000
    min_other: int = 4_000
    slow_blocks: int = SLOW_BLOCKS

    @classmethod
    def of(cls, request: Request) -> "ReportPlan":
        """Return how much the report plays that a request asks for."""
        part = EARLY if request.early else 1
        others = (-(-number // part) for number in (cls.min_games, cls.max_other, cls.min_other, cls.slow_blocks))
        return cls(request.games and request.up_to(request.games), request.up_to(request.max_games), *others)

    def most(self, line: "PlannedLine") -> int:
        """Return the most games that a line plays."""
        if line.slow:
            return min(self.slow_blocks * line.players, self.games or self.max_games)
        return self.games or (self.max_games if line.headline else min(self.max_other, self.max_games))

    def least(self, line: "PlannedLine") -> int:
        """Return the games that a line plays at least, unless it is slow."""
        return self.min_games if line.headline and not line.looks_ahead else self.min_other


@dataclass(frozen=True)
class PlannedLine:
    """One line of a survey before it is played; roles: see `line_ups`."""

    players: int
    role: str
    entrants: tuple[Seated, ...]
    most: int

    @property
    def headline(self) -> bool:
        """Whether this line speaks for its number of players."""
        return self.role in ("default", "asked")

    @property
    def slow(self) -> bool:
        """Whether this is a level that looks ahead."""
        return self.role == "level" and self.looks_ahead

    @property
    def looks_ahead(self) -> bool:
        """Whether somebody looks ahead, as the usual strategy does where nobody wrote one."""
        return any(entrant.thinker for entrant in self.entrants)

    @property
    def weight(self) -> int:
        """About how many usual games one of this line is worth in time."""
        return SLOW_WEIGHT if self.slow else 1


def distinct(entrants: Sequence[Seated]) -> tuple[Seated, ...]:
    """Return the strategies with distinct names: one that the user names twice sits down twice, the second time as
    `name #2`."""
    named: list[Seated] = []
    for entrant in entrants:
        times = sum(other.name.split(" #")[0] == entrant.name for other in named) + 1
        named.append(entrant if times == 1 else replace(entrant, name=f"{entrant.name} #{times}"))
    return tuple(named)


def line_up(game: str, texts: Sequence[str], players: int) -> tuple[Seated, ...]:
    """Return the strategies that a user names, or the game's default.

    Raises:
        StrategyError: one can't be used, or there are too many.
    """
    if len(texts) > MOST_STRATEGIES:
        raise StrategyError(
            f"--strategy: found {len(texts)} strategies; allowed are at most {MOST_STRATEGIES} at one table"
        )
    return distinct([catalog.entrant(game, text, players) for text in texts or [catalog.default(game)]])


def line_ups(game: str, players: int, texts: Sequence[str] = ()) -> list[tuple[str, tuple[Seated, ...]]]:
    """Return the line-up and role of each line of a report; the headline comes first.

    Without `texts` the roles are "default" (the usual strategy in every seat), "strategy" (another one in every seat),
    "mix" (all of these, drawn into the seats anew for each block) and "random" (chance in every seat). With `texts`
    they are "asked" (these at one table) and "strategy" (each alone).

    A level of play (see `strategies.catalog.levels`) that is none of these strategies has a line with the role "level".
    """
    if texts:
        together = line_up(game, texts, players)
        return [("asked", together), *(("strategy", (entrant,)) for entrant in together if len(together) > 1)]
    usual = catalog.default(game)
    able = able_to_play(game, dict.fromkeys((usual, *catalog.names(game))), players)
    others = [name for name in able if name not in (usual, RANDOM)]
    lines: list[tuple[str, tuple[Seated, ...]]] = [("default", (able[usual],))]
    lines += [("strategy", (able[name],)) for name in others]
    if others:
        lines.append(("mix", tuple(able[name] for name in (usual, *others))[:MOST_STRATEGIES]))
    lines += [("random", (able[RANDOM],))] * (RANDOM in able)
    return lines + [
        ("level", (entrant,))
        for entrant in able_to_play(game, catalog.levels(game), players).values()
        if entrant.name not in able
    ]


def able_to_play(game: str, texts: Iterable[str], players: int) -> dict[str, Seated]:
    """Return those of some strategies that so many players allow, by what they are called here."""
    able: dict[str, Seated] = {}
    for text in texts:
        with suppress(StrategyError):
            able[text] = catalog.entrant(game, text, players)
    return able


def asked(
    game: str, players: Sequence[int], texts: Sequence[str] = (), plan: ReportPlan | None = None
) -> list[PlannedLine]:
    """Return the lines of a survey, in the order of play.

    Args:
        game: name. players: numbers of players. texts: strategies as a user names them, none for the usual report.
            plan: how much to play.
    """
    plan = plan or ReportPlan()
    lines = []
    for number in players:
        for role, entrants in line_ups(game, number, texts):
            line = PlannedLine(number, role, entrants, 0)
            lines.append(replace(line, most=plan.most(line)))
    return sorted(lines, key=lambda line: line.slow)


def enough(evidence: Evidence, margin: float, headline: bool) -> bool:
    """Return whether a line of a report need not go on, because no sentence needs more.

    A headline speaks of each seat. If each is decided, half of the margin says how far out it is. If only the whole is
    decided, it goes on for the others, to a third of the margin; if nothing is, to a fifth. Other lines need only
    be decided, or known to half the margin.
    """
    index, low, high = (part * evidence.players for part in evidence.shares(evidence.seats))
    half = float(np.maximum(index - low, high - index).max())
    each = [within(float(a) - 1, float(b) - 1, margin) for a, b in zip(low, high)]
    decided = together(each) != "undecided"
    if not headline:
        return decided or half <= margin / 2
    return half <= margin / (2 if "undecided" not in each else 3 if decided else 5)


def survey(
    request: Request,
    lines: Sequence[PlannedLine],
    *,
    plan: ReportPlan | None = None,
    watch: Callable[[PlannedLine, int], None] = lambda line, games: None,
    finished: Callable[[PlannedLine, Line], None] = lambda line, found: None,
) -> Survey:
    """Play all lines of a report; Ctrl-C ends it early and keeps what was played.

    Args:
        request: what is asked for; every line has its seed, so that all meet the same chance. lines: see `asked`. plan:
            how much to play.
        watch: called with further games of a line. finished: called with each line found.

    Raises:
        StrategyError: see `sim.runner.play`.
    """
    plan, printed = plan or ReportPlan(), request.components
    game = registry.load(request.game)
    found: list[Line] = []
    for line in lines:
        result, _ = analyse(
            game, line.players, line.entrants, printed, request.seed, games=line.most if line.slow else plan.games,
            max_games=line.most, min_games=plan.least(line),
            enough=partial(enough, margin=request.margin, headline=line.headline), margin=request.margin,
            role=line.role, jobs=request.jobs,
            batch=SLOW_BATCH if line.slow else BATCH,
            watch=lambda games, line=line: watch(line, games),  # type: ignore[misc]
        )  # fmt: skip
        if result.blocks:
            found.append(result)
            finished(line, result)
        if result.interrupted:
            break
    interrupted = len(found) < len(lines) or any(line.interrupted for line in found)
    numbers = flags("--players", request.players) if request.named else []
    words = [*flags("--strategy", request.strategies), *numbers, *request.how_many()]
    commands = (request.command("report", *words), *(request.again("seats", line) for line in found))
    three = games.tell(printed, lines, found, request.seed, jobs=request.jobs, options=request.rest())
    played = set() if any(line.role == "asked" for line in found) else {line.strategies for line in found}
    levels = tuple(name for name in catalog.levels(game.name) if (name,) in played)
    first = found[0].played if found else request.played(lines[0].players, lines[0].entrants)
    return Survey(replace(first, interrupted=interrupted), found, commands, versions(), three=three, levels=levels)


def versions() -> dict[str, str]:
    """Return the versions of what makes the numbers, by name."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
