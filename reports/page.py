"""Findings → one self-contained page, and its tables next to it."""

import re
from collections.abc import Mapping
from dataclasses import replace
from os.path import relpath
from pathlib import Path
from typing import Any

import jinja2

from analyses import frames as pd
from analyses.findings import Survey
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
from reports.markdown import markdown
from reports.parts import Block, Commands, Context, Part, Section, Terms, Text
from reports.robustness import robustness
from reports.table_files import save_table
from reports.tables import stacked
from reports.worth import worth
from sim import registry
from sim.legible import legible

NAME = "report"
HTML, MARKDOWN = "html", "md"  # how a page is written, and how its file's name ends
TABLES = "tables"
HERE = Path(__file__).parent / "templates"


def write(survey: Survey, folder: Path) -> Path:
    """Write the page of a report, and all its tables; see `save`.

    Raises:
        ValueError: the survey has no line.
    """
    return save(part(survey), folder)


def save(part: Part, folder: Path, form: str = HTML, figures: Mapping[str, Path] | None = None) -> Path:
    """Write a page, and its tables as CSV and Parquet.

    Args:
        part: the findings. folder: we make it if it is missing, and replace files of the same names. form: HTML or
            MARKDOWN, which shows the pictures of `figures`, by name of the figure.

    Returns:
        The path of the page.
    """
    (folder / TABLES).mkdir(parents=True, exist_ok=True)
    path = folder / f"{part.name}.{form}"
    if form == HTML:
        text = html(part)
    else:
        links = {name: Path(relpath(picture, folder)).as_posix() for name, picture in (figures or {}).items()}
        text = markdown(whole(part), links, remark(part))
    path.write_bytes(text.encode())
    for name, frame in part.tables.items():
        for ending in ("csv", "parquet"):
            save_table(frame, folder / TABLES / f"{name}.{ending}")
    return path


def render(survey: Survey) -> str:
    """Return the page of a report as HTML: the same survey gives the same text."""
    return html(part(survey))


def part(survey: Survey) -> Part:
    """Return the page of a report.

    Raises:
        ValueError: the survey has no line.
    """
    if not survey.lines:
        raise ValueError("nothing was played")
    context = _context(survey)
    ones = survey.ladder, survey.robustness, survey.advice and survey.advice.balance
    studies = [each for each in (*survey.readings, *survey.variants, *ones) if each]
    played = sum(line.games for line in (*survey.lines, *survey.worths)) + sum(each.all_games for each in studies)
    return Part(
        NAME, "Balance report", first.answer(context), summary.questions(context), _sections(context), frames(survey),
        survey, played, commands=survey.commands[:1], first=first.first(context),
    )  # fmt: skip


def brief(part: Part) -> Part:
    """Return the first two pages of a report: what it answers, without the sections that show it."""
    return replace(part, sections=[])


def remark(part: Part) -> str:
    """Return what stands above all of a first page; "" for any other."""
    if not part.early:
        return ""
    return (
        f"This is a first page, from the first {part.games:,} games. When all are played, another one takes its place: "
        "load it again then."
    )


def whole(part: Part, alone: bool = False) -> Part:
    """Return a page with the section that says how to make it again, which a report has anyway; `alone`: no tables are
    beside it."""
    if part.first:
        return part
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
    return replace(part, sections=[*part.sections, Section("again", basis.AGAIN, [*blocks, Terms(terms)])])


def html(part: Part, alone: bool = False) -> str:
    """Return a page as HTML; `alone`: no tables are beside it."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    sections = [section for section in whole(part, alone).sections if section.blocks]
    page = environment.get_template("report.html.j2").render(
        title=part.found.title,
        kicker=part.kicker,
        banner=part.found.notice,
        headline=part.headline.splitlines(),
        first=part.first,
        early=remark(part),
        questions=part.questions,
        sections=sections,
        names={section.name for section in sections},
        light=style.variables(dark=False),
        dark=style.variables(dark=True),
        css=(HERE / "report.css").read_text(encoding="utf-8"),
        script=(HERE / "tables.js").read_text(encoding="utf-8"),
        games=f"{part.games:,}",
        version=versions()["chapterhouse"],
        commands=part.commands,
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
