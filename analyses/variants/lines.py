"""Who plays the variants of a game: line-ups of one question, and those of a report."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from analyses.findings import Survey
from analyses.played import in_turn
from analyses.request import InReport, LineUp, Request, flags
from analyses.survey import SLOW_BATCH, SLOW_BLOCKS, SLOW_WEIGHT, PlannedLine, able_to_play, line_up
from analyses.variants.variants import BATCH, Variants, measure
from sim import registry
from sim.printed.variants import Variant, read
from strategies import catalog

REPORT_GAMES = 6_000  # of each variant, for each number of players


def line_ups(request: Request, entries: Sequence[Variant]) -> list[LineUp]:
    """Return who plays, without numbers of players that have no variant; a solo game comes last.

    Raises:
        StrategyError: somebody can't play.
    """
    found = []
    for players in sorted(request.players, key=lambda number: number == 1):
        if not any(players in entry.players for entry in entries):
            continue
        for texts in [request.strategies] if players > 1 else persons(request):
            entrants = line_up(request.game, texts, players)
            slow = any(entrant.thinker for entrant in entrants) and not request.games and not request.strategies
            games = min(SLOW_BLOCKS * players, request.max_games) if slow else request.games
            found.append(LineUp(players, entrants, games, request.max_games, slow))
    return found


def persons(request: Request) -> list[tuple[str, ...]]:
    """Return who plays a solo game, each for itself: the strategies that the user names, or all levels of play, weakest
    first."""
    if request.strategies:
        return [(text,) for text in request.strategies]
    names = [*catalog.ladder(request.game), *catalog.levels(request.game), catalog.default(request.game)]
    able = {entrant.name: (name,) for name, entrant in able_to_play(request.game, names, 1).items()}
    # Those that look ahead come last: they are slow, and whoever stops the run then misses only them.
    return sorted(able.values(), key=lambda texts: ":" in texts[0])


def total(lines: Sequence[LineUp], entries: Sequence[Variant]) -> int:
    """Return about the most games of some line-ups, each worth as much time as one of a quick strategy."""
    return sum(
        line.most * _weight(line) * (1 + sum(line.players in entry.players for entry in entries)) for line in lines
    )


def measured(
    request: Request, lines: Sequence[LineUp], entries: Sequence[Variant], watch: Callable[..., None]
) -> list[Variants]:
    """Play some line-ups; Ctrl-C ends it early and keeps what was played. `watch`: called with further games and their
    weight."""

    def one(line: LineUp) -> Variants:
        batch = SLOW_BATCH if line.slow else BATCH
        return measure(request, line, entries, batch=batch, watch=lambda games: watch(games, _weight(line)))

    return in_turn(map(one, lines))


def _weight(line: LineUp) -> int:
    return SLOW_WEIGHT if line.slow else 1


def _of_report(request: Request) -> tuple[Request, list[LineUp], tuple[Variant, ...]]:
    """Return what a report plays: all its numbers of players, and a game of one, unless the reader asked for some
    numbers."""
    most, entries = request.up_to(REPORT_GAMES), read(request.game)
    alone = [number for number in registry.card(request.game)[1] if number == 1 and not request.named]
    asked = replace(request, players=(*request.players, *alone), games=request.games and most, max_games=most)
    return asked, line_ups(asked, entries), entries


def _total(request: Request, lines: Sequence[PlannedLine]) -> int:
    return total(*_of_report(request)[1:])


def _add(survey: Survey, request: Request, lines: Sequence[PlannedLine], watch: Callable[..., None]) -> Survey:
    asked, own, entries = _of_report(request)
    if not own:
        return survey
    found = measured(asked, own, entries, watch)
    numbers = flags("--players", request.players) if request.named else []
    again = request.command("variants", *numbers, *flags("--strategy", request.strategies), *asked.how_many())
    return survey.with_findings(own, found, [again], variants=tuple(found))


IN_REPORT = InReport(_total, _add)
