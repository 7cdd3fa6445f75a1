"""A frame → a figure with a curve and its band: a measure over the values of one number."""

from typing import TYPE_CHECKING

from reports.figures import LETTERS, SETTINGS, WIDTH, Scale, _around, _blank, _colour, _finish, _letters

if TYPE_CHECKING:
    import pandas as pd

MOST_TICKS = 11
INNER, BELOW, ABOVE = 190, 40, 8


def curve(frame: "pd.DataFrame", scale: Scale, name: str, alt: str, width: int = WIDTH) -> str:
    """Draw a curve with its band. A ring marks the printed value, a dashed line the goal.

    Args:
        frame: columns value (number, rising), estimate, low, high, printed (whether it is the printed one), goal (a number or NaN).
        scale: of the *y* axis; its words name the x axis. name: unique in the page. alt: the finding in a sentence. width: of the drawing.

    Returns:
        SVG text.
    """
    import matplotlib as mpl

    x = [float(value) for value in frame["value"]]
    left = max((_letters(t) for _, t in scale.ticks), default=0) + 8
    height = INNER + BELOW + ABOVE
    with mpl.rc_context(SETTINGS):
        figure = _blank(width, height)
        axes = figure.add_axes((left / width, BELOW / height, (width - left - 12) / width, INNER / height), facecolor="none")
        for side in axes.spines.values():
            side.set_visible(False)
        goals = [float(goal) for goal in frame["goal"] if goal == goal][:1]
        low, high = scale.limits or _around([*frame["low"], *frame["high"], *goals], scale)
        axes.set_ylim(low, high)
        room = 0.04 * ((x[-1] - x[0]) or 1)
        axes.set_xlim(x[0] - room, x[-1] + room)
        if scale.band:
            axes.axhspan(*scale.band, color=_colour("band"), lw=0, zorder=0)
        for at, _ in scale.ticks:
            axes.axhline(at, color=_colour("soft" if at == scale.par else "line"), lw=1 if at == scale.par else 0.8, zorder=0.5)
        for goal in goals:
            axes.axhline(goal, color=_colour("ink"), lw=1, ls=(0, (4, 3)), zorder=1.5)
        axes.fill_between(x, list(frame["low"]), list(frame["high"]), color=_colour("accent"), alpha=0.25, lw=0, zorder=1)
        axes.plot(x, list(frame["estimate"]), "o-", color=_colour("accent"), lw=1.8, ms=5, mec=_colour("paper"), mew=0.7, zorder=3)
        ringed = frame[frame["printed"]]
        axes.plot(list(ringed["value"]), list(ringed["estimate"]), "o", mfc="none", mec=_colour("ink"), mew=1.4, ms=11, zorder=4)
        axes.set_yticks([at for at, _ in scale.ticks], [t for _, t in scale.ticks], fontsize=LETTERS - 1, color=_colour("soft"))
        shown = x[:: -(-len(x) // MOST_TICKS)]
        axes.set_xticks(shown, [f"{value:g}" for value in shown], fontsize=LETTERS - 1, color=_colour("soft"))
        axes.set_xlabel(scale.words, fontsize=LETTERS - 1, color=_colour("soft"), labelpad=3)
        axes.tick_params(length=0, pad=4)
        return _finish(figure, name, alt)
