"""`chapterhouse rules`: the list, what is measured, the same bytes for any number of jobs, one line for whatever is
wrong."""

import json
import subprocess
import sys
from html import unescape
from pathlib import Path

import pandas as pd
import pytest

from sim.printed import components, rulings

HOME = Path(__file__).parent.parent
SMALL = ["rules", "moesteiro", "--players", "3", "--strategy", "random_legal", "--games", "900", "--margin", "0.3"]


def test_the_plain_list_needs_no_game(command, answer):
    status, out, err = command("rules", "moesteiro", "--no-measure")
    assert (status, err) == (0, "")
    flat = " ".join(out.split())
    for ruling in rulings.read("moesteiro"):
        assert ruling.place in out
        assert ruling.question in flat
        assert ruling.reading in flat
        for value, text in ruling.alternatives.items():
            assert text in flat
            assert f"--set rules.{ruling.switch}={value}" in out
    assert "verdict" not in out
    found = answer("rules", "moesteiro", "--no-measure")
    assert len(found["rulings"]) == len(rulings.read("moesteiro"))
    assert {alternative["effect"] for ruling in found["rulings"] for alternative in ruling["alternatives"]} == {None}
    assert (found["games"], found["seated"], "verdict" in found) == (0, [], False)
    assert found["command"] == "chapterhouse rules moesteiro --no-measure --players 4 --margin 0.1 --seed 1"


@pytest.mark.slow
def test_what_is_measured(answer):
    found = answer(*SMALL)
    assert (found["game"], found["players"], found["games"], found["blocks"], found["margin"]) == (
        "moesteiro",
        3,
        900,
        300,
        0.3,
    )
    assert (found["seated"], found["intervals"], found["interrupted"]) == (["random_legal"], "fixed", False)
    assert (found["assumed"], found["given"], found["numbers"]) == components.read("moesteiro").counts
    assert not {"seconds", "time", "jobs"} & set(found)
    switched = [ruling for ruling in found["rulings"] if ruling["switch"] and not ruling["setup"]]
    assert {ruling["switch"] for ruling in switched} == set(components.read("moesteiro").rules) - {"construction_set"}
    for ruling in switched:
        assert ruling["played"] == ruling["default"]
        for alternative in ruling["alternatives"]:
            effect = alternative["effect"]
            assert alternative["set"] == f"rules.{ruling['switch']}={alternative['value']}"
            assert effect["verdict_before"] == found["verdict"]
            assert effect["changes"] == (effect["verdict"] == "changes")
            assert (effect["verdict"] == "undecided") == (
                "undecided" in (effect["verdict_before"], effect["verdict_after"])
            )
            assert effect["low"] <= effect["change"] <= effect["high"]
            assert effect["win_share_after"] - effect["win_share_before"] == pytest.approx(effect["change"])
            assert effect["mean_score_after"] - effect["mean_score_before"] == pytest.approx(effect["score_change"])
            assert [seat["seat"] for seat in effect["seats"]] == [1, 2, 3]
            assert abs(effect["change"]) == pytest.approx(max(abs(seat["change"]) for seat in effect["seats"]))
    settled = [ruling for ruling in found["rulings"] if ruling["setup"]]
    assert [ruling["switch"] for ruling in settled] == ["construction_set"]
    assert all(alternative["effect"] is None for alternative in settled[0]["alternatives"])


@pytest.mark.slow
def test_what_is_measured_is_what_seats_finds(answer):
    """The shares before and after are those of two runs of `seats`, and their difference is the change."""
    words = ["--players", "3", "--strategy", "random_legal", "--games", "900"]
    usual = answer("seats", "moesteiro", *words)["seats"]
    switched = answer("seats", "moesteiro", *words, "--set", "rules.unused_pips=per_pip")["seats"]
    (ruling,) = (ruling for ruling in answer(*SMALL)["rulings"] if ruling["switch"] == "unused_pips")
    for seat in ruling["alternatives"][0]["effect"]["seats"]:
        before, after = (run[seat["seat"] - 1]["win_share"] for run in (usual, switched))
        assert (seat["win_share_before"], seat["win_share_after"]) == pytest.approx((before, after))


@pytest.mark.slow
def test_the_same_bytes_for_any_number_of_jobs(command):
    answers = {command(*SMALL, "--json", "--jobs", jobs)[1] for jobs in (1, 2)}
    assert len(answers) == 1
    assert command(*SMALL, "--json", "--seed", 2)[1] not in answers


def test_words_for_people(command):
    status, out, err = command(*SMALL[:-4], "--games", "901")
    assert status == 0
    assert "--games 901: playing 903, whole blocks of 3 games" in err
    flat = " ".join(out.split())
    assert "36 readings of what the rulebook leaves open, 11 of them with a switch" in flat
    assert (
        "Measured with 3 players, random_legal in every seat: 903 games of each reading, with the same dice and draws "
        "(seed 1, " in flat
    )
    assert "numbers are placeholders" in flat
    assert "Of eleven other readings, tried with three players," in flat
    assert " %, change " in flat
    assert "verdict" in flat
    assert "points a player, change " in flat
    assert "not one game ended differently" in flat  # who plays at random does not look at the displays


@pytest.mark.slow
def test_a_reading_that_is_switched_is_what_the_others_are_compared_with(answer, command):
    found = answer(*SMALL, "--set", "rules.unused_pips=per_pip")
    (ruling,) = (ruling for ruling in found["rulings"] if ruling["switch"] == "unused_pips")
    assert (ruling["default"], ruling["played"]) == ("one_step", "per_pip")
    assert [alternative["value"] for alternative in ruling["alternatives"]] == ["one_step"]
    assert ruling["reading"] == next(r for r in rulings.read("moesteiro") if r.switch == "unused_pips").words("per_pip")
    (usual,) = (ruling for ruling in answer(*SMALL)["rulings"] if ruling["switch"] == "unused_pips")
    there, back = usual["alternatives"][0]["effect"], ruling["alternatives"][0]["effect"]
    assert back["score_change"] == pytest.approx(-there["score_change"])
    assert [seat["change"] for seat in back["seats"]] == pytest.approx([-seat["change"] for seat in there["seats"]])


def test_the_page_has_what_the_answer_has(command, answer, tmp_path):
    asked = answer(*SMALL, "--out", tmp_path)
    assert answer(*asked["command"].split()[1:]) == asked
    page = unescape((tmp_path / "rules.html").read_text("utf-8"))
    assert asked["command"] in page
    assert "Of eleven other readings, tried with three players," in page
    assert "10,800 games" in page
    rows = pd.read_csv(tmp_path / "tables" / "readings.csv").set_index(["switch", "value"])
    for ruling in asked["rulings"]:
        for alternative in ruling["alternatives"]:
            effect, row = alternative["effect"], (ruling["switch"], alternative["value"])
            assert effect is None or effect["change"] == pytest.approx(rows.loc[row, "change"])


def test_a_page_of_readings_that_are_only_listed(command, tmp_path):
    assert command("rules", "moesteiro", "--no-measure", "--out", tmp_path)[0] == 0
    page = unescape((tmp_path / "rules.html").read_text("utf-8"))
    assert "This run did not measure what that would change." in page
    assert "Not measured." in page
    assert {path.name for path in tmp_path.glob("tables/*.csv")} == {"rulings.csv"}


def test_a_game_whose_rules_leave_nothing_open(command, answer):
    assert answer("rules", "pig")["rulings"] == []
    status, out, err = command("rules", "pig")
    assert (status, err) == (0, "")
    assert out == "Pig: its rules leave nothing open.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rules"], "Missing argument 'GAME'"),
        (
            ["rules", "moesteiro", "--set", "rules.displays=never"],
            "--set: rules.displays: found 'never'; allowed after_kings or before_kings",
        ),
        (["rules", "pig", "--max-games", "5"], "No such option: --max-games"),
    ],
)
def test_wrong_input_is_one_line(refused, words, said):
    assert said in refused(*words)


def test_ctrl_c_shows_what_was_played(command, monkeypatch):
    from scripts.progress import Progress

    def watch(self, games):
        self.games += games
        raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "watch", watch)
    status, out, err = command(*SMALL[:-4], "--games", 1_000_000, "--json", "--jobs", 1)
    assert status == 130
    found = json.loads(out)
    assert found["interrupted"]
    assert found["intervals"] == "sequence"
    assert 0 < found["games"] < 1_000_000
    assert f"Stopped by hand: this is what {found['games']:,} games of each reading show." in err


@pytest.mark.slow
def test_a_plain_list_loads_nothing_that_is_slow():
    code = (
        "import sys\nfrom scripts.cli import run\nrun(['rules', 'moesteiro', "
        "'--no-measure'])\nprint(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=HOME, capture_output=True, text=True, check=True)
    assert not {"matplotlib", "jinja2", "pandas", "joblib"} & set(done.stderr.split())
