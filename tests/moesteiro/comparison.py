"""Games of the engine, checked by the second engine: every option, position, score, source and winner.

What is counted is recounted from the same records.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from random import Random

from analyses.prove.recounts import as_told, counted, disagreements
from sim.moesteiro.ask import ASKS
from sim.moesteiro.recount import recount
from sim.printed.components import Components
from sim.recounting import Line, RecountError
from sim.replay import Session, record
from sim.runner import Study
from strategies import catalog
from tests.moesteiro.printings import printing
from tests.printings import alternatives, some_of
from tests.reference.moesteiro import Difference, check

KINDS = ("usual", "plausible", "odd")
RARE = ("usual", "close plausible", "plausible", "close scarce plausible", "odd", "close odd")
ALTERNATIVES = alternatives("moesteiro")
PLANNERS = [name for name in catalog.names("moesteiro") if name != "random_legal"]
# Games that go every way of every condition of the rules, most of them in three games: python -m tests.conditions
SLICE = (
    4, 9, 15, 17, 27, 31, 37, 45, 47, 50, 52, 65, 69, 71, 74, 75, 83, 87, 106, 124, 141, 161, 231, 250,
)  # fmt: skip


def told(
    study: Study, number: int, components: Components, choose: Callable[[Session], int]
) -> tuple[Session, list[Line]]:
    """Play a game of a study and return it with its record."""
    session = Session(study, number)
    return session, [*as_told(record(session, components, choose=choose, every=True))]


def game_of(number: int) -> tuple[Session, list[Line]]:
    """Play game `number` and return it with its record: of 2 to 4 players, of any printing, under any readings.

    In every other game somebody plans ahead, which leads to where chance alone seldom goes.
    """
    chance = Random(number)
    players, planned, legal = 2 + number % 3, number % 2 == 1, chance.choice((0.0, 0.5, 0.9))
    components = printing(KINDS[number // 3 % 3], chance, some_of(ALTERNATIVES, number // 9, chance))
    names = chance.sample(PLANNERS, 2) if planned else ["random_legal"]
    study = Study(
        "moesteiro",
        players,
        tuple(catalog.entrant("moesteiro", name, players) for name in names),
        components.record,
        number,
    )

    def choose(session: Session) -> int:
        if planned and chance.random() < 0.85:
            return session.ask()
        return chance.randrange(1 if chance.random() < legal else 0, session.n)  # the first option is often to pass

    return told(study, number, components, choose)


def slice_game(number: int) -> tuple[Session, list[Line]]:
    """Play a game without strategies, quick enough with the JIT off, and return it with its record.

    Half of the printings have so few points that players tie or win by one. For each kind of decision chance says once
    what all players like, so that things also come in numbers: passes, purchases, incomplete tiles, ends of tracks.
    """
    chance = Random(number)
    components = printing(RARE[number % len(RARE)], chance, some_of(ALTERNATIVES, number // len(RARE), chance))
    players = 2 + number // len(RARE) % 3
    study = Study(
        "moesteiro", players, (catalog.entrant("moesteiro", "random_legal", players),), components.record, number
    )
    likes = {asks: chance.choice(("first", "last", "not the first", "any")) for asks in ASKS}

    def choose(session: Session) -> int:
        liked = likes[ASKS[session.state.asks]] if chance.random() < 0.8 else "any"
        if liked == "first":
            return 0
        return session.n - 1 if liked == "last" else chance.randrange(0 if liked == "any" else 1, session.n)

    return told(study, number, components, choose)


def lines_of(number: int) -> list[Line]:
    """Return the record of game `number`."""
    return game_of(number)[1]


def differences(numbers: Iterable[int], game: Callable[[int], tuple[Session, list[Line]]]) -> Iterator[str]:
    """Play these games; yield a line for each in which the engines differ, and for each miscounted figure."""
    for number in numbers:
        session, lines = game(number)
        try:
            check(lines)
            wrong = disagreements(recount(lines), counted(session.game, session.outcome[0], session.study.players))
        except (Difference, RecountError) as difference:
            wrong = [str(difference)]
        yield from (f"game {number}: {line}" for line in wrong)


def compare(first: int, games: int) -> list[str]:
    """Return what is different in games first, first + 1, …"""
    return list(differences(range(first, first + games), game_of))


def compare_slice(numbers: Iterable[int] = SLICE) -> list[str]:
    """Return the first difference in the games of the slice, or in some of their kind."""
    return list(islice(differences(numbers, slice_game), 1))
