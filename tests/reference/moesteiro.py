"""Moesteiro written down a second time, from the rulebook and the rulings on it, in the rulebook's order and as plain
as it goes.

`check` follows the record of a game (docs/record.md) and raises `Difference` where this engine disagrees: games of the
fast engine are checked against it. What the rulebook leaves open and no ruling settles is marked "reading" where it is
decided. The set-up, and how markers move and tiles are drawn, stand in moesteiro_table.py; the actions of the five
areas in moesteiro_areas.py; the rest of the rules here. How a record is compared stands in follow.py.
"""

from collections.abc import Iterable
from functools import cache
from itertools import combinations, product

from tests.reference.follow import Ask, Chance, Difference, End, Line, Phase, follow
from tests.reference.moesteiro_areas import Actions, Requests
from tests.reference.moesteiro_table import AREAS, MATERIALS, SOURCES, TRACKS, Player

__all__ = ["Difference", "Game", "check"]


def check(lines: Iterable[Line], finished: bool = True) -> None:
    """Follow a record to its end (or as far as it goes, if it need not be finished); raise `Difference` at the first
    disagreement."""
    follow(lines, begin, finished)


def begin(line: Line) -> "Game":
    """The game of a record's first line."""
    if (
        line.get("game") != "moesteiro"
        or line.get("format") != 1
        or line.get("players") not in (2, 3, 4)
        or "printed" not in line
    ):
        raise Difference("expected a game of moesteiro for 2 to 4 players, in format 1, with what is printed")
    return Game(line["printed"], line["players"])


class Game(Actions):
    """The course of a game: `play` asks for each choice and each chance event, and is sent what came of it."""

    def play(self) -> Requests:
        """The game from the set-up to the end."""
        yield Phase("setup")
        for number, event in enumerate(self.printed["rounds"]["events"], start=1):
            self.round = number
            yield from self.begin_round(event)
            yield from self.roll(event)
            if self.rules["displays"] == "after_kings":
                yield from self.choose_kings()
                yield from self.fill_displays()
            else:
                yield from self.fill_displays()
                yield from self.choose_kings()
            yield from self.place_dice()
            for area in AREAS:
                yield from self.perform(area)
            yield from self.build_monastery()
        yield from self.score_finally()

    # Beginning of a round

    def begin_round(self, event: dict[str, int]) -> Requests:
        """The instructions under the round marker. The numbers of dice that they change are printed round by round."""
        for player in self.players:
            for material in MATERIALS:
                player.stock[material] += event[material]
        if event["tracks"]:
            order = self.labour_order if self.rules["round2_order"] == "labour" else self.players
            for player in order:
                options = [{"tracks": list(tracks)} for tracks in combinations(TRACKS, event["tracks"])]
                choice = yield Ask(player.seat, "tracks", options)
                for track in choice["tracks"]:
                    self.step(player, track)
        yield Phase("begin")

    def roll(self, event: dict[str, int]) -> Requests:
        """All roll their dice; with two or three players neutral workers are rolled too, and placed."""
        line = yield Chance("roll")
        dice, neutral = line.get("dice"), line.get("neutral")
        if not isinstance(dice, list) or len(dice) != len(self.players) or not isinstance(neutral, dict):
            raise Difference(
                f"expected the dice of {len(self.players)} players and the neutral ones, the record has {dice}, "
                f"{neutral}"
            )
        for player, hand in zip(self.players, dice):
            self.judge_dice(hand, {"worker": event["workers"], "master": event["masters"]}, f"player {player.seat}")
            player.hand = sorted(hand, key=lambda die: (die[1], die[0] == "worker"))
        for area in {*self.neutral, *neutral}:
            values = neutral.get(area, [])
            self.judge_dice(
                [["worker", value] for value in values], {"worker": self.neutral.get(area, 0), "master": 0}, area
            )
            for value in values:
                # Reading: neutral dice obey the rule that a full area takes no die.
                if len(self.areas[area]) < self.room[area]:
                    self.insert(area, ["worker", value, 0])
        yield Phase("roll")

    def judge_dice(self, dice: list, wanted: dict[str, int], whose: str) -> None:
        """Chance has rolled as many dice of each sort as wanted, and faces that they have."""
        if any(die[0] not in wanted or die[1] not in self.printed["dice"][die[0]] for die in dice):
            raise Difference(f"{whose}: no such dice: {dice}")
        if any(sum(die[0] == sort for die in dice) != count for sort, count in wanted.items()):
            raise Difference(f"{whose}: expected {wanted}, the record has rolled {dice}")

    def choose_kings(self) -> Requests:
        """Each takes a King and at once what he gives, from the left end of the labour track to the right."""
        left = list(self.printed["kings"])
        for player in self.labour_order:
            choice = yield Ask(player.seat, "king", [{"king": king} for king in left])
            player.king = choice["king"]
            left.remove(player.king)
            power = self.printed["kings"][player.king]
            # Reading: what a King with several powers (none is printed) gives without a choice comes first, then the
            # pieces, one by one.
            self.step_labour(player, power["labour"])
            self.score(player, power["vp"], "kings")
            player.stock["stone"] += power["stone"]
            self.step_construction(player, power["construction"])
            for _ in range(power["gift"]):
                choice = yield Ask(player.seat, "gift", [{"piece": "lintel"}, {"piece": "column"}])
                player.stock[choice["piece"]] += 1
        yield Phase("kings")

    @property
    def turn_order(self) -> list[Player]:
        """The order of the round: the King with the lowest number first."""
        return sorted(self.players, key=lambda player: self.printed["kings"][player.king]["number"])

    def fill_displays(self) -> Requests:
        """New village and construction tiles; stonework and glass tiles move up and are filled up; the quarry is
        loaded."""
        self.crane = self.slide_crane()
        self.window = close_gaps(self.window)
        line = yield Chance("displays")
        shown = {}
        for name in ("village", "crane", "site", "window"):
            shown[name], places = line.get(name), len(getattr(self, name))
            if not isinstance(shown[name], list) or len(shown[name]) != places:
                raise Difference(f"{name}: expected {places} places, the record has {shown[name]}")
        for place, tile in enumerate(shown["village"]):
            self.village[place] = self.drawn_village_tile(tile)
        for name, what in (("crane", "stonework"), ("window", "glass")):
            self.fill_up(name, what, shown[name])
        for place, tile in enumerate(shown["site"]):
            self.site[place] = self.drawn_construction_tile(tile)
        self.load_quarry()
        yield Phase("displays")

    def drawn_village_tile(self, tile: int | None) -> int | None:
        """A village tile that chance has drawn; none if the pile is empty."""
        if tile not in (self.village_pile or {None}):
            raise Difference(f"village: {tile!r} cannot be drawn, the pile has {sorted(self.village_pile)}")
        self.village_pile.discard(tile)
        return tile

    def drawn_construction_tile(self, tile: str | None) -> str | None:
        """A construction tile that chance has drawn: level I before level II, each number once, of the set that is
        played with."""
        level_one = {number for number in self.construction_pile if number <= self.printed["construction"]["level_one"]}
        numbers = sorted(level_one or self.construction_pile)
        sets = "ab" if self.rules["construction_set"] == "mixed" else self.rules["construction_set"]
        if tile not in ([f"{letter}{number}" for number in numbers for letter in sets] or [None]):
            raise Difference(f"site: {tile!r} cannot be drawn, but numbers {numbers} of set {sets}")
        if tile is not None:
            self.construction_pile.remove(int(tile[1:]))
        return tile

    def slide_crane(self) -> list:
        """What lies above the crane after the tiles left over have moved to the left."""
        if self.rules["crane_slide"] == "close_gaps":
            return close_gaps(self.crane)
        # Reading: each tile moves one slot, if the slot is free by then; one in the leftmost slot stays.
        row = list(self.crane)
        for slot in range(1, len(row)):
            if row[slot - 1] is None:
                row[slot - 1], row[slot] = row[slot], None
        return row

    def fill_up(self, name: str, what: str, shown: list) -> None:
        """Fill the gaps of a display from the pile, from the left or the bottom, until it runs out."""
        display = getattr(self, name)
        for place, tile in enumerate(shown):
            if display[place] is None:
                self.renew(what)
                if self.can_draw(what):
                    self.draw(what, tile)
                    display[place] = tile
            if display[place] != tile:
                raise Difference(f"{name}: expected {display[place]!r} in place {place + 1}, the record has {shown}")

    def load_quarry(self) -> None:
        """Lintels and columns of the round: what the masters show, divided and rounded down."""
        rates = self.printed["quarry"]
        total = 0
        for player in self.players:
            masters = [value for sort, value in player.hand if sort == "master"]
            if self.round >= rates["highest_from_round"]:
                masters = [max(masters, default=0)]
            total += sum(masters)
        self.quarry["lintel"] = total // rates["lintel_divisor"]
        self.quarry["column"] = total // rates["column_divisor"]

    # Placing dice

    def place_dice(self) -> Requests:
        """One die after another in the order of the Kings, until all are placed."""
        order = self.turn_order
        while any(player.hand for player in order):
            for player in order:
                if player.hand:
                    yield from self.place_die(player)
        yield Phase("placing")

    def place_die(self, player: Player) -> Requests:
        """One die of the player's choice into an area that has a free space."""
        free = [area for area in AREAS if len(self.areas[area]) < self.room[area]]
        options = [
            {"die": die, "area": area, "space": space_for(self.areas[area], die) + 1}
            for place, die in enumerate(player.hand)
            if die not in player.hand[:place]
            for area in free
        ]
        if not free:
            # Reading: a die that finds no space passes like any other.
            options = [{"die": player.hand[0], **option} for option in self.pass_options()]
        choice = yield Ask(player.seat, "place", options)
        player.hand.remove(choice["die"])
        if "pass" in choice:
            self.step_labour(player, choice["pass"])
        else:
            self.insert(choice["area"], [*choice["die"], player.seat])

    def insert(self, area: str, die: list) -> None:
        """Put a die where it belongs; those to the right of it shift."""
        row = self.areas[area]
        row.insert(space_for(row, die), die)

    # Building the monastery

    def build_monastery(self) -> Requests:
        """Each helps to build one section, the lowest on the construction track first; then the round is finished."""
        turns = self.turn_order

        def place_in_order(player: Player) -> tuple:
            first = self.printed["kings"][player.king]["builds_first"] > 0
            return (not first, player.construction, turns.index(player))

        for player in sorted(self.players, key=place_in_order):
            yield from self.purchase(player)
            yield from self.build(player)
        self.finish_round()
        yield Phase("building")

    def purchase(self, player: Player) -> Requests:
        """A player at the end of the construction track may buy one thing. Reading: in the own turn, just before the
        choice of a tile."""
        if player.construction < self.printed["tracks"]["construction"]["last"]:
            return
        things = [*MATERIALS]
        if self.rules["purchase_tiles"]:
            # Reading: a tile that is bought is drawn from its pile, and cannot be bought if there is none.
            things += [what for what in ("stonework", "glass") if self.can_draw(what)]
        costs = self.printed["purchase"]
        options = [{"buy": thing, "labour": costs[thing]} for thing in things if costs[thing] <= player.labour]
        choice = yield Ask(player.seat, "purchase", [{"buy": None}, *options])
        if choice["buy"] is None:
            return
        self.pay_labour(player, choice["labour"])
        if choice["buy"] in MATERIALS:
            player.stock[choice["buy"]] += 1
        else:
            yield from self.draw_unseen(player, choice["buy"])

    def build(self, player: Player) -> Requests:
        """Choose a section, move down, put materials on it, pay its icons, and score."""
        useful = [
            name
            for name in self.site
            if name is not None and self.material_options(player, self.section(name), player.construction)
        ]
        choice = yield Ask(player.seat, "build", [{"tile": None}] + [{"tile": name} for name in useful])
        if choice["tile"] is None:
            return
        section = self.section(choice["tile"])
        self.site[self.site.index(choice["tile"])] = None
        before = player.construction
        player.construction = max(0, before - section["steps"])
        given = yield Ask(player.seat, "materials", self.material_options(player, section, before))
        for material in MATERIALS:
            player.stock[material] -= given[material]
        if given["completes"] or self.rules["incomplete_icons"] == "owed":
            yield from self.pay_icons(player, section)
        if given["completes"]:
            self.score(player, section["vp"], "building")
        else:
            pieces = sum(given[material] for material in MATERIALS)
            self.score(player, pieces * self.printed["construction"]["unfinished_vp"], "unfinished")

    def section(self, name: str) -> dict[str, int]:
        """What is printed on a construction tile."""
        return self.printed["construction"][name[0]][int(name[1:]) - 1]

    def material_options(self, player: Player, section: dict[str, int], construction: int) -> list[dict]:
        """What a player can put on a section, coming from a space of the construction track.

        Reading: all materials complete the section if the steps can be made and the icons be paid, a player cannot
        decline that; to put on nothing is no option (that is a pass), except if nothing but icons is asked for.
        """
        payable = (
            construction >= section["steps"]
            and player.food >= section["food"]
            and player.labour >= section["labour"]
            and all(sum(player.tiles[what]) >= section[what] for what in ("stonework", "glass"))
        )
        options = []
        for pieces in product(*(range(min(player.stock[material], section[material]) + 1) for material in MATERIALS)):
            given = dict(zip(MATERIALS, pieces))
            completes = payable and all(given[material] == section[material] for material in MATERIALS)
            if completes or any(pieces):
                options.append({**given, "completes": completes})
        return options

    def pay_icons(self, player: Player, section: dict[str, int]) -> Requests:
        """A step back for each food and labour icon, a tile for each stonework and glass icon. Reading: if owed, as far
        as it goes."""
        player.food = max(0, player.food - section["food"])
        self.pay_labour(player, min(player.labour, section["labour"]))
        for icon in ("stonework", "glass"):
            tiles = player.tiles[icon]
            for _ in range(min(section[icon], sum(tiles))):
                options = [{"icon": icon, "tile": kind} for kind, count in enumerate(tiles, start=1) if count]
                choice = yield Ask(player.seat, "discard", options)
                tiles[choice["tile"] - 1] -= 1
                self.discarded[icon][choice["tile"] - 1] += 1

    # Finishing the round

    def finish_round(self) -> None:
        """Kings go back, the quarry is emptied, village and construction tiles are removed. Reading: this ends the
        building phase."""
        for player in self.players:
            player.king = None
        self.quarry = {"lintel": 0, "column": 0}
        self.village = [None] * len(self.village)
        self.site = [None] * len(self.site)

    # End of the game

    def score_finally(self) -> Requests:
        """Sets of different tiles, then the labour track; a tie is won by the marker further left or higher in the
        stack."""
        for player in self.players:
            tiles = [count for what in ("stonework", "glass") for count in player.tiles[what]]
            self.score(player, best_sets(in_order(tiles), tuple(self.printed["sets"]["vp"])), "sets")
            self.score(player, self.printed["tracks"]["labour"]["vp"][player.labour], "track")
        yield Phase("scoring")
        best = max(player.score for player in self.players)
        winner = next(player for player in self.labour_order if player.score == best)
        yield End(
            [player.score for player in self.players],
            [int(player is winner) for player in self.players],
            [{source: player.points[source] for source in SOURCES} for player in self.players],
        )


def close_gaps(row: list) -> list:
    """The tiles of a row moved together, the gaps at its end."""
    tiles = [tile for tile in row if tile is not None]
    return tiles + [None] * (len(row) - len(tiles))


def space_for(row: list, die: list) -> int:
    """The space, counted from 0, that a die takes in a row: that of the first die that gives way to it, otherwise the
    next free one."""
    for space, standing in enumerate(row):
        if gives_way(standing, die):
            return space
    return len(row)


def gives_way(standing: list, die: list) -> bool:
    """A higher die gives way to any, a worker also to a master of the same value."""
    return standing[1] > die[1] or (standing[1] == die[1] and standing[0] == "worker" and die[0] == "master")


def in_order(counts: Iterable[int]) -> tuple[int, ...]:
    """Numbers of tiles by kind, the most first; which kinds they are does not matter for sets."""
    return tuple(sorted((count for count in counts if count), reverse=True))


@cache
def best_sets(tiles: tuple[int, ...], points: tuple[int, ...]) -> int:
    """The points of all tiles put into sets of different ones. Reading: players make the sets that bring most.

    tiles: how many of each kind, the most first. A set of any size does best to take the kinds of which there are most.
    points: for a set of 1, 2, … different tiles.
    """
    best = 0
    for size in range(1, min(len(tiles), len(points)) + 1):
        rest = in_order([count - (kind < size) for kind, count in enumerate(tiles)])
        best = max(best, points[size - 1] + best_sets(rest, points))
    return best
