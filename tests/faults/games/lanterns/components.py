"""What the numbers in components.toml may be."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from sim.printed.model import TomlTable, refuse

MOST_CARDS, MOST_HAND = 18, 4


class Points(TomlTable):
    """What brings points."""

    gold: Annotated[int, Field(ge=1, le=10)]
    lantern: Annotated[int, Field(ge=1, le=5)]
    last: Annotated[int, Field(ge=0, le=10)]


class Rules(TomlTable):
    """Readings of the rules."""

    low: bool
    level: Literal["share", "lanterns"]


class Model(TomlTable):
    """A deck, hands, tricks, and what they bring."""

    cards: Annotated[int, Field(ge=12, le=MOST_CARDS)]
    hand: Annotated[int, Field(ge=2, le=MOST_HAND)]
    tricks: Annotated[int, Field(ge=1, le=6)]
    points: Points
    rules: Rules

    @model_validator(mode="after")
    def _enough_cards(self) -> "Model":
        if self.tricks > self.hand + (self.cards - 3 * self.hand) // 3:
            refuse(["tricks", "hand", "cards"], "cards enough for three players in each trick")
        return self
