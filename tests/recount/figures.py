"""What a game counts, held against its recount (`sim.recounting`) in many games of all line-ups."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, NamedTuple

from analyses.prove.recounts import as_told, counted, disagreements
from sim import registry, runner
from sim.contract import Game
from sim.printed.components import Components
from sim.recounting import Recount
from sim.replay import Session, record
from sim.runner import Study
from strategies import catalog
from tests.contract.tools import players_of


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
