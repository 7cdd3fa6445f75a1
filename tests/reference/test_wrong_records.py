"""What a second engine must notice in the record of any game: a line that is missing, one told twice, a position that
is another."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.reference import abbates, abbates_selfplay, moesteiro, moesteiro_selfplay
from tests.reference.follow import Line
from tests.reference.selfplay import changed_somewhere, refuse


class Told(NamedTuple):
    """A record, and the second engine that must refuse it once it is changed.

    Attributes:
        step: of the lines that are looked at. told: fields of the line whose position is looked at.
    """

    check: Callable[..., None]
    lines: list[Line]
    step: int
    told: tuple[str, str]


@pytest.fixture(scope="module", params=["abbates", "moesteiro"])
def record(request):
    if request.param == "abbates":
        lines = abbates_selfplay.tell(abbates_selfplay.components(missions_choice="two"), 3, 5)
        return Told(abbates.check, lines, 5, ("phase", "taking"))
    return Told(moesteiro.check, moesteiro_selfplay.tell(moesteiro_selfplay.components(), 4, 1), 3, ("asks", "forest"))


@pytest.mark.slow
def test_every_missing_line_is_noticed(record):
    for number in range(0, len(record.lines), record.step):
        refuse(record.check, record.lines[:number] + record.lines[number + 1 :], "^line")


@pytest.mark.slow
def test_every_line_told_twice_is_noticed(record):
    for number in range(0, len(record.lines), record.step):
        refuse(record.check, record.lines[: number + 1] + record.lines[number:], "^line")


def test_every_changed_number_of_a_position_is_noticed(record):
    key, value = record.told
    at = next(number for number, line in enumerate(record.lines) if line.get(key) == value)
    line = record.lines[at]
    for other in changed_somewhere(line["position"]):
        refuse(record.check, [*record.lines[:at], {**line, "position": other}], "another position", finished=False)
