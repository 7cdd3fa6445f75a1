"""Where the points came from, by strategy."""

from analyses.evidence import Evidence
from analyses.tables.tables import Columns

PREFIX = "points."


def sources(evidence: Evidence) -> Columns:
    """Return a row for each strategy and source; a family is the whole table."""
    names = [name for name in evidence.game.numbers if name.startswith(PREFIX)]
    groups = evidence.tables
    points = evidence.numbers(list(groups.values()), names)
    return {
        "strategy": [strategy for strategy in groups for _ in names],
        "source": [name.removeprefix(PREFIX) for name in names] * len(groups),
        **points.columns("points", "low", "high"),
    }
