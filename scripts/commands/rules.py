"""`chapterhouse rules`: how we read the rulebook, and what each other reading changes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from reports.words import seating
from scripts import options as o
from scripts.question import Question, Task, page, share
from sim import registry
from sim.legible import say

if TYPE_CHECKING:
    from rich.table import Table

    from analyses.readings import ReadingEffect, Readings
    from analyses.request import Request
    from sim.printed.rulings import Ruling

NoMeasure = Annotated[bool, o.option("--no-measure", "", "Only list the readings, without playing.")]


def ask(request: "Request", no_measure: NoMeasure = False) -> Task:
    """Where does the rulebook leave something open? How we read it, how else you could, and what that would change."""
    from analyses.readings import GAMES, listed, measure, others

    (players,) = request.players
    entrants = () if no_measure else request.line_up(players)
    count = 0 if no_measure else len(others(request.components))
    if not count:
        return Task("", 0, lambda bar: listed(request, entrants))
    games = -(-(request.games or GAMES) // players) * players
    if request.games and games != request.games:
        say(f"--games {request.games}: playing {games}, whole blocks of {players} games")

    title = f"{registry.load(request.game).title}, {players} players, {count} other readings"
    return Task(title, games * (1 + count), lambda bar: measure(request, players, entrants, games, bar.watch))


def listing(found: "Readings") -> list[Any]:
    """Return the readings for people: sentences, and a table for each place in the rulebook."""
    from reports.effects import summary
    from reports.readings import opening
    from sim.printed.rulings import read

    rulings = read(found.game)
    parts: list[Any] = [opening(found.title, rulings)]
    if found.effects:
        parts += [_played(found), *summary([found])]
    for place in dict.fromkeys(ruling.place for ruling in rulings):
        parts += ["", place, _place([ruling for ruling in rulings if ruling.place == place], found)]
    return parts


def _played(found: "Readings") -> str:
    each = (
        f"{found.games:,} games of each reading, with the same dice and draws (seed {found.seed}, components "
        f"{found.components.digest})"
    )
    notice = f"; {found.notice}" if found.notice else ""
    return f"Measured with {found.players} players, {seating(found.strategies)}: {each}{notice}."


def _place(rulings: "Sequence[Ruling]", found: "Readings") -> "Table":
    """Return the readings of one place: ours, and the others."""
    from rich.table import Table

    from reports.effects import moved, often, points, turned

    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=11, justify="right")
    grid.add_column(overflow="fold")
    for ruling in rulings:
        played = found.components.rules.get(ruling.switch, "")
        grid.add_row("", f"“{ruling.topic}”: {ruling.question}" if ruling.topic else ruling.question)
        if ruling.occurs in found.occurs:
            grid.add_row("comes up", f"in {often(found.occurs[ruling.occurs])} of the games")
        grid.add_row("set-up" if ruling.setup else "played", ruling.words(played) if ruling.switch else ruling.reading)
        for value, text in ruling.others(played).items():
            grid.add_row("or", text)
            grid.add_row("", f"--set rules.{ruling.switch}={value}")
            effect = found.find(ruling.switch, value)
            if effect is not None:
                grid.add_row("changes", f"{moved(effect)}; {turned(found, effect)}")
                if effect.altered:
                    grid.add_row("", points(effect))
        grid.add_row("", "")
    return grid


def answer(found: "Readings") -> dict[str, Any]:
    """Return the readings for machines."""
    from sim.printed.rulings import read, word

    rulings = []
    for ruling in read(found.game):
        played = found.components.rules.get(ruling.switch, "")
        entry: dict[str, Any] = {"number": ruling.number, "place": ruling.place, "question": ruling.question}
        entry |= {"reading": ruling.words(played) if ruling.switch else ruling.reading, "setup": ruling.setup}
        entry |= {
            "switch": ruling.switch or None,
            "topic": ruling.topic or None,
            "default": ruling.default or None,
            "played": word(played) or None,
            "alternatives": [],
        }
        entry["occurs"] = ruling.occurs or None
        entry["occurs_in_games"] = found.occurs.get(ruling.occurs)
        for value, text in ruling.others(played).items():
            effect = found.find(ruling.switch, value)
            change = _effect(found, effect) if effect is not None else None
            entry["alternatives"].append(
                {"value": value, "text": text, "set": f"rules.{ruling.switch}={value}", "effect": change}
            )
        rulings.append(entry)
    return ({"verdict": found.verdict.word} if found.effects else {}) | {"rulings": rulings}


def _effect(found: "Readings", effect: "ReadingEffect") -> dict[str, Any]:
    most = {name: value for name, value in effect.most.items() if name != "games_saved"}
    score = dict(zip(("score_change", "score_low", "score_high"), effect.score_change, strict=True))
    return {
        "verdict_before": found.verdict.word,
        "verdict_after": effect.verdict.word,
        "changes": effect.word == "changes",
        "verdict": effect.word,
        **most,
        "mean_score_before": effect.score_before,
        "mean_score_after": effect.score_after,
        **score,
        "games_altered": effect.altered,
        "seats": effect.seats,
    }


QUESTION = Question(
    "rules",
    ask,
    answer,
    listing,
    page("readings"),
    without=("max_games",),
    cost="It plays 20,000 games of each reading, 240,000 games of Moesteiro: about 10 seconds on two cores.",
    example="chapterhouse rules moesteiro --no-measure",
    in_report=share("readings"),
    stopped=lambda found: f"Stopped by hand: this is what {found.games:,} games of each reading show.",
    small="moesteiro --players 2 --strategy random_legal --games 4",
)
