"""Printings: only assumed numbers move, in their ranges; every order is equally likely; printing i depends on its
number and seed alone."""

from collections import Counter
from dataclasses import replace

import pytest

from sim.printed import components, printings
from sim.printed.model import find

KINGS = ("joao_i", "afonso_v", "duarte", "joao_ii", "joao_iii", "manuel_i")
HEAD = '[[input]]\nname = "it"\n'
LIMIT = '[[plausible]]\nstrategy = "greedy"\ngames = 9\n'


@pytest.fixture(scope="module")
def usual():
    return components.read("moesteiro")


@pytest.fixture(scope="module")
def scheme():
    return printings.read("moesteiro")


def parsed(text, usual):
    return printings.parse(text, "place", usual)


def at(made, path):
    return find(made.model.model_dump(), tuple(path.split(".")))


def drawn(scheme, printed, count, seed=1):
    inputs = scheme.inputs(printed)
    return [scheme.draw(printed, inputs, seed, number) for number in range(count)]


# --- the game's own file ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_only_assumed_numbers_move_and_stay_in_their_ranges(scheme, usual):
    moved = set()
    for printing in drawn(scheme, usual, 60):
        made = printing.of(usual)
        for path, number in usual.numbers.items():
            value = at(made, path)
            if number.source != "assumed":
                assert value == number.value, path
            elif number.low is not None:
                assert number.low <= value <= number.high, path
            if value != number.value:
                moved.add(path)
        assert not {path for path in printing.changes if path.startswith("rules.construction_set")}
    assert {
        "kings.joao_i.number",
        "crane.steps.1",
        "tracks.labour.vp.11",
        "village.tiles.7.pips",
        "glass.kinds",
    } <= moved
    assert len(moved) > 100


@pytest.mark.slow
def test_what_must_hold_of_a_printing_holds(scheme, usual):
    rules = set()
    for printing in drawn(scheme, usual, 60):
        made = printing.of(usual).model
        labour = made.tracks.labour.vp
        assert labour == sorted(labour)
        assert {3, 7} <= set(labour)
        assert 2 in made.crane.steps
        assert len(made.window.pips) == made.areas.spaces.window
        assert sorted(getattr(made.kings, king).number for king in KINGS) == [1, 2, 3, 4, 5, 6]
        assert made.tracks.food.per_row * (len(made.village.spaces) - 2) <= made.tracks.food.last
        rules |= set(made.rules.model_dump().items())
    both = [value for name, value in rules if name != "construction_set"]
    assert len(both) == 2 * (len(usual.rules) - 1)  # every switch was seen both ways


def test_codes_lie_between_0_and_1_and_tell_printings_apart(scheme, usual):
    inputs = scheme.inputs(usual)
    codes = [printing.codes for printing in drawn(scheme, usual, 60)]
    assert len(set(codes)) == 60
    for number, it in enumerate(inputs):
        column = [row[number] for row in codes]
        assert 0 <= min(column) < 0.5 < max(column) <= 1, it.name
    assert len({it.key for it in inputs}) == len({it.name for it in inputs}) == len(inputs)
    assert "order number of João III" in {it.name for it in inputs}


# --- draws ------------------------------------------------------------------------------------------------------------


def test_every_order_comes_about_equally_often(usual):
    three = {f"kings.{king}.number" for king in KINGS[3:]}
    given = {path: replace(number, source="given") for path, number in usual.numbers.items() if path in three}
    printed = replace(usual, numbers=usual.numbers | given)
    orders = parsed(HEAD + 'draw = "permutation"\npaths = ["kings.*.number"]', usual)
    seen = Counter(tuple(printing.changes.values()) for printing in drawn(orders, printed, 1_200))
    assert set(seen) == {(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)}
    assert max(abs(count - 200) for count in seen.values()) < 65  # five standard deviations of 13


@pytest.mark.slow
def test_each_kind_of_draw(usual):
    cases = {
        'draw = "range"\npaths = ["glass.kinds"]': ({(2,), (3,), (4,)}, ["glass.kinds"]),
        'draw = "range"\npaths = ["areas.spaces.village", "areas.spaces.quarry"]': (
            {(4, 4), (4, 5), (5, 5), (5, 6)},
            ["areas.spaces.village", "areas.spaces.quarry"],
        ),
        'draw = "shift"\nby = [-3, 1]\npaths = ["crane.steps.*"]': (
            {(1, 1, 1, 1, 1), (4, 3, 3, 2, 2)},
            [f"crane.steps.{n}" for n in range(1, 6)],
        ),
        'draw = "scale"\nby = [50, 150]\npaths = ["construction.a.[12].vp"]': (
            {(8, 8), (15, 16)},
            ["construction.a.1.vp", "construction.a.2.vp"],
        ),
        'draw = "choice"\nby = [[1, 1], [4, 2]]\npaths = ["purchase.wood", "purchase.stone"]': (
            {(1, 1), (4, 2)},
            ["purchase.wood", "purchase.stone"],
        ),
        'draw = "length"\nby = [3, 5]\npaths = ["window.pips", "areas.spaces.window"]': (
            {((0, 2, 4), 3), ((0, 2, 4, 4, 4), 5)},
            ["window.pips", "areas.spaces.window"],
        ),
    }  # fmt: skip
    for text, (expected, paths) in cases.items():
        seen = set()
        for printing in drawn(parsed(HEAD + text, usual), usual, 40):
            made = printing.of(usual)
            seen.add(tuple(tuple(value) if isinstance(value := at(made, path), list) else value for path in paths))
        assert seen == expected, text


def test_values_are_about_equally_likely(usual):
    one = parsed(HEAD + 'draw = "range"\npaths = ["construction.level_one"]', usual)
    seen = Counter(printing.changes["construction.level_one"] for printing in drawn(one, usual, 1_000))
    assert set(seen) == {8, 9, 10, 11, 12}
    assert max(abs(count - 200) for count in seen.values()) < 64


def test_a_list_is_lengthened_after_its_numbers_have_moved(usual):
    text = (
        HEAD
        + 'draw = "range"\npaths = ["window.pips.3"]\n'
        + HEAD.replace("it", "length")
        + 'draw = "length"\nby = [4, 5]\npaths = ["window.pips"]'
    )
    both = parsed(text, usual)
    seen = {tuple(printing.of(usual).model.window.pips) for printing in drawn(both, usual, 60)}
    assert seen == {(0, 2, third, *[third] * more) for third in (3, 4, 5) for more in (1, 2)}


# --- what stays -------------------------------------------------------------------------------------------------------


def test_what_the_user_gave_stays(scheme):
    given = (
        "kings.duarte.number=3",
        "crane.steps.2=4",
        "rules.reshuffle=true",
        "window.pips.3=5",
        "tracks.labour.vp.11=13",
    )
    printed = components.read("moesteiro", changes=given)
    keys = {it.key for it in scheme.inputs(printed)}
    assert not {"kings.duarte.number", "rules.reshuffle", "window.pips.3", "window.pips", "tracks.labour.vp.*"} & keys
    assert {"kings.joao_i.number", "rules.displays", "crane.steps.*"} <= keys
    numbers = set()
    for printing in drawn(scheme, printed, 60, seed=2):
        made = printing.of(printed).model
        assert (made.kings.duarte.number, made.crane.steps[1], made.rules.reshuffle) == (3, 4, True)
        assert (made.window.pips, made.tracks.labour.vp) == ([0, 2, 5], printed.model.tracks.labour.vp)
        numbers.add(made.kings.joao_i.number)
    assert numbers == {1, 2, 4, 5, 6}


def test_a_printing_depends_on_its_number_and_the_seed_alone(scheme, usual):
    inputs = scheme.inputs(usual)
    assert scheme.draw(usual, inputs, 7, 25) == drawn(scheme, usual, 30, seed=7)[25]
    assert scheme.draw(usual, inputs, 8, 25) != scheme.draw(usual, inputs, 7, 25)
    assert scheme.draw(usual, inputs, 2**64 - 1, 0).changes
    fewer = components.read("moesteiro", changes=["glass.kinds=2"])
    for whole, part in zip(drawn(scheme, usual, 20), drawn(scheme, fewer, 20)):  # one input less shifts no other
        assert {path: value for path, value in whole.changes.items() if path != "glass.kinds"} == part.changes
    king = components.read("moesteiro", changes=["kings.afonso_v.number=2"])
    assert {it.key: it.at for it in scheme.inputs(king)}.items() < {it.key: it.at for it in inputs}.items()


# --- games without a file, and what is refused ------------------------------------------------------------------------


@pytest.mark.slow
def test_a_game_that_declares_nothing(usual):
    assert printings.read("pig") is None
    scheme = printings.fallback(usual)
    inputs = scheme.inputs(usual)
    assert 2 <= len(inputs) <= printings.MOST_INPUTS
    moving = [path for it in inputs for path in it.paths]
    assert (
        len(moving)
        == len(set(moving))
        == sum(n.source == "assumed" and n.low is not None for n in usual.numbers.values())
    )
    printing = drawn(scheme, usual, 1)[0]
    assert all(usual.numbers[path].low <= value <= usual.numbers[path].high for path, value in printing.changes.items())
    few = replace(usual, numbers={path: number for path, number in usual.numbers.items() if path.startswith("crane.")})
    assert [(it.name, it.paths) for it in printings.fallback(few).inputs(few)] == [
        ("crane steps", tuple(f"crane.steps.{n}" for n in range(1, 6)))
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "place: input: found nothing; allowed a list"),
        (HEAD + 'draw = "dice"', "place: input.1.draw: found 'dice'; allowed permutation or range"),
        (HEAD + 'draw = "range"', "place: input.1.paths: found nothing; allowed at least one path"),
        (HEAD + 'draw = "range"\npaths = ["no.such"]', "place: input.1.paths: found 'no.such'; allowed paths of "
        "numbers"),
        (HEAD + 'draw = "range"\npaths = ["dice.master.1"]', "place: input.1.paths: found no assumed number with a "
        "range; allowed"),
        (HEAD + 'draw = "shift"\npaths = ["glass.kinds"]', "place: input.1.by: found nothing; allowed at least two "
        "whole numbers"),
        (HEAD + 'draw = "range"\nby = [1, 2]\npaths = ["glass.kinds"]', "allowed nothing: a range needs no amounts"),
        (HEAD + 'draw = "choice"\nby = [[2], [9]]\npaths = ["glass.kinds"]', "found [9] (glass.kinds); allowed 1 "
        "numbers, each in"),
        (HEAD + 'draw = "choice"\nby = [[2, 3], [2, 2]]\npaths = ["glass.kinds"]', "found [2, 3]; allowed 1 numbers"),
        (HEAD + 'draw = "readings"\npaths = ["rules.*"]', "allowed nothing: the switches are known"),
        (LIMIT + HEAD + 'draw = "readings"', "plausible.1.score: found nothing; allowed"),
        ("input = 3 [", "place: line 1: found what is not TOML"),
    ],
)  # fmt: skip
def test_what_can_not_be_used_is_one_line(text, line, usual):
    with pytest.raises(printings.ComponentsError) as refused:
        parsed(text, usual)
    assert line in str(refused.value)
    assert "\n" not in str(refused.value)
