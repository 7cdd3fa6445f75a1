"""Cells of a CSV file that a spreadsheet would run as a formula: written with an apostrophe before them, and read back without it.

Notes and file names come from whoever made a file, and a spreadsheet runs a cell that begins with = + − or @ as it is opened.
"""

import re

_FORMULA = re.compile(r"(?![+-]?[0-9.]+(?:e[+-]?[0-9]+)?\Z)'*[=+\-@\t\r]", re.IGNORECASE)  # a number is none


def marked(text: str) -> str:
    """Return a text as it is written into a cell."""
    return f"'{text}" if _FORMULA.match(text) else text


def unmarked(text: str) -> str:
    """Return the text that `marked` has made this of; any other text as it is."""
    return text[1:] if text.startswith("'") and marked(text[1:]) == text else text
