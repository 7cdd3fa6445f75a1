"""`chapterhouse worth`: what each held thing (King, …) is worth, found by dealing them out; and the same for a report."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scripts import options as o
from scripts.output import out, writing
from scripts.progress import Progress, progress
from sim import registry

if TYPE_CHECKING:
    import pandas as pd

    from analyses.findings import Survey
    from analyses.survey import Asked as Line
    from analyses.worth import Worth
    from reports.page import Part
    from reports.parts import Ground
    from scripts.show import Fitting
    from sim.printed.components import Components
    from strategies.catalog import Seated

MAX_GAMES, MARGIN, SEED = "400000", "0.10", "1"
EACH, ALL = "each", "all"
Round = Annotated[
    str,
    typer.Option(
        "--round",
        metavar="N|each|all",
        help="Deal in round N (or what the things have instead: phase, …); or in one of each block of games, each in its turn; or in every "
        "one of a game. In the others it goes as usual.",
    ),
]
Levels = Annotated[bool, typer.Option("--levels", help="For each level of play, from weak to looking ahead, instead of one strategy.")]


@dataclass(frozen=True)
class Asked:
    """One line: a number of players, who sits down, and how much is played; a level that looks ahead plays few games, fixed in advance."""

    players: int
    chairs: "tuple[Seated, ...]"
    games: int | None
    max_games: int
    slow: bool

    @property
    def most(self) -> int:
        """About the most games, those with free choice included."""
        games = self.games or self.max_games
        return games if self.slow else games + games // 2


def worth(
    game: o.GameName,
    thing: o.Thing = None,
    players: o.SomePlayersOrUsual = None,
    round_: Round = EACH,
    levels: Levels = False,
    games: o.Games = None,
    max_games: o.MaxGames = MAX_GAMES,
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
    """What is each thing (King, …) worth? They are dealt out by chance, with and without their powers, until each is decided.

    Beside it stands how often each is chosen when players choose freely (or had, where the rules hand it out), how often it wins then, and
    where that misleads. Balanced is a thing whose holder wins between 1 - M and 1 + M times a fair share.
    """
    common = o.Common.read(game, games, max_games, margin, seed, jobs, o.played(strategy, unproved), files, changes, backend, scheduler)
    kind = o.kind_of_thing(game, thing)
    if not registry.load(game).things[kind].asks:
        o.refuse("THING", repr(kind), "a kind of thing that can be dealt")
    occasion = occasion_of(game, kind, round_)
    if levels and common.strategies:
        o.refuse("--levels", "with --strategy", "one of the two")
    folder = o.folder(out_folder) if out_folder is not None else None
    numbers = o.some_players(game, players) if players else [o.usual_players(game)]
    printed = common.components()
    with common.where.playing():
        lines = asked(common, kind, numbers, levels)
        with progress(registry.load(game).title, sum(line.most for line in lines), percent=len(lines) > 1) as bar:
            found = measured(lines, printed, common, kind, occasion, bar.watch)
    if not found:
        raise o.StoppedError(o.NOTHING)
    from scripts.show import show, to_json

    if json:
        out(to_json(answer(found)))
    else:
        show(*(piece for line in found for piece in listing(line)))
    if folder is not None:
        from reports.page import write_part

        with writing(folder):
            write_part(part(found, printed, command(common, kind, numbers, round_, levels)), folder)
    if found[-1].interrupted:
        raise o.StoppedError("Stopped by hand: this is what was played until then.")


def occasion_of(game: str, kind: str, text: str) -> int:
    """Return the occasion that --round asks for, see `sim.dealing.Deal`."""
    from sim.dealing import IN_TURN
    from sim.play import EVERY

    most = len(registry.load(game).things[kind].occasions)
    if text in (EACH, ALL):
        return IN_TURN if text == EACH else EVERY
    if text not in map(str, range(1, most + 1)):
        o.refuse("--round", repr(text), f"1 to {most}, {EACH} or {ALL}")
    return int(text) - 1


def asked(common: o.Common, kind: str, numbers: Sequence[int], levels: bool) -> list[Asked]:
    """Return the lines to play."""
    from analyses.survey import SLOW_BLOCKS, seated
    from sim.dealing import Deal
    from strategies import catalog

    game = registry.load(common.game)
    names = [(name,) for name in catalog.levels(common.game)] if levels else [common.strategies]
    lines = []
    for players in numbers:
        for texts in names:
            chairs = seated(common.game, texts, players)
            slow = levels and any(chair.thinker for chair in chairs)
            slow_games = SLOW_BLOCKS * len(Deal(kind).things(game, players))
            games = min(slow_games, common.games or common.max_games) if slow else common.games
            lines.append(Asked(players, chairs, games, common.max_games, slow))
    return lines


def measured(
    lines: Sequence[Asked],
    printed: "Components",
    common: o.Common,
    kind: str,
    occasion: int,
    watch: Callable[[int], None],
) -> "list[Worth]":
    """Play the lines; Ctrl-C ends it early and keeps what was played."""
    from analyses.survey import SLOW_BATCH
    from analyses.worth import BATCH, measure

    found: list[Worth] = []
    for line in lines:
        result = measure(
            printed, kind, line.players, line.chairs, common.seed, occasion=occasion, powers=not line.slow, games=line.games,
            max_games=line.max_games, free=not line.slow, margin=common.margin, jobs=common.jobs,
            batch=SLOW_BATCH if line.slow else BATCH, watch=watch,
        )  # fmt: skip
        if result.blocks:
            found.append(result)
        if result.interrupted:
            break
    return found


def command(common: o.Common, kind: str, numbers: Sequence[int], round_: str, levels: bool) -> str:
    """Return what to type to measure it again."""
    words = [word for number in numbers for word in ("--players", str(number))]
    words += ["--levels"] if levels else [word for text in common.strategies for word in ("--strategy", text)]
    words += [] if round_ == EACH else ["--round", round_]
    words += ["--games", str(common.games)] if common.games else ["--max-games", str(common.max_games)]
    return shlex.join(["chapterhouse", "worth", common.game, kind, *words, *common.again()])


def part(found: "Sequence[Worth]", printed: "Components", again: str) -> "Part":
    """Return the page of its own."""
    from analyses.survey import versions
    from reports import worth as r
    from reports.page import Part
    from reports.parts import Ground

    ground, first = Ground.of(first_game := found[0].game), found[0]
    facts = [
        ("rules", f"{first_game}, version {first.rules_version}"),
        ("seed", str(first.seed)),
        ("versions", ", ".join(f"{name} {version}" for name, version in versions().items())),
    ]
    games = sum(line.games + line.free for line in found)
    return Part(
        "worth", r.question(first), r.headline(ground, found), [r.answers(ground, found)], [r.section(ground, found)], r.frames(found),
        printed, games, [again], facts, interrupted=found[-1].interrupted,
    )  # fmt: skip


def answer(found: "Sequence[Worth]") -> dict[str, Any]:
    """Return what was found for machines: the first line, and all of them as `lines`; no times and no number of jobs."""
    return _answer(found[0]) | {"lines": [_answer(line) for line in found]}


def _answer(line: "Worth") -> dict[str, Any]:
    from analyses.tables.things import WARNING
    from scripts.show import chosen_tables

    head: dict[str, Any] = {
        "game": line.game,
        "rules_version": line.rules_version,
        "players": line.players,
        "seated": list(line.strategies),
    }
    head |= {"thing": line.kind, "round": _round(line.occasion), "games": line.games, "blocks": line.blocks, "decisions": line.decisions}
    head |= {"seed": line.seed, "intervals": "sequence" if line.sequential else "fixed", "interrupted": line.interrupted}
    head |= {"components": line.components, **line.counts._asdict(), "margin": line.margin}
    head |= {"verdict": line.verdict, "furthest": {"least": line.apart[0], "most": line.apart[1]}, "withheld": line.withheld or None}
    head["games_saved"] = line.saved
    tables = {"things": line.things, "by_round": line.by_round, "by_seat": line.by_seat}
    free = {"games": line.free, "warning": WARNING, **chosen_tables(line.chosen)} if line.free else None
    return head | tables | {"free_choice": free}


def _round(occasion: int) -> str | int:
    from sim.dealing import IN_TURN

    return occasion + 1 if occasion >= 0 else EACH if occasion == IN_TURN else ALL


def listing(line: "Worth") -> list[Any]:
    """Return what was found for people: sentences and a table."""
    from reports import worth as r
    from reports.parts import Ground

    ground = Ground.of(line.game)
    who = " and ".join(line.strategies) if len(line.strategies) > 1 else f"{line.strategies[0]} in every seat"
    head = f"{line.title}, {line.players} players, {who}: {line.games:,} games dealt (seed {line.seed}, components {line.components})"
    return [
        head,
        line.counts.notice,
        r.dealt(line),
        "",
        "" if line.withheld else _table(ground, line),
        r.verdict(ground, line),
        *r.misleading(ground, line),
        r.saving(line),
        "",
    ]


def _table(ground: "Ground", line: "Worth") -> "Fitting":
    from reports.kinds import kind_of
    from scripts.show import column, table

    held = kind_of(line.game, line.kind).had

    def columns(t: "pd.DataFrame") -> list[tuple[str, list[str]]]:
        made = [("wins % when dealt", _shares(t, line.players)[0]), ("between", _shares(t, line.players)[1])]
        made.append(("points", column(t, "points", "points_low", "points_high")[0]))
        if line.powers:
            for name, title in (("power", "from power"), ("rest", "from the rest")):
                made.append((title, column(t, name, f"{name}_low", f"{name}_high", 100 / line.players)[0]))
        if line.free:
            made.append((f"{held} %", column(t, "chosen", "chosen_low", "chosen_high", 100)[0]))
            made.append((f"wins % when {held}", column(t, "wins_when_chosen", "wins_low", "wins_high", 100)[0]))
        return [*made, ("verdict", list(t["verdict"]))]

    made = columns(line.things)
    return table(("thing", *(title for title, _ in made)), zip(map(ground.labels, line.things["thing"]), *(cells for _, cells in made)))


def _shares(t: "pd.DataFrame", players: int) -> tuple[list[str], list[str]]:
    from scripts.show import column

    t = t.assign(share=t["index"] / players, low=(1 + t["low"]) / players, high=(1 + t["high"]) / players)
    return column(t, "share", "low", "high", 100)


# --- the same for a report ----------------------------------------------------------------------------------------------------------------

REPORT_GAMES, REPORT_OTHER = 60_000, 30_000  # of the headline; of another level of play


def report_lines(common: o.Common, lines: "Sequence[Line]") -> list[tuple[str, Asked]]:
    """Return what a report deals: every kind of thing with every headline, and at each level of play that does not look ahead."""
    from analyses.stated import dealable, withheld
    from strategies import catalog

    most = min(REPORT_GAMES, common.games or common.max_games), min(REPORT_OTHER, common.games or common.max_games)
    found, printed = [], common.components()
    for kind in dealable(printed):
        # Where only all together are spoken of, fewer games will do; and other levels say less of what nobody chooses.
        first = most[1] if withheld(printed, kind) else most[0]
        heads = [line for line in lines if line.headline]
        found += [(kind, Asked(line.players, line.chairs, common.games and first, first, False)) for line in heads]
        if registry.load(common.game).things[kind].by_study:
            continue
        quick = [line for line in lines if not line.headline and not line.slow and len(line.chairs) == 1]
        levels = [line for line in quick if line.role == "strategy" and line.chairs[0].name in catalog.levels(common.game)]
        found += [(kind, Asked(line.players, line.chairs, common.games and most[1], most[1], False)) for line in levels]
    return found


def report_total(common: o.Common, lines: "Sequence[Line]") -> int:
    """Return about how many games a report deals."""
    return sum(line.max_games for _, line in report_lines(common, lines))


def with_worths(survey: "Survey", common: o.Common, lines: "Sequence[Line]", bar: Progress) -> "Survey":
    """Return the survey with what things are worth; Ctrl-C ends it early and keeps what was played."""
    from analyses.worth import beside, measure

    found: list[Worth] = []
    commands: list[str] = []
    if survey.interrupted:
        return survey
    asked = report_lines(common, lines)
    for kind, line in asked:
        names = tuple(chair.name for chair in line.chairs)
        result = measure(
            survey.components, kind, line.players, line.chairs, common.seed, games=line.games, max_games=line.max_games, free=False,
            margin=common.margin, jobs=common.jobs, watch=bar.watch,
        )  # fmt: skip
        if result.blocks:
            free = next(x for x in survey.lines if x.players == line.players and x.strategies == names)
            found.append(beside(result, free))
            words = ["--players", str(line.players), *(word for name in names for word in ("--strategy", name.split(" #")[0]))]
            words += ["--games", str(result.games), *common.again()]
            commands.append(shlex.join(["chapterhouse", "worth", common.game, kind, *words]))
        if result.interrupted:
            break
    stopped = len(found) < len(asked) or any(line.interrupted for line in found)
    return replace(survey, worths=tuple(found), interrupted=stopped, commands=(*survey.commands, *commands))
