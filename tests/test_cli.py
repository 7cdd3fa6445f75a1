"""The command line: what it answers, the same bytes for any number of jobs, and one line for whatever is wrong."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from scripts import options as o
from sim import registry

HOME = Path(__file__).parent.parent
PROGRAM = [sys.executable, "-c", "from scripts.cli import main; main()"]


def test_games(command, answer):
    status, out, err = command("games")
    assert (status, err) == (0, "")
    assert all(name in out for name in registry.names())
    assert [game["game"] for game in answer("games")] == registry.names()


def test_strategies(command, answer):
    status, out, _ = command("strategies", "pig")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == ["hold_at", "optimal", "random_legal"]
    assert [found["strategy"] for found in answer("strategies", "pig") if found["default"]] == ["hold_at"]


def test_components_go_to_a_spreadsheet_and_back(command, answer, tmp_path):
    file = tmp_path / "mine.csv"
    status, out, err = command("components", "pig", "--set", "goal=50", "--out", file)
    assert (status, out) == (0, "")
    assert "pig: 1 number is yours, none is a placeholder" in err
    changed, usual = answer("components", "pig", "--components", file), answer("components", "pig")
    assert changed["components"] != usual["components"]
    assert {number["path"]: number["value"] for number in changed["numbers"]}["goal"] == 50
    assert command("components", "pig", "--components", file)[1] == file.read_text(encoding="utf-8-sig")


def test_seats_answers_what_was_asked(answer):
    found = answer("seats", "pig", "--players", 3, "--strategy", "hold_at", "--games", 3000, "--seed", 9)
    assert (found["game"], found["players"], found["games"], found["blocks"], found["seed"]) == (
        "pig",
        3,
        3000,
        1000,
        9,
    )
    assert found["verdict"] in ("balanced", "unbalanced", "undecided")
    assert (found["assumed"], found["numbers"], len(found["components"])) == (0, 3, 16)
    assert (found["intervals"], found["interrupted"], found["margin"]) == ("fixed", False, 0.1)
    assert [seat["seat"] for seat in found["seats"]] == [1, 2, 3]
    for row in found["seats"] + found["strategies"]:
        assert 0 <= row["low"] <= row["win_share"] <= row["high"] <= 1
        assert row["mean_score"] > 0
    assert [row["strategy"] for row in found["strategies"]] == ["hold_at"]
    assert not {"seconds", "time", "jobs"} & set(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [["seats", "pig", "--players", "3"], ["seats", "moesteiro", "--strategy", "random_legal", "--games", "6000"]],
)
def test_the_same_bytes_for_any_number_of_jobs(command, words):
    answers = {command(*words, "--json", "--jobs", jobs)[1] for jobs in (1, 2)}
    assert len(answers) == 1
    assert json.loads(answers.pop())["games"] > 0
    assert command(*words, "--json", "--seed", 2)[1] not in answers


def test_usual_numbers_of_players(answer):
    assert answer("seats", "pig", "--games", 10)["players"] == 2
    assert answer("seats", "moesteiro", "--strategy", "random_legal", "--games", 10)["players"] == 4


@pytest.mark.slow
def test_several_strategies_share_the_table(answer):
    found = answer(
        "seats", "pig", "--strategy", "hold_at", "--strategy", "hold_at", "--strategy", "optimal", "--games", 6000
    )
    assert [row["strategy"] for row in found["strategies"]] == ["hold_at", "hold_at #2", "optimal"]
    assert found["seated"] == ["hold_at", "hold_at #2", "optimal"]


def test_words_for_people(command):
    status, out, err = command("seats", "pig", "--games", 2001)
    assert status == 0
    assert "--games 2001: playing 2002, whole blocks of 2 games" in err
    assert "Seat 1 wins " in out
    assert re.search(r" % of two-player games \(between [\d.]+ and [\d.]+; 50 % would be fair\)", " ".join(out.split()))
    assert re.search(r"^Two players: (fair|not sure|seat 1 too strong)", out, re.MULTILINE)
    assert "45 to 55 %" in out
    assert "stand-in game" not in out
    status, out, _ = command("seats", "pig", "--strategy", "hold_at", "--strategy", "random_legal", "--max-games", 200)
    assert "hold_at and random_legal at one table: 200 games" in out
    assert "not yet known" not in out
    assert "Two players: not sure." in out


def test_a_stand_in_game_says_so(command, answer):
    words = ["seats", "moesteiro", "--strategy", "random_legal", "--games", "400"]
    found = answer(*words)
    assert 0 < found["assumed"] < found["numbers"]
    assert f"stand-in game: {found['assumed']} of {found['numbers']} numbers are placeholders" in command(*words)[1]


def test_numbers_that_somebody_has_put_in_are_counted_as_theirs(command, answer, tmp_path):
    file = tmp_path / "mine.csv"
    assert command("components", "moesteiro", "--out", file)[0] == 0
    rows = list(csv.DictReader(io.StringIO(file.read_text("utf-8-sig"))))
    for row in rows:
        row["value"] = {"construction.a.3.steps": "9", "purchase.column": "2"}.get(row["path"], row["value"])
    with file.open("w", encoding="utf-16", newline="") as out:
        writer = csv.DictWriter(out, rows[0], delimiter="\t")
        writer.writeheader()
        writer.writerows(rows)
    words = ["seats", "moesteiro", "--strategy", "random_legal", "--games", "400"]
    found, usual = answer(*words, "--components", file), answer(*words)
    assert (found["given"], found["assumed"], found["numbers"]) == (2, usual["assumed"] - 2, usual["numbers"])
    status, told, err = command(*words, "--components", file)
    assert (status, "mine.csv" in err) == (0, False)
    assert f"stand-in game: 2 numbers are yours, {found['assumed']} are placeholders\n" in told


@pytest.mark.slow
def test_worth(command, answer):
    words = ["worth", "moesteiro", "--strategy", "random_legal", "--max-games", "2000"]
    found = answer(*words)
    # whole blocks of 36 games, as many of every round
    assert (found["thing"], found["round"], found["games"]) == ("kings", "each", 2160)
    assert [row["thing"] for row in found["things"]] == [
        "joao_i",
        "afonso_v",
        "duarte",
        "joao_ii",
        "joao_iii",
        "manuel_i",
    ]
    for row in found["things"]:
        assert {
            "thing",
            "worth",
            "low",
            "high",
            "power",
            "rest",
            "points",
            "chosen",
            "wins_when_chosen",
            "verdict",
        } <= set(row)
        assert row["low"] <= row["worth"] <= row["high"]
        assert row["wins_low"] <= row["wins_when_chosen"] <= row["wins_high"]
        assert row["verdict"] in ("balanced", "unbalanced", "undecided")
    assert sum(row["chosen"] for row in found["things"]) == pytest.approx(1)
    assert sum(row["worth"] for row in found["things"]) == pytest.approx(0, abs=1e-9)
    assert len(found["by_round"]) == 30
    assert {row["round"] for row in found["by_round"]} == {1, 2, 3, 4, 5}
    assert len(found["by_seat"]) == 24
    assert (found["free_choice"]["games"], len(found["free_choice"]["by_round_and_seat"])) == (1000, 120)
    assert "strong players choose good" in found["free_choice"]["warning"]
    assert answer(*words, "kings") == found
    status, out, _ = command(*words)
    assert status == 0
    assert "Afonso V" in out
    assert "With separate dice and draws, intervals as narrow would take" in " ".join(out.split())


@pytest.mark.slow
def test_worth_of_one_round_for_some_numbers_of_players(answer, command, tmp_path):
    words = [
        "worth",
        "moesteiro",
        "--strategy",
        "random_legal",
        "--games",
        "300",
        "--players",
        "2",
        "--players",
        "3",
        "--round",
    ]
    found = answer(*words, "3", "--out", tmp_path)
    assert [line["players"] for line in found["lines"]] == [2, 3]
    assert (found["players"], found["round"], found["by_round"], len(found["by_seat"])) == (2, 3, [], 12)
    page = (tmp_path / "worth.html").read_text("utf-8")
    assert "Chance dealt the Kings in round 3" in page
    assert "worth moesteiro kings --round 3 --players 2 --players 3 --strategy random_legal --games 300" in page
    assert (tmp_path / "tables" / "kings_worth_by_seat.csv").exists()
    assert answer(*words, "all")["round"] == "all"
    assert command(*words, "6")[2].startswith("chapterhouse: --round: found '6'; allowed 1 to 5, each or all")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_rows(command, tmp_path, suffix):
    file = tmp_path / f"rows.{suffix}"
    status, _, _ = command("seats", "pig", "--players", 3, "--games", 300, "--rows", file, "--json")
    assert status == 0
    rows = pd.read_csv(file) if suffix == "csv" else pd.read_parquet(file)
    assert len(rows) == 900
    assert {"game", "block", "seat", "person", "strategy", "score", "win_share", "place"} <= set(rows)
    assert rows.groupby("game")["win_share"].sum().eq(1).all()


def test_tables_go_to_a_folder(command, tmp_path):
    assert command("seats", "pig", "--games", 300, "--out", tmp_path / "new" / "tables", "--json")[0] == 0
    there = {path.name for path in (tmp_path / "new" / "tables").iterdir()}
    assert there == {"seats.csv", "strategies.csv", "ties.csv", "uses.csv", "seats.html", "tables"}


@pytest.mark.slow
def test_a_report(command, tmp_path):
    status, out, err = command("report", "pig", "--players", 2, "--games", 600, "--out", tmp_path, "--json")
    assert status == 0, err
    found = json.loads(out)
    assert Path(found["report"]).read_text(encoding="utf-8").startswith("<!")
    assert [line["seated"] for line in found["lines"]] == [
        ["hold_at"],
        ["optimal"],
        ["hold_at", "optimal"],
        ["random_legal"],
    ]
    assert {line["games"] for line in found["lines"]} == {600}


WRONG = [
    (["seats"], "Missing argument 'GAME'"),
    (["nothing"], "No such command 'nothing'"),
    (["seats", "pig", "--nothing"], "No such option: --nothing"),
    (["seats", "pig", "--seed"], "--seed"),
    (["seats", "pig", "more"], "extra argument"),
    (["seats", "pig", "--games", "1e-3"], "--games: found '1e-3'; allowed a whole number from 1 to "),
    (["seats", "pig", "--games", "1.5"], "--games: found '1.5'"),
    (["seats", "pig", "--games", "10,00"], "--games: found '10,00'"),
    (["seats", "pig", "--seed", "18446744073709551616"], "--seed: found "),
    (["seats", "pig", "--seed", "one"], "--seed: found 'one'"),
    (["seats", "pig", "--margin", "nan"], "--margin: found 'nan'"),
    (["seats", "pig", "--strategy", "none.py"], "--strategy: none.py: "),
    (["seats", "pig", "--strategy", "optimal", "--players", "3"], "strategy optimal: plays with "),
    (["seats", "pig", *["--strategy", "hold_at"] * 9], "--strategy: found 9 strategies; allowed are at most 8"),
    (["seats", "pig", "--components", "none.toml"], "none.toml"),
    (["seats", "pig", "--set", "goal=soon"], "--set: goal: found 'soon'; allowed a whole number"),
    (
        ["seats", "pig", "--rows", "rows.txt"],
        "--rows: found 'rows.txt'; allowed a file name that ends in .parquet or .csv",
    ),
    (["seats", "pig", "--rows", "none/rows.csv"], "--rows: found 'none/rows.csv' (no such file or directory)"),
    (["seats", "pig", "--out", "file/folder"], "--out: found 'file/folder'"),
    (["worth", "pig"], "GAME: found 'pig'; allowed a game that counts what players hold"),
    (["worth", "moesteiro", "queens"], "THING: found 'queens'; allowed kings"),
    (["components", "pig", "--out", "mine.txt"], "--out: found 'mine.txt'; allowed a file name that ends in .csv"),
    (["report", "pig", "--out", "file"], "--out: found 'file'"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "said"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_wrong_input_is_one_line(refused, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    assert said in refused(*words)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_strategy_that_fails_is_one_line(command, tmp_path):
    (tmp_path / "mine.py").write_text(
        "def choose(components, state, options, n, weights):\n    return 5\n", encoding="utf-8"
    )
    status, out, err = command("seats", "pig", "--strategy", tmp_path / "mine.py", "--seed", 3, "--unproved")
    assert (status, out) == (2, "")
    assert "mine.py,unproved: chose 5, allowed are 0 to 1 (seed 3, game 0, decision 0, seat 1)" in err.splitlines()[-1]


@pytest.mark.parametrize("text", ["1200", "1,200", "1_200", "1.2e3", "12E+2", " 1200 "])
def test_whole_numbers_as_people_write_them(text):
    assert o.whole("--games", text, 1, o.MOST_GAMES) == 1200


NOT_WHOLE = [
    "",
    "1.5",
    "1.0",
    "1e-3",
    "1.25e1",
    "1,2",
    "12,00",
    "1,200,00",
    ",200",
    "1__200",
    "1e3,000",
    "0x10",
    "1e999",
    "1e",
    "nan",
    "٣",
]


@pytest.mark.parametrize("text", NOT_WHOLE)
def test_what_is_no_whole_number(text):
    with pytest.raises(o.WrongInputError):
        o.whole("--games", text, 1, 10**40)


def test_a_strategy_has_one_name_however_its_settings_are_spaced(answer):
    words = ["seats", "pig", "--games", 20, "--strategy"]
    assert answer(*words, " hold_at , hold = 25") == answer(*words, "hold_at,hold=25")


def test_version_and_help(command):
    assert command("--version")[0] == 0
    assert command("--version")[1].startswith("chapterhouse")
    for words in (["--help"], [], ["seats", "--help"]):
        status, out, err = command(*words)
        assert (status, err) == (0, "")
        assert "Usage" in out


def test_ctrl_c_in_the_run_shows_what_was_played(command, monkeypatch, tmp_path):
    from scripts.progress import Progress

    def watch(self, games):
        self.games += games
        raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "watch", watch)
    status, out, err = command("seats", "pig", "--games", 1_000_000, "--json", "--jobs", 1, "--out", tmp_path)
    assert status == 130
    assert "stopped this run by hand" in (tmp_path / "seats.html").read_text(encoding="utf-8")
    found = json.loads(out)
    assert found["interrupted"]
    assert found["intervals"] == "sequence"
    assert f"Stopped by hand: this is what {found['games']:,} games show." in err


def test_ctrl_c_before_the_run(command, monkeypatch):
    def stop(*words):
        raise KeyboardInterrupt

    monkeypatch.setattr(registry, "load", stop)
    status, out, err = command("seats", "pig", "--games", 1000)
    assert (status, out) == (130, "")
    assert "Stopped by hand before anything was played." in err


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_real_ctrl_c(pig, start):
    words = ["seats", "pig", "--games", "1000000000000", "--json"]
    for seconds in (2, 5, 20):  # on a busy machine the first may come before anything was played
        process = start(*PROGRAM, *words, cwd=HOME)
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        if out:
            break
    assert process.returncode == 130, err
    assert json.loads(out)["interrupted"]
    assert "Traceback" not in err
    assert "Warning" not in err


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_reader_that_leaves_is_told_nothing(start):
    process = start(*PROGRAM, "components", "moesteiro", cwd=HOME)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    assert process.wait() == 4
    assert len(err.splitlines()) == 1  # the one about assumed numbers


@pytest.mark.slow
def test_the_list_of_games_is_there_at_once():
    best = 9.0
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([*PROGRAM, "games"], cwd=HOME, capture_output=True, check=True)
        best = min(best, time.perf_counter() - start)
    assert best < 1.0
