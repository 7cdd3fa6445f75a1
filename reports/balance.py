"""The smallest change that balances a game: what to change, how things stand before and after, and what the search
could not do."""

from functools import partial
from typing import Any

from analyses import frames as pd
from analyses.balance.balance import Balance, Candidate, Side
from reports import pills, style, words
from reports.figures import dots
from reports.parts import Answer, Block, Figure, Ground, Heading, QuestionBox, Section, Text, index_scale, shared_limits
from reports.tables import Column, Columns, Table, records, table
from sim.printed.rulings import word as typed

NAME, TITLE = "balance", "The smallest change that balances it"
SEATS = "seats"
NOW, THEN = "as it is", "with the change"


# --- words ------------------------------------------------------------------------------------------------------------


def about(found: Balance, path: str) -> str:
    """Return what a number means, in the game's words and with its path."""
    said = next((lever.words for lever in found.levers if lever.path == path), "")
    return f"{said} ({path})" if said else path


def change(found: Balance, path: str, before: object, after: object) -> str:
    """Return one change in words: `points that seat 4 begins with (start.seat4.vp): 0 → 2`."""
    return f"{about(found, path)}: {typed(before)} → {typed(after)}"


def changes(found: Balance, candidate: Candidate) -> str:
    """Return all changes of a candidate, short: `start.seat4.vp 0 → 2; …`."""
    parts = [f"{path} {typed(before)} → {typed(after)}" for path, (before, after) in candidate.changes.items()]
    return "; ".join(parts) or "nothing changed"


def everyone(ground: Ground, found: Balance) -> str:
    """Return who has to lie inside the margin: `every seat and all Kings`."""
    return words.listed(
        ["every seat" if target == SEATS else f"all {ground.labels(target)}" for target in found.targets]
    )


def name(ground: Ground, kind: str, thing: str) -> str:
    """Return `Seat 1` or the name of a thing."""
    return f"Seat {thing}" if kind == SEATS else ground.labels(thing)


def headline(ground: Ground, found: Balance) -> str:
    """Return the result in a sentence or two."""
    who, candidate = everyone(ground, found), found.proposal
    if found.found and candidate is not None:
        if not candidate.changes:
            verb = "is" if list(found.targets) == [SEATS] else "are"
            return f"Nothing needs to change: {who} {verb} already inside the margin."
        count = words.many(len(candidate.changes), "number")
        return f"Changing {count} brings {who} inside the margin. Fresh games confirm it."
    if found.interrupted:
        best = (
            f" The best so far: {changes(found, candidate)}; {_so_far(found, candidate)}."
            if candidate is not None
            else ""
        )
        return f"The search stopped before it found a change that brings {who} inside the margin.{best}"
    return f"{_not_found(found, who)} {left(ground, found)}".strip()


def _so_far(found: Balance, candidate: Candidate) -> str:
    """Return how good the best looks before fresh games confirm anything."""
    far = candidate.outside(found.margin)
    return f"measured {words.plain(far, 4)} outside in total" if far else "measured inside, but not confirmed"


def _not_found(found: Balance, who: str) -> str:
    """Return that nothing is confirmed, and whether anything measured inside the margin."""
    count, nearest = words.many(found.trials, "set"), found.nearest
    if nearest is not None and nearest.side.word == "undecided":
        games = f"{nearest.side.games:,} fresh games did not decide whether it brings {who} inside the margin"
        return (
            f"Not confirmed: {changes(found, nearest.candidate)} is the best of {count} of numbers that the search "
            f"tried, but {games}."
        )
    tried = f"of the {count} of numbers that the search tried"
    if not found.inside:
        return f"None found: none {tried} brings {who} inside the margin."
    fresh = f"none of the {len(found.judged)} played again" if len(found.judged) > 1 else "not the one played again"
    return f"None confirmed: {found.inside} {tried} measured inside the margin, but fresh games confirmed {fresh}."


def left(ground: Ground, found: Balance) -> str:
    """Return what the closest candidate leaves outside or undecided in fresh games."""
    if found.nearest is None:
        return ""
    rows = found.nearest.side.rows(found.margin).to_dict("records")
    parts = []
    for word, text in (("unbalanced", "outside"), ("undecided", "undecided")):
        said = [f"{name(ground, row['kind'], row['name'])} ({_times(row)})" for row in rows if row["verdict"] == word]
        parts += [f"{text}: {words.listed(said)}"] if said else []
    return f"The closest leaves {'; '.join(parts)}." if parts else ""


def _times(row: Any) -> str:
    places = max(1, words.decimals(words.half_width(row["index"], row["low"], row["high"])))
    return f"{words.fixed(row['index'], places)}, {words.interval(row['low'], row['high'], places)}"


def sentences(ground: Ground, found: Balance) -> list[str]:
    """Return the result in sentences, one for each change."""
    said, candidate = [headline(ground, found)], found.proposal
    if candidate is not None and candidate.changes and not (found.interrupted and not found.found):
        said += [] if found.found else ["The closest:"]
        said += [f"  {change(found, path, *pair)}" for path, pair in candidate.changes.items()]
    return [*said, limits(found)]


def limits(found: Balance) -> str:
    """Return how far the search went, and what it doesn't say."""
    ways = found.ways
    if found.trials >= ways:
        return f"The search tried all {found.trials} ways to set the named numbers." if found.trials > 1 else ""
    many = f"{ways:,}" if ways < 1e6 else "more than a million"
    tried = (
        f"The search tried {words.count(found.trials)} of {many} ways to set {words.many(len(found.levers), 'number')}"
    )
    return f"{tried}, so there may be a smaller change that it has missed."


def method(found: Balance) -> str:
    """Return how the search went, and for whom its result holds."""
    names = found.strategies
    who = f"{words.listed(list(names))} play" if len(names) > 1 else f"{names[0]} plays"
    share = f"{found.games:,} games of each kind"
    low, high = f"{1 - found.margin:g}", f"{1 + found.margin:g}"
    return (
        "The search plays the game as it is, then each number by itself at values spread over its range, then the sets "
        f"that all results so far make likely, always with the same dice and draws ({share}). It plays the best again "
        f"with more games. Inside means a win index from {low} to {high}. For a seat, win index is the share of wins × "
        "players; for a thing that chance deals, it is 1 + how many fair shares of the wins its holder wins beyond the "
        "average holder. The search stays a little inside the margin, because fresh games can't confirm what lies on "
        "its edge. Then it judges the proposal in fresh games that played no part in the choice, and only that verdict "
        "counts. It judges at most four, each in its own fresh games. The size of a change is how far a number moves, "
        "as a share of its range; several add up. Among the sets inside, the search looks for the smallest change. All "
        f"this holds for players who play as {who}. To see whether it is fair to others, run `seats` and `worth` with "
        "the proposal and other strategies."
    )


# --- the section ------------------------------------------------------------------------------------------------------


def questions(ground: Ground, found: Balance) -> list[QuestionBox]:
    """Return the verdicts before and after, for the top of the page."""
    asks = {NOW: "Is it fair as it is?", THEN: "And with the change?"}
    return [QuestionBox(asks[when], NAME, _answers(ground, found, side)) for when, side in _sides(found)]


def _answers(ground: Ground, found: Balance, side: Side) -> list[Answer]:
    answers = []
    for target in found.targets:
        part = [row for row in records(side.rows(found.margin)) if row["kind"] == target]
        low_high = [(row["low"], row["high"]) for row in part]
        word = pills.together(pills.of(low, high, found.margin) for low, high in low_high)
        far = max(part, key=lambda row: abs(row["index"] - 1))
        who = "Seats" if target == SEATS else ground.labels(target)
        times = words.times(far["index"], far["low"], far["high"])
        subject = name(ground, target, far["name"])
        said = f"{subject} is the furthest from fair: {'it' if target == SEATS else 'the holder'} wins {times}."
        answers.append(Answer(who, pills.answer(word), said, _sure(side, target)))
    return answers


def _sure(side: Side, target: str) -> str:
    one = side.seats if target == SEATS else next(worth for worth in side.worths if worth.kind == target)
    return f"{one.games:,} games" if one is not None else ""


def section(ground: Ground, found: Balance) -> Section:
    """Return the section: what to change, before and after, how the search went."""
    blocks: list[Block] = [Text([headline(ground, found)], warning=not found.found)]
    blocks += [figure(ground, found)] if found.before is not None else []
    return Section(NAME, TITLE, [*blocks, *numbers(ground, found)])


def numbers(ground: Ground, found: Balance) -> list[Block]:
    """Return what stands below the finding and its figure: the changes, before and after, how the search went."""
    candidate = found.proposal
    blocks: list[Block] = [Text([text])] if (text := limits(found)) else []
    if candidate is not None and candidate.changes:
        blocks.append(_changes(found, candidate))
    blocks += [_table(ground, found)] if found.before is not None else []
    blocks += [Heading("How the search went"), Text([method(found)])]
    return [*blocks, _tried(found)] if found.tried else blocks


def _changes(found: Balance, candidate: Candidate) -> Table:
    rows = [
        {"what": about(found, path), "now": typed(old), "proposed": typed(new)}
        for path, (old, new) in candidate.changes.items()
    ]
    caption = "What to change" if found.found else "The best change found; it does not balance everything"
    note = f"Size of the change, as a share of ranges: {words.fixed(candidate.size, 2)}."
    return table(rows, ["what", "now", "proposed"], caption, note=note)


def _sides(found: Balance) -> list[tuple[str, Side]]:
    sides = [(NOW, found.before)]
    if found.nearest is not None and found.nearest.candidate.changes:
        sides.append((THEN, found.nearest.side))
    return [(title, side) for title, side in sides if side is not None]


def figure(ground: Ground, found: Balance) -> Figure:
    """Return the shares of wins before and after."""
    frames = {title: _labelled(ground, side.rows(found.margin)) for title, side in _sides(found)}
    limits_ = shared_limits(list(frames.values()), found.margin, "low", "high")
    panels = []
    for title, frame in frames.items():
        far = max(frame.to_dict("records"), key=lambda row: abs(row["value"] - 1))
        alt = words.sentence(f"{title}: furthest from a fair share is {far['label']}, with {far['text']} of the wins")
        ends = zip(frame["value"], frame["low"], frame["high"], strict=True)
        shares = frame.assign(text=[words.percent(*(v / found.players for v in row)) for row in ends])
        scale = index_scale(found.players, found.margin, (), limits_)
        panels.append(ground.drawn(dots, shares, scale, alt, title.capitalize()))
    note = (
        "Share of wins of each seat, and of the holder of each thing when chance deals them. Line: fair share. Shaded: "
        "the margin. Bars: 95 % intervals, from fresh games."
    )
    return Figure(_finding(ground, found), panels, note)


def _finding(ground: Ground, found: Balance) -> str:
    counts = []
    for title, side in _sides(found):
        rows = side.rows(found.margin)
        inside = int((rows["verdict"] == "balanced").sum())
        counts.append(f"{title}, {inside} of {len(rows)} are fair")
    return words.capital("; ".join(counts))


def _labelled(ground: Ground, rows: "pd.DataFrame") -> "pd.DataFrame":
    places = rows.groupby("kind").cumcount() + 1
    colours = [
        style.token("seat" if kind == SEATS else "thing", at) for kind, at in zip(rows["kind"], places, strict=True)
    ]
    texts = [words.number(*row) for row in zip(rows["index"], rows["low"], rows["high"], strict=True)]
    return _named(ground, rows).assign(value=rows["index"], colour=colours, text=texts)


def _named(ground: Ground, rows: "pd.DataFrame") -> "pd.DataFrame":
    return rows.assign(
        label=[name(ground, kind, thing) for kind, thing in zip(rows["kind"], rows["name"], strict=True)]
    )


def comparison(found: Balance) -> "pd.DataFrame":
    """Return a row for each seat and thing: kind, name, then index, low, high and verdict before and after, if we know
    them."""
    parts = []
    for when, (_, side) in zip(("before", "after"), _sides(found), strict=False):
        rows = side.rows(found.margin).set_index(["kind", "name"])
        parts.append(rows.rename(columns={column: f"{column}_{when}" for column in rows.columns}))
    return pd.concat(parts, axis=1).reset_index() if parts else pd.DataFrame()


def _table(ground: Ground, found: Balance) -> Table:
    frame = _named(ground, comparison(found))
    columns = [Column("seat or thing", "label")]
    for when, title in zip(("before", "after"), (NOW, THEN), strict=True):
        if f"index_{when}" in frame:
            columns.append(Column(f"win index {title}", f"index_{when}", f"low_{when}", f"high_{when}", bounds=True))
            columns.append(Column("verdict", partial(_pill, margin=found.margin, when=when)))
    return table(frame, columns, "Win index before and after, in fresh games")


def pills_of(frame: "pd.DataFrame", margin: float, when: str) -> list[str]:
    """Return the word for each row of `comparison`: fair, too weak, too strong or not sure; `when`: before or after."""
    return [_pill(row, margin, when) for row in records(frame)]


def _pill(row: dict[str, Any], margin: float, when: str) -> str:
    return pills.of(row[f"low_{when}"], row[f"high_{when}"], margin)


def tried(found: Balance) -> "pd.DataFrame":
    """Return a row for each of the search's best candidates: changes, size, how far outside, verdict in fresh games if
    judged."""
    verdicts = {one.candidate.components.digest: one.side.word for one in found.judged}
    rows = [
        {
            "changes": changes(found, c),
            "size": c.size,
            "outside": c.outside(found.margin),
            "components": c.components.digest,
        }
        | {"verdict": verdicts.get(c.components.digest, "not judged")}
        for c in found.tried
    ]
    return pd.DataFrame(rows, columns=["changes", "size", "outside", "components", "verdict"])


def _tried(found: Balance) -> Table:
    outside = Column("outside when searching", "outside")
    columns: Columns = [Column("change", "changes"), "size", outside, Column("in fresh games", "verdict")]
    note = (
        "Size: shares of ranges, added up. Outside: how far all win indices together lie outside the margin, over "
        "all games of the search."
    )
    return table(tried(found), columns, "The best that the search tried", folded=True, note=note)
