"""What the strategies of Abbates can do, and that they want what the components say.

Seeds are fixed; where a share of games is claimed, it is exceeded by four standard errors.
"""

from functools import partial

import numpy as np
import pytest

from sim.abbates.ask import ASKS
from sim.abbates.state import LOOK, MOVE, NO_EFFECT, NONE, SWAP
from sim.dealing import Deal
from sim.runner import Study, play
from strategies import catalog
from tests import helpers
from tests.abbates.tools import ARTEFACT, BOOK, PURPLE, RED, WINDOW, bits, card_of, table
from tests.contract.tools import rules_of
from tests.helpers import printed, surely

PLANS = ("allrounder", "bean_counter", "missionary", "humble")
GREEDY_AND_PLANS = ("greedy", *PLANS)
ALL = catalog.names("abbates")
outcomes, mean = partial(helpers.outcomes, "abbates"), partial(helpers.mean, "abbates")


def share(one, other, players=2, games=2400):
    """Share of the games that a strategy wins against others who all play another one."""
    made, who = outcomes(one, *[other] * (players - 1), players=players, games=games)
    return made["share"][:, :players][who == 0].mean() / 60


def chosen(made, name):
    """The option that a strategy chooses in a position."""
    strategy = catalog.entrant("abbates", name, int(made.state.players)).load(made.game, made.components)
    return made.offers[strategy.policy(made.components, made.state, made.options, made.n, strategy.weights)]


@pytest.fixture(scope="module")
def together():
    """Greedy and all plans at one table, four of them at a time."""
    return outcomes(*GREEDY_AND_PLANS, games=6000)


def of_each(found, *numbers):
    """Mean of what is counted, of each strategy at the table."""
    made, who = found
    return {name: mean(made, who, i, *numbers) for i, name in enumerate(GREEDY_AND_PLANS)}


# --- how strong they are ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", GREEDY_AND_PLANS)
def test_beats_random_play_in_90_of_100_games(name, players):
    assert share(name, "random_legal", players, 1200) > surely(0.9, 1200)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_ladder_rises_with_any_number_of_players(players):
    *steps, last = zip(catalog.ladder("abbates"), catalog.ladder("abbates")[1:])
    for weak, strong in steps:
        assert share(strong, weak, players) > surely(1.3 / players, 2400)
    weak, strong = last  # who learnt from look-ahead
    assert share(strong, weak, players) > surely(1.15 / players, 2400)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", GREEDY_AND_PLANS)
def test_the_expert_beats_greedy_and_each_plan(name, players):
    assert share("expert_1", name, players) > surely(1.3 / players, 2400)


@pytest.mark.slow
@pytest.mark.parametrize("thinker", catalog.thinkers())
def test_thinking_beats_the_expert(thinker):
    assert share(f"{thinker}:expert_1@40", "expert_1", 2, 60) > surely(0.5, 60)


def test_all_but_the_humble_beat_henricus_more_often_than_not():
    for name in ("greedy", "allrounder", "bean_counter", "missionary", "expert_1"):
        assert outcomes(name, players=1, games=1000)[0]["share"][:, 0].mean() / 60 > surely(0.6, 1000)
    assert outcomes("random_legal", players=1, games=1000)[0]["share"][:, 0].mean() / 60 < 0.1


# --- what they want ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_bean_counter_stays_nearest_to_the_general(together):
    distance = of_each(together, "distance")
    assert distance.pop("bean_counter") < 0.75 * min(distance.values())


def test_the_missionary_fills_the_mission_most_often(together):
    for number in ("points.mission", "halved"):
        found = of_each(together, number)
        assert found.pop("missionary") > 1.15 * max(found.values())


def test_the_humble_wins_the_fewest_phases(together):
    won = of_each(together, "phases_won")
    assert won.pop("humble") < 0.8 * min(won.values())


def test_the_humble_always_plays_the_lowest_card():
    made = table(4)
    while made.n:
        if made.asks == "abbot":
            assert chosen(made, "humble").thing == min(option.thing for option in made.offers)
        made.choose(made.n - 1)


@pytest.mark.parametrize("name", ["greedy", "allrounder", "missionary", "expert_1"])
def test_the_card_of_the_best_kind_is_taken_and_covers_none_as_good(name):
    two = table(2)
    two.order_kinds("artefacts", "books", "windows")
    two.state.mission[:] = NONE
    two.put_effect(NO_EFFECT)
    two.put_line([WINDOW, ARTEFACT, BOOK])
    two.put_portrait(RED, [None] * 6 + [ARTEFACT, None, ARTEFACT])
    two.play(9, 2)
    option = chosen(two, name)
    assert (card_of(option.thing), option.square) == (ARTEFACT, 7)


@pytest.mark.parametrize("name", [*GREEDY_AND_PLANS, "expert_1"])
def test_the_last_card_of_the_last_line_brings_the_abbot_to_the_general(name):
    """Three cards of one kind; only the beans differ, and a square is left that all of them can fill."""
    two = table(2, [f"abbots.white.{value}=0" for value in range(1, 15)]).at_phase(4, 3)
    two.state.mission[:] = NONE
    two.state.vp_of[:] = 2
    two.put_effect(NO_EFFECT)
    squares = two.components.line[11]
    for beans in (1, 2, 3):
        two.put_line([("books", 1), ("books", 2), ("books", 3)])
        two.put_portrait(RED, [None if square == squares[0] else WINDOW for square in range(9)])
        made = two.copy()
        made.play(9, 2)
        made.state.general = made.state.abbot[RED] + beans
        option = chosen(made, name)
        assert (card_of(option.thing), option.square) == (("books", beans), squares[0])


@pytest.mark.parametrize("name", ["missionary", "allrounder", "greedy", "expert_1"])
def test_the_card_that_fits_the_mission_is_taken(name):
    """Mission 1: purple squares 0, 4, 8; the first line is the lowest row, squares 6 to 8."""
    two = table(2)
    two.order_kinds("artefacts", "books", "windows")
    two.state.mission[:] = 0
    two.state.vp_of[:] = 1
    two.put_effect(NO_EFFECT)
    two.put_line([BOOK, WINDOW, ARTEFACT])
    two.put_portrait(RED, [WINDOW, None, None, None, WINDOW, *[None] * 4])
    two.play(9, 2)
    option = chosen(two, name)
    assert (card_of(option.thing), option.square) == (WINDOW, 8)


@pytest.mark.parametrize("name", ["greedy", "allrounder", "missionary", "expert_1"])
def test_a_corner_card_is_won_where_it_can_be(name):
    two = table(2, ["corners.corner1.vp=9"])
    two.state.hand[:2] = bits(3, 5, 9), bits(2, 4, 6, 13)
    two = two.at_phase(1, 4)
    two.state.met[:] = -1
    two.play(5)
    assert chosen(two, name).thing == 6  # the cheapest of those that win


@pytest.mark.parametrize("name", ["greedy", "allrounder", "expert_1"])
def test_where_nothing_can_be_won_a_low_card_is_played(name):
    two = table(2, ["corners.corner2.vp=0", "corners.corner2.per_card=0"])
    two.state.hand[:2] = bits(9, 12), bits(2, 8, 13)
    two = two.at_phase(2, 4)
    two.state.met[:] = -1
    two.play(9)
    assert chosen(two, name).thing == 2


@pytest.mark.parametrize("name", ["greedy", "allrounder", "expert_1"])
def test_the_last_condition_of_a_round_is_met(name):
    """Ora et Labora of round 1 ends with an even card; nothing else is to be had."""
    two = table(2, ["corners.corner1.vp=0", "benedicts.vp=9"])
    two.state.hand[:2] = bits(13, 12), bits(3, 4, 5)
    two = two.at_phase(1, 4)
    two.play(13)
    assert chosen(two, name).thing == 4


@pytest.mark.parametrize("name", ["greedy", "allrounder", "missionary", "expert_1"])
def test_a_swap_brings_a_better_card_and_none_a_worse_one(name):
    for refill, act in ((ARTEFACT, 1), (WINDOW, 0)):
        two = table(2).at_phase(2, 1)
        two.order_kinds("artefacts", "books", "windows")
        two.state.mission[:] = NONE
        two.state.general = 20
        two.put_effect(SWAP)
        two.put_portrait(RED, [BOOK] * 9)
        two.put_refill([refill] * 3)
        two.play(9, 2)
        assert two.asks == "swap"
        assert chosen(two, name).act == act


@pytest.mark.parametrize("name", ["allrounder", "missionary", "expert_1"])
def test_two_cards_of_the_portrait_change_places_for_the_mission(name):
    two = table(2).at_phase(3, 1)
    two.state.mission[:] = 0  # purple 0, 4, 8; a: 2
    two.put_effect(MOVE)
    two.put_portrait(RED, [WINDOW, BOOK, BOOK, BOOK, WINDOW, BOOK, BOOK, WINDOW, BOOK])
    two.play(9, 2)
    option = chosen(two, name)
    assert (option.act, option.square, option.other) == (1, 7, 8)


@pytest.mark.parametrize("name", ["allrounder", "expert_1"])
def test_who_looks_at_the_pile_leaves_the_others_the_worst_card(name):
    two = table(2)
    two.order_kinds("artefacts", "books", "windows")
    two.put_effect(LOOK)
    two.put_pile([ARTEFACT, ARTEFACT, WINDOW, BOOK, ARTEFACT, ARTEFACT])
    two.play(9, 2)
    assert chosen(two, name).act == 1
    two.take(act=1)
    assert card_of(chosen(two, name).thing) == WINDOW


@pytest.mark.parametrize("name", ["greedy", "allrounder", "expert_1"])
def test_of_missions_to_choose_from_an_easy_one_is_taken(name):
    two = table(2, ["rules.missions_choice=two"])
    two.state.mission_order[:2] = 15, 0
    two.advance()
    assert two.asks == "mission"
    assert chosen(two, name).thing == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "counted", "more"),
    [
        ("points.tertius=9", "kind.tertius", True),
        ("points.primus=0", "kind.primus", False),
        ("benedicts.vp=9", "benedicts_earned", True),
        ("rules.missions=false", "halved", False),
    ],
)
@pytest.mark.parametrize("name", ["allrounder", "expert_1"])
def test_a_changed_number_changes_what_is_wanted(name, change, counted, more):
    usual = ("corners.corner4.per_card=0",)  # who wants its Benedict cards plays to win, and meets fewer conditions
    before, after = (
        mean(*outcomes(name, players=2, games=1200, changes=changes), 0, counted)
        for changes in (usual, (*usual, change))
    )
    assert after > 1.1 * before if more else after < before / 1.1


@pytest.mark.parametrize("name", GREEDY_AND_PLANS)
def test_rows_and_columns_are_built_where_there_is_no_points_card(name):
    made, who = outcomes(name, "random_legal", players=2, games=800, changes=["rules.points_card=false"])
    ours, theirs = (mean(made, who, i, "points.lines") for i in (0, 1))
    assert ours > 1.1 * theirs


# --- what they answer -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_strategy_plays_every_reading_and_variant(players):
    names = [name for name in ALL if name != "random_legal"]
    changes = [
        *([rule] for rule in rules_of("abbates")),
        [f"rules.{name}=false" for name in ("missions", "points_card", "ora_et_labora")],
    ]
    for change in changes:
        made, _ = outcomes(*names, players=players, games=8 * players, changes=change)
        assert len(made) == 8 * players


@pytest.mark.parametrize("kind", ["missions", "corners", "places"])
def test_every_strategy_plays_where_a_study_deals(kind):
    for players in (2, 4):
        entrants = tuple(catalog.entrant("abbates", name, players) for name in ALL)
        study = Study("abbates", players, entrants, printed("abbates"), 1, Deal(kind, powers=False))
        made, decisions = play(study, 0, 4 * len(study.plan))
        assert decisions > 50 * len(made)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_every_kind_of_decision_has_an_answer(name):
    """Positions of all kinds that random play meets, those of studies among them."""
    left = set(ASKS)
    for key in range(400):
        made = table(4, ["rules.missions_choice=two", "rules.discard_pick=any"], key)
        dealt = ("", "corner", "place")[key % 3]
        if dealt:
            made.state.dealing, made.state.occasion, made.state.stage, made.state.turn = 1 + ASKS.index(dealt), -1, 1, 0
            made.state.mission[:4] = made.state.mission_order[:4]
            made.advance()
        chance = np.random.default_rng(key)
        while made.n:
            if made.asks in left:
                left.discard(made.asks)
                assert chosen(made, name) in made.offers
            made.choose(int(chance.integers(made.n)))
        if not left:
            return
    assert not left


@pytest.mark.parametrize("cards", [0, 3, 20])
def test_every_strategy_plays_on_when_the_pile_has_run_out(cards):
    few = printed("abbates").copy()
    few[0].garden.cards[:] = 0
    few[0].garden.cards[7] = cards
    for players in (1, 2, 4):
        entrants = tuple(catalog.entrant("abbates", name, players) for name in ALL)
        made, _ = play(Study("abbates", players, entrants, few, 1), 0, 20 * players)
        assert len(made) == 20 * players


# --- imagined worlds --------------------------------------------------------------------------------------------------


def test_imagined_worlds_differ_in_the_others_missions_and_in_the_pile():
    four = table(4)
    four.choose(3)
    worlds = [four.imagined(PURPLE, key) for key in range(40)]
    assert {int(world.mission[PURPLE]) for world in worlds} == {int(four.state.mission[PURPLE])}
    for seat in (0, 2, 3):
        assert len({int(world.mission[seat]) for world in worlds}) > 8
    assert all(len(set(world.mission.tolist())) == 4 for world in worlds)
    drawn = set()
    for world in worlds:
        other = four.copy()
        other.states[0] = world
        other.until(lambda made: made.state.drawn > four.state.drawn)
        drawn.add(tuple(int(card) for card in other.state.pile))
    assert len(drawn) > 5


def test_who_has_looked_at_the_pile_knows_it_and_nobody_else():
    two = table(2)
    two.put_effect(LOOK)
    two.play(9, 2)
    two.take(act=1)
    known = two.state.known.tolist()
    assert two.state.looker == RED
    assert all(two.imagined(RED, key).known.tolist() == known for key in range(5))
    for key in range(5):
        world = two.imagined(PURPLE, key)
        assert world.known_left == 0
        assert int(world.pile.sum()) == world.pile_left == two.state.pile_left + two.state.known_left


def test_the_starting_cards_of_others_are_redrawn():
    three = table(3, ["rules.points_card=false"])
    worlds = [three.imagined(RED, key) for key in range(40)]
    assert {int(world.starting_card[RED]) for world in worlds} == {int(three.state.starting_card[RED])}
    assert len({int(world.starting_card[PURPLE]) for world in worlds}) > 4
    counts = three.state.pile.copy()
    for seat in (1, 2):
        counts[int(three.state.starting_card[seat])] += 1
    for world in worlds:
        pile = world.pile.copy()
        for seat in (1, 2):
            pile[int(world.starting_card[seat])] += 1
        assert (pile == counts).all()
