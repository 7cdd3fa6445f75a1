"""Do real games end as simulated ones do? Wins and scores by seat, things taken, wins of their holders: what differs by
more than chance.

Real games are few and independent of each other, so nothing here relies on large numbers of them. All questions to a
log share one risk of 5 %: of logs that come from the simulation itself, we call no more than one in twenty different
anywhere. Each question has an equal part of the risk (wins, scores, and for each kind of thing what players take and
how its holders fare; for each number of players), and within a question all intervals hold at once.

    wins             interval of Clopper and Pearson ("The use of confidence or fiducial limits", 1934) for the table's
                     share, of somewhat fewer games where the simulated share has an error worth mentioning; it differs
                     if the simulated share lies outside
    scores, things   see `analyses.playtests.drawn`: how far logs deviate that are drawn from the simulated games
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from analyses import frames as pd
from analyses.blocks import ByNumber
from analyses.played import Found, Played
from analyses.playtests.drawn import DRAWS, ScoresYardstick, ThingsYardstick
from analyses.playtests.log import Log, further, noted
from analyses.playtests.reader import RealGames
from analyses.request import Request
from analyses.stated import withheld
from analyses.statistics import ALPHA, Floats, interval, notice
from sim import registry
from sim.contract import WHOLE, Entrant
from sim.moments import Moments
from sim.runner import BATCH, Study, gather, play, prepare

IN_LINE, DIFFERS = "in line", "differs"
FEWEST = 20  # simulated games for each real one: with fewer, their own errors would hide differences
# simulated: a hundred for each real one, so that their own error is a tenth
LEAST_GAMES, MOST_GAMES, TIMES = 20_000, 400_000, 100


@dataclass(frozen=True)
class Compared(Found):
    """Real games beside the simulated ones with the same number of players; these are what was played.

    Attributes:
        real: real games. scored: those of them with scores. risk: of each question.
        seats: table with seat, played, wins, share, low, high, simulated, simulated_low, simulated_high, differs,
            more_games (that would show this difference if it is real; 0 if they already do, none if there is no
            difference), games_for_margin (that would show a seat that wins more than simulated by the margin), visible
            (the least share above the simulated one that so many games show).
        scores: table, empty without scores, with seat ("all" first), mean, low, high, simulated, differs, more_games.
        things: kind → table with thing, noted, taken (share of rounds), taken_low, taken_high, taken_simulated,
            taken_differs, taken_more_games, wins (share of the holders), wins_low, wins_high, wins_simulated,
            wins_differs, wins_more_games.
    """

    real: int
    scored: int
    risk: float
    seats: "pd.DataFrame" = field(repr=False)
    scores: "pd.DataFrame" = field(repr=False)
    things: "dict[str, pd.DataFrame]" = field(repr=False)

    @property
    def words(self) -> dict[str, str]:
        """The word on each question: wins, scores if there are any, <kind> taken, <kind> wins."""
        tables = {"wins": self.seats["differs"]} | ({"scores": self.scores["differs"]} if self.scored else {})
        for kind, table in self.things.items():
            tables |= {f"{kind} taken": table["taken_differs"], f"{kind} wins": table["wins_differs"]}
        return {question: DIFFERS if differs.any() else IN_LINE for question, differs in tables.items()}

    @property
    def word(self) -> str:
        """Whether anything differs."""
        return DIFFERS if DIFFERS in self.words.values() else IN_LINE


@dataclass(frozen=True)
class Playtests(Found):
    """A log against the simulation; what was played is that of the first number of players.

    Attributes:
        log: as it was read. compared: by number of players, fewer than in the log if the run was stopped by hand.
        questions: number of questions that the log was asked.
    """

    log: RealGames
    compared: tuple[Compared, ...]
    questions: int

    @property
    def word(self) -> str:
        """Whether anything differs with any number of players."""
        return DIFFERS if any(one.word == DIFFERS for one in self.compared) else IN_LINE

    @property
    def real(self) -> int:
        """Number of real games that were compared."""
        return sum(one.real for one in self.compared)


def enough(log: Log) -> int:
    """Return how many games to simulate for a log by default."""
    return min(max(LEAST_GAMES, TIMES * log.games), MOST_GAMES)


def fewest(log: Log) -> int:
    """Return the fewest simulated games that a log needs; for a log of any size, `MOST_GAMES` are enough."""
    return min(FEWEST * log.games, MOST_GAMES)


def playtests(
    request: Request,
    log: RealGames,
    line_ups: Mapping[int, Sequence[Entrant]],
    watch: Callable[[int], None] = lambda games: None,
) -> Playtests | None:
    """Compare a log with simulated games; Ctrl-C ends it early and keeps what was played.

    Args:
        request: what is asked for; without its games, `enough` are simulated for each number of players.
        log: the real games. line_ups: number of players → the strategies. watch: called with further games.

    Returns:
        What was found; None if fewer than the `fewest` games were simulated, as nothing is compared then.

    Raises:
        StrategyError: see `sim.runner.play`.
    """
    components = request.components
    said = [kind for kind in registry.load(request.game).things if not withheld(components, kind)]
    logs = [replace(each, held={kind: held for kind, held in each.held.items() if kind in said}) for each in log.logs]
    questions = sum(each.questions for each in logs)
    compared: list[Compared] = []
    for each in logs:
        study = Study(request.game, each.players, tuple(line_ups[each.players]), components.record, request.seed)
        simulated, interrupted = simulate(study, request.games or enough(each), request.jobs, watch)
        if simulated.games >= fewest(each):
            played = replace(request.played(each.players, study.entrants), interrupted=interrupted)
            compared.append(compare(played, each, simulated, ALPHA / questions))
        if interrupted:
            break
    if not compared:
        return None
    stopped = len(compared) < len(logs) or compared[-1].interrupted
    return Playtests(replace(compared[0].played, interrupted=stopped), log, tuple(compared), questions)


def simulate(
    study: Study, games: int, jobs: int = -1, watch: Callable[[int], None] = lambda games: None
) -> tuple[Log, bool]:
    """Play whole blocks and keep what a log has; also say whether it was stopped by hand."""
    game, n = registry.load(study.game), study.players
    columns = {
        kind: [list(game.categories).index(name) for name in held.categories] for kind, held in game.things.items()
    }

    def task(first: int, blocks: int) -> ByNumber:
        outcomes, _ = play(study, first * n, blocks * n)
        held = (outcomes["categories"][:, :n][:, :, which].astype(np.int8) for which in columns.values())
        return ByNumber(
            {first: (outcomes["share"][:, :n].astype(np.int8), outcomes["score"][:, :n].astype(np.int32), *held)}
        )

    prepare(game, study.entrants, study.components)
    kept, interrupted = gather(
        task, ByNumber(), -(-games // n), size=max(1, BATCH // n), jobs=jobs, watch=lambda blocks: watch(blocks * n)
    )
    blank = (
        np.zeros((0, n), np.int8),
        np.zeros((0, n), np.int32),
        *(np.zeros((0, n, len(w)), np.int8) for w in columns.values()),
    )
    share, score, *held = (
        np.concatenate(arrays) for arrays in zip(blank, *(kept[at] for at in sorted(kept)), strict=True)
    )
    return Log(n, share, score, dict(zip(columns, held, strict=True))), interrupted


def compare(played: Played, log: Log, simulated: Log, risk: float, draws: int = DRAWS) -> Compared:
    """Compare real games with simulated ones that have the same number of players.

    Args:
        played: the record of the simulated games, but for their number; logs are drawn with its seed. log: real games.
        simulated: whole blocks. risk: of each question, to say that it differs though it doesn't. draws: how many logs,
            at most.
    """
    game, seed, things = registry.load(played.components.game), played.seed, {}
    for at, kind in enumerate(log.kinds):
        names = game.categories[game.things[kind].categories[0]]
        cells = noted(log.held[kind], simulated.held[kind])
        chance = np.random.default_rng([seed, log.players, 1 + at])
        things[kind] = ThingsYardstick(simulated, kind, cells, len(names), risk, chance, draws).table(log, names)
    seats = _seats(log, simulated, risk, played.margin or 0.0)
    scores = pd.DataFrame()
    if len(log.score):
        chance = np.random.default_rng([seed, log.players, 0])
        scores = ScoresYardstick(simulated, len(log.score), risk, chance, draws).table(log.score)
    counted = replace(played, games=simulated.games, blocks=simulated.games // log.players)
    return Compared(counted, log.games, len(log.score), risk, seats, scores, things)


def shares_between(wins: Floats, games: Floats | int, risk: float) -> tuple[Floats, Floats]:
    """Return the interval of Clopper and Pearson for shares of wins; a shared win counts as its part, and varies
    less."""
    from scipy.stats import beta

    wins = np.asarray(wins, np.float64)
    low = np.where(wins > 0, beta.ppf(risk / 2, np.maximum(wins, 1e-9), games - wins + 1), 0)
    high = np.where(wins < games, beta.ppf(1 - risk / 2, wins + 1, np.maximum(games - wins, 1e-9)), 1)
    return low, high


def _seats(log: Log, simulated: Log, risk: float, margin: float) -> "pd.DataFrame":
    n, games = log.players, log.games
    wins = log.share.sum(axis=0, dtype=np.int64) / WHOLE
    share = wins / games
    one = risk / (n if n > 2 else 1)  # what two players win is one number
    blocks = simulated.share.reshape(-1, n, n).sum(axis=1, dtype=np.int64)
    p, s = Moments.of(blocks).weighted(np.eye(n) / (n * WHOLE))
    least, most = interval(p, s, len(blocks), n, sequential=False, least=0, most=1)
    once = 1 / (simulated.games + 2)  # as if one more game had it: what was never seen is not impossible
    fair = p.clip(once, 1 - once)
    # the simulated share's error costs so many games
    counted = games / (1 + games * s**2 / len(blocks) / (fair * (1 - fair)))
    low, high = shares_between(share * counted, counted, one)
    differs = (fair < low) | (fair > high)
    low, high = np.where(differs, low, np.minimum(low, p)), np.where(differs, high, np.maximum(high, p))
    table = {"seat": range(1, n + 1), "played": games, "wins": wins, "share": share, "low": low, "high": high}
    table |= {"simulated": p, "simulated_low": least, "simulated_high": most, "differs": differs}
    more = pd.array([further(0 if d else needed(a, b, one), games) for a, b, d in zip(share, p, differs)], "Int64")
    off = pd.array([needed(b + margin / n, b, one) for b in p], "Int64")
    return pd.DataFrame(
        table | {"more_games": more, "games_for_margin": off, "visible": [visible(b, games, one) for b in p]}
    )


def needed(share: float, expected: float, risk: float) -> int | None:
    """Return how many games would show, in four of five logs, that a share is not the expected one; None if it is, or
    can't be shown."""
    if not 0 < expected < 1 or not 0 <= share <= 1:
        return None
    return notice(share / expected, 1 / expected, risk)


def visible(expected: float, games: int, risk: float) -> float:
    """Return the least share above the expected one that so many games show in four of five logs; NaN if not even all
    wins would."""
    most = needed(1.0, expected, risk)
    if most is None or most > games:
        return math.nan
    low, high = expected, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        enough_ = needed(middle, expected, risk)
        low, high = (low, middle) if enough_ is not None and enough_ <= games else (middle, high)
    return high
