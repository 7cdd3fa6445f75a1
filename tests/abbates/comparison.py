"""Games of the engine, checked by the second engine: every option, position, score, source and winner.

For thousands of games: python -m tests.abbates.comparison FIRST GAMES
"""

import json
import sys
from collections import Counter
from random import Random

from joblib import Parallel, delayed

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


def lines_of(number: int, strategies: bool = True) -> list[dict]:
    """Play game `number` and return its record: of 1 to 4 players, of any printing, under any readings.

    Args:
        strategies: in every other game somebody plans ahead, which leads to where chance alone seldom goes.
    """
    chance = Random(number)
    players, planned = 1 + number % 4, strategies and number // 4 % 2 == 1 and len(PLANNERS) > 0
    components = printing(KINDS[number // 8 % 3], chance, some_of(ALTERNATIVES, number // 24, chance))
    names = chance.sample(PLANNERS, min(players, 2, len(PLANNERS))) if planned else ["random_legal"]
    study = Study("abbates", players, tuple(catalog.chair("abbates", name, players) for name in names), components.record, number)

    def choose(session: Session) -> int:
        return session.ask() if planned and chance.random() < 0.85 else chance.randrange(session.n)

    return list(record(Session(study, number), components, choose=choose, every=True))


def differences(first: int, games: int, strategies: bool = True) -> tuple[list[str], Counter]:
    """Play games first, first + 1, …; return a line for each in which the engines differ, and how often each decision was met."""
    found, met = [], Counter()
    for number in range(first, first + games):
        told = [json.loads(json.dumps(line)) for line in lines_of(number, strategies)]
        met.update(line.get("asks", line.get("what", "")) for line in told)
        try:
            check(told)
        except Difference as difference:
            found.append(f"game {number}: {difference}")
    return found, met


def compare(first: int, games: int, strategies: bool = True) -> list[str]:
    """Play games first, first + 1, …; return a line for each in which the engines differ."""
    return differences(first, games, strategies)[0]


def main() -> None:
    """Compare many games and say what was met."""
    first, games = (int(word) for word in sys.argv[1:])
    parts = Parallel(n_jobs=-1)(
        delayed(differences)(number, min(CHUNK, first + games - number)) for number in range(first, first + games, CHUNK)
    )
    found, met = [line for lines, _ in parts for line in lines], sum((met for _, met in parts), Counter())
    print(*found[:20], f"{games} games, {len(found)} differ; met: {dict(met.most_common())}", sep="\n")


if __name__ == "__main__":
    main()
