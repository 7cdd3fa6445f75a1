"""What the tellers of all games share: they join words, fit lines and frame tables."""

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any

WIDTH = 106  # of a line, characters
KEPT = "\N{NO-BREAK SPACE}"  # inside what stays on one line


def joined(parts: Iterable[str], otherwise: str = "nothing") -> str:
    """Return "a, b and c"."""
    *first, last = list(parts) or [otherwise]
    return f"{', '.join(first)} and {last}" if first else last


def fitted(lines: Iterable[str], width: int = WIDTH) -> list[str]:
    """Return the lines, with long ones wrapped; rows of a board, with |, stay whole."""
    found: list[str] = []
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        found += wrap(line, width, subsequent_indent=indent) if len(line) > width and "|" not in line else [line]
    return [line.replace(KEPT, " ") for line in found]


def framed(rows: Sequence[Sequence[object]]) -> list[str]:
    """Return a table: the first column to the left, the others to the right."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts)]
    cells = [[cell.rjust(width) if i else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths))] for row in texts]
    return [("  " + "  ".join(row)).rstrip() for row in cells]


def seated(header: dict[str, Any]) -> list[str]:
    """Return the names of the players by seat, from the first line of a record."""
    return [f"Seat {seat} ({name or 'a person'})" for seat, name in enumerate(header["strategies"], 1)]


def origin(header: dict[str, Any]) -> list[str]:
    """Return lines on where a game comes from, by the first line of its record: its run, its changes, who plays."""
    run = [f"Game {header['number']} of the run with seed {header['seed']}"] if header.get("number") is not None else []
    return [*run, *(f"Changed: {change}" for change in header.get("changes") or ()), ", ".join(seated(header))]
