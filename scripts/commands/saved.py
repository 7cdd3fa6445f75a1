"""A game with a person in it, and the file in which it is saved: its record as far as it was played
(docs/record.md)."""

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from scripts import options as o
from sim import registry
from sim.contract import MOST_STRATEGIES
from sim.legible import ascii_json
from sim.printed.components import Components, ComponentsError, from_values
from sim.replay import FORMAT, Session, record
from sim.runner import Study
from sim.trusted import alone

Line = dict[str, Any]

MOST_BYTES = 100_000_000
OTHERWISE = "a game that was saved by this version of the program and not changed since"


@dataclass(frozen=True)
class PersonGame:
    """One game of a study in which a person takes a seat (from 0); changes: how its components differ, in words."""

    study: Study
    number: int
    seat: int
    printed: Components
    changes: tuple[str, ...]

    def record(self, choose: Callable[[Session], int]) -> Iterator[Line]:
        """Deal the game anew and yield its record while it is played."""
        session = Session(self.study, self.number)
        return record(session, self.printed, choose=choose, people=[self.seat], changes=self.changes)


def write(path: Path, lines: list[str]) -> None:
    """Write a record so that the file holds either what it held before or all of these lines, whatever happens
    meanwhile."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in lines)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)  # the temporary file is for its owner only
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def read(path: Path, game: str, trust: bool = False) -> tuple[PersonGame, list[int]]:
    """Read a saved game; return what is played and the choices that were made, as indices.

    Args:
        path: where it lies. game: which one it must be of. trust: run every strategy file that it names, see
            `sim.trusted`.

    Raises:
        WrongInputError: it is damaged, or it is not what the game makes of its seed and these choices.
    """
    told = _lines(path)
    with alone(trust):
        deal = _deal(path, told[0], game)
    _follow(path, deal, told)
    return deal, [line["choice"] - 1 for line in told if line["event"] == "decision" and not line.get("forced")]


def _refuse(path: Path, found: str, allowed: str = OTHERWISE) -> NoReturn:
    line = f"{str(path)!r}, {found}"
    o.refuse("--resume", "".join(c if c.isprintable() else "?" for c in line), allowed)


def _lines(path: Path) -> list[Line]:
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            _refuse(path, "not a saved game" if path.exists() else "no such file")
        texts = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        _refuse(path, o.reason(error) if isinstance(error, OSError) else "not a text file")
    lines = []
    for number, text in enumerate(texts or [""], 1):
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            line = None
        if not isinstance(line, dict) or not isinstance(line.get("event"), str):
            _refuse(path, f"line {number}: not a line of a record")
        lines.append(line)
    return lines


def _deal(path: Path, header: Line, game: str) -> PersonGame:
    """Return what the first line of a record names, everything in it checked."""

    def given(key: str, kind: type, fits: Callable[[Any], bool] = lambda value: True) -> Any:
        value = header.get(key)
        if type(value) is not kind or not fits(value):
            _refuse(path, f"line 1: no {key} that can be played")
        return value

    def texts(values: list[Any]) -> bool:
        return all(isinstance(value, str) for value in values)

    if (header["event"], header.get("format")) != ("game", FORMAT):
        _refuse(path, "line 1: not the beginning of a saved game")
    if header.get("game") != registry.shown(game):
        _refuse(path, "a record of another game", f"a game of {registry.shown(game)}")
    version = registry.load(game).version
    if header.get("version") != version:
        _refuse(
            path,
            f"version {str(header.get('version'))[:20]} of the rules",
            f"version {version} of the rules of {registry.shown(game)}",
        )
    players = given("players", int, lambda n: n in registry.card(game)[1])
    names = given("strategies", list, lambda names: len(names) == players)
    if names.count(None) != 1:
        _refuse(path, f"line 1: {names.count(None)} persons play", "a game in which one person plays")
    seed = given("seed", int, lambda n: 0 <= n <= o.MOST_SEED)
    number = given("number", int, lambda n: 0 <= n < o.MOST_GAMES)
    study = given("study", list, lambda names: texts(names) and 0 < len(names) <= MOST_STRATEGIES)
    changes = given("changes", list, texts)
    try:
        printed = from_values(game, given("printed", dict), f"--resume: {path}: printed")
    except ComponentsError as error:
        raise o.WrongInputError(str(error)) from None
    if header.get("components") != printed.digest:
        _refuse(path, "line 1: printed values that do not fit their digest")
    from analyses.survey import line_up

    with o.strategy_errors():
        entrants = line_up(game, [name.split(" #")[0] for name in study], players)
    return PersonGame(
        Study(game, players, entrants, printed.record, seed), number, names.index(None), printed, tuple(changes)
    )


class _EndedError(Exception):
    """The saved record has come to its end."""


def _follow(path: Path, deal: PersonGame, told: list[Line]) -> None:
    """Play the recorded choices and refuse the record where the game tells something else."""
    place = 0

    def choose(session: Session) -> int:
        if place == len(told):
            raise _EndedError
        choice = told[place].get("choice")
        if type(choice) is not int or not 1 <= choice <= session.n:
            _refuse(path, f"line {place + 1}: no choice among the {session.n} options of this decision")
        return choice - 1

    with suppress(_EndedError), o.strategy_errors():
        for line in deal.record(choose):
            if place == len(told):
                return
            saved = told[place]
            if line["event"] == saved["event"] == "decision" and "position" not in line:
                saved = {key: value for key, value in saved.items() if key != "position"}
            if json.loads(ascii_json(line)) != saved:
                _refuse(path, f"line {place + 1}: not what the game makes of this seed and these choices")
            place += 1
        if place < len(told):
            _refuse(path, f"line {place + 1}: the game was over before")
