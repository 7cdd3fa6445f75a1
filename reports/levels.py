"""Verdicts and uses by level of play, side by side: where they differ, where they agree, and what is unknown."""

from itertools import combinations, permutations
from typing import Any

from analyses import frames as pd
from analyses.findings import Line
from reports import pills, style, words
from reports.figures import dots
from reports.parts import (
    Block,
    Context,
    Figure,
    Heading,
    Section,
    Text,
    count_words,
    index_scale,
    seat_colour,
    shared_limits,
    top,
)
from reports.tables import Column, Columns, Table, matrix, table
from reports.things import everywhere
from reports.verdict import verdict_row

MOST_ROWS = 3  # for each heading of the table of uses
LEAST = 0.05  # uses per player and game: a smaller difference between two levels is not worth a row
AHEAD = " looking ahead"
NAME = "levels"


def compared(context: Context) -> list[list[Line]]:
    """Return the levels of play for each number of players that has several, weakest first."""
    return [lines for n in context.players if len(lines := context.survey.at_levels(n)) > 1]


def called(line: Line) -> str:
    """Return the name of a level in words: `rollout:expert@20` → `expert looking ahead`."""
    thinker, _, policy = line.strategies[0].rpartition(":")
    return policy.partition("@")[0] + AHEAD if thinker else policy


def among(line: Line) -> str:
    """Return who plays at a level: `greedy players`, `expert players who look ahead`."""
    name = called(line)
    policy = name.removesuffix(AHEAD)
    return f"{policy} players" if policy == name else f"{policy} players who look ahead"


def word(lines: list[Line]) -> str:
    """Return whether the verdict is the same at all these levels: `the same`, `differs`, or `undecided` while one of
    them is."""
    found = {line.verdict.word for line in lines}
    return "differs" if _turns(lines) or _favours_others(lines) else "undecided" if "undecided" in found else "the same"


def _turns(lines: list[Line]) -> bool:
    return {"balanced", "unbalanced"} <= {line.verdict.word for line in lines}


def _favours_others(lines: list[Line]) -> bool:
    """Return whether two levels are unbalanced, but share no seat that is out on the same side."""
    sides = [_out(line) for line in lines if line.verdict.word == "unbalanced"]
    return any(not a & b for a, b in combinations(sides, 2))


def _out(line: Line) -> set[tuple[int, str]]:
    """Return the seats that are too weak or too strong, each with that word."""
    return {(seat, pill) for seat, pill in pills.of_seats(line).items() if pill in pills.OUT}


def apart(lines: list[Line]) -> tuple[int, float]:
    """Return the seat whose share of wins moves most between levels for certain, and how far, in fair shares: 0 if none
    does."""
    found = [(1, 0.0)]
    for a, b in permutations([line.tables["seats"] for line in lines], 2):
        gaps = a["index_low"].to_numpy() - b["index_high"].to_numpy()
        found += [(int(seat), float(gap)) for seat, gap in zip(a["seat"], gaps.round(12), strict=True)]
    return max(found, key=lambda pair: (pair[1], -pair[0]))  # of seats that move equally, the first


def told(lines: list[Line], seat: int) -> str:
    """Return how often a seat wins at each level, with its interval where something is not sure, and which seats are
    out.

    `seat 3 wins 33.0 % among greedy players (fair), 31 % (between 25 and 37) among expert players (not sure)`
    """
    parts: list[str] = []
    for line in lines:
        share, low, high = share_of(line, seat)
        size = words.percent(share, low, high)
        which = pills.which(line)
        if which == pills.UNSURE:
            places = words.decimals(100 * words.half_width(share, low, high))
            size += f" (between {words.interval(100 * low, 100 * high, places, 'and')})"
        parts.append(f"{size} among {among(line)} ({which})")
    return f"seat {seat} wins {', '.join(parts)}"


def share_of(line: Line, seat: int) -> tuple[float, float, float]:
    """Return the share of wins of a seat, with its interval."""
    row = line.tables["seats"].set_index("seat").loc[seat, ["win_share", "low", "high"]]
    share, low, high = row.to_numpy(float)
    return float(share), float(low), float(high)


def telling(found: list[list[Line]]) -> list[Line]:
    """Return the levels that differ most: in their verdict if any do, or else in a seat's share of wins."""
    return max(found, key=lambda lines: (_turns(lines), _favours_others(lines), apart(lines)[1]))


def _lead(found: list[list[Line]]) -> str:
    moves = any(apart(lines)[1] > 0 for lines in found)
    if any(_turns(lines) for lines in found):
        return "Whether the seats are fair depends on how well people play"
    if any(_favours_others(lines) for lines in found):
        return "Which seats are too weak or too strong depends on how well people play"
    if all(word(lines) == "the same" for lines in found):
        same = "The seats come out the same at every level of play"
        return f"{same}, though shares of wins move" if moves else same
    if moves:
        return "How well people play moves shares of wins, but nobody becomes fair or unfair for certain"
    return "These games don't show that it matters how well people play"


def section(context: Context) -> Section:
    """Return the section on seats at all levels; empty if there are no levels."""
    found = compared(context)
    if not found:
        return Section(NAME, "", [])
    limits = shared_limits([line.tables["seats"] for lines in found for line in lines], context.survey.margin)
    panels = []
    for lines in found:
        n = lines[0].players
        alt = ", share of wins by seat and level of play. " + ". ".join(
            words.sentence(told(lines, s))[:-1] for s in range(1, n + 1)
        )
        panels.append(context.panel(dots, _rows(lines), index_scale(n, context.survey.margin, (), limits), alt, n))
    note = "Share of wins when everybody plays at one level. Line: fair. Shaded: counts as fair."
    numbers: list[Block] = [Text([_paragraph(lines) for lines in found] + _slow(found))]
    numbers += [_verdicts_table(found), _seats_table(found)]
    most = max(len(lines) for lines in found)
    shown = Figure(f"Wins by seat, at {words.many(most, 'level')} of play", panels, note)
    return Section(NAME, _title(found), [shown], numbers, "How well people play")


def _title(found: list[list[Line]]) -> str:
    lines = telling(found)
    seat, gap = apart(lines)
    return _lead(found) + (f"; seat {seat} with {count_words(lines[0].players)} moves most" if gap > 0 else "")


def _rows(lines: list[Line]) -> list[dict[str, Any]]:
    """Return the rows of a panel: under each seat its levels."""
    rows = []
    for number in lines[0].tables["seats"]["seat"]:
        unknown = float("nan")
        colour = style.token("seat", number)
        rows.append(
            {"label": f"Seat {number}", "value": unknown, "low": unknown, "high": unknown, "colour": colour, "text": ""}
        )
        for line in lines:
            row = line.tables["seats"].set_index("seat").loc[number]
            ends = {"value": row["index"], "low": row["index_low"], "high": row["index_high"]}
            text = words.percent(row["win_share"], row["low"], row["high"])
            rows.append({"label": called(line), **ends, "colour": colour, "text": text})
    return rows


def _paragraph(lines: list[Line]) -> str:
    seat, gap = apart(lines)
    text = [f"{count_words(lines[0].players).capitalize()}: {told(lines, seat)}."]
    if gap > 0:
        points = words.fixed(100 * gap / lines[0].players, 1)
        text.append(f"This seat's share moves most between levels, by {points} percentage points or more.")
    else:
        text.append("No seat's share moves between levels by more than chance.")
    for line in lines:
        if line.verdict.word == "undecided" and line.verdict.further:
            text.append(words.would_decide(line.verdict.further * line.players, f" among {among(line)}"))
    return " ".join(text)


def _slow(found: list[list[Line]]) -> list[str]:
    """Return a note on levels that look ahead: what they do, and why they have few games."""
    slow = {line.strategies[0]: line for lines in found for line in lines if line.role == "level"}
    if not slow:
        return []
    games = [
        f"{line.games:,} with {words.count(line.players)}" for lines in found for line in lines if line.role == "level"
    ]
    names = words.listed([f"{called(line)} ({name})" for name, line in slow.items()])
    return [
        f"Before each decision {names} tries its options out in imagined games, and that takes time. So there are few "
        f"of its games here ({words.listed(games)} players), and wide intervals. To narrow one, type its command from "
        "the end of this page with more games."
    ]


def _verdicts_table(found: list[list[Line]]) -> Table:
    rows = [{"level": called(line)} | verdict_row(line) for lines in found for line in lines]
    columns: Columns = [
        "players",
        "level",
        Column("seats", "which"),
        Column("furthest from fair: seat", "seat", colour=seat_colour),
        Column("times fair share", "index", "low", "high", bounds=True),
        "games",
    ]
    return table(rows, columns, "The seats at each level of play")


def _seats_table(found: list[list[Line]]) -> Table:
    frames = [
        line.tables["seats"].assign(players=line.players, level=called(line)) for lines in found for line in lines
    ]
    frame = pd.concat(frames, ignore_index=True).sort_values(["players", "seat"], kind="stable")
    columns: Columns = [
        "players",
        Column("seat", "seat", colour=seat_colour),
        "level",
        Column("wins, %", "win_share", "low", "high", 100, bounds=True),
        Column("times fair share", "index", "index_low", "index_high"),
        Column("points", "mean_score", "score_low", "score_high", bounds=True),
    ]
    return table(frame, columns, "Seats at each level of play", folded=True)


def uses(context: Context) -> list[Block]:
    """Return what players use at each level, where that differs most, with the most players; nothing if there are no
    levels."""
    found = [
        lines
        for lines in compared(context)
        if all("uses" in line.tables and len(line.tables["uses"]) for line in lines)
    ]
    if not found:
        return []
    lines = found[-1]
    n = count_words(lines[0].players)
    blocks: list[Block] = [Heading(f"By level of play: {n}")]
    frame = _together(context, lines)
    moved = frame[frame["sure"] >= LEAST]
    if not len(moved):
        blocks.append(Text([f"No level uses anything {LEAST} times or more a game more often than another level."]))
    else:
        first = frame[frame["name"] == top(moved, "sure")["name"]]
        means = zip(first["mean"], first["low"], first["high"], lines, strict=True)
        parts = [f"{words.number(mean, low, high)} among {among(line)}" for mean, low, high, line in means]
        text = f"“{first['name'].iloc[0]}” differs most: {words.listed(parts)}, per player and game."
        heads = [(called(line), called(line)) for line in lines]
        shown = Column("uses", "mean", "low", "high", most=3)
        chosen = (
            moved.groupby(["heading", "name"], sort=False)["sure"]
            .first()
            .groupby("heading", sort=False)
            .nlargest(MOST_ROWS)
        )
        rows = moved[moved["name"].isin(chosen.index.get_level_values(-1))]
        title = f"Uses per player and game, {n}: where levels of play differ most"
        blocks += [Text([text]), matrix(rows, Column("what", "name"), "level", heads, shown, title)]
        note = (
            f"Up to {words.count(MOST_ROWS)} of each kind: those that differ most, and by {LEAST} or more for certain. "
            "The others are in tables/uses.csv."
        )
        blocks.append(Text([note]))
    return [*blocks, *_things(context, lines)]


def _together(context: Context, lines: list[Line]) -> "pd.DataFrame":
    """Return the uses at all levels, with `sure`: by how many uses two levels differ for certain."""
    frames = []
    for line in lines:
        t = line.tables["uses"]
        keys = t["prefix"] + "." + t["name"]
        short = [
            context.labels.short(key if p != name else name)
            for key, p, name in zip(keys, t["prefix"], t["name"], strict=True)
        ]
        names = [f"{context.labels(heading)}: {label}" for heading, label in zip(t["heading"], short, strict=True)]
        frames.append(t.assign(name=names, level=called(line)))
    frame = pd.concat(frames, ignore_index=True)
    ends = frame.groupby("name").agg(most=("low", "max"), least=("high", "min"))
    return frame.assign(sure=frame["name"].map(ends["most"] - ends["least"]))


def _things(context: Context, lines: list[Line]) -> list[Block]:
    """Return how often players hold each thing (King, …) at each level."""
    if not all("things" in line.tables for line in lines):
        return []
    blocks: list[Block] = []
    heads = [(called(line), called(line)) for line in lines]
    shown = Column("held", "chosen", "chosen_low", "chosen_high", 100, most=1)
    for kind in dict.fromkeys(kind for line in lines for kind in line.tables["things"]["kind"]):
        frame = pd.concat([everywhere(line, kind).assign(level=called(line)) for line in lines], ignore_index=True)
        them, who = context.labels(kind), count_words(lines[0].players)
        title = f"{words.capital(them)} by level of play, {who}: share of rounds in which a player holds it, %"
        blocks.append(matrix(context.things(frame), Column(them, "label"), "level", heads, shown, title))
    return blocks
