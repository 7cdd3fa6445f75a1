"""Whatever a file is called and says: on every page it is text, and makes no element, attribute or figure that would
not be there."""

import os
import re
import warnings
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pandas as pd
import pytest

from scripts import app
from tests.fuzz.hostile import LOG, ask

pytestmark = [pytest.mark.skipif(os.name == "nt", reason="Windows allows no such file names"), pytest.mark.slow]

NAMES = {
    "plain": "somebody_with_a_long_name_who_plays_by_what_a_file_says_and_by_nothing_else_at_all",
    "markup": '<script>alert(1)<script><img src=x onerror=a()>--><b>"\' onclick="a()" '
    "x='&quot;&lt;i&gt;&#60;u&#62;]]><!-- {{7*7}} {%",
    "figure": 'font-family: x \\1 \\q \\g<0> style="font-family: id="f1" url(#a) #1d2430 xlink:href="#b" <g id= $x_1$ '
    "$\\frac{",
    "turned": "abc\u202egpj.exe\u2066\u200f\x07 עברית \u0301\u0301 策略 😀",
    "formula": "=cmd|' -C calc'!A0 HYPERLINK(\"http:) ; @SUM(1+1) and then some more letters",
    "long": "w" * 230,
}
NOTE = "{name}\n</td></table></script><script>alert(4)</script>\t&amp;"
SAFE = ("#", "data:,")


class Skeleton(HTMLParser):
    """The elements of a page with the names of their attributes; its ids, its links, and all text."""

    def __init__(self, page: str):
        super().__init__()
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.links: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, tuple(name for name, _ in attrs)))
        self.links += [value or "" for name, value in attrs if name.endswith(("href", "src", "action"))]

    def handle_data(self, data):
        self.text += data


# What has a hostile name or note, by game: {file} is a file of weights, {numbers} of components.
HOSTILE = {
    "pig": ["--strategy", "{file}", "--components", "{numbers}"],
    "moesteiro": ["--strategy", "{cards}"],
    "abbates": ["--strategy", "{abbey}"],
}


def asked(name, question):
    """A question with hostile files in it: its words."""
    words = [{"log.csv": "{log}", "4": "12"}.get(word, word) for word in question.small.split()]
    words = [word for before, word in zip(["", *words], words) if "--strategy" not in (before, word)]
    hostile = HOSTILE[words[0]]
    return words + (hostile if "strategy" in question.options else hostile[2:])


# Ladder and tune play what they choose by themselves.
PAGES = {name: asked(name, question) for name, question in app.questions().items() if name not in ("ladder", "tune")}


SUFFIXES = {"file": ".toml", "numbers": "_n.toml", "log": ".csv", "cards": "_c.toml", "abbey": "_a.toml"}


def made(folder, kind):
    """Make the files with a hostile name; return what stands for each in PAGES."""
    name = NAMES[kind]
    files = {key: f"{name}{suffix}" for key, suffix in SUFFIXES.items()}
    folder.mkdir(parents=True)
    note = NOTE.format(name=name)
    quoted = "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in note)
    source = f'[[source]]\npaths = ["goal"]\nsource = "assumed"\nlow = 1\nhigh = 200\nnote = "{quoted}"\n'
    texts = {
        "file": 'policy = "hold_at"\nhold = 20\n',
        "numbers": f"goal = 60\n{source}",
        "log": LOG,
        "cards": "pip = 1.8\n",
        "abbey": "price = 13.0\n",
    }
    for key, text in texts.items():
        (folder / files[key]).write_text(text, encoding="utf-8")
    return files, note


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A function: kind of name and command → folder of its page, its skeleton, and the name and note that it should
    show."""
    home, before, known = tmp_path_factory.mktemp("pages"), Path.cwd(), {}

    def look(kind, command):
        if (kind, command) not in known:
            folder = home / kind
            os.chdir(home)
            if kind not in known:
                known[kind] = made(folder, kind)
            files, note = known[kind]
            os.chdir(folder)
            words = [word.format(**files) if word.startswith("{") else word for word in PAGES[command]]
            told = ask([command, *words, "--out", f"./{command}"])
            assert told.status in (0, 1, 3), told.err
            page = Path(command, f"{command}.html").read_text("utf-8")
            known[kind, command] = folder / command, Skeleton(page), files, note, page
        return known[kind, command]

    yield look
    os.chdir(before)


def counted(skeleton):
    """How often each element stands on a page; but a label of a figure may have one line or two."""
    return Counter(element for element in skeleton.elements if element[0] not in ("text", "g"))


@pytest.mark.parametrize("command", PAGES)
@pytest.mark.parametrize("kind", [kind for kind in NAMES if kind != "plain"])
def test_text_stays_text(pages, kind, command):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", UserWarning)
        _, plain, _, _, _ = pages("plain", command)
        _, skeleton, _, _, page = pages(kind, command)
    assert not [str(warning.message) for warning in said if "Glyph" in str(warning.message)]
    assert counted(skeleton) == counted(plain)
    new = set(skeleton.elements) - set(plain.elements)
    assert all(tag in ("text", "g") and set(names) <= {"style", "x", "y", "transform"} for tag, names in new), new
    assert all(link.startswith(SAFE) for link in skeleton.links), skeleton.links
    assert not {"img", "b", "iframe"} & {tag for tag, _ in skeleton.elements}
    assert page.count("<script") == 1
    assert not [c for c in page if ord(c) in (0, 7, 0x200F, 0x202E, 0x2066)]
    wanted = NAMES[kind].split("\u202e")[0][:9]
    assert wanted in unquote(skeleton.text)


@pytest.mark.parametrize("command", PAGES)
def test_tables_hold_no_formulas_and_the_names_as_they_are(pages, command):
    folder, _, files, _, _ = pages("formula", command)
    tables = sorted(folder.rglob("*.csv"))
    assert tables
    for path in tables:
        cells = pd.read_csv(path, dtype=str, keep_default_na=False).to_numpy().ravel().tolist()
        assert not [cell for cell in cells if cell.startswith(("=", "@", "\t"))], path
        assert all(
            re.fullmatch(r"[+-](inf|[\d.]+(e[+-]\d+)?)", cell) for cell in cells if cell.startswith(("+", "-"))
        ), path
    frames = [pd.read_parquet(path) for path in folder.rglob("*.parquet")]
    texts = {
        value
        for frame in frames
        for value in frame.select_dtypes(exclude="number").to_numpy().ravel()
        if isinstance(value, str)
    }
    if command == "report":
        assert {files["file"]} <= texts
        assert any(text.startswith("=cmd") and "</script>" in text for text in texts)
