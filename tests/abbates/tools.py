"""Abbates by hand: cards and positions as plain values, and tables set up at one moment of the game."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from sim.abbates.ask import ASKS
from sim.abbates.solo import turn_up
from sim.abbates.state import BEANS, BENEDICT, CARDS, HENRICUS, KINDS, NONE, NUMBERS, PILES, SQUARES
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


def number_of(outcome: Any, name: str) -> Any:
    """Return what was counted under a name, by seat."""
    return outcome.numbers[:, NUMBERS.index(name)]


class Abbates(Table):
    """A table of Abbates, not yet advanced to a decision."""

    def __init__(self, players: int = 4, changes: Sequence[str] = (), key: int = 1):
        super().__init__("abbates", players, changes, key)

    def at_phase(self, round_number: int, phase: int) -> Self:
        """Move to the start of a phase, both counted from 1; seat 1 starts, hands stay as they are."""
        self.state.this_round, self.state.this_phase = round_number - 1, phase - 1
        self.state.stage, self.state.turn = PLAYING, 0
        self.state.starting = 1 if self.state.players == 1 else 0
        self.state.played[:] = NONE
        self.state.met[:] = phase - 1
        self.advance()
        return self

    def put_line(self, cards: Sequence[Card | None]) -> None:
        """Lay cards into the general's line, from the general."""
        line = int(self.state.this_round) * 3 + min(int(self.state.this_phase), 2)
        for square, card in zip(self.components.line[line], cards, strict=True):
            self.state.garden[square] = code(card)

    def put_refill(self, cards: Sequence[Card | None]) -> None:
        """Lay cards into the replenishment row."""
        self.state.refill[:] = [code(card) for card in cards]

    def put_portrait(self, seat: int, cards: Sequence[Card | None]) -> None:
        """Lay cards on a portrait, row by row, and set the abbot to the sum of their beans."""
        assert len(cards) == SQUARES
        self.state.portrait[seat, :] = [code(card) for card in cards]
        self.state.abbot[seat] = sum(card[1] for card in cards if card)

    def put_pile(self, cards: Sequence[Card]) -> None:
        """Make the pile of these cards, all of them seen by nobody."""
        self.state.pile[:] = [sum(code(card) == c for card in cards) for c in range(CARDS)]
        self.state.pile_left, self.state.known_left = len(cards), 0

    def put_piles(self, hand: Sequence[int], low_benedicts: int = 0, high_benedicts: int = 0) -> None:
        """Make Henricus' piles of these cards; which of them lie on top is drawn."""
        self.state.hand[HENRICUS] = bits(*hand)
        self.state.low_benedicts, self.state.benedicts[HENRICUS] = low_benedicts, high_benedicts
        for pile in range(len(PILES)):
            turn_up(self.state, pile)

    def put_effect(self, effect: int) -> None:
        """Lay an arcade card where the general stands."""
        self.state.arcade[int(self.state.this_round) * 3 + int(self.state.this_phase)] = effect

    def order_kinds(self, *kinds: str) -> None:
        """Set the points card: Primus, Secundus, Tertius, and aequalis if there is a fourth; the beans are left
        aside."""
        for place, kind in enumerate(kinds):
            self.state.points_card[place] = code((kind, 0))
            if place < 3:
                self.state.vp_of[KINDS.index(kind)] = self.components.points[place]

    def play(self, *cards: int) -> Self:
        """Let the players play abbot cards, in their order."""
        for value in cards:
            assert self.asks == "abbot", self.asks
            self.take(thing=value)
        return self

    def scored(self) -> Any:
        """Go to the end of the game and return the outcome."""
        self.state.stage, self.state.turn = SCORE, 0
        return self.finish()

    def asked(self) -> tuple[str, int]:
        """Return what is asked, and who."""
        return ASKS[self.state.asks], int(self.state.player)

    def takers(self) -> list[tuple[str, int]]:
        """Play on, always the first option, while cards are taken; return who was asked what."""
        found = []
        while self.asks in ("take", "blind"):
            found.append(self.asked())
            self.choose(0)
        return found

    def imagined(self, seat: int, key: int) -> Any:
        """Return the state as a player may imagine it."""
        other = self.copy()
        self.game.imagine(other.components, other.state, seat, np.uint64(key))
        return other.state


def table(players: int = 4, changes: Sequence[str] = (), key: int = 1) -> Abbates:
    """Return a table with the first decision of the game asked."""
    made = Abbates(players, changes, key)
    made.advance()
    return made
