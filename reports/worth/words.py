"""What things (Kings, …) are worth when chance deals them, in sentences, for the page and the terminal."""

from collections.abc import Sequence
from typing import Any

from analyses.worth.worth import IN_TURN, Worth
from reports import words
from reports.kinds import kind_of
from reports.parts import Ground, count_words
from reports.tables import records

WITHHELD = "We say nothing about single ones"
WANTED = "Put the printed values in with --components, and you get single ones too."
MOST_NAMED = 4  # in a sentence
DEALT = "a player who is dealt "


def question(line: Worth) -> str:
    """Return the question, for people."""
    return f"What is each of the {kind_of(line.game, line.kind).name} worth?"


def holder(ground: Ground, row: Any, players: int) -> str:
    """Return `a player who is dealt Afonso V wins 30.7 % (between 30.0 and 31.4)`."""
    share = ((1 + row[end]) / players for end in ("worth", "low", "high"))
    return f"{DEALT}{ground.labels(row['thing'])} wins {words.percent_between(*share)}"


def ranked(line: Worth) -> list[dict[str, Any]]:
    """Return the rows of the things, the furthest from the average first."""
    return sorted(records(line.things), key=lambda row: -abs(row["worth"]))


def headline(ground: Ground, found: Sequence[Worth]) -> str:
    """Return the answer in a sentence or two."""
    line = found[0]
    many = f"With {count_words(line.players)} and {words.seating(line.strategies)}"
    if line.withheld:
        return f"{many}: {verdict(ground, line)}"
    outside = [row for row in ranked(line) if row["verdict"] == "unbalanced"]
    fair = words.passing(line.margin, line.players)
    if outside:
        said = words.listed([holder(ground, row, line.players) for row in outside[:MOST_NAMED]])
        return f"{many}, {said}, where {fair} would count as balanced."
    far = ranked(line)[0]
    word = "all lie inside the margin" if line.verdict == "balanced" else "not all are decided"
    return f"{many}, {word} ({fair} counts as balanced). Furthest out: {holder(ground, far, line.players)}."


def verdict(ground: Ground, line: Worth) -> str:
    """Return which things lie outside, which are undecided, and which is furthest out, with its size."""
    if line.withheld:
        return f"{together(line)} {WITHHELD}: {line.withheld}. {WANTED}"
    if kind_of(line.game, line.kind).places:
        return _of_places(ground, line)
    by_word: dict[str, list[str]] = {"too strong": [], "too weak": [], "undecided": []}
    for row in ranked(line):
        word = {"unbalanced": "too strong" if row["worth"] > 0 else "too weak", "undecided": "undecided"}.get(
            row["verdict"]
        )
        if word:
            by_word[word].append(ground.labels(row["thing"]))
    said = [f"{word}: {words.listed(names)}" for word, names in by_word.items() if names] or [
        "all lie within the margin"
    ]
    return (
        f"{words.sentence('; '.join(said))} Furthest out: {holder(ground, ranked(line)[0], line.players)}, "
        f"{_points(ranked(line)[0])}."
    )


def _of_places(ground: Ground, line: Worth) -> str:
    """Return what each place wins, in order, if everybody has one: the first against the last."""
    kind, rows = kind_of(line.game, line.kind), records(line.things)
    first, last = rows[0], rows[-1]
    pays = (
        "It pays to be first" if first["low"] > 0 and first["low"] > last["high"]
        else "It does not pay to be first" if first["high"] < last["low"] or first["high"] < 0
        else "Whether it pays to be first is undecided"
    )  # fmt: skip
    shares = [holder(ground, row, line.players).removeprefix(DEALT) for row in rows]
    return f"{pays}. When chance deals it for one {kind.noun}: {'; '.join(shares)}. Being first is {_points(first)}."


def together(line: Worth) -> str:
    """Return whether the things of a kind differ at all, and by how much, without naming single ones."""
    least, most = (100 * end / line.players for end in line.apart)
    things = kind_of(line.game, line.kind).name
    if not most < 100:
        return f"These games don't show yet how far apart the {things} lie."
    places = words.decimals((most - least) / 2, 1)
    size = f"{words.interval(least, most, places)} wins in 100 games from the average of all"
    if not least:
        far = f"the furthest lies up to {words.fixed(most, places)} wins in 100 games from the average"
        return f"It is undecided whether the {things} differ: {far}."
    inside = {"balanced": "all lie within the margin", "unbalanced": "not all lie within the margin"}.get(
        line.verdict, "whether all lie within the margin is undecided"
    )
    return f"The {things} differ: the furthest lies {size}; {inside}."


def _points(row: dict[str, Any]) -> str:
    value, low, high = (row[f"points{end}"] for end in ("", "_low", "_high"))
    places = words.decimals(words.half_width(value, low, high), 1)
    size, more = words.fixed(abs(value), places), "more" if value > 0 else "fewer"
    return f"worth {size} {'point' if size == '1' else 'points'} {more} than the average one"


def dealt(line: Worth) -> str:
    """Return how chance dealt them, in words."""
    kind = kind_of(line.game, line.kind)
    rest = f"in the other {kind.noun}s {'players chose' if kind.chosen else 'play went as usual'}"
    if len(kind.occasions) == 1:
        return f"Chance dealt the {kind.name} in each game."
    if line.occasion == IN_TURN:
        return f"Chance dealt the {kind.name} in one {kind.noun} of each game, each {kind.noun} in turn; {rest}."
    if line.occasion < 0:
        return f"Chance dealt the {kind.name} in every {kind.noun}{'; players never chose' if kind.chosen else ''}."
    return f"Chance dealt the {kind.name} in {kind.occasion(line.occasion)}; {rest}."


def misleading(ground: Ground, line: Worth) -> list[str]:
    """Return where free choice misleads, in a sentence; nothing if players never chose freely in this run."""
    if not line.free:
        return []
    kind = kind_of(line.game, line.kind)
    looks: dict[str, list[str]] = {}
    for row in ranked(line):
        if row["misleads"]:
            wins = words.percent(*(row[end] for end in ("wins_when_chosen", "wins_low", "wins_high")))
            dealt_wins = words.percent(*((1 + row[end]) / line.players for end in ("worth", "low", "high")))
            text = f"{ground.labels(row['thing'])} (wins {wins} when {kind.had}, {dealt_wins} when dealt)"
            looks.setdefault(row["misleads"], []).append(text)
    never = [
        ground.labels(row["thing"])
        for row in records(line.things)
        if row["wins_when_chosen"] != row["wins_when_chosen"]
    ]
    said = [
        f"{words.listed(names)} {look.replace('looks', 'look') if len(names) > 1 else look}"
        for look, names in looks.items()
    ]
    said = [text.replace("than it is", "than they are") if " look " in text else text for text in said]
    text = (
        f"The wins of {kind.holders} mislead: {'; '.join(said)}."
        if said
        else f"The wins of {kind.holders} don't mislead here."
    )
    return [text + (f" Nobody {'chose' if kind.chosen else 'had'} {words.listed(never, 'or')}." if never else "")]


def saving(line: Worth) -> str:
    """Return how many games it saved to play all deals with the same dice and draws, in words."""
    parts = [
        f"{words.fixed(factor, 1)} times as many games for {part}"
        for part, factor in line.saved.items()
        if factor == factor
    ]
    return f"With separate dice and draws, intervals as narrow would take {words.listed(parts)}." if parts else ""
