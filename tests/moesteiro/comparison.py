"""Games of the engine, checked by the second engine: every option, position, score, source and winner.

What is counted is recounted from the same records.
"""

from random import Random

from sim.replay import Session, record
from sim.runner import Study
from strategies import catalog
from tests.moesteiro.printings import printing
from tests.printings import alternatives, some_of
from tests.recount.figures import Line, as_told, counted, disagreements
from tests.recount.moesteiro import recount
from tests.reference.moesteiro import Difference, check

KINDS = ("usual", "plausible", "odd")
ALTERNATIVES = alternatives("moesteiro")
PLANNERS = [name for name in catalog.names("moesteiro") if name != "random_legal"]


def game_of(number: int, strategies: bool = True) -> tuple[Session, list[Line]]:
    """Play game `number` and return it with its record: of 2 to 4 players, of any printing, under any readings.

    Args:
        strategies: in every other game somebody plans ahead, which leads to where chance alone seldom goes.
    """
    chance = Random(number)
    players, planned, legal = 2 + number % 3, strategies and number % 2 == 1, chance.choice((0.0, 0.5, 0.9))
    components = printing(KINDS[number // 3 % 3], chance, some_of(ALTERNATIVES, number // 9, chance))
    names = chance.sample(PLANNERS, 2) if planned else ["random_legal"]
    study = Study("moesteiro", players, tuple(catalog.chair("moesteiro", name, players) for name in names), components.record, number)

    def choose(session: Session) -> int:
        if planned and chance.random() < 0.85:
            return session.ask()
        return chance.randrange(1 if chance.random() < legal else 0, session.n)  # the first option is often to pass

    session = Session(study, number)
    return session, as_told(record(session, components, choose=choose, every=True))


def lines_of(number: int) -> list[Line]:
    """Return the record of game `number`."""
    return game_of(number)[1]


def compare(first: int, games: int, strategies: bool = True) -> list[str]:
    """Play games first, first + 1, …; return a line for each in which the engines differ, and each miscounted figure."""
    found = []
    for number in range(first, first + games):
        session, lines = game_of(number, strategies)
        try:
            check(lines)
            wrong = disagreements(recount(lines), counted(session.game, session.outcome[0], session.study.players))
        except Difference as difference:
            wrong = [str(difference)]
        found += [f"game {number}: {line}" for line in wrong]
    return found
