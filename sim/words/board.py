"""The table of a game that has no `board.py`, as plain tables of words: the names of its position's fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Values = dict[str, Any]

# Phases (docs/record.md) after which the table looks so different that a person wants to see it again.
DRAWN_AFTER = ("setup", "step")
BOOKKEEPING = ("players", "player", "asks", "decision", "person")


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


def cell(value: Any) -> str:
    """Return a field of a position as text."""
    return " ".join(map(cell, value)) if isinstance(value, list) else str(value)


def _fields(position: Values) -> tuple[list[str], list[str]]:
    """Return the names of the fields that have a value for each seat, and of the others."""
    seats = len(position["person"])
    names = [name for name in position if name not in BOOKKEEPING]
    by_seat = [name for name in names if isinstance(position[name], list) and len(position[name]) == seats]
    return by_seat, [name for name in names if name not in by_seat]


def board(printed: Values, position: Values, names: Sequence[str]) -> list[BoardTable]:
    """Return everything that lies on the table.

    Args:
        printed: the values of the components. position: as a record has it. names: of the players, by seat.
    """
    by_seat, others = _fields(position)
    players = tuple(
        (label(seat + 1, name), *(cell(position[field][seat]) for field in by_seat)) for seat, name in enumerate(names)
    )
    found = [BoardTable("Players", ("", *by_seat), players)]
    return found + [BoardTable("Table", tuple(others), (tuple(cell(position[field]) for field in others),))] * bool(
        others
    )


def near(printed: Values, position: Values, asks: str) -> list[BoardTable]:
    """Return the part of the board that a kind of decision is about, if it changes between two decisions; here all is
    always drawn."""
    return []


def summary(printed: Values, position: Values, seat: int, asks: str) -> str:
    """Return what a player (from 0) has, in one line."""
    return ", ".join(f"{field} {cell(position[field][seat])}" for field in _fields(position)[0])
