"""The examples that the rulebook prints, in the order of its text."""

import pytest

from sim.abbates.state import HENRICUS, NO_EFFECT, NONE, SOURCES
from tests.abbates.tools import PURPLE, RED, YELLOW, bits, code, number_of, table


def test_play_an_abbot_card_a_value_is_played_once():
    """Red has played a 12: Purple may not play a 12, but may play a 2."""
    two = table(2).play(12)
    assert two.state.player == PURPLE
    assert two.fitting(thing=12) == []
    assert len(two.fitting(thing=2)) == 1
    assert two.n == 12


def test_check_conditions_in_the_order_of_the_face():
    """1 to 7, 8 to 14, odd, even."""
    one = table(2).at_phase(1, 1)
    for phase, (good, bad) in enumerate([(7, 8), (8, 7), (5, 4), (4, 5)]):
        for value, met in ((good, phase + 1), (bad, -1)):
            each = one.copy().at_phase(1, phase + 1)
            each.play(value)
            assert each.state.met[RED] == met


def test_a_benedict_card_for_all_four_conditions():
    """The rest of the hand, and the card that comes back, are not its affair."""
    four = table(2).at_phase(1, 4)
    four.state.met[:] = 3, -1, 0, 0
    four.play(12, 11)
    assert list(four.state.benedicts[:2]) == [1, 0]
    assert (four.state.this_round, four.state.this_phase) == (1, 0)


def test_highest_card_moves_the_general_by_its_white_beans():
    two = table(2)
    before = int(two.state.general)
    two.play(12, 3)
    assert two.state.general == before + two.components.abbots.white[11] == before + 1
    assert two.state.room[RED] == bits(12)
    assert two.state.room[PURPLE] == 0


def test_checking_positions():
    """The general: white beans in the Chapter Room and the four points cards; an abbot: beans on the own portrait."""
    for key in range(5):
        four = table(4, key=key)
        four.until(lambda t: t.state.this_round == 2 or t.n == 0, lambda t: t.state.decision % t.n)
        whites = sum(
            four.components.abbots.white[v - 1]
            for seat in range(4)
            for v in range(1, 14)
            if four.state.room[seat] >> v & 1
        )
        whites += four.state.room_benedicts.sum() * four.components.abbots.white[13]
        assert four.state.general == whites + sum(int(card) % 5 for card in four.state.points_card)
        for seat in range(4):
            assert four.state.abbot[seat] == sum(int(card) % 5 for card in four.state.portrait[seat] if card != NONE)


@pytest.mark.parametrize(("round_number", "vp"), [(1, 1), (2, 2), (3, 3)])
def test_corner_points_of_rounds_1_to_3(round_number, vp):
    two = table(2).at_phase(round_number, 4)
    two.play(3, 9)
    assert list(two.state.corner_vp[:2]) == [0, vp]


def test_corner_points_of_round_4_are_the_cards_in_the_chapter_room():
    """Yellow wins the last phase and has five cards there: five points."""
    three = table(3).at_phase(4, 4)
    three.state.room[YELLOW] = bits(1, 2, 3)
    three.state.room_benedicts[YELLOW] = 1
    three.play(7, 8, 9)
    assert list(three.state.corner_vp[:3]) == [0, 0, 5]


@pytest.mark.parametrize(("per_card", "vp"), [(1, 2), (2, 1), (2, 3), (1, 0)])
def test_the_corner_of_round_4_brings_benedict_cards_each_worth_what_one_is_worth(per_card, vp):
    changes = [f"corners.corner4.per_card={per_card}", f"benedicts.vp={vp}", "corners.corner4.vp=1"]
    two = table(2, changes).at_phase(4, 4)
    two.state.room[:2] = bits(1, 2), 0
    two.state.benedicts[:2] = 1, 0
    two.state.met[:2] = -1
    two.play(9, 8)
    assert two.n == 0
    assert list(two.state.points[:2, 3]) == [1 + 3 * per_card * vp, 0]
    assert list(two.state.points[:2, 4]) == [vp, 0]


def test_the_printed_score():
    """5 artefacts × 3 + 2 windows × 2 + 1 book × 1, no bonus, distance 5: 15 points."""
    two = table(2)
    two.order_kinds("artefacts", "windows", "books", "books")
    artefact, window, book = ("artefacts", 2), ("windows", 1), ("books", 1)
    two.put_portrait(RED, [artefact] * 5 + [window] * 2 + [book, None])
    two.state.mission[RED] = 0  # the square in the lower right corner is purple
    two.state.general = int(two.state.abbot[RED]) + 1 + 5
    outcome = two.scored()
    assert [number_of(outcome, f"points.{source}")[RED] for source in SOURCES] == [20, 0, 0, 0, 0, -5]
    assert outcome.score[RED] == 15


def test_the_whole_mission_halves_the_minus_points_rounded_down():
    two = table(2, ["missions.mission1.rows.1=p..", "missions.mission1.rows.2=.p.", "missions.mission1.rows.3=..p"])
    two.order_kinds("artefacts", "windows", "books", "books")
    two.state.mission[RED] = 0
    two.put_portrait(RED, [("artefacts", 2)] * 9)
    two.state.general = 18 + 5
    outcome = two.scored()
    assert [number_of(outcome, f"points.{source}")[RED] for source in SOURCES] == [27, 0, 5, 0, 0, -2]


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        (("books", "books", "books"), 10),
        (("books", "books", "windows"), 6),
        (("books", None, "books"), 6),
        (("books", "windows", "artefacts"), 3),
        (("books", "windows", None), 0),
        ((None, None, "books"), 0),
    ],
)
def test_variant_4_points_of_a_line(cards, points):
    two = table(2, ["rules.points_card=false"])
    row = [None if kind is None else (kind, 1) for kind in cards]
    two.put_portrait(RED, [*row, *[None] * 6])
    outcome = two.scored()
    assert number_of(outcome, "points.lines")[RED] == points
    assert number_of(outcome, "points.garden")[RED] == 0


@pytest.mark.parametrize(("level", "low", "high"), [("novice", 1, 0), ("prior", 2, 1), ("abbot", 1, 3)])
def test_benedict_cards_of_henricus(level, low, high):
    one = table(1, [f"rules.solo_level={level}"])
    found = int(one.state.low_benedicts) + int(one.state.benedicts[HENRICUS]) + (one.state.played[HENRICUS] == 14)
    assert found == low + high
    assert one.components.solo.levels[one.components.rules.solo_level].low_benedicts == low


def test_three_purple_squares_make_henricus_play_high():
    """The general above the second column, three purple squares there: from the high pile."""
    rows = ["missions.mission1.rows.1=pp.", "missions.mission1.rows.2=.p.", "missions.mission1.rows.3=.pp"]
    for key in range(20):
        one = table(1, rows, key)
        one.state.mission[0] = 0
        one.at_phase(2, 2)
        assert one.state.played[HENRICUS] >= 8


def test_the_printed_score_of_henricus():
    """21 beans + 2 Benedict cards + corners 2 + 3 − distance 5, halved and rounded down = 26."""
    one = table(1)
    one.state.henricus[:] = 0
    one.state.henricus[code(("books", 3))] = 7
    one.state.abbot[HENRICUS], one.state.general = 21, 26
    one.state.low_benedicts, one.state.benedicts[HENRICUS] = 1, 1
    one.state.corner_vp[HENRICUS] = 5
    assert one.scored().automaton == 26


def test_the_lowest_card_takes_the_top_of_the_pile():
    """Of three, the second highest chooses and the lowest draws; of two, only the winner chooses."""
    for players, takes in (
        (2, ["take", "blind"]),
        (3, ["take", "take", "blind"]),
        (4, ["take", "take", "take", "blind"]),
    ):
        each = table(players)
        each.put_effect(NO_EFFECT)
        each.play(*range(5, 5 + players))
        found = []
        while each.asks in ("take", "blind"):
            found.append((each.asks, int(each.state.player)))
            each.choose(0)
        assert found == list(zip(takes, range(players - 1, -1, -1), strict=True))
        assert each.state.starting == 0
