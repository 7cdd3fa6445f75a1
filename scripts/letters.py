"""Substitutes for letters that a stream can't write: a terminal in ASCII gets a hyphen for a dash, and `Joao I`."""

import codecs
import unicodedata

LIKE = "chapterhouse.like"  # the name of the error handler, for `reconfigure(errors=LIKE)`
LIKENESS = {
    "\u2010": "-", "\u2011": "-", "–": "-", "—": "-", "−": "-", "→": "->", "←": "<-",
    "×": "x", "·": ".", "•": "*", "…": "...", "±": "+/-", "≤": "<=",
    "≥": ">=", "≈": "~", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "ß": "ss", "æ": "ae",
    "Æ": "Ae", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "─": "-", "━": "-", "│": "|", "█": "#", "✓": "x", "\u2044": "/",
}  # fmt: skip


def like(letter: str) -> str:
    """Return the closest ASCII for a letter; `?` if there is none."""
    known = LIKENESS.get(letter)
    if known is not None:
        return known
    parts = unicodedata.normalize("NFKD", letter)  # a letter and its accents, a ligature, a superscript, a wide space
    return "".join(LIKENESS.get(part, part) for part in parts).encode("ascii", "ignore").decode() or (
        "" if unicodedata.combining(letter) else "?"
    )


def _handle(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(like, error.object[error.start : error.end])), error.end


codecs.register_error(LIKE, _handle)
