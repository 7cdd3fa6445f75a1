"""A study → batches of games → sums by block: with joblib, with progress, and with the same result for any number of jobs and any batch."""

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from joblib import Parallel, delayed

from sim import registry
from sim.compiled import entry_of
from sim.contract import MOST_STRATEGIES, Chair, Desk, Game, Strategy, records
from sim.dealing import Deal
from sim.outcomes import Sums, rows
from sim.play import DECISIONS_LIMIT, NOT_OFFERED

if TYPE_CHECKING:
    import pandas as pd

# Ctrl-C leaves batches behind on purpose.
warnings.filterwarnings("ignore", message=r"\d+ tasks (have been|which were still being) ", category=UserWarning)

BATCH = 2_500  # games; fewer, and the joints between batches begin to cost; more, and their outcomes don't fit the caches
FIRST_LOOK = 500  # blocks
LOOK_GROWTH = 1.5
Part = TypeVar("Part", bound=Any)


class StrategyError(Exception):
    """A strategy that can't be used or has failed; its text is one line."""


@dataclass(frozen=True)
class Study:
    """What is played: everything that decides the outcome of game number g.

    Attributes:
        game: name. players: number of players. chairs: the strategies, see `sim.play.loop` for who plays which.
        components: the (1,) record; for a deal see `sim.dealing.powerless`. seed: any integer from 0 to 2⁶⁴ − 1.
        deal: things that are dealt by chance instead of being chosen.
    """

    game: str
    players: int
    chairs: tuple[Chair, ...]
    components: Any
    seed: int
    deal: Deal | None = None

    @cached_property
    def plan(self) -> np.ndarray:
        """The games of a block, see `sim.play.loop`: all rotations of the persons through the seats, or those of the deal."""
        if self.deal is not None:
            return self.deal.plan(registry.load(self.game), self.players)
        return np.array([(turn, 0, 0) for turn in range(self.players)], np.int64)


@dataclass(frozen=True)
class Run:
    """What came of a study: the sums, the rows if asked for, and whether it was stopped by hand."""

    study: Study
    sums: Sums
    rows: "pd.DataFrame | None"
    interrupted: bool

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.sums.blocks * self.study.players


@lru_cache(maxsize=256)  # who tunes weights asks for thousands, each once
def _load(chair: Chair, game: str, components: bytes) -> Strategy:
    loaded = registry.load(game)
    return chair.load(loaded, np.frombuffer(components, loaded.dtypes[0]).view(np.recarray)[0])


def prepare(game: Game, chairs: Iterable[Chair], components: Any) -> None:
    """Have all compiled that a study needs, by one thread and before a clock starts."""
    for chair in chairs:
        _load(chair, game.name, components.tobytes())
    game.loop, game.add_up, game.no_thought  # noqa: B018 (made when they are first asked for)


def strategies(study: Study) -> list[Strategy]:
    """Return the strategies of a study, ready to play; each is made once in a process."""
    return [_load(chair, study.game, study.components.tobytes()) for chair in study.chairs]


def play(study: Study, first: int, games: int) -> tuple[Any, int]:
    """Play games first, first + 1, … of a study.

    Returns:
        The outcome records (games,) and the number of decisions made.

    Raises:
        StrategyError: a strategy chose outside its options, raised, or never came to an end; the line says who, where and what.
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
    dealing = study.deal.setting(game) if study.deal is not None else np.array([-1, 0, 0, 0])
    table = (components, records(state, 2), records(option, game.most_options), *Desk(game, cast).arrays)
    problem = ""
    try:
        with np.errstate(over="ignore"):
            decisions = entry_of(game.loop)(
                game.deal, game.advance, game.apply, game.imagine, game.tally, *minds, np.concatenate([s.weights for s in cast]), starts,
                *settings, len(cast), *table, outcomes, fault, study.plan, dealing, study.players, first, games, np.uint64(study.seed),
            )  # fmt: skip
        if decisions < 0:
            never = fault[1] >= DECISIONS_LIMIT
            problem = "the game never ends" if never else f"chose {fault[3]}, allowed are 0 to {fault[4] - 1}"
            problem = "could not take what it was dealt" if fault[3] == NOT_OFFERED and study.deal is not None else problem
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
    """Yield the numbers of blocks after which a run looks at its results: fixed in advance, so that no batch or job can shift them."""
    look = FIRST_LOOK
    while not fixed and look < most:
        yield look
        look = int(look * LOOK_GROWTH)
    yield most


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
) -> tuple[Part, bool]:
    """Add up what a task finds out about blocks of games, by threads: the same total whatever their number and order.

    Args:
        task: called with the number of the first block and of blocks; what it returns can be added. total: of no block.
        most: blocks. size: blocks of one task.
        fixed: play all of them; else until `decided`, which is asked about the total after fixed numbers of blocks.
        jobs: threads, −1 for all cores. watch: told of each number of further blocks.

    Returns:
        The total, and whether Ctrl-C ended it early: it then holds what was finished.
    """

    def one(first: int, blocks: int) -> tuple[int, Part]:
        return blocks, task(first, blocks)

    done = 0
    with Parallel(n_jobs=jobs, prefer="threads", return_as="generator_unordered") as parallel:
        try:
            for look in looks(most, fixed):
                for blocks, part in parallel(delayed(one)(first, min(size, look - first)) for first in range(done, look, size)):
                    total = total + part
                    watch(blocks)
                done = look
                if not fixed and decided(total):
                    break
        except KeyboardInterrupt:
            return total, True
    return total, False


@dataclass(frozen=True)
class _Kept:
    """Sums of some blocks, and their rows by number of the first game."""

    sums: Sums
    tables: dict[int, Any]

    def __add__(self, other: "_Kept") -> "_Kept":
        return _Kept(self.sums + other.sums, self.tables | other.tables)


def run(
    study: Study,
    *,
    games: int | None = None,
    max_games: int = 200_000,
    decided: Callable[[Sums], bool] = lambda sums: False,
    jobs: int = -1,
    batch: int = BATCH,
    keep_rows: bool = False,
    watch: Callable[[int], None] = lambda games: None,
) -> Run:
    """Play a study until it is decided.

    Args:
        study: what to play.
        games: play exactly these, rounded up to whole blocks; None: until `decided` or `max_games` (rounded up likewise).
        decided: asked after fixed numbers of blocks whether the sums answer the question.
        jobs: threads, −1 for all cores. batch: games in a batch.
        keep_rows: keep a row for each game and seat. watch: told of each number of further games played.

    Returns:
        The run; Ctrl-C ends it early and keeps what was played.

    Raises:
        StrategyError: see `play`.
    """
    players, game = study.players, registry.load(study.game)
    names = tuple(chair.name for chair in study.chairs)
    most = -(-(max_games if games is None else games) // players)

    def task(block: int, blocks: int) -> _Kept:
        first = block * players
        outcomes, decisions = play(study, first, blocks * players)
        sums = Sums.of(game, outcomes, players, len(names), decisions)
        return _Kept(sums, {first: rows(game, outcomes, players, first, names)} if keep_rows else {})

    prepare(game, study.chairs, study.components)
    kept, interrupted = gather(
        task, _Kept(Sums.blank(game, len(names)), {}), most, size=max(1, batch // players), fixed=games is not None,
        decided=lambda kept: decided(kept.sums), jobs=jobs, watch=lambda blocks: watch(blocks * players),
    )  # fmt: skip
    frame = None
    if kept.tables:
        import pandas as pd

        frame = pd.concat([kept.tables[first] for first in sorted(kept.tables)], ignore_index=True)
    return Run(study, kept.sums, frame, interrupted)
