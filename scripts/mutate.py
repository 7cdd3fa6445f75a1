"""Mutations: is there a test that notices when one rule of a game is turned into another?

    python scripts/mutate.py                     every mutation of Moesteiro, two at a time
    python scripts/mutate.py --game abbates      every mutation of another game
    python scripts/mutate.py --only "master"     those whose name or rule holds this text
    python scripts/mutate.py --only counting     those of what is counted
    python scripts/mutate.py --all               each by every suite, not only by the first that notices

Works on copies in a temporary folder, never on the tree, and with the JIT off, so that nothing is compiled. Exit
status: 0 when every mutation was noticed, 1 when one was not, 2 when there was nothing to say, because the mutations
don't fit the sources, the tests fail as it is, or a mutated game doesn't even start; 130 after Ctrl-C, with what was
found so far.
"""

import argparse
import ast
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MUTATIONS = ROOT / "tests" / "mutations"
NOT_COPIED = (".*", "__pycache__", "out", "build", "dist", "*.egg-info", "*.png")
FIELDS = ("name", "rule", "file", "find", "replace")
UNNOTICED, REFUSED, INTERRUPTED = 1, 2, 130


# Suites: name → files of tests, possibly with `::test`; {game} stands for the game, * for anything. They are asked in
# this order. The last one notices that anything has changed, the others know what is right.
SUITES = {
    "worked examples": "tests/{game}/test_worked_examples.py",
    "rulings": "tests/{game}/test_rulings_*.py",
    "reference slice": "tests/{game}/test_reference.py::test_slice",
    "golden games": "tests/golden/test_golden.py::test_the_rules_version_tells_these_games[{game}]",
}


class Refusal(Exception):  # noqa: N818
    """There is no answer; the message names all reasons, a line each."""


@dataclass(frozen=True)
class Mutation:
    """One rule turned into another: `find`, which stands in `file` exactly once, becomes `replace`."""

    name: str
    rule: str
    file: str
    find: str
    replace: str

    def misfit(self, root: Path) -> str:
        """Return why it doesn't fit a tree, or ""."""
        try:
            text = (root / self.file).read_text(encoding="utf-8")
        except OSError as error:
            return f"{self.file} can't be read ({error.strerror})"
        times = text.count(self.find)
        if times != 1:
            return f"its text occurs {times} times in {self.file}, not once"
        if self.find == self.replace:
            return "it changes nothing"
        try:
            parse(self.file, text.replace(self.find, self.replace))
        except (SyntaxError, tomllib.TOMLDecodeError) as error:
            return f"it makes {self.file} unreadable ({error})"
        return ""


def parse(file: str, text: str) -> None:
    """Raise an error if this is not the text of such a file."""
    if file.endswith(".toml"):
        tomllib.loads(text)
    else:
        ast.parse(text)


def files_of(game: str) -> list[Path]:
    """Return the files with the mutations of a game: GAME.toml, GAME_counting.toml, …

    Raises:
        Refusal: there are none.
    """
    found = sorted(path for path in MUTATIONS.glob("*.toml") if path.stem.partition("_")[0] == game)
    if not found:
        raise Refusal(f"{MUTATIONS / game}.toml can't be read (there is none)")
    return found


def read(path: Path) -> list[Mutation]:
    """Return the mutations of a file.

    Raises:
        Refusal: it can't be read, or an entry is not complete.
    """
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("mutation", [])
    except OSError as error:
        raise Refusal(f"{path} can't be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{path} is no TOML file ({error})") from error
    wrong = [
        n
        for n, entry in enumerate(entries, 1)
        if set(entry) != set(FIELDS) or not all(isinstance(v, str) for v in entry.values())
    ]
    if wrong or not entries:
        which = f"entry {', '.join(map(str, wrong))}" if wrong else "no entry"
        raise Refusal(f"{path}: {which}; a [[mutation]] has the texts {', '.join(FIELDS)}")
    mutations = [Mutation(**entry) for entry in entries]
    if twice := [name for name, times in Counter(mutation.name for mutation in mutations).items() if times > 1]:
        raise Refusal("\n".join(f"{path}: two mutations are called {name!r}" for name in twice))
    return mutations


def check(mutations: Sequence[Mutation], root: Path) -> None:
    """Raise a Refusal that names every mutation that does not fit the tree."""
    misfits = [f"{mutation.name}: {why}" for mutation in mutations if (why := mutation.misfit(root))]
    if misfits:
        raise Refusal("\n".join(misfits))


def tests_of(suite: str, game: str, root: Path) -> list[str]:
    """Return what pytest is told to run for a suite; nothing if the game has no such tests."""
    file, colons, test = SUITES[suite].format(game=game).partition("::")
    return [path.relative_to(root).as_posix() + colons + test for path in sorted(root.glob(file))]


class SuiteAnswer(NamedTuple):
    """What the tests said: the first that failed ("" if none did), whether it never ended, and whether the game could
    not start."""

    test: str
    endless: bool
    broken: str


class Worker:
    """A copy of the tree that runs tests, one mutation at a time."""

    def __init__(self, folder: Path, source: Path, keep_bytecode: bool = False):
        """Copy a tree; keep_bytecode: with what Python has compiled in it."""
        ignored = [name for name in NOT_COPIED if name != "__pycache__" or not keep_bytecode]
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns(*ignored))
        self.folder = folder
        self.process: subprocess.Popen[str] | None = None
        outside = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTEST_", "NUMBA_", "PYTHONDONTWRITE"))
        }
        self.environment = {**outside, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(folder), "COLUMNS": "250"}

    def run(self, tests: Sequence[str], limit: float) -> SuiteAnswer:
        """Run tests up to the first that fails; limit: seconds for one test, and for all a little more."""
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "--no-header",
            "--tb=no",
            "-rfE",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
        ]
        # that plugin takes as long to start as many a mutant lives
        command += ["-p", "no:hypothesispytest", f"--timeout={limit}", *tests]
        self.process = subprocess.Popen(
            command, cwd=self.folder, env=self.environment, text=True, encoding="utf-8", errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        try:
            out, _ = self.process.communicate(timeout=2 * limit + 30)
        except subprocess.TimeoutExpired:
            return SuiteAnswer("(stopped from outside)", True, "")
        finally:
            self.stop()
        return answer(out, self.process.returncode)

    def stop(self) -> None:
        """End the tests that are running, if any are."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def mutated(self, mutation: Mutation, tests: Sequence[str], limit: float) -> SuiteAnswer:
        """Run tests on the mutated copy; afterwards it is as before."""
        path = self.folder / mutation.file
        before, times = path.read_bytes(), path.stat()
        # Python takes compiled code for that of a file of the same size and second: a mutant leaves none and lives in
        # another second.
        self.environment["PYTHONDONTWRITEBYTECODE"] = "1"
        try:
            path.write_bytes(before.replace(mutation.find.encode(), mutation.replace.encode()))
            os.utime(path, (times.st_atime, times.st_mtime + 60))
            return self.run(tests, limit)
        finally:
            path.write_bytes(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def answer(out: str, status: int) -> SuiteAnswer:
    """Read what pytest printed."""
    found = re.search(r"^(FAILED|ERROR) (.+?\.py\S*(?:\[.*?\])?)(?: - (.*))?$", out, re.MULTILINE)
    if status == 0:
        return SuiteAnswer("", False, "")
    if status == 1 and found:
        return SuiteAnswer(found[2].removeprefix("tests/"), "Timeout" in (found[3] or ""), "")
    return SuiteAnswer("", False, found[0] if found else (out.strip().splitlines() or ["no output"])[-1])


class MutationResult(NamedTuple):
    """The result of a mutation: for each suite, in order, the first test that noticed it."""

    mutation: Mutation
    noticed: dict[str, str]
    broken: str
    seconds: float

    def line(self) -> str:
        """Return it as one line."""
        if self.broken:
            by = f"DOES NOT START: {self.broken}"
        else:
            by = "; ".join(f"{suite}: {test}" for suite, test in self.noticed.items()) or "UNNOTICED"
        return f"{self.seconds:5.1f} s  {self.mutation.name}  [{self.mutation.rule}]  ← {by}"


class MutationPlan(NamedTuple):
    """How to test every mutation: tests by suite, seconds for one test, whether to go on after the first suite that
    notices."""

    tests: dict[str, list[str]]
    limit: float
    every_suite: bool


def suite_of(test: str, plan: MutationPlan) -> str:
    """Return the suite that a test belongs to."""
    for suite, tests in plan.tests.items():
        if any(f"tests/{test}".startswith(known.partition("::")[0]) for known in tests):
            return suite
    return "no suite"


def investigate(worker: Worker, mutation: Mutation, plan: MutationPlan) -> MutationResult:
    """Put a mutation to the tests. All suites share a process unless each is to answer, since starting one takes a
    second."""
    start, noticed = perf_counter(), {}
    together = [test for tests in plan.tests.values() for test in tests]
    for tests in plan.tests.values() if plan.every_suite else [together]:
        said = worker.mutated(mutation, tests, plan.limit)
        if said.broken:
            return MutationResult(mutation, {}, said.broken, perf_counter() - start)
        if said.test:
            noticed[suite_of(said.test, plan)] = said.test + ", never ended" * said.endless
    return MutationResult(mutation, noticed, "", perf_counter() - start)


def investigate_all(
    workers: Sequence[Worker], mutations: Sequence[Mutation], plan: MutationPlan
) -> Generator[MutationResult, None, None]:
    """Put mutations to the tests, one in each worker at a time; yield findings as they come. When closed early, it
    stops the tests."""
    idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
    stopped = Event()
    for worker in workers:
        idle.put(worker)

    def one(mutation: Mutation) -> MutationResult | None:
        worker = idle.get()
        try:
            finding = None if stopped.is_set() else investigate(worker, mutation, plan)
            return None if stopped.is_set() else finding
        finally:
            idle.put(worker)

    with ThreadPoolExecutor(len(workers)) as pool:
        futures: list[Future[MutationResult | None]] = [pool.submit(one, mutation) for mutation in mutations]
        try:
            for future in as_completed(futures):
                if (finding := future.result()) is not None:
                    yield finding
        finally:
            stopped.set()
            for worker in workers:
                worker.stop()


def prepare(folder: Path, root: Path, jobs: int, tests: dict[str, list[str]]) -> tuple[list[Worker], float]:
    """Return the workers, and how long the tests take on the tree as it is.

    Raises:
        Refusal: they fail.
    """
    first = Worker(folder / "1", root)
    together = [test for suite in tests.values() for test in suite]
    start = perf_counter()
    said = first.run(together, 600)
    seconds = perf_counter() - start
    if said.test or said.broken:
        raise Refusal(f"the tests fail without any mutation: {said.test or said.broken}")
    return [first, *(Worker(folder / str(n), first.folder, keep_bytecode=True) for n in range(2, jobs + 1))], seconds


def clock(seconds: float) -> str:
    """Return a time in minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def follow(findings: Iterable[MutationResult], total: int, found: list[MutationResult]) -> None:
    """Print each finding as it comes, with rate and time left, and add it to `found`."""
    start = perf_counter()
    for finding in findings:
        found.append(finding)
        done, passed = len(found), perf_counter() - start
        print(f"{done:3}/{total}  {finding.line()}", flush=True)
        if sys.stderr.isatty() or done % 10 == 0:
            left = clock(passed / done * (total - done))
            print(
                f"         {60 * done / passed:.0f} a minute, {left} left",
                end="\r" if sys.stderr.isatty() else "\n",
                file=sys.stderr,
            )


def summary(found: Sequence[MutationResult], suites: Sequence[str], seconds: float) -> list[str]:
    """Return the closing lines."""
    unnoticed = [finding for finding in found if not finding.noticed and not finding.broken]
    broken = [finding for finding in found if finding.broken]
    first = Counter(next(iter(finding.noticed)) for finding in found if finding.noticed)
    last = [finding for finding in found if set(finding.noticed) == {suites[-1]}]
    lines = [f"{len(found)} mutations, {len(unnoticed)} unnoticed, in {clock(seconds)} minutes"]
    lines += ["noticed first by " + ", ".join(f"{suite}: {first[suite]}" for suite in suites)]
    titles = {f"noticed by {suites[-1]} only": last, "NOT STARTED": broken, "UNNOTICED": unnoticed}
    for title, findings in titles.items():
        lines += [f"{title}: {finding.mutation.name} [{finding.mutation.rule}]" for finding in findings]
    return lines


def run(arguments: argparse.Namespace) -> int:
    """Do what the command line asks; return the exit status."""
    start = perf_counter()
    every = [mutation for path in arguments.mutations or files_of(arguments.game) for mutation in read(path)]
    check(every, ROOT)
    mutations = [
        mutation for mutation in every if arguments.only.lower() in f"{mutation.name} [{mutation.rule}]".lower()
    ]
    if not mutations:
        raise Refusal(f"no mutation has {arguments.only!r} in its name or rule")
    asked = {suite: tests_of(suite, arguments.game, ROOT) for suite in SUITES if suite in (arguments.suite or SUITES)}
    tests = {name: found for name, found in asked.items() if found}
    if not tests:
        raise Refusal(f"{arguments.game} has no tests of these suites: {', '.join(asked)}")
    if missing := [name for name, found in asked.items() if not found]:
        print(f"{arguments.game} has no {', '.join(missing)}", flush=True)
    jobs, status = max(1, min(arguments.jobs, len(mutations))), 0
    found: list[MutationResult] = []
    with tempfile.TemporaryDirectory(prefix="mutate-", ignore_cleanup_errors=True) as folder:
        try:
            workers, seconds = prepare(Path(folder), ROOT, jobs, tests)
            print(f"{len(mutations)} mutations; the tests take {seconds:.1f} s on the tree as it is", flush=True)
            plan = MutationPlan(tests, round(10 + 2 * seconds, 1), arguments.all)
            with closing(investigate_all(workers, mutations, plan)) as findings:
                follow(findings, len(mutations), found)
        except KeyboardInterrupt:
            status = INTERRUPTED
            print("\ninterrupted", file=sys.stderr)
    print("\n".join(summary(found, list(tests), perf_counter() - start)))
    if status == 0 and any(finding.broken for finding in found):
        status = REFUSED
    if status == 0 and not all(finding.noticed for finding in found):
        status = UNNOTICED
    return status


def parser_of(name: str, text: str, jobs: str) -> argparse.ArgumentParser:
    """Return a parser with --jobs; text: what stands below the options; jobs: what is done several at a time."""
    parser = argparse.ArgumentParser(
        name, description=f"chapterhouse {jobs}", epilog=text, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=2, help=f"{jobs} at a time (default: 2)")
    return parser


def status_of(parser: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> int:
    """Read the command line and run; say a refusal in a line for each reason. Return the exit status."""
    try:
        return run(parser.parse_args())
    except Refusal as refusal:
        print("\n".join(f"{parser.prog}: {line}" for line in str(refusal).splitlines()), file=sys.stderr)
        return REFUSED


def main() -> int:
    """Read the command line and run."""
    parser = parser_of("mutate", __doc__, "mutations")
    parser.add_argument("--game", default="moesteiro", help="whose rules (default: moesteiro)")
    parser.add_argument(
        "--mutations",
        type=Path,
        action="append",
        help="file of mutations (may be given several times; default: all of the game)",
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="only mutations whose name or rule holds this text")
    parser.add_argument(
        "--suite", action="append", choices=list(SUITES), help="ask these tests only (may be given several times)"
    )
    parser.add_argument("--all", action="store_true", help="let every suite answer, not only the first that notices")
    return status_of(parser, run)


if __name__ == "__main__":
    sys.exit(main())
