"""Runs in a folder: the same bytes however often they are stopped, what is damaged is named and played again, and rows
that stream."""

import json
import pickle

import pandas as pd
import pytest

from analyses import study_file as run_study
from analyses.study_file import from_toml, to_toml
from sim import registry
from sim.files import owned
from sim.outcomes import Sums
from sim.printed.components import read
from sim.run_folder import Kept, files
from strategies import catalog
from tests.helpers import FIXED, contents


@pytest.mark.slow
def test_a_run_in_a_folder_answers_as_one_without(command, tmp_path):
    plain = command(*FIXED, "--json")[1]
    status, out, _ = command(*FIXED, "--json", "--run", tmp_path / "run")
    assert (status, out) == (0, plain)
    names = contents(tmp_path / "run")
    assert names["results/answer.json"].decode() == plain
    assert {"study.toml", "manifest.json", "lock", "results/seats.html", "results/tables/seats.parquet"} <= set(names)
    assert sum(name.startswith("batches/") for name in names) == 5


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        FIXED,
        [*FIXED, "--rows", "parquet"],
        ["seats", "pig", "--margin", "0.065", "--max-games", "300000", "--jobs", "1"],
    ],
    ids=["fixed", "rows", "decided"],
)
def test_a_run_that_is_stopped_ends_with_the_same_bytes(command, tmp_path, stopping, words):
    assert command(*words, "--run", tmp_path / "whole")[0] == 0
    stopping(7)
    status, _, err = command(*words, "--run", tmp_path / "stopped", "--json")
    assert (status, "Stopped by hand" in err) == (130, True)
    assert not (tmp_path / "stopped" / "results").exists()
    stopping(3)
    assert command("resume", tmp_path / "stopped", "--jobs", 2)[0] in (0, 130)
    status, out, err = command("resume", tmp_path / "stopped", "--json", "--jobs", 2)
    assert status == 0, err
    assert json.loads(out)["interrupted"] is False
    assert contents(tmp_path / "stopped") == contents(tmp_path / "whole")


@pytest.mark.slow
def test_a_finished_run_is_only_checked(command, whole, monkeypatch):
    folder, before = whole
    monkeypatch.setattr("sim.runner.play", None)  # nobody may play
    status, out, err = command("resume", folder, "--json")
    assert (status, out) == (0, before["results/answer.json"].decode())
    assert "finished; all 5 files of batches are good, nothing was played" in err
    assert contents(folder) == before


def other_run(folder, data):
    """A whole and sound file that belongs to another run."""
    head, body = data.split(b"\n", 3)[2:]
    found = json.loads(head)
    kept = Kept(folder, "another", Sums.blank(registry.load("pig"), 1), False)
    path = kept.path(0)
    kept.write(0, Sums(found["blocks"], 1, *(getattr(kept.blank, name) for name in found["arrays"])))
    return path.read_bytes(), len(body) > 0


class Planted:
    """What would do harm if it were unpickled."""

    def __reduce__(self):
        return exec, ("raise SystemExit('unpickled')",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda data: data[:-8] + bytes([data[-8] ^ 1]) + data[-7:], "checksum"),
        (lambda data: data[: len(data) // 2], "checksum"),
        (lambda data: b"", "not a file of batches"),
        (lambda data: pickle.dumps(Planted()), "not a file of batches"),
        (None, "missing"),
    ],
    ids=["one bit", "cut off", "empty", "pickle", "missing"],
)
def test_a_damaged_batch_is_named_and_played_again(command, whole, harm, said):
    folder, before = whole
    path = folder / "batches" / "0000000003332.batch"
    if harm is None:
        path.unlink()
    else:
        path.write_bytes(harm(path.read_bytes()))
    status, _, err = command("resume", folder, "--json")
    assert status == 0
    assert f"{path}: " in err
    assert said in err
    assert "4 files of batches were there, 1 are new" in err
    assert contents(folder) == before


@pytest.mark.slow
def test_a_batch_of_another_run_or_place_is_not_taken(command, whole):
    folder, before = whole
    first, second = (folder / "batches" / f"{block:013}.batch" for block in (0, 3332))
    second.write_bytes(first.read_bytes())
    assert "it holds blocks 0 to 3331" in command("resume", folder, "--json")[2]
    first.write_bytes(other_run(folder, first.read_bytes())[0])
    assert f"{first}: damaged (it belongs to another run)" in command("resume", folder, "--json")[2]
    assert contents(folder) == before


@pytest.mark.slow
@pytest.mark.parametrize("harm", [lambda path: path.unlink(), lambda path: path.write_bytes(path.read_bytes()[:-1])])
def test_rows_that_are_missing_or_changed_are_played_again(command, whole, harm):
    folder, before = whole
    harm(folder / "rows" / "part-0000000003332.parquet")
    assert "rows/part-0000000003332.parquet is missing or was changed" in command("resume", folder, "--json")[2]
    assert contents(folder) == before
    rows = pd.read_parquet(folder / "rows")
    assert rows["game"].tolist() == [game for game in range(45_000) for _ in range(3)]


@pytest.mark.slow
def test_changed_results_are_written_anew(command, whole):
    folder, before = whole
    (folder / "results" / "answer.json").write_text("{}")
    (folder / "results" / "tables" / "seats.csv").unlink()
    assert "missing or changed; the results are written anew" in command("resume", folder)[2]
    assert contents(folder) == before


@pytest.mark.slow
def test_one_folder_has_one_process(command, whole, tmp_path):
    folder, before = whole
    with owned(folder):
        status, out, err = command("resume", folder)
    assert (status, out, err) == (2, "", f"chapterhouse: {folder}: another process plays into it\n")
    (tmp_path / "new").mkdir()
    with owned(tmp_path / "new"):
        assert "another process plays into it" in command(*FIXED, "--run", tmp_path / "new")[2]
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*FIXED, "--run", "full"], "--run: found 'full', which holds mine.txt; allowed a new or empty folder"),
        ([*FIXED, "--run", "full/mine.txt"], "--run: found 'full/mine.txt' ("),
        ([*FIXED, "--run", "new", "--rows", "x.csv"], "--rows: found 'x.csv'; allowed parquet with --run"),
        (
            [*FIXED, "--run", "new", "--rows", "parquet", "--backend", "loky"],
            "--rows: found 'parquet'; allowed with --backend threads",
        ),
        (
            [*FIXED, "--run", "new", "--timeout", "9", "--backend", "loky"],
            "--timeout: found '9'; allowed with --backend threads",
        ),
        (["seats", "pig", "--timeout", "0"], "--timeout: found '0'; allowed a number of seconds"),
        (["seats", "pig", "--timeout", "soon"], "--timeout: found 'soon'"),
        (["resume", "full"], "DIR: found 'full' (no run in it); allowed a folder in which "),
        (["resume", "none"], "DIR: found 'none' (no such folder)"),
        (["resume", "none", "--jobs", "0"], "--jobs: found '0'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_input_is_one_line(command, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    status, out, err = command(*words)
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert said in err
    assert list(contents(tmp_path)) == ["full/mine.txt"]


@pytest.mark.slow
def test_a_folder_in_which_nothing_was_begun_counts_as_empty(command, tmp_path):
    (tmp_path / "lock").touch()
    (tmp_path / "study.toml").write_text("half")
    (tmp_path / ".manifest.json.tmp").write_text("half")
    assert command(*FIXED, "--run", tmp_path)[0] == 0


@pytest.mark.slow
def test_a_study_that_was_changed_is_refused(command, whole):
    folder, _ = whole
    path = folder / "study.toml"
    path.write_text(path.read_text("utf-8").replace("seed = 1", "seed = 2"), "utf-8")
    status, _, err = command("resume", folder)
    assert status == 2
    assert f"{path}: changed; its digest is " in err


@pytest.mark.slow
def test_other_rules_and_strategies_are_refused_by_name(command, whole, monkeypatch):
    folder, before = whole
    with monkeypatch.context() as patch:
        patch.setitem(registry.load("pig").__dict__, "version", "7")
        status, _, err = command("resume", folder)
        assert (status, "made with version 1 of the rules, this is version 7" in err) == (2, True)
    with monkeypatch.context() as patch:
        patch.setattr(run_study, "strategy_digest", lambda entrant: "0123456789abcdef")
        status, _, err = command("resume", folder)
        made = json.loads(before["manifest.json"])["strategies"]["hold_at"]
        assert status == 2
        assert f"the strategy hold_at was changed: its digest is 0123456789abcdef, the manifest says {made}" in err
    assert contents(folder) == before


@pytest.mark.slow
def test_other_versions_go_on_if_the_first_games_are_the_same(command, whole, monkeypatch):
    folder, before = whole
    found = run_study.versions()
    monkeypatch.setattr(run_study, "versions", lambda: found | {"numba": "9.9"})
    assert "nothing was played" in command("resume", folder, "--json")[2]  # who only reads need not be the same
    assert contents(folder) == before
    (folder / "batches" / "0000000003332.batch").unlink()
    status, _, err = command("resume", folder, "--json")
    assert status == 0
    assert f"made with numba {found['numba']}, now 9.9; the first 9,996 games were played again and are the same" in err
    after = contents(folder)
    assert json.loads(after["manifest.json"])["continued"][0]["numba"] == "9.9"
    assert {name for name in after if after[name] != before[name]} == {"manifest.json"}
    assert "9.9" not in command("resume", folder, "--json")[2]  # this version is known by now


def test_other_versions_that_play_other_games_are_refused(command, whole, monkeypatch):
    folder, before = whole
    found = run_study.versions()
    monkeypatch.setattr(run_study, "versions", lambda: found | {"numpy": "9.9"})
    mark = json.loads(before["manifest.json"])["study"]
    kept = Kept(folder, mark, Sums.blank(registry.load("pig"), 1), True)
    sums = kept.read(0)
    sums.columns[0, 1, 0] += 1  # a point more
    kept.write(0, sums)
    (folder / "batches" / "0000000003332.batch").unlink()
    status, _, err = command("resume", folder)
    assert status == 2
    assert f"made with numpy {found['numpy']}, now 9.9: the first games come out otherwise" in err
    assert contents(folder)["manifest.json"] == before["manifest.json"]


@pytest.mark.slow
def test_a_strategy_file_that_changes_in_mid_run_changes_nothing(command, tmp_path, stopping):
    mine = tmp_path / "mine.py"
    text = (
        "def choose(components, state, options, n, weights):\n    \"\"\"It's '''mine'''.\"\"\"\n    return "
        "state.decision % n\n"
    )
    mine.write_text(text, encoding="utf-8")
    words = ["seats", "pig", "--strategy", mine, "--games", "40000", "--jobs", "1", "--run"]
    assert command(*words, tmp_path / "whole")[0] == 0
    stopping(6)
    assert command(*words, tmp_path / "run")[0] == 130
    mine.write_text(text.replace("state.decision % n", "0"), encoding="utf-8")
    assert command("resume", tmp_path / "run")[0] == 0
    mine.unlink()
    assert command("resume", tmp_path / "run")[0] == 0
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


@pytest.mark.parametrize("game", registry.names())
def test_a_study_says_everything(game, tmp_path):
    players = registry.contests(game)[0]
    odd = tmp_path / "odd.py"
    odd.write_bytes(
        "def choose(components, state, options, n, weights):\r\n    'é \\\\ \x7f'\r\n    return 0\r\n".encode()
    )
    texts = [*catalog.names(game), str(odd), f"{catalog.thinkers()[0]}:{catalog.default(game)}@7"]
    entrants = tuple(catalog.entrant(game, text, players) for text in texts)
    study = run_study.RunStudy(
        players, entrants, read(game), 2**64 - 1, None, 1000, 0.1, 2500, True, "words 'and' \"words\""
    )
    back = from_toml(to_toml(study), "study.toml")
    assert (back.entrants, back.seed, back.games, back.max_games, back.command) == (
        entrants,
        2**64 - 1,
        None,
        1000,
        study.command,
    )
    assert back.components.numbers == study.components.numbers
    assert (back.components.digest, back.components.counts) == (study.components.digest, study.components.counts)
    assert back.components.record.tobytes() == study.components.record.tobytes()
    assert to_toml(back) == to_toml(study)


@pytest.mark.slow
def test_a_manifest_that_is_damaged_is_said(command, whole):
    folder, _ = whole
    for text in ("", "[]", '{"format": 2}', '{"format": 1}'):
        (folder / "manifest.json").write_text(text)
        status, _, err = command("resume", folder)
        assert (status, f"{folder / 'manifest.json'}: damaged, or of another format" in err) == (2, True)


def test_how_many_batches_a_file_holds_is_fixed_by_its_place():
    million, small = list(files(0, 10**9 // 4, 625, False)), list(files(0, 10**6 // 4, 625, False))
    assert million[: len(small) - 1] == small[:-1]
    assert sum(blocks for _, blocks in million) == 10**9 // 4
    assert len(million) < 1500
    assert all(blocks <= max(4 * 625, first / 64 + 625) for first, blocks in million)
    assert list(files(500, 750, 625, False)) == [(500, 250)]


def test_the_page_of_a_run_says_how_to_make_it_again_and_what_was_not_asked(whole):
    page = whole[1]["results/seats.html"].decode()
    assert "chapterhouse seats pig --players 3 --games 45000 --margin 0.1 --seed 1" in page
    assert "What this run did not ask" in page
    assert "stopped" not in page
