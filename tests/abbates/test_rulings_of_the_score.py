"""How the text is read where it leaves something open: the score and the winner; the set-up and the course of the
game."""

import pytest

from sim.abbates import ask
from sim.abbates.state import CATEGORIES, NO_EFFECT, NONE
from sim.contract import WHOLE
from sim.play import EVERY
from tests.abbates.tools import ARTEFACT, BOOK, PURPLE, RED, WINDOW, Abbates, bits, code, number_of, table


def test_empty_squares_move_the_abbot_forward_and_can_help():
    two = table(2)
    two.put_portrait(RED, [BOOK] * 6 + [None] * 3)
    two.state.general = 15
    outcome = two.scored()
    assert number_of(outcome, "points.distance")[RED] == 0
    assert number_of(outcome, "empty")[RED] == 3


def ended(*portraits, aequalis="books", changes=()):
    made = table(len(portraits), changes)
    made.order_kinds("artefacts", "windows", "books", aequalis)
    made.state.mission[:] = NONE
    for seat, portrait in enumerate(portraits):
        made.put_portrait(seat, portrait)
        made.state.general = made.state.abbot[seat]
    return made.scored()


def test_a_tie_goes_to_most_cards_of_the_kind_on_aequalis():
    one = [ARTEFACT] * 2 + [BOOK] * 7  # 13 points, 7 books
    other = [ARTEFACT] + [WINDOW] * 2 + [BOOK] * 6  # 13 points, 6 books
    outcome = ended(one, other)
    assert list(outcome.score[:2]) == [13, 13]
    assert list(outcome.share[:2]) == [WHOLE, 0]
    outcome = ended(one, other, aequalis="windows")
    assert list(outcome.share[:2]) == [0, WHOLE]


def test_a_point_more_beats_any_number_of_cards_of_the_kind_on_aequalis():
    outcome = ended([ARTEFACT] * 3 + [BOOK] * 6, [WINDOW] * 5 + [BOOK] * 4, aequalis="windows")
    assert list(outcome.score[:2]) == [15, 14]
    assert list(outcome.share[:2]) == [WHOLE, 0]


def test_a_mission_that_does_not_halve_leaves_the_minus_points():
    for halves in (0, 1):
        rows = [f"missions.mission1.rows.{n}={row}" for n, row in enumerate(["p..", ".p.", "..p"], 1)]
        two = table(2, [*rows, f"missions.mission1.halves={halves}"])
        two.state.mission[RED] = 0
        two.put_portrait(RED, [BOOK] * 9)
        for steps in (0, 5):  # it is counted as halved where there is nothing to halve, too
            two.state.general = 18 + steps
            outcome = two.copy().scored()
            minus = steps // 2 if halves else steps
            counted = [number_of(outcome, name)[RED] for name in ("points.mission", "halved", "points.distance")]
            assert counted == [5, halves, -minus]


def test_then_the_victory_is_shared():
    same = [ARTEFACT] * 2 + [BOOK] * 7
    outcome = ended(same, same, [BOOK] * 9)
    assert list(outcome.share[:3]) == [WHOLE // 2, WHOLE // 2, 0]


def test_without_the_points_card_most_cards_of_the_starting_kind_halve():
    two = table(2, ["rules.points_card=false", "rules.missions=false"])
    assert two.state.general == 0
    assert (two.state.points_card == NONE).all()
    assert two.state.discarded == 0
    two.state.starting_card[0], two.state.starting_card[1] = code(BOOK), code(WINDOW)
    two.put_portrait(RED, [BOOK] * 4 + [WINDOW] * 5)
    two.put_portrait(PURPLE, [BOOK] * 4 + [WINDOW] * 4 + [ARTEFACT])
    two.state.general = 18 + 7
    outcome = two.scored()
    # as many books as the other halve; fewer windows do not
    assert list(number_of(outcome, "points.distance")[:2]) == [-3, -7]


def test_kinds_without_a_place_bring_nothing():
    two = table(2)
    two.state.points_card[1:] = NONE
    two.state.vp_of[:] = 3, 0, 0
    two.put_portrait(RED, [WINDOW] * 9)
    assert number_of(two.scored(), "points.garden")[RED] == 0


@pytest.mark.parametrize(
    ("area", "vp", "halved"), [("pa.|.p.|..p", 5, 0), ("p..|.p.|..p", 5, 1), ("ppp|.a.|...", 0, 0)]
)
def test_the_purple_area_counts_alone_and_all_areas_halve(area, vp, halved):
    rows = [f"missions.mission1.rows.{n}={row}" for n, row in enumerate(area.split("|"), 1)]
    if area.startswith("ppp"):
        rows = [f"missions.mission1.rows.{n}={row}" for n, row in enumerate(["ppp", "pa.", "p.."], 1)]
    two = table(2, rows)
    two.state.mission[RED] = 0
    two.put_portrait(RED, [BOOK, None, WINDOW, None, BOOK, None, None, None, BOOK])
    outcome = two.scored()
    assert number_of(outcome, "points.mission")[RED] == vp
    assert number_of(outcome, "halved")[RED] == halved


def test_two_areas_may_have_different_kinds():
    two = table(2, [f"missions.mission1.rows.{n}={row}" for n, row in enumerate(["paa", "bp.", "b.p"], 1)])
    two.state.mission[RED] = 0
    cards = [BOOK, WINDOW, WINDOW, ARTEFACT, BOOK, None, ARTEFACT, None, BOOK]
    two.put_portrait(RED, cards)
    outcome = two.copy().scored()
    assert (number_of(outcome, "points.mission")[RED], number_of(outcome, "halved")[RED]) == (5, 1)
    cards[2] = BOOK
    two.put_portrait(RED, cards)
    outcome = two.scored()
    assert (number_of(outcome, "points.mission")[RED], number_of(outcome, "halved")[RED]) == (5, 0)


def test_benedict_cards_left_bring_points_also_those_of_the_last_round():
    two = table(2).at_phase(4, 4)
    two.state.benedicts[:2] = 2, 0
    two.state.met[:2] = -1, 3
    two.play(12, 11)  # the fourth face ends with an odd card
    assert two.n == 0
    assert list(two.state.points[:2, 4]) == [2, 1]


def test_a_dealt_corner_card_is_its_owners_whoever_wins_the_phase():
    two = Abbates(2)
    two.state.dealing, two.state.occasion = 1 + ask.CORNER, EVERY
    two.advance()
    assert (two.asked(), two.n) == (("corner", RED), 4)
    two.take(thing=2)
    assert (two.asked(), two.n) == (("corner", PURPLE), 3)
    two.take(thing=0)
    outcome = two.finish()
    dealt, won = list(CATEGORIES).index("corner.dealt"), list(CATEGORIES).index("corner.round1")
    assert list(outcome.categories[:2, dealt]) == [2, 0]
    assert outcome.categories[:2, won : won + 4].tolist() == [[-1, -1, 2, -1], [0, -1, -1, -1]]
    assert list(two.state.corner_vp[:2]) == [3, 1]


def test_columns_count_as_rows_do_without_the_points_card():
    two = table(2, ["rules.points_card=false"])
    two.put_portrait(RED, [BOOK, None, None] * 3)
    assert number_of(two.scored(), "points.lines")[RED] == 10


# --- the set-up and the course of the game ----------------------------------------------------------------------------


def lying(made):
    """Return how many garden cards lie anywhere at the start."""
    lists = (made.state.points_card, made.state.garden, made.state.refill, made.state.starting_card)
    return int(made.state.pile_left + made.state.discarded + sum((cards != NONE).sum() for cards in lists))


def test_all_cards_lie_somewhere():
    for key in range(20):
        assert lying(table(4, key=key)) == 90
        without = table(4, ["rules.points_card=false"], key)
        assert lying(without) == 90
        assert sum(int(n) for n in without.state.pile) == without.state.pile_left
    assert len({int(table(4, ["rules.points_card=false"], key).state.starting_card[0]) for key in range(40)}) > 4


def test_the_kinds_are_worth_what_their_place_says():
    for key in range(20):
        two = table(2, key=key)
        for place, vp in enumerate((3, 2, 1)):
            assert two.state.vp_of[int(two.state.points_card[place]) // 5] == vp


def test_each_player_chooses_from_missions_of_the_own():
    three = table(3, ["rules.missions_choice=three"])
    seen = set()
    for seat in range(3):
        assert three.asked() == ("mission", seat)
        assert three.n == 3
        offered = {option.thing for option in three.offers}
        assert not offered & seen
        seen |= offered
        chosen = three.offers[2].thing
        three.choose(2)
        assert three.state.mission[seat] == chosen
    assert three.asks == "abbot"


def test_each_round_has_a_face_of_its_own():
    two = table(2).at_phase(2, 1)  # odd
    two.play(8)
    assert two.state.met[RED] == -1
    two = table(2).at_phase(2, 1)
    two.play(9)
    assert two.state.met[RED] == 1


def test_the_winners_card_stays_in_the_chapter_room():
    two = table(2)
    two.put_effect(NO_EFFECT)
    two.play(9, 2)
    two.takers()
    assert list(two.state.lost[:2]) == [0, bits(2)]


def test_three_conditions_are_not_enough():
    two = table(2).at_phase(1, 4)
    two.state.met[:2] = 2, 2
    two.play(12, 10)
    assert two.state.benedicts.sum() == 0
    assert two.state.met[RED] == 0


def test_a_game_has_four_rounds_of_four_phases():
    two = table(2)
    plays = 0
    while two.n:
        plays += two.asks == "abbot"
        two.choose(0)
    assert (two.state.this_round, two.state.this_phase) == (3, 3)
    assert 28 <= plays <= 32
    assert two.state.won.sum() == 16
