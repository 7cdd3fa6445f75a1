"""Figures to take away, and pages as Markdown: the same findings as on the page."""

import re
import struct
import zlib
from collections.abc import Callable
from html import unescape
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

from reports import markdown, style
from scripts.app import questions

pytestmark = pytest.mark.slow

Command = Callable[..., tuple[int, str, str]]
WORDS = ("compare", "pig", "--set", "goal=80", "--games", "400", "--players", "3")


@pytest.fixture
def taken(command: Command, tmp_path: Path) -> Path:
    """A folder with the page of a comparison in both forms and, in `slides`, its figures."""
    for form in ("html", "md"):
        words = ("--out", tmp_path / "wiki", "--format", form, "--figures", tmp_path / "slides")
        assert command(*WORDS, *words)[0] == 0
    return tmp_path


def lettered(svg: str) -> list[str]:
    """What is written in a figure."""
    return [unescape(text).replace("\u00a0", " ") for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


def pixels(png: bytes) -> tuple[int, int, set[bytes]]:
    """The width and height of a PNG, and the colours in it that its lines begin with or repeat."""
    at, data, width, height = 8, b"", 0, 0
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        if kind == b"IHDR":
            width, height = struct.unpack(">II", png[at + 8 : at + 16])
        data += png[at + 8 : at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    raw = zlib.decompress(data)
    return width, height, {raw[i : i + 3] for i in range(1, len(raw), 4)}


def test_a_slide_shows_what_the_page_shows(taken: Path) -> None:
    html = (taken / "wiki" / "compare.html").read_text("utf-8")
    figures = re.findall(r"<figure>.*?</figure>", html, re.DOTALL)
    kicker = html.partition('class="kicker">')[2].partition("<")[0]
    drawn = sorted(path.stem for path in (taken / "slides").glob("*.svg"))
    assert len(figures) == len(drawn) == len(list((taken / "slides").glob("*.png"))) > 1
    found = [(taken / "slides" / f"{name}.svg").read_text("utf-8") for name in drawn]
    for figure in figures:
        title, on_page = re.search(r"<figcaption>(.*?)</figcaption>", figure), set(lettered(figure))
        assert title
        marks = figure.count("<use")
        (slide,) = [svg for svg in found if on_page <= set(lettered(svg)) and svg.count("<use") == marks]
        said = " ".join(lettered(slide))
        assert unescape(title[1]) in said
        assert said.count(f"Pig. {kicker} ") == 1
        assert re.search(r"[\d,]+ games, seed 1\.", said)
        assert f"Made by chapterhouse {version('chapterhouse')}." in said


def test_a_slide_has_colours_of_its_own_and_is_light(taken: Path) -> None:
    for path in sorted((taken / "slides").glob("*.svg")):
        svg = path.read_text("utf-8")
        assert ElementTree.fromstring(svg).get("role") == "img"
        assert "var(" not in svg
        assert set(re.findall(r"#[0-9a-f]{6}\b", svg)) <= {light for light, _ in style.TOKENS.values()}
        box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
        assert box
        assert float(box[2]) / float(box[1]) == pytest.approx(9 / 16, abs=0.001)
        width, height, seen = pixels(path.with_suffix(".png").read_bytes())
        assert (width, height) == (1920, 1080)
        assert len(seen) > 20  # something is drawn


def test_a_slide_is_the_same_byte_for_byte(taken: Path, command: Command) -> None:
    assert command(*WORDS, "--figures", taken / "again")[0] == 0
    for path in (taken / "slides").iterdir():
        assert path.read_bytes() == (taken / "again" / path.name).read_bytes()


def test_markdown_holds_tables_and_pictures(taken: Path) -> None:
    text = (taken / "wiki" / "compare.md").read_text("utf-8")
    pictures = re.findall(r"!\[[^\]]+\]\(<([^>]+)>\)", text)
    assert {(taken / "wiki" / name).resolve() for name in pictures} == set((taken / "slides").glob("*.png"))
    seats = pd.read_csv(taken / "wiki" / "tables" / "seats.csv")
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    (table,) = [rows for rows in tables if rows[0].startswith("| seat ")]
    assert len(table) == 2 + len(seats)
    for row, share in zip(table[2:], seats["win_share_before"], strict=True):
        assert float(row.split("|")[2]) == pytest.approx(100 * share, abs=0.5)
    html = (taken / "wiki" / "compare.html").read_text("utf-8")
    for heading in re.findall(r"<h[12]>(.*?)</h[12]>", html):
        assert unescape(re.sub("<[^>]+>", "", heading)).replace("\u00a0", " ") in re.sub(r"\\(.)", r"\1", text)


def test_what_a_file_contains_is_not_taken_for_markdown() -> None:
    hostile = "<script>a|b</script> **c** [d](e) `f` \\ # g\n# h"
    shown = markdown.plain(hostile)
    assert "\n" not in shown
    assert re.sub(r"\\(.)", r"\1", shown.replace("\\\\n", "\n")) == hostile.replace("\n", "\n")
    assert not re.search(r"(?<!\\)[<>|*`\[\]#]", shown)


def test_every_command_that_writes_a_page_writes_figures_and_forms() -> None:
    for question in questions().values():
        kinds = {name in question.options for name in ("out_folder", "figures", "form")}
        assert len(kinds) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--format", "pdf", "--out", "here"), "--format: found 'pdf'; allowed html, md"),
        (("--format", "md"), "--format: found 'md'; allowed with --out FOLDER, where the page goes"),
        (("--figures", "file/below"), "--figures: found 'file/below' (not a directory); allowed a folder that can be"),
    ],
)
def test_what_can_not_be_written_is_refused(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    status, out, err = command("seats", "pig", "--games", 4, *words)
    assert (status, out) == (2, "")
    assert err.startswith(f"chapterhouse: {said}")


def test_a_run_in_a_folder_gives_its_figures(command: Command, tmp_path: Path) -> None:
    assert command("seats", "pig", "--games", 4, "--run", tmp_path / "run", "--figures", tmp_path / "one")[0] == 0
    assert command("resume", tmp_path / "run", "--figures", tmp_path / "two")[0] == 0
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert "seats-seats.png" in names
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
