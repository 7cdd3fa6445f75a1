"""How Henricus is read: what he plays, what he takes, his pawn, his score."""

import numpy as np
import pytest

from sim.abbates.state import BENEDICT, HENRICUS, HIGH_PILE, LOW_PILE, MOVE, NO_EFFECT, NONE, NOTHING, OTHER_LINE
from sim.abbates.state import CARDS as GARDEN_CARDS
from sim.contract import WHOLE
from tests.abbates.tools import ARTEFACT, BOOK, WINDOW, bits, card_of, code, table

PRIOR = ["missions.mission1.rows.1=pp.", "missions.mission1.rows.2=.p.", "missions.mission1.rows.3=..p"]


def begun(round_number=1, phase=1, changes=(), key=1, effect=NO_EFFECT, step=0):
    """Return a table for one at the person's card, mission 1 in hand; the line has three purple squares nowhere, two in
    the first row."""
    one = table(1, [*PRIOR, *changes], key)
    one.state.mission[0] = 0
    one.state.this_round, one.state.this_phase = round_number - 1, phase - 1
    if phase < 4:
        one.put_effect(effect)
    one.state.solo_step = step
    one.put_piles(range(1, 14), 2, 1)
    return one.at_phase(round_number, phase)


def beaten(made, value):
    """Let Henricus have played this value, and the person the lowest card."""
    made.state.played[HENRICUS] = value
    made.choose(0)
    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("round_number", "phase", "high"),
    [
        (1, 3, True),
        (1, 2, False),
        (1, 1, False),
        (2, 2, True),
        (2, 1, False),
        (1, 4, True),
        (3, 1, True),
        (4, 3, False),
    ],
)
def test_the_pile_is_that_of_the_line(round_number, phase, high):
    seen = {int(begun(round_number, phase, key=key).state.played[HENRICUS]) for key in range(60)}
    assert seen == ({*range(8, 14), 14} if high else {*range(1, 8), 14})


def test_an_empty_pile_makes_him_draw_from_the_other():
    one = begun(1, 3)
    one.state.played[HENRICUS] = NONE
    one.put_piles([5])
    one.at_phase(1, 3)
    assert one.state.played[HENRICUS] == 5
    one.at_phase(1, 3)
    assert one.state.played[HENRICUS] == NONE
    assert one.state.without_card[HENRICUS] == 1


def test_each_card_of_a_pile_is_as_likely():
    counts = np.bincount([int(begun(1, 1, key=key).state.played[HENRICUS]) for key in range(450)], minlength=15)
    assert counts[1:8] == pytest.approx(50, abs=25)
    assert counts[14] == pytest.approx(100, abs=35)


def test_his_value_is_barred():
    one = begun()
    assert one.fitting(thing=int(one.state.played[HENRICUS])) == []


def test_at_the_top_he_takes_most_beans_the_first_of_equals():
    one = begun()
    one.put_line([BOOK, ("windows", 3), ("artefacts", 3)])
    beaten(one, 7)
    assert one.asked()[0] == "blind"
    assert one.state.henricus[code(("windows", 3))] == 1
    assert one.state.abbot[HENRICUS] == 3
    assert one.state.room[HENRICUS] == bits(7)
    one.choose(0)
    assert one.state.solo_step == 1


def test_then_he_exchanges_what_he_had_before():
    one = begun(step=1)
    one.order_kinds("windows", "books", "artefacts")
    one.put_line([("books", 1)] * 3)
    one.put_refill([WINDOW, ("books", 3), ("windows", 3)])
    for card in (("windows", 2), ("books", 2), ("artefacts", 2), ("artefacts", 3)):
        one.state.henricus[code(card)] = 1
    one.state.abbot[HENRICUS] = 9
    beaten(one, 7)
    his = {card_of(card) for card in range(GARDEN_CARDS) if one.state.henricus[card]}
    assert his == {("windows", 2), ("books", 2), ("artefacts", 3), ("books", 1), ("books", 3)}
    assert card_of(one.state.refill[1]) == ("artefacts", 2)
    assert one.state.abbot[HENRICUS] == 9 + 1 - 2 + 3


def test_without_a_card_before_he_exchanges_nothing():
    one = begun(step=1)
    one.put_line([("books", 1)] * 3)
    one.put_refill([("books", 3)] * 3)
    beaten(one, 7)
    assert one.state.henricus.sum() == one.state.henricus[code(("books", 1))] == 1


@pytest.mark.parametrize(
    ("own", "left", "right", "taken"),
    [
        ((2, 2, 2), (3, 1, 1), (1, 3, 3), 2),
        ((3, 1, 1), (3, 3, 1), (1, 3, 3), 0),
        ((3, 1, 1), (3, 1, 1), (1, 3, 1), 1),
    ],
)
def test_at_the_bottom_he_looks_at_the_lines_beside(own, left, right, taken):
    """Rows of the garden in round 3, from the top: the general at the middle one, on the right side; on his left the
    bottom row."""
    one = begun(3, 2, step=2)
    for row, beans in enumerate((right, own, left)):
        for column, number in enumerate(beans):
            one.state.garden[3 * row + column] = code(("books", number))
    beaten(one, 13)
    gaps = {2 - square // 3 for square in range(9) if one.state.garden[square] == NONE}
    assert gaps == {taken}
    one.choose(0)
    assert (one.state.garden != NONE).all()
    assert one.state.solo_step == 0


@pytest.mark.parametrize(("reading", "taken"), [("next", 1), ("before", -1)])
@pytest.mark.parametrize("round_number", [1, 2, 3, 4])
def test_of_equal_lines_he_takes_the_one_on_his_left(round_number, reading, taken):
    """The general walks round the garden clockwise and faces it: the line that he comes to next is on his left."""
    one = begun(round_number, 2, [f"rules.henricus_left={reading}"], step=2)
    here = 3 * (round_number - 1) + 1
    for step, beans in ((-1, 3), (0, 1), (1, 3)):
        for square in one.components.line[here + step]:
            one.state.garden[square] = code(("books", beans))
    beaten(one, 13)
    gaps = {square for square in range(9) if one.state.garden[square] == NONE}
    assert gaps == {one.components.line[here + taken][0]}


def test_what_lies_on_top_is_played_next():
    one = begun(1, 1)
    for phase in range(1, 5):
        tops = [int(top) for top in one.state.top]
        one.at_phase(1, phase)
        pile = LOW_PILE if phase < 3 else HIGH_PILE
        assert one.state.played[HENRICUS] == tops[pile]
        assert one.state.top[1 - pile] == tops[1 - pile]
        assert one.state.hand[HENRICUS] >> int(one.state.top[pile]) & 1 or one.state.top[pile] == 14


def test_of_an_empty_pile_nothing_lies_on_top():
    one = begun(1, 1)
    one.put_piles([9])
    assert list(one.state.top) == [NONE, 9]
    one.at_phase(1, 4)
    assert (one.state.played[HENRICUS], list(one.state.top)) == (9, [NONE, NONE])


def test_a_pile_is_shuffled_when_a_card_comes_back_to_it():
    tops = set()
    for key in range(60):
        one = begun(1, 4, key=key)
        one.put_piles([1, 2, 3, 4, 9, 10, 11])
        one.state.top[:] = 1, 9
        one.state.played[HENRICUS] = 6
        one.advance()
        one.take(thing=13)  # and Henricus plays the first card of round 2
        assert one.state.lost[HENRICUS] == 0
        assert 9 in (one.state.top[HIGH_PILE], one.state.played[HENRICUS])
        tops.add(int(one.state.top[LOW_PILE]))
    assert tops == {1, 2, 3, 4, 6}


def test_what_lies_on_top_of_henricus_piles_is_known_if_they_lie_face_up():
    one = table(1)
    top = one.state.top.tolist()
    assert all(one.imagined(0, key).top.tolist() == top for key in range(10))
    one = table(1, ["rules.henricus_piles=face_down"])
    worlds = [one.imagined(0, key).top.tolist() for key in range(300)]
    low, high = zip(*worlds)
    held = int(one.state.hand[HENRICUS])
    benedicts = {LOW_PILE: int(one.state.low_benedicts), HIGH_PILE: int(one.state.benedicts[HENRICUS])}
    for pile, seen, values in ((LOW_PILE, low, range(1, 8)), (HIGH_PILE, high, range(8, 14))):
        assert set(seen) == {value for value in values if held >> value & 1} | (
            {BENEDICT} if benedicts[pile] else set()
        )


@pytest.mark.parametrize("reading", ["face_up", "face_down"])
def test_imagined_games_go_on_with_the_card_that_is_on_top(reading):
    one = table(1, [f"rules.henricus_piles={reading}"])
    played = set()
    for key in range(30):
        other = one.copy()
        other.states[0] = one.imagined(0, key)
        tops = other.state.top.tolist()
        other.until(lambda made: made.state.this_phase == 1)
        assert other.state.played[HENRICUS] in tops
        played.add(int(other.state.played[HENRICUS]))
    assert (len(played) == 1) == (reading == "face_up")


def test_he_draws_when_the_person_wins():
    one = begun()
    one.state.played[HENRICUS] = 3
    one.take(thing=9)
    one.choose(0)
    assert one.state.henricus.sum() == 1
    assert one.state.lost[HENRICUS] == bits(3)
    assert one.state.solo_step == 0


def test_palm_nothing_counts_for_both():
    one = begun(effect=NOTHING)
    one.state.played[HENRICUS] = 3
    one.take(thing=9)
    one.choose(0)
    assert one.state.henricus.sum() == 0
    one = begun(effect=NOTHING)
    beaten(one, 7)
    assert (one.state.portrait[0] == NONE).all()
    assert one.state.henricus.sum() == 1


def test_his_pawn_may_step_in_each_phase():
    one = begun(changes=["rules.henricus_step=phases"])
    one.state.played[HENRICUS] = 3
    one.take(thing=9)
    one.choose(0)
    assert one.state.solo_step == 1


def test_he_always_starts():
    one = begun()
    beaten(one, 7)
    one.choose(0)
    assert one.state.starting == HENRICUS
    assert one.state.played[HENRICUS] != NONE


@pytest.mark.parametrize("symbol", ["lowest", "highest"])
def test_his_highest_card_comes_back_to_its_pile(symbol):
    one = begun(1, 4, [f"corners.corner1.returns={symbol}"])
    one.put_piles([])
    one.state.lost[HENRICUS], one.state.played[HENRICUS] = bits(2, 6), 8
    one.take(thing=9)
    assert one.state.hand[HENRICUS] | bits(8) == bits(8)
    assert one.state.lost[HENRICUS] == 0
    assert (one.state.played[HENRICUS] == 8) or one.state.hand[HENRICUS] == bits(8)


def test_a_lost_benedict_comes_back_to_the_high_pile():
    one = begun(1, 4)
    one.put_piles([1, 2])
    one.state.lost_benedicts[HENRICUS], one.state.played[HENRICUS] = 1, 8
    one.take(thing=9)
    assert one.state.benedicts[HENRICUS] + (one.state.played[HENRICUS] == 14) == 1
    assert one.state.low_benedicts == 0


@pytest.mark.parametrize(("reading", "benedicts"), [("false", 0), ("true", 1)])
def test_his_last_card_comes_back_too_if_the_others_do(reading, benedicts):
    one = begun(4, 4, [f"rules.last_card_back={reading}", "corners.corner4.returns=lowest"])
    one.put_piles([1, 2])
    one.state.lost[HENRICUS], one.state.lost_benedicts[HENRICUS], one.state.played[HENRICUS] = bits(3), 1, 8
    one.advance()
    one.take(thing=9)
    assert one.n == 0
    assert (one.state.low_benedicts, one.state.benedicts[HENRICUS]) == (0, benedicts)
    assert one.state.score[HENRICUS] == one.state.abbot[HENRICUS] + benedicts - int(one.state.distance[HENRICUS]) // 2


def test_the_corner_of_round_4_counts_his_cards():
    one = begun(4, 4)
    one.state.room[HENRICUS], one.state.room_benedicts[HENRICUS] = bits(5, 9), 1
    one.state.played[HENRICUS] = 13
    one.take(thing=1)
    assert one.state.corner_vp[HENRICUS] == 4


def test_a_tie_goes_to_the_person():
    one = begun()
    one.order_kinds("books", "windows", "artefacts")
    one.put_portrait(0, [BOOK] * 9)
    one.state.mission[0] = NONE
    one.state.general = 18
    one.state.henricus[:], one.state.low_benedicts, one.state.benedicts[:] = 0, 0, 0
    one.state.abbot[HENRICUS] = 18
    one.state.corner_vp[HENRICUS] = 9
    outcome = one.copy().scored()
    assert (outcome.score[0], outcome.automaton, outcome.share[0]) == (27, 27, WHOLE)
    one.state.corner_vp[HENRICUS] = 10
    assert one.scored().share[0] == 0


def test_a_level_has_missions_of_its_own():
    for level, palms in (("novice", 1), ("prior", 2), ("abbot", 3)):
        seen = {int(table(1, [f"rules.solo_level={level}"], key).state.mission[0]) for key in range(80)}
        rules = table(1, [f"rules.solo_level={level}"]).components
        assert seen == {n for n in range(16) if rules.missions[n].palms == palms}


def test_arcade_actions_are_the_persons():
    one = begun(effect=OTHER_LINE)
    beaten(one, 7)
    assert one.asked() == ("blind", 0)
    one = begun(effect=MOVE)
    one.put_portrait(0, [BOOK, ARTEFACT, *[None] * 7])
    one.state.played[HENRICUS] = 3
    one.take(thing=9)
    assert one.asked() == ("move", 0)
