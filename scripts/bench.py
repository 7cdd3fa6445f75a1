"""The benchmark: speed as ratios within one run, alternated and summed up by medians. Timings live only here.

python scripts/bench.py                     everything, ten to fifteen minutes
python scripts/bench.py speed threads       some parts only
python scripts/bench.py --yardstick DIR     where the plain C program lies that speed is compared with (yardstick.c)
python scripts/bench.py --history FILE      where the figures are kept, and compared with the last ones of the same
                                            machine
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, strftime, thread_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.runner import Study

ROOT = Path(__file__).parent.parent
ROUNDS = 7
GAMES = 20_000
SLOWER = 0.15  # a figure that is worse by more than this share is pointed out
MORE, LESS = 1, -1  # what is better
FIGURES: dict[str, float] = {}  # of this run, for the history; those of which less is better are kept as 1 / figure


def say(name: str, value: str, goal: str = "", better: int = 0) -> None:
    """Print one figure with its goal; better: MORE or LESS if the history keeps it."""
    print(f"{name:58} {value:>16}   {goal}", flush=True)
    if better:
        FIGURES[name] = float(value.replace(",", "")) ** better


def machine() -> str:
    """Return the name of the processor and the number of cores that may be used."""
    name = platform.processor() or platform.machine()
    cpus = Path("/proc/cpuinfo")
    if cpus.is_file():
        name = next(
            (line.partition(":")[2].strip() for line in cpus.read_text().splitlines() if line.startswith("model name")),
            name,
        )
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{name}, {cores} cores"


def slowdowns(last: dict[str, float], now: dict[str, float]) -> list[str]:
    """Return a line for each figure that has become worse by more than SLOWER; more is better in all of them."""
    worse = {
        name: 1 - now[name] / last[name] for name in now if last.get(name) and now[name] < (1 - SLOWER) * last[name]
    }
    return [f"SLOWER by {100 * share:.0f} % than last time on this machine: {name}" for name, share in worse.items()]


def keep(history: Path) -> None:
    """Compare the figures of this run with the last ones of this machine, and add them to the history."""
    lines = [json.loads(line) for line in history.read_text().splitlines()] if history.is_file() else []
    last: dict[str, float] = {}
    for line in lines:
        if line["machine"] == machine():
            last |= line["figures"]  # a run may have measured some parts only
    for line in slowdowns(last, FIGURES):
        print(line)
    if FIGURES:
        with history.open("a", encoding="utf-8") as file:
            file.write(
                json.dumps({"machine": machine(), "when": strftime("%Y-%m-%d %H:%M"), "figures": FIGURES}) + "\n"
            )
        print(
            f"{len(FIGURES)} figures {'compared with the last ones and ' if last else ''}kept in {history.name} "
            f"({machine()})"
        )


def build_yardstick(folder: Path, into: Path) -> Path | None:
    """Return the compiled yardstick, or None, saying why, where there is no compiler or no source."""
    compiler, source = shutil.which("cc"), folder / "yardstick.c"
    if compiler is None or not source.is_file():
        print(f"yardstick: not measured ({'no C compiler' if compiler is None else f'no {source}'})")
        return None
    target = into / "yardstick"
    subprocess.run([compiler, "-O3", "-march=native", "-o", target, source], check=True)
    return target


def study(strategy: str, game: str = "moesteiro", *changes: str) -> "Study":
    """Return the study in which a strategy sits in all four seats of a game with some numbers changed."""
    from sim.printed.components import read
    from sim.runner import Study
    from strategies import catalog

    return Study(game, 4, (catalog.entrant(game, strategy, 4),), read(game, changes=changes).record, 1)


def batch(strategy: str, game: str = "moesteiro") -> Callable[[int], tuple[float, int]]:
    """Return a function that plays a number of games on one core and returns seconds of processor time and
    decisions."""
    from sim import runner

    asked = study(strategy, game)
    runner.play(asked, 0, 16)

    def play(games: int) -> tuple[float, int]:
        start, decisions = thread_time(), 0
        for first in range(0, games, runner.BATCH):
            decisions += runner.play(asked, first, runner.BATCH)[1]
        return thread_time() - start, decisions

    return play


def speed(yardstick: Path) -> None:
    """Rules and strategies against the yardstick, one core, four players."""
    with tempfile.TemporaryDirectory() as folder:
        program = build_yardstick(yardstick, Path(folder))
        for strategy, goal in (("expert", ""), ("expert_1", "0.29"), ("greedy", "1.0"), ("random_legal", "")):
            play = batch(strategy)
            rates, plain, decisions = [], [], 0
            for _ in range(ROUNDS):
                play(GAMES // 2)  # warm up for as long as the yardstick does
                seconds, decisions = play(GAMES)
                rates.append(GAMES / seconds)
                if program is not None:
                    plain.append(_plain(program))
            say(f"{strategy}: games/s", f"{median(rates):,.0f}", better=MORE)
            say(f"{strategy}: decisions a game", f"{decisions / GAMES:.1f}")
            say(
                f"{strategy}: million decisions/s",
                f"{median(rates) * decisions / GAMES / 1e6:.2f}",
                "20" if strategy == "random_legal" else "",
            )
            if plain:
                say("yardstick: games/s", f"{median(plain):,.0f}")
                ratios = [rate / other for rate, other in zip(rates, plain, strict=True)]
                say(
                    f"{strategy}: times the yardstick",
                    f"{median(ratios):.2f}",
                    goal,
                    better=MORE,
                )


def others(yardstick: Path) -> None:
    """The other large game, one core, four players, and its first compilation."""
    for strategy, goal in (("expert", ""), ("expert_1", ""), ("greedy", "60,000"), ("random_legal", "")):
        play = batch(strategy, game="abbates")
        play(GAMES // 2)
        found = [play(GAMES) for _ in range(ROUNDS)]
        say(
            f"Abbates, {strategy}: games/s",
            f"{GAMES / median(seconds for seconds, _ in found):,.0f}",
            goal,
            better=MORE,
        )
        say(f"Abbates, {strategy}: decisions a game", f"{found[0][1] / GAMES:.1f}")
    with tempfile.TemporaryDirectory() as cache:
        seconds = command("seats", "abbates", "--games", "1000", "--json", CHAPTERHOUSE_CACHE=cache)
        say("first compilation of Abbates: seconds", f"{seconds:.0f}", "under 60")


def phases(yardstick: Path) -> None:
    """Where the time of a game goes: by phase, and how much of each is the strategy's choice."""
    from scripts.bench_phases import spent
    from sim.registry import load

    game = load("moesteiro")
    found, often = spent("greedy", 4, GAMES)
    total, choosing = found.sum(), found[:, 1].sum()
    say("greedy, with a clock between the steps: the strategy", f"{100 * choosing / total:.0f} %")
    for heading, kinds in game.phases.items():
        rows = [game.asks.index(kind) for kind in kinds]
        share, own = (100 * part / total for part in (found[rows].sum(), found[rows, 1].sum()))
        say(f"    {heading}", f"{share:.1f} %", f"the strategy {own:.1f} %; {often[rows].sum():.1f} decisions a game")
    say("    dealing and counting", f"{100 * found[-1].sum() / total:.1f} %")


def second(yardstick: Path) -> None:
    """The rules against the second engines, plain Python, on the same games: they are sent chance and choices, and
    check nothing."""
    for game in ("moesteiro", "abbates"):
        say(f"{game}, random_legal: times the plain Python engine", f"{_times_plain(game):.0f}", "100", better=MORE)


def _times_plain(game: str) -> float:
    """Return how many times as fast the engine is as the plain one."""
    from sim.printed.components import read
    from sim.replay import Session, record

    engine = import_module(f"tests.reference.{game}")
    games, printed, play, asked = 40, read(game), batch("random_legal", game), study("random_legal", game)
    told = [
        [json.loads(json.dumps(line)) for line in record(Session(asked, number), printed)] for number in range(games)
    ]
    answers = [
        [line["options"][line["choice"] - 1] if line["event"] == "decision" else line for line in lines]
        for lines in told
    ]
    ratios = []
    for _ in range(ROUNDS):
        fast = GAMES / play(GAMES)[0]
        start = thread_time()
        for lines, sent in zip(told, answers, strict=True):
            requests = engine.begin(lines[0]).play()
            next(requests)
            for answer in sent[1:-1]:
                requests.send(answer)
        ratios.append(fast * (thread_time() - start) / games)
    return median(ratios)


def thinking(yardstick: Path) -> None:
    """Games played on by a thinker at the first decision against games of the bare loop, same policy, one core; a game
    of searchers."""
    from sim import runner
    from sim.compiled import entry_of
    from sim.contract import desk_for
    from sim.replay import Session
    from strategies import catalog

    games, play = 4_000, batch("expert_1")
    studies = {name: study(f"{name}:expert_1@{games}") for name in catalog.thinkers()}
    ratios: dict[str, list[float]] = {name: [] for name in studies}
    for number in range(ROUNDS):
        bare = games / play(games)[0]
        for name, asked in studies.items():
            session = Session(asked, number, stepping=False)
            session.advance()
            strategy, game = session.cast[session.player], session.game
            think, desk = entry_of(strategy.thinker), desk_for(game, [strategy])
            position = (session.components[0], session.state, session.options, session.n, strategy.weights)
            start = thread_time()
            think(game.entries, strategy.policy, *position, desk, strategy.budget)
            ratios[name].append(desk.nodes["visits"][: session.n].sum() / (thread_time() - start) / bare)
    for name, found in ratios.items():
        say(
            f"{name}: games played on, times games of the bare loop",
            f"{median(found):.2f}",
            "0.80" if name == "rollout" else "",
        )
    asked, start = study("search:expert_1@1000"), thread_time()
    runner.play(asked, 0, 3)
    say("search:expert_1@1000: seconds a game of four, one core", f"{(thread_time() - start) / 3:.1f}", "under 15")


def strength(yardstick: Path) -> None:
    """Win shares of everyone against everyone, and of look-ahead by the time that it takes; fair is one in all."""
    from scripts.bench_strength import MEASURE, curve, everyone

    for game in ("moesteiro", "abbates"):
        for players in (2, 4):
            for one, others, found in everyone(game, players):
                who = f"{game}: {one} against {players - 1} × {others}"
                say(who, f"{100 * found.share:.1f} ± {196 * found.error:.1f} %")
            for one, found in curve(game, players):
                who = f"{game}: {one} against {players - 1} × {MEASURE}, {1e3 * found.seconds:.2f} ms a game"
                say(who, f"{100 * found.share:.1f} ± {196 * found.error:.1f} %")


def worth(yardstick: Path) -> None:
    """The time until Kings dealt in one round have narrow intervals: four greedy players, all cores."""
    from analyses.worth.worth import measure
    from sim.printed.components import read
    from strategies import catalog

    half, games, seconds = 1.0, 100_000, 0.0
    while half > 0.02:
        games *= 2
        start = perf_counter()
        entrants = (catalog.entrant("moesteiro", "greedy", 4),)
        found = measure(read("moesteiro"), "kings", 4, entrants, 1, occasion=2, games=games, free=False)
        seconds, half = perf_counter() - start, float((found.things["high"] - found.things["low"]).max() / 2)
    say("Kings dealt in one round, half-width 0.02: games", f"{games:,}")
    say("Kings dealt in one round, half-width 0.02: seconds", f"{seconds:.1f}", "under 60")
    for part, factor in found.saved.items():
        say(f"deals that share no chance: times the games for {part}", f"{factor:.1f}")


# Of each sort one: a King's power, what a seat begins with, points on a track, for a set and for a tile, costs of a
# tile and a slot.
CHANGES = (
    "kings.afonso_v.vp=2", "kings.duarte.stone=2", "start.seat4.vp=1", "tracks.labour.vp.9=9", "sets.vp.5=26",
    "construction.a.9.vp=17", "village.tiles.3.pips=2", "crane.steps.1=2",
)  # fmt: skip


def pairing(yardstick: Path) -> None:
    """How many times as many games runs with different chance need to tell what a changed number does to the seats."""
    from analyses.paired import Difference
    from sim import registry
    from sim.paired import play_pairs

    for name in ("greedy", "expert_1"):
        studies = [study(name), *(study(name, "moesteiro", change) for change in CHANGES)]
        paired = play_pairs(studies, ("share", "score"), GAMES)
        saved = {
            column: [
                median(Difference(registry.load("moesteiro"), 4, (name,), paired, at).saved(groups, column))
                for at in range(1, len(studies))
            ]
            for column, groups in (("share", range(1, 5)), ("score", [0]))
        }
        each = ", ".join(f"{change} {value:.1f}" for change, value in zip(CHANGES, saved["share"], strict=True))
        say(f"{name}: unpaired, times the games for seats, median", f"{median(saved['share']):.1f}", "3")
        say(
            f"{name}: unpaired, times the games for the mean score",
            f"{median(v for v in saved['score'] if v == v):.1f}",
        )
        print(f"    {each}")


def threads(yardstick: Path) -> None:
    """Two threads against one, wall time, sums included."""
    from sim import runner

    asked, ratios = study("greedy"), []
    for _ in range(ROUNDS):
        seconds = []
        for jobs in (1, 2):
            start = perf_counter()
            runner.run(asked, games=6 * GAMES, jobs=jobs)
            seconds.append(perf_counter() - start)
        ratios.append(seconds[0] / seconds[1])
    say("two threads: times one", f"{median(ratios):.2f}", "1.93", better=MORE)


def rows(yardstick: Path) -> None:
    """What rows as Parquet cost, in processor time of all threads: four players."""
    from sim import registry, runner
    from sim.rows_file import Rows, RowsFile

    game = registry.load("moesteiro")
    for strategy in ("greedy", "expert_1"):
        asked = study(strategy)
        absent = game.absent(asked.components[0])
        runner.run(asked, games=GAMES)
        ratios = []
        for _ in range(ROUNDS):
            seconds = []
            for suffix in ("", "parquet"):
                with tempfile.TemporaryDirectory() as folder:
                    start = process_time()
                    keeper = (
                        RowsFile(Path(folder) / f"rows.{suffix}", Rows(game, 4, (strategy,), absent=absent))
                        if suffix
                        else None
                    )
                    runner.run(asked, games=4 * GAMES, keeper=keeper)
                    if keeper:
                        keeper.close()
                    seconds.append(process_time() - start)
            ratios.append(seconds[1] / seconds[0])
        say(f"{strategy}: rows as Parquet, times without", f"{median(ratios):.3f}", "at most 1.10", better=LESS)


# The least that a program with a compiled function takes: numba's import and one call of what its cache holds.
TRIVIAL = """from numba import njit

@njit("int64(int64)", cache=True)
def following(n):
    return n + 1

print(following(1))
"""


def command(*words: str, **environment: str) -> float:
    """Run the command line in a process of its own; return its wall time in seconds."""
    return program("-c", "from scripts.cli import main; main()", *words, **environment)


def program(*words: str, **environment: str) -> float:
    """Run Python in a process of its own; return its wall time in seconds."""
    start = perf_counter()
    run = [sys.executable, *words]
    subprocess.run(
        run,
        cwd=ROOT,
        env={**os.environ, **environment},
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return perf_counter() - start


def start_up(yardstick: Path) -> None:
    """The command line: warm start, first compilation, a small run."""
    command("games")
    say("chapterhouse games, warm: seconds", f"{median(command('games') for _ in range(ROUNDS)):.2f}", "under 1.0")
    small = ("seats", "moesteiro", "--games", "1000", "--json")
    command(*small)
    with tempfile.TemporaryDirectory() as folder:
        trivial = Path(folder) / "trivial.py"
        trivial.write_text(TRIVIAL, encoding="utf-8")
        seconds: list[float] = []
        ratios: list[float] = []
        for round_ in range(ROUNDS + 1):
            plain, ours = program(str(trivial)), command(*small)
            if round_ > 0:  # the first one compiles
                seconds.append(ours)
                ratios.append(ours / plain)
    say("chapterhouse seats, 1,000 games, warm: seconds", f"{median(seconds):.2f}")
    say("chapterhouse seats, warm: times a trivial numba program", f"{median(ratios):.2f}", "at most 1.4", better=LESS)
    with tempfile.TemporaryDirectory() as cache:
        say("first compilation of Moesteiro: seconds", f"{command(*small, CHAPTERHOUSE_CACHE=cache):.0f}", "under 60")


def report(yardstick: Path) -> None:
    """The default report, warm: by section, in all, and against the yardstick."""
    from scripts.bench_report import spent

    with tempfile.TemporaryDirectory() as folder:
        command("report", "--players", "2", "--games", "100", "--out", folder)
        program = build_yardstick(yardstick, Path(folder))
        plain = [_plain(program)] if program else []
        sections = spent("moesteiro")
        plain += [_plain(program)] if program else []
        for name, (games, seconds) in sections.items():
            say(f"report, {name}: seconds", f"{seconds:.1f}", f"{games:,} games")
        total = sum(seconds for _, seconds in sections.values())
        say("report: seconds of processor time", f"{total:.0f}", f"{sum(n for n, _ in sections.values()):,} games")
        if plain:
            say("report: million games of the yardstick", f"{total * sum(plain) / 2e6:.1f}", "at most 8", better=LESS)
        say("chapterhouse report, warm: seconds", f"{command('report', '--out', folder):.0f}", "under 90")


def _plain(program: Path) -> float:
    """Return the games a second of the yardstick."""
    return float(subprocess.run([program, "200000"], capture_output=True, text=True, check=True).stdout)


def memory(yardstick: Path) -> None:
    """Peak memory of a million four-player games."""
    code = (
        "import resource, sys; sys.argv[1:] = 'seats moesteiro --players 4 --games 1000000 --json'.split()\n"
        "from scripts.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    start = perf_counter()
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    say("one million four-player games: MB at most", f"{int(done.stderr.split()[-1]) / 1024:.0f}", "under 600")
    say("one million four-player games: seconds", f"{perf_counter() - start:.0f}")


PARTS: dict[str, Callable[[Path], None]] = {
    "speed": speed, "others": others, "phases": phases, "second": second, "threads": threads, "rows": rows,
    "start_up": start_up, "thinking": thinking, "strength": strength, "worth": worth, "pairing": pairing,
    "report": report, "memory": memory,
}  # fmt: skip


def main() -> None:
    """Run the parts named on the command line, or all."""
    parser = argparse.ArgumentParser(
        description="chapterhouse benchmark", epilog=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="which parts (default: all)")
    parser.add_argument(
        "--yardstick", type=Path, default=ROOT.parent / "shared" / "yardstick", help="folder of yardstick.c"
    )
    parser.add_argument(
        "--history", type=Path, default=ROOT / ".bench-history.jsonl", help="file that the figures are kept in"
    )
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    for part in arguments.parts or PARTS:
        PARTS[part](arguments.yardstick)
    keep(arguments.history)


if __name__ == "__main__":
    main()
