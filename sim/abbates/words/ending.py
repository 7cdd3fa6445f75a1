"""The end of a game of Abbates in words: the final scoring, the points by source, the winner."""

from collections import Counter
from typing import Any

from sim.abbates.words.names import BENEDICT, SINGLE, SOURCES, cards, count, mission
from sim.abbates.words.table import KINDS, ROWS_AND_COLUMNS, Tabletop
from sim.words.wording import LineByLine, framed, joined

Values = dict[str, Any]
HENRICUS = "Henricus (seat 2)"


def in_rows(squares: list[Any]) -> list[list[Any]]:
    """Return the three rows of garden or portrait."""
    return [squares[at : at + 3] for at in (0, 3, 6)]


def _sum(numbers: list[int]) -> str:
    return " + ".join(map(str, numbers))


class Ending(LineByLine):
    """The part of a teller that tells the end.

    Attributes:
        table: the teller's.
    """

    table: Tabletop

    def _after_scoring(self) -> list[str]:
        lines, table = ["", f"=== Final scoring: the general on {self.table.general} ==="], self.table
        for seat, player in enumerate(table.players):
            empty = player["portrait"].count(None)
            steps = empty * self.printed["track"]["empty_square"]
            player["bean"] += steps
            lines.append(f"  {self.names[seat]}")
            lines += [
                f"    {' '.join(cards([what], '·').ljust(11) for what in row)}".rstrip()
                for row in in_rows(player["portrait"])
            ]
            if empty:
                lines.append(f"    {count(empty, 'empty square')}: the abbot moves {steps} to {player['bean']}")
            lines += [f"    {text}" for text in self._scored(seat)]
        if it := table.henricus:
            benedicts = [*it["low"], *it["high"]].count(BENEDICT) * self.printed["benedicts"]["vp"]
            gap = abs(it["bean"] - table.general)
            lines.append(
                f"  {HENRICUS}: {it['bean']} for black beans, {it['corner_points']} for corner cards, {benedicts} for "
                f"Benedict cards, less half of his {count(gap, 'step')} from the general: "
                f"{it['bean'] + it['corner_points'] + benedicts - gap // 2} in all"
            )
        return lines

    def _scored(self, seat: int) -> list[str]:
        """Return a player's points, source by source."""
        table, player = self.table, self.table.players[seat]
        points = table.score(seat)
        lines = []
        if table.points_card:
            held = Counter(what[0] for what in player["portrait"] if what)
            parts = [f"{count(held[kind], SINGLE[kind])} × {table.worth(kind)}" for kind in KINDS if held[kind]]
            lines.append(f"garden cards ({', '.join(parts) or 'none'}): {count(points['garden'], 'point')}")
        else:
            brought = [table.line_points(seat, line) for line in ROWS_AND_COLUMNS]
            lines.append(f"rows {_sum(brought[2::-1])}, columns {_sum(brought[3:])}: {count(points['lines'], 'point')}")
        if player["mission"]:
            full = "of one kind" if table.area(seat, "p") else "not full, or not of one kind"
            lines.append(
                f"{mission(self.printed, player['mission'])}: purple squares {full}: "
                f"{count(points['mission'], 'point')}"
            )
        if points["corners"]:
            lines.append(f"corner cards: {count(points['corners'], 'point')}")
        if points["benedicts"]:
            lines.append(f"{count(player['benedicts'], 'Benedict card')} left: {count(points['benedicts'], 'point')}")
        gap, why = player["bean"] - table.general, table.halves(seat)
        where = (
            f"{count(abs(gap), 'step')} {'before' if gap > 0 else 'behind'} the general"
            if gap
            else "beside the general"
        )
        half = f", halved, as {why}" if why else ""
        lines.append(f"abbot on {player['bean']}, {where}{half}: {count(points['distance'], 'point')}")
        return lines

    def _end(self, line: Values) -> list[str]:
        rows = [["", *(f"Seat {seat + 1}" for seat in self.seats)]]
        for source, name in SOURCES.items():
            points = [by_source[source] for by_source in line["sources"]]
            rows += [[name, *map(str, points)]] if any(points) else []
        rows.append(["total", *map(str, line["scores"])])
        if "henricus" in line:
            rows = [
                [*row, tail]
                for row, tail in zip(rows, ["Henricus", *[""] * (len(rows) - 2), str(line["henricus"])], strict=True)
            ]
        return ["", *framed(rows), "", self._winner(line)]

    def _winner(self, line: Values) -> str:
        scores, best = line["scores"], max(line["shares"])
        winners = [seat for seat in self.seats if line["shares"][seat] == best]
        names, points = joined(self.names[seat] for seat in winners), count(scores[winners[0]], "point")
        if "henricus" in line:
            his = f"Henricus has {line['henricus']}"
            if not best:
                return f"{names} has {points}: Henricus wins with {line['henricus']}."
            return (
                f"{names} wins with {points}; "
                f"{his}{', and a tie goes to the person' if line['henricus'] == scores[0] else ''}."
            )
        tied = [seat for seat in self.seats if scores[seat] == scores[winners[0]]]
        if len(tied) == 1:
            return f"{names} wins with {points}."
        words = f"{names} share the win with {points}" if len(winners) > 1 else f"{names} wins with {points}"
        if len(winners) < len(tied):
            others = joined(f"seat {seat + 1}" for seat in tied if seat not in winners)
            return f"{words}, as many as {others}, by the most {self._aequalis(winners[0])}."
        level = f" and {self._aequalis(winners[0])} each" if self.table.points_card[3:] not in ([], [None]) else ""
        return f"{words}{level}."

    def _aequalis(self, seat: int) -> str:
        """Return how many cards of the kind on aequalis a player has."""
        kind = self.table.points_card[3][0]
        return f"{kind} ({self.table.of_kind(seat, kind)})"
