"""Do the findings hold whatever is printed: over plausible printings, in how many each is the same; and what to look up first."""

from typing import TYPE_CHECKING, Any

from analyses.robustness.sensitivity import First, top
from analyses.statistics import fixed_half_width
from reports import words
from reports.parts import Answer, Block, Figure, Ground, Heading, Panel, Question, Section, Text, count_words
from reports.robustness.segments import bars
from reports.robustness.words import carried, look_up, of_kinds, of_printings, sentence, share, stated, subject
from reports.tables import Column, Table, table

if TYPE_CHECKING:
    import pandas as pd

    from analyses.robustness.robustness import Finding, Robustness

__all__ = ["KICKER", "NAME", "carried", "frames", "questions", "section", "sentence"]

NAME, TITLE, KICKER = "robustness", "Would it be the same with the real numbers?", "Robustness to what is not printed"
PARTS = (("the same", "accent", "lettering"), ("the opposite", "seat-2", "lettering"), ("undecided", "line", "ink"))
MOST_INPUTS = 8  # of a table that is not folded


# --- sections -----------------------------------------------------------------------------------------------------------------------------


def questions(ground: Ground, found: "Robustness") -> list[Question]:
    """Return the questions of the page and their answers: the seats of each number of players, the things of each kind."""
    made = []
    for kind in dict.fromkeys(f.kind for f in found.findings):
        whole = [f for f in found.findings if f.kind == kind and not f.name and found.printings]
        answers = [
            Answer(
                count_words(f.players),
                f.verdict,
                words.sentence(carried(found, f.players, kind=f.kind)),
                f"Furthest out: between {words.fixed(f.least, 2)} and {words.fixed(f.most, 2)} times a fair share, by printing.",
            )
            for f in whole
        ]
        what = subject(ground, whole[0]) if whole else "the seats"
        made.append(Question(f"Is the verdict on {what} the same in other plausible printings?", NAME, answers))
    return made


def section(ground: Ground, found: "Robustness") -> Section:
    """Return the section; without blocks if no printing was played."""
    if not found.printings:
        return Section(NAME, TITLE, [])
    blocks: list[Block] = [Text(_introduction(found)), *_warnings(found), _figure(ground, found), _findings(ground, found)]
    blocks += [Heading("What to look up first"), Text(_ranking_words(ground, found)), *_ranking(ground, found)]
    return Section(
        NAME, TITLE, [*blocks, Heading("How the printings were drawn"), Text([_drawn(ground, found)]), _inputs(found), *_rejected(found)]
    )


def _introduction(found: "Robustness") -> list[str]:
    counts = words.listed([count_words(n) for n in found.casts])
    names = {name for cast in found.casts.values() for name in cast}
    who = f"{words.listed(sorted(names))} in every seat" if len(names) == 1 else f"{words.listed(sorted(names))} at one table"
    give = round(float(fixed_half_width(0.5, found.printings, 1)) * found.printings) if found.printings > 1 else 1
    return [
        f"Nobody here has seen the real numbers that are assumed. So they were drawn {found.printings} times anew from their plausible "
        f"ranges, none of which is more likely than another to be the real one, and each time the games were played again on the same "
        f"chance ({counts}, {who}, {found.games:,} games of each printing for the seats and about as many for each other question). "
        "A finding is the same where it is decided the same way, the opposite where it is decided in another way, and undecided where so "
        "many games can't tell.",
        f"Another {found.printings} draws would give somewhat other counts: up to some {give} more or fewer.",
    ]


def _warnings(found: "Robustness") -> list[Block]:
    if not found.objection:
        return []
    return [Text([f"The numbers as they stand would not pass as plausible themselves: {found.objection}."], warning=True)]


def decided(found: "Robustness") -> "list[Finding]":
    """Return the findings that are decided with the numbers as they are."""
    return [f for f in found.findings if f.same is not None]


def _figure(ground: Ground, found: "Robustness") -> Block:
    mine = decided(found)
    if not mine:
        return Text(["Nothing is decided with the numbers as they are, so there is nothing that could be the same elsewhere."])
    panels = []
    groups = list(dict.fromkeys((f.players, f.kind) for f in mine))
    for players, kind in groups:
        part = [f for f in mine if (f.players, f.kind) == (players, kind)]
        rows = [(words.sentence(stated(ground, f)).rstrip("."), (f.same or 0, f.opposite or 0, f.undecided)) for f in part]
        said = "; ".join(f"{stated(ground, f)}: {carried(found, f.players, kind=f.kind, name=f.name)}" for f in part)
        caption = f"{count_words(players).capitalize()}: {ground.labels(kind) if kind else 'seats'}"
        panels.append(Panel(caption, bars(rows, PARTS, words.sentence(said))))
    left = [subject(ground, f) for f in found.findings if f.same is None and f.name]
    rest = f" Not decided with the numbers as they are, and so not drawn: {words.listed(left)}." if left else ""
    return Figure(_title(ground, mine), panels, f"How many {of_printings(found)} say the same.{rest}")


def _title(ground: Ground, mine: "list[Finding]") -> str:
    firm = max(mine, key=lambda f: (f.same or 0, bool(f.name)))
    frail = max(mine, key=lambda f: (f.opposite or 0, bool(f.name)))
    text = f"Firmest: {stated(ground, firm)}, the same in {firm.same} of {firm.printings}"
    if frail.opposite:
        text += f"; frailest: {stated(ground, frail)}, the opposite in {frail.opposite}"
    return text


def _findings(ground: Ground, found: "Robustness") -> Table:
    import pandas as pd

    rows = [
        {"players": f.players, "about": words.sentence(subject(ground, f)).rstrip("."), "verdict": f.verdict}
        | {"index": f.index, "low": f.low, "high": f.high, "between": f"{words.fixed(f.least, 2)} to {words.fixed(f.most, 2)}"}
        | {"same": float("nan") if f.same is None else f.same, "opposite": float("nan") if f.opposite is None else f.opposite}
        | {"undecided": f.undecided, "elsewhere": _elsewhere(f)}
        for f in found.findings
    ]
    columns = [
        Column("players", "players", whole=True),
        Column("about", "about"),
        Column("with the numbers as they are", "verdict"),
        Column("times its fair share", "index", "low", "high", bounds=True),
        Column("by printing", "between"),
        Column("same", "same", whole=True),
        Column("opposite", "opposite", whole=True),
        Column("undecided", "undecided", whole=True),
        Column("where it is decided otherwise", "elsewhere"),
    ]
    note = (
        "For all seats, or all things of a kind: the one that is furthest out. – : not decided with the numbers as they are. "
        f"Those were played {words.count(_times())} times as long as each printing."
    )
    return table(pd.DataFrame(rows), columns, f"Each finding, and in how many {of_printings(found)} it is the same", note=note)


def _times() -> int:
    from analyses.robustness.robustness import AS_PRINTED

    return AS_PRINTED


def _elsewhere(finding: "Finding") -> str:
    others = {word: n for word, n in finding.counts.items() if word not in (finding.verdict, "undecided") and n}
    return ", ".join(f"{word} in {n}" for word, n in sorted(others.items(), key=lambda item: -item[1])) or "–"


# --- what to look up ----------------------------------------------------------------------------------------------------------------------


def _kinds(found: "Robustness") -> list[str]:
    return list(dict.fromkeys(f.kind for f in found.findings if f.players == found.players))


def _ranking_words(ground: Ground, found: "Robustness") -> list[str]:
    first = found.first
    if first is None:
        return [words.sentence(look_up(found))]
    text = [words.sentence(look_up(found)), *of_kinds(ground, found), *_of_things(ground, found)]
    text.append(
        "The shares say how much of all the variance of win indices over the printings goes with one number alone, seats or things taken "
        "together. What all of them leave open is made by several numbers together, and for the seats at most "
        f"{100 * first.noise:.0f} % by the chance of the games. Intervals hold for all numbers at once; with {found.printings} printings "
        "they are wide, and numbers whose intervals overlap are not told apart. Numbers that exchange places, as in an order, share what "
        "they explain."
    )
    return text


def _of_things(ground: Ground, found: "Robustness") -> list[str]:
    """Return which number matters most to what each thing is worth, where one stands out."""
    assert found.ranking is not None
    text = []
    for f in found.findings:
        best = top(found.ranking, f.kind, f.name) if f.kind and f.name else None
        if best is not None and best.clear:
            text.append(f"{subject(ground, f)} on the {best.input}, {share(best)} of the differences")
    return [words.sentence(f"What a thing is worth depends most, where one number stands out: {'; '.join(text)}")] if text else []


def _ranking(ground: Ground, found: "Robustness") -> list[Block]:
    """Return the tables of inputs: for seats and things together, then one by one."""
    assert found.ranking is not None
    import pandas as pd

    ranking = found.ranking
    if not len(ranking):
        return []
    made: list[Block] = []
    for kind in _kinds(found):
        rows = ranking[(ranking["kind"] == kind) & (ranking["name"] == "")]
        columns = [Column("number", "input"), Column("share of the differences, %", "index", "low", "high", 100, 0, bounds=True)]
        what = f"what the {ground.labels(kind)} are worth" if kind else "how often seats win"
        for part, caption, folded in ((rows[:MOST_INPUTS], what, False), (rows[MOST_INPUTS:], f"{what}: the other numbers", True)):
            if len(part):
                made.append(table(part.reset_index(drop=True), columns, words.sentence(caption).rstrip("."), folded))
    one = []
    for f in found.findings:
        best = top(ranking, f.kind, f.name) if f.name and f.players == found.players else None
        if best:
            one.append({"about": words.sentence(subject(ground, f)).rstrip("."), "input": best.input, **_ends(best), "clear": _clear(best)})
    columns = [
        Column("about", "about"),
        Column("depends most on", "input"),
        Column("share of the differences, %", "index", "low", "high", 100, 0, bounds=True),
        Column("does it stand out?", "clear"),
    ]
    return [*made, table(pd.DataFrame(one), columns, "One by one")] if one else made


def _ends(first: First) -> dict[str, Any]:
    return {"index": first.index, "low": first.low, "high": first.high}


def _clear(first: First) -> str:
    return "yes" if first.clear else "more than chance, but not apart from others" if first.low > 0 else "no, it may be chance"


# --- how they were drawn ------------------------------------------------------------------------------------------------------------------


def _drawn(ground: Ground, found: "Robustness") -> str:
    text = (
        f"{len(found.inputs)} numbers or groups of numbers were drawn, each by itself; a group moves together, as a designer would turn "
        "it. What the rulebook says, what was published and what was given for this run was left as it is. "
    )
    limits = [
        f"{limit.strategy} scores {limit.score[0]} to {limit.score[1]} points a player"
        if limit.score
        else f"with {limit.strategy} each of “{ground.headings.get(limit.used, limit.used)}” has at least {limit.least} %"
        for limit in found.plausible
    ]
    if not limits:
        return text + "No draw was rejected: this game says nothing of what would not be printed."
    rejected = sum(found.rejected.values())
    return text + (
        f"A draw passes as plausible if {words.listed(limits)}. Of {found.draws} draws looked at, "
        f"{words.many(rejected, 'was', 'were') if rejected else 'none was'} rejected."
    )


def ways(draw: str, values: tuple[Any, ...]) -> str:
    """Return in words how an input is drawn."""
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
    return words.listed([str(value).lower() if isinstance(value, bool) else str(value).replace("_", " ") for value in values], "or")


def _inputs(found: "Robustness") -> Table:
    import pandas as pd

    rows = [{"input": it.name, "ways": ways(it.draw, it.values), "numbers": len(it.paths), "key": it.key} for it in found.inputs]
    columns = [
        Column("number or group", "input"),
        Column("drawn", "ways"),
        Column("how many numbers move", "numbers", whole=True),
        Column("path", "key"),
    ]
    return table(pd.DataFrame(rows), columns, f"What was drawn ({len(rows)} inputs)", folded=True)


def _rejected(found: "Robustness") -> list[Block]:
    import pandas as pd

    if not found.rejected:
        return []
    rows = [{"reason": reason, "draws": n} for reason, n in sorted(found.rejected.items(), key=lambda item: -item[1])]
    return [table(pd.DataFrame(rows), [Column("reason", "reason"), Column("draws", "draws", whole=True)], "Draws that were rejected")]


# --- tables -------------------------------------------------------------------------------------------------------------------------------


def frames(found: "Robustness") -> "dict[str, pd.DataFrame]":
    """Return the tables by file name: findings, ranking of inputs, every printing, what was rejected."""
    import pandas as pd

    findings = [
        {"what": f.what, "kind": f.kind, "name": f.name, "players": f.players, "verdict": f.verdict, "index": f.index, "low": f.low}
        | {"high": f.high, "same": f.same, "opposite": f.opposite, "undecided": f.undecided, "least": f.least, "most": f.most}
        for f in found.findings
    ]
    made = {"robustness": pd.DataFrame(findings).astype({"same": "Int64", "opposite": "Int64"})}
    if found.ranking is not None and len(found.ranking):
        made["robustness_inputs"] = found.ranking
    if found.printings:
        rows = []
        for at, number in enumerate(found.accepted):
            row: dict[str, Any] = {"draw": number} | {it.key: word for it, word in zip(found.inputs, found.words[at], strict=True)}
            for i, f in enumerate(found.findings):
                head = f"{f.players} players, {f.kind or 'seats'} {f.name}".strip()
                row |= {head: found.verdicts[at, i], f"{head}: win index": found.values[at, i]}
            rows.append(row)
        made["robustness_printings"] = pd.DataFrame(rows)
    if found.rejected:
        made["robustness_rejected"] = pd.DataFrame([{"reason": reason, "draws": n} for reason, n in found.rejected.items()])
    return made
