"""The page for a run in a folder: one number of players, one line-up, and everything counted in its games."""

from analyses.findings import Line, Survey
from analyses.survey import versions
from reports import basis, first, places, points, seats, strategies, summary, things, words
from reports.page import frames
from reports.parts import Context, Part, Section, Text, count_words

NAME = "seats"
REST = (
    "This run asked how often each seat wins; everything else here was counted in the same games. It didn't ask what "
    "things are worth when chance deals them, what other readings of the rulebook would change, or whether the verdict "
    "holds for other plausible numbers. `chapterhouse worth`, `rules` and `robustness` play for that, and `report` "
    "plays for all of it."
)


def part(line: Line, command: str = "") -> Part:
    """Return the page for a line; `command`: what to type to play it again."""
    survey = Survey(line.played, [line], (command,), versions())
    context = Context.of(survey.game, survey=survey)
    sections = [
        seats.section(context),
        places.orders(context),
        places.growth(context),
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
        NAME, "Seats", first.answer(context), summary.questions(context), sections, frames(survey),
        line, line.games, (who, games), survey.commands,
    )  # fmt: skip
