"""A log of real games: a table that people write → arrays, or a line for each kind of thing that is wrong.

A row for each player of each game, or one for its winner. Scores may be missing, and winners where scores tell them;
what was left out or taken to be so is said in `RealGames.remarks`. A wrong row is never left out: then nothing is read.
"""

import csv
import io
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from analyses.playtests.log import Log
from sim import registry
from sim.contract import WHOLE, Game, Things
from sim.printed.cells import folded, truth, whole
from sim.printed.model import shown
from sim.printed.sheets import Problem, Sheet, SheetError, grouped, read_sheet
from sim.words.wording import joined

FIXED, NOTE = ("game", "players", "seat", "score", "winner"), "note"
NEEDED = ("game", "players")
MOST_POINTS = 999_999
EMPTY_GAMES = 2  # of a template
ROWS = "a row for each seat of a game, or only the winner's"


class LogError(Exception):
    """A log that can't be used.

    Attributes:
        problems: one line for each kind.
    """

    def __init__(self, problems: Sequence[str]):
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True)
class RealGames:
    """A log that was read.

    Attributes:
        logs: one for each number of players. left_out: games with another number of players than asked for.
        remarks: on what was not read, what is missing and what was taken to be so; a line each, printable.
    """

    logs: list[Log]
    left_out: int
    remarks: tuple[str, ...]


@dataclass
class LogRow:
    """One player of one game; a score or a winner that was not written down is None."""

    line: int
    game: str
    players: int
    seat: int
    score: int | None
    winner: bool | None
    held: dict[str, int] = field(default_factory=dict)  # category → index of its label; what is empty was not noted


@dataclass
class RealGame:
    """One game: winners are seats from 1; scores, in the order of the seats, are None unless all were written down."""

    players: int
    winners: list[int]
    scores: list[int] | None
    rows: list[LogRow]


def noted(game: Game) -> dict[str, "Things"]:
    """Return the kinds of things that a table can write down: not one for each player and phase."""
    return {kind: things for kind, things in game.things.items() if not things.by_players}


def columns(game: Game) -> list[str]:
    """Return the columns that a log of a game may have; of the first five it needs `NEEDED` and a seat or a winner."""
    return [*FIXED, *(category for things in noted(game).values() for category in things.categories), NOTE]


def template(game: Game, players: Sequence[int]) -> str:
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


def allowed(game: Game) -> dict[str, str]:
    """Return what may stand in each column, in words."""
    said = {
        "game": "a number or name that the rows of one game share",
        "players": _or(registry.contests(game.name)),
        "seat": "1 for who begins, and so on around the table",
        "score": "points at the end, a whole number; empty if not written down",
        "winner": "yes or no, or an x beside the winner; several if a win is shared; empty if the scores tell",
    }
    for things in noted(game).values():
        names = ", ".join(game.titles.get(label, label) for label in game.categories[things.categories[0]])
        said |= dict.fromkeys(things.categories, f"{names}; empty if there is none, or it was not written down")
    return said | {NOTE: "anything; not read"}


def read(data: bytes, name: str, game: Game, only: Collection[int] = ()) -> RealGames:
    """Read a log.

    Args:
        data: the file. name: of it, for what is said. game: which was played.
        only: numbers of players; rows of games with others are left out and counted. Empty: no other may stand there.

    Raises:
        LogError: anything is wrong; rows are named by their lines.
    """
    labels = {label: game.titles.get(label, label) for names in game.categories.values() for label in names}
    try:
        sheet = read_sheet(data, {column: column for column in columns(game)}, NEEDED, [*labels, *labels.values()])
        if not {"seat", "winner"} & set(sheet.columns):
            raise SheetError(sheet.heading, "neither a column 'seat' nor 'winner'", "at least one of them")
    except SheetError as error:
        raise LogError([f"{name}{', ' if error.line else ': '}{error}"]) from None
    reading = _Reading(game, sheet, only)
    games = reading.games()
    if not games and not reading.problems and not reading.left:
        reading.wrong(sheet.heading + 1, "", "no game", "at least one")
    if reading.problems:
        raise LogError(
            [f"{name}{', ' if text.startswith('line') else ': '}{text}" for text in grouped(reading.problems)]
        )
    return RealGames(_logs(game, games), len(reading.left), (*sheet.remarks, *reading.remarks(games)))


def _or(values: Sequence[object]) -> str:
    *most, last = map(str, values)
    return f"{', '.join(most)} or {last}" if most else last


class _Reading:
    """One pass over a log, taking down what is wrong and what must be said."""

    def __init__(self, game: Game, sheet: Sheet, only: Collection[int]):
        self.game, self.sheet, self.only = game, sheet, only
        self.possible = registry.contests(game.name)
        self.problems: list[Problem] = []
        self.left: set[str] = set()  # games with other numbers of players
        self.torn = False  # rows can't be put together into games, so nothing is said of those
        self.broken: set[str] = set()  # games with a row that can't be read: nothing can be said of the whole of them
        self.labels = {
            category: self._names(labels) for category, labels in game.categories.items() if category in sheet.columns
        }
        self.alone = self.zeros = False  # one row a game, the winner's; no score but 0
        self.untold = self.tied = 0  # games that name no winner, and those of them in which the best scores tie
        self.unheld = 0  # games with things, of winners only: whoever holds one has won, so they are left out

    def _names(self, labels: Sequence[str]) -> dict[str, int]:
        titles = {folded(self.game.titles.get(label, label)): at for at, label in enumerate(labels)}
        return titles | {folded(label): at for at, label in enumerate(labels)}

    def wrong(self, line: int, where: str, found: str, allowed_: str) -> None:
        """Take down something wrong."""
        self.problems.append(Problem(line, where, found, allowed_))

    def games(self) -> list[RealGame]:
        """Return the games that can be read."""
        seats = "seat" in self.sheet.columns
        rows = [
            row
            for each in self.sheet.rows
            for row in (self._rows(each.line, each.cells) if seats else self._winners(each.line, each.cells))
        ]
        scores = {row.score for row in rows} - {None}
        self.zeros = scores == {0}
        if self.zeros:
            for row in rows:
                row.score = None
        named: dict[str, list[LogRow]] = {}
        for row in rows:
            named.setdefault(row.game, []).append(row)
        told = "winner" in self.sheet.columns
        self.alone = not told and not scores and all(len(rows) == 1 for rows in named.values())
        whole_ = {} if self.torn else {name: rows for name, rows in named.items() if name not in self.broken}
        return [played for name, rows in whole_.items() if (played := self._game(name, rows)) is not None]

    # --- rows ---

    def _players(self, line: int, cells: dict[str, str]) -> int:
        """Return the number of players; 0 if it is wrong, or none of those that are asked for."""
        if not cells["game"]:
            self.wrong(line, "game", "", "a number or name that the rows of one game share")
            self.torn = True
        players = whole(cells["players"])
        if self.only and players is not None and players > 0 and players not in self.only:
            self.left.add(cells["game"])
            return 0
        if players not in self.possible:
            others = "" if self.only or not players or players < 1 else "; --players leaves other games out"
            self.wrong(
                line, "players", shown(cells["players"]) if cells["players"] else "", _or(self.possible) + others
            )
            self.broken.add(cells["game"])
            return 0
        return int(players)

    def _winners(self, line: int, cells: dict[str, str]) -> Iterator[LogRow]:
        """Yield a row for each winner in a row of a table without seats: its column `winner` holds their seats."""
        players = self._players(line, cells)
        if not players:
            return
        parts = (
            re.split(r"\s*(?:[,;/&+]|and)\s*", cells["winner"]) if whole(cells["winner"]) is None else [cells["winner"]]
        )
        for seat in map(whole, parts):
            if seat is None or not 1 <= seat <= players:
                self._cell(line, "winner", cells, f"the winner's seat, 1 to {players} (there is no column 'seat')")
                self.broken.add(cells["game"])
                return
            yield LogRow(line, cells["game"], players, seat, None, True)

    def _rows(self, line: int, cells: dict[str, str]) -> Iterator[LogRow]:
        """Yield the row of a player, if no cell of it is wrong."""
        players, before = self._players(line, cells), len(self.problems)
        if not players:
            return
        seat, score, text = whole(cells["seat"]), cells.get("score", ""), cells.get("winner", "")
        if seat is None or not 1 <= seat <= players:
            self._cell(line, "seat", cells, f"1 to {players}")
        points, winner = whole(score) if score else None, truth(text) if text else None
        if score and (points is None or abs(points) > MOST_POINTS):
            self._cell(line, "score", cells, "a whole number")
        if text and winner is None:
            self._cell(line, "winner", cells, "yes or no")
        held = {}
        for category, labels in self.labels.items():
            if cells[category] and (label := labels.get(folded(cells[category]))) is not None:
                held[category] = label
            elif cells[category]:
                names = [self.game.titles.get(name, name) for name in self.game.categories[category]]
                self._cell(line, category, cells, f"{_or(names)}, or empty")
        if len(self.problems) > before:
            self.broken.add(cells["game"])
        else:
            yield LogRow(line, cells["game"], players, int(seat or 0), points, winner, held)

    def _cell(self, line: int, name: str, cells: dict[str, str], allowed_: str) -> None:
        self.wrong(line, name, shown(cells[name]) if cells[name] else "", allowed_)

    # --- games ---

    def _game(self, name: str, rows: list[LogRow]) -> RealGame | None:
        """Return a game, None if something is wrong with it as a whole."""
        before = len(self.problems)
        self._check_seats(name, rows)
        self._check_held(name, rows)
        if len(self.problems) > before:
            return None
        rows = sorted(rows, key=lambda row: row.seat)
        scores = [row.score for row in rows if row.score is not None]
        full = len(scores) == rows[0].players
        winners = self._won(name, rows, scores, full)
        if len(rows) < rows[0].players:
            self.unheld += any(row.held for row in rows)
            for row in rows:
                row.held = {}
        return RealGame(rows[0].players, winners, scores if full else None, rows) if winners else None

    def _check_seats(self, name: str, rows: Sequence[LogRow]) -> None:
        first, seen = rows[0], set[int]()
        for row in rows:
            if row.players != first.players:
                self.wrong(
                    row.line, "players", f"{row.players} in game {shown(name)}", "one number in all rows of a game"
                )
            if row.seat in seen:
                self.wrong(row.line, "seat", f"{row.seat} again in game {shown(name)}", "each seat of a game once")
            seen.add(row.seat)
        absent = [str(seat) for seat in range(1, first.players + 1) if seat not in seen]
        if absent and not self.alone and not all(row.winner for row in rows):
            self.wrong(rows[-1].line, "seat", f"no seat {_or(absent)} in game {shown(name)}", ROWS)

    def _won(self, name: str, rows: Sequence[LogRow], scores: Sequence[int], full: bool) -> list[int]:
        """Return the seats of those who won; none if nothing tells, or what tells is wrong."""
        best = max(scores, default=0)
        said = [row for row in rows if row.winner or self.alone]
        for row in said:
            if row.score is not None and row.score < best:
                self.wrong(
                    row.line,
                    "winner",
                    f"yes with {row.score} points in game {shown(name)}, where somebody has {best}",
                    "yes only with the highest score",
                )
        if said:
            return [row.seat for row in said]
        able = [row for row in rows if row.winner is None]
        if not able or (full and not any(row.score == best for row in able)):
            self.wrong(rows[0].line, "winner", f"nobody in game {shown(name)}", "at least one player with yes")
        elif full:
            able = [row for row in able if row.score == best]
            self.untold += 1
            self.tied += len(able) > 1
            return [row.seat for row in able]
        else:
            told = "winner" in self.sheet.columns
            where = "winner" if self.zeros else "score or winner" if told else "score"
            for row in rows:
                if row.score is None:
                    self.wrong(row.line, where, "", "a score for each player, or a yes for the winner")
        return []

    def _check_held(self, name: str, rows: Sequence[LogRow]) -> None:
        for category in self.labels:
            seen, names = set[int](), self.game.categories[category]
            for row in rows:
                label = row.held.get(category, -1)
                if label in seen:
                    thing = self.game.titles.get(names[label], names[label])
                    self.wrong(
                        row.line, category, f"{thing} again in game {shown(name)}", "each once in a game and column"
                    )
                if label >= 0:
                    seen.add(label)

    def remarks(self, games: Sequence[RealGame]) -> list[str]:
        """Return what must be said of games that were read, a line each."""
        said, unscored = [], sum(game.scores is None for game in games)
        if "seat" not in self.sheet.columns:
            others = [column for column in self.sheet.columns if column not in (*NEEDED, "winner", NOTE)]
            said.append("the column winner is read as the winner's seat, as there is no column seat")
            said += [f"not read, as there is no column seat: {joined(others)}"] if others else []
        if self.alone:
            said.append("a row for each game, without winner and score: its seat is taken for the winner's")
        if self.zeros:
            said.append("all scores are 0, which is taken for none: wins are compared, scores are not")
        elif unscored:
            some = (
                "no scores" if unscored == len(games) else f"{unscored} of {len(games)} games without all their scores"
            )
            said.append(f"{some}: wins are compared, scores are not" + (" there" if unscored < len(games) else ""))
        if self.unheld:
            said.append(
                f"what was held in {self.unheld} of {len(games)} games is left out: only the winner has a row there"
            )
        if self.untold:
            ties = f"; where the best scores tie ({self.tied}), the win is shared" if self.tied else ""
            said.append(f"no winner is named in {self.untold} of {len(games)} games: the highest score wins{ties}")
        return said


def _logs(game: Game, games: Sequence[RealGame]) -> list[Log]:
    """Return the games as arrays, by number of players, in the order of the log."""
    made = []
    for n in sorted({played.players for played in games}):
        tables = [played for played in games if played.players == n]
        share = np.zeros((len(tables), n), np.int64)
        held = {kind: np.full((len(tables), n, len(things.categories)), -1) for kind, things in noted(game).items()}
        at = {
            category: (kind, number)
            for kind, things in noted(game).items()
            for number, category in enumerate(things.categories)
        }
        for g, played in enumerate(tables):
            share[g, [seat - 1 for seat in played.winners]] = WHOLE // len(played.winners)
            for row in played.rows:
                for category, label in row.held.items():
                    kind, number = at[category]
                    held[kind][g, row.seat - 1, number] = label
        scores = [played.scores for played in tables if played.scores is not None]
        made.append(Log(n, share, np.array(scores, np.int64).reshape(-1, n), held))
    return made
