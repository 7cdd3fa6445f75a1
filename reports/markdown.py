"""A page → Markdown, for a wiki or a pull request."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reports.parts import Answer, Block, Commands, Figure, Heading, Part, Section, Terms, Text
from reports.tables import Table
from sim.legible import legible_line

SPECIAL = re.compile(r"([\\`*_\[\]<>|~#&])")  # what Markdown would take for more than a letter


def markdown(part: Part, pictures: Mapping[str, str], remark: str = "") -> str:
    """Return a page as Markdown.

    Args:
        part: the page. pictures: where the picture of each figure is, by its name (`Part.figures`); in place of one
            that is missing stands what it shows, in words. remark: what stands above all.
    """
    places = {figure.panels[0].name: pictures[name] for name, (_, figure) in part.figures.items() if name in pictures}
    return "\n\n".join([*([f"> {plain(remark)}"] if remark else []), *_document(part, places)]) + "\n"


def _document(part: Part, places: Mapping[str, str]) -> Iterator[str]:
    """Give the paragraphs of a page; places: of pictures, by the name of a figure's first panel."""
    yield f"# {plain(part.found.title)}: {plain(part.kicker)}"
    if part.found.notice:
        yield f"**{plain(part.found.notice)}**"
    if part.first:
        first = part.first
        yield f"## {plain(first.asked)}"
        yield plain(first.answer)
        yield from _block(first.figure, places)
        yield "**What to change**"
        yield plain(first.change)
        yield f"**How sure:** {plain(first.sure)}"
        yield f"**What it rests on:** {plain(first.rests)}"
        yield plain(first.limits)
    else:
        yield from map(plain, part.headline.splitlines())
    for question in part.questions:
        yield f"## {plain(question.title)}"
        yield "\n".join(map(_answer, question.answers))
    for section in part.sections:
        yield from _section(section, places)
    yield f"Made by chapterhouse from {part.games:,} games played for this page."


def _answer(answer: Answer) -> str:
    said = " ".join(text for text in (answer.size, answer.sure) if text)
    return f"- **{plain(answer.word)}** {plain(': '.join(text for text in (answer.who, said) if text))}"


def _section(section: Section, places: Mapping[str, str]) -> Iterator[str]:
    if section.blocks:
        yield f"## {plain(section.title)}"
        for block in (*section.blocks, *section.folded):
            yield from _block(block, places)


def _block(block: Block, places: Mapping[str, str]) -> Iterator[str]:
    match block:
        case Figure(title, panels, note):
            alt = " ".join(panel.drawing.alt for panel in panels)
            place = places.get(panels[0].name)
            yield f"**{plain(title)}**"
            yield f"![{plain(alt)}](<{place}>)" if place else plain(alt)
            if note:
                yield f"*{plain(note)}*"
        case Text(paragraphs, warning):
            yield from (f"> {plain(text)}" if warning else plain(text) for text in paragraphs)
        case Heading(title):
            yield f"### {plain(title)}"
        case Terms(pairs):
            yield "\n".join(f"- **{plain(term)}**: {plain(meaning)}" for term, meaning in pairs)
        case Commands(lines):
            yield "\n".join(f"    {legible_line(line)}" for line in lines)
        case Table():
            yield from _table(block)


def _table(found: Table) -> Iterator[str]:
    yield f"**{plain(found.caption)}**"
    rows = ([" ".join(part for part in (cell.mark, cell.text) if part) for cell in row] for row in found.rows)
    yield table_of(found.columns, rows, found.numeric)
    if found.note:
        yield f"*{plain(found.note)}*"


def table_of(heads: Sequence[str], rows: Iterable[Sequence[object]], numeric: Sequence[bool] = ()) -> str:
    """Return a table as Markdown; numeric: for each column whether it is aligned right."""
    right = [*numeric, *[False] * (len(heads) - len(numeric))]
    ruled = ["---:" if each else "---" for each in right]
    lines = [[plain(str(cell)) for cell in heads], ruled, *([plain(str(cell)) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def plain(text: str) -> str:
    """Return a text of one line that Markdown shows letter by letter."""
    return SPECIAL.sub(r"\\\1", legible_line(text))
