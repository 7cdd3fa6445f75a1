"""Sheets: tables that people write, as their spreadsheets save them → rows by column, each with its line, and what was
not read.

    bytes ─► text (encoding) ─► heading (and what parts the cells) ─► rows, whose cells `sim.printed.cells` understands

Excel, LibreOffice, Numbers and Google Sheets each write another dialect, in the words of each language, and people put
titles above their tables and notes beside them. All of that is read, and it means the same in every file that is a
table. What can't be told is refused.
"""

import codecs
import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from sim.printed.cells import NO, YES, folded
from sim.printed.model import shown
from sim.words.wording import joined

MOST_PROBLEMS = 10  # lines on what is wrong
MOST_NAMED = 6  # names in one line
MOST_ABOVE = 50  # lines above the heading
DELIMITERS = (",", ";", "\t", "|")
BLANK = ' \t\r\n",;|'
SEP = re.compile(r'\s*"?sep=([^\w\s"]|\t)"?\s*', re.IGNORECASE)  # Excel's own first line
BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins like UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
LEGACY = {
    "cp1252": "Windows-1252", "mac_roman": "Mac Roman", "cp1250": "Windows-1250", "cp1251": "Windows-1251",
    "cp1253": "Windows-1253", "cp1254": "Windows-1254", "cp1257": "Windows-1257", "cp850": "DOS 850",
    "cp852": "DOS 852", "cp866": "DOS 866", "mac_latin2": "Mac Central European", "mac_cyrillic": "Mac Cyrillic",
}  # fmt: skip
QUOTES = "one at each end of a cell (is one missing?)"
SPREADSHEET, TABLE = "a spreadsheet", "a table (save it as CSV)"
MAGIC = {
    b"PK": SPREADSHEET, b"\xd0\xcf\x11\xe0": SPREADSHEET, b"%PDF": "a PDF", b"{\\rtf": "a text document",
    b"\x1f\x8b": "a compressed file", b"PAR1": "a Parquet file", b"SQLite format": "a database",
    b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture",
}  # fmt: skip
MARKUP = re.compile(r"\s*<(?:(\?xml)|(!doctype html|html|table)|!--|!doctype|[a-z][\w:]*[\s>/])", re.IGNORECASE)
JSON = re.compile(r"\s*(\{\s*[\"}]|\[\s*[\[{\]\"])")
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
AROUND = r"[\s\u200b-\u200f\u2060\ufeff]+"  # spaces, and marks that nobody sees


class SheetError(Exception):
    """A file that can't be read as a table.

    Attributes:
        line: where, from 1; 0 for the whole file. found, allowed: in words, printable.
    """

    def __init__(self, line: int, found: str, allowed: str):
        super().__init__(f"{f'line {line}: ' * bool(line)}found {found}; allowed {allowed}")
        self.line, self.found, self.allowed = line, found, allowed


@dataclass(frozen=True)
class Row:
    """A row that holds something: the line where it begins, and its cells by column, "" where there is nothing."""

    line: int
    cells: dict[str, str]


@dataclass(frozen=True)
class Sheet:
    """A table that was read.

    Attributes:
        columns: those that it has, of those that were asked for. heading: line of the heading.
        rows: below it, without empty ones; cells have no spaces around them.
        remarks: what was not read, and how letters were read if that had to be guessed; a line each, printable.
    """

    columns: tuple[str, ...]
    heading: int
    rows: list[Row]
    remarks: tuple[str, ...]


def read_sheet(data: bytes, names: Mapping[str, str], needed: Collection[str], words: Iterable[str] = ()) -> Sheet:
    """Read a table.

    Args:
        data: the file.
        names: what a heading may be called → column, "" for one that is known and not read. Case, accents, spaces and
            punctuation do not count.
        needed: columns without which it is no such table.
        words: that may stand in its cells, beside yes and no: they tell encodings apart.

    Raises:
        SheetError: it is no table, or its cells or columns can't be told apart.
    """
    known = {folded(name): column for name, column in names.items()}
    text, guessed = decoded(data, {*known, *YES, *NO, *map(folded, words)})
    lines = list(io.StringIO(text, newline=""))
    head = _heading(lines, known, needed)
    columns = [known.get(folded(cell), "") for cell in head.cells]
    width = len(columns)
    rows = list(_rows(lines, head))
    padded = head.width > width or any(len(cells) > width and not cells[-1] for _, cells in rows)
    kept, beside = [], []
    for line, cells in rows:
        if any(cells[width:]):
            if not padded and cells[width]:  # by hand: one comma too many, and all cells behind it are one too far
                allowed = f"{width}, as in the heading (a cell with {shown(head.mark)} in it needs quotation marks)"
                raise SheetError(line, f"{len(cells)} cells", allowed)
            beside.append(str(line))
        found = dict.fromkeys(filter(None, columns), "") | {name: cell for name, cell in zip(columns, cells) if name}
        if any(found.values()) and cells[:width] != head.cells:  # headings may come again on each printed page
            kept.append(Row(line, found))
    remarks = _unread(lines, head, known, beside)
    if guessed and any(not cell.isascii() for row in kept for cell in row.cells.values()):
        remarks.append(f"not in UTF-8; read as {LEGACY[guessed]}")
    return Sheet(tuple(filter(None, columns)), head.first + 1, kept, tuple(remarks))


# --- what is wrong with rows ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Problem:
    """Something wrong in a row: its line, where in it, what was found ("" for nothing), what is allowed."""

    line: int
    where: str
    found: str
    allowed: str


def grouped(problems: Iterable[Problem], most: int = MOST_PROBLEMS) -> list[str]:
    """Return what is wrong: problems of one kind together, in the order of their lines, at most `most` lines of
    text."""
    kinds: dict[tuple[str, str, bool], list[Problem]] = {}
    for problem in sorted(problems, key=lambda problem: problem.line):
        kinds.setdefault((problem.where, problem.allowed, not problem.found), []).append(problem)
    said = [_kind(alike) for alike in kinds.values()]
    return said if len(said) <= most else [*said[: most - 1], f"and {len(said) - most + 1} more kinds of problem"]


def _kind(alike: Sequence[Problem]) -> str:
    """Return one line on problems of one kind."""
    first, lines = alike[0], list(dict.fromkeys(str(problem.line) for problem in alike))
    where = f"{first.where}: " * bool(first.where)
    found = few(list(dict.fromkeys(problem.found for problem in alike)))
    if len(lines) == 1:
        return f"line {first.line}: {where}found {found or 'nothing'}; allowed {first.allowed}"
    if not found:
        return f"{len(lines)} rows have no {first.where} (lines {few(lines)}); allowed {first.allowed}"
    return f"{len(lines)} rows (lines {few(lines)}): {where}found {found}; allowed {first.allowed}"


def few(names: Sequence[str]) -> str:
    """Return names joined; of many the first few, and how many more there are."""
    return joined(
        names if len(names) <= MOST_NAMED else [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
    )


# --- from bytes to text -----------------------------------------------------------------------------------------------


def decoded(data: bytes, words: Collection[str] = ()) -> tuple[str, str]:
    """Return the text of a file, and its encoding (a key of LEGACY) if that had to be guessed, else "".

    Args:
        data: the file. words: that may stand in its cells, `folded`.

    Raises:
        SheetError: it is no text, or it is text that is no table.
    """
    kind = next((kind for magic, kind in MAGIC.items() if data.startswith(magic)), "")
    text, guessed = ("", "") if kind else _decoded(data, words)
    text = text.removesuffix("\x1a")  # how DOS ends a file
    markup = MARKUP.match(text)
    if markup:
        spreadsheet = re.search("spreadsheet|office:excel", text[:2000])
        kind = SPREADSHEET if spreadsheet else "a web page" if markup[2] else "XML"
    elif JSON.match(text):
        kind = "JSON"
    elif CONTROL.search(text):
        kind = "bytes that are no text"
    if kind:
        raise SheetError(0, kind, TABLE)
    return text, guessed


def _decoded(data: bytes, words: Collection[str]) -> tuple[str, str]:
    """Return text and guessed encoding: without a mark and not in UTF-8, the one in which most words are known, or else
    the first."""
    code = next((code for bom, code in BOMS if data.startswith(bom)), "utf-8")
    if code == "utf-8" and b"\0" in data:  # UTF-16 without its mark: each second byte of Latin letters is 0
        even, odd = (part.count(0) > len(part) / 2 for part in (data[:200:2], data[1:200:2]))
        code = "utf-16-le" if odd > even else "utf-16-be" if even > odd else code
    try:
        return data.decode(code), ""
    except UnicodeDecodeError:
        if code != "utf-8":
            raise SheetError(0, "bytes that are no text", TABLE) from None
    cells = set(re.findall(rb'[^,;\t|"\r\n]*[\x80-\xff][^,;\t|"\r\n]*', data))

    def known(code: str) -> int:
        return sum(folded(cell.decode(code, "replace")) in words for cell in cells)

    code = max((code for code in LEGACY if _fits(data, code)), key=known)
    return data.decode(code), code


def _fits(data: bytes, code: str) -> bool:
    try:
        data.decode(code)
    except UnicodeDecodeError:
        return False
    return True


# --- from text to rows ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Heading:
    """A row that may be the heading.

    Attributes:
        mark: what parts its cells. first, after: its first line, and the one behind it, from 0.
        cells: without the empty ones at its end. width: with them.
    """

    mark: str
    first: int
    after: int
    cells: list[str]
    width: int


def _clean(cell: str) -> str:
    """Return a cell without what nobody sees around it, and without the formula that some programs write to keep a text
    as it is."""
    cell = cell.strip()
    if not cell.isascii():
        cell = re.sub(rf"\A{AROUND}|{AROUND}\Z", "", cell)
    return cell[2:-1] if len(cell) > 2 and cell.startswith('="') and cell.endswith('"') else cell


def _heading(lines: Sequence[str], known: Mapping[str, str], needed: Collection[str]) -> _Heading:
    """Return the first row with all columns that are needed, parted by the mark with which most columns are known."""
    begin = next((at for at, line in enumerate(lines) if line.strip()), 0)
    sep = SEP.fullmatch(lines[begin]) if lines else None
    best, score = None, (False, 0)
    for mark in dict.fromkeys((sep[1], *DELIMITERS) if sep else DELIMITERS):
        for at in range(begin + (sep is not None), min(begin + MOST_ABOVE, len(lines))):
            reader = csv.reader(lines[at : at + MOST_ABOVE], delimiter=mark, skipinitialspace=True)
            try:
                row = [_clean(cell) for cell in next(reader, [])]
            except csv.Error:  # a cell of more than 100 kB
                continue
            cells = row[: max((n for n, cell in enumerate(row, 1) if cell), default=0)]
            columns = {known.get(folded(cell), "") for cell in cells} - {""}
            fit = (columns.issuperset(needed), len(columns))
            if cells and (best is None or fit > score):
                best, score = _Heading(mark, at, at + reader.line_num, cells, len(row)), fit
    if best is None or not any(line.strip(BLANK) for line in lines):
        raise SheetError(0, "nothing", f"a table with the columns {joined(needed)}")
    present = [known.get(folded(cell), "") for cell in best.cells]
    if not score[0]:
        absent = [shown(name) for name in needed if name not in present]
        raise SheetError(
            best.first + 1, f"no column{'s' * (len(absent) > 1)} {joined(absent)}", f"a heading with {joined(needed)}"
        )
    for at, name in enumerate(present):
        if name and name in present[:at]:
            raise SheetError(best.first + 1, f"the column {shown(best.cells[at])} twice", "each column once")
    return best


def _rows(lines: Sequence[str], head: _Heading) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row below the heading that is not empty, with the line where it begins."""
    reader = csv.reader(islice(lines, head.after, None), delimiter=head.mark, skipinitialspace=True, strict=True)
    while True:
        line = head.after + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            raise SheetError(line, "a cell with a stray quotation mark", QUOTES) from None
        last = head.after + reader.line_num
        if last > line and any(_holds_rows(cell, head) for cell in cells):
            raise SheetError(line, f"a cell that goes on to line {last} and holds other rows", QUOTES)
        cleaned = [_clean(cell) for cell in cells]
        if any(cleaned):
            yield line, cleaned


def _holds_rows(cell: str, head: _Heading) -> bool:
    """Return whether a line of a cell, behind the first, looks like a row: as many cells, the first not empty, no
    spaces around them."""
    lines = [line.split(head.mark) for line in cell.splitlines()[1:]]
    return any(
        len(row) >= max(2, len(head.cells)) and row[0] and all(part == part.strip() for part in row) for row in lines
    )


def _unread(lines: Sequence[str], head: _Heading, known: Collection[str], beside: Sequence[str]) -> list[str]:
    """Return a line on what was not read; none if all was."""
    above = [str(n) for n, line in enumerate(lines[: head.first], 1) if line.strip(BLANK) and not SEP.fullmatch(line)]
    others = [shown(cell)[1:-1] for cell in head.cells if cell and folded(cell) not in known]
    parts = [f"line{'s' * (len(above) > 1)} {few(above)} above the heading"] if above else []
    parts += [f"the column{'s' * (len(others) > 1)} {few(others)}"] if others else []
    parts += [f"what stands beside the table in line{'s' * (len(beside) > 1)} {few(beside)}"] if beside else []
    return [f"not read: {'; '.join(parts)}"] if parts else []
