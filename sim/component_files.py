"""Component files: the text of a TOML or CSV file → tables, rows and notes of where values come from."""

import csv
import io
import re
import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError, model_validator

from sim.component_model import Keys, Table, error, paths, refusal, refuse, shown
from sim.given import given_bytes
from sim.spreadsheet import unmarked

COLUMNS = ("path", "value", "source", "low", "high", "note")


class Origin(Table):
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


def row_origin(row: dict[str, str], place: str, keys: Keys) -> Origin:
    """Return the origin of the value of a CSV row; see `origin`."""
    ends = {end: scalar(row[end]) for end in ("low", "high") if row[end]}
    found = origin({"paths": [], "source": row["source"] or "given", "note": row["note"], **ends}, place, keys)
    if found.lacks_range(scalar(row["value"])):
        raise error(place, keys, "no range", "low and high for an assumed number")
    return found


def scalar(text: str) -> int | bool | str:
    """Return the value that a cell or a change writes."""
    if re.fullmatch(r"[+-]?[0-9]{1,30}", text):
        return int(text)
    return {"true": True, "false": False}.get(text, text)


def read_text(file: Path) -> str:
    """Return the text of a file.

    Raises:
        ComponentsError: it can't be read, or is not UTF-8.
    """
    try:
        return given_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise error(file, f"byte {fault.start}", "what is not UTF-8", "a file saved as UTF-8") from None
    except (OSError, ValueError) as fault:  # ValueError: a NUL in the name
        reason = getattr(fault, "strerror", None) or "not a file name"
        raise error(file, "file", reason.lower(), "a file that can be read") from None


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


def parse_csv(text: str, place: str) -> dict[Keys, dict[str, str]]:
    """Return the rows of a CSV file by path: cells by column, empty where the file has none.

    Raises:
        ComponentsError: it is not CSV, or lacks a column, a path or a value, or has a path twice.
    """
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in first and "," not in first else ",", strict=True)
    rows: dict[Keys, dict[str, str]] = {}
    try:
        header = [cell.strip().lower() for cell in next(reader, [])]
        if not {"path", "value"} <= set(header) <= set(COLUMNS) or len(set(header)) < len(header):
            raise error(place, "line 1", f"the columns {shown(', '.join(header))}", ", ".join(COLUMNS) + " (path and value at least)")
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if any(cells[len(header) :]):
                raise error(place, f"line {reader.line_num}", f"{len(cells)} cells", f"{len(header)}, as in the header")
            row = dict.fromkeys(COLUMNS, "") | dict(zip(header, cells))
            row |= {column: row[column].strip() for column in COLUMNS if column != "note"}
            row["note"] = unmarked(row["note"])
            keys = tuple(row["path"].split("."))
            if not row["path"]:
                raise error(place, f"line {reader.line_num}", "no path", "a path in every row")
            if not row["value"]:
                raise error(place, keys, "no value", "a value in every row")
            if keys in rows:
                raise error(place, keys, f"a second row, line {reader.line_num}", "one row for a path")
            rows[keys] = row
    except csv.Error as fault:
        raise error(place, f"line {reader.line_num}", f"what is not CSV ({fault})", "CSV") from None
    return rows
