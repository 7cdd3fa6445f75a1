"""`chapterhouse check`: balance as a test, with an exit status that says whether all limits hold."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analyses.request import flags
from scripts import options as o
from scripts.output import writing
from scripts.progress import Progress
from scripts.question import ALL, Question, Task
from scripts.status import Status
from sim import registry

if TYPE_CHECKING:
    from analyses.baseline import Baseline
    from analyses.check import Check, Limit, LimitAnswer
    from analyses.request import Request
    from reports.parts import Part
    from sim.printed.components import Components

STATUS: dict[str, int] = {"inside": Status.ANSWERED, "outside": Status.LIMIT_BROKEN, "undecided": Status.UNDECIDED}
SEAT_OPTION, THING_OPTION, BASELINE_OPTION = "--max-seat-index", "--max-thing-index", "--baseline"
MARGIN = "0.02"  # in win index: with four players half a win in a hundred games
MaxSeat = Annotated[
    str | None, o.option(SEAT_OPTION, "X", "The limit for seats: no seat may win more than X times its fair share.")
]
MaxThing = Annotated[
    str | None,
    typer.Option(
        THING_OPTION,
        "--max-king-index",
        metavar="X",
        help="The limit for the game's first kind of thing (Kings, …) when chance deals them: no holder may win more "
        "than X times the "
        "fair share.",
    ),
]


Baselines = Annotated[
    str | None,
    o.option(
        BASELINE_OPTION,
        "FILE",
        "TOML or CSV as for --components: no seat or thing may win more with your numbers than the best one does "
        "with these.",
    ),
]
Margin = Annotated[
    str | None,
    o.option(
        "--margin",
        "M",
        f"With {BASELINE_OPTION}: a rise of the highest win index by up to M still counts as not worse; {MARGIN} "
        "if not given.",
    ),
]
Summary = Annotated[
    str | None,
    o.option("--summary", "FILE", "Append the answer to this file as Markdown, as $GITHUB_STEP_SUMMARY wants it."),
]


def ask(
    request: "Request",
    max_seat_index: MaxSeat = None,
    max_thing_index: MaxThing = None,
    baseline: Baselines = None,
    margin: Margin = None,
    summary: Summary = None,
) -> Task:
    """Balance as a test: do all limits hold? Exit status 0 if they do, 1 if one is broken, 3 if --max-games don't
    decide it.

    With --baseline also: is it no worse than with those numbers? Both are played with the same dice and draws. We ask
    about each limit, and each comparison, with each number of players, and each of these questions plays up to
    --max-games of its own.
    """
    if margin is not None and baseline is None:
        o.refuse("--margin", repr(margin), f"with {BASELINE_OPTION}")
    asked = wanted(request, max_seat_index, max_thing_index, baseline)
    target = o.file("--summary", summary) if summary is not None else None
    before = o.read_components(request.game, [baseline], None) if baseline is not None else None
    request = replace(request, margin=o.fraction("--margin", margin or MARGIN))
    from analyses.check import block_games, check

    game, goals = registry.load(request.game), [0]
    entrants = {players: request.line_up(players) for players in request.players}
    pairs = compared(request, asked, before) if before is not None else []
    for what, players, sets in [*((one.what, one.players, 1) for one in asked), *((*pair, 2) for pair in pairs)]:
        size = block_games(what, players, game)
        goals.append(goals[-1] + -(-request.most // size) * size * sets)
    questions = [*((one.what, one.players) for one in asked), *pairs]
    words = [*(f"{game.title}, {what}, {players} players" for what, players in questions), ""]
    made: list[Check] = []

    def play(bar: Progress) -> "Check | None":
        found = check(
            request,
            asked,
            entrants,
            bar.watch,
            lambda number: bar.reach(goals[number], words[number]),
            before=before,
            pairs=pairs,
        )
        made.extend([found] if found else [])
        return found

    again = flags(SEAT_OPTION, filter(None, [max_seat_index])) + flags(THING_OPTION, filter(None, [max_thing_index]))
    again += (
        flags(BASELINE_OPTION, [baseline]) + flags("--margin", [f"{request.margin:g}"]) if baseline is not None else []
    )
    return Task(words[0], goals[-1], play, words=tuple(again), told=summarised(target, made))


def compared(request: "Request", asked: "list[Limit]", before: "Components") -> list[tuple[str, int]]:
    """Return what is compared with a baseline: what has a limit, or seats and things if nothing has; and the number of
    players."""
    from analyses.stated import stated

    things = list(stated(request.components, before))
    what = list(dict.fromkeys(one.what for one in asked)) or ["seats", *things[:1]]
    for kind in {*what} - {"seats", *things}:
        o.refuse(
            BASELINE_OPTION,
            f"numbers that don't tell the {kind} apart",
            "numbers that do, as those that are compared with them",
        )
    return [(one, players) for players in request.players for one in what]


@contextmanager
def summarised(target: Path | None, made: "list[Check]") -> Iterator[None]:
    """Append the answer to a file as Markdown, once it has been told."""
    yield
    if target is not None and made:
        from reports.check import markdown
        from reports.parts import Ground

        with writing(target), target.open("a", encoding="utf-8", newline="") as file:
            file.write(markdown(Ground.of(made[0].game), made[0]))


def wanted(request: "Request", seat: str | None, thing: str | None, baseline: str | None) -> "list[Limit]":
    """Return the limits that the options set."""
    most: dict[str, float] = {}
    if seat is None and thing is None and baseline is None:
        o.refuse(f"{SEAT_OPTION}, {THING_OPTION}, {BASELINE_OPTION}", "none of them", "at least one")
    if seat is not None:
        most["seats"] = limit(SEAT_OPTION, seat)
    if thing is not None:
        from analyses.stated import stated

        kinds = stated(request.components)
        if not kinds:
            why = "a game in which players choose things that can be dealt; in this one they don't"
            o.refuse(THING_OPTION, f"{thing!r} with {registry.shown(request.game)}", why)
        most[kinds[0]] = limit(THING_OPTION, thing)
    from analyses.check import limits

    return limits(request.players, most)


def limit(option: str, text: str) -> float:
    """Return the win index that an option gives as a limit: above 1, since every game has somebody at 1 or above."""
    allowed = "a number greater than 1, as 1.1 for a tenth above the fair share"
    return o.number(option, text, lambda value: 1 < value < math.inf, allowed)


def answer(found: "Check") -> dict[str, Any]:
    """Return the answer for machines."""
    head = {"word": found.word, "status": STATUS[found.word], "questions": [_answer(one) for one in found.answers]}
    return head | ({"baseline": [_baseline(one) for one in found.baselines]} if found.compared else {})


def _baseline(one: "Baseline") -> dict[str, Any]:
    head = {"what": one.what, "players": one.players, "seated": list(one.strategies), "margin": one.margin}
    head |= {
        name: getattr(one, name) for name in ("before", "after", "change", "low", "high", "word", "games", "blocks")
    }
    return head | {"intervals": "sequence" if one.sequential else "fixed", "rows": one.rows}


def _answer(one: "LimitAnswer") -> dict[str, Any]:
    head = {"what": one.limit.what, "players": one.players, "seated": list(one.strategies), "limit": one.limit.index}
    head |= one.furthest | {"word": one.word, "further_games": one.further, "games": one.games, "blocks": one.blocks}
    return head | {"intervals": "sequence" if one.sequential else "fixed", "rows": one.rows}


def listing(found: "Check") -> list[Any]:
    """Return the answer for people: sentences."""
    from reports import check as words
    from reports.parts import Ground

    ground = Ground.of(found.game)
    head = f"{found.title}, {ground.seating(found)} (seed {found.seed}, components {found.components.digest})"
    return [head, found.notice, *words.lines(ground, found), words.headline(found)]


def part(found: "Check") -> "Part":
    """Return the page."""
    from reports import check as words
    from reports.parts import Ground, Part

    ground, risk = Ground.of(found.game), "one interval above the limit: 1; all at or below: 0; else 3"
    more = [("who played", ground.seating(found)), ("exit status", f"{STATUS[found.word]} ({risk})")]
    games = sum(one.games for one in found.answers) + 2 * sum(one.games for one in found.baselines)
    return Part(
        "check", "Balance as a test", words.headline(found), words.questions(ground, found),
        words.sections(ground, found), words.frames(found), found, games, more,
    )  # fmt: skip


QUESTION = Question(
    "check",
    ask,
    answer,
    listing,
    part,
    players=ALL,
    without=("margin",),
    example="chapterhouse check moesteiro --players 4 --max-seat-index 1.3",
    cost="With both limits and all numbers of players it plays up to 1,200,000 games: at most half a minute on two "
    "cores.",
    stopped=lambda found: "Stopped by hand: this is what was played.",
    status=lambda found: STATUS[found.word],
    small="pig --max-seat-index 1.5 --games 4 --players 2",
)
