"""Mutations of rules: that they fit the sources, and that the program that runs them tells the noticed from the
unnoticed."""

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from scripts.mutate import (
    FIELDS,
    REFUSED,
    ROOT,
    SUITES,
    UNNOTICED,
    Mutation,
    Refusal,
    SuiteAnswer,
    Worker,
    answer,
    check,
    files_of,
    read,
)
from scripts.mutate import (
    tests_of as files_of_suite,
)

pytestmark = pytest.mark.slow

FILES = sorted((ROOT / "tests" / "mutations").glob("*.toml"))
EVERY = [pytest.param(m, id=f"{path.stem}: {m.name}") for path in FILES for m in read(path)]
QUICK = ["--suite", "worked examples"]
HARMLESS = {
    "name": "Other words",
    "rule": "none",
    "file": "sim/moesteiro/dice.py",
    "find": "A row of dice",
    "replace": "A line of dice",
}


def written(path: Path, *entries: dict[str, str]) -> Path:
    """Write a file of mutations; return its path."""
    lines = ["\n".join(["[[mutation]]", *(f"{name} = '{text}'" for name, text in entry.items())]) for entry in entries]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def command(*words: str | Path) -> list[str]:
    """Return the command line of the program."""
    return [sys.executable, str(ROOT / "scripts" / "mutate.py"), *map(str, words)]


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the program."""
    return subprocess.run(command(*words), capture_output=True, text=True, encoding="utf-8", check=False)


# --- the mutations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mutation", EVERY)
def test_a_mutation_fits_its_file_once_and_leaves_it_readable(mutation):
    assert mutation.misfit(ROOT) == ""
    assert all(getattr(mutation, field).strip() for field in FIELDS if field != "replace")
    assert mutation.file.startswith("sim/")


@pytest.mark.parametrize(("game", "least", "counting"), [("moesteiro", 60, 25), ("abbates", 60, 25), ("pig", 12, 4)])
def test_there_are_enough_and_no_two_are_the_same(game, least, counting):
    mutations = [mutation for path in files_of(game) for mutation in read(path)]
    assert len(mutations) >= least
    assert sum(mutation.rule == "counting" for mutation in mutations) >= counting
    assert max(Counter(m.name for m in mutations).values()) == 1
    assert max(Counter((m.file, m.find, m.replace) for m in mutations).values()) == 1


@pytest.mark.parametrize("game", ["moesteiro", "abbates"])
def test_every_suite_finds_its_tests(game):
    assert all(files_of_suite(suite, game, ROOT) for suite in SUITES)


@pytest.mark.parametrize(("game", "rulings"), [("moesteiro", 17), ("abbates", 10)])
def test_each_ruling_is_mutated(game, rulings):
    rules = {mutation.rule for mutation in read(ROOT / "tests" / "mutations" / f"{game}.toml")}
    assert {f"R{n}" for n in range(1, rulings + 1)} <= rules


# --- the program ------------------------------------------------------------------------------------------------------


def contents() -> dict[Path, bytes]:
    """Return what the files hold that mutations change."""
    return {ROOT / mutation.values[0].file: (ROOT / mutation.values[0].file).read_bytes() for mutation in EVERY}


def test_a_mutation_is_noticed_and_the_tree_is_untouched():
    before = contents()
    done = run("--only", "rounded up", *QUICK)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 mutations, 0 unnoticed" in done.stdout
    assert done.stdout.count("test_quarry_holds_7_halves_lintels_and_7_thirds_columns") == 2
    assert contents() == before


def test_a_change_that_changes_nothing_is_unnoticed(tmp_path):
    real = {
        "name": "Real",
        "rule": "R8",
        "file": "sim/moesteiro/actions.py",
        "find": "MOST_PIPS = 6",
        "replace": "MOST_PIPS = 4",
    }
    done = run("--mutations", written(tmp_path / "mine.toml", HARMLESS, real), "--all", *QUICK)
    assert done.returncode == UNNOTICED, done.stdout + done.stderr
    assert "2 mutations, 1 unnoticed" in done.stdout
    assert "UNNOTICED: Other words [none]" in done.stdout


def test_a_mutant_that_cannot_start_says_nothing_about_the_tests(tmp_path):
    broken = {**HARMLESS, "name": "No such name", "find": "NEUTRAL = 4", "replace": "NEUTRAL = FOUR"}
    done = run("--mutations", written(tmp_path / "mine.toml", broken), *QUICK)
    assert done.returncode == REFUSED, done.stdout + done.stderr
    assert "NOT STARTED: No such name" in done.stdout


def test_all_that_does_not_fit_is_named_at_once(tmp_path):
    entries = [
        {**HARMLESS, "name": "Gone", "find": "no such text anywhere"},
        {**HARMLESS, "name": "Everywhere", "find": "return"},
        {**HARMLESS, "name": "No file", "file": "sim/moesteiro/nothing.py"},
        {**HARMLESS, "name": "Same", "replace": HARMLESS["find"]},
        {**HARMLESS, "name": "Unreadable", "find": "NEUTRAL = 4", "replace": "NEUTRAL ="},
    ]
    done = run("--mutations", written(tmp_path / "mine.toml", HARMLESS, *entries))
    assert done.returncode == REFUSED
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == [entry["name"] for entry in entries]
    assert not done.stdout


@pytest.mark.parametrize(
    "words", [["--only", "no such mutation"], ["--game", "chess"], ["--suite", "none"], ["--mutations", "none.toml"]]
)
def test_wrong_input_is_one_line_and_status_2(words):
    done = run(*words)
    assert done.returncode == REFUSED
    assert done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("entry", [{}, {"name": "Half"}, {**HARMLESS, "more": "text"}])
def test_an_entry_that_is_not_complete_is_refused(tmp_path, entry):
    with pytest.raises(Refusal, match="entry 2"):
        read(written(tmp_path / "mine.toml", HARMLESS, entry))


def test_two_entries_of_one_name_are_refused(tmp_path):
    with pytest.raises(Refusal, match="Other words"):
        read(written(tmp_path / "mine.toml", HARMLESS, HARMLESS))


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_ctrl_c_ends_it_with_what_was_found_so_far(start):
    process = start(*command(*QUICK))
    assert process.stdout is not None
    lines = [process.stdout.readline(), process.stdout.readline()]
    assert "1/" in lines[1]
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert " mutations, " in rest


# --- its parts --------------------------------------------------------------------------------------------------------

TREE = {
    "rule.py": "def steps():\n    return 2\n",
    "pyproject.toml": "[tool.pytest.ini_options]\n",
    "tests/test_rule.py": "import rule\n\n\ndef test_it():\n    n = rule.steps()\n    while n < 2:\n        pass\n    "
    "assert n == 2\n",
}


@pytest.fixture
def worker(tmp_path):
    """A worker on a copy of a tree with one rule and one test."""
    for name, text in TREE.items():
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text(text, encoding="utf-8")
    return Worker(tmp_path / "copy", tmp_path / "tree")


def test_a_worker_mutates_its_copy_and_restores_it(worker, tmp_path):
    tests, test = ["tests/test_rule.py"], "test_rule.py::test_it"
    fine, endless = SuiteAnswer("", False, ""), SuiteAnswer(test, True, "")
    assert worker.run(tests, 60) == fine
    for value, said in (("3", SuiteAnswer(test, False, "")), ("1", endless), ("2.0", fine)):
        assert worker.mutated(Mutation("", "", "rule.py", "return 2", f"return {value}"), tests, 2) == said
    for folder in ("tree", "copy"):
        assert {name: (tmp_path / folder / name).read_text("utf-8") for name in TREE} == TREE


def test_what_fits_is_not_refused():
    check([Mutation(**HARMLESS)], ROOT)


@pytest.mark.parametrize(
    ("out", "status", "said"),
    [
        ("1 passed", 0, SuiteAnswer("", False, "")),
        (
            "FAILED tests/a/test_b.py::test_c[x y-1] - assert 1 == 2",
            1,
            SuiteAnswer("a/test_b.py::test_c[x y-1]", False, ""),
        ),
        (
            "FAILED tests/a/test_b.py::test_c - Failed: Timeout (>2.0s) from pytest-timeout.",
            1,
            SuiteAnswer("a/test_b.py::test_c", True, ""),
        ),
        (
            "ERROR tests/a/test_b.py::test_c - ValueError: in a fixture",
            1,
            SuiteAnswer("a/test_b.py::test_c", False, ""),
        ),
        (
            "ERROR tests/a/test_b.py - NameError: no",
            2,
            SuiteAnswer("", False, "ERROR tests/a/test_b.py - NameError: no"),
        ),
        ("ERROR: file or directory not found: x\n", 4, SuiteAnswer("", False, "ERROR: file or directory not found: x")),
        ("", -9, SuiteAnswer("", False, "no output")),
    ],
)
def test_what_pytest_prints_is_read(out, status, said):
    assert answer(f"...\n{out}\n" if out else out, status) == said
