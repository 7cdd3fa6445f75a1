"""Help: commands in groups, an example and the cost of each question, and what the tab key offers."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import app
from tests.fuzz.hostile import LOG, SMALL
from tests.test_house import SLOW

HOME = Path(__file__).parent.parent
PROGRAM = [sys.executable, "-c", "from scripts.cli import main; main()"]
EXAMPLES = app.EXAMPLES | {name: question.example for name, question in app.questions().items()}
# What has an example play as little as it can; the other options of SMALL change what is asked.
LITTLE = (
    "--games",
    "--budgets",
    "--printings",
    "--trials",
    "--max-games",
    "--generations",
    "--population",
    "--test-games",
)


def test_every_command_is_in_one_group():
    assert sorted(app.NAMES) == sorted({*app.HERE, *SMALL})


def test_commands_are_listed_by_group(command):
    status, told, _ = command("--help")
    assert status == 0
    found = [line.strip("╭╮─ ") for line in told.splitlines() if line.startswith("╭")]
    assert [head for head in found if head in app.GROUPS] == list(app.GROUPS)
    for name in app.NAMES:
        assert re.search(rf"^│ {name} ", told, re.MULTILINE)


@pytest.mark.parametrize("name", EXAMPLES)
def test_help_ends_with_an_example_and_names_no_type_for_a_flag(name, command):
    status, told, err = command(name, "-h")
    assert (status, err) == (0, "")
    assert told == command(name, "--help")[1]
    assert " ".join(told.split()).endswith(f"Example: {EXAMPLES[name]}")
    assert "<bool>" not in told


@pytest.mark.parametrize("name", app.questions())
def test_help_says_how_much_a_question_plays(name, command):
    """And how long that takes on two cores."""
    told = " ".join(command(name, "--help")[1].split())
    cost = app.question(name).cost
    assert re.search(r"\d (quick )?games.*(second|minute)s? on two cores\.$", cost)
    assert cost in told


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in ("play", "resume", "prove")])
def test_examples_work(name, command, tmp_path, monkeypatch):
    """As they are, but with as few games as possible."""
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text(LOG, encoding="utf-8")
    Path("mine.toml").write_text("village = 1.8\n", encoding="utf-8")
    Path("mine.csv").write_text("path,value\nkings.afonso_v.vp,2\n", encoding="utf-8")
    small = SMALL[name]
    less = [word for i, word in enumerate(small) if word in LITTLE or (i and small[i - 1] in LITTLE)]
    program, *words = shlex.split(EXAMPLES[name])
    status, out, err = command(*words, *less, *["--players", 2] * (name == "report"))
    assert program == "chapterhouse"
    assert status == (3 if name == "check" else 0), err
    assert out or name == "components"


@pytest.mark.slow
def test_examples_of_what_needs_a_person_or_a_run(command, tmp_path, monkeypatch, sit):
    monkeypatch.chdir(tmp_path)
    assert command(*shlex.split(EXAMPLES["resume"])[1:])[2].startswith(
        "chapterhouse: DIR: found 'overnight' (no such folder)"
    )
    assert "you play seat 1 of 3" in sit(shlex.split(EXAMPLES["play"])[1:], [])[1]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("swe", ["sweep"]),
        ("seats p", ["pig"]),
        ("seats pig --strategy ho", ["hold_at"]),
        ("seats pig --players ", ["2", "3", "4"]),
        ("seats chess --players ", []),
        ("seats pig --backend l", ["loky"]),
        ("worth moesteiro --lev", ["--levels"]),
        ("tune moesteiro --against gr", ["greedy"]),
    ],
)
def test_the_tab_key(typed, offered, command, monkeypatch):
    words = f"chapterhouse {typed}"
    given = {
        "_CHAPTERHOUSE_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    status, out, err = command()
    assert (status, out.split(), err) == (0, offered, "")


@pytest.mark.slow
def test_the_tab_key_imports_nothing_slow():
    code = "import sys\nfrom scripts.cli import run\nassert run([]) == 0\nprint(*sorted(sys.modules), file=sys.stderr)"
    given = {
        "_CHAPTERHOUSE_COMPLETE": "complete_bash",
        "COMP_WORDS": "chapterhouse seats pig --strategy ",
        "COMP_CWORD": "4",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=HOME, env=os.environ | given, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["hold_at", "optimal", "random_legal"]
    assert not set(SLOW) & set(done.stderr.split())


@pytest.mark.slow
def test_a_shell_takes_what_completes_it():
    done = subprocess.run(
        [*PROGRAM, "--show-completion", "bash"], cwd=HOME, capture_output=True, text=True, check=False,
        env=os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "_CHAPTERHOUSE_COMPLETE=complete_bash" in done.stdout
