"""Frames → tables of a page: cells with the digits that their intervals allow, and aligned decimals."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from analyses import frames as pd
from analyses.played import Found
from reports.words import NOT_KNOWN, decimals, half_width

Rows: TypeAlias = "pd.DataFrame | list[dict[str, Any]]"


@dataclass(frozen=True)
class Cell:
    """One cell: its text, how many decimals it lacks, whether it is a number, a mark beside it, the colour token of a
    dot before it, and how strongly it is shaded."""

    text: str
    lacks: int = 0
    numeric: bool = False
    mark: str = ""
    colour: str = ""
    heat: int = 0  # percent of the strongest shade

    @property
    def pad(self) -> str:
        """The padding that CSS adds at the right, so that decimals line up."""
        return f"calc(var(--gap) + {self.lacks}ch{' + 0.28em' if '.' not in self.text else ''})" if self.lacks else ""


@dataclass(frozen=True)
class Table:
    """A table as the template shows it."""

    caption: str
    columns: list[str]
    numeric: list[bool]
    rows: list[list[Cell]]
    folded: bool = False
    note: str = ""


@dataclass
class Column:
    """A column: its title, the field that it shows, the fields of its interval, a factor (100 for percent), most
    decimals.

    Whole numbers without an interval are counts and have no decimals.
    """

    title: str
    field: str | Callable[[Any], str]
    low: str = ""
    high: str = ""
    factor: float = 1
    most: int = 2
    bounds: bool = False  # whether to show the ends of the interval beside it
    colour: Callable[[Any], str] | None = None
    mark: str = ""
    like: str = ""  # the field that the interval belongs to, if not `field`


Columns = Sequence[Column | str]  # a name alone is the title and the field


def written(value: float, places: int) -> str:
    """Return a number for a spreadsheet: no separators, a plain minus sign."""
    if value != value or value in (float("inf"), float("-inf")):
        return NOT_KNOWN
    text = f"{value:.{places}f}"
    return text.lstrip("-") if float(text) == 0 else text


def table(found: Rows, columns: Columns, caption: str, folded: bool = False, note: str = "") -> Table:
    """Lay rows out.

    Args:
        found: a frame, or a dict for each row. columns: what to show. caption: of the table. folded: shown only on a
            click.
        note: a sentence below.

    Returns:
        The table; its decimals are aligned column by column.
    """
    titles: list[str] = []
    built: list[list[Cell]] = []
    rows = records(found)
    for column in (Column(each, each) if isinstance(each, str) else each for each in columns):
        titles.append(column.title)
        built.append(_column(rows, column))
        if column.bounds:
            titles += ["from", "to"]
            places = [_places(row, column) for row in rows]
            built += [_numbers([column.factor * row[end] for row in rows], places) for end in (column.low, column.high)]
    numeric = [bool(cells) and all(c.numeric for c in cells) for cells in built]
    return Table(caption, titles, numeric, [list(cells) for cells in zip(*built, strict=True)], folded, note)


def matrix(
    frame: "pd.DataFrame",
    down: Column,
    across: str,
    heads: Iterable[tuple[Any, str]],
    shown: Column,
    caption: str,
    folded: bool = False,
    heat: bool = False,
) -> Table:
    """Lay a tidy frame out in two directions.

    Args:
        frame: a row for each cell. down: the column of row heads. across: the field whose values become columns. heads:
            those, with titles. shown: what the cells show. caption, folded: see `table`. heat: shade the cells, the
            larger the darker; no number may be negative.

    Returns:
        The table.
    """
    heads = list(heads)
    key = down.field
    assert isinstance(key, str)
    firsts: dict[Any, Any] = {}
    cells: dict[tuple[Any, Any], Any] = {}
    for row in records(frame):
        firsts.setdefault(row[key], row)
        cells[row[key], row[across]] = row
    built = [[Cell(str(row[key]), colour=down.colour(row) if down.colour else "") for row in firsts.values()]]
    for head, _ in heads:
        found = [cells.get((first, head)) for first in firsts]
        places = [0 if row is None else _places(row, shown) for row in found]
        values = [float("nan") if row is None else shown.factor * row[shown.field] for row in found]
        marks = [str(row[shown.mark]) if row is not None and shown.mark else "" for row in found]
        built.append(_numbers(values, places, marks))
    rows = [list(line) for line in zip(*built, strict=True)]
    if heat:
        known = [float(cell.text) for line in rows for cell in line[1:] if cell.text != NOT_KNOWN]
        rows = [[line[0], *(_shaded(cell, max(known, default=0.0)) for cell in line[1:])] for line in rows]
    return Table(caption, [down.title, *(title for _, title in heads)], [False] + [True] * len(heads), rows, folded)


def _shaded(cell: Cell, most: float) -> Cell:
    """Return a cell shaded by its number, compared with the largest."""
    return replace(cell, heat=round(100 * float(cell.text) / most)) if most and cell.text != NOT_KNOWN else cell


def stacked(parts: "Iterable[tuple[str, dict[str, Any], pd.DataFrame]]") -> "dict[str, pd.DataFrame]":
    """Return tables by name from parts of them: name, what each row begins with, rows. Parts without rows are left
    out."""
    found: dict[str, list[pd.DataFrame]] = {}
    for name, head, rows in parts:
        frame = rows.copy()
        for at, (column, value) in enumerate(head.items()):
            frame.insert(at, column, value)
        found.setdefault(name, []).append(frame)
    return {
        name: pd.concat([f for f in frames if len(f)] or frames[:1], ignore_index=True)
        for name, frames in found.items()
    }


def lineup_head(line: Found) -> dict[str, Any]:
    """Return what rows begin with in a table of several line-ups."""
    return {"players": line.players, "cast": " + ".join(line.strategies), "games": line.games}


def records(found: Rows) -> list[dict[str, Any]]:
    """Return the rows of a frame, each by name of its columns; rows stay as they are."""
    return (
        found
        if isinstance(found, list)
        else [{str(name): item for name, item in row.items()} for row in found.to_dict("records")]
    )


def _places(row: dict[str, Any], column: Column) -> int:
    value = row[column.like or column.field] if isinstance(column.field, str) else float("nan")
    if not column.low:
        return 0 if isinstance(value, int) else column.most
    return decimals(column.factor * half_width(value, row[column.low], row[column.high]), column.most)


def _numbers(values: Sequence[float], places: Sequence[int], marks: Sequence[str] | None = None) -> list[Cell]:
    known = [p for v, p in zip(values, places, strict=True) if v == v]
    most = max(known, default=0)
    return [
        Cell(written(v, p), most - p if v == v else 0, True, m)
        for v, p, m in zip(values, places, marks or [""] * len(values), strict=True)
    ]


def _column(rows: list[dict[str, Any]], column: Column) -> list[Cell]:
    colours = [column.colour(row) if column.colour else "" for row in rows]
    if callable(column.field):
        return [Cell(column.field(row), colour=colour) for row, colour in zip(rows, colours, strict=True)]
    values = [row[column.field] for row in rows]
    if all(isinstance(v, str) for v in values):
        return [Cell(v, colour=colour) for v, colour in zip(values, colours, strict=True)]
    return _numbers([column.factor * v for v in values], [_places(row, column) for row in rows])
