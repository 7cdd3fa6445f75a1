"""Python from a user: what it may import from us, and where that which it prints goes."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from types import CodeType

from sim.imports import below

OURS = ("sim", "strategies")  # what a user's file may import from us, by the names that these have in a checkout
ABOVE = __package__.rpartition(".")[0]  # the package of `sim` in a wheel, "" in a checkout


def code(text: str, place: str) -> CodeType:
    """Return the code of a user's file, which finds our packages wherever they are.

    Raises:
        SyntaxError, ValueError: it is no Python.
    """
    made: CodeType = compile(below(ABOVE, text, OURS), place, "exec", dont_inherit=True)
    return made


@contextmanager
def silent() -> Iterator[None]:
    """Send what is printed to standard error, also what libraries and other programs print: it is no result."""
    streams = [stream for stream in (sys.stdout, sys.__stdout__) if stream is not None]
    for stream in streams:
        stream.flush()
    try:
        kept = os.dup(1)
        os.dup2(2, 1)
    except OSError:  # there is no such output
        kept = -1
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        for stream in streams:
            stream.flush()
        if kept >= 0:
            os.dup2(kept, 1)
            os.close(kept)
