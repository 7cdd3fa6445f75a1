"""A frame → a figure with a curve and its band: a measure over the values of one number."""

from analyses import frames as pd
from reports.figures import WIDTH, Scale, _colour, _finish, _letters, _plot, _upright

MOST_TICKS = 11


def curve(frame: "pd.DataFrame", scale: Scale, name: str, alt: str, width: int = WIDTH) -> str:
    """Draw a curve with its band. A ring marks the printed value, a dashed line the goal.

    Args:
        frame: columns value (number, rising), estimate, low, high, printed (whether it is the printed one), goal (a
            number or NaN).
        scale: of the *y* axis; its words name the x axis. name: unique in the page. alt: the finding in a sentence.
            width: of the drawing.

    Returns:
        SVG text.
    """
    x = [float(value) for value in frame["value"]]
    left = max((_letters(t) for _, t in scale.ticks), default=0) + 8
    goals = [float(goal) for goal in frame["goal"] if goal == goal][:1]
    room = 0.04 * ((x[-1] - x[0]) or 1)
    steps = {value: f"{value:g}" for value in x[:: -(-len(x) // MOST_TICKS)]}
    with _plot(width, left, 12, 40, 190, 8) as (figure, axes):
        _upright(axes, scale, [*frame["low"], *frame["high"], *goals], (x[0] - room, x[-1] + room), steps)
        for goal in goals:
            axes.axhline(goal, color=_colour("ink"), lw=1, ls=(0, (4, 3)), zorder=1.5)
        axes.fill_between(
            x, list(frame["low"]), list(frame["high"]), color=_colour("accent"), alpha=0.25, lw=0, zorder=1
        )
        axes.plot(
            x,
            list(frame["estimate"]),
            "o-",
            color=_colour("accent"),
            lw=1.8,
            ms=5,
            mec=_colour("paper"),
            mew=0.7,
            zorder=3,
        )
        ringed = frame[frame["printed"]]
        axes.plot(
            list(ringed["value"]),
            list(ringed["estimate"]),
            "o",
            mfc="none",
            mec=_colour("ink"),
            mew=1.4,
            ms=11,
            zorder=4,
        )
        return _finish(figure, name, alt)
