"""`chapterhouse robustness`: do the findings hold for other plausible numbers, and which number should you look up
first?"""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from scripts import options as o
from scripts.question import USUAL, Question, Task, page, share
from scripts.show import table

if TYPE_CHECKING:
    from analyses.request import Request
    from analyses.robustness.robustness import Robustness

MOST_PRINTINGS = 10_000
Printings = Annotated[
    str,
    o.option(
        "--printings", "N", "How many plausible sets of numbers to play. A set that is not plausible is drawn again."
    ),
]
Games = Annotated[
    str,
    o.option(
        "--games",
        "N",
        "Most games of each set of numbers, for the seats and as many for the things; a quarter where that is enough.",
    ),
]


def ask(request: "Request", printings: Printings = "100") -> Task:
    """Would it be the same with the real numbers? Plays many plausible sets of numbers and counts how many agree with
    each finding.

    Chance deals the things that players hold (Kings, …) for the first number of players. Numbers from --set or
    --components stay.
    """
    from analyses.robustness.asks import asks, heads, most_games
    from analyses.robustness.plan import line_ups, scheme_of
    from analyses.robustness.robustness import Robustness, facts, measure, total

    count, games, printed = o.whole("--printings", printings, 1, MOST_PRINTINGS), request.most, request.components
    scheme, entrants = scheme_of(printed), line_ups(request)
    if scheme is None:
        return Task("", 0, lambda bar: Robustness(*facts(request, entrants, 0)))

    title = f"{printed.title}, {count} sets of numbers"
    most = most_games(games, count)
    play = partial(measure, request, scheme, entrants, printings=count, games=games)
    return Task(
        title,
        total(printed, entrants, games, count) + most * len(asks(printed, entrants, request.seed, games)),
        lambda bar: play(lambda questions: heads(request, questions, most, bar.watch), watch=bar.watch),
    )


def answer(found: "Robustness") -> dict[str, Any]:
    """Return the answer for machines; the head speaks of the first number of players, `line_ups` of all."""
    from reports.robustness.words import nothing

    first = found.first
    head: dict[str, Any] = {
        "line_ups": [{"players": n, "strategies": list(cast)} for n, cast in found.line_ups.items()]
    }
    head |= {
        "games_played": found.all_games,
        "printings": found.asked,
        "accepted": found.printings,
        "draws": found.draws,
    }
    head["objection"] = found.objection or None
    head["rejected"] = [{"reason": reason, "count": count} for reason, count in sorted(found.rejected.items())]
    head["findings"] = [
        {"finding": f.what, "kind": f.kind or None, "name": f.name or None, "players": f.players, "verdict": f.verdict}
        | {"same": f.same, "opposite": f.opposite, "counts": dict(sorted(f.counts.items()))}
        | {"shares": {word: dict(zip(("share", "low", "high"), ends)) for word, ends in sorted(f.shares.items())}}
        | {"index": f.index, "low": f.low, "high": f.high, "least": f.least, "most": f.most, "games": f.games}
        for f in found.findings
    ]
    rows = found.ranking.to_dict("records") if found.ranking is not None else []
    head["inputs"] = [
        {"input": row["input"], "key": row["key"], "index": row["index"], "low": row["low"], "high": row["high"]}
        | {
            "of": row["what"],
            "kind": row["kind"] or None,
            "name": row["name"] or None,
            "players": row["players"],
            "noise": row["noise"],
        }
        for row in rows
    ]
    head["first"] = None if first is None else vars(first)
    return head | ({} if found.inputs else {"note": nothing(found)})


def listing(found: "Robustness") -> list[Any]:
    """Return the answer for people: sentences and tables."""
    from reports import pills, words
    from reports.parts import Ground
    from reports.robustness.words import nothing, of_kinds, of_sets, sentence, subject

    if not found.inputs:
        return [nothing(found)]
    ground, printed = Ground.of(found.game), found.components
    head = (
        f"{found.title}: {found.printings} plausible sets of numbers out of {found.draws} drawn "
        f"(seed {found.seed}, components {printed.digest})"
    )
    parts: list[Any] = [head, printed.counts.notice, "", words.sentence(sentence(found))]
    parts += (
        [f"The present numbers would not pass as plausible themselves: {found.objection}."] if found.objection else []
    )
    parts += (
        [f"Rejected: {words.listed([f'{n} ({reason})' for reason, n in found.rejected.items()])}."]
        if found.rejected
        else []
    )
    rows = [
        (
            str(f.players),
            subject(ground, f),
            pills.said(f.verdict),
            *("–" if n is None else str(n) for n in (f.same, f.opposite)),
        )
        for f in found.findings
    ]
    parts += ["", f"In how many {of_sets(found)} each finding is the same", table(_HEADS, rows)]
    parts += of_kinds(ground, found)
    return parts


_HEADS = ("players", "about", "present numbers", "same", "opposite")


QUESTION = Question(
    "robustness",
    ask,
    answer,
    listing,
    page("robustness.robustness"),
    players=USUAL,
    without=("max_games",),
    shared={"games": (Games, "7500")},
    stopped=lambda found: f"Stopped by hand: this is what {found.printings} of {found.asked} sets of numbers show.",
    nothing="Stopped by hand before the present numbers had been played.",
    in_report=share("robustness.plan"),
    cost="By default it plays 1,600,000 games of Moesteiro: about a minute on two cores.",
    example="chapterhouse robustness moesteiro --players 3",
    small="moesteiro --strategy greedy --games 2 --printings 1",
)
