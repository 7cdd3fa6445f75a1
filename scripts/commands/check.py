"""`chapterhouse check`: balance as a test, with an exit status that says whether all limits hold."""

import math
import shlex
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scripts import options as o
from scripts.output import out, tell, writing
from scripts.progress import progress
from scripts.status import Status
from sim import registry

if TYPE_CHECKING:
    from analyses.check import Check, Question

STATUS: dict[str, int] = {"inside": Status.ANSWERED, "outside": Status.LIMIT_BROKEN, "undecided": Status.UNDECIDED}
MAX_GAMES, SEED = "200000", "1"
SEAT_OPTION, THING_OPTION = "--max-seat-index", "--max-thing-index"
MaxSeat = Annotated[
    str | None, typer.Option(SEAT_OPTION, metavar="X", help="Limit for seats: no seat may win more than X times its fair share.")
]
MaxThing = Annotated[
    str | None,
    typer.Option(
        THING_OPTION,
        "--max-king-index",
        metavar="X",
        help="Limit for the game's first kind of thing (Kings, …), dealt by chance: no holder may win more than X times the fair share.",
    ),
]
OutFolder = Annotated[str | None, typer.Option("--out", metavar="FOLDER", help="Write a page and its tables there.")]


def check(
    game: o.GameName,
    max_seat_index: MaxSeat = None,
    max_thing_index: MaxThing = None,
    players: o.SomePlayers = None,
    games: o.Games = None,
    max_games: o.MaxGames = MAX_GAMES,
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
    """Balance as a test: do all limits hold? Exit status 0 if they do, 1 if one is broken, 3 if --max-games decide too little.

    Each limit is asked with each number of players, and each of these questions plays up to --max-games of its own.
    """
    common = o.Common.read(game, games, max_games, "0.10", seed, jobs, o.played(strategy, unproved), files, changes, backend, scheduler)
    asked = wanted(common, o.some_players(game, players or ()), max_seat_index, max_thing_index)
    folder = o.folder(out_folder) if out_folder is not None else None
    found = play(common, asked)
    if not found.answers:
        raise o.StoppedError(o.NOTHING)
    show(found, json)
    if folder is not None:
        write(found, common, asked, folder)
    if found.interrupted:
        raise o.StoppedError("Stopped by hand: this is what was played.")
    raise typer.Exit(STATUS[found.word])


def wanted(common: o.Common, players: list[int], seat: str | None, thing: str | None) -> "list[Question]":
    """Return the questions that the options ask."""
    limits: dict[str, float] = {}
    if seat is None and thing is None:
        o.refuse(f"{SEAT_OPTION}, {THING_OPTION}", "neither", "at least one of them")
    if seat is not None:
        limits["seats"] = limit(SEAT_OPTION, seat)
    if thing is not None:
        from analyses.stated import stated

        kinds = stated(common.components())
        if not kinds:
            why = "a game in which players choose things that can be dealt; in this one they don't"
            o.refuse(THING_OPTION, f"{thing!r} with {common.game}", why)
        limits[kinds[0]] = limit(THING_OPTION, thing)
    from analyses.check import questions

    return questions(players, limits)


def limit(option: str, text: str) -> float:
    """Return the win index that an option gives as a limit: above 1, since every game has somebody at 1 or above."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 1 < value < math.inf:
        o.refuse(option, repr(text), "a number greater than 1, as 1.1 for a tenth above the fair share")
    return value


def play(common: o.Common, asked: "list[Question]") -> "Check":
    """Play all questions, with progress."""
    printed = common.components()
    from analyses.check import Effort, block_games
    from analyses.check import check as find
    from analyses.survey import seated

    game = registry.load(common.game)
    with o.strategy_errors():
        chairs = {question.players: seated(common.game, common.strategies, question.players) for question in asked}
    most = common.games or common.max_games
    goals = [0]
    for question in asked:
        size = block_games(question, game)
        goals.append(goals[-1] + -(-most // size) * size)
    words = [f"{game.title}, {q.what}, {q.players} players" for q in asked]
    with common.where.playing(), progress(words[0], goals[-1]) as bar:
        effort = Effort(common.seed, common.games, common.max_games, common.jobs, bar.watch)
        return find(
            printed, asked, chairs.__getitem__, effort,
            finished=lambda number: bar.reach(goals[number], words[number] if number < len(words) else ""),
        )  # fmt: skip


def answer(found: "Check") -> dict[str, Any]:
    """Return what was found for machines: no times and no number of jobs, so that it is the same on every machine."""
    components = found.components
    head: dict[str, Any] = {
        "game": components.game,
        "rules_version": registry.load(components.game).version,
        "components": components.digest,
    }
    head |= {**components.counts._asdict(), "seed": found.seed, "interrupted": found.interrupted}
    return head | {"word": found.word, "status": STATUS[found.word], "questions": [_question(one) for one in found.answers]}


def _question(one: Any) -> dict[str, Any]:
    q = one.question
    head = {"what": q.what, "players": q.players, "seated": list(one.strategies), "limit": q.limit}
    return (
        head
        | one.furthest
        | {
            "word": one.word,
            "further_games": one.further,
            "games": one.games,
            "blocks": one.blocks,
            "intervals": "sequence" if one.sequential else "fixed",
        }
        | {"rows": one.rows}
    )


def show(found: "Check", as_json: bool) -> None:
    """Print what was found, for people or machines."""
    from scripts.show import to_json

    if as_json:
        out(to_json(answer(found)))
        return
    from reports import check as words
    from reports.parts import Ground

    components = found.components
    ground = Ground.of(components.game)
    who = words.seating(found.answers[0])
    title = registry.load(components.game).title
    tell(f"{title}, {who} (seed {found.seed}, components {components.digest})")
    for text in filter(None, (components.counts.notice, *(words.line(ground, one) for one in found.answers))):
        tell(text)
    tell(words.headline(found))


def write(found: "Check", common: o.Common, asked: "list[Question]", folder: Any) -> None:
    """Write the page and its tables."""
    from reports import check as words
    from reports.page import Part, write_part
    from reports.parts import Ground

    ground = Ground.of(common.game)
    risk = "one interval above the limit: 1; all at or below: 0; else 3"
    facts = [("seed", str(found.seed)), ("who played", words.seating(found.answers[0])), ("exit status", f"{STATUS[found.word]} ({risk})")]
    games = sum(one.games for one in found.answers)
    part = Part(
        "check", "Balance as a test", words.headline(found), words.questions(ground, found), [words.section(ground, found)],
        words.frames(found), found.components, games, [command(common, asked)], facts, found.interrupted,
    )  # fmt: skip
    with writing(folder):
        write_part(part, folder)


def command(common: o.Common, asked: "list[Question]") -> str:
    """Return what to type to do it again."""
    words = ["chapterhouse", "check", common.game]
    for what, most in {q.what: q.limit for q in asked}.items():
        words += [SEAT_OPTION if what == "seats" else THING_OPTION, f"{most:g}"]
    words += [word for number in dict.fromkeys(q.players for q in asked) for word in ("--players", str(number))]
    words += [word for text in common.strategies for word in ("--strategy", text)]
    words += ["--games", str(common.games)] if common.games else ["--max-games", str(common.max_games)]
    words += [word for name in common.files for word in ("--components", name)]
    words += [word for change in common.changes for word in ("--set", change)]
    return shlex.join([*words, "--seed", str(common.seed)])
