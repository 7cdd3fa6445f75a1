"""Colours and labels for every page, in one place.

Each colour has a token (`seat-1`, `ink`, …). We draw figures with a stand-in colour for each token, and turn it into a
CSS variable in the finished SVG. So one figure is right in light, in dark and on paper.

Seats are numbered discs, things (Kings, …) diamonds, strategies squares: the shape tells the kind, the colour tells
which one. Each palette runs from dark to light, so readers can tell its colours apart if they are colour-blind or print
in grey.
"""

import re
from collections.abc import Mapping, Sequence

from reports.words import capital

# token → (light, dark)
BASE = {
    "ink": ("#1d2430", "#e7e9ee"),
    "soft": ("#566072", "#a5aebd"),
    "line": ("#d4d9e1", "#3a4352"),
    "band": ("#e4ebe6", "#2b3a38"),
    "paper": ("#ffffff", "#151a22"),
    "card": ("#f6f7f9", "#1d2430"),
    "accent": ("#1f5f8b", "#8cc4ea"),
    "lettering": ("#ffffff", "#10151c"),
}
SEATS = (
    ("#1b3a6b", "#8fb3ee"),
    ("#bd3f0d", "#f58a5c"),
    ("#1f7a6f", "#4fc9b8"),
    ("#96620f", "#f0c155"),
    ("#7a6aa8", "#b9a9e8"),
    ("#6d727b", "#c9cdd4"),
)
STRATEGIES = (
    ("#22556e", "#7fc0de"),
    ("#a3324a", "#f08aa0"),
    ("#4d7a1f", "#a5d66a"),
    ("#7b4aa0", "#c9a0ee"),
    ("#c06a10", "#f2a95a"),
    ("#3a8fa8", "#74d3ea"),
    ("#8f7a1c", "#dcc860"),
    ("#6b7280", "#b4bac6"),
)
THINGS = (
    ("#332288", "#a99df0"),
    ("#882255", "#e58bb8"),
    ("#117733", "#62c883"),
    ("#b4485c", "#f2909f"),
    ("#2f8f82", "#66d0c2"),
    ("#a07d12", "#e2c356"),
    ("#4a90b8", "#8ccbee"),
    ("#7d7f86", "#bcc0c8"),
)
# Places in an order are a ramp: the first has the strongest colour, and the last can still be read.
PLACES = (
    ("#0b1220", "#ffffff"),
    ("#2f3b55", "#d3d9e6"),
    ("#46546f", "#b3bccd"),
    ("#586580", "#9aa5ba"),
    ("#656f86", "#8793aa"),
    ("#6c7487", "#7d89a1"),
)
PALETTES = {"seat": SEATS, "strategy": STRATEGIES, "thing": THINGS, "place": PLACES}
TOKENS: dict[str, tuple[str, str]] = {
    **BASE,
    **{f"{kind}-{i}": pair for kind, palette in PALETTES.items() for i, pair in enumerate(palette, 1)},
}
# The stand-in for each token: a colour that nothing else in a figure has.
STAND_IN = {token: f"#0d{i:02x}e9" for i, token in enumerate(TOKENS)}


def token(kind: str, number: int) -> str:
    """Return the colour token of the `number`-th (from 1) seat, strategy or thing; a palette that runs out begins
    again."""
    return f"{kind}-{(number - 1) % len(PALETTES[kind]) + 1}"


def colours(kind: str, names: Sequence[str]) -> dict[str, str]:
    """Return a token for each name, by its place in the sequence."""
    return {name: token(kind, i) for i, name in enumerate(names, 1)}


def variables(dark: bool) -> str:
    """Return the CSS declarations of all colours, for the light or the dark page."""
    return " ".join(f"--{name}: {pair[dark]};" for name, pair in TOKENS.items())


def spoken(name: str) -> str:
    """Return the words of a name in code: `village_tile.3` → `Village tile 3`."""
    return capital(re.sub(r"[._]+", " ", name).strip())


class Labels:
    """Words for the names in a game: its own title if it has one, or else the name made legible."""

    def __init__(self, titles: Mapping[str, str]):
        self.titles = dict(titles)

    def __call__(self, name: object) -> str:
        text = str(name)
        if text in self.titles:
            return self.titles[text]
        tail = text.partition(".")[2]
        return self.titles[tail] if tail in self.titles else spoken(text)

    def short(self, name: object) -> str:
        """Return the words of the part after the first dot; a heading above it says the part before."""
        text = str(name)
        tail = text.partition(".")[2] or text
        if text in self.titles or tail in self.titles:
            return self.titles.get(text) or self.titles[tail]
        if re.fullmatch(r"[\d.]+", tail):
            return tail
        return tail.upper() if re.fullmatch(r"[a-z]\d+", tail) else re.sub(r"[._]+", " ", tail).strip()
