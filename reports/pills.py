"""Verdicts as a player says them: fair, too weak, too strong, not sure; yes and no; depends."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analyses.findings import Line
from analyses.statistics import within
from reports import words

FAIR, WEAK, STRONG, UNSURE, DEPENDS = "fair", "too weak", "too strong", "not sure", "depends"
NOT_FAIR, YES, NO = "not fair", "yes", "no"
OUT = (STRONG, WEAK)
SAID = {
    "balanced": FAIR,
    "unbalanced": NOT_FAIR,
    "undecided": UNSURE,
    "wins too much": STRONG,
    "wins too little": WEAK,
}  # verdicts of analyses


def said(verdict: str) -> str:
    """Return the verdict of an analysis as a page says it; any other word stays as it is.

    >>> said("balanced"), said("wins too little"), said("even")
    ('fair', 'too weak', 'even')
    """
    return SAID.get(verdict, verdict)


def turn(before: str, after: str) -> str:
    """Return two words as one text: `not fair → fair`; the word alone if it stays."""
    return before if before == after else f"{before} → {after}"


def of(low: float, high: float, margin: float) -> str:
    """Return what the interval of a win index says, from `low` to `high`.

    >>> of(0.74, 0.78, 0.1), of(0.97, 1.03, 0.1), of(1.05, 1.2, 0.1)
    ('too weak', 'fair', 'not sure')
    """
    word = said(within(low - 1, high - 1, margin))
    return (STRONG if low > 1 else WEAK) if word == NOT_FAIR else word


def of_worth(row: Mapping[str, Any], margin: float) -> str:
    """Return what the interval of a worth says: its ends are `low` and `high` in the row, and 0 is fair."""
    return of(1 + row["low"], 1 + row["high"], margin)


def together(pills: Iterable[str]) -> str:
    """Return the word for several seats or things: fair if all are, not fair if one is out, else not sure.

    >>> together(["fair", "too weak"]), together(["fair", "fair"]), together(["fair", "not sure"])
    ('not fair', 'fair', 'not sure')
    """
    found = set(pills)
    return NOT_FAIR if found & set(OUT) else UNSURE if UNSURE in found else FAIR


def answer(pill: str) -> str:
    """Return the word as the answer to “is it fair?”: yes, no, not sure or depends."""
    return {FAIR: YES, NOT_FAIR: NO}.get(pill, pill)


def of_seats(line: Line) -> dict[int, str]:
    """Return the word for each seat of a line."""
    t = line.tables["seats"]
    rows = zip(t["seat"], t["index_low"], t["index_high"], strict=True)
    return {int(seat): of(float(low), float(high), line.margin) for seat, low, high in rows}


def favoured(line: Line) -> str:
    """Return whether the first player is favoured: yes, no or not sure."""
    first = of_seats(line)[1]
    return {STRONG: YES, UNSURE: UNSURE}.get(first, NO)


def seats(numbers: Sequence[int]) -> str:
    """Return `seat 4`, `seats 2 and 3`."""
    return f"{'seat' if len(numbers) == 1 else 'seats'} {words.listed([str(number) for number in numbers])}"


def which(line: Line) -> str:
    """Return which seats are out: `seats 2 and 3 too strong, seat 4 too weak`; or `fair`, or `not sure`."""
    return ", ".join(f"{seats(mine)} {pill}" for pill, mine in out(line)) or together(of_seats(line).values())


def stated(line: Line) -> str:
    """Return the same of seats that are out in a sentence: `seats 2 and 3 are too strong and seat 4 is too weak`."""
    return words.listed([f"{seats(mine)} {'is' if len(mine) == 1 else 'are'} {pill}" for pill, mine in out(line)])


def out(line: Line) -> list[tuple[str, list[int]]]:
    """Return the seats that are too strong, and those that are too weak, each with the word; without words for none."""
    found = of_seats(line)
    sides = [(pill, [seat for seat, word in found.items() if word == pill]) for pill in OUT]
    return [(pill, mine) for pill, mine in sides if mine]
