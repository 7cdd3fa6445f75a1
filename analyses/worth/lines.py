"""Who plays when chance deals things to find their worth: the line-ups of one question, and those of a report."""

from collections.abc import Callable, Sequence

from analyses.findings import Survey
from analyses.played import in_turn
from analyses.request import InReport, LineUp, Request, flags
from analyses.stated import dealable, withheld
from analyses.survey import SLOW_BATCH, SLOW_BLOCKS, PlannedLine, line_up
from analyses.worth.worth import BATCH, Worth, beside, measure
from sim import registry
from sim.dealing import IN_TURN, Deal
from strategies import catalog

REPORT_GAMES, REPORT_OTHER = 40_000, 20_000  # at most; of the headline; of another level of play
REPORT_POWERS = 15_000  # of the headline, and half as many of another: how the powers are split is read less closely


def line_ups(request: Request, kind: str, levels: bool, powers: int | None = None) -> list[LineUp]:
    """Return who deals the things of a kind; `levels`: each level of play, instead of what was asked for; `powers`: see
    `LineUp`.

    Raises:
        StrategyError: somebody can't play.
    """
    game, found = registry.load(request.game), []
    for players in request.players:
        for texts in [(name,) for name in catalog.levels(request.game)] if levels else [request.strategies]:
            entrants = line_up(request.game, texts, players)
            slow = levels and any(entrant.thinker for entrant in entrants)
            games = min(SLOW_BLOCKS * len(Deal(kind).things(game, players)), request.most) if slow else request.games
            found.append(LineUp(players, entrants, games, request.max_games, slow, powers))
    return found


def total(lines: Sequence[LineUp]) -> int:
    """Return about the most games of some line-ups, those with free choice included."""
    return sum(line.most if line.slow else line.most + line.most // 2 + (line.powers or 0) for line in lines)


def measured(
    request: Request,
    asked: Sequence[tuple[str, LineUp]],
    watch: Callable[[int], None],
    *,
    occasion: int = IN_TURN,
    free: bool = True,
    precise: float = 0.0,
) -> list[Worth]:
    """Deal kinds of things to line-ups; Ctrl-C ends it early and keeps what was played. For the arguments see
    `measure`."""
    return in_turn(
        measure(
            request.components, kind, line.players, line.entrants, request.seed, occasion=occasion,
            powers=not line.slow, games=line.games, max_games=line.max_games, power_games=line.powers,
            precise=precise, free=free and not line.slow,
            margin=request.margin, jobs=request.jobs, batch=SLOW_BATCH if line.slow else BATCH, watch=watch,
        )
        for kind, line in asked
    )  # fmt: skip


def _of_report(request: Request, lines: Sequence[PlannedLine]) -> list[tuple[str, LineUp]]:
    """Return what a report deals: every kind of thing with every headline, and at each level of play that does not look
    ahead."""
    most = request.up_to(REPORT_GAMES), request.up_to(REPORT_OTHER)
    found = []
    for kind in dealable(request.components):
        # Where only all together are spoken of, fewer games will do; and other levels say less of what nobody chooses.
        first = most[1] if withheld(request.components, kind) else most[0]
        heads = [line for line in lines if line.headline]
        found += [(kind, _line_up(request, line, first)) for line in heads]
        if registry.load(request.game).things[kind].by_study:
            continue
        quick = [line for line in lines if not line.headline and not line.slow and len(line.entrants) == 1]
        levels = [
            line for line in quick if line.role == "strategy" and line.entrants[0].name in catalog.levels(request.game)
        ]
        found += [(kind, _line_up(request, line, most[1])) for line in levels]
    return found


def _line_up(request: Request, line: PlannedLine, most: int) -> LineUp:
    powers = min(REPORT_POWERS if line.headline else REPORT_POWERS // 2, most)
    return LineUp(line.players, line.entrants, request.games and most, most, powers=powers)


def _add(survey: Survey, request: Request, lines: Sequence[PlannedLine], watch: Callable[..., None]) -> Survey:
    asked = _of_report(request, lines)
    found: list[Worth] = []
    for dealt in measured(request, asked, watch, free=False, precise=request.margin / 2):
        who = dealt.players, dealt.strategies
        found.append(beside(dealt, next(line for line in survey.lines if (line.players, line.strategies) == who)))
    again = [
        request.again("worth", line, line.kind, *flags("--power-games", [line.power_games] * line.powers))
        for line in found
    ]
    return survey.with_findings(asked, found, again, worths=tuple(found))


IN_REPORT = InReport(
    lambda request, lines: sum(line.most + (line.powers or 0) for _, line in _of_report(request, lines)), _add
)
