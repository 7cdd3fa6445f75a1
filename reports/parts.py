"""The parts of a page, and what all its sections need to know."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from analyses import frames as pd
from analyses.findings import Line, Survey
from analyses.played import Found
from reports import style, words
from reports.drawing import Drawing, Ids, Scale
from reports.tables import Rows, Table
from sim import registry
from sim.contract import Game


@dataclass(frozen=True)
class Panel:
    """One drawing of a figure, with its caption; `name`: unique in the page."""

    caption: str
    drawing: Drawing
    name: str

    @cached_property
    def svg(self) -> str:
        """The drawing, ready for the page."""
        return self.drawing.svg(self.name)


@dataclass(frozen=True)
class Figure:
    """A figure. Its title states the finding; its panels stand side by side."""

    title: str
    panels: list[Panel]
    note: str = ""


@dataclass(frozen=True)
class Text:
    """Paragraphs; `warning` sets them apart."""

    paragraphs: list[str]
    warning: bool = False


@dataclass(frozen=True)
class Heading:
    """A heading within a section."""

    title: str


@dataclass(frozen=True)
class Terms:
    """Words and what they mean."""

    pairs: list[tuple[str, str]]


@dataclass(frozen=True)
class Commands:
    """Lines to type."""

    lines: list[str]


Block = Figure | Text | Heading | Table | Terms | Commands


@dataclass(frozen=True)
class Section:
    """A section of the page. The page leaves out a section without blocks.

    Attributes:
        name: for links. title: the finding. blocks: what shows it, a figure as a rule. folded: the numbers behind it,
            shown on a click. label: what the list of sections calls it, if not its title. appendix: whether all of it
            is folded, at the end of the page.
    """

    name: str
    title: str
    blocks: list[Block]
    folded: list[Block] = field(default_factory=list)
    label: str = ""
    appendix: bool = False


@dataclass(frozen=True)
class Answer:
    """One line of an answer: for whom, the verdict, its size in plain units, how sure."""

    who: str
    word: str
    size: str
    sure: str


@dataclass(frozen=True)
class QuestionBox:
    """A question, the section that answers it in full, and the short answers."""

    title: str
    section: str
    answers: list[Answer]


@dataclass(frozen=True)
class FirstScreen:
    """What stands on the first screen.

    Attributes:
        asked, answer: the question, and sentences. sure, rests: one line each. figure: of seats and things.
        change: what to change. limits: what no simulation can say.
    """

    asked: str
    answer: str
    sure: str
    rests: str
    figure: Figure
    change: str
    limits: str


@dataclass(frozen=True)
class Part:
    """A page that answers one question, or all that belong in a report.

    Attributes:
        name: of the file, without its ending. kicker: the question, for people.
        headline: the answer in one line; further lines say what it depends on.
        questions: the answer case by case, with verdicts. sections: see `Section`.
        tables: by file name. found: what was played. games: how many in all.
        facts: what else it takes to make the page again (who played, …), term and meaning. commands: what to type.
        interrupted: whether somebody stopped the run.
        first: the first screen of a report; its sections say how to make it again. early: whether only a part of the
            games has been played yet, and another page will replace it.
    """

    name: str
    kicker: str
    headline: str
    questions: list[QuestionBox]
    sections: list[Section]
    tables: "dict[str, pd.DataFrame]"
    found: Found
    games: int
    facts: Sequence[tuple[str, str]] = ()
    commands: Sequence[str] = ()
    interrupted: bool = False
    first: FirstScreen | None = None
    early: bool = False

    @property
    def figures(self) -> dict[str, tuple[str, Figure]]:
        """All its figures with what they show, a finding as a rule, by the names of files that hold them."""
        found = [("answer", self.first.figure.title, self.first.figure)] if self.first else []
        for section in self.sections:
            blocks = (*section.blocks, *section.folded)
            found += [(section.name, section.title, block) for block in blocks if isinstance(block, Figure)]
        named: dict[str, tuple[str, Figure]] = {}
        for name, title, figure in found:
            times = sum(other == name for other, *_ in found[: len(named) + 1])
            named[f"{self.name}-{name}" + f"-{times}" * (times > 1)] = title, figure
        return named


@dataclass
class Ground:
    """The words of a game, and its drawings: what every section needs."""

    labels: style.Labels
    headings: dict[str, str]
    ids: Ids = field(default_factory=Ids, kw_only=True)
    game: Game | None = field(default=None, kw_only=True)
    strategies: dict[str, str] = field(default_factory=dict, kw_only=True)  # name → token of its colour

    @classmethod
    def of(cls, name: str, **more: Any) -> Self:
        """Return the ground for a game; if we don't know the game, its names are made legible."""
        try:
            game = registry.load(name)
        except KeyError:
            return cls(style.Labels({}), {}, **more)
        return cls(style.Labels(game.titles), dict(game.headings), **({"game": game} | more))

    def panel(
        self, draw: Callable[..., Drawing], found: Rows, scale: Scale, alt: str, players: int, word: str = ""
    ) -> Panel:
        """Return one panel of several, for one number of players."""
        caption = count_words(players).capitalize() + (f": {word}" if word else "")
        return self.drawn(draw, found, scale, words.sentence(f"{count_words(players)}{alt}"), caption)

    def drawn(self, draw: Callable[..., Drawing], found: Rows, scale: Scale, alt: str, caption: str = "") -> Panel:
        """Return a panel with one drawing of a frame, or of a dict for each row."""
        return Panel(caption, draw(pd.DataFrame(found), scale, alt), self.ids())

    def things(self, frame: "pd.DataFrame") -> "pd.DataFrame":
        """Return a table of things with their labels."""
        return frame.assign(label=[self.labels(thing) for thing in frame["thing"]])

    def seating(self, found: Found) -> str:
        """Return who sat down, in words."""
        return words.seating(found.strategies)


@dataclass
class Context(Ground):
    """The survey, and words and colours for all that it holds."""

    survey: Survey = field(kw_only=True)

    def __post_init__(self) -> None:
        names = list(dict.fromkeys(name for line in self.survey.lines for name in line.strategies))
        self.strategies = style.colours("strategy", names)

    @property
    def players(self) -> list[int]:
        """The numbers of players, in order."""
        return sorted({line.players for line in self.survey.lines})

    @property
    def headlines(self) -> list[Line]:
        """The line that speaks for each number of players."""
        return [self.survey.headline(n) for n in self.players]

    def line(self, role: str, players: int) -> Line | None:
        """Return the line with a role at a number of players, if there is one."""
        return next((line for line in self.survey.lines if line.role == role and line.players == players), None)

    def who(self, line: Line) -> str:
        """Return who played a line, in words."""
        if len(line.strategies) == 1:
            return line.strategies[0]
        return "the mix" if line.role == "mix" else " + ".join(name for name in line.strategies)

    def within(self, name: str) -> str:
        """Return a heading for the middle of a sentence: in lower case, unless it begins with a thing of the game (King
        choice)."""
        text = self.labels(name)
        first = text.split()[0].lower() if text.strip() else ""
        kinds = {
            kind for line in self.survey.lines if "things" in line.tables for kind in line.tables["things"]["kind"]
        }
        return text if {first, f"{first}s"} & kinds or not text[1:2].islower() else text[:1].lower() + text[1:]


def top(frame: "pd.DataFrame", column: str) -> Any:
    """Return the row with the largest value in a column."""
    return frame.iloc[int(frame[column].to_numpy(float, na_value=float("-inf")).argmax())]


def extremes(frame: "pd.DataFrame", column: str) -> tuple[Any, Any]:
    """Return the rows with the largest and the smallest value in a column."""
    least = int(frame[column].to_numpy(float, na_value=float("inf")).argmin())
    return top(frame, column), frame.iloc[least]


def furthest(frame: "pd.DataFrame") -> Any:
    """Return the row whose `index` is furthest from 1."""
    return top(frame.assign(far=(frame["index"] - 1).abs()), "far")


def shares(
    frame: "pd.DataFrame", labels: Sequence[str], colours: Sequence[str], share: str = "win_share"
) -> "pd.DataFrame":
    """Return a table of win indices as `reports.figures.dots` draws it, with shares of wins beside; `share`: their
    column."""
    text = [words.percent(*row) for row in zip(frame[share], frame["low"], frame["high"], strict=True)]
    drawn = frame.assign(label=labels, value=frame["index"], text=text, colour=colours)
    return drawn.assign(low=frame["index_low"], high=frame["index_high"])


def seat_colour(row: dict[str, Any]) -> str:
    """Return the colour of the seat of a row."""
    return style.token("seat", int(row["seat"]))


def count_words(n: int) -> str:
    """Return `four players`."""
    return words.many(n, "player")


def index_scale(
    players: int, margin: float | None, reach: Sequence[float], limits: tuple[float, float] | None = None
) -> Scale:
    """Return an axis of win indices labelled with win shares, so that readers can compare different numbers of players.

    Args:
        players: their number. margin: what counts as balanced; None shades nothing. reach: indices that must be on the
            axis.
        limits: ends of the axis, if several panels share them.
    """
    m = margin if margin is not None else 0.1
    known = [v for v in reach if v == v]
    low, high = limits or (min([*known, 1 - m]), max([*known, 1 + m]))
    step = next((s for s in (m, 2 * m, 5 * m, 10 * m, 20 * m, 50 * m) if (high - low) / s <= 4.5), high - low)
    first = int((low - 1) / step - 1e-9)
    at = [1 + k * step for k in range(first, int((high - 1) / step + 1e-9) + 1)]
    ticks = [
        (v, words.plain(100 * v / players, 1) + (" %" if abs(v - 1) < 1e-9 else ""))
        for v in at
        if -1e-9 <= v <= players
    ]
    room = 0.06 * (high - low)
    return Scale(ticks, 1.0, (1 - m, 1 + m) if margin is not None else None, (low - room, high + room))


def ends(frame: "pd.DataFrame", *columns: str) -> tuple[float, float]:
    """Return the least and the greatest number in some columns; what too few games leave without an end does not
    count."""
    found = [v for v in frame[list(columns)].to_numpy(float).ravel().tolist() if math.isfinite(v)] or [0.0]
    return min(found), max(found)


def shared_limits(
    frames: "Sequence[pd.DataFrame]", margin: float, low: str = "index_low", high: str = "index_high"
) -> tuple[float, float]:
    """Return the ends of an axis that several panels share."""
    lows = [float(v) for f in frames for v in f[low] if v == v]
    highs = [float(v) for f in frames for v in f[high] if v == v]
    return min([*lows, 1 - margin]), max([*highs, 1 + margin])
