"""Rulings 8 to 14 of the rules: pips, labour steps, quarry, village, crane, window and piles; each switch in both
positions."""

import numpy as np
import pytest

from sim.moesteiro.state import AREAS, CRANE, FOREST, FROM_FOOD, FROM_LABOUR, KINGS, NONE, QUARRY, VILLAGE, WINDOW
from sim.moesteiro.turns import DISPLAYS
from tests.helpers import Table, at_random
from tests.moesteiro.tools import BLUE, RED, acting, amounts, begun, goods, hand, put_fields, put_hand, put_row, stock

# --- 5: the order of actions ------------------------------------------------------------------------------------------


def test_ruling_5_areas_act_from_the_first_to_the_last_and_dice_from_left_to_right():
    table = begun(2)
    dice = [("worker", 1, BLUE), ("worker", 2, RED), ("worker", 3, BLUE)]
    for area in range(5):
        put_row(table, area, dice)
    for seat in (RED, BLUE):
        put_hand(table, seat, ())
    table.advance()
    acted = []
    while table.asks in AREAS:
        acted.append((table.asks, int(table.state.player), int(table.state.value)))
        table.take(act=0, steps=0)
    assert acted == [(area, owner, value) for area in AREAS for _, value, owner in dice]


# --- 8: bought pips ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "labour", "most"), [(1, 0, 1), (1, 2, 3), (3, 10, 6), (5, 4, 6), (6, 10, 6)])
def test_ruling_8_bought_pips_end_at_6_and_at_the_left_of_the_labour_track(value, labour, most):
    for area in (FOREST, QUARRY):
        table = acting(area, [("worker", value, RED)], lintels=9, columns=9, labour={RED: labour})
        costs = set()
        for option in table.offers:
            wood, stone, lintel, column = amounts(option.goods)
            cost = wood + 2 * option.food + stone + 2 * lintel + 3 * column
            assert option.bought == max(0, cost - value) <= labour
            costs.add(cost)
        assert max(costs) == most
    table = acting(WINDOW, [("worker", value, RED)], window=[4, 4, 4], labour={RED: labour})
    assert {option.space for option in table.offers if option.act} == {space for space in range(3) if 2 * space <= most}


def test_ruling_8_a_bought_pip_costs_a_labour_step():
    table = acting(FOREST, [("worker", 2, RED)], labour={RED: 4})
    table.take(act=1, goods=goods(wood=5), food=0)
    assert table.state.labour[RED] == 1
    assert stock(table, RED) == (5, 0, 0, 0)


def test_ruling_8_every_mix_of_the_forest_and_of_the_quarry_is_offered():
    table = acting(FOREST, [("worker", 4, RED)], labour={RED: 1})
    mixes = [(amounts(o.goods)[0], o.food) for o in table.offers if o.act]
    assert sorted(mixes) == sorted((wood, food) for wood in range(6) for food in range(3) if 0 < wood + 2 * food <= 5)
    table = acting(QUARRY, [("worker", 6, RED)], labour={RED: 0}, lintels=2, columns=1)
    mixes = [amounts(o.goods)[1:] for o in table.offers if o.act]
    assert sorted(mixes) == sorted(
        (s, n, c) for s in range(7) for n in range(3) for c in range(2) if 0 < s + 2 * n + 3 * c <= 6
    )


# --- 9: unused pips and passes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "steps"), [("one_step", {0, 1}), ("per_pip", {0, 1, 2, 3})])
def test_ruling_9_unused_pips(rule, steps):
    table = acting(QUARRY, [("worker", 4, RED)], changes=[f"rules.unused_pips={rule}"], labour={RED: 2})
    table.take(act=1, goods=goods(stone=1))
    assert table.asks == "unused"
    assert {option.steps for option in table.offers} == steps
    table.take(steps=max(steps))
    assert table.state.labour[RED] == 2 + max(steps)


def test_ruling_9_no_step_without_unused_pips():
    table = acting(QUARRY, [("worker", 4, RED), ("worker", 5, RED)], labour={RED: 2})
    table.take(act=1, goods=goods(stone=4))
    assert table.asks == "quarry"


@pytest.mark.parametrize(("rule", "steps"), [("two", [0, 2]), ("up_to_two", [0, 1, 2])])
@pytest.mark.parametrize("area", [FOREST, VILLAGE, QUARRY, CRANE, WINDOW])
def test_ruling_9_a_pass_in_any_area(rule, steps, area):
    table = acting(area, [("worker", 4, RED)], changes=[f"rules.pass_steps={rule}"], labour={RED: 2})
    assert [option.steps for option in table.offers if not option.act] == steps
    table.take(act=0, steps=2)
    assert table.state.labour[RED] == 4


def test_ruling_9_steps_beyond_the_right_end_are_2_points_each():
    for labour, place, points in ((10, 10, 4), (9, 10, 2), (8, 10, 0)):
        table = acting(CRANE, [("worker", 4, RED)], labour={RED: labour})
        before = int(table.state.points[RED, FROM_LABOUR])
        table.take(act=0, steps=2)
        assert table.state.labour[RED] == place
        assert table.state.points[RED, FROM_LABOUR] - before == points
    table = acting(QUARRY, [("worker", 4, RED)], labour={RED: 10})
    before = int(table.state.points[RED, FROM_LABOUR])
    table.take(act=1, goods=goods(stone=1))
    table.take(steps=1)
    assert table.state.points[RED, FROM_LABOUR] - before == 2


# --- 10: the quarry of the round --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_10_masters_fill_the_quarry_each_round_anew(players):
    differed = False
    for key in range(12):
        table, pick = Table(players=players, key=key), at_random(key)
        table.advance()
        for number in range(5):
            table.until(lambda t, number=number: t.state.this_round == number and t.asks == "king", pick)
            masters = [[value for kind, value, _ in hand(table, seat) if kind == "master"] for seat in range(players)]
            total = sum(sum(m) if number < 3 else max(m) for m in masters)
            differed |= number >= 3 and total != sum(map(sum, masters))
            assert (table.state.lintels, table.state.columns) == (0, 0)  # loaded after the Kings are chosen
            table.until(lambda t: t.asks == "place", pick)
            assert (table.state.lintels, table.state.columns) == (total // 2, total // 3)
    assert differed


def test_ruling_10_what_one_player_takes_is_gone_for_the_next():
    table = acting(QUARRY, [("worker", 6, RED), ("worker", 6, BLUE)], lintels=2, columns=1, labour=[0, 0])
    table.take(act=1, goods=goods(stone=1, lintel=1, column=1))
    assert max(amounts(o.goods)[2] for o in table.offers) == 1
    assert max(amounts(o.goods)[3] for o in table.offers) == 0


# --- 11: the village --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("food", range(8))
def test_ruling_11_the_row_beside_the_food_marker_and_those_above(food):
    owner = np.full(25, NONE)
    owner[[0, 5]] = BLUE
    table = acting(
        VILLAGE,
        [("worker", 1, RED)],
        stocks={RED: goods(stone=2)},
        village=[7, NONE, NONE, NONE],
        food={RED: food},
        space_owner=list(owner),
    )
    table.take(act=1)
    rows = min(food // 2, 3) + 1
    spaces = {option.space for option in table.offers} if table.asks == "space" else set()
    assert spaces == set(range(4 * rows)) - {0, 5}


def test_ruling_11_no_tile_without_a_free_space():
    owner = [BLUE] * 4 + [NONE] * 12
    table = acting(
        VILLAGE,
        [("worker", 1, RED)],
        stocks={RED: goods(stone=2)},
        village=[7, NONE, NONE, NONE],
        food={RED: 1},
        space_owner=owner,
    )
    assert not table.fitting(act=1)


def village_bonus(bonus: str, rule: str) -> Table:
    table = acting(
        VILLAGE, [("worker", 1, RED)],
        changes=[f"village.spaces.1.1.bonus={bonus}", f"rules.village_tile_bonus={rule}"], stocks={RED: goods(stone=2)},
        village=[7, NONE, NONE, NONE], food={RED: 0}, crane=[0, 1, 2, 0, 0], window=[4, 5, 4], tiles={RED: [0] * 8},
    )  # fmt: skip
    table.take(act=1)
    return table


@pytest.mark.parametrize(
    ("bonus", "display", "kinds"), [("stonework", "crane", slice(0, 4)), ("glass", "window", slice(4, 8))]
)
def test_ruling_11_a_tile_as_bonus_from_the_pile_or_from_the_display(bonus, display, kinds):
    table = village_bonus(bonus, "pile")
    pile, shown = table.state.pile.copy(), table.state[display].copy()
    table.take(space=0)
    assert table.asks != "pick"
    assert pile.sum() - table.state.pile.sum() == 1
    assert table.state.tiles[RED, kinds].sum() == 1
    assert (table.state[display] == shown).all()
    table = village_bonus(bonus, "display")
    pile, shown = table.state.pile.copy(), table.state[display].copy()
    table.take(space=0)
    assert table.asks == "pick"
    assert {(o.space, o.thing) for o in table.offers} == {
        (i, int(kind)) for i, kind in enumerate(shown) if kind != NONE
    }
    table.take(space=1)
    assert (table.state.pile == pile).all()
    assert table.state.tiles[RED].sum() == table.state.tiles[RED, shown[1]] == 1
    assert table.state[display][1] == NONE


@pytest.mark.parametrize("in_the_quarry", [0, 2])
@pytest.mark.parametrize("material", ["lintel", "column"])
def test_ruling_11_a_space_gives_a_piece_from_the_supply_whatever_the_quarry_holds(material, in_the_quarry):
    table = village_bonus(material, "pile")
    table.state.lintels = table.state.columns = in_the_quarry
    table.take(space=0)
    assert stock(table, RED) == amounts(goods(**{material: 1}))
    assert (table.state.lintels, table.state.columns) == (in_the_quarry, in_the_quarry)


def test_ruling_11_food_steps_beyond_the_end_are_2_points_each():
    for food, place, points in ((7, 7, 4), (6, 7, 2), (5, 7, 0)):
        table = acting(FOREST, [("worker", 4, RED)], food={RED: food})
        before = int(table.state.points[RED, FROM_FOOD])
        table.take(act=1, food=2, goods=0)
        assert table.state.food[RED] == place
        assert table.state.points[RED, FROM_FOOD] - before == points


# --- 12: the crane ----------------------------------------------------------------------------------------------------


def test_ruling_12_tile_and_steps_or_pass_and_no_pips():
    table = acting(
        CRANE, [("worker", 6, RED)], crane=[2, 1, 1, 1, 1], labour={RED: 9}, construction={RED: 2}, tiles={RED: [0] * 8}
    )
    assert [(o.act, o.bought) for o in table.offers] == [(0, 0), (0, 0), (1, 0)]
    table.take(act=1)
    assert table.asks not in ("crane", "unused")
    assert list(table.state.tiles[RED]) == [0, 0, 1, 0, 0, 0, 0, 0]
    assert table.state.labour[RED] == 9
    assert table.state.construction[RED] == 2 + 3


def test_ruling_12_steps_beyond_9_are_lost():
    table = acting(CRANE, [("worker", 6, RED)], construction={RED: 8})
    points = int(table.state.score[RED])
    table.take(act=1)
    assert (table.state.construction[RED], table.state.score[RED]) == (9, points)
    table = Table(players=2)
    table.state.construction[:2] = 8
    table.advance()
    table.take(thing=KINGS.index("joao_iii"))
    assert table.state.construction[RED] == 9


@pytest.mark.parametrize("place", range(5))
def test_ruling_12_the_wood_is_for_the_fifth_slot_not_for_the_last_die(place):
    dice = [("worker", 1, BLUE)] * place + [("worker", 4, RED)]
    table = acting(CRANE, dice, crane=[0, 1, 2, 0, 1])
    for _ in range(place + 1):
        table.take(act=1)
    assert stock(table, RED) == (int(place == 4), 0, 0, 0)
    assert stock(table, BLUE) == (0, 0, 0, 0)


def test_ruling_12_a_slot_without_a_tile_gives_its_steps_only():
    table = acting(CRANE, [("worker", 6, RED)], crane=[NONE, 1, 1, 1, 1], construction={RED: 2}, tiles={RED: [0] * 8})
    table.take(act=1)
    assert table.state.tiles[RED].sum() == 0
    assert table.state.construction[RED] == 5


def filled(changes=(), **fields) -> Table:
    """Return a table whose displays have just been filled."""
    table = begun(4, changes)
    put_fields(table, fields)
    table.state.phase = DISPLAYS
    table.advance()
    return table


@pytest.mark.parametrize(
    ("rule", "left"), [("close_gaps", [1, 2, NONE, NONE, NONE]), ("one_step", [NONE, 1, NONE, 2, NONE])]
)
def test_ruling_12_how_tiles_slide(rule, left):
    # With an empty pile nothing is filled up, so that the slide can be seen.
    table = filled([f"rules.crane_slide={rule}"], crane=[NONE, NONE, 1, NONE, 2], pile=[0] * 8, discarded=[0] * 8)
    assert list(table.state.crane[:5]) == left
    table = filled([f"rules.crane_slide={rule}"], crane=[0, NONE, 1, NONE, 2], pile=[0] * 8, discarded=[0] * 8)
    assert list(table.state.crane[:5]) == ([0, 1, 2, NONE, NONE] if rule == "close_gaps" else [0, 1, NONE, 2, NONE])


# --- 13: the window ---------------------------------------------------------------------------------------------------

PRINTED, UNCOVERED = "rules.window_cost=printed", "rules.window_cost=uncovered"


@pytest.mark.parametrize(
    ("window", "printed", "uncovered"),
    [
        ([4, 5, 4], {0: 0, 1: 2, 2: 4}, {0: 0, 1: 0, 2: 0}),
        ([NONE, 5, 4], {1: 2, 2: 4}, {1: 2, 2: 2}),
        ([NONE, NONE, 4], {2: 4}, {2: 4}),
        ([4, NONE, 4], {0: 0, 2: 4}, {0: 0, 2: 2}),
    ],
)
def test_ruling_13_cost_of_the_window_tiles(window, printed, uncovered):
    for rule, costs in ((PRINTED, printed), (UNCOVERED, uncovered)):
        for value in range(1, 7):
            table = acting(WINDOW, [("worker", value, RED)], changes=[rule], window=window, labour={RED: 6})
            assert {o.space: o.bought for o in table.offers if o.act} == {
                space: max(0, cost - value) for space, cost in costs.items()
            }
            for space, cost in costs.items():
                table = acting(WINDOW, [("worker", value, RED)], changes=[rule], window=window, labour={RED: 6})
                table.take(act=1, space=space)
                assert (table.asks == "unused") == (value > cost)


def test_ruling_13_a_tile_is_taken_and_the_food_step_goes_with_the_topmost_space():
    for window in ([4, 5, 4], [4, 5, NONE], [4, NONE, 5]):
        for space in range(3):
            if window[space] != NONE:
                table = acting(WINDOW, [("worker", 4, RED)], window=window, food={RED: 3}, tiles={RED: [0] * 8})
                table.take(act=1, space=space)
                assert [int(tile) for tile in table.state.window[:3]] == [*window[:space], NONE, *window[space + 1 :]]
                assert list(table.state.tiles[RED]) == [int(kind == window[space]) for kind in range(8)]
                assert table.state.food[RED] == 3 + (space == 2)


def test_ruling_13_tiles_left_slide_down():
    table = filled(window=[NONE, 5, NONE], pile=[0] * 8, discarded=[0] * 8)
    assert list(table.state.window[:3]) == [5, NONE, NONE]
    table = filled(window=[NONE, 5, 4], pile=[9, 9, 9, 0, 0, 7, 0, 0])
    assert list(table.state.window[:3]) == [5, 4, 5]


# --- 14: piles that run out -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reshuffle", ["false", "true"])
def test_ruling_14_a_pile_that_has_run_out(reshuffle):
    discarded = [1, 2, 2, 0, 2, 2, 0, 0]
    table = filled(
        [f"rules.reshuffle={reshuffle}"],
        crane=[NONE] * 5,
        window=[NONE] * 3,
        pile=[0] * 8,
        discarded=discarded,
        village_left=4,
    )
    if reshuffle == "false":
        assert all(table.state.crane == NONE)
        assert all(table.state.window == NONE)
        assert list(table.state.discarded) == discarded
    else:
        assert sorted(table.state.crane[:5]) == [0, 1, 1, 2, 2]
        assert sorted(table.state.window[:3]) in ([4, 4, 5], [4, 5, 5])
        assert table.state.discarded.sum() == 0
        assert table.state.pile.sum() == 1


def test_ruling_14_an_empty_pile_gives_no_bonus():
    table = village_bonus("stonework", "pile")
    table.state.pile[:] = 0
    table.state.discarded[:] = 0
    table.take(space=0)
    assert table.state.tiles[RED].sum() == 0


@pytest.mark.parametrize(("name", "shown"), [("village", 24), ("construction", 20)])
def test_ruling_14_displays_of_more_tiles_run_out_too(name, shown):
    table, pick = Table(), at_random(3)
    table.components[name].on_show = 8  # more than a component file may ask for
    table.advance()
    seen = set()
    field = "village" if name == "village" else "site"
    for number in range(5):
        table.until(lambda t, number=number: t.state.this_round == number and t.asks == "place", pick)
        now = [int(tile) for tile in table.state[field] if tile != NONE]
        assert not seen & set(now)
        assert len(now) == min(8, shown - len(seen))
        seen |= set(now)
    assert len(seen) == shown
