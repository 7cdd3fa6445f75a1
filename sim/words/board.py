"""The table of a game that has no `board.py`, as plain tables: the names of its position's fields in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Values = dict[str, Any]

# Phases (docs/record.md) after which the table looks so different that a person wants to see it again.
DRAWN_AFTER = ("setup", "step")
BOOKKEEPING = ("players", "player", "asks", "decision", "person")  # fields of every game that don't lie on the table
COLUMNS = 10  # of a long list


@dataclass(frozen=True)
class BoardTable:
    """One table of the board, for any way of drawing it.

    Attributes:
        title: what it shows. headings: of the columns; "" for none. rows: cells, as many in each as there are headings.
        In cells and headings, `(2)` stands for the player in seat 2.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def label(seat: int, name: str) -> str:
    """Return the label of a player on the board: the seat, and the name, shortened if it is long."""
    return f"({seat}) {name if len(name) <= 10 else name[:9] + '…'}"


def in_words(name: str) -> str:
    """Return the name of a field as people say it."""
    return name.replace("_", " ")


def cell(value: Any) -> str:
    """Return a field of a position as text."""
    return " ".join(map(cell, value)) if isinstance(value, list) else str(value)


def parted(position: Values, players: int) -> tuple[list[Values], Values]:
    """Return what each player has, by seat, and everything else on the table.

    Args:
        position: as a record has it; what players have is under `players`, or in lists with an entry for each seat.
        players: how many play.
    """
    others = {name: value for name, value in position.items() if name not in BOOKKEEPING}
    if isinstance(position.get("players"), list):
        return position["players"], others
    seats = len(position["person"])
    by_seat = {name: value for name, value in others.items() if isinstance(value, list) and len(value) == seats}
    rest = {name: value for name, value in others.items() if name not in by_seat}
    return [{name: value[seat] for name, value in by_seat.items()} for seat in range(players)], rest


def board(printed: Values, position: Values, names: Sequence[str]) -> list[BoardTable]:
    """Return everything that lies on the table.

    Args:
        printed: the values of the components. position: as a record has it. names: of the players, by seat.
    """
    players, others = parted(position, len(names))
    fields = list(players[0])
    rows = tuple(
        (label(seat + 1, name), *(cell(player[field]) for field in fields))
        for seat, (name, player) in enumerate(zip(names, players))
    )
    found = [BoardTable("Players", ("", *map(in_words, fields)), rows)]
    single = {name: value for name, value in others.items() if not isinstance(value, list)}
    if single:
        found.append(BoardTable("Table", tuple(map(in_words, single)), (tuple(map(cell, single.values())),)))
    return found + [_grid(in_words(name), value) for name, value in others.items() if isinstance(value, list)]


def _grid(title: str, values: list[Any]) -> BoardTable:
    """Return a list of the table, COLUMNS entries in a row, each row under the number of its first one."""
    if any(isinstance(value, list) for value in values):  # its entries are rows themselves
        rows = [(str(number), *map(cell, value)) for number, value in enumerate(values, 1)]
        return BoardTable(title.capitalize(), ("", *map(str, range(1, len(rows[0])))), tuple(rows))
    rows = [
        (str(first + 1), *map(cell, values[first : first + COLUMNS]), *[""] * (first + COLUMNS - len(values)))
        for first in range(0, len(values), COLUMNS)
    ]
    if len(rows) == 1:
        return BoardTable(title.capitalize(), tuple(map(str, range(1, len(values) + 1))), (tuple(map(cell, values)),))
    return BoardTable(title.capitalize(), ("from", *[""] * COLUMNS), tuple(rows))


def near(printed: Values, position: Values, asks: str) -> list[BoardTable]:
    """Return the part of the board that a kind of decision is about, if it changes between two decisions; here all is
    always drawn."""
    return []


def summary(printed: Values, position: Values, seat: int, asks: str) -> str:
    """Return what a player (from 0) has, in one line."""
    players, _ = parted(position, seat + 1)
    return ", ".join(f"{in_words(field)} {cell(value)}" for field, value in players[seat].items())
