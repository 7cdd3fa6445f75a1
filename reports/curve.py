"""A frame → a figure with a curve and its band: a measure over the values of one number."""

from typing import Any

from analyses import frames as pd
from reports.drawing import WIDTH, Canvas, Drawing, Scale, letters

MOST_TICKS = 11


def curve(frame: "pd.DataFrame", scale: Scale, alt: str, width: int = WIDTH) -> Drawing:
    """Draw a curve with its band. A ring marks the printed value, a dashed line the goal.

    Args:
        frame: columns value (number, rising), estimate, low, high, printed (whether it is the printed one), goal (a
            number or NaN).
        scale: of the *y* axis; its words name the x axis. alt: the finding in a sentence. width: of the drawing.
    """
    x, y = [float(value) for value in frame["value"]], list(frame["estimate"])
    left = max((letters(t) for _, t in scale.ticks), default=0) + 8
    goals = [float(goal) for goal in frame["goal"] if goal == goal][:1]
    room = 0.04 * ((x[-1] - x[0]) or 1)
    steps = {value: f"{value:g}" for value in x[:: -(-len(x) // MOST_TICKS)]}

    def paint(canvas: Canvas) -> None:
        axes, colours = canvas.axes, canvas.colours
        canvas.upright(scale, [*frame["low"], *frame["high"], *goals], (x[0] - room, x[-1] + room), steps)
        for goal in goals:
            axes.axhline(goal, color=colours["ink"], lw=1, ls=(0, (4, 3)), zorder=1.5)
        axes.fill_between(x, list(frame["low"]), list(frame["high"]), color=colours["accent"], alpha=0.25, lw=0)
        axes.plot(x, y, color=colours["accent"], lw=1.8, zorder=3)
        canvas.marks(x, y, "accent", 5, 0.7)
        ringed = frame[frame["printed"]]
        ring: Any = {"mfc": "none", "mec": colours["ink"], "mew": 1.4, "ms": 11}
        axes.plot(list(ringed["value"]), list(ringed["estimate"]), "o", zorder=4, **ring)

    return Drawing(alt, width, 190, left, 12, 40, paint, above=8)
