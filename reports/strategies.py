"""Does one strategy beat the others? Win shares when all of them meet at one table."""

from analyses import frames as pd
from reports import words
from reports.figures import dots
from reports.parts import Context, Figure, Section, Text, index_scale, shared_limits, shares, top
from reports.seats import wins_and_points, with_ends
from reports.summary import company, strongest
from reports.tables import Column, Columns, table


def section(context: Context) -> Section:
    """Return the section on strategies that meet; empty if none do."""
    lines = [line for n in context.players if (line := company(context, n))]
    if not lines:
        return Section("strategies", "", [])
    limits = shared_limits([line.tables["strategies"] for line in lines], context.survey.margin)
    panels, frames = [], []
    for line in lines:
        t = line.tables["strategies"].dropna(subset=["index"])
        frames.append(t.assign(players=line.players, name=list(t["strategy"])))
        t = t.sort_values("index", ascending=False, kind="stable")
        frame = shares(t, list(t["strategy"]), [context.strategies[s] for s in t["strategy"]])
        word = {"yes": "one beats the others", "no": "fair"}.get(strongest(line), "not sure")
        said = "; ".join(f"{label} wins {text}" for label, text in zip(frame["label"], frame["text"], strict=True))
        alt = f", share of wins by strategy at one table: {word}. {said}"
        panels.append(
            context.panel(dots, frame, index_scale(line.players, line.margin, (), limits), alt, line.players, word)
        )
    bests = [top(t, "index") for t in frames]
    parts = [
        (best["name"], f"{words.percent(best['win_share'], best['low'], best['high'])} with", int(best["players"]))
        for best in bests
    ]
    if len({name for name, _, _ in parts}) == 1:
        listed = words.listed([f"{share} {words.count(n)}" for _, share, n in parts])
        title = f"When all meet, {parts[0][0]} wins most: {listed} players"
    else:
        listed = words.listed([f"{name} ({share} {words.count(n)})" for name, share, n in parts])
        title = f"When all meet, the strongest is {listed} players"
    seated = context.seating(lines[0]) + (", with seats drawn anew for each block" if lines[0].role == "mix" else "")
    note = f"Share of wins for a player with each strategy, {seated}. Line: fair. Shaded: counts as fair."
    columns: Columns = [
        "players",
        Column("strategy", "name", colour=lambda row: context.strategies[row["strategy"]]),
        *wins_and_points(),
    ]
    text = "Only these programs played one another. A person may play in a way that none of them does."
    shown = table(with_ends(pd.concat(frames, ignore_index=True)), columns, "Strategies at one table")
    figure = Figure("Wins of each strategy, all at one table", panels, note)
    return Section("strategies", title, [figure], [Text([text]), shown], "Strategies")
