"""What is compared: a game before and after a change, and who plays both."""

from dataclasses import dataclass

from analyses.compare.whole import Studies
from analyses.request import Request
from analyses.stated import stated
from analyses.survey import line_ups
from sim.printed.components import Components
from sim.runner import Study
from strategies.catalog import Seated


@dataclass(frozen=True)
class Revision:
    """A game before and after a change, and who plays both.

    Attributes:
        before: components before the change. request: the game after it; its games are those of each set in each part,
            rounded up to whole blocks. entrants: the strategies. retune: most games of self-play to tune the strategy
            anew; None: it is not tuned.
    """

    before: Components
    request: Request
    entrants: tuple[Seated, ...]
    retune: int | None = None

    @property
    def after(self) -> Components:
        """Components after the change."""
        return self.request.components

    @property
    def players(self) -> int:
        """Number of players."""
        return self.request.players[0]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of things that are dealt: those of whose single things something may be said, before and after."""
        return tuple(stated(self.before, self.after))

    @property
    def mix(self) -> tuple[Seated, ...]:
        """Strategies to meet at one table if only one was asked for; none if the game has no others."""
        if len(self.entrants) > 1:
            return ()
        return next((entrants for role, entrants in line_ups(self.request.game, self.players) if role == "mix"), ())

    def studies(self, entrants: tuple[Seated, ...], others: tuple[Seated, ...] = ()) -> Studies:
        """Return both games with some strategies; `others`: who plays the changed one, if somebody else does."""
        game, players, seed = self.request.game, self.players, self.request.seed
        after = Study(game, players, others or entrants, self.after.record, seed)
        return Study(game, players, entrants, self.before.record, seed), after
