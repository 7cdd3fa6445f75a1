"""`chapterhouse check`: balance as a test, with an exit status that says whether all limits hold."""

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scripts import options as o
from scripts.progress import Progress
from scripts.question import ALL, Question, Task
from scripts.status import Status
from sim import registry

if TYPE_CHECKING:
    from analyses.check import Answer, Check, Limit
    from analyses.request import Request
    from reports.page import Part

STATUS: dict[str, int] = {"inside": Status.ANSWERED, "outside": Status.LIMIT_BROKEN, "undecided": Status.UNDECIDED}
SEAT_OPTION, THING_OPTION = "--max-seat-index", "--max-thing-index"
MaxSeat = Annotated[
    str | None, typer.Option(SEAT_OPTION, metavar="X", help="The limit for seats: no seat may win more than X times its fair share.")
]
MaxThing = Annotated[
    str | None,
    typer.Option(
        THING_OPTION,
        "--max-king-index",
        metavar="X",
        help="The limit for the game's first kind of thing (Kings, …) when chance deals them: no holder may win more than X times the "
        "fair share.",
    ),
]


def ask(request: "Request", max_seat_index: MaxSeat = None, max_thing_index: MaxThing = None) -> Task:
    """Balance as a test: do all limits hold? Exit status 0 if they do, 1 if one is broken, 3 if --max-games don't decide it.

    Each limit makes a question for each number of players, and each question plays up to --max-games of its own.
    """
    asked = wanted(request, max_seat_index, max_thing_index)
    from analyses.check import block_games, check

    game, goals = registry.load(request.game), [0]
    chairs = {players: request.line_up(players) for players in request.players}
    for one in asked:
        size = block_games(one, game)
        goals.append(goals[-1] + -(-request.most // size) * size)
    words = [*(f"{game.title}, {one.what}, {one.players} players" for one in asked), ""]

    def play(bar: Progress) -> "Check | None":
        return check(request, asked, chairs, bar.watch, lambda number: bar.reach(goals[number], words[number]))

    return Task(words[0], goals[-1], play)


def wanted(request: "Request", seat: str | None, thing: str | None) -> "list[Limit]":
    """Return the limits that the options set."""
    most: dict[str, float] = {}
    if seat is None and thing is None:
        o.refuse(f"{SEAT_OPTION}, {THING_OPTION}", "neither", "at least one of them")
    if seat is not None:
        most["seats"] = limit(SEAT_OPTION, seat)
    if thing is not None:
        from analyses.stated import stated

        kinds = stated(request.components)
        if not kinds:
            why = "a game in which players choose things that can be dealt; in this one they don't"
            o.refuse(THING_OPTION, f"{thing!r} with {request.game}", why)
        most[kinds[0]] = limit(THING_OPTION, thing)
    from analyses.check import limits

    return limits(request.players, most)


def limit(option: str, text: str) -> float:
    """Return the win index that an option gives as a limit: above 1, since every game has somebody at 1 or above."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 1 < value < math.inf:
        o.refuse(option, repr(text), "a number greater than 1, as 1.1 for a tenth above the fair share")
    return value


def answer(found: "Check") -> dict[str, Any]:
    """Return what was found for machines."""
    return {"word": found.word, "status": STATUS[found.word], "questions": [_answer(one) for one in found.answers]}


def _answer(one: "Answer") -> dict[str, Any]:
    head = {"what": one.limit.what, "players": one.players, "seated": list(one.strategies), "limit": one.limit.index}
    head |= one.furthest | {"word": one.word, "further_games": one.further, "games": one.games, "blocks": one.blocks}
    return head | {"intervals": "sequence" if one.sequential else "fixed", "rows": one.rows}


def listing(found: "Check") -> list[Any]:
    """Return what was found for people: sentences."""
    from reports import check as words
    from reports.parts import Ground

    who, ground = words.seating(found.answers[0]), Ground.of(found.game)
    head = f"{found.title}, {who} (seed {found.seed}, components {found.components.digest})"
    return [head, found.counts.notice, *(words.line(ground, one) for one in found.answers), words.headline(found)]


def part(found: "Check") -> "Part":
    """Return the page."""
    from reports import check as words
    from reports.page import Part, facts
    from reports.parts import Ground

    ground, risk = Ground.of(found.game), "one interval above the limit: 1; all at or below: 0; else 3"
    more = [("who played", words.seating(found.answers[0])), ("exit status", f"{STATUS[found.word]} ({risk})")]
    return Part(
        "check", "Balance as a test", words.headline(found), words.questions(ground, found), [words.section(ground, found)],
        words.frames(found), found.components, sum(one.games for one in found.answers), [], facts(found, *more), found.interrupted,
    )  # fmt: skip


QUESTION = Question(
    "check",
    ask,
    answer,
    listing,
    part,
    players=ALL,
    without=("margin",),
    stopped=lambda found: "Stopped by hand: this is what was played.",
    status=lambda found: STATUS[found.word],
    cost="Each question plays up to 200,000 games: of Moesteiro about 10 seconds on two cores.",
    example="chapterhouse check moesteiro --max-seat-index 1.2 --players 4",
)
