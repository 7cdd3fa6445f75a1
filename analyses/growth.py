"""Points after each round, by seat: when an advantage shows first."""

from typing import TYPE_CHECKING

from analyses.evidence import Evidence

if TYPE_CHECKING:
    import pandas as pd

PREFIX = "after."


def growth(evidence: Evidence) -> "pd.DataFrame":
    """Return a row for each seat and round; a family is the whole table."""
    import pandas as pd

    names = [name for name in evidence.game.numbers if name.startswith(PREFIX)]
    points = evidence.numbers(evidence.seats, names)
    return pd.DataFrame(
        {
            "seat": [seat for seat in range(1, 1 + evidence.players) for _ in names],
            "round": [*range(1, 1 + len(names))] * evidence.players,
            "points": points.value.ravel(),
            "low": points.low.ravel(),
            "high": points.high.ravel(),
        }
    )
