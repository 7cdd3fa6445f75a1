"""Nothing appears and nothing is lost: random games under the referee (checks.py), for each number of players and
switch."""

from random import Random

import pytest

from sim.abbates.components import Rules
from sim.abbates.state import KINDS
from tests.abbates.checks import LAWS, watched
from tests.abbates.printings import printing
from tests.helpers import printed
from tests.printings import alternatives, made_of, usual

PLAYERS = (1, 2, 3, 4)
# The alternatives of each switch.
SWITCHED = {
    "palms": ["false"],
    "forced_duplicate": ["skip"],
    "discard_pick": ["top"],
    "missions_secret": ["false"],
    "missions_choice": ["two", "three"],
    "last_card_back": ["true"],
    "henricus_piles": ["face_down"],
    "henricus_step": ["phases"],
    "henricus_left": ["before"],
    "arcade_actions": ["false"],
    "ora_et_labora": ["false"],
    "missions": ["false"],
    "points_card": ["false"],
    "solo_level": ["novice", "abbot"],
}


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
def test_games_of_each_number_of_players(players):
    assert watched(printed("abbates"), players, 3_000, seed=1) == ""


def test_every_switch_is_played():
    assert set(SWITCHED) == set(Rules.model_fields)


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "value"), [(rule, value) for rule, values in SWITCHED.items() for value in values])
@pytest.mark.parametrize("players", PLAYERS)
def test_games_with_a_switch_turned(players, rule, value):
    assert watched(printed("abbates", (f"rules.{rule}={value}",)), players, 1_000, seed=2) == ""


@pytest.mark.parametrize("players", PLAYERS)
def test_games_with_every_switch_turned(players):
    changes = tuple(f"rules.{rule}={values[-1]}" for rule, values in SWITCHED.items())
    assert watched(printed("abbates", changes), players, 1_000, seed=3) == ""


def arcade(*effects):
    """The same arcade cards in every round."""
    return [
        f"arcade.round{number}.{place}={effect}"
        for number in range(1, 5)
        for place, effect in enumerate(effects, start=1)
    ]


OTHER_BOXES = {
    "looking": arcade("look", "look", "refill"),
    "discard pile": arcade("discard", "look", "discard"),
    "swapping": arcade("swap", "exchange", "move"),
    "elsewhere": arcade("line", "remove", "line"),
    "palms as ordinary cards": arcade("draw", "nothing", "none"),
    "free general": ["abbots.white.7=9", "abbots.white.14=0", "track.empty_square=3"],
}


@pytest.mark.slow
@pytest.mark.parametrize("box", OTHER_BOXES)
@pytest.mark.parametrize("points", ["true", "false"])
def test_games_with_other_numbers_in_the_box(box, points):
    for players in PLAYERS:
        assert (
            watched(printed("abbates", (*OTHER_BOXES[box], f"rules.points_card={points}")), players, 300, seed=4) == ""
        )


SMALL = {
    "small": ([1, 2, 3, 4, 1, 2], [0, 1, 2, 3], [1, 2, 3, 4, 4, 4, 4]),
    "nine": ([1, 1, 1], [2, 2, 2], [3, 3, 3]),
    "tiny": ([1], [0], [4]),
    "one kind for nearly all": ([1] * 20, [0], [4]),
}


@pytest.mark.parametrize("deck", SMALL)
@pytest.mark.parametrize("points", [True, False])
def test_games_in_which_the_pile_runs_out(deck, points):
    values = usual("abbates").model.model_dump()
    values["garden"] = dict(zip(KINDS, SMALL[deck], strict=True))
    for players in PLAYERS:
        assert watched(made_of("abbates", values, {"points_card": points}).record, players, 300, seed=6) == ""


@pytest.mark.slow
def test_games_of_odd_printings():
    for number in range(200):
        chance = Random(number)
        rules = {name: value for name, value in alternatives("abbates") if chance.random() < 0.4}
        assert watched(printing("odd", chance, rules).record, 1 + number % 4, 50, seed=number) == "", number


def broken(change):
    """Play a few games with a components record that nothing can be printed for; return which law is broken."""
    components = printed("abbates").copy()
    change(components[0])
    return watched(components, 2, 20, seed=5).partition(":")[0]


def test_the_referee_sees_broken_laws():
    def fewer(c):
        c.garden.cards[1] = -1  # fewer than no books with one bean

    def other_line(c):
        c.line[0] = 0, 0, 1

    assert broken(fewer) in LAWS[1:]
    assert broken(other_line) in LAWS[1:]
