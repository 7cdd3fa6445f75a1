"""Batches that run in other processes, on this machine (loky) or a cluster (dask), through joblib's backends: the same
sums, bit for bit.

A task is a parcel of bytes and some batches. The study in the parcel holds strategies as text, components as their
record, and the seed; a game from elsewhere comes with its files (`sim.guests`). A worker opens a parcel once, after it
has checked that its own sources match the sender's, and sends back the sum of its batches. We add these sums in any
order, so a worker may come or go without changing a result.

joblib's dask backend gives a lost worker's batches to another worker, so we don't. `_cluster` corrects what that
backend gets wrong. If one loky process dies, the whole pool dies with its batches; `Sender` submits them again.
"""

import copyreg
import hashlib
import os
import pickle
import sys
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numba
import numpy as np

from sim import registry
from sim.contract import Game
from sim.guests import opened, packed

HOME = Path(__file__).parent.parent
FOLDERS = ("sim", "strategies", "analyses")  # where tasks come from, and all that they call
CONNECTING = 5  # seconds
NOISY = ("asyncio", "distributed", "tornado")  # who would print tracebacks when a connection is lost
# tasks for each core, if there is enough to play: so few that each is long, so many that no core waits long for the
# last one
PIECES = 16
DEATHS = 4  # of loky's processes over the same batches, until the run ends; as many as dask allows
# parts for each core that may wait to be taken: the thread that takes them looks for them a hundred times a second
AHEAD = 16
MOST_BATCHES = 100  # in a task: some seconds; what a lost worker loses, and how long Ctrl-C lets a worker play on

Span = tuple[int, int]  # number of the first block, and of blocks
Task = Callable[[int, int], Any]

_away: ContextVar[bool] = ContextVar("away", default=False)
_opening = threading.Lock()

copyreg.pickle(Game, lambda game: (registry.load, (game.name,)))


class ClusterError(Exception):
    """We can't use other processes, or they have failed; its text is one line."""


@cache
def sources() -> str:
    """Return a digest of all sources that make numbers, and of the versions that matter, as this process first saw
    them."""
    digest = hashlib.sha256(repr((sys.version_info[:2], numba.__version__, np.__version__)).encode())
    for path in sorted(
        path for folder in FOLDERS for path in (HOME / folder).rglob("*") if path.suffix in (".py", ".toml")
    ):
        text = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(path.relative_to(HOME).as_posix().encode() + b"\0" + text + b"\0")
    return digest.hexdigest()[:16]


def away() -> bool:
    """Return whether batches run in other processes."""
    return _away.get()


@contextmanager
def playing(backend: str, scheduler: str = "") -> Iterator[None]:
    """Let a backend play everything that `sim.runner.gather` adds up.

    Args:
        backend: threads, loky or dask. scheduler: address, for dask.

    Raises:
        ClusterError: there is no such scheduler, it has no workers, or they are lost for good. ImportError: dask is not
            installed.
    """
    if backend == "threads":
        yield
        return
    token = _away.set(True)
    try:
        if backend == "loky":
            from joblib import parallel_config

            with parallel_config(backend="loky"):
                yield
        else:
            yield from _workers(scheduler)
    finally:
        _away.reset(token)


def _workers(scheduler: str) -> Iterator[None]:
    import logging

    from distributed import Client
    from joblib import parallel_config

    for name in [*NOISY, *logging.root.manager.loggerDict]:
        if name.split(".")[0] in NOISY:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what goes wrong is said in one line
    _knock(scheduler)
    client = Client(scheduler, timeout=CONNECTING, set_as_default=False)
    try:
        with parallel_config(backend=_cluster(client)):
            yield
    finally:
        client.close(timeout=CONNECTING)


def _knock(scheduler: str) -> None:
    """Raise ClusterError unless a dask scheduler answers: when a `Client` fails it takes long to say so, and says too
    much."""
    import asyncio

    from distributed.comm.core import connect

    async def knock() -> None:
        comm = await connect(scheduler, timeout=CONNECTING)
        await comm.close()

    try:
        asyncio.run(knock())
    except Exception as error:  # whatever may stand behind an address
        found = f"{scheduler!r} ({_one_line(error)})"
        raise ClusterError(
            f"--scheduler: found {found}; allowed the address of a dask scheduler, as tcp://HOST:8786"
        ) from None


def _cluster(client: Any) -> Any:
    """Return joblib's dask backend with three corrections.

    It never tells a generator that the cluster itself has failed with a task (for instance when a batch kills one
    worker after another), so the run would wait for ever. For a cluster with one core it reports one job, and then
    joblib plays in this process. And its errors are not for users.
    """
    from joblib._dask import DaskDistributedBackend

    class Cluster(DaskDistributedBackend):
        def submit(self, func: Any, callback: Any = None) -> Any:
            def tell(job: Any) -> None:
                if job.exception() is not None:
                    callback(CancelledError(_one_line(job.exception())))

            job = super().submit(func, callback)
            job.add_done_callback(tell)
            return job

        def retrieve_result_callback(self, out: Any) -> Any:
            # also what dask says itself when the scheduler is lost; a task's own errors are others
            if isinstance(out, CancelledError):
                raise ClusterError(f"--scheduler: the cluster could not do a task: {' '.join(str(out).split())}")
            return super().retrieve_result_callback(out)

        def effective_n_jobs(self, n_jobs: int) -> int:
            try:
                return max(2, super().effective_n_jobs(n_jobs))
            except TimeoutError:
                seconds = self.wait_for_workers_timeout
                raise ClusterError(
                    f"--scheduler: found no worker in {seconds} s; allowed is a scheduler with workers"
                ) from None

    return Cluster(client=client)


def _one_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {' '.join(lines)[:300]}"


@dataclass
class Sender:
    """Plays batches of a task: with threads here or, inside `playing`, elsewhere.

    Attributes:
        task: called with the number of the first block and of blocks; what it returns can be added. jobs: as for
            `joblib.Parallel`.
        apart: whether the part of each batch is wanted, where else those of a few batches may come as their sum.
    """

    task: Task
    jobs: int
    apart: bool = False

    def __post_init__(self) -> None:
        self._away = away()
        if self._away:
            self._parcel = _packed(self.task)

    def play(self, parallel: Any, spans: Iterable[Span], batches: int) -> Iterator[tuple[int, int, Any]]:
        """Yield first block, blocks and part of what was played, in any order.

        Args:
            parallel: threads, which yield results as they come; not used for what is played elsewhere.
            spans: the batches, in order. batches: about how many there are.
        """
        if not self._away:
            yield from self._by_threads(parallel, spans)
            return
        from joblib import effective_n_jobs

        cores = effective_n_jobs(self.jobs)
        most = max(1, min(MOST_BATCHES, batches // (PIECES * cores)))
        yield from self._sent(joined(spans, most, cores))

    def _sent(self, todo: Iterator[tuple[Span, ...]]) -> Iterator[tuple[int, int, Any]]:
        """Yield the results of some tasks; if a process on this machine dies, send its tasks again."""
        from joblib import Parallel, delayed
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        call = delayed(_call())
        out: dict[int, tuple[Span, ...]] = {}  # first block → batches of what is not back
        deaths: Counter[int] = Counter()

        def handed_out() -> Iterator[Any]:
            for some in chain(list(out.values()), todo):
                out[some[0][0]] = some
                yield call(self._parcel, sources(), some, self.apart)

        while True:
            try:
                # A `Parallel` that has failed yields its leftovers again, so we make a new one each time.
                for answer in Parallel(n_jobs=self.jobs, return_as="generator_unordered", batch_size=1)(handed_out()):
                    if isinstance(answer, str):
                        raise ClusterError(answer)
                    found = pickle.loads(zlib.decompress(answer))
                    del out[found[0][0]]
                    yield from found
                return
            except TerminatedWorkerError:
                deaths.update(out.keys())
                if max(deaths.values(), default=0) >= DEATHS:
                    why = "out of memory, killed, or a strategy that broke it"
                    raise ClusterError(
                        f"--backend: a process of loky has died {DEATHS} times over the same batches: {why}"
                    ) from None

    def _by_threads(self, parallel: Any, spans: Iterable[Span]) -> Iterator[tuple[int, int, Any]]:
        # joblib hands out a batch whenever one is finished, even if nobody has taken it.
        # Without this, parts would pile up behind a slow taker.
        cores = self.jobs if self.jobs > 0 else os.cpu_count() or 1
        room = threading.Semaphore(AHEAD * cores)

        def one(first: int, blocks: int) -> tuple[int, int, Any]:
            room.acquire()
            return first, blocks, self.task(first, blocks)

        try:
            for found in parallel((one, span, {}) for span in spans):
                yield found
                room.release()
        finally:
            room.release(cores)  # whoever waits: nobody takes any more


def joined(spans: Iterable[Span], most: int, cores: int) -> Iterator[tuple[Span, ...]]:
    """Yield up to `most` batches at a time that follow each other without a gap: one at first, one more with each round
    of all cores.

    >>> list(joined([(0, 2), (2, 2), (4, 2), (8, 2)], most=3, cores=1))
    [((0, 2),), ((2, 2), (4, 2)), ((8, 2),)]
    """
    some: list[Span] = []
    given = 0
    for span in spans:
        if some and (len(some) == min(most, 1 + given // cores) or sum(some[-1]) != span[0]):
            yield tuple(some)
            some = []
            given += 1
        some.append(span)
    if some:
        yield tuple(some)


def _packed(task: Task) -> bytes:
    import cloudpickle
    import numpy.rec  # noqa: F401 (NumPy waits with it; the class of an array whose module is not there would go along by value)

    try:
        return zlib.compress(packed(cloudpickle.dumps(task)), 1)  # of a hundred printings to a seventh
    except Exception as error:
        raise ClusterError(f"--backend: only threads can play this ({_one_line(error)})") from None


@dataclass
class _Opened:
    """A task in this process; `warm` once it has played."""

    task: Task
    warm: bool = False


@lru_cache(maxsize=16)
def _open(parcel: bytes) -> _Opened:
    return _Opened(opened(zlib.decompress(parcel)))


def _call() -> Callable:
    """Return the function that a worker calls. We send it by value, because a worker without `sim` dies of what it
    can't read."""

    def call(parcel: bytes, wanted: str, spans: tuple[Span, ...], apart: bool) -> Any:
        import os
        import socket
        import sys

        who = f"{socket.gethostname()}, process {os.getpid()}, Python {sys.version.split()[0]}"
        try:
            from sim.cluster import sources, work
        except ImportError as error:
            return (
                f"--backend: found a worker without the sources ({who}: {error}); allowed one where chapterhouse is "
                "installed"
            )
        if sources() != wanted:
            return (
                f"--backend: found a worker with the sources {sources()} ({who}); allowed {wanted}, those of this "
                "command"
            )
        return work(parcel, spans, apart)

    return call


def work(parcel: bytes, spans: tuple[Span, ...], apart: bool) -> bytes:
    """Play batches for another process.

    Args:
        parcel: the task. spans: the batches, without a gap. apart: see `Sender`.

    Returns:
        First block, blocks and part of each batch, or of all of them together; packed, as they are mostly zeros: to a
        tenth.
    """
    with _opening:  # whoever comes first compiles, and the other threads of this process wait for it
        opened = _open(parcel)
        parts = [] if opened.warm else [opened.task(*spans[0])]
        opened.warm = True
    for span in spans[len(parts) :]:
        part = opened.task(*span)
        if apart or not parts:
            parts.append(part)
        else:
            parts[0] = parts[0] + part
    found = list(zip(spans, parts)) if apart else [((spans[0][0], sum(blocks for _, blocks in spans)), parts[0])]
    answer = [(first, blocks, part) for (first, blocks), part in found]
    return zlib.compress(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL), 1)
