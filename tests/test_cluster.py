"""Batches played elsewhere: real processes, a real scheduler with workers on the loopback address, and what goes wrong
with them."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from distributed import Client

from scripts.progress import Progress
from sim import cluster
from sim.runner import StrategyError, gather, run
from tests.helpers import guest_pig

HOME = Path(__file__).parent.parent
pytestmark = [
    pytest.mark.filterwarnings("ignore:.* tasks :UserWarning"),  # left behind on purpose
    pytest.mark.slow,
]

GAMES = 100_000
STRATEGY = '''"""Hold from a number of points on."""
WEIGHTS = {"hold": 18.0}

def choose(components, state, options, n, weights):
    return 0 if state.turn >= weights[0] else 1
'''


class Loopback:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder):
        self._folder, self._processes = folder, {}
        self.process(
            "scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            folder / "where.json",
        )
        wait(lambda: (folder / "where.json").exists())
        self.address = json.loads((folder / "where.json").read_text(encoding="utf-8"))["address"]
        self.client = Client(self.address, set_as_default=False)

    def process(self, kind, *words, home=HOME):
        """Start a scheduler or a worker."""
        name = f"{kind}{len(self._processes)}"
        with (self._folder / f"{name}.log").open("w") as log:
            self._processes[name] = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{kind}", *map(str, words)],
                cwd=self._folder, env={**os.environ, "PYTHONPATH": str(home)}, stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip
        return name

    def workers(self, number=1, home=HOME):
        """Start workers, wait for them, and return their names."""
        words = (self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", self._folder)
        names = [f"worker{len(self._processes) + i}" for i in range(number)]
        for name in names:
            assert self.process("worker", *words, "--name", name, home=home) == name
        wait(lambda: set(names) <= set(self.present()))
        return names

    def present(self):
        """Return the workers that the scheduler knows: name → number of tasks that they have."""
        found = self.client.run_on_scheduler(
            lambda dask_scheduler: [(w.name, len(w.processing)) for w in dask_scheduler.workers.values()]
        )
        return dict(found)

    def kill(self, *names):
        """End processes without a word."""
        for name in names:
            process = self._processes[name]
            process.send_signal(signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL

    def without(self, *names):
        """Kill workers and wait until the scheduler knows."""
        self.kill(*(name for name in names if self._processes[name].poll() is None))
        wait(lambda: not set(names) & set(self.present()))

    def close(self):
        """End everything."""
        self.client.close()
        self.kill(*(name for name, process in self._processes.items() if process.poll() is None))


def wait(done, seconds=60):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture(scope="module")
def loopback(tmp_path_factory):
    made = Loopback(tmp_path_factory.mktemp("cluster"))
    try:
        made.workers(1)
        yield made
    finally:
        made.close()


def on(loopback):
    return ("--backend", "dask", "--scheduler", loopback.address)


def pids(blocks=8):
    """The processes that do the tasks of a run, one for each."""
    return gather(lambda first, count: [os.getpid()] * count, [], blocks, size=1)[0]


# ---- the same bytes


def test_a_worker_killed_in_the_middle_changes_no_byte(loopback, command, monkeypatch, tmp_path):
    """A user's strategy and changed components go along: the workers run in another folder, where the file is not."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(STRATEGY, encoding="utf-8")
    Path("mine.toml").write_text("goal = 60\n", encoding="utf-8")
    words = (
        "seats",
        "pig",
        "--strategy",
        "mine.py",
        "--strategy",
        "hold_at",
        "--components",
        "mine.toml",
        "--games",
        GAMES,
        "--json",
    )
    here = command(*words, "--jobs", 1)
    (extra,) = loopback.workers(1)
    seen, had, watch = [], [], Progress.watch

    def kill_once(self, games, *more):
        seen.append(games)
        if sum(seen) >= GAMES // 4 and not had:
            wait(lambda: loopback.present()[extra])  # until it has something to do
            loopback.kill(extra)
            had.append(extra)
        watch(self, games, *more)

    monkeypatch.setattr(Progress, "watch", kill_once)
    status, out, err = command(*words, *on(loopback))
    assert (status, out) == here[:2], err
    assert had == [extra]
    assert sum(seen) == GAMES
    assert extra not in loopback.present()


def test_a_run_until_decided_stops_at_the_same_game(loopback, command):
    words = ("seats", "pig", "--players", 3, "--max-games", 30_000, "--json")
    assert command(*words, *on(loopback))[1] == command(*words, "--jobs", 1)[1]


def test_a_game_from_a_folder_goes_along(loopback, command, monkeypatch, tmp_path):
    """The workers run in another folder; when the game changes under its name, they play the new one."""
    monkeypatch.chdir(tmp_path)
    race, found = guest_pig(tmp_path), []
    for goal in (100, 60):
        sheet = (race / "components.toml").read_text("utf-8")
        (race / "components.toml").write_text(sheet.replace("goal = 100", f"goal = {goal}"), "utf-8")
        words = ("seats", "./race", "--games", 2_000, "--json")
        found.append(command(*words, *on(loopback))[1])
        assert found[-1] == command(*words, "--jobs", 1)[1] != ""
    assert found[0] != found[1]


def test_things_are_dealt_there_as_here(loopback, command):
    words = ("worth", "moesteiro", "--strategy", "random_legal", "--games", 3_000, "--json")
    assert command(*words, *on(loopback))[1] == command(*words, "--jobs", 1)[1] != ""


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "moesteiro", "--set", "kings.afonso_v.vp=2", "--games", 600),
        ("robustness", "moesteiro", "--printings", 3, "--games", 120),
    ],
)
def test_studies_that_are_compared_are_played_there_as_here(loopback, command, words, tmp_path):
    """Their parts are pairs, moments and sums by number; the page and its tables are the same too."""
    words, made = (*words, "--players", 2, "--strategy", "random_legal", "--json"), []
    for folder, where in (("here", ("--jobs", 1)), ("there", on(loopback))):
        status, out, err = command(*words, *where, "--out", tmp_path / folder)
        assert status == 0, err
        files = [path for path in (tmp_path / folder).rglob("*") if path.is_file()]
        made.append((out, {path.relative_to(tmp_path / folder): path.read_bytes() for path in files}))
    assert made[0] == made[1]
    assert len(made[0][1]) > 3


def test_processes_of_this_machine():
    with cluster.playing("loky"):
        assert os.getpid() not in pids()


def test_a_cluster_of_one_core_plays_there_and_not_here(loopback):
    with cluster.playing("dask", loopback.address):
        assert len(set(pids())) == 1
        assert os.getpid() not in pids()
    assert set(pids()) == {os.getpid()}


def test_ctrl_c_keeps_what_was_played(loopback, study, third_time):
    with cluster.playing("dask", loopback.address):
        stopped = run(study("pig", 2, "hold_at"), games=1_000_000, batch=1000, watch=third_time)
    assert stopped.interrupted
    assert stopped.games == sum(third_time) < 1_000_000
    assert stopped.sums.columns[0, 0, 0] == 60 * stopped.games


def test_a_run_in_a_folder_is_stopped_and_gone_on_with(loopback, command, monkeypatch, tmp_path):
    words, watch, seen = ("seats", "pig", "--games", 60_000), Progress.watch, []
    here, there = tmp_path / "here", tmp_path / "there"
    assert command(*words, "--run", here, "--jobs", 1)[0] == 0

    def stop(self, games, *more):
        watch(self, games, *more)
        seen.append(games)
        if sum(seen) > 40_000:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Progress, "watch", stop)
        assert command(*words, "--run", there, *on(loopback))[0] == 130
    assert len(list((there / "batches").iterdir())) > 1
    status, out, err = command("resume", there, *on(loopback), "--json")
    assert status == 0, err
    assert out == command(*words, "--json", "--jobs", 1)[1]
    files = {path.relative_to(here): path.read_bytes() for path in here.rglob("*") if path.is_file()}
    assert files == {path.relative_to(there): path.read_bytes() for path in there.rglob("*") if path.is_file()}


# ---- what is refused


def refused_with_a_worker_from(home, loopback, command):
    """The last line of what is said while a worker with its sources in this folder has joined the cluster."""
    (other,) = loopback.workers(1, home=home)
    try:
        status, out, err = command("seats", "pig", "--games", 100_000, *on(loopback))
    finally:
        loopback.without(other)
    assert (status, out) == (2, "")
    return err.splitlines()[-1]


def test_a_worker_with_other_sources_is_refused(loopback, command, tmp_path):
    for folder in cluster.FOLDERS:
        shutil.copytree(HOME / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "sim" / "pig" / "turns.py").open("a", encoding="utf-8") as file:
        file.write("# Another comment.\n")
    line = refused_with_a_worker_from(tmp_path, loopback, command)
    digests = re.findall(r"\b[0-9a-f]{16}\b", line)
    assert len(set(digests)) == 2
    assert cluster.sources() in digests
    assert line.startswith("chapterhouse: --backend: found a worker with the sources ")


def test_a_worker_without_the_sources_is_said(loopback, command, tmp_path):
    (tmp_path / "sim").mkdir()
    (tmp_path / "sim" / "__init__.py").touch()
    line = refused_with_a_worker_from(tmp_path, loopback, command)
    assert line.startswith("chapterhouse: --backend: found a worker without the sources ")
    assert "No module named 'sim.cluster'" in line


def test_a_batch_that_kills_its_workers_ends_the_run(loopback):
    """joblib's own backend would wait for ever."""
    loopback.client.run_on_scheduler(lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", 0))
    names = loopback.workers(1)

    def task(first, blocks):
        if first == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        return blocks

    with (
        pytest.raises(cluster.ClusterError, match="the cluster could not do a task: KilledWorker"),
        cluster.playing("dask", loopback.address),
    ):
        gather(task, 0, 40, size=1)
    loopback.client.run_on_scheduler(lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", 3))
    loopback.without(*names)
    if not loopback.present():
        loopback.workers(1)


@pytest.mark.parametrize("when", ["before", "at its games"])
def test_a_scheduler_that_is_lost_is_one_line_and_nothing_of_what_its_library_prints(tmp_path, start, when):
    alone = Loopback(tmp_path)
    program = [sys.executable, "-c", "from scripts.cli import main; main()"]
    words = ["seats", "pig", "--games", "1000000000000", "--json", *on(alone)]
    try:
        (worker,) = alone.workers(1)
        if when == "before":
            alone.kill("scheduler0")
        process = start(*program, *words, cwd=HOME)
        if when != "before":
            wait(lambda: alone.present()[worker])
            alone.kill("scheduler0")
        out, err = process.communicate(timeout=60)
    finally:
        alone.close()
    assert (process.returncode, out, len(err.splitlines())) == (2, "", 1), err
    said = "found 'tcp://127.0.0.1:" if when == "before" else "the cluster could not do a task: "
    assert err.startswith(f"chapterhouse: --scheduler: {said}")


def test_a_process_of_this_machine_that_dies_is_said():
    with pytest.raises(cluster.ClusterError, match="a process of loky has died"), cluster.playing("loky"):
        gather(lambda first, blocks: os.kill(os.getpid(), signal.SIGKILL), 0, 4, size=1)


def test_a_strategy_that_fails_there_is_named_as_here(loopback, study, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def choose(components, state, options, n, weights):\n    return n\n", encoding="utf-8")
    asked = study("pig", 2, file)
    with pytest.raises(StrategyError) as here:
        run(asked, games=1000, jobs=1)
    with pytest.raises(StrategyError) as there, cluster.playing("dask", loopback.address):
        run(asked, games=1000)
    assert str(there.value) == str(here.value)


def test_what_cannot_be_sent_is_said(loopback):
    lock = threading.Lock()
    with (
        pytest.raises(cluster.ClusterError, match="only threads can play this"),
        cluster.playing("dask", loopback.address),
    ):
        gather(lambda first, blocks: blocks if lock else 0, 0, 4, size=1)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--backend", "ray"), "--backend: found 'ray'; allowed threads, loky, dask"),
        (("--scheduler", "tcp://127.0.0.1:1"), "--scheduler: found 'tcp://127.0.0.1:1'; allowed with --backend dask"),
        (("--backend", "dask"), "--scheduler: found nothing; allowed with --backend dask the address"),
        (("--backend", "dask", "--scheduler", "somewhere"), "--scheduler: found 'somewhere' (ValueError: missing port"),
        (
            ("--backend", "dask", "--scheduler", "tcp://127.0.0.1:1"),
            "--scheduler: found 'tcp://127.0.0.1:1' (OSError: Timed out",
        ),
        (
            ("--backend", "dask", "--scheduler", "tcp://127.0.0.1:1", "--jobs", "2"),
            "--jobs: found '2'; allowed with threads or loky",
        ),
        (("--backend", "loky", "--rows", "rows.csv"), "--rows: found 'rows.csv'; allowed with --backend threads"),
        (("--backend", "loky", "--timeout", "9"), "--timeout: found '9'; allowed with --backend threads"),
    ],
)
def test_refusals(command, words, line, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cluster, "CONNECTING", 1)
    status, out, err = command("seats", "pig", "--games", 100, *words)
    assert (status, out) == (2, "")
    assert err.splitlines()[-1].startswith(f"chapterhouse: {line}")
    assert not list(tmp_path.iterdir())


def test_a_missing_extra_is_said(command, monkeypatch):
    monkeypatch.setattr("scripts.options.find_spec", lambda name: None)
    status, out, err = command("seats", "pig", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:1")
    assert (status, out) == (2, "")
    assert err.splitlines() == [
        "chapterhouse: --backend: found 'dask', but no library distributed; allowed once it is there: python3 -m pip "
        "install distributed"
    ]


def test_a_scheduler_without_workers_is_said(tmp_path, command, monkeypatch):
    alone = Loopback(tmp_path)
    try:
        monkeypatch.setattr("joblib._dask.DaskDistributedBackend.__init__.__defaults__", (None, None, None, None, 1))
        status, out, err = command("seats", "pig", "--games", 100, *on(alone))
    finally:
        alone.close()
    assert (status, out) == (2, "")
    assert (
        err.splitlines()[-1] == "chapterhouse: --scheduler: found no worker in 1 s; allowed is a scheduler with workers"
    )


# ---- the parts


def test_the_digest_of_sources_is_of_their_text(tmp_path, monkeypatch):
    (tmp_path / "sim").mkdir()
    monkeypatch.setattr(cluster, "HOME", tmp_path)

    def digest(text):
        (tmp_path / "sim" / "a.py").write_bytes(text)
        return cluster.sources.__wrapped__()

    assert digest(b"A = 1\r\n") == digest(b"A = 1\n") != digest(b"A = 1 # one\n")


def test_batches_are_joined_without_a_gap():
    spans = [(0, 5), (5, 5), (10, 5), (20, 5), (25, 5), (30, 2)]
    assert list(cluster.joined(spans, 2, 1)) == [((0, 5),), ((5, 5), (10, 5)), ((20, 5), (25, 5)), ((30, 2),)]
    assert list(cluster.joined(spans, 2, 2)) == [((0, 5),), ((5, 5),), ((10, 5),), ((20, 5), (25, 5)), ((30, 2),)]
    assert list(cluster.joined(spans, 1, 1)) == [(span,) for span in spans]
    assert list(cluster.joined([], 3, 1)) == []
