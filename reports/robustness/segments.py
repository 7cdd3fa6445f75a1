"""Counts that add up to a whole → a bar for each row, cut into segments with their numbers in them."""

from collections.abc import Sequence
from typing import Any

from reports.drawing import LETTERS, WIDTH, Canvas, Drawing, letters

TOP, ROW, BAR = 22, 42, 17
DIGIT = 7.5  # units


def bars(
    rows: Sequence[tuple[str, Sequence[int]]], parts: Sequence[tuple[str, str, str]], alt: str, width: int = WIDTH
) -> Drawing:
    """Draw a bar for each row with its label above it, and a legend for the segments on top.

    Args:
        rows: label and counts, one for each part. parts: word, colour token of the segment, colour token of the number
            in it.
        alt: the finding in a sentence. width: of the drawing.
    """
    height = TOP + ROW * len(rows) + 2

    def paint(canvas: Canvas) -> None:
        axes = canvas.axes
        axes.set_axis_off()
        axes.set_xlim(0, width)
        axes.set_ylim(height, 0)
        x = 0.0
        for word, colour, _ in parts:
            _box(canvas, x, 3, 11, 11, colour)
            _text(canvas, x + 16, 13, word, "soft")
            x += 16 + letters(word) + 14
        for at, (label, counts) in enumerate(rows):
            top, whole, x = TOP + ROW * at, sum(counts), 0.0
            _text(canvas, 0, top + 12, label, "ink")
            for count, (_, colour, lettering) in zip(counts, parts, strict=True):
                long = width * count / whole if whole else 0
                if long:
                    _box(canvas, x, top + 17, max(long - 1, 0.5), BAR, colour)
                if long >= DIGIT * len(str(count)) + 2:  # else it would not fit
                    inset = min(5, (long - DIGIT * len(str(count))) / 2)
                    _text(canvas, x + inset, top + 17 + BAR - 4.5, str(count), lettering)
                x += long

    return Drawing(alt, width, height, 0, 0, 0, paint, above=0)


def _box(canvas: Canvas, x: float, y: float, width: float, height: float, token: str) -> None:
    style: Any = {"color": canvas.colours[token], "align": "edge", "lw": 0}
    canvas.axes.bar(x, height, width, y, **style)


def _text(canvas: Canvas, x: float, y: float, text: str, token: str) -> None:
    canvas.axes.text(x, y, text, fontsize=LETTERS, color=canvas.colours[token])
