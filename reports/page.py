"""A survey → one self-contained page, and its tables beside it."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2

from reports import basis, games, ladder, points, readings, seats, strategies, style, summary, things, words
from reports.parts import Context, Section

if TYPE_CHECKING:
    import pandas as pd

    from analyses.findings import Survey

NAME = "report.html"
TABLES = "tables"
HERE = Path(__file__).parent / "templates"


def write(survey: "Survey", folder: Path) -> Path:
    """Write the page, and all tables of the survey as CSV and Parquet.

    Args:
        survey: what was found; at least one line. folder: made if it is not there; files of the same names are replaced.

    Returns:
        The path of the page.

    Raises:
        ValueError: the survey has no line.
    """
    page = render(survey)
    path = folder / NAME
    (folder / TABLES).mkdir(parents=True, exist_ok=True)
    path.write_bytes(page.encode())
    for name, frame in frames(survey).items():
        frame.to_csv(folder / TABLES / f"{name}.csv", index=False, lineterminator="\n")
        frame.to_parquet(folder / TABLES / f"{name}.parquet", index=False)
    return path


def render(survey: "Survey") -> str:
    """Return the page as HTML: the same survey gives the same text."""
    if not survey.lines:
        raise ValueError("nothing was played")
    context = _context(survey)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    page = environment.get_template("report.html.j2").render(
        title=survey.title,
        banner=words.banner(survey.components.assumed, survey.components.total),
        headline=summary.headline(context),
        questions=summary.questions(context),
        findings=summary.findings(context),
        sections=[section for section in _sections(context) if section.blocks],
        light=style.variables(dark=False),
        dark=style.variables(dark=True),
        css=(HERE / "report.css").read_text(encoding="utf-8"),
        games=f"{sum(line.games for line in survey.lines) + readings.games(context) + ladder.games(context):,}",
        kind=lambda block: type(block).__name__,
    )
    return re.sub(r"(?<=\d) (?=%)", "\u00a0", page)  # so that no line begins with %


def frames(survey: "Survey") -> "dict[str, pd.DataFrame]":
    """Return all tables of a survey by file name: those of all lines under one another, with the line that each row belongs to in front."""
    import pandas as pd

    parts: dict[str, list[pd.DataFrame]] = {}
    heads = []
    for number, line in enumerate(survey.lines, 1):
        cast = " + ".join(line.strategies)
        key: dict[str, Any] = {"line": number, "players": line.players, "role": line.role, "cast": cast}
        v = line.verdict
        heads.append(
            key
            | {"level": survey.level(line), "games": line.games, "blocks": line.blocks, "decisions": line.decisions, "seed": str(line.seed)}
            | {"sequential": line.sequential, "interrupted": line.interrupted}
            | {"components": line.components, "assumed": line.assumed, "total": line.total}
            | {"rules_version": line.rules_version, "balanced_within": line.margin, "verdict": v.word, "seat": v.seat, "index": v.index}
            | {"low": v.low, "high": v.high, "holds": v.holds, "further_blocks": v.further}
            | {"notice": v.notice, "notice_least": v.notice_least}
        )
        for name, frame in line.tables.items():
            keyed = frame.copy()
            for at, (column, value) in enumerate(key.items()):
                keyed.insert(at, column, value)
            parts.setdefault(name, []).append(keyed)
    lines = pd.DataFrame(heads).astype(dict.fromkeys(("level", "further_blocks", "notice", "notice_least"), "Int64"))
    context = _context(survey)
    tables = {name: _stacked(found) for name, found in parts.items()}
    return {"lines": lines, **tables, "numbers": basis.numbers(context), **readings.frames(context), **ladder.frames(context)}


def _stacked(found: "list[pd.DataFrame]") -> "pd.DataFrame":
    import pandas as pd

    filled = [frame for frame in found if len(frame)]
    return pd.concat(filled, ignore_index=True) if filled else found[0]


def _context(survey: "Survey") -> Context:
    from sim import registry

    try:
        game = registry.load(survey.game)
    except KeyError:  # a game from elsewhere: its names are made legible
        return Context(survey, style.Labels({}), {})
    return Context(survey, style.Labels(game.titles), dict(game.headings))


def _sections(context: Context) -> list[Section]:
    lines = (name for line in context.survey.lines for name in line.tables)
    tables = dict.fromkeys(["lines", *lines, "numbers", *readings.frames(context), *ladder.frames(context)])
    names = [f"{TABLES}/{name}.csv and .parquet" for name in tables]
    return [
        seats.section(context),
        *things.sections(context),
        strategies.section(context),
        ladder.section(context),
        points.sources(context),
        points.uses(context),
        basis.assumed(context),
        readings.section(context),
        games.section(context),
        basis.method(context),
        basis.again(context, names),
    ]
