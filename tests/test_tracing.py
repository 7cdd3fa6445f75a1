"""Draws traced: each with its event and its line, from whatever module; and what is wrong with sources of chance."""

import pytest

from sim.contract import ADDRESSES, ChanceSource
from sim.tracing import ChanceDraw, misfits, strays, traced
from tests.contract.tools import process

DIE = ChanceSource("die", "the die", ((0, 10), (20, 30)))

DIRECT = """
import numpy as np
from sim import chance
from sim.chance import bits, shuffle
from sim.tracing import traced
key = np.uint64(7)
before, items = bits(key, 5), np.arange(4)
with np.errstate(over="ignore"), traced() as draws:
    assert bits(key, 5) == before  # as this module has it
    shuffle(key, 30, items, 4)
assert chance.bits is bits
bits(key, 6)
print([(draw.key, draw.address, draw.sides, draw.line - draws[0].line) for draw in draws])
"""


@pytest.mark.slow
def test_what_takes_bits_or_shuffles_is_traced_to_its_own_line():
    expected = [(7, 5, 0, 0), (7, 30, 4, 1), (7, 31, 3, 1), (7, 32, 2, 1)]
    assert process(DIRECT, NUMBA_DISABLE_JIT="1").strip() == str(expected)


def test_compiled_code_is_not_traced():
    with pytest.raises(RuntimeError, match="NUMBA_DISABLE_JIT"), traced():
        pass


def test_a_draw_from_no_source_or_from_two_is_astray():
    draws = [ChanceDraw(1, address, 6, "game.py", 1) for address in (0, 9, 10, 19, 20, 29, 30)]
    assert [draw.address for draw in strays([DIE], draws)] == [10, 19, 30]
    assert [draw.address for draw in strays([DIE, ChanceSource("deck", "the deck", ((9, 20),))], draws)] == [9, 30]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (ChanceSource("die", "another", ((40, 50),)), "two sources of chance are called die"),
        (ChanceSource("The deck", "the deck", ((40, 50),)), "a name has small letters, digits and _"),
        (ChanceSource("deck", "the deck", ((50, 50),)), "addresses 50 to 49"),
        (ChanceSource("deck", "the deck", ((-1, 0),)), "addresses -1 to -1, allowed are 0 to"),
        (ChanceSource("deck", "the deck", ((40, ADDRESSES + 1),)), f"allowed are 0 to {ADDRESSES - 1}"),
        (ChanceSource("deck", "the deck", ((29, 31),)), "address 29 belongs to two sources of chance: die and deck"),
    ],
)
def test_what_is_wrong_with_sources_is_said(source, words):
    (line,) = misfits([DIE, source])
    assert words in line


def test_sources_side_by_side_are_right():
    assert not list(misfits([DIE, ChanceSource("deck", "the deck", ((10, 20), (30, ADDRESSES)))]))
