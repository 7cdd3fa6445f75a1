"""Where an advantage comes from: win share by place in each order of a round, and points after each round."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from analyses import frames as pd
from analyses.findings import Line
from reports import style, words
from reports.drawing import Scale
from reports.figures import courses
from reports.parts import (
    Block,
    Context,
    Figure,
    Section,
    count_words,
    ends,
    extremes,
    furthest,
    index_scale,
    seat_colour,
    shared_limits,
)
from reports.tables import Column, Columns, Table, matrix, table

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def orders(context: Context) -> Section:
    """Return the section on each order of the game: how often the first, second, … in it wins, round by round."""
    lines = [line for line in context.headlines if "places" in line.tables and len(line.tables["places"])]
    if not lines:
        return Section("places", "", [])
    found = [_order(context, lines, order) for order in dict.fromkeys(
        name for line in lines for name in line.tables["places"]["order"]
    )]  # fmt: skip
    far = max(found, key=lambda one: one.far)
    numbers: list[Block] = [one.figure for one in found if one is not far]
    return Section("places", far.title, [far.figure], [*numbers, *(one.table for one in found)], "Places in an order")


@dataclass(frozen=True)
class _Order:
    """What the places in an order do: how far the furthest is from fair, in win index, then the words and drawings."""

    far: float
    title: str
    figure: Figure
    table: Table


def _order(context: Context, lines: Sequence[Line], order: str) -> _Order:
    frames = []
    for line in lines:
        t = line.tables["places"]
        t = t[t["order"] == order].dropna(subset=["win_share"])
        n = line.players
        indices = {"index": t["win_share"] * n, "index_low": t["low"] * n, "index_high": t["high"] * n}
        frames.append(t.assign(**indices, players=n))
    limits, panels = shared_limits(frames, context.survey.margin), []
    for line, t in zip(lines, frames, strict=True):
        columns = {"value": t["index"], "low": t["index_low"], "high": t["index_high"]}
        frame = t.assign(step=t["round"], series=[ORDINALS[p - 1] for p in t["place"]], **columns)
        frame = frame.assign(colour=[f"place-{p}" for p in t["place"]])
        alt = (
            f", share of wins by place in the {context.within(order)}, by round. Furthest from the fair "
            f"{words.par(line.players)}: {_place(furthest(t))}."
        )
        scale = replace(index_scale(line.players, line.margin, (), limits), words="round")
        panels.append(context.panel(courses, frame, scale, alt, line.players))
    every = pd.concat(frames, ignore_index=True)
    own = every[~_seats(lines, every)]
    far = furthest(own if len(own) else every)
    games = f"{words.players(int(far['players']))} games"
    title = f"{context.labels(order)}: furthest from fair is {_place(far)} of {games}"
    columns_: Columns = ["players", "round", "place", Column("wins, %", "win_share", "low", "high", 100, bounds=True)]
    figure = Figure(f"Wins by place in the {context.within(order)}, by round", panels, "Shaded: counts as fair.")
    shown = table(every, columns_, f"Wins by place in the {context.within(order)}")
    return _Order(abs(float(far["index"]) - 1), title, figure, shown)


def _seats(lines: Sequence[Line], every: "pd.DataFrame") -> Any:
    """Return which rows only repeat the seats, as the first round does where the seats decide its order: bool
    (rows,)."""
    seats = {line.players: sorted(line.tables["seats"]["win_share"]) for line in lines}
    rounds = every.groupby(["players", "round"])["win_share"]
    own = {at: sorted(shares) for at, shares in rounds}
    same = [
        len(own[n, r]) == n and all(abs(a - b) < 1e-9 for a, b in zip(own[n, r], seats[n], strict=True))
        for n, r in zip(every["players"], every["round"], strict=True)
    ]
    return pd.Series(same, index=every.index)


def _place(r: Any) -> str:
    share = words.percent(r["win_share"], r["low"], r["high"])
    return f"being {ORDINALS[int(r['place']) - 1]} in round {int(r['round'])}, which wins {share}"


def growth(context: Context) -> Section:
    """Return the section on points after each round, by seat. The figure shows the distance from the table's mean."""
    lines = [line for line in context.headlines if "growth" in line.tables and len(line.tables["growth"])]
    if not lines:
        return Section("growth", "", [])
    frames = []
    for line in lines:
        t = line.tables["growth"].assign(words="")
        last = int(t["round"].max())
        end = line.tables["seats"][["seat", "mean_score", "score_low", "score_high"]].assign(
            round=last + 1, words="end"
        )
        end = end.rename(columns={"mean_score": "points", "score_low": "low", "score_high": "high"})
        t = pd.concat([t.assign(words=t["round"].astype(str)), end], ignore_index=True)
        mean = t.groupby("round")["points"].transform("mean")
        frames.append(
            t.assign(value=t["points"] - mean, low_=t["low"] - mean, high_=t["high"] - mean, players=line.players)
        )
    every = pd.concat(frames, ignore_index=True)
    reach = max(map(abs, ends(every, "value", "low_", "high_")))
    scale = race_scale(reach, next((s for s in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20) if reach / s <= 3), 50.0))
    panels = []
    for line, t in zip(lines, frames, strict=True):
        colour = [style.token("seat", s) for s in t["seat"]]
        frame = t.assign(
            step=t["round"], series=[f"Seat {s}" for s in t["seat"]], low=t["low_"], high=t["high_"], colour=colour
        )
        alt = f", points after each round by seat, compared with the table's mean. {_lead(t)}: {_when(t)}"
        panels.append(context.panel(courses, frame, scale, alt, line.players))
    most = frames[-1]
    lead = _lead(most)
    title = f"With {count_words(int(most['players'].iloc[0]))}, {lead[:1].lower()}{lead[1:]}: {_when(most)}"
    every = every.assign(seats=[f"{n} players, seat {s}" for n, s in zip(every["players"], every["seat"], strict=True)])
    heads = [(word, "at the end" if word == "end" else f"after round {word}") for word in dict.fromkeys(every["words"])]
    down, shown = Column("seat", "seats", colour=seat_colour), Column("points", "points", "low", "high")
    tidy = matrix(every, down, "words", heads, shown, "Mean points after each round, and at the end of the game")
    return Section("growth", title, [Figure("Points ahead of the table's mean", panels)], [tidy], "Points by round")


def race_scale(reach: float, step: float) -> Scale:
    """Return an axis of points ahead of the table's mean, with a tick at every step."""
    marks = [k * step for k in range(-int(reach / step), int(reach / step) + 1)]
    ticks = [(v, f"{'+' if v > 0 else ''}{words.plain(v, 1)}") for v in marks]
    return Scale(ticks, 0.0, None, (-1.08 * reach, 1.08 * reach), "points ahead of the table's mean, after round")


def _gap(t: "pd.DataFrame", words_: str) -> tuple[Any, Any, float]:
    part = t[t["words"] == words_]
    first, behind = extremes(part, "points")
    return first, behind, float(first["points"] - behind["points"])


def _lead(t: "pd.DataFrame") -> str:
    first, behind, gap = _gap(t, "end")
    if first["low"] <= behind["high"]:
        return "No seat is clearly ahead in points at the end"
    half = max(words.half_width(r["points"], r["low"], r["high"]) for r in (first, behind))
    far = words.fixed(gap, words.decimals(half))
    return f"Seat {int(first['seat'])} ends {far} points ahead of seat {int(behind['seat'])}"


def _when(t: "pd.DataFrame") -> str:
    steps = list(dict.fromkeys(t["words"]))
    _, _, before = _gap(t, steps[-2])
    _, _, after = _gap(t, "end")
    if after > 2 * before:
        return f"most of that gap opens after round {steps[-2]}, in the final scoring"
    return f"after round {steps[-2]} the gap between first and last was {words.plain(before, 1)} points"
