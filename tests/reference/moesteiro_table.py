"""What lies on the table in Moesteiro, how it is set up, and how it moves: stocks, tracks, piles. The rules are in
moesteiro.py."""

from dataclasses import dataclass, field
from typing import Any

from tests.reference.follow import Difference

AREAS = ("forest", "village", "quarry", "crane", "window")
MATERIALS = ("wood", "stone", "lintel", "column")
TRACKS = ("food", "labour", "construction")
SOURCES = ("start", "kings", "village", "food", "labour", "building", "unfinished", "sets", "track")


@dataclass
class Player:
    """One player: markers, stock and dice."""

    seat: int
    stock: dict[str, int]  # wood, stone, lintel, column
    tiles: dict[str, list[int]]  # stonework, glass: how many of each kind
    food: int = 0
    labour: int = 0
    construction: int = 0
    king: str | None = None
    hand: list = field(default_factory=list)  # dice not yet placed, the lowest first
    points: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SOURCES, 0))  # by source

    @property
    def score(self) -> int:
        return sum(self.points.values())


class Table:
    """The board, the piles and the players."""

    def __init__(self, printed: dict[str, Any], players: int) -> None:
        self.printed = printed
        self.rules = printed["rules"]
        self.round = 1  # reading: in the first round the marker starts in the first box, it is not moved there
        kinds = {what: printed[what]["kinds"] for what in ("stonework", "glass")}

        # Dice: areas hold dice from the left, each [kind, value, seat], seat 0 for a neutral one.
        for_count = f"players{players}"
        self.areas: dict[str, list] = {area: [] for area in AREAS}
        self.room = {
            area: printed["areas"]["spaces"][area] - printed["areas"]["closed"][for_count][area] for area in AREAS
        }
        self.neutral = printed["areas"]["neutral"][for_count]

        # Piles. Of stonework and glass only the numbers by kind are known, of village and construction what has not
        # been seen yet.
        self.piles = {what: shared_out(printed[what]["tiles"], kinds[what]) for what in kinds}
        self.discarded = {what: [0] * kinds[what] for what in kinds}
        self.village_pile = set(range(1, len(printed["village"]["tiles"]) + 1))
        self.construction_pile = set(range(1, len(printed["construction"]["a"]) + 1))

        # Displays. Reading: tiles lie above all slots of the crane, also above one that a smaller number of players
        # closes for dice.
        self.village: list = [None] * printed["village"]["on_show"]
        self.crane: list = [None] * len(printed["crane"]["steps"])
        self.site: list = [None] * printed["construction"]["on_show"]
        self.window: list = [None] * len(printed["window"]["pips"])
        self.quarry = {"lintel": 0, "column": 0}
        self.spaces = [[0] * len(row) for row in printed["village"]["spaces"]]

        # Each space of the labour track holds a stack of markers, the top one first.
        self.labour_track: list[list[Player]] = [[] for _ in printed["tracks"]["labour"]["vp"]]
        self.players = [
            Player(seat, dict.fromkeys(MATERIALS, 0), {what: [0] * kinds[what] for what in kinds})
            for seat in range(1, players + 1)
        ]
        self.set_up()

    def set_up(self) -> None:
        """Markers on their first spaces; what a seat begins with beyond the others."""
        tracks = self.printed["tracks"]
        # Reading: markers are set down on the space on which they begin, extra steps included, the last seat first: so
        # the first lies on top, on whatever space.
        for player in reversed(self.players):
            extra = self.printed["start"][f"seat{player.seat}"]
            for material in MATERIALS:
                player.stock[material] = extra[material]
            self.score(player, extra["vp"], "start")
            self.step_food(player, extra["food"])
            player.construction = tracks["construction"]["start"]
            self.step_construction(player, extra["construction"])
            player.labour = tracks["labour"]["start"] + extra["labour"]
            beyond = max(0, player.labour - self.end_of_labour)
            player.labour -= beyond
            self.score(player, beyond * tracks["labour"]["overflow_vp"], "labour")
            self.labour_track[player.labour].insert(0, player)

    # Points and tracks

    def score(self, player: Player, points: int, source: str) -> None:
        """Points, and where they came from."""
        player.points[source] += points

    @property
    def end_of_labour(self) -> int:
        return len(self.labour_track) - 1

    @property
    def labour_order(self) -> list[Player]:
        """Players from the left end of the labour track to the right, on one space from the top of the stack down."""
        return [player for stack in self.labour_track for player in stack]

    def step(self, player: Player, track: str, steps: int = 1) -> None:
        """Steps forward on one of the three tracks."""
        if track == "food":
            self.step_food(player, steps)
        elif track == "labour":
            self.step_labour(player, steps)
        else:
            self.step_construction(player, steps)

    def step_food(self, player: Player, steps: int) -> None:
        """Steps down the food track; at its bottom each gives points instead."""
        food = self.printed["tracks"]["food"]
        for _ in range(steps):
            if player.food < food["last"]:
                player.food += 1
            else:
                self.score(player, food["overflow_vp"], "food")

    def step_construction(self, player: Player, steps: int) -> None:
        """Steps up the construction track; those beyond its top are lost."""
        player.construction = min(player.construction + steps, self.printed["tracks"]["construction"]["last"])

    def step_labour(self, player: Player, steps: int) -> None:
        """Steps to the right on the labour track; at its right end each gives points instead."""
        beyond = max(0, player.labour + steps - self.end_of_labour)
        self.score(player, beyond * self.printed["tracks"]["labour"]["overflow_vp"], "labour")
        self.move_labour_marker(player, player.labour + steps - beyond)

    def pay_labour(self, player: Player, steps: int) -> None:
        """Steps to the left on the labour track, which never go below its left end."""
        if steps > player.labour:
            raise Difference(f"player {player.seat} cannot pay {steps} labour steps")
        self.move_labour_marker(player, player.labour - steps)

    def move_labour_marker(self, player: Player, space: int) -> None:
        """A marker that arrives on a space goes on top of the others (or under them); one that stays where it is keeps
        its place."""
        if space == player.labour:
            return
        self.labour_track[player.labour].remove(player)
        stack = self.labour_track[space]
        stack.insert(0 if self.rules["labour_arrival"] == "top" else len(stack), player)
        player.labour = space

    # Piles of stonework and glass

    def can_draw(self, what: str) -> bool:
        """Whether there is a tile to draw: on the pile or, with `reshuffle`, among the discards."""
        return any(self.piles[what]) or (self.rules["reshuffle"] and any(self.discarded[what]))

    def renew(self, what: str) -> None:
        """A tile has to be drawn: if the pile is empty, the discards become the pile, with `reshuffle`."""
        if self.rules["reshuffle"] and not any(self.piles[what]):
            self.piles[what], self.discarded[what] = self.discarded[what], self.piles[what]

    def draw(self, what: str, kind: Any) -> None:
        """Take the tile that chance has drawn from its pile."""
        pile = self.piles[what]
        if type(kind) is not int or not 1 <= kind <= len(pile) or pile[kind - 1] == 0:
            raise Difference(f"no {what} tile of kind {kind!r} can be drawn, the pile has, by kind, {pile}")
        pile[kind - 1] -= 1

    # Everything at once

    def position(self) -> dict[str, Any]:
        """All that lies on the table, in the record's form."""
        return {
            "round": self.round,
            "players": [
                {
                    "score": player.score,
                    **player.stock,
                    "food": player.food,
                    "labour": player.labour,
                    "construction": player.construction,
                    **player.tiles,
                    "king": player.king,
                    "hand": player.hand,
                }
                for player in self.players
            ],
            "labour_order": [player.seat for player in self.labour_order],
            "areas": self.areas,
            "quarry": self.quarry,
            "village": self.village,
            "spaces": self.spaces,
            "crane": self.crane,
            "site": self.site,
            "window": self.window,
            "left": {
                "village": len(self.village_pile),
                "construction": len(self.construction_pile),
                "stonework": sum(self.piles["stonework"]),
                "glass": sum(self.piles["glass"]),
            },
            "discarded": self.discarded,
        }


def shared_out(tiles: int, kinds: int) -> list[int]:
    """How many tiles there are of each kind: equal numbers, as nearly as it goes, the first kinds having one more."""
    return [tiles // kinds + (kind < tiles % kinds) for kind in range(kinds)]
