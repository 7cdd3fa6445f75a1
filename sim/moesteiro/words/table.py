"""The table of Moesteiro while a game is told: moved by what is told, and saying what each move comes to."""

from functools import cache
from typing import Any

from sim.moesteiro.words.names import AREAS, MATERIALS, TILES, count, goods, steps, tile_of

Values = dict[str, Any]
Set = tuple[int, ...]


def plain(value: Any) -> Any:
    """Return a copy of a part of a record, with lists for tuples."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


class Tabletop:
    """Where everything lies, as a position of the record has it.

    A method that moves something for a player (seats from 0) returns what has come of it, in words.

    Attributes:
        printed: every number. seats: how many. sources: by seat, points by source.
        players, areas, …: the fields of a position.
        acting: area and place of the die that acts, from 0. bonus: of the village space that was built on last.
    """

    def __init__(self, printed: Values, seats: int):
        """Set the table."""
        self.printed, self.seats, self.sources = printed, seats, [dict[str, int]() for _ in range(seats)]
        labour, construction = printed["tracks"]["labour"]["start"], printed["tracks"]["construction"]["start"]
        self.players: list[Values] = []
        for seat in range(seats):
            extra = printed["start"][f"seat{seat + 1}"]
            tracks = {
                "food": extra["food"],
                "labour": labour + extra["labour"],
                "construction": construction + extra["construction"],
            }
            tiles = {kind: [0] * printed[kind]["kinds"] for kind in TILES}
            held = {name: extra[name] for name in MATERIALS}
            self.players.append({"score": 0, **held, **tracks, **tiles, "king": None, "hand": []})
            self.score(seat, extra["vp"], "start")
        self.areas: dict[str, list[Any]] = {area: [] for area in AREAS}
        self.quarry = {"lintel": 0, "column": 0}
        self.spaces = [[0] * len(row) for row in printed["village"]["spaces"]]
        self.left = {"village": len(printed["village"]["tiles"]), "construction": len(printed["construction"]["a"])}
        self.left |= {kind: printed[kind]["tiles"] for kind in TILES}
        self.discarded = {kind: [0] * printed[kind]["kinds"] for kind in TILES}
        self.village: list[Any] = [None] * printed["village"]["on_show"]
        self.crane: list[Any] = [None] * len(printed["crane"]["steps"])
        self.site: list[Any] = [None] * printed["construction"]["on_show"]
        self.window: list[Any] = [None] * len(printed["window"]["pips"])
        self.acting, self.bonus = ("", 0), ""

    def position(self) -> Values:
        """Return what the record's positions tell, but for the round and the labour order."""
        names = ("players", "areas", "quarry", "village", "crane", "site", "window", "spaces", "left", "discarded")
        return {name: getattr(self, name) for name in names}

    def put_right(self, position: Values) -> None:
        """Take over a position of the record."""
        for name in self.position():
            setattr(self, name, plain(position[name]))

    # --- what a player gains and pays ---

    def score(self, seat: int, vp: int, source: str) -> str:
        """Score points."""
        self.players[seat]["score"] += vp
        self.sources[seat][source] = self.sources[seat].get(source, 0) + vp
        return count(vp, "point")

    def take(self, seat: int, held: Values, sign: int = 1) -> list[str]:
        """Take materials, or pay them."""
        for name in MATERIALS:
            self.players[seat][name] += sign * held.get(name, 0)
        return goods(held)

    def forward(self, seat: int, track: str, number: int) -> list[str]:
        """Move forward on a track: steps beyond the end are points, or lost on the construction track."""
        player, printed = self.players[seat], self.printed["tracks"][track]
        end = len(printed["vp"]) - 1 if track == "labour" else printed["last"]
        made = min(number, end - player[track])
        player[track] += made
        beyond, words = number - made, []
        if made:
            words.append(f"{steps(made, track)} (to {player[track]})")
        if beyond and track == "construction":
            words.append(f"{steps(beyond, track)} lost at the end of the track")
        elif beyond:
            points = self.score(seat, beyond * printed["overflow_vp"], track)
            words.append(f"{points} for {steps(beyond, track)} beyond the end")
        return words

    def back(self, seat: int, track: str, number: int) -> str:
        """Move back on a track."""
        self.players[seat][track] -= number
        return f"{steps(number, track)} back (to {self.players[seat][track]})"

    def can_draw(self, kind: str) -> bool:
        """Return whether a stonework or glass tile can be drawn."""
        return self.left[kind] > 0 or (self.printed["rules"]["reshuffle"] and sum(self.discarded[kind]) > 0)

    def draw(self, kind: str, number: int) -> None:
        """Take tiles from a pile; what was discarded makes a new one where the rules say so."""
        self.left[kind] -= number
        if self.left[kind] < 0:
            self.left[kind] += sum(self.discarded[kind])
            self.discarded[kind] = [0] * len(self.discarded[kind])

    def keep(self, seat: int, kind: str, tile: int) -> str:
        """Give a player a tile."""
        self.players[seat][kind][tile - 1] += 1
        return tile_of(kind, tile)

    def give_up(self, seat: int, kind: str, tile: int) -> str:
        """Discard a player's tile."""
        self.players[seat][kind][tile - 1] -= 1
        self.discarded[kind][tile - 1] += 1
        return tile_of(kind, tile)

    # --- what happens to the board ---

    def roll(self, rolled: Values) -> None:
        """Put the dice into the hands and the neutral workers on the board."""
        for seat, dice in enumerate(rolled["dice"]):
            self.players[seat]["hand"] = plain(dice)
        for area, values in rolled["neutral"].items():
            self.areas[area] = [["worker", value, 0] for value in values]

    def load_quarry(self, highest: bool) -> int:
        """Load the quarry by the masters that have been rolled, or by the highest of each player; return the pips that
        count."""
        rules, total = self.printed["quarry"], 0
        for player in self.players:
            masters = [value for kind, value in player["hand"] if kind == "master"] or [0]
            total += max(masters) if highest else sum(masters)
        self.quarry = {name: total // rules[f"{name}_divisor"] for name in self.quarry}
        return total

    def show(self, displays: Values) -> None:
        """Fill the displays."""
        for kind, name in zip(TILES, ("crane", "window")):
            now, before = ([tile for tile in row if tile is not None] for row in (displays[name], getattr(self, name)))
            self.draw(kind, len(now) - len(before))
        for name, pile in (("village", "village"), ("site", "construction")):
            self.left[pile] -= sum(tile is not None for tile in displays[name])
        for name in ("village", "crane", "site", "window"):
            setattr(self, name, list(displays[name]))

    def place(self, seat: int, die: list[Any], area: str, space: int) -> int:
        """Move a die from a hand to a space; return how many dice it pushes to the right."""
        self.players[seat]["hand"].remove(list(die))
        self.areas[area].insert(space - 1, [*die, seat + 1])
        return len(self.areas[area]) - space

    def act(self, area: str) -> tuple[list[Any], int]:
        """Pass on to the next die of an area, whose dice before it are taken back; return it and its space."""
        was, at = self.acting
        row = self.areas[area]
        first = at + 1 if was == area else 0
        place = next(i for i in range(first, len(row)) if row[i][2])
        row[:place] = [None if die is None or die[2] else die for die in row[:place]]
        self.acting = area, place
        return row[place], place + 1

    def end_area(self, area: str) -> None:
        """Take back all dice of an area."""
        self.areas[area], self.acting = [], ("", 0)

    def finish_round(self) -> None:
        """Give back the Kings; empty the quarry, the village's display and the site."""
        for player in self.players:
            player["king"] = None
        self.quarry = dict.fromkeys(self.quarry, 0)
        self.village, self.site = [None] * len(self.village), [None] * len(self.site)

    # --- orders ---

    def turn_order(self) -> list[int]:
        """Return the seats in the order of their Kings."""
        return sorted(range(self.seats), key=lambda seat: self.printed["kings"][self.players[seat]["king"]]["number"])

    def building_order(self) -> list[int]:
        """Return the seats in the order of building: who builds first, then the lowest on the construction track, then
        in turn order."""
        kings = self.printed["kings"]
        return sorted(
            self.turn_order(),
            key=lambda seat: (
                not kings[self.players[seat]["king"]]["builds_first"],
                self.players[seat]["construction"],
            ),
        )

    def score_end(self, seat: int) -> tuple[Set, int, int]:
        """Score a player's sets and labour track; return the sizes of the sets, their points and those of the track."""
        player = self.players[seat]
        counts = sorted((held for kind in TILES for held in player[kind] if held), reverse=True)
        sizes, vp = best_sets(tuple(counts), tuple(self.printed["sets"]["vp"]))
        track = self.printed["tracks"]["labour"]["vp"][player["labour"]]
        self.score(seat, vp, "sets")
        self.score(seat, track, "track")
        return sizes, vp, track


@cache
def best_sets(counts: tuple[int, ...], set_vp: tuple[int, ...], largest: int = 5) -> tuple[Set, int]:
    """Return the sizes, the largest first, and the points of the best sets of different tiles.

    Args:
        counts: tiles of each kind, the most first, without zeros. set_vp: points of a set of 1, 2, … tiles. largest:
            size of any set.
    """
    best: tuple[Set, int] = ((), 0)
    for size in range(min(largest, len(counts)), 0, -1):
        # The most plentiful kinds make the set: what they leave can do whatever other choices leave.
        rest = sorted((n - 1 if i < size else n for i, n in enumerate(counts)), reverse=True)
        sizes, vp = best_sets(tuple(n for n in rest if n), set_vp, size)
        if vp + set_vp[size - 1] > best[1]:
            best = (size, *sizes), vp + set_vp[size - 1]
    return best
