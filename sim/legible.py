"""Text from a user's file or file name, made safe to show: nothing invisible steers a terminal, reverses letters or
breaks a line.

Files keep their texts as they are. Everything that prints them or writes them for people sends them through here.
"""

import json
import re
import sys
from typing import Any

MOST_LETTERS = 1_000  # of a line that says what is wrong
# Controls but tab and newline, marks that turn the direction, letters without width, tags, halves of letters. Joiners
# belong into Persian words and into emoji: they stay between letters that are not ASCII.
UNSEEN = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e"
    "\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\ud800-\\udfff\\U0001d173-\\U0001d17a\\U000e0000-\\U000e007f]"
    "|(?<![^\\x00-\\x7f])[\\u200c\\u200d]|[\\u200c\\u200d](?![^\\x00-\\x7f])"
)


def _as_written(found: "re.Match[str]") -> str:
    return repr(found[0])[1:-1]


def legible(text: str) -> str:
    """Return a text, of one line or several, with invisible characters as Python writes them."""
    return UNSEEN.sub(_as_written, text)


def legible_line(text: str) -> str:
    """Return a text as one line, with tabs and newlines as Python writes them."""
    return legible(text).replace("\t", "\\t").replace("\n", "\\n")


def one_line(text: str) -> str:
    """Return a text as one printable line of limited length."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    half = MOST_LETTERS // 2
    return line if len(line) <= MOST_LETTERS else f"{line[:half]} … {line[-half:]}"


def ascii_json(value: Any, indent: int | None = None) -> str:
    """Return JSON in printable ASCII, which is the same in every locale."""
    return json.dumps(value, indent=indent).replace("\x7f", "\\u007f")


def say(line: str) -> None:
    """Print a line on standard error."""
    print(one_line(line), file=sys.stderr, flush=True)
