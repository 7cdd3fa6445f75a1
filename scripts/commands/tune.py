"""`chapterhouse tune`: better weights for a strategy, by self-play; a run that is stopped can be gone on with."""

import json
import math
import os
import shlex
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scripts import options as o
from scripts.output import OutputError, out, tell, writing
from scripts.progress import progress, silent
from sim.files import write_whole
from sim.given import given_text

if TYPE_CHECKING:
    from analyses.tuning import Generation, Match, Plan, Tuning

GENERATIONS, GAMES, TEST_GAMES, NUMBERS, STEP, SEED, OUT = "100", "1000", "4000", "2", "0.2", "1", "tuned.toml"
Strategy = Annotated[
    str | None,
    typer.Option(
        "--strategy", metavar="NAME", autocompletion=o.STRATEGIES,
        help="Whose weights are tuned; those of the game's weighted strategy if not given.",
    ),
]  # fmt: skip
Against = Annotated[
    list[str] | None,
    typer.Option(
        "--against", metavar="NAME", autocompletion=o.STRATEGIES, help="First opponents (repeatable); all of the game's if not given."
    ),
]
Games = Annotated[str, typer.Option("--games", metavar="N", help="Games of each candidate in each generation.")]
Generations = Annotated[str, typer.Option("--generations", metavar="N", help="How many generations, those of a resumed run included.")]
Population = Annotated[str | None, typer.Option("--population", metavar="N", help="Candidates of a generation; more for more weights.")]
Numbers = Annotated[
    str,
    typer.Option("--numbers", metavar="N", help="Numbers for each weight over the rounds: 1 shifts it, 2 tilt it, … one for each round."),
]
Step = Annotated[
    str, typer.Option("--step", metavar="S", help="First standard deviation of a weight, as a part of its size, between 0 and 1.")
]
TestGames = Annotated[str, typer.Option("--test-games", metavar="N", help="Games of each test at the end, on chance of its own.")]
WeightsFile = Annotated[
    str, typer.Option("--out", metavar="FILE.toml", help="Where the weights go; FILE.jsonl beside it keeps the generations.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the run that FILE.jsonl keeps.")]


def tune(
    game: o.GameName,
    players: o.SomePlayersOrUsual = None,
    strategy: Strategy = None,
    against: Against = None,
    unproved: o.Unproved = False,
    games: Games = GAMES,
    generations: Generations = GENERATIONS,
    population: Population = None,
    numbers: Numbers = NUMBERS,
    step: Step = STEP,
    seed: o.Seed = SEED,
    jobs: o.Jobs = None,
    files: o.Files = None,
    changes: o.Changes = None,
    out_file: WeightsFile = OUT,
    resume: Resume = False,
    test_games: TestGames = TEST_GAMES,
    backend: o.Backend = "threads",
    scheduler: o.Scheduler = None,
    quiet: o.Quiet = False,
    json: o.Json = False,
) -> None:
    """Make a strategy stronger: its weights are evolved by self-play and written as a file that --strategy takes."""
    o.game_name(game)
    seats = o.some_players(game, players or [str(o.usual_players(game))])
    goal = o.whole("--generations", generations, 1, 10**6)
    tests = o.whole("--test-games", test_games, 1, o.MOST_GAMES)
    threads = -1 if jobs is None else o.whole("--jobs", jobs, 1, o.MOST_JOBS)
    against = o.played(against, unproved)
    where = o.Where.read(backend, scheduler, jobs)
    asked = (
        o.whole("--games", games, 1, o.MOST_GAMES),
        None if population is None else o.whole("--population", population, 4, 10_000),
        o.whole("--numbers", numbers, 1, 1_000),
        o.fraction("--step", step),
        o.whole("--seed", seed, 0, o.MOST_SEED),
    )
    target = o.file("--out", out_file, (".toml",))
    state = target.with_suffix(".jsonl")
    printed = o.read_components(game, files, changes)
    with where.playing(), silent(quiet):
        tuning = begin(plan_of(game, seats, strategy, against or [], *asked), printed, state, resume)
        ended = evolve(tuning, goal, state, threads)
        matches = [] if ended else test(tuning, tests, threads)
    if not tuning.found:
        raise o.StoppedError("Stopped by hand before a generation was played.")
    words = ["chapterhouse", "tune", game, *(word for n in seats for word in ("--players", str(n)))]
    words += ["--strategy", strategy] if strategy else []
    words += [word for name in against or [] for word in ("--against", name)]
    words += [word for name in files or [] for word in ("--components", name)] + [
        word for text in changes or [] for word in ("--set", text)
    ]
    words += ["--games", games, "--population", str(tuning.plan.population), "--numbers", numbers, "--step", step]
    words += ["--seed", seed]
    command = shlex.join([*words, "--generations", str(len(tuning.found))])
    if ended is None and (len(matches) < len(seats) * len(tuning.plan.against) or matches[-1].games < tests):
        ended = o.StoppedError("Stopped by hand before all tests were played.")
    show(tuning, target, matches, ended is not None, json)
    keep(target, tuning, command, matches)
    if ended:
        raise ended


def plan_of(
    game: str,
    players: Sequence[int],
    strategy: str | None,
    against: Sequence[str],
    games: int,
    population: int | None,
    numbers: int,
    step: float,
    seed: int,
) -> "Plan":
    """Return what is to be tuned against whom.

    Raises:
        WrongInputError, StrategyError: one of the strategies can't be used so.
    """
    from analyses.tuning import Plan, Space
    from strategies import catalog
    from strategies._weights_file import POLICY

    most = max(players)
    if strategy is not None:
        start = catalog.chair(game, strategy, most)
    elif POLICY in catalog.policies(game):
        start = catalog.Seated(POLICY, game, POLICY, "")
    else:
        o.refuse("--strategy", "none", f"one with weights by name, as {game} has no weighted one: {', '.join(catalog.policies(game))}")
    if start.source or start.thinker:
        o.refuse("--strategy", repr(strategy), "a strategy that comes with the game, or a file of weights: others can't be written as one")
    first = tuple(catalog.chair(game, name, most) for name in against or opponents(game, players))
    for number in players:
        for chair in (start, *first):
            chair.check(number)
    length = Space(start, numbers).length
    return Plan(game, tuple(players), start, first, games, population or 4 + int(3 * length**0.5), numbers, step, seed=seed)


def opponents(game: str, players: Sequence[int]) -> list[str]:
    """Return the game's strategies that plan and can play with all these numbers of players."""
    from analyses.survey import RANDOM
    from sim.runner import StrategyError
    from strategies import catalog

    def able(name: str) -> bool:
        try:
            return all(catalog.chair(game, name, number) for number in players)
        except StrategyError:
            return False

    return [name for name in catalog.names(game) if name != RANDOM and able(name)]


def begin(plan: "Plan", printed: Any, state: Path, resume: bool) -> "Tuning":
    """Return the tuning, with all that its file holds if it is gone on with; else the file is begun.

    Raises:
        WrongInputError: the library is missing, or the file is of another run, damaged, or there already.
    """
    from analyses.tuning import DifferentError, Tuning

    try:
        tuning = Tuning(plan, printed)
    except ImportError:
        o.missing("tune", "cma")
    if not resume:
        if state.exists():
            o.refuse("--out", f"{str(state)!r}, which holds another run", "another name, or --resume to go on with that run")
        write(state, json.dumps(tuning.settings()) + "\n", "x")
        return tuning
    try:
        lines = [json.loads(line) for line in given_text(state).splitlines()]
        kept, generations = lines[0], [_generation(line, number) for number, line in enumerate(lines[1:], 1)]
        differing = [name for name, value in tuning.settings().items() if kept.get(name) != value]
    except (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError) as error:
        o.refuse("--resume", f"{str(state)!r} ({o.reason(error)})", "the file of a run that was begun without --resume")
    if differing:
        name = differing[0]
        o.refuse("--resume", f"{name} {tuning.settings()[name]!r}", f"what {str(state)!r} was begun with, {kept.get(name)!r}")
    try:
        for generation in generations:
            tuning.again(generation)
    except (DifferentError, ValueError) as error:
        o.refuse("--resume", f"{str(state)!r} ({o.reason(error)})", "a run of the same versions of chapterhouse, cma and numpy")
    return tuning


def _generation(line: dict[str, Any], number: int) -> "Generation":
    """Return a generation from a line of the file.

    Raises:
        ValueError and others of its kind: the line is none of this number.
    """
    from analyses.tuning import Generation

    found = Generation(line["number"], tuple(line["worth"]), tuple(line["mean"]))
    if type(found.number) is not int or found.number != number:
        raise ValueError(f"line {number + 1} is not generation {number}")
    if not all(type(value) in (int, float) and math.isfinite(value) for value in (*found.worth, *found.mean)):
        raise ValueError(f"line {number + 1} holds what is no number")
    return found


def evolve(tuning: "Tuning", goal: int, state: Path, jobs: int) -> Exception | None:
    """Play generations up to a number, with progress, and keep each; return what ended that early, to be raised when all has been told."""
    begun = len(tuning.found)
    most = max(0, goal - begun) * tuning.games
    with o.strategy_errors(), progress(f"generation {begun + 1} of {goal}", most) as bar:
        try:
            while len(tuning.found) < goal:
                found = tuning.step(jobs, bar.watch)
                line = {"number": found.number, "worth": list(found.worth), "mean": list(found.mean)}
                write(state, json.dumps(line) + "\n", "a")
                best = max(found.worth)
                bar.reach((found.number - begun) * tuning.games, f"generation {found.number + 1} of {goal}, best {best:.3f}")
        except KeyboardInterrupt:
            return o.StoppedError(f"Stopped by hand after generation {len(tuning.found)}: {state} holds it, --resume goes on.")
        except OutputError as error:
            return error
    return None


def test(tuning: "Tuning", games: int, jobs: int) -> "list[Match]":
    """Play the weights that were found against each of the first opponents, on chance that the tuning has not met."""
    plan = tuning.plan
    with o.strategy_errors(), progress("tests", games * len(plan.players) * len(plan.against)) as bar:
        return tuning.test(games, jobs, bar.watch)


def keep(target: Path, tuning: "Tuning", command: str, matches: "Sequence[Match]") -> None:
    """Write the file of weights; its comment says how they were made and how they were tested."""
    from strategies import _weights_file, catalog

    plan = tuning.plan
    module = import_module(f"{catalog.package(plan.game)}.{plan.start.where}")
    made = f"{len(tuning.found)} generations of {plan.population} candidates, {plan.games} games each."
    paragraphs = [f"Weights of {plan.start.name}, tuned by self-play.", f"From: {made}", f"  {command}"]
    if matches:
        paragraphs.append(f"Tested on other chance than it was tuned on (seed {matches[0].seed}):")
        paragraphs.append("\n".join(f"  {match.sentence()}" for match in matches))
    text = _weights_file.write(paragraphs, tuning.weights(), getattr(module, "MEANING", {}), plan.start.where)
    with writing(target):
        write_whole(target, text.encode())


def show(tuning: "Tuning", target: Path, matches: "Sequence[Match]", interrupted: bool, as_json: bool) -> None:
    """Print what was found."""
    from scripts.show import to_json

    if as_json:
        rows = [
            {name: getattr(match, name) for name in ("players", "against", "games", "seed", "share", "low", "high")} for match in matches
        ]
        head = {"weights": str(target), "generations": len(tuning.found), "interrupted": interrupted}
        out(to_json(head | {"found": tuning.weights(), "tests": rows}))
    else:
        tell(*(match.sentence() for match in matches), f"Weights: {target}")


def write(path: Path, text: str, mode: str) -> None:
    """Write a text to a new file, or behind what a file holds: all of it or nothing."""
    with writing(path):
        before = path.stat().st_size if mode == "a" else 0
        try:
            with path.open(mode, encoding="utf-8", newline="") as file:
                file.write(text)
        except OSError:
            with suppress(OSError):
                os.truncate(path, before)
            raise
