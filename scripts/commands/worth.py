"""`chapterhouse worth`: what each thing that players hold (King, …) is worth, when chance deals them."""

from typing import TYPE_CHECKING, Annotated, Any

from analyses import frames as pd
from scripts import options as o
from scripts.question import USUAL, Question, Task, page, share
from scripts.show import Fitting, chosen_tables, column, heading, table
from sim import registry

if TYPE_CHECKING:
    from analyses.request import Request
    from analyses.worth.worth import Worth
    from reports.parts import Ground

EACH, ALL = "each", "all"
Round = Annotated[
    str,
    o.option(
        "--round",
        "N|each|all",
        "Deal them at random in round N (or phase N, if the game has phases instead). each: one round per block, in "
        "turn. all: every round. In other rounds players choose as usual.",
    ),
]
Levels = Annotated[
    bool,
    o.option("--levels", "", "Play at every level of play, from weak to looking ahead, instead of with one strategy."),
]
PowerGames = Annotated[
    str | None,
    o.option(
        "--power-games",
        "N",
        "Games of the deals that tell a power from the rest: those take several times as many as the worth alone. All "
        "if not given.",
    ),
]


def ask(
    request: "Request",
    thing: o.Thing = None,
    round_: Round = EACH,
    levels: Levels = False,
    power_games: PowerGames = None,
) -> Task:
    """What is each thing (King, …) worth? Chance deals them, with and without their powers, until each is decided.

    The answer also says how often players choose each thing freely (or get it, if the rules hand it out), how often
    they then win, and where that misleads. A thing is balanced if its holder wins between 1 - M and 1 + M times a fair
    share.
    """
    kind = o.kind_of_thing(request.game, thing)
    if not registry.load(request.game).things[kind].asks:
        o.refuse("THING", repr(kind), "a kind of thing that can be dealt")
    occasion = occasion_of(request.game, kind, round_)
    if levels and request.strategies:
        o.refuse("--levels", "with --strategy", "one of the two")
    from analyses.worth.lines import line_ups, measured, total

    powers = None if power_games is None else o.whole("--power-games", power_games, 1, o.MOST_GAMES)
    lines = line_ups(request, kind, levels, powers)
    asked = [(kind, line) for line in lines]
    words = [kind, *["--levels"] * levels, *(["--round", round_] if round_ != EACH else [])]
    words += [] if powers is None else ["--power-games", str(powers)]
    title = registry.load(request.game).title
    return Task(
        title,
        total(lines),
        lambda bar: measured(request, asked, bar.watch, occasion=occasion),
        len(lines) > 1,
        tuple(words),
    )


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


def answer(line: "Worth") -> dict[str, Any]:
    """Return the answer for machines."""
    from analyses.tables.things import WARNING

    head: dict[str, Any] = {"thing": line.kind, "round": _round(line.occasion)}
    head |= {
        "verdict": line.verdict,
        "furthest": {"least": line.apart[0], "most": line.apart[1]},
        "withheld": line.withheld or None,
    }
    head |= {"games_saved": line.saved, "power_games": line.power_games}
    tables = {"things": line.things, "by_round": line.by_round, "by_seat": line.by_seat}
    free = {"games": line.free, "warning": WARNING, **chosen_tables(line.chosen)} if line.free else None
    return head | tables | {"free_choice": free}


def _round(occasion: int) -> str | int:
    from sim.dealing import IN_TURN

    return occasion + 1 if occasion >= 0 else EACH if occasion == IN_TURN else ALL


def listing(line: "Worth") -> list[Any]:
    """Return the answer for people: sentences and tables."""
    from reports.parts import Ground
    from reports.worth import words as r

    ground = Ground.of(line.game)
    return [
        *heading(line, f"{line.games:,} games dealt by chance"),
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
    from reports.worth.words import pills_of

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
        return [*made, ("verdict", pills_of(line))]

    made = columns(line.things)
    return table(
        ("thing", *(title for title, _ in made)),
        zip(map(ground.labels, line.things["thing"]), *(cells for _, cells in made)),
    )


def _shares(t: "pd.DataFrame", players: int) -> tuple[list[str], list[str]]:
    t = t.assign(share=t["index"] / players, low=(1 + t["low"]) / players, high=(1 + t["high"]) / players)
    return column(t, "share", "low", "high", 100)


QUESTION = Question(
    "worth", ask, answer, listing, page("worth.worth"), players=USUAL, defaults={"max_games": "400000"},
    in_report=share("worth.lines"),
    cost="By default it plays up to 600,000 games, a third of them without dealing: at most about 20 seconds on two "
    "cores.",
    example="chapterhouse worth moesteiro kings --players 3",
    small="moesteiro --strategy greedy --games 4",
)  # fmt: skip
