"""Whether the one who wins most wins more than with other components: both sets on the same chance, until that is
decided.

What is measured is the win index of the seat (or of the holder of the thing) that has the highest one, whoever that is
with each set: the number that a limit of `analyses.check` is about. Its change is known from the differences within
blocks. Call a the index of each seat before, b after. The highest after is at least as high as before plus the change
of the seat that is highest before, and at most as high as before plus the change of the seat that is highest after. Who
may be the highest is known from the intervals of a and b. Intervals before, after and of the changes hold at once, so
that this one does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from analyses import frames as pd
from analyses.compare.things import Both, play_both
from analyses.evidence import Estimate
from analyses.paired import Difference
from analyses.played import Found, Played
from analyses.request import Request
from analyses.worth.worth import SHARE
from sim import registry
from sim.contract import Entrant
from sim.paired import Paired, play_pairs
from sim.printed.components import Components
from sim.runner import Study

SEATS = "seats"
NOT_WORSE, WORSE, UNDECIDED = "not worse", "worse", "undecided"


@dataclass(frozen=True)
class Baseline(Found):
    """How the highest win index of some seats or things differs from that with other components.

    Attributes:
        played: with each of both sets; its margin is the rise that still counts as none.
        what: "seats" or a kind of `Game.things`.
        rows: table with name (number of the seat, or label), before, after, change, low, high, in win index; low and
            high are the ends of the interval of the change, for all rows at once.
        before, after: the highest index. change, low, high: of the highest index, with the ends of its interval.
        word: "not worse" if the interval ends at or below the margin, "worse" if it begins above it, else "undecided".
    """

    what: str
    rows: "pd.DataFrame" = field(repr=False)
    before: float
    after: float
    change: float
    low: float
    high: float
    word: str


class Indices(NamedTuple):
    """Win indices of some seats or things with both sets of components; all intervals hold at once."""

    labels: Sequence[str]
    before: Estimate
    after: Estimate
    change: Estimate

    @property
    def highest(self) -> tuple[float, float, float]:
        """The change of the highest index, and the ends of its interval."""
        before, after, change = self[1:]
        may_before, may_after = before.high >= before.low.max(), after.high >= after.low.max()
        low = max(change.low[may_before].min(), after.low.max() - before.high.max())
        high = min(change.high[may_after].max(), after.high.max() - before.low.max())
        return float(after.value.max() - before.value.max()), float(low), float(high)


def judge(low: float, high: float, margin: float) -> str:
    """Return the three-way word on a rise whose interval runs from `low` to `high`.

    >>> judge(-0.01, 0.02, 0.02), judge(0.03, 0.05, 0.02), judge(-0.01, 0.03, 0.02)
    ('not worse', 'worse', 'undecided')
    """
    return NOT_WORSE if high <= margin else WORSE if low > margin else UNDECIDED


def beside(
    before: Components,
    request: Request,
    what: str,
    players: int,
    entrants: Sequence[Entrant],
    watch: Callable[[int], None] = lambda games: None,
) -> Baseline | None:
    """Play two sets of components on the same chance until it is decided whether the second is worse.

    Args:
        before: the set to compare with. request: holds the other one; its games are those of each set. what, players:
            see `Baseline`.
        entrants: the strategies. watch: called with the number of games just played, of both sets.

    Returns:
        What changes; None if it was stopped by hand before anything was played.

    Raises:
        StrategyError: see `sim.runner.play`.
    """
    sets = before, request.components
    was, now = (Study(request.game, players, tuple(entrants), part.record, request.seed) for part in sets)
    same = was.components.tobytes() == now.components.tobytes()
    open_ = request.games is None

    def compared(found: Indices) -> Indices:
        zero = np.zeros(len(found.labels))  # the games are the same ones: no chance is left
        return found._replace(change=Estimate(zero, zero, zero)) if same else found

    def decided(found: Indices) -> bool:
        return judge(*compared(found).highest[1:], request.margin) != UNDECIDED

    if what == SEATS:
        paired = play_pairs(
            (was, now), ("share",), request.most, jobs=request.jobs, watch=watch,
            decided=(lambda paired: decided(_seats(paired, True))) if open_ else None,
        )  # fmt: skip
        blocks, games, interrupted = paired.blocks, paired.games, paired.interrupted
        sums = partial(_seats, paired, open_ or interrupted)
    else:
        both, interrupted = play_both(
            (was, now), what, request.most, jobs=request.jobs, watch=watch,
            decided=(lambda both: decided(_things(both))) if open_ else None,
        )  # fmt: skip
        blocks = both.moments.blocks
        games, sums = blocks * len(both.labels), partial(_things, both)
    if not blocks:
        return None
    ended = {"sequential": open_ or interrupted, "interrupted": interrupted}
    return _found(what, compared(sums()), request.played(players, entrants, games=games, blocks=blocks, **ended))


def _found(what: str, found: Indices, played: Played) -> Baseline:
    indices = {"before": found.before.value, "after": found.after.value}
    rows = pd.DataFrame(
        {"name": list(found.labels), **indices, **dict(zip(("change", "low", "high"), found.change, strict=True))}
    )
    change, low, high = found.highest
    before, after = (float(value.max()) for value in indices.values())
    assert played.margin is not None
    return Baseline(played, what, rows, before, after, change, low, high, judge(low, high, played.margin))


def _seats(paired: Paired, sequential: bool) -> Indices:
    study = paired.studies[0]
    found = Difference(registry.load(study.game), study.players, (), paired, 1, sequential)
    seats, family = found.before.seats, 3 * study.players
    parts = (
        found.side(False, seats, "share", family),
        found.side(True, seats, "share", family),
        found.change(seats, "share", family),
    )
    before, after, change = (Estimate(*(end * study.players for end in part)) for part in parts)
    return Indices([str(seat) for seat in seats], before, after, change)


def _things(both: Both) -> Indices:
    family, most = 3 * len(both.labels), float(both.one.players)
    was, now, change = both.weights(SHARE)
    before, after = (Estimate(*(1 + end for end in both.estimate(part, family, most))) for part in (was, now))
    return Indices(both.labels, before, after, both.estimate(change, family, 2 * most))
