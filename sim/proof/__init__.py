"""Whether a strategy keeps to its contract: by its code (`code.py`), by play (`play.py`), and in a process of its own
(`apart.py`).

A check is a function that yields what it finds. One that looks at code is called with what compiled code does
(`code.deeds`), one that looks at play with a position in which the strategy is asked (`play.Position`).

This is no sandbox: a file of Python does whatever it likes when it is read, before anything is proved.
"""

from dataclasses import dataclass
from typing import NamedTuple


class SourceLine(NamedTuple):
    """A line of a file."""

    file: str
    line: int

    def words(self, file: str) -> str:
        """Return the line in words, and the file where it is another than the one that is spoken of."""
        return f"line {self.line}" if self.file == file else f"{self.file}, line {self.line}"


@dataclass(frozen=True)
class Objection:
    """Something that breaks the contract.

    Attributes:
        found: what, as in "writes to state.score". allowed: what it might do instead.
        place: the line of code; None if that isn't known. position: seed, game and decision at which it happens, "" if
            it was not played.
    """

    found: str
    allowed: str = ""
    place: SourceLine | None = None
    position: str = ""

    def words(self, file: str) -> str:
        """Return the finding in one line; file: the one that is spoken of."""
        head = f"{self.place.words(file)}: " if self.place else ""
        tail = f" ({self.position})" if self.position else ""
        return f"{head}{self.found}{f'; {self.allowed}' if self.allowed else ''}{tail}"
