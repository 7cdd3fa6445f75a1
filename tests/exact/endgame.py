"""The end of the last round in plain Python, written from the rules and not from the engine: every way to the end of
the game.

What is left to decide: the dice on the stained glass window, then the purchases and the building, player by player. A
position is made of tuples, markers on the labour track are a pile that the last one to arrive lies on top of, and every
choice is tried.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from tests.exact.plain import set_points, winner

# What is printed, see components.toml.
WINDOW_PIPS, MOST_PIPS, PASS_STEPS = (0, 2, 4), 6, 2
FOOD_END, OVERFLOW, CONSTRUCTION_END = 7, 2, 9
LABOUR_POINTS = (0, 0, 1, 2, 3, 4, 5, 7, 8, 10, 12)
SET_POINTS = (0, 1, 4, 9, 16, 25)
PRICES = (1, 1, 2, 3, 3, 3)  # of a purchase, in labour: wood, stone, lintel, column, stonework, stained glass
A_PIECE = 3  # points, on an incomplete tile
GLASS = 4  # kinds 0 to 3 are stonework, 4 to 7 stained glass


class Seat(NamedTuple):
    """What a player has."""

    score: int = 0
    labour: int = 5
    construction: int = 5
    food: int = 0
    goods: tuple[int, ...] = (0, 0, 0, 0)  # wood, stone, lintels, columns
    tiles: tuple[int, ...] = (0,) * 8  # by kind


class Section(NamedTuple):
    """A construction tile."""

    points: int
    steps: int
    goods: tuple[int, ...]
    food: int = 0
    labour: int = 0
    stonework: int = 0
    glass: int = 0


class Rules(NamedTuple):
    """Readings of the rules that differ from the usual ones, by switch."""

    labour_arrival: bool = False
    unused_pips: bool = False
    pass_steps: bool = False
    window_cost: bool = False
    incomplete_icons: bool = False
    purchase_tiles: bool = False


class Position(NamedTuple):
    """Everything that still matters."""

    seats: tuple[Seat, ...]
    pile: tuple[int, ...]  # the seats' labour markers, the lowest first, as if all lay on one space
    turns: tuple[int, ...]  # seats in turn order
    sections: tuple[tuple[int, Section], ...] = ()  # construction tiles on show, with their numbers
    first: int | None = None  # who has the King that builds first
    dice: tuple[tuple[int, int], ...] = ()  # on the window from left to right: seat, value
    window: tuple[int | None, ...] = (None, None, None)  # kinds of the tiles from the bottom
    # tiles by kind that can still be drawn, of one kind of stonework and one of glass at most
    box: tuple[int, ...] = (0,) * 8
    rules: Rules = Rules()
    asked: tuple[int, ...] = ()  # who has been asked, in turn; once for questions that follow each other

    def change(self, seat: int, **fields: object) -> "Position":
        """Return the position where a player has these things instead."""
        seats = list(self.seats)
        seats[seat] = seats[seat]._replace(**fields)
        return self._replace(seats=tuple(seats))


def left(p: Position, seat: int, steps: int) -> Position:
    """Move a marker left on the labour track."""
    return p if steps == 0 else arrive(p.change(seat, labour=p.seats[seat].labour - steps), seat)


def right(p: Position, seat: int, steps: int) -> Position:
    """Move a marker right on the labour track; beyond the end each step is worth points."""
    before, end = p.seats[seat], len(LABOUR_POINTS) - 1
    made = min(steps, end - before.labour)
    p = p.change(seat, labour=before.labour + made, score=before.score + OVERFLOW * (steps - made))
    return arrive(p, seat) if made else p


def arrive(p: Position, seat: int) -> Position:
    """Lay a marker that has moved on top of the others."""
    others = tuple(other for other in p.pile if other != seat)
    return p._replace(pile=(seat, *others) if p.rules.labour_arrival else (*others, seat))


def with_tile(p: Position, seat: int, kind: int, number: int = 1) -> Position:
    """Give a player tiles of a kind, or take them away."""
    tiles = list(p.seats[seat].tiles)
    tiles[kind] += number
    return p.change(seat, tiles=tuple(tiles))


def choices(seat: int, after: Iterable[Position]) -> list[Position]:
    """Return the positions after each choice of a player, who is asked only if there are several."""
    after = list(after)
    return (
        after
        if len(after) == 1
        else [p if p.asked[-1:] == (seat,) else p._replace(asked=(*p.asked, seat)) for p in after]
    )


def window_ends(p: Position) -> Iterator[Position]:
    """Yield the position after each way to use the dice on the window."""
    if not p.dice:
        yield p
        return
    (seat, value), *others = p.dice
    for q in choices(seat, uses(p._replace(dice=tuple(others)), seat, value)):
        yield from window_ends(q)


def uses(p: Position, seat: int, value: int) -> Iterator[Position]:
    """Yield the position after each way to use a die on the window."""
    for steps in range(PASS_STEPS + 1) if p.rules.pass_steps else (0, PASS_STEPS):
        yield right(p, seat, steps)
    for place, kind in enumerate(p.window):
        cost = WINDOW_PIPS[place]
        if p.rules.window_cost:  # pips below a place are paid only where the tile under them is gone
            cost = sum(WINDOW_PIPS[i] - WINDOW_PIPS[i - 1] for i in range(1, place + 1) if p.window[i - 1] is None)
        if kind is not None and cost <= min(MOST_PIPS, value + p.seats[seat].labour):
            q = with_tile(left(p, seat, max(0, cost - value)), seat, kind)
            q = q._replace(window=(*p.window[:place], None, *p.window[place + 1 :]))
            if place == len(p.window) - 1:
                food = q.seats[seat].food
                at_end = food == FOOD_END
                q = q.change(seat, food=food + (not at_end), score=q.seats[seat].score + OVERFLOW * at_end)
            spare = max(0, value - cost)
            for steps in range((spare if p.rules.unused_pips else min(1, spare)) + 1):
                yield right(q, seat, steps)


def builders(p: Position) -> list[int]:
    """Return the seats in the order in which they build: the King who builds first, then from the bottom up, ties in
    turn order."""
    return sorted(
        range(len(p.seats)), key=lambda seat: (seat != p.first, p.seats[seat].construction, p.turns.index(seat))
    )


def purchases(p: Position, seat: int) -> Iterator[Position]:
    """Yield the position after each purchase that a player can make before building, and without one."""
    yield p
    me = p.seats[seat]
    if me.construction < CONSTRUCTION_END:
        return
    for thing, price in enumerate(PRICES):
        if price > me.labour:
            continue
        q = left(p, seat, price)
        if thing < 4:
            yield q.change(seat, goods=tuple(n + (i == thing) for i, n in enumerate(me.goods)))
        elif p.rules.purchase_tiles:
            lot = range(GLASS) if thing == 4 else range(GLASS, 8)
            for kind in lot:
                if p.box[kind]:
                    yield with_tile(q, seat, kind)._replace(box=tuple(n - (i == kind) for i, n in enumerate(p.box)))


def discards(p: Position, seat: int, lot: Sequence[int], number: int) -> Iterator[Position]:
    """Yield the position after each way to give up so many tiles, one by one; all there are, if there are fewer."""
    held = [kind for kind in lot if p.seats[seat].tiles[kind]]
    if number == 0 or not held:
        yield p
        return
    for kind in held:
        yield from discards(with_tile(p, seat, kind, -1), seat, lot, number - 1)


def buildings(p: Position, seat: int) -> Iterator[Position]:
    """Yield the position after each way to build, and without building."""
    yield p
    for entry in p.sections:
        section, me = entry[1], p.seats[seat]
        made = min(section.steps, me.construction)
        stonework, glass = sum(me.tiles[:GLASS]), sum(me.tiles[GLASS:])
        icons = (
            (section.food, me.food),
            (section.labour, me.labour),
            (section.stonework, stonework),
            (section.glass, glass),
        )
        payable = made == section.steps and all(asked <= there for asked, there in icons)
        for put in product(*(range(min(asked, there) + 1) for asked, there in zip(section.goods, me.goods))):
            complete = payable and put == section.goods
            if any(put) or complete:  # who has nothing to contribute passes
                q = p._replace(sections=tuple(other for other in p.sections if other != entry))
                q = q.change(
                    seat,
                    construction=me.construction - made,
                    goods=tuple(there - gone for there, gone in zip(me.goods, put)),
                    score=me.score + (section.points if complete else A_PIECE * sum(put)),
                )
                yield from icons_paid(q, seat, section) if complete or p.rules.incomplete_icons else [q]


def icons_paid(p: Position, seat: int, section: Section) -> Iterator[Position]:
    """Yield the position after each way to pay the icons of a tile, as far as they can be paid."""
    me = p.seats[seat]
    p = left(p.change(seat, food=me.food - min(section.food, me.food)), seat, min(section.labour, me.labour))
    for q in discards(p, seat, range(GLASS), section.stonework):
        yield from discards(q, seat, range(GLASS, 8), section.glass)


def building_ends(p: Position, order: Sequence[int]) -> Iterator[Position]:
    """Yield the position after each way in which these players can build, one after the other."""
    if not order:
        yield p
        return
    seat, *others = order
    for q in choices(seat, purchases(p, seat)):
        for r in choices(seat, buildings(q, seat)):
            yield from building_ends(r, others)


class Ending(NamedTuple):
    """A finished game."""

    scores: tuple[int, ...]
    won: int
    seats: tuple[Seat, ...]  # their score is that before the sets and the labour track
    # who was asked on the way: without it a wrong order of players would often come to the same ends
    asked: tuple[int, ...]


def ending(p: Position) -> Ending:
    """Return the end of the game from a position where all is built."""
    scores = [s.score + set_points(s.tiles, SET_POINTS) + LABOUR_POINTS[s.labour] for s in p.seats]
    won = winner(scores, [s.labour for s in p.seats], [p.pile.index(seat) for seat in range(len(p.seats))])
    return Ending(tuple(scores), won, p.seats, p.asked)


def endings(p: Position) -> Counter:
    """Return every end that can be reached, and by how many rows of choices."""
    return Counter(ending(r) for q in window_ends(p) for r in building_ends(q, builders(q)))
