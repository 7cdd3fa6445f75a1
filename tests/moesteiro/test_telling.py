"""Moesteiro in words: what is told adds up to the game, in any printing, under any reading, whatever the players do."""

import json
import re
from functools import cache, partial
from random import Random

import numpy as np
import pytest

from sim.compiled import in_python
from sim.moesteiro import scoring
from sim.moesteiro.words import telling
from sim.moesteiro.words.table import best_sets
from sim.printed.components import read
from sim.replay import Session, record
from tests.contract.tools import rules_of, study_of
from tests.moesteiro import comparison
from tests.telling import insist, tell, tell_apart

PRINTED = read("moesteiro").model.model_dump()
GAMES = 54  # three times all kinds of printings and readings
lines_of, told = cache(comparison.lines_of), partial(tell, telling)


@pytest.fixture
def checked(monkeypatch):
    return insist(monkeypatch, telling)


def nonzero(sources):
    return [{name: points for name, points in mine.items() if points} for mine in sources]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(GAMES))
def test_what_is_told_keeps_the_table(checked, number):
    lines = lines_of(number)
    if number % 2:
        lines = json.loads(json.dumps(lines))
    teller, _ = told(lines)
    assert nonzero(teller.table.sources) == nonzero(lines[-1]["sources"])
    assert [player["score"] for player in teller.table.players] == lines[-1]["scores"]
    assert checked.checks == 2 + 5 * 11


@pytest.mark.slow
@pytest.mark.parametrize("change", list(rules_of("moesteiro")))
def test_what_is_told_keeps_the_table_under_each_reading(checked, change):
    components = read("moesteiro", changes=[change])
    study = study_of("moesteiro", 4, "allrounder", "collector", "random_legal")
    study = type(study)(study.game, study.players, study.entrants, components.record, study.seed)
    for number in range(2):
        teller, _ = told(list(record(Session(study, number), components)))
        assert teller.table.players[0]["score"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("number", range(GAMES))
def test_the_points_that_are_told_add_up_to_the_scores(checked, number):
    lines = lines_of(number)
    _, text = told(lines)
    scores, seat, told_points = [0] * lines[0]["players"], 0, re.compile(r"(\d+) points?\b")
    for line in text:
        whose = re.match(r"(  )?Seat (\d) \(", line)
        if whose:
            seat = int(whose[2]) - 1
        if (whose and " wins with " not in line) or line.startswith("    "):
            scores[seat] += sum(int(points[1]) for points in told_points.finditer(line))
    assert scores == lines[-1]["scores"]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(GAMES))
def test_options_can_be_told_apart(number):
    tell_apart(telling, lines_of(number), 200)


@pytest.mark.parametrize(
    ("asks", "option", "words"),
    [
        ("tracks", {"tracks": ["food", "labour"]}, "1 step on food and labour"),
        ("king", {"king": "joao_i"}, "João I (number 1; 1 labour step)"),
        ("king", {"king": "joao_ii"}, "João II (number 4; 1 piece, lintel or column)"),
        ("king", {"king": "manuel_i"}, "Manuel I (number 6; builds first)"),
        ("place", {"die": ["worker", 3], "area": "quarry", "space": 2}, "worker 3 to the quarry, space 2"),
        ("place", {"die": ["master", 1], "pass": 2}, "pass: 2 labour steps (no free space for master 1)"),
        ("forest", {"wood": 1, "food": 1, "bought": 1, "left": 0}, "1 wood and 1 food step, buying 1 pip with labour"),
        ("forest", {"pass": 0}, "pass"),
        ("village", {"tile": 5, "bought": 0, "left": 2}, "village tile 5 (1 wood, 4 pips), leaving 2 pips"),
        ("quarry", {"stone": 2, "lintel": 1, "column": 0, "bought": 0, "left": 0}, "2 stones and 1 lintel"),
        ("crane", {"slot": 5, "tile": None}, "slot 5: 1 construction step and 1 wood (the tile is gone)"),
        ("crane", {"slot": 1, "tile": 2}, "slot 1: stonework 2 and 3 construction steps"),
        ("window", {"place": 3, "tile": 1, "bought": 0, "left": 0}, "glass 1 from place 3 (4 pips) and 1 food step"),
        ("space", {"row": 2, "space": 1}, "row 2, space 1: 5 points and 1 construction step"),
        ("space", {"row": 4, "space": 4}, "row 4, space 4: 10 points"),
        ("unused", {"steps": 0}, "no labour step"),
        ("purchase", {"buy": "column", "labour": 3}, "1 column for 3 labour steps"),
        ("build", {"tile": "a2"}, "construction tile a2 (13 points; 1 step down; 2 wood, 1 food step back)"),
        ("build", {"tile": None}, "build nothing"),
        (
            "materials",
            {"wood": 1, "stone": 0, "lintel": 1, "column": 0, "completes": True},
            "1 wood and 1 lintel: the tile is complete",
        ),
        (
            "materials",
            {"wood": 1, "stone": 0, "lintel": 1, "column": 0, "completes": False},
            "1 wood and 1 lintel: the tile stays incomplete, 6 points",
        ),
        ("discard", {"icon": "glass", "tile": 2}, "glass 2"),
    ],
)
def test_options_in_words(asks, option, words):
    assert telling.option(PRINTED, asks, option) == words


@pytest.mark.slow
def test_the_sets_that_are_told_are_the_best_ones():
    chance = Random(3)
    for _ in range(150):
        counts = [chance.randint(0, 5) for _ in range(chance.randint(2, 7))]
        rising = chance.random() < 0.5
        vp = [1, 4, 9, 16, 25] if rising else [chance.randint(0, 25) for _ in range(5)]
        sizes, points = best_sets(tuple(sorted((n for n in counts if n), reverse=True)), tuple(vp))
        assert points == sum(vp[size - 1] for size in sizes)
        assert points == best_of_engine(counts, vp)


def best_of_engine(counts, vp):
    """The engine's points for the same tiles."""
    return in_python(scoring.set_points)(np.array(counts), np.array([0, *vp]))


@pytest.mark.parametrize(
    ("labour", "words"),
    [
        ((3, 5), "further left on the labour track (3 against 5)."),
        ((5, 5), "higher in the stack on 5 of the labour track."),
    ],
)
def test_how_a_tie_is_broken_is_told(checked, labour, words):
    head = {"players": 2, "strategies": ["builder", None], "printed": PRINTED}
    teller = telling.Teller(head)
    for player, steps in zip(teller.table.players, labour):
        player["labour"] = steps
    sources = [dict.fromkeys(telling.SOURCES, 10)] * 2
    end = {"event": "end", "scores": [90, 90], "shares": [1.0, 0.0], "sources": sources}
    assert (
        teller.tell(end)[-1]
        == f"Seat 1 (builder) wins with 90 points, as many as seat 2; the tie goes to the player who stands {words}"
    )
    end["scores"] = [90, 89]
    assert teller.tell(end)[-1] == "Seat 1 (builder) wins with 90 points."
