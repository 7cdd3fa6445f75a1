"""Where the points came from, and what players used, by strategy."""

import re

from analyses import frames as pd
from analyses.findings import Line
from reports import levels, style, words
from reports.drawing import Scale
from reports.figures import dots
from reports.parts import Block, Context, Figure, Heading, Section, Text, count_words, ends, top
from reports.tables import Column, matrix, table

MOST_PANELS = 9


def sources(context: Context) -> Section:
    """Return the section on the sources of points."""
    lines = [line for line in context.headlines if "sources" in line.tables and len(line.tables["sources"])]
    if not lines:
        return Section("sources", "", [])
    tables: list[Block] = [_table(context, _company(context, line)) for line in reversed(lines)]
    shown, title = _company(context, lines[-1]), _most(context, _company(context, lines[-1]))
    numbers = [Text([_paragraph(context, lines)]), *tables]
    return Section("sources", title, [_figure(context, shown)], numbers, "Where points come from")


def _company(context: Context, line: Line, table: str = "sources") -> Line:
    """Return the line in which the strategies meet at this number of players, else the line itself."""
    mix = context.line("mix", line.players)
    return mix if mix is not None and table in mix.tables else line


def _heads(line: Line, table: str) -> list[tuple[str, str]]:
    """Return the strategies of a table, each with the title of its column."""
    return [(name, "everybody" if name == "all" else name) for name in dict.fromkeys(line.tables[table]["strategy"])]


def everybody(line: Line, table: str = "sources") -> "pd.DataFrame":
    """Return the rows of a table for all players of a line together."""
    t = line.tables[table]
    return t[t["strategy"] == ("all" if "all" in set(t["strategy"]) else t["strategy"].iloc[0])].reset_index(drop=True)


def _figure(context: Context, line: Line) -> Figure:
    t = line.tables["sources"]
    everyone = everybody(line)
    order = list(
        everyone[everyone["points"] != 0].sort_values("points", ascending=False, kind="stable")["source"]
    ) or list(everyone["source"])
    least, most = ends(t, "points", "low", "high")
    least, most = min(least, 0.0), max(most, 1.0)
    step = next((s for s in (1, 2, 5, 10, 20, 25, 50, 100) if most / s <= 4.5), 200)
    ticks = [(float(v), str(v)) for v in range(0, int(most) + 1, step)]
    panels = []
    names = [name for name, _ in _heads(line, "sources")]
    for name in [n for n in names if n != "all" or len(names) == 1][:MOST_PANELS]:
        part = t[t["strategy"] == name].set_index("source").loc[order].reset_index()
        frame = part.assign(
            label=[context.labels.short(f"points.{s}") for s in part["source"]],
            value=part["points"],
            text=[words.number(*v) for v in zip(part["points"], part["low"], part["high"], strict=True)],
            colour=context.strategies.get(name, style.token("strategy", 1)),
        )
        best, total = top(part, "points"), float(part["points"].sum())
        alt = (
            f"{name}, mean points by source with {count_words(line.players)}: most from "
            f"{context.labels.short('points.' + best['source'])}, "
            f"{words.number(best['points'], best['low'], best['high'])} of {words.fixed(total, 0)}."
        )
        scale = Scale(ticks, 0.0, None, (least - 0.04 * most, 1.04 * most), "points")
        panels.append(context.drawn(dots, frame, scale, words.sentence(alt), name))
    note = (
        f"Mean points by source with {count_words(line.players)}, {context.seating(line)}. Bars: 95 % intervals, "
        "often hidden by the dot."
    )
    return Figure("Points by source", panels, note)


def _most(context: Context, line: Line) -> str:
    t = everybody(line)
    best = top(t, "points")
    total = float(t["points"].sum())
    part = f", {100 * best['points'] / total:.0f} % of all" if total > 0 else ""
    return (
        f"Most points came from {_within(context.labels.short('points.' + best['source']))}: "
        f"{words.number(best['points'], best['low'], best['high'])} of {words.fixed(total, 0)}{part}"
    )


def _within(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() and " " not in text else text


def _paragraph(context: Context, lines: list[Line]) -> str:
    parts = []
    for line in lines:
        company = _company(context, line)
        most = _most(context, company)
        parts.append(f"With {count_words(line.players)} ({context.seating(company)}): {most[:1].lower()}{most[1:]}.")
    return " ".join(parts)


def _table(context: Context, line: Line) -> Block:
    t = line.tables["sources"]
    t = t.assign(label=[context.labels.short(f"points.{s}") for s in t["source"]])
    title = f"{count_words(line.players).capitalize()}: mean points by source, {context.seating(line)}"
    shown = Column("points", "points", "low", "high")
    return matrix(t, Column("source", "label"), "strategy", _heads(line, "sources"), shown, title)


def uses(context: Context) -> Section:
    """Return the section on what players used."""
    lines = [line for line in context.headlines if "uses" in line.tables and len(line.tables["uses"])]
    if not lines:
        return Section("uses", "", [])
    blocks: list[Block] = [*standing_out(context, lines), *levels.uses(context)]
    line = _company(context, lines[-1], "uses")
    t = line.tables["uses"]
    blocks.append(Heading(f"How often, by strategy: {count_words(line.players)}, {context.seating(line)}"))
    shown = Column("uses", "mean", "low", "high", most=3, mark="flag")
    for heading in dict.fromkeys(t["heading"]):
        part = t[t["heading"] == heading]
        part = part.assign(label=[_label(context, p, n) for p, n in zip(part["prefix"], part["name"], strict=True)])
        title = f"{context.labels(heading)}: uses per player and game"
        blocks.append(
            matrix(
                part,
                Column("what", "label"),
                "strategy",
                _heads(line, "uses"),
                shown,
                title,
                folded=len(set(part["label"])) > 8,
            )
        )
    finding, said = _unused(context, lines[-1])
    return Section("uses", finding, [Text([said])], blocks, "What players use")


def _unused(context: Context, line: Line) -> tuple[str, str]:
    """Return how many things nobody ever used with a number of players, and of which kinds."""
    never, who = flagged(line, "never"), f"with {count_words(line.players)}, {context.seating(line)}"
    counts = {context.labels(heading): len(names) for heading, names in never.items()}
    if not counts:
        return "Players used everything that the game offers", f"In {line.games:,} games {who}."
    title = f"Nobody ever used {words.many(sum(counts.values()), 'thing')} that the game offers"
    listed = words.listed([f"{heading} ({n})" for heading, n in counts.items()])
    return title, f"In {line.games:,} games {who}: {listed}."


def _label(context: Context, prefix: str, name: str) -> str:
    return context.labels.short(f"{prefix}.{name}" if prefix != name else name)


def flagged(line: Line, flag: str) -> dict[str, list[tuple[str, str]]]:
    """Return what nobody used ("never") or somebody used in nearly every game ("always"): heading → (prefix, name)."""
    everyone = everybody(line, "uses")
    found: dict[str, list[tuple[str, str]]] = {}
    for row in everyone[everyone["flag"] == flag].itertuples():
        found.setdefault(str(row.heading), []).append((str(row.prefix), str(row.name)))
    return found


def standing_out(context: Context, lines: list[Line]) -> list[Block]:
    """Return tables of what nobody used, and of what somebody used nearly always; a sentence if there is nothing of the
    kind."""
    blocks: list[Block] = []
    for flag, title in (("never", "Never used"), ("always", "Used in at least 99 % of the games")):
        found = [flagged(line, flag) for line in lines]
        headings = list(dict.fromkeys(heading for one in found for heading in one))
        if not headings:
            blocks.append(Text([f"{title}: nothing that the game counts."]))
            continue
        rows = []
        for heading in headings:
            row = {"heading": context.labels(heading)}
            for line, one in zip(lines, found, strict=True):
                row[str(line.players)] = (
                    ", ".join(_runs([_label(context, p, n) for p, n in one.get(heading, [])])) or "none"
                )
            rows.append(row)
        columns = [Column("kind", "heading"), *(Column(count_words(line.players), str(line.players)) for line in lines)]
        games = words.listed([f"{line.games:,}" for line in lines])
        note = f"Nobody used these in {games} games, with {context.seating(lines[0])}." if flag == "never" else ""
        blocks.append(table(rows, columns, title, note=note))
    return blocks


def _runs(names: list[str]) -> list[str]:
    """Return names, with runs of consecutive numbers joined: `B1 to B20`."""
    split = [re.fullmatch(r"(.*?)(\d+)", name) for name in names]
    runs: list[list[int]] = []
    for i, match in enumerate(split):
        last = split[runs[-1][-1]] if runs else None
        if match and last and match[1] == last[1] and int(match[2]) == int(last[2]) + 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    return [names[run[0]] if len(run) == 1 else f"{names[run[0]]} to {names[run[-1]]}" for run in runs]
