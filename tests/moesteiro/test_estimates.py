"""What the plans estimate with packed words and without branches, against the same said plainly, up to the largest
numbers that components may have."""

from random import Random
from typing import Any

import pytest
from numba import njit

from sim.moesteiro import ask
from sim.moesteiro.dice import NEUTRAL
from sim.moesteiro.scoring import LARGEST_SET
from sim.moesteiro.state import CRANE, FOREST, KINDS, KINGS, MOST_CRANE, NONE, QUARRY, STONEWORK_KINDS, WINDOW
from strategies.moesteiro._placing import tiles_to_come
from strategies.moesteiro._sets import LANE, set_of_one_more, tiles_held
from strategies.moesteiro._worth import SHARE, builders_before, missing_pips, rates_of, rivals, steps_to_come
from tests.contract.tools import without_jit
from tests.helpers import Table
from tests.moesteiro.tools import amounts, goods, put_row

MOST_TILES = (1 << LANE - 1) - 1  # of one kind that a lane has room for


@njit
def estimates(components, state, seat, number):
    """Return what a player needs to know for a construction tile: pips that are missing, who builds before and how far
    each of them is a rival, steps and tiles to come from the crane."""
    rates, goods = rates_of(components), components.construction.tiles[number].goods
    before = builders_before(components, state, seat)
    return (
        missing_pips(state.purse[seat], goods, rates),
        before,
        rivals(state, before, components.construction.tiles[number], rates),
        steps_to_come(components, state, seat),
        tiles_to_come(state, seat),
    )


@njit
def joined(state, seat, coming, kind):
    """Return the size of the set that one more tile of a kind joins."""
    return set_of_one_more(tiles_held(state, seat) + coming, kind)


def shuffled(players: int, chance: Random) -> Table:
    """Return a table with any numbers that matter here: up to 20 pieces of each material, 9 pips for one of them."""
    table = Table("moesteiro", players)
    components, state = table.components, table.state
    components.forest.near_pips = chance.randint(1, 9)
    for material in range(1, 4):
        components.quarry.pips[material] = chance.randint(1, 9)
    for king in range(len(KINGS)):
        components.kings[king].builds_first = chance.random() < 0.2
    for place in range(MOST_CRANE):
        components.crane.steps[place] = chance.randint(0, 9)
        state.crane[place] = chance.choice([NONE, *range(STONEWORK_KINDS)])
    for tile in components.construction.tiles:
        tile.goods = goods(*(chance.choice((0, 1, 20, chance.randint(0, 20))) for _ in range(4)))
    for seat in range(players):
        state.king[seat] = chance.choice([NONE, *range(len(KINGS))])
        state.construction[seat] = chance.randint(0, 9)
        state.purse[seat] = goods(*(chance.choice((0, 20, 2_047, chance.randint(0, 20))) for _ in range(4)))
    put_row(
        table, CRANE, [("worker", 1, chance.choice((*range(players), NEUTRAL))) for _ in range(chance.randint(0, 6))]
    )
    state.asks, state.area = chance.choice(
        ((ask.PLACE, FOREST), (ask.QUARRY, QUARRY), (ask.CRANE, CRANE), (ask.WINDOW, WINDOW))
    )
    state.turn = chance.randint(0, 5)
    return table


def pips_missing(table: Table, seat: int, number: int) -> int:
    """Return what the pieces of a construction tile cost that a player lacks."""
    pips = [table.components.forest.near_pips, *table.components.quarry.pips[1:]]
    price, held = amounts(table.components.construction.tiles[number].goods), amounts(table.state.purse[seat])
    return sum(max(0, n - have) * int(each) for n, have, each in zip(price, held, pips, strict=True))


def builds_before(table: Table, seat: int, other: int) -> bool:
    """Return whether another player builds before one, if they stand alike perhaps."""
    state = table.state
    first = state.king[other] != NONE and table.components.kings[state.king[other]].builds_first
    return bool(other != seat and (first or state.construction[other] <= state.construction[seat]))


def crane_to_come(table: Table) -> range:
    """Return the places of the crane whose dice are still to act after the one that acts now."""
    state = table.state
    if state.area == WINDOW:
        return range(0)
    return range(int(state.turn) + 1 if state.asks == ask.CRANE else 0, MOST_CRANE)


def plainly(table: Table, seat: int, number: int) -> tuple[Any, ...]:
    """Return what `estimates` should."""
    state, players = table.state, range(table.state.players)
    before = [other for other in players if builds_before(table, seat, other)]
    owners = [int(state.row[CRANE]) >> 8 * place & 7 for place in range(int(state.dice[CRANE]))]
    mine = [place for place, owner in enumerate(owners) if owner == seat]
    to_come = [place for place in crane_to_come(table) if place in mine]
    return (
        pips_missing(table, seat, number),
        sum(1 << other for other in before),
        sum(1.0 / (1.0 + pips_missing(table, other, number)) for other in before),
        sum(int(table.components.crane.steps[place]) for place in to_come),
        sum(1 << LANE * int(state.crane[place]) for place in mine if state.crane[place] != NONE),
    )


def differences(tables: int) -> list[str]:
    """Return a line for each estimate that differs from the plain one, and for each set that one more tile joins."""
    chance, found = Random(1), []
    for number in range(tables):
        table = shuffled(2 + number % 3, chance)
        for seat in range(int(table.state.players)):
            tile = chance.randrange(len(table.components.construction.tiles))
            made, wanted = estimates(table.components, table.state, seat, tile), plainly(table, seat, tile)
            found += [f"table {number}, seat {seat}, tile {tile}: {made}, not {wanted}"] if made != wanted else []
        found += unlike_sets(table, chance)
    return found


def unlike_sets(table: Table, chance: Random) -> list[str]:
    """Return a line for each kind of which one more tile is not said to join the largest set without it."""
    found, most = [], chance.choice((1, 2, 4, 14, MOST_TILES))
    held = [chance.randint(0, most) for _ in range(KINDS)]
    coming = [chance.randint(0, min(6, MOST_TILES - n)) for n in held]
    table.state.tiles[0] = held
    counts = [n + more for n, more in zip(held, coming, strict=True)]
    for kind in range(KINDS):
        made = joined(table.state, 0, sum(n << LANE * kind for kind, n in enumerate(coming)), kind)
        wanted = min(LARGEST_SET - 1, sum(n > counts[kind] for n in counts))
        found += [f"{counts}, one more {kind}: {made}, not {wanted}"] if made != wanted else []
    return found


def test_a_rival_counts_by_all_pips_that_a_price_may_have():
    assert len(SHARE) == 1 + 4 * 20 * 9
    assert (SHARE[0], SHARE[-1]) == (1.0, 1.0 / (1.0 + 720))


@pytest.mark.slow
def test_estimates_are_what_they_are_said_plainly():
    assert differences(300) == []


@pytest.mark.slow
def test_estimates_are_the_same_with_the_jit_off():
    program = 'from tests.moesteiro.test_estimates import differences; print(*differences(60), sep="\\n")'
    assert without_jit(program).strip() == ""
