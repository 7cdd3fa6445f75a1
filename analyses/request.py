"""What to play: the facts that all questions share, checked and read before we play anything."""

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyses.played import Found, Played
from sim import registry

if TYPE_CHECKING:
    from analyses.findings import Survey
    from analyses.survey import PlannedLine
    from sim.contract import Entrant
    from sim.printed.components import Components
    from strategies.catalog import Seated

EARLY = 4  # a report writes its first page after one in so many of its games


@dataclass(frozen=True)
class Request:
    """What somebody wants to play.

    Attributes:
        game: name. components: as they are played, `files` and `changes` included. files: of components, as they were
            typed.
        changes: PATH=VALUE each. players: numbers of players, rising. named: whether somebody asked for these numbers.
        strategies: as somebody names them; none: the game's usual one.
        games: exactly these; None: until it is decided, or max_games. margin: what counts as balanced, in win index.
        seed: of all games. jobs: threads, −1 for all cores. early: whether a report plays a part of its games, for its
            first page.
    """

    game: str
    components: "Components"
    files: tuple[str, ...]
    changes: tuple[str, ...]
    players: tuple[int, ...]
    named: bool
    strategies: tuple[str, ...]
    games: int | None
    max_games: int
    margin: float
    seed: int
    jobs: int = -1
    early: bool = False

    @property
    def most(self) -> int:
        """The most games of a line."""
        return self.games or self.max_games

    def up_to(self, usual: int) -> int:
        """Return how many games a report plays of something at most; usual: of which it usually plays so many."""
        most = min(usual, self.most)
        return -(-most // EARLY) if self.early else most

    def line_up(self, players: int) -> "tuple[Seated, ...]":
        """Return the line-up for a number of players.

        Raises:
            StrategyError: somebody can't.
        """
        from analyses.survey import line_up

        return line_up(self.game, self.strategies, players)

    def played(self, players: int, entrants: "Iterable[Entrant]", **counts: Any) -> Played:
        """Return the record of what was played; `counts`: the other fields of `Played`, where they are known
        already."""
        return Played(
            self.components, players, tuple(entrant.name for entrant in entrants), self.seed, self.margin, **counts
        )

    def with_changes(self, *changes: str) -> "Components":
        """Return the components with further changes, PATH=VALUE each.

        Raises:
            ComponentsError: one can't be made.
        """
        from sim.printed.components import read

        return read(self.game, [Path(name) for name in self.files], [*self.changes, *changes])

    def command(self, name: str, *words: str, margin: bool = True) -> str:
        """Return what to type to ask a question again: its own words, then the components, margin and seed."""
        return shlex.join(["chapterhouse", name, registry.typed(self.game), *words, *self.rest(margin)])

    def again(self, name: str, found: Found, *words: str) -> str:
        """Return what to type to play the games of a finding again."""
        names = flags("--strategy", (name.split(" #")[0] for name in found.strategies))
        return self.command(name, *words, "--players", str(found.players), *names, "--games", str(found.games))

    def rest(self, margin: bool = True) -> list[str]:
        """Return the words with which a command plays the same components with the same margin and seed."""
        same = [*flags("--components", self.files), *flags("--set", self.changes)]
        return [*same, *(["--margin", f"{self.margin:g}"] if margin else []), "--seed", str(self.seed)]

    def how_many(self) -> list[str]:
        """Return the words that ask for as many games."""
        return ["--games", str(self.games)] if self.games else ["--max-games", str(self.max_games)]


def flags(option: str, values: Iterable[object]) -> list[str]:
    """Return the words that give an option once for each value."""
    return [word for value in values for word in (option, str(value))]


@dataclass(frozen=True)
class LineUp:
    """Who sits down, and how much they play.

    Attributes:
        players: number of players. entrants: the strategies. games: exactly these; None: until it is decided, or
            max_games.
        slow: whether somebody looks ahead, so that few games are played, fixed in advance.
        powers: of dealt things, games that tell a power from the rest; None: all.
    """

    players: int
    entrants: "tuple[Seated, ...]"
    games: int | None
    max_games: int
    slow: bool = False
    powers: int | None = None

    @property
    def most(self) -> int:
        """The most games."""
        return self.games or self.max_games

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the strategies."""
        return tuple(entrant.name for entrant in self.entrants)


@dataclass(frozen=True)
class InReport:
    """A question's share of a report.

    Attributes:
        total: request and lines of the survey → about how many games, each worth as much time as one of a quick
            strategy.
        add: survey, request, lines and a watch (called with further games and their weight) → the survey with what was
            found; Ctrl-C ends it early, keeps what was played and marks the survey as interrupted.
    """

    total: "Callable[[Request, Sequence[PlannedLine]], int]"
    add: "Callable[[Survey, Request, Sequence[PlannedLine], Callable[..., None]], Survey]"
