"""`chapterhouse playtests`: do real games end as simulated ones do?"""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scripts import options as o
from scripts.output import out, writing
from scripts.progress import progress
from sim import registry
from sim.given import given_bytes

if TYPE_CHECKING:
    from analyses.playtests.log import Log
    from analyses.playtests.playtests import Compared, Playtests
    from scripts.commands.playtest_file import Games as Read

SEED, MARGIN = "1", "0.10"
LogFile = Annotated[str, typer.Argument(metavar="LOG", help="CSV file: a row for each player of each real game. --template writes one.")]
Template = Annotated[bool, typer.Option("--template", help="Write an empty LOG with the right columns, and stop.")]
Some = Annotated[
    list[str] | None,
    typer.Option("--players", metavar="N", help="Look only at games with N players, or write a template for N (repeatable)."),
]
Games = Annotated[
    str | None,
    typer.Option("--games", metavar="N", help="Simulate N games for each number of players; if not given, a hundred for each real one."),
]
Margin = Annotated[
    str, typer.Option("--margin", metavar="M", help="Say how many games would show a seat that wins more than simulated by M fair shares.")
]
OutFolder = Annotated[str | None, typer.Option("--out", metavar="FOLDER", help="Write a page and its tables there.")]


def playtests(
    game: o.GameName,
    log: LogFile,
    template: Template = False,
    players: Some = None,
    games: Games = None,
    margin: Margin = MARGIN,
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
    """Do real games end as simulated ones do? Which seats or Kings differ beyond chance, and how many more games it takes to tell.

    LOG has the columns game, players, seat, score and winner, and what was held in each round if that was written down. Scores may be
    missing, and winners where scores tell them; a row for each winner is enough. Other columns are not read.
    """
    common = o.Common.read(game, games, "1", margin, seed, jobs, o.played(strategy, unproved), files, changes, backend, scheduler)
    numbers = o.some_players(game, players or ())
    if template:
        begin(game, log, numbers if players else [o.usual_players(game)], json)
        return
    folder = o.folder(out_folder) if out_folder is not None else None
    given = read(game, log, numbers if players else [])
    if not given.logs:
        o.refuse("LOG", f"no game with {' or '.join(map(str, numbers))} players in {log!r}", "at least one game")
    found = play(common, given.logs)
    if not found.compared:
        raise o.StoppedError("Stopped by hand before enough was simulated to compare with.")
    show(found, given, json)
    if folder is not None:
        write(found, given, common, command(common, log, numbers if players else []), folder)
    if found.interrupted:
        raise o.StoppedError("Stopped by hand: this is what was simulated.")


def begin(game: str, log: str, numbers: Sequence[int], as_json: bool) -> None:
    """Write a template, and say what belongs into it."""
    from scripts.commands import playtest_file as p

    loaded = registry.load(game)
    try:
        with Path(log).open("x", encoding="utf-8", newline="") as file:
            file.write(p.template(loaded, numbers))
    except FileExistsError:
        o.refuse("--template", f"{log!r}, which is there already", "the name of a new file")
    except (OSError, ValueError) as error:
        o.refuse("--template", f"{log!r} ({o.reason(error)})", "the name of a new file that can be written")
    if as_json:
        from scripts.show import to_json

        out(to_json({"template": log, "columns": p.allowed(loaded)}))
        return
    said = p.allowed(loaded)
    out(f"{log}: a row for each player of each game; copy them for further games. If you don't know the scores, leave them empty. Columns:")
    for words in dict.fromkeys(said.values()):
        out(f"  {', '.join(name for name in said if said[name] == words)}: {words}")
    out(f"Then: chapterhouse playtests {game} {shlex.quote(log)}")


def read(game: str, log: str, only: Sequence[int]) -> "Read":
    """Return the games of a log; every wrong row is named."""
    from scripts.commands import playtest_file as p

    try:
        data = given_bytes(Path(log))
    except (OSError, ValueError) as error:
        o.refuse("LOG", f"{log!r} ({o.reason(error)})", "a CSV file that can be read; --template writes one")
    try:
        return p.read(data, Path(log).name, registry.load(game), only)
    except p.LogError as error:
        raise o.WrongInputError(*error.problems) from None


def play(common: o.Common, logs: "list[Log]") -> "Playtests":
    """Simulate and compare, with progress."""
    printed = common.components()
    from analyses.playtests.playtests import enough, fewest
    from analyses.playtests.playtests import playtests as find
    from analyses.survey import seated

    least = max(map(fewest, logs))
    if common.games and common.games < least:
        o.refuse("--games", repr(str(common.games)), f"at least {least} simulated games for so many real ones")
    with o.strategy_errors():
        chairs = {log.players: seated(common.game, common.strategies, log.players) for log in logs}
    total = sum(-(-(common.games or enough(log)) // log.players) * log.players for log in logs)
    title = registry.load(common.game).title
    with common.where.playing(), progress(f"{title}, simulated", total) as bar:
        return find(
            printed, logs, chairs.__getitem__, common.seed, games=common.games, margin=common.margin, jobs=common.jobs, watch=bar.watch
        )


def answer(found: "Playtests", given: "Read") -> dict[str, Any]:
    """Return what was found for machines: no times and no number of jobs, so that it is the same on every machine."""
    components = found.components
    head: dict[str, Any] = {"game": components.game, "rules_version": registry.load(components.game).version}
    head |= {"components": components.digest, **components.counts._asdict(), "seed": found.seed}
    head |= {
        "games": found.games,
        "left_out": given.left_out,
        "remarks": list(given.remarks),
        "margin": found.margin,
        "questions": found.questions,
    }
    return head | {"interrupted": found.interrupted, "verdict": found.word, "by_players": [_compared(one) for one in found.compared]}


def _compared(one: "Compared") -> dict[str, Any]:
    head = {"players": one.players, "games": one.games, "verdict": one.word, "words": one.words, "risk": one.risk}
    head |= {"simulated_games": one.simulated, "blocks": one.blocks, "seated": list(one.strategies)}
    return head | {"seats": one.seats, "scores": one.scores, "things": one.things}


def show(found: "Playtests", given: "Read", as_json: bool) -> None:
    """Print what was found, for people or machines."""
    from scripts import show as s

    if as_json:
        out(s.to_json(answer(found, given)))
        return
    from reports import playtests as words
    from reports.parts import Ground

    components = found.components
    ground = Ground.of(components.game)
    parts: list[Any] = [f"{registry.load(components.game).title} (seed {found.seed}, components {components.digest})"]
    parts += [components.counts.notice, words.played(found)]
    parts += words.log_said(given.left_out, given.remarks)
    for one in found.compared:
        for question in words.questions_of(ground, one):
            parts += ["", s.table(question.heads, question.rows), *question.sentences]
    s.show(*parts, "", words.headline(ground, found), words.CAUTION)


def write(found: "Playtests", given: "Read", common: o.Common, again: str, folder: Path) -> None:
    """Write the page and its tables."""
    from reports import playtests as words
    from reports.page import Part, write_part
    from reports.parts import Ground

    ground = Ground.of(common.game)
    facts = [("seed", str(found.seed)), ("games", words.played(found))]
    games = sum(one.simulated for one in found.compared)
    section = words.section(ground, found, words.log_said(given.left_out, given.remarks))
    part = Part(
        "playtests", "Playtests", words.headline(ground, found), words.answers(ground, found), [section],
        words.frames(found), found.components, games, [again], facts, found.interrupted,
    )  # fmt: skip
    with writing(folder):
        write_part(part, folder)


def command(common: o.Common, log: str, numbers: Sequence[int]) -> str:
    """Return what to type to do it again."""
    words = ["chapterhouse", "playtests", common.game, Path(log).name]
    words += [word for number in numbers for word in ("--players", str(number))]
    words += [word for text in common.strategies for word in ("--strategy", text)]
    words += ["--games", str(common.games)] if common.games else []
    return shlex.join([*words, *common.again()])
