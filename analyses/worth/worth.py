"""What a thing (King, …) is worth: chance deals it, with and without its power, and we compare how its holders fare.

If players choose, the chooser is confounded with the thing: strong players choose good things. When chance deals,
nobody chooses, and every seat holds every thing once in a block (`sim.dealing`). Win index is win share × players,
points are own score − best other score. For a thing K:

    worth   mean of the holders of K − mean of all holders of the block: relative to the average thing
    power   the same deals, K with its power − K without it, for the holder
    rest    worth without the power: K's place in the order, and having no power where others have one
    order   the place alone: as rest, but nobody has a power, relative to the average thing
    gap     rest − order + mean power: what does not add up, since powers and places work on each other

Worth is power + rest. Of a family hold all intervals at once; the things of one column of one table are a family.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from analyses import frames as pd
from analyses.evidence import Estimate
from analyses.findings import Line
from analyses.line import MARGIN, analyse
from analyses.played import Found, Played
from analyses.stated import RARE, withheld
from analyses.statistics import Floats, interval, together, within
from sim import registry
from sim.contract import WHOLE, Entrant, Game
from sim.dealing import ALL_OFF, IN_TURN, ONE_OFF, POWERED, VALUES, Deal, powerless
from sim.moments import Moments
from sim.play import EVERY
from sim.printed.components import Components
from sim.runner import Study, gather, play, prepare

MAX_GAMES = 400_000
SHARE, MARGIN_POINTS = range(len(VALUES))
BATCH = 2_500  # games
PARTS = ("worth", "power", "rest", "order", "gap")
STRONGER, WEAKER, AGREES = "looks stronger than it is", "looks weaker than it is", ""


@dataclass(frozen=True)
class Worth(Found):
    """What the things of one kind are worth, for one number of players and one way to play.

    Attributes:
        kind: of things. occasion: see `sim.dealing.Deal`. powers: whether the games without powers were played.
        power_games: games of the deals that tell power from rest; as many as all unless somebody wanted fewer.
        free: games in which things were chosen freely, for comparison.
        verdict: on all things: "balanced", "unbalanced" or "undecided".
        saved: for worth and power, how many times as many games deals that share no chance would need for the same
            intervals.
        things: table with thing, then of each part of PARTS its value, low and high in win index, and the same as
            points (points, points_low, points_high for worth, power_points, … for the others), index (1 + worth),
            verdict; from free choice chosen, chosen_low, chosen_high (share of a player's rounds), wins_when_chosen,
            wins_low, wins_high and misleads (nothing of what is hardly ever chosen).
        by_round, by_seat: the same with round or seat in front, a family each; by_round is empty where one round was
            dealt.
        chosen: table of the things as they were chosen freely, or had anyway, see `analyses.findings`; empty if that
            was not played.
        withheld: why nothing is said of single things: then all tables are empty; "" if it is.
        apart: how far the furthest of the things is from the average of all, at least and at most, in win index.
    """

    kind: str
    occasion: int
    powers: bool
    verdict: str
    saved: dict[str, float]
    things: "pd.DataFrame" = field(repr=False)
    by_round: "pd.DataFrame" = field(repr=False)
    by_seat: "pd.DataFrame" = field(repr=False)
    chosen: "pd.DataFrame" = field(repr=False)
    withheld: str = ""
    apart: tuple[float, float] = (0.0, np.inf)
    free: int = 0
    power_games: int = 0

    def thing(self, name: str) -> dict[str, Any]:
        """Return the row of a thing."""
        row = self.things[self.things["thing"] == name].to_dict("records")[0]
        return {str(key): value for key, value in row.items()}


@dataclass(frozen=True)
class Dealt:
    """Sums of the blocks of a deal, ready to be asked; a vector is what `Deal.totals` returns of one block."""

    game: Game
    players: int
    deal: Deal
    moments: Moments
    decisions: int
    sequential: bool

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of a block's vector: values, occasions, cases, things, seats."""
        occasions = 1 if self.deal.occasion == IN_TURN else len(self.deal.occasions(self.game))
        return (
            len(VALUES),
            occasions,
            3 if self.deal.powers else 1,
            len(self.deal.things(self.game, self.players)),
            self.players,
        )

    def __add__(self, other: "Dealt") -> "Dealt":
        both = self.moments + other.moments, self.decisions + other.decisions
        return Dealt(self.game, self.players, self.deal, *both, self.sequential)

    def stratum(self, at: int) -> "Dealt":
        """Return the blocks of one occasion, where occasions take turns."""
        return Dealt(self.game, self.players, self.deal, self.moments.stratum(at), self.decisions, self.sequential)

    def weights(self, part: str, value: int, occasion: int | None = None, seat: int | None = None) -> Floats:
        """Return what the entries of a block count in a part of each thing: float64 (things, width).

        Args:
            part: one of PARTS. value: SHARE or MARGIN_POINTS. occasion, seat: one of them alone; None: the mean of all.
        """
        things = self.shape[3]
        at = slice(None) if occasion is None else slice(occasion, occasion + 1)
        of = slice(None) if seat is None else slice(seat, seat + 1)

        def holders(case: int, mean: bool = False) -> Floats:
            found = np.zeros((things, *self.shape))
            for thing in range(things):
                view = (
                    found[thing, value, at, case, :, of]
                    if mean
                    else found[thing, value, at, case, thing : thing + 1, of]
                )
                view[:] = 1 / view.size
            return found.reshape(things, -1)

        power = holders(POWERED) - holders(ONE_OFF) if self.deal.powers else None
        if part == "worth":
            return holders(POWERED) - holders(POWERED, mean=True)
        assert power is not None
        rest = holders(ONE_OFF) - holders(POWERED, mean=True)
        order = holders(ALL_OFF) - holders(ALL_OFF, mean=True)
        return {"power": power, "rest": rest, "order": order, "gap": rest - order + power.mean(axis=0)}[part]

    def estimate(
        self, part: str, value: int, occasion: int | None = None, seat: int | None = None, family: int = 0
    ) -> Estimate:
        """Return value, low and high of a part of each thing; in win index or points. `family`: number of intervals, if
        not the things."""
        weights = self.weights(part, value, occasion, seat) * (self.players / WHOLE if value == SHARE else 1)
        m, s = self.moments.weighted(weights)
        least, most = -np.inf, np.inf
        if value == SHARE:  # the average is fair: what is measured against it ends where nobody wins, or all do
            least, most = (-1, self.players - 1) if part in ("worth", "order") else (-self.players, self.players)
        return Estimate(
            m,
            *interval(m, s, self.moments.blocks, family or len(m), sequential=self.sequential, least=least, most=most),
        )

    def saved(self, part: str) -> float:
        """Return how many times as many games deals with separate chance would need for the same intervals (median of
        the things)."""
        weights = self.weights(part, SHARE)
        apart = weights
        # in deals of their own the mean of all holders is known: the shares of a game add up to one
        if part == "worth":
            held = np.where(weights > 0, weights, 0)
            apart = held / held.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            return float(np.median((self.moments.alone(apart) / self.moments.weighted(weights)[1]) ** 2))


def study(components: Components, deal: Deal, players: int, entrants: Sequence[Entrant], seed: int) -> Study:
    """Return the study of a deal."""
    game = registry.load(components.game)
    record = powerless(components, deal.kind, game) if deal.powers else components.record
    return Study(game.name, players, tuple(entrants), record, seed, deal)


def totals(asked: Study, first: int, blocks: int) -> tuple[np.ndarray, int]:
    """Return what the holders got in some blocks of a deal, one vector a block, and the number of decisions."""
    assert asked.deal is not None
    outcomes, decisions = play(asked, first * len(asked.plan), blocks * len(asked.plan))
    return asked.deal.totals(registry.load(asked.game), outcomes, asked.players, first).reshape(blocks, -1), decisions


def judge(worth: Estimate, margin: float) -> tuple[str, list[str]]:
    """Return the verdict on all things and on each: "balanced" where the interval of its worth lies in ± margin,
    "unbalanced" outside."""
    each = [within(float(low), float(high), margin) for low, high in zip(worth.low, worth.high)]
    return together(each), each


def enough(worth: Estimate, margin: float, precise: float) -> bool:
    """Return whether each thing is decided, or all worths are known to `precise`."""
    half = float(np.maximum(worth.value - worth.low, worth.high - worth.value).max())
    return half <= precise or "undecided" not in judge(worth, margin)[1]


def reach(worth: Estimate) -> tuple[float, float]:
    """Return how far the furthest thing is from the average of all, at least and at most, by intervals that hold at
    once."""
    return float(np.fmax(np.maximum(worth.low, -worth.high), 0).max()), float(np.maximum(worth.high, -worth.low).max())


def deal_out(
    asked: Study,
    decided: Callable[[Dealt], bool],
    *,
    games: int | None,
    max_games: int,
    jobs: int = -1,
    batch: int = BATCH,
    watch: Callable[[int], None] = lambda games: None,
) -> tuple[Dealt, bool]:
    """Play a study with a deal until a question about its sums is decided.

    Args:
        asked: see `study`. decided: asked about the sums after fixed numbers of blocks, without `games`.
        games, max_games, jobs, batch, watch: see `measure`.

    Returns:
        The sums, and whether Ctrl-C ended it early.
    """
    assert asked.deal is not None
    game, deal, players = registry.load(asked.game), asked.deal, asked.players
    size, strata, sequential = len(asked.plan), deal.strata(game), games is None
    most = -(-(max_games if games is None else games) // (size * strata)) * strata

    def task(first: int, blocks: int) -> Dealt:
        found, decisions = totals(asked, first, blocks)
        return Dealt(game, players, deal, Moments.of(found, first, strata), decisions, sequential)

    prepare(game, asked.entrants, asked.components)
    width = int(np.prod(Dealt(game, players, deal, Moments.blank(0), 0, False).shape))
    found, interrupted = gather(
        task, Dealt(game, players, deal, Moments.blank(width, strata), 0, sequential), most, size=max(1, batch // size),
        fixed=not sequential, decided=decided, jobs=jobs, watch=lambda blocks: watch(blocks * size),
    )  # fmt: skip
    # Who stops a run by hand may have looked at it.
    return replace(found, sequential=sequential or interrupted), interrupted


def measure(
    components: Components,
    kind: str,
    players: int,
    entrants: Sequence[Entrant],
    seed: int,
    *,
    occasion: int = IN_TURN,
    powers: bool = True,
    games: int | None = None,
    max_games: int = MAX_GAMES,
    power_games: int | None = None,
    precise: float = 0.0,
    free: bool = True,
    margin: float = MARGIN,
    jobs: int = -1,
    batch: int = BATCH,
    watch: Callable[[int], None] = lambda games: None,
) -> Worth:
    """Deal the things of a kind, and compare their holders.

    Args:
        components: what is printed. kind: of `Game.things`; it must be one that can be dealt. players: number of
            players.
        entrants: the strategies. seed: of all games.
        occasion: which one is dealt (from 0), EVERY or IN_TURN; on the others players choose freely. powers: play the
            games without powers too; else only worth is known. Things that have none, and those of which only all
            together are spoken of, do without.
        games: deal exactly these, rounded up to whole blocks of every occasion; None: until the verdict on each thing
            is decided, or max_games.
        power_games: play the games without powers in the first deals only, so many games in all, fixed in advance; the
            others then cost a few games each, which is what the verdict needs. None: in all of them.
        precise: without `games`, half-width of all worths from which on it deals no more, decided or not.
        free: play as many games with free choice, up to half of max_games. margin: what counts as balanced, in win
            index.
        jobs: threads, −1 for all cores. batch: games of one task. watch: called with the number of games just played.

    Raises:
        StrategyError: see `sim.runner.play`.
    """
    game, why = registry.load(components.game), withheld(components, kind)
    powers = powers and bool(game.things[kind].powers) and not why
    few = powers and power_games is not None
    asked = study(components, Deal(kind, occasion, powers and not few), players, entrants, seed)

    def decided(found: Dealt) -> bool:
        return enough(found.estimate("worth", SHARE), margin, precise)

    how: dict[str, Any] = {"jobs": jobs, "batch": batch, "watch": watch}
    found, interrupted = deal_out(asked, decided, games=games, max_games=max_games, **how)
    split = found if powers else None
    if few and not interrupted:
        both = study(components, Deal(kind, occasion), players, entrants, seed)
        split, interrupted = deal_out(both, decided, games=power_games, max_games=max_games, **how)
    powers = split is not None and split.deal.powers and split.moments.blocks > 0
    tables = _tables(found, split if powers else None)
    size, blocks = len(asked.plan), found.moments.blocks
    worth = found.estimate("worth", SHARE)
    word, each = judge(worth, margin)
    if why:
        tables, each = [table[:0] for table in tables], []
    played = Played(
        components, players, tuple(entrant.name for entrant in entrants), seed, margin, blocks * size, blocks,
        found.decisions, sequential=found.sequential, interrupted=interrupted,
    )  # fmt: skip
    saved = {"worth": found.saved("worth")} if blocks else {}
    if split is not None and powers:
        saved["power"] = split.saved("power")
    things, by_round, by_seat = tables
    made = Worth(
        played,
        kind,
        occasion,
        powers,
        word,
        saved,
        things.assign(verdict=each),
        by_round,
        by_seat,
        things[:0],
        why,
        reach(worth),
        power_games=split.moments.blocks * len(split.deal.plan(game, players)) if split is not None and powers else 0,
    )
    if not free or not blocks or interrupted or why:
        return made
    count = min(blocks * size, (games or max_games) // 2)
    line, _ = analyse(game, players, entrants, components, seed, games=count, margin=margin, jobs=jobs, watch=watch)
    beside_it = beside(made, line) if line.blocks else made
    return replace(beside_it, played=replace(played, interrupted=line.interrupted or not line.blocks))


def beside(found: Worth, line: Line) -> Worth:
    """Return a finding together with the games of a line in which the same players chose freely."""
    if found.withheld:
        return found
    chosen = line.tables["things"][line.tables["things"]["kind"] == found.kind]
    held = registry.load(found.game).things[found.kind]
    if held.dealt:  # had on many occasions, dealt on fewer: how often in all
        chosen = chosen[chosen["round"] == "all"]
        times = len(held.categories) / len(held.occasions)
        chosen = chosen.assign(**{name: chosen[name] * times for name in ("chosen", "chosen_low", "chosen_high")})
    tables = (
        _beside(table, chosen, found.occasion, found.players) for table in (found.things, found.by_round, found.by_seat)
    )
    things, by_round, by_seat = tables
    return replace(found, free=line.games, chosen=chosen, things=things, by_round=by_round, by_seat=by_seat)


def _tables(found: Dealt, split: Dealt | None) -> "list[pd.DataFrame]":
    """Return the tables of things: of all, by round, by seat. `split`: tells power from rest; None: nothing does."""
    deal, game = found.deal, found.game
    occasions = deal.occasions(game)
    rounds = []
    for at, occasion in enumerate(occasions if len(occasions) > 1 else ()):
        parts = (found, split)
        if deal.occasion == IN_TURN:
            parts = found.stratum(at), split and split.stratum(at)
        rounds.append(
            _table(*parts, None if deal.occasion == IN_TURN else at, None, len(occasions)).assign(round=occasion + 1)
        )
    seats = [_table(found, split, None, seat, found.players).assign(seat=seat + 1) for seat in range(found.players)]
    by_round = pd.concat(rounds, ignore_index=True) if rounds else pd.DataFrame()
    return [
        _table(found, split, None, None, 1),
        _first(by_round, "round"),
        _first(pd.concat(seats, ignore_index=True), "seat"),
    ]


def _table(found: Dealt, split: Dealt | None, occasion: int | None, seat: int | None, tables: int) -> "pd.DataFrame":
    things = found.deal.things(found.game, found.players)
    columns: dict[str, Any] = {"thing": list(things)}
    for part, deals in zip(PARTS, (found, *[split] * 4)):
        if deals is None:
            break
        head = "" if part == "worth" else f"{part}_"
        for value, names in (
            (SHARE, (part, f"{head}low", f"{head}high")),
            (MARGIN_POINTS, [f"{head}points{end}" for end in ("", "_low", "_high")]),
        ):
            columns |= dict(zip(names, deals.estimate(part, value, occasion, seat, tables * len(things))))
    return pd.DataFrame(columns).assign(index=lambda t: 1 + t["worth"])


def _first(frame: "pd.DataFrame", column: str) -> "pd.DataFrame":
    return frame[[column, *(name for name in frame.columns if name != column)]] if len(frame) else frame


def _beside(table: "pd.DataFrame", free: "pd.DataFrame", occasion: int, players: int) -> "pd.DataFrame":
    """Return a table of things with how they fare when they are chosen, and where that misleads."""
    if not len(table):
        return table
    free = free[free["strategy"] == "all"]
    one = str(occasion + 1) if occasion >= 0 and str(occasion + 1) in set(free["round"]) else "all"
    free = free.rename(columns={"wins_when_held": "wins_when_chosen", "low": "wins_low", "high": "wins_high"})
    keys = [name for name in ("round", "seat") if name in table.columns]
    for name, alone in (("round", one), ("seat", "all")):
        free = free[free[name] != "all"].astype({name: int}) if name in keys else free[free[name] == alone]
    kept = ["thing", "chosen", "chosen_low", "chosen_high", "wins_when_chosen", "wins_low", "wins_high"]
    both = table.merge(free[[*keys, *kept]], on=[*keys, "thing"], how="left", validate="one_to_one")
    looks = [both[name] * players - 1 for name in ("wins_low", "wins_high")]
    word = np.where(looks[0] > both["high"], STRONGER, np.where(looks[1] < both["low"], WEAKER, AGREES))
    return both.assign(misleads=np.where(both["chosen"] >= RARE, word, AGREES))


__all__ = ["EVERY", "IN_TURN", "MAX_GAMES", "PARTS", "Dealt", "Worth", "judge", "measure", "study", "totals"]
