"""Which strategies from files, and which games from elsewhere, this user has played with: a run or a saved game from
somebody else may contain any program, or lead to it.

An empty file in the user's cache folder stands for each; its name is a digest of its name and source.
"""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Protocol

from sim.code_files import base
from sim.runner import StrategyError

_sent: ContextVar[bool] = ContextVar("sent", default=False)


class FromFile(Protocol):
    """A strategy; `where`: what its file is called; `source`: its text, "" if it comes with the game. Or a game from
    elsewhere; `source`: a digest of its files."""

    @property
    def where(self) -> str: ...
    @property
    def source(self) -> str: ...


def _mark(program: FromFile) -> Path:
    text = f"{program.where}\0{program.source}"
    return base() / "begun" / hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def remember(programs: Iterable[FromFile]) -> str:
    """Remember that this user plays with some strategies or games; return why that fails, "" if it doesn't."""
    try:
        for program in programs:
            if program.source and not (path := _mark(program)).is_file():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
    except OSError as error:
        return f"{base()} can't be written ({str(error.strerror or error).lower()})"
    return ""


@contextmanager
def alone(trust: bool) -> Iterator[None]:
    """Run only those strategies and games that this user has played with; trust: run all of them."""
    token = _sent.set(not trust)
    try:
        yield
    finally:
        _sent.reset(token)


def check(what: str, program: FromFile) -> None:
    """Raise StrategyError, inside `alone`, for a strategy or a game that this user has never played with.

    Args:
        what: what it is called in the message.
    """
    try:
        known = not _sent.get() or _mark(program).is_file()
    except OSError:
        known = False
    if not known:
        raise StrategyError(
            f"{what}: found a program that you have not begun to play with here; allowed with --trust, if you trust it"
        )
