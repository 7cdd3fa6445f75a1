"""Where the advantage lives: win share by place in each order of the game, round by round."""

from typing import TYPE_CHECKING

from analyses.evidence import EVERYBODY, Evidence

if TYPE_CHECKING:
    import pandas as pd


def places(evidence: Evidence) -> "pd.DataFrame":
    """Return a row for each order, round and place; a family is one order in one round."""
    import pandas as pd

    tables = []
    for order, categories in evidence.game.places.items():
        for number, category in enumerate(categories, 1):
            row, labels = evidence.category(category)
            share = evidence.shares_with([EVERYBODY], row, min(len(labels), evidence.players))
            ends = {"win_share": share.value[0], "low": share.low[0], "high": share.high[0]}
            tables.append(pd.DataFrame({"order": order, "round": number, "place": range(1, len(ends["low"]) + 1), **ends}))
    return pd.concat(tables, ignore_index=True)
