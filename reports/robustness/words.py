"""Do findings hold over plausible sets of numbers? In words, for the page, the terminal and the verdicts of other
pages."""

from collections.abc import Sequence

from analyses.findings import Line
from analyses.robustness.robustness import Robustness, Stability
from analyses.robustness.sensitivity import First, top
from reports import words
from reports.parts import Ground, count_words


def of_sets(found: Robustness) -> str:
    """Return `of 100 plausible sets of numbers`."""
    return f"of {words.many(found.printings, 'plausible set of numbers', 'plausible sets of numbers')}"


def subject(ground: Ground, finding: Stability) -> str:
    """Return the subject of a finding: `seat 4`, `João III`, `the seats`, `the Kings`."""
    if not finding.name:
        return f"the {ground.labels(finding.kind)}" if finding.kind else "the seats"
    return ground.labels(finding.name) if finding.kind else f"seat {finding.name}"


def stated(ground: Ground, finding: Stability) -> str:
    """Return a finding in a few words: `seat 4 wins too little`, `João III is too weak`."""
    verb = "" if finding.verdict.startswith("wins") else "is " if finding.name else "are "
    return f"{subject(ground, finding)} {verb}{finding.verdict}"


def carried(found: Robustness, players: int, verdict: str = "", kind: str = "", name: str = "") -> str:
    """Return how robust a verdict is: `the same in 83 of 100 plausible sets of numbers, the opposite in 4, undecided in
    13`.

    Args:
        found: what the sets of numbers show. players: number of players. verdict: the one on the page, if another run
            found it.
        kind, name: a kind of thing and one of them; without a kind, the verdict on the seats, or on the seat of that
            number.

    Returns:
        Words for the middle of a sentence; "" if the sets say nothing about it.
    """
    finding = next((f for f in found.findings if (f.players, f.kind, f.name) == (players, kind, name)), None)
    if finding is None or not found.printings:
        return ""
    decided = verdict or finding.verdict
    if decided == "undecided":
        return f"{by_verdict(finding)} {of_sets(found)}"
    same = finding.counts.get(decided, 0)
    opposite = finding.printings - same - finding.undecided
    return f"the same in {same} {of_sets(found)}, the opposite in {opposite}, undecided in {finding.undecided}"


def by_verdict(finding: Stability) -> str:
    """Return `balanced in 20, unbalanced in 30 and undecided in 50`."""
    order = sorted(finding.counts, key=lambda word: (word == "undecided", -finding.counts[word], word))
    return words.listed([f"{word} in {finding.counts[word]}" for word in order])


def sentence(found: Robustness, page: Sequence[Line] = ()) -> str:
    """Return two sentences for the top of a page: whether the verdict on the seats holds, and what to look up first.

    Args:
        found: what the sets of numbers show. page: the lines on the seats, if other runs found them.
    """
    seats = found.findings[0]
    line = next((line for line in page if line.players == seats.players), None)
    decided, outermost = (line.verdict.word, str(line.verdict.seat)) if line else (seats.verdict, "")
    n = count_words(seats.players)
    if not found.printings:
        return (
            f"The run played no other set of numbers, so it can't say how the verdicts with {n} depend on the "
            "assumed numbers."
        )
    if decided == "undecided":
        told = (
            f"With {n} these games don't decide whether the seats are balanced; they are "
            f"{carried(found, seats.players, decided)}"
        )
    else:
        told = f"The verdict on the seats with {n}, {decided}, is {carried(found, seats.players, decided)}"
    if decided == "unbalanced":
        far, times = found.furthest(seats.players, outermost)
        told += (
            f"; in {times} of them the furthest out is seat {far.name}, with too "
            f"{'many' if far.index > 1 else 'few'} wins"
        )
    if seats.counts.get(decided, 0) == found.printings and decided != "undecided":
        return f"{told}. For that verdict you need to look up none of the assumed numbers."
    if 2 * seats.undecided > found.printings:
        told += ". Most sets had too few games to decide it: play more games of each set (robustness --games)"
    return f"{told}. {words.sentence(look_up(found))}"


def look_up(found: Robustness) -> str:
    """Return which number to look up first, or that we can't tell, for the end of a sentence."""
    first = found.first
    if first is None:
        return f"{words.many(found.printings, 'set')} of numbers are too few to say which number to look up first"
    makes = f"it alone makes {share(first)} of the differences between the sets"
    if first.clear:
        return f"the number to look up first is the {first.input}: {makes}"
    if first.low > 0:
        near = f", though the {first.second} may matter as much" if first.second else ""
        return f"look up the {first.input} first: {makes}{near}"
    return (
        f"no single number stands out as the one to look up first: the {first.input} makes the largest share of the "
        f"differences between the sets, {share(first)}, but that may be chance"
    )


def of_kinds(ground: Ground, found: Robustness) -> list[str]:
    """Return a sentence for each kind of thing: which number matters most to what they are worth."""
    text = []
    for kind in dict.fromkeys(finding.kind for finding in found.findings if finding.kind):
        best = top(found.ranking, kind) if found.ranking is not None else None
        if best is not None:
            stands = "" if best.clear else ", though it does not stand out"
            text.append(
                f"What the {ground.labels(kind)} are worth depends most on the {best.input}: {share(best)} of the "
                f"differences{stands}."
            )
    return text


def share(first: First) -> str:
    """Return an input's share of the variance: `15 % (between 3 and 27)`."""
    return words.percent_between(first.index, first.low, first.high)


def nothing(found: Robustness) -> str:
    """Return why there is nothing to draw anew."""
    why = (
        "none of its numbers is assumed"
        if not found.counts.assumed
        else "none of its assumed numbers has a range, or all are given"
    )
    return f"{found.title}: {why}, so there is nothing to draw anew, and every finding stands as it is."
