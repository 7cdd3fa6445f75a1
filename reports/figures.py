"""Frames → figures: dots with intervals and a fair line, courses over rounds. Each function returns an SVG, ready for
the page.

Figures are 360 units wide, the width of a phone, so text never shrinks. Several stand side by side where there is room.
"""

import io
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from analyses import frames as pd
from reports.style import STAND_IN
from sim.legible import legible_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 360  # units of the drawing, CSS pixels at full size
ROW = 27
LETTERS = 12
MOST = 0.55  # of the width, for one line of a label
SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "chapterhouse",
    "font.family": "sans-serif",
    "font.size": LETTERS,
    "path.simplify": False,
    "axes.unicode_minus": True,
    "text.parse_math": False,
}
SHAPES = {"seat": "o", "strategy": "s", "thing": "D"}


@dataclass(frozen=True)
class Scale:
    """The x axis of a figure: the fair value, what lies inside the margin, the ticks with their words, and a title
    below."""

    ticks: Sequence[tuple[float, str]] = ()
    par: float | None = None
    band: tuple[float, float] | None = None
    limits: tuple[float, float] | None = None
    words: str = ""


@dataclass
class Ids:
    """Hands out names for the figures of a page, so no two ids are the same."""

    taken: int = field(default=0)

    def __call__(self) -> str:
        self.taken += 1
        return f"f{self.taken}"


def _colour(token: str) -> str:
    return STAND_IN[token]


def _shape(token: str) -> str:
    return SHAPES.get(token.partition("-")[0], "o")


@contextmanager
def _plot(
    width: float, left: float, right: float, below: float, inner: float, above: float = 4
) -> "Iterator[tuple[Figure, Axes]]":
    """Give an empty figure and its axes, `inner` high, with room around them for what is written there."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    height = inner + below + above
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=(width / 72, height / 72))
        figure.patch.set_alpha(0)
        yield (
            figure,
            figure.add_axes(
                (left / width, below / height, (width - left - right) / width, inner / height), facecolor="none"
            ),
        )


def _finish(figure: "Figure", name: str, alt: str) -> str:
    """Return the figure as SVG: its ids begin with its name, its colours are CSS variables, and screen readers read the
    finding."""
    text = io.StringIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # browsers use other fonts than the one we measure with
        figure.savefig(
            text, format="svg", transparent=True, metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
        )
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->\n?", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<defs>\s*<style.*?</defs>", "", svg, count=1, flags=re.DOTALL)
    svg = re.sub(r"<[^>]+>", lambda tag: _tag(tag[0], name), svg)
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert box
    label = escape(alt, quote=True)
    start = (
        f'<svg viewBox="0 0 {box[1]} {box[2]}" role="img" aria-label="{label}" style="max-width: {float(box[1]):.0f}px"'
    )
    start += ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
    svg = re.sub(r"<svg [^>]*>", lambda _: start, svg, count=1)
    return re.sub(r"\n\s*", "\n", svg).strip()


def _tag(tag: str, name: str) -> str:
    """Return a tag of a figure with the page's ids and colours; the text between tags stays as it is."""
    tag = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', tag)
    tag = re.sub(r'(xlink:href="#|url\(#)', rf"\1{name}-", tag)
    tag = re.sub(r"font-family: [^;\"]+;? ?", "", tag)
    for token, colour in STAND_IN.items():
        tag = tag.replace(colour, f"var(--{token})")
    return tag


def _axis(axes: Any, scale: Scale, rows: int, values: Iterable[float]) -> None:
    low, high = scale.limits or _around(values, scale)
    axes.set_xlim(low, high)
    axes.set_ylim(rows - 0.4, -0.6)
    for side in axes.spines.values():
        side.set_visible(False)
    if scale.band:
        axes.axvspan(*scale.band, color=_colour("band"), lw=0, zorder=0)
    if scale.par is not None:
        axes.axvline(scale.par, color=_colour("soft"), lw=1, zorder=1)
    for at, _ in scale.ticks:
        if at != scale.par:
            axes.axvline(at, color=_colour("line"), lw=0.8, zorder=0.5)
    axes.set_yticks([])
    axes.set_xticks(
        [at for at, _ in scale.ticks], [words for _, words in scale.ticks], fontsize=LETTERS - 1, color=_colour("soft")
    )
    axes.tick_params(length=0, pad=4)
    if scale.words:
        axes.set_xlabel(scale.words, fontsize=LETTERS - 1, color=_colour("soft"), labelpad=3)


def _upright(
    axes: Any, scale: Scale, values: Iterable[float], ends: tuple[float, float], steps: Mapping[Any, str]
) -> tuple[float, float]:
    """Draw what stands behind lines over steps: the y axis, which `scale` describes, and the steps; return the ends of
    the y axis."""
    for side in axes.spines.values():
        side.set_visible(False)
    low, high = scale.limits or _around(values, scale)
    axes.set_ylim(low, high)
    axes.set_xlim(*ends)
    if scale.band:
        axes.axhspan(*scale.band, color=_colour("band"), lw=0, zorder=0)
    for at, _ in scale.ticks:
        axes.axhline(
            at, color=_colour("soft" if at == scale.par else "line"), lw=1 if at == scale.par else 0.8, zorder=0.5
        )
    axes.set_yticks(
        [at for at, _ in scale.ticks], [t for _, t in scale.ticks], fontsize=LETTERS - 1, color=_colour("soft")
    )
    axes.set_xticks(list(steps), list(steps.values()), fontsize=LETTERS - 1, color=_colour("soft"))
    axes.set_xlabel(scale.words, fontsize=LETTERS - 1, color=_colour("soft"), labelpad=3)
    axes.tick_params(length=0, pad=4)
    return low, high


def _rows(frame: "pd.DataFrame") -> list[Any]:
    return list(frame.itertuples())


def _beside(axes: Any, x: float, y: float, text: object) -> None:
    """Write beside the plot: to its left if `x` is below 0, to its right if `x` is above 1."""
    side = "right" if x < 0 else "left"
    axes.text(
        x,
        y,
        str(text),
        transform=axes.get_yaxis_transform(),
        ha=side,
        va="center",
        linespacing=1.05,
        color=_colour("ink"),
    )


def _around(values: Iterable[float], scale: Scale) -> tuple[float, float]:
    known = [v for v in values if v == v]
    known += [at for at, _ in scale.ticks] + list(scale.band or ()) + ([scale.par] if scale.par is not None else [])
    low, high = min(known), max(known)
    room = 0.06 * ((high - low) or 1)
    return low - room, high + room


def _letters(text: str) -> float:
    """Return about how many units wide a text is."""
    return sum(0.36 if c in "ijltfrI.,:;()'|! " else 0.92 if c in "mwMW%—" else 0.63 for c in text) * LETTERS


def _folded(text: str, room: float) -> str:
    """Return a label, in two lines if one would be too long."""
    if _letters(text) <= room or " " not in text:
        return text
    parts = text.split(" ")
    at = min(range(1, len(parts)), key=lambda i: max(_letters(" ".join(parts[:i])), _letters(" ".join(parts[i:]))))
    return " ".join(parts[:at]) + "\n" + " ".join(parts[at:])


def _cut(text: str, room: float) -> str:
    """Return a text, without its middle if it is too long: a file may have any name. Tables show all of it."""
    text = legible_line(text)
    keep = len(text)
    while _letters(text) > room and keep > 2:
        keep -= 1
        shorter = f"{text[: keep - keep // 2]}…{text[len(text) - keep // 2 :]}"
        if _letters(shorter) <= room:
            return shorter
    return text


def dots(frame: "pd.DataFrame", scale: Scale, name: str, alt: str, width: int = WIDTH) -> str:
    """Draw one dot with its interval for each row.

    Args:
        frame: columns label, value, low, high, colour (token), text (to the right of the plot).
        scale: the x axis. name: unique in the page. alt: the finding in a sentence.
        width: of the drawing.

    Returns:
        SVG text.
    """
    rows = len(frame)
    room = 0.4 * width
    labels = [
        "\n".join(_cut(line, MOST * width) for line in _folded(str(label), room).split("\n"))
        for label in frame["label"]
    ]
    pitch = ROW + 8 if any("\n" in label for label in labels) else ROW
    left = max(_letters(line) for label in labels for line in label.split("\n")) + 8
    right = max((_letters(t) for t in frame["text"]), default=0) + 10
    with _plot(width, left, right, 22 + (16 if scale.words else 0), rows * pitch) as (figure, axes):
        _axis(axes, scale, rows, [*frame["value"], *frame["low"], *frame["high"]])
        for y, row in enumerate(_rows(frame)):
            colour = _colour(str(row.colour))
            axes.plot([row.low, row.high], [y, y], color=colour, lw=2.2, solid_capstyle="round", zorder=3)
            axes.plot(
                [row.value], [y], _shape(str(row.colour)), color=colour, ms=7.5, mec=_colour("paper"), mew=0.8, zorder=4
            )
            _beside(axes, -6 / (width - left - right), y, labels[y])
            _beside(axes, 1 + 8 / (width - left - right), y, row.text)
        return _finish(figure, name, alt)


def crowd(frame: "pd.DataFrame", scale: Scale, name: str, alt: str, width: int = WIDTH, pitch: float = ROW + 5) -> str:
    """Draw several marked dots in each row.

    Args:
        frame: columns label (the row), mark (in the dot; a dot without one is smaller), value, low, high, colour
            (token).
        scale, name, alt, width: see `dots`. pitch: height of a row.

    Returns:
        SVG text.
    """
    labels = list(dict.fromkeys(frame["label"]))
    left = min(max(_letters(t) for t in labels) + 10, 0.36 * width)
    with _plot(width, left, 12, 22 + (16 if scale.words else 0), len(labels) * pitch) as (figure, axes):
        _axis(axes, scale, len(labels), [*frame["value"], *frame["low"], *frame["high"]])
        low, high = axes.get_xlim()
        near = 15 / (width - left - 12) * (high - low)
        for y, label in enumerate(labels):
            _beside(axes, -8 / (width - left - 12), y, _cut(label, 0.38 * width))
            axes.axhline(y + 0.5, color=_colour("line"), lw=0.5, zorder=0.4)
            part = frame[frame["label"] == label].sort_values("value", kind="stable")
            last, lane = -1e9, 0
            for row in _rows(part):
                lane = (lane + 1) % 3 if row.value - last < near else 0
                last = row.value
                at = y + (0, -0.27, 0.27)[lane]
                colour = _colour(str(row.colour))
                axes.plot([row.low, row.high], [at, at], color=colour, lw=2, solid_capstyle="round", zorder=3)
                axes.plot(
                    [row.value],
                    [at],
                    _shape(str(row.colour)),
                    color=colour,
                    ms=12 if row.mark else 8,
                    mew=0.8,
                    mec=_colour("paper"),
                    zorder=4,
                )
                axes.text(
                    row.value,
                    at,
                    str(row.mark),
                    ha="center",
                    va="center_baseline",
                    fontsize=9,
                    color=_colour("lettering"),
                    zorder=5,
                )
        return _finish(figure, name, alt)


def courses(frame: "pd.DataFrame", scale: Scale, name: str, alt: str, width: int = WIDTH) -> str:
    """Draw a line with intervals for each series over steps (rounds).

    Args:
        frame: columns step (whole number; `words`, if there, names it), series (label at the line's end), value, low,
            high, colour (token).
        scale: of the *y* axis. name, alt, width: see `dots`.

    Returns:
        SVG text.
    """
    steps = sorted(set(frame["step"]))
    names = dict(zip(frame["step"], frame["words"], strict=True)) if "words" in frame else {}
    series = list(dict.fromkeys(frame["series"]))
    left = max((_letters(t) for _, t in scale.ticks), default=0) + 8
    right = max(_letters(_cut(t, MOST * width)) for t in series) + 12
    values, inner = [*frame["value"], *frame["low"], *frame["high"]], 150
    with _plot(width, left, right, 38, inner, 8) as (figure, axes):
        low, high = _upright(
            axes, scale, values, (steps[0] - 0.25, steps[-1] + 0.25), {s: names.get(s, str(s)) for s in steps}
        )
        ends = {}
        for i, label in enumerate(series):
            part = frame[frame["series"] == label].sort_values("step", kind="stable")
            colour = _colour(str(part["colour"].iloc[0]))
            shift = (i - (len(series) - 1) / 2) * 0.07
            x = [step + shift for step in part["step"]]
            axes.plot(x, list(part["value"]), color=colour, lw=1.4, zorder=2)
            for at, row in zip(x, _rows(part), strict=True):
                axes.plot([at, at], [row.low, row.high], color=colour, lw=1.8, solid_capstyle="round", zorder=3)
            shape = _shape(str(part["colour"].iloc[0]))
            axes.plot(
                x, list(part["value"]), shape, color=colour, ms=6, mec=_colour("paper"), mew=0.7, ls="none", zorder=4
            )
            ends[label] = float(part["value"].iloc[-1])
        for label, at in _apart(ends, (LETTERS + 3) / inner * (high - low), low, high).items():
            _beside(axes, 1 + 6 / (width - left - right), at, _cut(label, MOST * width))
        return _finish(figure, name, alt)


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
