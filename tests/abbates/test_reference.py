"""The engine against a second one that was written from the rulebook alone (tests/reference/abbates.py)."""

import pytest

from tests.abbates.comparison import SLICE, compare, compare_slice
from tests.helpers import compare_many


def test_slice():
    """A few games, quick enough with the JIT off."""
    for number in SLICE:
        assert compare_slice([number]) == []


@pytest.mark.slow
def test_both_engines_play_the_same_games():
    assert compare_many(compare, 240) == []
