"""Rulings 15 to 17 of the rules: who builds when, what a construction tile asks for, the end; each switch in both
positions."""

from itertools import permutations

import pytest

from sim.contract import records
from sim.moesteiro.purse import MATERIALS
from sim.moesteiro.state import PURCHASES
from tests.helpers import Table
from tests.moesteiro.tools import BLUE, GREEN, RED, YELLOW, amounts, building, goods, scoring, stock

TILE = {
    "vp": 10,
    "steps": 2,
    "wood": 1,
    "stone": 1,
    "lintel": 0,
    "column": 0,
    "food": 0,
    "labour": 0,
    "stonework": 0,
    "glass": 0,
}


def tile(number: int = 1, **printed: int) -> list[str]:
    """Return changes that print these numbers on tile A1: 10 points, 2 steps, a wood and a stone but for what is
    said."""
    return [f"construction.a.{number}.{name}={value}" for name, value in {**TILE, **printed}.items()]


def builders(table: Table) -> list[int]:
    """Let everybody pass; return the seats in the order in which they are asked to build."""
    seats = []
    while table.asks in ("purchase", "build"):
        if table.asks == "build":
            seats.append(int(table.state.player))
        table.take(act=0)
    return seats


FULL = dict.fromkeys(range(4), goods(9, 9, 9, 9))

# --- 15: order and purchase -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kings", "construction", "order"),
    [
        (["joao_i", "afonso_v", "duarte", "joao_ii"], [4, 3, 2, 1], [GREEN, YELLOW, BLUE, RED]),
        (["joao_i", "afonso_v", "duarte", "manuel_i"], [4, 3, 2, 9], [GREEN, YELLOW, BLUE, RED]),
        (["joao_i", "afonso_v", "duarte", "joao_ii"], [4, 4, 1, 4], [YELLOW, RED, BLUE, GREEN]),
        (["manuel_i", "afonso_v", "duarte", "joao_ii"], [4, 4, 4, 0], [RED, GREEN, BLUE, YELLOW]),
    ],
)
def test_ruling_15_king_manuel_then_the_lowest_then_the_turn_order(kings, construction, order):
    table = building(4, stocks=FULL, kings=kings, site=[0, 1, 2, 3], construction=construction)
    assert builders(table) == order


def test_ruling_15_ties_go_by_the_turn_order_of_the_round():
    table = building(
        4, stocks=FULL, site=[0, 1, 2, 3], construction=[5, 5, 5, 5], turn_at=[[2] * 5, [0] * 5, [3] * 5, [1] * 5]
    )
    assert builders(table) == [BLUE, GREEN, RED, YELLOW]


def test_ruling_15_a_construction_tile_is_used_once():
    table = building(4, stocks=FULL, site=[0, 1, 2, 3], construction=[5, 5, 5, 5])
    left = {0, 1, 2, 3}
    for _ in range(4):
        assert {option.thing for option in table.offers if option.act} == left
        chosen = min(left)
        left.remove(chosen)
        table.take(act=1, thing=chosen)
        if table.asks == "materials":
            table.choose(0)
        while table.asks == "discard":
            table.choose(0)


def test_ruling_15_the_purchase_at_9_comes_before_the_choice():
    table = building(2, tile(wood=0, stone=0, column=1), stocks={}, site=[0], construction=[8, 9], labour=[6, 6])
    # Red, at 8, buys nothing and has nothing to build with: only Blue is asked, first what to buy.
    assert (table.asks, table.state.player) == ("purchase", BLUE)
    table.take(act=1, thing=MATERIALS.index("column"))
    assert stock(table, BLUE) == (0, 0, 0, 1)
    assert table.state.labour[BLUE] == 3
    assert table.asks == "build"
    assert table.fitting(act=1)


@pytest.mark.parametrize("labour", range(5))
def test_ruling_15_prices_of_the_purchase(labour):
    prices = {"wood": 1, "stone": 1, "lintel": 2, "column": 3}
    table = building(2, stocks=FULL, site=[0], construction=[9, 9], labour=[labour, labour])
    bought = (
        {PURCHASES[option.thing]: -option.steps for option in table.offers if option.act}
        if table.asks == "purchase"
        else {}
    )
    assert bought == {name: price for name, price in prices.items() if price <= labour}


@pytest.mark.parametrize("switch", ["false", "true"])
def test_ruling_15_tiles_in_the_purchase(switch):
    table = building(
        2, [f"rules.purchase_tiles={switch}"], site=[0], construction=[9, 5], labour=[6, 6], tiles={RED: [0] * 8}
    )
    assert (table.asks, table.state.player) == ("purchase", RED)
    sold = {PURCHASES[option.thing] for option in table.offers if option.act}
    assert sold == ({*MATERIALS, "stonework", "glass"} if switch == "true" else set(MATERIALS))
    if switch == "true":
        pile = table.state.pile.copy()
        table.take(thing=PURCHASES.index("glass"), act=1)
        assert table.state.tiles[RED, 4:].sum() == 1
        assert pile[4:].sum() - table.state.pile[4:].sum() == 1
        assert table.state.labour[RED] == 3


@pytest.mark.parametrize(
    ("reshuffle", "discarded", "sold"), [("false", 2, False), ("true", 2, True), ("true", 0, False)]
)
def test_ruling_15_a_tile_is_sold_only_while_there_is_one(reshuffle, discarded, sold):
    changes = ["rules.purchase_tiles=true", f"rules.reshuffle={reshuffle}"]
    empty = {"pile": dict.fromkeys(range(4), 0), "discarded": {1: discarded}}
    table = building(2, changes, site=[0], construction=[9, 5], labour=[6, 6], **empty)
    offered = {PURCHASES[option.thing] for option in table.offers if option.act}
    assert offered == {*MATERIALS, "glass", *({"stonework"} if sold else ())}
    if sold:
        table.take(thing=PURCHASES.index("stonework"), act=1)
        assert table.state.tiles[RED, 1] == 1
        assert (table.state.pile[1], table.state.discarded[1]) == (1, 0)


# --- 16: the tile -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "left", "points"), [(5, 2, 10), (3, 0, 10), (2, 0, 6), (0, 0, 6)])
def test_ruling_16_steps_are_made_as_far_as_possible_and_wanted_in_full(place, left, points):
    table = building(2, tile(steps=3), stocks={RED: goods(1, 1)}, site=[0], construction=[place, 9], labour=[5, 0])
    before = int(table.state.score[RED])
    table.take(act=1)
    assert table.state.construction[RED] == left
    table.take(goods=goods(1, 1))
    assert table.state.score[RED] - before == points


def test_ruling_16_any_materials_may_go_in():
    table = building(
        2,
        tile(wood=2, stone=1, lintel=1),
        stocks={RED: goods(1, 3, 1, 4)},
        site=[0],
        construction=[5, 9],
        labour=[5, 0],
    )
    table.take(act=1)
    offered = {amounts(option.goods) for option in table.offers}
    assert offered == {(w, s, n, 0) for w in range(2) for s in range(2) for n in range(2)} - {(0, 0, 0, 0)}


def test_ruling_16_nothing_to_put_in_nothing_to_build():
    table = building(
        2,
        tile(column=1, wood=0, stone=0),
        stocks={RED: goods(3, 3, 3, 0), BLUE: goods(column=1)},
        site=[0],
        construction=[5, 8],
    )
    assert table.state.player == BLUE  # Red has nothing that the tile asks for


@pytest.mark.parametrize(("place", "food", "built"), [(2, 1, True), (1, 1, False), (2, 0, False)])
def test_ruling_16_a_tile_that_asks_for_no_materials_is_built_where_it_can_be_completed(place, food, built):
    table = building(2, tile(wood=0, stone=0, food=1), site=[0], construction=[place, 9], labour=[5, 0], food=[food, 0])
    before = int(table.state.score[RED])
    if built:
        table.take(act=1)
        assert table.state.score[RED] - before == 10
        assert (table.state.construction[RED], table.state.food[RED]) == (0, 0)
    else:
        assert (table.asks, table.state.player) != ("build", RED)


def test_ruling_16_a_column_on_an_incomplete_tile_brings_3_points_too():
    table = building(2, tile(column=1), stocks={RED: goods(column=1)}, site=[0], construction=[5, 8])
    before = int(table.state.score[RED])
    table.take(act=1)
    table.take(goods=goods(column=1)) if table.asks == "materials" else None
    assert table.state.score[RED] - before == 3


ICONS = {"food": 1, "labour": 2, "stonework": 1, "glass": 1}
ENOUGH = {"food": 1, "labour": 2, "stonework": 1, "glass": 1}


def with_icons(rule: str = "waived", materials: int = 2, missing: str = "") -> Table:
    """Return a table where Red chooses what to put on a tile with every icon; of `missing` Red has one less than it
    asks for."""
    has = {name: number - (name == missing) for name, number in ENOUGH.items()}
    table = building(
        2, [*tile(**ICONS), f"rules.incomplete_icons={rule}"], stocks={RED: goods(*[1, 1][:materials])}, site=[0],
        construction=[5, 8], food=[has["food"], 0], labour=[has["labour"], 0],
        tiles={RED: [0, has["stonework"], 0, 0, has["glass"], 0, 0, 0]},
    )  # fmt: skip
    table.take(act=1)
    return table


def icons_left(table: Table) -> tuple[int, int, int]:
    """Return Red's food, labour and tiles."""
    return int(table.state.food[RED]), int(table.state.labour[RED]), int(table.state.tiles[RED].sum())


def test_ruling_16_a_complete_tile_takes_every_icon():
    table = with_icons()
    before, discarded = int(table.state.score[RED]), int(table.state.discarded.sum())
    table.choose(table.fitting(goods=goods(1, 1))[0]) if table.asks == "materials" else None
    assert table.state.score[RED] - before == 10
    assert icons_left(table) == (0, 0, 0)
    assert table.state.discarded.sum() - discarded == 2


@pytest.mark.parametrize("missing", ICONS)
def test_ruling_16_a_missing_icon_leaves_the_tile_incomplete(missing):
    table = with_icons(missing=missing)
    before, icons = int(table.state.score[RED]), icons_left(table)
    table.take(goods=goods(1, 1))
    assert table.state.score[RED] - before == 6
    assert icons_left(table) == icons


@pytest.mark.parametrize(("rule", "left"), [("waived", (1, 2, 2)), ("owed", (0, 0, 0))])
def test_ruling_16_icons_of_an_incomplete_tile(rule, left):
    table = with_icons(rule)
    before = int(table.state.score[RED])
    table.take(goods=goods(1, 0))
    assert table.state.score[RED] - before == 3
    assert icons_left(table) == left


def test_ruling_16_owed_icons_are_paid_as_far_as_possible():
    table = with_icons("owed", missing="labour")
    before = int(table.state.score[RED])
    table.take(goods=goods(1, 1))
    assert table.state.score[RED] - before == 6
    assert icons_left(table) == (0, 0, 0)


def test_ruling_16_the_player_chooses_which_tile_to_discard():
    table = building(
        2,
        tile(stonework=1, glass=1),
        stocks={RED: goods(1, 1)},
        site=[0],
        construction=[5, 8],
        tiles={RED: [1, 0, 2, 0, 1, 1, 0, 0]},
    )
    table.take(act=1)
    table.take(goods=goods(1, 1))
    assert table.asks == "discard"
    assert {option.thing for option in table.offers} == {0, 2}
    table.take(thing=2)
    assert {option.thing for option in table.offers} == {4, 5}
    table.take(thing=5)
    assert list(table.state.tiles[RED]) == [1, 0, 1, 0, 1, 0, 0, 0]


def test_ruling_16_a_labour_icon_moves_the_marker_onto_another_space():
    table = building(
        2, tile(labour=1), stocks={RED: goods(1, 1)}, site=[0], construction=[5, 8], labour=[4, 3], height=[1, 2]
    )
    table.take(act=1)
    table.take(goods=goods(1, 1))
    assert table.state.labour[RED] == 3
    assert table.state.height[RED] > table.state.height[BLUE]  # it arrives on top


# --- 17: the end ------------------------------------------------------------------------------------------------------


def shares(table: Table) -> list[int]:
    """Return the win shares of a finished game."""
    outcome = records(table.game.dtypes[3], 1)
    table.game.tally(table.components, table.state, outcome[0])
    return [int(share) for share in outcome[0].share[: table.state.players]]


@pytest.mark.parametrize("kinds", list(permutations([0, 1, 2, 4, 5], 2)))
def test_ruling_17_sets_run_over_stonework_and_glass(kinds):
    tiles = [int(kind in kinds) for kind in range(8)]
    table = scoring(tiles=[tiles, [0] * 8], labour=[0, 0])
    assert list(table.state.score[:2]) == [4, 0]


def test_ruling_17_a_set_need_not_hold_both_stonework_and_glass():
    tiles = [[1] * 4 + [0] * 4, [0] * 4 + [1] * 4]
    table = scoring(changes=["stonework.kinds=4", "glass.kinds=4"], tiles=tiles, labour=[0, 0])
    assert list(table.state.score[:2]) == [16, 16]


def test_ruling_17_at_most_five_tiles_in_a_set():
    table = scoring(
        3,
        ["stonework.kinds=4", "glass.kinds=4"],
        tiles=[[1] * 8, [1] * 6 + [0, 0], [2] * 5 + [0] * 3],
        labour=[0, 0, 0],
    )
    assert list(table.state.score[:3]) == [25 + 9, 25 + 1, 50]


@pytest.mark.parametrize(
    ("vp", "tiles", "points"),
    [
        ([5, 6, 7, 8, 9], [1, 1, 1, 0, 1, 1, 0, 0], 25),  # each by itself
        ([1, 8, 9, 10, 11], [1, 1, 0, 0, 1, 1, 0, 0], 16),  # two pairs
        ([0, 0, 9, 9, 9], [2, 2, 1, 0, 1, 0, 0, 0], 18),  # two sets of three, not one of four
    ],
)
def test_ruling_17_players_make_the_sets_that_bring_most(vp, tiles, points):
    changes = [f"sets.vp.{size}={number}" for size, number in enumerate(vp, 1)]
    table = scoring(changes=changes, tiles=[tiles, [0] * 8], labour=[0, 0])
    assert list(table.state.score[:2]) == [points, 0]


@pytest.mark.parametrize("labour", range(11))
def test_ruling_17_points_of_the_labour_track(labour):
    table = scoring(tiles=[[0] * 8] * 2, labour=[labour, 0])
    assert table.state.score[RED] == [0, 0, 1, 2, 3, 4, 5, 7, 8, 10, 12][labour]


@pytest.mark.parametrize(
    ("labour", "height", "winner"),
    [([0, 1], [1, 2], RED), ([1, 0], [2, 1], BLUE), ([1, 1], [1, 2], BLUE), ([1, 1], [2, 1], RED)],
)
def test_ruling_17_ties_go_to_the_left_then_to_the_top_of_the_stack(labour, height, winner):
    table = scoring(tiles=[[0] * 8] * 2, labour=labour, height=height)
    assert table.state.score[RED] == table.state.score[BLUE] == 0
    assert shares(table) == [60 * (seat == winner) for seat in (RED, BLUE)]
    table.state.score[1 - winner] += 1
    assert shares(table) == [60 * (seat != winner) for seat in (RED, BLUE)]
