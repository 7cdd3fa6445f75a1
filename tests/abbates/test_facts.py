"""What follows from the rules by counting, in games that are played at random."""

from collections import Counter
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from sim import registry
from sim.abbates.state import BEANS, DRAW, NONE, NOTHING, REMOVED, SQUARES
from sim.contract import records
from sim.printed.components import read
from sim.runner import Study, play
from strategies.catalog import entrant
from tests.abbates.tools import table
from tests.helpers import Table, at_random, printed

LAUDS = 1242 / 17160  # of the ordered draws of four cards out of 13


@cache
def outcomes(players, changes=(), games=12_000):
    """Random games: the numbers that are counted, by seat and name."""
    game = registry.load("abbates")
    study = Study(
        "abbates", players, (entrant("abbates", "random_legal", players),), read("abbates", changes=changes).record, 3
    )
    found, _ = play(study, 0, games)
    return {name: found["numbers"][:, :players, i].astype(int) for i, name in enumerate(game.numbers)} | {
        "automaton": found["automaton"]
    }


def deals(games, changes=(), players=2):
    """States of games that have just been dealt."""
    game, components = registry.load("abbates"), printed("abbates", changes)
    states = records(game.dtypes[1], games)
    for key in range(games):
        game.set_up(components[0], states[key], players, np.uint64(7919 * key + 1))
    return states


def ended(players, key, pick, changes=("rules.palms=false",)):
    """A game played to its end."""
    made = Table("abbates", players, changes, key)
    made.finish(pick)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_any_square_fills_7_22_and_seldom_all_nine(players):
    """Each square is in four of the twelve lines: (2/3)⁴ of them stay empty, and 7.22 are filled."""
    empty = outcomes(players, ("rules.palms=false",))["empty"]
    assert SQUARES - empty.mean() == pytest.approx(9 * (1 - (2 / 3) ** 4), abs=0.03)
    assert (empty == 0).mean() == pytest.approx(0.062, abs=0.006)


@pytest.mark.slow
def test_empty_squares_first_fill_8_98():
    chance = np.random.default_rng(2)

    def prefer_empty(made):
        if made.asks not in ("take", "blind"):
            return int(chance.integers(made.n))
        portrait = made.state.portrait[made.state.player]
        best = [i for i, offer in enumerate(made.offers) if portrait[offer.square] == NONE]
        return int(chance.choice(best or range(made.n)))

    filled = [9 - int(empty) for key in range(150) for empty in ended(2, key, prefer_empty).state.empty[:2]]
    assert np.mean(filled) == pytest.approx(8.98, abs=0.03)


def test_lauds_is_met_by_1242_of_17160():
    components = printed("abbates")[0]
    holds = (
        lambda value: value <= components.ora.low_last,
        lambda value: value > components.ora.low_last,
        lambda value: value % 2 == 1,
        lambda value: value % 2 == 0,
    )
    face = [holds[condition] for condition in components.ora.faces[0]]
    draws = list(permutations(range(1, 14), 4))
    assert len(draws) == 17160
    assert sum(all(met(value) for met, value in zip(face, four)) for four in draws) == 1242


@pytest.mark.slow
def test_lauds_in_play():
    """A person whom no other card bars: Henricus has none."""
    pick, met = at_random(3), 0
    for key in range(1_500):
        made = table(1, ("rules.arcade_actions=false", "ora.low_last=7"), key)
        made.put_piles([])
        made.state.played[1], made.state.room[1] = NONE, 0
        made.advance()
        made.until(lambda t: t.state.this_round == 1 or t.n == 0 or t.state.met[0] == REMOVED, pick)
        met += int(made.state.benedicts[0])
    assert met / 1_500 == pytest.approx(LAUDS, abs=0.027)


@pytest.mark.slow
def test_setting_up_discards_2_331_cards():
    """On average the cards of other kinds part those of the kinds that lie there into equal groups; the first of them
    is discarded."""
    second = 29 / 61  # 29 of the first kind, 60 others
    third = (58 - second) / 31  # what is left of the first two kinds, 30 others
    assert second + third == pytest.approx(2.331, abs=0.001)
    states = deals(12_000)
    assert states.discarded.mean() == pytest.approx(second + third, abs=0.06)
    assert (states.pile_left == 90 - 16 - states.discarded).all()


@pytest.mark.slow
@pytest.mark.parametrize(("players", "repeats", "without"), [(2, 0.06, 0.22), (3, 0.22, 0.05), (4, 0.45, 0.01)])
def test_forced_repeats_and_empty_hands(players, repeats, without):
    """Without Benedict cards, that is; they make both rarer."""
    numbers, with_benedicts = outcomes(players, ("rules.ora_et_labora=false",)), outcomes(players)
    for name, share in (("forced_duplicate", repeats), ("without_card", without)):
        found, rarer = ((each[name] > 0).any(1).mean() for each in (numbers, with_benedicts))
        assert found == pytest.approx(share, abs=0.025)
        assert rarer < found


def test_none_one_or_two_palm_cards_a_round():
    arcade = deals(8_000).arcade.reshape(-1, 4, 3)
    count = Counter(int(n) for n in np.isin(arcade, (DRAW, NOTHING)).sum(2).ravel())
    assert [count[n] / (4 * 8_000) for n in range(3)] == pytest.approx([0.1, 0.6, 0.3], abs=0.01)
    assert not np.isin(deals(50, ("rules.palms=false",)).arcade, (DRAW, NOTHING)).any()


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_uses_64_cards_and_what_is_discarded_first(players):
    """16 at first; in each phase three for the line, and the lowest draws one. (Henricus may take from another
    line.)"""
    pick = at_random(4)
    for key in range(40):
        made = Table("abbates", players, ("rules.arcade_actions=false",), key)
        first = int(made.state.discarded)
        made.finish(pick)
        if not made.state.without_card.any():
            assert made.state.drawn == 64 + first


@pytest.mark.slow
@pytest.mark.parametrize(("players", "steps"), [(1, 1), (2, 1.5), (3, 1), (4, 1)])
def test_the_general_ends_within_a_step_of_a_full_portrait(players, steps):
    """With two players somewhat lower: fewer cards to be the highest of."""
    components = printed("abbates")[0]
    beans = sum(int(n) * (card % BEANS) for card, n in enumerate(components.garden.cards)) / int(
        components.garden.cards.sum()
    )
    ends = [int(ended(players, key, at_random(key)).state.general) for key in range(150)]
    assert np.mean(ends) == pytest.approx(SQUARES * beans, abs=steps)
