"""The engine against a second one that was written from the rulebook alone (tests/reference/moesteiro.py)."""

import os
from pathlib import Path

import pytest
from joblib import Parallel, delayed

from tests.conditions import known, left_out
from tests.moesteiro.comparison import compare, compare_slice

GAMES, CHUNK = int(os.environ.get("CHAPTERHOUSE_COMPARED", 600)), 50


def test_slice():
    """A few games, quick enough with the JIT off."""
    assert compare_slice() == []


@pytest.mark.slow
def test_the_slice_goes_every_way_that_can_be_gone():
    assert left_out("moesteiro") == sorted(known(Path(__file__).with_name("unreached.toml")))


@pytest.mark.slow
def test_both_engines_play_the_same_games():
    """A sample: the slice covers the rules; CONTRIBUTING names the command for thousands."""
    parts = Parallel(n_jobs=-1)(delayed(compare)(first, CHUNK) for first in range(1_000, 1_000 + GAMES, CHUNK))
    assert [line for part in parts for line in part] == []
