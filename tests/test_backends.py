"""Every command that plays games gives the same bytes wherever they are played, and goes on when a process of this
machine dies."""

import json
import os
import signal
from multiprocessing import active_children
from pathlib import Path

import pytest
from typer.main import get_command

from scripts import app as commands
from scripts.progress import Progress
from sim import cluster
from sim.runner import gather

pytestmark = [
    pytest.mark.filterwarnings("ignore:.* tasks :UserWarning"),  # left behind on purpose
    pytest.mark.slow,
]
THERE = ("--backend", "loky", "--jobs", 2)  # the same number each time, so that all of this file share two processes
HERE = ("--jobs", 1)
LOG = "game,players,seat,score,winner\n" + "".join(f"{g},2,1,{100 + g},1\n{g},2,2,{60 + g},0\n" for g in range(4))
MORE = {"--games": "600", "--max-games": "6000", "--test-games": "200"}  # so many that there is something to share


def more(words):
    """The same question with more games."""
    return [MORE.get(before, word) for before, word in zip(["", *words], words)]


COMMANDS = {name: more(question.small.split()) for name, question in commands.questions().items()}
PAGES = {name for name, question in commands.questions().items() if "out_folder" in question.options}


def told(name, text):
    """What a command has answered, without what a clock or the name of a folder brings into it."""
    found = json.loads(text)
    for step in found["steps"] if name == "ladder" else ():
        assert step.pop("seconds_a_game") > 0
    return json.dumps({key: value for key, value in found.items() if key not in ("report", "file", "weights")})


@pytest.mark.parametrize("name", COMMANDS)
def test_the_same_bytes(name, command, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text(LOG, encoding="utf-8")
    sent, send = [], cluster.Sender._sent
    monkeypatch.setattr(cluster.Sender, "_sent", lambda self, todo: sent.append(self) or send(self, todo))
    answers, files = [], []
    for folder, where in (("here", HERE), ("there", THERE)):
        out = ["--out", folder] if name in PAGES else ["--out", f"{folder}.toml"] if name == "tune" else []
        status, text, err = command(name, *COMMANDS[name], *out, "--json", *where)
        assert (status, bool(sent)) == (0, folder == "there"), err
        answers.append(told(name, text))
        made = [
            path for path in tmp_path.rglob("*") if folder in path.relative_to(tmp_path).parts[0] and path.is_file()
        ]
        # its seconds are never the same
        timed = {tmp_path / folder / f"ladder.{ending}" for ending in ("csv", "parquet")}
        files.append(
            {path.relative_to(tmp_path).as_posix().replace(folder, ""): path.read_bytes() for path in {*made} - timed}
        )
    assert answers[0] == answers[1]
    assert files[0] == files[1]
    assert len(files[0]) > 1


def test_every_command_that_takes_jobs_is_asked_here():
    """With --jobs it plays games, so it can have them played elsewhere; `resume`, which needs a folder, is below."""
    commands.add_commands([])
    options = {
        name: {word for option in made.params for word in option.opts}
        for name, made in get_command(commands.app).commands.items()
    }
    assert {name for name, words in options.items() if "--jobs" in words} == {*COMMANDS, "resume"}
    assert {name for name, words in options.items() if {"--backend", "--scheduler"} <= words} == {*COMMANDS, "resume"}


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_refused_is_refused_by_all(name, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words, line in (
        (["--backend", "ray"], "--backend: found 'ray'; allowed threads, loky, dask"),
        (["--backend", "dask"], "--scheduler: found nothing; allowed with --backend dask the address"),
        (["--scheduler", "tcp://127.0.0.1:1"], "--scheduler: found 'tcp://127.0.0.1:1'; allowed with --backend dask"),
    ):
        status, out, err = command(name, *COMMANDS[name], *words)
        assert (status, out) == (2, "")
        assert err.splitlines()[-1].startswith(f"chapterhouse: {line}")
    assert not list(tmp_path.rglob("*.*"))


@pytest.mark.parametrize("into_a_folder", [False, True])
def test_a_process_killed_in_the_middle_changes_no_byte(command, monkeypatch, tmp_path, into_a_folder):
    words = ("seats", "pig", "--games", 200_000, "--json")
    here = command(*words, *HERE, *(["--run", tmp_path / "here"] if into_a_folder else []))[1]
    seen, killed, watch = [], [], Progress.watch

    def kill_twice(self, games, *more):
        seen.append(games)
        if sum(seen) >= (1 + len(killed)) * 60_000 and len(killed) < 2:
            running = [child for child in active_children() if child.name.startswith("Loky")]
            for process in running[:1]:  # none, while those that take the place of the dead have yet to start
                os.kill(process.pid, signal.SIGKILL)
                killed.append(process.pid)
        watch(self, games, *more)

    monkeypatch.setattr(Progress, "watch", kill_twice)
    status, out, err = command(*words, *THERE, *(["--run", tmp_path / "there"] if into_a_folder else []))
    assert (status, out) == (0, here), err
    assert len(set(killed)) == 2
    assert sum(seen) == 200_000
    made = [
        {p.relative_to(top): p.read_bytes() for p in top.rglob("*") if p.is_file()}
        for top in (tmp_path / "here", tmp_path / "there")
    ]
    assert made[0] == made[1]
    assert (len(made[0]) > 5) == into_a_folder
    if into_a_folder:
        assert command("resume", tmp_path / "there", *THERE, "--json")[1] == here


def test_each_part_is_added_once_whatever_dies(tmp_path):
    def task(first, blocks):
        flag = tmp_path / str(first)
        if first % 20 == 7 and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return [(first, blocks)]

    with cluster.playing("loky"):
        found, stopped = gather(task, [], 60, size=1, jobs=2)
    assert (sorted(found), stopped) == ([(first, 1) for first in range(60)], False)
    assert len(list(tmp_path.iterdir())) == 3


def test_batches_that_kill_again_and_again_end_the_run(tmp_path):
    def task(first, blocks):
        if first == 3:
            (tmp_path / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return blocks

    line = "--backend: a process of loky has died 4 times over the same batches: "
    with pytest.raises(cluster.ClusterError, match=line), cluster.playing("loky"):
        gather(task, 0, 8, size=1, jobs=2)
    assert len(list(tmp_path.iterdir())) == cluster.DEATHS
