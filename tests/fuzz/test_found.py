"""What fuzzing has found, each with what is right: the line that says what is wrong, or what must be written."""

import csv
import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

from analyses.study_file import digest
from reports import drawing, figures
from reports.table_files import save_table
from sim.given import given_bytes, given_text
from sim.legible import MOST_LETTERS, one_line
from sim.printed.components import read, to_csv
from sim.printed.formulas import marked, unmarked

pytestmark = pytest.mark.slow

POSIX = pytest.mark.skipif(os.name == "nt", reason="pipes, devices and links of POSIX")


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- files ------------------------------------------------------------------------------------------------------------

READERS = [
    (["components", "pig", "--components", "x.csv"], "x.csv: file: found not a regular file; allowed a file that can "
    "be read"),
    (["seats", "pig", "--strategy", "x.py"], "--strategy: x.py: not a regular file"),
    (["seats", "pig", "--strategy", "x.toml"], "--strategy: x.toml: not a regular file"),
    (["replay", "pig", "x.jsonl"], "FILE: found 'x.jsonl' (not a regular file); allowed a file that can be read"),
    (["play", "pig", "--resume", "x.jsonl"], "--resume: found 'x.jsonl', not a saved game"),
    (["playtests", "pig", "x.csv"], "LOG: found 'x.csv' (not a regular file)"),
    (["compare", "pig", "--set", "goal=9", "--against", "x.json"], "--against: found 'x.json', not a regular file; "
    "allowed a file"),
    (["tune", "pig", "--strategy", "hold_at", "--out", "x.toml"], "--out: found 'x.toml' (not a regular file)"),
    (["components", "pig", "--out", "x.csv"], "--out: found 'x.csv' (not a regular file); allowed a file that can be "
    "written"),
    (["seats", "pig", "--rows", "x.parquet"], "--rows: found 'x.parquet' (not a regular file); allowed a file that can "
    "be written"),
]  # fmt: skip


@POSIX
@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", ["pipe", "device"])
@pytest.mark.parametrize(
    ("words", "said"), READERS, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_a_pipe_or_a_device_is_refused_at_once(command, place, kind, words, said):
    file = place / next(word for word in reversed(words) if word.startswith("x."))
    if kind == "pipe":
        os.mkfifo(file)
    else:
        file.symlink_to("/dev/zero")
    status, out, err = command(*words)
    assert (status, out) == (2, "")
    assert err.startswith(f"chapterhouse: {said}")
    assert len(err.splitlines()) == 1
    assert list(place.iterdir()) == [file]


def test_a_file_is_read_up_to_a_size(place):
    file = place / "file"
    file.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert given_bytes(file, 10) == b"\xef\xbb\xbfa\r\nb\rc\n"
    assert given_text(file) == "a\nb\nc\n"
    with pytest.raises(OSError, match="larger than 9 bytes"):
        given_bytes(file, 9)


@POSIX
def test_a_link_that_leads_nowhere_stays_as_it_was(command, place):
    (place / "rows.csv").symlink_to("target.csv")
    assert command("seats", "pig", "--strategy", "nobody", "--rows", "rows.csv")[0] == 2
    assert [path.name for path in place.iterdir()] == ["rows.csv"]
    assert str(Path("rows.csv").readlink()) == "target.csv"


@pytest.mark.parametrize(
    "words",
    [
        ["seats", "pig", "--strategy", "nobody"],
        ["compare", "pig", "--set", "goal=0"],
        ["check", "pig", "--max-seat-index", "2", "--set", "x=1"],
    ],
)
def test_folders_are_gone_again_when_the_rest_is_refused(command, place, words):
    (place / "there").mkdir()
    assert command(*words, "--out", "new/folder")[0] == 2
    assert command(*words, "--out", "there/new")[0] == 2
    assert command(*words, "--out", "there")[0] == 2
    assert [path.name for path in place.rglob("*")] == ["there"]
    assert command(*words, "--out", "n\0l")[2].startswith("chapterhouse: --out: found 'n\\x00l' (embedded null byte)")


def test_a_folder_called_like_home_is_a_folder_here(command, place):
    assert command("seats", "pig", "--games", "4", "--out", "~")[0] == 0
    assert command("check", "pig", "--players", "2", "--games", "4", "--max-seat-index", "3", "--out", "~")[0] in (
        0,
        1,
        3,
    )
    assert {"seats.csv", "check.html", "tables"} <= {path.name for path in Path("./~").iterdir()}


def test_an_empty_strategy_file(command, place):
    (place / "mine.py").touch()
    line = "strategy mine.py: no function choose(components, state, options, n, weights)"
    assert command("seats", "pig", "--strategy", "mine.py")[2] == f"chapterhouse: {line}\n"


# --- lines ------------------------------------------------------------------------------------------------------------


def test_a_line_is_one_printable_line():
    assert one_line("a\nb\x1b[31m\u202e\u2028é") == "a\\nb\\x1b[31m\\u202e\\u2028é"
    long = one_line("begins " + "x" * 20_000 + " ends")
    assert len(long) == MOST_LETTERS + 3
    assert (long[:7], long[-5:]) == ("begins ", " ends")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["seats", "pig", "--strategy", "a\nb"], "--strategy: a\\nb: not a strategy of pig; "),
        (["seats", "pig", "--strategy", "x" * 9_000], "--strategy: xxx"),
        (["seats", "pig", "--no\x1bthing"], "No such option: --no\\x1bthing"),
        (["seats", "pig", "--set", "goal=\udcff"], "arguments: found 'goal=\\udcff'; allowed text in UTF-8"),
    ],
)
def test_words_that_would_break_the_line(command, words, said):
    status, out, err = command(*words)
    assert (status, out) == (2, "")
    assert err.startswith(f"chapterhouse: {said}")
    assert err.count("\n") == 1
    assert err[:-1].isprintable()
    assert len(err) < 1_100


# --- cells of spreadsheets --------------------------------------------------------------------------------------------

FORMULAS = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-1+1",
    "@SUM(A1)",
    "\tx",
    "\nx",
    "'=1",
    "''@x",
    "-",
    "'-3",
    "\uff1d1",
    "\uff20x",
]
TEXTS = ["", "x", "'", "'x", "-3", "+3.5", "-1e-9", "1=1", "a@b", "''"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_marked(text):
    assert marked(text) == "'" + text
    assert unmarked(marked(text)) == text


@pytest.mark.parametrize("text", TEXTS)
def test_other_text_is_not(text):
    assert marked(text) == text == unmarked(text)


def test_a_note_that_is_a_formula_goes_to_a_spreadsheet_and_back(command, place):
    (place / "mine.toml").write_text(
        'goal = 50\n[[source]]\npaths = ["goal"]\nsource = "published"\nnote = "=1+1"\n', encoding="utf-8"
    )
    assert command("components", "pig", "--components", "mine.toml", "--out", "mine.csv")[0] == 0
    rows = {row["path"]: row for row in csv.DictReader(Path("mine.csv").read_text("utf-8-sig").splitlines())}
    assert (rows["goal"]["note"], rows["goal"]["value"]) == ("'=1+1", "50")
    again = read("pig", [Path("mine.csv")])
    assert again.numbers["goal"].note == "=1+1"
    assert to_csv(again) == Path("mine.csv").read_text("utf-8-sig")


def test_tables_have_no_formulas_in_text_and_numbers_as_they_are(place):
    frame = pd.DataFrame(
        {"text": ["=1", "b"], "number": [-1, 2], "share": [-0.5, float("nan")], "word": pd.Categorical(["@x", "@x"])}
    )
    for ending in ("csv", "parquet"):
        save_table(frame, place / f"table.{ending}")
    assert Path("table.csv").read_text("utf-8") == "text,number,share,word\n'=1,-1,-0.5,'@x\nb,2,,'@x\n"
    assert pd.read_parquet("table.parquet")["text"].tolist() == ["=1", "b"]


# --- what files hold --------------------------------------------------------------------------------------------------

DEEP = "[" * 3000 + "]" * 3000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"hold = {DEEP}", "tables or lists nested too deeply"),
        (f"hold = {'9' * 5000}", "Exceeds the limit (4300 digits) for integer string conversion"),
        (f"hold = 0x{'f' * 5000}", "hold: found a huge number; allowed is a number"),
        (f"policy = 0x{'f' * 5000}", "policy: found a huge number; allowed is the name of a strategy"),
        (f"hold = {'9' * 400}", "hold: found 9999"),
        ("hold = inf", "hold: found inf; allowed is a number"),
        ("hold = 1979-02-30", "Invalid date or datetime (at line 2, column 8)"),
        ("hold = [25]\r\nholds = 1", "no weight 'holds'"),
    ],
)
def test_weights_that_are_no_numbers(command, place, text, said):
    (place / "mine.toml").write_text(
        f'policy = "hold_at"\n{text}\n' if "policy" not in text else text, encoding="utf-8", newline=""
    )
    status, out, err = command("seats", "pig", "--strategy", "mine.toml")
    assert (status, out) == (2, "")
    assert err.startswith("chapterhouse: --strategy: mine.toml: ")
    assert said in err
    assert err.count("\n") == 1


def test_a_weight_beyond_all_numbers(command):
    line = "--strategy: hold_at,hold=1e999: found 'hold=1e999'; a weight is given as name=number"
    assert command("seats", "pig", "--strategy", "hold_at,hold=1e999")[2] == f"chapterhouse: {line}\n"


def test_files_with_a_byte_order_mark_and_line_ends_of_windows(answer, place):
    (place / "mine.toml").write_bytes(b'\xef\xbb\xbf# Somebody.\r\npolicy = "hold_at"\r\nhold = 25\r\n')
    text = "def choose(components, state, options, n, weights):\r\n    return int(state.turn < 20)\r\n"
    (place / "mine.py").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert answer("seats", "pig", "--games", "4", "--strategy", "mine.toml", "--strategy", "mine.py")["seated"] == [
        "mine.toml",
        "mine.py",
    ]


def test_a_margin_that_no_number_of_games_shows(command, place):
    (place / "log.csv").write_text("game,players,seat,score,winner\n1,2,1,100,yes\n1,2,2,80,no\n", encoding="utf-8")
    status, out, _ = command("playtests", "pig", "log.csv", "--games", "200", "--margin", "5e-324")
    assert status == 0
    assert "a fair share more than simulated, you need about" not in out
    assert (
        "a fair share more than simulated, you need about"
        in command("playtests", "pig", "log.csv", "--games", "200")[1]
    )


# --- figures ----------------------------------------------------------------------------------------------------------

TRICKS = [
    "\\1 \\q \\g<0>",
    'font-family: x id="a" style="font-family: ',
    "<script>--><b>",
    'url(#a) xlink:href="#b" #1d2430',
    "w" * 250,
]


@pytest.mark.parametrize("text", TRICKS)
def test_a_figure_letters_what_it_is_given(text):
    frame = pd.DataFrame(
        {"label": [text, "b"], "value": [1.0, 1.1], "low": [0.9, 1.0], "high": [1.1, 1.2], "text": ["", ""]}
    )
    frame = frame.assign(colour=["seat-1", "seat-2"], series=frame["label"], step=[1, 2], mark="1")
    scale = drawing.Scale([(1.0, "1")], 1.0)
    for draw in (figures.dots, figures.crowd, figures.courses):
        svg = draw(frame, scale, f"About {text}.").svg("f1")
        root = ElementTree.fromstring(svg)
        assert root.get("aria-label") == f"About {text}."
        lettered = {part.text for part in root.iter("{http://www.w3.org/2000/svg}text")}
        shown = {line for line in lettered if line and line not in ("1", "2", "b")}
        words = set(" ".join(shown).split())
        assert words & set(text.split()) or any(
            "…" in line and text.startswith(line.split("…")[0]) for line in shown
        ), lettered
        ids = [part.get("id") for part in root.iter() if part.get("id")]
        assert all(found.startswith("f1-") for found in ids)
        places = [float(found) for found in re.findall(r'<text [^>]*\bx="([-\d.]+)"', svg)]
        assert places
        assert all(0 <= place <= drawing.WIDTH for place in places), places


def test_a_run_in_a_folder_that_can_not_be(command):
    name = "a" * 300
    status, out, err = command("resume", name)
    assert (status, out) == (2, "")
    assert err.startswith(f"chapterhouse: DIR: found '{name}' (file name too long); allowed a folder in which ")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("players = 2", "players = 7", "found 7 players; allowed are 2, 3, 4 in pig"),
        ("players = 2", "players = '2'", "players: input should be a valid integer"),
        ("seed = 1", "seed = -1", "seed: input should be greater than or equal to 0"),
        ("margin = 0.1", "margin = nan", "margin: input should be less than 1"),
        ("games = 4", "", "games: found both or none of games and max_games"),
        (
            'policy = "hold_at"',
            'policy = "../secret"',
            "found the policy '../secret' without its source; pig has none of that name",
        ),
        ("weights = {}", "weights = {hold = 'x'}", "strategies.1.weights.hold"),
        (
            "[components]",
            '[[strategies]]\nname = "x"\npolicy = "hold_at"\nweights = {}\n' * 8 + "[components]",
            "found 9 strategies; allowed are at",
        ),
        ("weights = {}", "weights = {held = 1.0}", "no weight 'held'; there are hold"),
        ("goal = 100", "goal = 'x'", "goal: found 'x'; allowed a whole number from 1 to 200"),
        ("rows = false", f"rows = {DEEP}", "tables or lists nested too deeply"),
        ("seed = 1", "\\udcff", "not a text file"),
    ],
)
def test_a_study_that_was_changed_with_its_manifest(command, place, old, new, said):
    assert command("seats", "pig", "--games", "4", "--run", "run")[0] == 0
    text = Path("run/study.toml").read_text("utf-8")
    assert old in text
    data = text.replace(old, new, 1).encode() if "udcff" not in new else b"\xff" + text.encode()
    manifest = json.loads(Path("run/manifest.json").read_text("utf-8"))
    Path("run/study.toml").write_bytes(data)
    Path("run/manifest.json").write_text(json.dumps({**manifest, "study": digest(data)}), encoding="utf-8")
    status, out, err = command("resume", "run")
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err


@pytest.mark.parametrize("text", ["[" * 9_000, "[]", "{}", "null", '{"format": 1}', "\0"])
def test_a_manifest_that_is_none(command, place, text):
    assert command("seats", "pig", "--games", "4", "--run", "run")[0] == 0
    Path("run/manifest.json").write_text(text, encoding="utf-8")
    line = f"chapterhouse: {Path('run/manifest.json')}: damaged, or of another format; allowed a manifest of format 1\n"
    assert command("resume", "run") == (2, "", line)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"number": 1, "worth": [None, 1, 1, 1], "mean": [0.0]}, "line 2 holds what is no number"),
        ({"number": 1, "worth": [float("nan"), 1, 1, 1], "mean": [0.0]}, "line 2 holds what is no number"),
        ({"number": True, "worth": [1, 1, 1, 1], "mean": [0.0]}, "line 2 is not generation 1"),
        ({"number": 7, "worth": [1, 1, 1, 1], "mean": [0.0]}, "line 2 is not generation 1"),
        ({"number": 1, "worth": [10**400, 1, 1, 1], "mean": [0.0]}, "int too large to convert to float"),
        ({"number": 1, "worth": [1], "mean": [0.0]}, "generation 1 comes out otherwise than it did"),
    ],
)
def test_a_tuning_that_was_changed(command, line, said):
    words = [
        "tune",
        "pig",
        "--games",
        "2",
        "--population",
        "4",
        "--strategy",
        "hold_at",
        "--against",
        "random_legal",
        "--test-games",
        "2",
    ]
    assert command(*words, "--generations", "1", "--out", "a.toml")[0] == 0
    head = Path("a.jsonl").read_text("utf-8").splitlines()[0]
    Path("a.jsonl").write_text(f"{head}\n{json.dumps(line)}\n", encoding="utf-8")
    status, out, err = command(*words, "--generations", "2", "--out", "a.toml", "--resume")
    assert (status, out) == (2, "")
    assert err.startswith(f"chapterhouse: --resume: found 'a.jsonl' ({said})")
    assert err.count("\n") == 1


@pytest.mark.parametrize("margin", ["5e-324", "1e-200", "1e-9"])
def test_a_margin_next_to_nothing(answer, margin):
    found = answer("seats", "pig", "--games", "4", "--margin", margin)
    assert (found["verdict"], found["size"]["further_games"]) == ("undecided", None)
