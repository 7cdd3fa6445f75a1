"""Readings of the rulebooks: every switch is told, every value has words, and what is wrong in a file is one line."""

import re
from importlib import import_module, resources
from typing import get_args

import pytest

from sim import registry
from sim.printed import components, rulings, variants

MODEL = import_module("sim.moesteiro.components").Model
RULES = {"round2_order": "labour", "reshuffle": False}
GOOD = """
[[ruling]]
number = 1
place = "Setup"
question = "Who starts?"
reading = "Seat 1."

[[ruling]]
number = 2
place = "Round 2"
question = "In which order?"
reading = "Labour order."
switch = "round2_order"
topic = "order"
alternative.seat = "Seat order."

[[ruling]]
number = 3
place = "Piles"
question = "Are they made anew?"
reading = "No."
switch = "reshuffle"
topic = "piles"
alternative.true = "Yes."
setup = true
"""


def values(annotation):
    """The values of a switch, as they are typed."""
    return {"false", "true"} if annotation is bool else set(get_args(annotation))


@pytest.mark.parametrize("game", registry.names())
def test_every_switch_has_one_ruling_and_every_value_has_words(game):
    model = getattr(import_module(f"sim.{game}.components").Model.model_fields.get("rules"), "annotation", None)
    switches = {name: values(field.annotation) for name, field in model.model_fields.items()} if model else {}
    found = rulings.read(game)
    # What variants turn is agreed on by the players: it needs no ruling.
    assert len({ruling.switch for ruling in found if ruling.switch}) == sum(bool(ruling.switch) for ruling in found)
    assert (
        set(switches) - variants.switches(game) <= {ruling.switch for ruling in found if ruling.switch} <= set(switches)
    )
    numbers = registry.load(game).numbers
    assert all(ruling.occurs in numbers for ruling in found if ruling.occurs)
    for ruling in found:
        if ruling.switch:
            assert {ruling.default, *ruling.alternatives} == switches[ruling.switch]
            assert ruling.default == rulings.word(components.read(game).rules[ruling.switch])
            assert len({ruling.words(value) for value in switches[ruling.switch]}) == len(switches[ruling.switch])
            assert ruling.topic
        else:
            assert not ruling.alternatives
            assert not ruling.others("")


def test_a_game_without_a_file_has_no_ruling():
    assert rulings.read("pig") == ()


def test_all_seventeen_rulings_of_moesteiro_and_more():
    found = rulings.read("moesteiro")
    assert set(range(1, 18)) < {ruling.number for ruling in found}
    assert [ruling.switch for ruling in found if ruling.setup] == ["construction_set"]
    questions = [ruling.question for ruling in found]
    assert len(set(questions)) == len(questions)
    assert all(question.endswith("?") for question in questions)


@pytest.mark.parametrize("game", [game for game in registry.names() if rulings.read(game)])
def test_a_text_is_one_line_of_its_file(game):
    text = resources.files(f"sim.{game}").joinpath(rulings.FILE).read_text("utf-8")
    assert max(map(len, text.splitlines())) <= 140
    for ruling in rulings.read(game):
        for words in (ruling.reading, *ruling.alternatives.values()):
            assert words.endswith(".")
            assert not re.search(r"\s\s|\n", words)


def test_others_are_all_but_the_one_that_is_played():
    ruling = rulings.parse(GOOD, "here", MODEL, RULES)[2]
    assert ruling.others(False) == {"true": "Yes."}
    assert ruling.others(True) == {"false": "No."}
    assert (ruling.words(False), ruling.words("true"), ruling.setup) == ("No.", "Yes.", True)


WRONG = [
    ("[[ruling]]", "[[rulings]]", "file: found the keys 'rulings'; allowed entries [[ruling]] alone"),
    ("number = 1\n", "", "ruling 1: number: found nothing; allowed a value in every ruling"),
    ("number = 1\n", "number = '1'\n", "ruling 1: number: found '1'; allowed a whole number"),
    ("number = 1\n", "number = true\n", "ruling 1: number: found true; allowed a whole number"),
    ('place = "Setup"', "place = 7", "ruling 1: place: found 7; allowed text"),
    (
        'place = "Setup"',
        'place = " "',
        "ruling 1: place: found ' ', 1 characters; allowed one line of at most 125 characters",
    ),
    ("Who starts?", "Who" * 50, "ruling 1: question: found 'WhoWho"),
    ("Who starts?", "Who\\nstarts?", "ruling 1: question: found 'Who\\nstarts?', 11 characters; allowed one line"),
    ('place = "Setup"', 'place = "Setup"\npage = 3', "ruling 1: page: found an unknown key; allowed number, place, "),
    ('switch = "round2_order"\n', "", "ruling 2: switch: found ''; allowed round2_order, reshuffle"),
    (
        'switch = "round2_order"',
        'switch = "round3_order"',
        "ruling 2: switch: found 'round3_order'; allowed round2_order, reshuffle",
    ),
    ('topic = "order"\n', "", "ruling 2: topic: found '', 0 characters; allowed one line of at most 22 characters"),
    ('alternative.seat = "Seat order."\n', "", "ruling 2: alternative: found nothing; allowed words for seat"),
    ("alternative.seat", "alternative.labour", "ruling 2: alternative: found labour; allowed words for seat"),
    (
        'alternative.seat = "Seat order."',
        "alternative.seat = 3",
        "ruling 2: alternative.seat: found 3; allowed one line",
    ),
    ("alternative.true", "alternative.false", "ruling 3: alternative: found false; allowed words for true"),
    ("setup = true", 'setup = "yes"', "ruling 3: setup: found 'yes'; allowed true or false"),
    (
        GOOD[GOOD.index("[[ruling]]\nnumber = 3") :],
        "",
        "reshuffle: found 0 rulings; allowed one for each switch under [rules]",
    ),
    (
        "[[ruling]]\nnumber = 3",
        GOOD[GOOD.index("[[ruling]]\nnumber = 3") :] + "[[ruling]]\nnumber = 3",
        "reshuffle: found 2 rulings",
    ),
    ("number = 1\n", "number = \n", "line 3: found what is not TOML"),
]


@pytest.mark.parametrize(("old", "new", "said"), WRONG, ids=[said[:40] for _, _, said in WRONG])
def test_what_is_wrong_in_a_file_is_one_line(old, new, said):
    assert old in GOOD
    with pytest.raises(rulings.ComponentsError) as refused:
        rulings.parse(GOOD.replace(old, new), "here", MODEL, RULES)
    text = str(refused.value)
    assert text.startswith("here: ")
    assert said in text
    assert len(text.splitlines()) == 1
