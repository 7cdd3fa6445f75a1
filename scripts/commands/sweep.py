"""`chapterhouse sweep`: one number through a range, what it does to something that is measured, and where that reaches a goal."""

import math
import shlex
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scripts import options as o
from scripts.output import out, writing
from scripts.progress import progress
from sim import registry
from sim.legible import say

if TYPE_CHECKING:
    from pathlib import Path

    from analyses.sweep import Sweep
    from sim.printed.components import Components

MARGIN, SEED = "0.10", "1"
Number = Annotated[
    str,
    typer.Argument(
        metavar="PATH=VALUES", help="A number and its values, as kings.afonso_v.vp=0..6, 0..20:5 (every fifth) or 1,2,4; words too."
    ),
]
Of = Annotated[
    str, typer.Option("--of", metavar="MEASURE", help="What is measured: worth:THING, power:THING, seat:N, score, lead, number:NAME.")
]
Find = Annotated[str | None, typer.Option("--find", metavar="X", help="Find the value at which the measure is X, checked on fresh chance.")]
Games = Annotated[str | None, typer.Option("--games", metavar="N", help="Games of each value, rounded up to whole blocks.")]
OutFolder = Annotated[str | None, typer.Option("--out", metavar="FOLDER", help="Write a page, sweep.html, and its tables there.")]


def sweep(
    game: o.GameName,
    number: Number,
    of: Of = "seat:1",
    find: Find = None,
    players: o.Players = None,
    games: Games = None,
    margin: o.Margin = MARGIN,
    seed: o.Seed = SEED,
    jobs: o.Jobs = None,
    out_folder: OutFolder = None,
    files: o.Files = None,
    changes: o.Changes = None,
    strategy: o.Strategies = None,
    unproved: o.Unproved = False,
    backend: o.Backend = "threads",
    scheduler: o.Scheduler = None,
    json: o.Json = False,
) -> None:
    """What does one number do? It goes through a range of values on the same chance: a curve with its band, and where a goal is reached."""
    common = o.Common.read(
        game, games, str(o.MOST_GAMES), margin, seed, jobs, o.played(strategy, unproved), files, changes, backend, scheduler
    )
    count = o.some_players(game, [players])[0] if players is not None else o.usual_players(game)
    folder = o.folder(out_folder) if out_folder is not None else None
    base = common.components()
    path, printed, variants = variants_of(common, base, number)
    found = measured(common, base, path, printed, variants, count, of, goal_of(find, path, variants))
    if not found.blocks or found.curve["estimate"].isna().any():
        raise o.StoppedError("Stopped by hand before anything was played.")
    command = shlex.join(["chapterhouse", "sweep", game, number, *_words(common, found, find)])
    if json:
        from scripts.show import to_json

        out(to_json(answer(found)))
    else:
        listing(found)
    if folder is not None:
        save(found, base, command, folder)
    if found.interrupted:
        raise o.StoppedError(f"Stopped by hand: this is what {found.games:,} games of each value show.")


def variants_of(common: o.Common, base: "Components", text: str) -> "tuple[str, Any, list[tuple[Any, Components]]]":
    """Return path, printed value, and each value with the components that have it; the printed value is always among them."""
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
    game, variants = registry.load(common.game), []
    try:
        board = Board(base, game, [path])
        printed = board.printed[path]
        if printed not in values:
            values = sorted([*values, printed]) if all(type(value) is int for value in [*values, printed]) else [printed, *values]
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
    try:
        goal = float(text)
    except ValueError:
        goal = math.nan
    if not math.isfinite(goal):
        o.refuse("--find", repr(text), "a number, in the unit of the measure")
    if not all(type(value) is int for value, _ in variants):
        o.refuse("--find", repr(text), f"nothing, as there is nothing between the values of {path}")
    return goal


def measured(
    common: o.Common, base: "Components", path: str, printed: Any, variants: Any, players: int, of: str, target: float | None
) -> "Sweep":
    """Play, with progress."""
    from analyses.measures import MeasureError, measure
    from analyses.stated import withheld
    from analyses.survey import seated
    from analyses.sweep import GAMES
    from analyses.sweep import sweep as play
    from sim.printed.levers import read

    game = registry.load(common.game)
    try:
        asked = measure(of, game, players)
    except MeasureError as error:
        o.refuse("--of", repr(of), str(error))
    if asked.deal is not None and (why := withheld(base, asked.deal.kind)):
        o.refuse("--of", repr(of), f"what does not name one of the {asked.deal.kind}, of which nothing is said one by one: {why}")
    about = next((lever.words for lever in read(game, players) if lever.path == path), "")
    with o.strategy_errors():
        chairs = seated(common.game, common.strategies, players)
    games = common.games or GAMES
    total = games * (len(variants) + 2 * (target is not None))  # a goal is checked at two values
    with common.where.playing(), progress(f"{game.title}, {players} players, {len(variants)} values", total) as bar:
        found = play(
            variants, path, printed, base, asked, players, chairs, common.seed, games=games, target=target, about=about,
            margin=common.margin, jobs=common.jobs, watch=bar.watch, checking=lambda more: bar.name("check on fresh chance"),
        )  # fmt: skip
    if common.games and found.games != common.games and not found.interrupted:
        say(f"--games {common.games}: {found.games} of each value were played, whole blocks")
    return found


def _words(common: o.Common, found: "Sweep", find: str | None) -> list[str]:
    names = [word for text in common.strategies for word in ("--strategy", text)]
    goal = ["--find", find] if find is not None else []
    return ["--of", found.measure.text, *goal, "--players", str(found.players), *names, "--games", str(found.games), *common.again()]


def answer(found: "Sweep") -> dict[str, Any]:
    """Return what was found for machines: no times and no number of jobs, so that it is the same on every machine."""
    asked = found.measure
    head: dict[str, Any] = {"game": found.game, "rules_version": found.rules_version, "players": found.players}
    head |= {"seated": list(found.strategies), "games": found.games, "blocks": found.blocks, "seed": found.seed}
    head |= {"intervals": "sequence" if found.sequential else "fixed", "interrupted": found.interrupted}
    head |= {"components": found.components, **found.counts._asdict(), "margin": found.margin}
    head |= {"path": found.path, "printed": found.printed, "about": found.about or None}
    head |= {"measure": asked.text, "unit": asked.unit, "par": asked.par}
    head |= {"direction": {1: "rises", -1: "falls", 0: None}[found.straight if found.numeric else 0], "moves": found.moved}
    rows = found.curve.to_dict("records")
    curve = [row | {"verdict": row["verdict"] or None} for row in rows]
    goal = found.found
    if goal is None:
        return head | {"curve": curve, "find": None}
    checks = [
        {"verdict": check.word, "seed": check.seed, "games": check.games, "curve": check.curve[["value", "estimate", "low", "high"]]}
        for check in goal.checks
    ]
    crossings = [{**vars(crossing), "check": None} for crossing in goal.crossings]
    for crossing, check in zip([c for c in crossings if c["value"] == c["value"]], checks):
        crossing["check"] = check
    return head | {
        "curve": curve,
        "find": {"target": goal.target, "reached": bool(goal.reached), "nearest": goal.nearest, "crossings": crossings},
    }


def listing(found: "Sweep") -> None:
    """Print what was found for people."""

    from reports.parts import Ground
    from reports.sweep import meaning, sentences, shown
    from scripts.show import column, show, table

    ground = Ground.of(found.game)
    who = f"{found.players} players, {' and '.join(found.strategies)}"
    head = f"{found.title}, {who}: {found.games:,} games of each of {len(found.curve)} values"
    parts: list[Any] = [f"{head} (seed {found.seed}, components {found.components})"]
    parts += filter(None, [found.counts.notice])
    parts += [*sentences(ground, found), meaning(ground, found.measure, found.players)]
    estimate, between = column(found.curve, "estimate", "low", "high")
    change, ends = column(found.curve, "change", "change_low", "change_high")
    values = [shown(value) + (" (now)" if value == found.printed else "") for value in found.curve["value"]]
    heads = (found.path, found.measure.text, "between", "change", "between", "margin")
    parts.append(table(heads, zip(values, estimate, between, change, ends, found.curve["verdict"])))
    show(*parts)


def save(found: "Sweep", base: "Components", command: str, folder: "Path") -> None:
    """Write the page and its tables."""
    from reports.page import Part, write_part
    from reports.parts import Ground
    from reports.sweep import headline, section

    ground = Ground.of(found.game)
    tables = {"sweep": found.curve.assign(value=found.curve["value"].astype(str))}
    tables |= {f"sweep_check{number}": check.curve for number, check in enumerate(found.found.checks, 1)} if found.found else {}
    who = f"{found.players} players, {' and '.join(found.strategies)}; {found.games:,} games of each value"
    facts = [("played", who), ("seed", str(found.seed)), ("rules", f"version {found.rules_version}")]
    part = Part(
        "sweep", "What does one number do?", headline(ground, found), [], [section(ground, found)], tables, base, found.played,
        [command], facts, found.interrupted,
    )  # fmt: skip
    with writing(folder):
        write_part(part, folder)
