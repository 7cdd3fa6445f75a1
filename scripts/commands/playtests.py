"""`chapterhouse playtests`: do real games end as simulated ones do?"""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scripts import options as o
from scripts.output import out
from scripts.question import ALL, Question, Task, page
from scripts.show import table, to_json
from sim import registry
from sim.given import given_bytes

if TYPE_CHECKING:
    from analyses.playtests.playtests import Compared, Playtests
    from analyses.playtests.reader import RealGames
    from analyses.request import Request

LogFile = Annotated[
    str, typer.Argument(metavar="LOG", help="CSV file: a row for each player of each real game. --template writes one.")
]
Template = Annotated[bool, o.option("--template", "", "Write an empty LOG with the right columns, and stop.")]
Some = Annotated[
    list[str] | None,
    o.option("--players", "N", "Look only at games with N players, or write a template for N (repeatable)."),
]
Games = Annotated[
    str | None,
    o.option("--games", "N", "Simulate N games for each number of players. If not given: a hundred for each real one."),
]
Margin = Annotated[
    str,
    o.option(
        "--margin", "M", "Say how many games it would take to show a seat that wins M fair shares more than simulated."
    ),
]


def ask(request: "Request", log: LogFile) -> Task:
    """Do real games end as simulated ones do? See which seats or Kings differ by more than chance, and how many games
    it takes to tell.

    LOG has the columns game, players, seat, score and winner, and what each player held in each round if somebody wrote
    it down. Scores may be missing, and so may winners if scores tell them; a row for each winner is enough. We ignore
    other columns.
    """
    given = read(request.game, log, request.players if request.named else [])
    if not given.logs:
        o.refuse(
            "LOG", f"no game with {' or '.join(map(str, request.players))} players in {log!r}", "at least one game"
        )
    from analyses.playtests.playtests import enough, fewest, playtests

    least = max(map(fewest, given.logs))
    if request.games and request.games < least:
        o.refuse("--games", repr(str(request.games)), f"at least {least} simulated games for so many real ones")
    line_ups = {each.players: request.line_up(each.players) for each in given.logs}
    total = sum(-(-(request.games or enough(each)) // each.players) * each.players for each in given.logs)
    title = registry.load(request.game).title
    return Task(f"{title}, simulated", total, lambda bar: playtests(request, given, line_ups, bar.watch))


def begin(given: Mapping[str, Any]) -> bool:
    """Write a template and say what belongs into it, if that is asked for; return whether it was."""
    if not given["template"]:
        return False
    from analyses.playtests import reader as p

    request = o.request(given, ALL)
    game, log, loaded = request.game, given["log"], registry.load(request.game)
    numbers = request.players if request.named else [o.usual_players(game)]
    try:
        with Path(log).open("x", encoding="utf-8", newline="") as file:
            file.write(p.template(loaded, numbers))
    except FileExistsError:
        o.refuse("--template", f"{log!r}, which is there already", "the name of a new file")
    except (OSError, ValueError) as error:
        o.refuse("--template", f"{log!r} ({o.reason(error)})", "the name of a new file that can be written")
    if given["json"]:
        out(to_json({"template": log, "columns": p.allowed(loaded)}))
        return True
    said = p.allowed(loaded)
    out(
        f"{log}: a row for each player of each game; copy them for further games. If you don't know the scores, leave "
        "them empty. Columns:"
    )
    for words in dict.fromkeys(said.values()):
        out(f"  {', '.join(name for name in said if said[name] == words)}: {words}")
    out(f"Then: chapterhouse playtests {shlex.quote(registry.typed(game))} {shlex.quote(log)}")
    return True


def read(game: str, log: str, only: Sequence[int]) -> "RealGames":
    """Return the games of a log; every wrong row is named."""
    from analyses.playtests import reader as p

    try:
        data = given_bytes(Path(log))
    except (OSError, ValueError) as error:
        o.refuse("LOG", f"{log!r} ({o.reason(error)})", "a CSV file that can be read; --template writes one")
    try:
        return p.read(data, Path(log).name, registry.load(game), only)
    except p.LogError as error:
        raise o.WrongInputError(*error.problems) from None


def answer(found: "Playtests") -> dict[str, Any]:
    """Return the answer for machines."""
    head: dict[str, Any] = {
        "real_games": found.real,
        "left_out": found.log.left_out,
        "remarks": list(found.log.remarks),
    }
    return head | {
        "questions": found.questions,
        "verdict": found.word,
        "by_players": [_compared(one) for one in found.compared],
    }


def _compared(one: "Compared") -> dict[str, Any]:
    head = one.played.head() | {"real_games": one.real, "verdict": one.word, "words": one.words, "risk": one.risk}
    return head | {"seats": one.seats, "scores": one.scores, "things": one.things}


def listing(found: "Playtests") -> list[Any]:
    """Return the answer for people: sentences and tables."""
    from reports import playtests as words
    from reports.parts import Ground

    ground = Ground.of(found.game)
    parts: list[Any] = [f"{found.title} (seed {found.seed}, components {found.components.digest})"]
    parts += [found.notice, words.played(found), *words.log_said(found)]
    for one in found.compared:
        for question in words.questions_of(ground, one):
            parts += ["", table(question.heads, question.rows), *question.sentences]
    return [*parts, "", words.headline(ground, found), words.CAUTION]


QUESTION = Question(
    "playtests",
    ask,
    answer,
    listing,
    page("playtests"),
    players=ALL,
    without=("max_games",),
    shared={"players": (Some, None), "games": (Games, None), "margin": (Margin, "0.10"), "template": (Template, False)},
    begin=begin,
    example="chapterhouse playtests moesteiro log.csv",
    cost="It plays 20,000 games for each number of players in your log: of Moesteiro about 1 second on two cores.",
    nothing="Stopped by hand before there were enough simulated games to compare with.",
    stopped=lambda found: "Stopped by hand: this is what was simulated.",
    small="pig log.csv --games 200",
)
