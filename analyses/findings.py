"""The findings: a line for each verdict, and a survey of lines for a report.

Tables are tidy pandas frames. The columns `low` and `high` are the ends of a 95 % interval, which holds for all rows of
its family at once, at the moment the run stopped. `share` and `index` count a win shared by k players as 1/k. A value
that never came up is empty (NaN). Columns:

    seats       seat, win_share, low, high, index, index_low, index_high, mean_score, score_low, score_high, margin,
                place
    strategies  strategy, then the same
    places      order (heading), round, place, win_share, low, high
    ties        seats ("1+3"), tied (games in which they had the same, highest score), shared (games in which they
                shared the win), share (of all games, of `tied`)
    growth      seat, round, points, low, high
    things      kind, thing, round ("all", "1", …), seat ("all", "1", …), strategy ("all" or its name), chosen,
                chosen_low, chosen_high, wins_when_held, low, high, points_when_held, points_low, points_high
    sources     strategy, source, points, low, high
    uses        strategy, heading, prefix, name, mean, low, high, used, flag

`mean_score`, `margin` (own score − best other) and `points` are points. `place` runs from 1. `chosen` is the share of a
player's rounds in which the player held the thing, `mean` the uses per player and game, `used` the share of games in
which anybody used it. `flag` is "never", "always" or "". If several strategies sit at one table, `sources` and `uses`
also have rows for the strategy "all". `seats`, `strategies` and `ties` are always there; the other tables only if the
game counts what they need.
"""

from collections.abc import Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from analyses.played import Found
from analyses.statistics import Verdict
from analyses.tables.tables import Tables
from sim import registry

if TYPE_CHECKING:
    from analyses.balance.advice import Advice
    from analyses.games import Three
    from analyses.ladder import Ladder
    from analyses.readings import Readings
    from analyses.robustness.robustness import Robustness
    from analyses.variants.variants import Variants
    from analyses.worth.worth import Worth


@dataclass(frozen=True)
class Line(Found):
    """One verdict: a game, a number of players, the line-up, and all that was counted.

    Attributes:
        role: "default", "strategy", "random", "mix", "level" or "asked", see `analyses.survey`. verdict: on the seats.
        tables: see the module.
    """

    role: str
    verdict: Verdict
    tables: Tables = field(repr=False)

    @property
    def par(self) -> float:
        """The win share of a seat in a balanced game."""
        return 1 / self.players


@dataclass(frozen=True)
class Survey(Found):
    """Everything that goes into a report; `played` is of the first line, and says whether somebody stopped any of it by
    hand.

    Attributes:
        lines: for each number of players the headline (role "default" or "asked") first.
        commands: what to type to make the report, and each line, again. versions: name → version of what made it.
        readings: for some numbers of players, what every other reading of the rulebook changes.
        three: games that stand for many; None if somebody stopped the survey before it chose them.
        ladder: strategies against one another, and phases at random; None if not played.
        worths: what things are worth when chance deals them, for each kind, number of players and way to play;
            for each kind and number of players the headline's way comes first.
        robustness: whether the verdicts hold for other plausible sets of numbers; None if no number is assumed,
            or it was not played.
        levels: the strategies that stand for levels of play, weakest first, if played; none if the user names
            strategies.
        variants: what the variants of the rules change, for some numbers of players; and, with one player, how hard the
            game is.
        advice: what to change; None if the run stopped before.
    """

    lines: list[Line]
    commands: tuple[str, ...]
    versions: dict[str, str]
    readings: "tuple[Readings, ...]" = ()
    three: "Three | None" = None
    ladder: "Ladder | None" = None
    worths: "tuple[Worth, ...]" = ()
    robustness: "Robustness | None" = None
    levels: tuple[str, ...] = ()
    variants: "tuple[Variants, ...]" = ()
    advice: "Advice | None" = None

    @property
    def speaks(self) -> int:
        """The number of players that speaks for the game."""
        return registry.speaking(self.game, {line.players for line in self.lines})

    def with_findings(self, asked: Sized, found: Sequence[Found], commands: Sequence[str], **findings: Any) -> "Survey":
        """Return it with findings of other questions, and the commands that ask these again.

        Args:
            asked: what was to be played. found: what was, less if it was stopped by hand. findings: by their names
                here.
        """
        played = replace(self.played, interrupted=len(found) < len(asked) or any(line.interrupted for line in found))
        return replace(self, played=played, commands=(*self.commands, *commands), **findings)

    def headline(self, players: int) -> Line:
        """Return the line that speaks for a number of players."""
        return next(line for line in self.lines if line.players == players)

    def worth(self, kind: str, players: int) -> "Worth | None":
        """Return what the things of a kind are worth among the players of the headline, if it was measured."""
        headline = self.headline(players)
        return next(
            (w for w in self.worths if (w.kind, w.players, w.strategies) == (kind, players, headline.strategies)), None
        )

    def level(self, line: Line) -> int | None:
        """Return which level of play a line stands for, from 1, the weakest; None if for none."""
        alone = any(line is other for other in self.at_levels(line.players))
        return self.levels.index(line.strategies[0]) + 1 if alone else None

    def at_levels(self, players: int) -> list[Line]:
        """Return the lines of the levels of play at a number of players, weakest first."""
        alone = {
            line.strategies[0]: line
            for line in reversed(self.lines)
            if line.players == players and len(line.strategies) == 1
        }
        return [alone[name] for name in self.levels if name in alone]
