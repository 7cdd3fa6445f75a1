"""What a game offers and what a strategy is: everything that the loop, the runner and the analyses know about either.

A game is five functions over one flat record:

    deal(components, state, players, key)     set the table; state is blank but for `person`
    advance(components, state, options) -> n  run everything that needs no choice, up to the next decision: fills options[:n], sets
                                              state.player and state.asks; 0 when the game is over. If state.stepping is set, also
                                              −1 after each event worth telling, and 1 for a choice without an alternative, which
                                              nobody is asked and `decision` does not count
    apply(components, state, option)          carry out the chosen option
    imagine(components, state, player, key)   redraw all that this player can't know
    tally(components, state, outcome)         scores, win shares in sixtieths, what else is counted

and a policy is `choose(components, state, options, n, weights) -> index`. Nobody else changes a state.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numba
import numpy as np
from numba import types

from sim.compiled import compiled

MOST_STRATEGIES = 8  # in one study
WHOLE = 60  # a win, in sixtieths: divisible by every number of players up to 6
# Fields that every state has; the loop and the strategies may rely on them.
STATE_FIELDS = ("key", "noise", "players", "player", "asks", "decision", "stepping", "person")


def outcome_dtype(seats: int, numbers: tuple[str, ...], categories: Mapping[str, tuple[str, ...]]) -> np.dtype:
    """Return the record of one finished game.

    Args:
        seats: the most seats of the game.
        numbers: names of what is counted for each seat.
        categories: name → labels of what each seat was or had, one of several.

    Returns:
        Fields by seat: `person`, `strategy` (filled by the loop), `score` (points), `share` (sixtieths of a win), `numbers`, `categories`
        (index of the label, −1 for none).
    """
    return np.dtype(
        [
            ("person", np.int64, (seats,)),
            ("strategy", np.int64, (seats,)),
            ("score", np.int64, (seats,)),
            ("share", np.int64, (seats,)),
            ("numbers", np.int16, (seats, max(len(numbers), 1))),
            ("categories", np.int8, (seats, max(len(categories), 1))),
        ],
        align=True,
    )


class Signatures:
    """The numba signatures of a game's entry points, made from its four record dtypes."""

    def __init__(self, components: np.dtype, state: np.dtype, option: np.dtype, outcome: np.dtype):
        c, s, o, t = (numba.from_dtype(d) for d in (components, state, option, outcome))
        array, function = types.Array, types.FunctionType
        integer, key = types.int64, types.uint64
        options, weights, integers = array(o, 1, "C"), array(types.float64, 1, "C"), array(integer, 1, "C")
        self.deal = types.void(c, s, integer, key)
        self.advance = integer(c, s, options)
        self.apply = types.void(c, s, o)
        self.imagine = types.void(c, s, integer, key)
        self.tally = types.void(c, s, t)
        self.policy = integer(c, s, options, integer, weights)
        self.loop = integer(
            *(function(signature) for signature in (self.deal, self.advance, self.apply, self.tally)),
            types.UniTuple(function(self.policy), MOST_STRATEGIES), weights, integers, integer,
            array(c, 1, "C"), array(s, 1, "C"), options, array(t, 1, "C"), integers, integer, integer, integer, key,
        )  # fmt: skip
        self.add_up = types.void(array(t, 1, "C"), integer, integer, integer, *(array(integer, d, "C") for d in (1, 2, 3, 4, 2, 1)))


def records(dtype: np.dtype, n: int) -> Any:
    """Return `n` blank records as a recarray: only so have fields names with the JIT off too."""
    return np.zeros(n, dtype).view(np.recarray)


@dataclass(frozen=True)
class Game:
    """A game on the contract.

    Attributes:
        name: folder name; title: for people; players: possible numbers of players.
        version: version of the rules; it changes when outcomes change, and only then.
        numbers, categories: what is counted for each seat, see `outcome_dtype`.
        things: name of a kind of held thing (Kings, …) → the categories in which it is counted.
        places: heading → categories that hold a place in some order, by round.
        headings: prefix of `numbers` → heading of a table; "points" and "after" are known to every analysis.
        titles: name of a number, label or setting → words for people, where the name won't do.
        absent: components (the record) → names of the numbers that can only be 0 with these (tiles that stay in the box).
    """

    name: str
    title: str
    version: str
    players: tuple[int, ...]
    seats: int
    dtypes: tuple[np.dtype, np.dtype, np.dtype, np.dtype]  # components, state, option, outcome
    signatures: Signatures
    most_options: int
    asks: tuple[str, ...]
    deal: Callable
    advance: Callable
    apply: Callable
    imagine: Callable
    tally: Callable
    numbers: tuple[str, ...]
    categories: Mapping[str, tuple[str, ...]]
    folder: Path
    things: Mapping[str, tuple[str, ...]]
    places: Mapping[str, tuple[str, ...]]
    headings: Mapping[str, str]
    titles: Mapping[str, str]
    absent: Callable[[Any], Collection[str]] = lambda components: ()

    @cached_property
    def pools(self) -> np.ndarray:
        """For each category the number of the kind of thing that it counts, −1 for none; int64."""
        kinds = {category: kind for kind, categories in enumerate(self.things.values()) for category in categories}
        return np.array([kinds.get(category, -1) for category in self.categories] or [-1], np.int64)

    @cached_property
    def loop(self) -> Callable:
        """The hot loop, compiled for this game."""
        from sim.play import loop

        return compiled(self.signatures.loop, self.folder)(loop)

    @cached_property
    def add_up(self) -> Callable:
        """The sums by block, compiled for this game."""
        from sim.outcomes import add_up

        return compiled(self.signatures.add_up, self.folder)(add_up)


@dataclass(frozen=True)
class Strategy:
    """A strategy that is ready to play: its policy, compiled for the game, and its weights (float64, any length)."""

    name: str
    policy: Callable
    weights: np.ndarray


class Chair(Protocol):
    """How a study names a strategy: small, hashable, fit to be sent to a worker, and able to load the real thing there."""

    @property
    def name(self) -> str: ...

    def __hash__(self) -> int: ...

    def load(self, game: Game, components: Any) -> Strategy:
        """Return the strategy for a game with these components (the record)."""
        ...
