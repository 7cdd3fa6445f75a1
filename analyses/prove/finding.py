"""What a check yields: one thing that breaks the contract, and how to see it again."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from sim.words.wording import joined

if TYPE_CHECKING:
    from analyses.prove.case import ProvedGame

MOST_NAMES = 3  # that a line tells
Check = Callable[["ProvedGame"], Iterator["Fault"]]


def few(names: Sequence[str]) -> str:
    """Return the first of some names and how many more there are, "a, b, c and 2 more"."""
    more = len(names) - MOST_NAMES
    return joined([*names[:MOST_NAMES], *([f"{more} more"] if more > 0 else [])])


@dataclass(frozen=True)
class PlayedGame:
    """One game of a study, by all that it takes to play it again.

    Attributes:
        players: number of players. strategies: who sits at the table. seed, number: of the game. changes: to the
            components, as --set takes them. decision: the one at which it happens; None if that isn't known.
    """

    players: int
    strategies: tuple[str, ...]
    seed: int
    number: int
    changes: tuple[str, ...] = ()
    decision: int | None = None

    def __str__(self) -> str:
        parts = [f"seed {self.seed}", f"game {self.number}"]
        parts += [f"decision {self.decision}"] if self.decision is not None else []
        parts += [f"{self.players} player{'s' * (self.players > 1)}", " and ".join(self.strategies), *self.changes]
        return ", ".join(parts)


@dataclass(frozen=True)
class Fault:
    """Something that breaks the contract.

    Attributes:
        check: which check found it. found: what. allowed: what would be right.
        file, line: where it stands in the game's files; "" and None if that isn't known. game: where it happens; None
            if it takes no game to see it.
        field: the field that is wrong, "state.score": to find the line that wrote it last.
    """

    check: str
    found: str
    allowed: str = ""
    file: str = ""
    line: int | None = None
    game: PlayedGame | None = None
    field: str = ""

    def words(self) -> str:
        """Return the finding in one line."""
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        allowed = f"; allowed {self.allowed}" if self.allowed else ""
        return f"{place}{self.check}: {self.found}{allowed}{f' ({self.game})' if self.game else ''}"

    def at(self, place: tuple[str, int] | None) -> "Fault":
        """Return the finding with a place in the game's files, if it has none yet."""
        return self if self.line or place is None else replace(self, file=place[0], line=place[1])

    def to_dict(self, command: str) -> dict[str, Any]:
        """Return the finding for machines; command: that plays its game again, "" if it takes none."""
        game = asdict(self.game) if self.game else None
        named = {name: getattr(self, name) for name in ("check", "found", "allowed", "file", "line")}
        return named | {"game": game, "command": command}
