"""A game's position, options and chance as plain data, for a game that has no `describe.py`: the names of its records'
fields."""

from types import SimpleNamespace
from typing import Any

from sim.contract import KEYS, OPTION_FIELD

HIDDEN = (*KEYS, "stepping", "dealing", "occasion")


def phase(state: SimpleNamespace) -> str:
    """Return the name of the phase that has just ended."""
    return "step"


def position(printed: dict[str, Any], state: SimpleNamespace) -> dict[str, Any]:
    """Return everything that lies on the table.

    Args:
        printed: the values of the components. state: the game's record, as ints and lists.
    """
    return {name: value for name, value in vars(state).items() if name not in HIDDEN}


def options(printed: dict[str, Any], state: SimpleNamespace, offered: Any) -> list[dict[str, Any]]:
    """Return the options of a decision, each as a dict; offered: (n,) records. Which thing is taken is told by a game
    that has things."""
    return [
        {name: value for name, value in zip(offered.dtype.names, o) if name != OPTION_FIELD} for o in offered.tolist()
    ]


def chance(
    printed: dict[str, Any], before: SimpleNamespace, after: SimpleNamespace, event: str
) -> list[dict[str, Any]]:
    """Return what has happened by chance between two states: after the event of that name, or, without one, up to or
    after a choice."""
    return []


def opening(printed: dict[str, Any], state: SimpleNamespace) -> list[dict[str, Any]]:
    """Return the lines of the record after the first one, before the game goes on: here where everything lies."""
    return [{"event": "phase", "phase": "setup", "position": position(printed, state)}]


def ending(printed: dict[str, Any], state: SimpleNamespace) -> dict[str, Any]:
    """Return what else the last line of a record says."""
    return {}


def view(printed: dict[str, Any], state: SimpleNamespace, seat: int) -> dict[str, Any]:
    """Return a position as the player in a seat (from 0) sees it: here nothing is hidden."""
    return position(printed, state)


def seen(printed: dict[str, Any], line: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return a line of a record as the player in a seat (from 0) sees it: here nothing is hidden."""
    return line
