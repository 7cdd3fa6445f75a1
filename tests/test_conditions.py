"""Conditions that are watched (tests/conditions.py): what counts as one, which way it went, and which games make a
slice."""

import ast
from pathlib import Path

import pytest

from tests.conditions import LESS, SEEN, Rewritten, Watch, chosen, known, left_out

RULES = '''
@njit
def share(pips, closed):
    """Not a condition."""
    if pips > 1 and not closed:
        return min(pips, 3)
    return 5 if pips else 6

@njit
def never_called(pips):
    while pips:
        pips -= 1

def no_kernel(pips):
    return pips > 1
'''


def test_a_kernel_tells_which_way_its_conditions_went():
    watch, rewritten = Watch("pig"), Rewritten("rules", ast.parse(RULES))
    names = {"njit": lambda function: function, SEEN: watch.seen, LESS: watch.less}
    exec(compile(rewritten.tree, "rules.py", "exec"), names)
    assert [names["share"](*arguments) for arguments in ((2, 0), (3, 0), (2, 1), (0, 0))] == [2, 3, 5, 6]
    assert names["no_kernel"](2)
    left = {
        "rules.share: min(pips, 3) | second smaller",
        "rules.never_called: entered | true",
        "rules.never_called: pips | true",
        "rules.never_called: pips | false",
    }
    assert rewritten.ways - watch.gone == left
    assert watch.gone == {
        "rules.share: entered | true",
        *(f"rules.share: {text} | {end}" for text in ("pips > 1", "closed", "pips") for end in ("true", "false")),
        "rules.share: min(pips, 3) | first smaller",
    }


def test_a_slice_goes_each_way_as_often_as_is_asked_with_few_games():
    gone = {1: {"a"}, 2: {"a", "b"}, 3: {"b", "c"}, 4: {"d"}, 5: {"a"}}
    assert sorted(chosen(gone, 1)) == [2, 3, 4]
    assert sorted(chosen(gone, 2)) == [1, 2, 3, 4]


@pytest.mark.slow
@pytest.mark.parametrize(
    "file", sorted(Path(__file__).parent.glob("*/unreached.toml")), ids=lambda file: file.parent.name
)
def test_a_slice_goes_every_way_but_those_that_are_listed(file):
    assert left_out(file.parent.name) == sorted(known(file))
