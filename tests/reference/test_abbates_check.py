"""Games that the second engine of Abbates plays alone: under each reading, with edited components, and with something
wrong in them."""

import copy
from functools import partial

import pytest

from tests.reference.abbates import Difference, check
from tests.reference.abbates_selfplay import components, tell
from tests.reference.selfplay import changed, refuse

READINGS = {
    "palms": [True, False],
    "forced_duplicate": ["allowed", "skip"],
    "discard_pick": ["any", "top"],
    "missions_secret": [True, False],
    "missions_choice": ["one", "two", "three"],
    "last_card_back": [False, True],
    "henricus_piles": ["face_up", "face_down"],
    "henricus_step": ["wins", "phases"],
    "henricus_left": ["next", "before"],
    "arcade_actions": [True, False],
    "ora_et_labora": [True, False],
    "missions": [True, False],
    "points_card": [True, False],
    "solo_level": ["prior", "novice", "abbot"],
}
TELLS_NOTHING = ("missions_secret",)  # a record shows everything
EFFECTS = ["none", "discard", "look", "refill", "swap", "exchange", "move", "line", "remove", "draw", "nothing"]


def check_own(printed, players, seed):
    """Follow a game that was played alone, told by something that does not share lists with the engine; return its
    lines."""
    lines = tell(printed, players, seed)
    check(copy.deepcopy(lines))
    return lines


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_a_game_played_alone_is_accepted(players, seed):
    lines = check_own(components(palms=False), players, seed)
    assert all(sum(sources.values()) == score for sources, score in zip(lines[-1]["sources"], lines[-1]["scores"]))
    asked = [line["asks"] for line in lines if line["event"] == "decision"]
    assert asked.count("take") + asked.count("blind") == 12 * players
    assert 15 * players <= asked.count("abbot") <= 16 * players


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "value"), [(rule, value) for rule, values in READINGS.items() for value in values[1:]]
)
def test_every_reading_is_played_and_makes_a_difference(rule, value):
    assert any(told_apart(rule, value, seed) for seed in range(8)) != (rule in TELLS_NOTHING)


def told_apart(rule, value, seed):
    """Whether a game under this reading of a rule differs from one under the usual reading."""
    players = 1 if rule.startswith("henricus") or rule == "solo_level" else 2 + seed % 3
    for played, claimed in ((value, READINGS[rule][0]), (READINGS[rule][0], value)):
        lines = check_own(components(**{rule: played}), players, seed)
        lines[0]["printed"]["rules"][rule] = claimed
        try:
            check(lines)
        except Difference:
            return True
    return False


def test_the_readings_are_all():
    assert components()["rules"].keys() == READINGS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("size", [1, 4, 8, 20])
def test_small_decks(players, size):
    for seed in range(3):
        printed = components(points_card=seed != 1)
        for kind, beans in (("books", 1), ("windows", 2), ("artefacts", 0)):
            printed["garden"][kind] = [beans, 3, 4, 1][:size] + [beans] * (size - 4)
        check_own(printed, players, seed)


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("effect", EFFECTS)
def test_every_action_in_every_round(players, effect):
    printed = components(palms=False)
    for number in range(1, 5):
        printed["arcade"][f"round{number}"] = [effect, effect, "refill"]
    lines = check_own(printed, players, 1)
    asked = {line["asks"] for line in lines if line["event"] == "decision"}
    assert effect not in ("look", "swap", "exchange", "move", "line", "remove") or effect in asked


# --- what must be noticed


@pytest.fixture(scope="module")
def game():
    return tell(components(missions_choice="two"), 3, 5)


refused = partial(refuse, check)


def set_card(*path, card):
    """Return a change that puts a card somewhere in a line."""

    def change(line):
        place = line
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = card

    return change


@pytest.mark.slow
@pytest.mark.parametrize(
    ("event", "wanted", "change", "words"),
    [
        ("decision", {"asks": "abbot"}, lambda line: line["options"].pop(), "expected but not in the record"),
        (
            "decision",
            {"asks": "take"},
            lambda line: line["options"].append(line["options"][0]),
            "wrong or twice: .{'from'",
        ),
        ("decision", {"asks": "take"}, lambda line: line["options"][0].update(to=3), "other options"),
        ("decision", {"asks": "take"}, lambda line: line.update(choice=0), "not one of"),
        ("decision", {"asks": "blind"}, lambda line: line.update(forced=True), "forced should be False"),
        ("decision", {"asks": "blind"}, lambda line: line.update(number=1), "number should be"),
        (
            "decision",
            {"asks": "abbot"},
            lambda line: line.update(player=line["player"] % 3 + 1),
            "expected decision 'abbot' of player",
        ),
        ("decision", {"asks": "mission"}, lambda line: line["options"].pop(), "expected but not in the record"),
        ("chance", {"what": "setup"}, lambda line: line["garden"].pop(), "garden: expected 9 cards in 9 places"),
        ("chance", {"what": "setup"}, set_card("refill", 2, card=None), "refill: expected 3 cards"),
        ("chance", {"what": "setup"}, set_card("garden", 4, card=["books", 4]), "no card .* can turn up"),
        ("chance", {"what": "setup"}, set_card("points_card", 1, card=["candles", 1]), "no card .* can turn up"),
        ("chance", {"what": "setup"}, set_card("points_card", 3, card=None), "cards left for the points card"),
        (
            "chance",
            {"what": "setup"},
            lambda line: set_card("points_card", 1, card=line["points_card"][0])(line),
            "no such points card",
        ),
        ("chance", {"what": "setup"}, lambda line: line["arcade"].__setitem__(0, "swap"), "arcade of round 1: 'swap'"),
        ("chance", {"what": "setup"}, lambda line: line["arcade"].pop(), "expected 12 effects"),
        ("chance", {"what": "missions"}, lambda line: line["dealt"].reverse(), "other options"),
        ("chance", {"what": "missions"}, lambda line: line["dealt"][0].pop(), "expected 2 missions for each"),
        (
            "chance",
            {"what": "missions"},
            lambda line: line["dealt"][1].__setitem__(0, line["dealt"][0][0]),
            "cannot be dealt",
        ),
        ("chance", {"what": "draw"}, lambda line: line.update(card=["books", 0]), "no card .* can turn up"),
        ("chance", {"what": "draw"}, lambda line: line.update(player=line["player"] % 3 + 1), "draws, the record has"),
        ("chance", {"what": "fill"}, lambda line: line["cards"].pop(), "expected . cards"),
        ("end", {}, lambda line: line["scores"].reverse(), "scores: expected"),
        ("end", {}, lambda line: line.update(shares=[0.5, 0.5, 0]), "shares: expected"),
        ("end", {}, lambda line: line["sources"][1].update(garden=99), r"sources\[2\].garden: expected"),
        ("end", {}, lambda line: line["distance"].pop(), "distance: expected"),
        ("game", {}, lambda line: line.update(game="pig"), "expected a game of abbates"),
        ("game", {}, lambda line: line.update(players=5), "for 1 to 4 players"),
        ("phase", {"phase": "filled"}, lambda line: line.update(phase="round"), "expected phase 'filled'"),
    ],
)
def test_what_is_wrong_is_noticed(game, event, wanted, change, words):
    refused(changed(game, event, change, **wanted), words)


def test_henricus_plays_what_he_has():
    lines = tell(components(), 1, 3)
    refused(changed(lines, "chance", lambda line: line.update(value=0), what="henricus"), "Henricus plays from")
    refused(changed(lines, "chance", lambda line: line.update(pile="middle"), what="henricus"), "Henricus plays from")
    refused(changed(lines, "end", lambda line: line.update(henricus=99)), "henricus: expected")


def test_a_card_that_was_looked_at_comes_next():
    printed = components(palms=False)
    printed["arcade"]["round1"] = ["look"] * 3
    games = (tell(printed, 2, seed) for seed in range(20))
    lines, number = next(
        (lines, number)
        for lines in games
        for number, line in enumerate(lines)
        if line.get("what") == "draw"
        and len({tuple(card) for card in lines[number - 1].get("position", {}).get("known", [])}) > 1
    )
    known = lines[number - 1]["position"]["known"]
    lines[number]["card"] = next(card for card in known if card != lines[number]["card"])
    refused(lines, "on top of the pile lies")


def test_a_game_may_be_unfinished_if_that_is_said(game):
    check(copy.deepcopy(game[:100]), finished=False)
    check(copy.deepcopy(game), finished=False)
    refused(game[:100], "the record ends here")
    refused(game[:-1], "the record ends here")
    refused([*game, game[-1]], "the record goes on")
