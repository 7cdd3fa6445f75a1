"""Frames → figures: dots with intervals and a fair line, courses over rounds."""

from typing import Any

from analyses import frames as pd
from reports.drawing import LETTERS, MOST, WIDTH, Canvas, Drawing, Scale, cut, folded, letters

ROW = 27


def _rows(frame: "pd.DataFrame") -> list[Any]:
    return list(frame.itertuples())


def dots(frame: "pd.DataFrame", scale: Scale, alt: str, width: int = WIDTH) -> Drawing:
    """Draw one dot with its interval for each row.

    Args:
        frame: columns label, value, low, high, colour (token), text (to the right of the plot).
        scale: the x axis. alt: the finding in a sentence. width: of the drawing.
    """
    rows = len(frame)
    labels = [
        "\n".join(cut(line, MOST * width) for line in folded(str(label), 0.4 * width).split("\n"))
        for label in frame["label"]
    ]
    pitch = ROW + 8 if any("\n" in label for label in labels) else ROW
    left = max(letters(line) for label in labels for line in label.split("\n")) + 8
    right = max((letters(t) for t in frame["text"]), default=0) + 10

    def paint(canvas: Canvas) -> None:
        canvas.axis(scale, rows, [*frame["value"], *frame["low"], *frame["high"]])
        for y, row in enumerate(_rows(frame)):
            canvas.bar([row.low, row.high], [y, y], str(row.colour), 2.2)
            canvas.marks([row.value], [y], str(row.colour), 7.5)
            canvas.left(6, y, labels[y])
            canvas.right(8, y, row.text)

    return Drawing(alt, width, rows * pitch, left, right, 22 + (16 if scale.words else 0), paint)


def crowd(frame: "pd.DataFrame", scale: Scale, alt: str, width: int = WIDTH, pitch: float = ROW + 5) -> Drawing:
    """Draw several marked dots in each row.

    Args:
        frame: columns label (the row), mark (in the dot; a dot without one is smaller), value, low, high, colour
            (token).
        scale, alt, width: see `dots`. pitch: height of a row.
    """
    labels = list(dict.fromkeys(frame["label"]))
    left = min(max(letters(t) for t in labels) + 10, 0.36 * width)
    right = max([12, *(letters(t) / 2 for _, t in scale.ticks[-1:])])  # the last tick may be at the end

    def paint(canvas: Canvas) -> None:
        axes, colours = canvas.axes, canvas.colours
        canvas.axis(scale, len(labels), [*frame["value"], *frame["low"], *frame["high"]])
        low, high = axes.get_xlim()
        near = 15 / canvas.room * (high - low)
        for y, label in enumerate(labels):
            canvas.left(8, y, cut(label, 0.38 * width))
            axes.axhline(y + 0.5, color=colours["line"], lw=0.5, zorder=0.4)
            part = frame[frame["label"] == label].sort_values("value", kind="stable")
            last, lane = -1e9, 0
            for row in _rows(part):
                lane = (lane + 1) % 3 if row.value - last < near else 0
                last = row.value
                at = y + (0, -0.27, 0.27)[lane]
                canvas.bar([row.low, row.high], [at, at], str(row.colour), 2)
                canvas.marks([row.value], [at], str(row.colour), 12 if row.mark else 8)
                style: Any = {"ha": "center", "va": "center_baseline", "fontsize": 9, "color": colours["lettering"]}
                axes.text(row.value, at, str(row.mark), zorder=5, **style)

    return Drawing(alt, width, len(labels) * pitch, left, right, 22 + (16 if scale.words else 0), paint)


def courses(frame: "pd.DataFrame", scale: Scale, alt: str, width: int = WIDTH) -> Drawing:
    """Draw a line with intervals for each series over steps (rounds).

    Args:
        frame: columns step (whole number; `words`, if there, names it), series (label at the line's end), value, low,
            high, colour (token).
        scale: of the *y* axis. alt, width: see `dots`.
    """
    steps = sorted(set(frame["step"]))
    names = dict(zip(frame["step"], frame["words"], strict=True)) if "words" in frame else {}
    series = list(dict.fromkeys(frame["series"]))
    left = max((letters(t) for _, t in scale.ticks), default=0) + 8
    right = max(letters(cut(t, MOST * width)) for t in series) + 12
    values, inner = [*frame["value"], *frame["low"], *frame["high"]], 150

    def paint(canvas: Canvas) -> None:
        low, high = canvas.upright(
            scale, values, (steps[0] - 0.25, steps[-1] + 0.25), {s: names.get(s, str(s)) for s in steps}
        )
        ends = {}
        for i, label in enumerate(series):
            part = frame[frame["series"] == label].sort_values("step", kind="stable")
            token = str(part["colour"].iloc[0])
            shift = (i - (len(series) - 1) / 2) * 0.07
            x, y = [step + shift for step in part["step"]], list(part["value"])
            canvas.axes.plot(x, y, color=canvas.colours[token], lw=1.4, zorder=2)
            for at, row in zip(x, _rows(part), strict=True):
                canvas.bar([at, at], [row.low, row.high], token, 1.8)
            canvas.marks(x, y, token, 6, 0.7)
            ends[label] = float(part["value"].iloc[-1])
        for label, at in _apart(ends, (LETTERS + 3) / inner * (high - low), low, high).items():
            canvas.right(6, at, cut(label, MOST * width))

    return Drawing(alt, width, inner, left, right, 38, paint, above=8)


def _apart(ends: dict[str, float], gap: float, low: float, high: float) -> dict[str, float]:
    """Return heights for the labels at the ends of lines: near their lines, but not on top of one another."""
    order = sorted(ends, key=lambda label: ends[label])
    heights = [ends[label] for label in order]
    for _ in range(50):
        for i in range(1, len(heights)):
            if heights[i] - heights[i - 1] < gap:
                middle = (heights[i] + heights[i - 1]) / 2
                heights[i - 1], heights[i] = middle - gap / 2, middle + gap / 2
        heights = [min(max(h, low), high) for h in heights]
    return dict(zip(order, heights, strict=True))
