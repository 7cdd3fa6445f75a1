"""Every number and category of Abbates, recounted from the records of games of all line-ups; `test_reference.py` recounts many more."""

from random import Random

import pytest

from sim import registry
from tests.abbates.comparison import ALTERNATIVES, KINDS
from tests.abbates.printings import printing
from tests.printings import some_of
from tests.recount.abbates import blank, recount
from tests.recount.figures import survey

# Only studies deal corner cards, and their games have no record.
NEVER_IN_A_RECORD = ["corner.dealt"]


def test_the_recount_leaves_nothing_out():
    game = registry.load("abbates")
    assert list(blank()) == [*game.numbers, *game.categories]


@pytest.mark.slow
def test_all_that_is_counted_is_recounted_from_the_record():
    def printed(number):
        chance = Random(number)
        return printing(KINDS[number % len(KINDS)], chance, some_of(ALTERNATIVES, number, chance))

    found = survey("abbates", recount, printed, 6)
    assert found.wrong == []
    assert found.games >= 300
    assert found.readings == set(ALTERNATIVES)
    assert found.never_met(registry.load("abbates")) == NEVER_IN_A_RECORD
