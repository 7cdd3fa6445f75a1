"""What another set of components changes in whole games: who wins, points and where they come from, what players
use."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from analyses import frames as pd
from analyses.evidence import EVERYBODY, Estimate
from analyses.line import judge
from analyses.paired import Difference
from analyses.played import Found, Played
from analyses.request import Request
from analyses.statistics import Verdict, compared
from analyses.tables.growth import PREFIX as AFTER
from analyses.tables.sources import PREFIX as POINTS
from sim import registry
from sim.contract import Game
from sim.paired import LEAD, Paired, play_pairs
from sim.runner import Study

Studies = tuple[Study, Study]  # before and after
FAIRER, LESS_FAIR, UNDECIDED, SAME = "fairer", "less fair", "undecided", "same"


class Change(NamedTuple):
    """A mean before and after, and the change with both ends of its interval."""

    before: float
    after: float
    change: float
    low: float
    high: float

    @property
    def sure(self) -> bool:
        """Whether it is more than chance."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class Fairness:
    """How far the furthest of some seats or things is from a fair share, before and after, in win index.

    All that is said here holds at once: the intervals of the values before, of those after and of their changes are one
    family.

    Attributes:
        before, after: the distance with both ends of its interval. change: of the distance. first, last: which one is
            furthest, from 0.
        word: "fairer" or "less fair" where the interval of the change says so, else "undecided"; "same" where no game
            ended otherwise.
    """

    before: tuple[float, float, float]
    after: tuple[float, float, float]
    change: tuple[float, float, float]
    first: int
    last: int
    word: str


def fairness(before: Estimate, after: Estimate, change: Estimate, altered: bool = True) -> Fairness:
    """Return whether the furthest is nearer to a fair share after a change than before it.

    Args:
        before, after: distances of each from its fair share, with sign. change: of the same; all intervals hold at
            once.
        altered: whether any game ended otherwise.
    """
    (value, low, high), (value_after, low_after, high_after) = was, now = _reach(before), _reach(after)
    ends = low_after - high, high_after - low
    one = _furthest(before) if _furthest(before) == _furthest(after) else None
    if one is not None:  # the change of the furthest is then known more closely than the furthest distances
        at, sign = one
        own = sorted((sign * float(change.low[at]), sign * float(change.high[at])))
        ends = max(ends[0], own[0]), min(ends[1], own[1])
    word = FAIRER if ends[1] < 0 else LESS_FAIR if ends[0] > 0 else UNDECIDED
    first, last = (int(np.argmax(np.abs(e.value).round(12))) for e in (before, after))
    return Fairness(was, now, (value_after - value, *ends), first, last, word if altered else SAME)


def _nearest(e: Estimate) -> np.ndarray:
    """Return how far each is from its fair share at least."""
    return np.maximum(np.maximum(e.low, -e.high), 0)


def _reach(e: Estimate) -> tuple[float, float, float]:
    return float(np.max(np.abs(e.value))), float(np.max(_nearest(e))), float(np.max(np.maximum(-e.low, e.high)))


def _furthest(e: Estimate) -> tuple[int, int] | None:
    """Return which one is furthest, and on which side; None if the intervals leave several, or both sides."""
    may = np.flatnonzero(np.maximum(-e.low, e.high) >= _nearest(e).max())
    if len(may) > 1:
        return None
    at = int(may[0])
    return (at, 1) if e.low[at] > 0 else (at, -1) if e.high[at] < 0 else None


@dataclass(frozen=True)
class WholeGames(Found):
    """What changes in games that are played in full, on the same chance; its games are those of each set.

    Attributes:
        before, after: verdicts on the seats. word: "same", "changes", or "undecided" if one of the two is. fairness: of
            the seats.
        altered: share of games that end with other scores or another winner. score: mean of a player. lead: of the best
            over the second.
        saved, score_saved: how many times as many games runs with different chance would need for the shares of wins
            (the seat that gains least from it) and for the mean score; NaN if nothing changes.
        seats: table with seat; win_share_before, low_before, high_before and the same after (each a family); change,
            low, high; correlation (of a block's values before and after), games_saved; score_before, score_after,
            score_change, score_low, score_high.
        sources: table with seat ("all", "1", …), source, before, after, change, low, high (points of a player in a
            game).
        growth: table with round, then the same. uses: table with heading, prefix, name, then the same.
    """

    before: Verdict
    after: Verdict
    word: str
    fairness: Fairness
    altered: float
    score: Change
    lead: Change
    saved: float
    score_saved: float
    seats: "pd.DataFrame" = field(repr=False)
    sources: "pd.DataFrame" = field(repr=False)
    growth: "pd.DataFrame" = field(repr=False)
    uses: "pd.DataFrame" = field(repr=False)

    @property
    def most(self) -> dict[str, float]:
        """The row of the seat whose share of wins changes most; of seats equally far, the first."""
        row = int(np.argmax(np.abs(self.seats["change"].to_numpy()).round(12)))
        return {str(name): value for name, value in self.seats.to_dict("records")[row].items()}


def play(
    studies: Studies, request: Request, watch: Callable[[int], None] = lambda games: None
) -> tuple[WholeGames, Difference]:
    """Play the same games of two studies that differ in their components, and perhaps in who plays.

    Args:
        studies: before and after. request: of the changed game; its games are those of each study, rounded up to whole
            blocks.
        watch: called with the number of games just played.

    Returns:
        What changes, and the sums it comes from; Ctrl-C ends it early and keeps what was played.
    """
    before, _ = studies
    game = registry.load(before.game)
    names = ("share", "score", LEAD, *game.numbers)
    paired = play_pairs(list(studies), names, request.most, jobs=request.jobs, recast=True, watch=watch)
    # Who stops a run by hand may have looked at it.
    ended = {"sequential": paired.interrupted, "interrupted": paired.interrupted}
    played = request.played(before.players, before.entrants, games=paired.games, blocks=paired.blocks, **ended)
    found = Difference(game, before.players, played.strategies, paired, 1, paired.interrupted)
    return _whole(found, paired, played, request.margin), found


def _whole(found: Difference, paired: Paired, played: Played, margin: float) -> WholeGames:
    game, seats = found.game, found.before.seats
    was, now = (judge(side, margin) for side in (found.before, found.after))
    altered = int(paired.altered[1]) / max(paired.games, 1)
    names = {prefix: [name for name in game.numbers if name.startswith(prefix)] for prefix in (POINTS, AFTER)}
    sources = [_numbers(found, [EVERYBODY], names[POINTS], "all")]
    sources += [_numbers(found, [seat], names[POINTS], str(seat), len(names[POINTS]) * len(seats)) for seat in seats]
    return WholeGames(
        played, was, now, compared(was.word, now.word), _seat_fairness(found, altered > 0), altered,
        _one(found, "score"), _one(found, LEAD), _saved(found), float(found.saved([EVERYBODY], "score")[0]),
        _seats(found), _renamed(pd.concat(sources, ignore_index=True), "source", POINTS),
        _renamed(_numbers(found, [EVERYBODY], names[AFTER]), "round", AFTER), _uses(found, game),
    )  # fmt: skip


def _seat_fairness(found: Difference, altered: bool) -> Fairness:
    seats, n = found.before.seats, found.players
    family = 3 * n
    was, now = (found.side(after, seats, "share", family) for after in (False, True))
    change = found.change(seats, "share", family)
    first, last = (Estimate(*(part * n - 1 for part in e)) for e in (was, now))
    return fairness(first, last, Estimate(*(part * n for part in change)), altered)


def _one(found: Difference, name: str) -> Change:
    change = found.change([EVERYBODY], name)
    was, now = (found.side(after, [EVERYBODY], name).value for after in (False, True))
    return Change(*(float(part[0]) for part in (was, now, *change)))


def _saved(found: Difference) -> float:
    """Return how many times as many games separate runs would need for the share of every seat: what the least favoured
    one needs."""
    saved = found.saved(found.before.seats, "share")
    return float(np.nanmin(saved)) if np.isfinite(saved).any() else float("nan")


def _seats(found: Difference) -> "pd.DataFrame":
    seats = found.before.seats
    table: dict[str, object] = {"seat": list(seats)}
    for when, after in (("before", False), ("after", True)):
        table |= found.side(after, seats, "share").columns(f"win_share_{when}", f"low_{when}", f"high_{when}")
    table |= found.change(seats, "share").columns("change", "low", "high")
    table |= {"correlation": found.correlation(seats, "share"), "games_saved": found.saved(seats, "share")}
    table |= {
        f"score_{when}": found.side(after, seats, "score").value for when, after in (("before", False), ("after", True))
    }
    return pd.DataFrame(table | found.change(seats, "score").columns("score_change", "score_low", "score_high"))


def _numbers(
    found: Difference, groups: Sequence[int], names: Sequence[str], seat: str = "", family: int | None = None
) -> "pd.DataFrame":
    """Return a row for each of some numbers of the game; their intervals hold together, or as many as `family` says."""
    rows = []
    for name in names:
        change = found.change(groups, name, family or len(names))
        before, after = (float(found.side(side, groups, name).value[0]) for side in (False, True))
        rows.append((seat, name, before, after, *(float(part[0]) for part in change)))
    frame = pd.DataFrame(rows, columns=["seat", "name", "before", "after", "change", "low", "high"])
    return frame if seat else frame.drop(columns="seat")


def _renamed(frame: "pd.DataFrame", head: str, prefix: str) -> "pd.DataFrame":
    return frame.assign(name=frame["name"].str.removeprefix(prefix)).rename(columns={"name": head})


def _uses(found: Difference, game: Game) -> "pd.DataFrame":
    """Return a row for each number that a heading of the game covers, unless both sets leave it out."""
    records = [study.components[0] for study in found.paired.studies]
    absent = set(game.absent(records[0])) & set(game.absent(records[1]))
    reserved = {AFTER.rstrip("."), POINTS.rstrip(".")}
    names = [n for n in game.numbers if n.partition(".")[0] in game.headings.keys() - reserved and n not in absent]
    frame = _numbers(found, [EVERYBODY], names)
    prefix = [name.partition(".")[0] for name in names]
    frame.insert(0, "heading", [game.headings[p] for p in prefix])
    frame.insert(1, "prefix", prefix)
    return frame.assign(name=[name.partition(".")[2] or name for name in frame["name"]])
