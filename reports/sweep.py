"""One number through its values: what it changes, in words, as a curve and as a table, for the page and the
terminal."""

import math
from typing import Any

from analyses import frames as pd
from analyses.measures import Measure
from analyses.sweep import Crossing, Goal, Recheck, Sweep
from reports import pills, words
from reports.curve import curve
from reports.drawing import Scale
from reports.figures import dots
from reports.parts import Block, Figure, Ground, Part, Section, Text
from reports.tables import Column, Table, records, table

NAME, TITLE = "sweep", "One number through its values"
INDEX = "win index"


# --- words ------------------------------------------------------------------------------------------------------------


def subject(ground: Ground, asked: Measure) -> str:
    """Return what we measure, to begin a sentence: `The worth of Afonso V`."""
    name = ground.labels(asked.name)
    score = f"Seat {asked.name}'s mean score" if asked.name else "The mean score of a player"
    return {
        "worth": f"The worth of {name}",
        "power": f"What the power of {name} brings its holder",
        "seat": f"Seat {asked.name}'s win index",
        "score": score,
        "lead": "The winner's lead over the second",
        "number": f"“{name}”, times per player and game,",
    }[asked.sort]


def meaning(ground: Ground, asked: Measure, players: int) -> str:
    """Return in a sentence or two what the measured numbers mean."""
    tenth = f"0.1 is {words.plain(10 / players, 1)} wins in 100 games."
    kind, name = ground.labels(asked.deal.kind) if asked.deal else "", ground.labels(asked.name)
    dealt = f"Chance deals the {kind} once in each game, so it doesn't matter who would choose which."
    lead = "how many points the holder is ahead of the best other player"
    if asked.sort == "worth":
        if asked.unit == INDEX:
            return (
                f"{dealt} Worth is how many fair shares of the wins the holder of {name} wins beyond the average "
                f"holder: {tenth}"
            )
        return f"{dealt} Worth is {lead}, beyond the average holder."
    if asked.sort == "power":
        what = f"how many fair shares of the wins the holder wins: {tenth}" if asked.unit == INDEX else f"{lead}."
        return f"{dealt} Each deal is played with the power of {name} and without it. We compare {what}"
    if asked.sort == "seat":
        return f"Win index is the share of wins × players: 1 is a fair share, and {tenth}"
    return "The lead is the best score minus the second best." if asked.sort == "lead" else ""


def number_name(found: Sweep) -> str:
    """Return the number that we sweep: `points that seat 4 begins with (start.seat4.vp)`, or only its path."""
    return f"{found.about} ({found.path})" if found.about else found.path


def value(row: Any, short: bool = False) -> str:
    """Return the estimate of a row with its interval: `0.15 (0.09 to 0.21)`; `short`: without."""
    half = words.half_width(row["estimate"], row["low"], row["high"])
    if not math.isfinite(half):
        return words.fixed(row["estimate"], 1) + (" (interval not yet known)" if not short else "")
    places = words.decimals(half)
    if short:
        return words.fixed(row["estimate"], places)
    return f"{words.fixed(row['estimate'], places)} ({words.interval(row['low'], row['high'], places)})"


def unit(asked: Measure) -> str:
    """Return the unit to follow a number: ` points`, or nothing if the subject says it."""
    return " points" if asked.unit == "points" else ""


def headline(ground: Ground, found: Sweep) -> str:
    """Return the answer in a sentence or two: where the goal is reached if there is one, or else what the number
    does."""
    return " ".join(
        _goal(ground, found)[:1] if found.found and len(found.found.reached) < 2 else [course(ground, found)]
    )


def course(ground: Ground, found: Sweep, short: bool = False) -> str:
    """Return in a sentence what the number does; `short`: without intervals."""
    rows, what = records(found.curve), subject(ground, found.measure)
    if not found.moved:
        same = bool((found.curve["change"] == 0).all())
        ends = f"{number_name(found)} from {shown(rows[0]['value'])} to {shown(rows[-1]['value'])}"
        how = "is exactly the same at every value of" if same else "does not change beyond chance with"
        return f"{what} {how} {ends}."
    if found.numeric and found.straight:
        first, last = rows[0], rows[-1]
        verb = "rises" if found.straight > 0 else "falls"
        ends = (
            f"from {value(first, short)} at {first['value']} to {value(last, short)}{unit(found.measure)} at "
            f"{last['value']}"
        )
        return f"{what} {verb} with {number_name(found)}: {ends}."
    least, most = (min(rows, key=lambda row: sign * row["estimate"]) for sign in (1, -1))
    ends = (
        f"from {value(least, short)} at {shown(least['value'])} to {value(most, short)}{unit(found.measure)} at "
        f"{shown(most['value'])}"
    )
    return f"{what} depends on {number_name(found)}, but not in one direction: {ends}."


def shown(value: object) -> str:
    """Return a value as people type it."""
    return (
        str(value).lower()
        if isinstance(value, bool)
        else words.fixed(value, 0)
        if isinstance(value, int)
        else str(value)
    )


def sentences(ground: Ground, found: Sweep) -> list[str]:
    """Return the findings in sentences: the curve, a step, the margin, the goal."""
    return [
        text
        for text in (course(ground, found), _step(found), _within(found), *_goal(ground, found), swaps(found))
        if text
    ]


def swaps(found: Sweep) -> str:
    """Return what happens to the others when one takes a place in an order."""
    return (
        "No two can share a place in this order: the one who had it takes the place that becomes free."
        if found.order
        else ""
    )


def _step(found: Sweep) -> str:
    """Return how much one step changes on average, compared with the printed value."""
    rows = records(found.curve)
    if not found.numeric or not found.straight or not found.moved or len(rows) < 3:
        return ""
    far = max(rows, key=lambda row: abs(row["change"]))
    steps = far["value"] - found.printed
    a, b = sorted((far["change_low"] / steps, far["change_high"] / steps))
    size = far["change"] / steps
    places = words.decimals(words.half_width(size, a, b), 3)
    return (
        f"One more changes it by {words.fixed(size, places)} on average "
        f"({words.interval(a, b, places)}){unit(found.measure)}."
    )


def _within(found: Sweep) -> str:
    """Return at which values the measure lies inside the margin."""
    if found.measure.par is None or found.measure.unit != INDEX:
        return ""
    by = {
        word: [shown(row["value"]) for row in records(found.curve) if row["verdict"] == word]
        for word in ("balanced", "undecided")
    }
    margin = (
        f"the margin ({words.plain(found.measure.par - found.margin)} to "
        f"{words.plain(found.measure.par + found.margin)})"
    )
    inside = (
        f"Inside {margin} at {words.listed(by['balanced'])}"
        if by["balanced"]
        else f"At no value does it surely lie inside {margin}"
    )
    unsure = f"; not sure at {words.listed(by['undecided'])}" if by["undecided"] else ""
    return f"{inside}{unsure}."


def verdicts(found: Sweep) -> list[str]:
    """Return the word for each value: fair, too weak, too strong or not sure; "" for a measure of which no value is
    fair."""
    par = found.measure.par
    if par is None:
        return [""] * len(found.curve)
    return [pills.of(1 + row["low"] - par, 1 + row["high"] - par, found.margin) for row in records(found.curve)]


def _goal(ground: Ground, found: Sweep) -> list[str]:
    """Return where the number reaches the goal, and what the check says."""
    if found.found is None:
        return []
    goal, target, what = found.found, words.plain(found.found.target, 3), subject(ground, found.measure).rstrip(",")
    ends = f"{shown(records(found.curve)[0]['value'])} to {shown(records(found.curve)[-1]['value'])}"
    if not goal.reached:
        near = next(row for row in records(found.curve) if row["value"] == goal.nearest)
        text = (
            f"{what} does not reach {target} at any value from {ends}. The nearest is {shown(goal.nearest)}, with "
            f"{value(near)}."
        )
        if goal.crossings:
            places = words.listed([_stretch(crossing) for crossing in goal.crossings])
            text += f" But the intervals allow {places}: more games would tell."
        return [text]
    said = [_crossed(found, crossing, what, target) for crossing in goal.reached]
    if len(goal.reached) > 1:
        said.insert(0, f"{what} is {target} {words.count(len(goal.reached))} times, because the curve turns.")
    said += [_check(goal, crossing, check) for crossing, check in zip(goal.reached, goal.checks)]
    return said + ["The run stopped before it had checked this in fresh games."] * (
        len(goal.checks) < len(goal.reached)
    )


def _stretch(crossing: Crossing) -> str:
    """Return the values at which the band contains the goal: `0.7 to 1.8`."""
    step = max((crossing.high - crossing.low) / 2, 1e-9)
    places = words.decimals(step, 1)
    low, high = words.fixed(crossing.low, places), words.fixed(crossing.high, places)
    if crossing.open_low and crossing.open_high:
        return "any value of this range, and perhaps beyond it"
    if crossing.open_low:
        return f"{high} or less"
    return f"{low} or more" if crossing.open_high else f"{low} to {high}"


def _crossed(found: Sweep, crossing: Crossing, what: str, target: str) -> str:
    near = next(row for row in records(found.curve) if row["value"] == crossing.nearest)
    at = words.number(crossing.value, crossing.low, crossing.high, most=1)
    stretch = _stretch(crossing)
    where = (
        f"{what} is {target} where {number_name(found)} is {at} (straight lines between the values); the intervals "
        f"allow {stretch}."
    )
    exact = crossing.below == crossing.above
    nearest = (
        f"{shown(crossing.nearest)} is a value that was played"
        if exact
        else f"The nearest value played is {shown(crossing.nearest)}"
    )
    return f"{where} {nearest}: there it is {value(near)}."


def _check(goal: Goal, crossing: Crossing, check: Recheck) -> str:
    rows = " and ".join(f"{value(row)} at {shown(row['value'])}" for row in records(check.curve))
    word = {
        "holds": "That holds in fresh games",
        "undecided": "Fresh games can't tell whether that holds",
        "does not hold": "That does not hold in fresh games",
    }[check.word]
    return f"{word} ({check.games:,} of each value, seed {check.seed}): {rows}."


# --- the section ------------------------------------------------------------------------------------------------------


def section(ground: Ground, found: Sweep) -> Section:
    """Return the section: the finding, the figure, what the numbers mean, the table."""
    sizes = " ".join(text for text in (_step(found), _within(found)) if text)
    said = [
        text
        for text in (sizes, " ".join(_goal(ground, found)), swaps(found), meaning(ground, found.measure, found.players))
        if text
    ]
    blocks: list[Block] = [_figure(ground, found), *([Text(said)] if said else [])]
    blocks.append(_table(ground, found))
    if found.found:
        blocks += [_checked(check, crossing) for check, crossing in zip(found.found.checks, found.found.reached)]
    return Section(NAME, TITLE, blocks)


def _figure(ground: Ground, found: Sweep) -> Figure:
    frame, said = found.curve, course(ground, found, short=True)
    known = [float(end) for end in (*frame["estimate"], *frame["low"], *frame["high"]) if math.isfinite(end)]
    par, margin = found.measure.par, found.margin
    shaded = (par - margin, par + margin) if par is not None and found.measure.unit == INDEX else None
    goal = [found.found.target] if found.found else []
    scale = _scale([*known, *(shaded or ()), *goal], par, shaded, number_name(found) if found.numeric else "")
    assert scale.limits
    frame = frame.assign(**{end: frame[end].clip(*scale.limits) for end in ("low", "high")})
    printed = frame["value"] == found.printed
    if found.numeric:
        drawn = frame.assign(printed=printed, goal=goal[0] if goal else math.nan)
        panel = ground.drawn(curve, drawn, scale, said)
    else:
        rows = pd.DataFrame(
            {
                "label": [shown(v) + (" (now)" if p else "") for v, p in zip(frame["value"], printed)],
                "value": frame["estimate"],
            }
            | {"low": frame["low"], "high": frame["high"], "colour": "accent"}
            | {"text": [words.number(row["estimate"], row["low"], row["high"]) for row in records(frame)]}
        )
        panel = ground.drawn(dots, rows, scale, said)
    band = f"{'Band' if found.numeric else 'Bars'}: 95 % intervals, for all values at once."
    ring = " Ring: the value as it is now." if found.numeric else ""
    dashes = " Dashes: the goal." if goal and found.numeric else ""
    shade = f" Shaded: within {words.plain(margin)} of {words.plain(par)}." if shaded and par is not None else ""
    way = "Upwards" if found.numeric else "To the right"
    note = f"{way}: {_axis(found.measure)}. {band}{ring}{dashes}{shade}"
    return Figure(said.rstrip("."), [panel], note)


def _axis(asked: Measure) -> str:
    return {INDEX: "win index", "points": "points", "count": "times per player and game"}[asked.unit]


def _scale(known: list[float], par: float | None, shaded: tuple[float, float] | None, label: str) -> Scale:
    low, high = min(known), max(known)
    reach = (high - low) or 1.0
    step = next(s for s in (10.0**k * m for k in range(-4, 7) for m in (1, 2, 5)) if reach / s <= 5)
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    first = math.ceil(low / step - 1e-9)
    ticks = [(k * step, words.fixed(k * step, places)) for k in range(first, math.floor(high / step + 1e-9) + 1)]
    room = 0.06 * reach
    return Scale(ticks, par, shaded, (low - room, high + room), label)


def _table(ground: Ground, found: Sweep) -> Table:
    frame = found.curve.assign(
        shown=[shown(v) + (" (now)" if v == found.printed else "") for v in found.curve["value"]],
        word=verdicts(found),
    )
    columns = [
        Column(found.path, "shown"),
        Column(f"{found.measure.text}, {found.measure.unit}", "estimate", "low", "high", bounds=True),
        Column(f"against {shown(found.printed)}", "change", "change_low", "change_high", bounds=True),
    ]
    if found.measure.par is not None and found.measure.unit == INDEX:
        columns.append(Column("verdict", "word"))
    note = (
        f"{found.games:,} games of each value, all with the same dice and draws. Intervals hold for all values at once."
    )
    return table(frame, columns, f"{subject(ground, found.measure).rstrip(',')} at each value", note=note)


def _checked(check: Recheck, crossing: Crossing) -> Table:
    frame = check.curve.assign(shown=[shown(v) for v in check.curve["value"]])
    columns = [Column("value", "shown"), Column("in fresh games", "estimate", "low", "high", bounds=True)]
    caption = f"The goal near {crossing.nearest}, checked in fresh games: {pills.said(check.word)}"
    return table(frame, columns, caption, note=f"{check.games:,} games of each value.")


def part(found: Sweep) -> Part:
    """Return the page of its own."""
    ground, checks = Ground.of(found.game), found.found.checks if found.found else ()
    tables = {NAME: found.curve.assign(value=found.curve["value"].astype(str))}
    tables |= {f"sweep_check{number}": check.curve for number, check in enumerate(checks, 1)}
    who = f"{found.players} players, {' and '.join(found.strategies)}; {found.games:,} games of each value"
    return Part(
        NAME, "What does one number do?", headline(ground, found), [], [section(ground, found)], tables, found,
        found.all_games, [("played", who)],
    )  # fmt: skip
