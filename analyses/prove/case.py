"""The game that is proved: its tables, its readings, its files, and games of it step by step."""

import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import numba
import numpy as np

from analyses.prove.finding import Fault, PlayedGame
from sim import registry
from sim.contract import MOST_STRATEGIES, records
from sim.printed.components import Components, ComponentsError, changed, read
from sim.replay import Session
from sim.runner import StrategyError, Study, play, prepare, strategies
from strategies import catalog

SEED = 11
RANDOM = "random_legal"
LONGEST = 20_000  # decisions of a game that is played step by step: one that takes more is called endless


class BrokenOffError(Exception):
    """A game's own code has failed, or broken off its contract; the finding says how."""

    def __init__(self, finding: Fault):
        super().__init__(finding.words())
        self.finding = finding


@dataclass
class ProvedGame:
    """A game, and what its checks share.

    Attributes:
        name: of the game. beat: called before each game that is played, with its words: somebody watches that it ends.
        did: what was looked at, in words → how much. left: what was not checked, and why, in words.
        counted: numbers that were not 0 in some game; had: category → its labels that somebody had.
    """

    name: str
    beat: Callable[[str], None] = lambda words: None
    did: dict[str, int] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    counted: set[int] = field(default_factory=set)
    had: dict[int, set[int]] = field(default_factory=dict)

    @cached_property
    def game(self) -> Any:
        """The game."""
        return registry.load(self.name)

    @cached_property
    def printed(self) -> Components:
        """Its components as they come with it."""
        return read(self.name)

    @cached_property
    def tables(self) -> list[tuple[int, tuple[str, ...]]]:
        """Each number of players with the strategies that play so, as many as one study holds."""
        return [(n, able(self.name, n)[:MOST_STRATEGIES]) for n in self.game.players]

    @cached_property
    def readings(self) -> list[str]:
        """A change for each reading of each rule that the components know, but for those that are played anyway."""
        return list(readings(self.printed))

    def count(self, what: str, number: int = 1) -> None:
        """Count what was looked at."""
        self.did[what] = self.did.get(what, 0) + number

    def leave(self, what: str) -> None:
        """Note what was not checked."""
        if what not in self.left:
            self.left.append(what)

    def study(self, players: int, *names: str, changes: Sequence[str] = ()) -> Study:
        """Return a study with some strategies, or with chance in every seat."""
        entrants = tuple(catalog.entrant(self.name, name, players) for name in names or (RANDOM,))
        return Study(self.name, players, entrants, self.components(changes).record, SEED)

    def components(self, changes: Sequence[str] = ()) -> Components:
        """Return the components with some changes."""
        return read(self.name, changes=changes) if changes else self.printed

    def studies(self, *, changes: bool = False) -> Iterator[tuple[Study, tuple[str, ...]]]:
        """Yield the study of each table and, with `changes`, random games at each for each reading; and the changes."""
        for players, names in self.tables:
            yield self.study(players, *names), ()
        for i, change in enumerate(self.readings if changes else ()):
            players = self.game.players[i % len(self.game.players)]
            yield self.study(players, changes=(change,)), (change,)

    def play(self, study: Study, games: int, changes: Sequence[str] = ()) -> tuple[Any, int]:
        """Play the first games of a study in the hot loop, and keep what they count; return outcomes and decisions.

        Raises:
            StrategyError: a game does not end.
        """
        prepare(self.game, study.entrants, study.components)  # that is no game, however long it takes
        dealt = f" with {study.deal.kind} dealt" if study.deal else ""
        self.beat(f"{games} games{dealt}: {game_of(study, 0, changes)}")
        outcomes, decisions = play(study, 0, games)
        self.beat("")
        self.count("games in the loop", games)
        self.count("decisions in the loop", decisions)
        self.counted |= set(np.flatnonzero((outcomes["numbers"][:, : study.players] != 0).any((0, 1))).tolist())
        for i in range(len(self.game.categories)):
            self.had.setdefault(i, set()).update(np.unique(outcomes["categories"][:, : study.players, i]).tolist())
        return outcomes, decisions

    def place(self, path: str | Path) -> str:
        """Return what a file of the game is called in a finding: its path below the folder that holds it."""
        try:
            return Path(path).relative_to(registry.home(self.name)).as_posix()
        except ValueError:
            return Path(path).name

    @cached_property
    def files(self) -> list[Path]:
        """The Python files with the game's rules."""
        if registry.is_guest(self.name):
            return [path for path in registry.files(self.name) if path.suffix == ".py"]
        return sorted(self.game.folder.glob("*.py"))

    @cached_property
    def own(self) -> frozenset[str]:
        """Their names, as frames have them."""
        return frozenset(map(str, self.files))

    def line_with(self, files: Iterable[Path], pattern: str) -> tuple[str, int] | None:
        """Return the first file and line in which a pattern occurs, comments apart; None if it doesn't."""
        for path in files:
            for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
                if re.search(pattern, line.partition("#")[0]):
                    return self.place(path), number
        return None

    def place_of(self, error: BaseException) -> tuple[str, int] | None:
        """Return the last line of the game's files that an error came through; None if there is none."""
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in self.own]
        return (self.place(frames[-1].filename), frames[-1].lineno or 0) if frames else None


def able(name: str, players: int) -> tuple[str, ...]:
    """Return the strategies that play a game with so many players; with the JIT off without those that work out their
    weights, which takes minutes there."""
    found = []
    for strategy in catalog.names(name):
        try:
            entrant = catalog.entrant(name, strategy, players)
        except StrategyError:
            continue
        if not (numba.config.DISABLE_JIT and entrant.weighs):
            found.append(strategy)
    return tuple(found)


def readings(printed: Components) -> Iterator[str]:
    """Yield a change for each value of each switch that is not played anyway."""
    rules = getattr(printed.model, "rules", None)
    for name, entry in type(rules).model_fields.items() if rules else ():
        for value in (False, True) if entry.annotation is bool else get_args(entry.annotation):
            if value == getattr(rules, name):
                continue
            change = f"rules.{name}={str(value).lower() if isinstance(value, bool) else value}"
            try:
                read(printed.game, changes=(change,))
            except ComponentsError:  # it goes with another value elsewhere
                continue
            yield change


def game_of(study: Study, number: int, changes: Sequence[str] = (), decision: int | None = None) -> PlayedGame:
    """Return which game it is."""
    names = tuple(entrant.name for entrant in study.entrants)
    return PlayedGame(study.players, names, study.seed, number, tuple(changes), decision)


def twin(array: Any) -> Any:
    """Return a copy of an array of records, with the bytes between its fields, which `copy` leaves out."""
    other = records(array.dtype, len(array))
    other.view(np.uint8)[:] = array.view(np.uint8)
    return other


def first_difference(one: Any, other: Any) -> str:
    """Return the first field in which two records (1,) of a dtype differ, "" if none does."""
    return next((name for name in one.dtype.names if one[name].tobytes() != other[name].tobytes()), "")


class Walk(Session):
    """One game of a study, step by step; what breaks the contract on the way raises BrokenOffError.

    Attributes:
        case, changes: of the study. decisions, events: so far.
    """

    def __init__(
        self,
        case: ProvedGame,
        study: Study,
        number: int,
        *,
        changes: Sequence[str] = (),
        stepping: bool = False,
        fill: int | None = None,
    ):
        """Deal game `number`; fill: the value with which the list of options is spoiled before each decision."""
        self.case, self.changes, self._fill = case, tuple(changes), fill
        self.decisions = self.events = 0
        self.study, self.number = study, number
        strategies(study)  # to compile them takes as long as it takes
        case.beat(str(self.where()))
        with self.guarded("set-up"):
            super().__init__(study, number, stepping=stepping)
        if numba.config.DISABLE_JIT:  # machine code takes no memory that it can't write to
            self.components.flags.writeable = False
            self._printed = self.components[0]

    def advance(self) -> int:
        """Run on to the next pause, as `Session` does, but note where a whole number is too large for 64 bits."""
        with self.guarded("advance"), overflowing(self):
            self.n = int(self.game.advance(self._printed, self.state, self.options))
        if self.n == 0:
            with self.guarded("tally"), overflowing(self):
                self.game.tally(self._printed, self.state, self.outcome[0])
        return self.n

    def where(self) -> PlayedGame:
        """Return where it is."""
        return game_of(self.study, self.number, self.changes, self.decisions)

    @contextmanager
    def guarded(self, what: str) -> Iterator[None]:
        """Turn an error of the game's own code into a BrokenOffError; what: is being done."""
        try:
            yield
        except (BrokenOffError, StrategyError):
            raise
        except Exception as error:
            finding = Fault("code", *said(error, what), game=self.where())
            raise BrokenOffError(finding.at(self.case.place_of(error))) from error

    def fail(self, check: str, found: str, allowed: str = "", field: str = "") -> BrokenOffError:
        """Return an error that says what breaks the contract here."""
        return BrokenOffError(Fault(check, found, allowed, game=self.where(), field=field))

    def positions(self) -> Iterator[int]:
        """Yield the number of options at each decision with at least two, until the game is over; `choose` then."""
        stepping = bool(self.state.stepping)
        while True:
            if self._fill is not None:
                for name in self.options.dtype.names:
                    self.options[name] = self._fill
            before = self.decisions
            n = self.advance()
            if n == 0:
                return
            if n < 0 or n == 1:
                self._paused(n, stepping)
                continue
            self._check(n)
            if self.decisions % 100 == 99 and self.decisions < LONGEST // 2:  # who watches waits no longer then
                self.case.beat(str(self.where()))
            yield n
            if self.decisions == before:
                raise RuntimeError("nobody has chosen")

    def _paused(self, n: int, stepping: bool) -> None:
        if not stepping:
            found = "advance stops with a single option" if n == 1 else f"advance returned {n}"
            allowed = "-1 and 1 only where state.stepping is set: a choice without an alternative is carried out"
            raise self.fail("stepping", found, allowed)
        self.events += 1
        if self.events > 50 * LONGEST:
            raise self.fail("games end", "advance pauses again and again, and no decision comes")
        if n == 1:
            self.choose(0, forced=True)

    def _check(self, n: int) -> None:
        state = self.state
        if n > self.game.most_options:
            raise self.fail("options", f"{n} options", f"at most {self.game.most_options}, the most of the game")
        if not 0 <= self.player < self.study.players:
            raise self.fail(
                "options", f"state.player is {self.player}", f"0 to {self.study.players - 1}", "state.player"
            )
        if not 0 <= int(state.asks) < len(self.game.asks):
            found = f"state.asks is {int(state.asks)}"
            raise self.fail("options", found, f"0 to {len(self.game.asks) - 1}", "state.asks")
        if int(state.decision) != self.decisions:
            found = f"state.decision is {int(state.decision)} after {self.decisions} decisions"
            raise self.fail("options", found, "apply adds 1 to it, and nobody else", "state.decision")

    def choose(self, index: int, forced: bool = False) -> None:
        """Carry out an option."""
        with self.guarded("apply"), overflowing(self):
            self.game.apply(self._printed, self.state, self.options[index])
        self.decisions += not forced

    def to_the_end(self, choose: Callable[["Walk", int], int | None] = lambda walk, n: None) -> "Walk":
        """Play on to the end, by the strategies or by what `choose` says; returns itself."""
        for n in self.positions():
            if self.decisions >= LONGEST:
                raise self.fail("games end", f"no end after {LONGEST:,} decisions")
            chosen = choose(self, n)
            self.choose(self.ask() if chosen is None else chosen)
        return self


@contextmanager
def overflowing(walk: Walk) -> Iterator[None]:
    """Raise BrokenOffError where a whole number no longer fits its type in the game's own files; JIT off alone, since
    machine code says nothing."""
    found: list[tuple[str, int]] = []

    def note(kind: str, flag: int) -> None:
        frame = sys._getframe(1)
        if frame.f_code.co_filename in walk.case.own:
            found.append((walk.case.place(frame.f_code.co_filename), frame.f_lineno))

    before = np.seterrcall(note)
    try:
        with np.errstate(over="call"):
            yield
    finally:
        np.seterrcall(before)
    if found:
        finding = Fault(
            "overflow", "a whole number no longer fits its type, and starts again from below",
            "int(…) around a narrow field before it is calculated with, or smaller numbers", game=walk.where(),
        )  # fmt: skip
        raise BrokenOffError(finding.at(found[0]))


def said(error: BaseException, what: str) -> tuple[str, str]:
    """Return what an error of a game's code means, and what is allowed, in words; what: was being done."""
    text = " ".join(str(error).split())
    if "read-only" in text:
        return f"{what} writes to what it only reads", "rules read the components, and change the state alone"
    if isinstance(error, IndexError):
        return f"{what}: an index is out of range ({text})", "0 to the length - 1"
    if isinstance(error, OverflowError):
        return f"{what}: a number doesn't fit its field ({text})", "a field of more bits, or smaller numbers"
    return f"{what}: {type(error).__name__}: {text}", ""


def where_told(case: ProvedGame, path: str) -> tuple[str, int] | None:
    """Return where a number's path stands in the game's files, by its last names; None if nowhere."""
    names = [name for name in path.split(".") if not name.isdigit()]
    sheets = sorted(case.game.folder.glob("components.toml"))
    return (
        case.line_with(sheets, rf"^\s*{names[-1]}\s*=")
        or case.line_with(sheets, rf"\b{names[-1]}\s*=")
        or case.line_with(case.files, rf"^\s*{names[-1]}\s*[:=]")
    )


def replaced(printed: Components, change: Mapping[str, Any]) -> Components | None:
    """Return components with other values at some paths; None if they refuse them."""
    try:
        return changed(printed, change)
    except ComponentsError:
        return None
