"""Rulings 1 to 7 of the rules: the order of a round, Kings, neutral dice and placing; each switch in both positions."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from sim.moesteiro.dice import pips
from sim.moesteiro.state import AREAS, CONSTRUCTION, CRANE, FOOD, FOREST, KINGS, LABOUR, NONE, QUARRY, VILLAGE, WINDOW
from sim.moesteiro.turns import DISPLAYS, DISPLAYS_EARLY, EVENTS, FINISH
from tests.helpers import Table, at_random
from tests.moesteiro.tools import (
    BLUE,
    GREEN,
    NEUTRAL,
    RED,
    YELLOW,
    acting,
    begun,
    goods,
    hand,
    placing,
    put_fields,
    row,
    stock,
)


def kings_chosen(table: Table) -> list[int]:
    """Play the choice of Kings, first King left each time; return the seats in the order in which they choose."""
    seats = []
    while table.asks in ("king", "gift"):
        if table.asks == "king":
            seats.append(int(table.state.player))
        table.choose(0)
    return seats


def king_choice(table: Table, **fields) -> Table:
    """Put a table back to the moment before the Kings are chosen."""
    table.state.taken = 0
    put_fields(table, fields)
    table.state.phase = DISPLAYS_EARLY
    table.advance()
    return table


# --- 1: the start player ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_1_seats_lie_in_the_stack_from_the_top(players):
    table = Table(players=players)
    table.advance()
    assert kings_chosen(table) == list(range(players))


def test_ruling_1_a_seat_begins_with_what_is_printed_for_it_and_has_no_other_part():
    more = {"wood": 2, "stone": 3, "lintel": 1, "column": 4, "food": 2, "labour": 1, "construction": 3, "vp": 5}
    table = Table(players=2, changes=[f"start.seat2.{name}={number}" for name, number in more.items()])
    state = table.state
    assert [stock(table, seat) for seat in (RED, BLUE)] == [(0, 0, 0, 0), (2, 3, 1, 4)]
    assert [list(state[name][:2]) for name in ("food", "labour", "construction", "score")] == [
        [0, 2],
        [5, 6],
        [2, 5],
        [0, 5],
    ]


# --- 2: the order of a round ------------------------------------------------------------------------------------------

AREA_EVENTS = ["area"] * len(AREAS)


@pytest.mark.parametrize("displays", ["after_kings", "before_kings"])
def test_ruling_2_order_of_a_round(displays):
    table = Table(players=3, changes=[f"rules.displays={displays}"])
    table.state.stepping = 1
    told, pick = [], at_random(1)
    while table.advance() != 0:
        if table.n < 0:
            told.append(EVENTS[table.state.event])
        else:
            table.game.apply(table.components, table.state, table.options[pick(table)])
    middle = ["kings", "displays"] if displays == "after_kings" else ["displays", "kings"]
    assert told == (["begin", "roll", *middle, "placing", *AREA_EVENTS, "building"] * 5) + ["scoring"]


@pytest.mark.parametrize("displays", ["after_kings", "before_kings"])
def test_ruling_2_what_lies_open_when_kings_are_chosen(displays):
    table = Table(players=4, changes=[f"rules.displays={displays}"])
    table.advance()
    assert table.asks == "king"
    open_tiles = [
        int(tile) for name in ("village", "crane", "window", "site") for tile in table.state[name] if tile != NONE
    ]
    assert len(open_tiles) == (0 if displays == "after_kings" else 4 + 5 + 3 + 4)


def test_ruling_2_only_stonework_and_glass_are_left_over_when_kings_are_chosen():
    table = begun(4)
    put_fields(table, {"crane": [NONE, 0, NONE, 1, NONE], "window": [NONE, 4, NONE]})
    table.state.phase = FINISH
    table.advance()
    table.until_asked("king")
    assert all(table.state.village == NONE)  # unused village tiles have been removed
    assert all(table.state.site == NONE)  # the construction tiles lie on the floor plan
    assert sorted(table.state.crane[table.state.crane != NONE]) == [0, 1]
    assert list(table.state.window[table.state.window != NONE]) == [4]


def test_ruling_2_the_displays_hold_four_five_four_and_three_tiles():
    table = begun(4)
    assert [int((table.state[name] != NONE).sum()) for name in ("village", "crane", "site", "window")] == [4, 5, 4, 3]


def rounds(table: Table) -> Iterator[Table]:
    """Play on, first option each time; stop at the first die of each round."""
    table.advance()
    for number in range(5):
        yield table.until(lambda t, number=number: t.state.this_round == number and t.asks == "place")


@pytest.mark.parametrize(("chosen", "sets"), [("a", {0}), ("b", {1}), ("mixed", {0, 1})])
def test_the_construction_tiles_of_level_one_come_first_then_those_of_level_two(chosen, sets):
    first_number_from = set()
    for key in range(6):
        table = Table(players=2, changes=[f"rules.construction_set={chosen}"], key=key)
        tiles = [int(tile) for t in rounds(table) for tile in t.state.site if tile != NONE]
        assert sorted(tile % 20 for tile in tiles[:8]) == list(range(8))
        assert sorted(tile % 20 for tile in tiles[8:]) == list(range(8, 20))
        assert {tile // 20 for tile in tiles} == sets
        assert [tile % 20 for tile in tiles] != list(range(20))
        first_number_from |= {tile // 20 for tile in tiles if tile % 20 == 0}
    assert first_number_from == sets


def test_village_tiles_come_once_each_in_an_order_of_their_own():
    orders = set()
    for key in range(4):
        tiles = [int(tile) for t in rounds(Table(players=2, key=key)) for tile in t.state.village if tile != NONE]
        assert len(set(tiles)) == len(tiles) == 20
        orders.add(tuple(tiles))
    assert len(orders) == 4


def test_stonework_and_glass_come_shuffled():
    for name, kinds in (("crane", {0, 1, 2}), ("window", {4, 5})):
        firsts = [int(begun(2, key=key).state[name][0]) for key in range(20)]
        assert set(firsts) == kinds


def test_every_round_fills_the_displays_and_keeps_what_was_left():
    table = begun(2)
    put_fields(table, {"crane": [0, 1, 2, NONE, NONE], "window": [4, NONE, NONE], "pile": [0, 0, 0, 9, 0, 0, 0, 9]})
    table.state.phase = FINISH
    table.advance()
    table.until_asked("place")
    assert list(table.state.crane[:5]) == [0, 1, 2, 3, 3]
    assert list(table.state.window[:3]) == [4, 7, 7]


def test_each_die_is_rolled_by_itself_and_shows_its_faces():
    faces: dict[str, set[int]] = {"worker": set(), "master": set()}
    pairs = set()
    for key in range(40):
        table = begun(2, key=key)
        for seat in (RED, BLUE):
            for kind, value, _ in hand(table, seat):
                faces[kind].add(value)
            pairs.add(tuple(value for kind, value, _ in hand(table, seat) if kind == "worker"))
    assert faces == {"worker": set(range(1, 7)), "master": {1, 2, 3}}
    assert any(first != second for first, second in pairs)


# --- 3: the tracks of round 2 -----------------------------------------------------------------------------------------


def second_round(changes=()) -> Table:
    table = begun(4, changes)
    put_fields(table, {"labour": [5, 2, 7, 2], "height": [1, 2, 3, 4], "food": [0] * 4, "construction": [2] * 4})
    table.state.phase = FINISH
    table.advance()
    assert table.asks == "tracks"
    return table


@pytest.mark.parametrize(
    ("order", "seats"), [("labour", [GREEN, BLUE, RED, YELLOW]), ("seat", [RED, BLUE, YELLOW, GREEN])]
)
def test_ruling_3_order_in_round_2(order, seats):
    table = second_round([f"rules.round2_order={order}"])
    asked = []
    while table.asks == "tracks":
        asked.append(int(table.state.player))
        table.choose(0)
    assert asked == seats


def test_ruling_3_a_step_on_two_different_tracks():
    pairs = set()
    for choice in range(3):
        table = second_round()
        assert table.n == 3
        seat = table.state.player
        names = ("food", "labour", "construction")
        before = [int(table.state[name][seat]) for name in names]
        table.choose(choice)
        steps = tuple(int(table.state[name][seat]) - b for name, b in zip(names, before))
        assert sorted(steps) == [0, 1, 1]
        pairs.add(steps)
    assert len(pairs) == 3
    assert (FOOD, LABOUR, CONSTRUCTION) == (0, 1, 2)


# --- 4: Kings ---------------------------------------------------------------------------------------------------------


def test_ruling_4_kings_are_chosen_from_the_left_of_the_labour_track_and_the_top_of_the_stack():
    table = king_choice(begun(4), labour=[3, 3, 1, 3], height=[7, 9, 2, 8])
    assert kings_chosen(table) == [YELLOW, BLUE, GREEN, RED]


@pytest.mark.parametrize(("arrival", "first"), [("top", RED), ("bottom", BLUE)])
def test_ruling_4_where_a_marker_arrives(arrival, first):
    change = [f"rules.labour_arrival={arrival}"]
    right = acting(QUARRY, [("worker", 1, RED)], 2, change, labour=[4, 6])
    right.take(act=0, steps=2)
    left = acting(QUARRY, [("worker", 1, RED)], 2, change, labour=[8, 6])
    left.take(act=1, goods=goods(stone=3), bought=2)
    for table in (right, left):
        assert list(table.state.labour[:2]) == [6, 6]
        assert kings_chosen(king_choice(table))[0] == first


@pytest.mark.parametrize("arrival", ["top", "bottom"])
def test_ruling_4_a_marker_that_stays_at_the_end_keeps_its_place_in_the_stack(arrival):
    table = acting(QUARRY, [("worker", 1, RED)], 2, [f"rules.labour_arrival={arrival}"], labour=[10, 10], height=[1, 2])
    table.take(act=0, steps=2)
    assert kings_chosen(king_choice(table))[:2] == [BLUE, RED]
    table = acting(
        QUARRY, [("worker", 1, BLUE)], 2, [f"rules.labour_arrival={arrival}"], labour=[10, 10], height=[1, 2]
    )
    table.take(act=0, steps=2)
    assert kings_chosen(king_choice(table))[:2] == [BLUE, RED]


def test_ruling_4_the_order_number_decides_the_turn_order():
    numbers = {king: 6 - i for i, king in enumerate(KINGS)}
    table = Table(players=4, changes=[f"kings.{king}.number={number}" for king, number in numbers.items()])
    table.advance()
    assert kings_chosen(table) == [0, 1, 2, 3]  # João I, Afonso V, Duarte, João II
    assert [int(seat) for seat in table.state.order[:4]] == [3, 2, 1, 0]
    turns = []
    for _ in range(8):
        turns.append(int(table.state.player))
        table.choose(0)
    assert turns == [3, 2, 1, 0] * 2


def test_ruling_4_each_king_is_taken_once_a_round():
    table = Table(players=4)
    table.advance()
    left = set(range(len(KINGS)))
    while table.asks in ("king", "gift"):
        if table.asks == "king":
            assert {option.thing for option in table.offers} == left
            left.remove(table.offers[-1].thing)
        table.choose(table.n - 1)
    assert len(left) == 2


@pytest.mark.parametrize("king", KINGS)
def test_ruling_4_powers_of_the_kings(king):
    table = Table(players=2)
    table.advance()
    before = table.states.copy()[0]
    table.take(thing=KINGS.index(king))
    state = table.state
    changes = {
        "labour": int(state.labour[RED] - before.labour[RED]),
        "vp": int(state.score[RED] - before.score[RED]),
        "construction": int(state.construction[RED] - before.construction[RED]),
        "goods": tuple(np.subtract(stock(table, RED), (1, 1, 0, 0))),
    }
    expected = {"labour": 0, "vp": 0, "construction": 0, "goods": (0, 0, 0, 0)}
    expected |= {
        "joao_i": {"labour": 1},
        "afonso_v": {"vp": 3},
        "duarte": {"goods": (0, 1, 0, 0)},
        "joao_iii": {"construction": 2},
    }.get(king, {})
    assert changes == expected
    assert (table.asks == "gift") == (king == "joao_ii")


@pytest.mark.parametrize("displays", ["after_kings", "before_kings"])
@pytest.mark.parametrize(("gift", "held"), [(0, (1, 1, 1, 0)), (1, (1, 1, 0, 1))])
def test_ruling_4_the_lintel_or_column_comes_from_the_supply(gift, held, displays):
    table, other = (Table(players=2, changes=[f"rules.displays={displays}"]) for _ in range(2))
    table.advance()
    table.take(thing=KINGS.index("joao_ii"))
    assert table.n == 2
    table.choose(gift)
    assert stock(table, RED) == held
    for played in (table, other):
        played.until_asked("place")
    assert (table.state.lintels, table.state.columns) == (other.state.lintels, other.state.columns)


def test_ruling_4_a_labour_step_beyond_the_end_is_2_points():
    table = king_choice(begun(2), labour=[10, 10])
    seat = table.state.player
    before = table.state.score[seat]
    table.take(thing=KINGS.index("joao_i"))
    assert table.state.labour[seat] == 10
    assert table.state.score[seat] - before == 2


# --- 5: neutral dice and closed spaces --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "neutral", "spaces"),
    [(2, (2, 1), (5, 3, 3, 5, 3)), (3, (1, 1), (5, 4, 4, 5, 3)), (4, (0, 0), (5, 4, 5, 5, 3))],
)
def test_ruling_5_neutral_dice_and_closed_spaces(players, neutral, spaces):
    values = set()
    for key in range(30):
        table = begun(players, key=key)
        rows = [row(table, area) for area in range(len(AREAS))]
        assert tuple(len(rows[area]) for area in (FOREST, CRANE)) == neutral
        assert not rows[VILLAGE] + rows[QUARRY] + rows[WINDOW]
        dice = rows[FOREST] + rows[CRANE]
        assert all(kind == "worker" and owner == NEUTRAL for kind, _, owner in dice)
        assert rows[FOREST] == sorted(rows[FOREST])
        values |= {value for _, value, _ in dice}
    assert values == (set(range(1, 7)) if players < 4 else set())
    for area, most in enumerate(spaces):
        dice = [("worker", 3, BLUE)] * most
        table = begun(players)
        put = placing([[("worker", 1)]] + [[("worker", 1)]] * (players - 1), {area: dice})
        assert not put.fitting(thing=area)
        put = placing([[("worker", 1)]] + [[("worker", 1)]] * (players - 1), {area: dice[1:]})
        assert put.fitting(thing=area)


def test_ruling_5_neutral_dice_shift_and_are_shifted():
    neutral = ("worker", 3, NEUTRAL)
    for kind, value, expected in (("worker", 2, 0), ("worker", 3, 1), ("master", 3, 0), ("worker", 4, 1)):
        table = placing([[(kind, value), ("worker", 6)], [("worker", 6)]], {FOREST: [neutral]})
        table.choose(next(i for i in table.fitting(thing=FOREST) if pips(table.offers[i].die) == value))
        assert row(table, FOREST).index((kind, value, RED)) == expected


def test_ruling_5_a_neutral_die_takes_no_action_and_leaves_its_tile():
    dice = [("worker", 1, NEUTRAL), ("worker", 2, RED), ("worker", 4, NEUTRAL)]
    table = acting(CRANE, dice, 2, crane=[0, 1, 2, 1, 1])
    assert table.state.player == RED
    assert table.fitting(act=1, thing=1)
    table.take(act=1)
    assert table.asks != "crane"
    assert list(table.state.crane[:5]) == [0, NONE, 2, 1, 1]


# --- 6: where a die enters --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "value"), list(product(["worker", "master"], [1, 2, 3])))
def test_ruling_6_where_a_die_enters(kind, value):
    standing = [("master", 1, BLUE), ("worker", 1, BLUE), ("master", 2, BLUE), ("worker", 2, BLUE)]
    table = placing([[(kind, value), ("worker", 6)], [("worker", 6)]], {FOREST: standing})
    table.choose(next(i for i in table.fitting(thing=FOREST) if pips(table.offers[i].die) == value))
    before = [(k, v, o) for k, v, o in standing if v < value or (v == value and (k == "master" or kind == "worker"))]
    assert row(table, FOREST) == [*before, (kind, value, RED), *standing[len(before) :]]


def test_ruling_6_equal_dice_stand_in_the_order_of_their_coming():
    for kind in ("worker", "master"):
        table = placing([[(kind, 2), ("worker", 6)], [("worker", 6)]], {QUARRY: [(kind, 2, BLUE), (kind, 2, GREEN)]})
        table.choose(next(i for i in table.fitting(thing=QUARRY) if pips(table.offers[i].die) == 2))
        assert [owner for _, _, owner in row(table, QUARRY)] == [BLUE, GREEN, RED]


def test_ruling_6_the_player_may_place_any_die_of_the_hand():
    table = placing([[("master", 3), ("worker", 3), ("worker", 5)], [("worker", 6)] * 3])
    assert {(pips(o.die), o.die & 1) for o in table.offers} == {(3, 0), (3, 1), (5, 1)}
    assert table.n == 15
    table.choose(next(i for i in table.fitting(thing=WINDOW) if pips(table.offers[i].die) == 5))
    assert hand(table, RED) == [("master", 3, RED), ("worker", 3, RED)]


# --- 7: no free space -------------------------------------------------------------------------------------------------


def test_ruling_7_a_die_without_a_free_space_passes_at_once():
    full = {FOREST: 5, VILLAGE: 3, QUARRY: 3, CRANE: 5, WINDOW: 3}
    table = placing([[("worker", 2)], [("worker", 4)]], {area: [("worker", 3, BLUE)] * n for area, n in full.items()})
    labour = int(table.state.labour[RED])
    assert [(o.act, o.steps) for o in table.offers] == [(0, 0), (0, 2)]
    table.take(steps=2)
    assert table.state.labour[RED] == labour + 2
    assert table.state.player == BLUE
    assert not hand(table, RED)


def test_a_round_fills_its_displays_again():
    table = begun(4)
    put_fields(table, {"crane": [NONE, 0, NONE, 1, NONE], "window": [NONE, 4, NONE]})
    table.state.phase = DISPLAYS
    table.advance()
    assert (table.state.crane[:5] != NONE).all()
    assert (table.state.window[:3] != NONE).all()
