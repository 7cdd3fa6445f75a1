"""`chapterhouse compare`: two sets of components with the same dice and draws, and what the second changes; or several,
and which is the fairest."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analyses.request import flags
from scripts import options as o
from scripts.commands import compare_against as against_
from scripts.commands import compare_several as several
from scripts.commands.seats import size_of
from scripts.question import Finding, Question, Task, page
from scripts.show import column, table, to_json
from sim import registry

if TYPE_CHECKING:
    from analyses.compare.compare import Comparison
    from analyses.compare.revision import Revision
    from analyses.compare.several import Several
    from analyses.compare.things import ThingsCompared
    from analyses.compare.whole import Fairness, WholeGames
    from analyses.request import Request
    from analyses.tuning import Match
    from strategies.catalog import Seated

MOST_RETUNE = 10**9
Against = Annotated[
    str | None,
    o.option(
        "--against",
        "FILE",
        "Compare with this: a TOML or CSV file of components, or the .json of an earlier comparison, whose changed "
        "game then comes first. If not given: compare with the game as it comes.",
    ),
]
Games = Annotated[str, o.option("--games", "N", "Games of each set in each part.")]
Seed = Annotated[
    str | None,
    o.option("--seed", "N", "The same seed gives the same games. If not given: the seed of --against FILE.json, or 1."),
]
Retune = Annotated[
    str | None,
    o.option(
        "--retune",
        "GAMES",
        "Also tune the strategy for the changed game, with this many games of self-play, and compare with that too; if "
        "you name no strategy, the strongest that can be tuned plays. "
        "Two cores play 1000000 in about a minute.",
    ),
]
Sets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE]…",
        help="Files of components, each a set of its own, called by the file's name: which of them is the fairest?",
        show_default=False,
    ),
]
Variants = Annotated[
    list[str] | None,
    o.option(
        "--variant",
        "NAME:PATH=VALUE",
        "A set that differs from the first in this value. Repeat the NAME for further values of the same set.",
    ),
]


def ask(
    request: "Request",
    sets: Sets = None,
    variant: Variants = None,
    against: Against = None,
    retune: Retune = None,
    seed: Seed = None,
) -> Task:
    """What does a change do? Plays the game before and after with the same dice and draws: wins, worth, points, uses,
    strategies. Or which of several sets of numbers is the fairest?

    After the change is the game with --components and --set; before it is the game as it comes, or --against. To change
    a file of your own, name it twice: --against mine.toml --components mine.toml --set PATH=VALUE.

    With files or --variant, each is a set, and the game before the change is the first of them. We compare every two,
    and check the fairest in fresh games.
    """
    if sets or variant:
        return _several(request, sets or [], variant or [], against, retune, seed is not None)
    from analyses.compare.compare import compare, total
    from sim.runner import prepare

    revision = revision_of(request, against, retune, seed is not None)
    for components in (revision.before, revision.after):  # before a clock starts
        prepare(registry.load(components.game), {*revision.entrants, *revision.mix}, components.record)

    words = [*flags("--against", filter(None, [against])), *flags("--retune", filter(None, [revision.retune]))]
    title = f"{registry.load(request.game).title}, {revision.players} players"
    games, asked = total(revision), revision.request
    return Task(title, games, lambda bar: compare(revision, bar.watch, bar.name), words=tuple(words), request=asked)


def _several(
    request: "Request",
    files: Sequence[str],
    variants: Sequence[str],
    against: str | None,
    retune: str | None,
    seeded: bool,
) -> Task:
    """Return what to play for several sets."""
    if retune is not None:
        o.refuse("--retune", repr(retune), "a comparison of two sets, without files or --variant")
    from analyses.compare.several import compare, total

    base = against_.base(request.game, against)
    asked, entrants = _seated(request, base, against, seeded)
    contest = several.contest_of(asked, base.components, files, variants, entrants)
    words = [*files, *flags("--variant", variants), *flags("--against", filter(None, [against]))]
    title = f"{registry.load(request.game).title}, {contest.players} players, {len(contest.sets)} sets"
    return Task(
        title, total(contest), lambda bar: compare(contest, bar.watch, bar.name), words=tuple(words),
        request=contest.request,
    )  # fmt: skip


def revision_of(request: "Request", against: str | None, retune: str | None, seeded: bool) -> "Revision":
    """Return what is to be compared, everything checked; `seeded`: whether somebody asked for the seed.

    Raises:
        WrongInputError: something can't be used, or can't be compared. StrategyError: somebody can't play.
    """
    base = against_.base(request.game, against)
    if request.components.digest == base.components.digest:
        o.refuse(
            "--set",
            "no value that differs from those compared with",
            "at least one other value, by --set or --components",
        )
    from analyses.compare.revision import Revision

    asked, entrants = _seated(request, base, against, seeded, retune is not None)
    revision = Revision(base.components, asked, entrants)
    return revision if retune is None else _with_tuning(revision, retune)


def _seated(
    request: "Request", base: against_.Base, against: str | None, seeded: bool, tuned: bool = False
) -> "tuple[Request, tuple[Seated, ...]]":
    """Return the request with the number of players and the seed of an earlier comparison, and who plays; `tuned`:
    whether the strategy is tuned anew.

    Raises:
        WrongInputError: somebody asks for others than it had. StrategyError: somebody can't play.
    """
    from analyses.survey import line_up

    game, key = request.game, request.seed if seeded or base.seed is None else base.seed
    number = request.players[0] if request.named or base.players is None else base.players
    named = request.strategies or [name.split(" #")[0] for name in base.seated or ()]
    if tuned and not named:
        from analyses.compare.tuned import usual

        named = [usual(game, number)]
    entrants = line_up(game, named, number)
    names = " and ".join(entrant.name for entrant in entrants)
    for option, earlier, now, name in (
        ("--players", base.players, number, "number of players"),
        ("--strategy", base.seated and " and ".join(base.seated), names, "strategies"),
        ("--seed", base.seed, key, "seed"),
    ):
        against_.checked(str(against), option, earlier, now, name)
    if base.casting is not None and base.casting != against_.digest(entrants):
        against_.refuse(
            str(against), f"strategies {names} that played otherwise", "a run with strategies as they are now"
        )
    return replace(request, players=(number,), seed=key), entrants


def _with_tuning(revision: "Revision", text: str) -> "Revision":
    """Return the same, with a strategy that is tuned anew."""
    from analyses.compare.tuned import generations, plan

    if len(revision.entrants) > 1:
        o.refuse("--retune", f"{len(revision.entrants)} strategies at one table", "one strategy in every seat")
    if find_spec("cma") is None:
        o.missing("--retune", "cma")
    _, each = generations(plan(revision.entrants[0], revision.players, revision.request.seed), 0)
    return replace(revision, retune=o.whole("--retune", text, each, MOST_RETUNE))


def save(finding: Finding, folder: Path) -> None:
    """Write what --json prints."""
    (folder / "compare.json").write_text(to_json(finding.to_dict()) + "\n", encoding="utf-8")


def _part(found: "Comparison | Several") -> Any:
    from analyses.compare.several import Several

    return page("compare.several" if isinstance(found, Several) else "compare.compare")(found)


# --- for machines -----------------------------------------------------------------------------------------------------


def answer(found: "Comparison | Several") -> dict[str, Any]:
    """Return the answer for machines."""
    from analyses.compare.several import Several

    if isinstance(found, Several):
        return several.answer(found)
    revision, whole = found.revision, found.whole
    head: dict[str, Any] = {"casting": against_.digest(revision.entrants), "games_played": found.all_games}
    sides = {}
    for when, components in (("before", revision.before), ("after", revision.after)):
        sides[when] = {"components": components.digest, **components.counts._asdict()}
        sides[when] |= {"verdict": getattr(whole, when).word, "size": size_of(getattr(whole, when))}
    sides["after"] |= against_.as_values(revision.after)
    changes = [{"path": path, "before": was, "after": now} for path, was, now in found.changes]
    order = found.order
    strategies: dict[str, Any] | None = None
    if order:
        strategies = {
            "games": order.games,
            "blocks": order.blocks,
            "interrupted": order.interrupted,
            "all_of_the_game": found.mixed,
        }
        strategies |= {"before": order.ranked("before"), "after": order.ranked("after")}
        strategies |= {"overtakes": [list(pair) for pair in order.swaps], "rows": order.strategies}
    tail = _things_answer(found.things) | {"strategies": strategies, "retuned": _tuned_answer(found)}
    return head | sides | {"changes": changes} | _whole_answer(whole) | tail


def _whole_answer(whole: "WholeGames") -> dict[str, Any]:
    """Return what changes in whole games."""
    head: dict[str, Any] = {
        name: value for name, value in whole.played.head().items() if name in ("games", "blocks", "intervals")
    }
    seats = [int(seat) for seat in whole.seats["seat"]]
    head |= {"verdict": whole.word, "fairness": _fairness(whole.fairness, seats), "games_altered": whole.altered}
    head |= {"score": whole.score._asdict(), "margin_of_victory": whole.lead._asdict()}
    head |= {"games_saved": {"win_share": whole.saved, "score": whole.score_saved}}
    return head | {"seats": whole.seats, "sources": whole.sources, "growth": whole.growth, "uses": whole.uses}


def _fairness(fair: "Fairness", names: Sequence[object]) -> dict[str, Any]:
    """Return how far the furthest is from its fair share, in win index."""
    ends = {
        when: dict(zip(("distance", "low", "high"), getattr(fair, when), strict=True))
        for when in ("before", "after", "change")
    }
    return {"word": fair.word, "furthest_before": names[fair.first], "furthest_after": names[fair.last], **ends}


def _things_answer(found: "Sequence[ThingsCompared]") -> dict[str, Any]:
    rows = [{"kind": things.kind, **row} for things in found for row in things.things.to_dict("records")]
    names = ("kind", "games", "blocks", "interrupted", "before", "after", "word")
    kinds = [
        {name: getattr(things, name) for name in names}
        | {"fairness": _fairness(things.fairness, list(things.things["thing"]))}
        for things in found
    ]
    return {"things": rows, "kinds": kinds}


def _tuned_answer(found: "Comparison") -> dict[str, Any] | None:
    tuned = found.retuned
    if tuned is None:
        return None
    head: dict[str, Any] = {"strategy": tuned.strategy, "generations": tuned.generations, "games_tuned": tuned.games}
    head |= {
        "against_the_old": tuned.word,
        "changed_game": _match(tuned.changed),
        "game_before": _match(tuned.unchanged),
    }
    whole = _whole_answer(tuned.whole) if tuned.whole else None
    return head | {"weights": tuned.weights, "played": whole} | _things_answer(tuned.things)


def _match(match: "Match | None") -> dict[str, Any] | None:
    return None if match is None else {name: getattr(match, name) for name in ("games", "seed", "share", "low", "high")}


# --- for people -------------------------------------------------------------------------------------------------------


def listing(found: "Comparison | Several") -> list[Any]:
    """Return the answer for people: sentences and tables."""
    from analyses.compare.several import Several

    if isinstance(found, Several):
        return several.listing(found)
    from reports.compare import words as w
    from reports.parts import Ground

    ground, numbers = Ground.of(found.game), f"{found.revision.before.digest} → {found.components.digest}"
    parts: list[Any] = [
        f"{found.title}, {found.players} players, {ground.seating(found)} (seed {found.seed}, components {numbers})",
        found.notice,
    ]
    parts += [f"Changed: {w.changed(found)}.", "", *_whole_listing(ground, found.whole)]
    for things in found.things:
        names = w.thing_names(ground, things)
        parts += [
            "",
            _thing_table(things, found.players, found.margin, names),
            w.fairness(things.fairness, ground.labels(things.kind), names),
        ]
        parts.append(w.most_thing(ground, things, found.players))
    if found.order:
        parts += [
            "",
            _share_table(found.order.strategies, "strategy"),
            f"{w.overtaking(found.order)} {w.most_strategy(found.order)}",
        ]
    if found.retuned:
        parts += ["", *w.practice(found.retuned)]
        parts += _whole_listing(ground, found.retuned.whole) if found.retuned.whole else []
    return [*parts, "", w.cost(ground, found), w.saving(ground, found)]


def _whole_listing(ground: Any, whole: "WholeGames") -> list[Any]:
    from reports.compare import words as w
    from reports.compare.figures import largest
    from reports.tables import records

    parts: list[Any] = [_share_table(whole.seats, "seat"), w.nothing(whole)]
    parts += [f"Verdict on the seats: {w.verdicts(whole.before.word, whole.after.word, whole.word)}."]
    parts += [w.fairness(whole.fairness, "seats", w.seat_names(whole)), w.most_seat(whole)]
    parts += [f"Mean score of a player: {w.points(whole.score, 'points')}."]
    parts += [f"The winner's lead over the second: {w.points(whole.lead, 'points')}."]
    everybody = largest(whole.sources[whole.sources["seat"] == "all"])
    if len(everybody):
        named = [
            f"{ground.labels.short('points.' + row['source'])} {w.moved(row['change'], row['low'], row['high'])}"
            for row in records(everybody)
        ]
        parts.append(f"Changes in points by source: {'; '.join(named)}.")
    used = records(largest(whole.uses))
    if used:
        named = [
            f"{w.use(ground, row)} {w.moved(row['change'], row['low'], row['high'], most=3)}"
            for row in used[: 2 * w.MOST_NAMED]
        ]
        left = f" and {len(used) - len(named)} more counts" if len(used) > len(named) else ""
        parts.append(f"Changes in uses per player and game: {'; '.join(named)}{left}.")
    return parts


def _share_table(frame: Any, head: str) -> Any:
    sides = [column(frame, f"win_share_{when}", f"low_{when}", f"high_{when}", 100)[0] for when in ("before", "after")]
    heads = (head, "wins % before", "after", "change", "between")
    return table(heads, zip(map(str, frame[head]), *sides, *column(frame, "change", "low", "high", 100, sign=True)))


def _thing_table(things: Any, players: int, margin: float, names: list[str]) -> Any:
    from reports.compare import words as w

    frame = things.things.assign(thing=names)
    columns = []
    for when in ("before", "after"):
        ends = {f"{name}_{when}": 1 + frame[f"{name}_{when}"] for name in ("worth", "low", "high")}
        columns.append(column(frame.assign(**ends), f"worth_{when}", f"low_{when}", f"high_{when}", 100 / players)[0])
    columns += column(frame, "change", "low", "high", 100 / players, sign=True)
    columns.append(column(frame, "points_change", "points_low", "points_high", sign=True)[0])
    heads = ("dealt", "wins % before", "after", "change", "between", "change in points", "verdict")
    return table(heads, zip(names, *columns, w.thing_verdicts(things.things, margin)))


QUESTION = Question(
    "compare",
    ask,
    answer,
    listing,
    _part,
    without=("max_games", "seed"),
    shared={"games": (Games, "100000")},
    save=save,
    cost="For one set of numbers with four players it plays 600,000 games: about half a minute on two cores.",
    example="chapterhouse compare moesteiro --set kings.afonso_v.vp=2",
    small="pig --games 2 --set goal=50",
)
