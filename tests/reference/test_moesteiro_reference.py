"""The second engine by itself: the rulebook's worked examples, games that it plays alone, and whether `check` notices
what is wrong."""

import pytest

from tests.reference.follow import Ask, Chance
from tests.reference.moesteiro import Game, best_sets, in_order, space_for
from tests.reference.moesteiro_selfplay import components


def new_game(players=4, **rules):
    return Game(components(**rules), players)


def run(requests, *answers):
    """Run a part of the game, answering what is asked; what was asked."""
    asked, answers, answer = [], list(answers), None
    while True:
        try:
            request = requests.send(answer)
        except StopIteration:
            assert not answers, f"nobody asked for {answers}"
            return asked
        asked.append(request)
        answer = answers.pop(0) if isinstance(request, (Ask, Chance)) else None


def labour_at(game, player, space):
    game.move_labour_marker(player, space)


# --- setting up and the beginning of a round


def test_set_up():
    position = new_game().position()
    assert [
        (player["labour"], player["construction"], player["food"], player["score"]) for player in position["players"]
    ] == [(5, 2, 0, 0)] * 4
    assert position["labour_order"] == [1, 2, 3, 4]
    assert position["left"] == {"village": 24, "construction": 20, "stonework": 21, "glass": 14}


def test_what_a_seat_begins_with():
    printed = components()
    printed["start"]["seat2"].update(wood=2, column=1, food=1, labour=1, construction=9, vp=4)
    printed["start"]["seat4"].update(labour=1)
    position = Game(printed, 4).position()
    second = position["players"][1]
    assert (second["wood"], second["stone"], second["lintel"], second["column"]) == (2, 0, 0, 1)
    assert (second["food"], second["labour"], second["construction"], second["score"]) == (1, 6, 9, 4)
    assert position["labour_order"] == [1, 3, 2, 4]


def test_the_second_round_moves_on_two_of_three_tracks():
    game = new_game(2)
    game.round = 2
    food_and_labour, food_and_construction = {"tracks": ["food", "labour"]}, {"tracks": ["food", "construction"]}
    event = game.printed["rounds"]["events"][1]
    asked = run(game.begin_round(event), food_and_labour, food_and_construction)
    assert [request.player for request in asked[:2]] == [1, 2]
    assert asked[0].options == [
        {"tracks": ["food", "labour"]},
        {"tracks": ["food", "construction"]},
        {"tracks": ["labour", "construction"]},
    ]
    assert (game.players[0].labour, game.players[1].construction) == (6, 3)
    assert [player.seat for player in game.labour_order] == [2, 1]


def test_neutral_dice_are_placed_first():
    game = new_game(2)
    event = game.printed["rounds"]["events"][0]
    dice = [[["worker", 4], ["worker", 2], ["master", 2]]] * 2
    neutral = {"forest": [5, 2], "crane": [6]}
    run(game.roll(event), {"dice": dice, "neutral": neutral})
    assert game.areas["forest"] == [["worker", 2, 0], ["worker", 5, 0]]
    assert game.areas["crane"] == [["worker", 6, 0]]
    assert game.players[0].hand == [["master", 2], ["worker", 2], ["worker", 4]]
    assert game.room == {"forest": 5, "village": 3, "quarry": 3, "crane": 5, "window": 3}
    assert new_game(3).room["quarry"] == 4


def test_kings_are_chosen_from_the_left_and_give_their_powers_at_once():
    game = new_game()
    labour_at(game, game.players[2], 3)
    labour_at(game, game.players[0], 7)
    kings = ["joao_i", "joao_ii", "joao_iii", "afonso_v"]
    answers = [{"king": kings[0]}, {"king": kings[1]}, {"piece": "column"}, {"king": kings[2]}, {"king": kings[3]}]
    asked = run(game.choose_kings(), *answers)
    assert [(request.player, request.asks) for request in asked[:5]] == [
        (3, "king"),
        (2, "king"),
        (2, "gift"),
        (4, "king"),
        (1, "king"),
    ]
    assert {"king": "joao_i"} not in asked[1].options
    assert [player.labour for player in game.players] == [7, 5, 4, 5]
    assert game.players[1].stock["column"] == 1
    assert game.players[3].construction == 4
    assert game.players[0].points["kings"] == 3
    assert [player.seat for player in game.turn_order] == [3, 1, 2, 4]


@pytest.mark.parametrize(
    ("number", "masters", "lintels", "columns"),
    [
        (1, [[3], [2], [1], [1]], 3, 2),
        (4, [[3, 3], [2, 1], [1, 2], [3]], 5, 3),
        (3, [[3, 3], [2, 1], [1, 2], [3]], 7, 5),
    ],
)
def test_the_quarry_is_loaded_with_the_masters(number, masters, lintels, columns):
    """The example: masters of 7 pips bring 3 lintels and 2 columns; from round 4 on only the highest of each player
    counts."""
    game = new_game()
    game.round = number
    for player, values in zip(game.players, masters):
        player.hand = [["worker", 6], *(["master", value] for value in values)]
    game.load_quarry()
    assert game.quarry == {"lintel": lintels, "column": columns}


def test_tiles_left_over_move_on():
    close, step = new_game(), new_game(crane_slide="one_step")
    close.crane = [1, None, None, 2, 3]
    step.crane = [1, None, None, 2, 3]
    assert close.slide_crane() == [1, 2, 3, None, None]
    assert step.slide_crane() == [1, None, 2, 3, None]


# --- placing dice

BLUE, YELLOW, RED = 1, 2, 3


@pytest.mark.parametrize(
    ("row", "die", "space"),
    [
        ([], ["worker", 5], 0),
        ([["worker", 3, BLUE]], ["worker", 2], 0),
        ([["master", 2, YELLOW], ["worker", 3, BLUE]], ["master", 2], 1),
        ([["worker", 2, YELLOW], ["worker", 3, BLUE]], ["master", 2], 0),
        ([["worker", 2, YELLOW], ["worker", 3, BLUE]], ["worker", 2], 1),
        ([["master", 3, YELLOW], ["worker", 3, BLUE]], ["worker", 3], 2),
        ([["worker", 1, YELLOW], ["master", 3, BLUE]], ["worker", 2], 1),
    ],
)
def test_where_a_die_is_placed(row, die, space):
    assert space_for(row, die) == space


def test_a_full_area_takes_no_die_and_equal_dice_are_one_option():
    game = new_game()
    game.areas["window"] = [["worker", 4, 2]] * 3
    game.players[0].hand = [["worker", 3], ["worker", 3]]
    (asked,) = run(game.place_die(game.players[0]), {"die": ["worker", 3], "area": "forest", "space": 1})
    assert [option["area"] for option in asked.options] == ["forest", "village", "quarry", "crane"]
    assert game.players[0].hand == [["worker", 3]]
    game.room = dict.fromkeys(game.room, 0)
    (asked,) = run(game.place_die(game.players[0]), {"die": ["worker", 3], "pass": 2})
    assert asked.options == [{"die": ["worker", 3], "pass": 0}, {"die": ["worker", 3], "pass": 2}]
    assert game.players[0].labour == 7


# --- actions


def test_forest_with_three_pips():
    """The example: one wood and one step for 3 pips, or 3 wood; in a space at the right only one wood for two."""
    game = new_game()
    player = game.players[0]
    near, far = game.forest_options(player, 3, 1), game.forest_options(player, 3, 2)
    assert {"wood": 1, "food": 1, "bought": 0, "left": 0} in near
    assert {"wood": 3, "food": 0, "bought": 0, "left": 0} in near
    assert {"wood": 1, "food": 0, "bought": 0, "left": 1} in far
    assert {"wood": 3, "food": 0, "bought": 3, "left": 0} in far
    assert max(option["bought"] for option in near + far) == 3
    labour_at(game, player, 1)
    assert max(option["bought"] for option in game.forest_options(player, 3, 1)) == 1
    assert {"wood": 0, "food": 0, "bought": 0, "left": 3} not in near


def test_village_for_two_stones():
    """The example: a tile that costs two stones earns 5 points on a space of the second row."""
    game = new_game()
    player = game.players[0]
    game.village = [8, 5, None, 20]
    player.stock.update(stone=2)
    player.food = 2
    options = game.village_options(player, 3, 0)
    assert options == [{"tile": 8, "bought": 0, "left": 3}]
    game.areas["village"] = [["worker", 3, 1]]
    asked = run(game.perform("village"), options[0], {"row": 2, "space": 2}, {"steps": 1})
    assert [request.asks for request in asked[:3]] == ["village", "space", "unused"]
    assert asked[1].options == [{"row": row, "space": space} for row in (1, 2) for space in (1, 2, 3, 4)]
    assert (player.score, player.stock["stone"], player.labour) == (5, 1, 6)
    assert game.spaces[1] == [0, 1, 0, 0]
    assert game.village == [None, 5, None, 20]


def test_food_steps_beyond_the_end_are_points():
    game = new_game()
    player = game.players[0]
    player.food = 6
    game.step_food(player, 3)
    assert (player.food, player.points["food"]) == (7, 4)


def test_quarry():
    """The examples: 3 pips buy a lintel and a stone; with two pips from the labour track they buy a column and a
    lintel."""
    game = new_game()
    player = game.players[0]
    game.quarry = {"lintel": 1, "column": 1}
    options = game.quarry_options(player, 3, 0)
    assert {"stone": 1, "lintel": 1, "column": 0, "bought": 0, "left": 0} in options
    both = {"stone": 0, "lintel": 1, "column": 1, "bought": 2, "left": 0}
    assert both in options
    assert max(option["lintel"] for option in options) == 1
    game.areas["quarry"] = [["master", 3, 1]]
    run(game.perform("quarry"), both)
    assert (player.labour, player.stock["lintel"], player.stock["column"], game.quarry) == (
        3,
        1,
        1,
        {"lintel": 0, "column": 0},
    )


def test_crane():
    """The example: the tile above the die and two steps; the rightmost slot gives a wood too, one without a tile only
    steps."""
    game = new_game()
    player = game.players[0]
    game.crane = [1, 3, None, 2, 2]
    game.areas["crane"] = [["worker", 1, 0], ["worker", 2, 1], ["worker", 3, 1], ["worker", 4, 2], ["worker", 5, 1]]
    options = [{"slot": 2, "tile": 3}, {"slot": 3, "tile": None}, {"pass": 2}, {"slot": 5, "tile": 2}]
    asked = run(game.perform("crane"), *options)
    assert asked[0].options == [{"pass": 0}, {"pass": 2}, {"slot": 2, "tile": 3}]
    assert (player.construction, player.tiles["stonework"], player.stock["wood"]) == (2 + 2 + 2 + 1, [0, 1, 1], 1)
    assert game.players[1].labour == 7
    assert game.crane == [1, None, None, 2, None]


def test_window():
    """The example: the first tile for nothing, the second for two pips; the topmost gives a step on the food track."""
    game = new_game()
    game.window = [2, 1, 1]
    assert game.window_options(game.players[0], 1, 0)[0] == {"place": 1, "tile": 2, "bought": 0, "left": 1}
    assert game.window_options(game.players[0], 2, 0)[1] == {"place": 2, "tile": 1, "bought": 0, "left": 0}
    game.areas["window"] = [["worker", 4, 1]]
    run(game.perform("window"), {"place": 3, "tile": 1, "bought": 0, "left": 0})
    assert (game.players[0].food, game.players[0].tiles["glass"]) == (1, [1, 0])
    assert game.window == [2, 1, None]


def test_window_where_only_uncovered_pips_are_paid():
    game = new_game(window_cost="uncovered")
    game.window = [2, 1, 1]
    assert [game.window_cost(place) for place in range(3)] == [0, 0, 0]
    game.window = [None, 1, 1]
    assert [game.window_cost(place) for place in range(3)] == [0, 2, 2]


def test_labour_track():
    """Two steps for a pass; beyond the right end two points a step; who arrives lies on top, or at the bottom; who
    stays does not move."""
    game = new_game()
    first, second = game.players[:2]
    game.step_labour(first, 2)
    game.step_labour(second, 2)
    assert [player.seat for player in game.labour_order] == [3, 4, 2, 1]
    game.step_labour(first, 5)
    assert (first.labour, first.points["labour"]) == (10, 4)
    game.pay_labour(second, 0)
    game.step_labour(second, 3)
    game.step_labour(first, 1)
    assert [player.seat for player in game.labour_order] == [3, 4, 2, 1]
    under = new_game(labour_arrival="bottom")
    under.step_labour(under.players[1], 1)
    under.step_labour(under.players[0], 1)
    assert [player.seat for player in under.labour_order] == [3, 4, 2, 1]


@pytest.mark.parametrize(("reading", "steps"), [("one_step", [0, 1]), ("per_pip", [0, 1, 2, 3])])
def test_unused_pips(reading, steps):
    game = new_game(unused_pips=reading)
    (asked,) = run(game.use_left_pips(game.players[0], 3), {"steps": 1})
    assert asked.options == [{"steps": step} for step in steps]
    assert game.players[0].labour == 6


# --- building


def builder(**rules):
    """A game in which player 1 is about to build, with the fourth tile of set A in sight: 12 points, 2 steps, a wood
    and a lintel."""
    game = new_game(**rules)
    game.site = ["a4", None, None, "a18"]
    return game, game.players[0]


def test_a_complete_section_brings_its_points():
    game, player = builder()
    player.stock.update(wood=2, lintel=1)
    given = {"wood": 1, "stone": 0, "lintel": 1, "column": 0, "completes": True}
    asked = run(game.build(player), {"tile": "a4"}, given)
    assert len(asked[1].options) == 3
    assert (player.points["building"], player.stock["wood"], player.construction) == (12, 1, 0)
    assert game.site == [None, None, None, "a18"]


def test_a_section_without_all_its_steps_stays_incomplete():
    game, player = builder()
    player.construction = 1
    player.stock.update(wood=1, lintel=1)
    given = {"wood": 1, "stone": 0, "lintel": 1, "column": 0, "completes": False}
    asked = run(game.build(player), {"tile": "a4"}, given)
    assert given in asked[1].options
    assert (player.points["unfinished"], player.construction) == (6, 0)


def test_only_who_has_something_for_a_section_can_choose_it():
    game, player = builder()
    player.stock.update(stone=3)
    (asked,) = run(game.build(player), {"tile": None})
    assert asked.options == [{"tile": None}]


@pytest.mark.parametrize(("reading", "labour", "left"), [("waived", 5, [2, 1, 0]), ("owed", 4, [1, 1, 0])])
def test_icons_of_an_incomplete_section(reading, labour, left):
    game, player = builder(incomplete_icons=reading)
    player.stock.update(wood=1)
    player.tiles["stonework"] = [2, 1, 0]
    answers = [{"tile": "a18"}, {"wood": 1, "stone": 0, "lintel": 0, "column": 0, "completes": False}]
    asked = run(game.build(player), *answers, *([{"icon": "stonework", "tile": 1}] if reading == "owed" else []))
    assert (player.labour, player.tiles["stonework"], player.points["unfinished"]) == (labour, left, 3)
    if reading == "owed":
        assert asked[2].options == [{"icon": "stonework", "tile": 1}, {"icon": "stonework", "tile": 2}]


def test_building_order_and_purchase():
    game = new_game()
    for player, king in zip(game.players, ["joao_i", "duarte", "afonso_v", "manuel_i"]):
        player.king = king
    for player, space in zip(game.players, [9, 2, 2, 5]):
        player.construction = space
    labour_at(game, game.players[0], 1)
    nothing = {"tile": None}
    asked = run(game.build_monastery(), nothing, nothing, nothing, {"buy": "wood", "labour": 1}, nothing)
    assert [(request.player, request.asks) for request in asked[:5]] == [
        (4, "build"),
        (3, "build"),
        (2, "build"),
        (1, "purchase"),
        (1, "build"),
    ]
    assert asked[3].options == [{"buy": None}, {"buy": "wood", "labour": 1}, {"buy": "stone", "labour": 1}]
    assert (game.players[0].stock["wood"], game.players[0].labour) == (1, 0)


# --- final scoring


@pytest.mark.parametrize(
    ("tiles", "points"),
    [([1, 1, 1, 1, 1], 25), ([1, 1, 1, 1, 0], 16), ([0, 3, 0], 3), ([2, 1, 0, 2], 13), ([], 0), ([1] * 7, 29)],
)
def test_sets(tiles, points):
    assert best_sets(in_order(tiles), (1, 4, 9, 16, 25)) == points


def test_sets_are_made_as_they_bring_most():
    assert best_sets((2, 1), (3, 4)) == 9


def test_a_tie_is_won_further_left_on_the_labour_track():
    game = new_game(2)
    first, second = game.players
    labour_at(game, first, 7)
    labour_at(game, second, 4)
    game.score(second, 4, "kings")
    *_, end = run(game.score_finally())
    assert (end.scores, end.shares) == ([7, 7], [0, 1])
    assert end.sources[1]["track"] == 3
