"""`chapterhouse sweep`: one number through a range, what it does to a measure, and where the measure reaches a goal."""

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scripts import options as o
from scripts.question import Question, Task, page
from scripts.show import column, heading, table
from sim import registry
from sim.legible import say

if TYPE_CHECKING:
    from analyses.request import Request
    from analyses.sweep import Sweep
    from scripts.progress import Progress
    from sim.printed.components import Components

Number = Annotated[
    str,
    typer.Argument(
        metavar="PATH=VALUES",
        help="A number and its values, such as kings.afonso_v.vp=0..6, 0..20:5 (every fifth) or 1,2,4. Words work too.",
    ),
]
Of = Annotated[
    str, o.option("--of", "MEASURE", "What to measure: worth:THING, power:THING, seat:N, score, lead, number:NAME.")
]
Find = Annotated[
    str | None, o.option("--find", "X", "Find the value at which the measure is X, and check it in fresh games.")
]
Games = Annotated[str | None, o.option("--games", "N", "Games of each value, rounded up to whole blocks.")]


def ask(request: "Request", number: Number, of: Of = "seat:1", find: Find = None) -> Task:
    """What does one number do? Takes it through a range of values with the same dice and draws: a curve, and where it
    meets a goal."""
    base = request.components
    path, printed, variants = variants_of(base, number)
    goal = goal_of(find, path, variants)
    from analyses.measures import MeasureError, measure
    from analyses.stated import withheld
    from analyses.sweep import GAMES, sweep
    from sim.printed.levers import read

    game, (players,) = registry.load(request.game), request.players
    try:
        asked = measure(of, game, players)
    except MeasureError as error:
        o.refuse("--of", repr(of), str(error))
    if asked.deal is not None and (why := withheld(base, asked.deal.kind)):
        o.refuse(
            "--of",
            repr(of),
            f"what does not name one of the {asked.deal.kind}, of which nothing is said one by one: {why}",
        )
    about = next((lever.words for lever in read(game, players) if lever.path == path), "")
    entrants = request.line_up(players)

    def play(bar: "Progress") -> "Sweep | None":
        found = sweep(
            request, variants, path, printed, asked, entrants, target=goal, about=about, watch=bar.watch,
            checking=lambda more: bar.name("check in fresh games"),
        )  # fmt: skip
        if not found.blocks or found.curve["estimate"].isna().any():
            return None
        if request.games and found.games != request.games and not found.interrupted:
            say(f"--games {request.games}: played {found.games} of each value, whole blocks")
        return found

    games = (request.games or GAMES) * (len(variants) + 2 * (goal is not None))  # a goal is checked at two values
    return Task(f"{game.title}, {players} players, {len(variants)} values", games, play)


def variants_of(base: "Components", text: str) -> "tuple[str, Any, list[tuple[Any, Components]]]":
    """Return the path, its printed value, and each value with its components; the printed value is always among
    them."""
    from sim.printed.components import ComponentsError, changed
    from sim.printed.levers import RANGE, Board, values_of

    path, equals, given = text.partition("=")
    path = path.strip()
    if not equals or not path:
        o.refuse("PATH=VALUES", repr(text), f"a number and its values: {RANGE}")
    try:
        values = list(values_of(given))
    except ValueError as error:
        o.refuse("PATH=VALUES", repr(text), str(error))
    game, variants = registry.load(base.game), []
    try:
        board = Board(base, game, [path])
        printed = board.printed[path]
        if printed not in values:
            values = (
                sorted([*values, printed])
                if all(type(value) is int for value in [*values, printed])
                else [printed, *values]
            )
        for value in values:
            change = board.changes({path: value})
            variants.append((value, changed(base, change) if change else base))
    except ComponentsError as error:
        raise o.WrongInputError(f"PATH=VALUES: {str(error).removeprefix('a change: ')}") from None
    if len(variants) < 2:
        o.refuse("PATH=VALUES", repr(text), f"another value than {printed}, which it has")
    return path, printed, variants


def goal_of(text: str | None, path: str, variants: "list[tuple[Any, Components]]") -> float | None:
    """Return the goal that --find gives."""
    if text is None:
        return None
    goal = o.number("--find", text, math.isfinite, "a number, in the unit of the measure")
    if not all(type(value) is int for value, _ in variants):
        o.refuse("--find", repr(text), f"nothing, as there is nothing between the values of {path}")
    return goal


def answer(found: "Sweep") -> dict[str, Any]:
    """Return the answer for machines."""
    asked = found.measure
    head: dict[str, Any] = {"path": found.path, "printed": found.printed, "about": found.about or None}
    head |= {"measure": asked.text, "unit": asked.unit, "par": asked.par}
    head |= {
        "direction": {1: "rises", -1: "falls", 0: None}[found.straight if found.numeric else 0],
        "moves": found.moved,
    }
    rows = found.curve.to_dict("records")
    curve = [row | {"verdict": row["verdict"] or None} for row in rows]
    goal = found.found
    if goal is None:
        return head | {"curve": curve, "find": None}
    checks = [
        {
            "verdict": check.word,
            "seed": check.seed,
            "games": check.games,
            "curve": check.curve[["value", "estimate", "low", "high"]],
        }
        for check in goal.checks
    ]
    crossings = [{**vars(crossing), "check": None} for crossing in goal.crossings]
    for crossing, check in zip([c for c in crossings if c["value"] == c["value"]], checks):
        crossing["check"] = check
    return head | {
        "curve": curve,
        "find": {"target": goal.target, "reached": bool(goal.reached), "nearest": goal.nearest, "crossings": crossings},
    }


def listing(found: "Sweep") -> list[Any]:
    """Return the answer for people: sentences and a table."""
    from reports.parts import Ground
    from reports.sweep import meaning, sentences, shown, verdicts

    ground = Ground.of(found.game)
    estimate, between = column(found.curve, "estimate", "low", "high")
    change, ends = column(found.curve, "change", "change_low", "change_high")
    values = [shown(value) + (" (now)" if value == found.printed else "") for value in found.curve["value"]]
    heads = (found.path, found.measure.text, "between", "change", "between", "verdict")
    rows = zip(values, estimate, between, change, ends, verdicts(found))
    said = [*sentences(ground, found), meaning(ground, found.measure, found.players)]
    return [*heading(found, f"{found.games:,} games of each of {len(found.curve)} values"), *said, table(heads, rows)]


QUESTION = Question(
    "sweep", ask, answer, listing, page("sweep"), without=("max_games",), shared={"games": (Games, None)},
    cost="It plays 20,000 games with each value, 180,000 games for seven values and a goal: about 8 seconds on two "
    "cores.",
    example="chapterhouse sweep moesteiro start.seat4.vp=0..6 --of seat:4 --find 1",
    stopped=lambda found: f"Stopped by hand: this is what {found.games:,} games of each value show.",
    small="pig goal=90..100:10 --games 2",
)  # fmt: skip
