"""What follows from the printed numbers of Abbates, against what its component file says."""

from sim.abbates.state import EFFECTS, KINDS
from sim.printed.components import read
from tests.helpers import printed

RECORD = printed("abbates")[0]


def test_the_cards_of_the_deck_by_kind_and_beans():
    changes = ["garden.books.1=4", "garden.windows.1=0", "garden.artefacts.30=2"]
    decks = [0, 9, 10, 10, 1], [1, 9, 10, 10, 0], [0, 10, 11, 9, 0]
    assert printed("abbates", tuple(changes))[0].garden.cards.reshape(len(KINDS), -1).tolist() == [*decks]


def test_the_areas_of_a_mission_are_bit_sets_of_its_squares():
    squares = [[{n for n in range(9) if area >> n & 1} for area in mission.areas] for mission in RECORD.missions]
    assert squares[0] == [{0, 4, 8}, {2}, set()]
    assert squares[9] == [{1, 2, 3, 7}, {6, 8}, {4}]
    for found, mission in zip(squares, read("abbates").model.missions.model_dump().values(), strict=True):
        rows = "".join(mission["rows"])
        assert [{n for n, square in enumerate(rows) if square == area} for area in "pab"] == found


def test_the_cards_of_the_arcade_by_round():
    rounds = [[EFFECTS[effect] for effect in effects] for effects in RECORD.arcade.rounds]
    assert rounds[:2] == [["discard", "look", "refill"], ["swap", "exchange", "refill"]]
    assert rounds[2:] == [["move", "line", "remove"], ["refill"] * 3]


def test_the_levels_by_the_number_of_the_switch():
    levels = [(level.palms, level.low_benedicts, level.high_benedicts) for level in RECORD.solo.levels]
    assert levels == [(1, 1, 0), (2, 2, 1), (3, 1, 3)]
    for number, level in enumerate(("novice", "prior", "abbot")):
        assert printed("abbates", (f"rules.solo_level={level}",))[0].rules.solo_level == number


def test_the_squares_of_the_lines_in_the_order_of_the_game():
    by_hand = [[6, 7, 8], [3, 4, 5], [0, 1, 2], [0, 3, 6], [1, 4, 7], [2, 5, 8],
               [2, 1, 0], [5, 4, 3], [8, 7, 6], [8, 5, 2], [7, 4, 1], [6, 3, 0]]  # fmt: skip
    assert RECORD.line.tolist() == by_hand
