"""Does it matter how you read the rulebook? We play every other reading on the same chance, and see what it changes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any

import numpy as np

from analyses import frames as pd
from analyses.evidence import EVERYBODY
from analyses.findings import Survey
from analyses.line import judge
from analyses.paired import Difference
from analyses.played import Found, in_turn
from analyses.request import InReport, Request, flags
from analyses.statistics import Verdict, compared
from analyses.survey import PlannedLine
from sim import registry
from sim.contract import Entrant
from sim.paired import play_pairs
from sim.printed.components import Components
from sim.printed.rulings import Ruling, read
from sim.runner import Study

GAMES = 20_000  # of each reading
REPORT_GAMES = 3_000  # the same in a report, for each number of players: it is read for its verdicts, and waited for


@dataclass(frozen=True)
class ReadingEffect:
    """What another reading changes.

    Attributes:
        ruling, value: the reading, as a value of the ruling's switch. verdict: on the seats with it.
        word: "same" if it is the verdict without it, "changes" if not, "undecided" if one of the two is.
        seats: table with seat, win_share_before, win_share_after, change, low, high (of the change, for all seats at
            once), games_saved (how many times as many games separate runs would need).
        score_before, score_after, score_change: mean score of a player; the change with its interval.
        altered: share of games that end with other scores or another winner.
    """

    ruling: Ruling
    value: str
    verdict: Verdict
    word: str
    seats: "pd.DataFrame" = field(repr=False)
    score_before: float
    score_after: float
    score_change: tuple[float, float, float]
    altered: float

    @property
    def change(self) -> str:
        """What to type after --set to play this reading."""
        return f"rules.{self.ruling.switch}={self.value}"

    @property
    def name(self) -> str:
        """What the reading is about, for people; with its value if there are several others."""
        return self.ruling.topic + (f": {self.value}" if len(self.ruling.alternatives) > 1 else "")

    @property
    def sure(self) -> bool:
        """Whether any seat's win share changes by more than chance."""
        return bool(((self.seats["low"] > 0) | (self.seats["high"] < 0)).any())

    @property
    def most(self) -> dict[str, Any]:
        """The row of the seat whose win share changes most; of seats equally far, the first."""
        row = int(np.argmax(np.abs(self.seats["change"].to_numpy()).round(12)))
        return {str(name): value for name, value in self.seats.to_dict("records")[row].items()}


@dataclass(frozen=True)
class Readings(Found):
    """The effects of all other readings, for one number of players and one way to play; games and blocks are those of
    each reading.

    Attributes:
        verdict: without any change. effects: in the order of the rulings; none where nothing was played.
        occurs: number of the game that a ruling names as its case → share of games in which it arises for somebody.
    """

    verdict: Verdict
    effects: tuple[ReadingEffect, ...] = ()
    occurs: Mapping[str, float] = field(default_factory=dict)

    @property
    def all_games(self) -> int:
        """Number of games of all readings together."""
        return self.games * (1 + len(self.effects))

    def find(self, switch: str, value: str) -> ReadingEffect | None:
        """Return the effect of a switch's value."""
        return next(
            (effect for effect in self.effects if (effect.ruling.switch, effect.value) == (switch, value)), None
        )


def others(components: Components) -> list[tuple[Ruling, str]]:
    """Return every reading that these components don't play, as a ruling and a value of its switch; without choices of
    the set-up."""
    rulings = (ruling for ruling in read(components.game) if ruling.switch and not ruling.setup)
    return [(ruling, value) for ruling in rulings for value in ruling.others(components.rules[ruling.switch])]


def listed(request: Request, entrants: Sequence[Entrant] = ()) -> Readings:
    """Return the readings without any effects: nothing is played."""
    unknown = Verdict("undecided", 1, nan, nan, nan, nan, None, None, None)
    return Readings(request.played(request.players[0], entrants), unknown)


def measure(
    request: Request,
    players: int,
    entrants: Sequence[Entrant],
    games: int,
    watch: Callable[[int], None] = lambda games: None,
) -> Readings:
    """Play every other reading on the same chance as the components' own.

    Args:
        request: what is asked for. players: number of players. entrants: the strategies.
        games: of each reading, rounded up to whole blocks. watch: called with further games, of all readings.

    Returns:
        The effects, none if nothing can be read otherwise; Ctrl-C ends it early and keeps what was played.

    Raises:
        StrategyError: see `sim.runner.play`.
    """
    game, names = registry.load(request.game), tuple(entrant.name for entrant in entrants)
    changes = others(request.components)
    versions = [
        request.components,
        *(request.with_changes(f"rules.{ruling.switch}={value}") for ruling, value in changes),
    ]
    studies = [Study(game.name, players, tuple(entrants), version.record, request.seed) for version in versions]
    paired = play_pairs(studies, ("share", "score"), games, jobs=request.jobs, watch=watch)
    # Who stops a run by hand may have looked at it.
    found = [Difference(game, players, names, paired, at, paired.interrupted) for at in range(len(studies))]
    verdict = judge(found[0].before, request.margin)
    pairs = zip(changes, found[1:], strict=True) if paired.blocks else ()
    effects = tuple(
        _effect(ruling, value, verdict, difference, request.margin) for (ruling, value), difference in pairs
    )
    ended = {"sequential": paired.interrupted, "interrupted": paired.interrupted}
    played = request.played(players, entrants, games=paired.games, blocks=paired.blocks, **ended)
    cases = [ruling.occurs for ruling in read(game.name) if ruling.occurs] if paired.games else []
    occurs = {case: int(paired.sums[0].used[game.numbers.index(case)]) / paired.games for case in cases}
    return Readings(played, verdict, effects, occurs)


def _effect(ruling: Ruling, value: str, before: Verdict, difference: Difference, margin: float) -> ReadingEffect:
    seats, after = difference.before.seats, judge(difference.after, margin)
    score = difference.change([EVERYBODY], "score")
    table = {
        "seat": list(seats),
        "win_share_before": difference.before.shares(seats).value,
        "win_share_after": difference.after.shares(seats).value,
        **difference.change(seats, "share").columns("change", "low", "high"),
        "games_saved": difference.saved(seats, "share"),
    }
    return ReadingEffect(
        ruling, value, after, compared(before.word, after.word), pd.DataFrame(table),
        float(difference.before.column([EVERYBODY], "score").value[0]),
        float(difference.after.column([EVERYBODY], "score").value[0]),
        (float(score.value[0]), float(score.low[0]), float(score.high[0])),
        int(difference.paired.altered[difference.at]) / max(difference.paired.games, 1),
    )  # fmt: skip


def table(readings: Readings) -> "pd.DataFrame":
    """Return a row for each other reading: verdicts, the seat that changes most, the mean score."""
    rows = []
    for effect in readings.effects:
        score = dict(zip(("score_change", "score_low", "score_high"), effect.score_change, strict=True))
        rows.append(
            {"switch": effect.ruling.switch, "value": effect.value, "verdict_before": readings.verdict.word}
            | {"verdict_after": effect.verdict.word, "verdict": effect.word, "altered": effect.altered}
            | effect.most
            | {"score_before": effect.score_before, "score_after": effect.score_after} | score
        )  # fmt: skip
    return pd.DataFrame(rows)


def seats_table(readings: Readings) -> "pd.DataFrame":
    """Return a row for each other reading and seat."""
    heads, seats = (
        ["switch", "value"],
        {(effect.ruling.switch, effect.value): effect.seats for effect in readings.effects},
    )
    return pd.concat(seats, names=heads).reset_index(heads).reset_index(drop=True) if seats else pd.DataFrame()


# --- in a report ------------------------------------------------------------------------------------------------------


def _total(request: Request, lines: Sequence[PlannedLine]) -> int:
    count = len(others(request.components))
    return request.up_to(REPORT_GAMES) * (1 + count) * sum(line.headline for line in lines) if count else 0


def _add(survey: Survey, request: Request, lines: Sequence[PlannedLine], watch: Callable[..., None]) -> Survey:
    if not others(request.components):
        return survey
    heads = [line for line in lines if line.headline]
    found = in_turn(measure(request, line.players, line.entrants, request.up_to(REPORT_GAMES), watch) for line in heads)
    commands = []
    for line in found:
        words = ["--players", str(line.players), *flags("--strategy", request.strategies), "--games", str(line.games)]
        commands.append(request.command("rules", *words))
    return survey.with_findings(heads, found, commands, readings=tuple(found))


IN_REPORT = InReport(_total, _add)
