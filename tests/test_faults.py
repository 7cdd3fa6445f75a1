"""What may go wrong from outside: runs that are killed, full disks, processes that die or never answer."""

import errno
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from analyses.line import analyse
from sim.printed import components
from sim.processes import Processes
from sim.runner import StrategyError, run, spans
from tests.helpers import contents

pytestmark = pytest.mark.slow

HOME = Path(__file__).parent.parent
WORDS = ["seats", "pig", "--games", "40000", "--jobs", "1"]
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals and forks of POSIX")


def python(*words, cache=None, wait=True, preexec_fn=None, **more):
    """Run Python in this checkout, with a cache of its own if one is given, and `more` in its environment."""
    environment = (
        {**os.environ, "PYTHONPATH": str(HOME)} | ({} if cache is None else {"CHAPTERHOUSE_CACHE": str(cache)}) | more
    )
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, *map(str, words)], env=environment, stdout=pipe, stderr=pipe, text=True, preexec_fn=preexec_fn
    )
    if not wait:
        return process
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out.strip(), err


# ---- runs that are killed


@POSIX
def test_a_run_that_is_killed_twenty_times_loses_and_doubles_and_changes_no_game(tmp_path):
    _, err = python(HOME / "tests" / "killing.py", tmp_path, 20)
    died, places, runs = map(int, err.splitlines()[-1].split())
    assert died == 20
    assert places >= 3  # they died at different files
    whole = contents(tmp_path / "whole")
    assert len([name for name in whole if name.startswith("rows/")]) == 8
    for number in range(runs):
        assert contents(tmp_path / str(number)) == whole


# ---- disks and clocks


class Full:
    """Refuses to sync from some call on, as a disk does that has no room left."""

    def __init__(self, after):
        self.left = after

    def __call__(self, handle):
        self.left -= 1
        if self.left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("after", [0, 2, 5, 8, 13, 17, 30], ids=lambda after: f"after {after} writes")
def test_a_full_disk_is_said_and_what_was_written_stays_good(command, tmp_path, monkeypatch, after):
    words = [*WORDS, "--rows", "parquet", "--run"]
    status, answer, _ = command(*words, tmp_path / "whole")
    assert status == 0
    with monkeypatch.context() as patch:
        patch.setattr("sim.files.os.fsync", Full(after))
        status, out, err = command(*words, tmp_path / "run")
    all_played = contents(tmp_path / "run" / "batches") == contents(tmp_path / "whole" / "batches")
    assert (status, out) == (4, answer if all_played else "")
    last = err.splitlines()[-1]
    assert last.startswith(f"chapterhouse: {tmp_path / 'run'}{os.sep}")
    assert "no space left on device" in last
    begun = (tmp_path / "run" / "manifest.json").exists()
    assert (
        last.endswith(f"; what was written before stays good: `chapterhouse resume {tmp_path / 'run'}` goes on")
        == begun
    )
    again = ["resume", tmp_path / "run"] if begun else [*words, tmp_path / "run"]
    _, _, err = command(*again)
    assert "damaged" not in err
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_a_full_disk_leaves_no_half_file_of_rows(command, tmp_path, monkeypatch):
    def full(*words, **more):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = tmp_path / "rows.parquet"
    before.write_bytes(b"what was there")
    monkeypatch.setattr("pyarrow.parquet.ParquetWriter.write_table", full)
    status, out, err = command(*WORDS, "--rows", before)
    assert (status, out) == (4, command(*WORDS)[1])  # all games were played, and are told
    assert f"{before}: no space left on device; the games go on without their rows" in err.splitlines()
    assert err.splitlines()[-1] == f"chapterhouse: {before}: no space left on device"
    assert contents(tmp_path) == {"rows.parquet": b"what was there"}


def test_a_folder_that_cannot_be_written_is_said(command, tmp_path, monkeypatch):
    assert command(*WORDS, "--run", tmp_path / "run")[0] == 0
    (tmp_path / "run" / "batches" / "0000000005000.batch").unlink()

    def refuse(path, *words, **more):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr("sim.run_folder.write_whole", lambda path, data: _refused(path, refuse))
    status, _, err = command("resume", tmp_path / "run")
    assert status == 4
    assert "0000000005000.batch: permission denied" in err.splitlines()[-1]


def _refused(path, refuse):
    from sim.files import refuse_to_write

    try:
        refuse(path)
    except OSError as error:
        refuse_to_write(path, error)


def test_a_clock_that_jumps_changes_nothing(command, tmp_path, monkeypatch):
    assert command(*WORDS, "--run", tmp_path / "whole")[0] == 0
    chance = random.Random(1)
    monkeypatch.setattr("time.time", lambda: chance.uniform(0, 4e9))
    assert command(*WORDS, "--run", tmp_path / "run")[0] == 0
    for path in (tmp_path / "run").rglob("*"):
        os.utime(path, (chance.uniform(0, 4e9),) * 2)
    status, _, err = command("resume", tmp_path / "run")
    assert (status, "nothing was played" in err) == (0, True)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


# ---- strategies


def strategy(tmp_path, body):
    """A file of Python, as it is named to be played without being proved."""
    path = tmp_path / "mine.py"
    path.write_text(
        f"def choose(components, state, options, n, weights):\n{body}    return state.decision % n\n", encoding="utf-8"
    )
    return f"{path},unproved"


NEVER = "    while state.decision > 30:\n        n += 2 - n % 2\n        if n < 0:\n            return 1\n"
LATE = "    if state.decision == 160:\n"  # rarely: first in game 13964


def test_a_strategy_that_raises_ends_the_run_and_not_what_was_written(command, tmp_path):
    mine = strategy(tmp_path, LATE + "        raise ValueError\n")
    words = ["seats", "pig", "--strategy", mine, "--games", "400000", "--jobs", "1"]
    status, out, err = command(*words, "--run", tmp_path / "run")
    assert (status, out) == (2, "")
    said = err.splitlines()[-1]
    assert said.startswith(f"chapterhouse: strategy {mine}: ValueError")
    assert "(seed 1, game 13964, " in said
    written = contents(tmp_path / "run")
    assert sum(name.startswith("batches/") for name in written) == 1
    status, _, err = command("resume", tmp_path / "run", "--jobs", "1")
    assert (status, err.splitlines()[-1]) == (2, said)
    assert contents(tmp_path / "run") == written


def test_a_strategy_that_never_answers_is_ended_and_named(command, tmp_path):
    mine = strategy(tmp_path, NEVER)
    words = ["seats", "pig", "--strategy", mine, "--jobs", "1", "--timeout", "1", "--seed", "5"]
    status, out, err = command(*words, "--run", tmp_path / "run")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1] == f"chapterhouse: strategy {mine}: seed 5, the games from 0 on: no answer after 1 s"
    status, _, err = command("resume", tmp_path / "run", "--timeout", "0.5", "--jobs", "1")
    assert (status, "no answer after 0.5 s" in err) == (2, True)


def test_ctrl_c_before_a_first_batch_is_finished(command, tmp_path, monkeypatch):
    def stop(*what):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("sim.runner.play", stop)
        status, out, err = command(*WORDS, "--run", tmp_path / "run")
    assert (status, out) == (130, "")
    assert "Stopped by hand before anything was played." in err
    assert command("resume", tmp_path / "run")[0] == 0


# ---- processes


class Dying(Processes):
    """Processes of which one dies each time it is given a certain batch, so many times."""

    deaths = 1

    def _send(self, worker):
        if worker.batch[0] == 3000 and self.deaths:
            type(self).deaths -= 1
            worker.process.kill()
            worker.process.join()  # or it may have answered before it dies
        super()._send(worker)


@pytest.mark.parametrize("deaths", [1, 2])
def test_a_process_that_dies_has_its_batch_played_once_more(study, monkeypatch, deaths):
    monkeypatch.setattr("sim.processes.Processes", Dying)
    monkeypatch.setattr(Dying, "deaths", deaths)
    asked = study("pig", 2, "hold_at")
    if deaths == 2:
        with pytest.raises(
            StrategyError,
            match=r"strategy hold_at: seed 1, the games from 6000 on: its process died \((signal 9|status 1)\)",
        ):
            run(asked, games=12_000, batch=1000, jobs=2, timeout=60)
        return
    found, whole = (
        run(asked, games=12_000, batch=1000, jobs=2, timeout=timeout, keep_rows=True) for timeout in (60, None)
    )
    assert Dying.deaths == 0
    assert found.sums.blocks == 6000
    assert np.array_equal(found.sums.columns, whole.sums.columns)
    assert found.rows.equals(whole.rows)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc")
def test_no_process_outlives_a_run_that_is_killed(tmp_path):
    mine = strategy(tmp_path, NEVER)
    words = ["seats", "pig", "--strategy", str(mine), "--jobs", "1", "--timeout", "600"]
    killed = python("-c", f"from scripts.cli import run; run({words!r})", wait=False)
    children = Path(f"/proc/{killed.pid}/task/{killed.pid}/children")
    begun = []
    until = time.monotonic() + 60
    while time.monotonic() < until and not begun:  # it is at its game when it has used some time of a processor
        stats = [
            Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split() for child in children.read_text().split()
        ]
        begun = [stat for stat in stats if int(stat[11]) > 2 * os.sysconf("SC_CLK_TCK")]
        time.sleep(0.05)
    assert begun
    alive = children.read_text().split()
    killed.kill()
    killed.communicate(timeout=60)
    while time.monotonic() < until and any(Path(f"/proc/{child}").exists() for child in alive):
        time.sleep(0.05)
    assert not any(Path(f"/proc/{child}").exists() for child in alive)


def test_processes_look_as_often_as_threads(pig):
    read = components.read("pig")
    from strategies import catalog

    entrants = [catalog.entrant("pig", "hold_at", 2)]
    lines = [analyse(pig, 2, entrants, read, 1, margin=0.05, jobs=2, timeout=timeout)[0] for timeout in (60, None)]
    assert lines[0].games == lines[1].games == 3374
    assert lines[0].tables["seats"].equals(lines[1].tables["seats"])


def test_a_slow_batch_does_not_let_the_others_run_ahead(study):
    """No more batches are handed out than processes and a fixed number beyond."""
    from sim.processes import AHEAD

    asked = study("pig", 2, "hold_at")
    taken = []

    def batches():
        for batch in spans(0, 40_000, 500):
            taken.append(batch)
            yield batch

    with Processes(asked, 2, 60.0) as processes:
        for back, _ in enumerate(processes.play(batches()), 1):
            assert len(taken) - back <= 2 + AHEAD
    assert back == 80
