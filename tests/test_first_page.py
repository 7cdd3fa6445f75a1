"""A report's first page, after a quarter of its games: complete, marked, and replaced by the page of all of them."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reports import page
from reports.parts import Part
from scripts.commands import report
from sim import runner
from sim.memory import remembering
from sim.runner import Study, run
from tests.contract.tools import process

pytestmark = pytest.mark.slow

Command = Callable[..., tuple[int, str, str]]
WORDS = ("report", "pig", "--players", "2", "--max-games", "1200")


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many games each batch of lines has played."""
    counted: list[int] = []
    play = runner.play

    def counting(study: Study, first: int, games: int) -> object:
        counted.append(games)
        return play(study, first, games)

    monkeypatch.setattr(runner, "play", counting)
    return counted


def test_the_first_page_is_complete_and_the_last_is_as_without_it(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, games: list[int]
) -> None:
    assert command(*WORDS, "--out", tmp_path / "without")[0] == 0
    alone = sum(games)
    games.clear()
    monkeypatch.setattr(report, "LONG", 0)
    shown: list[tuple[Part, str]] = []
    save = page.save

    def seen(part: Part, *more: object) -> Path:
        path = save(part, *more)
        shown.append((part, path.read_text("utf-8")))
        return path

    monkeypatch.setattr(page, "save", seen)
    status, _, err = command(*WORDS, "--out", tmp_path / "with")
    assert status == 0
    (early, first), (last, final) = shown
    assert (early.early, last.early) == (True, False)
    assert early.games < 0.6 * last.games
    said = f"the first {early.games:,} games"
    assert f"This is a first page, from {said}." in first
    assert first.index("This is a first page") < first.index("<h1>")
    assert f"A first page, from {said}: {tmp_path / 'with' / 'report.html'}\n" in err
    assert "is a first page" not in final
    sections = (re.findall(r'<section id="([^"]+)"', html) for html in (first, final))
    assert len({tuple(names) for names in sections}) == 1
    for path in (tmp_path / "without").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "with" / path.relative_to(tmp_path / "without")).read_bytes(), path
    assert sum(games) < 4 / 3 * alone


def test_a_stopped_first_page_is_the_page(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopping: Callable[..., None]
) -> None:
    monkeypatch.setattr(report, "LONG", 0)
    stopping(1)
    status, _, err = command(*WORDS, "--out", tmp_path, "--jobs", 1)
    assert status == 130
    assert "first page" not in err
    assert "is a first page" not in (tmp_path / "report.html").read_text("utf-8")


def test_a_longer_run_plays_only_what_is_new(study: Callable[..., Study], games: list[int]) -> None:
    asked, other = study("pig", 2, "hold_at"), study("pig", 2, "hold_at", seed=2)
    alone = run(asked, games=1000, batch=100)
    elsewhere = run(other, games=1000, batch=100)
    games.clear()
    with remembering() as memory:
        run(asked, games=250, batch=100)
        assert sum(games) == 250
        memory.learning = False
        for _ in range(2):
            games.clear()
            again = run(study("pig", 2, "hold_at"), games=1000, batch=100)
            assert sum(games) == 750
            assert (again.sums.entries == alone.sums.entries).all()
        assert (run(other, games=1000, batch=100).sums.entries == elsewhere.sums.entries).all()
    games.clear()
    run(asked, games=1000, batch=100)
    assert sum(games) == 1000


def test_a_task_is_the_same_whenever_it_is_asked_for() -> None:
    """In a process that has imported little, and after games have been played."""
    program = """
from sim.memory import Memory
from sim.runner import Study, run
from sim.printed.components import read
from strategies import catalog

def task():
    study = Study("moesteiro", 2, (catalog.entrant("moesteiro", "expert", 2),), read("moesteiro").record, 1)
    return study, lambda first, blocks: study

memory = Memory()
memory.of(task()[1])
run(task()[0], games=2)
import numpy.rec
memory.of(task()[1])
print(len(memory._parts))
"""
    assert process(program).strip() == "1"
