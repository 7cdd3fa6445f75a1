"""Real games against simulated ones: what differs by more than chance, and how many more games you need to tell.

In words, tables and figures.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from analyses import frames as pd
from analyses.playtests.drawn import EVERYBODY
from analyses.playtests.playtests import DIFFERS, Compared, Playtests
from reports import style, words
from reports.drawing import Scale
from reports.figures import dots
from reports.parts import Answer, Block, Figure, Ground, Heading, Part, QuestionBox, Section, Text, count_words
from reports.tables import Column, Columns, Table, records, stacked, table

NAME = "playtests"
MOST_NAMED = 3
FOUND = "in four of five such logs"
CAUTION = (
    "“In line” means only this: with so few games, nothing differs by more than chance. We count each game as "
    "independent of the others. Games of one group that knows each other, or is still learning, are not quite "
    "independent, and then a difference is less sure than it seems."
)


@dataclass(frozen=True)
class PlaytestQuestion:
    """One question about the games with one number of players, ready to show.

    Attributes:
        name: of the question, the same for each number of players. title: the question. head: what a row is. value: the
            measure.
        unit: " %" or nothing. says: label → the words before a value, and those after it. compared: the games.
        frame: label, colour, value, low, high, simulated, differs, more_games; in the unit shown. more: further
            sentences.
    """

    name: str
    title: str
    head: str
    value: str
    unit: str
    says: Callable[[str], tuple[str, str]]
    compared: Compared
    frame: "pd.DataFrame" = field(repr=False)
    more: tuple[str, ...] = ()

    @property
    def games(self) -> int:
        """How many real games answer the question; a log may lack some scores."""
        return self.compared.scored if self.name == "scores" else self.compared.real

    @property
    def word(self) -> str:
        """The answer in a word."""
        return DIFFERS if self.frame["differs"].any() else "in line"

    @property
    def furthest(self) -> "pd.DataFrame":
        """The rows; first those that differ most, measured by their interval."""
        known = self.frame.dropna(subset=["value"])
        far = (known["value"] - known["simulated"]).abs() / (known["high"] - known["low"])
        return known.assign(far=far).sort_values(["differs", "far"], ascending=False, kind="stable")

    @property
    def heads(self) -> tuple[str, ...]:
        """Titles of the columns on a terminal."""
        return (self.head, self.value, "between", "simulated", "", "more games to tell")

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """Rows on a terminal."""
        made: list[tuple[str, ...]] = []
        for row in records(self.frame):
            value, low, high, simulated = _written(row)
            between = (
                words.NOT_KNOWN if row["value"] != row["value"] else "not known" if low == high else f"{low} – {high}"
            )
            made.append((row["label"], value, between, simulated, _word(row), _more(row)))
        return made

    @property
    def sentences(self) -> list[str]:
        """The findings, in words."""
        return [f"{self.word.capitalize()}. {self.finding}", *self.more]

    @property
    def finding(self) -> str:
        """What differs; or else what is furthest from the simulation, and how many more games would show it."""
        rows = records(self.furthest)
        out = [self.phrase(row) for row in rows if row["differs"]]
        if out:
            rest = len(out) - MOST_NAMED
            return words.sentence(
                "; ".join(out[:MOST_NAMED]) + (f"; {words.count(rest)} more in the table" if rest > 0 else "")
            )
        if self.games < 2 and self.name == "scores":
            return "One game says nothing about a mean score."
        more = _more(rows[0])
        tell = f" If that is real, about {more} more games would show it." if more.strip("–0") else ""
        return f"Furthest from the simulation, but by no more than chance: {self.phrase(rows[0])}.{tell}"

    def phrase(self, row: dict[str, Any]) -> str:
        """Return a row in words, without a full stop."""
        value, low, high, simulated = _written(row)
        before, after = self.says(row["label"])
        return f"{before} {value}{self.unit}{after} (between {low} and {high}), simulated {simulated}{self.unit}"


def _written(row: dict[str, Any]) -> tuple[str, str, str, str]:
    """Return a row's value, ends and simulated value, with the digits that its interval allows."""
    half = words.half_width(row["value"], row["low"], row["high"])
    places = words.decimals(half, 1) if half < float("inf") else 1
    ends = [words.fixed(row[end], places) if abs(row[end]) < float("inf") else "–" for end in ("low", "high")]
    return words.fixed(row["value"], places), ends[0], ends[1], words.fixed(row["simulated"], places)


def _word(row: dict[str, Any]) -> str:
    return DIFFERS if row["differs"] else "in line" if row["value"] == row["value"] else "never held"


def _more(row: dict[str, Any]) -> str:
    more = row["more_games"]
    return words.rough(more) if isinstance(more, int) and more > 0 else "0" if row["differs"] else words.NOT_KNOWN


# --- the questions ----------------------------------------------------------------------------------------------------


def questions_of(ground: Ground, one: Compared) -> list[PlaytestQuestion]:
    """Return the questions about the games with one number of players."""
    asked = [_wins(one), *([_scores(one)] if one.scored else [])]
    for kind in one.things:
        asked += [_taken(ground, one, kind), _holders(ground, one, kind)]
    return asked


def _frame(
    table: "pd.DataFrame", labels: list[str], tokens: list[str], value: str, prefix: str = "", factor: int = 100
) -> "pd.DataFrame":
    """Return a table of `analyses.playtests.playtests.Compared` as the frame of a question."""
    kept = {"value": factor * table[value]} | {
        name: factor * table[f"{prefix}{name}"] for name in ("low", "high", "simulated")
    }
    more = [None if pd.isna(n) else int(n) for n in table[f"{prefix}more_games"]]
    made = pd.DataFrame({"label": labels, "colour": tokens, **kept})
    return made.assign(differs=table[f"{prefix}differs"].to_numpy(bool), more_games=pd.Series(more, dtype=object))


def _wins(one: Compared) -> PlaytestQuestion:
    seats = one.seats["seat"]
    frame = _frame(
        one.seats, [f"Seat {seat}" for seat in seats], [style.token("seat", seat) for seat in seats], "share"
    )
    games = f" % of the {one.real:,} {words.players(one.players)} games" if one.real > 1 else " % of one game"
    title = "Do the seats win as often as simulated?"
    return PlaytestQuestion(
        "wins", title, "seat", "wins, %", "", lambda label: (f"{_small(label)} wins", games), one, frame, _visible(one)
    )


def _small(label: str) -> str:
    """Return a label for the middle of a sentence; things keep their capitals."""
    return label.lower() if label.startswith(("Seat ", "All seats")) else label


def _visible(one: Compared) -> tuple[str, ...]:
    """Return what so few games can show, and how many it takes to find a seat that is off by the margin."""
    fair = one.seats.iloc[int((one.seats["simulated"] - 1 / one.players).abs().to_numpy().argmin())]
    simulated = words.fixed(100 * fair["simulated"], 0)
    games = words.many(one.real, "game")
    if fair["visible"] == fair["visible"]:
        share = words.fixed(100 * fair["visible"], 0)
        seen = (
            f"{games} are enough to find a seat that wins {share} % instead of {simulated} % ({FOUND}); smaller "
            "differences less often."
        )
    else:
        seen = f"{games} can't show any difference for sure, not even a seat that always wins."
    margin = fair["games_for_margin"]
    if pd.isna(margin):
        return (words.sentence(seen),)
    return (
        words.sentence(seen),
        f"To find a seat that wins {words.plain(100 * one.margin)} % of a fair share more than simulated, you need "
        f"about {words.rough(margin)} games.",
    )


def _scores(one: Compared) -> PlaytestQuestion:
    seats = one.scores["seat"]
    tokens = ["ink" if seat == EVERYBODY else style.token("seat", int(seat)) for seat in seats]
    labels = ["All seats" if seat == EVERYBODY else f"Seat {seat}" for seat in seats]
    frame = _frame(one.scores, labels, tokens, "mean", factor=1)

    def says(label: str) -> tuple[str, str]:
        return f"{_small(label)} {'score' if label == 'All seats' else 'scores'}", " points on average"

    return PlaytestQuestion("scores", "Are scores as high as simulated?", "seat", "points", "", says, one, frame)


def _taken(ground: Ground, one: Compared, kind: str) -> PlaytestQuestion:
    frame, them = _things(ground, one, kind, "taken"), ground.labels(kind)
    title = f"Do players take the {them} as often as simulated?"
    more = f"Share of the rounds that somebody wrote down ({int(one.things[kind]['noted'].sum()):,} entries)."
    return PlaytestQuestion(
        f"{kind} taken", title, them, "taken, % of rounds", "",
        lambda label: (f"{label} is taken in", " % of the rounds"), one, frame, (more,),
    )  # fmt: skip


def _holders(ground: Ground, one: Compared, kind: str) -> PlaytestQuestion:
    frame, them = _things(ground, one, kind, "wins"), ground.labels(kind)
    title = f"Do the holders of the {them} win as often as simulated?"
    more = f"This compares holders. It doesn't say what one of the {them} is worth: strong players choose good ones."
    return PlaytestQuestion(
        f"{kind} wins", title, them, "wins of holders, %", "", lambda label: (f"holders of {label} win", " %"), one,
        frame, (more,)
    )  # fmt: skip


def _things(ground: Ground, one: Compared, kind: str, value: str) -> "pd.DataFrame":
    things = list(one.things[kind]["thing"])
    return _frame(
        one.things[kind],
        list(map(ground.labels, things)),
        list(style.colours("thing", things).values()),
        value,
        f"{value}_",
    )


# --- words and the page -----------------------------------------------------------------------------------------------


def played(found: Playtests) -> str:
    """Return which games we compared, in a sentence."""
    parts = [
        f"{words.many(one.real, 'game')} with {count_words(one.players)} ({one.games:,} simulated)"
        for one in found.compared
    ]
    who = words.seating(found.strategies)
    return words.sentence(
        f"Real games: {words.listed(parts)}; simulated with {who}. Intervals: 95 %, for the whole log at once"
    )


def headline(ground: Ground, found: Playtests) -> str:
    """Return the answer in a sentence."""
    out = [asked for one in found.compared for asked in questions_of(ground, one) if asked.word == DIFFERS]
    total = words.many(found.real, "game")
    if not out:
        return f"In line: nothing in {total} differs from the simulation by more than chance."
    named = []
    for asked in out:
        labels = list(asked.furthest[asked.furthest["differs"]]["label"])
        several = f" and {words.count(len(labels) - 1)} more" if len(labels) > 1 else ""
        named.append(
            f"{asked.value.partition(',')[0]} ({_small(labels[0])}{several}) with {count_words(asked.compared.players)}"
        )
    return f"Differs by more than chance in {total}: {words.listed(named)}."


def answers(ground: Ground, found: Playtests) -> list[QuestionBox]:
    """Return the answers for the top of the page."""
    questions = []
    for group in _groups(ground, found):
        said = []
        for asked in group:
            who = f"{count_words(asked.compared.players)}, {words.many(asked.games, 'game')}"
            said.append(Answer(who, asked.word, asked.finding, asked.more[0] if asked.name == "wins" else ""))
        questions.append(QuestionBox(group[0].title, NAME, said))
    return questions


def log_said(found: Playtests) -> list[str]:
    """Return remarks on the log, a sentence each: how many games --players leaves out, then what its reader noticed."""
    log = found.log
    left = (
        [f"--players leaves out {words.many(log.left_out, 'game')} with other numbers of players"]
        if log.left_out
        else []
    )
    return [words.sentence(text) for text in (*left, *log.remarks)]


def section(ground: Ground, found: Playtests) -> Section:
    """Return the section: a figure, words and a table for each question."""
    blocks: list[Block] = [Text([played(found), *log_said(found), CAUTION])]
    for group in _groups(ground, found):
        said = [" ".join([f"{count_words(a.compared.players).capitalize()}:", *a.sentences]) for a in group]
        blocks += [Heading(group[0].title), _figure(ground, group), Text(said), _table(group)]
    return Section(
        NAME, "Do real games end as simulated ones do?", [*blocks, Heading("How we compared them"), Text(method(found))]
    )


def method(found: Playtests) -> list[str]:
    """Return how we compared the games, for a reader who distrusts it."""
    least = words.rough(min(one.games for one in found.compared))
    return [
        f"We put {words.many(found.questions, 'question')} to the log, which share one risk of 5 %: if a hundred logs "
        "came from the simulation itself, we would call at most five of them different anywhere. The intervals of a "
        "question hold for all its rows "
        "at once; more questions make them wider.",
        "Wins: the interval of Clopper and Pearson, exact for any number of games; a shared win counts in parts. "
        "Scores and things: we draw logs of as many whole games from the simulation, with the same entries written "
        "down. A row differs if it lies further out than the furthest row of 95 in 100 such logs (over all questions). "
        "If drawn logs lie exactly as far out as yours, the row "
        "is in line.",
        f"The simulated numbers have errors too, because they come from {least} games or more; the intervals allow "
        "for them.",
        "“More games to tell”: how many more games would show this difference in four of five logs, if it stays as "
        "large as it is now.",
    ]


def frames(found: Playtests) -> "dict[str, pd.DataFrame]":
    """Return the tables of the page by file name."""
    return stacked(
        (f"playtests_{name}", {"players": one.players, "games": one.scored if name == "scores" else one.real}, frame)
        for one in found.compared
        for name, frame in {"seats": one.seats, **({"scores": one.scores} if one.scored else {}), **one.things}.items()
    )


def _groups(ground: Ground, found: Playtests) -> list[list[PlaytestQuestion]]:
    groups: dict[str, list[PlaytestQuestion]] = {}
    for one in found.compared:
        for asked in questions_of(ground, one):
            groups.setdefault(asked.name, []).append(asked)
    return list(groups.values())


def _figure(ground: Ground, group: list[PlaytestQuestion]) -> Figure:
    shown = [a.frame.dropna(subset=["value"]) for a in group]
    ends = [
        abs(v - s)
        for f in shown
        for c in ("low", "high", "value")
        for v, s in zip(f[c], f["simulated"])
        if abs(v) < float("inf")
    ]
    reach = max([*ends, 1.0])
    step = next((s for s in (0.5, 1, 2, 5, 10, 20, 50) if reach / s <= 2.5), 100)
    ticks = [
        (k * step, "0" if not k else f"{'+' if k > 0 else '−'}{words.plain(abs(k) * step)}")
        for k in range(-2, 3)
        if abs(k) * step <= reach
    ]
    unit = "points more or fewer than simulated" if group[0].name == "scores" else "more or fewer in 100 than simulated"
    scale = Scale(ticks, 0.0, None, (-1.08 * reach, 1.08 * reach), unit)
    panels = []
    for asked, frame in zip(group, shown, strict=True):
        written = [_written(row) for row in records(frame)]
        drawn = frame.assign(
            value=frame["value"] - frame["simulated"],
            low=(frame["low"] - frame["simulated"]).clip(-1.08 * reach),
            high=(frame["high"] - frame["simulated"]).clip(None, 1.08 * reach),
            text=[f"{value} ({simulated})" for value, _, _, simulated in written],
        )
        alt = f", {asked.value}, real minus simulated: {asked.word}. {asked.finding}"
        panels.append(ground.panel(dots, drawn, scale, alt, asked.compared.players, asked.word))
    note = (
        "Real games minus simulated ones (line: no difference). Bars: 95 % intervals for all questions at once. "
        "Numbers: real (simulated)."
    )
    return Figure(_title(group), panels, note)


def _title(group: list[PlaytestQuestion]) -> str:
    out = [a for a in group if a.word == DIFFERS]
    if not out:
        return f"{group[0].value.partition(',')[0].capitalize()}: nothing differs by more than chance"
    asked = max(out, key=lambda a: a.furthest["far"].iloc[0])
    return f"With {count_words(asked.compared.players)}, {asked.phrase(records(asked.furthest)[0])}"


def _table(group: list[PlaytestQuestion]) -> Table:
    frame = pd.concat([a.frame.assign(players=a.compared.players, games=a.games) for a in group], ignore_index=True)
    frame = frame.assign(more=[_more(row) for row in records(frame)], word=[_word(row) for row in records(frame)])
    columns: Columns = [
        "players",
        "games",
        Column(group[0].head, "label", colour=lambda row: str(row["colour"])),
        Column(group[0].value, "value", "low", "high", most=1, bounds=True),
        Column("simulated", "simulated", "low", "high", most=1, like="value"),
        "word",
        Column("more games to tell", "more"),
    ]
    return table(frame, columns, group[0].title, note="From, to: ends of the interval of the column before.")


def part(found: Playtests) -> Part:
    """Return the page of its own."""
    ground = Ground.of(found.game)
    return Part(
        NAME, "Playtests", headline(ground, found), answers(ground, found), [section(ground, found)], frames(found),
        found, sum(one.games for one in found.compared), [("games", played(found))],
    )  # fmt: skip
