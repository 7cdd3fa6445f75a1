"""The engine against a second one that was written from the rulebook alone (tests/reference/abbates.py)."""

from joblib import Parallel, delayed

from tests.abbates.comparison import compare

GAMES, CHUNK = 480, 40


def test_slice():
    """A few games, quick enough with the JIT off."""
    assert compare(0, 72, strategies=False) == []


def test_both_engines_play_the_same_games():
    parts = Parallel(n_jobs=-1)(delayed(compare)(first, CHUNK) for first in range(1_000, 1_000 + GAMES, CHUNK))
    assert [line for part in parts for line in part] == []
