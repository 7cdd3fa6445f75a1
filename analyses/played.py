"""What was played: the facts that every finding carries, so anybody can repeat it."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.printed.components import Components, Counts


@dataclass(frozen=True)
class Played:
    """What was played, the same facts for every question.

    Attributes:
        components: as they were played. players: number of players. strategies: names; one alone sat in every seat.
        seed: of all games. margin: what counts as balanced, in win index; None where nothing is judged.
        games, blocks, decisions: of each thing that is compared (a value, a reading, …). blocks: None where its parts have blocks of
            different sizes. decisions: None where nobody counted them.
        sequential: whether the intervals hold whenever the run stops, or else for a number of games that was fixed in advance.
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
        """Return the beginning of every answer for machines; without times and number of jobs, so it is the same everywhere."""
        return {
            "game": self.components.game,
            "rules_version": self.components.rules_version,
            "players": self.players,
            "seated": list(self.strategies),
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


@dataclass(frozen=True)
class Found:
    """A finding: what was played. Its subclasses add what was found.

    Attributes:
        played: the record; its facts can be asked of the finding itself.
    """

    played: Played

    @property
    def components(self) -> "Components":
        """The components as they were played."""
        return self.played.components

    @property
    def counts(self) -> "Counts":
        """How many of their numbers are assumed or given."""
        return self.played.components.counts

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.played.components.game

    @property
    def title(self) -> str:
        """The game's name for people."""
        return self.components.title

    @property
    def rules_version(self) -> str:
        """Version of the game's rules."""
        return self.components.rules_version

    @property
    def players(self) -> int:
        """Number of players."""
        return self.played.players

    @property
    def strategies(self) -> tuple[str, ...]:
        """Names of the strategies; one alone sat in every seat."""
        return self.played.strategies

    @property
    def seed(self) -> int:
        """Seed of all games."""
        return self.played.seed

    @property
    def margin(self) -> float:
        """What counts as balanced, in win index."""
        assert self.played.margin is not None
        return self.played.margin

    @property
    def games(self) -> int:
        """Number of games, see `Played`."""
        return self.played.games

    @property
    def blocks(self) -> int:
        """Number of blocks, see `Played`."""
        return self.played.blocks or 0

    @property
    def decisions(self) -> int:
        """Number of decisions, see `Played`."""
        return self.played.decisions or 0

    @property
    def sequential(self) -> bool:
        """Whether the intervals hold whenever the run stops."""
        return self.played.sequential

    @property
    def interrupted(self) -> bool:
        """Whether somebody stopped it by hand."""
        return self.played.interrupted

    def stopped(self) -> "Found":
        """Return the same, as of a run that somebody stopped by hand."""
        return replace(self, played=replace(self.played, interrupted=True))
