"""Whether a strategy keeps to its contract when it plays: it is asked in every position of some games, whoever's turn
it is there.

What it is lent lies in memory that can't be written to, so that a write ends the process even if the value would be put
back. Where that is not wanted, the bytes are compared after each answer.
"""

import ctypes
import mmap
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import cgutils
from numba.core.callconv import CPUCallConv
from numba.core.lowering import Lower
from numba.core.runtime.context import NRTContext

from sim import registry
from sim.chance import mix
from sim.compiled import compiled, entry_of
from sim.contract import Entrant, Game, Strategy, desk_for
from sim.play import DECISIONS_LIMIT
from sim.proof import Objection, SourceLine, asking
from sim.proof.asking import BOX, DECISION, DECISIONS, HASH, NUMBER, PLAYING, SEAT, TABLE
from sim.replay import Session
from sim.runner import Study

HERE = Path(__file__).parent
SEED = 1
KEYS = np.array([7, 8], np.uint64)  # with which what a player can't know is redrawn
CHANCES = np.arange(1, 17, dtype=np.uint64)  # from which other keys of the game's chance are made
FILLS = (0x55, 0x2A)  # bytes of memory that was never written to: once these, once those
NOTHING = "a strategy changes nothing that it is lent"


class Case:
    """What a strategy is lent, in memory of its own: nothing that it does there reaches the game.

    Attributes:
        guarded: whether it can't be written to. written: where it can be: the path of what was written to first; "" for
            nothing.
        laid, shown: components and state (1,), options and weights: the same memory, to be written to, and as the
            strategy sees it.
    """

    def __init__(self, game: Game, strategy: Strategy, guarded: bool):
        """Make room for the records of a game, and lay the weights of a strategy there."""
        self.guarded, self.written = guarded, ""
        self._choose, self._imagine = _chooser(game, strategy), _entry(game.imagine)
        components, state, option, _ = game.dtypes
        sizes = {"components": (components, 1), "state": (state, 1), "options": (option, game.most_options)}
        sizes["weights"] = (strategy.weights.dtype, len(strategy.weights))
        made = {name: _twice(dtype, n, guarded) for name, (dtype, n) in sizes.items()}
        self.laid, self.shown = ({name: pair[side] for name, pair in made.items()} for side in (0, 1))
        self._bytes = {name: raw(laid) for name, laid in self.laid.items()}
        # Plain records: those of a recarray take ten times as long to hand over.
        self._components, self._state, self._world = (
            self.shown["components"][0],
            self.shown["state"][0],
            self.laid["state"][0],
        )
        self.lay("weights", raw(strategy.weights))

    def lay(self, name: str, values: Any) -> None:
        """Lay bytes there: those of components, state, options or weights."""
        self._bytes[name][: len(values)] = values

    def ask(self, n: int) -> int:
        """Return what the strategy chooses among the first n options that lie there."""
        before = {} if self.guarded else {name: values.copy() for name, values in self._bytes.items()}
        with np.errstate(over="ignore"):
            chosen = int(
                self._choose(self._components, self._state, self.shown["options"][:n], n, self.shown["weights"])
            )
        for name, values in before.items():
            if not self.written and (values != self._bytes[name]).any():
                self.written = changed_field(name, values.view(self.laid[name].dtype), self.laid[name])
        return chosen

    def imagine(self, player: int, key: Any) -> None:
        """Redraw all that a player can't know in the state that lies there, but for the noise, which stays."""
        noise = self._world["noise"]
        with np.errstate(over="ignore"):
            self._imagine(self._components, self._world, player, key)
        self._world["noise"] = noise


def raw(array: Any) -> Any:
    """Return the bytes of an array, as an array."""
    return array.view(np.ndarray).view(np.uint8).reshape(-1)


def _chooser(game: Game, strategy: Strategy) -> Any:
    """Return what a strategy chooses by, its thinker if it has one, as a function of a position."""
    if strategy.thinker is None:
        return _entry(strategy.policy)
    think = entry_of(strategy.thinker)
    return lambda *position: think(
        game.entries, strategy.policy, *position, desk_for(game, [strategy]), strategy.budget
    )


def _entry(function: Any) -> Any:
    return entry_of(function) if hasattr(function, "overloads") else function  # with the JIT off there is none


def _twice(dtype: np.dtype, n: int, guarded: bool) -> tuple[Any, Any]:
    """Return the same memory twice, as (n,) arrays: to write to, and to show; if guarded, a write to the latter ends
    the process."""
    if not guarded:
        array = np.zeros(n, dtype)
        return array, array
    size = max(1, n * dtype.itemsize)
    with tempfile.TemporaryFile() as file:
        file.truncate(size)
        back, front = mmap.mmap(file.fileno(), size), mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
    # numba wants an array like any other
    block = (ctypes.c_char * size).from_address(np.frombuffer(front, np.uint8).ctypes.data)
    block.memory = front  # type: ignore[attr-defined]  # which lives as long
    return np.frombuffer(back, dtype, n), np.frombuffer(memoryview(block), dtype, n)


_fill = ctypes.c_ubyte()  # what memory holds that was never written to, in code compiled under `checks_in_code`


class Position:
    """A position in which a strategy is asked, with what it answers.

    Attributes:
        case: what lies there. chosen: the first answer. n: options. made: decisions before this one.
    """

    def __init__(self, session: Session, case: Case):
        """Ask for the first time."""
        self.case, self.n, self.made = case, session.n, int(session.state.decision)
        self._player, self._state = session.player, raw(session.states)
        case.lay("components", raw(session.components))
        case.lay("options", raw(session.options[: self.n]))
        self.chosen = self.again(FILLS[0])

    def again(self, fill: int) -> int:
        """Return what the strategy chooses; fill: byte of memory that was never written to."""
        self.case.lay("state", self._state)
        _fill.value = fill
        return self.case.ask(self.n)

    def redrawn(self, key: Any) -> int:
        """Return what it chooses when all that its player can't know is redrawn, but for the noise."""
        self.case.lay("state", self._state)
        self.case.imagine(self._player, key)
        return self.case.ask(self.n)

    def with_other_chance(self, key: Any) -> int:
        """Return what it chooses when the key of the game's chance is another, and nothing else."""
        self.case.lay("state", self._state)
        with np.errstate(over="ignore"):
            self.case.laid["state"]["key"] = mix(key)
        return self.case.ask(self.n)


def choosing(position: Position) -> Iterator[Objection]:
    """Yield a choice outside the options."""
    if not 0 <= position.chosen < position.n:
        yield Objection(f"chose {position.chosen}, allowed are 0 to {position.n - 1}")


def repeating(position: Position) -> Iterator[Objection]:
    """Yield another choice in the same position."""
    again = position.again(FILLS[1])
    if again != position.chosen:
        found = f"asked twice in the same position, chose {position.chosen}, then {again}"
        yield Objection(
            found, "a choice depends on the position and the weights alone, and not on memory that was never written to"
        )


def not_knowing(position: Position) -> Iterator[Objection]:
    """Yield another choice where only what the player can't know is another."""
    redrawn = [position.redrawn(key) for key in KEYS]
    other = next((chosen for chosen in redrawn if chosen != position.chosen), None)
    if other is None:
        return
    coming = next((chosen for chosen in map(position.with_other_chance, CHANCES) if chosen != position.chosen), None)
    other, words = (
        (other, "what its player can't see is redrawn")
        if coming is None
        else (coming, "other chance is to come (state.key)")
    )
    yield Objection(f"chose {position.chosen}, but {other} when {words}", "a choice depends on what its player can see")


def ending(position: Position) -> Iterator[Objection]:
    """Yield a game in which far too many decisions have been made."""
    if position.made >= DECISIONS_LIMIT:
        yield Objection("the game never ends")


def changing(position: Position) -> Iterator[Objection]:
    """Yield what has been written to, where that does not end the process."""
    if position.case.written:
        yield Objection(f"writes to {position.case.written}", NOTHING)


CHECKS = (changing, choosing, repeating, not_knowing, ending)


def changed_field(name: str, before: Any, after: Any) -> str:
    """Return the path of the first field that differs between records, as in state.score; the name alone where there
    are no fields."""
    differ = (field for field in before.dtype.names or () if before[field].tobytes() != after[field].tobytes())
    return ".".join([name, *list(differ)[:1]])


def kernel(game: Game) -> Any:
    """Return `sim.proof.asking.play_on`, compiled for a game."""
    return compiled(asking.signature(game), Path(asking.__file__), game.folder)(asking.play_on)


def findings(
    studies: Sequence[Study], strategy: Strategy, games: int, *, box: Any = None, only: tuple[int, int] | None = None
) -> Iterator[Objection]:
    """Yield what a strategy does in some games that breaks the contract: all that is found at the first position where
    something is.

    Args:
        studies: who plays what, at most two strategies; all of one game. strategy: the one that is asked, whoever
            plays. games: of each.
        box: (BOX,) int64, overwritten: where it is, see `asking`.
        only: number of the study, and of its game that alone is played, step by step, where memory can be written to:
            that names what is written to. Without it a write ends this process.
    """
    game, box = registry.load(studies[0].game), np.zeros(BOX, np.int64) if box is None else box
    case, play_on = Case(game, strategy, only is None), entry_of(kernel(game)) if only is None else None
    for number, table in product(range(games), range(len(studies))) if only is None else [only[::-1]]:
        session = Session(studies[table], number, stepping=False)
        session.advance()
        box[TABLE], box[NUMBER], box[PLAYING] = table, number, 1
        try:
            found = list(
                _at_once(session, strategy, case, play_on, box)
                if play_on
                else _step_by_step(session, strategy, case, box)
            )
        except Exception as error:
            found = [Objection(f"{type(error).__name__}: {error}", "", place_of(error), where(session))]
        if found:
            yield from found
            return


def stepping(studies: Sequence[Study], strategy: Strategy, games: int) -> Iterator[Objection]:
    """Yield as `findings` does, in this process and step by step: slower, but a write is named and ends nothing."""
    for number, table in product(range(games), range(len(studies))):
        yield from findings(studies, strategy, 1, only=(table, number))


def _at_once(session: Session, strategy: Strategy, case: Case, play_on: Any, box: Any) -> Iterator[Objection]:
    """Play a game by the kernel, once with each fill of memory; where it stops, or the choices differ, yield what is
    found there."""
    game, cast, shown, laid = session.game, session.cast, case.shown, case.laid
    other = next((seat for seat in cast if seat is not strategy), strategy)
    others = np.array([seat is not strategy for seat in cast], np.bool_)
    case.lay("components", raw(session.components))
    start, options, hashes = raw(session.states).copy(), raw(session.options).copy(), set()
    for fill in FILLS:
        raw(session.states)[:], raw(session.options)[:], box[HASH] = start, options, 0
        _fill.value = fill
        stopped = play_on(
            game.advance, game.apply, game.imagine, strategy.policy, other.policy, session.components, session.states,
            session.options, others, strategy.weights, other.weights, laid["state"], shown["components"],
            shown["state"], laid["options"], shown["options"], shown["weights"], KEYS, box, session.n,
        )  # fmt: skip
        hashes.add(int(box[HASH]))
        if stopped or len(hashes) > 1:
            if stopped:
                session.n = stopped
            else:
                raw(session.states)[:], raw(session.options)[:] = start, options
            found = list(_step_by_step(session, strategy, case, box))
            yield from found or [Objection("its choices differ from one time to the next", position=where(session))]
            return


def _step_by_step(session: Session, strategy: Strategy, case: Case, box: Any) -> Iterator[Objection]:
    """Play a game on, and yield all that the checks find at the first position where they find something."""
    while session.n:
        box[DECISION], box[DECISIONS], box[SEAT] = session.state.decision, box[DECISIONS] + 1, session.player
        position = Position(session, case)
        found = [finding for check in CHECKS for finding in check(position)]
        if found:
            yield from (replace(finding, position=where(session)) for finding in found)
            return
        session.choose(position.chosen if session.cast[session.player] is strategy else session.ask())
        session.advance()


def where(session: Session) -> str:
    """Return which decision of which game it is, in words."""
    return position_words(
        session.number, int(session.state.decision), session.player, session.study.players, session.study.entrants
    )


def position_words(number: int, decision: int, seat: int, players: int, entrants: Sequence[Entrant]) -> str:
    """Return which decision of which game it is, in words: what `chapterhouse replay` takes."""
    names = " and ".join(entrant.name for entrant in entrants)
    return f"seed {SEED}, game {number}, decision {decision}, seat {seat + 1}, {players} players, {names}"


def place_of(error: BaseException) -> SourceLine | None:
    """Return the line of code at which compiled code has raised an error; None if it is not known."""
    ours = (HERE, Path(numba.__file__).parent)
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not any(map(Path(frame.filename).is_relative_to, ours))
    ]
    return SourceLine(frames[-1].filename, frames[-1].lineno or 0) if frames else None


@contextmanager
def checks_in_code() -> Iterator[None]:
    """Have numba compile so that bounds are checked, what it raises by itself tells the line, and new memory holds
    `_fill`."""
    at: list[Any] = [None]
    notify, raised, allocated = Lower.notify_loc, CPUCallConv.return_user_exc, NRTContext.meminfo_alloc_aligned

    def notify_and_keep(self: Any, loc: Any) -> None:
        at[0] = loc
        notify(self, loc)

    def raised_there(
        self: Any, builder: Any, exc: Any, exc_args: Any = None, loc: Any = None, func_name: Any = None
    ) -> None:
        raised(self, builder, exc, exc_args, loc or at[0], func_name)

    def filled(self: Any, builder: Any, size: Any, align: Any) -> Any:
        found = allocated(self, builder, size, align)
        byte = cgutils.int8_t.as_pointer()
        fill = builder.load(builder.inttoptr(cgutils.intp_t(ctypes.addressof(_fill)), byte))
        cgutils.memset(builder, self.meminfo_data(builder, found), size, fill)
        return found

    Lower.notify_loc, CPUCallConv.return_user_exc, NRTContext.meminfo_alloc_aligned = (
        notify_and_keep,
        raised_there,
        filled,
    )
    numba.config.BOUNDSCHECK, before = 1, numba.config.BOUNDSCHECK
    try:
        yield
    finally:
        Lower.notify_loc, CPUCallConv.return_user_exc, NRTContext.meminfo_alloc_aligned = notify, raised, allocated
        numba.config.BOUNDSCHECK = before
