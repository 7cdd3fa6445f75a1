"""The findings of a comparison of two sets of components, in sentences, for the page and the terminal."""

import math
from typing import Any

from analyses import frames as pd
from analyses.compare.compare import Comparison
from analyses.compare.order import Order
from analyses.compare.things import ThingsCompared
from analyses.compare.tuned import Retuned
from analyses.compare.whole import Change, Fairness, WholeGames
from analyses.tuning import Match
from reports import pills, words
from reports.parts import Ground, count_words
from reports.tables import records
from sim.printed.rulings import word as typed

MOST_NAMED = 3  # in a sentence
NOTICED = 1.05  # times as many games: we don't mention a smaller saving


def value(item: object) -> str:
    """Return a value as people type it."""
    return "nothing" if item is None else typed(item)


def changed(found: Comparison) -> str:
    """Return the changes: `kings.afonso_v.vp 3 → 2`; their number if there are many."""
    if len(found.changes) > MOST_NAMED:
        return f"{len(found.changes)} changed values"
    return words.listed([f"{path} {value(was)} → {value(now)}" for path, was, now in found.changes])


def moved(change: float, low: float, high: float, factor: float = 1, most: int = 2) -> str:
    """Return a change with its interval: `+6.4 (between +5.5 and +7.4)`, with the digits that the interval allows.

    We show another digit if an end would read as zero and isn't, and leave the ends out if they read the same.
    """
    if not math.isfinite(low + high):
        return f"{words.signed(factor * change, 0)} (interval not yet known)"
    places = words.decimals(factor * words.half_width(change, low, high), most)
    nearest = min(abs(low), abs(high)) if low > 0 or high < 0 else 1.0
    while places < words.MOST_DECIMALS and round(factor * nearest, places) == 0:
        places += 1
    value, first, last = (words.signed(factor * part, places) for part in (change, low, high))
    return value if first == last else f"{value} (between {first} and {last})"


def points(change: Change, unit: str) -> str:
    """Return `128.28 → 126.98 points, change −1.30 (between −1.40 and −1.20)`."""
    places = words.decimals(words.half_width(change.change, change.low, change.high))
    sides = f"{words.fixed(change.before, places)} → {words.fixed(change.after, places)} {unit}"
    return f"{sides}, change {moved(change.change, change.low, change.high)}"


def distance(fair: Fairness, names: list[str]) -> str:
    """Return how far off the furthest is: `furthest out is seat 1, 17 % off its fair share before; then …, change −11
    (…)`."""
    places = words.decimals(100 * words.half_width(*fair.change))
    before, after = (f"{words.fixed(100 * part[0], places)} %" for part in (fair.before, fair.after))
    first, last = names[fair.first], names[fair.last]
    then = after if first == last else f"{last} {after}"
    return (
        f"furthest from fair is {first}, {before} off its fair share before; then {then}, change "
        f"{moved(*fair.change, 100)}"
    )


def fairness(fair: Fairness, what: str, names: list[str]) -> str:
    """Return whether some seats or things are fairer after the change, with its size."""
    if fair.word == "same":
        return f"The {what} win exactly as before."
    said = {
        "fairer": f"The {what} are fairer after the change",
        "less fair": f"The {what} are less fair after the change",
    }.get(fair.word, f"Whether the {what} are fairer after the change can't be told")
    return f"{said}: {distance(fair, names)}."


def seat_names(found: WholeGames) -> list[str]:
    """Return `seat 1`, `seat 2`, …"""
    return [f"seat {seat}" for seat in found.seats["seat"]]


def thing_names(ground: Ground, things: ThingsCompared) -> list[str]:
    """Return the things as people call them."""
    return [ground.labels(thing) for thing in things.things["thing"]]


def verdicts(before: str, after: str, word: str) -> str:
    """Return a verdict before and after: `not fair before and after`, `not fair → fair`."""
    if before == after:
        return f"{pills.said(before)} before and after"
    turn = pills.turn(pills.said(before), pills.said(after))
    return turn + (", so we can't tell whether that changes" if word == "undecided" else "")


def thing_verdicts(found: "pd.DataFrame", margin: float) -> list[str]:
    """Return the verdict on each thing before and after, for a table: `too strong → fair`.

    Args:
        found: the table of `ThingsCompared`. margin: in win index.
    """
    sides = (
        [pills.of(1 + row[f"low_{when}"], 1 + row[f"high_{when}"], margin) for row in records(found)]
        for when in ("before", "after")
    )
    return [pills.turn(before, after) for before, after in zip(*sides, strict=True)]


def nothing(whole: WholeGames) -> str:
    """Return that the change made no difference at all; an empty text if it did."""
    if whole.altered:
        return ""
    return f"Not one of {whole.games:,} games ended differently: the way these players play, the change never matters."


def most_seat(whole: WholeGames) -> str:
    """Return which seat's share of wins changes most, if any does by more than chance."""
    row = whole.most
    if not any(r["low"] > 0 or r["high"] < 0 for r in records(whole.seats)):
        return "No seat's share of wins changes by more than chance."
    places = words.decimals(100 * words.half_width(row["change"], row["low"], row["high"]))
    was, now = (words.fixed(100 * row[f"win_share_{when}"], places) for when in ("before", "after"))
    ends = moved(row["change"], row["low"], row["high"], 100)
    return f"Seat {int(row['seat'])} changes most: it wins {now} % of the games instead of {was} %, {ends}."


def most_thing(ground: Ground, things: ThingsCompared, players: int) -> str:
    """Return which thing's worth changes most, if any does by more than chance."""
    sure = [row for row in records(things.things) if row["low"] > 0 or row["high"] < 0]
    if not sure:
        return f"The worth of none of the {ground.labels(things.kind)} changes by more than chance."
    row = max(sure, key=lambda row: abs(row["change"]))
    factor = 100 / players
    places = words.decimals(factor * words.half_width(row["change"], row["low"], row["high"]))
    was, now = (words.fixed(factor * (1 + row[f"worth_{when}"]), places) for when in ("before", "after"))
    ends = moved(row["change"], row["low"], row["high"], factor)
    others = (
        f" {words.many(len(sure) - 1, 'other').capitalize()} change{'s' if len(sure) == 2 else ''} too."
        if len(sure) > 1
        else ""
    )
    name = ground.labels(row["thing"])
    wins = f"a player handed it at random wins {now} % instead of {was} %, {ends}"
    return f"Of the {ground.labels(things.kind)}, {name} changes most: {wins}.{others}"


def overtaking(order: Order) -> str:
    """Return who overtakes whom, as far as the intervals say."""
    if order.swaps:
        pairs = [f"{one} overtakes {other}" for one, other in order.swaps[: 2 * MOST_NAMED]]
        return f"The order of strategies changes: {words.listed(pairs)}."
    return "No strategy overtakes another by more than chance."


def most_strategy(order: Order) -> str:
    """Return which strategies gain and lose most, if any do by more than chance."""
    sure = [row for row in records(order.strategies) if row["low"] > 0 or row["high"] < 0]
    if not sure:
        return "No strategy wins more or less often by more than chance."
    ends = [("gains", max(sure, key=lambda row: row["change"])), ("loses", min(sure, key=lambda row: row["change"]))]
    said = [
        f"{row['strategy']} {word} most, {moved(row['change'], row['low'], row['high'], 100)} wins in 100 games"
        for word, row in ends
        if (row["change"] > 0) == (word == "gains")
    ]
    return words.sentence("; ".join(said))


def saving(ground: Ground, found: Comparison) -> str:
    """Return how many games it saves to play both with the same dice and draws."""
    whole = found.whole
    parts = []
    if whole.altered:
        parts = [("the shares of wins", whole.saved), ("the mean score", whole.score_saved)]
        for things in found.things:
            known = [v for v in things.things["games_saved"] if math.isfinite(v)]
            parts += [(f"the worth of the {ground.labels(things.kind)}", min(known))] if known else []
    known = [(what, factor) for what, factor in parts if factor == factor]
    if not known:
        return (
            "Separate runs would have shown differences that are only luck; with the same dice and draws there are "
            "none."
        )
    said = [f"{words.fixed(factor, 1)} times as many for {what}" for what, factor in known if factor >= NOTICED]
    same = [what for what, factor in known if factor < NOTICED]
    text = f"With separate dice and draws, intervals as narrow would take {words.listed(said)}." if said else ""
    if same:
        text += (
            f" For {words.listed(same)}, sharing dice and draws saved nothing here: after the first changed choice the "
            "games go their own ways."
        )
    return text.strip()


def cost(ground: Ground, found: Comparison) -> str:
    """Return how many games it took to find out."""
    parts = [f"{found.whole.games:,} games of each set for the seats"]
    parts += [f"{things.games:,} for the {ground.labels(things.kind)}" for things in found.things]
    if found.order and found.mixed:
        parts.append(f"{found.order.games:,} for the strategies")
    if found.retuned:
        parts.append(f"{found.retuned.games:,} to tune the strategy anew, which then played seats and things once more")
    return f"{found.all_games:,} games in all: {words.listed(parts)}."


def practice(retuned: Retuned) -> list[str]:
    """Return how strong the tuned strategy is, in sentences."""
    text = (
        f"Here {words.many(retuned.generations, 'generation')} of self-play tuned the strategy {retuned.strategy} "
        "for the changed game."
    )
    if retuned.changed is None:
        return [text, "The run stopped before it could test the tuned strategy."]
    said = {
        "stronger": "The tuned strategy is stronger than the old one in the changed game",
        "weaker": "The tuned strategy is weaker than the old one in the changed game, so its games say nothing about "
        "practice",
    }.get(
        retuned.word,
        "These games can't tell whether the tuned strategy is stronger than the old one in the changed game",
    )
    copies = words.many(retuned.changed.players - 1, "copy", "copies")
    sentences = [text, f"{said}: alone against {copies} of the old one it wins {_won(retuned.changed)}."]
    return [*sentences, *([_general(retuned.unchanged)] if retuned.unchanged else [])]


def _won(match: Match) -> str:
    places = words.decimals(100 * words.half_width(match.share, match.low, match.high))
    between = words.interval(100 * match.low, 100 * match.high, places, "and")
    fair = f"{words.par(match.players)} would be fair"
    return f"{words.fixed(100 * match.share, places)} % of the games (between {between}; {fair})"


def _general(match: Match) -> str:
    """Return whether the tuned strategy has learnt the change, or has simply learnt to play better."""
    par = 1 / match.players
    text = f"In the game as it was it wins {_won(match)}"
    if match.low > par:
        return f"{text}: it plays better there too, so not all of what follows is practice with the change."
    if match.high < par:
        return f"{text}: what it has learnt is useful in the changed game only."
    return f"{text}, which may be a fair share."


def use(ground: Ground, row: dict[str, Any]) -> str:
    """Return what a row of the uses counts: heading, and which one."""
    return (
        row["heading"]
        if row["prefix"] == row["name"]
        else f"{row['heading']}: {ground.labels.short(row['prefix'] + '.' + row['name'])}"
    )


def headline(ground: Ground, found: Comparison) -> str:
    """Return the answer in a few sentences."""
    whole = found.whole
    start = f"With {count_words(found.players)}, {words.seating(found.strategies)}, {changed(found)}."
    if nothing(whole):
        return f"{start} {nothing(whole)}"
    said = [fairness(whole.fairness, "seats", seat_names(whole)), most_seat(whole)]
    said += [most_thing(ground, things, found.players) for things in found.things]
    return f"{start} {' '.join(said)}"
