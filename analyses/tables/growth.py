"""Points after each round, by seat: when an advantage shows first."""

from analyses.evidence import Evidence
from analyses.tables.tables import Columns

PREFIX = "after."


def growth(evidence: Evidence) -> Columns:
    """Return a row for each seat and round; a family is the whole table."""
    names = [name for name in evidence.game.numbers if name.startswith(PREFIX)]
    points = evidence.numbers(evidence.seats, names)
    return {
        "seat": [seat for seat in range(1, 1 + evidence.players) for _ in names],
        "round": [*range(1, 1 + len(names))] * evidence.players,
        **points.columns("points", "low", "high"),
    }
