"""Do the findings hold for other plausible numbers? In how many sets of numbers each is the same, and what to look up
first."""

from typing import Any

from analyses import frames as pd
from analyses.robustness.robustness import Robustness, Stability
from analyses.robustness.sensitivity import First, top
from reports import pills, words
from reports.parts import Answer, Block, Figure, Ground, Heading, Panel, Part, QuestionBox, Section, Text, count_words
from reports.robustness.segments import bars
from reports.robustness.words import (
    counted,
    denied,
    look_up,
    nothing,
    of_kinds,
    of_sets,
    sentence,
    share,
    stated,
    subject,
    told,
)
from reports.tables import Column, Columns, Table, table

__all__ = ["KICKER", "NAME", "frames", "questions", "section", "sentence"]

NAME, TITLE, KICKER = "robustness", "Would it be the same with the real numbers?", "Would the real numbers change it?"
PARTS = (
    ("the same", "accent", "lettering"),
    ("the opposite", "seat-2", "lettering"),
)
MOST_INPUTS = 8  # rows of a table that is not folded


# --- sections ---------------------------------------------------------------------------------------------------------


def questions(ground: Ground, found: Robustness) -> list[QuestionBox]:
    """Return the questions of the page and their answers: the seats for each number of players, the things of each
    kind."""
    made = []
    for kind in dict.fromkeys(f.kind for f in found.findings):
        whole = [f for f in found.findings if f.kind == kind and not f.name and found.printings]
        answers = [
            Answer(
                count_words(f.players),
                _pill(found, f),
                counted(found, f.players, f.kind),
                f"Furthest from fair: from {words.fixed(f.least, 2)} to {words.fixed(f.most, 2)} times a fair share, "
                "depending on the set.",
            )
            for f in whole
        ]
        what = subject(ground, whole[0]) if whole else "the seats"
        made.append(QuestionBox(f"With other plausible numbers, are {what} fair?", NAME, answers))
    return made


def section(ground: Ground, found: Robustness) -> Section:
    """Return the section; without blocks if the run played no other set of numbers."""
    if not found.printings:
        return Section(NAME, TITLE, [])
    mine = [f for f in found.findings if f.same is not None]
    shown = [_figure(ground, found)]
    if found.objection:
        said = f"The present numbers would not pass as plausible themselves: {found.objection}."
        shown.append(Text([said], warning=True))
    numbers: list[Block] = [Text(_introduction(found)), _findings(ground, found), Heading("What to look up first")]
    numbers += [Text(_ranking_words(ground, found)), *_ranking(ground, found), Heading("How the sets were drawn")]
    numbers += [Text([_drawn(ground, found)]), _inputs(found), *_rejected(found)]
    return Section(NAME, _title(ground, mine) if mine else TITLE, shown, numbers, "With other numbers")


def _pill(found: Robustness, finding: Stability) -> str:
    """Return the word for all seats, or all things of a kind; if more sets deny it than agree, that it depends."""
    word = pills.said(finding.verdict)
    return pills.DEPENDS if denied(found, finding.players, word, finding.kind) else word


def _introduction(found: Robustness) -> list[str]:
    counts = words.listed([count_words(n) for n in found.line_ups])
    who = words.seating(sorted({name for cast in found.line_ups.values() for name in cast}))
    games = sorted({f.games for f in found.findings})
    each = words.interval(games[0], games[-1], 0) if len(games) > 1 else f"{games[0]:,}"
    return [
        f"Nobody here has seen the real values of the assumed numbers. So this run drew {found.printings} plausible "
        "sets of numbers, each as likely as any other, and played the games again with each set and the same dice and "
        f"draws ({counts}, {who}, {each} games of each set for each question). A set counts as the same if it says of "
        "a finding what the present numbers say, and else as the opposite.",
        "Luck moves the wins in so few games, so the sets look further apart than they are. We drew each set towards "
        "the mean of all, until the sets differ as much as they do without luck. A set near the margin may still lie "
        "on its other side.",
        "Percentages in brackets say what share of all such sets would say so (95 % intervals, for a spread like a "
        "bell curve).",
    ]


def _figure(ground: Ground, found: Robustness) -> Block:
    mine = [f for f in found.findings if f.same is not None]
    if not mine:
        return Text(["With the present numbers nothing is decided, so no other set can say the same."])
    panels = []
    groups = list(dict.fromkeys((f.players, f.kind) for f in mine))
    for players, kind in groups:
        part = [f for f in mine if (f.players, f.kind) == (players, kind)]
        rows = [(words.sentence(stated(ground, f)).rstrip("."), (f.same or 0, f.opposite or 0)) for f in part]
        said = "; ".join(f"{stated(ground, f)}: {told(f)}" for f in part)
        caption = f"{count_words(players).capitalize()}: {ground.labels(kind) if kind else 'seats'}"
        panels.append(Panel(caption, bars(rows, PARTS, words.sentence(said)), ground.ids()))
    left = [subject(ground, f) for f in found.findings if f.same is None and f.name]
    rest = f"Not shown, because we aren't sure of it with the present numbers: {words.listed(left)}." if left else ""
    return Figure(f"How many {of_sets(found)} say the same", panels, rest)


def _title(ground: Ground, mine: list[Stability]) -> str:
    """Return what holds in most other sets of numbers, and what most of them deny."""
    firm = max(mine, key=lambda f: (f.same or 0, bool(f.name)))
    frail = max(mine, key=lambda f: (f.opposite or 0, bool(f.name)))
    said = []
    if firm.same and not (firm is frail and frail.opposite):  # `told` says that too
        who = f"with {count_words(firm.players)}, {stated(ground, firm)}"
        said.append(f"{who} in {firm.same} of {firm.printings} other sets of numbers too")
    if frail.opposite:
        said.append(f"with {count_words(frail.players)}, {subject(ground, frail)}: {told(frail)}")
    return words.capital("; ".join(said))


def _findings(ground: Ground, found: Robustness) -> Table:
    rows = [
        {"players": f.players, "about": words.sentence(subject(ground, f)).rstrip(".")}
        | {
            "verdict": pills.said(f.verdict),
            "index": f.index,
            "low": f.low,
            "high": f.high,
            "between": f"{words.fixed(f.least, 2)} to {words.fixed(f.most, 2)}",
        }
        | {
            "same": float("nan") if f.same is None else f.same,
            "opposite": float("nan") if f.opposite is None else f.opposite,
            "told": told(f) if f.printings else "–",
        }
        for f in found.findings
    ]
    columns: Columns = [
        "players",
        "about",
        Column("with the present numbers", "verdict"),
        Column("times its fair share", "index", "low", "high", bounds=True),
        Column("over all sets", "between"),
        Column("same", "same", most=0),
        Column("opposite", "opposite", most=0),
        Column("in the sets", "told"),
    ]
    note = (
        "For all seats, or all things of a kind: the one that is furthest from fair. – : not sure with the present "
        "numbers."
    )
    return table(rows, columns, f"Each finding, and in how many {of_sets(found)} it is the same", note=note)


# --- what to look up --------------------------------------------------------------------------------------------------


def _ranking_words(ground: Ground, found: Robustness) -> list[str]:
    first = found.first
    if first is None:
        return [words.sentence(look_up(found)), *of_kinds(ground, found)]
    text = [words.sentence(look_up(found)), *of_kinds(ground, found), *_of_things(ground, found)]
    text.append(
        "Each share says how much of the variance of win indices over the sets goes with one number alone, for all "
        "seats or things taken together. The remainder comes from several numbers acting together. Luck in the games, "
        f"{100 * first.noise:.0f} % of what the seats varied, is taken out. Intervals hold for all numbers at "
        f"once. With {found.printings} sets they are wide, and numbers whose intervals overlap can't be told apart. "
        "Numbers that trade places, as in an order, share what they explain."
    )
    return text


def _of_things(ground: Ground, found: Robustness) -> list[str]:
    """Return the number that matters most to the worth of each thing, if one stands out."""
    assert found.ranking is not None
    text = []
    for f in found.findings:
        best = top(found.ranking, f.kind, f.name) if f.kind and f.name else None
        if best is not None and best.clear:
            text.append(f"{subject(ground, f)} depends most on the {best.input}, with {share(best)} of the differences")
    return [words.sentence(f"For single things, one number stands out here: {'; '.join(text)}")] if text else []


def _ranking(ground: Ground, found: Robustness) -> list[Block]:
    """Return the tables of inputs: for seats and things together, then one by one."""
    assert found.ranking is not None
    ranking = found.ranking
    if not len(ranking):
        return []
    made: list[Block] = []
    shares = Column("share of the differences, %", "index", "low", "high", 100, 0, bounds=True)
    for kind in dict.fromkeys(f.kind for f in found.findings if f.players == found.players):
        rows = ranking[(ranking["kind"] == kind) & (ranking["name"] == "")]
        what = f"what the {ground.labels(kind)} are worth" if kind else "how often seats win"
        for part, caption, folded in (
            (rows[:MOST_INPUTS], what, False),
            (rows[MOST_INPUTS:], f"{what}: the other numbers", True),
        ):
            if len(part):
                made.append(
                    table(part, [Column("number", "input"), shares], words.sentence(caption).rstrip("."), folded)
                )
    one = []
    for f in found.findings:
        best = top(ranking, f.kind, f.name) if f.name and f.players == found.players else None
        if best:
            one.append(vars(best) | {"about": words.sentence(subject(ground, f)).rstrip("."), "stands": _clear(best)})
    columns: Columns = ["about", Column("depends most on", "input"), shares, Column("does it stand out?", "stands")]
    return [*made, table(one, columns, "One by one")] if one else made


def _clear(first: First) -> str:
    return (
        "yes"
        if first.clear
        else "more than chance, but not apart from others"
        if first.low > 0
        else "no, it may be chance"
    )


# --- how they were drawn ----------------------------------------------------------------------------------------------


def _drawn(ground: Ground, found: Robustness) -> str:
    drawn = words.many(len(found.inputs), "number or group of numbers", "numbers or groups of numbers")
    text = (
        f"Each set draws {drawn}, each on its own. A group moves together, as a designer would move it. Numbers from "
        "the rulebook, from publications or from you stay as they are. "
    )
    limits = [
        f"{limit.strategy} scores {limit.score[0]} to {limit.score[1]} points a player"
        if limit.score
        else f"with {limit.strategy} each of “{ground.headings.get(limit.used, limit.used)}” has at least "
        f"{limit.least} %"
        for limit in found.plausible
    ]
    if not limits:
        return text + "No set was rejected, because this game doesn't say what would be implausible."
    rejected = sum(found.rejected.values())
    return text + (
        f"A set passes as plausible if {words.listed(limits)}. Of {found.draws} sets drawn, "
        f"{words.many(rejected, 'was', 'were') if rejected else 'none was'} rejected."
    )


def ways(draw: str, values: tuple[Any, ...]) -> str:
    """Return in words how we draw an input."""
    if draw == "permutation":
        return "any order"
    if draw == "choice":
        return f"one of {words.many(len(values), 'row')}"
    if draw == "range" and not values:
        return "all at the same place of their ranges"
    if draw == "shift":
        return "all by " + words.listed([f"{value:+d}".replace("-", "−") if value else "0" for value in values], "or")
    if draw == "scale":
        return "all times " + words.listed([str(value) for value in values], "or") + " %"
    return words.listed(
        [str(value).lower() if isinstance(value, bool) else str(value).replace("_", " ") for value in values], "or"
    )


def _inputs(found: Robustness) -> Table:
    rows = [
        {
            "number or group": it.name,
            "drawn": ways(it.draw, it.values),
            "how many numbers move": len(it.paths),
            "path": it.key,
        }
        for it in found.inputs
    ]
    return table(rows, list(rows[0]), "What was drawn", folded=True)


def _rejected(found: Robustness) -> list[Block]:
    rows = [{"reason": reason, "sets": n} for reason, n in sorted(found.rejected.items(), key=lambda item: -item[1])]
    return [table(rows, ["reason", "sets"], "Rejected sets")] if rows else []


# --- tables -----------------------------------------------------------------------------------------------------------


def frames(found: Robustness) -> "dict[str, pd.DataFrame]":
    """Return the tables by file name: findings, ranking of inputs, every set of numbers, rejected sets."""
    names = (
        "what",
        "kind",
        "name",
        "players",
        "verdict",
        "index",
        "low",
        "high",
        "same",
        "opposite",
        "least",
        "most",
        "games",
    )
    ends = ("share", "share_low", "share_high")
    findings = [
        {name: getattr(f, name) for name in names}
        | dict(zip(ends, f.shares.get(f.verdict, [float("nan")] * 3), strict=True))
        for f in found.findings
    ]
    made = {"robustness": pd.DataFrame(findings).astype({"same": "Int64", "opposite": "Int64"})}
    if found.ranking is not None and len(found.ranking):
        made["robustness_inputs"] = found.ranking
    if found.printings:
        rows = []
        for at, number in enumerate(found.accepted):
            row: dict[str, Any] = {"draw": number} | {
                it.key: word for it, word in zip(found.inputs, found.words[at], strict=True)
            }
            for i, f in enumerate(found.findings):
                head = f"{f.players} players, {f.kind or 'seats'} {f.name}".strip()
                row |= {head: found.verdicts[at, i], f"{head}: win index": found.values[at, i]}
                row |= {f"{head}: without luck": found.shrunk[at, i]}
            rows.append(row)
        made["robustness_printings"] = pd.DataFrame(rows)
    if found.rejected:
        made["robustness_rejected"] = pd.DataFrame(
            [{"reason": reason, "draws": n} for reason, n in found.rejected.items()]
        )
    return made


def part(found: Robustness) -> Part:
    """Return the page."""
    if not found.inputs:
        return Part(NAME, KICKER, nothing(found), [], [], {}, found, 0)
    ground = Ground.of(found.game)
    more = [
        ("who played", "; ".join(f"{n} players: {' + '.join(cast)}" for n, cast in found.line_ups.items())),
        ("sets of numbers", f"{found.printings} played, {found.draws} drawn, with seed {found.seed}"),
        ("games", f"at most {found.games} of each set and question, rounded up to whole blocks"),
    ]
    return Part(
        NAME, KICKER, sentence(found), questions(ground, found), [section(ground, found)], frames(found), found,
        found.all_games, more,
    )  # fmt: skip
