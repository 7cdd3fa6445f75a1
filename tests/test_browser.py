"""The page in a real browser: nothing on the console, nothing missing, nothing that scrolls sideways."""

import json
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator, Sequence
from html import unescape
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from reports import page, style
from scripts import cli
from sim import registry

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
WIDTHS = (360, 390, 1280)
SCREENS = ((390, 844), (1280, 800))  # a phone and a laptop: on each, the first screen holds the answer
HIDDEN = {"details", "svg", "script", "style"}
MOST_WORDS = 3_000  # outside of what is folded or drawn
AXE = files("axe_playwright_python").joinpath("axe.min.js")
# A window can't be made as narrow as a phone, a frame can. This script is put into a copy of the page.
MEASURE = """<script>
addEventListener("load", () => {
  document.querySelectorAll("details").forEach((d) => { d.open = true; });
  const root = document.documentElement;
  const boxes = [...document.querySelectorAll("svg")].map((s) => s.getBoundingClientRect());
  const drawn = boxes.filter((b) => b.width > 100 && b.height > 30);
  const broken = [...document.images].filter((i) => !i.complete || i.naturalWidth === 0);
  parent.postMessage({width: innerWidth, height: innerHeight, scroll: root.scrollWidth, client: root.clientWidth,
    figures: boxes.length, drawn: drawn.length, broken: broken.length}, "*");
});
</script>"""
FIRST = """<script>
addEventListener("load", () => {
  const bottom = (name) => document.querySelector(name).getBoundingClientRect().bottom;
  const parts = [".first .headline", ".first figure", ".first .change", ".first .sure", ".first .limits"];
  parent.postMessage({width: innerWidth, height: innerHeight,
    bottoms: Object.fromEntries(parts.map((name) => [name, bottom(name)]))}, "*");
});
</script>"""
# What axe finds wrong, for the page as it opens and with everything unfolded.
CHECK = """<script>
addEventListener("load", async () => {
  document.querySelectorAll("details").forEach((d) => { d.open = true; });
  // Of a figure only its text alternative is read, not each of its many lines.
  const found = await axe.run({exclude: [["svg > *"]]}, {resultTypes: ["violations"]});
  parent.postMessage({width: innerWidth, rules: found.passes.length, wrong: found.violations.map(
    (v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join("; "))}, "*");
});
</script>"""
# Sort the longest table by its second column, up and down, and leave all but one row out.
SORT = """<script>
addEventListener("load", () => {
  const rows = (table) => [...table.tBodies[0].rows].filter((row) => !row.hidden);
  const tables = [...document.querySelectorAll("table")];
  const table = tables.reduce((one, other) => rows(other).length > rows(one).length ? other : one);
  const said = () => rows(table).map((row) => row.cells[1].textContent);
  const head = table.tHead.rows[0].cells[1], button = head.querySelector("button");
  const found = {width: innerWidth, before: said(), named: head.textContent.trim().length > 0};
  button.click();
  found.up = said();
  found.sort = [head.getAttribute("aria-sort")];
  button.click();
  found.down = said();
  found.sort.push(head.getAttribute("aria-sort"), table.querySelectorAll("[aria-sort]").length);
  const field = table.parentElement.previousElementSibling.querySelector("input");
  const first = rows(table)[0];
  field.value = first.textContent.trim().split("\\n")[0].toUpperCase();
  field.dispatchEvent(new Event("input"));
  found.left = rows(table).length;
  found.kept = !first.hidden;
  field.value = "";
  field.dispatchEvent(new Event("input"));
  found.again = said();
  parent.postMessage(found, "*");
});
</script>"""
LISTEN = """<!doctype html><title>frames</title><pre id="found"></pre><script>
const found = [];
addEventListener("message", (e) => {
  found.push(e.data);
  document.getElementById("found").textContent = JSON.stringify(found);
});
</script>"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="no chromium on the path: the page can't be opened"),
]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a report with all that belongs in it, from few games."""
    game = "moesteiro" if "moesteiro" in registry.names() else "pig"
    folder = tmp_path_factory.mktemp("report")
    assert cli.run(["report", game, "--games", "2000", "--out", str(folder), "--quiet"]) == 0
    return folder / f"{page.NAME}.html"


def browse(path: Path, profile: Path, *asked: str) -> tuple[str, str]:
    """Open a page; return its document when all has settled, and what the browser said. Or do what is asked with it."""
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
    ]
    options += [
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        f"--user-data-dir={profile}",
        "--window-size=1700,1800",
    ]
    options += ["--enable-logging=stderr", "--virtual-time-budget=10000", *(asked or ("--dump-dom",)), path.as_uri()]
    assert BROWSER
    done = subprocess.run([BROWSER, *options], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout or asked, done.stderr[-2000:]
    return done.stdout, done.stderr


def test_the_console_stays_silent(report: Path, tmp_path: Path) -> None:
    document, log = browse(report, tmp_path)
    assert "<h1>" in document
    assert not [line for line in log.splitlines() if "CONSOLE" in line]


def in_frames(
    report: Path, folder: Path, script: str, sizes: Sequence[tuple[int, int]], style: str = ""
) -> tuple[dict[int, dict[str, Any]], str]:
    """Open a page with a script in frames of some sizes; return what it tells of each width, and the browser's log."""
    copy = folder / "copy.html"
    text = report.read_text(encoding="utf-8").replace("</head>", style + "</head>")
    copy.write_text(text.replace("</body>", script + "</body>"), encoding="utf-8")
    frames = "".join(
        f'<iframe src="copy.html" style="width: {width}px; height: {height}px; border: 0"></iframe>'
        for width, height in sizes
    )
    outer = folder / "frames.html"
    outer.write_text(LISTEN + frames, encoding="utf-8")
    document, log = browse(outer, folder / "profile")
    told = re.search(r'<pre id="found">(.*?)</pre>', document)
    assert told
    found = {entry["width"]: entry for entry in json.loads(unescape(told[1]))}
    assert set(found) == {width for width, _ in sizes}
    return found, log


def test_the_first_screen_holds_the_answer(report: Path, tmp_path: Path) -> None:
    found, _ = in_frames(report, tmp_path, FIRST, SCREENS)
    for width, height in SCREENS:
        for part, bottom in found[width]["bottoms"].items():
            assert 0 < bottom <= height, (width, part)


@pytest.mark.parametrize(("scheme", "size"), list(zip(("light", "dark"), SCREENS, strict=True)))
def test_axe_finds_nothing_wrong(report: Path, tmp_path: Path, scheme: str, size: tuple[int, int]) -> None:
    axe = f"<script>{AXE.read_text(encoding='utf-8')}</script>"
    forced = f"<style>:root {{ color-scheme: {scheme} only; {style.variables(scheme == 'dark')} }}</style>"
    found, _ = in_frames(report, tmp_path, axe + CHECK, [size], forced)
    for entry in found.values():
        assert entry["rules"] > 20
        assert entry["wrong"] == []


class Visible(HTMLParser):
    """Counts the words of a page that are neither folded nor drawn."""

    def __init__(self, text: str):
        super().__init__()
        self.words, self._inside = 0, 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self._inside += tag in HIDDEN

    def handle_endtag(self, tag: str) -> None:
        self._inside -= tag in HIDDEN

    def handle_data(self, data: str) -> None:
        self.words += 0 if self._inside else len(data.split())


def test_few_words_are_visible(report: Path) -> None:
    body = report.read_text(encoding="utf-8").partition("<body>")[2]
    assert 300 < Visible(body).words <= MOST_WORDS


def test_nothing_is_missing_and_nothing_scrolls_sideways(report: Path, tmp_path: Path) -> None:
    found, log = in_frames(report, tmp_path, MEASURE, [(width, 800) for width in WIDTHS])
    for width, entry in found.items():
        assert entry["scroll"] <= entry["client"], f"the page scrolls sideways at {width} px"
        assert entry["figures"] == entry["drawn"] > 0
        assert entry["broken"] == 0
    assert not [line for line in log.splitlines() if "CONSOLE" in line]


def test_a_table_is_sorted_and_filtered(report: Path, tmp_path: Path) -> None:
    found, log = in_frames(report, tmp_path, SORT, [(1280, 800)])
    (told,) = found.values()
    assert told["named"]
    assert told["sort"] == ["ascending", "descending", 1]
    assert sorted(told["before"]) == sorted(told["up"]) == sorted(told["down"]) == sorted(told["again"])
    assert len(set(told["before"])) > 1
    assert told["up"] != told["down"] == told["again"]
    assert told["kept"]
    assert 0 < told["left"] < len(told["before"])
    assert not [line for line in log.splitlines() if "CONSOLE" in line]


def printed(html: str, paper: str, folder: Path) -> list[float]:
    """Print a page; return how far down something stands on each sheet, in heights of the sheet, page numbers apart."""
    page, pdf = folder / "print.html", folder / "print.pdf"
    page.write_text(html.replace("</head>", f"<style>@page {{ size: {paper} }}</style></head>"), encoding="utf-8")
    browse(page, folder / "profile", "--no-pdf-header-footer", f"--print-to-pdf={pdf}")
    parts = {int(m[1]): m[2] for m in re.finditer(rb"(\d+) 0 obj\n(.*?)\nendobj", pdf.read_bytes(), re.DOTALL)}
    found = []
    for sheet in (part for part in parts.values() if re.search(rb"/Type /Page\b", part)):
        box, contents = re.search(rb"/MediaBox \[0 0 [\d.]+ ([\d.]+)", sheet), re.search(rb"/Contents (\d+)", sheet)
        assert box
        assert contents
        height = float(box[1])
        drawn = [y / height for y in letters(zlib.decompress(parts[int(contents[1])].partition(b"stream\n")[2]))]
        found.append(1 - min(y for y in drawn if y > 0.055))
    return found


def letters(drawing: bytes) -> Iterator[float]:
    """Give the height above its lower edge at which each piece of text stands on a sheet of a PDF: nothing in it is
    turned."""
    scale, shift, kept = 1.0, 0.0, []
    for line in drawing.decode("latin1").splitlines():
        words = line.split()
        if words[-1:] == ["q"]:
            kept.append((scale, shift))
        elif words[-1:] == ["Q"]:
            scale, shift = kept.pop()
        elif words[-1:] == ["cm"]:
            scale, shift = scale * float(words[3]), shift + scale * float(words[5])
        elif words[-1:] == ["Tm"]:
            yield shift + scale * float(words[5])


@pytest.mark.parametrize("paper", ["A4", "letter"])
def test_a_page_is_printed_on_two_sheets_and_then_on_full_ones(report: Path, tmp_path: Path, paper: str) -> None:
    html = report.read_text(encoding="utf-8")
    filled = printed(html, paper, tmp_path)
    assert 5 < len(filled) <= 18
    assert min(filled[:-1]) > 0.5
    start, end = html.index("<nav"), html.index("<footer>")  # what --brief leaves out
    assert len(printed(html[:start] + html[end:], paper, tmp_path)) == 2
