"""What another set of components changes in the worth of things that players hold: both sets deal them on the same
chance."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from analyses import frames as pd
from analyses.compare.whole import Fairness, Studies, fairness
from analyses.evidence import Estimate
from analyses.request import Request
from analyses.statistics import Floats, compared, interval
from analyses.worth.worth import MARGIN_POINTS, SHARE, Dealt, judge, totals
from sim import registry
from sim.contract import WHOLE
from sim.dealing import Deal
from sim.moments import Moments
from sim.runner import gather, prepare

BATCH = 1_000  # games of each set in one task


@dataclass(frozen=True)
class ThingsCompared:
    """What changes in the worth of the things of one kind; worth as in `analyses.worth.worth`, on one occasion a block,
    in turn.

    Attributes:
        kind: of `Game.things`. games, blocks: of each set. interrupted: stopped by hand.
        before, after: verdicts on all things. word: "same", "changes", or "undecided" if one of the two is. fairness:
            of the things.
        things: table with thing; worth_before, low_before, high_before, verdict_before and the same after (win index
            relative to the average thing); change, low, high; correlation (of a block's values before and after),
            games_saved; points_before, points_after, points_change, points_low, points_high (own score − best other).
    """

    kind: str
    games: int
    blocks: int
    interrupted: bool
    before: str
    after: str
    word: str
    fairness: Fairness
    things: "pd.DataFrame" = field(repr=False)


@dataclass(frozen=True)
class Both:
    """Sums over blocks of what the holders got with the first set, with the second one, and of the difference, one
    behind the other.

    The difference is there too, so that what is the same in every block comes out as exactly that.
    """

    one: Dealt  # knows how a set's third of a vector is laid out
    moments: Moments
    sequential: bool

    @property
    def labels(self) -> tuple[str, ...]:
        """The things."""
        return self.one.deal.things(self.one.game, self.one.players)

    def weights(self, value: int) -> tuple[Floats, Floats, Floats]:
        """Return what the entries count in the worth before, the worth after and the change: float64 (things, width)
        each."""
        own = self.one.weights("worth", value) * (self.one.players / WHOLE if value == SHARE else 1)
        none = np.zeros_like(own)
        before, after, change = (np.hstack([own if at == part else none for at in range(3)]) for part in range(3))
        return before, after, change

    def estimate(self, weights: Floats, family: int | None = None, most: float = np.inf) -> Estimate:
        """Return weighted sums with intervals; `family`: of so many, if not as many as there are."""
        m, s = self.moments.weighted(weights)
        ends = interval(m, s, self.moments.blocks, family or len(m), sequential=self.sequential, least=-most, most=most)
        return Estimate(m, *ends)


def game_counts(game_name: str, kind: str, players: int, games: int) -> tuple[int, int]:
    """Return how many games a block of a kind's deal has, and how many are played of each set: whole blocks of every
    occasion."""
    game, deal = registry.load(game_name), Deal(kind, powers=False)
    size = len(deal.things(game, players))
    whole = size * deal.strata(game)
    return size, -(-games // whole) * whole


def deal_both(
    studies: Studies, kind: str, request: Request, watch: Callable[[int], None] = lambda games: None
) -> ThingsCompared | None:
    """Deal the things of a kind in both games, on the same chance.

    Args:
        studies, request, watch: see `analyses.compare.whole.play`; without a deal. kind: of `Game.things`, one that
            players choose.

    Returns:
        What changes; None if it was stopped by hand before anything was played.
    """
    both, _ = play_both(studies, kind, request.most, jobs=request.jobs, watch=watch)
    return _things(both, kind, request.margin) if both.moments.blocks else None


def play_both(
    studies: Studies,
    kind: str,
    games: int,
    *,
    decided: Callable[[Both], bool] | None = None,
    jobs: int = -1,
    watch: Callable[[int], None] = lambda games: None,
) -> tuple[Both, bool]:
    """Return the sums of both games when the things of a kind are dealt, and whether Ctrl-C ended it early.

    Args:
        studies, kind: see `deal_both`. games: of each, rounded up to whole blocks of every occasion. jobs: threads, −1
            for all cores.
        decided: asked after fixed numbers of blocks whether that is enough; None: all games are played.
        watch: called with the number of games just played.
    """
    game, players, deal = registry.load(studies[0].game), studies[0].players, Deal(kind, powers=False)
    dealt = [replace(study, deal=deal) for study in studies]
    size, strata = len(dealt[0].plan), deal.strata(game)
    one = Dealt(game, players, deal, Moments.blank(0), 0, False)
    width = 3 * int(np.prod(one.shape))

    def task(first: int, blocks: int) -> Moments:
        was, now = (totals(study, first, blocks)[0] for study in dealt)
        return Moments.of(np.hstack([was, now, now - was]), first, strata)

    for study in dealt:
        prepare(game, study.entrants, study.components)
    blocks = game_counts(game.name, kind, players, games)[1] // size
    enough = decided or (lambda both: False)
    moments, interrupted = gather(
        task, Moments.blank(width, strata), blocks, size=max(1, BATCH // size), jobs=jobs, fixed=decided is None,
        decided=lambda moments: enough(Both(one, moments, True)), watch=lambda blocks: watch(2 * blocks * size),
    )  # fmt: skip
    return Both(one, moments, interrupted or decided is not None), interrupted


def _things(both: Both, kind: str, margin: float) -> ThingsCompared:
    names = both.labels
    share, points, most = both.weights(SHARE), both.weights(MARGIN_POINTS), float(both.one.players)
    was, now = (both.estimate(weights, most=most) for weights in share[:2])
    table: dict[str, Any] = {"thing": list(names)}
    verdicts = []
    for when, e in (("before", was), ("after", now)):
        verdict, each = judge(e, margin)
        verdicts.append(verdict)
        table |= e.columns(f"worth_{when}", f"low_{when}", f"high_{when}") | {f"verdict_{when}": each}
    table |= both.estimate(share[2], most=2 * most).columns("change", "low", "high") | _together(both, share)
    for when, weights in (("before", points[0]), ("after", points[1])):
        table[f"points_{when}"] = both.estimate(weights).value
    table |= both.estimate(points[2]).columns("points_change", "points_low", "points_high")
    family = 3 * len(names)
    first, last, moved = (both.estimate(weights, family, (1 + at // 2) * most) for at, weights in enumerate(share))
    altered = any(part.any() for part in both.moments.weighted(share[2]))
    blocks = both.moments.blocks
    return ThingsCompared(
        kind, blocks * len(names), blocks, both.sequential, verdicts[0], verdicts[1], compared(*verdicts),
        fairness(first, last, moved, altered), pd.DataFrame(table),
    )  # fmt: skip


def _together(both: Both, weights: tuple[Floats, Floats, Floats]) -> dict[str, Floats]:
    """Return how strongly a block's values before and after go together, and the factor of games which that saves."""
    before, after, change = (both.moments.weighted(part)[1] for part in weights)
    product = 2 * before * after
    correlation = np.clip((before**2 + after**2 - change**2) / np.where(product > 0, product, np.nan), -1, 1)
    return {
        "correlation": correlation,
        "games_saved": (before**2 + after**2) / np.where(change > 0, change, np.nan) ** 2,
    }
