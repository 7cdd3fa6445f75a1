"""One list of hostile texts, through every way in and every way out: terminal, JSON, CSV, page, comments of files that
are written."""

import csv
import io
import json
import os
import re
import tomllib
import unicodedata
from pathlib import Path

import pytest

from sim.legible import UNSEEN, legible, legible_line
from sim.printed.formulas import marked, unmarked
from tests.fuzz.hostile import LOG, ask

pytestmark = [pytest.mark.skipif(os.name == "nt", reason="Windows allows no such file names"), pytest.mark.slow]

# The mark behind a line end is what somebody would have a reader take for a line of ours.
MARK = "INJECTED"
TEXTS = {
    "escape": "\x1b[31mred\x1b[8mhidden\x1b[2J\x1b[1;1H",
    "link": "\x1b]8;;http:example.org\x07click\x1b]8;;\x07\x1b]0;title\x9c",
    "controls": "".join(map(chr, range(1, 9))) + "\x0b\x0c\x0e\x7f\x80\x85\x9b2J\x9d",
    "carriage return": f"all is well\r=1+1\r\n=2+2\r{MARK}",
    "newline": f"one\n{MARK}\n={MARK}\n",
    "separators": f"a\u2028{MARK}\u2029{MARK}",
    "bidi": "abc\u202egpj.exe\u2066\u2067\u2068\u2069\u202a\u202b\u202d\u200e\u200f\u061c",
    "no width": "a\u200bb\u2060c\ufeffd\xade\u200df\u200cg\U000e0041\u3164",
    "equals": "=cmd|' -C calc'!A0",
    "plus": "+1+cmd",
    "minus": "-1+cmd",
    "at": "@SUM(1+1)",
    "tab": "\t=1+1",
    "wide": "\uff1d1+1",
    "markup": "<script>alert(1)<b>&lt;\"' --> {{7*7}} {% raw %}",
    "rich": "[red]a[bold] [link=http:x]b :smile: [",
    "figure": "$x_1$ $\\frac{ \\q %s {0} %(a)s",
    "long": "w" * 200,
}
# of files
INSIDE = {**TEXTS, "rich ends": "[/] [/red]", "nul": "a\0b", "half": "a\ud800b\udfff", "very long": "w" * 20_000}
FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
NUMBER = re.compile(r"[+-]?(inf|nan|[\d.]+(e[+-]?\d+)?)", re.IGNORECASE)


def check_text(text):
    """Assert that nothing in a text of ours is unseen but tab and newline, and that no line of it is somebody
    else's."""
    seen = [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c not in "\n\t"]
    assert not seen
    assert not [line for line in text.splitlines() if line.lstrip("=").startswith(MARK)]


def check_csv(text):
    """Assert that CSV is a table without formulas, and return its rows."""
    assert "\r" not in text
    check_text(text.replace(f"\n{MARK}", "").replace(f"\n={MARK}", ""))  # within a cell a line may end
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert len({len(row) for row in rows}) == 1
    assert not [cell for row in rows for cell in row if FORMULA.match(cell) and not NUMBER.fullmatch(cell)]
    return rows


def check(told, *, json_too=False):
    """Assert that what a command printed is fit for a terminal."""
    check_text(told.err)
    check_text(told.out)
    if json_too:
        assert told.out.isascii()
        return json.loads(told.out)
    return None


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)


def strategy(text):
    """Make a file of weights of this name; return the name."""
    name = f"{text}.toml"
    Path(name).write_text('policy = "hold_at"\nhold = 20\n', encoding="utf-8")
    return name


def quoted(text):
    """A text as TOML; half a letter can't be written there."""
    return '"' + "".join(f"\\U{ord(c):08x}" for c in text.encode("utf-8", "replace").decode()) + '"'


# ---- the names of files

ASKED = {
    "seats": ["pig", "--games", "12"],
    "check": ["pig", "--games", "12", "--players", "2", "--max-seat-index", "1.5"],
    "compare": ["pig", "--games", "12", "--set", "goal=40"],
    "sweep": ["pig", "goal=90..100:10", "--games", "12"],
    "rules": ["pig", "--games", "12"],
    "balance": ["pig", "--change", "goal=99,100", "--trials", "1", "--games", "2", "--max-games", "4"],
    "playtests": ["pig", "log.csv", "--games", "200"],
    "replay": ["pig"],
}


@pytest.mark.parametrize("kind", TEXTS)
def test_the_name_of_a_strategy(kind):
    name = strategy(TEXTS[kind])
    Path("log.csv").write_text(LOG, encoding="utf-8")
    for command, words in ASKED.items():
        given = [command, *words, "--strategy", name]
        told = ask(given)
        assert told.status in (0, 1, 3), told.err
        check(told)
        told = ask([*given, "--json"])
        for line in told.out.splitlines() if command == "replay" else [told.out]:
            assert line.isascii()
            assert line.isprintable() or command != "replay"
            json.loads(line)


@pytest.mark.parametrize("kind", TEXTS)
def test_the_name_of_a_strategy_in_files(kind):
    name = strategy(TEXTS[kind])
    told = ask(
        [
            "seats",
            "pig",
            "--games",
            "12",
            "--strategy",
            name,
            "--strategy",
            "hold_at",
            "--rows",
            "rows.csv",
            "--out",
            "tables",
        ]
    )
    assert told.status == 0, told.err
    check(told)
    for path in (Path("rows.csv"), *Path("tables").glob("*.csv")):
        cells = [cell for row in check_csv(path.read_bytes().decode()) for cell in row]
        assert marked(name) in cells or path.stem in ("seats", "ties", "uses")
    told = ask(["replay", "pig", "--strategy", name, "--out", "told.txt"])
    assert told.status == 0, told.err
    check_text(Path("told.txt").read_bytes().decode())


@pytest.mark.parametrize("kind", TEXTS)
def test_the_name_of_a_strategy_in_a_comment(kind):
    """Nothing gets out of the comments of a file that the product writes and reads again."""
    name = strategy(TEXTS[kind])
    words = ["tune", "pig", "--games", "2", "--generations", "1", "--population", "4", "--test-games", "2"]
    told = ask([*words, "--strategy", name, "--against", name])
    assert told.status == 0, told.err
    check(told)
    text = Path("tuned.toml").read_bytes().decode()
    assert set(tomllib.loads(text)) == {"policy", "hold"}
    assert not [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c != "\n"]


@pytest.mark.parametrize("kind", TEXTS)
def test_the_names_of_what_is_written(kind):
    """--out, --save and --run, and what says where they are."""
    text = TEXTS[kind]
    told = ask(["report", "pig", "--players", "2", "--games", "4", "--out", f"./{text}.d"])
    assert told.status == 0, told.err
    check(told)
    told = ask(["play", "pig", "--save", f"./{text}.jsonl"])  # nobody is there, so it ends at once
    assert told.status == 0, told.err
    check(told)
    for words in (["play", "pig", "--resume", f"./{text}.jsonl"], ["replay", "pig", f"./{text}.jsonl"]):
        told = ask(words)
        assert told.status == 0, told.err
        check(told)
    run = f"./{text}.run"
    assert ask(["seats", "pig", "--games", "4", "--run", run]).status == 0
    (batch,) = Path(run).glob("batches/*")
    batch.write_bytes(b"")
    told = ask(["resume", run])
    assert told.status == 0, told.err
    assert "damaged" in told.err
    check(told)
    told = ask(["resume", f"{run}.none"])
    assert (told.status, len(told.lines)) == (2, 1)
    check(told)


# ---- what stands in files


@pytest.mark.parametrize("kind", INSIDE)
def test_the_note_of_a_component(kind):
    text = INSIDE[kind]
    source = (
        f'goal = 60\n[[source]]\npaths = ["goal"]\nsource = "assumed"\nlow = 1\nhigh = 200\nnote = {quoted(text)}\n'
    )
    Path("mine.toml").write_text(source, encoding="utf-8")
    given = ["components", "pig", "--components", "mine.toml"]
    told = ask(given)
    assert told.status == 0, told.err
    check_text(told.err)
    rows = check_csv(told.out)
    check(ask([*given, "--json"]), json_too=True)
    assert ask([*given, "--out", "back.csv"]).status == 0
    assert check_csv(Path("back.csv").read_bytes().decode("utf-8-sig")) == rows
    again = ask(["components", "pig", "--components", "back.csv"])
    # what was written is read back: value and note stay, the source is now the reader's
    assert again.status == 0, again.err
    assert [(row[0], row[2], row[-1]) for row in check_csv(again.out)] == [
        (row[0], row[2], row[-1].rstrip("\n")) for row in rows
    ]
    asked = [["seats", "pig", "--games", "4"], ["sweep", "pig", "goal=50..60:10", "--games", "4"]]
    asked += [
        [
            "balance",
            "pig",
            "--change",
            "goal=59,60",
            "--trials",
            "1",
            "--games",
            "2",
            "--max-games",
            "4",
            "--out",
            "made",
        ]
    ]
    for words in asked:
        told = ask([*words, "--components", "mine.toml"])
        assert told.status == 0, told.err
        check(told)
    for path in Path("made").rglob("*.csv"):
        check_csv(path.read_bytes().decode())
    for path in Path("made").glob("*.html"):
        check_text(path.read_text("utf-8").replace(MARK, ""))
    (proposal,) = Path("made").glob("*.toml")
    assert ask(["components", "pig", "--components", str(proposal)]).status == 0


@pytest.mark.parametrize("kind", INSIDE)
def test_the_texts_of_a_record(kind):
    lines = [json.loads(line) for line in ask(["replay", "pig", "--json"]).out.splitlines()]
    for field in ("strategies", "changes", "chapterhouse", "components", "rules_version", "game"):
        head = dict(lines[0])
        if field not in head:
            continue
        head[field] = [INSIDE[kind]] * len(head[field]) if isinstance(head[field], list) else INSIDE[kind]
        Path("told.jsonl").write_text("\n".join(json.dumps(line) for line in [head, *lines[1:]]), encoding="utf-8")
        for words in (["replay", "pig", "told.jsonl"], ["play", "pig", "--resume", "told.jsonl"]):
            told = ask(words)
            assert told.status in (0, 2), told.err
            check(told)
        told = ask(["replay", "pig", "told.jsonl", "--json"])
        assert all(line.isascii() and line.isprintable() for line in told.out.splitlines())
        told = ask(["replay", "pig", "told.jsonl", "--out", "told.txt"])
        if told.status == 0:
            check_text(Path("told.txt").read_bytes().decode())


@pytest.mark.parametrize("kind", INSIDE)
def test_the_cells_of_a_log(kind):
    text = INSIDE[kind].replace("\0", "").encode("utf-8", "replace").decode()
    for column in range(5):
        table = list(csv.reader(io.StringIO(LOG)))
        table[1][column] = text
        with Path("log.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(table)
        told = ask(["playtests", "pig", "log.csv", "--games", "200"])
        assert told.status in (0, 2), told.err
        check(told)
    table = [[*row, text if number else "note"] for number, row in enumerate(csv.reader(io.StringIO(LOG)))]
    table[0].append(text)
    table = [row if number == 0 else [*row, ""] for number, row in enumerate(table)]
    with Path("log.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(table)
    told = ask(["playtests", "pig", "log.csv", "--games", "200"])
    assert told.status in (0, 2), told.err
    check(told)


@pytest.mark.parametrize("kind", INSIDE)
def test_the_texts_of_a_run(kind):
    assert ask(["seats", "pig", "--games", "4", "--run", "run"]).status == 0
    path = Path("run/manifest.json")
    whole = json.loads(path.read_text("utf-8"))
    for field in ("rules_version", "study", "components", "sources", "versions", "strategies"):
        changed = dict(whole)
        changed[field] = (
            {"numpy": INSIDE[kind], INSIDE[kind]: INSIDE[kind]} if isinstance(whole[field], dict) else INSIDE[kind]
        )
        path.write_text(json.dumps(changed), encoding="utf-8")
        told = ask(["resume", "run"])
        assert told.status in (0, 2), told.err
        check(told)
    path.write_text(json.dumps(whole), encoding="utf-8")
    for name in (INSIDE[kind].replace("/", "").replace("\0", "")[:100],):
        if name.isprintable() and name:
            (Path("run/results") / name).touch()
            check(ask(["resume", "run"]))


# ---- the gates themselves


@pytest.mark.parametrize("kind", INSIDE)
def test_the_gates(kind):
    text = INSIDE[kind]
    check_text(legible(text).replace(MARK, ""))
    assert legible(legible(text)) == legible(text)
    assert "\n" not in legible_line(text)
    check_text(legible_line(text))
    assert unmarked(marked(text)) == legible(text.replace("\r\n", "\n").replace("\r", "\n"))
    assert not FORMULA.match(marked(text))


def test_what_words_and_pictures_need_stays():
    persian, astronaut = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\U0001f469\u200d\U0001f680"
    for text in ("João I – 5 %, ‘yes’ → “no”\u00a0!", "e\u0301 עברית 策略", persian, astronaut):
        assert legible(text) == text
    assert legible("a\u200db") == "a\\u200db"


def test_all_that_is_unseen_is_known():
    """Of what Unicode calls control, format, half a letter or line end, all but signs that are seen and joiners are
    made legible."""
    seen = {
        0x0A,
        0x09,
        0x200C,
        0x200D,
        *range(0x600, 0x606),
        0x6DD,
        0x70F,
        0x890,
        0x891,
        0x8E2,
        0x110BD,
        0x110CD,
        *range(0x13430, 0x13456),
    }
    seen |= set(range(0x1BCA0, 0x1BCA4))  # of shorthand
    for code in range(0x110000):
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Zl", "Zp") and code not in seen:
            assert UNSEEN.match(chr(code)), hex(code)
