"""What the recount of a game is made of: a file `recount.py` in its folder, which works out from the record of a game
(docs/record.md) what the game itself counts.

It is plain Python, written from the rulebook and from what the record means, and not from the game's own rules. Its
function `recount` takes the lines of a record and returns figures for each seat: `score`, `share` (of the win), each
number and each category (its label) of the game by name, and `automaton` where somebody plays who has no seat. It may
leave some out. `chapterhouse prove` compares them with what the game says; there each decision has its position, too.
"""

from collections.abc import Callable, Iterable
from typing import Any

Line = dict[str, Any]
Figures = dict[str, Any]
Recount = Callable[[Iterable[Line]], list[Figures]]


class RecountError(Exception):
    """A record that doesn't follow from itself: a position is not what the decisions make of the one before."""


class BaseTally:
    """What the players of one game have done so far: a game says what it counts, from the first line of a record on.

    Attributes:
        figures: by player, counted from 1.
    """

    figures: dict[int, Figures]

    def __init__(self, first: Line):
        """Begin with the first line of a record."""

    def happened(self, what: str, line: Line) -> None:
        """Chance has brought something."""

    def decided(self, player: int, asks: str, option: Line) -> None:
        """A player has chosen an option."""

    def ended(self, phase: str, position: Line) -> None:
        """A phase has ended."""

    @classmethod
    def recount(cls, lines: Iterable[Line]) -> list[Figures]:
        """Return the figures of each seat.

        Args:
            lines: of the record of a game that has ended, also without positions at its decisions.

        Raises:
            RecountError: a position of the record is not what its decisions make of the one before.
        """
        told = iter(lines)
        tally = cls(next(told))
        for line in told:
            if line["event"] == "chance":
                tally.happened(line["what"], line)
            elif line["event"] == "decision":
                tally.decided(line["player"], line["asks"], line["options"][line["choice"] - 1])
            elif line["event"] == "phase":
                tally.ended(line["phase"], line["position"])
        return list(tally.figures.values())
