"""The engine against a second one that was written from the rulebook alone (tests/reference/moesteiro.py)."""

import pytest

from tests.helpers import compare_many
from tests.moesteiro.comparison import compare, compare_slice


def test_slice():
    """A few games, quick enough with the JIT off."""
    assert compare_slice() == []


@pytest.mark.slow
def test_both_engines_play_the_same_games():
    """A sample: the slice covers the rules; CONTRIBUTING names the command for thousands."""
    assert compare_many(compare, 320) == []
