"""Abbates by hand: cards and positions as plain values, and tables set up at one moment of the game."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.abbates.solo import turn_up
from sim.abbates.state import ASKS, BEANS, BENEDICT, CARDS, HENRICUS, KINDS, NONE, PILES, SQUARES
from sim.abbates.turns import CARDS as PLAYING
from sim.abbates.turns import SCORE
from tests.helpers import Table

RED, PURPLE, YELLOW, GREEN = range(4)  # seats
Card = tuple[str, int]  # kind, black beans
BOOK, WINDOW, ARTEFACT = ("books", 2), ("windows", 2), ("artefacts", 2)


def code(card: Card | None) -> int:
    """Return a garden card as the engine keeps it."""
    return NONE if card is None else KINDS.index(card[0]) * BEANS + card[1]


def card_of(value: int) -> Card | None:
    """Return the garden card that the engine keeps as a number."""
    return None if value == NONE else (KINDS[int(value) // BEANS], int(value) % BEANS)


def values(bits: int) -> list[int]:
    """Return the members of a bit set, rising."""
    return [value for value in range(BENEDICT + 1) if int(bits) >> value & 1]


def bits(*members: int) -> int:
    """Return a bit set."""
    return sum(1 << member for member in members)


def table(players: int = 4, changes: Sequence[str] = (), key: int = 1) -> Table:
    """Return a table with the first decision of the game asked."""
    made = Table("abbates", players, changes, key)
    made.advance()
    return made


def at_phase(made: Table, round_number: int, phase: int) -> Table:
    """Move to the start of a phase, both counted from 1; seat 1 starts, hands stay as they are."""
    made.state.this_round, made.state.this_phase = round_number - 1, phase - 1
    made.state.stage, made.state.turn = PLAYING, 0
    made.state.starting = 1 if made.state.players == 1 else 0
    made.state.played[:] = NONE
    made.state.met[:] = phase - 1
    made.advance()
    return made


def put_line(made: Table, cards: Sequence[Card | None]) -> None:
    """Lay cards into the general's line, from the general."""
    line = int(made.state.this_round) * 3 + min(int(made.state.this_phase), 2)
    for square, card in zip(made.components.line[line], cards, strict=True):
        made.state.garden[square] = code(card)


def put_refill(made: Table, cards: Sequence[Card | None]) -> None:
    """Lay cards into the replenishment row."""
    made.state.refill[:] = [code(card) for card in cards]


def put_portrait(made: Table, seat: int, cards: Sequence[Card | None]) -> None:
    """Lay cards on a portrait, row by row, and set the abbot to the sum of their beans."""
    assert len(cards) == SQUARES
    made.state.portrait[seat, :] = [code(card) for card in cards]
    made.state.abbot[seat] = sum(card[1] for card in cards if card)


def put_pile(made: Table, cards: Sequence[Card]) -> None:
    """Make the pile of these cards, all of them seen by nobody."""
    made.state.pile[:] = [sum(code(card) == c for card in cards) for c in range(CARDS)]
    made.state.pile_left, made.state.known_left = len(cards), 0


def put_piles(made: Table, hand: Sequence[int], low_benedicts: int = 0, high_benedicts: int = 0) -> None:
    """Make Henricus' piles of these cards; which of them lie on top is drawn."""
    made.state.hand[HENRICUS] = bits(*hand)
    made.state.low_benedicts, made.state.benedicts[HENRICUS] = low_benedicts, high_benedicts
    for pile in range(len(PILES)):
        turn_up(made.state, pile)


def put_effect(made: Table, effect: int) -> None:
    """Lay an arcade card where the general stands."""
    made.state.arcade[int(made.state.this_round) * 3 + int(made.state.this_phase)] = effect


def order_kinds(made: Table, *kinds: str) -> None:
    """Set the points card: Primus, Secundus, Tertius, and aequalis if there is a fourth; the beans are left aside."""
    for place, kind in enumerate(kinds):
        made.state.points_card[place] = code((kind, 0))
        if place < 3:
            made.state.vp_of[KINDS.index(kind)] = made.components.rank_vp[place]


def play(made: Table, *cards: int) -> Table:
    """Let the players play abbot cards, in their order."""
    for value in cards:
        assert made.asks == "abbot", made.asks
        made.take(thing=value)
    return made


def scored(made: Table) -> Any:
    """Go to the end of the game and return the outcome."""
    made.state.stage, made.state.turn = SCORE, 0
    return made.finish()


def asked(made: Table) -> tuple[str, int]:
    """Return what is asked, and who."""
    return ASKS[made.state.asks], int(made.state.player)


def takers(made: Table) -> list[tuple[str, int]]:
    """Play on, always the first option, while cards are taken; return who was asked what."""
    found = []
    while made.asks in ("take", "blind"):
        found.append(asked(made))
        made.choose(0)
    return found


def imagined(made: Table, seat: int, key: int) -> Any:
    """Return the state as a player may imagine it."""
    other = made.copy()
    made.game.imagine(other.components, other.state, seat, np.uint64(key))
    return other.state
