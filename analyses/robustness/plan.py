"""What to play to see whether findings hold for other plausible numbers: for one question, and for a report."""

from collections.abc import Callable, Sequence

from analyses.findings import Survey
from analyses.request import InReport, Request, flags
from analyses.robustness.asks import Ask, Headline
from analyses.robustness.robustness import measure, total
from analyses.survey import PlannedLine
from sim import registry
from sim.printed.components import Components
from sim.printed.printings import Scheme, read
from strategies.catalog import Seated

REPORT_PRINTINGS = 100
REPORT_GAMES = 400  # of each set of numbers and question at most: people wait for a report


def scheme_of(components: Components) -> Scheme | None:
    """Return how to draw sets of numbers for a game; None if there is nothing to draw.

    Raises:
        ComponentsError: the game's file is wrong.
    """
    scheme = read(components.game)
    return scheme if scheme is not None and scheme.inputs(components) else None


def line_ups(request: Request) -> dict[int, tuple[Seated, ...]]:
    """Return the line-up for each number of players; the one that speaks for the game comes first.

    Raises:
        StrategyError: somebody can't play.
    """
    speaks = registry.speaking(request.game, request.players)
    return {number: request.line_up(number) for number in sorted(request.players, key=lambda n: (n != speaks, n))}


def _games(request: Request) -> int:
    return request.up_to(REPORT_GAMES)


def _total(request: Request, lines: Sequence[PlannedLine]) -> int:
    if scheme_of(request.components) is None:
        return 0
    return total(request.components, line_ups(request), _games(request), REPORT_PRINTINGS)


def heads(survey: Survey, questions: Sequence[Ask]) -> dict[tuple[int, str], Headline]:
    """Return what the headlines of a report say of some questions, without those of which they say nothing."""
    found = {}
    for ask in questions:
        said = survey.worth(ask.kind, ask.players) if ask.kind else survey.headline(ask.players)
        if said is not None:
            found[ask.players, ask.kind] = Headline.of(said)
    return found


def _add(survey: Survey, request: Request, lines: Sequence[PlannedLine], watch: Callable[..., None]) -> Survey:
    scheme, games = scheme_of(request.components), _games(request)
    if scheme is None:
        return survey
    found = measure(
        request, scheme, line_ups(request), lambda questions: heads(survey, questions), printings=REPORT_PRINTINGS,
        games=games, watch=watch,
    )  # fmt: skip
    words = [
        "--printings",
        str(REPORT_PRINTINGS),
        *flags("--players", request.players),
        *flags("--strategy", request.strategies),
    ]
    again = request.command("robustness", *words, "--games", str(games))
    there = bool(found.findings)  # or else it was stopped too early
    return survey.with_findings([scheme], [found] * there, [again] * there, robustness=found if there else None)


IN_REPORT = InReport(_total, _add)
