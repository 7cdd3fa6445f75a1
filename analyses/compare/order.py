"""What another set of components changes between strategies that meet at one table: who wins more, and who overtakes
whom."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from analyses import frames as pd
from analyses.compare.whole import Studies
from analyses.evidence import Estimate
from analyses.paired import Difference
from analyses.request import Request
from sim import registry
from sim.paired import play_pairs


@dataclass(frozen=True)
class Order:
    """Strategies at one table, before and after.

    Attributes:
        games, blocks: of each set. interrupted: stopped by hand.
        strategies: table with strategy; win_share_before, low_before, high_before, best_before, worst_before (places
            from 1, between which the intervals put it) and the same after; change, low, high; correlation (of a block's
            values before and after), games_saved. The shares before and after are one family.
        swaps: pairs of strategies: the first is ahead after the change and was behind before it, more than chance says.
    """

    games: int
    blocks: int
    interrupted: bool
    strategies: "pd.DataFrame" = field(repr=False)
    swaps: tuple[tuple[str, str], ...]

    @property
    def holds(self) -> bool:
        """Whether every strategy surely has the same place before and after."""
        t = self.strategies
        return bool(
            all((t[f"best_{when}"] == t[f"worst_{when}"]).all() for when in ("before", "after"))
            and (t["best_before"] == t["best_after"]).all()
        )

    def ranked(self, when: str) -> list[str]:
        """Return the strategies by their share of wins "before" or "after", the first first."""
        return list(self.strategies.sort_values(f"win_share_{when}", ascending=False, kind="stable")["strategy"])


def play_mix(studies: Studies, request: Request, watch: Callable[[int], None] = lambda games: None) -> Order | None:
    """Play the same games of several strategies at one table with both sets; see `analyses.compare.whole.play`.

    Returns:
        What changes; None if it was stopped by hand before anything was played.
    """
    before, _ = studies
    paired = play_pairs(list(studies), ("share",), request.most, jobs=request.jobs, watch=watch)
    names = tuple(entrant.name for entrant in before.entrants)
    found = Difference(registry.load(before.game), before.players, names, paired, 1, paired.interrupted)
    return order(found) if paired.blocks else None


def order(found: Difference) -> Order:
    """Return what changes between the strategies of a comparison."""
    casts, names = found.before.line_up, found.strategies
    was, now = (found.side(after, casts, "share", 2 * len(names)) for after in (False, True))
    table: dict[str, object] = {"strategy": list(names)}
    for when, e in (("before", was), ("after", now)):
        best, worst = _places(e)
        table |= e.columns(f"win_share_{when}", f"low_{when}", f"high_{when}") | {
            f"best_{when}": best,
            f"worst_{when}": worst,
        }
    table |= found.change(casts, "share").columns("change", "low", "high")
    table |= {"correlation": found.correlation(casts, "share"), "games_saved": found.saved(casts, "share")}
    swaps = _ahead(now) & _ahead(was).T
    pairs = tuple((names[i], names[j]) for i, j in np.argwhere(swaps))
    return Order(found.paired.games, found.paired.blocks, found.paired.interrupted, pd.DataFrame(table), pairs)


def _ahead(e: Estimate) -> np.ndarray:
    """Return whether one is ahead of another, whatever their intervals hold: bool (one, another)."""
    return np.greater.outer(e.low, e.high)


def _places(e: Estimate) -> tuple[np.ndarray, np.ndarray]:
    ahead = _ahead(e)
    return 1 + ahead.sum(axis=0), len(e.value) - ahead.sum(axis=1)
