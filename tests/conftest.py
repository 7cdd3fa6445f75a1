"""What several test files need: games and components, the command line without a process, and a run as an answer."""

import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripts import cli
from scripts.progress import Progress
from sim import registry
from sim.contract import Game
from sim.printed import components
from sim.runner import Study
from strategies import catalog
from tests.helpers import FIXED, contents

# in the background it may be ignored, and then by what the tests start too
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """A function that starts a program and reads what it prints; what is still at work when the test ends is killed."""
    started = []

    def begin(*words: object, **options: Any) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        started.append(
            subprocess.Popen([*map(str, words)], stdout=pipe, stderr=pipe, text=True, encoding="utf-8", **options)
        )
        return started[-1]

    yield begin
    for process in started:
        with process:
            process.kill()


@pytest.fixture
def mine(tmp_path: Path) -> Callable[..., str]:
    """A function that writes a file of somebody's own: its text, its name → its path."""

    def write(text: str, name: str = "mine.py") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.fixture(scope="session")
def pig() -> Game:
    """The game of pig, compiled."""
    return registry.load("pig")


@pytest.fixture(scope="session")
def study() -> Callable[..., Study]:
    """A function that makes a study: game, players, names or files of strategies, which are not proved, seed."""

    def make(game: str, players: int, *names: str | Path, seed: int = 1) -> Study:
        entrants = tuple(replace(catalog.entrant(game, str(name), players), to_prove=False) for name in names)
        return Study(game, players, entrants, components.read(game).record, seed)

    return make


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """A function that runs one command: its words → exit status, standard output, standard error."""

    def run(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = cli.run([str(word) for word in words])
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def answer(command: Callable[..., tuple[int, str, str]]) -> Callable[..., Any]:
    """A function that runs one command with --json and returns what it answers."""

    def ask(*words: object) -> Any:
        status, out, err = command(*words, "--json")
        assert status == 0, err
        return json.loads(out)

    return ask


@pytest.fixture
def refused(command: Callable[..., tuple[int, str, str]]) -> Callable[..., str]:
    """A function that runs a command that can't be carried out, and returns the one line that says why."""

    def ask(*words: object) -> str:
        status, out, err = command(*words)
        assert (status, out, err.count("\n")) == (2, "", 1), err
        assert err.startswith("chapterhouse: ")
        return err

    return ask


class ThirdTime(list[int]):
    """A `watch` that is told of games that were played, and has Ctrl-C pressed the third time."""

    def __call__(self, games: int) -> None:
        self.append(games)
        if len(self) == 3:
            raise KeyboardInterrupt


@pytest.fixture
def third_time() -> ThirdTime:
    """A `watch` that presses Ctrl-C, and the numbers of games that it was told of."""
    return ThirdTime()


@pytest.fixture
def stopping(monkeypatch):
    """A function: let Ctrl-C be pressed after so many batches of the next command."""

    def after(batches):
        left = [batches]
        watch = Progress.watch

        def stop(self, games, weight=1.0):
            watch(self, games, weight)
            left[0] -= 1
            if left[0] == 0:
                monkeypatch.setattr(Progress, "watch", watch)
                raise KeyboardInterrupt

        monkeypatch.setattr(Progress, "watch", stop)

    return after


@pytest.fixture
def whole(command, tmp_path):
    """A run with rows that was never stopped, and its files."""
    folder = tmp_path / "whole"
    assert command(*FIXED, "--rows", "parquet", "--run", folder)[0] == 0
    return folder, contents(folder)


@pytest.fixture
def read_only() -> Iterator[Callable[..., None]]:
    """A function after which nobody can write into a folder and those in it; root can, unless
    `tests.helpers.unprivileged`."""
    closed = []

    def close(folder: Path, mode: int = 0o555) -> None:
        closed.extend((path, path.stat().st_mode) for path in (folder, *folder.rglob("*")) if path.is_dir())
        for path, _ in reversed(closed):
            path.chmod(mode)

    yield close
    for path, mode in closed:
        path.chmod(mode)


@pytest.fixture
def sit(command, monkeypatch, tmp_path):
    """A function that runs a command whose person answers from a list, or by a function of the prompt; None, and the
    end, is Ctrl-D."""
    monkeypatch.chdir(tmp_path)

    def run(words, answers):
        if not callable(answers):
            left = iter(answers)

            def answers(prompt):
                return next(left, None)

        def typed(prompt):
            answer = answers(prompt)
            if answer is None:
                raise EOFError
            if answer is KeyboardInterrupt:
                raise KeyboardInterrupt
            return str(answer)

        monkeypatch.setattr("builtins.input", typed)
        return command(*words)

    return run


@pytest.fixture(scope="module")
def nothing_proved() -> Iterator[None]:
    """Have `prove` find nothing at once, keep no stamp and write no games."""
    from analyses.prove import golden, stamp, work

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "prove", lambda name, watch=None: work.Proved(name))
        patch.setattr(stamp, "keep", lambda name, version: None)
        patch.setattr(golden, "write", lambda name: "")
        yield
