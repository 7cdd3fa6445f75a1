"""The board and the words of a game on the terminal: with colours where there are any, and legible without."""

import re
from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from scripts.output import console
from sim.legible import legible_line
from sim.words.board import BoardTable

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

COLOURS = ("red", "green", "magenta", "cyan", "yellow", "blue")  # of the players, by seat
PLAYER = re.compile(r"[^\s()]*\((\d)\)(?: .+$)?|\b[Ss]eat (\d)\b(?: \([^)]*\))?")
HANGING = 4  # spaces before the rest of a line that is broken
SIDE_BY_SIDE = 7  # options; more are set in columns, if they are short


def indent(line: str) -> int:
    """Return the number of spaces at the beginning of a line."""
    return len(line) - len(line.lstrip())


def whole(lines: Sequence[str], width: int) -> list[str]:
    """Return lines put together again that were broken for a page wider than `width`: the rest of each hangs under its
    beginning."""
    found: list[str] = []
    for line in lines:
        if found and len(found[-1]) > width and indent(line) == indent(found[-1]) + HANGING:
            found[-1] += f" {line.lstrip()}"
        else:
            found.append(line)
    return found


def coloured(words: str, style: str = "") -> "Text":
    """Return words in which players have their colours: "(2)", with what it belongs to, and "seat 2"."""
    from rich.text import Text

    text = Text(words, style)
    for found in PLAYER.finditer(words):
        seat = int(found[1] or found[2])
        if 1 <= seat <= len(COLOURS):
            text.stylize(f"bold {COLOURS[seat - 1]}", *found.span())
    return text


def drawn(section: BoardTable) -> "Table":
    """Return a section of the board as a table."""
    from rich.table import Table

    table = Table(
        title=section.title,
        title_style="bold",
        title_justify="left",
        box=None,
        padding=(0, 2, 0, 0),
        header_style="dim",
    )
    for heading in section.headings:
        table.add_column(coloured(heading), overflow="fold")
    for row in section.rows:
        table.add_row(*(coloured(legible_line(cell)) for cell in row))
    return table


class Screen:
    """Where a game is shown."""

    def __init__(self) -> None:
        """Take the terminal, or whatever standard output is."""
        self.console = console()

    def say(self, *lines: str, style: str = "") -> None:
        """Print lines of words; what does not fit is set in further ones."""
        width = self.console.width
        for line in whole([legible_line(line) for line in lines], width):
            for part in (
                [line] if len(line) <= width else wrap(line, width, subsequent_indent=" " * (indent(line) + HANGING))
            ):
                self.console.print(coloured(part, style), soft_wrap=True)

    def draw(self, sections: Sequence[BoardTable]) -> None:
        """Draw sections, narrow ones side by side."""
        row: list[Any] = []
        taken = 0
        for table in map(drawn, sections):
            width = self._width(table)
            if row and taken + width > self.console.width:
                self._side_by_side(row)
                self.console.print()
                row, taken = [], 0
            row.append(table)
            taken += width
        self._side_by_side(row)

    def choices(self, options: Sequence[str]) -> None:
        """Print numbered options, many short ones in two columns."""
        digits = len(str(len(options)))
        lines = [f"{number:{digits}}  {option}" for number, option in enumerate(options, 1)]
        half = self.console.width // 2
        if len(lines) < SIDE_BY_SIDE or max(map(len, lines)) + 2 > half:
            self.say(*lines)
            return
        middle = -(-len(lines) // 2)
        for left, right in zip(lines[:middle], [*lines[middle:], ""]):
            self.say(f"{left:{half}}{right}".rstrip())

    def _width(self, table: "Table") -> int:
        """Return the columns that a table would take, with the gap behind it."""
        title = len(str(table.title or "")) + 2
        return max(title, self.console.measure(table).maximum) + 2

    def _side_by_side(self, tables: Sequence["Table"]) -> None:
        from rich.table import Table

        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_row(*tables)
        self.console.print(grid)
