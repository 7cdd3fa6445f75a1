"""How a command's words leave it: by standard output, standard error and files, all of which may fail.

If we can't print something, we remember it and raise nothing. So we still write the files, and the exit status says
what failed (docs/exit-status.md).
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from sim.files import NotWrittenError
from sim.legible import legible, legible_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.segment import Segment


class OutputError(Exception):
    """We can't write a file, or have nowhere to print; its text is one line."""


class Stream:
    """A standard stream that swallows everything once it has failed.

    Attributes:
        error: what the system said when it failed; None while it works. used: whether anything was written.
    """

    def __init__(self, stream: TextIO):
        self.error: OSError | None = None
        self.used = False
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text, or nothing if the stream has failed."""
        self.used = True
        self._do(self._stream.write, text)
        return len(text)

    def flush(self) -> None:
        """Write everything out."""
        self._do(self._stream.flush)

    def _do(self, what: Callable, *given: str) -> None:
        if self.error is not None:
            return
        try:
            what(*given)
        except OSError as error:
            self.error = error
            self.drop()

    def drop(self) -> None:
        """Drop what is not yet written; otherwise the interpreter would try again at its end, and fail or wait for
        ever."""
        with suppress(AttributeError, OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def watched() -> Iterator[Stream]:
    """Let both standard streams swallow what they can't write; gives standard output."""
    before = sys.stdout, sys.stderr
    made = sys.stdout if isinstance(sys.stdout, Stream) else Stream(sys.stdout)
    sys.stdout = made
    sys.stderr = sys.stderr if isinstance(sys.stderr, Stream) else Stream(sys.stderr)
    try:
        yield made
    finally:
        sys.stdout, sys.stderr = before


def out(text: str) -> None:
    """Print a text of one or more lines: JSON, CSV, a told game."""
    print(legible(text), flush=True)


def tell(*lines: str) -> None:
    """Print lines for people; each stays one line, whatever it contains."""
    out("\n".join(map(legible_line, lines)))


def console(stderr: bool = False) -> "Console":
    """Return a terminal on which only we style text, whatever a text contains."""
    from rich.console import Console

    class Legible(Console):
        def render(self, *what: Any, **more: Any) -> "Iterator[Segment]":
            for segment in super().render(*what, **more):
                yield segment if segment.control else segment._replace(text=legible(segment.text))

    return Legible(stderr=stderr, highlight=False, markup=False, emoji=False)


def reason(error: Exception) -> str:
    """Return an error of the operating system in one short line."""
    return str(getattr(error, "strerror", None) or error).lower().splitlines()[0]


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise OutputError if the system refuses to write a file, or into a folder."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: {reason(error)}") from error
    except NotWrittenError as error:
        raise OutputError(str(error)) from error
