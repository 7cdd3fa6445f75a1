"""What is printed on the tiles of Moesteiro, and on the spaces that they go to."""

import math
from typing import Annotated

from pydantic import Field, model_validator

from sim.compiled import in_python
from sim.moesteiro import purse
from sim.moesteiro.purse import MATERIALS
from sim.moesteiro.state import (
    CONSTRUCTION_TILES,
    GLASS_KINDS,
    MOST_ROWS,
    MOST_SPACES,
    STONEWORK_KINDS,
    VILLAGE_TILES,
    Bonus,
)
from sim.printed.model import TomlTable, refuse
from sim.printed.record import derived, exactly

# What the engine can carry, wider than what is plausible. A lane of a purse ends at 2,047; the most that these limits
# let a player have of one material is some 800: 20 at the start, in each of five rounds and from each King, and six or
# 20 with each of 30 dice.

Few = Annotated[int, Field(ge=0, le=9)]
Amount = Annotated[int, Field(ge=0, le=20)]
Points = Annotated[int, Field(ge=0, le=99)]
Show = Annotated[int, Field(ge=1, le=4)]  # five rounds long: there are 24 village tiles and 20 construction tiles

MOST_WAYS = 128  # ways to put in materials that the list of options has room for


class Goods(TomlTable):
    """Wood, stone, lintels, columns."""

    wood: Amount
    stone: Amount
    lintel: Amount
    column: Amount

    @derived
    def goods(self) -> int:
        """All four as a purse."""
        return int(in_python(purse.goods)(self.wood, self.stone, self.lintel, self.column))


class Box(TomlTable):
    """Stonework or stained glass tiles, of up to four kinds."""

    tiles: Annotated[int, Field(ge=1, le=99)]
    kinds: Annotated[int, Field(ge=1, le=min(STONEWORK_KINDS, GLASS_KINDS))]

    def of_kind(self, most: int) -> list[int]:
        """Return how many there are of each of at most so many kinds: equal numbers, the first kinds one more where it
        does not divide."""
        share, more = divmod(self.tiles, self.kinds)
        return [share + (kind < more) if kind < self.kinds else 0 for kind in range(most)]


class Sets(TomlTable):
    """Points for sets of 1 to 5 different tiles."""

    vp: list[Points] = exactly(5)

    @derived
    def of_size(self) -> Annotated[list[int], exactly(6)]:
        """Points of a set by its number of different tiles, from 0."""
        return [0, *self.vp]


class Space(TomlTable):
    """A space of the village."""

    vp: Points
    bonus: Bonus


class VillageTile(TomlTable):
    """What a village tile costs."""

    wood: Few
    stone: Few
    pips: Annotated[int, Field(ge=0, le=6)]  # a die never exceeds six

    @derived
    def goods(self) -> int:
        """Wood and stone as a purse."""
        return int(in_python(purse.goods)(self.wood, self.stone, 0, 0))


class Village(TomlTable):
    """Area II and the village."""

    on_show: Show
    spaces: list[Annotated[list[Space], Field(min_length=3, max_length=MOST_SPACES)]] = Field(
        min_length=3, max_length=MOST_ROWS
    )
    tiles: list[VillageTile] = exactly(VILLAGE_TILES)

    @derived
    def rows(self) -> int:
        """How many rows of spaces there are."""
        return len(self.spaces)

    @derived
    def row_spaces(self) -> int:
        """How many spaces a row has."""
        return len(self.spaces[0])

    @derived
    def space(self) -> Annotated[list[Space], Field(max_length=MOST_ROWS * MOST_SPACES)]:
        """The spaces row by row, `row_spaces` to a row."""
        return [space for row in self.spaces for space in row]

    @model_validator(mode="after")
    def _rectangle(self) -> "Village":
        for n, row in enumerate(self.spaces, 1):
            if len(row) != len(self.spaces[0]):
                refuse(
                    [f"spaces.{n}", "spaces.1", "spaces"], f"rows of one length ({len(self.spaces[0])} in the first)"
                )
        return self


class ConstructionTile(Goods):
    """Points, steps down, materials and icons of a section."""

    vp: Points
    steps: Few
    food: Few
    labour: Few
    stonework: Few
    glass: Few

    @model_validator(mode="after")
    def _ways(self) -> "ConstructionTile":
        ways = math.prod(getattr(self, material) + 1 for material in MATERIALS)
        if ways > MOST_WAYS:
            refuse(
                MATERIALS, f"fewer materials on one tile: they can be put in in {ways} ways, {MOST_WAYS} are the most"
            )
        return self


class Construction(TomlTable):
    """The two sets of sections, numbered from 1."""

    on_show: Show
    level_one: Annotated[int, Field(ge=0, le=CONSTRUCTION_TILES)]
    unfinished_vp: Points
    a: list[ConstructionTile] = exactly(CONSTRUCTION_TILES)
    b: list[ConstructionTile] = exactly(CONSTRUCTION_TILES)

    @derived
    def tiles(self) -> Annotated[list[ConstructionTile], exactly(2 * CONSTRUCTION_TILES)]:
        """Set A, then set B."""
        return [*self.a, *self.b]
