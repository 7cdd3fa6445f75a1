"""Progress of a run: a bar on a terminal, elsewhere a line every ten seconds, and a line at the end; all on standard
error."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from datetime import timedelta
from threading import Event, Thread
from time import perf_counter
from typing import Any

from scripts.output import console
from sim.legible import say

EVERY = 10.0  # seconds from one line to the next where there is no terminal


class Progress:
    """Counts games while they run.

    Args:
        words: what is played. most: games until it is finished, each worth as much time as a usual one.
        percent: games differ in weight, so that percents are shown, not games.
    """

    def __init__(self, words: str = "", most: int = 0, percent: bool = False):
        self.games, self.start = 0, perf_counter()
        self._words, self._most, self._percent = words, most, percent
        self._done = self._played = 0.0  # in usual games; done with is also what was decided early and so is not played
        self._bar: Any = None  # of rich
        self._task: Any = None

    def watch(self, games: int, weight: float = 1.0) -> None:
        """Count the games just played; `weight`: how many usual games each takes the time of."""
        self.games += games
        self._played += games * weight
        self._done += games * weight
        self._update(advance=games * weight, games=self.games)

    def name(self, words: str) -> None:
        """Name what runs now."""
        self._words = words
        self._update(description=words)

    def reach(self, games: int, words: str = "") -> None:
        """Go to where it would be after so many games: a question that is decided early is done with. Name what comes
        next."""
        self._done = games
        self._update(completed=games)
        if words:
            self.name(words)

    def line(self) -> str:
        """Return a line of progress: what runs, how much is done, the rate, and the time left."""
        seconds, far = max(perf_counter() - self.start, 1e-9), min(1, self._done / max(self._most, 1))
        count = (
            f"{self.games:,} games"
            if self._percent
            else f"{min(round(self._done), self._most):,} of {self._most:,} games"
        )
        left = max(0.0, self._most - self._done) * seconds / self._played if self._played else None
        time = "" if left is None else f", about {timedelta(seconds=round(left))} left"
        return f"{self._words}: {100 * far:.0f} %, {count}, {self.games / seconds:,.0f} a second{time}"

    @contextmanager
    def bar(self) -> Iterator[None]:
        """Show a bar."""
        from rich.progress import BarColumn, MofNCompleteColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar
        from rich.text import Text

        percent = self._percent

        class Rate(TextColumn):
            def render(self, task: Any) -> Any:
                seconds = task.elapsed if percent else None
                speed = task.fields["games"] / seconds if seconds else task.finished_speed or task.speed
                return Text(f"{speed:,.0f} games/s" if speed else "")

        count = TaskProgressColumn() if percent else MofNCompleteColumn()
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), count, Rate(""), TimeRemainingColumn())
        with Bar(*columns, console=console(stderr=True), transient=True) as self._bar:
            self._task = self._bar.add_task(self._words, total=self._most, games=0)
            yield

    @contextmanager
    def lines(self) -> Iterator[None]:
        """Report progress every ten seconds, even while a batch of games takes longer than that."""
        over = Event()

        def tell() -> None:
            while not over.wait(EVERY):
                say(self.line())

        teller = Thread(target=tell, daemon=True)
        teller.start()
        try:
            yield
        finally:
            over.set()
            teller.join()

    def _update(self, **what: Any) -> None:
        if self._bar:
            self._bar.update(self._task, **what)


_silent: ContextVar[bool] = ContextVar("silent", default=False)


@contextmanager
def silent(wanted: bool = True) -> Iterator[None]:
    """Report no progress inside, if wanted."""
    token = _silent.set(wanted)
    try:
        yield
    finally:
        _silent.reset(token)


def is_silent() -> bool:
    """Return whether nothing is to be said of progress."""
    return _silent.get()


BEGUN: list[str] = []  # what this process has begun to play, in words


@contextmanager
def progress(words: str, most: int, percent: bool = False) -> Iterator[Progress]:
    """Report progress while games run, and at the end how many there were and how fast; see `Progress`."""
    BEGUN.append(words)
    counter = Progress(words, most, percent)
    shown: AbstractContextManager[None] = nullcontext()
    if not _silent.get() and sys.stderr is not None:
        shown = counter.bar() if sys.stderr.isatty() else counter.lines()
    with shown:
        yield counter
    if not _silent.get():
        seconds = perf_counter() - counter.start
        say(f"{counter.games:,} games in {seconds:.1f} s ({counter.games / max(seconds, 1e-9):,.0f} a second)")
