"""Three games of a line that stand for many: the most typical, the closest, the most one-sided.

They come from the first games of a run, which we play again, so neither the number of threads nor the moment a run
stopped decides which. The player with the largest share of the win is first, then the one with the higher score, then
the lower seat.

    typical     of the games won from where most are won, the one nearest to the average of all: in the scores by place,
                the winner's lead after each round and at the end, and the winner's points by source, each divided by
                its standard deviation
    closest     the smallest margin between first and second, then the smallest spread between first and last, then the
                lowest number
    one-sided   the largest margin between first and second, then the lowest number
"""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from analyses.blocks import spread
from analyses.tables import growth, sources
from sim import registry
from sim.contract import Game
from sim.outcomes import rows
from sim.printed.components import Components
from sim.runner import BATCH, Study, play

if TYPE_CHECKING:
    from analyses.findings import Line
    from analyses.survey import PlannedLine

MOST = 10_000  # games to choose from
KINDS = ("typical", "closest", "one-sided")
AWAY = -(1 << 40)  # a score that nobody leads with


@dataclass(frozen=True)
class Told:
    """One game with everything that a report tells about it; lists by seat begin with seat 1.

    Attributes:
        kind: why it was chosen, see the module. number: of the game in its run.
        strategies: by seat. scores: by seat, at the end. shares: of the win, in sixtieths, by seat.
        after: scores by seat after each round; empty if the game doesn't count them. points: source → points by seat,
            likewise.
        held: kind of thing → what each seat held ("" for none), round by round. command: what to type to see the game.
    """

    kind: str
    number: int
    strategies: tuple[str, ...]
    scores: tuple[int, ...]
    shares: tuple[int, ...]
    after: tuple[tuple[int, ...], ...]
    points: dict[str, tuple[int, ...]]
    held: dict[str, tuple[tuple[str, ...], ...]]
    command: str = ""

    @property
    def order(self) -> list[int]:
        """The seats from first to last."""
        return sorted(
            range(1, 1 + len(self.scores)), key=lambda seat: (-self.shares[seat - 1], -self.scores[seat - 1], seat)
        )

    @property
    def winners(self) -> list[int]:
        """The seats that share the win; one alone as a rule."""
        return [seat for seat in self.order if self.shares[seat - 1]]

    @property
    def margin(self) -> int:
        """Points of the first minus those of the second."""
        first, second = self.order[:2]
        return self.scores[first - 1] - self.scores[second - 1]

    @property
    def leaders(self) -> list[list[int]]:
        """The seats with the most points after each round."""
        return [[seat for seat, score in enumerate(scores, 1) if score == max(scores)] for scores in self.after]

    @property
    def since(self) -> int:
        """The round from whose end on the first led alone until the end; one more than the last round if there is
        none."""
        behind = [number for number, seats in enumerate(self.leaders, 1) if seats != self.order[:1]]
        return max(behind, default=0) + 1

    @property
    def changes(self) -> int:
        """How often the lead passed from one seat to another, including at the end of the game; a shared lead doesn't
        count."""
        alone = [seats[0] for seats in (*self.leaders, self.winners) if len(seats) == 1]
        return sum(a != b for a, b in pairwise(alone))

    @property
    def swings(self) -> list[int]:
        """How many points the first gained on the second in each round, and then in what came after the last one."""
        first, second = self.order[:2]
        leads = [scores[first - 1] - scores[second - 1] for scores in (*self.after, self.scores)]
        return [b - a for a, b in pairwise([0, *leads])]


@dataclass(frozen=True)
class Three:
    """The three games, and what they were chosen from.

    Attributes:
        players: their number. among: the number of games, the first ones of the run.
        seats, often: the seat (or seats, for a shared win) that won the most games, and how many.
        first, lead: mean score of the winner, mean margin. level: games in which first and second had the same score.
        told: in the order of `KINDS`.
    """

    players: int
    among: int
    seats: tuple[int, ...]
    often: int
    first: float
    lead: float
    level: int
    told: tuple[Told, ...]


def tell(
    components: Components,
    lines: "Sequence[PlannedLine]",
    found: "Sequence[Line]",
    seed: int,
    *,
    jobs: int = -1,
    options: Sequence[str] = (),
) -> Three | None:
    """Return the three games of the headline with the most players; None if there is none or somebody stops the choice.

    Args:
        components: what was printed. lines: what was asked. found: what came of the first of these. seed: of all.
        jobs: threads, −1 for all cores. options: words for the command, see `analyses.survey`.
    """
    heads = [(line, asked) for line, asked in zip(found, lines, strict=False) if asked.headline]
    if not heads:
        return None
    line, asked = max(heads, key=lambda head: head[0].players)
    study = Study(components.game, line.players, asked.entrants, components.record, seed)
    names = [word for name in line.strategies for word in ("--strategy", name.split(" #")[0])]
    # Of the options, which are pairs, the margin says nothing about a game.
    same = [word for pair in zip(options[::2], options[1::2], strict=True) if pair[0] != "--margin" for word in pair]
    words = ["chapterhouse", "replay", registry.typed(study.game), "--players", str(study.players), *names, *same]
    try:
        return three(study, min(line.games, MOST), jobs=jobs, command=words)
    except KeyboardInterrupt:
        return None


def three(study: Study, games: int, *, jobs: int = -1, command: Sequence[str] = ()) -> Three:
    """Play the first games of a study and choose three.

    Args:
        study: what is played. games: how many to choose from. jobs: threads, −1 for all cores.
        command: words that show a game of the study, but for its number.
    """
    parts = spread(lambda first, number: play(study, first, number)[0], games, BATCH, jobs, lambda number: None)
    return choose(study, np.concatenate(parts), command)


def choose(study: Study, outcomes: Any, command: Sequence[str] = ()) -> Three:
    """Choose three of the first games of a study; outcomes: their records."""
    game, players = registry.load(study.game), study.players
    score, share = outcomes["score"][:, :players], outcomes["share"][:, :players]
    order = np.lexsort((-score, -share), axis=1)  # seats that are equal in both stay in their order
    placed = np.take_along_axis(score, order, 1)
    margin = placed[:, 0] - placed[:, 1]
    sets = ((share > 0) << np.arange(players)).sum(1)
    often = np.bincount(sets)
    most = int(often.argmax())
    spread = score.max(1) - score.min(1)
    far = np.where(sets == most, distance(measures(game, outcomes, order)), np.inf)
    numbers = int(far.argmin()), int(np.lexsort((spread, margin))[0]), int(margin.argmax())
    told = tuple(
        _told(study, game, outcomes, kind, number, command) for kind, number in zip(KINDS, numbers, strict=True)
    )
    seats = tuple(seat + 1 for seat in range(players) if most >> seat & 1)
    first, lead = float(placed[:, 0].mean()), float(margin.mean())
    return Three(players, len(outcomes), seats, int(often[most]), first, lead, int((margin == 0).sum()), told)


def measures(game: Game, outcomes: Any, order: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the numbers in which games are compared, int64 (games,) each.

    Args:
        game: the game. outcomes: records. order: (games, players), seats (from 0) from first to last.
    """
    games, players = np.arange(len(outcomes)), order.shape[1]
    winner = order[:, 0]
    numbers, scores = outcomes["numbers"], outcomes["score"][:, :players]
    after = [
        numbers[:, :players, i].astype(np.int64)
        for i, name in enumerate(game.numbers)
        if name.startswith(growth.PREFIX)
    ]
    yield from np.take_along_axis(scores, order, 1).T
    for standing in (*after, scores):
        others = standing.copy()
        others[games, winner] = AWAY
        yield standing[games, winner] - others.max(1)
    for i, name in enumerate(game.numbers):
        if name.startswith(sources.PREFIX):
            yield numbers[games, winner, i].astype(np.int64)


def distance(columns: Iterator[np.ndarray]) -> np.ndarray:
    """Return the squared distance of each game from the mean, in standard deviations, float64 (games,).

    We sum whole numbers and add columns in their order, so the result is the same to the last bit on every machine.
    """
    total: Any = 0.0
    for x in columns:
        n, s = len(x), int(x.sum())
        variance = n * int((x * x).sum()) - s * s
        total = total + (n * x - s).astype(float) ** 2 / max(variance, 1)  # without variance all are at the mean
    return total


def _told(study: Study, game: Game, outcomes: Any, kind: str, number: int, command: Sequence[str]) -> Told:
    """Return one game with everything that a report tells about it."""
    frame = rows(
        game, outcomes[number : number + 1], study.players, number, tuple(entrant.name for entrant in study.entrants)
    )

    def by_seat(name: str) -> tuple[int, ...]:
        return tuple(frame[name].astype(int))

    return Told(
        kind,
        number,
        tuple(frame["strategy"].astype(str)),
        by_seat("score"),
        tuple(outcomes["share"][number, : study.players].tolist()),
        tuple(by_seat(name) for name in game.numbers if name.startswith(growth.PREFIX)),
        {name.removeprefix(sources.PREFIX): by_seat(name) for name in game.numbers if name.startswith(sources.PREFIX)},
        {
            of: tuple(tuple(frame[name].astype(object).fillna("")) for name in held.categories)
            for of, held in game.things.items()
        },
        shlex.join([*command, "--game", str(number)]) if command else "",
    )
