"""Moesteiro: everything that is counted, counted again from the record of a game."""

from collections.abc import Iterable
from functools import cache

from sim.recounting import BaseTally, Figures, Line, RecountError

SOURCES = ("kings", "village", "food", "building", "unfinished", "labour", "sets", "track", "start")
AREAS = ("forest", "village", "quarry", "crane", "window")
MATERIALS = ("wood", "stone", "lintel", "column")
ROUNDS = range(1, 6)
PLACES = ("first", "second", "third", "fourth")
LARGEST_VILLAGE = 5  # rows, and spaces in a row


def blank() -> Figures:
    """The figures of a player who has done nothing yet."""
    tiles = [f"{construction_set}{number}" for construction_set in "ab" for number in range(1, 21)]
    sides = range(1, LARGEST_VILLAGE + 1)
    numbers = [
        *(f"points.{source}" for source in SOURCES),
        *(f"after.round{number}" for number in ROUNDS),
        *(f"dice.{area}" for area in AREAS),
        *(f"passes.{area}" for area in AREAS),
        "pips_bought",
        *(f"purchase.{thing}" for thing in (*MATERIALS, "stonework", "glass")),
        *(f"village_tile.{number}" for number in range(1, 25)),
        *(f"village_space.{row}.{space}" for row in sides for space in sides),
        *(f"completed.{tile}" for tile in tiles),
        *(f"unfinished.{tile}" for tile in tiles),
    ]
    categories = [f"{name}.round{number}" for name in ("king", "king_choice", "turn_order") for number in ROUNDS]
    return dict.fromkeys(numbers, 0) | dict.fromkeys(categories)


def in_order(counts: Iterable[int]) -> tuple[int, ...]:
    """Return how many tiles there are of each kind, the most first: which kinds they are does not matter for sets."""
    return tuple(sorted(filter(None, counts), reverse=True))


@cache
def best_sets(tiles: tuple[int, ...], points: tuple[int, ...]) -> int:
    """Return the most points of tiles that are put into sets of different ones; a set takes the kinds of which there
    are most.

    Args:
        tiles: how many of each kind, the most first. points: for a set of 1, 2, … tiles.
    """
    sizes = range(1, min(len(tiles), len(points)) + 1)
    rests = {size: in_order(count - (kind < size) for kind, count in enumerate(tiles)) for size in sizes}
    return max((points[size - 1] + best_sets(rest, points) for size, rest in rests.items()), default=0)


class MoesteiroTally(BaseTally):
    """What the players of one game have done so far; players are counted from 1.

    Attributes:
        printed: what is printed. figures, food, labour: by player. round: from 1.
        king: of this round, by player, in the order of choice. tile: the construction tile that is being built.
    """

    def __init__(self, first: Line):
        """Begin with the first line of a record."""
        self.printed = first["printed"]
        players = range(1, first["players"] + 1)
        start = {player: self.printed["start"][f"seat{player}"] for player in players}
        self.figures = {player: blank() for player in players}
        self.food = {player: start[player]["food"] for player in players}
        self.labour = {
            player: self.printed["tracks"]["labour"]["start"] + start[player]["labour"] for player in players
        }
        self.round, self.king, self.tile = 1, dict[int, str](), ""
        for player in players:
            self.score(player, "start", start[player]["vp"])

    def score(self, player: int, source: str, points: int) -> None:
        self.figures[player][f"points.{source}"] += points

    def total(self, player: int) -> int:
        return sum(self.figures[player][f"points.{source}"] for source in SOURCES)

    def add(self, player: int, name: str, how_many: int = 1) -> None:
        self.figures[player][name] += how_many

    def move(self, player: int, track: str, steps: int) -> None:
        """Steps down the food track or to the right on the labour track; those beyond its end are points."""
        printed = self.printed["tracks"][track]
        places, last = (self.food, printed["last"]) if track == "food" else (self.labour, len(printed["vp"]) - 1)
        beyond = max(0, places[player] + steps - last)
        places[player] += steps - beyond
        self.score(player, track, beyond * printed["overflow_vp"])

    def decided(self, player: int, asks: str, option: Line) -> None:
        """A player has chosen an option."""
        if asks in AREAS:
            self.acted(player, asks, option)
        elif asks == "place" and "area" in option:
            self.add(player, f"dice.{option['area']}")
        elif asks == "place":
            self.move(player, "labour", option["pass"])
        elif asks == "tracks":
            for track in {"food", "labour"} & set(option["tracks"]):
                self.move(player, track, 1)
        elif asks == "king":
            self.king[player] = option["king"]
            power = self.printed["kings"][option["king"]]
            self.score(player, "kings", power["vp"])
            self.move(player, "labour", power["labour"])
        elif asks == "space":
            self.add(player, f"village_space.{option['row']}.{option['space']}")
            space = self.printed["village"]["spaces"][option["row"] - 1][option["space"] - 1]
            self.score(player, "village", space["vp"])
            if space["bonus"] in ("food", "labour"):
                self.move(player, space["bonus"], 1)
        elif asks == "unused":
            self.move(player, "labour", option["steps"])
        elif asks == "purchase" and option["buy"]:
            self.add(player, f"purchase.{option['buy']}")
            self.move(player, "labour", -option["labour"])
        elif asks == "build":
            self.tile = option["tile"]
        elif asks == "materials":
            self.built(player, option)

    def acted(self, player: int, area: str, option: Line) -> None:
        """A die has acted, or passed."""
        if "pass" in option:
            self.add(player, f"passes.{area}")
            self.move(player, "labour", option["pass"])
            return
        bought = option.get("bought", 0)
        self.add(player, "pips_bought", bought)
        self.move(player, "labour", -bought)
        if area == "forest":
            self.move(player, "food", option["food"])
        elif area == "village":
            self.add(player, f"village_tile.{option['tile']}")
        elif area == "window" and option["place"] == len(self.printed["window"]["pips"]):
            self.move(player, "food", self.printed["window"]["top_food"])

    def built(self, player: int, put_in: Line) -> None:
        """A construction tile has got its materials. Icons are paid, on an incomplete tile only under one reading."""
        printed, completes = self.printed["construction"], put_in["completes"]
        section = printed[self.tile[0]][int(self.tile[1:]) - 1]
        self.add(player, f"{'completed' if completes else 'unfinished'}.{self.tile}")
        if completes:
            self.score(player, "building", section["vp"])
        else:
            self.score(player, "unfinished", printed["unfinished_vp"] * sum(put_in[material] for material in MATERIALS))
        if completes or self.printed["rules"]["incomplete_icons"] == "owed":
            for track, place in (("food", self.food), ("labour", self.labour)):
                self.move(player, track, -min(place[player], section[track]))

    def ended(self, phase: str, position: Line) -> None:
        """A phase has ended."""
        told = dict(enumerate(position["players"], 1))
        if phase == "kings":
            order = sorted(self.king, key=lambda player: self.printed["kings"][self.king[player]]["number"])
            for place, player in enumerate(self.king):
                self.figures[player][f"king.round{self.round}"] = self.king[player]
                self.figures[player][f"king_choice.round{self.round}"] = PLACES[place]
                self.figures[player][f"turn_order.round{self.round}"] = PLACES[order.index(player)]
        elif phase == "building":
            for player in self.figures:
                self.figures[player][f"after.round{self.round}"] = self.total(player)
            self.round, self.king = self.round + 1, {}
        elif phase == "scoring":
            for player in self.figures:
                tiles = in_order([*told[player]["stonework"], *told[player]["glass"]])
                self.score(player, "sets", best_sets(tiles, tuple(self.printed["sets"]["vp"])))
                self.score(player, "track", self.printed["tracks"]["labour"]["vp"][self.labour[player]])
            most = max(self.total(player) for player in self.figures)
            winner = next(player for player in position["labour_order"] if self.total(player) == most)
            for player, mine in self.figures.items():
                mine |= {"score": self.total(player), "share": float(player == winner)}
        for player in self.figures:
            ours = self.food[player], self.labour[player], self.total(player)
            if ours != (theirs := tuple(told[player][name] for name in ("food", "labour", "score"))):
                where = f"{phase}, round {self.round}, player {player}"
                raise RecountError(f"{where}: food, labour, score are {ours}, the record has {theirs}")


recount = MoesteiroTally.recount
