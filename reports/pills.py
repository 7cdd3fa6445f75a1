"""Verdicts as a player says them: fair, too weak, too strong, not sure; yes and no; depends."""

from collections.abc import Iterable, Sequence

from analyses.findings import Line
from analyses.statistics import within
from reports import words

FAIR, WEAK, STRONG, UNSURE, DEPENDS = "fair", "too weak", "too strong", "not sure", "depends"
NOT_FAIR, YES, NO = "not fair", "yes", "no"
OUT = (STRONG, WEAK)


def of(low: float, high: float, margin: float) -> str:
    """Return what the interval of a win index says, from `low` to `high`.

    >>> of(0.74, 0.78, 0.1), of(0.97, 1.03, 0.1), of(1.05, 1.2, 0.1)
    ('too weak', 'fair', 'not sure')
    """
    word = within(low - 1, high - 1, margin)
    return {"balanced": FAIR, "undecided": UNSURE}.get(word) or (STRONG if low > 1 else WEAK)


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
    found = of_seats(line)
    said = [f"{seats(mine)} {pill}" for pill in OUT if (mine := [s for s, word in found.items() if word == pill])]
    return ", ".join(said) or together(found.values())
