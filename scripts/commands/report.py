"""`chapterhouse report`: one page on a game, with all questions that belong in it."""

from typing import TYPE_CHECKING, Any

from scripts import options as o
from scripts.pages import Brief
from scripts.progress import Progress
from scripts.question import ALL, Question, Task, page
from sim import registry

if TYPE_CHECKING:
    from analyses.findings import Survey
    from analyses.request import InReport, Request


def shares() -> "list[InReport]":
    """Return what the questions put into a report, in the order in which they are played."""
    from scripts.app import questions

    return [question.in_report() for question in questions().values() if question.in_report is not None]


def ask(request: "Request") -> Task:
    """Write one page about a game: is it fair, what are its Kings worth, where do points come from, what does it rest
    on?"""
    from analyses.survey import ReportPlan, asked, survey
    from sim.runner import prepare

    plan = ReportPlan(request.games, request.max_games)
    lines = asked(request.game, request.players, request.strategies, plan)
    prepare(
        registry.load(request.game), {entrant for line in lines for entrant in line.entrants}, request.components.record
    )
    goals = [sum(line.most * line.weight for line in lines[: i + 1]) for i in range(len(lines))]
    more = shares()

    def play(bar: Progress) -> "Survey":
        found = survey(
            request, lines, plan=plan, watch=lambda line, games: bar.watch(games, line.weight),
            finished=lambda line, result: bar.reach(goals[lines.index(line)]),
        )  # fmt: skip
        for share in more:
            if not found.interrupted:
                found = share.add(found, request, lines, bar.watch)
        return found

    return Task(
        f"{len(lines)} lines", goals[-1] + sum(share.total(request, lines) for share in more), play, percent=True
    )


def answer(found: "Survey") -> dict[str, Any]:
    """Return the answer for machines."""
    from scripts.commands import seats

    return {"levels": list(found.levels), "lines": [line.played.head() | seats.answer(line) for line in found.lines]}


def listing(found: "Survey") -> list[Any]:
    """Return the answer for people: the first screen of the page, and the verdicts."""
    from reports.advice import short
    from reports.first import ASKED, answer
    from reports.parts import Context
    from reports.verdict import sentences

    context = Context.of(found.game, survey=found)
    return [
        *dict.fromkeys(line.notice for line in context.headlines),
        ASKED,
        answer(context),
        "What to change",
        short(context),
        *(" ".join(sentences(line)) for line in context.headlines),
    ]


QUESTION = Question(
    "report",
    ask,
    answer,
    listing,
    page("page"),
    players=ALL,
    game="moesteiro",
    cost="By default it plays about 1,000,000 games of Moesteiro: less than a minute on two cores.",
    example="chapterhouse report --components mine.csv",
    shared={"out_folder": (o.ReportFolder, "out"), "brief": (Brief, False)},
    file=("report", "Report", "report.{form}"),
    stopped=lambda found: "Stopped by hand: the report holds what had been played by then.",
    small="pig --players 2 --games 4",
)
