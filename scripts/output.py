"""Where a command's words leave it: standard output and standard error, which may fail, and files, which may fail too.

What can't be printed is remembered, not raised: the files are still written, and the exit status says what failed (docs/exit-status.md).
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from sim.files import NotWrittenError

MOST_LETTERS = 1_000  # of a line that says what is wrong


class OutputError(Exception):
    """A file can't be written, or there is nowhere to print; its text is one line."""


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
        """Have everything written."""
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
        """Let go of what is not yet written; else the interpreter would try again when it ends, and fail or wait for ever."""
        with suppress(AttributeError, OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def watched() -> Iterator[Stream]:
    """Have both standard streams swallow what they can't write; gives that of standard output."""
    before = sys.stdout, sys.stderr
    made = sys.stdout if isinstance(sys.stdout, Stream) else Stream(sys.stdout)
    sys.stdout = made
    sys.stderr = sys.stderr if isinstance(sys.stderr, Stream) else Stream(sys.stderr)
    try:
        yield made
    finally:
        sys.stdout, sys.stderr = before


def out(text: str) -> None:
    """Print a result."""
    print(text, flush=True)


def say(line: str) -> None:
    """Print a line on standard error."""
    print(line, file=sys.stderr, flush=True)


def one_line(text: str) -> str:
    """Return a text as one printable line of bearable length, whatever a user's words bring into it."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    half = MOST_LETTERS // 2
    return line if len(line) <= MOST_LETTERS else f"{line[:half]} … {line[-half:]}"


def reason(error: Exception) -> str:
    """Return what an operating system says, in one short line."""
    return str(getattr(error, "strerror", None) or error).lower().splitlines()[0]


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn a system that refuses to write a file, or into a folder, into OutputError."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: {reason(error)}") from error
    except NotWrittenError as error:
        raise OutputError(str(error)) from error
