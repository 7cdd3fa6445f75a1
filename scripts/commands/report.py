"""`chapterhouse report`: one page on a game, with all questions that belong in it."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scripts import options as o
from scripts.pages import Brief
from scripts.progress import Progress
from scripts.question import ALL, Question, Task, page
from sim import registry

if TYPE_CHECKING:
    from analyses.findings import Survey
    from analyses.request import InReport, Request
    from analyses.survey import PlannedLine

LONG = 500_000  # games; a shorter report needs no first page


def shares() -> "list[InReport]":
    """Return what the questions put into a report, in the order in which they are played."""
    from scripts.app import questions

    return [question.in_report() for question in questions().values() if question.in_report is not None]


@dataclass(frozen=True)
class ReportTask:
    """What a report plays: a request, its lines, and what other questions add."""

    request: "Request"
    lines: "list[PlannedLine]"
    more: "list[InReport]"

    @classmethod
    def of(cls, request: "Request") -> "ReportTask":
        """Return what a report plays.

        Raises:
            StrategyError: somebody can't play.
        """
        from analyses.survey import ReportPlan, asked

        return cls(request, asked(request.game, request.players, request.strategies, ReportPlan.of(request)), shares())

    @property
    def total(self) -> int:
        """About how many games, each worth as much time as one of a quick strategy."""
        return self._goal(len(self.lines)) + sum(share.total(self.request, self.lines) for share in self.more)

    def _goal(self, lines: int) -> int:
        """Return how many of these games have been played after the first lines."""
        return sum(line.most * line.weight for line in self.lines[:lines])

    def play(self, bar: Progress, begun: int = 0) -> "Survey":
        """Play it; begun: games that the bar has counted before."""
        from analyses.survey import ReportPlan, survey

        found = survey(
            self.request, self.lines, plan=ReportPlan.of(self.request),
            watch=lambda line, games: bar.watch(games, line.weight),
            finished=lambda line, result: bar.reach(begun + self._goal(self.lines.index(line) + 1)),
        )  # fmt: skip
        for share in self.more:
            if not found.interrupted:
                found = share.add(found, self.request, self.lines, bar.watch)
        return found


def ask(request: "Request") -> Task:
    """Write one page about a game: is it fair, what are its Kings worth, where do points come from, what does it rest
    on?"""
    from sim.runner import prepare

    whole, early = ReportTask.of(request), ReportTask.of(replace(request, early=True))
    prepare(
        registry.load(request.game), {entrant for line in whole.lines for entrant in line.entrants},
        request.components.record,
    )  # fmt: skip
    title = f"{len(whole.lines)} lines"
    if whole.total < LONG:
        return Task(title, whole.total, whole.play, percent=True)
    return Task(
        title, early.total + whole.total, lambda bar: whole.play(bar, early.total), percent=True, early=early.play
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
    cost="By default it plays about 1,100,000 games of Moesteiro: about 90 seconds on two cores.",
    example="chapterhouse report --components mine.csv",
    shared={"out_folder": (o.ReportFolder, "out"), "brief": (Brief, False)},
    file=("report", "Report", "report.{form}"),
    stopped=lambda found: "Stopped by hand: the report holds what had been played by then.",
    small="pig --players 2 --games 4",
)
