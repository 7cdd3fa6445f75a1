"""`new`: the game that it writes is whole, plays as it is, and is the same in both forms."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import chapterhouse
from scripts.commands.new import TEMPLATES

FORMS = pytest.mark.parametrize("form", [[], ["--many"]], ids=["one", "many"])


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@FORMS
def test_it_says_what_it_has_written(command, form):
    status, out, err = command("new", "coin-race", *form)
    assert (status, err) == (0, "")
    assert "chapterhouse seats ./coin-race" in out
    assert out.count("To run a game is to run its code") == 1
    text = "".join(path.read_text("utf-8") for path in Path("coin-race").rglob("*") if path.is_file())
    assert "Coin race" in text
    assert "mygame" not in text.casefold()
    assert len(Path("coin-race/README.md").read_text("utf-8").splitlines()) <= 10


@FORMS
def test_nothing_is_overwritten(command, refused, form):
    Path("race").mkdir()
    Path("race", "kept").write_text("mine", encoding="utf-8")
    assert "found 'race' (file exists)" in refused("new", "race", *form)
    assert [path.name for path in Path("race").iterdir()] == ["kept"]
    Path("file").touch()
    assert "found 'file' (file exists)" in refused("new", "file", *form)
    assert "found 'no/race' (no such file or directory)" in refused("new", "no/race", *form)


@pytest.mark.parametrize("name", ["", ".", "..", "9lives", "a b", "x" * 41, "-x"])
def test_a_name_is_one_that_can_be_typed(refused, name):
    assert "FOLDER: found " in refused("new", "--", name)
    assert not list(Path().iterdir())


def test_a_disk_that_is_full_leaves_nothing(command, monkeypatch):
    def write(path, *given, **more):
        if path.name == "test_game.py":
            raise OSError(28, "No space left on device")
        return real(path, *given, **more)

    real = Path.write_text
    monkeypatch.setattr(Path, "write_text", write)
    status, out, err = command("new", "race")
    assert (status, out, err) == (4, "", "chapterhouse: race: no space left on device\n")
    assert not list(Path().iterdir())


@pytest.mark.slow
def test_both_forms_are_the_same_game(command):
    tables = []
    for name, form in (("one", []), ("many", ["--many"])):
        assert command("new", name, *form)[0] == 0
        tables.append(chapterhouse.rows(f"./{name}", games=200, players=3).drop(columns="replay"))
    assert tables[0].equals(tables[1])
    assert set(tables[0]["strategy"]) == {"sprinter"}


@pytest.mark.slow
@FORMS
def test_its_own_tests_pass(command, form):
    command("new", "race", *form)
    program = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "race"]
    done = subprocess.run(program, capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


@pytest.mark.slow
@FORMS
def test_it_is_proved_as_it_is_written(command, form):
    command("new", "race", *form)
    status, out, _ = command("prove", "./race")
    assert status == 0, out
    assert "Race: Nothing found; proved on " in out.splitlines()[-1]


@pytest.mark.slow
@FORMS
def test_every_backend_plays_it_as_threads_do(command, answer, form):
    command("new", "race", *form)
    one, other = (
        answer("seats", "./race", "--games", 400, "--backend", name, "--jobs", 2) for name in ("threads", "loky")
    )
    one.pop("command"), other.pop("command")
    assert one == other


@pytest.mark.slow
def test_a_report_of_it(command):
    command("new", "race")
    status, _, err = command("report", "./race", "--games", 200, "--players", 2, "--out", "r")
    assert status == 0, err
    page = Path("r/report.html").read_text("utf-8")
    assert "Race" in page
    assert "Traceback" not in err


def test_the_template_shows_each_part_of_a_game():
    game = (TEMPLATES / "one" / "game.py").read_text("utf-8")
    for name in ("published(", "assumed(", "@strategy(", "low=", "counted("):
        assert name in game
