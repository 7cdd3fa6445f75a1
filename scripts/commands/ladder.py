"""`chapterhouse ladder`: how much skill there is in a game; and the same, smaller, for a report."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scripts import options as o
from scripts.output import out, writing
from scripts.progress import Progress, progress
from sim import registry

if TYPE_CHECKING:
    from analyses.findings import Survey
    from analyses.ladder import Ladder, Plan

BUDGETS, SEED = "25,50,100,200,400", "1"
MOST_BUDGET, MOST_BUDGETS = 999_999, 12
# A report is waited for: two cores play this in about ten seconds.
REPORT_BUDGETS = (20, 40)
REPORT_QUICK, REPORT_PHASE, REPORT_EFFORT, REPORT_LEAST = 8_000, 1_600, 30_000, 48
Budgets = Annotated[
    str,
    typer.Option(
        "--budgets",
        metavar="A,B,…",
        help="Games that strategies which look ahead may play on for a decision, rising: the lower half by rollout, the upper half "
        "by search, the middle one by both. Twice as much takes twice as long.",
    ),
]
Games = Annotated[
    str | None,
    typer.Option(
        "--games", metavar="N", help="Games of every step and every phase; if not given, many of quick strategies, few of slow ones."
    ),
]
OutFolder = Annotated[str | None, typer.Option("--out", metavar="FOLDER", help="Write the tables there, as CSV and Parquet.")]


def ladder(
    game: o.GameName,
    players: o.Players = None,
    games: Games = None,
    budgets: Budgets = BUDGETS,
    seed: o.Seed = SEED,
    jobs: o.Jobs = None,
    out_folder: OutFolder = None,
    files: o.Files = None,
    changes: o.Changes = None,
    backend: o.Backend = "threads",
    scheduler: o.Scheduler = None,
    json: o.Json = False,
) -> None:
    """How much skill is in it? Each strategy against the one below, from chance to looking ahead, and what a phase at random costs.

    As it is, two cores take some three or four minutes for the main game with four players. For narrower intervals give more --games, for
    stronger play more --budgets, as in 100,200,400,800,1600.
    """
    o.game_name(game)
    number = o.some_players(game, [players])[0] if players is not None else o.usual_players(game)
    exactly = None if games is None else o.whole("--games", games, 1, o.MOST_GAMES)
    rising = budgets_of(budgets)
    key = o.whole("--seed", seed, 0, o.MOST_SEED)
    threads = -1 if jobs is None else o.whole("--jobs", jobs, 1, o.MOST_JOBS)
    where = o.Where.read(backend, scheduler, jobs)
    folder = o.folder(out_folder) if out_folder is not None else None
    printed = o.read_components(game, files, changes)
    from analyses.ladder import Extent, climb, plan

    with where.playing():
        asked = plan(game, number, rising, Extent(games=exactly))
        prepared(asked, printed)
        with progress(f"{registry.load(game).title}, {number} players", round(asked.work()), percent=True) as bar:
            found = climb(printed, asked, key, jobs=threads, watch=bar.watch, begins=bar.name)
    if not found.steps:
        raise o.StoppedError("Stopped by hand before a step was finished.")
    show(found, json)
    if folder is not None:
        save(found, folder)
    if found.interrupted:
        raise o.StoppedError("Stopped by hand: this is what was finished.")


def budgets_of(text: str) -> tuple[int, ...]:
    """Return the budgets that an option gives."""
    found = tuple(o.whole("--budgets", part.strip(), 1, MOST_BUDGET) for part in text.split(","))
    if len(found) > MOST_BUDGETS or list(found) != sorted(set(found)):
        o.refuse("--budgets", repr(text), f"at most {MOST_BUDGETS} numbers, each greater than the one before")
    return found


def prepared(asked: "Plan", printed: Any) -> None:
    """Have all compiled before a clock starts."""
    from sim.runner import prepare

    prepare(registry.load(asked.game), (*asked.rungs, *asked.levels), printed.record)


def show(found: "Ladder", as_json: bool) -> None:
    """Print what was found, for people or machines."""
    from scripts.show import show as say
    from scripts.show import to_json

    if as_json:
        out(to_json(answer(found)))
        return
    say(*listing(found))


def answer(found: "Ladder") -> dict[str, Any]:
    """Return what was found for machines; only `seconds_a_game` is never the same twice."""
    head = {"game": found.game, "components": found.components, **found.counts._asdict()}
    head |= {"rules_version": found.rules_version, "players": found.players, "seed": found.seed, "interrupted": found.interrupted}
    steps = [{**vars(step), "word": step.word} for step in found.steps]
    return head | {
        "rungs": found.rungs,
        "budgets": found.budgets,
        "par": 0.5,
        "steps": steps,
        "phases": [vars(cost) for cost in found.costs],
    }


def listing(found: "Ladder") -> list[Any]:
    """Return what was found for people: sentences and tables."""
    from analyses.phases import by_level
    from reports import ladder as words
    from reports.style import spoken
    from scripts.show import column, table

    head = f"{found.title}, {found.players} players (seed {found.seed}, components {found.components})"
    parts: list[Any] = [head, *filter(None, [found.counts.notice])]
    parts += [words.introduction(found), "", _steps(found), *words.sentences(found)]
    if found.costs:
        parts += ["", words.costing(found), "", *words.dearest(found)]
    for level, costs in by_level(found.costs).items():
        import pandas as pd

        frame = pd.DataFrame([vars(cost) for cost in costs])
        wins, between = column(frame, "cost", "low", "high", 100, most=1)
        points, _ = column(frame, "points", "points_low", "points_high", most=1)
        heads = (f"{level}: at random", "wins lost, %", "between", "points lost")
        parts.append(table(heads, zip([spoken(cost.phase) for cost in costs], wins, between, points)))
    return parts


def _steps(found: "Ladder") -> Any:
    from analyses.ladder import steps_table
    from reports.words import fixed
    from scripts.show import column, table

    steps = found.steps[::-1]
    share, between = column(steps_table(found)[::-1], "win_share", "low", "high", 100)
    points = [f"{fixed(step.score, 1)} : {fixed(step.score_below, 1)}" for step in steps]
    ahead = [fixed(100 * step.better_wins, 1) for step in steps]
    games = [f"{step.games:,}" for step in steps]
    seconds = [f"{1000 * step.seconds_a_game:,.3g} ms" for step in steps]
    names = [step.strategy for step in steps], [step.below for step in steps]
    rows = zip(*names, share, between, points, ahead, games, seconds, strict=True)
    return table(("strategy", "against", "wins %", "between", "points", "ahead %", "games", "a game, one core"), rows)


def save(found: "Ladder", folder: Path) -> None:
    """Write the tables."""
    from analyses.ladder import steps_table
    from analyses.phases import costs_table
    from reports.table_files import save_table

    for name, frame in (("ladder", steps_table(found)), ("phases", costs_table(found.costs))):
        for ending in ("csv", "parquet"):
            with writing(folder):
                save_table(frame, folder / f"{name}.{ending}")


# --- in a report --------------------------------------------------------------------------------------------------------------------------


def report_plan(common: o.Common, numbers: Sequence[int]) -> "Plan | None":
    """Return what a report plays for its ladder, at the game's usual number of players if that is one of its own; None if there is none."""
    from analyses.ladder import Extent, plan
    from sim.runner import StrategyError

    usual = o.usual_players(common.game)
    most = min(common.games or common.max_games, REPORT_QUICK)
    effort, least = REPORT_EFFORT * most // REPORT_QUICK, max(2, REPORT_LEAST * most // REPORT_QUICK)
    extent = Extent(most, min(most, REPORT_PHASE), effort, least)
    try:
        return plan(common.game, usual if usual in numbers else max(numbers), REPORT_BUDGETS, extent, brief=True)
    except StrategyError:  # one player alone, or nobody to compare with
        return None


def report_total(common: o.Common, numbers: Sequence[int]) -> int:
    """Return how long a report's ladder takes, in games of quick strategies."""
    asked = report_plan(common, numbers)
    return round(asked.work()) if asked else 0


def with_ladder(survey: "Survey", common: o.Common, numbers: Sequence[int], bar: Progress) -> "Survey":
    """Return the survey with the ladder; Ctrl-C ends it early and keeps what was finished."""
    from analyses.ladder import climb

    asked = report_plan(common, numbers)
    if survey.interrupted or asked is None:
        return survey
    found = climb(survey.components, asked, common.seed, jobs=common.jobs, watch=bar.watch)
    return replace(survey, ladder=found, interrupted=found.interrupted)
