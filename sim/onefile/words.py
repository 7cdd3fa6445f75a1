"""A game in one file as plain data, for its record and for people: what each player has stands together, and options
have the labels that the file gives them."""

from types import SimpleNamespace
from typing import Any

from sim.onefile.read import File
from sim.onefile.rules import UNTOLD
from sim.words import describe

UNSEEN = "?"
LEFT_OUT = ("players", "person", UNTOLD)  # how many play, and who sits where, is told by the record's first line


class Describer:
    """What a module `words.describe` has, for one game."""

    def __init__(self, file: File):
        """Take the names and labels of the game's file."""
        self._by_seat, self._labels, self._hidden = file.by_seat, file.options, file.given["HIDDEN"]

    def position(self, printed: dict[str, Any], state: SimpleNamespace) -> dict[str, Any]:
        """Return everything that lies on the table; see `sim.words.describe`."""
        fields = describe.position(printed, state)
        players = [{name: fields[name][seat] for name in self._by_seat} for seat in range(state.players)]
        left_out = (*self._by_seat, *LEFT_OUT)
        return {"players": players} | {name: value for name, value in fields.items() if name not in left_out}

    def options(self, printed: dict[str, Any], state: SimpleNamespace, offered: Any) -> list[dict[str, Any]]:
        """Return the options of a decision, each as a dict; see `sim.words.describe`."""
        plain = describe.options(printed, state, offered)
        return [{name: self._label(name, value) for name, value in option.items()} for option in plain]

    def _label(self, name: str, value: int) -> int | str:
        labels = self._labels.get(name, ())
        return labels[value] if 0 <= value < len(labels) else value

    def opening(self, printed: dict[str, Any], state: SimpleNamespace) -> list[dict[str, Any]]:
        """Return the lines of the record after the first one; see `sim.words.describe`."""
        return [{"event": "phase", "phase": "setup", "position": self.position(printed, state)}]

    def view(self, printed: dict[str, Any], state: SimpleNamespace, seat: int) -> dict[str, Any]:
        """Return a position as the player in a seat (from 0) sees it; see `sim.words.describe`."""
        return self._as_seen(self.position(printed, state), seat)

    def seen(self, printed: dict[str, Any], line: dict[str, Any], seat: int) -> dict[str, Any]:
        """Return a line of a record as the player in a seat (from 0) sees it; see `sim.words.describe`."""
        return line | {"position": self._as_seen(line["position"], seat)} if "position" in line else line

    def _as_seen(self, position: dict[str, Any], seat: int) -> dict[str, Any]:
        """Return a position without what the table hides; of what players hide each knows only their own."""
        players = [
            {name: UNSEEN if name in self._hidden and other != seat else value for name, value in player.items()}
            for other, player in enumerate(position["players"])
        ]
        return {name: value for name, value in position.items() if name not in self._hidden} | {"players": players}


def describe_names(file: File) -> dict[str, Any]:
    """Return what a module `words.describe` holds."""
    own = Describer(file)
    found = {name: getattr(own, name) for name in ("position", "options", "opening", "view", "seen")}
    return {name: getattr(describe, name) for name in ("phase", "chance", "ending")} | found
