"""Cells of a CSV file that a spreadsheet would run as formulas: we write them with an apostrophe in front, and read
them back without it.

Notes and file names come from anybody who makes a file, and when a spreadsheet opens it, it runs any cell that begins
with = + − or @.
"""

import re

from sim.legible import legible

_FORMULA = re.compile(  # a number is none; the last four of those that begin one are wide = + - @
    r"(?![+-]?[0-9.]+(?:e[+-]?[0-9]+)?\Z)'*[=+\-@\t\n\uff1d\uff0b\uff0d\uff20]", re.IGNORECASE
)


def marked(text: str) -> str:
    """Return a text as it is written into a cell: legible, its lines ended by `\\n` alone, and no formula."""
    text = legible(text.replace("\r\n", "\n").replace("\r", "\n"))
    return f"'{text}" if _FORMULA.match(text) else text


def unmarked(text: str) -> str:
    """Return the text that `marked` has made this of; any other text as it is."""
    return text[1:] if text.startswith("'") and marked(text[1:]) == text else text
