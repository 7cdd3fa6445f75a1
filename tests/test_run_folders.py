"""Folders and saved games that somebody else has made or damaged: what is run, what is read, and what ends as one
line."""

import hashlib
import json
import os
import socket
from pathlib import Path

import pytest

from analyses.study_file import digest
from sim.files import owned
from sim.run_folder import MAGIC
from strategies import _code
from tests.helpers import FIXED, contents, unprivileged
from tests.test_faults import POSIX, python

pytestmark = pytest.mark.slow

MINE = """from pathlib import Path

Path("ran").touch()


def choose(components, state, options, n, weights):
    return state.decision % n
"""


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """A function after which this is the computer of somebody else, who has begun nothing."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr("sim.trusted.base", lambda: tmp_path / "mine")
    return lambda: monkeypatch.setattr("sim.trusted.base", lambda: tmp_path / "theirs")


@pytest.fixture
def mine(elsewhere):
    """A strategy that says when it is run, by a file in the current folder."""
    _code.read.cache_clear()
    Path("mine.py").write_text(MINE, encoding="utf-8")
    return "mine.py"


def ran():
    """Whether the strategy has been run since this was asked last."""
    there = Path("ran").exists()
    Path("ran").unlink(missing_ok=True)
    _code.read.cache_clear()  # or it would be read but once in this process
    return there


def sealed(text, numbers):
    """A file of batches whose checksum is right."""
    body = text + b"\n" + numbers
    return MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def parts(path):
    """Header and numbers of a file of batches."""
    text, _, numbers = path.read_bytes()[len(MAGIC) + 65 :].partition(b"\n")
    return json.loads(text), numbers


# ---- what is run


@pytest.mark.parametrize("more", [[], ["--timeout", "60"], ["--backend", "loky"]], ids=["threads", "timeout", "loky"])
def test_a_finished_run_is_read_without_its_strategy(command, mine, elsewhere, more):
    words = ["seats", "pig", "--strategy", mine, "--games", "2000", "--jobs", "1", "--json"]
    status, out, _ = command(*words, "--run", "run")
    assert (status, ran()) == (0, True)
    before = contents(Path("run"))
    elsewhere()
    status, again, err = command("resume", "run", "--json", "--jobs", "1", *more)
    assert (status, again, ran()) == (0, out, False), err
    assert "nothing was played" in err
    assert contents(Path("run")) == before


def test_an_unfinished_run_of_somebody_else_wants_trust(command, mine, elsewhere, stopping):
    words = ["seats", "pig", "--strategy", mine, "--games", "40000", "--jobs", "1", "--run"]
    assert command(*words, "whole")[0] == 0
    stopping(6)
    assert command(*words, "run")[0] == 130
    Path("mine.py").unlink()
    assert ran()
    before = contents(Path("run"))
    elsewhere()
    status, out, err = command("resume", "run")
    assert (status, out, ran()) == (2, "", False)
    assert err.splitlines()[-1] == (
        "chapterhouse: strategy mine.py: found a program that you have not begun to play with here; allowed with "
        "--trust, if you trust it"
    )
    assert contents(Path("run")) == before
    assert command("resume", "run", "--trust")[0] == 0
    assert ran()
    assert contents(Path("run")) == contents(Path("whole"))
    (Path("run") / "batches" / "0000000000000.batch").unlink()  # finished, but something would have to be played again
    assert command("resume", "run")[0] == 2
    assert not ran()


def test_another_source_under_a_known_name_wants_trust(command, mine, stopping):
    stopping(3)
    assert command("seats", "pig", "--strategy", mine, "--games", "40000", "--jobs", "1", "--run", "run")[0] == 130
    assert ran()
    study, manifest = Path("run/study.toml"), Path("run/manifest.json")
    text = study.read_text("utf-8").replace("state.decision % n", "0")
    study.write_text(text, "utf-8")
    found = json.loads(manifest.read_text("utf-8"))
    source = MINE.replace("state.decision % n", "0")
    found |= {"study": digest(text.encode()), "strategies": {mine: digest(source.encode(), digest().encode())}}
    manifest.write_text(json.dumps(found), "utf-8")
    status, _, err = command("resume", "run")
    assert (status, ran()) == (2, False)
    assert "allowed with --trust" in err


def test_who_can_remember_nothing_is_told(command, mine, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setattr("sim.trusted.base", lambda: tmp_path / "file" / "cache")
    can_not = f"{tmp_path / 'file' / 'cache'} can't be written (not a directory): `chapterhouse"
    assert (
        f"{can_not} resume run` will need --trust"
        in command("seats", "pig", "--strategy", mine, "--games", "2", "--run", "run")[2]
    )
    assert "can't be written" not in command("seats", "pig", "--games", "2", "--run", "shipped")[2]


def test_a_saved_game_of_somebody_else_wants_trust(sit, mine, elsewhere, tmp_path):
    def resumed(*more):
        return sit(["play", "pig", "--resume", "game.jsonl", *more], ["q"])

    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")  # `sit` plays in that folder
    status, _, err = sit(["play", "pig", "--strategy", mine, "--save", "game.jsonl"], ["1", "1", "q"])
    assert (status, ran()) == (0, True), err
    assert resumed()[0] == 0
    assert ran()
    elsewhere()
    status, out, err = resumed()
    assert (status, out, ran(), err.count("\n")) == (2, "", False, 1)
    assert "found a program that you have not begun to play with here; allowed with --trust" in err
    assert resumed("--trust")[0] == 0
    assert ran()


# ---- what is no file


def listen(path):
    """Put a socket there, whose name must be short."""
    before = Path.cwd()
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)
    os.chdir(before)


KINDS = {
    "folder": Path.mkdir,
    "pipe": os.mkfifo if os.name != "nt" else None,
    "socket": listen,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "link to itself": lambda path: path.symlink_to(path),
    "link to nothing": lambda path: path.symlink_to(path.parent / "nothing"),
}
PLAYED = "; its games are played again"
ENDS = {  # file of a run: exit status, and what is said
    "lock": (2, "lock: not a regular file; allowed the one that a run has made"),
    "manifest.json": (2, "DIR: found "),
    "study.toml": (2, "study.toml: "),
    "batches/0000000003332.batch": (0, PLAYED),
    "rows/part-0000000003332.parquet": (0, PLAYED),
    "results/digests.json": (0, "the results are written anew"),
    "results/answer.json": (0, "the results are written anew"),
}


@POSIX
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_neither_waits_nor_harms(command, whole, kind):
    folder, before = whole
    for name, (expected, text) in ENDS.items():
        path = folder / name
        path.unlink()
        KINDS[kind](path)
        status, out, err = command("resume", folder, "--json", "--jobs", "1")
        assert text in err, name
        if kind == "folder" and expected == 0 and not name.startswith("results/"):  # which no file can replace
            assert (status, err.splitlines()[-1]) == (4, f"chapterhouse: {path}: is a directory"), name
        else:
            assert (status, out) == (expected, before["results/answer.json"].decode() if expected == 0 else ""), name
        if status != 0:
            assert kind == "folder" or expected == 2
            path.rmdir() if kind == "folder" else path.unlink()
            path.write_bytes(before[name])
    assert command("resume", folder)[0] == 0
    assert contents(folder) == before


@POSIX
def test_nothing_is_written_through_a_link(command, whole, tmp_path):
    """A draft, the lock or a folder of a run that leads to a file of the user: that stays as it is."""
    folder, _ = whole
    precious = tmp_path / "precious"
    precious.write_text("mine")
    batch = folder / "batches" / "0000000003332.batch"
    for draft in ("batches/.0000000003332.batch.tmp", "rows/.part-0000000003332.parquet.tmp", ".manifest.json.tmp"):
        (folder / draft).symlink_to(precious)
    batch.unlink()
    assert command("resume", folder, "--json")[0] == 0
    (folder / "lock").unlink()
    (folder / "lock").symlink_to(precious)
    assert command("resume", folder)[0] == 2
    (folder / "lock").unlink()
    (folder / "lock").touch()
    batch.unlink()
    (folder / "batches").rename(tmp_path / "batches")
    (folder / "batches").symlink_to(tmp_path / "batches")
    status, _, err = command("resume", folder)
    assert (status, "batches: a link; allowed the folder that a run has made" in err) == (2, True)
    assert precious.read_text() == "mine"
    assert not batch.exists()


# ---- what a file says


HEADERS = {
    "no header": lambda head: None,
    "a list": lambda head: [],
    "a key less": lambda head: {key: value for key, value in head.items() if key != "arrays"},
    "a key more": lambda head: head | {"more": 1},
    "no block": lambda head: head | {"blocks": 0},
    "minus one block": lambda head: head | {"blocks": -1},
    "too many blocks": lambda head: head | {"blocks": 2**62},
    "half a block": lambda head: head | {"blocks": 0.5},
    "true": lambda head: head | {"blocks": True},
    "decisions in words": lambda head: head | {"decisions": "many"},
    "too many decisions": lambda head: head | {"decisions": 10**30},
    "first in words": lambda head: head | {"first": "0"},
    "study of another kind": lambda head: head | {"study": None},
    "rows of another kind": lambda head: head | {"rows": []},
    "arrays of another kind": lambda head: head | {"arrays": [1]},
    "a shape of another kind": lambda head: head | {"arrays": head["arrays"] | {"ties": 7}},
    "a shape that is another": lambda head: head | {"arrays": head["arrays"] | {"ties": [1, 1]}},
}


@pytest.mark.parametrize("first", [0, 3332])
def test_a_header_that_is_wrong_under_a_right_checksum_is_named(command, whole, first):
    folder, before = whole
    path = folder / "batches" / f"{first:013}.batch"
    head, numbers = parts(path)
    wrong = {name: sealed(json.dumps(change(head)).encode(), numbers) for name, change in HEADERS.items()}
    wrong |= {
        "cut off": sealed(json.dumps(head).encode(), numbers[:-8]),
        "odd": sealed(json.dumps(head).encode(), numbers[:-3]),
    }
    wrong |= {"too deep": sealed(b"[" * 100_000, numbers), "no text": sealed(b"\xff\xfe", numbers)}
    for name, data in wrong.items():
        path.write_bytes(data)
        status, _, err = command("resume", folder, "--json", "--jobs", "1")
        assert status == 0, name
        assert f"{path}: damaged (" in err, name
        assert contents(folder) == before, name


def test_a_first_file_that_claims_too_much_is_not_played_again(command, whole, monkeypatch):
    """Of other versions, the first file is: one that no run has written would take for ever."""
    folder, before = whole
    path = folder / "batches" / "0000000000000.batch"
    head, numbers = parts(path)
    path.write_bytes(sealed(json.dumps(head | {"blocks": 2**50}).encode(), numbers))
    from analyses import study_file as run_study

    found = run_study.versions()
    monkeypatch.setattr(run_study, "versions", lambda: found | {"numba": "9.9"})
    status, _, err = command("resume", folder, "--json", "--jobs", "1")
    assert (status, "were played again and are the same" in err) == (0, True)
    assert contents(folder)["batches/0000000000000.batch"] == before["batches/0000000000000.batch"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 2}, "study.toml has the seed 1, the manifest says 2"),
        ({"game": "moesteiro"}, "study.toml has the game 'pig', the manifest says 'moesteiro'"),
        ({"strategies": {}}, "the strategy hold_at was changed: its digest is "),
        ({"seed": "1"}, "manifest.json: damaged, or of another format"),
        ({"game": None}, "manifest.json: damaged, or of another format"),
    ],
)
def test_a_manifest_that_does_not_fit_its_study_is_refused(command, whole, change, said):
    folder, before = whole
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(before["manifest.json"]) | change), encoding="utf-8")
    status, out, err = command("resume", folder)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_missing_last_batch_of_a_finished_run_is_named(command, whole):
    folder, before = whole
    *_, last = sorted((folder / "batches").iterdir())
    last.unlink()
    status, _, err = command("resume", folder, "--json")
    assert (status, f"{last}: missing; its games are played again" in err) == (0, True)
    assert contents(folder) == before


def test_a_batch_that_a_run_has_not_written_yet_is_not_named(command, tmp_path, stopping):
    stopping(7)
    assert command(*FIXED, "--run", tmp_path / "run")[0] == 130
    assert "missing" not in command("resume", tmp_path / "run")[2]


# ---- what can't be written


def resumed(folder, *more):
    """Go on with a run as somebody to whom permissions apply."""
    return python(
        "-c",
        "from scripts.cli import main; main()",
        "resume",
        folder,
        "--json",
        *more,
        preexec_fn=unprivileged,
        wait=False,
    )


@POSIX
@pytest.mark.parametrize("lock", ["there", "closed", "gone"])
def test_a_finished_run_on_a_read_only_disk_is_read(command, whole, read_only, lock):
    folder, before = whole
    if lock == "gone":
        (folder / "lock").unlink()
    elif lock == "closed":
        (folder / "lock").chmod(0o444)
    read_only(folder)
    found = resumed(folder)
    out, err = found.communicate(timeout=120)
    assert (found.returncode, out) == (0, before["results/answer.json"].decode()), err
    if lock == "there":  # who plays into it keeps it for himself all the same
        with owned(folder):
            found = resumed(folder)
            assert found.communicate(timeout=120) == ("", f"chapterhouse: {folder}: another process plays into it\n")
            assert found.returncode == 2


@POSIX
def test_what_would_have_to_be_written_on_a_read_only_disk_is_one_line(command, whole, read_only):
    folder, _ = whole
    (folder / "batches" / "0000000003332.batch").unlink()
    read_only(folder)
    found = resumed(folder, "--jobs", "1")
    out, err = found.communicate(timeout=120)
    assert (found.returncode, out) == (4, "")
    assert err.splitlines()[-1].endswith(": permission denied")
    assert "Traceback" not in err


def test_sums_of_no_sense_are_no_traceback(command, whole):
    """Whoever makes a right checksum over any numbers gets any answer, or a refusal."""
    folder, _ = whole
    for fill in (b"\0" * 8, b"\xff" * 8, b"\xff" * 7 + b"\x7f", b"\0" * 7 + b"\x80"):
        for first in (0, 3332):
            path = folder / "batches" / f"{first:013}.batch"
            head, numbers = parts(path)
            path.write_bytes(sealed(json.dumps(head).encode(), fill * (len(numbers) // 8)))
        status, _, err = command("resume", folder, "--json", "--jobs", "1")
        assert status in (0, 2), err
        assert "Traceback" not in err
