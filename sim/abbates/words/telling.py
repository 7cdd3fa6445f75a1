"""A game of Abbates in the words of its rulebook, from the lines of its record (docs/record.md)."""

from typing import Any

from sim.abbates import TITLE
from sim.abbates.words.ending import HENRICUS, Ending, in_rows
from sim.abbates.words.names import (
    BENEDICT,
    EFFECTS,
    MISSIONS,
    PALMS,
    PLACES,
    card,
    cards,
    condition,
    corner,
    count,
    mission,
    option,
    question,
    taken_from,
    value,
    white,
)
from sim.abbates.words.names import LINES as LINE_NAMES
from sim.abbates.words.table import LINES, PHASES, ROUNDS, Tabletop
from sim.words.wording import KEPT, framed, joined, origin

__all__ = ["Teller", "option", "question"]

Values = dict[str, Any]

TAKING = {1: "at the top of the solo card", 2: "in the middle of the solo card", 3: "at the bottom of the solo card"}


class Teller(Ending):
    """Tells a game line by line.

    Attributes:
        table: where everything lies by what has been told; set right at each phase.
    """

    def __init__(self, header: Values):
        """Take the first line of a record."""
        super().__init__(header)
        self.table = Tabletop(self.printed, header["players"])
        self.everybody = [*self.names, *[HENRICUS] * (header["players"] == 1)]
        self.between = False  # a phase has been told to its end, and the next one has not begun
        self.drawn: list[Any] = []  # from the pile, to fill the garden
        self.asked = ""  # the last kind of decision

    # --- the set-up ---

    def _game(self) -> list[str]:
        header = self.header
        players = count(header["players"], "player")
        lines = [
            f"{TITLE}, {players}{' against Henricus' if header['players'] == 1 else ''}; components "
            f"{header['components']}"
        ]
        lines += origin(header)
        lines.append(
            "book 2: a book with 2 black beans. Squares count row by row: 1 2 3 at the top, 4 5 6, 7 8 9 at the bottom."
        )
        return [*lines, "", "=== Set-up ==="]

    def _chance_setup(self, line: Values) -> list[str]:
        self.table.lay_out(line)
        lines = []
        if line["points_card"]:
            on_it = zip(PLACES.items(), line["points_card"], strict=True)
            told = [
                f"{name} {card(what)}{self._worth(place, what)}".replace(" ", KEPT) for (place, name), what in on_it
            ]
            lines.append(f"  Points card: {', '.join(told)}")
            thrown = f"; already there, so discarded: {cards(line['discard'])}" if line["discard"] else ""
            lines.append(f"  The general starts on {self.table.general}, the black beans of these cards{thrown}")
        else:
            lines.append("  No points card: rows and columns of the portraits score; the general starts on 0")
        lines += [f"  Garden: {' | '.join(cards([what], 'empty') for what in row)}" for row in in_rows(line["garden"])]
        lines[-2:] = [text.replace("Garden:", "       ") for text in lines[-2:]]
        lines.append(f"  Replenishment row: {cards(line['refill'])}")
        for number in range(4) if self.printed["rules"]["arcade_actions"] else ():
            there = [
                f"{name}: {EFFECTS[effect][0]}"
                for name, effect in list(zip(LINE_NAMES, line["arcade"]))[3 * number :][:3]
            ]
            lines.append(f"  Arcade of round {number + 1}: {', '.join(there)}")
        return lines

    def _worth(self, place: str, what: Any) -> str:
        if what is None:
            return ""
        return (
            f" ({what[0]}: {count(self.printed['points'][place], 'point')})"
            if place in self.printed["points"]
            else " (for ties)"
        )

    def _chance_starting_cards(self, line: Values) -> list[str]:
        self.table.deal("starting_card", line["cards"])
        self.table.pile = max(0, self.table.pile - len(self.seats))  # also those that are hidden
        told = [f"{name} {card(what) if what else '(secret)'}" for name, what in zip(self.names, line["cards"])]
        return [f"  Starting cards, secret: {', '.join(told)}"]

    def _chance_missions(self, line: Values) -> list[str]:
        lines = []
        for seat, dealt in enumerate(line["dealt"]):
            if len(dealt) == 1:
                self.table.players[seat]["mission"] = dealt[0]
            known = [mission(self.printed, name) for name in dealt if name]
            what = "may choose a mission: " if len(dealt) > 1 else ""
            lines.append(f"  {self.names[seat]}: {what}{', '.join(known) or 'a mission (secret)'}")
        return lines

    # --- between the decisions ---

    def _open(self, line: Values) -> list[str]:
        """Begin a phase, once the record goes on after the end of the one before."""
        if not self.between or line.get("phase") == "scoring":
            return []
        self.between, table = False, self.table
        lines = [""]
        if table.phase == 1:
            lines += [f"=== Round {table.round} ==="]
            if self.printed["rules"]["ora_et_labora"]:
                asked = [condition(self.printed, table.round, phase + 1) for phase in range(PHASES)]
                lines.append(f"Ora et Labora: {', then '.join(asked)}.")
            lines += [f"Corner card: {corner(self.printed, table.round)}.", ""]
        if table.line is None:
            return [*lines, f"Round {table.round}, phase {table.phase}: for the corner card"]
        row = ", ".join(
            f"{square}: {card(table.garden[square - 1])}".replace(" ", KEPT) for square in LINES[table.line - 1]
        )
        effect = table.arcade[table.line - 1]
        action = f"Arcade: {EFFECTS[effect][1] if effect in PALMS else f'the winner {EFFECTS[effect][1]}'}."
        lines.append(f"Round {table.round}, phase {table.phase}: the {LINE_NAMES[table.line - 1]} ({row}).")
        return lines if effect == "none" else [*lines, action]

    def _phase(self, phase: str, position: Values) -> list[str]:
        if phase == "scoring":  # what others have kept secret is laid open
            for mine, told in zip(self.table.players, position["players"], strict=True):
                mine |= {name: told[name] for name in ("mission", "starting_card")}
        lines: list[str] = getattr(self, f"_after_{phase}")()
        self.table.put_right(position)
        if phase == "cards" and self.table.henricus and self.table.line and self.table.ranking[:1] == [1]:
            lines += self._henricus_takes()
        if phase in ("filled", "round") and (self.table.round, self.table.phase) != (ROUNDS, PHASES):
            self.table.next_phase()
        self.between = phase in ("setup", "filled", "round")
        return lines

    def _after_setup(self) -> list[str]:
        return []

    def _after_cards(self) -> list[str]:
        table = self.table
        lines = [f"  {self._without_card(seat)}" for seat in table.order() if table.abbots[seat]["played"] is None]
        won = table.all_have_played()
        if won is None:
            return [*lines, "  Nobody has played a card, so nobody wins the phase."]
        winner, number = won
        beans = white(self.printed, number)
        moves = f"moves {beans} to {table.general}" if beans else f"stays on {table.general}"
        lines.append(f"  {self.everybody[winner]} wins: {value(number)} goes to the Chapter Room, the general {moves}")
        if table.line is None:
            mine = (
                f" ({len(table.abbots[winner]['room'])} cards there)"
                if self.printed["corners"][f"corner{table.round}"]["per_card"]
                else ""
            )
            return [*lines, f"    and takes the corner card: {count(table.take_corner(), 'point')}{mine}"]
        return lines

    def _without_card(self, seat: int) -> str:
        held = self.table.players[seat] if seat < len(self.seats) else {"hand": [], "benedicts": 0}
        why = "all values in hand have been played" if held["hand"] or held["benedicts"] else "no card in hand"
        return f"{self.everybody[seat]} plays nothing: {why}"

    def _henricus_takes(self) -> list[str]:
        henricus = self.table.henricus
        assert henricus
        where, taken = TAKING[henricus["step"]], self.table.henricus_takes()
        if not taken:
            return []
        what, square, *exchanged = taken
        line = f"  {HENRICUS}, {where}: takes {card(what)} from square {square}"
        if exchanged:
            line += f", exchanges {card(exchanged[0])} for {card(exchanged[1])} of the replenishment row"
        return [f"{line}; abbot on {henricus['bean']}"]

    def _after_taking(self) -> list[str]:
        effect = "none" if self.table.line is None else self.table.arcade[self.table.line - 1]
        return ["  Nobody else gets a card (palm card)"] if effect == "nothing" and self.table.ranking else []

    def _after_filled(self) -> list[str]:
        left, filled = self.table.fill(self.drawn)
        self.drawn = []
        lines = [f"  Discarded: {cards(left)}"] if left else []
        told = ", ".join(f"{square}: {card(what)}".replace(" ", KEPT) for square, what in filled)
        lines.append(
            f"  Filled again: {told or 'nothing, the pile has run out'}. Replenishment row: {cards(self.table.refill)}"
        )
        self.table.end_phase()
        return [*lines, *self._starts()]

    def _starts(self) -> list[str]:
        table = self.table
        last = (table.round, table.phase) == (ROUNDS, PHASES)
        return (
            []
            if table.henricus or not table.ranking or last
            else [f"  {self.names[table.starting - 1]} played the lowest card and starts next"]
        )

    def _after_round(self) -> list[str]:
        table = self.table
        table.end_phase()
        lines = self._starts()
        for name, (back, earned) in zip(self.everybody, table.end_round(), strict=True):
            gets = [f"takes back {value(back)}"] if back is not None else []
            gets += ["earns a Benedict card: all four conditions were met"] if earned else []
            lines += [f"  {name} {joined(gets)}"] if gets else []
        return [*lines, *self._standing()]

    def _standing(self) -> list[str]:
        """Return what everybody has at the end of a round."""
        rows: list[list[str]] = [
            ["", "cards in hand", "Benedicts", "Chapter Room", "abbot", "to the general", "squares filled", "corners"]
        ]
        for name, abbot in zip(("Seat 1", "Seat 2", "Seat 3", "Seat 4"), self.table.players):
            gap = abbot["bean"] - self.table.general
            numbers = [
                len(abbot["hand"]),
                abbot["benedicts"],
                len(abbot["room"]),
                abbot["bean"],
                f"{gap:+d}" if gap else "0",
            ]
            filled = sum(what is not None for what in abbot["portrait"])
            rows.append([name, *map(str, numbers), str(filled), str(abbot["corner_points"])])
        if it := self.table.henricus:
            numbers = [
                len(it["low"]) + len(it["high"]),
                [*it["low"], *it["high"]].count(BENEDICT),
                len(it["room"]),
                it["bean"],
            ]
            rows.append(
                ["Henricus", *map(str, numbers), f"{it['bean'] - self.table.general:+d}", "–", str(it["corner_points"])]
            )
        return ["", f"After round {self.table.round}: the general on {self.table.general}", *framed(rows)]

    # --- chance ---

    def _chance_draw(self, line: Values) -> list[str]:
        self.table.from_pile()
        if line["player"] > len(self.seats):
            henricus = self.table.henricus
            assert henricus
            self.table.henricus_gets(list(line["card"]))
            return [f"  {HENRICUS} draws {card(line['card'])} blind; abbot on {henricus['bean']}"]
        return []  # told when it is placed

    def _chance_look(self, line: Values) -> list[str]:
        self.table.look(line["cards"])
        seen = cards(line["cards"], count(len(line["cards"]), "card"))
        return [f"    on top of the pile: {seen}"]

    def _chance_fill(self, line: Values) -> list[str]:
        self.drawn = list(line["cards"])
        return []  # told with the line that is filled

    def _chance_henricus(self, line: Values) -> list[str]:
        self.table.henricus_plays(line["pile"], line["value"])
        return [f"  {HENRICUS} plays {value(line['value'])} from the {line['pile']} pile"]

    def _chance_top(self, line: Values) -> list[str]:
        assert self.table.henricus
        self.table.henricus[f"{line['pile']}_top"] = line["value"]
        return [f"  On top of Henricus' {line['pile']} pile: {value(line['value'])}"]

    # --- decisions ---

    def _decision(self, line: Values) -> list[str]:
        asks, seat, options, choice = line["asks"], line["player"] - 1, line["options"], line["choice"]
        if not 1 <= choice <= len(options) or seat not in self.seats:
            raise ValueError("no such option or player")
        told: list[str] = getattr(self, f"_on_{asks}")(seat, options[choice - 1])
        return [*told[:-1], told[-1] + " (no choice)"] if told and line.get("forced") and asks != "order" else told

    def _on_mission(self, seat: int, chosen: Values) -> list[str]:
        self.table.players[seat]["mission"] = chosen["mission"]
        return [
            f"  {self.names[seat]} takes {MISSIONS[chosen['mission']] if chosen['mission'] else 'a mission (secret)'}"
        ]

    def _on_abbot(self, seat: int, chosen: Values) -> list[str]:
        number, table = chosen["value"], self.table
        again = number in [abbot["played"] for abbot in table.abbots]
        met = table.play(seat, number)
        fits = {True: f", as asked ({condition(self.printed, table.round, table.phase)})", None: ""}
        misses = (
            f", not as asked ({condition(self.printed, table.round, table.phase)}), so the pawn leaves Ora et Labora"
        )
        barred = ", although somebody has: no other value is in hand" if again else ""
        return [f"  {self.names[seat]} plays {value(number)}{barred}{fits.get(met, misses)}"]

    def _on_look(self, seat: int, chosen: Values) -> list[str]:
        return [f"  {self.names[seat]} {'looks at' if chosen['look'] else 'leaves'} the top cards of the pile"]

    def _on_order(self, seat: int, chosen: Values) -> list[str]:
        ready = self.table.put_next(chosen["card"])
        return [f"    puts them back: {cards(self.table.known, 'in an order of choice')}"] if ready else []

    def _on_swap(self, seat: int, chosen: Values) -> list[str]:
        if chosen["square"] is None:
            return [f"  {self.names[seat]} swaps nothing"]
        went, came = self.table.swap(seat, chosen["square"], chosen["space"])
        swapped = (
            f"{card(went)} on square {chosen['square']} for {card(came)} from replenishment space {chosen['space']}"
        )
        return [f"  {self.names[seat]} swaps {swapped}{self._abbot_on(seat)}"]

    def _on_exchange(self, seat: int, chosen: Values) -> list[str]:
        if chosen["space"] is None:
            return [f"  {self.names[seat]} leaves the card on square {chosen['square']} of the garden"]
        went, came = self.table.exchange(chosen["square"], chosen["space"])
        exchanged = (
            f"{card(went)} on square {chosen['square']} for {card(came)} from replenishment space {chosen['space']}"
        )
        return [f"  {self.names[seat]} exchanges {exchanged}"]

    def _on_move(self, seat: int, chosen: Values) -> list[str]:
        if chosen["squares"] is None:
            return [f"  {self.names[seat]} moves nothing on the portrait"]
        one, other = self.table.move(seat, chosen["squares"])
        return [
            f"  {self.names[seat]} lets {card(one)} and {card(other)} change places (squares "
            f"{joined(map(str, chosen['squares']))})"
        ]

    def _on_line(self, seat: int, chosen: Values) -> list[str]:
        if chosen["line"] is None:
            return [f"  {self.names[seat]} leaves the line as it is"]
        self.table.taking = chosen["line"]
        return [
            f"  {self.names[seat]}: everybody takes from the {LINE_NAMES[chosen['line'] - 1]}, and places as before"
        ]

    def _on_remove(self, seat: int, chosen: Values) -> list[str]:
        if chosen["player"] is None:
            return [f"  {self.names[seat]} removes no card"]
        self.table.remove(chosen["player"] - 1, chosen["value"])
        whose = "Henricus" if chosen["player"] > len(self.seats) else f"seat {chosen['player']}"
        back = count(white(self.printed, chosen["value"]), "step")
        return [
            f"  {self.names[seat]} removes {value(chosen['value'])} of {whose} from the Chapter Room: "
            f"the general goes back {back}, to {self.table.general}"
        ]

    def _on_take(self, seat: int, chosen: Values) -> list[str]:
        self.table.take(chosen)
        return [f"  {self.names[seat]} takes {card(chosen['card'])} {taken_from(chosen)}{self._placed(seat, chosen)}"]

    def _on_blind(self, seat: int, chosen: Values) -> list[str]:
        return [f"  {self.names[seat]} draws {card(chosen['card'])} blind{self._placed(seat, chosen)}"]

    def _placed(self, seat: int, chosen: Values) -> str:
        covered = self.table.place(seat, chosen["card"], chosen["to"])
        return f", onto square {chosen['to']}{f' over {card(covered)}' if covered else ''}{self._abbot_on(seat)}"

    def _abbot_on(self, seat: int) -> str:
        return f"; abbot on {self.table.players[seat]['bean']}"
