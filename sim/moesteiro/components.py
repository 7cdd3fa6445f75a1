"""What is printed in Moesteiro: the model that a component file must fit, and what follows from it."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from sim.moesteiro.purse import MATERIALS
from sim.moesteiro.state import (
    AREAS,
    GLASS_KINDS,
    KINDS,
    KINGS,
    MOST_CRANE,
    MOST_DICE,
    MOST_LABOUR,
    MOST_WINDOW,
    ROUNDS,
    STONEWORK_KINDS,
)
from sim.moesteiro.tiles import Amount, Box, Construction, Few, Goods, Points, Sets, Village
from sim.printed.model import TomlRow, TomlTable, refuse
from sim.printed.record import derived, exactly

# The limits are what the engine can carry, wider than what is plausible; more on them in tiles.py.

Face = Annotated[int, Field(ge=1, le=6)]
Flag = Annotated[int, Field(ge=0, le=1)]
Seven = Annotated[int, Field(ge=0, le=7)]  # spaces of a row
Price = Annotated[int, Field(ge=1, le=9)]  # pips for one piece: none is free, or there would be no end of them
Track = Annotated[int, Field(ge=1, le=30)]
Labour = Annotated[int, Field(ge=0, le=MOST_LABOUR - 1)]


class Rules(TomlTable):
    """Readings of the rulebook: the default is the first word, or false; in the record that is 0."""

    displays: Literal["after_kings", "before_kings"]
    round2_order: Literal["labour", "seat"]
    labour_arrival: Literal["top", "bottom"]
    unused_pips: Literal["one_step", "per_pip"]
    pass_steps: Literal["two", "up_to_two"]
    village_tile_bonus: Literal["pile", "display"]
    crane_slide: Literal["close_gaps", "one_step"]
    window_cost: Literal["printed", "uncovered"]
    reshuffle: bool
    incomplete_icons: Literal["waived", "owed"]
    purchase_tiles: bool
    construction_set: Literal["a", "b", "mixed"]


class Dice(TomlTable):
    """Faces."""

    master: list[Face] = exactly(6)
    worker: list[Face] = exactly(6)


class Event(Goods):
    """A round: dice of a player, what each takes, on how many tracks each moves."""

    workers: Annotated[int, Field(ge=0, le=MOST_DICE)]
    masters: Annotated[int, Field(ge=0, le=MOST_DICE)]
    tracks: Annotated[int, Field(ge=0, le=3)]

    @model_validator(mode="after")
    def _hand(self) -> "Event":
        if not 1 <= self.workers + self.masters <= MOST_DICE:
            refuse(["workers", "masters"], f"1 to {MOST_DICE} workers and masters together")
        return self


class Rounds(TomlTable):
    """The five rounds."""

    events: list[Event] = exactly(ROUNDS)


class King(TomlTable):
    """A King's order number and powers."""

    number: Annotated[int, Field(ge=1, le=99)]
    labour: Few
    vp: Points
    stone: Amount
    gift: Annotated[int, Field(ge=0, le=6)]
    construction: Few
    builds_first: Flag


class Kings(TomlRow):
    """The six Kings."""

    joao_i: King
    afonso_v: King
    duarte: King
    joao_ii: King
    joao_iii: King
    manuel_i: King

    @model_validator(mode="after")
    def _order(self) -> "Kings":
        numbers = [getattr(self, king).number for king in KINGS]
        same = [f"{king}.number" for king, number in zip(KINGS, numbers) if numbers.count(number) > 1]
        if same:
            refuse(same, f"a number that no other King has (twice now: {', '.join(key.split('.')[0] for key in same)})")
        return self


class Seat(Goods):
    """What one seat begins with beyond the others."""

    food: Few
    labour: Few
    construction: Few
    vp: Points


class Start(TomlRow):
    """Seats 1 to 4."""

    seat1: Seat
    seat2: Seat
    seat3: Seat
    seat4: Seat


class Spaces(TomlRow):
    """Spaces for dice; a row carries seven."""

    forest: Annotated[int, Field(ge=1, le=7)]
    village: Annotated[int, Field(ge=1, le=7)]
    quarry: Annotated[int, Field(ge=1, le=7)]
    crane: Annotated[int, Field(ge=1, le=MOST_CRANE)]
    window: Annotated[int, Field(ge=1, le=MOST_WINDOW)]


class ByArea(TomlRow):
    """A number for each area."""

    forest: Seven
    village: Seven
    quarry: Seven
    crane: Seven
    window: Seven


class ByPlayers(TomlRow):
    """The same for each number of players."""

    players2: ByArea
    players3: ByArea
    players4: ByArea


class Areas(TomlTable):
    """Spaces of the areas and what the number of players changes."""

    spaces: Spaces
    closed: ByPlayers
    neutral: ByPlayers

    @derived
    def open(self) -> Annotated[list[Annotated[list[int], exactly(len(AREAS))]], exactly(3)]:
        """Spaces that are open, by number of players, from 2, and area."""
        shut = self.closed.players2, self.closed.players3, self.closed.players4
        return [[getattr(self.spaces, area) - getattr(closed, area) for area in AREAS] for closed in shut]

    @model_validator(mode="after")
    def _free(self) -> "Areas":
        for players in ("players2", "players3", "players4"):
            for area in AREAS:
                spaces = getattr(self.spaces, area)
                closed, neutral = (getattr(getattr(table, players), area) for table in (self.closed, self.neutral))
                if closed + neutral >= spaces:
                    keys = [f"neutral.{players}.{area}", f"closed.{players}.{area}", f"spaces.{area}"]
                    refuse(
                        keys, f"numbers that leave a free space ({spaces} spaces, {closed} closed, {neutral} neutral)"
                    )
        return self


class Forest(TomlTable):
    """Area I."""

    near_spaces: Seven
    near_pips: Price
    far_pips: Price
    food_pips: Price


class Quarry(TomlTable):
    """Area III."""

    stone_pips: Price
    lintel_pips: Price
    column_pips: Price
    lintel_divisor: Annotated[int, Field(ge=1, le=99)]
    column_divisor: Annotated[int, Field(ge=1, le=99)]
    highest_from_round: Annotated[int, Field(ge=1, le=ROUNDS + 1)]

    @derived
    def pips(self) -> Annotated[list[int], exactly(len(MATERIALS))]:
        """Pips for a piece of each material; wood is not for sale: 0."""
        return [0, self.stone_pips, self.lintel_pips, self.column_pips]


class Crane(TomlTable):
    """Area IV."""

    steps: list[Few] = Field(min_length=1, max_length=MOST_CRANE)
    last_wood: Amount


class Window(TomlTable):
    """Area V."""

    pips: list[Annotated[int, Field(ge=0, le=20)]] = Field(min_length=1, max_length=MOST_WINDOW)
    top_food: Few

    @model_validator(mode="after")
    def _rising(self) -> "Window":
        for n in range(1, len(self.pips)):
            if self.pips[n] < self.pips[n - 1]:
                refuse([f"pips.{n + 1}", f"pips.{n}"], "costs that do not fall from the bottom up")
        return self


class FoodTrack(TomlTable):
    """Spaces from 0 and what they open."""

    last: Track
    per_row: Annotated[int, Field(ge=1, le=9)]
    overflow_vp: Points


class LabourTrack(TomlTable):
    """An odd number of spaces; start in the middle."""

    start: Labour
    vp: list[Points] = Field(min_length=9, max_length=MOST_LABOUR)
    overflow_vp: Points
    pass_steps: Few

    @derived
    def last(self) -> int:
        """The rightmost space, counted from 0."""
        return len(self.vp) - 1

    @model_validator(mode="after")
    def _middle(self) -> "LabourTrack":
        spaces = len(self.vp)
        if spaces % 2 == 0:
            refuse(["vp"], "an odd number of spaces: 9, 11, 13 or 15")
        if self.start != spaces // 2:
            refuse(["start", "vp"], f"start = {spaces // 2}, the middle of {spaces} spaces")
        return self


class ConstructionTrack(TomlTable):
    """Spaces from 0."""

    start: Annotated[int, Field(ge=0, le=30)]
    last: Track

    @model_validator(mode="after")
    def _within(self) -> "ConstructionTrack":
        if self.start > self.last:
            refuse(["start", "last"], f"start up to last ({self.start}, {self.last})")
        return self


class Tracks(TomlTable):
    """The three tracks."""

    food: FoodTrack
    labour: LabourTrack
    construction: ConstructionTrack


class Purchase(TomlRow):
    """Labour steps for what the top of the construction track sells."""

    wood: Labour
    stone: Labour
    lintel: Labour
    column: Labour
    stonework: Labour
    glass: Labour


def _start_on_tracks(start: Start, tracks: Tracks) -> None:
    """Refuse a start beyond the end of a track."""
    ends = {"food": tracks.food.last, "labour": len(tracks.labour.vp) - 1, "construction": tracks.construction.last}
    begins = {"food": 0, "labour": tracks.labour.start, "construction": tracks.construction.start}
    for n in range(1, 5):
        for track, end in ends.items():
            steps = getattr(getattr(start, f"seat{n}"), track)
            if begins[track] + steps > end:
                keys = [f"start.seat{n}.{track}", f"tracks.{track}"]
                refuse(keys, f"at most {end - begins[track]} steps from the start of the track to its end")


class Model(TomlTable):
    """Everything printed in Moesteiro, in the order of components.toml."""

    rules: Rules
    dice: Dice
    rounds: Rounds
    kings: Kings
    start: Start
    areas: Areas
    forest: Forest
    quarry: Quarry
    crane: Crane
    window: Window
    tracks: Tracks
    purchase: Purchase
    stonework: Box
    glass: Box
    sets: Sets
    village: Village
    construction: Construction

    @derived
    def tiles(self) -> Annotated[list[int], exactly(KINDS)]:
        """How many stonework and glass tiles of each kind are in the box."""
        return [*self.stonework.of_kind(STONEWORK_KINDS), *self.glass.of_kind(GLASS_KINDS)]

    @model_validator(mode="after")
    def _displays(self) -> "Model":
        _start_on_tracks(self.start, self.tracks)
        slots = self.areas.spaces.crane
        if len(self.crane.steps) != slots:
            refuse(
                ["areas.spaces.crane", "crane.steps"],
                f"a step number for each slot ({slots} slots, {len(self.crane.steps)} numbers)",
            )
        if self.forest.near_spaces > self.areas.spaces.forest:
            refuse(
                ["forest.near_spaces", "areas.spaces.forest"],
                f"near_spaces up to the spaces of the forest, {self.areas.spaces.forest}",
            )
        for name, box, show in (("stonework", self.stonework, slots), ("glass", self.glass, len(self.window.pips))):
            if box.tiles < show:
                refuse([f"{name}.tiles"], f"at least as many as are on show, {show}")
            if box.kinds > box.tiles:
                refuse([f"{name}.kinds", f"{name}.tiles"], f"no more kinds than tiles, {box.tiles}")
        return self
