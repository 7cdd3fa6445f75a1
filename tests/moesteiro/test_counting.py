"""Every number and category of Moesteiro, recounted from the records of games of all line-ups.

`test_reference.py` does the same in games of random choices.
"""

from random import Random

import pytest

from sim import registry
from tests.moesteiro.comparison import ALTERNATIVES, KINDS
from tests.moesteiro.printings import printing
from tests.printings import some_of
from tests.recount.figures import survey
from tests.recount.moesteiro import blank, recount

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
