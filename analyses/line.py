"""One verdict line: plays until it is decided, then makes every table that the game has the counts for."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from analyses import frames as pd
from analyses.evidence import Evidence
from analyses.findings import Line
from analyses.played import Played
from analyses.stated import withheld
from analyses.statistics import Verdict, verdict
from analyses.tables import growth, places, seats, sources, things, ties, uses
from analyses.tables.tables import Tables
from sim.contract import Entrant, Game
from sim.outcomes import Sums
from sim.printed.components import Components
from sim.runner import BATCH, Keeper, Study, run

MARGIN = 0.10  # of win index: with four players 22.5 to 27.5 %
MAX_GAMES = 200_000


def analyse(
    game: Game,
    players: int,
    entrants: Sequence[Entrant],
    components: Components,
    seed: int,
    *,
    games: int | None = None,
    max_games: int = MAX_GAMES,
    min_games: int = 0,
    enough: Callable[[Evidence], bool] | None = None,
    margin: float = MARGIN,
    role: str = "asked",
    jobs: int = -1,
    batch: int = BATCH,
    keep_rows: bool = False,
    keeper: Keeper | None = None,
    timeout: float | None = None,
    watch: Callable[[int], None] = lambda games: None,
) -> "tuple[Line, pd.DataFrame | None]":
    """Play one line and look at it from all sides.

    Args:
        game: the game. players: number of players. entrants: the strategies; one alone sits in every seat. components:
            what is printed.
        seed: integer from 0 to 2⁶⁴ − 1.
        games: play exactly these (rounded up to whole blocks) and use intervals for a fixed number; None: until the
            verdict is decided.
        max_games, min_games: without `games`, no more than these, and no fewer even if decided.
        enough: without `games`, whether it need not go on; None: once its verdict is decided.
        margin: what counts as balanced, in win index. role: see `analyses.findings.Line`.
        jobs, batch, keep_rows, keeper, timeout, watch: see `sim.runner.run`.

    Returns:
        The line, and the rows if asked for.

    Raises:
        StrategyError: see `sim.runner.play`.
    """
    names = tuple(entrant.name for entrant in entrants)
    absent = frozenset(game.absent(components.record[0]))

    def evidence(sums: Sums, sequential: bool = True) -> Evidence:
        return Evidence(game, players, names, sums, sequential, absent)

    def decided(sums: Sums) -> bool:
        if sums.blocks * players < min_games:
            return False
        return enough(evidence(sums)) if enough else judge(evidence(sums), margin).word != "undecided"

    study = Study(game.name, players, tuple(entrants), components.record, seed)
    played = run(
        study, games=games, max_games=max_games, decided=decided, jobs=jobs, batch=batch, keep_rows=keep_rows,
        keeper=keeper, timeout=timeout, watch=watch,
    )  # fmt: skip
    # Who stops a run by hand may have looked at it.
    sequential = games is None or played.interrupted
    seen = evidence(played.sums, sequential)
    facts = Played(
        components, players, names, seed, margin, played.games, played.sums.blocks, played.sums.decisions,
        sequential=sequential, interrupted=played.interrupted,
    )  # fmt: skip
    line = Line(
        facts, role, judge(seen, margin), tables(seen, {kind for kind in game.things if withheld(components, kind)})
    )
    return line, played.rows


def judge(evidence: Evidence, margin: float) -> Verdict:
    """Return the verdict on the seats."""
    index, low, high = (part * evidence.players for part in evidence.shares(evidence.seats))
    return verdict(index, low, high, margin, evidence.sums.blocks)


def tables(evidence: Evidence, silent: Collection[str] = ()) -> Tables:
    """Return every table that the game has the counts for, by name; see `analyses.findings`. `silent`: kinds of things
    left out."""
    game = evidence.game
    prefixes = {name.partition(".")[0] + "." for name in game.numbers}
    asked = {
        "seats": (seats.by_seat, True),
        "strategies": (seats.by_strategy, True),
        "places": (places.places, game.places),
        "ties": (ties.ties, True),
        "growth": (growth.growth, growth.PREFIX in prefixes),
        "things": (lambda evidence: things.things(evidence, silent), set(game.things) - set(silent)),
        "sources": (sources.sources, sources.PREFIX in prefixes),
        "uses": (uses.uses, any(prefix.rstrip(".") in game.headings for prefix in prefixes)),
    }
    return Tables({name: partial(make, evidence) for name, (make, there) in asked.items() if there})
