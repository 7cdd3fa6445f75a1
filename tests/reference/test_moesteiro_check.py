"""Games that the second engine of Moesteiro plays alone: under each reading, with edited components, and with something
wrong in them."""

import copy
from functools import partial

import pytest

from tests.reference.moesteiro import Difference, check
from tests.reference.moesteiro_selfplay import components, tell
from tests.reference.selfplay import changed, refuse

READINGS = {
    "displays": ["after_kings", "before_kings"],
    "round2_order": ["labour", "seat"],
    "labour_arrival": ["top", "bottom"],
    "unused_pips": ["one_step", "per_pip"],
    "pass_steps": ["two", "up_to_two"],
    "village_tile_bonus": ["pile", "display"],
    "crane_slide": ["close_gaps", "one_step"],
    "window_cost": ["printed", "uncovered"],
    "reshuffle": [False, True],
    "incomplete_icons": ["waived", "owed"],
    "purchase_tiles": [False, True],
    "construction_set": ["a", "b", "mixed"],
}


def scarce(**rules):
    """Few tiles and rich players, so that piles run out and much is built."""
    printed = components(**rules)
    printed["stonework"]["tiles"], printed["glass"]["tiles"] = 9, 5
    printed["tracks"]["construction"]["start"] = 9
    for event in printed["rounds"]["events"]:
        event.update(wood=1, stone=1, lintel=1, column=1)
    return printed


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_a_game_played_alone_is_accepted(players, seed):
    lines = tell(components(), players, seed)
    check(lines)
    assert all(sum(sources.values()) == score for sources, score in zip(lines[-1]["sources"], lines[-1]["scores"]))
    asked = [line["asks"] for line in lines if line["event"] == "decision"]
    assert (asked.count("king"), asked.count("place"), asked.count("build")) == (5 * players, 17 * players, 5 * players)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "value"), [(rule, value) for rule, values in READINGS.items() for value in values[1:]]
)
def test_every_reading_is_played_and_makes_a_difference(rule, value):
    noticed = 0
    for seed in range(12):
        lines = tell(scarce(**{rule: value}), 2 + seed % 3, seed)
        check(lines)
        lines[0]["printed"]["rules"][rule] = READINGS[rule][0]
        try:
            check(lines)
        except Difference:
            noticed += 1
    assert noticed


def test_the_readings_are_all():
    assert components()["rules"].keys() == READINGS.keys()


def longer():
    """Other tracks, spaces, kinds, Kings, events, costs: nothing as in the box."""
    printed = components(
        construction_set="mixed", pass_steps="up_to_two", unused_pips="per_pip", reshuffle=True, purchase_tiles=True
    )
    printed["tracks"]["food"].update(last=5, per_row=1)
    printed["tracks"]["labour"].update(start=6, vp=list(range(13)), pass_steps=3, overflow_vp=1)
    printed["tracks"]["construction"].update(start=0, last=6)
    printed["areas"]["spaces"].update(village=5, quarry=6, crane=4, window=2)
    printed["crane"]["steps"] = [4, 0, 0, 1]
    printed["window"]["pips"] = [1, 2, 4, 5]
    printed["dice"]["master"] = [2, 3, 3, 4, 4, 5]
    printed["kings"]["duarte"].update(number=1, gift=2, labour=1, builds_first=1)
    printed["kings"]["joao_i"].update(number=3, construction=2, stone=1, vp=1)
    printed["rounds"]["events"][2].update(tracks=1)
    printed["rounds"]["events"][3].update(tracks=3, workers=1)
    printed["start"]["seat2"].update(food=1, labour=2, construction=1, vp=2)
    printed["glass"]["kinds"] = 4
    printed["stonework"].update(tiles=8, kinds=2)
    printed["sets"]["vp"] = [2, 3, 10, 11]
    printed["village"]["spaces"] = printed["village"]["spaces"][:3]
    printed["village"]["on_show"] = 5
    printed["construction"].update(level_one=10, on_show=5)
    printed["construction"]["a"][0].update(wood=0, stone=0, labour=2, stonework=1)
    printed["quarry"].update(stone_pips=2, highest_from_round=2, lintel_divisor=3)
    return printed


def cramped():
    """Too few spaces for the dice."""
    printed = components()
    printed["areas"]["spaces"] = {"forest": 2, "village": 1, "quarry": 3, "crane": 1, "window": 1}
    return printed


@pytest.mark.slow
@pytest.mark.parametrize("printed", [longer, cramped, scarce])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_edited_components(printed, players):
    for seed in range(5):
        check(tell(printed(), players, seed))


# --- what must be noticed


@pytest.fixture(scope="module")
def game():
    return tell(components(), 4, 1)


refused = partial(refuse, check)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("event", "wanted", "change", "words"),
    [
        ("decision", {"asks": "place"}, lambda line: line["options"].pop(), "expected but not in the record"),
        (
            "decision",
            {"asks": "place"},
            lambda line: line["options"].append(line["options"][0]),
            "wrong or twice: .{'die'",
        ),
        ("decision", {"asks": "place"}, lambda line: line["options"][0].update(space=3), "other options"),
        ("decision", {"asks": "place"}, lambda line: line.update(choice=0), "not one of"),
        ("decision", {"asks": "place"}, lambda line: line.update(forced=True), "forced should be False"),
        ("decision", {"asks": "place"}, lambda line: line.update(number=1), "number should be"),
        (
            "decision",
            {"asks": "place"},
            lambda line: line.update(player=line["player"] % 4 + 1),
            "expected decision 'place' of player",
        ),
        ("decision", {"asks": "crane"}, lambda line: line.update(asks="quarry"), "expected decision 'crane'"),
        ("chance", {"what": "roll"}, lambda line: line["dice"][0].pop(), "player 1: expected"),
        ("chance", {"what": "roll"}, lambda line: line["dice"].pop(), "dice of 4 players"),
        ("chance", {"what": "roll"}, lambda line: line["dice"][0][-1].__setitem__(1, 4), "no such dice"),
        ("chance", {"what": "roll"}, lambda line: line["neutral"].update(quarry=[2]), "quarry: expected"),
        (
            "chance",
            {"what": "displays"},
            lambda line: line["village"].__setitem__(1, line["village"][0]),
            "village: .* cannot be drawn",
        ),
        ("chance", {"what": "displays"}, lambda line: line["village"].pop(), "expected 4 places"),
        ("chance", {"what": "displays"}, lambda line: line["crane"].__setitem__(4, 4), "no stonework tile of kind 4"),
        (
            "chance",
            {"what": "displays"},
            lambda line: line["crane"].__setitem__(4, None),
            "no stonework tile of kind None",
        ),
        ("chance", {"what": "displays"}, lambda line: line["site"].__setitem__(0, "a9"), "site: 'a9' cannot be drawn"),
        ("chance", {"what": "displays"}, lambda line: line["site"].__setitem__(0, "b1"), "site: 'b1' cannot be drawn"),
        (
            "chance",
            {"what": "displays"},
            lambda line: line["site"].__setitem__(0, line["site"][1]),
            "site: .* cannot be drawn",
        ),
        ("end", {}, lambda line: line["scores"].reverse(), "scores: expected"),
        ("end", {}, lambda line: line["shares"].reverse(), "shares: expected"),
        ("end", {}, lambda line: line["sources"][1].update(village=99), r"sources\[2\].village: expected"),
        ("game", {}, lambda line: line.update(game="pig"), "expected a game of moesteiro"),
        ("game", {}, lambda line: line.update(players=5), "for 2 to 4 players"),
        ("phase", {"phase": "roll"}, lambda line: line.update(phase="kings"), "expected phase 'roll'"),
    ],
)
def test_what_is_wrong_is_noticed(game, event, wanted, change, words):
    refused(changed(game, event, change, **wanted), words)


def test_displays_must_slide(game):
    later = [number for number, line in enumerate(game) if line.get("what") == "displays"][1]
    lines = copy.deepcopy(game)
    # What was left lies at the left: another kind there cannot be.
    lines[later]["crane"][0] = lines[later]["crane"][0] % 3 + 1
    refused(lines, "crane: expected")


def test_a_kind_cannot_be_drawn_more_often_than_it_was_printed():
    printed = components()
    printed["glass"]["tiles"] = 3
    lines = tell(printed, 2, 0)
    refused(
        changed(lines, "chance", lambda line: line.update(window=[1, 1, 1]), what="displays"), "no glass tile of kind 1"
    )


def test_a_draw_is_of_the_player_and_pile():
    games = (tell(components(), 4, seed) for seed in range(20))
    lines = next(lines for lines in games if any(line.get("what") == "draw" for line in lines))
    refused(
        changed(lines, "chance", lambda line: line.update(player=line["player"] % 4 + 1), what="draw"),
        "expected that player",
    )
    refused(changed(lines, "chance", lambda line: line.update(tile=["wood", 1]), what="draw"), "expected that player")


def test_a_game_may_be_unfinished_if_that_is_said(game):
    check(game[:100], finished=False)
    check(game, finished=False)
    refused(game[:100], "the record ends here")
    refused(game[:-1], "the record ends here")
    refused([*game, game[-1]], "the record goes on")
    refused([], "expected the event 'game'")
