"""`chapterhouse check`: limits with known answers, exit statuses, what is refused, the same bytes for any number of
jobs, the page."""

import json
import re
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

from analyses import check as analysis
from analyses.check import INSIDE, OUTSIDE, UNDECIDED, Check, Limit, LimitAnswer, judge
from analyses.evidence import Estimate
from analyses.played import Played
from scripts.commands.check import QUESTION, STATUS
from tests.helpers import request

PIG = [
    "check",
    "pig",
    "--players",
    "2",
    "--strategy",
    "optimal",
]  # who begins wins 53.06 %, 1.061 times the fair share (Neller, Presser 2004)
KINGS = ["check", "moesteiro", "--players", "4", "--strategy", "greedy", "--max-king-index"]


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        ((0.9, 0.8), (1.04, 1.05), INSIDE),  # the limit itself is allowed
        ((0.9, 1.051), (1.04, 1.3), OUTSIDE),
        ((0.9, 1.05), (1.04, 1.3), UNDECIDED),
        ((np.nan, 0.9), (np.nan, 1.0), UNDECIDED),
    ],
)
def test_the_word(low, high, word):
    low, high = np.array(low), np.array(high)
    assert judge(Estimate((low + high) / 2, low, high), 1.05) == word


def made(words, asked=None):
    """A check with answers that say these words."""
    rows = pd.DataFrame({"name": ["1"], "index": [1.0], "low": [0.9], "high": [1.1]})
    played = Played(None, 2, ("x",), 1, None, 10, 5, sequential=True)
    answers = tuple(LimitAnswer(played, Limit("seats", 2, 1.05), rows, word) for word in words)
    return Check(played, answers, asked or len(answers))


@pytest.mark.parametrize(
    ("words", "asked", "word", "status"),
    [
        ([INSIDE, INSIDE], 2, INSIDE, 0),
        ([INSIDE, OUTSIDE, UNDECIDED], 3, OUTSIDE, 1),
        ([INSIDE, UNDECIDED], 2, UNDECIDED, 3),
        ([INSIDE], 2, UNDECIDED, 3),  # stopped before the second was asked
    ],
)
def test_all_answers_together(words, asked, word, status):
    found = made(words, asked)
    assert (found.word, STATUS[found.word], QUESTION.status(found)) == (word, status, status)


def test_a_run_that_is_stopped_between_limits_keeps_the_answers(monkeypatch):
    (first,) = made([INSIDE]).answers
    nothing = replace(first, played=replace(first.played, games=0, blocks=0, interrupted=True))
    asked, entrants = [first.limit, first.limit], {2: ()}
    for answers, kept in (([first, nothing], 1), ([first, first], 2), ([nothing], 0)):
        monkeypatch.setattr(analysis, "_seats", Mock(side_effect=answers))
        found = analysis.check(request("pig"), asked, entrants, lambda games: None)
        if kept:
            assert (len(found.answers), found.interrupted, found.word) == (
                kept,
                kept < 2,
                UNDECIDED if kept < 2 else INSIDE,
            )
        else:
            assert found is None


@pytest.mark.parametrize(
    ("limit", "most", "status"), [("1.15", "200000", 0), ("1.02", "200000", 1), ("1.061", "3000", 3)]
)
def test_the_first_player_of_pig(command, limit, most, status):
    found, out, err = command(*PIG, "--max-seat-index", limit, "--max-games", most, "--json")
    assert found == status, err
    answer = json.loads(out)
    (question,) = answer["questions"]
    assert answer["status"] == status
    assert (answer["word"], question["word"]) == ({0: INSIDE, 1: OUTSIDE, 3: UNDECIDED}[status],) * 2
    assert (question["what"], question["name"], question["players"], question["limit"]) == (
        "seats",
        "1",
        2,
        float(limit),
    )
    assert question["low"] < 1.061 < question["high"]
    assert question["games"] <= int(most)
    assert [row["name"] for row in question["rows"]] == ["1", "2"]
    assert (question["further_games"] is None) == (status != 3)


def test_a_strong_thing_is_outside_and_weaker_limits_hold(command):
    """A King that gives thirty points more: his holder is far above his share, and no King can be above all games."""
    found = command(*KINGS, "1.1", "--set", "kings.afonso_v.vp=30", "--json")
    answer = json.loads(found[1])
    (question,) = answer["questions"]
    assert (found[0], question["what"], question["name"], question["word"]) == (1, "kings", "afonso_v", OUTSIDE)
    assert question["low"] > 1.1
    assert question["games"] % 6 == 0
    status, out, _ = command(*KINGS, "3.9", "--set", "kings.afonso_v.vp=30", "--json")
    assert (status, json.loads(out)["word"]) == (0, INSIDE)


def test_indices_of_things_average_to_one(command):
    """All of a block's holders together win what there is: with as many holders of each the mean index is that of a
    fair share."""
    status, out, _ = command(*KINGS, "1.0001", "--games", "600", "--json")
    (question,) = json.loads(out)["questions"]
    assert np.mean([row["index"] for row in question["rows"]]) == pytest.approx(1)
    assert (question["games"], question["blocks"], question["intervals"]) == (600, 100, "fixed")
    assert status == 1


def test_a_tiny_budget_is_undecided(command):
    status, out, _ = command("check", "pig", "--max-seat-index", "1.05", "--max-games", "60")
    assert status == 3
    assert out.count("undecided") == 3
    assert "Undecided: of three limits three not decided." in out


@pytest.mark.slow
def test_all_numbers_of_players_and_both_limits(command):
    status, out, _ = command(
        *[w for w in KINGS if w not in ("--players", "4")],
        "3",
        "--max-seat-index",
        "3",
        "--max-games",
        "2400",
        "--json",
    )
    questions = json.loads(out)["questions"]
    assert [(q["players"], q["what"]) for q in questions] == [
        (n, what) for n in (2, 3, 4) for what in ("seats", "kings")
    ]
    assert status in (0, 3)


@pytest.mark.slow
def test_the_same_bytes_for_any_number_of_jobs(command):
    words = [*KINGS, "1.05", "--max-games", "6000", "--json"]
    answers = {command(*words, "--jobs", jobs)[1] for jobs in (1, 2)}
    assert len(answers) == 1
    assert command(*words, "--seed", 2)[1] not in answers


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "pig"], "--max-seat-index, --max-thing-index, --baseline: found none of them; allowed at least one"),
        (
            ["check", "pig", "--max-king-index", "1.1"],
            "--max-thing-index: found '1.1' with pig; allowed a game in which ",
        ),
        (["check", "pig", "--max-seat-index", "1"], "--max-seat-index: found '1'; allowed a number greater than 1"),
        (["check", "pig", "--max-seat-index", "inf"], "--max-seat-index: found 'inf'"),
        (["check", "pig", "--max-seat-index", "much"], "--max-seat-index: found 'much'"),
        (["check", "moesteiro", "--max-thing-index", "0.9"], "--max-thing-index: found '0.9'"),
        (["check", "pig", "--max-seat-index", "1.1", "--set", "goal=0"], "goal: found 0"),
    ],
)
def test_wrong_input_is_one_line(refused, words, said):
    assert said in refused(*words)


@pytest.mark.slow
def test_the_page(command, tmp_path):
    status, out, _ = command(*KINGS, "1.1", "--max-seat-index", "1.2", "--max-games", "3000", "--out", tmp_path)
    page = (tmp_path / "check.html").read_text(encoding="utf-8")
    word = {0: "Inside", 1: "Outside", 3: "Undecided"}[status]
    assert re.search(rf'class="headline">{word}: ', page)
    assert "Does a seat win more than 1.2 times its fair share?" in page
    assert "Does the holder of one of the Kings win more than 1.1 times its fair share?" in page
    assert "--max-seat-index 1.2 --max-thing-index 1.1 --players 4 --strategy greedy --max-games 3000 --seed 1" in page
    assert page.count("<svg") == 2
    table = pd.read_csv(tmp_path / "tables" / "check.csv")
    assert list(table["what"].value_counts().sort_index()) == [6, 4]
    assert f"{word}: " in out


def test_ctrl_c_shows_what_was_played(command, monkeypatch):
    from scripts.progress import Progress

    def watch(self, games):
        self.games += games
        raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "watch", watch)
    status, out, err = command(*KINGS, "1.1", "--max-seat-index", "1.1", "--games", 1_000_000, "--json", "--jobs", 1)
    assert status == 130
    found = json.loads(out)
    assert (found["interrupted"], len(found["questions"]), found["questions"][0]["intervals"]) == (True, 1, "sequence")
    assert 0 < found["questions"][0]["games"] < 1_000_000
    assert "Stopped by hand: this is what was played." in err
