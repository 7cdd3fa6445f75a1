"""How the text is read where it leaves something open: playing cards, the order of taking, filling, the end of a
round."""

import pytest

from sim.abbates.state import DRAW, EFFECTS, EXCHANGE, NO_EFFECT, NONE, NOTHING, REMOVED
from sim.abbates.turns import EVENT_FILLED, EVENT_ROUND
from tests.abbates.tools import ARTEFACT, BOOK, GREEN, PURPLE, RED, WINDOW, YELLOW, bits, card_of, table, values

# --- playing ----------------------------------------------------------------------------------------------------------


def test_who_has_only_barred_values_plays_one_of_them():
    two = table(2)
    two.state.hand[PURPLE] = bits(5)
    before = int(two.state.repeated[PURPLE])
    two.put_effect(NO_EFFECT)
    two.play(5)  # a single option is carried out unasked
    assert two.state.repeated[PURPLE] == before + 1
    assert two.asked() == ("take", RED)  # of equal cards the earlier is higher


def test_or_skips():
    two = table(2, ["rules.forced_duplicate=skip"])
    two.state.hand[PURPLE] = bits(5)
    two.put_effect(NO_EFFECT)
    two.play(5)
    assert two.state.repeated[PURPLE] == 0
    assert two.state.without_card[PURPLE] == 1
    assert two.state.hand[PURPLE] == bits(5)
    assert two.state.met[PURPLE] == -1


def test_of_equal_cards_the_later_is_lower_and_starts():
    two = table(2)
    two.state.hand[PURPLE] = bits(5, 6)
    two.put_effect(NO_EFFECT)
    two.play(5)
    two.takers()
    assert two.state.starting == RED
    three = table(3)
    three.state.hand[PURPLE] = three.state.hand[YELLOW] = bits(5)
    three.put_effect(NO_EFFECT)
    three.play(5)
    three.takers()
    assert three.state.starting == YELLOW


def test_without_a_card_one_draws_blind_last_and_the_lowest_played_starts():
    four = table(4)
    four.state.hand[RED] = 0
    four.state.stage, four.state.turn = 2, 0
    four.advance()
    assert four.asked() == ("abbot", PURPLE)
    four.put_effect(NO_EFFECT)
    four.play(9, 4, 6)
    assert four.takers() == [("take", PURPLE), ("take", GREEN), ("blind", YELLOW), ("blind", RED)]
    assert four.state.starting == YELLOW
    assert four.state.without_card[RED] == 1


def test_the_only_one_who_plays_wins_and_chooses():
    two = table(2)
    two.state.hand[PURPLE] = 0
    two.put_effect(NO_EFFECT)
    two.play(1)
    assert two.takers() == [("take", RED), ("blind", PURPLE)]
    assert two.state.starting == RED


def test_a_phase_in_which_nobody_plays_has_no_winner():
    two = table(2)
    two.state.hand[:] = 0
    two.put_effect(NO_EFFECT)
    two.state.starting = PURPLE
    general = int(two.state.general)
    two.state.stage, two.state.turn = 2, 0
    two.advance()
    assert two.takers()[:2] == [("blind", PURPLE), ("blind", RED)]
    assert two.state.general == general
    assert two.state.won.sum() == 0
    assert two.state.starting == PURPLE


def test_nobody_has_won_the_corner_then():
    two = table(2).at_phase(1, 4)
    two.state.hand[:] = 0
    two.state.lost[RED] = bits(3, 8)
    two.state.stage, two.state.turn = 2, 0
    two.advance()
    assert two.state.corner_owner[0] == NONE
    assert values(
        two.state.hand[RED] | two.state.lost[RED] | bits(*[v for v in [two.state.played[RED]] if v != NONE])
    ) == [3]


def test_a_benedict_is_a_14():
    two = table(2)
    two.state.benedicts[:2] = 1
    two.state.stage, two.state.turn = 2, 0
    two.advance()
    two.put_effect(NO_EFFECT)
    two.play(14)
    assert two.fitting(thing=14) == []
    two.play(13)
    assert two.state.room_benedicts[RED] == 1
    assert two.state.benedicts[RED] == 0


# --- taking -----------------------------------------------------------------------------------------------------------


def test_palm_draw_lets_all_others_draw():
    four = table(4)
    four.put_effect(DRAW)
    four.play(3, 9, 6, 12)
    assert four.takers() == [("take", GREEN), ("blind", PURPLE), ("blind", YELLOW), ("blind", RED)]


def test_palm_nothing_leaves_the_others_without():
    four = table(4)
    four.put_effect(NOTHING)
    four.play(3, 9, 6, 12)
    assert four.takers() == [("take", GREEN)]
    assert (four.state.portrait[:3] == NONE).all()


def test_palms_among_the_arcade_cards():
    """0, 1, 2 palm cards of a round with probability .1, .6, .3; without palms the three ordinary ones."""
    found = [0, 0, 0]
    for key in range(250):
        laid = table(2, key=key).state.arcade
        for r in range(4):
            arcade = laid[3 * r : 3 * r + 3]
            found[sum(effect >= DRAW for effect in arcade)] += 1
            assert len(set(arcade) - {EFFECTS.index("refill")}) + (arcade == EFFECTS.index("refill")).sum() == 3
    shares = [n / sum(found) for n in found]
    assert shares == pytest.approx([0.1, 0.6, 0.3], abs=0.04)
    plain = table(2, ["rules.palms=false"]).state.arcade
    assert [sorted(plain[i : i + 3]) for i in range(0, 12, 3)] == [[1, 2, 3], [3, 4, 5], [6, 7, 8], [3, 3, 3]]
    assert len({tuple(table(2, ["rules.palms=false"], key).state.arcade) for key in range(60)}) > 40


def test_cards_are_placed_in_the_generals_line():
    two = table(2)
    for number in range(12):
        each = two.copy().at_phase(1 + number // 3, 1 + number % 3)
        each.put_effect(NO_EFFECT)
        each.play(9, 2)
        squares = ["678", "345", "012", "036", "147", "258", "012", "345", "678", "258", "147", "036"][number]
        assert (
            {option.square for option in each.offers}
            == {option.other for option in each.offers}
            == {*map(int, squares)}
        )


def test_overbuilding_moves_the_abbot_by_the_difference():
    two = table(2)
    two.put_effect(NO_EFFECT)
    two.put_portrait(RED, [None] * 6 + [("books", 3), None, None])
    two.put_line([("windows", 1), ("windows", 1), ("windows", 1)])
    two.play(9, 2)
    two.take(square=6, other=6)
    assert two.state.abbot[RED] == 1
    assert card_of(two.state.portrait[RED, 6]) == ("windows", 1)
    assert two.state.overbuilt[RED] == 1


def test_a_line_that_runs_out_lets_one_draw():
    four = table(4)
    four.put_effect(NO_EFFECT)
    four.put_line([None, BOOK, None])
    four.play(3, 9, 6, 12)
    assert four.takers() == [("take", GREEN), ("blind", PURPLE), ("blind", YELLOW), ("blind", RED)]


def test_an_empty_pile_gives_nothing():
    two = table(2)
    two.put_effect(NO_EFFECT)
    two.put_pile([])
    two.play(9, 2)
    assert two.takers() == [("take", RED)]
    assert (two.state.portrait[PURPLE] == NONE).all()


# --- filling ----------------------------------------------------------------------------------------------------------


def test_the_line_is_filled_from_the_row_then_from_the_pile():
    two = table(2)
    two.put_effect(EFFECTS.index("refill"))
    two.put_line([BOOK, WINDOW, WINDOW])
    two.put_refill([("books", 1), ("books", 3), ARTEFACT])
    two.put_pile([("artefacts", 3)] * 9)
    thrown = int(two.state.discarded)
    two.play(9, 2)
    two.take(source=1, other=1, square=7)
    two.choose(0)
    assert [card_of(card) for card in two.state.garden[6:9]] == [("books", 1), ARTEFACT, ("artefacts", 3)]
    assert [card_of(card) for card in two.state.refill] == [("artefacts", 3)] * 3
    assert [card_of(card) for card in two.state.discard[thrown : two.state.discarded]] == [BOOK, WINDOW, WINDOW]


def test_cards_of_the_row_that_are_not_needed_stay_where_they_are():
    two = table(2)
    two.put_effect(NO_EFFECT)
    two.put_refill([("books", 1), ("books", 3), ARTEFACT])
    two.put_pile([])
    two.play(9, 2)
    two.take(other=7, square=7)
    assert [card_of(card) for card in two.state.garden[6:9]] == [("books", 1), ("books", 3), ARTEFACT]
    assert [card_of(card) for card in two.state.refill] == [None, None, None]


def test_rounds_walk_round_the_garden():
    two = table(2)
    lines = [[int(square) for square in line] for line in two.components.line]
    assert lines[0] == [6, 7, 8]
    assert lines[3] == [0, 3, 6]
    assert lines[6] == [2, 1, 0]
    assert lines[9] == [8, 5, 2]


# --- the end of a round -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("symbol", "back"), [("lowest", 4), ("highest", 11)])
def test_one_card_comes_back_and_the_rest_goes(symbol, back):
    two = table(2, [f"corners.corner1.returns={symbol}"]).at_phase(1, 4)
    two.state.hand[PURPLE] = bits(1, 8)
    two.state.lost[PURPLE] = bits(4, 11)
    two.play(12, 8)
    assert values(two.state.hand[PURPLE]) == [1, back]
    assert two.state.lost[PURPLE] == 0


def test_a_lost_benedict_comes_back_as_the_highest():
    two = table(2, ["corners.corner1.returns=highest"]).at_phase(1, 4)
    two.state.lost[PURPLE], two.state.lost_benedicts[PURPLE], two.state.met[:] = bits(4), 1, -1
    two.play(12, 8)
    assert two.state.benedicts[PURPLE] == 1
    assert two.state.lost_benedicts[PURPLE] == 0


@pytest.mark.parametrize(("phase", "pawn"), [(1, REMOVED), (2, 2), (3, REMOVED), (4, 4)])
def test_a_benedict_card_meets_the_conditions_that_a_14_meets(phase, pawn):
    """High and even; neither low nor odd."""
    two = table(2).at_phase(1, phase)
    two.state.benedicts[RED] = 1
    two.advance()
    two.play(14)
    assert two.state.met[RED] == pawn


def both_play_benedicts(phase, event, symbol="lowest"):
    """Let two play a Benedict card, the second for want of others, in a phase of round 1; return the table after an
    event."""
    two = table(2, [f"corners.corner1.returns={symbol}"]).at_phase(1, phase)
    if phase < 4:
        two.put_effect(NO_EFFECT)
    two.state.hand[PURPLE], two.state.benedicts[:2], two.state.met[:2] = 0, (1, 2), -1
    two.state.lost[PURPLE], two.state.stepping = bits(3), 1
    two.advance()
    two.play(14, 14)
    return two.until(lambda made: made.n == -1 and made.state.event == event)


def test_a_benedict_card_that_loses_to_an_earlier_one_lies_on_the_discard_pile():
    two = both_play_benedicts(1, EVENT_FILLED)
    assert list(two.state.won[:2]) == [1, 0]
    assert (list(two.state.lost_benedicts[:2]), list(two.state.lost[:2])) == ([0, 1], [0, bits(3)])
    assert (list(two.state.room_benedicts[:2]), list(two.state.benedicts[:2])) == ([1, 0], [0, 1])
    assert (two.state.starting, list(two.state.repeated[:2])) == (PURPLE, [0, 1])


@pytest.mark.parametrize(("symbol", "benedicts", "hand"), [("highest", 2, []), ("lowest", 1, [3])])
def test_a_benedict_card_that_has_lost_comes_back_as_what_it_is(symbol, benedicts, hand):
    two = both_play_benedicts(4, EVENT_ROUND, symbol)
    assert (int(two.state.benedicts[PURPLE]), values(two.state.hand[PURPLE])) == (benedicts, hand)
    assert (two.state.lost_benedicts[PURPLE], two.state.lost[PURPLE]) == (0, 0)
    assert list(two.state.benedicts_played[:2]) == [1, 1]


def test_the_third_who_plays_a_value_has_repeated_it_once():
    three = table(3).at_phase(1, 1)
    three.state.hand[:3] = bits(2, 7), bits(7), bits(7)
    three.advance()
    three.play(7)
    assert list(three.state.repeated[:3]) == [0, 1, 1]


def test_cards_exchanged_in_one_phase_are_one_action():
    two = table(2)
    two.put_effect(EXCHANGE)
    two.put_line([BOOK] * 3)
    two.put_refill([WINDOW] * 3)
    two.play(9, 2)
    for space in range(3):
        two.take(act=1, other=space)
    assert two.state.used[RED, EXCHANGE] == 1
    assert two.takers() == [("take", RED), ("blind", PURPLE)]


def test_after_the_last_round_nothing_comes_back():
    two = table(2, ["corners.corner4.returns=highest"]).at_phase(4, 4)
    two.state.hand[PURPLE] = bits(1, 8)
    two.state.met[:2] = -1
    two.state.lost[PURPLE], two.state.lost_benedicts[PURPLE] = bits(4), 1
    two.play(12, 8)
    assert two.n == 0
    assert (values(two.state.hand[PURPLE]), two.state.benedicts[PURPLE], two.state.lost[PURPLE]) == ([1], 0, 0)


@pytest.mark.parametrize(("symbol", "back", "benedicts"), [("highest", [1], 1), ("lowest", [1, 4], 0)])
def test_after_the_last_round_a_card_may_come_back_too(symbol, back, benedicts):
    two = table(2, ["rules.last_card_back=true", f"corners.corner4.returns={symbol}"]).at_phase(4, 4)
    two.state.hand[PURPLE] = bits(1, 8)
    two.state.met[:2] = -1
    two.state.lost[PURPLE], two.state.lost_benedicts[PURPLE] = bits(4), 1
    two.play(12, 8)
    assert two.n == 0
    assert (values(two.state.hand[PURPLE]), two.state.lost_benedicts[PURPLE]) == (back, 0)
    assert two.state.points[PURPLE, 4] == benedicts


def test_who_plays_lowest_in_phase_4_starts_the_next_round():
    three = table(3).at_phase(1, 4)
    three.play(7, 9, 2)
    assert three.asked() == ("abbot", YELLOW)
    assert [int(seat) for seat in three.state.first_at[:3, 1]] == [1, 2, 0]
