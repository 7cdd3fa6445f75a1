"""`chapterhouse robustness`: do the findings hold whatever is printed, and which number to look up first; and the same for a report."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scripts import options as o
from scripts.output import out, tell, writing
from scripts.progress import Progress, progress
from sim import registry

if TYPE_CHECKING:
    from analyses.findings import Survey
    from analyses.robustness.robustness import Robustness
    from reports.page import Part
    from sim.printed.components import Components
    from sim.printed.printings import Scheme
    from strategies.catalog import Seated

PRINTINGS, MARGIN, SEED = "100", "0.10", "1"
MOST_PRINTINGS = 10_000
REPORT_GAMES = 1_200  # of each printing and question: a report is waited for
Printings = Annotated[
    str, typer.Option("--printings", metavar="N", help="How many plausible printings to play; what is not plausible is drawn again.")
]
Games = Annotated[
    str | None,
    typer.Option("--games", metavar="N", help="Games of each printing for the seats, and as many for the things; 7500 if not given."),
]


def robustness(
    game: o.GameName,
    players: o.SomePlayersOrUsual = None,
    printings: Printings = PRINTINGS,
    games: Games = None,
    margin: o.Margin = MARGIN,
    seed: o.Seed = SEED,
    jobs: o.Jobs = None,
    out_folder: o.PageFolder = None,
    files: o.Files = None,
    changes: o.Changes = None,
    strategy: o.Strategies = None,
    unproved: o.Unproved = False,
    backend: o.Backend = "threads",
    scheduler: o.Scheduler = None,
    json: o.Json = False,
) -> None:
    """Would it be the same with the real numbers? The assumed ones are drawn anew, and each finding is looked at in every printing.

    The things that players hold (Kings, …) are dealt for the first number of players. Numbers given by --set or --components stay. As it
    is, two cores take about a minute.
    """
    common = o.Common.read(
        game, games, str(o.MOST_GAMES), margin, seed, jobs, o.played(strategy, unproved), files, changes, backend, scheduler
    )
    numbers = o.some_players(game, players) if players else [o.usual_players(game)]
    count = o.whole("--printings", printings, 1, MOST_PRINTINGS)
    folder = o.folder(out_folder) if out_folder is not None else None
    printed = common.components()
    scheme = scheme_of(printed)
    if scheme is None:
        nothing(printed, json)
        return
    from analyses.robustness.robustness import GAMES, played

    with o.strategy_errors():
        chairs = seated(common, numbers)
    each = common.games or GAMES
    title = f"{registry.card(game)[0]}, {count} printings"
    with common.where.playing(), progress(title, played(printed, chairs, each, count)) as bar:
        found = measure(common, printed, scheme, chairs, count, each, bar)
    if not found.findings:
        raise o.StoppedError("Stopped by hand before the game as it is was played.")
    show(found, folder, command(common, numbers, count, each), json)


def scheme_of(printed: "Components") -> "Scheme | None":
    """Return how printings of a game are drawn; None if there is nothing to draw."""
    from sim.printed.printings import ComponentsError, read

    try:
        scheme = read(printed.game)
    except ComponentsError as error:
        raise o.WrongInputError(str(error)) from None
    return scheme if scheme is not None and scheme.inputs(printed) else None


def nothing(printed: "Components", json: bool) -> None:
    """Say that there is nothing to draw anew."""
    from scripts.show import to_json

    why = "none of its numbers is assumed" if not printed.counts.assumed else "none of its assumed numbers has a range, or all are given"
    text = f"{registry.card(printed.game)[0]}: {why}, so there is nothing to draw anew, and every finding stands as it is."
    head = {"game": printed.game, "components": printed.digest, **printed.counts._asdict()}
    empty: dict[str, Any] = {"printings": 0, "accepted": 0, "rejected": [], "findings": [], "inputs": [], "first": None, "note": text}
    out(to_json(head | empty)) if json else tell(text)


def seated(common: o.Common, numbers: Sequence[int]) -> "dict[int, tuple[Seated, ...]]":
    """Return who sits down, for each number of players; the one that speaks for the game comes first."""
    from analyses.survey import seated as cast

    usual = o.usual_players(common.game)
    speaks = usual if usual in numbers else max(numbers)
    return {number: cast(common.game, common.strategies, number) for number in sorted(numbers, key=lambda n: (n != speaks, n))}


def measure(
    common: o.Common,
    printed: "Components",
    scheme: "Scheme",
    chairs: "Mapping[int, Sequence[Seated]]",
    printings: int,
    games: int,
    bar: Progress,
) -> "Robustness":
    """Return what was found."""
    from analyses.robustness.robustness import measure as find

    return find(
        printed, scheme, chairs, common.seed, printings=printings, games=games, margin=common.margin, jobs=common.jobs, watch=bar.watch
    )


def command(common: o.Common, numbers: Sequence[int], printings: int, games: int) -> str:
    """Return what to type to find the same again."""
    words = [word for number in numbers for word in ("--players", str(number))]
    words += [word for text in common.strategies for word in ("--strategy", text)]
    words += ["--printings", str(printings), "--games", str(games)]
    return shlex.join(["chapterhouse", "robustness", common.game, *words, *common.again()])


# --- in a report --------------------------------------------------------------------------------------------------------------------------


def report_games(common: o.Common) -> int:
    """Return how many games of each printing and question a report plays."""
    return min(REPORT_GAMES, common.games or common.max_games)


def report_total(common: o.Common, printed: "Components", numbers: Sequence[int]) -> int:
    """Return about how many games a report plays for its printings."""
    from analyses.robustness.robustness import played

    if scheme_of(printed) is None:
        return 0
    return played(printed, seated(common, numbers), report_games(common), int(PRINTINGS))


def with_robustness(survey: "Survey", common: o.Common, numbers: Sequence[int], bar: Progress) -> "Survey":
    """Return the survey with what becomes of its verdicts in other printings; Ctrl-C ends it early and keeps what was played."""
    scheme = scheme_of(survey.components)
    if survey.interrupted or scheme is None:
        return survey
    each, count = report_games(common), int(PRINTINGS)
    found = measure(common, survey.components, scheme, seated(common, numbers), count, each, bar)
    if not found.findings:
        return replace(survey, interrupted=True)
    commands = (*survey.commands, command(common, numbers, count, each))
    return replace(survey, robustness=found, interrupted=found.interrupted, commands=commands)


# --- what is shown ------------------------------------------------------------------------------------------------------------------------


def show(found: "Robustness", folder: Path | None, again: str, json: bool) -> None:
    """Print what was found, for people or machines, and write the page if asked for."""
    from scripts.show import show as say
    from scripts.show import to_json

    if json:
        out(to_json(answer(found)))
    else:
        say(*listing(found))
    if folder is not None:
        from reports.page import write_part

        with writing(folder):
            write_part(part(found, again), folder)
    if found.interrupted:
        raise o.StoppedError(f"Stopped by hand: this is what {found.printings} of {found.asked} printings show.")


def part(found: "Robustness", again: str) -> "Part":
    """Return the page."""
    from analyses.survey import versions
    from reports.page import Part
    from reports.parts import Ground
    from reports.robustness import robustness as r

    ground = Ground.of(found.game)
    facts = [
        ("rules", f"{found.game}, version {found.rules_version}"),
        ("who played", "; ".join(f"{n} players: {' + '.join(cast)}" for n, cast in found.strategies.items())),
        ("printings", f"{found.printings} played, {found.draws} drawn, of seed {found.seed}"),
        ("games", f"{found.games} of each printing and question, rounded up to whole blocks"),
        ("seed", str(found.seed)),
        ("versions", ", ".join(f"{name} {version}" for name, version in versions().items())),
    ]
    return Part(
        "robustness", r.KICKER, r.sentence(found), r.questions(ground, found), [r.section(ground, found)], r.frames(found),
        found.components, found.played, [again], facts, interrupted=found.interrupted,
    )  # fmt: skip


def answer(found: "Robustness") -> dict[str, Any]:
    """Return what was found for machines: no times and no number of jobs, so that it is the same on every machine."""
    printed, first = found.components, found.first
    head: dict[str, Any] = {"game": found.game, "rules_version": found.rules_version, "components": printed.digest}
    head |= {**printed.counts._asdict(), "players": list(found.players)}
    head |= {"seated": [{"players": n, "strategies": list(cast)} for n, cast in found.strategies.items()]}
    head |= {"games": found.games, "games_played": found.played, "seed": found.seed, "margin": found.margin}
    head |= {"intervals": "fixed", "interrupted": found.interrupted}
    head |= {"printings": found.asked, "accepted": found.printings, "draws": found.draws, "objection": found.objection or None}
    head["rejected"] = [{"reason": reason, "count": count} for reason, count in sorted(found.rejected.items())]
    head["findings"] = [
        {"finding": f.what, "kind": f.kind or None, "name": f.name or None, "players": f.players, "verdict": f.verdict}
        | {"same": f.same, "opposite": f.opposite, "undecided": f.undecided, "counts": dict(sorted(f.counts.items()))}
        | {"index": f.index, "low": f.low, "high": f.high, "least": f.least, "most": f.most}
        for f in found.findings
    ]
    rows = found.ranking.to_dict("records") if found.ranking is not None else []
    head["inputs"] = [
        {"input": row["input"], "key": row["key"], "index": row["index"], "low": row["low"], "high": row["high"]}
        | {"of": row["what"], "kind": row["kind"] or None, "name": row["name"] or None, "players": row["players"], "noise": row["noise"]}
        for row in rows
    ]
    return head | {"first": None if first is None else vars(first)}


def listing(found: "Robustness") -> list[Any]:
    """Return what was found for people: sentences and tables."""
    from reports import words
    from reports.parts import Ground
    from reports.robustness.words import of_kinds, of_printings, sentence, subject
    from scripts.show import table

    ground, printed = Ground.of(found.game), found.components
    head = f"{found.title}: {found.printings} plausible printings of {found.draws} drawn (seed {found.seed}, components {printed.digest})"
    parts: list[Any] = [head, printed.counts.notice, "", words.sentence(sentence(found))]
    parts += [f"The numbers as they stand would not pass as plausible: {found.objection}."] if found.objection else []
    parts += [f"Rejected: {words.listed([f'{n} ({reason})' for reason, n in found.rejected.items()])}."] if found.rejected else []
    rows = [
        (str(f.players), subject(ground, f), f.verdict, *("–" if n is None else str(n) for n in (f.same, f.opposite)), str(f.undecided))
        for f in found.findings
    ]
    parts += ["", f"In how many {of_printings(found)} each finding is the same", table(_HEADS, rows)]
    parts += of_kinds(ground, found)
    return parts


_HEADS = ("players", "about", "as the numbers are", "same", "opposite", "undecided")
