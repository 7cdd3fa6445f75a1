"""`chapterhouse ladder`: how much skill there is in a game."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from analyses import frames as pd
from reports.words import fixed
from scripts import options as o
from scripts.question import Finding, Question, Task, page, share
from scripts.show import column, table
from sim import registry

if TYPE_CHECKING:
    from analyses.ladder import Ladder
    from analyses.request import Request

BUDGETS = "25,50,100,200,400"
MOST_BUDGET, MOST_BUDGETS = 999_999, 12
Budgets = Annotated[
    str,
    o.option(
        "--budgets",
        "A,B,…",
        "How many games strategies that look ahead may play for each decision, rising: the lower half with rollout, "
        "the upper half with search, the middle one with both. Twice as many take twice as long.",
    ),
]
Games = Annotated[
    str | None,
    o.option(
        "--games",
        "N",
        "Games of every step and every phase. If not given: many for quick strategies, few for slow ones.",
    ),
]


def ask(request: "Request", budgets: Budgets = BUDGETS) -> Task:
    """How much skill is in it? Plays each strategy against the one below, and shows what playing one phase at random
    costs.

    For narrower intervals give more --games, for stronger play higher --budgets, such as 100,200,400,800,1600.
    """
    rising = budgets_of(budgets)
    from analyses.ladder import Extent, climb, plan
    from sim.runner import prepare

    (players,) = request.players
    asked, game = plan(request.game, players, rising, Extent(games=request.games)), registry.load(request.game)
    prepare(game, (*asked.rungs, *asked.levels), request.components.record)

    title = f"{game.title}, {players} players"
    return Task(title, round(asked.work()), lambda bar: climb(request, asked, bar.watch, bar.name), percent=True)


def budgets_of(text: str) -> tuple[int, ...]:
    """Return the budgets that an option gives."""
    found = tuple(o.whole("--budgets", part.strip(), 1, MOST_BUDGET) for part in text.split(","))
    if len(found) > MOST_BUDGETS or list(found) != sorted(set(found)):
        o.refuse("--budgets", repr(text), f"at most {MOST_BUDGETS} numbers, each greater than the one before")
    return found


def answer(found: "Ladder") -> dict[str, Any]:
    """Return the answer for machines; only `seconds_a_game` is never the same twice."""
    steps = [{**vars(step), "word": step.word} for step in found.steps]
    phases = [vars(cost) for cost in found.costs]
    return {"rungs": found.rungs, "budgets": found.budgets, "par": 0.5, "steps": steps, "phases": phases}


def listing(found: "Ladder") -> list[Any]:
    """Return the answer for people: sentences and tables."""
    from analyses.phases import by_level
    from reports import ladder as words
    from reports.style import spoken

    head = f"{found.title}, {found.players} players (seed {found.seed}, components {found.components.digest})"
    parts: list[Any] = [head, *filter(None, [found.notice])]
    parts += [words.introduction(found), "", _steps(found), *words.sentences(found)]
    if found.costs:
        parts += ["", words.costing(found), "", *words.dearest(found)]
    for level, costs in by_level(found.costs).items():
        frame = pd.DataFrame([vars(cost) for cost in costs])
        wins, between = column(frame, "cost", "low", "high", 100, most=1)
        points, _ = column(frame, "points", "points_low", "points_high", most=1)
        heads = (f"{level}: at random", "wins lost, %", "between", "points lost")
        parts.append(table(heads, zip([spoken(cost.phase) for cost in costs], wins, between, points)))
    return parts


def _steps(found: "Ladder") -> Any:
    from analyses.ladder import steps_table

    steps = found.steps[::-1]
    share, between = column(steps_table(found)[::-1], "win_share", "low", "high", 100)
    points = [f"{fixed(step.score, 1)} : {fixed(step.score_below, 1)}" for step in steps]
    ahead = [fixed(100 * step.better_wins, 1) for step in steps]
    games = [f"{step.games:,}" for step in steps]
    seconds = [f"{1000 * step.seconds_a_game:,.3g} ms" for step in steps]
    names = [step.strategy for step in steps], [step.below for step in steps]
    rows = zip(*names, share, between, points, ahead, games, seconds, strict=True)
    return table(("strategy", "against", "wins %", "between", "points", "ahead %", "games", "a game, one core"), rows)


def save(finding: Finding, folder: Path) -> None:
    """Write the tables, with what a clock has measured."""
    from analyses.ladder import steps_table
    from analyses.phases import costs_table
    from reports.table_files import save_table

    found = finding.found
    for name, frame in (("ladder", steps_table(found)), ("phases", costs_table(found.costs))):
        for ending in ("csv", "parquet"):
            save_table(frame, folder / f"{name}.{ending}")


QUESTION = Question(
    "ladder",
    ask,
    answer,
    listing,
    page("ladder"),
    without=("max_games", "margin", "strategy", "unproved"),
    shared={"games": (Games, None)},
    save=save,
    in_report=share("ladder"),
    cost="With four players of Moesteiro it takes as long as 9,400,000 quick games: about four minutes on two cores.",
    example="chapterhouse ladder moesteiro --players 2 --budgets 10,100",
    nothing="Stopped by hand before a step was finished.",
    stopped=lambda found: "Stopped by hand: this is what was finished.",
    small="pig --games 4 --budgets 1",
)
