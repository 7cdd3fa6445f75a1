"""A program for tests/test_faults.py: starts runs in folders, kills them at random moments, goes on with them, and
prints how many died.

    python tests/killing.py FOLDER KILLS

Each run is a child of this process, forked when everything is loaded, so that it is at its games at once.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from scripts import cli

WORDS = ["seats", "pig", "--players", "2", "--games", "80000", "--rows", "parquet", "--jobs", "1", "--json"]
MOST = 40  # runs; one that ends before it is killed is no use, and the next one begins


def start(words: list[str]) -> int:
    """Start a command; return the number of its process."""
    child = os.fork()
    if child == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os._exit(cli.run(words))
    return child


def end(child: int) -> int:
    """Return how a process has ended: its status, or minus the number of a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main(folder: Path, kills: int) -> None:
    """Make FOLDER/whole, never stopped, and FOLDER/0, FOLDER/1, …, each killed again and again until it is finished."""
    assert cli.run([*WORDS, "--run", str(folder / "warm")]) == 0  # loads everything
    before = time.monotonic()
    assert end(start([*WORDS, "--run", str(folder / "whole")])) == 0
    whole = time.monotonic() - before
    chance, died, places = random.Random(1), 0, set()
    for number in range(MOST):
        run = folder / str(number)
        while not (run / "results").exists() and died < kills:
            child = start(
                ["resume", str(run), "--jobs", chance.choice("12")]
                if (run / "manifest.json").exists()
                else [*WORDS, "--run", str(run)]
            )
            time.sleep(chance.uniform(0.0, 0.7) * whole)
            os.kill(child, signal.SIGKILL)
            if end(child) == -signal.SIGKILL:
                died += 1
                places.add(len(list(run.glob("batches/*.batch"))))
        if (run / "manifest.json").exists():
            assert end(start(["resume", str(run), "--jobs", "1"])) == 0
        if died >= kills:
            break
    print(died, len(places), number + 1, file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
