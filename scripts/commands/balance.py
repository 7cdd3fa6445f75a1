"""`chapterhouse balance`: the smallest change to some numbers that brings seats and things inside the margin, as a
component file."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from analyses.request import flags
from scripts import options as o
from scripts.question import Finding, Question, Task, share
from scripts.show import column, heading, table
from sim import registry

if TYPE_CHECKING:
    from analyses.balance.balance import Balance
    from analyses.request import Request
    from reports.parts import Part
    from scripts.progress import Progress
    from sim.printed.components import Components
    from sim.printed.levers import Lever

MOST_TRIALS = 100_000
FILE = "balance.toml"
SEATS = "seats"
Change = Annotated[
    list[str] | None,
    o.option(
        "--change",
        "PATH[=VALUES]",
        "A number that may change, such as start.seat4.vp=0..3 (repeatable); the game's own list if not given.",
    ),
]
Only = Annotated[
    list[str] | None,
    o.option("--only", "WHAT", "What to balance: seats, or a kind of thing (repeatable); all if not given."),
]
Trials = Annotated[str, o.option("--trials", "N", "How many sets of numbers to try.")]
Games = Annotated[str, o.option("--games", "N", "Games of each trial for the seats, and for each kind of thing.")]
MaxGames = Annotated[str, o.option("--max-games", "N", "Maximum number of fresh games for each verdict.")]
OutFolder = Annotated[
    str | None, o.option("--out", "FOLDER", "Write the proposal (balance.toml), a page and its tables there.")
]


def ask(request: "Request", change: Change = None, only: Only = None, trials: Trials = "100") -> Task:
    """What is the smallest change that makes the game fair to every seat and thing? Searches, then judges in fresh
    games."""
    number = o.whole("--trials", trials, 1, MOST_TRIALS)
    from analyses.balance.balance import balance, work
    from analyses.balance.usual import missing

    if missing():
        o.missing("balance", *missing())
    from sim.runner import prepare

    game, players = registry.load(request.game), request.players[0]
    levers, targets = levers_of(request, change or ()), targets_of(request.components, only or ())
    entrants = request.line_up(players)
    prepare(game, entrants, request.components.record)

    def play(bar: "Progress") -> "Balance | None":
        found = balance(
            request, entrants, levers, targets, number, watch=bar.watch, stage=bar.reach,
            trial=lambda number, outside: bar.name(f"{number} sets measured, the best "
            f"{f'{outside:.2g} outside' if outside else 'inside'}"),
        )  # fmt: skip
        return found if found.best else None

    words = [
        *flags("--change", change or ()),
        *flags("--only", only or ()),
        "--trials",
        str(number),
        "--max-games",
        str(request.max_games),
    ]
    return Task(f"{game.title}, {players} players", work(request, len(targets), number)[-1], play, True, tuple(words))


# --- what is asked ----------------------------------------------------------------------------------------------------


def targets_of(base: "Components", asked: Sequence[str]) -> tuple[str, ...]:
    """Return what must be balanced: what is asked for, or else the seats and the things that have powers."""
    from analyses.balance.usual import able_targets, usual_targets
    from analyses.stated import dealable, withheld

    able = able_targets(base)
    for text in asked:
        if text in dealable(base) and text not in able:
            o.refuse(
                "--only",
                repr(text),
                f"{' or '.join(able)}, since of single {text} nothing is said: {withheld(base, text)}",
            )
        if text not in able:
            o.refuse("--only", repr(text), " or ".join(able))
    return tuple(target for target in able if target in asked) if asked else usual_targets(able, base.game)


def levers_of(request: "Request", texts: Sequence[str]) -> "tuple[Lever, ...]":
    """Return what may be changed: what the user names, or the list of the game.

    Raises:
        ComponentsError: the game's list can't be used.
    """
    from analyses.balance.usual import usual_levers
    from sim.printed.levers import read

    base, proposed = request.components, read(registry.load(request.game), request.players[0])
    if not texts:
        if not proposed:
            o.refuse(
                "--change",
                "none",
                f"at least one PATH=VALUES, as {registry.shown(request.game)} proposes no numbers to change",
            )
        return usual_levers(base, request.players[0])
    levers = [_lever(base, proposed, text) for text in texts]
    paths = [lever.path for lever in levers]
    twice = next((path for path in paths if paths.count(path) > 1), None)
    if twice:
        o.refuse("--change", f"{twice} twice", "each number once")
    return tuple(levers)


def _lever(base: "Components", proposed: "Sequence[Lever]", text: str) -> "Lever":
    """Return the lever that a user names, its values checked one by one."""
    from analyses.balance.usual import tried
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
            tried(base, path, value)
    except ComponentsError as error:
        raise o.WrongInputError(f"--change: {str(error).removeprefix('a change: ')}") from None
    except ValueError as error:
        o.refuse("--change", repr(text), str(error))
    if not [value for value in values if value != printed]:
        o.refuse("--change", repr(text), f"another value than {printed}, which it has")
    return replace(known, values=values) if known is not None else Lever(path, values)


# --- what was found ---------------------------------------------------------------------------------------------------


def answer(found: "Balance") -> dict[str, Any]:
    """Return the answer for machines."""
    from reports.balance import comparison, tried
    from sim.printed.rulings import word

    candidate, about = found.proposal, {lever.path: lever.words or None for lever in found.levers}
    head: dict[str, Any] = {"targets": list(found.targets)}
    head |= {"levers": [{**vars(lever), "values": list(lever.values)} for lever in found.levers]}
    head |= {
        "trials": found.trials,
        "inside": found.inside,
        "played": found.all_games,
        "found": found.found,
        "changes": [],
    }
    if candidate is not None:
        head["changes"] = [
            {"path": path, "before": before, "after": after, "words": about.get(path), "set": f"{path}={word(after)}"}
            for path, (before, after) in candidate.changes.items()
        ]
        head |= {"size": candidate.size, "proposal": candidate.components.digest}
    rows = comparison(found).to_dict("records")
    seats = [{"seat": int(row["name"])} | _numbers(row) for row in rows if row["kind"] == SEATS]
    things = [{"kind": row["kind"], "thing": row["name"]} | _numbers(row) for row in rows if row["kind"] != SEATS]
    judged = [
        {
            "components": one.candidate.components.digest,
            "verdict": one.side.word,
            "seed": one.seed,
            "games": one.side.games,
        }
        for one in found.judged
    ]
    return head | {"seats": seats, "things": things, "judged": judged, "tried": tried(found)}


def _numbers(row: dict[Any, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in ("kind", "name")}


def listing(found: "Balance") -> list[Any]:
    """Return the answer for people: sentences and a table."""
    from reports.balance import comparison, name, pills_of, sentences
    from reports.parts import Ground

    ground = Ground.of(found.game)
    parts: list[Any] = [*heading(found, f"{found.all_games:,} games"), *sentences(ground, found)]
    frame = comparison(found)
    if len(frame):
        heads, columns = (
            ["seat or thing"],
            [[name(ground, kind, thing) for kind, thing in zip(frame["kind"], frame["name"])]],
        )
        for when, head in (("before", "as it is"), ("after", "with the change")):
            if f"index_{when}" in frame:
                heads += [head, "between", "verdict"]
                columns += [
                    *column(frame, f"index_{when}", f"low_{when}", f"high_{when}"),
                    pills_of(frame, found.margin, when),
                ]
        parts.append(table(heads, zip(*columns)))
    return parts


def to_play(found: "Balance") -> str:
    """Return the words that play the proposal, if it changes anything."""
    from sim.printed.rulings import word

    candidate = found.proposal
    words = (
        [f"--set {path}={word(after)}" for path, (_, after) in candidate.changes.items()]
        if candidate is not None
        else []
    )
    return f"To play it: {' '.join(words)}" if words else ""


def part(found: "Balance") -> "Part":
    """Return the page."""
    from reports.balance import comparison, headline, questions, section, tried
    from reports.parts import Ground, Part

    ground = Ground.of(found.game)
    who = (
        f"{found.players} players, {' and '.join(found.strategies)}; {found.trials} sets of numbers, {found.games:,} "
        "games each"
    )
    proposal = found.proposal
    file = [("proposal", f"{FILE}, digest {proposal.components.digest}")] if proposal is not None else []
    tables = {"balance": comparison(found), "balance_tried": tried(found)}
    return Part(
        "balance", "What is the smallest change that balances it?", headline(ground, found), questions(ground, found),
        [section(ground, found)], {name: frame for name, frame in tables.items() if len(frame)}, found,
        found.all_games, [("played", who), *file],
    )  # fmt: skip


def save(finding: Finding, folder: Path) -> None:
    """Write the proposal."""
    (folder / FILE).write_text(proposed(finding.found), encoding="utf-8", newline="")


def proposed(found: "Balance") -> str:
    """Return the text of the proposal: the component file with the changed numbers, comments and sources kept."""
    from reports.balance import change
    from sim.printed.components import read
    from sim.printed.proposal import own_file, rewritten

    candidate = found.proposal
    assert candidate is not None
    text, files = own_file(found.game, [Path(name) for name in found.files])
    sure = "Confirmed in fresh games." if found.found else "NOT confirmed: not everything is inside the margin with it."
    head = [
        f"Proposed by chapterhouse balance for {found.players} players (seed {found.seed}, margin {found.margin:g}). "
        f"{sure}"
    ]
    head += [change(found, path, *pair) for path, pair in candidate.changes.items()] or ["Nothing changes."]
    head.append(f"Digest: {candidate.components.digest}")
    before = {path: pair[0] for path, pair in candidate.changes.items()}
    return rewritten(text, read(found.game, files), candidate.components, before, head)


QUESTION = Question(
    "balance",
    ask,
    answer,
    listing,
    part,
    in_report=share("balance.advice"),
    shared={"games": (Games, "4000"), "max_games": (MaxGames, "200000"), "out_folder": (OutFolder, None)},
    save=save,
    cost="By default it takes as long as 4,500,000 games, fewer if it finds a change early: at most five minutes on "
    "two cores.",
    example="chapterhouse balance moesteiro --change start.seat4.vp=0..6 --out fairer",
    file=("file", "Component file", FILE),
    instead=to_play,
    nothing="Stopped by hand before the search had tried anything.",
    stopped=lambda found: "Stopped by hand: this is the best so far.",
    small="pig --change goal=99,100 --trials 1 --games 2 --max-games 4",
)
