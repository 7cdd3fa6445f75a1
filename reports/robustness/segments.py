"""Counts that add up to a whole → a bar for each row, cut into segments with their numbers in them."""

from collections.abc import Sequence
from html import escape

WIDTH, ROW, BAR, LETTERS = 360, 42, 17, 12
DIGIT = 7.5  # units


def bars(
    rows: Sequence[tuple[str, Sequence[int]]], parts: Sequence[tuple[str, str, str]], alt: str, width: int = WIDTH
) -> str:
    """Draw a bar for each row with its label above it, and a legend for the segments on top.

    Args:
        rows: label and counts, one for each part. parts: word, colour token of the segment, colour token of the number
            in it.
        alt: the finding in a sentence. width: of the drawing.

    Returns:
        SVG text; colours are the page's own variables.
    """
    height = 22 + ROW * len(rows) + 2
    drawn = [*_legend(parts)]
    for at, (label, counts) in enumerate(rows):
        top = 22 + ROW * at
        drawn.append(_text(0, top + 12, label, "ink"))
        whole, x = sum(counts), 0.0
        for count, (_, colour, lettering) in zip(counts, parts, strict=True):
            long = width * count / whole if whole else 0
            if long:
                drawn.append(
                    f'<rect x="{x:.1f}" y="{top + 17}" width="{max(long - 1, 0.5):.1f}" height="{BAR}" '
                    f'fill="var(--{colour})"/>'
                )
            if long >= DIGIT * len(str(count)) + 2:  # else it would not fit
                drawn.append(
                    _text(x + min(5, (long - DIGIT * len(str(count))) / 2), top + 17 + BAR - 4.5, str(count), lettering)
                )
            x += long
    label = escape(alt, quote=True)
    head = f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{label}" style="max-width: {width}px"'
    return "\n".join([f'{head} xmlns="http://www.w3.org/2000/svg">', *drawn, "</svg>"])


def _legend(parts: Sequence[tuple[str, str, str]]) -> list[str]:
    drawn, x = [], 0.0
    for word, colour, _ in parts:
        drawn.append(f'<rect x="{x:.1f}" y="3" width="11" height="11" fill="var(--{colour})"/>')
        drawn.append(_text(x + 16, 13, word, "soft"))
        x += 16 + 0.62 * LETTERS * len(word) + 14
    return drawn


def _text(x: float, y: float, text: str, colour: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{LETTERS}" fill="var(--{colour})">{escape(text)}</text>'
