"""What a game offers and what a strategy is: everything that the loop, the runner and the analyses know about either.

A game is five functions over one flat record:

    set_up(components, state, players, key)   set the table; state is blank but for `person`, `dealing` and `occasion`
    advance(components, state, options) -> n  run everything that needs no choice, up to the next decision: fills
                                              options[:n], sets state.player and state.asks; 0 when the game is over. If
                                              state.stepping is set, also −1 after each event worth telling, and 1 for a
                                              choice without an alternative, which nobody is asked and `decision` does
                                              not count
    apply(components, state, option)          carry out the chosen option
    imagine(components, state, player, key)   redraw all that this player can't know
    tally(components, state, outcome)         scores, win shares in sixtieths, what else is counted

An automaton that plays against a single person is part of `advance`; its score goes into the outcome. Things that
chance or the rules hand out (missions, …) can be dealt by a study: where state.dealing is 1 + the kind of decision that
`Things.asks` names, the game asks for it on state.occasion (EVERY: on each), where otherwise nobody is asked.

A policy is `choose(components, state, options, n, weights) -> index`. A thinker plays on in imagined worlds with a
policy: `think(entries, policy, components, state, options, n, weights, desk, budget) -> index`, where `entries` are the
game's functions (`Entries`) and the desk holds what it may write on (`Desk`). Nobody else changes a state.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numba
import numpy as np
from numba import types

from sim.compiled import compiled, record_view
from sim.lent import Lent

MOST_STRATEGIES = 8  # in one study
WHOLE = 60  # a win, in sixtieths: divisible by every number of players up to 6
MOST_NODES = 1_000_000  # of a thinker whose budget is a time
WORLDS = 2  # states that a thinker plays on in
ADDRESSES = 1 << 40  # of a game's chance; those from here on are the loop's
MOMENTS = 8  # of a game's course, at most
NO_AUTOMATON = -(1 << 40)  # its score where there is none: below any other
# What a thinker writes down of an option or of a decision to come.
NODE = np.dtype(
    [
        ("key", np.uint64),  # hash of the option that leads here
        ("visits", np.int64),
        ("total", np.float64),  # of the values for the player who chose the option
        ("square", np.float64),
        ("child", np.int64),  # first option looked at here; −1 for none
        ("next", np.int64),  # next option of the same decision; −1 for none
        ("left", np.int64),  # entry of a list of options
        ("path", np.int64),  # entry of a list of nodes, the way down
        ("who", np.int64),  # the seat that decided there
    ],
    align=True,
)
# Fields that every state has before its own; the loop and the strategies may rely on them. The keys come first:
# thinkers tell positions apart by all that follows.
KEYS = ("key", "noise")  # of the game's chance, of the strategies'
STATE_FIELDS = (
    *KEYS,
    "players",
    "player",  # who is asked
    "asks",  # index into Game.asks
    "decision",  # decisions made so far
    "stepping",
    "dealing",
    "occasion",
    "person",  # who sits where
)
# The field that every option has: which thing (King, …) it takes, as the index of its label. What else it holds is the
# game's own affair.
OPTION_FIELD = "thing"


def outcome_dtype(seats: int, numbers: tuple[str, ...], categories: Mapping[str, tuple[str, ...]]) -> np.dtype:
    """Return the record of one finished game.

    Args:
        seats: the most seats of the game.
        numbers: names of what is counted for each seat.
        categories: name → labels of what each seat was or had, one of several.

    Returns:
        Fields by seat: `person`, `strategy` (filled by the loop), `score` (points), `share` (sixtieths of a win),
        `numbers`, `categories` (index of the label, −1 for none). And `automaton` (filled by the loop with
        NO_AUTOMATON, by a game that has one with its score), and what the loop tells of the course (see `Course`):
        `moments` (how many), `every` (rounds or decisions from one to the next), `course` (score at each moment by
        seat, in a game of one the automaton's beside it).
    """
    return np.dtype(
        [
            ("automaton", np.int64),
            ("person", np.int64, (seats,)),
            ("strategy", np.int64, (seats,)),
            ("score", np.int64, (seats,)),
            ("share", np.int64, (seats,)),
            ("numbers", np.int16, (seats, max(len(numbers), 1))),
            ("categories", np.int8, (seats, max(len(categories), 1))),
            ("moments", np.int32),
            ("every", np.int32),
            ("course", np.int32, (MOMENTS, max(seats, 2))),
        ],
        align=True,
    )


def counted(**groups: Iterable[object] | None) -> tuple[tuple[str, ...], Any]:
    """Return the names of what is counted for each seat, and a function for kernels that gives the numbers of a seat
    these names.

    With `NUMBERS, counts = counted(turns=None, dice=("forest", "village"))` the numbers are turns, dice.forest and
    dice.village, and `tally` writes `counts(outcome.numbers[seat]).dice[1] = 3`.

    Args:
        groups: name → labels of its numbers; None for a single number of that name.
    """
    names, fields = [], []
    for name, group in groups.items():
        labels = None if group is None else tuple(group)
        names += [name] if labels is None else [f"{name}.{label}" for label in labels]
        fields.append((name, np.int16) if labels is None else (name, np.int16, (len(labels),)))
    return tuple(names), record_view(np.dtype((np.record, np.dtype(fields))))


def state_dtype(seats: int, *fields: tuple[Any, ...]) -> np.dtype:
    """Return the record of a position: what the contract wants of every game, then the game's own fields.

    Args:
        seats: the most seats of the game. fields: (name, dtype) or (name, dtype, shape).
    """
    common = [(name, np.uint64 if name in KEYS else np.int64) for name in STATE_FIELDS[:-1]]
    return np.dtype([*common, ("person", np.int64, (seats,)), *fields], align=True)


class Entries(NamedTuple):
    """The functions of a game with which a thinker plays on."""

    advance: Any
    apply: Any
    imagine: Any
    tally: Any


class Desk(NamedTuple):
    """What thinkers write on, made once and used for every decision."""

    worlds: Any  # (WORLDS,) states
    buffer: Any  # (most_options,) options, of the worlds
    outcomes: Any  # (1,) outcome
    nodes: Any  # (nodes,) NODE


class Signatures:
    """The numba signatures of a game's entry points, made from its four record dtypes.

    Attributes:
        dtypes: components, state, option, outcome.
    """

    def __init__(self, components: np.dtype, state: np.dtype, option: np.dtype, outcome: np.dtype):
        self.dtypes = components, state, option, outcome
        c, s, o, t = (numba.from_dtype(d) for d in self.dtypes)
        array, function = types.Array, types.FunctionType
        integer, key = types.int64, types.uint64
        options, weights, integers = Lent(o), Lent(types.float64), array(integer, 1, "C")
        self.set_up = types.void(c, s, integer, key)
        self.advance = integer(c, s, options)
        self.apply = types.void(c, s, o)
        self.imagine = types.void(c, s, integer, key)
        self.tally = types.void(c, s, t)
        self.standing = integer(c, s, integer)
        self.policy = integer(c, s, options, integer, weights)
        played_on = [function(signature) for signature in (self.advance, self.apply, self.imagine, self.tally)]
        entries = types.NamedTuple(played_on, Entries)
        desk = types.NamedTuple([Lent(s), options, Lent(t), Lent(numba.from_dtype(NODE))], Desk)
        self.thinker = integer(entries, function(self.policy), c, s, options, integer, weights, desk, integer)
        self.loop = integer(
            entries, types.UniTuple(function(self.policy), MOST_STRATEGIES),
            types.UniTuple(function(self.thinker), MOST_STRATEGIES), weights, integers, integers, integers, integer,
            array(c, 1, "C"), array(s, 1, "C"), options, desk, array(t, 1, "C"), integers, array(integer, 2, "C"),
            integers, integer, integer, integer, key,
        )  # fmt: skip
        self.add_up = types.void(
            array(t, 1, "C"), integer, integer, integer, *(array(integer, d, "C") for d in (1, 2, 3, 4, 2, 1))
        )


def records(dtype: np.dtype, n: int) -> Any:
    """Return `n` blank records as a recarray: only so have fields names with the JIT off too."""
    return np.zeros(n, dtype).view(np.recarray)


@dataclass(frozen=True)
class Things:
    """A kind of thing (King, …) that players hold, each by one player at a time.

    Attributes:
        categories: where it is counted, one for each occasion (round) on which a player takes one; their labels are the
            things.
        asks: kind of the decision in which one is taken; "" if they are not chosen, and so can't be dealt.
        by_study: whether that is asked only where a study deals them.
        dealt: as `categories`, for dealt ones, where these are counted elsewhere.
        by_players: whether there is one for each player, the first ones of the labels.
        invented: paths as of `powers`, of what tells one from another: while any of it is assumed, nothing is said of
            single ones.
        powers: paths of the components that say what a thing gives, with {thing} for its label: with 0 in all of them
            it gives nothing.
        number: path of its place in an order, with {thing}; "" if they have none.
    """

    categories: tuple[str, ...]
    asks: str = ""
    by_study: bool = False
    dealt: tuple[str, ...] = ()
    by_players: bool = False
    invented: tuple[str, ...] = ()
    powers: tuple[str, ...] = ()
    number: str = ""

    @property
    def occasions(self) -> tuple[str, ...]:
        """Where a dealt one is counted, one for each occasion."""
        return self.dealt or self.categories


@dataclass(frozen=True)
class Course:
    """How a game tells its course: some moments, with every seat's score as the rulebook would count it then.

    The end of the game is no moment: its scores are the outcome's.

    Attributes:
        rounds: field of the state that counts rounds: whenever it has gone up, a moment is written down when the next
            decision comes, or the game is over. "": a moment comes after so many decisions.
        every: rounds or decisions from one moment to the next; 0: each round, or every eighth decision. Where there
            would be more than MOMENTS of them, every second one is kept, and the next ones come at twice the distance.
        moments: how many a game has at most, 1 to MOMENTS; rows have a column for each.
        standing: entry point standing(components, state, seat) → score (`Signatures.standing`); None where that is
            state.score[seat]. A game with neither has no moments.
        automaton: whether it also gives the score of the automaton that plays against a single person, as that of the
            second seat.
    """

    rounds: str = ""
    every: int = 0
    moments: int = MOMENTS
    standing: Callable | None = None
    automaton: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.moments <= MOMENTS:
            raise ValueError(f"Course.moments: found {self.moments}; allowed 1 to {MOMENTS}")
        if self.every < 0:
            raise ValueError(f"Course.every: found {self.every}; allowed 0, or more")

    @property
    def first(self) -> int:
        """How many rounds or decisions there are up to the first moment."""
        return self.every or (1 if self.rounds else 8)


@dataclass(frozen=True)
class ChanceSource:
    """Where chance comes from in a game: the dice of a round, the order of a pile.

    Attributes:
        name: short, for commands: small letters, digits and _. words: for people.
        ranges: the addresses of its draws from state.key, each range as its first address and the one after its last.
    """

    name: str
    words: str
    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Game:
    """A game on the contract.

    Attributes:
        name: folder name; title: for people; players: possible numbers of players.
        version: version of the rules; it changes when outcomes change, and only then.
        numbers, categories: what is counted for each seat, see `outcome_dtype`.
        things: name of a kind of held thing (kings, …) → what there is to know about it.
        places: heading → categories that hold a place in some order, by round.
        headings: prefix of `numbers` → heading of a table; "points" and "after" are known to every analysis.
        titles: name of a number, label or setting → words for people, where the name won't do.
        absent: components (the record) → names of the numbers that can only be 0 with these (tiles that stay in the
            box).
        phases: heading → the kinds of decisions (of `asks`) that belong together for people; one phase for each kind if
            there are none.
        hidden: change of the components ("" for none) → the fields of the state that `imagine` may redraw with it,
            beside the keys: what a player can't see.
        course: how it tells its course.
        chance: its sources of chance: each address that it draws from belongs to exactly one.
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
    set_up: Callable
    advance: Callable
    apply: Callable
    imagine: Callable
    tally: Callable
    numbers: tuple[str, ...]
    categories: Mapping[str, tuple[str, ...]]
    folder: Path
    things: Mapping[str, Things] = field(default_factory=dict)
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    headings: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    absent: Callable[[Any], Collection[str]] = lambda components: ()
    phases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hidden: Mapping[str, Collection[str]] = field(default_factory=lambda: {"": ()})
    course: Course = Course()
    chance: tuple[ChanceSource, ...] = (ChanceSource("chance", "all chance of the game", ((0, ADDRESSES),)),)

    @classmethod
    def of(
        cls,
        state: ModuleType,
        signatures: Signatures,
        rules: tuple[Callable, Callable, Callable, Callable, Callable],
        **card: Any,
    ) -> "Game":
        """Return a game whose records and counts stand in a module of its package, which has TITLE and PLAYERS.

        Args:
            state: with SEATS, MOST_OPTIONS, NUMBERS and CATEGORIES. signatures: of its entry points.
            rules: set_up, advance, apply, imagine, tally. card: all other fields.
        """
        package = sys.modules[str(state.__package__)]
        set_up, advance, apply, imagine, tally = rules
        return cls(
            name=package.__name__.rpartition(".")[2], title=package.TITLE, players=package.PLAYERS,
            folder=Path(str(state.__file__)).parent, seats=state.SEATS,
            dtypes=signatures.dtypes, signatures=signatures, most_options=state.MOST_OPTIONS, numbers=state.NUMBERS,
            categories=state.CATEGORIES, set_up=set_up, advance=advance, apply=apply, imagine=imagine, tally=tally,
            **card,
        )  # fmt: skip

    @cached_property
    def entries(self) -> Entries:
        """Its functions, as thinkers take them."""
        return Entries(self.advance, self.apply, self.imagine, self.tally)

    @cached_property
    def pools(self) -> np.ndarray:
        """For each category the number of the kind of thing that it counts, −1 for none; int64."""
        kinds = {category: kind for kind, things in enumerate(self.things.values()) for category in things.categories}
        return np.array([kinds.get(category, -1) for category in self.categories] or [-1], np.int64)

    @property
    def has_course(self) -> bool:
        """Whether there are scores on the way."""
        return self.course.standing is not None or "score" in (self.dtypes[1].names or ())

    @cached_property
    def loop(self) -> Callable:
        """The hot loop, compiled for this game."""
        from sim.play import loop_of

        return compiled(self.signatures.loop, self.folder)(loop_of(self))

    @cached_property
    def no_thought(self) -> Callable:
        """The thinker of a strategy that has none."""
        from sim.play import no_thought

        return compiled(self.signatures.thinker, self.folder)(no_thought)

    @cached_property
    def add_up(self) -> Callable:
        """The sums by block, compiled for this game."""
        from sim.outcomes import add_up

        return compiled(self.signatures.add_up, self.folder, long_loops=True)(add_up)


@dataclass(frozen=True)
class Strategy:
    """A strategy that is ready to play.

    Attributes:
        policy: compiled for the game. weights: float64, any length.
        thinker: compiled for the game, or None. budget: how many games it may play on for a decision; negative:
            microseconds.
        at_random: set of kinds of decisions (bits, by index into Game.asks) that are taken at random whatever the
            strategy says.
    """

    name: str
    policy: Callable
    weights: np.ndarray
    thinker: Callable | None = None
    budget: int = 0
    at_random: int = 0


def desk_for(game: Game, strategies: Iterable[Strategy]) -> Desk:
    """Return a desk with room for the thinkers among some strategies."""
    most = max((MOST_NODES if s.budget < 0 else s.budget for s in strategies if s.thinker), default=0)
    _, state, option, outcome = game.dtypes
    nodes = records(NODE, 2 * most + game.most_options + 2)
    return Desk(records(state, WORLDS), records(option, game.most_options), records(outcome, 1), nodes)


class Entrant(Protocol):
    """How a study names a strategy: small, hashable, fit to be sent to a worker, and able to load the real thing
    there."""

    @property
    def name(self) -> str: ...

    def __hash__(self) -> int: ...

    def load(self, game: Game, components: Any) -> Strategy:
        """Return the strategy for a game with these components (the record)."""
        ...
