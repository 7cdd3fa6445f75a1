"""Who wins, from which seat: win share, points and place by seat, and the same by strategy."""

from collections.abc import Sequence

from analyses.evidence import Evidence
from analyses.tables.tables import Columns


def by_seat(evidence: Evidence) -> Columns:
    """Return a row for each seat, in the columns of `analyses.findings`."""
    return _table(evidence, "seat", list(evidence.seats), evidence.seats)


def by_strategy(evidence: Evidence) -> Columns:
    """Return a row for each strategy, in the columns of `analyses.findings`."""
    return _table(evidence, "strategy", list(evidence.strategies), evidence.line_up)


def _table(evidence: Evidence, head: str, names: Sequence[object], groups: Sequence[int]) -> Columns:
    share, score = evidence.shares(groups), evidence.column(groups, "score")
    table: Columns = {head: names} | share.columns("win_share", "low", "high")
    table |= {name: part * evidence.players for name, part in zip(("index", "index_low", "index_high"), share)}
    table |= score.columns("mean_score", "score_low", "score_high")
    table |= {name: evidence.column(groups, name).value for name in ("margin", "place")}
    return table
