"""What lies on the table in Abbates: cards, portraits, garden, the walk of the general, and the bean track. The rules
are in abbates.py."""

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from tests.reference.follow import Difference

KINDS = ("books", "windows", "artefacts")
ROUNDS, PHASES, LINES_A_ROUND = 4, 4, 3
BENEDICT = 14
LAST_OF_LOW_PILE = 7  # Henricus' piles are of the cards 1 to 7 and 8 to 13
SEEN_BY_LOOKING = 6
SOURCES = ("garden", "lines", "mission", "corners", "benedicts", "distance")

Card = list  # kind, black beans
Requests = Generator[Any, Any, None]

ROWS = {"top": [1, 2, 3], "middle": [4, 5, 6], "bottom": [7, 8, 9]}
COLUMNS = {"left": [1, 4, 7], "middle": [2, 5, 8], "right": [3, 6, 9]}
# The squares of each line, from the general on, in the order in which he visits them: clockwise round the garden, from
# the bottom left.
LINES = {
    1: ROWS["bottom"],
    2: ROWS["middle"],
    3: ROWS["top"],
    4: COLUMNS["left"],
    5: COLUMNS["middle"],
    6: COLUMNS["right"],
    7: ROWS["top"][::-1],
    8: ROWS["middle"][::-1],
    9: ROWS["bottom"][::-1],
    10: COLUMNS["right"][::-1],
    11: COLUMNS["middle"][::-1],
    12: COLUMNS["left"][::-1],
}


@dataclass
class Player:
    """One player: cards in hand, played, lost and won, and the portrait."""

    seat: int
    hand: list[int] = field(default_factory=lambda: list(range(1, BENEDICT)))
    benedicts: int = 0
    played: int | None = None
    discards: list[int] = field(default_factory=list)
    room: list[int] = field(default_factory=list)  # own cards in the Chapter Room
    ora: int | None = None
    bean: int = 0
    portrait: list = field(default_factory=lambda: [None] * 9)
    mission: str | None = None
    offered: list[str] = field(default_factory=list)  # missions to choose from
    starting_card: Card | None = None
    corner_points: int = 0

    @property
    def values(self) -> list[int]:
        """Values that the player holds, each once, a Benedict card as 14."""
        return [*self.hand, *([BENEDICT] if self.benedicts else [])]

    def give_up(self, value: int) -> None:
        """A card leaves the hand."""
        if value == BENEDICT:
            self.benedicts -= 1
        else:
            self.hand.remove(value)

    def take_back(self, value: int) -> None:
        """A card comes into the hand."""
        if value == BENEDICT:
            self.benedicts += 1
        else:
            self.hand = sorted([*self.hand, value])

    def place(self, card: Card, square: int) -> None:
        """Put a card on the portrait, perhaps on another one; the abbot moves by the difference of black beans."""
        covered = self.portrait[square - 1]
        self.bean += card[1] - (covered[1] if covered else 0)
        self.portrait[square - 1] = card

    def position(self) -> dict[str, Any]:
        return {
            "hand": self.hand,
            "benedicts": self.benedicts,
            "played": self.played,
            "discards": self.discards,
            "room": self.room,
            "ora": self.ora,
            "bean": self.bean,
            "portrait": self.portrait,
            "mission": self.mission,
            "starting_card": self.starting_card,
            "corner_points": self.corner_points,
        }


@dataclass
class Henricus:
    """The opponent in a game of one."""

    low: list[int]
    high: list[int]
    seat: int = 2
    played: int | None = None
    discards: list[int] = field(default_factory=list)
    room: list[int] = field(default_factory=list)
    low_top: int | None = None  # what lies open on his piles
    high_top: int | None = None
    cards: list[Card] = field(default_factory=list)
    step: int = 1  # row of the pawn on the solo card
    corner_points: int = 0

    @property
    def bean(self) -> int:
        return sum(beans for _, beans in self.cards)

    def take_back(self, value: int) -> str:
        """A card comes back to its pile, a Benedict card to the high one; which pile that is."""
        name = "low" if value <= LAST_OF_LOW_PILE else "high"
        setattr(self, name, sorted([*getattr(self, name), value]))
        return name

    def position(self) -> dict[str, Any]:
        return {
            "low": self.low,
            "high": self.high,
            "low_top": self.low_top,
            "high_top": self.high_top,
            "played": self.played,
            "discards": self.discards,
            "room": self.room,
            "bean": self.bean,
            "cards": sorted(self.cards, key=lambda card: (KINDS.index(card[0]), card[1])),
            "step": self.step,
            "corner_points": self.corner_points,
        }


Abbot = Player | Henricus


class Table:
    """The boards, the piles and the players."""

    def __init__(self, printed: dict[str, Any], players: int) -> None:
        self.printed = printed
        self.rules = printed["rules"]
        self.round, self.phase = 1, 1
        self.general = 0
        self.players = [Player(seat) for seat in range(1, players + 1)]
        self.henricus: Henricus | None = None
        if players == 1:
            level = printed["solo"][self.rules["solo_level"]]
            self.henricus = Henricus(
                list(range(1, LAST_OF_LOW_PILE + 1)) + [BENEDICT] * level["low_benedicts"],
                list(range(LAST_OF_LOW_PILE + 1, BENEDICT)) + [BENEDICT] * level["high_benedicts"],
            )
        self.abbots: list[Abbot] = [*self.players, *([self.henricus] if self.henricus else [])]
        self.starting: Abbot = self.abbots[-1] if self.henricus else self.abbots[0]

        # Garden cards that nobody has seen; those on top of the pile that somebody has looked at are in `known`.
        self.unseen = Counter((kind, beans) for kind in KINDS for beans in printed["garden"][kind])
        self.known: list[Card] = []
        self.points_card: list[Card | None] = []
        self.garden: list[Card | None] = [None] * 9
        self.refill: list[Card | None] = [None] * 3
        self.discard: list[Card] = []  # from the bottom
        self.arcade: list[str] = []

    # The pile

    @property
    def pile(self) -> int:
        """How many cards the pile has."""
        return len(self.known) + self.unseen.total()

    def reveal(self, card: Any) -> Card:
        """A card that nobody has seen turns up; it must be one that is left."""
        if not isinstance(card, list) or len(card) != 2 or not self.unseen[tuple(card)]:
            raise Difference(f"no card {card!r} can turn up, unseen are {dict(+self.unseen)}")
        self.unseen[tuple(card)] -= 1
        return card

    def take_top(self, card: Any) -> Card:
        """The uppermost card of the pile is taken: one that somebody has looked at, or else an unseen one."""
        if not self.known:
            return self.reveal(card)
        if card != self.known[0]:
            raise Difference(f"on top of the pile lies {self.known[0]}, the record has {card!r}")
        return self.known.pop(0)

    # Lines and kinds

    @property
    def line(self) -> int | None:
        """The line at which the general stands, none in phase 4."""
        return LINES_A_ROUND * (self.round - 1) + self.phase if self.phase < PHASES else None

    def on_line(self, line: int) -> list[int]:
        """The squares of a line that hold a card, from the general on."""
        return [square for square in LINES[line] if self.garden[square - 1]]

    def worth(self, kind: str) -> int:
        """Points of a card of a kind; reading: none without the points card, or for a kind that has no place on it."""
        for place, card in zip(("primus", "secundus", "tertius"), self.points_card):
            if card and card[0] == kind:
                return self.printed["points"][place]
        return 0

    def from_starting(self) -> list[Abbot]:
        """Everybody, from the starting player on."""
        first = self.abbots.index(self.starting)
        return self.abbots[first:] + self.abbots[:first]

    # Everything at once

    def position(self) -> dict[str, Any]:
        """All that lies on the table, in the record's form."""
        position = {
            "round": self.round,
            "phase": self.phase,
            "line": self.line,
            "starting": self.starting.seat,
            "general": self.general,
            "players": [player.position() for player in self.players],
        }
        if self.henricus:
            position["henricus"] = self.henricus.position()
        return position | {
            "garden": self.garden,
            "refill": self.refill,
            "discard": self.discard,
            "known": self.known,
            "pile": self.pile,
        }
