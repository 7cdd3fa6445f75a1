"""What is printed in Abbates: the model that a component file must fit."""

from typing import Annotated, Literal

from pydantic import Field, create_model, model_validator

from sim.abbates.state import (
    BEANS,
    BENEDICT,
    CORNER_NAMES,
    FACES,
    MISSION_NAMES,
    MOST_CARDS,
    ORDINARY,
    PALMS,
    PHASES,
    SIDE,
)
from sim.printed.components import TomlTable, refuse

Beans = Annotated[int, Field(ge=0, le=BEANS - 1)]
White = Annotated[int, Field(ge=0, le=9)]
Points = Annotated[int, Field(ge=0, le=99)]
Flag = Annotated[int, Field(ge=0, le=1)]
Few = Annotated[int, Field(ge=0, le=9)]
Deck = Annotated[list[Beans], Field(min_length=1, max_length=MOST_CARDS // 3)]
Row = Annotated[str, Field(pattern=f"^[pab.]{{{SIDE}}}$")]
Condition = Literal["low", "high", "odd", "even"]
Face = Annotated[list[Condition], Field(min_length=PHASES, max_length=PHASES)]
Effect = Literal["none", "discard", "look", "refill", "swap", "exchange", "move", "line", "remove", "draw", "nothing"]
Arcade = Annotated[list[Effect], Field(min_length=ORDINARY, max_length=ORDINARY)]


class Rules(TomlTable):
    """Readings of the rulebook, and what the players agree on."""

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


class Abbots(TomlTable):
    """White beans on each player's abbot cards, the last one a Benedict card."""

    white: list[White] = Field(min_length=BENEDICT, max_length=BENEDICT)


class Ora(TomlTable):
    """Conditions on the faces of the cards Ora et Labora, one face a round."""

    low_last: Annotated[int, Field(ge=1, le=BENEDICT)]
    faces: list[Face] = Field(min_length=FACES, max_length=FACES)


class PointsCard(TomlTable):
    """Points of a garden card of each kind, by the place of the kind."""

    primus: Points
    secundus: Points
    tertius: Points


class Lines(TomlTable):
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

    rows: list[Row] = Field(min_length=SIDE, max_length=SIDE)
    vp: Points
    halves: Flag
    palms: Annotated[int, Field(ge=1, le=3)]

    @model_validator(mode="after")
    def _purple(self) -> "Mission":
        if not all("p" in line for line in (*self.rows, *("".join(column) for column in zip(*self.rows)))):
            refuse(["rows"], "a purple square (p) in each row and each column")
        return self


Missions = create_model("Missions", __base__=TomlTable, **dict.fromkeys(MISSION_NAMES, (Mission, ...)))  # type: ignore[call-overload]


class Corner(TomlTable):
    """A corner card: points, Benedict cards for each own card in the Chapter Room, which card comes back."""

    vp: Points
    per_card: Few
    returns: Literal["lowest", "highest"]


Corners = create_model("Corners", __base__=TomlTable, **dict.fromkeys(CORNER_NAMES, (Corner, ...)))  # type: ignore[call-overload]


class Arcades(TomlTable):
    """What the arcade cards of each round do; palm cards lie in every round."""

    round1: Arcade
    round2: Arcade
    round3: Arcade
    round4: Arcade
    palms: Annotated[list[Effect], Field(min_length=PALMS, max_length=PALMS)]


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
