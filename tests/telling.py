"""What the tests of every teller share: a table that insists on lying as the record says, and a record told."""

import sys
from types import ModuleType
from typing import Any

import pytest

Line = dict[str, Any]


def insist(monkeypatch: pytest.MonkeyPatch, telling: ModuleType) -> Any:
    """Have tellers keep the table themselves, and tell lines of any length.

    Args:
        telling: `words.telling` of a game, whose table is replaced.

    Returns:
        The class of the table that they keep. It insists on lying as the record says, and counts how often in `checks`.
    """
    plain = sys.modules[telling.Tabletop.__module__].plain

    class Checked(telling.Tabletop):
        checks = 0

        def put_right(self, position: Line) -> None:
            for name, mine in self.position().items():
                assert plain(mine) == plain(position[name]), name
            Checked.checks += 1
            super().put_right(position)

    monkeypatch.setattr(telling, "Tabletop", Checked)
    monkeypatch.setattr(telling.Teller, "width", 10_000)
    return Checked


def tell(telling: ModuleType, lines: list[Line]) -> tuple[Any, list[str]]:
    """Tell a record; return the teller and the text."""
    teller = telling.Teller(lines[0])
    return teller, [text for line in lines for text in teller.tell(line)]


def tell_apart(telling: ModuleType, lines: list[Line], widest: int) -> None:
    """Insist that no two options of a decision are told in the same words, or in so many characters or more."""
    for line in lines:
        if line["event"] == "decision":
            words = [telling.option(lines[0]["printed"], line["asks"], option) for option in line["options"]]
            assert len(set(words)) == len(words)
            assert max(map(len, words)) < widest
