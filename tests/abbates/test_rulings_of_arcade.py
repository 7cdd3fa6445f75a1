"""How arcade actions are read: each of the eight, mandatory palms are with the phases."""

import pytest

from sim.abbates.state import (
    EXCHANGE,
    FROM_DISCARD,
    FROM_REFILL,
    LOOK,
    MOVE,
    NO_EFFECT,
    NONE,
    OTHER_LINE,
    REMOVE,
    SOURCE_DISCARD,
    SOURCE_LINE,
    SWAP,
)
from tests.abbates.tools import ARTEFACT, BOOK, PURPLE, RED, WINDOW, bits, card_of, code, number_of, table


def won_by_red(effect, changes=(), prepare=None):
    """Return a table for two at the winner's first decision after the cards, with an arcade card."""
    two = table(2, changes)
    two.put_effect(effect)
    two.put_line([BOOK, WINDOW, ARTEFACT])
    two.put_refill([("books", 1), ("windows", 1), ("artefacts", 1)])
    if prepare:
        prepare(two)
    return two.play(9, 2)


def with_discards(two):
    two.state.discarded = 4
    two.state.discard[:4] = [code(card) for card in (("books", 3), ("windows", 3), ("books", 3), ("windows", 2))]


def test_any_card_of_the_discard_pile_equal_ones_once():
    two = won_by_red(FROM_DISCARD, prepare=with_discards)
    found = {(card_of(option.thing), option.other) for option in two.offers if option.source == SOURCE_DISCARD}
    assert found == {(("windows", 2), 3), (("books", 3), 2), (("windows", 3), 1)}
    assert len([option for option in two.offers if option.source == SOURCE_LINE]) == 9
    two.take(source=SOURCE_DISCARD, other=1, square=7)
    assert [card_of(card) for card in two.state.discard[:3]] == [("books", 3), ("books", 3), ("windows", 2)]
    assert card_of(two.state.portrait[RED, 7]) == ("windows", 3)
    assert two.state.used[RED, FROM_DISCARD] == 1


def test_or_the_top_card_only():
    two = won_by_red(FROM_DISCARD, ["rules.discard_pick=top"], with_discards)
    assert {(card_of(option.thing), option.other) for option in two.offers if option.source == SOURCE_DISCARD} == {
        (("windows", 2), 3)
    }


def test_the_replenishment_row_is_for_the_winner_only():
    three = table(3)
    three.put_effect(FROM_REFILL)
    three.play(9, 7, 2)
    assert {option.source for option in three.offers} == {0, 1}
    three.choose(0)
    assert three.asked() == ("take", PURPLE)
    assert {option.source for option in three.offers} == {0}


def test_nor_may_others_use_the_discard_pile():
    three = table(3)
    three.put_effect(FROM_DISCARD)
    with_discards(three)
    three.play(9, 7, 2)
    three.take(source=SOURCE_LINE, other=6, square=6)
    assert three.asked() == ("take", PURPLE)
    assert {option.source for option in three.offers} == {SOURCE_LINE}


def looked_at(two):
    two.put_pile(
        [("books", 1), ("books", 1), ("windows", 2), ("artefacts", 3), ("artefacts", 3), ("books", 3), ("windows", 1)]
    )


def test_the_six_cards_on_top_come_in_the_chosen_order():
    two = won_by_red(LOOK, prepare=looked_at)
    assert two.asks == "look"
    two.take(act=1)
    known = [card_of(card) for card in two.state.known]
    assert two.state.pile_left == 1
    wanted = sorted(known, reverse=True)
    for card in wanted:
        if two.asks == "order":
            assert len({option.thing for option in two.offers}) == two.n
            two.take(thing=code(card))
    assert [card_of(card) for card in two.state.known] == wanted
    assert two.asked() == ("take", RED)
    two.choose(0)
    assert two.asked() == ("blind", PURPLE)
    assert card_of(two.state.card) == wanted[0]


def test_one_need_not_look():
    two = won_by_red(LOOK, prepare=looked_at)
    two.take(act=0)
    assert two.asks == "take"
    assert two.state.known_left == 0


def test_fewer_than_six_cards_and_none():
    two = won_by_red(LOOK, prepare=lambda two: two.put_pile([BOOK, WINDOW]))
    two.take(act=1)
    assert two.n == 2
    two.choose(0)
    assert two.asks == "take"
    assert won_by_red(LOOK, prepare=lambda two: two.put_pile([])).asks == "take"


def test_cards_that_were_looked_at_before_come_first_when_one_looks_again():
    def prepare(two):
        two.put_pile([("windows", 1)] * 10)
        two.state.known[:3] = code(BOOK), code(WINDOW), code(ARTEFACT)
        two.state.known_left = 3

    two = won_by_red(LOOK, prepare=prepare)
    two.take(act=1)
    assert sorted(card_of(card) for card in two.state.known) == sorted([BOOK, WINDOW, ARTEFACT, *[("windows", 1)] * 3])
    assert two.state.looker == RED


def test_a_card_of_the_portrait_changes_places_with_one_of_the_row():
    two = won_by_red(SWAP, prepare=lambda two: two.put_portrait(RED, [("books", 3), None, None, WINDOW, *[None] * 5]))
    assert two.n == 1 + 2 * 3
    two.take(act=1, square=0, other=1)
    assert card_of(two.state.portrait[RED, 0]) == ("windows", 1)
    assert card_of(two.state.refill[1]) == ("books", 3)
    assert two.state.abbot[RED] == 1 + 2
    assert two.asks == "take"


def test_cards_of_the_line_are_exchanged_one_after_another():
    two = won_by_red(EXCHANGE)
    assert two.n == 4
    two.take(act=1, square=6, other=2)
    assert {(option.act, option.other) for option in two.offers} == {(0, 0), (1, 0), (1, 1)}
    two.take(act=0)
    two.take(act=1, square=8, other=0)
    assert [card_of(card) for card in two.state.garden[6:9]] == [("artefacts", 1), WINDOW, ("books", 1)]
    assert [card_of(card) for card in two.state.refill] == [ARTEFACT, ("windows", 1), BOOK]
    assert two.asks == "take"


def test_two_cards_of_the_portrait_change_places():
    two = won_by_red(
        MOVE, prepare=lambda two: two.put_portrait(RED, [("books", 3), None, None, WINDOW, *[None] * 4, ARTEFACT])
    )
    assert two.n == 1 + 3
    two.take(act=1, square=0, other=8)
    assert card_of(two.state.portrait[RED, 0]) == ARTEFACT
    assert card_of(two.state.portrait[RED, 8]) == ("books", 3)
    assert two.state.abbot[RED] == 7


def test_all_take_from_another_line_and_it_is_filled_again():
    three = table(3)
    three.put_effect(OTHER_LINE)
    three.put_line([BOOK] * 3)
    three.put_pile([("artefacts", 3)] * 20)
    three.put_refill([("windows", 1)] * 3)
    three.play(9, 7, 2)
    assert {option.other for option in three.offers if option.act} == {1, 2, 3, 4, 5}
    before = list(three.state.garden)
    three.take(act=1, other=4)
    for _ in range(2):
        assert {option.square for option in three.offers} == {6, 7, 8}  # placed in the general's line
        assert {option.other for option in three.offers} <= {1, 4, 7}
        three.choose(0)
    three.choose(0)
    after = list(three.state.garden)
    assert [after[square] for square in (0, 2, 3, 5, 6, 8)] == [before[square] for square in (0, 2, 3, 5, 6, 8)]
    assert [card_of(after[square]) for square in (1, 4, 7)] == [("windows", 1)] * 3


@pytest.mark.parametrize("vertical", [False, True])
def test_the_general_has_five_other_lines(vertical):
    for number in range(3, 6) if vertical else range(6, 9):
        two = table(2).at_phase(1 + number // 3, 1 + number % 3)
        two.put_effect(OTHER_LINE)
        two.play(9, 2)
        own = number if vertical else 8 - number
        assert {option.other for option in two.offers if option.act} == set(range(6)) - {own}


def test_any_card_leaves_the_chapter_room_and_the_general_goes_back():
    def prepare(two):
        two.state.room[PURPLE], two.state.room_benedicts[PURPLE] = bits(4, 12), 2

    two = won_by_red(REMOVE, prepare=prepare)
    assert {(option.other, option.thing) for option in two.offers if option.act} == {
        (RED, 9),
        (PURPLE, 4),
        (PURPLE, 12),
        (PURPLE, 14),
    }
    general = int(two.state.general)
    two.take(act=1, other=PURPLE, thing=14)
    assert two.state.room_benedicts[PURPLE] == 1
    assert two.state.general == general - two.components.abbots.white[13] == general - 1
    other = won_by_red(REMOVE, prepare=prepare)
    other.take(act=1, other=RED, thing=9)
    assert other.state.room[RED] == 0


def test_without_arcade_actions_nothing_lies_out():
    two = table(2, ["rules.arcade_actions=false"])
    assert (two.state.arcade == NO_EFFECT).all()


def test_without_ora_et_labora_nothing_is_earned():
    two = table(2, ["rules.ora_et_labora=false"])
    outcome = two.finish()
    assert number_of(outcome, "benedicts_earned").sum() == 0
    assert (two.state.met[:2] == -1).all()


def test_without_missions_nobody_has_one():
    two = table(2, ["rules.missions=false"])
    assert (two.state.mission == NONE).all()
    outcome = two.finish()
    assert number_of(outcome, "points.mission").sum() == number_of(outcome, "halved").sum() == 0
