"""What a game counts, held against the same counted again from the record of the game (docs/record.md).

A game's recount is a function from the lines of a record to figures, for each seat: `score`, `share` (of the win), each
number and each category (its label) of the game by name, and `automaton` where somebody plays who has no seat. It is
written from the rulebook and from what the record means, not from the game's `tally`.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any, NamedTuple

from sim import registry, runner
from sim.contract import NO_AUTOMATON, WHOLE, Game
from sim.printed.components import Components
from sim.replay import Session, record
from sim.runner import Study
from strategies import catalog
from tests.contract.tools import players_of

Line = dict[str, Any]
Figures = dict[str, Any]
Recount = Callable[[Iterable[Line]], list[Figures]]


class BaseTally:
    """What the players of one game have done so far: a game says what it counts, from the first line of a record on.

    Attributes:
        figures: by player, counted from 1.
    """

    figures: dict[int, Figures]

    def __init__(self, first: Line):
        """Begin with the first line of a record."""

    def happened(self, what: str, line: Line) -> None:
        """Chance has brought something."""

    def decided(self, player: int, asks: str, option: Line) -> None:
        """A player has chosen an option."""

    def ended(self, phase: str, position: Line) -> None:
        """A phase has ended."""

    @classmethod
    def recount(cls, lines: Iterable[Line]) -> list[Figures]:
        """Return the figures of each seat.

        Args:
            lines: of the record of a game that has ended, also without positions at its decisions.

        Raises:
            Difference: a position of the record is not what its decisions make of the one before.
        """
        told = iter(lines)
        tally = cls(next(told))
        for line in told:
            if line["event"] == "chance":
                tally.happened(line["what"], line)
            elif line["event"] == "decision":
                tally.decided(line["player"], line["asks"], line["options"][line["choice"] - 1])
            elif line["event"] == "phase":
                tally.ended(line["phase"], line["position"])
        return list(tally.figures.values())


def as_told(lines: Iterable[Line]) -> list[Line]:
    """Return the lines of a record as they are read from a file."""
    return [json.loads(json.dumps(line)) for line in lines]


def counted(game: Game, outcome: Any, players: int) -> list[Figures]:
    """Return what an outcome record says, as figures."""
    automaton = {} if outcome.automaton == NO_AUTOMATON else {"automaton": int(outcome.automaton)}
    figures = []
    for seat in range(players):
        codes = {name: int(outcome.categories[seat, i]) for i, name in enumerate(game.categories)}
        figures.append(
            {"score": int(outcome.score[seat]), "share": int(outcome.share[seat]) / WHOLE, **automaton}
            | {name: int(outcome.numbers[seat, i]) for i, name in enumerate(game.numbers)}
            | {name: game.categories[name][code] if code >= 0 else None for name, code in codes.items()}
        )
    return figures


def disagreements(recounted: list[Figures], said: list[Figures]) -> list[str]:
    """Return a line for each figure that is not the same in both, or that only one of them has."""
    if len(recounted) != len(said):
        return [f"recounted for {len(recounted)} seats, the game counts {len(said)}"]
    return [
        f"seat {seat}, {name}: recounted {ours.get(name, 'nothing')}, the game says {theirs.get(name, 'nothing')}"
        for seat, (ours, theirs) in enumerate(zip(recounted, said), 1)
        for name in sorted(ours.keys() | theirs.keys())
        if name not in ours or name not in theirs or ours[name] != theirs[name]
    ]


def strategies_of(game: str) -> list[str]:
    """Return the strategies that come with a game, and each thinker with its usual one."""
    return catalog.names(game) + [f"{thinker}:{catalog.default(game)}@4" for thinker in catalog.thinkers()]


def line_ups(game: str, players: int, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return each of these strategies that can play alone, and each with the next one (not in a game of one)."""
    able = [name for name in names if players in players_of(game, name)]
    return [*((name,) for name in able), *(zip(able, [*able[1:], able[0]]) if players > 1 else ())]


class Survey(NamedTuple):
    """What came of recounting many games.

    Attributes:
        games: how many. wrong: a line for each figure that is miscounted. readings: each reading of a rule that was
            played.
        met: the values of each figure.
    """

    games: int
    wrong: list[str]
    readings: set[tuple[str, Any]]
    met: dict[str, set[Any]]

    def never_met(self, game: Game) -> list[str]:
        """Return the numbers that were 0 in every game, and the categories that nobody had each label of."""
        numbers = [name for name in game.numbers if not self.met[name] - {0}]
        return numbers + [name for name, labels in game.categories.items() if not self.met[name] >= set(labels)]


def survey(
    name: str, recount: Recount, printing: Callable[[int], Components], games: int, names: Sequence[str] = ()
) -> Survey:
    """Play games of every line-up and number of players in the hot loop, and recount each from its record.

    Args:
        name: of the game. printing: the components of a study, by its number. games: of each line-up and number of
            players.
        names: of strategies, if not all.
    """
    game, studies = registry.load(name), count()
    found = Survey(0, [], set(), defaultdict(set))
    for players in game.players:
        for line_up in line_ups(name, players, names or strategies_of(name)):
            number = next(studies)
            printed = printing(number)
            entrants = tuple(catalog.entrant(name, text, players) for text in line_up)
            study = Study(name, players, entrants, printed.record, number)
            found.readings.update(printed.model.model_dump().get("rules", {}).items())
            outcomes, _ = runner.play(study, 0, games)
            for which in range(games):
                said = counted(game, outcomes[which], players)
                wrong = disagreements(recount(as_told(record(Session(study, which), printed))), said)
                found.wrong.extend(f"{line_up}, {players} players, game {which}: {line}" for line in wrong)
                for figures in said:
                    for figure, value in figures.items():
                        found.met[figure].add(value)
    return found._replace(games=games * next(studies))
