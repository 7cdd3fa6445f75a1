"""What all figures are made of: an axis, what is written beside it, and a drawing that becomes SVG for a page or a part
of a slide.

Drawings are 360 units wide, the width of a phone, so text never shrinks. Several stand side by side where there is
room.
"""

import io
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from reports.style import STAND_IN
from sim.legible import legible_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 360  # units of the drawing, CSS pixels at full size
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


@dataclass(frozen=True)
class Canvas:
    """Where a drawing is painted.

    Attributes:
        axes: of matplotlib. colours: token → colour. room: width of the axes, units.
    """

    axes: "Axes"
    colours: Mapping[str, str]
    room: float

    def axis(self, scale: Scale, rows: int, values: Iterable[float]) -> None:
        """Draw the x axis below so many rows, and what stands behind them; `values` must lie on it."""
        axes, colours = self.axes, self.colours
        self._bare()
        axes.set_xlim(*(scale.limits or _around(values, scale)))
        axes.set_ylim(rows - 0.4, -0.6)
        if scale.band:
            axes.axvspan(*scale.band, color=colours["band"], lw=0, zorder=0)
        if scale.par is not None:
            axes.axvline(scale.par, color=colours["soft"], lw=1, zorder=1)
        for at, _ in scale.ticks:
            if at != scale.par:
                axes.axvline(at, color=colours["line"], lw=0.8, zorder=0.5)
        axes.set_yticks([])
        self._below(scale, dict(scale.ticks))

    def upright(
        self, scale: Scale, values: Iterable[float], ends: tuple[float, float], steps: Mapping[Any, str]
    ) -> tuple[float, float]:
        """Draw what stands behind lines over steps: the y axis, which `scale` describes, and the steps; return the ends
        of the y axis."""
        axes, soft, line = self.axes, self.colours["soft"], self.colours["line"]
        self._bare()
        low, high = scale.limits or _around(values, scale)
        axes.set_ylim(low, high)
        axes.set_xlim(*ends)
        if scale.band:
            axes.axhspan(*scale.band, color=self.colours["band"], lw=0, zorder=0)
        for at, _ in scale.ticks:
            par = at == scale.par
            axes.axhline(at, color=soft if par else line, lw=1 if par else 0.8, zorder=0.5)
        axes.set_yticks([at for at, _ in scale.ticks], [t for _, t in scale.ticks], fontsize=LETTERS - 1, color=soft)
        self._below(scale, steps)
        return low, high

    def _bare(self) -> None:
        for side in self.axes.spines.values():
            side.set_visible(False)

    def _below(self, scale: Scale, ticks: Mapping[Any, str]) -> None:
        soft = self.colours["soft"]
        self.axes.set_xticks(list(ticks), list(ticks.values()), fontsize=LETTERS - 1, color=soft)
        self.axes.tick_params(length=0, pad=4)
        if scale.words:
            self.axes.set_xlabel(scale.words, fontsize=LETTERS - 1, color=soft, labelpad=3)

    def bar(self, x: Sequence[float], y: Sequence[float], token: str, lw: float) -> None:
        """Draw the bar of an interval."""
        self.axes.plot(x, y, color=self.colours[token], lw=lw, solid_capstyle="round", zorder=3)

    def marks(self, x: Sequence[float], y: Sequence[float], token: str, size: float, edge: float = 0.8) -> None:
        """Draw marks, in the shape that tells what they stand for."""
        shape = SHAPES.get(token.partition("-")[0], "o")
        style: Any = {"ls": "none", "mec": self.colours["paper"], "mew": edge, "ms": size}
        self.axes.plot(x, y, shape, color=self.colours[token], zorder=4, **style)

    def left(self, gap: float, y: float, text: object) -> None:
        """Write to the left of the axes, so many units from them."""
        self._beside(-gap / self.room, y, str(text), "right")

    def right(self, gap: float, y: float, text: object) -> None:
        """Write to the right of the axes, so many units from them."""
        self._beside(1 + gap / self.room, y, str(text), "left")

    def _beside(self, x: float, y: float, text: str, side: str) -> None:
        style: Any = {"ha": side, "va": "center", "linespacing": 1.05, "color": self.colours["ink"]}
        self.axes.text(x, y, text, transform=self.axes.get_yaxis_transform(), **style)


@dataclass(frozen=True)
class Drawing:
    """A drawing that can be painted for a page and on a slide.

    Attributes:
        alt: the finding in a sentence. width: units. inner: height of its axes, units. left, right, below, above: room
            around them, for what is written there. paint: paints on a canvas.
    """

    alt: str
    width: float
    inner: float
    left: float
    right: float
    below: float
    paint: Callable[[Canvas], None]
    above: float = 4

    @property
    def height(self) -> float:
        """Its height, units."""
        return self.inner + self.below + self.above

    def on(self, figure: "Figure", colours: Mapping[str, str], x: float = 0, y: float = 0) -> None:
        """Paint it on a figure, `x` units from its left edge and `y` from its lower one; colours: by token."""
        width, height = 72 * figure.get_size_inches()
        room = self.width - self.left - self.right
        box = (x + self.left) / width, (y + self.below) / height, room / width, self.inner / height
        self.paint(Canvas(figure.add_axes(box, facecolor="none"), colours, room))

    def svg(self, name: str) -> str:
        """Return it as SVG for a page: its ids begin with its name, its colours are CSS variables, and screen readers
        read the finding."""
        with settings():
            figure = blank(self.width, self.height)
            figure.patch.set_alpha(0)
            self.on(figure, STAND_IN)
            svg = bare_svg(figure)
        svg = re.sub(r"<[^>]+>", lambda tag: _tag(tag[0], name), svg)
        box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
        assert box
        style = f'style="max-width: {float(box[1]):.0f}px" xmlns:xlink="http://www.w3.org/1999/xlink"'
        return labelled(svg, box[0], self.alt, style)


def settings() -> AbstractContextManager[None]:
    """Return the settings of matplotlib under which everything is painted and saved."""
    import matplotlib as mpl

    return mpl.rc_context(SETTINGS)


def blank(width: float, height: float) -> "Figure":
    """Return an empty figure; its size in units."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width / 72, height / 72))


def bare_svg(figure: "Figure") -> str:
    """Return a figure as SVG without what matplotlib says about it."""
    text = io.StringIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # browsers use other fonts than the one we measure with
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(text, format="svg", facecolor=figure.get_facecolor(), metadata=nothing)
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->\n?", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<defs>\s*<style.*?</defs>", "", svg, count=1, flags=re.DOTALL)
    return re.sub(r"\n\s*", "\n", svg).strip()


def labelled(svg: str, size: str, alt: str, more: str) -> str:
    """Return SVG with a start tag of ours: a size, a text that screen readers read, and more attributes."""
    start = f'<svg {size} role="img" aria-label="{escape(alt, quote=True)}" {more} xmlns="http://www.w3.org/2000/svg">'
    return re.sub(r"<svg [^>]*>", lambda _: start, svg, count=1)


def _tag(tag: str, name: str) -> str:
    """Return a tag of a figure with the page's ids and colours; the text between tags stays as it is."""
    tag = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', tag)
    tag = re.sub(r'(xlink:href="#|url\(#)', rf"\1{name}-", tag)
    tag = re.sub(r"font-family: [^;\"]+;? ?", "", tag)
    for token, colour in STAND_IN.items():
        tag = tag.replace(colour, f"var(--{token})")
    return tag


def _around(values: Iterable[float], scale: Scale) -> tuple[float, float]:
    known = [v for v in values if v == v]
    known += [at for at, _ in scale.ticks] + list(scale.band or ()) + ([scale.par] if scale.par is not None else [])
    low, high = min(known), max(known)
    room = 0.06 * ((high - low) or 1)
    return low - room, high + room


def letters(text: str) -> float:
    """Return about how many units wide a text is."""
    return sum(0.36 if c in "ijltfrI.,:;()'|! " else 0.92 if c in "mwMW%—" else 0.63 for c in text) * LETTERS


def folded(text: str, room: float) -> str:
    """Return a label, in two lines if one would be too long."""
    if letters(text) <= room or " " not in text:
        return text
    parts = text.split(" ")
    at = min(range(1, len(parts)), key=lambda i: max(letters(" ".join(parts[:i])), letters(" ".join(parts[i:]))))
    return " ".join(parts[:at]) + "\n" + " ".join(parts[at:])


def cut(text: str, room: float) -> str:
    """Return a text, without its middle if it is too long: a file may have any name. Tables show all of it."""
    text = legible_line(text)
    keep = len(text)
    while letters(text) > room and keep > 2:
        keep -= 1
        shorter = f"{text[: keep - keep // 2]}…{text[len(text) - keep // 2 :]}"
        if letters(shorter) <= room:
            return shorter
    return text
