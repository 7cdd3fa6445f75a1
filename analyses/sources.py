"""Where the points came from, by strategy."""

from typing import TYPE_CHECKING

from analyses.evidence import Evidence

if TYPE_CHECKING:
    import pandas as pd

PREFIX = "points."


def sources(evidence: Evidence) -> "pd.DataFrame":
    """Return a row for each strategy and source; a family is the whole table."""
    import pandas as pd

    names = [name for name in evidence.game.numbers if name.startswith(PREFIX)]
    groups = evidence.tables
    points = evidence.numbers(list(groups.values()), names)
    return pd.DataFrame(
        {
            "strategy": [strategy for strategy in groups for _ in names],
            "source": [name.removeprefix(PREFIX) for name in names] * len(groups),
            "points": points.value.ravel(),
            "low": points.low.ravel(),
            "high": points.high.ravel(),
        }
    )
