"""A game told in plain words, for one that has no `telling.py`: the names of its records' fields in words
(docs/record.md)."""

from typing import Any

from sim import registry
from sim.words.board import cell, in_words, parted
from sim.words.wording import joined, names_by_seat, origin

Values = dict[str, Any]

FEW = 6  # entries of a list that are told one by one


def question(asks: str) -> str:
    """Return what a kind of decision asks, for a person who plays."""
    return f"What do you do ({in_words(asks)})?"


def option(printed: Values, asks: str, chosen: Values) -> str:
    """Return an option in words: labels as they are, of numbers the names of those that are not 0, or all if all are.

    Args:
        printed: every number, from the first line of a record. asks: the kind of decision. chosen: the option.
    """
    told = {name: value for name, value in chosen.items() if value} or chosen
    return ", ".join(value if isinstance(value, str) else f"{in_words(name)} {value}" for name, value in told.items())


def changed(before: Values, after: Values) -> list[str]:
    """Return what has changed between two tables of fields, in words: of lists the entries that have."""
    told = []
    for name, now in after.items():
        was: Any = before.get(name)
        words = in_words(name)
        if now == was:
            continue
        alike = isinstance(now, list) and isinstance(was, list) and len(now) == len(was)
        other = [i for i, value in enumerate(now) if value != was[i]] if alike else []
        if 0 < len(other) <= FEW:
            told += [f"{words} {i + 1} is {cell(now[i])}" for i in other]
        elif isinstance(now, list) and len(now) > FEW:
            told.append(f"{words}: {len(now)} new entries")
        else:
            told.append(f"{words} {cell(now) or 'empty'}")
    return told


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
            told = changed({}, {name: value for name, value in line.items() if name != "event"})
            return [f"  by chance: {joined(told)}"]
        if event == "decision":
            options, choice = line["options"], line["choice"]
            if not 1 <= choice <= len(options) or line["player"] < 1:
                raise ValueError("no such option or player")
            who = f"{self.names[line['player'] - 1]} {'has no choice' if line.get('forced') else 'chooses'}"
            return [f"{who}: {option(self.printed, line['asks'], options[choice - 1])}"]
        if event == "end":
            return self._end(line)
        raise ValueError("no such event")

    def _game(self) -> list[str]:
        header = self.header
        title, _, _ = registry.card(header["game"])
        lines = [f"{title}, {header['players']} players; components {header['components']}"]
        return [*lines, *origin(header), ""]

    def _phase(self, position: Values) -> list[str]:
        """Return what has changed, a line for each player and one for the rest of the table."""
        before, self.position = self.position, position
        if not before:
            return []
        (had, lay), (have, lies) = (parted(each, self.header["players"]) for each in (before, position))
        told = [
            f"  seat {seat}: {joined(changes)}" for seat, changes in enumerate(map(changed, had, have), 1) if changes
        ]
        return told + [f"  {joined(changes)}" for changes in [changed(lay, lies)] if changes]

    def _end(self, line: Values) -> list[str]:
        lines = ["", *(f"{name}: {score} points" for name, score in zip(self.names, line["scores"], strict=True))]
        for name, sources in zip(self.names, line["sources"], strict=True):
            told = ", ".join(f"{source} {points}" for source, points in sources.items() if points)
            lines += [f"  {name}: {told}"] if told else []
        best = max(line["shares"])
        winners = [name for name, share in zip(self.names, line["shares"], strict=True) if share == best]
        lines.append(f"{winners[0]} wins." if len(winners) == 1 else f"{' and '.join(winners)} share the win.")
        return lines
