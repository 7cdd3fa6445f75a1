"""Every number and category of Abbates, recounted from the records of games of all line-ups; `test_reference.py`
recounts many more."""

from random import Random

import pytest

from sim import registry
from tests.abbates.comparison import ALTERNATIVES, KINDS
from tests.abbates.printings import printing
from tests.printings import some_of
from tests.recount.abbates import blank, recount
from tests.recount.figures import survey

CORNERS = [f"corner.round{number}" for number in range(1, 5)]


def test_the_recount_leaves_nothing_out():
    game = registry.load("abbates")
    assert list(blank()) == [*game.numbers, *game.categories]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_all_that_is_counted_is_recounted_from_the_record():
    def printed(number):
        chance = Random(number)
        return printing(KINDS[number % len(KINDS)], chance, some_of(ALTERNATIVES, number, chance))

    found = survey("abbates", recount, printed, 6)
    assert found.wrong == []
    assert found.games >= 300
    assert found.readings == set(ALTERNATIVES)
    # Each round has its own corner card. Only studies deal them, whose games have no record:
    # test_rulings_of_the_score.py.
    assert found.never_met(registry.load("abbates")) == [*CORNERS, "corner.dealt"]
    assert [found.met[name] for name in CORNERS] == [{None, f"corner{number}"} for number in range(1, 5)]
    assert found.met["corner.dealt"] == {None}
