"""The engine against a second count of each game from its record: whose turn it is, every score, every number."""

from random import Random

import pytest

from sim import registry
from sim.pig.recount import recount
from sim.printed.components import from_values, read
from tests.recount.figures import survey


def printing(number):
    """The usual goal and die, then others."""
    chance = Random(number)
    values = {
        "goal": chance.randint(1, 60),
        "faces": (faces := chance.randint(2, 12)),
        "ruin": chance.randint(1, faces + 1),
    }
    return from_values("pig", values, "a random printing") if number % 2 else read("pig")


def checked(games, *names):
    """Recount games of each line-up and number of players; return how many."""
    found = survey("pig", recount, printing, games, names)
    assert found.wrong == []
    assert found.never_met(registry.load("pig")) == []
    return found.games


def test_slice():
    """A few games, quick enough with the JIT off."""
    checked(2, "random_legal", "hold_at")


@pytest.mark.slow
def test_all_that_is_counted_is_recounted_from_the_record():
    assert checked(20) >= 300
