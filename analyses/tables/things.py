"""What players held (Kings, …): how often, with what share of wins, with how many points.

This describes and doesn't explain: the holder of a thing chose it, and strong players choose good things. To find what
a thing is worth, let chance deal it.
"""

from collections.abc import Collection, Sequence

from analyses.evidence import EVERYBODY, Evidence
from analyses.tables.tables import Columns, stacked

WARNING = (
    "These shares describe, they do not explain: strong players choose good things, so a thing is not worth what its "
    "holders win. Its worth is found by dealing it out at random."
)


def things(evidence: Evidence, silent: Collection[str] = ()) -> Columns:
    """Return rows by thing: over everything, by round, by seat, by both, and by strategy if there are several; each is
    a family.

    Of the kinds in `silent` nothing is said.
    """
    tables = []
    for kind, held in evidence.game.things.items():
        if kind in silent:
            continue
        categories = held.categories
        rows = {"all": (evidence.kind(kind), len(categories))}
        rows |= {str(number): (evidence.category(name), 1) for number, name in enumerate(categories, 1)}
        seats = {str(seat): seat for seat in evidence.seats}
        for number, ((row, labels), times) in rows.items():
            tables.append(_table(evidence, kind, labels, row, times, {"all": EVERYBODY}, number, "seat"))
            tables.append(_table(evidence, kind, labels, row, times, seats, number, "seat"))
        if len(evidence.strategies) > 1:
            (row, labels), times = rows["all"]
            tables.append(
                _table(
                    evidence,
                    kind,
                    labels,
                    row,
                    times,
                    dict(zip(evidence.strategies, evidence.line_up)),
                    "all",
                    "strategy",
                )
            )
    return stacked(tables)


def _table(
    evidence: Evidence,
    kind: str,
    labels: Sequence[str],
    row: int,
    times: int,
    groups: dict[str, int],
    number: str,
    head: str,
) -> Columns:
    asked = list(groups.values()), row, len(labels)
    had, shares, scores = evidence.had(*asked, times), evidence.shares_with(*asked), evidence.scores_with(*asked)
    parts = had.columns("chosen", "chosen_low", "chosen_high") | shares.columns("wins_when_held", "low", "high")
    parts |= scores.columns("points_when_held", "points_low", "points_high")
    names = [name for name in groups for _ in labels]
    same = {"kind": kind, "thing": "", "round": number, "seat": "all", "strategy": "all"}
    table: Columns = {name: [value] * len(names) for name, value in same.items()}
    return table | {"thing": [*labels] * len(groups), head: names} | parts
