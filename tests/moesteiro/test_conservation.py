"""Nothing appears and nothing is lost: random games under the referee (checks.py), for each number of players, set and
switch."""

import pytest

from sim.moesteiro.components import Rules
from tests.helpers import printed
from tests.moesteiro.checks import LAWS, TILES, watched

PLAYERS = (2, 3, 4)
SETS = ("a", "b", "mixed")
# The alternative of each switch.
SWITCHED = {
    "displays": "before_kings",
    "round2_order": "seat",
    "labour_arrival": "bottom",
    "unused_pips": "per_pip",
    "pass_steps": "up_to_two",
    "village_tile_bonus": "display",
    "crane_slide": "one_step",
    "window_cost": "uncovered",
    "reshuffle": "true",
    "incomplete_icons": "owed",
    "purchase_tiles": "true",
}


@pytest.mark.slow
@pytest.mark.parametrize("chosen", SETS)
@pytest.mark.parametrize("players", PLAYERS)
def test_games_of_each_number_of_players_and_set(players, chosen):
    assert watched(printed("moesteiro", (f"rules.construction_set={chosen}",)), players, 3_000, seed=1) == ""


def test_every_switch_is_played():
    assert {*SWITCHED, "construction_set"} == set(Rules.model_fields)


@pytest.mark.slow
@pytest.mark.parametrize("rule", SWITCHED)
@pytest.mark.parametrize("players", PLAYERS)
def test_games_with_a_switch_turned(players, rule):
    components = printed("moesteiro", (f"rules.{rule}={SWITCHED[rule]}", "rules.construction_set=mixed"))
    assert watched(components, players, 1_000, seed=2) == ""


@pytest.mark.parametrize("players", PLAYERS)
def test_games_with_every_switch_turned(players):
    assert (
        watched(
            printed("moesteiro", tuple(f"rules.{rule}={value}" for rule, value in SWITCHED.items())),
            players,
            1_000,
            seed=3,
        )
        == ""
    )


OTHER_BOXES = {
    "kings turned round": [
        f"kings.{k}.number={6 - i}"
        for i, k in enumerate(("joao_i", "afonso_v", "duarte", "joao_ii", "joao_iii", "manuel_i"))
    ],
    "generous kings": [
        "kings.joao_ii.gift=6",
        "kings.joao_i.labour=9",
        "kings.joao_iii.construction=9",
        "kings.afonso_v.gift=3",
    ],
    "few tiles": ["stonework.tiles=6", "glass.tiles=4"],
    "many kinds": ["stonework.kinds=4", "glass.kinds=4"],
    "dear and cheap": [
        "forest.near_pips=3",
        "forest.far_pips=1",
        "quarry.stone_pips=2",
        "quarry.lintel_pips=1",
        "quarry.column_pips=1",
    ],
    "short food track": ["tracks.food.last=2", "tracks.food.per_row=1"],
    "narrow": [
        "areas.spaces.forest=3",
        "areas.spaces.quarry=3",
        "areas.closed.players4.village=2",
        "areas.closed.players4.window=2",
    ],
    "wide": ["areas.spaces.forest=7", "areas.spaces.village=7", "areas.spaces.quarry=7"],
    "large hands": [
        "rounds.events.5.workers=3",
        "rounds.events.5.masters=3",
        "rounds.events.1.tracks=3",
        "rounds.events.3.tracks=1",
    ],
    "all level one": ["construction.level_one=20"],
    "all level two": ["construction.level_one=0"],
    "steep": ["tracks.construction.last=3", "tracks.labour.pass_steps=0"],
    "free window": ["window.pips.2=0", "window.pips.3=0", "window.top_food=5"],
}


@pytest.mark.slow
@pytest.mark.parametrize("box", OTHER_BOXES)
def test_games_with_other_numbers_in_the_box(box):
    changes = tuple(OTHER_BOXES[box])
    for players in (4,) if box == "narrow" else PLAYERS:
        assert watched(printed("moesteiro", changes), players, 300, seed=4) == ""


def test_the_referee_sees_a_broken_law():
    components = printed("moesteiro").copy()
    components[0].tiles[4] = -1  # a box with fewer than no tiles of a kind
    assert watched(components, 2, 1, seed=5).startswith(LAWS[TILES])
