"""`chapterhouse check --baseline`: the same numbers, a planted worsening, too few games; and the Markdown of the
answer."""

import json
import re
import shlex

import numpy as np
import pandas as pd
import pytest

from analyses.baseline import NOT_WORSE, UNDECIDED, WORSE, Indices, beside
from analyses.evidence import Estimate
from sim.printed.components import read
from tests.helpers import request

PIG = ["check", "pig", "--players", "2"]


def indices(before, after, change, half=0.01):
    """Indices whose intervals reach `half` to either side."""
    parts = [np.array(part, float) for part in (before, after, change)]
    return Indices(["1", "2", "3"], *(Estimate(part, part - half, part + half) for part in parts))


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ([1.2, 0.9, 0.9], [1.3, 0.8, 0.9], (0.1, 0.09, 0.11)),  # one stays the highest: its own change
        ([1.2, 1.0, 0.8], [1.0, 1.3, 0.7], (0.1, 0.08, 0.12)),  # another one becomes it: both ends know less
        ([1.2, 0.7, 1.1], [1.2, 0.9, 0.9], (0.0, -0.01, 0.01)),  # what rises below the highest counts for nothing
    ],
)
def test_the_change_of_the_highest(before, after, found):
    assert indices(before, after, np.subtract(after, before)).highest == pytest.approx(found)


def test_the_interval_covers_the_change_of_the_highest():
    """Whoever the highest really is, before and after: intervals that cover all truths cover that one."""
    draw = np.random.default_rng(1)
    for _ in range(2_000):
        before, after = (draw.normal(1, 0.1, 3) for _ in range(2))
        halves = draw.uniform(0.01, 0.2, 3)
        parts = [
            Estimate(at, at - half, at + half)
            for truth, half in zip((before, after, after - before), halves, strict=True)
            for at in [truth + draw.uniform(-half, half, 3)]
        ]
        _, low, high = Indices(["1", "2", "3"], *parts).highest
        assert low <= after.max() - before.max() <= high


@pytest.mark.parametrize(
    ("change", "games", "word"),
    [
        ("goal=100", None, NOT_WORSE),
        ("goal=99", None, NOT_WORSE),
        ("goal=30", None, WORSE),
        ("goal=99", "40", UNDECIDED),
    ],
)
def test_what_is_known_of_pig(change, games, word):
    """Whoever begins gains more the shorter the game is."""
    asked = request("pig", margin="0.02", changes=[change], games=games)
    found = beside(read("pig"), asked, "seats", 2, asked.line_up(2))
    assert found.word == word
    assert found.low <= found.change <= found.high
    assert (found.change, found.low, found.high) == (0, 0, 0) or change != "goal=100"
    assert found.after - found.before == pytest.approx(found.change)
    assert found.sequential == (games is None)


@pytest.mark.parametrize(("margin", "status", "word"), [("0.02", 1, WORSE), ("0.3", 0, NOT_WORSE)])
def test_the_margin_says_what_still_counts_as_none(margin, status, word, command, tmp_path):
    (tmp_path / "old.csv").write_text("path,value\ngoal,100\n", encoding="utf-8")
    words = [*PIG, "--baseline", tmp_path / "old.csv", "--set", "goal=30", "--margin", margin]
    found, out, _ = command(*words, "--json")
    answer = json.loads(out)
    (one,) = answer["baseline"]
    assert (found, answer["status"], one["word"], answer["questions"]) == (status, status, word, [])
    assert (answer["margin"], one["margin"]) == (float(margin), float(margin))
    assert command(*words, "--json", "--jobs", 2)[1] == out == command(*shlex.split(answer["command"])[1:], "--json")[1]


def test_limits_and_a_baseline_are_asked_together(command, tmp_path):
    (tmp_path / "old.toml").write_text("goal = 100\n", encoding="utf-8")
    words = [*PIG, "--max-seat-index", "1.3", "--baseline", tmp_path / "old.toml", "--out", tmp_path / "page"]
    status, out, _ = command(*words, "--set", "goal=30", "--summary", tmp_path / "summary")
    assert status == 1
    assert "Inside: the limit holds. Worse than the baseline." in out
    assert command(*words, "--summary", tmp_path / "summary")[0] == 0
    page = (tmp_path / "page" / "check.html").read_text("utf-8")
    assert "Inside: the limit holds. Not worse than the baseline." in page
    assert "Is it worse than with the baseline?" in page
    assert len(re.findall(r">\s*1\.07\s*<", page)) >= 2  # of the seat that begins, with both
    assert list(pd.read_csv(tmp_path / "page" / "tables" / "baseline.csv")["word"]) == [NOT_WORSE] * 2
    summary = (tmp_path / "summary").read_text("utf-8").splitlines()
    assert [line for line in summary if line.startswith("#")] == ["### Balance: Pig"] * 2  # appended
    cells = [re.split(r" *\| *", line)[1:4] for line in summary if line.startswith("|")]
    assert cells[2:4] == [["inside", "Seats", "2"], ["worse", "Seats, baseline", "2"]]


def test_too_few_games_decide_nothing(command, tmp_path):
    (tmp_path / "old.csv").write_text("path,value\ngoal,99\n", encoding="utf-8")
    status, out, _ = command("check", "pig", "--baseline", tmp_path / "old.csv", "--max-games", "40")
    assert (status, out.count("undecided")) == (3, 3)
    assert "Undecided against the baseline in three of three comparisons." in out


@pytest.mark.slow
def test_seats_and_things_are_compared_if_nothing_has_a_limit(command, tmp_path):
    """A King that gives thirty points more: his holder is far above his share."""
    (tmp_path / "old.csv").write_text("path,value\nkings.afonso_v.vp,3\n", encoding="utf-8")
    words = [
        "check",
        "moesteiro",
        "--players",
        "4",
        "--strategy",
        "greedy",
        "--baseline",
        tmp_path / "old.csv",
        "--json",
    ]
    found = json.loads(command(*words, "--set", "kings.afonso_v.vp=33")[1])
    assert [one["what"] for one in found["baseline"]] == ["seats", "kings"]
    assert found["baseline"][1]["word"] == WORSE
    same = json.loads(command(*words)[1])
    assert [(one["word"], one["low"], one["high"]) for one in same["baseline"]] == [(NOT_WORSE, 0, 0)] * 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--max-seat-index", "1.1", "--margin", "0.1"], "--margin: found '0.1'; allowed with --baseline"),
        (["--baseline", "none.csv"], "none.csv: file: found no such file"),
        (["--baseline", "old.csv", "--margin", "0"], "--margin: found '0'; allowed a number greater than 0"),
        (
            ["--max-seat-index", "1.1", "--summary", "none/file"],
            "--summary: found 'none/file' (no such file or directory)",
        ),
    ],
)
def test_wrong_input_is_one_line(words, said, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.csv").write_text("path,value\ngoal,99\n", encoding="utf-8")
    status, out, err = command(*PIG, *words)
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert said in err
