"""The second engine of Abbates by itself: the end of the game, and Henricus; the rulebook's worked examples among
them."""

import pytest

from tests.reference.abbates_positions import ARTEFACT, BOOK, WINDOW, end, new_game, portrait, run
from tests.reference.follow import Difference

# --- the end of the game


def test_worked_example():
    """Yellow: 5 artefacts, 2 windows, 1 book, one purple square empty, five steps from the general: 15 points."""
    game = new_game(2, mission="mission1")
    yellow = game.players[0]
    yellow.portrait = portrait("aaa aaw wb.")
    assert game.printed["missions"]["mission1"]["rows"][2][2] == "p"
    yellow.bean = 14
    game.general = 20
    found = end(game)
    assert found.sources[0] == {
        "garden": 15 + 4 + 1,
        "lines": 0,
        "mission": 0,
        "corners": 0,
        "benedicts": 0,
        "distance": -5,
    }
    assert (found.scores[0], found.more["distance"][0]) == (15, 5)


@pytest.mark.parametrize(
    ("squares", "mission", "distance"),
    [
        ("b.. .b. ..b", 5, -3),
        ("b.a .b. ..b", 5, -1),
        ("b.a .b. ..w", 0, -3),
        ("b.a ... ..b", 0, -3),
        ("b.b .b. ..b", 5, -1),
    ],
)
def test_missions(squares, mission, distance):
    """The purple squares are the falling diagonal, another area is the square in the upper right corner."""
    game = new_game(2, mission="mission1")
    player = game.players[0]
    player.portrait = portrait(squares)
    player.bean, game.general = 0, 3 + player.portrait.count(None)
    sources = end(game).sources[0]
    assert (sources["mission"], sources["distance"]) == (mission, distance)
    game.printed["missions"]["mission1"]["halves"] = 0
    player.bean = 0
    assert end(game).sources[0]["distance"] == -3


def test_empty_squares_move_the_abbot_forward():
    game = new_game(2)
    game.players[0].portrait, game.players[0].bean, game.general = portrait("bbb bbb ..."), 12, 14
    assert end(game).more["distance"] == [1, 14 - 9]


def test_ties():
    game = new_game(3)
    for player, squares in zip(game.players, ("bb. ... ...", "w.. ... ...", "bb. ... ...")):
        player.portrait = portrait(squares)
        player.bean = -player.portrait.count(None)  # so that everybody ends beside the general
    found = end(game)
    assert (found.scores, found.shares) == ([2, 2, 2], [0.5, 0, 0.5])  # most books, as on aequalis; then shared
    game.points_card[3] = WINDOW
    assert game.shares_of(found.scores) == [0, 1, 0]
    game.points_card[3] = None
    assert game.shares_of(found.scores) == [1 / 3] * 3
    assert game.shares_of([1, 3, 2]) == [0, 1, 0]


def test_without_the_points_card():
    game = new_game(2, points_card=False, missions=False)
    player = game.players[0]
    for squares, points in (("bbb", 10), ("bb.", 6), ("bbw", 6), ("bwa", 3), ("bw.", 0), ("...", 0), ("b..", 0)):
        assert game.points_of_line(portrait(squares)) == points
    player.portrait = portrait("bbb bba ww.")
    # Rows: 10, 6, 6; columns: b b w 6, b b w 6, b a nothing.
    assert end(game).sources[0]["lines"] == 10 + 6 + 6 + 6 + 6
    assert game.points_of(player)["garden"] == 0


def test_a_starting_card_halves():
    game = new_game(3, points_card=False)
    first, second, third = game.players
    first.starting_card, second.starting_card, third.starting_card = BOOK, BOOK, WINDOW
    first.portrait, second.portrait = portrait("bb. ... ..."), portrait("b.b ... ...")
    assert [game.halves(player) for player in game.players] == [True, True, False]
    third.portrait = portrait("bbb ... ...")
    assert [game.halves(player) for player in game.players] == [False, False, False]


# --- Henricus


def solo(**rules):
    game = new_game(1, mission="mission1", **rules)
    game.garden = [
        ["books", 1],
        ["books", 3],
        ["windows", 3],
        ["books", 3],
        ["windows", 2],
        BOOK,
        ["books", 1],
        ARTEFACT,
        WINDOW,
    ]
    game.refill = [["books", 3], ["windows", 3], BOOK]
    return game


def test_his_piles():
    """Prior: two Benedict cards among the low cards, one among the high ones."""
    for level, low, high in (("novice", 1, 0), ("prior", 2, 1), ("abbot", 1, 3)):
        henricus = new_game(1, solo_level=level).henricus
        assert (henricus.low, henricus.high) == ([*range(1, 8)] + [14] * low, [*range(8, 14)] + [14] * high)


def test_from_which_pile_he_plays():
    game = solo(henricus_piles="face_down")
    assert run(game.henricus_plays(game.henricus), {"value": 7, "pile": "low"})  # one purple square in each line
    game.printed["missions"]["mission1"]["rows"] = [".pa", ".p.", "pp."]
    game.round, game.phase = 2, 2
    assert game.purple_on_line() == 3
    run(game.henricus_plays(game.henricus), {"value": 9, "pile": "high"})
    game.phase = 4
    run(game.henricus_plays(game.henricus), {"value": 14, "pile": "high"})
    game.henricus.high = []
    asked = run(game.henricus_plays(game.henricus), {"value": 2, "pile": "low"})
    assert asked[0].pile == "low"
    with pytest.raises(Difference, match="low pile"):
        run(game.henricus_plays(game.henricus), {"value": 2, "pile": "low"})


def test_the_top_card_of_a_pile_that_lies_face_up_is_played():
    game = solo()
    henricus = game.henricus
    henricus.low_top, henricus.high_top = 3, 9
    asked = run(game.henricus_plays(henricus), {"value": 3, "pile": "low"}, {"value": 5, "pile": "low"})
    assert [request.what for request in asked] == ["henricus", "top"]
    assert (henricus.low_top, henricus.high_top) == (5, 9)
    with pytest.raises(Difference, match="on top of the low pile lies 5"):
        run(game.henricus_plays(henricus), {"value": 7, "pile": "low"})


@pytest.mark.parametrize(
    ("step", "cards_then", "garden_then"),
    [
        # the first with two beans in the bottom row
        (1, [["artefacts", 0], ["windows", 0], ["artefacts", 2]], {8: None}),
        # windows bring 3 points here, so the artefact is given
        (2, [["windows", 0], ["artefacts", 2], ["books", 3]], {8: None}),
        (3, [["artefacts", 0], ["windows", 0], ["books", 3]], {4: None}),  # the middle row has a card with three beans
    ],
)
def test_his_rows(step, cards_then, garden_then):
    game = solo()
    game.points_card = [["windows", 1], ["artefacts", 1], BOOK, BOOK]
    game.takes_from, game.henricus.step = 1, step
    game.henricus.cards = [["artefacts", 0], ["windows", 0]]
    run(game.henricus_takes())
    assert game.henricus.cards == cards_then
    assert all(game.garden[square - 1] == card for square, card in garden_then.items())
    assert game.refill[0] == (["artefacts", 0] if step == 2 else ["books", 3])


def test_his_third_row_prefers_more_cards():
    game = solo()
    game.phase = 2  # the middle row has one card with three beans, the top row (to the right) two
    assert game.richest_line() == 3
    game.garden[2] = BOOK
    assert game.richest_line() == 2
    game.garden[3], game.garden[1] = BOOK, BOOK
    game.garden[6] = ["books", 3]
    assert game.richest_line() == 1
    # as many on both sides: as he faces the garden from the left, the top row is on his left hand
    game.garden[0] = ["windows", 3]
    assert game.richest_line() == 3
    game.rules["henricus_left"] = "before"
    assert game.richest_line() == 1


def test_his_card_comes_back():
    game = solo()
    henricus = game.henricus
    henricus.low, henricus.high = [1], [9]
    for discards, low, high in (([2, 7], [1, 7], [9]), ([2, 8], [1], [8, 9]), ([2, 14], [1], [9, 14])):
        henricus.low, henricus.high, henricus.discards = [1], [9], discards
        pile = "low" if low != [1] else "high"
        asked = run(game.finish_round(), {"pile": pile, "value": discards[-1]})
        assert [(request.what, request.pile) for request in asked] == [("top", pile)]
        assert (henricus.low, henricus.high, henricus.discards) == (low, high, [])


def test_the_last_card_may_come_back():
    for reading, back in ((False, 0), (True, 1)):
        game = new_game(2, last_card_back=reading)
        game.round = 4
        game.players[0].discards = [14]
        run(game.finish_round())
        assert (game.players[0].benedicts, game.players[0].discards) == (back, [])


def test_worked_example_of_henricus():
    """21 points with garden cards, 2 with Benedict cards, 5 with corners, 2 minus points for a distance of 5: 26."""
    game = solo()
    henricus = game.henricus
    henricus.cards = [["books", 3]] * 7
    henricus.low, henricus.high, henricus.corner_points = [2, 14], [9, 14], 2 + 3
    game.general = 26
    assert game.score_of_henricus(henricus) == 21 + 2 + 5 - 2 == 26


def test_a_tie_goes_to_the_person():
    game = solo()
    game.general = game.players[0].bean = 26
    game.players[0].portrait = portrait("aaa aaa aab")
    game.henricus.cards, game.henricus.low, game.henricus.high = [["books", 4]] * 6, [1], [9]
    for points, share in ((2, 1), (3, 0)):
        game.henricus.corner_points = points
        found = end(game)
        assert (found.scores, found.more["henricus"], found.shares) == ([25], 24 + points - 1, [share])
