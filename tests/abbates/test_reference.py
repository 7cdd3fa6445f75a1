"""The engine against a second one that was written from the rulebook alone (tests/reference/abbates.py)."""

import os
from pathlib import Path

import pytest
from joblib import Parallel, delayed

from tests.abbates.comparison import SLICE, compare, compare_slice
from tests.conditions import known, left_out

GAMES, CHUNK = int(os.environ.get("CHAPTERHOUSE_COMPARED", 480)), 40


def test_slice():
    """A few games, quick enough with the JIT off."""
    for number in SLICE:
        assert compare_slice([number]) == []


@pytest.mark.slow
def test_the_slice_goes_every_way_but_those_that_are_listed():
    assert left_out("abbates") == sorted(known(Path(__file__).with_name("unreached.toml")))


@pytest.mark.slow
def test_both_engines_play_the_same_games():
    parts = Parallel(n_jobs=-1)(delayed(compare)(first, CHUNK) for first in range(1_000, 1_000 + GAMES, CHUNK))
    assert [line for part in parts for line in part] == []
