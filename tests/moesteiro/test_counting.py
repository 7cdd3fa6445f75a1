"""Every number and category of Moesteiro, recounted from the records of games of all line-ups.

`test_reference.py` does the same in games of random choices.
"""

from random import Random

import numpy as np
import pytest

from sim import registry
from sim.moesteiro.recount import blank, recount
from sim.moesteiro.state import ROUNDS
from sim.runner import play
from tests.contract.tools import study_of
from tests.moesteiro.comparison import ALTERNATIVES, KINDS
from tests.moesteiro.printings import printing
from tests.printings import some_of
from tests.recount.figures import survey

FIRST = 600  # random printings among which there are villages of the largest size


def test_the_recount_leaves_nothing_out():
    game = registry.load("moesteiro")
    assert list(blank()) == [*game.numbers, *game.categories]


@pytest.mark.slow
def test_all_that_is_counted_is_recounted_from_the_record():
    def printed(number):
        chance = Random(FIRST + number)
        return printing(KINDS[number % len(KINDS)], chance, some_of(ALTERNATIVES, number, chance))

    found = survey("moesteiro", recount, printed, 5)
    assert found.wrong == []
    assert found.games >= 300
    assert found.readings == set(ALTERNATIVES)
    assert found.never_met(registry.load("moesteiro")) == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_course_is_the_score_after_each_round(players):
    game = registry.load("moesteiro")
    outcomes, _ = play(study_of("moesteiro", players, "random_legal", "greedy"), 0, 60 * players)
    after = [game.numbers.index(f"after.round{r + 1}") for r in range(ROUNDS)]
    assert (outcomes["moments"] == ROUNDS).all()
    expected = outcomes["numbers"][:, :players, after].transpose(0, 2, 1)
    assert np.array_equal(outcomes["course"][:, :ROUNDS, :players], expected)
