"""Files that were right, with something done to them: to their bytes, or to what they say."""

import json
from typing import Any

from hypothesis import strategies as st

TOKENS = [
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\r", b"\n", b"\n\n", b"\t", b'"', b'"""', b"'", b"'''", b",", b";",
    b"=", b".", b"#", b"-", b"+",
    b"[", b"]", b"[[", b"]]", b"{", b"}", b"\\", b"\\u0000", b"\\ud800", b"9" * 40, b"9" * 5000, b"0x" + b"f" * 5000,
    b"1e999", b"nan", b"inf", b"-1",
    b"0", b"true", b"null", b"1979-05-27", b"07:32:00", b"1.5", b"[" * 3000, b"{a=" * 300, b"a." * 3000,
    b'"' + b"x" * 9000 + b'"', b"{}", b"[]",
    "\u202e".encode(), "\u2028".encode(), "٣".encode(), b"\x1b[31m", b"=cmd|' /C calc'!A0", b"<script>", b"[source]\n",
    b"\ngoal = 1\ngoal = 2\n",
    b"rules.", b"policy = ", b"sep=;\n",
]  # fmt: skip
THINGS = [
    None, True, False, 0, 1, -1, 2, 10**30, -(10**30), 10**400, 1.5, 1e308, float("inf"), float("nan"), "", "x", "1",
    "end", "game", "decision", "\ud800",
    "\u202e", "x" * 5000, "<script>", [], {}, [[]], [None], {"event": "end"}, {"": 1}, [1] * 50, ["hold_at", None],
    ["hold_at"],
]  # fmt: skip
HALF_DEEP = "[" * 9_000


@st.composite
def files(draw: st.DrawFn, whole: bytes) -> bytes:
    """Some bytes with up to four changes: cut, torn out, doubled, moved, overwritten, or with something in between."""
    data = whole
    for _ in range(draw(st.integers(1, 4))):
        at, to = sorted((draw(st.integers(0, len(data))), draw(st.integers(0, len(data)))))
        to = min(to, at + draw(st.sampled_from([1, 2, 10, 100, len(data) or 1])))
        token = draw(st.sampled_from(TOKENS) | st.binary(max_size=4))
        data = draw(
            st.sampled_from(
                [
                    data[:at],
                    data[:at] + data[to:],
                    data[:to] + data[at:],
                    data[to:] + data[:at],
                    data[:at] + token + data[to:],
                    data[:at] + token + data[at:],
                    data[: (line := data.rfind(b"\n", 0, at) + 1)] + data[data.find(b"\n", at) + 1 :],
                    data[:line] + token + b"\n" + data[line:],
                ]
            )
        )
    return data


@st.composite
def values(draw: st.DrawFn, whole: Any) -> Any:
    """What JSON says, with one value somewhere in it replaced, left out or under another name."""
    if not isinstance(whole, dict | list) or not whole or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(THINGS))
    if isinstance(whole, list):
        at = draw(st.integers(0, len(whole) - 1))
        how = draw(st.integers(0, 5))
        return [
            *whole[:at],
            *([] if how == 0 else [draw(values(whole[at]))] * (2 if how == 1 else 1)),
            *whole[at + 1 :],
        ]
    key = draw(st.sampled_from(list(whole)))
    how = draw(st.integers(0, 5))
    if how == 0:
        return {name: value for name, value in whole.items() if name != key}
    return {**whole, (f"{key}?" if how == 1 else key): draw(values(whole[key]))}


@st.composite
def json_lines(draw: st.DrawFn, whole: list[Any]) -> bytes:
    """JSON lines of which one or two say something else."""
    lines = list(whole)
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(lines) - 1) | st.integers(0, min(3, len(lines) - 1)))
        lines[at] = draw(values(lines[at]))
    texts = [json.dumps(line) for line in lines]
    if draw(st.integers(0, 30)) == 0:
        texts[draw(st.integers(0, len(texts) - 1))] = HALF_DEEP
    return "\n".join(texts).encode()


@st.composite
def moved(draw: st.DrawFn, whole: list[Any]) -> bytes:
    """JSON lines of which a few were copied, moved or left out."""
    lines = list(whole)
    for _ in range(draw(st.integers(1, 3))):
        at, to = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
        some = lines[at : at + draw(st.integers(1, 5))]
        if draw(st.booleans()):
            del lines[at : at + len(some)]
        lines[to:to] = some if draw(st.integers(0, 4)) else []
    return "\n".join(map(json.dumps, lines)).encode()
