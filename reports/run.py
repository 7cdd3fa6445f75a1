"""The page for a run in a folder: one number of players, one line-up, and everything counted in its games."""

from typing import TYPE_CHECKING

from reports import basis, points, seats, strategies, summary, things, words
from reports.page import Part, facts, frames
from reports.parts import Context, Section, Text, count_words

if TYPE_CHECKING:
    from analyses.findings import Survey

NAME = "seats"
REST = (
    "This run asked how often each seat wins; everything else here was counted in the same games. It didn't ask what "
    "things are worth when chance deals them, what other readings of the rulebook would change, or whether the verdict "
    "holds for other plausible numbers. `chapterhouse worth`, `rules` and `robustness` play for that, and `report` "
    "plays for all of it."
)


def part(survey: "Survey") -> Part:
    """Return the page for a survey of one line."""
    context = Context.of(survey.game, survey=survey)
    line = survey.lines[0]
    sections = [
        seats.section(context),
        *things.sections(context),
        strategies.section(context),
        points.sources(context),
        points.uses(context),
        basis.assumed(context),
        Section("rest", "What this run did not ask", [Text([REST])]),
        basis.method(context),
    ]
    end = (
        "the number of games was fixed in advance"
        if not line.sequential
        else "when the verdict was decided, or after the most games"
    )
    who = ("who plays", f"{count_words(line.players)}, {context.seating(line)}")
    games = ("games", f"{line.games:,} in {words.many(line.blocks, 'block')}; end of the run: {end}")
    return Part(
        NAME, "Seats", summary.headline(context), summary.questions(context), sections, frames(survey),
        survey.components, line.games, list(survey.commands), facts(line, who, games),
    )  # fmt: skip
