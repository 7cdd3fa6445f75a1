"""`chapterhouse balance`: the smallest change of some numbers that brings seats and things inside the margin, as a component file."""

import shlex
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scripts import options as o
from scripts.output import out, writing
from scripts.progress import progress
from sim import registry

if TYPE_CHECKING:
    from analyses.balance.balance import Balance
    from sim.printed.components import Components
    from sim.printed.levers import Lever

TRIALS, GAMES, MAX_GAMES, MARGIN, SEED = "100", "4000", "200000", "0.10", "1"
MOST_TRIALS = 100_000
NEEDED = ("optuna", "tomlkit")
FILE = "balance.toml"
SEATS = "seats"
Change = Annotated[
    list[str] | None,
    typer.Option(
        "--change", metavar="PATH[=VALUES]", help="A number that may change, as start.seat4.vp=0..3; the game's own list if none."
    ),
]
Only = Annotated[
    list[str] | None, typer.Option("--only", metavar="WHAT", help="What must be balanced: seats, or a kind of thing (repeatable); all.")
]
Trials = Annotated[str, typer.Option("--trials", metavar="N", help="How many sets of numbers are measured.")]
Games = Annotated[str, typer.Option("--games", metavar="N", help="Games of each trial, of the seats and of each kind of thing.")]
MaxGames = Annotated[str, typer.Option("--max-games", metavar="N", help="Most games of each verdict on fresh chance.")]
OutFolder = Annotated[
    str | None, typer.Option("--out", metavar="FOLDER", help="Write the proposal, balance.toml, a page and its tables there.")
]


def balance(
    game: o.GameName,
    change: Change = None,
    only: Only = None,
    players: o.Players = None,
    trials: Trials = TRIALS,
    games: Games = GAMES,
    max_games: MaxGames = MAX_GAMES,
    margin: o.Margin = MARGIN,
    seed: o.Seed = SEED,
    jobs: o.Jobs = None,
    out_folder: OutFolder = None,
    files: o.Files = None,
    changes: o.Changes = None,
    strategy: o.Strategies = None,
    unproved: o.Unproved = False,
    backend: o.Backend = "threads",
    scheduler: o.Scheduler = None,
    json: o.Json = False,
) -> None:
    """What is the smallest change that makes it fair to every seat and thing? Searched for, then judged on fresh chance."""
    common = o.Common.read(game, games, max_games, margin, seed, jobs, o.played(strategy, unproved), files, changes, backend, scheduler)
    count = o.some_players(game, [players])[0] if players is not None else o.usual_players(game)
    number = o.whole("--trials", trials, 1, MOST_TRIALS)
    folder = o.folder(out_folder) if out_folder is not None else None
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        o.missing("balance", *missing)
    base = common.components()
    levers = levers_of(common, base, count, change or ())
    found = search(common, base, levers, count, targets_of(base, only or ()), number)
    if found.best is None:
        raise o.StoppedError("Stopped by hand before anything was measured.")
    words = [word for text in change or () for word in ("--change", text)] + [word for text in only or () for word in ("--only", text)]
    command = shlex.join(["chapterhouse", "balance", game, *words, *_words(common, found, number)])
    target = str(folder / FILE) if folder is not None else None
    if json:
        from scripts.show import to_json

        out(to_json(answer(found) | ({"file": target} if target else {})))
    else:
        listing(found, target)
    if folder is not None:
        save(found, common, command, folder)
    if found.interrupted:
        raise o.StoppedError("Stopped by hand: this is the best so far.")


# --- what is asked ------------------------------------------------------------------------------------------------------------------------


def targets_of(base: "Components", asked: Sequence[str]) -> tuple[str, ...]:
    """Return what must be balanced: of the things those that can be dealt, and of which single ones may be spoken of.

    Things without powers (places in an order) only where they are asked for: the first place is there to be won.
    """
    from analyses.stated import dealable, stated, withheld

    able = [SEATS, *stated(base)]
    for text in asked:
        if text in dealable(base) and text not in able:
            o.refuse("--only", repr(text), f"{' or '.join(able)}, since of single {text} nothing is said: {withheld(base, text)}")
        if text not in able:
            o.refuse("--only", repr(text), " or ".join(able))
    things = registry.load(base.game).things
    return tuple(target for target in able if (target in asked if asked else target == SEATS or things[target].powers))


def levers_of(common: o.Common, base: "Components", players: int, texts: Sequence[str]) -> "tuple[Lever, ...]":
    """Return what may be changed: what the user names, or the list of the game."""
    from sim.printed.components import ComponentsError
    from sim.printed.levers import read

    try:
        proposed = read(registry.load(common.game), players)
    except ComponentsError as error:
        raise o.WrongInputError(str(error)) from None
    if not texts:
        if not proposed:
            o.refuse("--change", "none", f"at least one PATH=VALUES, as {common.game} proposes no numbers to change")
        return tuple(found for lever in proposed if len((found := _possible(base, lever)).values) > 1)
    levers = [_lever(base, proposed, text) for text in texts]
    paths = [lever.path for lever in levers]
    twice = next((path for path in paths if paths.count(path) > 1), None)
    if twice:
        o.refuse("--change", f"{twice} twice", "each number once")
    return tuple(levers)


def _lever(base: "Components", proposed: "Sequence[Lever]", text: str) -> "Lever":
    """Return the lever that a user names, its values checked one by one."""
    from dataclasses import replace

    from sim.printed.components import ComponentsError
    from sim.printed.levers import RANGE, Lever, value_at, values_of

    path, equals, given = (part.strip() for part in text.partition("="))
    known = next((lever for lever in proposed if lever.path == path), None)
    try:
        printed = value_at(base, path)
        if equals:
            values = values_of(given)
        elif known is not None:
            values = known.values
        else:
            number = base.numbers.get(path)
            if number is None or number.low is None or number.high is None:
                o.refuse("--change", repr(text), f"a range behind it, as {path}=0..3: {RANGE}")
            values = tuple(range(number.low, number.high + 1))
        for value in values:
            _tried(base, path, value)
    except ComponentsError as error:
        raise o.WrongInputError(f"--change: {str(error).removeprefix('a change: ')}") from None
    except ValueError as error:
        o.refuse("--change", repr(text), str(error))
    if not [value for value in values if value != printed]:
        o.refuse("--change", repr(text), f"another value than {printed}, which it has")
    return replace(known, values=values) if known is not None else Lever(path, values)


def _tried(base: "Components", path: str, value: Any) -> None:
    """Raise ComponentsError if a path can't have a value."""
    from sim.printed.components import changed
    from sim.printed.levers import Board

    change = Board(base, registry.load(base.game), [path]).changes({path: value})
    if change:
        changed(base, change)


def _possible(base: "Components", lever: "Lever") -> "Lever":
    """Return a lever of the game's list with the values that go together with a user's numbers."""
    from dataclasses import replace

    from sim.printed.components import ComponentsError

    def fits(value: Any) -> bool:
        try:
            _tried(base, lever.path, value)
        except ComponentsError:
            return False
        return True

    return replace(lever, values=tuple(value for value in lever.values if fits(value)))


def search(
    common: o.Common, base: "Components", levers: "tuple[Lever, ...]", players: int, targets: tuple[str, ...], trials: int
) -> "Balance":
    """Search and judge, with progress."""
    from analyses.balance.balance import balance as look
    from analyses.balance.balance import work
    from analyses.survey import seated
    from sim.runner import prepare

    game, games = registry.load(common.game), common.games or int(GAMES)
    with o.strategy_errors():
        chairs = seated(common.game, common.strategies, players)
        prepare(game, chairs, base.record)
    begins = work(len(targets), trials, games, common.max_games)
    with common.where.playing(), progress(f"{game.title}, {players} players", begins[-1], percent=True) as bar:
        return look(
            base, levers, players, chairs, common.seed, targets=targets, trials=trials, games=games, max_games=common.max_games,
            margin=common.margin, jobs=common.jobs, watch=bar.watch,
            stage=lambda number, words: bar.reach(begins[number], words),
            trial=lambda number, outside: bar.name(f"{number} sets measured, the best {f'{outside:.2g} outside' if outside else 'inside'}"),
        )  # fmt: skip


def _words(common: o.Common, found: "Balance", trials: int) -> list[str]:
    names = [word for text in common.strategies for word in ("--strategy", text)]
    words = ["--players", str(found.players), *names, "--trials", str(trials), "--games", str(found.games)]
    return [*words, "--max-games", str(common.max_games), *common.again()]


# --- what was found -----------------------------------------------------------------------------------------------------------------------


def answer(found: "Balance") -> dict[str, Any]:
    """Return what was found for machines: no times and no number of jobs, so that it is the same on every machine."""
    from reports.balance import comparison, tried

    candidate = found.proposal
    words = {lever.path: lever.words or None for lever in found.levers}
    head: dict[str, Any] = {"game": found.game, "rules_version": found.rules_version, "players": found.players}
    head |= {"seated": list(found.strategies), "seed": found.seed, "margin": found.margin, "interrupted": found.interrupted}
    head |= {"components": found.base.digest, **found.base.counts._asdict()}
    head |= {"targets": list(found.targets), "levers": [{**vars(lever), "values": list(lever.values)} for lever in found.levers]}
    head |= {"trials": found.trials, "inside": found.inside, "games": found.games, "played": found.played, "found": found.found}
    head |= {"changes": []}
    if candidate is not None:
        head["changes"] = [
            {"path": path, "before": before, "after": after, "words": words.get(path), "set": f"{path}={_typed(after)}"}
            for path, (before, after) in candidate.changes.items()
        ]
        head |= {"size": candidate.size, "proposal": candidate.components.digest}
    rows = comparison(found).to_dict("records")
    seats = [{"seat": int(row["name"])} | _numbers(row) for row in rows if row["kind"] == SEATS]
    things = [{"kind": row["kind"], "thing": row["name"]} | _numbers(row) for row in rows if row["kind"] != SEATS]
    judged = [
        {"components": one.candidate.components.digest, "verdict": one.side.word, "seed": one.seed, "games": one.side.games}
        for one in found.judged
    ]
    return head | {"seats": seats, "things": things, "judged": judged, "tried": tried(found)}


def _numbers(row: dict[Any, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in ("kind", "name")}


def _typed(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def listing(found: "Balance", written: str | None) -> None:
    """Print what was found for people."""

    from reports.balance import comparison, name, sentences
    from reports.parts import Ground
    from scripts.show import column, show, table

    ground = Ground.of(found.game)
    who = f"{found.title}, {found.players} players, {' and '.join(found.strategies)}"
    parts: list[Any] = [f"{who}: {found.played:,} games (seed {found.seed}, components {found.base.digest})"]
    parts += filter(None, [found.base.counts.notice])
    parts += sentences(ground, found)
    frame = comparison(found)
    if len(frame):
        heads, columns = ["seat or thing"], [[name(ground, kind, thing) for kind, thing in zip(frame["kind"], frame["name"])]]
        for when, head in (("before", "as it is"), ("after", "with the change")):
            if f"index_{when}" in frame:
                heads += [head, "between", "verdict"]
                columns += [*column(frame, f"index_{when}", f"low_{when}", f"high_{when}"), list(frame[f"verdict_{when}"])]
        parts.append(table(heads, zip(*columns)))
    candidate = found.proposal
    if written is not None:
        parts.append(f"Proposal: {written}")
    elif candidate is not None and candidate.changes:
        parts.append("To play it: " + " ".join(f"--set {path}={_typed(after)}" for path, (_, after) in candidate.changes.items()))
    show(*parts)


def save(found: "Balance", common: o.Common, command: str, folder: Path) -> None:
    """Write the proposal, the page and its tables."""
    from reports.balance import comparison, headline, questions, section, tried
    from reports.page import Part, write_part
    from reports.parts import Ground

    ground = Ground.of(found.game)
    who = f"{found.players} players, {' and '.join(found.strategies)}; {found.trials} sets of numbers, {found.games:,} games each"
    proposal = found.proposal
    facts = [("played", who), ("seed", str(found.seed)), ("rules", f"version {found.rules_version}")]
    facts += [("proposal", f"{FILE}, digest {proposal.components.digest}")] if proposal is not None else []
    tables = {"balance": comparison(found), "balance_tried": tried(found)}
    part = Part(
        "balance", "What is the smallest change that balances it?", headline(ground, found), questions(ground, found),
        [section(ground, found)], {name: frame for name, frame in tables.items() if len(frame)}, found.base, found.played, [command], facts,
        found.interrupted,
    )  # fmt: skip
    with writing(folder):
        (folder / FILE).write_text(proposed(found, common), encoding="utf-8", newline="")
        write_part(part, folder)


def proposed(found: "Balance", common: o.Common) -> str:
    """Return the text of the proposal: the component file with the changed numbers, comments and sources kept."""
    from reports.balance import change
    from sim.printed.components import read
    from sim.printed.proposal import own_file, rewritten

    candidate = found.proposal
    assert candidate is not None
    text, files = own_file(found.game, [Path(name) for name in common.files])
    sure = "Confirmed on fresh chance." if found.found else "NOT confirmed: not everything is inside the margin with it."
    head = [f"Proposed by chapterhouse balance for {found.players} players (seed {found.seed}, margin {found.margin:g}). {sure}"]
    head += [change(found, path, *pair) for path, pair in candidate.changes.items()] or ["Nothing is changed."]
    head.append(f"Digest: {candidate.components.digest}")
    before = {path: pair[0] for path, pair in candidate.changes.items()}
    return rewritten(text, read(found.game, files), candidate.components, before, head)
