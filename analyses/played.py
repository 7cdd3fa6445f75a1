"""What was played: the facts that every finding carries, so anybody can repeat it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from analyses.prove import stamp
from sim import registry
from strategies._named import has_players

if TYPE_CHECKING:
    from sim.printed.components import Components

T = TypeVar("T")


@dataclass(frozen=True)
class Played:
    """What was played, the same facts for every question.

    Attributes:
        components: as they were played. players: number of players. strategies: names; one alone sat in every seat.
        seed: of all games. margin: what counts as balanced, in win index; None where nothing is judged.
        games, blocks, decisions: of each thing that is compared (a value, a reading, …). blocks: None where its parts
            have blocks of different sizes. decisions: None where nobody counted them.
        sequential: whether the intervals hold whenever the run stops, or else for a number of games that was fixed in
            advance.
        interrupted: stopped by hand.
    """

    components: "Components"
    players: int
    strategies: tuple[str, ...]
    seed: int
    margin: float | None
    games: int = 0
    blocks: int | None = 0
    decisions: int | None = None
    sequential: bool = False
    interrupted: bool = False

    def head(self) -> dict[str, Any]:
        """Return the beginning of every answer for machines; without times and number of jobs, so it is the same
        everywhere."""
        return {
            "game": registry.shown(self.components.game),
            "rules_version": self.components.rules_version,
            "proved": stamp.words(self.components.game),
            "players": self.players,
            "seated": list(self.strategies),
            "strategies_written": has_players(self.components.game),
            "games": self.games,
            "blocks": self.blocks,
            "decisions": self.decisions,
            "seed": self.seed,
            "intervals": "sequence" if self.sequential else "fixed",
            "interrupted": self.interrupted,
            "components": self.components.digest,
            **self.components.counts._asdict(),
            "margin": self.margin,
        }


def notice(components: "Components") -> str:
    """Return what must stand above every result: placeholders, what somebody has given, and whether nobody wrote a
    player for the game; "" if there is nothing."""
    unwritten = "" if has_players(components.game) else "nobody wrote a player for this game"
    return "; ".join(part for part in (components.counts.notice, unwritten) if part)


class _Of(Generic[T]):
    """A fact of what was played, which can be asked of the finding itself."""

    def __init__(self, fact: Callable[[Played], T]):
        self.fact = fact

    def __get__(self, found: "Found", kind: type) -> T:
        return self.fact(found.played)


@dataclass(frozen=True)
class Found:
    """A finding: what was played. Its subclasses add what was found.

    Attributes:
        played: the record; its facts can be asked of the finding itself: of `margin`, `blocks` and `decisions` only
            where there are any.
        counts: how many numbers of the components are assumed or given. notice: what must stand above it. title: the
            game's name for people.
    """

    played: Played

    components = _Of(lambda played: played.components)
    counts = _Of(lambda played: played.components.counts)
    notice = _Of(lambda played: notice(played.components))
    game = _Of(lambda played: played.components.game)
    title = _Of(lambda played: played.components.title)
    rules_version = _Of(lambda played: played.components.rules_version)
    players = _Of(lambda played: played.players)
    strategies = _Of(lambda played: played.strategies)
    seed = _Of(lambda played: played.seed)
    margin = _Of(lambda played: cast(float, played.margin))
    games = _Of(lambda played: played.games)
    blocks = _Of(lambda played: played.blocks or 0)
    decisions = _Of(lambda played: played.decisions or 0)
    sequential = _Of(lambda played: played.sequential)
    interrupted = _Of(lambda played: played.interrupted)


class Counted:
    """Counts the games of several parts, and tells somebody of them as they are played.

    Attributes:
        games: so far.
    """

    def __init__(self, watch: Callable[[int], None]):
        self.games, self._watch = 0, watch

    def __call__(self, games: int) -> None:
        """Count games that were just played."""
        self.games += games
        self._watch(games)


F = TypeVar("F", bound=Found)


def in_turn(findings: "Iterable[F]") -> list[F]:
    """Return what is found in turn, without what played nothing, up to the first that somebody stopped by hand."""
    kept: list[F] = []
    for found in findings:
        kept += [found] * (found.blocks > 0)
        if found.interrupted:
            break
    return kept
