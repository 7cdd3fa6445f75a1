"""A study → batches of games → sums by block: with joblib, with progress, and the same result for any number of jobs
and any batch."""

import signal
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sim import registry
from sim.cluster import Sender, away
from sim.compiled import entry_of
from sim.contract import MOST_STRATEGIES, Entrant, Game, Strategy, desk_for, records
from sim.dealing import Deal
from sim.memory import memory
from sim.outcomes import Sums, rows
from sim.play import DECISIONS_LIMIT, NOT_OFFERED

if TYPE_CHECKING:
    import pandas as pd

# Ctrl-C leaves batches behind on purpose.
warnings.filterwarnings("ignore", message=r"\d+ tasks (have been|which were still being) ", category=UserWarning)

# games; fewer, and the joints between batches begin to cost; more, and their outcomes don't fit the caches
BATCH = 2_500
FIRST_LOOK = 500  # blocks
LOOK_GROWTH = 1.5
STOPPING = (signal.SIGINT, signal.SIGTERM)
Part = TypeVar("Part", bound=Any)
Span = tuple[int, int]  # number of the first block, and of blocks


class StrategyError(Exception):
    """We can't use a strategy, or it has failed; its text is one line."""


@dataclass(frozen=True)
class Study:
    """What to play: everything that decides the outcome of game number g.

    Attributes:
        game: name. players: number of players. entrants: the strategies, see `sim.play.loop` for who plays which.
        components: the (1,) record; for a deal see `sim.dealing.powerless`. seed: any integer from 0 to 2⁶⁴ − 1.
        deal: things that are dealt by chance instead of being chosen.
    """

    game: str
    players: int
    entrants: tuple[Entrant, ...]
    components: Any
    seed: int
    deal: Deal | None = None

    @cached_property
    def plan(self) -> np.ndarray:
        """The games of a block, see `sim.play.loop`: all rotations of the persons through the seats, or those of the
        deal."""
        if self.deal is not None:
            return self.deal.plan(registry.load(self.game), self.players)
        return np.array([(turn, 0, 0) for turn in range(self.players)], np.int64)

    def __getstate__(self) -> dict[str, Any]:
        """Return its fields alone: to other processes and to a memory it is the same whether it was played or not."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True)
class Run:
    """The result of a study: the sums, the rows if asked for, and whether somebody stopped it."""

    study: Study
    sums: Sums
    rows: "pd.DataFrame | None"
    interrupted: bool

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.sums.blocks * self.study.players


@lru_cache(maxsize=256)  # who tunes weights asks for thousands, each once
def _load(entrant: Entrant, game: str, components: bytes) -> Strategy:
    loaded = registry.load(game)
    return entrant.load(loaded, np.frombuffer(components, loaded.dtypes[0]).view(np.recarray)[0])


def prepare(game: Game, entrants: Iterable[Entrant], components: Any) -> None:
    """Compile everything that a study needs, in one thread and before a clock starts."""
    for entrant in entrants:
        _load(entrant, game.name, components.tobytes())
    game.loop, game.add_up, game.no_thought  # noqa: B018 (made when they are first asked for)


def strategies(study: Study) -> list[Strategy]:
    """Return the strategies of a study, ready to play; each is made once in a process."""
    return [_load(entrant, study.game, study.components.tobytes()) for entrant in study.entrants]


def play(study: Study, first: int, games: int) -> tuple[Any, int]:
    """Play games first, first + 1, … of a study.

    Returns:
        The outcome records (games,) and the number of decisions made.

    Raises:
        StrategyError: a strategy chose outside its options, raised, or never came to an end; the line says who, where
            and what.
    """
    game, cast = registry.load(study.game), strategies(study)
    if len(cast) > MOST_STRATEGIES:
        raise StrategyError(f"{len(cast)} strategies: at most {MOST_STRATEGIES} in one study")
    _, state, option, outcome = game.dtypes
    outcomes, fault = records(outcome, games), np.zeros(5, np.int64)
    starts = np.cumsum([0] + [len(s.weights) for s in cast])
    filled = [cast[i % len(cast)] for i in range(MOST_STRATEGIES)]
    minds = tuple(s.policy for s in filled), tuple(s.thinker or game.no_thought for s in filled)
    settings = [np.array(values, np.int64) for values in zip(*((s.budget, s.at_random) for s in cast))]
    components = study.components.copy()  # a strategy could write to it
    dealing = study.deal.setting(game, study.players) if study.deal is not None else np.array([-1, 0, 0, 0, 0])
    table = (components, records(state, 2), records(option, game.most_options), desk_for(game, cast))
    problem = ""
    try:
        with np.errstate(over="ignore"):
            decisions = entry_of(game.loop)(
                game.entries, *minds, np.concatenate([s.weights for s in cast]), starts, *settings, len(cast), *table,
                outcomes, fault, study.plan, dealing, study.players, first, games, np.uint64(study.seed),
            )  # fmt: skip
        if decisions < 0:
            never = fault[1] >= DECISIONS_LIMIT
            problem = "the game never ends" if never else f"chose {fault[3]}, allowed are 0 to {fault[4] - 1}"
            problem = (
                "could not take what it was dealt" if fault[3] == NOT_OFFERED and study.deal is not None else problem
            )
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    if problem:
        at = outcomes["strategy"][fault[0] - first, fault[2]]
        where = f"seed {study.seed}, game {fault[0]}, decision {fault[1]}, seat {fault[2] + 1}"
        raise StrategyError(f"strategy {cast[at].name}: {' '.join(problem.split())} ({where})")
    if components.tobytes() != study.components.tobytes():
        raise StrategyError(f"strategy {' or '.join(s.name for s in cast)}: writes to the components")
    return outcomes, decisions


def looks(most: int, fixed: bool) -> Iterator[int]:
    """Yield the numbers of blocks after which a run looks at its results: fixed in advance, so no batch or job can
    shift them."""
    look = FIRST_LOOK
    while not fixed and look < most:
        yield look
        look = int(look * LOOK_GROWTH)
    yield most


@contextmanager
def held_back() -> Iterator[None]:
    """Hold back Ctrl-C and SIGTERM until something is done that must not be left half done; only the main thread hears
    them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = {number: signal.signal(number, lambda number, frame: heard.append(number)) for number in STOPPING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
    if heard:
        signal.raise_signal(heard[0])


def spans(first: int, end: int, size: int) -> Iterator[Span]:
    """Yield first number and count of the blocks of each batch."""
    return ((at, min(size, end - at)) for at in range(first, end, size))


def gather(
    task: Callable[[int, int], Part],
    total: Part,
    most: int,
    *,
    size: int,
    fixed: bool = True,
    decided: Callable[[Part], bool] = lambda total: False,
    jobs: int = -1,
    watch: Callable[[int], None] = lambda blocks: None,
    known: "Callable[[int, int], tuple[Iterable[Part], Iterable[Span]]] | None" = None,
    keep: Callable[[int, int, Part], None] = lambda first, blocks, part: None,
    stop: Callable[[], None] = lambda: None,
    each: "Callable[[Iterable[Span]], Iterator[tuple[int, int, Part]]] | None" = None,
    apart: bool = False,
) -> tuple[Part, bool]:
    """Add up a task's results over blocks of games, in threads or wherever `sim.cluster.playing` says: the same total
    in any order.

    Args:
        task: called with the number of the first block and of blocks; what it returns can be added. total: of no block.
        most: blocks. size: blocks of one task.
        fixed: play all of them; else until `decided`, which is asked about the total after fixed numbers of blocks.
        jobs: threads, −1 for all cores. watch: called with the number of blocks just played.
        known: first block and end of an interval → parts that are there already, and the batches that are still to be
            played.
        keep: called with each part as it is added, in this thread: it has kept just what the total holds.
        stop: called when we take no more parts, so no task waits for that.
        each: does the task for all batches, in any order, instead of threads; yields first block, blocks and part.
        apart: call `keep` for each batch alone; otherwise other processes may join a few that follow each other.

    Returns:
        The total, and whether Ctrl-C ended it early: it then holds what was finished.

    Raises:
        StrategyError: a part or the total does not fit 64 bits (`sim.moments.added`); and whatever the task raises.
    """

    sender, done = Sender(task, jobs, apart), 0
    remembered = memory()
    there = remembered.of(task) if remembered and not each else {}
    taken: list[tuple[int, int, Part]] = []

    def new(todo: Iterable[Span]) -> Iterator[Span]:
        """Yield batches without the parts that were played before: those are `taken`."""
        for at, blocks in todo:
            end = at + blocks
            while at < end and 0 < there.get(at, (0,))[0] <= end - at:
                taken.append((at, *there[at]))
                at += there[at][0]
            if at < end:
                yield at, end - at

    with nullcontext() if away() else _parallel(jobs, single=most <= size) as parallel:
        try:
            for look in looks(most, fixed):
                parts, todo = known(done, look) if known else ((), spans(done, look, size))
                for part in parts:
                    total = total + part
                played = each(todo) if each else sender.play(parallel, new(todo), (look - done) // size)
                for first, blocks, part in chain(played, taken):
                    with held_back():
                        total = total + part
                        keep(first, blocks, part)
                    if remembered and remembered.learning:
                        there[first] = blocks, part
                    watch(blocks)
                taken.clear()
                done = look
                if not fixed and decided(total):
                    break
        except KeyboardInterrupt:
            return total, True
        except OverflowError as error:
            raise StrategyError(f"{error}: allowed are fewer games, or smaller numbers") from None
        finally:
            stop()
    return total, False


def _parallel(jobs: int, single: bool) -> Any:
    """Return what does calls, as joblib's `delayed` writes them, and yields what comes of each as it comes; as a
    context.

    Args:
        jobs: threads, −1 for all cores. single: whether there is never more than one to do: joblib would cost as much
            as a small run.
    """
    if single:
        return nullcontext(_one_by_one)
    from joblib import Parallel

    return Parallel(n_jobs=jobs, prefer="threads", return_as="generator_unordered", batch_size=1)


def _one_by_one(calls: Iterable[tuple[Callable, Span, dict[str, Any]]]) -> Iterator[Any]:
    """Yield what comes of calls, each done by a thread, since this one must hear Ctrl-C even if a strategy never
    answers."""
    for function, span, _ in calls:
        found: Future[Any] = Future()
        thread = threading.Thread(target=_fulfil, args=(found, function, span), daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(1.0)  # Windows hears it in between only
        yield found.result()


def _fulfil(found: "Future[Any]", function: Callable, span: Span) -> None:
    try:
        found.set_result(function(*span))
    except BaseException as error:
        found.set_exception(error)


@dataclass(frozen=True)
class BlockResult:
    """The result of some blocks: their sums, and what a keeper makes of their outcomes. Only sums add up."""

    sums: Sums
    rows: Any = None

    def __add__(self, other: "BlockResult") -> "BlockResult":
        return BlockResult(self.sums + other.sums)


class Keeper:
    """Keeps the results of a run: rows in a file, or everything in a folder, so the run can continue later. This one
    keeps nothing.

    Attributes:
        wants_rows: whether it keeps anything from the outcomes.
    """

    wants_rows = False

    def known(self, first: int, end: int, size: int) -> "tuple[Iterable[Sums], Iterable[Span]]":
        """Return the sums of blocks first … end − 1 that are there already, and the batches (of `size` blocks) still to
        be played."""
        return (), spans(first, end, size)

    def rows(self, first: int, outcomes: Any) -> Any:
        """Return what is to be kept of the outcomes of a batch that begins with block `first`; called by the thread
        that played it."""

    def keep(self, first: int, blocks: int, played: BlockResult) -> None:
        """Keep a batch; called by one thread, in any order of batches."""

    def stop(self) -> None:
        """Let nobody wait any more: no further batch is kept."""


class Frames(Keeper):
    """Keeps all rows in memory."""

    wants_rows = True

    def __init__(self, make: "Callable[[int, Any], pd.DataFrame]"):
        self._make = make
        self._frames: dict[int, pd.DataFrame] = {}

    def rows(self, first: int, outcomes: Any) -> "pd.DataFrame":
        """Return a table of rows."""
        return self._make(first, outcomes)

    def keep(self, first: int, blocks: int, played: BlockResult) -> None:
        """Keep the table of a batch."""
        self._frames[first] = played.rows

    def frame(self) -> "pd.DataFrame | None":
        """Return all rows in order; None if nothing was played."""
        if not self._frames:
            return None
        import pandas as pd

        return pd.concat([self._frames[first] for first in sorted(self._frames)], ignore_index=True)


def run(
    study: Study,
    *,
    games: int | None = None,
    max_games: int = 200_000,
    decided: Callable[[Sums], bool] = lambda sums: False,
    jobs: int = -1,
    batch: int = BATCH,
    keep_rows: bool = False,
    keeper: Keeper | None = None,
    timeout: float | None = None,
    watch: Callable[[int], None] = lambda games: None,
) -> Run:
    """Play a study until it is decided.

    Args:
        study: what to play.
        games: play exactly these, rounded up to whole blocks; None: until `decided` or `max_games` (rounded up
            likewise).
        decided: asked after fixed numbers of blocks whether the sums answer the question.
        jobs: threads, −1 for all cores. batch: games in a batch.
        keep_rows: keep a row for each game and seat, in memory; else `keeper` keeps what is played.
        timeout: seconds that a batch may take; it is then played by a process, see `sim.processes`; None: any time, and
            threads.
        watch: called with the number of games just played.

    Returns:
        The run; Ctrl-C ends it early and keeps what was played.

    Raises:
        StrategyError: see `play`.
    """
    players, game = study.players, registry.load(study.game)
    names = tuple(entrant.name for entrant in study.entrants)
    most = -(-(max_games if games is None else games) // players)

    if keep_rows:
        keeper = Frames(lambda block, outcomes: rows(game, outcomes, players, block * players, names))
    kept = keeper or Keeper()
    # a task that goes elsewhere leaves a keeper here if it can
    make_rows = kept.rows if kept.wants_rows or not away() else None

    def task(block: int, blocks: int) -> BlockResult:
        outcomes, decisions = play(study, block * players, blocks * players)
        return BlockResult(
            Sums.of(game, outcomes, players, len(names), decisions), make_rows(block, outcomes) if make_rows else None
        )

    size = max(1, batch // players)

    def known(first: int, end: int) -> tuple[Iterable[BlockResult], Iterable[Span]]:
        sums, left = kept.known(first, end, size)
        todo = iter(left)
        for batch in todo:  # what is all there is read without a strategy
            prepare(game, study.entrants, study.components)
            return map(BlockResult, sums), chain([batch], todo)
        return map(BlockResult, sums), ()

    with _processes(study, jobs, timeout, kept) as processes:
        total, interrupted = gather(
            task, BlockResult(Sums.blank(game, len(names))), most, size=size, fixed=games is not None,
            decided=lambda total: decided(total.sums), jobs=jobs, watch=lambda blocks: watch(blocks * players),
            known=known, keep=kept.keep, stop=kept.stop, each=processes.play if processes else None,
            apart=keeper is not None,
        )  # fmt: skip
    return Run(study, total.sums, kept.frame() if isinstance(kept, Frames) else None, interrupted)


def _processes(study: Study, jobs: int, timeout: float | None, keeper: Keeper) -> Any:
    """Return the processes that play if there is a timeout, as a context."""
    if timeout is None:
        return nullcontext()
    from sim.processes import Processes

    return Processes(study, jobs, timeout, keeper.rows if keeper.wants_rows else None)
