"""Abbates in words: what is told adds up to the game, in any printing, under any reading, and tells nobody another's
secrets."""

import re
from functools import cache, partial
from types import SimpleNamespace

import numpy as np
import pytest

from sim.abbates.state import NONE
from sim.abbates.words import board, describe, names, telling
from sim.contract import records
from sim.printed.components import read
from sim.replay import Session, record
from sim.runner import Study
from strategies import catalog
from tests.abbates import comparison
from tests.contract.tools import rules_of
from tests.telling import insist, tell, tell_apart

PRINTED = read("abbates").model.model_dump()
GAMES = 48  # twice all numbers of players and kinds of printings
lines_of, told = cache(comparison.lines_of), partial(tell, telling)


@pytest.fixture
def checked(monkeypatch):
    return insist(monkeypatch, telling)


def played(players, changes=(), number=0):
    """The record of a game in which everybody chooses at random, with the position at each decision."""
    components = read("abbates", changes=changes)
    study = Study("abbates", players, (catalog.entrant("abbates", "random_legal", players),), components.record, 1)
    return list(record(Session(study, number), components, every=True))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(GAMES))
def test_what_is_told_keeps_the_table(checked, number):
    lines = lines_of(number)
    teller, _ = told(lines)
    assert [teller.table.score(seat) for seat in teller.seats] == lines[-1]["sources"]
    assert checked.checks == 2 + 4 * 11


@pytest.mark.slow
@pytest.mark.parametrize("change", list(rules_of("abbates")))
def test_what_is_told_keeps_the_table_under_each_reading(checked, change):
    for players in (1, 3):
        lines = played(players, [change])
        told(lines)
        assert all(
            count == line["scores"][seat]
            for line in lines[-1:]
            for seat, count in enumerate(map(total, line["sources"]))
        )


def total(sources):
    return sum(sources.values())


@pytest.mark.slow
@pytest.mark.parametrize("number", range(GAMES))
def test_the_points_that_are_told_add_up_to_the_scores(checked, number):
    lines = lines_of(number)
    _, text = told(lines)
    start = next(at for at, line in enumerate(text) if line.startswith("=== Final scoring"))
    scores, seat = [0] * lines[0]["players"], 0
    for line in text[start:]:
        if whose := re.match(r"  Seat (\d) \(", line):
            seat = int(whose[1]) - 1
        elif points := re.match(r"    .*: (-?\d+) points?$", line):
            scores[seat] += int(points[1])
    assert scores == lines[-1]["scores"]
    if "henricus" in lines[-1]:
        assert any(
            line.startswith("  Henricus (seat 2): ") and line.endswith(f": {lines[-1]['henricus']} in all")
            for line in text
        )


@pytest.mark.parametrize("number", range(GAMES))
def test_options_can_be_told_apart(number):
    lines = lines_of(number)
    tell_apart(telling, lines, 120)
    assert all(telling.question(line["asks"]).endswith("?") for line in lines if line["event"] == "decision")


@pytest.mark.parametrize(
    ("asks", "option", "words"),
    [
        (
            "mission",
            {"mission": "mission7"},
            "mission 7 (P a . / a P . / . . P), 5 points for purple; all areas halve the minus points",
        ),
        ("abbot", {"value": 12}, "12, 1 white bean"),
        ("abbot", {"value": 14}, "Benedict card (14), 1 white bean"),
        ("look", {"look": True}, "look at them"),
        ("order", {"card": ["books", 2]}, "book 2"),
        ("swap", {"square": 4, "space": 1}, "square 4 with replenishment space 1"),
        ("exchange", {"square": 4, "space": None}, "square 4: the card stays"),
        ("move", {"squares": [2, 7]}, "squares 2 and 7"),
        ("line", {"line": 5}, "the middle column"),
        ("remove", {"player": 2, "value": 9}, "the 9 of seat 2: the general goes back 0 steps"),
        (
            "take",
            {"from": "line", "square": 8, "card": ["books", 2], "to": 7},
            "book 2 from square 8 to square 7 of the portrait",
        ),
        (
            "take",
            {"from": "refill", "space": 3, "card": ["windows", 1], "to": 1},
            "window 1 from replenishment space 3 to square 1 of the portrait",
        ),
        (
            "take",
            {"from": "discard", "card": ["artefacts", 3], "to": 1},
            "artefact 3 from the discard pile to square 1 of the portrait",
        ),
        ("blind", {"card": ["books", 0], "to": 9}, "book 0 to square 9 of the portrait"),
    ],
)
def test_options_in_words(asks, option, words):
    assert telling.option(PRINTED, asks, option) == words


@pytest.mark.parametrize(
    ("shares", "books", "henricus", "words"),
    [
        ([1.0, 0.0], (3, 1), None, "Seat 1 (greedy) wins with 20 points, as many as seat 2, by the most books (3)."),
        (
            [0.5, 0.5],
            (2, 2),
            None,
            "Seat 1 (greedy) and Seat 2 (a person) share the win with 20 points and books (2) each.",
        ),
        ([0.0], (2,), 25, "Seat 1 (greedy) has 20 points: Henricus wins with 25."),
        ([1.0], (2,), 20, "Seat 1 (greedy) wins with 20 points; Henricus has 20, and a tie goes to the person."),
    ],
)
def test_who_wins_and_why(shares, books, henricus, words):
    seats = len(shares)
    teller = telling.Teller({"players": seats, "strategies": ["greedy", None][:seats], "printed": PRINTED})
    teller.table.points_card = [["windows", 1], ["artefacts", 1], ["books", 1], ["books", 2]]
    for player, held in zip(teller.table.players, books):
        player["portrait"][:held] = [["books", 1]] * held
    sources = [dict.fromkeys(names.SOURCES, 0)] * seats
    end = {"event": "end", "scores": [20] * seats, "shares": shares, "sources": sources}
    assert " ".join(teller.tell(end | ({"henricus": henricus} if henricus else {}))[-1:]) == words


# --- secrets ----------------------------------------------------------------------------------------------------------

SECRETIVE = [
    ("rules.palms=false", "rules.missions_choice=two"),
    *(
        pytest.param(changes, marks=pytest.mark.slow)
        for changes in [(), ("rules.missions_choice=three",), ("rules.points_card=false",)]
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("changes", SECRETIVE, ids=str)
def test_a_player_is_told_no_secret_of_others(changes):
    looked = 0
    for number in range(24):
        lines = played(3, changes, number)
        printed, seat = lines[0]["printed"], number % 3
        dealt = next((line["dealt"] for line in lines if line.get("what") == "missions"), [])
        theirs = {
            f"mission {name.removeprefix('mission')} " for at, names in enumerate(dealt) if at != seat for name in names
        }
        teller, text = telling.Teller(lines[0]), []
        for line in lines:
            if line.get("phase") == "scoring":
                break
            mine = describe.seen(printed, line, seat)
            told_now = teller.tell(mine)
            text += told_now
            if line.get("what") == "look" and line["player"] != seat + 1:
                looked += 1
                assert re.fullmatch(r" +on top of the pile: \d cards?", told_now[-1])
            if line.get("asks") == "order" and line["player"] != seat + 1:
                assert told_now in ([], ["    puts them back: in an order of choice"])
        assert not [line for line in text for name in theirs if name in f"{line} "]
        assert "(secret)" in " ".join(text)
        if "rules.points_card=false" in changes:
            starting = next(line for line in text if line.startswith("  Starting cards"))
            assert len(re.findall(r"\(secret\)", " ".join(text[text.index(starting) : text.index(starting) + 2]))) == 2
    assert looked > 0


@pytest.mark.slow
@pytest.mark.parametrize("changes", [*SECRETIVE, ("rules.missions_secret=false",)], ids=str)
def test_a_seat_sees_the_same_table_in_every_world_that_it_can_imagine(changes):
    known, differ = seen_in_imagined_worlds(3, changes)
    assert known > 0
    assert differ > 0 or "rules.missions_secret=false" in changes


@pytest.mark.slow
@pytest.mark.parametrize("reading", ["face_up", "face_down"])
def test_a_single_person_sees_the_same_piles_in_every_imagined_world(reading):
    seen_in_imagined_worlds(1, [f"rules.henricus_piles={reading}"])
    lines = played(1, [f"rules.henricus_piles={reading}"])
    tops = [
        line["position"]["henricus"][f"{pile}_top"] for line in lines if "position" in line for pile in ("low", "high")
    ]
    assert (
        any(tops) == any("On top of Henricus' low pile: " in text for text in told(lines)[1]) == (reading == "face_up")
    )


def seen_in_imagined_worlds(players, changes):
    """What `imagine` redraws is what a player can't know: view, board and summary must not depend on it."""
    components = read("abbates", changes=changes)
    study = Study("abbates", players, (catalog.entrant("abbates", "random_legal", players),), components.record, 4)
    printed, names, differ, known = components.model.model_dump(), ("a", "b", "c")[:players], 0, 0
    for number in range(8):
        session = Session(study, number)
        game, others = session.game, records(session.game.dtypes[1], 1)
        while session.advance():
            if session.n > 0:
                for seat in range(players):
                    others[:] = session.states
                    with np.errstate(over="ignore"):
                        game.imagine(session.components[0], others[0], seat, np.uint64(session.state.decision + 1))
                    true, world = session.plain(), plain_of(others)
                    differ += describe.position(printed, true) != describe.position(printed, world)
                    known += true.known_left > 0
                    mine, imagined = describe.view(printed, true, seat), describe.view(printed, world, seat)
                    # Cards that others have looked at are any cards, and are drawn when they are needed.
                    unseen = {
                        name: {**view, "known": [what for what in view["known"] if what]}
                        for name, view in (("m", mine), ("i", imagined))
                    }
                    assert unseen["m"] == unseen["i"]
                    asks = game.asks[true.asks]
                    assert board.summary(printed, mine, seat, asks) == board.summary(printed, imagined, seat, asks)
                    assert board.board(printed, mine, names) == board.board(printed, imagined, names)
                session.choose(session.ask())
    return known, differ


def plain_of(states):
    """A state as ints and lists."""
    raw = states.view(np.ndarray)
    return SimpleNamespace(**{name: raw[name].tolist()[0] for name in raw.dtype.names})


# --- the board --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes", [(), ("rules.points_card=false", "rules.ora_et_labora=false"), ("rules.missions=false",)], ids=str
)
@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_board_fits_its_headings_and_shows_what_lies_there(players, changes):
    lines = played(players, changes)
    printed, names = lines[0]["printed"], ("you", "greedy", "a_very_long_name", "d")[:players]
    asked = set()
    for line in lines:
        if "position" not in line:
            continue
        position, asks = line["position"], line.get("asks", "")
        sections = board.board(printed, position, names)
        for section in [*sections, *board.near(printed, position, asks)]:
            assert {len(row) for row in section.rows} == {len(section.headings)}, section.title
        cells = [cell for row in titled(sections, "Garden").rows[:3] for cell in row[1:]]
        assert [cell.rstrip("*") for cell in cells] == [board.short(what) for what in position["garden"]]
        assert sum(cell.endswith("*") for cell in cells) == (3 if position["line"] else 0)
        portraits = " ".join(cell for row in titled(sections, "Portraits").rows for cell in row[1:]).split()
        assert sorted(portraits) == sorted(
            board.short(what) for player in position["players"] for what in player["portrait"]
        )
        for seat, player in enumerate(position["players"]):
            words = board.summary(printed, position, seat, asks)
            assert words.endswith(f"abbot on {player['bean']}, the general on {position['general']}")
        asked.add(asks)
    assert len(asked) > 4


def titled(sections, title):
    """The section whose title begins so."""
    return next(section for section in sections if section.title.startswith(title))


def test_no_card_is_no_card():
    assert describe.card(NONE) is None
    assert describe.cards([0, NONE, 14]) == [("books", 0), None, ("artefacts", 4)]
