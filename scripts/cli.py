"""Where the command line begins and ends: one line for anything that goes wrong, and an exit status
(docs/exit-status.md).

We import nothing slow at the top, so we hear Ctrl-C from the start.
"""

import errno
import gc
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from scripts.letters import LIKE
from scripts.output import OutputError, Stream, reason, watched
from scripts.status import Status
from sim.faults import GameError
from sim.legible import legible, say

HOME = Path(__file__).parent.parent
FULL = (errno.ENOSPC, errno.EDQUOT)
AGAIN = 0.05  # seconds until a Ctrl-C that was dropped is raised again: the callback has ended by then
_dropped: list[Any] = []  # holds the timer that raises a Ctrl-C again once Python has dropped it
_terminated: list[int] = []  # holds SIGTERM once that has been heard


def main() -> NoReturn:
    """Run the command line. Whatever happens, it ends with an answer or one line, and an exit status."""
    try:
        status = _status()
    except KeyboardInterrupt:
        status = _stopped("Stopped by hand.")
    for number in (signal.SIGINT, signal.SIGTERM):  # all is said: whoever has no patience with what is left may end it
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    sys.exit(status)


def _status() -> int:
    gc.disable()  # until a game is loaded, see `sim.registry.load`
    signal.signal(signal.SIGTERM, _terminate)
    sys.unraisablehook = heard_again
    open_ = _streams_opened()
    with watched():
        try:
            return run(sys.argv[1:]) if open_ else _output_failed("standard output: closed")
        except Exception as error:
            return _fault(error)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit status; raise any unexpected error."""
    with watched() as printed:
        status = _command(arguments, printed)
        if status in (Status.INTERRUPTED, Status.TERMINATED):
            printed.drop()  # an answer is flushed as it is printed: what is left is half of one
        printed.flush()
        if printed.error is None:
            return status
        if not isinstance(printed.error, BrokenPipeError):  # else the reader has left, as in `… | head`, and knows
            _output_failed(f"standard output: {reason(printed.error)}")
    return Status.OUTPUT_FAILED if status in (Status.ANSWERED, Status.LIMIT_BROKEN, Status.UNDECIDED) else status


def _command(arguments: list[str], printed: Stream) -> int:
    from scripts import app, progress
    from scripts import options as o

    before = len(progress.BEGUN)
    while _dropped:  # by an earlier command of this process
        _dropped.pop().cancel()
    try:
        o.readable(arguments)
        app.add_commands(arguments)
        status = app.app(arguments or ["--help"], prog_name="chapterhouse", standalone_mode=False)
    except o.WrongInputError as error:
        for line in error.lines:
            say(f"chapterhouse: {line}")
        return Status.BAD_INPUT
    except GameError as error:
        say(f"chapterhouse: {error}")
        return Status.BAD_INPUT
    except OutputError as error:
        return _output_failed(str(error))
    except o.StoppedError as error:
        return _stopped(str(error))
    except SystemExit as done:  # of typer, once it has told a shell how to complete words
        status = done.code
    except Exception as error:
        # typer's own errors: which class they have depends on its version.
        message = getattr(error, "format_message", None)
        if not (_dropped or message):
            raise
        if message and not _dropped:
            say(f"chapterhouse: {' '.join(message().split())}")
            return Status.BAD_INPUT
        _dropped.pop().cancel()  # numba fails where its callback has ended early: it is Ctrl-C all the same
        status = Status.INTERRUPTED
    finally:
        o.unmake()
    if status == Status.INTERRUPTED:  # by typer, which lets no KeyboardInterrupt through
        early = o.NOTHING if len(progress.BEGUN) == before else "Stopped by hand before there was an answer."
        return _stopped("Stopped by hand." if printed.used else early)
    return status if isinstance(status, int) else Status.ANSWERED


def _streams_opened() -> bool:
    """Open streams that were closed at the start, or the next file would take their numbers; return whether standard
    output was open."""
    found = sys.stdout is not None
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(handle, True)
    os.close(handle)
    for name, number in (("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8"))
        with suppress(AttributeError):
            getattr(sys, name).reconfigure(errors=LIKE)
    return found


def _terminate(number: int, frame: Any) -> NoReturn:
    """Treat SIGTERM like Ctrl-C: answer with what has been played."""
    _terminated.append(number)
    raise KeyboardInterrupt


def heard_again(raised: Any) -> None:
    """Raise a KeyboardInterrupt once more if Python had to drop it, as in the callbacks by which LLVM hands over
    machine code.

    Args:
        raised: what `sys.unraisablehook` is called with; anything else is left to Python.
    """
    import _thread
    import threading
    from functools import partial

    if raised.exc_type is AttributeError and getattr(raised.object, "__name__", "") == "__del__":
        return  # of an object of llvmlite that Ctrl-C left half made
    if raised.exc_type is None or not issubclass(raised.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(raised)
        return
    interrupt = partial(os.kill, os.getpid(), signal.SIGINT) if os.name == "posix" else _thread.interrupt_main
    again = threading.Timer(AGAIN, interrupt)  # on POSIX one that also ends a wait
    again.daemon = True
    _dropped[:] = [again]
    again.start()


def _stopped(words: str) -> int:
    say(words.replace("by hand", "by SIGTERM", 1) if _terminated else words)
    return Status.TERMINATED if _terminated else Status.INTERRUPTED


def _output_failed(words: str) -> int:
    say(f"chapterhouse: {words}")
    return Status.OUTPUT_FAILED


def _fault(error: Exception) -> int:
    """Report an unexpected error in one line, and write down where it happened."""
    import platform
    import tempfile
    import traceback

    if isinstance(error, OSError) and error.errno in FULL:
        return _output_failed(f"{error.filename or 'a file'}: {reason(error)}")
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = Path(last.filename)
    place = where.relative_to(HOME) if where.is_relative_to(HOME) else where.name
    what = f"{type(error).__name__}: {' '.join(str(error).split())} ({place}, line {last.lineno})"
    story = [" ".join(sys.argv), platform.platform(), sys.version, "".join(traceback.format_exception(error))]
    try:
        handle, name = tempfile.mkstemp(prefix="chapterhouse-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(legible("\n\n".join(story)))
        say(f"chapterhouse: our mistake, not yours: {what}; please report it with {name}")
    except OSError:
        say(f"chapterhouse: our mistake, not yours: {what}; please report it with what follows")
        for line in "\n\n".join(story).splitlines():
            say(line)
    return Status.OUR_FAULT
