"""How far a run is, on standard error: a line every ten seconds where there is no terminal, a bar on one, and no word
with --quiet."""

import re
import sys
import time

import pytest

from scripts import progress as p
from scripts.progress import Progress, progress

QUIET = [
    ["worth", "moesteiro", "--strategy", "greedy", "--games", "36"],
    ["report", "pig", "--players", "2", "--games", "4", "--out", "made"],
    [
        "tune",
        "pig",
        "--games",
        "2",
        "--generations",
        "1",
        "--population",
        "4",
        "--test-games",
        "2",
        "--strategy",
        "hold_at",
    ],
]


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still; set `now` to move it."""

    class Clock:
        now = 100.0

    monkeypatch.setattr(p, "perf_counter", lambda: Clock.now)
    return Clock


def test_a_line_says_what_is_played_how_far_how_fast_and_how_long_it_takes(clock):
    counter = Progress("Pig, 2 players", 200_000)
    assert counter.line() == "Pig, 2 players: 0 %, 0 of 200,000 games, 0 a second"
    clock.now += 10
    counter.watch(50_000)
    assert counter.line() == "Pig, 2 players: 25 %, 50,000 of 200,000 games, 5,000 a second, about 0:00:30 left"


def test_what_is_decided_early_is_done_with_but_says_nothing_about_speed(clock):
    counter = Progress("first", 200_000)
    clock.now += 10
    counter.watch(10_000)
    counter.reach(100_000, "second")
    assert counter.line() == "second: 50 %, 100,000 of 200,000 games, 1,000 a second, about 0:01:40 left"


def test_games_of_different_weight_are_told_in_percent(clock):
    counter = Progress("4 lines", 1_000, percent=True)
    clock.now += 20
    counter.watch(100)
    counter.watch(2, weight=200)
    assert counter.line() == "4 lines: 50 %, 102 games, 5 a second, about 0:00:20 left"
    counter.watch(1_000)  # blocks are whole: it may be more than was asked for
    assert counter.line() == "4 lines: 100 %, 1,102 games, 55 a second, about 0:00:00 left"


def test_where_there_is_no_terminal_lines_come_at_intervals_even_in_the_middle_of_a_batch(monkeypatch, capsys):
    monkeypatch.setattr(p, "EVERY", 0.02)
    with progress("Pig, 2 players", 100) as bar:
        until_told(capsys, "Pig, 2 players: 0 %, 0 of 100 games")
        bar.watch(50)
        bar.name("Pig, 3 players")
        until_told(capsys, "Pig, 3 players: 50 %, 50 of 100 games")
    capsys.readouterr()
    time.sleep(0.1)
    assert capsys.readouterr() == ("", "")


def until_told(capsys, begin):
    """Wait for a line."""
    end, told = time.monotonic() + 20, []
    while not any(line.startswith(begin) for line in told):
        assert time.monotonic() < end, told
        time.sleep(0.01)
        out, err = capsys.readouterr()
        assert out == ""
        told = err.splitlines()


@pytest.mark.slow
def test_a_short_run_says_one_line_at_its_end(command):
    status, _, err = command("worth", "moesteiro", "--strategy", "greedy", "--games", "36", "--json")
    assert status == 0
    assert re.fullmatch(r"[\d,]+ games in \d+\.\d s \([\d,]+ a second\)", err.splitlines()[-1])


@pytest.mark.slow
def test_lines_are_told_by_a_command(command, monkeypatch):
    monkeypatch.setattr(p, "EVERY", 0.01)
    lines = command("worth", "moesteiro", "--strategy", "greedy", "--games", "3600", "--json")[2].splitlines()
    assert any(re.match(r"Moesteiro: \d+ %, [\d,]+ of 5,400 games, ", line) for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("words", QUIET, ids=lambda words: words[0])
@pytest.mark.parametrize("terminal", [False, True])
def test_quiet_says_nothing(words, terminal, command, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(p, "EVERY", 0.01)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    status, out, err = command(*words, "--quiet")
    assert (status, err) == (0, "")
    assert out


def test_quiet_still_says_what_is_wrong(command):
    assert command("worth", "moesteiro", "--quiet", "--games", "0")[2].startswith("chapterhouse: --games: found '0'")


@pytest.mark.slow
def test_a_quiet_run_goes_on_quietly(command, tmp_path, stopping):
    stopping(1)
    assert command("seats", "pig", "--games", "60000", "--jobs", 1, "--run", tmp_path / "run")[0] == 130
    status, _, err = command("resume", tmp_path / "run", "--quiet")
    assert (status, "games in" in err, "finished" in err) == (0, False, True)
