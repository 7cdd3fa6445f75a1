"""What we can measure for a set of components: a whole number for each block of games, so sums are exact, and what it
means."""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from analyses.statistics import within
from sim.contract import WHOLE, Game
from sim.dealing import ONE_OFF, POWERED, VALUES, Deal

POINTS = "points"
SORTS = ("worth", "power", "seat", "score", "lead", "number")


class MeasureError(ValueError):
    """There is no such measure; its text says what is allowed."""


@dataclass(frozen=True)
class Measure:
    """A measure: something that has a value for a set of components.

    Attributes:
        text: what was asked for, as in `worth:afonso_v`. sort: one of SORTS. name: which thing, seat or number; "" for
            all players.
        unit: "win index", "points" or "count" (times in a game and for a player). par: the value that is fair; None if
            none is.
        factor: what one of a block's whole numbers is, in the unit. least, most: ends of the range.
        deal: what must be dealt for it; None where players choose.
    """

    text: str
    sort: str
    name: str
    unit: str
    par: float | None
    factor: float
    least: float
    most: float
    deal: Deal | None = None

    def of_blocks(self, game: Game, outcomes: Any, players: int, first: int) -> np.ndarray:
        """Return the whole number of each block, int64 (blocks,).

        Args:
            game: the game. outcomes: records of whole blocks. players: seats in use. first: number of their first
                block.
        """
        if self.deal is not None:
            totals = self.deal.totals(game, outcomes, players, first)[
                :, VALUES.index("margin" if self.unit == POINTS else "share")
            ]
            held = totals.sum(axis=(1, -1))  # (blocks, cases, things)
            at = self.deal.things(game, players).index(self.name)
            if self.sort == "power":
                return held[:, POWERED, at] - held[:, ONE_OFF, at]
            return held.shape[2] * held[:, POWERED, at] - held[:, POWERED].sum(axis=1)
        each = self._of_games(game, outcomes, players)
        return each.reshape(-1, players).sum(axis=1)

    def _of_games(self, game: Game, outcomes: Any, players: int) -> np.ndarray:
        """Return the whole number of each game, int64 (games,)."""
        if self.sort == "number":
            return outcomes["numbers"][:, :players, game.numbers.index(self.name)].astype(np.int64).sum(axis=1)
        score = outcomes["score"][:, :players]
        if self.sort == "lead":
            best = np.sort(score, axis=1)
            return best[:, -1] - best[:, -2]
        if self.sort == "seat":
            return outcomes["share"][:, int(self.name) - 1]
        return score[:, int(self.name) - 1] if self.name else score.sum(axis=1)

    def verdict(self, low: float, high: float, margin: float) -> str:
        """Return "balanced", "unbalanced" or "undecided" for an interval, "" for a measure of which no value is
        fair."""
        if self.par is None:
            return ""
        return within(low - self.par, high - self.par, margin)


def measure(text: str, game: Game, players: int) -> Measure:
    """Return the measure that a user names.

    Raises:
        MeasureError: there is none of that name; the text is what is allowed.
    """
    sort, _, rest = text.partition(":")
    name, _, unit = rest.partition(":")
    if sort in ("worth", "power") and unit in ("", POINTS):
        return _of_thing(text, sort, name, bool(unit), game, players)
    if sort == "number" and name in game.numbers and not unit:
        return Measure(text, sort, name, "count", None, 1 / players**2, 0, np.inf)
    seats = [str(seat) for seat in range(1, players + 1)]
    if sort == "seat" and name in seats and not unit:
        return Measure(text, sort, name, "win index", 1.0, 1 / WHOLE, 0, players)
    if sort == "score" and name in ("", *seats) and not unit:
        return Measure(text, sort, name, POINTS, None, 1 / players if name else 1 / players**2, -np.inf, np.inf)
    if text == "lead" and players > 1:
        return Measure(text, sort, "", POINTS, None, 1 / players, 0, np.inf)
    raise MeasureError(allowed(game, players, text))


def _of_thing(text: str, sort: str, name: str, points: bool, game: Game, players: int) -> Measure:
    kinds = [kind for kind, held in game.things.items() if held.asks and name in Deal(kind).things(game, players)]
    if not kinds or (sort == "power" and not game.things[kinds[0]].powers):
        raise MeasureError(allowed(game, players, text))
    deal = Deal(kinds[0], powers=sort == "power")
    count = len(deal.things(game, players))
    # A block deals each thing to each seat once: its holders are as many as there are players.
    holders = players * (1 if sort == "power" else count)
    if points:
        return Measure(text, sort, name, POINTS, None, 1 / holders, -np.inf, np.inf, deal)
    return Measure(
        text,
        sort,
        name,
        "win index",
        0.0 if sort == "worth" else None,
        players / WHOLE / holders,
        -players,
        players,
        deal,
    )


def allowed(game: Game, players: int, text: str) -> str:
    """Return the measures that there are, and the one closest to a wrong text."""
    things = things_of(game, players)
    names = [f"seat:{seat}" for seat in range(1, players + 1)] + ["score", "lead"]
    names += [f"{sort}:{thing}" for sort in ("worth", "power") for thing in things]
    close = get_close_matches(text, [*names, *(f"number:{number}" for number in game.numbers)], 1)
    parts = [f"worth:THING or power:THING, each also with :{POINTS} ({', '.join(things)})"] if things else []
    parts += [f"seat:N (1 to {players})", "score or score:N"] + ["lead"] * (players > 1)
    parts += [f"number:NAME of what is counted, as number:{game.numbers[0]}"] if game.numbers else []
    return ", ".join(parts) + (f"; did you mean {close[0]}?" if close else "")


def things_of(game: Game, players: int) -> list[str]:
    """Return all things that chance can deal."""
    return [thing for kind, held in game.things.items() if held.asks for thing in Deal(kind).things(game, players)]


def fresh(seed: int, number: int) -> int:
    """Return a seed whose chance a run with `seed` has not met; each number gives another."""
    return int(np.random.default_rng([seed, number]).integers(2**63))
