"""Planted faults: does `chapterhouse prove` name them?

    python scripts/planted.py                       every fault, two at a time
    python scripts/planted.py --only "wrong tie"    those whose game, name or kind holds this text
    python scripts/planted.py --whole               each proof to its end, not only until it names the fault

Plants each fault of tests/faults/*.toml alone, in a copy of a game of tests/faults/games, and proves that game. Prints
a line for each fault: which check names it, and whether with its line. Those of tests/faults/blind are by somebody who
had not seen `prove`; they are counted apart. Exit status: 0 when every fault was named, 1 when one was not, 2 when
there was nothing to say, because a fault doesn't fit its game or something is found in the game as it is; 130 after
Ctrl-C, with what was found so far.
"""

import argparse
import difflib
import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from scripts.mutate import INTERRUPTED, UNNOTICED, Refusal, parse, parser_of, status_of

if TYPE_CHECKING:
    from analyses.prove.finding import Fault

ROOT = Path(__file__).resolve().parent.parent
FAULTS = ROOT / "tests" / "faults"
GAMES = FAULTS / "games"
BLIND = "blind"  # the folder of FAULTS with those by somebody who had not seen `prove`
REFUSED = "refused"  # the check of a game that can't be loaded
# Check → the parts of `analyses.prove.work` that make it; "plain" for all others.
PARTS = {
    "one win": ("plain", "loop"),
    "crash": ("plain", "numbers"),
    "dead rules": ("lines", "more lines"), "dead numbers": ("numbers",), "counts": ("loop", "numbers"),
    "JIT": ("plain", "loop"), "same games": ("loop",), "strategies": ("loop",), "sources of points": ("loop",),
}  # fmt: skip
PLACE = re.compile(r"/([^/:]+\.(?:py|toml)):(?: line)? ?(\d+)")  # in the line that refuses a game


@dataclass(frozen=True)
class PlantedFault:
    """One fault of a game: the texts of `find`, each of which stands in `file` exactly once, become those of `replace`.

    Attributes:
        game: folder below GAMES. name, kind: in words. checks: that may name it, none if no check is made for it.
        lines: beginnings of lines that are as good as one that the fault touches. blind: whether whoever thought of it
            had not seen `prove`.
    """

    game: str
    name: str
    kind: str
    file: str
    find: tuple[str, ...]
    replace: tuple[str, ...]
    checks: tuple[str, ...]
    lines: tuple[str, ...] = ()
    blind: bool = False

    def __str__(self) -> str:
        return f"{self.game}: {self.name} [{'blind: ' * self.blind}{self.kind}]"

    def planted(self, text: str) -> str:
        """Return the text of the file with the fault in it.

        Raises:
            Refusal: the fault doesn't fit.
        """
        for find, replace in zip(self.find, self.replace, strict=True):
            if (times := text.count(find)) != 1:
                raise Refusal(f"{self.game}: {self.name}: {find!r} occurs {times} times in {self.file}, not once")
            text = text.replace(find, replace)
        try:
            parse(self.file, text)
        except (SyntaxError, tomllib.TOMLDecodeError) as error:
            raise Refusal(f"{self.game}: {self.name}: it makes {self.file} unreadable ({error})") from None
        return text

    def places(self, folder: Path) -> set[tuple[str, int]]:
        """Return file and number of the lines by which a finding shows the fault that has been planted in a folder."""
        old, new = ((home / self.file).read_text("utf-8").splitlines() for home in (GAMES / self.game, folder))
        found = set[tuple[str, int]]()
        for tag, _, _, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag != "equal":  # where lines are gone, those beside them
                found |= {(self.file, i + 1) for i in (range(first, last) if last > first else (first - 1, first))}
        for path in folder.rglob("*"):
            if path.suffix in (".py", ".toml") and self.lines:
                lines = path.read_text("utf-8").splitlines()
                name = path.relative_to(folder).as_posix()
                found |= {(name, i) for i, line in enumerate(lines, 1) if line.strip().startswith(self.lines)}
        return found


class PlantedResult(NamedTuple):
    """The result of planting a fault.

    Attributes:
        finding: that names it; None if none does. on_line: whether it says the right line. others: the checks that
            found something else.
    """

    fault: PlantedFault
    finding: "Fault | None"
    on_line: bool
    others: tuple[str, ...]
    seconds: float

    def line(self) -> str:
        """Return it as a line of the table."""
        found = self.finding
        place = f"{found.file}:{found.line}" if found and found.line else "no line"
        named = f"{found.check} ({place}, {'right' if self.on_line else 'WRONG'})" if found else "NOT NAMED"
        others = f"; also {', '.join(self.others)}" if self.others else ""
        return f"{self.seconds:5.0f} s  {self.fault}  ← {named}{others}"


def read() -> list[PlantedFault]:
    """Return all faults.

    Raises:
        Refusal: one is not whole, or two of a game have the same name.
    """
    faults = []
    for path in sorted(FAULTS.glob("*.toml")) + sorted((FAULTS / BLIND).glob("*.toml")):
        for entry in tomllib.loads(path.read_text("utf-8"))["fault"]:
            lists = {"find", "replace", "checks", "lines"} & entry.keys()
            made = {n: (v,) if isinstance(v := entry[n], str) else tuple(v) for n in lists}
            try:
                faults.append(PlantedFault(game=path.stem, blind=path.parent.name == BLIND, **(entry | made)))
            except TypeError as error:
                raise Refusal(f"{path}: {entry.get('name', 'a fault without a name')}: {error}") from None
    for (game, name), times in Counter((fault.game, fault.name) for fault in faults).items():
        if times > 1:
            raise Refusal(f"{game}: two faults are called {name!r}")
    return faults


def plant(fault: PlantedFault, folder: Path) -> Path:
    """Copy the game of a fault into a folder, with the fault in it; return the copy.

    Raises:
        Refusal: the fault doesn't fit.
    """
    home = folder / fault.game
    shutil.copytree(GAMES / fault.game, home, ignore=shutil.ignore_patterns("__pycache__"))
    file = home / fault.file
    file.write_text(fault.planted(file.read_text("utf-8")), "utf-8", newline="")
    return home


def findings(home: Path, **asked: Any) -> "list[Fault]":
    """Return what `prove` finds in the game of a folder; asked: as `analyses.prove.work.prove` takes it."""
    from analyses.prove.finding import Fault
    from analyses.prove.work import prove
    from sim import registry
    from sim.faults import GameError

    try:
        name = registry.find(f"{home}{os.sep}")
        registry.load(name)
    except GameError as error:
        place = PLACE.search(str(error))
        return [Fault(REFUSED, str(error), file=place[1] if place else "", line=int(place[2]) if place else None)]
    return prove(name, **asked).findings


def proved(fault: PlantedFault, whole: bool = False) -> PlantedResult:
    """Plant a fault in a temporary folder, and prove the game; whole: to the end, though the fault has been named."""
    start = perf_counter()
    with tempfile.TemporaryDirectory(prefix="planted-", ignore_cleanup_errors=True) as folder:
        home = plant(fault, Path(folder))
        places = fault.places(home)

        def enough(found: "Sequence[Fault]") -> bool:
            return any(finding.check in fault.checks for finding in found)

        if whole:
            found = findings(home)
        else:  # first where it should be found; machine code is made where only that can say
            os.environ["NUMBA_DISABLE_JIT"] = str(int(REFUSED not in fault.checks))
            parts = dict.fromkeys(part for check in fault.checks for part in PARTS.get(check, ("plain",)))
            found = findings(home, enough=enough, parts=tuple(parts))
            if not enough(found):
                found = findings(home, enough=enough)
    named = [finding for finding in found if finding.check in fault.checks]
    right = [finding for finding in named if (finding.file, finding.line) in places]
    others = tuple(dict.fromkeys(finding.check for finding in found if finding not in named))
    first = next(iter(right or named), None)
    return PlantedResult(fault, first, bool(right), others, perf_counter() - start)


def all_planted(faults: Sequence[PlantedFault], jobs: int, whole: bool) -> Iterator[PlantedResult]:
    """Yield the result of each fault as soon as it is there; each is proved in a process of its own."""
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        waiting = [pool.submit(proved, fault, whole) for fault in faults]
        try:
            yield from (future.result() for future in as_completed(waiting))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def row(words: str, found: Sequence[PlantedResult]) -> str:
    """Return a row of the table in docs/prove.md: how many of some faults were named, and how many with their line."""
    named = sum(planted.finding is not None for planted in found)
    return f"| {words} | {len(found)} | {named} | {sum(planted.on_line for planted in found)} |"


def summary(found: Sequence[PlantedResult]) -> list[str]:
    """Return the closing lines."""
    ours, blind = ([planted for planted in found if planted.fault.blind == one] for one in (False, True))
    checks = Counter(planted.finding.check for planted in found if planted.finding)
    kinds = sorted({planted.fault.kind for planted in ours})
    return [
        *(row(kind, [planted for planted in ours if planted.fault.kind == kind]) for kind in kinds),
        row("all", ours),
        *([row("by somebody who had not seen `prove`", blind)] if blind else []),
        "named by " + ", ".join(f"{check}: {times}" for check, times in checks.most_common()),
        *(f"wrong line: {p.fault}" for p in found if p.finding and not p.on_line),
        *(f"NOT NAMED: {p.fault}" for p in found if not p.finding),
    ]


def run(arguments: argparse.Namespace) -> int:
    """Do what the command line asks; return the exit status."""
    faults = [fault for fault in read() if arguments.only.lower() in str(fault).lower()]
    if not faults:
        raise Refusal(f"no fault has {arguments.only!r} in its game, name or kind")
    found, status = list[PlantedResult](), 0
    with tempfile.TemporaryDirectory(prefix="planted-", ignore_cleanup_errors=True) as folder:
        os.environ["CHAPTERHOUSE_CACHE"] = folder  # nobody plays these games again
        try:
            for game in sorted({fault.game for fault in faults} if arguments.whole else ()):
                if words := [finding.words() for finding in findings(GAMES / game)]:
                    raise Refusal("\n".join(f"without any fault: {line}" for line in words))
            for planted in all_planted(faults, max(1, arguments.jobs), arguments.whole):
                found.append(planted)
                print(f"{len(found):3}/{len(faults)}  {planted.line()}", flush=True)
        except KeyboardInterrupt:
            status = INTERRUPTED
    print("\n".join(summary(found)))
    return status or UNNOTICED * any(planted.finding is None for planted in found)


def main() -> int:
    """Read the command line and run."""
    parser = parser_of("planted", __doc__, "planted faults")
    parser.add_argument("--only", default="", metavar="TEXT", help="only faults whose game, name or kind holds this")
    parser.add_argument("--whole", action="store_true", help="each proof to its end; the games as they are, too")
    return status_of(parser, run)


if __name__ == "__main__":
    sys.exit(main())
