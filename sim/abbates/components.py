"""What is printed in Abbates: the model that a component file must fit, and what follows from it."""

from typing import Annotated, Literal

from pydantic import Field, create_model, model_validator

from sim.abbates.state import (
    AREAS,
    BEANS,
    BENEDICT,
    CARDS,
    CORNER_NAMES,
    FACES,
    GARDEN_PHASES,
    KINDS,
    LEVELS,
    MISSION_NAMES,
    MOST_CARDS,
    ORDINARY,
    PALMS,
    PHASES,
    ROUNDS,
    SIDE,
    Condition,
    Effect,
    Returned,
)
from sim.printed.model import TomlRow, TomlTable, refuse
from sim.printed.record import derived, exactly

Beans = Annotated[int, Field(ge=0, le=BEANS - 1)]
White = Annotated[int, Field(ge=0, le=9)]
Points = Annotated[int, Field(ge=0, le=99)]
Flag = Annotated[int, Field(ge=0, le=1)]
Few = Annotated[int, Field(ge=0, le=9)]
Deck = Annotated[list[Beans], Field(min_length=1, max_length=MOST_CARDS // 3)]
Row = Annotated[str, Field(pattern=f"^[pab.]{{{SIDE}}}$")]
Face = Annotated[list[Condition], exactly(PHASES)]
Arcade = Annotated[list[Effect], exactly(ORDINARY)]


class Rules(TomlTable):
    """Readings of the rulebook, and what the players agree on; in the record 0 for false or the first word."""

    palms: bool
    forced_duplicate: Literal["allowed", "skip"]
    discard_pick: Literal["any", "top"]
    missions_secret: bool
    missions_choice: Literal["one", "two", "three"]
    last_card_back: bool
    henricus_piles: Literal["face_up", "face_down"]
    henricus_step: Literal["wins", "phases"]
    henricus_left: Literal["next", "before"]
    arcade_actions: bool
    ora_et_labora: bool
    missions: bool
    points_card: bool
    solo_level: Literal["novice", "prior", "abbot"]


class Garden(TomlTable):
    """Black beans on each garden card."""

    books: Deck
    windows: Deck
    artefacts: Deck

    @derived
    def cards(self) -> Annotated[list[int], exactly(CARDS)]:
        """How many of each card there are in the deck."""
        return [getattr(self, kind).count(beans) for kind in KINDS for beans in range(BEANS)]

    @derived
    def cards_in_all(self) -> int:
        """How many cards there are in the deck."""
        return sum(self.cards)

    @derived
    def beans_in_all(self) -> int:
        """Black beans on all cards of the deck."""
        return sum(sum(getattr(self, kind)) for kind in KINDS)


class Abbots(TomlTable):
    """White beans on each player's abbot cards, the last one a Benedict card."""

    white: list[White] = exactly(BENEDICT)

    @derived
    def white_in_hand(self) -> int:
        """White beans on all cards of a hand at the start: those without the Benedict card."""
        return sum(self.white[: BENEDICT - 1])


class Ora(TomlTable):
    """Conditions on the faces of the cards Ora et Labora, one face a round."""

    low_last: Annotated[int, Field(ge=1, le=BENEDICT)]
    faces: list[Face] = exactly(FACES)


class PointsCard(TomlRow):
    """Points of a garden card of each kind, by the place of the kind."""

    primus: Points
    secundus: Points
    tertius: Points


class Lines(TomlRow):
    """Points of a row or column of the portrait, without the points card."""

    three_equal: Points
    two_equal: Points
    three_different: Points


class Track(TomlTable):
    """The bean track."""

    empty_square: Few


class Benedicts(TomlTable):
    """Benedict cards: points of each, those that a corner card brings included."""

    vp: Points


class Mission(TomlTable):
    """A mission: its squares, row by row; p = purple, a and b = the other areas."""

    rows: list[Row] = exactly(SIDE)
    vp: Points
    halves: Flag
    palms: Annotated[int, Field(ge=1, le=3)]

    @derived
    def areas(self) -> Annotated[list[int], exactly(AREAS)]:
        """Bit sets of the squares of each area; the first one is purple."""
        return [sum(1 << n for n, square in enumerate("".join(self.rows)) if square == area) for area in "pab"]

    @model_validator(mode="after")
    def _purple(self) -> "Mission":
        if not all("p" in line for line in (*self.rows, *("".join(column) for column in zip(*self.rows)))):
            refuse(["rows"], "a purple square (p) in each row and each column")
        return self


Missions = create_model("Missions", __base__=TomlRow, **dict.fromkeys(MISSION_NAMES, (Mission, ...)))  # type: ignore[call-overload]


class Corner(TomlTable):
    """A corner card: points, Benedict cards for each own card in the Chapter Room, which card comes back."""

    vp: Points
    per_card: Few
    returns: Returned


Corners = create_model("Corners", __base__=TomlRow, **dict.fromkeys(CORNER_NAMES, (Corner, ...)))  # type: ignore[call-overload]


class Arcades(TomlTable):
    """What the arcade cards of each round do; palm cards lie in every round."""

    round1: Arcade
    round2: Arcade
    round3: Arcade
    round4: Arcade
    palms: Annotated[list[Effect], exactly(PALMS)]

    @derived
    def rounds(self) -> Annotated[list[Arcade], exactly(ROUNDS)]:
        """The cards by round."""
        return [getattr(self, f"round{r + 1}") for r in range(ROUNDS)]


class Level(TomlTable):
    """A level of the solo game: palms on the mission, Benedict cards in Henricus' piles."""

    palms: Annotated[int, Field(ge=1, le=3)]
    low_benedicts: Few
    high_benedicts: Few


class Solo(TomlTable):
    """The solo game."""

    novice: Level
    prior: Level
    abbot: Level
    high_from: Annotated[int, Field(ge=1, le=SIDE)]

    @derived
    def levels(self) -> Annotated[list[Level], exactly(len(LEVELS))]:
        """The levels, by `rules.solo_level`."""
        return [getattr(self, level) for level in LEVELS]


def lines() -> list[list[int]]:
    """Return the squares of each line in the order of the game, each from the general: he walks round the garden
    clockwise.

    Round 1: rows, from the bottom to the top; round 2: columns, from the left; round 3: rows, from the top;
    round 4: columns, from the right.
    """
    rows = [[SIDE * row + column for column in range(SIDE)] for row in range(SIDE)]
    columns = [[SIDE * row + column for row in range(SIDE)] for column in range(SIDE)]
    return [*rows[::-1], *columns, *(row[::-1] for row in rows), *(column[::-1] for column in columns[::-1])]


class Model(TomlTable):
    """Everything that is printed."""

    rules: Rules
    garden: Garden
    abbots: Abbots
    ora: Ora
    points: PointsCard
    lines: Lines
    track: Track
    benedicts: Benedicts
    missions: Missions
    corners: Corners
    arcade: Arcades
    solo: Solo

    @derived
    def line(self) -> Annotated[list[Annotated[list[int], exactly(SIDE)]], exactly(ROUNDS * GARDEN_PHASES)]:
        """The squares of each line, in the order of the game; see `lines`."""
        return lines()
