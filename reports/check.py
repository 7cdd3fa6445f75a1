"""Balance as a test: the limits, the findings, and whether they lie inside; in words, and as a section of a page."""

from dataclasses import replace
from typing import Any

from analyses import frames as pd
from analyses.check import INSIDE, OUTSIDE, SEATS, Check, LimitAnswer, baseline_table
from analyses.check import table as limits_table
from reports import baseline, style, words
from reports.baseline import subject
from reports.drawing import Scale
from reports.figures import dots
from reports.markdown import plain, table_of
from reports.parts import Answer as Said
from reports.parts import Block, Figure, Ground, Panel, QuestionBox, Section, Text, count_words
from reports.tables import Column, Columns, Table, table

NAME = "check"


def sections(ground: Ground, found: Check) -> list[Section]:
    """Return the sections: of the limits, and of the comparisons with a baseline."""
    limits = [_section(ground, found)] if found.answers else []
    return [*limits, *([baseline.section(ground, found.baselines)] if found.baselines else [])]


def _section(ground: Ground, found: Check) -> Section:
    """Return a figure and a table for the seats and for each kind of thing that the limits are about."""
    blocks: list[Block] = []
    for what, answers in _by_kind(found).items():
        blocks += [
            _figure(ground, what, answers),
            Text([_paragraph(ground, answer) for answer in answers]),
            _table(ground, what, answers),
        ]
    return Section(NAME, "Which limits hold?", [*blocks, Text([method(found)])])


def questions(ground: Ground, found: Check) -> list[QuestionBox]:
    """Return the answers for the top of the page."""
    made = []
    for what, answers in _by_kind(found).items():
        title = f"Does {one(ground, what)} win more than {words.plain(answers[0].limit.index, 4)} times its fair share?"
        said = [
            Said(f"{count_words(a.limit.players)}, {ground.seating(a)}", a.word, size(ground, a), sure(a))
            for a in answers
        ]
        made.append(QuestionBox(title, NAME, said))
    return [*made, *baseline.questions(ground, found.baselines)]


def headline(found: Check) -> str:
    """Return the answer to all questions, in a sentence for the limits and one for the baseline."""
    limits = [_headline(replace(found, baselines=(), compared=0))] if found.asked else []
    return " ".join([*limits, *([baseline.headline(found.baselines, found.compared)] if found.compared else [])])


def _headline(found: Check) -> str:
    counts = {word: [a.word for a in found.answers].count(word) for word in (OUTSIDE, INSIDE)}
    open_ = found.asked - counts[OUTSIDE] - counts[INSIDE]
    if found.asked == 1:
        said = {INSIDE: "the limit holds", OUTSIDE: "the limit is broken"}.get(
            found.word, "these games don't decide it"
        )
        return f"{found.word.capitalize()}: {said}."
    if found.word == INSIDE:
        return f"Inside: all {words.count(found.asked)} limits hold."
    parts = [
        f"{words.count(n)} {said}"
        for n, said in zip((*counts.values(), open_), ("broken", "kept", "not decided"), strict=True)
        if n
    ]
    return f"{found.word.capitalize()}: of {words.count(found.asked)} limits {words.listed(parts)}."


def lines(ground: Ground, found: Check) -> list[str]:
    """Return one line for each limit and comparison, for the terminal."""
    return [*(line(ground, one) for one in found.answers), *(baseline.line(ground, one) for one in found.baselines)]


def markdown(ground: Ground, found: Check) -> str:
    """Return the answer as Markdown, for the summary of a build."""
    heads = ("verdict", "what", "players", "answer", "games")
    rows = [(a.word, subject(ground, a.limit.what), a.players, size(ground, a), f"{a.games:,}") for a in found.answers]
    rows += [
        (b.word, f"{subject(ground, b.what)}, baseline", b.players, baseline.size(b), f"{b.games:,} of each")
        for b in found.baselines
    ]
    texts = f"### Balance: {plain(found.title)}", plain(headline(found)), table_of(heads, rows), plain(found.notice)
    return "".join(f"{text}\n\n" for text in texts if text)


def line(ground: Ground, answer: LimitAnswer) -> str:
    """Return one line for the terminal: the word, for whom, the furthest with its interval, the limit, how many
    games."""
    q = answer.limit
    return (
        f"{answer.word:9}  {subject(ground, q.what)}, {count_words(q.players)}: {size(ground, answer)} {sure(answer)}"
    )


def one(ground: Ground, what: str) -> str:
    """Return one of the seats or things for the middle of a sentence."""
    return "a seat" if what == SEATS else f"the holder of one of the {ground.labels(what)}"


def name(ground: Ground, what: str, label: object) -> str:
    """Return the name of a seat or a thing."""
    return f"Seat {label}" if what == SEATS else ground.labels(label)


def size(ground: Ground, answer: LimitAnswer) -> str:
    """Return how far out the furthest is, and the limit, in a sentence."""
    q, row = answer.limit, answer.furthest
    who, limit = name(ground, q.what, row["name"]), words.plain(q.index, 4)
    if not row["high"] - row["low"] < q.players:
        return f"Too few games to say anything; limit {limit}."
    dealt = "" if q.what == SEATS else ", dealt by chance,"
    return f"{who}{dealt} wins {words.times(row['index'], row['low'], row['high'])}; limit {limit}."


def sure(answer: LimitAnswer) -> str:
    """Return how many games it took, and how many more would probably decide it."""
    more = f"; about {words.rough(answer.further)} more would probably decide it" if answer.further else ""
    return f"{answer.games:,} games{more}."


def method(found: Check) -> str:
    """Return how we got the answers, for a reader who distrusts them."""
    stops = any(answer.sequential for answer in found.answers)
    ends = (
        "whenever the run stops; each question stops by itself once it is decided"
        if stops
        else "for a fixed number of games"
    )
    dealt = any(answer.limit.what != SEATS for answer in found.answers)
    text = (
        "A question is inside if every seat or thing has its whole interval at or below the limit, outside if one "
        "interval lies above the limit, and undecided otherwise. The 95 % intervals of one question hold all at once, "
        f"{ends}. They are computed over blocks of games that share their dice and draws, not over single games. Each "
        "question has its own 5 % risk of a wrong answer."
    )
    held = (
        " Chance dealt the things once in each game, on each occasion in turn; otherwise play went as usual. So a "
        "holder is not simply somebody who plays well."
    )
    return text + held * dealt


def _by_kind(found: Check) -> dict[str, list[LimitAnswer]]:
    kinds: dict[str, list[LimitAnswer]] = {}
    for answer in found.answers:
        kinds.setdefault(answer.limit.what, []).append(answer)
    return kinds


def _paragraph(ground: Ground, answer: LimitAnswer) -> str:
    q, row = answer.limit, answer.furthest
    text = f"{count_words(q.players).capitalize()}: {answer.word}. {size(ground, answer)}"
    if row["high"] - row["low"] < q.players:
        share = words.percent_between(*(row[part] / q.players for part in ("index", "low", "high")))
        most = words.plain(100 * q.index / q.players)
        text += f" That is {share} of the games, where {words.par(q.players)} is fair and {most} % the limit."
    over = [
        name(ground, q.what, r["name"])
        for r in answer.rows.to_dict("records")
        if r["low"] > q.index and r["name"] != row["name"]
    ]
    return f"{text} Also outside: {words.listed(over)}." if over else text


def _figure(ground: Ground, what: str, answers: list[LimitAnswer]) -> Figure:
    limit = answers[0].limit.index
    ends = [(float(a.rows["low"].min()), float(a.rows["high"].max())) for a in answers]
    low, high = min([*(e[0] for e in ends if e[0] == e[0]), 0.95]), max([*(e[1] for e in ends if e[1] == e[1]), limit])
    room = 0.06 * (high - low)
    marks = [1.0] * ((limit - 1) / (high - low) > 0.1) + [limit]
    marks += [
        k / 5
        for k in range(1, 30)
        if low <= k / 5 <= high and all(abs(k / 5 - at) / (high - low) > 0.1 for at in (1, limit))
    ]
    ticks = [(at, words.plain(at, 4)) for at in marks[:6]]
    scale = Scale(ticks, 1.0, (low - room, limit), (low - room, high + room), "times the fair share")
    return Figure(
        _title(ground, what, answers), [_panel(ground, answer, scale) for answer in answers], _note(what, limit)
    )


def _panel(ground: Ground, answer: LimitAnswer, scale: Scale) -> Panel:
    q, rows = answer.limit, answer.rows
    kind = "seat" if q.what == SEATS else "thing"
    frame = rows.assign(
        label=[name(ground, q.what, label) for label in rows["name"]],
        value=rows["index"],
        text=[words.number(*row) for row in zip(rows["index"], rows["low"], rows["high"], strict=True)],
        colour=[style.token(kind, at + 1) for at in range(len(rows))],
    )
    alt = (
        f", share of wins as a multiple of the fair one, limit {words.plain(q.index, 4)}: {answer.word}. "
        f"{size(ground, answer)}"
    )
    return ground.panel(dots, frame, scale, alt, q.players, answer.word)


def _title(ground: Ground, what: str, answers: list[LimitAnswer]) -> str:
    out = [a for a in answers if a.word == OUTSIDE]
    if out:
        worst = max(out, key=lambda a: a.furthest["low"])
        row, q = worst.furthest, worst.limit
        times = words.times(row["index"], row["low"], row["high"])
        return f"{name(ground, what, row['name'])} is outside: with {count_words(q.players)} it wins {times}"
    if all(a.word == INSIDE for a in answers):
        return f"{subject(ground, what)}: all lie inside the limit"
    return f"{subject(ground, what)}: none is outside for certain, but not all are inside for certain"


def _note(what: str, limit: float) -> str:
    return (
        f"Share of wins of {'each seat' if what == SEATS else 'the holder'}, as a multiple of the fair share (line). "
        f"Shaded: up to the limit of {words.plain(limit, 4)}. Bars: 95 % intervals, for all rows of a panel at once."
    )


def _table(ground: Ground, what: str, answers: list[LimitAnswer]) -> Table:
    parts = [
        answer.rows.assign(players=answer.limit.players, word=answer.word, games=answer.games) for answer in answers
    ]
    frame: Any = pd.concat(parts, ignore_index=True)
    kind = "seat" if what == SEATS else "thing"
    names = list(dict.fromkeys(frame["name"]))
    frame = frame.assign(label=[name(ground, what, label) for label in frame["name"]])
    frame = frame.assign(**{f"{c}_share": 100 * frame[c] / frame["players"] for c in ("index", "low", "high")})
    columns: Columns = [
        "players",
        Column(
            "seat" if what == SEATS else ground.labels(what),
            "label",
            colour=lambda row: style.token(kind, names.index(row["name"]) + 1),
        ),
        Column("times fair share", "index", "low", "high", bounds=True),
        Column("wins, %", "index_share", "low_share", "high_share"),
        "games",
        Column("the question is", "word"),
    ]
    limit = words.plain(answers[0].limit.index, 4)
    return table(
        frame,
        columns,
        f"{subject(ground, what)}, limit {limit}",
        note="From, to: ends of the 95 % interval of the column before.",
    )


def frames(found: Check) -> "dict[str, pd.DataFrame]":
    """Return the tables of the page by file name."""
    limits = {"check": limits_table(found)} if found.answers else {}
    return limits | ({"baseline": baseline_table(found)} if found.baselines else {})
