"""A strategy is proved by a process of its own, which may end by what the strategy does; what has been proved is kept.

The process checks bounds in what it compiles, that is the strategy, and lends it memory that can't be written to.
"""

import hashlib
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from sim import registry
from sim.code_files import base
from sim.compiled import cache_folder
from sim.contract import Entrant
from sim.given import given_bytes
from sim.guests import opened_from, packed
from sim.printed.components import FILE
from sim.proof import Objection, code, play
from sim.proof.asking import BOX, DECISION, DECISIONS, NUMBER, PLAYING, SEAT, TABLE
from sim.runner import StrategyError, Study, strategies

HERE = Path(__file__).parent
GAMES = 240  # over all tables
HANG = 10.0  # seconds of processor time over one decision
ENOUGH = 15.0  # seconds of processor time, after which a slow strategy has played enough
STARTING = 600.0  # seconds until the process must have answered
MOST_MEMORY = 8 << 30  # bytes
PROGRAM = f"from {__name__} import work; work()"
READ_AGAIN = "what is made when the file is read is the same each time"


@dataclass(frozen=True)
class Job:
    """What is proved, and against whom; it is sent to the process.

    Attributes:
        entrant: the strategy; `values` of it: what it is made of, to be found again in the process.
        tables: number of players, and who sits there: the strategy first, at most one other.
    """

    game: str
    entrant: Any
    tables: tuple[tuple[int, tuple[Entrant, ...]], ...]
    values: Mapping[str, str] = field(default_factory=dict)

    def studies(self, components: Any) -> list[Study]:
        """Return what is played."""
        return [Study(self.game, players, entrants, components, play.SEED) for players, entrants in self.tables]


@dataclass(frozen=True)
class Reply:
    """The result of a proof.

    Attributes:
        findings: what breaks the contract. decisions: how many positions it was asked in. complete: whether all games
            were played.
        error: why the strategy can't be loaded or proved at all, "" if it can.
    """

    findings: tuple[Objection, ...] = ()
    decisions: int = 0
    complete: bool = True
    error: str = ""


class Proving:
    """A process that proves a strategy."""

    def __init__(self, job: Job, only: tuple[int, int] | None = None):
        """Start it; only: table and number of the one game that is looked at again, to name what is written to."""
        self._job, self._only = job, only
        self._folder = tempfile.TemporaryDirectory(prefix="chapterhouse-")
        self._box = Path(self._folder.name, "box")
        self._box.write_bytes(bytes(8 * BOX))
        kept = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=kept | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        with suppress(OSError):  # it has died: that is heard below
            assert self._process.stdin is not None
            self._process.stdin.write(packed(pickle.dumps((job, only, str(self._box)))))
            self._process.stdin.flush()

    def end(self) -> None:
        """End it, whether it has answered or not."""
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()

    def answer(self) -> Reply:
        """Wait for the answer, and return it."""
        try:
            out, said = self._process.communicate(timeout=STARTING)
            if self._process.returncode == 0:
                answer: Reply = pickle.loads(out)
                return answer
            box = np.fromfile(self._box, np.int64)
        except subprocess.TimeoutExpired:
            return Reply(error=f"not proved after {STARTING:g} s")
        finally:
            self.end()
        how = self._process.returncode
        if not box[PLAYING]:
            lines = said.decode(errors="replace").strip().splitlines()
            return Reply(error=f"its proof failed: {lines[-1] if lines else f'the process ended ({how})'}")
        return self._crashed(box, how)

    def _crashed(self, box: Any, how: int) -> Reply:
        """Return what ended the process, by looking at that game once more where memory can be written to."""
        table, number, decision, seat = (int(box[i]) for i in (TABLE, NUMBER, DECISION, SEAT))
        if self._only is None and (again := Proving(self._job, (table, number)).answer()).findings:
            return again
        players, entrants = self._job.tables[table]
        position = play.position_words(number, decision, seat, players, entrants)
        ended = f"signal {-how}" if how < 0 else f"status {how}"
        return Reply(
            (
                Objection(
                    f"writes to what it is lent, or to memory that isn't its own ({ended})",
                    play.NOTHING,
                    position=position,
                ),
            )
        )


def kept_in() -> Path:
    """Return the folder of the user's cache in which proofs are kept."""
    return base() / "proofs"


def prove(job: Job, *sources: Path, announce: Any = lambda: None) -> "Pending":
    """Begin to prove a strategy, unless that has been done before.

    Args:
        job: what is proved. sources: folders of files that the other strategies depend on. announce: called if it takes
            time.
    """
    names = [cache_folder(HERE, registry.home(job.game)).name, *(cache_folder(source).name for source in sources)]
    printed = hashlib.sha256((registry.text(job.game, FILE) or "").encode()).hexdigest()
    tables = [(players, [entrant.name for entrant in entrants[1:]]) for players, entrants in job.tables]
    what = repr((names, printed, tables, GAMES, job.entrant.game, sorted(job.values.items())))
    kept = kept_in() / f"{hashlib.sha256(what.encode()).hexdigest()[:32]}.json"
    with suppress(ArithmeticError, KeyError, OSError, RecursionError, TypeError, ValueError):
        found = json.loads(given_bytes(kept))
        return Pending(kept, None, Reply((), int(found["decisions"]), found["complete"] is True))
    announce()
    return Pending(kept, Proving(job), Reply())


@dataclass(frozen=True)
class Pending:
    """A proof that is under way, or is known already."""

    _kept: Path
    _process: Proving | None
    _known: Reply

    def end(self) -> None:
        """End it, if nobody wants its answer any more."""
        if self._process is not None:
            self._process.end()

    def answer(self) -> Reply:
        """Wait for the answer and return it; it is kept if nothing was found."""
        if self._process is None:
            return self._known
        answer = self._process.answer()
        if not answer.findings and not answer.error:
            with suppress(OSError):  # then it is proved again next time
                self._kept.parent.mkdir(parents=True, exist_ok=True)
                with tempfile.NamedTemporaryFile("w", dir=self._kept.parent, delete=False, encoding="utf-8") as file:
                    json.dump({"decisions": answer.decisions, "complete": answer.complete}, file)
                Path(file.name).replace(self._kept)
        return answer


# --- in the process ---------------------------------------------------------------------------------------------------


def work() -> None:
    """Prove what comes on standard input, and answer on standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a strategy prints is no answer
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    job, only, name = opened_from(sys.stdin.buffer)
    box, lock = np.memmap(name, np.int64, "r+"), threading.Lock()

    def end(answer: Reply) -> None:
        with lock:
            out.write(pickle.dumps(answer))
            out.flush()
            os._exit(0)

    threading.Thread(target=_watch, args=(job, box, end), daemon=True).start()
    end(_findings(job, only, box))


def _watch(job: Job, box: Any, end: Any) -> None:
    """End this process where a decision takes for ever, or a slow strategy has played enough."""
    started, since, at = 0.0, 0.0, -1
    while True:
        time.sleep(0.1)
        now = time.process_time()
        if not box[PLAYING]:
            started = now
            continue
        if box[DECISIONS] != at:
            since, at = now, int(box[DECISIONS])
        if now - since > HANG:
            players, entrants = job.tables[box[TABLE]]
            number, decision, seat = (int(box[i]) for i in (NUMBER, DECISION, SEAT))
            position = play.position_words(number, decision, seat, players, entrants)
            end(Reply((Objection(f"no answer after {HANG:g} s", position=position),)))
        if now - started > ENOUGH + HANG * (at < 2):
            end(Reply(decisions=at, complete=False))


def _findings(job: Job, only: tuple[int, int] | None, box: Any) -> Reply:
    """Return what comes of a job; box: see `sim.proof.play`."""
    from sim.printed.components import read

    game, printed = registry.load(job.game), read(job.game).record
    studies = job.studies(printed)
    for study in studies:
        # as they are on disk, without checks of bounds
        strategies(Study(job.game, study.players, study.entrants[1:], printed, 0))
    play.kernel(game)
    Dispatcher.enable_caching = lambda self: None  # type: ignore[method-assign]  # on disk there is no typed code
    try:
        with play.checks_in_code():
            strategy = strategies(studies[0])[0]
        found = [*made_anew(job, strategy.weights, game, printed), *code.findings(strategy.policy)]
    except StrategyError as error:
        return Reply(error=str(error))
    if not found:
        found = list(play.findings(studies, strategy, -(-GAMES // len(studies)), box=box, only=only))
    return Reply(tuple(dict.fromkeys(found)), int(box[DECISIONS]) // len(play.FILLS))


def made_anew(job: Job, weights: Any, game: Any, printed: Any) -> Any:
    """Yield what is another in this process than in the one that sent the job, or when it is made once more."""
    now = job.entrant.values()
    for name in sorted(job.values.keys() | now.keys()):
        if job.values.get(name) != now.get(name):
            yield Objection(f"{name.strip('.')} has another value each time the file is read", READ_AGAIN)
    if job.entrant.load(game, printed[0]).weights.tobytes() != weights.tobytes():
        yield Objection("its weights are others each time", READ_AGAIN)
