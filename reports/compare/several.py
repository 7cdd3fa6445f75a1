"""Several sets of components side by side: which is the fairest, who wins with each, how every two of them differ."""

from typing import Any

from analyses import frames as pd
from analyses.compare.compare import differences
from analyses.compare.several import SEATS, SetsCompared, Several
from reports import pills, style, words
from reports.compare import words as w
from reports.figures import dots
from reports.parts import (
    Answer,
    Block,
    Figure,
    Ground,
    Panel,
    Part,
    QuestionBox,
    Section,
    Terms,
    Text,
    count_words,
    index_scale,
    shared_limits,
)
from reports.tables import Column, Columns, matrix, records, table

KICKER = "Which of these sets is the fairest?"


def quoted(name: str) -> str:
    """Return the name of a set as it stands in a sentence."""
    return f"“{name}”"


def called(ground: Ground, kind: str, name: str) -> str:
    """Return a seat or thing as people call it."""
    return f"seat {name}" if kind == SEATS else ground.labels(name)


def labels(ground: Ground, part: SetsCompared) -> list[str]:
    """Return the seats or things as people call them, in the order of the table."""
    return [called(ground, part.kind, name) for name in dict.fromkeys(part.table["name"])]


def verdict(ground: Ground, found: Several) -> list[str]:
    """Return which set is the fairest, and whether fresh games say so too, in sentences."""
    fairest = found.fairest
    if fairest is None:
        return ["The run was stopped before we could check in fresh games which set is the fairest."]
    off, most = (words.plain(100 * part, 0) for part in (fairest.distance, fairest.most))
    furthest = called(ground, *fairest.furthest)
    said = [
        f"{quoted(fairest.name)} comes nearest to fair: in {fairest.games:,} fresh games {furthest} is furthest off "
        f"its fair share, by {off} % (nothing by more than {most} %)."
    ]
    if fairest.unlike:
        said.append(f"It is fairer than {words.listed(list(map(quoted, fairest.unlike)))} there too.")
    for name in fairest.like:
        said.append(f"{quoted(fairest.name)} and {quoted(name)} can't be told apart.")
    return said


def word(found: Several) -> str:
    """Return the answer in a word or two: the fairest set, if fresh games tell it from all others."""
    fairest = found.fairest
    if fairest is None:
        return "not checked"
    return pills.UNSURE if fairest.like else fairest.name


def changes(found: Several) -> list[str]:
    """Return what each set changes, in a line each."""
    base, *others = found.contest.sets
    lines = []
    for each in others:
        changed = differences(base.components, each.components)
        if len(changed) > w.MOST_NAMED:
            lines.append(f"{each.name}: {len(changed)} values differ from {base.name}.")
        else:
            told = [f"{path} {w.value(was)} → {w.value(now)}" for path, was, now in changed]
            lines.append(f"{each.name}: {words.listed(told)}.")
    return lines


def families(part: SetsCompared) -> str:
    """Return how many intervals hold at once, in a sentence."""
    return (
        f"All {part.family} intervals of this table hold together at 95 %, and so do the {part.pairs_family} of the "
        "differences between every two sets."
    )


def surest(ground: Ground, found: Several, part: SetsCompared) -> str:
    """Return the largest difference between two sets that is more than chance, in a sentence."""
    sure = [row for row in records(part.pairs) if row["low"] > 0 or row["high"] < 0]
    if not sure:
        return "No two sets differ here by more than chance."
    row = max(sure, key=lambda row: abs(row["change"]))
    factor = 100 / found.players
    name = called(ground, part.kind, row["name"])
    name = name if part.kind == SEATS else f"a player handed {name} at random"
    one, other = (row["one"], row["other"]) if row["change"] > 0 else (row["other"], row["one"])
    near, far = sorted(factor * abs(row[end]) for end in ("low", "high"))
    places = words.decimals((far - near) / 2)
    more, between = words.fixed(factor * abs(row["change"]), places), words.interval(near, far, places, "and")
    sets = f"with {quoted(other)} than with {quoted(one)}"
    return f"{words.capital(name)} wins {more} more games in 100 {sets} (between {between})."


def _figure(ground: Ground, found: Several, part: SetsCompared) -> Figure:
    names = labels(ground, part)
    keys = list(dict.fromkeys(part.table["name"]))
    own = {key: style.token("seat", int(key)) for key in keys} if part.kind == SEATS else style.colours("thing", keys)
    frames = []
    for each in found.contest.sets:
        rows = part.table[part.table["set"] == each.name].reset_index(drop=True)
        frame = pd.DataFrame(
            {name: 1 + rows[of] for name, of in (("value", "distance"), ("low", "low"), ("high", "high"))}
        )
        shares = zip(frame["value"] / found.players, frame["low"] / found.players, frame["high"] / found.players)
        frames.append(
            frame.assign(label=names, colour=[own[key] for key in keys], text=[words.percent(*row) for row in shares])
        )
    limits = shared_limits(frames, found.margin or 0.1, "low", "high")
    panels: list[Panel] = []
    for each, frame in zip(found.contest.sets, frames):
        said = "; ".join(f"{label} {text}" for label, text in zip(frame["label"], frame["text"]))
        scale = index_scale(found.players, found.margin, (), limits)
        alt = words.sentence(f"share of wins with {each.name}: {said}")
        panels.append(ground.drawn(dots, frame, scale, alt, each.name))
    title = surest(ground, found, part).rstrip(".")
    shaded = f"Line: fair share. Shaded: within {words.plain(100 * (found.margin or 0))} % of it. Bars: 95 % intervals."
    return Figure(title, panels, f"Share of wins. {shaded}")


def _blocks(ground: Ground, found: Several, part: SetsCompared) -> list[Block]:
    names = dict(zip(dict.fromkeys(part.table["name"]), labels(ground, part)))
    frame = part.table.assign(label=[names[name] for name in part.table["name"]])
    index = frame.assign(index=1 + frame["distance"], low=1 + frame["low"], high=1 + frame["high"])
    heads = [(each.name, each.name) for each in found.contest.sets]
    shown = Column("wins, %", "index", "low", "high", 100 / found.players)
    head = Column("seat" if part.kind == SEATS else "dealt", "label")
    side_by_side = matrix(index, head, "set", heads, shown, f"Wins in 100 games: {part.games:,} games of each set")
    pairs = part.pairs.assign(label=[names[name] for name in part.pairs["name"]])
    change = Column("change, wins in 100 games", "change", "low", "high", 100 / found.players, bounds=True)
    every = table(pairs, ["one", "other", head, change], "Every two sets: the other less the one", folded=True)
    verdicts = [
        {"set": each.name, "verdict": pills.said(verdict)}
        for each, verdict in zip(found.contest.sets, part.words, strict=True)
    ]
    return [
        _figure(ground, found, part),
        side_by_side,
        Text([families(part)]),
        table(verdicts, ["set", "verdict"], "Verdict on each set"),
        every,
    ]


def _changes(found: Several) -> Section:
    base, *others = found.contest.sets
    told = [
        {"set": each.name, "value": path, "base": w.value(was), "there": w.value(now)}
        for each in others
        for path, was, now in differences(base.components, each.components)
    ]
    columns: Columns = ["set", "value", Column(f"with {base.name}", "base"), Column("with the set", "there")]
    text = f"{quoted(base.name)} is the game that all others are compared with. Everything else is the same."
    return Section("changes", "What the sets change", [Text([text]), table(told, columns, "Every value that differs")])


def _how(found: Several) -> Section:
    n = len(found.contest.sets)
    text = [
        f"All {n} sets had the same luck: the same dice and draws for the same players in the same seats. So luck that "
        "hits them alike cancels where we compare two of them.",
        "We pick the set whose furthest seat or thing is closest to its fair share. The set that we pick may only have "
        "been lucky, so we then play all sets again with fresh dice and draws. We call it fairer than another only if "
        "these fresh games say so, wherever the shares lie in their intervals.",
    ]
    pairs = [
        (
            "off its fair share",
            "How far a share of wins is from the fair one, in percent of it: if 25 % is fair, 27.5 % is 10 % off.",
        ),
        (
            "can't be told apart",
            "In the fresh games the intervals allow either of the two to be the fairer one. More games may tell.",
        ),
    ]
    return Section("how", "How they were compared", [Text(text), Terms(pairs)])


def tables(found: Several) -> "dict[str, pd.DataFrame]":
    """Return the tables by file name."""
    made: dict[str, Any] = {}
    for part in found.parts:
        made |= {f"sets_{part.kind}": part.table, f"pairs_{part.kind}": part.pairs}
    return made


def part(found: Several) -> Part:
    """Return the page."""
    ground = Ground.of(found.game)
    said = verdict(ground, found)
    sure = f"95 % intervals from {found.games:,} games of each set, then as many fresh ones"
    box = QuestionBox(KICKER, "seats", [Answer(count_words(found.players), word(found), " ".join(said), sure)])
    sections = [_changes(found), Section("seats", "Who wins: the seats", _blocks(ground, found, found.seats))]
    for things in found.things:
        title = f"What the {ground.labels(things.kind)} are worth"
        sections.append(Section(things.kind, title, _blocks(ground, found, things)))
    names = words.listed([each.name for each in found.contest.sets])
    facts = [("compared", names), ("who played", ground.seating(found))]
    headline = f"With {count_words(found.players)}, {words.seating(found.strategies)}. {' '.join(said)}"
    return Part(
        "compare", KICKER, headline, [box], [*sections, _how(found)], tables(found), found, found.all_games, facts
    )
