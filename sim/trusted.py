"""Which strategies from files this user has played with: a run or a saved game from somebody else may contain any
program.

An empty file in the user's cache folder stands for each; its name is a digest of the strategy's name and source.
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
    """A strategy; `where`: what its file is called; `source`: its text, "" if it comes with the game."""

    @property
    def where(self) -> str: ...
    @property
    def source(self) -> str: ...


def _mark(strategy: FromFile) -> Path:
    text = f"{strategy.where}\0{strategy.source}"
    return base() / "begun" / hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def remember(strategies: Iterable[FromFile]) -> str:
    """Remember that this user plays with some strategies; return why that fails, "" if it doesn't."""
    try:
        for strategy in strategies:
            if strategy.source and not (path := _mark(strategy)).is_file():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
    except OSError as error:
        return f"{base()} can't be written ({str(error.strerror or error).lower()})"
    return ""


@contextmanager
def alone(trust: bool) -> Iterator[None]:
    """Run only those strategies from files that this user has played with; trust: run all of them."""
    token = _sent.set(not trust)
    try:
        yield
    finally:
        _sent.reset(token)


def check(name: str, strategy: FromFile) -> None:
    """Raise StrategyError, inside `alone`, for a strategy from a file that this user has never played with.

    Args:
        name: what the strategy is called. strategy: the same.
    """
    try:
        known = not _sent.get() or _mark(strategy).is_file()
    except OSError:
        known = False
    if not known:
        raise StrategyError(
            f"strategy {name}: found a program that you have not begun to play with here; allowed with --trust, if you "
            "trust it"
        )
