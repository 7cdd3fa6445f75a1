"""Games with numba's bounds checks on: every number of players, every reading of every rule, every strategy.

All in one process, since everything is compiled anew for it.
"""

import pytest

from tests.contract.tools import process

CHECKED = """
import numba
from sim.printed.components import read
from sim.runner import Study, play
from strategies import catalog
from tests.contract.tools import GAMES, rules_of, study_of, tables

assert numba.config.BOUNDSCHECK
games = 0
for game in GAMES:
    for players, names in tables(game):
        entrant = catalog.entrant(game, "random_legal", players)
        for change in rules_of(game):
            games += len(play(Study(game, players, (entrant,), read(game, changes=(change,)).record, 5), 0, 120)[0])
        ahead = [f"{thinker}:{catalog.default(game)}@12" for thinker in catalog.thinkers() if players == 2]
        for name in (*names, *ahead):
            games += len(play(study_of(game, players, name), 0, 6 if "@" in name else 60)[0])
print(games)
"""


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_no_index_is_out_of_range():
    assert int(process(CHECKED, NUMBA_BOUNDSCHECK="1")) > 1_000
