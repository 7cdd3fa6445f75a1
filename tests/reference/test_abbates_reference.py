"""The second engine of Abbates by itself: the rulebook's worked examples, and the rules of phases on positions set up
by hand."""

import pytest

from tests.reference.abbates import Game
from tests.reference.abbates_positions import ARTEFACT, BOOK, WINDOW, cards, end, new_game, play_out, run, take
from tests.reference.abbates_selfplay import components
from tests.reference.follow import Ask, Difference, Phase

# --- set-up


def test_what_lies_on_the_table():
    game = Game(components(), 3)
    position = game.position()
    assert [player["hand"] for player in position["players"]] == [list(range(1, 14))] * 3
    assert (position["starting"], position["pile"], "henricus" in position) == (1, 90, False)


def test_the_general_starts_at_the_beans_of_the_points_card():
    game = Game(components(), 2)
    line = {
        "points_card": [["books", 1], ["windows", 2], ["artefacts", 3], ["books", 3]],
        "discard": [["windows", 1], ["books", 2]],
    }
    garden = [["books", 1]] * 9
    line |= {
        "garden": garden,
        "refill": [["windows", 3]] * 3,
        "arcade": game.printed["arcade"]["round1"] + list("x" * 9),
    }
    with pytest.raises(Difference, match="round 2: 'x' cannot lie there"):
        game.lay_out(line)
    assert (game.general, game.pile, game.discard[-1]) == (9, 90 - 6 - 12, ["books", 2])
    # A card of the third kind is never in the way of another.
    line["discard"] = [["artefacts", 1]]
    with pytest.raises(Difference, match="no reason to discard"):
        Game(components(), 2).lay_out(line)


def test_the_walk_of_the_general():
    game = new_game()
    seen = []
    for game.round in range(1, 5):
        for game.phase in range(1, 5):
            seen.append(game.line)
    assert seen == [1, 2, 3, None, 4, 5, 6, None, 7, 8, 9, None, 10, 11, 12, None]
    game.garden = list(range(10, 19))
    walk = {line: game.on_line(line) for line in range(1, 13)}
    assert walk[1] == [7, 8, 9]
    assert walk[3] == [1, 2, 3]
    assert walk[5] == [2, 5, 8]
    assert walk[7] == [3, 2, 1]
    assert walk[10] == [9, 6, 3]
    assert walk[12] == [7, 4, 1]


# --- action 1


def test_a_value_is_played_once():
    """Red has played a 12: the next may not, but may play a 2."""
    game = new_game(2)
    asked = run(game.play_cards(), {"value": 12}, {"value": 2})
    assert {"value": 12} in asked[0].options
    assert {"value": 12} not in asked[1].options
    assert len(asked[1].options) == 12


@pytest.mark.parametrize(("reading", "played"), [("allowed", 12), ("skip", None)])
def test_who_has_only_barred_cards(reading, played):
    game = new_game(2, forced_duplicate=reading)
    game.players[1].hand = [12]
    answers = [{"value": 12}] * (2 if played else 1)
    _, ranking = play_out(game.play_cards(), *answers)
    assert game.players[1].played == played
    # Of equal cards the earlier is higher.
    assert ranking == game.players[: 2 if played else 1]
    assert game.players[0].room == [12]
    assert game.players[1].ora is None


@pytest.mark.parametrize(("phase", "good", "bad"), [(1, 7, 8), (2, 8, 7), (3, 5, 4), (4, 4, 5)])
def test_conditions(phase, good, bad):
    """1 to 7, 8 to 14, odd, even."""
    for value, ora in ((good, phase + 1), (bad, None)):
        game = new_game(2)
        game.phase = game.players[0].ora = phase
        cards(game, value, 1)
        assert game.players[0].ora == ora


def test_the_highest_card_moves_the_general():
    game = new_game(3)
    game.general = 24
    ranking = cards(game, 3, 12, 8)
    assert [player.seat for player in ranking] == [2, 3, 1]
    assert (game.general, game.players[1].room, game.players[1].played) == (25, [12], None)
    game.lay_down(ranking)
    assert [player.discards for player in game.players] == [[3], [], [8]]
    assert game.starting.seat == 1


def test_checking_positions():
    """An abbot stands at the beans on the portrait."""
    game = new_game(2)
    player = game.players[0]
    for square, beans in ((7, 3), (8, 2), (9, 3), (4, 1), (5, 3), (6, 3), (4, 2), (8, 1)):
        player.place(["books", beans], square)
    assert player.bean == 3 + 1 + 3 + 2 + 3 + 3 == 15 == sum(card[1] for card in player.portrait if card)


# --- action 2


def ready(players, effect="none", **rules):
    """A first phase in which all have played, seat 1 the highest card, and so on."""
    game = new_game(players, **rules)
    game.arcade[0] = effect
    game.garden = [["books", 1]] * 6 + [BOOK, WINDOW, ARTEFACT]
    game.refill = [["books", 3], None, ["windows", 3]]
    game.unseen.subtract(
        [("books", 1)] * 6 + [("books", 2), ("windows", 2), ("artefacts", 2), ("books", 3), ("windows", 3)]
    )
    ranking = cards(game, *range(13, 13 - players, -1))
    return game, ranking


def who(asked):
    return [(request.asks if isinstance(request, Ask) else request.what, request.player) for request in asked[:-1]]


def test_two_players_the_winner_chooses():
    game, ranking = ready(2)
    asked = run(
        game.take_cards(ranking),
        take(8, WINDOW, 9),
        {"player": 2, "card": ["books", 3]},
        {"card": ["books", 3], "to": 7},
    )
    assert who(asked) == [("take", 1), ("draw", 2), ("blind", 2)]
    assert game.players[0].portrait[8] == WINDOW
    assert len(asked[0].options) == 9
    assert asked[-1] == Phase("taking")


def test_three_players_the_second_chooses_too():
    game, ranking = ready(3)
    asked = run(
        game.take_cards(ranking),
        take(8, WINDOW, 9),
        take(9, ARTEFACT, 9),
        {"player": 3, "card": ["books", 3]},
        {"card": ["books", 3], "to": 7},
    )
    assert who(asked) == [("take", 1), ("take", 2), ("draw", 3), ("blind", 3)]
    assert [option["card"] for option in asked[1].options] == [BOOK] * 3 + [ARTEFACT] * 3


def test_palm_cards():
    game, ranking = ready(3, "nothing")
    assert who(run(game.take_cards(ranking), take(8, WINDOW, 9))) == [("take", 1)]
    game, ranking = ready(3, "draw")
    draws = [answer for seat in (2, 3) for answer in ({"player": seat, "card": BOOK}, {"card": BOOK, "to": 7})]
    assert who(run(game.take_cards(ranking), take(8, WINDOW, 9), *draws)) == [
        ("take", 1),
        ("draw", 2),
        ("blind", 2),
        ("draw", 3),
        ("blind", 3),
    ]


def test_the_pile_runs_out():
    game, ranking = ready(2)
    game.unseen.clear()
    assert who(run(game.take_cards(ranking), take(8, WINDOW, 9))) == [("take", 1)]
    run(game.fill_up())
    assert game.garden == [["books", 1]] * 6 + [["books", 3], ["windows", 3], None]
    assert (game.refill, game.discard) == ([None] * 3, [BOOK, ARTEFACT])


def test_the_garden_is_filled():
    """From the replenishment row, from the left, then from the pile."""
    game, ranking = ready(2, "nothing")
    run(game.take_cards(ranking), take(7, BOOK, 9))
    asked = run(game.fill_up(), {"cards": [["artefacts", 3], ["artefacts", 1], ["windows", 1], ["books", 1]]})
    assert [request.what for request in asked] == ["fill"]
    assert game.garden[6:] == [["books", 3], ["windows", 3], ["artefacts", 3]]
    assert game.refill == [["artefacts", 1], ["windows", 1], ["books", 1]]
    assert game.discard == [WINDOW, ARTEFACT]


def test_from_the_discard_pile():
    for reading, kinds in (("any", [BOOK, WINDOW]), ("top", [BOOK])):
        game, ranking = ready(2, "discard", discard_pick=reading)
        game.unseen.clear()
        game.discard = [BOOK, WINDOW, BOOK]
        asked = run(game.take_cards(ranking), {"from": "discard", "card": BOOK, "to": 7})
        assert [option["card"] for option in asked[0].options[9::3]] == kinds
        assert game.discard == [BOOK, WINDOW]


def test_looking_at_the_pile():
    game, _ = ready(2, "look")
    seen = [BOOK, BOOK, WINDOW]
    asked = run(
        game.look(game.players[0]),
        {"look": True},
        {"cards": [*seen, ARTEFACT, ARTEFACT, ARTEFACT]},
        *({"card": card} for card in (WINDOW, BOOK, ARTEFACT, ARTEFACT, ARTEFACT)),
    )
    assert [len(request.options) for request in asked if isinstance(request, Ask) and request.asks == "order"] == [
        3,
        2,
        2,
        2,
        2,
    ]
    assert game.known == [WINDOW, BOOK, ARTEFACT, ARTEFACT, ARTEFACT, BOOK]
    with pytest.raises(Difference, match="on top of the pile lies"):
        game.take_top(BOOK)
    assert game.take_top(WINDOW) == WINDOW
    # Who looks again sees the known cards first.
    more = {"cards": [*game.known, ARTEFACT]}
    run(
        game.look(game.players[1]),
        {"look": True},
        more,
        *({"card": card} for card in (BOOK, ARTEFACT, ARTEFACT, ARTEFACT, BOOK)),
    )


def test_swap_exchange_move_line_remove():
    game, _ = ready(2, "swap")
    player = game.players[0]
    player.place(["books", 1], 5)
    assert len(run(game.swap(player), {"square": 5, "space": 3})[0].options) == 3
    assert (player.portrait[4], player.bean, game.refill) == (["windows", 3], 3, [["books", 3], None, ["books", 1]])
    exchanges = ({"square": 7, "space": 3}, {"square": 8, "space": None}, {"square": 9, "space": 1})
    asked = run(game.exchange(player), *exchanges)
    assert [len(request.options) for request in asked] == [3, 2, 2]
    assert (game.garden[6:], game.refill) == ([["books", 1], WINDOW, ["books", 3]], [ARTEFACT, None, BOOK])
    player.place(BOOK, 9)
    assert len(run(game.move(player), {"squares": [5, 9]})[0].options) == 2
    assert (player.portrait[4], player.portrait[8], player.bean) == (BOOK, ["windows", 3], 5)
    # The general has come to the top row for the second time: it is line 7, and line 3 as well.
    game.round = 3
    asked = run(game.other_line(player), {"line": 4})
    assert asked[0].options == [{"line": line} for line in (None, 1, 2, 4, 5, 6)]
    assert game.takes_from == 4
    game.general = 10
    asked = run(game.remove(player), {"player": 1, "value": 13})
    assert asked[0].options == [{"player": None}, {"player": 1, "value": 13}]
    assert (game.general, player.room) == (9, [])


# --- phase 4 and the end of a round


def test_the_corner_of_round_4_counts_cards_in_the_chapter_room():
    """Yellow has five cards there, the one just played included."""
    game = new_game(2)
    game.round = game.phase = 4
    game.players[0].room = [3, 8, 12, 14]
    cards(game, 13, 2)
    assert game.players[0].corner_points == 5
    assert end(game).sources[0]["corners"] == 5


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_other_corners(number):
    game = new_game(2)
    game.round, game.phase = number, 4
    cards(game, 5, 6)
    assert [player.corner_points for player in game.players] == [0, number]


def test_a_card_comes_back():
    for number, back in ((1, 3), (2, 14)):
        game = new_game(2)
        game.round = number
        player = game.players[0]
        player.hand, player.discards, player.ora = [10], [3, 8, 14], 5
        run(game.finish_round())
        assert (player.hand, player.benedicts, player.discards) == (([3, 10], 1, []) if back == 3 else ([10], 2, []))


def test_a_phase_in_which_nobody_plays():
    game = new_game(2)
    game.phase = 4
    for player in game.players:
        player.hand = []
    asked, ranking = play_out(game.play_cards())
    assert (asked, ranking) == ([Phase("cards")], [])
    game.lay_down(ranking)
    assert [player.corner_points for player in game.players] == [0, 0]
    assert game.starting.seat == 1
