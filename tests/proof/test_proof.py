"""A strategy from a file is proved before it plays: what breaks the contract is found by name, and what is honest
passes."""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from sim import registry, runner
from sim.printed import components
from sim.proof import apart, code
from sim.runner import StrategyError, play
from strategies import _code, catalog
from tests.proof.strategies import CHOOSE, HONEST, HOSTILE, USUAL, file

ROOT = Path(__file__).parents[2]
BY_CODE = {name for name, (_, words) in HOSTILE.items() if words.startswith("line ") and "Error: " not in words}


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    """Proofs are kept for this test alone; machine code stays where it is."""
    kept = tmp_path / "proofs"
    monkeypatch.setattr(apart, "kept_in", lambda: kept)
    monkeypatch.setattr(catalog, "_proved", set())
    return kept


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """What takes long ends a proof after a few seconds, as it does after more where a user waits."""
    monkeypatch.setattr(
        apart, "PROGRAM", "from sim.proof import apart; apart.HANG, apart.ENOUGH = 2.0, 5.0; apart.work()"
    )


@pytest.fixture
def anew(monkeypatch):
    """A function after which this process knows of no proof and of no file."""

    def forget():
        monkeypatch.setattr(catalog, "_proved", set())
        _code.read.cache_clear()
        runner._load.cache_clear()

    return forget


def load(path, game="pig", players=2):
    """The strategy of a file, ready to play."""
    return catalog.entrant(game, path, players).load(registry.load(game), components.read(game).record[0])


def said(path):
    """What is said of a file that is refused, from its name on."""
    with pytest.raises(StrategyError) as error:
        load(path)
    assert len(str(error.value).splitlines()) == 1
    return str(error.value).partition(f"strategy {path}: ")[2]


def test_there_are_many_of_both():
    assert len(HOSTILE) >= 40
    assert len(HONEST) >= 20


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BY_CODE))
def test_what_breaks_the_contract_is_found_in_the_code(mine, name):
    text, words = HOSTILE[name]
    path = mine(text)
    found = [finding.words(path) for finding in code.findings(load(f"{path},unproved").policy)]
    assert [line for line in found if words in line], found


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(HOSTILE.keys() - BY_CODE))
def test_what_breaks_the_contract_is_found_by_play(mine, name):
    text, words = HOSTILE[name]
    line = said(mine(text))
    assert words in line
    if not line.startswith(("choose does not compile", "mine.", "its weights")):
        assert "(seed 1, game " in line
        assert ", decision " in line


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(HONEST))
def test_what_is_honest_is_proved(mine, name):
    """In its code too: the process that proves it looks there first."""
    load(mine(HONEST[name]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "policy"),
    [(game, path.stem) for game in registry.names() for path in sorted(catalog.home(game).glob("[!_]*.py"))],
)
def test_a_strategy_of_the_project_is_proved_in_a_file_of_a_user(mine, game, policy):
    module = import_module(f"strategies.{game}.{policy}")
    path = mine(Path(module.__file__).read_text(encoding="utf-8"))
    players = getattr(module, "PLAYERS", registry.contests(game))[0]
    with catalog.entrant(game, path, players)._proving(registry.load(game)):
        pass  # whoever plays would compile it here meanwhile


@pytest.mark.slow
def test_a_write_that_code_does_not_show_ends_the_process_and_is_named(mine):
    line = said(mine(HOSTILE["state_by_the_games_own_function"][0]))
    assert line.startswith(
        "writes to state.player; a strategy changes nothing that it is lent (seed 1, game 0, decision 0, seat 1"
    )


@pytest.mark.slow
def test_the_position_that_is_named_can_be_told(command, mine):
    path = mine(HOSTILE["an_error"][0])
    line = said(path)
    number = line.partition("game ")[2].partition(",")[0]
    decision = line.partition("decision ")[2].partition(",")[0]
    assert "2 players" in line
    status, _, err = command(
        "replay", "pig", "--players", 2, "--seed", 1, "--game", number, "--strategy", path, "--unproved"
    )
    assert status == 2
    assert f"no idea (seed 1, game {number}, decision {decision}" in err


# --- what is kept -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_file_is_proved_once_and_again_when_it_or_its_helper_changes(command, mine, tmp_path, monkeypatch, anew):
    monkeypatch.syspath_prepend(tmp_path)
    text = f"import helper_of_mine\n{CHOOSE}    return helper_of_mine.hold(state.turn)\n"
    helper = "from numba import njit\n@njit\ndef hold(turn):\n    return 1 - (turn > {})\n"

    def run(hold):
        anew()
        sys.modules.pop("helper_of_mine", None)
        mine(helper.format(hold), "helper_of_mine.py")
        status, _, err = command("seats", "pig", "--games", 20, "--strategy", mine(text))
        assert status == 0, err
        return "Proving " in err

    assert [run(19), run(19), run(18), run(19)] == [True, False, True, False]


def test_what_was_proved_is_no_proof_for_other_weights_or_another_game(mine):
    path = mine(HONEST["weights_by_name"])
    entrant = catalog.entrant("pig", path, 2)
    assert entrant.values() == catalog.entrant("pig", f"{path},unproved", 2).values()
    assert entrant.values() != catalog.entrant("pig", f"{path},hold=22", 2).values()


@pytest.mark.slow
def test_a_damaged_proof_is_made_anew(command, mine, own_cache, anew, monkeypatch):
    class Proving:
        """A process that would come to the same again."""

        def __init__(self, job):
            self.end = lambda: None

        def answer(self):
            return apart.Reply(decisions=7)

    path = mine(file(USUAL))
    load(path)
    monkeypatch.setattr(apart, "Proving", Proving)
    (kept,) = own_cache.glob("*.json")
    for damage in (
        b"",
        b"{",
        b"[1]",
        b"[" * 100_000,
        b'{"decisions": 1e999, "complete": 3}',
        b'{"decisions": "x", "complete": 3}',
    ):
        kept.write_bytes(damage)
        anew()
        assert "Proving " in command("seats", "pig", "--games", 20, "--strategy", path)[2]
        assert json.loads(kept.read_bytes())["complete"] is True
    if os.name != "nt":  # what a pipe holds would be waited for
        kept.unlink()
        os.mkfifo(kept)
        anew()
        assert "Proving " in command("seats", "pig", "--games", 20, "--strategy", path)[2]
        assert kept.is_file()


# --- as a user sees it ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_command_refuses_in_one_line(command, mine):
    path = mine(HOSTILE["score_put_back"][0])
    status, out, err = command("seats", "pig", "--strategy", f"rollout:{path}@3", "--json")
    assert (status, out) == (2, "")
    *first, last = err.splitlines()
    assert last == (
        f"chapterhouse: strategy rollout:{path}@3: line 8: writes to state.score; "
        "a strategy changes arrays of its own, such as state.score.copy()"
    )
    assert first
    assert all(line.startswith(("Compiling ", "Proving ")) for line in first)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["seats", "pig", "--games", "20"],
        ["sweep", "pig", "goal=30,40", "--games", "20"],
        ["compare", "pig", "--set", "goal=40", "--games", "20"],
        ["check", "pig", "--max-seat-index", "9", "--max-games", "1000"],
        ["replay", "pig"],
    ],
    ids=lambda words: words[0],
)
def test_who_is_not_proved_is_told_in_every_answer(command, mine, words):
    path = mine(HOSTILE["score_put_back"][0])
    for more in ([], ["--json"]):
        status, out, err = command(*words, "--strategy", path, "--unproved", *more)
        assert status == 0, err
        assert "mine.py,unproved" in out.replace("\n", "")
        assert "Proving" not in err


@pytest.mark.slow
def test_an_answer_for_machines_is_nothing_else_whatever_a_file_prints(tmp_path):
    loud = "import os, sys\nprint('one')\nsys.__stdout__.write('two')\nos.write(1, b'three')\nos.system('echo four')\n"
    path = tmp_path / "loud.py"
    path.write_text(loud + file(USUAL), encoding="utf-8")
    for more in ([], ["--timeout", "100"]):
        words = ["seats", "pig", "--games", "20", "--json", "--unproved", "--strategy", str(path), *more]
        code = (
            f"import sys\nfrom scripts.cli import main\nsys.argv = {['chapterhouse', *words]!r}\nif __name__ == "
            "'__main__': main()"
        )
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["game"] == "pig"
        assert all(word in done.stderr for word in ("one", "two", "three", "four"))


def test_others_who_play_need_not_prove_again(mine):
    import pickle

    entrant = catalog.entrant("pig", mine(file(USUAL)), 2)
    assert entrant.to_prove
    assert not pickle.loads(pickle.dumps(entrant)).to_prove


@pytest.mark.slow
def test_a_slow_strategy_is_proved_in_fewer_games(mine, monkeypatch, capsys):
    slow = file(
        "x = 0.0\nfor i in range(3_000_000 + state.turn):\n    x += math.sin(i * 1.0)\nif x > 1e9:\n    return "
        f"0\n{USUAL}"
    )
    load(mine(slow))
    assert "not in all of its games, as it takes long over each" in capsys.readouterr().err


def test_what_has_been_played_unproved_is_as_it_was_before(study, mine):
    path = mine(file(USUAL))
    assert play(study("pig", 2, path), 0, 20)[1] == play(study("pig", 2, f"{path},unproved"), 0, 20)[1]
