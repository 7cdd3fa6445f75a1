"""What the tellers of all games share: they join words, fit lines and frame tables."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any

Values = dict[str, Any]

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
    cells = [
        [cell.rjust(width) if i else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        for row in texts
    ]
    return [("  " + "  ".join(row)).rstrip() for row in cells]


def names_by_seat(header: Values) -> list[str]:
    """Return the names of the players by seat, from the first line of a record."""
    return [f"Seat {seat} ({name or 'a person'})" for seat, name in enumerate(header["strategies"], 1)]


def origin(header: Values) -> list[str]:
    """Return lines on where a game comes from, by the first line of its record: its run, its changes, who plays."""
    run = [f"Game {header['number']} of the run with seed {header['seed']}"] if header.get("number") is not None else []
    return [*run, *(f"Changed: {change}" for change in header.get("changes") or ()), ", ".join(names_by_seat(header))]


class LineByLine(ABC):
    """What tells a game line by line: the game itself says how each event is told.

    Attributes:
        header, printed: the first line of the record, and what it says is printed. seats: from 0. names: of who plays,
            by seat.
    """

    width = WIDTH

    def __init__(self, header: Values):
        """Take the first line of a record."""
        self.header, self.printed, self.seats, self.names = (
            header,
            header["printed"],
            range(header["players"]),
            names_by_seat(header),
        )

    def tell(self, line: Values) -> list[str]:
        """Return what a line of the record says, as lines of text.

        Raises:
            ValueError: there is no such event.
        """
        event = line["event"]
        if event == "game":
            return fitted(self._game(), self.width)
        if event == "end":
            return fitted(self._end(line), self.width)
        opening = self._open(line)
        if event == "phase":
            told = self._phase(line["phase"], line["position"])
        elif event == "chance":
            told = self._chance(line["what"], line)
        elif event == "decision":
            told = self._decision(line)
        else:
            raise ValueError("no such event")
        return fitted([*opening, *told], self.width)

    @abstractmethod
    def _game(self) -> list[str]:
        """Tell what is played."""

    @abstractmethod
    def _open(self, line: Values) -> list[str]:
        """Tell what begins with this line."""

    @abstractmethod
    def _phase(self, phase: str, position: Values) -> list[str]:
        """Tell the end of a phase."""

    def _chance(self, what: str, line: Values) -> list[str]:
        """Tell what chance brings: the method `_chance_…` does."""
        told: list[str] = getattr(self, f"_chance_{what}")(line)
        return told

    @abstractmethod
    def _decision(self, line: Values) -> list[str]:
        """Tell a decision."""

    @abstractmethod
    def _end(self, line: Values) -> list[str]:
        """Tell the end of the game."""
