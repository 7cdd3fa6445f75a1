"""Every draw of a game from its chance, with the line of code that draws: for checks, with the JIT off."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from re import fullmatch
from typing import Any

import numba

from sim import chance, replay
from sim.contract import ADDRESSES, ChanceSource
from sim.replay import Session
from sim.runner import Study


@dataclass(frozen=True)
class ChanceDraw:
    """One look at a random event.

    Attributes:
        key, address: of the event. sides: how many values it may have; 0 for all 64 bits.
        file, line: the code that draws.
    """

    key: int
    address: int
    sides: int
    file: str
    line: int


@contextmanager
def traced() -> Iterator[list[ChanceDraw]]:
    """Keep a list of all draws that are made meanwhile, from whatever key.

    Raises:
        RuntimeError: the JIT is on, and compiled code can't be watched.
    """
    if not numba.config.DISABLE_JIT:
        raise RuntimeError("draws can be traced with NUMBA_DISABLE_JIT=1 only")
    made: list[ChanceDraw] = []
    bits = chance.bits

    def watched(key: Any, address: Any) -> Any:
        frame: Any = sys._getframe(1)
        sides = 0
        while frame.f_globals is vars(chance):  # drawn or shuffled by: the line that wants it lies further out
            sides = int(frame.f_locals["sides"]) if frame.f_code is chance.draw.__code__ else sides
            frame = frame.f_back
        made.append(ChanceDraw(int(key), int(address), sides, frame.f_code.co_filename, frame.f_lineno))
        return bits(key, address)

    users = [module for module in [*sys.modules.values()] if vars(module).get("bits") is bits]
    for module in users:
        vars(module)["bits"] = watched
    try:
        yield made
    finally:
        for module in users:
            vars(module)["bits"] = bits


def draws_of(study: Study, number: int, choose: Callable[[Session], int] = Session.ask) -> list[ChanceDraw]:
    """Play a game of a study to its end, and return what it draws from its own chance, in order.

    Args:
        number: of the game. choose: asked for the index of an option.
    """
    with traced() as made:
        session = Session(study, number, stepping=False)
        while session.advance():
            session.choose(choose(session))
    key = int(session.state.key)
    return [draw for draw in made if draw.key == key and draw.file != replay.__file__]


def strays(sources: Sequence[ChanceSource], draws: Iterable[ChanceDraw]) -> Iterator[ChanceDraw]:
    """Yield the draws whose address doesn't belong to exactly one of a game's sources of chance."""
    for draw in draws:
        if sum(low <= draw.address < high for source in sources for low, high in source.ranges) != 1:
            yield draw


def misfits(sources: Sequence[ChanceSource]) -> Iterator[str]:
    """Yield a line for each thing that is wrong with the sources of chance of a game."""
    names = [source.name for source in sources]
    yield from (f"two sources of chance are called {name}" for name in sorted({n for n in names if names.count(n) > 1}))
    for source in sources:
        if not fullmatch("[a-z][a-z0-9_]*", source.name):
            yield f"source of chance {source.name!r}: a name has small letters, digits and _"
        for low, high in source.ranges:
            if not 0 <= low < high <= ADDRESSES:
                yield f"source of chance {source.name}: addresses {low} to {high - 1}, allowed are 0 to {ADDRESSES - 1}"
    ranges = sorted((low, high, source.name) for source in sources for low, high in source.ranges)
    for (_, high, name), (low, _, other) in pairwise(ranges):
        if low < high:
            yield f"address {low} belongs to two sources of chance: {name} and {other}"
