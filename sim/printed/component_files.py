"""Component files: a TOML file or a table → values and notes of where they come from.

A table has a row for each value. Its column `shipped` holds what the game ships there: if somebody changes the value
beside it, the number is theirs. A mark in the column `mine` says the same of a value that was right from the start.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError, model_validator

from sim.given import given_bytes
from sim.printed.cells import folded, truth, whole
from sim.printed.formulas import unmarked
from sim.printed.model import ComponentsError, Keys, TomlTable, error, paths, printable, refusal, refuse, shown
from sim.printed.sheets import Problem, Sheet, SheetError, few, grouped, read_sheet

COLUMNS = ("path", "meaning", "value", "shipped", "mine", "source", "low", "high", "note")
TABLES = (".csv", ".tsv", ".tab", ".txt")  # Excel's "Unicode text" is a .txt
BINARY = (".xlsx", ".xlsm", ".xls", ".ods", ".numbers")


class Origin(TomlTable):
    """Where values come from: a [[source]] entry, or the right half of a CSV row."""

    paths: list[str]
    source: Literal["rulebook", "published", "assumed", "given"]
    low: int | None = None
    high: int | None = None
    note: str = ""

    @model_validator(mode="after")
    def _complete(self) -> "Origin":
        if self.source == "published" and not self.note.strip():
            refuse(["note"], "the name of the publication", "no note")
        if self.low is not None and self.high is not None and self.low > self.high:
            refuse(["low"], f"a whole number up to high = {shown(self.high)}")
        return self

    def lacks_range(self, value: object) -> bool:
        """Return whether this value needs a range, being an assumed number, and has none."""
        return self.source == "assumed" and isinstance(value, int) and None in (self.low, self.high)

    def admits(self, value: object) -> bool:
        """Return whether this value lies in its range, if it is an assumed number."""
        if self.source != "assumed" or not isinstance(value, int) or self.low is None or self.high is None:
            return True
        return self.low <= value <= self.high


GIVEN = Origin(paths=[], source="given")


def origin(raw: object, place: str, keys: Keys) -> Origin:
    """Return an origin from what a file says.

    Args:
        raw: a [[source]] entry as it was read.
        place: the file.
        keys: what leads to the entry in it, for messages.

    Raises:
        ComponentsError: it is not complete, or has something that does not belong there.
    """
    try:
        return Origin.model_validate(raw)
    except ValidationError as invalid:
        fault = invalid.errors(include_url=False)[0]
    raise refusal(fault, Origin, place, paths(fault)[0], keys)


def row_origin(row: "Entry", value: object, own: Origin, place: str, keys: Keys) -> Origin:
    """Return the origin of a value that nobody has given: what its row says, and its `own` where that says nothing; see
    `origin`."""
    if not row.source:
        return own
    stated: dict[str, object] = own.model_dump() if own.source == row.source else {"paths": [], "source": row.source}
    if row.note or (row.note is not None and row.source != "published"):
        stated["note"] = row.note
    stated |= {end: typed(text, {"type": "integer"}) for end, text in (("low", row.low), ("high", row.high)) if text}
    found = origin(stated, place, keys)
    if found.lacks_range(value):
        raise error(place, keys, "no range", "low and high for an assumed number")
    return found


def scalar(text: str) -> int | bool | str:
    """Return the value that a cell or a change writes."""
    if re.fullmatch(r"[+-]?[0-9]{1,30}", text):
        return int(text)
    return {"true": True, "false": False}.get(text, text)


def typed(text: str, allowed: Mapping[str, Any]) -> int | bool | str:
    """Return the value that a cell holds; the text as it is if that is none, for the model to refuse.

    Args:
        text: of the cell. allowed: what the model allows there (`limits`).
    """
    value: int | bool | str | None
    if allowed.get("type") == "boolean":
        value = truth(text)
    elif allowed.get("type") == "integer":
        value = whole(text)
    else:
        value = next((word for word in allowed.get("enum", ()) if folded(word) == folded(text)), None)
    return text if value is None else value


def read_bytes(file: Path) -> bytes:
    """Return what a file holds.

    Raises:
        ComponentsError: it can't be read.
    """
    try:
        return given_bytes(file)
    except (OSError, ValueError) as fault:  # ValueError: a NUL in the name
        reason = getattr(fault, "strerror", None) or "not a file name"
        raise error(file, "file", reason.lower(), "a file that can be read") from None


def read_text(file: Path) -> str:
    """Return the text of a file.

    Raises:
        ComponentsError: it can't be read, or is not UTF-8.
    """
    try:
        return read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise error(file, f"byte {fault.start}", "what is not UTF-8", "a file saved as UTF-8") from None


def parse_toml(text: str, place: str) -> dict[str, Any]:
    """Return what a TOML file says.

    Raises:
        ComponentsError: it is not TOML; the line says where.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise error(place, "file", "tables or lists nested too deeply", "TOML") from None
    except (ValueError, OverflowError) as fault:
        where = re.search(r" \(at (?:line (\d+)|end)[^()]*\)$", str(fault))
        line = where[1] if where and where[1] else str(text.count("\n") + 1) if where else "?"
        reason = str(fault)[: where.start()] if where else str(fault)
        raise error(place, f"line {line}", f"what is not TOML ({reason[:90]})", "TOML") from None


@dataclass(frozen=True)
class Entry:
    """A row of a table, as text.

    Attributes:
        path, value, source, low, high: of the value, "" for what the row does not say.
        note: the same. shipped: what the game shipped there when the file was written. None if the table has no such
            column.
        mine: whether somebody has marked the value as theirs; None if they have not said.
    """

    path: str
    value: str
    shipped: str | None
    mine: bool | None
    source: str
    low: str
    high: str
    note: str | None


def parse_table(data: bytes, place: str, known: Callable[[str], bool]) -> tuple[list[Entry], list[str]]:
    """Return the rows of a table, and remarks on what was not read.

    Args:
        data: the file. place: what it is called in messages. known: whether a path leads to a value.

    Raises:
        ComponentsError: it is no table, or a row lacks its path or value, has a mark that says nothing, or a path that
            another row has.
    """
    try:
        sheet = read_sheet(data, dict(zip(COLUMNS, COLUMNS)) | {"meaning": ""}, ("path", "value"))
    except SheetError as fault:
        raise error(place, f"line {fault.line}" if fault.line else "file", fault.found, fault.allowed) from None
    found, labels, problems = _entries(sheet, known)
    if problems:
        first, *others = grouped(problems)
        more = f" (and {len(others)} more kind{'s' * (len(others) > 1)} of problem)" if others else ""
        raise ComponentsError(printable(f"{place}: {first}{more}"))
    return found, [
        *sheet.remarks,
        *([f"not read, having no value: line{'s' * (len(labels) > 1)} {few(labels)}"] if labels else []),
    ]


def _entries(sheet: Sheet, known: Callable[[str], bool]) -> tuple[list[Entry], list[str], list[Problem]]:
    """Return the entries, the lines of labels between them, and what is wrong."""
    found: dict[str, Entry] = {}
    lines: dict[str, int] = {}
    labels: list[str] = []
    problems = []
    for row in sheet.rows:
        cells = {column: row.cells.get(column, "") for column in COLUMNS}
        path, value, mine = cells["path"], cells["value"], cells["mine"]
        same = path.casefold()
        if not value and not (path and known(path)):
            labels.append(str(row.line))
        elif not path or not value:
            name = "value" if path else "path"
            problems.append(Problem(row.line, name, "", f"a {name} in every row"))
        elif same in found:
            problems.append(Problem(row.line, path, f"a second row, after line {lines[same]}", "one row for a path"))
        elif mine and truth(mine) is None:
            problems.append(Problem(row.line, "mine", shown(mine), "x, no or nothing"))
        else:
            shipped = cells["shipped"] if "shipped" in sheet.columns else None
            note = unmarked(cells["note"]) if "note" in sheet.columns else None
            source = folded(cells["source"])
            found[same] = Entry(path, value, shipped, truth(mine), source, cells["low"], cells["high"], note)
            lines[same] = row.line
    return list(found.values()), labels, problems
