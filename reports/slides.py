"""Figures to take away: each on a slide of its own, as SVG and PNG, with its title, its note and its source."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import Any

from analyses.survey import versions
from reports import style, words
from reports.drawing import LETTERS, WIDTH, bare_svg, blank, labelled, letters, settings
from reports.parts import Figure, Panel, Part
from sim.legible import legible, legible_line

RATIO = 9 / 16
PIXELS = 1920  # the width of a PNG
LEAST = 540  # units, the width of a slide: if it were less, what stands in a figure would be larger than its title
COLOURS = {token: light for token, (light, _) in style.TOKENS.items()}
CAPTION, GAP = 20, 26  # units, above a panel and between panels
# In widths of a slide.
EDGE = 0.04
TITLE, UNDER, NOTE = 0.029, 0.02, 0.0145
LINE = 1.3  # of the size of letters
BOLD = 1.12  # as wide as other letters


@dataclass(frozen=True)
class Slide:
    """A figure on a slide; title: what it shows. source: where it comes from, in a line."""

    title: str
    figure: Figure
    source: str

    @cached_property
    def head(self) -> list[tuple[str, float, str]]:
        """The lines above the panels: text, size, colour."""
        found = [(line, TITLE, "ink") for line in _lines(self.title, TITLE * BOLD)]
        under = self.figure.title if self.figure.title != self.title else ""
        return found + [(line, UNDER, "soft") for line in _lines(under, UNDER * BOLD) if line]

    @cached_property
    def foot(self) -> list[str]:
        """The lines below them."""
        return [line for text in (self.figure.note, self.source) if text for line in _lines(text, NOTE)]

    @property
    def room(self) -> tuple[float, float]:
        """Where panels may stand, from and to how far above its lower edge, in widths of the slide."""
        head, foot = LINE * sum(size for _, size, _ in self.head), LINE * NOTE * len(self.foot)
        return 1.3 * EDGE + foot, RATIO - 1.3 * EDGE - head

    def rows(self) -> tuple[float, list[list[Panel]]]:
        """Return the width of the slide, units, and its rows of panels: those that show them largest."""
        low, high = self.room
        panels, found = self.figure.panels, []
        for across in range(1, len(panels) + 1):
            rows = [panels[at : at + across] for at in range(0, len(panels), across)]
            wide, tall = across * WIDTH + (across - 1) * GAP, sum(map(_height, rows)) + (len(rows) - 1) * GAP
            found.append((max(LEAST, wide / (1 - 2 * EDGE), tall / (high - low)), rows))
        return min(found, key=lambda pair: pair[0])

    def write(self, folder: Path, name: str) -> None:
        """Write it as SVG and PNG."""
        with settings(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph", UserWarning)  # of letters that our font does not have
            width, rows = self.rows()
            drawn = blank(width, RATIO * width)
            drawn.set_facecolor(COLOURS["paper"])
            self._letter(drawn, width)
            low, high = (width * end for end in self.room)
            free = high - low - sum(map(_height, rows)) - (len(rows) - 1) * GAP
            across = max(map(len, rows))
            side = (width - across * WIDTH - (across - 1) * GAP) / 2
            top = high - free / 2
            for row in rows:
                for at, panel in enumerate(row):
                    x, head = side + at * (WIDTH + GAP), CAPTION if panel.caption else 0
                    panel.drawing.on(drawn, COLOURS, x, top - head - panel.drawing.height)
                    self._text(drawn, x, top, panel.caption, LETTERS, "soft", weight="bold")
                top -= _height(row) + GAP
            alts = (panel.drawing.alt for panel in self.figure.panels)
            alt = legible_line(" ".join([words.sentence(self.title), *alts]))
            size = f'viewBox="0 0 {width:.2f} {RATIO * width:.2f}" width="{PIXELS}" height="{RATIO * PIXELS:.0f}"'
            svg = labelled(bare_svg(drawn), size, alt, 'xmlns:xlink="http://www.w3.org/1999/xlink"')
            (folder / f"{name}.svg").write_bytes(legible(svg).encode())
            about = {"Title": legible_line(self.title), "Description": alt, "Source": self.source, "Software": None}
            drawn.savefig(folder / f"{name}.png", dpi=72 * PIXELS / width, metadata=about)

    def _letter(self, drawn: Any, width: float) -> None:
        """Write what stands above and below the panels."""
        y = RATIO - EDGE
        for line, size, colour in self.head:
            self._text(drawn, EDGE * width, y * width, line, size * width, colour, weight="bold")
            y -= LINE * size
        y = EDGE + LINE * NOTE * (len(self.foot) - 0.3)
        for line in self.foot:
            self._text(drawn, EDGE * width, y * width, line, NOTE * width, "soft")
            y -= LINE * NOTE

    def _text(self, drawn: Any, x: float, y: float, text: str, size: float, token: str, **more: Any) -> None:
        wide, tall = 72 * drawn.get_size_inches()
        drawn.text(x / wide, y / tall, text, va="top", fontsize=size, color=COLOURS[token], **more)


def write(part: Part, folder: Path) -> dict[str, Path]:
    """Write all figures of a page, each as SVG and PNG.

    Args:
        part: the page. folder: we make it if it is missing, and replace files of the same names.

    Returns:
        The PNG of each figure, by its name (`Part.figures`).
    """
    folder.mkdir(parents=True, exist_ok=True)
    found, version = part.found, versions()["chapterhouse"]
    said = found.title, part.kicker, f"{part.games:,} games, seed {found.seed}", found.notice
    source = " ".join([*(words.sentence(text) for text in said if text), f"Made by chapterhouse {version}."])
    for name, (title, figure) in part.figures.items():
        Slide(title, figure, source).write(folder, name)
    return {name: folder / f"{name}.png" for name in part.figures}


def _height(row: Sequence[Panel]) -> float:
    """Return the height of a row of panels, units."""
    return max(panel.drawing.height + (CAPTION if panel.caption else 0) for panel in row)


def _lines(text: str, size: float) -> list[str]:
    """Return a text in lines that are no wider than a slide; size: of its letters, in widths of the slide."""
    most = ceil((1 - 2 * EDGE) * LETTERS / size)
    lines = [""]
    for word in legible_line(text).split():
        longer = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], longer] if not lines[-1] or letters(longer) <= most else [*lines, word]
    return lines
