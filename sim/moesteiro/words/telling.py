"""A game of Moesteiro in the words of its rulebook, from the lines of its record (docs/record.md)."""

from collections.abc import Iterable
from typing import Any

from sim.moesteiro import TITLE
from sim.moesteiro.words.names import (
    AREAS,
    KINGS,
    MATERIALS,
    TILES,
    count,
    die,
    goods,
    on_show,
    option,
    question,
    section,
    short,
    steps,
)
from sim.moesteiro.words.table import Tabletop
from sim.words.wording import LineByLine, framed, joined, origin

__all__ = ["Teller", "option", "question"]

Values = dict[str, Any]

NUMERALS = ("I", "II", "III", "IV", "V")
HEADINGS = {
    "tracks": "Steps on the tracks",
    "king": "Kings, in the order of the labour track",
    "place": "Placing dice",
    **{area: f"Area {number}, {name}" for number, (area, name) in zip(NUMERALS, AREAS.items())},
    "forest": "Area I, forest and fields",
    "purchase": "Building the monastery",
    "build": "Building the monastery",
}
SOURCES = {
    "kings": "Kings",
    "village": "village",
    "food": "beyond the food track",
    "labour": "beyond the labour track",
    "building": "completed construction tiles",
    "unfinished": "incomplete construction tiles",
    "sets": "sets of tiles",
    "track": "end of the labour track",
    "start": "given at the set-up",
}


class Teller(LineByLine):
    """Tells a game line by line.

    Attributes:
        table: where everything lies by what has been told; set right at each phase.
    """

    def __init__(self, header: Values):
        """Take the first line of a record."""
        super().__init__(header)
        self.table = Tabletop(self.printed, header["players"])
        self.round, self.areas, self.heading, self.before = 0, 0, "", [0] * header["players"]
        self.finished = True  # the set-up, or a round, whose end has been told
        # The construction tile that is built, whether it becomes complete, its points, tiles to give up for it.
        self.building, self.completes, self.due, self.owed = "", False, 0, 0

    def _list(self, seats: Iterable[int]) -> str:
        return ", ".join(f"seat {seat + 1}" for seat in seats)

    # --- between the decisions ---

    def _game(self) -> list[str]:
        header = self.header
        lines = [f"{TITLE}, {header['players']} players; components {header['components']}"]
        lines += origin(header)
        lines.append(
            "W3: a worker with 3 pips; M2: a master with 2. Stonework 1, glass 2: tiles by the number of their kind."
        )
        begins = self.printed["tracks"]
        lines.append(
            f"Everybody starts on {begins['labour']['start']} of the labour track, {begins['construction']['start']} "
            "of construction."
        )
        for seat in self.seats:
            extra = self.printed["start"][f"seat{seat + 1}"]
            more = goods(extra) + [
                steps(extra[track], track) for track in ("food", "labour", "construction") if extra[track]
            ]
            more += [count(extra["vp"], "point")] if extra["vp"] else []
            lines += [f"{self.names[seat]} starts with {joined(more)} more."] if more else []
        return lines

    def _open(self, line: Values) -> list[str]:
        """Begin a round, once the record goes on after the end of the one before."""
        if not self.finished or line.get("phase") == "setup":
            return []
        self.finished, self.heading = False, ""
        if line.get("phase") == "scoring":
            return []
        self.round, self.areas = self.round + 1, 0
        event, before = (self.printed["rounds"]["events"][max(0, self.round - n)] for n in (1, 2))
        dice = joined(count(event[kind], kind[:-1]) for kind in ("workers", "masters"))
        other = [(event[kind] - before[kind], kind[:-1]) for kind in ("workers", "masters")]
        change = ", ".join(f"{count(abs(n), kind)} {'more' if n > 0 else 'less'}" for n, kind in other if n)
        lines = ["", f"=== Round {self.round} ===", f"Everybody has {dice}{f' ({change})' if change else ''}."]
        for seat in self.seats:
            self.table.take(seat, event)
        if goods(event):
            lines.append(f"Everybody takes {joined(goods(event))}.")
        return lines

    def _phase(self, phase: str, position: Values) -> list[str]:
        lines: list[str] = []
        if phase == "kings":
            lines = [f"Turn order: {self._list(self.table.turn_order())}."]
        elif phase == "placing":
            lines = self._areas()
        elif phase == "area":
            self.table.end_area(list(AREAS)[self.areas])
            self.areas += 1
        elif phase == "building":
            self.finished = True
            self.table.finish_round()
            lines = self._standing()
        elif phase == "scoring":
            lines = self._scoring()
        self.table.put_right(position)
        return lines

    def _chance_roll(self, line: Values) -> list[str]:
        self.table.roll(line)
        lines = ["", "Dice"]
        lines += [f"  {name}: {' '.join(map(short, dice))}" for name, dice in zip(self.names, line["dice"])]
        neutral = [
            f"{AREAS[area]} {' '.join(f'W{value}' for value in values)}"
            for area, values in line["neutral"].items()
            if values
        ]
        if neutral:
            lines.append(f"  Of nobody's colour, placed first, without an action: {', '.join(neutral)}")
        return lines

    def _chance_displays(self, line: Values) -> list[str]:
        self.table.show(line)
        return ["", "On show", *on_show(self.printed, line), self._quarry_line()]

    def _quarry_line(self) -> str:
        """Load the quarry and tell it."""
        rules = self.printed["quarry"]
        highest = self.round >= rules["highest_from_round"]
        pips = self.table.load_quarry(highest)
        held = [
            f"{count(number, name)} ({pips}/{rules[f'{name}_divisor']})" for name, number in self.table.quarry.items()
        ]
        return f"  Quarry: {joined(held)}, by the pips of {'the highest master of each' if highest else 'all masters'}"

    def _chance_draw(self, line: Values) -> list[str]:
        kind, tile = line["tile"]
        self.table.draw(kind, 1)
        return [f"    draws {self.table.keep(line['player'] - 1, kind, tile)}"]

    def _areas(self) -> list[str]:
        """Return the areas as rows of dice."""
        lines, printed = ["", "All dice are placed"], self.printed["areas"]
        for area, name in AREAS.items():
            spaces = printed["spaces"][area] - printed["closed"][f"players{len(self.seats)}"][area]
            row = [f"{short(die)} {f'seat {die[2]}' if die[2] else 'nobody'}" for die in self.table.areas[area]]
            cells = " | ".join(cell.ljust(9) for cell in row + [""] * (spaces - len(row)))
            lines.append(f"  {name.capitalize():20} | {cells} |")
        return lines

    def _standing(self) -> list[str]:
        """Return what everybody has at the end of a round."""
        heads = [
            "",
            "points",
            "(round)",
            *(name + "s" * (name != "wood") for name in MATERIALS),
            "food",
            "labour",
            "construction",
            *TILES,
        ]
        rows: list[list[object]] = [[*heads]]
        for seat, player in enumerate(self.table.players):
            tiles = [" ".join(map(str, player[kind])) for kind in TILES]
            numbers = [player[name] for name in (*MATERIALS, "food", "labour", "construction")]
            rows.append(
                [f"Seat {seat + 1}", player["score"], f"+{player['score'] - self.before[seat]}", *numbers, *tiles]
            )
        self.before = [player["score"] for player in self.table.players]
        return ["", f"After round {self.round}", *framed(rows)]

    def _scoring(self) -> list[str]:
        lines = ["", "=== Final scoring ==="]
        for seat, player in enumerate(self.table.players):
            sizes, vp, track = self.table.score_end(seat)
            tiles = joined([f"{kind} {' '.join(map(str, player[kind]))}" for kind in TILES if sum(player[kind])])
            sets = f"{'a set' if len(sizes) == 1 else 'sets'} of {joined(map(str, sizes))}"
            what = f"{sets} from {tiles}" if sizes else "no tiles"
            lines.append(
                f"  {self.names[seat]}: {what}: {count(vp, 'point')}; {player['labour']} on the labour track: "
                f"{count(track, 'point')}"
            )
        return lines

    def _end(self, line: Values) -> list[str]:
        rows: list[list[object]] = [["", *(f"Seat {seat + 1}" for seat in self.seats)]]
        for source, name in SOURCES.items():
            points = [by_source[source] for by_source in line["sources"]]
            rows += [[name, *points]] if any(points) else []
        rows.append(["total", *line["scores"]])
        return ["", *framed(rows), "", self._winner(line)]

    def _winner(self, line: Values) -> str:
        scores, winner = line["scores"], max(self.seats, key=lambda seat: line["shares"][seat])
        words = f"{self.names[winner]} wins with {count(scores[winner], 'point')}"
        tied = [seat for seat in self.seats if scores[seat] == scores[winner] and seat != winner]
        if not tied:
            return f"{words}."
        labour = [player["labour"] for player in self.table.players]
        level = any(labour[seat] == labour[winner] for seat in tied)
        further = (
            f"further left on the labour track ({labour[winner]} against "
            f"{joined([str(labour[seat]) for seat in tied])})"
        )
        why = f"higher in the stack on {labour[winner]} of the labour track" if level else further
        return (
            f"{words}, as many as {joined([f'seat {seat + 1}' for seat in tied])}; the tie goes to the player who "
            f"stands {why}."
        )

    # --- decisions ---

    def _decision(self, line: Values) -> list[str]:
        asks, seat, options, choice = line["asks"], line["player"] - 1, line["options"], line["choice"]
        if not 1 <= choice <= len(options) or seat not in self.seats:
            raise ValueError("no such option or player")
        heading = HEADINGS.get(asks, self.heading)
        lines = ["", heading] if heading != self.heading else []
        if heading != self.heading and asks in ("purchase", "build"):
            lines[-1] += f", in this order: {self._list(self.table.building_order())}"
        self.heading = heading
        told = (self._area if asks in AREAS else getattr(self, f"_on_{asks}"))(seat, options[choice - 1], asks)
        return [*lines, told + " (no choice)" * line.get("forced", False)]

    def _on_tracks(self, seat: int, chosen: Values, asks: str) -> str:
        return (
            f"  {self.names[seat]}: "
            f"{joined(part for track in chosen['tracks'] for part in self.table.forward(seat, track, 1))}"
        )

    def _on_king(self, seat: int, chosen: Values, asks: str) -> str:
        name, power = chosen["king"], self.printed["kings"][chosen["king"]]
        self.table.players[seat]["king"] = name
        gives = [part for track in ("labour", "construction") for part in self.table.forward(seat, track, power[track])]
        gives += [self.table.score(seat, power["vp"], "kings")] if power["vp"] else []
        gives += self.table.take(seat, {"stone": power["stone"]})
        gives += [f"{count(power['gift'], 'piece')} of choice"] if power["gift"] else []
        gives += ["builds first"] if power["builds_first"] else []
        return f"  {self.names[seat]} takes {KINGS[name]} (number {power['number']}): {joined(gives)}"

    def _on_gift(self, seat: int, chosen: Values, asks: str) -> str:
        return f"    gets {joined(self.table.take(seat, {chosen['piece']: 1}))}"

    def _on_place(self, seat: int, chosen: Values, asks: str) -> str:
        if "pass" in chosen:
            self.table.players[seat]["hand"].remove(list(chosen["die"]))
            gains = joined(self.table.forward(seat, "labour", chosen["pass"]))
            return f"  {self.names[seat]}: no area has a free space, passes with {die(chosen['die'])}: {gains}"
        pushed = self.table.place(seat, chosen["die"], chosen["area"], chosen["space"])
        pushes = f", pushing {count(pushed, 'die').replace('dies', 'dice')} to the right" if pushed else ""
        return (
            f"  {self.names[seat]}: {die(chosen['die'])} to the {AREAS[chosen['area']]}, space "
            f"{chosen['space']}{pushes}"
        )

    def _area(self, seat: int, chosen: Values, asks: str) -> str:
        """Tell what a die does in its area."""
        acting, space = self.table.act(asks)
        if acting[2] != seat + 1:
            raise ValueError("another die acts")
        who = f"  {self.names[seat]}, {die(acting)} on space {space}:"
        if "pass" in chosen:
            gains = self.table.forward(seat, "labour", chosen["pass"])
            return f"{who} passes{', ' if gains else ''}{joined(gains, '')}"
        spent = acting[1] + chosen.get("bought", 0) - chosen.get("left", 0)
        bought = ""
        if chosen.get("bought"):
            paid = self.table.back(seat, "labour", chosen["bought"])
            bought = f" buys {count(chosen['bought'], 'pip')} for {paid};"
        return f"{who}{bought} {getattr(self, f'_{asks}')(seat, chosen, spent)}"

    def _forest(self, seat: int, chosen: Values, spent: int) -> str:
        gains = self.table.take(seat, {"wood": chosen["wood"]}) + self.table.forward(seat, "food", chosen["food"])
        return f"{joined(gains)} for {count(spent, 'pip')}"

    def _village(self, seat: int, chosen: Values, spent: int) -> str:
        tile = chosen["tile"]
        paid = self.table.take(seat, self.printed["village"]["tiles"][tile - 1], -1) + (
            [count(spent, "pip")] if spent else []
        )
        self.table.village[self.table.village.index(tile)] = None
        return f"builds village tile {tile} for {joined(paid)}"

    def _quarry(self, seat: int, chosen: Values, spent: int) -> str:
        for name in self.table.quarry:
            self.table.quarry[name] -= chosen[name]
        return f"{joined(self.table.take(seat, chosen))} for {count(spent, 'pip')}"

    def _crane(self, seat: int, chosen: Values, spent: int) -> str:
        slot, tile, crane = chosen["slot"], chosen["tile"], self.printed["crane"]
        gains = ["no tile (it is gone)"] if tile is None else [self.table.keep(seat, "stonework", tile)]
        self.table.crane[slot - 1] = None
        if slot == len(self.table.crane):
            gains += self.table.take(seat, {"wood": crane["last_wood"]})
        return joined(gains + self.table.forward(seat, "construction", crane["steps"][slot - 1]))

    def _window(self, seat: int, chosen: Values, spent: int) -> str:
        place, top = chosen["place"], len(self.table.window)
        gains = f"{self.table.keep(seat, 'glass', chosen['tile'])} from place {place} for {count(spent, 'pip')}"
        self.table.window[place - 1] = None
        food = self.table.forward(seat, "food", self.printed["window"]["top_food"]) if place == top else []
        return f"{gains}{'; the top gives ' if food else ''}{joined(food, '')}"

    def _on_space(self, seat: int, chosen: Values, asks: str) -> str:
        row, space = chosen["row"], chosen["space"]
        there = self.printed["village"]["spaces"][row - 1][space - 1]
        bonus = self.table.bonus = there["bonus"]
        self.table.spaces[row - 1][space - 1] = seat + 1
        gains = [self.table.score(seat, there["vp"], "village")]
        if bonus in ("food", "labour", "construction"):
            gains += self.table.forward(seat, bonus, 1)
        elif bonus in MATERIALS:
            gains += self.table.take(seat, {bonus: 1})
        elif bonus in TILES:
            gains.append(self._tile_bonus(bonus))
        return f"    on row {row}, space {space}: {joined(gains)}"

    def _tile_bonus(self, kind: str) -> str:
        if self.printed["rules"]["village_tile_bonus"] == "display":
            there = any(tile is not None for tile in (self.table.crane if kind == "stonework" else self.table.window))
            return f"a {kind} tile from the display" if there else f"no {kind} tile (none is on show)"
        return f"an unseen {kind} tile" if self.table.can_draw(kind) else f"no {kind} tile (none is left)"

    def _on_pick(self, seat: int, chosen: Values, asks: str) -> str:
        kind = self.table.bonus
        display, place = (self.table.crane, "slot") if kind == "stonework" else (self.table.window, "place")
        display[chosen["slot"] - 1] = None
        return f"    picks {self.table.keep(seat, kind, chosen['tile'])} from {place} {chosen['slot']}"

    def _on_unused(self, seat: int, chosen: Values, asks: str) -> str:
        return f"    pips left: {joined(self.table.forward(seat, 'labour', chosen['steps']), 'no step')}"

    def _on_purchase(self, seat: int, chosen: Values, asks: str) -> str:
        who, thing = f"  {self.names[seat]}, at the end of the construction track,", chosen["buy"]
        if thing is None:
            return f"{who} buys nothing"
        paid = self.table.back(seat, "labour", chosen["labour"])
        if thing in TILES:
            return f"{who} buys an unseen {thing} tile for {paid}"
        return f"{who} buys {joined(self.table.take(seat, {thing: 1}))} for {paid}"

    def _on_build(self, seat: int, chosen: Values, asks: str) -> str:
        tile = self.building = chosen["tile"]
        if tile is None:
            return f"  {self.names[seat]} builds nothing"
        self.table.site[self.table.site.index(tile)] = None
        asked = section(self.printed, tile)["steps"]
        made = min(asked, self.table.players[seat]["construction"])
        down = self.table.back(seat, "construction", made)
        missing = f", {asked - made} too few to complete it" if made < asked else ""
        return f"  {self.names[seat]} helps to build {tile}: {down}{missing}"

    def _on_materials(self, seat: int, chosen: Values, asks: str) -> str:
        tile, player, completes = section(self.printed, self.building), self.table.players[seat], chosen["completes"]
        pieces = sum(chosen[name] for name in MATERIALS)
        self.completes, self.due = (
            completes,
            tile["vp"] if completes else self.printed["construction"]["unfinished_vp"] * pieces,
        )
        put, paid, self.owed = joined(self.table.take(seat, chosen, -1)), "", 0
        if completes or self.printed["rules"]["incomplete_icons"] == "owed":
            for track in ("food", "labour"):
                number = min(tile[track], player[track])
                paid += f"; {self.table.back(seat, track, number)}" if number else ""
            self.owed = sum(min(tile[kind], sum(player[kind])) for kind in TILES)
        return f"    puts {put} on it{paid}{self._scored(seat)}"

    def _scored(self, seat: int) -> str:
        """Score the construction tile once nothing is owed for it any more."""
        if self.owed:
            return ""
        points = self.table.score(seat, self.due, "building" if self.completes else "unfinished")
        each = "" if self.completes else f" ({self.printed['construction']['unfinished_vp']} a piece)"
        return f": {'complete' if self.completes else 'incomplete'}, {points}{each}"

    def _on_discard(self, seat: int, chosen: Values, asks: str) -> str:
        self.owed -= 1
        return (
            f"    gives up {self.table.give_up(seat, chosen['icon'], chosen['tile'])} for the icon{self._scored(seat)}"
        )
