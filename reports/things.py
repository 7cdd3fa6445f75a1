"""What players held (Kings, …): how often, with which wins and points. This describes; it doesn't say what a thing is
worth."""

from typing import Any

from analyses import frames as pd
from analyses.findings import Line
from reports import style, words
from reports.figures import dots
from reports.kinds import RARE, Kind, kind_of
from reports.parts import (
    Block,
    Context,
    Figure,
    Section,
    Text,
    count_words,
    extremes,
    index_scale,
    shared_limits,
    shares,
)
from reports.tables import Column, Columns, Table, matrix, table

MOST_OCCASIONS = 6  # columns for occasions in a table by occasion and seat


def sections(context: Context) -> list[Section]:
    """Return a section for each kind of thing of the game."""
    lines = [line for line in context.headlines if "things" in line.tables and len(line.tables["things"])]
    kinds = dict.fromkeys(kind for line in lines for kind in line.tables["things"]["kind"])
    return [_section(context, kind, lines) for kind in kinds]


def everywhere(line: Line, kind: str) -> "pd.DataFrame":
    """Return the rows of a kind over all rounds, seats and strategies."""
    t = line.tables["things"]
    t = t[(t["kind"] == kind) & (t["round"] == "all") & (t["seat"] == "all") & (t["strategy"] == "all")]
    n = line.players
    return t.assign(index=t["wins_when_held"] * n, index_low=t["low"] * n, index_high=t["high"] * n).reset_index(
        drop=True
    )


def common(t: "pd.DataFrame") -> "pd.DataFrame":
    """Return the rows of things that players took often enough to speak of; if there are none, all that they took."""
    seen = t.dropna(subset=["wins_when_held"])
    often = seen[seen["chosen"] >= RARE]
    return (often if len(often) else seen).reset_index(drop=True)


def exclusive(lines: list[Line], kind: str) -> bool:
    """Return whether two players never held the same thing in one round: then its share of players is a share of
    games."""
    for line in lines:
        t = line.tables["things"]
        t = t[(t["kind"] == kind) & (t["round"] != "all") & (t["seat"] == "all") & (t["strategy"] == "all")]
        if (t["chosen"] > 1 / line.players + 1e-9).any():
            return False
    return True


def warning(kind: Kind, dealt: bool) -> str:
    """Return the warning that goes with wins of holders; dealt: whether this run has also let chance deal the
    things."""
    why = (
        f"Strong players choose good {kind.name}, and a player who is ahead may choose early or late."
        if kind.chosen
        else f"A player who gets one of the {kind.name} may be strong anyway, or ahead already."
    )
    where = "The section above does that." if dealt else "This run didn't do that."
    return (
        f"{why} So the wins of the holders show how strong they were, not what the {kind.name} are worth. "
        f"To find that, chance must deal them. {where}"
    )


def _section(context: Context, kind: str, lines: list[Line]) -> Section:
    names = list(dict.fromkeys(thing for line in lines for thing in everywhere(line, kind)["thing"]))
    colours = style.colours("thing", names)
    spoken = kind_of(context.survey.game, kind, dealt=False)
    shown: list[Block] = [_wins(context, kind, lines, colours)]
    title, numbers = _ends(context, kind, lines[-1]), list[Block]()
    if not given(context, kind):
        said, tables = _chosen(context, kind, lines, colours)
        if said:
            title, shown, numbers = said, tables[:1], [*shown, *tables[1:]]
        else:
            numbers = tables
    return Section(
        kind,
        title,
        shown,
        [
            Text([warning(spoken, any(worth.kind == kind for worth in context.survey.worths))], warning=True),
            Text([_paragraph(context, kind, line) for line in lines]),
            _table(context, kind, lines, colours),
            *numbers,
        ],
        f"{words.capital(spoken.name)}: who {'takes' if spoken.chosen else 'has'} which",
    )


def _ends(context: Context, kind: str, line: Line) -> str:
    """Return the holders of which things win most and least."""
    most, least = (_held(context, row) for row in extremes(common(everywhere(line, kind)), "index"))
    those = "those who were" if kind_of(context.survey.game, kind).places else "players with"
    return f"In {words.players(line.players)} games, {those} {most} win most, {those} {least} least"


def given(context: Context, kind: str) -> bool:
    """Return whether everybody has one on every occasion anyway: then we don't ask who has which how often."""
    game = context.game
    return game is not None and kind in game.things and game.things[kind].by_players


def _held(context: Context, row: Any) -> str:
    return f"{context.labels(row['thing'])} ({words.percent(row['wins_when_held'], row['low'], row['high'])})"


def _wins(context: Context, kind: str, lines: list[Line], colours: dict[str, str]) -> Figure:
    frames = [common(everywhere(line, kind)) for line in lines]
    limits = shared_limits(frames, 0.02)
    panels, noun = [], kind_of(context.survey.game, kind, dealt=False).noun
    for line, t in zip(lines, frames, strict=True):
        most, least = extremes(t, "index")
        frame = shares(t, [context.labels(x) for x in t["thing"]], [colours[x] for x in t["thing"]], "wins_when_held")
        alt = (
            f", holders' share of wins over all {noun}s: most with {_held(context, most)}, least with "
            f"{_held(context, least)}."
        )
        panels.append(context.panel(dots, frame, index_scale(line.players, None, (), limits), alt, line.players))
    note = (
        f"Holders' share of wins over all {noun}s, {context.seating(lines[-1])}. Line: fair. "
        f"Only the table shows what a player takes in less than {100 * RARE:.0f} % of the {noun}s."
    )
    return Figure(f"Wins of those who held one of the {context.labels(kind)}", panels, note)


def _paragraph(context: Context, kind: str, line: Line) -> str:
    t = everywhere(line, kind)
    most, least = extremes(t, "chosen")
    rich, poor = extremes(common(t), "points_when_held")
    spoken = kind_of(context.survey.game, kind, dealt=False)
    factor, of = (
        (line.players, f"of the {spoken.noun}s") if exclusive([line], kind) else (1, f"of a player's {spoken.noun}s")
    )
    take = "take" if spoken.chosen else "have"

    def often(row: Any) -> str:
        if row["chosen"] < RARE:
            return f"{context.labels(row['thing'])} hardly ever"
        share = words.percent(*(min(factor * row[name], 1.0) for name in ("chosen", "chosen_low", "chosen_high")))
        return f"{context.labels(row['thing'])} {'most' if row is most else 'least'} often ({share} {of})"

    def points(row: Any) -> str:
        return (
            f"{context.labels(row['thing'])} "
            f"({words.number(row['points_when_held'], row['points_low'], row['points_high'])} points)"
        )

    times = "" if given(context, kind) else f"players {take} {often(most)}, {often(least)}. "
    n = count_words(line.players).capitalize()
    return f"{n}: {times}Players who held {points(rich)} scored most, players who held {points(poor)} fewest."


def _table(context: Context, kind: str, lines: list[Line], colours: dict[str, str]) -> Block:
    alone, spoken = exclusive(lines, kind), kind_of(context.survey.game, kind, dealt=False)
    took, of = "taken" if spoken.chosen else "had", f"{spoken.noun}s" if alone else f"a player's {spoken.noun}s"
    parts = [
        _times(everywhere(line, kind), line.players if alone else 1).assign(players=line.players) for line in lines
    ]
    columns: Columns = [
        "players",
        Column(spoken.name, "label", colour=lambda row: colours[row["thing"]]),
        Column(f"{took}, % of {of}", "chosen", "chosen_low", "chosen_high", 100, bounds=True),
        Column("wins when held, %", "wins_when_held", "low", "high", 100, bounds=True),
        Column("points of the holder", "points_when_held", "points_low", "points_high", bounds=True),
    ]
    title = f"{words.capital(spoken.name)} over all {spoken.noun}s: how often {took}, and how the holders did"
    return table(context.things(pd.concat(parts, ignore_index=True)), columns, title)


def _times(t: "pd.DataFrame", factor: float) -> "pd.DataFrame":
    return t.assign(**{name: (factor * t[name]).clip(upper=1) for name in ("chosen", "chosen_low", "chosen_high")})


def _chosen(context: Context, kind: str, lines: list[Line], colours: dict[str, str]) -> tuple[str, list[Block]]:
    """Return what changes most from round to round, if anything, and tables: first the one that shows it."""
    heats, tables_, said = list[Table](), list[Block](), ""
    label = Column(context.labels(kind), "label", colour=lambda row: colours[row["thing"]])
    shown = Column("taken", "chosen", "chosen_low", "chosen_high", 100, most=1)
    alone = exclusive(lines, kind)
    spoken = kind_of(context.survey.game, kind, dealt=False)
    takes = ("takes", "take") if spoken.chosen else ("has", "have")
    what = f"games in which somebody {takes[0]} it" if alone else f"players who {takes[1]} it"
    # If each thing belongs to one occasion, there is nothing to say by occasion. And a table has room for few columns.
    apart = context.game is not None and kind in context.game.things and bool(context.game.things[kind].dealt)
    for line in sorted(lines, key=lambda line: line.players != context.survey.speaks):
        t = line.tables["things"]
        t = t[(t["kind"] == kind) & (t["strategy"] == "all")]
        t = t.assign(label=[context.labels(x) for x in t["thing"]], cell=t["round"] + "/" + t["seat"])
        rounds = sorted({int(r) for r in t["round"] if r != "all"})
        seats = sorted({int(s) for s in t["seat"] if s != "all"})
        n = count_words(line.players).capitalize()
        if len(rounds) > 1 and not apart:
            part = _times(t[(t["round"] != "all") & (t["seat"] == "all")], line.players if alone else 1)
            said = said or f"With {count_words(line.players)}, {_changes(part, what, spoken)}"
            heads = [(str(r), spoken.occasion(r - 1)) for r in rounds]
            heats.append(matrix(part, label, "round", heads, shown, f"{n}: % of {what}", heat=True))
        part = t[(t["round"] == "all") & (t["seat"] != "all")]
        heads = [(str(s), f"seat {s}") for s in seats]
        title = f"{n}: share of {spoken.noun}s in which each seat holds it, %"
        tables_.append(matrix(part, label, "seat", heads, shown, title, folded=True))
        part = t[(t["round"] != "all") & (t["seat"] != "all")]
        if 1 < len(rounds) <= MOST_OCCASIONS and not apart and len(part):
            heads = [(f"{r}/{s}", f"{spoken.occasion(r - 1)}, seat {s}") for r in rounds for s in seats]
            title = f"{n}: share of games in which a seat {takes[0]} it, by {spoken.noun} and seat, %"
            tables_.append(matrix(part, label, "cell", heads, shown, title, folded=True))
    return said, [*heats, *tables_, *_by_strategy(context, kind, colours)]


def _changes(part: "pd.DataFrame", what: str, spoken: Kind) -> str:
    """Return which thing's share changes most between rounds."""
    ends = [extremes(rows, "chosen") for _, rows in part.groupby("thing", sort=False)]
    most, least = max(ends, key=lambda pair: float(pair[0]["chosen"] - pair[1]["chosen"]))
    high, low = (words.percent(row["chosen"], row["chosen_low"], row["chosen_high"]) for row in (most, least))
    of = "of the games" if what.startswith("games") else "of the players"
    where = [spoken.occasion(int(row["round"]) - 1) for row in (most, least)]
    return (
        f"{most['label']} changes most: {'taken' if spoken.chosen else 'had'} in {high} {of} in {where[0]}, in "
        f"{low} in {where[1]}"
    )


def _by_strategy(context: Context, kind: str, colours: dict[str, str]) -> list[Block]:
    blocks: list[Block] = []
    noun = kind_of(context.survey.game, kind, dealt=False).noun
    for n in context.players:
        line = context.line("mix", n)
        if line is None or "things" not in line.tables:
            continue
        t = line.tables["things"]
        t = t[(t["kind"] == kind) & (t["strategy"] != "all")]
        if not len(t):
            continue
        t = t.assign(label=[context.labels(x) for x in t["thing"]])
        heads = [(name, name) for name in dict.fromkeys(t["strategy"])]
        label = Column(context.labels(kind), "label", colour=lambda row: colours[row["thing"]])
        shown = Column("taken", "chosen", "chosen_low", "chosen_high", 100, most=1)
        title = (
            f"{count_words(n).capitalize()}, all strategies at one table: share of {noun}s in which each strategy "
            "holds it, %"
        )
        blocks.append(matrix(t, label, "strategy", heads, shown, title, folded=True))
    return blocks
