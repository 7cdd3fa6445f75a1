"""What `chapterhouse tune --teacher` plays: a strategy learns from look-ahead."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from analyses.request import flags
from scripts import options as o
from scripts.progress import Progress
from scripts.question import Task

if TYPE_CHECKING:
    from pathlib import Path

    from analyses.distil.distil import Distilled, Distilling
    from analyses.request import Request

GAMES = "4000000"
LEAST = 1_000  # games for each number of players
MOST = 10**9


def task(
    request: "Request", teacher: str, test_games: str, target: "Path", others: Mapping[str, tuple[Any, Any]]
) -> Task:
    """Return what `tune --teacher` plays.

    Args:
        teacher: as typed. target: the file. others: option → its value and default, of those that don't go with it.
    """
    from analyses.distil.distil import Distilling, DistilPlan
    from strategies import catalog

    for flag, (value, usual) in others.items():
        if value != usual:
            o.refuse(flag, repr(value), "nothing with --teacher")
    if request.strategies:
        o.refuse("--strategy", repr(request.strategies[0]), "nothing with --teacher, whose policy it starts from")
    if target.exists():
        o.refuse("--out", f"{str(target)!r}, which is there already", "another name")
    tests = o.whole("--test-games", test_games, 1, o.MOST_GAMES)
    games = request.games or int(GAMES)
    if not LEAST <= games <= MOST:
        o.refuse("--games", games, f"a whole number from {LEAST} to {MOST} with --teacher")
    entrant = catalog.entrant(request.game, teacher, max(request.players))
    plan = DistilPlan(request.game, tuple(request.players), entrant, games, request.seed)
    distilling = Distilling(plan, request.components)
    words = [*flags("--teacher", [teacher]), *([] if request.games else ["--games", str(games)])]
    words += ["--test-games", test_games, "--out", str(target)]
    return Task(
        f"learning from {teacher}",
        (games + tests) * len(plan.players),
        lambda bar: learn(distilling, tests, target, request.jobs, bar),
        words=words,
    )


def learn(distilling: "Distilling", tests: int, target: "Path", jobs: int, bar: Progress) -> "Distilled | None":
    """Learn, number of players by number of players, and test what came of it; Ctrl-C keeps the numbers that are
    done."""
    from analyses.distil.distil import Distilled

    ended, matches = None, []
    try:
        for players in distilling.plan.players:
            bar.name(f"{players} players")
            distilling.learn(players, jobs, bar.watch)
        bar.name("tests")
        matches = distilling.test(tests, jobs, bar.watch)
        if len(matches) < len(distilling.networks) or matches[-1].games < tests:
            ended = o.StoppedError("Stopped by hand before all tests were played.")
    except KeyboardInterrupt:
        done = ", ".join(str(trained.players) for trained in distilling.networks)
        ended = o.StoppedError(f"Stopped by hand; done for {done} players.")
    if not distilling.networks:
        return None
    return Distilled(distilling.played(ended is not None), matches, target, ended, distilling)
