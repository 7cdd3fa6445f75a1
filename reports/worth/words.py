"""What things (Kings, …) are worth when chance deals them, in sentences, for the page and the terminal."""

from collections.abc import Sequence
from typing import Any

from analyses.worth.worth import IN_TURN, Worth
from reports import pills, words
from reports.kinds import RARE, kind_of
from reports.parts import Ground, count_words
from reports.tables import records

WITHHELD = "We say nothing about single ones"
WANTED = "Put the printed values in with --components, and you get single ones too."
MOST_NAMED = 4  # in a sentence


def question(line: Worth) -> str:
    """Return the question, for people."""
    return f"What is each of the {kind_of(line.game, line.kind).name} worth?"


def holder(ground: Ground, row: Any, players: int) -> str:
    """Return `a player handed Afonso V at random wins 30.7 % (between 30.0 and 31.4)`."""
    return (
        f"a player handed {ground.labels(row['thing'])} at random wins {words.percent_between(*_shares(row, players))}"
    )


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
        return f"{many}, {said}, where {fair} would count as fair."
    far = ranked(line)[0]
    word = "all are fair" if line.verdict == "balanced" else "we can't tell yet whether all are fair"
    return f"{many}, {word} ({fair} counts as fair). Furthest from fair: {holder(ground, far, line.players)}."


def verdict(ground: Ground, line: Worth) -> str:
    """Return which things lie outside, which are undecided, and which is furthest out, with its size."""
    if line.withheld:
        return f"{together(line)} {WITHHELD}: {line.withheld}. {WANTED}"
    if kind_of(line.game, line.kind).places:
        return _of_places(ground, line)
    found = {row["thing"]: pills.of_worth(row, line.margin) for row in ranked(line)}
    said = [
        f"{word}: {words.listed([ground.labels(thing) for thing in found if found[thing] == word])}"
        for word in (pills.STRONG, pills.WEAK, pills.UNSURE)
        if word in found.values()
    ] or ["all are fair"]
    return (
        f"{words.sentence('; '.join(said))} Furthest from fair: {holder(ground, ranked(line)[0], line.players)}, "
        f"{_points(ranked(line)[0])}."
    )


def pill(line: Worth) -> str:
    """Return the word for all things together; of places, whether it pays to be first."""
    if kind_of(line.game, line.kind).places and not line.withheld:
        return {1: pills.YES, -1: pills.NO, 0: pills.UNSURE}[_pays(line)]
    return pills.said(line.verdict) if line.withheld else pills.together(pills_of(line))


def pills_of(line: Worth) -> list[str]:
    """Return the word for each thing, in the order of the table."""
    return [pills.of_worth(row, line.margin) for row in records(line.things)]


def outside(ground: Ground, line: Worth) -> str:
    """Return which things are too weak or too strong with their shares of wins, or what each place wins."""
    rows = ranked(line)
    if kind_of(line.game, line.kind).places:
        rows = records(line.things)
        said = [f"{ground.labels(row['thing'])} wins {_share(row, line.players)}" for row in (rows[0], rows[-1])]
        return f"{', '.join(said)}."
    said = [
        f"{ground.labels(row['thing'])} is {word} (wins {_share(row, line.players)})"
        for row in rows if (word := pills.of_worth(row, line.margin)) in pills.OUT
    ][:MOST_NAMED]  # fmt: skip
    fair = f", where {words.par(line.players)} would be fair"
    return words.sentence(words.listed(said) + fair) if said else ""


def _share(row: Any, players: int) -> str:
    return words.percent(*_shares(row, players))


def _shares(row: Any, players: int) -> list[float]:
    """Return the share of wins of a holder, and the ends of its interval."""
    return [(1 + row[end]) / players for end in ("worth", "low", "high")]


def _pays(line: Worth) -> int:
    """Return 1 if it pays to be first, −1 if it doesn't, 0 if that isn't known."""
    rows = records(line.things)
    first, last = rows[0], rows[-1]
    pays = first["low"] > 0 and first["low"] > last["high"]
    return 1 if pays else -1 if first["high"] < last["low"] or first["high"] < 0 else 0


def _of_places(ground: Ground, line: Worth) -> str:
    """Return what each place wins, in order, if everybody has one: the first against the last."""
    kind, rows = kind_of(line.game, line.kind), records(line.things)
    first = rows[0]
    pays = {1: "It pays to be first", -1: "It does not pay to be first"}.get(
        _pays(line), "We can't tell whether it pays to be first"
    )
    shares = [
        f"{ground.labels(row['thing'])} wins {words.percent_between(*_shares(row, line.players))}" for row in rows
    ]
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
        return f"We can't tell whether the {things} differ: {far}."
    inside = {"balanced": "all are fair", "unbalanced": "not all are fair"}.get(
        line.verdict, "we can't tell whether all are fair"
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
            dealt_wins = _share(row, line.players)
            text = f"{ground.labels(row['thing'])} (wins {wins} when {kind.had}, {dealt_wins} when dealt)"
            looks.setdefault(row["misleads"], []).append(text)
    rare = [ground.labels(row["thing"]) for row in records(line.things) if not row["chosen"] >= RARE]
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
    return [text + (f" Hardly anybody {'chose' if kind.chosen else 'had'} {words.listed(rare, 'or')}." if rare else "")]


def saving(line: Worth) -> str:
    """Return how many games it saved to play all deals with the same dice and draws, in words."""
    parts = [
        f"{words.fixed(factor, 1)} times as many games for {part}"
        for part, factor in line.saved.items()
        if factor == factor
    ]
    return f"With separate dice and draws, intervals as narrow would take {words.listed(parts)}." if parts else ""
