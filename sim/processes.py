"""Batches that run in processes of their own, for strategies that may never answer: we can't stop a thread in machine
code, but a process.

If a process takes too long, we end it and the run. If one dies, another takes its place and plays its batch again.
"""

import multiprocessing as mp
import os
import pickle
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

from sim import registry
from sim.guests import opened, packed
from sim.outcomes import Sums
from sim.runner import BlockResult, Span, StrategyError, Study, play, prepare

AHEAD = 16  # batches that may be handed out before the first one that is not back, beyond one for each process
STARTING = 600.0  # seconds that a process may take until it can play: it may have to compile everything


def _work(channel: Connection, parcel: bytes, with_outcomes: bool) -> None:
    """Play batches on request, until there are no more requests."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    threading.Thread(target=_end_with_parent, daemon=True).start()
    study: Study = opened(parcel)
    game = registry.load(study.game)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        try:
            prepare(game, study.entrants, study.components)
            channel.send(None)
            while True:
                first, blocks = channel.recv()
                outcomes, decisions = play(study, first * study.players, blocks * study.players)
                sums = Sums.of(game, outcomes, study.players, len(study.entrants), decisions)
                channel.send((sums, outcomes if with_outcomes else None))
        except StrategyError as error:
            channel.send(error)


def _end_with_parent() -> None:
    """End this process when its parent is gone, even if a strategy never answers."""
    parent = mp.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@dataclass
class _Worker:
    """A process, its batch and its deadline."""

    process: Any
    channel: Connection
    until: float
    batch: Span | None = None
    again: bool = False
    ready: bool = False


class Processes:
    """Some processes that play batches of a study."""

    def __init__(self, study: Study, jobs: int, timeout: float, keep: Any = None):
        """Prepare them; they start when there is something to play.

        Args:
            study: what is played. jobs: processes, −1 for one a core. timeout: seconds for a batch.
            keep: block, outcomes → what is kept of the outcomes; None: nothing, and they are not sent.
        """
        self._study, self._timeout, self._keep = study, timeout, keep
        self._count = jobs if jobs > 0 else os.cpu_count() or 1
        self._workers: list[_Worker] = []

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *what: object) -> None:
        for worker in self._workers:
            self._end(worker)

    def play(self, batches: Iterable[Span]) -> Iterator[tuple[int, int, BlockResult]]:
        """Yield first block, number of blocks and result of each batch, in any order.

        Raises:
            StrategyError: a batch took too long, a strategy failed, or a process died twice over the same batch.
        """
        todo, out = iter(batches), list[Span]()
        # to be played next; True: once more, as its process has died
        waiting = [(batch, False) for batch in islice(todo, 1)]
        if not waiting:
            return  # no process is started for nothing
        while True:
            while len(self._free()) and len(out) < self._count + AHEAD:
                batch, again = waiting.pop() if waiting else (next(todo, None), False)
                if batch is None:
                    break
                if not again:
                    out.append(batch)
                self._hand_out(self._free()[0], batch, again)
            if not out:
                return
            for worker in self._heard():
                found = self._answer(worker)
                if found is None:
                    continue
                back, played = found
                if played is None:
                    waiting.append((back, True))
                else:
                    out.remove(back)
                    yield *back, played

    def _free(self) -> list[_Worker]:
        """Return the idle processes; start another one if some are still missing."""
        while len(self._workers) < self._count:
            here, there = mp.get_context("spawn").Pipe()
            process = mp.get_context("spawn").Process(
                target=_work, args=(there, packed(pickle.dumps(self._study)), self._keep is not None), daemon=True
            )
            process.start()
            there.close()
            self._workers.append(_Worker(process, here, monotonic() + STARTING))
        return [worker for worker in self._workers if worker.batch is None]

    def _hand_out(self, worker: _Worker, batch: Span, again: bool) -> None:
        worker.batch, worker.again = batch, again
        if worker.ready:
            self._send(worker)

    def _send(self, worker: _Worker) -> None:
        worker.until = monotonic() + self._timeout
        with suppress(OSError):  # it has died: that is heard next
            worker.channel.send(worker.batch)

    def _heard(self) -> list[_Worker]:
        """Wait for processes that send something; end the run if one takes too long."""
        busy = {worker.channel: worker for worker in self._workers if worker.batch is not None or not worker.ready}
        heard = wait(list(busy), max(0.0, min(worker.until for worker in busy.values()) - monotonic()))
        if not heard:
            late = min(busy.values(), key=lambda worker: worker.until)
            seconds = self._timeout if late.ready else STARTING
            raise StrategyError(f"{self._who(late)}: no answer after {seconds:g} s")
        return [busy[channel] for channel in heard]  # type: ignore[index]

    def _answer(self, worker: _Worker) -> tuple[Span, BlockResult | None] | None:
        """Return a batch and its result, None if it must be played again; only None from a process that has become
        ready."""
        batch = worker.batch
        try:
            found = worker.channel.recv()
        except (EOFError, OSError):
            self._workers.remove(worker)
            self._end(worker)
            if worker.again or batch is None:
                raise StrategyError(
                    f"{self._who(worker)}: its process died ({_how(worker.process.exitcode)})"
                ) from None
            return batch, None
        if isinstance(found, StrategyError):
            raise found
        if found is None:
            worker.ready = True
            if batch is not None:
                self._send(worker)
            return None
        worker.batch = None
        sums, outcomes = found
        assert batch is not None
        return batch, BlockResult(sums, self._keep(batch[0], outcomes) if self._keep else None)

    def _who(self, worker: _Worker) -> str:
        names = " or ".join(entrant.name for entrant in self._study.entrants)
        where = f"the games from {worker.batch[0] * self._study.players} on" if worker.batch else "its start"
        return f"strategy {names}: seed {self._study.seed}, {where}"

    def _end(self, worker: _Worker) -> None:
        worker.channel.close()
        worker.process.kill()
        worker.process.join()


def _how(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"status {code}"
