"""The Python interface: the same questions, options and answers as on the command line."""

import doctest
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pandas as pd
import pytest

import chapterhouse
from scripts import app
from scripts.app import questions
from scripts.keywords import keywords

HOME = Path(__file__).parent.parent
SECONDS = r'"seconds_a_game": .*'  # the only thing that is never the same twice
CLOCKED = {Path("ladder.csv"), Path("ladder.parquet")}
IMPORT = """
import gc, signal, sys, warnings
def now(): return sys.path[:], warnings.filters[:], signal.getsignal(2), gc.isenabled()
before = now()
import chapterhouse
assert now() == before
print(*sys.modules)
"""
QUESTIONS = [name for name in questions() if hasattr(chapterhouse, name)]
# By name: a small question in Python, and the same as it is typed.
SMALL = {
    "seats": (
        {"game": "pig", "players": 2, "games": 3e2, "strategy": ["hold_at", "optimal"]},
        "pig --players 2 --games 300 --strategy hold_at --strategy optimal",
    ),
    "worth": (
        {"game": "moesteiro", "thing": "kings", "players": 2, "games": 200, "round": 1,
        "changes": {"kings.afonso_v.vp": 2}}, "moesteiro kings --players 2 --games 200 --round 1 --set "
        "kings.afonso_v.vp=2",
    ),
    "sweep": (
        {"game": "pig", "number": {"goal": range(50, 101, 25)}, "games": 200, "find": 1.1},
        "pig goal=50,75,100 --games 200 --find 1.1",
    ),
    "compare": ({"game": "pig", "changes": {"goal": 50}, "games": 200, "seed": 3}, "pig --set goal=50 --games 200 "
    "--seed 3"),
    "balance": (
        {"game": "pig", "change": {"goal": [90, 100, 110]}, "only": "seats", "trials": 3, "games": 200,
        "max_games": 400}, "pig --change goal=90,100,110 --only seats --trials 3 --games 200 --max-games 400",
    ),
    "robustness": (
        {"game": "moesteiro", "printings": 3, "games": 200, "players": [2]},
        "moesteiro --printings 3 --games 200 --players 2",
    ),
    "check": (
        {"game": "pig", "max_seat_index": 1.5, "players": [2, 3], "games": 900},
        "pig --max-seat-index 1.5 --players 2 --players 3 --games 900",
    ),
    "ladder": ({"game": "pig", "budgets": [4], "games": 40, "players": 2}, "pig --budgets 4 --games 40 --players 2"),
    "variants": ({"game": "abbates", "players": 2, "games": 40}, "abbates --players 2 --games 40"),
}  # fmt: skip


def test_each_question_is_tried():
    assert set(SMALL) == set(QUESTIONS)


@pytest.mark.parametrize("name", [*QUESTIONS, "replay"])
def test_the_signatures_have_the_options_of_the_commands(name):
    command = app.replay if name == "replay" else questions()[name].command()
    known = keywords(command)
    mine = dict(inspect.signature(getattr(chapterhouse, name)).parameters)
    assert mine.pop("game").default is inspect.signature(command).parameters["game"].default
    if name != "replay":
        assert mine.pop("quiet").default is True
    assert set(mine) == set(known)
    for keyword, option in known.items():
        asked = mine[keyword].default
        assert asked == (
            float(option.default) if isinstance(asked, int | float) and not isinstance(asked, bool) else option.default
        )
        assert (mine[keyword].annotation is bool) == (get_args(option.annotation)[0] is bool)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_is_that_of_the_command_line(name, command, tmp_path):
    values, words = SMALL[name]
    found = getattr(chapterhouse, name)(**values)
    status, out, _ = command(name, *words.split(), "--json")
    assert status == 0
    assert re.sub(SECONDS, "", json.dumps(found.to_dict(), indent=2)) + "\n" == re.sub(SECONDS, "", out)
    assert found.tables
    assert repr(found) == f"<{found.to_dict()['command']}: {found.verdict or 'found'}>"
    page = found._repr_html_()
    assert page.startswith("<iframe ")
    assert "http://" not in page.replace("http://www.w3.org", "")
    found.write(tmp_path / "here")
    assert command(name, *words.split(), "--out", tmp_path / "there")[0] == 0
    files = {path.relative_to(tmp_path / "here") for path in (tmp_path / "here").rglob("*") if path.is_file()}
    assert files == {path.relative_to(tmp_path / "there") for path in (tmp_path / "there").rglob("*") if path.is_file()}
    for file in files - CLOCKED:
        assert (tmp_path / "here" / file).read_bytes() == (tmp_path / "there" / file).read_bytes()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"players": 9}, ["--players", "9"]),
        ({"games": "many"}, ["--games", "many"]),
        ({"games": 2.5}, ["--games", "2.5"]),
        ({"changes": {"kings.nobody.vp": 1}}, ["--set", "kings.nobody.vp=1"]),
        ({"components": Path("nowhere.toml")}, ["--components", "nowhere.toml"]),
        ({"strategy": ["greedy", "nobody"]}, ["--strategy", "greedy", "--strategy", "nobody"]),
        ({"backend": "clouds"}, ["--backend", "clouds"]),
        ({"round": 99}, ["--round", "99"]),
    ],
)
def test_wrong_input_is_a_value_error_with_the_same_line(wrong, words, command):
    status, _, err = command("worth", "moesteiro", "kings", *words)
    assert status == 2
    with pytest.raises(ValueError, match=r"\w") as refused:
        chapterhouse.worth("moesteiro", "kings", **wrong)
    assert f"chapterhouse: {refused.value}\n" == err


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_played(stopping, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("analyses.worth.lines.measured", lambda *given, **more: [])  # as when it comes too early
        with pytest.raises(KeyboardInterrupt, match="before anything was played"):
            chapterhouse.worth("moesteiro", "kings", players=2, games=200)
    stopping(1)
    found = chapterhouse.worth("moesteiro", "kings", players=2, games=2000, jobs=1)
    assert found.interrupted
    assert found.to_dict()["interrupted"] is True
    assert repr(found).endswith(", interrupted>")


@pytest.mark.slow
def test_a_game_is_told_as_on_the_command_line(command, tmp_path):
    told = chapterhouse.replay("pig", number=3, seed=2, players=3)
    words = ["replay", "pig", "--game", 3, "--seed", 2, "--players", 3]
    assert command(*words)[1] == f"{told}\n"
    out = command(*words, "--json")[1]
    assert out == f"{told.to_json()}\n"
    assert [json.loads(line) for line in out.splitlines()] == told.events
    (tmp_path / "game.jsonl").write_text(out)
    assert str(chapterhouse.replay("pig", tmp_path / "game.jsonl")) == str(told)
    assert str(told).splitlines()[0] in told._repr_html_()
    with pytest.raises(ValueError, match="--seed: found '1'; allowed nothing beside FILE"):
        chapterhouse.replay("pig", tmp_path / "game.jsonl", seed=1)


@pytest.mark.slow
def test_rows_are_those_of_seats(command, tmp_path):
    file = tmp_path / "rows.parquet"
    assert command("seats", "pig", "--players", 3, "--games", 30, "--set", "goal=50", "--rows", file)[0] == 0
    pd.testing.assert_frame_equal(
        chapterhouse.rows("pig", players=3, games=30, changes={"goal": 50}), pd.read_parquet(file)
    )


@pytest.mark.slow
def test_progress_is_told_if_it_is_asked_for(capsys):
    for quiet in (True, False):
        capsys.readouterr()
        chapterhouse.worth("moesteiro", "kings", players=2, games=200, quiet=quiet)
        assert (" games in " in capsys.readouterr().err) is not quiet


@pytest.mark.slow
def test_an_import_is_quick_and_changes_nothing():
    done = subprocess.run([sys.executable, "-c", IMPORT], cwd=HOME, check=True, capture_output=True, text=True)
    assert not {"numba", "numpy", "pandas", "typer", "scripts", "sim"} & set(done.stdout.split())


@pytest.mark.slow
def test_the_examples_in_the_document_are_true():
    assert doctest.testfile(str(HOME / "docs" / "api.md"), module_relative=False).failed == 0
