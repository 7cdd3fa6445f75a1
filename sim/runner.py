"""A study → batches of games → sums by block: with joblib, with progress, and with the same result for any number of jobs and any batch."""

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed

from sim import registry
from sim.contract import MOST_STRATEGIES, Chair, Desk, Game, Strategy, records
from sim.outcomes import Sums, rows
from sim.play import DECISIONS_LIMIT

if TYPE_CHECKING:
    import pandas as pd

# Ctrl-C leaves batches behind on purpose.
warnings.filterwarnings("ignore", message=r"\d+ tasks (have been|which were still being) ", category=UserWarning)

BATCH = 2_500  # games; fewer, and the joints between batches begin to cost; more, and their outcomes don't fit the caches
FIRST_LOOK = 500  # blocks
LOOK_GROWTH = 1.5


class StrategyError(Exception):
    """A strategy that can't be used or has failed; its text is one line."""


@dataclass(frozen=True)
class Study:
    """What is played: everything that decides the outcome of game number g.

    Attributes:
        game: name. players: number of players. chairs: the strategies, see `sim.play.loop` for who plays which.
        components: the (1,) record. seed: any integer from 0 to 2⁶⁴ − 1.
    """

    game: str
    players: int
    chairs: tuple[Chair, ...]
    components: Any
    seed: int


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
    table = (components, records(state, 2), records(option, game.most_options), *Desk(game, cast).arrays)
    problem = ""
    try:
        with np.errstate(over="ignore"):
            decisions = game.loop(
                game.deal, game.advance, game.apply, game.imagine, game.tally, *minds, np.concatenate([s.weights for s in cast]), starts,
                *settings, len(cast), *table, outcomes, fault, study.players, first, games, np.uint64(study.seed),
            )  # fmt: skip
        if decisions < 0:
            never = fault[1] >= DECISIONS_LIMIT
            problem = "the game never ends" if never else f"chose {fault[3]}, allowed are 0 to {fault[4] - 1}"
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    if problem:
        at = outcomes["strategy"][fault[0] - first, fault[2]]
        where = f"seed {study.seed}, game {fault[0]}, decision {fault[1]}, seat {fault[2] + 1}"
        raise StrategyError(f"strategy {cast[at].name}: {' '.join(problem.split())} ({where})")
    if components.tobytes() != study.components.tobytes():
        raise StrategyError(f"strategy {' or '.join(s.name for s in cast)}: writes to the components")
    return outcomes, decisions


def _batch(study: Study, first: int, games: int, keep: bool) -> tuple[int, Sums, "pd.DataFrame | None"]:
    outcomes, decisions = play(study, first, games)
    game = registry.load(study.game)
    sums = Sums.of(game, outcomes, study.players, len(study.chairs), decisions)
    return first, sums, rows(game, outcomes, study.players, first, tuple(c.name for c in study.chairs)) if keep else None


def looks(most: int, fixed: bool) -> Iterator[int]:
    """Yield the numbers of blocks after which a run looks at its results: fixed in advance, so that no batch or job can shift them."""
    look = FIRST_LOOK
    while not fixed and look < most:
        yield look
        look = int(look * LOOK_GROWTH)
    yield most


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
    players = study.players
    most = -(-(max_games if games is None else games) // players)
    size = max(1, batch // players)
    game = registry.load(study.game)
    sums = Sums.blank(game, len(study.chairs))
    tables: dict[int, Any] = {}
    done, interrupted = 0, False
    prepare(game, study.chairs, study.components)
    with Parallel(n_jobs=jobs, prefer="threads", return_as="generator_unordered") as parallel:
        try:
            for look in looks(most, games is not None):
                tasks = (delayed(_batch)(study, b * players, min(size, look - b) * players, keep_rows) for b in range(done, look, size))
                for first, part, table in parallel(tasks):
                    sums += part
                    if table is not None:
                        tables[first] = table
                    watch(part.blocks * players)
                done = look
                if games is None and decided(sums):
                    break
        except KeyboardInterrupt:
            interrupted = True
    frame = None
    if keep_rows and tables:
        import pandas as pd

        frame = pd.concat([tables[first] for first in sorted(tables)], ignore_index=True)
    return Run(study, sums, frame, interrupted)
