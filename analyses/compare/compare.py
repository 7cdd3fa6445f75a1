"""Two sets of components on the same chance, paired by block: what the second changes, with strategies as they are and
tuned anew.

The parts, in order of play: whole games (who wins, points, uses), the worth of things that chance deals, strategies at
one table and, if the user asks, the same with a strategy tuned for the second set.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from analyses import frames as pd
from analyses.compare.order import Order, order, play_mix
from analyses.compare.revision import Revision
from analyses.compare.things import ThingsCompared, deal_both, game_counts
from analyses.compare.tuned import TEST_GAMES, Retuned, generations, plan, retune
from analyses.compare.whole import WholeGames, play
from analyses.played import Counted, Found
from sim.printed.components import Components, cell
from sim.printed.model import leaves


@dataclass(frozen=True)
class Comparison(Found):
    """What another set of components changes; its games are those of each set, for the seats, and its components those
    after the change.

    Attributes:
        revision: what was compared. changes: path, value before, value after; None where a list has no such entry.
        whole: whole games with the strategies that were asked for. things: by kind, as far as they were dealt.
        order: strategies at one table; None if there is only one, or it was stopped before. mixed: whether these are
            all of the game's.
        retuned: with a strategy that was tuned for the change; None if that was not asked for, or not begun. all_games:
            games in all.
    """

    revision: Revision
    changes: tuple[tuple[str, Any, Any], ...]
    whole: WholeGames
    things: tuple[ThingsCompared, ...] = ()
    order: Order | None = None
    mixed: bool = False
    retuned: Retuned | None = field(default=None, repr=False)
    all_games: int = 0


def differences(before: Components, after: Components) -> tuple[tuple[str, Any, Any], ...]:
    """Return every path at which two sets differ, with both values; None where a list has no such entry."""
    was, now = (dict(leaves(part.model.model_dump())) for part in (before, after))
    paths = dict.fromkeys([*was, *now])
    return tuple((".".join(keys), was.get(keys), now.get(keys)) for keys in paths if was.get(keys) != now.get(keys))


def total(revision: Revision) -> int:
    """Return how many games are played in all."""
    request, n = revision.request, revision.players
    whole = 2 * -(-request.most // n) * n
    dealt = sum(2 * game_counts(request.game, kind, n, request.most)[1] for kind in revision.kinds)
    games = whole + dealt + (whole if revision.mix else 0)
    if revision.retune is None:
        return games
    count, each = generations(plan(revision.entrants[0], n, request.seed), revision.retune)
    return games + count * each + 2 * -(-min(TEST_GAMES, request.most) // n) * n + whole + dealt


def compare(
    revision: Revision,
    watch: Callable[[int], None] = lambda games: None,
    begins: Callable[[str], None] = lambda part: None,
) -> Comparison:
    """Play both sets on the same chance.

    Args:
        revision: what to play. watch: called with the number of games just played.
        begins: called with the name of each part as it begins.

    Returns:
        What changes; Ctrl-C ends it early and keeps what was played.

    Raises:
        StrategyError: see `sim.runner.play`. ImportError: the library is missing that tunes.
    """
    request, studies, count = revision.request, revision.studies(revision.entrants), Counted(watch)
    begins("whole games")
    whole, found = play(studies, request, count)
    things: tuple[ThingsCompared, ...] = ()
    met, tuned, stopped = None, None, whole.interrupted
    for kind in revision.kinds:
        if not stopped:
            begins(f"{kind}, dealt")
            part = deal_both(studies, kind, request, count)
            things, stopped = (*things, *([part] if part else [])), part is None or part.interrupted
    if len(revision.entrants) > 1 and not whole.interrupted:
        met = order(found)
    elif revision.mix and not stopped:
        begins("strategies at one table")
        met = play_mix(revision.studies(revision.mix), request, count)
        stopped = met is None or met.interrupted
    if revision.retune is not None and not stopped:
        begins("tuning anew")
        tuned = retune(revision, count)
        stopped = tuned.interrupted
    changes = differences(revision.before, revision.after)
    played = replace(whole.played, interrupted=stopped)
    return Comparison(played, revision, changes, whole, things, met, bool(revision.mix), tuned, count.games)


def tables(found: Comparison) -> dict[str, Any]:
    """Return the tables of a comparison by file name."""
    changes = pd.DataFrame(
        [(path, cell(was), cell(now)) for path, was, now in found.changes], columns=["path", "before", "after"]
    )
    made: dict[str, Any] = {"changes": changes, **_whole_tables(found.whole)}
    made |= {f"things_{part.kind}": part.things for part in found.things}
    if found.order:
        made["strategies"] = found.order.strategies
    if found.retuned and found.retuned.whole:
        made |= {f"tuned_{name}": frame for name, frame in _whole_tables(found.retuned.whole).items()}
        made |= {f"tuned_things_{part.kind}": part.things for part in found.retuned.things}
    return made


def _whole_tables(whole: WholeGames) -> dict[str, Any]:
    frames: Sequence[tuple[str, Any]] = [
        (name, getattr(whole, name)) for name in ("seats", "sources", "growth", "uses")
    ]
    return {name: frame for name, frame in frames if len(frame)}
