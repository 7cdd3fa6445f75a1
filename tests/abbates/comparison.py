"""Games of the engine, checked by the second engine: every option, position, score, source and winner; and what is
counted, recounted.

For thousands of games: python -m tests.abbates.comparison FIRST GAMES
"""

import sys
from collections import Counter
from collections.abc import Sequence
from random import Random

from joblib import Parallel, delayed

from analyses.prove.recounts import as_told, counted, disagreements
from sim.abbates import ask
from sim.abbates.recount import recount
from sim.recounting import Line, RecountError
from sim.replay import Session, record
from sim.runner import Study
from strategies import catalog
from tests.abbates.printings import printing
from tests.printings import alternatives, some_of
from tests.reference.abbates import Difference, check

KINDS = ("usual", "plausible", "odd")
ALTERNATIVES = alternatives("abbates")
PLANNERS = [name for name in catalog.names("abbates") if name != "random_legal"]
CHUNK = 50
# Games of chance that go every way through the rules that games can go, each three times if that is not too rare
# (tests/conditions.py).
SLICE = (
    7, 42, 46, 52, 58, 71, 75, 84, 112, 118, 127, 164, 204, 233, 244, 283, 284, 285, 308, 333, 381, 401, 487, 498, 535,
    572, 644, 688, 704, 756, 784, 808, 847, 906, 924, 928, 29927,
)  # fmt: skip


def game_of(number: int, strategies: bool = True) -> tuple[Session, list[Line]]:
    """Play game `number` and return it with its record: of 1 to 4 players, of any printing, under any readings.

    Args:
        strategies: in every other game somebody plans ahead, which leads to where chance alone seldom goes.
    """
    chance = Random(number)
    players, planned = 1 + number % 4, strategies and number // 4 % 2 == 1 and len(PLANNERS) > 0
    components = printing(KINDS[number // 8 % 3], chance, some_of(ALTERNATIVES, number // 24, chance))
    names = chance.sample(PLANNERS, min(players, 2, len(PLANNERS))) if planned else ["random_legal"]
    study = Study(
        "abbates",
        players,
        tuple(catalog.entrant("abbates", name, players) for name in names),
        components.record,
        number,
    )

    # Low cards first: Benedict cards alone are left. One plays high cards, all others low ones: who wins all gets no
    # card back.
    low_first, one_wins = number // 4 % 4 == 2, number // 4 % 4 == 3 and not planned

    def choose(session: Session) -> int:
        state = session.state
        if state.asks == ask.ABBOT and (low_first or one_wins) and chance.random() < 0.95:
            return session.n - 1 if one_wins and state.player == state.this_round % state.sitting else 0
        return session.ask() if planned and chance.random() < 0.85 else chance.randrange(session.n)

    session = Session(study, number)
    return session, [*as_told(record(session, components, choose=choose, every=True))]


def lines_of(number: int) -> list[Line]:
    """Return the record of game `number`."""
    return game_of(number)[1]


def differences(first: int, games: int, strategies: bool = True) -> tuple[list[str], Counter]:
    """Play games first, first + 1, …; return a line for each difference of engines or figures, and how often each
    decision was met."""
    found, met = [], Counter()
    for number in range(first, first + games):
        session, told = game_of(number, strategies)
        met.update(line.get("asks", line.get("what", "")) for line in told)
        try:
            check(told)
            wrong = disagreements(recount(told), counted(session.game, session.outcome[0], session.study.players))
        except (Difference, RecountError) as difference:
            wrong = [str(difference)]
        found += [f"game {number}: {line}" for line in wrong]
    return found, met


def compare(first: int, games: int, strategies: bool = True) -> list[str]:
    """Play games first, first + 1, …; return a line for each difference of the engines or of a figure."""
    return differences(first, games, strategies)[0]


def compare_slice(numbers: Sequence[int] = SLICE) -> list[str]:
    """Play some games; return a line for each difference of the engines or of a figure."""
    return [line for number in numbers for line in compare(number, 1, strategies=False)]


def main() -> None:
    """Compare many games and say what was met."""
    first, games = (int(word) for word in sys.argv[1:])
    parts = Parallel(n_jobs=-1)(
        delayed(differences)(number, min(CHUNK, first + games - number))
        for number in range(first, first + games, CHUNK)
    )
    found, met = [line for lines, _ in parts for line in lines], sum((met for _, met in parts), Counter())
    print(*found[:20], f"{games} games, {len(found)} differ; met: {dict(met.most_common())}", sep="\n")


if __name__ == "__main__":
    main()
