"""Not worse than other components: whether the highest win index has risen, in words, and as a section of a page."""

from collections.abc import Sequence

from analyses.baseline import NOT_WORSE, SEATS, WORSE, Baseline
from reports import words
from reports.parts import Answer, Block, Ground, QuestionBox, Section, Text, count_words
from reports.tables import Column, table
from reports.words import signed

NAME = "baseline"


def headline(found: Sequence[Baseline], asked: int) -> str:
    """Return the answer in a sentence; `asked`: how many comparisons were to be made."""
    worse, kept = ([one.word for one in found].count(word) for word in (WORSE, NOT_WORSE))
    where = "" if asked == 1 else f" in {words.count(worse or asked - kept)} of {words.count(asked)} comparisons"
    if worse:
        return f"Worse than the baseline{where}."
    return "Not worse than the baseline." if kept == asked else f"Undecided against the baseline{where}."


def subject(ground: Ground, what: str) -> str:
    """Return what is compared: `Seats`, `Kings`."""
    return "Seats" if what == SEATS else words.capital(ground.labels(what))


def size(one: Baseline) -> str:
    """Return the highest index with both sets, its change and what is allowed, in a sentence."""
    if not one.high - one.low < one.players:
        return f"Too few games to say anything; allowed {signed(one.margin, 2)}."
    places = max(words.decimals(words.half_width(one.change, one.low, one.high), 3), 2)
    change = f"{signed(one.change, places)} ({signed(one.low, places)} to {signed(one.high, places)})"
    now, before = words.fixed(one.after, places), words.fixed(one.before, places)
    return (
        f"Highest win index {now}, with the baseline {before}: {change}; allowed {signed(one.margin, max(places, 2))}."
    )


def line(ground: Ground, one: Baseline) -> str:
    """Return one line for the terminal."""
    return (
        f"{one.word:9}  {subject(ground, one.what)}, {count_words(one.players)}: {size(one)} {one.games:,} games of "
        "each."
    )


def questions(ground: Ground, found: Sequence[Baseline]) -> list[QuestionBox]:
    """Return the answers for the top of the page."""
    made: dict[str, list[Answer]] = {}
    for one in found:
        answer = Answer(count_words(one.players), one.word, size(one), f"{one.games:,} games of each.")
        made.setdefault(one.what, []).append(answer)
    return [
        QuestionBox(f"{subject(ground, what)}: worse than with the baseline?", NAME, said)
        for what, said in made.items()
    ]


def section(ground: Ground, found: Sequence[Baseline]) -> Section:
    """Return the section: a table for each comparison, and how it was made."""
    blocks: list[Block] = []
    for one in found:
        title = f"{subject(ground, one.what)}, {count_words(one.players)}: {one.word}"
        name = "seat" if one.what == SEATS else ground.labels(one.what)
        rows = one.rows.assign(
            label=[str(label) if one.what == SEATS else ground.labels(label) for label in one.rows["name"]]
        )
        columns = [
            Column(name, "label"), Column("win index, baseline", "before"), Column("now", "after"),
            Column("change", "change", "low", "high", bounds=True),
        ]  # fmt: skip
        blocks += [
            Text([size(one)]),
            table(rows, columns, title, note="From, to: ends of the 95 % interval of the change."),
        ]
    return Section(NAME, "Is it worse than with the baseline?", [*blocks, Text([method(found)])])


def method(found: Sequence[Baseline]) -> str:
    """Return how the answers came about, for a reader who distrusts them."""
    stops = any(one.sequential for one in found)
    ends = "hold whenever the run stops" if stops else "are for a fixed number of games"
    margin = signed(found[0].margin, 4).rstrip("0")
    return (
        "Both sets of numbers were played with the same dice and draws, and we compare the highest win index of each: "
        "the limit of a check is about that one. It is not worse if the whole 95 % interval of the change lies at or "
        f"below {margin}, worse if the whole interval lies above that, else undecided. The intervals {ends}, and rest "
        "on the differences within blocks of games. A seat or thing whose index falls while another's stays the "
        "highest counts for nothing. Each comparison has its own 5 % risk of a wrong word."
    )
