"""`chapterhouse seats`: how often each seat wins. It can keep the run in a folder, and write a row for each game and
seat."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scripts import options as o
from scripts.output import writing
from scripts.question import Finding, Question, Task, page
from scripts.show import column, heading, table
from sim import registry
from sim.legible import say

if TYPE_CHECKING:
    from analyses.findings import Line
    from analyses.request import Request
    from analyses.statistics import Verdict

TABLES = ("seats", "strategies", "places", "ties", "growth", "sources")


def ask(request: "Request", rows: o.Rows = None, run_folder: o.RunFolder = None, timeout: o.Timeout = None) -> Task:
    """Is the first player favoured? See how often each seat wins. Plays until that is decided, or up to --max-games."""
    seconds, players = o.seconds(timeout), request.players[0]
    if run_folder is not None and rows not in (None, "parquet"):
        o.refuse("--rows", repr(rows), "parquet with --run: the rows go to DIR/rows")
    target = o.file("--rows", rows, o.TABLES) if rows is not None and run_folder is None else None
    from scripts.commands import resume as r
    from sim.runner import prepare

    entrants = request.line_up(players)
    study = r.study(request, entrants, rows is not None)
    if request.games and study.most != request.games:
        say(f"--games {request.games}: playing {study.most}, whole blocks of {players} games")
    game = registry.load(request.game)
    prepare(game, entrants, request.components.record)
    told = ExitStack()

    def play(bar: Any) -> "Line":
        into = run_folder
        run = (
            r.begin(into, study, bar, request.jobs, seconds)
            if into is not None
            else r.play(study, bar, request.jobs, seconds, target)
        )
        return told.enter_context(run)

    return Task(f"{game.title}, {players} players", study.most, play, words=(), told=told)


def answer(line: "Line") -> dict[str, Any]:
    """Return the answer for machines."""
    verdict = line.verdict
    size = size_of(verdict) | {"further_games": None if verdict.further is None else verdict.further * line.players}
    size |= {"noticed_after": verdict.notice, "not_noticed_before": verdict.notice_least}
    return {"verdict": verdict.word, "size": size} | {
        name: line.tables.rows(name) for name in TABLES if name in line.tables
    }


def size_of(verdict: "Verdict") -> dict[str, Any]:
    """Return how far the furthest seat is from its fair share, for machines."""
    return {name: getattr(verdict, name) for name in ("seat", "index", "low", "high")} | {
        "smallest_margin": verdict.holds
    }


def listing(line: "Line") -> list[Any]:
    """Return the answer for people: what was played, tables and the verdict."""
    from reports.verdict import sentences

    mixed = _table(line, "strategies", "strategy") if len(line.strategies) > 1 else ""
    return [*heading(line, f"{line.games:,} games"), _table(line, "seats", "seat"), mixed, *sentences(line)]


def _table(line: "Line", name: str, head: str) -> Any:
    found = line.tables[name]
    wins, between = column(found, "win_share", "low", "high", 100)
    index, _ = column(found, "index", "index_low", "index_high")
    points, _ = column(found, "mean_score", "score_low", "score_high")
    return table(
        (head, "wins %", "between", "times its share", "points"),
        zip(map(str, found[head]), wins, between, index, points),
    )


def save(finding: Finding, folder: Path) -> None:
    """Write each table as CSV beside the page."""
    from reports.table_files import save_table

    for name, found in finding.found.tables.items():
        with writing(path := folder / f"{name}.csv"):
            save_table(found, path)


QUESTION = Question(
    "seats", ask, answer, listing, page("run"), save=save, here=("rows", "timeout"),
    cost="By default it plays up to 200,000 games, fewer if they decide: at most about 10 seconds on two cores.",
    example="chapterhouse seats moesteiro --players 3 --strategy builder",
    stopped=lambda line: f"Stopped by hand: this is what {line.games:,} games show.",
    small="pig --games 4",
)  # fmt: skip
