"""The worked examples of the rulebook, one test each, in its order."""

import numpy as np
import pytest

from sim.moesteiro.dice import pips
from sim.moesteiro.state import AREAS, CRANE, FOREST, KINGS, NONE, QUARRY, VILLAGE, WINDOW
from tests.helpers import Table, at_random
from tests.moesteiro.tools import (
    BLUE,
    GREEN,
    NEUTRAL,
    RED,
    YELLOW,
    acting,
    amounts,
    building,
    goods,
    hand,
    placing,
    row,
    scoring,
    stock,
)

# --- the beginning of a round -----------------------------------------------------------------------------------------


def test_quarry_holds_7_halves_lintels_and_7_thirds_columns():
    found = False
    for key in range(60):
        table = Table(players=3, key=key).until_asked("place")
        total = sum(value for seat in range(3) for kind, value, _ in hand(table, seat) if kind == "master")
        assert (table.state.lintels, table.state.columns) == (total // 2, total // 3)
        if total == 7:
            found = True
            assert (table.state.lintels, table.state.columns) == (3, 2)
    assert found


def test_first_round_gives_one_wood_and_one_stone():
    table = Table(players=4)
    table.advance()
    assert [stock(table, seat) for seat in range(4)] == [(1, 1, 0, 0)] * 4


def test_players_begin_with_two_workers_and_a_master():
    table = Table(players=4)
    table.advance()
    for seat in range(4):
        kinds = [kind for kind, _, owner in hand(table, seat) if owner == seat]
        assert sorted(kinds) == ["master", "worker", "worker"]


@pytest.mark.parametrize(("number", "workers", "masters"), [(0, 2, 1), (1, 2, 1), (2, 3, 1), (3, 2, 2), (4, 1, 2)])
def test_dice_come_and_go_by_round(number, workers, masters):
    table = Table(players=2, key=5)
    table.advance()
    table.until(lambda t: t.state.this_round == number and t.asks == "king", at_random(number))
    for seat in range(2):
        kinds = [kind for kind, _, _ in hand(table, seat)]
        assert (kinds.count("worker"), kinds.count("master")) == (workers, masters)


# --- placing dice -----------------------------------------------------------------------------------------------------

BLUE_3 = ("worker", 3, BLUE)


def test_Janet_places_a_worker_2_before_the_blue_worker_3():
    table = placing([[("worker", 2), ("worker", 6)], [("worker", 6)]], {FOREST: [BLUE_3]})
    [at] = table.fitting(thing=FOREST, space=0)
    assert pips(table.offers[at].die) == 2
    table.choose(at)
    assert row(table, FOREST) == [("worker", 2, RED), BLUE_3]


def test_Janet_places_a_master_2_after_the_yellow_master_2_and_before_the_blue_worker_3():
    yellow = ("master", 2, YELLOW)
    table = placing([[("master", 2), ("worker", 6)], [("worker", 6)]], {FOREST: [yellow, BLUE_3]})
    table.choose(next(i for i in table.fitting(thing=FOREST) if pips(table.offers[i].die) == 2))
    assert row(table, FOREST) == [yellow, ("master", 2, RED), BLUE_3]


def test_Janet_places_a_master_2_before_the_yellow_worker_2_and_the_blue_worker_3():
    yellow = ("worker", 2, YELLOW)
    table = placing([[("master", 2), ("worker", 6)], [("worker", 6)]], {FOREST: [yellow, BLUE_3]})
    table.choose(next(i for i in table.fitting(thing=FOREST) if pips(table.offers[i].die) == 2))
    assert row(table, FOREST) == [("master", 2, RED), yellow, BLUE_3]


def test_Janet_places_another_die_into_area_I_in_a_later_turn():
    table = placing([[("worker", 2), ("worker", 5)], [("worker", 6), ("worker", 6)]], {FOREST: [BLUE_3]})
    table.choose(next(i for i in table.fitting(thing=FOREST) if pips(table.offers[i].die) == 2))
    assert table.state.player == BLUE
    table.take(thing=QUARRY)
    assert table.state.player == RED
    table.take(thing=FOREST)
    assert row(table, FOREST) == [("worker", 2, RED), BLUE_3, ("worker", 5, RED)]


def test_a_full_area_takes_no_more_dice():
    full = [("worker", 3, BLUE)] * 5
    table = placing([[("worker", 1), ("master", 1)], [("worker", 6)]], {FOREST: full})
    assert not table.fitting(thing=FOREST)
    assert {option.thing for option in table.offers} == {VILLAGE, QUARRY, CRANE, WINDOW}


# --- performing actions -----------------------------------------------------------------------------------------------


def test_Janet_takes_1_wood_and_a_food_step_with_3_pips_or_3_wood():
    mixes = {(0, 0, 0): (1, 1), (1, 0, 0): (3, 0)}
    for wood, food in mixes.values():
        table = acting(FOREST, [("worker", 3, RED)], food={RED: 0})
        table.take(act=1, goods=goods(wood=wood), food=food, bought=0)
        assert stock(table, RED) == (wood, 0, 0, 0)
        assert table.state.food[RED] == food


def test_Janet_builds_a_village_tile_for_two_stones_and_earns_5():
    eight = 7  # the village tile of the example: two stones, no pips
    table = acting(
        VILLAGE, [("worker", 1, RED)], stocks={RED: goods(stone=2)}, village=[eight, NONE, NONE, NONE], food={RED: 2}
    )
    before = table.state.score[RED]
    table.take(act=1, thing=eight)
    assert table.asks == "space"
    space = next(s for s in range(16) if table.components.village.space[s].vp == 5)
    table.take(space=space)
    assert stock(table, RED)[1] <= 1  # the two stones are gone; the space may give one back
    assert table.state.score[RED] - before == 5
    assert table.state.space_owner[space] == RED
    assert table.state.village[0] == NONE


def test_Neil_buys_a_lintel_for_2_pips_and_a_stone_for_1():
    table = acting(QUARRY, [("worker", 3, BLUE)], lintels=2, columns=1)
    table.take(act=1, goods=goods(stone=1, lintel=1), bought=0)
    assert stock(table, BLUE) == (0, 1, 1, 0)
    assert (table.state.lintels, table.state.columns) == (1, 1)


def test_Janet_takes_the_stonework_above_her_die_and_moves_2_steps():
    slot = 1  # 2 steps are printed under it
    gargoyle = 1
    table = acting(
        CRANE, [("worker", 1, BLUE), ("worker", 4, RED)], crane=[0, gargoyle, 0, 2, 2], construction={RED: 4}
    )
    assert table.components.crane.steps[slot] == 2
    table.take(act=0, steps=0)  # Neil passes
    held = table.state.tiles[RED].copy()
    table.take(act=1, thing=gargoyle)
    assert table.state.tiles[RED, gargoyle] == held[gargoyle] + 1
    assert table.state.construction[RED] == 6
    assert list(table.state.crane[:5]) == [0, NONE, 0, 2, 2]


def test_Neil_takes_the_first_glass_tile_for_free_and_red_the_second_for_2_pips():
    table = acting(WINDOW, [("worker", 2, BLUE), ("worker", 2, RED)], window=[4, 5, 4])
    table.take(act=1, space=0, bought=0)
    assert table.state.tiles[BLUE, 4] == 1
    assert table.asks == "unused"  # both pips are left
    table.take(steps=0)
    before = table.state.labour[RED]
    table.take(act=1, space=1, bought=0)
    assert table.state.tiles[RED, 5] == 1
    assert table.state.labour[RED] == before
    assert table.asks != "unused"  # all spent


def test_Neil_buys_a_column_and_a_lintel_with_two_bought_pips():
    table = acting(QUARRY, [("worker", 3, BLUE)], lintels=2, columns=1, labour={BLUE: 5})
    table.take(act=1, goods=goods(lintel=1, column=1), bought=2)
    assert stock(table, BLUE) == (0, 0, 1, 1)
    assert table.state.labour[BLUE] == 3


def test_Janet_passes_and_moves_2_steps_on_the_labour_track():
    table = acting(QUARRY, [("worker", 3, RED)], labour={RED: 4})
    table.take(act=0, steps=2)
    assert table.state.labour[RED] == 6
    assert stock(table, RED) == (0, 0, 0, 0)


# --- the areas' other numbers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "most"), [(0, 4), (1, 4), (2, 2), (3, 2), (4, 2)])
def test_wood_costs_1_pip_in_the_two_leftmost_spaces_and_2_elsewhere(place, most):
    dice = [("worker", 1, BLUE)] * place + [("worker", 4, RED)]
    table = acting(FOREST, dice, labour={RED: 0})
    for _ in range(place):
        table.take(act=0, steps=0)
    assert table.state.player == RED
    woods = {amounts(option.goods)[0] for option in table.offers}
    assert woods == set(range(most + 1))
    assert {option.food for option in table.offers} == {0, 1, 2}


def test_the_rightmost_slot_of_the_crane_gives_a_wood_too():
    dice = [("worker", 1, BLUE)] * 4 + [("worker", 4, RED)]
    table = acting(CRANE, dice, crane=[0, 1, 2, 0, 1])
    for _ in range(4):
        table.take(act=1)
    assert stock(table, BLUE) == (0, 0, 0, 0)
    table.take(act=1)
    assert stock(table, RED) == (1, 0, 0, 0)


def test_the_topmost_window_tile_gives_a_food_step():
    table = acting(WINDOW, [("worker", 4, RED)], window=[4, 5, 4], food={RED: 3})
    table.take(act=1, space=2)
    assert table.state.food[RED] == 4
    table = acting(WINDOW, [("worker", 4, RED)], window=[4, 5, 4], food={RED: 3})
    table.take(act=1, space=1)
    assert table.state.food[RED] == 3


BONUS_CHANGES = {
    "wood": lambda t: stock(t, RED) == (1, 0, 0, 0),
    "stone": lambda t: stock(t, RED) == (0, 1, 0, 0),
    "lintel": lambda t: stock(t, RED) == (0, 0, 1, 0) and t.state.lintels == 2,  # from the supply, not from the quarry
    "column": lambda t: stock(t, RED) == (0, 0, 0, 1) and t.state.columns == 1,
    "food": lambda t: t.state.food[RED] == 1,
    "labour": lambda t: t.state.labour[RED] == 3,
    "construction": lambda t: t.state.construction[RED] == 4,
    "stonework": lambda t: t.state.tiles[RED, :4].sum() == 1,
    "glass": lambda t: t.state.tiles[RED, 4:].sum() == 1,
}


@pytest.mark.parametrize("bonus", BONUS_CHANGES)
def test_a_village_space_gives_points_and_its_bonus(bonus):
    table = acting(
        VILLAGE, [("worker", 1, RED)], changes=[f"village.spaces.1.1.bonus={bonus}", "village.spaces.1.1.vp=4"],
        stocks={RED: goods(stone=2)}, village=[7, NONE, NONE, NONE], food={RED: 0}, labour={RED: 2},
        construction={RED: 3}, lintels=2, columns=1,
    )  # fmt: skip
    before = table.state.score[RED]
    table.take(act=1)
    table.take(space=0)
    assert table.state.score[RED] - before == 4
    for name, changed in BONUS_CHANGES.items():
        assert changed(table) == (name == bonus)


def test_a_village_tile_costs_wood_stone_and_pips():
    tile = 15  # number 16: a wood, a stone and three pips
    price = table_price(tile)
    assert price == ((1, 1, 0, 0), 3)
    table = acting(
        VILLAGE, [("worker", 2, RED)], stocks={RED: goods(1, 2)}, village=[tile, NONE, NONE, NONE], labour={RED: 1}
    )
    table.take(act=1, bought=1)
    assert stock(table, RED) == (0, 1, 0, 0)
    assert table.state.labour[RED] == 0
    for stocks, labour in ((goods(1, 0), 6), (goods(0, 1), 6), (goods(1, 1), 0)):
        table = acting(
            VILLAGE,
            [("worker", 2, RED)],
            stocks={RED: stocks},
            village=[tile, NONE, NONE, NONE],
            labour={RED: labour},
            food={RED: 0},
        )
        assert not table.fitting(act=1)


def table_price(tile: int) -> tuple[tuple[int, int, int, int], int]:
    """Return the goods and the pips of a village tile."""
    printed = Table().components.village.tiles[tile]
    return amounts(printed.goods), int(printed.pips)


# --- building and the end ---------------------------------------------------------------------------------------------

SITE = (  # tile A1: 10 points, 2 steps, a wood, a stone and a lintel
    "construction.a.1.vp=10", "construction.a.1.steps=2", "construction.a.1.wood=1", "construction.a.1.stone=1",
    "construction.a.1.lintel=1", "construction.a.1.column=0",
)  # fmt: skip


def test_a_completed_tile_earns_its_points_and_costs_steps_and_materials():
    table = building(changes=SITE, stocks={RED: goods(2, 1, 1)}, site=[0], construction={RED: 5, BLUE: 6})
    before = table.state.score[RED]
    table.take(act=1)
    table.take(act=1, goods=goods(1, 1, 1))
    assert table.state.score[RED] - before == 10
    assert table.state.construction[RED] == 3
    assert stock(table, RED) == (1, 0, 0, 0)


@pytest.mark.parametrize(("put", "points"), [((1, 0, 0), 3), ((0, 1, 1), 6), ((1, 1, 0), 6)])
def test_an_incomplete_tile_earns_3_for_each_material(put, points):
    table = building(changes=SITE, stocks={RED: goods(2, 1, 1)}, site=[0], construction={RED: 5, BLUE: 6})
    before = table.state.score[RED]
    table.take(act=1)
    table.take(goods=goods(*put))
    assert table.state.score[RED] - before == points
    assert table.state.construction[RED] == 3


@pytest.mark.parametrize(
    ("tiles", "points"),
    [
        ([1, 1, 1, 0, 1, 1], 25),
        ([1, 1, 1, 0, 1], 16),
        ([1, 0, 1, 0, 1], 9),
        ([0, 1, 0, 0, 1], 4),
        ([1], 1),
        ([0], 0),
        ([2, 1, 0, 0, 1, 1], 17),  # 4 different and a single one
        ([3], 3),
    ],
)
def test_sets_of_different_tiles_at_the_end(tiles, points):
    table = scoring(tiles={RED: [*tiles, *[0] * (8 - len(tiles))], BLUE: [0] * 8}, labour={RED: 0, BLUE: 0})
    assert table.state.score[RED] == points


def test_Janet_scores_7_and_Neil_3_for_their_places_on_the_labour_track():
    printed = list(Table().components.tracks.labour.vp)
    table = scoring(labour={RED: printed.index(7), BLUE: printed.index(3)}, tiles={RED: [0] * 8, BLUE: [0] * 8})
    assert list(table.state.score[:2]) == [7, 3]


def test_the_winner_has_the_most_points_and_ties_go_to_the_left_of_the_labour_track():
    outcomes = []
    for scores, labour in (((3, 4), (2, 2)), ((5, 4), (2, 2)), ((4, 4), (0, 1)), ((4, 4), (1, 0))):
        table = scoring(
            tiles={RED: [0] * 8, BLUE: [0] * 8},
            changes=[f"tracks.labour.vp.{i + 1}=0" for i in range(11)],
            labour=labour,
        )
        table.state.score[:2] = scores
        outcome = np.zeros(1, table.game.dtypes[3]).view(np.recarray)
        table.game.tally(table.components, table.state, outcome[0])
        outcomes.append(list(outcome[0].share[:2]))
    assert outcomes == [[0, 60], [60, 0], [60, 0], [0, 60]]


def test_names_of_areas_and_kings_are_in_the_rulebooks_order():
    assert AREAS == ("forest", "village", "quarry", "crane", "window")
    assert KINGS == ("joao_i", "afonso_v", "duarte", "joao_ii", "joao_iii", "manuel_i")
    assert (RED, BLUE, YELLOW, GREEN, NEUTRAL) == (0, 1, 2, 3, 4)
