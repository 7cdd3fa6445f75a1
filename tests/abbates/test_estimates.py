"""What the plans estimate with bit sets, tables and once for all cards, against the same said plainly, in the positions
of random games."""

from collections.abc import Iterator
from random import Random
from statistics import mean
from typing import Any

import numpy as np
import pytest
from numba import njit

from sim.abbates.abbots import meets, own_in_room
from sim.abbates.garden import beans_of, kind_of
from sim.abbates.scoring import LANE
from sim.abbates.state import BEANS, BENEDICT, CARDS, HIGHEST, KINDS, NONE, PHASES
from strategies.abbates._cards import PART, coming_back, later_hands, meeting
from strategies.abbates._portrait import LAST, mean_beans, mean_white, phases_left, squares_of
from strategies.abbates._weights import USUAL, named
from strategies.abbates._worth import blind_worth, card_worth, placed, squares_in, view_of
from tests.abbates.tools import Abbates, bits, values
from tests.contract.tools import without_jit

WEIGHTS = np.array(list(USUAL.values()))


@njit
def cards_and_hands(components, state, seat):
    """Return what a plan sees of abbot cards: the values that meet each condition, lowest and highest that come back,
    hands of those who play later, cards in the Chapter Room."""
    met = (meeting(components, state, 0), meeting(components, state, 1), meeting(components, state, 2))
    met_last = meeting(components, state, PHASES - 1)
    return (*met, met_last), coming_back(components, state, seat), later_hands(state, seat), own_in_room(state, seat)


@njit
def means(components):
    """Return the mean beans of the deck and of a hand."""
    return mean_beans(components), mean_white(components)


@njit
def of_card(components, state, seat, weights, card, line):
    """Return what a card, and one from the pile, are worth on a line of the portrait."""
    plan = named(weights)
    view = view_of(components, state, seat, plan, phases_left(state))
    squares = squares_in(components, state, seat, plan, view, line)
    return card_worth(plan, view, squares, card), blind_worth(plan, view, squares)


@njit
def on_square(components, state, seat, weights, kind, beans, square):
    """Return what a card is worth on one square of the portrait; beans: those reckoned with if negative."""
    plan = named(weights)
    view = view_of(components, state, seat, plan, phases_left(state))
    return placed(components, state, seat, plan, view, kind, view.fill if beans < 0.0 else beans, square)


@njit
def condition_met(components, state, value):
    """Return whether a value meets the condition of the phase."""
    return meets(components, state, value)


@njit
def sets_of(state, seat):
    """Return `squares_of` a portrait."""
    return squares_of(state, seat)


def abbots_plainly(table: Abbates, seat: int) -> tuple[Any, ...]:
    """Return what `cards_and_hands` should; of what comes back every value instead of the lowest and the highest."""
    state, met = table.state, []
    phase, every = int(state.this_phase), range(1, BENEDICT + 1)
    for state.this_phase in range(PHASES):
        met.append(bits(*(value for value in every if condition_met(table.components, state, value))))
    state.this_phase = phase
    lost = {*values(state.lost[seat]), *([BENEDICT] if state.lost_benedicts[seat] else [])}
    first = max if table.components.corners[state.this_round].returns == HIGHEST else min
    back = [value for value in every if first({*lost, value}) == value]
    later = [(seat + turn) % state.sitting for turn in range(1, int(state.sitting) - int(state.turn))]
    hands = [int(state.hand[i]) | bits(*([BENEDICT] if state.benedicts[i] else [])) for i in later]
    room = len(values(state.room[seat])) + int(state.room_benedicts[seat])
    return tuple(met), back, (*hands, 0, 0, 0)[:3], room


def worth_plainly(table: Abbates, seat: int, card: int, line: int) -> tuple[float, float]:
    """Return what `of_card` should: the best of three squares, for the pile the mean of the kinds."""
    squares = [int(square) for square in table.components.line[line]]

    def best(kind: int, beans: float) -> float:
        sight = table.components, table.state, seat, WEIGHTS, kind, beans
        return max(on_square(*sight, square) for square in squares)

    unseen = sum(best(kind, -1.0) for kind in range(len(KINDS))) / len(KINDS)
    return best(int(kind_of(card)), float(beans_of(card))), unseen


def sets_plainly(table: Abbates, seat: int) -> int:
    """Return what `squares_of` should."""
    laid = {square: int(card) for square, card in enumerate(table.state.portrait[seat]) if card != NONE}
    return sum(1 << square + LANE * (card // BEANS) | 1 << square + LAST for square, card in laid.items())


def positions(games: int) -> Iterator[tuple[Abbates, Random]]:
    """Yield positions of random games of 1 to 4 players, with a points card and without."""
    for key in range(games):
        chance = Random(key)
        table = Abbates(1 + key % 4, ["rules.points_card=false"] if key % 3 == 0 else [], key)
        table.advance()
        while table.n:
            if chance.random() < 0.1:
                yield table, chance
            table.choose(chance.randrange(table.n))


def differences(games: int) -> list[str]:
    """Return a line for each estimate that differs from the plain one."""
    found = []
    for table, chance in positions(games):
        seat, card, line = int(table.state.player), chance.randrange(CARDS), chance.randrange(12)
        met, (low, high), later, room = cards_and_hands(table.components, table.state, seat)
        back = [value for value in range(1, BENEDICT + 1) if low <= value <= high]
        compared = {
            "abbot cards": ((met, back, later, room), abbots_plainly(table, seat)),
            "a card": (
                of_card(table.components, table.state, seat, WEIGHTS, card, line),
                worth_plainly(table, seat, card, line),
            ),
            "squares": (sets_of(table.state, seat), sets_plainly(table, seat)),
        }
        found += [f"{name}: {made}, not {wanted}" for name, (made, wanted) in compared.items() if made != wanted]
    return found


@pytest.mark.slow
def test_estimates_are_what_they_are_said_plainly():
    assert differences(60) == []


@pytest.mark.slow
def test_estimates_are_the_same_with_the_jit_off():
    program = 'from tests.abbates.test_estimates import differences; print(*differences(8), sep="\\n")'
    assert without_jit(program).strip() == ""


def test_means_are_those_of_the_cards():
    table = Abbates(2, ["abbots.white.3=9", "garden.books.1=4"])
    deck = [card % BEANS for card in range(CARDS) for _ in range(int(table.components.garden.cards[card]))]
    assert means(table.components) == (mean(deck), mean(map(int, table.components.abbots.white[: BENEDICT - 1])))


def test_parts_of_any_hand_are_those_of_its_cards():
    for cards in range(BENEDICT + 1):
        for some in range(cards + 1):
            assert PART[cards, some] == (some / cards if cards else 0.0)
