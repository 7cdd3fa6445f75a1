"""Moesteiro by hand: dice, purses and positions as plain tuples, and tables set up at one moment of a round."""

from collections.abc import Iterable, Sequence
from functools import cache

from sim.moesteiro import dice, purse
from sim.moesteiro.state import AREAS, KINGS, NONE
from sim.moesteiro.turns import ACT, BUILDERS, PLACE, SCORE
from tests.helpers import Table

RED, BLUE, YELLOW, GREEN = range(4)  # seats
NEUTRAL = dice.NEUTRAL
Die = tuple[str, int, int]  # "worker" or "master", value, owner


def key_of(kind: str, value: int) -> int:
    """Return the key of a die."""
    return int(dice.worker(value) if kind == "worker" else dice.master(value))


def packed(row: Sequence[Die]) -> int:
    """Return a row of dice, in the given order, as the engine keeps it."""
    result = dice.EMPTY
    for place, (kind, value, owner) in enumerate(row):
        result = dice.insert(result, place, key_of(kind, value), owner)
    return int(result)


def listed(row: int, length: int) -> list[Die]:
    """Return the dice of a row from left to right."""
    keys = [int(dice.key_at(int(row), place)) for place in range(length)]
    return [
        ("worker" if dice.is_worker(k) else "master", int(dice.pips(k)), int(dice.owner_at(int(row), i)))
        for i, k in enumerate(keys)
    ]


def row(table: Table, area: int) -> list[Die]:
    """Return the dice of an area."""
    return listed(table.state.row[area], int(table.state.dice[area]))


def hand(table: Table, seat: int) -> list[Die]:
    """Return the dice that a player still has to place."""
    return listed(table.state.hand[seat], int(table.state.in_hand[seat]))


def goods(wood: int = 0, stone: int = 0, lintel: int = 0, column: int = 0) -> int:
    """Return a purse."""
    return int(purse.goods(wood, stone, lintel, column))


def stock(table: Table, seat: int) -> tuple[int, int, int, int]:
    """Return a player's wood, stones, lintels and columns."""
    return amounts(table.state.purse[seat])


def amounts(packed_purse: int) -> tuple[int, int, int, int]:
    """Return wood, stones, lintels and columns of a purse."""
    wood, stone, lintel, column = (int(purse.amount(int(packed_purse), material)) for material in range(4))
    return wood, stone, lintel, column


def put_row(table: Table, area: int, row: Sequence[Die]) -> None:
    """Lay dice into an area, from left to right."""
    table.state.row[area] = packed(row)
    table.state.dice[area] = len(row)


def put_hand(table: Table, seat: int, hand: Iterable[Die | tuple[str, int]]) -> None:
    """Give a player dice to place."""
    held = sorted((key_of(die[0], die[1]), die) for die in hand)
    table.state.hand[seat] = packed([(die[0], die[1], seat) for _, die in held])
    table.state.in_hand[seat] = len(held)


def begun(players: int = 4, changes: Sequence[str] = (), key: int = 1, number: int = 0) -> Table:
    """Return a table at the first die of a round, counted from 0; until then each player has chosen the first option
    each time."""
    return _begun(players, tuple(changes), key, number).copy()


@cache
def _begun(players: int, changes: tuple[str, ...], key: int, number: int) -> Table:
    table = Table("moesteiro", players, changes, key)
    table.advance()
    return table.until(lambda t: t.state.this_round == number and t.asks == "place")


def placing(
    hands: Sequence[Sequence[tuple[str, int]]],
    rows: dict[int, Sequence[Die]] | None = None,
    changes: Sequence[str] = (),
) -> Table:
    """Return a table where these hands are about to be placed, red first, into areas that hold these rows."""
    table = begun(max(2, len(hands)), changes)
    state = table.state
    for area in range(len(AREAS)):
        put_row(table, area, (rows or {}).get(area, ()))
    for seat in range(state.players):
        put_hand(table, seat, hands[seat] if seat < len(hands) else ())
        state.order[seat] = seat
    state.phase, state.turn = PLACE, 0
    table.advance()
    return table


def acting(
    area: int,
    row: Sequence[Die],
    players: int = 4,
    changes: Sequence[str] = (),
    stocks: dict[int, int] | None = None,
    **fields,
) -> Table:
    """Return a table where the dice of one area are about to act.

    Args:
        area, row: where, and which dice, from left to right. players, changes: as for a table.
        stocks: purse by seat; fields: further fields of the state (`labour={RED: 2}` for some seats, `lintels=3` for
            one number).
    """
    table = begun(players, changes)
    state = table.state
    for a in range(len(AREAS)):
        put_row(table, a, row if a == area else ())
    for seat in range(players):
        put_hand(table, seat, ())
        state.purse[seat] = (stocks or {}).get(seat, 0)
    put_fields(table, fields)
    state.phase, state.area, state.turn = ACT, area, 0
    table.advance()
    return table


def put_fields(table: Table, fields: dict) -> None:
    """Set fields of the state: a number, a list from the first entry on, or a dict of some entries."""
    for name, value in fields.items():
        if isinstance(value, dict):
            for seat, entry in value.items():
                table.state[name][seat] = entry
        elif isinstance(value, list | tuple):
            table.state[name][: len(value)] = value
        else:
            table.state[name] = value


def building(
    players: int = 2,
    changes: Sequence[str] = (),
    stocks: dict[int, int] | None = None,
    kings: Sequence[str] = (),
    **fields,
) -> Table:
    """Return a table where the monastery is about to be built; Kings by seat (João I, Afonso V, … if not given), turn
    order by seat."""
    table = begun(players, changes)
    state = table.state
    for seat in range(players):
        put_hand(table, seat, ())
        state.purse[seat] = (stocks or {}).get(seat, 0)
        state.king[seat] = KINGS.index(kings[seat]) if kings else seat
        state.turn_at[seat, state.this_round] = seat
    state.site[:] = NONE
    put_fields(table, fields)
    state.phase = BUILDERS
    table.advance()
    return table


def scoring(players: int = 2, changes: Sequence[str] = (), **fields) -> Table:
    """Return a table whose game has just been scored; nobody had points before."""
    table = begun(players, changes)
    table.state.score[:] = 0
    table.state.points[:] = 0
    put_fields(table, fields)
    table.state.phase = SCORE
    table.advance()
    assert table.n == 0
    return table
