"""The section on seats: is the first player favoured?"""

from analyses import frames as pd
from analyses.findings import Line
from reports import levels, style, words
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
from reports.places import growth, orders
from reports.tables import Column, Columns, Table, table
from reports.verdict import holds, notice, seat, size, ties, verdict_row, wins


def section(context: Context) -> Section:
    """Return the section: who wins, for which players that holds, where it comes from, ties."""
    blocks: list[Block] = [
        _figure(context),
        Text([_paragraph(context, line) for line in context.headlines]),
        _table(context),
    ]
    blocks += levels.by_seat(context)
    if len(_shown(context)) > len(context.headlines):
        blocks += [Heading("Does it hold for other ways to play?"), *_repeated(context)]
    blocks += orders(context)
    blocks += growth(context)
    blocks += _ties(context)
    return Section("seats", "Is the first player favoured?", blocks)


def first_seat(context: Context) -> str:
    """Return how often the first player wins at every number of players."""
    parts = []
    for line in context.headlines:
        row = seat(line, 1)
        parts.append(f"{words.percent(row['win_share'], row['low'], row['high'])} with {words.count(line.players)}")
    return f"Seat 1 wins {words.listed(parts)} players"


def _figure(context: Context) -> Figure:
    limits = shared_limits([line.tables["seats"] for line in context.headlines], context.survey.margin)
    panels = []
    for line in context.headlines:
        t = line.tables["seats"]
        frame = shares(t, [f"Seat {s}" for s in t["seat"]], [style.token("seat", s) for s in t["seat"]])
        alt = f", share of wins by seat: {line.verdict.word}. " + ". ".join(wins(line, int(s)) for s in t["seat"])
        scale = index_scale(line.players, line.margin, (), limits)
        panels.append(context.panel(dots, frame, scale, alt, line.players, line.verdict.word))
    note = (
        f"Share of wins, {context.seating(context.headlines[0])}. Line: fair share. Shaded: within "
        f"{words.plain(100 * context.survey.margin)} % of it, which counts as balanced. Bars: 95 % intervals."
    )
    return Figure(first_seat(context), panels, note)


def _paragraph(context: Context, line: Line) -> str:
    v = line.verdict
    text = [f"{count_words(line.players).capitalize()}: {v.word}.", words.sentence(wins(line, 1))]
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


def _repeated(context: Context) -> list[Block]:
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
        alt = ": " + "; ".join(f"{context.who(x)} {x.verdict.word}, {wins(x, x.verdict.seat)}" for x in mine)
        reach = shared_limits([frame], context.survey.margin, "low", "high")
        scale = index_scale(n, context.survey.margin, (), (min(limits[0], reach[0]), max(limits[1], reach[1])))
        panels.append(context.panel(crowd, frame, scale, alt, n))
    return [Figure(_repeated_title(context), panels, _discs(context)), _lines_table(context)]


def _discs(context: Context) -> str:
    note = "Each numbered disc is a seat, at its share of wins. Line: fair share. Shaded: what counts as balanced."
    chance = [line for line in context.survey.lines if line.role == "random"]
    return f"{note} {context.who(chance[0])} plays any legal move; it is here for comparison." if chance else note


def _repeated_title(context: Context) -> str:
    played = [line for line in _shown(context) if line.role != "random"]
    played = played if len(played) > len(context.headlines) else _shown(context)
    differ = [line for line in played if line.verdict.word != context.survey.headline(line.players).verdict.word]
    n = len(played) - len(context.headlines)
    others = words.many(n, "other line-up")
    if not differ:
        return f"The verdict is the same in {'the other line-up' if n == 1 else f'all {others}'}"
    said = f"The verdict differs in {words.count(len(differ))} of {others}"
    if len(differ) > 3:
        return said
    return (
        f"{said}: "
        f"{words.listed([f'{context.who(x)} with {words.count(x.players)} ({x.verdict.word})' for x in differ])}"
    )


def _lines_table(context: Context) -> Table:
    rows = [{"who": context.who(line)} | verdict_row(line) for line in _shown(context)]
    columns: Columns = [
        "players",
        Column("who plays", "who"),
        "verdict",
        Column("furthest seat", "seat", colour=seat_colour),
        Column("times fair share", "index", "low", "high", bounds=True),
        Column("margin that would hold", "holding"),
        Column("plays to notice", lambda row: words.rough(row["notice"]) if row["notice"] else "can't be told apart"),
        "games",
    ]
    return table(rows, columns, "The verdict on the seats for every line-up")


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
