"""Figures and tables of a comparison: shares of wins before, after, and their changes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from analyses import frames as pd
from reports import words
from reports.compare.words import moved
from reports.drawing import Scale
from reports.figures import dots
from reports.parts import Figure, Ground, Panel, index_scale, shared_limits
from reports.tables import Column, Columns, Table, records, table
from reports.words import signed

STEPS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
MOST_ROWS = 16  # of a figure
APART = "times as many games apart"


@dataclass(frozen=True)
class Shares:
    """Win indices of seats, things or strategies, ready to be drawn.

    Attributes:
        frame: table with label, colour (token), and index, low, high with _before and _after; change, low, high in win
            index.
        players: their number. margin: what is shaded; None for nothing.
    """

    frame: "pd.DataFrame"
    players: int
    margin: float | None

    def side(self, when: str) -> "pd.DataFrame":
        """Return label, colour, value, low and high "before" or "after"."""
        names = {f"index_{when}": "value", f"index_low_{when}": "low", f"index_high_{when}": "high"}
        return self.frame[["label", "colour", *names]].rename(columns=names)


def shares(
    frame: "pd.DataFrame",
    labels: Sequence[str],
    colours: Sequence[str],
    players: int,
    margin: float | None,
    worth: bool = False,
) -> Shares:
    """Return the shares in a table of seats, strategies or things (`worth`: compared with the average one)."""
    head, factor, fair = ("worth", 1.0, 1.0) if worth else ("win_share", float(players), 0.0)
    made = frame[[]].assign(label=list(labels), colour=list(colours))
    for when in ("before", "after"):
        for name, own in (("index", f"{head}_{when}"), ("index_low", f"low_{when}"), ("index_high", f"high_{when}")):
            made[f"{name}_{when}"] = fair + factor * frame[own]
    for name in ("change", "low", "high"):
        made[name] = factor * frame[name]
    return Shares(made, players, margin)


def change_scale(ends: Sequence[float], text: str) -> Scale:
    """Return an axis of changes around zero that is long enough for all these ends."""
    reach = max((abs(end) for end in ends if end == end and abs(end) < 1e9), default=1.0) or 1.0
    step = next((s for s in STEPS if reach / s <= 2.6), 50)
    places = 2 if step < 0.1 else 1 if step < 1 else 0
    ticks = [
        (k * step, "0" if not k else signed(k * step, places)) for k in range(-2, 3) if abs(k * step) <= 1.06 * reach
    ]
    return Scale(ticks, 0.0, None, (-1.1 * reach, 1.1 * reach), text)


def panels(ground: Ground, found: Shares, what: str) -> list[Panel]:
    """Return shares of wins before and after on one axis, and their changes; `what` they are of, as in `share of wins
    by seat`."""
    n, sides = found.players, {when: found.side(when) for when in ("before", "after")}
    limits = shared_limits(list(sides.values()), found.margin or 0.1, "low", "high")
    made = []
    for when, frame in sides.items():
        text = [
            words.percent(*(v / n for v in row))
            for row in zip(frame["value"], frame["low"], frame["high"], strict=True)
        ]
        said = "; ".join(f"{label} {share}" for label, share in zip(frame["label"], text, strict=True))
        scale = index_scale(n, found.margin, (), limits)
        made.append(
            ground.drawn(
                dots, frame.assign(text=text), scale, words.sentence(f"{what} {when}: {said}"), when.capitalize()
            )
        )
    factor = 100 / n
    frame = found.frame.rename(columns={"change": "value"})
    frame = frame.assign(**{name: factor * frame[name] for name in ("value", "low", "high")})
    return [*made, changes_panel(ground, frame, f"{what}, change", "more or fewer wins in 100 games", "Change")]


def changes_panel(
    ground: Ground, frame: "pd.DataFrame", what: str, unit: str, caption: str = "", most: int = 2
) -> Panel:
    """Return a panel of changes, with at most so many decimals; `frame` has label, colour, value, low, high."""
    rows = zip(frame["value"], frame["low"], frame["high"], strict=True)
    text = [signed(row[0], words.decimals(words.half_width(*row), most)) for row in rows]
    said = "; ".join(f"{label} {change}" for label, change in zip(frame["label"], text, strict=True))
    scale = change_scale([*frame["low"], *frame["high"]], unit)
    return ground.drawn(dots, frame.assign(text=text), scale, words.sentence(f"{what}: {said}"), caption)


def shares_table(found: Shares, frame: "pd.DataFrame", head: str, caption: str, more: Columns = ()) -> Table:
    """Return the table of what a figure of shares shows.

    Args:
        found: what is shown. frame: the table that it was made from; columns of it that are not in `found` can be shown
            by `more`.
        head: title of the first column. caption: of the table.
    """
    n = found.players
    extra = [name for name in frame.columns if name not in found.frame.columns]
    columns: Columns = [
        Column(head, "label", colour=lambda row: row["colour"]),
        Column("wins before, %", "index_before", "index_low_before", "index_high_before", 100 / n),
        Column("wins after, %", "index_after", "index_low_after", "index_high_after", 100 / n),
        Column("change, wins in 100 games", "change", "low", "high", 100 / n, bounds=True),
        *more,
        *together(),
    ]
    note = (
        "From, to: ends of the 95 % interval of the column before. The last two columns are explained under “How it "
        "was compared”."
    )
    return table(found.frame.assign(**{name: frame[name] for name in extra}), columns, caption, note=note)


def together() -> list[Column]:
    """Return the columns that show what it brings to play both games with the same dice and draws."""
    return [Column("goes together", "correlation"), Column(APART, "games_saved", most=1)]


def count_changes(
    ground: Ground,
    frame: "pd.DataFrame",
    label: Callable[[dict[str, Any]], str],
    title: Callable[[dict[str, Any], str], str],
    unit: str,
    what: str,
    most: int = 2,
) -> Figure | None:
    """Return a figure of the means that change by more than chance, the largest change first; None if none does.

    Args:
        frame: columns before, after, change, low, high, and what `label` needs. label: of a row.
        title: of the figure, from the largest row and the words for its change. unit: below the axis. what: what a row
            is called.
        most: decimals.
    """
    sure = largest(frame)
    if not len(sure):
        return None
    shown = sure.head(MOST_ROWS)
    drawn = pd.DataFrame(
        {"label": [label(row) for row in records(shown)], "value": list(shown["change"]), "colour": "strategy-1"}
    )
    drawn = drawn.assign(low=list(shown["low"]), high=list(shown["high"]))
    top = records(shown)[0]
    left = f" The {MOST_ROWS} largest of {len(sure)} are shown." if len(sure) > MOST_ROWS else ""
    note = (
        f"Each {what} whose mean per player and game changes by more than chance. Bars: 95 % intervals, often "
        f"hidden by the dot.{left}"
    )
    said = title(top, moved(top["change"], top["low"], top["high"], most=most))
    return Figure(said, [changes_panel(ground, drawn, said, unit, most=most)], note)


def largest(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return the rows that change by more than chance, the largest change first."""
    sure = frame[(frame["low"] > 0) | (frame["high"] < 0)]
    return sure.reindex(sure["change"].abs().sort_values(ascending=False, kind="stable").index).reset_index(drop=True)


def means_table(frame: "pd.DataFrame", heads: Columns, caption: str, folded: bool = True, most: int = 2) -> Table:
    """Return a table of means before and after, with at most so many decimals; `heads` come first."""
    half = (frame["high"] - frame["low"]) / 2  # sides are shown with the digits of the change
    for when in ("before", "after"):
        frame = frame.assign(**{f"low_{when}": frame[when] - half, f"high_{when}": frame[when] + half})
    sides = [Column(when, when, f"low_{when}", f"high_{when}", most=most) for when in ("before", "after")]
    return table(
        frame, [*heads, *sides, Column("change", "change", "low", "high", bounds=True, most=most)], caption, folded
    )
