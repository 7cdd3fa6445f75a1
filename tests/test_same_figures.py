"""One run has one set of figures: what the terminal says stands on the page, and both are the numbers of JSON, rounded
alike."""

import contextlib
import dataclasses
import html
import io
import json
import math
import re
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from analyses.statistics import Verdict
from reports import basis, words
from reports.robustness.words import look_up
from scripts import cli
from sim.printed import components

pytestmark = pytest.mark.slow

NUMBER = re.compile(r"(?<![\w.#])[+−-]?\d[\d,]*(?:\.\d+)?(?!\w)")
MINE = ["--strategy", "random_legal", "--players", "2", "--seed", "3", "--jobs", "1"]
LOG = "game,players,seat,score,winner\n" + "".join(
    f"{game},2,{seat},{70 + game - 10 * (lost := seat != 1 + game % 3 // 2)},{int(not lost)}\n"
    for game in range(1, 13)
    for seat in (1, 2)
)
# Command → its words. Of some margins no whole percents come.
RUNS = {
    "report": ["pig", "--games", "3000", "--margin", "0.055"],
    "worth": ["moesteiro", "kings", "--games", "3000", *MINE],
    "compare": ["moesteiro", "--set", "kings.duarte.vp=12", "--games", "3000", *MINE],
    "sweep": ["pig", "goal=60..100:20", "--of", "seat:1", "--games", "3000", "--margin", "0.055"],
    "balance": [
        "pig",
        "--change",
        "goal=100,150,200",
        "--trials",
        "3",
        "--games",
        "1000",
        "--max-games",
        "20000",
        "--margin",
        "0.055",
    ],
    "robustness": ["moesteiro", "--printings", "26", "--games", "200", *MINE],
    "check": ["pig", "--max-seat-index", "1.055", "--games", "3000"],
    "playtests": ["pig", "{log}", "--games", "3000"],
    "variants": ["abbates", "--games", "200", *MINE],
}
# What the terminal says that has no place on a page, or stands there in a table: what was asked, where files are, lists
# of changes.
ALONE = re.compile(
    r".*\(seed \d|Report: |Component file: |Changed: |\s|(un)?(balanced|decided) +\(margin|Unbalanced \(|Balanced "
    r"\(|Undecided \(|Rejected: |"
    r"In how many|Changes in points by source|Changes in uses|Points of|(inside|outside|undecided) +[A-Z]"
)


class Page(HTMLParser):
    """The text of a page, and its tables as rows of cells."""

    def __init__(self, text):
        super().__init__()
        self.text, self.rows, self._cell = "", [], None
        self.feed(text)
        self.text = flat(self.text)

    def handle_starttag(self, tag, attrs):
        self.text += " " * (tag not in ("b", "em", "span", "strong", "code", "a"))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self._cell = ""

    def handle_endtag(self, tag):
        if tag in ("td", "th") and self._cell is not None and self.rows:
            self.rows[-1].append(flat(self._cell))
            self._cell = None

    def handle_data(self, data):
        self.text += data
        if self._cell is not None:
            self._cell += data


def flat(text):
    """A text in one line, with one kind of minus sign and of space."""
    return " ".join(html.unescape(text).replace("\u2212", "-").split())


def numbers(text):
    """The numbers that stand in a text, as they are written."""
    return [found.replace(",", "").lstrip("+") for found in NUMBER.findall(flat(text))]


def all_numbers(value):
    """All numbers of a JSON value."""
    if isinstance(value, dict | list):
        return [n for item in (value.values() if isinstance(value, dict) else value) for n in all_numbers(item)]
    return [value] if isinstance(value, int | float) and not isinstance(value, bool) else []


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A function: command → what a run of it says, as JSON, on the terminal and on its page."""
    known = {}

    def run(command):
        if command not in known:
            folder = tmp_path_factory.mktemp(command)
            log = folder / "log.csv"
            log.write_text(LOG, encoding="utf-8")
            asked = [command, *(word.format(log=log) for word in RUNS[command])]
            machine, people, parts = io.StringIO(), io.StringIO(), []
            with contextlib.redirect_stdout(machine):
                assert cli.run([*asked, "--json"]) in (0, 1, 3)
            with contextlib.redirect_stdout(people), pytest.MonkeyPatch.context() as patch:
                patch.setattr("scripts.question.show", lambda *said: parts.extend(said))
                assert cli.run([*asked, "--out", str(folder)]) in (0, 1, 3)
            lines = [
                line for part in (*parts, people.getvalue()) if isinstance(part, str) for line in part.splitlines()
            ]
            tables = [part for part in parts if not isinstance(part, str)]
            page = Page((folder / f"{command}.html").read_text("utf-8"))
            known[command] = SimpleNamespace(json=json.loads(machine.getvalue()), lines=lines, tables=tables, page=page)
        return known[command]

    return run


@pytest.mark.parametrize("command", RUNS)
def test_each_sentence_of_the_terminal_stands_on_the_page(runs, command):
    found = runs(command)
    lines = [line for line in found.lines if line and not ALONE.match(line)]
    parts = [part for line in lines for part in re.split(r"(?<=[.!?]) +(?=[A-ZÀ-Þ])", flat(line))]
    sentences = [part for part in parts if not ALONE.match(part)]
    assert sentences
    assert [part for part in sentences if part not in found.page.text] == []


@pytest.mark.parametrize("command", RUNS)
def test_each_number_of_the_terminal_stands_on_the_page(runs, command):
    """In a table: in the row of the same name."""
    found = runs(command)
    written = set(numbers(found.page.text))
    for line in found.lines:
        if not re.match(r"Report: |Component file: |Changed: ", line):
            assert [n for n in numbers(line) if n not in written and not re.match(r".*\(seed", line)] == [], line
    for table in found.tables:
        for row in table.rows:
            label = flat(row[0]).removesuffix(" (now)")
            same = [
                cell for cells in found.page.rows if label in cells or f"Seat {label}" in cells for cell in cells
            ] or [found.page.text]
            there = numbers(" ".join(same))
            assert [n for n in numbers(" ".join(row[1:])) if n not in there] == [], (table.heads, row, same)


@pytest.mark.parametrize("command", RUNS)
def test_each_number_of_a_table_is_one_of_json_rounded(runs, command):
    found = runs(command)
    known = all_numbers(found.json)
    players = found.json.get("players", 2)
    factors = {1, 100, *(100 / n for n in (players if isinstance(players, list) else [players]))}
    exact = {scale * (value + add) for value in known for scale in factors for add in (0, 1)}
    for table in found.tables:
        for number in (n for row in table.rows for cell in row[1:] for n in numbers(cell)):
            places = len(number.partition(".")[2])
            near = 0.5 * 10**-places + 1e-9
            # of two digits
            rough = max(near, 0.05 * float(number)) if table.heads[-1] == "more games to tell" else near
            assert any(abs(value - float(number)) <= rough for value in exact), (number, table.heads)


def test_the_margin_that_would_hold_is_one_figure(runs):
    """It is rounded up, since a smaller one would not hold."""
    found = runs("report")
    cells = [cell for row in found.page.rows for cell in row]
    headlines = {line["players"]: line for line in reversed(found.json["lines"])}
    for line in found.json["lines"]:
        margin = math.ceil(round(100 * line["size"]["smallest_margin"], 9)) / 100
        assert f"{margin:.2f}" in cells
        if line is headlines[line["players"]]:
            said = f"The smallest margin that would hold is {margin:.2f}: with it, "
            assert said in " ".join(found.lines)
            assert said in found.page.text


@pytest.mark.parametrize(
    ("holds", "holding"),
    [(0.2534, 0.26), (0.26, 0.26), (0.29, 0.29), (0.070000000000000007, 0.07), (0.0701, 0.08), (1.2, 1.2)],
)
def test_the_margin_that_would_hold_is_rounded_up(holds, holding):
    nothing = {field.name: None for field in dataclasses.fields(Verdict)}
    assert Verdict(**nothing | {"holds": holds}).holding == holding


@pytest.mark.parametrize(
    ("margin", "players", "shares"),
    [
        (0.1, 4, "22.5 to 27.5 %"),
        (0.055, 2, "47.25 to 52.75 %"),
        (0.055, 3, "31.5 to 35.2 %"),
        (0.1, 3, "30 to 36.7 %"),
    ],
)
def test_the_shares_that_count_as_balanced(margin, players, shares):
    assert words.passing(margin, players) == shares


def test_what_to_look_up_first_has_one_answer():
    """What was measured over other printings; only where nothing was, the widest ranges are a guess."""
    printed, guess = components.read("moesteiro"), "Look up first what could be furthest off"
    for drawn in (None, SimpleNamespace(first=None, printings=3, settled=False)):
        section = basis.assumed(SimpleNamespace(survey=SimpleNamespace(components=printed, robustness=drawn)))
        text, captions = " ".join(section.blocks[0].paragraphs), [getattr(b, "caption", "") for b in section.folded]
        assert (guess in text) == ("What to look up first" in captions) == (drawn is None)
        assert drawn is None or words.sentence(look_up(drawn)) in text
