"""Exit statuses mean one thing each, whichever command ends with them (docs/exit-status.md)."""

import contextlib
import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts import cli
from scripts.progress import Progress
from scripts.status import Status
from tests.fuzz.hostile import LOG, SMALL, caught, commands, options

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("nothing_proved")]

HOME = Path(__file__).parent.parent
PROGRAM = [sys.executable, "-c", "from scripts.cli import main; main()"]
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals, limits and devices of POSIX")
OUT = {"components": "mine.csv", "replay": "game.txt", "tune": "made.toml"}  # what --out is where it is no folder
PLAYS = [name for name in SMALL if "--jobs" in dict(options(name))]
# The games after which a signal comes, so that something has been finished by then; 1 where that is enough.
AFTER = {"report": 20, "ladder": 30, "tune": 40, "balance": 19, "variants": 8, "robustness": 21}
# A question that the first games do not answer.
LONG = {
    "report": ["pig", "--players", "2", "--games", "20"],
    "ladder": ["pig", "--games", "20", "--budgets", "1,2"],
    "tune": [
        "pig",
        "--games",
        "2",
        "--generations",
        "9",
        "--population",
        "4",
        "--test-games",
        "2",
        "--strategy",
        "hold_at",
    ],
    "balance": ["pig", "--change", "goal=20..100:10", "--trials", "9", "--games", "2", "--max-games", "4"],
    "check": ["pig", "--max-seat-index", "1.5", "--games", "9000", "--players", "2"],
    "rules": ["moesteiro", "--strategy", "greedy", "--games", "4"],
    "robustness": ["moesteiro", "--strategy", "greedy", "--games", "2", "--printings", "2"],
    "variants": ["abbates", "--players", "1", "--strategy", "random_legal", "--games", "4"],
}


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """A folder with a log and a run that is not finished, which is the current one."""
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text(LOG, encoding="utf-8")


def begin_run(monkeypatch):
    """Leave a run in the folder `run` that was stopped after its first file of batches."""
    with monkeypatch.context() as patch:
        stop_after(patch, 10_000, signal.SIGINT)
        with caught():
            assert cli.run(["seats", "pig", "--games", "60000", "--jobs", "1", "--run", "run"]) == 130


def stop_after(patch, games, number):
    """Send a signal when so many games have been played."""
    watch, seen = Progress.watch, []

    def told(self, more, *weight):
        watch(self, more, *weight)
        if sum(seen) < games <= sum(seen) + more:
            signal.raise_signal(number)
        seen.append(more)

    patch.setattr(Progress, "watch", told)


def ask(*words):
    """Run a command; return its status, standard output and the lines of standard error."""
    with caught() as (out, err):
        status = cli.run(list(words))
    out, err = (stream.buffer.getvalue().decode() for stream in (out, err))
    return status, out, err.splitlines()


def here(name):
    """Words that have a command play in one thread: several need a semaphore, which is a file."""
    return ["--jobs", "1"] if name in PLAYS else []


@contextlib.contextmanager
def full_disk(room=0):
    """Let no file grow beyond `room` bytes, as if the disk were full."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_all_commands_are_asked_here():
    assert set(SMALL) == set(commands())
    assert len(PLAYS) == 14


def test_the_table_in_the_docs_has_the_numbers_of_the_code():
    text = (HOME / "docs" / "exit-status.md").read_text("utf-8")
    assert [int(number) for number in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)] == [*Status]


# ---- 4: the output fails


@POSIX
@pytest.mark.parametrize("name", [name for name in SMALL if name != "play"])
def test_a_full_disk_behind_standard_output_is_status_4(name, monkeypatch):
    if name == "resume":
        begin_run(monkeypatch)
    out = (
        ["--out", OUT.get(name, "made")]
        if "--out" in dict(options(name)) and name not in ("components", "replay")
        else []
    )
    with caught() as (_, err), open("/dev/full", "w", encoding="utf-8") as full:  # noqa: PTH123
        monkeypatch.setattr(sys, "stdout", full)
        status = cli.run([name, *SMALL[name], *out])
    assert status == 4
    assert err.buffer.getvalue().decode().splitlines()[-1] == "chapterhouse: standard output: no space left on device"
    if out:  # the files are there all the same
        assert [
            path for path in Path.cwd().rglob("*") if path.is_file() and path.stat().st_size and path.name != "log.csv"
        ]


@POSIX
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("answer", ["as text", "as JSON"])
def test_a_closed_standard_output_is_status_4_before_anything_is_played(name, answer):
    words = [*PROGRAM, name, *SMALL[name], *(["--json"] if answer == "as JSON" else [])]
    done = subprocess.run(
        ["/bin/sh", "-c", '"$@" >&-', "sh", *words],
        cwd=HOME,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (4, "chapterhouse: standard output: closed\n")


@POSIX
@pytest.mark.parametrize("name", [name for name in SMALL if "--out" in dict(options(name))])
def test_a_full_disk_loses_no_answer(name):
    words = [name, *SMALL[name], "--out", OUT.get(name, "made"), *(["--json"] if name != "replay" else []), *here(name)]
    with full_disk():
        status, out, err = ask(*words)
    assert status == 4
    assert re.fullmatch(rf"chapterhouse: .*{OUT.get(name, 'made').split('.')[0]}.*: file too large", err[-1])
    if name == "tune":  # keeps what it finds in a file from the first generation on
        assert out == ""
        return
    if name != "replay":
        json.loads(out)
    status, again, _ = ask(*words)
    assert status == (3 if name == "check" else 0)
    assert again == out or name == "ladder"  # whose answer has seconds in it


@POSIX
def test_a_full_disk_in_the_middle_of_a_tuning_loses_no_generation():
    words = ["tune", *LONG["tune"], "--json", "--jobs", "1", "--out"]
    assert ask(*words, "whole.toml")[0] == 0
    with full_disk(Path("whole.jsonl").stat().st_size * 2 // 3):
        status, out, err = ask(*words, "made.toml")
    found = json.loads(out)
    assert (status, found["interrupted"]) == (4, True)
    assert err[-1] == "chapterhouse: made.jsonl: file too large"
    kept = Path("made.jsonl").read_text("utf-8")
    assert len(kept.splitlines()) == found["generations"]  # the header, and all but the one that found no room
    assert kept.endswith("\n")
    assert ask(*words, "made.toml", "--resume")[0] == 0
    assert Path("made.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()


@POSIX
def test_a_disk_that_is_full_while_rows_are_written_loses_no_answer():
    words = ["seats", "pig", "--games", "100000", "--json", "--jobs", "1"]
    with full_disk(200_000):
        status, out, err = ask(*words, "--rows", "rows.csv")
    assert (status, out) == (4, ask(*words)[1])
    assert "rows.csv: file too large; the games go on without their rows" in err
    assert err[-1] == "chapterhouse: rows.csv: file too large"
    assert not [path for path in Path.cwd().iterdir() if "rows" in path.name]


def test_a_folder_that_becomes_a_file_in_the_middle(monkeypatch):
    def replace(self, *more):
        if Path("made").is_dir():
            Path("made").rmdir()
            Path("made").touch()

    monkeypatch.setattr(Progress, "watch", replace)
    status, out, err = ask("sweep", *SMALL["sweep"], "--out", "made", "--jobs", "1", "--json")
    assert status == 4
    assert json.loads(out)["curve"]
    assert err[-1].startswith("chapterhouse: made: ")


@POSIX
@pytest.mark.parametrize("name", ["games", "seats", "check"])
def test_a_reader_that_leaves_is_status_4_without_a_word(name, start):
    process = start(*PROGRAM, name, *SMALL[name], cwd=HOME)
    process.stdout.close()
    assert process.wait(60) == 4
    assert "chapterhouse:" not in process.stderr.read()


@POSIX
@pytest.mark.parametrize("redirect", ["2>&-", "2>/dev/full"])
def test_what_is_said_on_standard_error_is_no_part_of_the_answer(redirect):
    words = [*PROGRAM, "seats", "pig", "--games", "2001", "--json"]
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$@" {redirect}', "sh", *words], cwd=HOME, stdout=subprocess.PIPE, check=False
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["games"] == 2002


# ---- 130 and 143: stopped


@POSIX
@pytest.mark.parametrize(
    ("number", "status", "by"), [(signal.SIGINT, 130, "by hand"), (signal.SIGTERM, 143, "by SIGTERM")]
)
@pytest.mark.parametrize("name", PLAYS)
def test_a_signal_in_the_middle_gives_the_best_so_far(name, number, status, by, monkeypatch):
    if name == "resume":
        begin_run(monkeypatch)
    monkeypatch.setattr(cli, "_terminated", [])
    before = signal.signal(signal.SIGTERM, cli._terminate)
    stop_after(monkeypatch, AFTER.get(name, 1), number)
    out = ["--out", OUT[name]] if name == "tune" else []
    try:
        found, answer, err = ask(name, *LONG.get(name, SMALL[name]), *out, "--jobs", "1", "--json")
    finally:
        signal.signal(signal.SIGTERM, before)
    assert found == status, err
    assert err[-1].startswith(f"Stopped {by}"), err
    told = json.loads(answer)
    assert told["interrupted"] is True
    if name == "tune":
        assert 0 < told["generations"] < 9


@POSIX
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_real_signal_to_a_process_that_plays(start, number, status):
    process = start(
        *PROGRAM, "seats", "pig", "--games", "1000000000000", "--json", "--run", Path.cwd() / "run", cwd=HOME
    )
    until(lambda: any(Path("run").glob("batches/*.batch")))
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, json.loads(out)["interrupted"]) == (status, True)
    assert [line for line in err.splitlines() if line.startswith("Stopped by ")] == err.splitlines()[-1:]


READY = [
    sys.executable,
    "-c",
    "import sys; from scripts.cli import main; print('ready', file=sys.stderr, flush=True); main()",
]


@POSIX
@pytest.mark.parametrize("seconds", [0, 0.05, 0.2, 0.5, 1, 2])
def test_ctrl_c_while_it_starts(start, seconds):
    """Imports, reading the components, looking up machine code: whatever it is at."""
    process = start(*READY, "worth", "moesteiro", "--games", "1000000000", "--json", cwd=HOME)
    assert process.stderr.readline() == "ready\n"
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert err.splitlines()[-1].startswith("Stopped by hand")
    assert "Traceback" not in err
    assert not out or json.loads(out)["interrupted"]


def test_ctrl_c_that_python_drops_is_raised_again(monkeypatch):
    """As it did while machine code was looked up: the run went on for ever."""
    monkeypatch.setattr(sys, "unraisablehook", cli.heard_again)
    callback = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))

    def look_up_machine_code():
        callback()
        time.sleep(10)

    with pytest.raises(KeyboardInterrupt):
        look_up_machine_code()


@POSIX
def test_ctrl_c_while_it_compiles(start, tmp_path):
    environment = {**os.environ, "CHAPTERHOUSE_CACHE": str(tmp_path / "cache")}
    process = start(*PROGRAM, "seats", "pig", cwd=HOME, env=environment)
    assert process.stderr.readline().startswith("Compiling Pig")
    time.sleep(0.2)  # compiling takes a second or more
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (130, "", "Stopped by hand before anything was played.\n")


@POSIX
@pytest.mark.parametrize(("number", "status", "by"), [(signal.SIGINT, 130, "hand"), (signal.SIGTERM, 143, "SIGTERM")])
def test_a_signal_while_it_prints_into_a_pipe_that_nobody_reads(start, number, status, by):
    process = start(*PROGRAM, "components", "moesteiro", "--json", cwd=HOME)
    assert process.stdout.read(1) == "{"  # that much more fits no pipe
    process.send_signal(number)
    assert process.wait(60) == status
    assert process.stderr.read() == f"Stopped by {by}.\n"


def until(done, seconds=120):
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


# ---- the rest of the table


@pytest.mark.parametrize("name", SMALL)
def test_wrong_input_is_status_2(name):
    status, out, err = ask(name, *SMALL[name], "--nothing")
    assert (status, out, len(err)) == (2, "", 1)


@pytest.mark.parametrize(
    ("limit", "games", "status", "word"),
    [(1.9, 9000, 0, "inside"), (1.01, 9000, 1, "outside"), (1.08, 40, 3, "undecided")],
)
def test_a_check_says_by_its_status_what_it_found(limit, games, status, word):
    found, out, _ = ask(
        "check", "pig", "--players", "2", "--max-seat-index", str(limit), "--games", str(games), "--json"
    )
    assert (found, json.loads(out)["status"], json.loads(out)["word"]) == (status, status, word)


@POSIX
def test_a_broken_limit_that_is_not_told_is_no_broken_limit():
    words = ["check", "pig", "--players", "2", "--max-seat-index", "1.01", "--games", "9000", "--jobs", "1"]
    with full_disk():
        status, out, _ = ask(*words, "--out", "made")
    assert (status, "Outside: the limit is broken." in out) == (4, True)


MISTAKE = """
import sys
from scripts import app, cli
def games(): raise {}
app.registry.names = games
cli.main()
"""


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [("KeyError('a\\x1b[31m')", 70, "KeyError: 'a\\x1b[31m'"), ("OSError(28, 'full')", 4, "a file: full")],
)
def test_our_own_mistake_is_one_line_and_a_file_to_report(error, status, said, tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path), "TEMP": str(tmp_path)}
    words = [sys.executable, "-c", MISTAKE.format(error), "games"]
    done = subprocess.run(words, cwd=HOME, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (status, "", 1)
    assert said in done.stderr
    files = [path for path in tmp_path.iterdir() if path.suffix == ".txt"]
    assert len(files) == (status == 70)
    for file in files:
        assert done.stderr.endswith(f"please report it with {file}\n")
        assert "Traceback" in file.read_text("utf-8")
        assert "in games" in file.read_text("utf-8")
