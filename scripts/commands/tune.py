"""`chapterhouse tune`: better weights for a strategy, by self-play. You can continue a run that has stopped."""

import json
import math
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from analyses.request import flags
from scripts import completion
from scripts import options as o
from scripts.commands import teaching
from scripts.output import OutputError, writing
from scripts.progress import Progress
from scripts.question import USUAL, Finding, Question, Task
from sim import registry
from sim.files import write_whole
from sim.given import given_text

if TYPE_CHECKING:
    from analyses.request import Request
    from analyses.tuning import Generation, NewStrategy, Tuned, Tuning, TuningPlan

GENERATIONS, GAMES, TEST_GAMES, NUMBERS, STEP, OUT = "100", "1000", "4000", "2", "0.2", "tuned.toml"
Strategy = Annotated[
    list[str] | None,
    o.option(
        "--strategy",
        "NAME",
        "Whose weights to tune; if not given, the game's only one that has any.",
        completion.strategies,
    ),
]
Against = Annotated[
    list[str] | None,
    o.option(
        "--against",
        "NAME",
        "The first opponents (repeatable); all strategies of the game if not given.",
        completion.strategies,
    ),
]
Games = Annotated[str, o.option("--games", "N", "Games of each candidate in each generation.")]
Generations = Annotated[
    str, o.option("--generations", "N", "How many generations in all, including those of a resumed run.")
]
Population = Annotated[
    str | None, o.option("--population", "N", "Candidates in a generation; if not given, more for more weights.")
]
Numbers = Annotated[
    str,
    o.option(
        "--numbers",
        "N",
        "Parameters for each weight over the rounds: 1 constant, 2 linear, and so on up to one per round.",
    ),
]
Step = Annotated[
    str, o.option("--step", "S", "The first standard deviation of a weight, as a share of its size, between 0 and 1.")
]
TestGames = Annotated[str, o.option("--test-games", "N", "Games of each test at the end, which are fresh games.")]
WeightsFile = Annotated[
    str, o.option("--out", "FILE.toml", "Write the weights there; FILE.jsonl next to it keeps the generations.")
]
Teacher = Annotated[
    str | None,
    o.option(
        "--teacher",
        "NAME",
        "Learn from this look-ahead instead, such as rollout:expert_1@4: --games are then those for each number of "
        f"players ({int(teaching.GAMES):,} if not given).",
    ),
]
Resume = Annotated[bool, o.option("--resume", "", "Continue the run that FILE.jsonl keeps.")]


def ask(
    request: "Request",
    against: Against = None,
    teacher: Teacher = None,
    unproved: o.Unproved = False,
    generations: Generations = GENERATIONS,
    population: Population = None,
    numbers: Numbers = NUMBERS,
    step: Step = STEP,
    out_file: WeightsFile = OUT,
    resume: Resume = False,
    test_games: TestGames = TEST_GAMES,
) -> Task:
    """Make a strategy stronger: evolve its weights by self-play, or let it learn from look-ahead, and write a file for
    --strategy."""
    if teacher is not None:
        others = {
            "--against": (against, None), "--generations": (generations, GENERATIONS), "--resume": (resume, False),
            "--population": (population, None), "--numbers": (numbers, NUMBERS), "--step": (step, STEP),
            "--unproved": (unproved, False),
        }  # fmt: skip
        return teaching.task(request, teacher, test_games, o.file("--out", out_file, (".toml",)), others)
    goal = o.whole("--generations", generations, 1, 10**6)
    tests = o.whole("--test-games", test_games, 1, o.MOST_GAMES)
    against = o.played(against, unproved) or []
    asked = (
        None if population is None else o.whole("--population", population, 4, 10_000),
        o.whole("--numbers", numbers, 1, 1_000),
        o.fraction("--step", step),
    )
    target = o.file("--out", out_file, (".toml",))
    state = target.with_suffix(".jsonl")
    tuning = begin(plan_of(request, against, *asked), request.components, state, resume)
    plan, begun = tuning.plan, len(tuning.found)
    matches = len(plan.players) * len(plan.against)
    from analyses.tuning import Tuned

    words = [*flags("--against", against), "--population", str(plan.population), "--numbers", numbers, "--step", step]
    words += ["--test-games", test_games, "--generations", generations]

    def play(bar: Progress) -> "Tuned | None":
        ended = evolve(tuning, goal, state, request.jobs, bar)
        bar.name("tests")
        found = [] if ended else tuning.test(tests, request.jobs, bar.watch)
        if ended is None and (len(found) < matches or found[-1].games < tests):
            ended = o.StoppedError("Stopped by hand before all tests were played.")
        words[-1] = str(len(tuning.found))  # so that the command finds these weights
        played = replace(tuning.played, interrupted=ended is not None)
        return Tuned(played, found, target, ended, tuning) if tuning.found else None

    games = max(0, goal - begun) * tuning.games + tests * matches
    return Task(f"generation {begun + 1} of {goal}", games, play, words=words)


def plan_of(
    request: "Request", against: Sequence[str], population: int | None, numbers: int, step: float
) -> "TuningPlan":
    """Return what is to be tuned against whom.

    Raises:
        WrongInputError, StrategyError: one of the strategies can't be used so.
    """
    from analyses.tuning import TuningPlan, WeightSpace
    from strategies import catalog
    from strategies._weights_file import POLICY

    game, players, named = request.game, request.players, request.strategies
    most = max(players)
    if len(named) > 1:
        o.refuse("--strategy", f"{len(named)} strategies", "the one whose weights are tuned")
    if named:
        start = catalog.entrant(game, named[0], most)
    elif POLICY in catalog.policies(game):
        start = catalog.Seated(POLICY, game, POLICY, "")
    elif len(weighted := catalog.policies(game)) == 1:
        start = catalog.entrant(game, weighted[0], most)
    else:
        which = ", ".join(weighted) or f"{registry.shown(game)} has none"
        o.refuse("--strategy", "none", f"one with weights by name: {which}")
    if start.source or start.thinker:
        wanted = "a strategy that comes with the game, or a file of weights: others can't be written as one"
        o.refuse("--strategy", repr(named[0]), wanted)
    first = tuple(catalog.entrant(game, name, most) for name in against or opponents(game, players))
    for number in players:
        for entrant in (start, *first):
            entrant.check(number)
    population = population or 4 + int(3 * WeightSpace(start, numbers).length ** 0.5)
    return TuningPlan(
        game, players, start, first, request.games or int(GAMES), population, numbers, step, seed=request.seed
    )


def opponents(game: str, players: Sequence[int]) -> list[str]:
    """Return the game's strategies that plan and can play with all these numbers of players."""
    from analyses.survey import RANDOM
    from sim.runner import StrategyError
    from strategies import catalog

    def able(name: str) -> bool:
        try:
            return all(catalog.entrant(game, name, number) for number in players)
        except StrategyError:
            return False

    return [name for name in catalog.names(game) if name != RANDOM and able(name)]


def begin(plan: "TuningPlan", printed: Any, state: Path, resume: bool) -> "Tuning":
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
            o.refuse(
                "--out", f"{str(state)!r}, which holds another run", "another name, or --resume to go on with that run"
            )
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
        o.refuse(
            "--resume", f"{name} {tuning.settings()[name]!r}", f"what {str(state)!r} was begun with, {kept.get(name)!r}"
        )
    try:
        for generation in generations:
            tuning.again(generation)
    except (DifferentError, ValueError) as error:
        o.refuse(
            "--resume",
            f"{str(state)!r} ({o.reason(error)})",
            "a run of the same versions of chapterhouse, cma and numpy",
        )
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


def evolve(tuning: "Tuning", goal: int, state: Path, jobs: int, bar: Progress) -> Exception | None:
    """Play generations up to a number and keep each; return what ended that early."""
    begun = len(tuning.found)
    try:
        while len(tuning.found) < goal:
            found = tuning.step(jobs, bar.watch)
            line = {"number": found.number, "worth": list(found.worth), "mean": list(found.mean)}
            write(state, json.dumps(line) + "\n", "a")
            best = max(found.worth)
            bar.reach(
                (found.number - begun) * tuning.games, f"generation {found.number + 1} of {goal}, best {best:.3f}"
            )
    except KeyboardInterrupt:
        return o.StoppedError(
            f"Stopped by hand after generation {len(tuning.found)}: {state} holds it, --resume goes on."
        )
    except OutputError as error:
        return error
    return None


def keep(finding: Finding) -> None:
    """Write the file of weights; its comment says how they were made and how they were tested."""
    from strategies import _weights_file, catalog

    found: NewStrategy = finding.found
    paragraphs, entrant = found.made(finding.command), found.entrant
    if found.matches:
        paragraphs.append(f"Tested on new games (seed {found.matches[0].seed}):")
        paragraphs.append("\n".join(f"  {match.sentence()}" for match in found.matches))
    meaning = getattr(catalog.module(entrant.game, entrant.where), "MEANING", {})
    text = _weights_file.write(paragraphs, dict(entrant.changes), meaning, entrant.where)
    with writing(found.target):
        write_whole(found.target, text.encode())
    if found.ended is not None:
        raise found.ended


def answer(found: "NewStrategy") -> dict[str, Any]:
    """Return the answer for machines."""
    names = "players", "against", "games", "seed", "share", "low", "high"
    tests = [{name: getattr(match, name) for name in names} for match in found.matches]
    return {"weights": str(found.target), **found.told(), "tests": tests}


def listing(found: "NewStrategy") -> list[Any]:
    """Return the answer for people."""
    return [*found.sentences(), *(match.sentence() for match in found.matches), f"Weights: {found.target}"]


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


QUESTION = Question(
    "tune",
    ask,
    answer,
    listing,
    players=USUAL,
    without=("max_games", "margin", "out_folder", "figures", "form", "unproved"),
    shared={"games": (Games, GAMES), "strategy": (Strategy, None)},
    keep=keep,
    example="chapterhouse tune moesteiro --players 2 --strategy mine.toml --out better.toml",
    cost="As it is, it plays 2,700,000 games of Moesteiro, for 100 generations: about two minutes on two cores.",
    nothing="Stopped by hand before a generation was played.",
    small="pig --games 2 --generations 1 --population 4 --test-games 2 --strategy hold_at",
)
