"""A survey → one self-contained page, and its tables next to it."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jinja2

from analyses import frames as pd
from analyses.findings import Survey
from analyses.played import notice
from analyses.prove import stamp
from analyses.survey import versions
from reports import (
    advice,
    basis,
    first,
    games,
    ladder,
    levels,
    places,
    points,
    readings,
    seats,
    strategies,
    style,
    summary,
    things,
    variants,
)
from reports.first import FirstScreen
from reports.parts import Block, Commands, Context, Part, QuestionBox, Section, Terms, Text
from reports.robustness import robustness
from reports.table_files import save_table
from reports.tables import stacked
from reports.worth import worth
from sim import registry
from sim.legible import legible
from sim.printed.components import Components

NAME = "report.html"
TABLES = "tables"
HERE = Path(__file__).parent / "templates"


def write(survey: Survey, folder: Path) -> Path:
    """Write the page, and all tables of the survey as CSV and Parquet.

    Args:
        survey: the findings; at least one line. folder: we make it if it is missing, and replace files of the same
            names.

    Returns:
        The path of the page.

    Raises:
        ValueError: the survey has no line.
    """
    return _save(folder / NAME, render(survey), frames(survey))


def _save(path: Path, page: str, tables: "dict[str, pd.DataFrame]") -> Path:
    (path.parent / TABLES).mkdir(parents=True, exist_ok=True)
    path.write_bytes(page.encode())
    for name, frame in tables.items():
        for ending in ("csv", "parquet"):
            save_table(frame, path.parent / TABLES / f"{name}.{ending}")
    return path


def write_part(part: Part, folder: Path) -> Path:
    """Write the page for one question, and its tables as CSV and Parquet.

    Args:
        part: the findings. folder: we make it if it is missing, and replace files of the same names.

    Returns:
        The path of the page.
    """
    return _save(folder / f"{part.name}.html", page_of(part), part.tables)


def page_of(part: Part, alone: bool = False) -> str:
    """Return the page for one question as HTML; `alone`: no tables are beside it."""
    found, components = part.found, part.found.components
    blocks: list[Block] = [Text([basis.STOPPED], warning=True)] if part.interrupted else []
    blocks += [Text([basis.SAME]), Commands(list(part.commands))]
    terms = [
        ("components", f"digest {components.digest}; {components.counts}"),
        ("rules", f"{registry.shown(found.game)}, version {found.rules_version}; {stamp.words(found.game)}"),
        *part.facts,
        ("seed", str(found.seed)),
        ("versions", ", ".join(f"{name} {version}" for name, version in versions().items())),
    ]
    if part.tables and not alone:
        terms.append(("files beside this page", ", ".join(f"{TABLES}/{name}.csv and .parquet" for name in part.tables)))
    return _render(
        title=found.title, kicker=part.kicker, components=components, headline=part.headline,
        questions=part.questions,
        sections=[*part.sections, Section("again", basis.AGAIN, [*blocks, Terms(terms)])], games=part.games,
    )  # fmt: skip


def render(survey: Survey) -> str:
    """Return the page as HTML: the same survey gives the same text."""
    if not survey.lines:
        raise ValueError("nothing was played")
    context = _context(survey)
    ones = survey.ladder, survey.robustness, survey.advice and survey.advice.balance
    studies = [each for each in (*survey.readings, *survey.variants, *ones) if each]
    played = sum(line.games for line in (*survey.lines, *survey.worths)) + sum(each.all_games for each in studies)
    return _render(
        title=survey.title, kicker="Balance report", components=survey.components, first=first.first(context),
        questions=summary.questions(context), sections=_sections(context), games=played,
    )  # fmt: skip


def _render(
    *,
    title: str,
    kicker: str,
    components: Components,
    questions: list[QuestionBox],
    sections: list[Section],
    games: int,
    headline: str = "",
    first: FirstScreen | None = None,
) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = environment.get_template("report.html.j2").render(
        title=title,
        kicker=kicker,
        banner=notice(components),
        headline=headline.splitlines(),
        first=first,
        questions=questions,
        sections=[section for section in sections if section.blocks],
        light=style.variables(dark=False),
        dark=style.variables(dark=True),
        css=(HERE / "report.css").read_text(encoding="utf-8"),
        games=f"{games:,}",
        kind=lambda block: type(block).__name__,
    )
    return re.sub(r"(?<=\d) (?=%)", "\u00a0", legible(page))  # so that no line begins with %


def frames(survey: Survey) -> "dict[str, pd.DataFrame]":
    """Return all tables of a survey by file name. The tables of all lines are joined, and each row begins with its
    line."""
    parts: list[tuple[str, dict[str, Any], pd.DataFrame]] = []
    heads = []
    for number, line in enumerate(survey.lines, 1):
        key = {"line": number, "players": line.players, "role": line.role, "cast": " + ".join(line.strategies)}
        heads.append(
            key
            | {
                "level": survey.level(line),
                "games": line.games,
                "blocks": line.blocks,
                "decisions": line.decisions,
                "seed": str(line.seed),
            }
            | {"sequential": line.sequential, "interrupted": line.interrupted}
            | {"components": line.components.digest, **line.counts._asdict()}
            | {"rules_version": line.rules_version, "balanced_within": line.margin, **vars(line.verdict)}
        )
        parts += [(name, key, frame) for name, frame in line.tables.items()]
    lines = pd.DataFrame(heads).rename(columns={"word": "verdict", "further": "further_blocks"})
    lines = lines.astype(dict.fromkeys(("level", "further_blocks", "notice", "notice_least"), "Int64"))
    return {"lines": lines, **stacked(parts), **_others(_context(survey))}


def _others(context: Context) -> "dict[str, pd.DataFrame]":
    """Return the tables that don't come from lines."""
    survey = context.survey
    drawn = robustness.frames(survey.robustness) if survey.robustness else {}
    read = readings.frames(survey.components, survey.readings)
    parts = worth.frames(survey.worths), drawn, read, ladder.frames(survey.ladder), variants.frames(survey.variants)
    return {"numbers": basis.numbers(context)} | {name: frame for part in parts for name, frame in part.items()}


def _context(survey: Survey) -> Context:
    return Context.of(survey.game, survey=survey)


def _sections(context: Context) -> list[Section]:
    lines = (name for line in context.survey.lines for name in line.tables)
    tables = dict.fromkeys(["lines", *lines, *_others(context)])
    names = [f"{TABLES}/{name}.csv and .parquet" for name in tables]
    survey = context.survey
    appendix = [
        readings.section(context, survey.components, survey.readings),
        basis.method(context),
        basis.again(context, names),
    ]
    return [
        advice.section(context),
        seats.section(context),
        levels.section(context),
        seats.others(context),
        places.orders(context),
        places.growth(context),
        *worth.sections(context),
        *things.sections(context),
        strategies.section(context),
        *ladder.sections(context, survey.ladder),
        points.sources(context),
        points.uses(context),
        *variants.sections(survey.variants, context),
        basis.assumed(context),
        *([robustness.section(context, survey.robustness)] if survey.robustness else []),
        games.section(context),
        *(replace(section, appendix=True) for section in appendix),
    ]
