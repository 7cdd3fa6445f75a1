"""What is asked of each set of numbers: the seats for each number of players, and things that chance deals.

And what the present numbers say of it: the headline's own verdict.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analyses.evidence import Evidence
from analyses.findings import Line
from analyses.line import MAX_GAMES, analyse
from analyses.request import Request
from analyses.stated import stated
from analyses.statistics import Floats, fixed_half_width
from analyses.worth.worth import SHARE, Dealt, Worth, totals
from analyses.worth.worth import measure as deal_out
from analyses.worth.worth import study as deal_study
from sim import registry
from sim.contract import Entrant, Game
from sim.dealing import Deal
from sim.moments import Moments
from sim.outcomes import Sums
from sim.printed.components import Components
from sim.runner import Study, play

SEATS, SEAT, THINGS, THING = "seats", "seat", "things", "thing"


@dataclass(frozen=True)
class Ask:
    """One question of each set: the seats of a number of players, or the things of a kind dealt to them; at most so
    many blocks of one set."""

    game: Game
    players: int
    entrants: tuple[Entrant, ...]
    kind: str
    seed: int
    blocks: int

    @property
    def deal(self) -> Deal:
        """How things are dealt."""
        return Deal(self.kind, powers=False)

    @property
    def size(self) -> int:
        """Number of games of a block."""
        return len(self.deal.plan(self.game, self.players)) if self.kind else self.players

    @property
    def strata(self) -> int:
        """Blocks come in multiples of this."""
        return self.deal.strata(self.game) if self.kind else 1

    def study(self, made: Components) -> Study:
        """Return what is played of a set."""
        if self.kind:
            return deal_study(made, self.deal, self.players, self.entrants, self.seed)
        return Study(self.game.name, self.players, self.entrants, made.record, self.seed)

    def play(self, study: Study, first: int, blocks: int) -> Any:
        """Return sums over blocks."""
        if not self.kind:
            outcomes, decisions = play(study, first * self.players, blocks * self.players)
            return Sums.of(self.game, outcomes, self.players, len(self.entrants), decisions)
        found, decisions = totals(study, first, blocks)
        return Dealt(self.game, self.players, self.deal, Moments.of(found, first, self.strata), decisions, False)

    def about(self, name: str) -> str:
        """Return what a finding is about: all, or one of them by name."""
        return (THING if name else THINGS) if self.kind else SEAT if name else SEATS

    def names(self) -> tuple[str, ...]:
        """Return what the answer is about, one by one."""
        if self.kind:
            return self.deal.things(self.game, self.players)
        return tuple(str(seat + 1) for seat in range(self.players))

    def answer(self, sums: Any) -> tuple[Floats, Floats]:
        """Return the win index of each, and its standard error: float64 (names,)."""
        if self.kind:
            value, low, high = sums.estimate("worth", SHARE)
            value = 1 + value
        else:
            evidence = Evidence(self.game, self.players, tuple(entrant.name for entrant in self.entrants), sums, False)
            value, low, high = (part * self.players for part in evidence.shares(evidence.seats))
        errors = float(fixed_half_width(1.0, 2, len(self.names()))) * 2**0.5  # of which the interval is made
        return value, (high - low) / 2 / errors


def asks(components: Components, entrants: Mapping[int, Sequence[Entrant]], seed: int, games: int) -> list[Ask]:
    """Return the questions of a set: seats for each number of players, then the things that can be dealt, for the first
    one.

    Things of which nothing is said one by one (`analyses.stated`) are left out.
    """
    game = registry.load(components.game)
    first = next(iter(entrants))
    found = [Ask(game, n, tuple(cast), "", seed, -(-games // n)) for n, cast in entrants.items()]
    for kind in stated(components):
        deal = Deal(kind, powers=False)
        strata = deal.strata(game)
        blocks = -(-games // (len(deal.things(game, first)) * strata)) * strata
        found.append(Ask(game, first, tuple(entrants[first]), kind, seed, blocks))
    return found


@dataclass(frozen=True)
class Headline:
    """What the present numbers say of a question.

    Attributes:
        verdict: on all. index, low, high: float64 (names,), win indices with their intervals (of things 1 + worth).
    """

    verdict: str
    index: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, found: Line | Worth) -> "Headline":
        """Return what a line says of its seats, or what dealt things are worth."""
        if isinstance(found, Worth):
            return cls(found.verdict, *(1 + found.things[name].to_numpy() for name in ("worth", "low", "high")))
        seats = found.tables["seats"]
        return cls(found.verdict.word, *(seats[name].to_numpy() for name in ("index", "index_low", "index_high")))


Heads = Mapping[tuple[int, str], Headline]
"""Number of players and kind of things ("" for the seats) → what the present numbers say."""


def heads(
    request: Request, questions: Sequence[Ask], most: int, watch: Callable[[int], None]
) -> dict[tuple[int, str], Headline]:
    """Play the headline of each question as `seats` and `worth` would, each at most so many games; fewer if Ctrl-C
    comes.

    Raises:
        StrategyError: see `sim.runner.play`.
    """
    made: dict[tuple[int, str], Headline] = {}
    for ask in questions:
        printed, who = request.components, (ask.players, ask.entrants, request.seed)
        found: Line | Worth
        if ask.kind:
            found = deal_out(
                printed, ask.kind, *who, powers=False, free=False, max_games=most, margin=request.margin,
                jobs=request.jobs, watch=watch,
            )  # fmt: skip
        else:
            found, _ = analyse(
                ask.game, ask.players, ask.entrants, printed, request.seed, max_games=most, margin=request.margin,
                jobs=request.jobs, watch=watch,
            )  # fmt: skip
        if found.interrupted:
            break
        made[ask.players, ask.kind] = Headline.of(found)
    return made


def most_games(games: int, sets: int) -> int:
    """Return the most games of a headline: as many as all sets together, so that a small run stays small."""
    return min(games * sets, MAX_GAMES)


def furthest(index: Floats) -> int:
    """Return which win index is furthest from 1; of those equally far, the first."""
    return int(np.argmax(np.abs(index - 1).round(12)))
