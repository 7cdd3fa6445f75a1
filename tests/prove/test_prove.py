"""`prove`: what it finds where faults are planted, and that it finds nothing where there are none."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from analyses.prove import stamp, work
from analyses.prove.case import ProvedGame
from analyses.prove.coverage import runs
from analyses.prove.finding import Fault, PlayedGame
from analyses.prove.lines import Watch, lines_of, names_on
from analyses.prove.players import differences
from analyses.prove.work import _once, placed
from sim import registry

ROOT = Path(__file__).parents[2]
SOURCES = ("sim", "strategies", "analyses", "reports", "scripts")
TURNS = Path("sim", "pig", "turns.py")

# a text of turns.py of Pig, and what takes its place
DEAD = "    after = seat + held\n", "    after = seat + held\n    if state.turn > 5000:\n        state.turn = 0\n"


def planted(tmp_path: Path, *faults: tuple[str, str]) -> list[int]:
    """Copy the project with faults in turns.py of Pig, each a text and what takes its place; return the lines where
    they begin to differ."""
    for name in SOURCES:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "chapterhouse.py", tmp_path)
    (tmp_path / "sim" / "pig" / "golden.json").unlink()
    path = tmp_path / TURNS
    after = path.read_text("utf-8")
    for old, new in faults:
        assert after.count(old) == 1
        after = after.replace(old, new)
    path.write_text(after, "utf-8")
    return [after[: after.index(new)].count("\n") + 1 for _, new in faults]


def python(folder: Path, program: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a copy of the project."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return subprocess.run(
        [sys.executable, "-c", program, *words], cwd=folder, env=kept | environment | {"PYTHONPATH": str(folder)},
        capture_output=True, text=True, timeout=900,
    )  # fmt: skip


def proved(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `prove pig` in a copy of the project."""
    return python(folder, "from chapterhouse import main; main()", "prove", "pig", *words)


def test_what_it_finds_is_told_to_people_and_machines(command, monkeypatch):
    game = PlayedGame(2, ("hold_at", "random_legal"), 11, 3, ("goal=20",), 7)
    fault = Fault("one win", "59 in all", "60", "turns.py", 71, game)
    monkeypatch.setattr(work, "prove", lambda name, watch=None: work.Proved(name, [fault], {"games": 3}))
    status, out, _ = command("prove", "pig", "--json")
    (finding,) = json.loads(out)["findings"]
    assert (status, json.loads(out)["proved"]) == (1, "not proved")
    assert [finding[key] for key in ("check", "file", "line")] == ["one win", "turns.py", 71]
    status, out, _ = command("prove", "pig")
    assert status == 1
    assert "turns.py:71" in out
    assert "1 finding; not proved." in out


@pytest.mark.slow
def test_a_dead_branch_is_found(tmp_path):
    (line,) = planted(tmp_path, DEAD)
    program = """
import json
from analyses.prove import coverage
from analyses.prove.case import ProvedGame
coverage.GAMES, coverage.FORCED = 60, 500
left, games, forced = coverage.coverage(ProvedGame("pig"), seconds=60)
print(json.dumps([sorted(left), games, forced]))
"""
    done = python(tmp_path, program, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    left, games, forced = json.loads(done.stdout)
    assert left == [["turns.py", line + 2]]
    assert (games, forced) == (60, 500)


@pytest.mark.slow
@pytest.mark.timeout(1000)
def test_nothing_is_found_in_pig_and_it_has_a_stamp_until_it_changes(tmp_path):
    path = tmp_path / TURNS
    planted(tmp_path, ('"""Set the table."""', '"""Set the table: all blank."""'))
    done = proved(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Nothing found; proved on 20" in done.stdout
    said = "import sys; from analyses.prove import stamp; print(stamp.words('pig'))"

    def stamped() -> str:
        environment = os.environ | {"PYTHONPATH": str(tmp_path)}
        return subprocess.check_output([sys.executable, "-c", said], cwd=tmp_path, env=environment, text=True)

    assert stamped().startswith("proved on 20")
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    assert stamped().startswith("changed since it was proved on 20")


def test_the_documentation_names_every_check():
    calls = [
        node for path in (ROOT / "analyses" / "prove").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)
    ]  # fmt: skip
    makes = [call for call in calls if ast.unparse(call.func).rpartition(".")[2] in ("Fault", "fail", "_first")]
    made = {call.args[0].value for call in makes if isinstance(call.args[0], ast.Constant)}
    _, _, table = (ROOT / "docs" / "prove.md").read_text("utf-8").partition("| check | what must hold |\n|---|---|\n")
    rows = table.partition("\n\n")[0].splitlines()
    assert made == {check for row in rows for check in row.split("|")[1].strip().split(", ")}


def test_a_stamp_that_is_damaged_is_none(tmp_path, monkeypatch):
    monkeypatch.setenv("CHAPTERHOUSE_CACHE", str(tmp_path))
    assert stamp.words("pig") == "not proved"
    stamp.keep("pig", "chapterhouse 9")
    assert stamp.words("pig").endswith("with chapterhouse 9")
    stamp.path("pig").write_text('{"digest": 3', "utf-8")
    assert stamp.words("pig") == "not proved"
    stamp.forget("pig")
    assert not stamp.path("pig").exists()


def test_a_finding_in_one_line():
    game = PlayedGame(2, ("hold_at", "random_legal"), 11, 3, ("goal=20",), 7)
    finding = Fault("one win", "59 in all", "60", "turns.py", 71, game)
    place = "seed 11, game 3, decision 7, 2 players, hold_at and random_legal, goal=20"
    assert finding.words() == f"turns.py:71: one win: 59 in all; allowed 60 ({place})"


def test_games_that_differ_are_told_by_their_first_field():
    state, game = np.dtype([(name, np.int64) for name in "abcde"]), PlayedGame(2, ("random_legal",), 11, 0)
    usual = [(1, 1, 1, 1, 1), (1, 1, 1, 1, 1), (1, 1, 1, 1)]  # two decisions, and the end
    others = {
        "state.b": [(1, 2, 2, 1, 1), *usual[1:]],
        "outcome.share": [*usual[:2], (1, 2, 1, 1)],
        "the number of decisions": [usual[0], usual[2]],
    }
    assert not list(differences(state, {game: usual}, {game: usual}))
    for words, course in others.items():
        (found,) = differences(state, {game: usual}, {game: course})
        assert found.found.endswith(f"differ in {words}")


def test_the_number_of_a_game_is_taken_from_the_words_of_the_loop():
    finding = Fault(
        "games end", "the game never ends (seed 11, game 37, decision 5, seat 1)", game=PlayedGame(2, (), 11, 0)
    )
    assert (placed(finding).game.number, placed(finding).game.decision) == (37, 5)


def test_the_same_finding_is_told_once_and_with_its_line():
    vague, exact = Fault("games end", "no end"), Fault("games end", "no end here", file="turns.py", line=3)
    other = Fault("one win", "59 in all")
    assert _once([vague, exact, exact, other]) == [other, exact]


def test_neighbouring_lines_are_one_finding():
    assert list(runs({("a.py", 3), ("a.py", 4), ("a.py", 9), ("b.py", 1)})) == [
        ("a.py", 3, 4), ("a.py", 9, 9), ("b.py", 1, 1),
    ]  # fmt: skip


@pytest.mark.parametrize("game", registry.names())
def test_a_case_knows_the_files_and_tables_of_a_game(game):
    case = ProvedGame(game)
    assert {path.name for path in case.files} >= {"turns.py", "state.py"}
    assert [players for players, _ in case.tables] == list(registry.card(game)[1])


def test_a_position_without_end_is_left_once():
    def endless():
        while True:
            pass

    before = sys.gettrace()
    with Watch({}).on(limited=True):
        with pytest.raises(TimeoutError):
            endless()
        assert sys.gettrace() is None  # else the next line would be one too many again
    assert sys.gettrace() is before


def rule(state, deal):
    mine = state.held
    if mine < state.goal:
        return 0
    state.won = deal(mine)
    return 1


def test_a_watch_knows_which_lines_have_not_run():
    code = rule.__code__
    watch = Watch({code: lines_of(code)})
    with watch.on():
        rule(SimpleNamespace(held=1, goal=2), int)
    first = code.co_firstlineno
    assert (watch.left, watch.total) == ({code: {first + 4, first + 5}}, 5)
    with watch.on():
        rule(SimpleNamespace(held=2, goal=2), int)
    assert watch.done()


def test_what_a_function_names_on_a_line_and_a_few_before_it():
    code = rule.__code__
    assert names_on(code, code.co_firstlineno + 2) == {"held", "goal"}
    assert names_on(code, code.co_firstlineno + 4) == {"held", "goal", "won"}
    assert names_on(code, code.co_firstlineno + 5) == {"goal", "won"}
