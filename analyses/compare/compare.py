"""Two sets of components on the same chance, paired by block: what the second changes, with strategies as they are and tuned anew.

The parts, in the order in which they are played: whole games (who wins, points, uses), the worth of things that are dealt, strategies at
one table, and if asked for the same with a strategy that was tuned for the second set.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analyses.compare.order import Order, order, play_mix
from analyses.compare.played import Played, play
from analyses.compare.things import Things, deal_both, game_counts
from analyses.compare.tuned import TEST_GAMES, Retuned, generations, plan, retune
from analyses.stated import stated
from analyses.survey import casts
from sim import registry
from sim.printed.model import leaves
from sim.runner import Study
from strategies.catalog import Seated

if TYPE_CHECKING:
    from sim.printed.components import Components

GAMES = 100_000  # of each set in each part: two cores play the main game so, with four players, in half a minute


@dataclass(frozen=True)
class Asked:
    """What is to be compared.

    Attributes:
        before, after: components of one game. players: number of players. chairs: the strategies. seed: of everything.
        games: of each set in each part, rounded up to whole blocks. margin: what counts as balanced, in win index.
        retune: most games of self-play to tune the strategy anew; None: it is not tuned.
    """

    before: "Components"
    after: "Components"
    players: int
    chairs: tuple[Seated, ...]
    seed: int
    games: int
    margin: float
    retune: int | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of things that are dealt: those of whose single things something may be said, before and after."""
        return tuple(stated(self.before, self.after))

    @property
    def mix(self) -> tuple[Seated, ...]:
        """Strategies to meet at one table if only one was asked for; none if the game has no others."""
        if len(self.chairs) > 1:
            return ()
        return next((chairs for role, chairs in casts(self.before.game, self.players) if role == "mix"), ())

    def studies(self, chairs: tuple[Seated, ...]) -> tuple[Study, Study]:
        """Return both sets with some strategies."""
        game = self.before.game
        before, after = (Study(game, self.players, chairs, part.record, self.seed) for part in (self.before, self.after))
        return before, after

    def total(self) -> int:
        """Return how many games are played in all."""
        n = self.players
        whole = 2 * -(-self.games // n) * n
        dealt = sum(2 * game_counts(self.before.game, kind, n, self.games)[1] for kind in self.kinds)
        total = whole + dealt + (whole if self.mix else 0)
        if self.retune is None:
            return total
        count, each = generations(plan(self.chairs[0], n, self.seed), self.retune)
        return total + count * each + 2 * -(-min(TEST_GAMES, self.games) // n) * n + whole + dealt


@dataclass(frozen=True)
class Comparison:
    """What another set of components changes.

    Attributes:
        asked: what was compared. game, title, rules_version: of the game.
        changes: path, value before, value after; None where a list has no such entry.
        played: whole games with the strategies that were asked for. things: by kind, as far as they were dealt.
        order: strategies at one table; None if there is only one, or it was stopped before. mixed: whether these are all of the game's.
        retuned: with a strategy that was tuned for the change; None if that was not asked for, or not begun.
        interrupted: stopped by hand. games: played in all.
    """

    asked: Asked
    game: str
    title: str
    rules_version: str
    changes: tuple[tuple[str, Any, Any], ...]
    played: Played
    things: tuple[Things, ...] = ()
    order: Order | None = None
    mixed: bool = False
    retuned: Retuned | None = field(default=None, repr=False)
    interrupted: bool = False
    games: int = 0

    @property
    def strategies(self) -> tuple[str, ...]:
        """Names of the strategies that were asked for."""
        return tuple(chair.name for chair in self.asked.chairs)


def differences(before: "Components", after: "Components") -> tuple[tuple[str, Any, Any], ...]:
    """Return every path at which two sets differ, with both values; None where a list has no such entry."""
    was, now = (dict(leaves(part.model.model_dump())) for part in (before, after))
    paths = dict.fromkeys([*was, *now])
    return tuple((".".join(keys), was.get(keys), now.get(keys)) for keys in paths if was.get(keys) != now.get(keys))


def compare(
    asked: Asked, *, jobs: int = -1, watch: Callable[[int], None] = lambda games: None, begins: Callable[[str], None] = lambda part: None
) -> Comparison:
    """Play both sets on the same chance.

    Args:
        asked: what to play. jobs: threads, −1 for all cores. watch: told of further games. begins: told what is played now.

    Returns:
        What changes; Ctrl-C ends it early and keeps what was played.

    Raises:
        StrategyError: see `sim.runner.play`. ImportError: the library is missing that tunes.
    """
    counter = [0]

    def count(games: int) -> None:
        counter[0] += games
        watch(games)

    game = registry.load(asked.before.game)
    begins("whole games")
    before, after = asked.studies(asked.chairs)
    played, found = play(before, after, asked.games, asked.margin, jobs=jobs, watch=count)
    head = (asked, game.name, game.title, game.version, differences(asked.before, asked.after), played)
    if played.interrupted:
        return Comparison(*head, interrupted=True, games=counter[0])
    things = _things(asked, before, after, jobs, count, begins)
    stopped = len(things) < len(asked.kinds) or any(part.interrupted for part in things)
    met = order(found) if len(asked.chairs) > 1 else None
    if asked.mix and not stopped:
        begins("strategies at one table")
        met = play_mix(*asked.studies(asked.mix), asked.games, jobs=jobs, watch=count)
        stopped = met is None or met.interrupted
    tuned = None
    if asked.retune is not None and not stopped:
        begins("tuning anew")
        tuned = _retuned(asked, jobs, count)
        stopped = tuned.interrupted
    return Comparison(*head, things, met, bool(asked.mix), tuned, stopped, counter[0])


def _things(
    asked: Asked, before: Study, after: Study, jobs: int, watch: Callable[[int], None], begins: Callable[[str], None]
) -> tuple[Things, ...]:
    found: list[Things] = []
    for kind in asked.kinds:
        begins(f"{kind}, dealt")
        part = deal_both(before, after, kind, asked.games, asked.margin, jobs=jobs, watch=watch)
        found += [part] if part else []
        if part is None or part.interrupted:
            break
    return tuple(found)


def _retuned(asked: Asked, jobs: int, watch: Callable[[int], None]) -> Retuned:
    made = plan(asked.chairs[0], asked.players, asked.seed)
    count, _ = generations(made, asked.retune or 0)
    return retune(asked.before, asked.after, made, count, asked.kinds, asked.games, asked.margin, jobs=jobs, watch=watch)


def tables(found: Comparison) -> "dict[str, Any]":
    """Return the tables of a comparison by file name."""
    import pandas as pd

    changes = pd.DataFrame([(path, _text(was), _text(now)) for path, was, now in found.changes], columns=["path", "before", "after"])
    made: dict[str, Any] = {"changes": changes, **_played_tables(found.played)}
    made |= {f"things_{part.kind}": part.things for part in found.things}
    if found.order:
        made["strategies"] = found.order.strategies
    if found.retuned and found.retuned.played:
        made |= {f"tuned_{name}": frame for name, frame in _played_tables(found.retuned.played).items()}
        made |= {f"tuned_things_{part.kind}": part.things for part in found.retuned.things}
    return made


def _played_tables(played: Played) -> "dict[str, Any]":
    frames: Sequence[tuple[str, Any]] = [(name, getattr(played, name)) for name in ("seats", "sources", "growth", "uses")]
    return {name: frame for name, frame in frames if len(frame)}


def _text(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
