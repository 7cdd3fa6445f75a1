"""A log of real games: a CSV file with a row for each player of each game → arrays, or a line for each thing that is wrong.

Written by spreadsheets, so understood with commas, semicolons or tabs, with or without a byte order mark, and with names in any spelling
(`Afonso V`, `afonso_v`). Nothing is left out in silence: one wrong row, and nothing is read.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from analyses.playtest_log import Log
from sim import registry
from sim.contract import WHOLE

if TYPE_CHECKING:
    from sim.contract import Game, Things

FIXED, NOTE = ("game", "players", "seat", "score", "winner"), "note"
YES, NO = ("yes", "y", "1", "true", "x"), ("no", "n", "0", "false")
MOST_POINTS = 999_999
EMPTY_GAMES = 2  # of a template


class LogError(Exception):
    """A log that can't be used.

    Attributes:
        problems: one line for each.
    """

    def __init__(self, problems: Sequence[str]):
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


@dataclass
class Row:
    """One player of one game."""

    line: int
    game: str
    players: int
    seat: int
    score: int
    winner: bool
    held: dict[str, int] = field(default_factory=dict)  # category → index of its label; what is empty was not noted


def noted(game: "Game") -> dict[str, "Things"]:
    """Return the kinds of things that a table can write down: not one for each player and phase."""
    return {kind: things for kind, things in game.things.items() if not things.by_players}


def columns(game: "Game") -> list[str]:
    """Return the columns that a log of a game may have; the first five it must have."""
    return [*FIXED, *(category for things in noted(game).values() for category in things.categories), NOTE]


def template(game: "Game", players: Sequence[int]) -> str:
    """Return a log with games of empty seats: what is left empty is refused, so that no example can pass for a game."""
    heads = columns(game)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(heads)
    number = 0
    for n in players:
        for _ in range(EMPTY_GAMES):
            number += 1
            writer.writerows([number, n, seat, *[""] * (len(heads) - 3)] for seat in range(1, n + 1))
    return text.getvalue()


def allowed(game: "Game") -> dict[str, str]:
    """Return what may stand in each column, in words."""
    said = {
        "game": "a number or name that the rows of one game share",
        "players": _or(registry.contests(game.name)),
        "seat": "1 for who begins, and so on around the table",
        "score": "points at the end, a whole number",
        "winner": "yes or no; several yes if a win is shared",
    }
    for things in noted(game).values():
        names = ", ".join(game.titles.get(label, label) for label in game.categories[things.categories[0]])
        said |= dict.fromkeys(things.categories, f"{names}; empty if not written down")
    return said | {NOTE: "anything; not read"}


def read(data: bytes, name: str, game: "Game") -> list[Log]:
    """Read a log.

    Args:
        data: the file. name: of it, for what is said. game: which was played.

    Returns:
        The games, by number of players.

    Raises:
        LogError: anything is wrong; each wrong row is named by its line.
    """
    found = _Reading(name, game)
    rows = found.rows(decoded(data, name))
    if not found.problems and not rows:
        found.wrong(found.last + 1, "", "no game", "at least one")
    found.check_games(rows)
    if found.problems:
        raise LogError([text for _, text in sorted(found.problems, key=lambda problem: problem[0])])
    return _logs(game, rows)


def decoded(data: bytes, name: str) -> str:
    """Return the text of a file, in whichever encoding a spreadsheet has written it."""
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise LogError([f"{name}: found a spreadsheet; allowed a CSV file (save it as CSV)"])
    codes = ("utf-16",) if data.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "cp1252")
    for code in codes:
        try:
            text = data.decode(code)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise LogError([f"{name}: found bytes that are no text; allowed a CSV file"])


def key(text: str) -> str:
    """Return a name without case, accents, spaces and punctuation."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


def _or(values: Sequence[object]) -> str:
    *most, last = map(str, values)
    return f"{', '.join(most)} or {last}" if most else last


class _Reading:
    """One pass over a log, taking down what is wrong."""

    def __init__(self, name: str, game: "Game"):
        self.name, self.game = name, game
        self.problems: list[tuple[int, str]] = []
        self.last = 0  # line
        self.torn = False  # rows can't be put together into games, so nothing is said of those
        self.broken: set[str] = set()  # games with a row that can't be read: nothing can be said of the whole of them
        self.labels = {category: self._names(labels) for category, labels in game.categories.items()}

    def _names(self, labels: Sequence[str]) -> dict[str, int]:
        titles = {key(self.game.titles.get(label, label)): at for at, label in enumerate(labels)}
        return titles | {key(label): at for at, label in enumerate(labels)}

    def wrong(self, line: int, where: str, found: str, allowed_: str) -> None:
        """Take down something wrong."""
        self.problems.append((line, f"{self.name}, line {line}: {where}{': ' * bool(where)}found {found}; allowed {allowed_}"))

    def rows(self, text: str) -> list[Row]:
        """Return the rows that can be read."""
        heads: list[str] | None = None
        rows = []
        for line, cells in self._lines(text):
            if heads is None:
                heads = self._heads(line, cells)
                if heads is None:
                    break
                continue
            extra = [cell for cell in cells[len(heads) :] if cell]
            if extra:
                self.wrong(line, "", f"{len(cells)} cells, the last {extra[-1]!r}", f"{len(heads)}, as in the first line")
                self.broken.add(cells[heads.index("game")])
                continue
            row = self._row(line, dict(zip(heads, cells)))
            if row is not None:
                rows.append(row)
        if heads is None and not self.problems:
            self.wrong(1, "", "nothing", f"a first line with {', '.join(FIXED)}")
        return rows

    def _lines(self, text: str) -> Iterator[tuple[int, list[str]]]:
        """Yield the cells of each line that has any, without spaces around them."""
        lines = list(io.StringIO(text, newline=""))
        skip = next((at for at, line in enumerate(lines) if line.strip()), 0)
        mark = re.fullmatch(r'"?sep=([,;|\t])"?', lines[skip].strip(" \r\n"), re.IGNORECASE) if lines else None
        skip += mark is not None
        delimiter = mark[1] if mark else self._delimiter(lines[skip:])
        reader = csv.reader(lines[skip:], delimiter=delimiter, strict=True)
        while True:
            line = skip + reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                self.wrong(line, "", f"a cell with a stray quotation mark ({error})", "none, or one at each end of the cell")
                self.torn = True
                return
            self.last = skip + reader.line_num
            if self.last > line:
                self.wrong(line, "", f"a row that goes on to line {self.last}", "a row in one line (is a quotation mark missing?)")
                self.torn = True
            elif any(cell.strip() for cell in cells):
                yield line, [cell.strip() for cell in cells]

    def _delimiter(self, lines: Sequence[str]) -> str:
        """Return what parts the cells of the first line so that most of them are known."""
        known = {key(name) for name in columns(self.game)}
        first = next((line for line in lines if line.strip()), "")
        return max(",;\t|", key=lambda mark: sum(key(cell) in known for cell in first.split(mark)))

    def _heads(self, line: int, cells: Sequence[str]) -> list[str] | None:
        """Return the names of the columns, None if they can't be used."""
        names = {key(name): name for name in columns(self.game)}
        cells = cells[: max(at for at, cell in enumerate(cells) if cell) + 1]
        heads = [names.get(key(cell), "") for cell in cells]
        before = len(self.problems)
        for at, head in enumerate(heads):
            if not head:
                self.wrong(line, "column", repr(cells[at]), ", ".join(columns(self.game)))
            elif head in heads[:at]:
                self.wrong(line, "column", f"{cells[at]!r} twice", "each column once")
        for name in FIXED:
            if name not in heads:
                self.wrong(line, "column", f"no {name!r}", f"all of {', '.join(FIXED)}")
        return heads if len(self.problems) == before else None

    def _row(self, line: int, cells: dict[str, str]) -> Row | None:
        """Return a row, None if a cell of it is wrong."""
        before, game = len(self.problems), cells.get("game", "")
        if not game:
            self.wrong(line, "game", "''", "a number or name that the rows of one game share")
            self.torn = True
        possible = registry.contests(self.game.name)
        players = self._whole(line, cells, "players", min(possible), max(possible), _or(possible))
        if players and players not in possible:
            self.wrong(line, "players", repr(cells["players"]), _or(possible))
        most = players if players in possible else self.game.seats
        seat = self._whole(line, cells, "seat", 1, most, f"1 to {most}")
        score = self._whole(line, cells, "score", -MOST_POINTS, MOST_POINTS, "a whole number")
        winner = cells.get("winner", "").casefold()
        if winner not in YES + NO:
            self.wrong(line, "winner", repr(cells.get("winner", "")), "yes or no")
        row = Row(line, game, players, seat, score, winner in YES)
        for category, text in cells.items():
            if category not in self.labels or not text:
                continue
            label = self.labels[category].get(key(text))
            if label is None:
                names = [self.game.titles.get(name, name) for name in self.game.categories[category]]
                self.wrong(line, category, repr(text), f"{_or(names)}, or empty")
            else:
                row.held[category] = label
        if len(self.problems) > before:
            self.broken.add(game)
            return None
        return row

    def _whole(self, line: int, cells: dict[str, str], name: str, least: int, most: int, words: str) -> int:
        text = cells.get(name, "").replace("\u2212", "-")
        value = int(text) if re.fullmatch(r"[+-]?[0-9]{1,9}", text) else None
        if value is None or not least <= value <= most:
            self.wrong(line, name, repr(cells.get(name, "")), words)
            return 0
        return value

    def check_games(self, rows: Sequence[Row]) -> None:
        """Take down what is wrong with games as wholes."""
        games: dict[str, list[Row]] = {}
        for row in rows:
            if row.game not in self.broken and not self.torn:
                games.setdefault(row.game, []).append(row)
        for name, seats in games.items():
            before = len(self.problems)
            self._check_seats(name, seats)
            if len(self.problems) == before:
                self._check_winners(name, seats)
                self._check_held(name, seats)

    def _check_seats(self, name: str, rows: Sequence[Row]) -> None:
        first, seen = rows[0], dict[int, int]()
        for row in rows:
            if row.players != first.players:
                self.wrong(row.line, f"players: game {name!r}", str(row.players), f"{first.players}, as in line {first.line}")
            if row.seat in seen:
                self.wrong(row.line, f"seat: game {name!r}", f"{row.seat} again", f"each seat once (see line {seen[row.seat]})")
            seen.setdefault(row.seat, row.line)
        absent = [str(seat) for seat in range(1, first.players + 1) if seat not in seen]
        if absent:
            self.wrong(rows[-1].line, f"seat: game {name!r}", f"no seat {_or(absent)}", f"a row for each seat from 1 to {first.players}")

    def _check_winners(self, name: str, rows: Sequence[Row]) -> None:
        best = max(row.score for row in rows)
        if not any(row.winner for row in rows):
            self.wrong(rows[0].line, f"winner: game {name!r}", "nobody", "at least one player with yes")
        for row in rows:
            if row.winner and row.score < best:
                self.wrong(row.line, f"winner: game {name!r}", f"yes with a score of {row.score}", f"yes only with the highest, {best}")

    def _check_held(self, name: str, rows: Sequence[Row]) -> None:
        for category in self.labels:
            seen: dict[int, int] = {}
            for row in rows:
                label = row.held.get(category)
                if label is None:
                    continue
                if label in seen:
                    thing = self.game.titles.get(self.game.categories[category][label], self.game.categories[category][label])
                    self.wrong(
                        row.line, f"{category}: game {name!r}", f"{thing} again", f"each once in this column (see line {seen[label]})"
                    )
                seen.setdefault(label, row.line)


def _logs(game: "Game", rows: Sequence[Row]) -> list[Log]:
    """Return the games as arrays, by number of players, in the order of the log."""
    games: dict[str, list[Row]] = {}
    for row in rows:
        games.setdefault(row.game, []).append(row)
    made = []
    for n in sorted({row.players for row in rows}):
        tables = [sorted(seats, key=lambda row: row.seat) for seats in games.values() if seats[0].players == n]
        winners = np.array([[row.winner for row in seats] for seats in tables])
        share = winners * (WHOLE // winners.sum(axis=1, keepdims=True))
        score = np.array([[row.score for row in seats] for seats in tables], np.int64)
        held = {
            kind: np.array([[[row.held.get(name, -1) for name in things.categories] for row in seats] for seats in tables], np.int64)
            for kind, things in noted(game).items()
        }
        made.append(Log(n, share, score, held))
    return made
