"""What each variant of the rules does to a game: we play the usual game and all variants on the same chance, and
compare.

With several players: the gap between scores, ties, how often the first player wins. In a solo game: how often the
person wins against the game's own opponent, and by how much. A block is one set of chance in all rotations, in all
variants. The intervals of all measures of one variant hold at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analyses import frames as pd
from analyses.evidence import Estimate
from analyses.played import Found
from analyses.request import LineUp, Request
from analyses.statistics import Floats, Verdict, compared, interval, verdict, within
from sim import registry
from sim.contract import WHOLE
from sim.moments import Moments, added
from sim.printed.variants import Variant
from sim.runner import Study, gather, play, prepare

BATCH = 1_000  # games of each variant in one task
CONTEST = ("spread", "deviation", "tied", "shared", "first", "score")
ALONE = ("wins", "lead", "tied", "score")
# columns of `totals`, behind the win shares
AFTER_SEATS = {"score": 0, "spread": 1, "lead": 1, "deviation": 2, "tied": 3, "shared": 4}
SHARES = ("tied", "shared", "first", "wins")  # the others are points
EASY, HARD, EVEN, UNDECIDED = "easy", "hard", "even", "undecided"


@dataclass(frozen=True)
class VariantSide:
    """The usual game or a variant by itself.

    Attributes:
        verdict: on the seats; of a game of one None. word: its word; of a game of one "easy" if the person wins more
            than half of the games by more than the margin, "hard" if less, "even" or "undecided".
        seats: table with seat, win_share, low, high. measures: table with measure, value, low, high; CONTEST or ALONE:
            spread (points from the winner to the last), deviation (of the scores of one game, as a root of the mean
            square), tied, shared (share of games in which several have the highest score, and in which several win,
            after the tie-break; in a game of one, in which the scores are the same), first (win share of seat 1), wins,
            lead (own score less the opponent's), score (of a player).
    """

    word: str
    verdict: Verdict | None
    seats: "pd.DataFrame" = field(repr=False)
    measures: "pd.DataFrame" = field(repr=False)

    def measure(self, name: str) -> dict[str, Any]:
        """Return the row of a measure."""
        return _row(self.measures, name)


@dataclass(frozen=True)
class VariantEffect:
    """What a variant changes.

    Attributes:
        variant: which. usual: whether it is how the game is played anyway, with these components. side: the variant by
            itself.
        word: "same" if the verdict is that of the usual game, "changes" if not, "undecided" if one of the two is.
        changes: table with measure, before, after, change, low, high, and gap, gap_low, gap_high: of a variant that is
            several others together, by how much its change differs from the sum of theirs; NaN for others.
        altered: share of games that end with other scores or another winner.
    """

    variant: Variant
    usual: bool
    side: VariantSide
    word: str
    changes: "pd.DataFrame" = field(repr=False)
    altered: float

    def change(self, name: str) -> dict[str, Any]:
        """Return the row of a measure."""
        return _row(self.changes, name)

    def sure(self, name: str) -> bool:
        """Return whether a measure changes by more than chance."""
        row = self.change(name)
        return bool(row["low"] > 0 or row["high"] < 0)


@dataclass(frozen=True)
class Variants(Found):
    """The effects of all variants, for one number of players and one way to play; games and blocks are those of each
    variant.

    Attributes:
        base: the usual game. effects: in the order of the file.
    """

    base: VariantSide
    effects: tuple[VariantEffect, ...]

    @property
    def alone(self) -> bool:
        """Whether this is a solo game."""
        return self.players == 1

    @property
    def all_games(self) -> int:
        """Number of games of the usual game and all variants together."""
        return self.games * (1 + sum(not effect.usual for effect in self.effects))

    @property
    def notes(self) -> list[str]:
        """What a reader must know about the variants, each once."""
        return list(dict.fromkeys(effect.variant.note for effect in self.effects if effect.variant.note))


def _row(frame: "pd.DataFrame", name: str) -> dict[str, Any]:
    row = frame[frame["measure"] == name].to_dict("records")[0]
    return {str(key): value for key, value in row.items()}


def totals(outcomes: Any, players: int) -> np.ndarray:
    """Return what each block adds up to, int64 (blocks, players + 5).

    Win shares of each seat (sixtieths); sum of scores; winner − last; players² × the variance within a game; games tied
    and shared. In a game of one the third is the lead over the opponent, and a win on equal points is tied.

    Args:
        outcomes: records of whole blocks. players: seats in use.
    """
    share, score = outcomes["share"][:, :players].astype(np.int64), outcomes["score"][:, :players].astype(np.int64)
    best = score.max(axis=1)
    if players == 1:
        apart, level = best - outcomes["automaton"], best == outcomes["automaton"]
        shared = level & (share[:, 0] > 0) & (share[:, 0] < WHOLE)
    else:
        apart, level = best - score.min(axis=1), (score == best[:, None]).sum(axis=1) > 1
        shared = (share > 0).sum(axis=1) > 1
    square = players * (score * score).sum(axis=1) - score.sum(axis=1) ** 2
    columns = np.column_stack([share, score.sum(axis=1), apart, square, level, shared]).astype(np.int64)
    return columns.reshape(-1, players, players + 5).sum(axis=1)


@dataclass(frozen=True)
class _Played:
    """Sums over blocks of all games beside each other, and of the games that ended otherwise than the usual one."""

    moments: Moments
    altered: np.ndarray
    decisions: int

    def __add__(self, other: "_Played") -> "_Played":
        return _Played(
            self.moments + other.moments, added(self.altered, other.altered), self.decisions + other.decisions
        )


@dataclass(frozen=True)
class _Found:
    """The sums, ready to be asked; games are numbered, the usual one is 0."""

    moments: Moments
    players: int
    count: int
    sequential: bool

    def weights(self, name: str, at: int) -> Floats:
        """Return what the entries of a block count in a measure of a game: float64 (width,)."""
        n = self.players
        made = np.zeros((self.count, n + 5))
        made[at, 0 if name in ("first", "wins") else n + AFTER_SEATS[name]] = {
            "first": 1 / WHOLE,
            "wins": 1 / WHOLE,
            "score": 1 / n,
            "deviation": 1 / n**2,
        }.get(name, 1.0) / n
        if name == "deviation":  # a root: the tangent where the mean square is
            made[at] /= 2 * max(self.root(at), 1e-9)
        return made.ravel()

    def root(self, at: int) -> float:
        """Return the root of the mean square of the deviations within a game."""
        n = self.players
        return float(
            np.sqrt(self.moments.totals[0].reshape(self.count, -1)[at, n + 2] / max(self.moments.blocks, 1) / n**3)
        )

    def seat(self, seat: int, at: int) -> Floats:
        """Return what the entries count in a seat's win index."""
        made = np.zeros((self.count, self.players + 5))
        made[at, seat] = 1 / WHOLE
        return made.ravel()

    def estimate(
        self, weights: Sequence[Floats], least: Sequence[float], most: Sequence[float], family: int = 0
    ) -> Estimate:
        """Return weighted sums with intervals that hold at once; of the range of each."""
        m, s = self.moments.weighted(np.array(weights))
        ends = interval(m, s, self.moments.blocks, family or len(m), sequential=self.sequential, least=least, most=most)
        return Estimate(m, *ends)

    def measures(self, names: Sequence[str], at: int) -> Estimate:
        """Return the measures of a game by itself."""
        ends = [
            (0.0, 1.0) if name in SHARES else (0.0 if name in ("spread", "deviation") else -np.inf, np.inf)
            for name in names
        ]
        found = self.estimate([self.weights(name, at) for name in names], [a for a, _ in ends], [b for _, b in ends])
        return _moved(found, names, self.root(at))

    def changes(self, names: Sequence[str], at: int, parts: Sequence[int] = ()) -> Estimate:
        """Return how the measures of a game differ from the usual one; `parts`: from the sum of what these games change
        instead."""
        ends = [1.0 + len(parts) if name in SHARES else np.inf for name in names]
        weights = [
            self.weights(name, at)
            - self.weights(name, 0)
            - sum((self.weights(name, p) - self.weights(name, 0) for p in parts), np.zeros(1))
            for name in names
        ]
        found = self.estimate(weights, [-end for end in ends], ends)
        return _moved(found, names, self.root(at) - self.root(0) - sum(self.root(p) - self.root(0) for p in parts))

    def side(self, at: int, margin: float) -> VariantSide:
        """Return a game by itself."""
        n, names = self.players, ALONE if self.players == 1 else CONTEST
        measures: dict[str, Any] = self.measures(names, at).columns("value", "low", "high")
        index = self.estimate([self.seat(seat, at) for seat in range(n)], [0.0] * n, [float(n)] * n)
        seats = {"seat": range(1, n + 1)} | {
            name: part / n for name, part in zip(("win_share", "low", "high"), index, strict=True)
        }
        judged = verdict(*index, margin, self.moments.blocks) if n > 1 else None
        word = judged.word if judged else hardness(float(index.low[0]), float(index.high[0]), margin)
        return VariantSide(word, judged, pd.DataFrame(seats), pd.DataFrame({"measure": names} | measures))


def _moved(found: Estimate, names: Sequence[str], deviation: float) -> Estimate:
    """Return measures with the deviation as it is: of a root, the tangent gives the width of the interval but half of
    the value."""
    if "deviation" in names:
        i = names.index("deviation")
        shift = deviation - found.value[i]
        for part in found:
            part[i] += shift
    return found


def hardness(low: float, high: float, margin: float) -> str:
    """Return how hard a solo game is, from the interval of its win share: the person wins an even game half of the
    time."""
    word = within(2 * low - 1, 2 * high - 1, margin)
    return {"balanced": EVEN, "undecided": UNDECIDED}.get(word, EASY if low > 0.5 else HARD)


def measure(
    request: Request,
    line: LineUp,
    asked: Sequence[Variant],
    *,
    batch: int = BATCH,
    watch: Callable[[int], None] = lambda games: None,
) -> Variants:
    """Play the usual game and its variants on the same chance.

    Args:
        request: what is asked for; its components are the usual game's. line: who plays, and how many games of each
            variant, rounded up to whole blocks; without a fixed number until the verdict on each is decided.
        asked: the variants; those are played that go with the number of players. batch: games of each variant in a
            task.
        watch: called with the number of games just played.

    Returns:
        The effects; Ctrl-C ends it early and keeps what was played.

    Raises:
        StrategyError: see `sim.runner.play`. ComponentsError: a variant does not go with the user's changes.
    """
    components, players, margin = request.components, line.players, request.margin
    game = registry.load(components.game)
    chosen = [variant for variant in asked if players in variant.players]
    made = [request.with_changes(*variant.changes) for variant in chosen]
    usual = [version.record.tobytes() == components.record.tobytes() for version in made]
    # What is as usual is not played again.
    place = np.where(usual, 0, np.cumsum(np.logical_not(usual)))
    versions = [components, *(version for version, same in zip(made, usual, strict=True) if not same)]
    studies = [Study(game.name, players, line.entrants, version.record, request.seed) for version in versions]
    for study in studies:
        prepare(game, study.entrants, study.components)

    def task(first: int, blocks: int) -> _Played:
        found, altered, decisions, base = [], [], 0, np.zeros(0)
        for study in studies:
            outcomes, made = play(study, first * players, blocks * players)
            ends = np.concatenate([outcomes["score"], outcomes["share"], outcomes["automaton"][:, None]], axis=1)
            base = ends if study is studies[0] else base
            found.append(totals(outcomes, players))
            altered.append(int((ends != base).any(axis=1).sum()))
            decisions += made
        return _Played(Moments.of(np.hstack(found), first), np.array(altered, np.int64), decisions)

    def found_of(played: _Played, sequential: bool) -> _Found:
        return _Found(played.moments, players, len(studies), sequential)

    def decided(played: _Played) -> bool:
        found = found_of(played, True)
        return all(found.side(at, margin).word != UNDECIDED for at in range(len(studies)))

    blank = _Played(Moments.blank(len(studies) * (players + 5)), np.zeros(len(studies), np.int64), 0)
    played, interrupted = gather(
        task, blank, -(-line.most // players), size=max(1, batch // players), fixed=line.games is not None,
        decided=decided, jobs=request.jobs, watch=lambda blocks: watch(blocks * players * len(studies)),
    )  # fmt: skip
    # Who stops a run by hand may have looked at it.
    sequential = line.games is None or interrupted
    found, blocks = found_of(played, sequential), played.moments.blocks
    base = found.side(0, margin)
    count = max(blocks * players, 1)
    effects = tuple(
        _effect(
            found,
            variant,
            int(at),
            same,
            base,
            margin,
            _parts(variant, chosen, place),
            float(played.altered[at]) / count,
        )
        for variant, at, same in zip(chosen, place, usual, strict=True)
    )
    ended = {"sequential": sequential, "interrupted": interrupted}
    facts = request.played(
        players, line.entrants, games=blocks * players, blocks=blocks, decisions=played.decisions, **ended
    )
    return Variants(facts, base, effects)


def _parts(variant: Variant, chosen: Sequence[Variant], place: np.ndarray) -> list[int]:
    """Return the places of the single variants that a variant consists of; none if it is one itself, or not all are
    there."""
    wanted = set(variant.changes)
    single = {
        other.changes[0]: int(at) for other, at in zip(chosen, place, strict=True) if len(other.changes) == 1 and at
    }
    return [single[change] for change in variant.changes] if len(wanted) > 1 and wanted <= set(single) else []


def _effect(
    found: _Found,
    variant: Variant,
    at: int,
    usual: bool,
    base: VariantSide,
    margin: float,
    parts: Sequence[int],
    altered: float,
) -> VariantEffect:
    names = ALONE if found.players == 1 else CONTEST
    side = found.side(at, margin)
    if usual:
        change = gap = Estimate(*(np.zeros(len(names)) for _ in range(3)))
    else:
        change = found.changes(names, at)
        gap = found.changes(names, at, parts) if parts else change
    nothing = np.full(len(names), np.nan)
    table: dict[str, Any] = {"measure": names, "before": base.measures["value"], "after": side.measures["value"]}
    table |= change.columns("change", "low", "high")
    table |= {name: part if parts else nothing for name, part in zip(("gap", "gap_low", "gap_high"), gap, strict=True)}
    word = "same" if usual else compared(base.word, side.word)
    return VariantEffect(variant, usual, side, word, pd.DataFrame(table), 0.0 if usual else altered)


def table(found: "Variants") -> "pd.DataFrame":
    """Return a row for the usual game and each variant, and measure."""
    usual = found.base.measures.rename(columns={"value": "after", "low": "after_low", "high": "after_high"}).assign(
        variant="", usual=True
    )
    parts = [usual.assign(verdict=found.base.word)]
    for effect in found.effects:
        own = effect.side.measures.rename(columns={"value": "after", "low": "after_low", "high": "after_high"})
        own = own.merge(effect.changes.drop(columns="after"), on="measure")
        parts.append(
            own.assign(
                variant=effect.variant.name, usual=effect.usual, altered=effect.altered, verdict=effect.side.word
            )
        )
    frame = pd.concat(parts, ignore_index=True)
    heads = ["variant", "usual", "measure", "before", "after", "after_low", "after_high", "change", "low", "high"]
    return frame.reindex(columns=[*heads, "gap", "gap_low", "gap_high", "altered", "verdict"])
