"""The checks in processes of their own, two at a time: with the JIT off, with it, and with bounds checked.

A process that ends by what the game does, or that no game comes back from, is a finding.
"""

import os
import pickle
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from analyses.prove.case import BrokenOffError, ProvedGame
from analyses.prove.finding import Check, Fault, PlayedGame
from sim import registry

PROGRAM = f"from {__name__} import work; work()"
AT_ONCE = 2
HANG = 20.0  # seconds of processor time that a game of machine code, or a decision in plain Python, may take
EVERY = 0.2  # seconds
WHERE = re.compile(r"\(seed \d+, game (\d+), decision (\d+)")  # as `sim.runner.play` says it
OFF, BOUNDS = {"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_BOUNDSCHECK": "1"}
PARTS = {"plain": OFF, "loop": {}, "numbers": BOUNDS, "lines": OFF, "more lines": OFF, "places": OFF}
FIRST = ("plain", "loop", "numbers", "lines", "more lines")  # in this order; "places" afterwards


@dataclass
class Proved:
    """The result of proving a game.

    Attributes:
        game: its name. findings: what breaks the contract. did: what was looked at, in words → how much. left: what was
            not checked, and why. checks: their names. interrupted: whether somebody stopped it by hand.
    """

    game: str
    findings: list[Fault] = field(default_factory=list)
    did: dict[str, int] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    interrupted: bool = False


def checks_of(part: str) -> list[Check]:
    """Return the checks of a part that are functions of the case alone."""
    from analyses.prove import chance, golden, numbers, players, positions, records, recounts, runs, seats, worlds

    known = {
        "plain": tuple(
            check for module in (records, chance, positions, worlds, seats, recounts) for check in module.CHECKS
        ),
        # Whether games end comes first: strategies may think as long as they like, so nobody watches their games.
        "loop": (runs.endings, *players.CHECKS, runs.orders, runs.jobs, *golden.CHECKS),
        "numbers": numbers.CHECKS,
    }
    return list(known.get(part, ()))


def name_of(check: Check) -> str:
    """Return a check's name, for people."""
    return f"{check.__module__.rpartition('.')[2]}: {check.__name__.replace('_', ' ')}"


def prove(
    name: str,
    watch: Callable[[str, int, int], None] = lambda words, done, most: None,
    enough: Callable[[list[Fault]], bool] | None = None,
    parts: Sequence[str] = FIRST,
) -> Proved:
    """Run all checks of a game.

    Args:
        name: of the game. watch: called with what runs, how many checks are done, and how many there are.
        enough: told what has been found; when it says yes, we look for no more, and only find the lines. Then the
            parts run one after the other. parts: which of FIRST.

    Returns:
        What was found. Ctrl-C ends it early.
    """
    run = _Run(name, watch, enough)
    try:
        if run.parts(list(parts)):
            run.compare()
        run.locate()
    except KeyboardInterrupt:
        run.proved.interrupted = True
    finally:
        run.stop()
    run.proved.findings = _once(run.proved.findings)
    return run.proved


def _once(findings: list[Fault]) -> list[Fault]:
    """Return findings without those that another one says better: in the same words, or with its line."""
    kept, seen = list[Fault](), set[tuple[Any, ...]]()
    lined = {finding.check for finding in findings if finding.line}
    for finding in sorted(findings, key=lambda finding: not finding.line):
        vague = not finding.line and finding.check in lined & {"games end", "crash", "JIT"}
        key = (finding.check, finding.file, finding.line) if finding.line else (finding.check, finding.found)
        if key not in seen and not vague:
            seen.add(key)
            kept.append(finding)
    return sorted(kept, key=lambda finding: (finding.file, finding.line or 0))


class _Run:
    """The processes of one proof, and what they say."""

    def __init__(self, name: str, watch: Callable[[str, int, int], None], enough: Callable[[list[Fault]], bool] | None):
        self.proved, self._watch, self._enough = Proved(name), watch, enough
        self._said: queue.Queue[tuple[str, Any]] = queue.Queue()
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._done, self._most = 0, sum(len(checks_of(part)) for part in FIRST) + 2
        self._courses: dict[str, Any] = {}
        self._lines: list[tuple[set[tuple[str, int]], int]] = []
        self._doing: dict[str, str] = {}

    def parts(self, todo: list[str], findings: Any = None) -> bool:
        """Run parts, two at a time, until all are done; return whether they are: else enough has been found."""
        while todo or self._running:
            while todo and len(self._running) < (1 if self._enough else AT_ONCE):
                self._start(todo.pop(0), findings)
            with suppress(queue.Empty):
                self._hear(*self._said.get(timeout=EVERY))
            running = [self._doing[part] for part in self._running if part in self._doing]
            self._watch("; ".join(running), self._done, self._most)
            if findings is None and self._enough and self._enough(self.proved.findings):
                self.stop()
                return False
        return True

    def _start(self, part: str, findings: Any) -> None:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
        environment = kept | PARTS[part] | {"PYTHONPATH": os.pathsep.join(sys.path)}
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM], stdin=pipe, stdout=pipe, stderr=pipe, env=environment
        )
        self._running[part] = process
        assert process.stdin is not None
        with suppress(OSError):  # it has died: that is heard
            process.stdin.write(pickle.dumps((registry.origin(self.proved.game), part, findings)))
            process.stdin.flush()
        threading.Thread(target=self._listen, args=(part, process), daemon=True).start()

    def _listen(self, part: str, process: "subprocess.Popen[bytes]") -> None:
        errors: list[bytes] = []
        assert process.stdout is not None
        assert process.stderr is not None
        drain = threading.Thread(target=lambda: errors.append(process.stderr.read()), daemon=True)  # type: ignore[union-attr]
        drain.start()
        while True:
            try:
                self._said.put((part, pickle.load(process.stdout)))
            except Exception:
                break
        process.wait()
        drain.join(1)
        last = b"".join(errors).decode(errors="replace").strip().splitlines()[-1:]
        self._said.put((part, ("gone", (process.returncode, " ".join(last)))))

    def _hear(self, part: str, said: tuple[str, Any]) -> None:
        kind, what = said
        if kind == "check":
            self._doing[part] = what
            self.proved.checks.append(what)
        elif kind == "finding":
            self.proved.findings.append(what)
        elif kind == "checked":
            self._done += 1
        elif kind == "courses":
            self._courses[part] = what
        elif kind == "lines":
            self._lines.append(what)
        elif kind == "end":
            did, left = what
            for words, number in did.items():
                self.proved.did[words] = number if words.startswith("lines") else self.proved.did.get(words, 0) + number
            self.proved.left += [words for words in left if words not in self.proved.left]
        elif kind == "gone":
            self._end(part)
            code, last = what
            if code != 0:
                ended = f"signal {-code}" if code < 0 else f"status {code}"
                words = f"the process ended ({ended}) in {self._doing.get(part, 'loading the game')}: {last}"
                self.proved.findings.append(Fault("crash", words, "indexes within their arrays"))

    def compare(self) -> None:
        """Compare the games of machine code with those of plain Python, and put the lines of all processes together."""
        from analyses.prove import coverage, players

        game = registry.load(self.proved.game)
        if len(self._courses) == 2:
            found = players.differences(game.dtypes[1], self._courses["loop"], self._courses["plain"])
            self.proved.findings += found
        if self._lines:
            left, games, forced = zip(*self._lines)
            self.proved.findings += coverage.findings(set.intersection(*left), sum(games), sum(forced))

    def locate(self) -> None:
        """Find the lines of the findings that have none, where their games tell."""
        vague = [finding for finding in self.proved.findings if not finding.line and finding.game]
        if vague:
            self.proved.findings = [finding for finding in self.proved.findings if finding not in vague]
            self._doing["places"] = "the lines of what was found"
            self.parts(["places"], vague)

    def stop(self) -> None:
        """End all processes."""
        for process in self._running.values():
            process.kill()
        while self._running:
            part, (kind, _) = self._said.get()
            if kind == "gone":
                self._end(part)

    def _end(self, part: str) -> None:
        process = self._running.pop(part)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


# --- in a process -----------------------------------------------------------------------------------------------------


class Teller:
    """Says on standard output what is found, and watches that each game comes to its end."""

    def __init__(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # what a game prints is no answer
        self._lock, self._words, self._since = threading.Lock(), "", 0.0
        self._main, self._parent = threading.main_thread().ident, os.getppid()
        self.case: ProvedGame | None = None

    def say(self, kind: str, what: Any) -> None:
        """Say something."""
        with self._lock:
            pickle.dump((kind, what), self._out)
            self._out.flush()

    def beat(self, words: str) -> None:
        """Begin with a game; words: which one, "" for none."""
        self._since, self._words = time.process_time(), words

    def watch(self) -> None:
        """End this process when a game has taken too long, and say where it is: in the innermost function of the rules
        that has not returned since."""
        game, running = 0.0, list[Any]()
        while True:
            time.sleep(EVERY)
            if os.getppid() != self._parent:
                os._exit(1)
            now = self._frames()
            running = [one for one, other in zip(running, now) if one is other] if game == self._since else now
            game = self._since
            if self._words and time.process_time() - self._since > HANG:
                finding = Fault("games end", f"no end after {HANG:g} s of processor time ({self._words})")
                if running and self.case is not None:
                    finding = finding.at((self.case.place(running[-1].f_code.co_filename), running[-1].f_lineno))
                self.say("finding", finding)
                if self.case is not None:
                    self.say("end", (self.case.did, self.case.left))
                os._exit(0)

    def _frames(self) -> list[Any]:
        """Return the frames of the rules, from the outermost to the innermost."""
        found, frame = list[Any](), sys._current_frames().get(self._main or 0)
        while frame is not None and self.case is not None:
            found += [frame] * (frame.f_code.co_filename in self.case.own)
            frame = frame.f_back
        return found[::-1]


def work() -> None:
    """Run the checks of a part, which comes on standard input."""
    teller = Teller()
    origin, part, findings = pickle.load(sys.stdin.buffer)
    case = teller.case = ProvedGame(registry.find(origin), teller.beat)
    threading.Thread(target=teller.watch, daemon=True).start()
    if PARTS[part] is OFF:
        import sim.replay
        from analyses.prove import checked

        sim.replay.records = checked.records  # type: ignore[attr-defined]
    for check in checks_of(part):
        teller.say("check", name_of(check))
        for finding in guarded(case, check):
            teller.say("finding", placed(finding))
        teller.beat("")
        teller.say("checked", None)
    _more(case, part, findings, teller)
    teller.beat("")
    teller.say("end", (case.did, case.left))


def _more(case: ProvedGame, part: str, findings: list[Fault], teller: Teller) -> None:
    from analyses.prove import coverage, lines, players

    if part in ("plain", "loop"):
        teller.say("courses", players.courses(case))
    elif part in ("lines", "more lines"):
        teller.say("check", "lines: which ones no game runs")
        teller.say("lines", coverage.coverage(case, part != "lines", 2))
        teller.say("checked", None)
    elif part == "places":
        for finding in findings:
            place = None
            with suppress(Exception):
                place = lines.written(case, finding)
            teller.say("finding", finding.at(place))


def guarded(case: ProvedGame, check: Check) -> Iterator[Fault]:
    """Yield what a check finds; an error in the game's code is a finding too."""
    try:
        yield from check(case)
    except BrokenOffError as error:
        yield error.finding
    except Exception as error:
        words = " ".join(str(error).split())
        finding = Fault("code", f"{type(error).__name__} in {name_of(check)}: {words}")
        yield finding.at(case.place_of(error))


def placed(finding: Fault) -> Fault:
    """Return a finding with the number of the game and of the decision that its words name."""
    found = WHERE.search(finding.found)
    if found is None or finding.game is None:
        return finding
    game: PlayedGame = replace(finding.game, number=int(found[1]), decision=int(found[2]))
    return replace(finding, game=game)
