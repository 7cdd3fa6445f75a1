"""Every listing on narrow terminals, and on one that has ASCII only: no number is cut off, no letter is lost."""

import io
import re

import pytest

from scripts import letters, show
from sim import registry

MINE = ["moesteiro", "--strategy", "random_legal", "--players", "2", "--jobs", "1"]
LOG = "game,players,seat,score,winner\n" + "".join(
    f"{game},2,{seat},{70 + game - 10 * seat},{int(seat == 1)}\n" for game in (1, 2) for seat in (1, 2)
)
# Listings, by command: made once, printed at every width.
LISTINGS = {
    "seats": ["pig", "--games", "300", "--strategy", "hold_at", "--strategy", "random_legal"],
    "compare": ["pig", "--games", "300", "--set", "goal=60"],
    "sweep": ["pig", "goal=60..100:20", "--of", "seat:1", "--games", "300"],
    "balance": ["pig", "--change", "goal=100,200", "--trials", "2", "--games", "200", "--max-games", "1000"],
    "playtests": ["pig", "{log}", "--games", "300"],
    "worth": [*MINE, "--games", "120"],
    "robustness": [*MINE, "--games", "40", "--printings", "2"],
    "variants": ["abbates", "--games", "80", *MINE[1:]],
    "rules": ["moesteiro", "--no-measure"],
}  # fmt: skip

SLOW = ("worth", "robustness", "variants")
COMMANDS = [pytest.param(command, marks=pytest.mark.slow) if command in SLOW else command for command in LISTINGS]


@pytest.fixture(scope="module")
def listings(tmp_path_factory):
    """A function: command → the parts of its listing."""
    from scripts import cli

    known, log = {}, tmp_path_factory.mktemp("widths") / "log.csv"
    log.write_text(LOG, encoding="utf-8")

    def parts(command):
        if command not in known:
            with pytest.MonkeyPatch.context() as patch:
                found = known.setdefault(command, [])
                patch.setattr("scripts.question.show", lambda *said: found.extend(said))
                assert cli.run([command, *(word.format(log=log) for word in LISTINGS[command])]) == 0
        return known[command]

    return parts


def printed(parts, monkeypatch, columns, encoding="utf-8"):
    """What a terminal of some width shows."""
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors=letters.LIKE, newline="")
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout", file)
    show.show(*parts)
    file.flush()
    return file.buffer.getvalue().decode(encoding)


def numbers(text):
    """All numbers that stand in a text, as often as they do."""
    return sorted(re.findall(r"\d[\d,.]*", text))


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("columns", [40, 60, 80])
def test_no_number_is_cut_off(listings, monkeypatch, command, columns):
    parts = listings(command)
    wide, narrow = (printed(parts, monkeypatch, width) for width in (1000, columns))
    assert numbers(wide)
    missing = [number for number in set(numbers(wide)) if numbers(narrow).count(number) < numbers(wide).count(number)]
    assert not missing
    assert narrow.count("…") == wide.count("…")
    tables = [part for part in parts if not isinstance(part, str)]
    assert max((len(line) for line in printed(tables, monkeypatch, columns).splitlines()), default=0) <= columns


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_an_ascii_terminal_shows_what_is_like_it(listings, monkeypatch, command):
    parts = listings(command)
    usual, plain = (printed(parts, monkeypatch, 80, encoding) for encoding in ("utf-8", "ascii"))
    assert plain.isascii()
    assert plain.count("?") == usual.count("?")
    assert numbers(plain) == numbers(usual)


def test_letters_that_a_terminal_lacks():
    text = "João I – 1 → 2, −3 × 4 … “Évora” ﬁn\u2009½"
    assert text.encode("ascii", letters.LIKE).decode() == 'Joao I - 1 -> 2, -3 x 4 ... "Evora" fin 1/2'
    assert "–".encode("cp1252", letters.LIKE) == b"\x96"  # who has the letter keeps it
    assert "漢".encode("ascii", letters.LIKE) == b"?"


@pytest.mark.parametrize("game", registry.names())
def test_every_title_of_a_game_has_letters_like_its_own(game):
    titles = registry.load(game).titles.values()
    assert not [title for title in titles if "?" in title.encode("ascii", letters.LIKE).decode()]


def test_a_table_is_listed_where_it_does_not_fit(monkeypatch):
    made = show.table(("seat", "wins %", "between"), [("1", "53.7", "52.9 – 54.4"), ("2", "46.3", "45.6 – 47.1")])
    assert "─" in printed([made], monkeypatch, 40)
    listed = printed([made], monkeypatch, 24).split("\n\n")[0].split("\n")
    assert [line for line in listed if line] == ["seat: 1", "  wins %: 53.7", "  between: 52.9 – 54.4"]


@pytest.mark.slow
def test_a_process_with_an_ascii_terminal(start):
    import os
    import sys

    words = ["-c", "from scripts.cli import main; main()", "seats", "pig", "--games", "200", "--jobs", "1"]
    process = start(sys.executable, *words, env=os.environ | {"PYTHONIOENCODING": "ascii", "COLUMNS": "40"})
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    assert out.isascii()
    assert "?" not in out
    assert " - " in out
