"""`chapterhouse replay`: one game told in words or as JSON lines, played again from its run or read from a file."""

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyses.request import flags
from scripts import options as o
from sim import registry
from sim.given import given_text
from sim.legible import ascii_json, legible_line

if TYPE_CHECKING:
    from analyses.request import Request
    from sim.printed.components import Components
    from sim.runner import Study
    from strategies.catalog import Seated

Line = dict[str, Any]

GAME, SEED = "0", "1"  # which game is told if no other is asked for
UNFINISHED = "The record ends here, before the end of the game."


@dataclass(frozen=True)
class ReplayRequest:
    """Which game of which run is meant, as it was asked for; None: the usual one."""

    game: str
    number: str | None
    seed: str | None
    players: str | None
    strategies: Sequence[str] | None
    files: Sequence[str] | None
    changes: Sequence[str] | None

    def given(self) -> dict[str, object]:
        """Return the options that were given."""
        options = {
            "--game": self.number, "--seed": self.seed, "--players": self.players, "--strategy": self.strategies,
            "--components": self.files, "--set": self.changes,
        }  # fmt: skip
        return {name: value for name, value in options.items() if value is not None and value != []}

    def read(self) -> "tuple[Study, tuple[Seated, ...], int, Components, list[str]]":
        """Return the run, who plays it, the number of the game in it, its components, and what makes them differ, as it
        was typed.

        Raises:
            WrongInputError: something can't be used.
        """
        usual = o.usual_players(self.game)
        count = usual if self.players is None else o.some_players(self.game, [self.players], alone=True)[0]
        seed = o.whole("--seed", SEED if self.seed is None else self.seed, 0, o.MOST_SEED)
        number = o.whole("--game", GAME if self.number is None else self.number, 0, o.MOST_GAMES - 1)
        printed = o.read_components(self.game, self.files, self.changes)
        from analyses.survey import line_up
        from sim.runner import Study

        with o.strategy_errors():
            entrants = line_up(self.game, self.strategies or (), count)
        return (
            Study(self.game, count, entrants, printed.record, seed),
            entrants,
            number,
            printed,
            [*(self.files or ()), *(self.changes or ())],
        )


@dataclass(frozen=True)
class ToldGame:
    """A game that was told.

    Attributes:
        events: as docs/record.md has them. words: the same for people, lines for each event.
    """

    events: list[Line]
    words: list[list[str]]

    def __str__(self) -> str:
        last = [] if self.events[-1]["event"] == "end" else ["", UNFINISHED]
        return "\n".join([legible_line(text) for told in self.words for text in told] + last)

    def __repr__(self) -> str:
        return f"<a game of {self.events[0]['game']}, {len(self.events)} events>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def to_json(self) -> str:
        """Return the events as JSON lines."""
        return "\n".join(map(ascii_json, self.events))


def told(asked: ReplayRequest, file: str | None) -> ToldGame:
    """Tell a game of a run, or one from a file.

    Raises:
        WrongInputError: something that was asked for can't be used.
    """
    asked = replace(asked, game=o.game_name(asked.game))
    if file is not None:
        for name, value in asked.given().items():
            o.refuse(name, repr(value), "nothing beside FILE, which holds a game of its own")
    lines = list(_play(asked) if file is None else _read(asked.game, file))
    return ToldGame([line for line, _ in lines], [words for _, words in lines])


def _play(asked: ReplayRequest) -> Iterator[tuple[Line, list[str]]]:
    """Yield the lines of a game of a run, each with its words."""
    study, _, number, printed, changes = asked.read()
    from sim.replay import Session, record
    from sim.runner import play

    with o.strategy_errors():
        play(study, number, 1)  # says in one line what is wrong with a strategy that can't play this game
    teller = None
    for line in record(Session(study, number), printed, changes=changes):
        teller = teller or registry.teller(asked.game).Teller({**line, "game": asked.game})
        yield line, teller.tell(line)


def _read(game: str, file: str) -> Iterator[tuple[Line, list[str]]]:
    """Yield the lines of a record in a file, each with its words."""
    try:
        texts = given_text(Path(file)).splitlines()
    except (OSError, ValueError) as error:
        reason = "not a text file" if isinstance(error, UnicodeDecodeError) else o.reason(error)
        o.refuse("FILE", f"{file!r} ({reason})", "a file that can be read")
    teller: Any = None
    ended, asked = False, 0
    for number, text in enumerate(texts or [""], 1):
        try:
            line = json.loads(text)
            if teller is None:
                teller = _teller(game, line)
            elif line["event"] == "game" or ended:
                raise ValueError
            elif line["event"] == "decision" and not line.get("forced"):
                asked += 1
                if line["number"] != asked:
                    raise ValueError
            told = teller.tell(line)
        except o.WrongInputError:
            raise
        except Exception:  # whatever a teller comes upon where lines say what can't be, or stand where they can't
            what = f"line {number} of {file!r}, damaged or out of place"
            o.refuse("FILE", what, "a record of a game, line by line, as `--json` writes it")
        ended = line["event"] == "end"
        yield line, told


def _teller(game: str, line: Line) -> Any:
    """Return what tells the game that begins with this line."""
    from sim.replay import FORMAT

    if line["event"] != "game":
        raise ValueError
    if line["game"] != registry.shown(game):
        o.refuse("FILE", f"a game of {str(line['game'])!r}", f"one of {registry.shown(game)!r}, as GAME says")
    if line["format"] != FORMAT:
        o.refuse("FILE", f"format {line['format']!r}", f"format {FORMAT}")
    _, players, _ = registry.card(game)
    if line["players"] not in players or len(line["strategies"]) != line["players"]:
        raise ValueError
    return registry.teller(game).Teller({**line, "game": game})


def replay_command(request: "Request") -> str:
    """Return what stands in the column `replay` of rows: with the number of a game behind it the command that tells
    that game."""
    from strategies import catalog

    words = [*flags("--players", request.players), "--seed", str(request.seed)]
    words += flags("--strategy", request.strategies or (catalog.default(request.game),))
    words += [*flags("--components", request.files), *flags("--set", request.changes), "--game"]
    return shlex.join(["chapterhouse", "replay", registry.typed(request.game), *words])
