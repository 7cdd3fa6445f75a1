"""The section on seats: is the first player favoured?"""

from analyses import frames as pd
from analyses.findings import Line
from reports import pills, style, words
from reports.figures import crowd, dots
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
    shares,
)
from reports.tables import Column, Columns, Table, table
from reports.verdict import holds, notice, size, ties, verdict_row, wins


def section(context: Context) -> Section:
    """Return the section on who wins: by seat, with each number of players."""
    numbers: list[Block] = [Text([_paragraph(context, line) for line in context.headlines]), _table(context)]
    return Section("seats", _title(context), [_figure(context)], numbers + _ties(context), "Seats")


def others(context: Context) -> Section:
    """Return the section on other ways to play; empty if nobody else played."""
    if len(_shown(context)) <= len(context.headlines):
        return Section("others", "", [])
    return Section("others", _repeated_title(context), [_repeated(context)], [_lines_table(context)], "Other line-ups")


def _title(context: Context) -> str:
    """Return which seats are out, with each number of players; those that are out come first."""
    found: dict[str, list[int]] = {}
    for line in sorted(context.headlines, key=lambda line: line.verdict.word != "unbalanced"):
        found.setdefault(pills.which(line), []).append(line.players)
    said = [f"with {words.listed([words.count(n) for n in found[which]])} players: {which}" for which in found]
    return words.capital("; ".join(said))


def _figure(context: Context) -> Figure:
    limits = shared_limits([line.tables["seats"] for line in context.headlines], context.survey.margin)
    panels = []
    for line in context.headlines:
        t = line.tables["seats"]
        frame = shares(t, [f"Seat {s}" for s in t["seat"]], [style.token("seat", s) for s in t["seat"]])
        alt = f", share of wins by seat: {pills.which(line)}. " + ". ".join(wins(line, int(s)) for s in t["seat"])
        scale = index_scale(line.players, line.margin, (), limits)
        panels.append(context.panel(dots, frame, scale, alt, line.players, pills.which(line)))
    note = f"Share of wins, {context.seating(context.headlines[0])}. Line: fair. Shaded: counts as fair."
    return Figure("Wins by seat", panels, note)


def _paragraph(context: Context, line: Line) -> str:
    v = line.verdict
    text = [f"{count_words(line.players).capitalize()}: {pills.which(line)}.", words.sentence(wins(line, 1))]
    if v.seat != 1:
        text.append(words.sentence(wins(line, v.seat)))
    return " ".join([*text, size(line), holds(line), notice(line)])


def _table(context: Context) -> Table:
    frame = with_ends(
        pd.concat([line.tables["seats"].assign(players=line.players) for line in context.headlines], ignore_index=True)
    )
    columns: Columns = ["players", Column("seat", "seat", colour=seat_colour), *wins_and_points()]
    note = "From, to: ends of the 95 % interval of the column before."
    return table(frame, columns, f"Seats, {context.seating(context.headlines[0])}", note=note)


def with_ends(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Add ends to lead and place, which have no intervals of their own, from score and win index, which vary about as
    much."""
    ends: dict[str, pd.Series] = {}
    for name, like in (
        ("margin", ("mean_score", "score_low", "score_high")),
        ("place", ("index", "index_low", "index_high")),
    ):
        value, low, high = (frame[column] for column in like)
        ends |= {f"{name}_low": frame[name] - (value - low), f"{name}_high": frame[name] + (high - value)}
    return frame.assign(**ends)


def wins_and_points() -> list[Column]:
    """Return the columns for wins and points, for a frame `with_ends`; the ends of lead and place only decide how many
    digits we show."""
    return [
        Column("wins, %", "win_share", "low", "high", 100, bounds=True),
        Column("times fair share", "index", "index_low", "index_high"),
        Column("points", "mean_score", "score_low", "score_high", bounds=True),
        Column("ahead of best other", "margin", "margin_low", "margin_high", most=1),
        Column("place", "place", "place_low", "place_high"),
    ]


def _shown(context: Context) -> list[Line]:
    """Return the lines to show together. Levels that look ahead stand apart, because their intervals are wide."""
    return [line for line in context.survey.lines if line.role != "level"]


def _repeated(context: Context) -> Figure:
    lines = _shown(context)
    limits = shared_limits([line.tables["seats"] for line in lines if line.role != "random"], context.survey.margin)
    limits = (max(limits[0], 0.0), limits[1])
    panels = []
    for n in context.players:
        mine = [line for line in lines if line.players == n]
        parts = [(context.who(line), line.tables["seats"]) for line in mine]
        frame = pd.concat(
            [shares(t, who, [style.token("seat", s) for s in t["seat"]]) for who, t in parts], ignore_index=True
        )
        frame = frame.assign(mark=frame["seat"].astype(str))
        alt = ": " + "; ".join(f"{context.who(x)}: {pills.which(x)}, {wins(x, x.verdict.seat)}" for x in mine)
        reach = shared_limits([frame], context.survey.margin, "low", "high")
        scale = index_scale(n, context.survey.margin, (), (min(limits[0], reach[0]), max(limits[1], reach[1])))
        panels.append(context.panel(crowd, frame, scale, alt, n))
    return Figure("Wins by seat, for each line-up", panels, _discs(context))


def _discs(context: Context) -> str:
    note = "Discs: seats. Line: fair. Shaded: counts as fair."
    chance = [line for line in context.survey.lines if line.role == "random"]
    return f"{note} {context.who(chance[0])} plays any legal move; it is here for comparison." if chance else note


def _repeated_title(context: Context) -> str:
    others = [line for line in _shown(context) if not any(line is headline for headline in context.headlines)]
    others = [line for line in others if line.role != "random"] or others
    differ = [line for line in others if pills.which(line) != pills.which(context.survey.headline(line.players))]
    if not differ:
        return "The same seats are fair, too weak or too strong, whoever plays"
    some = words.count(len(differ)) if len(differ) < len(others) else "all"
    return f"Other seats are too weak or too strong in {some} of {words.many(len(others), 'other line-up')}"


def _lines_table(context: Context) -> Table:
    rows = [{"who": context.who(line)} | verdict_row(line) for line in _shown(context)]
    columns: Columns = [
        "players",
        Column("who plays", "who"),
        Column("seats", "which"),
        Column("furthest seat", "seat", colour=seat_colour),
        Column("times fair share", "index", "low", "high", bounds=True),
        Column("margin that would hold", "holding"),
        Column("games to see it", lambda row: words.rough(row["notice"]) if row["notice"] else "can't be told apart"),
        "games",
    ]
    return table(rows, columns, "The seats for every line-up")


def _ties(context: Context) -> list[Block]:
    frames = [line.tables["ties"].assign(players=line.players) for line in context.headlines]
    frames = [frame for frame in frames if frame[["tied", "shared"]].to_numpy().any()]
    sentences = [f"{count_words(line.players).capitalize()}: {ties(line)}" for line in context.headlines]
    blocks: list[Block] = [Heading("Ties"), Text([" ".join(sentences)])]
    if frames:
        columns: Columns = [
            "players",
            "seats",
            Column("tied for the highest score, games", "tied"),
            Column("shared the win, games", "shared"),
            Column("of all games, %", "share", factor=100, most=2),
        ]
        blocks.append(table(pd.concat(frames, ignore_index=True), columns, "Who tied with whom", folded=True))
    return blocks
