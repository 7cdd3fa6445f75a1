"""Findings on the terminal: JSON for machines, tables and plain sentences for people."""

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

from analyses import frames as pd
from reports.words import NOT_KNOWN, decimals, fixed, half_width, seating, signed
from scripts.output import console
from sim.legible import ascii_json, legible_line

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.table import Table

    from analyses.played import Found

MOST_COLUMNS = 10_000  # of a terminal


def show(*parts: Any) -> None:
    """Print sentences and tables for people."""
    screen = console()
    if not screen.is_terminal and "COLUMNS" not in os.environ:
        screen.width = 120
    for part in parts:
        if part != "":
            text = isinstance(part, str)
            screen.print(legible_line(part) if text else part, soft_wrap=text and not screen.is_terminal)


def plain(value: Any) -> Any:
    """Return a value, or all values of a table or list, as in JSON; a value that never came up is null."""
    if hasattr(value, "to_dict"):
        return [plain(row) for row in value.to_dict("records")]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def to_json(value: Any) -> str:
    """Return JSON in ASCII, which is the same in every locale."""
    return ascii_json(plain(value), indent=2)


def chosen_tables(table: "pd.DataFrame") -> dict[str, Any]:
    """Return the things as they were chosen freely: over everything, then by round, by seat, by round and seat, by
    strategy."""
    table = table.drop(columns="kind").rename(
        columns={"wins_when_held": "wins_when_chosen", "points_when_held": "points"}
    )
    split = {name: table[name] != "all" for name in ("round", "seat", "strategy")}

    def part(*heads: str) -> "pd.DataFrame":
        chosen = table
        for name in split:
            chosen = chosen[(chosen[name] != "all") == (name in heads)]
        chosen = chosen.drop(columns=[name for name in split if name not in heads])
        return chosen.astype({name: int for name in heads if name != "strategy"})

    parts = {
        "things": part(),
        "by_round": part("round"),
        "by_seat": part("seat"),
        "by_round_and_seat": part("round", "seat"),
    }
    return parts | {"by_strategy": part("strategy")}


def column(
    table: "pd.DataFrame", name: str, low: str, high: str, unit: float = 1, most: int = 2, sign: bool = False
) -> tuple[list[str], list[str]]:
    """Return a column times `unit`, and its intervals, each number with the digits that its own interval allows, as on
    the page.

    Args:
        table: a row a number. name, low, high: of its columns. unit: factor. most: decimals. sign: whether they are
            changes.
    """
    write = signed if sign else fixed
    rows = [[unit * part for part in row] for row in zip(table[name], table[low], table[high], strict=True)]
    places = [decimals(half_width(*row), most) if math.isfinite(sum(row)) else 0 for row in rows]
    widest = max(places, default=0)
    shown, ends = [], []
    for (value, a, b), own in zip(rows, places, strict=True):
        lacks = widest - own + (own == 0 < widest)  # so that decimals stand under one another
        shown.append((write(value, own) + " " * lacks) if math.isfinite(value) else NOT_KNOWN)
        known = f"{write(a, own)} {'to' if sign else '–'} {write(b, own)}" if math.isfinite(a + b) else "not yet known"
        ends.append(known if math.isfinite(value) else "never seen")
    return shown, ends


def heading(found: "Found", games: str) -> list[str]:
    """Return the lines above a finding: what was played, and where its numbers come from; games: how many, and of
    what."""
    who = f"{found.title}, {found.players} players, {seating(found.strategies)}"
    return [f"{who}: {games} (seed {found.seed}, components {found.components.digest})", found.notice]


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> "Fitting":
    """Return a table for the terminal, numbers to the right."""
    return Fitting(tuple(heads), [tuple(legible_line(str(cell)) for cell in row) for row in rows])


@dataclass(frozen=True)
class Fitting:
    """A table that fits any terminal: whole, with wrapped heads and first column, or row by row. It never cuts off a
    number."""

    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "Iterator[Any]":
        """Yield the form that fits."""
        from rich.measure import Measurement

        def too_wide(made: "Table") -> int:
            return Measurement.get(console, options.update(width=MOST_COLUMNS), made).maximum - options.max_width

        whole, narrow = self._table(broken=False), self._table(broken=True)
        first = [*str(narrow.columns[0].header).splitlines(), *(row[0] for row in self.rows)]
        left = max(map(len, first)) - max(too_wide(narrow), 0)  # columns for the first one
        if too_wide(whole) <= 0:
            yield whole
        elif left >= max((len(word) for cell in first for word in cell.split()), default=1):
            narrow.columns[0].width = left
            yield narrow
        else:
            for row in self.rows:
                yield ""
                for at, (head, cell) in enumerate(zip(self.heads, row)):
                    yield f"{'  ' * (at > 0)}{head}: {cell.strip()}"
            yield ""

    def _table(self, broken: bool) -> "Table":
        """Return it as a table in which numbers stand in one line; `broken`: heads and the first column may take
        several."""
        from rich import box
        from rich.table import Table

        made = Table(box=box.SIMPLE)
        for i, head in enumerate(self.heads):
            widest = max([1, *(len(row[i]) for row in self.rows), *(len(word) for word in head.split())])
            shown = fill(head, widest, break_long_words=False, break_on_hyphens=False) if broken else head
            made.add_column(shown, justify="right" if i else "left", no_wrap=i > 0 or not broken)
        for row in self.rows:
            made.add_row(*row)
        return made
