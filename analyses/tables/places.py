"""Where an advantage comes from: win share by place in each order of the game, round by round."""

from analyses.evidence import EVERYBODY, Evidence
from analyses.tables.tables import Columns, stacked


def places(evidence: Evidence) -> Columns:
    """Return a row for each order, round and place; a family is one order in one round."""
    tables = []
    for order, categories in evidence.game.places.items():
        for number, category in enumerate(categories, 1):
            row, labels = evidence.category(category)
            share = evidence.shares_with([EVERYBODY], row, min(len(labels), evidence.players))
            n = len(share.value[0])
            head: Columns = {"order": [order] * n, "round": [number] * n, "place": [*range(1, 1 + n)]}
            tables.append(head | {"win_share": share.value[0], "low": share.low[0], "high": share.high[0]})
    return stacked(tables)
