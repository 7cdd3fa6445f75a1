"""The page in a real browser: nothing on the console, nothing missing, nothing that scrolls sideways."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

from analyses.survey import ReportPlan, asked, survey
from reports import page
from sim import registry
from tests.helpers import request

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
WIDTHS = (360, 390, 1280)
# A window can't be made as narrow as a phone, a frame can. The report has no script: this one is put into a copy.
MEASURE = """<script>
addEventListener("load", () => {
  document.querySelectorAll("details").forEach((d) => { d.open = true; });
  const root = document.documentElement;
  const boxes = [...document.querySelectorAll("svg")].map((s) => s.getBoundingClientRect());
  const drawn = boxes.filter((b) => b.width > 100 && b.height > 30);
  const broken = [...document.images].filter((i) => !i.complete || i.naturalWidth === 0);
  parent.postMessage({width: innerWidth, scroll: root.scrollWidth, client: root.clientWidth,
    figures: boxes.length, drawn: drawn.length, broken: broken.length}, "*");
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
    game = "moesteiro" if "moesteiro" in registry.names() else "pig"
    plan = ReportPlan(games=480)
    found = survey(request(game, numbers="all"), asked(game, registry.card(game)[1], (), plan), plan=plan)
    return page.write(found, tmp_path_factory.mktemp("report"))


def browse(path: Path, profile: Path) -> tuple[str, str]:
    """Open a page; return its document when all has settled, and what the browser said."""
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
        "--window-size=1400,900",
    ]
    options += ["--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom", path.as_uri()]
    assert BROWSER
    done = subprocess.run([BROWSER, *options], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout, done.stderr[-2000:]
    return done.stdout, done.stderr


def test_the_console_stays_silent(report: Path, tmp_path: Path) -> None:
    document, log = browse(report, tmp_path)
    assert "<h1>" in document
    assert not [line for line in log.splitlines() if "CONSOLE" in line]


def test_nothing_is_missing_and_nothing_scrolls_sideways(report: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.html"
    copy.write_text(report.read_text(encoding="utf-8").replace("</body>", MEASURE + "</body>"), encoding="utf-8")
    frames = "".join(
        f'<iframe src="copy.html" style="width: {width}px; height: 800px; border: 0"></iframe>' for width in WIDTHS
    )
    outer = tmp_path / "frames.html"
    outer.write_text(LISTEN + frames, encoding="utf-8")
    document, log = browse(outer, tmp_path / "profile")
    told = re.search(r'<pre id="found">(.*?)</pre>', document)
    assert told
    found = {entry["width"]: entry for entry in json.loads(unescape(told[1]))}
    assert set(found) == set(WIDTHS)
    for width, entry in found.items():
        assert entry["scroll"] <= entry["client"], f"the page scrolls sideways at {width} px"
        assert entry["figures"] == entry["drawn"] > 0
        assert entry["broken"] == 0
    assert not [line for line in log.splitlines() if "CONSOLE" in line]
