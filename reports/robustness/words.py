"""Do findings hold over plausible sets of numbers? In words, for the page, the terminal and the verdicts of other
pages."""

from analyses.robustness.robustness import Robustness, Stability
from analyses.robustness.sensitivity import LEAST, First, top
from reports import pills, words
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
    """Return a finding in a few words: `seat 4 is too weak`, `the Kings are not fair`."""
    return f"{subject(ground, finding)} {'is' if finding.name else 'are'} {pills.said(finding.verdict)}"


def _finding(found: Robustness, players: int, kind: str, name: str) -> Stability | None:
    asked = (players, kind, name)
    return next((f for f in found.findings if (f.players, f.kind, f.name) == asked and f.printings), None)


def counted(found: Robustness, players: int, kind: str = "", name: str = "") -> str:
    """Return in how many sets something is what: `In 100 other plausible sets of numbers: too weak in 61 (50 to 73 %),
    fair in 39.`

    Args:
        found: what the sets show. players: number of players. kind, name: a kind of thing and one of them; without a
            kind the seats, or the seat of that number.

    Returns:
        A sentence; "" if the sets say nothing about it.
    """
    finding = _finding(found, players, kind, name)
    if finding is None:
        return ""
    sets = words.many(found.printings, "other plausible set of numbers", "other plausible sets of numbers")
    return f"In {sets}: {told(finding)}."


def told(finding: Stability) -> str:
    """Return `too weak in 61 (50 to 73 %), fair in 39`: of the commonest verdict also the share of all sets."""
    counts = {word: n for word, n in finding.counts.items() if n}
    order = sorted(counts, key=lambda word: (-counts[word], pills.said(word)))
    said = [f"{pills.said(word)} in {counts[word]}" for word in order]
    return ", ".join([f"{said[0]} ({between(finding, order[0])})", *said[1:]])


def between(finding: Stability, verdict: str) -> str:
    """Return the interval of the share of sets with a verdict: `50 to 73 %`."""
    _, low, high = finding.shares[verdict]
    return f"{words.interval(100 * low, 100 * high, 0)} %"


# What a set must say to agree with a word of `reports.pills`; of the first seat, yes and no say whether it is favoured.
AGREES = {
    pills.FAIR: {pills.FAIR},
    pills.NOT_FAIR: {pills.NOT_FAIR},
    pills.WEAK: {pills.WEAK},
    pills.STRONG: {pills.STRONG},
    pills.YES: {pills.STRONG},
    pills.NO: {pills.FAIR, pills.WEAK},
}


def denied(found: Robustness, players: int, pill: str, kind: str = "", name: str = "") -> bool:
    """Return whether more of the sets say otherwise than agree with a word of `reports.pills`."""
    finding = _finding(found, players, kind, name)
    if finding is None or pill not in AGREES:
        return False
    same = sum(n for word, n in finding.counts.items() if pills.said(word) in AGREES[pill])
    return 2 * same < finding.printings


def sentence(found: Robustness) -> str:
    """Return for the top of a page whether the seats are fair with the present numbers and with other plausible ones,
    which seat is furthest from fair, and what to look up first."""
    seats = found.findings[0]
    n = count_words(seats.players)
    if not found.printings:
        return f"The run played no other set of numbers, so it can't say whether the seats with {n} depend on them."
    now = {"balanced": "are fair", "unbalanced": "are not fair"}.get(seats.verdict, "may be fair or not")
    turns = "But i" if denied(found, seats.players, pills.said(seats.verdict)) else "I"
    parts = [f"With {n} and the present numbers, the seats {now}.", turns + counted(found, seats.players)[1:]]
    if seats.verdict == "unbalanced":
        far, times = found.furthest(seats.players)
        many = "many" if far.index > 1 else "few"
        parts.append(f"Seat {far.name} is the furthest from fair in {times} of them too, with too {many} wins.")
    return " ".join([*parts, words.sentence(look_up(found))])


def look_up(found: Robustness) -> str:
    """Return which number to look up first, that none needs to be, or that we can't tell, for the end of a sentence."""
    first = found.first
    if found.settled:
        return "all sets say that of the seats, so you need to look up none of the assumed numbers for it"
    if first is None and found.printings < LEAST:
        return f"{words.many(found.printings, 'set')} of numbers are too few to say which number to look up first"
    if first is None:
        return (
            "at least half of the differences between the sets are luck: too much to say which number to look up first"
        )
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
