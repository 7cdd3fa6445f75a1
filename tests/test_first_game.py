"""docs/first-game.md: its pieces make a game, and its commands say what it shows; the README leads there."""

import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.status import Status
from sim.code_files import base

HOME = Path(__file__).parent.parent
PAGE = HOME / "docs" / "first-game.md"
TEXT = PAGE.read_text("utf-8")
LEFT_OUT = "…"
BLOCK = re.compile(r"(?:^ {4}.*\n(?:[ ]*\n)*)+", re.MULTILINE)
COMMAND = "chapterhouse "


def blocks() -> Iterator[str]:
    """Yield what is indented: commands with their output, and pieces of code."""
    for found in BLOCK.findall(TEXT):
        yield re.sub(r"^ {4}", "", found, flags=re.MULTILINE).strip("\n")


def with_piece(code: str, piece: str) -> str:
    """Return the code of a game with one more piece: in the place of a function of the same name, or at the end."""
    name = re.match(r"def (\w+)", piece)
    for node in ast.parse(code).body:
        if name and isinstance(node, ast.FunctionDef) and node.name == name[1]:
            lines = code.splitlines()
            return "\n".join([*lines[: node.lineno - 1], piece, *lines[node.end_lineno :], ""])
    return f"{code}\n\n{piece}\n" if code else f"{piece}\n"


def words(text: str) -> str:
    """Return a text without what differs from day to day or with the width of a terminal."""
    text = re.sub(r"on \d{4}-\d\d-\d\d with chapterhouse \S+", "on DATE with VERSION", text)
    return " ".join(re.sub("─+", "", text).split())


def says(shown: str, out: str) -> bool:
    """Return whether a command says what is shown, but for what is left out."""
    pattern = ".*".join(re.escape(words(part)) for part in shown.split(LEFT_OUT))
    return re.fullmatch(pattern, words(out)) is not None or not shown


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder, the same one each time, so that machine code need not be made again."""
    place = hashlib.sha256(os.fsencode(HOME)).hexdigest()[:16]
    path = base() / "tests" / f"first-game-{place}"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    yield path
    shutil.rmtree(path)


@pytest.mark.slow
def test_every_command_says_what_the_page_shows(folder):
    environment = {**os.environ, "PYTHONPATH": str(HOME)}
    environment.pop("COLUMNS", None)
    code, asked = "", 0
    for block in blocks():
        if block.startswith("python3 scripts/bootstrap.py "):  # the set-up, which these tests have behind them
            continue
        if not block.startswith(COMMAND):
            code = with_piece(code, block)
            (folder / "fields" / "game.py").write_text(code, encoding="utf-8")
            continue
        asked += 1
        line, _, shown = block.partition("\n")
        program = [sys.executable, "-c", "from scripts.cli import main; main()", *line.split()[1:]]
        done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)
        status = Status.LIMIT_BROKEN if "not proved" in shown else Status.ANSWERED
        assert done.returncode == status, f"{line}\n{done.stdout}{done.stderr}"
        assert says(shown, done.stdout), f"{line}\n{done.stdout}"
    assert asked >= 8
    assert "Four Fields" in (folder / "page" / "report.html").read_text("utf-8")


def test_what_a_command_says_is_compared():
    assert says("a  b\n…\nd", "a b\nc\nd")
    assert says("proved on 2026-12-01 with chapterhouse 0.1.0.", "proved on 2027-01-02 with chapterhouse 1.0.")
    assert not says("a b", "a b c")
    assert not says("a 3\n…", "a 4\nb")


def test_it_is_read_in_twenty_minutes():
    assert len([line for line in TEXT.splitlines() if line.strip()]) <= 250


def test_to_run_a_game_is_to_run_its_code_stands_there_once():
    assert TEXT.count("To run a game is to run its code") == 1


def test_the_readme_leads_there_on_its_first_screen():
    first = "\n".join((HOME / "README.md").read_text("utf-8").splitlines()[:40])
    _, _, own = first.partition("## Your own game\n")
    assert "(docs/first-game.md)" in own
    commands = re.findall(r"^ {4}chapterhouse (\w+) (\S+)", own, re.MULTILINE)
    assert commands == [("new", "race"), ("prove", "./race"), ("report", "./race")]
