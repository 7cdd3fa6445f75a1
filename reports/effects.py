"""What another reading changes, in words, for the page and the terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reports import pills, words
from reports.words import signed

if TYPE_CHECKING:
    from analyses.readings import ReadingEffect, Readings

MOST_NAMED = 4  # in a sentence


def often(share: float) -> str:
    """Return a share of games as `22 %`, `0.4 %`, `none`."""
    return "none" if share == 0 else f"{words.plain(100 * share, 0 if share >= 0.1 else 1 if share >= 0.01 else 2)} %"


def shift(row: dict[str, Any], unit: str = " %") -> str:
    """Return `seat 3: 20.4 % → 26.8 %, change +6.4 (5.5 to 7.4)`, with the digits that the interval of the change
    allows."""
    change, low, high = (100 * row[name] for name in ("change", "low", "high"))
    places = words.decimals(words.half_width(change, low, high), 1)
    before, after = (words.fixed(100 * row[f"win_share_{when}"], places) + unit for when in ("before", "after"))
    return (
        f"seat {row['seat']}: {before} → {after}, change {signed(change, places)} ({words.interval(low, high, places)})"
    )


def moved(effect: "ReadingEffect") -> str:
    """Return how far the seat that changes most has moved, or that nothing happened at all."""
    return shift(effect.most) if effect.altered else "not one game ended differently"


def turned(readings: "Readings", effect: "ReadingEffect") -> str:
    """Return what becomes of the verdict: `verdict the same (not fair)`, `verdict changes: fair → not fair`."""
    before, after, turn = readings.verdict, effect.verdict, verdicts(readings, effect)
    if effect.word == "changes":
        return f"verdict changes: {turn}"
    if effect.word == "undecided":
        return f"we can't tell whether the verdict changes ({turn})"
    if elsewhere(readings, effect):
        far, was = (f"seat {v.seat}, {v.index:.2f} times its fair share" for v in (after, before))
        return f"verdict the same ({turn}), but the furthest from fair is {far}, where it was {was}"
    return f"verdict the same ({turn})"


def verdicts(readings: "Readings", effect: "ReadingEffect") -> str:
    """Return the verdict with our reading and with the other: `fair → not fair`; one word if it is the same."""
    return pills.turn(pills.said(readings.verdict.word), pills.said(effect.verdict.word))


def elsewhere(readings: "Readings", effect: "ReadingEffect") -> bool:
    """Return whether the seats stay unfair, but another seat is the furthest from fair."""
    return (
        effect.word == "same"
        and effect.verdict.word == "unbalanced"
        and readings.verdict.seat != effect.verdict.seat
        and effect.sure
    )


def points(effect: "ReadingEffect") -> str:
    """Return the change of the mean score: `135.9 → 137.8 points a player, change +1.93 (1.86 to 2.01)`."""
    value, low, high = effect.score_change
    places = words.decimals(words.half_width(value, low, high))
    scores = f"{words.fixed(effect.score_before, places)} → {words.fixed(effect.score_after, places)} points a player"
    return f"{scores}, change {signed(value, places)} ({words.interval(low, high, places)})"


def summary(found: "Sequence[Readings]") -> list[str]:
    """Return in sentences what all other readings change, for one or several numbers of players.

    Args:
        found: the effects for each number of players; the same readings in all of them.
    """
    pairs = [(readings, effect) for readings in found for effect in readings.effects]
    if not pairs:
        return []
    return [_verdicts(found, pairs), *_largest(pairs), *_unmoved(found)]


def _verdicts(found: "Sequence[Readings]", pairs: "list[tuple[Readings, ReadingEffect]]") -> str:
    """Return how many verdicts change, and which."""
    n = len(found[0].effects)
    others = (
        f"{words.many(n, 'other reading')}, tried with {words.listed([words.count(r.players) for r in found])} players,"
    )
    changed = [(r, e) for r, e in pairs if e.word == "changes"]
    unsure = [(r, e) for r, e in pairs if e.word == "undecided"]
    if changed:
        which = [f"“{e.name}” with {words.count(r.players)} players ({verdicts(r, e)})" for r, e in changed]
        text = (
            f"Of {others} {words.many(len({e.name for _, e in changed}), 'changes', 'change')} a verdict: "
            f"{words.listed(which)}."
        )
    else:
        text = f"Of {others} none changes a verdict{' for certain' if unsure else ''}."
    if unsure:
        which = [f"“{e.name}” with {words.count(r.players)}" for r, e in unsure]
        listed = f": {words.listed(which)}" if len(which) <= MOST_NAMED else ""
        text += (
            f" For {words.count(len(unsure))} of {words.many(len(pairs), 'comparison')} it takes more games to "
            f"say{listed}."
        )
    for r, e in [(r, e) for r, e in pairs if elsewhere(r, e)][:MOST_NAMED]:
        seats = f"seat {e.verdict.seat} is the furthest from fair instead of seat {r.verdict.seat}"
        text += f" With {words.count(r.players)} players and “{e.name}” read the other way, {seats}."
    return text


def _largest(pairs: "list[tuple[Readings, ReadingEffect]]") -> list[str]:
    """Return the largest change for a seat and for the scores, each only if it is more than chance."""
    sure = [(r, e) for r, e in pairs if e.sure]
    text = []
    if sure:
        r, e = max(sure, key=lambda pair: abs(pair[1].most["change"]))
        row = e.most
        places = words.decimals(100 * words.half_width(row["change"], row["low"], row["high"]), 1)
        after, before = (words.fixed(100 * row[f"win_share_{when}"], places) for when in ("after", "before"))
        between = words.interval(100 * row["low"], 100 * row["high"], places, "and")
        size = f"change {signed(100 * row['change'], places)}, between {between}"
        wins = (
            f"with {words.count(r.players)} players seat {row['seat']} wins {after} % of the games instead of "
            f"{before} % ({size})"
        )
        text.append(f"For a seat, “{e.name}” matters most: read the other way, {wins}.")
    else:
        text.append("No seat's share of wins changes by more than chance.")
    scored = [(r, e) for r, e in pairs if e.score_change[1] > 0 or e.score_change[2] < 0]
    if scored:
        r, e = max(scored, key=lambda pair: abs(pair[1].score_change[0]))
        text.append(f"Scores change most with “{e.name}” and {words.count(r.players)} players: {points(e)}.")
    return text


def _unmoved(found: "Sequence[Readings]") -> list[str]:
    """Return which readings made no difference to any game."""
    altered = {(e.ruling.switch, e.value) for readings in found for e in readings.effects if e.altered}
    names = [f"“{e.name}”" for e in found[0].effects if (e.ruling.switch, e.value) not in altered]
    if not names:
        return []
    it = "it" if len(names) == 1 else "they"
    never = f"the way these players play, {it} never {'matters' if it == 'it' else 'matter'}"
    return [f"Read the other way, {words.listed(names)} made no difference to any game: {never}."]
