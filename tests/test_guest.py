"""Games from elsewhere: a copy of Pig in a folder of the user's own, asked everything that ours are asked."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import chapterhouse
from scripts import app, completion
from sim import guests, registry
from sim.faults import INSTEAD, GameError
from tests.helpers import guest_pig

HOME = Path(__file__).parent.parent
INTERNAL = re.compile(r"_[0-9a-f]{12}\b")  # the end of a name that only we use
IN_TEXT = re.compile(rf".{{,40}}{INTERNAL.pattern}")
SMALL = ("--games", 200, "--json")


def write(path, changes):
    """Change words in a file; each must be there."""
    text = path.read_text("utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def race(tmp_path, monkeypatch):
    """The folder of the game; the working folder is the one above it."""
    monkeypatch.chdir(tmp_path)
    return guest_pig(tmp_path)


def as_pig(answer):
    """An answer with the name of Pig in place of the guest's, and of what people type for it."""
    answer = answer.replace(" ./race ", " pig ").replace('"race"', '"pig"')
    return re.sub(
        r'"(casting": "\w+|seconds_a_game": [\d.e-]+)', "", answer
    )  # what tells line-ups apart; what was measured


def test_a_folder_is_a_game(race, command):
    status, out, err = command("seats", "./race", *SMALL)
    assert status == 0
    assert as_pig(out) == as_pig(command("seats", "pig", *SMALL)[1])
    found = json.loads(out)
    assert found["game"] == "race"
    assert found["command"].startswith("chapterhouse seats ./race --players 2")
    assert not INTERNAL.search(out + err)


def test_python_takes_a_path_too(race):
    usual = chapterhouse.seats("pig", games=200)
    for given in ("./race", Path("race"), race):
        found = chapterhouse.seats(given, games=200)
        assert found.to_dict()["seats"] == usual.to_dict()["seats"]
        assert found.command.startswith(f"chapterhouse seats {os.fspath(given) if given == './race' else ''}")


def test_a_name_is_not_looked_for_in_the_working_folder(race, command):
    status, _, err = command("seats", "race", *SMALL)
    assert status == 2
    assert err == (
        "chapterhouse: GAME: found 'race'; allowed abbates, moesteiro, pig, or the path of a game, as ./mygame; the "
        "folder of that name is ./race\n"
    )


# --- every command ----------------------------------------------------------------------------------------------------

QUESTIONS = {name: question for name, question in app.questions().items() if question.small.startswith("pig ")}


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_takes_it(race, command, name, tmp_path):
    """It has the answer that Pig has, a page of its own, and says nowhere what we call it."""
    words = QUESTIONS[name].small.split()
    usual = command(name, *words, "--json")
    Path("tuned.jsonl").unlink(missing_ok=True)
    status, out, err = command(name, "./race", *words[1:], "--json")
    assert status == usual[0]
    assert as_pig(out) == as_pig(usual[1])
    assert not INTERNAL.search(out + err)
    Path("tuned.jsonl").unlink(missing_ok=True)
    page = ["--out", tmp_path / "page"] if "out_folder" in QUESTIONS[name].options else []
    status, out, err = command(name, "./race", *words[1:], *page)
    assert status == usual[0], err
    assert not INTERNAL.search(out + err)
    for path in (tmp_path / "page").rglob("*"):
        assert path.is_dir() or not IN_TEXT.findall(path.read_text("utf-8", errors="replace")), path


def test_the_questions_that_pig_answers_are_asked():
    assert {"seats", "compare", "sweep", "check", "ladder", "report"} <= {*QUESTIONS}


@pytest.mark.slow
def test_the_other_commands_take_it(race, command, tmp_path):
    for words in (("strategies", "./race"), ("components", "./race", "--json"), ("replay", "./race", "--json")):
        assert command(*words)[1].replace('"race"', '"pig"') == command(words[0], "pig", *words[2:])[1]
    told = command("replay", "./race", "--json", "--out", "told.jsonl")
    assert (told[0], INTERNAL.search("".join(told[1:]))) == (0, None)
    assert not INTERNAL.search(Path("told.jsonl").read_text("utf-8"))
    assert command("replay", "./race", "told.jsonl")[1] == command("replay", "./race")[1]
    assert command("replay", "./race", "told.jsonl")[1] == command("replay", "pig")[1]
    assert "found a game of 'race'; allowed one of 'pig', as GAME says" in command("replay", "pig", "told.jsonl")[2]


@pytest.mark.slow
def test_rows_name_the_command_that_tells_a_game(race, command):
    assert command("seats", "./race", "--games", 4, "--rows", "rows.csv", "--json")[0] == 0
    row = Path("rows.csv").read_text("utf-8").splitlines()[-1]
    assert "chapterhouse replay ./race --players 2 --seed 1 --strategy hold_at --game" in row


@pytest.mark.slow
def test_a_person_plays_it_and_goes_on(race, command, monkeypatch):
    from io import StringIO

    monkeypatch.setattr("sys.stdin", StringIO("1\nq\n"))
    status, out, err = command("play", "./race")
    assert status == 0
    assert "The game is saved: race-1-0.jsonl" in out + err
    assert "Go on with it: chapterhouse play ./race --resume race-1-0.jsonl" in out + err
    monkeypatch.setattr("sys.stdin", StringIO("q\n"))
    assert command("play", "./race", "--resume", "race-1-0.jsonl")[0] == 0
    assert "a record of another game" in command("play", "pig", "--resume", "race-1-0.jsonl")[2]


@pytest.mark.slow
def test_a_strategy_from_a_file_is_proved_on_it(race, command, mine):
    honest = mine('"""Hold at 15."""\n\n\ndef choose(components, state, options, n, weights):\n'
                  '    """x"""\n    return 0 if state.turn >= 15 else 1\n')  # fmt: skip
    assert command("seats", "./race", *SMALL, "--strategy", honest)[0] == 0
    peeks = mine('"""Look."""\n\n\ndef choose(components, state, options, n, weights):\n'
                 '    """x"""\n    return int(state.key % 2)\n')  # fmt: skip
    status, _, err = command("seats", "./race", *SMALL, "--strategy", peeks)
    assert (status, "state.key" in err) == (2, True)


# --- names ------------------------------------------------------------------------------------------------------------


def test_names_never_clash(tmp_path, command, monkeypatch):
    """A copy of Pig called pig, and another game of the same folder name."""
    monkeypatch.chdir(tmp_path)
    guest_pig(tmp_path, "pig")
    short = guest_pig(tmp_path / "other", "pig")
    write(short / "components.toml", {"goal = 100": "goal = 20"})
    answers = [command("seats", game, *SMALL)[1] for game in ("pig", "./pig", "other/pig", "pig", "./pig")]
    decisions = [json.loads(answer)["decisions"] for answer in answers]
    assert decisions[0] == decisions[1] == decisions[3] == decisions[4] > 2 * decisions[2]
    assert [json.loads(answer)["command"].split()[2] for answer in answers] == [
        "pig", "./pig", "other/pig", "pig", "./pig",
    ]  # fmt: skip


def test_a_game_that_was_edited_is_played_as_it_is_now(race):
    """In one process, and also where only rules have changed of which machine code is kept."""
    before = chapterhouse.seats("./race", games=200)
    write(race / "turns.py", {"1 + draw(": "2 + draw("})
    after = chapterhouse.seats("./race", games=200)
    write(race / "turns.py", {"2 + draw(": "1 + draw("})
    again = chapterhouse.seats("./race", games=200)
    assert before.to_dict() == again.to_dict() != after.to_dict()
    assert before.found.game == again.found.game != after.found.game


def test_folders_of_games_give_names(tmp_path, command, monkeypatch):
    first, second = tmp_path / "first", tmp_path / "second"
    guest_pig(first, "race")
    guest_pig(first, "pig")  # which ours goes before
    write(guest_pig(second, "race") / "__init__.py", {'"Pig"': '"Second"'})
    write(guest_pig(second, "dash") / "__init__.py", {'"Pig"': '"Dash"'})
    broken = guest_pig(second, "broken")
    (broken / "__init__.py").write_text("1 / 0\n")
    monkeypatch.setenv("CHAPTERHOUSE_GAMES", os.pathsep.join(map(str, (first, tmp_path / "none", second))))
    status, out, err = command("games", "--json")
    assert {game["game"]: game["title"] for game in json.loads(out)}.items() >= {"race": "Pig", "dash": "Dash"}.items()
    assert (status, err) == (0, "broken: broken/__init__.py: line 1: ZeroDivisionError: division by zero\n")
    answer = json.loads(command("seats", "dash", *SMALL)[1])
    assert (answer["game"], answer["command"].split()[2]) == ("dash", "dash")
    assert "allowed abbates, moesteiro, pig, broken, dash, race, or the path" in command("seats", "chess", *SMALL)[2]


def test_the_tab_key_completes_paths_and_runs_nothing(race, monkeypatch):
    (race / "__init__.py").write_text("raise SystemExit\n")
    context = type("Context", (), {"args": (), "params": {"game": "./race"}})()
    assert completion.games(context, "./ra") == ["./race/"]
    assert completion.games(context, "p") == ["pig"]
    assert completion.strategies(context, "h") == ["hold_at"]
    assert completion.numbers(context, "") == []


# --- machine code and other processes ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_warm_start_compiles_nothing(race, tmp_path):
    """Nor does a change of what is not compiled, or another place for the same files."""
    code = "import sys\nfrom scripts.cli import run\nsys.exit(run(sys.argv[1:]))"

    def said(*words):
        environment = {**os.environ, "PYTHONPATH": str(HOME), "CHAPTERHOUSE_CACHE": str(tmp_path / "cache")}
        done = subprocess.run([sys.executable, "-c", code, *map(str, words)], env=environment,
                              cwd=race.parent, capture_output=True, text=True, check=True)  # fmt: skip
        return done.stderr

    assert "Compiling" in said("seats", "./race", "--games", 10)
    assert "Compil" not in said("seats", "./race", "--games", 10)
    write(race / "components.toml", {"goal = 100": "goal = 90"})
    (race / "words").mkdir()
    (race / "words" / "notes.py").write_text('"""Nothing."""\n')
    said_ = said("seats", "./race", "--games", 10)
    assert "Compil" not in said_
    assert "damaged" not in said_
    write(race / "turns.py", {"1 + draw(": "2 + draw("})
    assert "Compiling" in said("seats", "./race", "--games", 10)


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--backend", "loky", "--jobs", 2], ["--timeout", 60, "--jobs", 2]])
def test_processes_play_it(race, command, words):
    assert command("seats", "./race", *SMALL, *words)[1] == command("seats", "./race", *SMALL)[1]


@pytest.mark.slow
def test_a_worker_needs_no_folder(race, tmp_path):
    """It gets the files, and gives the game the same name."""
    import pickle

    name = registry.adopt("./race")
    parcel = guests.packed(pickle.dumps(name))
    (tmp_path / "parcel").write_bytes(parcel)
    shutil.rmtree(race)
    code = (
        "import pathlib, sys\nfrom sim import guests, registry\n"
        "name = guests.opened(pathlib.Path(sys.argv[1]).read_bytes())\ngame = registry.load(name)\n"
        "from strategies import catalog\nfrom sim.printed.components import read\n"
        "from sim.runner import Study, play\n"
        "study = Study(name, 2, (catalog.entrant(name, 'hold_at', 2),), read(name).record, 1)\n"
        "print(name, registry.typed(name), registry.digest(name), play(study, 0, 100)[1])"
    )
    for cache in (tmp_path / "cache", tmp_path / "parcel" / "no folder"):  # the second can't be written to
        environment = {**os.environ, "PYTHONPATH": str(HOME), "CHAPTERHOUSE_CACHE": str(cache)}
        done = subprocess.run([sys.executable, "-c", code, tmp_path / "parcel"], env=environment, cwd="/",
                              capture_output=True, text=True, check=True)  # fmt: skip
        usual = chapterhouse.seats("pig", games=100).to_dict()["decisions"]
        assert done.stdout.split() == [name, "./race", registry.digest(name), str(usual)]


@pytest.mark.slow
def test_a_run_refuses_a_game_that_has_changed(race, command, monkeypatch, tmp_path):
    assert command("seats", "./race", "--games", 200, "--run", "run", "--json")[0] == 0
    monkeypatch.chdir(tmp_path.parent)
    folder = tmp_path / "run"
    assert command("resume", folder, "--json")[0] == 0
    before = registry.digest(registry.adopt(race))
    (race / "strategies" / "hold_at.py").write_text((race / "strategies" / "hold_at.py").read_text() + "# edited\n")
    after = registry.digest(registry.adopt(race))
    assert command("resume", folder, "--json")[::2] == (
        2, f"chapterhouse: {folder / 'study.toml'}: the game {race} was changed: its files have the digest {after}, "
        f"the run was made with {before}\n",
    )  # fmt: skip
    shutil.rmtree(race)
    status, _, err = command("resume", folder, "--json")
    assert (status, err.count("\n"), "no such folder" in err) == (2, 1, True)


@pytest.mark.slow
def test_a_run_of_somebody_elses_game_needs_trust(race, command, monkeypatch, tmp_path):
    marker = tmp_path / "ran"
    assert command("seats", "./race", "--games", 200, "--run", "run", "--json")[0] == 0
    monkeypatch.setattr("sim.trusted.base", lambda: tmp_path / "theirs")
    guests.guests.clear()
    write(race / "__init__.py", {"PLAYERS": f"open({str(marker)!r}, 'w').close()\nPLAYERS"})
    study = tmp_path / "run" / "study.toml"
    digest = registry.digest(registry.adopt(race))
    was = re.search(r'files = "(\w+)"', study.read_text("utf-8"))[1]
    write(study, {was: digest})
    from analyses.study_file import digest as text_digest

    manifest = tmp_path / "run" / "manifest.json"
    write(manifest, {json.loads(manifest.read_text("utf-8"))["study"]: text_digest(study.read_bytes())})
    status, _, err = command("resume", tmp_path / "run", "--json")
    assert (status, "found a program that you have not begun to play with here; allowed with --trust" in err) == (
        2,
        True,
    )
    assert not marker.exists()


# --- bad input --------------------------------------------------------------------------------------------------------

APPLY = "    state.decision += 1\n"  # where a kernel's statement goes
NUMBERS = "allowed the numbers of players, from 1 to 6, as (2, 3, 4)"
TITLE = "allowed a name of at most 60 letters, on one line"


def held(what):
    """The line about something that kernels can't hold."""
    return f": line {{line}}: found {what}, which numba can't compile here; write {INSTEAD[what]}"


# file, words in it, what stands there instead → the line, after ./race/ and the file's name
WRONG = [
    ("turns.py", "HERE = ", "HERE = = ", ": line {line}: invalid syntax"),
    ("state.py", "SEATS, MOST", "1 / 0\nSEATS, MOST", ": line {line}: ZeroDivisionError: division by zero"),
    ("components.py", "class Model", "exit(3)\nclass Model", ": line {line}: SystemExit: 3"),
    ("turns.py", "HERE = ", "import no\nHERE = ", ": line {line}: ModuleNotFoundError: No module named 'no'"),
    ("__init__.py", 'TITLE = "Pig"', "SOME = 1", f": TITLE: found nothing; {TITLE}"),
    ("__init__.py", '"Pig"', "'a\\x1b[2J'", f": TITLE: found 'a\\x1b[2J'; {TITLE}"),
    ("__init__.py", "PLAYERS = (2, 3, 4)", "SOME = 2", f": PLAYERS: found nothing; {NUMBERS}"),
    ("__init__.py", "PLAYERS = (2, 3, 4)", "PLAYERS = 2", f": PLAYERS: found 2; {NUMBERS}"),
    ("__init__.py", "PLAYERS = 2", "PLAYERS = 5", ": DEFAULT_PLAYERS: found 5; allowed one of 2, 3, 4, as in PLAYERS"),
    ("turns.py", "GAME = ", "GAM = ", ": GAME: found nothing; allowed the game, as Game.of(…) makes it"),
    ("components.py", "class Model", "class Mode", ": Model: found nothing; allowed a pydantic model, a class of "
     "sim.printed.components.TomlTable"),
    ("strategies/__init__.py", 'DEFAULT = "hold_at"', "DEFAULT = 1",
     ": DEFAULT: found 1; allowed one of hold_at, optimal, random_legal"),
    ("turns.py", APPLY, APPLY + '    state.turn = "roll"\n', held("a text")),
    ("turns.py", APPLY, APPLY + "    hand = []\n", held("a list")),
    ("turns.py", APPLY, APPLY + "    hand = {}\n", held("a dict")),
    ("turns.py", APPLY, APPLY + "    state.a = 1\n", ": line {line}: found no field 'a'; write one of the record's"),
    ("turns.py", APPLY, APPLY + "    state.turn = nobody(3)\n",
     ": line {line}: found nothing called 'nobody'; write a name that the file defines or imports"),
    ("strategies/hold_at.py", "    return 0 if", "    state.nothing\n    return 0 if",
     ": line {line}: found no field 'nothing'; write one of the record's"),
]  # fmt: skip
NAMES = [f"{file}: {line[:60]}" for file, _, _, line in WRONG]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "old", "new", "line"), WRONG, ids=NAMES)
def test_what_is_wrong_with_it_is_one_line(race, command, file, old, new, line):
    write(race / file, {old: new})
    number = (race / file).read_text("utf-8").partition(new)[0].count("\n") + 1
    number += new.startswith(APPLY)  # whose second line is wrong
    status, out, err = command("seats", "./race", *SMALL)
    told = [text for text in err.splitlines() if text.startswith("chapterhouse: ")]
    assert (status, out) == (2, "")
    assert told == [f"chapterhouse: ./race/{file}{line.format(line=number)}"]
    with pytest.raises(ValueError, match=re.escape(told[0].removeprefix("chapterhouse: "))):
        chapterhouse.seats("./race", games=200)


def test_more_players_than_seats(race, command):
    write(race / "__init__.py", {"(2, 3, 4)": "(2, 3, 4, 5)"})
    status, _, err = command("seats", "./race", *SMALL)
    assert status == 2
    assert err.endswith("chapterhouse: ./race/state.py: SEATS: found 4; allowed at least 5, the most PLAYERS\n")


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda path: (path / "turns.py").unlink(), "a folder without game.py or turns.py"),
        (shutil.rmtree, "no such folder"),
        (lambda path: (shutil.rmtree(path), path.write_text("")), "no folder"),
    ],
)
def test_a_path_that_leads_to_no_game(race, command, make, found):
    make(race)
    status, out, err = command("seats", "./race", *SMALL)
    assert (status, out) == (2, "")
    assert err.startswith(f"chapterhouse: GAME: found './race' ({found}); allowed the folder of a game, which holds ")
    with pytest.raises(GameError, match=found):
        registry.adopt(race)


@pytest.mark.slow
@pytest.mark.parametrize("file", ["state.py", "components.py", "components.toml", "strategies/__init__.py"])
def test_a_file_that_is_missing_or_no_text(race, command, file):
    data = (race / file).read_bytes()
    (race / file).write_bytes(data + b"\xff")
    status, _, err = command("seats", "./race", *SMALL)
    assert status == 2
    assert err.endswith(f"chapterhouse: ./race/{file}: not a text file in UTF-8\n")
    (race / file).unlink()
    status, _, err = command("seats", "./race", *SMALL)
    assert (status, err.count("chapterhouse: "), INTERNAL.search(err)) == (2, 1, None)


def test_a_copy_that_still_leads_to_ours(tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    guest_pig(tmp_path, absolute=True)
    status, _, err = command("seats", "./race", *SMALL)
    assert status == 2
    assert "allowed its own: `from . import state`, not `from sim.… import state`" in err


HOSTILE = "<script>alert(1)</script>\u202e=HYPERLINK(1)\x1b[2J"


@pytest.mark.slow
def test_texts_from_its_folder_pass_the_gates(race, command, tmp_path):
    """A title and words from a stranger steer no terminal, page or spreadsheet."""
    write(race / "__init__.py", {'"Pig"': '"<script>alert(1)</script>"'})
    write(race / "meanings.toml", {"points that win the game": HOSTILE.replace("\x1b", "\\u001b")})
    status, out, err = command("report", "./race", "--players", 2, "--games", 4, "--out", tmp_path / "page")
    assert status == 0
    page = (tmp_path / "page" / "report.html").read_text("utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    for text in (page, out, err, command("components", "./race")[1]):
        assert not {"\u202e", "\x1b"} & set(text)
    assert "<script>alert" not in page
