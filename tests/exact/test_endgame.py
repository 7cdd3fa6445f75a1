"""The last decisions of a game: the engine's whole tree against every way to the end by the rules (endgame.py)."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from sim.contract import records
from sim.moesteiro.purse import goods
from sim.moesteiro.state import FROM_SETS, FROM_TRACK, KINGS, NONE, ROUNDS, WINDOW
from sim.moesteiro.turns import ACT
from tests.exact.endgame import Ending, Position, Rules, Seat, Section, endings
from tests.helpers import Table
from tests.moesteiro.tools import amounts, begun, put_hand, put_row

MANUEL = KINGS.index("manuel_i")
RED, BLUE, YELLOW = range(3)


def laid(p: Position) -> Table:
    """Return a table where a position lies, in the last round, the dice on the window about to act."""
    table = begun(len(p.seats))
    state, components = table.state, table.components
    for rule, value in p.rules._asdict().items():
        components.rules[rule] = int(value)
    state.this_round, state.phase, state.turn, state.area = ROUNDS - 1, ACT, 0, WINDOW
    for area in range(WINDOW + 1):
        put_row(table, area, [("worker", value, seat) for seat, value in p.dice] if area == WINDOW else ())
    kings = [king for king in range(len(KINGS)) if king != MANUEL]
    for seat, has in enumerate(p.seats):
        put_hand(table, seat, ())
        state.points[seat] = 0
        state.score[seat], state.labour[seat], state.food[seat] = has.score, has.labour, has.food
        state.construction[seat], state.purse[seat], state.tiles[seat] = has.construction, goods(*has.goods), has.tiles
        state.height[seat] = p.pile.index(seat) - 100 if p.rules.labour_arrival else p.pile.index(seat)
        state.turn_at[seat, ROUNDS - 1] = p.turns.index(seat)
        state.king[seat] = MANUEL if seat == p.first else kings[seat]
    state.arrivals = 100
    for display in (state.site, state.window, state.crane):
        display[:] = NONE
    for i, (number, section) in enumerate(p.sections):
        state.site[i] = number
        tile = components.construction.tiles[number]
        tile.vp, tile.steps, tile.goods = section.points, section.steps, goods(*section.goods)
        tile.food, tile.labour, tile.stonework, tile.glass = (
            section.food,
            section.labour,
            section.stonework,
            section.glass,
        )
    state.window[: len(p.window)] = [NONE if kind is None else kind for kind in p.window]
    state.pile[:] = p.box
    return table


def leaves(table: Table) -> Iterator[tuple[np.record, tuple[int, ...]]]:
    """Yield the state at the end of every path through the engine's decisions, and who was asked in turn."""
    game, still_open = table.game, [(table.states.copy(), ())]
    while still_open:
        states, asked = still_open.pop()
        n, seat = game.advance(table.components, states[0], table.options), int(states[0].player)
        assert n >= 0
        if n == 0:
            yield states[0], asked
        elif asked[-1:] != (seat,):
            asked = (*asked, seat)
        for i in range(n):
            after = states.copy()
            game.apply(table.components, after[0], table.options[i])
            still_open.append((after, asked))


def ended(table: Table, state: np.record, asked: tuple[int, ...]) -> Ending:
    """Return a finished game as the plain version tells it."""
    outcome, players = records(table.game.dtypes[3], 1)[0], int(state.players)
    table.game.tally(table.components, state, outcome)
    shares = outcome.share[:players].tolist()
    assert sorted(shares) == [0] * (players - 1) + [60]
    seats = tuple(
        Seat(
            score=int(state.score[seat] - state.points[seat, FROM_SETS] - state.points[seat, FROM_TRACK]),
            labour=int(state.labour[seat]),
            construction=int(state.construction[seat]),
            food=int(state.food[seat]),
            goods=amounts(state.purse[seat]),
            tiles=tuple(state.tiles[seat].tolist()),
        )
        for seat in range(players)
    )
    return Ending(tuple(outcome.score[:players].tolist()), shares.index(60), seats, asked)


def check(p: Position) -> Counter:
    """Check that engine and rules reach the same ends by equally many paths; return them."""
    table, expected = laid(p), endings(p)
    found = Counter(ended(table, *leaf) for leaf in leaves(table))
    assert found == expected
    return expected


def sets(*kinds: int) -> tuple[int, ...]:
    """Return tiles of these kinds."""
    return tuple(kinds.count(kind) for kind in range(8))


def two(a: Seat, b: Seat, *sections: Section, **more: object) -> Position:
    """Return a position of two players, Red first in turn and on the pile above Blue."""
    return Position((a, b), (BLUE, RED), (RED, BLUE), tuple(enumerate(sections)), **more)


SMALL = Section(10, 2, (1, 1, 0, 0))
DEAR = Section(21, 3, (0, 1, 1, 1))
OF_TWO_WOOD = Section(13, 1, (2, 0, 0, 0))
ICONS = Section(14, 1, (1, 0, 0, 0), food=1, labour=2, stonework=1, glass=1)
FOR_NOTHING = Section(7, 2, (0, 0, 0, 0), labour=1)

POSITIONS = {
    "one tile for two": two(Seat(construction=4, goods=(1, 1, 0, 0)), Seat(construction=3, goods=(1, 1, 1, 1)), SMALL),
    "level on the track, the turn order decides": two(Seat(goods=(1, 1, 0, 0)), Seat(goods=(2, 1, 0, 0)), SMALL,
    OF_TWO_WOOD)._replace(
        turns=(BLUE, RED)
    ),
    "the King builds first": two(Seat(construction=8, goods=(1, 1, 0, 0)), Seat(construction=1, goods=(1, 1, 0, 0)),
    SMALL, first=RED), "a purchase each, and few labour steps": two(
        Seat(construction=9, labour=2), Seat(construction=9, labour=3, goods=(0, 1, 1, 0)), SMALL, DEAR
    ),
    "a purchase with nothing to build": two(Seat(construction=9, labour=6), Seat(construction=9, labour=4)),
    "too far down for the steps": two(
        Seat(construction=1, goods=(2, 1, 0, 0)), Seat(construction=2, goods=(0, 2, 1, 1)), SMALL, OF_TWO_WOOD, DEAR
    ),
    "every icon": two(
        Seat(labour=2, food=1, goods=(1, 0, 0, 0), tiles=sets(0, 0, 1, 4)),
        Seat(labour=5, food=0, goods=(1, 0, 0, 0), tiles=sets(0, 4, 5)),
        ICONS,
        ICONS._replace(food=0, points=9),
    ),
    "an icon short": two(
        Seat(labour=1, food=1, goods=(1, 1, 0, 0), tiles=sets(0, 4)),
        Seat(food=3, goods=(1, 0, 0, 0), tiles=sets(0, 1)), ICONS, SMALL
    ),
    "two tiles of each to give up": two(
        Seat(goods=(1, 0, 0, 0), tiles=sets(0, 1, 2, 2, 4, 5, 5)),
        Seat(goods=(1, 0, 0, 0), tiles=sets(0, 1, 2, 4, 5)),
        Section(12, 0, (1, 0, 0, 0), stonework=2, glass=2),
    ),
    "a tile that asks for no materials": two(Seat(labour=1), Seat(labour=0), FOR_NOTHING),
    "equal points, equal spaces": two(
        Seat(score=3, labour=5, goods=(1, 0, 0, 0)), Seat(score=3, labour=5, goods=(1, 0, 0, 0)),
        Section(3, 1, (1, 0, 0, 0)), Section(3, 1, (1, 0, 0, 0), labour=1), Section(4, 0, (1, 0, 0, 0), labour=1),
    ),
    "three players": Position(
        (
            Seat(construction=9, labour=1, goods=(1, 0, 0, 0)),
            Seat(construction=4, labour=1, goods=(1, 1, 0, 0), tiles=sets(0, 1)),
            Seat(score=9, construction=4, labour=1, tiles=sets(0), goods=(0, 1, 1, 0)),
        ),
        (YELLOW, RED, BLUE),
        (BLUE, YELLOW, RED),
        ((3, SMALL), (30, Section(12, 2, (0, 1, 1, 0), stonework=1))),
    ),
    "labour runs over": two(
        Seat(labour=9, goods=(1, 0, 0, 0)), Seat(labour=10, goods=(1, 0, 0, 0)), ICONS, dice=((RED, 1), (BLUE, 3)),
        window=(4, 5, 4)
    ),
    "bought pips, and food beyond its end": two(
        Seat(labour=3, food=7), Seat(labour=1, food=6, goods=(1, 1, 0, 0)), SMALL, dice=((RED, 1), (BLUE, 3), (RED, 6)),
        window=(4, None, 5)
    ),
    "the tiles of the window are wanted for building": two(
        Seat(goods=(1, 0, 0, 0)), Seat(goods=(1, 1, 0, 0)), Section(20, 1, (1, 0, 0, 0), glass=1),
        dice=((BLUE, 2), (RED, 4)), window=(5, 5, 4),
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("p", POSITIONS.values(), ids=POSITIONS)
def test_every_way_to_the_end(p):
    assert len(check(p)) > 1


@pytest.mark.slow
@pytest.mark.parametrize("rule", Rules._fields)
@pytest.mark.parametrize("p", POSITIONS.values(), ids=POSITIONS)
def test_every_way_to_the_end_by_another_reading(p, rule):
    check(by(p, rule))


def by(p: Position, rule: str) -> Position:
    """Return a position where another reading of a rule holds, and where there are tiles to buy."""
    return p._replace(rules=Rules(**{rule: True}), box=sets(1, 1, 5))


@pytest.mark.parametrize("rule", Rules._fields)
def test_every_reading_makes_a_difference(rule):
    assert any(endings(by(p, rule)) != endings(p) for p in POSITIONS.values())


# --- any positions ----------------------------------------------------------------------------------------------------


SHAPES = ((2, 1, 0), (2, 2, 0), (3, 1, 0), (2, 1, 1), (2, 1, 2), (3, 1, 1))  # players, construction tiles, dice


def at_random(chance: np.random.Generator) -> Position:
    """Return a small position, one where most things can just be paid or just not."""

    def some(*likely: int) -> int:
        return likely[int(chance.integers(len(likely)))]

    def several(number: int, *likely: int) -> tuple[int, ...]:
        return tuple(some(*likely) for _ in range(number))

    players, tiles, dice = SHAPES[int(chance.integers(len(SHAPES)))]
    pile, turns = (tuple(chance.permutation(players).tolist()) for _ in range(2))
    return Position(
        seats=tuple(
            Seat(
                score=some(0, 0, 1, 5),
                labour=some(0, 1, 2, 3, 9, 10),
                construction=some(0, 1, 2, 4, 9),
                food=some(0, 1, 6, 7),
                goods=several(4, 0, 0, 1),
                tiles=sets(*several(some(0, 1, 3, 4), *range(8))),
            )
            for _ in range(players)
        ),
        pile=pile,
        turns=turns,
        sections=tuple(
            (
                number,
                Section(
                    some(5, 8, 12),
                    some(0, 1, 2, 3),
                    several(4, 0, 0, 1, 2),
                    *several(2, 0, 0, 1, 2),
                    *several(2, 0, 0, 0, 1),
                ),
            )
            for number in range(tiles)
        ),
        first=some(*range(players), *[None] * players),
        dice=tuple(zip(several(dice, *range(players)), sorted(several(dice, 1, 2, 3, 6)))),
        window=several(3, 4, 5, None),
        box=sets(*[2] * some(0, 1, 2), *[7] * some(0, 1)),
        rules=Rules(*(some(False, False, True) for _ in Rules._fields)),
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_every_way_to_the_end_from_positions_at_random(seed):
    chance = np.random.default_rng(seed)
    paths = [sum(check(at_random(chance)).values()) for _ in range(25)]
    assert sum(paths) > 500
