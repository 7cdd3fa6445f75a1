"""What the documents point at is there, and the recipe for continuous integration works as it is."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from tests.fuzz.hostile import commands, options

HOME = Path(__file__).parent.parent
DOCUMENTS = [*sorted(HOME.glob("*.md")), *sorted((HOME / "docs").glob("*.md"))]
PLACES = ("sim", "strategies", "analyses", "reports", "scripts", "tests", "docs")
BOOTSTRAP = "python3 chapterhouse/scripts/bootstrap.py chapterhouse check moesteiro --components mine.csv"


def anchors(path):
    """The anchors that GitHub gives to the headings of a document."""
    for heading in re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    lost = []
    for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        name, _, anchor = link.partition("#")
        if name.startswith("https:"):
            continue
        target = path.parent / name if name else path
        if not target.is_file() or (anchor and anchor not in anchors(target)):
            lost.append(link)
    assert not lost


@pytest.mark.parametrize(
    "path", [path for path in DOCUMENTS if path.name != "CHANGELOG.md"], ids=lambda path: path.name
)
def test_files_that_are_named_are_there(path):
    codes = re.findall(r"`([^`\n]+)`", path.read_text("utf-8"))
    named = chain.from_iterable(re.findall(r"[\w<>*./-]+\.(?:py|md|toml)\b", code) for code in codes)
    lost = []
    for name in named:
        if name.split("/")[0] in PLACES and not list(HOME.glob(re.sub(r"<\w+>", "*", name))):
            lost.append(name)
    assert not lost


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_commands_and_options_that_are_shown_are_there(path):
    known = {name: {"--help", *dict(options(name))} for name in commands()}
    known["chapterhouse"] = {"--version", "--install-completion", "--show-completion"}
    codes = re.findall(r"`([^`\n]+)`|^ {4}(.+)$", path.read_text("utf-8"), re.MULTILINE)
    lost = []
    for code in ("".join(pair).partition("#")[0] for pair in codes):
        name = code.split()[1] if code.startswith("chapterhouse ") and len(code.split()) > 1 else ""
        if name.isalpha() and name.islower() and name not in known and name != "batch":  # how a file of batches begins
            lost.append(code)
        allowed = known.get(name) or set().union(*known.values()) if name or code.startswith("--") else None
        lost += [
            f"{code}: {option}" for option in re.findall(r"(?<!\S)--[a-z-]+", code) if allowed and option not in allowed
        ]
    assert not lost


def test_the_version_and_its_date_are_the_same_everywhere():
    version = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    cited = dict(re.findall(r"^([\w-]+): (\S+)$", (HOME / "CITATION.cff").read_text("utf-8"), re.MULTILINE))
    released = re.findall(r"^## \[(\d\S*)\] - (\S+)$", (HOME / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert released[0] == (version, cited["date-released"])
    assert cited["version"] == version


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("bash"), reason="the recipe needs bash")
@pytest.mark.parametrize(
    ("limit", "most", "status", "word"),
    [
        ("1.3", "4000", 0, "inside"),
        ("1.01", "4000", 1, "outside"),
        ("1.074", "600", 0, "undecided"),
        ("none", "600", 2, None),
    ],
)
def test_the_recipe_for_github_works_as_it_is_printed(limit, most, status, word, tmp_path):
    step = (HOME / "docs" / "ci.md").read_text("utf-8").partition("        run: |\n")[2].partition("      - uses")[0]
    assert BOOTSTRAP in step
    check = f"{sys.executable} -c 'from scripts.cli import main; main()' check pig --players 2 --max-games {most}"
    script = step.replace(BOOTSTRAP, check).replace(
        "--max-seat-index 1.05 --max-king-index 1.1", f"--max-seat-index {limit}"
    )
    (tmp_path / "summary").write_text("", "utf-8")
    environment = {**os.environ, "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"), "PYTHONPATH": str(HOME)}
    words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]  # as GitHub starts `shell: bash`
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert ("::warning::" in done.stdout) == (word == "undecided")
    summary = (tmp_path / "summary").read_text("utf-8").splitlines()
    if word is None:
        assert not summary
        return
    assert summary[0] == "### Balance: Pig"
    assert summary[2].startswith(f"{word.capitalize()}: ")
    assert summary[6].startswith(f"| {word} | Seats | 2 | Seat 1 wins ")
    assert (tmp_path / "balance" / "check.html").is_file()
