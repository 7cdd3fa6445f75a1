"""How often players used everything, by strategy; flags what they never or always use."""

import numpy as np

from analyses.evidence import Evidence
from analyses.tables.growth import PREFIX as AFTER
from analyses.tables.sources import PREFIX as POINTS
from analyses.tables.tables import Columns

NEVER, ALWAYS = 0.0, 0.99  # share of games in which somebody used it


def uses(evidence: Evidence) -> Columns:
    """Return a row for each strategy and number that a heading of the game covers; a family is the whole table.

    A number is a count of uses. In how many games anybody used it is known for the whole table only, so `used` and the
    flag "always" are there for a strategy that sits alone and for "all"; "never" is known for each.
    """
    names = [name for name in evidence.game.numbers if _counted(evidence, name)]
    groups = evidence.tables
    mean = evidence.numbers(list(groups.values()), names, least=0)
    games = max(evidence.sums.blocks * evidence.players, 1)
    used = evidence.sums.used[[evidence.game.numbers.index(name) for name in names]] / games
    table: Columns = {
        "strategy": [strategy for strategy in groups for _ in names],
        "heading": [evidence.game.headings[_prefix(name)] for name in names] * len(groups),
        "prefix": [_prefix(name) for name in names] * len(groups),
        "name": [name.partition(".")[2] or name for name in names] * len(groups),
        **mean.columns("mean", "low", "high"),
        "used": np.concatenate([used, np.full(len(names) * (len(groups) - 1), np.nan)]),
    }
    return table | {"flag": np.select([table["mean"] <= NEVER, table["used"] >= ALWAYS], ["never", "always"], "")}


def _counted(evidence: Evidence, name: str) -> bool:
    prefix = _prefix(name)
    return (
        prefix in evidence.game.headings
        and prefix not in (AFTER.rstrip("."), POINTS.rstrip("."))
        and name not in evidence.absent
    )


def _prefix(name: str) -> str:
    return name.partition(".")[0]
