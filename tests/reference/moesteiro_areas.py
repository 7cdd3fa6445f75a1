"""Performing actions in Moesteiro: the five areas from the forest to the window, written down a second time from the
rulebook."""

from collections.abc import Generator
from itertools import product
from typing import Any

from tests.reference.follow import Ask, Chance, Difference, Phase
from tests.reference.moesteiro_table import MATERIALS, TRACKS, Player, Table

HIGHEST = 6  # a die cannot be raised beyond this
Requests = Generator[Any, Any, None]


class Actions(Table):
    """What a die does in each area: for `forest` there are `forest_options` and `do_forest`, and so on."""

    def perform(self, area: str) -> Requests:
        """The dice of an area act from left to right and are taken back; neutral ones stay until all have acted."""
        options_of = getattr(self, f"{area}_options")
        action = getattr(self, f"do_{area}")
        row = self.areas[area]
        for space, (_, pips, seat) in enumerate(row):
            if seat == 0:
                continue
            player = self.players[seat - 1]
            choice = yield Ask(seat, area, self.pass_options() + options_of(player, pips, space))
            if "pass" in choice:
                self.step_labour(player, choice["pass"])
            else:
                # Reading: pips are bought before they are spent, so a marker may leave its space and come back.
                self.pay_labour(player, choice.get("bought", 0))
                yield from action(player, choice, space)
                yield from self.use_left_pips(player, choice.get("left", 0))
            row[space] = None
        self.areas[area] = []
        yield Phase("area")

    def pass_options(self) -> list[dict]:
        """To pass, for labour steps."""
        steps = self.printed["tracks"]["labour"]["pass_steps"]
        up_to = range(steps + 1) if self.rules["pass_steps"] == "up_to_two" else sorted({0, steps})
        return [{"pass": step} for step in up_to]

    def reach(self, player: Player, pips: int) -> int:
        """The most pips that a player can spend with a die."""
        return max(pips, min(HIGHEST, pips + player.labour))

    def use_left_pips(self, player: Player, left: int) -> Requests:
        """Labour steps for pips that an action has left unused."""
        if left == 0:
            return
        # Reading: where each pip gives a step, the player may take any number of them, each pip is a choice of its own.
        most = left if self.rules["unused_pips"] == "per_pip" else 1
        choice = yield Ask(player.seat, "unused", [{"steps": steps} for steps in range(most + 1)])
        self.step_labour(player, choice["steps"])

    # I: the forest and the fields

    def forest_options(self, player: Player, pips: int, space: int) -> list[dict]:
        """Wood and food steps; wood is cheaper in the spaces at the left."""
        costs = self.printed["forest"]
        for_wood = costs["near_pips"] if space < costs["near_spaces"] else costs["far_pips"]
        for_food = costs["food_pips"]
        reach = self.reach(player, pips)
        return [
            {"wood": wood, "food": food, **paid(pips, wood * for_wood + food * for_food)}
            for wood in range(reach // for_wood + 1)
            for food in range((reach - wood * for_wood) // for_food + 1)
            if wood or food
        ]

    def do_forest(self, player: Player, choice: dict, space: int) -> Requests:
        player.stock["wood"] += choice["wood"]
        self.step_food(player, choice["food"])
        yield from ()

    # II: the village

    def village_options(self, player: Player, pips: int, space: int) -> list[dict]:
        """A tile that the player can pay, if there is a space for it."""
        if not self.free_spaces(player):
            return []
        reach = self.reach(player, pips)
        options = []
        for number in self.village:
            if number is not None:
                tile = self.printed["village"]["tiles"][number - 1]
                if (
                    tile["wood"] <= player.stock["wood"]
                    and tile["stone"] <= player.stock["stone"]
                    and tile["pips"] <= reach
                ):
                    options.append({"tile": number, **paid(pips, tile["pips"])})
        return options

    def free_spaces(self, player: Player) -> list[dict]:
        """Where the player may build in the village: the row beside the food marker and all rows above it."""
        row_beside = player.food // self.printed["tracks"]["food"]["per_row"]
        return [
            {"row": row, "space": space}
            for row, spaces in enumerate(self.spaces[: row_beside + 1], start=1)
            for space, owner in enumerate(spaces, start=1)
            if owner == 0
        ]

    def do_village(self, player: Player, choice: dict, space: int) -> Requests:
        tile = self.printed["village"]["tiles"][choice["tile"] - 1]
        player.stock["wood"] -= tile["wood"]
        player.stock["stone"] -= tile["stone"]
        self.village[self.village.index(choice["tile"])] = None
        where = yield Ask(player.seat, "space", self.free_spaces(player))
        self.spaces[where["row"] - 1][where["space"] - 1] = player.seat
        built = self.printed["village"]["spaces"][where["row"] - 1][where["space"] - 1]
        self.score(player, built["vp"], "village")
        yield from self.village_bonus(player, built["bonus"])

    def village_bonus(self, player: Player, bonus: str) -> Requests:
        """What a space of the village gives besides points."""
        if bonus in MATERIALS:
            player.stock[bonus] += 1
        elif bonus in TRACKS:
            self.step(player, bonus)
        elif bonus in ("stonework", "glass"):
            if self.rules["village_tile_bonus"] == "pile":
                yield from self.draw_unseen(player, bonus)
            else:
                yield from self.pick_seen(player, bonus)

    def draw_unseen(self, player: Player, what: str) -> Requests:
        """A tile from the pile, if there is one."""
        self.renew(what)
        if self.can_draw(what):
            line = yield Chance("draw", player.seat, what)
            told = line.get("tile")
            if line.get("player") != player.seat or not isinstance(told, list) or len(told) != 2 or told[0] != what:
                raise Difference(f"expected that player {player.seat} draws a tile of {what}, the record has {line}")
            self.draw(what, told[1])
            player.tiles[what][told[1] - 1] += 1

    def pick_seen(self, player: Player, what: str) -> Requests:
        """A tile from above the crane or from the window, if there is one. Reading: the topmost glass gives no food
        step here."""
        display = self.crane if what == "stonework" else self.window
        options = [{"slot": slot, "tile": tile} for slot, tile in enumerate(display, start=1) if tile is not None]
        if options:
            choice = yield Ask(player.seat, "pick", options)
            display[choice["slot"] - 1] = None
            player.tiles[what][choice["tile"] - 1] += 1

    # III: the quarry

    def quarry_options(self, player: Player, pips: int, space: int) -> list[dict]:
        """Stones without limit, lintels and columns as far as the quarry has them."""
        costs = self.printed["quarry"]
        for_stone, for_lintel, for_column = costs["stone_pips"], costs["lintel_pips"], costs["column_pips"]
        reach = self.reach(player, pips)
        options = []
        for lintels, columns in product(range(self.quarry["lintel"] + 1), range(self.quarry["column"] + 1)):
            cost = lintels * for_lintel + columns * for_column
            if cost > reach:
                continue
            for stones in range((reach - cost) // for_stone + 1):
                if stones or lintels or columns:
                    pieces = {"stone": stones, "lintel": lintels, "column": columns}
                    options.append({**pieces, **paid(pips, cost + stones * for_stone)})
        return options

    def do_quarry(self, player: Player, choice: dict, space: int) -> Requests:
        player.stock["stone"] += choice["stone"]
        for piece in ("lintel", "column"):
            player.stock[piece] += choice[piece]
            self.quarry[piece] -= choice[piece]
        yield from ()

    # IV: the construction site

    def crane_options(self, player: Player, pips: int, space: int) -> list[dict]:
        """The tile above the die and the steps under it; no option if neither tile nor wood is there and the marker
        cannot move."""
        tile = self.crane[space]
        moves = self.crane_steps(space) > 0 and player.construction < self.printed["tracks"]["construction"]["last"]
        if tile is None and not moves and not self.crane_wood(space):
            return []
        return [{"slot": space + 1, "tile": tile}]

    def crane_steps(self, space: int) -> int:
        return self.printed["crane"]["steps"][space]

    def crane_wood(self, space: int) -> int:
        """Only the rightmost slot gives wood. Reading: the rightmost that is printed."""
        return self.printed["crane"]["last_wood"] if space == len(self.crane) - 1 else 0

    def do_crane(self, player: Player, choice: dict, space: int) -> Requests:
        if choice["tile"] is not None:
            player.tiles["stonework"][choice["tile"] - 1] += 1
            self.crane[space] = None
        player.stock["wood"] += self.crane_wood(space)
        self.step_construction(player, self.crane_steps(space))
        yield from ()

    # V: the stained glass window

    def window_options(self, player: Player, pips: int, space: int) -> list[dict]:
        """A tile of the window, the pips on the way up to it being paid."""
        reach = self.reach(player, pips)
        options = []
        for place, tile in enumerate(self.window):
            cost = self.window_cost(place)
            if tile is not None and cost <= reach:
                options.append({"place": place + 1, "tile": tile, **paid(pips, cost)})
        return options

    def window_cost(self, place: int) -> int:
        """Pips up to a place. Reading of `uncovered`: between two places they lie under the lower tile; while it is
        there they are free."""
        pips = self.printed["window"]["pips"]
        if self.rules["window_cost"] == "printed":
            return pips[place]
        return pips[0] + sum(pips[below + 1] - pips[below] for below in range(place) if self.window[below] is None)

    def do_window(self, player: Player, choice: dict, space: int) -> Requests:
        player.tiles["glass"][choice["tile"] - 1] += 1
        self.window[choice["place"] - 1] = None
        if choice["place"] == len(self.window):
            self.step_food(player, self.printed["window"]["top_food"])
        yield from ()


def paid(pips: int, cost: int) -> dict[str, int]:
    """How pips are paid with a die: what is missing is bought, what is too much is left."""
    return {"bought": max(0, cost - pips), "left": max(0, pips - cost)}
