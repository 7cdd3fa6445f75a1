"""A game told in plain words, for one that has no `telling.py`: the names of its records' fields (docs/record.md)."""

from typing import Any

from sim import registry
from sim.words.wording import names_by_seat, origin

Values = dict[str, Any]

# Fields of every game that are told otherwise, or don't lie on the table (sim.contract).
UNTOLD = ("players", "player", "asks", "decision", "person")


def question(asks: str) -> str:
    """Return what a kind of decision asks, for a person who plays."""
    return f"What do you do ({asks.replace('_', ' ')})?"


def option(printed: Values, asks: str, chosen: Values) -> str:
    """Return an option in words: the names of its fields that are not 0, or all if all are.

    Args:
        printed: every number, from the first line of a record. asks: the kind of decision. chosen: the option.
    """
    told = {name: value for name, value in chosen.items() if value} or chosen
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in told.items())


class Teller:
    """Tells a game line by line."""

    def __init__(self, header: Values):
        """Take the first line of a record."""
        self.header, self.printed, self.position = header, header["printed"], dict[str, Any]()
        self.names = names_by_seat(header)

    def tell(self, line: Values) -> list[str]:
        """Return what a line of the record says, as lines of text."""
        event = line["event"]
        if event == "game":
            return self._game()
        if event == "phase":
            return self._phase(line["position"])
        if event == "chance":
            return [f"  by chance: {self._fields({name: value for name, value in line.items() if name != 'event'})}"]
        if event == "decision":
            options, choice = line["options"], line["choice"]
            if not 1 <= choice <= len(options) or line["player"] < 1:
                raise ValueError("no such option or player")
            chosen = option(self.printed, line["asks"], options[choice - 1])
            return [f"{self.names[line['player'] - 1]}: {chosen}{' (no choice)' * line.get('forced', False)}"]
        if event == "end":
            return self._end(line)
        raise ValueError("no such event")

    def _game(self) -> list[str]:
        header = self.header
        title, _, _ = registry.card(header["game"])
        lines = [f"{title}, {header['players']} players; components {header['components']}"]
        return [*lines, *origin(header), ""]

    def _phase(self, position: Values) -> list[str]:
        """Return what has changed."""
        changed = {
            name: value for name, value in position.items() if name not in UNTOLD and self.position.get(name) != value
        }
        first, self.position = not self.position, position
        return [] if first or not changed else [f"  {self._fields(changed)}"]

    def _fields(self, fields: Values) -> str:
        players = self.header["players"]
        return ", ".join(
            f"{name.replace('_', ' ')} {' '.join(map(str, value[:players])) if isinstance(value, list) else value}"
            for name, value in fields.items()
        )

    def _end(self, line: Values) -> list[str]:
        lines = ["", *(f"{name}: {score} points" for name, score in zip(self.names, line["scores"], strict=True))]
        for name, sources in zip(self.names, line["sources"], strict=True):
            told = ", ".join(f"{source} {points}" for source, points in sources.items() if points)
            lines += [f"  {name}: {told}"] if told else []
        best = max(line["shares"])
        winners = [name for name, share in zip(self.names, line["shares"], strict=True) if share == best]
        lines.append(f"{winners[0]} wins." if len(winners) == 1 else f"{' and '.join(winners)} share the win.")
        return lines
