"""How far a run is: a bar with rate and time left on a terminal, one line at the end in any case; all on standard error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import Any

from scripts.output import console
from sim.legible import say


class Progress:
    """Counts games while they are played."""

    def __init__(self, bar: Any, task: Any):
        self.games, self.start = 0, perf_counter()
        self._bar, self._task = bar, task

    def watch(self, games: int, weight: float = 1.0) -> None:
        """Take note of further games; `weight`: how many of the usual ones each of them is worth in time."""
        self.games += games
        if self._bar:
            self._bar.update(self._task, advance=games * weight, games=self.games)

    def name(self, words: str) -> None:
        """Say what is played now."""
        if self._bar:
            self._bar.update(self._task, description=words)

    def reach(self, games: int, words: str = "") -> None:
        """Put the bar where it would be after so many games: a question that is decided early is done with. Name what comes next."""
        if self._bar:
            self._bar.update(self._task, completed=games, **({"description": words} if words else {}))


_silent: ContextVar[bool] = ContextVar("silent", default=False)


@contextmanager
def silent(wanted: bool = True) -> Iterator[None]:
    """Have nothing told of progress meanwhile, if that is wanted."""
    token = _silent.set(wanted)
    try:
        yield
    finally:
        _silent.reset(token)


BEGUN: list[str] = []  # what this process has begun to play, in words


@contextmanager
def progress(words: str, most: int, percent: bool = False) -> Iterator[Progress]:
    """Show a bar up to `most` games, described by `words`, and say at the end what was played and how fast.

    `percent`: games differ in weight, so that percents are shown, not games.
    """
    BEGUN.append(words)
    if _silent.get():
        yield Progress(None, None)
        return
    bar = task = None
    if sys.stderr is not None and sys.stderr.isatty():
        from rich.progress import BarColumn, MofNCompleteColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        class Rate(TextColumn):
            def render(self, task: Any) -> Any:
                seconds = task.elapsed if percent else None
                speed = task.fields["games"] / seconds if seconds else task.finished_speed or task.speed
                return self.plain(f"{speed:,.0f} games/s" if speed else "")

            def plain(self, text: str) -> Any:
                from rich.text import Text

                return Text(text)

        count = TaskProgressColumn() if percent else MofNCompleteColumn()
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), count, Rate(""), TimeRemainingColumn())
        bar = Bar(*columns, console=console(stderr=True), transient=True)
        task = bar.add_task(words, total=most, games=0)
    counter = Progress(bar, task)
    try:
        if bar:
            bar.start()
        yield counter
    finally:
        if bar:
            bar.stop()
    seconds = perf_counter() - counter.start
    say(f"{counter.games:,} games in {seconds:.1f} s ({counter.games / max(seconds, 1e-9):,.0f} a second)")
