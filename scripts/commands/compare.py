"""`chapterhouse compare`: two sets of components on the same chance, and what the second changes."""

import shlex
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scripts import options as o
from scripts.commands import compare_against as against_
from scripts.output import out, writing
from scripts.progress import progress
from sim import registry

if TYPE_CHECKING:
    from analyses.compare.compare import Asked, Comparison
    from analyses.compare.played import Balance, Played
    from analyses.tuning import Match
    from reports.page import Part

MARGIN, SEED = "0.10", 1
MOST_RETUNE = 10**9
Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        metavar="FILE",
        help="Compare with this: a TOML or CSV file of components, or the .json of an earlier comparison, whose changed game is then the "
        "one before. If not given: with the game as it comes.",
    ),
]
Games = Annotated[str | None, typer.Option("--games", metavar="N", help="Games of each set in each part; 100000 if not given.")]
Seed = Annotated[
    str | None,
    typer.Option("--seed", metavar="N", help="The same seed gives the same games; that of --against FILE.json, or 1, if not given."),
]
Retune = Annotated[
    str | None,
    typer.Option(
        "--retune",
        metavar="GAMES",
        help="Also tune the strategy anew for the changed game, by so many games of self-play, and compare with that; two cores play "
        "1000000 in about a minute.",
    ),
]


def compare(
    game: o.GameName,
    against: Against = None,
    players: o.Players = None,
    games: Games = None,
    margin: o.Margin = MARGIN,
    seed: Seed = None,
    jobs: o.Jobs = None,
    out_folder: o.PageFolder = None,
    files: o.Files = None,
    changes: o.Changes = None,
    strategy: o.Strategies = None,
    unproved: o.Unproved = False,
    retune: Retune = None,
    backend: o.Backend = "threads",
    scheduler: o.Scheduler = None,
    json: o.Json = False,
) -> None:
    """What does a change do? The game before and after it on the same chance: who wins, what things are worth, points, uses, strategies.

    After is the game with --components and --set, before is the game as it comes, or --against. To change a file of your own, name it
    twice: --against mine.toml --components mine.toml --set PATH=VALUE. With the default strategy two cores take about half a minute.
    """
    o.game_name(game)
    threads = -1 if jobs is None else o.whole("--jobs", jobs, 1, o.MOST_JOBS)
    where = o.Where.read(backend, scheduler, jobs)
    folder = o.folder(out_folder) if out_folder is not None else None
    strategy = o.played(strategy, unproved)
    asked = asked_for(game, against, players, games, margin, seed, files, changes, strategy, retune)
    from analyses.compare import compare as c

    with where.playing():
        prepared(asked)
        with progress(f"{registry.load(game).title}, {asked.players} players", asked.total()) as bar:
            found = c.compare(asked, jobs=threads, watch=bar.watch, begins=bar.name)
    if not found.played.blocks:
        raise o.StoppedError(o.NOTHING)
    from scripts.show import show, to_json

    text = to_json(answer(found))
    if json:
        out(text)
    else:
        show(*listing(found))
    if folder is not None:
        save(found, folder, command(asked, against, files, changes, strategy), text)
    if found.interrupted:
        raise o.StoppedError("Stopped by hand: this is what was played until then.")


def asked_for(
    game: str,
    against: str | None,
    players: str | None,
    games: str | None,
    margin: str,
    seed: str | None,
    files: list[str] | None,
    changes: list[str] | None,
    strategy: list[str] | None,
    retune: str | None,
) -> "Asked":
    """Return what is to be compared, everything checked.

    Raises:
        WrongInputError: something can't be used, or can't be compared.
    """
    margin_ = o.fraction("--margin", margin)
    seed_ = None if seed is None else o.whole("--seed", seed, 0, o.MOST_SEED)
    count = None if games is None else o.whole("--games", games, 1, o.MOST_GAMES)
    number = None if players is None else o.some_players(game, [players])[0]
    base = against_.base(game, against)
    after = o.read_components(game, files, changes)
    if after.digest == base.components.digest:
        o.refuse("--set", "no value that differs from those compared with", "at least one other value, by --set or --components")
    from analyses.compare.compare import GAMES, Asked
    from analyses.survey import seated

    key = seed_ if seed_ is not None else base.seed if base.seed is not None else SEED
    number = number or base.players or o.usual_players(game)
    texts = strategy or [name.split(" #")[0] for name in base.seated or ()]
    with o.strategy_errors():
        chairs = seated(game, texts, number)
    names = " and ".join(chair.name for chair in chairs)
    for option, earlier, now, name in (
        ("--players", base.players, number, "number of players"),
        ("--strategy", base.seated and " and ".join(base.seated), names, "strategies"),
        ("--seed", base.seed, key, "seed"),
    ):
        against_.checked(str(against), option, earlier, now, name)
    if base.casting is not None and base.casting != against_.digest(chairs):
        against_.refuse(str(against), f"strategies {names} that played otherwise", "a run with strategies as they are now")
    asked = Asked(base.components, after, number, chairs, key, count or GAMES, margin_)
    return asked if retune is None else _with_tuning(asked, retune)


def _with_tuning(asked: "Asked", text: str) -> "Asked":
    """Return the same, with a strategy that is tuned anew."""
    from dataclasses import replace

    from analyses.compare.tuned import generations, plan

    if len(asked.chairs) > 1:
        o.refuse("--retune", f"{len(asked.chairs)} strategies at one table", "one strategy in every seat")
    if find_spec("cma") is None:
        o.missing("--retune", "cma")
    with o.strategy_errors():
        _, each = generations(plan(asked.chairs[0], asked.players, asked.seed), 0)
    return replace(asked, retune=o.whole("--retune", text, each, MOST_RETUNE))


def prepared(asked: "Asked") -> None:
    """Have all compiled before a clock starts."""
    from sim.runner import prepare

    for part in (asked.before, asked.after):
        prepare(registry.load(part.game), {*asked.chairs, *asked.mix}, part.record)


def command(asked: "Asked", against: str | None, files: list[str] | None, changes: list[str] | None, strategy: list[str] | None) -> str:
    """Return what to type to compare again."""
    words = ["--against", against] if against else []
    words += ["--players", str(asked.players)]
    words += [word for text in strategy or () for word in ("--strategy", text)]
    words += [word for name in files or () for word in ("--components", name)]
    words += [word for change in changes or () for word in ("--set", change)]
    words += ["--retune", str(asked.retune)] if asked.retune else []
    words += ["--games", str(asked.games), "--margin", f"{asked.margin:g}", "--seed", str(asked.seed)]
    return shlex.join(["chapterhouse", "compare", asked.before.game, *words])


def save(found: "Comparison", folder: Path, again: str, text: str) -> None:
    """Write the page, its tables, and what --json prints."""
    from reports.page import write_part

    with writing(folder):
        write_part(part(found, again), folder)
        (folder / "compare.json").write_text(text + "\n", encoding="utf-8")


def part(found: "Comparison", again: str) -> "Part":
    """Return the page."""
    from analyses.compare.compare import tables
    from analyses.survey import versions
    from reports.compare import compare as r
    from reports.compare import words as w
    from reports.page import Part
    from reports.parts import Ground

    ground, asked = Ground.of(found.game), found.asked
    facts = [
        ("compared with", f"digest {asked.before.digest}; {asked.before.counts}"),
        ("rules", f"{found.game}, version {found.rules_version}"),
        ("who played", w.who(found)),
        ("seed", str(asked.seed)),
        ("versions", ", ".join(f"{name} {version}" for name, version in versions().items())),
    ]
    return Part(
        "compare", r.KICKER, w.headline(ground, found), r.questions(ground, found), r.sections(ground, found), tables(found), asked.after,
        found.games, [again], facts, interrupted=found.interrupted,
    )  # fmt: skip


# --- for machines -------------------------------------------------------------------------------------------------------------------------


def answer(found: "Comparison") -> dict[str, Any]:
    """Return what was found for machines: no times and no number of jobs, so that it is the same on every machine."""
    asked, played = found.asked, found.played
    head: dict[str, Any] = {"command": against_.COMMAND, "game": found.game, "rules_version": found.rules_version}
    head |= {"players": asked.players, "seated": list(found.strategies), "casting": against_.digest(asked.chairs), "seed": asked.seed}
    head |= {"margin": asked.margin, "games_played": found.games, "interrupted": found.interrupted}
    sides = {}
    for when, components in (("before", asked.before), ("after", asked.after)):
        sides[when] = {"components": components.digest, **components.counts._asdict()}
        sides[when] |= {"verdict": getattr(played, when).word, "size": _size(getattr(played, when))}
    sides["after"] |= against_.as_values(asked.after)
    changes = [{"path": path, "before": was, "after": now} for path, was, now in found.changes]
    rows = [{"kind": things.kind, **row} for things in found.things for row in things.things.to_dict("records")]
    kinds = [_thing_answer(things) for things in found.things]
    order = found.order
    strategies: dict[str, Any] | None = None
    if order:
        strategies = {"games": order.games, "blocks": order.blocks, "interrupted": order.interrupted, "all_of_the_game": found.mixed}
        strategies |= {"before": order.ranked("before"), "after": order.ranked("after")}
        strategies |= {"overtakes": [list(pair) for pair in order.swaps], "rows": order.strategies}
    tail = {"things": rows, "kinds": kinds, "strategies": strategies, "retuned": _tuned_answer(found)}
    return head | sides | {"changes": changes} | _played_answer(played) | tail


def _size(verdict: Any) -> dict[str, Any]:
    return {name: getattr(verdict, name) for name in ("seat", "index", "low", "high")} | {"smallest_margin": verdict.holds}


def _played_answer(played: "Played") -> dict[str, Any]:
    """Return what changes in whole games."""
    head: dict[str, Any] = {"games": played.games, "blocks": played.blocks, "intervals": "sequence" if played.sequential else "fixed"}
    seats = [int(seat) for seat in played.seats["seat"]]
    head |= {"verdict": played.word, "fairness": _fairness(played.balance, seats), "games_altered": played.altered}
    head |= {"score": played.score._asdict(), "margin_of_victory": played.lead._asdict()}
    head |= {"games_saved": {"win_share": played.saved, "score": played.score_saved}}
    return head | {"seats": played.seats, "sources": played.sources, "growth": played.growth, "uses": played.uses}


def _fairness(balance: "Balance", names: Sequence[object]) -> dict[str, Any]:
    """Return how far the furthest is from its fair share, in win index."""
    ends = {when: dict(zip(("distance", "low", "high"), getattr(balance, when), strict=True)) for when in ("before", "after", "change")}
    return {"word": balance.word, "furthest_before": names[balance.first], "furthest_after": names[balance.last], **ends}


def _thing_answer(things: Any) -> dict[str, Any]:
    names = ("kind", "games", "blocks", "interrupted", "before", "after", "word")
    return {name: getattr(things, name) for name in names} | {"fairness": _fairness(things.balance, list(things.things["thing"]))}


def _tuned_answer(found: "Comparison") -> dict[str, Any] | None:
    tuned = found.retuned
    if tuned is None:
        return None
    head: dict[str, Any] = {"strategy": tuned.strategy, "generations": tuned.generations, "games_tuned": tuned.games}
    head |= {"against_the_old": tuned.word, "changed_game": _match(tuned.changed), "game_before": _match(tuned.unchanged)}
    rows = [{"kind": things.kind, **row} for things in tuned.things for row in things.things.to_dict("records")]
    played = _played_answer(tuned.played) if tuned.played else None
    return head | {"weights": tuned.weights, "played": played, "things": rows, "kinds": [_thing_answer(things) for things in tuned.things]}


def _match(match: "Match | None") -> dict[str, Any] | None:
    return None if match is None else {name: getattr(match, name) for name in ("games", "seed", "share", "low", "high")}


# --- for people ---------------------------------------------------------------------------------------------------------------------------


def listing(found: "Comparison") -> list[Any]:
    """Return what was found for people: sentences and tables."""
    from reports.compare import words as w
    from reports.parts import Ground

    ground, asked, played = Ground.of(found.game), found.asked, found.played
    numbers = f"{asked.before.digest} → {asked.after.digest}"
    parts: list[Any] = [
        f"{found.title}, {asked.players} players, {w.who(found)} (seed {asked.seed}, components {numbers})",
        asked.after.counts.notice,
    ]
    parts += [f"Changed: {w.changed(found)}.", "", *_played_listing(ground, played)]
    for things in found.things:
        names = w.thing_names(ground, things)
        parts += ["", _thing_table(things, asked.players, names), w.fairness(things.balance, ground.labels(things.kind), names)]
        parts.append(w.most_thing(ground, things, asked.players))
    if found.order:
        parts += ["", _share_table(found.order.strategies, "strategy"), f"{w.overtaking(found.order)} {w.most_strategy(found.order)}"]
    if found.retuned:
        parts += ["", *w.practice(found.retuned)]
        parts += _played_listing(ground, found.retuned.played) if found.retuned.played else []
    return [*parts, "", w.cost(ground, found), w.saving(ground, found)]


def _played_listing(ground: Any, played: "Played") -> list[Any]:
    from reports.compare import words as w
    from reports.compare.figures import largest

    parts: list[Any] = [_share_table(played.seats, "seat"), w.nothing(played)]
    parts += [f"Verdict on the seats: {w.verdicts(played.before.word, played.after.word, played.word)}."]
    parts += [w.fairness(played.balance, "seats", w.seat_names(played)), w.most_seat(played)]
    parts += [f"Mean score: {w.points(played.score, 'points')}. Margin of victory: {w.points(played.lead, 'points')}."]
    everybody = largest(played.sources[played.sources["seat"] == "all"])
    if len(everybody):
        named = [
            f"{ground.labels.short('points.' + row['source'])} {w.moved(row['change'], row['low'], row['high'])}"
            for row in w.rows(everybody)
        ]
        parts.append(f"Points change by source: {'; '.join(named)}.")
    used = w.rows(largest(played.uses))
    if used:
        named = [f"{w.use(ground, row)} {w.moved(row['change'], row['low'], row['high'], most=3)}" for row in used[: 2 * w.MOST_NAMED]]
        left = f" and {len(used) - len(named)} more counts" if len(used) > len(named) else ""
        parts.append(f"Uses change, times a player and game: {'; '.join(named)}{left}.")
    return parts


def _share_table(frame: Any, head: str) -> Any:
    from scripts.show import column, table

    sides = []
    for when in ("before", "after"):  # with the digits of the change
        half = (frame["high"] - frame["low"]) / 2
        ends = {f"low_{when}": frame[f"win_share_{when}"] - half, f"high_{when}": frame[f"win_share_{when}"] + half}
        sides.append(column(frame.assign(**ends), f"win_share_{when}", f"low_{when}", f"high_{when}", 100)[0])
    heads = (head, "wins % before", "after", "change", "between")
    return table(heads, zip(map(str, frame[head]), *sides, *column(frame, "change", "low", "high", 100, sign=True)))


def _thing_table(things: Any, players: int, names: list[str]) -> Any:
    from scripts.show import column, table

    frame = things.things.assign(thing=names)
    columns = []
    for when in ("before", "after"):
        ends = {f"{name}_{when}": 1 + frame[f"{name}_{when}"] for name in ("worth", "low", "high")}
        columns.append(column(frame.assign(**ends), f"worth_{when}", f"low_{when}", f"high_{when}", 100 / players)[0])
    columns += column(frame, "change", "low", "high", 100 / players, sign=True)
    columns.append(column(frame, "points_change", "points_low", "points_high", sign=True)[0])
    verdicts = [a if a == b else f"{a} → {b}" for a, b in zip(frame["verdict_before"], frame["verdict_after"])]
    heads = ("dealt", "wins % before", "after", "change", "between", "change in points", "verdict")
    return table(heads, zip(names, *columns, verdicts))
