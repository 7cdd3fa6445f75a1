"""A person at the terminal: what is refused, records that do not fit and options that are wrong."""

from pathlib import Path

import pytest

from tests.terminal import PIG, lines, write


def with_header(**fields):
    """A change of a record's first line."""
    return lambda told: [{**told[0], **fields}, *told[1:]]


def with_line(n, **fields):
    """A change of a record's line n, from 0."""
    return lambda told: [*told[:n], {**told[n], **fields}, *told[n + 1 :]]


DAMAGED = [
    ("not the beginning", lambda told: told[1:]),
    ("not the beginning", with_header(format=2)),
    ("another game", with_header(game="moesteiro")),
    ("version 0 of the rules", with_header(version="0")),
    ("players", with_header(players=5)),
    ("no players that", with_header(players=True)),
    ("strategies", with_header(strategies=["hold_at"])),
    ("0 persons play", with_header(strategies=["hold_at", "hold_at"])),
    ("2 persons play", with_header(strategies=[None, None])),
    ("line 1: not what", with_header(strategies=[None, "optimal"])),
    ("seed", with_header(seed=-1)),
    ("number", with_header(number="0")),
    ("study", with_header(study=[])),
    ("--strategy: nobody", with_header(study=["nobody"])),
    ("changes", with_header(changes=[1])),
    ("digest", with_header(components="0123456789abcdef")),
    ("digest", with_header(printed={"goal": 99, "faces": 6, "ruin": 1})),
    (
        "printed: goal: found 'many'; allowed a whole number from 1 to 200",
        with_header(printed={"goal": "many", "faces": 6, "ruin": 1}),
    ),
    ("printed: more: found an unknown key", with_header(printed={"goal": 100, "faces": 6, "ruin": 1, "more": 1})),
    ("no printed", with_header(printed=[])),
    ("line 2: not what", with_line(1, phase="step")),
    ("line 3: no choice", with_line(2, choice=3)),
    ("line 3: no choice", with_line(2, choice=True)),
    ("line 3: no choice", with_line(2, choice=0)),
    ("line 3: not what", with_line(2, options=[{"act": 1}, {"act": 0}])),
    ("line 3: not what", with_line(2, player=2)),
    ("line 4: not what", with_line(2, choice=1)),
    ("line 3: no choice", lambda told: [*told[:2], *told[3:]]),
    ("line 5: no choice", lambda told: [*told[:4], told[3], *told[4:]]),
    ("not a line of a record", lambda told: [*told, []]),
    ("line 9: no choice", lambda told: [*told[:8], {"event": "nothing"}]),
    ("line 4: not what", with_header(seed=2)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("said", "change"), DAMAGED)
def test_a_record_that_does_not_fit_is_refused(sit, said, change):
    sit(PIG, ["2", "2", "2", "1"])
    write(change(lines("pig-1-0.jsonl")))
    before = Path("mine.jsonl").read_bytes()
    status, out, err = sit(["play", "pig", "--resume", "mine.jsonl"], ["2"])
    assert (status, out, len(err.splitlines())) == (2, "", 1), err
    assert err.startswith("chapterhouse: ")
    assert said in err
    assert Path("mine.jsonl").read_bytes() == before


def test_a_game_that_goes_on_after_its_end_is_refused(sit):
    sit(PIG, lambda prompt: 1)
    told = lines("pig-1-0.jsonl")
    write([*told, told[-1]])
    status, out, err = sit(["play", "pig", "--resume", "mine.jsonl"], [])
    assert (status, out) == (2, "")
    assert f"line {len(told) + 1}: the game was over before" in err


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"\xff\xfe",
        b"{",
        b"null",
        b"[" * 100_000,
        b'{"event": "game"}',
        b'{"event": 1}',
        b"1" * 5000,
        b"\0" * 99,
    ],
)
def test_a_file_that_is_no_record_is_refused(sit, content):
    Path("mine.jsonl").write_bytes(content)
    status, out, err = sit(["play", "pig", "--resume", "mine.jsonl"], [])
    assert (status, out, len(err.splitlines())) == (2, "", 1), err
    assert err.startswith("chapterhouse: --resume: found 'mine.jsonl', ")


REFUSED = [
    (["play", "pig", "--seat", "3"], "--seat: found '3'; allowed a whole number from 1 to 2"),
    (["play", "pig", "--seat", ""], "--seat: found ''"),
    (["play", "pig", "--game", "-1"], "--game: found '-1'; allowed a whole number from 0"),
    (["play", "pig", "--set", "goal=soon"], "--set: goal: found 'soon'"),
    (["play", "pig", "--save", "mine.txt"], "--save: found 'mine.txt'; allowed a file name that ends in .jsonl"),
    (["play", "pig", "--save", "none/mine.jsonl"], "--save: found 'none/mine.jsonl' (no such file or directory)"),
    (["play", "pig", "--resume", "none.jsonl"], "--resume: found 'none.jsonl', no such file"),
    (["play", "pig", "--resume", "."], "--resume: found '.', not a saved game"),
    (["play", "pig", "--resume", "a\nb"], "--resume: found 'a\\nb', no such file"),
    (["play", "pig", "--resume", "mine.jsonl", "--players", "2"], "--resume: found it together with --players"),
    (["play", "pig", "--resume", "mine.jsonl", "--set", "goal=50"], "--resume: found it together with --set"),
]


@pytest.mark.parametrize(
    ("words", "said"), REFUSED, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_wrong_options_are_refused(sit, tmp_path, words, said):
    status, out, err = sit(words, ["1"])
    assert (status, out, len(err.splitlines())) == (2, "", 1), err
    assert said in err
    assert not list(tmp_path.iterdir())
