"""What becomes of findings over plausible printings, in words: for the page, the terminal and verdicts of other pages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyses.robustness.sensitivity import First, top
from reports import words
from reports.parts import Ground, count_words

if TYPE_CHECKING:
    from analyses.findings import Line
    from analyses.robustness.robustness import Finding, Robustness


def of_printings(found: "Robustness") -> str:
    """Return `of 100 plausible printings`."""
    return (
        f"of {words.many(found.printings, 'plausible printing')}" if found.printings <= 12 else f"of {found.printings} plausible printings"
    )


def subject(ground: Ground, finding: "Finding") -> str:
    """Return what a finding is about: `seat 4`, `João III`, `the seats`, `the Kings`."""
    if not finding.name:
        return f"the {ground.labels(finding.kind)}" if finding.kind else "the seats"
    return ground.labels(finding.name) if finding.kind else f"seat {finding.name}"


def stated(ground: Ground, finding: "Finding") -> str:
    """Return a finding in a few words: `seat 4 wins too little`, `João III is too weak`."""
    verb = "" if finding.verdict.startswith("wins") else "is " if finding.name else "are "
    return f"{subject(ground, finding)} {verb}{finding.verdict}"


def carried(found: "Robustness", players: int, verdict: str = "", kind: str = "", name: str = "") -> str:
    """Return what a verdict carries: `the same in 83 of 100 plausible printings, the opposite in 4, undecided in 13`.

    Args:
        found: of the printings. players: number of players. verdict: as it stands on the page, if another run has found it.
        kind, name: of things and one of them; without, it is the verdict on the seats, or on the seat of that number.

    Returns:
        Words for the middle of a sentence; "" if it was not looked at.
    """
    finding = next((f for f in found.findings if (f.players, f.kind, f.name) == (players, kind, name)), None)
    if finding is None or not found.printings:
        return ""
    decided = verdict or finding.verdict
    if decided == "undecided":
        return f"{by_verdict(finding)} {of_printings(found)}"
    same = finding.counts.get(decided, 0)
    opposite = finding.printings - same - finding.undecided
    return f"the same in {same} {of_printings(found)}, the opposite in {opposite}, undecided in {finding.undecided}"


def by_verdict(finding: "Finding") -> str:
    """Return `balanced in 20, unbalanced in 30 and undecided in 50`."""
    order = sorted(finding.counts, key=lambda word: (word == "undecided", -finding.counts[word], word))
    return words.listed([f"{word} in {finding.counts[word]}" for word in order])


def sentence(found: "Robustness", page: "Sequence[Line]" = ()) -> str:
    """Return two sentences for the top of a page: what becomes of the verdict on the seats, and what to look up first.

    Args:
        found: of the printings. page: what the page says of the seats, if other runs have found it.
    """
    seats = found.findings[0]
    line = next((line for line in page if line.players == seats.players), None)
    decided, outermost = (line.verdict.word, str(line.verdict.seat)) if line else (seats.verdict, "")
    n = count_words(seats.players)
    if not found.printings:
        return f"No plausible printing was played, so nothing is known of how the verdicts with {n} depend on the assumed numbers."
    if decided == "undecided":
        told = f"With {n} it is undecided here whether the seats are balanced; they are {carried(found, seats.players, decided)}"
    else:
        told = f"That the seats are {decided} with {n} is {carried(found, seats.players, decided)}"
    if decided == "unbalanced":
        far, times = found.furthest(seats.players, outermost)
        told += f"; in {times} {_outermost(far)} is the one furthest out"
    return f"{told}. {words.sentence(look_up(found))}"


def _outermost(far: "Finding") -> str:
    """Return `seat 4, with too few wins,`."""
    return f"seat {far.name}, with too {'many' if far.index > 1 else 'few'} wins,"


def look_up(found: "Robustness") -> str:
    """Return which number to look up first, or that this can't be told, for the end of a sentence."""
    first = found.first
    if first is None:
        return f"{words.many(found.printings, 'printing')} are too few to say which number to look up first"
    if first.clear:
        return f"the number to look up first is the {first.input}: it alone makes {share(first)} of the differences between printings"
    if first.low > 0:
        near = f", though the {first.second} may matter as much" if first.second else ""
        return f"look up the {first.input} first: it alone makes {share(first)} of the differences between printings{near}"
    return (
        "no number alone stands out as the one to look up first (the largest share of the differences between printings, "
        f"{share(first)}, goes with the {first.input}, and that may be chance)"
    )


def of_kinds(ground: Ground, found: "Robustness") -> list[str]:
    """Return on which number depends most what the things of each kind are worth, in a sentence each."""
    text = []
    for kind in dict.fromkeys(finding.kind for finding in found.findings if finding.kind):
        best = top(found.ranking, kind) if found.ranking is not None else None
        if best is not None:
            stands = "" if best.clear else ", which does not stand out"
            text.append(
                f"What the {ground.labels(kind)} are worth depends most on the {best.input}: {share(best)} of the differences{stands}."
            )
    return text


def share(first: First) -> str:
    """Return the share of the variance that goes with an input: `15 % (between 3 and 27)`."""
    return words.percent_between(first.index, first.low, first.high)
